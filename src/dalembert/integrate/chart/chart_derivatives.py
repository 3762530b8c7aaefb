"""Derivatives of the equations of motion in a chart, at the start of a step or, where that does not do, at a stage.

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
``central``
    the same to both sides, twice as many, for forces that bend so much that one side is not enough; E = 1

The first two take derivatives of rows from the program "reduced", or from differences of groups of columns or of single
ones (:mod:`~dalembert.integrate.chart.chart_differences`).

Directions are z, ż, u and t.  A change of z at rest in ż takes v along: ∂v/∂z = −A (G v + gI)_q T N − N P (T v)_q T N,
which is J of (3.38), and where constraints depend on time, so does t.
"""

from __future__ import annotations

import numpy as np

from dalembert.equations.contract.convention import CHANGE, CONTRACT, DIRECTIONAL, REDUCED, STAGE
from dalembert.integrate.chart.chart import across, in_coordinates, is_flat
from dalembert.integrate.chart.chart_differences import difference_rows
from dalembert.integrate.chart.chart_memory import ChartMemory
from dalembert.integrate.chart.recovery import call_reduced, motion_at
from dalembert.integrate.frame.contract_formalism import call_contract, factor
from dalembert.integrate.frame.memory import STATUS
from dalembert.linalg.factors.dense_lu import lu_solve_many, lu_solve_many_transposed
from dalembert.linalg.plan import HEAD
from dalembert.linalg.saddle import saddle_solve
from dalembert.linalg.vector_operations import clear, copy, total_size
from dalembert.native.kernel import Ints, Reals, call_entry, compiled, ints_at, kernel, reals_at, view
from dalembert.native.threads import JOB, join_parts, part_kernel, start_parts, tell, told

_ROOT_EPS = 1.4901161193847656e-08
#: How much longer differences to both sides are. Their errors go with the square of their length, so that ε^(1/3), 406
#: times as long, would be best for what bends as much as it is large; creep forces of a wheel bend within that (2e-3).
_WIDER = 4.0


@compiled
def _add_entries(run: ChartMemory, entries: Ints, X: Reals, Y: Reals, count: int) -> None:
    """Y += derivatives · X, over some entries, for ``count`` directions and their responses, row by row."""
    n, values = entries.size // 3, run.derivatives
    for k in range(n):
        value = values[entries[k]]
        target, source = view(Y, entries[n + k] * count, count), view(X, entries[2 * n + k] * count, count)
        for c in range(count):
            target[c] += value * source[c]


@compiled
def _set_moved_positions(run: ChartMemory, rheonomic: bool) -> None:
    """q, ż, u and t of all directions: T N for z, −T A ∂g/∂t for t, with −∂g/∂t in ``across`` where it is not zero."""
    n_q, n_v, f, n_u, n_d = run.n_q, run.n_v, run.n_f, run.n_u, run.n_d
    X, basis, right = run.chart_directions, run.basis, run.across
    clear(X)
    last = n_d - 1
    motion = run.motion
    clear(motion)
    if rheonomic:
        across(run, right, True, motion)
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
def _see(run: ChartMemory, Y: Reals, row: int, count: int, out: Reals) -> None:
    """P times n_q rows of responses from ``row`` on; zero where T = 1."""
    n_q, f, P = run.n_q, run.n_f, run.chart_P
    clear(view(out, 0, f * count))
    if run.unit_T:
        return
    for j in range(f):
        target = view(out, j * count, count)
        for i in range(n_q):
            value = P[j * n_q + i]
            if value != 0.0:
                source = view(Y, (row + i) * count, count)
                for c in range(count):
                    target[c] += value * source[c]


@compiled
def _set_moved_velocities(
    run: ChartMemory, X: Reals, Y: Reals, right: Reals, along: Reals, first: int, count: int
) -> None:
    """v of the directions z and t: what keeps G v + gI and ż as they are, whose changes with v held are responses."""
    n_q, n_v, f, m, V = run.n_q, run.n_v, run.n_f, run.n_lam, run.chart_V
    if m:
        for i in range(m):
            source, target = view(Y, (run.at_gv + i) * count, count), view(right, i * count, count)
            for c in range(count):
                target[c] = -source[c]
        lu_solve_many(run.block, m, run.block_pivots, right, count)
    _see(run, Y, run.at_qdot, count, along)
    if m and run.oblique:
        for j in range(f):
            target = view(along, j * count, count)
            for k in range(m):
                value, source = V[j * n_v + run.dependent[k]], view(right, k * count, count)
                for c in range(count):
                    target[c] += value * source[c]
    for k in range(m):
        target, source = view(X, (n_q + run.dependent[k]) * count, count), view(right, k * count, count)
        for c in range(count):
            target[c] += source[c]
    turned = max(min(f - first, count), 0)
    for i in range(n_v):
        target = view(X, (n_q + i) * count, count)
        for j in range(f):
            value, source = run.basis[i * f + j], view(along, j * count, count)
            if value != 0.0:
                for c in range(count):
                    target[c] -= value * source[c]
        if turned:
            copy(view(target, 0, turned), view(run.turning, i * f + first, turned))


