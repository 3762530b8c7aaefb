// Solids that drawings are made of, each in axes of its own and of unit size where it is scaled.
import * as T from "three";
import { toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";

const Z = new T.Vector3(0, 0, 1);

// Cylinder of radius 1 from z = 0 to z = 1.
export const cylinder = (sides = 20) => new T.CylinderGeometry(1, 1, 1, sides).rotateX(Math.PI / 2).translate(0, 0, 0.5);
export const cone = () => new T.ConeGeometry(1, 1, 20).rotateX(Math.PI / 2).translate(0, 0, 0.5);
export const ball = () => new T.SphereGeometry(1, 24, 16);
export const block = () => new T.BoxGeometry(1, 1, 1);
export const tyre = () => new T.TorusGeometry(0.82, 0.18, 14, 40);

// A coil of radius 1 from z = 0 to z = 1 whose ends are straight; its wire is round where it is slender times as long as thick.
export function coil(slender) {
  const turns = Math.min(14, Math.max(5, Math.round(slender / 1.6))), wire = 0.17;
  const points = [new T.Vector3(0, 0, 0), new T.Vector3(0, 0, 0.06)], steps = turns * 14;
  for (let i = 0; i <= steps; i++) {
    const s = i / steps, angle = 2 * Math.PI * turns * s, reach = Math.min(1, 8 * s, 8 * (1 - s));
    points.push(new T.Vector3(reach * Math.cos(angle), reach * Math.sin(angle), 0.1 + 0.8 * s));
  }
  points.push(new T.Vector3(0, 0, 0.94), new T.Vector3(0, 0, 1));
  for (const point of points) point.z *= slender;
  return new T.TubeGeometry(new T.CatmullRomCurve3(points), turns * 22, wire, 7).scale(1, 1, 1 / slender);
}

export function mesh(vertices, faces) {
  const geometry = new T.BufferGeometry();
  geometry.setAttribute("position", new T.BufferAttribute(vertices, 3));
  geometry.setIndex(new T.BufferAttribute(faces, 1));
  return toCreasedNormals(geometry, 0.6);
}

// A bar with half spheres, from a to b.
export function bar({ a, b, r }) {
  const from = new T.Vector3(...a), to = new T.Vector3(...b), length = from.distanceTo(to);
  const turn = new T.Quaternion().setFromUnitVectors(Z, to.clone().sub(from).normalize());
  const geometry = new T.CapsuleGeometry(r, length, 6, 18).rotateX(Math.PI / 2).translate(0, 0, length / 2);
  return { key: `bar ${r.toPrecision(5)} ${length.toPrecision(5)}`, geometry, local: new T.Matrix4().compose(from, turn, new T.Vector3(1, 1, 1)) };
}

function extruded(outline, holes, r, depth) {
  for (const [x, y] of holes) outline.holes.push(new T.Path().absarc(x, y, 0.42 * r, 0, 2 * Math.PI, true));
  const bevel = 0.12 * depth;
  const options = { depth: depth - 2 * bevel, bevelThickness: bevel, bevelSize: bevel, bevelOffset: -bevel, bevelSegments: 2, curveSegments: 20 };
  return toCreasedNormals(new T.ExtrudeGeometry(outline, options).translate(0, 0, bevel - depth / 2), 0.6);
}

// In the plane: a flat bar with round ends and holes.
export function link({ a, b, r }) {
  const dx = b[0] - a[0], dy = b[1] - a[1], length = Math.hypot(dx, dy), angle = Math.atan2(dy, dx);
  const outline = new T.Shape();
  outline.absarc(0, 0, r, Math.PI / 2, 1.5 * Math.PI);
  outline.absarc(length, 0, r, -Math.PI / 2, Math.PI / 2);
  const geometry = extruded(outline, [[0, 0], [length, 0]], r, 0.9 * r);
  const turn = new T.Quaternion().setFromAxisAngle(Z, angle);
  return { key: `link ${r.toPrecision(5)} ${length.toPrecision(5)}`, geometry, local: new T.Matrix4().compose(new T.Vector3(...a), turn, new T.Vector3(1, 1, 1)) };
}

// In the plane: a plate around points, which go round counterclockwise, with round corners.
export function plate({ points, holes, r }) {
  const outline = new T.Shape(), n = points.length;
  if (n < 3) { // all on one line
    const far = points.length > 1 ? points : [points[0], points[0]];
    return link({ a: [...far[0], 0], b: [...far[1], 0], r });
  }
  for (let i = 0; i < n; i++) {
    const [p, q, s] = [points[(i + n - 1) % n], points[i], points[(i + 1) % n]];
    const before = Math.atan2(q[1] - p[1], q[0] - p[0]) - Math.PI / 2, after = Math.atan2(s[1] - q[1], s[0] - q[0]) - Math.PI / 2;
    outline.absarc(q[0], q[1], r, before, after);
  }
  return { key: `plate ${JSON.stringify(points)} ${r}`, geometry: extruded(outline, holes, r, 0.9 * r), local: new T.Matrix4() };
}

export function box({ size, at, R }) {
  const turn = new T.Matrix4().set(R[0], R[1], R[2], at[0], R[3], R[4], R[5], at[1], R[6], R[7], R[8], at[2], 0, 0, 0, 1);
  return { key: "block", geometry: null, local: turn.scale(new T.Vector3(...size)) };
}

// The drawn support of a joint on the ground in the plane: a triangle on a bar.
export function support() {
  const outline = new T.Shape([new T.Vector2(0, 0), new T.Vector2(-1.1, -1.9), new T.Vector2(-1.7, -1.9), new T.Vector2(-1.7, -2.3), new T.Vector2(1.7, -2.3), new T.Vector2(1.7, -1.9), new T.Vector2(1.1, -1.9)]);
  return new T.ExtrudeGeometry(outline, { depth: 0.5, bevelEnabled: false }).translate(0, 0, -0.25);
}
