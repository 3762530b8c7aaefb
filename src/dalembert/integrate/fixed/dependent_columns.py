"""Dependent velocities: which ones a set of constraints determines, and the factors of their columns.

Of a matrix with m rows, full pivoting chooses m columns and the order of rows in which they are eliminated; sizes of
velocities make columns comparable, largest entries rows.  A choice is kept: each new matrix is factorised in the same
order without any search, until a pivot has shrunk too much (railway, after (37)).
"""

from __future__ import annotations

from dalembert.linalg.vector_operations import clear
from dalembert.native.kernel import Ints, Reals, compiled, view

#: Pivots may shrink to this part of what they were when columns were chosen.
SHRUNK = 0.1


@compiled
def choose(
    values: Reals, rows: Ints, columns: Ints, sizes: Reals, work: Reals, row_place: Ints, column_place: Ints, m: int
) -> bool:
    """Places of rows and columns in the order of pivots, −1 for independent columns; False if rows depend on each
    other. ``work`` holds m rows of all columns."""
    n = sizes.size
    clear(work)
    for k in range(values.size):
        work[rows[k] * n + columns[k]] = values[k] * sizes[columns[k]]
    for i in range(m):
        row_place[i] = -1
        _normalise(view(work, i * n, n))
    for j in range(n):
        column_place[j] = -1
    for step in range(m):
        best, at, to = 0.0, -1, -1
        for i in range(m):
            if row_place[i] < 0:
                for j in range(n):
                    if column_place[j] < 0 and abs(work[i * n + j]) > best:
                        best, at, to = abs(work[i * n + j]), i, j
        if at < 0:
            return False
        row_place[at], column_place[to] = step, step
        pivot = view(work, at * n, n)
        for i in range(m):
            if row_place[i] < 0:
                row = view(work, i * n, n)
                factor = row[to] / pivot[to]
                if factor != 0.0:
                    for j in range(n):
                        row[j] -= factor * pivot[j]
    return True


@compiled
def _normalise(row: Reals) -> None:
    """Divide a row by its largest entry."""
    largest = 0.0
    for j in range(row.size):
        largest = max(largest, abs(row[j]))
    if largest > 0.0:
        for j in range(row.size):
            row[j] /= largest


@compiled
def set_places(rows: Ints, columns: Ints, row_place: Ints, column_place: Ints, m: int, places: Ints) -> None:
    """Where entries of the matrix stand in that of the dependent columns, −1 for none."""
    for k in range(places.size):
        j = column_place[columns[k]]
        places[k] = -1 if j < 0 else row_place[rows[k]] * m + j


@compiled
def factor(values: Reals, places: Ints, m: int, factors: Reals, chosen: Reals, fresh: bool) -> bool:
    """L U of the dependent columns in the order of pivots; False if one of these has shrunk too much. A ``fresh``
    choice sets what they are compared with."""
    clear(factors)
    for k in range(values.size):
        if places[k] >= 0:
            factors[places[k]] = values[k]
    for k in range(m):
        top = view(factors, k * m, m)
        pivot = top[k]
        if fresh:
            chosen[k] = abs(pivot)
        if not abs(pivot) > SHRUNK * chosen[k]:
            return False
        for i in range(k + 1, m):
            row = view(factors, i * m, m)
            part = row[k]
            if part != 0.0:
                part /= pivot
                row[k] = part
                for j in range(k + 1, m):
                    row[j] -= part * top[j]
    return True


@compiled
def solve(factors: Reals, row_place: Ints, m: int, right: Reals, x: Reals) -> None:
    """x of the dependent columns, in the order of pivots, for a right-hand side in that of the rows."""
    for i in range(m):
        x[row_place[i]] = right[i]
    for i in range(m):
        row, total = view(factors, i * m, m), x[i]
        for j in range(i):
            total -= row[j] * x[j]
        x[i] = total
    for i in range(m - 1, -1, -1):
        row, total = view(factors, i * m, m), x[i]
        for j in range(i + 1, m):
            total -= row[j] * x[j]
        x[i] = total / row[i]
