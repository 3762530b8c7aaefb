"""The source that the benchmarks of the symbolic engine run (benchmarks/_chains.py) computes the dynamics of chains."""

from math import cos, sin

import numpy as np
import pytest
from scripts import load

import dalembert.symbolic as sym

LINKAGE = [1.2, 1.5, 2.0, 3.0, 2.5, 0.6, 0.05, 0.7, -0.04, 0.8, 0.03, 1.1, 2.2, 2.0]


@pytest.fixture(scope="module")
def chains():
    return load("benchmarks/_chains.py")


@pytest.fixture(params=["1 link", "2 links", "4 links", "9 links", "arm", "linkage"])
def chain(request, chains):
    made = {"arm": chains.arm, "linkage": lambda: chains.four_bar(LINKAGE)}
    return made[request.param]() if request.param in made else chains.spatial_chain(int(request.param.split()[0]))


def motion(chain, seed=0):
    return np.random.default_rng(seed).uniform(-1.0, 1.0, (3, len(chain.links))).tolist()


def test_forward_dynamics_inverts_inverse_dynamics(chains, chain):
    q, v, a = motion(chain)
    torques = chains.inverse_dynamics(chain, q, v, a, sin, cos)
    np.testing.assert_allclose(chains.forward_dynamics(chain, q, v, torques, sin, cos), a, rtol=1e-11, atol=1e-11)


def test_mass_matrix_and_bias_forces_make_up_inverse_dynamics(chains, chain):
    q, v, a = motion(chain)
    M, b = chains.mass_matrix_and_bias(chain, q, v, sin, cos)
    torques = chains.inverse_dynamics(chain, q, v, a, sin, cos)
    np.testing.assert_array_equal(M, np.transpose(M))
    np.testing.assert_allclose(np.array(M) @ a + b, torques, rtol=1e-12, atol=1e-12)


def test_mass_matrix_and_weight_follow_from_energies(chains, chain):
    # T = 1/2 ∫ |ẋ|² dm and V = -∫ g·x dm, with the integrals ∫ (1, r, r rᵀ) dm over each link.
    q, _, a = motion(chain)
    n, h = len(chain.links), 1e-30

    def frames(q):
        """Rotation matrix and origin of each link, in the world."""
        R, r, found = np.eye(3), np.zeros(3), []
        for link, angle in zip(chain.links, q, strict=True):
            c, s = np.cos(angle), np.sin(angle)
            r = r + R @ np.array(link.p, dtype=float)
            R = R @ np.array(link.E, dtype=float) @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
            found.append((R, r))
        return found

    rates = []  # derivatives of R and r by each angle, by complex steps
    for j in range(n):
        moved = frames(np.array(q, dtype=complex) + 1j * h * np.eye(n)[j])
        rates.append([(R.imag / h, r.imag / h) for R, r in moved])
    M, weight = np.zeros((n, n)), np.zeros(n)
    for i, link in enumerate(chain.links):
        moments, I = np.array(link.h, dtype=float), np.array(link.I, dtype=float)
        second = np.trace(I) / 2.0 * np.eye(3) - I
        for j in range(n):
            dR, dr = rates[j][i]
            weight[j] += np.dot(chain.lift, link.m * dr + dR @ moments)
            for k in range(n):
                dRk, drk = rates[k][i]
                M[j, k] += link.m * dr @ drk + dr @ dRk @ moments + drk @ dR @ moments + np.trace(dR @ second @ dRk.T)
    np.testing.assert_allclose(chains.mass_matrix(chain, q, sin, cos), M, rtol=1e-12, atol=1e-12)
    at_rest = chains.inverse_dynamics(chain, q, [0.0] * n, a, sin, cos)
    np.testing.assert_allclose(at_rest, M @ a + weight, rtol=1e-12, atol=1e-12)


def test_four_bar_linkage_has_the_mass_matrix_of_the_railway_paper(chains):
    q = [0.3, 0.5, -0.8]
    M = chains.mass_matrix(chains.four_bar(LINKAGE), q, sin, cos)
    np.testing.assert_allclose(M, chains.figure_2(q, LINKAGE, sin, cos), rtol=1e-13)


def test_compiled_functions_agree_with_floats(chains):
    n = 4
    chain = chains.spatial_chain(n)
    graph = sym.Graph()
    q, v, u = (graph.variables(name, n) for name in "qvu")
    point = motion(chain, seed=1)
    for function in chains.FUNCTIONS:
        atoms = chains.results(function, lambda _: chain, sym.sin, sym.cos, list(q), list(v), list(u))
        f = sym.compile(atoms, {"q": q, "v": v, "u": u}, cache=False)
        expected = chains.results(function, lambda _: chain, sin, cos, *point)
        np.testing.assert_allclose(f(*point), expected, rtol=1e-11, atol=1e-11)
