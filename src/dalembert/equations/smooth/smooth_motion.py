"""What smooth motion along a run consists of, and the linear theory that it is held against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.arguments import reals, shown, whole
from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.provider import Floats
from dalembert.equations.questions.kinematics import Kinematics
from dalembert.equations.smooth.locked import Locked
from dalembert.equations.smooth.many_points import Points
from dalembert.errors import StateError
from dalembert.instant import State


@dataclass(frozen=True, eq=False)
class SmoothMotion(Kinematics):
    """Smooth motion over time, (n, n_t) each, external states too; rows by name, ``motion["rod.q1"]``, and sensors."""

    def state(self, k: int) -> State:
        """The point at the k-th instant, from which the full system can be started."""
        k = whole(k, "the motion: k, the number of an instant,", StateError, least=-len(self.t), most=len(self.t) - 1)
        return State(float(self.t[k]), *(np.array(x[:, k]) for x in (self.q, self.v, self.a, self.lam, self.u)))

    def __repr__(self) -> str:
        times = f"{len(self.t)} instants, {self.t[0]:.6g} … {self.t[-1]:.6g}"
        return f"<SmoothMotion of {len(self.q)} coordinates at {times}>"

    @classmethod
    def joined(cls, parts: Sequence[tuple[Points, Locked]], equations: Equations, p: Floats) -> SmoothMotion:
        """Points with their accelerations and multipliers as one motion."""
        t = np.concatenate([at.t for at, _ in parts])
        rows = {key: np.concatenate([getattr(at, key) for at, _ in parts]) for key in ("q", "v", "u")}
        rows |= {key: np.concatenate([getattr(found, key) for _, found in parts]) for key in ("a", "lam")}
        outputs: dict[str, Floats] = {}
        sensors = equations.sensors
        if sensors is not None and len(t) > 1:
            point = {"p": np.tile(p, (len(t), 1)), "t": t[:, None], "mu": np.zeros((len(t), equations.sizes.g)), **rows}
            outputs = {name: np.moveaxis(values, 0, -1) for name, values in sensors.at(point).items()}
        columns = {key: np.ascontiguousarray(values.T) for key, values in rows.items()}
        return cls(t, names=equations.names, outputs=outputs, **columns)


def points_of(run: Any, times: Any, rigid: Equations) -> Points:
    """Points of a run of the rigid limit, at its own instants or at some times."""
    s = rigid.sizes
    if times is not None:
        instants = reals(times, f"'{rigid.name}': times", StateError, finite=True).reshape(-1)
        if getattr(run, "sol", None) is None:
            raise StateError(f"'{rigid.name}': {shown(run)} has no dense output; leave times away, or simulate with it")
        run, t = run.sol(instants), instants
    else:
        t = np.asarray(getattr(run, "t", None))
    q, v, u = (np.asarray(getattr(run, key, None)) for key in ("q", "v", "u"))
    n = len(t) if t.ndim == 1 else 0
    if not n or q.shape != (s.q, n) or v.shape != (s.v, n):
        raise StateError(
            f"'{rigid.name}': a run of these equations is needed, with {s.q} coordinates over time, as simulate or "
            f"kinematics leave it; got {shown(run)}"
        )
    states = np.broadcast_to(u.reshape(s.u, -1), (s.u, n)) if s.u else np.zeros((0, n))
    return Points(np.array(t, dtype=float), np.array(q.T), np.array(v.T), np.array(states.T))


def elastodynamics(t: Floats, nu: Floats, M: Floats, K: Floats, q: Floats, rate: Floats) -> tuple[Floats, Floats]:
    """M q̈ + K q = ν(t), (23): in modes, exactly for forces that are linear between instants; (n, n_t) each."""
    import scipy.linalg

    squares, modes = scipy.linalg.eigh(K, M)
    omega = np.sqrt(squares)
    force = nu @ modes
    x, y = np.zeros((len(t), len(q))), np.zeros((len(t), len(q)))
    x[0], y[0] = modes.T @ M @ q, modes.T @ M @ rate
    for k, h in enumerate(np.diff(t)):
        slope = (force[k + 1] - force[k]) / h
        c, s = np.cos(omega * h), np.sin(omega * h)
        # The particular solution is (force + slope τ) / ω².
        a, b = x[k] - force[k] / squares, (y[k] - slope / squares) / omega
        x[k + 1] = a * c + b * s + (force[k] + slope * h) / squares
        y[k + 1] = omega * (b * c - a * s) + slope / squares
    return modes @ x.T, modes @ y.T
