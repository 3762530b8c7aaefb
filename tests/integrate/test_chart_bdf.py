"""Backward differentiation formulas on independent coordinates: orders, partitions, ends of steps, work."""

import itertools

import numpy as np
import pytest
from integrate.pieces import in_pieces, same
from integrate.references import problem_and_reference
from integrate.runs import errors, fixed_steps

import dalembert as da
from dalembert.errors import SimulationError


@pytest.mark.parametrize("order", range(1, 6))
def test_every_order(order):
    problem, reference = problem_and_reference("seven_body")
    t = np.linspace(*reference.sol.interval, 301)[1:-1]
    found = []
    for n in (100, 200):
        run = fixed_steps(
            problem.equations, "chart_bdf", (problem.q0, problem.v0), reference.sol.interval, n, order=order
        )
        found.append(np.concatenate([errors(run, reference), errors(run.sol(t), reference.sol(t))]))
    observed = np.log2(found[0] / found[1])
    assert (observed > order - 0.5).all() and (observed < order + 1.0).all(), observed


@pytest.mark.parametrize("chart", ["partition", "tangent"])
def test_a_new_partition_is_no_new_beginning(chart):
    """A point on a circle: no coordinate serves a whole turn; orders stay as high as they are, and one Rosenbrock step
    makes all history."""
    equations = da.trace(
        M=lambda: np.eye(2), f=lambda q, v: np.zeros(2), g=lambda q: np.array([q @ q - 1.0]), n_q=2, name="turning"
    )
    told = []
    run = da.simulate(
        equations, (0, 50.0), ([1.0, 0.0], [0.0, 1.0]), method=da.ChartBdf(chart=chart), rtol=1e-8, atol=1e-10,
        monitor=told.append,
    )  # fmt: skip
    assert run.success and run.statistics.extra["repartitions"] > 10
    assert run.q[:, -1] == pytest.approx([np.cos(50.0), np.sin(50.0)], abs=1e-4)
    orders = np.array([report.order for report in told])
    assert (orders[100:] >= 4).all()


def stiff_pendulum():
    problem = da.problems.stiff_double_pendulum(start="rest")
    return problem.equations, (0.0, 2.0), (problem.q0, problem.v0)


def test_one_evaluation_in_a_step_and_few_derivatives():
    run = da.simulate(*stiff_pendulum(), method="chart_bdf", rtol=1e-6, atol=1e-6, t_eval=[0.5, 1.0, 2.0])
    work = run.statistics
    attempts = work.steps + work.rejected
    assert run.success and work.nfev < 1.5 * attempts and work.njev < 0.05 * attempts
    exact = da.simulate(*stiff_pendulum(), method="radau9", rtol=1e-10, atol=1e-10, t_eval=[0.5, 1.0, 2.0])
    for name, bound in (("q", 1e-4), ("v", 1e-4), ("lam", 1e-3)):
        there = getattr(exact, name)
        assert getattr(run, name) == pytest.approx(there, abs=bound * np.abs(there).max())


def test_ends_are_completed_where_they_are_asked_for_and_steps_stay_the_same():
    options = {"method": "chart_bdf", "rtol": 1e-5, "atol": 1e-5}
    free = da.simulate(*stiff_pendulum(), **options)
    asked = da.simulate(*stiff_pendulum(), t_eval=free.t[[3, 20, -1]], **options)
    assert asked.statistics.steps == free.statistics.steps
    assert asked.nfev < free.nfev - 0.9 * free.statistics.steps
    for name in ("q", "v", "a", "lam"):
        there = getattr(free.sol(asked.t), name)
        assert getattr(asked, name) == pytest.approx(there, rel=1e-9, abs=1e-9 * np.abs(there).max())


def test_resumed_between_instants_of_output():
    options = {"method": "chart_bdf", "rtol": 1e-5, "atol": 1e-5, "t_eval": np.linspace(0.0, 2.0, 7)}
    whole = da.simulate(*stiff_pendulum(), **options)
    assert same(in_pieces(*stiff_pendulum(), stops=(1, 17, 60), **options), whole)


