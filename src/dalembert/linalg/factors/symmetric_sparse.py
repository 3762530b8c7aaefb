"""L D Lᵀ of a sparse symmetric matrix with a fixed order of pivots, each a diagonal entry or a block of two unknowns.

The order is that of :func:`~dalembert.linalg.orders.order.saddle_order`: a coordinate without mass makes a block with
the multiplier of a constraint that holds it.  Each pivot takes a small outer product from what is left of the matrix;
where it goes is in lists that are made once by :func:`analyse_symmetric_sparse`.

Values: the diagonal, the entries below it (of a pair: its entry beside the diagonal, then one column after the other),
sizes of what the diagonal was made of (n), a vector for solutions (n).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.linalg.plan import joined, with_starts
from dalembert.native.kernel import Ints, Reals, compiled, view
from dalembert.native.legend import Legend

LDL = Legend(
    "plan of a sparse symmetric factorisation",
    N="number of unknowns",
    N_NODES="number of nodes, each with one pivot",
    BELOW="entries below the diagonal",
    NODES="start of: the table of nodes, with an end behind the last",
    ROWS="start of: the rows of all nodes, as places in the order",
    TARGETS="start of: the places of all products of the elimination",
    ORDER="start of: the order of the unknowns",
)
NODE = Legend(
    "node of a sparse symmetric factorisation",
    UNKNOWN="its first unknown, as a place in the order",
    ENTRY="its first entry below the diagonal",
    ROW="its first row in the list of rows",
    COUNT="number of its rows",
)

#: What must be left of a pivot, relative to what it was made of.
_LEFT = 1e-13
#: How small the entry that holds a massless coordinate may be beside the others of its column.
_HELD = 1e-7


@compiled
def _lists(plan: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Nodes, rows, targets, order."""
    nodes, rows, targets, order = plan[LDL.NODES], plan[LDL.ROWS], plan[LDL.TARGETS], plan[LDL.ORDER]
    return (
        view(plan, nodes, rows - nodes), view(plan, rows, targets - rows), view(plan, targets, order - targets),
        view(plan, order, plan[LDL.N]),
    )  # fmt: skip


@compiled
def _node(nodes: Ints, number: int) -> tuple[int, int, int, int, bool]:
    """First unknown, first entry, first row, number of rows; whether it is a pair."""
    at = NODE.end * number
    unknown = nodes[at + NODE.UNKNOWN]
    return (
        unknown, nodes[at + NODE.ENTRY], nodes[at + NODE.ROW], nodes[at + NODE.COUNT],
        nodes[at + NODE.end + NODE.UNKNOWN] - unknown == 2,
    )  # fmt: skip


@compiled
def symmetric_sparse_factor(values: Reals, plan: Ints) -> int:
    """Factorise in place; 0, or 1 + the number of a node whose pivot has lost its digits or is not finite."""
    n = plan[LDL.N]
    nodes, all_rows, all_targets, _ = _lists(plan)
    sizes = view(values, n + plan[LDL.BELOW], n)
    for k in range(n):
        sizes[k] = abs(values[k])
    at = 0
    for number in range(plan[LDL.N_NODES]):
        k, first, row, count, pair = _node(nodes, number)
        products = count * (count + 1) // 2
        rows, targets = view(all_rows, row, count), view(all_targets, at, products)
        at += products
        if pair:
            if _take_pair(values, sizes, k, first, count, rows, targets):
                return number + 1
            continue
        pivot = values[k]
        if not abs(pivot) > _LEFT * sizes[k]:
            return number + 1
        pivot = 1.0 / pivot
        values[k] = pivot
        column = view(values, first, count)
        # Columns are short: the usual lengths are written out.
        if count == 1:
            _take_1(values, sizes, column, pivot, rows, targets)
        elif count == 2:
            _take_2(values, sizes, column, pivot, rows, targets)
        elif count == 3:
            _take_3(values, sizes, column, pivot, rows, targets)
        elif count == 4:
            _take_4(values, sizes, column, pivot, rows, targets)
        else:
            _take(values, sizes, column, pivot, rows, targets)
    return 0


