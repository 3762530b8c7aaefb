"""Block elimination to minimal form (mexx (3.3), (3.4)).

Some of the coordinates, y, are given by the others, z, through the constraints: with G = (K, J), K invertible,

    a = (y, z):    y = K⁻¹ (s − J z),    A z = b,    A = Nᵀ M N,   b = Nᵀ (r − M a₀)
    N = ( −K⁻¹ J )         a₀ = ( K⁻¹ s )         λ = K⁻ᵀ (r − M a)_y
        (    I   )              (   0   )

A is the mass matrix in the minimal coordinates z.  M may be singular, also where constraints do not see it; with
friction the rows of the equations of motion are combined by N' of Gᵀ − F instead of N.

Which coordinates are y is chosen by elimination with pivots from all of G, in the first factorisation, and kept until K
goes bad: until an entry of K⁻¹ J has grown by :data:`_GROWTH` since the choice.  Then it is chosen anew, and
``plan[HEAD.TROUBLES]`` counts it.  Redundant constraints have no pivot; they get no force, and whatever they ask for
must follow from the others.

Matrices are full.  Own lists: rank; coordinates, y first, and their places; constraints, independent ones first, and
their places; pivots of K, of K with friction, of A.  Values: K, K with friction, N and N' without their unit matrices,
A, G while it is eliminated, three vectors, the limit of growth, the smallest relative pivot (not told here: 1).
"""

from __future__ import annotations

import numpy as np

from dalembert.linalg.factors.dense_lu import lu_factor_rows, lu_solve_rows, lu_solve_transposed
from dalembert.linalg.modes.cholesky_qr import dot
from dalembert.linalg.plan import (
    HEAD,
    History,
    Plan,
    Structure,
    own_part,
    pattern_of_F,
    pattern_of_G,
    pattern_of_M,
    plan_of,
)
from dalembert.linalg.solver import factor_solver, solve_solver
from dalembert.linalg.vector_operations import larger
from dalembert.native.kernel import Ints, Reals, compiled, view
from dalembert.native.legend import Legend

MINIMAL = Legend(
    'own part of a plan of the mode "minimal"',
    RANK="number of independent constraints, −1 while nothing is chosen",
    LISTS="orders, places and pivots",
)
#: Growth of an entry of K⁻¹ J at which the choice of coordinates is made anew.
_GROWTH = 10.0
#: What must be left of a constraint, relative to its size, for it to be independent of the others.
_INDEPENDENT = 1e-11
#: Relative error up to which redundant constraints agree.
_AGREE = 1e-7


@compiled
def _coordinates(plan: Ints) -> tuple[Ints, Ints]:
    """Coordinates in their order, and the place of each."""
    n_v, own = plan[HEAD.N_V], own_part(plan)
    return view(own, MINIMAL.LISTS, n_v), view(own, MINIMAL.LISTS + n_v, n_v)


@compiled
def _constraints(plan: Ints) -> tuple[Ints, Ints]:
    """Constraints in their order, and the place of each."""
    n_v, n, own = plan[HEAD.N_V], plan[HEAD.N_LAM], own_part(plan)
    first = MINIMAL.LISTS + 2 * n_v
    return view(own, first, n), view(own, first + n, n)


@compiled
def _pivots(plan: Ints) -> tuple[Ints, Ints, Ints]:
    """Of K, of K with friction and of A."""
    n_v, n, own = plan[HEAD.N_V], plan[HEAD.N_LAM], own_part(plan)
    first = MINIMAL.LISTS + 2 * n_v + 2 * n
    return view(own, first, n), view(own, first + n, n), view(own, first + 2 * n, n_v)


@compiled
def _matrices(values: Reals, plan: Ints) -> tuple[Reals, Reals, Reals, Reals, Reals]:
    """K, N, both with friction, and A; N has one row for each of z."""
    n_v, n, rank = plan[HEAD.N_V], plan[HEAD.N_LAM], own_part(plan)[MINIMAL.RANK]
    free, first = n_v - rank, 2 * n * n
    return (
        view(values, 0, rank * rank), view(values, first, free * rank), view(values, n * n, rank * rank),
        view(values, first + n * n_v, free * rank), view(values, first + 2 * n * n_v, free * free),
    )  # fmt: skip


@compiled
def _eliminated(values: Reals, plan: Ints) -> Reals:
    """G by rows while coordinates are chosen."""
    n_v, n = plan[HEAD.N_V], plan[HEAD.N_LAM]
    return view(values, 2 * n * n + 2 * n * n_v + n_v * n_v, n * n_v)


@compiled
def _limit(values: Reals) -> Reals:
    """Of the entries of K⁻¹ J, one value."""
    return view(values, values.size - 2, 1)


@compiled
def _vectors(values: Reals, plan: Ints) -> tuple[Reals, Reals, Reals]:
    n_v = plan[HEAD.N_V]
    first = values.size - 2 - 3 * n_v
    return view(values, first, n_v), view(values, first + n_v, n_v), view(values, first + 2 * n_v, n_v)


