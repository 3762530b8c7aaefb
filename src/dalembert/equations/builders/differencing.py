"""Derivatives of functions of numbers by central differences, column by column or in groups, and their patterns."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.contract.provider import Floats, Ints, Pattern
from dalembert.linalg.grouping import column_groups

#: Part of the size of an argument: rounding and truncation balance here.
STEP = float(np.finfo(float).eps) ** (1 / 3)


def pattern_of(mask: NDArray[np.bool_]) -> Pattern:
    """The entries that are true, column by column."""
    columns, rows = np.nonzero(mask.T)
    return Pattern(mask.shape, rows.astype(np.int64), columns.astype(np.int64))


def dense_pattern(rows: int, columns: int) -> Pattern:
    i, j = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
    return Pattern((rows, columns), i.T.reshape(-1).astype(np.int64), j.T.reshape(-1).astype(np.int64))


def mask_of(pattern: Pattern) -> NDArray[np.bool_]:
    """Where a pattern has entries."""
    found = np.zeros(pattern.shape, dtype=bool)
    found[pattern.rows, pattern.columns] = True
    return found


def difference(function: Callable[[Floats], Floats], x: Floats, i: int, size: float = 1.0) -> Floats:
    """Derivative with respect to one entry of some size, by a central difference."""
    h = STEP * max(size, abs(float(x[i])))
    ahead, behind = np.array(x), np.array(x)
    ahead[i] += h
    behind[i] -= h
    return (function(ahead) - function(behind)) / (ahead[i] - behind[i])


def groups_of(mask: NDArray[np.bool_]) -> list[Ints]:
    """Columns that are differenced together, as no row depends on two of them."""
    rows, columns = np.nonzero(mask)
    group = column_groups(rows, columns, mask.shape)
    return [np.flatnonzero(group == number) for number in range(group.max(initial=-1) + 1)]


def grouped_differences(
    function: Callable[[Floats], Floats], x: Floats, mask: NDArray[np.bool_], groups: Sequence[Ints]
) -> Floats:
    """Jacobian by central differences, of several columns together."""
    found = np.zeros(mask.shape)
    for columns in groups:
        ahead, behind = np.array(x), np.array(x)
        h = STEP * np.maximum(1.0, np.abs(x[columns]))
        ahead[columns] += h
        behind[columns] -= h
        change, width = function(ahead) - function(behind), ahead[columns] - behind[columns]
        found[:, columns] = np.where(mask[:, columns], change[:, None] / width, 0.0)
    return found


def differences(function: Callable[[Floats], Floats], x: Floats) -> Floats:
    """Jacobian by central differences."""
    if not len(x):
        return np.zeros((len(function(x)), 0))
    return np.stack([difference(function, x, i) for i in range(len(x))], axis=1)
