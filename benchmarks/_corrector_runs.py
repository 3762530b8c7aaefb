"""Runs of the tables on corrector iterations, and what is counted in them.

M. Arnold, A. Fuchs, C. Führer, Efficient corrector iteration for DAE time integration in multibody dynamics, Computer
Methods in Applied Mechanics and Engineering 195 (2006) ("corrector").

#fc       evaluations of F(t, y, ẏ) in all
#fcw      of these, those of corrector iterations: all but those for Jacobians
#Je       Jacobians by differences, of single columns or of groups
excited   Jacobians besides for their derivatives along what excitations drive, at the start, which (26) needs
updates   Newton matrices with a Jacobian that was kept, (24), (25), or followed excitations, (26)

The ends of steps are projected besides, and accelerations found there, which DASSL does not do; this is no evaluation
of F, and is in CPU times only.  Which Jacobians are needed depends on the sequence of steps, and that on the first one:
counts are medians over several first steps.  Newton matrices are factorised as dense ones, as in DASSL, so that a
pattern changes nothing but the evaluations that it saves.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from statistics import median
from typing import Any

import numpy as np

import dalembert as da
from _common import Reporter

#: What is counted, by the names of the tables.
COUNTED = {"fc": "#fc", "fcw": "#fcw", "je": "#Je"}
#: First steps, None is the method's own.
FIRST_STEPS = (None, 1e-4, 1e-3, 1e-2, 3e-2, 3e-4, 3e-3)
#: How Jacobians are found, by the names of the columns of the tables.
JACOBIANS = {
    "dense": da.Jacobian("differences", "full", "none"),
    "sparse": da.Jacobian("differences", "estimated", "none"),
    "part.": da.Jacobian("differences", "full", "partitioned"),
    "sparse, part.": da.Jacobian("differences", "estimated", "partitioned"),
    "ext. part.": da.Jacobian("differences", "full", "extended"),
    "sparse, ext. part.": da.Jacobian("differences", "estimated", "extended"),
    "known pattern": da.Jacobian("differences", "known", "none"),
    "exact": da.Jacobian("exact", update="none"),
}


@dataclass(frozen=True)
class Task:
    """What is simulated, with the tolerances of a table."""

    equations: Any
    span: tuple[float, float]
    start: Any
    rtol: float
    atol: float


@dataclass(frozen=True)
class Tally:
    """Counts of one run, or medians of several."""

    fc: float
    fcw: float
    je: float
    excited: float
    updates: float
    steps: float
    growths: float
    seconds: float

    @classmethod
    def of(cls, solution: da.Solution, seconds: float) -> Tally:
        found = solution.statistics
        corrector, extra = found.newton_iterations, found.extra
        return cls(
            fc=corrector + extra["jacobian_nfev"],
            fcw=corrector,
            je=found.njev - extra.get("jacobian_excited", 0),
            excited=extra.get("jacobian_excited", 0),
            updates=extra.get("jacobian_updates", 0) + extra.get("jacobian_extended", 0),
            steps=found.steps,
            growths=extra["pattern_growths"],
            seconds=seconds,
        )

    @classmethod
    def median(cls, tallies: Sequence[Tally]) -> Tally:
        return cls(**{item.name: median(getattr(one, item.name) for one in tallies) for item in fields(cls)})


@dataclass(frozen=True)
class Series:
    """The same run with several first steps."""

    solutions: tuple[da.Solution, ...]
    tallies: tuple[Tally, ...]

    @property
    def median(self) -> Tally:
        return Tally.median(self.tallies)


def method(jacobian: str, rows: str = "residual", max_order: int = 5) -> da.Bdf:
    """BDF that begins with order 1, renews Jacobians after failure only and doubles sizes, as DASSL does, with a column
    of the tables."""
    return da.Bdf(jacobian=JACOBIANS[jacobian], rows=rows, max_order=max_order, starter=False, keep=0.9, grow=2.0)


def series(task: Task, chosen: da.Bdf, first_steps: Sequence[float | None]) -> Series:
    """Runs with all first steps; equations and kernels are made before."""
    middle, end = 0.5 * (task.span[0] + task.span[1]), task.span[1]
    options: dict[str, Any] = {
        "method": chosen, "rtol": task.rtol, "atol": task.atol, "dense_output": False, "solver": "dense"
    }  # fmt: skip
    da.simulate(task.equations, (task.span[0], task.span[0] + 1e-6 * (end - task.span[0])), task.start, **options)
    solutions, tallies = [], []
    for first in first_steps:
        begun = time.process_time()
        solution = da.simulate(
            task.equations, task.span, task.start, first_step=first, t_eval=(task.span[0], middle, end), **options
        )
        spent = time.process_time() - begun
        if not solution.success:
            raise ArithmeticError(f"{chosen}, first step {first}: {solution.message}")
        solutions.append(solution)
        tallies.append(Tally.of(solution, spent))
    return Series(tuple(solutions), tuple(tallies))


def in_tolerances(task: Task, a: Any, b: Any) -> Any:
    """Root mean square difference of (q, v), instants by columns, in units of the tolerance."""
    return np.sqrt(np.mean(((a - b) / (task.atol + task.rtol * np.abs(b))) ** 2, axis=0))


def distance(task: Task, one: da.Solution, other: da.Solution) -> float:
    """Of two solutions, the larger one of the middle and the end."""
    a, b = (np.concatenate([solution.q, solution.v])[:, 1:] for solution in (one, other))
    return float(in_tolerances(task, a, b).max())


def errors_at_end(report: Reporter, case: str, task: Task, found: Mapping[str, Series], reference: Any) -> None:
    """Errors against a reference, medians over first steps, beside those of dense differences: where nothing is damped,
    solutions differ by more than tolerances, but are no worse."""
    end = np.concatenate([reference.q, reference.v])
    errors = {
        name: median(
            float(in_tolerances(task, np.concatenate([one.q[:, -1], one.v[:, -1]]), end)) for one in runs.solutions
        )
        for name, runs in found.items()
    }
    for name, error in errors.items():
        if name != "dense":
            report.add(
                case=case, quantity=f"error in tolerances, {name}", unit="1", ours=error, baseline="dense differences",
                theirs=errors["dense"], limit=3.0,
            )  # fmt: skip


def same_solution(report: Reporter, case: str, task: Task, found: Mapping[str, Series]) -> None:
    """All strategies against dense differences, with the method's own first step."""
    base = found["dense"].solutions[0]
    for name, runs in found.items():
        if name != "dense":
            apart = distance(task, runs.solutions[0], base)
            report.add(
                case=case, quantity=f"tolerances between solutions, {name} and dense", unit="1", ours=apart,
                limit=1.0 if name == "exact" else 3.0,
            )  # fmt: skip


def beside_dense(
    report: Reporter, case: str, name: str, ours: Tally, dense: Tally,
    paper: Mapping[str, float], limits: Mapping[str, float],
) -> None:  # fmt: skip
    """Counts of a strategy beside those of dense differences; bars on the quotients."""
    for key, quantity in COUNTED.items():
        report.add(
            case=f"{case}, {name}", quantity=quantity, unit="1", ours=getattr(ours, key), baseline="dense differences",
            theirs=getattr(dense, key), paper=paper.get(key), limit=limits.get(key),
        )  # fmt: skip
    report.add(
        case=f"{case}, {name}", quantity="CPU time", unit="ms", ours=1e3 * ours.seconds, baseline="dense differences",
        theirs=1e3 * dense.seconds, limit=limits.get("seconds"),
    )  # fmt: skip
    for quantity in ("excited", "updates", "steps", "growths"):
        report.add(case=f"{case}, {name}", quantity=quantity, unit="1", ours=getattr(ours, quantity))
