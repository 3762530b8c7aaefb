"""History of BDF methods on the stabilised index-2 form: their first step, history from the stages of a Radau step, and
the polynomials of the dense output.

Rows of differences hold (q, v, u) and (a, λ) at the ends of the last steps, all of them projected onto the constraints.
K. E. Brenan, S. L. Campbell, L. R. Petzold, Numerical Solution of Initial-Value Problems in DAEs, SIAM 1996, 5.2
("BCP").
"""

from __future__ import annotations

from dalembert.integrate.implicit.residual import differential
from dalembert.integrate.methods.bdf_formulas import points_as_history, set_polynomial
from dalembert.integrate.methods.bdf_memory import BdfMemory
from dalembert.integrate.methods.multistep import difference, renew
from dalembert.integrate.methods.radau import collocation_polynomial
from dalembert.linalg.vector_operations import add_scaled, clear, copy
from dalembert.native.kernel import Reals, compiled, view


@compiled
def set_first_rate(run: BdfMemory) -> None:
    """The point before the first one, where the tangent leads to: BCP."""
    second = difference(run, 2)
    clear(second)
    for c in range(run.n_y):
        second[c] = run.h * run.rate0[c]
    run.past_sizes[0] = run.h


@compiled
def renew_history(run: BdfMemory) -> int:
    """Differences at the end of the step, projected as it is. Returns the number of rows."""
    n, n_h, change = run.n_y, run.n_h, run.departure
    rows = run.known if run.starting else run.order_used + 1
    y0, y1, z1, predicted = run.y0, run.y1, run.z1, run.predicted
    for c in range(n):
        change[c] = (y1[c] - y0[c]) - predicted[c]
    for c in range(n, n_h):
        change[c] = z1[c - n] - predicted[c]
    renew(run, rows)
    return rows + 1


@compiled
def stages_as_history(run: BdfMemory) -> None:
    """Differences from the stages of the Radau step and its ends."""
    s, n, n_h = run.stages, run.n_y, run.n_h
    for i in range(s):  # from the newest on; the last row is that of the start
        _load_stage(run, s - 1 - i, view(run.differences, i * n_h, n_h))
    last = view(run.differences, s * n_h, n_h)
    copy(run.y0, view(last, 0, n))
    copy(run.z0, view(last, n, run.n_z))
    points_as_history(run, view(run.tableau, 0, s))


@compiled
def _load_stage(run: BdfMemory, i: int, out: Reals) -> None:
    """(q, v, u, a, λ) of a stage of the Radau step; of the last one as it was projected."""
    s, n_x, n, n_v, n_lam = run.stages, run.n_x, run.n_y, run.n_v, run.n_lam
    if i == s - 1:
        copy(run.y1, view(out, 0, n))
        copy(run.z1, view(out, n, run.n_z))
        return
    Z = view(run.Z, i * n_x, n_x)
    differential(run, Z, view(out, 0, n))
    y0 = run.y0
    for c in range(n):
        out[c] += y0[c]
    a = view(out, n, n_v)
    clear(a)
    for j in range(s):
        add_scaled(run.tableau[s + i * s + j] / run.h, view(run.Z, j * n_x + run.n_q, n_v), a)
    copy(view(Z, run.n_q + n_v + run.n_g, n_lam), view(out, n + n_v, n_lam))


# -------------------------------------------------------------------------------------------------------- dense output


@compiled
def _through_stages(run: BdfMemory) -> None:
    """a and λ of the Radau step: the polynomial through its start, its stages and its end."""
    s, n, coef = run.stages, run.n_z, run.coef_z
    nested = view(run.tableau, s + 3 * s * s + 2 * s, s * s)
    z0, values = run.z0, run.renewed
    clear(coef)
    copy(z0, view(coef, 0, n))
    for i in range(s):
        _load_stage(run, i, view(values, 0, run.n_h))
        increment = view(values, run.n_y, n)
        for k in range(n):
            increment[k] -= z0[k]
        for c in range(s):
            add_scaled(nested[c * s + i], increment, view(coef, (c + 1) * n, n))


@compiled
def polynomial_of_start(run: BdfMemory) -> None:
    """Coefficients of (q, v, u) and (a, λ) of a Radau step in nested form."""
    collocation_polynomial(run)
    _through_stages(run)
    run.coef_unused = run.n_coef - run.stages - 1


@compiled
def polynomial_of_step(run: BdfMemory) -> None:
    """The same of a BDF step: the polynomial of degree k through the ends of the last steps."""
    renew_history(run)
    set_polynomial(run, 0, run.coef)
    set_polynomial(run, run.n_y, run.coef_z)
    run.coef_unused = run.n_coef - run.order_used - 1
