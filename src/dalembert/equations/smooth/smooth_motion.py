"""What smooth motion along a run consists of, and the linear theory that it is held against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dalembert.arguments import reals, shown
from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.provider import Floats
from dalembert.equations.questions.kinematics import MotionOverTime
from dalembert.equations.smooth.locked import Locked, locked_at
from dalembert.equations.smooth.many_points import Contract, Division, Points
from dalembert.errors import StateError
from dalembert.instant import State


@dataclass(frozen=True, eq=False, repr=False)
class SmoothMotion(MotionOverTime):
    """Smooth motion over time, (n, n_t) each, external states too; rows by name, ``motion["rod.q1"]``, and sensors.

    Accelerations, multipliers and sensors are those of the full equations, and computed when they are asked for.
    """

    equations: Equations
    p: Floats

    def state(self, k: int) -> State:
        """The point at the k-th instant, from which the full system can be started."""
        k = self._instant(k)
        k = k % len(self.t)
        found = self._motion(slice(k, k + 1))
        q, v, u = (np.array(x[:, k]) for x in (self.q, self.v, self.u))
        return State(float(self.t[k]), q, v, found.a[0], found.lam[0], u)

    @property
    def a(self) -> Floats:
        """Accelerations."""
        return self._full.a.T

    @property
    def lam(self) -> Floats:
        """Multipliers."""
        return self._full.lam.T

    @cached_property
    def _full(self) -> Locked:
        return self._motion(slice(None))

    def _motion(self, instants: slice) -> Locked:
        s = self.equations.sizes
        none = np.zeros(0, dtype=np.int64)
        contract = Contract(self.equations, self.p, Division(np.arange(s.v), none, none), expressions=False)
        at = Points(self.t, self.q.T, self.v.T, self.u.T)[instants]
        found = [locked_at(contract, part, np.zeros((len(part), 0))) for part in contract.parts(at)]
        a, lam, nu, d = (np.concatenate([getattr(one, key) for one in found]) for key in ("a", "lam", "nu", "d"))
        return Locked(a, lam, nu, d, found[-1].matrix)

    @cached_property
    def outputs(self) -> dict[str, Floats]:
        """Sensors over time, (n_t,) or (…, n_t), where the equations have some."""
        sensors, n = self.equations.sensors, len(self.t)
        if sensors is None or n < 2:
            return {}
        rows = {"q": self.q, "v": self.v, "u": self.u, "a": self.a, "lam": self.lam}
        point = {key: np.ascontiguousarray(values.T) for key, values in rows.items()}
        point |= {"p": np.tile(self.p, (n, 1)), "t": self.t[:, None], "mu": np.zeros((n, self.equations.sizes.g))}
        return {name: np.moveaxis(values, 0, -1) for name, values in sensors.at(point).items()}

    @classmethod
    def joined(cls, parts: Sequence[Points], equations: Equations, p: Floats) -> SmoothMotion:
        """Points as one motion."""
        t = np.concatenate([at.t for at in parts])
        rows = {
            key: np.ascontiguousarray(np.concatenate([getattr(at, key) for at in parts]).T) for key in ("q", "v", "u")
        }
        return cls(t, names=equations.names, equations=equations, p=p, **rows)


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
