"""Derivatives of the equations of motion in a chart, at the start of a step, which is its base point.

All strategies leave E and E_motion with E z̈' = −E_motion (z', ż', u', t'), and the derivatives of d:

``analytic``
    E = NᵀM N, and M̂2, M̂1 of thesis (3.43)–(3.45), from exact derivatives of all rows; nothing is solved but with the
    dependent block
``columns``
    accelerations in each direction by the factorised matrix of constrained motion (Appendix A); also where forces or
    external dynamics depend on reactions; E = 1
``numeric``
    one-sided differences of z̈ in each direction, with q and v recovered at each point (5.3); E = 1

Directions are z, ż, u and t.  A change of z at rest in ż takes v along: ∂v/∂z = −A (G v + gI)_q T N − N P (T v)_q T N,
which is J of (3.38), and where constraints depend on time, so does t.
"""

from __future__ import annotations

import numpy as np

from dalembert.equations.contract.convention import CONTRACT, REDUCED, STAGE
from dalembert.integrate.chart.chart import across, in_coordinates
from dalembert.integrate.chart.chart_memory import ChartMemory
from dalembert.integrate.chart.recovery import call_reduced, motion_at
from dalembert.integrate.frame.contract_formalism import call_contract, factor, solve
from dalembert.integrate.frame.memory import STATUS
from dalembert.linalg.factors.dense_lu import lu_solve_many, lu_solve_many_transposed
from dalembert.linalg.vector_operations import clear, copy, total_size
from dalembert.native.kernel import Ints, Reals, compiled, kernel, view

_ROOT_EPS = 1.4901161193847656e-08


@compiled
def _add_entries(run: ChartMemory, entries: Ints) -> None:
    """responses += derivatives · directions, over some entries."""
    n, n_d, values = entries.size // 3, run.n_d, run.derivatives
    for k in range(n):
        value = values[entries[k]]
        target, source = (
            view(run.responses, entries[n + k] * n_d, n_d),
            view(run.chart_directions, entries[2 * n + k] * n_d, n_d),
        )
        for c in range(n_d):
            target[c] += value * source[c]


@compiled
def _set_moved_positions(run: ChartMemory) -> None:
    """q, ż, u and t of all directions: T N for z, −T A ∂g/∂t for t."""
    n_q, n_v, f, n_u, n_d = run.n_q, run.n_v, run.n_f, run.n_u, run.n_d
    X, basis, right, values, entries = run.chart_directions, run.basis, run.across, run.derivatives, run.time_entries
    clear(X)
    last, count = n_d - 1, entries.size // 2
    motion = run.motion
    clear(motion)
    if count:
        clear(right)
        for k in range(count):
            right[entries[count + k]] -= values[entries[k]]
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
def _see(run: ChartMemory, first: int) -> None:
    """seen_responses = P · responses of n_q rows."""
    n_q, f, n_d, P, out = run.n_q, run.n_f, run.n_d, run.chart_P, run.seen_responses
    clear(out)
    for j in range(f):
        target = view(out, j * n_d, n_d)
        for i in range(n_q):
            value = P[j * n_q + i]
            if value != 0.0:
                source = view(run.responses, (first + i) * n_d, n_d)
                for c in range(n_d):
                    target[c] += value * source[c]


@compiled
def _set_moved_velocities(run: ChartMemory) -> None:
    """v of the directions z and t: what keeps G v + gI and ż as they are."""
    n_q, n_v, f, n_d, m, V = run.n_q, run.n_v, run.n_f, run.n_d, run.n_lam, run.chart_V
    X, right, Y = run.chart_directions, run.block_right, run.responses
    _add_entries(run, run.velocity_entries)
    if m:
        for i in range(m):
            source, target = view(Y, (run.at_gv + i) * n_d, n_d), view(right, i * n_d, n_d)
            for c in range(n_d):
                target[c] = -source[c]
        lu_solve_many(run.block, m, run.block_pivots, right, n_d)
    along = run.seen_responses
    if run.unit_T:
        clear(along)
    else:
        _see(run, run.at_qdot)
    if m and run.oblique:
        for j in range(f):
            target = view(along, j * n_d, n_d)
            for k in range(m):
                value, source = V[j * n_v + run.dependent[k]], view(right, k * n_d, n_d)
                for c in range(n_d):
                    target[c] += value * source[c]
    for k in range(m):
        target, source = view(X, (n_q + run.dependent[k]) * n_d, n_d), view(right, k * n_d, n_d)
        for c in range(n_d):
            target[c] += source[c]
    for i in range(n_v):
        target = view(X, (n_q + i) * n_d, n_d)
        for j in range(f):
            value, source = run.basis[i * f + j], view(along, j * n_d, n_d)
            if value != 0.0:
                for c in range(n_d):
                    target[c] -= value * source[c]
        copy(view(target, 0, f), view(run.turning, i * f, f))


