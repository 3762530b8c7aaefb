"""Singly diagonally implicit Runge–Kutta methods on independent coordinates (thesis 3.4.1, 4.5: ForSDIRK).

Stages are increments Z_i of x = (z, ż, u), solved one after the other with one matrix:

    Z_i = S_i + γh ẋ(x0 + Z_i),   S_i = h Σ_{j<i} a_ij K_j,   K_i = (Z_i − S_i)/(γh)

Slopes K_i are not evaluated but follow from the increments, as the equations would amplify what the iteration has left
(4.85).  A stage begins with an estimate from those before it; the last one with the embedded formula.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.contract.equations import Sizes
from dalembert.integrate.chart.chart import chart_norm
from dalembert.integrate.chart.iteration_matrix import solve_iteration
from dalembert.integrate.chart.recovery import carry_slope, count_drives, motion_at
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.implicit.newton import JUDGEMENT, begin_iteration, judge
from dalembert.integrate.implicit.newton_memory import ACTION
from dalembert.integrate.implicit.renewal import MOST_ACTIONS, before_attempt
from dalembert.integrate.methods.method import option
from dalembert.integrate.methods.sdirk_tables import TABLES, SdirkTable
from dalembert.integrate.methods.state_space import (
    IteratedStateSpace,
    StateSpaceMemory,
    add_stages,
    after_stages,
    begin,
    checked_filter,
    checked_formula,
    count_start,
    end_corrected,
    estimate_error,
    grow_older,
    last_slope,
    linearise_here,
    prepare,
    return_to_start,
    through_inner_points,
)
from dalembert.linalg.vector_operations import add, add_scaled, clear, copy
from dalembert.native.kernel import Reals, compiled, kernel, view
from dalembert.native.slots import integer, reals

# Layout of the tableau for s stages:
#   γ, c (s), A (s·s), weights of the error (s), those of the estimates (s·s), of the slopes at the start and of stages
#   in what they differ by and in the error of that (2 + 2 s), of two points within the step (2 s).


class SdirkMemory(StateSpaceMemory):
    """Stages of a diagonally implicit method, U_i = h K_i."""

    first: int = integer("first stage that is implicit")
    increment: Reals = reals("n_s", "increment Z of a stage")
    known: Reals = reals("n_s", "what earlier stages give to it")


@compiled
def _predict(run: SdirkMemory, i: int) -> None:
    """An increment to start from: by the slopes of earlier stages, or by that of the start."""
    s, Z = run.stages, run.increment
    clear(Z)
    if i > 0:
        add_stages(run, view(run.tableau, 1 + 2 * s + s * s + i * s, i), Z)
    elif not run.fresh:
        add_scaled(run.h * run.tableau[1], run.x_rate0, Z)


@compiled
def _solve_stage(run: SdirkMemory, i: int) -> int:
    """The increment of a stage; where the matrix of the start does not do, with derivatives of the estimated stage."""
    s, S = run.stages, run.known
    clear(S)
    add_stages(run, view(run.tableau, 1 + s + i * s, i), S)
    status = _iterate_stage(run, i, False)
    if status != STATUS.NEWTON_FAILED:
        return status
    return_to_start(run)
    return _iterate_stage(run, i, True)


@compiled
def _iterate_stage(run: SdirkMemory, i: int, anew: bool) -> int:
    """Iterate for the increment of a stage; leaves its slope, and the point where it is."""
    n, h, gamma = run.n_s, run.h, run.tableau[0]
    Z, S, right, c = run.increment, run.known, run.x_right, gamma * h
    _predict(run, i)
    t = run.t_now + run.tableau[1 + i] * h
    begin_iteration(run)
    before = 0.0
    for iteration in range(run.newton_limit):
        copy(run.x0, run.x_stage)
        add(Z, run.x_stage)
        status = motion_at(run, t, run.x_stage, run.x_rate)
        if status == STATUS.OK and anew and iteration == 0:
            status = linearise_here(run, c, c * c)
        if status:
            return status
        for k in range(n):
            right[k] = S[k] + c * run.x_rate[k] - Z[k]
        solve_iteration(run, right, 0.0)
        add(right, Z)
        size = chart_norm(run, right)
        judgement = judge(run, iteration, size, before)
        before = size
        if judgement == JUDGEMENT.CONVERGED:
            own = view(run.increments, i * n, n)
            for k in range(n):
                own[k] = (Z[k] - S[k]) / gamma
            return STATUS.OK
        if judgement == JUDGEMENT.HOPELESS:
            break
    return STATUS.NEWTON_FAILED if before < np.inf else STATUS.NOT_FINITE


@compiled
def _solve_stages(run: SdirkMemory) -> int:
    """All stages; the slowest iteration counts."""
    n = run.n_s
    slowest, most = 0.0, 0
    return_to_start(run)
    if run.first:
        for k in range(n):
            run.increments[k] = run.h * run.x_rate0[k]
    for i in range(run.first, run.stages):
        status = _solve_stage(run, i)
        if status:
            return status
        slowest, most = max(slowest, run.theta), max(most, run.newton_done)
    run.theta, run.newton_done = slowest, most
    return STATUS.OK


@compiled
def _iterate(run: SdirkMemory) -> int:
    """Stages with a chart and a matrix as fresh as they need them."""
    c = run.tableau[0] * run.h
    action = before_attempt(run, 1.0 / c)
    status = STATUS.NEWTON_FAILED
    for _ in range(MOST_ACTIONS):
        status = prepare(run, action, c, c * c)
        if status:
            return status
        status = _solve_stages(run)
        action = after_stages(run, status, 1.0 / c)
        if action == ACTION.GIVE_UP:
            break
    return status


@kernel
def attempt(run: SdirkMemory) -> int:
    """One step of size h from y0: leaves y1 and error."""
    status = _iterate(run)
    if status:
        return status
    status = end_corrected(run)
    if status:
        return status
    s = run.stages
    last_slope(run)
    estimate_error(run, view(run.tableau, 1 + s + s * s, s))
    count_start(run, view(run.tableau, 1 + 2 * s + 2 * s * s, 2 + 2 * s))
    return count_drives(run)


@kernel
def accepted(run: SdirkMemory) -> int:
    """The last slope is where the next step starts from."""
    grow_older(run)
    return carry_slope(run)


@dataclass(frozen=True, kw_only=True)
class Sdirk(IteratedStateSpace):
    """A diagonally implicit Runge–Kutta method of order 4 on independent coordinates, L-stable, stiffly accurate; dense
    output of order 3; for stiff systems at moderate accuracy.

    Negrut, thesis, 4.5 (ForSDIRK); Hairer, Wanner, Solving ODEs II, IV.6; Kennedy, Carpenter for ESDIRK.
    """

    formula: str = option("4/15", '"4/15", "4/16", or "esdirk", whose stages have order 2')
    filtered: bool = option(True, "whether the error is filtered by the matrix of the iteration")

    memory = SdirkMemory
    begin = begin
    attempt = attempt
    accepted = accepted
    interpolate = through_inner_points
    dense_slopes = False

    def check(self) -> None:
        """Formula, filter, iteration."""
        super().check()
        checked_formula(self, TABLES)
        checked_filter(self)

    @cached_property
    def sdirk_table(self) -> SdirkTable:
        """Its coefficients."""
        return TABLES[self.formula]

    @property
    def unseen(self) -> tuple[float, float]:  # type: ignore[override]
        """That of the table."""
        return self.sdirk_table.unseen

    @property
    def name(self) -> str:  # type: ignore[override]
        """By the formula."""
        return {"4/15": "sdirk4", "4/16": "sdirk4_16", "esdirk": "esdirk4"}[self.formula]

    @property
    def title(self) -> str:
        """With stages and order."""
        kind = "ESDIRK" if self.formula == "esdirk" else f"SDIRK {self.formula}"
        return f"{kind}, {len(self.sdirk_table.c)} stages, order 4(3), on independent coordinates"

    @property
    def order(self) -> int:
        """Four."""
        return 4

    @property
    def error_order(self) -> int:
        """That of the embedded formula."""
        return 3

    def values(self, sizes: Sizes) -> Mapping[str, int]:
        """Stages, the first implicit one, the filter."""
        table = self.sdirk_table
        return {"stages": len(table.c), "first": int(table.explicit_first), "filters": int(self.filtered)}

    def table(self) -> NDArray[np.float64]:
        """The table as the kernels read it."""
        return self.sdirk_table.flat()
