"""The benchmark bicycle: all questions at once, beside published eigenvalues.

J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab: Linearized dynamics equations for the balance and steer of a
bicycle: a benchmark and review. Proc. R. Soc. A 463 (2007) 1955–1982. Data of table 1, eigenvalues of table 2.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest
from equations.spatial import cross

import dalembert as da
from dalembert.symbolic import array, directional_derivative, jacobian

W, TRAIL, TILT, GRAVITY = 1.02, 0.08, np.pi / 10, 9.81
NAMES = ("x", "y", "z", "yaw", "roll", "pitch", "steer", "rear", "front")
REAR, FRONT = 0.3, 0.35  # radii
#: mass and moments of inertia (xx, yy, zz, xz); axes x forward, y to the right, z down
BODIES = {
    "rear wheel": (2.0, (0.0603, 0.12, 0.0603, 0.0)),
    "frame": (85.0, (9.2, 11.0, 2.8, 2.4)),
    "fork": (4.0, (0.05892, 0.06, 0.00708, -0.00756)),
    "front wheel": (3.0, (0.1405, 0.28, 0.1405, 0.0)),
}


def about(axis, angle):
    x, y, z = axis
    c, s = np.cos(angle), np.sin(angle)
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) * c + s * K + (1 - c) * np.outer(axis, axis)


def pieces(q):
    """Orientation of frame and fork, centres of mass; q = rear wheel's centre, yaw, roll, pitch, steer, spins."""
    x, y, z = np.eye(3)
    frame = about(z, q[3]) @ about(x, q[4]) @ about(y, q[5])
    fork = frame @ about(np.array([np.sin(TILT), 0, np.cos(TILT)]), q[6])
    rear = q[:3]
    on_axis = rear + frame @ np.array([W + TRAIL, 0, REAR])  # where the steering axis meets the ground
    centres = {
        "rear wheel": rear,
        "frame": rear + frame @ np.array([0.3, 0, -0.9 + REAR]),
        "fork": on_axis + fork @ np.array([0.9 - W - TRAIL, 0, -0.7]),
        "front wheel": on_axis + fork @ np.array([-TRAIL, 0, -FRONT]),
    }
    return frame, fork, centres


def contact(axle, radius):
    """From the centre of a wheel to its lowest point."""
    down = np.array([0, 0, 1.0]) - axle[2] * axle
    return radius * down / np.sqrt(down @ down)


def turning(q, v, frame, fork):
    """Angular velocities of all bodies, in the axes of the world."""
    x, y, z = np.eye(3)
    yawed = about(z, q[3])
    of_frame = v[3] * z + v[4] * (yawed @ x) + v[5] * (yawed @ about(x, q[4]) @ y)
    of_fork = of_frame + v[6] * (frame @ np.array([np.sin(TILT), 0, np.cos(TILT)]))
    return {
        "rear wheel": of_frame + v[7] * frame[:, 1], "frame": of_frame, "fork": of_fork,
        "front wheel": of_fork + v[8] * fork[:, 1],
    }  # fmt: skip


def tensors(frame, fork):
    for name, (_, (xx, yy, zz, xz)) in BODIES.items():
        R = fork if name.startswith("f") and name != "frame" else frame
        yield name, R @ np.array([[xx, 0, xz], [0, yy, 0], [xz, 0, zz]]) @ R.T


