// The page of a problem: choose a condition, a test and a pair; see how their memory rises and which lines do it.
"use strict";

(() => {
  const SAMPLES = 200, LINKS = 30, SHIFT = 1.25;
  const { make, short, digits, amount, percent, times } = texts;
  const data = pageData();
  const byId = (id) => document.getElementById(id);
  const curves = new Map();
  const curveOf = (number) => {
    if (!curves.has(number)) curves.set(number, profiles.curve(data.profiles[number]));
    return curves.get(number);
  };

  // ---- what is chosen ---------------------------------------------------------------------------------
  let state = null; // c: cohort, t: test, a and b: places of solutions, unit, v: column, over
  let view = null, still = []; // the drawing of the profiles, and rows that draw nothing

  const cohort = () => data.cohorts[state.c];
  const test = () => cohort().tests[state.t];
  const solution = (place) => cohort().solutions[place];
  const profileAt = (place) => {
    const number = place === null ? null : test()?.profiles?.[place];
    return number === null || number === undefined ? null : curveOf(number);
  };
  const name = (place) => `#${solution(place).index}`;

  // Where a pair is in the flat upper triangle of a matrix.
  const cell = (a, b) => {
    const [i, j] = a < b ? [a, b] : [b, a], n = cohort().solutions.length;
    return i * n - (i * (i + 1)) / 2 + (j - i - 1);
  };
  const numbers = (column) => state.over === "mean" ? cohort().over[column] : (test()?.pairs[column] ?? cohort().any[column]);
  const valueOf = (column, a, b, from = numbers(column)) => from?.[cell(a, b)] ?? null;

  const widest = () => {
    const n = cohort().solutions.length;
    let best = null;
    for (let a = 0; a < n; a++) {
      for (let b = a + 1; b < n; b++) {
        const value = test()?.pairs[cohort().main]?.[cell(a, b)] ?? null;
        if (value !== null && (best === null || value > best.value)) best = { a, b, value };
      }
    }
    if (best) return [best.a, best.b];
    // Nothing is known of how they differ: the first two that have profiles, better two programs than one.
    const places = cohort().solutions.map((_, place) => place);
    const known = places.filter((place) => profileAt(place));
    const [first, ...rest] = known.length > 1 ? known : places;
    const other = rest.find((place) => solution(place).program !== solution(first).program) ?? rest[0];
    return [first ?? null, other ?? null];
  };

  // Fill in what a choice leaves open.
  const choose = (given) => {
    const whole = (value, below) => Number.isInteger(value) && value >= 0 && value < below;
    const c = whole(given.c, data.cohorts.length) ? given.c : data.start;
    state = { c, unit: given.unit === "share" ? "share" : "value" };
    state.t = whole(given.t, cohort().tests.length) ? given.t : cohort().start;
    state.v = cohort().columns.includes(given.v) ? given.v : cohort().main;
    state.over = given.over === "mean" ? "mean" : "test";
    const place = (index) => cohort().solutions.findIndex((each) => each.index === index);
    const pair = [place(given.a), place(given.b)];
    [state.a, state.b] = pair.includes(-1) || pair[0] === pair[1] ? widest() : pair;
  };
  const chosen = () => ({ ...state, a: solution(state.a)?.index, b: solution(state.b)?.index });

  const fromFragment = () => {
    const given = new URLSearchParams(location.hash.slice(1));
    if (!given.has("c")) return {};
    const number = (key) => given.has(key) ? Number(given.get(key)) : undefined;
    const unit = given.get("unit") === "peak" ? "share" : "value";
    return { c: number("c"), t: number("t"), a: number("a"), b: number("b"), unit, v: given.get("v"), over: given.get("over") };
  };
  const toFragment = () => {
    const kept = { c: state.c, t: state.t };
    if (state.a !== null) kept.a = solution(state.a).index;
    if (state.b !== null) kept.b = solution(state.b).index;
    if (state.unit === "share") kept.unit = "peak";
    if (state.v !== cohort().main) kept.v = state.v;
    if (state.over === "mean") kept.over = "mean";
    history.replaceState(null, "", `#${new URLSearchParams(kept)}`);
  };
  const update = (change) => {
    choose({ ...chosen(), ...change });
    toFragment();
    show();
  };

  // ---- the profiles -----------------------------------------------------------------------------------
  const showControls = () => {
    const fill = (select, labels, value) => {
      select.replaceChildren(...labels.map((label, i) => make("option", { value: String(i), textContent: label })));
      select.value = String(value);
    };
    const main = cohort().main;
    const divergence = (each) => each.divergence === null || each.main === null ? "" : ` (${each.main} ${short(each.divergence)})`;
    fill(byId("condition"), data.cohorts.map((each) => each.label + divergence(each)), state.c);
    const mean = (each) => {
      const known = (each.pairs[main] ?? []).filter((value) => value !== null);
      return known.length ? ` (${main} ${short(known.reduce((sum, value) => sum + value, 0) / known.length)})` : "";
    };
    fill(byId("test"), cohort().tests.map((each) => each.id + mean(each)), state.t);
    byId("why-title").textContent = { "cpu": "How their CPU time rises", "timing": "How long they take" }[test()?.kind]
      ?? (test()?.profiles ? "How their memory rises" : "What was measured");
    byId("unit").hidden = !test()?.profiles;
    byId("unit-value").textContent = test()?.kind === "cpu" ? "Nanoseconds" : "Bytes";
    for (const unit of ["value", "share"]) byId(`unit-${unit}`).setAttribute("aria-pressed", String(state.unit === unit));
    byId("column").replaceChildren(...cohort().columns.map((column) => make("option", { value: column, textContent: column })));
    byId("column").value = state.v ?? "";
    byId("over").value = state.over;

    const notes = [];
    if (!cohort().solutions.length) notes.push("No solution is correct under this condition: there is nothing to draw.");
    else if (!cohort().tests.length) notes.push("There is no profile under this condition.");
    if (cohort().left) notes.push(`${cohort().left} more tests are in the tables of the run; the page has those on which the solutions differ most.`);
    const missing = Object.entries(test()?.why ?? {}).map(([place, why]) => `${name(Number(place))}: ${why}`);
    if (missing.length) notes.push(`No profile on this test: ${missing.join("; ")}.`);
    byId("cohort-note").textContent = notes.join(" ");
  };

  const showCurves = () => {
    const drawn = Boolean(test()?.profiles);
    byId("curves").hidden = byId("legend").hidden = byId("pointed").hidden = !drawn;
    byId("facts").hidden = drawn || !test();
    byId("curves-figure").hidden = !test();
    if (!test()) return;
    if (!drawn) { showFacts(); return; }
    const others = [], pair = [];
    cohort().solutions.forEach((each, place) => {
      const curve = profileAt(place);
      if (!curve) return;
      const role = place === state.a ? "a" : place === state.b ? "b" : null;
      (role ? pair : others).push(...profiles.rows(curve, state.unit, { solution: `#${each.index}`, role }));
    });
    const [a, b] = [profileAt(state.a), profileAt(state.b)];
    const extent = (axis) => [...others, ...pair].reduce((most, row) => Math.max(most, row[axis]), 0) || 1;
    const labels = a && b ? profiles.labels(a, b, state.unit, extent("x"), extent("y")).map((label, k) => ({
      ...label, text: name(k ? state.b : state.a), role: k ? "b" : "a",
    })) : [];
    const spec = drawings.specifications[`${state.unit} ${test().kind}`];
    const shares = state.unit === "share";
    const picked = a && b ? `, ${name(state.a)} (solid) and ${name(state.b)} (dashed) picked out` : "";
    byId("curves").setAttribute("aria-label", `Profiles of ${cohort().solutions.length} correct solutions on ${test().id}${picked}`);
    byId("curves-caption").textContent =
      `Each line is a correct solution on test ${test().id}${picked}. ` +
      (shares ? "Each is scaled to a peak and a length of 1: this is the shape that DMPD compares. " : "") +
      "Drawn within 0.5 % of the peak and of the length.";
    // A source without rows has no extent, of which Vega complains: a single point draws nothing.
    still = [{ ...(pair[0] ?? others[0]), solution: "", role: null, text: "" }];
    const some = (rows) => rows.length ? rows : still;
    const datasets = { others: some(others), pair: some(pair), focus: still, labels: some(labels) };
    charts.show(byId("curves"), { ...spec, datasets }, drawings.styles, (made) => { view = made; });
    byId("legend").replaceChildren("Highlight ", ...cohort().solutions.map((each, place) => {
      const role = place === state.a ? "a" : place === state.b ? "b" : "";
      const button = make("button", { type: "button", textContent: `#${each.index}`, className: `chip ${role}`, disabled: !profileAt(place) });
      button.addEventListener("pointerenter", () => highlight(place));
      button.addEventListener("focus", () => highlight(place));
      for (const event of ["pointerleave", "blur"]) button.addEventListener(event, () => highlight(null));
      button.addEventListener("click", () => { highlight(place); showSingle(place); });
      return button;
    }));
    pointedText(null);
  };

  const showFacts = () => {
    const { columns, rows } = test().facts;
    const about = test().kind ? `Profiles of the kind "${test().kind}" are no curve` : "There is no profile on this test";
    byId("curves-caption").textContent = `${about}${rows.length && columns.length ? ": these are their numbers." : "."}`;
    byId("facts").replaceChildren(table(["Solution", ...columns], rows.map((row, place) => [name(place), ...row.map((value) => digits(value))])));
  };

  const table = (head, rows) => make("table", {},
    make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col", textContent: text })))),
    make("tbody", {}, ...rows.map(([first, ...rest]) => make("tr", {},
      make("th", { scope: "row", textContent: first }),
      ...rest.map((text) => make("td", { className: "number", textContent: text }))))));

  // ---- highlights: a solution or a line in the drawing, a line in the source -------------------------------
  const focus = (rows) => { view?.data("focus", rows.length ? rows : still).runAsync(); };
  const pointedText = (text) => {
    byId("pointed").textContent = text ?? "Point at a curve, or at a line of the sources below.";
  };
  const highlight = (place) => {
    const curve = place === null ? null : profileAt(place);
    focus(curve ? profiles.rows(curve, state.unit, { piece: 0, solution: name(place) }) : []);
    pointedText(curve ? `${name(place)}: peak ${amount(test().kind, curve.peak)}, ${curve.length.toLocaleString("en")} steps` : null);
  };
  const highlightLine = (place, line) => {
    const curve = profileAt(place);
    if (!curve) return;
    focus(profiles.pieces(curve, state.unit, line));
    const found = curve.raised.find((each) => each.line === line);
    pointedText(`Line ${line} of ${name(place)} raised the peak by ${amount(test().kind, found.value)}, in ${times(found.times)}`);
  };
  const markLines = (place, lines) => {
    for (const row of document.querySelectorAll("tr.pointed")) row.classList.remove("pointed");
    for (const line of lines) {
      for (const row of document.querySelectorAll(`[data-place="${place}"] tr[data-line="${line}"]`)) row.classList.add("pointed");
    }
  };

  // What is under the pointer: the curve that is nearest at this place of the axis, and the lines that raised it.
  const point = (event) => {
    const svg = byId("curves").querySelector("svg");
    if (!view || !svg) return;
    const box = svg.getBoundingClientRect(), factor = svg.viewBox.baseVal.width / box.width || 1;
    const [left, top] = view.origin();
    const x = view.scale("x").invert((event.clientX - box.left) * factor - left);
    const y = (event.clientY - box.top) * factor - top;
    let best = null;
    cohort().solutions.forEach((_, place) => {
      const curve = profileAt(place);
      if (!curve) return;
      const scale = profiles.scales(curve, state.unit);
      const step = x / scale.x;
      if (step < 0 || step > curve.length) return;
      const k = profiles.at(curve, step);
      // A picked one wins where curves lie on each other.
      const away = Math.abs(view.scale("y")(curve.values[k] * scale.y) - y) - (place === state.a || place === state.b ? 1 : 0);
      if (!best || away < best.away) best = { place, curve, k, away };
    });
    if (!best) { highlight(null); markLines(-1, []); return; }
    highlight(best.place);
    const { curve, k, place } = best, lines = curve.lines[k] ?? [];
    markLines(place, lines);
    const by = lines.length ? `, raised by line ${lines.join(", ")}` : "";
    pointedText(`${name(place)} at ${percent(curve.starts[k] / curve.length)} of its run: ${amount(test().kind, curve.values[k])}${by}`);
  };

  // ---- pairs --------------------------------------------------------------------------------------------
  const whyUndefined = (a, b) => {
    const missing = state.over === "test" ? [a, b].filter((place) => test()?.why[place]) : [];
    return missing.length ? `no profile of ${missing.map(name).join(" and ")}` : "undefined";
  };

  const showMatrix = () => {
    const { solutions, columns } = cohort(), column = state.v;
    const enough = solutions.length > 1 && columns.length > 0;
    byId("matrix-card").hidden = !columns.length;
    if (!enough) {
      byId("matrix").replaceChildren();
      byId("matrix-note").textContent = "There are fewer than two correct solutions: there is no pair.";
      return;
    }
    const known = (numbers(column) ?? []).filter((value) => value !== null);
    const largest = Math.max(...known.map(Math.abs), 0);
    const head = make("thead", {}, make("tr", {}, make("td"), ...solutions.map((each) => make("th", { scope: "col", textContent: `#${each.index}` }))));
    const body = make("tbody", {}, ...solutions.map((row, a) => make("tr", {},
      make("th", { scope: "row", textContent: `#${row.index}` }),
      ...solutions.map((_, b) => a === b ? make("td", { className: "same", textContent: "·" }) : pairCell(column, a, b, largest)))));
    byId("matrix").setAttribute("role", "grid");
    byId("matrix").replaceChildren(make("caption", { textContent: `${column}, solution against solution` }), head, body);
    const current = byId("matrix").querySelector("[aria-pressed=true]") ?? byId("matrix").querySelector("button");
    current.tabIndex = 0;
    const over = state.over === "mean" ? "Means over all tests of the stored values" : cohort().any[column] && !test()?.pairs[column]
      ? "From the texts, whatever the test" : "Stored values, rounded here; exact ones with the pair below";
    byId("matrix-note").textContent = `${over}. The stronger the colour, the larger; the largest is ${short(largest)}. Choose a cell to compare the two; arrow keys move.`;
  };

  const pairCell = (column, a, b, largest) => {
    const value = valueOf(column, a, b);
    const said = value === null ? whyUndefined(a, b) : String(value);
    const button = make("button", { type: "button", tabIndex: -1, textContent: value === null ? "-" : short(value), title: said });
    button.setAttribute("aria-label", `${name(a)} and ${name(b)}: ${said}`);
    const picked = (a === state.a && b === state.b) || (a === state.b && b === state.a);
    button.setAttribute("aria-pressed", String(picked));
    button.style.setProperty("--heat", String(largest && value !== null ? Math.abs(value) / largest : 0));
    button.dataset.a = a;
    button.dataset.b = b;
    return make("td", {}, button);
  };

  const moveInMatrix = (event) => {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    const from = event.target.closest("button");
    if (!step || !from) return;
    event.preventDefault();
    let [a, b] = [Number(from.dataset.a) + step[0], Number(from.dataset.b) + step[1]];
    if (a === b) [a, b] = [a + step[0], b + step[1]];
    focusCell(a, b, from);
  };
  const focusCell = (a, b, from) => {
    const to = byId("matrix").querySelector(`button[data-a="${a}"][data-b="${b}"]`);
    if (!to) return;
    if (from) from.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  };

  // ---- the picked pair ------------------------------------------------------------------------------------
  const sourceLines = (place) => byId(`program-${solution(place).program}`).textContent.replace(/\n$/, "").split("\n");

  const told = (place) => sources.told({
    name: name(place), role: place === state.a ? "a" : "b", curve: profileAt(place), kind: test().kind, lines: sourceLines(place),
  });

  const showPair = () => {
    const { a, b } = state, places = [a, b].filter((place) => place !== null);
    byId("pair").hidden = !places.length;
    if (!places.length) return;
    const two = places.length === 2;
    const same = two && solution(a).program === solution(b).program;
    byId("pair-title").textContent = !two ? `What raises ${name(a)}` : same ? `${name(a)} and ${name(b)} are the same program`
      : test()?.profiles ? `Why ${name(a)} and ${name(b)} differ` : `${name(a)} and ${name(b)} side by side`;
    const main = cohort().main, value = two && main ? valueOf(main, a, b, test()?.pairs[main] ?? cohort().any[main] ?? []) : null;
    const head = value === null ? [] : [`${main} ${short(value)} on ${test()?.id}. `];
    byId("story").replaceChildren(...head, ...(test()?.profiles ? places.flatMap((place, k) => [k ? " " : "", ...told(place)]) : []));
    byId("sources").replaceChildren(...places.map((place) => panel(place, place === a ? "a" : "b")));
    byId("alignment-card").hidden = !two || !(test()?.profiles || cohort().columns.length);
    if (two) { showNumbers(); showAlignment(); }
  };

  const panel = (place, role) => {
    const curve = profileAt(place);
    const note = curve ? "" : test()?.profiles ? "There is no profile of this solution on this test." : null;
    const made = sources.panel({ name: name(place), role, curve, kind: test()?.kind, lines: sourceLines(place), note,
      point: (line) => highlightLine(place, line), leave: () => highlight(null) });
    made.dataset.place = String(place);
    return made;
  };

  const showNumbers = () => {
    const { a, b } = state, kind = test()?.kind;
    const pairRows = cohort().columns.map((column) => {
      const from = test()?.pairs[column] ? test().pairs : cohort().any;
      const value = valueOf(column, a, b, from[column] ?? []);
      const parts = ["cost", "scale", "length"].map((part) => valueOf(column, a, b, from[`${column}_${part}`] ?? []));
      const exact = value === null ? whyUndefined(a, b) : parts.includes(null) ? String(value) : `${value} = ${parts[0]} / (${parts[1]} × ${parts[2]})`;
      return make("tr", {}, make("th", { scope: "row", textContent: column }), make("td", { colSpan: 2, textContent: exact }));
    });
    const each = (label, of) => make("tr", {}, make("th", { scope: "row", textContent: label }),
      ...[a, b].map((place) => make("td", { textContent: of(place) })));
    const ofCurve = (of) => (place) => { const curve = profileAt(place); return curve ? of(curve) : "-"; };
    const own = test()?.profiles ? [
      each("Peak", ofCurve((curve) => `${curve.peak.toLocaleString("en")}${kind === "cpu" ? " ns" : " bytes"}${curve.off ? ` (± ${curve.off})` : ""}`)),
      each("Steps", ofCurve((curve) => curve.length.toLocaleString("en"))),
    ] : [];
    const nmv = [a, b].some((place) => solution(place).nmv !== null) ? [each("NMV, all tests", (place) => solution(place).nmv === null ? "undefined" : String(solution(place).nmv))] : [];
    byId("numbers").replaceChildren(
      make("caption", { textContent: `The pair on ${test()?.id ?? "no test"}: stored values` }),
      make("thead", {}, make("tr", {}, make("td"), ...[a, b].map((place) => make("th", { scope: "col", textContent: name(place) })))),
      make("tbody", {}, ...pairRows, ...own, ...nmv));
  };

  const showAlignment = () => {
    const [a, b] = [profileAt(state.a), profileAt(state.b)];
    byId("alignment").hidden = !(a && b);
    if (!(a && b)) { byId("alignment-caption").textContent = ""; return; }
    const [one, two] = [a, b].map((curve) => profiles.samples(curve, SAMPLES));
    const { path } = profiles.warp(one.map((each) => each.y), two.map((each) => each.y));
    const count = Math.min(LINKS, path.length);
    const links = Array.from({ length: count }, (_, k) => {
      const [i, j] = path[count > 1 ? Math.round((k * (path.length - 1)) / (count - 1)) : 0];
      return { x: one[i].x, y: one[i].y + SHIFT, x2: two[j].x, y2: two[j].y, gap: Math.abs(one[i].y - two[j].y) };
    });
    const up = profiles.rows(a, "share", { role: "a" }).map((row) => ({ ...row, y: row.y + SHIFT }));
    const labels = [
      { x: 0.03, y: SHIFT + 0.92, text: name(state.a), role: "a", place: "below" },
      { x: 0.97, y: 0.1, text: name(state.b), role: "b", place: "above" },
    ];
    const label = `Alignment of the unit-peak profiles of ${name(state.a)} and ${name(state.b)}`;
    byId("alignment").setAttribute("aria-label", label);
    const main = cohort().main;
    byId("alignment-caption").textContent =
      `${label} by dynamic time warping (DTW): ${name(state.a)} above, ${name(state.b)} below, links between steps that are matched. ` +
      `A link that leans joins different moments and costs nothing; what costs is a difference in height. Drawn from at most ${SAMPLES} samples of each` +
      (main ? `; the ${main} in the table is exact.` : ".");
    charts.show(byId("alignment"), { ...drawings.specifications.alignment, datasets: { links, curves: [...up, ...profiles.rows(b, "share", { role: "b" })], labels } }, drawings.styles);
  };

  // ---- one solution --------------------------------------------------------------------------------------
  const showSingle = (place) => {
    const single = byId("single");
    single.replaceChildren(panel(place, place === state.b ? "b" : place === state.a ? "a" : ""));
    single.hidden = false;
    single.scrollIntoView({ block: "nearest" });
  };

  const showSolutions = () => {
    for (const each of document.querySelectorAll(".solutions")) each.hidden = Number(each.dataset.cohort) !== state.c;
    byId("single").hidden = true;
  };

  const show = () => {
    showControls();
    showCurves();
    showMatrix();
    showPair();
    showSolutions();
  };

  // ---- what happens ------------------------------------------------------------------------------------------
  const wire = () => {
    byId("condition").addEventListener("change", (event) => update({ c: Number(event.target.value), t: undefined, a: undefined, b: undefined }));
    byId("test").addEventListener("change", (event) => update({ t: Number(event.target.value) }));
    byId("unit-value").addEventListener("click", () => update({ unit: "value" }));
    byId("unit-share").addEventListener("click", () => update({ unit: "share" }));
    byId("column").addEventListener("change", (event) => update({ v: event.target.value }));
    byId("over").addEventListener("change", (event) => update({ over: event.target.value }));
    byId("matrix").addEventListener("keydown", moveInMatrix);
    byId("matrix").addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      const [a, b] = [Number(button.dataset.a), Number(button.dataset.b)];
      update({ a: solution(a).index, b: solution(b).index });
      focusCell(a, b, null);
    });
    byId("curves").addEventListener("pointermove", point);
    byId("curves").addEventListener("pointerleave", () => { highlight(null); markLines(-1, []); });
    for (const link of document.querySelectorAll("a.show")) {
      link.addEventListener("click", (event) => {
        const place = cohort().solutions.findIndex((each) => each.index === Number(link.closest("tr").dataset.index));
        if (place < 0) return;
        event.preventDefault();
        showSingle(place);
      });
    }
    for (const row of document.querySelectorAll("#solutions tr[data-index]")) {
      const place = () => cohort().solutions.findIndex((each) => each.index === Number(row.dataset.index));
      for (const event of ["pointerenter", "focusin"]) row.addEventListener(event, () => highlight(place()));
      for (const event of ["pointerleave", "focusout"]) row.addEventListener(event, () => highlight(null));
    }
    addEventListener("hashchange", () => {
      if (!new URLSearchParams(location.hash.slice(1)).has("c")) return;
      choose(fromFragment());
      show();
    });
  };

  if (!data.cohorts.length) return;
  byId("workbench").hidden = false;
  choose(fromFragment());
  wire();
  show();
})();
