"""One decision for all implicit methods: what is done with the Newton matrix before an attempt, and after an iteration
that has failed.

| before an attempt                                        | action                                          |
|----------------------------------------------------------|-------------------------------------------------|
| no Jacobian that may be used                             | RENEW; GROW if its pattern is still unknown     |
| the last iteration converged slowly, Jacobian not new    | RENEW; GROW if it was new then, and very slow,  |
|                                                          | and its pattern is an estimate; EXTEND if it    |
|                                                          | follows excitations, unless it did so last time |
|                                                          | and a new one had converged faster              |
| factors belong to this α                                 | KEEP                                            |
| factors belong to an α close by, and the method scales   | RESCALE                                         |
| another α renews all, and the Jacobian is not new        | RENEW                                           |
| else                                                     | EXTEND where the Jacobian follows excitations,  |
|                                                          | RENEW_M where M is kept up to date, REFACTOR    |

| after an iteration that has failed                       | action                                          |
|----------------------------------------------------------|-------------------------------------------------|
| the factors were scaled                                  | REFACTOR; EXTEND where an old Jacobian follows  |
|                                                          | excitations, once in a step                     |
| the Jacobian is not of this attempt                      | EXTEND, once in a step; RENEW                   |
| it is, but its pattern is an estimate that may grow      | GROW, once in a step                            |
| there is but one Jacobian for all stages                 | BY_STAGES                                       |
| else                                                     | GIVE_UP                                         |

A method asks for scaled factors by the slot ``rescale_from``; ``updates_mass``, ``renews_for_alpha``, ``extends`` and
``pattern_estimated`` are what its option ``jacobian`` says (:mod:`~dalembert.integrate.implicit.layout`).  What actions
do with K and M is :func:`~dalembert.integrate.implicit.updates.carry_out`.
"""

from __future__ import annotations

from dalembert.integrate.implicit.newton_memory import ACTION, RENEWAL, NewtonMemory
from dalembert.native.kernel import compiled

#: Actions of an attempt at most. Each is taken once, and factors are renewed once with each Jacobian.
MOST_ACTIONS = 12
#: An iteration that converged faster than this leaves a Jacobian worth keeping, unless a method says otherwise.
KEEP_JACOBIAN = 1e-3
#: One that converged slower than this with a new Jacobian tells that entries are missing in an estimated pattern.
_MISSING = 0.1
#: A Jacobian that has followed excitations and serves so well beside a new one is not worth another.
_NO_BETTER = 2.0


@compiled
def before_attempt(run: NewtonMemory, alpha: float) -> int:
    """What an attempt with this α needs; counts and notes why."""
    run.pattern_grows = 1 if run.pattern_estimated and run.grown_in != run.steps + 1 else 0
    if run.jacobian_age < 0:
        run.renewed_first += 1
        run.renewal |= RENEWAL.FIRST
        return ACTION.GROW if run.pattern_estimated == 1 else ACTION.RENEW
    if run.jacobian_age > 0 and run.theta > run.keep_rate:
        return _after_slow_iteration(run)
    if run.have_factors and alpha == run.alpha_factored:
        return ACTION.KEEP
    if run.have_factors and run.rescale_from > 0.0:
        ratio = alpha / run.alpha_factored
        if run.rescale_from <= ratio <= 1.0 / run.rescale_from:
            return ACTION.RESCALE
    run.renewal |= RENEWAL.ALPHA
    if run.jacobian_age == 0:
        return ACTION.REFACTOR
    if run.renews_for_alpha:
        run.renewed_alpha += 1
        return ACTION.RENEW
    if run.extends:
        return _extend(run)
    return ACTION.RENEW_M if run.updates_mass else ACTION.REFACTOR


@compiled
def _after_slow_iteration(run: NewtonMemory) -> int:
    """The Jacobian is old, or lacks entries."""
    if run.jacobian_age == 1:
        run.theta_new = run.theta
    if run.pattern_grows and run.jacobian_age == 1 and run.theta > _MISSING and run.steps >= run.grow_from:
        return _grow(run)
    if run.extends and (run.extended_in != run.steps or run.theta <= _NO_BETTER * run.theta_new):
        return _extend(run)
    run.renewed_slow += 1
    run.renewal |= RENEWAL.SLOW
    return ACTION.RENEW


@compiled
def _extend(run: NewtonMemory) -> int:
    run.extended_in = run.steps + 1
    run.renewal |= RENEWAL.EXTENDED
    return ACTION.EXTEND


@compiled
def _grow(run: NewtonMemory) -> int:
    run.pattern_grows, run.grown_in = 0, run.steps + 1
    run.renewed_pattern += 1
    run.renewal |= RENEWAL.PATTERN
    return ACTION.GROW


@compiled
def after_failure(run: NewtonMemory, alpha: float) -> int:
    """What may help an iteration with this α that has not converged; counts and notes why."""
    run.newton_failures += 1
    extends = run.extends and run.jacobian_age != 0 and run.extended_in != run.steps + 1
    if run.have_factors and alpha != run.alpha_factored:
        run.renewal |= RENEWAL.ALPHA
        return _extend(run) if extends else ACTION.REFACTOR
    if run.jacobian_age != 0:  # an old Jacobian may be to blame
        if extends:
            return _extend(run)
        run.renewed_failed += 1
        run.renewal |= RENEWAL.FAILED
        return ACTION.RENEW
    if run.pattern_grows:
        return _grow(run)
    if run.by_stages == 0:
        run.by_stages = 1
        return ACTION.BY_STAGES
    return ACTION.GIVE_UP
