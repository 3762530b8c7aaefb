"""Constrained motion by Cholesky and QR (mexx (3.2)), for positive definite M

    [ M  Gᵀ ]   [ L       0  ] [ I   0 ] [ Lᵀ  W ]
    [ G  0  ] = [ Wᵀ      Rᵀ ] [ 0  −I ] [ 0   R ],      M = L Lᵀ,   W = L⁻¹ Gᵀ = Q R

G M⁻¹ Gᵀ = Rᵀ R is not formed, so that its square root is what the conditioning of the constraints enters with.  Columns
of W are exchanged where little is left of them, which shows redundant constraints: they get no force, and whatever they
ask for must follow from the others.

Matrices are full.  Values: L by rows; Wᵀ by rows; the reflections that make R, and R (n_lam × n_v by rows); diagonal of
R; sizes of the columns of W; forces; smallest relative pivot.
"""

from __future__ import annotations

import numpy as np

from dalembert.linalg.plan import (
    HEAD,
    Plan,
    Structure,
    own_part,
    pattern_of_G,
    pattern_of_M,
    plan_of,
)
from dalembert.linalg.solver import factor_solver, solve_solver
from dalembert.native.kernel import Ints, Reals, compiled, reassociated, view
from dalembert.native.legend import Legend

QR = Legend(
    'own part of a plan of the mode "cholesky-qr"',
    RANK="number of independent constraints",
    ORDER="constraints, independent ones first",
)
#: What must be left of a column of W, relative to its size, for its constraint to be independent of the others.
INDEPENDENT = 1e-11
#: A column of which less is left (in squares) waits for others.
_EXCHANGE = 1e-4
#: Relative error up to which redundant constraints agree.
_AGREE = 1e-7


@reassociated
def dot(x: Reals, y: Reals) -> float:
    total = 0.0
    for k in range(x.size):
        total += x[k] * y[k]
    return total


@compiled
def cholesky(a: Reals, n: int) -> int:
    """L of a full matrix stored by rows, in its lower triangle; 0, or 1 + the number of a pivot that is not
    positive."""
    for i in range(n):
        row = view(a, i * n, i)
        size = a[i * n + i]
        for j in range(i):
            row[j] = (row[j] - dot(view(a, i * n, j), view(a, j * n, j))) / a[j * n + j]
        pivot = size - dot(row, row)
        if not (pivot > 1e-15 * size and pivot < np.inf):
            return i + 1
        a[i * n + i] = np.sqrt(pivot)
    return 0


@compiled
def solve_lower(a: Reals, n: int, x: Reals) -> None:
    """x := L⁻¹ x."""
    for i in range(n):
        x[i] = (x[i] - dot(view(a, i * n, i), view(x, 0, i))) / a[i * n + i]


@compiled
def solve_upper(a: Reals, n: int, x: Reals) -> None:
    """x := L⁻ᵀ x."""
    for i in range(n - 1, -1, -1):
        x[i] /= a[i * n + i]
        row, value = view(a, i * n, i), x[i]
        for j in range(i):
            x[j] -= row[j] * value


