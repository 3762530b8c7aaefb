"""Rates and projections by factorising the matrix of constrained motion (mexx (3.1), with F = ∂f/∂λ)

    [ M   Gᵀ − F ]
    [ G     0    ]

from the quantities of the contract, in one of the modes of :mod:`dalembert.linalg.saddle`.
"""

from __future__ import annotations

import numpy as np

from dalembert.equations.contract.convention import CONTRACT, STAGE
from dalembert.integrate.frame.formalism import (
    RESTORATIONS,
    RESTORED,
    note_residual,
    scaled_size,
    take_restored,
    velocity_error,
)
from dalembert.integrate.frame.memory import STATUS, Memory
from dalembert.linalg.plan import HEAD
from dalembert.linalg.saddle import saddle_factor, saddle_solve, smallest_pivot
from dalembert.linalg.vector_operations import (
    add,
    add_product,
    add_scaled,
    clear,
    copy,
    larger,
    negate,
    subtract_product,
    total_size,
)
from dalembert.native.kernel import Reals, call_entry, compiled, kernel, view

FRICTION_ITERATIONS = 25
_PROJECTION_ITERATIONS = 12
#: What the last correction of the projection may leave, from its rate of convergence.
_END = 1e-13
#: Corrections that get no smaller than this are rounding: of places far from the origin, of lengths in the constraints.
_ROUNDING = 1e-10
#: Change of the multipliers, from their size, that ends the iteration of friction.
SETTLED = 1e-13
#: Constraints on accelerations are missed if it is this part of the sizes of their terms, more than rounding, and this
#: part of the relative tolerance: errors of accelerations are hardly more than a ten-thousand times as large.
_MISSED, _OF_TOLERANCE = 1e-14, 1e-6
#: Residuals are evaluated at the ends of the first steps, and then of each fourth.
_FIRST, _EVERY = 8, 4
_GOLDEN = 0.6180339887498949


@compiled
def call_contract(run: Memory, request: int, changed: int) -> int:
    """Quantities of the contract at the point; ``changed`` is the first stage of inputs that is new."""
    return call_entry(run.contract_entry, request, changed, run.inputs, run.contract_outputs, run.contract_work)


@compiled
def multiply_T(run: Memory, v: Reals, out: Reals) -> None:
    """out = T v, for T of the last evaluation of the contract."""
    qdot = view(out, 0, run.n_q)
    clear(qdot)
    add_product(run.T, run.T_rows, run.T_columns, v, qdot)


@compiled
def _friction(run: Memory, friction: int) -> Reals:
    """F, or nothing."""
    F = run.F
    return F if friction else view(F, 0, 0)


@compiled
def factor(run: Memory, friction: int) -> int:
    """The matrix with M, G and F as they were evaluated last."""
    run.nlu += 1
    values = run.saddle_values
    failed = saddle_factor(values, run.saddle_plan, run.saddle, run.M, run.G, _friction(run, friction))
    run.condition = smallest_pivot(values)
    return STATUS.SINGULAR if failed else STATUS.OK


@compiled
def solve(run: Memory, right: Reals, friction: int) -> int:
    """Replace the right-hand side by the solution."""
    run.nsolve += 1
    failed = saddle_solve(run.saddle_values, run.saddle_plan, run.saddle, run.M, run.G, _friction(run, friction), right)
    return STATUS.SINGULAR if failed else STATUS.OK


@compiled
def rank_margin(run: Memory) -> float:
    """How far constraints are from a loss of rank at the end of a step, as a pivot, which vanishes with the square of
    the distance: the smallest pivot of the factors, and what is left of each row.

    Pivots are seen from their own rows, and do not tell that a whole row vanishes, as that across the bars of a linkage
    does where these are in line.
    """
    if not (run.factored or run.friction):
        return run.condition  # the matrix was solved elsewhere
    least = _rows_left(run)
    margin = run.condition * least * least
    return min(margin, _tried(run)) if run.condition == 1.0 and run.factored else margin


