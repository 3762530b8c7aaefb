"""What a run begins with, looked at once: studies make the same run again and again, with another method or tolerance,
or with the next value of something in between."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.equations import State
from dalembert.integrate.methods.method import Method
from dalembert.integrate.run.course import Beginning
from dalembert.integrate.run.live import Floats, Options
from dalembert.integrate.run.outputs import Outputs

#: Of so many runs of the same equations it is known what they begin with.
MOST_PREPARED = 16
_REAL = np.dtype(np.float64)


@dataclass(eq=False)
class Prepared:
    """All that a user has said about a run, as it was found to be right."""

    method: Method
    automatic: bool
    options: Options
    span: tuple[float, float]
    events: list[Any]
    times: Floats | None
    dense: bool
    active: tuple[int, ...]
    held: tuple[int, ...]
    y: Floats
    lam: Floats | None
    outputs: Outputs
    beginning: Beginning | None = None

    def remember(self) -> bool:
        """Let the next run that is like this one begin with the same; False where events have a memory of their own."""
        if self.events:
            return False
        self.beginning = Beginning()
        return True


def usual_key(
    span: Any,
    start: Any,
    method: Any,
    rtol: Any,
    atol: Any,
    t_eval: Any,
    parameters: Any,
    dense_output: Any,
    redundant: Any,
) -> Hashable | None:
    """What tells runs apart of which nothing else is said; None if one of these is something that has to be looked at.

    Types are asked for as they are, since 1, 1.0 and True are the same in a key.
    """
    if not (_are_numbers(span) and len(span) == 2 and type(method) is str and type(rtol) is float):
        return None
    if not (dense_output is None or type(dense_output) is bool) or type(redundant) is not str:
        return None
    if not (atol is None or type(atol) is float) or not (t_eval is None or _are_numbers(t_eval)):
        return None
    if type(start) is State:
        parts: tuple[Any, ...] = (start.q, start.v, start.u, start.lam)
    elif type(start) is tuple and len(start) == 2:
        parts = start
    else:
        return None
    for part in parts:
        if type(part) is not np.ndarray or part.dtype is not _REAL or part.ndim != 1:
            return None
    values: tuple[Any, ...] = ()
    if parameters is not None:
        if not isinstance(parameters, Mapping):
            return None
        values = tuple(parameters.items())
        for name, value in values:
            if type(name) is not str or type(value) is not float:
                return None
    return (
        span, method, rtol, atol, t_eval, dense_output, redundant, values, *(part.tobytes() for part in parts),
    )  # fmt: skip


def _are_numbers(given: Any) -> bool:
    """A tuple of numbers: what is in it stays as it is."""
    if type(given) is not tuple:
        return False
    for one in given:  # without a generator: each run passes here
        if type(one) not in (int, float):
            return False
    return True
