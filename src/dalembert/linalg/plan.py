"""What every mode of :mod:`~dalembert.linalg.saddle` knows about its matrix: sizes and patterns, in front of its own
lists.

A plan is one array of whole numbers.  It starts with a header, whose places are the constants below, and the rows and
columns of the entries of M, G and F; what a mode adds stands from ``plan[OWN]`` on.  Lists that a mode changes on the
way (pivots, a choice of coordinates) are there too, so that the plan and the values are the whole state of a
factorisation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from dalembert.linalg.orders.order import saddle_order, symmetric_neighbours
from dalembert.native.kernel import Ints, Reals, compiled, reassociated, view

#: Places in the header: the mode; the mode that it uses inside, or 0; whether a decomposition that is there shall be
#: kept (conjugate gradients only); how often a decomposition went bad and was replaced; sizes; entries of M, G, F;
#: start of the own lists.
MODE, INNER, KEEP, TROUBLES, N_V, N_LAM, N_M, N_G, N_F, OWN = range(10)
_HEADER = 10
#: Numbers of the modes, and places in a table of addresses: routines of LAPACK, then two per mode, factor and solve.
DENSE, SPARSE, RANGE, SYMMETRIC, CHOLESKY_QR, MINIMAL, CONJUGATE_GRADIENTS, RECURSIVE = range(1, 9)
DGETRF, DGETRS, DSYTRF, DSYTRS = range(4)
LAPACK = ("dgetrf", "dgetrs", "dsytrf", "dsytrs")
SOLVERS = 4
#: Behind them, for up to two plans of fronts: a key, and the address of the list of their functions.
FRONTS = SOLVERS + 2 * (RECURSIVE + 1)
N_ADDRESSES = FRONTS + 4
#: Relative residual that a solution without row pivoting may have, in the mean.
RESIDUAL = 1e-12


class Pattern(Protocol):
    """Places of the entries of a sparse matrix, column by column."""

    @property
    def rows(self) -> NDArray[np.int64]: ...

    @property
    def columns(self) -> NDArray[np.int64]: ...

    @property
    def bodies(self) -> NDArray[np.int64] | None:
        """Of a mass matrix, where it is known: for each coordinate the number of its body."""


class Entries(NamedTuple):
    """A pattern of its own."""

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    bodies: NDArray[np.int64] | None = None


class Structure(NamedTuple):
    """Sizes and patterns of [[M, Gᵀ − F], [G, 0]]."""

    n_v: int
    n_lam: int
    M: Pattern
    G: Pattern
    F: Pattern

    @property
    def massless(self) -> list[int]:
        """Coordinates without an entry on the diagonal of M."""
        return sorted(set(range(self.n_v)) - set(self.M.rows[self.M.rows == self.M.columns].tolist()))

    @property
    def bodies(self) -> list[int]:
        """For each coordinate the number of its body: as M says, or what M connects."""
        if self.M.bodies is not None:
            return [int(body) for body in self.M.bodies]
        labels = [0] * self.n_v
        for number, block in enumerate(self.blocks()):
            for i in block:
                labels[i] = number
        return labels

    def held(self) -> dict[int, set[int]]:
        """For each multiplier, numbered behind the coordinates, those that its constraint takes hold of."""
        found: dict[int, set[int]] = {self.n_v + k: set() for k in range(self.n_lam)}
        for k, j in zip(self.G.rows.tolist(), self.G.columns.tolist(), strict=True):
            found[self.n_v + k].add(j)
        return found

    def safe_order(self, rows: Iterable[int], columns: Iterable[int]) -> tuple[list[int], list[int]]:
        """Pivots that are safe for all values, for a matrix with entries at these places."""
        neighbours, diagonal = symmetric_neighbours(self.n_v + self.n_lam, rows, columns)
        return saddle_order(neighbours, diagonal, self.held())

    def blocks(self) -> list[list[int]]:
        """Coordinates that M connects, each list in ascending order."""
        leader = list(range(self.n_v))

        def find(i: int) -> int:
            while leader[i] != i:
                leader[i] = leader[leader[i]]
                i = leader[i]
            return i

        for i, j in zip(self.M.rows.tolist(), self.M.columns.tolist(), strict=True):
            first, second = sorted((find(i), find(j)))
            leader[second] = first
        found: dict[int, list[int]] = {}
        for i in range(self.n_v):
            found.setdefault(find(i), []).append(i)
        return list(found.values())


class Plan(NamedTuple):
    """How one matrix is factorised: name of the mode, whole numbers, number of reals for factors and work."""

    mode: str
    ints: NDArray[np.int64]
    value_size: int


def header(mode: int, structure: Structure, own: Sequence[Any], inner: int = 0) -> NDArray[np.int64]:
    """The plan with the mode's own lists; their starts must be known to the mode."""
    n_v, n_lam, M, G, F = structure
    patterns = [part for pattern in (M, G, F) for part in (pattern.rows, pattern.columns)]
    start = _HEADER + sum(len(part) for part in patterns)
    first = [mode, inner, 0, 0, n_v, n_lam, len(M.rows), len(G.rows), len(F.rows), start]
    return np.concatenate([np.asarray(part, dtype=np.int64) for part in (first, *patterns, *own)])