@compiled
def _rows_left(run: Memory) -> float:
    """The smallest row of G, from the largest size that it had so far, both seen from the sizes of velocities."""
    G, rows, columns, scale = run.G, run.G_rows, run.G_columns, view(run.scale, run.n_q, run.n_v)
    size, largest = run.row_size, run.row_largest
    clear(size)
    for k in range(G.size):
        size[rows[k]] = max(size[rows[k]], abs(G[k]) * scale[columns[k]])
    least = 1.0
    for k in range(size.size):
        largest[k] = max(largest[k], size[k])
        if largest[k] > 0.0:
            least = min(least, size[k] / largest[k])
    return least


@compiled
def _tried(run: Memory) -> float:
    """For modes that do not tell pivots: multipliers of impulses along all rows, which grow as pivots vanish, beside
    the smallest ones so far."""
    n_v, right, size = run.n_v, run.right, run.row_largest
    clear(right)
    for k in range(size.size):  # no symmetry of a mechanism is that of multiples of the golden ratio
        right[n_v + k] = size[k] * (0.5 + (_GOLDEN * (k + 1)) % 1.0)
    if saddle_solve(run.saddle_values, run.saddle_plan, run.saddle, run.M, run.G, _friction(run, 0), right):
        return 0.0
    largest = 0.0
    for k in range(size.size):
        largest = larger(largest, abs(right[n_v + k]) * size[k])
    if not 0.0 < largest < np.inf:
        return 1.0
    run.least_tried = min(run.least_tried, largest)
    return run.least_tried / largest


@compiled
def lost_digits(run: Memory) -> float:
    """Error of v that a step of this size gets from accelerations that miss G a = γ by more than rounding, in units of
    the tolerance.

    Fixed pivots find multipliers first, with errors in proportion to their size; where constraints are close to
    dependence these are large, and accelerations inherit the errors. Residuals of all steps would take a hundredth of
    the time of a run.
    """
    if run.steps > _FIRST and run.steps % _EVERY:
        return 0.0
    n_v, n_lam, G, rows, columns, a, right = run.n_v, run.n_lam, run.G, run.G_rows, run.G_columns, run.a, run.right
    size, residual = run.row_size, view(right, n_v, n_lam)
    clear(right)
    copy(run.gamma, residual)
    if run.pulled_back:
        _pull_back(run, residual)
    for i in range(n_lam):
        size[i] = abs(residual[i])
    for k in range(G.size):
        product = G[k] * a[columns[k]]
        residual[rows[k]] -= product
        size[rows[k]] += abs(product)
    missed, limit = False, max(_MISSED, _OF_TOLERANCE * run.rtol)
    for i in range(n_lam):
        missed = missed or abs(residual[i]) > limit * size[i]
    if not missed or saddle_solve(
        run.saddle_values, run.saddle_plan, run.saddle, run.M, run.G, _friction(run, run.friction), right
    ):
        return 0.0
    return velocity_error(run, right)


@compiled
def _factor_anew(run: Memory) -> int:
    """The matrix without friction, also where the mode would keep an older decomposition: at the ends of steps."""
    plan = run.saddle_plan
    kept, plan[HEAD.KEEP] = plan[HEAD.KEEP], 0
    status = factor(run, 0)
    plan[HEAD.KEEP] = kept
    return status


@compiled
def _factor_positions(run: Memory) -> int:
    """The matrix with C in place of G, which has a plan of its own where these differ."""
    if run.C_is_G:
        return _factor_anew(run)
    run.nlu += 1
    run.saddle_plan_C[HEAD.KEEP] = 0
    failed = saddle_factor(run.saddle_values_C, run.saddle_plan_C, run.saddle, run.M, run.C, _friction(run, 0))
    return STATUS.SINGULAR if failed else STATUS.OK


