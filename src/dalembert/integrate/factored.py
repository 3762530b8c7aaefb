"""Rates and projections by factorising the matrix of constrained motion (mexx (3.1), with F = ∂f/∂λ)

    [ M   Gᵀ − F ]
    [ G     0    ]

from the quantities of the contract: dense with row pivoting, or sparse with a fixed order of pivots and a check of the
residual.
"""

from __future__ import annotations

import numpy as np

from dalembert.integrate import memory as m
from dalembert.integrate.formalism import NEW_LAM, NEW_T, note_residual, scaled_size
from dalembert.integrate.memory import field, int_field
from dalembert.linalg.dense import lu_factor, lu_solve
from dalembert.linalg.range_space import range_factor, range_solve
from dalembert.linalg.sparse import sparse_factor, sparse_solve
from dalembert.native.kernel import Reals, Run, call_entry, compiled, kernel

#: Request bits of the program "contract" (dalembert.equations.provider.OUTPUTS).
(C_BIT_T, C_BIT_M, C_BIT_f, C_BIT_G, C_BIT_gI, C_BIT_g, C_BIT_gamma, C_BIT_d, C_BIT_F, C_BIT_C, C_BIT_qn, C_BIT_w) = (
    1 << k for k in range(12)
)
#: Solvers: with row pivoting, with a fixed order of pivots, by constraint forces (diagonal M).
DENSE, SPARSE, RANGE = 1, 2, 3

_FRICTION_ITERATIONS = 25
_PROJECTION_ITERATIONS = 12
#: What the last correction of the projection may leave, from its rate of convergence.
_END = 1e-13
#: Relative residual that a solution without row pivoting may have.
_RESIDUAL = 1e-10


@compiled
def _call(run: Run, request: int, changed: int) -> int:
    table = run.table
    return call_entry(
        table[m.CONTRACT], request, changed, table[m.IN : m.RATE_OUT], table[m.CONTRACT_OUT : m.IMPLICIT_OUT],
        table[m.CONTRACT_WORK],
    )  # fmt: skip


@compiled
def multiply_T(run: Run, v: Reals, out: Reals) -> None:
    """out = T v, for T of the last evaluation of the contract."""
    values, rows, columns = field(run, m.C_T), int_field(run, m.I_ROWS_T), int_field(run, m.I_COLS_T)
    for i in range(run.ints[m.N_Q]):
        out[i] = 0.0
    for k in range(values.size):
        out[rows[k]] += values[k] * v[columns[k]]


@compiled
def _assemble_kkt(run: Run, positions: int, friction: int) -> None:
    if run.ints[m.SOLVER] == RANGE:
        return  # it takes M and G as they are
    kkt = field(run, m.KKT)
    size = kkt.size if run.ints[m.SOLVER] == DENSE else int_field(run, m.I_SPARSE_KKT)[1]
    for k in range(size):
        kkt[k] = 0.0
    values, places = field(run, m.C_M), int_field(run, m.I_MAP_M)
    for k in range(values.size):
        kkt[places[k]] = values[k]
    if positions:
        values = field(run, m.C_C)
        places, mirrored = int_field(run, m.I_MAP_C), int_field(run, m.I_MAP_CT)
    else:
        values = field(run, m.C_G)
        places, mirrored = int_field(run, m.I_MAP_G), int_field(run, m.I_MAP_GT)
    for k in range(values.size):
        kkt[places[k]] = values[k]
        kkt[mirrored[k]] = values[k]
    if positions and not run.ints[m.C_IS_G]:
        # Rows without a position constraint are kept out of the way.
        n_v, n_g, n_lam, n = run.ints[m.N_V], run.ints[m.N_G], run.ints[m.N_LAM], run.ints[m.N_KKT]
        for i in range(n_g, n_lam):
            kkt[(n_v + i) * n + n_v + i] = 1.0
    if friction:
        values, places = field(run, m.C_F), int_field(run, m.I_MAP_F)
        for k in range(values.size):
            kkt[places[k]] -= values[k]


@compiled
def _factor_kkt(run: Run) -> int:
    run.ints[m.NLU] += 1
    kkt = field(run, m.KKT)
    if run.ints[m.SOLVER] == RANGE:
        failed = range_factor(kkt, int_field(run, m.I_SPARSE_KKT), field(run, m.C_M), field(run, m.C_G))
        field(run, m.SCALARS)[m.CONDITION] = kkt[kkt.size - 1]
    elif run.ints[m.SOLVER] == DENSE:
        failed = lu_factor(kkt, run.ints[m.N_KKT], int_field(run, m.I_PIVOTS_KKT), run.table[m.DGETRF])
    else:
        failed = sparse_factor(kkt, int_field(run, m.I_SPARSE_KKT))
    return m.SINGULAR if failed else m.OK


