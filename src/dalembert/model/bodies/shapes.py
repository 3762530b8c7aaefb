"""Shapes of bodies, to draw them and to find their inertia.

Every shape is described in axes of its own, has a place in the body (``position`` and ``rotation``, as
:func:`~dalembert.model.bodies.inertia.rotation_of` takes it), and gives its mass properties and its surface in body
axes. Round shapes have their axis along z.

>>> wheel = Cylinder(0.3, 0.1, position=(0.0, 0.0, 0.5)).mass_properties(density=7800.0)
>>> round(wheel.mass, 3), wheel.com.tolist()
(220.54, [0.0, 0.0, 0.5])
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from dalembert.arguments import reals, whole
from dalembert.errors import ModelError
from dalembert.model.bodies import polygons
from dalembert.model.bodies.inertia import MassProperties, compound, point_of, rotation_of, scalar_of
from dalembert.model.bodies.orientation import frame_along

PER_TURN = 24  # corners of a circle in drawings
MOST_CORNERS = 10_000
LARGEST_LENGTH = 1e50  # powers of it are numbers still
SHARP = math.cos(math.radians(35.0))  # of the angle between normals from which on an edge is drawn


class Triangles(NamedTuple):
    """A surface: ``vertices`` (n, 3) and ``faces`` (m, 3), their numbers counterclockwise as seen from outside."""

    vertices: np.ndarray
    faces: np.ndarray


@dataclass(frozen=True, eq=False, kw_only=True)
class Shape:
    """What all shapes have in common: a place in the body."""

    position: Any = (0.0, 0.0, 0.0)
    rotation: Any = field(default=None, repr=False)

    _lengths: ClassVar[tuple[str, ...]] = ()  # fields that must be positive

    def __post_init__(self) -> None:
        kind = type(self).__name__
        for name in self._lengths:
            value = _constant(getattr(self, name), f"{kind}: {name}")
            if not value > 0.0:
                raise ModelError(f"{kind}: {name} must be positive, got {value:g}")
            if value > LARGEST_LENGTH:
                raise ModelError(f"{kind}: {name} must be at most {LARGEST_LENGTH:g}, got {value:g}")
            self._keep(name, value)
        self._keep("position", point_of(self.position, f"{kind}: position", planar=True))
        self._keep("rotation", rotation_of(self.rotation, f"{kind}: rotation"))
        if self.position.dtype == object or self.rotation.dtype == object:
            raise ModelError(
                f"{kind}: position and rotation must be numbers; only density and mass can be expressions of parameters"
            )

    def _keep(self, name: str, value: Any) -> None:
        if isinstance(value, np.ndarray):
            value.setflags(write=False)
        object.__setattr__(self, name, value)

    @property
    def measure(self) -> float:
        """Volume; of shapes without thickness the area or the length.  The mass is ``density`` times this."""
        raise NotImplementedError

    def _unit(self) -> MassProperties:
        """Of mass 1, in the axes of the shape."""
        raise NotImplementedError

    def _surface(self, per_turn: int) -> Triangles:
        """In the axes of the shape."""
        raise NotImplementedError

    def mass_properties(self, *, density: Any = None, mass: Any = None) -> MassProperties:
        """Of the homogeneous shape, in body axes; from its ``density`` (per :attr:`measure`) or its ``mass``."""
        kind = type(self).__name__
        if (density is None) == (mass is None):
            got = "neither" if mass is None else "both"
            raise ModelError(f"{kind}: mass properties need either density=… or mass=…, got {got}")
        given = scalar_of(density if mass is None else mass, f"{kind}: {'density' if mass is None else 'mass'}")
        if isinstance(given, float) and given < 0.0:
            raise ModelError(f"{kind}: {'density' if mass is None else 'mass'} must not be negative, got {given:g}")
        total = given * self.measure if mass is None else given
        return self._unit().scaled(total).placed(self.position, self.rotation)

    def placed(self, position: Any = (0.0, 0.0, 0.0), rotation: Any = None) -> Self:
        """A shape like this one, turned and then shifted as a whole."""
        kind = type(self).__name__
        r = point_of(position, f"{kind}: position", planar=True)
        R = rotation_of(rotation, f"{kind}: rotation")
        return replace(self, position=r + R @ self.position, rotation=R @ self.rotation)

    def triangles(self, per_turn: int = PER_TURN) -> Triangles:
        """Closed surface in body axes; circles become polygons with ``per_turn`` corners."""
        kind = type(self).__name__
        corners = whole(per_turn, f"{kind}: per_turn", ModelError, most=MOST_CORNERS)
        if corners < 3:
            raise ModelError(f"{kind}: a circle needs at least 3 corners, got per_turn={corners}")
        vertices, faces = self._surface(corners)
        return Triangles(self.position + vertices @ self.rotation.T, faces)

    def outline(self, per_turn: int = PER_TURN) -> np.ndarray:
        """Corners (n, 2) of what a planar drawing shows, in the x and y of the body, counterclockwise.

        That is the convex hull of the shape's shadow, which for all convex shapes is the shadow itself.
        """
        return polygons.convex_hull(self.triangles(per_turn).vertices[:, :2])

    def wires(self, per_turn: int = PER_TURN) -> list[np.ndarray]:
        """Lines (n, 3) in body axes that a drawing in space shows: sharp edges, and where these do not reach as far as
        the shape, as on a sphere, the borders of its shadows along its own axes."""
        lines = _sharp_edges(*self.triangles(per_turn))
        if not lines or not np.allclose(_extent(np.concatenate(lines)), _extent(self.triangles(per_turn).vertices)):
            lines += [self.position + line @ self.rotation.T for line in _shadows(self._surface(per_turn).vertices)]
        return lines


@dataclass(frozen=True, eq=False)
class Sphere(Shape):
    """Solid sphere about the origin."""

    radius: float
    _lengths = ("radius",)

    @property
    def measure(self) -> float:
        return 4.0 / 3.0 * math.pi * self.radius**3

    def _unit(self) -> MassProperties:
        return MassProperties(1.0, inertia=3 * [0.4 * self.radius**2])

    def _surface(self, per_turn: int) -> Triangles:
        return _revolved(_arc(self.radius, -0.5, 0.5, per_turn), per_turn)


@dataclass(frozen=True, eq=False)
class Ellipsoid(Shape):
    """Solid ellipsoid with the half axes a, b, c along x, y, z."""

    a: float
    b: float
    c: float
    _lengths = ("a", "b", "c")

    @property
    def measure(self) -> float:
        return 4.0 / 3.0 * math.pi * self.a * self.b * self.c

    def _unit(self) -> MassProperties:
        return MassProperties(1.0, inertia=_from_squares(self.a**2 / 5.0, self.b**2 / 5.0, self.c**2 / 5.0))

    def _surface(self, per_turn: int) -> Triangles:
        vertices, faces = _revolved(_arc(1.0, -0.5, 0.5, per_turn), per_turn)
        return Triangles(vertices * (self.a, self.b, self.c), faces)


@dataclass(frozen=True, eq=False)
class Box(Shape):
    """Solid box about the origin, with its whole lengths along x, y, z."""

    x: float
    y: float
    z: float
    _lengths = ("x", "y", "z")

    @property
    def measure(self) -> float:
        return self.x * self.y * self.z

    def _unit(self) -> MassProperties:
        return MassProperties(1.0, inertia=_from_squares(self.x**2 / 12.0, self.y**2 / 12.0, self.z**2 / 12.0))

    def _surface(self, per_turn: int) -> Triangles:
        square = 0.5 * np.array([[-self.x, -self.y], [self.x, -self.y], [self.x, self.y], [-self.x, self.y]])
        return _extruded(square, np.array([[0, 1, 2], [0, 2, 3]]), self.z)


@dataclass(frozen=True, eq=False)
class _Bar(Shape):
    """Something round about the origin, along z."""

    radius: float
    length: float
    _lengths = ("radius", "length")

    @classmethod
    def between(cls, start: Any, end: Any, radius: float) -> Self:
        """With the centres of its ends, or of the half spheres there, at two points."""
        length, position, rotation = _along(start, end, cls.__name__)
        return cls(radius, length, position=position, rotation=rotation)


@dataclass(frozen=True, eq=False)
class Cylinder(_Bar):
    """Solid cylinder about the origin, along z."""

    @property
    def measure(self) -> float:
        return math.pi * self.radius**2 * self.length

    def _unit(self) -> MassProperties:
        across = self.radius**2 / 4.0
        return MassProperties(1.0, inertia=_from_squares(across, across, self.length**2 / 12.0))

    def _surface(self, per_turn: int) -> Triangles:
        r, h = self.radius, 0.5 * self.length
        return _revolved(np.array([[0.0, -h], [r, -h], [r, h], [0.0, h]]), per_turn)


@dataclass(frozen=True, eq=False)
class Tube(Shape):
    """Hollow cylinder about the origin, along z."""

    outer: float
    inner: float
    length: float
    _lengths = ("outer", "inner", "length")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.inner < self.outer:
            raise ModelError(f"Tube: inner radius must be less than the outer, got {self.inner:g} and {self.outer:g}")

    @property
    def measure(self) -> float:
        return math.pi * (self.outer - self.inner) * (self.outer + self.inner) * self.length

    def _unit(self) -> MassProperties:
        across = (self.outer**2 + self.inner**2) / 4.0
        return MassProperties(1.0, inertia=_from_squares(across, across, self.length**2 / 12.0))

    def _surface(self, per_turn: int) -> Triangles:
        r, s, h = self.outer, self.inner, 0.5 * self.length
        return _revolved(np.array([[r, -h], [r, h], [s, h], [s, -h], [r, -h]]), per_turn)


@dataclass(frozen=True, eq=False)
class Capsule(_Bar):
    """Cylinder along z with half spheres on its ends; ``length`` is between their centres."""

    @property
    def measure(self) -> float:
        return math.pi * self.radius**2 * (self.length + 4.0 / 3.0 * self.radius)

    def _unit(self) -> MassProperties:
        r, h = self.radius, 0.5 * self.length
        caps = 4.0 * r / (4.0 * r + 3.0 * self.length)  # their part of the mass
        square = 83.0 / 320.0 * r**2  # of a half sphere, whose centre of mass is at 3/8 r from its flat side
        top = MassProperties(0.5 * caps, (0.0, 0.0, h + 0.375 * r), 0.5 * caps * np.array([square, square, 0.4 * r**2]))
        bottom = top.placed(rotation=(0.0, 1.0, 0.0, 0.0))
        return compound([Cylinder(r, self.length).mass_properties(mass=1.0 - caps), top, bottom])

    def _surface(self, per_turn: int) -> Triangles:
        h = (0.0, 0.5 * self.length)
        bottom, top = _arc(self.radius, -0.5, 0.0, per_turn), _arc(self.radius, 0.0, 0.5, per_turn)
        return _revolved(np.concatenate([bottom - h, top + h]), per_turn)


@dataclass(frozen=True, eq=False)
class Cone(Shape):
    """Solid cone with the centre of its base at the origin and its tip at z = height, or cut off there."""

    radius: float
    height: float
    top: float = 0.0
    _lengths = ("radius", "height")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep("top", _constant(self.top, "Cone: top"))
        if self.top < 0.0:
            raise ModelError(f"Cone: top radius must not be negative, got {self.top:g}")

    @property
    def _squares(self) -> float:
        return self.radius**2 + self.radius * self.top + self.top**2

    @property
    def measure(self) -> float:
        return math.pi / 3.0 * self.height * self._squares

    def _unit(self) -> MassProperties:
        R, r, h, s = self.radius, self.top, self.height, self._squares
        z = h * (R**2 + 2.0 * R * r + 3.0 * r**2) / (4.0 * s)
        across = 0.15 * (R**4 + R**3 * r + R**2 * r**2 + R * r**3 + r**4) / s
        along = h**2 * (R**2 + 3.0 * R * r + 6.0 * r**2) / (10.0 * s)  # about the base
        return MassProperties(1.0, (0.0, 0.0, z), _from_squares(across, across, along - z**2))

    def _surface(self, per_turn: int) -> Triangles:
        profile = [[0.0, 0.0], [self.radius, 0.0], [self.top, self.height]]
        return _revolved(np.array([*profile, [0.0, self.height]] if self.top else profile), per_turn)


@dataclass(frozen=True, eq=False)
class Rod(Shape):
    """Rod without thickness from ``start`` to ``end``; its density is per length.

    ``radius`` is for drawing only, a fortieth of the length unless given.
    """

    start: Any
    end: Any
    radius: float | None = None

    def __post_init__(self) -> None:
        for name in ("start", "end"):
            self._keep(name, point_of(getattr(self, name), f"Rod: {name}", planar=True))
        length, _, _ = _along(self.start, self.end, "Rod")
        self._keep("radius", length / 40.0 if self.radius is None else self.radius)
        super().__post_init__()

    _lengths = ("radius",)

    @property
    def measure(self) -> float:
        return math.dist(self.start, self.end)

    def _unit(self) -> MassProperties:
        r = self.end - self.start
        return MassProperties(1.0, 0.5 * (self.start + self.end), (r @ r * np.eye(3) - np.outer(r, r)) / 12.0)

    def _surface(self, per_turn: int) -> Triangles:
        assert self.radius is not None
        return Cylinder.between(self.start, self.end, self.radius).triangles(per_turn)

    def wires(self, per_turn: int = PER_TURN) -> list[np.ndarray]:
        """The rod itself: one line."""
        return [self.position + np.array([self.start, self.end]) @ self.rotation.T]


@dataclass(frozen=True, eq=False)
class Disc(Shape):
    """Disc without thickness about the origin, in the plane z = 0; its density is per area."""

    radius: float
    _lengths = ("radius",)

    @property
    def measure(self) -> float:
        return math.pi * self.radius**2

    def _unit(self) -> MassProperties:
        square = self.radius**2 / 4.0
        return MassProperties(1.0, inertia=_from_squares(square, square, 0.0))

    def _surface(self, per_turn: int) -> Triangles:
        # Two sides: what draws triangles may leave out those seen from behind.
        return _revolved(np.array([[0.0, 0.0], [self.radius, 0.0], [0.0, 0.0]]), per_turn)


@dataclass(frozen=True, eq=False)
class Prism(Shape):
    """Plate with the outline of a polygon, ``points`` (n, 2) in either order, and a thickness along z about z = 0."""

    points: Any
    thickness: float
    _lengths = ("thickness",)

    def __post_init__(self) -> None:
        super().__post_init__()
        points = reals(self.points, "Prism: points", ModelError, wanted="pairs of numbers").copy()
        if points.ndim != 2 or points.shape[1] != 2 or len(points) < 3:
            raise ModelError(f"Prism: points must be at least three pairs of numbers, got shape {points.shape}")
        if not np.isfinite(points).all():
            raise ModelError("Prism: points must be finite")
        if (points == np.roll(points, 1, axis=0)).all(axis=1).any():
            raise ModelError("Prism: a point is repeated at once; the last one is joined to the first by itself")
        pair = polygons.crossing(points)
        if pair is not None:
            raise ModelError(f"Prism: the polygon meets itself: side {pair[0]} and side {pair[1]}, counted from 0")
        area = polygons.area_moments(points).area
        if not abs(area) > 1e-12 * float(np.ptp(points, axis=0).max()) ** 2:
            raise ModelError("Prism: the polygon has no area, its points lie on a line")
        self._keep("points", points if area > 0.0 else points[::-1].copy())

    @property
    def measure(self) -> float:
        return polygons.area_moments(self.points).area * self.thickness

    def _unit(self) -> MassProperties:
        area, (x, y), second = polygons.area_moments(self.points)
        (xx, xy), (_, yy) = second / area
        zz = self.thickness**2 / 12.0
        return MassProperties(1.0, (x, y, 0.0), (yy + zz, xx + zz, xx + yy, -xy, 0.0, 0.0))

    def _surface(self, per_turn: int) -> Triangles:
        faces = polygons.triangulated(self.points)
        if faces is None:  # only by rounding
            raise ModelError("Prism: the polygon cannot be divided into triangles; some of its points nearly coincide")
        return _extruded(self.points, faces, self.thickness)

    def outline(self, per_turn: int = PER_TURN) -> np.ndarray:
        """Its polygon if it lies in the plane of the drawing; otherwise the convex hull of its shadow."""
        if abs(self.rotation[2, 2]) < 1.0 - 1e-12:
            return super().outline(per_turn)
        points: np.ndarray = self.position[:2] + self.points @ self.rotation[:2, :2].T
        return points if self.rotation[2, 2] > 0.0 else points[::-1].copy()


# ---------------------------------------------------------------------------------------------------------- geometry


def _constant(value: Any, what: str) -> float:
    number = scalar_of(value, what)
    if not isinstance(number, float):
        raise ModelError(f"{what} must be a number; only density and mass can be expressions of parameters")
    return number


def _from_squares(xx: float, yy: float, zz: float) -> tuple[float, float, float]:
    """Moments of inertia from the mean squares of x, y and z."""
    return yy + zz, zz + xx, xx + yy


def _along(start: Any, end: Any, kind: str) -> tuple[float, np.ndarray, np.ndarray]:
    """Length, middle and a rotation with z along the line from ``start`` to ``end``."""
    a, b = (point_of(p, f"{kind}: {name}", planar=True) for p, name in ((start, "start"), (end, "end")))
    if a.dtype == object or b.dtype == object:
        raise ModelError(
            f"{kind}: start and end must be numbers; only density and mass can be expressions of parameters"
        )
    length = math.dist(a, b)
    if not length > 0.0:
        raise ModelError(f"{kind}: start and end must be two points, got {a.tolist()} twice")
    return length, 0.5 * (a + b), frame_along(b - a, kind)


def _arc(radius: float, start: float, end: float, per_turn: int) -> np.ndarray:
    """Profile of a sphere between two latitudes, given in half turns; exactly on the axis at the poles."""
    steps = max(2, math.ceil(0.5 * per_turn * (end - start)))
    latitude = math.pi * np.linspace(start, end, steps + 1)
    profile = radius * np.column_stack([np.cos(latitude), np.sin(latitude)])
    profile[np.abs(latitude) == 0.5 * math.pi, 0] = 0.0
    return profile


def grid(points: np.ndarray) -> Triangles:
    """Triangles between successive rows of points (n, m, 3)."""
    n, m = points.shape[:2]
    first = (np.arange(n - 1)[:, None] * m + np.arange(m - 1)).ravel()
    faces = np.stack([first, first + m, first + 1, first + 1, first + m, first + m + 1], axis=1)
    return Triangles(points.reshape(-1, 3), faces.reshape(-1, 3))


def _revolved(profile: np.ndarray, per_turn: int) -> Triangles:
    """Surface of a profile (r, z) turned about z, body on its left; it begins and ends on the axis, or closes."""
    angle = 2.0 * math.pi * np.arange(per_turn) / per_turn
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    closed = bool((profile[0] == profile[-1]).all()) and profile[0, 0] > 0.0
    rows, vertices, count = [], [], 0
    for r, z in profile[:-1] if closed else profile:
        ring = np.column_stack([r * circle, np.full(per_turn, z)]) if r > 0.0 else np.array([[0.0, 0.0, z]])
        rows.append(count + (np.arange(per_turn) if r > 0.0 else np.zeros(per_turn, dtype=int)))
        vertices.append(ring)
        count += len(ring)
    below = np.array([*rows, rows[0]] if closed else rows)
    right = np.roll(below, -1, axis=1)
    a, b, c, d = below[:-1], right[:-1], right[1:], below[1:]
    faces = np.concatenate([np.stack([a, b, c], axis=-1), np.stack([a, c, d], axis=-1)]).reshape(-1, 3)
    x, y, z = faces.T
    return Triangles(np.concatenate(vertices), faces[(x != y) & (y != z) & (z != x)])  # none at the poles


def _extruded(points: np.ndarray, faces: np.ndarray, thickness: float) -> Triangles:
    """Plate with a counterclockwise polygon as outline; ``faces`` are the triangles of the polygon."""
    n = len(points)
    layers = [np.column_stack([points, np.full(n, z)]) for z in (-0.5 * thickness, 0.5 * thickness)]
    a = np.arange(n)
    b = np.roll(a, -1)
    sides = [np.column_stack([a, b, b + n]), np.column_stack([a, b + n, a + n])]
    return Triangles(np.concatenate(layers), np.concatenate([faces[:, ::-1], faces + n, *sides]))


# -------------------------------------------------------------------------------------------------------------- drawing


def _sharp_edges(vertices: np.ndarray, faces: np.ndarray) -> list[np.ndarray]:
    """Edges between faces that are not nearly in one plane, joined to lines."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.maximum(np.linalg.norm(normals, axis=1), np.finfo(float).tiny)[:, None]
    of_faces: dict[tuple[int, int], list[int]] = {}
    for face, corners in enumerate(faces.tolist()):
        for i, j in zip(corners, [*corners[1:], corners[0]], strict=True):
            of_faces.setdefault((min(i, j), max(i, j)), []).append(face)
    beside: dict[int, list[int]] = {}
    for (i, j), (first, *others) in of_faces.items():
        if not others or min(normals[first] @ normals[other] for other in others) < SHARP:
            beside.setdefault(i, []).append(j)
            beside.setdefault(j, []).append(i)
    lines = []
    # Lines that must end somewhere begin there.
    for start in sorted(beside, key=lambda vertex: len(beside[vertex]) % 2, reverse=True):
        while beside[start]:
            way = [start]
            while beside[way[-1]]:
                following = beside[way[-1]].pop()
                beside[following].remove(way[-1])
                way.append(following)
            lines.append(vertices[way])
    return lines


def _shadows(vertices: np.ndarray) -> list[np.ndarray]:
    """Closed lines around points as seen along the three axes; of points behind each other in their middle."""
    near = 1e-9 * float(np.ptp(vertices, axis=0).max())
    lines = []
    for axis in range(3):
        across = [k for k in range(3) if k != axis]
        hull = polygons.convex_hull(vertices[:, across])
        line = np.empty((len(hull), 3))
        line[:, across] = hull
        for corner in line:
            behind = np.abs(vertices[:, across] - corner[across]).max(axis=1) <= near
            corner[axis] = vertices[behind, axis].mean()
        lines.append(np.vstack([line, line[:1]]))
    return lines


def _extent(vertices: np.ndarray) -> np.ndarray:
    """Smallest and largest coordinates."""
    return np.array([vertices.min(axis=0), vertices.max(axis=0)])
