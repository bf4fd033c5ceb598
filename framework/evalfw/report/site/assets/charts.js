// Draws Vega-Lite specifications, in the colours of the theme, without evaluating any text as a program.
"use strict";

const charts = (() => {
  const drawn = new Map(); // element -> what it shows

  const draw = async (element) => {
    const { spec, styles, changed } = drawn.get(element);
    const config = styles[document.documentElement.dataset.theme];
    const result = await vegaEmbed(element, spec, { ast: true, renderer: "svg", actions: false, config, defaultStyle: false });
    changed?.(result.view);
  };

  // Show a specification in an element, and again when the theme changes.
  // styles: configuration of Vega-Lite by theme; changed: is given each new view.
  const show = (element, spec, styles, changed) => {
    drawn.set(element, { spec, styles, changed });
    return draw(element);
  };

  theme.onChange(() => { for (const element of drawn.keys()) draw(element); });
  return { show };
})();

const pageData = () => JSON.parse(document.getElementById("data").textContent);
