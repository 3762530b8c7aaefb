"""One decision for all implicit methods: what is done with the Newton matrix before an attempt, and after an iteration
that has failed.

| before an attempt                                        | action                                          |
|----------------------------------------------------------|-------------------------------------------------|
| no Jacobian that may be used                             | RENEW                                           |
| the last iteration converged slowly, Jacobian not new    | RENEW                                           |
| factors belong to this α                                 | KEEP                                            |
| factors belong to an α close by, and the method scales   | RESCALE                                         |
| else                                                     | REFACTOR, or RENEW_M where M is kept up to date |

| after an iteration that has failed                       | action                                          |
|----------------------------------------------------------|-------------------------------------------------|
| the factors were scaled                                  | REFACTOR                                        |
| the Jacobian is not of this attempt                      | RENEW                                           |
| it is, but its pattern is an estimate that may grow      | GROW                                            |
| there is but one Jacobian for all stages                 | BY_STAGES                                       |
| else                                                     | GIVE_UP                                         |

A method asks for scaled factors, an M that is kept up to date and a pattern that may grow by the slots
``rescale_from``, ``updates_mass`` and ``pattern_grows``, and then does what RESCALE, RENEW_M and GROW say; the Radau
methods ask for none of these.
"""

from __future__ import annotations

from dalembert.integrate.implicit.newton_memory import ACTION, RENEWAL, NewtonMemory
from dalembert.native.kernel import compiled

#: An iteration that converged faster than this leaves a Jacobian worth keeping, unless a method says otherwise.
KEEP_JACOBIAN = 1e-3


@compiled
def before_attempt(run: NewtonMemory, alpha: float) -> int:
    """What an attempt with this α needs; counts and notes why."""
    if run.jacobian_age < 0:
        run.renewed_first += 1
        run.renewal |= RENEWAL.FIRST
        return ACTION.RENEW
    if run.jacobian_age > 0 and run.theta > run.keep_rate:
        run.renewed_slow += 1
        run.renewal |= RENEWAL.SLOW
        return ACTION.RENEW
    if run.have_factors and alpha == run.alpha_factored:
        return ACTION.KEEP
    if run.have_factors and run.rescale_from > 0.0:
        ratio = alpha / run.alpha_factored
        if run.rescale_from <= ratio <= 1.0 / run.rescale_from:
            return ACTION.RESCALE
    run.renewal |= RENEWAL.ALPHA
    return ACTION.RENEW_M if run.updates_mass else ACTION.REFACTOR


@compiled
def after_failure(run: NewtonMemory, alpha: float) -> int:
    """What may help an iteration with this α that has not converged; counts and notes why."""
    run.newton_failures += 1
    if run.have_factors and alpha != run.alpha_factored:
        run.renewal |= RENEWAL.ALPHA
        return ACTION.REFACTOR
    if run.jacobian_age != 0:  # an old Jacobian may be to blame
        run.renewed_failed += 1
        run.renewal |= RENEWAL.FAILED
        return ACTION.RENEW
    if run.pattern_grows:
        run.pattern_grows = 0  # once in an attempt
        return ACTION.GROW
    if run.by_stages == 0:
        run.by_stages = 1
        return ACTION.BY_STAGES
    return ACTION.GIVE_UP
