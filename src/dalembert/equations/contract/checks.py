"""Checks that name the culprit: rank of the constraints, symmetry and definiteness of M, finite values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.evaluation import LARGEST_DENSE, Evaluation, normalised, sparse_matrix
from dalembert.equations.contract.provider import Floats
from dalembert.equations.contract.rank import RowRank, dependent_rows, left_out, row_rank
from dalembert.equations.contract.scales import row_scales
from dalembert.errors import ConstraintError, EquationsError

_SYMMETRY = 1e-9
#: The displacement that shows how constraints change to first order, and by what part of it, at least, where they do.
_NEAR, _BROKEN = 1e-4, 0.02
#: Displacements that are tried to reach neighbours; how many fail in a row where there are none; and what part of one
#: has to lead along a direction to reach it.
_TRIALS, _FAILURES, _REACHED = 20, 4, 0.3
#: So many constraints are named.
_NAMED = 6
#: Masses below this part of the largest one that constraints touch are no pivots.
_LOST_MASS = 1e-11


@dataclass(frozen=True)
class Check:
    """What a check has found: independent rows of the constraints, and those that depend on them."""

    rows: tuple[int, ...]
    dependent: tuple[int, ...] = ()
    #: rows that depend on others at this position only
    momentary: tuple[int, ...] = ()
    #: whether M is positive definite by itself, so that its entries can be pivots
    definite: bool = True
    #: whether none of these is next to nothing
    weighty: bool = True
    #: the start, as it was evaluated
    point: Evaluation | None = field(default=None, repr=False, compare=False)


def dependent_rows_sparse(point: Evaluation, name: str) -> list[int]:
    """Rows of a large sparse G or C that depend on others: small pivots of G Gᵀ with rows of length one."""
    import scipy.sparse
    import scipy.sparse.linalg

    G = scipy.sparse.csr_array(sparse_matrix(point.patterns[name], point.scaled_entries(name)))
    size = np.sqrt(np.asarray((G * G).sum(axis=1)).reshape(-1))
    G = scipy.sparse.diags_array(1.0 / np.where(size > 0, size, 1.0)) @ G
    # What is added keeps the pivots of dependent rows from vanishing, which would be the end of the factorisation.
    gram = scipy.sparse.csc_array(G @ G.T + 1e-14 * scipy.sparse.eye_array(G.shape[0]))
    factors = scipy.sparse.linalg.splu(
        gram, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}
    )
    return sorted(np.flatnonzero(np.abs(factors.U.diagonal())[factors.perm_c] < 1e-11).tolist())


def check(
    equations: Equations,
    q: Any,
    v: Any,
    u: Any,
    *,
    t: float,
    parameters: Mapping[str, Any] | None,
    redundant: str,
    lam: Floats | None = None,
) -> Check:
    """See :meth:`Equations.check`."""
    s = equations.sizes
    q, v, u = (
        equations.vector(key, np.zeros(getattr(s, key)) if value is None else value)
        for key, value in (("q", q), ("v", v), ("u", u))
    )
    p = equations.parameter_vector(parameters)
    point = Evaluation(equations, t, q, v, u, p, lam)
    _check_symmetry(point)
    inputs = {"p": p, "t": np.array([t]), "q": q, "v": v, "u": u, "lam": point.lam}
    if (wrong := equations.misdeclared(inputs)) is not None:
        raise wrong
    everything = tuple(range(s.lam))
    if s.v + s.lam > LARGEST_DENSE:
        if s.lam and (dependent := dependent_rows_sparse(point, "G")):
            raise _redundant(equations, dependent)  # large systems have all their rows, or do not start
        return Check(everything, weighty=not mass_is_lost(point), point=point)
    M, dependent = point.matrix("M"), point.dependent
    lasting = lasting_rows(point, dependent) if dependent else []
    if lasting and redundant != "accept":
        raise _redundant(equations, lasting, point.rank)
    rows = tuple(i for i in everything if i not in lasting)
    definite = _definite(M)
    if not definite and len(lasting) == len(dependent):  # not where rank is missing at this instant only
        _check_definite(point)
    momentary = tuple(dependent) if len(lasting) < len(dependent) else ()
    return Check(rows, tuple(lasting), momentary, definite, not mass_is_lost(point), point)


def singular_position(equations: Equations, momentary: Sequence[int]) -> str:
    """What is wrong with a position where rows depend on others that are independent next to it."""
    names = [equations.names["lam"][i] for i in momentary]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    depend = "depends" if len(names) == 1 else "depend"
    return (
        f"'{equations.name}': the position is singular, as a dead centre is: {', '.join(names[:_NAMED])}{more} "
        f"{depend} on other constraints there"
    )


def _redundant(equations: Equations, dependent: Sequence[int], rank: RowRank | None = None) -> ConstraintError:
    names = [equations.names["lam"][i] for i in dependent]
    nearly = "" if rank is None or not rank.uncertain else f", but for a part of {rank.gap[1]:.2g} of their size"
    return ConstraintError(
        f"'{equations.name}': {len(dependent)} of {equations.sizes.lam} constraints depend on the others: "
        f"{', '.join(names)}{nearly}. Remove them (degrees_of_freedom tells what each depends on); or accept them with "
        "redundant='accept', multipliers are then those of the smallest norm; or start elsewhere if this position is "
        "singular, a dead centre where constraints depend on each other for an instant only"
    )


def _check_symmetry(point: Evaluation) -> None:
    pattern, values = point.patterns["M"], point.values["M"]
    if not values.size:
        return
    # Each entry with the one across the diagonal; entries stand column by column.
    n, rows, columns = pattern.shape[0], pattern.rows, pattern.columns
    keys, across = columns * n + rows, rows * n + columns
    order = np.argsort(keys)
    place = order[np.minimum(np.searchsorted(keys, across, sorter=order), len(keys) - 1)]
    other = np.where(keys[place] == across, values[place], 0.0)
    diagonal = np.zeros(n)
    diagonal[rows[rows == columns]] = np.abs(values[rows == columns])
    # Seen from the inertias of the two coordinates, whose units may differ much from those of others.
    scale = np.maximum(np.sqrt(diagonal[rows] * diagonal[columns]), np.maximum(np.abs(values), np.abs(other)))
    bad = np.flatnonzero(np.abs(values - other) > _SYMMETRY * scale)
    if bad.size:
        k = bad[np.lexsort((np.maximum(rows, columns)[bad], np.minimum(rows, columns)[bad]))[0]]
        i, j = sorted((int(rows[k]), int(columns[k])))
        value, mirrored = (values[k], other[k]) if rows[k] == i else (other[k], values[k])
        names = point.equations.names["v"]
        raise EquationsError(
            f"'{point.equations.name}': M is not symmetric: M[{i}, {j}] = {value:.6g}, M[{j}, {i}] = {mirrored:.6g} "
            f"({names[i]}, {names[j]})"
        )


def _check_definite(point: Evaluation) -> None:
    """M must be positive definite where motion is possible; elsewhere it may be singular."""
    equations, size, free = point.equations, point.scales.v, np.eye(point.equations.sizes.v)
    if equations.sizes.lam:
        found = point.rank
        size, free = found.scales.columns, found.free
    M = size[:, None] * point.matrix("M") * size
    if not free.size:
        return
    values, vectors = np.linalg.eigh(free.T @ M @ free)
    if values[0] > 1e-13 * max(float(np.max(np.abs(M))), 1e-300):
        return
    direction = free @ vectors[:, 0]
    i = int(np.argmax(np.abs(direction)))
    if lock := equations.gimbal_lock(point.q, direction):
        raise EquationsError(f"'{equations.name}': {lock}")
    what = (
        "has no inertia"
        if abs(values[0]) <= 1e-13 * float(np.max(np.abs(M), initial=1e-300))
        else "has negative inertia"
    )
    owner = equations.owner_of_velocity(i)
    raise EquationsError(
        f"'{equations.name}': M must be positive definite in the directions that the constraints leave free, but a "
        "motion that is "
        f"mainly {equations.names['v'][i]} {what}; give it mass, or a constraint" + (f" ({owner})" if owner else "")
    )


def _definite(M: Floats) -> bool:
    """Whether M is positive definite with something to spare, whatever the units of its rows."""
    size = np.sqrt(np.maximum(np.diag(M), 0.0))
    if not size.all():
        return False
    try:
        np.linalg.cholesky(M / size / size[:, None] - 1e-13 * np.eye(len(M)))
    except np.linalg.LinAlgError:
        return False
    return True


def mass_is_lost(point: Evaluation) -> bool:
    """Whether a mass is next to nothing beside others, all of which constraints touch: as a pivot it would leave of
    accelerations what rounding leaves of forces, divided by it."""
    pattern, coupled = point.patterns["M"], np.zeros(point.patterns["M"].shape[0], dtype=bool)
    coupled[point.patterns["G"].columns] = True
    own = pattern.rows == pattern.columns
    diagonal = np.zeros(pattern.shape[0])
    diagonal[pattern.rows[own]] = point.values["M"][own]
    masses = (diagonal * point.scales.v**2)[coupled]
    masses = masses[masses > 0.0]  # without mass, others are the pivots, or there are none
    return bool(masses.size and masses.min() < _LOST_MASS * masses.max())


def lasting_rows(point: Evaluation, dependent: Sequence[int], rank: RowRank | None = None) -> list[int]:
    """Those rows that depend on others at neighbouring configurations too, not only at this instant; ``rank`` is that
    of all rows, unless it is that of the point."""
    rank = point.rank if rank is None else rank
    # In units of the sizes of displacements; those that even the weakest rows leave free come first.
    right = (rank.scales.columns / point.scales.v)[:, None] * rank.right
    free = right[:, rank.rank :]
    ways = [right[:, rank.weak_rank :]] if rank.weak_rank > rank.rank else []
    rng = np.random.default_rng(0)
    if free.shape[1]:
        ways += 4 * [free]
        moves = [(0.0, way @ rng.standard_normal(way.shape[1])) for way in ways if way.size]
    elif point.values["gI"].any():  # neighbours of a driven mechanism are earlier and later
        instant = 1e-3 / (point.drive_rate or 1.0)
        moves = [(h, np.zeros(point.equations.sizes.v)) for h in (instant, -instant)]
    else:
        return list(dependent)
    # Small, but far enough that rows which depend on others at this instant only differ clearly from them there.
    far = 0.03 if rank.scales.known else 1e-3
    fewest, base = list(dependent), point
    closed = False
    for h, direction in moves:
        near = _neighbour(point, direction * (far / max(float(np.max(np.abs(direction))), 1e-300)), h, bool(free.size))
        if near is None:
            continue
        still = dependent_rows(near.point.matrix("G"), row_scales(near.point))
        if len(still) < len(fewest) or not closed:
            fewest, base, closed = min(fewest, still, key=len), near.point, True
    if not fewest or not free.shape[1]:
        return fewest
    return _without_blocked(base, row_rank(base.matrix("G"), row_scales(base)), far, fewest)


def _without_blocked(point: Evaluation, rank: RowRank, far: float, dependent: list[int]) -> list[int]:
    """Rows that depend on others, but for those that do since a motion that they leave free leads nowhere, as where two
    bars are in line between pins: no neighbour closes that way."""
    right, rng = (rank.scales.columns / point.scales.v)[:, None] * rank.right, np.random.default_rng(1)
    weak, free = right[:, rank.rank : rank.weak_rank], right[:, rank.weak_rank :]
    blocked = _blocked(point, free, far, rng) if free.shape[1] else free
    # Close to a singular position motions along weak directions come to their end soon; along inexact data they do not.
    directions = np.concatenate([weak, blocked], axis=1)
    if not directions.shape[1]:
        return dependent
    direction = directions @ rng.standard_normal(directions.shape[1])
    return _lasting_to_first_order(point, rank, direction, directions.shape[1], dependent)


def _blocked(point: Evaluation, free: Floats, far: float, rng: np.random.Generator) -> Floats:
    """Directions that rows leave free, as columns, in which no neighbour closes; none if that is not clear."""
    reached: list[Floats] = []
    blocked, open_, failed = free, free[:, :0], 0
    for _ in range(_TRIALS):
        if not blocked.shape[1] or failed == _FAILURES:
            return blocked
        direction = blocked @ rng.standard_normal(blocked.shape[1])
        if open_.shape[1]:  # motions may bend
            other = open_ @ rng.standard_normal(open_.shape[1])
            direction = direction / np.linalg.norm(direction) + other / np.linalg.norm(other)
        near = _neighbour(point, direction * (far / float(np.max(np.abs(direction)))), 0.0, True)
        before = open_.shape[1]
        if near is not None:
            reached.append(near.moved)
            blocked, open_ = _parts_of(free, reached)
        failed = 0 if open_.shape[1] > before else failed + 1
    return free[:, :0]


def _parts_of(free: Floats, reached: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Directions that rows leave free, as columns: those that no displacement has reached, and those that some have."""
    parts = np.linalg.lstsq(free, np.column_stack(reached), rcond=None)[0]
    vectors, sizes, _ = np.linalg.svd(parts / np.maximum(np.linalg.norm(parts, axis=0), 1e-300))
    rank = int(np.sum(sizes > _REACHED))
    return free @ vectors[:, rank:], free @ vectors[:, :rank]


