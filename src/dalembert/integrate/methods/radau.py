"""Radau IIA collocation on the stabilised index-2 form (Gear, Gupta, Leimkuhler), for stiff systems.

Order 2s − 1 at the ends of steps, stiffly accurate, L-stable; dense output by the collocation polynomial, of order s.
Unknowns of a stage are x = (q, v, μ, λ, u) with the residuals of :mod:`~dalembert.integrate.implicit.residual` and

    h ẏ_i = Σ_j w_ij Z_j,   W = A⁻¹

Hairer, Wanner, Solving ODEs II, IV.8: with W = S Λ S⁻¹ the Newton equations of all stages fall apart into one real
system, with matrix (γ/h) E + K, and complex ones, with ((α + iβ)/h) E + K, where E = diag(I, M, 0, 0, I).

**One matrix for all stages.**  Constraints, and stiff springs, turn with the bodies: corrections by a matrix of another
position contract by the angle between the two and no better, however small the step is against all that the
differential equations know.  So K is that of the middle stage, from which the angle is half as large as from the start;
and where that does not do, each stage has its own: the Newton equations

    Σ_j (w_ij/h) E_i ΔZ_j + K_i ΔZ_i = −r_i

are solved by GMRES (:mod:`~dalembert.integrate.implicit.krylov`), which the matrices above precondition.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.contract.convention import IMPLICIT, STAGE
from dalembert.equations.contract.equations import Sizes
from dalembert.errors import SimulationError
from dalembert.integrate.frame.control import error_norm, update_weights, weighted_norm
from dalembert.integrate.frame.controllers import Controller, Gustafsson
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.implicit.jacobian import Jacobian, jacobian_of
from dalembert.integrate.implicit.krylov import (
    DIMENSION,
    KrylovMemory,
    basis_vector,
    begin_space,
    combine,
    extend_space,
)
from dalembert.integrate.implicit.newton import (
    JUDGEMENT,
    PROVEN,
    ROUNDED,
    UNEXPECTED,
    Newton,
    begin_iteration,
    judge,
    judge_end,
)
from dalembert.integrate.implicit.newton_matrix import (
    evaluate_jacobian,
    factor_complex,
    factor_real,
    failed_iteration,
    solve_complex,
    solve_real,
    times_E,
)
from dalembert.integrate.implicit.newton_memory import ACTION, RENEWAL
from dalembert.integrate.implicit.renewal import MOST_ACTIONS, after_failure, before_attempt
from dalembert.integrate.implicit.residual import (
    add_rates,
    call_implicit,
    differential,
    load_stage,
    load_start,
    multipliers_at_start,
    stage_residual,
)
from dalembert.integrate.implicit.updates import carry_out, needs_point
from dalembert.integrate.methods import radau_tables
from dalembert.integrate.methods.method import JACOBIAN_OPTION, NEWTON_OPTION, Method, option
from dalembert.linalg.vector_operations import add, add_product, add_scaled, clear, copy, negate
from dalembert.native.kernel import Reals, compiled, kernel, view
from dalembert.native.slots import COUNT, FLAG, integer, real, reals

#: K is that of the predicted middle stage, unless the step has grown by more than this factor.
_GROWN = 2.0
#: Iterations that contract worse than this go over to the Jacobians of all stages, which are left when the matrix alone
#: would do better than that.
_SLOW, _FAST = 0.2, 0.05
#: What linear equations of stages may leave of their right side, and of the tolerance of the iteration.
_REDUCTION, _SMALL_ENOUGH = 0.005, 0.1
#: Part of the linear equations that must not be left; no iteration can go on from there.
_UNSOLVED = 0.1
#: Errors say nothing of a size at which iterations fail.  Where they fail again within this factor of it, steps keep
#: below a part of it, which grows with each of them, as what is remembered does.  On a link in a stiff bushing every
#: other step of radau9 was tried in vain before.
_SAME_AGAIN, _BELOW_FAILED, _FORGETS = 2.0, 0.8, 1.05

# Layout of the tableau for s stages:
#   c (s), W (s·s), S (s·s), S⁻¹ (s·s), eigenvalues (γ, then α, β of each pair) (s), weights of the error (s),
#   collocation polynomial in nested form (s·s).


class RadauMemory(KrylovMemory):
    """Stages of a Radau method."""

    Z: Reals = reals("stages * n_x", "increments of all stages, with multipliers themselves")
    Z_old: Reals = reals("stages * n_x", "those of the last step")
    residuals: Reals = reals("stages * n_x", "residuals of all stages, then corrections")
    transformed: Reals = reals("stages * n_x", "both in the basis of the eigenvectors of W")
    stage_K: Reals = reals("stages * n_K", "K of each stage")
    stage_mass: Reals = reals("stages * n_mass", "M of each stage")
    stage_rates: Reals = reals("n_x", "rates of a stage, of a vector that its matrix is multiplied with")
    stage_increment: Reals = reals("n_y", "(q, v, u) of an increment or a correction of a stage")
    filtered: Reals = reals("n_x", "the error, to be filtered once more")
    middle_K: Reals = reals("n_K", "K of the middle stage, while that of the last one is in its place")
    middle_mass: Reals = reals("n_mass", "M of the middle stage")
    worst_stage: int = integer("stage that the prediction does not serve by most", COUNT)
    worst_residual: float = real("what its residual would change in a step if nothing were stiff, in tolerances")
    used_stages: int = integer("whether the iteration has used the Jacobians of all stages", FLAG)
    h_failed: float = real("size of a step whose iterations have failed, larger with each step since; 0 if none has")
    h_bound: float = real("size below which steps keep after that has happened again, larger with each; 0 if none")


@compiled
def _residuals(run: RadauMemory, jacobians: bool) -> int:
    """Residuals of all stages from their increments, and their Jacobians if wanted."""
    s, n, tableau, h = run.stages, run.n_x, run.tableau, run.h
    for i in range(s):
        out = view(run.residuals, i * n, n)
        clear(out)
        for j in range(s):
            add_scaled(tableau[s + i * s + j] / h, view(run.Z, j * n, n), out)
        status = stage_residual(run, run.t_now + tableau[i] * h, view(run.Z, i * n, n), out)
        if status:
            return status
        if jacobians:
            K, mass = view(run.stage_K, i * run.n_K, run.n_K), view(run.stage_mass, i * run.n_mass, run.n_mass)
            run.stage_jacobians += 1
            status = evaluate_jacobian(run, K, mass)
            if status:
                return status
    return STATUS.OK


@compiled
def _load_middle(run: RadauMemory) -> None:
    """Where K and M are evaluated: at the middle stage, as far as it can be predicted, or at the start."""
    s, n, n_q, n_v = run.stages, run.n_x, run.n_q, run.n_v
    if run.fresh or run.after_failure or abs(run.h) > _GROWN * abs(run.h_old):
        load_start(run)
        return
    _predict(run)
    middle = s // 2
    clear(run.a)
    for j in range(s):
        add_scaled(run.tableau[s + middle * s + j] / run.h, view(run.Z, j * n + n_q, n_v), run.a)
    load_stage(run, run.t_now + run.tableau[middle] * run.h, run.y0, view(run.Z, middle * n, n))
    run.changed = STAGE.T


@compiled
def _factorise(run: RadauMemory) -> int:
    """Matrices of the real eigenvalue and of the complex ones."""
    s, h = run.stages, run.h
    eigenvalues = view(run.tableau, s + 3 * s * s, s)
    run.have_factors = 0
    status = factor_real(run, 0, eigenvalues[0] / h)
    if status:
        return status
    for p in range(run.n_complex):
        status = factor_complex(run, p, eigenvalues[1 + 2 * p] / h, eigenvalues[2 + 2 * p] / h)
        if status:
            return status
    run.alpha_factored, run.have_factors = 1.0 / h, 1
    return STATUS.OK


@compiled
def _correct(run: RadauMemory, residuals: Reals) -> None:
    """Corrections of all stages in the place of their residuals: transform, solve, transform back."""
    s, n = run.stages, run.n_x
    S, inverse = view(run.tableau, s + s * s, s * s), view(run.tableau, s + 2 * s * s, s * s)
    for i in range(s):
        out = view(run.transformed, i * n, n)
        clear(out)
        for j in range(s):
            add_scaled(-inverse[i * s + j], view(residuals, j * n, n), out)
    solve_real(run, 0, view(run.transformed, 0, n))
    right = run.complex_right
    for p in range(run.n_complex):
        re, im = view(run.transformed, (1 + 2 * p) * n, n), view(run.transformed, (2 + 2 * p) * n, n)
        for k in range(n):
            right[k] = complex(re[k], im[k])
        solve_complex(run, p, right)
        for k in range(n):
            re[k], im[k] = right[k].real, right[k].imag
    for i in range(s):
        out = view(residuals, i * n, n)
        clear(out)
        for j in range(s):
            add_scaled(S[i * s + j], view(run.transformed, j * n, n), out)


@compiled
def _multiply(run: RadauMemory, x: Reals, out: Reals) -> None:
    """out = exact Newton matrix of all stages times x, by the Jacobians of the stages."""
    s, n, n_q, n_v, n_u = run.stages, run.n_x, run.n_q, run.n_v, run.n_u
    rates = run.stage_rates
    for i in range(s):
        clear(rates)
        for j in range(s):
            add_scaled(run.tableau[s + i * s + j] / run.h, view(x, j * n, n), rates)
        target = view(out, i * n, n)
        clear(target)
        copy(rates, view(target, 0, n_q))
        copy(view(rates, n - n_u, n_u), view(target, n - n_u, n_u))
        mass, K = view(run.stage_mass, i * run.n_mass, run.n_mass), view(run.stage_K, i * run.n_K, run.n_K)
        add_product(mass, run.mass_rows, run.mass_columns, view(rates, n_q, n_v), view(target, n_q, n_v))
        add_product(K, run.K_rows, run.K_columns, view(x, i * n, n), target)


@compiled
def _improve(run: RadauMemory, corrections: Reals) -> float:
    """Corrections by the Jacobians of the stages themselves from those by one matrix, which preconditions GMRES. Gives
    the part of the linear equations that is left unsolved, or 0 if that is little enough."""
    size = begin_space(run, corrections)
    if not 0.0 < size < np.inf:
        return 0.0
    enough = max(_REDUCTION * size, _SMALL_ENOUGH * run.newton_tol)
    dimension, left = 0, size
    for k in range(run.dimension):
        image = basis_vector(run, k + 1)
        _multiply(run, basis_vector(run, k), image)
        _correct(run, image)
        negate(image, image)
        dimension += 1
        left = extend_space(run, k)
        if not left > enough:
            break
    combine(run, dimension, corrections)
    return 0.0 if left <= enough else left / size


@compiled
def _predict(run: RadauMemory) -> None:
    """Increments to start from: the collocation polynomial of the last step goes on, or nothing moves."""
    s, n = run.stages, run.n_x
    if run.fresh or run.after_failure:
        clear(run.Z)
        for i in range(s):
            multipliers_at_start(run, view(run.Z, i * n, n))
        return
    first = run.n_q + run.n_v
    gap = run.n_g + run.n_lam
    ratio = run.h / run.h_old
    last = view(run.Z_old, (s - 1) * n, n)
    for i in range(s):
        z, theta = view(run.Z, i * n, n), 1.0 + run.tableau[i] * ratio
        negate(last, z)  # increments count from the new point
        clear(view(z, first, gap))
        for j in range(s):
            among = _basis(run, theta, j)
            with_zero = among * theta / run.tableau[j]
            old = view(run.Z_old, j * n, n)
            add_scaled(with_zero, view(old, 0, first), z)
            add_scaled(among, view(old, first, gap), view(z, first, gap))
            add_scaled(with_zero, view(old, first + gap, run.n_u), view(z, first + gap, run.n_u))


@compiled
def _basis(run: RadauMemory, theta: float, j: int) -> float:
    """Lagrange's basis polynomial of node j at theta."""
    c = view(run.tableau, 0, run.stages)
    product = 1.0
    for i in range(c.size):
        if i != j:
            product *= (theta - c[i]) / (c[j] - c[i])
    return product


