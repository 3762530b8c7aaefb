"""Derivatives of the equations of motion in a chart, at the start of a step, which is its base point.

All strategies leave E and E_motion with E z̈' = −E_motion (z', ż', u', t'), and the derivatives of d:

``analytic``
    E = NᵀM N, and M̂2, M̂1 of thesis (3.43)–(3.45), from exact derivatives of all rows; nothing is solved but with the
    dependent block
``columns``
    accelerations in each direction by the factorised matrix of constrained motion (Appendix A); also where forces or
    external dynamics depend on reactions; E = 1.  Directions may be divided among threads (A.13, Table 31), each with
    factors and vectors of its own, so that results are the same to the last bit
``directional``
    accelerations that are solved on atoms, in each direction by forward mode; there is no matrix of derivatives; E = 1
``numeric``
    one-sided differences of z̈ in each direction, with q and v recovered at each point (5.3); E = 1

Directions are z, ż, u and t.  A change of z at rest in ż takes v along: ∂v/∂z = −A (G v + gI)_q T N − N P (T v)_q T N,
which is J of (3.38), and where constraints depend on time, so does t.
"""

from __future__ import annotations

import numpy as np

from dalembert.equations.contract.convention import CHANGE, CONTRACT, DIRECTIONAL, REDUCED, STAGE
from dalembert.integrate.chart.chart import in_coordinates
from dalembert.integrate.chart.chart_memory import ChartMemory
from dalembert.integrate.chart.recovery import call_reduced, motion_at
from dalembert.integrate.frame.contract_formalism import call_contract, factor
from dalembert.integrate.frame.memory import STATUS
from dalembert.linalg.factors.dense_lu import lu_solve_many, lu_solve_many_transposed, lu_solve_rows
from dalembert.linalg.plan import HEAD
from dalembert.linalg.saddle import saddle_solve
from dalembert.linalg.vector_operations import clear, copy, total_size
from dalembert.native.kernel import Ints, Reals, call_entry, compiled, ints_at, kernel, reals_at, view
from dalembert.native.threads import JOB, join_parts, part_kernel, start_parts, tell, told

_ROOT_EPS = 1.4901161193847656e-08


@compiled
def _add_entries(run: ChartMemory, entries: Ints, first: int, count: int) -> None:
    """responses += derivatives · directions, over some entries, in ``count`` directions from the first on."""
    n, n_d, values = entries.size // 3, run.n_d, run.derivatives
    for k in range(n):
        value = values[entries[k]]
        target, source = (
            view(run.responses, entries[n + k] * n_d + first, count),
            view(run.chart_directions, entries[2 * n + k] * n_d + first, count),
        )
        for c in range(count):
            target[c] += value * source[c]


@compiled
def _set_moved_positions(run: ChartMemory, rheonomic: bool) -> None:
    """q, ż, u and t of all directions: T N for z, −T A ∂g/∂t for t, with −∂g/∂t in ``across`` where it is not zero."""
    n_q, n_v, f, n_u, n_d, m = run.n_q, run.n_v, run.n_f, run.n_u, run.n_d, run.n_g
    X, basis, right = run.chart_directions, run.basis, run.across
    clear(X)
    last = n_d - 1
    motion = run.motion
    clear(motion)
    if rheonomic:
        if run.C_is_G:
            lu_solve_rows(run.block, m, run.block_pivots, right)
        else:
            lu_solve_rows(run.block_C, m, run.block_C_pivots, right)
        for k in range(m):
            motion[run.dependent[k]] = right[k]
        if run.oblique:
            _stay_in_chart(run, motion)
    if run.unit_T:
        for i in range(n_v):
            copy(view(basis, i * f, f), view(X, i * n_d, f))
            X[i * n_d + last] = motion[i]
    else:
        T, rows, columns = run.chart_T, run.T_rows, run.T_columns
        for k in range(T.size):
            target, source = view(X, rows[k] * n_d, n_d), view(basis, columns[k] * f, f)
            for j in range(f):
                target[j] += T[k] * source[j]
            target[last] += T[k] * motion[columns[k]]
    for i in range(n_v):
        copy(view(basis, i * f, f), view(X, (n_q + i) * n_d + f, f))
    for k in range(n_u):
        X[(n_q + n_v + k) * n_d + 2 * f + k] = 1.0
    X[(n_q + n_v + n_u) * n_d + last] = 1.0


