"""A spatial triple pendulum, from bodies to motion.

Three rigid links hang from each other on universal joints, which makes six angles.  The script derives the equations of
motion by virtual power, shows how many atoms and operations they take, compiles them, swings the pendulum for ten
seconds with a classical Runge–Kutta method, checks the energy, and leaves a picture in build/demo.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

import dalembert.symbolic as sym
from dalembert.symbolic.mechanics import (
    Base,
    Point,
    angular_velocity,
    position,
    rigid_body_inertia_forces,
    velocity,
    virtual_power,
)

LINKS = 3
SECONDS, STEP = 10.0, 1e-3


def pendulum() -> tuple[sym.CompiledFunction, sym.Report]:
    """Compiled mass matrix, forces, energy and joint positions of the pendulum."""
    g = sym.Graph()
    q = g.coordinates("q", 2 * LINKS)
    v, a = q.dt, q.dt.dt
    mass, length, gravity = p = g.parameters("mass length gravity")

    world = Base.root(g, "world")
    base, joint = world, Point.root(world, "O")
    down = world.vector(0, 0, -gravity)
    powers, energy, joints = [], 0.0, [joint]
    for i in range(LINKS):
        tilted = base.rotated(f"tilt {i}", axis=(1, 0, 0), angle=q[2 * i])
        base = tilted.rotated(f"link {i}", axis=(0, 1, 0), angle=q[2 * i + 1])
        center = joint.moved(f"center {i}", base.vector(0, 0, -length / 2))
        joint = joint.moved(f"joint {i + 1}", base.vector(0, 0, -length))
        inertia = base.tensor(np.diag([1 / 12, 1 / 12, 1 / 600]) * mass * length**2)

        force, moment = rigid_body_inertia_forces(mass, center, inertia, gravity=down)
        w, v_center = angular_velocity(base), velocity(center)
        powers += [(force, v_center), (moment, w)]
        energy = energy + 0.5 * (mass * v_center.dot(v_center) + w.dot(inertia @ w))
        energy = energy - mass * down.dot(position(joints[0], center))
        joints.append(joint)

    # Virtual power of inertia and weight vanishes: f - M a = 0.
    balance = virtual_power(powers, v)
    minus_M, f = sym.linear_coefficients(balance, a)
    places = sym.array([position(joints[0], point).components(world) for point in joints[1:]])
    outputs = {"M": -minus_M, "f": f, "energy": energy, "joints": places}
    inputs = {"p": p, "q": q, "v": v}
    return sym.compile(outputs, inputs, name="triple_pendulum", staged=True), sym.report(outputs, inputs)


def swing(model: sym.CompiledFunction) -> dict[str, np.ndarray]:
    """Ten seconds of motion: states by Runge–Kutta 4, energy and joint positions at all points by ``map``."""
    point = model.workspace()
    parameters = [1.0, 0.5, 9.81]
    point.set(p=parameters)
    n = 2 * LINKS

    def rate(state: np.ndarray) -> np.ndarray:
        point.set(q=state[:n], v=state[n:])
        M, f = point.evaluate("M", "f")
        return np.concatenate([state[n:], np.linalg.solve(M, f)])

    steps = round(SECONDS / STEP)
    states = np.empty((steps + 1, 2 * n))
    states[0] = [0.6, 1.2, 0.2, 0.4, -0.3, 0.1, *[0.0] * n]
    for k in range(steps):
        x = states[k]
        k1 = rate(x)
        k2 = rate(x + STEP / 2 * k1)
        k3 = rate(x + STEP / 2 * k2)
        k4 = rate(x + STEP * k3)
        states[k + 1] = x + STEP / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    everywhere = model.map(p=parameters, q=states[:, :n], v=states[:, n:])
    return {"t": STEP * np.arange(steps + 1), "energy": everywhere["energy"], "joints": everywhere["joints"]}


def draw(run: dict[str, np.ndarray], path: Path) -> None:
    """Path of the tip in space, and how well the energy is kept."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=(11, 5))
    space = figure.add_subplot(1, 2, 1, projection="3d")
    tip = run["joints"][:, -1]
    points = space.scatter(*tip[::10].T, c=run["t"][::10], s=2, cmap="viridis")
    chain = np.vstack([np.zeros(3), run["joints"][0]])
    space.plot(*chain.T, "o-", color="black", label="start")
    space.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]", title="Path of the tip")
    space.legend()
    figure.colorbar(points, ax=space, label="t [s]", shrink=0.7, pad=0.1)
    drift = figure.add_subplot(1, 2, 2)
    drift.plot(run["t"], run["energy"] - run["energy"][0])
    drift.set(xlabel="t [s]", ylabel="E(t) - E(0) [J]", title="Energy")
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)


def main() -> None:
    """Derive, compile, run, report."""
    start = time.perf_counter()
    model, table = pendulum()
    derived = time.perf_counter()
    print(f"Spatial triple pendulum: {LINKS} links, {2 * LINKS} angles\n")
    print(table)
    where = "found in the cache" if model.from_cache else "compiled to machine code"
    print(f"\nDerived, counted and {where} in {derived - start:.3f} s.")

    run = swing(model)
    steps = run["t"].size - 1
    drift = np.abs(run["energy"] - run["energy"][0]).max()
    print(f"{SECONDS:g} s of motion in {steps} Runge-Kutta steps: {time.perf_counter() - derived:.2f} s.")
    rise = np.ptp(run["joints"][:, -1, 2])
    print(f"The tip rises and falls by {rise:.2f} m; energy is kept to {drift:.1e} J.")
    path = Path("build/demo/triple_pendulum.png")
    draw(run, path)
    print(f"Picture: {path}")


if __name__ == "__main__":
    main()
