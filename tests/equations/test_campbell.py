"""Frequencies along a motion."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import dalembert as da
from dalembert.errors import StateError


def test_frequencies_are_followed_where_they_cross():
    """Two oscillators, one that grows stiffer with time and one that does not."""

    def f(t, q, v):
        return np.array([-((1.0 + t) ** 2) * q[0] - 0.02 * (1.0 + t) * v[0], -2.25 * q[1]])

    equations = da.trace(M=lambda: np.eye(2), f=f, n_q=2, name="two")
    run = da.simulate(equations, (0, 1), ([0.1, 0.0], [0.0, 0.1]))
    t = np.linspace(0, 1, 11)
    found = equations.campbell(run, t)
    assert_allclose(found.t, t)
    growing, still = found.frequencies[[0, 1]] * 2.0 * np.pi
    assert_allclose(growing, 1.0 + t, rtol=1e-6)
    assert_allclose(still, 1.5, rtol=1e-6)
    assert_allclose(found.damping[0], 0.01, rtol=1e-6)
    assert repr(found) == "<Campbell: 2 oscillations at 11 instants>"
    with pytest.raises(StateError, match="a run of these equations is needed"):
        equations.campbell("run")