@compiled
def _stay_in_chart(run: ChartMemory, motion: Reals) -> None:
    """motion − N V motion."""
    f, n_v, V, basis = run.n_f, run.n_v, run.chart_V, run.basis
    for j in range(f):
        row, total = view(V, j * n_v, n_v), 0.0
        for i in range(n_v):
            total += row[i] * motion[i]
        run.along_f[j] = total
    for i in range(n_v):
        row, total = view(basis, i * f, f), 0.0
        for j in range(f):
            total += row[j] * run.along_f[j]
        motion[i] -= total


@compiled
def _see(run: ChartMemory, row: int, first: int, count: int) -> None:
    """seen_responses = P · responses of n_q rows from ``row`` on; zero where T = 1."""
    n_q, f, n_d, P, out = run.n_q, run.n_f, run.n_d, run.chart_P, run.seen_responses
    for j in range(f):
        target = view(out, j * n_d + first, count)
        clear(target)
        if run.unit_T:
            continue
        for i in range(n_q):
            value = P[j * n_q + i]
            if value != 0.0:
                source = view(run.responses, (row + i) * n_d + first, count)
                for c in range(count):
                    target[c] += value * source[c]


@compiled
def _set_moved_velocities(run: ChartMemory, first: int, count: int) -> None:
    """v of the directions z and t: what keeps G v + gI and ż as they are, whose changes with v held are responses."""
    n_q, n_v, f, n_d, m, V = run.n_q, run.n_v, run.n_f, run.n_d, run.n_lam, run.chart_V
    X, Y = run.chart_directions, run.responses
    right = view(run.block_right, m * first, m * count)
    if m:
        for i in range(m):
            source, target = view(Y, (run.at_gv + i) * n_d + first, count), view(right, i * count, count)
            for c in range(count):
                target[c] = -source[c]
        lu_solve_many(run.block, m, run.block_pivots, right, count)
    along = run.seen_responses
    _see(run, run.at_qdot, first, count)
    if m and run.oblique:
        for j in range(f):
            target = view(along, j * n_d + first, count)
            for k in range(m):
                value, source = V[j * n_v + run.dependent[k]], view(right, k * count, count)
                for c in range(count):
                    target[c] += value * source[c]
    for k in range(m):
        target, source = view(X, (n_q + run.dependent[k]) * n_d + first, count), view(right, k * count, count)
        for c in range(count):
            target[c] += source[c]
    turned = max(min(f - first, count), 0)
    for i in range(n_v):
        target = view(X, (n_q + i) * n_d + first, count)
        for j in range(f):
            value, source = run.basis[i * f + j], view(along, j * n_d + first, count)
            if value != 0.0:
                for c in range(count):
                    target[c] -= value * source[c]
        if turned:
            copy(view(target, 0, turned), view(run.turning, i * f + first, turned))


@compiled
def _differentiate(run: ChartMemory) -> int:
    """Derivatives of all rows, and how coordinates move."""
    right, values, entries = run.across, run.derivatives, run.time_entries
    clear(run.responses)
    if call_reduced(run, REDUCED.derivatives, STAGE.P):
        return STATUS.RAISED
    if not total_size(values) < np.inf:
        return STATUS.NOT_FINITE
    count = entries.size // 2
    clear(right)
    for k in range(count):
        right[entries[count + k]] -= values[entries[k]]
    _set_moved_positions(run, count > 0)
    return STATUS.OK


@compiled
def _respond(run: ChartMemory, first: int, count: int) -> None:
    """All rows in ``count`` directions from the first on, with accelerations and multipliers held."""
    n_d = run.n_d
    _add_entries(run, run.velocity_entries, first, count)
    _set_moved_velocities(run, first, count)
    _add_entries(run, run.motion_entries, first, count)
    for k in range(run.n_u):
        copy(view(run.responses, (run.at_d + k) * n_d + first, count), view(run.d_motion, k * n_d + first, count))
    _see(run, run.at_qddot, first, count)


@compiled
def respond(run: ChartMemory) -> int:
    """All rows in all directions, with accelerations and multipliers held."""
    status = _differentiate(run)
    if status == STATUS.OK:
        _respond(run, 0, run.n_d)
    return status


