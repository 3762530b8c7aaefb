"""Forward and inverse dynamics, mass matrix and kinematics of a tree of joints, called from Python."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dalembert.equations.recursion import direct
from dalembert.equations.recursion import record as rec
from dalembert.equations.recursion.layout import Layout
from dalembert.equations.recursion.tree import Link, Tree
from dalembert.errors import EquationsError

Floats = NDArray[np.float64]
_ENTRY = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p
)


class TreeDynamics:
    """Recursions over a tree of links of numbers; time and memory grow in proportion to their number.

    ::

        arm = TreeDynamics([Link("revolute", -1, mass=1.0, com=(0.5, 0, 0)), Link("revolute", 0, r=(1, 0, 0), …)])
        a = arm.forward_dynamics(q, v, tau)
        tau = arm.inverse_dynamics(q, v, a)
        M = arm.mass_matrix(q)

    Arrays that come back are copies.  One object serves one thread.
    """

    def __init__(self, links: Sequence[Link], gravity: ArrayLike = (0.0, 0.0, -9.81), name: str = "tree") -> None:
        self.tree = Tree(tuple(links), name, tuple(np.asarray(gravity, dtype=float).tolist()))
        self.layout = Layout(self.tree)
        constants, places, _ = self.tree.constant_numbers()
        if places:
            raise EquationsError(f"'{name}': links depend on parameters; only numbers can be used here")
        n_q, n_v = self.tree.n_q, self.tree.n_v
        self.constants = constants
        self._q, self._v, self._right = np.zeros(max(n_q, 1)), np.zeros(max(n_v, 1)), np.zeros(max(n_v, 1))
        self._q, self._v, self._right = self._q[:n_q], self._v[:n_v], self._right[:n_v]
        self.values = self.layout.start_values()
        self._sine_work = np.zeros(max(1, self.layout.work_size))
        work = np.zeros(direct.WORDS, dtype=np.int64)
        words = self.layout.words(self._sine_work.ctypes.data)
        work[: len(words)] = words
        base = self.values.ctypes.data
        work[direct.TABLES : direct.TABLES + 2] = base + 8 * self.layout.angles_at, base + 8 * self.layout.sines_at
        self._inputs = np.array(
            [array.ctypes.data for array in (constants, self._q, self._v, self._right, self.values)], dtype=np.int64
        )
        self._outputs = np.zeros(1, dtype=np.int64)
        self._M: Floats | None = None
        self._work = work
        self._entry = _ENTRY(direct.job.address)
        self._tables = self._inputs.ctypes.data, self._outputs.ctypes.data, work.ctypes.data

    def forward_dynamics(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> Floats:
        """Accelerations from forces of the joints, by the articulated-body algorithm."""
        self._q[:] = q
        self._v[:] = v
        self._right[:] = tau
        self._entry(direct.FORWARD, 0, *self._tables)
        return self._right.copy()

    def inverse_dynamics(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> Floats:
        """Forces of the joints that make the accelerations ``a``, by the Newton–Euler algorithm."""
        self._q[:] = q
        self._v[:] = v
        self._right[:] = a
        self._entry(direct.INVERSE_DYNAMICS, 0, *self._tables)
        return self._right.copy()

    def mass_matrix(self, q: ArrayLike) -> Floats:
        """M, from composite inertias."""
        if self._M is None:
            n = self.tree.n_v
            rows, columns = self.layout.lower_pairs()
            self._M = np.zeros((n, n))
            self._outputs[0] = self._M.ctypes.data
            self._work[direct.LOWER] = self.layout.keep(rows * n + columns)
            self._work[direct.UPPER] = self.layout.keep(columns * n + rows)
            self._work[direct.N_PAIRS] = len(rows)
        self._q[:] = q
        self._entry(direct.MASS_MATRIX, 0, *self._tables)
        return self._M.copy()

    def frames(self, q: ArrayLike, v: ArrayLike | None = None) -> dict[str, Floats]:
        """Frames of all links in world axes: "R" (n, 3, 3), "p" (n, 4), "r" (n, 3), and with ``v`` angular velocities
        "omega" and velocities of the origins "velocity"."""
        self._q[:] = q
        self._v[:] = 0.0 if v is None else v
        self._entry(direct.KINEMATICS, 0, *self._tables)
        found = {"R": self._field(rec.R, 9).reshape(-1, 3, 3), "p": self._field(rec.P, 4)}
        found["r"] = self._field(rec.POSITION, 3)
        if v is not None:
            found |= {"omega": self._field(rec.OMEGA, 3), "velocity": self._field(rec.VELOCITY, 3)}
        return found

    def joint_wrenches(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> Floats:
        """Moment about the origin of each link, then force, that its joint exerts on it; (n, 6) in world axes."""
        self.inverse_dynamics(q, v, a)
        return self._field(rec.MOMENT_W, 6)

    def _field(self, start: int, size: int) -> Any:
        records = self.values[: (len(self.tree.links) + 1) * rec.RECORD].reshape(-1, rec.RECORD)
        return records[self.tree.records, start : start + size]
