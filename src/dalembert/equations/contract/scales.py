"""Sizes that numbers are compared with: what is small in a mechanism of a nanometre is large in one of its atoms.

A description knows which coordinates are lengths and how long its bodies are (:meth:`Equations.known_scales`).  Of bare
equations the size is found in the constraints.  Along a displacement δ, of unit size in the metric of M,

    g(q + s δ) = g + s C δ − s²/2 γ(δ) + …,   γ(v) = −d(C)/dt v,

so that s = |C| / |γ| is the distance over which a constraint changes its direction: the length of a pendulum, the
radius of gyration of a body that turns about a joint.  Coordinates that no such constraint moves have the size that
the largest one has at the start, again in the metric of M, and 1 if all are zero.  All of these follow when units of
length, mass or time are changed.

Rows of constraints have sizes too (:func:`row_scales`).  Where it is known which of them and which velocities are
lengths and which angles (models tell it), lengths are measured by the largest lever arm that the matrix has.  Elsewhere
velocities are measured by the roots of their inertias, and rows by their own length.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dalembert.equations.contract.provider import Floats

if TYPE_CHECKING:
    from dalembert.equations.contract.evaluation import Evaluation

#: Curvatures below this part of the terms that they are the difference of are rounding.
_ROUNDING = 1e-9
#: Rows of constraints that are smaller than this part of the largest are rounding errors.
EMPTY = 1e-12
#: Coordinates that are so small beside lengths of the constraints are zero.
_AT_ZERO = 1e-8
_SAMPLES = 3
#: Signs that NumPy draws first from the seed 0, one bit each: to import what draws them takes 2 % of a first run.
_DRAWN, _SIGNS = 256, 0x21B163A36D99B0ACE9F8F8A33B08F4DDD55D5328C9736C3D7EE6E00A766FFE07


@dataclass(frozen=True, eq=False)
class Scales:
    """Sizes of coordinates, and of the displacements that belong to velocities: lengths, and 1 for angles."""

    q: Floats
    v: Floats
    #: gravity beside the lengths, the square of an inverse time; 0 where it is not known
    gravity: float = 0.0
    #: the length of the model; 0 where it is not known
    length: float = 0.0

    def largest(self, dq: Floats, q: Floats) -> float:
        """Largest entry of a displacement, beside the sizes of the coordinates."""
        return float(np.max(np.abs(dq) / (self.q + np.abs(q)), initial=0.0))

    def rate(self, v: Floats) -> float:
        """Largest of some velocities, beside the displacements that belong to them: an inverse time."""
        return float(np.max(np.abs(v) / self.v, initial=0.0))


def scales_at(point: Evaluation) -> Scales:
    """Sizes as the description knows them, or as the equations show them at a point."""
    known = point.equations.known_scales(point.p)
    return _found(point) if known is None else known


def bent(point: Evaluation, steps: Floats, samples: int = _SAMPLES) -> Floats:
    """By how much displacements of these sizes bend the position constraints: the largest |γ| of some of them, without
    what depends on time."""
    n_g = point.equations.sizes.g
    still, largest = point.gamma(np.zeros(len(steps)))[:n_g], np.zeros(n_g)
    moves = [steps * signs for signs in _signs(len(steps), samples)]
    ways = [(point.gamma(move)[:n_g], point.gamma(-move)[:n_g]) for move in moves]
    with np.errstate(invalid="ignore"):
        for ahead, behind in ways:
            found = np.abs(0.5 * (ahead + behind) - still)
            noise = _ROUNDING * (np.abs(ahead) + np.abs(behind) + np.abs(still))
            largest = np.fmax(largest, np.where((found > noise) & np.isfinite(found), found, 0.0))
    return np.where(largest > EMPTY * largest.max(initial=0.0), largest, 0.0)


@lru_cache(maxsize=64)
def _signs(size: int, samples: int) -> Floats:
    """Signs of displacements that serve as samples, one row each."""
    count = size * samples
    if count <= _DRAWN:
        drawn = [1.0 if _SIGNS >> k & 1 else -1.0 for k in range(count)]
    else:
        drawn = np.random.default_rng(0).choice([-1.0, 1.0], count).tolist()
    return np.array(drawn).reshape(samples, size)


def _found(point: Evaluation) -> Scales:
    """Sizes of equations that nothing else is known of."""
    sizes, M = point.equations.sizes, point.patterns["M"]
    inertia = np.zeros(sizes.v)
    on_diagonal = M.rows == M.columns
    inertia[M.rows[on_diagonal]] = point.values["M"][on_diagonal]
    heavy = inertia > 0.0
    unit = np.where(heavy, 1.0 / np.sqrt(np.where(heavy, inertia, 1.0)), 0.0)
    size = np.where(heavy, np.inf, 0.0)
    C = point.patterns["C"]
    if sizes.g:
        slope, bend = point.row_sizes("C", unit), bent(point, unit)
        curved = (bend > _ROUNDING * slope * np.max(bend / np.where(slope > 0, slope, np.inf))) & (slope > 0)
        distance = np.where(curved, slope / np.where(curved, bend, 1.0), np.inf)
        # Also where a slope vanishes at this very point: bars that start horizontally turn all the same.
        felt = curved[C.rows] & heavy[C.columns]
        np.minimum.at(size, C.columns[felt], distance[C.rows[felt]] * unit[C.columns[felt]])
    # Coordinates whose rates are velocities tell the size of the largest one, in the metric of M.
    T = point.patterns["T"]
    alone = (np.bincount(T.rows, minlength=sizes.q)[T.rows] == 1) & (point.values["T"] == 1.0)
    own = np.zeros(sizes.v)
    own[T.columns[alone]] = np.abs(point.q[T.rows[alone]])
    metric, shown = np.sqrt(np.maximum(inertia, 0.0)), np.isfinite(size) & (size > 0.0)
    largest, curved_size = (float(np.max(x * metric, initial=0.0)) for x in (own, np.where(shown, size, 0.0)))
    if largest <= _AT_ZERO * curved_size:  # coordinates that are zero but for rounding
        largest = 0.0
    size = np.where(shown, size, largest * unit)
    if sizes.g and not heavy.all():  # what has no mass moves as far as its constraints are wide
        slopes = np.abs(point.values["C"])
        width = point.row_sizes("C", size)[C.rows] / np.where(slopes > 0.0, slopes, np.inf)
        reach = np.zeros(sizes.v)
        np.maximum.at(reach, C.columns, width)
        size = np.where(size > 0.0, size, reach)
    size = np.where(size > 0.0, size, 1.0)
    q = np.maximum(point.row_sizes("T", size), 0.0)
    return Scales(np.where(q > 0.0, q, 1.0), size)


class RowScales(NamedTuple):
    """What rows and columns of a matrix of constraints are multiplied by; whether lengths and angles are known."""

    rows: Floats
    columns: Floats
    known: bool = False

    def scaled(self, G: Floats) -> Floats:
        """The matrix in these scales."""
        return self.rows[:, None] * G * self.columns


def row_scales(point: Evaluation, name: str = "G") -> RowScales:
    """Scales of the rows and columns of G or C with which these do not depend on units and coordinates."""
    G, powers = point.matrix(name), point.equations.powers_of_length
    if powers is None:
        columns = 1.0 / np.sqrt(point.metric)
        return RowScales(lengths_one(G * columns), columns)
    columns = _sizes_of_velocities(point, np.array(powers.v, dtype=float), _lever_arm(point, name))
    unknown = np.isnan(powers.lam[: len(G)])
    return RowScales(np.where(unknown, lengths_one(G * columns), 1.0 / units_of_rows(point, name)), columns, True)


def units_of_rows(point: Evaluation, name: str) -> Floats:
    """The lever arm for rows of G or C that are lengths, 1 for angles and for those of which nothing is known."""
    n, powers = point.patterns[name].shape[0], point.equations.powers_of_length
    if powers is None:
        return np.ones(n)
    units: Floats = _lever_arm(point, name) ** np.nan_to_num(powers.lam[:n])
    return units


def _lever_arm(point: Evaluation, name: str) -> float:
    """The largest distance by which an angle changes a length; where it is rounding the length of the model, or 1."""
    powers, pattern = point.equations.powers_of_length, point.patterns[name]
    assert powers is not None
    arms = (np.array(powers.lam)[pattern.rows] == 1.0) & (np.array(powers.v)[pattern.columns] == 0.0)
    arm, length = float(np.max(np.abs(point.values[name][arms]), initial=0.0)), point.scales.length
    return arm if arm > EMPTY * length else length or 1.0


def _sizes_of_velocities(point: Evaluation, powers: Floats, arm: float) -> Floats:
    """Lengths by the arm, angles by one; others by their inertia, beside that of these."""
    known = ~np.isnan(powers)
    columns = np.where(known, arm ** np.nan_to_num(powers), 1.0)
    inertia = columns**2 * point.metric
    typical = median(inertia[known]) if known.any() else 1.0
    return np.where(known, columns, np.sqrt(typical / point.metric))


def lengths_one(G: Floats) -> Floats:
    """Factors that give rows the length one, where they are not empty."""
    size = np.linalg.norm(G, axis=1)
    return 1.0 / np.where(size > 0, size, 1.0)


def median(values: Iterable[float]) -> float:
    """As NumPy's, which waits for masked arrays to be imported."""
    ordered = sorted(values)
    return float(0.5 * (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]))