@compiled
def _set_mass(run: ChartMemory) -> None:
    """M N, E = NᵀM N, and Aᵀ M N."""
    n_v, f, m, basis, moving, entries = run.n_v, run.n_f, run.n_lam, run.basis, run.moving, run.mass_entries
    clear(moving)
    count = entries.size // 3
    for k in range(count):
        value = run.derivatives[entries[k]]
        target, source = view(moving, entries[count + k] * f, f), view(basis, entries[2 * count + k] * f, f)
        for j in range(f):
            target[j] += value * source[j]
    clear(run.E)
    for i in range(n_v):
        row, source = view(basis, i * f, f), view(moving, i * f, f)
        for j in range(f):
            if row[j] != 0.0:
                target = view(run.E, j * f, f)
                for k in range(f):
                    target[k] += row[j] * source[k]
    out = run.moving_across
    for k in range(m):
        i = run.dependent[k]
        target = view(out, k * f, f)
        copy(view(moving, i * f, f), target)
        if run.oblique:
            for j in range(f):
                value, source = run.chart_V[j * n_v + i], view(run.E, j * f, f)
                for c in range(f):
                    target[c] -= value * source[c]
    if m:
        lu_solve_many_transposed(run.block, m, run.block_pivots, out, f)


@compiled
def _add_turned(left: Reals, first: int, n: int, f: int, run: ChartMemory, sign: float) -> None:
    """E_motion += sign · leftᵀ responses, over n rows from the first on."""
    n_d, out = run.n_d, run.E_motion
    for i in range(n):
        row, source = view(left, i * f, f), view(run.responses, (first + i) * n_d, n_d)
        for j in range(f):
            value = sign * row[j]
            if value != 0.0:
                target = view(out, j * n_d, n_d)
                for c in range(n_d):
                    target[c] += value * source[c]


@kernel
def analytic(run: ChartMemory) -> int:
    """E_motion = Nᵀ residual' − (Aᵀ M N)ᵀ (G a − γ)' − E P (T a + Ṫ v)'."""
    status = respond(run)
    if status:
        return status
    f, n_d = run.n_f, run.n_d
    _set_mass(run)
    clear(run.E_motion)
    _add_turned(run.basis, 0, run.n_v, f, run, 1.0)
    _add_turned(run.moving_across, run.at_ga, run.n_lam, f, run, -1.0)
    if not run.unit_T:
        for j in range(f):
            target = view(run.E_motion, j * n_d, n_d)
            for k in range(f):
                value, source = run.E[j * f + k], view(run.seen_responses, k * n_d, n_d)
                for c in range(n_d):
                    target[c] -= value * source[c]
    return STATUS.OK


@compiled
def _set_unit(run: ChartMemory) -> None:
    """E = 1."""
    clear(run.E)
    for j in range(run.n_f):
        run.E[j * run.n_f + j] = 1.0


@compiled
def factor_aside(run: ChartMemory) -> int:
    """The matrix of constrained motion, for other purposes than rates: its pivots are not those of the run's end."""
    condition = run.condition
    status = factor(run, run.friction)
    run.condition, run.factored = condition, 0
    return status


@compiled
def _factor_columns(run: ChartMemory) -> int:
    """The matrix that columns are solved with."""
    if call_contract(run, CONTRACT.M | CONTRACT.G | (CONTRACT.F if run.friction else 0), STAGE.P):
        return STATUS.RAISED
    return factor_aside(run)


@compiled
def _solve_columns(run: ChartMemory, values: Reals, plan: Ints, right: Reals, first: int, count: int) -> int:
    """z̈' = V a' + P (T a + Ṫ v)' in ``count`` directions from the first on, with factors and a vector to work in."""
    n_v, m, f, n_d = run.n_v, run.n_lam, run.n_f, run.n_d
    _respond(run, first, count)
    friction = view(run.F, 0, run.F.size if run.friction else 0)
    entries = run.external_entries
    listed = entries.size // 3
    for c in range(first, first + count):
        for i in range(n_v):
            right[i] = -run.responses[i * n_d + c]
        for i in range(m):
            right[n_v + i] = -run.responses[(run.at_ga + i) * n_d + c]
        if saddle_solve(values, plan, run.saddle, run.M, run.G, friction, right):
            return STATUS.SINGULAR
        for j in range(f):
            total = run.seen_responses[j * n_d + c]
            row = view(run.chart_V, j * n_v, n_v)
            for i in range(n_v):
                total += row[i] * right[i]
            run.E_motion[j * n_d + c] = -total
        for k in range(listed):
            at = entries[listed + k] * n_d + c
            run.d_motion[at] += run.derivatives[entries[k]] * right[n_v + entries[2 * listed + k]]
    return STATUS.OK


