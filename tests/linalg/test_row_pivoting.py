"""Sparse LU with row pivoting, run as plain Python, against a dense solver."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dalembert.linalg.factors.row_pivoting import (
    analyse_row_pivoting,
    row_pivoting_factor,
    row_pivoting_solve,
    row_pivoting_value_size,
)
from dalembert.linalg.factors.sparse_lu import analyse, sparse_factor, sparse_solve_transposed, value_size


def solve(A, b, entries, order=None):
    """Status and solution with a preferred order of pivots."""
    n = len(A)
    rows, columns = np.nonzero(A)
    preferred = list(range(n)) if order is None else order
    plan, places = analyse_row_pivoting(n, rows, columns, preferred, preferred, entries)
    values = np.zeros(row_pivoting_value_size(plan))
    values[places] = A[rows, columns]
    status = row_pivoting_factor(values, plan)
    x = np.array(b)
    if not status:
        row_pivoting_solve(values, plan, x)
    return status, x


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 25), st.integers(0, 2**31), st.floats(0.05, 0.6))
def test_any_regular_matrix(n, seed, share):
    rng = np.random.default_rng(seed)
    A = np.where(rng.random((n, n)) < share, rng.standard_normal((n, n)), 0.0)
    A[np.arange(n), rng.permutation(n)] += 1.0
    assume(np.linalg.cond(A) < 1e8)
    b = rng.standard_normal(n)
    status, x = solve(A, b, n * n, rng.permutation(n).tolist())
    expected = np.linalg.solve(A, b)
    assert status == 0
    assert np.max(np.abs(x - expected)) < 1e-14 * np.linalg.cond(A) * np.max(np.abs(expected)) * n


def test_zeros_on_the_diagonal_and_rows_in_other_units():
    A = np.array([[0.0, 2.0, 0.0], [1e-9, 0.0, 3e-9], [4e9, 0.0, 0.0]])
    status, x = solve(A, A @ [1.0, 2.0, 3.0], 9)
    assert status == 0 and x == pytest.approx([1.0, 2.0, 3.0], rel=1e-14)


@pytest.mark.parametrize("bad", [0.0, np.nan, np.inf])
def test_what_cannot_be_factorised_is_reported(bad):
    A = np.eye(4)
    A[2, 2] = 7.0
    rows, columns = np.nonzero(A)
    plan, places = analyse_row_pivoting(4, rows, columns, [0, 1, 2, 3], [0, 1, 2, 3], 16)
    values = np.zeros(row_pivoting_value_size(plan))
    A[2, 2] = bad
    values[places] = A[rows, columns]
    with np.errstate(all="ignore"):
        assert row_pivoting_factor(values, plan) > 0


def test_more_fill_than_there_is_room_for_is_reported():
    """An arrow that points the wrong way fills up."""
    n = 30
    A = 10.0 * np.eye(n)
    A[0], A[:, 0] = 1.0, 1.0
    A[0, 0] = 100.0
    assert solve(A, np.ones(n), entries=3 * n)[0] > 0
    assert solve(A, np.ones(n), entries=3 * n, order=list(range(n))[::-1])[0] == 0
    assert solve(A, np.ones(n), entries=n * n)[0] == 0


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 15), st.integers(0, 2**31))
def test_the_transposed_matrix_of_a_fixed_order(n, seed):
    rng = np.random.default_rng(seed)
    rows_first, columns_first = rng.permutation(n).tolist(), rng.permutation(n).tolist()
    A = np.where(rng.random((n, n)) < 0.3, rng.standard_normal((n, n)), 0.0)
    A[rows_first, columns_first] += 10.0
    rows, columns = np.nonzero(A)
    plan, places = analyse(n, rows, columns, rows_first, columns_first)
    values = np.zeros(value_size(plan))
    for i, j in zip(rows.tolist(), columns.tolist(), strict=True):
        values[places[i, j]] = A[i, j]
    b = rng.standard_normal(n)
    assert sparse_factor(values, plan) == 0
    x = np.array(b)
    sparse_solve_transposed(values, plan, x)
    assert np.linalg.solve(A.T, b) == pytest.approx(x, rel=1e-10, abs=1e-12)