@compiled
def _apply_corrections(run: RadauMemory) -> float:
    """Add the corrections to the increments; their size over all stages in units of the tolerance."""
    s, n = run.stages, run.n_x
    total = 0.0
    for i in range(s):
        delta = view(run.residuals, i * n, n)
        add(delta, view(run.Z, i * n, n))
        differential(run, delta, run.stage_increment)
        size = weighted_norm(run, run.stage_increment)
        total += size * size
    return np.sqrt(total / s)


@compiled
def _unfiltered(run: RadauMemory, residual: Reals) -> float:
    """What residuals of a stage would change in a step if nothing were stiff, in units of the tolerance."""
    n_q, n_v, n_u, weight, mass = run.n_q, run.n_v, run.n_u, run.error_weight, run.mass
    at_u, rows, columns = run.n_x - n_u, run.mass_rows, run.mass_columns
    total = 0.0
    for k in range(mass.size):
        i = rows[k]
        if i == columns[k] and mass[k] != 0.0:
            total += (run.h * residual[n_q + i] / mass[k] * weight[n_q + i]) ** 2
    for k in range(n_u):
        total += (run.h * residual[at_u + k] * weight[n_q + n_v + k]) ** 2
    return np.sqrt(total / run.n_y)


@compiled
def _find_worst(run: RadauMemory) -> None:
    """The stage that the prediction does not serve by most."""
    run.worst_stage, run.worst_residual = 0, 0.0
    for i in range(run.stages):
        size = _unfiltered(run, view(run.residuals, i * run.n_x, run.n_x))
        if size > run.worst_residual:
            run.worst_stage, run.worst_residual = i, size


