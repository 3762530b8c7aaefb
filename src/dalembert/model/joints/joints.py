"""Joints: which motions they leave free, as coordinates in a tree, and which they take away, as constraints.

Each joint stands between a frame A on its first body and a frame B on its second.  Its coordinates describe B relative
to A.  In the plane all rotations are about z.  Constraints follow the thesis, section 3.2.1.2: Φd1 (two axes stay
perpendicular), Φd2 (an axis and the line between two points), Φs (two points coincide).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from dalembert.arguments import flag, instance, known_name, named
from dalembert.errors import ModelError, suggestion
from dalembert.model.bodies.parts import Marker
from dalembert.model.element import Element, Row, Site
from dalembert.model.frames import Frame, RelativeFrames
from dalembert.model.joints.motions import AnyTurning, Motion, Screwing, Sliding, Turning, TurningInOrder, TurningLast
from dalembert.model.quantity import Quantity, quantities_in
from dalembert.symbolic import Vector, arctan2, array, cos, sin

if TYPE_CHECKING:
    from dalembert.model.constraints.drives import Prescription
    from dalembert.model.formulate.scene import Scene

#: Names of rows that place points, and of rows that hold axes or angles.
ROWS_OF_FRAMES: Mapping[str, float] = MappingProxyType(
    dict.fromkeys(("x", "y", "z", "advance", "length"), 1.0) | dict.fromkeys(("xy", "xz", "yz", "zz", "angle"), 0.0)
)


class JointCoordinate(Quantity):
    """An angle or a displacement of a joint; angles count turns. ``rate`` is its velocity."""

    def __init__(self, joint: Joint, label: str, is_angle: bool) -> None:
        super().__init__(self._value_in, f"{joint.name}.{label}", coordinates=(self,))
        self.joint, self.label, self.is_angle = joint, label, is_angle
        rate_name = f"{joint.name}.rate" if len(joint.coordinate_labels) == 1 else f"{self.name}.rate"
        self.rate = Quantity(self._rate_in, rate_name)

    def prescribe(self, law: Any, *, name: str | None = None, breaks: Sequence[float] = ()) -> Prescription:
        """Let this coordinate be a function of time, see :meth:`Model.prescribe`; called after the joint and its
        coordinate unless ``name`` says otherwise."""
        model: Any = self.joint.first.body.model
        return model.prescribe(f"{self.joint.name} {self.label}" if name is None else name, self, law, breaks=breaks)

    def _value_in(self, scene: Scene) -> Any:
        return scene.value(self)

    def _rate_in(self, scene: Scene) -> Any:
        return scene.rate(self)

    def __repr__(self) -> str:
        return f"<{self.name}>"


class Joint(Element):
    """A joint between two bodies.

    A subclass says which motions of its second frame B, as seen from its first frame A, are free, and what constraints
    they leave: ``motions`` and ``between``, with names for the rows of these.
    """

    kind = "joint"
    #: how B moves relative to A, in space and in the plane
    motions: ClassVar[tuple[Motion, ...]] = ()
    planar_motions: ClassVar[tuple[Motion, ...] | None] = None
    #: names of the constraints, in space and in the plane
    spatial_rows: ClassVar[tuple[str, ...]] = ()
    planar_rows: ClassVar[tuple[str, ...]] = ()
    powers_of_length = ROWS_OF_FRAMES

    def __init__(
        self,
        name: str,
        first: Marker,
        second: Marker,
        start: Mapping[str, float] | None = None,
        cut: bool = False,
        data: Mapping[str, Any] | None = None,
    ) -> None:
        for key, marker in (("first", first), ("second", second)):
            instance(marker, Marker, f"{self.kind} '{name}': {key}", ModelError, "such as body.at(0, 0)")
        super().__init__(name, (first, second), data=data)
        self.planar = first.body.model.planar
        self.cut = flag(cut, f"{self.kind} '{name}': cut", ModelError)
        #: dry friction that depends on the reactions, from :meth:`Model.friction`
        self.friction: Any = None
        self.rows = self.planar_rows if self.planar else self.spatial_rows
        #: coordinates as quantities, by the names of their motions
        self.own_coordinates = {
            motion.name: JointCoordinate(self, motion.name, motion.is_angle)
            for motion in self.free_motions
            if motion.is_scalar
        }
        #: values of the coordinates and their rates at the start
        self.start: dict[str, float] = named(start, f"{self.kind} '{name}': start", ModelError)

    @property
    def free_motions(self) -> tuple[Motion, ...]:
        """How the second body moves relative to the first."""
        return self.planar_motions if self.planar and self.planar_motions is not None else self.motions

    @property
    def coordinate_labels(self) -> tuple[str, ...]:
        """Names of the coordinates, without that of the joint."""
        return tuple(motion.name for motion in self.free_motions if motion.is_scalar)

    @property
    def start_names(self) -> list[str]:
        """Names of the coordinates and their rates."""
        return [name for one in self.own_coordinates.values() for name in (one.name, one.rate.name)]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # asked for when a joint is copied, before it has anything
            raise AttributeError(name)
        found = self.__dict__.get("own_coordinates", {})
        if name in found:
            return found[name]
        if name == "rate" and len(found) == 1:
            return next(iter(found.values())).rate
        known = [*found, *(["rate"] if len(found) == 1 else []), "force", "torque"]
        raise AttributeError(f"{self.label} has no '{name}'; {suggestion(name, known)}")

    @property
    def freedom(self) -> int:
        """Number of free motions."""
        return sum(motion.n_v for motion in self.free_motions)

    @property
    def first(self) -> Marker:
        """Frame A."""
        return self.markers[0]

    @property
    def second(self) -> Marker:
        """Frame B."""
        return self.markers[1]

    @property
    def force(self) -> Quantity:
        """What the joint exerts on its second body, in the frame on the first."""
        model = self.first.body.model
        parts = range(len(model.labels))
        return Quantity(partial(_reaction, self, parts), f"force of {self.name}", model.labels, axes=self.first)

    @property
    def torque(self) -> Quantity:
        """Moment that the joint exerts on its second body, about the origin of the second frame, in the frame on the
        first."""
        if self.planar:
            return Quantity(partial(_reaction, self, 5), f"torque of {self.name}")
        made = partial(_reaction, self, range(3, 6))
        return Quantity(made, f"torque of {self.name}", ("x", "y", "z"), axes=self.first)

    def prescribe(self, law: Any, *, name: str | None = None, breaks: Sequence[float] = ()) -> Prescription:
        """Let the coordinate of a joint that has only one be a function of time, see :meth:`Model.prescribe`."""
        if len(self.own_coordinates) != 1:
            listed = ", ".join(self.own_coordinates)
            several = f"has several coordinates; choose one of {listed}" if listed else "has no coordinate"
            raise ModelError(f"{self.label} {several}")
        (coordinate,) = self.own_coordinates.values()
        return coordinate.prescribe(law, name=name, breaks=breaks)

    @property
    def asked_quantities(self) -> list[Quantity]:
        return [*super().asked_quantities, *quantities_in(() if self.friction is None else self.friction.variant)]

    def constraints(self, at: Site) -> list[Row]:
        A, B = at.frames
        return self.between(A, B, at)

    def powers(self, at: Site) -> list[tuple[Any, Any]]:
        return [] if self.friction is None else self.friction.powers(self, at)

    def between(self, A: Frame, B: Frame, at: Site) -> list[Row]:
        """Constraints of two frames."""
        raise NotImplementedError

    def relative_motion(self, label: str, A: Frame, B: Frame, data: Any) -> tuple[Any, Any]:
        """A coordinate as it follows from the frames, and its rate; an angle in space is within ±π here."""
        return self.motion(label).measured(RelativeFrames(A, B, self.planar), data)

    def motion(self, label: str) -> Motion:
        """The motion with a name."""
        found = {motion.name: motion for motion in self.free_motions}
        return found[known_name(label, found, f"{self.label}: the motion", ModelError)]


def _reaction(joint: Joint, entries: int | range, scene: Scene) -> Any:
    """Entries of the force and moment of a joint."""
    found = scene.reaction(joint)
    return found[entries] if isinstance(entries, int) else array(found[list(entries)])


# ---------------------------------------------------------------------------------- basic constraints (thesis 3.2.1.2)


def perpendicular(a: Vector, w_a: Vector, b: Vector, w_b: Vector) -> Row:
    """Φd1: a·b = 0 for unit vectors fixed in two bodies; its rate is (w_b − w_a)·(b × a)."""
    return Row(a.dot(b), (w_b - w_a).dot(b.cross(a)))


def perpendicular_to_line(A: Frame, a: Vector, B: Frame) -> Row:
    """Φd2: a·r_AB = 0 for a vector a fixed in A."""
    return Row(A.to(B).dot(a), A.velocity_of(B).dot(a))


def coincident(A: Frame, B: Frame, planar: bool) -> list[Row]:
    """Φs: both points are the same, in the axes of the world."""
    d, v = A.to(B).components(A.world), (B.velocity - A.velocity).components(A.world)
    return [Row(d[k], v[k]) for k in range(2 if planar else 3)]


def _axes_perpendicular(A: Frame, B: Frame, pairs: Sequence[tuple[int, int]]) -> list[Row]:
    w_A, w_B = A.angular_velocity, B.angular_velocity
    return [perpendicular(A.axes[i], w_A, B.axes[j], w_B) for i, j in pairs]


def same_angle(A: Frame, B: Frame) -> Row:
    """In the plane: both frames have the same angle, up to whole turns, which loops may have at the start."""
    return Row(unwrapped(B.angle - A.angle, 0.0), RelativeFrames(A, B, True).spin)


# ------------------------------------------------------------------------------------------------------------- joints


class Revolute(Joint):
    """Turning about the common z axis; in the plane, a pin."""

    kind = "revolute joint"
    motions = (Turning(),)
    spatial_rows = ("x", "y", "z", "xz", "yz")
    planar_rows = ("x", "y")

    def between(self, A: Frame, B: Frame, at: Site) -> list[Row]:
        rows = coincident(A, B, at.planar)
        return rows if at.planar else rows + _axes_perpendicular(A, B, [(0, 2), (1, 2)])


class Prismatic(Joint):
    """Sliding along the z axis of the frames; in the plane along their x axis."""

    kind = "prismatic joint"
    motions = (Sliding(),)
    planar_motions = (Sliding((1, 0, 0)),)
    spatial_rows = ("x", "y", "xz", "yz", "xy")
    planar_rows = ("y", "angle")

    def between(self, A: Frame, B: Frame, at: Site) -> list[Row]:
        if at.planar:
            return [perpendicular_to_line(A, A.y, B), same_angle(A, B)]
        rows = [perpendicular_to_line(A, A.x, B), perpendicular_to_line(A, A.y, B)]
        return rows + _axes_perpendicular(A, B, [(0, 2), (1, 2), (0, 1)])


class Cylindrical(Joint):
    """Turning about and sliding along the common z axis."""

    kind = "cylindrical joint"
    motions: ClassVar[tuple[Motion, ...]] = (Sliding(), Turning())
    spatial_rows: ClassVar[tuple[str, ...]] = ("x", "y", "xz", "yz")

    def between(self, A: Frame, B: Frame, at: Site) -> list[Row]:
        rows = [perpendicular_to_line(A, A.x, B), perpendicular_to_line(A, A.y, B)]
        return rows + _axes_perpendicular(A, B, [(0, 2), (1, 2)])


class Screw(Cylindrical):
    """Turning about the common z axis, which drives the second body along it: ``pitch`` metres per turn."""

    kind = "screw joint"
    motions = (Screwing(),)
    spatial_rows = ("x", "y", "xz", "yz", "advance")

    def __init__(self, name: str, first: Marker, second: Marker, **options: Any) -> None:
        super().__init__(name, first, second, **options)
        self.coordinates = (self.angle,)  # as a constraint it counts turns

    def between(self, A: Frame, B: Frame, at: Site) -> list[Row]:
        advance = at.data.pitch / (2.0 * np.pi)
        angle, rate = at.values[0], at.rates[0]
        along = A.to(B).dot(A.z), A.velocity_of(B).dot(A.z)
        return [*super().between(A, B, at), Row(along[0] - advance * angle, along[1] - advance * rate)]


class Spherical(Joint):
    """A common point, about which all rotations are free."""

    kind = "spherical joint"
    motions = (AnyTurning(),)
    spatial_rows = ("x", "y", "z")

    def between(self, A: Frame, B: Frame, at: Site) -> list[Row]:
        return coincident(A, B, at.planar)


class Universal(Joint):
    """A common point and a cross of two axes: turning about x of the first frame, then about y of the second."""

    kind = "universal joint"
    motions = (Turning((1, 0, 0), "angle1"), TurningLast((0, 1, 0), "angle2"))
    spatial_rows = ("x", "y", "z", "xy")

    def between(self, A: Frame, B: Frame, at: Site) -> list[Row]:
        return coincident(A, B, at.planar) + _axes_perpendicular(A, B, [(0, 1)])


class Planar(Joint):
    """Sliding in the xy plane of the first frame, and turning about its normal; in a planar model, anything."""

    kind = "planar joint"
    motions = (Sliding((1, 0, 0), "x"), Sliding((0, 1, 0), "y"), Turning())
    spatial_rows = ("z", "xz", "yz")

    def between(self, A: Frame, B: Frame, at: Site) -> list[Row]:
        if at.planar:
            return []
        return [perpendicular_to_line(A, A.z, B), *_axes_perpendicular(A, B, [(0, 2), (1, 2)])]


class Fixed(Joint):
    """No motion at all."""

    kind = "fixed joint"
    spatial_rows = ("x", "y", "z", "xy", "xz", "yz")
    planar_rows = ("x", "y", "angle")

    def between(self, A: Frame, B: Frame, at: Site) -> list[Row]:
        rows = coincident(A, B, at.planar)
        if at.planar:
            return [*rows, same_angle(A, B)]
        return rows + _axes_perpendicular(A, B, [(0, 1), (0, 2), (1, 2)])


class Free(Joint):
    """All motions: the coordinates of a body that nothing carries."""

    kind = "free joint"
    motions = (
        Sliding((1, 0, 0), "x"), Sliding((0, 1, 0), "y"), Sliding((0, 0, 1), "z"),
        AnyTurning(),
    )  # fmt: skip
    planar_motions = Planar.motions

    def between(self, A: Frame, B: Frame, at: Site) -> list[Row]:
        return []


#: names of turns about the axes
#: Cosines of the middle one of three angles below which the axes of the others are one.
_LOCKED = 1e-5
TURNS = {"x": "roll", "y": "pitch", "z": "yaw"}
_AXES = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


class Guided(Joint):
    """Sliding along some axes of the first frame, then turning about some axes, one turn after the other."""

    kind = "guide"

    def __init__(self, name: str, first: Marker, second: Marker, slides: str, turns: str, **options: Any) -> None:
        i, j, k = ("xyz".index(axis) for axis in (*turns, *(axis for axis in "xyz" if axis not in turns)))
        order = i, j, k
        self.slides, self.turns, self.order = slides, turns, order
        self._motions: tuple[Motion, ...] = (
            *(Sliding(_AXES["xyz".index(axis)], axis) for axis in slides),
            *(TurningInOrder(_AXES["xyz".index(axis)], TURNS[axis], order) for axis in turns),
        )
        #: axes of A that are perpendicular to axes of B, as they would turn otherwise
        self._still = [[(0, 1), (0, 2), (1, 2)], [(i, j), (i, k)], [(i, j)], []][len(turns)]
        held = [axis for axis in "xyz" if axis not in slides]
        rows = (*held, *("xyz"[m] + "xyz"[n] for m, n in self._still))
        self.spatial_rows = rows  # type: ignore[misc]
        super().__init__(name, first, second, **options)
        self.variant = (slides, turns)

    @property
    def free_motions(self) -> tuple[Motion, ...]:
        return self._motions

    def is_locked(self, middle: float) -> bool:
        """Whether the first and the last of three turns are about the same axis, with this angle of the middle one."""
        return len(self.turns) == 3 and abs(np.cos(middle)) < _LOCKED

    def between(self, A: Frame, B: Frame, at: Site) -> list[Row]:
        held = [k for k, axis in enumerate("xyz") if axis not in self.slides]
        return [perpendicular_to_line(A, A.axes[k], B) for k in held] + _axes_perpendicular(A, B, self._still)


def unwrapped(angle: Any, near: Any) -> Any:
    """The value of an angle that is within half a turn of another: near + (angle − near), brought to ±π."""
    away = angle - near
    return near + arctan2(sin(away), cos(away))
