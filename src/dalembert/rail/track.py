"""A track: segments in plan, cant, gauge, vertical profile and irregularities, made into one curve per rail.

Each rail is a :class:`~dalembert.symbolic.VectorTable` of x, y, z and the angle θ of its profile over the arc length
s of the track's centre line (railway paper eqs. 5, 7): splines with even knots, twice differentiable, one interval
for all components. x is forward at the start, y to the left, z up; a positive θ lifts the left side. With the
direction t̂ of the centre line, ĉ₀ horizontal and to the left, ĉ and n̂ turned by the cant (dalembert.rail.surface),
the rails are at

    r = r_centre + (±d/2 + lateral) ĉ + vertical n̂,

d being the distance of their reference lines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.arguments import instance, listed, one_of, real, reals, shown
from dalembert.errors import ModelError, SymbolicError
from dalembert.rail.irregularities import Irregularity
from dalembert.rail.profiles import Profile, plot_axes
from dalembert.rail.segments import Clothoid, PlanView, Segment, SegmentEnd
from dalembert.symbolic import PiecewisePolynomial, VectorTable

Floats = npt.NDArray[np.float64]

#: m: distance of knots without irregularities, and knots per shortest wave
SPACING, KNOTS_PER_WAVE = 0.5, 12
#: knots that a wave needs to be there at all
_LEAST_KNOTS = 4
_MOST_KNOTS = 400_000
#: m: cant by which segments may differ where they meet
_SAME_CANT = 1e-9
#: m: the standard gauge, the distance of tread circles that belongs to it, and by how much a gauge is still that one
STANDARD_GAUGE, STANDARD_TREADS, _SAME_GAUGE = 1.435, 1.5, 0.01
#: m: rails are not farther apart; larger numbers are millimetres
WIDEST = 100.0


class Track:
    """Both rails of a track.

    :param segments: one after the other, see dalembert.rail.segments; curvatures may jump where they meet (a straight
        piece and an arc without a clothoid between them), where the splines swing over by an eighth of the jump
    :param distance: m, of the rails' reference lines, u = 0 of their profiles; that of tops and of gauge faces are not
        the same: rails of profile uic60() on standard gauge are 1.521 m apart, at 1.5 m their gauge is 1.414 m
    :param gauge: m, between gauge faces 14 mm below the tops; with the ``profile`` of the left rail the distance
        follows from it. Wheels have a distance of their own, see :attr:`tread_distance`
    :param height: vertical profile: None, a pair of arrays (s, z), or a function of arrays
    :param irregularities: of dalembert.rail.irregularities; they add up
    :param spacing: m, of the knots; by default 0.5 m, or a twelfth of the shortest wave
    :param start: x, y and heading (rad) where the first segment begins
    """

    def __init__(
        self,
        segments: Sequence[Segment],
        *,
        distance: float | None = None,
        gauge: float | None = None,
        profile: Profile | None = None,
        height: Any = None,
        irregularities: Sequence[Irregularity] = (),
        spacing: float | None = None,
        start: tuple[float, float, float] = (0.0, 0.0, 0.0),
    ) -> None:
        self.segments = _joined(listed(segments, "track: segments", ModelError))
        #: arc lengths at which segments begin, and the end
        self.joints: Floats = np.concatenate([[0.0], np.cumsum([one.length for one in self.segments])])
        self.length = float(self.joints[-1])
        self.distance = _distance(distance, gauge, profile)
        self.profile = profile
        #: m, as it was given; None where the distance was
        self.gauge = None if gauge is None else float(gauge)
        waves = [
            instance(one, Irregularity, "track: irregularities", ModelError)
            for one in listed(irregularities, "track: irregularities", ModelError)
        ]
        self.irregularities = tuple(waves)
        #: as they were given, for model files
        self.height, self.spacing = height, spacing
        h = min([SPACING, *(one.shortest / KNOTS_PER_WAVE for one in waves)]) if spacing is None else spacing
        h = real(h, "track: spacing", ModelError)
        if not h > 0.0 or self.length / h > _MOST_KNOTS:
            raise ModelError(
                f"track: a spacing of {h:g} m on {self.length:g} m is not possible; at most {_MOST_KNOTS} knots"
            )
        if waves and (least := min(one.shortest for one in waves)) < _LEAST_KNOTS * h:
            raise ModelError(
                f"track: knots every {h:g} m cannot follow irregularities of {least:g} m; give a spacing of at most "
                f"{least / _LEAST_KNOTS:g} m, or leave it away"
            )
        s = np.linspace(0.0, self.length, max(8, int(np.ceil(self.length / h)) + 1))
        begin = reals(start, "track: start", ModelError, wanted="three numbers: x, y, heading").reshape(-1)
        if begin.size != 3 or not np.isfinite(begin).all():
            raise ModelError(f"track: start must be three numbers: x, y, heading; got {shown(start)}")
        #: x, y and heading of the beginning
        self.start: tuple[float, ...] = tuple(begin.tolist())
        plan = self._plan(s, self.start)
        self._check_plan(s, plan)
        z = _heights(height, s)
        tilt = np.arcsin(plan.cant / self.distance)
        centre = np.stack([plan.x, plan.y, z, tilt], axis=1)
        #: the centre line, with the cant angle
        self.centre = VectorTable.spline(s, centre, watched=False)
        self.left, self.right = (self._rail(s, centre, side) for side in (1.0, -1.0))

    def curvature(self, s: npt.ArrayLike) -> Floats:
        """Curvature of the centre line in plan, positive to the left."""
        return self._local(reals(s, "track: s", ModelError)).curvature

    def cant(self, s: npt.ArrayLike) -> Floats:
        """Height of the left rail over the right one, m."""
        return self._local(reals(s, "track: s", ModelError)).cant

    @property
    def tread_distance(self) -> float | None:
        """Distance of the reference points of wheels that fit, m: of the rails where that was given, between tread
        circles 1.5 m on standard gauge; None on other gauges, where it is not known."""
        if self.gauge is None:
            return self.distance
        return STANDARD_TREADS if abs(self.gauge - STANDARD_GAUGE) <= _SAME_GAUGE else None

    def nearest(self, x: float, y: float) -> float:
        """Arc length of the centre line next to a point in plan; an end for points beyond it."""
        place = np.array([real(x, "track: x", ModelError), real(y, "track: y", ModelError)])
        knots = self.centre.breaks
        away = np.linalg.norm(self.centre.evaluate(knots)[:, :2] - place, axis=1)
        k = int(np.argmin(away))
        low, high = float(knots[max(k - 1, 0)]), float(knots[min(k + 1, knots.size - 1)])
        s = float(knots[k])
        for _ in range(20):  # (r − place)·t = 0
            r, t, bend = (np.asarray(self.centre(s, order))[:2] for order in range(3))
            slope = float(t @ t + (r - place) @ bend)
            if not slope > 0.0:
                break
            before, s = s, float(np.clip(s - float((r - place) @ t) / slope, low, high))
            if abs(s - before) <= 1e-13 * self.length:
                break
        return s

    def rail(self, side: str) -> VectorTable:
        """The rail of that side: "left" or "right"."""
        return self.left if one_of(side, ("left", "right"), "track: side", ModelError) == "left" else self.right

    def plot(self, axes: Any = None) -> Any:
        """PlanView, curvature, cant and deviations of the rails, on four of Matplotlib's axes, which are returned."""
        axes = plot_axes(axes, 4, "track: axes", figsize=(8, 8), layout="constrained")
        s = np.linspace(0.0, self.length, 2001)
        centre = self.centre.evaluate(s)
        axes[0].plot(centre[:, 0], centre[:, 1])
        axes[0].set_xlabel("x [m]")
        axes[0].set_ylabel("y [m]")
        axes[1].plot(s, 1e3 * self.curvature(s))
        axes[1].set_ylabel("curvature [1/km]")
        axes[2].plot(s, 1e3 * self.cant(s))
        axes[2].set_ylabel("cant [mm]")
        for name, table, side in (("left", self.left, 0.5), ("right", self.right, -0.5)):
            ideal = centre[:, 2] + side * self.distance * np.sin(centre[:, 3])
            axes[3].plot(s, 1e3 * (table.evaluate(s)[:, 2] - ideal), label=name)
        axes[3].set_ylabel("vertical deviation [mm]")
        axes[3].set_xlabel("s [m]")
        axes[3].legend()
        return axes

    # ----------------------------------------------------------------------------------------------------- plan

    def _local(self, s: Floats) -> PlanView:
        """Curvature, cant and the rest at arc lengths, in the axes of the segments."""
        parts = np.zeros((5, *s.shape))
        which = np.clip(np.searchsorted(self.joints, s, side="right") - 1, 0, len(self.segments) - 1)
        for k, segment in enumerate(self.segments):
            here = which == k
            if np.any(here):
                parts[:, here] = segment.plan(np.atleast_1d(s[here] - self.joints[k]))
        return PlanView(*parts)

    def _plan(self, s: Floats, start: tuple[float, ...]) -> PlanView:
        """The whole plan from its start."""
        local = self._local(s)
        which = np.clip(np.searchsorted(self.joints, s, side="right") - 1, 0, len(self.segments) - 1)
        x, y, heading = start
        result = np.array(local)
        for k, segment in enumerate(self.segments):
            here = which == k
            c, d = np.cos(heading), np.sin(heading)
            result[0, here] = x + c * local.x[here] - d * local.y[here]
            result[1, here] = y + d * local.x[here] + c * local.y[here]
            result[2, here] = heading + local.heading[here]
            end = segment.plan(np.array([segment.length]))
            x, y = x + c * end.x[0] - d * end.y[0], y + d * end.x[0] + c * end.y[0]
            heading += end.heading[0]
        return PlanView(*result)

    def _check_plan(self, s: Floats, plan: PlanView) -> None:
        """Rails need room inside of curves, and cants belong to their distance."""
        for found, most in ((plan.curvature, 2.0 / self.distance), (plan.cant, 0.5 * self.distance)):
            k = int(np.argmax(np.abs(found)))
            if abs(found[k]) < most:
                continue
            which = min(int(np.searchsorted(self.joints, s[k], side="right")) - 1, len(self.segments) - 1)
            where = f"track: segment {which} ({type(self.segments[which]).__name__})"
            if found is plan.cant:
                raise ModelError(
                    f"{where} has a cant of {abs(found[k]):g} m; it is the height of the outer rail in metres, less "
                    f"than half the distance of the rails, {self.distance:g} m"
                )
            raise ModelError(
                f"{where} has a radius of {1.0 / abs(found[k]):g} m; it must be larger than half the distance of the "
                f"rails, {self.distance:g} m"
            )

    def _rail(self, s: Floats, centre: Floats, side: float) -> VectorTable:
        lateral, vertical = np.full_like(s, 0.5 * side * self.distance), np.zeros_like(s)
        for one in self.irregularities:
            across, up = one.left if side > 0.0 else one.right
            lateral, vertical = lateral + across(s), vertical + up(s)
        t = self.centre.evaluate(s, 1)[:, :3]
        t /= np.linalg.norm(t, axis=1)[:, None]
        left = np.stack([-t[:, 1], t[:, 0], 0.0 * s], axis=1)
        left /= np.linalg.norm(left, axis=1)[:, None]
        above = np.cross(t, left)
        cosine, sine = np.cos(centre[:, 3:]), np.sin(centre[:, 3:])
        c_hat, n_hat = cosine * left + sine * above, cosine * above - sine * left
        line = centre[:, :3] + lateral[:, None] * c_hat + vertical[:, None] * n_hat
        return VectorTable.spline(s, np.column_stack([line, centre[:, 3]]), watched=False)


