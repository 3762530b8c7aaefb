"""Points on curves and surfaces that a body carries along, in the frame of a marker on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dalembert.errors import ModelError
from dalembert.model.bodies.parts import Marker
from dalembert.model.constraints.constraints import Constraint, as_list, followed
from dalembert.model.element import FixedSite, Row, Site
from dalembert.model.joints.joints import JointCoordinate
from dalembert.symbolic import PiecewisePolynomial, array, derivative, sqrt

#: Points of a curve at which the nearest to a start is looked for.
_SEARCHED = 401


class OnCurve(Constraint):
    """A point on a curve or a surface."""

    kind = "point on a curve"

    def constraints(self, at: Site) -> list[Row]:
        A, B = at.frames
        axes = "xy" if at.planar else "xyz"
        values = dict(zip(axes, A.to(B).components(A.base), strict=False))
        rates = list(A.velocity_of(B).components(A.base)[: len(axes)])
        if at.values:
            values["s"] = at.values[0]
            rates.append(at.rates[0])
        return followed(at, values, rates, lambda place: self.residuals(at, place))

    def residuals(self, at: Site, place: Mapping[str, Any]) -> list[Any]:
        """What vanishes where the point is on the curve; ``place`` are its components, and the curve's parameter."""
        raise NotImplementedError


class OnSurface(OnCurve):
    """F(x, y, z) = 0, in the plane F(x, y) = 0; two such functions make a curve in space."""

    def __init__(self, name: str, frame: Marker, point: Marker, functions: Sequence[Callable[..., Any]]) -> None:
        super().__init__(name, (frame, point), variant=tuple(functions))
        self.functions = tuple(functions)
        self.rows = ("F",) if len(functions) == 1 else tuple(f"F{i}" for i in range(1, len(functions) + 1))

    def residuals(self, at: Site, place: Mapping[str, Any]) -> list[Any]:
        return [at.call(function, **place) for function in self.functions]


class OnGraph(OnCurve):
    """y = f(x), and in space z = h(x) besides."""

    def __init__(self, name: str, frame: Marker, point: Marker, graphs: Mapping[str, Any]) -> None:
        super().__init__(name, (frame, point), variant=tuple((key, _identity(law)) for key, law in graphs.items()))
        self.graphs = dict(graphs)
        self.rows = tuple(graphs)

    def residuals(self, at: Site, place: Mapping[str, Any]) -> list[Any]:
        return [place[key] - _applied(at, law, x=place["x"]) for key, law in self.graphs.items()]


class OnParametricCurve(OnCurve):
    """The point is at r(s), where s is a coordinate of a joint."""

    def __init__(self, name: str, frame: Marker, point: Marker, curve: Any, parameter: JointCoordinate) -> None:
        #: a function of s with all components as its result, or a table for each
        self.curve = curve
        laws = curve if isinstance(curve, tuple) else (curve,)
        super().__init__(name, (frame, point), (parameter,), variant=tuple(_identity(law) for law in laws))
        self.rows = ("x", "y") if frame.body.model.planar else ("x", "y", "z")

    def residuals(self, at: Site, place: Mapping[str, Any]) -> list[Any]:
        if isinstance(self.curve, tuple):
            there = [table(place["s"]) for table in self.curve]
        else:
            there = as_list(at.call(self.curve, s=place["s"]))
        if len(there) != len(self.rows):
            raise ModelError(
                f"{self.label}: the curve must have {len(self.rows)} components, its function has {len(there)}"
            )
        return [place[key] - value for key, value in zip(self.rows, there, strict=True)]


