// Cards with curves: one for each quantity, vectors in one card. The cursor of time is a line that is moved, so that nothing
// is drawn anew when time goes on.
import uPlot from "uplot";
import { css, node, shown } from "./dom.js";

const HEIGHT = 150;

export class Plots {
  constructor(holder, quantities, clock, events) {
    Object.assign(this, { holder, quantities, clock, events, cards: [], limits: null });
    clock.listeners.push(() => this.moveCursors());
    new ResizeObserver(() => this.resized()).observe(holder);
    holder.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  has(name) { return this.cards.some((card) => card.entry.name === name); }

  async add(name, holder = this.holder, fixed = false) {
    const entry = this.quantities.byName.get(name);
    if (!entry) return;
    const old = this.cards.find((card) => card.entry === entry && card.element.parentElement === holder);
    if (old) { old.element.scrollIntoView({ block: "nearest" }); return; }
    const card = { entry, element: node("section", { class: "card", "aria-label": name }) };
    holder.append(card.element);
    this.cards.push(card);
    await this.quantities.load(entry);
    this.dress(card, fixed);
    this.draw(card);
    this.onchange?.();
  }

  remove(card) {
    card.plot?.destroy();
    card.element.remove();
    this.cards = this.cards.filter((one) => one !== card);
    this.onchange?.();
  }

  dress(card, fixed) {
    const { entry, element } = card;
    card.values = entry.labels.map((label, k) => node("output", { class: "value", "aria-label": label || entry.name }));
    const legend = entry.labels.map((label, k) => node("span", { class: "series" }, node("span", { class: `dash c${k % 8}`, "aria-hidden": "true" }), label ? node("span", {}, label) : null, card.values[k]));
    const close = fixed ? null : node("button", { class: "close", type: "button", "aria-label": `Remove the plot of ${entry.name}`, title: "Remove", onclick: () => this.remove(card) }, "×");
    const exact = entry.curves.every((curve) => curve.quantum === undefined);
    element.append(node("div", { class: "head" }, node("h2", {}, entry.name), node("span", { class: "unit" }, entry.unit && entry.unit !== "1" ? `in ${entry.unit}` : ""), ...legend, close));
    card.canvas = node("div", { class: "plot", role: "img", "aria-label": `${entry.name} over time` });
    element.append(card.canvas);
    if (!exact) element.append(node("p", { class: "note" }, "rounded to 1e−9 of its range"));
    if (entry.noise) element.append(node("p", { class: "note" }, "zero but for rounding"));
  }

  draw(card) {
    const { entry } = card, clock = this.quantities.clocks[entry.clock], back = clock.direction < 0;
    const ordered = (row) => (back ? Array.from(row).reverse() : Array.from(row));
    const values = entry.rows.map((row) => ordered(row).map((x) => (Number.isFinite(x) ? x : null)));
    const ink = css("--soft"), grid = { stroke: css("--line"), width: 1 }, font = "11px system-ui, sans-serif";
    const axis = { stroke: ink, grid, ticks: { ...grid, size: 4 }, font };
    card.plot?.destroy();
    const x = ordered(clock.t);
    this.span ??= [x[0], x[x.length - 1]];
    const options = {
      width: card.canvas.clientWidth || 300, height: HEIGHT, legend: { show: false }, cursor: { show: false },
      scales: { x: { time: false, range: () => this.range(x) }, y: { range: (u, low, high) => this.heights(entry, low, high) } },
      axes: [{ ...axis, size: 24, space: 60 }, { ...axis, size: (u, values) => Math.max(58, ...(values ?? []).map((text) => 16 + 7 * text.length)), space: 32, values: (u, ticks) => labels(ticks) }],
      series: [{}, ...entry.labels.map((label, k) => ({ stroke: css(`--c${k % 8}`), width: 1.6, pxAlign: 0, points: { show: x.length < 3 }, spanGaps: false }))],
      hooks: { draw: [(u) => this.drawEvents(u)], ready: [() => this.moveCursor(card)] },
    };
    card.plot = new uPlot(options, [x, ...values], card.canvas);
    card.cursor = node("div", { class: "cursor" });
    card.plot.over.append(card.cursor);
    this.listen(card.plot);
    queueMicrotask(() => this.moveCursor(card));
  }

  range(x) {
    if (this.limits) return this.limits;
    const [low, high] = [x[0], x[x.length - 1]];
    return high > low ? [low, high] : [low - 0.5, low + 0.5];
  }

  // Rounding noise of a constant is not worth a plot of its own.
  heights(entry, low, high) {
    if (low === null || low === undefined || entry.noise) return [-1, 1];
    const largest = Math.max(Math.abs(low), Math.abs(high));
    if (high - low < Math.max(1e-9 * largest, 1e-290)) {
      const around = largest ? 0.1 * largest : 1;
      return [low - around, high + around];
    }
    const margin = 0.06 * (high - low);
    return [low - margin, high + margin];
  }

  drawEvents(u) {
    const { ctx } = u;
    ctx.save();
    ctx.strokeStyle = css("--warn");
    ctx.setLineDash([3, 4]);
    ctx.beginPath();
    for (const { t } of this.events.slice(0, 500)) {
      const x = u.valToPos(t, "x", true);
      if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) continue;
      ctx.moveTo(x, u.bbox.top);
      ctx.lineTo(x, u.bbox.top + u.bbox.height);
    }
    ctx.stroke();
    ctx.restore();
  }

