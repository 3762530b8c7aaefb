"""Small matrices whose entries other than zero are listed, row by row: most motions of a mechanism move few of its
parts, and products are taken many times in a step.

A list has the places ``first`` at which rows begin, then ``columns`` and ``values``.  Loops know by unsigned numbers
that no place is counted from the end, which takes more instructions than the products.
"""

from __future__ import annotations

import numpy as np

from dalembert.native.kernel import Ints, Reals, compiled, view


@compiled
def list_rows(matrix: Reals, width: int, first: Ints, columns: Ints, values: Reals) -> None:
    """List a matrix that is stored row by row."""
    at = 0
    for i in range(first.size - 1):
        row = view(matrix, i * width, width)
        first[i] = at
        for j in range(width):
            if row[j] != 0.0:
                columns[at], values[at] = j, row[j]
                at += 1
    first[first.size - 1] = at


@compiled
def add_listed(first: Ints, columns: Ints, values: Reals, x: Reals, out: Reals) -> None:
    """out = out + matrix x."""
    for i in range(out.size):
        total = out[i]
        for k in range(np.uintp(first[i]), np.uintp(first[i + 1])):
            total += values[k] * x[np.uintp(columns[k])]
        out[i] = total


@compiled
def list_factors(a: Reals, n: int, first: Ints, columns: Ints, values: Reals) -> None:
    """List the triangular factors of a matrix without their diagonal: a row of L, a row of U, the next row of L."""
    at = 0
    for i in range(n):
        row = view(a, i * n, n)
        first[2 * i] = at
        for j in range(n):
            if j == i:
                first[2 * i + 1] = at
            elif row[j] != 0.0:
                columns[at], values[at] = j, row[j]
                at += 1
    first[2 * n] = at


@compiled
def solve_listed(a: Reals, n: int, pivots: Ints, first: Ints, columns: Ints, values: Reals, b: Reals) -> None:
    """Replace b by the solution with the factors ``a`` of dense_lu.lu_factor_rows, and their list."""
    for k in range(n):
        best = pivots[k]
        if best != k:
            b[k], b[best] = b[best], b[k]
    for i in range(n):
        total = b[i]
        for k in range(np.uintp(first[2 * i]), np.uintp(first[2 * i + 1])):
            total -= values[k] * b[np.uintp(columns[k])]
        b[i] = total
    for i in range(n - 1, -1, -1):
        total = b[i]
        for k in range(np.uintp(first[2 * i + 1]), np.uintp(first[2 * i + 2])):
            total -= values[k] * b[np.uintp(columns[k])]
        b[i] = total / a[i * n + i]