@compiled
def _solve_kkt(run: Run, right: Reals, friction: int) -> int:
    """Replace the right-hand side by the solution; a solution without row pivoting is checked, and refined if need
    be."""
    ints = run.ints
    ints[m.NSOLVE] += 1
    kkt, n = field(run, m.KKT), ints[m.N_KKT]
    if ints[m.SOLVER] == DENSE:
        lu_solve(kkt, n, int_field(run, m.I_PIVOTS_KKT), right, run.table[m.DGETRS])
        return m.OK
    plan = int_field(run, m.I_SPARSE_KKT)
    if ints[m.SOLVER] == RANGE:
        range_solve(kkt, plan, field(run, m.C_G), right)
        return m.OK
    residual = field(run, m.RIGHT)[n : 2 * n]
    for i in range(n):
        residual[i] = right[i]
    size = 0.0
    for i in range(n):
        size = max(size, abs(residual[i]))
    sparse_solve(kkt, plan, right)
    size = max(size, _subtract_product(run, right, residual, friction))
    correction = kkt[plan[1] + n : plan[1] + 2 * n]
    for refinement in range(3):
        worst = 0.0
        for i in range(n):
            if not abs(residual[i]) <= worst:
                worst = abs(residual[i])
        if worst <= _RESIDUAL * size:
            return m.OK
        if refinement == 2 or not worst < np.inf:
            break
        for i in range(n):
            correction[i] = residual[i]
        sparse_solve(kkt, plan, correction)
        _subtract_product(run, correction, residual, friction)
        for i in range(n):
            right[i] += correction[i]
    return m.SINGULAR


@compiled
def _subtract_product(run: Run, x: Reals, residual: Reals, friction: int) -> float:
    """residual −= [[M, Gᵀ − F], [G, 0]] x; returns the size of the largest product that was subtracted."""
    n_v = run.ints[m.N_V]
    largest = 0.0
    values, rows, columns = field(run, m.C_M), int_field(run, m.I_ROWS_M), int_field(run, m.I_COLS_M)
    for k in range(values.size):
        product = values[k] * x[columns[k]]
        residual[rows[k]] -= product
        largest = max(largest, abs(product))
    values, rows, columns = field(run, m.C_G), int_field(run, m.I_ROWS_G), int_field(run, m.I_COLS_G)
    for k in range(values.size):
        product = values[k] * x[columns[k]]
        residual[n_v + rows[k]] -= product
        largest = max(largest, abs(product))
        product = values[k] * x[n_v + rows[k]]
        residual[columns[k]] -= product
        largest = max(largest, abs(product))
    if friction:
        values, rows, columns = field(run, m.C_F), int_field(run, m.I_ROWS_F), int_field(run, m.I_COLS_F)
        for k in range(values.size):
            residual[rows[k]] += values[k] * x[n_v + columns[k]]
    return largest


@compiled
def _solve_motion(run: Run, changed: int) -> int:
    """a and λ from M a + Gᵀλ = f(λ), G a = γ."""
    ints = run.ints
    n_v, n_lam, friction = ints[m.N_V], ints[m.N_LAM], ints[m.FRICTION]
    request = C_BIT_f | C_BIT_gamma
    if not ints[m.UNIT_T]:
        request |= C_BIT_T
    if not ints[m.FACTORED]:
        request |= C_BIT_M | C_BIT_G
    if friction:
        request |= C_BIT_F
    if _call(run, request, changed):
        return m.RAISED
    right, a, lam = field(run, m.RIGHT), field(run, m.A), field(run, m.LAM)
    f, gamma = field(run, m.C_f), field(run, m.C_gamma)
    for iteration in range(_FRICTION_ITERATIONS if friction else 1):
        if friction and iteration and _call(run, C_BIT_f | C_BIT_F, NEW_LAM):
            return m.RAISED
        if friction or not ints[m.FACTORED]:
            _assemble_kkt(run, 0, friction)
            status = _factor_kkt(run)
            if status:
                return status
            ints[m.FACTORED] = 0 if friction else 1
        for i in range(n_v):
            right[i] = f[i]
        for i in range(n_lam):
            right[n_v + i] = gamma[i]
        if friction:  # f(λ) is replaced by its tangent at the last λ
            F, rows, columns = field(run, m.C_F), int_field(run, m.I_ROWS_F), int_field(run, m.I_COLS_F)
            for k in range(F.size):
                right[rows[k]] -= F[k] * lam[columns[k]]
        status = _solve_kkt(run, right[: ints[m.N_KKT]], friction)
        if status:
            return status
        change, size = 0.0, 1e-300
        for i in range(n_lam):
            change = max(change, abs(right[n_v + i] - lam[i]))
            size = max(size, abs(right[n_v + i]))
            lam[i] = right[n_v + i]
        for i in range(n_v):
            a[i] = right[i]
        if not friction or change <= 1e-13 * size:
            return m.OK
        if not change < np.inf:
            return m.NOT_FINITE
    return m.NEWTON_FAILED


