"""From the records of slices to arrays: points of output, dense output, states at the ends of steps."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.equations import Equations
from dalembert.equations.assembly import smallest_multipliers
from dalembert.integrate.methods import Method
from dalembert.integrate.run import Completer, Floats, Options
from dalembert.solution import DenseOutput
from dalembert.solution.dense import nested


class Recorder:
    """Collects what a run leaves; ``rows`` of constraints that are not active have multipliers of zero."""

    def __init__(
        self, equations: Equations, options: Options, t_eval: Floats | None, keep_dense: bool, redundant: bool = False
    ) -> None:
        self.equations, self.options, self.t_eval, self.keep_dense = equations, options, t_eval, keep_dense
        self.redundant = redundant  # whether multipliers of rows that were left away share the load
        s = equations.sizes
        self.n_y, self.n_z = s.q + s.v + s.u, s.v + s.lam
        self.points: list[Floats] = []  # rows of (t, y, z) at the ends of steps, or at t_eval
        self.coefficients: list[Floats] = []  # one array (steps, K, n_y) per slice
        self.times: list[float] = []  # ends of steps, with the start
        self.completers: list[tuple[float, Completer]] = []  # from which instant on each one holds
        self._active: Equations = equations
        self._method: Method
        self._parameters: Floats
        self._last: Floats | None = None
        self._asked = 0  # instants of t_eval that are done

    @property
    def started(self) -> bool:
        """Whether there is a first point."""
        return self._last is not None

    def use(self, active: Equations, method: Method, parameters: Floats) -> None:
        """From now on steps belong to these equations, with some constraints active, and these parameters."""
        self._active, self._method, self._parameters = active, method, np.array(parameters)
        if self.started:
            self.completers.append((self.times[-1], self._completer()))

    def _completer(self) -> Completer:
        return Completer(self._active, self._method, self.options, self._parameters)

    def _padded(self, z: Floats) -> Floats:
        """(a, λ) with zeros for multipliers of constraints that are not active."""
        s = self.equations.sizes
        if self._active.sizes.lam == s.lam:
            return z
        full = np.zeros((*z.shape[:-1], self.n_z))
        full[..., : s.v] = z[..., : s.v]
        full[..., [s.v + row for row in self._active.rows]] = z[..., s.v :]
        return full

    def start(self, t: float, y: Floats, z: Floats) -> None:
        """The first point."""
        row = np.concatenate([[t], y, self._padded(z)])
        self._last = row
        self.times.append(t)
        self.completers.append((t, self._completer()))
        if self.t_eval is None:
            self.points.append(row[None])
        elif self.t_eval.size and self.t_eval[0] == t:
            self.points.append(row[None])
            self._asked = 1

    def jump(self, t: float, y: Floats, z: Floats) -> None:
        """A new state at the same instant, after an action."""
        row = np.concatenate([[t], y, self._padded(z)])
        self._last = row
        if self.t_eval is None:
            self.points.append(row[None])

    def add(self, records: Floats) -> None:
        """Steps of a slice."""
        if not len(records):
            return
        n_y = self.n_y
        n_z = self._active.sizes.v + self._active.sizes.lam
        t = records[:, 0]
        rows = np.concatenate([records[:, : 1 + n_y], self._padded(records[:, 1 + n_y : 1 + n_y + n_z])], axis=1)
        before = np.concatenate([[self.times[-1]], t[:-1]])
        self.times += t.tolist()
        self._last = rows[-1]
        if not self.options.dense:
            self.points.append(rows)
            return
        sizes, flat = records[:, 1 + n_y + n_z], records[:, 2 + n_y + n_z :]
        coefficients = flat.reshape(len(records), -1, n_y)
        cut = np.abs((t - before) - sizes) > 1e-10 * np.abs(sizes)  # a step that an event has cut short
        for k in np.flatnonzero(cut):
            coefficients[k] = stretched(coefficients[k], (t[k] - before[k]) / sizes[k])
        if self.keep_dense:
            self.coefficients.append(coefficients)
        if self.t_eval is None:
            self.points.append(rows)
        else:
            self._sample(before, t, coefficients)

    def _sample(self, before: Floats, t: Floats, coefficients: Floats) -> None:
        assert self.t_eval is not None
        sign = 1.0 if t[-1] >= before[0] else -1.0
        end = int(np.searchsorted(sign * self.t_eval, sign * t[-1], side="right"))
        if end <= self._asked:
            return
        asked = self.t_eval[self._asked : end]
        self._asked = end
        k = np.minimum(np.searchsorted(sign * t, sign * asked, side="left"), len(t) - 1)
        theta = (asked - before[k]) / (t[k] - before[k])
        y = nested(coefficients, theta, k)
        s = self.equations.sizes
        q, v, u = np.split(y, [s.q, s.q + s.v])
        q, v, a, lam = self.completers[-1][1](asked, q, v, u)
        z = self._padded(np.concatenate([a, lam]).T)
        self.points.append(np.concatenate([asked[:, None], q.T, v.T, u.T, z], axis=1))

    # --------------------------------------------------------------------------------------------------------- result

    def result(self) -> tuple[tuple[Floats, ...], DenseOutput | None]:
        """(t, q, v, a, lam, u) as arrays of columns, and the dense output."""
        s = self.equations.sizes
        width = 1 + self.n_y + self.n_z
        table = np.concatenate(self.points) if self.points else np.zeros((0, width))
        rows = np.ascontiguousarray(table.T)
        ends = (1, 1 + s.q, 1 + s.q + s.v, 1 + self.n_y, 1 + self.n_y + s.v, width)
        q, v, u, a, lam = (rows[start:end] for start, end in pairwise(ends))
        if self.redundant:
            lam = self._shared(rows[0], q, lam)
        points = rows[0], q, v, a, lam, u
        dense = None
        if self.keep_dense and self.times:
            coefficients = self._all_coefficients()
            sizes = {"n_q": s.q, "n_v": s.v, "n_u": s.u, "n_lam": s.lam}
            dense = DenseOutput(np.array(self.times), coefficients, sizes, completion=self._complete)
        return points, dense

    def parameters_at(self, t: Floats) -> Floats:
        """Parameters at each of these instants, one row each; where one stands twice, before and after a change."""
        starts = np.array([start for start, _ in self.completers])
        sign = 1.0 if len(self.times) < 2 or self.times[-1] >= self.times[0] else -1.0
        which = np.maximum(np.searchsorted(sign * starts, sign * t, side="right") - 1, 0)
        first = np.append(t[:-1] == t[1:], False) & np.isin(t, starts[1:])
        which[first] = np.maximum(which[first] - 1, 0)
        return np.array([one.parameters for _, one in self.completers])[which]

    def _all_coefficients(self) -> Floats:
        """One array (steps, K, n_y); methods with fewer coefficients have zeros behind theirs."""
        K = max([part.shape[1] for part in self.coefficients], default=self._method.coefficients)
        padded = [np.pad(part, ((0, 0), (0, K - part.shape[1]), (0, 0))) for part in self.coefficients]
        return np.concatenate(padded) if padded else np.zeros((0, K, self.n_y))

    def _complete(self, t: Floats, q: Floats, v: Floats, u: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Completion by the equations that held at each instant."""
        starts = np.array([start for start, _ in self.completers])
        sign = 1.0 if len(self.times) < 2 or self.times[-1] >= self.times[0] else -1.0
        which = np.maximum(np.searchsorted(sign * starts, sign * t, side="right") - 1, 0)
        s = self.equations.sizes
        result = np.empty((s.q, t.size)), np.empty((s.v, t.size)), np.empty((s.v, t.size)), np.zeros((s.lam, t.size))
        for k in np.unique(which):
            at = which == k
            completer = self.completers[k][1]
            part = completer(t[at], q[:, at], v[:, at], u[:, at])
            for target, values in zip(result[:3], part[:3], strict=True):
                target[:, at] = values
            result[3][np.ix_(list(completer.rows), np.flatnonzero(at))] = part[3]
        return (*result[:3], self._shared(t, result[0], result[3])) if self.redundant else result

    def _shared(self, t: Floats, q: Floats, lam: Floats) -> Floats:
        """Multipliers of the smallest norm at each instant."""
        columns = [
            smallest_multipliers(self.equations, float(t[k]), q[:, k], lam[:, k], self._parameters)
            for k in range(t.size)
        ]
        return np.stack(columns, axis=1) if columns else lam

    # ---------------------------------------------------------------------------------------------------------- state

    def state(self) -> dict[str, NDArray[Any]]:
        """What the recorder has so far, as plain arrays."""
        s = self.equations.sizes
        width = 1 + self.n_y + self.n_z
        return {
            "points": np.concatenate(self.points) if self.points else np.zeros((0, width)),
            "coefficients": self._all_coefficients(),
            "times": np.array(self.times),
            "last": np.zeros(0) if self._last is None else self._last,
            "asked": np.array([self._asked], dtype=np.int64),
            # Which equations held when: instants, parameters, and a flag for each active constraint.
            "modes_from": np.array([start for start, _ in self.completers]),
            "modes_parameters": np.array([one.parameters for _, one in self.completers]),
            "modes_rows": np.array(
                [[row in one.rows for row in range(s.lam)] for _, one in self.completers], dtype=np.int64
            ),
        }

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Go on from such arrays."""
        self.points = [np.asarray(arrays["points"])]
        self.coefficients = [np.asarray(arrays["coefficients"])]
        self.times = np.asarray(arrays["times"]).tolist()
        self._last = np.asarray(arrays["last"])
        self._asked = int(np.asarray(arrays["asked"])[0])
        self.completers = []
        modes = (np.asarray(arrays[key]) for key in ("modes_from", "modes_parameters", "modes_rows"))
        for start, parameters, active in zip(*modes, strict=True):
            equations = self.equations.restricted(np.flatnonzero(active).tolist())
            self.completers.append((float(start), Completer(equations, self._method, self.options, parameters)))


def stretched(coefficients: Floats, part: float) -> Floats:
    """Coefficients (K, n) in nested form of the same polynomial on the first ``part`` of its step."""
    K = len(coefficients)
    nodes = 0.5 - 0.5 * np.cos(np.pi * np.arange(K) / (K - 1))
    basis = nested(np.eye(K)[:, :, None], nodes).T
    values = nested(coefficients[:, :, None], nodes * part).T
    return np.asarray(np.linalg.solve(basis, values))
