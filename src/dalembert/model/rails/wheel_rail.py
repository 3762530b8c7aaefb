"""The contact of a wheel and a rail (railway paper, sections 3.2–3.4, with the corrections of docs/rail.md).

Surface parameters (s, u_r, θ, u) are auxiliary variables.  With r from the point of the rail to that of the wheel,

    t_x·r = 0,  t_y·r = 0,  t_θ·n = 0,  t_u·n = 0                                                        (9), solved for
    −n·r = 0                                                                                       (8), with λ = N ≥ 0

The rate of the row is −n·v of the point that is fixed in the axes that do not spin: what the parameters and the spin
add to it vanishes on the constraint.  Creep forces are −S ν of a law (dalembert.rail.creep) on the sliding velocities
of the material point, (25)–(27); their load is the multiplier itself, or a static one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from dalembert.equations.contract.guards import Guard
from dalembert.equations.contract.provider import Floats
from dalembert.errors import ModelError
from dalembert.model.bodies.parts import Marker
from dalembert.model.constraints.constraints import Constraint
from dalembert.model.element import FixedSite, Row, Site
from dalembert.model.quantity import Quantity
from dalembert.model.rails.rail_shapes import rail_surface, wheel_surface
from dalembert.rail.contact import find_contact
from dalembert.rail.creep import Creepages, CreepLaw, creepages
from dalembert.rail.patch import LEAST_CURVATURE, Ellipse, hertz
from dalembert.rail.surface import (
    Axes,
    Rail,
    Wheel,
    contact_axes,
    contact_conditions,
    cross,
    dot,
    line_curvature,
    rail,
    relative_curvatures,
    wheel,
)
from dalembert.symbolic import array, maximum, minimum

#: N: contacts with less load have the creep forces of this one, so that laws can be differentiated
LEAST_LOAD = 1.0
#: m/s and m: a contact that moves faster across its wheel, and further, between two instants of a run jumps. Where
#: contacts wander from the tread to the flange, as on worn wheels, it is 0.8 m/s at most.
JUMPING, JUMPED = 3.0, 5e-4
#: m/s: one that moves so fast is at the end of a place of contact, whatever comes then
FALLING = 100.0
#: by which coefficients and loads may fall below zero at a start
_ROUNDING = 1e-12
#: m: how long the largest creep force of all wheels of a run is drawn
LONGEST_BAR = 0.4
_CREEP_FORCES = "creep forces"
_FORCE_LABELS = ("x", "y", "moment")


@dataclass(frozen=True, eq=False)
class WheelRailSite:
    """A contact as atoms, in the axes of the track."""

    element: WheelRail
    at: Site

    @cached_property
    def _parts(self) -> tuple[Wheel, Rail, Any]:
        element, (A, B, _) = self.element, self.at.frames
        s, u_r, theta, u_w = self.at.s
        on = wheel(element.wheel, u_w, theta)
        R = A.rotation_of(B)
        turned = Wheel(*(array(R @ part) for part in on))
        return turned, rail(element.curve, element.rail, s, u_r), array(A.to(B).components(A.base))

    @property
    def on_wheel(self) -> Wheel:
        """Point relative to the wheel's reference point, and tangents."""
        return self._parts[0]

    @property
    def on_rail(self) -> Rail:
        """Point and tangents."""
        return self._parts[1]

    @cached_property
    def point(self) -> Any:
        """The wheel's point, seen from the origin of the track."""
        return array(self._parts[2] + self.on_wheel.point)

    @cached_property
    def axes(self) -> Axes:
        """t_x, t_y, n: (10), (11)."""
        return contact_axes(self.on_rail.along, self.on_rail.across)

    @cached_property
    def conditions(self) -> tuple[Any, Any]:
        """n·r and the four equations of the parameters: (8), (9)."""
        on = self.on_wheel
        return contact_conditions(self.point, on.along, on.across, self.on_rail.point, self.axes)

    @cached_property
    def approach(self) -> Any:
        """−n·v of the point that is fixed in the axes that do not spin."""
        A, B = self.at.frames[:2]
        v, w = (array(part.components(A.base)) for part in (A.velocity_of(B), A.turning_of(B)))
        return -dot(self.axes.n, v + cross(w, self.on_wheel.point))

    @property
    def load(self) -> Any:
        """N that creep forces are made of."""
        N = self.at.data.load if self.element.static else self.at.lam[0]
        return maximum(N, LEAST_LOAD)

    @cached_property
    def creep(self) -> Creepages:
        """Sliding velocities of the material point, speed of reference, direction: (25)–(27)."""
        A, B, C = self.at.frames
        v_O, w = (array(part.components(A.base)) for part in (A.velocity_of(C), A.turning_of(C)))
        arm = array(C.to(B).components(A.base) + self.on_wheel.point)
        found = creepages(v_O + cross(w, arm), w, v_O, arm, self.axes, least_speed=self.element.least_speed)
        way = self.element.direction
        return found if way is None else found._replace(direction=way)

    @cached_property
    def curvatures(self) -> tuple[Any, Any]:
        """A and B: (21), (22)."""
        s, u_r, _, u_w = self.at.s
        along = line_curvature(self.element.curve, s, self.axes.n)
        return relative_curvatures(self.element.wheel, u_w, self.element.rail, u_r, along)

    @cached_property
    def ellipse(self) -> Ellipse:
        """Semi-axes along and across the rail: (20)."""
        return hertz(self.load, *self.curvatures, self.element.law.material)

    @cached_property
    def secant(self) -> Any:
        """S of (F_x, F_y, M_z) = −S ν."""
        creep, patch = self.creep, self.ellipse
        return self.element.law(
            patch.a, patch.b, self.load, creep.nu, self.at.data.mu, direction=creep.direction, V=creep.V
        )

    @cached_property
    def forces(self) -> Any:
        """F_x, F_y and M_z on the wheel."""
        return array(-(self.secant @ array(self.creep.nu)))


