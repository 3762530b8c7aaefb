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

from dalembert.arguments import flag, listed, one_of, real, reals, shown, text
from dalembert.arguments import function as callable_one
from dalembert.errors import MissingExtraError, ModelError
from dalembert.symbolic import PiecewisePolynomial, smooth_table

Floats = npt.NDArray[np.float64]

UNITS = {"m": 1.0, "mm": 1e-3, "inch": 0.0254}
#: dz/du up to which points belong to a profile; steeper ones have no part in contacts (76°)
STEEPEST = 4.0
#: m: distance of the knots
SPACING = 0.5e-3
_LEAST_POINTS = 6
#: m: what radii and widths may be, from model railways to the largest driving wheels; beyond, the unit is another one
_RADII, _WIDTHS = (0.02, 3.0), (1e-3, 0.5)
#: dz/du of a flange's flank, and its height as a part of the width: chamfers are flatter, side faces steeper
_FLANKS, _FLANK_HEIGHT = (1.2, 8.0), 0.04
#: points in a row that may be outliers; dz/du by which they leave the outline, and by which it goes on without them
_OUTLIERS, _LEAVES, _GOES_ON = 3, 2.0, 0.5
#: part of the width by which points leave an outline that are not only noise; dz/du from which noise goes back in u
_DEPARTURE, _SIDE = 1e-3, 1.0
#: steps on both sides of one, of which some go back where it is noise
_BESIDE = 4
#: m: depths below the top where a rail's sides are straight; 1: leans of its axis; m: departure of a symmetric one
_SIDES, _LEANS, _SYMMETRIC = (0.018, 0.030), (0.015, 0.08), 1e-4


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
    :param mirror: points are those of the right side; points that show the other side, or the other direction, by a
        flange or by the lean of a rail are refused
    :param deviation, smoothing: m, and m³: for noisy points, see :func:`dalembert.symbolic.smooth_table`
    :param spacing: m, distance of the knots
    :param valid: m, range of validity, by default all of the points that are not steeper than ``steepest``
    """
    text(name, "profile: name", ModelError)
    what = f"profile '{name}'"
    one_of(kind, ("wheel", "rail"), f"{what}: kind", ModelError)
    one_of(unit, UNITS, f"{what}: unit", ModelError)
    flag(z_down, f"{what}: z_down", ModelError)
    flag(mirror, f"{what}: mirror", ModelError)
    given = checked_points(points, what, unit)
    p = given * UNITS[unit] * [-1.0 if mirror else 1.0, -1.0 if z_down else 1.0]
    backwards = p[0, 0] > p[-1, 0]
    p, given = (p[::-1], given[::-1]) if backwards else (p, given)
    most = real(steepest, f"{what}: steepest", ModelError)
    _refuse_outliers(p, given, what, unit, most)
    gentle = _gentle_part(p, what, most)
    width = float(gentle[-1, 0] - gentle[0, 0])
    if width < _WIDTHS[0]:
        raise ModelError(f"{what}: the points are {1e3 * width:g} mm wide with unit='{unit}'{_other_unit(width, unit)}")
    if kind == "wheel":
        if radius is None:
            raise ModelError(f"{what}: a wheel needs its radius, a positive number, got {radius!r}")
        offset = -wheel_radius(radius, what) - float(np.interp(0.0, gentle[:, 0], gentle[:, 1]))
        _refuse_other_wheel(p, what, z_down, mirror)
    else:
        offset = 0.0
        _refuse_other_rail(p, what, mirror)
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
    what = f"profile '{text(name, 'profile: name', ModelError)}'"
    one_of(kind, ("wheel", "rail"), f"{what}: kind", ModelError)
    callable_one(function, f"{what}: function", ModelError)
    ends = _range(valid, what)
    u = np.linspace(*ends, 2001)
    return _resampled(name, kind, function, ends, np.stack([u, function(u)], axis=1), spacing, None)


def wheel_radius(value: Any, what: str) -> float:
    """Radius of a wheel in metres, as wheels have them."""
    radius = real(value, f"{what}: radius", ModelError)
    if not _RADII[0] <= radius <= _RADII[1]:
        raise ModelError(
            f"{what}: radius must be from {_RADII[0]:g} to {_RADII[1]:g} m, got {radius:g}; give it in metres, as 0.46 "
            "for 460 mm"
        )
    return radius


def checked_points(points: npt.ArrayLike, what: str, unit: str) -> Floats:
    """Points (u, z) that can be those of a profile, in their unit."""
    given = reals(points, f"{what}: points", ModelError, ndim=2)
    if given.shape[1] != 2 or given.shape[0] < _LEAST_POINTS:
        raise ModelError(f"{what}: points must have the shape (n, 2) with n >= {_LEAST_POINTS}, got {given.shape}")
    bad = np.flatnonzero(~np.isfinite(given).all(axis=1))
    if bad.size:
        raise ModelError(f"{what}: point {bad[0]} is {given[bad[0]].tolist()}; remove what is not finite")
    low, high = float(given[:, 0].min()), float(given[:, 0].max())
    width = (high - low) * UNITS[unit]
    if width > _WIDTHS[1]:
        raise ModelError(
            f"{what}: the points are {width:g} m wide with unit='{unit}', profiles are less than {_WIDTHS[1]:g} m"
            f"{_other_unit(width, unit)}"
        )
    if not low <= 0.0 <= high:
        raise ModelError(
            f"{what}: the points go from u = {low:g} to {high:g} {unit} and leave out u = 0, where a wheel has its "
            "running circle and a rail its place; subtract the u of that place from all points"
        )
    return given


def _other_unit(width: float, unit: str) -> str:
    """The remedy where a width is none of a profile: units that would make it one."""
    likely = [f"unit='{one}'" for one, size in UNITS.items() if 0.01 < width * size / UNITS[unit] < 0.25]
    return f"; give {' or '.join(likely)}" if likely else f"; check the points, and unit: {', '.join(UNITS)}"


def _range(valid: Any, what: str) -> tuple[float, float]:
    """Two places, in the order of u."""
    ends = reals(valid, f"{what}: valid", ModelError, finite=True, wanted="two numbers, the ends of the range")
    if ends.shape != (2,):
        raise ModelError(f"{what}: valid must be two numbers, the ends of the range in m, got {shown(valid)}")
    low, high = ends.tolist()
    if not low < high:
        raise ModelError(f"{what}: valid must be two numbers, the smaller one first, got {shown(valid)}")
    return low, high


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
        low, high = _range(valid, what)
        if not (ends[0] <= low and high <= ends[1]):
            raise ModelError(
                f"{what}: the range of validity must lie in that of the points, {ends[0]:g} to {ends[1]:g} m, "
                f"got {valid}"
            )
        ends = (low, high)
    width = ends[1] - ends[0]
    if not 1e-5 <= real(spacing, f"{what}: spacing", ModelError) <= 0.1 * width:
        raise ModelError(
            f"{what}: spacing must be from 0.01 mm to a tenth of the width, which is {1e3 * width:g} mm; got "
            f"{spacing:g} m (if the width is wrong, check the unit of the points)"
        )
    u = np.linspace(ends[0], ends[1], max(8, round((ends[1] - ends[0]) / spacing) + 1))
    table = PiecewisePolynomial.spline(u, np.asarray(near(u)), outside="linear")
    table.watched = False
    return Profile(name, kind, table, ends, points)


def _gentle_part(p: Floats, what: str, steepest: float) -> Floats:
    """The points around u = 0 that are a function of u and not too steep; others may only follow at the ends."""
    du, dz = np.diff(p[:, 0]), np.diff(p[:, 1])
    steep = np.abs(dz) > steepest * np.abs(du)
    steep &= ~_noisy_steps(p, steepest)
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


def _noisy_steps(p: Floats, steepest: float) -> npt.NDArray[np.bool_]:
    """Steps that are steep by noise only: some beside them go back, and over a hundredth of the width it is gentle."""
    du, dz = np.diff(p[:, 0]), np.diff(p[:, 1])
    width = float(np.ptp(p[:, 0]))
    noisy = np.zeros(du.size, dtype=bool)
    for k in np.flatnonzero((du > 0.0) & (np.abs(dz) > steepest * du)).tolist():
        beside = dz[max(0, k - _BESIDE) : k + _BESIDE + 1]
        if abs(dz[k]) > _DEPARTURE * width or not (beside * dz[k] < 0.0).any():
            continue
        first, last = k, k + 1
        while first > 0 and p[k, 0] - p[first, 0] < 0.005 * width:
            first -= 1
        while last < du.size and p[last, 0] - p[k + 1, 0] < 0.005 * width:
            last += 1
        over_u, over_z = p[last] - p[first]
        noisy[k] = over_u > 0.0 and abs(over_z) <= steepest * over_u
    return noisy


def _refuse_outliers(p: Floats, given: Floats, what: str, unit: str, steepest: float) -> None:
    """Raise for points that steeply leave an outline that goes on behind them.

    Behind a flange, or the side of a rail, it does not go on; and what is as small as noise may be noise.
    """
    du, dz = np.diff(p[:, 0]), np.diff(p[:, 1])
    steep, width = np.abs(dz) > steepest * np.abs(du), np.ptp(p[:, 0])
    usable = ~steep & (du > 0.0)
    slope = np.divide(dz, du, out=np.zeros_like(dz), where=usable)
    for k in np.flatnonzero(steep).tolist():
        for last in range(k + 1, min(k + 1 + _OUTLIERS, du.size)):
            # Without the points k + 1 to last, the outline would have this slope, between those around it.
            over_u, over_z = (p[last + 1] - p[k]).tolist()
            around = [one for one in (k - 1, last + 1) if 0 <= one < du.size]
            if not (over_u > 0.0 and abs(over_z) <= steepest * over_u and usable[around].all()):
                continue
            chord, near = over_z / over_u, slope[around]
            leaves = du[k] == 0.0 or abs(dz[k] / du[k] - chord) > _LEAVES
            if not (near.size and leaves and near.min() - _GOES_ON <= chord <= near.max() + _GOES_ON):
                continue
            departure = abs(dz[k] - chord * du[k]) / np.hypot(1.0, chord)
            if departure <= _DEPARTURE * width and ((du[k : last + 1] > 0.0).all() or abs(chord) > _SIDE):
                continue
            shown_ones = [f"({u:g}, {z:g}) {unit}" for u, z in given[k : last + 2].tolist()]
            if du[k] == 0.0:
                raise ModelError(
                    f"{what}: the points {' and '.join(shown_ones[:2])} have the same u; remove one of them"
                )
            raise ModelError(
                f"{what}: {', '.join(shown_ones[1:-1])} does not fit between {shown_ones[0]} and {shown_ones[-1]}; "
                "remove what is measured wrongly, or correct the numbers"
            )


def flange_of(p: Floats) -> tuple[float, float] | None:
    """Side of u and direction of z (±1 each) in which a wheel has its flange; the side is 0 where both have one, and
    None where the points do not tell it."""
    width = float(np.ptp(p[:, 0]))
    start = int(np.argmin(np.abs(p[:, 0])))
    found = {}
    for part in (p[start:], p[start::-1]):
        # Points that are a hundredth of the width apart: what is finer may be noise.
        outline = [part[0]]
        for point in part[1:]:
            if np.hypot(*(point - outline[-1])) >= 0.01 * width:
                outline.append(point)
        direction = _flank(np.diff(np.array(outline), axis=0), _FLANK_HEIGHT * width)
        if direction:
            found[float(np.sign(outline[-1][0] - outline[0][0]))] = direction
    directions = set(found.values())
    if len(directions) != 1:
        return None
    return (next(iter(found)) if len(found) == 1 else 0.0), directions.pop()


def _flank(steps: Floats, least: float) -> float:
    """Direction of the first steep and high part of an outline, 0 if there is none, or if it is a side face."""
    whole = np.zeros(2)
    for step in [*steps, np.zeros(2)]:
        goes_on = abs(step[1]) > _FLANKS[0] * abs(step[0]) and step[1] * whole[1] >= 0.0
        if goes_on:
            whole = whole + step
        elif abs(whole[1]) >= least:
            break
        else:
            whole = np.zeros(2)
    if abs(whole[1]) < least or abs(whole[1]) > _FLANKS[1] * abs(whole[0]):
        return 0.0
    return float(np.sign(whole[1]))


def _refuse_other_wheel(p: Floats, what: str, z_down: bool, mirror: bool) -> None:
    """Raise where the flange is not below at negative u."""
    side, direction = flange_of(p) or (-1.0, -1.0)
    wrong = [f"z_down={not z_down}"] * (direction > 0.0) + [f"mirror={not mirror}"] * (side > 0.0)
    if wrong:
        raise ModelError(
            f"{what}: the flange is {'above' if direction > 0.0 else 'below'} the tread at "
            f"{'positive' if side > 0.0 else 'negative'} u; a left wheel has it below, at negative u: give "
            f"{' and '.join(wrong)}"
        )


def _refuse_other_rail(p: Floats, what: str, mirror: bool) -> None:
    """Raise where a rail is symmetric about an axis that leans away from the track, as that of the other side does.

    Worn rails are not symmetric, and upright ones do not lean: neither tells its side.
    """
    top = int(np.argmax(p[:, 1]))
    deep = p[top, 1] - np.linspace(*_SIDES, 13)
    edges = []
    for part in (p[: top + 1], p[: top - 1 if top else None : -1]):
        k = [np.flatnonzero(part[:, 1] <= z) for z in deep]
        if not all(one.size for one in k):
            return
        at = np.array([int(one[-1]) for one in k])
        share = (deep - part[at, 1]) / (part[at + 1, 1] - part[at, 1])
        edges.append(part[at, 0] + share * (part[at + 1, 0] - part[at, 0]))
    middle = 0.5 * (edges[0] + edges[1])
    rate, place = np.polyfit(deep, middle, 1)
    # Of a left rail it is negative: the higher, the nearer to the track, which is at negative u.
    if not _LEANS[0] <= rate <= _LEANS[1]:
        return
    turn = np.arctan(rate)
    q = (p - [place, 0.0]) @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    half = 0.3 * float(np.min(edges[1] - edges[0]))
    inner = q[np.abs(q[:, 0]) <= 1.2 * half]
    if inner.shape[0] < _LEAST_POINTS or np.any(np.diff(inner[:, 0]) <= 0.0):
        return
    u = np.linspace(0.0, half, 21)
    left, right = (np.interp(sign * u, inner[:, 0], inner[:, 1]) for sign in (-1.0, 1.0))
    if np.abs(left - right).max() <= _SYMMETRIC and np.abs(middle - place - rate * deep).max() <= _SYMMETRIC:
        raise ModelError(
            f"{what}: the rail leans by 1:{1.0 / rate:.0f} to positive u, away from the track, as one of the other "
            f"side does; give mirror={not mirror}"
        )


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