class FootOnCurve(Constraint):
    """The point is on r(s), where s is no coordinate of a joint: an auxiliary variable, the foot of the point.

    With the tangent t and normals n of the curve at s, t·(P − r) = 0 is solved for s, and the rows are n·(P − r) = 0.
    Their rates are those of a point P that passes the frame of the curve: what s adds to them vanishes on the
    curve (as in wheel–rail contact, railway paper (8), (9)).
    """

    kind = "point on a curve"

    def __init__(
        self,
        name: str,
        frame: Marker,
        point: Marker,
        curve: Any,
        start: float | None,
        between: tuple[float, float] | None,
        up: Any = None,
    ) -> None:
        #: a function of s with all components as its result, or a table for each; where s is looked for
        self.curve, self.start, self.between = curve, start, between
        laws = curve if isinstance(curve, tuple) else (curve,)
        data = {} if up is None else {"up": up}
        super().__init__(name, (frame, point), data=data, variant=tuple(_identity(law) for law in laws))
        self.rows = ("n",) if frame.body.model.planar else ("side", "up")
        self.powers_of_length = dict.fromkeys(self.rows, 1.0)
        low, high = (0.0, 0.0) if between is None else between
        self.auxiliary = {"s": 0.5 * (low + high) if start is None else start}

    def _curve(self, at: Site | FixedSite, s: Any) -> list[Any]:
        if isinstance(self.curve, tuple):
            return [*(table(s) for table in self.curve), 0.0][:3]
        there, size = as_list(at.call(self.curve, s=s)), 1 + len(self.rows)
        if len(there) != size:
            raise ModelError(f"{self.label}: the curve must have {size} components, its function has {len(there)}")
        return [*there, 0.0] if size == 2 else there

    def _place(self, at: Site) -> tuple[Any, Any]:
        """P − r(s), and the tangent, in the axes of the frame."""
        A, B = at.frames
        there = array(self._curve(at, at.s[0]))
        tangent = array(derivative(there, at.s[0]))
        return array(A.to(B).components(A.base)) - there, tangent / sqrt(tangent @ tangent)

    def auxiliary_equations(self, at: Site) -> list[Any]:
        away, tangent = self._place(at)
        return [tangent @ away]

    def constraints(self, at: Site) -> list[Row]:
        A, B = at.frames
        away, t = self._place(at)
        moved = array(A.velocity_of(B).components(A.base))
        if at.planar:
            normals = [array([-t[1], t[0], 0.0])]
        else:
            across = _cross(at.data.up, t)
            side = across / sqrt(across @ across)
            normals = [side, _cross(t, side)]
        return [Row(n @ away, n @ moved) for n in normals]

    def find_auxiliary(self, at: FixedSite) -> Sequence[float]:
        if self.between is None or self.start is not None:
            return tuple(self.auxiliary.values())
        A, B = at.frames
        P = A.R.T @ (B.r - A.r)

        def away(s: float) -> float:
            there = np.array([float(one) for one in self._curve(at, float(s))])
            return float(np.linalg.norm(P[: len(there)] - there))

        grid = np.linspace(*self.between, _SEARCHED)
        return (float(grid[int(np.argmin([away(s) for s in grid]))]),)


def _cross(a: Any, b: Any) -> Any:
    return array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def _identity(law: Any) -> Any:
    """Equal tables make equal formulas; functions are compared by identity."""
    return law.digest() if isinstance(law, PiecewisePolynomial) else law


def _applied(at: Site, law: Any, x: Any) -> Any:
    return law(x) if isinstance(law, PiecewisePolynomial) else at.call(law, x=x)


def _points(points: Any, size: int, where: str) -> np.ndarray:
    """Points as an array, or a complaint."""
    try:
        given = np.asarray(points, dtype=float)
    except (TypeError, ValueError):
        given = np.zeros(0)
    if given.ndim != 2 or given.shape[1] != size or len(given) < 3 or not np.isfinite(given).all():
        raise ModelError(
            f"{where}: points must be three or more of {size} finite numbers each, got the shape {given.shape}"
        )
    return given


def graphs_through(points: Any, size: int, where: str) -> dict[str, PiecewisePolynomial]:
    """Splines y(x) and, in space, z(x) through points whose x grow."""
    given = _points(points, size, where)
    return {key: PiecewisePolynomial.spline(given[:, 0], given[:, i]) for i, key in list(enumerate("xyz"))[1:size]}


def turns_back(points: Any, size: int, where: str) -> bool:
    """Whether x does not grow from point to point."""
    return not (np.diff(_points(points, size, where)[:, 0]) > 0).all()


def curve_through(points: Any, size: int, where: str) -> tuple[PiecewisePolynomial, ...]:
    """Splines of all components over the length of the polygon through the points."""
    given = _points(points, size, where)
    steps = np.linalg.norm(np.diff(given, axis=0), axis=1)
    if not (steps > 0).all():
        raise ModelError(f"{where}: two points in a row are the same: {given[int(np.argmin(steps))].tolist()}")
    s = np.concatenate([[0.0], np.cumsum(steps)])
    return tuple(PiecewisePolynomial.spline(s, column) for column in given.T)
