"""The matrix of constrained motion as a sparse one with a fixed order of pivots (mode "sparse").

The order comes from the structure (:func:`~dalembert.linalg.orders.order.saddle_order`) and is safe for positive
definite M and G of full rank: L D Lᵀ without friction, LU with it.  Elsewhere a pivot can go bad.  That is noticed when
nothing is left of it, or when a solution does not satisfy the equations even after refinement; row pivoting
(:mod:`~dalembert.linalg.factors.row_pivoting`) then takes over for this one matrix, and ``plan[TROUBLES]`` counts it.

Values: factors and work, those of row pivoting, three vectors, the smallest relative pivot (not told here: 1).
"""

from __future__ import annotations

import numpy as np

from dalembert.linalg.factors.row_pivoting import (
    analyse_row_pivoting,
    row_pivoting_factor,
    row_pivoting_solve,
    row_pivoting_value_size,
)
from dalembert.linalg.factors.sparse import analyse, sparse_factor, sparse_solve, value_size
from dalembert.linalg.factors.symmetric_sparse import (
    analyse_symmetric_sparse,
    symmetric_sparse_factor,
    symmetric_sparse_solve,
    symmetric_value_size,
)
from dalembert.linalg.plan import (
    N_F,
    N_G,
    N_LAM,
    N_M,
    N_V,
    SPARSE,
    TROUBLES,
    Plan,
    Structure,
    header,
    is_solution,
    is_within,
    own_part,
    subtract_product,
    sum_of_squares,
    with_starts,
)
from dalembert.linalg.solver import factor_solver, solve_solver
from dalembert.native.kernel import Ints, Reals, compiled, view

#: Relative residual above which a solution is refined.
_REFINED = 1e-15
#: Places in the own part: whether the matrix is symmetric, whether rows are pivoted, where the values of that start;
#: starts of the lists: places of the entries (M, G, Gᵀ, F) among the values of both factorisations, and their plans.
_SYMMETRIC, _PIVOTED, _VALUES, _AT, _PIVOTED_AT, _FACTORS, _ROW_PIVOTING = range(7)


@compiled
def _factors(own: Ints) -> Ints:
    return view(own, own[_FACTORS], own[_ROW_PIVOTING] - own[_FACTORS])


@compiled
def _row_pivoting(own: Ints) -> Ints:
    return view(own, own[_ROW_PIVOTING], own.size - own[_ROW_PIVOTING])


@factor_solver
def fixed_order_factor(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    """With the order of the plan, or with row pivoting if that fails."""
    own = own_part(plan)
    factors, symmetric = _factors(own), own[_SYMMETRIC]
    entries = factors[0] + factors[2] if symmetric else factors[1]
    for k in range(entries):
        values[k] = 0.0
    _scatter(values, view(own, own[_AT], own[_PIVOTED_AT] - own[_AT]), plan, M, G, F, symmetric)
    values[values.size - 1] = 1.0
    own[_PIVOTED] = 0
    failed = symmetric_sparse_factor(values, factors) if symmetric else sparse_factor(values, factors)
    return _pivot_rows(values, plan, M, G, F) if failed else 0


@compiled
def _scatter(values: Reals, places: Ints, plan: Ints, M: Reals, G: Reals, F: Reals, symmetric: int) -> None:
    """Put the entries of M, G, Gᵀ and F at their places."""
    for k in range(M.size):
        values[places[k]] = M[k]
    at = view(places, plan[N_M], plan[N_G])
    for k in range(G.size):
        values[at[k]] = G[k]
    if symmetric:
        return
    at = view(places, plan[N_M] + plan[N_G], plan[N_G])
    for k in range(G.size):
        values[at[k]] = G[k]
    at = view(places, plan[N_M] + 2 * plan[N_G], plan[N_F])
    for k in range(F.size):
        values[at[k]] -= F[k]


@compiled
def _pivot_rows(values: Reals, plan: Ints, M: Reals, G: Reals, F: Reals) -> int:
    own = own_part(plan)
    pivoting, part = _row_pivoting(own), view(values, own[_VALUES], values.size - own[_VALUES])
    plan[TROUBLES] += 1
    own[_PIVOTED] = 1
    for k in range(pivoting[2]):
        part[k] = 0.0
    _scatter(part, view(own, own[_PIVOTED_AT], own[_FACTORS] - own[_PIVOTED_AT]), plan, M, G, F, 0)
    return row_pivoting_factor(part, pivoting)


@compiled
def _solve(values: Reals, own: Ints, right: Reals) -> None:
    if own[_PIVOTED]:
        row_pivoting_solve(view(values, own[_VALUES], values.size - own[_VALUES]), _row_pivoting(own), right)
    elif own[_SYMMETRIC]:
        symmetric_sparse_solve(values, _factors(own), right)
    else:
        sparse_solve(values, _factors(own), right)


@compiled
def _refined(values: Reals, plan: Ints, M: Reals, G: Reals, F: Reals, right: Reals) -> bool:
    """Solve for what is kept, and refine if need be; whether the result is good."""
    own, n = own_part(plan), plan[N_V] + plan[N_LAM]
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
    n = plan[N_V] + plan[N_LAM]
    kept = view(values, values.size - 1 - n, n)
    for i in range(n):
        kept[i] = right[i]
    if _refined(values, plan, M, G, F, right):
        return 0
    if own_part(plan)[_PIVOTED] or _pivot_rows(values, plan, M, G, F):
        return 1
    return 0 if _refined(values, plan, M, G, F, right) else 1


def analyse_fixed_order(structure: Structure) -> Plan:
    """Order of pivots, fill and places."""
    n_v, n_lam, M, G, F = structure
    n = n_v + n_lam
    rows = np.concatenate([M.rows, n_v + G.rows, G.columns, F.rows])
    columns = np.concatenate([M.columns, G.columns, n_v + G.rows, n_v + F.columns])
    listed = list(zip(rows.tolist(), columns.tolist(), strict=True))
    orders = structure.safe_order(rows.tolist(), columns.tolist())
    symmetric = not len(F.rows)
    if symmetric:
        factors, places = analyse_symmetric_sparse(n, rows, columns, *orders)
        where = [places[i, j] if (i, j) in places else places[j, i] for i, j in listed]
        size, entries = symmetric_value_size(factors), int(2 * factors[2] + n)
    else:
        factors, known = analyse(n, rows, columns, *orders)
        where = [known[pair] for pair in listed]
        size, entries = value_size(factors), int(factors[1])
    pivoting, pivoted_where = analyse_row_pivoting(n, rows, columns, *orders, entries)
    own = with_starts([int(symmetric), 0, size], [where, pivoted_where, factors, pivoting])
    return Plan("sparse", header(SPARSE, structure, own), size + row_pivoting_value_size(pivoting) + 3 * n + 1)
