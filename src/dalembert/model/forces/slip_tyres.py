"""Tyres that slip: forces along the road from longitudinal and lateral slip, within what friction can bear.

The load F_z is that of the vertical tyre.  Of the point of the wheel that touches the road, v_x and v_y are the
velocities along and across the wheel; V is the speed of travel along it.  Slips are

    s_x = −v_x/V,    s_y = v_y/V = tan α,    V = √(speed² + v_N²)

where v_N keeps them finite at standstill: there a tyre resists like a damper.  With a relaxation length ℓ they follow
as states,

    ℓ ṡ = V (v/V − s),

whose step response at constant speed is 1 − exp(−V t/ℓ).

"tanh" has the slopes C_x, C_y at no slip and the friction μ_x, μ_y; with the normalised slips σ_x = C_x s_x/(μ_x F_z)
and σ_y = −C_y α/(μ_y F_z) the forces are F_i = μ_i F_z tanh(|σ|) σ_i/|σ|: within the ellipse of friction, whatever the
slips are.

"tmeasy" has curves with a slope at no slip, a maximum and a value of sliding, and combines slips by normalising them:

    G. Rill, TMeasy: the handling tire model for all driving situations, COBEM 2013; Road Vehicle Dynamics, 2012.

Curves and combination are those of the program there, also found in ChTMeasyTire of Project Chrono; forces have the
direction of the normalised slips, so that each curve is met where its slip is alone.  The lateral slip is v_y/(r|Ω|),
where the wheel spins.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from dalembert.arguments import one_of, shown
from dalembert.equations.recursion.passes.algebra import cross, dot, scaled
from dalembert.errors import ModelError, suggestion
from dalembert.model.bodies.parts import Marker
from dalembert.model.element import Data, Site
from dalembert.model.forces.friction import size_of, sliding, unilateral
from dalembert.model.forces.laws import Law, is_number, positive
from dalembert.model.forces.tyres import Directions, Tyre
from dalembert.model.quantity import Quantity
from dalembert.symbolic import Atom, arctan, array, maximum, sqrt, where

#: what each law of slip needs for each direction
SLIP_LAWS: Mapping[str, tuple[str, ...]] = {
    "tanh": ("stiffness", "mu"),
    "tmeasy": ("stiffness", "mu", "peak_slip", "sliding_mu", "sliding_slip"),
}
#: cosine of camber below which a wheel lies
_LYING = 1e-6
#: normalised slip below which combined curves have a mean slope, so that there is one at no slip
_NO_SLIP = 1e-5
#: speed of sliding below which secants of slip are those at this one
_AT_REST = 1e-9
#: compression, relative to the radius, below which a tyre carries nothing
_NO_LOAD = 1e-9


class SlipParameters:
    """What a law of slip needs in one direction: numbers, expressions of parameters, or laws of the load."""

    def __init__(self, side: str, given: Any, law: str, where: str) -> None:
        one_of(law, tuple(SLIP_LAWS), f"{where}: law", ModelError)
        needed = SLIP_LAWS[law]
        wanted = f"{', '.join(needed)} and, if slip shall follow with a delay, relaxation"
        if not isinstance(given, Mapping):
            raise ModelError(f"{where}: {side} must name {wanted}: {{'{needed[0]}': 6e4, …}}; got {shown(given)}")
        for key in given:
            if key not in (*needed, "relaxation"):
                remedy = suggestion(str(key), [*needed, "relaxation"])
                raise ModelError(f"{where}: the law '{law}' has no {shown(key)} in {side}; {remedy}")
        for key in needed:
            if key not in given:
                raise ModelError(f"{where}: {side} needs {key}; the law '{law}' has {wanted}")
        self.side, self.relaxes = side, "relaxation" in given
        self.laws = {key: _of_load(value, where, f"{side} {key}") for key, value in given.items()}
        self._check_curve(given, where)

    def _check_curve(self, given: Mapping[str, Any], where: str) -> None:
        """Complain about curves that have no maximum before they slide."""
        if "peak_slip" not in given:
            return
        plain = {key: law.given for key, law in self.laws.items() if law.data(key) and not isinstance(law.given, Atom)}
        for low, high in (("peak_slip", "sliding_slip"), ("sliding_mu", "mu")):
            if low in plain and high in plain and not plain[low] <= plain[high]:
                raise ModelError(
                    f"{where}: {self.side} {low} must be at most {high}, got {plain[low]:g} and {plain[high]:g}"
                )
        if "peak_slip" in plain and is_number(given["sliding_slip"], plain["peak_slip"]):
            raise ModelError(
                f"{where}: {self.side} sliding_slip must be greater than peak_slip, {plain['peak_slip']:g}"
            )

    @property
    def data(self) -> dict[str, Any]:
        """Numbers, for the element."""
        return {
            name: number
            for key, law in self.laws.items()
            for name, number in law.data(f"{self.side}_{key}").items()
        }  # fmt: skip

    @property
    def variant(self) -> tuple[Any, ...]:
        """Equal for parameters with the same formulas."""
        return tuple((key, law.variant) for key, law in self.laws.items())

    def at(self, at: Site, load: Any) -> Data:
        """Values under a load."""
        return Data({key: law.value(at, f"{self.side}_{key}", {"load": load}) for key, law in self.laws.items()})


def _of_load(given: Any, where: str, what: str) -> Law:
    law = Law.of(given, where, what, ("load",), argument="load")
    if law.data(what):
        positive(given, where, what)
    return law


class Patch(NamedTuple):
    """How a wheel meets the road: load, velocity of the wheel upwards, velocities of its lowest point along and across,
    speed of travel, and the speed that slips are relative to."""

    load: Any
    lift: Any
    along: Any
    across: Any
    travel: Any
    speed: Any


class SlipTyre(Tyre):
    """A tyre with forces of slip along the road, besides the load of its vertical spring and damper.

    The z axis of the wheel's marker is the axle.  Camber has no influence.  The radius on which the wheel rolls is that
    of the loaded tyre.
    """

    kind = "slip tyre"

    def __init__(
        self,
        name: str,
        wheel: Marker,
        data: dict[str, Any],
        road: Law,
        directions: Directions,
        damps_rise: bool,
        law: str,
        lateral: SlipParameters,
        longitudinal: SlipParameters | None,
        implicit: bool = False,
    ) -> None:
        #: without longitudinal slip the wheel rolls freely, whether it spins or not
        self.law, self.lateral, self.longitudinal = law, lateral, longitudinal
        sides = self._sides
        super().__init__(
            name, wheel, {**data, **{key: value for one in sides for key, value in one.data.items()}}, road, directions,
            True, damps_rise, {f"{one.side}_slip": 0.0 for one in sides if one.relaxes},
            (law, tuple((one.side, one.variant) for one in sides)), implicit,
        )  # fmt: skip

    @property
    def _sides(self) -> list[SlipParameters]:
        return [self.lateral] if self.longitudinal is None else [self.longitudinal, self.lateral]

    def _axle(self, at: Site) -> tuple[list[Any], list[Any], list[Any]]:
        """Direction of the axle, direction upwards, and their product, whose size is the cosine of camber."""
        wheel, up = at.frames[0], list(self.directions[0])
        axle = list(wheel.z.components(wheel.world))
        return axle, up, cross(axle, up)

    def conditions(self, at: Site) -> list[tuple[Any, str]]:
        ahead = self._axle(at)[2]
        told = "its axle is vertical, so that it points nowhere; the z axis of its marker is the axle: at(…, axis='y')"
        return [(dot(ahead, ahead) - _LYING * _LYING, told)]

    def _patch(self, at: Site) -> Patch:
        wheel = at.frames[0]
        depth, rate, lift = self._compression(at)
        load = unilateral(depth, rate, at.data.stiffness, at.data.damping)
        axle, up, ahead = self._axle(at)
        upright = sqrt(dot(ahead, ahead))
        ahead = scaled(1.0 / upright, ahead)
        radius = at.data.radius - maximum(depth, 0.0)
        v, w = (list(one.components(wheel.world)) for one in (wheel.velocity, wheel.angular_velocity))
        lowest = [a - radius * b for a, b in zip(v, cross(w, up), strict=True)]
        along, across = dot(lowest, ahead), dot(lowest, cross(up, ahead))
        rolling = radius * upright * dot(w, axle)
        travel = along + rolling
        measure = rolling if self.law == "tmeasy" and self.longitudinal is not None else travel
        speed = sqrt(measure * measure + at.data.velocity * at.data.velocity)
        return Patch(load, lift, along, across, travel, speed)

    def _slips(self, at: Site, patch: Patch) -> list[Any]:
        """Of each direction: as it is, or as it follows."""
        present = {"lateral": patch.across / patch.speed, "longitudinal": -patch.along / patch.speed}
        states = iter(at.u)
        return [next(states) if one.relaxes else present[one.side] for one in self._sides]

    def _forces(self, at: Site) -> tuple[Patch, Any, Any]:
        """How the wheel meets the road, and the forces on it along and across."""
        patch = self._patch(at)
        return patch, *self._slip_forces(at, patch)

    def _slip_forces(self, at: Site, patch: Patch) -> tuple[Any, Any]:
        """Forces on the wheel along and across."""
        *along, across = self._slips(at, patch)
        parts = [one.at(at, patch.load) for one in self._sides]
        borne = maximum(patch.load, _NO_LOAD * at.data.stiffness * at.data.radius)
        if self.law == "tanh":
            found = _tanh_forces([*along, -arctan(across)], parts, patch.load, borne)
        else:
            found = _tmeasy_forces([*along, -across], parts, patch.load, borne)
        return found[0] if along else 0.0, found[-1]

    def powers(self, at: Site) -> list[tuple[Any, Any]]:
        patch, along, across = self._forces(at)
        pairs = [(patch.load, patch.lift), (across, patch.across)]
        return pairs if self.longitudinal is None else [*pairs, (along, patch.along)]

    def viscous(self, at: Site) -> list[tuple[Any, Any]]:
        """The damper, and secants of slip that does not follow as a state."""
        if not self.implicit:
            return []
        patch = self._patch(at)
        away = patch._replace(along=_away(patch.along), across=_away(patch.across))
        along, across = self._slip_forces(at, away)
        found = super().viscous(at)
        if not self.lateral.relaxes:
            found.append((array([patch.across]), array([[-across / away.across]])))
        if self.longitudinal is not None and not self.longitudinal.relaxes:
            found.append((array([patch.along]), array([[-along / away.along]])))
        return found

    def state_rates(self, at: Site) -> list[Any]:
        patch = self._patch(at)
        speeds = {"lateral": patch.across, "longitudinal": -patch.along}
        relaxed = [one for one in self._sides if one.relaxes]
        return [
            (speeds[one.side] - patch.speed * slip) / one.at(at, patch.load).relaxation
            for one, slip in zip(relaxed, at.u, strict=True)
        ]

    # -------------------------------------------------------------------------------------------------------- sensors

    @property
    def longitudinal_force(self) -> Quantity:
        """Force of the road on the wheel along it: forward is where the axle, turned about the vertical by a right
        angle to the right, points to (x for an axle along y)."""
        return self.measured(self._forces, f"longitudinal force of {self.name}", 1)

    @property
    def lateral_force(self) -> Quantity:
        """Force of the road on the wheel across it, positive to the left of where it rolls to."""
        return self.measured(self._forces, f"lateral force of {self.name}", 2)

    @property
    def slip(self) -> Quantity:
        """Longitudinal slip at this instant, positive where the wheel drives."""
        return self.measured(self._slip, f"slip of {self.name}")

    def _slip(self, at: Site) -> Any:
        patch = self._patch(at)
        return -patch.along / patch.speed

    @property
    def slip_angle(self) -> Quantity:
        """Angle from where the wheel points to where it moves, positive to the left; the lateral force is against
        it."""
        return self.measured(self._slip_angle, f"slip angle of {self.name}")

    def _slip_angle(self, at: Site) -> Any:
        patch = self._patch(at)
        velocity = at.data.velocity
        return arctan(patch.across / sqrt(patch.travel * patch.travel + velocity * velocity))

    def state(self, side: str) -> Quantity:
        """The slip that follows with its relaxation length, "lateral" or "longitudinal"."""
        relaxed = [one.side for one in self._sides if one.relaxes]
        if side not in relaxed:
            remedy = suggestion(str(side), relaxed) if relaxed else "no relaxation length is given"
            raise ModelError(f"{self.label} has no state of {shown(side)} slip; {remedy}")
        return self.measured(operator.attrgetter("u"), f"{self.name}.{side}_slip", relaxed.index(side))


def _away(speed: Any) -> Any:
    """A speed of sliding, away from zero, where secants have no value."""
    return where(abs(speed) > _AT_REST, speed, _AT_REST)


def _tanh_forces(slips: Sequence[Any], parts: Sequence[Data], load: Any, borne: Any) -> list[Any]:
    normalised = [one.stiffness * slip / (one.mu * borne) for one, slip in zip(parts, slips, strict=True)]
    return [one.mu * load * part for one, part in zip(parts, sliding(normalised, 1.0), strict=True)]


def _tmeasy_forces(slips: Sequence[Any], parts: Sequence[Data], load: Any, borne: Any) -> list[Any]:
    """Forces of a curve of the combined slip, in the direction of the normalised slips."""
    if len(slips) == 1:
        size = size_of(slips)
        return [_curve(size, parts[0].stiffness, parts[0], borne) * slips[0] * (load / borne)]
    peaks = [one.peak_slip for one in parts]
    bends = [one.mu * borne / one.stiffness for one in parts]
    scales = [peak / sum(peaks) + bend / sum(bends) for peak, bend in zip(peaks, bends, strict=True)]
    s = [slip / scale for slip, scale in zip(slips, scales, strict=True)]
    total = sum(x * x for x in s) + _NO_SLIP**2
    shares = [(x * x + 0.5 * _NO_SLIP**2) / total for x in s]

    def mean(values: Sequence[Any]) -> Any:
        return sqrt(sum(share * value * value for share, value in zip(shares, values, strict=True)))

    slope = mean([one.stiffness * scale for one, scale in zip(parts, scales, strict=True)])
    combined = Data(
        {key: mean([getattr(one, key) / scale for one, scale in zip(parts, scales, strict=True)])
         for key in ("peak_slip", "sliding_slip")}
        | {key: mean([getattr(one, key) for one in parts]) for key in ("mu", "sliding_mu")}
    )  # fmt: skip
    factor = _curve(size_of(s), slope, combined, borne) * (load / borne)
    return [factor * x for x in s]


def _curve(slip: Any, slope: Any, part: Data, borne: Any) -> Any:
    """Force over slip, F(s)/s: a rational function up to the maximum F_M at s_M; from there on a parabola with the
    curvature that the function has at its maximum, −2 a, and from s* on another one down to the value of sliding F_S
    at s_S; where s* would be beyond s_S, a cubic."""
    highest, lowest, peak, end = part.mu * borne, part.sliding_mu * borne, part.peak_slip, part.sliding_slip
    rising = slip / peak
    before = slope / (1.0 + rising * (rising + slope * peak / highest - 2.0))
    drop, way, past = highest - lowest, end - peak, maximum(slip - peak, 0.0)
    a = (highest / peak) * (highest / peak) / (slope * peak)
    turn = drop / (a * way)  # s* − s_M
    fading = past / way
    left = end - slip
    second = lowest + a * turn / where(turn < way, way - turn, way) * left * left
    parabolas = where(past < turn, highest - a * past * past, second)
    cubic = highest - drop * fading * fading * (3.0 - 2.0 * fading)
    beyond = where(fading < 1.0, where(turn < way, parabolas, cubic), lowest)
    return where(rising < 1.0, before, beyond / maximum(slip, peak))
