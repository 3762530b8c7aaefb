"""Where a wheelset starts on a track: the place next to it, height, heading, cant, speed and rolling radius."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.arguments import real
from dalembert.errors import ModelError
from dalembert.model.bodies.parts import Marker
from dalembert.model.joints.joints import TURNS
from dalembert.rail.contact import find_contact
from dalembert.rail.track import Track
from dalembert.symbolic import Atom

Floats = npt.NDArray[np.float64]

#: rad, 1/m and so on: angles and rates of tracks that are less are those of a straight one along x
_NONE = 1e-12


class TrackStart:
    """The start of a wheelset whose frame slides and turns from a marker on the ground; ``begin`` holds what is given,
    by the names of the guide's coordinates, and gets what is not."""

    def __init__(
        self, track: Track, carrier: Marker, slides: str, turns: str, begin: dict[str, Any], where: str
    ) -> None:
        for name in (*"xyz", *TURNS.values()):
            if name in begin:
                begin[name] = real(begin[name], f"{where}: start: {name}", ModelError)
        self.track, self.slides, self.turns, self.begin, self.where = track, slides, turns, begin, where
        r, R = np.asarray(carrier.r), np.asarray(carrier.R)
        atoms = any(isinstance(one, Atom) for one in (*r.flat, *R.flat))
        #: of the carrier; what parameters say is found later, and counts as the origin
        self.r: Floats = np.zeros(3) if atoms else r.astype(float)
        self.R: Floats = np.eye(3) if atoms else R.astype(float)
        #: arc length next to the place
        self.s = track.nearest(*self.place[:2])

    @property
    def place(self) -> Floats:
        """Centre of the wheelset in the world."""
        local = np.array([self.begin.get(axis, 0.0) if axis in self.slides else 0.0 for axis in "xyz"])
        return self.r + self.R @ local

    def complete(self, above: float, speed: float | None) -> None:
        """What is not given: the height above the rails, heading and cant of the track, and with a speed its rates."""
        track, begin, s = self.track, self.begin, self.s
        if "z" in self.slides and "z" not in begin:
            left, right = (np.asarray(track.rail(side)(s)) for side in ("left", "right"))
            level = np.array([*self.place[:2], 0.5 * (left[2] + right[2])])
            begin["z"] = float((self.R.T @ (level - self.r))[2]) + above
        along = np.asarray(track.centre(s, 1))[:3]
        ahead = self.R.T @ np.array([along[0], along[1], 0.0]) / np.hypot(along[0], along[1])
        self._unless_none("yaw", float(np.arctan2(ahead[1], ahead[0])))
        self._unless_none("roll", float(np.asarray(track.centre(s))[3]))
        if speed is None:
            return
        if "x" in self.slides:
            free = "y" in self.slides
            begin.setdefault("x.rate", speed * float(ahead[0] if free else np.copysign(1.0, ahead[0])))
        if "x" in self.slides and "y" in self.slides and abs(ahead[1]) > _NONE:
            begin.setdefault("y.rate", speed * float(ahead[1]))
        self._unless_none("yaw.rate", speed * float(track.curvature(s)))

    def _unless_none(self, name: str, value: float) -> None:
        """An angle, or its rate, that is free and not given."""
        if abs(value) > _NONE and any(name.removesuffix(".rate") == TURNS[axis] for axis in self.turns):
            self.begin.setdefault(name, value)

    def rolling_radius(self, profiles: Mapping[str, tuple[Any, Any]], half: float) -> float:
        """Mean radius at which both wheels touch their rails."""
        R = self.R
        for axis in self.turns:
            R = R @ _turn(axis, self.begin.get(TURNS[axis], 0.0))
        radii = []
        for side, sign in (("left", 1.0), ("right", -1.0)):
            wheel, rail = profiles[side]
            centre = self.place + R @ np.array([0.0, sign * half, 0.0])
            try:
                _, u, _, _ = find_contact(wheel, self.track.rail(side), rail, centre, R)
            except ModelError as error:
                raise ModelError(f"{self.where}: {side} {error}") from None
            radii.append(-float(wheel(u)))
        return 0.5 * sum(radii)


def _turn(axis: str, angle: float) -> Floats:
    """Rotation about an axis."""
    i = "xyz".index(axis)
    j, k = (i + 1) % 3, (i + 2) % 3
    R = np.eye(3)
    R[j, j] = R[k, k] = np.cos(angle)
    R[k, j] = np.sin(angle)
    R[j, k] = -R[k, j]
    return R
