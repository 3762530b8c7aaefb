"""Backward differentiation formulas of variable order and step size, with fixed leading coefficient, on the stabilised
index-2 form (Gear, Gupta, Leimkuhler), as in DASSL and IDA.

The history are modified divided differences φ_1, φ_2, … of (q, v, u) and of (a, λ) at the ends of the last steps, all
of them projected onto the constraints.  With order k they predict y⁽⁰⁾ and ẏ⁽⁰⁾, and the corrector equation is
(corrector (13), with DASSL's coefficients)

    F(y, ẏ⁽⁰⁾ + α (y − y⁽⁰⁾)) = 0,   α = (1 + 1/2 + … + 1/k) / h

α is the same in all steps of one size and order, and the Newton matrix α E(M) + K of
:mod:`~dalembert.integrate.implicit.newton_matrix` serves for many of them; with another α close by, corrections are
scaled (corrector (18)).  Only (q, v, u) count in norms, not the multipliers.

K. E. Brenan, S. L. Campbell, L. R. Petzold, Numerical Solution of Initial-Value Problems in Differential-Algebraic
Equations, SIAM 1996, 5.2 ("BCP").  Different from there: the end of a step is projected before it becomes history, and
a step of a Radau IIA method makes history at a start, after an event and after a break: three or five stages are points
enough for order 3 or 5.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.contract.convention import CONTRACT, IMPLICIT, STAGE
from dalembert.equations.contract.equations import Equations, Sizes
from dalembert.equations.contract.provider import Provider
from dalembert.errors import SimulationError, suggestion
from dalembert.integrate.frame.contract_formalism import call_contract
from dalembert.integrate.frame.control import norm_of_sum, weighted_norm
from dalembert.integrate.frame.controllers import ByMethod, Controller, FixedStep
from dalembert.integrate.frame.formalism import load, note_residual
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.frame.method_layout import MethodLayout
from dalembert.integrate.frame.nested import to_nested
from dalembert.integrate.implicit.jacobian import KIND, Jacobian, jacobian_of
from dalembert.integrate.implicit.krylov import DIMENSION
from dalembert.integrate.implicit.newton import JUDGEMENT, Newton, judge
from dalembert.integrate.implicit.newton_matrix import factor_real, solve_real
from dalembert.integrate.implicit.newton_memory import ACTION
from dalembert.integrate.implicit.renewal import after_failure, before_attempt
from dalembert.integrate.implicit.residual import call_implicit, differential, stage_residual
from dalembert.integrate.implicit.updates import carry_out
from dalembert.integrate.methods import radau_tables
from dalembert.integrate.methods.method import Method, option
from dalembert.integrate.methods.radau import RadauMemory, collocation_polynomial, radau_step
from dalembert.linalg.factors.dense_lu import lu_factor, lu_solve
from dalembert.linalg.vector_operations import add_product, add_scaled, clear, copy, negate
from dalembert.native.kernel import Ints, Reals, compiled, kernel, view
from dalembert.native.legend import Legend
from dalembert.native.slots import COUNT, FLAG, integer, integers, real, reals

LARGEST_ORDER, USUAL_ORDER = 6, 5
#: Stages of the method that makes the first history, which are points enough for an order as high as that: more of them
#: where the highest order is beyond the first number.
_STAGES, _MORE_STAGES = 3, 5
#: Factors by which sizes change (BCP): doubled or kept where errors are small, and between these where they are not.
_SHRINK, _SHRINK_LEAST = 0.5, 0.9
#: Where sizes and orders were the same for some time, the size also grows by less than that, and not by all of it.
_GROWN = 0.8
#: After an error that was too large: the smallest factor, and a part of what the error asks for.
_SHRINK_MOST, _CARE = 0.25, 0.9
#: Exact derivatives cost less than the iterations that they save, differences more.
_KEEP_EXACT, _KEEP_DIFFERENCES = 0.1, 0.9
#: After a doubling of the size that has failed, so many steps keep theirs, and after each further one twice as many, up
#: to the second number.
_PATIENCE_FIRST, _PATIENCE = 4, 32
#: Projections that move the ends of steps by more than the tolerance set fast motions off, and ask for an iteration
#: that ends with smaller corrections. What they did is remembered, and fades by this factor in each step.
_FADING = 0.98
#: An attempt at a step that has failed so often has order 1.
_GIVE_UP = 3
#: α of factors from which corrections are scaled, relative to the one in use: contraction 1/4 and no worse.
_RESCALE_FROM = 0.6
#: What is said of convergence with a new matrix, and with another α, before there is a rate: size of an iterate's error
#: beside its correction (IDA).
_UNKNOWN, _UNKNOWN_ALPHA = 20.0, 100.0
#: The least that is said: a rate may have been small by chance, as those of corrections close to rounding are.
_KNOWN = 0.02
#: Iterations at most, and the correction that ends them in units of the tolerance. Where the relative tolerance is
#: larger than ``_LOOSE``, what is left of constraints after linear corrections counts more, and they end later.
_LIMIT, _TOLERANCE, _LOOSE = 6, 0.1, 1e-5


LEVEL = Legend(
    "which constraints a BDF method has in its equations",
    GGL="those of positions and velocities: stabilised index 2",
    INDEX3="those of positions",
    INDEX2="those of velocities",
    INDEX1="those of accelerations",
)


class BdfMemory(RadauMemory):
    """History and coefficients of a BDF method; rows of differences hold (q, v, u, a, λ), the first one at the start of
    the step."""

    n_h: int = integer("entries of a row of the history, (q, v, u, a, λ)")
    depth: int = integer("rows of the history")
    min_order: int = integer("lowest order")
    max_order: int = integer("highest order")
    starter: int = integer("whether a Radau step makes the first history", FLAG)
    level: int = integer("which constraints the equations have", ("0", str(LEVEL.end - 1)))
    n_rows: int = integer("rows of the mass matrix by which those of dynamics are solved, or 0")
    M_factors: Reals = reals("n_rows * n_rows", "M at the iterate, factorised")
    M_pivots: Ints = integers("n_rows", "its pivots")
    corrector_limit: int = integer("iterations at most")
    corrector_tol: float = real("correction that ends an iteration, in units of the tolerance; 0 for its own")
    worth: float = real("growth of the size that is worth another α")
    velocities: int = integer("whether velocities count in the error of a step", FLAG)
    error_weight: Reals = reals("n_y", "weights in the norm of this error")
    next_order: int = integer("order k of the next attempt", ("1", "max_order"))
    known: int = integer("rows of differences that are known", ("1", "depth"))
    starting: int = integer("whether the last attempt was made by the starter", FLAG)
    raising: int = integer("whether order and size are raised in each step, as at a start", FLAG)
    lowering: int = integer("whether the last attempt asks for a lower order", FLAG)
    failures: int = integer("attempts given up since the last step", COUNT)
    patience: int = integer("steps to wait before the size is doubled again, as that has failed", ("0", str(_PATIENCE)))
    waiting: int = integer("steps that are left of them", ("0", str(_PATIENCE)))
    steady: int = integer("steps of this size and order, up to the last one", COUNT)
    last_order: int = integer("order of the last step", ("0", "max_order"))
    alpha: float = real("α: leading coefficient over the size")
    alpha_last: float = real("that of the last attempt")
    kick: float = real("largest change of the last steps by projection, in units of the tolerance, fading")
    error_here: float = real("error of order k, as constant steps would have it")
    error_below: float = real("error of order k − 1")
    past_sizes: Reals = reals("depth", "sizes of the last steps, the newest first")
    differences: Reals = reals("depth * n_h", "φ_1, φ_2, … at the start of the step")
    renewed: Reals = reals("depth * n_h", "those at its end")
    predicted: Reals = reals("n_h", "what the differences predict for its end: increments of (q, v, u), and a, λ")
    predicted_rate: Reals = reals("n_h", "rates of the same polynomial there")
    change: Reals = reals("n_h", "what the end differs by from that")
    iterate: Reals = reals("n_x", "x of the corrector iteration, increments from y0")
    corrections: Reals = reals("n_x", "residuals, then corrections")
    moved_by: Reals = reals("n_y", "(q, v, u) of a correction")
    psi: Reals = reals("max_order + 3", "ψ_i: distance from the end of the step to i points before")
    beta_ratios: Reals = reals("max_order + 3", "β_i: what differences are multiplied by for the new size")
    sigma: Reals = reals("max_order + 3", "σ_i: errors of constant steps from those of steps of these sizes")
    gamma_sums: Reals = reals("max_order + 3", "γ_i: rates of the basis polynomials at the end of the step")
    polynomial: Reals = reals("max_order + 4", "a basis polynomial of the dense output, by powers")
    nested: Reals = reals("max_order + 4", "the same in nested form")


# ------------------------------------------------------------------------------------------------------- coefficients


@compiled
def _set_coefficients(run: BdfMemory, k: int) -> float:
    """ψ, β, σ, γ and α for order k and the size h: BCP (5.2.1 …). Entries count from 1. Gives C_k, the factor of the
    error."""
    h, past, psi, beta, sigma, gamma = run.h, run.past_sizes, run.psi, run.beta_ratios, run.sigma, run.gamma_sums
    psi[0], psi[1] = 0.0, h
    beta[1] = sigma[1] = 1.0
    gamma[1] = 0.0
    before = alpha_0 = alpha_s = 0.0
    for i in range(1, k + 1):
        before += past[i - 1]  # ψ_i of the last step
        psi[i + 1] = psi[i] + past[i - 1]
        beta[i + 1] = beta[i] * (psi[i] / before)
        sigma[i + 1] = i * sigma[i] * (h / psi[i + 1])
        gamma[i + 1] = gamma[i] + 1.0 / psi[i]
        alpha_0 -= h / psi[i]
        alpha_s -= 1.0 / i
    run.alpha = -alpha_s / h
    next_one = h / psi[k + 1] if k else 1.0
    return max(next_one, abs(next_one + alpha_s - alpha_0))


@compiled
def _row(run: BdfMemory, i: int) -> Reals:
    """φ_i."""
    return view(run.differences, (i - 1) * run.n_h, run.n_h)


@compiled
def _predict(run: BdfMemory, k: int) -> None:
    """Increments of (q, v, u), a and λ themselves, and rates, at the end of the step: Σ β_i φ_i, Σ γ_i β_i φ_i."""
    beta, gamma, predicted, rates, n = run.beta_ratios, run.gamma_sums, run.predicted, run.predicted_rate, run.n_y
    clear(predicted)
    clear(rates)
    for i in range(k + 1, 1, -1):  # from the smallest on; φ_1 is y0
        row, b, g = _row(run, i), beta[i], gamma[i] * beta[i]
        for c in range(predicted.size):
            predicted[c] += b * row[c]
            rates[c] += g * row[c]
    first = _row(run, 1)
    for c in range(n, predicted.size):
        predicted[c] += first[c]


# ----------------------------------------------------------------------------------------------------------- corrector


@compiled
def _load_prediction(run: BdfMemory) -> None:
    """The iterate begins with the prediction, and μ = 0."""
    n, n_g, n_lam, n_u, x = run.n_q + run.n_v, run.n_g, run.n_lam, run.n_u, run.iterate
    predicted = run.predicted
    copy(predicted, view(x, 0, n))
    clear(view(x, n, n_g))
    copy(view(predicted, run.n_y + run.n_v, n_lam), view(x, n + n_g, n_lam))
    copy(view(predicted, n, n_u), view(x, n + n_g + n_lam, n_u))


@compiled
def _load_rates(run: BdfMemory, out: Reals) -> None:
    """Rates ẏ⁽⁰⁾ + α (y − y⁽⁰⁾) of the iterate, in the places of (q, v, u)."""
    n, gap, alpha, x = run.n_q + run.n_v, run.n_g + run.n_lam, run.alpha, run.iterate
    predicted, rates = run.predicted, run.predicted_rate
    for k in range(n):
        out[k] = rates[k] + alpha * (x[k] - predicted[k])
    for k in range(n, run.n_y):
        out[gap + k] = rates[k] + alpha * (x[gap + k] - predicted[k])


@compiled
def _residual(run: BdfMemory) -> int:
    """Residuals at the iterate, in the place of corrections; μ = 0 stands where constraints are left away."""
    out = run.corrections
    _load_rates(run, out)
    status = stage_residual(run, run.t_new, run.iterate, out)
    if status or run.level == LEVEL.GGL:
        return status
    at, n_g, n_lam = run.n_q + run.n_v, run.n_g, run.n_lam
    if run.level == LEVEL.INDEX3:
        clear(view(out, at + n_g, n_g))
        return STATUS.OK
    clear(view(out, at, n_g))
    if run.level == LEVEL.INDEX1:  # over α, which its derivatives by v then have no more
        if call_contract(run, CONTRACT.G | CONTRACT.gamma, STAGE.P):
            return STATUS.RAISED
        run.factored = 0
        acceleration = view(out, at + n_g, n_lam)
        negate(run.gamma, acceleration)
        add_product(run.G, run.G_rows, run.G_columns, run.a, acceleration)
        for i in range(n_lam):
            acceleration[i] /= run.alpha
    return STATUS.OK


@compiled
def _solve_for_accelerations(run: BdfMemory) -> int:
    """Rows v̇ − M⁻¹ (f − Gᵀλ) of corrector (10), times the M of the Newton matrix, with which they have the same matrix:
    whatever M does meanwhile, ∂/∂v̇ stays what it was."""
    n, place, factors = run.n_v, run.mass_of_M, run.M_factors
    if call_contract(run, CONTRACT.M, STAGE.P):
        return STATUS.RAISED
    run.factored = 0
    clear(factors)
    rows, columns, M = run.mass_rows, run.mass_columns, run.M
    for k in range(place.size):
        if place[k] >= 0:
            factors[rows[place[k]] * n + columns[place[k]]] = M[k]
    right = view(run.corrections, run.n_q, n)
    if lu_factor(factors, n, run.M_pivots, run.dgetrf):
        return STATUS.SINGULAR
    lu_solve(factors, n, run.M_pivots, right, run.dgetrs)
    copy(right, view(run.x_right, 0, n))
    clear(right)
    add_product(run.mass, rows, columns, view(run.x_right, 0, n), right)
    return STATUS.OK


@compiled
def _iterate(run: BdfMemory, action: int) -> int:
    """Corrections of the prediction by the factors at hand, scaled to this α (corrector (14), (18)); by new ones where
    an action asks for them, with derivatives from where the iteration begins."""
    x, correction, moved = run.iterate, run.corrections, run.moved_by
    _load_prediction(run)
    run.theta = 0.0
    run.convergence = max(run.convergence, _KNOWN)
    before = 0.0
    for iteration in range(run.corrector_limit):
        status = _residual(run)
        if status:
            return status
        if iteration == 0 and action != ACTION.KEEP and action != ACTION.RESCALE:
            status = carry_out(run, action)
            if status == STATUS.OK:
                status = _factorise(run)
            if status:
                return status
        if run.n_rows:
            status = _solve_for_accelerations(run)
            if status:
                return status
        solve_real(run, 0, correction)
        factor = -2.0 / (1.0 + run.alpha / run.alpha_factored)
        add_scaled(factor, correction, x)
        differential(run, correction, moved)
        size = abs(factor) * weighted_norm(run, moved)
        judgement = judge(run, iteration, size, before)
        before = size
        if judgement == JUDGEMENT.CONVERGED:
            return STATUS.OK
        if judgement == JUDGEMENT.HOPELESS:
            break
    return STATUS.NEWTON_FAILED if before < np.inf else STATUS.NOT_FINITE


@compiled
def _factorise(run: BdfMemory) -> int:
    """The Newton matrix of this α."""
    run.have_factors = 0
    status = factor_real(run, 0, run.alpha)
    if status == STATUS.OK:
        run.alpha_factored, run.have_factors = run.alpha, 1
        run.convergence = _UNKNOWN
    return status


@compiled
def _correct(run: BdfMemory) -> int:
    """The end of the step, with a matrix as fresh as it needs."""
    alpha = run.alpha
    if alpha != run.alpha_last:
        run.convergence = _UNKNOWN_ALPHA
    run.alpha_last = alpha
    action = before_attempt(run, alpha)
    while True:
        if action == ACTION.RENEW_M and run.n_rows:
            action = ACTION.REFACTOR  # corrector (24)
        failure = _iterate(run, action)
        if failure == STATUS.SINGULAR:
            run.jacobian_age = -1
        if failure != STATUS.NEWTON_FAILED and failure != STATUS.NOT_FINITE:
            return failure
        if run.jacobian_age < 0:  # there are no derivatives at the prediction
            return failure
        action = after_failure(run, alpha)
        if action == ACTION.GIVE_UP:
            run.jacobian_age = -1
            return failure


# --------------------------------------------------------------------------------------------------------------- steps


@compiled
def _estimate(run: BdfMemory, k: int, factor: float) -> None:
    """Error of the step, and errors of orders k, k − 1 and k − 2 that tell whether the order is to be lowered: BCP."""
    beta, sigma, weight, change = run.beta_ratios, run.sigma, run.error_weight, run.change
    none = _row(run, 1)
    size = norm_of_sum(weight, change, 0.0, none, 0.0, none)
    run.error, run.error_here = factor * size, sigma[k + 1] * size
    run.lowering, run.error_below = 0, np.inf
    if k == 1 or run.min_order == run.max_order:
        return
    here, last = (k + 1) * run.error_here, _row(run, k + 1)
    run.error_below = sigma[k] * norm_of_sum(weight, change, beta[k + 1], last, 0.0, none)
    below = k * run.error_below
    if k == 2:
        run.lowering = 1 if below <= 0.5 * here else 0
        return
    two_below = (k - 1) * sigma[k - 1] * norm_of_sum(weight, change, beta[k + 1], last, beta[k], _row(run, k))
    run.lowering = 1 if max(below, two_below) <= here else 0


@compiled
def _start(run: BdfMemory) -> int:
    """A Radau step, where there is no history to go on with."""
    run.starting, run.by_stages = 1, 0
    run.have_factors = 0
    rescaled, run.rescale_from = run.rescale_from, 0.0
    status = radau_step(run)
    run.rescale_from, run.by_stages = rescaled, -1
    run.have_factors = 0  # those are of other matrices
    if status:
        return status
    # What the history predicts, where all steps have one order.
    k = run.known - 1
    _set_coefficients(run, k)
    _predict(run, k)
    factor = 0.9 * max(run.error, 1e-10) ** (-1.0 / (run.stages + 1))
    run.h_next = abs(run.h) * max(0.1, min(1.0, factor))
    return STATUS.OK


@compiled
def _set_first_rate(run: BdfMemory) -> None:
    """The point before the first one, where the tangent leads to: BCP."""
    second = _row(run, 2)
    clear(second)
    for c in range(run.n_y):
        second[c] = run.h * run.rate0[c]
    run.past_sizes[0] = run.h


@kernel
def begin(run: BdfMemory) -> int:
    """There is no history but the start itself, and no Jacobian that may be used."""
    run.have_factors, run.jacobian_age, run.by_stages = 0, -1, -1
    first = _row(run, 1)
    copy(run.y0, view(first, 0, run.n_y))
    copy(run.z0, view(first, run.n_y, run.n_z))
    clear(run.past_sizes)
    run.known = 1
    run.failures = run.steady = run.last_order = run.patience = run.waiting = 0
    run.kick = 0.0
    run.next_order = run.min_order
    run.raising = 0 if run.starter else 1
    return STATUS.OK


@compiled
def _tolerance(run: BdfMemory) -> float:
    """Correction that ends an iteration."""
    kick = max(1.0, 2.0 * run.kick)
    tolerance = run.corrector_tol
    if tolerance == 0.0:
        tolerance = _TOLERANCE * min(1.0, (_LOOSE / run.rtol) ** (1.0 / 3.0))
    return tolerance / (kick * kick)


@compiled
def _set_error_weights(run: BdfMemory) -> None:
    """What counts in the error of a step."""
    copy(run.weight, run.error_weight)
    if not run.velocities:
        clear(view(run.error_weight, run.n_q, run.n_v))


@kernel
def attempt(run: BdfMemory) -> int:
    """One step of size h from y0: leaves y1, error, and after failure h_next and next_order for the next attempt."""
    if not run.after_reject:
        run.failures = 0
    else:
        run.raising = 0
    if run.keep_rate == 0.0:
        run.keep_rate = _KEEP_EXACT if run.jacobian_kind == KIND.EXACT else _KEEP_DIFFERENCES
    k = run.next_order
    run.order_used, run.starting = k, 0
    fixed = run.min_order == run.max_order
    if run.starter and (run.known <= k if fixed else run.known == 1):
        return _start(run)
    if run.known == 1:
        _set_first_rate(run)
    factor = _set_coefficients(run, k)
    _predict(run, k)
    _set_error_weights(run)
    limit, tolerance = run.newton_limit, run.newton_tol
    run.newton_limit, run.newton_tol = run.corrector_limit, _tolerance(run)
    status = _correct(run)
    run.newton_limit, run.newton_tol = limit, tolerance
    if status:
        return status
    differential(run, run.iterate, run.y1)
    y0, y1, change, predicted = run.y0, run.y1, run.change, run.predicted
    for c in range(y1.size):
        change[c] = y1[c] - predicted[c]
        y1[c] += y0[c]
    _estimate(run, k, factor)
    run.jacobian_age += 1
    if run.error <= 1.0:
        run.h_next = abs(run.h)
    else:
        _plan_again(run, k)
    return STATUS.OK


@compiled
def _doubled(run: BdfMemory) -> bool:
    """Whether this attempt is much longer than the last step."""
    return abs(run.h) > 1.5 * abs(run.past_sizes[0]) and run.last_order > 0


@compiled
def _plan_again(run: BdfMemory, k: int) -> None:
    """After an error that was too large: order and size of the next attempt."""
    run.failures += 1
    run.raising = 0
    if run.failures == 1 and _doubled(run):
        run.patience = min(_PATIENCE, max(_PATIENCE_FIRST, 2 * run.patience))
        run.waiting = run.patience
    error, wanted = (run.error_below, k - 1) if run.lowering else (run.error_here, k)
    factor = _SHRINK_MOST
    if run.failures == 1:
        factor = max(_SHRINK_MOST, min(_SHRINK_LEAST, _CARE * _growth(error, wanted)))
    if run.failures >= _GIVE_UP:
        wanted = run.min_order
    run.next_order = wanted
    run.h_next = factor * abs(run.h)


@compiled
def _growth(error: float, k: int) -> float:
    """Factor of the size with which an error of order k becomes half of the tolerance."""
    return (2.0 * error + 1e-4) ** (-1.0 / (k + 1))


# ------------------------------------------------------------------------------------------------------------- history


@compiled
def _renew(run: BdfMemory) -> int:
    """Differences at the end of the step, projected as it is. Returns the number of rows."""
    n, n_h, target, change, beta = run.n_y, run.n_h, run.renewed, run.change, run.beta_ratios
    k = run.known - 1 if run.starting else run.order_used
    y0, y1, z1, predicted = run.y0, run.y1, run.z1, run.predicted
    for c in range(n):
        change[c] = (y1[c] - y0[c]) - predicted[c]
    for c in range(n, n_h):
        change[c] = z1[c - n] - predicted[c]
    newest = view(target, (k + 1) * n_h, n_h)
    copy(change, newest)
    for i in range(k + 1, 0, -1):
        row, out, after, b = _row(run, i), view(target, (i - 1) * n_h, n_h), view(target, i * n_h, n_h), beta[i]
        for c in range(n_h):
            out[c] = b * row[c] + after[c]
    return k + 2


@compiled
def _stages_as_history(run: BdfMemory) -> None:
    """Differences from the stages of the Radau step and its ends."""
    s, n, n_h, h, c = run.stages, run.n_y, run.n_h, run.h, run.tableau
    target = run.differences
    for i in range(s):  # from the newest on; the last row is that of the start
        _load_stage_values(run, s - 1 - i, view(target, i * n_h, n_h))
        run.past_sizes[i] = h * (c[s - 1 - i] - (c[s - 2 - i] if i < s - 1 else 0.0))
    last = view(target, s * n_h, n_h)
    copy(run.y0, view(last, 0, n))
    copy(run.z0, view(last, n, run.n_z))
    for order in range(1, s + 1):
        for i in range(s, order - 1, -1):
            newer, older = c[s - 1 - i + order], (c[s - 1 - i] if i < s else 0.0)
            scale = 1.0 / (h * (newer - older))
            row, before = view(target, i * n_h, n_h), view(target, (i - 1) * n_h, n_h)
            for m in range(n_h):
                row[m] = (before[m] - row[m]) * scale
    product = 1.0
    for i in range(1, s + 1):
        product *= h * (1.0 - (c[s - 1 - i] if i < s else 0.0))
        row = view(target, i * n_h, n_h)
        for m in range(n_h):
            row[m] *= product
    run.known = s + 1


@compiled
def _load_stage_values(run: BdfMemory, i: int, out: Reals) -> None:
    """(q, v, u, a, λ) of a stage of the Radau step; of the last one as it was projected."""
    s, n_x, n, n_v, n_lam = run.stages, run.n_x, run.n_y, run.n_v, run.n_lam
    if i == s - 1:
        copy(run.y1, view(out, 0, n))
        copy(run.z1, view(out, n, run.n_z))
        return
    Z = view(run.Z, i * n_x, n_x)
    differential(run, Z, view(out, 0, n))
    y0 = run.y0
    for c in range(n):
        out[c] += y0[c]
    a = view(out, n, n_v)
    clear(a)
    for j in range(s):
        add_scaled(run.tableau[s + i * s + j] / run.h, view(run.Z, j * n_x + run.n_q, n_v), a)
    copy(view(Z, run.n_q + n_v + run.n_g, n_lam), view(out, n + n_v, n_lam))


@compiled
def _note_drift(run: BdfMemory) -> int:
    """Constraints at the end of a step that nothing projects."""
    load(run, run.t_new, run.y1)
    if call_implicit(run, IMPLICIT.g, STAGE.T):
        return STATUS.RAISED
    note_residual(run, run.implicit_g)
    return STATUS.OK


@kernel
def accepted(run: BdfMemory) -> int:
    """The step counts: renew the differences, choose order and size of the next one."""
    k = run.order_used
    fixed = run.min_order == run.max_order
    run.kick = max(run.moved, _FADING * run.kick)
    if run.level != LEVEL.GGL:
        status = _note_drift(run)
        if status:
            return status
    if run.starting:
        copy(run.Z, run.Z_old)
    if run.starting and not fixed:
        _stages_as_history(run)
        _plan_after_start(run)
        return STATUS.OK
    if _doubled(run):
        run.patience = 0
    run.waiting = max(0, run.waiting - 1)
    same = run.h == run.past_sizes[0] and k == run.last_order
    run.steady = run.steady + 1 if same else 1
    run.known = _renew(run)
    above = np.inf
    if not run.starting and k < run.max_order and run.steady > k + 1:
        above = norm_of_sum(run.error_weight, run.change, -1.0, _row(run, k + 2), 0.0, run.change) / (k + 2)
    copy(run.renewed, view(run.differences, 0, run.known * run.n_h))
    past = run.past_sizes
    for i in range(past.size - 1, 0, -1):
        past[i] = past[i - 1]
    past[0] = run.h
    if not run.starting:
        run.last_order = k
        _plan_next(run, k, above)
    return STATUS.OK


@compiled
def _plan_after_start(run: BdfMemory) -> None:
    """Order and size of the first step after a Radau step of s stages: a size that order s − 1 would have, from its
    error h^s y^(s) / s."""
    s, h = run.stages, abs(run.h)
    derivative = 1.0  # y^(s) from φ_{s+1}
    for i in range(s):
        derivative *= (s - i) / (h * (1.0 - (run.tableau[s - 2 - i] if i < s - 1 else 0.0)))
    row = _row(run, s + 1)
    _set_error_weights(run)
    derivative *= norm_of_sum(run.error_weight, row, 0.0, row, 0.0, row)
    run.next_order = min(s, run.max_order)
    if run.h_fixed > 0.0 or run.to_stop:
        return
    run.h_next = min(h, (0.5 * s / max(derivative, 1e-300)) ** (1.0 / s), run.h_max)


@compiled
def _plan_next(run: BdfMemory, k: int, above: float) -> None:
    """Order and size of the next step, as DASSL chooses them."""
    size, error, wanted = abs(run.h), run.error_here, k
    if run.lowering or k == run.max_order:
        run.raising = 0
    if run.min_order < run.max_order:
        here = (k + 1) * error
        if run.raising:
            wanted = k + 1
        elif run.lowering:
            wanted = k - 1
        elif above < np.inf:
            more = (k + 2) * above
            if k > 1 and k * run.error_below <= min(here, more):
                wanted = k - 1
            elif more < (0.5 * here if k == 1 else here):
                wanted = k + 1
        if wanted < k:
            error = run.error_below
        elif wanted > k and not run.raising:
            error = above
    run.next_order = wanted
    if run.h_fixed > 0.0 or run.to_stop:  # a step that was cut short says nothing about the next one
        return
    if run.raising:
        size *= 2.0
    else:
        factor = _growth(error, wanted)
        if factor >= 2.0 and run.waiting == 0:
            size *= 2.0
        elif factor >= run.worth and run.waiting == 0 and run.steady > k:
            size *= max(1.0, _GROWN * factor)
        elif factor <= 1.0:
            size *= max(_SHRINK, min(_SHRINK_LEAST, factor))
    run.h_next = min(size, run.h_max)


# -------------------------------------------------------------------------------------------------------- dense output


@compiled
def _basis(run: BdfMemory, i: int, powers: Reals) -> None:
    """∏ (t − t_{n+2−j}) / ψ_j, j = 1 … i − 1, the factor of φ_i, by powers of θ: Newton's form of the polynomial
    through the new point and those before."""
    h, psi = run.h, run.psi
    clear(powers)
    powers[0] = 1.0
    for j in range(1, i):
        root, scale = 1.0 - psi[j - 1] / h, h / psi[j]
        for m in range(j, -1, -1):
            powers[m] = scale * ((powers[m - 1] if m > 0 else 0.0) - root * powers[m])


@compiled
def _through_stages(run: BdfMemory) -> None:
    """a and λ of the Radau step: the polynomial through its start, its stages and its end."""
    s, n, coef = run.stages, run.n_z, run.coef_z
    nested = view(run.tableau, s + 3 * s * s + 2 * s, s * s)
    z0, values = run.z0, run.renewed
    clear(coef)
    copy(z0, view(coef, 0, n))
    for i in range(s):
        _load_stage_values(run, i, view(values, 0, run.n_h))
        increment = view(values, run.n_y, n)
        for k in range(n):
            increment[k] -= z0[k]
        for c in range(s):
            add_scaled(nested[c * s + i], increment, view(coef, (c + 1) * n, n))


@kernel
def interpolate(run: BdfMemory) -> int:
    """Coefficients of (q, v, u) and (a, λ) in nested form: the polynomial of degree k through the ends of the last
    steps."""
    n, n_z, n_h, coef, coef_z, weights = run.n_y, run.n_z, run.n_h, run.coef, run.coef_z, run.nested
    if run.starting:
        collocation_polynomial(run)
        _through_stages(run)
        run.coef_unused = run.n_coef - run.stages - 1
        return STATUS.OK
    k = run.order_used
    clear(coef)
    clear(coef_z)
    _renew(run)
    for i in range(1, k + 2):
        _basis(run, i, run.polynomial)
        to_nested(run.polynomial, i - 1, weights)
        row = view(run.renewed, (i - 1) * n_h, n_h)
        for c in range(i):
            if weights[c] != 0.0:
                add_scaled(weights[c], view(row, 0, n), view(coef, c * n, n))
                add_scaled(weights[c], view(row, n, n_z), view(coef_z, c * n_z, n_z))
    run.coef_unused = run.n_coef - k - 1
    return STATUS.OK


# ---------------------------------------------------------------------------------------------------------- the method


_ROWS = ("residual", "accelerations")
#: In the order of LEVEL, with what they are called.
_CONSTRAINTS = {
    "ggl": "stabilised index 2 (Gear, Gupta, Leimkuhler)",
    "index3": "constraints on positions (index 3), without projection",
    "index2": "constraints on velocities (index 2), without projection",
    "index1": "constraints on accelerations (index 1), without projection",
}


@dataclass(frozen=True, kw_only=True)
class Bdf(Method):
    """Backward differentiation formulas of order 1 … 5, chosen in each step with its size, on the stabilised index-2
    form; dense output of the same order; for stiff systems, large ones above all, at moderate accuracy.

    Brenan, Campbell, Petzold, Numerical Solution of Initial-Value Problems in DAEs, code DASSL; Arnold, Fuchs, Führer,
    Efficient corrector iteration for DAE time integration in multibody dynamics.
    """

    max_order: int | None = option(None, f"highest order, 1 … {USUAL_ORDER}; {LARGEST_ORDER} with a warning")
    min_order: int | None = option(None, "the same as max_order: all steps have this order")
    starter: bool = option(True, "whether a Radau step makes the first history; if not, order 1 does, as in DASSL")
    jacobian: str | Jacobian = option(
        "auto",
        'Jacobian(…), or "exact", "dense", "grouped", "estimated"; "auto": exact where derivatives are known, else '
        "differences by the pattern that is known, or estimated where black boxes fill it",
    )
    iteration: Newton | None = option(None, "limit and tolerance of Newton's iteration: Newton(…)")
    keep: float | None = option(
        None,
        "rate of convergence up to which derivatives are kept; None for 0.1 where they are exact, 0.9 for differences",
    )
    grow: float = option(1.4, "factor from which on sizes grow; 2 is DASSL's: they are doubled or kept")
    rows: str = option("residual", '"residual" M v̇ − f + Gᵀλ, or "accelerations" v̇ − M⁻¹ (f − Gᵀλ)')
    constraints: str = option(
        "ggl",
        '"ggl", on positions and velocities; for comparison "index3" on positions, "index2" on velocities, "index1" on '
        "accelerations, without projection",
    )
    velocities: bool = option(
        True, "whether velocities count in the error of a step; if not, fast vibrations are damped, not resolved"
    )

    name = "bdf"
    title = "BDF, order 1 … 5, fixed leading coefficient, on the stabilised index-2 form"
    memory = BdfMemory
    begin = begin
    attempt = attempt
    accepted = accepted
    interpolate = interpolate
    programs = ("implicit",)
    dense_slopes = False
    #: Right sides are evaluated at the ends of steps alone.
    unseen = (1.0, 0.0)

    def check(self) -> None:
        """Orders, strategy, iteration."""
        highest = self.max_order
        if highest is not None and not (isinstance(highest, (int, np.integer)) and 1 <= highest <= LARGEST_ORDER):
            raise SimulationError(f"Bdf: max_order must be a whole number from 1 to {LARGEST_ORDER}, got {highest!r}")
        if self.min_order is not None and self.min_order != self.max_order:
            raise SimulationError(f"Bdf: min_order must be left away, or be that of max_order; got {self.min_order!r}")
        for name, known in (("rows", _ROWS), ("constraints", _CONSTRAINTS)):
            value = getattr(self, name)
            if value not in known:
                raise SimulationError(f"Bdf: there is no {name}='{value!s:.80}'; {suggestion(value, known)}")
        if self.keep is not None and not (isinstance(self.keep, (int, float, np.number)) and 0.0 < self.keep < 1.0):
            raise SimulationError(f"Bdf: keep must be a number between 0 and 1, got {self.keep!r:.80}")
        if not (isinstance(self.grow, (int, float, np.number)) and 1.0 < self.grow <= 2.0):
            raise SimulationError(f"Bdf: grow must be a number above 1, at most 2; got {self.grow!r:.80}")
        for name in ("starter", "velocities"):
            if not isinstance(getattr(self, name), (bool, np.bool_)):
                raise SimulationError(f"Bdf: {name} must be True or False, got {getattr(self, name)!r}")
        if not (self.controller is None or (isinstance(self.controller, FixedStep) and self._fixed)):
            raise SimulationError(
                "Bdf chooses order and size of its steps itself: controller must be None, or a FixedStep together "
                "with min_order = max_order"
            )
        if self.constraints == "index3" and self.velocities:
            raise SimulationError(
                "Bdf: constraints='index3' needs velocities=False: errors of velocities do not get smaller with "
                "the step in this form"
            )
        if self._fixed and not self._starts:
            raise SimulationError("Bdf: steps of one order need the starter, and constraints='ggl'")
        if self.iteration is not None and not isinstance(self.iteration, Newton):
            raise SimulationError(f"Bdf: iteration must be a Newton(…), got {self.iteration!r}")
        jacobian_of(self.jacobian)
        if highest == LARGEST_ORDER:
            warnings.warn(
                "BDF of order 6 is hardly stable: what oscillates may grow; max_order=5 is the usual choice",
                stacklevel=4,
            )

    @property
    def _fixed(self) -> bool:
        return self.min_order is not None

    @property
    def _starts(self) -> bool:
        """Whether a Radau step begins: it is one on the stabilised form."""
        return self.starter and self.constraints == "ggl"

    @property
    def _stages(self) -> int:
        """Of the Radau step that begins."""
        return _STAGES if self.order <= _STAGES else _MORE_STAGES

    @property
    def form(self) -> str:  # type: ignore[override]
        """With the constraints that were asked for."""
        return _CONSTRAINTS[self.constraints]

    @property
    def projects(self) -> bool:  # type: ignore[override]
        """Not where forms are compared, whose drift would be hidden."""
        return self.constraints == "ggl"

    @property
    def order(self) -> int:
        """The highest."""
        return int(self.max_order or USUAL_ORDER)

    @property
    def orders(self) -> tuple[int, int]:
        """From 1 on, unless all steps have one order."""
        return int(self.min_order or 1), self.order

    @property
    def error_order(self) -> int:
        """That of the first step."""
        return self._stages if self._starts else 1

    @property
    def starts_small(self) -> bool:  # type: ignore[override]
        """With order 1, unless a Radau step begins."""
        return not self._starts

    @property
    def dense_order(self) -> int:
        """That of the steps."""
        return self.order

    @property
    def coefficients(self) -> int:
        """Those of the highest order, and of the starter."""
        return max(self._stages, self.order) + 1

    @property
    def algebraic_coefficients(self) -> int:
        """As many."""
        return self.coefficients

    @property
    def newton(self) -> Newton:
        """Of the starter."""
        given = self.iteration or Newton()
        return Newton(given.limit or 7 + 5 * (self._stages - 3) // 2, given.tolerance)

    @property
    def strategy(self) -> str | Jacobian:
        """The one that was asked for."""
        return self.jacobian

    @property
    def keep_rate(self) -> float:
        """The one that was asked for, or 0."""
        return float(self.keep or 0.0)

    @property
    def own_controller(self) -> Controller:
        """It chooses order and size itself."""
        return ByMethod(safety=0.9, shrink=_SHRINK_MOST, grow=2.0)

    @cached_property
    def settings(self) -> Mapping[str, float]:
        """With the constants of the corrector iteration."""
        given = (self.iteration or Newton()).tolerance
        return {**super().settings, "corrector_tol": given or 0.0, "rescale_from": _RESCALE_FROM, "worth": self.grow}

    def values(self, sizes: Sizes) -> Mapping[str, int]:
        """Orders, and the stages of the starter."""
        lowest, highest = self.orders
        limit = (self.iteration or Newton()).limit
        return {
            "stages": self._stages, "n_real": 1, "n_complex": (self._stages - 1) // 2, "dimension": DIMENSION,
            "by_stages": -1, "n_h": sizes.q + 2 * sizes.v + sizes.u + sizes.lam,
            "depth": max(highest + 2, self._stages + 1), "min_order": lowest, "max_order": highest,
            "next_order": lowest, "known": 1, "starter": int(self._starts), "velocities": int(self.velocities),
            "corrector_limit": limit or _LIMIT, "n_rows": sizes.v if self.rows == "accelerations" else 0,
            "level": list(_CONSTRAINTS).index(self.constraints),
        }  # fmt: skip

    def programs_of(self, equations: Equations) -> tuple[str, ...]:
        """The contract has M, G and γ apart."""
        programs = super().programs_of(equations)
        needed = self.rows == "accelerations" or self.constraints == "index1"
        return (*programs, "contract") if needed and "contract" not in programs else programs

    def lay_out(self, equations: Equations, providers: Mapping[str, Provider], solver: str) -> MethodLayout:
        """Without the entries of constraints that are left away; what is left is for comparison, and dense."""
        if self.constraints == "ggl":
            return super().lay_out(equations, providers, solver)
        layout, s = super().lay_out(equations, providers, "dense"), equations.sizes
        n_x, first = layout.values["n_x"], s.q + s.v  # of μ, and of g
        rows, columns = layout.contents["K_rows"], layout.contents["K_columns"]
        left = first + np.arange(s.g) + (s.g if self.constraints == "index3" else 0)
        kept = ~np.isin(rows, left) & ~((columns >= first) & (columns < first + s.g))
        if self.constraints == "index1":  # derivatives of G v̇ − γ by q, over α, are small
            kept &= ~((rows >= first + s.g) & (rows < first + s.g + s.lam) & (columns < s.q))
        ones = np.concatenate([layout.contents["one_place"], left * n_x + first + np.arange(s.g)])
        return layout._replace(
            contents={
                **layout.contents, "one_place": ones, "one_rows": np.concatenate([layout.contents["one_rows"], left])
            },
            vectors={**layout.vectors, "K_sign": layout.vectors["K_sign"] * kept},
        )  # fmt: skip

    def table(self) -> NDArray[np.float64]:
        """Those of the starter."""
        return radau_tables.coefficients(self._stages)
