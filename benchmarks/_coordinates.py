"""Mechanisms that turn, for runs in relative and in absolute coordinates.

A sensor of each says where something is, in the axes of the world: what both coordinates are compared by.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dalembert.model.model import Model
from dalembert.problems import mechanisms
from dalembert.problems.mechanisms import Example

#: Sensor that errors are measured by.
SENSORS = {
    "heavy top": "tip",
    "governor with stiff springs": "ball",
    "double pendulum": "tip",
    "four-bar linkage": "tip",
    "Stewart platform": "corner",
    "wheel on a turning carrier": "rim",
}


def double_pendulum() -> Example:
    """Two equal bars, released from a bent position; it moves for two seconds without becoming chaotic."""
    m = Model("double pendulum", plane="xy", gravity=(0, -9.81))
    upper = m.body("upper", mass=1.0, inertia=0.1, com=(0.5, 0.0))
    lower = m.body("lower", mass=1.0, inertia=0.1, com=(0.5, 0.0))
    A = m.revolute("A", m.ground.at(0, 0), upper.at(0, 0))
    B = m.revolute("B", upper.at(1, 0), lower.at(0, 0))
    m.sensor("tip", lower.at(1, 0).position)
    return Example(m, span=(0.0, 2.0), start={A.angle: 0.0, B.angle: 0.5})


def governor(stiffness: float = 1e6) -> Example:
    """A flyball governor: a spindle that turns freely, two balls on arms, and a sleeve that hangs on them by links.

    The links are springs so stiff that they could as well be bars; these forces turn with the mechanism.
    """
    m = Model("governor", gravity=(0, 0, -9.81))
    arm_length, offset, drop = 0.2, 0.04, 0.15
    spindle = m.body("spindle", mass=2.0, inertia=(0.02, 0.02, 0.01))
    sleeve = m.body("sleeve", mass=0.8, inertia=(2e-3, 2e-3, 3e-3), position=(0, 0, -2 * drop))
    m.revolute("S", m.ground.at(0, 0, 0), spindle.at(0, 0, 0), start={"angle": 0.0, "angle.rate": 15.0})
    m.prismatic("P", spindle.at(0, 0, 0), sleeve.at(0, 0, 0), start=-2 * drop)
    for k, side in enumerate((1.0, -1.0)):
        arm = m.body(f"arm{k}", mass=0.6, inertia=(3e-3, 3e-3, 1e-4), com=(0, 0, -arm_length))
        start = -side * np.arccos(drop / arm_length)
        m.revolute(f"A{k}", spindle.at(side * offset, 0, 0), arm.at(0, 0, 0), axis="y", start=start)
        m.spring(
            f"link{k}", arm.at(0, 0, -arm_length), sleeve.at(side * offset, 0, 0), stiffness, length=arm_length,
            damping=1e-3 * stiffness,
        )  # fmt: skip
    m.spring("return", spindle.at(0, 0, 0.05), sleeve.at(0, 0, 0), 100.0, length=0.3)
    m.sensor("ball", m["arm0"].at(0, 0, -arm_length).position)
    return Example(m, span=(0.0, 1.0))


def wheel() -> Example:
    """A wheel that turns a hundred times as fast as the carrier on which its axle is mounted; nothing else moves."""
    m = Model("wheel", gravity=(0, 0, -9.81))
    carrier = m.body("carrier", mass=3.0, inertia=(0.1, 0.1, 0.2), com=(0.1, 0, 0))
    disc = m.body("disc", mass=2.0, inertia=(0.01, 0.01, 0.02))
    m.revolute("A", m.ground.at(0, 0, 0), carrier.at(0, 0, 0), start={"angle": 0.0, "angle.rate": 1.0})
    m.revolute("B", carrier.at(0.3, 0, 0), disc.at(0, 0, 0), axis="x", start={"angle": 0.0, "angle.rate": 100.0})
    m.sensor("rim", disc.at(0, 0.1, 0).position)
    return Example(m, span=(0.0, 0.5))


MECHANISMS: dict[str, Callable[[], Example]] = {
    "heavy top": mechanisms.top,
    "governor with stiff springs": governor,
    "double pendulum": double_pendulum,
    "four-bar linkage": mechanisms.four_bar,
    "Stewart platform": mechanisms.stewart_platform,
    "wheel on a turning carrier": wheel,
}
