"""Both charts compared, which the thesis leaves open (its Appendix B derives the second, nothing is measured): entries
of q against coordinates in the tangent plane, for every method on independent coordinates, on all mechanisms with
constraints.  Evaluations and errors of short runs at 1e-4.  And runs that are stopped: they go on as if they had not
been."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

import dalembert as da
from _common import Reporter
from _thesis_problems import Constrained, constrained_problems
from _thesis_runs import EXPLICIT
from dalembert.errors import DalembertError
from dalembert.integrate.methods import registry
from dalembert.integrate.methods.state_space import StateSpace
from dalembert.problems import mechanisms

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


def resumed(report: Reporter) -> None:
    """A run of the vehicle that is stopped in its middle and goes on, for all methods on independent coordinates and
    the explicit one."""
    example = mechanisms.hmmwv14(stiff=True)
    equations = example.model.equations()
    start = example.assemble(equations)
    for name, method in registry.METHODS.items():
        if not isinstance(method, StateSpace) and name != EXPLICIT:
            continue
        options: dict[str, Any] = {"method": method, "rtol": 1e-3, "atol": 1e-3}
        span = (0.0, 1.0 if isinstance(method, StateSpace) else 0.01)
        whole = da.simulate(equations, span, start, **options)
        part = da.simulate(equations, span, start, max_steps=whole.statistics.steps // 2, **options)
        again = da.resume(part, equations)
        same = all(np.array_equal(getattr(again, key), getattr(whole, key)) for key in ("t", "q", "v", "a", "lam"))
        report.add(case="vehicle: runs that go on", quantity=f"{name}: differ in a bit", unit="1", ours=int(not same),
                   limit=0)  # fmt: skip
