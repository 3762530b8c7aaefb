"""Newton matrices of BDF methods without μ, for unknowns (q, v, λ, u): velocities come onto their constraints by
projection, not within the iteration.

In the stabilised form with the metric of M, q̇ = T (v − M⁻¹Gᵀμ), put w = v − M⁻¹Gᵀμ and λ' = λ + α μ.  The formulas for
v are then those for w with λ' in place of λ, as far as forces do not feel the difference, and μ is gone from them:

    q̇ = T w,   M ẇ = f − Gᵀλ',   0 = g,        then   v = w + M⁻¹Gᵀμ with G v + gI = 0

So the iteration has the constraints on positions alone.  Its matrix has fewer unknowns and less than half the entries
of factors, as each joint is eliminated once and not twice: 46 000 instead of 102 000 for a chain of 1000 bars, and a
fifth of the products.  When the iteration ends, residuals of both constraints are taken away in the metric of the
Newton matrix, with its factors: what is left of g would be projected in the metric of M and set waves off, and
velocities along constraints have an error of the formulas where sizes change, which is not to be judged.  The frame
then projects to rounding.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.equations.contract.convention import IMPLICIT, STAGE
from dalembert.equations.contract.equations import Sizes
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.frame.method_layout import MethodLayout
from dalembert.integrate.implicit.residual import call_implicit, load_stage
from dalembert.integrate.methods.bdf_memory import BdfMemory
from dalembert.linalg.factors.sparse_lu import analyse, sparse_factor, sparse_solve, value_size
from dalembert.linalg.orders.order import saddle_order, symmetric_neighbours
from dalembert.linalg.vector_operations import clear, copy
from dalembert.native.kernel import Reals, compiled, view


@compiled
def factor_reduced(run: BdfMemory, alpha: float) -> int:
    """Factorise α E(M) + K without the rows and columns of μ. Rows need no powers of two: no pivot is searched for."""
    run.nlu += 1
    matrix = run.reduced_factors
    clear(matrix)
    K, kept, place = run.K, run.reduced_K, run.reduced_K_place
    for k in range(kept.size):
        matrix[place[k]] += K[kept[k]]
    mass, place = run.mass, run.reduced_mass_place
    for k in range(mass.size):
        matrix[place[k]] += alpha * mass[k]
    place = run.reduced_one_place
    for k in range(place.size):
        matrix[place[k]] += alpha
    return STATUS.SINGULAR if sparse_factor(matrix, run.reduced_plan) else STATUS.OK


@compiled
def solve_reduced(run: BdfMemory, x: Reals) -> None:
    """Replace residuals of the rows (q̇, v̇, g, gv, u̇) by corrections of (q, v, 0, λ, u)."""
    run.nsolve += 1
    at, n_g, n_lam, n_u, right = run.n_q + run.n_v, run.n_g, run.n_lam, run.n_u, run.reduced_right
    copy(x, view(right, 0, at + n_g))
    copy(view(x, at + 2 * n_g, n_lam - n_g + n_u), view(right, at + n_g, n_lam - n_g + n_u))
    sparse_solve(run.reduced_factors, run.reduced_plan, right)
    copy(right, view(x, 0, at))
    clear(view(x, at, n_g))
    copy(view(right, at, n_lam + n_u), view(x, at + n_g, n_lam + n_u))


@compiled
def project_iterate(run: BdfMemory) -> int:
    """The iterate onto g = 0 and G v + gI = 0, as far as the factors at hand know C and G."""
    n_q, n_g, right, x = run.n_q, run.n_g, run.reduced_right, run.iterate
    at, alpha, left = n_q + run.n_v, run.alpha_factored, run.implicit_gv
    load_stage(run, run.t_new, run.y0, x)
    if call_implicit(run, IMPLICIT.g | IMPLICIT.gv, STAGE.T):
        return STATUS.RAISED
    clear(right)
    copy(run.implicit_g, view(right, at, n_g))
    run.nsolve += 1
    sparse_solve(run.reduced_factors, run.reduced_plan, right)
    for i in range(n_q):
        x[i] -= right[i]
    clear(right)
    for k in range(left.size):  # positions that change by C δq = gv/α have velocities α δq
        right[at + k] = left[k] / alpha if k < n_g else left[k]
    run.nsolve += 1
    sparse_solve(run.reduced_factors, run.reduced_plan, right)
    for i in range(n_q, at):
        x[i] -= right[i]
    return STATUS.OK


def with_reduced_matrix(layout: MethodLayout, sizes: Sizes) -> MethodLayout:
    """The layout of the stabilised form, which a starter needs, with lists for the matrix without μ."""
    n, n_g = sizes.q + sizes.v, sizes.g
    size = n + sizes.lam + sizes.u
    # Rows g take the places of the rows gv of the same constraints, and λ those of μ.
    row_place, column_place = np.full((2, size + n_g), -1)
    row_place[: n + n_g], column_place[:n] = np.arange(n + n_g), np.arange(n)
    row_place[n + 2 * n_g :], column_place[n + n_g :] = np.arange(n + n_g, size), np.arange(n, size)
    rows, columns = row_place[layout.contents["K_rows"]], column_place[layout.contents["K_columns"]]
    kept = np.flatnonzero((rows >= 0) & (columns >= 0))
    of_mass = sizes.q + layout.contents["mass_rows"], sizes.q + layout.contents["mass_columns"]
    ones = np.concatenate([np.arange(sizes.q), np.arange(size - sizes.u, size)])
    all_rows = np.concatenate([rows[kept], of_mass[0], ones])
    all_columns = np.concatenate([columns[kept], of_mass[1], ones])
    neighbours, diagonal = symmetric_neighbours(size, all_rows.tolist(), all_columns.tolist())
    held: dict[int, set[int]] = {k: set() for k in range(n, n + sizes.lam)}
    for i, j in zip(all_rows.tolist(), all_columns.tolist(), strict=True):
        if i in held and j not in held:
            held[i].add(j)
    plan, where = analyse(size, all_rows, all_columns, *saddle_order(neighbours, diagonal, held))

    def places(of_rows: Any, of_columns: Any) -> list[int]:
        return [where[pair] for pair in zip(of_rows.tolist(), of_columns.tolist(), strict=True)]

    contents = {
        "reduced_K": kept, "reduced_K_place": places(rows[kept], columns[kept]),
        "reduced_mass_place": places(*of_mass), "reduced_one_place": places(ones, ones), "reduced_plan": plan,
    }  # fmt: skip
    return layout._replace(
        values={**layout.values, "n_reduced": size, "reduced_size": value_size(plan)},
        contents={**layout.contents, **contents},
    )