  // ------------------------------------------------------------------------------------------------- cursor and zoom

  moveCursors() { for (const card of this.cards) this.moveCursor(card); }

  moveCursor(card) {
    if (!card.plot || !card.values) return;
    const t = this.clock.time, values = this.quantities.valuesAt(card.entry, t);
    card.values.forEach((output, k) => { output.textContent = shown(values[k]); });
    if (!card.cursor) return;
    const x = card.plot.valToPos(t, "x");
    // Its own record of the width: asking the document for it would lay out everything anew each time.
    const inside = x >= -0.5 && x <= card.plot.bbox.width / uPlot.pxRatio + 0.5;
    card.cursor.style.visibility = inside ? "visible" : "hidden";
    if (inside) card.cursor.style.transform = `translateX(${x.toFixed(1)}px)`;
  }

  // Dragging scrubs; two clicks reset the zoom.
  listen(u) {
    const go = (event) => {
      const { left } = u.over.getBoundingClientRect();
      this.clock.play(false);
      this.clock.goTime(u.posToVal(event.clientX - left, "x"));
    };
    u.over.addEventListener("pointerdown", (event) => { u.over.setPointerCapture(event.pointerId); go(event); });
    u.over.addEventListener("pointermove", (event) => { if (event.buttons & 1) go(event); });
    u.over.addEventListener("dblclick", () => this.zoom(null));
  }

  wheel(event) {
    const card = this.cards.find((one) => one.plot?.over.contains(event.target));
    if (!card || (!event.ctrlKey && !event.altKey && !event.shiftKey && Math.abs(event.deltaY) < Math.abs(event.deltaX))) return;
    event.preventDefault();
    const { left } = card.plot.over.getBoundingClientRect(), { min, max } = card.plot.scales.x;
    const at = card.plot.posToVal(event.clientX - left, "x"), factor = Math.exp(0.0015 * event.deltaY);
    const [first, last] = this.span, low = Math.max(first, at - (at - min) * factor), high = Math.min(last, at + (max - at) * factor);
    this.zoom(low <= first && high >= last ? null : [low, high]);
  }

  zoom(limits) {
    if (limits && !(limits[1] - limits[0] > 1e-9 * (this.span[1] - this.span[0]))) return;
    this.limits = limits;
    for (const { plot, entry } of this.cards) {
      if (!plot) continue;
      const t = this.quantities.clocks[entry.clock].t, [a, b] = [t[0], t[t.length - 1]];
      const [min, max] = limits ?? this.range([Math.min(a, b), Math.max(a, b)]);
      plot.setScale("x", { min, max });
    }
    queueMicrotask(() => this.moveCursors());
  }

  resized() {
    for (const card of this.cards) {
      const width = card.canvas?.clientWidth;
      if (width && card.plot && card.plot.width !== width) {
        card.plot.setSize({ width, height: HEIGHT });
        queueMicrotask(() => this.moveCursor(card));
      }
    }
  }

  recolour() { for (const card of this.cards) if (card.plot) this.draw(card); }
}

// Ticks with as many digits as tell them apart.
function labels(ticks) {
  const largest = Math.max(...ticks.map((x) => Math.abs(x ?? 0)));
  if (largest !== 0 && (largest >= 1e5 || largest < 1e-3)) return ticks.map((x) => (x === 0 ? "0" : x.toExponential(Math.abs(x / largest) < 0.1 ? 0 : 1).replace(/-/g, "−")));
  return ticks.map((x) => String(Number((x ?? 0).toPrecision(8))).replace(/-/g, "−"));
}
