"""Wheelsets: a frame that does not spin, which may carry axle boxes, a wheelset that spins in it, and two contacts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.arguments import flag, instance, named, real, shown
from dalembert.errors import ModelError
from dalembert.model.bodies.parts import Body
from dalembert.model.bodies.rigid import RigidBody
from dalembert.model.forces.laws import marker_of, number
from dalembert.model.joints.joint_builders import JointBuilders
from dalembert.model.joints.joints import Guided, Revolute
from dalembert.model.quantity import Quantity
from dalembert.rail.material import STEEL, Material

if TYPE_CHECKING:
    from dalembert.model.rails.wheel_rail import WheelRail

SIDES = {"left": 1.0, "right": -1.0}


@dataclass(frozen=True, eq=False)
class Wheelset:
    """A wheelset of a model: its frame that does not spin, the body that does, their joints, and its contacts."""

    name: str
    frame: Body
    body: RigidBody
    guide: Guided
    spin: Revolute
    left: WheelRail
    right: WheelRail

    @property
    def contacts(self) -> tuple[WheelRail, WheelRail]:
        """Left and right."""
        return self.left, self.right

    def quantities(self) -> dict[str, Quantity]:
        """All that is measured at both wheels: "left N", "right creepages", and the sum of both Y."""
        found = {f"{side} {key}": one for side in SIDES for key, one in getattr(self, side).quantities().items()}
        found["sum Y"] = self.right.guiding_force - self.left.guiding_force
        return found


class RailBuilders(JointBuilders):
    """Wheelsets on a track."""

    def wheelset(
        self,
        name: str,
        carrier: Any,
        track: Any,
        *,
        wheel: Any,
        rail: Any,
        mass: Any,
        inertia: Any,
        frame_mass: Any = 0.0,
        frame_inertia: Any = (0.0, 0.0, 0.0),
        distance: float | None = None,
        slides: str = "xyz",
        turns: str = "zx",
        law: Any = "polach",
        friction: Any = 0.35,
        material: Material = STEEL,
        load: Any = None,
        direction: float | None = None,
        least_speed: float = 0.005,
        unilateral: bool = True,
        ranged: bool = True,
        speed: float | None = None,
        spin: float | None = None,
        start: Mapping[str, float] | None = None,
        measure: bool = False,
    ) -> Wheelset:
        """A wheelset that rolls on a track, with a contact at each wheel.

        :param carrier: the ground, or the marker on a vehicle, from which the frame of the wheelset slides and turns as
            ``slides`` and ``turns`` say (see :meth:`guide`); the frame does not spin
        :param track: dalembert.rail.Track; ``wheel`` and ``rail``: profiles, those of the left side
        :param inertia: (Ix, Iy, Iz), y being the axle; ``frame_mass`` and ``frame_inertia``: of what the frame carries,
            such as axle boxes; ``distance``: of the reference points of the wheels, that of the
            rails unless given
        :param law: of creep forces, by name or as an object; ``friction``: its coefficient
        :param load: a static load of each wheel for creep forces and contact ellipses; without it they follow from N
        :param direction: 1 or −1 where it is known that the vehicle never turns round; otherwise it is looked at
        :param unilateral: whether a run ends where a wheel lifts off; without it, N may become negative
        :param ranged: whether a run ends where a contact leaves the range of its profiles; without it they go on along
            their tangents, and the run tells
        :param speed: along x at the start, with the spin of rolling unless ``spin``, rad/s, is given; ``start``: values
            of the guide's coordinates
        :param measure: whether all that is measured at its contacts becomes sensors of the model
        """
        # Here, as models without wheels on rails shall not wait for them.
        from dalembert.model.rails.wheel_rail import WheelRail, sided
        from dalembert.rail.creep import CreepLaw
        from dalembert.rail.creep_laws import creep_law
        from dalembert.rail.track import Track

        where = f"wheelset '{name}'"
        if self.planar:
            raise ModelError(f"{where} needs space; '{self.name}' is a planar model")
        if direction is not None and direction not in (1, -1):
            raise ModelError(f"{where}: direction must be 1 or -1, or None; got {shown(direction)}")
        flag(unilateral, f"{where}: unilateral", ModelError)
        flag(ranged, f"{where}: ranged", ModelError)
        profiles = {
            side: (sided(wheel, side, f"{where}: wheel"), sided(rail, side, f"{where}: rail")) for side in SIDES
        }
        instance(track, Track, f"{where}: track", ModelError)
        if not isinstance(slides, str):
            raise ModelError(f"{where}: slides must be axes such as 'xyz', got {shown(slides)}")
        found_law = creep_law(law, material) if isinstance(law, str) else law
        instance(found_law, CreepLaw, f"{where}: law", ModelError)
        mu = number(friction, where, "its friction")
        carried = marker_of(carrier, where)
        half = 0.5 * (track.distance if distance is None else real(distance, f"{where}: distance", ModelError))
        radius = -float(wheel(0.0))
        begin = dict(named(start, f"{where}: start", ModelError))
        if carried.body.is_ground and "z" in slides:
            begin.setdefault("z", _height(track, begin.get("x", 0.0)) + float(rail(0.0)) + radius)
        if speed is not None and "x" in slides:
            begin.setdefault("x.rate", real(speed, f"{where}: speed", ModelError))
        spin_rate = 0.0 if spin is None else real(spin, f"{where}: spin", ModelError)
        if speed is not None and spin is None:
            grounded = carried.body.is_ground
            spin_rate = speed / (_rolling_radius(track, profiles, half, begin) if grounded else radius)
        frame = self.body(f"{name} frame", mass=frame_mass, inertia=frame_inertia)
        body = self.body(name, mass=mass, inertia=inertia)
        guide = self.guide(f"{name} guide", carried, frame, slides=slides, turns=turns, start=begin)
        axle = self.revolute(f"{name} spin", frame, body, axis="y", start={"angle.rate": spin_rate})
        contacts = {
            side: self.add(
                WheelRail(
                    f"{name} {side}", self.ground.origin, frame.at(0.0, sign * half, 0.0), body.origin,
                    curve=track.rail(side), rail_profile=profiles[side][1], wheel_profile=profiles[side][0], side=side,
                    law=found_law, friction=mu, load=None if load is None else number(load, where, "its load"),
                    direction=direction, least_speed=real(least_speed, f"{where}: least_speed", ModelError),
                    unilateral=unilateral, ranged=ranged,
                )
            )
            for side, sign in SIDES.items()
        }  # fmt: skip
        made = Wheelset(name, frame, body, guide, axle, **contacts)
        if flag(measure, f"{where}: measure", ModelError):
            for key, quantity in made.quantities().items():
                self.sensor(f"{name} {key}", quantity)
        return made


def _rolling_radius(
    track: Any, profiles: Mapping[str, tuple[Any, Any]], half: float, begin: Mapping[str, float]
) -> float:
    """Mean radius at which both wheels touch their rails where the wheelset begins, without yaw and roll."""
    from dalembert.rail.contact import find_contact

    place = np.array([begin.get(axis, 0.0) for axis in "xyz"])
    radii = []
    for side, sign in SIDES.items():
        wheel, rail = profiles[side]
        _, u, _, _ = find_contact(wheel, track.rail(side), rail, place + np.array([0.0, sign * half, 0.0]), np.eye(3))
        radii.append(-float(wheel(u)))
    return 0.5 * sum(radii)


def _height(track: Any, x: float) -> float:
    """Mean height of the reference lines of both rails at the start."""
    rails = [track.rail(side) for side in SIDES]
    found = []
    for curve in rails:
        s = np.clip(x, curve.breaks[0], curve.breaks[-1])
        found.append(float(np.asarray(curve(float(s)))[2]))
    return 0.5 * sum(found)
