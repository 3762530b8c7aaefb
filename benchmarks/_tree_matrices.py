"""Composite inertia matrices of trees of bodies with cut joints, from (3.132) to (3.148) of Negrut 1998, with random
numbers in place of geometry; and the tree of his vehicle (Table 5, Figures 9 and 10).

Velocity of a body in state-vector notation is that of its father and B_j q̇_j (3.132).  A cut joint between two bodies
sees their relative motion, so that nothing of what carries both enters its constraints.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.linalg.plan import Entries, Structure

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Tree:
    """Fathers (−1: the ground), numbers of coordinates, cut joints (first body, second body, constraints)."""

    fathers: tuple[int, ...]
    sizes: tuple[int, ...]
    cut: tuple[tuple[int, int, int], ...] = ()

    @property
    def n(self) -> int:
        return sum(self.sizes)

    def subchain(self, body: int) -> list[int]:
        """d[body]: from the body to the base."""
        found = []
        while body >= 0:
            found.append(body)
            body = self.fathers[body]
        return found

    def family(self, body: int) -> list[int]:
        """F[body]: it, and all behind it."""
        return [other for other in range(len(self.fathers)) if body in self.subchain(other)]

    def coordinates(self, body: int) -> list[int]:
        first = sum(self.sizes[:body])
        return list(range(first, first + self.sizes[body]))

    def seen(self, first: int, second: int) -> list[int]:
        """Bodies whose joints move the two against each other."""
        return sorted(set(self.subchain(first)) ^ (set(self.subchain(second)) if second >= 0 else set()))


@dataclass(frozen=True)
class TreeMatrices:
    """M and G with the numbers that they were made of: M̂ and B of each body."""

    tree: Tree
    M: Matrix
    G: Matrix
    inertias: list[Matrix]
    motions: list[Matrix]

    def structure(self) -> Structure:
        m, n = self.G.shape
        return Structure(n, m, entries(self.M), entries(self.G), entries(np.zeros((n, m))))

    @property
    def augmented(self) -> Matrix:
        m = len(self.G)
        return np.block([[self.M, self.G.T], [self.G, np.zeros((m, m))]])


def entries(matrix: Any) -> Entries:
    """Places of a full matrix that are not zero, column by column."""
    columns, rows = np.nonzero(np.asarray(matrix).T)
    return Entries(rows, columns)


def composite(tree: Tree, rng: np.random.Generator) -> TreeMatrices:
    """Composite masses K from the leaves to the base (3.143), (3.144), blocks of M by (3.148); G of the cut joints."""
    bodies = range(len(tree.fathers))
    inertias = [_positive_definite(rng, 6) for _ in bodies]
    motions = [rng.standard_normal((6, size)) for size in tree.sizes]
    K = [np.array(inertia) for inertia in inertias]
    for body in sorted(bodies, key=lambda body: -len(tree.subchain(body))):
        if tree.fathers[body] >= 0:
            K[tree.fathers[body]] += K[body]
    M = np.zeros((tree.n, tree.n))
    for u in bodies:
        for v in tree.subchain(u):
            block = motions[u].T @ K[u] @ motions[v]
            M[np.ix_(tree.coordinates(u), tree.coordinates(v))] = block
            M[np.ix_(tree.coordinates(v), tree.coordinates(u))] = block.T
    G = np.zeros((sum(size for _, _, size in tree.cut), tree.n))
    row = 0
    for first, second, size in tree.cut:
        for body in tree.seen(first, second):
            G[row : row + size, tree.coordinates(body)] = rng.standard_normal((size, tree.sizes[body]))
        row += size
    return TreeMatrices(tree, M, G, inertias, motions)


def _positive_definite(rng: np.random.Generator, n: int) -> Matrix:
    A = rng.standard_normal((n, n))
    return A @ A.T + n * np.eye(n)


def vehicle() -> Tree:
    """Chassis; upper arm and spindle of each wheel; rack; lower arms; right front, left front, right rear, left rear.

    27 coordinates and 16 constraints: spherical joints between lower arms and spindles, tie rods from the front
    spindles to the rack and from the rear ones to the chassis.
    """
    fathers, sizes = [-1], [6]
    for _ in range(4):
        fathers += [0, len(fathers)]
        sizes += [1, 3]
    fathers += [0] * 5
    sizes += [1] * 5
    chassis, rack, spindles, lower = 0, 9, (2, 4, 6, 8), (10, 11, 12, 13)
    cut = [(arm, spindle, 3) for arm, spindle in zip(lower, spindles, strict=True)]
    cut += [(spindle, rack if k < 2 else chassis, 1) for k, spindle in enumerate(spindles)]
    return Tree(tuple(fathers), tuple(sizes), tuple(cut))


def random_tree(rng: np.random.Generator, count: int, largest: int = 3, cuts: int = 0) -> Tree:
    """Bodies numbered in any order, so that fathers may come after their sons."""
    order = rng.permutation(count)
    fathers = [-1] * count
    for k in range(1, count):
        if rng.random() > 0.1:
            fathers[order[k]] = int(order[rng.integers(0, k)])
    sizes = [int(rng.integers(1, largest + 1)) for _ in range(count)]
    tree = Tree(tuple(fathers), tuple(sizes))
    cut: list[tuple[int, int, int]] = []
    room = tree.n - 1
    for _ in range(cuts):
        first, second = int(rng.integers(0, count)), int(rng.integers(-1, count))
        free = sum(tree.sizes[body] for body in tree.seen(first, second)) if first != second else 0
        size = min(int(rng.integers(1, 3)), free, room)
        if size > 0 and (first, second) not in {(a, b) for a, b, _ in cut}:
            cut.append((first, second, size))
            room -= size
    return Tree(tree.fathers, tree.sizes, tuple(cut))
