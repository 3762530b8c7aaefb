"""Operations on vectors that kernels are written with; each is one loop that the compiler turns into vector code."""

from __future__ import annotations

from dalembert.native.kernel import Ints, Reals, compiled, reassociated


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
