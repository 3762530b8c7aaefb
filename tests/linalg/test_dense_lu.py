"""Dense LU against LAPACK as NumPy calls it, in Python and compiled, on both sides of the change to LAPACK."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalembert.linalg.factors.dense_lu import OWN
from linalg import kernels

EPS = np.finfo(float).eps
SIZES = [1, 2, 3, 7, 20, 79, OWN, OWN + 1, 100, 120]


def system(rng, n, is_complex):
    A, b = rng.standard_normal((n, n)), rng.standard_normal(n)
    if is_complex:
        return A + 1j * rng.standard_normal((n, n)), b + 1j * rng.standard_normal(n)
    return A, b


def backward_error(A, x, b):
    return np.max(np.abs(A @ x - b)) / (np.max(np.abs(A)) * np.sum(np.abs(x)) + np.max(np.abs(b)))


def solvers(n):
    return [kernels.dense] if n > OWN else [kernels.dense, kernels.dense_in_python]


@pytest.mark.parametrize("is_complex", [False, True])
@pytest.mark.parametrize("n", SIZES)
def test_solutions_are_those_of_numpy(n, is_complex):
    A, b = system(np.random.default_rng(n), n, is_complex)
    expected = np.linalg.solve(A, b)
    for solve in solvers(n) if n < 50 or not is_complex else [kernels.dense]:
        status, x = solve(A, b)
        assert status == 0
        assert backward_error(A, x, b) < 10 * EPS
        assert np.max(np.abs(x - expected)) < 20 * EPS * np.linalg.cond(A) * np.max(np.abs(expected))


@settings(max_examples=60)
@given(st.integers(1, 14), st.integers(0, 2**31), st.booleans(), st.integers(-200, 200))
def test_rows_of_any_scale_and_vanishing_entries(n, seed, is_complex, power):
    """Pivots are searched for: a row of zeros in front does no harm, nor does a common factor."""
    rng = np.random.default_rng(seed)
    A, b = system(rng, n, is_complex)
    A = np.where(rng.random((n, n)) < 0.3, 0.0, A)
    A[np.arange(n), rng.permutation(n)] += 4.0 * n  # regular, but not on the diagonal
    A, b = A * 2.0**power, b
    for solve in solvers(n):
        status, x = solve(A, b)
        assert status == 0
        assert backward_error(A, x, b) < 10 * EPS


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("is_complex", [False, True])
def test_a_column_of_zeros_is_reported(n, is_complex):
    A, b = system(np.random.default_rng(n), n, is_complex)
    A[:, n // 2] = 0.0
    for solve in solvers(n):
        assert solve(A, b)[0] == (n // 2 + 1 if n <= OWN else n)  # LAPACK goes by rows of the transposed matrix


@pytest.mark.parametrize("n", [2, 3, 20, OWN, OWN + 1, 120])
def test_equal_rows_are_reported_or_give_huge_numbers(n):
    A = np.random.default_rng(n).integers(-4, 5, (n, n)).astype(float)
    A[-1] = A[0]
    for solve in solvers(n):
        status, x = solve(A, np.ones(n))
        assert 0 <= status <= n
        assert status or np.max(np.abs(x)) > 1e9
    assert kernels.dense(np.ones((n, n)), np.ones(n))[0] > 0


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("n", [1, 2, 20, OWN, OWN + 1, 120])
def test_entries_that_are_not_finite_are_reported(n, bad):
    A, b = system(np.random.default_rng(n), n, False)
    for at in {(0, 0), (n - 1, 0), (0, n - 1), (n // 2, n // 2)}:
        broken = A.copy()
        broken[at] = bad
        for solve in solvers(n):
            assert solve(broken, b)[0] > 0, f"{bad} at {at}"


def test_entries_that_are_not_finite_are_reported_where_nothing_is_eliminated():
    for solve in (kernels.dense, kernels.dense_in_python):
        assert solve(np.array([[1.0, np.nan], [0.0, 1.0]]), np.ones(2))[0] > 0


def test_a_pivot_far_below_the_others_is_still_a_pivot():
    A = np.array([[1e-300, 1.0], [0.0, 1e-300]])
    status, x = kernels.dense(A, np.array([0.0, 1e-300]))
    assert status == 0 and x[1] == 1.0