@compiled
def _choose(values: Reals, plan: Ints, G: Reals) -> int:
    """Elimination on G with pivots from all rows and columns; sets rank and orders."""
    n_v, n = plan[HEAD.N_V], plan[HEAD.N_LAM]
    coordinates, coordinate_places = _coordinates(plan)
    constraints, constraint_places = _constraints(plan)
    full = _eliminated(values, plan)
    failed = _fill_scaled(full, plan, G)
    if failed:
        return failed
    for i in range(n_v):
        coordinates[i] = i
    for i in range(n):
        constraints[i] = i
    rank = 0
    for _ in range(n):
        if not _take_largest(full, rank, constraints, coordinates):
            break
        rank += 1
    own_part(plan)[MINIMAL.RANK] = rank
    for k in range(n_v):
        coordinate_places[coordinates[k]] = k
    for k in range(n):
        constraint_places[constraints[k]] = k
    return 0


@compiled
def _fill_scaled(full: Reals, plan: Ints, G: Reals) -> int:
    """G by rows of length 1, as they may be in different units; 0, or 1 + the number of a row that is not finite."""
    n_v = plan[HEAD.N_V]
    for k in range(full.size):
        full[k] = 0.0
    rows, columns = pattern_of_G(plan)
    for k in range(G.size):
        full[rows[k] * n_v + columns[k]] = G[k]
    for i in range(plan[HEAD.N_LAM]):
        row = view(full, i * n_v, n_v)
        size = np.sqrt(dot(row, row))
        if not size < np.inf:
            return i + 1
        scale = 1.0 / size if size > 0.0 else 0.0
        for j in range(n_v):
            row[j] *= scale
    return 0


@compiled
def _take_largest(full: Reals, k: int, constraints: Ints, coordinates: Ints) -> bool:
    """Eliminate with the largest entry that is left after k pivots; whether there is one."""
    n, n_v = constraints.size, coordinates.size
    best_row, best_column, largest = k, k, 0.0
    for i in range(k, n):
        for j in range(k, n_v):
            if abs(full[i * n_v + j]) > largest:
                best_row, best_column, largest = i, j, abs(full[i * n_v + j])
    if largest <= _INDEPENDENT:
        return False
    constraints[k], constraints[best_row] = constraints[best_row], constraints[k]
    coordinates[k], coordinates[best_column] = coordinates[best_column], coordinates[k]
    upper, row = view(full, k * n_v, n_v), view(full, best_row * n_v, n_v)
    for j in range(n_v):
        upper[j], row[j] = row[j], upper[j]
    for i in range(n):
        full[i * n_v + k], full[i * n_v + best_column] = full[i * n_v + best_column], full[i * n_v + k]
    for i in range(k + 1, n):
        factor = full[i * n_v + k] / upper[k]
        if factor != 0.0:
            row = view(full, i * n_v, n_v)
            for j in range(k, n_v):
                row[j] -= factor * upper[j]
    return True


@compiled
def _null_space(plan: Ints, G: Reals, F: Reals, K: Reals, N: Reals, pivots: Ints) -> int:
    """K, factorised, and −K⁻¹ J of G − Fᵀ."""
    rank = own_part(plan)[MINIMAL.RANK]
    _, places = _coordinates(plan)
    _, constraint_places = _constraints(plan)
    for k in range(K.size):
        K[k] = 0.0
    for k in range(N.size):
        N[k] = 0.0
    rows, columns = pattern_of_G(plan)
    for k in range(G.size):
        _put(K, N, rank, constraint_places[rows[k]], places[columns[k]], G[k])
    rows, columns = pattern_of_F(plan)
    for k in range(F.size):
        _put(K, N, rank, constraint_places[columns[k]], places[rows[k]], -F[k])
    failed = lu_factor_rows(K, rank, pivots)
    if failed:
        return failed
    for first in range(0, N.size, max(rank, 1)):
        row = view(N, first, rank)
        lu_solve_rows(K, rank, pivots, row)
        for j in range(rank):
            row[j] = -row[j]
    return 0


@compiled
def _put(K: Reals, N: Reals, rank: int, i: int, j: int, value: float) -> None:
    if i < rank:
        if j < rank:
            K[i * rank + j] += value
        else:
            N[(j - rank) * rank + i] += value