@compiled
def _test_worst(run: RadauMemory) -> int:
    """Whether the only correction has helped there: one evaluation in place of those of another iteration."""
    s, n, i, out = run.stages, run.n_x, run.worst_stage, run.stage_rates
    clear(out)
    for j in range(s):
        add_scaled(run.tableau[s + i * s + j] / run.h, view(run.Z, j * n, n), out)
    status = stage_residual(run, run.t_now + run.tableau[i] * run.h, view(run.Z, i * n, n), out)
    if status:
        return status
    return STATUS.OK if _unfiltered(run, out) < PROVEN * run.worst_residual else STATUS.REJECTED


@compiled
def _iterate(run: RadauMemory) -> int:
    """Simplified Newton iterations for all stages together; by_stages, with Jacobians of the predicted stages."""
    _predict(run)
    begin_iteration(run)
    run.contraction = 0.0
    run.used_stages = 1 if run.by_stages == 1 else 0
    if run.by_stages == 1:  # a first correction is as good as its linear equations were solved
        run.convergence = max(run.convergence, _REDUCTION)
        run.renewal |= RENEWAL.STAGES
    before = 0.0
    for iteration in range(run.newton_limit):
        status = _residuals(run, run.by_stages == 1 and iteration == 0)
        if status:
            return status
        if iteration == 0:
            _find_worst(run)
        _correct(run, run.residuals)
        # A correction that leaves the equations as they were is small, and would pass for convergence.
        if run.by_stages == 1 and not _improve(run, run.residuals) < _UNSOLVED:
            break
        size = _apply_corrections(run)
        judgement = judge(run, iteration, size, before)
        before = size
        if judgement == JUDGEMENT.CONVERGED:
            if iteration or not run.worst_residual > UNEXPECTED:
                return STATUS.OK
            status = _test_worst(run)
            if status != STATUS.REJECTED:
                return status
        if judgement == JUDGEMENT.HOPELESS:
            break
    return STATUS.NEWTON_FAILED if before < np.inf else STATUS.NOT_FINITE


