"""Rank of the constraints: how many of them are independent, and which may be left out.

Rank is a question of size, and sizes depend on units and coordinates, so rows and columns of G are brought to sizes
that do not (:func:`~dalembert.equations.contract.scales.row_scales`): a row of a loop of hinges that are parallel but
for 1e-6 rad is then 1e-6, in absolute and in relative coordinates.

Of the singular values of that matrix those count that stand above a gap; see :func:`counted`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.evaluation import Evaluation
from dalembert.equations.contract.provider import Floats
from dalembert.equations.contract.scales import RowScales, lengths_one, row_scales

#: Singular values up to this part of the largest do not count.
ZERO = 1e-9
#: Where lengths and angles are known, those below the first gap of this size under this bound do not count either.
GAP, NEARLY = 20.0, 1e-3
#: What is above this, and does not count, depends on others only nearly; what is below the second, and counts, nearly
#: does.
_ROUNDING, _SMALL = 1e-11, 1e-6
#: Rows shorter than this part of the longest are left out before others.
_SHORT = 0.1
#: Rows whose part in a dependency is within this factor of the largest are as good as that to be left out.
_AS_GOOD = 0.9


@dataclass(frozen=True)
class RowRank:
    """Singular values of the scaled rows of a matrix of constraints, and what follows from them."""

    scales: RowScales
    #: singular values, one for each row, falling
    values: Floats
    #: how many of them count
    rank: int
    #: the scaled matrix
    scaled: Floats

    @cached_property
    def _vectors(self) -> tuple[Floats, Floats]:
        """Singular vectors as columns, those of rows and those of columns; where the rank is clear, nobody asks."""
        left, _, right = np.linalg.svd(self.scaled)
        return left, right.T

    @property
    def left(self) -> Floats:
        """Singular vectors of rows, as columns."""
        return self._vectors[0]

    @property
    def right(self) -> Floats:
        """Singular vectors of columns, as columns."""
        return self._vectors[1]

    @cached_property
    def dependent(self) -> list[int]:
        """Rows that may be left out: those that leave the others as independent as may be, the later ones of equals."""
        return left_out(self.dependencies(self.rank)) if self.rank < len(self.values) else []

    def dependencies(self, rank: int) -> Floats:
        """Columns with the factors with which rows of length one add up to nothing, where so many are independent."""
        return self.lengthened(self.left[:, rank:])

    def lengthened(self, dependencies: Floats) -> Floats:
        """Factors of rows as they are, in columns, as those of rows of length one."""
        lengths = np.linalg.norm(self.scaled, axis=1)
        lengths = np.maximum(lengths, _SHORT * (lengths.max(initial=0.0) or 1.0))
        return lengths[:, None] * dependencies

    @property
    def gap(self) -> tuple[float, float]:
        """The smallest singular value that counts, and the largest that does not; NaN where there is none."""
        above = float(self.values[self.rank - 1]) if self.rank else np.nan
        return above, float(self.values[self.rank]) if self.rank < len(self.values) else np.nan

    @property
    def weak_rank(self) -> int:
        """How many are not zero, whether they count or not."""
        return counted(self.values, False)

    @property
    def uncertain(self) -> bool:
        """Whether rows nearly depend on others, or depend on others only nearly."""
        above, below = self.gap
        return bool(below > _ROUNDING or above < self._small)

    @property
    def _small(self) -> float:
        """Singular values below this are too small for comfort."""
        return NEARLY if self.scales.known else _SMALL

    @property
    def doubtful(self) -> list[int]:
        """Rows that take part in what makes the rank uncertain."""
        those = (self.values > _ROUNDING) & (self.values < self._small)
        if not those.any():
            return []
        part = np.max(np.abs(self.left[:, those]), axis=1, initial=0.0)
        return np.flatnonzero(part > 1e-3 * part.max(initial=0.0)).tolist()

    def without_weak(self, G: Floats, right: Floats) -> tuple[Floats, Floats]:
        """G and the right side of G x = right without what does not count, so that nothing is asked of it."""
        left, rows = self.left[:, : self.rank], self.scales.rows[:, None]
        kept = left @ (left.T @ (rows * np.column_stack([G, right]))) / rows
        return kept[:, :-1], kept[:, -1]

    @property
    def free(self) -> Floats:
        """Directions that the rows leave free, as orthonormal columns, in units of the scales of columns."""
        return self.right[:, self.rank :]


def row_rank(G: Floats, scales: RowScales | None = None) -> RowRank:
    """Rank of rows that count equally, whatever their scale, unless it is given."""
    if scales is None:
        scales = RowScales(lengths_one(G), np.ones(G.shape[1]))
    scaled = scales.scaled(G)
    size = np.linalg.svd(scaled, compute_uv=False)
    values = np.zeros(len(G))
    values[: len(size)] = size[: len(G)]
    return RowRank(scales, values, counted(values, scales.known), scaled)


def counted(values: Floats, known: bool) -> int:
    """How many of these singular values count.

    All but those that are zero beside the largest; where lengths and angles are known, only those above the first gap
    under which all are small: rows that depend on others but for inexact data are no constraints of their own.
    """
    largest = max(1.0, float(values[0])) if values.size else 1.0
    rank = int(np.sum(values > ZERO * largest))
    for k in range(rank if known else 0):
        before = largest if k == 0 else values[k - 1]
        if values[k] < NEARLY and values[k] * GAP < before:
            return k
    return rank


def rank_of(point: Evaluation, name: str = "G") -> RowRank:
    """Rank of the rows of G or C at a point, where those that nearly depend on others do not count."""
    return row_rank(point.matrix(name), row_scales(point, name))


def left_out(dependencies: Floats) -> list[int]:
    """For each dependency, a column with the factors of rows of length one, a row to leave out, so that the others are
    as independent as may be: of those with about the largest factor the last."""
    left, chosen = np.array(dependencies), []
    for _ in range(left.shape[1]):
        size = np.linalg.norm(left, axis=1)
        row = int(np.flatnonzero(size >= _AS_GOOD * size.max())[-1])
        chosen.append(row)
        direction = left[row] / size[row]
        left -= np.outer(left @ direction, direction)
        left[row] = 0.0
    return sorted(chosen)


def dependent_rows(G: Floats, scales: RowScales | None = None) -> list[int]:
    """Rows of G that are combinations of others; rows count equally, whatever their scale, unless scales are given."""
    if not G.size:
        return []
    used = RowScales(lengths_one(G), np.ones(G.shape[1])) if scales is None else scales
    scaled = used.scaled(G)
    if len(G) <= G.shape[1] and np.linalg.eigvalsh(scaled @ scaled.T)[0] > 1e-6:
        return []  # far from a loss of rank; the decomposition takes ten times as long
    return row_rank(G, used).dependent


class Choice(NamedTuple):
    """Rows that are used in place of all that hold: which, and how much more independent they are than others."""

    rows: tuple[int, ...]
    better: float


def best_rows(point: Evaluation, held: Sequence[int], used: Sequence[int], name: str = "G") -> Choice | None:
    """As many of the rows of G or C that hold as are in use, as independent as may be; None where it cannot be told,
    since more of them depend on others at this point.

    The volume that rows span is that of all but for the factors of those left out in the dependencies.
    """
    scales = row_scales(point, name)
    rows = np.array(held, dtype=int)
    found = row_rank(point.matrix(name)[rows], RowScales(scales.rows[rows], scales.columns, scales.known))
    n = len(used)
    if n == 0 or not found.values[n - 1] > max(ZERO, GAP * found.values[n]):
        return None
    dependencies = found.dependencies(n)
    out = left_out(dependencies)
    now = [k for k, row in enumerate(held) if row not in set(used)]
    size, old = (abs(float(np.linalg.det(dependencies[those]))) for those in (out, now))
    return Choice(tuple(row for k, row in enumerate(held) if k not in out), size / max(old, 1e-300))


def smallest_multipliers(
    equations: Equations, held: Sequence[int], used: Sequence[int], t: float, q: Floats, lam: Floats, p: Floats
) -> Floats:
    """The multipliers of the smallest norm that give the same reactions Gᵀλ, zero for all rows that do not hold; those
    of redundant constraints share the load of those in use."""
    provider, rest, known = equations.program("contract"), sorted(set(held) - set(used)), equations.known_scales(p)
    values = provider(["G"], {"p": p, "t": np.array([t]), "q": q})["G"]
    G = provider.patterns["G"].dense(values) * (1.0 if known is None else known.v)
    rows = [*used, *rest]
    size = lengths_one(G[list(used)])
    # The rest as combinations of those in use: what such combinations say about the multipliers is taken away.
    factors = np.linalg.lstsq((size[:, None] * G[list(used)]).T, G[rest].T, rcond=ZERO)[0]
    basis = np.linalg.qr(np.concatenate([-size[:, None] * factors, np.eye(len(rest))]))[0]
    result = np.zeros_like(lam)
    result[rows] = lam[rows] - basis @ (basis.T @ lam[rows])
    return result


def smallest_for(G: Floats, right: Floats) -> Floats:
    """λ of Gᵀλ = right, of the smallest norm; rows of G count equally, whatever their scale."""
    if not len(G):
        return np.zeros(0)
    size = lengths_one(G)
    U, values, Vt = np.linalg.svd((size[:, None] * G).T)
    rank = int(np.sum(values > ZERO * values[0])) if values.size else 0
    lam = size * (Vt[:rank].T @ ((U[:, :rank].T @ right) / values[:rank]))
    free = size[:, None] * Vt[rank:].T
    found: Floats = lam - free @ np.linalg.lstsq(free, lam, rcond=None)[0] if free.size else lam
    return found
