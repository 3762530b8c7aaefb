"""Joints in an order with a small profile, and the reduced matrix in its envelope (mode "skyline")."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from linalg.systems import System, pattern, random_system

from dalembert.linalg.modes.range_space import assemble_schur
from dalembert.linalg.modes.skyline import ENVELOPE, SKYLINE, analyse_skyline, envelope_products
from dalembert.linalg.orders.joint_order import (
    JOINT_ORDERS,
    best_joint_order,
    block_profile,
    joint_graph,
)
from dalembert.linalg.plan import Entries, Structure, own_part
from dalembert.linalg.saddle import Saddle
from dalembert.problems import mechanisms, pendulum_chain

EPS = np.finfo(float).eps


def structure_of(equations):
    patterns, s = equations.program("contract").patterns, equations.sizes
    return Structure(s.v, s.lam, patterns["M"], patterns["G"], patterns["F"])


def path(count):
    return [{k for k in (i - 1, i + 1) if 0 <= k < count} for i in range(count)]


def renumbered(neighbours, numbers):
    """The graph with vertex i called numbers[i]."""
    found = [set() for _ in neighbours]
    for i, others in enumerate(neighbours):
        found[numbers[i]] = {int(numbers[k]) for k in others}
    return found


graphs = st.builds(
    lambda n, share, seed: _random_graph(n, share, seed), st.integers(1, 25), st.floats(0, 0.4), st.integers(0, 2**31)
)


def _random_graph(n, share, seed):
    joined = np.triu(np.random.default_rng(seed).random((n, n)) < share, 1)
    return [set(np.flatnonzero(joined[i] | joined[:, i]).tolist()) for i in range(n)]


# -------------------------------------------------------------------------------------------------------------- orders


@given(graphs)
def test_orders_hold_each_joint_once_and_the_best_has_the_least_work(neighbours):
    works = []
    for number in JOINT_ORDERS.values():
        order = number(neighbours)
        assert sorted(order) == list(range(len(neighbours)))
        works.append(block_profile(neighbours, order).work)
    assert block_profile(neighbours, best_joint_order(neighbours)).work <= min(works)


@given(graphs, st.randoms(use_true_random=False))
def test_profiles_are_those_of_the_matrix(neighbours, random):
    """(3.123) to (3.126), against a matrix of ones and zeros."""
    n = len(neighbours)
    order = list(range(n))
    random.shuffle(order)
    B = np.array([[float(i == j or order[j] in neighbours[order[i]]) for j in range(n)] for i in range(n)])
    widths = [i - int(np.flatnonzero(B[i])[0]) for i in range(n)]
    found = block_profile(neighbours, order)
    assert list(found.widths) == widths
    assert (found.bandwidth, found.profile) == (max(widths), sum(widths))
    assert found.work == sum(w * (w + 3) for w in widths) // 2


@pytest.mark.parametrize("name", [name for name in JOINT_ORDERS if name != "natural"])
@given(numbers=st.permutations(range(50)))
@settings(max_examples=20)
def test_a_chain_is_numbered_along_itself(name, numbers):
    graph = renumbered(path(50), numbers)
    found = block_profile(graph, JOINT_ORDERS[name](graph))
    assert (found.bandwidth, found.profile, found.work) == (1, 49, 98)


@pytest.mark.parametrize("name", ["gibbs-king", "gibbs-poole-stockmeyer"])
@given(rows=st.integers(2, 4), columns=st.integers(6, 9), random=st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_a_narrow_grid_is_numbered_across(name, rows, columns, random):
    """Each joint is tied to the next one along and across: levels are as wide as the smaller side."""
    at = {(i, j): i * columns + j for i in range(rows) for j in range(columns)}
    graph = [
        {at[k] for k in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)) if k in at}
        for i in range(rows)
        for j in range(columns)
    ]
    numbers = list(range(rows * columns))
    random.shuffle(numbers)
    graph = renumbered(graph, numbers)
    found = block_profile(graph, JOINT_ORDERS[name](graph))
    assert found.bandwidth < 2 * rows and found.profile < 2 * rows * rows * columns


def test_the_numbering_of_figure_5b():
    """First joint 1, second 50, third 2, …: neighbours are as far apart as they can be."""
    numbers = [k // 2 if k % 2 == 0 else 49 - k // 2 for k in range(50)]
    found = block_profile(path(50), [int(k) for k in np.argsort(numbers)])
    assert (found.bandwidth, found.profile) == (49, sum(range(1, 50, 2)))
    assert found.work == sum(w * (w + 3) for w in range(1, 50, 2)) // 2


# ------------------------------------------------------------------------------------------------------- joints of G


def test_joints_of_the_seven_body_mechanism():
    """Figure 3: four joints on the coupler, chains of joints to the ground."""
    equations = mechanisms.seven_body().model.equations("absolute")
    structure = structure_of(equations)
    assert (structure.n_v, structure.n_lam) == (21, 20)
    graph = joint_graph(structure)
    assert [len(rows) for rows in graph.rows] == [2] * 10
    assert sorted(map(len, graph.neighbours)) == [1, 1, 1, 1, 2, 2, 4, 4, 4, 4]
    found = {name: block_profile(graph.neighbours, number(graph.neighbours)) for name, number in JOINT_ORDERS.items()}
    assert found["gibbs-king"].profile == 15 and found["gibbs-king"].bandwidth == 3
    assert found["gibbs-king"].work < found["natural"].work / 2
    best = block_profile(graph.neighbours, best_joint_order(graph.neighbours))
    assert (best.profile, best.work) == (14, 37)  # every seventh of all 10! orders was tried: none has less


def test_joints_of_the_chain_of_50():
    graph = joint_graph(structure_of(pendulum_chain(50).equations))
    assert [len(rows) for rows in graph.rows] == [2] * 50
    assert block_profile(graph.neighbours, best_joint_order(graph.neighbours)).profile == 49


def test_two_joints_between_the_same_bodies_are_one():
    G = np.kron([[1, 1, 0, 0], [0, 1, 1, 0], [1, 1, 0, 0], [0, 0, 1, 1]], np.ones((2, 3)))
    M = np.kron(np.eye(4), np.ones((3, 3)))
    graph = joint_graph(Structure(12, 8, pattern(M), pattern(G), Entries(*np.zeros((2, 0), int))))
    assert graph.rows == [[0, 1, 4, 5], [2, 3], [6, 7]] and graph.neighbours == [{1}, {0, 2}, {1}]


# --------------------------------------------------------------------------------------------------------- the envelope


def joined_bodies(rng, count, sizes):
    """Bodies with six coordinates in a tree with loops, joints with 1 to 5 constraints."""
    M = np.zeros((6 * count, 6 * count))
    for body in range(count):
        A, here = rng.standard_normal((6, 6)), slice(6 * body, 6 * body + 6)
        M[here, here] = A @ A.T + np.eye(6)
    pairs = [(int(rng.integers(-1, k)), k) for k in range(count)]
    pairs += [(0, count - 1)] if count > 2 else []
    rows = []
    for pair, size in zip(pairs, sizes, strict=False):
        block = np.zeros((size, 6 * count))
        for body in set(pair) - {-1}:
            block[:, 6 * body : 6 * body + 6] = rng.standard_normal((size, 6))
        rows.append(block)
    return System.of(M, np.vstack(rows), seed=int(rng.integers(2**31)))


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 6), st.lists(st.integers(1, 4), min_size=7, max_size=7), st.integers(0, 2**31), st.data())
def test_any_order_of_joints_gives_the_solution(count, sizes, seed, data):
    system = joined_bodies(np.random.default_rng(seed), count, sizes)
    assume(system.is_regular())
    joints = data.draw(st.permutations(range(len(joint_graph(system.structure).rows))))
    expected = np.linalg.solve(system.matrix, system.right)
    size = EPS * np.max(np.abs(expected)) * np.linalg.cond(system.matrix)
    for plan in (analyse_skyline(system.structure), analyse_skyline(system.structure, joints)):
        status, solved, x = system.solve(Saddle(plan))
        assert (status, solved) == (0, 0) and np.max(np.abs(x - expected)) < 100 * size


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 7), st.integers(0, 2**31))
def test_the_envelope_holds_the_reduced_matrix(count, seed):
    """B = G M⁻¹ Gᵀ (3.109), (3.110), in the order of the joints, against products of full matrices."""
    system = random_system(np.random.default_rng(seed), "loop", count)
    graph = joint_graph(system.structure)
    joints = best_joint_order(graph.neighbours)
    made = Saddle(analyse_skyline(system.structure, joints))
    M, G, _ = (part.ravel() for part in system.entries())
    own = own_part(made.ints)
    assert assemble_schur(made.values, own, M, G) == 0
    envelope = own[own[SKYLINE.ENVELOPE] :]
    n, pivots = len(system.G), envelope[ENVELOPE.N_PIVOTS]
    rows, firsts = (
        envelope[envelope[k] :][:size] for k, size in ((ENVELOPE.ROWS, pivots + 1), (ENVELOPE.FIRSTS, pivots))
    )
    order = [row for joint in joints for row in graph.rows[joint]]
    B = (system.G @ np.linalg.solve(system.M, system.G.T))[np.ix_(order, order)]
    at = n
    for p in range(pivots):
        for i in range(rows[p], rows[p + 1]):
            assert made.values[i] == pytest.approx(B[i, i], rel=1e-9)
            width = i - firsts[p]
            assert made.values[at : at + width] == pytest.approx(
                B[i, firsts[p] : i], rel=1e-9, abs=1e-9 * np.abs(B).max()
            )
            assert np.all(B[i, : firsts[p]] == 0)
            at += width
    assert at == n + envelope[ENVELOPE.BELOW]


def test_products_of_a_chain():
    """Block tridiagonal: per joint 8 for L D, 4 for its scale, 9 for D, 8 for two substitutions; 8 for each inverse."""
    rows, firsts = np.arange(0, 102, 2), np.maximum(np.arange(0, 100, 2) - 2, 0)
    assert envelope_products(rows, firsts) == 49 * (8 + 4 + 9 + 8) + 50 * 8
    full = np.zeros(50, dtype=int)
    assert envelope_products(rows, full) == envelope_products(rows, full, skip=False)
