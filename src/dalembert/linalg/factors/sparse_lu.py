"""LU factorisation with a fixed pattern and a fixed order of pivots.

The order is chosen from the structure alone (:mod:`~dalembert.linalg.orders.order`); the analysis makes lists of
indices, with which the factorisation and the solutions run without any search.  Rows are factorised one after the other
("up-looking").

Values: the entries of L and U row by row, the diagonal of U as its inverse, then a vector of length n for work.
"""

from __future__ import annotations

import heapq
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.linalg.plan import joined, with_starts
from dalembert.native.kernel import Ints, compiled, view
from dalembert.native.legend import Legend

LU = Legend(
    "plan of a sparse LU",
    N="number of unknowns",
    N_VALUES="entries of L and U",
    STARTS="start of: the first entry of each row, and their end",
    DIAGONALS="start of: the place of the diagonal entry of each row",
    COLUMNS="start of: the columns of all entries",
    ROW_ORDER="start of: the row of each pivot",
    COLUMN_ORDER="start of: the column of each pivot",
)


@compiled
def sparse_values(plan: Ints) -> int:
    """Number of entries of the factors: what is set to zero before a matrix is put there."""
    return plan[LU.N_VALUES]


@compiled
def _lists(plan: Ints) -> tuple[Ints, Ints, Ints]:
    """Starts of rows, places of the diagonal, columns of all entries."""
    n = plan[LU.N]
    return (
        view(plan, plan[LU.STARTS], n + 1), view(plan, plan[LU.DIAGONALS], n),
        view(plan, plan[LU.COLUMNS], plan[LU.N_VALUES]),
    )  # fmt: skip


@compiled
def _orders(plan: Ints) -> tuple[Ints, Ints]:
    """Rows and columns of the pivots."""
    return view(plan, plan[LU.ROW_ORDER], plan[LU.N]), view(plan, plan[LU.COLUMN_ORDER], plan[LU.N])


@compiled
def sparse_factor(values: Any, plan: Ints) -> int:
    """Factorise in place; 0, or 1 + the row of a pivot that is zero or not finite."""
    n, nnz = plan[LU.N], plan[LU.N_VALUES]
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
    n, nnz = plan[LU.N], plan[LU.N_VALUES]
    starts, diagonals, columns = _lists(plan)
    row_order, column_order = _orders(plan)
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
    n, nnz = plan[LU.N], plan[LU.N_VALUES]
    starts, diagonals, columns = _lists(plan)
    row_order, column_order = _orders(plan)
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
    filled = _filled(pattern)
    starts = [0, *accumulate(len(listed) for listed in filled)]
    diagonals = [starts[i] + listed.index(i) for i, listed in enumerate(filled)]
    flat = [j for listed in filled for j in listed]
    where = {
        (int(row_order[i]), int(column_order[j])): starts[i] + k
        for i, listed in enumerate(filled)
        for k, j in enumerate(listed)
    }
    return joined(with_starts([n, len(flat)], [starts, diagonals, flat, row_order, column_order])), where


def _filled(pattern: list[set[int]]) -> list[list[int]]:
    """Columns of L and U, row by row: a row receives the pattern of every earlier row that it is eliminated with, in
    ascending order."""
    upper: list[list[int]] = []
    filled: list[list[int]] = []
    for i, row in enumerate(pattern):
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
        filled.append(listed)
        upper.append([j for j in listed if j > i])
    return filled


def value_size(plan: NDArray[np.int64]) -> int:
    """Number of values that belong to a plan, with their work space."""
    return int(plan[LU.N_VALUES] + plan[LU.N])
