"""Sparse LU with row pivoting, for the matrices that a fixed order of pivots cannot factorise.

The columns keep their order; in each the pivot of the fixed order stays if it is not small beside the largest, else
that one takes its place.  Patterns are found on the way (Gilbert, Peierls 1988), so that this costs several times as
much as a factorisation with known patterns.  L and U have room for :data:`_ROOM` times the entries of both with the
fixed order each.

Plan: n, room, entries of the matrix; starts of: its columns and rows, the order of the columns, the preferred rows,
places of the pivots; columns and rows of L and of U; work (3 n).  Values: entries of the matrix, sizes of its rows,
work (n), L, U.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dalembert.linalg.plan import with_starts
from dalembert.native.kernel import Ints, Reals, compiled, view

_ROOM = 2
#: A preferred pivot may be smaller than the largest of its column by this factor.
_THRESHOLD = 0.01


@compiled
def row_pivoting_factor(values: Reals, plan: Ints) -> int:
    """Factorise; 0, or 1 + the number of a column without a pivot or for which there is no room.

    The entries of the matrix are divided by the sizes of their rows.
    """
    n, room, entries = plan[0], plan[1], plan[2]
    starts, rows = view(plan, plan[3], n + 1), view(plan, plan[4], entries)
    order, preferred, places = view(plan, plan[5], n), view(plan, plan[6], n), view(plan, plan[7], n)
    l_starts, l_rows = view(plan, plan[8], n + 1), view(plan, plan[9], room)
    u_starts, u_rows = view(plan, plan[10], n + 1), view(plan, plan[11], room)
    stack, marks = view(plan, plan[12], 2 * n), view(plan, plan[12] + 2 * n, n)
    sizes, x = view(values, entries, n), view(values, entries + n, n)
    lower, upper = view(values, entries + 2 * n, room), view(values, entries + 2 * n + room, room)
    for i in range(n):
        places[i], marks[i], sizes[i], x[i] = -1, -1, 0.0, 0.0
    for k in range(entries):
        sizes[rows[k]] = max(sizes[rows[k]], abs(values[k]))
    for i in range(n):
        if not (sizes[i] > 0.0 and sizes[i] < np.inf):
            return i + 1
    for k in range(entries):
        values[k] /= sizes[rows[k]]
    l_end, u_end = 0, 0
    for k in range(n):
        l_starts[k], u_starts[k] = l_end, u_end
        if l_end + n - k > room or u_end + k + 1 > room:  # no more than this can come
            return k + 1
        column = order[k]
        top = n
        for p in range(starts[column], starts[column + 1]):
            if marks[rows[p]] != k:
                top = _reach(rows[p], k, top, places, l_starts, l_rows, stack, marks)
        for p in range(starts[column], starts[column + 1]):
            x[rows[p]] = values[p]
        largest, best = 0.0, -1
        for p in range(top, n):
            i = stack[p]
            place = places[i]
            if place < 0:
                if not abs(x[i]) <= largest:
                    largest, best = abs(x[i]), i
                continue
            value = x[i]
            u_rows[u_end], upper[u_end] = place, value
            u_end += 1
            for l in range(l_starts[place] + 1, l_starts[place + 1]):
                x[l_rows[l]] -= lower[l] * value
        if best < 0 or not largest < np.inf:
            return k + 1
        wanted = preferred[k]
        if marks[wanted] == k and places[wanted] < 0 and abs(x[wanted]) >= _THRESHOLD * largest:
            best = wanted
        pivot = x[best]
        u_rows[u_end], upper[u_end] = k, pivot
        u_end += 1
        places[best] = k
        l_rows[l_end], lower[l_end] = best, 1.0
        l_end += 1
        for p in range(top, n):
            i = stack[p]
            if places[i] < 0:
                l_rows[l_end], lower[l_end] = i, x[i] / pivot
                l_end += 1
            x[i] = 0.0
    l_starts[n], u_starts[n] = l_end, u_end
    for l in range(l_end):
        l_rows[l] = places[l_rows[l]]
    return 0


@compiled
def _reach(row: int, mark: int, top: int, places: Ints, l_starts: Ints, l_rows: Ints, stack: Ints, marks: Ints) -> int:
    """Put the rows that ``row`` leads to on the stack, each before those that it leads to; the new top of the stack.

    The path in work grows from the bottom of the stack, which has room for both; where it stands in each column is in
    the second half.
    """
    n = marks.size
    head = 0
    stack[0] = row
    while head >= 0:
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
    return top


@compiled
def row_pivoting_solve(values: Reals, plan: Ints, right: Reals) -> None:
    """Replace ``right`` by the solution."""
    n, room, entries = plan[0], plan[1], plan[2]
    order, places = view(plan, plan[5], n), view(plan, plan[7], n)
    l_starts, l_rows = view(plan, plan[8], n + 1), view(plan, plan[9], room)
    u_starts, u_rows = view(plan, plan[10], n + 1), view(plan, plan[11], room)
    sizes, x = view(values, entries, n), view(values, entries + n, n)
    lower, upper = view(values, entries + 2 * n, room), view(values, entries + 2 * n + room, room)
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
    empty = np.zeros(n)
    lists = [
        starts, keys % n, column_order, row_order, empty, np.zeros(n + 1), np.zeros(room), np.zeros(n + 1),
        np.zeros(room), np.zeros(3 * n),
    ]  # fmt: skip
    parts = with_starts([n, room, len(keys)], lists)
    return np.concatenate([np.asarray(part, dtype=np.int64) for part in parts]), places.astype(np.int64)


def row_pivoting_value_size(plan: NDArray[np.int64]) -> int:
    """Number of values that belong to a plan, with their work space."""
    n, room, entries = (int(x) for x in plan[:3])
    return entries + 2 * n + 2 * room
