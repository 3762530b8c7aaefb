"""Rates and projections by the programs "explicit" and "rate": everything is solved on atoms, see
:mod:`dalembert.equations.contract.elimination`."""

from __future__ import annotations

import numpy as np

from dalembert.equations.contract.convention import EXPLICIT, STAGE
from dalembert.integrate.frame.formalism import (
    RESTORATIONS,
    RESTORED,
    load,
    note_residual,
    scaled_size,
    take_restored,
    velocity_error,
)
from dalembert.integrate.frame.memory import STATUS, Memory
from dalembert.linalg.vector_operations import add, copy
from dalembert.native.kernel import call_entry, compiled, kernel, view

PROJECTION_ITERATIONS = 12
#: The last correction of a quadratic iteration leaves its square.
LAST_CORRECTION = 1e-7
#: Part by which (q, v, u) are changed where the noise of accelerations is measured: some roundings.
_LAST_DIGITS = 4.0 * 2.220446049250313e-16
_GOLDEN = 0.6180339887498949


@compiled
def _call(run: Memory, request: int) -> int:
    """Outputs at a new point; after new parameters these too are news, once."""
    changed = STAGE.P if run.tell_explicit else STAGE.T
    run.tell_explicit = 0
    return call_entry(run.explicit_entry, request, changed, run.inputs, run.explicit_outputs, run.explicit_work)


@kernel
def rate(run: Memory) -> int:
    """ẏ = (T v, a, d) at the point."""
    if run.changed == STAGE.P:
        run.tell_explicit = 1
    if call_entry(run.rate_entry, 0, 0, run.inputs, run.rate_outputs, run.rate_work):
        return STATUS.RAISED
    if run.unit_T:  # all else is left in its place by the program
        copy(run.v, view(run.rates, 0, run.n_q))
    return STATUS.OK


@compiled
def _restore(run: Memory) -> int:
    """Restore the invariants of q: at once, or by Newton's method where they are implicit, as h(q, s) = 0 is."""
    for _ in range(RESTORATIONS):
        if _call(run, EXPLICIT.qn):
            return STATUS.RAISED
        size = take_restored(run)
        if not run.iterates_normal or size <= RESTORED:
            return STATUS.OK
        if not size < np.inf:
            return STATUS.AUXILIARY_FAILED
    return STATUS.AUXILIARY_FAILED


@kernel
def project(run: Memory) -> int:
    """Move q onto g = 0 and v onto G v + gI = 0, orthogonally in the metric of M: mexx (2.9), (2.12)."""
    q = run.q
    if run.normalizes:
        status = _restore(run)
        if status:
            return status
    if run.n_lam == 0:
        return STATUS.OK
    if run.n_g:
        run.projections += 1
        dq = run.dq
        before, size = np.inf, np.inf
        for iteration in range(PROJECTION_ITERATIONS):
            run.projection_iterations += 1
            if _call(run, EXPLICIT.dq):
                return STATUS.RAISED
            size = scaled_size(run, dq)
            if not size < 2.0 * before:
                return STATUS.PROJECTION_FAILED
            add(dq, q)
            if run.iterates_normal:
                status = _restore(run)
                if status:
                    return status
            if size <= LAST_CORRECTION:
                break
            before = size
            if iteration == PROJECTION_ITERATIONS - 1:
                return STATUS.PROJECTION_FAILED
    if _call(run, EXPLICIT.dv | EXPLICIT.g):
        return STATUS.RAISED
    add(run.dv, run.v)
    note_residual(run, run.g)
    return STATUS.OK


@compiled
def noise(run: Memory) -> float:
    """Error of v that a step of this size gets from the rounding of accelerations, in units of the tolerance: how much
    these change with the last digits of (q, v, u). It is measured from time to time, in any case before the number of
    steps has grown by half."""
    steps = run.steps + 1
    if steps < run.probe_at:
        return 0.0
    run.probe_at = steps + steps // 2 + 1
    y, change = run.y, run.right
    for i in range(y.size):  # in no direction that a symmetry of a mechanism has
        y[i] += _LAST_DIGITS * y[i] * (2.0 * ((_GOLDEN * (i + 1)) % 1.0) - 1.0)
    failed = call_entry(run.rate_entry, 0, 0, run.inputs, run.rate_outputs, run.rate_work)
    for i in range(run.n_v):
        change[i] = run.a[i] - run.z1[i]
    load(run, run.t_new, run.y1)
    copy(run.rate1, run.rates)
    copy(view(run.z1, run.n_v, run.n_lam), run.lam)
    return 0.0 if failed else velocity_error(run, change)
