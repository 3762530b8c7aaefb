"""Motions of joints: how the second frame of a joint moves relative to the first, in coordinates of its own.

A motion is written once, as the steps of a way: slide along an axis, turn about an axis, turn anyhow.  The same steps
are taken by frames in atoms, by placements in numbers and by the frames of articulated bodies.  A joint with a motion
that is not here needs one class, with :meth:`Motion.steps` and :meth:`Motion.measured`; all else has answers that fit
every motion, and a class says more where it knows better: constant directions for the algorithms of trees, links for
the recursions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

import numpy as np

from dalembert.model.bodies.orientation import to_euler_parameters
from dalembert.symbolic import arctan2, array, sqrt
from dalembert.symbolic.mechanics import euler_parameter_rates

Axis = tuple[int, int, int]
_NO_MOTION = (0.0, 0.0, 0.0)


def opposite(axis: Axis) -> Axis:
    """The axis in the other direction."""
    return -axis[0], -axis[1], -axis[2]


# ---------------------------------------------------------------------------------------------------------------- steps


class Way(Protocol):
    """What steps move: a frame in atoms or numbers.  Axes are those of the frame as the steps before have left it."""

    def slide(self, axis: Axis, distance: Any, rate: Any) -> None:
        """Along an axis."""

    def turn(self, axis: Axis, angle: Any, rate: Any) -> None:
        """About an axis."""

    def rotate(self, parameters: Any, angular_velocity: Any) -> None:
        """By Euler parameters, with an angular velocity in the axes of the turned frame."""


@dataclass(frozen=True, eq=False)
class Slide:
    """A displacement along an axis, and its rate."""

    axis: Axis
    distance: Any
    rate: Any

    def move(self, way: Way) -> None:
        """Take the step."""
        way.slide(self.axis, self.distance, self.rate)

    def inverse(self) -> Slide:
        """The step back."""
        return Slide(opposite(self.axis), self.distance, self.rate)


@dataclass(frozen=True, eq=False)
class Turn:
    """An angle about an axis, and its rate."""

    axis: Axis
    angle: Any
    rate: Any

    def move(self, way: Way) -> None:
        """Take the step."""
        way.turn(self.axis, self.angle, self.rate)

    def inverse(self) -> Turn:
        """The step back."""
        return Turn(opposite(self.axis), self.angle, self.rate)


@dataclass(frozen=True, eq=False)
class Rotate:
    """Any rotation: Euler parameters of length one, scalar first, and the angular velocity in the turned axes."""

    parameters: Any
    angular_velocity: Any

    def move(self, way: Way) -> None:
        """Take the step."""
        way.rotate(self.parameters, self.angular_velocity)

    def inverse(self) -> Rotate:
        """The step back, whose angular velocity −R w is in the axes before the turn: R w = w + 2 e × (p₀ w + e × w)."""
        p0, *e = self.parameters
        w = list(self.angular_velocity)
        across = _cross(e, [p0 * a + b for a, b in zip(w, _cross(e, w), strict=True)])
        return Rotate([p0, *(-x for x in e)], [-(a + 2.0 * b) for a, b in zip(w, across, strict=True)])


def _cross(a: Sequence[Any], b: Sequence[Any]) -> list[Any]:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


Step = Slide | Turn | Rotate


class Relative(Protocol):
    """A frame B as it is seen from a frame A, in atoms or numbers."""

    @property
    def planar(self) -> bool:
        """Whether this is in the plane."""

    @property
    def angle(self) -> Any:
        """In the plane, the angle from A to B, with its turns."""

    @property
    def spin(self) -> Any:
        """In the plane, its rate."""

    def along(self, axis: Axis) -> tuple[Any, Any]:
        """Displacement and velocity of B along an axis of A."""

    def axis(self, k: int) -> Any:
        """Axis number k of B in components of A."""

    def axis_of_first(self, k: int) -> Any:
        """Axis number k of A in components of B."""

    def turning(self, k: int) -> Any:
        """Angular velocity of B relative to A, about axis number k of A."""

    def turning_of_second(self, k: int) -> Any:
        """Angular velocity of B relative to A, about axis number k of B."""


# -------------------------------------------------------------------------------------------------------------- motions


class LinkJoint(NamedTuple):
    """The joint of a link that has a motion: its kind among those of the recursions, the axis that is its z (None where
    it has none), and the length per radian of a screw."""

    kind: str
    axis: Axis | None = None
    lead: Any = 0.0


class Direction(NamedTuple):
    """A free motion along a constant direction: angular and linear part in the axes of the moved frame."""

    angular: Sequence[Any]
    linear: Sequence[Any]


class Motion(ABC):
    """A part of a joint's motion, with coordinates of its own; ``data`` are those of the joint, as attributes."""

    #: of a motion with one coordinate the name of that; of others that of all together
    name: str
    #: names of several coordinates, and of their velocities
    q_names: ClassVar[tuple[str, ...]] = ()
    v_names: ClassVar[tuple[str, ...]] = ()
    #: whether the one coordinate is an angle, which counts turns
    is_angle: bool = False
    #: whether the coordinates are those of the side that the tree reaches, as seen from the side that it comes from,
    #: instead of those of the second side, as seen from the first
    follows_tree: ClassVar[bool] = False

    #: 1 where velocities are lengths per time, 0 where they are angles per time; None where they are something else
    power_of_length: float | None = None

    @property
    def is_scalar(self) -> bool:
        """Whether it has one coordinate, whose rate is the velocity."""
        return not self.q_names

    @property
    def n_q(self) -> int:
        """Number of coordinates."""
        return len(self.q_names) or 1

    @property
    def n_v(self) -> int:
        """Number of velocities."""
        return len(self.v_names) or 1

    @abstractmethod
    def steps(self, q: Any, v: Any, data: Any) -> Sequence[Step]:
        """The way from the first side to the second; q and v are atoms or numbers."""

    @abstractmethod
    def measured(self, seen: Relative, data: Any) -> tuple[Any, Any]:
        """Coordinates and velocities as they follow from the frames, an angle in space within ±π.  Those of a motion
        with one coordinate are asked for in atoms and in numbers, those of others in numbers."""

    def rates(self, q: Any, v: Any) -> Any:
        """q̇ in terms of q and v."""
        return v

    def normalised(self, q: Any) -> Any:
        """Coordinates that meet conditions which they have among themselves; None where there are none."""
        return None

    def directions(self, data: Any) -> Sequence[Direction] | None:
        """One for each velocity; None where they change, so that the algorithms of trees do not apply."""
        return None

    def link(self, data: Any) -> LinkJoint | None:
        """What the recursions make of it; None where they have no such joint."""
        return None

    def backwards(self) -> Motion:
        """The way from the second side to the first, in the same coordinates."""
        return Backwards(self)

    @property
    def at_rest(self) -> Mapping[str, Any]:
        """Names and default values at the start, of the coordinates and of the velocities."""
        return {self.name: 0.0, f"{self.name}.rate": 0.0}

    def refused(self, q: Any) -> str:
        """Why coordinates cannot be those of a start; empty where they can."""
        return ""


