"""Operations on vectors that kernels are written with; each is one loop that the compiler turns into vector code."""

from __future__ import annotations

from dalembert.native.kernel import Ints, Pointer, Reals, compiled, reassociated


class _RowSum(Pointer):
    """Stands for an intrinsic of :mod:`dalembert.linalg.row_sums`, which needs Numba."""

    module = "dalembert.linalg.row_sums"


def _sum_of_rows(weights: Reals, rows: Reals, start: Reals, h: float, n: int, out: Reals) -> None:
    total = 0.0 * start[:n]
    for j in range(weights.size):
        if weights[j] != 0.0:
            total += weights[j] * rows[j * n : (j + 1) * n]
    out[:n] = start[:n] + h * total


#: ``sum_of_rows(weights, rows, start, h, n, out)``: out = start + h Σ weights_j row_j, for rows of n entries; those
#: without weight are not looked at.
sum_of_rows = _RowSum("sum_of_rows", _sum_of_rows)


@compiled
def clear(x: Reals) -> None:
    """x = 0."""
    for k in range(x.size):
        x[k] = 0.0


@compiled
def copy(x: Reals, y: Reals) -> None:
    """y = x, as far as y goes."""
    for k in range(y.size):
        y[k] = x[k]


@compiled
def add(x: Reals, y: Reals) -> None:
    """y = y + x, as far as x goes."""
    for k in range(x.size):
        y[k] += x[k]


@compiled
def subtract(x: Reals, y: Reals) -> None:
    """y = y − x, as far as x goes."""
    for k in range(x.size):
        y[k] -= x[k]


@compiled
def negate(x: Reals, y: Reals) -> None:
    """y = −x, as far as x goes."""
    for k in range(x.size):
        y[k] = -x[k]


@compiled
def add_scaled(factor: float, x: Reals, y: Reals) -> None:
    """y = y + factor · x, as far as x goes."""
    for k in range(x.size):
        y[k] += factor * x[k]


@compiled
def add_product(values: Reals, rows: Ints, columns: Ints, x: Reals, y: Reals) -> None:
    """y = y + A x, for a sparse A."""
    for k in range(values.size):
        y[rows[k]] += values[k] * x[columns[k]]


@compiled
def subtract_product(values: Reals, rows: Ints, columns: Ints, x: Reals, y: Reals) -> None:
    """y = y − A x, for a sparse A."""
    for k in range(values.size):
        y[rows[k]] -= values[k] * x[columns[k]]


@compiled
def larger(x: float, y: float) -> float:
    """The larger of two numbers; NaN if one of them is, so that it comes through a search for the largest."""
    return x if x >= y or x != x else y


@reassociated
def total_size(x: Reals) -> float:
    """Σ |x|, which is not finite if an entry is not."""
    total = 0.0
    for k in range(x.size):
        total += abs(x[k])
    return total
