"""Both charts compared, which the thesis leaves open (its Appendix B derives the second, nothing is measured): entries
of q against coordinates in the tangent plane, for every method on independent coordinates, on all mechanisms with
constraints.  Evaluations and errors of short runs at 1e-4."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

import dalembert as da
from _common import Reporter
from _thesis_problems import Constrained, constrained_problems
from dalembert.errors import DalembertError
from dalembert.integrate.methods import registry
from dalembert.integrate.methods.state_space import StateSpace

TOLERANCE, SHARE = 1e-4, 0.2


def comparison(report: Reporter, quick: bool) -> None:
    """Partition is ours, the tangent plane theirs."""
    for problem in constrained_problems(quick):
        if isinstance(problem, str):
            continue
        span = problem.part(SHARE)
        exact = problem.run(span, method="radau", rtol=1e-9, atol=1e-9, dense_output=False)
        if not exact.success:
            raise ArithmeticError(f"{problem.name}: {exact.message}")
        for name, method in registry.METHODS.items():
            if isinstance(method, StateSpace):
                _compare(report, problem, name, method, span, exact.q[:, -1])


def _compare(
    report: Reporter, problem: Constrained, name: str, method: StateSpace, span: Any, exact: Any
) -> None:  # fmt: skip
    case, found = f"charts: {problem.name}", {}
    for chart in ("partition", "tangent"):
        made = replace(method, chart=chart)
        try:
            run: da.Solution | None = problem.run(
                span, method=made, rtol=TOLERANCE, atol=TOLERANCE, dense_output=False
            )  # fmt: skip
        except DalembertError:  # external states have no place in all of them
            return
        if run is None or not run.success:
            report.failed(case=case, quantity=f"{name}, {chart}")
            continue
        error = float(np.abs(run.q[:, -1] - exact).max() / max(1.0, np.abs(exact).max()))
        found[chart] = run.statistics.nfev, error / TOLERANCE
    if len(found) == 2:
        for k, what in enumerate(("evaluations", "error / tolerance")):
            report.add(
                case=case, quantity=f"{name}: {what}", unit="1", ours=found["partition"][k], baseline="tangent plane",
                theirs=found["tangent"][k],
            )  # fmt: skip