@factor_solver
def minimal_factor(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    """K and A, with a new choice of coordinates where the old one has gone bad."""
    own = own_part(plan)
    values[values.size - 1] = 1.0
    if own[MINIMAL.RANK] >= 0:
        if not _reduce(values, plan, M, G, F, False):
            return 0
        plan[HEAD.TROUBLES] += 1
    failed = _choose(values, plan, G)
    if not failed:
        failed = _reduce(values, plan, M, G, F, True)
    if failed:
        own[MINIMAL.RANK] = -1
    return failed


@compiled
def _reduce(values: Reals, plan: Ints, M: Reals, G: Reals, F: Reals, chosen: bool) -> int:
    """K, N and A = N'ᵀ M N for the coordinates as they are."""
    rank = own_part(plan)[MINIMAL.RANK]
    K, N, friction_K, friction_N, A = _matrices(values, plan)
    pivots, friction_pivots, A_pivots = _pivots(plan)
    failed = _null_space(plan, G, view(F, 0, 0), K, N, pivots)
    if failed:
        return failed
    largest = 0.0
    for k in range(N.size):
        largest = larger(largest, abs(N[k]))
    limit = _limit(values)
    if chosen:
        limit[0] = _GROWTH * max(largest, 1.0)
    if not largest <= limit[0]:
        return rank + 1
    combine = N
    if F.size:
        failed = _null_space(plan, G, F, friction_K, friction_N, friction_pivots)
        if failed:
            return failed
        combine = friction_N
    column, _, _ = _vectors(values, plan)
    _, places = _coordinates(plan)
    rows, columns = pattern_of_M(plan)
    free = column.size - rank
    y = view(column, 0, rank)
    for k in range(free):  # column k of M N, then of A
        for i in range(column.size):
            column[i] = 0.0
        row = view(N, k * rank, rank)
        for l in range(M.size):
            place = places[columns[l]]
            if place < rank:
                column[places[rows[l]]] += M[l] * row[place]
            elif place == rank + k:
                column[places[rows[l]]] += M[l]
        for i in range(free):
            A[i * free + k] = column[rank + i] + dot(view(combine, i * rank, rank), y)
    return lu_factor_rows(A, free, A_pivots)


@compiled
def _rest_of_motion(plan: Ints, M: Reals, right: Reals, a: Reals, rest: Reals) -> None:
    """rest = r − M a; a and rest in the order of the coordinates."""
    coordinates, places = _coordinates(plan)
    for k in range(a.size):
        rest[k] = right[coordinates[k]]
    rows, columns = pattern_of_M(plan)
    for l in range(M.size):
        rest[places[rows[l]]] -= M[l] * a[places[columns[l]]]


@solve_solver
def minimal_solve(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals, right: Reals) -> int:
    """z from A z = b, then y and λ."""
    n_v, n, rank = plan[HEAD.N_V], plan[HEAD.N_LAM], own_part(plan)[MINIMAL.RANK]
    K, N, friction_K, friction_N, A = _matrices(values, plan)
    pivots, friction_pivots, A_pivots = _pivots(plan)
    coordinates, _ = _coordinates(plan)
    constraints, _ = _constraints(plan)
    a, rest, z = _vectors(values, plan)
    free = n_v - rank
    combine = friction_N if F.size else N
    y, s = view(a, 0, rank), view(right, n_v, n)
    for k in range(n_v):
        a[k] = s[constraints[k]] if k < rank else 0.0
    lu_solve_rows(K, rank, pivots, y)
    _rest_of_motion(plan, M, right, a, rest)
    for k in range(free):
        z[k] = rest[rank + k] + dot(view(combine, k * rank, rank), view(rest, 0, rank))
    lu_solve_rows(A, free, A_pivots, z)
    for k in range(free):
        row, value = view(N, k * rank, rank), z[k]
        for j in range(rank):
            y[j] += row[j] * value
        a[rank + k] = value
    _rest_of_motion(plan, M, right, a, rest)
    if F.size:
        lu_solve_transposed(friction_K, rank, friction_pivots, rest)
    else:
        lu_solve_transposed(K, rank, pivots, rest)
    for k in range(n_v):
        right[coordinates[k]] = a[k]
    contradiction = 0 if rank == n else _contradiction(plan, G, right)
    for k in range(n):
        s[constraints[k]] = rest[k] if k < rank else 0.0
    return contradiction


@compiled
def _contradiction(plan: Ints, G: Reals, right: Reals) -> int:
    """Whether redundant constraints ask for something else than the others: 1 + the number of one, or 0."""
    n_v, n, rank = plan[HEAD.N_V], plan[HEAD.N_LAM], own_part(plan)[MINIMAL.RANK]
    constraints, _ = _constraints(plan)
    rows, columns = pattern_of_G(plan)
    for k in range(rank, n):
        i = constraints[k]
        total, size = -right[n_v + i], abs(right[n_v + i])
        for l in range(G.size):
            if rows[l] == i:
                product = G[l] * right[columns[l]]
                total += product
                size += abs(product)
        if not abs(total) <= _AGREE * size:
            return i + 1
    return 0


def analyse_minimal(structure: Structure) -> Plan:
    n_v, n = structure.n_v, structure.n_lam
    own = [[-1], np.zeros(3 * n_v + 4 * n)]
    size = 2 * n * n + 3 * n * n_v + n_v * n_v + 3 * n_v + 2
    plan = plan_of("minimal", structure, own, size)
    at = int(plan.ints[HEAD.OWN])
    lists = at + MINIMAL.LISTS
    choice = (  # rank; orders and places of coordinates and of constraints
        History(at + MINIMAL.RANK, 1, -1, min(n, n_v)), History(lists, 2 * n_v, 0, n_v - 1),
        History(lists + 2 * n_v, 2 * n, 0, n - 1),
    )  # fmt: skip
    return plan._replace(history=choice)
