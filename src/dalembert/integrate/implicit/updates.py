"""What actions do with K and M at the point of evaluation, for all methods on the stabilised index-2 form.

As K and M are kept apart, the partitioned updates (24), (25) of Arnold, Fuchs, Führer (corrector) are no formulas:
another α needs no Jacobian, at most a new M.
"""

from __future__ import annotations

from dalembert.equations.contract.convention import CONTRACT, STAGE
from dalembert.integrate.frame.contract_formalism import call_contract
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.implicit.implicit_memory import ImplicitMemory
from dalembert.integrate.implicit.newton_matrix import renew_jacobian
from dalembert.integrate.implicit.newton_memory import ACTION
from dalembert.native.kernel import compiled


@compiled
def needs_point(action: int) -> bool:
    """Whether an action evaluates something: the method then loads the point where K and M shall be."""
    return action == ACTION.RENEW or action == ACTION.RENEW_M or action == ACTION.EXTEND or action == ACTION.GROW


@compiled
def carry_out(run: ImplicitMemory, action: int) -> int:
    """Do what an action says with K and M, at the point of evaluation where :func:`needs_point` asks for one.

    The method then factorises, unless the action is KEEP, RESCALE or BY_STAGES, of which nothing is to be done here.  A
    status other than OK ends the attempt, and is to be returned as it is: STATUS.PATTERN_UNKNOWN lets the frame return
    with the point as it stands, for an estimate of the pattern, and the same attempt is then made again.
    """
    if action == ACTION.RENEW:
        return renew_jacobian(run)
    if action == ACTION.GROW:
        run.have_factors = 0
        return STATUS.PATTERN_UNKNOWN
    if action == ACTION.REFACTOR or action == ACTION.RENEW_M:
        run.jacobian_updates += 1
    if action == ACTION.RENEW_M:
        return _renew_mass(run)
    return STATUS.OK


@compiled
def _renew_mass(run: ImplicitMemory) -> int:
    """M at the point (corrector (25))."""
    run.have_factors = 0
    if call_contract(run, CONTRACT.M, STAGE.P):
        return STATUS.RAISED
    run.factored = 0
    mass, M, place = run.mass, run.M, run.mass_of_M
    for k in range(place.size):
        if place[k] >= 0:
            mass[place[k]] = M[k]
    return STATUS.OK
