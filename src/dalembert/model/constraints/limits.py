"""Limits: stops for a coordinate of a joint or any quantity that depends on positions.

    lower ≤ s ≤ upper

Each side is a row of the constraints that holds only while something rests on it: lower − s = 0 or s − upper = 0, with
a multiplier that is the force of the stop along s, zero or positive.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dalembert.arguments import shown
from dalembert.equations.contract.switching import Stop
from dalembert.errors import DalembertError, ModelError
from dalembert.model.bodies.parts import Marker
from dalembert.model.constraints.constraints import Constraint, in_time, knots
from dalembert.model.element import Row, Site
from dalembert.model.forces.laws import Law
from dalembert.model.frames import Frame
from dalembert.model.joints.joints import JointCoordinate
from dalembert.model.quantity import Quantity
from dalembert.symbolic import Atom, Base, Graph, Point, symbols, time_derivative

if TYPE_CHECKING:
    from dalembert.model.formulate.scene import Scene

#: how the value of a side grows with the quantity
SIDES = {"lower": -1.0, "upper": 1.0}


class Limit(Constraint):
    """Stops that a quantity cannot pass."""

    kind = "limit"

    def __init__(
        self, name: str, quantity: Quantity, bounds: dict[str, Law], restitution: Any, rest: bool | float
    ) -> None:
        self.quantity, self.bounds, self.restitution, self.rest = quantity, bounds, restitution, rest
        self.rows = tuple(bounds)
        #: what the quantity is made of, in the order of the frames and values of a site
        self._markers, self._coordinates = ingredients(quantity, f"limit '{name}'")
        super().__init__(
            name,
            self._markers,
            self._coordinates,
            data={key: value for side, law in bounds.items() for key, value in law.data(side).items()},
            variant=(
                None if isinstance(quantity, JointCoordinate) else quantity,
                tuple(law.variant for law in bounds.values()),
            ),
            breaks=[instant for law in bounds.values() for instant in knots(law, ())],
        )

    def _motion(self, at: Site) -> tuple[Any, Any]:
        """The quantity and its rate."""
        if isinstance(self.quantity, JointCoordinate):
            return at.values[0], at.rates[0]
        value = self.quantity.build(_Seen(at, self._markers, self._coordinates))  # type: ignore[arg-type]
        return value, time_derivative(value)

    def constraints(self, at: Site) -> list[Row]:
        s, s_rate = self._motion(at)
        rows = []
        for side, law in self.bounds.items():
            bound, bound_rate = in_time(law, at, side)
            sign = SIDES[side]
            rows.append(Row(sign * (s - bound), sign * (s_rate - bound_rate)))
        return rows

    def stops(self, scene: Scene) -> list[Stop]:
        """One for each side, in the symbols of a scene."""
        e = scene.number(self.restitution)

        def penetration(k: int) -> Any:
            return self.constraints(scene.site(self))[k].value

        return [
            Stop(
                self.name if len(self.rows) == 1 else f"{self.name}.{side}",
                f"{self.name}.{side}",
                lambda k=k: penetration(k),  # type: ignore[misc]
                e,
                self.rest,
            )
            for k, side in enumerate(self.rows)
        ]


class _Seen:
    """A site in the place of a scene, for quantities of markers and coordinates that the site has."""

    def __init__(self, site: Site, markers: Sequence[Marker], coordinates: Sequence[JointCoordinate]) -> None:
        self.graph, self.t, self.p, self.w = site.graph, site.t, site.p, site.w
        self._frames = {id(marker): frame for marker, frame in zip(markers, site.frames, strict=True)}
        self._values = {id(one): value for one, value in zip(coordinates, site.values, strict=True)}

    def frame(self, marker: Marker) -> Frame:
        return self._frames[id(marker)]

    def value(self, coordinate: JointCoordinate) -> Any:
        return self._values[id(coordinate)]


class _Probe:
    """A scene that notes which markers and coordinates a quantity asks for; each marker is at a place of its own."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.graph = Graph()
        self.world = Base.root(self.graph, "world")
        self.origin = Point.root(self.world, "O")
        self.markers: dict[int, tuple[Marker, Frame]] = {}
        self.coordinates: dict[int, tuple[JointCoordinate, Atom]] = {}
        self.speeds: set[Any] = set()

    def _moving(self, name: str) -> Atom:
        speed = self.graph.variable(f"{name}.rate", rate=self.graph.variable(f"{name}.acceleration"))
        self.speeds.add(speed)
        return self.graph.variable(name, rate=speed)

    def frame(self, marker: Marker) -> Frame:
        if id(marker) not in self.markers:
            x, y, z, angle = (self._moving(f"{key}{len(self.markers)}") for key in ("x", "y", "z", "angle"))
            point = self.origin.moved(f"point {len(self.markers)}", self.world.vector(x, y, z))
            base = self.world.rotated(f"base {len(self.markers)}", (0, 0, 1), angle)
            self.markers[id(marker)] = marker, Frame(base, point, angle)
        return self.markers[id(marker)][1]

    def value(self, coordinate: JointCoordinate) -> Atom:
        if id(coordinate) not in self.coordinates:
            self.coordinates[id(coordinate)] = coordinate, self._moving(f"value {len(self.coordinates)}")
        return self.coordinates[id(coordinate)][1]

    def __getattr__(self, name: str) -> Any:
        raise ModelError(f"{self.label} needs a quantity that depends on positions only; this one asks for its {name}")


def ingredients(quantity: Quantity, label: str) -> tuple[tuple[Marker, ...], tuple[JointCoordinate, ...]]:
    """Markers and coordinates that a scalar quantity of positions is made of."""
    probe = _Probe(label)
    try:
        value = quantity.build(probe)  # type: ignore[arg-type]
    except ModelError:
        raise
    except DalembertError as error:
        raise ModelError(f"{label} needs a quantity that depends on positions only: {error}") from None
    if not isinstance(value, Atom):
        raise ModelError(
            f"{label} needs one number that changes, such as joint.angle or marker.position.y; got {shown(value)}"
        )
    if probe.speeds & set(symbols([value])):
        raise ModelError(f"{label} needs a quantity that depends on positions only; this one depends on velocities")
    if not probe.speeds & set(symbols([time_derivative(value)])):
        raise ModelError(
            f"{label} needs a quantity that moves with positions; this one is constant between jumps, as a comparison "
            "is: give what is compared, and the bound as lower= or upper="
        )
    return (
        tuple(marker for marker, _ in probe.markers.values()),
        tuple(coordinate for coordinate, _ in probe.coordinates.values()),
    )