@compiled
def _differentiate_rows(run: ChartMemory) -> int:
    """Derivatives of all rows."""
    if run.n_groups:
        status = difference_rows(run)
        if status:
            return status
    elif call_reduced(run, REDUCED.derivatives, STAGE.P):
        return STATUS.RAISED
    return STATUS.OK if total_size(run.derivatives) < np.inf else STATUS.NOT_FINITE


@compiled
def _differentiate(run: ChartMemory) -> int:
    """Derivatives of all rows, and how coordinates move."""
    right, values, entries = run.across, run.derivatives, run.time_entries
    status = _differentiate_rows(run)
    if status:
        return status
    count = entries.size // 2
    clear(right)
    for k in range(count):
        right[entries[count + k]] -= values[entries[k]]
    _set_moved_positions(run, count > 0)
    return STATUS.OK


@compiled
def _respond(run: ChartMemory, X: Reals, Y: Reals, right: Reals, along: Reals, first: int, count: int) -> None:
    """All rows in ``count`` directions X, with accelerations and multipliers held, and what is seen of T a + Ṫ v."""
    clear(Y)
    _add_entries(run, run.velocity_entries, X, Y, count)
    _set_moved_velocities(run, X, Y, right, along, first, count)
    _add_entries(run, run.motion_entries, X, Y, count)
    _see(run, Y, run.at_qddot, count, along)


@compiled
def _respond_in_all(run: ChartMemory) -> None:
    """All rows in all directions."""
    _respond(run, run.chart_directions, run.responses, run.block_right, run.seen_responses, 0, run.n_d)


@compiled
def respond(run: ChartMemory) -> int:
    """Derivatives of all rows in all directions, with accelerations and multipliers held."""
    status = _differentiate(run)
    if status == STATUS.OK:
        _respond_in_all(run)
        copy(view(run.responses, run.at_d * run.n_d, run.n_u * run.n_d), run.d_motion)
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


@compiled
def _place_entries(run: ChartMemory) -> None:
    """E, E_motion and d_motion of a chart in which all coordinates are independent: derivatives of rows by them."""
    n_v, f, n_d, values, entries = run.n_v, run.n_f, run.n_d, run.derivatives, run.motion_entries
    clear(run.E)
    clear(run.E_motion)
    clear(run.d_motion)
    clear(run.turning)
    count = entries.size // 3
    for k in range(count):
        row, column = entries[count + k], entries[2 * count + k]
        if row < n_v:
            run.E_motion[row * n_d + column] += values[entries[k]]
        elif run.at_d <= row < run.at_d + run.n_u:
            run.d_motion[(row - run.at_d) * n_d + column] += values[entries[k]]
    mass = run.mass_entries
    count = mass.size // 3
    for k in range(count):
        run.E[mass[count + k] * f + mass[2 * count + k]] += values[mass[k]]