@compiled
def _solve_stages(run: RadauMemory) -> int:
    """Increments of all stages, with a matrix as fresh as they need it."""
    alpha = 1.0 / run.h
    action = before_attempt(run, alpha)
    failure = STATUS.NEWTON_FAILED
    for _ in range(MOST_ACTIONS):
        if needs_point(action):
            _load_middle(run)
        status = carry_out(run, action)
        if status:
            return status
        if action != ACTION.KEEP and action != ACTION.BY_STAGES:
            status = _factorise(run)
            if status:
                run.jacobian_age = -1  # the predicted stage may have been out of reach
                return status
        failure = _iterate(run)
        if failure == STATUS.OK:
            _choose_jacobians(run)
        if failure != STATUS.NEWTON_FAILED and failure != STATUS.NOT_FINITE:
            return failure
        action = after_failure(run, alpha)
        if action == ACTION.GIVE_UP:
            break
    run.jacobian_age = -1
    return failed_iteration(run, failure)


@compiled
def _choose_jacobians(run: RadauMemory) -> None:
    """Whether the next step needs the Jacobians of all stages; what the iteration would be without them also decides
    about the matrix."""
    if run.by_stages == 1:
        run.theta = max(run.theta, run.contraction)
        run.by_stages = 1 if run.contraction > _FAST else 0
    else:
        run.by_stages = 1 if run.theta > _SLOW else 0


