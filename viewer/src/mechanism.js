// The mechanism: bodies, joints, supports, springs, arrows, frames, traces, and tracks of points.
import * as T from "three";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { Crowds } from "./crowd.js";
import { css } from "./dom.js";
import * as solids from "./solids.js";
import { Tracks } from "./tracks.js";

const DIRECTED = new Set(["revolute", "cylindrical", "screw", "planar"]);
const BETWEEN = { spring: "spring", damper: "damper", actuator: "damper", rod: "rod", bushing: "bushing" };
const MOST_TRACED = 12;

export class Mechanism {
  constructor(view) {
    Object.assign(this, { view, stage: view.stage, poses: view.poses });
    this.group = new T.Group();
    this.layers = { joints: true, forces: false, traces: false, frames: false, ground: true, springs: true };
    this.hidden = new Set();
    const plain = { roughness: 0.55, metalness: 0.05 };
    this.materials = {
      solid: new T.MeshStandardMaterial({ name: "solid", ...plain }),
      clear: new T.MeshStandardMaterial({ name: "clear", ...plain, transparent: true, opacity: 0.28, depthWrite: false, side: T.DoubleSide }),
      metal: new T.MeshStandardMaterial({ name: "metal", roughness: 0.4, metalness: 0.35 }),
      scenery: new T.MeshStandardMaterial({ name: "scenery", ...plain }),
    };
    this.crowds = new Crowds(this.group, view.shadows);
    this.poses.depth = view.planar ? 1.25 * this.stage.unit : 0;
    this.addBodies();
    this.addLinks();
    this.addFrames();
    this.tracks = new Tracks(this);
    this.crowds.refresh();
  }

  get unit() { return this.stage.unit; }

  addBodies() {
    const makers = { bar: solids.bar, link: solids.link, plate: solids.plate, box: solids.box };
    const room = Math.max(this.stage.bodies.length * 3, 16);
    this.stage.bodies.forEach((body, k) => {
      for (const part of body.parts) {
        const material = body.clear || part.clear ? this.materials.clear : this.materials.solid;
        const member = { body: k, role: "body", pickable: true, shown: () => !this.hidden.has(k) };
        if (part.kind === "mesh") {
          member.local = new T.Matrix4();
          this.crowds.carry(`mesh ${part.geometry}`, () => this.stage.meshes[part.geometry], material, member, new T.Color(), room);
        } else {
          const { key, geometry, local } = makers[part.kind](part);
          member.local = local;
          this.crowds.carry(key, () => geometry ?? solids.block(), material, member, new T.Color(), room);
        }
      }
    });
    for (const number of this.stage.scenery) {
      const member = { body: -1, role: "ground", local: new T.Matrix4() };
      // What is low, such as rails, hides nothing; other things are seen through.
      const box = new T.Box3().setFromBufferAttribute(this.stage.meshes[number].attributes.position).getSize(new T.Vector3());
      const tall = Math.abs(box.dot(new T.Vector3(...this.stage.up))) > 0.3 * this.stage.size;
      this.crowds.carry(`mesh ${number}`, () => this.stage.meshes[number], tall ? this.materials.clear : this.materials.scenery, member, new T.Color());
    }
  }

  local(place, scale, shift = null) {
    const [a, b, c, d, e, f, g, h, i] = place.R, [x, y, z] = place.r;
    const matrix = new T.Matrix4().set(a, b, c, x, d, e, f, y, g, h, i, z, 0, 0, 0, 1);
    if (shift) matrix.multiply(new T.Matrix4().makeTranslation(...shift));
    return matrix.scale(new T.Vector3(...scale));
  }