@kernel
def analytic(run: ChartMemory) -> int:
    """E_motion = Nᵀ residual' − (Aᵀ M N)ᵀ (G a − γ)' − E P (T a + Ṫ v)'."""
    if is_flat(run):
        status = _differentiate_rows(run)
        if status == STATUS.OK:
            _place_entries(run)
        return status
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
def _solve_columns(
    run: ChartMemory, values: Reals, plan: Ints, right: Reals, Y: Reals, along: Reals, first: int, count: int
) -> int:
    """z̈' = V a' + P (T a + Ṫ v)' in ``count`` directions from the first on, with their responses, and with factors and
    a vector to work in."""
    n_v, m, f, n_d = run.n_v, run.n_lam, run.n_f, run.n_d
    friction = view(run.F, 0, run.F.size if run.friction else 0)
    entries = run.external_entries
    listed = entries.size // 3
    for c in range(count):
        for i in range(n_v):
            right[i] = -Y[i * count + c]
        for i in range(m):
            right[n_v + i] = -Y[(run.at_ga + i) * count + c]
        if saddle_solve(values, plan, run.saddle, run.M, run.G, friction, right):
            return STATUS.SINGULAR
        for j in range(f):
            total = along[j * count + c]
            row = view(run.chart_V, j * n_v, n_v)
            for i in range(n_v):
                total += row[i] * right[i]
            run.E_motion[j * n_d + first + c] = -total
        for k in range(run.n_u):
            run.d_motion[k * n_d + first + c] = Y[(run.at_d + k) * count + c]
        for k in range(listed):
            at = entries[listed + k] * n_d + first + c
            run.d_motion[at] += run.derivatives[entries[k]] * right[n_v + entries[2 * listed + k]]
    return STATUS.OK


@compiled
def _solve_all_columns(run: ChartMemory) -> int:
    """One after the other, with the factors that there are."""
    _respond_in_all(run)
    _set_unit(run)
    run.nsolve += run.n_d
    return _solve_columns(
        run, run.saddle_values, run.saddle_plan, run.right, run.responses, run.seen_responses, 0, run.n_d
    )


@compiled
def _all_columns(run: ChartMemory) -> int:
    """In one thread."""
    status = _differentiate(run)
    if status == STATUS.OK:
        status = _factor_columns(run)
    return _solve_all_columns(run) if status == STATUS.OK else status


@kernel
def columns(run: ChartMemory) -> int:
    """z̈' = V a' + P (T a + Ṫ v)', with M a' + (Gᵀ − F) λ' = −residual', G a' = −(G a − γ)'."""
    return _all_columns(run)


@compiled
def _jobs(run: ChartMemory) -> Ints:
    """What threads are told, and tell each other."""
    return ints_at(run.parts_work, run.threads * JOB.end)


