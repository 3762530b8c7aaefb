"""Segments of a track in plan: straight, arc, clothoid, and lateral shifts by a quintic or a cosine.

Each segment is a curve over its arc length σ that starts at the origin along x, with its curvature (positive to the
left) and its cant: the height in metres by which the left rail is raised over the right one.  Users give the cant of a
curve as the height of its outer rail.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dalembert.arguments import real, shown
from dalembert.errors import ModelError

Floats = npt.NDArray[np.float64]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(60)


def _integral(function: Any, ends: Floats) -> Floats:
    """∫ from 0 to each of the ends."""
    half = 0.5 * np.asarray(ends)[:, None]
    return np.asarray((function(half * (1.0 + _NODES)) * _WEIGHTS).sum(axis=1) * half[:, 0])


class PlanView(NamedTuple):
    """Place, heading, curvature and cant (left over right, m) of a segment at some arc lengths."""

    x: Floats
    y: Floats
    heading: Floats
    curvature: Floats
    cant: Floats


class SegmentEnd(NamedTuple):
    """Curvature and cant where a segment begins or ends."""

    curvature: float
    cant: float


def _positive(value: Any, what: str) -> float:
    found = real(value, what, ModelError)
    if not found > 0.0:
        raise ModelError(f"{what} must be positive, got {found:g}")
    return found


@dataclass(frozen=True)
class Straight:
    """A straight piece without cant."""

    length: float

    def __post_init__(self) -> None:
        _positive(self.length, "straight: length")

    def ends(self) -> tuple[SegmentEnd, SegmentEnd]:
        """Curvature and cant at both ends."""
        return SegmentEnd(0.0, 0.0), SegmentEnd(0.0, 0.0)

    def plan(self, sigma: Floats) -> PlanView:
        """The segment at arc lengths."""
        zero = np.zeros_like(sigma)
        return PlanView(sigma, zero, zero, zero, zero)


@dataclass(frozen=True)
class Arc:
    """A circle: radius positive to the left; ``cant`` raises the outer rail, m.

    Next to a straight piece the curvature jumps, and the spline through the rails swings over by an eighth of the jump
    within some knots; vehicles run from one to the other over a :class:`Clothoid`.
    """

    length: float
    radius: float
    cant: float = 0.0

    def __post_init__(self) -> None:
        _positive(self.length, "arc: length")
        if real(self.radius, "arc: radius", ModelError) == 0.0:
            raise ModelError("arc: radius must not be zero")
        real(self.cant, "arc: cant", ModelError)

    def ends(self) -> tuple[SegmentEnd, SegmentEnd]:
        """Curvature and cant at both ends."""
        end = SegmentEnd(1.0 / self.radius, -np.sign(self.radius) * self.cant)
        return end, end

    def plan(self, sigma: Floats) -> PlanView:
        """The segment at arc lengths."""
        R, angle = self.radius, sigma / self.radius
        joint = self.ends()[0]
        return PlanView(
            R * np.sin(angle), 2.0 * R * np.sin(0.5 * angle) ** 2, angle,
            np.full_like(sigma, joint.curvature), np.full_like(sigma, joint.cant),
        )  # fmt: skip


@dataclass(frozen=True)
class Clothoid:
    """A transition with curvature and cant linear in the arc length; what is not given is that of the neighbours."""

    length: float
    start: SegmentEnd | None = None
    end: SegmentEnd | None = None

    def __post_init__(self) -> None:
        _positive(self.length, "clothoid: length")
        for name, value in (("start", self.start), ("end", self.end)):
            if value is None:
                continue
            if not isinstance(value, SegmentEnd):
                raise ModelError(
                    f"clothoid: {name} must be SegmentEnd(curvature, cant), 1/m and m (left over right), or None for "
                    f"that of the neighbour; got {shown(value)}"
                )
            for part, number in zip(value._fields, value, strict=True):
                real(number, f"clothoid: {name}: {part}", ModelError)

    def ends(self) -> tuple[SegmentEnd, SegmentEnd]:
        """Curvature and cant at both ends."""
        return self.start or SegmentEnd(0.0, 0.0), self.end or SegmentEnd(0.0, 0.0)

    def plan(self, sigma: Floats) -> PlanView:
        """The segment at arc lengths."""
        a, b = self.ends()
        rate = (b.curvature - a.curvature) / self.length

        def heading(t: Floats) -> Floats:
            return t * (a.curvature + 0.5 * rate * t)

        return PlanView(
            _integral(lambda t: np.cos(heading(t)), sigma),
            _integral(lambda t: np.sin(heading(t)), sigma),
            heading(sigma),
            a.curvature + rate * sigma,
            a.cant + (b.cant - a.cant) * sigma / self.length,
        )


@dataclass(frozen=True)
class _Shift:
    """A shift to the left by ``offset`` over ``span`` metres along the old direction.

    The cant is proportional to the curvature, and ``cant`` (of the outer rail, m) where that is largest.
    """

    offset: float
    span: float
    cant: float = 0.0

    def __post_init__(self) -> None:
        real(self.offset, "shift of the track: offset", ModelError)
        _positive(self.span, "shift of the track: span")
        real(self.cant, "shift of the track: cant", ModelError)

    def _shape(self, xi: Floats) -> tuple[Floats, Floats, Floats]:
        """The shift and its derivatives over ξ = x/span."""
        raise NotImplementedError

    def _speed(self, x: Floats) -> Floats:
        return np.sqrt(1.0 + (self.offset / self.span * self._shape(x / self.span)[1]) ** 2)

    @property
    def length(self) -> float:
        """Arc length."""
        return float(_integral(self._speed, np.array([self.span]))[0])

    def ends(self) -> tuple[SegmentEnd, SegmentEnd]:
        """Curvature and cant at both ends."""
        plan = self.plan(np.array([0.0, self.length]))
        first, last = (SegmentEnd(float(plan.curvature[k]), float(plan.cant[k])) for k in (0, 1))
        return first, last

    def curvature(self, x: Floats) -> Floats:
        """Curvature over x."""
        _, first, second = self._shape(x / self.span)
        return self.offset / self.span**2 * second / (1.0 + (self.offset / self.span * first) ** 2) ** 1.5

    def plan(self, sigma: Floats) -> PlanView:
        """The segment at arc lengths."""
        sigma = np.asarray(sigma, dtype=float)
        x = sigma * self.span / self.length
        for _ in range(30):  # Newton's iteration for the arc length
            step = (_integral(self._speed, x) - sigma) / self._speed(x)
            x = x - step
            if np.max(np.abs(step), initial=0.0) < 1e-12 * self.span:
                break
        value, first, _ = self._shape(x / self.span)
        kappa = self.curvature(x)
        largest = float(np.max(np.abs(self.curvature(np.linspace(0.0, self.span, 4001)))))
        cant = -self.cant / largest * kappa if largest else 0.0 * kappa
        return PlanView(x, self.offset * value, np.arctan(self.offset / self.span * first), kappa, cant)


@dataclass(frozen=True)
class Quintic(_Shift):
    """y = offset (10 ξ³ − 15 ξ⁴ + 6 ξ⁵): no curvature at both ends and in the middle (the railway paper's S-curve)."""

    def _shape(self, xi: Floats) -> tuple[Floats, Floats, Floats]:
        value = xi**3 * (10.0 + xi * (-15.0 + 6.0 * xi))
        return value, 30.0 * (xi * (1.0 - xi)) ** 2, 60.0 * xi * (1.0 - xi) * (1.0 - 2.0 * xi)


@dataclass(frozen=True)
class Cosine(_Shift):
    """y = offset (1 − cos πξ)/2: the curvature is largest at both ends, where it jumps next to a straight; without
    cant, which would jump too."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.cant:
            raise ModelError("cosine: its curvature does not begin with zero, so a cant would jump; take a quintic")

    def _shape(self, xi: Floats) -> tuple[Floats, Floats, Floats]:
        p = np.pi * xi
        return 0.5 * (1.0 - np.cos(p)), 0.5 * np.pi * np.sin(p), 0.5 * np.pi**2 * np.cos(p)


Segment = Straight | Arc | Clothoid | Quintic | Cosine