  addLinks() {
    const u = this.unit, room = Math.max(64, 2 * this.stage.links.length);
    for (const link of this.stage.links) {
      const [first, second] = link.places;
      if (link.family in BETWEEN && second) { this.addBetween(link, room); continue; }
      if (link.family === "tyre") { this.addTyre(link); continue; }
      if (!second || ["fixed", "free", "force", "torque", "constraint"].includes(link.family)) continue;
      const place = first.body >= 0 ? first : second, shown = () => this.layers.joints;
      const size = this.jointSize(link);
      const member = (local) => ({ body: place.body, role: "joint", link, local, shown });
      if (this.view.planar) {
        if (link.family === "prismatic") this.carry("block", solids.block, member(this.local(place, [2.6 * u, 1.5 * u, 1.1 * u])), room);
        else this.carry("cylinder", solids.cylinder, member(this.local(place, [0.42 * u, 0.42 * u, 4 * u], [0, 0, -2 * u])), room);
      } else if (link.family === "spherical") this.carry("ball", solids.ball, member(this.local(place, [size, size, size])), room);
      else if (link.family === "prismatic") this.carry("block", solids.block, member(this.local(place, [1.6 * size, 1.6 * size, 3 * size])), room);
      else if (link.family === "universal") {
        for (const turn of [[0, 1, 0, Math.PI / 2], [1, 0, 0, -Math.PI / 2]]) {
          const base = this.local(place, [1, 1, 1]).multiply(new T.Matrix4().makeRotationAxis(new T.Vector3(...turn.slice(0, 3)), turn[3]));
          base.multiply(new T.Matrix4().makeTranslation(0, 0, -1.3 * size)).scale(new T.Vector3(0.55 * size, 0.55 * size, 2.6 * size));
          this.carry("cylinder", solids.cylinder, member(base), room);
        }
      } else if (DIRECTED.has(link.family)) this.carry("cylinder", solids.cylinder, member(this.local(place, [0.9 * size, 0.9 * size, 3.2 * size], [0, 0, -1.6 * size])), room);
      if (link.family === "prismatic" || link.family === "cylindrical") this.addGuide(link, room);
      if (first.body < 0 || second.body < 0) this.addSupport(link, first.body < 0 ? first : second, size, room);
    }
  }

  // What slides, slides along a thin rod.
  addGuide(link, room) {
    const ends = (a, b) => { this.poses.point(link.places[0], a); this.poses.point(link.places[1], b); if (this.view.planar) a.z = b.z = -this.poses.depth; return true; };
    this.crowds.stretch("rod", solids.cylinder, this.materials.metal, { role: "guide", link, ends, shown: () => this.layers.joints, radius: 0.3 * this.unit }, new T.Color(), room);
  }

  // Joints are about as thick as the bars; on small bodies smaller.
  jointSize(link) {
    const sizes = link.places.filter((place) => place.body >= 0).map((place) => this.stage.bodies[place.body].size).filter((x) => x > 0);
    return Math.min(1.35 * this.unit, 0.12 * Math.min(...sizes, 100 * this.unit));
  }

  carry(key, geometry, member, room) {
    return this.crowds.carry(key, geometry, this.materials.metal, member, new T.Color(), room);
  }

  addSupport(link, place, size, room) {
    const u = this.unit, shown = () => this.layers.ground;
    if (this.view.planar) {
      if (link.family !== "revolute") return;
      const local = new T.Matrix4().makeTranslation(place.r[0], place.r[1], -1.6 * u).scale(new T.Vector3(u, u, u));
      this.carry("support", solids.support, { body: -1, role: "support", link, local, shown }, room);
      return;
    }
    // The pedestal stands where the body is not.
    const other = link.places.find((one) => one !== place), { up } = this.view;
    this.poses.set(0, 0);
    const away = this.poses.point({ body: other.body, r: this.stage.bodies[other.body]?.com ?? [0, 0, 0] }, new T.Vector3()).sub(this.poses.point(place, new T.Vector3()));
    const side = away.dot(up) < -0.3 * away.length() ? 1 : -1;
    const turn = new T.Quaternion().setFromUnitVectors(new T.Vector3(0, 0, 1), up.clone().multiplyScalar(side));
    const at = new T.Vector3(...place.r).addScaledVector(up, 0.4 * side * size);
    const local = new T.Matrix4().compose(at, turn, new T.Vector3(1.5 * size, 1.5 * size, 2.6 * size));
    this.carry("pedestal", () => new T.CylinderGeometry(1.35, 0.75, 1, 20).rotateX(Math.PI / 2).translate(0, 0, 0.5), { body: -1, role: "support", link, local, shown }, room);
  }

