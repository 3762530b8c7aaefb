"""LU factorisation of dense matrices with row pivoting, for real and complex numbers.

Matrices are stored by rows in one-dimensional arrays.  Up to :data:`OWN` unknowns the loops here are the fastest; above
them the routines getrf and getrs of LAPACK, whose addresses the caller provides (:func:`lapack`), take over.
"""

from __future__ import annotations

import ctypes
import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.native.kernel import Ints, call_getrf, call_getrs, compiled, reassociated

#: Largest number of unknowns for the own loops (measured: LAPACK is faster from between 70 and 100).
OWN = 80


@compiled
def _exchange(first: Any, second: Any) -> None:
    """Exchange two rows."""
    for j in range(first.size):
        first[j], second[j] = second[j], first[j]


@compiled
def _subtract(factor: float, row: Any, target: Any) -> None:
    """target − factor · row; much of factors is zero."""
    if factor != 0.0:
        for j in range(row.size):
            target[j] -= factor * row[j]


@compiled
def lu_factor(a: Any, n: int, pivots: Ints, getrf: int) -> int:
    """Factorise in place; returns 0, or 1 + the column in which no pivot was found (also for entries that are not
    finite).

    ``pivots`` is an int64 array with n entries; ``getrf`` the address of the LAPACK routine for the type of ``a``.
    """
    for k in range(n):  # LAPACK does not look, and the loops below see only what reaches a pivot
        total = 0.0
        for j in range(k * n, k * n + n):
            total += abs(a[j])
        if not total < np.inf:
            return k + 1
    if n > OWN:
        return call_getrf(getrf, n, a, pivots)
    failed = lu_factor_rows(a, n, pivots)
    if failed == 0:
        _store_by_columns(a, n)
    return failed


@compiled
def _store_by_columns(a: Any, n: int) -> None:
    """Factors by columns: solutions then consist of sums of vectors, which do not wait for each other as sums within a
    vector do."""
    for i in range(n):
        for j in range(i):
            a[i * n + j], a[j * n + i] = a[j * n + i], a[i * n + j]


@compiled
def lu_solve(a: Any, n: int, pivots: Ints, b: Any, getrs: int) -> int:
    """Replace ``b`` by the solution; ``a`` and ``pivots`` as :func:`lu_factor` left them."""
    if n > OWN:
        return call_getrs(getrs, n, a, pivots, b)
    for k in range(n):
        best = pivots[k]
        if best != k:
            b[k], b[best] = b[best], b[k]
    for k in range(n - 1):
        column, rest, value = a[k * n + k + 1 : (k + 1) * n], b[k + 1 : n], b[k]
        for j in range(column.size):
            rest[j] -= column[j] * value
    for k in range(n - 1, -1, -1):
        value = b[k] / a[k * n + k]
        b[k] = value
        column, rest = a[k * n : k * n + k], b[:k]
        for j in range(column.size):
            rest[j] -= column[j] * value
    return 0


@compiled
def lu_factor_rows(a: Any, n: int, pivots: Ints) -> int:
    """The own loops, for any size."""
    for k in range(n):
        best, largest = k, abs(a[k * n + k])
        for i in range(k + 1, n):
            size = abs(a[i * n + k])
            if size > largest:
                best, largest = i, size
        if not (largest > 0.0 and largest < np.inf):  # zero, infinite or NaN
            return k + 1
        pivots[k] = best
        if best != k:
            _exchange(a[k * n : (k + 1) * n], a[best * n : (best + 1) * n])
        inverse = 1.0 / a[k * n + k]
        row = a[k * n + k + 1 : (k + 1) * n]
        for i in range(k + 1, n):
            factor = a[i * n + k] * inverse
            a[i * n + k] = factor
            if factor != 0.0:
                target = a[i * n + k + 1 : (i + 1) * n]
                for j in range(target.size):
                    target[j] -= factor * row[j]
    return 0


@reassociated
def lu_solve_rows(a: Any, n: int, pivots: Ints, b: Any) -> int:
    """With the factors of :func:`lu_factor_rows`."""
    for k in range(n):
        best = pivots[k]
        if best != k:
            b[k], b[best] = b[best], b[k]
    for i in range(n):
        row, known = a[i * n : i * n + i], b[:i]
        total = b[i]
        for j in range(row.size):
            total -= row[j] * known[j]
        b[i] = total
    for i in range(n - 1, -1, -1):
        row, known = a[i * n + i + 1 : (i + 1) * n], b[i + 1 : n]
        total = b[i]
        for j in range(row.size):
            total -= row[j] * known[j]
        b[i] = total / a[i * n + i]
    return 0


