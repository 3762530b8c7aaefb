"""One instant of a motion: what equations find and what results hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.arguments import shown
from dalembert.errors import StateError


def acceleration_name(velocity: str) -> str:
    """Name of the rate of a velocity: ``A.acceleration`` for ``A.rate``, else ``b.vx.rate`` for ``b.vx``."""
    joint, rate, _ = velocity.rpartition(".rate")
    return f"{joint}.acceleration" if rate and velocity.endswith(".rate") else f"{velocity}.rate"


@dataclass(frozen=True, eq=False)
class State:
    """A point of a motion: everything that the equations say about one instant."""

    t: float
    q: NDArray[np.float64]
    v: NDArray[np.float64]
    a: NDArray[np.float64]
    lam: NDArray[np.float64]
    u: NDArray[np.float64]
    #: values by name at this state, from the equations or the run that it came from
    _values: Callable[[Any, State], Any] | None = field(default=None, repr=False)

    def __getitem__(self, item: Any) -> Any:
        """A coordinate, velocity, multiplier, state or sensor by its name, or by the joint's own ``A.angle``."""
        if self._values is None:
            raise StateError(
                f"this state knows no names, as no equations made it: {shown(item)}; ask the equations: "
                "equations.evaluate_quantity(item, state)"
            )
        return self._values(item, self)

    def __reduce__(self) -> Any:
        # Without the equations, which may be large.
        return State, (self.t, self.q, self.v, self.a, self.lam, self.u)

    def __repr__(self) -> str:
        with np.printoptions(precision=6, threshold=12):
            return f"State(t={self.t:.6g}, q={self.q}, v={self.v}, a={self.a}, lam={self.lam}, u={self.u})"
