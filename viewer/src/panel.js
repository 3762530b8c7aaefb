// The panel beside the view: plots with a search field, the model as a tree, the run.
import { byId, node, shown } from "./dom.js";

const TABS = ["plots", "model", "run"];

export class Panel {
  constructor(page) {
    this.page = page;
    this.tabs = TABS.map((name) => byId(`tab-${name}`));
    this.tabs.forEach((tab, k) => {
      tab.addEventListener("click", () => this.open(TABS[k]));
      tab.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        event.stopPropagation();
        this.open(TABS[(k + step + TABS.length) % TABS.length], true);
      });
    });
    this.fillSearch();
    this.fillModel();
    this.fillRun();
  }

  open(name, focus = false) {
    TABS.forEach((one, k) => {
      const on = one === name;
      this.tabs[k].setAttribute("aria-selected", on);
      this.tabs[k].tabIndex = on ? 0 : -1;
      byId(`panel-${one}`).hidden = !on;
      if (on && focus) this.tabs[k].focus();
    });
    if (name === "run") this.page.plotsOfRun();
    this.page.plots.resized();
  }

  // ---------------------------------------------------------------------------------------------------------- search

  fillSearch() {
    const { quantities } = this.page, field = byId("search"), list = byId("found"), n = quantities.list.length;
    field.placeholder = `Add a plot … (${n} ${n === 1 ? "quantity" : "quantities"})`;
    let chosen = 0, names = [];
    const choose = (name) => { this.page.plots.add(name); field.value = ""; show(); };
    const show = () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean), open = document.activeElement === field;
      const fitting = quantities.list.filter(({ name, group, unit }) => { const text = `${name} ${group} ${unit}`.toLowerCase(); return words.every((word) => text.includes(word)); });
      names = fitting.slice(0, 60).map((one) => one.name);
      chosen = Math.min(chosen, Math.max(names.length - 1, 0));
      list.replaceChildren(...names.map((name, k) => {
        const { group, unit } = quantities.byName.get(name);
        return node("li", { id: `found-${k}`, role: "option", "aria-selected": String(k === chosen), onpointerdown: (event) => { event.preventDefault(); choose(name); } },
          node("span", { class: "name" }, name), node("span", { class: "soft" }, [group, unit && unit !== "1" ? unit : ""].filter(Boolean).join(" · ")));
      }));
      if (fitting.length > names.length) list.append(node("li", { class: "soft", role: "option", "aria-disabled": "true", "aria-selected": "false" }, `${fitting.length - names.length} more: write more of the name`));
      if (!fitting.length) list.append(node("li", { class: "soft", role: "option", "aria-disabled": "true", "aria-selected": "false" }, "nothing is called so"));
      list.hidden = !open;
      field.setAttribute("aria-expanded", String(open));
      if (open && names.length) field.setAttribute("aria-activedescendant", `found-${chosen}`);
      else field.removeAttribute("aria-activedescendant");
    };
    field.addEventListener("input", () => { chosen = 0; show(); });
    field.addEventListener("focus", show);
    field.addEventListener("blur", show);
    field.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        chosen = Math.min(Math.max(chosen + (event.key === "ArrowDown" ? 1 : -1), 0), Math.max(names.length - 1, 0));
        show();
        byId(`found-${chosen}`)?.scrollIntoView({ block: "nearest" });
      } else if (event.key === "Enter" && names.length) choose(names[chosen]);
      else if (event.key === "Escape") field.blur();
    });
  }

  // ----------------------------------------------------------------------------------------------------------- model

  fillModel() {
    const { header, view } = this.page, stage = header.scene, panel = byId("panel-model");
    if (!stage || !(stage.bodies.length || stage.tracks.length)) {
      panel.append(node("p", { class: "note" }, "The run stored no bodies and joints."));
      return;
    }
    const group = (title, items) => items.length ? node("details", { open: items.length <= 40 }, node("summary", {}, `${title} (${items.length})`), node("ul", { class: "tree" }, ...items)) : null;
    this.rows = stage.bodies.map((body, k) => {
      const eye = node("button", { class: "eye", type: "button", "aria-pressed": "true", "aria-label": `Show ${body.name}`, title: "Show or hide", onclick: () => { const on = eye.getAttribute("aria-pressed") !== "true"; eye.setAttribute("aria-pressed", on); this.page.showBody(k, on); } }, "◉");
      const name = node("button", { class: "item", type: "button", onclick: () => this.page.select(k), ondblclick: () => view?.follow(k) },
        node("span", { class: `swatch c${k % 8}`, "aria-hidden": "true" }), node("span", { class: "name" }, body.name), node("span", { class: "soft" }, body.mass === null ? "" : `${Number(body.mass.toPrecision(4))} kg`));
      return node("li", {}, name, view ? eye : null);
    });
    const linkRow = (link) => {
      const names = link.places.map((place) => (place.body < 0 ? "ground" : stage.bodies[place.body].name));
      return node("li", {}, node("button", { class: "item", type: "button", onclick: () => this.page.plotsOf(link.name) },
        node("span", { class: "name" }, link.name), node("span", { class: "soft" }, `${link.kind}: ${names.join(" – ")}`)));
    };
    const joints = new Set(["revolute", "prismatic", "cylindrical", "screw", "spherical", "universal", "planar", "fixed", "free"]);
    const items = [
      group("Bodies", this.rows),
      group("Joints", stage.links.filter((link) => joints.has(link.family)).map(linkRow)),
      group("Forces and constraints", stage.links.filter((link) => !joints.has(link.family)).map(linkRow)),
      group("Tracks of points", stage.tracks.map((track) => node("li", {}, node("span", { class: "item" }, node("span", { class: "name" }, track.name), node("span", { class: "soft" }, `${track.kind}, ${track.points} points`))))),
    ];
    panel.append(...items.filter(Boolean), node("p", { class: "note" }, "A click marks a body and adds its plots; two clicks follow it."));
  }

  select(body) {
    this.rows?.forEach((row, k) => row.classList.toggle("selected", k === body));
  }

  // ------------------------------------------------------------------------------------------------------------- run

  fillRun() {
    const { header, clock } = this.page, panel = byId("panel-run");
    const table = (rows) => node("table", {}, node("tbody", {}, ...rows.map(([key, value]) => node("tr", {}, node("th", { scope: "row" }, key), node("td", {}, value)))));
    const part = (title, rows) => (rows.length ? [node("h2", {}, title), table(rows)] : []);
    panel.append(node("p", { class: `outcome ${header.success ? "good" : "bad"}` }, header.outcome));
    if (header.message) panel.append(node("p", {}, header.message));
    panel.append(...part("Run", header.run), ...part("Work", header.work));
    if (header.events.length) {
      const most = 200;
      panel.append(node("h2", {}, `Events (${header.events.length})`), node("ul", { class: "tree" }, ...header.events.slice(0, most).map(({ name, t }) =>
        node("li", {}, node("button", { class: "item", type: "button", onclick: () => { clock.play(false); clock.goTime(t); } }, node("span", { class: "name" }, name), node("span", { class: "soft" }, `${shown(t)} s`))))));
      if (header.events.length > most) panel.append(node("p", { class: "note" }, `${header.events.length - most} more are not listed.`));
    }
    panel.append(this.runPlots = node("div", {}), ...part("Parameters", header.parameters));
    for (const note of header.notes) panel.append(node("p", { class: "note" }, note));
  }
}
