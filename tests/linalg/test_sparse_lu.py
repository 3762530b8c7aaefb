"""Sparse LU with fixed pivots against SciPy, for matrices of constrained motion whose entries may vanish."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from linalg.kkt import Saddle, bodies, saddle, tree

from dalembert.linalg.factors.sparse_lu import analyse, sparse_values, value_size
from linalg import kernels


def backward_error(A, x, b):
    return np.max(np.abs(A @ x - b) / (np.abs(A) @ np.abs(x) + np.abs(b)))


def full_rank(G):
    return np.linalg.matrix_rank(G, tol=1e-2) == len(G)


@pytest.mark.parametrize("is_complex", [False, True])
@pytest.mark.parametrize("count", [1, 3, 12, 50])
def test_solutions_are_those_of_scipy(count, is_complex):
    rng = np.random.default_rng(count)
    M, G, _ = bodies(rng, count, tree(rng, count))
    A = saddle(M, G) * (1.0 + 0.4j if is_complex else 1.0)
    b = rng.standard_normal(len(A)) + (1j * rng.standard_normal(len(A)) if is_complex else 0.0)
    made = Saddle(A != 0, 3 * count)
    expected = scipy.sparse.linalg.splu(scipy.sparse.csc_array(A)).solve(b)
    for solve in (kernels.sparse, kernels.sparse_in_python):
        status, x = solve(made.plan, made.values(A), b)
        assert status == 0
        assert x == pytest.approx(expected, rel=1e-9, abs=1e-10 * np.max(np.abs(expected)))


def test_backward_errors_are_small_though_entries_vanish():
    """Pivots are fixed from the structure; a tenth of the entries of G is zero, others each time."""
    worst, used = 0.0, 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        count = int(rng.integers(2, 14))
        M, G, full = bodies(rng, count, tree(rng, count), vanishing=0.1)
        if not full_rank(G):
            continue
        used += 1
        made = Saddle(saddle(M, full) != 0, 3 * count)
        A, b = saddle(M, G), rng.standard_normal(5 * count)
        status, x = kernels.sparse(made.plan, made.values(A), b)
        assert status == 0
        worst = max(worst, np.max(np.abs(A @ x - b)) / (np.max(np.abs(A)) * np.max(np.abs(x)) + np.max(np.abs(b))))
    assert used > 75 and worst < 1e-13


@settings(max_examples=60)
@given(st.integers(2, 7), st.integers(0, 2**31), st.data())
def test_coordinates_without_mass_that_constraints_hold(count, seed, data):
    rng = np.random.default_rng(seed)
    M, G, _ = bodies(rng, count, tree(rng, count))
    massless = [3 * body + data.draw(st.integers(0, 2)) for body in range(count) if data.draw(st.booleans())]
    M[massless, :] = M[:, massless] = 0.0
    A = saddle(M, G)
    assume(np.linalg.cond(A) < 1e6)
    made = Saddle(A != 0, 3 * count)
    b = rng.standard_normal(len(A))
    for solve in (kernels.sparse, kernels.sparse_in_python):
        status, x = solve(made.plan, made.values(A), b)
        assert status == 0
        assert x == pytest.approx(np.linalg.solve(A, b), rel=1e-7, abs=1e-7 * np.max(np.abs(x)))


def test_massless_coordinates_that_share_their_constraints():
    """Regular for every order of the rows, so pivots must be found for each."""
    M = np.diag([0.0, 0.0, 1.0])
    for rows in ([0, 1], [1, 0]):
        A = saddle(M, np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 1.0]])[rows])
        made, b = Saddle(A != 0, 3), np.arange(1.0, 6.0)
        status, x = kernels.sparse_in_python(made.plan, made.values(A), b)
        assert status == 0
        assert A @ x == pytest.approx(b, abs=1e-13)


def test_entries_that_vanish_at_one_instant():
    """Two pendulums of absolute coordinates that hang straight down: the sines in G are zero."""

    def G(phi1, phi2):
        s1, c1, s2, c2 = np.sin(phi1), np.cos(phi1), np.sin(phi2), np.cos(phi2)
        return np.array([
            [1, 0, s1, 0, 0, 0], [0, 1, -c1, 0, 0, 0], [-1, 0, s1, 1, 0, s2], [0, -1, -c1, 0, 1, -c2],
        ])  # fmt: skip

    M = np.diag([1.0, 1.0, 0.1, 1.0, 1.0, 0.1])
    made = Saddle(saddle(M, G(0.3, 0.4)) != 0, 6)
    for angles in ((0.0, 0.0), (np.pi / 2, 0.0), (np.pi / 2, np.pi / 2), (0.3, 0.0)):
        A, b = saddle(M, G(*angles)), np.arange(10.0)
        status, x = kernels.sparse(made.plan, made.values(A), b)
        assert status == 0 and backward_error(A, x, b + 1e-300) < 1e-13


@pytest.mark.parametrize("solve", [kernels.sparse, kernels.sparse_in_python])
def test_singular_matrices_and_entries_that_are_not_finite_are_reported(solve):
    rng = np.random.default_rng(1)
    M, G, _ = bodies(rng, 3, [(-1, 0), (0, 1), (1, 2)])
    A = saddle(M, G)
    made, b = Saddle(A != 0, 9), np.ones(len(A))
    for k in range(9, len(A)):
        broken = A.copy()
        broken[k, :] = broken[:, k] = 0.0  # a constraint that holds nothing
        assert solve(made.plan, made.values(broken), b)[0] == made.row_order.index(k) + 1
    for bad in (np.nan, np.inf):
        broken = A.copy()
        broken[0, 0] = bad
        assert solve(made.plan, made.values(broken), b)[0] > 0


@given(st.integers(1, 12), st.integers(0, 2**31))
def test_the_plan_of_any_regular_order_solves(n, seed):
    """Rows and columns in any orders with strong pivots; the pattern need not be symmetric."""
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(n), rng.permutation(n)
    A = np.where(rng.random((n, n)) < 0.3, rng.standard_normal((n, n)), 0.0)
    A[rows, columns] = 5.0 * n
    at = np.nonzero(A)
    plan, places = analyse(n, at[0], at[1], rows.tolist(), columns.tolist())
    values = np.zeros(value_size(plan))
    for i, j in zip(*(x.tolist() for x in at), strict=True):
        values[places[i, j]] = A[i, j]
    assert len(places) == sparse_values(plan) and set(places.values()) == set(range(sparse_values(plan)))
    status, x = kernels.sparse_in_python(plan, values, np.ones(n))
    assert status == 0
    assert A @ x == pytest.approx(np.ones(n), abs=1e-13)


def test_a_factorisation_is_used_again_for_other_right_sides():
    rng = np.random.default_rng(2)
    M, G, _ = bodies(rng, 4, tree(rng, 4))
    A = saddle(M, G)
    made = Saddle(A != 0, 12)
    values = made.values(A)
    from dalembert.linalg.factors.sparse_lu import sparse_factor, sparse_solve

    assert sparse_factor(values, made.plan) == 0
    for _ in range(3):
        b = rng.standard_normal(len(A))
        x = b.copy()
        sparse_solve(values, made.plan, x)
        assert A @ x == pytest.approx(b, abs=1e-11)
