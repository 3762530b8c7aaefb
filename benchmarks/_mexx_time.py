"""The time monitor of mexx, section 4.2: where the time of a run goes, measured apart from the run itself.

Nothing that is computed depends on the clock: a run is repeated as it was, then its parts are timed one by one at its
last point, many times each, and multiplied by how often the run needed them.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from dalembert.equations import Equations, State
from dalembert.equations.contract.convention import CONTRACT, STAGE
from dalembert.errors import SimulationError
from dalembert.integrate.frame.contract_formalism import call_contract, factor, solve
from dalembert.integrate.frame.memory import REASON, STATUS, Memory
from dalembert.integrate.methods.registry import method_named
from dalembert.integrate.run.live import LiveRun, Options
from dalembert.integrate.run.sizing import Sizing
from dalembert.native.kernel import Kernel, kernel
from dalembert.solution import Solution

_REPETITIONS, _TRIALS = 400, 7


@kernel
def _evaluate_often(run: Memory) -> int:
    """n_points times what a small step evaluates."""
    for _ in range(run.n_points):
        if call_contract(run, CONTRACT.M | CONTRACT.G | CONTRACT.gI, STAGE.T) or call_contract(
            run, CONTRACT.f, STAGE.V
        ):
            return STATUS.RAISED
    return STATUS.OK


@kernel
def _factor_often(run: Memory) -> int:
    """n_points factorisations."""
    for _ in range(run.n_points):
        status = factor(run, 0)
        if status:
            return status
    return STATUS.OK


@kernel
def _solve_often(run: Memory) -> int:
    """n_points solutions."""
    right = run.right
    for _ in range(run.n_points):
        for k in range(right.size):
            right[k] = 1.0
        status = solve(run, right, 0)
        if status:
            return status
    return STATUS.OK


@dataclass(frozen=True)
class TimeShares:
    """Seconds that a run takes, and parts of it, from 0 to 1."""

    total: float
    functions: float
    linear_algebra: float

    @property
    def rest(self) -> float:
        """Extrapolation and control: what is left, or nothing where the parts were measured too long."""
        return max(0.0, 1.0 - self.functions - self.linear_algebra)

    def __str__(self) -> str:
        parts = (("functions", self.functions), ("linear algebra", self.linear_algebra), ("rest", self.rest))
        lines = [f"{name:15} {share:6.1%} {1e3 * share * self.total:10.3f} ms" for name, share in parts]
        return "\n".join([*lines, f"{'total':15} {1:6.1%} {1e3 * self.total:10.3f} ms"])


def time_shares(solution: Solution, equations: Equations) -> TimeShares:
    """Where the time of a run with method "mexx" goes; ``equations`` are those that it was made with."""
    if solution.method != "mexx":
        raise SimulationError(f"times are told for runs with method 'mexx', this one was made with '{solution.method}'")
    s = equations.sizes
    if solution.t.size < 2:
        raise SimulationError("a run that reports fewer than two instants cannot be repeated")
    own = {key: solution.parameters[key] for key in equations.parameters}
    begin = State(float(solution.t[0]), *(getattr(solution, key)[:, 0] for key in ("q", "v", "a", "lam", "u")))
    sizes = Sizing(equations, range(s.lam), begin, own, abs(float(solution.t[-1] - solution.t[0])))
    options = Options(
        rtol=float(np.max(solution.rtol)), atol=np.broadcast_to(solution.atol, (s.q + s.v + s.u,)).copy(), dense=False,
        scale=sizes.scale, drift=sizes.drift, time_scale=1.0 / sizes.rate,
    )  # fmt: skip
    first = np.concatenate([x[:, 0] for x in (solution.q, solution.v, solution.u)])
    total = np.inf
    for _ in range(_TRIALS):  # the first one also loads what it needs
        live = LiveRun(equations, method_named("mexx"), options, equations.parameter_vector(own))
        live.start(float(solution.t[0]), first, float(solution.t[-1]))
        began = time.perf_counter()
        while live.advance() in (REASON.SLICE_DONE, REASON.BUFFER_FULL):
            live.take_records()
        total = min(total, time.perf_counter() - began)
    if live.run.steps != solution.statistics.steps:
        raise SimulationError(
            "the run cannot be repeated as it was; simulate it with its tolerances alone, without t_eval, events, "
            "limits of steps and orders, or a solver of its own"
        )
    counts = [live.run.nfev, live.run.nlu, live.run.nsolve]
    live.run.n_points = _REPETITIONS
    each = [_seconds(part, live.run) / _REPETITIONS for part in (_evaluate_often, _factor_often, _solve_often)]
    functions, factors, solutions = (n * cost / total for n, cost in zip(counts, each, strict=True))
    return TimeShares(total, functions, factors + solutions)


def _seconds(part: Kernel, run: Memory) -> float:
    shortest = np.inf
    for _ in range(_TRIALS):
        began = time.perf_counter()
        if part(run):
            raise SimulationError("the last point of the run cannot be evaluated again")
        shortest = min(shortest, time.perf_counter() - began)
    return float(shortest)