class Backwards(Motion):
    """A motion, passed from its second side to its first."""

    def __init__(self, motion: Motion) -> None:
        self.motion, self.name, self.is_angle = motion, motion.name, motion.is_angle
        self.power_of_length = motion.power_of_length

    @property
    def is_scalar(self) -> bool:
        return self.motion.is_scalar

    @property
    def n_q(self) -> int:
        return self.motion.n_q

    @property
    def n_v(self) -> int:
        return self.motion.n_v

    def steps(self, q: Any, v: Any, data: Any) -> Sequence[Step]:
        return [step.inverse() for step in reversed(self.motion.steps(q, v, data))]

    def measured(self, seen: Relative, data: Any) -> tuple[Any, Any]:
        return self.motion.measured(seen, data)

    def rates(self, q: Any, v: Any) -> Any:
        return self.motion.rates(q, v)

    def normalised(self, q: Any) -> Any:
        return self.motion.normalised(q)


class Prescribed(Motion):
    """A motion along one coordinate that is a given function of time, and no unknown: the joint's data have its value
    and rate, under names of their own."""

    def __init__(self, motion: Motion) -> None:
        self.motion, self.name, self.is_angle = motion, motion.name, motion.is_angle

    @property
    def is_scalar(self) -> bool:
        return False

    @property
    def n_q(self) -> int:
        return 0

    @property
    def n_v(self) -> int:
        return 0

    @staticmethod
    def data(name: str, value: Any, rate: Any) -> dict[str, Any]:
        """Value and rate of the motion with a name, as data of its joint."""
        return {f"prescribed_{name}": value, f"prescribed_{name}_rate": rate}

    def rate(self, data: Any) -> Any:
        """Its rate, of the joint's data."""
        return getattr(data, f"prescribed_{self.name}_rate")

    def steps(self, q: Any, v: Any, data: Any) -> Sequence[Step]:
        return self.motion.steps([getattr(data, f"prescribed_{self.name}")], [self.rate(data)], data)

    def measured(self, seen: Relative, data: Any) -> tuple[Any, Any]:
        return self.motion.measured(seen, data)

    def directions(self, data: Any) -> Sequence[Direction] | None:
        """None are free; where those of the motion change, they still do."""
        return None if self.motion.directions(data) is None else []

    def backwards(self) -> Prescribed:
        return Prescribed(self.motion.backwards())


