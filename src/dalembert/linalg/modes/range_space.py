"""Constrained motion by its constraint forces (mexx (3.18)): for diagonal or block-diagonal M the matrix S = G M⁻¹ Gᵀ
is small and as sparse as the joints.

    S λ = G M⁻¹ r − s,      a = M⁻¹ (r − Gᵀλ)      solve      M a + Gᵀλ = r,   G a = s

S is positive definite where G has full rank, so L D Lᵀ needs no pivoting, and its order is chosen for low fill alone.
Both the assembly of S, column of G by column of G (or body by body, with L⁻¹ of its block of M), and its factorisation,
column by column, are sums of small outer products whose targets are known: lists made once by
:func:`analyse_range_space`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dalembert.linalg.factors.blocks import (
    BLOCKS,
    LARGEST,
    analyse_blocks,
    block_bounds,
    blocks_factor,
    blocks_solve,
)
from dalembert.linalg.modes.cholesky_qr import solve_lower
from dalembert.linalg.orders.order import pivot_order
from dalembert.linalg.plan import Plan, Structure, joined, own_part, plan_of, with_starts
from dalembert.linalg.solver import factor_solver, solve_solver
from dalembert.native.kernel import Ints, Reals, compiled, view
from dalembert.native.legend import Legend

SCHUR = Legend(
    "plan of S = G M⁻¹ Gᵀ",
    N_V="number of velocities",
    N_LAM="number of multipliers",
    BELOW="entries of L below the diagonal",
    N_PRODUCTS="products that S is assembled from",
    N_UPDATES="products of the elimination",
    G_ROWS="start of: rows of the entries of G, in the order of the pivots",
    G_COLUMNS="start of: their columns",
    ASSEMBLY="start of: where the products that make S go",
    STARTS="start of: the first entry of each column of G, and their end",
    L_STARTS="start of: the first entry of each column of L, and their end",
    L_ROWS="start of: the rows of the entries of L",
    UPDATES="start of: where the products of the elimination go",
    ORDER="start of: the constraint of each pivot",
)
RANGE = Legend(
    'own part of a plan of the mode "range"',
    BLOCKS="whether M has blocks of more than one coordinate",
    PANEL="first value of the panel, rows of G of one block; those of the blocks of M stand before it",
    WORK="first value of the work of one block",
    S="start of: the plan of S",
    M="start of: the plan of the blocks",
    TOUCHED="start of: how many constraints take hold of each block",
    IN_PANEL="start of: entries of G block by block: their places in the panel",
    ENTRIES="start of: their numbers in G",
    ENTRY_STARTS="start of: the first of each block, and their end",
)
# Values: diagonal of S, then D⁻¹ (n_lam), entries of L, M⁻¹ or M⁻¹ r (n_v), limits of the pivots, then forces (n_lam);
# for blocks L of M, a panel, work; smallest relative pivot.


@compiled
def schur_parts(values: Reals, plan: Ints) -> tuple[Reals, Reals, Reals, Reals]:
    """Diagonal, entries of L, a vector of the size of v and one of the size of λ."""
    n_v, n, below = plan[SCHUR.N_V], plan[SCHUR.N_LAM], plan[SCHUR.BELOW]
    return (
        view(values, 0, n), view(values, n, below), view(values, n + below, n_v), view(values, n + below + n_v, n)
    )  # fmt: skip


@compiled
def _clear(values: Reals, plan: Ints) -> None:
    """Make room for S."""
    for k in range(plan[SCHUR.N_LAM] + plan[SCHUR.BELOW]):
        values[k] = 0.0


@compiled
def range_factor(values: Reals, plan: Ints, M: Reals, G: Reals) -> int:
    """Assemble S and factorise it; 0, or 1 + the number of a pivot that is not positive.

    The last value is what is left of the diagonal where least is: small where constraints are about to lose rank.
    """
    _assemble_columns(values, plan, M, G)
    return _ldl_factor(values, plan)


@compiled
def _assemble_columns(values: Reals, plan: Ints, M: Reals, G: Reals) -> None:
    """S as a sum over the columns of G, for diagonal M; M⁻¹ is kept."""
    n_v = plan[SCHUR.N_V]
    _, _, inverse, _ = schur_parts(values, plan)
    _clear(values, plan)
    # Columns are short, so loops over them cost more than what they do: the usual lengths are written out, here and
    # below.
    columns = view(plan, plan[SCHUR.STARTS], n_v + 1)
    targets = view(plan, plan[SCHUR.ASSEMBLY], plan[SCHUR.N_PRODUCTS])
    at = 0
    for j in range(n_v):
        weight = 1.0 / M[j]
        inverse[j] = weight
        first, count = columns[j], columns[j + 1] - columns[j]
        if count == 2:
            x, y = G[first], G[first + 1]
            values[targets[at]] += x * x * weight
            values[targets[at + 1]] += y * x * weight
            values[targets[at + 2]] += y * y * weight
        elif count == 4:
            x, y, z, w = G[first], G[first + 1], G[first + 2], G[first + 3]
            values[targets[at]] += x * x * weight
            values[targets[at + 1]] += y * x * weight
            values[targets[at + 2]] += y * y * weight
            values[targets[at + 3]] += z * x * weight
            values[targets[at + 4]] += z * y * weight
            values[targets[at + 5]] += z * z * weight
            values[targets[at + 6]] += w * x * weight
            values[targets[at + 7]] += w * y * weight
            values[targets[at + 8]] += w * z * weight
            values[targets[at + 9]] += w * w * weight
        else:
            target = at
            for k in range(first, first + count):
                scaled = G[k] * weight
                for l in range(first, k + 1):
                    values[targets[target]] += scaled * G[l]
                    target += 1
        at += count * (count + 1) // 2


@compiled
def _ldl_factor(values: Reals, plan: Ints) -> int:
    n = plan[SCHUR.N_LAM]
    # What is left of a pivot is seen from its own row: constraints come in different units.
    diagonal, lower, _, smallest = schur_parts(values, plan)
    for k in range(n):
        smallest[k] = 1e-15 * diagonal[k]
    starts, updates = view(plan, plan[SCHUR.L_STARTS], n + 1), view(plan, plan[SCHUR.UPDATES], plan[SCHUR.N_UPDATES])
    at = 0
    least = 1e15
    for k in range(n):
        pivot = diagonal[k]
        if not pivot > smallest[k]:
            return k + 1
        least = min(least, pivot / smallest[k])
        pivot = 1.0 / pivot
        diagonal[k] = pivot
        first, count = starts[k], starts[k + 1] - starts[k]
        if count == 1:
            x = lower[first]
            values[updates[at]] -= x * x * pivot
            lower[first] = x * pivot
        elif count == 2:
            x, y = lower[first], lower[first + 1]
            values[updates[at]] -= x * x * pivot
            values[updates[at + 1]] -= y * x * pivot
            values[updates[at + 2]] -= y * y * pivot
            lower[first], lower[first + 1] = x * pivot, y * pivot
        elif count == 3:
            x, y, z = lower[first], lower[first + 1], lower[first + 2]
            values[updates[at]] -= x * x * pivot
            values[updates[at + 1]] -= y * x * pivot
            values[updates[at + 2]] -= y * y * pivot
            values[updates[at + 3]] -= z * x * pivot
            values[updates[at + 4]] -= z * y * pivot
            values[updates[at + 5]] -= z * z * pivot
            lower[first], lower[first + 1], lower[first + 2] = x * pivot, y * pivot, z * pivot
        else:
            target = at
            for a in range(first, first + count):
                scaled = lower[a] * pivot
                for b in range(first, a + 1):
                    values[updates[target]] -= scaled * lower[b]
                    target += 1
            for a in range(first, first + count):
                lower[a] *= pivot
        at += count * (count + 1) // 2
    values[values.size - 1] = 1e-15 * least
    return 0


@compiled
def range_solve(values: Reals, plan: Ints, G: Reals, right: Reals) -> None:
    """Replace (r, s) by (a, λ)."""
    _reduce_columns(values, plan, G, right)
    _ldl_solve(values, plan, right)
    _recover_columns(values, plan, G, right)


@compiled
def _reduce_columns(values: Reals, plan: Ints, G: Reals, right: Reals) -> None:
    """The right-hand side G M⁻¹ r − s of S, in the order of the pivots, for diagonal M."""
    n_v, n = plan[SCHUR.N_V], plan[SCHUR.N_LAM]
    _, _, inverse, x = schur_parts(values, plan)
    g_rows, g_columns, order = pattern_of_pivots(plan, G.size)
    for k in range(n):
        x[k] = -right[n_v + order[k]]
    for k in range(G.size):
        j = g_columns[k]
        x[g_rows[k]] += G[k] * (right[j] * inverse[j])


@compiled
def _recover_columns(values: Reals, plan: Ints, G: Reals, right: Reals) -> None:
    """a = M⁻¹ (r − Gᵀλ), for diagonal M."""
    _, _, inverse, x = schur_parts(values, plan)
    g_rows, g_columns, _ = pattern_of_pivots(plan, G.size)
    for k in range(G.size):
        right[g_columns[k]] -= G[k] * x[g_rows[k]]
    for j in range(plan[SCHUR.N_V]):
        right[j] *= inverse[j]


@compiled
def _ldl_solve(values: Reals, plan: Ints, right: Reals) -> None:
    """S λ = x, in the order of the pivots; λ also goes to its place in ``right``."""
    n_v, n = plan[SCHUR.N_V], plan[SCHUR.N_LAM]
    diagonal, lower, _, x = schur_parts(values, plan)
    starts, l_rows = view(plan, plan[SCHUR.L_STARTS], n + 1), view(plan, plan[SCHUR.L_ROWS], plan[SCHUR.BELOW])
    order = view(plan, plan[SCHUR.ORDER], n)
    for k in range(n):
        value, first, count = x[k], starts[k], starts[k + 1] - starts[k]
        if count == 2:
            x[l_rows[first]] -= lower[first] * value
            x[l_rows[first + 1]] -= lower[first + 1] * value
        elif count == 3:
            x[l_rows[first]] -= lower[first] * value
            x[l_rows[first + 1]] -= lower[first + 1] * value
            x[l_rows[first + 2]] -= lower[first + 2] * value
        else:
            for a in range(first, first + count):
                x[l_rows[a]] -= lower[a] * value
    for k in range(n - 1, -1, -1):
        value, first, count = x[k] * diagonal[k], starts[k], starts[k + 1] - starts[k]
        if count == 2:
            value -= lower[first] * x[l_rows[first]] + lower[first + 1] * x[l_rows[first + 1]]
        elif count == 3:
            value -= lower[first] * x[l_rows[first]] + lower[first + 1] * x[l_rows[first + 1]]
            value -= lower[first + 2] * x[l_rows[first + 2]]
        else:
            for a in range(first, first + count):
                value -= lower[a] * x[l_rows[a]]
        x[k] = value
        right[n_v + order[k]] = value


@compiled
def schur_plan(own: Ints) -> Ints:
    """The plan of S."""
    return view(own, own[RANGE.S], own[RANGE.M] - own[RANGE.S])


@compiled
def _blocks(values: Reals, own: Ints) -> tuple[Ints, Reals]:
    """The plan of the blocks of M, and their values."""
    plan = view(own, own[RANGE.M], own[RANGE.TOUCHED] - own[RANGE.M])
    return plan, view(values, own[RANGE.PANEL] - plan[BLOCKS.N_VALUES], plan[BLOCKS.N_VALUES])


@compiled
def _assemble_blocks(values: Reals, own: Ints, G: Reals) -> None:
    """S as a sum over bodies: of the rows W = L⁻¹ Gᵀ of a body, all products."""
    plan, (blocks, masses) = schur_plan(own), _blocks(values, own)
    count = blocks[BLOCKS.COUNT]
    firsts, starts = block_bounds(blocks)
    touched = view(own, own[RANGE.TOUCHED], count)
    entry_starts = view(own, own[RANGE.ENTRY_STARTS], count + 1)
    entries, in_panel = view(own, own[RANGE.ENTRIES], G.size), view(own, own[RANGE.IN_PANEL], G.size)
    targets = view(plan, plan[SCHUR.ASSEMBLY], plan[SCHUR.N_PRODUCTS])
    panel = view(values, own[RANGE.PANEL], own[RANGE.WORK] - own[RANGE.PANEL])
    _clear(values, plan)
    at = 0
    for b in range(count):
        size, rows = firsts[b + 1] - firsts[b], touched[b]
        L = view(masses, starts[b], size * size)
        for k in range(size * rows):
            panel[k] = 0.0
        for k in range(entry_starts[b], entry_starts[b + 1]):
            panel[in_panel[k]] = G[entries[k]]
        for i in range(rows):
            row = view(panel, i * size, size)
            solve_lower(L, size, row)
            for j in range(i + 1):
                other = view(panel, j * size, size)
                total = 0.0
                for k in range(size):
                    total += row[k] * other[k]
                values[targets[at]] += total
                at += 1


@compiled
def assemble_schur(values: Reals, own: Ints, M: Reals, G: Reals) -> int:
    """S of a plan of the mode; 0, or 1 + the number of a block of M that is not positive definite."""
    if not own[RANGE.BLOCKS]:
        _assemble_columns(values, schur_plan(own), M, G)
        return 0
    blocks, masses = _blocks(values, own)
    failed = blocks_factor(masses, blocks, M)
    if not failed:
        _assemble_blocks(values, own, G)
    return failed


@compiled
def reduce_right(values: Reals, own: Ints, G: Reals, right: Reals) -> None:
    """The right-hand side of S λ = G M⁻¹ r − s, in the order of the pivots."""
    plan = schur_plan(own)
    if not own[RANGE.BLOCKS]:
        _reduce_columns(values, plan, G, right)
        return
    blocks, masses = _blocks(values, own)
    n_v, n = plan[SCHUR.N_V], plan[SCHUR.N_LAM]
    _, _, free, x = schur_parts(values, plan)
    g_rows, g_columns, order = pattern_of_pivots(plan, G.size)
    for j in range(n_v):
        free[j] = right[j]
    blocks_solve(masses, blocks, free, view(values, own[RANGE.WORK], LARGEST))
    for k in range(n):
        x[k] = -right[n_v + order[k]]
    for k in range(G.size):
        x[g_rows[k]] += G[k] * free[g_columns[k]]


@compiled
def recover_motion(values: Reals, own: Ints, G: Reals, right: Reals) -> None:
    """a = M⁻¹ (r − Gᵀλ) from the solution in the order of the pivots."""
    plan = schur_plan(own)
    if not own[RANGE.BLOCKS]:
        _recover_columns(values, plan, G, right)
        return
    blocks, masses = _blocks(values, own)
    _, _, _, x = schur_parts(values, plan)
    g_rows, g_columns, _ = pattern_of_pivots(plan, G.size)
    for k in range(G.size):
        right[g_columns[k]] -= G[k] * x[g_rows[k]]
    blocks_solve(masses, blocks, view(right, 0, plan[SCHUR.N_V]), view(values, own[RANGE.WORK], LARGEST))


@factor_solver
def range_space_factor(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    """The mode "range" of :mod:`~dalembert.linalg.saddle`."""
    own = own_part(plan)
    failed = 0
    if own[RANGE.BLOCKS]:
        failed = assemble_schur(values, own, M, G)
    else:  # the same as behind one more call, which costs two per cent
        _assemble_columns(values, schur_plan(own), M, G)
    return failed if failed else _ldl_factor(values, schur_plan(own))


@solve_solver
def range_space_solve(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals, right: Reals) -> int:
    """With the factors of :func:`range_space_factor`."""
    own = own_part(plan)
    reduce_right(values, own, G, right)
    _ldl_solve(values, schur_plan(own), right)
    recover_motion(values, own, G, right)
    return 0


@compiled
def pattern_of_pivots(plan: Ints, entries: int) -> tuple[Ints, Ints, Ints]:
    """Rows of the entries of G in the order of the pivots, their columns, the order."""
    return (
        view(plan, plan[SCHUR.G_ROWS], entries), view(plan, plan[SCHUR.G_COLUMNS], entries),
        view(plan, plan[SCHUR.ORDER], plan[SCHUR.N_LAM]),
    )  # fmt: skip


class Lower(NamedTuple):
    """How S shall be eliminated: order of the constraints, entries below the diagonal that are stored, place of each
    entry among the values; lists of a sparse elimination, where it is one: starts of the columns, rows, targets."""

    order: list[int]
    below: int
    where: dict[tuple[int, int], int]
    starts: list[int]
    rows: list[int]
    updates: list[int]


def analyse_range(structure: Structure) -> Plan:
    """Plan of the mode: of S, and of the blocks of M unless they are single coordinates."""
    lists, value_size = reduced_lists(structure, _sparse_lower)
    return plan_of("range", structure, lists, value_size)


def reduced_lists(
    structure: Structure, lower: Callable[[list[set[int]]], Lower], *more: Any, room: int = 0
) -> tuple[list[Any], int]:
    """Own lists of a mode that solves by S, and the number of its values; ``more`` lists of its own, and ``room`` for
    further values behind the others, in front of the last one."""
    n_v, n_lam, M, G, _, _ = structure
    blocks = structure.blocks()
    if max(map(len, blocks), default=1) == 1:
        inner = analyse_range_space(n_v, n_lam, G.rows, G.columns, lower=lower)
        end = range_value_size(inner) - 1
        return with_starts([0, end, end], [inner, [], [], [], [], [], *more]), end + room + 1
    inner = analyse_range_space(n_v, n_lam, G.rows, G.columns, blocks, lower)
    entries: list[int] = []
    in_panel: list[int] = []
    entry_starts, touched, panel_room = [0], [], 0
    column_starts = np.searchsorted(G.columns, np.arange(n_v + 1)).tolist()
    for block in blocks:
        listed = _touched(block, G.rows, column_starts)
        here = {row: i for i, row in enumerate(listed)}
        for c, j in enumerate(block):
            for k in range(column_starts[j], column_starts[j + 1]):
                entries.append(k)
                in_panel.append(here[int(G.rows[k])] * len(block) + c)
        entry_starts.append(len(entries))
        touched.append(len(listed))
        panel_room = max(panel_room, len(listed) * len(block))
    masses = analyse_blocks(blocks, M)
    panel = range_value_size(inner) - 1 + int(masses[BLOCKS.N_VALUES])
    work = panel + panel_room
    own = with_starts([1, panel, work], [inner, masses, touched, in_panel, entries, entry_starts, *more])
    return own, work + LARGEST + room + 1


def _touched(block: list[int], rows: NDArray[np.int64], column_starts: list[int]) -> list[int]:
    """Constraints that take hold of the coordinates of a block."""
    return sorted({int(row) for j in block for row in rows[column_starts[j] : column_starts[j + 1]]})


def _sparse_lower(neighbours: list[set[int]]) -> Lower:
    """Minimum degree, and what fills."""
    n = len(neighbours)
    order = pivot_order(neighbours, {})
    place = np.empty(n, dtype=np.int64)
    place[order] = np.arange(n)
    columns = _columns_of_L(neighbours, order, place)
    starts = [0, *accumulate(map(len, columns))]
    where: dict[tuple[int, int], int] = {(k, k): k for k in range(n)}
    for k, column in enumerate(columns):
        for a, i in enumerate(column):
            where[i, k] = n + starts[k] + a
    updates = [target for column in columns for target in _outer(column, where)]
    return Lower(order, starts[-1], where, starts, [i for column in columns for i in column], updates)


def analyse_range_space(
    n_v: int,
    n_lam: int,
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    blocks: list[list[int]] | None = None,
    lower: Callable[[list[set[int]]], Lower] = _sparse_lower,
) -> NDArray[np.int64]:
    """Plan for G with entries at ``rows``, ``columns``, sorted by columns; ``blocks`` are the coordinates that M
    connects, if it does; ``lower`` says for the pattern of S how it is eliminated."""
    starts = np.searchsorted(columns, np.arange(n_v + 1)).astype(np.int64)
    if blocks is None:
        touched = [rows[starts[j] : starts[j + 1]].tolist() for j in range(n_v)]
    else:
        touched = [_touched(block, rows, starts.tolist()) for block in blocks]
    neighbours: list[set[int]] = [set() for _ in range(n_lam)]
    for listed in touched:
        for row in listed:
            neighbours[row].update(listed)
    for row in range(n_lam):
        neighbours[row].discard(row)
    made = lower(neighbours)
    place = np.empty(n_lam, dtype=np.int64)
    place[made.order] = np.arange(n_lam)
    assembly = [target for listed in touched for target in _outer(place[listed].tolist(), made.where)]
    lists: list[Any] = [
        place[rows], columns, assembly, starts, made.starts, made.rows, made.updates, made.order,
    ]  # fmt: skip
    return joined(with_starts([n_v, n_lam, made.below, len(assembly), len(made.updates)], lists))


def _columns_of_L(neighbours: list[set[int]], order: list[int], place: NDArray[np.int64]) -> list[list[int]]:
    """Rows below the diagonal, column by column, in the order of the pivots: a column hands what it holds below its
    first entry on to the column of that entry."""
    pattern = [{int(place[other]) for other in neighbours[row] if place[other] > k} for k, row in enumerate(order)]
    for column in pattern:
        if column:
            parent = min(column)
            pattern[parent] |= column - {parent}
    return [sorted(column) for column in pattern]


def _outer(listed: list[int], where: Mapping[tuple[int, int], int]) -> list[int]:
    """Places of all products of some rows in the lower triangle."""
    return [where[max(i, j), min(i, j)] for a, i in enumerate(listed) for j in listed[: a + 1]]


def range_value_size(plan: NDArray[np.int64]) -> int:
    """Number of values that belong to a plan, with their work space."""
    return int(2 * plan[SCHUR.N_LAM] + plan[SCHUR.BELOW] + plan[SCHUR.N_V] + 1)
