"""Where a question is asked: at one state, or at many in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dalembert.arguments import reals
from dalembert.equations.contract.provider import Floats
from dalembert.errors import StateError
from dalembert.instant import State


def is_many(q: Any) -> bool:
    """Whether a question is asked at many points: columns of q, a motion, or a list of states."""
    if isinstance(q, np.ndarray):
        return q.ndim == 2
    if isinstance(q, (list, tuple)) and not hasattr(q, "q"):
        return bool(q) and all(isinstance(item, State) for item in q)
    return not isinstance(q, State) and getattr(getattr(q, "q", None), "ndim", 0) == 2


def at_each(
    name: str, ask: Callable[..., tuple[Floats, Floats]], q: Any, t: Any, **further: Any
) -> tuple[Floats, Floats]:
    """Answers at all points, as columns: ``further`` are arrays of columns too, or None; those of a motion or of a list
    of states are theirs unless others are given."""
    if isinstance(q, (list, tuple)) and not hasattr(q, "q"):
        states: Sequence[State] = q
        q = _StateColumns(states)
    if hasattr(q, "q"):
        motion, q = q, np.asarray(q.q, dtype=float)
        further = {key: getattr(motion, key, None) if value is None else value for key, value in further.items()}
        t = motion.t if t is None else t
    n = q.shape[1]
    instants = reals(0.0 if t is None else t, f"'{name}': t", StateError)
    if instants.shape not in ((), (n,)):
        raise StateError(f"'{name}': t must be one instant or {n}, as q has columns; got the shape {instants.shape}")
    instants = np.broadcast_to(instants, (n,))
    columns: dict[str, Any] = {}
    for key, value in further.items():
        rows = None if value is None else reals(value, f"'{name}': {key}", StateError)
        if rows is not None and rows.ndim == 1 and key == "u":  # of a driven motion they are the same all the time
            rows = np.repeat(rows[:, None], n, axis=1)
        if rows is not None and (rows.ndim != 2 or rows.shape[1] != n):
            raise StateError(f"'{name}': {key} must have {n} columns, as q has; got the shape {rows.shape}")
        columns[key] = rows
    if not n:
        raise StateError(f"'{name}': q has no columns; give at least one point")
    answers = [
        ask(q[:, k], float(instants[k]), **{key: None if rows is None else rows[:, k] for key, rows in columns.items()})
        for k in range(n)
    ]
    first, second = (np.stack(part, axis=1) for part in zip(*answers, strict=True))
    return first, second


class _StateColumns:
    """States as arrays of columns."""

    def __init__(self, states: Sequence[State]) -> None:
        self.t = np.array([one.t for one in states])
        self.q, self.v, self.a, self.u = (
            np.stack([getattr(one, key) for one in states], axis=1) for key in ("q", "v", "a", "u")
        )
