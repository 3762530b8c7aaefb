"""Constrained motion by its constraint forces: for diagonal M the matrix S = G M⁻¹ Gᵀ is small and as sparse as the
joints.

    S λ = G M⁻¹ r − s,      a = M⁻¹ (r − Gᵀλ)      solve      M a + Gᵀλ = r,   G a = s

S is positive definite where G has full rank, so L D Lᵀ needs no pivoting, and its order is chosen for low fill alone.
Both the assembly of S, column of G by column of G, and its factorisation, column by column, are sums of small outer
products whose targets are known: lists made once by :func:`analyse_range_space`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.linalg.order import pivot_order
from dalembert.native.kernel import Ints, Reals, compiled, view

_HEADER = 12
# Header: n_v, n_lam, entries of L below the diagonal; starts of: rows and columns of the entries of G (rows in the
# order of the pivots), targets of its products, its columns, columns of L, rows of L, targets of its updates; number of
# these; start of the order; number of products.
# Values: diagonal of S, then D⁻¹ (n_lam), entries of L, M⁻¹ (n_v), work (n_lam), smallest relative pivot.


@compiled
def range_factor(values: Reals, plan: Ints, M: Reals, G: Reals) -> int:
    """Assemble S and factorise it; 0, or 1 + the number of a pivot that is not positive.

    The last value is what is left of the diagonal where least is: small where constraints are about to lose rank.
    """
    n_v, n, below = plan[0], plan[1], plan[2]
    diagonal, lower, inverse = view(values, 0, n), view(values, n, below), view(values, n + below, n_v)
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
    diagonal, lower, inverse = view(values, 0, n), view(values, n, below), view(values, n + below, n_v)
    x = view(values, n + below + n_v, n)
    g_rows, g_columns = view(plan, plan[3], G.size), view(plan, plan[3] + G.size, G.size)
    starts, l_rows, order = view(plan, plan[6], n + 1), view(plan, plan[7], below), view(plan, plan[10], n)
    for k in range(n):
        x[k] = -right[n_v + order[k]]
    for k in range(G.size):
        j = g_columns[k]
        x[g_rows[k]] += G[k] * (right[j] * inverse[j])
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
    for k in range(G.size):
        right[g_columns[k]] -= G[k] * x[g_rows[k]]
    for j in range(n_v):
        right[j] *= inverse[j]


def analyse_range_space(n_v: int, n_lam: int, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.int64]:
    """Plan for G with entries at ``rows``, ``columns``, sorted by columns."""
    starts = np.searchsorted(columns, np.arange(n_v + 1)).astype(np.int64)
    by_column = [rows[starts[j] : starts[j + 1]].tolist() for j in range(n_v)]
    neighbours: list[set[int]] = [set() for _ in range(n_lam)]
    for listed in by_column:
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

    assembly = [target for j in range(n_v) for target in outer(g_rows[starts[j] : starts[j + 1]].tolist())]
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
