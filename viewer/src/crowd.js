// Many solids in few draw calls: one InstancedMesh for each geometry and material.
import * as T from "three";

// Solids that move with a body, or stand still (body −1).
export class Crowd {
  constructor(geometry, material, count) {
    this.mesh = new T.InstancedMesh(geometry, material, count);
    this.mesh.frustumCulled = false; // its box would have to be found anew in each frame
    this.mesh.count = 0;
    this.members = [];
  }

  add(member, colour) {
    const k = this.members.push(member) - 1;
    this.mesh.count = this.members.length;
    if (colour) this.mesh.setColorAt(k, colour);
    return k;
  }
}

const hidden = new T.Matrix4().makeScale(0, 0, 0);
const scratch = new T.Matrix4(), a = new T.Vector3(), b = new T.Vector3(), d = new T.Vector3(), turn = new T.Quaternion(), size = new T.Vector3();
const Z = new T.Vector3(0, 0, 1);

export class Crowds {
  constructor(group, shadows) {
    Object.assign(this, { group, shadows, carried: new Map(), stretched: new Map() });
  }

  crowd(table, key, geometry, material, room) {
    let found = table.get(key);
    if (found && found.members.length >= found.mesh.instanceMatrix.count) { // full: another one begins
      table.set(`${key} ${table.size}`, found);
      found = null;
    }
    if (!found) {
      found = new Crowd(geometry(), material, room);
      found.mesh.castShadow = this.shadows && !material.transparent;
      found.mesh.receiveShadow = this.shadows && material.name === "scenery";
      this.group.add(found.mesh);
      table.set(key, found);
    }
    return found;
  }

  // A solid on a body, placed in its axes by a matrix.
  carry(key, geometry, material, member, colour, room = 256) {
    return this.crowd(this.carried, `${key} ${material.name}`, geometry, material, room).add(member, colour);
  }

  // A solid along z from one place to another, of some radius; part: from where to where of the way.
  stretch(key, geometry, material, member, colour, room = 256) {
    return this.crowd(this.stretched, `${key} ${material.name}`, geometry, material, room).add(member, colour);
  }

  // Crowds of which nothing is shown cost nothing.
  refresh() {
    for (const { mesh, members } of [...this.carried.values(), ...this.stretched.values()]) mesh.visible = members.some((member) => !member.shown || member.shown());
  }

  update(poses) {
    for (const { mesh, members } of this.carried.values()) {
      if (!mesh.visible) continue;
      members.forEach(({ body, local, shown }, k) => {
        if (shown && !shown()) mesh.setMatrixAt(k, hidden);
        else mesh.setMatrixAt(k, scratch.multiplyMatrices(poses.matrix(body), local));
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
    for (const { mesh, members } of this.stretched.values()) {
      if (!mesh.visible) continue;
      members.forEach((member, k) => {
        if ((member.shown && !member.shown()) || !member.ends(a, b)) return mesh.setMatrixAt(k, hidden);
        const [from, to] = member.part ?? [0, 1];
        d.subVectors(b, a);
        const length = d.length();
        a.addScaledVector(d, from);
        if (length > 0) turn.setFromUnitVectors(Z, d.divideScalar(length));
        size.set(member.radius, member.radius, Math.max(length * (to - from), 1e-9));
        mesh.setMatrixAt(k, scratch.compose(a, turn, size));
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  recolour(colourOf) {
    for (const { mesh, members } of [...this.carried.values(), ...this.stretched.values()]) {
      if (!mesh.instanceColor) continue;
      members.forEach((member, k) => mesh.setColorAt(k, colourOf(member)));
      mesh.instanceColor.needsUpdate = true;
    }
  }

  // What a ray meets first: a member with a body.
  pick(ray) {
    let best = null;
    for (const { mesh, members } of this.carried.values()) {
      mesh.computeBoundingSphere();
      for (const hit of ray.intersectObject(mesh, false)) {
        const member = members[hit.instanceId];
        if (member.body >= 0 && member.pickable && (!best || hit.distance < best.distance)) best = { distance: hit.distance, body: member.body };
      }
    }
    return best ? best.body : -1;
  }
}