@compiled
def part_size(run: ChartMemory) -> int:
    """Words of memory of each part: factors and their plan, a vector, directions, responses and what else is made of
    these. Parts write to no line of memory that others read meanwhile."""
    most = -(-run.n_d // 2)  # with two parts, or fewer columns with more
    rows = (run.chart_directions.size + run.responses.size) // run.n_d + run.n_lam + run.n_f
    return -(-(run.saddle_values.size + run.saddle_plan.size + run.n_z + most * rows) // 8) * 8 + 8


@compiled
def _own_factors(run: ChartMemory, part: int) -> tuple[Reals, Ints]:
    """Values and plan of a part: solutions write among them."""
    n_values = run.saddle_values.size
    at = run.parts_work + 8 * (run.threads * JOB.end + part * part_size(run))
    return reals_at(at, n_values), ints_at(at + 8 * n_values, run.saddle_plan.size)


@compiled
def _own_columns(run: ChartMemory, part: int, parts: int) -> int:
    """The columns of a part."""
    values, plan = _own_factors(run, part)
    n_d = run.n_d
    first = part * n_d // parts
    count = (part + 1) * n_d // parts - first
    size = values.size + plan.size
    start = run.parts_work + 8 * (run.threads * JOB.end + part * part_size(run) + size)
    room = reals_at(start, part_size(run) - size)
    n_X, n_Y = run.chart_directions.size // n_d, run.responses.size // n_d
    right, at = view(room, 0, run.n_z), run.n_z
    X, at = view(room, at, n_X * count), at + n_X * count
    Y, at = view(room, at, n_Y * count), at + n_Y * count
    across, along = view(room, at, run.n_lam * count), view(room, at + run.n_lam * count, run.n_f * count)
    for i in range(n_X):
        copy(view(run.chart_directions, i * n_d + first, count), view(X, i * count, count))
    _respond(run, X, Y, across, along, first, count)
    return _solve_columns(run, values, plan, right, Y, along, first, count)


@compiled
def _part(run: ChartMemory, part: int) -> int:
    """The second part factorises while the first one differentiates; then each has columns of its own.

    The second part tells 1 + how that ended, the first one the number of parts, or −1 if there is nothing to do.
    Factors that were replaced on the way count as a failure: those of later columns would have been others.
    """
    jobs, routines = _jobs(run), run.thread_routines
    if part == 1:
        tell(jobs, 1, 1 + _factor_columns(run))
    if told(routines, jobs, 1) != 1:
        return STATUS.OK
    values, plan = _own_factors(run, part)
    copy(run.saddle_values, values)
    for k in range(plan.size):
        plan[k] = run.saddle_plan[k]
    parts = told(routines, jobs, 0)
    if parts < 0:
        return STATUS.OK
    status = _own_columns(run, part, parts)
    return STATUS.SINGULAR if plan[HEAD.TROUBLES] != run.saddle_plan[HEAD.TROUBLES] else status


@part_kernel
def columns_part(run: ChartMemory, part: int) -> int:
    """What a thread does."""
    return _part(run, part)


@kernel
def columns_in_threads(run: ChartMemory) -> int:
    """The same as :func:`columns` to the last bit, in several threads."""
    jobs, routines = _jobs(run), run.thread_routines
    parts = start_parts(run, routines, jobs, run.threads)
    if parts == 1:
        return _all_columns(run)
    status = _differentiate(run)
    tell(jobs, 0, parts if status == STATUS.OK else -1)
    own = _part(run, 0)
    others = join_parts(routines, jobs, parts)
    if status == STATUS.OK:
        status = told(routines, jobs, 1) - 1
    if status:
        return status
    if own or others:
        return _solve_all_columns(run)
    _set_unit(run)
    run.nsolve += run.n_d
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
    _set_moved_velocities(run, run.chart_directions, run.responses, run.block_right, run.seen_responses, 0, n_d)
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


@compiled
def _reached(run: ChartMemory, direction: int, start: float, h: float) -> float:
    """How far a point beside the stage is from it, as it is rounded."""
    at = run.x_stage[direction] if direction < run.n_s else start
    return (at + h) - at


@compiled
def _add_beside(run: ChartMemory, c: int, start: float, h: float, weight: float) -> int:
    """Add what z̈, d and v beside the stage have more than at it, times a weight, to their derivatives."""
    n_v, f, n_d, x_rate, aside = run.n_v, run.n_f, run.n_d, run.x_rate, run.x_aside
    copy(run.x_stage, run.x_trial)
    t = start
    if c < run.n_s:
        run.x_trial[c] += h
    else:
        t += h
    status = motion_at(run, t, run.x_trial, aside)
    if status:
        return status
    for j in range(f):
        run.E_motion[j * n_d + c] -= weight * (aside[f + j] - x_rate[f + j])
    for k in range(run.n_u):
        run.d_motion[k * n_d + c] += weight * (aside[2 * f + k] - x_rate[2 * f + k])
    if c < f:
        for i in range(n_v):
            run.turning[i * f + c] += weight * (run.v[i] - run.v_start[i])
    return STATUS.OK


@compiled
def _by_differences(run: ChartMemory, central: bool) -> int:
    """Differences of z̈ and d in each direction from x_stage, which is recovered as well as points beside it."""
    n_d, start, second = run.n_d, run.t_stage, 0.0
    _set_unit(run)
    clear(run.turning)
    clear(run.E_motion)
    clear(run.d_motion)
    kept, run.recovery_end = run.recovery_end, 1e-14
    status = motion_at(run, start, run.x_stage, run.x_rate)
    copy(run.v, run.v_start)
    for c in range(n_d if status == STATUS.OK else 0):
        h = _increment(run, c)
        if not central:
            first = _reached(run, c, start, h)
            status = _add_beside(run, c, start, first, 1.0 / first)
        else:  # the parabola through three points; not before the instant, where right sides may be others
            h *= _WIDER
            first, second = _reached(run, c, start, h), _reached(run, c, start, -h if c < run.n_s else 2.0 * h)
            status = _add_beside(run, c, start, first, second / (first * (second - first)))
            if status == STATUS.OK:
                status = _add_beside(run, c, start, second, first / (second * (first - second)))
        if status:
            break
    if status == STATUS.OK:
        status = motion_at(run, start, run.x_stage, run.x_rate)
    run.recovery_end, run.t_stage = kept, start
    run.recovery_rate, run.recovery_rate_v = 0.5, 0.5  # of points next to the base
    if status == STATUS.OK and not total_size(run.E_motion) + total_size(run.d_motion) < np.inf:
        status = STATUS.NOT_FINITE
    return status


@kernel
def numeric(run: ChartMemory) -> int:
    """One-sided differences."""
    return _by_differences(run, False)


@kernel
def central(run: ChartMemory) -> int:
    """Differences to both sides."""
    return _by_differences(run, True)