@compiled
def _take(values: Reals, sizes: Reals, column: Reals, pivot: float, rows: Ints, targets: Ints) -> None:
    """Take the outer product of a column, divided by the pivot, from the rest; the column is divided too."""
    at = 0
    for a in range(column.size):
        scaled = column[a] * pivot
        for b in range(a):
            values[targets[at]] -= scaled * column[b]
            at += 1
        product = scaled * column[a]
        values[targets[at]] -= product
        sizes[rows[a]] += abs(product)
        at += 1
    for a in range(column.size):
        column[a] *= pivot


@compiled
def _take_1(values: Reals, sizes: Reals, column: Reals, pivot: float, rows: Ints, targets: Ints) -> None:
    """:func:`_take` for a column of one."""
    x = column[0]
    u = x * pivot
    product = x * u
    values[targets[0]] -= product
    sizes[rows[0]] += abs(product)
    column[0] = u


@compiled
def _take_2(values: Reals, sizes: Reals, column: Reals, pivot: float, rows: Ints, targets: Ints) -> None:
    """:func:`_take` for a column of two."""
    x, y = column[0], column[1]
    u, v = x * pivot, y * pivot
    xx, yy = x * u, y * v
    values[targets[0]] -= xx
    values[targets[1]] -= y * u
    values[targets[2]] -= yy
    sizes[rows[0]] += abs(xx)
    sizes[rows[1]] += abs(yy)
    column[0], column[1] = u, v


@compiled
def _take_3(values: Reals, sizes: Reals, column: Reals, pivot: float, rows: Ints, targets: Ints) -> None:
    """:func:`_take` for a column of three."""
    x, y, z = column[0], column[1], column[2]
    u, v, w = x * pivot, y * pivot, z * pivot
    xx, yy, zz = x * u, y * v, z * w
    values[targets[0]] -= xx
    values[targets[1]] -= y * u
    values[targets[2]] -= yy
    values[targets[3]] -= z * u
    values[targets[4]] -= z * v
    values[targets[5]] -= zz
    sizes[rows[0]] += abs(xx)
    sizes[rows[1]] += abs(yy)
    sizes[rows[2]] += abs(zz)
    column[0], column[1], column[2] = u, v, w


@compiled
def _take_4(values: Reals, sizes: Reals, column: Reals, pivot: float, rows: Ints, targets: Ints) -> None:
    """:func:`_take` for a column of four."""
    x, y, z, s = column[0], column[1], column[2], column[3]
    u, v, w, t = x * pivot, y * pivot, z * pivot, s * pivot
    xx, yy, zz, ss = x * u, y * v, z * w, s * t
    values[targets[0]] -= xx
    values[targets[1]] -= y * u
    values[targets[2]] -= yy
    values[targets[3]] -= z * u
    values[targets[4]] -= z * v
    values[targets[5]] -= zz
    values[targets[6]] -= s * u
    values[targets[7]] -= s * v
    values[targets[8]] -= s * w
    values[targets[9]] -= ss
    sizes[rows[0]] += abs(xx)
    sizes[rows[1]] += abs(yy)
    sizes[rows[2]] += abs(zz)
    sizes[rows[3]] += abs(ss)
    column[0], column[1], column[2], column[3] = u, v, w, t


@compiled
def _take_pair(values: Reals, sizes: Reals, k: int, first: int, count: int, rows: Ints, targets: Ints) -> int:
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
    at = 0
    for i in range(count):
        x, y = values[left + i], values[right + i]
        u, v = x * e + y * f, x * f + y * g
        for j in range(i):
            # Columns up to i − 1 hold the multiplied entries already; the matrix is symmetric, so they serve as well.
            values[targets[at]] -= values[left + j] * x + values[right + j] * y
            at += 1
        values[targets[at]] -= u * x + v * y
        sizes[rows[i]] += abs(u * x) + abs(v * y)
        at += 1
        values[left + i], values[right + i] = u, v
    return 0


@compiled
def symmetric_sparse_solve(values: Reals, plan: Ints, right: Reals) -> None:
    """Replace ``right`` by the solution."""
    n = plan[LDL.N]
    _, _, _, order = _lists(plan)
    x = view(values, 2 * n + plan[LDL.BELOW], n)
    for k in range(n):
        x[k] = right[order[k]]
    _forward(values, plan, x)
    _backward(values, plan, x)
    for k in range(n):
        right[order[k]] = x[k]


