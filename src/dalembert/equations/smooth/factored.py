"""Matrices at many points of a motion, factorised one by one in compiled code.

NumPy's routines for stacks of matrices spend most of their time between small ones: 1000 matrices of 21 rows take 9 ms
there and 2 ms here.
"""

from __future__ import annotations

import ctypes

import numpy as np

from dalembert.equations.contract.provider import Floats
from dalembert.errors import EquationsError
from dalembert.linalg.factors.dense_lu import lu_factor_rows, lu_solve_rows
from dalembert.native.kernel import Entry, Ints, entry, ints_at, reals_at
from dalembert.native.legend import Legend

stack_word = Legend(
    "words about matrices of one size at many points",
    COUNT="number of points",
    SIZE="rows of a matrix",
    MATRICES="address of the matrices, which their factors replace",
    PIVOTS="address of the pivots",
    RIGHT="address of the right-hand sides, which the solutions replace",
)
_ENTRY = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p
)


@entry
def factor_all(request: int, changed: int, inputs: Ints, outputs: Ints, work: Ints) -> int:
    """Factors of all matrices; returns 0, or 1 + the number of the point whose matrix is singular."""
    n = work[stack_word.SIZE]
    for k in range(work[stack_word.COUNT]):
        a = reals_at(work[stack_word.MATRICES] + 8 * k * n * n, n * n)
        if lu_factor_rows(a, n, ints_at(work[stack_word.PIVOTS] + 8 * k * n, n)) != 0:
            return k + 1
    return 0


@entry
def solve_all(request: int, changed: int, inputs: Ints, outputs: Ints, work: Ints) -> int:
    """Solutions at all points."""
    n = work[stack_word.SIZE]
    for k in range(work[stack_word.COUNT]):
        a = reals_at(work[stack_word.MATRICES] + 8 * k * n * n, n * n)
        pivots = ints_at(work[stack_word.PIVOTS] + 8 * k * n, n)
        lu_solve_rows(a, n, pivots, reals_at(work[stack_word.RIGHT] + 8 * k * n, n))
    return 0


class Factored:
    """Matrices at points, factorised with rows and columns brought to the same size, as they have different units."""

    def __init__(self, name: str, t: Floats, matrix: Floats) -> None:
        self.matrix = matrix
        count, n = matrix.shape[:2]
        rows, columns = np.ones(n), np.ones(n)
        largest = scaled = (
            np.maximum(matrix.max(axis=0), -matrix.min(axis=0)) if matrix.size else matrix[:0].sum(axis=0)
        )
        for _ in range(3 if matrix.size else 0):  # by the largest entries at all points, which have the same units
            for axis, factors in ((1, rows), (0, columns)):
                size = np.sqrt(scaled.max(axis=axis))
                factors /= np.where(size > 0, size, 1.0)
            scaled = largest * rows[:, None] * columns
        self._rows, self._columns = rows, columns
        self._factors = np.ascontiguousarray(matrix * (rows[:, None] * columns))
        self._pivots = np.zeros((count, n), dtype=np.int64)
        if failed := self._call(factor_all, self._factors[:, 0]) if matrix.size else 0:
            raise EquationsError(
                f"'{name}': the motion with fast coordinates locked is not determined at t = {t[failed - 1]:.6g}; is "
                "there a slow coordinate without mass, or a constraint on fast ones only?"
            )

    def _call(self, made: Entry, right: Floats) -> int:
        parts = self._factors.ctypes.data, self._pivots.ctypes.data, right.ctypes.data
        work = np.array([*self._pivots.shape, *parts], dtype=np.int64)  # stack_word
        nothing = work.ctypes.data
        return int(_ENTRY(made.address)(0, 0, nothing, nothing, nothing))

    def _solved(self, right: Floats) -> Floats:
        x = np.ascontiguousarray(right * self._rows)
        if x.size:
            self._call(solve_all, x)
        return x * self._columns

    def solve(self, right: Floats) -> Floats:
        """Solutions at all points, improved once."""
        x = self._solved(right)
        return x + self._solved(right - times(self.matrix, x))


def times(matrices: Floats, vectors: Floats) -> Floats:
    """Matrix times vector at each point."""
    return np.einsum("kij,kj->ki", matrices, vectors)