@kernel
def rate(run: Run) -> int:
    """ẏ = (T v, a, d) at the point."""
    ints = run.ints
    n_q, n_v, n_u = ints[m.N_Q], ints[m.N_V], ints[m.N_U]
    status = _solve_motion(run, ints[m.CHANGED])
    if status:
        return status
    if n_u and _call(run, C_BIT_d, NEW_LAM):
        return m.RAISED
    rates, v, a, d = field(run, m.RATES), field(run, m.V), field(run, m.A), field(run, m.C_d)
    if ints[m.UNIT_T]:
        for i in range(n_q):
            rates[i] = v[i]
    else:
        multiply_T(run, v, rates)
    for i in range(n_v):
        rates[n_q + i] = a[i]
    for i in range(n_u):
        rates[n_q + n_v + i] = d[i]
    return m.OK


@kernel
def project(run: Run) -> int:
    """Move Q onto g = 0 and V onto G v + gI = 0, orthogonally in the metric of M."""
    ints = run.ints
    if ints[m.NORMAL]:
        if _call(run, C_BIT_qn, NEW_T):
            return m.RAISED
        q, normal = field(run, m.Q), field(run, m.C_qn)
        for i in range(q.size):
            q[i] = normal[i]
    ints[m.FACTORED] = 0
    if ints[m.N_G]:
        status = _project_positions(run)
        if status:
            return status
    ints[m.FACTORED] = 0
    return _project_velocities(run) if ints[m.N_LAM] else m.OK


@compiled
def _project_positions(run: Run) -> int:
    """Modified Newton iteration: mexx (2.11)."""
    ints = run.ints
    n_q, n_v, n_g = ints[m.N_Q], ints[m.N_V], ints[m.N_G]
    ints[m.PROJECTIONS] += 1
    q = field(run, m.Q)
    dq, right = field(run, m.X_DQ), field(run, m.RIGHT)
    needed = C_BIT_M | C_BIT_g | (C_BIT_G if ints[m.C_IS_G] else C_BIT_C) | (0 if ints[m.UNIT_T] else C_BIT_T)
    g = field(run, m.C_g)
    before, theta = 0.0, 0.0
    for iteration in range(_PROJECTION_ITERATIONS):
        ints[m.PROJECTION_ITERATIONS] += 1
        # Modified Newton: the matrix of the first iterate serves all, unless convergence is slow.
        fresh = iteration == 0 or theta > 0.1
        if _call(run, needed if fresh else C_BIT_g, NEW_T):
            return m.RAISED
        if fresh:
            _assemble_kkt(run, 0 if ints[m.C_IS_G] else 1, 0)
            status = _factor_kkt(run)
            if status:
                return status
        for i in range(ints[m.N_KKT]):
            right[i] = 0.0
        for i in range(n_g):
            right[n_v + i] = -g[i]
        status = _solve_kkt(run, right[: ints[m.N_KKT]], 0)
        if status:
            return status
        if ints[m.UNIT_T]:
            for i in range(n_q):
                dq[i] = right[i]
        else:
            multiply_T(run, right, dq)
        size = scaled_size(dq, q, n_q)
        if not size < np.inf:
            return m.PROJECTION_FAILED
        if iteration:
            theta = size / before
            if theta >= 2.0:
                return m.PROJECTION_FAILED
        for i in range(n_q):
            q[i] += dq[i]
        left = size * min(theta, 1.0) if iteration else size * size
        if left <= _END:
            return m.OK
        before = size
    return m.PROJECTION_FAILED


@compiled
def _project_velocities(run: Run) -> int:
    """Move V onto G v + gI = 0, orthogonally in the metric of M: mexx (2.12). Q must be projected already."""
    ints = run.ints
    n_v, n_lam = ints[m.N_V], ints[m.N_LAM]
    v = field(run, m.V)
    scalars = field(run, m.SCALARS)
    if _call(run, C_BIT_M | C_BIT_G | C_BIT_gI | C_BIT_g, NEW_T):
        return m.RAISED
    note_residual(scalars, m.WORST_G, field(run, m.C_g))
    _assemble_kkt(run, 0, 0)
    status = _factor_kkt(run)
    if status:
        return status
    ints[m.FACTORED] = 1
    right, gI = field(run, m.RIGHT), field(run, m.C_gI)
    G, rows, columns = field(run, m.C_G), int_field(run, m.I_ROWS_G), int_field(run, m.I_COLS_G)
    for i in range(n_v):
        right[i] = 0.0
    for i in range(n_lam):
        right[n_v + i] = -gI[i]
    for k in range(G.size):
        right[n_v + rows[k]] -= G[k] * v[columns[k]]
    status = _solve_kkt(run, right[: ints[m.N_KKT]], 0)
    if status:
        return status
    for i in range(n_v):
        v[i] += right[i]
        if not abs(v[i]) < np.inf:
            return m.PROJECTION_FAILED
    return m.OK
