// What Streamlit's charts lack, for all of them at once: the toolbar as one stop of the Tab key, a typographic minus
// where plotly and Streamlit's tables write numbers themselves, the run under the pointer lit in every chart and table,
// charts that know a narrow window, and a zoom that outlives another theme.
(() => {
  if (window.rankscopePlots) return;
  window.rankscopePlots = true;

  // The toolbar: one stop; the arrow keys go along it (WAI-ARIA's toolbar).
  const buttonsOf = (bar) => [...bar.querySelectorAll(".modebar-btn")];
  const tidyBars = () => {
    for (const bar of document.querySelectorAll(".modebar")) {
      const buttons = buttonsOf(bar);
      if (buttons.filter((button) => button.tabIndex === 0).length === 1) continue;
      bar.setAttribute("role", "toolbar");
      buttons.forEach((button, place) => { button.tabIndex = place ? -1 : 0; });
    }
  };
  document.addEventListener("keydown", (event) => {
    const bar = event.target.closest?.(".modebar");
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!bar || !way) return;
    const buttons = buttonsOf(bar);
    const place = (buttons.indexOf(event.target) + way + buttons.length) % buttons.length;
    buttons.forEach((button, other) => { button.tabIndex = other === place ? 0 : -1; });
    buttons[place].focus();
    event.preventDefault();
  });

  // Numbers that plotly writes when one hovers.
  const HYPHEN = /(^|[\s(:,–])-(?=[\d.])/g;
  const tidyNumbers = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode;
      const said = text.data.replace(HYPHEN, "$1−");
      if (said !== text.data) text.data = said;
    }
  };
  new MutationObserver((changes) => {
    let bars = false;
    for (const change of changes) {
      const layer = change.target.closest?.(".hoverlayer");
      if (layer) tidyNumbers(layer);
      else bars ||= [...change.addedNodes].some((node) => node.querySelector?.(".modebar-btn") || node.matches?.(".modebar-group"));
    }
    if (bars) { tidyBars(); followZooms(); light(lit, true); }
  }).observe(document.body, { childList: true, subtree: true });

  // And those of Streamlit's tables, which are painted.
  const paint = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...where) {
    const isNumber = /^[+-]?[\d.,]+(e[+-]?\d+)?%?$/.test(text);
    return paint.call(this, isNumber ? text.replaceAll("-", "−") : text, ...where);
  };

  // The run under the pointer. Charts say whose a trace is by `meta.slot`, tables by `data-slot`.
  let lit = null;
  const slotOf = (trace) => trace?.meta?.slot ?? null;
  const light = (slot, again) => {
    if (slot === lit && !again) return;
    lit = slot;
    for (const plot of document.querySelectorAll(".js-plotly-plot")) {
      for (const group of plot.querySelectorAll(".scatterlayer .trace")) {
        const own = slotOf(group.__data__?.[0]?.trace);
        if (own !== null) group.style.filter = lit === null || own === lit ? "" : "opacity(0.18)";
      }
      for (const label of plot.querySelectorAll(".annotation")) {
        const own = plot._fullLayout?.annotations?.[label.dataset.index]?.name;
        if (own?.startsWith("slot-")) label.style.filter = lit === null || own === `slot-${lit}` ? "" : "opacity(0.35)";
      }
    }
    for (const row of document.querySelectorAll("[data-slot]")) {
      row.classList.toggle("lit", lit !== null && Number(row.dataset.slot) === lit);
    }
  };
  const nearest = (plot, event) => {
    const label = event.target.closest(".annotation");
    const named = label && plot._fullLayout?.annotations?.[label.dataset.index]?.name;
    if (named?.startsWith("slot-")) return Number(named.slice(5));
    let best = 12, found = null; // pixels
    for (const path of plot.querySelectorAll(".scatterlayer .trace path.js-line")) {
      const slot = slotOf(path.closest(".trace").__data__?.[0]?.trace);
      const matrix = path.getScreenCTM();
      if (slot === null || !matrix) continue;
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
      const distance = away(path, at);
      if (distance < best) { best = distance; found = slot; }
    }
    return found;
  };
  const away = (path, at) => {
    // The corners of a line stand in its path: no walk along it.
    path.corners ??= {};
    const d = path.getAttribute("d");
    if (path.corners.d !== d) path.corners = { d, points: corners(d ?? "") };
    let best = Infinity;
    const points = path.corners.points;
    for (let i = 1; i < points.length; i += 1) {
      const [[x0, y0], [x1, y1]] = [points[i - 1], points[i]];
      if (Math.min(x0, x1) - 12 > at.x || Math.max(x0, x1) + 12 < at.x) continue;
      const long = (x1 - x0) ** 2 + (y1 - y0) ** 2 || 1;
      const share = Math.max(0, Math.min(1, ((at.x - x0) * (x1 - x0) + (at.y - y0) * (y1 - y0)) / long));
      best = Math.min(best, Math.hypot(at.x - x0 - share * (x1 - x0), at.y - y0 - share * (y1 - y0)));
    }
    return best;
  };
  const corners = (d) => {
    const points = [];
    let x = 0, y = 0;
    for (const [, letter, numbers] of d.matchAll(/([MLHV])([^MLHVZ]*)/g)) {
      const values = numbers.split(/[\s,]+/).filter(Boolean).map(Number);
      if (letter === "H") x = values[0];
      else if (letter === "V") y = values[0];
      else [x, y] = values;
      points.push([x, y]);
    }
    return points;
  };
  let waiting = null;
  document.addEventListener("pointermove", (event) => {
    if (waiting) { waiting = event; return; }
    waiting = event;
    requestAnimationFrame(() => {
      const now = waiting;
      waiting = null;
      const row = now.target.closest?.("[data-slot]") ?? now.target.closest?.("tr")?.querySelector("[data-slot]");
      const plot = now.target.closest?.(".js-plotly-plot");
      light(row ? Number(row.dataset.slot) : plot ? nearest(plot, now) : null);
    });
  }, { passive: true });

  // Where the window is narrow names at the ends of lines would take a third of a chart: they stand in a legend below it,
  // and what else a figure says of such a window (`when_narrow` in charts/base.py) holds. As each figure is read, so that
  // none is drawn twice, and for those that are there when the window turns.
  const narrow = matchMedia("(max-width: 640px)");
  const isRight = ({ meta } = {}) => !meta?.narrow || Boolean(meta.wide) === narrow.matches;
  const arranged = ({ data, layout, ...more }) => {
    if (isRight(layout)) return { data, layout, ...more };
    const { meta, margin, annotations, showlegend, legend } = layout;
    const rest = data.filter((trace) => !trace.meta?.names);
    if (!narrow.matches) return { data: rest, layout: { ...layout, ...meta.wide, meta: { ...meta, wide: undefined } }, ...more };
    const { layout: own = {}, labels = [], names = [] } = meta.narrow;
    const before = Object.fromEntries(Object.keys(own).map((name) => [name, layout[name]]));
    const wide = { margin, annotations, showlegend, legend, ...before };
    const turned = { ...layout, ...own, meta: { ...meta, wide } };
    if (!names.length) return { data, layout: turned, ...more };
    turned.margin = { ...margin, r: 12 };
    turned.annotations = annotations.map((label, place) => (labels.includes(place) ? { ...label, visible: false } : label));
    turned.legend = { ...legend, yref: "container", y: 0, yanchor: "bottom", itemclick: false, itemdoubleclick: false };
    turned.showlegend = true;
    const quiet = showlegend ? rest : rest.map((trace) => ({ ...trace, showlegend: false }));
    return { data: [...quiet, ...names], layout: turned, ...more };
  };
  // A chart with other data is another one for Streamlit. It draws it before it knows how wide it is, and again when it
  // does; and gives it its theme before and after, by writing it out and reading it again, which the second time changes
  // nothing. So a chart begins as wide as the one in whose place it comes, and what is as it was stays the same figure,
  // by which React sees that there is nothing to draw: one drawing, not two or three. Later it is another theme.
  const { parse, stringify } = JSON;
  const themed = new WeakSet(); // the `meta` of figures in their first theme
  let written = null;
  JSON.stringify = (value, ...more) => {
    const text = stringify(value, ...more);
    written = value?.data && value.layout?.meta ? { figure: value, text } : null;
    return text;
  };
  JSON.parse = (text, ...more) => {
    const before = written;
    written = null;
    if (before && themed.delete(before.figure.layout.meta) && text === before.text) return before.figure;
    const read = parse(text, ...more);
    if (!read?.data || !read.layout?.meta) return read;
    const shown = read.layout.meta.narrow ? arranged(read) : read, { meta } = shown.layout;
    if (before) {
      if (meta.sent) themed.add(meta);
      delete meta.sent;
      return shown;
    }
    const width = meta.place && document.querySelector(`.${meta.place} .js-plotly-plot`)?.layout?.width;
    if (width) shown.layout.width = width;
    meta.sent = true; // Streamlit copies the figure
    return shown;
  };
  const turn = (plot, tries = 60) => {
    if (!plot.isConnected || !tries || isRight(plot._fullLayout)) return;
    const { data, layout } = arranged({ data: plot.data, layout: plot.layout });
    Object.assign(plot, { data, layout });
    plot.emit("plotly_relayout", {}); // Streamlit hands it the figure that it finds then
    requestAnimationFrame(() => turn(plot, tries - 1));
  };
  narrow.addEventListener("change", () => document.querySelectorAll(".js-plotly-plot").forEach((plot) => turn(plot)));

  // Names at the ends of lines stand on the axis: zoomed away from an end its name would go, so it waits at the edge.
  const LINE = 15; // pixels from one name to the next, as in `label_ends`
  const keepNames = (plot) => {
    const { annotations, meta } = plot.layout, { labels = [] } = meta?.narrow ?? {}, axis = plot._fullLayout.yaxis;
    const named = labels.filter((place) => annotations?.[place]);
    if (!named.length) return;
    const ends = meta.ends ?? named.map((place) => annotations[place].y); // as they were drawn, the lowest first
    const [low, high] = axis.range, gap = ((high - low) * LINE) / axis._length;
    const stand = (end) => Math.min(Math.max(end, low), high);
    const places = ends.map(stand);
    if (isZoomed(axis)) {
      for (let i = 1; i < places.length; i += 1) places[i] = Math.max(places[i], places[i - 1] + gap);
      for (let i = places.length - 1, top = high; i >= 0; i -= 1) { places[i] = Math.min(places[i], top); top = places[i] - gap; }
    } else places.splice(0, ends.length, ...ends);
    if (named.every((place, i) => Math.abs(annotations[place].y - places[i]) <= gap / LINE)) return;
    const moved = annotations.map((label, place) => (named.includes(place) ? { ...label, y: places[named.indexOf(place)] } : label));
    plot.layout = { ...plot.layout, annotations: moved, meta: { ...meta, ends } };
    plot.emit("plotly_relayout", {}); // Streamlit hands it the figure that it finds then
  };

  // What somebody has made of a chart's axes and legend. Another theme draws each chart anew: the same picture, by its
  // key, its axes and its points, gets them back, once and as long as the link is the same. Any other does not.
  const zooms = new WeakMap(); // by chart, while it is on the page
  let outliving = new Map(); // by key, since the last change of the theme
  const axesOf = (plot) => Object.keys(plot._fullLayout ?? {}).filter((name) => /^[xy]axis\d*$/.test(name));
  const keyOf = (plot) => [...(plot.closest("[class*='st-key-']")?.classList ?? [])].find((name) => name.startsWith("st-key-"));
  const pictureOf = (plot) => JSON.stringify([
    axesOf(plot).map((name) => plot._fullLayout[name]).map((axis) => [axis.type, axis._rangeInitial0, axis._rangeInitial1]),
    plot._fullData.filter((trace) => !trace.meta?.names).map((trace) => [trace.type, trace.name, Array.from(trace.x ?? []), Array.from(trace.y ?? [])]),
  ]);
  const isZoomed = ({ autorange, range, _rangeInitial0: low, _rangeInitial1: high }) =>
    low === undefined ? !autorange : range[0] !== low || range[1] !== high;
  const noteZoom = (plot) => {
    const zoomed = axesOf(plot).filter((name) => isZoomed(plot._fullLayout[name]));
    const ranges = zoomed.map((name) => [name, [...plot._fullLayout[name].range]]);
    const shown = plot.data.map((trace) => trace.visible);
    if (ranges.length || shown.includes("legendonly")) zooms.set(plot, { picture: pictureOf(plot), ranges, shown });
    else zooms.delete(plot);
  };
  const bringBack = (plot, kept, tries = 60) => {
    // As if plotly had said that somebody did it: Streamlit, once it listens, hands it the figure that it finds then.
    const { ranges, shown } = kept;
    const isBack = ranges.every(([name, [low]]) => plot._fullLayout?.[name]?.range[0] === low)
      && shown.every((one, place) => one !== "legendonly" || plot._fullData[place]?.visible === one);
    if (isBack || !plot.isConnected || !tries) return;
    const zoomed = Object.fromEntries(ranges.map(([name, range]) => [name, { ...plot.layout[name], range, autorange: false }]));
    plot.layout = { ...plot.layout, ...zoomed };
    plot.data = plot.data.map((trace, place) => (shown[place] === undefined ? trace : { ...trace, visible: shown[place] }));
    plot.emit("plotly_relayout", {});
    zooms.set(plot, kept); // the figure itself follows in a moment
    requestAnimationFrame(() => bringBack(plot, kept, tries - 1));
  };
  const followZooms = () => {
    for (const plot of document.querySelectorAll(".js-plotly-plot")) {
      if (plot.rankscopeFollowed || !plot._fullData) continue;
      plot.rankscopeFollowed = true;
      turn(plot);
      const key = keyOf(plot), kept = outliving.get(key);
      outliving.delete(key);
      if (kept && kept.link === location.href && kept.picture === pictureOf(plot)) bringBack(plot, kept);
      for (const deed of ["plotly_relayout", "plotly_restyle"]) plot.on(deed, () => noteZoom(plot));
      plot.on("plotly_relayout", () => keepNames(plot));
    }
  };

  // Another theme: Streamlit repaints its own parts, the charts have to come anew. "r" is its key for that.
  const ground = () => getComputedStyle(document.querySelector(".stApp")).backgroundColor;
  let painted = ground();
  const repaint = () => {
    if (ground() === painted) return;
    painted = ground();
    outliving = new Map();
    for (const plot of document.querySelectorAll(".js-plotly-plot")) {
      if (zooms.has(plot)) outliving.set(keyOf(plot), { ...zooms.get(plot), link: location.href });
    }
    const key = { key: "r", code: "KeyR", keyCode: 82, bubbles: true };
    for (const way of ["keydown", "keyup"]) document.body.dispatchEvent(new KeyboardEvent(way, key)); // held, it counts once
  };
  new MutationObserver(repaint).observe(document.querySelector(".stApp"), { attributeFilter: ["class"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => setTimeout(repaint, 300));

  tidyBars();
  followZooms();
})();
