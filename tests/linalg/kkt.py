"""Random matrices of constrained motion [[M, Gᵀ], [G, 0]] and the sparse solver's view of them."""

from __future__ import annotations

import numpy as np

from dalembert.linalg.factors.sparse_lu import analyse, value_size
from dalembert.linalg.orders.order import saddle_order, symmetric_neighbours


class Saddle:
    """A pattern, its order of pivots and its plan; values come later."""

    def __init__(self, pattern, n_v):
        self.pattern, self.n_v, self.n = pattern, n_v, len(pattern)
        self.rows, self.columns = np.nonzero(pattern)
        neighbours, diagonal = symmetric_neighbours(self.n, self.rows.tolist(), self.columns.tolist())
        self.held = {k: set(np.flatnonzero(pattern[k, :n_v]).tolist()) for k in range(n_v, self.n)}
        self.row_order, self.column_order = saddle_order(neighbours, diagonal, self.held)
        self.plan, self.places = analyse(self.n, self.rows, self.columns, self.row_order, self.column_order)

    def values(self, matrix):
        """The matrix in the places of the plan; entries of the pattern may be zero."""
        values = np.zeros(value_size(self.plan), dtype=matrix.dtype)
        for i, j in zip(self.rows.tolist(), self.columns.tolist(), strict=True):
            values[self.places[i, j]] = matrix[i, j]
        return values


def saddle(M, G):
    m = len(G)
    return np.block([[M, G.T], [G, np.zeros((m, m), dtype=M.dtype)]])


def bodies(rng, count, joints, vanishing=0.0):
    """Rigid bodies with three coordinates each, joined in pairs; returns M, G, and G before entries vanished.

    M is block-diagonal and positive definite; G has two rows per joint.  Entries vanish as sines of zero do.
    """
    M = np.zeros((3 * count, 3 * count))
    for body in range(count):
        block = rng.standard_normal((3, 3))
        here = slice(3 * body, 3 * body + 3)
        M[here, here] = block @ block.T + 0.3 * np.eye(3)
    full = np.zeros((2 * len(joints), 3 * count))
    for k, (first, second) in enumerate(joints):
        for body in {first, second} - {-1}:
            entries = rng.uniform(0.3, 2.0, (2, 3)) * rng.choice([-1.0, 1.0], (2, 3))
            full[2 * k : 2 * k + 2, 3 * body : 3 * body + 3] = entries
    G = np.where(rng.random(full.shape) < vanishing, 0.0, full)
    return M, G, full


def tree(rng, count):
    """Each body hangs on an earlier one, or on the ground (-1)."""
    return [(int(rng.integers(-1, body)), body) for body in range(count)]
