"""Instants of output: the modes of mexx, section 4.2, for ``t_eval`` of a run or its dense output afterwards.

Mode 4, instants that are prescribed, is ``t_eval`` itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dalembert.errors import SimulationError


def uniform(span: Sequence[float], count: int) -> NDArray[np.float64]:
    """``count`` instants spread evenly over the span, and its ends: mode 1."""
    if count < 0:
        raise SimulationError(f"the number of instants must not be negative, got {count}")
    return np.linspace(span[0], span[1], count + 2)


def in_steps(t: ArrayLike, count: int) -> NDArray[np.float64]:
    """``count`` instants inside of each step, and the ends ``t`` of all steps: mode 2."""
    if count < 0:
        raise SimulationError(f"the number of instants must not be negative, got {count}")
    return _divided(t, lambda size: count + 1)


def at_most(t: ArrayLike, gap: float) -> NDArray[np.float64]:
    """The ends ``t`` of all steps, and so many instants between them that no gap is larger than ``gap``: mode 3."""
    if not gap > 0.0:
        raise SimulationError(f"the largest gap between instants must be positive, got {gap}")
    return _divided(t, lambda size: max(1, int(np.ceil(size / gap * (1.0 - 1e-12)))))


def _divided(t: ArrayLike, parts: Callable[[float], int]) -> NDArray[np.float64]:
    """The ends, with each step divided into equal parts."""
    ends = np.asarray(t, dtype=float)
    inside = [np.linspace(a, b, parts(abs(b - a)), endpoint=False) for a, b in pairwise(ends) if a != b]
    return np.concatenate([*inside, ends[-1:]])
