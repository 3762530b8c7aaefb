"""The matrix of constrained motion as a sparse one with a fixed order of pivots (mode "sparse").

The order comes from the structure (:func:`~dalembert.linalg.orders.order.saddle_order`) and is safe for positive
definite M and G of full rank: L D Lᵀ without friction, LU with it.  Elsewhere a pivot can go bad.  That is noticed when
nothing is left of it, or when a solution does not satisfy the equations even after refinement; row pivoting
(:mod:`~dalembert.linalg.factors.row_pivoting`) then takes over for this one matrix, and ``plan[HEAD.TROUBLES]`` counts
it.

Values: factors and work, those of row pivoting, three vectors, the smallest relative pivot (not told here: 1).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dalembert.linalg.factors.row_pivoting import (
    PIVOTING,
    analyse_row_pivoting,
    history_of_row_pivoting,
    row_pivoting_factor,
    row_pivoting_solve,
    row_pivoting_value_size,
)
from dalembert.linalg.factors.sparse_lu import (
    analyse,
    sparse_factor,
    sparse_solve,
    sparse_values,
    value_size,
)
from dalembert.linalg.factors.symmetric_sparse import (
    LDL,
    analyse_symmetric_sparse,
    symmetric_sparse_factor,
    symmetric_sparse_solve,
    symmetric_value_size,
)
from dalembert.linalg.plan import (
    HEAD,
    History,
    Plan,
    Structure,
    is_solution,
    is_within,
    own_part,
    plan_of,
    subtract_product,
    sum_of_squares,
    with_starts,
)
from dalembert.linalg.solver import factor_solver, solve_solver
from dalembert.native.kernel import Ints, Reals, compiled, view
from dalembert.native.legend import Legend

#: Relative residual above which a solution is refined.
_REFINED = 1e-15
FIXED = Legend(
    "own part of a plan with a fixed order of pivots",
    SYMMETRIC="whether the matrix is symmetric: L D Lᵀ, else LU",
    PIVOTED="whether the factors that are there are those of row pivoting",
    VALUES="first value of row pivoting",
    PLACES="start of: places of the entries (M, G, Gᵀ, F) among the values with the fixed order",
    PIVOTED_PLACES="start of: their places among the values of row pivoting",
    FACTORS="start of: the plan of the fixed order",
    ROW_PIVOTING="start of: the plan of row pivoting",
)


@compiled
def _factors(own: Ints) -> Ints:
    return view(own, own[FIXED.FACTORS], own[FIXED.ROW_PIVOTING] - own[FIXED.FACTORS])


@compiled
def _row_pivoting(own: Ints) -> Ints:
    return view(own, own[FIXED.ROW_PIVOTING], own.size - own[FIXED.ROW_PIVOTING])


@factor_solver
def fixed_order_factor(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    """With the order of the plan, or with row pivoting if that fails."""
    own = own_part(plan)
    factors, symmetric = _factors(own), own[FIXED.SYMMETRIC]
    entries = factors[LDL.N] + factors[LDL.BELOW] if symmetric else sparse_values(factors)
    for k in range(entries):
        values[k] = 0.0
    _scatter(
        values, view(own, own[FIXED.PLACES], own[FIXED.PIVOTED_PLACES] - own[FIXED.PLACES]), plan, M, G, F, symmetric
    )
    values[values.size - 1] = 1.0
    own[FIXED.PIVOTED] = 0
    failed = symmetric_sparse_factor(values, factors) if symmetric else sparse_factor(values, factors)
    return _pivot_rows(values, plan, M, G, F) if failed else 0


@compiled
def _scatter(values: Reals, places: Ints, plan: Ints, M: Reals, G: Reals, F: Reals, symmetric: int) -> None:
    """Put the entries of M, G, Gᵀ and F at their places."""
    for k in range(M.size):
        values[places[k]] = M[k]
    at = view(places, plan[HEAD.N_M], plan[HEAD.N_G])
    for k in range(G.size):
        values[at[k]] = G[k]
    if symmetric:
        return
    at = view(places, plan[HEAD.N_M] + plan[HEAD.N_G], plan[HEAD.N_G])
    for k in range(G.size):
        values[at[k]] = G[k]
    at = view(places, plan[HEAD.N_M] + 2 * plan[HEAD.N_G], plan[HEAD.N_F])
    for k in range(F.size):
        values[at[k]] -= F[k]


@compiled
def _pivot_rows(values: Reals, plan: Ints, M: Reals, G: Reals, F: Reals) -> int:
    own = own_part(plan)
    pivoting, part = _row_pivoting(own), view(values, own[FIXED.VALUES], values.size - own[FIXED.VALUES])
    plan[HEAD.TROUBLES] += 1
    own[FIXED.PIVOTED] = 1
    for k in range(pivoting[PIVOTING.ENTRIES]):
        part[k] = 0.0
    _scatter(
        part, view(own, own[FIXED.PIVOTED_PLACES], own[FIXED.FACTORS] - own[FIXED.PIVOTED_PLACES]), plan, M, G, F, 0
    )
    return row_pivoting_factor(part, pivoting)


@compiled
def _solve(values: Reals, own: Ints, right: Reals) -> None:
    if own[FIXED.PIVOTED]:
        row_pivoting_solve(view(values, own[FIXED.VALUES], values.size - own[FIXED.VALUES]), _row_pivoting(own), right)
    elif own[FIXED.SYMMETRIC]:
        symmetric_sparse_solve(values, _factors(own), right)
    else:
        sparse_solve(values, _factors(own), right)


@compiled
def _refined(values: Reals, plan: Ints, M: Reals, G: Reals, F: Reals, right: Reals) -> bool:
    """Solve for what is kept, and refine if need be; whether the result is good."""
    own, n = own_part(plan), plan[HEAD.N_V] + plan[HEAD.N_LAM]
    kept, residual = view(values, values.size - 1 - n, n), view(values, values.size - 1 - 2 * n, n)
    correction = view(values, values.size - 1 - 3 * n, n)
    for i in range(n):
        right[i] = kept[i]
    squares = sum_of_squares(kept)
    _solve(values, own, right)
    for refinement in range(3):
        for i in range(n):
            residual[i] = kept[i]
        subtract_product(plan, M, G, F, right, residual)
        if is_within(_REFINED, plan, M, G, right, squares, residual):
            return True
        if refinement == 2:
            break
        for i in range(n):
            correction[i] = residual[i]
        _solve(values, own, correction)
        for i in range(n):
            right[i] += correction[i]
    return is_solution(plan, M, G, right, squares, residual)


@solve_solver
def fixed_order_solve(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals, right: Reals) -> int:
    """With the factors of :func:`fixed_order_factor`, or with new ones where these have lost too many digits."""
    n = plan[HEAD.N_V] + plan[HEAD.N_LAM]
    kept = view(values, values.size - 1 - n, n)
    for i in range(n):
        kept[i] = right[i]
    if _refined(values, plan, M, G, F, right):
        return 0
    if own_part(plan)[FIXED.PIVOTED] or _pivot_rows(values, plan, M, G, F):
        return 1
    return 0 if _refined(values, plan, M, G, F, right) else 1


def analyse_fixed_order(structure: Structure) -> Plan:
    """Order of pivots, fill and places."""
    n_v, n_lam, M, G, F, _ = structure
    n = n_v + n_lam
    rows = np.concatenate([M.rows, n_v + G.rows, G.columns, F.rows])
    columns = np.concatenate([M.columns, G.columns, n_v + G.rows, n_v + F.columns])
    listed = list(zip(rows.tolist(), columns.tolist(), strict=True))
    orders = structure.safe_order(rows.tolist(), columns.tolist())
    symmetric = not len(F.rows)
    if symmetric:
        factors, places = analyse_symmetric_sparse(n, rows, columns, *orders)
        where = [places[i, j] if (i, j) in places else places[j, i] for i, j in listed]
        size, entries = symmetric_value_size(factors), int(2 * factors[LDL.BELOW] + n)
    else:
        factors, known = analyse(n, rows, columns, *orders)
        where = [known[pair] for pair in listed]
        size, entries = value_size(factors), int(sparse_values(factors))
    pivoting, pivoted_where = analyse_row_pivoting(n, rows, columns, *orders, entries)
    own = with_starts([int(symmetric), 0, size], [where, pivoted_where, factors, pivoting])
    return plan_of("sparse", structure, own, size + row_pivoting_value_size(pivoting) + 3 * n + 1)


def factors_of_fixed_order(plan: NDArray[np.int64]) -> list[History]:
    """The whole numbers that factors consist of, for those who go on with them."""
    own = int(plan[HEAD.OWN])
    pivoting = own + int(plan[own + FIXED.ROW_PIVOTING])
    inside = history_of_row_pivoting(plan[pivoting:])
    return [History(own + FIXED.PIVOTED, 1, 0, 1), *(part._replace(start=pivoting + part.start) for part in inside)]
