"""Random matrices of constrained motion [[M, Gᵀ − F], [G, 0]] with structure, and their patterns."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from linalg.kkt import tree

from dalembert.linalg.plan import Entries, Structure
from dalembert.linalg.saddle import Saddle, analyse_saddle

KINDS = ("tree", "loop", "massless", "friction", "massless and friction", "joint coordinates", "full")


def pattern(matrix) -> Entries:
    columns, rows = np.nonzero(np.asarray(matrix).T)
    return Entries(rows, columns)


@dataclass(frozen=True)
class System:
    """Values, and matrices that are not zero where the patterns have entries; values may vanish there."""

    M: np.ndarray
    G: np.ndarray
    F: np.ndarray
    structure: Structure
    right: np.ndarray

    @classmethod
    def of(cls, M, G, F=None, full_G=None, right=None, seed=0):
        F = np.zeros(G.T.shape) if F is None else F
        parts = M, G if full_G is None else full_G, F
        structure = Structure(len(M), len(G), *map(pattern, parts))
        if right is None:
            right = np.random.default_rng(seed).standard_normal(len(M) + len(G))
        return cls(M, G, F, structure, right)

    @property
    def matrix(self):
        m = len(self.G)
        return np.block([[self.M, self.G.T - self.F], [self.G, np.zeros((m, m))]])

    def with_values(self, **values):
        return replace(self, **values)

    def entries(self):
        s = self.structure
        return self.M[s.M], self.G[s.G], self.F[s.F]

    def solver(self, mode) -> Saddle:
        return Saddle(analyse_saddle(mode, *self.structure))

    def solve(self, made: Saddle):
        """Status of the factorisation, of the solution, and the solution."""
        status = made.factor(*self.entries())
        return (status, *((1, self.right) if status else made.solve(self.right)))

    def is_regular(self, limit=1e6):
        A = self.matrix
        return bool(np.linalg.cond(A) < limit)


def random_system(rng, kind, count) -> System:
    """Planar bodies with three coordinates each and joints with two constraints, or full matrices."""
    if kind == "full":
        n = 3 * count
        B = rng.standard_normal((n, n))
        return System.of(
            B @ B.T + 0.3 * np.eye(n), rng.standard_normal((int(rng.integers(0, n + 1)), n)), seed=rng.integers(2**31)
        )
    if kind == "joint coordinates":
        fathers = [father for father, _ in tree(rng, count)]
        return joint_coordinates(rng, fathers, rng.uniform(0, 2 * np.pi, count))
    joints = tree(rng, count)
    if kind == "loop" and count > 2:
        joints.append((0, count - 1))
    n_v = 3 * count + (2 if "massless" in kind else 0)
    M, full = np.zeros((n_v, n_v)), np.zeros((2 * len(joints) + (2 if "massless" in kind else 0), n_v))
    diagonal = rng.random() < 0.5
    for body in range(count):
        here = slice(3 * body, 3 * body + 3)
        block = rng.standard_normal((3, 3))
        M[here, here] = np.diag(rng.uniform(0.3, 3.0, 3)) if diagonal else block @ block.T + 0.3 * np.eye(3)
    for k, (first, second) in enumerate(joints):
        for body in {first, second} - {-1}:
            entries = rng.uniform(0.3, 2.0, (2, 3)) * rng.choice([-1.0, 1.0], (2, 3))
            full[2 * k : 2 * k + 2, 3 * body : 3 * body + 3] = entries
    if "massless" in kind:  # a point that is fixed to a body
        body = int(rng.integers(0, count))
        full[-2:, -2:] = np.eye(2)
        full[-2:, 3 * body : 3 * body + 3] = -np.array([[1.0, 0.0, rng.uniform(-1, 1)], [0.0, 1.0, 0.7]])
    vanishing = rng.random(full.shape) < 0.1
    vanishing[-2:] &= "massless" not in kind
    G = np.where(vanishing, 0.0, full)
    F = np.zeros(G.T.shape)
    if "friction" in kind:
        some = (rng.random(F.shape) < 0.3) & (full.T != 0)
        F = np.where(some, 0.2 * rng.standard_normal(F.shape), 0.0)
    return System.of(M, G, F, full_G=full, seed=rng.integers(2**31))


def joint_coordinates(rng, fathers, angles) -> System:
    """Planar bodies whose motion is that of their father and of a joint with one coordinate, which has no mass: mexx
    (3.11), body by body (y, z)."""
    count = len(fathers)
    M, G = np.zeros((4 * count, 4 * count)), np.zeros((3 * count, 4 * count))
    for k, (father, angle) in enumerate(zip(fathers, angles, strict=True)):
        rows, body = slice(3 * k, 3 * k + 3), slice(4 * k, 4 * k + 3)
        block = rng.standard_normal((3, 3))
        M[body, body] = block @ block.T + 0.3 * np.eye(3)
        G[rows, body] = np.eye(3)
        G[rows, 4 * k + 3] = -np.cos(angle), -np.sin(angle), -1.0
        if father >= 0:
            lever = np.eye(3)
            lever[:2, 2] = -np.sin(angle + 1.0), np.cos(angle + 1.0)
            G[rows, 4 * father : 4 * father + 3] = -lever
    return System.of(M, G, seed=rng.integers(2**31))
