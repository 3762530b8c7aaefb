"""Constrained motion by its constraint forces (mexx (3.18)): for diagonal or block-diagonal M the matrix S = G M⁻¹ Gᵀ
is small and as sparse as the joints.

    S λ = G M⁻¹ r − s,      a = M⁻¹ (r − Gᵀλ)      solve      M a + Gᵀλ = r,   G a = s

S is positive definite where G has full rank, so L D Lᵀ needs no pivoting, and its order is chosen for low fill alone.
Both the assembly of S, column of G by column of G (or body by body, with L⁻¹ of its block of M), and its factorisation,
column by column, are sums of small outer products whose targets are known: lists made once by
:func:`analyse_range_space`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.linalg.factors.blocks import LARGEST, analyse_blocks, blocks_factor, blocks_solve
from dalembert.linalg.modes.cholesky_qr import solve_lower
from dalembert.linalg.orders.order import pivot_order
from dalembert.linalg.plan import RANGE, Plan, Structure, header, own_part, with_starts
from dalembert.linalg.solver import factor_solver, solve_solver
from dalembert.native.kernel import Ints, Reals, compiled, view

_HEADER = 12
# Header: n_v, n_lam, entries of L below the diagonal; starts of: rows and columns of the entries of G (rows in the
# order of the pivots), targets of its products, its columns, columns of L, rows of L, targets of its updates; number of
# these; start of the order; number of products.
# Values: diagonal of S, then D⁻¹ (n_lam), entries of L, M⁻¹ or work (n_v), work (n_lam); for blocks L of M, a panel,
# work; smallest relative pivot.
#: Places in the own part of the mode: whether M has blocks, first value and room of the panel; starts of: the plan of
#: S; that of the blocks; how many constraints each block has; entries of G block by block: their places in the panel,
#: their numbers, the first of each block.
_BLOCKS, _PANEL, _PANEL_SIZE, _S, _M, _TOUCHED, _IN_PANEL, _ENTRIES, _ENTRY_STARTS = range(9)


@compiled
def range_factor(values: Reals, plan: Ints, M: Reals, G: Reals) -> int:
    """Assemble S and factorise it; 0, or 1 + the number of a pivot that is not positive.

    The last value is what is left of the diagonal where least is: small where constraints are about to lose rank.
    """
    n_v, n, below = plan[0], plan[1], plan[2]
    inverse = view(values, n + below, n_v)
    for k in range(n + below):
        values[k] = 0.0
    # Columns are short, so loops over them cost more than what they do: the usual lengths are written out, here and
    # below.
    columns, targets = view(plan, plan[5], n_v + 1), view(plan, plan[4], plan[11])
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
    return _ldl_factor(values, plan)


@compiled
def _ldl_factor(values: Reals, plan: Ints) -> int:
    n_v, n, below = plan[0], plan[1], plan[2]
    diagonal, lower = view(values, 0, n), view(values, n, below)
    # What is left of a pivot is seen from its own row: constraints come in different units.
    smallest = view(values, n + below + n_v, n)
    for k in range(n):
        smallest[k] = 1e-15 * diagonal[k]
    starts, updates = view(plan, plan[6], n + 1), view(plan, plan[8], plan[9])
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
    n_v, n, below = plan[0], plan[1], plan[2]
    inverse, x = view(values, n + below, n_v), view(values, n + below + n_v, n)
    g_rows, g_columns = view(plan, plan[3], G.size), view(plan, plan[3] + G.size, G.size)
    order = view(plan, plan[10], n)
    for k in range(n):
        x[k] = -right[n_v + order[k]]
    for k in range(G.size):
        j = g_columns[k]
        x[g_rows[k]] += G[k] * (right[j] * inverse[j])
    _ldl_solve(values, plan, x, right)
    for k in range(G.size):
        right[g_columns[k]] -= G[k] * x[g_rows[k]]
    for j in range(n_v):
        right[j] *= inverse[j]


@compiled
def _ldl_solve(values: Reals, plan: Ints, x: Reals, right: Reals) -> None:
    """S λ = x, in the order of the pivots; λ also goes to its place in ``right``."""
    n_v, n, below = plan[0], plan[1], plan[2]
    diagonal, lower = view(values, 0, n), view(values, n, below)
    starts, l_rows, order = view(plan, plan[6], n + 1), view(plan, plan[7], below), view(plan, plan[10], n)
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
def _assemble_blocks(values: Reals, own: Ints, G: Reals) -> None:
    """S as a sum over bodies: of the rows W = L⁻¹ Gᵀ of a body, all products."""
    plan, blocks = view(own, own[_S], own[_M] - own[_S]), view(own, own[_M], own[_TOUCHED] - own[_M])
    n_v, n, below = plan[0], plan[1], plan[2]
    count = blocks[0]
    firsts, starts = view(blocks, blocks[2], count + 1), view(blocks, blocks[4], count + 1)
    touched, entry_starts = view(own, own[_TOUCHED], count), view(own, own[_ENTRY_STARTS], count + 1)
    entries, in_panel = view(own, own[_ENTRIES], G.size), view(own, own[_IN_PANEL], G.size)
    targets = view(plan, plan[4], plan[11])
    masses, panel = view(values, n + below + n_v + n, blocks[1]), view(values, own[_PANEL], own[_PANEL_SIZE])
    for k in range(n + below):
        values[k] = 0.0
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


@factor_solver
def range_space_factor(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    """The mode "range" of :mod:`~dalembert.linalg.saddle`."""
    own = own_part(plan)
    inner = view(own, own[_S], own[_M] - own[_S])
    if not own[_BLOCKS]:
        return range_factor(values, inner, M, G)
    blocks, first = view(own, own[_M], own[_TOUCHED] - own[_M]), 2 * inner[1] + inner[2] + inner[0]
    failed = blocks_factor(view(values, first, blocks[1]), blocks, M)
    if failed:
        return failed
    _assemble_blocks(values, own, G)
    return _ldl_factor(values, inner)


@solve_solver
def range_space_solve(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals, right: Reals) -> int:
    """With the factors of :func:`range_space_factor`."""
    own = own_part(plan)
    inner = view(own, own[_S], own[_M] - own[_S])
    if not own[_BLOCKS]:
        range_solve(values, inner, G, right)
        return 0
    blocks, first = view(own, own[_M], own[_TOUCHED] - own[_M]), 2 * inner[1] + inner[2] + inner[0]
    masses, work = view(values, first, blocks[1]), view(values, own[_PANEL], own[_PANEL_SIZE])
    n_v, n, below = inner[0], inner[1], inner[2]
    free, x = view(values, n + below, n_v), view(values, n + below + n_v, n)
    g_rows, g_columns, order = pattern_of_pivots(inner, G.size)
    for j in range(n_v):
        free[j] = right[j]
    blocks_solve(masses, blocks, free, work)
    for k in range(n):
        x[k] = -right[n_v + order[k]]
    for k in range(G.size):
        x[g_rows[k]] += G[k] * free[g_columns[k]]
    _ldl_solve(values, inner, x, right)
    for k in range(G.size):
        right[g_columns[k]] -= G[k] * x[g_rows[k]]
    blocks_solve(masses, blocks, view(right, 0, n_v), work)
    return 0


@compiled
def pattern_of_pivots(plan: Ints, entries: int) -> tuple[Ints, Ints, Ints]:
    """Rows of the entries of G in the order of the pivots, their columns, the order."""
    return view(plan, plan[3], entries), view(plan, plan[3] + entries, entries), view(plan, plan[10], plan[1])


def analyse_range(structure: Structure) -> Plan:
    """Plan of the mode: of S, and of the blocks of M unless they are single coordinates."""
    n_v, n_lam, M, G, _ = structure
    blocks = structure.blocks()
    if max(map(len, blocks), default=1) == 1:
        inner = analyse_range_space(n_v, n_lam, G.rows, G.columns)
        own = with_starts([0, 0, 0], [inner, [], [], [], [], []])
        return Plan("range", header(RANGE, structure, own), range_value_size(inner))
    inner = analyse_range_space(n_v, n_lam, G.rows, G.columns, blocks)
    entries: list[int] = []
    in_panel: list[int] = []
    entry_starts, touched, room = [0], [], LARGEST
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
        room = max(room, len(listed) * len(block))
    masses = analyse_blocks(blocks, M)
    panel = range_value_size(inner) - 1 + int(masses[1])
    own = with_starts([1, panel, room], [inner, masses, touched, in_panel, entries, entry_starts])
    return Plan("range", header(RANGE, structure, own), panel + room + 1)


def _touched(block: list[int], rows: NDArray[np.int64], column_starts: list[int]) -> list[int]:
    """Constraints that take hold of the coordinates of a block."""
    return sorted({int(row) for j in block for row in rows[column_starts[j] : column_starts[j + 1]]})


def analyse_range_space(
    n_v: int,
    n_lam: int,
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    blocks: list[list[int]] | None = None,
) -> NDArray[np.int64]:
    """Plan for G with entries at ``rows``, ``columns``, sorted by columns; ``blocks`` are the coordinates that M
    connects, if it does."""
    starts = np.searchsorted(columns, np.arange(n_v + 1)).astype(np.int64)
    by_group = [rows[starts[j] : starts[j + 1]].tolist() for j in range(n_v)]
    if blocks is not None:
        by_group = [_touched(block, rows, starts.tolist()) for block in blocks]
    neighbours: list[set[int]] = [set() for _ in range(n_lam)]
    for listed in by_group:
        for row in listed:
            neighbours[row].update(listed)
    for row in range(n_lam):
        neighbours[row].discard(row)
    order = pivot_order(neighbours, {})
    place = np.empty(n_lam, dtype=np.int64)
    place[order] = np.arange(n_lam)
    # Pattern of L: a column hands what it holds below its first entry on to the column of that entry.
    pattern: list[set[int]] = [set() for _ in range(n_lam)]
    for row in range(n_lam):
        k = int(place[row])
        pattern[k] = {int(place[other]) for other in neighbours[row] if place[other] > k}
    for k in range(n_lam):
        if pattern[k]:
            parent = min(pattern[k])
            pattern[parent] |= pattern[k] - {parent}
    l_columns = [sorted(column) for column in pattern]
    l_starts = np.concatenate([[0], np.cumsum([len(column) for column in l_columns])]).astype(np.int64)
    where: dict[tuple[int, int], int] = {(k, k): k for k in range(n_lam)}
    for k, column in enumerate(l_columns):
        for a, i in enumerate(column):
            where[i, k] = n_lam + int(l_starts[k]) + a
    g_rows = place[rows]

    def outer(listed: list[int]) -> list[int]:
        return [where[max(i, j), min(i, j)] for a, i in enumerate(listed) for j in listed[: a + 1]]

    assembly = [target for listed in by_group for target in outer(place[listed].tolist())]
    updates = [target for column in l_columns for target in outer(column)]
    lists: list[Any] = [
        np.concatenate([g_rows, columns]), assembly, starts, l_starts,
        [i for column in l_columns for i in column], updates, order,
    ]  # fmt: skip
    at = (_HEADER + np.concatenate([[0], np.cumsum([len(x) for x in lists])])).tolist()
    header = [n_v, n_lam, int(l_starts[-1]), *at[:6], len(updates), at[6], len(assembly)]
    return np.concatenate([np.asarray(header, dtype=np.int64), *(np.asarray(x, dtype=np.int64) for x in lists)])


def range_value_size(plan: NDArray[np.int64]) -> int:
    """Number of values that belong to a plan, with their work space."""
    n_v, n, below = (int(x) for x in plan[:3])
    return n + below + n_v + n + 1
