"""What a mechanism looks like and how it moved: plain data that a stored run carries, for reports and animations.

A **pose track** per body (place of its frame, Euler parameters), surfaces of shapes in body axes, and **links** between
places on bodies: joints, springs, dampers and whatever else connects.  Forces refer to quantities of the run by name,
so no number is stored twice.  **Tracks** are points that belong to no rigid body: lines, clouds of points and surfaces
that deform, one set of points for each frame, or one for all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dalembert.arguments import listed, named, real, reals, shown
from dalembert.errors import suggestion
from dalembert.solution.dense_output import Array
from dalembert.solution.solution_errors import SolutionError

GROUND = "ground"
#: What a track may be: a line through its points, the points alone, or a surface with faces.
TRACK_KINDS = ("line", "points", "surface")
PLANES = ("", "xy", "xz", "yz")


@dataclass(frozen=True, eq=False)
class Surface:
    """Triangles in the axes of a body: ``vertices`` (n, 3), ``faces`` (m, 3) counterclockwise as seen from outside."""

    vertices: Array
    faces: np.ndarray

    def __post_init__(self) -> None:
        vertices = reals(self.vertices, "Surface: vertices", SolutionError, ndim=2)
        faces = np.asarray(self.faces)
        if vertices.shape[1:] != (3,) or faces.ndim != 2 or faces.shape[1:] != (3,) or faces.dtype.kind not in "iu":
            raise SolutionError(
                "Surface: vertices must have shape (n, 3) and faces, whole numbers, shape (m, 3); "
                f"got {vertices.shape} and {faces.shape}."
            )
        if faces.size and not (0 <= faces.min() and faces.max() < len(vertices)):
            raise SolutionError(f"Surface: faces must be numbers of its {len(vertices)} vertices.")
        object.__setattr__(self, "vertices", vertices)
        object.__setattr__(self, "faces", faces.astype(np.int64))


@dataclass(frozen=True, eq=False)
class DrawnBody:
    """A body: its pose at the frames, its mass properties in body axes, and its surfaces, if it was given shapes."""

    name: str
    position: Array
    """of the body frame, (n_frames, 3)"""
    rotation: Array
    """Euler parameters (n_frames, 4), the scalar first"""
    mass: float = 0.0
    com: Array = field(default_factory=lambda: np.zeros(3))
    inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))
    """about the centre of mass"""
    surfaces: tuple[Surface, ...] = ()

    def __post_init__(self) -> None:
        where = f"DrawnBody '{self.name}'"
        for key, shape in (("position", (None, 3)), ("rotation", (None, 4)), ("com", (3,)), ("inertia", (3, 3))):
            object.__setattr__(self, key, _array(getattr(self, key), shape, f"{where}: {key}"))
        object.__setattr__(self, "mass", real(self.mass, f"{where}: mass", SolutionError, finite=False))
        object.__setattr__(self, "surfaces", _instances(self.surfaces, Surface, f"{where}: surfaces"))
        if len(self.position) != len(self.rotation):
            raise SolutionError(f"{where}: position and rotation must have as many frames as each other.")


@dataclass(frozen=True, eq=False)
class Mount:
    """A frame on a body, or on the ground: a point, and axes as columns."""

    body: str
    r: Array = field(default_factory=lambda: np.zeros(3))
    R: Array = field(default_factory=lambda: np.eye(3))

    def __post_init__(self) -> None:
        for key, shape in (("r", (3,)), ("R", (3, 3))):
            object.__setattr__(self, key, _array(getattr(self, key), shape, f"Mount on '{self.body}': {key}"))


@dataclass(frozen=True, eq=False)
class Connection:
    """Something between places on bodies: ``family`` says how it is drawn, ``kind`` what it is called."""

    name: str
    kind: str
    family: str
    places: tuple[Mount, ...]
    closing: bool = False
    """whether it closes a loop of the tree that the coordinates belong to"""
    sizes: Mapping[str, float] = field(default_factory=dict)
    """lengths that a drawing needs, such as ``radius``"""

    #: joints by their motions; what acts along a line; what stands on one body
    FAMILIES = (
        "revolute", "prismatic", "cylindrical", "screw", "spherical", "universal", "planar", "fixed", "free", "spring",
        "damper", "actuator", "rod", "bushing", "tyre", "force", "torque", "constraint",
    )  # fmt: skip

    def __post_init__(self) -> None:
        if self.family not in self.FAMILIES:
            raise SolutionError(
                f"Connection '{self.name}': there is no family '{self.family}'; "
                f"{suggestion(self.family, self.FAMILIES)}."
            )
        object.__setattr__(self, "places", _instances(self.places, Mount, f"Connection '{self.name}': places"))
        sizes = named(self.sizes, f"Connection '{self.name}': sizes", SolutionError)
        numbers = {key: real(value, f"Connection '{self.name}': {key}", SolutionError) for key, value in sizes.items()}
        object.__setattr__(self, "sizes", numbers)


@dataclass(frozen=True, eq=False)
class DrawnForce:
    """An arrow: a vector of the run by the name of its ``quantity``, acting at ``at``, in the ``axes`` of a place or of
    the world; or a scalar that acts along the line ``toward`` another place."""

    name: str
    quantity: str
    at: Mount
    axes: Mount | None = None
    toward: Mount | None = None
    unit: str = "N"


@dataclass(frozen=True, eq=False)
class PointTrack:
    """Points that belong to no rigid body: (n_frames, n, 3), or (1, n, 3) if they never move.  A point that is not
    finite is a gap.  ``faces`` make a surface of them."""

    name: str
    kind: str
    points: Array
    faces: np.ndarray | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.kind, str) or self.kind not in TRACK_KINDS:
            raise SolutionError(
                f"PointTrack '{self.name}': kind must be one of {', '.join(TRACK_KINDS)}; got {shown(self.kind)}."
            )
        points = _array(self.points, (None, None, 3), f"PointTrack '{self.name}': points")
        object.__setattr__(self, "points", points)
        if (self.faces is None) is (self.kind == "surface"):
            raise SolutionError(f"PointTrack '{self.name}': a surface, and nothing else, needs faces.")
        if self.faces is not None:
            object.__setattr__(self, "faces", Surface(np.zeros((points.shape[1], 3)), self.faces).faces)


@dataclass(frozen=True, eq=False)
class Appearance:
    """A mechanism at the instants ``t``: bodies with their poses, links, forces, tracks of points.

    In the plane vectors have a third component, which is zero; ``plane`` names the first two.
    """

    t: Array
    bodies: tuple[DrawnBody, ...] = ()
    links: tuple[Connection, ...] = ()
    forces: tuple[DrawnForce, ...] = ()
    tracks: tuple[PointTrack, ...] = ()
    plane: str = ""
    gravity: Array = field(default_factory=lambda: np.zeros(3))
    scenery: tuple[Surface, ...] = ()
    """shapes of the ground"""
    sensors: Mapping[str, Array] = field(default_factory=dict)
    """of a run with few instants, sensors at the times ``t``: (n_frames,) or (k, n_frames)"""

    def __post_init__(self) -> None:
        object.__setattr__(self, "t", reals(self.t, "Appearance: t", SolutionError, ndim=1))
        object.__setattr__(self, "gravity", _array(self.gravity, (3,), "Appearance: gravity"))
        kinds = {
            "bodies": DrawnBody,
            "links": Connection,
            "forces": DrawnForce,
            "tracks": PointTrack,
            "scenery": Surface,
        }
        for key, kind in kinds.items():
            object.__setattr__(self, key, _instances(getattr(self, key), kind, f"Appearance: {key}"))
        if self.plane not in PLANES:
            raise SolutionError(f"Appearance: plane must be one of xy, xz, yz, or empty; got {shown(self.plane)}")
        sensors = named(self.sensors, "Appearance: sensors", SolutionError)
        rows = {name: reals(found, f"Appearance: sensor '{name}'", SolutionError) for name, found in sensors.items()}
        object.__setattr__(self, "sensors", rows)
        for name, found in rows.items():
            if found.ndim not in (1, 2) or found.shape[-1] != self.t.size:
                raise SolutionError(f"Appearance: sensor '{name}' must have {self.t.size} columns; got {found.shape}.")
        n, known = self.t.size, {GROUND, *(body.name for body in self.bodies)}
        for body in self.bodies:
            if len(body.position) != n:
                raise SolutionError(
                    f"DrawnBody '{body.name}' has {len(body.position)} poses, but there are {n} frames."
                )
        for track in self.tracks:
            if len(track.points) not in (1, n):
                raise SolutionError(f"PointTrack '{track.name}' has {len(track.points)} frames; there are {n}.")
        for owner, places in self._places():
            for place in places:
                if place.body not in known:
                    raise SolutionError(f"{owner} stands on '{place.body}'; {suggestion(place.body, known)}.")

    def _places(self) -> list[tuple[str, Sequence[Mount]]]:
        links = [(f"Connection '{link.name}'", link.places) for link in self.links]
        forces = [
            (f"DrawnForce '{one.name}'", [place for place in (one.at, one.axes, one.toward) if place is not None])
            for one in self.forces
        ]
        return [*links, *forces]


def _array(value: Any, shape: Sequence[int | None], where: str) -> Array:
    array = reals(value, where, SolutionError)
    fits = array.ndim == len(shape) and all(n is None or n == m for n, m in zip(shape, array.shape, strict=True))
    if not fits:
        wanted = ", ".join("n" if n is None else str(n) for n in shape)
        raise SolutionError(f"{where} must have shape ({wanted}); got {array.shape}.")
    return array


def _instances(items: Any, kind: type, where: str) -> tuple[Any, ...]:
    found = listed(items, where, SolutionError)
    for item in found:
        if not isinstance(item, kind):
            raise SolutionError(f"{where} must be {kind.__name__} objects, got {shown(item)}")
    return found