@dataclass(frozen=True, eq=False)
class _Neighbour:
    """A configuration next to another one, and the displacement to it in units of the sizes of displacements."""

    point: Evaluation
    moved: Floats


def _neighbour(point: Evaluation, direction: Floats, h: float, free: bool) -> _Neighbour | None:
    """A configuration that satisfies the constraints, in a direction, or at a neighbouring instant; None if there is
    none."""
    equations, size = point.equations, point.scales.v
    instant = 1.0 / (point.drive_rate or 1.0)
    there, t = point.q + point.times("T", size * direction), point.t + h
    moved = np.array(direction)
    # The largest displacement stays: otherwise, where motions branch, all ways lead back to this configuration.
    others = np.arange(len(direction)) != (np.argmax(np.abs(direction)) if free else -1)
    timed = free and bool(point.values["gI"].any())  # then the instant moves too
    try:
        for _ in range(40):
            near = point.elsewhere(normalised(equations, t, there, point.p), t=t)
            if not near.values["g"].size:
                break
            step, C = np.zeros(len(direction)), near.scaled("C")[:, others]
            if timed:
                C = np.column_stack([C, near.values["gI"][: len(C)] * instant])
            wide = near.position_sizes
            found = np.linalg.lstsq(C / wide[:, None], -near.values["g"] / wide, rcond=1e-9)[0]
            step[others] = found[: np.sum(others)]
            moved += step
            there, t = near.q + near.times("T", size * step), t + (float(found[-1]) * instant if timed else 0.0)
            if np.max(np.abs(found), initial=0.0) < 1e-13:
                break
    except EquationsError:
        return None
    closed = np.abs(near.values["g"]) <= 1e-12 * near.position_sizes
    return _Neighbour(near, moved) if closed.all() else None


