"""Runs of the thesis's methods, timed, and what all of its tables share.

D. Negrut, On the implicit integration of differential-algebraic equations of multibody dynamics, PhD thesis, The
University of Iowa, 1998.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import dalembert as da
from _common import Reporter
from _stopwatch import Mark, watched_runs
from dalembert.integrate import Descriptor, Method, Newmark, Rosenbrock, Sdirk

#: Relative and absolute tolerances of all tables.
TOLERANCES = (1e-2, 1e-3, 1e-4, 1e-5)
#: The thesis measures errors in independent coordinates only.
_AS_THERE: dict[str, Any] = {"errors": "independent"}
#: Its methods by its names.
METHODS: dict[str, Method] = {
    "SspTrap": Newmark(**_AS_THERE),
    "InflSDIRK": Descriptor(formula="4/16", **_AS_THERE),
    "InflTrap": Descriptor(formula="trapezoidal", **_AS_THERE),
    "ForSDIRK": Sdirk(formula="4/15", **_AS_THERE),
    "ForRosen": Rosenbrock(formula="thesis", **_AS_THERE),
}
#: The explicit one, DEABM there.
EXPLICIT = "adams"


@dataclass(frozen=True)
class Timed:
    """A run with its CPU time, the best of several, and where it was on its way."""

    solution: da.Solution
    seconds: float
    marks: tuple[Mark, ...]

    @property
    def nfev(self) -> int:
        return self.solution.statistics.nfev

    @property
    def steps(self) -> int:
        return self.solution.statistics.steps

    def until(self, t: float) -> Mark:
        """Seconds and counts up to an instant, between the slices around it in proportion."""
        found = np.array(self.marks)
        return Mark(t, *(np.interp(t, found[:, 0], found[:, k]) for k in (1, 2, 3)))


def timed(
    equations: Any, span: tuple[float, float], start: Any, method: Method | str, tolerance: float, *,
    repeats: int = 1, **options: Any,
) -> Timed:  # fmt: skip
    """A run with rtol = atol; raises an error if it does not reach the end."""
    best: Timed | None = None
    with watched_runs() as marks:
        for _ in range(repeats):
            marks.clear()
            settings = {"rtol": tolerance, "atol": tolerance, "dense_output": False} | options
            solution = da.simulate(equations, span, start, method=method, **settings)
            if not solution.success:
                name = method if isinstance(method, str) else method.name
                raise ArithmeticError(f"{equations.name}, {name}, {tolerance:g}: {solution.message}")
            if best is None or marks[-1].seconds < best.seconds:
                best = Timed(solution, marks[-1].seconds, tuple(marks))
    assert best is not None
    return best


def counts(report: Reporter, case: str, what: str, run: da.Solution, papers: Sequence[float | None] = (None,)) -> None:
    """Steps and evaluations of a run."""
    made = run.statistics
    for name, value, paper in (("steps", made.steps, papers[0]), ("rejected", made.rejected, None),
                               ("evaluations", made.nfev, None), ("Jacobians", made.njev, None)):  # fmt: skip
        report.add(case=case, quantity=f"{what}: {name}", unit="1", ours=value, paper=paper)


def power(tolerance: float) -> str:
    """1e-2 as it stands in tables."""
    return f"1e{round(np.log10(tolerance))}"