@compiled
def _estimate_error(run: RadauMemory) -> int:
    """err = ((γ/h) E + K)⁻¹ (ẏ0 + Σ e_i Z_i / h), in the rows of differential equations: IV.8 (8.19), (8.20)."""
    s, n, h = run.stages, run.n_x, run.h
    weights = view(run.tableau, s + 3 * s * s + s, s)
    increments, right, error = run.x_point, run.x_right, run.error_vector
    clear(increments)
    for i in range(s):
        add_scaled(weights[i] / h, view(run.Z, i * n, n), increments)
    add_rates(run, run.rate0, increments)
    times_E(run, increments, right)
    solve_real(run, 0, right)
    update_weights(run)
    differential(run, right, error)
    run.error = error_norm(run, error)
    if run.error >= 1.0 and (run.fresh or run.after_reject):
        status = _filter_error(run)
        if status:
            return status
    if run.used_stages and run.error <= 1.0:
        return _filter_by_end(run)
    return STATUS.OK


@compiled
def _filter_by_end(run: RadauMemory) -> int:
    """The error by the matrix of the last stage too, where that of the middle was not enough for the iteration: a law
    that is stiff in the middle alone would hide what the ends of the step have to say."""
    s, n, increments, right = run.stages, run.n_x, run.x_point, run.x_right
    weights = view(run.tableau, s + 3 * s * s + s, s)
    clear(increments)
    for i in range(s):
        add_scaled(weights[i] / run.h, view(run.Z, i * n, n), increments)
    add_rates(run, run.rate0, increments)
    times_E(run, increments, right)
    copy(run.K, run.middle_K)
    copy(run.mass, run.middle_mass)
    copy(view(run.stage_K, (s - 1) * run.n_K, run.n_K), run.K)
    copy(view(run.stage_mass, (s - 1) * run.n_mass, run.n_mass), run.mass)
    status = factor_real(run, 1, run.tableau[s + 3 * s * s] / run.h)
    copy(run.middle_K, run.K)
    copy(run.middle_mass, run.mass)
    if status:
        return STATUS.OK
    solve_real(run, 1, right)
    differential(run, right, run.error_vector)
    error = error_norm(run, run.error_vector)
    if error > run.error:
        run.error = error
    return STATUS.OK


@compiled
def _filter_error(run: RadauMemory) -> int:
    """Filter the error once more, with the rate at the perturbed point: it is large at a start on a stiff system for no
    good reason.  What the rate changes by and K does not say is no part of a stiff system, but of the error."""
    n_q, n_v, n_u = run.n_q, run.n_v, run.n_u
    at_u = run.n_x - n_u
    increments, right, x, rate0, a = run.x_point, run.x_right, run.filtered, run.rate0, run.a
    copy(right, x)
    multipliers_at_start(run, x)
    for k in range(n_v):
        a[k] = rate0[n_q + k] - increments[n_q + k]  # the residual is then −(M Σ e_i Z_i / h + f − Gᵀλ)
    load_stage(run, run.t_now, run.y0, x)
    run.nfev += 1
    if call_implicit(run, IMPLICIT.qdot | IMPLICIT.residual | IMPLICIT.d, STAGE.T):
        return STATUS.RAISED
    clear(right)
    for k in range(n_q):
        right[k] = increments[k] - rate0[k] + run.implicit_qdot[k]
    negate(run.residual, view(right, n_q, n_v))
    for k in range(n_u):
        right[at_u + k] = increments[at_u + k] - rate0[n_q + n_v + k] + run.implicit_d[k]
    solve_real(run, 0, right)
    differential(run, right, run.error_vector)
    filtered = error_norm(run, run.error_vector)
    times_E(run, x, increments)
    solve_real(run, 0, increments)
    s = run.stages
    add_scaled(-run.tableau[s + 3 * s * s] / run.h, increments, right)
    differential(run, right, run.stage_increment)
    unexpected = error_norm(run, run.stage_increment)
    if filtered < run.error and unexpected < run.error:  # not where the perturbed point is out of reach
        run.error = max(filtered, unexpected)
    return STATUS.OK