@compiled
def _all_columns(run: ChartMemory) -> int:
    """All of them, one after the other, with the matrix that is factorised."""
    run.nsolve += run.n_d
    _set_unit(run)
    return _solve_columns(run, run.saddle_values, run.saddle_plan, run.right, 0, run.n_d)


@kernel
def columns(run: ChartMemory) -> int:
    """z̈' = V a' + P (T a + Ṫ v)', with M a' + (Gᵀ − F) λ' = −residual', G a' = −(G a − γ)'."""
    status = _differentiate(run)
    if status == STATUS.OK:
        status = _factor_columns(run)
    return _all_columns(run) if status == STATUS.OK else status


@compiled
def _jobs(run: ChartMemory) -> Ints:
    """What threads are told, and tell each other."""
    return ints_at(run.parts_work, run.threads * JOB.end)


@compiled
def _own_columns(run: ChartMemory, part: int, parts: int) -> int:
    """The columns of a part, with factors of its own: solutions write among them."""
    n_values, n_plan, n_d = run.saddle_values.size, run.saddle_plan.size, run.n_d
    size = n_values + n_plan + run.n_z
    at = run.parts_work + 8 * (run.threads * JOB.end + part * size)
    values, plan = reals_at(at, n_values), ints_at(at + 8 * n_values, n_plan)
    copy(run.saddle_values, values)
    for k in range(n_plan):
        plan[k] = run.saddle_plan[k]
    first = part * n_d // parts
    count = (part + 1) * n_d // parts - first
    status = _solve_columns(run, values, plan, reals_at(at + 8 * (n_values + n_plan), run.n_z), first, count)
    # Where factors had to be replaced on the way, those of later columns depend on which came before them.
    return STATUS.SINGULAR if plan[HEAD.TROUBLES] != run.saddle_plan[HEAD.TROUBLES] else status


@part_kernel
def columns_part(run: ChartMemory, part: int) -> int:
    """The second part factorises while the first one differentiates; then each has columns of its own.

    The second part tells 1 + how that ended, the first one the number of parts, or −1 if there is nothing to do."""
    jobs, routines = _jobs(run), run.thread_routines
    if part == 1:
        tell(jobs, 1, 1 + _factor_columns(run))
    parts = told(routines, jobs, 0)
    if parts < 0 or told(routines, jobs, 1) != 1:
        return STATUS.OK
    return _own_columns(run, part, parts)


@kernel
def columns_in_threads(run: ChartMemory) -> int:
    """The same as :func:`columns` to the last bit, in several threads."""
    jobs, routines = _jobs(run), run.thread_routines
    parts = start_parts(run, routines, jobs, run.threads)
    status = _differentiate(run)
    if parts == 1:
        if status == STATUS.OK:
            status = _factor_columns(run)
        return _all_columns(run) if status == STATUS.OK else status
    tell(jobs, 0, parts if status == STATUS.OK else -1)
    factored = told(routines, jobs, 1) - 1
    own = STATUS.OK
    if status == STATUS.OK and factored == STATUS.OK:
        own = _own_columns(run, 0, parts)
    others = join_parts(routines, jobs, parts)
    if status or factored:
        return status if status else factored
    if own or others:  # then one after the other
        status = _differentiate(run)
        return _all_columns(run) if status == STATUS.OK else status
    run.nsolve += run.n_d
    _set_unit(run)
    return STATUS.OK


@compiled
def _call_directional(run: ChartMemory, request: int, changed: int) -> int:
    """Changes of rows at the point along ``change``; stages from ``changed`` on are new."""
    return call_entry(
        run.directional_entry, request, changed, run.directional_inputs, run.directional_outputs, run.directional_work
    )


@compiled
def _take_direction(run: ChartMemory, c: int) -> None:
    """Make a direction the one that changes are asked for."""
    change, X, n_d = run.change, run.chart_directions, run.n_d
    for i in range(change.size):
        change[i] = X[i * n_d + c]


