"""Order of pivots that is safe for all values of a matrix of constrained motion."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise


def pivot_order(neighbours: Sequence[set[int]], after: Mapping[int, set[int]]) -> list[int]:
    """Diagonal pivots by minimum degree, each index only after those that ``after`` gives for it.

    ``neighbours[i]`` are the other unknowns in row i of a structurally symmetric matrix.
    """
    n = len(neighbours)
    adjacent = [set(row) for row in neighbours]
    waiting = {i: set(others) for i, others in after.items() if others}
    waiters: dict[int, list[int]] = {}
    for i, others in waiting.items():
        for j in others:
            waiters.setdefault(j, []).append(i)
    heap = [(len(adjacent[i]), i) for i in range(n) if i not in waiting]
    heapq.heapify(heap)
    done = [False] * n
    order: list[int] = []
    while heap:
        degree, i = heapq.heappop(heap)
        if done[i] or degree != len(adjacent[i]):
            continue
        done[i] = True
        order.append(i)
        clique = adjacent[i]
        for j in clique:
            adjacent[j] |= clique
            adjacent[j] -= {i, j}
        for j in clique.union(waiters.get(i, ())):
            if j in waiting:
                waiting[j].discard(i)
                if not waiting[j]:
                    del waiting[j]
            if not done[j] and j not in waiting:
                heapq.heappush(heap, (len(adjacent[j]), j))
    return order


def saddle_order(
    neighbours: Sequence[set[int]],
    diagonal: Sequence[bool],
    multipliers: Mapping[int, set[int]],
    chains: Sequence[Sequence[tuple[int, int]]] = (),
) -> tuple[list[int], list[int]]:
    """Rows and columns of the pivots of a structurally symmetric matrix with multipliers.

    ``multipliers`` gives for each unknown that is one the unknowns that its constraint takes hold of; it waits for
    them.  Unknowns without a ``diagonal`` entry that are no multipliers (coordinates without mass) are eliminated
    together with one constraint that holds them: first the entry (constraint, coordinate), then its mirror image.

    ``chains`` are such pairs (coordinate, multiplier) that are known to be safe in their order.  The structure alone
    would take any constraint that may hold a coordinate, though it be by nothing but rounding: on straight rails, and
    not on others, the inclination of profiles has no part in where a wheel is along them.
    """
    adjacent = [set(row) for row in neighbours]
    known = {i: k for chain in chains for i, k in chain}
    massless = [i for i in range(len(adjacent)) if not diagonal[i] and i not in multipliers and i not in known]
    said = set(known.values())
    # The constraint with the fewest unknowns says most about a coordinate.
    wanted = {
        i: sorted((k for k in adjacent[i] - said if i in multipliers.get(k, ())), key=lambda k: (len(adjacent[k]), k))
        for i in massless
    }
    partner = matched(wanted) | known
    taken = set(partner.values())
    for i, k in partner.items():  # a pair is one node, called by its coordinate
        merged = (adjacent[i] | adjacent[k]) - {i, k}
        for j in adjacent[k]:
            adjacent[j].discard(k)
        adjacent[i], adjacent[k] = merged, set()
        for j in merged:
            adjacent[j].add(i)
    after = {k: held & adjacent[k] for k, held in multipliers.items() if k not in taken}
    after |= {i: {before} for chain in chains for (before, _), (i, _) in pairwise(chain)}
    rows: list[int] = []
    columns: list[int] = []
    for node in pivot_order(adjacent, after):
        if node in partner:
            rows += [partner[node], node]
            columns += [node, partner[node]]
        elif node not in taken:
            rows.append(node)
            columns.append(node)
    return rows, columns


def matched(wanted: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """A partner for as many as possible, by augmenting paths: who finds all taken asks the others to move on."""
    partner: dict[int, int] = {}
    holder: dict[int, int] = {}
    for start in wanted:
        asked_by: dict[int, int] = {}
        waiting = [start]
        for i in waiting:
            fresh = [k for k in wanted[i] if k not in asked_by]
            asked_by |= dict.fromkeys(fresh, i)
            end = next((k for k in fresh if k not in holder), None)
            if end is None:
                waiting += [holder[k] for k in fresh]
                continue
            while end is not None:
                i = asked_by[end]
                before, holder[end] = partner.get(i), i
                partner[i], end = end, before
            break
    return partner


def symmetric_neighbours(n: int, rows: Iterable[int], columns: Iterable[int]) -> tuple[list[set[int]], list[bool]]:
    """Neighbours of each unknown in the pattern of A + Aᵀ, and whether it stands on the diagonal."""
    neighbours: list[set[int]] = [set() for _ in range(n)]
    diagonal = [False] * n
    for i, j in zip(rows, columns, strict=True):
        if i == j:
            diagonal[i] = True
        else:
            neighbours[i].add(j)
            neighbours[j].add(i)
    return neighbours, diagonal