@kernel
def begin(run: RadauMemory) -> int:
    """Neither Jacobian nor factors may be used after a start, a jump or a break."""
    run.have_factors, run.jacobian_age = 0, -1
    run.h_failed = run.h_bound = 0.0
    return STATUS.OK


@compiled
def radau_step(run: RadauMemory) -> int:
    """One step of size h from y0: leaves y1 and error."""
    status = _solve_stages(run)
    if status:
        return status
    differential(run, view(run.Z, (run.stages - 1) * run.n_x, run.n_x), run.y1)
    add(run.y0, run.y1)
    status = _estimate_error(run)
    if status:
        return status
    run.jacobian_age += 1
    return STATUS.OK


@kernel
def attempt(run: RadauMemory) -> int:
    """One step of size h from y0: leaves y1 and error."""
    status = radau_step(run)
    if status == STATUS.NEWTON_FAILED and not run.after_reject:
        size = abs(run.h)
        if size < _SAME_AGAIN * run.h_failed and run.h_failed < _SAME_AGAIN * size:
            run.h_bound = _BELOW_FAILED * size
        run.h_failed = size
    return status


@kernel
def confirm(run: RadauMemory) -> int:
    """Compare the rates at the end with those of the last stage.  Where the iteration was not measured, a matrix that
    is much stiffer than the equations passes for one that converges: what it leaves seems small.  One more correction
    of the end then tells: it takes the difference away, if the matrix serves."""
    s, n, n_q, n_v, n_u, h = run.stages, run.n_x, run.n_q, run.n_v, run.n_u, run.h
    if run.measured:
        return STATUS.OK
    at_u, gamma, rate1 = n - n_u, run.tableau[s + 3 * s * s], run.rate1
    excess, right, x, out = run.x_point, run.x_right, run.filtered, run.stage_rates
    clear(excess)
    for j in range(s):
        add_scaled(run.tableau[s + (s - 1) * s + j] / h, view(run.Z, j * n, n), excess)
    copy(excess, out)
    copy(view(rate1, 0, n_q), view(out, 0, n_q))
    clear(view(excess, 0, n_q))
    clear(view(excess, n_q + n_v, n - n_q - n_v - n_u))
    for k in range(n_v):
        excess[n_q + k] -= rate1[n_q + k]
    for k in range(n_u):
        excess[at_u + k] -= rate1[n_q + n_v + k]
    differential(run, excess, run.stage_increment)
    if not abs(h) * error_norm(run, run.stage_increment) > UNEXPECTED:
        return STATUS.OK
    times_E(run, excess, right)
    negate(right, right)
    solve_real(run, 0, right)
    differential(run, right, run.stage_increment)
    before = weighted_norm(run, run.stage_increment)
    if not before * run.rtol > ROUNDED:
        return STATUS.OK
    add_scaled(gamma / h, right, out)
    clear(x)
    for k in range(n_q + n_v):
        x[k] = run.y1[k] - run.y0[k]
    for k in range(n_u):
        x[at_u + k] = run.y1[n_q + n_v + k] - run.y0[n_q + n_v + k]
    copy(view(run.z1, n_v, run.n_lam), view(x, n_q + n_v + run.n_g, run.n_lam))
    add(right, x)
    status = stage_residual(run, run.t_new, x, out)
    if status:
        return status if status == STATUS.RAISED else STATUS.OK
    solve_real(run, 0, out)
    differential(run, out, run.stage_increment)
    return judge_end(run, before, weighted_norm(run, run.stage_increment))


@kernel
def accepted(run: RadauMemory) -> int:
    """The increments of this step are where the next one starts from."""
    copy(run.Z, run.Z_old)
    run.h_failed *= _FORGETS
    if run.h_bound > 0.0:
        run.h_next = min(run.h_next, run.h_bound)
        run.h_bound *= _FORGETS
    return STATUS.OK


