"""Random trees of joints for the tests, and what can be said of them by other means."""

from __future__ import annotations

import numpy as np

from dalembert.equations.recursion import Link
from dalembert.symbolic import Base, Graph, Point, Vector, evaluate, time_derivative
from dalembert.symbolic.mechanics import angular_velocity, rigid_body_inertia_forces, velocity, virtual_power

MOVING = ("revolute", "prismatic", "screw", "spherical", "free")


def rotation(p):
    """R of Euler parameters of any length."""
    w, x, y, z = p / np.linalg.norm(p)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def about_z(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def L(p):
    """ω = 2 L(p) ṗ in axes of the body."""
    p0, p1, p2, p3 = p
    return np.array([[-p1, p0, p3, -p2], [-p2, -p3, p0, p1], [-p3, p2, -p1, p0]])


def random_link(rng, kind, parent, name="", massless=False):
    B = rng.standard_normal((3, 3))
    spread = B @ B.T + 0.2 * np.eye(3)
    return Link(
        kind, parent, R=rotation(rng.standard_normal(4)), r=rng.standard_normal(3), pitch=rng.normal(), name=name,
        mass=0.0 if massless else rng.uniform(0.5, 2.0), com=0.3 * rng.standard_normal(3),
        inertia=np.zeros((3, 3)) if massless else 0.1 * (np.trace(spread) * np.eye(3) - spread),
    )  # fmt: skip


def random_tree(rng, kinds):
    return [random_link(rng, kind, int(rng.integers(-1, i)) if i else -1, f"l{i}") for i, kind in enumerate(kinds)]


def random_state(rng, tree):
    return rng.standard_normal(tree.n_q), rng.standard_normal(tree.n_v), rng.standard_normal(tree.n_v)


def poses(links, tree, q):
    """Rotation matrices and origins of all frames, link by link."""
    found = []
    for i, link in enumerate(links):
        x = q[tree.q_places[i] : tree.q_places[i + 1]]
        R, r = found[link.parent] if link.parent >= 0 else (np.eye(3), np.zeros(3))
        r, R = r + R @ link.r, R @ (rotation(np.array(link.R)) if np.shape(link.R) == (4,) else np.array(link.R))
        if link.kind == "free":
            r, R = r + R @ x[:3], R @ rotation(x[3:])
        elif link.kind == "spherical":
            R = R @ rotation(x)
        elif link.kind != "fixed":
            along = {"revolute": 0.0, "prismatic": 1.0, "screw": link.pitch}[link.kind]
            r = r + along * x[0] * R[:, 2]
            R = R if link.kind == "prismatic" else R @ about_z(x[0])
        found.append((R, r))
    return found


def torques_by_virtual_power(links, tree, q, v, a, gravity):
    """Forces of the joints by the principle of virtual power on atoms; joints with angles, lengths, Euler parameters.

    Rates of Euler parameters are generalised velocities there; forces are brought back to ω at the end.
    """
    graph = Graph()
    world = Base.root(graph)
    frames = {-1: (world, Point.root(world))}
    values, coordinates, contributions = {}, [], []
    for i, link in enumerate(links):
        base, point = frames[link.parent]
        x = graph.coordinates(f"q{i}_", link.joint.n_q) if link.joint.n_q else []
        coordinates += list(x)
        first_q, first_v = tree.q_places[i], tree.v_places[i]
        placed = base.turned(f"placed{i}", link.R)
        moved = point.moved(f"placed{i}", base.vector(*link.r))
        if link.kind in ("prismatic", "screw"):
            moved = moved.moved(f"along{i}", placed.vector(0, 0, x[0] * (link.pitch if link.kind == "screw" else 1.0)))
        if link.kind in ("revolute", "screw"):
            placed = placed.rotated(f"turned{i}", (0, 0, 1), x[0])
        elif link.kind == "spherical":
            placed = placed.euler_parameters(f"turned{i}", x)
        frames[i] = placed, moved
        com = moved.moved(f"com{i}", placed.vector(*link.com))
        force, moment = rigid_body_inertia_forces(
            link.mass, com, placed.tensor(np.array(link.inertia)), gravity=world.vector(*gravity)
        )
        contributions += [(force, velocity(com)), (moment, angular_velocity(placed))]
        if link.kind == "spherical":
            p, w, dw = q[first_q : first_q + 4], v[first_v : first_v + 3], a[first_v : first_v + 3]
            rate = 0.5 * L(p).T @ w
            numbers = p, rate, 0.5 * L(p).T @ dw + 0.5 * L(rate).T @ w
        else:
            numbers = q[first_q : first_q + 1], v[first_v : first_v + 1], a[first_v : first_v + 1]
        for k, symbol in enumerate(x):
            for number, one in zip(numbers, (symbol, symbol.dt, symbol.dt.dt), strict=True):
                values[one] = number[k]
    assert isinstance(contributions[0][0], Vector)
    found = -evaluate(virtual_power(contributions, [time_derivative(x) for x in coordinates]), values)
    result = []
    for i, link in enumerate(links):
        part = found[tree.q_places[i] : tree.q_places[i + 1]]
        p = q[tree.q_places[i] : tree.q_places[i + 1]]
        result += list(0.5 * L(p) @ part if link.kind == "spherical" else part)
    return np.array(result)
