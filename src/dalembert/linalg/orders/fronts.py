"""Elimination front by front, each front by machine code made for its structure.

A front holds a few unknowns that are eliminated together, such as the coordinates of a body and the multipliers of its
joint, and the border: later unknowns that they touch.  It adds up its own entries and what earlier fronts leave for its
unknowns, eliminates, and leaves the Schur complement on its border for the front that owns the first unknown of it.
Along a tree of bodies this is the recursive algorithm mexx (3.10) or (3.17), by the order of the unknowns; loops make
borders longer, and nothing else changes.

Fronts with the same structure share their code, so a chain of a thousand bodies compiles as much as one of three. Zeros
are known when the code is made and cost nothing.  Pivots are fixed; see :mod:`~dalembert.linalg.orders.order` for why
they are safe.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dalembert.linalg.orders.front_code import RIGHT_ARRAY, FrontClass, Stretch

#: Entries of a source that are this far apart are reached by offsets of their own.
_GAP = 8


class Source(NamedTuple):
    """A value of the matrix: ``sign`` times entry ``entry`` of array ``array``."""

    sign: float
    array: int
    entry: int


@dataclass
class Front:
    """Unknowns ``local``, the first ones eliminated in ``pivots`` (groups of one or two), the others the border."""

    pivots: list[tuple[int, ...]]
    border: list[int]
    children: list[int] = field(default_factory=list)

    @property
    def own(self) -> list[int]:
        return [i for pivot in self.pivots for i in pivot]

    @property
    def local(self) -> list[int]:
        return self.own + self.border


def find_fronts(
    n: int, coupled: Sequence[tuple[int, int]], groups: Sequence[Sequence[tuple[int, ...]]], paired: set[int]
) -> list[Front]:
    """Fronts of a structurally symmetric matrix; two unknowns in ``paired`` may form one pivot.

    ``groups`` are the pivots in their order; those of a group share a front where one leads to the other.
    """
    steps = [step for group in groups for step in group]
    place = [0] * n
    for k, step in enumerate(steps):
        for i in step:
            place[i] = k
    touched, parent = _elimination_tree(len(steps), place, coupled)
    home = _homes(steps, [k for k, group in enumerate(groups) for _ in group], touched, parent)
    members: dict[int, list[int]] = {}
    for k in range(len(steps)):
        members.setdefault(home[k], []).append(k)
    fronts: list[Front] = []
    number: dict[int, int] = {}
    for last in sorted(members):
        number[last] = len(fronts)
        pivots = _paired([steps[k] for k in members[last]], paired)
        fronts.append(Front(pivots, sorted(touched[last], key=lambda i: (place[i], i))))
    for last, k in number.items():
        if parent[last] >= 0:
            fronts[number[home[parent[last]]]].children.append(k)
    return fronts


def _elimination_tree(
    count: int, place: Sequence[int], coupled: Sequence[tuple[int, int]]
) -> tuple[list[set[int]], list[int]]:
    """Later unknowns that each step touches, with fill, and the step that it leaves its remainder to, or −1."""
    touched: list[set[int]] = [set() for _ in range(count)]
    for i, j in coupled:
        if place[i] != place[j]:
            touched[min(place[i], place[j])].add(i if place[i] > place[j] else j)
    parent = [-1] * count
    for k, later in enumerate(touched):
        if later:
            parent[k] = min(place[i] for i in later)
            touched[parent[k]] |= {i for i in later if place[i] != parent[k]}
    return touched, parent


def _homes(
    steps: Sequence[tuple[int, ...]], group_of: Sequence[int], touched: Sequence[set[int]], parent: Sequence[int]
) -> list[int]:
    """For each step the last one of its front: steps without predecessors join the front of their successor; so do
    chains of steps with the same border, and steps of a group."""
    children = Counter(parent)
    home = list(range(len(steps)))
    inner = Counter(children)
    for k, p in enumerate(parent):
        if p >= 0 and not children[k]:
            home[k] = p
            inner[p] -= 1
    for k, p in enumerate(parent):
        alike = p >= 0 and inner[p] == 1 and touched[k] == touched[p] | set(steps[p])
        if p >= 0 and (alike or group_of[k] == group_of[p]):
            home[k] = p
    for k in range(len(steps) - 1, -1, -1):
        if home[k] != k:
            home[k] = home[home[k]]
    return home


def _paired(steps: list[tuple[int, ...]], paired: set[int]) -> list[tuple[int, ...]]:
    """One division serves two multipliers."""
    result: list[tuple[int, ...]] = []
    for step in steps:
        if result and len(step) == len(result[-1]) == 1 and step[0] in paired and result[-1][0] in paired:
            result[-1] = (result[-1][0], step[0])
        else:
            result.append(step)
    return result


class _Clusters:
    """Stretches of arrays that hold some entries, and where each entry stands in them."""

    def __init__(self, entries: Sequence[tuple[int, int]], gap: int = _GAP) -> None:
        self.stretches: list[Stretch] = []
        self.starts: list[int] = []
        self.place: dict[tuple[int, int], tuple[int, int]] = {}
        for array, index in sorted(set(entries)):
            last = self.stretches[-1] if self.stretches else None
            if last is None or last.array != array or index > self.starts[-1] + last.size - 1 + gap:
                self.starts.append(index)
                self.stretches.append(Stretch(array, 1))
            else:
                self.stretches[-1] = Stretch(array, index - self.starts[-1] + 1)
            self.place[array, index] = len(self.stretches) - 1, index - self.starts[-1]


class FrontPlan(NamedTuple):
    """Classes of fronts, and the runs of the three programs: rows of (class, number of fronts, place of offsets)."""

    classes: list[FrontClass]
    runs: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
    offsets: NDArray[np.int64]
    value_size: int
    fronts: int


def plan_fronts(
    fronts: list[Front],
    entries: Mapping[tuple[int, int], list[Source]],
    symmetric: bool,
    watched: bool,
    start: int = 0,
) -> FrontPlan:
    """Classes and offsets of all fronts; ``entries`` are the sources of the matrix, of both triangles.

    ``watched``: the order of pivots is not safe for all values; ``start``: place of the first value.
    """
    classes: dict[FrontClass, FrontClass] = {}
    numbers: dict[FrontClass, int] = {}
    laid: list[_LaidOut] = []
    sequence: list[tuple[int, list[list[int]]]] = []
    by_row: dict[int, list[int]] = {}
    for i, j in entries:
        by_row.setdefault(i, []).append(j)
        by_row.setdefault(j, []).append(i)
    at = start + len(fronts)  # what is left of the pivots of all fronts stands first
    for number, front in enumerate(fronts, start):
        where = {i: a for a, i in enumerate(front.local)}
        sources = _sources(front, where, by_row, entries, symmetric)
        matrix = _Clusters([(s.array, s.entry) for listed in sources.values() for s in listed])
        pivots = _Clusters([(RIGHT_ARRAY, i) for i in front.own], gap=1)
        border = _Clusters([(RIGHT_ARRAY, i) for i in front.border])
        children = [laid[child] for child in front.children]
        listed = tuple(
            (key, tuple((s.sign, *matrix.place[s.array, s.entry]) for s in found))
            for key, found in sorted(sources.items())
        )
        shape = _class_of(front, where, children, listed, (matrix, pivots, border), symmetric, watched)
        here = _LaidOut(front, classes.setdefault(shape, shape), at)
        laid.append(here)
        programs = [
            [*matrix.starts, *(child.update for child in children), here.update, here.factors, number],
            [here.factors, *pivots.starts, *(child.forward for child in children), *pivots.starts, here.forward],
            [here.factors, *pivots.starts, *border.starts, *pivots.starts],
        ]
        sequence.append((numbers.setdefault(here.shape, len(numbers)), programs))
        at = here.end
    offsets: list[int] = []
    runs = (_runs(sequence, 0, offsets), _runs(sequence, 1, offsets), _runs(sequence[::-1], 2, offsets))
    return FrontPlan(list(classes.values()), runs, np.array(offsets, dtype=np.int64), at - start, len(fronts))


def _class_of(
    front: Front, where: Mapping[int, int], children: Sequence[_LaidOut], entries: Any,
    clusters: tuple[_Clusters, _Clusters, _Clusters], symmetric: bool, watched: bool,
) -> FrontClass:  # fmt: skip
    """Structure of a front in its local numbers ``where``; clusters of its matrix, its unknowns and its border."""
    matrix, pivots, border = clusters
    return FrontClass(
        pivots=tuple(tuple(where[i] for i in pivot) for pivot in front.pivots),
        n_border=len(front.border),
        symmetric=symmetric,
        entries=entries,
        matrix=tuple(matrix.stretches),
        pivot_stretches=tuple(pivots.stretches),
        pivot_places=tuple(pivots.place[RIGHT_ARRAY, i] for i in front.own),
        border_stretches=tuple(border.stretches),
        border_places=tuple(border.place[RIGHT_ARRAY, i] for i in front.border),
        children=tuple((child.shape.update_keys, tuple(where[i] for i in child.front.border)) for child in children),
        watched=watched,
    )


class _LaidOut(NamedTuple):
    """A front with its class, and where its values start: its update with the gross sums of the border, its factors,
    what it passes on of right-hand sides."""

    front: Front
    shape: FrontClass
    update: int

    @property
    def factors(self) -> int:
        return self.update + self.shape.n_update + self.shape.n_border

    @property
    def forward(self) -> int:
        return self.factors + self.shape.n_factors

    @property
    def end(self) -> int:
        return self.forward + self.shape.n_border


def _sources(
    front: Front, where: Mapping[int, int], by_row: Mapping[int, list[int]],
    entries: Mapping[tuple[int, int], list[Source]], symmetric: bool,
) -> dict[tuple[int, int], list[Source]]:  # fmt: skip
    """Own entries of a front, in local numbers: those of its pivots that were not taken before."""
    found: dict[tuple[int, int], list[Source]] = {}
    for i in front.own:
        for j in by_row.get(i, ()):
            if j in where:
                for row, column in ((i, j), (j, i)):
                    if (row, column) in entries and (not symmetric or where[row] >= where[column]):
                        found[where[row], where[column]] = entries[row, column]
    return found


def _runs(sequence: list[tuple[int, list[list[int]]]], program: int, offsets: list[int]) -> NDArray[np.int64]:
    """Runs of fronts of one class, one behind the other, of a program; their offsets are appended."""
    rows: list[list[int]] = []
    for number, programs in sequence:
        if not rows or rows[-1][0] != number:
            rows.append([number, 0, len(offsets)])
        rows[-1][1] += 1
        offsets += programs[program]
    return np.array(rows, dtype=np.int64).reshape(-1, 3)
