// Profiles as curves, and how two of them are aligned. No page is needed for any of this.
"use strict";

const profiles = (() => {
  // What a page stores of a profile (see problem_data.py) as a curve: where its steps begin, how high they are, and
  // which lines raised them; what each line did in all.
  const curve = (stored) => {
    const starts = [], values = [], lines = [];
    let start = 0, value = 0;
    for (let i = 0; i < stored.d.length; i += 2) {
      starts.push(start += stored.d[i]);
      values.push(value += stored.d[i + 1] * stored.g);
    }
    for (const letter of stored.s ?? "") lines.push([stored.l[letter.codePointAt(0) - 65]].flat());
    const raised = stored.m && [];
    for (let i = 0; raised && i < stored.m.length; i += 3) {
      raised.push({ line: stored.m[i], value: stored.m[i + 1] * stored.g, times: stored.m[i + 2] });
    }
    return { starts, values, lines, raised, length: stored.n, peak: stored.p, interval: stored.i ?? 1, off: stored.e };
  };

  // Factors from steps and values to what is drawn.
  const scales = (curve, unit) => unit === "share"
    ? { x: 1 / curve.length, y: curve.peak ? 1 / curve.peak : 1 }
    : { x: curve.interval, y: 1 };

  const rows = (curve, unit, more) => {
    const { x, y } = scales(curve, unit);
    const found = curve.starts.map((start, k) => ({ ...more, x: start * x, y: curve.values[k] * y }));
    found.push({ ...more, x: curve.length * x, y: curve.values.at(-1) * y });
    return found;
  };

  // The steps where a line raised the curve, each as a piece of its own.
  const pieces = (curve, unit, line) => {
    const { x, y } = scales(curve, unit);
    const found = [];
    curve.lines.forEach((lines, k) => {
      if (!lines.includes(line)) return;
      const before = k ? curve.values[k - 1] : 0;
      const end = curve.starts[k + 1] ?? curve.length;
      found.push({ piece: k, x: curve.starts[k] * x, y: before * y });
      found.push({ piece: k, x: curve.starts[k] * x, y: curve.values[k] * y }, { piece: k, x: end * x, y: curve.values[k] * y });
    });
    return found;
  };

  // Which step of the curve holds at a step of the profile.
  const at = (curve, step) => {
    let low = 0, high = curve.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (curve.starts[middle] <= step) low = middle; else high = middle - 1;
    }
    return low;
  };

  // Unit-peak samples at even distances, the first and the last step among them; all where there are no more.
  const samples = (curve, most) => {
    const count = Math.min(most, curve.length);
    return Array.from({ length: count }, (_, i) => {
      const step = count > 1 ? Math.floor((i * (curve.length - 1)) / (count - 1)) : 0;
      return { x: step / curve.length, y: curve.peak ? curve.values[at(curve, step)] / curve.peak : 0 };
    });
  };

  // Dynamic time warping with the cost |x - y|: the cheapest cost, and a path of pairs that has it.
  const warp = (a, b) => {
    const m = b.length, table = new Float64Array(a.length * m);
    const get = (i, j) => (i < 0 || j < 0 ? (i === j ? 0 : Infinity) : table[i * m + j]);
    for (let i = 0; i < a.length; i++) {
      for (let j = 0; j < m; j++) {
        table[i * m + j] = Math.abs(a[i] - b[j]) + (i || j ? Math.min(get(i - 1, j - 1), get(i - 1, j), get(i, j - 1)) : 0);
      }
    }
    const path = [];
    for (let i = a.length - 1, j = m - 1; i >= 0 && j >= 0;) {
      path.push([i, j]);
      const diagonal = get(i - 1, j - 1), up = get(i - 1, j), left = get(i, j - 1);
      if (!i && !j) break;
      if (diagonal <= up && diagonal <= left) { i--; j--; } else if (up <= left) i--; else j--;
    }
    return { cost: table.at(-1), path: path.reverse() };
  };

  // Where the names of two curves stand best: at their ends, or where these are close, at the step where the curves
  // are furthest apart. width and height: of the drawing, in its units.
  const labels = (a, b, unit, width, height) => {
    const scale = [a, b].map((curve) => scales(curve, unit));
    const ends = [a, b].map((curve, k) => ({ x: curve.length * scale[k].x, y: curve.values.at(-1) * scale[k].y, place: "above" }));
    if (Math.hypot((ends[0].x - ends[1].x) / width, (ends[0].y - ends[1].y) / height) > 0.12) return ends.map((end) => ({ ...end, x: Math.max(end.x, 0.04 * width) }));
    const value = (k, x) => {
      const curve = [a, b][k];
      return curve.values[at(curve, Math.min(curve.length - 1, x / scale[k].x))] * scale[k].y;
    };
    const end = Math.min(ends[0].x, ends[1].x);
    const places = Array.from({ length: 59 }, (_, i) => (end * (i + 1)) / 60);
    const gap = (x) => Math.abs(value(0, x) - value(1, x));
    const x = places.reduce((best, each) => gap(each) > gap(best) ? each : best);
    const ys = [value(0, x), value(1, x)];
    return ys.map((y, k) => ({ x, y, place: (ys[0] >= ys[1]) === (k === 0) ? "above" : "below" }));
  };

  return { curve, rows, pieces, at, samples, warp, labels, scales };
})();
