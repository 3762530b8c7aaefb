"""Profiles by name: S1002, UIC60 (60E1), cones and round heads."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.resources import as_file, files

import numpy as np
import numpy.typing as npt

from dalembert.arguments import real
from dalembert.errors import ModelError
from dalembert.rail.profile_files import read_profile
from dalembert.rail.profiles import Profile, profile_of_function, profile_of_points, wheel_radius

Floats = npt.NDArray[np.float64]

# S1002 (EN 13715, flange of 28 mm): heights in mm away from the axle over s in mm, the flange at s < 0.
_TREAD = (0.0, -3.358537058e-2, 1.565681624e-3, -2.810427944e-5, 5.844240864e-8, -1.562379023e-8, 5.309217349e-15,
          -5.957839843e-12, 2.646656573e-13)  # fmt: skip
_ROOT = (-4.320221063e3, -1.038384026e3, -1.065501873e2, -6.051367875, -2.054332446e-1, -4.169739389e-3,
         -4.687195829e-5, -2.252755540e-7)  # fmt: skip


def s1002_heights(s: npt.ArrayLike) -> Floats:
    """z(s) of S1002 in mm, positive away from the axle, for −70 ≤ s ≤ 60 mm from the taping circle."""
    s = np.asarray(s, dtype=float)

    def arc(top: float, sign: float, radius: float, centre: float) -> Floats:
        return top + sign * np.sqrt(np.maximum(radius**2 - (s + centre) ** 2, 0.0))

    borders = [-62.764705882, -49.662510381, -39.764473993, -38.426669071, -35.0, -26.0, 32.15796]
    parts = [
        arc(9.519259302, 1.0, 20.5, 49.5),
        arc(16.0, 1.0, 12.0, 55.0),
        arc(8.834924130, 1.0, 20.0, 58.558326413),
        -93.576667419 - 2.747477419 * s,
        arc(16.446, -1.0, 13.0, 26.210665),
        np.polynomial.polynomial.polyval(s, _ROOT),
        np.polynomial.polynomial.polyval(s, _TREAD),
        1.364323640 - 0.066666667 * s,
    ]
    return np.choose(np.searchsorted(borders, s, side="right"), parts)


def s1002(radius: float = 0.46) -> Profile:
    """The wheel profile S1002, from the top of the flange (u = −55 mm) to the outer side (60 mm)."""
    return _s1002(wheel_radius(radius, "profile 'S1002'"))


@cache
def _s1002(radius: float) -> Profile:
    made = profile_of_function(lambda u: -radius - 1e-3 * s1002_heights(1e3 * u), (-0.055, 0.06), "wheel", "S1002")
    return replace(made, recipe=("s1002", {"radius": radius}))


def uic60_outline(count: int = 4001) -> Floats:
    """Points (y, z) in mm of the upright head of UIC60, z up: arcs of 300, 80 and 13 mm and sides of 20:1."""
    first = np.arcsin(10.25 / 300.0)
    second = np.arcsin(np.sin(first) + (26.05 - 10.25) / 80.0)
    third = np.arctan(20.0)
    angle = np.linspace(0.0, third, count)
    y1, z1 = 300.0 * np.sin(angle), 300.0 * (np.cos(angle) - 1.0)
    y2 = 10.25 + 80.0 * (np.sin(angle) - np.sin(first))
    z2 = 300.0 * (np.cos(first) - 1.0) + 80.0 * (np.cos(angle) - np.cos(first))
    y3 = 26.05 + 13.0 * (np.sin(angle) - np.sin(second))
    z3 = (
        300.0 * (np.cos(first) - 1.0)
        + 80.0 * (np.cos(second) - np.cos(first))
        + 13.0 * (np.cos(angle) - np.cos(second))
    )
    y = np.where(angle <= first, y1, np.where(angle <= second, y2, y3))
    z = np.where(angle <= first, z1, np.where(angle <= second, z2, z3))
    drop = np.linspace(0.0, 25.0, 200)[1:]
    y, z = np.append(y, y[-1] + drop / 20.0), np.append(z, z[-1] - drop)
    return np.stack([np.append(-y[::-1], y[1:]), np.append(z[::-1], z[1:])], axis=1)


def uic60(inclination: float = 1.0 / 40.0) -> Profile:
    """The left rail UIC60 (60E1), inclined towards the track, its highest point at u = 0 and height 0."""
    slope = real(inclination, "profile 'UIC60': inclination", ModelError)
    if not 0.0 <= slope <= 0.1:
        raise ModelError(f"profile 'UIC60': inclination must be from 0 to 0.1 (1/20 or 1/40, say), got {slope:g}")
    return _uic60(slope)


@cache
def _uic60(slope: float) -> Profile:
    turn = np.arctan(slope)
    points = uic60_outline() @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    points -= points[np.argmax(points[:, 1])]
    name = f"UIC60 1:{1.0 / slope:.0f}" if slope else "UIC60"
    made = profile_of_points(points, "rail", name, unit="mm")
    return replace(made, recipe=("uic60", {"inclination": slope}))


@cache
def uic60_of_benchmark() -> Profile:
    """The left rail UIC60 1:40 through the points of the Manchester contact benchmark, up to 0.06 mm from the arcs
    (P. Shackleton, S. Iwnicki, Vehicle System Dynamics 46 (2008) 129–149)."""
    with as_file(files("dalembert.rail") / "data" / "uic60_1in40.csv") as path:
        return replace(read_profile(path, "rail", name="UIC60 1:40, points"), recipe=("uic60_of_benchmark", {}))


def cone(radius: float, conicity: float, width: float = 0.06) -> Profile:
    """A conical wheel: the radius grows towards the track (negative u) by ``conicity``."""
    r = wheel_radius(radius, "conical wheel")
    slope, half = (
        real(v, f"conical wheel: {name}", ModelError) for v, name in ((conicity, "conicity"), (width, "width"))
    )
    if not (half > 0.0 and abs(slope) * half < r):
        raise ModelError(f"conical wheel: radius {r:g} m, conicity {slope:g} and width {half:g} m do not fit together")
    made = profile_of_function(lambda u: -r + slope * u, (-half, half), "wheel", f"cone {slope:g}", 0.1 * half)
    return replace(made, recipe=("cone", {"radius": r, "conicity": slope, "width": half}))


def crown(radius: float, width: float = 0.03) -> Profile:
    """The head of a rail as one arc, its top at height 0."""
    R, half = real(radius, "rail's crown: radius", ModelError), real(width, "rail's crown: width", ModelError)
    if not 0.0 < half < R:
        raise ModelError(f"rail's crown: the width {half:g} m must be positive and smaller than the radius {R:g} m")
    made = profile_of_function(
        lambda u: np.sqrt(R * R - u * u) - R, (-half, half), "rail", f"crown {R:g} m", half / 60.0
    )
    return replace(made, recipe=("crown", {"radius": R, "width": half}))