def _lasting_to_first_order(
    point: Evaluation, rank: RowRank, direction: Floats, most: int, dependent: list[int]
) -> list[int]:
    """Rows that depend on others next to a position too, in a direction that rows leave free but in which no neighbour
    closes; at ``most`` so many do not.

    Along δ, the dependencies L (Lᵀ G = 0) that go on to first order are those with Lᵀ G'(δ) N = 0, where the columns of
    N are what rows leave free.
    """
    left, size = rank.left[:, rank.rank :], point.scales.v
    way = direction * (_NEAR / np.max(np.abs(direction)))
    try:
        ahead, behind = (
            point.elsewhere(normalised(point.equations, point.t, point.q + point.times("T", s * size * way), point.p))
            for s in (1.0, -1.0)
        )
    except EquationsError:
        return dependent
    change = rank.scales.scaled(ahead.matrix("G") - behind.matrix("G")) / (2.0 * _NEAR)
    vectors, values, _ = np.linalg.svd(left.T @ change @ rank.free)
    broken = min(most, int(np.sum(values > _BROKEN * max(float(np.linalg.norm(change, 2)), 1e-300))))
    if not left.shape[1] - broken < len(dependent):
        return dependent
    return left_out(rank.lengthened(left @ vectors[:, broken:])) if broken < left.shape[1] else []
