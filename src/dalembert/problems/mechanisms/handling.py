"""A car that is steered left and right: the HMMWV14 on tyres that slip, its rack driven.

    M. Arnold, A. Fuchs, C. Führer, Efficient corrector iteration for DAE time integration in multibody dynamics,
    Computer Methods in Applied Mechanics and Engineering 195 (2006) 6958–6973: section 4.2.2, Fig. 8 and Table 3, a
    passenger car with driven steering for 5 s.

The paper gives neither data nor dimensions of its car.  Here it is the HMMWV14 (``vehicles`` says where its data are
from) on a level road, with these assumptions besides:

- Tyres carry as those of the HMMWV14 do, and hold the wheels sideways by F_y = −μ F_z tanh(C α/(μ F_z)) with
  C = 6e4 N/rad for each wheel and μ = 0.8.  Wheels do not spin; they roll freely.
- The rack moves by s(t) = a f(t) sin(2π·0.5 Hz·t), where f fades in over 0.5 s by a polynomial with two derivatives.
- 20 m/s are held by a force on the centre of the chassis, along its x axis, of 2e4 N s/m times what is missing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.model.joints.joints import Joint
from dalembert.model.model import Model
from dalembert.problems.mechanisms.example import Example
from dalembert.problems.mechanisms.vehicles import CORNERS, WHEEL_RADIUS, HardPoints, built
from dalembert.problems.problem import check_option, observed, with_checked_options

SPEED, HOLD = 20.0, 2e4
CORNERING, FRICTION, STANDSTILL = 6e4, 0.8, 0.1
#: Of the steering: amplitude of the rack, frequency, and time in which it fades in.
AMPLITUDE, FREQUENCY, FADE = 0.006, 0.5, 0.5
STEERINGS = ("driven", "prescribed")


def rack(t: Any, amplitude: Any = AMPLITUDE) -> Any:
    """Displacement of the rack."""
    grown = np.clip(t / FADE, 0.0, 1.0)
    fade = grown**3 * (10.0 - 15.0 * grown + 6.0 * grown**2)
    return amplitude * fade * np.sin(2.0 * np.pi * FREQUENCY * t)


@with_checked_options
def steered_car(
    stiff: bool = False, steering: str = "driven", expensive: bool = False, amplitude: float = AMPLITUDE
) -> Example:
    """The HMMWV at 20 m/s, steered left and right by its rack.

    :param stiff: strong bushings instead of hinges at the upper arms, as of ``hmmwv14``
    :param steering: "driven": the displacement of the rack is a coordinate, which a constraint drives; "prescribed": it
        is a function of time, and no coordinate
    :param expensive: lateral forces of tyres are functions of numbers in Python, so that evaluations of forces take
        most of the time; the motion is the same
    :param amplitude: of the rack, in m

    The displacement of the rack is the input ``steer``, so that the equations have an excitation.  Parameters are
    ``speed``, ``amplitude``, ``cornering`` (stiffness in N/rad), ``friction``, and those of ``hmmwv14`` without its
    bump.

    In relative coordinates there are 32 coordinates, 27 velocities and 17 constraints, or 31, 26 and 16 where the rack
    is prescribed; stiff 44, 35 and 17, or 43, 34 and 16.  Tyres, steering and what holds the speed are assumed, see the
    module.
    """
    check_option("steered_car", "steering", steering, STEERINGS)

    def steer(m: Model, guide: Joint) -> None:
        m.input("steer", lambda t, p: rack(t, p.amplitude))
        if steering == "driven":
            m.drive("steering", guide, _followed)
        else:
            m.prescribe("steering", guide, _followed)

    parameters = {"speed": SPEED, "amplitude": amplitude, "cornering": CORNERING, "friction": FRICTION}
    made = built("steered HMMWV14", parameters, stiff, steer, _add_carrying_tyre if expensive else _add_tyre)
    chassis = made["chassis"]
    made.force("cruise", chassis.com, _cruise, frame="body")
    if expensive:
        hubs = [made[f"{corner} tyre"].markers[0] for corner in CORNERS]
        made.numeric_force("lateral forces", hubs, lateral_forces)
    made.sensor("rack displacement", made["rack guide"].displacement)
    made.sensor("lateral acceleration", chassis.com.acceleration @ chassis.rotation[:, 1])
    made.sensor("yaw rate", chassis.angular_velocity.z)
    plain = amplitude == AMPLITUDE
    key = "steered_car stiff" if stiff else "steered_car"
    known = [observed(f"{key} {t:g}", "two methods, in two sets of coordinates") for t in (2.5, 5.0)]
    return Example(made, span=(0.0, 5.0), references=tuple(known) if plain else ())


def _followed(w: Any) -> Any:
    return w.steer


def _cruise(velocity: Any, rotation: Any, p: Any) -> list[Any]:
    ahead = rotation[:, 0]
    return [HOLD * (p.speed - velocity @ ahead), 0.0, 0.0]


def _add_tyre(m: Model, corner: str, at: HardPoints) -> None:
    tyre = m.slip_tyre(
        f"{corner} tyre", m[f"{corner} wheel"].at(at["wheel"], axis="y"), WHEEL_RADIUS, m.p.tyre_stiffness,
        m.p.tyre_damping, lateral={"stiffness": m.p.cornering, "mu": m.p.friction}, velocity=STANDSTILL,
    )  # fmt: skip
    m.sensor(f"{corner} slip angle", tyre.slip_angle)
    m.sensor(f"{corner} lateral force", tyre.lateral_force)


def _add_carrying_tyre(m: Model, corner: str, at: HardPoints) -> None:
    hub = m[f"{corner} wheel"].at(at["wheel"], axis="y")
    m.tyre(f"{corner} tyre", hub, WHEEL_RADIUS, m.p.tyre_stiffness, m.p.tyre_damping)


def lateral_forces(positions: Any, velocities: Any, rotations: Any, angular_velocities: Any, p: Any) -> Any:
    """The lateral forces of all tyres as somebody's program would compute them: in numbers, wheel by wheel.

    As those of slip tyres on a level road, they act on the point of the wheel that touches it.
    """
    forces, torques = np.zeros((4, 3)), np.zeros((4, 3))
    up = np.array([0.0, 0.0, 1.0])
    for k in range(len(positions)):
        depth = WHEEL_RADIUS - positions[k, 2]
        if depth <= 0.0:
            continue
        load = max(p.tyre_stiffness * depth - p.tyre_damping * velocities[k, 2], 0.0)
        axle, arm = rotations[k, :, 2], (depth - WHEEL_RADIUS) * up
        ahead = np.cross(axle, up)
        ahead /= np.linalg.norm(ahead)
        left = np.cross(up, ahead)
        lowest = velocities[k] + np.cross(angular_velocities[k], arm)
        travel = (lowest - np.cross((angular_velocities[k] @ axle) * axle, arm)) @ ahead
        angle = np.arctan(lowest @ left / np.hypot(travel, STANDSTILL))
        limit = p.friction * load
        if limit > 0.0:
            forces[k] = -limit * np.tanh(p.cornering * angle / limit) * left
            torques[k] = np.cross(arm, forces[k])
    return {"forces": forces, "torques": torques}
