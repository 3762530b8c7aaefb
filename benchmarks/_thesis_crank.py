"""A crank through a thousand turns (thesis 4.1.2, step 18): no set of independent coordinates serves a whole turn, so
partitions change again and again, and errors must not notice.

The pin of the crank and the slider are points with three Cartesian coordinates and two constraints; no angle is among
them.  A spring and a damper pull the pin behind a hand that goes round evenly, so that errors are those of a few turns
and do not add up to a phase.  They are the largest of the pin in the last fifty turns, in radians, against a run with
the angle as the only coordinate: in a single turn they differ by factors of two and more, as steps fall.  Beside each
stands the error of Radau at the same tolerance, and that of the same method with the angle as its only coordinate.
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
TURNS = 1000
#: Crank, rod, masses of pin and slider, gravity; rates of spring and damper; one turn in a second.
r, l, m1, m2, g, k, d, rate = 0.1, 0.3, 1.0, 0.6, 9.81, 200.0, 10.0, 2 * np.pi
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
    """The same in the angle φ of the crank: with x(φ) of the slider, (m1 r² + m2 x'²) φ̈ = Q − m2 x' x'' φ̇²."""

    def slider(phi: Any) -> tuple[Any, Any]:
        c, s = np.cos(phi), np.sin(phi)
        ahead = np.sqrt(l**2 - r**2 * s**2)
        first = -(r**2) * s * c / ahead
        second = -(r**2) * (c**2 - s**2) / ahead - first**2 / ahead
        return -r * s + first, -r * c + second

    def M(q: Any) -> Any:
        return np.array([[m1 * r**2 + m2 * slider(q[0])[0] ** 2]])

    def f(q: Any, v: Any, t: Any) -> Any:
        first, second = slider(q[0])
        behind = rate * t - q[0]
        pull = k * r**2 * np.sin(behind) + d * r**2 * (rate * np.cos(behind) - v[0])
        return np.array([pull - m1 * g * r * np.cos(q[0]) - m2 * first * second * v[0] ** 2])

    return da.trace(M=M, f=f, n_q=1, name="crank by its angle")


def turns(report: Reporter, quick: bool) -> None:
    """Every method on independent coordinates, the explicit one, and Radau."""
    count = 20 if quick else TURNS
    points, one = by_points(), by_angle()
    start, alone = ([r, 0.0, r + l], [0.0, r * rate, 0.0]), ([0.0], [rate])
    last = min(_LAST, count // 2)
    t_eval = np.linspace(count - last, count, last * _SAMPLES + 1)

    def pins(equations: Any, state: Any, method: Method | str, tolerance: float = TOLERANCE) -> tuple[Any, Any]:
        run = da.simulate(
            equations, (0.0, float(count)), state, method=method, rtol=tolerance, atol=tolerance * r,
            dense_output=False, t_eval=t_eval,
        )  # fmt: skip
        if not run.success:
            raise ArithmeticError(run.message)
        q = run.q
        return np.stack([np.cos(q[0]), np.sin(q[0])]) if len(q) == 1 else q[:2] / r, run.statistics

    exact, _ = pins(one, alone, "dop853", 1e-12)
    case = f"crank through {count} turns at {TOLERANCE:g}"
    found, counted = pins(points, start, "radau")
    radau = float(np.abs(found - exact).max())
    report.add(case=case, quantity="radau: error", unit="rad", ours=radau)
    report.add(case=case, quantity="radau: steps", unit="1", ours=counted.steps)
    for name, method in registry.METHODS.items():
        if not isinstance(method, StateSpace) and name != EXPLICIT:
            continue
        try:
            found, counted = pins(points, start, method)
            alone_found, _ = pins(one, alone, method)
        except ArithmeticError:
            report.failed(case=case, quantity=name)
            continue
        error, itself = float(np.abs(found - exact).max()), float(np.abs(alone_found - exact).max())
        report.add(case=case, quantity=f"{name}: error", unit="rad", ours=error,
                   baseline="radau", theirs=radau, limit=WITHIN)  # fmt: skip
        report.add(case=case, quantity=f"{name}: error, itself", unit="rad", ours=error,
                   baseline="the same method in one coordinate", theirs=itself, limit=WITHIN)  # fmt: skip
        report.add(case=case, quantity=f"{name}: steps", unit="1", ours=counted.steps)
        report.add(case=case, quantity=f"{name}: repartitions", unit="1", ours=counted.extra.get("repartitions", 0))
        if isinstance(method, StateSpace):
            found, counted = pins(points, start, replace(method, chart="tangent"))
            report.add(case=case, quantity=f"{name}, tangent plane: error", unit="rad",
                       ours=float(np.abs(found - exact).max()))  # fmt: skip
            report.add(case=case, quantity=f"{name}, tangent plane: repartitions", unit="1",
                       ours=counted.extra.get("repartitions", 0))  # fmt: skip
