"""One instant of a motion: what equations find and what results hold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class State:
    """A point of a motion: everything that the equations say about one instant."""

    t: float
    q: NDArray[np.float64]
    v: NDArray[np.float64]
    a: NDArray[np.float64]
    lam: NDArray[np.float64]
    u: NDArray[np.float64]

    def __repr__(self) -> str:
        with np.printoptions(precision=6, threshold=12):
            return f"State(t={self.t:.6g}, q={self.q}, v={self.v}, a={self.a}, lam={self.lam}, u={self.u})"
