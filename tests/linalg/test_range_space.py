"""Constrained motion by its constraint forces, for diagonal M, against a dense solver."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from linalg.kkt import bodies, saddle, tree

from dalembert.linalg.modes.range_space import SCHUR, analyse_range_space
from linalg import kernels


class RangeSpace:
    """The solver for one pattern of G; entries are listed column by column."""

    def __init__(self, pattern):
        self.columns, self.rows = np.nonzero(pattern.T)
        self.plan = analyse_range_space(pattern.shape[1], pattern.shape[0], self.rows, self.columns)

    def solve(self, M, G, right, function=kernels.range_space):
        return function(self.plan, np.diag(M).copy(), G[self.rows, self.columns], right)


def diagonal(M, spread, rng):
    return np.diag(np.diag(M) * 10.0 ** rng.uniform(-spread, spread, len(M)))


@settings(max_examples=60)
@given(st.integers(1, 9), st.integers(0, 2**31), st.booleans())
def test_motion_and_forces_are_those_of_a_dense_solver(count, seed, loop):
    rng = np.random.default_rng(seed)
    joints = tree(rng, count)
    if loop and count > 2:
        joints.append((0, count - 1))
    M, G, full = bodies(rng, count, joints, vanishing=0.1)
    M = diagonal(M, 1.0, rng)
    assume(np.linalg.matrix_rank(G, tol=1e-2) == len(G))
    right = rng.standard_normal(len(M) + len(G))
    expected = np.linalg.solve(saddle(M, G), right)
    assume(np.linalg.cond(saddle(M, G)) < 1e6)
    made = RangeSpace(full != 0)
    for function in (kernels.range_space, kernels.range_space_in_python):
        status, x = made.solve(M, G, right, function)
        assert status == 0
        assert x == pytest.approx(expected, rel=1e-7, abs=1e-7 * np.max(np.abs(expected)))


def test_constraints_that_say_the_same_are_reported():
    rng = np.random.default_rng(0)
    M, G, _ = bodies(rng, 3, [(-1, 0), (0, 1), (1, 2)])
    M = np.diag(np.diag(M))
    G[-1] = G[-2]
    assert RangeSpace(G != 0).solve(M, G, np.ones(15))[0] > 0


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("where", ["M", "G"])
def test_entries_that_are_not_finite_are_reported(where, bad):
    M, G, _ = bodies(np.random.default_rng(0), 3, [(-1, 0), (0, 1), (1, 2)])
    M = np.diag(np.diag(M))
    made = RangeSpace(G != 0)
    if where == "M":
        if bad == np.inf:
            return  # does not move, which is no error
        M[4, 4] = bad
    else:
        G[3, 4] = bad
    assert made.solve(M, G, np.ones(15))[0] > 0


def test_coordinates_without_mass_are_reported():
    M, G, _ = bodies(np.random.default_rng(0), 2, [(-1, 0), (0, 1)])
    M = np.diag(np.diag(M))
    M[2, 2] = 0.0
    assert RangeSpace(G != 0).solve(M, G, np.ones(10))[0] > 0


@pytest.mark.parametrize("scale", [1e-10, 1e-4, 1e8])
def test_the_units_of_a_constraint_do_not_matter(scale):
    """A row in other units is no dependent row."""
    rng = np.random.default_rng(3)
    M, G, _ = bodies(rng, 4, [(-1, 0), (0, 1), (1, 2), (2, 3)])
    M = np.diag(np.diag(M))
    right = rng.standard_normal(20)
    expected = np.linalg.solve(saddle(M, G), right)
    made = RangeSpace(G != 0)
    G[2] *= scale
    right[12 + 2] *= scale
    expected[12 + 2] /= scale
    status, x = made.solve(M, G, right)
    assert status == 0 and x == pytest.approx(expected, rel=1e-9)


def test_fill_of_a_chain_grows_with_its_length():
    per_body = []
    for count in (10, 40, 160):
        _, G, _ = bodies(np.random.default_rng(0), count, [(i - 1, i) for i in range(count)])
        per_body.append(RangeSpace(G != 0).plan[SCHUR.BELOW] / count)
    assert max(per_body) < 1.25 * min(per_body)