@compiled
def respond(run: ChartMemory) -> int:
    """All rows in all directions, with accelerations and multipliers held."""
    clear(run.responses)
    if call_reduced(run, REDUCED.derivatives, STAGE.P):
        return STATUS.RAISED
    if not total_size(run.derivatives) < np.inf:
        return STATUS.NOT_FINITE
    _set_moved_positions(run)
    _set_moved_velocities(run)
    _add_entries(run, run.motion_entries)
    copy(view(run.responses, run.at_d * run.n_d, run.n_u * run.n_d), run.d_motion)
    if run.unit_T:
        clear(run.seen_responses)
    else:
        _see(run, run.at_qddot)
    return STATUS.OK


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


@kernel
def columns(run: ChartMemory) -> int:
    """z̈' = V a' + P (T a + Ṫ v)', with M a' + (Gᵀ − F) λ' = −residual', G a' = −(G a − γ)'."""
    status = respond(run)
    if status:
        return status
    n_v, m, f, n_d, right = run.n_v, run.n_lam, run.n_f, run.n_d, run.right
    if call_contract(run, CONTRACT.M | CONTRACT.G | (CONTRACT.F if run.friction else 0), STAGE.P):
        return STATUS.RAISED
    status = factor_aside(run)
    if status:
        return status
    _set_unit(run)
    entries = run.external_entries
    count = entries.size // 3
    for c in range(n_d):
        for i in range(n_v):
            right[i] = -run.responses[i * n_d + c]
        for i in range(m):
            right[n_v + i] = -run.responses[(run.at_ga + i) * n_d + c]
        status = solve(run, right, run.friction)
        if status:
            return status
        for j in range(f):
            total = run.seen_responses[j * n_d + c]
            row = view(run.chart_V, j * n_v, n_v)
            for i in range(n_v):
                total += row[i] * right[i]
            run.E_motion[j * n_d + c] = -total
        for k in range(count):
            at = entries[count + k] * n_d + c
            run.d_motion[at] += run.derivatives[entries[k]] * right[n_v + entries[2 * count + k]]
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
    """Forward differences of z̈ and d in each direction, from x_stage, where x_rate is known."""
    n_v, f, n_u, n_d, n_s = run.n_v, run.n_f, run.n_u, run.n_d, run.n_s
    x, x_rate, aside, start = run.x_stage, run.x_rate, run.x_aside, run.t_stage
    _set_unit(run)
    clear(run.turning)
    copy(run.v, run.v_start)
    kept, run.recovery_end = run.recovery_end, 1e-14
    status = STATUS.OK
    for c in range(n_d):
        h = _increment(run, c)
        copy(x, run.x_trial)
        t = start
        if c < n_s:
            h = (x[c] + h) - x[c]
            run.x_trial[c] += h
        else:
            h = (t + h) - t
            t += h
        status = motion_at(run, t, run.x_trial, aside)
        if status:
            break
        for j in range(f):
            run.E_motion[j * n_d + c] = -(aside[f + j] - x_rate[f + j]) / h
        for k in range(n_u):
            run.d_motion[k * n_d + c] = (aside[2 * f + k] - x_rate[2 * f + k]) / h
        if c < f:
            for i in range(n_v):
                run.turning[i * f + c] = (run.v[i] - run.v_start[i]) / h
    run.recovery_end, run.t_stage = kept, start
    run.recovery_rate, run.recovery_rate_v = 0.5, 0.5  # of points next to the base
    if status == STATUS.OK and not total_size(run.E_motion) + total_size(run.d_motion) < np.inf:
        status = STATUS.NOT_FINITE
    return status
