"""Where a rigid wheelset touches rigid rails: a global search, on numbers.

On a straight piece of rail the normal of the contact has no component along the rail, which tells for each u of the
wheel the angle θ of the only point that can touch (the "contact locus" of A. D. de Pater and K. Wang).  In the axes of
the wheelset, which yaws by ψ about z and then rolls by φ about x, the wheel's normal is (−sin θ, −f', cos θ), so that

    sin(θ − δ) = f' sin ψ cos φ/√(cos²ψ + sin²ψ sin²φ),   tan δ = sin φ tan ψ.

Of the vertical gaps between this line and the rail the smallest one is the contact; both wheels touch where these are
equal, which tells the roll.  There the conditions (8)–(11) of the railway paper hold, and Newton's iteration takes
them to curved rails.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dalembert.arguments import instance, real, reals
from dalembert.errors import ModelError
from dalembert.rail.patch import LEAST_CURVATURE
from dalembert.rail.profiles import Profile
from dalembert.rail.surface import contact_axes, contact_conditions, rail, relative_curvatures, wheel
from dalembert.rail.track import WIDEST, checked_gauge
from dalembert.symbolic import VectorTable

Floats = npt.NDArray[np.float64]

#: places on the wheel at which the gap is looked at, and how often the neighbourhood of the smallest one is magnified
_PLACES, _ZOOMS = 400, 5
#: m: gaps that differ by less are two contacts at once
_SECOND = 2e-6
#: m: from the end of a profile's range, where a contact counts as having left it
_MARGIN = 2e-4
#: rad: roll within which both wheels are brought to touch
_LARGEST_ROLL = 0.1
#: m and dz/du: what rises more, and is steeper, is a flange
_FLANGE, _STEEP = 0.01, 0.7
#: rad: contacts at larger angles are on the flange
FLANGE_ANGLE = 0.3
#: m: a wheel that is farther ahead of the end of its rail has left it
_BEYOND = 0.1


class Touch(NamedTuple):
    """Contact of one wheel."""

    side: str
    theta: float
    u_w: float
    x: float  # along the rail, from the wheelset's centre
    u_r: float
    angle: float  # of the contact plane against the horizontal; positive where it leads the wheel towards the track
    radius: float
    A: float
    B: float
    second: float  # gap of the next best place, m
    notes: tuple[str, ...]


class WheelsetTouch(NamedTuple):
    """Pose and contacts of a wheelset that touches both rails."""

    y: float
    yaw: float
    roll: float
    z: float
    left: Touch
    right: Touch

    @property
    def rolling_radius_difference(self) -> float:
        """r_left − r_right, positive where the wheelset is steered back from the left."""
        return self.left.radius - self.right.radius

    @property
    def notes(self) -> tuple[str, ...]:
        """What is not as the theory of one Hertzian contact assumes, or as a wheelset between its rails is."""
        both = min(self.left.angle, self.right.angle) > FLANGE_ANGLE
        wedged = ("both wheels: contact on the flange; check the distances of wheels and rails",) if both else ()
        return self.left.notes + self.right.notes + wedged


@dataclass(frozen=True)
class Pair:
    """Two profiles of the same kind, that of the left side given: rails, or wheels of a wheelset."""

    profile: Profile
    distance: float  # m, of the reference points

    def __post_init__(self) -> None:
        instance(self.profile, Profile, "pair of profiles: profile", ModelError)
        if not 0.0 < real(self.distance, "pair of profiles: distance", ModelError) <= WIDEST:
            raise ModelError(
                f"pair of profiles: distance must be positive and in metres, up to {WIDEST:g}, got {self.distance:g}"
            )

    @classmethod
    def of_gauge(cls, profile: Profile, gauge: float = 1.435) -> Pair:
        """Rails of that gauge, m, measured 14 mm below their tops. Wheels have a distance of their own, between tread
        circles 1.5 m on standard gauge, which is not that of these rails: 1.521 m for uic60()."""
        instance(profile, Profile, "rails: profile", ModelError)
        return cls(profile, checked_gauge(gauge, "rails: gauge") - 2.0 * profile.gauge_point())

    def side(self, side: str) -> tuple[Profile, float]:
        """Profile and lateral place of one side."""
        if side == "left":
            return self.profile, 0.5 * self.distance
        return self.profile.mirrored(), -0.5 * self.distance


def rotation(yaw: float, roll: float) -> Floats:
    """Axes of a wheelset: yaw about z, then roll about x."""
    c, s, d, e = np.cos(yaw), np.sin(yaw), np.cos(roll), np.sin(roll)
    return np.array([[c, -s * d, s * e], [s, c * d, -c * e], [0.0, e, d]])


class Side:
    """One wheel over one rail, with the places that are looked at."""

    def __init__(self, wheels: Pair, rails: Pair, side: str) -> None:
        check_profile(wheels.profile, "wheel", "contact: wheels")
        check_profile(rails.profile, "rail", "contact: rails")
        self.name = side
        self.wheel, self.y_w = wheels.side(side)
        self.rail, self.y_r = rails.side(side)
        self.u = np.linspace(*self.wheel.valid, _PLACES)

    def locus(self, u: Any, y: float, yaw: float, roll: float) -> tuple[Any, Any]:
        """θ and the point that can touch, from the centre of a wheelset whose centre is at (0, y, 0)."""
        size = np.hypot(np.cos(yaw), np.sin(yaw) * np.sin(roll))
        sine = self.wheel(u, 1) * np.sin(yaw) * np.cos(roll) / size
        theta = np.arctan2(np.sin(yaw) * np.sin(roll), np.cos(yaw)) + np.arcsin(np.clip(sine, -1.0, 1.0))
        point = wheel(self.wheel, u, theta).point
        point = np.stack([point[0], point[1] + self.y_w, point[2]])
        return theta, np.tensordot(rotation(yaw, roll), point, axes=1) + np.reshape(
            [0.0, y, 0.0], (3,) + (1,) * np.ndim(u)
        )

    def gap(self, u: Any, y: float, yaw: float, roll: float) -> Any:
        """Height of the wheel over the rail; infinite beside the rail."""
        point = self.locus(u, y, yaw, roll)[1]
        at = point[1] - self.y_r
        inside = (at >= self.rail.valid[0]) & (at <= self.rail.valid[1])
        return np.where(inside, point[2] - self.rail(at), np.inf)

    def smallest(self, y: float, yaw: float, roll: float) -> tuple[float, float, float]:
        """The smallest gap, where it is on the wheel, and how much larger the next smallest is at another place."""
        u = self.u
        values = self.gap(u, y, yaw, roll)
        if not np.isfinite(values).any():
            raise ModelError(f"contact: the {self.name} wheel is beside its rail at y = {1e3 * y:.4g} mm")
        lower = np.flatnonzero((values[1:-1] < values[:-2]) & (values[1:-1] <= values[2:])) + 1
        k = int(np.argmin(values))
        others = [values[i] for i in lower if abs(i - k) > 2]
        best, place = float(values[k]), float(u[k])
        for _ in range(_ZOOMS):
            u = np.linspace(u[max(k - 1, 0)], u[min(k + 1, u.size - 1)], 33)
            values = self.gap(u, y, yaw, roll)
            k = int(np.argmin(values))
            best, place = float(values[k]), float(u[k])
        return best, place, float(min(others, default=np.inf)) - best

    def touch(self, y: float, yaw: float, roll: float) -> Touch:
        """The contact, described."""
        _, u, second = self.smallest(y, yaw, roll)
        theta, point = self.locus(np.float64(u), y, yaw, roll)
        u_r = float(point[1] - self.y_r)
        A, B = relative_curvatures(self.wheel, u, self.rail, u_r)
        slope = float(self.rail(u_r, 1)) * (-1.0 if self.name == "left" else 1.0)
        notes = []
        if second < _SECOND:
            notes.append(f"{self.name} wheel: two contacts at once, the second one {1e6 * second:.2g} µm away")
        if min(A, B) < LEAST_CURVATURE:
            notes.append(f"{self.name} wheel: conformal contact (A = {A:.3g}, B = {B:.3g} 1/m); Hertz does not hold")
        for body, at in ((self.wheel, u), (self.rail, u_r)):
            if not body.contains(at, _MARGIN):
                notes.append(f"{self.name} wheel: the contact left the range of '{body.name}' at u = {1e3 * at:.4g} mm")
        return Touch(
            self.name, float(theta), u, float(point[0]), u_r, -float(np.arctan(slope)), -float(self.wheel(u)), float(A),
            float(B), second, tuple(notes),
        )  # fmt: skip


def check_pairs(wheels: Any, rails: Any) -> None:
    """Both must be pairs of profiles."""
    instance(wheels, Pair, "contact: wheels", ModelError)
    instance(rails, Pair, "contact: rails", ModelError)


def check_profile(profile: Any, kind: str, what: str) -> Profile:
    """The profile of a left wheel, or of a left rail."""
    found = _of_kind(profile, kind, what)
    if kind == "wheel":
        u = np.linspace(*found.valid, _PLACES)
        larger, slope = float(found(0.0)) - np.asarray(found(u)), np.abs(found(u, 1))
        outer, inner = (float(np.max(larger[part], initial=0.0)) for part in (u > 0.0, u < 0.0))
        if outer > inner + _FLANGE and np.max(slope[u > 0.0]) > _STEEP:
            raise ModelError(
                f"{what}: '{found.name}' has its flange at positive u, as a right wheel; give the left one, as by "
                "its mirrored(), or mirror=True where it is read"
            )
    return found


def _of_kind(profile: Any, kind: str, what: str) -> Profile:
    found = instance(profile, Profile, what, ModelError)
    if found.kind != kind:
        raise ModelError(f"{what} must be the profile of a {kind}, but '{found.name}' is that of a {found.kind}")
    return found


def clearance_angle(wheels: Pair, rails: Pair) -> float:
    """Contact angle of both wheels in the middle of a straight track."""
    return side_of(wheels, rails, "left").touch(0.0, 0.0, 0.0).angle


@lru_cache(maxsize=64)
def side_of(wheels: Pair, rails: Pair, side: str) -> Side:
    """One wheel over its rail."""
    return Side(wheels, rails, side)


def touching(wheels: Pair, rails: Pair, y: float = 0.0, yaw: float = 0.0) -> WheelsetTouch:
    """The wheelset at the lateral displacement y (to the left) and yaw that touches both rails."""
    from scipy.optimize import brentq

    check_pairs(wheels, rails)
    y, yaw = real(y, "contact: y", ModelError), real(yaw, "contact: yaw", ModelError)
    left, right = (side_of(wheels, rails, side) for side in ("left", "right"))

    def difference(roll: float) -> float:
        return left.smallest(y, yaw, roll)[0] - right.smallest(y, yaw, roll)[0]

    size = _LARGEST_ROLL / 64.0
    while difference(-size) * difference(size) > 0.0:
        size *= 2.0
        if size > _LARGEST_ROLL:
            raise ModelError(
                f"contact: no roll up to {_LARGEST_ROLL:g} rad brings both wheels to their rails at y = {y:g} m"
            )
    roll = float(brentq(difference, -size, size, xtol=1e-13))
    z = -left.smallest(y, yaw, roll)[0]
    return WheelsetTouch(y, yaw, roll, z, left.touch(y, yaw, roll), right.touch(y, yaw, roll))


def gaps(wheels: Pair, rails: Pair, y: float, z: float, yaw: float = 0.0, roll: float = 0.0) -> dict[str, float]:
    """Vertical gap of each wheel in a pose: positive where it has lifted off, negative where it would penetrate."""
    check_pairs(wheels, rails)
    pose = {"y": y, "z": z, "yaw": yaw, "roll": roll}
    y, z, yaw, roll = (real(value, f"contact: {key}", ModelError) for key, value in pose.items())
    return {side: z + side_of(wheels, rails, side).smallest(y, yaw, roll)[0] for side in ("left", "right")}


def lifted(wheels: Pair, rails: Pair, y: float, z: float, yaw: float = 0.0, roll: float = 0.0) -> tuple[str, ...]:
    """Names of the wheels that have lifted off in a pose, with their gaps."""
    found = gaps(wheels, rails, y, z, yaw, roll)
    return tuple(f"{side} wheel: lifted off by {1e3 * gap:.3g} mm" for side, gap in found.items() if gap > 1e-9)


def find_contact(
    wheel_profile: Profile,
    curve: Any,
    rail_profile: Profile,
    r_O: npt.ArrayLike,
    R: npt.ArrayLike,
    s: float | None = None,
) -> Floats:
    """θ, u_w, s, u_r of a wheel over a rail anywhere on a track: φᵈ = 0, eqs. (9)–(11), next to the smallest gap.

    :param r_O: the wheel's reference point on the ground
    :param R: axes of the wheelset that do not spin, as columns
    :param s: arc length near the wheel; by default the nearest point of the rail is looked for
    """
    from scipy.optimize import root

    _of_kind(wheel_profile, "wheel", "contact: wheel_profile")
    _of_kind(rail_profile, "rail", "contact: rail_profile")
    instance(curve, VectorTable, "contact: curve", ModelError, "a rail of a track")
    centre, axes = reals(r_O, "contact: r_O", ModelError, finite=True), reals(R, "contact: R", ModelError, finite=True)
    if centre.shape != (3,) or axes.shape != (3, 3):
        raise ModelError(f"contact: r_O has 3 components and R is a 3 x 3 matrix; got {centre.shape} and {axes.shape}")
    if s is not None:
        s = real(s, "contact: s", ModelError)
    else:
        places = np.linspace(curve.breaks[0], curve.breaks[-1], 4 * curve.breaks.size)
        s = float(places[np.argmin(np.linalg.norm(curve.evaluate(places)[:, :2] - centre[:2], axis=1))])
    # The plane of the wheel's section on the rail seen along its direction, for a straight rail.
    on = rail(curve, lambda u, order=0: 0.0 * u, s, 0.0)
    across, ahead = on.across, on.along / np.linalg.norm(on.along)
    up = np.cross(ahead, across)
    local = np.stack([ahead, across, up])
    turned = local @ axes
    away = local @ (centre - on.point)
    beyond = away[0] if s >= curve.breaks[-1] else -away[0] if s <= curve.breaks[0] else 0.0
    if beyond > _BEYOND:
        raise ModelError(
            f"contact: the wheel at {centre.round(4).tolist()} m is {beyond:.4g} m beyond the end of the track at "
            f"s = {s:.6g} m; start on the track, or make it longer"
        )
    u = np.linspace(*wheel_profile.valid, _PLACES)
    lowest = np.arcsin(np.clip(wheel_profile(u, 1) * -turned[0, 1] / np.hypot(turned[0, 0], turned[0, 2]), -1.0, 1.0))
    theta = np.arctan2(turned[0, 2], turned[0, 0]) + lowest
    points = turned @ wheel(wheel_profile, u, theta).point + away[:, None]
    inside = (points[1] >= rail_profile.valid[0]) & (points[1] <= rail_profile.valid[1])
    if not inside.any():
        raise ModelError(f"contact: the wheel at {centre.round(4).tolist()} m is beside its rail at s = {s:.4g} m")
    k = int(np.argmin(np.where(inside, points[2] - rail_profile(points[1]), np.inf)))
    guess = np.array([theta[k], u[k], s + points[0, k], points[1, k]])

    def conditions(x: Floats) -> Floats:
        w = wheel(wheel_profile, x[1], x[0])
        r = rail(curve, rail_profile, x[2], x[3])
        found = contact_conditions(
            centre + axes @ w.point, axes @ w.along, axes @ w.across, r.point, contact_axes(r.along, r.across)
        )
        return np.asarray(found[1])

    result = root(conditions, guess, tol=1e-13)
    if not np.max(np.abs(conditions(result.x))) < 1e-9:
        raise ModelError(
            f"contact: no contact point was found next to u = {1e3 * u[k]:.4g} mm at s = {s:.4g} m for the wheel at "
            f"{centre.round(4).tolist()} m; start it over its rail, in the axes of the canted track, its axle across"
        )
    return np.asarray(result.x)
