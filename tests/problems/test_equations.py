"""The compiled equations of the problems against their functions called with numbers."""

import numpy as np
import pytest
from problems.plain import Plain

from dalembert import problems

TRACED = {
    "pendulum": {},
    "double_pendulum": {},
    "stiff_double_pendulum": {},
    "seven_body": {},
    "excited_chain": {},
    "carriage": {"builder": "functions"},
    "slider_crank": {"stiffness": "nonlinear"},
    "truck": {"springs": "both"},
    "truck_surrogate": {"excitation": "measured"},
}


@pytest.mark.parametrize("name", TRACED)
def test_traced_equations_are_the_plain_ones(name):
    problem = problems.get(name, **TRACED[name])
    equations, plain = problem.equations, Plain(problem)
    assert equations is problem.equations  # made once
    assert list(equations.names["q"]) == list(problem.coordinates)
    assert tuple(equations.breaks) == tuple(problem.functions.get("breaks", ()))
    reference = problem.reference()
    t, q, v = reference.t, reference.q, reference.v
    M, f, G, g = equations.evaluate("M", "f", "G", "g", t=t, q=q, v=v, lam=reference.lam)
    forces = plain.f(t, q, v, reference.lam)
    assert M == pytest.approx(plain.M(t, q), rel=1e-13) and f == pytest.approx(forces, rel=1e-9, abs=1e-9)
    assert G == pytest.approx(plain.G(t, q), rel=1e-12, abs=1e-14) and g == pytest.approx(plain.g(t, q), abs=1e-14)


def test_friction_of_the_drum_is_the_derivative_by_its_reactions():
    problem = problems.cable_drum(mu=0.5)
    equations, reference = problem.equations, problem.reference()
    f, F = equations.evaluate("f", "F", q=reference.q, v=reference.v, lam=reference.lam)
    assert f == pytest.approx(Plain(problem).f(0.0, reference.q, reference.v, reference.lam), rel=1e-15)
    assert np.flatnonzero(F.any(axis=0)).tolist() == [1] and F[:, 1].tolist() == [0.0, -0.5, 0.0, -0.5]


# mexx, Table 5.4
@pytest.mark.parametrize(("n", "size", "entries"), [(16, 89, 327), (32, 169, 631), (64, 329, 1239)])
def test_matrix_of_the_insulator_chain_is_as_large_and_sparse_as_published(n, size, entries):
    equations = problems.insulator_chain(n).equations
    patterns, s = equations.program("contract").patterns, equations.sizes
    assert (s.v, s.lam) == (3 * (n + 1) + 2, 2 * (n + 1) + 2) and s.v + s.lam == size
    assert len(patterns["M"].rows) + 2 * len(patterns["G"].rows) == entries


@pytest.mark.parametrize("joints", ["constraints", "coordinates"])
def test_assembled_insulator_chain_is_the_plain_one(joints):
    problem = problems.insulator_chain(16, joints)
    plain, reference = Plain(problem), problem.reference()
    q, v = reference.q, reference.v
    M, f, G, g = problem.equations.evaluate("M", "f", "G", "g", q=q, v=v)
    assert np.array_equal(M, plain.M(0.1, q)) and f == pytest.approx(plain.f(0.1, q, v), rel=1e-14)
    assert G == pytest.approx(plain.G(0.1, q), rel=1e-13, abs=1e-15) and g == pytest.approx(plain.g(0.1, q), abs=1e-14)


def test_joint_coordinates_of_the_insulator_chain_determine_all_others():
    n = 16
    problem = problems.insulator_chain(n, "coordinates")
    G, bodies = Plain(problem).G(0.1, problem.reference().q), 3 * (n + 1) + 2
    K, J = G[:, :bodies], G[:, bodies:]  # mexx (1.12)
    assert K.shape == (bodies, bodies) and abs(np.linalg.det(K)) == pytest.approx(1.0, rel=1e-10)
    assert np.linalg.matrix_rank(J) == n + 1
    lam = problem.reference().lam
    assert J.T @ lam == pytest.approx(0.0, abs=0.0)


def test_assembled_start_of_the_seven_body_mechanism_is_the_published_one():
    problem = problems.seven_body()
    start, published = problem.equations.assemble(q=problem.q0, v=problem.v0), problem.references[0]
    assert start.q == pytest.approx(published.q, abs=1e-14)
    assert start.a == pytest.approx(published.a, abs=1e-6) and start.lam == pytest.approx(published.lam, abs=1e-8)


def test_assembled_smooth_start_of_the_slider_crank_moves_by_the_offset_only():
    problem = problems.slider_crank()
    start = problem.equations.assemble(q=problem.q0, v=problem.v0)
    assert np.abs(start.q - problem.q0).max() == pytest.approx(1.6e-10, rel=0.05)
    assert np.abs(start.v - problem.v0).max() < 2e-8
