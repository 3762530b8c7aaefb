"""Matrices of constrained motion of a chain of insulators, straight from its geometry.

mexx, section 5.4: N insulators, a triangle and a force point without mass, planar, joints as constraints.  There are
n_v = 3 (N + 1) + 2 velocities and n_lam = 2 (N + 1) + 2 multipliers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dalembert.linalg.plan import Entries

Floats = NDArray[np.float64]


class Chain(NamedTuple):
    """Patterns (column by column) and values of M and G at one configuration, and a right-hand side."""

    n_v: int
    n_lam: int
    M_at: Entries
    G_at: Entries
    M: Floats
    G: Floats
    right: Floats

    @property
    def no_friction(self) -> Entries:
        return Entries(*np.zeros((2, 0), dtype=np.int64))

    def matrix(self) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64]]:
        """Values, rows and columns of the whole matrix."""
        n_v = self.n_v
        rows = np.concatenate([self.M_at.rows, n_v + self.G_at.rows, self.G_at.columns])
        columns = np.concatenate([self.M_at.columns, self.G_at.columns, n_v + self.G_at.rows])
        return np.concatenate([self.M, self.G, self.G]), rows, columns


def insulators(N: int, bend: float = 1.0, mass_of_point: float = 0.0) -> Chain:
    """The chain with angles that vary along it by up to ``bend``; a mass of the force point makes M regular."""
    bodies = N + 1  # the triangle, then the insulators; body i has the coordinates 2 + 3 i …
    angle = bend * np.sin(1.0 + 0.7 * np.arange(bodies))
    mass = np.array([34.0, *[15.0] * (N - 1), 9.8])
    inertia = np.array([3.1, *[0.35] * (N - 1), 0.05])
    d = np.array([0.37, *[0.12] * (N - 1), 0.16])
    c = 0.08
    entries: list[tuple[int, int, float]] = []

    def point(row: int, body: int, along: float, across: float, sign: float) -> None:
        """Rows ``row``, ``row`` + 1: sign × the velocity of r + across (cos, sin) + along (−sin, cos)."""
        first, s, co = 2 + 3 * body, np.sin(angle[body]), np.cos(angle[body])
        entries.extend([(row, first, sign), (row, first + 2, sign * (-along * co - across * s))])
        entries.extend([(row + 1, first + 1, sign), (row + 1, first + 2, sign * (-along * s + across * co))])

    entries.extend([(0, 0, 1.0), (1, 1, 1.0)])
    point(0, 0, -d[0], 0.0, -1.0)
    for k in range(N + 1):
        point(2 + 2 * k, k, d[k] if k else d[0] / 2, 0.0 if k else d[0] / 2 * np.sqrt(3.0), 1.0)
        if k < N:
            point(2 + 2 * k, k + 1, -c, 0.0, -1.0)
    entries.sort(key=lambda item: (item[1], item[0]))
    rows, columns, G = (np.array(part) for part in zip(*entries, strict=True))
    first = 0 if mass_of_point else 2
    diagonal = np.concatenate([[mass_of_point] * 2, np.column_stack([mass, mass, inertia]).ravel()])[first:]
    places = np.arange(first, 2 + 3 * bodies)
    n_v, n_lam = 3 * bodies + 2, 2 * bodies + 2
    right = np.cos(np.arange(n_v + n_lam, dtype=float))
    return Chain(n_v, n_lam, Entries(places, places), Entries(rows, columns), diagonal, G.astype(float), right)
