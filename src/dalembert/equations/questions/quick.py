"""Forward dynamics of small systems in a few dozen microseconds: buffers that are made once, one dense factorisation.

What the full check of :mod:`~dalembert.equations.contract.checks` finds holds for one set of parameters almost
everywhere, so it is made once for each; from then on only pivots are looked at.  Where one is small, constraints are
close to a loss of rank, and the slow road says what there is to say.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.provider import Floats
from dalembert.symbolic.compiler.bound import BoundCall

#: Unknowns up to which a dense factorisation is quick.
_SMALL = 60
#: Pivots, of a matrix whose rows and columns have the same size, below which the rank is in doubt.
_DOUBT = 1e-7
_ASKED = ("M", "G", "f", "gamma")


class QuickDynamics:
    """The matrix of constrained motion of some equations, for one thread."""

    def __init__(self, equations: Equations) -> None:
        from scipy.linalg.lapack import dgetrf, dgetrs

        self._factor, self._solve = dgetrf, dgetrs
        provider, s = equations.program("contract"), equations.sizes
        self.n_v, self.n = s.v, s.v + s.lam
        self.call: BoundCall = provider.bound(_ASKED)
        M, G = provider.patterns["M"], provider.patterns["G"]
        #: rows and columns of the entries of M, G and its transpose, and their places in the matrix
        self._rows = np.concatenate([M.rows, s.v + G.rows, G.columns])
        self._columns = np.concatenate([M.columns, G.columns, s.v + G.rows])
        self._places = self._rows * self.n + self._columns
        self._pattern = G
        diagonal = np.full(s.v, -1)
        here = M.rows == M.columns
        diagonal[M.rows[here]] = np.flatnonzero(here)
        self._diagonal = diagonal
        self._matrix = np.zeros((self.n, self.n))
        self._flat = self._matrix.reshape(-1)
        self._right = np.zeros(self.n)
        self._scale: Floats | None = None
        self._products = np.zeros(len(self._places))

    def motion(self, t: float, q: Floats, v: Floats, u: Floats, p: Floats) -> tuple[Floats, Floats] | None:
        """Accelerations and multipliers; None where the rank is in doubt."""
        given, found, n_v = self.call.inputs, self.call.outputs, self.n_v
        given["p"][:], given["t"][0], given["q"][:], given["v"][:], given["u"][:] = p, t, q, v, u
        if self.call():
            return None
        entries = np.concatenate([found["M"], found["G"], found["G"]])
        self._right[:n_v], self._right[n_v:] = found["f"], found["gamma"]
        # Sizes of masses and rows of G change little along motions: those of an earlier point do for most others, and
        # are found anew, a third of the time of a call, where pivots are not as alike as they were there.
        scale = self._scale
        factors = None if scale is None else self._factors(entries)
        if scale is None or factors is None:
            scale = self._scale = self._sizes(found["M"], found["G"])
            if scale is None or (factors := self._factors(entries)) is None:
                return None
        x, _ = self._solve(*factors, self._right * scale)
        x *= scale
        return (x[:n_v], x[n_v:]) if np.isfinite(x).all() else None

    def _factors(self, entries: Floats) -> tuple[Floats, NDArray[Any]] | None:
        """L U of D K D; None where a pivot is small beside the others."""
        self._flat[self._places] = entries * self._products
        lu, pivots, info = self._factor(self._matrix)
        size = np.abs(lu.diagonal()).tolist()
        return None if info or not min(size) > _DOUBT * max(size) else (lu, pivots)

    def _sizes(self, M: Floats, G: Floats) -> Floats | None:
        """D: masses are 1 in D K D, and rows of G have the size 1."""
        scale, n_v = np.ones(self.n), self.n_v
        mass = M[self._diagonal]
        if not _positive(mass):
            return None
        scale[:n_v] = np.sqrt(1.0 / mass)
        if G.size:
            sizes = np.bincount(self._pattern.rows, (G * scale[self._pattern.columns]) ** 2, self.n - n_v)
            if not _positive(sizes):
                return None
            scale[n_v:] = np.sqrt(1.0 / sizes)
        self._products = scale[self._rows] * scale[self._columns]
        return scale


def _positive(values: NDArray[Any]) -> bool:
    """Whether there are numbers, all positive: of so few a list is faster than NumPy."""
    listed = values.tolist()
    return bool(listed) and min(listed) > 0.0


class _Kept(threading.local):
    """Buffers of each thread, and the parameters whose systems were checked."""

    def __init__(self) -> None:
        self.dynamics: QuickDynamics | None = None
        self.checked: set[bytes] = set()


def quick_motion(
    equations: Equations, t: float, q: Floats, v: Floats, u: Floats, p: Floats
) -> tuple[Floats, Floats] | None:
    """Accelerations and multipliers of a small system that was checked before; None where they take the slow road."""
    kept: _Kept = equations.kept("quick dynamics", _Kept)
    if p.tobytes() not in kept.checked:
        return None
    if kept.dynamics is None:
        kept.dynamics = QuickDynamics(equations)
    return kept.dynamics.motion(t, q, v, u, p)


def is_quick(equations: Equations) -> bool:
    """Whether there is a quick road: few unknowns, forces that depend on no multipliers, compiled code."""
    return equations.kept("is quick", lambda: _is_quick(equations))


def _is_quick(equations: Equations) -> bool:
    s: Any = equations.sizes
    if not 0 < s.v + s.lam <= _SMALL:
        return False
    program = equations.program("contract")
    return not len(program.patterns["F"].rows) and program.exact and not program.work_start


def remember(equations: Equations, p: Floats) -> None:
    """These parameters were checked."""
    kept: _Kept = equations.kept("quick dynamics", _Kept)
    if len(kept.checked) > 1000:
        kept.checked.clear()
    kept.checked.add(p.tobytes())
