// The first page: draws its figures as they come into view, and shows their rows when asked.
"use strict";

(() => {
  const MOST_ROWS = 200;
  const data = pageData();

  const add = (parent, name, text) => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  };

  const shown = (value) => (value === null ? "-" : typeof value === "number" ? String(Number(value.toPrecision(5))) : String(value));

  const rowsTable = (rows) => {
    const table = document.createElement("table");
    const names = Object.keys(rows[0] ?? {});
    const numbers = names.map((name) => rows.every((row) => row[name] === null || typeof row[name] === "number"));
    const head = add(add(table, "thead"), "tr");
    names.forEach((name, place) => {
      const cell = add(head, "th", name);
      cell.scope = "col";
      if (numbers[place]) cell.className = "number";
    });
    const body = add(table, "tbody");
    for (const row of rows.slice(0, MOST_ROWS)) {
      const line = add(body, "tr");
      names.forEach((name, place) => {
        const cell = add(line, "td", shown(row[name] ?? null));
        if (numbers[place]) cell.className = "number";
      });
    }
    return table;
  };

  for (const element of document.querySelectorAll("[data-chart]")) {
    const { spec, rows, shared } = data.charts[element.dataset.chart];
    const datasets = { ...spec.datasets, ...Object.fromEntries(shared.map((name) => [name, rows])) };
    const widen = () => {
      if (element.scrollWidth > element.clientWidth) element.closest("figure").classList.add("broad");
    };
    charts.whenSeen(element, () => charts.show(element, { ...spec, datasets }, data.styles, widen));
  }

  for (const details of document.querySelectorAll("[data-rows]")) {
    details.addEventListener("toggle", () => {
      const { rows } = data.charts[details.dataset.rows];
      const box = add(details, "div");
      box.className = "wide tall";
      box.tabIndex = 0;
      box.setAttribute("role", "region");
      box.setAttribute("aria-label", "Data of the figure");
      box.append(rowsTable(rows));
      if (rows.length > MOST_ROWS) add(details, "p", `${rows.length - MOST_ROWS} more rows are in the CSV file.`).className = "note";
    }, { once: true });
  }
})();
