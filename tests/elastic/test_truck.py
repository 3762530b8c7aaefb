"""The truck with an elastic loading area: its equations, its equilibrium, smooth motion along a short rigid run."""

from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from problems.plain import Plain
from scipy.linalg import eigh

import dalembert as da
from dalembert.problems.elastic_truck import (
    N_RIGID,
    Area,
    body,
    f,
    joints,
    loading_area,
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


def test_quasi_static_deformations_are_those_of_plain_matrices():
    """Forces that lock the structure, by NumPy from the functions of the problem, at points that move."""
    problem = da.problems.elastic_truck(modes=3)
    plain, slow, fast = Plain(problem), slice(0, N_RIGID), slice(N_RIGID, None)
    partition = da.Partition(problem.equations, ["mode1", "mode2", "mode3"], stiffness=body(3).K)
    rest = partition.rigid.equilibrium(problem.q0[slow]).q
    q = np.concatenate([rest, np.zeros(3)])
    G = plain.G(0.0, q)
    free = np.linalg.svd(G[:, slow])[2][5:].T
    random = np.random.default_rng(4)
    v = np.concatenate([free @ random.normal(size=(free.shape[1], 4)) * 0.1, np.zeros((3, 4))])
    t = np.array([0.3, 0.7, 1.1, 1.5])
    run = SimpleNamespace(t=t, q=np.tile(rest[:, None], 4), v=v[slow], u=np.zeros((0, 4)), sol=None)
    motion = partition.motion(run)
    for k in range(4):
        h = 1e-5
        gamma = -(plain.G(0.0, q + h * v[:, k]) - plain.G(0.0, q - h * v[:, k])) @ v[:, k] / (2 * h)
        M, force = plain.M(t[k], q), plain.f(t[k], q, v[:, k])
        matrix = np.block([[M[slow, slow], G[:, slow].T], [G[:, slow], np.zeros((5, 5))]])
        x = np.linalg.solve(matrix, np.concatenate([force[slow], gamma]))
        nu = force[fast] - M[fast, slow] @ x[:N_RIGID] - G[:, fast].T @ x[N_RIGID:]
        assert_allclose(motion.q[fast, k], np.linalg.solve(body(3).K, nu), rtol=1e-6)
        assert np.abs(plain.g(t[k], motion.q[:, k])).max() < 1e-11  # back on the constraints
    # accelerations and multipliers are those of the full equations, made when asked for
    assert_allclose(motion.state(3).a, motion.a[:, 3], rtol=1e-9, atol=1e-9)
    a, lam = plain.motion(t[3], motion.q[:, 3], motion.v[:, 3])
    assert_allclose(motion.lam[:, 3], lam, rtol=1e-4)
    assert_allclose(motion.a[:, 3], a, atol=1e-4 * np.abs(a).max())


def test_bad_options_are_named():
    with pytest.raises(da.DalembertError, match=r"'elastic_truck': modes must be a whole number at least 0"):
        da.problems.elastic_truck(modes=-1)
    with pytest.raises(da.DalembertError, match=r"'elastic_truck': beta must be a number"):
        da.problems.elastic_truck(beta="much")


def test_the_truck_from_bodies_and_joints_has_the_same_equations(truck):
    """Masses, forces, constraints and their derivatives at a point in motion, coordinate by coordinate."""
    example = da.problems.mechanisms.elastic_truck()
    ours = example.model.equations(builder="symbolic")
    assert (ours.sizes.q, ours.sizes.lam, len(ours.fast)) == (N_RIGID + 198, 5, 198)
    names = {f"z{k}": (f"z{k}.displacement", f"z{k}.rate") for k in (1, 2, 3, 4, 6, 7, 8)}
    names |= {f"phi{k}": (f"phi{k}.angle", f"phi{k}.rate") for k in (2, 4, 6)}
    for k, one in ((5, "area"), (9, "load")):
        names |= {f"x{k}": (f"{one}.x", f"{one}.vx"), f"z{k}": (f"{one}.y", f"{one}.vy")}
        names[f"phi{k}"] = f"{one}.angle", f"{one}.rate"
    names |= {name: (f"area.{name}", f"area.{name}.rate") for name in truck.coordinates[N_RIGID:]}
    q_at, v_at = ([ours.index(key, names[name][k]) for name in truck.coordinates] for k, key in enumerate("qv"))
    random = np.random.default_rng(5)
    q = truck.q0 + 1e-3 * random.normal(size=len(truck.q0))
    v = 0.1 * random.normal(size=len(q))
    theirs = {"t": [0.7], "q": q, "v": v, "lam": np.zeros(5), "u": np.zeros(0), "p": truck.equations.parameter_vector()}
    own = theirs | {"q": np.zeros(len(q)), "v": np.zeros(len(q)), "p": ours.parameter_vector()}
    own["q"][q_at], own["v"][v_at] = q, v
    for name in ("M", "f", "g", "G", "gamma"):
        wanted, found = (
            program.patterns[name].dense(program([name], point)[name])
            if name in program.patterns
            else program([name], point)[name]
            for program, point in ((truck.equations.program("contract"), theirs), (ours.program("contract"), own))
        )
        found = found[np.ix_(v_at, v_at)] if name == "M" else found[:, v_at] if name == "G" else found
        found = found[v_at] if name == "f" else found
        assert_allclose(found, wanted, rtol=0, atol=1e-11 * np.abs(wanted).max(), err_msg=name)
    start = example.assemble(ours)
    assert_allclose(start.q[q_at], truck.q0, rtol=0, atol=1e-9)  # it rests where that by hand does
    assert np.abs(start.a).max() < 1e-5