@compiled
def _forward(values: Reals, plan: Ints, x: Reals) -> None:
    """x := D⁻¹ L⁻¹ x; usual lengths of columns are written out here too."""
    nodes, rows, _, _ = _lists(plan)
    for number in range(plan[LDL.N_NODES]):
        k, first, row, count, pair = _node(nodes, number)
        value = x[k]
        if pair:
            left, right, other = first + 1, first + 1 + count, x[k + 1]
            for i in range(count):
                x[rows[row + i]] -= values[left + i] * value + values[right + i] * other
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


@compiled
def _backward(values: Reals, plan: Ints, x: Reals) -> None:
    """x := L⁻ᵀ x."""
    nodes, rows, _, _ = _lists(plan)
    for number in range(plan[LDL.N_NODES] - 1, -1, -1):
        k, first, row, count, pair = _node(nodes, number)
        value = x[k]
        if pair:
            left, right, other = first + 1, first + 1 + count, x[k + 1]
            for i in range(count):
                value -= values[left + i] * x[rows[row + i]]
                other -= values[right + i] * x[rows[row + i]]
            x[k + 1] = other
        elif count == 2:
            value -= values[first] * x[rows[row]] + values[first + 1] * x[rows[row + 1]]
        elif count == 3:
            value -= values[first] * x[rows[row]] + values[first + 1] * x[rows[row + 1]]
            value -= values[first + 2] * x[rows[row + 2]]
        else:
            for i in range(count):
                value -= values[first + i] * x[rows[row + i]]
        x[k] = value


def analyse_symmetric_sparse(
    n: int, rows: NDArray[np.int64], columns: NDArray[np.int64], row_order: list[int], column_order: list[int]
) -> tuple[NDArray[np.int64], Mapping[tuple[int, int], int]]:
    """Plan for entries at ``rows``, ``columns`` (both triangles may be there) and an order of ``saddle_order``; and the
    place of each entry (i, j) of the filled pattern among the values."""
    order = column_order
    place = np.empty(n, dtype=np.int64)
    place[order] = np.arange(n)
    firsts = _first_unknowns(row_order, column_order)
    listed = _rows_of_nodes([*firsts, n], place[rows].tolist(), place[columns].tolist())
    where, entries = _places([*firsts, n], listed)
    targets = [where[i, j] for below in listed for a, i in enumerate(below) for j in below[: a + 1]]
    counts = [len(below) for below in listed]
    nodes = np.zeros((len(firsts) + 1, NODE.end), dtype=np.int64)
    nodes[:, NODE.UNKNOWN] = [*firsts, n]
    nodes[:-1, NODE.ENTRY], nodes[:-1, NODE.COUNT] = entries, counts
    nodes[:-1, NODE.ROW] = np.cumsum(counts) - counts
    lists: list[Any] = [nodes.ravel(), [i for below in listed for i in below], targets, order]
    plan = joined(with_starts([n, len(firsts), len(where) - n], lists))
    return plan, {(order[i], order[j]): value for (i, j), value in where.items()}


def _first_unknowns(row_order: list[int], column_order: list[int]) -> list[int]:
    """Of each node, as places in the order; a pivot off the diagonal and its mirror image are one."""
    firsts: list[int] = []
    k = 0
    while k < len(row_order):
        firsts.append(k)
        k += 1 if row_order[k] == column_order[k] else 2
    return firsts


def _rows_of_nodes(bounds: list[int], rows: list[int], columns: list[int]) -> list[list[int]]:
    """Rows below each node, with fill; all are places in the order."""
    node_of = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds)).tolist()
    below: list[set[int]] = [set() for _ in bounds[1:]]
    for i, j in zip(rows, columns, strict=True):
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
    return listed


def _places(bounds: list[int], listed: list[list[int]]) -> tuple[dict[tuple[int, int], int], list[int]]:
    """Place of each entry on and below the diagonal among the values, and the first one below it of each node."""
    where: dict[tuple[int, int], int] = {(k, k): k for k in range(bounds[-1])}
    entries: list[int] = []
    for k, end, below in zip(bounds, bounds[1:], listed, strict=False):
        entries.append(len(where))
        if end - k == 2:
            where[k + 1, k] = len(where)
        for column in range(k, end):
            for i in below:
                where[i, column] = len(where)
    return where, entries


def symmetric_value_size(plan: NDArray[np.int64]) -> int:
    """Number of values that belong to a plan, with their work space."""
    return int(plan[LDL.BELOW] + 3 * plan[LDL.N])
