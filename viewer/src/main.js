// The page: reads what the report holds, shows the mechanism and its curves, and listens to buttons and keys.
import "uplot/dist/uPlot.min.css";
import "./page.css";
import { Clock } from "./clock.js";
import { Columns, lossless, Quantities, readBlobs } from "./data.js";
import { byId, node, shown, svg } from "./dom.js";
import { Panel } from "./panel.js";
import { Plots } from "./plots.js";
import { Poses } from "./poses.js";
import { hasWebGL, View } from "./scene.js";
import { mesh } from "./solids.js";

const MOST_OF_ONE = 6; // cards that a click on a body or joint adds
const errors = [];
window.addEventListener("error", (event) => errors.push(event.message));
window.addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));

class Page {
  async open() {
    this.header = JSON.parse(byId("header").textContent);
    this.blob = readBlobs(this.header.blobs);
    this.quantities = new Quantities(this.header, this.blob);
    await this.quantities.loadClocks();
    const stage = this.header.scene;
    const t = stage ? lossless(await this.blob(stage.times), stage.n) : this.quantities.clocks[0].t;
    this.clock = new Clock(t);
    if (stage) await this.readStage(stage);
    this.plots = new Plots(byId("cards"), this.quantities, this.clock, this.header.events);
    if (stage && hasWebGL()) this.makeView(stage);
    else this.explain(stage ? "This browser shows no WebGL, so the mechanism cannot be drawn. Plots, model and run are all there." : "This run stored no drawing, so there is nothing to animate.");
    this.panel = new Panel(this);
    this.makeTransport();
    this.makeTheme();
    this.keys();
    byId("help").addEventListener("click", () => byId("keys").showModal());
    byId("keys-close").addEventListener("click", () => byId("keys").close());
    this.panel.open("plots");
    await Promise.all(this.header.first.map((name) => this.plots.add(name)));
    if (this.header.time === null) this.clock.go(0); else this.clock.goTime(this.header.time);
    if (this.header.autoplay && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.clock.play(true);
    this.tellParent();
  }

  async readStage(stage) {
    this.poses = await Poses.read(stage.poses, stage.n, stage.bodies, this.blob);
    if (!hasWebGL()) return;
    stage.meshes = await Promise.all(stage.geometries.map(async ({ vertices, faces }) => mesh(new Float32Array((await this.blob(vertices)).buffer), new Uint32Array((await this.blob(faces)).buffer))));
    await Promise.all(stage.tracks.map(async (track) => {
      track.columns = new Columns(await this.blob(track.blob), track, track.frames);
      track.mask = track.gaps === null ? null : await this.blob(track.gaps);
      if (track.faces !== undefined) track.triangles = new Uint32Array((await this.blob(track.faces)).buffer);
    }));
  }

  explain(text) {
    byId("view").classList.add("none");
    byId("sentence").textContent = text;
    byId("sentence").hidden = false;
  }

  // ------------------------------------------------------------------------------------------------------------ view

  makeView(stage) {
    const canvas = byId("canvas"), view = (this.view = new View(canvas, stage, this.poses, this.clock, this.quantities));
    const buttons = [...document.querySelectorAll("[data-view]")];
    view.onlook = (kind) => buttons.forEach((button) => button.setAttribute("aria-pressed", button.dataset.view === kind));
    buttons.forEach((button) => button.addEventListener("click", () => view.look(button.dataset.view)));
    view.onlook(view.kind);
    byId("fit").addEventListener("click", () => view.fit());
    const follow = byId("follow");
    follow.append(new Option("follow nothing", -1), ...stage.bodies.map((body, k) => new Option(`follow ${body.name}`, k)));
    follow.value = String(stage.follow);
    follow.hidden = !stage.bodies.length;
    follow.addEventListener("change", () => view.follow(Number(follow.value)));
    view.onfollow = (body) => { follow.value = String(body); };
    for (const box of document.querySelectorAll("[data-layer]")) {
      const { layer } = box.dataset, there = { joints: stage.links.length, forces: stage.forces.length, traces: stage.bodies.length, frames: stage.links.length, ground: 1 }[layer];
      box.closest("label").hidden = !there;
      box.addEventListener("change", async () => { await view.mechanism.show(layer, box.checked); this.tellScale(); });
    }
    // The switches are open where there is room for them.
    const narrow = matchMedia("(max-width: 820px)"), layers = document.querySelector(".layers");
    layers.open = !narrow.matches;
    narrow.addEventListener("change", () => { layers.open = !narrow.matches; view.fit(); });
    view.ondraw = () => this.drawOverlay();
    let from = null;
    canvas.addEventListener("pointerdown", (event) => { from = [event.clientX, event.clientY]; });
    canvas.addEventListener("pointerup", (event) => {
      if (!from || Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 4 || event.button !== 0) return;
      this.select(view.bodyAt(event.offsetX, event.offsetY), false);
    });
    canvas.addEventListener("dblclick", (event) => { const body = view.bodyAt(event.offsetX, event.offsetY); if (body >= 0) view.follow(body); });
  }

  tellScale() {
    const { view } = this, forces = view.mechanism.layers.forces && view.mechanism.forceScale;
    byId("legend").textContent = forces ? `longest arrow ${shown((0.3 * view.stage.size) / view.mechanism.forceScale)} N` : "";
  }

  drawOverlay() {
    const { view } = this, key = `${view.camera.quaternion.toArray()} ${view.scale}`;
    if (key !== this.seenFrom) this.drawScale(key);
    const tag = byId("tag");
    tag.hidden = view.selected < 0;
    if (view.selected >= 0) {
      const [x, y] = view.project(view.selected), [i, s] = this.clock.place;
      const place = this.poses.position(view.selected, i, s).slice(0, view.planar ? 2 : 3);
      tag.textContent = `${view.stage.bodies[view.selected].name}  (${place.map((value) => shown(Number(value.toPrecision(4)))).join(", ")}) m`;
      tag.style.transform = `translate(${Math.min(Math.max(x, 0), view.width - 120).toFixed(0)}px, ${(y - 34).toFixed(0)}px)`;
    }
  }

  // Axes and ruler, when the camera has moved.
  drawScale(key) {
    this.seenFrom = key;
    const { view } = this, [width, text] = view.ruler();
    byId("ruler").style.width = `${width.toFixed(0)}px`;
    byId("ruler-text").textContent = text;
    byId("axes").replaceChildren(...view.axes().sort((a, b) => a.z - b.z).flatMap(({ label, x, y }) => [
      svg("line", { x1: 32, y1: 32, x2: 32 + 20 * x, y2: 32 + 20 * y }),
      ...(Math.hypot(x, y) > 0.15 ? [Object.assign(svg("text", { x: 32 + 28 * x, y: 36 + 28 * y, "text-anchor": "middle" }), { textContent: label })] : []),
    ]));
  }

  select(body, add = true) {
    this.view?.select(body);
    this.panel.select(body);
    if (body >= 0 && add) this.plotsOf(this.header.scene.bodies[body].name);
  }

  showBody(body, on) {
    const { hidden } = this.view.mechanism;
    if (on) hidden.delete(body); else hidden.add(body);
    this.view.mechanism.crowds.refresh();
    this.view.invalidate();
  }

  // Plots of what belongs to a body, joint or force.
  plotsOf(name) {
    const fitting = this.quantities.list.filter((one) => one.name === name || one.name.startsWith(`${name}.`)).slice(0, MOST_OF_ONE);
    if (fitting.length) this.panel.open("plots");
    for (const one of fitting) this.plots.add(one.name);
  }

  plotsOfRun() {
    if (this.ranPlots) return;
    this.ranPlots = true;
    for (const name of ["energy", "constraint error"]) if (this.quantities.byName.has(name)) this.plots.add(name, this.panel.runPlots, true);
  }

  // ------------------------------------------------------------------------------------------------------------ time

  makeTransport() {
    const { clock } = this, play = byId("play"), slider = byId("time"), text = byId("clock"), speed = byId("speed"), repeat = byId("repeat");
    slider.max = clock.span > 0 ? clock.span : 1;
    slider.disabled = play.disabled = !(clock.span > 0);
    const around = clock.rates.indexOf(clock.usual);
    const near = clock.rates.slice(Math.max(around - 6, 0), around + 7);
    speed.append(...near.map((rate) => new Option(`${rate}×`, rate, rate === clock.rate, rate === clock.rate)));
    speed.addEventListener("change", () => clock.setRate(Number(speed.value)));
    play.addEventListener("click", () => clock.play(!clock.playing));
    byId("back").addEventListener("click", () => clock.step(-1));
    byId("on").addEventListener("click", () => clock.step(1));
    slider.addEventListener("input", () => { clock.play(false); clock.go(Number(slider.value)); });
    repeat.addEventListener("click", () => { clock.repeat = !clock.repeat; repeat.setAttribute("aria-pressed", clock.repeat); });
    const marks = byId("marks"), size = clock.span || 1;
    marks.append(...this.header.events.slice(0, 500).map(({ t }) => { const mark = node("i"); mark.style.left = `${(100 * clock.direction * (t - clock.t[0])) / size}%`; return mark; }));
    const digits = Math.max(0, Math.min(9, 3 - Math.floor(Math.log10(size))));
    const loop = byId("loop");
    let last = null;
    const tick = (now) => {
      if (!clock.playing) { last = null; return; }
      if (last !== null) clock.advance(Math.min(now - last, 250) / 1000);
      last = now;
      requestAnimationFrame(tick);
    };
    clock.listeners.push((what) => {
      slider.value = clock.position;
      text.textContent = `${clock.time.toFixed(digits).replace("-", "−")} s`;
      slider.setAttribute("aria-valuetext", text.textContent);
      if (what === "playing") {
        play.setAttribute("aria-label", clock.playing ? "Pause" : "Play");
        play.classList.toggle("playing", clock.playing);
        if (clock.playing) requestAnimationFrame(tick);
      }
      if (what === "rate") {
        if (![...speed.options].some((option) => Number(option.value) === clock.rate)) speed.append(new Option(`${clock.rate}×`, clock.rate));
        speed.value = String(clock.rate);
      }
      const [from, to] = clock.range, part = from > 0 || to < clock.span;
      loop.hidden = !part;
      loop.style.left = `${(100 * from) / size}%`;
      loop.style.width = `${(100 * (to - from)) / size}%`;
    });
  }

  // ----------------------------------------------------------------------------------------------------- theme, keys

  makeTheme() {
    const dark = matchMedia("(prefers-color-scheme: dark)"), repaint = () => { this.plots.recolour(); this.view?.recolour(); };
    byId("theme").addEventListener("click", () => {
      const now = document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light");
      document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
      repaint();
    });
    dark.addEventListener("change", repaint);
  }

  keys() {
    const { clock, view } = this;
    const actions = {
      " ": () => clock.play(!clock.playing), ArrowLeft: (event) => clock.step(event.shiftKey ? -10 : -1), ArrowRight: (event) => clock.step(event.shiftKey ? 10 : 1),
      Home: () => clock.go(0), End: () => clock.go(clock.span), ",": () => clock.faster(-1), ".": () => clock.faster(1),
      "[": () => clock.setRange(clock.position, clock.range[1]), "]": () => clock.setRange(clock.range[0], clock.position), "\\": () => clock.setRange(0, clock.span),
      l: () => byId("repeat").click(), 1: () => view?.look("3-D"), 2: () => view?.look("front"), 3: () => view?.look("side"), 4: () => view?.look("top"), 0: () => view?.fit(),
      f: () => view && view.follow(view.poses.follow >= 0 ? -1 : Math.max(view.selected, 0)), Escape: () => this.select(-1, false), "?": () => byId("keys").showModal(), "/": () => byId("search").focus(),
    };
    window.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
      const { target } = event;
      if (target.matches("input:not([type=range]):not([type=checkbox]), select, textarea")) return;
      if (target.matches("[role=tab]") && event.key.startsWith("Arrow")) return;
      const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!action) return;
      // Space on a button is a click, but on the one that plays it would count twice.
      if (event.key === " " && target.matches("button, summary, input[type=checkbox]") && target.id !== "play") return;
      event.preventDefault();
      action(event);
    }, { capture: true });
    // The click that a browser makes of Space when the key goes up.
    byId("play").addEventListener("keyup", (event) => { if (event.key === " ") event.preventDefault(); });
  }

  // A page inside of another one tells how it is.
  tellParent() {
    if (window.parent !== window) window.parent.postMessage({ dalembert: "ready", height: document.documentElement.scrollHeight }, "*");
  }
}

const page = new Page();
window.dalembert = {
  ready: false, errors,
  go: (t) => page.clock.goTime(t),
  play: (on) => page.clock.play(on),
  value: async (name, t) => {
    const [entry, row] = page.quantities.find(name);
    await page.quantities.load(entry);
    const values = page.quantities.valuesAt(entry, t ?? page.clock.time);
    return row < 0 ? values : [values[row]];
  },
  pose: (body, t) => { page.clock.goTime(t); const [i, s] = page.clock.place; return page.poses.pose(body, i, s); },
  get frame() { return page.clock.frame; },
  get time() { return page.clock.time; },
  get drawn() { return page.view?.drawn ?? 0; },
  page,
};
page.open().then(
  () => { window.dalembert.ready = true; },
  (error) => { errors.push(String(error?.stack ?? error)); document.getElementById("sentence").hidden = false; document.getElementById("sentence").textContent = `The page could not be shown: ${error?.message ?? error}`; },
);
