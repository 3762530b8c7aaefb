"""Steady motions: constant velocities, such as those of rolling wheels and of tops that precess.

The accelerations of the named velocities, and the rates of external states, vanish.  Newton's iteration (with
Levenberg and Marquardt's damping) on the null space of the constraints, with the matrix of the linearised system.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dalembert.arguments import mapping, real
from dalembert.equations.contract.evaluation import Evaluation, normalised, rate_index, rate_name
from dalembert.equations.contract.provider import Floats
from dalembert.equations.questions.assembly import close, consistent_velocities
from dalembert.equations.questions.dynamics import motion
from dalembert.equations.questions.reduction import Selection, orthonormal_null_space, reduce, state_sizes
from dalembert.errors import EquationsError, StateError

_ITERATIONS = 100


def steady_motion(
    start: Evaluation,
    fixed: Mapping[int, float],
    velocities: Mapping[str, float | None],
    guess: Floats,
    side: str,
) -> Evaluation:
    """A steady motion near a closed position; velocities are given, or None where they are to be found."""
    equations = start.equations
    velocities = mapping(velocities, f"'{equations.name}': velocities", StateError)
    named, values = _named(start, velocities), list(velocities.values())
    columns = [k for _, k in named]
    v = np.array(guess)
    v[columns] = [
        v[k] if value is None else real(value, f"'{equations.name}': velocities", StateError)
        for k, value in zip(columns, values, strict=True)
    ]
    v = consistent_velocities(start, v, named, {})
    point = start.elsewhere(start.q, v=v)
    reduced = reduce(point, preferred=columns, side=side)
    found = reduced.selection.velocities
    if len(found) != len(named):
        others = ", ".join(equations.names["v"][k] for k in found if k not in columns)
        raise StateError(
            f"'{equations.name}': {len(found)} velocities are independent, but {len(named)} are named; name also "
            f"{others}, with a value or None"
        )
    selection = Selection(reduced.selection.quasi, reduced.selection.positions, tuple(columns))
    unknown = [k for k, value in enumerate(values) if value is None]
    left = _unrest(point, columns)
    size, damping = np.inf, 0.0
    # Unknowns and accelerations in units of the sizes that there are.
    rate = _rate(point)
    state = state_sizes(point, selection, rate)
    row = np.concatenate([rate**2 * point.scales.v[columns], np.ones(equations.sizes.u)])
    for _ in range(_ITERATIONS):
        reduced = reduce(point, selection=selection, side=side)
        onto = _unknowns(reduced.q * state, len(selection.positions), len(columns), list(fixed), unknown)
        J = (reduced.A[len(selection.positions) :] * state / row[:, None]) @ onto
        scaled = onto @ _least_squares(J, -left / row, damping)
        step = state * scaled
        moves = reduced.q @ step, reduced.v @ step, step[len(selection.positions) + len(columns) :]
        trial = _moved(point, *moves, fixed, named)
        size = float(np.max(np.abs(scaled), initial=0.0))
        new = None if trial is None else _unrest(trial, columns)
        if trial is not None and new is not None and np.linalg.norm(new / row) < np.linalg.norm(left / row):
            point, left, damping = trial, new, 0.1 * damping if damping > 1e-12 else 0.0
            continue
        if size <= 1e-8 * (1.0 + float(np.max(np.abs(point.q) / point.scales.q))):  # no better point is to be had
            break
        largest = float(np.max(np.abs(J), initial=0.0))
        damping = max(10.0 * damping, 1e-6 * largest)
        if damping > 1e12 * max(largest, 1e-300):
            break
    if np.max(np.abs(left) / row, initial=0.0) <= 1e-9:
        return point
    i = int(np.argmax((np.abs(left) / row)[: len(columns)]))
    raise EquationsError(
        f"'{equations.name}': no steady motion was found; {equations.names['v'][columns[i]]} keeps an acceleration of "
        f"{left[i]:.3g}. Start nearer to one, hold fewer coordinates, or give fewer velocities"
    )


def _named(point: Evaluation, velocities: Mapping[str, float | None]) -> list[tuple[str, int]]:
    equations = point.equations
    named = [rate_index(equations, name) for name in velocities]
    for rate in named:
        if rate[0] == "q":
            raise StateError(
                f"'{equations.name}': {rate_name(equations, rate)} is no velocity of its own; name some of "
                f"{', '.join(equations.names['v'][:12])}"
            )
    return named


def _unknowns(q: Floats, n_x: int, n_y: int, held: Sequence[int], unknown: Sequence[int]) -> Floats:
    """Columns: variations of the state that are looked for. Held coordinates stay, and so do velocities that are
    given."""
    free = orthonormal_null_space(q[list(held), :n_x])
    n = q.shape[1]
    onto = np.zeros((n, free.shape[1] + len(unknown) + n - n_x - n_y))
    onto[:n_x, : free.shape[1]] = free
    for k, i in enumerate(unknown):
        onto[n_x + i, free.shape[1] + k] = 1.0
    onto[n_x + n_y :, free.shape[1] + len(unknown) :] = np.eye(n - n_x - n_y)
    return onto


def _unrest(point: Evaluation, columns: Sequence[int]) -> Floats:
    """Accelerations of the named velocities, and rates of external states."""
    a, lam = motion(point)
    return np.concatenate([a[list(columns)], point.forces(lam)["d"]])


def _rate(point: Evaluation) -> float:
    """Inverse time in which a motion, or single forces, go through displacements of the sizes that there are."""
    return max(point.scales.rate(point.v), point.pull**0.5) or 1.0


def _least_squares(J: Floats, right: Floats, damping: float) -> Floats:
    """Levenberg and Marquardt's step; the smallest one where several would do."""
    if not damping:
        return np.linalg.lstsq(J, right, rcond=1e-9)[0].astype(float)
    stacked = np.concatenate([J, damping * np.eye(J.shape[1])])
    return np.linalg.lstsq(stacked, np.concatenate([right, np.zeros(J.shape[1])]), rcond=None)[0].astype(float)


def _moved(
    point: Evaluation, dq: Floats, dv: Floats, du: Floats, fixed: Mapping[int, float], named: Sequence[tuple[str, int]]
) -> Evaluation | None:
    """Another position and velocity, back on the constraints."""
    equations = point.equations
    try:
        q = normalised(equations, point.t, point.q + dq, point.p)
        there = close(point.elsewhere(q, u=point.u + du), fixed)
        v = consistent_velocities(there, point.v + dv, named, {})
        return there.elsewhere(there.q, v=v)
    except EquationsError:
        return None