A = TypeVar("A", bound="AlongAxis")


@dataclass(frozen=True)
class AlongAxis(Motion):
    """A motion along or about one of the axes that both frames share."""

    axis: Axis = (0, 0, 1)

    def backwards(self: A) -> A:
        return replace(self, axis=opposite(self.axis))

    @property
    def _number(self) -> int:
        return next(k for k, entry in enumerate(self.axis) if entry)


@dataclass(frozen=True)
class Sliding(AlongAxis):
    """Sliding along an axis."""

    name: str = "displacement"
    power_of_length = 1.0

    def steps(self, q: Any, v: Any, data: Any) -> Sequence[Step]:
        return [Slide(self.axis, q[0], v[0])]

    def measured(self, seen: Relative, data: Any) -> tuple[Any, Any]:
        return seen.along(self.axis)

    def directions(self, data: Any) -> Sequence[Direction]:
        return [Direction(_NO_MOTION, _floats(self.axis))]

    def link(self, data: Any) -> LinkJoint:
        return LinkJoint("prismatic", self.axis)


@dataclass(frozen=True)
class Turning(AlongAxis):
    """Turning about an axis."""

    name: str = "angle"
    is_angle = True
    power_of_length = 0.0

    def steps(self, q: Any, v: Any, data: Any) -> Sequence[Step]:
        return [Turn(self.axis, q[0], v[0])]

    def measured(self, seen: Relative, data: Any) -> tuple[Any, Any]:
        """In space by the next axis of B, seen from A: the x axis where the turn is about z."""
        if seen.planar:
            return seen.angle, seen.spin
        k = self._number
        i = (k + 1) % 3
        moved = seen.axis(i)
        return arctan2(moved[(k + 2) % 3], moved[i]), seen.turning(k)

    def directions(self, data: Any) -> Sequence[Direction]:
        return [Direction(_floats(self.axis), _NO_MOTION)]

    def link(self, data: Any) -> LinkJoint:
        return LinkJoint("revolute", self.axis)


@dataclass(frozen=True)
class TurningLast(Turning):
    """The last of several turns, about an axis that is fixed in the second frame; it is seen from there."""

    def measured(self, seen: Relative, data: Any) -> tuple[Any, Any]:
        k = self._number
        i = (k + 2) % 3
        fixed = seen.axis_of_first(i)
        return arctan2(fixed[(k + 1) % 3], fixed[i]), seen.turning_of_second(k)


