"""What methods ask of the equations at a point: rates of change, and projection onto the constraints.

Two formalisms do the work behind the same addresses: :mod:`~dalembert.integrate.frame.explicit_formalism`, where the
matrix of constrained motion is solved inside the compiled equations, and
:mod:`~dalembert.integrate.frame.contract_formalism`, which factorises it.  The point is what stands in the fields T, Q,
V, U; they leave the rates in RATES, accelerations in A and multipliers in LAM.
"""

from __future__ import annotations

import numpy as np

from dalembert.integrate.frame import memory as m
from dalembert.integrate.frame.memory import field
from dalembert.native.kernel import Reals, Run, call_kernel, compiled

#: Inputs, by the stage from which an evaluation is new.
NEW_P, NEW_T, NEW_Q, NEW_V, NEW_U, NEW_LAM, NEW_A, NEW_MU = range(8)


@compiled
def seen_time(scalars: Reals, t: float) -> float:
    """The time that the right sides see: within a step, they have their values from this side of known breaks."""
    if scalars[m.DIRECTION] > 0.0:
        return min(max(t, scalars[m.T_FROM]), scalars[m.T_LIMIT])
    return max(min(t, scalars[m.T_FROM]), scalars[m.T_LIMIT])


@compiled
def load(run: Run, t: float, y: Reals) -> None:
    """Make (t, y) the point of evaluation; y = (q, v, u)."""
    ints = run.ints
    n_q, n_v, n_u = ints[m.N_Q], ints[m.N_V], ints[m.N_U]
    field(run, m.T)[0] = seen_time(field(run, m.SCALARS), t)
    q, v, u = field(run, m.Q), field(run, m.V), field(run, m.U)
    for i in range(n_q):
        q[i] = y[i]
    for i in range(n_v):
        v[i] = y[n_q + i]
    for i in range(n_u):
        u[i] = y[n_q + n_v + i]
    ints[m.FACTORED] = 0


@compiled
def rate(run: Run, changed: int, out: Reals) -> int:
    """ẏ = (T v, a, d) at the point; also leaves a and λ in A and LAM."""
    run.ints[m.CHANGED] = changed
    run.ints[m.NFEV] += 1
    status = call_kernel(run.table[m.RATE_KERNEL], run.table, run.ints, run.reals)
    rates = field(run, m.RATES)
    for i in range(rates.size):
        out[i] = rates[i]
    return status


@compiled
def complete(run: Run, t: float, y: Reals, z: Reals, rates: Reals) -> int:
    """Project y = (q, v, u) at t, and find z = (a, λ) and ẏ there."""
    load(run, t, y)
    status = call_kernel(run.table[m.PROJECT_KERNEL], run.table, run.ints, run.reals)
    if status:
        return status
    n_q, n_v = run.ints[m.N_Q], run.ints[m.N_V]
    q, v, a, lam = field(run, m.Q), field(run, m.V), field(run, m.A), field(run, m.LAM)
    for i in range(n_q):
        y[i] = q[i]
    for i in range(n_v):
        y[n_q + i] = v[i]
    # Without constraints no projection has told the program that the time is new.
    status = rate(run, NEW_V if run.ints[m.N_LAM] else NEW_T, rates)
    if status:
        return status
    total = 0.0
    for i in range(n_v):
        z[i] = a[i]
        total += abs(a[i])
    for i in range(lam.size):
        z[n_v + i] = lam[i]
        total += abs(lam[i])
    return m.OK if total < np.inf else m.NOT_FINITE


@compiled
def scaled_size(dq: Reals, q: Reals, n: int) -> float:
    """Largest entry of a correction, seen from the coordinates' own size."""
    largest = 0.0
    for i in range(n):
        size = abs(dq[i]) / (1.0 + abs(q[i]))
        if not size <= largest:  # NaN comes through
            largest = size
    return largest


@compiled
def note_residual(scalars: Reals, place: int, residual: Reals) -> None:
    for i in range(residual.size):
        size = abs(residual[i])
        if size > scalars[place]:
            scalars[place] = size
