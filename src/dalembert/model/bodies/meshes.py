"""Bodies given by their surface: files of triangles, and the exact integrals over what they enclose.

STL (binary and text) and OBJ are read as data: materials and other files that they name are not opened, and every
number and count is checked before it is used.

Mass, centre and inertia are sums over tetrahedra between a point and the faces (as in Mirtich, "Fast and accurate
computation of polyhedral mass properties", 1996, and Eberly, "Polyhedral mass properties (revisited)", 2002): exact for
the polyhedron, and independent of that point if the surface is closed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from dalembert.arguments import file_path, reads_file, reals, shown
from dalembert.errors import ModelError
from dalembert.model.bodies import polygons
from dalembert.model.bodies.inertia import MassProperties
from dalembert.model.bodies.shapes import Shape, Triangles

_STL_HEADER = 84  # 80 bytes of anything and the number of triangles
_STL_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])

# What an OBJ file may say besides points and faces without adding to the surface.
_OBJ_IGNORED = set(
    "vt vn vp g o s l p usemtl mtllib usemap maplib shadow_obj trace_obj mg bevel c_interp d_interp lod".split()
)


class VolumeMoments(NamedTuple):
    """Of a closed surface: signed volume, centroid, and second moments ∫ x xᵀ dV about the centroid (3×3)."""

    volume: float
    centroid: np.ndarray
    second: np.ndarray


@dataclass(frozen=True, eq=False, init=False)
class Mesh(Shape):
    """Solid body inside a closed surface of triangles.

    From an STL or OBJ file, or from vertices (n, 3) and faces (m, 3).  ``scale`` is a factor (0.001 for a file in
    millimetres), or three along x, y, z.  Vertices at exactly the same place become one.  A surface with gaps can be
    drawn but has no mass properties; one whose faces all look inwards is turned, and ``notes`` says so.
    """

    vertices: np.ndarray
    faces: np.ndarray
    name: str
    notes: tuple[str, ...]

    def __init__(
        self,
        source: Any,
        faces: Any = None,
        *,
        scale: Any = 1.0,
        position: Any = (0.0, 0.0, 0.0),
        rotation: Any = None,
    ) -> None:
        if isinstance(source, (str, os.PathLike)):
            if faces is not None:
                raise ModelError("Mesh: faces come with the file; give either a file, or vertices and faces")
            name = f"Mesh '{file_path(source, 'Mesh: source', ModelError).name}'"
            vertices, faces = load_mesh(source)
        else:
            name = "Mesh"
            vertices, faces = _checked(source, faces)
        try:
            factors = np.broadcast_to(reals(scale, name, ModelError), 3)
        except ValueError:  # also of what is no number
            factors = np.zeros(3)
        if not (np.isfinite(factors).all() and factors.all()):
            raise ModelError(f"{name}: scale must be one or three numbers, finite and not zero; got {shown(scale)}")
        vertices, faces = _welded(vertices * factors, faces, name)
        if factors.prod() < 0.0:  # a mirror image
            faces = faces[:, ::-1]
        notes: tuple[str, ...] = ()
        if not len(_unbalanced(faces)) and volume_moments(vertices, faces).volume < -_nothing(vertices):
            faces = faces[:, ::-1]
            notes = (f"{name}: its faces look inwards; they were turned.",)
        for field, value in (("vertices", vertices), ("faces", np.ascontiguousarray(faces)), ("name", name)):
            self._keep(field, value)
        self._keep("notes", notes)
        self._keep("position", position)
        self._keep("rotation", rotation)
        super().__post_init__()

    def __repr__(self) -> str:
        return f"<{self.name}: {len(self.vertices)} vertices, {len(self.faces)} faces>"

    def placed(self, position: Any = (0.0, 0.0, 0.0), rotation: Any = None) -> Mesh:
        """A mesh of this shape, turned and then shifted as a whole."""
        there = Shape(position=self.position, rotation=self.rotation).placed(position, rotation)
        copy = object.__new__(Mesh)
        for field in ("vertices", "faces", "name", "notes"):
            copy._keep(field, getattr(self, field))
        copy._keep("position", there.position)
        copy._keep("rotation", there.rotation)
        return copy

    @property
    def measure(self) -> float:
        return self._moments().volume

    def _moments(self) -> VolumeMoments:
        edges = _unbalanced(self.faces)
        if len(edges):
            raise ModelError(f"{self.name}: {_complaint(self.vertices, self.faces, edges)}")
        moments = volume_moments(self.vertices, self.faces)
        if not moments.volume > _nothing(self.vertices):
            raise ModelError(f"{self.name}: the surface encloses no volume; give mass and inertia as numbers")
        return moments

    def _unit(self) -> MassProperties:
        volume, centre, second = self._moments()
        square = second / volume
        return MassProperties(1.0, centre, np.trace(square) * np.eye(3) - square)

    def _surface(self, per_turn: int) -> Triangles:
        return Triangles(self.vertices, self.faces)


def volume_moments(vertices: np.ndarray, faces: np.ndarray) -> VolumeMoments:
    """Exact integrals over the inside of a closed surface; all of them change sign with its orientation."""
    origin = vertices.mean(axis=0)  # near the body, so that few digits cancel
    a, b, c = np.moveaxis(vertices[faces] - origin, 1, 0)
    six = np.einsum("ij,ij->i", a, np.cross(b, c))  # volumes of the tetrahedra (origin, a, b, c), sixfold
    volume = six.sum() / 6.0
    s = a + b + c
    first = six @ s / 24.0
    # ∫ x xᵀ = det (s sᵀ + a aᵀ + b bᵀ + c cᵀ)/120
    second = sum((six[:, None] * x).T @ x for x in (s, a, b, c)) / 120.0
    if volume == 0.0:
        return VolumeMoments(0.0, origin, second)
    centre = first / volume
    return VolumeMoments(float(volume), origin + centre, second - volume * np.outer(centre, centre))


def _nothing(vertices: np.ndarray) -> float:
    """A volume that comes of rounding alone."""
    size = np.ptp(vertices, axis=0).max()
    with np.errstate(over="ignore"):  # a surface of any size has no volume if it is flat
        return float(1e-12 * size**3)


def _unbalanced(faces: np.ndarray) -> np.ndarray:
    """Edges that are not passed as often in one direction as in the other: none in the surface of a body.

    Edges with four faces, where two bodies touch, are in order.
    """
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    forward = edges[:, 0] < edges[:, 1]
    distinct, which = np.unique(np.sort(edges, axis=1), axis=0, return_inverse=True)
    balance = np.bincount(which.ravel(), weights=np.where(forward, 1.0, -1.0), minlength=len(distinct))
    return distinct[balance != 0.0]


def _complaint(vertices: np.ndarray, faces: np.ndarray, edges: np.ndarray) -> str:
    """What is wrong at the ``edges``: nothing on their other side, or faces that disagree about what is outside."""
    every = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    distinct, count = np.unique(every, axis=0, return_counts=True)
    passed = dict(zip(map(tuple, distinct.tolist()), count.tolist(), strict=True))
    gaps = [edge for edge in edges.tolist() if passed[tuple(edge)] % 2]
    there = " and ".join("(" + ", ".join(f"{x:.6g}" for x in vertices[i]) + ")" for i in (gaps or edges)[0])
    if gaps:
        what = f"the surface is not closed, it has {len(gaps)} open edges, one of them between {there}"
    else:
        what = f"its faces disagree about what is outside, at {len(edges)} edges, one of them between {there}"
    return f"{what}; mass properties need a closed surface. Repair it where it was made, or give mass and inertia"


# -------------------------------------------------------------------------------------------------------------- data


@reads_file("Mesh", ModelError)
def load_mesh(file: str | os.PathLike[str]) -> Triangles:
    """Vertices and triangles of an STL or OBJ file, as they stand in it."""
    path = file_path(file, "Mesh: file", ModelError)
    readers = {".stl": _read_stl, ".obj": _read_obj}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise ModelError(f"Mesh '{path.name}': only .stl and .obj files can be read, this is '{path.suffix}'")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(f"Mesh '{path.name}': cannot read {path}: {error.strerror}") from error
    try:
        return _checked(*reader(data))
    except ModelError as error:
        raise ModelError(f"Mesh '{path.name}': {str(error).removeprefix('Mesh: ')}") from None


def _checked(vertices: Any, faces: Any) -> Triangles:
    if faces is None:
        raise ModelError("Mesh: vertices need faces: (m, 3) numbers of vertices, counted from 0")
    points = reals(vertices, "Mesh: vertices", ModelError).copy()
    reals(faces, "Mesh: faces", ModelError)
    corners = np.array(faces)
    if not (points.size and corners.size):
        raise ModelError("Mesh: there are no triangles")
    if points.ndim != 2 or points.shape[1] != 3:
        raise ModelError(f"Mesh: vertices must be (n, 3) numbers, got shape {points.shape}")
    if corners.ndim != 2 or corners.shape[1] != 3 or corners.dtype.kind not in "iu":
        raise ModelError(f"Mesh: faces must be (m, 3) integers, got shape {corners.shape} of {corners.dtype}")
    bad = np.flatnonzero(~np.isfinite(points).all(axis=1))
    if bad.size:
        raise ModelError(f"Mesh: vertices must be finite, {bad.size} are not; the first is number {bad[0]}")
    if corners.min() < 0 or corners.max() >= len(points):
        wrong = corners.min() if corners.min() < 0 else corners.max()
        raise ModelError(f"Mesh: faces name vertex {wrong}, but there are {len(points)}, counted from 0")
    return Triangles(points, corners.astype(np.int64))


def _welded(vertices: np.ndarray, faces: np.ndarray, name: str) -> Triangles:
    """Vertices at the same place joined, and triangles that became edges left out."""
    vertices = vertices + 0.0  # no negative zeros
    distinct, which = np.unique(vertices, axis=0, return_inverse=True)
    faces = which.ravel()[faces]
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]
    if not len(faces):
        raise ModelError(f"{name}: all triangles have shrunk to lines or points")
    used, renumbered = np.unique(faces, return_inverse=True)
    return Triangles(distinct[used], renumbered.reshape(-1, 3))


def _read_stl(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    count = int.from_bytes(data[80:84], "little")
    expected = _STL_HEADER + count * _STL_TRIANGLE.itemsize
    if len(data) >= _STL_HEADER and len(data) == expected:  # many binary files begin with "solid" too
        corners = np.frombuffer(data, _STL_TRIANGLE, count, _STL_HEADER)["corners"].astype(float).reshape(-1, 3)
    elif data[:512].lstrip().lower().startswith(b"solid") and b"\0" not in data:
        corners = _text_stl(data)
    elif len(data) < _STL_HEADER:
        raise ModelError(f"Mesh: no STL file, or a truncated one: it has only {len(data)} bytes")
    else:
        what = "truncated" if len(data) < expected else "longer than it says"
        raise ModelError(
            f"Mesh: the STL file is {what}: {count} triangles take {expected} bytes, the file has {len(data)}"
        )
    return corners, np.arange(len(corners)).reshape(-1, 3)


def _text_stl(data: bytes) -> np.ndarray:
    corners: list[list[float]] = []
    inside, number = False, 0  # between solid and endsolid
    first: int | None = None  # corners before the facet whose loop is open
    for number, words in _lines(data):
        match words[0].lower():
            case "solid":
                inside = True
            case "endsolid":
                if first is not None:
                    raise ModelError(f"Mesh: line {number}: the solid ends in the middle of a facet")
                inside = False
            case "outer":
                first = len(corners)
            case "vertex":
                if first is None:
                    raise ModelError(f"Mesh: line {number}: a vertex outside of a loop")
                corners.append(_coordinates(words, number))
            case "endloop":
                n = 0 if first is None else len(corners) - first
                if n != 3:
                    raise ModelError(f"Mesh: line {number}: a facet must have 3 vertices, got {n}")
                first = None
            case "facet" | "endfacet":
                pass
            case word:
                raise ModelError(f"Mesh: line {number}: no word of an STL file: {word[:20]!r}")
    if inside:
        raise ModelError(f"Mesh: the STL file is truncated: it ends in line {number} without endsolid")
    return np.array(corners).reshape(-1, 3)


def _read_obj(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    points: list[list[float]] = []
    polygons_by_size: dict[int, list[list[int]]] = {}
    for number, words in _lines(data):
        if words[0] == "v":
            points.append(_coordinates(words[:4], number))
        elif words[0] == "f":
            face = [_index(word, len(points), number) for word in words[1:]]
            if len(face) < 3:
                raise ModelError(f"Mesh: line {number}: a face needs 3 vertices, got {len(face)}")
            polygons_by_size.setdefault(len(face), []).append(face)
        elif words[0] not in _OBJ_IGNORED:
            raise ModelError(f"Mesh: line {number}: only points and faces can be read, got {words[0][:20]!r}")
    vertices = np.array(points).reshape(-1, 3)
    triangles = [_divided(vertices, np.array(faces)) for _, faces in sorted(polygons_by_size.items())]
    return vertices, np.concatenate(triangles) if triangles else np.empty((0, 3), dtype=int)


def _divided(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Triangles of polygons with k corners, ``faces`` (m, k)."""
    k = faces.shape[1]
    if k == 3:
        return faces
    fans = np.stack([np.stack([faces[:, 0], faces[:, i], faces[:, i + 1]], axis=1) for i in range(1, k - 1)], axis=1)
    arms = vertices[fans[:, :, 1:]] - vertices[fans[:, :, :1]]
    areas = np.cross(arms[:, :, 0], arms[:, :, 1])
    normals = areas.sum(axis=1)
    # Fans from the first corner do for convex polygons; in others, some of their triangles look the other way.
    for i in np.flatnonzero((np.einsum("ijk,ik->ij", areas, normals) <= 0.0).any(axis=1)):
        drop = int(np.argmax(np.abs(normals[i])))
        flat = vertices[faces[i]][:, [(drop + 1) % 3, (drop + 2) % 3]]  # as seen along the largest component
        if normals[i, drop] > 0.0:
            ears = polygons.triangulated(flat)
        else:
            mirrored = polygons.triangulated(flat[::-1])
            ears = None if mirrored is None else (k - 1 - mirrored)[:, ::-1]
        if ears is not None:  # else it crosses itself, and any triangles are as good
            fans[i] = faces[i][ears]
    return fans.reshape(-1, 3)


