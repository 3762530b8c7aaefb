"""Fronts: the recursive elimination along trees, with loops, joint coordinates, coordinates without mass, friction."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linalg.kkt import bodies, saddle, tree

from dalembert.linalg.modes.recursive import analyse_recursive, lacks_fronts
from dalembert.linalg.orders.order import saddle_order, symmetric_neighbours
from dalembert.linalg.orders.tree_order import tree_order
from dalembert.linalg.plan import HEAD, Entries, Structure
from dalembert.linalg.saddle import Saddle
from dalembert.problems import insulator_chain, pendulum_chain


class Pattern:
    """Places of a matrix, column by column, and what bodies its coordinates belong to."""

    def __init__(self, where, bodies=None):
        self.columns, self.rows = np.nonzero(np.asarray(where).T)
        self.bodies = bodies

    def values(self, matrix):
        return matrix[self.rows, self.columns]


def structure(M, G, F=None, bodies=None):
    none = Entries(*np.zeros((2, 0), dtype=np.int64))
    return Structure(len(M), len(G), Pattern(M != 0, bodies), Pattern(G != 0), none if F is None else Pattern(F != 0))


def solved(M, G, right, F=None, bodies=None, without_friction=False):
    made = structure(M, G, F, bodies)
    with_saddle = Saddle(analyse_recursive(made))
    friction = None if F is None or without_friction else made.F.values(F)
    assert with_saddle.factor(made.M.values(M), made.G.values(G), friction) == 0
    status, x = with_saddle.solve(right)
    assert status == 0
    return x


def error(matrix, x, right):
    return np.abs(matrix @ x - right).max() / (np.abs(matrix).max() * np.abs(x).max() + np.abs(right).max())


@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.booleans())
@settings(max_examples=40, deadline=None)
def test_trees_of_bodies(seed, count, diagonal):
    rng = np.random.default_rng(seed)
    M, G, _ = bodies(rng, count, tree(rng, count))
    if diagonal:
        M = np.diag(np.diag(M))
    right = rng.standard_normal(len(M) + len(G))
    labels = np.repeat(np.arange(count), 3)
    assert error(saddle(M, G), solved(M, G, right, bodies=labels), right) < 1e-10


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None)
def test_loops_close_by_the_schur_complement(seed):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(4, 9))
    joints = tree(rng, count)
    for _ in range(int(rng.integers(1, 4))):
        first, second = sorted(rng.choice(count, 2, replace=False).tolist())
        joints.append((first, second))
    M, G, _ = bodies(rng, count, joints)
    keep = np.linalg.matrix_rank(G[: 2 * count + 1]) == 2 * count + 1
    G = G[: 2 * count + int(keep)]
    right = rng.standard_normal(len(M) + len(G))
    assert error(saddle(M, G), solved(M, G, right), right) < 1e-9


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=8, deadline=None)  # each compiles fronts of its own, as their patterns are random
def test_friction_makes_the_matrix_unsymmetric(seed):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 7))
    M, G, _ = bodies(rng, count, tree(rng, count))
    F = np.where(rng.random(G.T.shape) < 0.2, 0.05 * rng.standard_normal(G.T.shape), 0.0)
    matrix = saddle(M, G)
    right = rng.standard_normal(len(matrix))
    if F.any():
        # Projections use the same plan without friction.
        assert error(matrix, solved(M, G, right, F, without_friction=True), right) < 1e-10
        matrix[: len(M), len(M) :] -= F
        assert error(matrix, solved(M, G, right, F), right) < 1e-9


@pytest.mark.parametrize("joints", ["constraints", "coordinates"])
def test_coordinates_without_mass(joints):
    problem = insulator_chain(12, joints=joints)
    equations, s = problem.equations, problem.equations.sizes
    program = equations.program("contract")
    rng = np.random.default_rng(3)
    q = problem.q0 + 0.2 * rng.standard_normal(s.q)
    values = program(["M", "G"], {"p": equations.parameter_vector(), "t": np.zeros(1), "q": q})
    M, G = (program.patterns[key].dense(values[key]) for key in "MG")
    right = rng.standard_normal(s.v + s.lam)
    assert tree_order_of(structure(M, G)) is not None or joints == "constraints"
    assert error(saddle(M, G), solved(M, G, right), right) < 1e-12


def tree_order_of(made):
    held = {made.n_v + k: set() for k in range(made.n_lam)}
    for k, j in zip(made.G.rows.tolist(), made.G.columns.tolist(), strict=True):
        held[made.n_v + k].add(j)
    return tree_order(made.bodies, set(made.massless), held, made.n_v)


def test_order_along_a_tree_ends_at_the_root_and_closes_loops_last():
    # Two bodies on the ground with one coordinate each, joined by a rod, and a third one behind the second.
    M = np.eye(3)
    G = np.array([[1.0, 0, 0], [0, 1, 0], [1, 1, 0], [0, 1, 1]])
    order = tree_order_of(structure(M, G))
    assert order is not None
    flat = [i for group in order for step in group for i in step]
    assert sorted(flat) == list(range(7)) and flat[-1] == 5
    assert flat.index(2) < flat.index(1) and flat.index(6) < flat.index(1)


def test_a_wide_star_costs_no_more_per_body_than_a_narrow_one():
    sizes = []
    for count in (10, 40):
        rng = np.random.default_rng(1)
        M, G, _ = bodies(rng, count, [(-1, 0), *((0, body) for body in range(1, count))])
        plan = analyse_recursive(structure(M, G))
        sizes.append(plan.value_size)
        right = rng.standard_normal(len(M) + len(G))
        assert error(saddle(M, G), solved(M, G, right), right) < 1e-12
    assert sizes[1] < 4.5 * sizes[0]  # safe pivots alone would make all joints of the star one dense block


def test_a_long_chain_has_the_code_of_a_short_one():
    plans = []
    for n in (6, 60):
        program = pendulum_chain(n).equations.program("contract")
        s = pendulum_chain(n).equations.sizes
        plans.append(analyse_recursive(Structure(s.v, s.lam, *(program.patterns[key] for key in "MGF"))))
    functions = [plan.code.functions for plan in plans]
    assert Counter(f.program.digest() for f in functions[0]) == Counter(f.program.digest() for f in functions[1])


def test_dependent_constraints_are_noticed():
    rng = np.random.default_rng(2)
    M, G, _ = bodies(rng, 2, [(-1, 0), (0, 1)])
    G[3] = G[2]
    made = structure(M, G)
    with_saddle = Saddle(analyse_recursive(made))
    assert with_saddle.factor(made.M.values(M), made.G.values(G)) > 0
    G[3, 3:] += 1e-6 * rng.standard_normal(3)
    assert with_saddle.factor(made.M.values(M), made.G.values(G)) == 0
    assert 0 < with_saddle.values[-1] < 1e-10


def test_pairs_of_the_safe_order_are_found():
    """A coordinate without mass is eliminated with its multiplier."""
    M, G = np.diag([0.0, 2.0]), np.array([[1.0, -1.0]])
    matrix = saddle(M, G)
    rows, columns = np.nonzero(matrix)
    neighbours, diagonal = symmetric_neighbours(3, rows.tolist(), columns.tolist())
    assert saddle_order(neighbours, diagonal, {2: {0, 1}})[0] != saddle_order(neighbours, diagonal, {2: {0, 1}})[1]
    right = np.array([1.0, 2.0, 3.0])
    assert np.allclose(solved(M, G, right), np.linalg.solve(matrix, right), atol=1e-14)


@pytest.mark.parametrize("size", [1e-15, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3, 0.5])
def test_a_joint_that_hardly_holds_its_body(size):
    """The order along the tree eliminates its multiplier by that body: digits are lost, and that is noticed."""
    k = 14
    M, G = np.eye(k + 1), np.zeros((k, k + 1))
    G[:, 0] = 1.0
    G[np.arange(k), np.arange(1, k + 1)] = 0.7 + 0.1 * np.arange(k)
    made = structure(M, G)
    G[3, 4] = size
    right = np.random.default_rng(1).standard_normal(2 * k + 1)
    with_saddle = Saddle(analyse_recursive(made))
    status = with_saddle.factor(made.M.values(M), made.G.values(G))
    solved_status, x = with_saddle.solve(right)
    if status == solved_status == 0:
        assert error(saddle(M, G), x, right) < 1e-12
    else:
        assert size < 1e-3


@pytest.mark.parametrize("firm", [0.0, 1e-13, 0.5])
def test_a_safe_order_takes_over_where_a_branch_is_not_held(firm):
    """Branches of three coordinates, each tied to a platform by three constraints that hold it twice only, or hardly a
    third time: pivots along the tree vanish, the matrix is regular."""
    rng = np.random.default_rng(5)
    n, branches = 6, 4
    G = np.zeros((3 * branches, 3 * branches + n))
    for b in range(branches):
        rows = slice(3 * b, 3 * b + 3)
        turn = np.linalg.qr(rng.standard_normal((3, 3)))[0]
        G[rows, rows] = turn @ np.diag([1.0, 0.7, firm])
        G[rows, 3 * branches :] = rng.standard_normal((3, n))
    M = np.zeros((len(G.T), len(G.T)))
    for b in range(branches + 1):
        size = 3 if b < branches else n
        X = rng.standard_normal((size, size))
        M[3 * b : 3 * b + size, 3 * b : 3 * b + size] = X @ X.T + np.eye(size)
    pattern = np.where(G == 0.0, 0.0, 1.0)
    pattern[:, : 3 * branches] = np.kron(np.eye(branches), np.ones((3, 3)))
    made = structure(M, pattern)
    assert np.linalg.svd(G, compute_uv=False)[-1] > 1e-2
    with_saddle = Saddle(analyse_recursive(made))
    right = rng.standard_normal(len(G) + len(M))
    for _ in range(2):  # once, and for good
        assert with_saddle.factor(made.M.values(M), made.G.values(G)) == 0
        status, x = with_saddle.solve(right)
        assert status == 0 and error(saddle(M, G), x, right) < 1e-11
        assert with_saddle.ints[HEAD.TROUBLES] == (firm < 0.1)


@pytest.mark.parametrize("bad", [np.nan, 0.0])
def test_a_bad_part_is_not_hidden_by_good_ones(bad):
    """Two systems that have nothing to do with each other; the first is singular or not finite."""
    M, G = np.diag([1.0, 2.0, 1.0, 2.0]), np.array([[1.0, 0.5, 0, 0], [0, 0, 1.0, 0.5]])
    made = structure(M, G)
    with_saddle = Saddle(analyse_recursive(made))
    assert with_saddle.factor(made.M.values(M), made.G.values(G)) == 0
    G[0, :2] = bad
    assert with_saddle.factor(made.M.values(M), made.G.values(G)) > 0


def test_structures_that_it_cannot_serve():
    full = np.ones((30, 30)) + 6 * np.eye(30)
    assert "together" in lacks_fronts(structure(full, np.ones((1, 30))))
    massless = structure(np.diag([1.0, 0.0]), np.array([[1.0, 0.0]]))
    assert lacks_fronts(massless) == "velocity 1 has neither mass nor constraint"
    assert lacks_fronts(structure(np.eye(2), np.array([[0.0, 0.0], [1.0, 0.5]]))) == "constraint 0 holds nothing"
