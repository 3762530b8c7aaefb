"""Rates and projections by factorising the matrix of constrained motion (mexx (3.1), with F = ∂f/∂λ)

    [ M   Gᵀ − F ]
    [ G     0    ]

from the quantities of the contract, in one of the modes of :mod:`dalembert.linalg.saddle`.
"""

from __future__ import annotations

import numpy as np

from dalembert.integrate.frame import memory as m
from dalembert.integrate.frame.formalism import NEW_LAM, NEW_T, note_residual, scaled_size
from dalembert.integrate.frame.memory import field, int_field
from dalembert.linalg.plan import HEAD
from dalembert.linalg.saddle import saddle_factor, saddle_solve, smallest_pivot
from dalembert.native.kernel import Ints, Reals, Run, call_entry, compiled, kernel, view

#: Request bits of the program "contract" (dalembert.equations.contract.provider.OUTPUTS).
(C_BIT_T, C_BIT_M, C_BIT_f, C_BIT_G, C_BIT_gI, C_BIT_g, C_BIT_gamma, C_BIT_d, C_BIT_F, C_BIT_C, C_BIT_qn, C_BIT_w) = (
    1 << k for k in range(12)
)
_FRICTION_ITERATIONS = 25
_PROJECTION_ITERATIONS = 12
#: What the last correction of the projection may leave, from its rate of convergence.
_END = 1e-13


@compiled
def call_contract(run: Run, request: int, changed: int) -> int:
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
def _addresses(run: Run) -> Ints:
    return view(run.table, m.SADDLE, m.TABLE_SIZE - m.SADDLE)


@compiled
def _friction(run: Run, friction: int) -> Reals:
    """F, or nothing."""
    F = field(run, m.C_F)
    return F if friction else view(F, 0, 0)


@compiled
def factor(run: Run, friction: int) -> int:
    """The matrix with M, G and F as they were evaluated last."""
    run.ints[m.NLU] += 1
    kkt = field(run, m.KKT)
    failed = saddle_factor(
        kkt, int_field(run, m.I_SADDLE), _addresses(run), field(run, m.C_M), field(run, m.C_G), _friction(run, friction)
    )
    field(run, m.SCALARS)[m.CONDITION] = smallest_pivot(kkt)
    return m.SINGULAR if failed else m.OK


@compiled
def solve(run: Run, right: Reals, friction: int) -> int:
    """Replace the right-hand side by the solution."""
    run.ints[m.NSOLVE] += 1
    failed = saddle_solve(
        field(run, m.KKT), int_field(run, m.I_SADDLE), _addresses(run), field(run, m.C_M), field(run, m.C_G),
        _friction(run, friction), right,
    )  # fmt: skip
    return m.SINGULAR if failed else m.OK


@compiled
def _factor_anew(run: Run) -> int:
    """The same without friction, also where the mode would keep an older decomposition: at the ends of steps."""
    plan = int_field(run, m.I_SADDLE)
    kept, plan[HEAD.KEEP] = plan[HEAD.KEEP], 0
    status = factor(run, 0)
    plan[HEAD.KEEP] = kept
    return status


@compiled
def _factor_positions(run: Run) -> int:
    """The matrix with C in place of G, which has a plan of its own where these differ."""
    if run.ints[m.C_IS_G]:
        return _factor_anew(run)
    run.ints[m.NLU] += 1
    int_field(run, m.I_SADDLE_C)[HEAD.KEEP] = 0
    failed = saddle_factor(
        field(run, m.KKT_C), int_field(run, m.I_SADDLE_C), _addresses(run), field(run, m.C_M), field(run, m.C_C),
        _friction(run, 0),
    )  # fmt: skip
    return m.SINGULAR if failed else m.OK


@compiled
def _solve_positions(run: Run, right: Reals) -> int:
    """Replace the right-hand side by the solution."""
    if run.ints[m.C_IS_G]:
        return solve(run, right, 0)
    run.ints[m.NSOLVE] += 1
    failed = saddle_solve(
        field(run, m.KKT_C), int_field(run, m.I_SADDLE_C), _addresses(run), field(run, m.C_M), field(run, m.C_C),
        _friction(run, 0), right,
    )  # fmt: skip
    return m.SINGULAR if failed else m.OK


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
    if call_contract(run, request, changed):
        return m.RAISED
    right, a, lam = field(run, m.RIGHT), field(run, m.A), field(run, m.LAM)
    f, gamma = field(run, m.C_f), field(run, m.C_gamma)
    for iteration in range(_FRICTION_ITERATIONS if friction else 1):
        if friction and iteration and call_contract(run, C_BIT_f | C_BIT_F, NEW_LAM):
            return m.RAISED
        if friction or not ints[m.FACTORED]:
            status = factor(run, friction)
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
        status = solve(run, view(right, 0, ints[m.N_KKT]), friction)
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
    if n_u and call_contract(run, C_BIT_d, NEW_LAM):
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
        if call_contract(run, C_BIT_qn, NEW_T):
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
    # The first rows of G are C, or else C has a matrix of its own.
    unknowns = ints[m.N_KKT] if ints[m.C_IS_G] else n_v + n_g
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
        if call_contract(run, needed if fresh else C_BIT_g, NEW_T):
            return m.RAISED
        if fresh:
            status = _factor_positions(run)
            if status:
                return status
        for i in range(unknowns):
            right[i] = 0.0
        for i in range(n_g):
            right[n_v + i] = -g[i]
        status = _solve_positions(run, view(right, 0, unknowns))
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
    if call_contract(run, C_BIT_M | C_BIT_G | C_BIT_gI | C_BIT_g, NEW_T):
        return m.RAISED
    note_residual(scalars, m.WORST_G, field(run, m.C_g))
    status = factor(run, 0) if ints[m.N_G] and ints[m.C_IS_G] else _factor_anew(run)
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
    status = solve(run, view(right, 0, ints[m.N_KKT]), 0)
    if status:
        return status
    for i in range(n_v):
        v[i] += right[i]
        if not abs(v[i]) < np.inf:
            return m.PROJECTION_FAILED
    return m.OK
