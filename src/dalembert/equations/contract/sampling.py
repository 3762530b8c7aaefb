"""What happens at instants of a fixed distance: sampled controllers, which hold their outputs in between."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Protocol

from dalembert.equations.contract.provider import Floats
from dalembert.errors import SimulationError
from dalembert.instant import State

#: Samples of one run that are still worth it.
MOST_SAMPLES = 10_000_000
#: Part of a period by which rounding may move an instant.
_ROUNDING = 1e-9


class Sampler(Protocol):
    """Something that changes external states at t = offset + k·period, and at no other time."""

    name: str
    period: float
    offset: float

    def sampled(self, state: State, p: Floats) -> Mapping[int, float]:
        """New values of external states, by their numbers."""


def instants(samplers: Sequence[Sampler], span: tuple[float, float]) -> set[float]:
    """All instants of a span, from the earlier end on."""
    found: set[float] = set()
    low, high = min(span), max(span)
    for one in samplers:
        first = max(0, math.ceil((low - one.offset) / one.period - _ROUNDING))
        last = math.floor((high - one.offset) / one.period + _ROUNDING)
        if last - first > MOST_SAMPLES:
            raise SimulationError(
                f"'{one.name}' would be sampled {last - first} times between t = {low:g} and {high:g}; its period of "
                f"{one.period:g} s is too short for that"
            )
        found |= {one.offset + k * one.period for k in range(first, last + 1)}
    return {t for t in found if low <= t <= high}


def due(samplers: Sequence[Sampler], t: float) -> list[Sampler]:
    """Those whose instant this is."""
    found = []
    for one in samplers:
        k = round((t - one.offset) / one.period)
        if k >= 0 and abs(t - (one.offset + k * one.period)) <= _ROUNDING * one.period:
            found.append(one)
    return found
