"""Applied forces and torques, along coordinates or in any frame, and forces that users write themselves."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from dalembert.arguments import shown
from dalembert.errors import ModelError
from dalembert.model.bodies.parts import Marker
from dalembert.model.element import Element, Site
from dalembert.model.forces.laws import COMMON, Law, Path, Sees, called, coordinate_of, marker_of
from dalembert.model.forces.springs import Scalar
from dalembert.model.joints.joints import Joint, JointCoordinate
from dalembert.model.quantity import Quantity
from dalembert.symbolic import Vector
from dalembert.symbolic.atom import labelled


class ScalarForce(Scalar):
    """A force or torque along a scalar, in the direction in which that grows."""

    kind = "force"

    def __init__(self, name: str, path: Path, law: Law, sees: Sees, kind: str = "force") -> None:
        self.law, self.sees, self.kind = law, sees, kind
        super().__init__(
            name, path, markers=(*path.markers, *sees.markers.values()),
            coordinates=(*path.coordinates, *sees.coordinates.values()), data=law.data("force"),
            variant=(path.kind, law.variant, sees.variant),
        )  # fmt: skip

    def force_at(self, at: Site) -> Any:
        x, rate = self.along(at)
        return self.law.value(at, "force", {self.argument: x, "rate": rate, **self.sees.values(at)})

    def powers(self, at: Site) -> list[tuple[Any, Any]]:
        return [(self.force_at(at), self.along(at)[1])]


class Applied(Element):
    """Something with components in a frame, on a marker; its reaction may act on another body."""

    kind = "force"
    #: whether it is a moment
    turns = False

    def __init__(self, name: str, marker: Marker, law: Law, frame: Any, reaction: Marker | None, sees: Sees) -> None:
        self.law, self.sees = law, sees
        self.in_frame = "marker" if isinstance(frame, Marker) else frame
        self.reacts = reaction is not None
        markers = [marker, *([reaction] if reaction else []), *([frame] if isinstance(frame, Marker) else [])]
        super().__init__(
            name, (*markers, *sees.markers.values()), tuple(sees.coordinates.values()), law.data("force"),
            variant=(law.variant, self.in_frame, self.reacts, sees.variant),
        )  # fmt: skip

    def _axes(self, at: Site) -> Any:
        """The base of the components."""
        if self.in_frame == "world":
            return at.frames[0].world
        return at.frames[0 if self.in_frame == "own" else 1 + self.reacts].base

    def vector_at(self, at: Site) -> Vector:
        """The force or moment."""
        A = at.frames[0]
        labels = self.markers[0].body.model.labels
        size = len(labels)
        values: dict[str, Any] = {
            "position": labelled(A.position[:size], labels),
            "velocity": labelled(A.velocity.components(A.world)[:size], labels),
            "rotation": A.rotation,
            "angular_velocity": labelled(A.angular_velocity.components(A.base), "xyz"),
        }
        if at.planar:
            values |= {"angle": A.angle, "angular_velocity": values["angular_velocity"][2]}
        components = self.law.value(at, "force", {**values, **self.sees.values(at)})
        vector: Vector = self._axes(at).vector(*components, *[0.0] * (3 - len(components)))
        return vector

    @property
    def force(self) -> Quantity:
        """The force or moment in the axes of the world, for sensors."""
        return self.measured(self._components, f"force of {self.name}", labels=self.markers[0].body.model.labels)

    def _components(self, at: Site) -> Any:
        found = self.vector_at(at).components(at.frames[0].world)
        return found[:2] if at.planar else found

    def powers(self, at: Site) -> list[tuple[Any, Any]]:
        A = at.frames[0]
        if self.turns:
            against = A.angular_velocity - at.frames[1].angular_velocity if self.reacts else A.angular_velocity
        else:
            # The reaction acts where the force does: both together have no moment.
            against = at.frames[1].velocity_of(A) if self.reacts else A.velocity
        return [(self.vector_at(at), against)]


class AppliedForce(Applied):
    """A force on a marker, with components in any frame."""


class AppliedTorque(Applied):
    """A moment on a body in space, with components in any frame."""

    kind = "torque"
    turns = True


class Seen(NamedTuple):
    """A coordinate of a joint, as a user's force sees it."""

    value: Any
    rate: Any


class UserForce(Element):
    """Pairs of forces and velocities, written by the user."""

    kind = "user force"

    def __init__(
        self, name: str, items: Sequence[Any], function: Callable[..., Any], potential: Callable[..., Any] | None
    ) -> None:
        self.function, self.energy = function, potential
        where = f"{self.kind} '{name}'"
        listed = list(items) if isinstance(items, (list, tuple)) else [items]
        #: for each item, whether it is a coordinate
        self.order = tuple(isinstance(item, (Joint, JointCoordinate)) for item in listed)
        self.arguments = _arguments(function, len(listed), where)
        if potential is not None:
            self.energy_arguments = _arguments(potential, len(listed), f"{where}: potential")
        super().__init__(
            name,
            [marker_of(item, where) for item in listed if not isinstance(item, (Joint, JointCoordinate))],
            [coordinate_of(item, where) for item in listed if isinstance(item, (Joint, JointCoordinate))],
            variant=(function, potential, self.order),
        )

    def _values(self, at: Site, names: Sequence[str]) -> dict[str, Any]:
        frames = iter(at.frames)
        coordinates = iter(zip(at.values, at.rates, strict=True))
        items = [Seen(*next(coordinates)) if is_coordinate else next(frames) for is_coordinate in self.order]
        return dict(zip(names, items, strict=True))

    def powers(self, at: Site) -> list[tuple[Any, Any]]:
        what = f"{self.label}: the function"
        found = called(at, what, self.function, self._values(at, self.arguments))
        advice = f"{what} must return a list of pairs (force, velocity), such as [(F, A.velocity)]"
        try:
            pairs = [tuple(pair) for pair in found]
        except TypeError:
            raise ModelError(f"{advice}; got {shown(found)}") from None
        for pair in pairs:
            if len(pair) != 2 or isinstance(pair[0], Vector) is not isinstance(pair[1], Vector):
                raise ModelError(f"{advice}: two vectors or two scalars in each; got {shown(pair)}")
        return pairs

    def potential(self, at: Site) -> Any:
        if self.energy is None:
            return 0.0
        return called(at, f"{self.label}: potential", self.energy, self._values(at, self.energy_arguments))


def _arguments(function: Callable[..., Any], count: int, where: str) -> list[str]:
    """Names that a function gives to the things it acts on."""
    try:
        names = [name for name in inspect.signature(function).parameters if name not in COMMON]
    except (TypeError, ValueError):
        raise ModelError(f"{where} needs a function with named arguments, got {shown(function)}") from None
    if len(names) != count:
        raise ModelError(
            f"{where}: there are {count} markers and coordinates, so the function needs {count} arguments for them "
            f"besides {', '.join(COMMON)}; it has {', '.join(names) or 'none'}"
        )
    return names
