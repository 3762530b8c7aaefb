"""Springs and dampers: between markers, along coordinates of joints, between two coordinates, and bushings.

A spring resists: its force is k (x − x₀) + c ẋ + F₀ against growing x (a table may stand for c ẋ); so in a spring
between markers it is a tension.
"""

from __future__ import annotations

from typing import Any

from dalembert.model.element import Element, Site
from dalembert.model.forces.laws import Law, Path, is_number, motion_along
from dalembert.model.frames import Frame
from dalembert.model.quantity import Quantity
from dalembert.symbolic import arctan2, array, maximum, sqrt, where, zeros


class Scalar(Element):
    """A force along one scalar: a coordinate of a joint, the distance of two markers, or an angle in the plane."""

    def __init__(self, name: str, path: Path, **options: Any) -> None:
        super().__init__(name, **options)
        self.path, self.argument = path.kind, path.argument

    def along(self, at: Site) -> tuple[Any, Any]:
        """Value and rate of the scalar."""
        return motion_along(self.path, at)

    def force_at(self, at: Site) -> Any:
        """The force, as :attr:`force` measures it."""
        raise NotImplementedError

    @property
    def force(self) -> Quantity:
        """The force or torque, for sensors."""
        return self.measured(self.force_at, f"force of {self.name}")

    @property
    def extent(self) -> Quantity:
        """The length, displacement or angle, for sensors."""
        return self.measured(self.along, f"{self.argument} of {self.name}", 0)

    @property
    def rate(self) -> Quantity:
        """Its rate, for sensors."""
        return self.measured(self.along, f"rate of {self.name}", 1)


class Spring(Scalar):
    """k (x − x₀) + c ẋ and a force of any law, against growing x."""

    kind = "spring"

    def __init__(
        self,
        name: str,
        path: Path,
        stiffness: Any,
        damping: Law,
        natural: Any,
        law: Law,
        potential: Law | None,
        implicit: bool = False,
    ) -> None:
        self.law, self.damping, self.given_potential, self.implicit = law, damping, potential, implicit
        #: forces in proportion to the distance have a limit where that vanishes, and are made without its direction
        self.through_zero = path.kind == "distance" and all(
            is_number(value, 0.0) for value in (damping.given, natural, law.given)
        )
        super().__init__(
            name, path, markers=path.markers, coordinates=path.coordinates,
            data={"stiffness": stiffness, **damping.data("damping"), "natural": natural, **law.data("preload")},
            variant=(
                path.kind, law.variant, damping.variant, None if potential is None else potential.variant,
                self.through_zero,
            ),
        )  # fmt: skip

    def force_at(self, at: Site) -> Any:
        """What the spring resists with: a tension, or the torque against a growing angle."""
        x, rate = self.along(at)
        values = {self.argument: x, "rate": rate}
        law = self.law.value(at, "preload", values)
        return at.data.stiffness * (x - at.data.natural) + _damping(self.damping, at, values) + law

    def powers(self, at: Site) -> list[tuple[Any, Any]]:
        if self.through_zero:
            A, B = at.frames
            return [(-at.data.stiffness * A.to(B), B.velocity - A.velocity)]
        return [(-self.force_at(at), self.along(at)[1])]

    def viscous(self, at: Site) -> list[tuple[Any, Any]]:
        x, rate = self.along(at)
        return _viscous(self.damping, at, {self.argument: x, "rate": rate}) if self.implicit else []

    def potential(self, at: Site) -> Any:
        """½ k (x − x₀)², and what the law has: a constant force, a table, or the potential given with a function."""
        if self.through_zero:
            r = at.frames[0].to(at.frames[1])
            return 0.5 * at.data.stiffness * r.dot(r)
        x = self.along(at)[0]
        away = x - at.data.natural
        energy = 0.5 * at.data.stiffness * away * away
        if self.given_potential is not None:
            return energy + self.given_potential.value(at, "energy", {self.argument: x})
        return energy + _stored(self.law, self.argument, x, away, at)


def _stored(law: Law, argument: str, x: Any, away: Any, at: Site) -> Any:
    """Potential of a law: of a table over the extent, of a constant force; functions and other tables have none."""
    if law.is_function or law.is_table:
        found = law.integral(argument, x)
        return 0.0 if found is None else found
    return at.data.preload * away


def _damping(law: Law, at: Site, values: dict[str, Any]) -> Any:
    """Force of a damper: a number times the rate, or a table."""
    found = law.value(at, "damping", values)
    return found if law.is_table else found * values["rate"]


#: rates below which the secant of a table is its slope
_AT_REST = 1e-9


def _viscous(law: Law, at: Site, values: dict[str, Any]) -> list[tuple[Any, Any]]:
    """The part of a damper: its number, or the secant of its table, without the force at rest."""
    rate = values["rate"]
    found = law.value(at, "damping", values)
    if not law.is_table:
        return [(array([rate]), array([[found]]))]
    away = where(abs(rate) > _AT_REST, rate, _AT_REST)
    force, rest = (law.value(at, "damping", {**values, "rate": one}) for one in (away, 0.0 * away))
    return [(array([rate]), array([[(force - rest) / away]]))]


