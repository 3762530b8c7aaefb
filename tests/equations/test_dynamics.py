"""Forward and inverse dynamics at one instant."""

from __future__ import annotations

import numpy as np
import pytest
from equations.spatial import GRAVITY, top
from equations.systems import Rolling, four_bar, parallelogram, parallelogram_start

import dalembert as da
from dalembert.errors import ConstraintError, EquationsError, StateError

ROUGH = [0.3, 0.4, 0.9, 1.5, 1.2, 0.2, 2.3, 0.7, 1.9]
FOUR_BAR = four_bar()
START = FOUR_BAR.assemble(ROUGH, {"phi_crank": 2.0}, held=["phi_crank"])


def test_forward_dynamics_gives_accelerations_and_multipliers():
    a, lam = FOUR_BAR.forward_dynamics(START.q, START.v)
    assert a == pytest.approx(START.a, abs=1e-12) and lam == pytest.approx(START.lam, abs=1e-11)
    equations, u = Rolling.equations(), [0.3, -0.2]
    start = equations.assemble([0.8, 0.5, 0.3, 0.2], [1, 2, 3], u, t=0.7)
    a, lam = equations.forward_dynamics(start.q, start.v, u, t=0.7)
    assert a == pytest.approx(start.a) and lam == pytest.approx(start.lam)
    with pytest.raises(ConstraintError, match="depend on the others"):
        parallelogram().forward_dynamics(parallelogram_start(0.7))
    accepted, _ = parallelogram().forward_dynamics(parallelogram_start(0.7), redundant="accept")
    assert accepted == pytest.approx(parallelogram().assemble(parallelogram_start(0.7), redundant="accept").a)


def test_inverse_dynamics_is_forward_dynamics_backwards():
    """Without constraints M a − f; with them the torque at the crank that makes a chosen motion."""
    spinning = top()
    q, v, a = [0.6, 0.0, 0.8, 0.0], [1.0, 2.0, 3.0], [0.4, -0.3, 7.0]
    M, f = spinning.evaluate("M", "f", q=q, v=v)
    forces, lam = spinning.inverse_dynamics(q, v, a)
    assert forces == pytest.approx(M @ a - f) and lam.size == 0
    # Another acceleration of the crank, all others from G a = γ.
    G, gamma, M, f = FOUR_BAR.evaluate("G", "gamma", "M", "f", q=START.q, v=START.v)
    others = [k for k in range(9) if k != 2]
    wanted = np.zeros(9)
    wanted[2] = 5.0
    wanted[others] = np.linalg.solve(G[:, others], gamma - 5.0 * G[:, 2])
    (torque,), lam = FOUR_BAR.inverse_dynamics(START.q, START.v, wanted, actuated=["phi_crank"])
    pushed = f.copy()
    pushed[2] += torque
    x = np.linalg.solve(np.block([[M, G.T], [G, np.zeros((8, 8))]]), np.concatenate([pushed, gamma]))
    assert x[:9] == pytest.approx(wanted, abs=1e-10) and x[9:] == pytest.approx(lam, abs=1e-9)
    # The torque does the work that the energy needs: a = START.a needs none.
    assert FOUR_BAR.inverse_dynamics(START.q, START.v, START.a, actuated=["phi_crank"])[0] == pytest.approx(0, abs=1e-9)
    # Any other single actuator does it too, and two share.
    (other,), _ = FOUR_BAR.inverse_dynamics(START.q, START.v, wanted, actuated="phi_rocker")
    assert other * START.v[8] == pytest.approx(torque * START.v[2], rel=1e-9)  # the same power
    both, _ = FOUR_BAR.inverse_dynamics(START.q, START.v, wanted, actuated=["phi_crank", "phi_rocker"])
    assert np.linalg.norm(both) < min(abs(torque), abs(other))


def test_forces_on_coordinates_that_are_no_velocities():
    """x of the made-up system moves by T v: a force along x has the power of x's rate."""
    equations = Rolling.equations()
    start = equations.assemble([0.8, 0.5, 0.3, 0.2], [1, 2, 3], [0.3, -0.2])
    T = equations.evaluate("T", q=start.q)
    a = start.a + np.linalg.svd(equations.evaluate("G", q=start.q))[2][-1]  # another motion that is possible
    (force,), lam = equations.inverse_dynamics(start.q, start.v, a, start.u, actuated=["q0"])
    M, f, G = equations.evaluate("M", "f", "G", q=start.q, v=start.v, u=start.u, lam=lam)
    assert M @ a - f + G.T @ lam == pytest.approx(T[0] * force, abs=1e-9)


def test_impossible_motions_are_refused():
    with pytest.raises(ConstraintError, match=r"these accelerations violate the constraint"):
        FOUR_BAR.inverse_dynamics(START.q, START.v, np.ones(9))
    with pytest.raises(ConstraintError, match=r"these velocities violate the constraint"):
        FOUR_BAR.inverse_dynamics(START.q, np.ones(9), START.a)
    cart = da.trace(
        M=lambda: np.diag([1.0, 2.0]), f=lambda: [0.0, -GRAVITY], n_q=2, names={"q": ["x", "y"]}, name="cart"
    )
    with pytest.raises(
        EquationsError, match=r"'cart': x\.rate cannot make this motion: y\.rate lacks a force of 9\.81"
    ):
        cart.inverse_dynamics([0, 0], [0, 0], [1, 0], actuated=["x"])
    with pytest.raises(StateError, match="has no velocity 'z'"):
        cart.inverse_dynamics([0, 0], [0, 0], [1, 0], actuated=["z"])
