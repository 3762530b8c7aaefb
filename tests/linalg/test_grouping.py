"""Groups of columns: consistent, few, and enough to recover a matrix from differences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.optimize._numdiff import group_columns
from scipy.sparse import coo_matrix

import dalembert as da
from dalembert.errors import EquationsError
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


def test_the_example_of_six_columns():
    """Corrector (19): columns 1 and 5, 2, 4 and 6, and 3."""
    J = np.array(
        [
            [1, 0, 0, 1, 0, 0],
            [1, 1, 1, 0, 0, 0],
            [1, 0, 1, 0, 0, 1],
            [0, 0, 0, 1, 1, 0],
            [0, 1, 1, 0, 1, 0],
            [1, 1, 0, 0, 0, 0],
        ]
    )
    rows, columns = np.nonzero(J)
    groups = da.column_groups(rows, columns, J.shape)
    assert groups.max() + 1 == 3 == longest_row(rows, columns) and consistent(groups, rows, columns)
    assert consistent([0, 1, 2, 1, 0, 1], rows, columns)  # as they are printed
    assert not consistent([0, 1, 1, 1, 0, 1], rows, columns)


def carriage():
    """Structure of the Jacobian of a railway carriage (corrector, 4.1): a car body on two bogies on two wheelsets each,
    full blocks of bodies that are connected, two constraints on the six coordinates of each wheelset; unknowns are p,
    v, λ, η."""
    bodies = {"car": (0, 5), "front": (5, 6), "rear": (23, 6)}
    bodies |= {f"wheel{k}": (start, 6) for k, start in enumerate((11, 17, 29, 35))}
    pairs = [("car", "front"), ("car", "rear"), *(("front", f"wheel{k}") for k in (0, 1))]
    pairs += [("rear", f"wheel{k}") for k in (2, 3)]
    force, G = np.zeros((41, 41)), np.zeros((8, 41))
    for one, other in [*pairs, *((other, one) for one, other in pairs), *((name, name) for name in bodies)]:
        (i, n), (j, m) = bodies[one], bodies[other]
        force[i : i + n, j : j + m] = 1
    for k in range(4):
        start, size = bodies[f"wheel{k}"]
        G[2 * k : 2 * k + 2, start : start + size] = 1
    one, none, nothing = np.eye(41), np.zeros((8, 8)), np.zeros((41, 8))
    return np.block(
        [[one, one, nothing, G.T], [force, force, G.T, nothing], [G, G, none, none], [G, 0 * G, none, none]]
    )


def test_a_railway_carriage():
    """1620 entries, 46 groups, with and without the last columns; and the groups that are printed (corrector, 4.1)."""
    J = carriage()
    assert J.shape == (98, 98)
    for part in (J, J[:, :90]):
        rows, columns = np.nonzero(part)
        groups = da.column_groups(rows, columns, part.shape)
        assert longest_row(rows, columns) == 46 == groups.max() + 1 and consistent(groups, rows, columns)
    rows, columns = np.nonzero(J)
    assert len(rows) == 1620
    for printed in ((8, 32, 89), (12, 31, 86), (5, 90), (19, 78, 83, 87), (54, 72)):
        alone = np.arange(98) + 1
        alone[np.array(printed) - 1] = 0
        assert consistent(alone, rows, columns)
    assert not consistent([0 if k in (7, 25) else k + 1 for k in range(98)], rows, columns)  # a bogie and the other


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 1], [0], (2, 2)), "2 rows and 1 columns"),
        (([0, 2], [0, 1], (2, 2)), "rows must be whole numbers from 0 to 1"),
        (([0, 1], [0, 0.5], (2, 2)), "columns must be whole numbers"),
        (([0], [0], (2,)), "shape must be two numbers"),
        ((["a"], [0], (2, 2)), "rows must be"),
    ],
)
def test_what_is_no_pattern(arguments, message):
    with pytest.raises(EquationsError, match=message):
        da.column_groups(*arguments)