@compiled
def _respond_in_forward_mode(run: ChartMemory) -> int:
    """Responses of G v + gI and T v to changes of z and t with v held, where there is something to hold."""
    n_d, f, Y = run.n_d, run.n_f, run.responses
    clear(Y)
    if not run.n_lam and run.unit_T:
        return STATUS.OK
    for k in range(f + 1):
        c = k if k < f else n_d - 1
        _take_direction(run, c)
        if _call_directional(run, DIRECTIONAL.gv_moved | (0 if run.unit_T else DIRECTIONAL.qdot_moved), CHANGE):
            return STATUS.RAISED
        for i in range(run.n_lam):
            Y[(run.at_gv + i) * n_d + c] = run.gv_moved[i]
        if not run.unit_T:
            for i in range(run.n_q):
                Y[(run.at_qdot + i) * n_d + c] = run.qdot_moved[i]
    return STATUS.OK


@kernel
def directional(run: ChartMemory) -> int:
    """z̈' = P (T a + Ṫ v)' for accelerations that are functions of q, v, u, t alone."""
    n_q, f, n_u, n_d, P = run.n_q, run.n_f, run.n_u, run.n_d, run.chart_P
    if _call_directional(run, DIRECTIONAL.g_t, STAGE.P):
        return STATUS.RAISED
    rheonomic = False
    for k in range(run.n_g):
        run.across[k] = -run.g_t[k]
        rheonomic = rheonomic or run.g_t[k] != 0.0
    _set_moved_positions(run, rheonomic)
    status = _respond_in_forward_mode(run)
    if status:
        return status
    _set_moved_velocities(run, 0, n_d)
    _set_unit(run)
    for c in range(n_d):
        _take_direction(run, c)
        moves = c < f or c == n_d - 1
        request = DIRECTIONAL.qddot_moved if moves else DIRECTIONAL.qddot_driven
        if n_u:
            request |= DIRECTIONAL.d_moved if moves else DIRECTIONAL.d_driven
        if _call_directional(run, request, CHANGE):
            return STATUS.RAISED
        qddot, d = (run.qddot_moved, run.d_moved) if moves else (run.qddot_driven, run.d_driven)
        for j in range(f):
            total, row = 0.0, view(P, j * n_q, n_q)
            for i in range(n_q):
                total += row[i] * qddot[i]
            run.E_motion[j * n_d + c] = -total
        for k in range(n_u):
            run.d_motion[k * n_d + c] = d[k]
    if not total_size(run.E_motion) + total_size(run.d_motion) < np.inf:
        return STATUS.NOT_FINITE
    return STATUS.OK


@compiled
def _increment(run: ChartMemory, direction: int) -> float:
    """How far a direction is followed: √ε of what moves most, seen from its size."""
    if direction == run.n_d - 1:
        return run.direction * _ROOT_EPS * max(abs(run.t_now), run.time_scale)
    clear(run.x_trial)
    run.x_trial[direction] = 1.0
    in_coordinates(run, run.x_trial, run.y_change)
    largest = 0.0
    for i in range(run.n_y):
        largest = max(largest, abs(run.y_change[i]) / (run.scale[i] + abs(run.y0[i])))
    return _ROOT_EPS / largest if largest > 0.0 else _ROOT_EPS


@kernel
def numeric(run: ChartMemory) -> int:
    """Forward differences of z̈ and d in each direction."""
    n_v, f, n_u, n_d, n_s = run.n_v, run.n_f, run.n_u, run.n_d, run.n_s
    _set_unit(run)
    clear(run.turning)
    copy(view(run.y0, run.n_q, n_v), run.v_start)
    kept, run.recovery_end = run.recovery_end, 1e-14
    status = STATUS.OK
    for c in range(n_d):
        h = _increment(run, c)
        copy(run.x0, run.x_trial)
        t = run.t_now
        if c < n_s:
            h = (run.x0[c] + h) - run.x0[c]
            run.x_trial[c] += h
        else:
            h = (t + h) - t
            t += h
        status = motion_at(run, t, run.x_trial, run.x_rate)
        if status:
            break
        for j in range(f):
            run.E_motion[j * n_d + c] = -(run.x_rate[f + j] - run.x_rate0[f + j]) / h
        for k in range(n_u):
            run.d_motion[k * n_d + c] = (run.x_rate[2 * f + k] - run.x_rate0[2 * f + k]) / h
        if c < f:
            for i in range(n_v):
                run.turning[i * f + c] = (run.v[i] - run.v_start[i]) / h
    run.recovery_end = kept
    run.recovery_rate, run.recovery_rate_v = 0.5, 0.5  # of points next to the base
    if status == STATUS.OK and not total_size(run.E_motion) + total_size(run.d_motion) < np.inf:
        status = STATUS.NOT_FINITE
    return status