@compiled
def _solve_positions(run: Memory, right: Reals) -> int:
    """Replace the right-hand side by the solution with the matrix of :func:`_factor_positions`."""
    if run.C_is_G:
        return solve(run, right, 0)
    run.nsolve += 1
    failed = saddle_solve(run.saddle_values_C, run.saddle_plan_C, run.saddle, run.M, run.C, _friction(run, 0), right)
    return STATUS.SINGULAR if failed else STATUS.OK


@compiled
def _evaluate_motion(run: Memory, changed: int) -> int:
    """What the equations for a and λ are made of."""
    request = CONTRACT.f | CONTRACT.gamma
    if not run.unit_T:
        request |= CONTRACT.T
    if not run.factored:
        request |= CONTRACT.M | CONTRACT.G
    if run.friction:
        request |= CONTRACT.F
    if run.pulled_back:
        request |= CONTRACT.gI | CONTRACT.g
    return STATUS.RAISED if call_contract(run, request, changed) else STATUS.OK


@compiled
def _pull_back(run: Memory, right: Reals) -> None:
    """γ − 2α (G v + gI) − β² g in place of γ: thesis (2.7)."""
    G, rows, columns, v, gI, g = run.G, run.G_rows, run.G_columns, run.v, run.gI, run.g
    gain = run.velocity_gain
    for k in range(gI.size):
        right[k] -= gain * gI[k]
    for k in range(G.size):
        right[rows[k]] -= gain * (G[k] * v[columns[k]])
    add_scaled(-run.position_gain, g, right)


@compiled
def take_motion(run: Memory) -> float:
    """a and λ from the solution; how much λ has changed, relative to its size."""
    n_v, right, lam = run.n_v, run.right, run.lam
    change, size = 0.0, 1e-300
    for i in range(lam.size):
        change = larger(change, abs(right[n_v + i] - lam[i]))
        size = max(size, abs(right[n_v + i]))
        lam[i] = right[n_v + i]
    copy(right, run.a)
    return change / size if change < np.inf else np.inf


@compiled
def _solve_motion(run: Memory, changed: int) -> int:
    """a and λ from M a + Gᵀλ = f(λ), G a = γ."""
    n_v, n_lam, friction = run.n_v, run.n_lam, run.friction
    status = _evaluate_motion(run, changed)
    if status:
        return status
    right = run.right
    for iteration in range(FRICTION_ITERATIONS if friction else 1):
        if friction and iteration and call_contract(run, CONTRACT.f | CONTRACT.F, STAGE.LAM):
            return STATUS.RAISED
        if friction or not run.factored:
            status = factor(run, friction)
            if status:
                return status
            run.factored = 0 if friction else 1
        copy(run.f, view(right, 0, n_v))
        copy(run.gamma, view(right, n_v, n_lam))
        if run.pulled_back:
            _pull_back(run, view(right, n_v, n_lam))
        if friction:  # f(λ) is replaced by its tangent at the last λ
            subtract_product(run.F, run.F_rows, run.F_columns, run.lam, right)
        status = solve(run, right, friction)
        if status:
            return status
        change = take_motion(run)
        if not friction or change <= SETTLED:
            return STATUS.OK
        if not change < np.inf:
            return STATUS.NOT_FINITE
    return STATUS.NEWTON_FAILED


@kernel
def rate(run: Memory) -> int:
    """ẏ = (T v, a, d) at the point."""
    status = _solve_motion(run, run.changed)
    if status:
        return status
    if run.n_u and call_contract(run, CONTRACT.d, STAGE.LAM):
        return STATUS.RAISED
    if run.unit_T:
        copy(run.v, view(run.rates, 0, run.n_q))
    else:
        multiply_T(run, run.v, run.rates)
    return STATUS.OK


@compiled
def restore(run: Memory) -> int:
    """Restore the invariants of q: at once, or by Newton's method where they are implicit, as h(q, s) = 0 is."""
    for _ in range(RESTORATIONS):
        if call_contract(run, CONTRACT.qn, STAGE.T):
            return STATUS.RAISED
        size = take_restored(run)
        if not run.iterates_normal or size <= RESTORED:
            return STATUS.OK
        if not size < np.inf:
            return STATUS.AUXILIARY_FAILED
    return STATUS.AUXILIARY_FAILED