def with_starts(head: Sequence[int], lists: Sequence[Any]) -> list[Any]:
    """Own lists behind a list of ``head``, then their starts, counted from the own part on."""
    at = len(head) + len(lists)
    starts = []
    for part in lists:
        starts.append(at)
        at += len(part)
    return [[*head, *starts], *lists]


@compiled
def own_part(plan: Ints) -> Ints:
    """The lists of the mode."""
    return view(plan, plan[OWN], plan.size - plan[OWN])


@compiled
def pattern_of_M(plan: Ints) -> tuple[Ints, Ints]:
    """Rows and columns."""
    count = plan[N_M]
    return view(plan, _HEADER, count), view(plan, _HEADER + count, count)


@compiled
def pattern_of_G(plan: Ints) -> tuple[Ints, Ints]:
    """Rows and columns."""
    start, count = _HEADER + 2 * plan[N_M], plan[N_G]
    return view(plan, start, count), view(plan, start + count, count)


@compiled
def pattern_of_F(plan: Ints) -> tuple[Ints, Ints]:
    """Rows and columns."""
    start, count = _HEADER + 2 * (plan[N_M] + plan[N_G]), plan[N_F]
    return view(plan, start, count), view(plan, start + count, count)


@compiled
def subtract_product(plan: Ints, M: Reals, G: Reals, F: Reals, x: Reals, residual: Reals) -> None:
    """residual −= [[M, Gᵀ − F], [G, 0]] x."""
    a, lam = view(x, 0, plan[N_V]), view(x, plan[N_V], plan[N_LAM])
    upper, lower = view(residual, 0, plan[N_V]), view(residual, plan[N_V], plan[N_LAM])
    rows, columns = pattern_of_M(plan)
    for k in range(M.size):
        upper[rows[k]] -= M[k] * a[columns[k]]
    rows, columns = pattern_of_G(plan)
    for k in range(G.size):
        i, j, value = rows[k], columns[k], G[k]
        upper[j] -= value * lam[i]
        lower[i] -= value * a[j]
    rows, columns = pattern_of_F(plan)
    for k in range(F.size):
        upper[rows[k]] += F[k] * lam[columns[k]]


@reassociated
def sum_of_squares(x: Reals) -> float:
    total = 0.0
    for k in range(x.size):
        total += x[k] * x[k]
    return total


@compiled
def is_solution(plan: Ints, M: Reals, G: Reals, x: Reals, right_squares: float, residual: Reals) -> bool:
    """Whether a residual is small beside the products and the right-hand side; not for NaN."""
    return is_within(RESIDUAL, plan, M, G, x, right_squares, residual)


@compiled
def is_within(
    tolerance: float, plan: Ints, M: Reals, G: Reals, x: Reals, right_squares: float, residual: Reals
) -> bool:
    """The same for any tolerance; all sizes are those in the mean."""
    n_v, n_lam = plan[N_V], plan[N_LAM]
    a = sum_of_squares(view(x, 0, n_v)) / max(n_v, 1)
    lam = sum_of_squares(view(x, n_v, n_lam)) / max(n_lam, 1)
    size = max(right_squares / (n_v + n_lam), sum_of_squares(M) / max(M.size, 1) * a)
    size = max(size, sum_of_squares(G) / max(G.size, 1) * (a + lam))
    return sum_of_squares(residual) / (n_v + n_lam) <= tolerance * tolerance * size
