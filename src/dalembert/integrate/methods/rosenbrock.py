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

from dalembert.equations.contract.equations import Sizes
from dalembert.integrate.chart.iteration_matrix import factor_iteration, solve_iteration
from dalembert.integrate.chart.recovery import motion_at
from dalembert.integrate.frame.controllers import Controller, Elementary
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.methods.method import option
from dalembert.integrate.methods.rosenbrock_tables import TABLES, RosenbrockTable
from dalembert.integrate.methods.state_space import (
    StateSpace,
    StateSpaceMemory,
    add_stages,
    checked_filter,
    checked_formula,
    end_at,
    estimate_error,
    hermite,
    renew_chart,
    return_to_start,
    through_inner_points,
)
from dalembert.linalg.vector_operations import copy
from dalembert.native.kernel import compiled, kernel, view

# Layout of the tableau for s stages: see RosenbrockTable.flat.


@compiled
def _solve_stage(run: StateSpaceMemory, i: int) -> int:
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
def attempt(run: StateSpaceMemory) -> int:
    """One step of size h from y0: leaves y1 and error."""
    s, table = run.stages, run.tableau
    c = run.tableau[0] * run.h
    if run.jacobian_age != 0:  # derivatives of this step serve all its attempts
        status = renew_chart(run)
        if status:
            return status
    status = factor_iteration(run, c, c * c)
    if status:
        return status
    return_to_start(run)
    copy(run.x_rate0, run.x_rate)
    for i in range(s):
        status = _solve_stage(run, i)
        if status:
            return status
    copy(run.x0, run.x_stage)
    add_stages(run, view(table, 1 + 3 * s, s), run.x_stage)
    status = end_at(run, run.x_stage)
    if status:
        return status
    estimate_error(run, view(table, 1 + 4 * s, s))
    return STATUS.OK


@kernel
def accepted(run: StateSpaceMemory) -> int:
    """Derivatives are those of this step."""
    run.jacobian_age += 1
    return STATUS.OK


@dataclass(frozen=True, kw_only=True)
class Rosenbrock(StateSpace):
    """A linearly implicit Runge–Kutta method on independent coordinates, L-stable; for stiff systems at low accuracy.

    "thesis": order 4, three evaluations in a step (ForRosen); "printed": the same with the coefficients as they are
    printed; "rodasp" (order 4) and "rodas5p" (order 5) are stiffly accurate, and have dense output of their own.

    Negrut, thesis, 4.4; Hairer, Wanner, Solving ODEs II, IV.7; Steinebach 1995, 2023.
    """

    formula: str = option("thesis", '"thesis", "printed", "rodasp" or "rodas5p"')
    filtered: bool = option(False, "whether the error is filtered by the matrix of the stages")

    memory = StateSpaceMemory
    attempt = attempt
    accepted = accepted

    def check(self) -> None:
        """Formula."""
        super().check()
        checked_formula(self, TABLES)
        checked_filter(self)

    @cached_property
    def rosenbrock_table(self) -> RosenbrockTable:
        """Its coefficients."""
        return TABLES[self.formula]

    @property
    def interpolate(self):  # type: ignore[no-untyped-def, override]
        """By the formula's own dense output, where it has one."""
        return through_inner_points if self.rosenbrock_table.dense.size else hermite

    @property
    def dense_slopes(self) -> bool:  # type: ignore[override]
        """Where it is that of Hermite."""
        return not self.rosenbrock_table.dense.size

    @property
    def name(self) -> str:  # type: ignore[override]
        """By the formula."""
        return {"thesis": "rosenbrock4", "printed": "rosenbrock4_printed"}.get(self.formula, self.formula)

    @property
    def title(self) -> str:
        """With stages and order."""
        table = self.rosenbrock_table
        kind = {"rodasp": "RODASP", "rodas5p": "Rodas5P"}.get(self.formula, "Rosenbrock–Nyström")
        return f"{kind}, {len(table.m)} stages, order {table.order}({table.order - 1}), on independent coordinates"

    @property
    def order(self) -> int:
        """That of the table."""
        return self.rosenbrock_table.order

    @property
    def error_order(self) -> int:
        """That of the embedded formula."""
        return self.order - 1

    @property
    def coefficients(self) -> int:
        """Those of a cubic polynomial, or of a quintic one."""
        return 4 if self.rosenbrock_table.dense.size else 6

    @property
    def own_controller(self) -> Controller:
        """From the error of the step alone, as (4.8)."""
        return Elementary(safety=0.9, shrink=0.2, grow=5.0)

    def values(self, sizes: Sizes) -> Mapping[str, int]:
        """Stages, the filter."""
        return {"stages": len(self.rosenbrock_table.m), "filters": int(self.filtered)}

    def table(self) -> NDArray[np.float64]:
        """The table as the kernels read it."""
        return self.rosenbrock_table.flat()
