"""The benchmark bicycle of bodies and joints in absolute coordinates: zeros are zeros, and the capsize speed is found.

J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab: Linearized dynamics equations for the balance and steer of a
bicycle: a benchmark and review. Proc. R. Soc. A 463 (2007) 1955–1982. Data of table 1, eigenvalues of table 2.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest
import scipy.optimize

import dalembert as da

WHEELBASE, TRAIL, TILT, REAR, FRONT = 1.02, 0.08, np.pi / 10, 0.3, 0.35
#: mass, moments of inertia (xx, yy, zz, xz) and centre of mass; axes x forward, y to the left, z up
FRAME = 85.0, (9.2, 11.0, 2.8, -2.4), np.array([0.3, 0.0, 0.9])
FORK = 4.0, (0.05892, 0.06, 0.00708, 0.00756), np.array([0.9, 0.0, 0.7])
#: axes of a wheel: z is its axle, to the right
AXLE = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
PUBLISHED = [-14.07838969279822, -0.77534188219585 - 4.46486771378823j, -0.77534188219585 + 4.46486771378823j,
             -0.32286642900409]  # fmt: skip


@functools.cache
def bicycle():
    m = da.Model("bicycle", gravity=(0, 0, -9.81))

    def part(name, mass, moments, place):
        xx, yy, zz, xz = moments
        inertia = np.array([[xx, 0, xz], [0, yy, 0], [xz, 0, zz]])
        return m.body(name, mass=mass, inertia=inertia, position=place)

    frame, fork = part("frame", *FRAME), part("fork", *FORK)
    head = np.array([WHEELBASE + TRAIL, 0.0, 0.0])  # where the steering axis meets the ground
    m.revolute("steer", frame.at(*(head - FRAME[2])), fork.at(*(head - FORK[2])),
               axis=(-np.sin(TILT), 0, np.cos(TILT)))  # fmt: skip
    for name, carrier, own, mass, moments, centre in (
        ("rear", frame, FRAME[2], 2.0, (0.0603, 0.0603, 0.12), np.array([0.0, 0.0, REAR])),
        ("front", fork, FORK[2], 3.0, (0.1405, 0.1405, 0.28), np.array([WHEELBASE, 0.0, FRONT])),
    ):
        wheel = m.body(f"{name} wheel", mass=mass, inertia=moments, position=centre, rotation=AXLE)
        m.revolute(f"{name} axle", carrier.at(*(centre - own), rotation=AXLE), wheel.at(0, 0, 0))
        m.rolling_disc(name, wheel, centre[2])
    return m.equations("absolute")


def linear(speed):
    equations = bicycle()
    rates = dict.fromkeys((name for name in equations.names["v"] if name.endswith(".vx")), speed)
    rates |= {"rear wheel.wz": -speed / REAR, "front wheel.wz": -speed / FRONT}
    v = np.array([rates.get(name, 0.0) for name in equations.names["v"]])
    return equations.linearise(equations.assemble(equations.assemble().q, v))


def test_independent_entries_do_not_turn_with_wheels():
    """In the axes of a wheel that rolls, coefficients would vary along the motion."""
    found = linear(5.0)
    assert found.steady and found.stable
    for value in PUBLISHED:
        assert np.min(np.abs(found.eigenvalues - value)) < 1e-9


def test_zeros_are_no_noise():
    """Places, speed and how far the wheels have turned: nothing depends on them, but for rounding."""
    found = linear(6.0)
    assert found.structural_zeros.sum() == 5 and len(found.idle) == 5
    zeros = found.eigenvalues[np.abs(found.eigenvalues) < 1e-3]
    assert len(zeros) == 6 and np.abs(zeros).max() < 1e-8  # with the heading


def test_a_search_finds_the_capsize_speed():
    def capsize(speed):
        found = linear(speed)
        return float(found.eigenvalues[np.abs(found.eigenvalues) < 0.1].sum().real)

    assert scipy.optimize.brentq(capsize, 6.0, 6.05, xtol=1e-6) == pytest.approx(6.02426201538837, abs=1e-5)
