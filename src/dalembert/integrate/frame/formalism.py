"""What methods ask of the equations at a point: rates of change, and projection onto the constraints.

Two formalisms do the work behind the same addresses: :mod:`~dalembert.integrate.frame.explicit_formalism`, where the
matrix of constrained motion is solved inside the compiled equations, and
:mod:`~dalembert.integrate.frame.contract_formalism`, which factorises it.  The point is what stands in t, q, v, u; they
leave the rates in ``rates``, accelerations in ``a`` and multipliers in ``lam``.
"""

from __future__ import annotations

import numpy as np

from dalembert.equations.contract.convention import STAGE
from dalembert.integrate.frame.memory import STATUS, Memory
from dalembert.linalg.vector_operations import copy, larger, total_size
from dalembert.native.kernel import Reals, call_kernel, compiled, view

#: Iterations that restore implicit invariants: they converge quadratically, and the last leaves its square.
RESTORATIONS, RESTORED = 12, 1e-8
#: What projection changes by rounding alone, from the size of the largest entry.
_ROUNDING = 1e-11


@compiled
def seen_time(run: Memory, t: float) -> float:
    """The time that the right sides see: within a step, they have their values from this side of known breaks."""
    if run.direction > 0.0:
        return min(max(t, run.t_from), run.t_limit)
    return max(min(t, run.t_from), run.t_limit)


@compiled
def load(run: Memory, t: float, y: Reals) -> None:
    """Make (t, y) the point of evaluation; y = (q, v, u)."""
    copy(y, run.y)
    load_time(run, t)


@compiled
def load_time(run: Memory, t: float) -> None:
    """Make (t, y) the point of evaluation, where y stands there already."""
    run.t[0] = seen_time(run, t)
    run.factored = 0


@compiled
def rate(run: Memory, changed: int, out: Reals) -> int:
    """ẏ = (T v, a, d) at the point; also leaves a and λ."""
    run.changed = changed
    run.nfev += 1
    status = call_kernel(run.rate_kernel, run)
    copy(run.rates, out)
    return status


@compiled
def complete(run: Memory, t: float, y: Reals, z: Reals, rates: Reals) -> int:
    """Project y = (q, v, u) at t, and find z = (a, λ) and ẏ there, all of which must be finite."""
    n_q, n_v, n_lam = run.n_q, run.n_v, run.n_lam
    load(run, t, y)
    told = STAGE.T  # without constraints no projection has told the program that the time is new
    if run.projects:
        status = call_kernel(run.project_kernel, run)
        if status:
            return status
        run.moved = _moved(run, y)
        copy(run.q, view(y, 0, n_q))
        copy(run.v, view(y, n_q, n_v))
        told = STAGE.V if n_lam else STAGE.T
    status = rate(run, told, rates)
    if status:
        return status
    copy(run.a, view(z, 0, n_v))
    copy(run.lam, view(z, n_v, n_lam))
    return STATUS.OK if total_size(z) + total_size(rates) < np.inf else STATUS.NOT_FINITE


@compiled
def _moved(run: Memory, y: Reals) -> float:
    """Largest change of q and v by the projection of y, in units of the tolerance, of what is judged."""
    weight, judged = run.weight, run.judged
    return larger(
        _largest_change(run.q, view(y, 0, run.n_q), view(weight, 0, run.n_q), view(judged, 0, run.n_q)),
        _largest_change(
            run.v, view(y, run.n_q, run.n_v), view(weight, run.n_q, run.n_v), view(judged, run.n_q, run.n_v)
        ),
    )


@compiled
def _largest_change(x: Reals, before: Reals, weight: Reals, judged: Reals) -> float:
    """Largest change of an entry that is judged, in units of its tolerance, or of rounding where that is more."""
    size = 0.0
    for i in range(x.size):
        size = max(size, abs(x[i]))
    largest = 0.0
    for i in range(x.size):
        change = weight[i] * abs(x[i] - before[i]) / (1.0 + weight[i] * _ROUNDING * size)
        largest = larger(largest, judged[i] * change)
    return largest


@compiled
def velocity_error(run: Memory, error: Reals) -> float:
    """What an error of accelerations adds to v in the step, in units of the tolerance: root mean square over all of
    y."""
    weight, judged, n_q = run.weight, run.judged, run.n_q
    total = 0.0
    for i in range(run.n_v):
        scaled = judged[n_q + i] * weight[n_q + i] * error[i]
        total += scaled * scaled
    return abs(run.h) * np.sqrt(total / max(1, run.n_y))


@compiled
def scaled_size(run: Memory, dq: Reals) -> float:
    """Largest entry of a correction of q, seen from the sizes of the coordinates."""
    q, scale = run.q, run.scale
    largest = 0.0
    for i in range(q.size):
        largest = larger(largest, abs(dq[i]) / (scale[i] + abs(q[i])))
    return largest


@compiled
def take_restored(run: Memory) -> float:
    """Take over q with its invariants restored; by how much that changes it, seen from the sizes of the
    coordinates."""
    q, qn = run.q, run.qn
    size = 0.0
    for i in range(q.size):
        size = larger(size, abs(qn[i] - q[i]) / (run.scale[i] + abs(q[i])))
    copy(qn, q)
    return size


@compiled
def note_residual(run: Memory, residual: Reals) -> None:
    """Remember the largest residual of a position constraint that projections have left."""
    for i in range(residual.size):
        if abs(residual[i]) > run.worst_g:
            run.worst_g = abs(residual[i])
