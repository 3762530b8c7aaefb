"""Data of tables as generated code holds them: one array for all tables with the same intervals.

A row per interval: where it starts, then the coefficients of each table from its highest power.  Components of a curve
(x, y, z of a rail) and all their derivatives read one row, which the same interval number finds; derivatives take the
coefficients of the function and multiply on the way, with the roundings of ``PiecewisePolynomial.polynomial``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from dalembert.symbolic.tables import PiecewisePolynomial


@dataclass(frozen=True)
class TableGroup:
    """Tables whose intervals start at the same places."""

    tables: tuple[int, ...]
    places: tuple[int, ...]  # where the coefficients of each start in a row
    width: int
    values: list[float]


def grouped(tables: Sequence[PiecewisePolynomial], used: Iterable[int]) -> list[TableGroup]:
    """The tables of a program that are used, by their intervals."""
    by_start: dict[bytes, list[int]] = {}
    for number in sorted(set(used)):
        by_start.setdefault(tables[number].base.tobytes(), []).append(number)
    return [_group(tables, numbers) for numbers in by_start.values()]


def _group(tables: Sequence[PiecewisePolynomial], numbers: list[int]) -> TableGroup:
    rows = [tables[numbers[0]].base[None]]
    places = []
    for number in numbers:
        places.append(sum(part.shape[0] for part in rows))
        rows.append(tables[number].coefficients[3 - tables[number].degree :])
    data = np.vstack(rows)
    return TableGroup(tuple(numbers), tuple(places), data.shape[0], data.T.ravel().tolist())


def terms(table: PiecewisePolynomial, place: int, order: int) -> list[tuple[int, float]]:
    """Horner's scheme of a derivative from the highest power on: place in the row and factor; place 0 for a zero.

    There are as many as ``polynomial`` has, at least those of u and 1, such that infinity and NaN come out alike.
    """
    found = []
    for power in range(max(3, order + 1), order - 1, -1):
        stored = power <= table.degree
        found.append((place + table.degree - power if stored else 0, float(math.perm(power, order))))
    return found