def _joined(segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """Transitions with what they take from their neighbours; cant must not jump."""
    if not segments:
        raise ModelError("track: it needs at least one segment")
    for one in segments:
        instance(one, Segment.__args__, "track: segments", ModelError)
    found = list(segments)
    for k, one in enumerate(segments):
        if isinstance(one, Clothoid):
            before = found[k - 1].ends()[1] if k else SegmentEnd(0.0, 0.0)
            after = segments[k + 1].ends()[0] if k + 1 < len(segments) else SegmentEnd(0.0, 0.0)
            found[k] = replace(one, start=one.start or before, end=one.end or after)
    for k in range(len(found) - 1):
        a, b = found[k].ends()[1].cant, found[k + 1].ends()[0].cant
        if abs(a - b) > _SAME_CANT:
            raise ModelError(
                f"track: the cant jumps from {1e3 * a:g} mm to {1e3 * b:g} mm (left over right) between segments {k} "
                f"and {k + 1}; put a clothoid between them"
            )
    return tuple(found)


def _distance(distance: float | None, gauge: float | None, profile: Profile | None) -> float:
    if (distance is None) == (gauge is None):
        raise ModelError("track: give either the distance of the rails or their gauge")
    if distance is None:
        if profile is None:
            raise ModelError(
                "track: with the gauge comes the profile of the left rail, whose gauge face tells the distance"
            )
        instance(profile, Profile, "track: profile", ModelError)
        distance = checked_gauge(gauge, "track: gauge") - 2.0 * profile.gauge_point()
    found = real(distance, "track: distance", ModelError)
    if not 0.0 < found <= WIDEST:
        raise ModelError(
            f"track: the distance of the rails must be positive and in metres, up to {WIDEST:g}, got {found:g}"
        )
    return found


def checked_gauge(gauge: Any, what: str) -> float:
    """A gauge in metres."""
    found = real(gauge, what, ModelError)
    if not 0.0 < found <= WIDEST:
        raise ModelError(f"{what} must be positive and in metres, such as {STANDARD_GAUGE}, got {found:g}")
    return found


def _heights(height: Any, s: Floats) -> Floats:
    if height is None:
        return np.zeros_like(s)
    function: Callable[[Floats], Any]
    if callable(height):
        function = height
    else:
        pair = listed(height, "track: height", ModelError)
        if len(pair) != 2:
            raise ModelError("track: height must be a function of s or a pair (s, z)")
        try:
            function = PiecewisePolynomial.spline(pair[0], pair[1], ends="natural")
        except SymbolicError as error:
            raise ModelError(f"track: height: {error}") from None
    try:
        found = function(s)
    except Exception as error:  # code of the user may raise anything
        raise ModelError(
            f"track: height as a function of arc lengths raised {type(error).__name__}: {error}"
        ) from error
    z = reals(found, "track: height", ModelError, finite=True)
    if z.shape != s.shape:
        raise ModelError(f"track: height gave {z.shape} values for {s.shape} arc lengths")
    return z
