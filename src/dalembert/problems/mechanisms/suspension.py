"""A double wishbone suspension on a road."""

from __future__ import annotations

import numpy as np

from dalembert.model.model import Model
from dalembert.problems.mechanisms.example import Example


def double_wishbone() -> Example:
    """A quarter of a car: the chassis slides vertically, two wishbones carry the upright, a rod holds its steering.

    x points forward, y to the left, z upwards.  The wheel turns on the upright and rolls over a road by a vertical tyre
    spring; the strut stands between the lower wishbone and the chassis.
    """
    m = Model("double wishbone", gravity=(0, 0, -9.81))
    chassis = m.body("chassis", mass=320.0, inertia=(30.0, 60.0, 60.0), position=(0, 0, 0.5))
    m.prismatic("body", m.ground.at(0, 0, 0), chassis.at(0, 0, 0), start=0.5)

    def arm(name: str, mass: float, hinge: tuple[float, ...], end: tuple[float, ...]) -> None:
        # The frame of an arm is parallel to that of the chassis at the start; its origin is on the hinge.
        offset = np.subtract(end, hinge)
        inertia = mass * np.array([0.02, 0.012, 0.025])
        body = m.body(name, mass=mass, inertia=inertia, com=0.5 * offset)
        m.revolute(f"{name} hinge", chassis.at(*hinge), body.at(0, 0, 0), axis=(1.0, 0.0, 0.03))

    upper_hinge, upper_ball = (0.0, 0.36, 0.06), (-0.015, 0.62, 0.05)
    lower_hinge, lower_ball = (0.02, 0.30, -0.20), (0.01, 0.68, -0.23)
    arm("upper arm", 1.8, upper_hinge, upper_ball)
    arm("lower arm", 2.6, lower_hinge, lower_ball)
    # The frame of the upright has its origin in the centre of the wheel.
    centre = np.array([0.0, 0.76, -0.18])
    upright = m.body(
        "upright", mass=7.0, inertia=(0.12, 0.15, 0.11), com=(0.0, -0.03, 0.0), position=np.add(centre, (0, 0, 0.5))
    )
    m.spherical(
        "upper ball", m["upper arm"].at(*np.subtract(upper_ball, upper_hinge)), upright.at(*(upper_ball - centre))
    )
    m.spherical(
        "lower ball",
        m["lower arm"].at(*np.subtract(lower_ball, lower_hinge)),
        upright.at(*(lower_ball - centre)),
        cut=True,
    )
    rack, steering = np.array([-0.14, 0.33, -0.10]), np.array([-0.13, 0.66, -0.11])
    m.distance("tie rod", chassis.at(*rack), upright.at(*(steering - centre)), float(np.linalg.norm(steering - rack)))
    wheel = m.body("wheel", mass=14.0, inertia=(0.5, 0.9, 0.5))
    spin = {"angle": 0.0, "angle.rate": 40.0}
    m.revolute("bearing", upright.at(0, 0, 0), wheel.at(0, 0, 0), axis="y", start=spin)
    m.spring("strut", chassis.at(0.0, 0.42, 0.16), m["lower arm"].at(0.0, 0.24, -0.015), 52e3, 3400.0, length=0.40)
    m.tyre("tyre", wheel, 0.33, 190e3, 150.0, road=lambda t: 0.02 * (1.0 - np.cos(25.0 * t)))
    m.sensor("hub", upright.at(0, 0, 0).position)
    m.sensor("rim", wheel.at(0.2, 0.0, 0.1).position)
    m.sensor("steer", upright.rotation[:, 1])
    return Example(m, span=(0.0, 0.2))
