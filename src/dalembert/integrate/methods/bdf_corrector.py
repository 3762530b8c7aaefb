"""Corrector iteration of BDF methods: simplified Newton iterations, by factors that serve for many steps.

Corrections by the factors of another α are scaled by c = 2/(1 + α/ᾱ), corrector (18): the one with which the largest
contraction over all decaying motions is smallest, |α − ᾱ|/(α + ᾱ).  Only (q, v, u) count in norms, not the multipliers.
"""

from __future__ import annotations

import numpy as np

from dalembert.integrate.frame.control import weighted_norm
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.implicit.jacobian import KIND
from dalembert.integrate.implicit.newton import JUDGEMENT, judge
from dalembert.integrate.implicit.newton_matrix import factor_real, failed_iteration, solve_real
from dalembert.integrate.implicit.newton_memory import ACTION, RENEWAL
from dalembert.integrate.implicit.renewal import MOST_ACTIONS, after_failure, before_attempt
from dalembert.integrate.implicit.residual import differential
from dalembert.integrate.implicit.updates import carry_out
from dalembert.integrate.methods.bdf_equations import load_prediction, residual, solve_for_accelerations
from dalembert.integrate.methods.bdf_matrix import factor_reduced, project_iterate, solve_reduced
from dalembert.integrate.methods.bdf_memory import LEVEL, BdfMemory
from dalembert.linalg.vector_operations import add_scaled
from dalembert.native.kernel import compiled

#: α of factors from which corrections are scaled, relative to the one in use: contraction 1/4 and no worse.
RESCALE_FROM = 0.6
#: What is said of convergence with a new matrix, and with another α, before there is a rate: size of an iterate's error
#: beside its correction (IDA).
_UNKNOWN, _UNKNOWN_ALPHA = 20.0, 100.0
#: The least that is said: a rate may have been small by chance, as those of corrections close to rounding are.
_KNOWN = 0.02
#: Iterations at most, and the correction that ends them in units of the tolerance. Where the relative tolerance is
#: larger than ``_LOOSE``, what is left of constraints after linear corrections counts more, and they end later.
LIMIT = 6
_TOLERANCE, _LOOSE = 0.1, 1e-5
#: Where the iterate itself is projected at the end, nothing is left of constraints.
_TOLERANCE_PROJECTED = 0.3
#: Rounding of constraints on positions, from the sizes of coordinates.
_ROUNDING = 10.0 * 2.220446049250313e-16
#: A Jacobian with which iterations converge by this part of the rate up to which it is kept could have become older.
_YOUNG = 0.25
#: Projections that move the ends of steps by more than the tolerance set fast motions off, and ask for an iteration
#: that ends with smaller corrections. What they did is remembered, and fades by this factor in each step.
_FADING = 0.98


@compiled
def _tolerance(run: BdfMemory) -> float:
    """Correction that ends an iteration."""
    kick = max(1.0, 2.0 * run.kick)
    tolerance = run.corrector_tol
    if tolerance == 0.0 and run.level == LEVEL.PROJECTED:
        tolerance = _TOLERANCE_PROJECTED
    elif tolerance == 0.0:
        tolerance = _TOLERANCE * min(1.0, (_LOOSE / run.rtol) ** (1.0 / 3.0))
    return tolerance / (kick * kick)


@compiled
def note_projection(run: BdfMemory) -> None:
    """What the projection of a step has done."""
    run.kick = max(run.moved, _FADING * run.kick)


@compiled
def _rounding_of_velocities(run: BdfMemory) -> float:
    """What rounding of constraints on positions, times α, makes of velocities, in units of the tolerance: corrections
    of this size get no smaller, and :func:`~dalembert.integrate.methods.bdf_matrix.project_iterate` takes them away."""
    n_q, n_v, y0, scale, weight = run.n_q, run.n_v, run.y0, run.scale, run.weight
    length, sharpest = 0.0, 0.0
    for i in range(n_q):
        length = max(length, scale[i] + abs(y0[i]))
    for k in range(n_q, n_q + n_v):
        sharpest = max(sharpest, weight[k])
    return _ROUNDING * length * abs(run.alpha) * sharpest


