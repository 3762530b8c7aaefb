"""Sizes that numbers are compared with: what is small in a mechanism of a nanometre is large in one of its atoms.

A description knows which coordinates are lengths and how long its bodies are (:meth:`Equations.known_scales`).  Of bare
equations the size is found in the constraints.  Along a displacement δ, of unit size in the metric of M,

    g(q + s δ) = g + s C δ − s²/2 γ(δ) + …,   γ(v) = −d(C)/dt v,

so that s = |C| / |γ| is the distance over which a constraint changes its direction: the length of a pendulum, the
radius of gyration of a body that turns about a joint.  Where all constraints are linear, coordinates have the size that
the largest one has at the start, again in the metric of M, and 1 if all are zero: iterations then end after a step
anyway.  All of these follow when units of length, mass or time are changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dalembert.equations.contract.provider import Floats

if TYPE_CHECKING:
    from dalembert.equations.contract.evaluation import Evaluation

#: Curvatures below this part of the terms that they are the difference of are rounding.
_ROUNDING = 1e-9
_SAMPLES = 3


@dataclass(frozen=True, eq=False)
class Scales:
    """Sizes of coordinates, and of the displacements that belong to velocities: lengths, and 1 for angles."""

    q: Floats
    v: Floats
    #: gravity beside the lengths, the square of an inverse time; 0 where it is not known
    gravity: float = 0.0

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
    rng, still = np.random.default_rng(0), point.gamma(np.zeros(len(steps)))[:n_g]
    largest = np.zeros(n_g)
    for _ in range(samples):
        move = steps * rng.choice([-1.0, 1.0], len(steps))
        ahead, behind = point.gamma(move)[:n_g], point.gamma(-move)[:n_g]
        found = np.abs(0.5 * (ahead + behind) - still)
        noise = _ROUNDING * (np.abs(ahead) + np.abs(behind) + np.abs(still))
        with np.errstate(invalid="ignore"):
            largest = np.fmax(largest, np.where((found > noise) & np.isfinite(found), found, 0.0))
    return largest


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
        felt = (point.values["C"] != 0.0) & curved[C.rows] & heavy[C.columns]
        np.minimum.at(size, C.columns[felt], distance[C.rows[felt]] * unit[C.columns[felt]])
    # Coordinates whose rates are velocities tell the size of the largest one, in the metric of M.
    T = point.patterns["T"]
    alone = (np.bincount(T.rows, minlength=sizes.q)[T.rows] == 1) & (point.values["T"] == 1.0)
    own = np.zeros(sizes.v)
    own[T.columns[alone]] = np.abs(point.q[T.rows[alone]])
    others = float(np.max(own * np.sqrt(np.maximum(inertia, 0.0)), initial=0.0)) * unit
    size = np.where(np.isfinite(size) & (size > 0.0), size, others)
    if sizes.g and not heavy.all():  # what has no mass moves as far as its constraints are wide
        slopes = np.abs(point.values["C"])
        width = point.row_sizes("C", size)[C.rows] / np.where(slopes > 0.0, slopes, np.inf)
        reach = np.zeros(sizes.v)
        np.maximum.at(reach, C.columns, width)
        size = np.where(size > 0.0, size, reach)
    size = np.where(size > 0.0, size, 1.0)
    q = np.maximum(point.row_sizes("T", size), 0.0)
    return Scales(np.where(q > 0.0, q, 1.0), size)
