"""LU factorisation with a fixed pattern and a fixed order of pivots.

The order is chosen from the structure alone (:mod:`~dalembert.linalg.orders.order`); the analysis makes lists of
indices, with which the factorisation and the solutions run without any search.  Rows are factorised one after the other
("up-looking").

Layout of the integer description, made by :func:`analyse`: a header of :data:`_HEADER` numbers (n, number of stored
entries of factors, starts of the lists), then the lists.  Values: the entries of L and U row by row, the diagonal of U
as its inverse, then two vectors of length n for work.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.native.kernel import Ints, compiled, view

_HEADER = 8


@compiled
def _lists(plan: Ints) -> tuple[Ints, Ints, Ints]:
    """Starts of rows, places of the diagonal, columns of all entries."""
    n = plan[0]
    return view(plan, plan[2], n + 1), view(plan, plan[3], n), view(plan, plan[4], plan[1])


@compiled
def sparse_factor(values: Any, plan: Ints) -> int:
    """Factorise in place; 0, or 1 + the row of a pivot that is zero or not finite."""
    n, nnz = plan[0], plan[1]
    starts, diagonals, columns = _lists(plan)
    work = values[nnz : nnz + n]
    for i in range(n):
        first, middle, last = starts[i], diagonals[i], starts[i + 1]
        for k in range(first, last):
            work[columns[k]] = values[k]
        for k in range(first, middle):
            row = columns[k]
            factor = work[row] * values[diagonals[row]]
            values[k] = factor
            for j in range(diagonals[row] + 1, starts[row + 1]):
                work[columns[j]] -= factor * values[j]
        for k in range(middle + 1, last):
            values[k] = work[columns[k]]
        pivot = work[i]
        if not (abs(pivot) > 0.0 and abs(pivot) < np.inf):
            return i + 1
        values[middle] = 1.0 / pivot
    return 0


@compiled
def sparse_solve(values: Any, plan: Ints, right: Any) -> None:
    """Replace ``right`` by the solution."""
    n, nnz = plan[0], plan[1]
    starts, diagonals, columns = _lists(plan)
    row_order, column_order = plan[plan[5] : plan[5] + n], plan[plan[6] : plan[6] + n]
    x = values[nnz : nnz + n]
    for i in range(n):
        total = right[row_order[i]]
        for k in range(starts[i], diagonals[i]):
            total -= values[k] * x[columns[k]]
        x[i] = total
    for i in range(n - 1, -1, -1):
        total = x[i]
        for k in range(diagonals[i] + 1, starts[i + 1]):
            total -= values[k] * x[columns[k]]
        x[i] = total * values[diagonals[i]]
    for i in range(n):
        right[column_order[i]] = x[i]


@compiled
def sparse_solve_transposed(values: Any, plan: Ints, right: Any) -> None:
    """Replace ``right`` by the solution with the transposed matrix."""
    n, nnz = plan[0], plan[1]
    starts, diagonals, columns = _lists(plan)
    row_order, column_order = plan[plan[5] : plan[5] + n], plan[plan[6] : plan[6] + n]
    x = values[nnz : nnz + n]
    for i in range(n):
        x[i] = right[column_order[i]]
    for i in range(n):
        x[i] *= values[diagonals[i]]
        for k in range(diagonals[i] + 1, starts[i + 1]):
            x[columns[k]] -= values[k] * x[i]
    for i in range(n - 1, -1, -1):
        for k in range(starts[i], diagonals[i]):
            x[columns[k]] -= values[k] * x[i]
    for i in range(n):
        right[row_order[i]] = x[i]


def analyse(
    n: int, rows: NDArray[np.int64], columns: NDArray[np.int64], row_order: list[int], column_order: list[int]
) -> tuple[NDArray[np.int64], dict[tuple[int, int], int]]:
    """Plan of a matrix whose entries stand at ``rows``, ``columns``; pivot k is entry (row_order[k], column_order[k]).

    Also returns the place of each entry (i, j) among the values.
    """
    row_place = np.empty(n, dtype=np.int64)
    column_place = np.empty(n, dtype=np.int64)
    row_place[row_order] = np.arange(n)
    column_place[column_order] = np.arange(n)
    pattern: list[set[int]] = [{i} for i in range(n)]
    for i, j in zip(row_place[rows].tolist(), column_place[columns].tolist(), strict=True):
        pattern[i].add(j)
    # Row i receives the pattern of every earlier row that it is eliminated with, in ascending order.
    upper: list[list[int]] = []
    all_columns: list[list[int]] = []
    import heapq

    for i in range(n):
        row = pattern[i]
        waiting = [j for j in row if j < i]
        heapq.heapify(waiting)
        while waiting:
            k = heapq.heappop(waiting)
            for j in upper[k]:
                if j not in row:
                    row.add(j)
                    if j < i:
                        heapq.heappush(waiting, j)
        listed = sorted(row)
        all_columns.append(listed)
        upper.append([j for j in listed if j > i])
    starts = np.concatenate([[0], np.cumsum([len(listed) for listed in all_columns])]).astype(np.int64)
    diagonals = np.array([starts[i] + all_columns[i].index(i) for i in range(n)], dtype=np.int64)
    flat = np.array([j for listed in all_columns for j in listed], dtype=np.int64)
    lists = [starts, diagonals, flat, np.asarray(row_order, dtype=np.int64), np.asarray(column_order, dtype=np.int64)]
    at = _HEADER + np.concatenate([[0], np.cumsum([len(x) for x in lists])])
    header = np.array([n, len(flat), *at[:5], 0], dtype=np.int64)
    where = {
        (int(row_order[i]), int(column_order[j])): int(starts[i]) + k
        for i, listed in enumerate(all_columns)
        for k, j in enumerate(listed)
    }
    return np.concatenate([header, *lists]).astype(np.int64), where


def value_size(plan: NDArray[np.int64]) -> int:
    """Number of values that belong to a plan, with their work space."""
    return int(plan[1] + 2 * plan[0])
