"""Orders of pivots: complete, multipliers after what they hold, little fill."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from linalg.kkt import Saddle, bodies, saddle, tree

from dalembert.linalg.factors.sparse_lu import analyse, sparse_values
from dalembert.linalg.orders.order import pivot_order, saddle_order, symmetric_neighbours
from dalembert.problems import pendulum_chain


@st.composite
def graphs(draw):
    """Neighbours in a structurally symmetric matrix, and what waits for what, without circles."""
    n = draw(st.integers(1, 12))
    pairs = draw(st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))))
    neighbours, _ = symmetric_neighbours(n, [i for i, _ in pairs], [j for _, j in pairs])
    ordered = draw(st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))))
    after = {}
    for i, j in ordered:
        if i > j:
            after.setdefault(i, set()).add(j)
    return neighbours, after


@given(graphs())
def test_the_order_is_a_permutation_and_everything_waits_for_its_turn(graph):
    neighbours, after = graph
    before = [set(row) for row in neighbours], {i: set(js) for i, js in after.items()}
    order = pivot_order(neighbours, after)
    assert sorted(order) == list(range(len(neighbours)))
    place = {i: k for k, i in enumerate(order)}
    assert all(place[j] < place[i] for i, others in after.items() for j in others)
    assert (neighbours, after) == before  # arguments stay as they are


def test_without_conditions_a_tree_has_no_fill():
    """Minimum degree takes the leaves of a tree first."""
    rng = np.random.default_rng(0)
    parents = [int(rng.integers(0, i)) for i in range(1, 60)]
    neighbours, _ = symmetric_neighbours(60, range(1, 60), parents)
    left = [set(row) for row in neighbours]
    for i in pivot_order(neighbours, {}):
        assert len(left[i]) <= 1
        for j in left[i]:
            left[j].discard(i)


def test_neighbours_of_a_pattern():
    neighbours, diagonal = symmetric_neighbours(3, [0, 0, 2, 1], [0, 1, 0, 1])
    assert neighbours == [{1, 2}, {0}, {0}] and diagonal == [True, True, False]


@given(st.integers(1, 9), st.integers(0, 2**31))
def test_multipliers_come_after_the_coordinates_that_they_hold(count, seed):
    rng = np.random.default_rng(seed)
    M, G, _ = bodies(rng, count, tree(rng, count))
    made = Saddle(saddle(M, G) != 0, 3 * count)
    assert made.row_order == made.column_order  # with masses everywhere all pivots are diagonal
    assert sorted(made.row_order) == list(range(made.n))
    place = {i: k for k, i in enumerate(made.row_order)}
    assert all(place[j] < place[k] for k, held in made.held.items() for j in held)


@given(st.integers(2, 8), st.integers(0, 2**31), st.data())
def test_coordinates_without_mass_are_paired_with_constraints_that_hold_them(count, seed, data):
    rng = np.random.default_rng(seed)
    M, G, _ = bodies(rng, count, tree(rng, count))
    # One coordinate of each of some bodies; each has a joint of its own, so that all can be paired.
    massless = [3 * body + data.draw(st.integers(0, 2)) for body in range(count) if data.draw(st.booleans())]
    M[massless, :] = M[:, massless] = 0.0
    made = Saddle(saddle(M, G) != 0, 3 * count)
    assert sorted(made.row_order) == sorted(made.column_order) == list(range(made.n))
    pairs = [(i, j) for i, j in zip(made.row_order, made.column_order, strict=True) if i != j]
    assert sorted(j for _, j in pairs if j < 3 * count) == massless
    for first, second in zip(pairs[::2], pairs[1::2], strict=True):
        constraint, coordinate = first
        assert second == (coordinate, constraint) and coordinate in made.held[constraint]
    place = {j: k for k, j in enumerate(made.column_order)}
    partners = {constraint for constraint, _ in pairs[::2]}
    assert all(place[j] < place[k] for k, held in made.held.items() if k not in partners for j in held)


@pytest.mark.parametrize("rows", [(0, 1), (1, 0)])
def test_all_coordinates_without_mass_find_a_constraint_where_that_is_possible(rows):
    """Coordinate 0 may take either constraint, coordinate 1 only the first of them."""
    G = np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 1.0]])[list(rows)]
    pattern = saddle(np.diag([0.0, 0.0, 1.0]), G) != 0
    neighbours, diagonal = symmetric_neighbours(5, *(x.tolist() for x in np.nonzero(pattern)))
    held = {3 + k: set(np.flatnonzero(G[k]).tolist()) for k in range(2)}
    rows, columns = saddle_order(neighbours, diagonal, held)
    assert all(pattern[i, j] for i, j in zip(rows, columns, strict=True) if i < 3 and j < 3)
    assert sum(i != j for i, j in zip(rows, columns, strict=True)) == 4


@pytest.mark.parametrize("kind", ["chain", "comb", "ladder"])
def test_fill_of_a_chain_grows_with_its_length(kind):
    """The number of entries of the factors per body does not depend on how many bodies there are."""
    per_body = []
    for count in (10, 30, 90):
        joints = [(i - 1, i) for i in range(count)]
        if kind == "comb":
            joints = [(i - 1 if i % 2 == 0 else max(i - 1, 0), i) for i in range(count)]
        if kind == "ladder":  # rows of four-bar loops
            joints += [(-1, i) for i in range(1, count, 2)]
        M, G, _ = bodies(np.random.default_rng(0), count, joints)
        per_body.append(sparse_values(Saddle(saddle(M, G) != 0, 3 * count).plan) / count)
    assert max(per_body) < 1.1 * min(per_body)


def test_fill_of_a_pendulum_chain_is_the_same_for_ten_and_a_thousand_links():
    per_link = []
    for n in (10, 100, 1000):
        provider = pendulum_chain(n).equations.program("contract")
        M, G = provider.patterns["M"], provider.patterns["G"]
        first = 3 * n
        rows = np.concatenate([M.rows, first + G.rows, G.columns])
        columns = np.concatenate([M.columns, G.columns, first + G.rows])
        neighbours, diagonal = symmetric_neighbours(5 * n, rows.tolist(), columns.tolist())
        held = {first + k: set() for k in range(2 * n)}
        for k, j in zip(G.rows.tolist(), G.columns.tolist(), strict=True):
            held[first + k].add(j)
        plan, _ = analyse(5 * n, rows, columns, *saddle_order(neighbours, diagonal, held))
        per_link.append(sparse_values(plan) / n)
    assert max(per_link) < 50
    assert per_link[2] == pytest.approx(per_link[1], rel=0.02) == pytest.approx(per_link[0], rel=0.2)


def test_pairs_that_are_known_to_be_safe_are_taken_in_their_order():
    """Two coordinates without mass that two constraints hold: the structure lets each have either of them, values only
    the second coordinate behind the first, as for the places of a coned wheel on a rail."""
    G = np.array([[1.0, 2.0, 0.5], [3.0, 1e-17, 0.7]])
    M = np.diag([0.0, 0.0, 1.0])
    A, chain = saddle(M, G), [(0, 3), (1, 4)]
    neighbours, diagonal = symmetric_neighbours(5, *(x.tolist() for x in np.nonzero(A)))
    held = {3 + k: {0, 1, 2} for k in range(2)}
    rows, columns = saddle_order(neighbours, diagonal, held, [chain])
    pairs = [(i, j) for i, j in zip(rows, columns, strict=True) if i != j]
    assert pairs == [(3, 0), (0, 3), (4, 1), (1, 4)]
    assert sorted(rows) == sorted(columns) == list(range(5))
    L = A[np.ix_(rows, columns)]
    pivots = []
    for k in range(5):  # elimination in this order
        pivots.append(abs(L[k, k]))
        L[k + 1 :, k + 1 :] -= np.outer(L[k + 1 :, k], L[k, k + 1 :]) / L[k, k]
    assert min(pivots) > 0.1