@functools.cache
def bicycle():
    def motion(q, v):
        frame, fork, centres = pieces(q)
        spins = turning(q, v, frame, fork)
        velocities = {name: directional_derivative(array(r), q, v) for name, r in centres.items()}
        return frame, fork, centres, velocities, {name: array(w) for name, w in spins.items()}

    def forces(q, v):
        frame, fork, _, velocities, spins = motion(q, v)
        inertia = dict(tensors(frame, fork))
        total = np.zeros(9)
        for name, (m, _) in BODIES.items():
            J, turn = jacobian(velocities[name], v), jacobian(spins[name], v)
            bent, twisted = (directional_derivative(x[name], q, v) for x in (velocities, spins))
            weight = np.array([0, 0, m * GRAVITY])
            moment = inertia[name] @ twisted + cross(spins[name], inertia[name] @ spins[name])
            total = total + J.T @ (weight - m * bent) - turn.T @ moment
        return array(total)

    def M(q):
        v = array([q[0].graph.variable(f"unit{k}") for k in range(9)])
        frame, fork, _, velocities, spins = motion(q, v)
        inertia = dict(tensors(frame, fork))
        mass = np.zeros((9, 9))
        for name, (m, _) in BODIES.items():
            J, turn = jacobian(velocities[name], v), jacobian(spins[name], v)
            mass = mass + m * J.T @ J + turn.T @ inertia[name] @ turn
        return mass  # velocities are linear in v, so nothing of it is left

    def g(q):
        frame, fork, centres = pieces(q)
        return np.array([
            (centres["rear wheel"] + contact(frame[:, 1], REAR))[2],
            (centres["front wheel"] + contact(fork[:, 1], FRONT))[2],
        ])  # fmt: skip

    def rolling(q, v):
        frame, fork, _, velocities, spins = motion(q, v)
        rear = velocities["rear wheel"] + cross(spins["rear wheel"], contact(frame[:, 1], REAR))
        front = velocities["front wheel"] + cross(spins["front wheel"], contact(fork[:, 1], FRONT))
        return np.array([*rear[:2], *front[:2]])

    rows = ["rear on the ground", "front on the ground", "rear x", "rear y", "front x", "front y"]
    return da.trace(M=M, f=forces, g=g, nonholonomic=rolling, n_q=9, names={"q": NAMES, "lam": rows}, name="bicycle")


def upright(speed):
    return bicycle().assemble(
        {"z": -REAR}, {"x.rate": speed, "rear.rate": -speed / REAR, "front.rate": -speed / FRONT},
        held_velocities=["x.rate", "roll.rate", "steer.rate"],
    )  # fmt: skip


PUBLISHED = {  # table 2: weave, capsize, castering
    0.0: [3.13164324790656, -3.13164324790656, 5.53094371765393, -5.53094371765393],
    5.0: [-0.77534188219585 + 4.46486771378823j, -0.77534188219585 - 4.46486771378823j, -0.32286642900409,
          -14.07838969279822],
}  # fmt: skip


@pytest.mark.parametrize("speed", PUBLISHED)
def test_eigenvalues_of_the_benchmark_bicycle(speed):
    start = upright(speed)
    assert start.a == pytest.approx(0, abs=1e-9) and start.v[0] == speed
    found = bicycle().linearise(start, independent=["roll", "steer"])
    assert found.counts == (7, 3, 0) and found.steady and found.stable == (speed == 5.0)
    for value in PUBLISHED[speed]:
        assert np.min(np.abs(found.eigenvalues - value)) < 1e-11
    others = [x for x in found.eigenvalues if min(abs(x - y) for y in PUBLISHED[speed]) > 1e-6]
    assert len(others) == 6 and np.max(np.abs(others)) == 0  # place, heading, and how far the wheels have turned


def test_freedom_of_the_bicycle():
    found = bicycle().degrees_of_freedom(upright(0.0).q)
    assert (found.dof, found.velocity_dof, found.redundant) == (7, 3, ())


def test_turns_without_hands_begin_at_the_capsize_speed():
    """The lean is given; speed, steering, pitch and heading rate follow. For small lean the speed is that at which the
    straight motion loses its stability, 6.024 262 015 388 37 m/s; and the motion goes on as it is."""
    start = upright(6.0)
    for lean in (0.001, 0.05):
        q = np.array(start.q)
        q[4] = lean
        turn = bicycle().equilibrium(
            q, start.v, held=["roll"], velocities={"roll.rate": 0.0, "steer.rate": 0.0, "rear.rate": None}
        )
        assert turn.q[4] == lean and turn.v[3] == pytest.approx(GRAVITY * lean / 6.02, rel=0.03)
        if lean == 0.001:
            assert -turn.v[7] * REAR == pytest.approx(6.02426201538837, rel=1e-5)
    run = da.simulate(bicycle(), (0, 1.0), turn, rtol=1e-10, atol=1e-12)
    assert run.q[[4, 6], -1] == pytest.approx(turn.q[[4, 6]], abs=1e-7)
    assert np.hypot(*run.v[:2, -1]) == pytest.approx(np.hypot(*turn.v[:2]), abs=1e-7)