def _lines(data: bytes) -> Iterator[tuple[int, list[str]]]:
    """Number and words of each line that says something; a backslash joins it with the next."""
    pending: list[str] = []
    number = 0
    for number, line in enumerate(data.decode("utf-8", errors="replace").split("\n"), start=1):
        text = line.partition("#")[0].rstrip()
        joined = text.endswith("\\")
        pending += text.removesuffix("\\").split()
        if pending and not joined:
            yield number, pending
            pending = []
    if pending:
        yield number, pending


def _coordinates(words: list[str], number: int) -> list[float]:
    try:
        values = [float(word) for word in words[1:]]
    except ValueError:
        values = []
    if len(values) != 3:
        raise ModelError(f"Mesh: line {number}: a vertex needs 3 numbers, got '{' '.join(words[1:])[:60]}'")
    if not np.isfinite(values).all():
        raise ModelError(f"Mesh: line {number}: a vertex must be finite, got '{' '.join(words[1:])[:60]}'")
    return values


def _index(word: str, points: int, number: int) -> int:
    """Number of a vertex, from 0: ``5``, ``5/1``, ``5//2``, ``5/1/2``, or counted back from the last with a minus."""
    try:
        given = int(word.partition("/")[0])
    except ValueError:
        raise ModelError(f"Mesh: line {number}: a face names vertices by number, got {word[:20]!r}") from None
    index = given - 1 if given > 0 else points + given
    if given == 0 or not 0 <= index < points:
        raise ModelError(f"Mesh: line {number}: a face names vertex {given}, but there are {points} so far")
    return index
