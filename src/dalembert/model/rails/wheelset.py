"""Wheelsets: a frame that does not spin, which may carry axle boxes, a wheelset that spins in it, and two contacts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dalembert.arguments import flag, instance, named, real, shown
from dalembert.errors import ModelError, ModelWarning, warn_caller
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
#: m: wheels are not farther apart; larger numbers are millimetres
_WIDEST = 100.0


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
            such as axle boxes
        :param distance: m, of the reference points of the wheels, where u = 0: that of the rails on a track that was
            made with their distance; on one that was made with the standard gauge 1.5 m, between tread circles; on
            other gauges it must be given. Where flanges touch in the middle of the track, a warning says so
        :param law: of creep forces, by name or as an object; ``friction``: its coefficient
        :param load: a static load of each wheel for creep forces and contact ellipses; without it they follow from N
        :param direction: 1 or −1 where it is known that the vehicle never turns round; otherwise it is looked at
        :param unilateral: whether a run ends where a wheel lifts off; without it, N may become negative
        :param ranged: whether a run ends where a contact leaves the range of its profiles; without it they go on along
            their tangents, and the run tells
        :param speed: along the track at the start, with the spin of rolling unless ``spin``, rad/s, is given; from a
            carrier other than the ground along its x. On the ground the wheelset starts where ``start`` says, next to
            that place of the track, and by default at its height, with its heading, cant and curvature; on a cant its
            centre is beside the middle of the track, by the radius times the angle of the cant
        :param start: values of the guide's coordinates, "x", "y", "yaw", …, and of their rates, "x.rate", …
        :param measure: whether all that is measured at its contacts becomes sensors of the model
        """
        # Here, as models without wheels on rails shall not wait for them.
        from dalembert.model.rails.track_start import TrackStart
        from dalembert.model.rails.wheel_rail import WheelRail, sided
        from dalembert.rail.contact import check_profile
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
        check_profile(wheel, "wheel", f"{where}: wheel")
        check_profile(rail, "rail", f"{where}: rail")
        instance(track, Track, f"{where}: track", ModelError)
        for what, axes in (("slides", slides), ("turns", turns)):
            if not isinstance(axes, str) or not set(axes) <= set("xyz"):
                raise ModelError(f"{where}: {what} must be axes such as 'xyz', got {shown(axes)}")
        found_law = creep_law(law, material) if isinstance(law, str) else law
        instance(found_law, CreepLaw, f"{where}: law", ModelError)
        mu = number(friction, where, "its friction", 0.0)
        static = None if load is None else number(load, where, "its load", 0.0)
        carried = marker_of(carrier, where)
        half = 0.5 * _distance(track, distance, where)
        _check_clearance(wheel, rail, half, track, where)
        radius = -float(wheel(0.0))
        V = None if speed is None else real(speed, f"{where}: speed", ModelError)
        begin = dict(named(start, f"{where}: start", ModelError))
        spin_rate = 0.0 if spin is None else real(spin, f"{where}: spin", ModelError)
        if carried.body.is_ground:
            on = TrackStart(track, carried, slides, turns, begin, where)
            on.complete(float(rail(0.0)) + radius, V)
            if V is not None and spin is None:
                spin_rate = V / on.rolling_radius(profiles, half)
        elif V is not None:
            if "x" in slides:
                begin.setdefault("x.rate", V)
            spin_rate = V / radius if spin is None else spin_rate
        frame = self.body(f"{name} frame", mass=frame_mass, inertia=frame_inertia)
        body = self.body(name, mass=mass, inertia=inertia)
        guide = self.guide(f"{name} guide", carried, frame, slides=slides, turns=turns, start=begin)
        axle = self.revolute(f"{name} spin", frame, body, axis="y", start={"angle.rate": spin_rate})
        contacts = {
            side: self.add(
                WheelRail(
                    f"{name} {side}", self.ground.origin, frame.at(0.0, sign * half, 0.0), body.origin,
                    curve=track.rail(side), rail_profile=profiles[side][1], wheel_profile=profiles[side][0], side=side,
                    law=found_law, friction=mu, load=static,
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


def _distance(track: Any, distance: Any, where: str) -> float:
    """Of the reference points of the wheels."""
    found = track.tread_distance if distance is None else real(distance, f"{where}: distance", ModelError)
    if found is None:
        raise ModelError(
            f"{where}: on a track with a gauge of {track.gauge:g} m the distance of the wheels is not known; give "
            "distance, in m between the reference points of the wheels, their tread circles"
        )
    if not 0.0 < found <= _WIDEST:
        raise ModelError(f"{where}: distance must be positive and in metres, up to {_WIDEST:g}, got {found:g}")
    return float(found)


def _check_clearance(wheel: Any, rail: Any, half: float, track: Any, where: str) -> None:
    """Warn of wheels whose flanges have no room between the rails."""
    from dalembert.rail.contact import FLANGE_ANGLE, Pair, clearance_angle

    try:
        angle = clearance_angle(Pair(wheel, 2.0 * half), Pair(rail, track.distance))
    except ModelError:  # beside the rail; of the place where it starts the contacts tell
        return
    if angle > FLANGE_ANGLE:
        warn_caller(
            f"{where}: in the middle of the track both wheels touch the rails with their flanges, at {angle:.2g} rad; "
            f"wheels are {2.0 * half:.6g} m apart and the rails {track.distance:.6g} m; check distance, of tread "
            "circles 1.5 m on standard gauge, and the distance or gauge of the track",
            ModelWarning,
        )
