// Tracks: points that belong to no rigid body. Lines are drawn as bars with round joints, points as balls, surfaces as meshes.
import * as T from "three";
import * as solids from "./solids.js";

const MOST_SOLIDS = 20000;
const Z = new T.Vector3(0, 0, 1);

export class Tracks {
  constructor(mechanism) {
    this.mechanism = mechanism;
    this.list = mechanism.stage.tracks.map((track, number) => this.make(track, number));
  }

  make(track, number) {
    const { group, materials, unit, view } = this.mechanism, found = { track, number, points: new Float64Array(3 * track.points) };
    if (track.kind === "surface") {
      const geometry = new T.BufferGeometry();
      geometry.setAttribute("position", new T.BufferAttribute(new Float32Array(3 * track.points), 3));
      geometry.setIndex(new T.BufferAttribute(track.triangles, 1));
      found.mesh = new T.Mesh(geometry, materials.solid.clone());
      found.mesh.material.side = T.DoubleSide;
      group.add(found.mesh);
    } else {
      const count = Math.min(track.points, MOST_SOLIDS);
      const material = materials.solid.clone();
      found.balls = new T.InstancedMesh(solids.ball(), material, count);
      found.bars = track.kind === "line" ? new T.InstancedMesh(solids.cylinder(14), material, Math.max(count - 1, 1)) : null;
      found.radius = (track.points > 60 ? 0.5 : 1) * unit;
      for (const mesh of [found.balls, found.bars]) if (mesh) { mesh.frustumCulled = false; mesh.castShadow = view.shadows; group.add(mesh); }
    }
    return found;
  }

  recolour() {
    for (const { number, mesh, balls, bars } of this.list) {
      for (const one of [mesh, balls, bars]) one?.material.color.copy(this.mechanism.view.palette[number % 8]);
    }
  }

  // Points at a frame or between two, relative to the origin; NaN where there is a gap.
  read({ track, points }, i, s) {
    const { origin } = this.mechanism.poses, still = track.frames === 1, frame = still ? 0 : i, part = still ? 0 : s;
    for (let k = 0; k < track.points; k++) {
      const gone = track.mask && (track.mask[frame * track.points + k] || (part > 0 && track.mask[(frame + 1) * track.points + k]));
      for (let c = 0; c < 3; c++) points[3 * k + c] = gone ? NaN : track.columns.at(3 * k + c, frame, part) - origin.getComponent(c);
    }
  }

  update(i, s) {
    const a = new T.Vector3(), b = new T.Vector3(), turn = new T.Quaternion(), size = new T.Vector3(), matrix = new T.Matrix4(), none = new T.Matrix4().makeScale(0, 0, 0);
    for (const found of this.list) {
      const { track, points, mesh, balls, bars, radius } = found;
      this.read(found, i, s);
      if (mesh) {
        mesh.geometry.attributes.position.array.set(points);
        mesh.geometry.attributes.position.needsUpdate = true;
        mesh.geometry.computeVertexNormals();
        mesh.frustumCulled = false;
        continue;
      }
      for (let k = 0; k < balls.count; k++) {
        a.fromArray(points, 3 * k);
        const ball = (track.kind === "points" ? 1.4 : 1.0) * radius;
        balls.setMatrixAt(k, Number.isNaN(a.x) ? none : matrix.compose(a, turn.identity(), size.set(ball, ball, ball)));
        if (!bars || k + 1 >= balls.count) continue;
        b.fromArray(points, 3 * k + 3).sub(a);
        const length = b.length();
        if (!(length > 0)) { bars.setMatrixAt(k, none); continue; }
        bars.setMatrixAt(k, matrix.compose(a, turn.setFromUnitVectors(Z, b.divideScalar(length)), size.set(0.75 * radius, 0.75 * radius, length)));
      }
      balls.instanceMatrix.needsUpdate = true;
      if (bars) bars.instanceMatrix.needsUpdate = true;
    }
  }
}