@compiled
def _iterate(run: BdfMemory, action: int) -> int:
    """Corrections of the prediction by the factors at hand, scaled to this α (corrector (14), (18)); by new ones where
    an action asks for them, with derivatives from where the iteration begins."""
    x, correction, moved = run.iterate, run.corrections, run.moved_by
    load_prediction(run)
    run.theta = 0.0
    run.convergence = max(run.convergence, _KNOWN)
    before = 0.0
    rounding = _rounding_of_velocities(run) if run.level == LEVEL.PROJECTED else 0.0
    for iteration in range(run.corrector_limit):
        status = residual(run)
        if status:
            return status
        if iteration == 0 and action != ACTION.KEEP and action != ACTION.RESCALE:
            status = carry_out(run, action)
            if status == STATUS.OK:
                status = _factorise(run)
            if status:
                return status
        if run.n_rows:
            status = solve_for_accelerations(run)
            if status:
                return status
        if run.level == LEVEL.PROJECTED:
            solve_reduced(run, correction)
        else:
            solve_real(run, 0, correction)
        factor = -2.0 / (1.0 + run.alpha / run.alpha_factored)
        add_scaled(factor, correction, x)
        differential(run, correction, moved)
        size = abs(factor) * weighted_norm(run, moved)
        judgement = judge(run, iteration, size, before)
        before = size
        if size <= rounding:
            return STATUS.OK
        if judgement == JUDGEMENT.CONVERGED:
            return STATUS.OK
        if judgement == JUDGEMENT.HOPELESS:
            break
    return STATUS.NEWTON_FAILED if before < np.inf else STATUS.NOT_FINITE


@compiled
def _factorise(run: BdfMemory) -> int:
    """The Newton matrix of this α."""
    run.have_factors = 0
    status = factor_reduced(run, run.alpha) if run.level == LEVEL.PROJECTED else factor_real(run, 0, run.alpha)
    if status == STATUS.OK:
        run.alpha_factored, run.have_factors = run.alpha, 1
        run.convergence = _UNKNOWN
    return status


@compiled
def _renew_in_time(run: BdfMemory) -> int:
    """A Jacobian as old as one that has failed is renewed before it fails too, which would cost the iterations up to
    there; where it still served well, the next one may get older."""
    if run.theta <= _YOUNG * run.keep_rate:
        run.life += 1
    run.renewed_slow += 1
    run.renewal |= RENEWAL.SLOW
    return ACTION.RENEW


@compiled
def _iterate_with_renewals(run: BdfMemory) -> int:
    """The end of the step, with a matrix as fresh as it needs."""
    alpha = run.alpha
    if alpha != run.alpha_last:
        run.convergence = _UNKNOWN_ALPHA
    run.alpha_last = alpha
    action = before_attempt(run, alpha)
    if run.life and run.jacobian_age >= run.life and (action == ACTION.KEEP or action == ACTION.RESCALE):
        action = _renew_in_time(run)
    failure = STATUS.NEWTON_FAILED
    for _ in range(MOST_ACTIONS):
        if action == ACTION.RENEW_M and run.n_rows:
            action = ACTION.REFACTOR  # corrector (24)
        failure = _iterate(run, action)
        if failure == STATUS.SINGULAR:
            run.jacobian_age = -1
        if failure != STATUS.NEWTON_FAILED and failure != STATUS.NOT_FINITE:
            return failure
        if run.jacobian_age < 0:  # there are no derivatives at the prediction
            return failure
        if run.jacobian_age > 0 and run.jacobian_kind == KIND.EXACT:
            run.life = run.jacobian_age
        action = after_failure(run, alpha)
        if action == ACTION.GIVE_UP:
            break
    run.jacobian_age = -1
    return failure if run.level == LEVEL.PROJECTED else failed_iteration(run, failure)


@compiled
def correct(run: BdfMemory) -> int:
    """The end of the step, in the iterate."""
    limit, tolerance = run.newton_limit, run.newton_tol  # those of the starter
    run.newton_limit, run.newton_tol = run.corrector_limit, _tolerance(run)
    status = _iterate_with_renewals(run)
    run.newton_limit, run.newton_tol = limit, tolerance
    if run.level == LEVEL.PROJECTED and status == STATUS.OK:
        status = project_iterate(run)
    return status
