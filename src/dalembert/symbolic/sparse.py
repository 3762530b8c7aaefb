"""Sparse matrices of atoms: a fixed pattern and the atoms on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.arguments import LARGEST_ARRAY, shown, wholes
from dalembert.errors import MissingExtraError, SymbolicError
from dalembert.symbolic.atom import AtomArray, array, zeros


@dataclass(frozen=True)
class SparseMatrix:
    """Matrix with a structural pattern, stored column by column (CSC order)."""

    shape: tuple[int, int]
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    values: AtomArray

    def __post_init__(self) -> None:
        for name in ("shape", "rows", "columns"):
            listed = wholes(getattr(self, name), f"SparseMatrix: {name}", SymbolicError, ndim=1)
            object.__setattr__(self, name, tuple(listed.tolist()))
        if len(self.shape) != 2 or min(self.shape) < 0 or self.shape[0] * self.shape[1] > LARGEST_ARRAY:
            raise SymbolicError(f"SparseMatrix: the shape must be two sizes, got {self.shape}")
        if not isinstance(self.values, AtomArray) or self.values.ndim != 1:
            raise SymbolicError(f"SparseMatrix: values must be a list of atoms, array([…]); got {shown(self.values)}")
        if not len(self.rows) == len(self.columns) == len(self.values):
            raise SymbolicError(f"SparseMatrix: {len(self.rows)} rows, {len(self.columns)} columns and "
                                f"{len(self.values)} values do not fit together")  # fmt: skip
        places = list(zip(self.columns, self.rows, strict=True))
        if places != sorted(set(places)):
            raise SymbolicError("SparseMatrix: places must be unique and sorted by column, then by row")
        if not all(0 <= i < self.shape[0] and 0 <= j < self.shape[1] for j, i in places):
            raise SymbolicError(f"SparseMatrix: an entry lies outside of the shape {self.shape}")

    @classmethod
    def from_dense(cls, matrix: Any) -> SparseMatrix:
        """Keep the entries that are not the number zero."""
        try:
            dense = array(matrix)
        except SymbolicError as error:
            raise SymbolicError(f"SparseMatrix: matrix: {error}") from None
        if dense.ndim != 2:
            raise SymbolicError(f"SparseMatrix: expected a matrix, got shape {dense.shape}")
        places = [(i, j) for j in range(dense.shape[1]) for i in range(dense.shape[0]) if not dense[i, j] == 0]
        values = array([dense[i, j] for i, j in places])
        return cls(dense.shape, tuple(i for i, _ in places), tuple(j for _, j in places), values)

    @property
    def nnz(self) -> int:
        """Number of stored entries."""
        return len(self.rows)

    @property
    def indptr(self) -> npt.NDArray[np.int32]:
        """Start of each column in the stored entries (SciPy's CSC)."""
        counts = np.bincount(np.asarray(self.columns, dtype=np.intp), minlength=self.shape[1])
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)

    def toarray(self) -> AtomArray:
        """The full matrix."""
        dense = zeros(self.shape)
        for i, j, value in zip(self.rows, self.columns, self.values, strict=True):
            dense[i, j] = value
        return dense


def csc_array(data: Any, rows: Any, indptr: Any, shape: tuple[int, int]) -> Any:
    """SciPy's sparse array of numbers on a given pattern."""
    try:
        from scipy.sparse import csc_array as scipy_csc_array
    except ImportError:
        raise MissingExtraError("returning a sparse matrix", "scipy", "sparse") from None
    return scipy_csc_array((data, rows, indptr), shape=shape)
