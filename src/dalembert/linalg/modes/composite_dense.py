"""The composite inertia matrix by dense operations (mode "composite-dense"): Alg-D of Negrut 1998, section 3.4.3.5.

The steps of Algorithm 4 with full matrices, (3.152) and (3.153),

    M = L Lᵀ,    L T = Gᵀ,    S = TᵀT = K Kᵀ

and nothing renumbered.  Where everything hangs on one chain M has no zeros, and this is what there is to do.
"cholesky-qr" takes QR in place of S, and finds constraints that follow from others.

It is done by dpotrf, dtrsm and dgemm.  Rows of T are stored one behind the other, n_lam numbers each: dtrsm then takes
half of the time that it takes for columns, and all of TᵀT by dgemm a third of the time of its triangle by dsyrk (27
coordinates, 16 constraints).

Values: L by rows; T by rows; S, then K, by rows; diagonals of M and of S; smallest relative pivot.
"""

from __future__ import annotations

import numpy as np

from dalembert.linalg.modes.cholesky_qr import dot, solve_lower, solve_upper
from dalembert.linalg.plan import ADDRESS, HEAD, Plan, Structure, own_part, plan_of, with_starts
from dalembert.linalg.solver import call_gemm, call_potrf, call_trsm, factor_solver, solve_solver
from dalembert.linalg.vector_operations import add_scaled, clear, negate, total_size
from dalembert.native.kernel import Ints, Reals, compiled, view
from dalembert.native.legend import Legend

FULL_MASSES = Legend(
    'own part of a plan of the mode "composite-dense"',
    COUNT="entries of the lower triangle of M",
    ENTRIES="start of: their numbers in M",
    PLACES="start of: their places in L",
    CONSTRAINTS="start of: the places of the entries of G in T",
)
#: Less than this left of a pivot, and the matrix is singular.
SINGULAR = 1e-15


@compiled
def _parts(values: Reals, plan: Ints) -> tuple[Reals, Reals, Reals, Reals]:
    """L, T, K, and the diagonals of M and of S."""
    n, m = plan[HEAD.N_V], plan[HEAD.N_LAM]
    return (
        view(values, 0, n * n), view(values, n * n, n * m), view(values, n * n + n * m, m * m),
        view(values, n * n + n * m + m * m, n + m),
    )  # fmt: skip


@compiled
def diagonal_of(matrix: Reals, n: int, diagonal: Reals) -> None:
    """Copy the diagonal of a full matrix."""
    for i in range(n):
        diagonal[i] = matrix[i * n + i]


@compiled
def least_left(L: Reals, n: int, diagonal: Reals) -> float:
    """What a decomposition L Lᵀ has left of the diagonal where least is; 0 where something is not a number."""
    least = 1.0
    for i in range(n):
        left = L[i * n + i] * L[i * n + i] / diagonal[i]
        if not left > SINGULAR:
            return 0.0
        least = min(least, left)
    return least


@factor_solver
def composite_dense_factor(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    """Steps 1, 3.1 and 3.3, and Cholesky's decomposition of step 3.4."""
    n, m, own = plan[HEAD.N_V], plan[HEAD.N_LAM], own_part(plan)
    L, T, K, diagonal = _parts(values, plan)
    clear(L)
    clear(T)
    count = own[FULL_MASSES.COUNT]
    entries, places = view(own, own[FULL_MASSES.ENTRIES], count), view(own, own[FULL_MASSES.PLACES], count)
    for k in range(count):
        L[places[k]] = M[entries[k]]
    places = view(own, own[FULL_MASSES.CONSTRAINTS], G.size)
    for k in range(G.size):
        T[places[k]] = G[k]
    if not total_size(G) < np.inf:  # BLAS does not look
        return n + 1
    diagonal_of(L, n, diagonal)
    failed = call_potrf(addresses[ADDRESS.DPOTRF], n, L)  # step 1
    if failed:
        return failed
    least = least_left(L, n, diagonal)
    if m:
        call_trsm(addresses[ADDRESS.DTRSM], n, m, L, T)  # step 3.1
        call_gemm(addresses[ADDRESS.DGEMM], m, n, T, K)  # step 3.3
        of_S = view(diagonal, n, m)
        diagonal_of(K, m, of_S)
        failed = call_potrf(addresses[ADDRESS.DPOTRF], m, K)
        if failed:
            return n + failed
        least = min(least, least_left(K, m, of_S))
    values[values.size - 1] = least
    return 0 if least > 0.0 else 1


@solve_solver
def composite_dense_solve(
    values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals, right: Reals
) -> int:
    """Steps 2, 3.2, 3.4, 3.5 and 4."""
    n, m = plan[HEAD.N_V], plan[HEAD.N_LAM]
    L, T, K, _ = _parts(values, plan)
    z, s = view(right, 0, n), view(right, n, m)
    solve_lower(L, n, z)
    negate(s, s)
    for j in range(n):
        add_scaled(z[j], view(T, j * m, m), s)
    solve_lower(K, m, s)
    solve_upper(K, m, s)
    for j in range(n):
        z[j] -= dot(view(T, j * m, m), s)
    solve_upper(L, n, z)
    return 0


def analyse_composite_dense(structure: Structure) -> Plan:
    """Places of the entries of G and of the lower triangle of M."""
    n, m, M, G, _, _ = structure
    lower = np.flatnonzero(M.rows >= M.columns)
    own = with_starts([len(lower)], [lower, (M.rows * n + M.columns)[lower], G.columns * m + G.rows])
    return plan_of("composite-dense", structure, own, n * n + m * n + m * m + n + m + 1)