  addBetween(link, room) {
    const [first, second] = link.places, u = this.unit, shown = () => this.layers.springs;
    const ends = (a, b) => { this.poses.point(first, a); this.poses.point(second, b); if (this.view.planar) { a.z = b.z = 1.2 * this.poses.depth; } return true; };
    const add = (key, geometry, radius, part) =>
      this.crowds.stretch(key, geometry, this.materials.metal, { role: link.family, link, ends, shown, radius, part }, new T.Color(), room);
    if (link.family === "spring") {
      const radius = this.springRadius(link), slender = Math.max(4, Math.round(this.distance(first, second) / radius));
      add(`coil ${slender}`, () => solids.coil(slender), radius);
    }
    else if (link.family === "rod") add("rod", solids.cylinder, 0.6 * u);
    else if (link.family === "bushing") add("rod", solids.cylinder, 1.2 * u);
    else { add("rod", solids.cylinder, 0.95 * u, [0, 0.56]); add("rod", solids.cylinder, 0.4 * u); }
  }

  // Of two places at the start.
  distance(first, second) {
    this.poses.set(0, 0);
    return this.poses.point(first, new T.Vector3()).distanceTo(this.poses.point(second, new T.Vector3()));
  }

  // Coils are slimmer than they are long.
  springRadius(link) {
    const length = this.distance(...link.places);
    return length > 0 ? Math.min(1.9 * this.unit, 0.16 * length) : 1.9 * this.unit;
  }

  addTyre(link) {
    const place = link.places[0], r = link.sizes.radius ?? 3 * this.unit;
    if (place.body < 0 || this.stage.bodies[place.body].parts.some((part) => part.kind === "mesh")) return;
    // The wheel turns about y of its marker.
    const local = this.local(place, [1, 1, 1]).multiply(new T.Matrix4().makeRotationX(Math.PI / 2)).scale(new T.Vector3(r, r, r));
    const member = (matrix, role) => ({ body: place.body, role, local: matrix, pickable: true, shown: () => !this.hidden.has(place.body) });
    this.crowds.carry("tyre", solids.tyre, this.materials.clear, member(local, "tyre"), new T.Color());
    const rim = local.clone().multiply(new T.Matrix4().makeTranslation(0, 0, -0.1)).scale(new T.Vector3(0.64, 0.64, 0.2));
    this.crowds.carry("rim", () => solids.cylinder(40), this.materials.clear, member(rim, "body"), new T.Color());
  }

  addFrames() {
    const u = this.unit, shown = () => this.layers.frames;
    const turns = [new T.Matrix4().makeRotationY(Math.PI / 2), new T.Matrix4().makeRotationX(-Math.PI / 2), new T.Matrix4()];
    const places = this.stage.links.flatMap((link) => link.places);
    for (const place of places) {
      turns.slice(0, this.view.planar ? 2 : 3).forEach((turn, axis) => {
        const local = this.local(place, [1, 1, 1]).multiply(turn).scale(new T.Vector3(0.16 * u, 0.16 * u, 3.6 * u));
        this.crowds.carry("axis", solids.cylinder, this.materials.solid, { body: place.body, role: "axis", axis, local, shown }, new T.Color(), 3 * places.length);
      });
    }
  }

  // --------------------------------------------------------------------------------------------------------- forces

  // Arrows are made when they are first asked for: their curves have to be unpacked.
  async showForces() {
    if (this.arrows) return;
    this.arrows = this.stage.forces.map((force) => ({ ...force, entry: this.view.quantities.byName.get(force.quantity) })).filter((force) => force.entry);
    await Promise.all(this.arrows.map((force) => this.view.quantities.load(force.entry)));
    let largest = 0;
    for (const { entry } of this.arrows) for (const curve of entry.curves) largest = Math.max(largest, Math.abs(curve.from ?? 0), Math.abs(curve.to ?? 0));
    this.forceScale = largest > 0 ? (0.3 * this.stage.size) / largest : 0; // the longest of the run
    const room = Math.max(this.arrows.length, 1), u = this.unit, shown = () => this.layers.forces;
    for (const force of this.arrows) {
      const ends = (a, b) => this.arrowEnds(force, a, b);
      const radius = 0.38 * u, head = Math.min(3.2 * u, 0.06 * this.stage.size);
      const shaft = (a, b) => { if (!ends(a, b)) return false; const n = a.distanceTo(b); b.lerp(a, Math.min(1, head / n)); return true; };
      const tip = (a, b) => { if (!ends(a, b)) return false; const n = a.distanceTo(b); a.lerp(b, Math.max(0, 1 - head / n)); return true; };
      this.crowds.stretch("shaft", solids.cylinder, this.materials.solid, { role: "force", ends: shaft, shown, radius }, new T.Color(), room);
      this.crowds.stretch("tip", solids.cone, this.materials.solid, { role: "force", ends: tip, shown, radius: 2.6 * radius }, new T.Color(), room);
    }
    this.recolour();
    this.view.invalidate();
  }