@dataclass(frozen=True)
class Screwing(Turning):
    """Turning about an axis that drives along it: ``pitch`` metres per turn, of the joint's data."""

    def steps(self, q: Any, v: Any, data: Any) -> Sequence[Step]:
        lead = _lead(data)
        return [Slide(self.axis, lead * q[0], lead * v[0]), Turn(self.axis, q[0], v[0])]

    def directions(self, data: Any) -> Sequence[Direction]:
        axis, lead = _floats(self.axis), _lead(data)
        return [Direction(axis, [lead * x for x in axis])]

    def link(self, data: Any) -> LinkJoint:
        return LinkJoint("screw", self.axis, _lead(data))


def _lead(data: Any) -> Any:
    return data.pitch / (2.0 * np.pi)


def _floats(axis: Axis) -> list[float]:
    return [float(x) for x in axis]


@dataclass(frozen=True)
class AnyTurning(Motion):
    """Any rotation: Euler parameters and the angular velocity of the moved frame, in its own axes."""

    name: str = "rotation"
    q_names = ("p0", "p1", "p2", "p3")
    v_names = ("wx", "wy", "wz")
    follows_tree = True
    power_of_length = 0.0

    def steps(self, q: Any, v: Any, data: Any) -> Sequence[Step]:
        return [Rotate(q, v)]

    def measured(self, seen: Relative, data: Any) -> tuple[Any, Any]:
        R = np.column_stack([seen.axis(k) for k in range(3)])
        return to_euler_parameters(R), [seen.turning_of_second(k) for k in range(3)]

    def rates(self, q: Any, v: Any) -> Any:
        return euler_parameter_rates(q, v)

    def normalised(self, q: Any) -> Any:
        p = array(q)
        return p / sqrt(p @ p)

    def directions(self, data: Any) -> Sequence[Direction]:
        return [Direction(_floats(axis), _NO_MOTION) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]

    def link(self, data: Any) -> LinkJoint:
        return LinkJoint("spherical")

    def backwards(self) -> AnyTurning:
        return self

    @property
    def at_rest(self) -> Mapping[str, Any]:
        return {self.name: (1.0, 0.0, 0.0, 0.0), "angular_velocity": (0.0, 0.0, 0.0)}

    def refused(self, q: Any) -> str:
        return "" if np.any(q) else "the Euler parameters of its start are all zero; try (1, 0, 0, 0)"


@dataclass(frozen=True)
class TurningInOrder(Turning):
    """One of up to three turns about different axes, one after the other: R = R_i R_j R_k; the axes stand in ``order``,
    completed by those that do not turn."""

    order: tuple[int, int, int] = (2, 0, 1)

    def measured(self, seen: Relative, data: Any) -> tuple[Any, Any]:
        i, j, k = self.order
        sign = 1.0 if (j - i) % 3 == 1 else -1.0
        columns = [seen.axis(m) for m in range(3)]
        R = [[columns[m][n] for m in range(3)] for n in range(3)]
        root = sqrt(R[i][i] * R[i][i] + R[i][j] * R[i][j])
        angles = {i: arctan2(-sign * R[j][k], R[k][k]), j: arctan2(sign * R[i][k], root)}
        angles[k] = arctan2(-sign * R[i][j], R[i][i])
        # The angular velocity in A is a_i φ̇_i + R_i a_j φ̇_j + R_i R_j a_k φ̇_k, the last one being column k of R.
        w = [seen.turning(m) for m in range(3)]
        c, s = R[k][k] / root, -sign * R[j][k] / root
        last = (c * w[k] - sign * s * w[j]) / root
        rates = {i: w[i] - R[i][k] * last, j: c * w[j] + sign * s * w[k], k: last}
        own = self._number
        return angles[own], rates[own]
