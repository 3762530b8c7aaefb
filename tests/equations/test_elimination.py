"""Elimination in an order that is fixed beforehand, beside LAPACK's with pivoting; numbers stand for atoms."""

import numpy as np
import pytest

from dalembert.equations.contract.elimination import eliminated, saddle_entries

N, FOLLOWERS = 4, 2


def system(seed, *, friction=False):
    """M and G of coordinates with mass and two auxiliary variables behind them: their rows of G are regular in these
    with pivots in this order, and the second row has nothing but rounding where the first one could be taken."""
    rng = np.random.default_rng(seed)
    n = N + FOLLOWERS
    M, G = np.zeros((n, n)), rng.uniform(-1, 1, (3, n))
    A = rng.uniform(-1, 1, (N, N))
    M[:N, :N] = A @ A.T + N * np.eye(N)
    G[0, N:] = 0.0  # a constraint that the auxiliary variables have no part in
    G[1:, N:] = [[1.5, 0.3], [1e-17, -0.8]]
    top = G.T - (0.1 * rng.uniform(-1, 1, (n, 3)) if friction else 0.0)
    return M, G, top


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("friction", [False, True])
def test_velocities_without_mass_follow_from_their_own_constraints(seed, friction):
    M, G, top = system(seed, friction=friction)
    n, m = len(M), len(G)
    kkt = np.block([[M, top], [G, np.zeros((m, m))]])
    right = np.random.default_rng(seed).uniform(-1, 1, n + m)
    made = eliminated(saddle_entries(M, G, top), n, m, not friction, [[(N, 1), (N + 1, 2)]])
    np.testing.assert_allclose(made.solve(right), np.linalg.solve(kkt, right), atol=1e-12)


@pytest.mark.parametrize("friction", [False, True])
def test_without_such_velocities_pivots_stand_on_the_diagonal(friction):
    M, G, top = system(7, friction=friction)
    M, G, top = M[:N, :N], G[:, :N], top[:N]
    kkt = np.block([[M, top], [G, np.zeros((3, 3))]])
    right = np.arange(7.0)
    made = eliminated(saddle_entries(M, G, top), N, 3, not friction)
    assert made.rows == made.order
    np.testing.assert_allclose(made.solve(right), np.linalg.solve(kkt, right), atol=1e-12)
