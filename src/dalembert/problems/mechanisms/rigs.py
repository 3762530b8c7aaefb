"""A rear axle on a test rig: one wheel is moved by a stamp, the other stands on its tyre.

    M. Arnold, A. Fuchs, C. Führer, Efficient corrector iteration for DAE time integration in multibody dynamics,
    Computer Methods in Applied Mechanics and Engineering 195 (2006) 6958–6973: Fig. 1, a rear axle on a stamp, whose
    constraint depends on time.

The paper gives no data of it.  Here it is the rear half of the HMMWV14 (``vehicles`` says where its data are from),
with these assumptions besides:

- The chassis is held, at the height where the vehicle stands on level ground.
- Wheels hang in their lower arms; the balls of the upper arms and the tie rods close loops.
- The stamp holds the centre of the left wheel at a height, in both directions; nothing holds it along and across.  It
  moves by 50 mm to either side, with a frequency that grows linearly from 0.5 to 8 Hz within 10 s.
- A bar of 6000 N m/rad between the lower arms, which twists where these turn differently, lets the right wheel feel
  what the left one does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.model.model import Model
from dalembert.problems.mechanisms.example import Example
from dalembert.problems.mechanisms.vehicles import (
    CHASSIS_CENTRE,
    FREE_LENGTHS,
    START,
    WHEEL_RADIUS,
    HardPoints,
    add_lower_arm,
    add_springs,
    add_tie_rod,
    add_upper_arm_and_wheel,
    hard_points,
    mirrored,
)
from dalembert.problems.problem import ProblemError, observed, with_checked_options

#: The road below the chassis in equilibrium, and above it the centres of the rear wheels.
ROAD = CHASSIS_CENTRE[2] - START[False]["height"]
HUB = 0.44923347
#: Of the stamp: amplitude, first and last frequency, and the time in which the one becomes the other.
AMPLITUDE, SLOWEST, FASTEST, SWEEP = 0.05, 0.5, 8.0, 10.0
BAR = 6000.0
SIDES = ("LR", "RR")


@with_checked_options
def axle_rig(
    amplitude: float = AMPLITUDE, fastest: float = FASTEST, slowest: float = SLOWEST, bar: float = BAR
) -> Example:
    """The rear axle of the HMMWV on a rig: a stamp moves the left wheel up and down, faster and faster.

    :param amplitude: of the stamp, in m; ``slowest``, ``fastest``: its frequency at the start and after 10 s, in Hz
    :param bar: stiffness of the bar between the lower arms, in N m/rad; 0 for none

    The height of the stamp is the input ``stamp``, so that the equations have an excitation.  Parameters are
    ``amplitude``, ``slowest``, ``fastest``, ``tyre_stiffness``, ``tyre_damping`` and ``rear_length``.

    In relative coordinates there are 12 coordinates (two balls have four Euler parameters each), 10 velocities and 9
    constraints: three of the ball of the upper arm and one of the tie rod on either side, and that of the stamp.  One
    degree of freedom remains, the right wheel.  All data that belong to the rig are assumed, see the module.
    """
    for name, value in (("slowest", slowest), ("fastest", fastest)):
        if not value > 0.0:
            raise ProblemError(f"Problem 'axle_rig': {name} must be positive, got {value:g}")
    m = Model("rear axle on a rig", gravity=(0, 0, -9.81))
    m.parameters(
        amplitude=amplitude, slowest=slowest, fastest=fastest,
        tyre_stiffness=296325.0, tyre_damping=3502.0, rear_length=FREE_LENGTHS["rear"],
    )  # fmt: skip
    m.input("stamp", _swept)
    places = {corner: hard_points(corner) for corner in SIDES}
    for corner, at in places.items():
        add_lower_arm(m, corner, at)
        add_upper_arm_and_wheel(m, corner, at)
    for corner, at in places.items():
        _add_side(m, corner, at)
    hubs = {corner: m[f"{corner} wheel"].at(at["wheel"]) for corner, at in places.items()}
    stamp = m.point_on_plane("stamp plate", m.ground.at(0, 0, ROAD), hubs["LR"], lambda w: HUB + w.stamp)
    tyre = m.tyre("RR tyre", hubs["RR"], WHEEL_RADIUS, m.p.tyre_stiffness, m.p.tyre_damping, road=ROAD)
    if bar:
        m.gear_spring("bar", m["LR lower hinge"], m["RR lower hinge"], ratio=-1.0, stiffness=bar)
    for corner, hub in hubs.items():
        m.sensor(f"{corner} hub", hub.position)
    m.sensor("stamp force", -stamp.force)
    m.sensor("load", tyre.force)
    plain = (amplitude, slowest, fastest, bar) == (AMPLITUDE, SLOWEST, FASTEST, BAR)
    known = [observed(f"axle_rig {t:g}", "two methods, in two sets of coordinates") for t in (5.0, 10.0)]
    right = m["RR lower hinge"]
    start = {right.angle: mirrored(START[False]["rear"][0], "RR"), right.rate: 0.0}
    return Example(m, span=(0.0, SWEEP), start=start, references=tuple(known) if plain else ())


def _swept(t: Any, p: Any) -> Any:
    """A sine whose frequency grows in proportion to time."""
    return p.amplitude * np.sin(2.0 * np.pi * (p.slowest + 0.5 * (p.fastest - p.slowest) / SWEEP * t) * t)


def _add_side(m: Model, corner: str, at: HardPoints) -> None:
    """Joints, spring and damper of one side, a tree by way of the lower arm."""
    chassis, wheel = m.ground, m[f"{corner} wheel"]
    upper, lower = m[f"{corner} upper arm"], m[f"{corner} lower arm"]
    low, high, _ = (mirrored(value, corner) for value in START[False]["rear"])
    hinge = 0.5 * (at["lower front"] + at["lower back"])
    m.revolute(f"{corner} lower hinge", chassis.at(hinge), lower.at(hinge), axis="x", start=low)
    m.spherical(f"{corner} lower ball", lower.at(at["lower ball"]), wheel.at(at["lower ball"]))
    middle, axis = 0.5 * (at["upper front"] + at["upper back"]), at["upper front"] - at["upper back"]
    m.revolute(f"{corner} upper hinge", chassis.at(middle), upper.at(middle), axis=axis, start=high)
    m.spherical(f"{corner} upper ball", upper.at(at["upper ball"]), wheel.at(at["upper ball"]), cut=True)
    add_tie_rod(m, corner, at, chassis)
    add_springs(m, corner, at, chassis)