@kernel
def project(run: Memory) -> int:
    """Move q onto g = 0 and v onto G v + gI = 0, orthogonally in the metric of M."""
    if run.normalizes:
        status = restore(run)
        if status:
            return status
    run.factored = 0
    if run.pulled_back:
        if call_contract(run, CONTRACT.g, STAGE.T):
            return STATUS.RAISED
        note_residual(run, run.g)
        return STATUS.OK
    if run.n_g:
        status = _project_positions(run)
        if status:
            return status
    run.factored = 0
    return _project_velocities(run) if run.n_lam else STATUS.OK


@compiled
def _position_correction(run: Memory, fresh: bool) -> int:
    """dq = T δ with M δ + Cᵀμ = 0, C δ = −g; with the matrix of an earlier iterate unless it shall be fresh."""
    n_v, n_g = run.n_v, run.n_g
    # The first rows of G are C, or else C has a matrix of its own.
    right = view(run.right, 0, run.n_z if run.C_is_G else n_v + n_g)
    needed = CONTRACT.g
    if fresh:
        needed |= CONTRACT.M | (CONTRACT.G if run.C_is_G else CONTRACT.C) | (0 if run.unit_T else CONTRACT.T)
    if call_contract(run, needed, STAGE.T):
        return STATUS.RAISED
    if fresh:
        status = _factor_positions(run)
        if status:
            return status
    clear(right)
    negate(run.g, view(right, n_v, n_g))
    status = _solve_positions(run, right)
    if status:
        return status
    if run.unit_T:
        copy(right, run.dq)
    else:
        multiply_T(run, right, run.dq)
    return STATUS.OK


@compiled
def _project_positions(run: Memory) -> int:
    """Modified Newton iteration: mexx (2.11)."""
    run.projections += 1
    q, dq = run.q, run.dq
    before, theta = 0.0, 0.0
    for iteration in range(_PROJECTION_ITERATIONS):
        run.projection_iterations += 1
        # Modified Newton: the matrix of the first iterate serves all, unless convergence is slow.
        status = _position_correction(run, iteration == 0 or theta > 0.1)
        if status:
            return status
        size = scaled_size(run, dq)
        if not size < np.inf:
            return STATUS.PROJECTION_FAILED
        if iteration:
            theta = size / before
            if theta >= 2.0:
                return STATUS.PROJECTION_FAILED
        add(dq, q)
        if run.iterates_normal:
            status = restore(run)
            if status:
                return status
        left = size * min(theta, 1.0) if iteration else size * size
        if left <= _END or (size <= _ROUNDING and theta > 0.5):
            return STATUS.OK
        before = size
    return STATUS.PROJECTION_FAILED


@compiled
def _project_velocities(run: Memory) -> int:
    """Move v onto G v + gI = 0, orthogonally in the metric of M: mexx (2.12). q must be projected already."""
    n_v, n_lam = run.n_v, run.n_lam
    v, right = run.v, run.right
    if call_contract(run, CONTRACT.M | CONTRACT.G | CONTRACT.gI | CONTRACT.g, STAGE.T):
        return STATUS.RAISED
    note_residual(run, run.g)
    status = factor(run, 0) if run.n_g and run.C_is_G else _factor_anew(run)
    if status:
        return status
    run.factored = 1
    clear(view(right, 0, n_v))
    residual = view(right, n_v, n_lam)
    negate(run.gI, residual)
    subtract_product(run.G, run.G_rows, run.G_columns, v, residual)
    status = solve(run, right, 0)
    if status:
        return status
    add(view(right, 0, n_v), v)
    return STATUS.OK if total_size(v) < np.inf else STATUS.PROJECTION_FAILED
