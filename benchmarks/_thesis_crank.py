"""A crank through a thousand turns (thesis 4.1.2, step 18): no set of independent coordinates serves a whole turn, so
partitions change at every one, and errors must not notice.

Slider and crank in absolute coordinates, 9 of them with 8 constraints, turn freely under gravity.  The angle of the
crank at the end is compared with that of a run in this angle as the only coordinate.  Beside each error stands that of
Radau, which has no partitions, at the same tolerance, and that of the same method in one coordinate.
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

TOLERANCE = 1e-6
#: Bar: errors over those of Radau.
WITHIN = 2.0
TURNS = 1000


def turns(report: Reporter, quick: bool) -> None:
    """Every method on independent coordinates, the explicit one, and Radau."""
    count = 20 if quick else TURNS
    example = mechanisms.slider_crank()
    bodies = example.model.equations("absolute")
    one = example.model.equations(example.custom)
    start, alone = example.assemble(bodies), example.assemble(one)
    event = da.Event(lambda q: q[0] - alone.q[0] - 2 * np.pi * count, name="turns", terminal=True)
    exact = da.simulate(one, (0.0, 2.0 * count), alone, method="dop853", rtol=1e-13, atol=1e-13, events=[event],
                        dense_output=False)  # fmt: skip
    t_end, angle = float(exact.t_events[0][0]), float(alone.q[0] + 2 * np.pi * count)

    def error(equations: Any, state: Any, name: str, method: Method | str) -> tuple[float, da.Solution]:
        run = da.simulate(equations, (0.0, t_end), state, method=method, rtol=TOLERANCE, atol=TOLERANCE,
                          dense_output=False)  # fmt: skip
        if not run.success:
            raise ArithmeticError(f"{name}: {run.message}")
        return abs(float(run[equations.names["q"][_angle(equations)]][-1]) - angle), run

    case = f"crank through {count} turns at {TOLERANCE:g}"
    without, radau = error(bodies, start, "radau", "radau")
    report.add(case=case, quantity="radau: error of the angle", unit="rad", ours=without)
    report.add(case=case, quantity="radau: steps", unit="1", ours=radau.statistics.steps)
    for name, method in registry.METHODS.items():
        if not isinstance(method, StateSpace) and name != EXPLICIT:
            continue
        try:
            found, run = error(bodies, start, name, method)
            same, _ = error(one, alone, name, method)
        except ArithmeticError:
            report.failed(case=case, quantity=name)
            continue
        report.add(case=case, quantity=f"{name}: error of the angle", unit="rad", ours=found, baseline="radau",
                   theirs=without, limit=WITHIN)  # fmt: skip
        report.add(case=case, quantity=f"{name}: error of the angle, itself", unit="rad", ours=found,
                   baseline="the same method in one coordinate", theirs=same)  # fmt: skip
        report.add(case=case, quantity=f"{name}: steps", unit="1", ours=run.statistics.steps)
        report.add(case=case, quantity=f"{name}: repartitions", unit="1",
                   ours=run.statistics.extra.get("repartitions", 0))  # fmt: skip
        if isinstance(method, StateSpace):
            tangent, run = error(bodies, start, name, replace(method, chart="tangent"))
            report.add(case=case, quantity=f"{name}, tangent plane: error of the angle", unit="rad", ours=tangent)
            report.add(case=case, quantity=f"{name}, tangent plane: repartitions", unit="1",
                       ours=run.statistics.extra.get("repartitions", 0))  # fmt: skip


def _angle(equations: Any) -> int:
    """The place of the angle of the crank."""
    names = equations.names["q"]
    return names.index("phi") if "phi" in names else names.index("crank.angle")
