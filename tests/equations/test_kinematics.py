"""Driven mechanisms beside closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from equations.spatial import GRAVITY, bodies, four_bar_angles, planar_pose, revolute
from equations.systems import difference, four_bar

import dalembert as da
from dalembert.errors import ConstraintError, StateError

R, L, OMEGA = 0.3, 0.8, 4.0


def slider_crank(drive):
    """Crank and rod in absolute coordinates (x, y, φ), a sliding point; driven by one more row."""

    def end(q, k, s):
        return np.array([q[3 * k] + s * np.cos(q[3 * k + 2]), q[3 * k + 1] + s * np.sin(q[3 * k + 2])])

    def g(t, q):
        tip = end(q, 1, L / 2)
        return np.array([
            *end(q, 0, -R / 2), *(end(q, 1, -L / 2) - end(q, 0, R / 2)), tip[1], tip[0] - q[6], drive(t, q)
        ])  # fmt: skip

    masses = [0.5, 0.5, 0.004, 1.2, 1.2, 0.06, 2.0]
    return da.trace(
        M=lambda: np.diag(masses), f=lambda: np.array([0, -0.5, 0, 0, -1.2, 0, 0]) * GRAVITY, g=g, n_q=7,
        names={"q": ["xc", "yc", "crank", "xr", "yr", "rod", "slider"],
               "lam": ["A.x", "A.y", "B.x", "B.y", "guide", "pin", "drive"]}, name="slider-crank",
    )  # fmt: skip


def closed_form(t, crank=lambda t: OMEGA * t + 0.2):
    phi = crank(t)
    rod = -np.arcsin(R * np.sin(phi) / L)
    return np.array([
        R / 2 * np.cos(phi), R / 2 * np.sin(phi), phi, R * np.cos(phi) + L / 2 * np.cos(rod),
        R * np.sin(phi) + L / 2 * np.sin(rod), rod, R * np.cos(phi) + L * np.cos(rod),
    ])  # fmt: skip


CRANKED = slider_crank(lambda t, q: q[2] - OMEGA * t - 0.2)


def test_slider_crank_turned_by_its_crank():
    times = np.linspace(0, 2.0, 41)
    found = CRANKED.kinematics(times, closed_form(0.0) + 0.05)
    expected = np.stack([closed_form(t) for t in times], axis=1)
    assert found.q == pytest.approx(expected, abs=1e-11)
    rates = np.stack([difference(closed_form, t) for t in times], axis=1)
    assert found.v == pytest.approx(rates, abs=1e-9)
    second = np.stack([difference(lambda s: difference(closed_form, s), t) for t in times], axis=1)
    assert found.a == pytest.approx(second, abs=1e-6)
    assert found["slider"] is not None and found["slider"] == pytest.approx(expected[6], abs=1e-11)
    assert found.state(3).t == times[3] and "7 coordinates at 41 instants" in repr(found)
    # Power of the drive = rate of the energy: −λ φ̇ is the power of the reaction on the crank.
    masses = np.array([0.5, 0.5, 0.004, 1.2, 1.2, 0.06, 2.0])
    for k in (0, 7, 33):

        def energy(t):
            q, v = closed_form(t), difference(closed_form, t)
            return 0.5 * v @ (masses * v) + GRAVITY * (0.5 * q[1] + 1.2 * q[4])

        assert -found["drive"][k] * OMEGA == pytest.approx(difference(energy, times[k]), rel=1e-6, abs=1e-6)


def test_wide_steps_stay_on_the_same_branch():
    """A quarter of a turn between instants, also past half a turn at once."""
    times = np.array([0.0, 0.4, 1.3, 2.9])
    found = CRANKED.kinematics(times, closed_form(0.0))
    assert found.q == pytest.approx(np.stack([closed_form(t) for t in times], axis=1), abs=1e-11)


def test_the_motion_is_that_of_the_simulation():
    found = CRANKED.kinematics([0.0, 0.5], closed_form(0.0))
    run = da.simulate(CRANKED, (0, 0.5), found.state(0), rtol=1e-10, atol=1e-12)
    assert run.q[:, -1] == pytest.approx(found.q[:, 1], abs=1e-8)
    assert run.lam[:, -1] == pytest.approx(found.lam[:, 1], rel=1e-6, abs=1e-6)


def test_dead_centres_are_reported_with_their_instant():
    """The slider is pushed out with constant speed: stretched at x = R + L."""
    speed = 0.25
    pushed = slider_crank(lambda t, q: q[6] - 0.9 - speed * t)
    start = np.arccos((0.9**2 + R**2 - L**2) / (2 * 0.9 * R))
    q = closed_form(0.0, lambda t: start)
    dead = (R + L - 0.9) / speed
    found = pushed.kinematics([0, 0.5, 0.9 * dead], q)
    assert found["slider"] == pytest.approx([0.9, 0.9 + 0.5 * speed, 0.9 + 0.9 * speed * dead])
    for times in ([0, 0.5, 2 * dead], [0.0, dead]):
        with pytest.raises(
            ConstraintError, match=r"the position at t = ([\d.]+) is singular \(a dead centre\)"
        ) as error:
            pushed.kinematics(times, q)
        instant = float(str(error.value).split("t = ")[1].split(" is")[0])
        assert instant == pytest.approx(dead, abs=1e-6)
    with pytest.raises(ConstraintError, match="singular"):
        pushed.kinematics([dead], closed_form(0.0, lambda t: 0.0))


def test_what_is_not_driven_is_named():
    free = da.trace(
        M=lambda: np.eye(3), f=lambda q: -q, g=lambda t, q: [q[0] - t, q[1] - 2 * t], n_q=3,
        names={"q": ["x", "y", "z"]}, name="slides",
    )  # fmt: skip
    with pytest.raises(ConstraintError, match=r"but this one has 1: a motion of z\.rate is not driven; add drives"):
        free.kinematics([0, 1], [0, 0, 0])
    with pytest.raises(ConstraintError, match="but this one has 1"):
        four_bar().kinematics([0], [0.3, 0.4, 0.9, 1.5, 1.2, 0.2, 2.3, 0.7, 1.9])
    with pytest.raises(StateError, match="times must be rising"):
        CRANKED.kinematics([0, 1, 1], closed_form(0.0))
    short = slider_crank(lambda t, q: q[6] - 5.0)
    with pytest.raises(ConstraintError, match="cannot be assembled"):
        short.kinematics([0], closed_form(0.0))


def test_spatial_four_bar_with_redundant_constraints():
    """Driven by the crank's axis; Euler parameters are followed through whole turns."""
    a, b, c, d = lengths = (1.0, 2.0, 1.5, 2.2)

    def g(t, q):
        phi = 0.8 + 2.0 * t
        return np.array([
            *revolute(q, -1, (0, 0, 0), 0, (-a / 2, 0, 0)), *revolute(q, 0, (a / 2, 0, 0), 1, (-b / 2, 0, 0)),
            *revolute(q, 1, (b / 2, 0, 0), 2, (c / 2, 0, 0)), *revolute(q, 2, (-c / 2, 0, 0), -1, (d, 0, 0)),
            q[0] * np.sin(phi) - q[1] * np.cos(phi),
        ])  # fmt: skip

    equations = bodies(3, g, [f"row {k}" for k in range(21)], "driven")

    def poses(t):
        crank = 0.8 + 2.0 * t
        coupler, rocker = four_bar_angles(crank, lengths)
        B = np.array([np.cos(crank), np.sin(crank)])
        return np.concatenate([
            planar_pose(*(B / 2), crank), planar_pose(*(B + np.array([np.cos(coupler), np.sin(coupler)])), coupler),
            planar_pose(d + c / 2 * np.cos(rocker), c / 2 * np.sin(rocker), rocker),
        ])  # fmt: skip

    times = np.linspace(0, 4.0, 30)
    found = equations.kinematics(times, poses(0.0), redundant="accept")
    expected = np.stack([poses(t) for t in times], axis=1)
    for k in range(3):
        assert found.q[7 * k : 7 * k + 3] == pytest.approx(expected[7 * k : 7 * k + 3], abs=1e-9)
        turned = np.abs(np.sum(found.q[7 * k + 3 : 7 * k + 7] * expected[7 * k + 3 : 7 * k + 7], axis=0))
        assert turned == pytest.approx(1, abs=1e-9)  # p and −p are the same rotation
    assert found["0.wz"] == pytest.approx(2.0) and np.max(np.abs(found["0.wx"])) < 1e-9


def test_large_systems():
    """A column of 450 sliders, each driven relative to the one below it."""
    n = 450
    column = da.Elements("column", coordinates=n)
    column.add("mass", coordinates=[[k] for k in range(n)], M=lambda: 2.0 * np.eye(1))
    column.add("first", coordinates=[[0]], g=lambda q, t: np.array([q[0] - np.sin(t)]))
    column.add(
        "next", coordinates=[[k, k + 1] for k in range(n - 1)], g=lambda q, t: np.array([q[1] - q[0] - 0.1 * t**2])
    )
    found = column.equations().kinematics([0.0, 0.7], np.zeros(n))
    k = np.arange(n)
    assert found.q[:, 1] == pytest.approx(np.sin(0.7) + k * 0.049) and found.v[:, 1] == pytest.approx(
        np.cos(0.7) + k * 0.14
    )
    assert found.a[:, 1] == pytest.approx(-np.sin(0.7) + 0.2 * k)
    # The drive of each accelerates all above it.
    assert -found.lam[:, 1] == pytest.approx(2.0 * np.cumsum(found.a[::-1, 1])[::-1], rel=1e-9, abs=1e-9)
