"""What actions do with K and M at the point of evaluation, for all methods on the stabilised index-2 form.

As K and M are kept apart, the partitioned updates (24), (25) of Arnold, Fuchs, Führer (corrector) are no formulas:
another α needs no Jacobian, at most a new M.  The extended one (26) is

    K = K_ref + Σ D_i (w_i(t) − w_i(t_ref))

over excitations w and their rates, whose derivatives D_i are known exactly on atoms, and over coordinates that a
constraint of their own drives, with their velocities and accelerations, for which D_i are differences of K.  K_ref is
the last one that was evaluated; D_i is found once after a start, a jump or a break.
"""

from __future__ import annotations

from dalembert.equations.contract.convention import CONTRACT, EXCITED, STAGE
from dalembert.integrate.frame.contract_formalism import call_contract
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.implicit.implicit_memory import ImplicitMemory
from dalembert.integrate.implicit.jacobian import fill_known, gather_columns, set_column, set_increments
from dalembert.integrate.implicit.newton_matrix import evaluate_jacobian, renew_jacobian, take_jacobian
from dalembert.integrate.implicit.newton_memory import ACTION
from dalembert.linalg.vector_operations import add_scaled, copy
from dalembert.native.kernel import call_entry, compiled, kernel, view

#: Differences of K are taken over so many of the increments of rows: √ε times this is ⁴√ε.
_COARSER = 8192.0


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
        status = renew_jacobian(run)
        return _refer_to(run) if run.extends and status == STATUS.OK else status
    if action == ACTION.GROW:
        run.have_factors = 0
        return STATUS.PATTERN_UNKNOWN
    if (action == ACTION.REFACTOR or action == ACTION.RENEW_M) and run.jacobian_age > 0:
        run.jacobian_updates += 1
    if action == ACTION.RENEW_M:
        return _renew_mass(run)
    return _extend(run) if action == ACTION.EXTEND else STATUS.OK


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


@compiled
def _call_excited(run: ImplicitMemory, request: int) -> int:
    """Excitations at the point, and derivatives by them."""
    entry, work = run.excited_entry, run.excited_work
    return STATUS.RAISED if call_entry(entry, request, STAGE.P, run.inputs, run.excited_outputs, work) else STATUS.OK


@compiled
def _refer_to(run: ImplicitMemory) -> int:
    """The K that was just evaluated is what later ones are extended from."""
    copy(run.K, run.K_evaluated)
    due = run.driven_in == 0 or (run.fresh and run.driven_in != run.steps + 1)
    if run.n_excitations:
        status = _call_excited(run, EXCITED.excitation | (EXCITED.by_excitation if due else 0))
        if status:
            return status
        copy(run.excitation, run.excitation_value)
    gather_columns(run, run.column_value)
    for i in range(run.n_driven):
        run.driven_value[i] = run.column_value[run.driven[i]]
    if due:
        run.driven_in = run.steps + 1
        return _difference_by_driven(run)
    return STATUS.OK


@compiled
def _difference_by_driven(run: ImplicitMemory) -> int:
    """Derivatives of K by driven coordinates, their velocities and accelerations."""
    n, K = run.n_K, run.K
    for i in range(run.n_driven):
        k, value = run.driven[i], run.driven_value[i]
        set_increments(run)
        moved = value + _COARSER * run.increment[k]
        found = view(run.by_driven, i * n, n)
        set_column(run, k, moved)
        run.changed = STAGE.T
        run.njev += 1
        run.jacobian_excited += 1
        status = evaluate_jacobian(run, found, run.driven_mass)
        set_column(run, k, value)
        run.changed = STAGE.T
        gather_columns(run, run.column_value)
        if status:
            return status
        for j in range(n):
            found[j] = (found[j] - K[j]) / (moved - value)
    return STATUS.OK


@compiled
def _extend(run: ImplicitMemory) -> int:
    """K follows what excites the mechanism, M is evaluated anew (corrector (26))."""
    run.jacobian_extended += 1
    status = _renew_mass(run)
    if status:
        return status
    K, n = run.K, run.n_K
    copy(run.K_evaluated, K)
    gather_columns(run, run.column_value)
    for i in range(run.n_driven):
        add_scaled(run.column_value[run.driven[i]] - run.driven_value[i], view(run.by_driven, i * n, n), K)
    if run.n_excitations:
        status = _call_excited(run, EXCITED.excitation)
        if status:
            return status
        w, before, by, sign = run.excitation, run.excitation_value, run.by_excitation, run.K_sign
        place, number = run.excited_place, run.excited_number
        for k in range(place.size):
            if place[k] >= 0:
                K[place[k]] += sign[place[k]] * by[k] * (w[number[k]] - before[number[k]])
    return STATUS.OK


@kernel
def adopt_jacobian(run: ImplicitMemory) -> int:
    """K and M from differences that an estimate of the pattern has left in the slot jacobian."""
    run.njev += 1
    run.jacobian_full += 1
    run.jacobian_age, run.have_factors = -1, 0
    status = fill_known(run) if run.knows_columns else STATUS.OK
    if status == STATUS.OK:
        status = take_jacobian(run, run.K, run.mass)
    if status == STATUS.OK and run.extends:
        status = _refer_to(run)
    if status == STATUS.OK:
        run.jacobian_age = 0
    return status
