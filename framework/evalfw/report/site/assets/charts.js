// Draws Vega-Lite specifications, in the colours of the theme, without evaluating any text as a program.
"use strict";

const charts = (() => {
  const drawn = new Map(); // element -> what it shows
  const waiting = new Map(); // element -> shows it
  const options = {
    ast: true, renderer: "svg", actions: false, defaultStyle: false, tooltip: { disableDefaultStyle: true },
  };

  // Where Vega draws, inside of an element: it gives that a role and a name, and each mark as well. An element that is
  // an image has a name and a description of its own, so those are hidden.
  const inside = (element) => {
    if (!element.firstElementChild) element.append(document.createElement("div"));
    if (element.getAttribute("role") === "img") element.firstElementChild.setAttribute("aria-hidden", "true");
    return element.firstElementChild;
  };

  const embed = async (element, shown) => {
    const config = shown.styles[document.documentElement.dataset.theme];
    shown.result?.finalize();
    shown.result = await vegaEmbed(inside(element), shown.spec, { ...options, config });
    element.classList.add("drawn");
    shown.changed?.(shown.result.view);
    if (element.scrollWidth > element.clientWidth) element.tabIndex = 0; // so that keys can scroll it
  };

  // One after the other: a second drawing in the same element would find the first half done.
  const draw = (element) => {
    const shown = drawn.get(element);
    shown.turn = shown.turn.catch(() => {}).then(() => embed(element, shown));
    return shown.turn;
  };

  // Show a specification in an element, and again when the theme changes.
  // styles: configuration of Vega-Lite by theme; changed: is given each new view.
  const show = (element, spec, styles, changed) => {
    const shown = drawn.get(element) ?? { turn: Promise.resolve() };
    drawn.set(element, Object.assign(shown, { spec, styles, changed }));
    return draw(element);
  };

  const showNow = (element) => {
    const make = waiting.get(element);
    waiting.delete(element);
    observer.unobserve(element);
    make?.();
  };
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) showNow(entry.target);
  }, { rootMargin: "50% 0px" });

  // Call a function, which shows something in an element, when that is about to be seen or printed.
  const whenSeen = (element, make) => {
    waiting.set(element, make);
    observer.observe(element);
  };

  theme.onChange(() => { for (const element of drawn.keys()) draw(element); });
  theme.onPrint(() => { for (const element of [...waiting.keys()]) showNow(element); });
  return { show, whenSeen };
})();

const pageData = () => JSON.parse(document.getElementById("data").textContent);