@factor_solver
def cholesky_qr_factor(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    """L, W and R."""
    n_v, n = plan[HEAD.N_V], plan[HEAD.N_LAM]
    L, W, copy = _matrices(values, plan)
    for k in range(L.size):
        L[k] = 0.0
    for k in range(W.size):
        W[k] = 0.0
    rows, columns = pattern_of_M(plan)
    for k in range(M.size):
        L[rows[k] * n_v + columns[k]] = M[k]
    rows, columns = pattern_of_G(plan)
    for k in range(G.size):
        W[rows[k] * n_v + columns[k]] = G[k]
    failed = cholesky(L, n_v)
    if failed:
        return failed
    for i in range(n):
        solve_lower(L, n_v, view(W, i * n_v, n_v))
    for k in range(W.size):
        copy[k] = W[k]
    return _reflections(values, plan, copy)


@compiled
def _matrices(values: Reals, plan: Ints) -> tuple[Reals, Reals, Reals]:
    """L, Wᵀ, and the columns of W that become those of R."""
    n_v, n = plan[HEAD.N_V], plan[HEAD.N_LAM]
    return (
        view(values, 0, n_v * n_v), view(values, n_v * n_v, n * n_v), view(values, n_v * n_v + n * n_v, n * n_v)
    )  # fmt: skip


@compiled
def _vectors(values: Reals, plan: Ints) -> tuple[Reals, Reals, Reals]:
    """Diagonal of R, sizes of the columns of W, forces."""
    n_v, n = plan[HEAD.N_V], plan[HEAD.N_LAM]
    first = n_v * n_v + 2 * n * n_v
    return view(values, first, n), view(values, first + n, n), view(values, first + 2 * n, n)


@compiled
def _reflections(values: Reals, plan: Ints, columns: Reals) -> int:
    """QR of the columns (each of them contiguous) by Householder's reflections; the part of R above its diagonal
    stays where it is made."""
    n_v, n, own = plan[HEAD.N_V], plan[HEAD.N_LAM], own_part(plan)
    order = view(own, QR.ORDER, n)
    diagonal, sizes, _ = _vectors(values, plan)
    for i in range(n):
        order[i] = i
        column = view(columns, i * n_v, n_v)
        sizes[i] = dot(column, column)
        if not sizes[i] < np.inf:
            return n_v + i + 1
    own[QR.RANK] = n
    least = 1.0
    for k in range(n):
        best, left = k, _left(columns, sizes, k, k, n_v)
        if left < _EXCHANGE:  # the column of which most is left, seen from its own size
            for i in range(k + 1, n):
                rest = _left(columns, sizes, i, k, n_v)
                if rest > left:
                    best, left = i, rest
        if left <= INDEPENDENT * INDEPENDENT:
            own[QR.RANK] = k
            break
        least = min(least, left)
        if best != k:
            order[k], order[best] = order[best], order[k]
            sizes[k], sizes[best] = sizes[best], sizes[k]
            first, second = view(columns, k * n_v, n_v), view(columns, best * n_v, n_v)
            for j in range(n_v):
                first[j], second[j] = second[j], first[j]
        vector = view(columns, k * n_v + k, n_v - k)
        length = np.sqrt(dot(vector, vector))
        if vector[0] > 0.0:
            length = -length
        diagonal[k] = length
        vector[0] -= length
        scale = -1.0 / (length * vector[0])  # 2 / vᵀv
        for i in range(k + 1, n):
            other = view(columns, i * n_v + k, n_v - k)
            factor = scale * dot(vector, other)
            for j in range(other.size):
                other[j] -= factor * vector[j]
    values[values.size - 1] = least
    return 0


@compiled
def _left(columns: Reals, sizes: Reals, i: int, k: int, n_v: int) -> float:
    """Square of what the first k reflections left of column i, relative to its size."""
    if k >= n_v or not sizes[i] > 0.0:
        return 0.0
    part = view(columns, i * n_v + k, n_v - k)
    return dot(part, part) / sizes[i]


@solve_solver
def cholesky_qr_solve(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals, right: Reals) -> int:
    """r := L⁻¹ r, λ = R⁻¹ R⁻ᵀ (Wᵀ r − s), a = L⁻ᵀ (r − W λ)."""
    n_v, n, own = plan[HEAD.N_V], plan[HEAD.N_LAM], own_part(plan)
    rank, order = own[QR.RANK], view(own, QR.ORDER, n)
    L, W, columns = _matrices(values, plan)
    diagonal, _, x = _vectors(values, plan)
    a, s = view(right, 0, n_v), view(right, n_v, n)
    solve_lower(L, n_v, a)
    # Column k of R, without its diagonal, stands in the first k places of column k.
    for k in range(rank):
        i = order[k]
        total = dot(view(W, i * n_v, n_v), a) - s[i]
        x[k] = (total - dot(view(columns, k * n_v, k), view(x, 0, k))) / diagonal[k]
    for k in range(rank - 1, -1, -1):
        x[k] /= diagonal[k]
        column, value = view(columns, k * n_v, k), x[k]
        for j in range(k):
            x[j] -= column[j] * value
    for k in range(rank):
        row, value = view(W, order[k] * n_v, n_v), x[k]
        for j in range(n_v):
            a[j] -= row[j] * value
    status = 0
    for k in range(rank, n):  # what these ask for must follow from the others
        i = order[k]
        row = view(W, i * n_v, n_v)
        left = abs(dot(row, a) - s[i])
        if not left <= _AGREE * (np.sqrt(dot(row, row) * dot(a, a)) + abs(s[i])):
            status = i + 1
        x[k] = 0.0
    for k in range(n):
        s[order[k]] = x[k]
    solve_upper(L, n_v, a)
    return status


def analyse_cholesky_qr(structure: Structure) -> Plan:
    n_v, n = structure.n_v, structure.n_lam
    own = [[0], np.zeros(n)]
    return plan_of("cholesky-qr", structure, own, n_v * n_v + 2 * n * n_v + 3 * n + 1)