  arrowEnds(force, a, b) {
    const { quantities, clock } = this.view, values = quantities.valuesAt(force.entry, clock.time);
    this.poses.point(force.at, a);
    if (force.toward) {
      this.poses.point(force.toward, b);
      b.sub(a).normalize().multiplyScalar(values[0]);
    } else {
      b.set(values[0] ?? 0, values[1] ?? 0, values[2] ?? 0);
      if (force.axes) {
        b.applyMatrix3(new T.Matrix3().set(...force.axes.R));
        b.applyQuaternion(new T.Quaternion().setFromRotationMatrix(this.poses.matrix(force.axes.body)));
      }
    }
    const size = b.length() * this.forceScale;
    if (!(size > 0.004 * this.stage.size)) return false;
    b.normalize().multiplyScalar(size).add(a);
    if (this.view.planar) { a.z = b.z = 4 * this.poses.depth; }
    return true;
  }

  // --------------------------------------------------------------------------------------------------------- traces

  traced() {
    const { bodies } = this.stage, { selected } = this.view;
    if (selected >= 0) return [selected];
    return bodies.length <= MOST_TRACED ? bodies.map((_, k) => k) : [bodies.length - 1];
  }

  // Paths of centres of mass, in the world.
  makeTraces() {
    this.traces?.removeFromParent();
    this.traces = new T.Group();
    const n = this.view.clock.t.length, every = Math.max(1, Math.ceil(n / 2000)), q = new T.Quaternion();
    for (const k of this.traced()) {
      const points = [], com = new T.Vector3();
      for (let i = 0; i < n; i += every) {
        const place = this.poses.pose(k, i, 0);
        com.set(...this.stage.bodies[k].com).applyQuaternion(q.set(place[4], place[5], place[6], place[3]).normalize());
        points.push(place[0] + com.x - this.poses.home[0], place[1] + com.y - this.poses.home[1], place[2] + com.z - this.poses.home[2]);
      }
      if (points.length < 6) continue;
      const line = new Line2(new LineGeometry().setPositions(points), new LineMaterial({ linewidth: 2, color: this.view.palette[k % 8] }));
      line.frustumCulled = false;
      this.traces.add(line);
    }
    this.group.add(this.traces);
  }

  // ------------------------------------------------------------------------------------------------------- all of it

  async show(layer, on) {
    this.layers[layer] = on;
    if (layer === "forces" && on) await this.showForces();
    if (layer === "traces") { if (on && this.stage.bodies.length) this.makeTraces(); else this.traces?.removeFromParent(); }
    if (layer === "ground") this.view.ground.group.visible = on;
    this.crowds.refresh();
    this.view.invalidate();
  }

  colourOf(member) {
    const { palette, selected } = this.view, metal = new T.Color(css("--metal"));
    if (member.role === "body") {
      const colour = palette[member.body % palette.length].clone();
      if (selected >= 0) colour.lerp(new T.Color(member.body === selected ? css("--ink") : css("--paper")), member.body === selected ? 0.35 : 0.45);
      return colour;
    }
    if (member.role === "axis") return new T.Color(["#d23b3b", "#2f9e44", "#2f6fd6"][member.axis]);
    if (member.role === "force") return new T.Color(css("--force"));
    if (member.role === "tyre") return new T.Color(css("--soft"));
    if (member.role === "ground") return new T.Color(css("--soft")).lerp(new T.Color(css("--paper")), 0.35);
    if (member.role === "spring") return new T.Color(css("--spring"));
    return metal;
  }

  recolour() {
    if (!this.view.palette) return;
    this.crowds.recolour((member) => this.colourOf(member));
    this.tracks.recolour();
    if (this.layers.traces && this.stage.bodies.length) this.makeTraces();
  }

  update(i, s) {
    this.crowds.update(this.poses);
    this.tracks.update(i, s);
    this.traces?.position.set(...this.poses.home).sub(this.poses.origin);
  }

  pick(ray) { return this.crowds.pick(ray); }
}
