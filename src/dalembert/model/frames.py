"""Frames in atoms: where a marker is and how it moves, on whatever coordinates.

Joints and forces are written in these terms, once for all formulations (railway paper, sections 2.1 and 2.3: points,
bases and vectors do not know which coordinates they are made of).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dalembert.arguments import LARGEST_ARRAY, shown
from dalembert.errors import ModelError
from dalembert.symbolic import Atom, AtomArray, Base, Point, Vector, array
from dalembert.symbolic.mechanics import angular_velocity, base_change, position, velocity
from dalembert.symbolic.mechanics.components import scalar, scalars
from dalembert.symbolic.mechanics.rotations import AxisAngle, Rotation, rotation_matrix, unit_axis


@dataclass(frozen=True, eq=False)
class Frame:
    """A triad of axes at a point of a body."""

    base: Base
    point: Point
    #: in a planar model, the angle of the x axis from that of the world; it counts turns
    angle: Any = None

    @cached_property
    def axes(self) -> tuple[Vector, Vector, Vector]:
        """Unit vectors."""
        return self.base.vector(1, 0, 0), self.base.vector(0, 1, 0), self.base.vector(0, 0, 1)

    @property
    def x(self) -> Vector:
        """First axis."""
        return self.axes[0]

    @property
    def y(self) -> Vector:
        """Second axis."""
        return self.axes[1]

    @property
    def z(self) -> Vector:
        """Third axis: that of a revolute or prismatic joint."""
        return self.axes[2]

    @cached_property
    def velocity(self) -> Vector:
        """Velocity of the point in the world."""
        return velocity(self.point)

    @cached_property
    def angular_velocity(self) -> Vector:
        """Angular velocity of the axes in the world."""
        return angular_velocity(self.base)

    def vector(self, *components: Any) -> Vector:
        """Vector with components along the axes."""
        return self.base.vector(*components)

    @property
    def world(self) -> Base:
        """The axes of the world."""
        return self.base.top

    @cached_property
    def position(self) -> AtomArray:
        """Of the point in the world, in its axes."""
        return position(self.point.top, self.point).components(self.world)

    @property
    def rotation(self) -> AtomArray:
        """R from this frame to the world: its columns are the axes."""
        return base_change(self.world, self.base)

    def moved(self, *components: Any) -> Frame:
        """A frame displaced along these axes by (x, y) or (x, y, z)."""
        if not 1 <= len(components) <= 3:
            raise ModelError(f"a frame is moved by two or three components, got {len(components)}")
        offset = self.base.vector(*components, *[0.0] * (3 - len(components)))
        return Frame(self.base, Point(f"{self.point.name}'", self.point, offset), self.angle)

    def turned(self, angle: Any, axis: Any = (0, 0, 1)) -> Frame:
        """A frame turned about an axis (three components, or a letter), z unless given."""
        direction = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}.get(axis, axis) if isinstance(axis, str) else axis
        turn = AxisAngle(unit_axis(self.base.graph, direction, False, "frame"), scalar(self.base.graph, angle, "angle"))
        return Frame(
            Base(f"{self.base.name}'", self.base, self.base.graph, turn), self.point,
            None if self.angle is None else self.angle + angle,
        )  # fmt: skip

    # ------------------------------------------------------------------------------------------ two frames

    def to(self, other: Frame) -> Vector:
        """From this point to another."""
        return position(self.point, other.point)

    def velocity_of(self, other: Frame) -> Vector:
        """Velocity of another point as seen from this frame: v_B − v_A − w_A × r_AB."""
        return other.velocity - self.velocity - self.angular_velocity.cross(self.to(other))

    def turning_of(self, other: Frame) -> Vector:
        """Angular velocity of another frame relative to this one."""
        return angular_velocity(other.base, self.base)

    def rotation_of(self, other: Frame) -> AtomArray:
        """Axes of another frame in components of this one, as columns."""
        return base_change(self.base, other.base)


@dataclass(frozen=True, eq=False)
class Place:
    """A frame that moves with a body or a marker, and where the one of the body or marker stands in it:
    r_home = R r + r."""

    base: Base
    point: Point
    R: Any
    r: Any
    #: in the plane, angle of the frame of the body or marker, with its turns
    angle: Any = None

    def frame(self, name: str) -> Frame:
        """The frame of the body or marker itself."""
        return fixed_frame(Frame(self.base, self.point, self.angle), self.R, self.r, name)


@dataclass(frozen=True, eq=False)
class RelativeFrames:
    """A frame B as it is seen from a frame A."""

    A: Frame
    B: Frame
    planar: bool

    @property
    def angle(self) -> Any:
        """In the plane, the angle from A to B, with its turns."""
        return self.B.angle - self.A.angle

    @property
    def spin(self) -> Any:
        """In the plane, its rate."""
        A, B = self.A, self.B
        return B.angular_velocity.components(B.base)[2] - A.angular_velocity.components(A.base)[2]

    def along(self, axis: tuple[int, int, int]) -> tuple[Any, Any]:
        """Displacement and velocity of B along an axis of A."""
        direction = self.A.vector(*axis)
        return self.A.to(self.B).dot(direction), self.A.velocity_of(self.B).dot(direction)

    def axis(self, k: int) -> Any:
        """Axis number k of B in components of A."""
        return self.B.axes[k].components(self.A.base)

    def axis_of_first(self, k: int) -> Any:
        """Axis number k of A in components of B."""
        return self.A.axes[k].components(self.B.base)

    def turning(self, k: int) -> Any:
        """Angular velocity of B relative to A, about axis number k of A."""
        return self.A.turning_of(self.B).dot(self.A.axes[k])

    def turning_of_second(self, k: int) -> Any:
        """Angular velocity of B relative to A, about axis number k of B."""
        return self.A.turning_of(self.B).dot(self.B.axes[k])


def fixed_frame(home: Frame, R: Any, r: Any, name: str) -> Frame:
    """A frame that stands at r, turned by R, in another."""
    base, point = home.base, home.point
    if not is_zero(r):
        point = Point(name, home.point, home.base.vector(*r))
    if not is_identity(R):
        graph = home.base.graph
        still = scalars(graph, np.zeros(3), (3,), name)
        base = Base(name, home.base, graph, Rotation(rotation_matrix(graph, R, name), still))
    return Frame(base, point, home.angle)


def is_identity(R: Any) -> bool:
    """Whether a matrix of numbers or atoms is the identity, exactly."""
    return all(entry_is(R[i][j], 1.0 if i == j else 0.0) for i in range(3) for j in range(3))


def is_zero(r: Any) -> bool:
    """Whether all entries are the number zero."""
    return all(entry_is(entry, 0.0) for entry in np.asarray(r, dtype=object).reshape(-1))


def entry_is(entry: Any, number: float) -> bool:
    """Whether a number or an atom has one value, for sure."""
    if isinstance(entry, Atom):
        return entry.value is not None and entry.value == number
    return bool(entry == number)


def objects_of(values: Any, what: str) -> np.ndarray:
    """What a user gives as numbers or atoms, as an array of objects; ``what`` begins the complaint."""
    if isinstance(values, np.ndarray) and values.size > LARGEST_ARRAY:
        raise ModelError(f"{what} has the shape {values.shape}, which is more than {LARGEST_ARRAY} numbers")
    try:
        return np.array(values, dtype=object)
    except Exception:  # an object of the user may raise anything when it is converted
        raise ModelError(f"{what} must be numbers in rows of equal length, got {shown(values)}") from None


def atoms_or_numbers(values: Any) -> Any:
    """An array of floats where all entries are numbers, else of atoms."""
    items = np.asarray(values, dtype=object)
    if any(isinstance(item, Atom) for item in items.flat):
        return array(items)
    return items.astype(float)
