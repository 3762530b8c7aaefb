"""Sizes of q, v and u in a run, and from them the absolute tolerances of those who give none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from dalembert.equations import Equations, State
from dalembert.equations.contract.evaluation import Evaluation
from dalembert.equations.contract.provider import Floats
from dalembert.equations.questions.dynamics import motion
from dalembert.errors import EquationsError
from dalembert.integrate.run.outcome import DEFAULT_ATOL


def sizing(
    equations: Equations,
    rows: Sequence[int],
    start: State,
    parameters: Mapping[str, Any] | None,
    duration: float,
    point: Evaluation | None = None,
) -> Sizing:
    """Sizes at a start, which was perhaps evaluated before; the last ones are kept, as the same start is used again and
    again in studies."""
    parts = (equations.parameter_vector(parameters), start.q, start.v, start.u, start.lam)
    key = (tuple(rows), start.t, duration, *(part.tobytes() for part in parts))
    last: list[tuple[Any, Sizing]] = equations.kept("last sizing", list)
    for known, found in last:
        if known == key:
            return found
    made = Sizing(equations, rows, start, parameters, duration, point)
    last[:] = [(key, made)]
    return made


class Sizing:
    """Sizes at the start of a run.

    Coordinates have those of the model: its characteristic length, and 1 for angles.  Velocities pass through these in
    the time scale of the start: with its velocities, or with its accelerations from rest, whichever is faster; and once
    in the run where it starts at rest and balanced.
    """

    def __init__(
        self,
        equations: Equations,
        rows: Sequence[int],
        start: State,
        parameters: Mapping[str, Any] | None,
        duration: float,
        point: Evaluation | None = None,
    ) -> None:
        self.equations, self.duration = equations, duration
        if point is None:
            p = equations.parameter_vector(parameters)
            lam = start.lam[list(rows)] if start.lam.any() else None
            point = Evaluation(equations.restricted(rows), start.t, start.q, start.v, start.u, p, lam)
        self.point = point

    @cached_property
    def rate(self) -> float:
        """Inverse of the time scale."""
        scales = self.point.scales
        try:
            a = motion(self.point)[0]
        except EquationsError:  # a start that cannot move; the run says why
            a = np.zeros_like(self.point.v)
        found = [scales.rate(self.point.v), scales.rate(a) ** 0.5, 1.0 / self.duration if self.duration else 0.0]
        return max(rate for rate in found if np.isfinite(rate)) or 1.0

    @cached_property
    def scale(self) -> Floats:
        """Sizes of (q, v, u); of external states nothing is known."""
        scales = self.point.scales
        return np.concatenate([scales.q, self.rate * scales.v, np.ones(self.equations.sizes.u)])

    @property
    def _known(self) -> bool:
        """Whether a description knows what the coordinates stand for."""
        return self.equations.known_scales(self.point.p) is not None

    @cached_property
    def atol(self) -> Floats:
        """Absolute tolerances that follow from these; 1e-8 where nobody knows what the coordinates stand for."""
        return DEFAULT_ATOL * (self.scale if self._known else np.ones_like(self.scale))

    @cached_property
    def drift(self) -> Floats:
        """Squares of the sizes of coordinates, as parts of the largest one where all have velocities of their own; 1
        for those that have none, which are Euler parameters, and where nobody knows what coordinates stand for."""
        T, size = self.point.patterns["T"], self.point.scales.q
        if not self._known:
            return np.ones(len(size))
        own = np.ones(len(size), dtype=bool)
        if not self.equations.unit_T:
            own[:] = False
            alone = np.bincount(T.rows, minlength=len(size))[T.rows] == 1
            own[T.rows[alone & (self.point.values["T"] == 1.0)]] = True
        largest = float(np.max(size, initial=0.0)) if own.all() else 1.0
        return np.where(own, (size / largest) ** 2, 1.0)
