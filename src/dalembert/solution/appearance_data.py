"""An appearance as the header of a file holds it, and back: few arrays, whatever the number of bodies.

Poses of all bodies are two arrays; surfaces that several bodies share are stored once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.solution.appearance import Appearance, Connection, DrawnBody, DrawnForce, Mount, PointTrack, Surface
from dalembert.solution.foreign_data import ForeignData
from dalembert.solution.solution_errors import FileFormatError


def appearance_data(look: Appearance) -> dict[str, Any]:
    """Numbers, texts, lists and arrays that :func:`read_appearance` understands."""
    surfaces = _SurfaceTable()
    n, bodies = look.t.size, look.bodies
    return {
        "t": look.t,
        "plane": look.plane,
        "gravity": look.gravity,
        "position": np.stack([body.position for body in bodies]) if bodies else np.empty((0, n, 3)),
        "rotation": np.stack([body.rotation for body in bodies]) if bodies else np.empty((0, n, 4)),
        "mass": np.array([body.mass for body in bodies], dtype=float),
        "com": np.array([body.com for body in bodies], dtype=float).reshape(-1, 3),
        "inertia": np.array([body.inertia for body in bodies], dtype=float).reshape(-1, 3, 3),
        "bodies": [{"name": body.name, "surfaces": surfaces.numbers(body.surfaces)} for body in bodies],
        "scenery": surfaces.numbers(look.scenery),
        "links": [
            {
                "name": link.name,
                "kind": link.kind,
                "family": link.family,
                "closing": link.closing,
                "sizes": dict(link.sizes),
                "places": [_place(place) for place in link.places],
            }
            for link in look.links
        ],
        "forces": [
            {"name": one.name, "quantity": one.quantity, "unit": one.unit}
            | {
                key: None if place is None else _place(place)
                for key, place in (("at", one.at), ("axes", one.axes), ("toward", one.toward))
            }
            for one in look.forces
        ],
        "tracks": [
            {"name": track.name, "kind": track.kind, "points": track.points, "faces": track.faces}
            for track in look.tracks
        ],
        "surfaces": surfaces.listed,
        "sensors": dict(look.sensors),
    }


def read_appearance(h: ForeignData) -> Appearance:
    """The appearance that a file holds; what it says is checked."""
    surfaces = [
        Surface(one["vertices"].array(None, 3), one["faces"].array(None, 3, whole=True))
        for one in h["surfaces"].items()
    ]

    def shared(given: ForeignData) -> tuple[Surface, ...]:
        return tuple(surfaces[number.whole(0, len(surfaces) - 1)] for number in given.items())

    def optional(given: ForeignData) -> Mount | None:
        return None if given.value is None else _read_place(given)

    names = h["bodies"].items()
    n, m = h["t"].array(None).size, len(names)
    position, rotation = h["position"].array(m, n, 3), h["rotation"].array(m, n, 4)
    mass, com, inertia = h["mass"].array(m), h["com"].array(m, 3), h["inertia"].array(m, 3, 3)
    return Appearance(
        h["t"].array(n),
        tuple(
            DrawnBody(
                one["name"].text(),
                position[k],
                rotation[k],
                float(mass[k]),
                com[k],
                inertia[k],
                shared(one["surfaces"]),
            )
            for k, one in enumerate(names)
        ),
        tuple(
            Connection(
                one["name"].text(),
                one["kind"].text(),
                one["family"].text(),
                tuple(_read_place(place) for place in one["places"].items()),
                one["closing"].flag(),
                {key: size.number(finite=True) for key, size in one["sizes"].entries().items()},
            )
            for one in h["links"].items()
        ),
        tuple(
            DrawnForce(
                one["name"].text(),
                one["quantity"].text(),
                _read_place(one["at"]),
                optional(one["axes"]),
                optional(one["toward"]),
                one["unit"].text(),
            )
            for one in h["forces"].items()
        ),
        tuple(
            PointTrack(
                one["name"].text(),
                one["kind"].text(),
                one["points"].array(None, None, 3),
                None if one["faces"].value is None else one["faces"].array(None, 3, whole=True),
            )
            for one in h["tracks"].items()
        ),
        h["plane"].text(),
        h["gravity"].array(3),
        shared(h["scenery"]),
        {name: rows.reals(n) for name, rows in h["sensors"].entries().items()},
    )


class _SurfaceTable:
    """Surfaces by number, equal ones once."""

    def __init__(self) -> None:
        self.listed: list[dict[str, Any]] = []
        self._known: dict[bytes, int] = {}

    def numbers(self, surfaces: tuple[Surface, ...]) -> list[int]:
        return [self._number(surface) for surface in surfaces]

    def _number(self, surface: Surface) -> int:
        key = surface.vertices.tobytes() + b"|" + surface.faces.tobytes()
        if key not in self._known:
            self._known[key] = len(self.listed)
            self.listed.append({"vertices": surface.vertices, "faces": surface.faces})
        return self._known[key]


def _place(place: Mount) -> dict[str, Any]:
    # As lists: a file with a variable for each of hundreds of places would be slow to open.
    return {"body": place.body, "r": place.r.tolist(), "R": place.R.ravel().tolist()}


def _read_place(given: ForeignData) -> Mount:
    r, R = ([number.number(finite=True) for number in given[key].items()] for key in ("r", "R"))
    if len(r) != 3 or len(R) != 9:
        raise FileFormatError(f"{given.where} must have three and nine numbers.")
    return Mount(given["body"].text(), np.array(r), np.array(R).reshape(3, 3))
