// The view: camera, lights, and the mechanism. Nothing is drawn unless something changed.
import * as T from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { css, lengthText, nice } from "./dom.js";
import { Ground } from "./ground.js";
import { Mechanism } from "./mechanism.js";

const FIELD = 35; // degrees
export const COLOURS = 8;

export function hasWebGL() {
  try {
    const context = document.createElement("canvas").getContext("webgl2");
    context?.getExtension("WEBGL_lose_context")?.loseContext();
    return Boolean(context);
  } catch { return false; }
}

export class View {
  constructor(canvas, stage, poses, clock, quantities) {
    Object.assign(this, { canvas, stage, poses, clock, quantities, drawn: 0, dirty: false, kind: null, selected: -1 });
    this.planar = Boolean(stage.plane);
    this.up = new T.Vector3(...stage.up);
    this.shadows = stage.bodies.length <= 40 && !this.planar;
    this.renderer = new T.WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: false });
    this.renderer.shadowMap.enabled = this.shadows;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
    this.scene = new T.Scene();
    this.scene.add(new T.HemisphereLight(0xffffff, 0x8a93a0, 1.9));
    this.addSun();
    const [low, high] = stage.box.map((x) => new T.Vector3(...x));
    this.box = new T.Box3(low, high);
    this.middle = this.box.getCenter(new T.Vector3());
    poses.home = this.middle.toArray();
    this.mechanism = new Mechanism(this);
    this.scene.add(this.mechanism.group);
    this.addGround();
    this.follow(stage.follow, true);
    this.recolour();
    this.look(this.planar ? "front" : "3-D");
    clock.listeners.push(() => this.invalidate());
    new ResizeObserver(() => { this.resized(); this.invalidate(); }).observe(canvas.parentElement);
  }

  addSun() {
    const { size } = this.stage;
    this.sun = new T.DirectionalLight(0xffffff, 2.1);
    // From the upper left front, whatever upwards is.
    const along = this.planar ? new T.Vector3(-0.5, 0.7, 1.2) : this.frame().up.clone().multiplyScalar(1.4).addScaledVector(this.frame().right, -0.7).addScaledVector(this.frame().back, 0.9);
    this.sun.position.copy(along.multiplyScalar(2 * size));
    if (this.shadows) {
      this.sun.castShadow = true;
      this.sun.shadow.mapSize.set(2048, 2048);
      Object.assign(this.sun.shadow.camera, { left: -size, right: size, top: size, bottom: -size, near: 0.1 * size, far: 8 * size });
      this.sun.shadow.bias = -0.0005;
      this.sun.shadow.normalBias = 0.002 * size;
    }
    this.scene.add(this.sun, this.sun.target);
  }

  // Axes of views: to the right, upwards, and towards the front view's camera.
  frame() {
    const up = this.up;
    if (this.planar) return { right: new T.Vector3(1, 0, 0), up, back: new T.Vector3(0, 0, 1) };
    const right = Math.abs(up.x) < 0.9 ? new T.Vector3(1, 0, 0) : new T.Vector3(0, 1, 0);
    right.addScaledVector(up, -right.dot(up)).normalize();
    return { right, up, back: new T.Vector3().crossVectors(right, up) };
  }

  addGround() {
    const { size, unit } = this.stage;
    this.cell = nice(size / 14);
    const normal = this.planar ? new T.Vector3(0, 0, 1) : this.up.clone();
    this.ground = new Ground(normal, this.cell, 3 * size, this.shadows);
    // In the plane the grid lies behind everything, else below it.
    const corners = [this.box.min, this.box.max].map((v) => v.dot(normal));
    this.level = this.planar ? -4 * unit : Math.min(...[0, 1, 2, 3, 4, 5, 6, 7].map((k) => new T.Vector3(k & 1 ? this.box.min.x : this.box.max.x, k & 2 ? this.box.min.y : this.box.max.y, k & 4 ? this.box.min.z : this.box.max.z).dot(normal)), ...corners) - 0.02 * size;
    this.scene.add(this.ground.group);
  }

  // -------------------------------------------------------------------------------------------------------- camera

  // Corners of the box to look at, relative to the origin of the scene.
  corners() {
    const shift = this.poses.follow >= 0 ? this.followed0 : this.middle, { min, max } = this.box;
    return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => new T.Vector3(k & 1 ? min.x : max.x, k & 2 ? min.y : max.y, k & 4 ? min.z : max.z).sub(shift));
  }

  look(kind) {
    const { right, up, back } = this.frame();
    const directions = {
      "3-D": this.planar ? back.clone().addScaledVector(right, 0.55).addScaledVector(up, 0.45) : back.clone().multiplyScalar(0.85).addScaledVector(right, 0.62).addScaledVector(up, 0.5),
      front: back.clone(), side: right.clone(), top: up.clone(),
    };
    const flat = kind !== "3-D";
    this.kind = kind;
    const aspect = this.canvas.clientWidth / Math.max(this.canvas.clientHeight, 1);
    this.controls?.dispose();
    this.camera = flat ? new T.OrthographicCamera(-1, 1, 1, -1, 0.001, 1) : new T.PerspectiveCamera(FIELD, aspect, 0.001, 1);
    this.camera.up.copy(kind === "top" ? back.clone().negate() : up);
    this.direction = directions[kind].normalize();
    this.controls = new OrbitControls(this.camera, this.canvas);
    Object.assign(this.controls, { enableDamping: false, zoomToCursor: true, screenSpacePanning: true, enableRotate: !(this.planar && flat) });
    if (this.planar && flat) this.controls.mouseButtons = { LEFT: T.MOUSE.PAN, MIDDLE: T.MOUSE.DOLLY, RIGHT: T.MOUSE.PAN };
    if (this.planar && flat) this.controls.touches = { ONE: T.TOUCH.PAN, TWO: T.TOUCH.DOLLY_PAN };
    this.controls.addEventListener("change", () => this.invalidate());
    this.fit();
    this.onlook?.(kind);
  }

  // All of the motion in view.
  fit() {
    const corners = this.corners(), target = corners.reduce((sum, x) => sum.add(x), new T.Vector3()).divideScalar(8);
    this.resized(false);
    const { camera, direction } = this, reach = 60 * this.stage.size;
    camera.position.copy(target).add(direction);
    camera.lookAt(target);
    camera.updateMatrixWorld();
    const inverse = camera.matrixWorldInverse.copy(camera.matrixWorld).invert();
    const seen = corners.map((x) => x.applyMatrix4(inverse)), margin = 1.12;
    const pad = 3 * this.stage.unit;
    const aspect = this.canvas.clientWidth / Math.max(this.canvas.clientHeight, 1);
    let away;
    if (camera.isOrthographicCamera) {
      const half = margin * Math.max(...seen.map((x) => Math.max(Math.abs(x.y) + pad, (Math.abs(x.x) + pad) / aspect)), 1e-9);
      Object.assign(camera, { left: -half * aspect, right: half * aspect, top: half, bottom: -half, zoom: 1 });
      this.half = half;
      away = 10 * this.stage.size;
    } else {
      const slope = Math.tan((FIELD * Math.PI) / 360);
      away = Math.max(...seen.map((x) => Math.max((Math.abs(x.y) + pad) / slope, (Math.abs(x.x) + pad) / (slope * aspect)) * margin + x.z + 1));
    }
    camera.position.copy(target).addScaledVector(direction, away);
    Object.assign(camera, { near: 0.01 * this.stage.size, far: away + reach });
    camera.updateProjectionMatrix();
    this.controls.target.copy(target);
    this.controls.update();
    this.invalidate();
  }

  // Camera and target travel with a body; −1: they stay.
  follow(body, first = false) {
    this.poses.follow = body;
    if (body >= 0) this.followed0 = new T.Vector3(...this.poses.position(body, 0, 0));
    if (!first) this.fit();
    this.onfollow?.(body);
    this.invalidate();
  }

  resized(update = true) {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height) return;
    Object.assign(this, { width, height }); // asked for in each frame, which would lay out the page anew
    this.renderer.setSize(width, height, false);
    const aspect = width / height, { camera } = this;
    if (camera.isOrthographicCamera && this.half) Object.assign(camera, { left: -this.half * aspect, right: this.half * aspect });
    else camera.aspect = aspect;
    if (update) camera.updateProjectionMatrix();
  }

  // -------------------------------------------------------------------------------------------------------- drawing

  recolour() {
    const ink = new T.Color(css("--ink"));
    this.palette = Array.from({ length: COLOURS }, (_, k) => new T.Color(css(`--c${k}`)));
    this.ground.material.uniforms.ink.value.copy(ink);
    this.mechanism.recolour();
    this.invalidate();
  }

  select(body) {
    this.selected = body;
    this.mechanism.recolour();
    this.invalidate();
  }

  invalidate() {
    if (this.dirty) return;
    this.dirty = true;
    requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.dirty = false;
    const [i, s] = this.clock.place;
    this.poses.set(i, s);
    this.mechanism.update(i, s);
    this.ground.place(this.controls.target, this.level, this.poses.origin);
    this.sun.target.position.copy(this.controls.target);
    this.renderer.render(this.scene, this.camera);
    this.drawn++;
    this.ondraw?.();
  }

  // Length on the screen of one metre at the target, in pixels.
  get scale() {
    const { height } = this;
    if (this.camera.isOrthographicCamera) return (height * this.camera.zoom) / (2 * this.half);
    return height / (2 * Math.tan((FIELD * Math.PI) / 360) * this.camera.position.distanceTo(this.controls.target));
  }

  ruler() {
    const length = nice(110 / this.scale);
    return [length * this.scale, lengthText(length)];
  }

  // Directions of the axes on the screen, longest first in depth.
  axes() {
    const turn = this.camera.quaternion.clone().invert();
    return [0, 1, 2].slice(0, this.planar && this.kind === "front" ? 2 : 3).map((k) => {
      const v = new T.Vector3().setComponent(k, 1).applyQuaternion(turn);
      return { label: this.stage.labels[k] ?? "", x: v.x, y: -v.y, z: v.z };
    });
  }

  bodyAt(x, y) {
    const ray = new T.Raycaster(), { width, height } = this.canvas.getBoundingClientRect();
    ray.setFromCamera(new T.Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.camera);
    return this.mechanism.pick(ray);
  }

  // Where a body is on the screen.
  project(body) {
    const v = new T.Vector3(...this.stage.bodies[body].com).applyMatrix4(this.poses.matrix(body)).project(this.camera);
    return [((v.x + 1) / 2) * this.width, ((1 - v.y) / 2) * this.height];
  }
}
