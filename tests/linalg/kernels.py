"""The linear algebra of kernels, called from Python: each function here runs compiled code on given arrays."""

from __future__ import annotations

import numpy as np

from dalembert.linalg.factors.dense_lu import lapack, lu_factor, lu_solve
from dalembert.linalg.factors.sparse_lu import LU, sparse_factor, sparse_solve
from dalembert.linalg.modes.range_space import SCHUR, range_factor, range_solve, range_value_size
from dalembert.native.kernel import Run, as_complex, kernel, view

#: After the header of a run: number of unknowns, whether they are complex.
N, COMPLEX, PIVOTS = 3, 4, 5


@kernel
def _dense(run: Run) -> int:
    """Reals: the matrix by rows, then the right-hand side, which becomes the solution."""
    n = run.ints[N]
    pivots = view(run.ints, PIVOTS, n)
    if run.ints[COMPLEX]:
        numbers = as_complex(run.reals)
        a, b = view(numbers, 0, n * n), view(numbers, n * n, n)
        status = lu_factor(a, n, pivots, run.table[2])
        if status == 0:
            lu_solve(a, n, pivots, b, run.table[3])
        return status
    a, b = view(run.reals, 0, n * n), view(run.reals, n * n, n)
    status = lu_factor(a, n, pivots, run.table[0])
    if status == 0:
        lu_solve(a, n, pivots, b, run.table[1])
    return status


@kernel
def _sparse(run: Run) -> int:
    """Reals: the values of a plan, then the right-hand side; whole numbers: how many values there are, the plan."""
    size, complex_numbers = run.ints[N], run.ints[COMPLEX]
    plan = view(run.ints, PIVOTS, run.ints.size - PIVOTS)
    if complex_numbers:
        numbers = as_complex(run.reals)
        values, b = view(numbers, 0, size), view(numbers, size, plan[LU.N])
        status = sparse_factor(values, plan)
        if status == 0:
            sparse_solve(values, plan, b)
        return status
    values, b = view(run.reals, 0, size), view(run.reals, size, plan[LU.N])
    status = sparse_factor(values, plan)
    if status == 0:
        sparse_solve(values, plan, b)
    return status


@kernel
def _range_space(run: Run) -> int:
    """Reals: work of the plan, M, G, right-hand side; whole numbers: sizes of the work and of G, the plan."""
    size, entries = run.ints[N], run.ints[COMPLEX]
    plan = view(run.ints, PIVOTS, run.ints.size - PIVOTS)
    n_v, n = plan[SCHUR.N_V], plan[SCHUR.N_LAM]
    values, M = view(run.reals, 0, size), view(run.reals, size, n_v)
    G, right = view(run.reals, size + n_v, entries), view(run.reals, size + n_v + entries, n_v + n)
    status = range_factor(values, plan, M, G)
    if status == 0:
        range_solve(values, plan, G, right)
    return status


def range_space(plan, M, G, right):
    """Status and solution (a, λ) for diagonal M, compiled."""
    values = np.zeros(range_value_size(plan))
    reals = np.concatenate([values, M, G, right])
    ints = np.array([0, 0, 0, len(values), len(G), *plan], dtype=np.int64)
    ints[:3] = 0, len(ints), len(reals)
    status = _range_space(Run(np.zeros(0, dtype=np.int64), ints, reals))
    return status, reals[-len(right) :]


def range_space_in_python(plan, M, G, right):
    """The same by the Python functions."""
    values, x = np.zeros(range_value_size(plan)), np.array(right)
    with np.errstate(all="ignore"):
        status = range_factor(values, plan, M, G)
        if status == 0:
            range_solve(values, plan, G, x)
    return status, x


def _call(made, first, words, numbers, size):
    """Status, and the last ``size`` of the numbers as the kernel leaves them."""
    is_complex = np.iscomplexobj(numbers)
    reals = np.ascontiguousarray(numbers).view(np.float64).copy()
    table = np.array([lapack(name) for name in ("dgetrf", "dgetrs", "zgetrf", "zgetrs")], dtype=np.int64)
    ints = np.array([0, 0, 0, first, int(is_complex), *words], dtype=np.int64)
    ints[:3] = len(table), len(ints), len(reals)
    status = made(Run(table, ints, reals))
    return status, reals.view(np.asarray(numbers).dtype)[-size:]


def dense(A, b):
    """Status and solution of A x = b, compiled."""
    n = len(b)
    return _call(_dense, n, np.zeros(n), np.concatenate([np.ravel(A), b]), n)


def dense_in_python(A, b):
    """The same by the Python functions, where they do not need LAPACK."""
    a, x, pivots = np.array(A).reshape(-1), np.array(b), np.zeros(len(b), dtype=np.int64)
    with np.errstate(all="ignore"):  # compiled code does not warn either
        status = lu_factor(a, len(b), pivots, 0)
        if status == 0:
            lu_solve(a, len(b), pivots, x, 0)
    return status, x


def sparse(plan, values, b):
    """Status and solution of the sparse system, compiled."""
    return _call(_sparse, len(values), plan, np.concatenate([values, b]), len(b))


def sparse_in_python(plan, values, b):
    """The same by the Python functions."""
    values, x = np.array(values), np.array(b)
    with np.errstate(all="ignore"):
        status = sparse_factor(values, plan)
        if status == 0:
            sparse_solve(values, plan, x)
    return status, x
