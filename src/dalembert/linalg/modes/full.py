"""The full matrix of constrained motion: LU with row pivoting, and the symmetric decomposition of Bunch and Kaufman.

Both need nothing but a matrix that is not singular.  The second has half of the operations, but only without friction,
and its pivots cost more than they save while matrices are small (mexx found the same with LINPACK's routines).

Values: the matrix by rows, work, the smallest relative pivot (not told here: 1).  Own lists: the pivots.
"""

from __future__ import annotations

import numpy as np

from dalembert.linalg.factors.dense_lu import lu_factor, lu_solve
from dalembert.linalg.plan import (
    ADDRESS,
    HEAD,
    Plan,
    Structure,
    own_part,
    pattern_of_F,
    pattern_of_G,
    pattern_of_M,
    plan_of,
)  # fmt: skip
from dalembert.linalg.solver import call_sytrf, call_sytrs, factor_solver, solve_solver
from dalembert.native.kernel import Ints, Reals, compiled, view

#: Columns that LAPACK may treat together.
_BLOCK = 32


@compiled
def fill(matrix: Reals, plan: Ints, M: Reals, G: Reals, F: Reals) -> None:
    """[[M, Gᵀ − F], [G, 0]] by rows."""
    n_v = plan[HEAD.N_V]
    n = n_v + plan[HEAD.N_LAM]
    for k in range(n * n):
        matrix[k] = 0.0
    rows, columns = pattern_of_M(plan)
    for k in range(M.size):
        matrix[rows[k] * n + columns[k]] = M[k]
    rows, columns = pattern_of_G(plan)
    for k in range(G.size):
        matrix[(n_v + rows[k]) * n + columns[k]] = G[k]
        matrix[columns[k] * n + n_v + rows[k]] = G[k]
    rows, columns = pattern_of_F(plan)
    for k in range(F.size):
        matrix[rows[k] * n + n_v + columns[k]] -= F[k]


@factor_solver
def dense_factor(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    """LU with row pivoting."""
    n = plan[HEAD.N_V] + plan[HEAD.N_LAM]
    fill(values, plan, M, G, F)
    values[values.size - 1] = 1.0
    return lu_factor(view(values, 0, n * n), n, own_part(plan), addresses[ADDRESS.DGETRF])


@solve_solver
def dense_solve(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals, right: Reals) -> int:
    """With the factors of :func:`dense_factor`."""
    n = plan[HEAD.N_V] + plan[HEAD.N_LAM]
    return lu_solve(view(values, 0, n * n), n, own_part(plan), right, addresses[ADDRESS.DGETRS])


@factor_solver
def symmetric_factor(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    """U D Uᵀ with blocks of one or two rows on the diagonal of D."""
    n = plan[HEAD.N_V] + plan[HEAD.N_LAM]
    fill(values, plan, M, G, F)
    values[values.size - 1] = 1.0
    for k in range(n):  # LAPACK does not look
        total = 0.0
        for j in range(k * n, k * n + n):
            total += abs(values[j])
        if not total < np.inf:
            return k + 1
    return call_sytrf(
        addresses[ADDRESS.DSYTRF], n, view(values, 0, n * n), own_part(plan), view(values, n * n, _BLOCK * n)
    )


@solve_solver
def symmetric_solve(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals, right: Reals) -> int:
    """With the factors of :func:`symmetric_factor`."""
    n = plan[HEAD.N_V] + plan[HEAD.N_LAM]
    return call_sytrs(addresses[ADDRESS.DSYTRS], n, view(values, 0, n * n), own_part(plan), right)


def analyse_dense(structure: Structure) -> Plan:
    n = structure.n_v + structure.n_lam
    return plan_of("dense", structure, [np.zeros(max(n, 2))], n * n + 1)


def analyse_symmetric(structure: Structure) -> Plan:
    n = structure.n_v + structure.n_lam
    return plan_of("symmetric", structure, [np.zeros(max(n, 2))], n * n + _BLOCK * n + 1)
