// Light or dark: as the system has it, until somebody chooses. Runs before the page is drawn.
"use strict";

const theme = (() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const listeners = [];
  let chosen = null;
  try { chosen = localStorage.getItem("evalfw-theme"); } catch { /* a browser may keep nothing for files */ }

  const current = () => chosen ?? (system.matches ? "dark" : "light");
  const show = (name) => {
    document.documentElement.dataset.theme = name;
    document.getElementById("theme")?.setAttribute("aria-pressed", String(name === "dark"));
    for (const listener of listeners) listener(name);
  };
  const choose = (name) => {
    chosen = name;
    try { localStorage.setItem("evalfw-theme", name); } catch { /* then until the page is left */ }
    show(name);
  };

  show(current());
  system.addEventListener("change", () => show(current()));
  addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme").addEventListener("click", () => choose(current() === "dark" ? "light" : "dark"));
    show(current());
  });
  addEventListener("beforeprint", () => show("light"));
  addEventListener("afterprint", () => show(current()));
  return { current, onChange: (listener) => listeners.push(listener) };
})();
