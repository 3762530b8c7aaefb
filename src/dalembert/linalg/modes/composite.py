"""The composite inertia matrix of relative coordinates, decomposed without fill (mode "composite").

D. Negrut, *On the implicit integration of differential-algebraic equations of multibody dynamics*, PhD thesis, The
University of Iowa, 1998, section 3.4.3: Algorithm 4, in the variant that leaves out zeros (Alg-S).

    [ M  Gᵀ ]   [ L   0 ] [ D    0 ] [ Lᵀ  V ]
    [ G  0  ] = [ Vᵀ  I ] [ 0   −S ] [ 0   I ],      M = L D Lᵀ,   L T = Gᵀ,   V = D⁻¹ T,   S = Tᵀ D⁻¹ T

which is (3.152), (3.153) without roots.  Bodies are renumbered from the leaves to the root, so that nothing fills
(Lemma 2), and T is zero outside of the subchains of cut joints (Lemma 3): :mod:`~dalembert.linalg.orders.family_order`.
For trees of up to :data:`CODED` multiplications code without loops is made
(:mod:`~dalembert.linalg.orders.family_code`); beyond it the loops here go over the same entries.  They make each column
of L from those behind it, (3.156), (3.157), so that families can be decomposed at the same time (Corollary 3) with the
same result to the last bit (:func:`factor_families`).

Where little is left of a pivot, solutions are held against their residuals and refined; one that stays bad is refused,
and a run then goes on with another mode.

Values of the loops: D⁻¹, D, L column by column, Tᵀ by rows, S and its factor by rows, diagonal of S, z of a solution; a
right-hand side, a residual and a correction; smallest relative pivot.  Values of the code: its factors, the same three
vectors, smallest relative pivot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.linalg.modes.cholesky_qr import cholesky, solve_lower, solve_upper
from dalembert.linalg.modes.composite_dense import SINGULAR, diagonal_of, least_left
from dalembert.linalg.orders.family_code import FamilyCode
from dalembert.linalg.orders.family_order import FamilyTree, constraints_at, family_tree
from dalembert.linalg.plan import DOUBTFUL, HEAD, Plan, Structure, own_part, plan_of, solves, with_starts
from dalembert.linalg.plan_code import code_key, functions_of, kept_code
from dalembert.linalg.solver import factor_solver, solve_solver
from dalembert.linalg.vector_operations import add, clear, copy
from dalembert.native.kernel import Ints, Reals, call_run, compiled, view
from dalembert.native.legend import Legend

COMPOSITE = Legend(
    'own part of a plan of the mode "composite"',
    KEY="key of the code, or 0 where loops serve",
    OFFSETS="starts of: places of what each program reads and writes; for loops what follows",
    N_L="entries of L below the diagonal",
    ORDER="start of: the coordinate at each place",
    DEPTHS="start of: entries of each column of L below the diagonal",
    SIZES="start of: members of each family",
    STARTS="start of: the first entry of each column of L",
    WAYS="start of: the rows of the entries of L",
    M_STARTS="start of: the first entry of M of each column, and their end",
    M_ENTRIES="start of: numbers of the entries of M, column by column of L",
    M_PLACES="start of: how far below the diagonal each of them stands",
    G_PLACES="start of: the place among the values of T of each entry of G",
    T_STARTS="start of: the first entry of each column of T, and their end",
    T_PLACES="start of: the places of the entries of T",
    X_STARTS="start of: the first constraint at each place, and their end",
    X_ROWS="start of: the constraints whose column of T is not zero at each place",
    sizes={"OFFSETS": 5},
)
FAMILY_RANGE = Legend("columns of a family", FIRST="the first one", LAST="the end, behind the last one")
FAMILY_PROGRAM = Legend(
    "programs of a family tree",
    MASSES="M = L D Lᵀ",
    CONSTRAINTS="L T = Gᵀ",
    REDUCED="S = Tᵀ D⁻¹ T and its decomposition",
    SOLUTION="accelerations and multipliers",
)
#: Up to so many multiplications (Algorithm 4) code without loops is made: it takes a second to compile.
CODED = 12_000


@compiled
def _list(own: Ints, which: int, size: int) -> Ints:
    return view(own, own[which], size)


@compiled
def _parts(values: Reals, plan: Ints) -> tuple[Reals, Reals, Reals, Reals, Reals, Reals]:
    """D⁻¹, D, L, Tᵀ, S, diagonal of S."""
    n, m, count = plan[HEAD.N_V], plan[HEAD.N_LAM], own_part(plan)[COMPOSITE.N_L]
    at = 2 * n + count
    return (
        view(values, 0, n), view(values, n, n), view(values, 2 * n, count), view(values, at, m * n),
        view(values, at + m * n, m * m), view(values, at + m * n + m * m, m),
    )  # fmt: skip


@compiled
def columns_of_L(values: Reals, plan: Ints, M: Reals, first: int, last: int) -> int:
    """Columns of L, (3.156), (3.157); those of their families must be there, or among them. 0, or 1 + the number of a
    column without a pivot."""
    n, own = plan[HEAD.N_V], own_part(plan)
    inverses, D, L, _, _, _ = _parts(values, plan)
    depths, sizes = _list(own, COMPOSITE.DEPTHS, n), _list(own, COMPOSITE.SIZES, n)
    starts, m_starts = _list(own, COMPOSITE.STARTS, n), _list(own, COMPOSITE.M_STARTS, n + 1)
    entries, places = _list(own, COMPOSITE.M_ENTRIES, m_starts[n]), _list(own, COMPOSITE.M_PLACES, m_starts[n])
    for j in range(first, last):
        depth = depths[j]
        column = view(L, starts[j], depth)
        for k in range(depth):
            column[k] = 0.0
        d = 0.0
        for k in range(m_starts[j], m_starts[j + 1]):
            if places[k]:
                column[places[k] - 1] = M[entries[k]]
            else:
                d = M[entries[k]]
        size = d
        for i in range(j - sizes[j] + 1, j):
            at = starts[i] + depths[i] - depth - 1  # row j of column i; what is below continues as column j
            below, u = view(L, at + 1, depth), L[at] * D[i]
            d -= L[at] * u
            for k in range(depth):
                column[k] -= below[k] * u
        if not (d > SINGULAR * size and d < np.inf):
            return j + 1
        D[j], inverses[j] = d, 1.0 / d
        for k in range(depth):
            column[k] *= inverses[j]
    return 0


@compiled
def columns_of_T(values: Reals, plan: Ints, G: Reals) -> None:
    """T by L T = Gᵀ (3.153), step 3.1."""
    n, m, own = plan[HEAD.N_V], plan[HEAD.N_LAM], own_part(plan)
    _, _, L, T, _, _ = _parts(values, plan)
    targets = _list(own, COMPOSITE.G_PLACES, G.size)
    clear(T)
    for k in range(G.size):
        T[targets[k]] = G[k]
    depths, starts = _list(own, COMPOSITE.DEPTHS, n), _list(own, COMPOSITE.STARTS, n)
    t_starts, ways = _list(own, COMPOSITE.T_STARTS, m + 1), _list(own, COMPOSITE.WAYS, L.size)
    t_places = _list(own, COMPOSITE.T_PLACES, t_starts[m])
    for r in range(m):
        row = view(T, r * n, n)
        for k in range(t_starts[r], t_starts[r + 1]):
            v = t_places[k]
            column, way, value = view(L, starts[v], depths[v]), view(ways, starts[v], depths[v]), row[v]
            for i in range(column.size):
                row[way[i]] -= column[i] * value


@compiled
def reduced_matrix(values: Reals, plan: Ints) -> None:
    """S = Tᵀ D⁻¹ T, step 3.3."""
    n, m, own = plan[HEAD.N_V], plan[HEAD.N_LAM], own_part(plan)
    inverses, _, _, T, S, diagonal = _parts(values, plan)
    x_starts = _list(own, COMPOSITE.X_STARTS, n + 1)
    x_rows = _list(own, COMPOSITE.X_ROWS, x_starts[n])
    clear(S)
    for v in range(n):
        crossing = view(x_rows, x_starts[v], x_starts[v + 1] - x_starts[v])
        for i in range(crossing.size):
            row = view(S, crossing[i] * m, m)
            scaled = T[crossing[i] * n + v] * inverses[v]
            for k in range(i + 1):
                row[crossing[k]] += scaled * T[crossing[k] * n + v]
    diagonal_of(S, m, diagonal)


@compiled
def decompose_reduced(values: Reals, plan: Ints) -> int:
    """S = K Kᵀ, of step 3.4; 0, or 1 + the number of a pivot that is not positive, coordinates counted first."""
    m = plan[HEAD.N_LAM]
    _, _, _, _, S, diagonal = _parts(values, plan)
    failed = cholesky(S, m)
    if failed:
        return plan[HEAD.N_V] + failed
    values[values.size - 1] = least_left(S, m, diagonal)
    return 0


@compiled
def _behind_L(values: Reals, plan: Ints, M: Reals, G: Reals) -> int:
    """All that is left when L is there."""
    columns_of_T(values, plan, G)
    reduced_matrix(values, plan)
    failed = decompose_reduced(values, plan)
    if not failed:
        _least_of_masses(values, plan, M)
    return failed


@compiled
def _least_of_masses(values: Reals, plan: Ints, M: Reals) -> None:
    """Also what is left of the masses counts as a pivot."""
    n, own = plan[HEAD.N_V], own_part(plan)
    _, D, _, _, _, _ = _parts(values, plan)
    m_starts = _list(own, COMPOSITE.M_STARTS, n + 1)
    entries, places = _list(own, COMPOSITE.M_ENTRIES, m_starts[n]), _list(own, COMPOSITE.M_PLACES, m_starts[n])
    for j in range(n):
        for k in range(m_starts[j], m_starts[j + 1]):
            if not places[k]:
                values[values.size - 1] = min(values[values.size - 1], D[j] / M[entries[k]])


@compiled
def _go(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, right: Reals, program: int) -> None:
    """One of the programs without loops."""
    own = own_part(plan)
    functions = functions_of(addresses, own[COMPOSITE.KEY], FAMILY_PROGRAM.end)
    start = own[COMPOSITE.OFFSETS + program]
    offsets = view(own, start, own[COMPOSITE.OFFSETS + program + 1] - start)
    call_run(functions[program], 1, offsets, M, G, right, right, values)


@factor_solver
def composite_factor(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    """Steps 1, 3.1, 3.3 and the decomposition of step 3.4."""
    if own_part(plan)[COMPOSITE.KEY]:
        for program in range(FAMILY_PROGRAM.SOLUTION):
            _go(values, plan, addresses, M, G, values, program)
        return 0 if values[values.size - 1] > SINGULAR else 1  # NaN too
    failed = columns_of_L(values, plan, M, 0, plan[HEAD.N_V])
    if failed:
        return failed
    return _behind_L(values, plan, M, G)


@compiled
def free_motion(values: Reals, plan: Ints, right: Reals) -> Reals:
    """z = D⁻¹ L⁻¹ r, step 2."""
    n, own = plan[HEAD.N_V], own_part(plan)
    inverses, _, L, _, _, _ = _parts(values, plan)
    order, depths = _list(own, COMPOSITE.ORDER, n), _list(own, COMPOSITE.DEPTHS, n)
    starts, ways = _list(own, COMPOSITE.STARTS, n), _list(own, COMPOSITE.WAYS, L.size)
    z = view(values, values.size - 1 - 3 * (n + plan[HEAD.N_LAM]) - n, n)
    for j in range(n):
        z[j] = right[order[j]]
    for j in range(n):
        column, way, value = view(L, starts[j], depths[j]), view(ways, starts[j], depths[j]), z[j]
        for k in range(column.size):
            z[way[k]] -= column[k] * value
        z[j] = value * inverses[j]
    return z


@compiled
def constraint_rates(values: Reals, plan: Ints, z: Reals, s: Reals) -> None:
    """s := Tᵀ z − s, step 3.2."""
    n, m, own = plan[HEAD.N_V], plan[HEAD.N_LAM], own_part(plan)
    _, _, _, T, _, _ = _parts(values, plan)
    t_starts = _list(own, COMPOSITE.T_STARTS, m + 1)
    t_places = _list(own, COMPOSITE.T_PLACES, t_starts[m])
    for r in range(m):
        row, total = view(T, r * n, n), -s[r]
        for k in range(t_starts[r], t_starts[r + 1]):
            total += row[t_places[k]] * z[t_places[k]]
        s[r] = total


@compiled
def constraint_forces(values: Reals, plan: Ints, s: Reals) -> None:
    """s := S⁻¹ s, the solution of step 3.4."""
    m = plan[HEAD.N_LAM]
    _, _, _, _, S, _ = _parts(values, plan)
    solve_lower(S, m, s)
    solve_upper(S, m, s)


@compiled
def pull(values: Reals, plan: Ints, s: Reals, z: Reals) -> None:
    """z −= D⁻¹ T s, step 3.5."""
    n, m, own = plan[HEAD.N_V], plan[HEAD.N_LAM], own_part(plan)
    inverses, _, _, T, _, _ = _parts(values, plan)
    t_starts = _list(own, COMPOSITE.T_STARTS, m + 1)
    t_places = _list(own, COMPOSITE.T_PLACES, t_starts[m])
    for r in range(m):
        row, value = view(T, r * n, n), s[r]
        for k in range(t_starts[r], t_starts[r + 1]):
            v = t_places[k]
            z[v] -= row[v] * value * inverses[v]


@compiled
def accelerations(values: Reals, plan: Ints, z: Reals, right: Reals) -> None:
    """L⁻ᵀ z in the places of the coordinates, step 4."""
    n, own = plan[HEAD.N_V], own_part(plan)
    _, _, L, _, _, _ = _parts(values, plan)
    order, depths = _list(own, COMPOSITE.ORDER, n), _list(own, COMPOSITE.DEPTHS, n)
    starts, ways = _list(own, COMPOSITE.STARTS, n), _list(own, COMPOSITE.WAYS, L.size)
    for j in range(n - 1, -1, -1):
        column, way, value = view(L, starts[j], depths[j]), view(ways, starts[j], depths[j]), z[j]
        for k in range(column.size):
            value -= column[k] * z[way[k]]
        z[j] = value
        right[order[j]] = value


@solve_solver
def composite_solve(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals, right: Reals) -> int:
    """Steps 2, 3.2, 3.4, 3.5 and 4; with small pivots the solution is checked, and refined if need be."""
    if values[values.size - 1] > DOUBTFUL:
        _substitute(values, plan, addresses, M, G, right)
        return 0
    n = right.size
    first = values.size - 1 - 3 * n
    given, residual, correction = view(values, first, n), view(values, first + n, n), view(values, first + 2 * n, n)
    copy(right, given)
    _substitute(values, plan, addresses, M, G, right)
    for _ in range(2):
        if solves(plan, M, G, F, right, given, residual):
            return 0
        copy(residual, correction)
        _substitute(values, plan, addresses, M, G, correction)
        add(correction, right)
    return 0 if solves(plan, M, G, F, right, given, residual) else 1


@compiled
def _substitute(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, right: Reals) -> None:
    """Replace a right-hand side by the solution as the factors give it."""
    if own_part(plan)[COMPOSITE.KEY]:
        _go(values, plan, addresses, M, G, right, FAMILY_PROGRAM.SOLUTION)
        return
    s = view(right, plan[HEAD.N_V], plan[HEAD.N_LAM])
    z = free_motion(values, plan, right)
    constraint_rates(values, plan, z, s)
    constraint_forces(values, plan, s)
    pull(values, plan, s, z)
    accelerations(values, plan, z, right)


# --------------------------------------------------------------------------------------------------- families at a time


@factor_solver
def _family(values: Reals, plan: Ints, columns: Ints, M: Reals, G: Reals, F: Reals) -> int:
    """The columns of L from the first to the second of two numbers."""
    return columns_of_L(values, plan, M, columns[FAMILY_RANGE.FIRST], columns[FAMILY_RANGE.LAST])


@factor_solver
def _behind_families(values: Reals, plan: Ints, columns: Ints, M: Reals, G: Reals, F: Reals) -> int:
    """What is left when L is there."""
    return _behind_L(values, plan, M, G)


def factor_families(
    values: NDArray[np.float64],
    plan: Plan,
    families: Iterable[range],
    M: NDArray[np.float64],
    G: NDArray[np.float64],
    each: Callable[..., Iterable[int]] = map,
) -> int:
    """The decomposition of :func:`composite_factor`, family by family (Corollary 3).

    ``families`` are those of :meth:`~dalembert.linalg.orders.family_order.FamilyTree.subtrees`; ``each`` is ``map``, or
    that of a pool of threads.  No sum is shared between families, so the result is the same to the last bit.  The plan
    must be one without code (:func:`analyse_composite` with ``coded=0``).
    """
    if own_part(plan.ints)[COMPOSITE.KEY]:
        raise ValueError(
            "the plan has code for all families together; make it by analyse_composite(structure, coded=0)"
        )
    none = np.zeros(0)

    def made(columns: range) -> int:
        return _family(values, plan.ints, np.array([columns.start, columns.stop]), M, G, none)

    listed = list(families)
    failed = [status for status in each(made, listed) if status]
    done = {place for columns in listed for place in columns}
    for place in range(int(plan.ints[HEAD.N_V])):
        if place not in done and not failed:
            failed = [status for status in (made(range(place, place + 1)),) if status]
    if failed:
        return failed[0]
    return _behind_families(values, plan.ints, np.zeros(0, dtype=np.int64), M, G, none)


# ------------------------------------------------------------------------------------------------------------- analysis


def has_code(structure: Structure) -> bool:
    """Whether code without loops is made for a structure."""
    return bool(structure.n_v) and _multiplications(family_tree(structure)) <= CODED


def _multiplications(tree: FamilyTree) -> int:
    return sum(step.multiplications for step in tree.operations().values())


def analyse_composite(structure: Structure, coded: int = CODED) -> Plan:
    """Order, zeros, and code or lists; ``coded``: up to so many multiplications code is made."""
    tree = family_tree(structure)
    n, m = structure.n_v, structure.n_lam
    if n and _multiplications(tree) <= coded:
        key = code_key(("composite", n, m, *(list(map(int, part)) for part in _described(structure))))
        code = FamilyCode(structure, tree)
        plan = plan_of("composite", structure, with_starts([key], [*code.offsets, []]), code.n_values)
        return plan._replace(code=kept_code(key, code.functions))
    return plan_of("composite", structure, *_loop_lists(structure, tree))


def _described(structure: Structure) -> list[Any]:
    return [part for pattern in (structure.M, structure.G) for part in (pattern.rows, pattern.columns)]


def _loop_lists(structure: Structure, tree: FamilyTree) -> tuple[list[Any], int]:
    """Lists of the loops, and the number of their values."""
    n, m = structure.n_v, structure.n_lam
    place = {coordinate: k for k, coordinate in enumerate(tree.order)}
    depths, ways = tree.depths, [tree.way(k) for k in range(n)]
    below: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    for k, (i, j) in enumerate(zip(structure.M.rows.tolist(), structure.M.columns.tolist(), strict=True)):
        row, column = place[i], place[j]
        if row >= column:
            below[column].append((k, 0 if row == column else 1 + ways[column].index(row)))
    reached, crossing = tree.reached(), constraints_at(tree)
    g_places = [i * n + place[j] for i, j in zip(structure.G.rows.tolist(), structure.G.columns.tolist(), strict=True)]
    lists = [
        tree.order, depths, tree.sizes, _starts(ways)[:-1], _flat(ways), _starts(below),
        [k for column in below for k, _ in column], [at for column in below for _, at in column], g_places,
        _starts(reached), _flat(reached), _starts(crossing), _flat(crossing),
    ]  # fmt: skip
    entries = sum(depths)
    own = with_starts([0] * (COMPOSITE.OFFSETS + 5) + [entries], lists)
    return own, 2 * n + entries + m * n + m * m + m + n + 3 * (n + m) + 1


def _starts(lists: Iterable[list[Any]]) -> list[int]:
    found = [0]
    for part in lists:
        found.append(found[-1] + len(part))
    return found


def _flat(lists: Iterable[list[int]]) -> list[int]:
    return [number for part in lists for number in part]
