"""Tables 20 to 23: errors on the stiff double pendulum, which starts from rest.

Errors are those of the steps of a run (5.1), against a reference by cubic interpolation through four of its points, as
in the thesis: the largest Δ with its instant (5.2), the mean Δ̄ (5.3), which is the root of the sum of squares over the
number of steps, and the relative error in percent (5.4).
"""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import dalembert as da
from _common import Reporter
from _thesis_runs import METHODS, TOLERANCES, power, timed
from dalembert.integrate.methods import registry
from dalembert.integrate.methods.state_space import StateSpace
from dalembert.problems.negrut_double_pendulum import TABLES, PrintedError

Floats = NDArray[np.float64]
QUANTITIES = ("theta1", "theta1.rate")
#: What tolerances promise, as the thesis has it: atol + |θ| rtol ≤ 7·10^k, and ten times as much as 4·10^k for rates.
PROMISED = {"theta1": 7.0, "theta1.rate": 40.0}
#: Names of the methods in the tables.
_PRINTED_AS = {"SDIRK": "ForSDIRK", "Rosenbrock": "ForRosen"}
#: So long may the reference of the thesis's own method be, where it took 354 090 steps at 1e-8.
REFERENCE_STEPS = 2000


class Errors(NamedTuple):
    """(5.1)–(5.4)."""

    t: float
    largest: float
    percent: float
    mean: float


class ErrorTool:
    """A reference solution between whose points cubic polynomials lead."""

    def __init__(self, t: Floats, values: dict[str, Floats]) -> None:
        self.t, self.values = t, values

    def at(self, name: str, t: Floats) -> Floats:
        """By Lagrange's formula through two points on either side."""
        first = np.clip(np.searchsorted(self.t, t) - 2, 0, len(self.t) - 4)
        nodes = np.stack([self.t[first + k] for k in range(4)])
        found = np.zeros_like(t)
        for k in range(4):
            weight = np.ones_like(t)
            for other in range(4):
                if other != k:
                    weight *= (t - nodes[other]) / (nodes[k] - nodes[other])
            found += weight * self.values[name][first + k]
        return found

    def errors(self, name: str, t: Floats, values: Floats) -> Errors:
        """Of a run at its own steps."""
        exact = self.at(name, t)
        error = np.abs(values - exact)
        k = int(np.argmax(error))
        size = float(error[k])
        return Errors(float(t[k]), size, 100.0 * size / abs(exact[k]), float(np.sqrt(np.sum(error**2)) / len(t)))


def tables(report: Reporter) -> None:
    """All of it."""
    problem = da.problems.stiff_double_pendulum(start="rest")
    run = timed(problem.equations, problem.span, problem.start, "radau", 1e-12, max_step=5e-4).solution
    tool = ErrorTool(run.t, {name: np.asarray(run[name]) for name in QUANTITIES})
    _identity(report, problem, tool)
    printed = {(_PRINTED_AS[line.method], line.quantity, power(line.tolerance)): line for line in TABLES}
    methods = METHODS | {
        name: method for name, method in registry.METHODS.items() if isinstance(method, StateSpace)
    }  # fmt: skip
    for name, tolerance in product(methods, TOLERANCES):
        _row(report, problem, tool, name, methods[name], tolerance, printed)
    _reference(report, problem)


def _identity(report: Reporter, problem: Any, tool: ErrorTool) -> None:
    """The values of the thesis's own reference solution that its tables imply."""
    for seen in problem.observations:
        ((name, value),) = seen.values.items()
        here = np.array([seen.t - 1e-5, seen.t, seen.t + 1e-5])
        before, found, after = tool.at(name, here)
        allowed = seen.within * abs(after - before) / 2e-5 + 1e-7
        report.add(
            case="pendulum: deviation from values that are implied, over that of rounding",
            quantity=f"{name} at {seen.t:g}", unit="1", ours=abs(found - value) / allowed, limit=1.0,
        )  # fmt: skip


def _row(
    report: Reporter, problem: Any, tool: ErrorTool, name: str, method: Any, tolerance: float,
    printed: dict[tuple[str, str, str], PrintedError],
) -> None:  # fmt: skip
    at = power(tolerance)
    try:
        run = timed(problem.equations, problem.span, problem.start, method, tolerance).solution
    except ArithmeticError:
        report.failed(case=f"pendulum: {name}", quantity=f"at {at}")
        return
    report.add(case=f"pendulum: {name}", quantity=f"steps at {at}", unit="1", ours=run.statistics.steps)
    report.add(case=f"pendulum: {name}", quantity=f"rejected at {at}", unit="1", ours=run.statistics.rejected)
    for quantity in QUANTITIES:
        found = tool.errors(quantity, run.t, np.asarray(run[quantity]))
        theirs = printed.get((name, quantity, at))
        case = f"pendulum: {name}, {quantity}" if theirs is None else f"Table {theirs.table}: {name}, {quantity}"
        report.add(
            case=case, quantity=f"Δ at {at}", unit="1", ours=found.largest, limit=PROMISED[quantity] * tolerance,
            paper=None if theirs is None else theirs.error,
        )  # fmt: skip
        if theirs is not None:
            others = (
                ("instant of Δ", "s", found.t, theirs.t), ("RelErr in %", "1", found.percent, theirs.percent),
                ("mean Δ", "1", found.mean, theirs.average),
            )  # fmt: skip
            for what, unit, ours, paper in others:
                report.add(case=case, quantity=f"{what} at {at}", unit=unit, ours=ours, paper=paper)
        if theirs is not None and name == "ForSDIRK":
            for part, what in ((1.0, "Δ / theirs"), (0.1, "Δ / theirs, a tenth")):
                report.add(
                    case=case, quantity=f"{what} at {at}", unit="1", ours=found.largest / theirs.error, limit=part
                )


def _reference(report: Reporter, problem: Any) -> None:
    """The reference that the thesis computed with its own method."""
    run = timed(problem.equations, problem.span, problem.start, METHODS["ForSDIRK"], 1e-8)
    report.add(case="pendulum: ForSDIRK", quantity="steps at 1e-8", unit="1", ours=run.steps, paper=354_090,
               limit=REFERENCE_STEPS)  # fmt: skip