@compiled
def lu_solve_transposed(a: Any, n: int, pivots: Ints, b: Any) -> None:
    """Replace ``b`` by the solution with the transposed matrix; the factors are those of :func:`lu_factor_rows`."""
    for i in range(n):
        b[i] /= a[i * n + i]
        row, rest, value = a[i * n + i + 1 : (i + 1) * n], b[i + 1 : n], b[i]
        for j in range(row.size):
            rest[j] -= row[j] * value
    for i in range(n - 1, -1, -1):
        row, known, value = a[i * n : i * n + i], b[:i], b[i]
        for j in range(row.size):
            known[j] -= row[j] * value
    for i in range(n - 1, -1, -1):
        best = pivots[i]
        if best != i:
            b[i], b[best] = b[best], b[i]


@compiled
def lu_solve_many(a: Any, n: int, pivots: Ints, b: Any, k: int) -> None:
    """Replace ``b``, of k right-hand sides stored by rows, by the solutions; the factors are those of
    :func:`lu_factor_rows`."""
    for i in range(n):
        best = pivots[i]
        if best != i:
            _exchange(b[i * k : i * k + k], b[best * k : best * k + k])
    for i in range(n):
        target = b[i * k : i * k + k]
        for j in range(i):
            _subtract(a[i * n + j], b[j * k : j * k + k], target)
    for i in range(n - 1, -1, -1):
        target = b[i * k : i * k + k]
        for j in range(i + 1, n):
            _subtract(a[i * n + j], b[j * k : j * k + k], target)
        inverse = 1.0 / a[i * n + i]
        for c in range(k):
            target[c] *= inverse


@compiled
def lu_solve_many_transposed(a: Any, n: int, pivots: Ints, b: Any, k: int) -> None:
    """Replace ``b``, of k right-hand sides stored by rows, by the solutions with the transposed matrix."""
    for i in range(n):
        known = b[i * k : i * k + k]
        inverse = 1.0 / a[i * n + i]
        for c in range(k):
            known[c] *= inverse
        for j in range(i + 1, n):
            _subtract(a[i * n + j], known, b[j * k : j * k + k])
    for i in range(n - 1, -1, -1):
        known = b[i * k : i * k + k]
        for j in range(i):
            _subtract(a[i * n + j], known, b[j * k : j * k + k])
    for i in range(n - 1, -1, -1):
        best = pivots[i]
        if best != i:
            _exchange(b[i * k : i * k + k], b[best * k : best * k + k])


@compiled
def inverse_norm(a: Any, n: int, pivots: Ints, rows: Any, columns: Any, x: Any, signs: Any) -> float:
    """Estimate of the largest column sum of the inverse (Hager) of the matrix with its rows divided by ``rows`` and its
    columns multiplied by ``columns``; the factors, without these, are those of :func:`lu_factor_rows`."""
    for i in range(n):
        x[i] = 1.0 / n
    found = 0.0
    for _ in range(3):
        for i in range(n):
            x[i] *= rows[i]
        lu_solve_rows(a, n, pivots, x)
        size = 0.0
        for i in range(n):
            size += abs(x[i] / columns[i])
            signs[i] = (1.0 if x[i] >= 0.0 else -1.0) / columns[i]
        if not size > found:
            break
        found = size
        lu_solve_transposed(a, n, pivots, signs)
        best, largest = 0, -1.0
        for i in range(n):
            if abs(signs[i] * rows[i]) > largest:
                best, largest = i, abs(signs[i] * rows[i])
        for i in range(n):
            x[i] = 1.0 if i == best else 0.0
    return found


def pivots_fit(pivots: NDArray[np.int64], n: int) -> bool:
    """Whether such pivots can be of :func:`lu_factor`; those of LAPACK are pairs of short numbers, from 1 on."""
    if n > OWN:
        short = np.ascontiguousarray(pivots).view(np.int32)[:n]
        return bool(np.all((short >= 1) & (short <= n)))
    return bool(np.all((pivots >= 0) & (pivots < n)))


@functools.cache
def lapack(name: str) -> int:
    """Address of a routine of LAPACK ("dgetrf", ...) or BLAS in the library that SciPy carries."""
    from scipy.linalg import cython_blas, cython_lapack

    capsule = (cython_lapack.__pyx_capi__ | cython_blas.__pyx_capi__)[name]
    pointer, title = ctypes.pythonapi.PyCapsule_GetPointer, ctypes.pythonapi.PyCapsule_GetName
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    title.restype, title.argtypes = ctypes.c_char_p, [ctypes.py_object]
    return int(pointer(capsule, title(capsule)))
