// Tables that are sorted by the buttons in their headers, and filtered by what is typed of the names of their rows.
"use strict";

(() => {
  const texts = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  // What a row is sorted by: null, which comes last in any order, where the cell has nothing to be sorted by.
  const value = (row, column, numbers) => {
    const found = row.cells[column].dataset.sort;
    return found === undefined ? null : numbers ? Number(found) : found;
  };

  const sort = (header) => {
    const table = header.closest("table");
    const numbers = header.classList.contains("number");
    const down = header.getAttribute("aria-sort") === "ascending";
    for (const other of header.parentElement.cells) other.setAttribute("aria-sort", "none");
    header.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [value(row, header.cellIndex, numbers), row]);
    rows.sort(([a], [b]) => {
      if (a === null || b === null) return (a === null) - (b === null);
      return (down ? -1 : 1) * (numbers ? a - b : texts.compare(a, b));
    });
    body.append(...rows.map(([, row]) => row));
  };

  for (const button of document.querySelectorAll("table.sortable .sort")) {
    button.addEventListener("click", () => sort(button.closest("th")));
  }

  for (const input of document.querySelectorAll("[data-filters]")) {
    const rows = [...document.getElementById(input.dataset.filters).tBodies[0].rows];
    const words = rows.map((row) => row.cells[0].textContent.toLowerCase());
    const said = document.querySelector(`output[for="${input.id}"]`);
    const all = said.textContent;
    const filter = () => {
      const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      rows.forEach((row, index) => {
        row.hidden = !wanted.every((word) => words[index].includes(word));
        shown += !row.hidden;
      });
      said.textContent = wanted.length ? `${shown} of ${all}` : all;
    };
    input.addEventListener("input", filter);
    filter(); // a browser may have kept what was typed before
  }
})();