def test_external_states_and_events():
    """A mass on a spring with a stiff damper that has a state of its own; it is thrown back at a wall."""
    equations = da.trace(
        M=lambda: np.eye(1), f=lambda q, v, u: -20.0 * q - u, d=lambda v, u: 1e3 * (5.0 * v - u), n_q=1, n_u=1,
        name="spring with a damper that lags",
    )  # fmt: skip
    wall = da.Event(lambda q: q[0] - 0.02, direction=1, action=lambda v: da.Change(v=-0.9 * v))
    start = [-1.0], [0.0], [0.0]
    runs = [
        da.simulate(equations, (0, 3.0), start, method=method, events=[wall], rtol=tolerance, atol=tolerance)
        for method, tolerance in (("chart_bdf", 1e-8), ("radau9", 1e-11))
    ]
    found, exact = runs
    assert found.success and len(found.events) == len(exact.events) > 0
    assert [e.t for e in found.events] == pytest.approx([e.t for e in exact.events], abs=1e-5)
    assert found.q[:, -1] == pytest.approx(exact.q[:, -1], abs=1e-5)
    assert found.u[:, -1] == pytest.approx(exact.u[:, -1], abs=1e-4)


@pytest.mark.parametrize("rtol", [1e-6, 5e-7])
def test_euler_parameters_are_predicted_as_rotations(rtol):
    """A heavy top that spins fast: coordinates of a chart see predictions that are no unit quaternions."""
    m = da.Model("heavy top", gravity=(0, 0, -9.81))
    top = m.body("top", mass=15.0, inertia=(0.234375, 0.46875, 0.234375), com=(0, 1, 0))
    m.spherical("tip", m.ground.at(0, 0, 0), top.at(0, 0, 0))
    equations = m.equations(coordinates="relative")
    start = equations.assemble({"tip.wy": 150, "tip.wz": -4.61538})
    fine = da.simulate(equations, (0, 0.2), start, method="dop853", rtol=1e-10, atol=1e-11)
    run = da.simulate(equations, (0, 0.2), start, method="chart_bdf", rtol=rtol, atol=1e-8, max_steps=2000)
    assert run.success and run.statistics.rejected < 0.05 * run.statistics.steps
    assert np.abs(run.q[:, -1] - fine.q[:, -1]).max() < 20.0 * rtol


def test_impossible_options_are_named():
    for options, what in (
        ({"keep": 0.0}, "keep must be a number above 0"),
        ({"grow": 1.0}, "grow must be a number above 1"),
        ({"max_order": 6}, "max_order must be a whole number from 1 to 5"),
        ({"jacobian": "estimated"}, "jacobian='estimated'"),
    ):
        with pytest.raises(SimulationError, match=what):
            da.ChartBdf(**options)


def test_dense_output_of_a_first_step_that_an_event_cuts():
    """A ball that bounces: its first step after an impact may lead across the next one."""
    g, rate = 5.0, 0.75
    equations = da.trace(M=lambda: np.eye(1), f=lambda v: np.array([-g]), n_q=1, name="ball")
    bounce = da.Event(lambda q: q[0], direction=-1, action=lambda v: da.Change(v=[-rate * v[0]]))
    run = da.simulate(equations, (0, 2.0), ([0.1], [0.7]), method="chart_bdf", rtol=1e-6, atol=1e-9, events=[bounce])
    impacts = [event.t for event in run.events]
    assert len(impacts) > 4
    speed = rate * np.sqrt(0.7**2 + 2 * g * 0.1)
    for begin, end in itertools.pairwise(impacts[:5]):
        t = np.linspace(begin, end, 9)[1:-1]
        expected = speed * (t - begin) - 0.5 * g * (t - begin) ** 2
        assert np.abs(run.sol(t).q[0] - expected).max() < 1e-5 * expected.max()
        speed *= rate
