// Light or dark: as the system has it, until somebody chooses. Runs before the page is drawn.
"use strict";

const theme = (() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const paper = matchMedia("print");
  const listeners = [];
  const printing = [];
  let chosen = null;
  try { chosen = localStorage.getItem("evalfw-theme"); } catch { /* a browser may keep nothing for files */ }

  const current = () => chosen ?? (system.matches ? "dark" : "light");
  const show = (name) => {
    const before = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = name;
    document.getElementById("theme")?.setAttribute("aria-pressed", String(name === "dark"));
    if (name !== before) for (const listener of listeners) listener(name);
  };
  const choose = (name) => {
    chosen = name;
    try { localStorage.setItem("evalfw-theme", name); } catch { /* then until the page is left */ }
    show(name);
  };
  const print = () => {
    show("light");
    for (const listener of printing) listener();
  };

  show(current());
  system.addEventListener("change", () => show(current()));
  paper.addEventListener("change", () => (paper.matches ? print() : show(current())));
  addEventListener("beforeprint", print);
  addEventListener("afterprint", () => show(current()));
  addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme").addEventListener("click", () => choose(current() === "dark" ? "light" : "dark"));
    show(current());
    document.getElementById("theme").setAttribute("aria-pressed", String(current() === "dark"));
  });
  // onChange: called with the name of the theme when it changes; onPrint: called when the page is about to be printed.
  return {
    current,
    onChange: (listener) => listeners.push(listener),
    onPrint: (listener) => printing.push(listener),
  };
})();
