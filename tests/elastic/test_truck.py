"""The truck with an elastic loading area: its equations, its equilibrium, smooth motion along a short rigid run."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import eigh

import dalembert as da
from dalembert.problems.elastic_truck import (
    N_RIGID,
    Area,
    body,
    elastic_coordinates,
    f,
    joints,
    loading_area,
    nodes,
)


@pytest.fixture(scope="module")
def truck():
    return da.problems.elastic_truck()


def test_sizes_and_frequencies(truck):
    assert (N_RIGID, len(truck.coordinates) - N_RIGID, len(truck.constraints)) == (16, 198, 5)
    own = body()
    frequencies = np.sqrt(eigh(own.K, own.M, eigvals_only=True))
    assert_allclose(frequencies[:6], [100.43, 608.97, 1553.66, 1627.32, 1841.57, 3006.01], rtol=1e-5)
    assert_allclose(frequencies[-1], 148794, rtol=1e-5)
    assert 1800 < np.count_nonzero(own.K) < 2000


def test_it_rests(truck):
    lam, n = truck.references[0].lam, len(truck.q0)
    G = np.column_stack([joints(truck.q0 + 1e-30j * e, truck.p).imag / 1e-30 for e in np.eye(n)])
    force = f(truck.q0, truck.v0, np.zeros(6), truck.p) - G.T @ lam
    assert np.abs(force).max() < 1e-6  # of weights of 1e5 N
    assert np.linalg.matrix_rank(G[:, :N_RIGID]) == 5  # condition (7)
    # area and load together weigh what the rigid loading area of the book does, and balance about its centre
    assert_allclose(body().mass + truck.parameters["m9"], 11515.0)


def test_the_loading_area_moves_like_points(truck):
    """Kinetic energy of nodes with consistent masses, velocities taken from positions by differences."""
    area, own = loading_area(), body()
    random = np.random.default_rng(2)
    q, v = truck.q0 + 0.01 * random.normal(size=len(truck.q0)), random.normal(size=len(truck.q0))
    h = 1e-6

    def places(x):
        return np.array([[*own.point(x, x, node)[0][:2]] for node in range(len(area.X))]).ravel()

    rates = (places(q + h * v) - places(q - h * v)) / (2 * h)
    M = truck.functions["M"](q, truck.p)
    used = [6, 7, 8, *range(N_RIGID, len(q))]
    assert_allclose(0.5 * v[used] @ M[np.ix_(used, used)] @ v[used], 0.5 * rates @ area.M @ rates, rtol=1e-8)


def test_modes_take_the_place_of_nodes():
    """All modes of a coarse basis give forces that are those on the nodes, projected."""
    own, modes = body(), Area(loading_area(), 5)
    x, rate = np.random.default_rng(3).normal(size=(2, 5)) * 1e-3
    p = da.problems.elastic_truck(modes=5).p
    by_nodes = own.forces(0.1, 0.3, modes.B @ x, modes.B @ rate, p)
    by_modes = modes.forces(0.1, 0.3, x, rate, p)
    assert_allclose(by_modes[:3], by_nodes[:3], rtol=1e-9)
    assert_allclose(by_modes[3], modes.B.T @ by_nodes[3], rtol=1e-8, atol=1e-8)


def test_smooth_motion_along_a_rigid_run_follows_the_reduced_truck():
    """With one mode, over the first half second of the road: the recipe of the benchmark, which runs all 198."""
    problem = da.problems.elastic_truck(modes=1)
    partition = da.Partition(problem.equations, ["mode1"], stiffness=body(1).K)
    rest = partition.rigid.equilibrium(problem.q0[:N_RIGID])
    t = np.linspace(0.0, 0.5, 101)
    rigid = da.simulate(partition.rigid, (0.0, 0.5), rest, method="dop853", rtol=1e-8, atol=1e-11)
    motion = partition.motion(rigid, t)
    full = da.simulate(problem.equations, (0.0, 0.5), problem.start, method="dop853", rtol=1e-7, atol=1e-11, t_eval=t)
    shapes = body(1).shapes(nodes().front)[1]
    ours, exact = (sum(value * x[k] for k, value in shapes) for x in (motion.q, full.q))
    ours, exact = ours - ours[0], exact - exact[0]
    assert np.abs(ours - exact).max() < 0.05 * np.abs(exact).max()
    # accelerations and multipliers are those of the full equations, made when asked for
    assert motion.a.shape == motion.q.shape and motion.lam.shape == (5, len(t))
    state = motion.state(3)
    assert_allclose(state.a, motion.a[:, 3], rtol=1e-9, atol=1e-9)
    assert len(elastic_coordinates()) == 198


def test_bad_options_are_named():
    with pytest.raises(da.DalembertError, match=r"'elastic_truck': modes must be a whole number at least 0"):
        da.problems.elastic_truck(modes=-1)
    with pytest.raises(da.DalembertError, match=r"'elastic_truck': beta must be a number"):
        da.problems.elastic_truck(beta="much")
