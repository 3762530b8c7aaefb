"""Pendulums, chains, and the IFToMM benchmarks A01 and A02 as models."""

from __future__ import annotations

import numpy as np

from dalembert.model.model import Model
from dalembert.problems import iftomm_four_bars, iftomm_pendulum
from dalembert.problems.mechanisms.example import Example
from dalembert.problems.problem import with_checked_options


@with_checked_options
def pendulum(amplitude: float = 2.0) -> Example:
    """A physical pendulum, released at rest at an angle from its lowest position.

    Its period is 4 K(sin(amplitude/2)) √(I/(m g s)), where I is the inertia about the hinge.
    """
    m = Model("pendulum", plane="xy", gravity=(0, -9.81))
    body = m.body("body", mass=2.0, inertia=0.3, com=(0.4, 0.0))
    A = m.revolute("A", m.ground.at(0, 0, angle=-np.pi / 2), body.at(0, 0))
    m.sensor("com", body.com.position)
    return Example(m, span=(0.0, 3.0), start={A.angle: amplitude}, conserved={"energy": m.energy})


@with_checked_options
def a01(t_end: float = 2000.0) -> Example:
    """IFToMM A01: a point mass on a massless bar, released at rest from the horizontal."""
    p = iftomm_pendulum.PARAMETERS
    m = Model("A01", plane="xy", gravity=(0, -p["g"]))
    bar = m.body("bar", mass=p["m"], inertia=0.0, com=(p["L"], 0))
    A = m.revolute("A", m.ground.at(0, 0), bar.at(0, 0))
    m.sensor("mass", bar.com.position)
    return Example(m, span=(0.0, t_end), start={A.angle: 0.0}, conserved={"energy": m.energy})


@with_checked_options
def a02(n: int = 40, t_end: float = 20.0) -> Example:
    """IFToMM A02: a row of ``n`` four-bar mechanisms, which passes through positions where constraints lose rank."""
    m = Model("A02", plane="xy", gravity=(0, -iftomm_four_bars.GRAVITY))
    bars = []
    for i in range(2 * n + 1):
        kind = "crank" if i % 2 == 0 else "coupler"
        bars.append(m.body(f"{kind}{i // 2}", mass=1.0, inertia=1.0 / 12.0, com=(0.5, 0.0)))
    cranks, couplers = bars[::2], bars[1::2]
    for j, crank in enumerate(cranks):
        m.revolute(f"A{j}", m.ground.at(float(j), 0), crank.at(0, 0), start={"angle": np.pi / 2, "angle.rate": -1.0})
    for j, coupler in enumerate(couplers):
        m.revolute(f"B{j}", cranks[j].at(1, 0), coupler.at(0, 0), start={"angle": -np.pi / 2, "angle.rate": 1.0})
        m.revolute(f"C{j}", coupler.at(1, 0), cranks[j + 1].at(1, 0), cut=True)
    m.sensor("top", cranks[0].at(1, 0).position)
    m.sensor("speed of the top", cranks[0].at(1, 0).velocity)
    return Example(
        m,
        span=(0.0, t_end),
        start={m["A0"].angle: np.pi / 2, m["A0"].rate: -1.0},
        conserved={"energy": m.energy},
    )


@with_checked_options
def chain(n: int = 4) -> Example:
    """A chain of bodies in space, joined by hinges about different axes; released from a bent position."""
    m = Model("chain", gravity=(0, 0, -9.81))
    last = m.ground.at(0, 0, 0)
    for i in range(n):
        share = (i % 7) / 7.0
        link = m.body(f"link{i}", mass=1.0 + share, inertia=(0.10, 0.11, 0.12), com=(0.5, 0.05, 0.0))
        start = {"angle": 0.3, "angle.rate": 0.5 - share}
        m.revolute(f"J{i}", last, link.at(0, 0, 0), axis="xyz"[(i + 1) % 3], start=start)
        last = link.at(1.0, 0.0, 0.1)
    m.sensor("tip", last.position)
    return Example(m, span=(0.0, 1.0), conserved={"energy": m.energy})
