"""Rosenbrock methods on independent coordinates (thesis 4.4: ForRosen): one matrix, no iteration.

    (1 − γhJ) u_i = γh (ẋ(t + α_i h, x0 + Σ a_ij u_j) + Σ c_ij u_j / h + γ_i h ∂ẋ/∂t),   x1 = x0 + Σ m_i u_i

with exact derivatives at the start of each step.  Of ẋ = (ż, z̈, u̇) only z̈ and u̇ are evaluated, and the first stage is
known from the step before: this is the Rosenbrock–Nyström form (4.49)–(4.54).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.contract.convention import STAGE
from dalembert.equations.contract.equations import Sizes
from dalembert.errors import SimulationError
from dalembert.integrate.chart.chart import positions_seen
from dalembert.integrate.chart.chart_layout import update_of
from dalembert.integrate.chart.iteration_matrix import factor_iteration, solve_iteration
from dalembert.integrate.chart.recovery import count_drives, motion_at, second_rates
from dalembert.integrate.frame.controllers import Controller, Elementary
from dalembert.integrate.frame.formalism import load
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.implicit.newton_memory import ACTION
from dalembert.integrate.methods.method import option
from dalembert.integrate.methods.rosenbrock_tables import TABLES, RosenbrockTable
from dalembert.integrate.methods.state_space import (
    ImplicitStateSpace,
    StateSpaceMemory,
    add_stages,
    checked_filter,
    checked_formula,
    end_at,
    enter_chart,
    estimate_error,
    return_to_start,
    set_inner_points,
)
from dalembert.linalg.vector_operations import copy
from dalembert.native.kernel import compiled, kernel, view
from dalembert.native.slots import integer

# Layout of the tableau for s stages: see RosenbrockTable.flat.


class RosenbrockMemory(StateSpaceMemory):
    """Stages of a Rosenbrock method."""

    own_stages: int = integer("stages of a step; the others are of its dense output")


@compiled
def _solve_stage(run: RosenbrockMemory, i: int) -> int:
    """One of the increments u."""
    s, n, h, table = run.stages, run.n_s, run.h, run.tableau
    gamma, matrices = run.tableau[0], 1 + 5 * s
    if table[1 + 2 * s + i] != 0.0:
        copy(run.x0, run.x_stage)
        add_stages(run, view(table, matrices + i * s, i), run.x_stage)
        status = motion_at(run, run.t_now + table[1 + i] * h, run.x_stage, run.x_rate)
        if status:
            return status
    right = view(run.increments, i * n, n)
    for k in range(n):
        right[k] = h * run.x_rate[k]
    add_stages(run, view(table, matrices + s * s + i * s, i), right)
    for k in range(n):
        right[k] *= gamma
    solve_iteration(run, right, gamma * h * table[1 + s + i] * h)
    return STATUS.OK


@kernel
def attempt(run: RosenbrockMemory) -> int:
    """One step of size h from y0: leaves y1 and error."""
    return rosenbrock_step(run)


@compiled
def rosenbrock_step(run: RosenbrockMemory) -> int:
    """The same, as a part of others."""
    s, table = run.stages, run.tableau
    c = run.tableau[0] * run.h
    if run.jacobian_age != 0 or run.turned:  # derivatives of this step serve all its attempts
        status = enter_chart(run, ACTION.KEEP if run.jacobian_age == 0 else ACTION.RENEW)
        if status:
            return status
    status = factor_iteration(run, c, c * c)
    if status:
        return status
    return_to_start(run)
    copy(run.x_rate0, run.x_rate)
    for i in range(run.own_stages):
        status = _solve_stage(run, i)
        if status:
            return status
    copy(run.x0, run.x_stage)
    add_stages(run, view(table, 1 + 3 * s, s), run.x_stage)
    status = end_at(run, run.x_stage)
    if status:
        return status
    estimate_error(run, view(table, 1 + 4 * s, s))
    return count_drives(run)


@kernel
def interpolate(run: RosenbrockMemory) -> int:
    """Dense output by stages."""
    return points_of_stages(run)


@compiled
def points_of_stages(run: RosenbrockMemory) -> int:
    """Dense output by stages, and by one more at the end of the step, whose accelerations are known."""
    s, n, n_q, n_v, f, gamma = run.stages, run.n_s, run.n_q, run.n_v, run.n_f, run.tableau[0]
    if run.own_stages < s:
        load(run, run.t_new, run.y1)
        copy(run.z1, run.a)
        copy(view(run.z1, n_v, run.n_lam), run.lam)
        right = view(run.increments, (s - 1) * n, n)
        positions_seen(run, view(run.rate1, 0, n_q), view(right, 0, f))
        status = second_rates(run, STAGE.P, view(right, f, f))
        if status:
            return status
        copy(view(run.rate1, n_q + n_v, run.n_u), view(right, 2 * f, run.n_u))
        for k in range(n):
            right[k] *= gamma * run.h
        solve_iteration(run, right, gamma * run.h * gamma * run.h)
    return set_inner_points(run)


@kernel
def accepted(run: RosenbrockMemory) -> int:
    """Derivatives are those of this step."""
    run.jacobian_age += 1
    return STATUS.OK


@dataclass(frozen=True, kw_only=True)
class Rosenbrock(ImplicitStateSpace):
    """A linearly implicit Runge–Kutta method on independent coordinates, L-stable; for stiff systems at low accuracy.

    "thesis": order 4, three evaluations in a step (ForRosen); "printed": the same with the coefficients as they are
    printed; "rodasp" (order 4) and "rodas5p" (order 5) are stiffly accurate.

    Negrut, thesis, 4.4; Hairer, Wanner, Solving ODEs II, IV.7; Steinebach 1995, 2023.
    """

    formula: str = option("thesis", '"thesis", "printed", "rodasp" or "rodas5p"')
    filtered: bool = option(False, "whether the error is filtered by the matrix of the stages")

    recovered: float = option(3e-3, "what recoveries of dependent coordinates may leave, in units of the tolerance")

    memory = RosenbrockMemory
    attempt = attempt
    accepted = accepted
    interpolate = interpolate
    dense_slopes = False

    def check(self) -> None:
        """Formula."""
        super().check()
        checked_formula(self, TABLES)
        checked_filter(self)
        if self.reduction == "estimated":
            raise SimulationError(
                "Rosenbrock: jacobian='estimated' is for methods with an iteration, which shows by its convergence "
                "that entries are missing; here these would be errors. Ask for 'grouped', 'dense' or 'exact'"
            )
        if update_of(self.jacobian) == "partitioned":
            raise SimulationError(
                "Rosenbrock: update='partitioned' keeps derivatives, with which its formulas lose their order; they "
                "are evaluated in each step. Leave update away"
            )
        if not (isinstance(self.recovered, (int, float, np.number)) and 0.0 < self.recovered < 1.0):
            raise SimulationError(f"Rosenbrock: recovered must be a number between 0 and 1, got {self.recovered!r:.40}")

    @cached_property
    def rosenbrock_table(self) -> RosenbrockTable:
        """Its coefficients."""
        return TABLES[self.formula]

    @property
    def aims(self) -> bool:  # type: ignore[override]
        """Not where a stage looks beyond the step, and so at the other side of what it ends at."""
        return float(self.rosenbrock_table.alpha.max()) <= 1.0

    @property
    def unseen(self) -> tuple[float, float]:  # type: ignore[override]
        """Behind the last stage that lies within the step."""
        table = self.rosenbrock_table
        own = table.alpha[: table.own_stages or len(table.alpha)]
        return 0.0, 1.0 - float(own[own <= 1.0].max())

    @property
    def name(self) -> str:  # type: ignore[override]
        """By the formula."""
        return {"thesis": "rosenbrock4", "printed": "rosenbrock4_printed"}.get(self.formula, self.formula)

    @property
    def title(self) -> str:
        """With stages and order."""
        table = self.rosenbrock_table
        kind = {"rodasp": "RODASP", "rodas5p": "Rodas5P"}.get(self.formula, "Rosenbrock–Nyström")
        stages = table.own_stages or len(table.m)
        return f"{kind}, {stages} stages, order {table.order}({table.order - 1}), on independent coordinates"

    @property
    def order(self) -> int:
        """That of the table."""
        return self.rosenbrock_table.order

    @property
    def error_order(self) -> int:
        """That of the embedded formula."""
        return self.order - 1

    @property
    def own_controller(self) -> Controller:
        """From the error of the step alone, as (4.8)."""
        return Elementary(safety=0.9, shrink=0.2, grow=5.0)

    @cached_property
    def settings(self) -> Mapping[str, float]:
        """With the end of recoveries."""
        return {**super().settings, "recovery_part": float(self.recovered)}

    def values(self, sizes: Sizes) -> Mapping[str, int]:
        """Stages, the filter."""
        table = self.rosenbrock_table
        stages = len(table.m)
        return {"stages": stages, "own_stages": table.own_stages or stages, "filters": int(self.filtered)}

    def table(self) -> NDArray[np.float64]:
        """The table as the kernels read it."""
        return self.rosenbrock_table.flat()
