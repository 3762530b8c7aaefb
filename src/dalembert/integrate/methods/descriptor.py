"""The descriptor form (thesis 3.3, 4.2, 4.3: InflTrap, InflSDIRK): accelerations and multipliers of all bodies are the
unknowns of a stage, with the residuals

    Ψ(a, λ) = (M a − f + Gᵀλ,  G a − γ)

at positions and velocities whose independent part follows from a by the formula, and whose dependent part follows from
the constraints.  The matrix of the iteration is that of constrained motion plus one of rank n_f (3.83):

    Ψ' = [M  Gᵀ − F; G  0] + (γ²h² Ψ_z + γh Ψ_ż) V

so it is solved by the factors of the first, in any mode of :mod:`dalembert.linalg.saddle` and with one analysis for the
whole run, and a small dense matrix.  The first is taken at each stage, as reactions of a stage, which are large where
forces are stiff, would do work along motions that constraints allow elsewhere; derivatives Ψ_z and Ψ_ż at the start of
the step, unless that does not do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.contract.convention import CONTRACT, STAGE
from dalembert.equations.contract.equations import Equations, Sizes
from dalembert.equations.contract.provider import Provider
from dalembert.errors import SimulationError
from dalembert.integrate.chart.chart import chart_norm, seen
from dalembert.integrate.chart.chart_derivatives import factor_aside, respond
from dalembert.integrate.chart.chart_differences import motion_rows
from dalembert.integrate.chart.chart_layout import (
    DIFFERENCED,
    lay_out_chart,
    reduction_of,
    reduction_programs,
    update_of,
)
from dalembert.integrate.chart.recovery import TURNS, carry_slope, count_drives, recover, second_rates
from dalembert.integrate.frame.contract_formalism import call_contract
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.frame.method_layout import MethodLayout
from dalembert.integrate.implicit.newton import JUDGEMENT, ROUNDED, begin_iteration, judge, judge_end
from dalembert.integrate.implicit.newton_memory import ACTION
from dalembert.integrate.implicit.renewal import MOST_ACTIONS, before_attempt
from dalembert.integrate.methods.method import option
from dalembert.integrate.methods.sdirk_tables import TABLES, TRAPEZOIDAL, SdirkTable
from dalembert.integrate.methods.state_space import (
    MISSED,
    IteratedStateSpace,
    StateSpaceMemory,
    add_stages,
    after_stages,
    checked_filter,
    checked_formula,
    differentiate_here,
    end_corrected,
    enter_chart,
    grow_older,
    hermite,
    last_slope,
    return_to_start,
    slope_missed,
    state_change,
    take_error,
    through_inner_points,
    unexpected_beside,
    unexpected_rates,
)
from dalembert.linalg.factors.dense_lu import lu_factor_rows, lu_solve_rows
from dalembert.linalg.saddle import saddle_solve
from dalembert.linalg.vector_operations import add, clear, copy, negate, total_size
from dalembert.native.kernel import Ints, Kernel, Reals, compiled, kernel, view
from dalembert.native.slots import integer, integers, reals

FORMULAS: dict[str, SdirkTable] = {"trapezoidal": TRAPEZOIDAL, "4/16": TABLES["4/16"], "4/15": TABLES["4/15"]}

# Layout of the tableau for s stages:
#   γ, c (s), A (s·s), A A (s·s), weights of the error (s), of the slopes at the start and of stages in
#   what they differ by and in the error of that (2 + 2 s), of two points within the step (2 s).


class DescriptorMemory(StateSpaceMemory):
    """Stages of a method on the descriptor form."""

    first: int = integer("first stage that is implicit")
    has_start: int = integer("whether the slope at the start counts in the error")
    unknowns: Reals = reals("n_z", "accelerations and multipliers of a stage")
    estimate: Reals = reals("n_z", "what they began with")
    stage_M: Reals = reals("", "M of the stage that was factorised")
    stage_G: Reals = reals("", "G there")
    stage_F: Reals = reals("", "F there, where forces depend on reactions")
    spread: Reals = reals("n_z * n_f", "what the matrix of constrained motion answers to (γ²h² Ψ_z + γh Ψ_ż)")
    small: Reals = reals("n_f * n_f", "1 + V times that, factorised")
    small_pivots: Ints = integers("n_f", "its pivots", ("0", "max(n_f - 1, 0)"))


@compiled
def _factor(run: DescriptorMemory, c: float) -> int:
    """The matrix of constrained motion at the stage, and what makes it that of the iteration."""
    n_v, m, f, n_d, n, right = run.n_v, run.n_lam, run.n_f, run.n_d, run.n_z, run.right
    request = CONTRACT.M | CONTRACT.G | (CONTRACT.F if run.friction else 0)
    if call_contract(run, request, STAGE.T):
        return STATUS.RAISED
    status = factor_aside(run)
    if status:
        return status
    copy(run.M, run.stage_M)
    copy(run.G, run.stage_G)
    copy(view(run.F, 0, run.stage_F.size), run.stage_F)
    Y, spread = run.responses, run.spread
    for j in range(f):
        for i in range(n_v):
            right[i] = c * (c * Y[i * n_d + j] + Y[i * n_d + f + j])
        for i in range(m):
            at = (run.at_ga + i) * n_d + j
            right[n_v + i] = c * (c * Y[at] + Y[at + f])
        status = _solve_motion(run, right)
        if status:
            return status
        for i in range(n):
            spread[i * f + j] = right[i]
    small, V, bent = run.small, run.chart_V, run.seen_responses
    for j in range(f):
        row = view(small, j * f, f)
        for k in range(f):
            row[k] = (1.0 if j == k else 0.0) - c * (c * bent[j * n_d + k] + bent[j * n_d + f + k])
        for i in range(n_v):
            value, source = V[j * n_v + i], view(spread, i * f, f)
            if value != 0.0:
                for k in range(f):
                    row[k] += value * source[k]
    return STATUS.SINGULAR if lu_factor_rows(small, f, run.small_pivots) else STATUS.OK


@compiled
def _solve_motion(run: DescriptorMemory, right: Reals) -> int:
    """Replace a right-hand side by the solution with the matrix of constrained motion, as it was factorised: recoveries
    have evaluated G elsewhere since."""
    run.nsolve += 1
    failed = saddle_solve(run.saddle_values, run.saddle_plan, run.saddle, run.stage_M, run.stage_G, run.stage_F, right)
    return STATUS.SINGULAR if failed else STATUS.OK


@compiled
def _solve(run: DescriptorMemory, right: Reals) -> int:
    """Replace a right-hand side by the solution with the matrix of the iteration."""
    f = run.n_f
    status = _solve_motion(run, right)
    if status:
        return status
    seen(run.chart_V, view(right, 0, run.n_v), run.along_f)
    lu_solve_rows(run.small, f, run.small_pivots, run.along_f)
    for i in range(right.size):
        row, total = view(run.spread, i * f, f), 0.0
        for j in range(f):
            total += row[j] * run.along_f[j]
        right[i] -= total
    return STATUS.OK


@compiled
def _set_state(run: DescriptorMemory, i: int, own: Reals) -> None:
    """Independent positions and velocities of a stage, from accelerations of those before it and its own."""
    s, f, n, h, x0, x = run.stages, run.n_f, run.n_s, run.h, run.x0, run.x_stage
    first, second = 1 + s + i * s, 1 + s + s * s + i * s
    for k in range(f):
        x[k] = x0[k] + run.tableau[1 + i] * h * x0[f + k]
        x[f + k] = x0[f + k]
    for j in range(i + 1):
        source = own if j == i else view(run.increments, j * n + f, f)
        of_velocity, of_position = h * run.tableau[first + j], h * h * run.tableau[second + j]
        if j < i:  # increments have the factor h already
            of_velocity, of_position = of_velocity / h, of_position / h
        for k in range(f):
            x[k] += of_position * source[k]
            x[f + k] += of_velocity * source[k]


@compiled
def _accelerate(run: DescriptorMemory, out: Reals) -> int:
    """z̈ at the point, with the accelerations that are known of the stage."""
    copy(run.unknowns, run.a)
    copy(view(run.unknowns, run.n_v, run.n_lam), run.lam)
    return second_rates(run, STAGE.T, out)


@compiled
def _solve_stage(run: DescriptorMemory, i: int) -> int:
    """A stage; where derivatives of the start do not do, with those of the estimated stage."""
    copy(run.unknowns, run.estimate)
    status = _iterate_stage(run, i, False)
    if status == STATUS.NEWTON_FAILED:
        copy(run.estimate, run.unknowns)
        return_to_start(run)
        status = _iterate_stage(run, i, True)
    return status


@compiled
def _iterate_stage(run: DescriptorMemory, i: int, anew: bool) -> int:
    """Iterate for accelerations and multipliers of a stage, from those of the stage before it."""
    n_v, m, f, right = run.n_v, run.n_lam, run.n_f, run.right
    t, c = run.t_now + run.tableau[1 + i] * run.h, run.tableau[0] * run.h
    own, newer, change = view(run.x_rate, f, f), run.along_f, run.x_right
    begin_iteration(run)
    before = 0.0
    status = _accelerate(run, own)
    for iteration in range(run.newton_limit):
        _set_state(run, i, own)
        status = recover(run, t, run.x_stage, TURNS) if status == STATUS.OK else status
        if status:
            return status
        run.nfev += 1
        if iteration == 0:
            status = differentiate_here(run) if anew else STATUS.OK
            status = _factor(run, c) if status == STATUS.OK else status
            if status:
                return status
        status = motion_rows(run)
        if status:
            return status
        negate(run.residual, view(right, 0, n_v))
        negate(run.ga, view(right, n_v, m))
        if not total_size(right) < np.inf:
            return STATUS.NOT_FINITE
        status = _solve(run, right)
        if status:
            return status
        add(right, run.unknowns)
        # z̈ follows from a, and where T is not 1, from where the point is now.
        status = _accelerate(run, newer)
        if status:
            return status
        for k in range(f):
            step = newer[k] - own[k]
            change[k], change[f + k] = c * c * step, c * step
        size = chart_norm(run, change)
        judgement = judge(run, iteration, size, before)
        before = size
        if judgement == JUDGEMENT.CONVERGED:
            _keep_stage(run, i, change)
            return STATUS.OK
        if judgement == JUDGEMENT.HOPELESS:
            break
        for k in range(f):
            own[k] += change[f + k] / c
    return STATUS.NEWTON_FAILED if before < np.inf else STATUS.NOT_FINITE


@compiled
def _keep_stage(run: DescriptorMemory, i: int, change: Reals) -> None:
    """h (ż, z̈) of a stage, with the last correction."""
    f, n, h, c = run.n_f, run.n_s, run.h, run.tableau[0] * run.h
    target = view(run.increments, i * n, n)
    for k in range(f):
        target[k] = h * (run.x_stage[f + k] + change[f + k])
        target[f + k] = h * (run.x_rate[f + k] + change[f + k] / c)


@compiled
def _solve_stages(run: DescriptorMemory) -> int:
    """All stages; the slowest iteration counts."""
    n = run.n_s
    slowest, most = 0.0, 0
    return_to_start(run)
    copy(run.z0, run.unknowns)
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
def _iterate(run: DescriptorMemory) -> int:
    """Stages with a chart as fresh as they need it."""
    c = run.tableau[0] * run.h
    action = before_attempt(run, 1.0 / c)
    status = STATUS.NEWTON_FAILED
    for _ in range(MOST_ACTIONS):
        status = enter_chart(run, action)
        if status:
            return status
        status = _solve_stages(run)
        action = after_stages(run, status, 1.0 / c)
        if action == ACTION.GIVE_UP:
            break
    return status


@kernel
def descriptor(run: DescriptorMemory) -> int:
    """Derivatives of Ψ by z and ż: those of all rows of the program."""
    return respond(run)


@kernel
def attempt(run: DescriptorMemory) -> int:
    """One step of size h from y0: leaves y1 and error."""
    status = _iterate(run)
    if status:
        return status
    status = end_corrected(run)
    if status:
        return status
    last_slope(run)
    s, error = run.stages, run.x_right
    clear(error)
    add_stages(run, view(run.tableau, 1 + s + 2 * s * s, s), error)
    if run.filters:
        status = _filter(run, error)
    take_error(run, error)
    if status == STATUS.OK and run.has_start:
        status = _count_start(run)
    return count_drives(run) if status == STATUS.OK else status


@compiled
def _count_start(run: DescriptorMemory) -> int:
    """As :func:`~dalembert.integrate.methods.state_space.count_start`, with the filter of this form."""
    if not run.error <= 1.0:
        return STATUS.OK
    s, error = run.stages, run.x_right
    missed = 0.0
    for row in range(2):
        slope_missed(run, view(run.tableau, 1 + 2 * s + 2 * s * s + row * (1 + s), 1 + s), error)
        status = _filter(run, error) if run.filters else STATUS.OK
        if status:
            return status
        size = chart_norm(run, error)
        if row == 0 and not size > 1.0:
            return STATUS.OK
        if row == 1 and missed > MISSED * size:
            run.error = missed
        missed = size
    return STATUS.OK


@compiled
def _filter(run: DescriptorMemory, error: Reals) -> int:
    """Replace an error e by x with x − c J x = e, (5.6), by the matrix of the last stage: z̈' of x_ż = e_ż + c z̈'."""
    n_v, m, f, n_d, right, Y = run.n_v, run.n_lam, run.n_f, run.n_d, run.right, run.responses
    c = run.tableau[0] * run.h
    ahead = run.x_trial
    for k in range(f):
        ahead[k], ahead[f + k] = error[k] + c * error[f + k], error[f + k]
    for i in range(n_v + m):
        row = view(Y, (i if i < n_v else run.at_ga + i - n_v) * n_d, n_d)
        total = 0.0
        for k in range(2 * f):
            total += row[k] * ahead[k]
        right[i] = -total
    status = _solve_motion(run, right)
    if status:
        return status
    second, bent = run.along_f, run.seen_responses
    seen(run.chart_V, view(right, 0, n_v), second)
    for j in range(f):
        row = view(bent, j * n_d, n_d)
        for k in range(2 * f):
            second[j] += row[k] * ahead[k]
    lu_solve_rows(run.small, f, run.small_pivots, second)
    for k in range(f):
        error[f + k] += c * second[k]
        error[k] += c * error[f + k]
    return STATUS.OK


@compiled
def _correct_end(run: DescriptorMemory, rates: Reals) -> int:
    """Replace rates (·, z̈) that the end lacks by the change that they make of those of the formula."""
    f, c = run.n_f, run.tableau[0] * run.h
    for k in range(f):
        rates[k], rates[f + k] = 0.0, c * rates[f + k]
    status = _filter(run, rates)
    for k in range(f):
        rates[f + k] /= c
    return status


@kernel
def confirm(run: DescriptorMemory) -> int:
    """As in all methods on independent coordinates, with the matrix of these equations."""
    c = run.tableau[0] * run.h
    status = unexpected_rates(run)
    if status != STATUS.REJECTED:
        return status
    status = _correct_end(run, run.x_right)
    if status:
        return STATUS.OK
    copy(run.x_right, run.x_trial)
    before = state_change(run, run.x_trial, c, c * c)
    if not before * run.rtol > ROUNDED:
        return STATUS.OK
    status = unexpected_beside(run, c, c * c)
    if status == STATUS.OK:
        status = _correct_end(run, run.x_right)
    if status:
        return status if status == STATUS.RAISED else STATUS.OK
    return judge_end(run, before, state_change(run, run.x_right, c, c * c))


@kernel
def accepted(run: DescriptorMemory) -> int:
    """The last slope is where the next step starts from."""
    grow_older(run)
    return carry_slope(run)


@dataclass(frozen=True, kw_only=True)
class Descriptor(IteratedStateSpace):
    """A method whose unknowns are accelerations and multipliers of all bodies: the trapezoidal rule (InflTrap), or a
    diagonally implicit Runge–Kutta method of order 4 (InflSDIRK).

    Negrut, thesis, 3.3, 4.2, 4.3.
    """

    formula: str = option("4/16", '"trapezoidal", "4/16" or "4/15"')
    filtered: bool = option(False, "whether the error is filtered by the matrix of the iteration")

    memory = DescriptorMemory
    attempt = attempt
    accepted = accepted
    confirm = confirm
    form = "accelerations and multipliers, with independent coordinates of a chart"

    def check(self) -> None:
        """Formula, filter, iteration."""
        super().check()
        checked_formula(self, FORMULAS)
        checked_filter(self)
        if self.reduction not in ("auto", "exact", *DIFFERENCED):
            raise SimulationError(
                "Descriptor: derivatives of all rows are taken, 'exact' or by 'dense', 'grouped' or 'estimated' "
                f"differences, and nothing is solved for them; there is no jacobian={self.jacobian!r:.40}"
            )

    @property
    def reduction(self) -> str:
        """The strategy that ``jacobian`` means; dense differences are those of all rows by single columns."""
        found = reduction_of(self.jacobian)
        return "full" if found == "numeric" and self.jacobian != "numeric" else found

    @cached_property
    def formula_table(self) -> SdirkTable:
        """Its coefficients."""
        return FORMULAS[self.formula]

    @property
    def interpolate(self) -> Kernel:  # type: ignore[override]
        """By the formula's own dense output, where it has one."""
        return hermite if self.formula == "trapezoidal" else through_inner_points

    @property
    def dense_slopes(self) -> bool:  # type: ignore[override]
        """Where it is that of Hermite."""
        return self.formula == "trapezoidal"

    @property
    def unseen(self) -> tuple[float, float]:  # type: ignore[override]
        """That of the table; the trapezoidal rule sees both ends."""
        return (0.0, 0.0) if self.formula == "trapezoidal" else self.formula_table.unseen

    @property
    def name(self) -> str:  # type: ignore[override]
        """By the formula."""
        return {"trapezoidal": "descriptor_trapezoidal", "4/16": "descriptor_sdirk4"}.get(
            self.formula, "descriptor_sdirk4_15"
        )

    @property
    def title(self) -> str:
        """With the formula."""
        kind = "trapezoidal rule" if self.formula == "trapezoidal" else f"SDIRK {self.formula}"
        return f"{kind}, order {self.order}, on the descriptor form"

    @property
    def order(self) -> int:
        """That of the formula."""
        return 2 if self.formula == "trapezoidal" else 4

    @property
    def error_order(self) -> int:
        """That of the embedded formula."""
        return 1 if self.formula == "trapezoidal" else 3

    @property
    def dense_order(self) -> int:
        """That of the formula's dense output; the trapezoidal rule has the error of the ends of its steps."""
        return 1 if self.formula == "trapezoidal" else 3

    @property
    def coefficients(self) -> int:
        """Those of a cubic polynomial, or of a quintic one."""
        return 6 if self.formula == "trapezoidal" else 4

    def programs_of(self, equations: Equations) -> tuple[str, ...]:
        """The contract, and "reduced" or what there is for differences."""
        if self.reduction in DIFFERENCED:
            return "contract", *reduction_programs(self.reduction, equations)
        if why_not := equations.lacks("reduced"):
            raise SimulationError(
                f"'{self.name}' needs derivatives of accelerations, which '{equations.name}' does not have: {why_not}. "
                "Ask for jacobian='grouped', 'estimated' or 'dense' differences"
            )
        return "contract", "reduced"

    def lay_out(self, equations: Equations, providers: Mapping[str, Provider], solver: str) -> MethodLayout:
        """That of a chart, with all derivatives kept."""
        if equations.sizes.u:
            raise SimulationError(
                f"'{self.name}' has no place for external states, which '{equations.name}' has; take 'sdirk4' or "
                "'radau'"
            )
        strategy = self.reduction if self.reduction in DIFFERENCED else "columns"
        made = self._of_chart(lay_out_chart(equations, providers, strategy))
        contract = providers["contract"].patterns
        kept = {f"stage_{name}": len(contract[name].rows) for name in ("M", "G", "F")}
        renews = int(update_of(self.jacobian) == "none")
        return made._replace(
            kernels={**made.kernels, "reduction_kernel": descriptor}, sizes={**made.sizes, **kept},
            values={**made.values, "renews_for_alpha": renews},
        )  # fmt: skip

    def values(self, sizes: Sizes) -> Mapping[str, int]:
        """Stages, the first implicit one, the filter."""
        table = self.formula_table
        first, has_start = int(table.explicit_first), int(self.formula != "trapezoidal")
        return {"stages": len(table.c), "first": first, "has_start": has_start, "filters": int(self.filtered)}

    def table(self) -> NDArray[np.float64]:
        """The table as the kernels read it."""
        table = self.formula_table
        parts = [np.array([table.gamma]), table.c, table.A, table.A @ table.A, table.b - table.b_embedded]
        if self.formula != "trapezoidal":
            parts += [table.start_weights(), table.inner_weights(1 / 3), table.inner_weights(2 / 3)]
        return np.concatenate([part.reshape(-1) for part in parts])
