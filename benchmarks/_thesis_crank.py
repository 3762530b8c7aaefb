"""A crank through a thousand turns (thesis 4.1.2, step 18): no set of independent coordinates serves a whole turn, so
partitions change again and again, and errors must not notice.

The pin of the crank and the slider are points with three Cartesian coordinates and two constraints; no angle is among
them.  A spring and a damper pull the pin behind a hand that goes round evenly, so that errors are those of a few turns
and do not add up to a phase.  They are the largest of the pin in the last fifty turns, in radians, against a run with
the angle as the only coordinate: in a single turn they differ by factors of two and more, as steps fall.  Beside each
stands the error of Radau at the same tolerance, and that of the same method with one coordinate, where there is nothing
to change: how far the crank is ahead of the hand, which does not grow with the turns as its angle does, with the
tolerances that points have on average.

Methods whose errors are larger than Radau's at the same tolerance are also run as exactly as Radau: at the first of
smaller tolerances at which they are so in one coordinate.

Steps fall in with the turns, so that the error of one run at one tolerance is more or less lucky: in one coordinate
that of "rodas5p" is 4e-5 at 1e-4 and five times as large at a slightly smaller tolerance.  So there is a mean besides,
over some tolerances close by and fewer turns, of errors over those of the same method in one coordinate; and by how
much the latter scatter, in parts of their tolerances.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

import dalembert as da
from _common import Reporter
from _thesis_runs import EXPLICIT
from dalembert.integrate import Method
from dalembert.integrate.methods import registry
from dalembert.integrate.methods.state_space import StateSpace

TOLERANCE = 1e-4
#: Bar: errors over those of a run without partitions.
WITHIN = 2.0
#: Tolerances that are tried until a method is as exact as Radau: so many to a power of ten, over so many of these.
_PER_DECADE, _DECADES = 4, 3
TURNS = 1000
#: Crank, rod, masses of pin and slider, gravity; rates of spring and damper; one turn in a second.
r, l, m1, m2, g, k, d, rate = 0.1, 0.3, 1.0, 0.6, 9.81, 200.0, 10.0, 2 * np.pi
#: Tolerances of the mean: so many, each smaller than the last by this factor; and turns.
_NEAR, _CLOSER, _FEWER = 6, 10.0**-0.125, 100
#: Turns at the end in which errors are taken, and at how many instants of each.
_LAST, _SAMPLES = 50, 50


def by_points() -> Any:
    """(x, y) of the pin, x of the slider."""

    def f(q: Any, v: Any, t: Any) -> Any:
        c, s = np.cos(rate * t), np.sin(rate * t)
        pull = [k * (r * c - q[0]) + d * (-r * rate * s - v[0]), k * (r * s - q[1]) + d * (r * rate * c - v[1])]
        return np.array([pull[0], pull[1] - m1 * g, 0.0])

    return da.trace(
        M=lambda: np.diag([m1, m1, m2]), f=f, n_q=3, name="crank by points",
        g=lambda q: np.array([q[0] ** 2 + q[1] ** 2 - r**2, (q[2] - q[0]) ** 2 + q[1] ** 2 - l**2]),
    )  # fmt: skip


def by_angle() -> Any:
    """The same in ψ = φ − ω t, with the angle φ of the crank: (m1 r² + m2 x'²) ψ̈ = Q − m2 x' x'' φ̇² for x(φ) of the
    slider."""

    def slider(phi: Any) -> tuple[Any, Any]:
        c, s = np.cos(phi), np.sin(phi)
        ahead = np.sqrt(l**2 - r**2 * s**2)
        first = -(r**2) * s * c / ahead
        second = -(r**2) * (c**2 - s**2) / ahead - first**2 / ahead
        return -r * s + first, -r * c + second

    def M(q: Any, t: Any) -> Any:
        return np.array([[m1 * r**2 + m2 * slider(q[0] + rate * t)[0] ** 2]])

    def f(q: Any, v: Any, t: Any) -> Any:
        angle, speed = q[0] + rate * t, v[0] + rate
        first, second = slider(angle)
        pull = -k * r**2 * np.sin(q[0]) + d * r**2 * (rate * np.cos(q[0]) - speed)
        return np.array([pull - m1 * g * r * np.cos(angle) - m2 * first * second * speed**2])

    return da.trace(M=M, f=f, n_q=1, name="crank ahead of its hand")


class Crank:
    """Runs of so many turns, and their errors."""

    def __init__(self, count: int) -> None:
        self.count, self.points, self.one = count, by_points(), by_angle()
        last = min(_LAST, count // 2)
        self.t = np.linspace(count - last, count, last * _SAMPLES + 1)
        self.exact = self._ahead("dop853", 1e-12)[0]

    def _run(self, equations: Any, start: Any, method: Method | str, rtol: float, atol: Any) -> Any:
        run = da.simulate(
            equations, (0.0, float(self.count)), start, method=method, rtol=rtol, atol=atol, dense_output=False,
            t_eval=self.t,
        )  # fmt: skip
        if not run.success:
            raise ArithmeticError(run.message)
        return run

    def _ahead(self, method: Method | str, tolerance: float) -> tuple[Any, Any]:
        """In one coordinate; what a point has of the circle, and of the speed, is 2/π of them on average."""
        sizes = np.array([1.0 + 2.0 / np.pi, 1.0 + rate * 2.0 / np.pi])
        run = self._run(self.one, ([0.0], [0.0]), method, tolerance, tolerance * sizes)
        angle = run.q[0] + rate * self.t
        return np.stack([np.cos(angle), np.sin(angle)]), run.statistics

    def by_points(self, method: Method | str, tolerance: float = TOLERANCE) -> tuple[float, Any]:
        """Error and statistics."""
        start = [r, 0.0, r + l], [0.0, r * rate, 0.0]
        run = self._run(self.points, start, method, tolerance, tolerance * r)
        return float(np.abs(run.q[:2] / r - self.exact).max()), run.statistics

    def in_one(self, method: Method | str, tolerance: float = TOLERANCE) -> float:
        """Error of the same method where there is nothing to partition."""
        return float(np.abs(self._ahead(method, tolerance)[0] - self.exact).max())

    def beside_itself(self, method: Method | str) -> tuple[float, float]:
        """Geometric mean of errors over those in one coordinate, at tolerances close by; how far the latter scatter."""
        near = TOLERANCE * _CLOSER ** np.arange(_NEAR)
        alone = np.array([self.in_one(method, tolerance) for tolerance in near])
        ratios = np.array([self.by_points(method, tolerance)[0] for tolerance in near]) / alone
        return float(np.exp(np.log(ratios).mean())), float((alone / near).max() / (alone / near).min())

    def as_exact_as(self, error: float, method: Method | str) -> float:
        """The largest of some tolerances at which a method has no larger error than this in one coordinate."""
        for k in range(_PER_DECADE * _DECADES + 1):
            tolerance = TOLERANCE * 10.0 ** (-k / _PER_DECADE)
            if self.in_one(method, tolerance) <= error:
                return tolerance
        raise ArithmeticError("no tolerance is small enough")


def turns(report: Reporter, quick: bool) -> None:
    """Every method on independent coordinates, the explicit one, and Radau."""
    crank, shorter = Crank(20 if quick else TURNS), Crank(20 if quick else _FEWER)
    case = f"crank through {crank.count} turns at {TOLERANCE:g}"
    radau, counted = crank.by_points("radau")
    report.add(case=case, quantity="radau: error", unit="rad", ours=radau)
    report.add(case=case, quantity="radau: steps", unit="1", ours=counted.steps)
    for name, method in registry.METHODS.items():
        if not isinstance(method, StateSpace) and name != EXPLICIT:
            continue
        try:
            _row(report, crank, case, name, method, radau)
            _means(report, shorter, name, method)
        except ArithmeticError:
            report.failed(case=case, quantity=name)


def _row(report: Reporter, crank: Crank, case: str, name: str, method: Method, radau: float) -> None:
    """One method beside Radau and beside itself."""
    error, counted = crank.by_points(method)
    report.add(case=case, quantity=f"{name}: error", unit="rad", ours=error,
               baseline="radau", theirs=radau, limit=WITHIN)  # fmt: skip
    report.add(case=case, quantity=f"{name}: error, itself", unit="rad", ours=error,
               baseline="the same method in one coordinate", theirs=crank.in_one(method), limit=WITHIN)  # fmt: skip
    report.add(case=case, quantity=f"{name}: steps", unit="1", ours=counted.steps)
    report.add(case=case, quantity=f"{name}: repartitions", unit="1", ours=counted.extra.get("repartitions", 0))
    tolerance = crank.as_exact_as(radau, method)
    error, counted = crank.by_points(method, tolerance)
    report.add(case=case, quantity=f"{name}: tolerance as exact as Radau", unit="1", ours=tolerance)
    report.add(case=case, quantity=f"{name}: error, as exact as Radau", unit="rad", ours=error,
               baseline="radau", theirs=radau, limit=WITHIN)  # fmt: skip
    if isinstance(method, StateSpace):
        error, counted = crank.by_points(replace(method, chart="tangent"))
        report.add(case=case, quantity=f"{name}, tangent plane: error", unit="rad", ours=error)
        report.add(case=case, quantity=f"{name}, tangent plane: repartitions", unit="1",
                   ours=counted.extra.get("repartitions", 0))  # fmt: skip


def _means(report: Reporter, crank: Crank, name: str, method: Method) -> None:
    """One method beside itself, over some tolerances."""
    case = f"crank through {crank.count} turns, {_NEAR} tolerances from {TOLERANCE:g} on"
    mean, scatter = crank.beside_itself(method)
    report.add(case=case, quantity=f"{name}: error over that in one coordinate, mean", unit="1", ours=mean,
               limit=WITHIN)  # fmt: skip
    report.add(case=case, quantity=f"{name}: scatter of errors in one coordinate", unit="1", ours=scatter)
