"""A crank through a thousand turns (thesis 4.1.2, step 18): no set of independent coordinates serves a whole turn, so
partitions change again and again, and errors must not notice.

Slider and crank in absolute coordinates, 9 of them with 8 constraints, are turned by a spring and damper between crank
and a hand that goes round evenly, so that errors are those of a few turns and do not add up to a phase.  They are those
of the angle in the last turn, against a run with this angle as the only coordinate.  Beside each stands the error of
Radau at the same tolerance, or this tolerance itself where Radau is better, and that of the same method with the angle
as its only coordinate.
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
from dalembert.problems import mechanisms

TOLERANCE = 1e-4
#: Bar: errors over those of a run without partitions.
WITHIN = 2.0
#: One turn in a second; rates of the spring and the damper.
TURNS, RATE, STIFFNESS, DAMPING = 1000, 2 * np.pi, 2.0, 0.1
START = 0.6
#: Instants of the last turn at which errors are taken.
_SAMPLES = 50


def crank() -> Any:
    """The mechanism of the library, with the hand that turns it."""
    example = mechanisms.slider_crank()
    hand = lambda t, angle, rate: STIFFNESS * (START + RATE * t - angle) + DAMPING * (RATE - rate)  # noqa: E731
    example.model.torque("hand", example.model["A"], hand)
    return example


def turns(report: Reporter, quick: bool) -> None:
    """Every method on independent coordinates, the explicit one, and Radau."""
    count = 20 if quick else TURNS
    example = crank()
    bodies, one = example.model.equations("absolute"), example.model.equations(example.custom)
    start, alone = example.assemble(bodies), example.assemble(one)
    t_eval = np.linspace(count - 1.0, count, _SAMPLES)

    def angles(equations: Any, state: Any, method: Method | str, tolerance: float = TOLERANCE) -> tuple[Any, Any]:
        run = da.simulate(
            equations, (0.0, float(count)), state, method=method, rtol=tolerance, atol=tolerance, dense_output=False,
            t_eval=t_eval,
        )  # fmt: skip
        if not run.success:
            raise ArithmeticError(run.message)
        names = equations.names["q"]
        return run.q[names.index("phi" if "phi" in names else "crank.angle")], run.statistics

    exact, _ = angles(one, alone, "dop853", 1e-12)
    case = f"crank through {count} turns at {TOLERANCE:g}"
    found, counted = angles(bodies, start, "radau")
    radau = float(np.abs(found - exact).max())
    report.add(case=case, quantity="radau: error of the angle", unit="rad", ours=radau)
    report.add(case=case, quantity="radau: steps", unit="1", ours=counted.steps)
    for name, method in registry.METHODS.items():
        if not isinstance(method, StateSpace) and name != EXPLICIT:
            continue
        try:
            found, counted = angles(bodies, start, method)
            alone_found, _ = angles(one, alone, method)
        except ArithmeticError:
            report.failed(case=case, quantity=name)
            continue
        error, itself = float(np.abs(found - exact).max()), float(np.abs(alone_found - exact).max())
        report.add(case=case, quantity=f"{name}: error of the angle", unit="rad", ours=error,
                   baseline="radau, or the tolerance", theirs=max(radau, TOLERANCE), limit=WITHIN)  # fmt: skip
        report.add(case=case, quantity=f"{name}: error of the angle, itself", unit="rad", ours=error,
                   baseline="the same method in one coordinate", theirs=itself)  # fmt: skip
        report.add(case=case, quantity=f"{name}: steps", unit="1", ours=counted.steps)
        report.add(case=case, quantity=f"{name}: repartitions", unit="1", ours=counted.extra.get("repartitions", 0))
        if isinstance(method, StateSpace):
            found, counted = angles(bodies, start, replace(method, chart="tangent"))
            report.add(case=case, quantity=f"{name}, tangent plane: error of the angle", unit="rad",
                       ours=float(np.abs(found - exact).max()))  # fmt: skip
            report.add(case=case, quantity=f"{name}, tangent plane: repartitions", unit="1",
                       ours=counted.extra.get("repartitions", 0))  # fmt: skip
