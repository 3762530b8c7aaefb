"""Constraints that are pulled back after Baumgarte, beside projection and beside nothing at all."""

import numpy as np
import pytest
from integrate.runs import residuals

import dalembert as da
from dalembert.errors import SimulationError
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.run.live import LiveRun, Options


def drift(equations, run):
    """|g| at the ends of all steps."""
    return np.array([np.abs(equations.evaluate("g", t=t, q=q)).max() for t, q in zip(run.t, run.q.T, strict=True)])


@pytest.mark.parametrize("family", [da.Dopri5, da.Dop853, da.Adams])
def test_drift_of_a_pendulum(family):
    """Left to itself it grows, pulled back it stays small, projected it is rounding; all three follow the motion."""
    problem = da.problems.pendulum()
    options = {"rtol": 1e-6, "atol": 1e-8}
    exact = da.simulate(problem, (0, 20), method="dop853", rtol=1e-11, atol=1e-12)
    free, pulled, projected = (
        da.simulate(problem, (0, 20), method=family(stabilisation=kind), **options)
        for kind in (da.Baumgarte(0.0), da.Baumgarte(10.0), None)
    )
    of_free, of_pulled, of_projected = (drift(problem.equations, run) for run in (free, pulled, projected))
    assert of_free.max() > 3 * of_free[free.t < 1.0].max()
    late_free, late_pulled = (np.median(one[run.t > 10.0]) for one, run in ((of_free, free), (of_pulled, pulled)))
    assert late_pulled < 0.2 * late_free
    assert of_projected.max() < 1e-12 and 1e-3 * of_pulled.max() > of_projected.max()
    for run in (pulled, projected):
        assert np.abs(run.q[:, -1] - exact.q[:, -1]).max() < 1e-2
    # The largest residual is told, and dense output is as it was integrated.
    assert pulled.statistics.extra["constraint_residual"] == pytest.approx(of_pulled.max(), rel=1e-6)
    between = np.linspace(0, 20, 57)
    point = pulled.sol(between)
    g, _ = residuals(problem.equations, pulled, between, point.q, point.v)
    assert 1e-12 < g < of_free.max()
    assert pulled.statistics.extra["projection_change"] == 0.0


def test_accelerations_obey_the_pulled_equations():
    """G a = γ − 2α (G v + gI) − β² g, with constraints that move and one that is nonholonomic, off all of them."""
    equations = da.trace(
        M=lambda q: np.diag([1.0, 2.0, 1.5 + q[0] ** 2]),
        f=lambda v: np.array([-v[0], 0.0, 1.0]),
        g=lambda t, q: np.array([q[0] ** 2 + q[1] ** 2 - 1.0 - 0.1 * np.sin(t)]),
        nonholonomic=lambda q, v: np.array([v[2] - q[0] * v[1]]),
        n_q=3,
        name="pulled",
    )
    point = {"t": 0.3, "q": np.array([0.7, 0.8, 0.1]), "v": np.array([0.2, -0.4, 0.3])}
    M, f, G, gI, g, gamma = equations.evaluate("M", "f", "G", "gI", "g", "gamma", **point)
    for kind, velocity, position in ((da.Baumgarte(3.0), 6.0, 9.0), (da.Baumgarte(2.0, 5.0), 4.0, 25.0)):
        method = da.Dopri5(stabilisation=kind)
        live = LiveRun(equations, method, Options(rtol=1e-6, atol=np.full(6, 1e-8)), np.zeros(0))
        live.start(point["t"], np.concatenate([point["q"], point["v"]]), 1.0)
        run = live.run
        assert kind.gains == (velocity, position) == (run.velocity_gain, run.position_gain)
        run.t_end = 0.3
        live.advance()
        pull = velocity * (G @ point["v"] + gI)
        pull[: len(g)] += position * g
        assert G @ run.z0[:3] == pytest.approx(gamma - pull, abs=1e-12)
        assert M @ run.z0[:3] == pytest.approx(f - G.T @ run.z0[3:], abs=1e-12)
        assert np.array_equal(run.y0, [*point["q"], *point["v"]]) and run.failure == STATUS.OK


def test_steps_of_euler_lose_all_drift_in_two_steps_where_the_rates_are_one_over_the_step():
    """Thesis (2.9), (2.10), in terms of (2.7): the matrix of a step, squared, is zero."""
    h = 0.01
    velocity, position = da.Baumgarte(1 / h).gains
    B = np.array([[1.0, h], [-h * position, 1.0 - h * velocity]])
    assert B @ B == pytest.approx(0.0, abs=1e-12)


def test_euler_parameters_stay_of_length_one():
    m = da.Model("top", gravity=(0, 0, -9.81))
    body = m.body("body", mass=1.0, inertia=(0.1, 0.1, 0.05), position=(0, 0, 0.3))
    m.spherical("tip", m.ground, body.at(0, 0, -0.3))
    equations = m.equations(coordinates="absolute")
    q, v, _ = equations.start()
    v = equations.assemble(q=q, v=v + np.array([0, 0, 0, 0.1, 0.2, 20.0])).v
    method = da.Dop853(stabilisation=da.Baumgarte(20.0))
    run = da.simulate(equations, (0, 1), (q, v), method=method, rtol=1e-7, atol=1e-9)
    same = da.simulate(equations, (0, 1), (q, v), rtol=1e-7, atol=1e-9)
    lengths = np.sum(run.q[3:] ** 2, axis=0)
    assert lengths == pytest.approx(1.0, abs=1e-12)
    assert np.abs(run.q[:, -1] - same.q[:, -1]).max() < 1e-3


def test_stored_runs_know_it(tmp_path):
    problem = da.problems.pendulum()
    method = da.Adams(stabilisation=da.Baumgarte(5.0, 7.0), max_order=8)
    whole = da.simulate(problem, (0, 2), method=method)
    part = da.load(da.simulate(problem, (0, 2), method=method, max_steps=9).save(tmp_path / "part.nc"))
    run = da.resume(part, problem)
    assert np.array_equal(run.q, whole.q) and np.array_equal(run.lam, whole.lam)
    assert da.Method.restored(part.checkpoint.header["method"]) == method


def test_what_is_not_possible():
    problem = da.problems.pendulum()
    pulled = da.Dop853(stabilisation=da.Baumgarte(5.0))
    with pytest.raises(
        SimulationError, match=r"'explicit' is not possible .*Baumgarte's stabilisation needs the residuals"
    ):
        da.simulate(problem, (0, 1), method=pulled, formalism="explicit")
    with pytest.raises(SimulationError, match="Baumgarte: alpha must be a positive number or 0, got -1"):
        da.Baumgarte(-1.0)
    with pytest.raises(SimulationError, match="Baumgarte: beta must be a finite number, got inf"):
        da.Baumgarte(1.0, np.inf)
    with pytest.raises(SimulationError, match=r"stabilisation must be a Baumgarte\(alpha, beta\), got 5.0"):
        da.Dopri5(stabilisation=5.0)
    scaled = da.trace(
        M=lambda: np.eye(2),
        f=lambda: np.array([0.0, -9.81]),
        g=lambda q: np.array([q[0] ** 2 + q[1] ** 2 - 1.0]),
        G=lambda q: np.array([[q[0], q[1]]]),
        n_q=2,
        name="scaled",
    )
    with pytest.raises(SimulationError, match="not the derivatives of its position constraints, row by row"):
        da.simulate(scaled, (0, 1), ([1.0, 0.0], [0.0, 0.0]), method=pulled)
