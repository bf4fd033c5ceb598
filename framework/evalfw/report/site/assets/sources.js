// Line attribution: which lines of a source raised the peak of its profile, as a table and in a sentence.
"use strict";

const sources = (() => {
  const { make, amount, percent, times } = texts;

  const cut = (text) => text.length > 60 ? `${text.slice(0, 59)}…` : text;

  // In words: what made the peak of a solution.
  const told = ({ name, role, curve, kind, lines }) => {
    const who = make("strong", { textContent: name, className: role });
    if (!curve) return [who, " has no profile on this test."];
    if (!curve.peak) return [who, " never rises: its peak is 0."];
    const peak = amount(kind, curve.peak);
    if (!curve.raised) return [who, ` reaches ${peak}; its profiler does not record which lines raise it.`];
    const by = [...curve.raised].sort((x, y) => y.value - x.value).filter((each, k) => !k || each.value >= 0.2 * curve.peak).slice(0, 3);
    const parts = by.flatMap((each, k) => {
      const first = curve.lines.findIndex((raised) => raised.includes(each.line));
      const begins = first < 0 ? "" : `, ${each.times === 1 ? "at" : "from"} ${percent(curve.starts[first] / curve.length)} of its run${each.times === 1 ? "" : " on"}`;
      const where = each.line ? [`line ${each.line} `, make("code", { textContent: cut((lines[each.line - 1] ?? "").trim()) })] : ["no line of its own"];
      return [k ? "; " : "", ...where, ` makes ${percent(each.value / curve.peak)} of it, in ${each.times === 1 ? "one jump" : times(each.times)}${begins}`];
    });
    return [who, ` reaches ${peak}: `, ...parts, "."];
  };

  // A source with its lines marked by how much they raised the peak.
  // point: is given the line that is pointed at; leave: is called when it is left; note: why there is no curve.
  const panel = ({ name, role, curve, kind, lines, note, point, leave }) => {
    const raised = new Map((curve?.raised ?? []).map((each) => [each.line, each]));
    const largest = Math.max(0, ...[...raised.values()].map((each) => each.value));
    const attributed = Boolean(curve?.raised);
    const rows = lines.map((text, k) => {
      const found = raised.get(k + 1);
      const by = make("td", { className: "by" });
      const row = make("tr", {}, make("th", { scope: "row", textContent: String(k + 1) }), ...(attributed ? [by] : []),
        make("td", {}, make("code", { textContent: text })));
      if (found) {
        const share = found.value / curve.peak;
        const button = make("button", { type: "button", textContent: `+${amount(kind, found.value)} ${percent(share)}` });
        button.setAttribute("aria-label", `Line ${k + 1} raised the peak by ${amount(kind, found.value)}, ${percent(share)}, in ${times(found.times)}`);
        button.title = `${found.value.toLocaleString("en")}, in ${times(found.times)}`;
        button.style.setProperty("--share", String(found.value / largest));
        by.append(button);
        row.className = "raised";
        row.dataset.line = String(k + 1);
        row.dataset.bytes = String(found.value);
        for (const event of ["pointerenter", "focusin"]) row.addEventListener(event, () => point(k + 1));
        for (const event of ["pointerleave", "focusout"]) row.addEventListener(event, leave);
        button.addEventListener("click", () => point(k + 1));
      }
      return row;
    });
    const said = attributed ? "" : curve
      ? "Which lines raise this profile is not known: its profiler does not record lines, or takes a sample less often than at every line."
      : note;
    const outside = raised.get(0);
    const more = outside ? `${amount(kind, outside.value)} were raised by no line with a number.` : "";
    const head = make("h4", {}, make("span", { className: `swatch ${role}` }), `${name} `,
      make("span", { className: "note", textContent: curve ? `peak ${amount(kind, curve.peak)}` : "" }));
    const columns = ["Line", ...(attributed ? ["Raised the peak by"] : []), "Source"];
    const code = make("table", { className: "code" },
      make("thead", {}, make("tr", {}, ...columns.map((text) => make("th", { scope: "col", textContent: text })))), make("tbody", {}, ...rows));
    const box = make("div", { className: "wide code-box", tabIndex: 0 }, code);
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", `Source of ${name}`);
    const made = make("div", { className: `card panel ${role}` }, head, ...(said ? [make("p", { className: "note", textContent: said })] : []),
      box, ...(more ? [make("p", { className: "note", textContent: more })] : []));
    return made;
  };

  return { told, panel };
})();
