"""Which rows that derivatives in a chart are made of depend on which columns, where equations do not say.

Rows are those of the program "reduced", columns q, v, a, λ, μ, u, t.  What constraints on accelerations and second
rates of coordinates depend on follows from their first rates: these are differentiated along q̇ = T v, so that all that
q̇ depends on comes in.  Time may come in anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dalembert.equations import Equations
from dalembert.equations.contract.provider import Ints, Pattern, Provider
from dalembert.integrate.implicit.layout import FirstColumns, pattern_of

Mask = NDArray[np.bool_]


class FirstRows(NamedTuple):
    """Where the rows of the program "reduced" begin; T v and T a + Ṫ v are there where T is not the identity."""

    residual: int
    g: int
    gv: int
    ga: int
    d: int
    qdot: int
    qddot: int
    end: int

    @classmethod
    def of(cls, equations: Equations) -> FirstRows:
        """Of these equations."""
        s = equations.sizes
        n_q = 0 if equations.unit_T else s.q
        return cls(*np.cumsum([0, s.v, s.g, s.lam, s.lam, s.u, n_q, n_q]).tolist())


def chart_shape(equations: Equations) -> tuple[int, int]:
    """Rows and columns."""
    return FirstRows.of(equations).end, FirstColumns.of(equations.sizes).end + 1


def known_pattern(equations: Equations, providers: Mapping[str, Provider]) -> Pattern:
    """All entries that there may be, by what the equations tell."""
    if "reduced" in providers:
        given, first = providers["reduced"].patterns["derivatives"], FirstColumns.of(equations.sizes)
        columns = given.columns + np.where(given.columns >= first.mu, equations.sizes.g, 0)
        return pattern_of(chart_shape(equations), np.unique(columns * given.shape[0] + given.rows))
    return _composed(equations, providers["implicit"].patterns["jacobian"])


def certain_pattern(equations: Equations, contract: Mapping[str, Pattern]) -> Pattern:
    """Entries that an estimate must not miss: T, M and G, and all by time."""
    first, row = FirstColumns.of(equations.sizes), FirstRows.of(equations)
    M, G, T = (contract[key] for key in ("M", "G", "T"))
    blocks = [(M.rows, first.a + M.columns), (row.gv + G.rows, first.v + G.columns)]
    if not equations.unit_T:
        blocks.append((row.qdot + T.rows, first.v + T.columns))
    return _of_blocks(equations, [*blocks, _by_time(equations)])


def full_pattern(equations: Equations) -> Pattern:
    """All entries."""
    shape = chart_shape(equations)
    return pattern_of(shape, np.arange(shape[0] * shape[1]))


def _by_time(equations: Equations) -> tuple[Ints, Ints]:
    n, width = chart_shape(equations)
    return np.arange(n), np.full(n, width - 1)


def _of_blocks(equations: Equations, blocks: list[tuple[Ints, Ints]]) -> Pattern:
    shape = chart_shape(equations)
    return pattern_of(shape, np.unique(np.concatenate([columns * shape[0] + rows for rows, columns in blocks])))


def _composed(equations: Equations, given: Pattern) -> Pattern:
    """From what the rows of the program "implicit" depend on, (q̇, residual, g, G v + gI, d)."""
    s, row = equations.sizes, FirstRows.of(equations)
    of_implicit = np.zeros((given.shape[0], given.shape[1] + 1), dtype=bool)
    of_implicit[given.rows, given.columns] = True
    qdot, residual, g, gv, d = np.split(of_implicit, np.cumsum([s.q, s.v, s.g, s.lam]))
    if equations.unit_T:
        qdot = np.zeros_like(qdot)
        qdot[np.arange(s.q), s.q + np.arange(s.v)] = True
    found = np.zeros(chart_shape(equations), dtype=bool)
    found[row.residual : row.g], found[row.g : row.gv] = residual, g
    found[row.gv : row.ga], found[row.d : row.qdot] = gv, d
    rate = gv.copy()
    rate[: s.g] |= g  # further rows have no positions of their own
    found[row.ga : row.d] = _along_motion(rate, qdot, s.q)
    if not equations.unit_T:
        found[row.qdot : row.qddot] = qdot
        found[row.qddot :] = _along_motion(qdot, qdot, s.q)
    found[:, -1] = True
    columns, rows = np.nonzero(found.T)
    return Pattern(found.shape, rows, columns)


def _along_motion(rows: Mask, qdot: Mask, n_q: int) -> Mask:
    """What derivatives of rows along the motion depend on: what these do, and rates of the coordinates in them."""
    return rows | ((rows[:, :n_q].astype(np.int64) @ qdot.astype(np.int64)) > 0)
