"""Residuals of the stabilised index-2 form (Gear, Gupta, Leimkuhler) for unknowns x = (q, v, μ, λ, u):

0 = q̇ − T v + W T Cᵀμ,   0 = M v̇ − f + Gᵀλ,   0 = g,   0 = G v + gI,   0 = u̇ − d

W is a diagonal metric: squares of the sizes of coordinates.  Without it, angles of a mechanism of a nanometre would
have to stay where they are, and lengths alone cannot keep the constraints.
"""

from __future__ import annotations

from dalembert.equations.contract.convention import IMPLICIT, STAGE
from dalembert.integrate.frame.formalism import seen_time
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.implicit.implicit_memory import ImplicitMemory
from dalembert.linalg.vector_operations import add, clear, copy, subtract
from dalembert.native.kernel import Reals, call_entry, compiled, view


@compiled
def call_implicit(run: ImplicitMemory, request: int, changed: int) -> int:
    """Rows of the program "implicit" at the point, or its Jacobian."""
    told = STAGE.P if run.tell_implicit else changed
    run.tell_implicit = 0
    return call_entry(run.implicit_entry, request, told, run.inputs, run.implicit_outputs, run.implicit_work)


@compiled
def differential(run: ImplicitMemory, x: Reals, y: Reals) -> None:
    """y = (q, v, u) of x = (q, v, μ, λ, u)."""
    n, gap = run.n_q + run.n_v, run.n_g + run.n_lam
    copy(x, view(y, 0, n))
    copy(view(x, n + gap, run.n_u), view(y, n, run.n_u))


@compiled
def add_rates(run: ImplicitMemory, rate: Reals, x: Reals) -> None:
    """x + ẏ, in the places of (q, v, u)."""
    n, gap = run.n_q + run.n_v, run.n_g + run.n_lam
    add(view(rate, 0, n), x)
    add(view(rate, n, run.n_u), view(x, n + gap, run.n_u))


@compiled
def load_stage(run: ImplicitMemory, t: float, y0: Reals, x: Reals) -> None:
    """Make y0 + (q, v, u) of x the point of evaluation, with multipliers from x itself."""
    n_q, n_v, n_g, n_lam, n_u = run.n_q, run.n_v, run.n_g, run.n_lam, run.n_u
    run.t[0] = seen_time(run, t)
    q, v, u = run.q, run.v, run.u
    at = n_q + n_v
    for i in range(n_q):
        q[i] = y0[i] + x[i]
    for i in range(n_v):
        v[i] = y0[n_q + i] + x[n_q + i]
    copy(view(x, at, n_g), run.mu)
    copy(view(x, at + n_g, n_lam), run.lam)
    for i in range(n_u):
        u[i] = y0[at + i] + x[at + n_g + n_lam + i]


@compiled
def multipliers_at_start(run: ImplicitMemory, x: Reals) -> None:
    """The multipliers of x are those of y0: μ = 0, and λ."""
    at = run.n_q + run.n_v
    clear(view(x, at, run.n_g))
    copy(view(run.z0, run.n_v, run.n_lam), view(x, at + run.n_g, run.n_lam))


@compiled
def load_start(run: ImplicitMemory) -> None:
    """Make the start of the step the point of evaluation, with the accelerations and multipliers there."""
    clear(run.x_point)
    multipliers_at_start(run, run.x_point)
    copy(run.z0, run.a)
    load_stage(run, run.t_now, run.y0, run.x_point)
    run.changed = STAGE.T


@compiled
def _subtract_rates(run: ImplicitMemory, out: Reals) -> None:
    """out − T v + W T Cᵀμ; where W is not 1, the coordinate has a velocity of its own."""
    rates, drift, velocity, v = run.implicit_qdot, run.drift, run.drift_velocity, run.v
    apart, by_itself = run.drift_apart, run.drift_rates
    for i in range(out.size):
        rate = rates[i]
        if drift[i] != 1.0:
            own = v[velocity[i]]
            rate = own + drift[i] * (by_itself[i] if apart else rate - own)
        out[i] -= rate


@compiled
def _find_drift(run: ImplicitMemory) -> int:
    """−T Cᵀμ: the rates of a mechanism that does not move."""
    clear(run.v)
    if call_implicit(run, IMPLICIT.qdot, STAGE.T):
        return STATUS.RAISED
    copy(run.implicit_qdot, run.drift_rates)
    return STATUS.OK


@compiled
def stage_residual(run: ImplicitMemory, t: float, x: Reals, out: Reals) -> int:
    """Residuals at y0 + x. ``out`` holds (q̇, v̇, ·, ·, u̇) of the method before, and the residuals afterwards."""
    n_q, n_v, n_g, n_lam, n_u = run.n_q, run.n_v, run.n_g, run.n_lam, run.n_u
    copy(view(out, n_q, n_v), run.a)
    load_stage(run, t, run.y0, x)
    run.nfev += 1
    changed = STAGE.T
    if run.drift_apart:
        if _find_drift(run):
            return STATUS.RAISED
        load_stage(run, t, run.y0, x)
        changed = STAGE.V
    if call_implicit(run, IMPLICIT.qdot | IMPLICIT.residual | IMPLICIT.g | IMPLICIT.gv | IMPLICIT.d, changed):
        return STATUS.RAISED
    at = n_q + n_v
    _subtract_rates(run, view(out, 0, n_q))
    copy(run.residual, view(out, n_q, n_v))
    copy(run.implicit_g, view(out, at, n_g))
    copy(run.implicit_gv, view(out, at + n_g, n_lam))
    subtract(run.implicit_d, view(out, at + n_g + n_lam, n_u))
    run.changed = STAGE.A  # a Jacobian at this point finds everything as it was
    return STATUS.OK