@compiled
def collocation_polynomial(run: RadauMemory) -> None:
    """Collocation polynomial through the projected ends, in nested form."""
    s, n_x, n, coef = run.stages, run.n_x, run.n_y, run.coef
    y0, y1, increment = run.y0, run.y1, run.stage_increment
    nested = view(run.tableau, s + 3 * s * s + 2 * s, s * s)
    clear(coef)
    copy(y0, view(coef, 0, n))
    for i in range(s):
        if i == s - 1:
            for k in range(n):
                increment[k] = y1[k] - y0[k]
        else:
            differential(run, view(run.Z, i * n_x, n_x), increment)
        for c in range(s):
            add_scaled(nested[c * s + i], increment, view(coef, (c + 1) * n, n))


@kernel
def interpolate(run: RadauMemory) -> int:
    """Dense output by the collocation polynomial."""
    collocation_polynomial(run)
    return STATUS.OK


def stage_iterations(stages: int) -> int:
    """Iterations at most of a step, as in RADAU."""
    return 7 + 5 * (stages - 3) // 2


@dataclass(frozen=True, kw_only=True)
class Radau(Method):
    """Radau IIA, order 2s − 1 with s = 3, 5 or 7 stages, L-stable, on the stabilised index-2 form; dense output of
    order s; for stiff systems.

    Hairer, Wanner, Solving ODEs II, IV.5, IV.8, codes RADAU5 and RADAU.
    """

    stages: int = option(3, "number of stages: 3, 5 or 7, for orders 5, 9 and 13")
    jacobian: str | Jacobian = option("auto", JACOBIAN_OPTION)
    iteration: Newton | None = option(None, NEWTON_OPTION)

    memory = RadauMemory
    begin = begin
    attempt = attempt
    accepted = accepted
    confirm = confirm
    interpolate = interpolate
    programs = ("implicit",)
    dense_slopes = False
    form = "stabilised index 2 (Gear, Gupta, Leimkuhler)"

    def check(self) -> None:
        """Stages, strategy."""
        if not isinstance(self.stages, (int, np.integer)) or self.stages not in (3, 5, 7):
            raise SimulationError(f"Radau: stages must be 3, 5 or 7, got {self.stages!r}")
        if self.iteration is not None and not isinstance(self.iteration, Newton):
            raise SimulationError(f"Radau: iteration must be a Newton(…), got {self.iteration!r}")
        jacobian_of(self.jacobian)

    @property
    def name(self) -> str:  # type: ignore[override]
        """With the order, but for three stages."""
        return "radau" if self.stages == 3 else f"radau{self.order}"

    @property
    def title(self) -> str:
        """With stages and order."""
        return f"Radau IIA, {self.stages} stages, order {self.order}, on the stabilised index-2 form"

    @property
    def order(self) -> int:
        """2s − 1."""
        return 2 * self.stages - 1

    @property
    def error_order(self) -> int:
        """That of the embedded formula, s."""
        return self.stages

    @property
    def dense_order(self) -> int:
        """That of the collocation polynomial, s."""
        return self.stages

    @property
    def coefficients(self) -> int:
        """Those of the collocation polynomial."""
        return max(4, self.stages + 1)

    @property
    def newton(self) -> Newton:
        """With the limit of RADAU where none is given."""
        given = self.iteration or Newton()
        return Newton(given.limit or stage_iterations(self.stages), given.tolerance)

    @property
    def strategy(self) -> str | Jacobian:
        """The one that was asked for."""
        return self.jacobian

    @property
    def iterated(self) -> float:
        """The error of the higher members lies far below the tolerance, and iterations are not to spoil it: with seven
        stages 5 % more of them gave half a digit."""
        return 3.0 / self.stages

    @property
    def own_controller(self) -> Controller:
        """Predictive, with the constants of RADAU5."""
        return Gustafsson(safety=0.9, shrink=0.2, grow=8.0)

    def values(self, sizes: Sizes) -> Mapping[str, int]:
        """Stages, and the matrices of their eigenvalues."""
        return {
            "stages": self.stages, "n_real": 2, "n_complex": (self.stages - 1) // 2, "dimension": DIMENSION,
            "by_stages": 0,
        }  # fmt: skip

    def table(self) -> NDArray[np.float64]:
        """Nodes, weights, transformation."""
        return radau_tables.coefficients(self.stages)
