// Numbers as a person reads them, and elements that hold text and never markup.
"use strict";

const texts = (() => {
  const make = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  const short = (value) => {
    if (value === null || value === undefined) return "-";
    if (!Number.isFinite(value) || Number.isInteger(value)) return String(value);
    return Math.abs(value) < 0.0005 ? value.toExponential(0) : Math.abs(value) < 10 ? value.toFixed(3) : value.toPrecision(4);
  };
  const digits = (value) => typeof value === "number" && !Number.isInteger(value) ? String(+value.toPrecision(4)) : short(value);
  const bytes = (value) => {
    let unit = 0;
    while (value >= 1024 && unit < 3) { value /= 1024; unit++; }
    return `${+value.toPrecision(unit ? 3 : 4)} ${["B", "KiB", "MiB", "GiB"][unit]}`;
  };
  const amount = (kind, value) => kind === "cpu" ? `${value.toLocaleString("en")} ns` : bytes(value);
  const percent = (share) => share > 0 && share < 0.01 ? "<1 %" : `${Math.round(100 * share)} %`;
  const times = (count) => count === 1 ? "1 rise" : `${count.toLocaleString("en")} rises`;

  return { make, short, digits, amount, percent, times };
})();
