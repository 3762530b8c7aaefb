"""What actions do with K and M at the point of evaluation, for all methods on the stabilised index-2 form.

As K and M are kept apart, the partitioned updates (24), (25) of Arnold, Fuchs, Führer (corrector) are no formulas:
another α needs no Jacobian, at most a new M.  The extended one (26) is

    K = K_ref + Σ D_i (w_i(t) − w_i(t_ref))

over excitations w and their rates, whose derivatives D_i are known exactly on atoms, and over what excitations drive,
for which D_i are differences of K: coordinates that a constraint of their own drives, with their velocities and
accelerations, and motions that other constraints force which depend on time.  A constraint g_k = 0 of these has moved
the mechanism by C_k (q − q_ref), its row of the Jacobian times what q has changed by, in the direction d of

    (E/h + K) (d, d/h, ·, ·, ·) = (0, 0, e_k, e_k/h, 0)

in which the corrector itself would follow it: C_k d = 1, all other constraints hold, and what these leave free moves as
mass, damping and stiffness let it within a step.  Velocities and accelerations move along the same direction, by
G_k (v − v_ref) and G_k (a − a_ref).  K_ref is the last one that was evaluated; D_i is found once after a start, a jump
or a break.
"""

from __future__ import annotations

import numpy as np

from dalembert.equations.contract.convention import CONTRACT, EXCITED, STAGE
from dalembert.integrate.frame.contract_formalism import call_contract
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.implicit.differences import fill_known, gather_columns, set_column, set_increments
from dalembert.integrate.implicit.implicit_memory import ImplicitMemory
from dalembert.integrate.implicit.newton_matrix import (
    evaluate_jacobian,
    factor_real,
    renew_jacobian,
    solve_real,
    take_jacobian,
)
from dalembert.integrate.implicit.newton_memory import ACTION
from dalembert.linalg.vector_operations import add_scaled, clear, copy, total_size
from dalembert.native.kernel import Reals, call_entry, compiled, kernel, view

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
        if run.extends and status == STATUS.OK:
            status = _refer_to(run)
            if status:
                run.jacobian_age = -1
        return status
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
    if not total_size(M) < np.inf:  # else it would be taken for singular
        run.jacobian_age = -1
        return STATUS.NOT_FINITE
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
    _measure_forced(run, run.forced_value)
    if not due:
        return STATUS.OK
    run.driven_in = 0  # until all are found
    status = _difference_by_driven(run)
    if status == STATUS.OK:
        status = _difference_by_forced(run)
    if status == STATUS.OK:
        run.driven_in = run.steps + 1
    return status


@compiled
def _difference_by_driven(run: ImplicitMemory) -> int:
    """Derivatives of K by driven coordinates, their velocities and accelerations."""
    n, K = run.n_K, run.K
    for i in range(run.n_driven):
        k, value = run.driven[i], run.driven_value[i]
        set_increments(run)
        moved = value + _COARSER * run.column_increment[k]
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
def _measure_forced(run: ImplicitMemory, out: Reals) -> None:
    """C_k q, G_k v and G_k a of constraints that depend on time, with their rows of the K that was evaluated."""
    K, rows, columns, q, v, a = run.K_evaluated, run.K_rows, run.K_columns, run.q, run.v, run.a
    at_g, n_q = run.n_q + run.n_v, run.n_q
    at_gv = at_g + run.n_g
    clear(out)
    for i in range(run.n_forced):
        k = run.forced[i]
        for e in range(K.size):
            j = columns[e]
            if rows[e] == at_g + k and j < n_q:
                out[3 * i] += K[e] * q[j]
            elif rows[e] == at_gv + k and n_q <= j < at_g:
                out[3 * i + 1] += K[e] * v[j - n_q]
                out[3 * i + 2] += K[e] * a[j - n_q]


@compiled
def _difference_by_forced(run: ImplicitMemory) -> int:
    """Derivatives of K along what constraints force that depend on time."""
    if run.n_forced == 0:
        return STATUS.OK
    clear(run.by_forced)
    rate = 1.0 / abs(run.h)
    if factor_real(run, 0, rate):  # the method will see; K stays as it is evaluated
        return STATUS.OK
    n_q, n_v, direction = run.n_q, run.n_v, run.forced_direction
    for i in range(run.n_forced):
        clear(direction)
        k = n_q + n_v + run.forced[i]
        direction[k], direction[k + run.n_g] = 1.0, rate
        solve_real(run, 0, direction)
        if not total_size(direction) < np.inf:
            continue
        along = view(direction, n_q, n_v)
        for j in range(n_v):
            along[j] /= rate
        status = _difference_along(run, 3 * i, 0, view(direction, 0, n_q))
        if status == STATUS.OK:
            status = _difference_along(run, 3 * i + 1, n_q, along)
        if status == STATUS.OK:
            status = _difference_along(run, 3 * i + 2, n_q + n_v, along)
        if status:
            return status
    return STATUS.OK


@compiled
def _difference_along(run: ImplicitMemory, number: int, first: int, direction: Reals) -> int:
    """The derivative of K along a direction of the columns from one on."""
    n, K, point = run.n_K, run.K, run.forced_point
    gather_columns(run, point)
    copy(point, run.column_value)
    set_increments(run)
    step = np.inf
    for j in range(direction.size):
        if direction[j] != 0.0:
            step = min(step, _COARSER * run.column_increment[first + j] / abs(direction[j]))
    if not step < np.inf:
        return STATUS.OK
    for j in range(direction.size):
        set_column(run, first + j, point[first + j] + step * direction[j])
    run.changed = STAGE.T
    run.njev += 1
    run.jacobian_excited += 1
    found = view(run.by_forced, number * n, n)
    status = evaluate_jacobian(run, found, run.driven_mass)
    for j in range(direction.size):
        set_column(run, first + j, point[first + j])
    run.changed = STAGE.T
    gather_columns(run, run.column_value)
    for j in range(n):
        found[j] = (found[j] - K[j]) / step
    return status


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
    _measure_forced(run, run.forced_here)
    for i in range(run.forced_here.size):
        add_scaled(run.forced_here[i] - run.forced_value[i], view(run.by_forced, i * n, n), K)
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
