// The ground: one quad with a grid that fades out, and a plane that takes shadows.
import * as T from "three";

const vertex = `varying vec3 spot; void main() { vec4 w = modelMatrix * vec4(position, 1.0); spot = position; gl_Position = projectionMatrix * viewMatrix * w; }`;
const fragment = `
varying vec3 spot; uniform vec3 ink; uniform vec2 shift; uniform float cell, reach, strength;
float lines(vec2 x, float size) {
  vec2 g = abs(fract(x / size - 0.5) - 0.5) / fwidth(x / size);
  return 1.0 - min(min(g.x, g.y), 1.0);
}
void main() {
  vec2 x = spot.xy + shift;
  float fade = 1.0 - smoothstep(0.25 * reach, reach, length(spot.xy));
  float a = max(0.16 * lines(x, cell), 0.34 * lines(x, 5.0 * cell)) * fade * strength;
  if (a < 0.004) discard;
  gl_FragColor = vec4(ink, a);
  #include <colorspace_fragment>
}`;

export class Ground {
  // normal: a unit vector; cell: width of the grid; reach: how far it is seen.
  constructor(normal, cell, reach, shadows) {
    this.normal = normal;
    this.group = new T.Group();
    this.group.quaternion.setFromUnitVectors(new T.Vector3(0, 0, 1), normal);
    this.inverse = this.group.quaternion.clone().invert();
    this.material = new T.ShaderMaterial({
      vertexShader: vertex, fragmentShader: fragment, transparent: true, depthWrite: false, side: T.DoubleSide,
      uniforms: { ink: { value: new T.Color() }, shift: { value: new T.Vector2() }, cell: { value: cell }, reach: { value: reach }, strength: { value: 1 } },
    });
    const quad = new T.Mesh(new T.PlaneGeometry(2 * reach, 2 * reach), this.material);
    quad.renderOrder = -1;
    this.group.add(quad);
    if (shadows) {
      const shade = new T.Mesh(new T.PlaneGeometry(2 * reach, 2 * reach), new T.ShadowMaterial({ opacity: 0.16, depthWrite: false }));
      shade.receiveShadow = true;
      shade.renderOrder = -1;
      this.group.add(shade);
    }
  }

  // The quad stays below the camera's target; its lines stay where they are in the world.
  place(target, height, origin) {
    const above = target.clone().addScaledVector(this.normal, -target.dot(this.normal));
    this.group.position.copy(above).addScaledVector(this.normal, height - origin.dot(this.normal));
    const cell = 5 * this.material.uniforms.cell.value;
    const world = origin.clone().add(this.group.position).applyQuaternion(this.inverse);
    this.material.uniforms.shift.value.set(world.x % cell, world.y % cell);
  }
}
