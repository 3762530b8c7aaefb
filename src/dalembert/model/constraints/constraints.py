"""Constraints that are no joints: the basic ones of the thesis, section 3.2.1.2, and those that a user writes.

Drives and couplings stand in ``drives``, curves in ``point_curves``, rolling and blades in ``rolling``.

Rows have the sign that makes the multiplier the force that the constraint exerts, since it enters as −Gᵀλ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.arguments import reals, shown
from dalembert.errors import ModelError
from dalembert.model.bodies.parts import Marker
from dalembert.model.element import Element, Row, Site
from dalembert.model.forces.laws import Law, Table
from dalembert.model.joints.joints import (
    ROWS_OF_FRAMES,
    JointCoordinate,
    coincident,
    perpendicular,
    perpendicular_to_line,
    same_angle,
)
from dalembert.model.quantity import Quantity
from dalembert.symbolic import Atom, array, substitute, time_derivative

if TYPE_CHECKING:
    from dalembert.model.formulate.scene import Scene


class Hold(Element):
    """A scalar quantity that keeps a value while a mechanism is assembled: one of positions, or ``moving`` one of
    velocities, such as the rate of a coordinate of a joint."""

    kind = "held value"

    def __init__(self, name: str, quantity: Quantity, value: float, moving: bool) -> None:
        coordinates = (quantity,) if isinstance(quantity, JointCoordinate) else ()
        super().__init__(name, coordinates=coordinates, data={"value": value}, variant=(moving, quantity))
        self.quantity = quantity
        label = quantity.name or "value"
        self.rows, self.moving_rows = ((), (label,)) if moving else ((label,), ())

    def constraints(self, at: Site) -> list[Row]:
        if not self.rows:
            return []
        value, rate = (at.values[0], at.rates[0]) if at.values else self._measured(at)
        return [Row(value - at.data.value, rate)]

    def _measured(self, at: Site) -> tuple[Any, Any]:
        value = self.quantity.build(at.scene)
        return value, time_derivative(value)

    def velocity_constraints(self, at: Site) -> list[Any]:
        if not self.moving_rows:
            return []
        return [(at.rates[0] if at.rates else self.quantity.build(at.scene)) - at.data.value]


class Constraint(Element):
    """A constraint between markers or coordinates of joints."""

    kind = "constraint"

    @property
    def force(self) -> Quantity:
        """What the constraint exerts: its multipliers, one number or one component for each row."""
        labels = (*self.rows, *self.moving_rows)
        return Quantity(self._multipliers, f"force of {self.name}", labels if len(labels) > 1 else ())

    def _multipliers(self, scene: Scene) -> Any:
        scene.own(self)
        places = scene.layout.places[self.name]
        found = [scene.inputs["lam"][i] for i in (*places.rows, *places.moving_rows)]
        return found[0] if len(found) == 1 else array(found)


# --------------------------------------------------------------------------------------------- functions of the user


def in_time(law: Law, at: Site, key: str) -> tuple[Any, Any]:
    """Value and rate of a law that depends on time alone."""
    value = law.value(at, key, {"t": at.t})
    # w may be symbols with rates of their own, which only the total derivative sees.
    return value, time_derivative(value) if isinstance(value, Atom) else 0.0


def knots(law: Law, breaks: Sequence[float]) -> tuple[float, ...]:
    """Instants at which a derivative of the law jumps."""
    own = law.given.polynomial.breaks if isinstance(law.given, Table) and not law.given.polynomial.period else ()
    return (*(float(t) for t in own), *reals(breaks, f"{law.what}: breaks", ModelError, ndim=1, finite=True).tolist())


def followed(
    at: Site, values: Mapping[str, Any], rates: Sequence[Any], function: Callable[[dict[str, Any]], Sequence[Any]]
) -> list[Row]:
    """Rows f(x₁, x₂, …, t) = 0, with the rates Σ ∂f/∂xᵢ ẋᵢ + ∂f/∂t.

    The x are symbols while derivatives are taken, so that what they are made of is not looked at again.
    """
    symbols = {key: at.graph.variable(f"{at.label}: {key}", rate=rate) for key, rate in zip(values, rates, strict=True)}
    replaced = [(symbol, values[key]) for key, symbol in symbols.items()]
    rows = []
    for value in function(symbols):
        if not isinstance(value, Atom):
            raise ModelError(
                f"{at.label}: the function must depend on {' or '.join(values)}; it is {shown(value)} always"
            )
        rows.append(Row(substitute(value, replaced), substitute(time_derivative(value), replaced)))
    return rows


def as_list(found: Any) -> list[Any]:
    """What a function of the user returns: one expression or several."""
    if isinstance(found, Row):
        return [found]
    several = isinstance(found, (list, tuple)) or (isinstance(found, np.ndarray) and found.ndim == 1)
    return list(found) if several else [found]


class Written(Constraint):
    """Position constraints that a user writes: a function of frames and coordinates that shall vanish."""

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        parts: Mapping[str, Marker | JointCoordinate],
        rows: Sequence[str],
    ) -> None:
        self._markers = [key for key, part in parts.items() if isinstance(part, Marker)]
        self._named = [key for key, part in parts.items() if isinstance(part, JointCoordinate)]
        super().__init__(
            name,
            [part for part in parts.values() if isinstance(part, Marker)],
            [part for part in parts.values() if isinstance(part, JointCoordinate)],
            variant=(function, tuple(parts), tuple(rows)),
        )
        self.function = function
        self._announce(tuple(rows))

    def _announce(self, rows: tuple[str, ...]) -> None:
        self.rows = rows

    def _values(self, at: Site) -> list[Any]:
        given: dict[str, Any] = dict(zip(self._markers, at.frames, strict=True))
        for key, value, rate in zip(self._named, at.values, at.rates, strict=True):
            given |= {key: value, f"{key}_rate": rate}
        return as_list(at.call(self.function, **given))

    def constraints(self, at: Site) -> list[Row]:
        return [row if isinstance(row, Row) else Row(row, _total(at, row)) for row in self._values(at)]


class WrittenOnVelocities(Written):
    """Constraints on velocities that a user writes; nonholonomic ones, mostly."""

    def _announce(self, rows: tuple[str, ...]) -> None:
        self.moving_rows = rows

    def constraints(self, at: Site) -> list[Row]:
        return []

    def velocity_constraints(self, at: Site) -> list[Any]:
        return self._values(at)


def _total(at: Site, value: Any) -> Any:
    if not isinstance(value, Atom):
        raise ModelError(f"{at.label}: the function must return expressions of its frames, got {shown(value)}")
    return time_derivative(value)


# ---------------------------------------------------------------------------------- basic constraints (thesis 3.2.1.2)


class Perpendicular(Constraint):
    """Φd1: the z axes of two markers are perpendicular."""

    kind = "perpendicular axes"
    powers_of_length = ROWS_OF_FRAMES
    rows = ("zz",)

    def constraints(self, at: Site) -> list[Row]:
        A, B = at.frames
        return [perpendicular(A.z, A.angular_velocity, B.z, B.angular_velocity)]


class Parallel(Constraint):
    """Φd1 twice: the z axis of the second marker is perpendicular to x and y of the first."""

    kind = "parallel axes"
    powers_of_length = ROWS_OF_FRAMES
    rows = ("xz", "yz")

    def constraints(self, at: Site) -> list[Row]:
        A, B = at.frames
        return [perpendicular(axis, A.angular_velocity, B.z, B.angular_velocity) for axis in (A.x, A.y)]


class Orientation(Constraint):
    """Two markers have the same axes: Φd1 three times; in the plane, the same angle."""

    kind = "orientation lock"
    powers_of_length = ROWS_OF_FRAMES

    def __init__(self, name: str, first: Marker, second: Marker) -> None:
        super().__init__(name, (first, second))
        self.rows = ("angle",) if first.body.model.planar else ("xy", "xz", "yz")

    def constraints(self, at: Site) -> list[Row]:
        A, B = at.frames
        if at.planar:
            return [same_angle(A, B)]
        pairs = ((A.x, B.y), (A.x, B.z), (A.y, B.z))
        return [perpendicular(a, A.angular_velocity, b, B.angular_velocity) for a, b in pairs]


class Coincident(Constraint):
    """Φs: two points are the same."""

    kind = "coincident points"
    powers_of_length = ROWS_OF_FRAMES

    def __init__(self, name: str, first: Marker, second: Marker) -> None:
        super().__init__(name, (first, second))
        self.rows = ("x", "y") if first.body.model.planar else ("x", "y", "z")

    def constraints(self, at: Site) -> list[Row]:
        A, B = at.frames
        return coincident(A, B, at.planar)


class PointOnPlane(Constraint):
    """Φd2: the line from a marker to a point is perpendicular to the marker's z axis, or ends at a height over it, also
    one that changes in time."""

    kind = "point on a plane"
    powers_of_length = ROWS_OF_FRAMES
    rows = ("z",)

    def __init__(
        self, name: str, plane: Marker, point: Marker, height: Law, breaks: Sequence[float] = (), impulse: bool = False
    ) -> None:
        self.height, self.impulse = height, impulse
        super().__init__(
            name, (plane, point), data=height.data("height"), variant=height.variant, breaks=knots(height, breaks)
        )

    def constraints(self, at: Site) -> list[Row]:
        A, B = at.frames
        row = perpendicular_to_line(A, A.z, B)
        height, rate = in_time(self.height, at, "height")
        return [Row(row.value - height, row.rate - rate)]


class PointOnLine(Constraint):
    """Φd2 twice: a point on the z axis of a marker; in the plane once: on its x axis."""

    kind = "point on a line"
    powers_of_length = ROWS_OF_FRAMES

    def __init__(self, name: str, line: Marker, point: Marker) -> None:
        super().__init__(name, (line, point))
        self.rows = ("y",) if line.body.model.planar else ("x", "y")

    def constraints(self, at: Site) -> list[Row]:
        A, B = at.frames
        return [perpendicular_to_line(A, axis, B) for axis in ((A.y,) if at.planar else (A.x, A.y))]


class Distance(Constraint):
    """Φss: the points of two markers keep a distance L, which may change in time.

    It reads (d·d − L²)/(2 L) = 0: a polynomial in d as in the thesis, d·d − C², so that no root is differentiated, and
    its gradient is the unit vector d/L there, so that the multiplier is the tension.
    """

    kind = "distance"
    powers_of_length = ROWS_OF_FRAMES
    rows = ("length",)

    def __init__(
        self, name: str, first: Marker, second: Marker, length: Law, breaks: Sequence[float] = (), impulse: bool = False
    ) -> None:
        self.length, self.impulse = length, impulse
        super().__init__(
            name, (first, second), data=length.data("length"), variant=length.variant, breaks=knots(length, breaks)
        )

    def constraints(self, at: Site) -> list[Row]:
        A, B = at.frames
        L, L_rate = in_time(self.length, at, "length")
        d, speed = A.to(B), B.velocity - A.velocity
        square = d.dot(d)
        rate = d.dot(speed) / L - 0.5 * L_rate * (1.0 + square / (L * L))
        return [Row(0.5 * (square / L - L), rate)]
