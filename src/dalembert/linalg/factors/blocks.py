"""Block-diagonal mass matrices: one small Cholesky decomposition per body.

Plan: number of blocks, number of values; starts of: the first coordinate of each block in the list, the list of
coordinates, the first value of each block, places of the entries of M.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.linalg.modes.cholesky_qr import cholesky, solve_lower, solve_upper
from dalembert.linalg.plan import Pattern, with_starts
from dalembert.native.kernel import Ints, Reals, compiled, view

#: Largest block; that of a rigid body has 6 coordinates.
LARGEST = 12


@compiled
def blocks_factor(values: Reals, plan: Ints, M: Reals) -> int:
    """L of each block, by rows; 0, or 1 + the number of a block that is not positive definite."""
    count = plan[0]
    firsts, starts = view(plan, plan[2], count + 1), view(plan, plan[4], count + 1)
    places = view(plan, plan[5], M.size)
    for k in range(plan[1]):
        values[k] = 0.0
    for k in range(M.size):
        values[places[k]] = M[k]
    for b in range(count):
        size = firsts[b + 1] - firsts[b]
        if cholesky(view(values, starts[b], size * size), size):
            return b + 1
    return 0


@compiled
def blocks_solve(values: Reals, plan: Ints, x: Reals, work: Reals) -> None:
    """x := M⁻¹ x; ``work`` has room for a block."""
    count = plan[0]
    firsts, starts = view(plan, plan[2], count + 1), view(plan, plan[4], count + 1)
    coordinates = view(plan, plan[3], x.size)
    for b in range(count):
        first, size = firsts[b], firsts[b + 1] - firsts[b]
        if size == 1:
            root = values[starts[b]]
            x[coordinates[first]] /= root * root
            continue
        part, L = view(work, 0, size), view(values, starts[b], size * size)
        for i in range(size):
            part[i] = x[coordinates[first + i]]
        solve_lower(L, size, part)
        solve_upper(L, size, part)
        for i in range(size):
            x[coordinates[first + i]] = part[i]


def analyse_blocks(blocks: list[list[int]], M: Pattern) -> NDArray[np.int64]:
    """Plan for blocks of coordinates that M connects."""
    sizes = np.array([len(block) for block in blocks], dtype=np.int64)
    firsts = np.concatenate([[0], np.cumsum(sizes)])
    starts = np.concatenate([[0], np.cumsum(sizes**2)])
    inside = {i: (b, k) for b, block in enumerate(blocks) for k, i in enumerate(block)}
    places = []
    for i, j in zip(M.rows.tolist(), M.columns.tolist(), strict=True):
        (b, row), (_, column) = inside[i], inside[j]
        places.append(int(starts[b]) + row * len(blocks[b]) + column)
    lists: list[Any] = [firsts, [i for block in blocks for i in block], starts, places]
    parts = with_starts([len(blocks), int(starts[-1])], lists)
    return np.concatenate([np.asarray(part, dtype=np.int64) for part in parts])
