"""L D Lᵀ of a sparse symmetric matrix with a fixed order of pivots, each a diagonal entry or a block of two unknowns.

The order is that of :func:`~dalembert.linalg.orders.order.saddle_order`: a coordinate without mass makes a block with
the multiplier of a constraint that holds it.  Each pivot takes a small outer product from what is left of the matrix;
where it goes is in lists that are made once by :func:`analyse_symmetric_sparse`.

Plan: n, number of nodes (pivots), entries below the diagonal; starts of: the table of nodes (first unknown, first
entry, first row, number of rows), the rows, the targets, the order of the unknowns.  Values: the diagonal, the entries
below (for a block: its entry beside the diagonal, then one column after the other), sizes of the diagonal (n).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.linalg.plan import with_starts
from dalembert.native.kernel import Ints, Reals, compiled, view

#: What must be left of a pivot, relative to what it was made of.
_LEFT = 1e-13
#: How small the entry that holds a massless coordinate may be beside the others of its column.
_HELD = 1e-7


@compiled
def symmetric_sparse_factor(values: Reals, plan: Ints) -> int:
    """Factorise in place; 0, or 1 + the number of a node whose pivot has lost its digits or is not finite."""
    n, nodes = plan[0], plan[1]
    table, rows = view(plan, plan[3], 4 * nodes + 4), view(plan, plan[4], plan[5] - plan[4])
    targets = view(plan, plan[5], plan[6] - plan[5])
    sizes = view(values, n + plan[2], n)
    for k in range(n):
        sizes[k] = abs(values[k])
    at = 0
    for node in range(nodes):
        k, first, row, count = table[4 * node], table[4 * node + 1], table[4 * node + 2], table[4 * node + 3]
        if table[4 * node + 4] - k == 2:
            if _pair(values, sizes, k, first, count, rows, row, targets, at):
                return node + 1
            at += count * (count + 1) // 2
            continue
        pivot = values[k]
        if not abs(pivot) > _LEFT * sizes[k]:
            return node + 1
        pivot = 1.0 / pivot
        values[k] = pivot
        # Columns are short: the usual lengths are written out.
        if count == 1:
            x = values[first]
            u = x * pivot
            product = x * u
            values[targets[at]] -= product
            sizes[rows[row]] += abs(product)
            values[first] = u
            at += 1
        elif count == 2:
            x, y = values[first], values[first + 1]
            u, v = x * pivot, y * pivot
            xx, yy = x * u, y * v
            values[targets[at]] -= xx
            values[targets[at + 1]] -= y * u
            values[targets[at + 2]] -= yy
            sizes[rows[row]] += abs(xx)
            sizes[rows[row + 1]] += abs(yy)
            values[first], values[first + 1] = u, v
            at += 3
        elif count == 3:
            x, y, z = values[first], values[first + 1], values[first + 2]
            u, v, w = x * pivot, y * pivot, z * pivot
            xx, yy, zz = x * u, y * v, z * w
            values[targets[at]] -= xx
            values[targets[at + 1]] -= y * u
            values[targets[at + 2]] -= yy
            values[targets[at + 3]] -= z * u
            values[targets[at + 4]] -= z * v
            values[targets[at + 5]] -= zz
            sizes[rows[row]] += abs(xx)
            sizes[rows[row + 1]] += abs(yy)
            sizes[rows[row + 2]] += abs(zz)
            values[first], values[first + 1], values[first + 2] = u, v, w
            at += 6
        elif count == 4:
            x, y, z, s = values[first], values[first + 1], values[first + 2], values[first + 3]
            u, v, w, t = x * pivot, y * pivot, z * pivot, s * pivot
            xx, yy, zz, ss = x * u, y * v, z * w, s * t
            values[targets[at]] -= xx
            values[targets[at + 1]] -= y * u
            values[targets[at + 2]] -= yy
            values[targets[at + 3]] -= z * u
            values[targets[at + 4]] -= z * v
            values[targets[at + 5]] -= zz
            values[targets[at + 6]] -= s * u
            values[targets[at + 7]] -= s * v
            values[targets[at + 8]] -= s * w
            values[targets[at + 9]] -= ss
            sizes[rows[row]] += abs(xx)
            sizes[rows[row + 1]] += abs(yy)
            sizes[rows[row + 2]] += abs(zz)
            sizes[rows[row + 3]] += abs(ss)
            values[first], values[first + 1], values[first + 2], values[first + 3] = u, v, w, t
            at += 10
        else:
            for a in range(count):
                scaled = values[first + a] * pivot
                for b in range(a):
                    values[targets[at]] -= scaled * values[first + b]
                    at += 1
                product = scaled * values[first + a]
                values[targets[at]] -= product
                sizes[rows[row + a]] += abs(product)
                at += 1
            for a in range(first, first + count):
                values[a] *= pivot
    return 0


@compiled
def _pair(
    values: Reals, sizes: Reals, k: int, first: int, count: int, rows: Ints, row: int, targets: Ints, at: int
) -> int:
    """The block of the unknowns k and k + 1; its inverse takes its place."""
    a, b, d = values[k], values[first], values[k + 1]
    left, right = first + 1, first + 1 + count
    largest = 0.0
    for i in range(count):
        largest = max(largest, abs(values[left + i]), abs(values[right + i]))
    determinant = a * d - b * b
    if not (abs(determinant) > _LEFT * (abs(a * d) + b * b) and abs(b) > _HELD * largest):
        return 1
    inverse = 1.0 / determinant
    e, f, g = d * inverse, -b * inverse, a * inverse
    values[k], values[first], values[k + 1] = e, f, g
    for i in range(count):
        x, y = values[left + i], values[right + i]
        u, v = x * e + y * f, x * f + y * g
        for j in range(i):
            # Columns up to i − 1 hold the multiplied entries already; the matrix is symmetric, so they serve as well.
            values[targets[at]] -= values[left + j] * x + values[right + j] * y
            at += 1
        values[targets[at]] -= u * x + v * y
        sizes[rows[row + i]] += abs(u * x) + abs(v * y)
        at += 1
        values[left + i], values[right + i] = u, v
    return 0


@compiled
def symmetric_sparse_solve(values: Reals, plan: Ints, right: Reals) -> None:
    """Replace ``right`` by the solution."""
    n, nodes = plan[0], plan[1]
    table, rows = view(plan, plan[3], 4 * nodes + 4), view(plan, plan[4], plan[5] - plan[4])
    order = view(plan, plan[6], n)
    x = view(values, n + plan[2], n)  # the sizes have done their work
    for k in range(n):
        x[k] = right[order[k]]
    for node in range(nodes):
        k, first, row, count = table[4 * node], table[4 * node + 1], table[4 * node + 2], table[4 * node + 3]
        value = x[k]
        if table[4 * node + 4] - k == 2:
            other = x[k + 1]
            for i in range(count):
                x[rows[row + i]] -= values[first + 1 + i] * value + values[first + 1 + count + i] * other
            x[k] = values[k] * value + values[first] * other
            x[k + 1] = values[first] * value + values[k + 1] * other
            continue
        if count == 2:
            x[rows[row]] -= values[first] * value
            x[rows[row + 1]] -= values[first + 1] * value
        elif count == 3:
            x[rows[row]] -= values[first] * value
            x[rows[row + 1]] -= values[first + 1] * value
            x[rows[row + 2]] -= values[first + 2] * value
        else:
            for i in range(count):
                x[rows[row + i]] -= values[first + i] * value
        x[k] = value * values[k]
    for node in range(nodes - 1, -1, -1):
        k, first, row, count = table[4 * node], table[4 * node + 1], table[4 * node + 2], table[4 * node + 3]
        value = x[k]
        if table[4 * node + 4] - k == 2:
            other = x[k + 1]
            for i in range(count):
                value -= values[first + 1 + i] * x[rows[row + i]]
                other -= values[first + 1 + count + i] * x[rows[row + i]]
            x[k + 1] = other
            right[order[k + 1]] = other
        elif count == 2:
            value -= values[first] * x[rows[row]] + values[first + 1] * x[rows[row + 1]]
        elif count == 3:
            value -= values[first] * x[rows[row]] + values[first + 1] * x[rows[row + 1]]
            value -= values[first + 2] * x[rows[row + 2]]
        else:
            for i in range(count):
                value -= values[first + i] * x[rows[row + i]]
        x[k] = value
        right[order[k]] = value


def analyse_symmetric_sparse(
    n: int, rows: NDArray[np.int64], columns: NDArray[np.int64], row_order: list[int], column_order: list[int]
) -> tuple[NDArray[np.int64], Mapping[tuple[int, int], int]]:
    """Plan for entries at ``rows``, ``columns`` (both triangles may be there) and an order of ``saddle_order``; and the
    place of each entry (i, j) of the filled pattern among the values."""
    order = column_order
    place = np.empty(n, dtype=np.int64)
    place[order] = np.arange(n)
    firsts: list[int] = []
    k = 0
    while k < n:
        firsts.append(k)
        k += 1 if row_order[k] == column_order[k] else 2
    node_of = np.repeat(np.arange(len(firsts)), np.diff([*firsts, n])).tolist()
    below: list[set[int]] = [set() for _ in firsts]  # rows of a node, as places
    for i, j in zip(place[rows].tolist(), place[columns].tolist(), strict=True):
        low, high = min(i, j), max(i, j)
        if node_of[low] != node_of[high]:
            below[node_of[low]].add(high)
    listed: list[list[int]] = []
    for held in below:
        ordered = sorted(held)
        listed.append(ordered)
        if ordered:  # a node hands what it holds on to the node of its first row
            parent = node_of[ordered[0]]
            below[parent].update(i for i in ordered if node_of[i] != parent)
    entries, at = [], n
    where: dict[tuple[int, int], int] = {(k, k): k for k in range(n)}
    for node, ordered in enumerate(listed):
        entries.append(at)
        k = firsts[node]
        pair = (firsts[node + 1] if node + 1 < len(firsts) else n) - k == 2
        if pair:
            where[k + 1, k] = at
            at += 1
        for column in (k, k + 1) if pair else (k,):
            for i in ordered:
                where[i, column] = at
                at += 1
    targets = [where[i, j] for ordered in listed for a, i in enumerate(ordered) for j in ordered[: a + 1]]
    counts = [len(ordered) for ordered in listed]
    table = np.zeros((len(firsts) + 1, 4), dtype=np.int64)
    table[:-1] = np.column_stack([firsts, entries, np.cumsum(counts) - counts, counts])
    table[-1, 0] = n
    lists: list[Any] = [table.ravel(), [i for ordered in listed for i in ordered], targets, order]
    return np.concatenate(
        [np.asarray(part, dtype=np.int64) for part in with_starts([n, len(firsts), at - n], lists)]
    ), {(order[i], order[j]): value for (i, j), value in where.items()}


def symmetric_value_size(plan: NDArray[np.int64]) -> int:
    """Number of values that belong to a plan, with their work space."""
    return int(plan[2] + 2 * plan[0])
