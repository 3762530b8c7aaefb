"""Profiles of wheels and rails: twice differentiable functions of the lateral coordinate, with a range of validity.

A profile gives, in metres, the height of a surface over u, the lateral coordinate to the left: of a wheel f(u) < 0,
minus its radius, of a rail the height over the reference line.  Profiles are those of the left side, with the flange
and the gauge face at negative u; ``mirrored()`` gives those of the right side.  They are functions f(u, order) of
numbers and of atoms (dalembert.rail.surface).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.arguments import listed, one_of, real, reals, shown, text
from dalembert.errors import MissingExtraError, ModelError
from dalembert.symbolic import PiecewisePolynomial, smooth_table

Floats = npt.NDArray[np.float64]

UNITS = {"m": 1.0, "mm": 1e-3, "inch": 0.0254}
#: dz/du up to which points belong to a profile; steeper ones have no part in contacts (76°)
STEEPEST = 4.0
#: m: distance of the knots
SPACING = 0.5e-3
_LEAST_POINTS = 6


@dataclass(frozen=True)
class Profile:
    """A profile: its heights, its range of validity, and the points that it came from."""

    name: str
    kind: str  # "wheel" or "rail"
    table: PiecewisePolynomial
    valid: tuple[float, float]
    points: Floats = field(repr=False, compare=False, default_factory=lambda: np.zeros((0, 2)))
    #: name and numbers of the standard profile that it is, for model files; None for any other
    recipe: tuple[str, dict[str, float]] | None = field(repr=False, compare=False, default=None)

    def __call__(self, u: Any, order: int = 0) -> Any:
        """Height, or its derivative, at numbers or atoms."""
        return self.table(u, order)

    def curvature(self, u: Any) -> Any:
        """1/R_y with the sign of eq. (22): positive where the body is convex."""
        slope, bend = self(u, 1), self(u, 2)
        return (1.0 if self.kind == "wheel" else -1.0) * bend / (1.0 + slope * slope) ** 1.5

    def contains(self, u: float, margin: float = 0.0) -> bool:
        """Whether u is in the range of validity, so much inside."""
        u, margin = (real(x, f"profile '{self.name}': {key}", ModelError) for x, key in ((u, "u"), (margin, "margin")))
        return self.valid[0] + margin <= u <= self.valid[1] - margin

    def mirrored(self) -> Profile:
        """The profile of the other side."""
        low, high = self.valid
        name = self.name.removesuffix(" (mirrored)") if self.name.endswith(" (mirrored)") else f"{self.name} (mirrored)"
        points = self.points[::-1] * [-1.0, 1.0]
        return replace(
            self, name=name, table=mirrored_table(self.table), valid=(-high, -low), points=points, recipe=None
        )

    def gauge_point(self, depth: float = 0.014) -> float:
        """u where the gauge face of a rail is so much below its highest point (14 mm in EN 13848); by the points."""
        if self.kind != "rail":
            raise ModelError(f"profile '{self.name}': only rails have a gauge point")
        depth = real(depth, f"profile '{self.name}': depth", ModelError)
        u, z = self.points.T
        top = int(np.argmax(z))
        below = np.flatnonzero(z[: top + 1] <= z[top] - depth)
        if not below.size:
            raise ModelError(
                f"profile '{self.name}': no point at negative u is {1000 * depth:g} mm below the top; give points of "
                "the gauge face, or the place of the rails"
            )
        k = int(below[-1])
        part = (z[top] - depth - z[k]) / (z[k + 1] - z[k])
        return float(u[k] + part * (u[k + 1] - u[k]))

    def plot(self, axes: Any = None) -> Any:
        """Heights and points in mm, on Matplotlib's axes (new ones if none are given), which are returned."""
        (axes,) = plot_axes(None if axes is None else [axes], 1, f"profile '{self.name}': axes")
        u = np.linspace(*self.valid, 801)
        offset = self(0.0)
        few = self.points[:: max(1, len(self.points) // 300)]
        axes.plot(1e3 * few[:, 0], 1e3 * (few[:, 1] - offset), ".", ms=2, color="0.6")
        axes.plot(1e3 * u, 1e3 * (self(u) - offset), label=self.name)
        axes.set_xlabel("u [mm]")
        axes.set_ylabel("height [mm]")
        axes.set_aspect("equal")
        return axes


def plot_axes(given: Any, count: int, what: str, **options: Any) -> list[Any]:
    """So many of Matplotlib's axes: those that are given, or new ones."""
    if given is None:
        try:
            import matplotlib.pyplot as plt
        except ImportError:
            raise MissingExtraError("plots of profiles", "matplotlib", "plot") from None
        return list(np.atleast_1d(plt.subplots(nrows=count, **options)[1]))
    found = list(listed(given, what, ModelError))
    if len(found) != count or not all(hasattr(one, "plot") for one in found):
        raise ModelError(f"{what} must be {count} of Matplotlib's axes, got {shown(given)}")
    return found


def profile_of_points(
    points: npt.ArrayLike,
    kind: str,
    name: str = "points",
    *,
    unit: str = "mm",
    radius: float | None = None,
    z_down: bool = False,
    mirror: bool = False,
    deviation: float | None = None,
    smoothing: float | None = None,
    spacing: float = SPACING,
    valid: tuple[float, float] | None = None,
    steepest: float = STEEPEST,
) -> Profile:
    """A profile through, or near, points (u, z) in the order of u or against it.

    :param kind: "wheel" or "rail"
    :param unit: of the points: "mm", "m" or "inch"
    :param radius: m, of a wheel, where u = 0
    :param z_down: heights are measured downwards
    :param mirror: points are those of the right side
    :param deviation, smoothing: m, and m³: for noisy points, see :func:`dalembert.symbolic.smooth_table`
    :param spacing: m, distance of the knots
    :param valid: m, range of validity, by default all of the points that are not steeper than ``steepest``
    """
    text(name, "profile: name", ModelError)
    what = f"profile '{name}'"
    one_of(kind, ("wheel", "rail"), f"{what}: kind", ModelError)
    one_of(unit, UNITS, f"{what}: unit", ModelError)
    given = reals(points, f"{what}: points", ModelError, ndim=2)
    if given.shape[1] != 2 or given.shape[0] < _LEAST_POINTS:
        raise ModelError(f"{what}: points must have the shape (n, 2) with n >= {_LEAST_POINTS}, got {given.shape}")
    bad = np.flatnonzero(~np.isfinite(given).all(axis=1))
    if bad.size:
        raise ModelError(f"{what}: point {bad[0]} is {given[bad[0]].tolist()}; remove what is not finite")
    p = given * UNITS[unit] * [-1.0 if mirror else 1.0, -1.0 if z_down else 1.0]
    p = p[::-1] if p[0, 0] > p[-1, 0] else p
    gentle = _gentle_part(p, what, real(steepest, f"{what}: steepest", ModelError))
    if kind == "wheel":
        if radius is None or not real(radius, f"{what}: radius", ModelError) > 0.0:
            raise ModelError(f"{what}: a wheel needs its radius, a positive number, got {radius!r}")
        offset = -radius - float(np.interp(0.0, gentle[:, 0], gentle[:, 1]))
    else:
        offset = 0.0
    raised = np.array([0.0, offset])
    p, gentle = p + raised, gentle + raised
    u, z = gentle.T
    near: Callable[[Floats], Floats]
    if deviation is None and smoothing is None:
        near = PiecewisePolynomial.spline(u, z, outside="cubic")
    else:
        near = smooth_table(u, z, deviation=deviation, smoothing=smoothing, outside="cubic")
    return _resampled(name, kind, near, (float(u[0]), float(u[-1])), p, spacing, valid)


def profile_of_function(
    function: Callable[[Floats], Floats], valid: tuple[float, float], kind: str, name: str, spacing: float = SPACING
) -> Profile:
    """A profile whose heights over u (metres) are a function of arrays."""
    u = np.linspace(*valid, 2001)
    return _resampled(name, kind, function, valid, np.stack([u, function(u)], axis=1), spacing, None)


def _resampled(
    name: str,
    kind: str,
    near: Callable[[Floats], Floats],
    ends: tuple[float, float],
    points: Floats,
    spacing: float,
    valid: tuple[float, float] | None,
) -> Profile:
    """Splines with even knots: their intervals need no search."""
    what = f"profile '{name}'"
    if valid is not None:
        low, high = (real(v, f"{what}: valid", ModelError) for v in valid)
        if not ends[0] <= low < high <= ends[1]:
            raise ModelError(
                f"{what}: the range of validity must lie in that of the points, {ends[0]:g} to {ends[1]:g} m, "
                f"got {valid}"
            )
        ends = (low, high)
    if not 1e-5 <= real(spacing, f"{what}: spacing", ModelError) <= 0.1 * (ends[1] - ends[0]):
        raise ModelError(f"{what}: spacing must be from 0.01 mm to a tenth of the width, got {spacing:g} m")
    u = np.linspace(ends[0], ends[1], max(8, round((ends[1] - ends[0]) / spacing) + 1))
    table = PiecewisePolynomial.spline(u, np.asarray(near(u)), outside="linear")
    table.watched = False
    return Profile(name, kind, table, ends, points)


def _gentle_part(p: Floats, what: str, steepest: float) -> Floats:
    """The points around u = 0 that are a function of u and not too steep; others may only follow at the ends."""
    du, dz = np.diff(p[:, 0]), np.diff(p[:, 1])
    steep = np.abs(dz) > steepest * np.abs(du)
    start = int(np.argmin(np.abs(p[:, 0])))
    stop = start
    while stop < du.size and not steep[stop] and du[stop] > 0.0:
        stop += 1
    first = start
    while first > 0 and not steep[first - 1] and du[first - 1] > 0.0:
        first -= 1
    for k in (stop, first - 1):
        if 0 <= k < du.size and not steep[k]:
            word = "is that of" if du[k] == 0.0 else "goes back behind"
            raise ModelError(
                f"{what}: point {k + 1} at {1e3 * p[k + 1, 0]:g} mm {word} point {k} at {1e3 * p[k, 0]:g} mm (in the "
                "order of u); sort the points or remove it"
            )
    if stop - first + 1 < _LEAST_POINTS:
        raise ModelError(
            f"{what}: only {stop - first + 1} points around u = 0 are less steep than {steepest:g}; check the unit, "
            "the directions of u and z, and that u = 0 lies on the tread"
        )
    return p[first : stop + 1]


def mirrored_table(table: PiecewisePolynomial) -> PiecewisePolynomial:
    """f(−u)."""
    x = table.breaks
    ends = x[1:]
    inner = slice(1, -1) if table.outside not in ("cubic", "periodic") else slice(None)
    c, h = table.coefficients[:, inner], np.diff(x)
    value = ((c[0] * h + c[1]) * h + c[2]) * h + c[3]
    slope = (3.0 * c[0] * h + 2.0 * c[1]) * h + c[2]
    flipped = np.stack([-c[0], 3.0 * c[0] * h + c[1], -slope, value])[:, ::-1]
    result = PiecewisePolynomial(-np.append(ends[::-1], x[0]), flipped, table.outside)
    result.watched = table.watched
    return result
