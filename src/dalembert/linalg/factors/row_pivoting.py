"""Sparse LU with row pivoting, for the matrices that a fixed order of pivots cannot factorise.

The columns keep their order; in each the pivot of the fixed order stays if it is not small beside the largest, else
that one takes its place.  Patterns are found on the way (Gilbert, Peierls 1988), so that this costs several times as
much as a factorisation with known patterns.  L and U have room for :data:`_ROOM` times the entries of both with the
fixed order each.

Values: entries of the matrix, sizes of its rows (n), a column in work or a solution (n), L, U.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dalembert.linalg.plan import History, joined, with_starts
from dalembert.native.kernel import Ints, Reals, compiled, view
from dalembert.native.legend import Legend

PIVOTING = Legend(
    "plan of a sparse LU with row pivoting",
    N="number of unknowns",
    ROOM="entries that L and U have room for, each",
    ENTRIES="entries of the matrix",
    STARTS="start of: the first entry of each column, and their end",
    ROWS="start of: the rows of the entries",
    ORDER="start of: the order of the columns",
    PREFERRED="start of: the row that each column prefers as its pivot",
    PLACES="start of: for each row the column whose pivot it is, or −1",
    L_STARTS="start of: the first entry of each column of L, and their end",
    L_ROWS="start of: the rows of the entries of L",
    U_STARTS="start of: the first entry of each column of U, and their end",
    U_ROWS="start of: the rows of the entries of U",
    STACK="start of: rows that a column reaches (n), and where a search stands (n)",
    MARKS="start of: for each row the last column that reached it",
)
_ROOM = 2
#: A preferred pivot may be smaller than the largest of its column by this factor.
_THRESHOLD = 0.01


@compiled
def _lower(values: Reals, plan: Ints) -> tuple[Ints, Ints, Reals]:
    """L: starts of the columns, rows, entries; the diagonal comes first in each column."""
    n, room = plan[PIVOTING.N], plan[PIVOTING.ROOM]
    first = plan[PIVOTING.ENTRIES] + 2 * n
    return (
        view(plan, plan[PIVOTING.L_STARTS], n + 1), view(plan, plan[PIVOTING.L_ROWS], room), view(values, first, room)
    )  # fmt: skip


@compiled
def _upper(values: Reals, plan: Ints) -> tuple[Ints, Ints, Reals]:
    """U: starts of the columns, rows, entries; the diagonal comes last in each column."""
    n, room = plan[PIVOTING.N], plan[PIVOTING.ROOM]
    first = plan[PIVOTING.ENTRIES] + 2 * n + room
    return (
        view(plan, plan[PIVOTING.U_STARTS], n + 1), view(plan, plan[PIVOTING.U_ROWS], room), view(values, first, room)
    )  # fmt: skip


@compiled
def _vectors(values: Reals, plan: Ints) -> tuple[Reals, Reals]:
    """Sizes of the rows of the matrix; work."""
    n, entries = plan[PIVOTING.N], plan[PIVOTING.ENTRIES]
    return view(values, entries, n), view(values, entries + n, n)


@compiled
def row_pivoting_factor(values: Reals, plan: Ints) -> int:
    """Factorise; 0, or 1 + the number of a column without a pivot or for which there is no room.

    The entries of the matrix are divided by the sizes of their rows.
    """
    n, room = plan[PIVOTING.N], plan[PIVOTING.ROOM]
    failed = _scale_rows(values, plan)
    if failed:
        return failed
    places, marks = view(plan, plan[PIVOTING.PLACES], n), view(plan, plan[PIVOTING.MARKS], n)
    l_starts, l_rows, _ = _lower(values, plan)
    u_starts, u_rows, upper = _upper(values, plan)
    _, x = _vectors(values, plan)
    for i in range(n):
        places[i], marks[i], x[i] = -1, -1, 0.0
    l_end, u_end = 0, 0
    for k in range(n):
        l_starts[k], u_starts[k] = l_end, u_end
        if l_end + n - k > room or u_end + k + 1 > room:  # no more than this can come
            return k + 1
        top = _reach_of_column(values, plan, k)
        u_end = _eliminate(values, plan, top, u_end)
        best = _pivot_row(values, plan, k, top)
        if best < 0:
            return k + 1
        u_rows[u_end], upper[u_end] = k, x[best]
        u_end += 1
        places[best] = k
        l_end = _column_of_L(values, plan, best, top, l_end)
    l_starts[n], u_starts[n] = l_end, u_end
    for l in range(l_end):
        l_rows[l] = places[l_rows[l]]
    return 0


@compiled
def _scale_rows(values: Reals, plan: Ints) -> int:
    """Divide all entries by the largest of their rows; 0, or 1 + the number of a row that is empty or not finite."""
    rows = view(plan, plan[PIVOTING.ROWS], plan[PIVOTING.ENTRIES])
    sizes, _ = _vectors(values, plan)
    for i in range(sizes.size):
        sizes[i] = 0.0
    for k in range(rows.size):
        sizes[rows[k]] = max(sizes[rows[k]], abs(values[k]))
    for i in range(sizes.size):
        if not (sizes[i] > 0.0 and sizes[i] < np.inf):
            return i + 1
    for k in range(rows.size):
        values[k] /= sizes[rows[k]]
    return 0


@compiled
def _reach_of_column(values: Reals, plan: Ints, k: int) -> int:
    """Put column k of the order to work, and the rows that it reaches on the stack; the top of the stack."""
    n = plan[PIVOTING.N]
    starts, rows = view(plan, plan[PIVOTING.STARTS], n + 1), view(plan, plan[PIVOTING.ROWS], plan[PIVOTING.ENTRIES])
    stack, marks = view(plan, plan[PIVOTING.STACK], 2 * n), view(plan, plan[PIVOTING.MARKS], n)
    places = view(plan, plan[PIVOTING.PLACES], n)
    l_starts, l_rows, _ = _lower(values, plan)
    _, x = _vectors(values, plan)
    column = plan[plan[PIVOTING.ORDER] + k]
    top = n
    for p in range(starts[column], starts[column + 1]):
        x[rows[p]] = values[p]
        if marks[rows[p]] != k:
            top = _reach(rows[p], k, top, places, l_starts, l_rows, stack, marks)
    return top


@compiled
def _eliminate(values: Reals, plan: Ints, top: int, u_end: int) -> int:
    """Take the columns of L that the column in work reaches from it; what stands above its diagonal goes to U, whose
    new end is returned."""
    n = plan[PIVOTING.N]
    stack, places = view(plan, plan[PIVOTING.STACK], 2 * n), view(plan, plan[PIVOTING.PLACES], n)
    l_starts, l_rows, lower = _lower(values, plan)
    _, u_rows, upper = _upper(values, plan)
    _, x = _vectors(values, plan)
    for p in range(top, n):
        place, value = places[stack[p]], x[stack[p]]
        if place < 0:
            continue
        u_rows[u_end], upper[u_end] = place, value
        u_end += 1
        for l in range(l_starts[place] + 1, l_starts[place + 1]):
            x[l_rows[l]] -= lower[l] * value
    return u_end


@compiled
def _pivot_row(values: Reals, plan: Ints, k: int, top: int) -> int:
    """Row of the pivot of column k: the preferred one, if it is not small, else that of the largest entry; −1 if there
    is none, or one that is not finite."""
    n = plan[PIVOTING.N]
    stack, places = view(plan, plan[PIVOTING.STACK], 2 * n), view(plan, plan[PIVOTING.PLACES], n)
    _, x = _vectors(values, plan)
    largest, best = 0.0, -1
    for p in range(top, n):
        i = stack[p]
        if places[i] < 0 and not abs(x[i]) <= largest:
            largest, best = abs(x[i]), i
    if not largest < np.inf:
        return -1
    wanted = plan[plan[PIVOTING.PREFERRED] + k]
    reached = plan[plan[PIVOTING.MARKS] + wanted] == k
    if best >= 0 and reached and places[wanted] < 0 and abs(x[wanted]) >= _THRESHOLD * largest:
        return wanted
    return best


@compiled
def _column_of_L(values: Reals, plan: Ints, best: int, top: int, l_end: int) -> int:
    """What is left of the column in work, divided by the pivot, goes to L, whose new end is returned."""
    n = plan[PIVOTING.N]
    stack, places = view(plan, plan[PIVOTING.STACK], 2 * n), view(plan, plan[PIVOTING.PLACES], n)
    _, l_rows, lower = _lower(values, plan)
    _, x = _vectors(values, plan)
    pivot = x[best]
    l_rows[l_end], lower[l_end] = best, 1.0
    l_end += 1
    for p in range(top, n):
        i = stack[p]
        if places[i] < 0:
            l_rows[l_end], lower[l_end] = i, x[i] / pivot
            l_end += 1
        x[i] = 0.0
    return l_end


@compiled
def _reach(row: int, mark: int, top: int, places: Ints, l_starts: Ints, l_rows: Ints, stack: Ints, marks: Ints) -> int:
    """Put the rows that ``row`` leads to on the stack, each before those that it leads to; the new top of the stack.

    The path in work grows from the bottom of the stack, which has room for both; where it stands in each column is in
    the second half.
    """
    n = marks.size
    head = 0
    stack[0] = row
    for _ in range(2 * n):  # each row is entered and left
        i = stack[head]
        place = places[i]
        if marks[i] != mark:
            marks[i] = mark
            stack[n + head] = 0 if place < 0 else l_starts[place] + 1
        end = 0 if place < 0 else l_starts[place + 1]
        deeper = False
        for p in range(stack[n + head], end):
            if marks[l_rows[p]] == mark:
                continue
            stack[n + head] = p + 1
            head += 1
            stack[head] = l_rows[p]
            deeper = True
            break
        if not deeper:
            head -= 1
            top -= 1
            stack[top] = i
            if head < 0:
                break
    return top


@compiled
def row_pivoting_solve(values: Reals, plan: Ints, right: Reals) -> None:
    """Replace ``right`` by the solution."""
    n = plan[PIVOTING.N]
    order, places = view(plan, plan[PIVOTING.ORDER], n), view(plan, plan[PIVOTING.PLACES], n)
    l_starts, l_rows, lower = _lower(values, plan)
    u_starts, u_rows, upper = _upper(values, plan)
    sizes, x = _vectors(values, plan)
    for i in range(n):
        x[places[i]] = right[i] / sizes[i]
    for k in range(n):
        for l in range(l_starts[k] + 1, l_starts[k + 1]):
            x[l_rows[l]] -= lower[l] * x[k]
    for k in range(n - 1, -1, -1):
        last = u_starts[k + 1] - 1
        x[k] /= upper[last]
        for u in range(u_starts[k], last):
            x[u_rows[u]] -= upper[u] * x[k]
    for k in range(n):
        right[order[k]] = x[k]


def analyse_row_pivoting(
    n: int, rows: NDArray[np.int64], columns: NDArray[np.int64], row_order: list[int], column_order: list[int],
    entries: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:  # fmt: skip
    """Plan for a matrix with entries at ``rows``, ``columns``, and the place of each among the values; ``entries`` is
    the number of entries of the factors with the fixed order."""
    keys, places = np.unique(columns * n + rows, return_inverse=True)
    starts = np.searchsorted(keys, n * np.arange(n + 1))
    # A column is begun only if all that it could need fits.
    room = n + min(_ROOM * entries, n * (n + 1) // 2)
    by_row, by_entry, bounds = np.zeros(n), np.zeros(room), np.zeros(n + 1)
    lists = [
        starts, keys % n, column_order, row_order, by_row, bounds, by_entry, bounds, by_entry, np.zeros(2 * n), by_row,
    ]  # fmt: skip
    return joined(with_starts([n, room, len(keys)], lists)), places.astype(np.int64)


def row_pivoting_value_size(plan: NDArray[np.int64]) -> int:
    """Number of values that belong to a plan, with their work space."""
    return int(plan[PIVOTING.ENTRIES] + 2 * plan[PIVOTING.N] + 2 * plan[PIVOTING.ROOM])


def history_of_row_pivoting(plan: NDArray[np.int64]) -> list[History]:
    """The whole numbers that factors consist of: pivots, and the patterns of L and U."""
    n, room = int(plan[PIVOTING.N]), int(plan[PIVOTING.ROOM])
    listed = (
        (PIVOTING.PLACES, n, -1, n - 1), (PIVOTING.L_STARTS, n + 1, 0, room), (PIVOTING.L_ROWS, room, 0, n - 1),
        (PIVOTING.U_STARTS, n + 1, 0, room), (PIVOTING.U_ROWS, room, 0, n - 1),
    )  # fmt: skip
    return [History(int(plan[start]), size, least, largest) for start, size, least, largest in listed]
