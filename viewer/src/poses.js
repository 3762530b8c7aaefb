// Poses of bodies between frames, relative to a moving origin: float32 of the graphics card shakes far from zero.
import * as T from "three";
import { Columns } from "./data.js";

// target[at …] += sign · R(p) v, with Euler parameters p that are normalised first.
function addRotated(target, at, source, from, v, sign) {
  let [w, x, y, z] = [source[from], source[from + 1], source[from + 2], source[from + 3]];
  const size = Math.hypot(w, x, y, z) || 1;
  w /= size; x /= size; y /= size; z /= size;
  const tx = 2 * (y * v[2] - z * v[1]), ty = 2 * (z * v[0] - x * v[2]), tz = 2 * (x * v[1] - y * v[0]);
  target[at] += sign * (v[0] + w * tx + y * tz - z * ty);
  target[at + 1] += sign * (v[1] + w * ty + z * tx - x * tz);
  target[at + 2] += sign * (v[2] + w * tz + x * ty - y * tx);
}

// A pose between two, component by component; a rotation and its negative parameters are the same.
function between(a, b, at, s, p) {
  let dot = 0;
  for (let k = 3; k < 7; k++) dot += a[at + k] * b[at + k];
  for (let k = 0; k < 7; k++) p[k] = a[at + k] + (s > 0 ? s * ((k > 2 && dot < 0 ? -b[at + k] : b[at + k]) - a[at + k]) : 0);
  return p;
}

// One rotation after another, as Euler parameters: p = x[i …] y[j …].
function multiply(p, x, i, y, j) {
  const a = x[i], b = x[i + 1], c = x[i + 2], d = x[i + 3], e = y[j], f = y[j + 1], g = y[j + 2], h = y[j + 3];
  p[0] = a * e - b * f - c * g - d * h;
  p[1] = a * f + b * e + c * h - d * g;
  p[2] = a * g - b * h + c * e + d * f;
  p[3] = a * h + b * g - c * f + d * e;
}

export class Poses {
  cache = new Map();

  static async read(entry, n, bodies, blob) {
    const poses = new Poses();
    poses.count = bodies.length;
    poses.layers = bodies.map((body) => body.layer);
    poses.place = entry ? new Columns(await blob(entry.position.blob), entry.position, n) : null;
    poses.turn = entry ? new Columns(await blob(entry.rotation.blob), entry.rotation, n) : null;
    poses.carriers = entry?.carriers ?? [];
    for (const carrier of poses.carriers) if (carrier) carrier.back = carrier.B.map((x, k) => (k ? -x : x));
    poses.matrices = bodies.map(() => new T.Matrix4());
    poses.origin = new T.Vector3();
    poses.ground = new T.Matrix4();
    return poses;
  }

  depth = 0; // distance of layers in the plane
  follow = -1;
  home = [0, 0, 0]; // where the camera's target stands when nothing is followed

  // Places and Euler parameters of all bodies at a frame. Where a joint holds a point of a body to one of another, its place
  // follows from their rotations, and the columns hold what is left of it.
  at(i) {
    let found = this.cache.get(i);
    if (found) return found;
    if (this.cache.size > 8) this.cache.clear();
    found = new Float64Array(7 * this.count);
    const p = new Float64Array(4);
    for (let b = 0; b < this.count; b++) {
      for (let k = 0; k < 3; k++) found[7 * b + k] = this.place.at(3 * b + k, i, 0);
      for (let k = 0; k < 4; k++) found[7 * b + 3 + k] = this.turn.at(4 * b + k, i, 0);
      const carrier = this.carriers[b];
      if (!carrier) continue;
      multiply(p, found, 7 * b + 3, carrier.back, 0);
      multiply(p, carrier.A, 0, p, 0);
      if (carrier.body >= 0) multiply(p, found, 7 * carrier.body + 3, p, 0);
      const size = Math.hypot(p[0], p[1], p[2], p[3]) || 1; // errors of rounding would grow along a chain
      for (let k = 0; k < 4; k++) found[7 * b + 3 + k] = p[k] / size;
      if (carrier.body < 0) for (let k = 0; k < 3; k++) found[7 * b + k] += carrier.a[k];
      else {
        for (let k = 0; k < 3; k++) found[7 * b + k] += found[7 * carrier.body + k];
        addRotated(found, 7 * b, found, 7 * carrier.body + 3, carrier.a, 1);
      }
      addRotated(found, 7 * b, found, 7 * b + 3, carrier.b, -1);
    }
    this.cache.set(i, found);
    return found;
  }

  // The pose of a body at frame i, or between it and the next one by the part s.
  pose(body, i, s) {
    const a = this.at(i), b = s > 0 ? this.at(i + 1) : a;
    return Array.from(between(a, b, 7 * body, s, new Float64Array(7)));
  }

  position(body, i, s) { return this.pose(body, i, s).slice(0, 3); }

  set(i, s) {
    const q = new T.Quaternion(), r = new T.Vector3(), one = new T.Vector3(1, 1, 1);
    const origin = this.follow >= 0 ? this.position(this.follow, i, s) : this.home;
    this.origin.set(...origin);
    this.ground.makeTranslation(-origin[0], -origin[1], -origin[2]);
    if (!this.count) return;
    const a = this.at(i), b = s > 0 ? this.at(i + 1) : a, p = new Float64Array(7);
    for (let body = 0; body < this.count; body++) {
      between(a, b, 7 * body, s, p);
      q.set(p[4], p[5], p[6], p[3]).normalize();
      r.set(p[0] - origin[0], p[1] - origin[1], p[2] - origin[2] + this.depth * this.layers[body]);
      this.matrices[body].compose(r, q, one);
    }
  }

  matrix(body) { return body < 0 ? this.ground : this.matrices[body]; }

  // A place on a body or on the ground, relative to the origin.
  point(place, target) {
    target.set(...place.r);
    return place.body < 0 ? target.sub(this.origin) : target.applyMatrix4(this.matrices[place.body]);
  }
}
