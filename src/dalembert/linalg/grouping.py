"""Groups of columns of a sparse matrix that can be differenced together.

Columns without a common row do not disturb each other: one difference along the sum of their directions gives the
entries of all of them (Curtis, Powell, Reid, *On the estimation of sparse Jacobian matrices*, J. Inst. Maths Applics
13, 1974).  As few groups as possible is a colouring of the graph whose edges join columns with a common row, which is
hard; going through the columns in a good order and giving each the first group that is free for it comes close
(Coleman, Moré, *Estimation of sparse Jacobian matrices and graph coloring problems*, SIAM J. Numer. Anal. 20, 1983).

This is structure only: where entries may be, not what they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dalembert.arguments import listed, reals, shown, whole
from dalembert.errors import EquationsError

#: Numbers of rows and columns stay below this.
_LARGEST = 10_000_000


class _Columns:
    """The columns of a pattern, and those with a common row as their neighbours."""

    def __init__(self, rows: NDArray[np.int64], columns: NDArray[np.int64], shape: tuple[int, int]) -> None:
        entries = _entries(rows, columns)
        n_rows, self.n = shape
        self.in_row = _lists(entries[:, 1], entries[:, 0], n_rows)
        self.rows_of = _lists(entries[:, 0], entries[:, 1], self.n)

    def neighbours(self, column: int) -> set[int]:
        """Found anew each time: a long row makes neighbours of all its columns, too many to be kept."""
        found: set[int] = set().union(*(self.in_row[row] for row in self.rows_of[column]))
        found.discard(column)
        return found

    def degrees(self) -> list[int]:
        return [len(self.neighbours(column)) for column in range(self.n)]


def _entries(rows: ArrayLike, columns: ArrayLike) -> NDArray[np.int64]:
    """Pairs of row and column, each once."""
    pairs = np.column_stack([np.asarray(rows, dtype=np.int64), np.asarray(columns, dtype=np.int64)])
    return np.unique(pairs, axis=0)


def _lists(values: NDArray[np.int64], keys: NDArray[np.int64], count: int) -> list[list[int]]:
    """The values that belong to each of the keys 0, …, count − 1."""
    order = np.argsort(keys, kind="stable")
    starts = np.searchsorted(keys[order], np.arange(count + 1)).tolist()
    listed = values[order].tolist()
    return [listed[first:last] for first, last in pairwise(starts)]


def _natural(columns: _Columns) -> Sequence[int]:
    return range(columns.n)


def _largest_first(columns: _Columns) -> Sequence[int]:
    """Columns with many neighbours while there is still room for them."""
    degrees = columns.degrees()
    return sorted(range(columns.n), key=lambda column: -degrees[column])


def _smallest_last(columns: _Columns) -> Sequence[int]:
    """Each column has the fewest neighbours among those before it."""
    return list(_by_count(columns, columns.degrees()))[::-1]


def _incidence_degree(columns: _Columns) -> Sequence[int]:
    """Each column has the most neighbours among those before it; two groups are found wherever two are enough."""
    return list(_by_count(columns, [columns.n] * columns.n, _largest_first(columns)[::-1]))


def _by_count(columns: _Columns, counts: list[int], listed: Sequence[int] | None = None) -> Iterator[int]:
    """Take a column with the smallest count, and one from the counts of its neighbours, till none is left; of equal
    ones that which came to its count last, at the start the last of ``listed``."""
    waiting: list[dict[int, None]] = [{} for _ in range(max(counts, default=0) + 1)]  # dictionaries keep their order
    for column in range(columns.n) if listed is None else listed:
        waiting[counts[column]][column] = None
    least = 0
    for _ in range(columns.n):
        while not waiting[least]:
            least += 1
        column, _ = waiting[least].popitem()
        counts[column] = -1
        yield column
        for other in columns.neighbours(column):
            if counts[other] >= 0:
                del waiting[counts[other]][other]
                counts[other] -= 1
                waiting[counts[other]][other] = None
                least = min(least, counts[other])


_ORDERS: tuple[Callable[[_Columns], Sequence[int]], ...] = (
    _natural, _largest_first, _smallest_last, _incidence_degree
)  # fmt: skip


def _first_free(columns: _Columns, order: Sequence[int]) -> list[int]:
    """Each column in its turn gets the first group that none of its neighbours has."""
    groups = [0] * columns.n
    taken = [0] * len(columns.in_row)  # bits: groups that are in a row already
    for column in order:
        there = 0
        for row in columns.rows_of[column]:
            there |= taken[row]
        free = ~there & (there + 1)  # its lowest bit that is zero
        groups[column] = free.bit_length() - 1
        for row in columns.rows_of[column]:
            taken[row] |= free
    return groups


def column_groups(rows: ArrayLike, columns: ArrayLike, shape: tuple[int, int]) -> NDArray[np.int64]:
    """Group of each column, 0, 1, …, of a matrix with entries at ``rows``, ``columns``: columns of a group have no row
    in common, so that one difference along all of them gives the entries of each.

    Columns are taken in their natural order, those with many neighbours first, those with few last, and by the number
    of neighbours that are in groups already; the fewest groups win, the earlier order where there are as many.  Columns
    without entries are in group 0.
    """
    entries = _checked("column_groups", rows, columns, shape)
    pattern = _Columns(entries[:, 0], entries[:, 1], shape)
    bound = max(longest_row(entries[:, 0], entries[:, 1]), 1)
    best: list[int] = []
    for order in _ORDERS:
        found = _first_free(pattern, order(pattern))
        if not best or max(found) < max(best):
            best = found
        if max(best, default=0) + 1 <= bound:  # there cannot be fewer
            break
    return np.array(best, dtype=np.int64)


def _checked(what: str, rows: Any, columns: Any, shape: Any = None) -> NDArray[np.int64]:
    """Entries, each once, within the shape of the matrix if it is given."""
    sizes = [_LARGEST, _LARGEST]
    if shape is not None:
        name = f"{what}: shape"
        sizes = [whole(size, name, EquationsError) for size in listed(shape, name, EquationsError)]
    if len(sizes) != 2 or min(sizes) < 0 or max(sizes) > _LARGEST:
        raise EquationsError(
            f"{what}: shape must be two numbers, of rows and columns, up to {_LARGEST}; got {shown(shape)}"
        )
    found = [
        _numbers(given, f"{what}: {name}", size)
        for name, given, size in (("rows", rows, sizes[0]), ("columns", columns, sizes[1]))
    ]
    if found[0].size != found[1].size:
        raise EquationsError(f"{what}: there are {found[0].size} rows and {found[1].size} columns of entries")
    return _entries(*found)


def _numbers(given: Any, what: str, size: int = _LARGEST) -> NDArray[np.int64]:
    """A list of whole numbers from 0 on, below a size."""
    numbers = reals(given, what, EquationsError, ndim=1)
    if not ((numbers >= 0) & (numbers < size) & (numbers == np.floor(numbers))).all():
        raise EquationsError(f"{what} must be whole numbers from 0 to {size - 1}")
    return numbers.astype(np.int64)


def longest_row(rows: ArrayLike, columns: ArrayLike) -> int:
    """Number of entries of the fullest row: there are no fewer groups, as its columns are all in different ones."""
    entries = _checked("longest_row", rows, columns)
    return int(np.unique(entries[:, 0], return_counts=True)[1].max()) if len(entries) else 0


def consistent(groups: ArrayLike, rows: ArrayLike, columns: ArrayLike) -> bool:
    """Whether no two columns of a group have a common row."""
    entries, of_column = _checked("consistent", rows, columns), _numbers(groups, "consistent: groups")
    if len(entries) and entries[:, 1].max() >= of_column.size:
        raise EquationsError(f"consistent: there are {of_column.size} groups, of fewer columns than have entries")
    return len(_entries(entries[:, 0], of_column[entries[:, 1]])) == len(entries)
