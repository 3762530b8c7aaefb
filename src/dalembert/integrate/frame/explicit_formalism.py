"""Rates and projections by the program "explicit": everything is solved on atoms, see
dalembert.equations.contract.elimination."""

from __future__ import annotations

import numpy as np

from dalembert.integrate.frame import memory as m
from dalembert.integrate.frame.formalism import NEW_P, NEW_T, note_residual, scaled_size
from dalembert.integrate.frame.memory import field
from dalembert.native.kernel import Run, call_entry, compiled, kernel

#: Request bits of the program (dalembert.equations.contract.provider.OUTPUTS).
QDOT, A, LAM, D, G, GV, DQ, DV, QN = (1 << k for k in range(9))

_ITERATIONS = 12
#: The last correction of a quadratic iteration leaves its square.
_END = 1e-7


@compiled
def _call(run: Run, request: int) -> int:
    """Outputs at a new point; after new parameters these too are news, once."""
    table, changed = run.table, NEW_P if run.ints[m.TELL] else NEW_T
    run.ints[m.TELL] = 0
    return call_entry(
        table[m.EXPLICIT], request, changed, table[m.IN : m.RATE_OUT], table[m.EXPLICIT_OUT : m.CONTRACT_OUT],
        table[m.EXPLICIT_WORK],
    )  # fmt: skip


@kernel
def rate(run: Run) -> int:
    """ẏ = (T v, a, d) at the point."""
    ints = run.ints
    n_q, n_v, n_u = ints[m.N_Q], ints[m.N_V], ints[m.N_U]
    table = run.table
    if ints[m.CHANGED] == NEW_P:
        ints[m.TELL] = 1
    if call_entry(
        table[m.RATE_ENTRY], 0, 0, table[m.IN : m.RATE_OUT], table[m.RATE_OUT : m.EXPLICIT_OUT], table[m.RATE_WORK]
    ):
        return m.RAISED
    a, lam, solved, reactions = field(run, m.A), field(run, m.LAM), field(run, m.X_A), field(run, m.X_LAM)
    rates, d = field(run, m.RATES), field(run, m.X_D)
    qdot = field(run, m.V) if ints[m.UNIT_T] else field(run, m.X_QDOT)
    for i in range(n_q):
        rates[i] = qdot[i]
    for i in range(n_v):
        a[i] = solved[i]
        rates[n_q + i] = solved[i]
    for i in range(lam.size):
        lam[i] = reactions[i]
    for i in range(n_u):
        rates[n_q + n_v + i] = d[i]
    return m.OK


@kernel
def project(run: Run) -> int:
    """Move Q onto g = 0 and V onto G v + gI = 0, orthogonally in the metric of M: mexx (2.9), (2.12)."""
    ints = run.ints
    n_q, n_v = ints[m.N_Q], ints[m.N_V]
    q, v = field(run, m.Q), field(run, m.V)
    if ints[m.NORMAL]:
        if _call(run, QN):
            return m.RAISED
        normal = field(run, m.X_QN)
        for i in range(n_q):
            q[i] = normal[i]
    if ints[m.N_LAM] == 0:
        return m.OK
    if ints[m.N_G]:
        ints[m.PROJECTIONS] += 1
        dq = field(run, m.X_DQ)
        before, size = np.inf, np.inf
        for iteration in range(_ITERATIONS):
            ints[m.PROJECTION_ITERATIONS] += 1
            if _call(run, DQ):
                return m.RAISED
            size = scaled_size(dq, q, n_q)
            if not size < 2.0 * before:
                return m.PROJECTION_FAILED
            for i in range(n_q):
                q[i] += dq[i]
            if size <= _END:
                break
            before = size
            if iteration == _ITERATIONS - 1:
                return m.PROJECTION_FAILED
    if _call(run, DV | G):
        return m.RAISED
    dv = field(run, m.X_DV)
    for i in range(n_v):
        v[i] += dv[i]
    note_residual(field(run, m.SCALARS), m.WORST_G, field(run, m.X_G))
    return m.OK
