"""Block-diagonal mass matrices: one small Cholesky decomposition per body."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.linalg.modes.cholesky_qr import cholesky, solve_lower, solve_upper
from dalembert.linalg.plan import EntryPlaces, joined, with_starts
from dalembert.native.kernel import Ints, Reals, compiled, view
from dalembert.native.legend import Legend

#: Largest block; that of a rigid body has 6 coordinates.
LARGEST = 12
BLOCKS = Legend(
    "plan of a block-diagonal mass matrix",
    COUNT="number of blocks",
    N_VALUES="entries of all blocks",
    FIRSTS="start of: the first coordinate of each block in the list, and their end",
    COORDINATES="start of: the list of coordinates",
    STARTS="start of: the first value of each block, and their end",
    PLACES="start of: the place of each entry of M among the values",
)


@compiled
def block_bounds(plan: Ints) -> tuple[Ints, Ints]:
    """First coordinate and first value of each block, each with the end behind it."""
    count = plan[BLOCKS.COUNT] + 1
    return view(plan, plan[BLOCKS.FIRSTS], count), view(plan, plan[BLOCKS.STARTS], count)


@compiled
def blocks_factor(values: Reals, plan: Ints, M: Reals) -> int:
    """L of each block, by rows; 0, or 1 + the number of a block that is not positive definite."""
    firsts, starts = block_bounds(plan)
    places = view(plan, plan[BLOCKS.PLACES], M.size)
    for k in range(plan[BLOCKS.N_VALUES]):
        values[k] = 0.0
    for k in range(M.size):
        values[places[k]] = M[k]
    for b in range(plan[BLOCKS.COUNT]):
        size = firsts[b + 1] - firsts[b]
        if cholesky(view(values, starts[b], size * size), size):
            return b + 1
    return 0


@compiled
def blocks_solve(values: Reals, plan: Ints, x: Reals, work: Reals) -> None:
    """x := M⁻¹ x; ``work`` has room for a block."""
    firsts, starts = block_bounds(plan)
    coordinates = view(plan, plan[BLOCKS.COORDINATES], x.size)
    for b in range(plan[BLOCKS.COUNT]):
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


def analyse_blocks(blocks: list[list[int]], M: EntryPlaces) -> NDArray[np.int64]:
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
    return joined(with_starts([len(blocks), int(starts[-1])], lists))
