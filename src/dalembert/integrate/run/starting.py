"""What a user gives as the start of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dalembert.arguments import listed, reals, shown
from dalembert.equations import Equations, State
from dalembert.errors import SimulationError, suggestion
from dalembert.solution import MotionPoint

#: What a part of a start may be.
_VECTORS = (list, tuple, np.ndarray, Mapping)


def start_state(equations: Equations, start: Any, t: float) -> State:
    """What a user gives as a start, at the instant ``t``."""
    q: Any
    v: Any
    u: Any
    lam = None
    if isinstance(start, (State, MotionPoint)):
        q, v, u = start.q, start.v, start.u
        lam = reals(start.lam, "start: lam", SimulationError)
        if lam.shape != (equations.sizes.lam,) or not np.isfinite(lam).all():
            lam = None  # states may be of a run that failed
    elif isinstance(start, Mapping):
        known = ("q", "v", "u", "lam")
        if unknown := [key for key in start if not isinstance(key, str) or key not in known]:
            names = [name for key in ("q", "v", "u") for name in equations.names[key]]
            if not isinstance(unknown[0], str) or unknown[0] in names or "." in unknown[0]:
                raise SimulationError(
                    f"start has no {shown(unknown[0])}: values of joints, coordinates and other quantities are met by "
                    "assemble: da.simulate(equations, span, equations.assemble({…}))"
                )
            raise SimulationError(f"start has no '{unknown[0]}'; {suggestion(str(unknown[0]), known)}")
        q, v, u, lam = (start.get(key) for key in known)
    else:
        parts = list(listed(start, "start, a State or (q, v),", SimulationError))
        if not 1 <= len(parts) <= 3 or not (parts[0] is None or isinstance(parts[0], _VECTORS)):
            raise SimulationError("start must be a State, (q, v) or (q, v, u), each of them a list of numbers")
        q, v, u = parts + [None] * (3 - len(parts))
    s = equations.sizes
    if q is None:
        raise SimulationError("start must hold the coordinates q")
    return State(
        t,
        equations.vector("q", q),
        np.zeros(s.v) if v is None else equations.vector("v", v),
        np.zeros(s.v),
        np.zeros(s.lam) if lam is None else equations.vector("lam", lam),
        np.zeros(s.u) if u is None else equations.vector("u", u),
    )
