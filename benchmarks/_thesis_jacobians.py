"""Derivatives of the reduced equations on all mechanisms with constraints: (3.43)–(3.45), Appendix A and differences;
Proposition 1; the same motion in both charts; columns in threads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from _common import Reporter
from _thesis_problems import Constrained, constrained_problems
from dalembert.errors import SimulationError
from dalembert.integrate import Rosenbrock
from dalembert.integrate.run.live import LiveRun

Floats = NDArray[np.float64]
#: Bars, relative to the largest entry.
SAME, BY_DIFFERENCES, SAME_MATRIX = 1e-9, 1e-5, 1e-12
#: Bar: both charts, at tolerances where neither method nor control tell them apart.
SAME_MOTION, TIGHT = 1e-10, 1e-12


@contextmanager
def caught_runs() -> Iterator[list[LiveRun]]:
    """The runs within the block, in the order of their first slices."""
    caught: list[LiveRun] = []
    plain = LiveRun.advance

    def advance(live: LiveRun) -> int:
        if live not in caught:
            caught.append(live)
        return plain(live)

    with mock.patch.object(LiveRun, "advance", advance):
        yield caught


def derivatives(problem: Constrained, **options: Any) -> tuple[Floats, Floats]:
    """Accelerations of the chart by z, ż, u, t at the start; and those of external states."""
    with caught_runs() as caught:
        problem.run(
            (problem.span[0], problem.span[0] + 1.0), method=Rosenbrock(**options), rtol=1e-6, atol=1e-6,
            first_step=1e-9, max_steps=1,
        )  # fmt: skip
    run = caught[-1].run
    f, n_d = run.n_f, run.n_d
    E, motion = np.array(run.E).reshape(f, f), np.array(run.E_motion).reshape(f, n_d)
    return -np.linalg.solve(E, motion), np.array(run.d_motion).reshape(-1, n_d)


def comparison(report: Reporter, quick: bool) -> None:
    """All strategies, in both charts."""
    for problem in constrained_problems(quick):
        if isinstance(problem, str):
            report.add(case="Jacobians: refused", quantity=problem[:300], unit="1", ours=1)
            continue
        moving = problem.later(0.05)
        for chart in ("partition", "tangent"):
            _strategies(report, moving, chart)
        _motion(report, problem)


def _strategies(report: Reporter, problem: Constrained, chart: str) -> None:
    case = f"Jacobians, {chart}: {problem.name}"
    J, D = derivatives(problem, chart=chart, jacobian="columns")
    size, d_size = np.abs(J).max() or 1.0, max(1.0, np.abs(D).max(initial=0.0))
    for name, limit in (("analytic", SAME), ("numeric", BY_DIFFERENCES), ("central", BY_DIFFERENCES)):
        try:
            other, D_other = derivatives(problem, chart=chart, jacobian=name)
        except SimulationError as error:
            if "depend on reactions" not in str(error):
                raise
            continue
        apart = max(np.abs(other - J).max() / size, np.abs(D_other - D).max(initial=0.0) / d_size)
        report.add(case=case, quantity=f"{name} − columns", unit="1", ours=float(apart), limit=limit)
        if name == "analytic":
            report.add(case=case, quantity="Proposition 1", unit="1", ours=_proposition(J, other), limit=SAME_MATRIX)


def _proposition(J: Floats, other: Floats, step: float = 1e-3) -> float:
    """Solving with the matrix of first order, of size 2 n, and with Π = 1 − γh J2 − γ²h² J1 of size n."""
    f = len(J)
    J1, J2 = J[:, :f], J[:, f : 2 * f]
    first = np.block([[np.eye(f), -step * np.eye(f)], [-step * J1, np.eye(f) - step * J2]])
    right = np.random.default_rng(0).standard_normal(2 * f)
    whole = np.linalg.solve(first, right)
    J1, J2 = other[:, :f], other[:, f : 2 * f]
    rates = np.linalg.solve(np.eye(f) - step * J2 - step**2 * J1, right[f:] + step * J1 @ right[:f])
    apart = np.concatenate([right[:f] + step * rates, rates]) - whole
    return float(np.abs(apart).max() / (np.abs(whole).max() * np.linalg.cond(first)))


def _motion(report: Reporter, problem: Constrained) -> None:
    """The end of a short run in both charts."""
    ends = []
    for chart in ("partition", "tangent"):
        run = problem.run(
            problem.part(0.02), method=Rosenbrock(formula="rodas5p", chart=chart), rtol=TIGHT, atol=TIGHT,
            dense_output=False,
        )  # fmt: skip
        if not run.success:
            report.failed(case=f"both charts: {problem.name}", quantity=f"motion in the chart '{chart}'")
            return
        ends.append(run.q[:, -1])
    apart = np.abs(ends[0] - ends[1]).max() / max(1.0, np.abs(ends[0]).max())
    report.add(case=f"both charts: {problem.name}", quantity="motions apart", unit="1", ours=float(apart),
               limit=SAME_MOTION)  # fmt: skip
