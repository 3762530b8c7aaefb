"""Forward and inverse dynamics, mass matrix and kinematics of a tree of joints, called from Python."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dalembert.arguments import reals, shown
from dalembert.equations.contract.convention import IMPLICIT_OUTPUT
from dalembert.equations.recursion.passes.pass_runs import PassRuns
from dalembert.equations.recursion.passes.words import JOB, direct_word
from dalembert.equations.recursion.passes.workspace import ENTRY
from dalembert.equations.recursion.programs import direct
from dalembert.equations.recursion.programs.recursion import Recursion
from dalembert.equations.recursion.tree.links import Link, Tree
from dalembert.equations.recursion.tree.record import record
from dalembert.errors import EquationsError

Floats = NDArray[np.float64]


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
        self.runs = PassRuns(self.tree)
        constants, places, _ = self.tree.constant_numbers()
        if places:
            raise EquationsError(f"'{name}': links depend on parameters; only numbers can be used here")
        n_q, n_v = self.tree.n_q, self.tree.n_v
        self.constants = constants
        self._q, self._v, self._right = np.zeros(max(n_q, 1)), np.zeros(max(n_v, 1)), np.zeros(max(n_v, 1))
        self._q, self._v, self._right = self._q[:n_q], self._v[:n_v], self._right[:n_v]
        self.values = self.runs.start_values()
        n_bodies, at = len(self.tree.bodies), self.runs.wrench_at
        self._wrenches = self.values[at : at + 6 * n_bodies].reshape(n_bodies, 6)
        self._sine_work = np.zeros(max(1, self.runs.work_size))
        work = np.zeros(direct_word.end, dtype=np.int64)
        for place, value in self.runs.words(self._sine_work.ctypes.data, direct.PASSES).items():
            work[place] = value
        tables_at = np.array([self.runs.angles_at, self.runs.sines_at])
        work[direct_word.TABLES : direct_word.TABLES + 2] = self.values.ctypes.data + 8 * tables_at
        self._inputs = np.array(
            [array.ctypes.data for array in (constants, self._q, self._v, self._right, self.values)], dtype=np.int64
        )
        self._outputs = np.zeros(1, dtype=np.int64)
        self._M: Floats | None = None
        self._derivatives: _Derivatives | None = None
        self._work = work
        self._entry = ENTRY(direct.job.address)
        # Arguments that are ctypes' own already: a third less time in each call.
        tables = [ctypes.c_void_p(table.ctypes.data) for table in (self._inputs, self._outputs, work)]
        self._jobs = [(ctypes.c_int64(number), ctypes.c_int64(0), *tables) for number in range(JOB.end)]
        self._undetermined = self._found_undetermined()

    def _found_undetermined(self) -> str:
        """Why forces do not determine accelerations, wherever the links are; empty if they do."""
        for place in (0.5, -0.5):  # four such numbers are Euler parameters of length one
            self._q[:], self._v[:], self._right[:] = place, 0.0, 1.0
            self._entry(*self._jobs[JOB.FORWARD])
            if np.isfinite(self._right).all():
                return ""
        return f"'{self.tree.name}': {_massless_link(self.tree.links)}; give it mass, or fix it"

    def forward_dynamics(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, wrenches: ArrayLike | None = None) -> Floats:
        """Accelerations from forces of the joints, by the articulated-body algorithm.

        ``wrenches`` (bodies, 6) act on the links that carry bodies: forces at the centres of mass in world axes, then
        moments in axes of the bodies.
        """
        if self._undetermined:
            raise EquationsError(self._undetermined)
        try:
            self._q[:] = q
            self._v[:] = v
            self._right[:] = tau
            if wrenches is not None:
                self._wrenches[:] = wrenches
        except Exception:
            raise self._refused(q=q, v=v, tau=tau, wrenches=wrenches) from None
        self._entry(*self._jobs[JOB.FORWARD if wrenches is None else JOB.FORWARD_LOADED])
        return self._right.copy()

    def inverse_dynamics(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, wrenches: ArrayLike | None = None) -> Floats:
        """Forces of the joints that make the accelerations ``a``, by the Newton–Euler algorithm."""
        try:
            self._q[:] = q
            self._v[:] = v
            self._right[:] = a
            if wrenches is not None:
                self._wrenches[:] = wrenches
        except Exception:
            raise self._refused(q=q, v=v, a=a, wrenches=wrenches) from None
        self._entry(*self._jobs[JOB.INVERSE_DYNAMICS if wrenches is None else JOB.INVERSE_LOADED])
        return self._right.copy()

    def mass_matrix(self, q: ArrayLike) -> Floats:
        """M, from composite inertias."""
        if self._M is None:
            n = self.tree.n_v
            rows, columns = self.runs.lower_pairs()
            self._M = np.zeros((n, n))
            self._outputs[0] = self._M.ctypes.data
            self._work[direct_word.LOWER] = self.runs.keep(rows * n + columns)
            self._work[direct_word.UPPER] = self.runs.keep(columns * n + rows)
            self._work[direct_word.N_PAIRS] = len(rows)
        try:
            self._q[:] = q
        except Exception:
            raise self._refused(q=q) from None
        self._entry(*self._jobs[JOB.MASS_MATRIX])
        return self._M.copy()

    def inverse_dynamics_derivatives(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> tuple[Floats, Floats, Floats]:
        """Derivatives of the forces that :meth:`inverse_dynamics` finds, with respect to q, v and a: the last is M."""
        if self._derivatives is None:
            self._derivatives = _Derivatives(self.tree)
        try:
            return self._derivatives(q, v, a)
        except (TypeError, ValueError, OverflowError, RuntimeError, LookupError):
            raise self._refused(q=q, v=v, a=a) from None

    def frames(self, q: ArrayLike, v: ArrayLike | None = None, a: ArrayLike | None = None) -> dict[str, Floats]:
        """Frames of all links in world axes: "R" (n, 3, 3), Euler parameters "p" (n, 4), origins "r" (n, 3).

        With ``v`` also angular velocities "omega" and velocities of the origins "velocity"; with ``v`` and ``a`` also
        "alpha" and "acceleration".
        """
        try:
            self._q[:] = q
            self._v[:] = 0.0 if v is None else v
            if a is not None:
                self._right[:] = a
        except Exception:
            raise self._refused(q=q, v=v, a=a) from None
        self._entry(*self._jobs[JOB.KINEMATICS])
        found = {"R": self._field(record.R, 9).reshape(-1, 3, 3), "p": self._field(record.P, 4)}
        found["r"] = self._field(record.POSITION, 3)
        if v is not None:
            found |= {"omega": self._field(record.OMEGA, 3), "velocity": self._field(record.VELOCITY, 3)}
        if v is not None and a is not None:
            self._entry(*self._jobs[JOB.INVERSE_DYNAMICS])
            # Gravity is in the recursion as an acceleration of the world upwards.
            found |= {"alpha": self._field(record.ALPHA, 3), "acceleration": self._field(record.ACCELERATION, 3)}
            found["acceleration"] += self.constants[:3]
        return found

    def _refused(self, **given: Any) -> EquationsError:
        """What is wrong with vectors that could not be copied, which is asked only then: calls take microseconds."""
        shapes = {"q": self._q.shape, "wrenches": self._wrenches.shape}
        for key, value in given.items():
            shape = shapes.get(key, self._right.shape)
            found = None if value is None else reals(value, f"'{self.tree.name}': {key}", EquationsError)
            if (found is None and key != "wrenches") or (found is not None and found.shape != shape):
                got = shown(value) if found is None else f"the shape {found.shape}"
                return EquationsError(f"'{self.tree.name}': {key} must be numbers of the shape {shape}, got {got}")
        return EquationsError(f"'{self.tree.name}': {', '.join(given)} must be numbers")

    def joint_wrenches(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, wrenches: ArrayLike | None = None) -> Floats:
        """Moment about the origin of each link, then force, that its joint exerts on it; (n, 6) in world axes."""
        self.inverse_dynamics(q, v, a, wrenches)
        return self._field(record.MOMENT, 6)

    def _field(self, start: int, size: int) -> Any:
        records = self.values[: (len(self.tree.links) + 1) * record.end].reshape(-1, record.end)
        return records[self.tree.records, start : start + size]


def _massless_link(links: Sequence[Link]) -> str:
    """The first link that a joint moves with nothing behind it that has mass or inertia, in words."""
    heavy = [bool(link.mass) or bool(np.any(np.asarray(link.inertia, dtype=float))) for link in links]
    for i in range(len(links) - 1, -1, -1):
        if heavy[i] and links[i].parent >= 0:
            heavy[links[i].parent] = True
    for link, has in zip(links, heavy, strict=True):
        if not has and link.kind != "fixed":
            return f"the link '{link.name}' of a {link.kind} joint carries neither mass nor inertia"
    return "a link moves without inertia"


class _Derivatives:
    """The part of the program "implicit" of a tree that differentiates its residuals."""

    def __init__(self, tree: Tree) -> None:
        self._provider = Recursion(tree.name, tree.links, gravity=tree.gravity).program("implicit")
        n_q, n_v = tree.n_q, tree.n_v
        self._inputs = [np.zeros(max(1, size)) for size in self._provider.in_sizes]
        self._jacobian = np.zeros(self._provider.out_sizes[IMPLICIT_OUTPUT.jacobian])
        self._in = np.array([array.ctypes.data for array in self._inputs], dtype=np.int64)
        self._out = np.full(IMPLICIT_OUTPUT.end, self._jacobian.ctypes.data, dtype=np.int64)
        self._work = self._provider.workspace()
        self._entry = ENTRY(self._provider.address)
        pattern = self._provider.patterns["jacobian"]
        self._blocks = []
        for first, size in ((0, n_q), (n_q, n_v), (n_q + n_v, n_v)):
            inside = (pattern.rows >= n_q) & (pattern.columns >= first) & (pattern.columns < first + size)
            places = np.flatnonzero(inside)
            rows, columns = pattern.rows[places] - n_q, pattern.columns[places] - first
            self._blocks.append((places, rows * size + columns, (n_v, size)))

    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> tuple[Floats, Floats, Floats]:
        for k, value in ((2, q), (3, v), (6, a)):
            self._inputs[k][:] = value
        self._entry(1 << 5, 0, self._in.ctypes.data, self._out.ctypes.data, self._work.ctypes.data)
        found = []
        for places, targets, shape in self._blocks:
            block = np.zeros(shape)
            block.reshape(-1)[targets] = self._jacobian[places]
            found.append(block)
        return found[0], found[1], found[2]