class GearSpring(Element):
    """The compliance of a gear or shaft: a spring and damper for the deflection θ₁ − i θ₂ − δ₀."""

    kind = "gear spring"

    def __init__(
        self, name: str, first: Any, second: Any, data: dict[str, Any], damping: Law, law: Law, implicit: bool = False
    ) -> None:
        self.damping, self.law, self.implicit = damping, law, implicit
        super().__init__(
            name,
            coordinates=(first, second),
            data={**data, **damping.data("damping"), **law.data("preload")},
            variant=(law.variant, damping.variant),
        )

    def deflection_at(self, at: Site) -> tuple[Any, Any]:
        """Deflection and its rate, on the side of the first coordinate."""
        i = at.data.ratio
        return at.values[0] - i * at.values[1] - at.data.offset, at.rates[0] - i * at.rates[1]

    def force_at(self, at: Site) -> Any:
        """Torque against the deflection."""
        x, rate = self.deflection_at(at)
        values = {"deflection": x, "rate": rate}
        return at.data.stiffness * x + _damping(self.damping, at, values) + self.law.value(at, "preload", values)

    @property
    def force(self) -> Quantity:
        """The torque against the deflection, for sensors."""
        return self.measured(self.force_at, f"force of {self.name}")

    @property
    def deflection(self) -> Quantity:
        """θ₁ − i θ₂ − δ₀, for sensors."""
        return self.measured(self.deflection_at, f"deflection of {self.name}", 0)

    def powers(self, at: Site) -> list[tuple[Any, Any]]:
        return [(-self.force_at(at), self.deflection_at(at)[1])]

    def viscous(self, at: Site) -> list[tuple[Any, Any]]:
        x, rate = self.deflection_at(at)
        return _viscous(self.damping, at, {"deflection": x, "rate": rate}) if self.implicit else []

    def potential(self, at: Site) -> Any:
        x = self.deflection_at(at)[0]
        energy = 0.5 * at.data.stiffness * x * x
        return energy + _stored(self.law, "deflection", x, x, at)


class Bushing(Element):
    """Stiffness and damping in all directions.

    x = (r, θ): the point of B in the axes of A, and the rotation of B relative to A as a rotation vector, whose length
    is the angle and whose direction the axis.  Forces −(K x + D ẋ + F₀) act along ẋ; so there is a potential, ½ xᵀ K x,
    and for turning about any one axis the moment is exactly k times the angle.
    """

    kind = "bushing"

    def __init__(self, name: str, first: Any, second: Any, data: dict[str, Any], implicit: bool = False) -> None:
        self.implicit = implicit
        super().__init__(name, (first, second), data=data)

    def motion(self, at: Site) -> tuple[Any, Any]:
        """x and ẋ: six, or in the plane (x, y, angle)."""
        A, B = at.frames
        r, v = A.to(B).components(A.base), A.velocity_of(B).components(A.base)
        if at.planar:
            turn, rate = motion_along("turn", at)
            return array([r[0], r[1], turn]), array([v[0], v[1], rate])
        theta, rate = rotation_vector(A, B)
        return array([*r, *theta]), array([*v, *rate])

    def force_at(self, at: Site) -> Any:
        """K x + D ẋ + F₀."""
        x, rate = self.motion(at)
        return array(array(at.data.stiffness) @ x + array(at.data.damping) @ rate + array(at.data.preload))

    @property
    def force(self) -> Quantity:
        """Forces and generalised moments against the displacements, in the axes of the first marker, for sensors."""
        return self.measured(self.force_at, f"force of {self.name}")

    def powers(self, at: Site) -> list[tuple[Any, Any]]:
        x, rate = self.motion(at)
        del x
        return [(-one, along) for one, along in zip(self.force_at(at), rate, strict=True)]

    def viscous(self, at: Site) -> list[tuple[Any, Any]]:
        return [(self.motion(at)[1], array(at.data.damping))] if self.implicit else []

    def potential(self, at: Site) -> Any:
        x, _ = self.motion(at)
        return 0.5 * (x @ (array(at.data.stiffness) @ x)) + array(at.data.preload) @ x


#: squares of sines of half angles below which series replace formulas that would be 0/0
_SMALL = 1e-3


def rotation_vector(A: Frame, B: Frame) -> tuple[Any, Any]:
    """Rotation vector θ of B relative to A, in the axes of both (they agree on it), and its rate; short of half a turn.

    With Euler parameters p₀ = cos(φ/2) and e = n sin(φ/2) of the rotation, s = |e|:

        θ = 2 e φ/(2 s),    θ̇ = w − θ × w / 2 + c θ × (θ × w),    c = (1 − (φ/2) cot(φ/2)) / φ²

    where w is the relative angular velocity in the axes of A.
    """
    R = A.rotation_of(B)
    p0 = 0.5 * sqrt(1.0 + R[0, 0] + R[1, 1] + R[2, 2])
    e = array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / (4.0 * p0)
    square = e @ e
    near = square < _SMALL
    s = sqrt(maximum(square, _SMALL))  # where the series counts, the other branch must stay finite
    half = arctan2(s, p0)
    z = square
    # asin(s)/s, and by φ = 2 asin(s) the same for c; the next terms are below 1e-17
    ratio = where(near, 1 + z * (1 / 6 + z * (3 / 40 + z * (5 / 112 + z * (35 / 1152 + z * (63 / 2816))))), half / s)
    theta = 2.0 * ratio * e
    y = theta @ theta
    c = where(
        near, 1 / 12 + y * (1 / 720 + y * (1 / 30240 + y * (1 / 1209600 + y / 47900160))),
        (1.0 - half * p0 / s) / (4.0 * half * half),
    )  # fmt: skip
    w = A.turning_of(B).components(A.base)
    turned = _cross(theta, w)
    return theta, array(w - 0.5 * turned + c * _cross(theta, turned))


def _cross(a: Any, b: Any) -> Any:
    result = zeros(3)
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        result[i] = a[j] * b[k] - a[k] * b[j]
    return result
