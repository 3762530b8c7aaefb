"""The mechanism as the page draws it: bodies with parts and poses, links, arrows, tracks, and where a camera stands."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.report.body_parts import JOINTS, THICKNESS, layers_of, parts_of, places_on, size_of
from dalembert.report.packing import Blobs, PackedTrack, compressed, packed_curve, packed_track
from dalembert.solution import Appearance, DrawnBody, Mount, PointTrack, Sketch, Surface

#: Quantum of places as a part of the size of the smallest body with its neighbours: errors are half of it.
QUANTUM = 1e-5
#: Quantum of Euler parameters: an error of at most 1.5e-5 of a radian.
TURN_QUANTUM = 2.0**-17
#: Bars are not thinner than this part of everything.
THINNEST = 0.0015
#: A path that is so many times as long as the mechanism is followed by the camera.
TRAVELS = 4.0
#: Joints whose two points coincide.
_POINTED = ("revolute", "spherical", "universal", "fixed")
#: Frames that the camera is set by.
LOOKS = 60
#: What has grown beyond this cannot be drawn.
LARGEST = 1e15
Floats = NDArray[np.float64]


def of_sketch(sketch: Sketch) -> Appearance:
    """Lines of a sketch as tracks; lines in the plane lie in x and y."""
    flat = all(line.shape[2] == 2 for line in sketch.lines.values())
    tracks = []
    for name, line in sketch.lines.items():
        points = line if line.shape[2] == 3 else np.concatenate([line, np.zeros((*line.shape[:2], 1))], axis=2)
        if points.shape[1]:
            still = len(points) > 1 and np.array_equal(
                points, np.broadcast_to(points[:1], points.shape), equal_nan=True
            )
            tracks.append(PointTrack(name, "line", points[:1] if still else points))
    return Appearance(sketch.t, tracks=tuple(tracks), plane="xy" if flat else "")


class Stage:
    """An appearance made ready for the page: ``data`` goes into the header, numbers into ``blobs``."""

    def __init__(self, look: Appearance, blobs: Blobs, most_frames: int, coarser: float = 1.0) -> None:
        keep = np.flatnonzero(np.isfinite(look.t))
        if keep.size > most_frames:
            keep = keep[np.unique(np.linspace(0, keep.size - 1, most_frames).round().astype(int))]
        self.look, self.blobs, self.frames = look, blobs, keep
        self.numbers = {body.name: k for k, body in enumerate(look.bodies)}
        points = places_on(look)
        self.points = {body.name: points.get(body.name, np.empty((0, 3))) for body in look.bodies}
        self.sizes = np.array([size_of(body, self.points[body.name]) for body in look.bodies])
        self.position = (
            np.stack([_bounded(body.position[keep]) for body in look.bodies], axis=1) if look.bodies else None
        )
        self.rotation = np.stack([body.rotation[keep] for body in look.bodies], axis=1) if look.bodies else None
        self.coarser = coarser
        self._surfaces: dict[bytes, int] = {}
        self.geometries: list[dict[str, int]] = []

    @property
    def empty(self) -> bool:
        """Whether there is nothing to draw."""
        visible = any(np.isfinite(track.points).all(axis=2).any() for track in self.look.tracks)
        return not self.frames.size or not (self.look.bodies or visible)

    def data(self) -> dict[str, Any]:
        """What the header says of the mechanism."""
        look = self.look
        low, high, follow = self._view()
        size = float(np.linalg.norm(high - low)) or 1.0
        median = float(np.median(self.sizes)) if self.sizes.size else 0.0
        self.unit = THICKNESS * min(median or size, size) if self.sizes.size else 0.004 * size
        if median:  # small bodies of a large mechanism must be seen
            self.unit = max(self.unit, min(THINNEST * size, 0.25 * median))
        planar = bool(look.plane)
        layers = layers_of(look) if planar else [0] * len(look.bodies)
        bodies = [
            {
                "name": body.name, "mass": _plain(body.mass), "com": _numbers(body.com), "layer": layers[k],
                "size": float(self.sizes[k]), "clear": self._is_clear(body, float(self.sizes[k]), size),
                "parts": self._parts(body, planar),
            }
            for k, body in enumerate(look.bodies)
        ]  # fmt: skip
        return {
            "plane": look.plane, "labels": list(look.plane or "xyz"), "up": self._up(), "bodies": bodies,
            "n": int(self.frames.size), "times": self.blobs.add(packed_curve(look.t[self.frames])),
            "poses": self._poses(),
            "links": [
                {
                    "name": link.name, "kind": link.kind, "family": link.family, "closing": link.closing,
                    "sizes": dict(link.sizes), "places": [self._place(place) for place in link.places],
                }
                for link in look.links
            ],
            "forces": [
                {
                    "name": one.name, "quantity": one.quantity, "unit": one.unit, "at": self._place(one.at),
                    "axes": self._place(one.axes), "toward": self._place(one.toward),
                }
                for one in look.forces
            ],
            "tracks": [self._track(track, size) for track in look.tracks if track.points.shape[1]],
            "scenery": [self._surface(surface) for surface in look.scenery],
            "geometries": self.geometries, "box": [low.tolist(), high.tolist()], "size": size, "unit": self.unit,
            "follow": follow, "frames_of": int(look.t.size),
        }  # fmt: skip

    # --------------------------------------------------------------------------------------------------------- parts

    def _parts(self, body: DrawnBody, planar: bool) -> list[dict[str, Any]]:
        if any(track.name == body.name for track in self.look.tracks):
            return []  # a flexible body, which its track shows as it deforms
        if body.surfaces:
            return [{"kind": "mesh", "geometry": self._surface(surface)} for surface in body.surfaces]
        parts = parts_of(body, self.points[body.name], self.unit, planar)
        wheel = any(link.family == "tyre" and link.places[0].body == body.name for link in self.look.links)
        return [part for part in parts if part["kind"] != "box"] if wheel else parts  # its tyre is drawn

    def _surface(self, surface: Surface) -> int:
        """Number of a surface; equal ones are stored once."""
        vertices = np.clip(surface.vertices, -LARGEST, LARGEST).astype("<f4").tobytes()
        faces = surface.faces.astype("<u4").tobytes()
        key = vertices + b"|" + faces
        if key not in self._surfaces:
            self._surfaces[key] = len(self.geometries)
            self.geometries.append({
                "vertices": self.blobs.add(compressed(vertices)), "faces": self.blobs.add(compressed(faces)),
            })  # fmt: skip
        return self._surfaces[key]

    def _is_clear(self, body: DrawnBody, size: float, whole: float) -> bool:
        """Large hulls that others are attached to are shown through, as their mounts are inside of them."""
        if not body.surfaces or len(self.look.bodies) < 4 or len(self.points[body.name]) < 4:
            return False
        return size > 0.4 * whole

    def _place(self, place: Mount | None) -> dict[str, Any] | None:
        if place is None:
            return None
        return {"body": self.numbers.get(place.body, -1), "r": _numbers(place.r), "R": _numbers(place.R.ravel())}

    def _up(self) -> list[float]:
        g = self.look.gravity
        if self.look.plane:
            return [0.0, 1.0, 0.0]
        size = float(np.linalg.norm(g))
        return [0.0, 0.0, 1.0] if not 0.0 < size < np.inf else np.round(-g / size, 12).tolist()

    # -------------------------------------------------------------------------------------------------------- motion

    def _poses(self) -> dict[str, Any] | None:
        if self.position is None or self.rotation is None:
            return None
        n, quantum, fine = len(self.frames), self.quantum(), TURN_QUANTUM * self.coarser
        carriers = self._carriers()
        turn, place = np.empty_like(self.rotation), np.empty_like(self.position)  # what is stored
        seen, at = np.empty_like(self.rotation), np.empty_like(self.position)  # what the page makes of it
        for k, carrier in enumerate(carriers):
            turn[:, k], guess = self.rotation[:, k], np.zeros((n, 3))
            if carrier is not None:
                j, A, B = carrier["body"], np.array(carrier["A"]), np.array(carrier["B"])
                base = A if j < 0 else _product(seen[:, j], A)
                turn[:, k] = _product(_conjugate(base), _product(self.rotation[:, k], B))
            turn[:, k] = _continuous(turn[:, k])
            seen[:, k] = _rounded(turn[:, k], fine)
            if carrier is not None:
                seen[:, k] = _product(base, _product(seen[:, k], _conjugate(B)))
            seen[:, k] /= np.maximum(np.linalg.norm(seen[:, k], axis=1, keepdims=True), 1e-300)
            if carrier is not None:
                a, b = np.array(carrier["a"]), np.array(carrier["b"])
                guess = (a if j < 0 else at[:, j] + _matrices(seen[:, j]) @ a) - _matrices(seen[:, k]) @ b
            place[:, k] = self.position[:, k] - guess
            at[:, k] = guess + _rounded(place[:, k], quantum)
        return {
            "position": self._packed(packed_track(place.reshape(n, -1), quantum)),
            "rotation": self._packed(packed_track(turn.reshape(n, -1), fine)), "carriers": carriers,
        }  # fmt: skip

    def _carriers(self) -> list[dict[str, Any] | None]:
        """For each body a joint that holds one of its points to one of a body before it, or of the ground: its place
        then follows from rotations, and what is left of it are errors of rounding; rotations are stored in the axes
        of the joint, where those about one axis have two entries that vanish."""
        found: list[dict[str, Any] | None] = [None] * len(self.look.bodies)
        for link in self.look.links:
            if link.family in _POINTED and len(link.places) == 2:
                for here, other in (link.places, link.places[::-1]):
                    k, j = self.numbers.get(here.body, -1), self.numbers.get(other.body, -1)
                    if j < k and found[k] is None:
                        found[k] = {
                            "body": j, "a": _numbers(other.r), "b": _numbers(here.r),
                            "A": _parameters(other.R).tolist(), "B": _parameters(here.R).tolist(),
                        }  # fmt: skip
        return found

    def quantum(self) -> float:
        """Of places: a part of the smallest body together with those that are joined to it."""
        whole = [float(size) for size in self.sizes]
        for link in self.look.links:
            numbers = [self.numbers[place.body] for place in link.places if place.body in self.numbers]
            if link.family in JOINTS and len(numbers) == 2:
                i, j = numbers[:2]
                whole[i] += float(self.sizes[j])
                whole[j] += float(self.sizes[i])
        usable = [size for size in whole if size > 0.0]
        assert self.position is not None
        extent = float(np.ptp(self.position, axis=(0, 1)).max(initial=0.0))
        smallest = min(usable) if usable else extent or 1.0
        return max(QUANTUM * smallest * self.coarser, extent * 2.0**-46)

    def _packed(self, track: PackedTrack) -> dict[str, Any]:
        return {
            "blob": self.blobs.add(track.piece), "bytes": track.n_bytes, "order": track.order, "low": track.low,
            "quantum": track.quantum,
        }  # fmt: skip

    def _track(self, track: PointTrack, size: float) -> dict[str, Any]:
        still = len(track.points) == 1
        points = _bounded(track.points if still else track.points[self.frames], np.nan)
        gaps = np.asarray(~np.isfinite(points).all(axis=2))
        points = np.where(gaps[..., None], np.nan, points)
        entry: dict[str, Any] = {
            "name": track.name, "kind": track.kind, "points": points.shape[1], "frames": len(points),
            **self._packed(packed_track(points.reshape(len(points), -1), 1e-6 * size)),
            "gaps": self.blobs.add(compressed(gaps.astype(np.uint8).tobytes())) if gaps.any() else None,
        }  # fmt: skip
        if track.faces is not None:
            entry["faces"] = self.blobs.add(compressed(track.faces.astype("<u4").tobytes()))
        return entry

    # -------------------------------------------------------------------------------------------------------- camera

    def _view(self) -> tuple[Floats, Floats, int]:
        """A box around everything over the motion; if the mechanism travels far, around it as seen from the body that
        the camera follows, whose number comes last (−1: none)."""
        clouds = self._clouds()
        if not clouds:
            return np.full(3, -0.5), np.full(3, 0.5), -1
        low, high = _box(np.concatenate([cloud.reshape(-1, 3) for cloud in clouds]))
        if self.position is None:
            return low, high, -1
        per_frame = np.concatenate(clouds[: len(self.look.bodies)], axis=1)
        own = float(np.median(np.linalg.norm(np.ptp(per_frame, axis=1), axis=1)))
        follow = int(np.argmax([body.mass for body in self.look.bodies]))
        path = float(np.linalg.norm(np.ptp(self.position[:, follow], axis=0)))
        if not path > TRAVELS * own or own == 0.0:
            return low, high, -1
        chosen = self._chosen()
        moving = self.position[chosen][:, follow]
        near = per_frame - moving[:, None]
        return *(_box(near.reshape(-1, 3)) + self.position[0, follow]), follow

    def _chosen(self) -> NDArray[np.int64]:
        return np.unique(np.linspace(0, len(self.frames) - 1, LOOKS).round().astype(np.int64))

    def _clouds(self) -> list[Floats]:
        """Corners of everything that is drawn, at some frames."""
        clouds: list[Floats] = []
        chosen = self._chosen()
        grounded = [place.r for link in self.look.links for place in link.places if place.body not in self.numbers]
        if self.position is not None and self.rotation is not None:
            for k, body in enumerate(self.look.bodies):
                corners = _corners(body, self.points[body.name], float(self.sizes[k]))
                R = _matrices(self.rotation[chosen][:, k])
                clouds.append(self.position[chosen][:, k, None] + corners @ R.transpose(0, 2, 1))
        if grounded:
            clouds.append(np.broadcast_to(np.array(grounded), (1, len(grounded), 3)))
        for track in self.look.tracks:
            points = track.points if len(track.points) == 1 else track.points[self.frames][chosen]
            flat = _bounded(points, np.nan).reshape(1, -1, 3)
            flat = flat[:, np.flatnonzero(np.isfinite(flat[0]).all(axis=1))]
            if flat.size:
                clouds.append(flat)
        return clouds


def _corners(body: DrawnBody, points: Floats, size: float) -> Floats:
    """Corners (n, 3) of the box around a body, in its axes."""
    if body.surfaces:
        every = np.concatenate([surface.vertices for surface in body.surfaces])
        low, high = _box(every)
    elif len(points) > 1:
        low, high = _box(np.vstack([points, body.com[None]]) if len(points) > 2 else points)
    else:
        around = np.vstack([points, body.com[None] - 0.3 * size, body.com[None] + 0.3 * size])
        low, high = _box(around)
    grid = np.array(np.meshgrid(*zip(low, high, strict=True), indexing="ij")).reshape(3, -1).T
    return grid


def _matrices(p: Floats) -> Floats:
    """Rotation matrices (n, 3, 3) of Euler parameters (n, 4)."""
    e0, e1, e2, e3 = (p / np.maximum(np.linalg.norm(p, axis=1, keepdims=True), 1e-300)).T
    rows = [
        [1 - 2 * (e2**2 + e3**2), 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)],
        [2 * (e1 * e2 + e0 * e3), 1 - 2 * (e1**2 + e3**2), 2 * (e2 * e3 - e0 * e1)],
        [2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), 1 - 2 * (e1**2 + e2**2)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def _parameters(R: Floats) -> Floats:
    """Euler parameters of one rotation matrix: the eigenvector of the largest eigenvalue (Bar-Itzhack 2000)."""
    K = np.empty((4, 4))
    K[0, 0] = np.trace(R)
    K[0, 1:] = K[1:, 0] = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    K[1:, 1:] = R + R.T - np.trace(R) * np.eye(3)
    found: Floats = np.linalg.eigh(np.nan_to_num(K))[1][:, -1]
    return found


def _product(p: Floats, q: Floats) -> Floats:
    """Euler parameters of one rotation after another; rows, or one of them."""
    p0, q0, v, w = p[..., :1], q[..., :1], p[..., 1:], q[..., 1:]
    first = p0 * q0 - np.sum(v * w, axis=-1, keepdims=True)
    return np.concatenate([first, p0 * w + q0 * v + np.cross(v, w)], axis=-1)


def _conjugate(p: Floats) -> Floats:
    return p * [1.0, -1.0, -1.0, -1.0]


def _rounded(x: Floats, quantum: float) -> Floats:
    """As a packed track gives it back."""
    low = x.min(axis=0)
    found: Floats = low + quantum * np.rint((x - low) / quantum)
    return found


def _continuous(rotation: Floats) -> Floats:
    """Euler parameters (n_frames, 4), each nearer to the one before than its negative."""
    rotation = np.nan_to_num(rotation)
    flips = np.einsum("ij,ij->i", rotation[1:], rotation[:-1]) < 0.0
    signs = np.concatenate([[1.0], np.where(np.cumsum(flips) % 2, -1.0, 1.0)])
    found: Floats = rotation * signs[:, None]
    return found


def _bounded(x: Floats, instead: float = 0.0) -> Floats:
    with np.errstate(invalid="ignore"):
        return np.where(np.abs(x) < LARGEST, x, instead)


def _box(points: Floats) -> Floats:
    return np.array([points.min(axis=0), points.max(axis=0)])


def _numbers(x: Floats) -> list[float]:
    return [float(value) for value in _bounded(np.asarray(x, dtype=float))]


def _plain(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
