"""Equations of BDF methods: residuals of the iterate in the rows (9) or (10) of Arnold, Fuchs, Führer (corrector), with
the constraints of the stabilised form, or of one index alone, for comparison.

The rates of an iterate y are ẏ⁽⁰⁾ + α (y − y⁽⁰⁾), corrector (13), with what the history predicts.
"""

from __future__ import annotations

import numpy as np

from dalembert.equations.contract.convention import CONTRACT, IMPLICIT, STAGE
from dalembert.equations.contract.equations import Sizes
from dalembert.integrate.frame.contract_formalism import call_contract
from dalembert.integrate.frame.formalism import load, note_residual
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.frame.method_layout import MethodLayout
from dalembert.integrate.implicit.residual import call_implicit, stage_residual
from dalembert.integrate.methods.bdf_memory import LEVEL, BdfMemory
from dalembert.linalg.factors.dense_lu import lu_factor, lu_solve
from dalembert.linalg.vector_operations import add_product, clear, copy, negate, total_size
from dalembert.native.kernel import Reals, compiled, view

ROWS = ("residual", "accelerations")
#: In the order of LEVEL, with what they are called.
CONSTRAINTS = {
    "ggl": "stabilised index 2 (Gear, Gupta, Leimkuhler)",
    "index3": "constraints on positions (index 3), without projection",
    "index2": "constraints on velocities (index 2), without projection",
    "index1": "constraints on accelerations (index 1), without projection",
    "projected": "constraints on positions, velocities by projection",
}


@compiled
def load_prediction(run: BdfMemory) -> None:
    """The iterate begins with the prediction, and μ = 0."""
    n, n_g, n_lam, n_u, x = run.n_q + run.n_v, run.n_g, run.n_lam, run.n_u, run.iterate
    predicted = run.predicted
    copy(predicted, view(x, 0, n))
    clear(view(x, n, n_g))
    copy(view(predicted, run.n_y + run.n_v, n_lam), view(x, n + n_g, n_lam))
    copy(view(predicted, n, n_u), view(x, n + n_g + n_lam, n_u))


@compiled
def _load_rates(run: BdfMemory, out: Reals) -> None:
    """Rates ẏ⁽⁰⁾ + α (y − y⁽⁰⁾) of the iterate, in the places of (q, v, u)."""
    n, gap, alpha, x = run.n_q + run.n_v, run.n_g + run.n_lam, run.alpha, run.iterate
    predicted, rates = run.predicted, run.predicted_rate
    for k in range(n):
        out[k] = rates[k] + alpha * (x[k] - predicted[k])
    for k in range(n, run.n_y):
        out[gap + k] = rates[k] + alpha * (x[gap + k] - predicted[k])


@compiled
def residual(run: BdfMemory) -> int:
    """Residuals at the iterate, in the place of corrections; μ = 0 stands where constraints are left away."""
    out = run.corrections
    _load_rates(run, out)
    status = stage_residual(run, run.t_new, run.iterate, out)
    if status or run.level == LEVEL.GGL or run.level == LEVEL.PROJECTED:
        return status
    at, n_g, n_lam = run.n_q + run.n_v, run.n_g, run.n_lam
    if run.level == LEVEL.INDEX3:
        clear(view(out, at + n_g, n_g))
        return STATUS.OK
    clear(view(out, at, n_g))
    if run.level == LEVEL.INDEX1:  # over α, which its derivatives by v then have no more
        if call_contract(run, CONTRACT.G | CONTRACT.gamma, STAGE.P):
            return STATUS.RAISED
        run.factored = 0
        acceleration = view(out, at + n_g, n_lam)
        negate(run.gamma, acceleration)
        add_product(run.G, run.G_rows, run.G_columns, run.a, acceleration)
        for i in range(n_lam):
            acceleration[i] /= run.alpha
    return STATUS.OK


@compiled
def solve_for_accelerations(run: BdfMemory) -> int:
    """Rows v̇ − M⁻¹ (f − Gᵀλ) of corrector (10), times the M of the Newton matrix, with which they have the same matrix:
    whatever M does meanwhile, ∂/∂v̇ stays what it was."""
    n, place, factors = run.n_v, run.mass_of_M, run.M_factors
    if call_contract(run, CONTRACT.M, STAGE.P):
        return STATUS.RAISED
    run.factored = 0
    clear(factors)
    rows, columns, M = run.mass_rows, run.mass_columns, run.M
    if not total_size(M) < np.inf:  # else it would be taken for singular
        return STATUS.NOT_FINITE
    for k in range(place.size):
        if place[k] >= 0:
            factors[rows[place[k]] * n + columns[place[k]]] = M[k]
    right = view(run.corrections, run.n_q, n)
    if lu_factor(factors, n, run.M_pivots, run.dgetrf):
        return STATUS.SINGULAR
    lu_solve(factors, n, run.M_pivots, right, run.dgetrs)
    copy(right, view(run.x_right, 0, n))
    clear(right)
    add_product(run.mass, rows, columns, view(run.x_right, 0, n), right)
    return STATUS.OK


@compiled
def note_drift(run: BdfMemory) -> int:
    """Constraints at the end of a step that nothing projects."""
    load(run, run.t_new, run.y1)
    if call_implicit(run, IMPLICIT.g, STAGE.T):
        return STATUS.RAISED
    note_residual(run, run.implicit_g)
    return STATUS.OK


def without_constraints(layout: MethodLayout, sizes: Sizes, constraints: str) -> MethodLayout:
    """The layout without the entries of constraints that are left away, with ones on the diagonal of μ."""
    n_x, first = layout.values["n_x"], sizes.q + sizes.v  # of μ, and of g
    rows, columns = layout.contents["K_rows"], layout.contents["K_columns"]
    left = first + np.arange(sizes.g) + (sizes.g if constraints == "index3" else 0)
    kept = ~np.isin(rows, left) & ~((columns >= first) & (columns < first + sizes.g))
    if constraints == "index1":  # derivatives of G v̇ − γ by q, over α, are small
        at = first + sizes.g
        kept &= ~((rows >= at) & (rows < at + sizes.lam) & (columns < sizes.q))
    ones = np.concatenate([layout.contents["one_place"], left * n_x + first + np.arange(sizes.g)])
    one_rows = np.concatenate([layout.contents["one_rows"], left])
    return layout._replace(
        contents={**layout.contents, "one_place": ones, "one_rows": one_rows},
        vectors={**layout.vectors, "K_sign": layout.vectors["K_sign"] * kept},
    )
