"""Groups of columns: consistent, few, and enough to recover a matrix from differences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.optimize._numdiff import group_columns
from scipy.sparse import coo_matrix

from dalembert.linalg.grouping import column_groups, consistent, longest_row


@st.composite
def patterns(draw):
    """Rows, columns and shape; entries may be named twice, rows and columns may be empty."""
    shape = draw(st.integers(0, 9)), draw(st.integers(0, 14))
    if 0 in shape:
        return np.zeros(0, int), np.zeros(0, int), shape
    pairs = draw(st.lists(st.tuples(st.integers(0, shape[0] - 1), st.integers(0, shape[1] - 1)), max_size=60))
    return np.array([i for i, _ in pairs], int), np.array([j for _, j in pairs], int), shape


def of(matrix):
    rows, columns = np.nonzero(matrix)
    return rows, columns, matrix.shape


def count(matrix):
    rows, columns, shape = of(np.asarray(matrix))
    groups = column_groups(rows, columns, shape)
    assert consistent(groups, rows, columns)
    return int(groups.max()) + 1


@given(patterns())
@example((np.array([0, 0]), np.array([1, 1]), (1, 2)))
def test_groups_are_consistent_and_without_gaps(pattern):
    rows, columns, shape = pattern
    groups = column_groups(rows, columns, shape)
    assert groups.dtype == np.int64 and groups.shape == (shape[1],)
    assert consistent(groups, rows, columns)
    assert set(groups.tolist()) == set(range(groups.max(initial=-1) + 1))
    full = np.zeros(shape, bool)
    full[rows, columns] = True
    for group in set(groups.tolist()):  # the definition, by another road
        assert (full[:, groups == group].sum(axis=1) <= 1).all()
    assert (groups[~full.any(axis=0)] == 0).all()


@given(patterns())
def test_no_fewer_than_the_longest_row_and_no_more_than_natural_order_needs(pattern):
    rows, columns, shape = pattern
    bound = longest_row(rows, columns)
    full = np.zeros(shape, bool)
    full[rows, columns] = True
    assert bound == full.sum(axis=1).max(initial=0)
    n_groups = int(column_groups(rows, columns, shape).max(initial=-1)) + 1
    assert n_groups >= bound
    if 0 not in shape:
        theirs = group_columns(coo_matrix(full).tocsr(), order=np.arange(shape[1]))
        assert n_groups <= theirs.max() + 1


@given(patterns(), st.integers(0, 2**31))
def test_a_matrix_is_recovered_from_differences_along_groups(pattern, seed):
    rows, columns, shape = pattern
    J = np.zeros(shape)
    J[rows, columns] = np.random.default_rng(seed).integers(1, 1000, len(rows))
    groups = column_groups(rows, columns, shape)
    x = np.arange(shape[1], dtype=float)
    differences = [J @ (x + (groups == group)) - J @ x for group in range(groups.max(initial=-1) + 1)]
    found = np.zeros(shape)
    for i, j in zip(rows.tolist(), columns.tolist(), strict=True):
        found[i, j] = differences[groups[j]][i]
    assert np.array_equal(found, J)  # whole numbers: exact


@given(patterns(), st.data())
def test_consistent_tells_columns_that_disturb_each_other(pattern, data):
    rows, columns, shape = pattern
    groups = np.array(data.draw(st.lists(st.integers(0, 5), min_size=shape[1], max_size=shape[1])), int)
    full = np.zeros(shape, int)
    full[rows, columns] = 1
    alone = all((full[:, groups == group].sum(axis=1) <= 1).all() for group in set(groups.tolist()))
    assert consistent(groups, rows, columns) == alone


@pytest.mark.parametrize("n", [3, 10, 57])
@pytest.mark.parametrize("half", [0, 1, 2])
def test_bands_have_as_many_groups_as_diagonals(n, half):
    """Curtis, Powell, Reid: every (2k + 1)-th column of a band of 2k + 1 diagonals; three for a tridiagonal matrix."""
    i, j = np.indices((n, n))
    assert count(abs(i - j) <= half) == min(2 * half + 1, n)


@pytest.mark.parametrize("n", [1, 2, 6, 40])
def test_arrows(n):
    diagonal = np.eye(n, dtype=bool)
    pointing_down, pointing_right = diagonal.copy(), diagonal.copy()
    pointing_down[-1] = pointing_right[:, -1] = True
    assert count(pointing_down) == n  # its last row has them all
    assert count(pointing_right) == min(n, 2)
    assert count(pointing_right[:, ::-1]) == min(n, 2)


@pytest.mark.parametrize("n", [1, 5, 30])
def test_dense_matrices_have_no_groups_and_empty_ones_one(n):
    assert count(np.ones((n, n))) == count(np.ones((1, n))) == n
    assert count(np.zeros((3, n))) == 1 and longest_row(np.zeros(0, int), np.zeros(0, int)) == 0


@pytest.mark.parametrize("n", [3, 5, 9])
def test_the_bound_is_not_always_reached(n):
    """Each row holds two columns of a circle of odd length, whose colours cannot alternate."""
    circle = np.eye(n, dtype=bool) | np.roll(np.eye(n, dtype=bool), 1, axis=1)
    assert longest_row(*of(circle)[:2]) == 2 and count(circle) == 3


@pytest.mark.parametrize("n", [3, 8])
def test_two_groups_where_the_natural_order_needs_many(n):
    """Coleman, Moré: orders by incidence degree find two groups if two are enough.  Columns a₁, b₁, a₂, b₂, … with a
    common row of aᵢ and bⱼ for i ≠ j are the worst case of the natural order, which takes n."""
    pairs = [(2 * i, 2 * j + 1) for i in range(n) for j in range(n) if i != j]
    rows, columns = np.repeat(np.arange(len(pairs)), 2), np.array(pairs).ravel()
    full = coo_matrix((np.ones(len(rows)), (rows, columns))).tocsr()
    assert group_columns(full, order=np.arange(2 * n)).max() + 1 == n
    assert column_groups(rows, columns, (len(pairs), 2 * n)).max() + 1 == 2


def test_five_point_star_of_a_grid():
    """Five are enough (group i + 2j modulo 5, Coleman, Moré); one more than needed is what first-free choices cost."""
    side = 20
    i, j = np.divmod(np.arange(side * side), side)
    near = abs(i[:, None] - i) + abs(j[:, None] - j) <= 1
    assert consistent((i + 2 * j) % 5, *np.nonzero(near)) and longest_row(*np.nonzero(near)) == 5
    assert count(near) <= 6


@pytest.mark.parametrize("kind", ["grid", "random", "long row"])
def test_ten_thousand_columns(kind):
    n = 10_000
    rng = np.random.default_rng(0)
    rows, columns = rng.integers(0, n, 40_000), rng.integers(0, n, 40_000)
    if kind == "grid":
        rows = np.repeat(np.arange(n), 5)
        columns = (rows + np.tile([0, 1, -1, 100, -100], n)) % n
    if kind == "long row":
        rows, columns = np.append(rows, np.full(2000, 7)), np.append(columns, np.arange(0, n, 5))
    groups = column_groups(rows, columns, (n, n))
    assert consistent(groups, rows, columns)
    bound = longest_row(rows, columns)
    assert bound <= groups.max() + 1 <= bound + 8