class WheelRail(Constraint):
    """A wheel that rolls on a rail.

    Markers are the track, the reference point of the wheel on the frame that does not spin, and the centre of the
    wheelset that does, on the axle.
    """

    kind = "wheel"
    rows = ("N",)
    auxiliary = MappingProxyType({"s": 0.0, "u_rail": 0.0, "theta": 0.0, "u": 0.0})
    powers_of_length = MappingProxyType({"N": 1.0, "s": 1.0, "u_rail": 1.0, "theta": 0.0, "u": 1.0})

    def __init__(
        self,
        name: str,
        track: Marker,
        reference: Marker,
        wheelset: Marker,
        *,
        curve: Any,
        rail_profile: Any,
        wheel_profile: Any,
        side: str,
        law: CreepLaw,
        friction: Any,
        load: Any = None,
        direction: float | None = None,
        least_speed: float = 0.005,
        unilateral: bool = True,
        ranged: bool = True,
    ) -> None:
        #: curve of the rail, profiles of this side; a static load in place of N; fixed direction of travel
        self.curve, self.rail, self.wheel, self.side, self.law = curve, rail_profile, wheel_profile, side, law
        self.static, self.direction, self.least_speed = load is not None, direction, least_speed
        #: whether runs end where it lifts off, and where it leaves its profiles
        self.unilateral, self.ranged = unilateral, ranged
        data = {"mu": friction} | ({} if load is None else {"load": load})
        super().__init__(name, (track, reference, wheelset), data=data, variant=name)

    def contact(self, at: Site) -> WheelRailSite:
        """The contact at a site; once for each scene, as all that is asked of it has parts in common."""
        found: WheelRailSite = at.scene.kept.setdefault(("contact", self.name), WheelRailSite(self, at))
        return found

    def auxiliary_equations(self, at: Site) -> list[Any]:
        return list(self.contact(at).conditions[1])

    def constraints(self, at: Site) -> list[Row]:
        contact = self.contact(at)
        return [Row(-contact.conditions[0], contact.approach)]

    def powers(self, at: Site) -> list[tuple[Any, Any]]:
        contact = self.contact(at)
        return list(zip(contact.forces, contact.creep.sliding, strict=True))

    def viscous(self, at: Site) -> list[tuple[Any, Any]]:
        contact = self.contact(at)
        return [(array(contact.creep.sliding), array(contact.secant / contact.creep.V))]

    def find_auxiliary(self, at: FixedSite) -> Sequence[float]:
        A, B, _ = at.frames
        try:
            found = find_contact(self.wheel, self.curve, self.rail, A.R.T @ (B.r - A.r), A.R.T @ B.R)
        except ModelError as error:
            raise ModelError(f"{self.label}: {error}") from None
        theta, u_w, s, u_r = found
        return s, u_r, theta, u_w

    def surfaces(self) -> list[tuple[Any, Any, Callable[[], Any]]]:
        """The wheel, turned about the axle, and the rail along its track, once for all wheels on it."""
        track, reference, wheelset = self.markers
        place = float(np.asarray(reference.r)[1])
        return [
            (wheelset.body, self, lambda: wheel_surface(self.wheel, place)),
            (track.body, self.curve, lambda: rail_surface(self.curve, self.rail)),
        ]

    def guards(self, scene: Any) -> list[Guard]:
        """A wheel that lifts off, profiles that are left, and the track; and what is told only: surfaces that fit each
        other, whose relative curvature is then the least one that Hertz's theory is used with.

        The end of the track is looked at by left wheels, as the right ones are beside them."""
        found = [
            Guard(f"{self.label} leaves the range of its profiles", lambda: self._room(scene.site(self)), self.ranged),
            Guard(f"{self.label} fits the rail, the contact is conformal", lambda: self._bent(scene.site(self)), False),
        ]
        if self.unilateral:
            found.append(Guard(f"{self.label} lifts off", lambda: scene.site(self).lam[0]))
        if self.side == "left":
            a, b = self._ends
            told = f"{self.label} leaves the track (s from {a:g} to {b:g} m; make it longer)"
            found.append(Guard(told, lambda: self._ahead(scene.site(self)), self.ranged))
        return found

    @classmethod
    def remark(cls, t: Floats, s: Mapping[str, Floats]) -> str:
        """Contacts that jump, or were about to, which rigid surfaces say nothing about."""
        jumps, passed = [], np.abs(np.diff(t))
        for label, values in s.items():
            u = values[-1]
            moved = np.abs(np.diff(u))
            fast = (moved > JUMPING * passed) & (passed > 0.0)  # actions move what they want
            # Methods with error control make many steps on the way into a jump: these are one.
            edges = np.flatnonzero(np.diff(np.concatenate([[0], fast, [0]])))
            for first, last in zip(edges[::2], edges[1::2], strict=True):
                far = abs(float(u[last] - u[first]))
                if far > JUMPED:
                    jumps.append((float(t[first]), label, f"jumps across its profile, by {1e3 * far:.2g} mm"))
                elif (moved[first:last] > FALLING * passed[first:last]).any():
                    jumps.append((float(t[first]), label, "falls into another place of its profile"))
        if not jumps:
            return ""
        when, label, what = min(jumps)
        more = f" ({len(jumps)} such jumps in all)" if len(jumps) > 1 else ""
        return (
            f" The contact of {label} {what}, at t = {when:.6g}{more}. That is an impact, which is not computed: loads "
            "that follow mean nothing until they have settled, and methods with error control may not get past it."
        )

    @property
    def _ends(self) -> tuple[float, float]:
        """Arc lengths at the ends of the track."""
        return float(self.curve.breaks[0]), float(self.curve.breaks[-1])

    def _ahead(self, at: Site) -> Any:
        """Distance of the contact from the nearer end of the track."""
        a, b = self._ends
        return minimum(at.s[0] - a, b - at.s[0])

    def conditions(self, at: Site) -> list[tuple[Any, str]]:
        found = [(at.data.mu + _ROUNDING, "its friction is negative; give a coefficient of at least 0")]
        if self.static:
            found.append((at.data.load + _ROUNDING, "its static load is negative; give a force in N, at least 0"))
        return found

    def units(self) -> dict[str, str]:
        moment = {f"{_CREEP_FORCES}.{label}": "N m" if label == "moment" else "N" for label in _FORCE_LABELS}
        return {
            "N": "N", "Y": "N", "Q": "N", "Y/Q": "1", "patch": "m", "wear": "N", "position": "m",
            "creepages.xi": "1", "creepages.eta": "1", "creepages.phi": "1/m", **moment,
        }  # fmt: skip

    def _room(self, at: Site) -> Any:
        """Distance of the contact from the ends of the profiles."""
        _, u_r, _, u_w = at.s
        ends = zip((u_r, u_w), (self.rail.valid, self.wheel.valid), strict=True)
        left = [one for u, (low, high) in ends for one in (u - low, high - u)]
        return minimum(minimum(left[0], left[1]), minimum(left[2], left[3]))

    def _bent(self, at: Site) -> Any:
        """Least relative curvature, beyond that where Hertz's theory ends."""
        A, B = self.contact(at).curvatures
        return minimum(A, B) - LEAST_CURVATURE

    def tracks(self, measured: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The point of contact, and the creep force on the wheel there as a bar; both where they are measured."""
        place, forces = (measured.get(f"{self.name} {what}") for what in ("position", _CREEP_FORCES))
        if place is None or forces is None:
            return []
        there = rail(self.curve, self.rail, *np.asarray(place, dtype=float)[:2])
        axes = contact_axes(there.along, there.across)
        force = np.asarray(forces[0] * axes.t_x + forces[1] * axes.t_y)
        point = np.asarray(there.point).T
        longest = _largest_creep_force(measured)
        end = point + (force / longest).T * LONGEST_BAR if longest > 0.0 else point
        return [
            {"name": f"{self.name} contact", "kind": "points", "points": point[:, None]},
            {"name": f"{self.name} creep force", "kind": "line", "points": np.stack([point, end], axis=1)},
        ]

    # -------------------------------------------------------------------------------------------------- measured

    def _quantity(self, what: Callable[[Site], Any], name: str, labels: Sequence[str] = ()) -> Quantity:
        return self.measured(what, f"{self.name}.{name}", labels=labels)

    @property
    def normal_force(self) -> Quantity:
        """N."""
        return self._quantity(self._load, "N")

    def _load(self, at: Site) -> Any:
        return at.lam[0]

    @property
    def creepages(self) -> Quantity:
        """ξ, η and φ (in 1/m)."""
        return self._quantity(self._nu, "creepages", ("xi", "eta", "phi"))

    def _nu(self, at: Site) -> Any:
        return array(self.contact(at).creep.nu)

    @property
    def creep_forces(self) -> Quantity:
        """F_x, F_y and M_z on the wheel, in the axes of the contact."""
        return self._quantity(self._forces, _CREEP_FORCES, _FORCE_LABELS)

    def _forces(self, at: Site) -> Any:
        return self.contact(at).forces

    @property
    def patch(self) -> Quantity:
        """Semi-axes of the ellipse along and across the rail."""
        return self._quantity(self._semi_axes, "patch", ("a", "b"))

    def _semi_axes(self, at: Site) -> Any:
        return array(self.contact(at).ellipse[:2])

    @property
    def guiding_force(self) -> Quantity:
        """Y: what the wheel exerts on the rail across the track, outwards."""
        return self._quantity(self._guiding, "Y")

    @property
    def wheel_force(self) -> Quantity:
        """Q: what the wheel exerts on the rail, perpendicular to the track's plane, downwards."""
        return self._quantity(self._vertical, "Q")

    @property
    def derailment_ratio(self) -> Quantity:
        """Y/Q."""
        return self._quantity(self._ratio, "Y/Q")

    def _in_track(self, at: Site) -> tuple[Any, Any]:
        """Force on the wheel to the left and upwards, in the plane of the track."""
        contact = self.contact(at)
        axes, (x, y, _) = contact.axes, contact.forces
        force = array(x * axes.t_x + y * axes.t_y + at.lam[0] * axes.n)
        flat = rail(self.curve, _Level(), at.s[0], 0.0)
        plane = contact_axes(flat.along, flat.across)
        return dot(force, plane.t_y), dot(force, plane.n)

    def _guiding(self, at: Site) -> Any:
        return (-1.0 if self.side == "left" else 1.0) * self._in_track(at)[0]

    def _vertical(self, at: Site) -> Any:
        return self._in_track(at)[1]

    def _ratio(self, at: Site) -> Any:
        return self._guiding(at) / self._vertical(at)

    @property
    def wear_number(self) -> Quantity:
        """T·γ: dissipated energy per metre."""
        return self._quantity(self._wear, "wear")

    def _wear(self, at: Site) -> Any:
        contact = self.contact(at)
        return -dot(contact.forces, contact.creep.nu)

    @property
    def position(self) -> Quantity:
        """Of the contact: along the track, across the rail, across the wheel."""
        return self._quantity(self._place, "position", ("s", "u_rail", "u"))

    def _place(self, at: Site) -> Any:
        s, u_r, _, u_w = at.s
        return array([s, u_r, u_w])

    def quantities(self) -> dict[str, Quantity]:
        """All that is measured, by name."""
        listed = (
            self.normal_force, self.guiding_force, self.wheel_force, self.derailment_ratio, self.creepages,
            self.creep_forces, self.patch, self.wear_number, self.position,
        )  # fmt: skip
        return {quantity.name.removeprefix(f"{self.name}."): quantity for quantity in listed}


class _Level:
    """A rail without a profile: its reference line in the plane of the track."""

    def __call__(self, u: Any, order: int = 0) -> Any:
        return 0.0 * np.asarray(u, dtype=float) if isinstance(u, np.ndarray) else 0.0


def _largest_creep_force(measured: Mapping[str, Any]) -> float:
    """Of all wheels whose sensors are among these."""
    largest = 0.0
    for name, values in measured.items():
        if name.endswith(f" {_CREEP_FORCES}") and np.ndim(values) == 2 and len(values) == len(_FORCE_LABELS):
            sizes = np.linalg.norm(np.asarray(values, dtype=float)[:2], axis=0)
            largest = max(largest, float(np.nanmax(sizes, initial=0.0)))
    return largest


def sided(profile: Any, side: str, what: str) -> Any:
    """The profile of one side: profiles are those of the left one."""
    if not callable(getattr(profile, "mirrored", None)):
        raise ModelError(f"{what} must be a profile of dalembert.rail, such as rail.s1002()")
    return profile if side == "left" else profile.mirrored()
