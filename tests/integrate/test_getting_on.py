"""Runs that do not get on end with a word: laws whose jump holds the motion, steps that cover nothing."""

import math

import numpy as np
import pytest

import dalembert as da


def pendulum(law):
    m = da.Model("pendulum", plane="xy", gravity=(0, -9.81))
    body = m.body("body", mass=1.0, inertia=0.1, com=(0.5, 0))
    hinge = m.revolute("hinge", m.ground.at(0, 0), body.at(0, 0))
    m.torque("dry", hinge, law)
    equations = m.equations()
    return equations, equations.assemble({hinge.angle: 0.1, hinge.rate: 1.0})


@pytest.mark.parametrize("method", ["auto", "dopri5", "radau", "bdf", "hem5"])
def test_dry_friction_by_a_sign_is_named(method):
    equations, start = pendulum(lambda rate: -8.0 * np.sign(rate))
    run = da.simulate(equations, (0, 2), start, method=method)
    assert run.outcome == "chattering" and run.status == -4 and not run.success
    assert "torque 'dry'" in run.message and "hinge.rate passes 0" in run.message and "tanh" in run.message
    # Up to rest: α = −(8 + m g r cos φ)/I with I = 0.1 + 0.25, about 37 rad/s².
    assert run.t[-1] == pytest.approx(1.0 * 0.35 / (8 + 9.81 * 0.5), rel=0.02) and abs(run.v[0, -1]) < 1e-3
    assert run.statistics.steps < 20_000 and run.sol(0.01).v[0] == pytest.approx(1 - 0.01 * 36.7, abs=0.02)


def test_a_relay_is_named_by_what_it_compares():
    equations, start = pendulum(lambda angle, rate: np.where(angle + 0.1 * rate > 0.0, -8.0, 8.0))
    run = da.simulate(equations, (0, 2), start)
    assert run.outcome == "chattering" and "torque 'dry'" in run.message
    assert "hinge.angle + 0.1*hinge.rate passes 0" in run.message and "hysteresis" in run.message
    q, v = run.q[0, -1], run.v[0, -1]
    assert abs(q + 0.1 * v) < 1e-4


def test_a_run_that_was_ended_goes_on_if_asked():
    equations, start = pendulum(lambda rate: -8.0 * np.sign(rate))
    run = da.simulate(equations, (0, 2), start)
    more = da.resume(run, equations, max_steps=500)
    whole = da.simulate(equations, (0, 2), start, max_steps=run.statistics.steps + 500)
    assert more.outcome == "step limit" and more.t[-1] > run.t[-1]
    assert whole.outcome == "chattering" and np.array_equal(more.q[:, : run.t.size], run.q)


@pytest.mark.parametrize("direction", [1.0, -1.0])
def test_laws_that_the_motion_passes_through_are_left_alone(direction):
    """A fast swing besides makes very many steps while x passes the jump, which does not hold it."""
    both = da.trace(
        M=lambda: np.eye(2), f=lambda q, v: np.array([np.sign(q[0]), -1e10 * q[1]]), n_q=2, name="passing",
    )  # fmt: skip
    run = da.simulate(both, (0, 10), ([-1e-5 * direction, 1e-3], [1e-2 * direction, 0.0]), max_steps=8000)
    assert run.outcome == "step limit" and run.q[0, -1] * direction > 0.0


def test_a_smooth_law_goes_on_to_the_end():
    equations, start = pendulum(lambda rate: -8.0 * np.tanh(rate / 1e-3))
    assert da.simulate(equations, (0, 2), start).success


def test_steps_that_cover_nothing_of_the_span_end_the_run():
    """Periods of 6e-5 s in a span of thirty years."""
    ringing = da.trace(M=lambda: np.eye(1), f=lambda q: -1e10 * q, n_q=1, name="ringing")
    run = da.simulate(ringing, (0, 1e9), ([1e-3], [0.0]), method="dop853", dense_output=False)
    assert run.outcome == "no progress" and run.status == -7 and "does not get on at t = 0." in run.message
    assert "steps of" in run.message and 10_000 <= run.statistics.steps < 20_000
    assert 0.03 < run.t[-1] < 0.3 and np.abs(run.q).max() < 1.1e-3


def test_steps_that_have_become_next_to_nothing_end_the_run():
    """A spring that is there from t = 1 on, with periods of 6e-9 s."""
    late = da.trace(
        M=lambda: np.eye(1), f=lambda t, q: -np.where(t > 1.0, 1e18, 1.0) * q, n_q=1, name="late",
    )  # fmt: skip
    run = da.simulate(late, (0, 10), ([1.0], [0.0]), method="dop853", dense_output=False)
    assert run.outcome == "no progress" and run.t[-1] == pytest.approx(1.0, abs=1e-3)
    assert 10_000 <= run.statistics.steps < 40_000
    more = da.resume(run, late, max_steps=1000)
    assert more.outcome == "step limit" and more.t[-1] > run.t[-1]


def test_steps_that_creep_beyond_a_singularity_end_the_run():
    """√q has no derivative at the instant at which q touches zero, and no value where an attempt passes it."""
    equations = da.trace(
        M=lambda: np.eye(1), f=lambda q: -q, T=lambda q: np.array([[np.sqrt(q[0])]]), n_q=1, name="root"
    )
    run = da.simulate(equations, (0, 3), ([1.0], [-0.586]), method="radau13", rtol=1e-7, max_steps=50_000)
    assert run.outcome not in ("finished", "step limit") and run.t[-1] == pytest.approx(1.81, abs=0.01)


def test_short_steps_at_the_start_of_a_long_span_are_none_of_these():
    """A transient of 1e-4 s in a span of 1e5 s."""
    stiff = da.trace(M=lambda: np.eye(1), f=lambda q, v: -1e4 * v - q, n_q=1, name="stiff")
    run = da.simulate(stiff, (0, 1e5), ([1.0], [100.0]), method="radau")
    assert run.success and run.q[0, -1] == pytest.approx(1.01 * math.exp(-10.0), rel=1e-2)


def test_steps_as_short_as_was_asked_for_are_none_of_these():
    slow = da.trace(M=lambda: np.eye(1), f=lambda q: -q, n_q=1, name="slow")
    run = da.simulate(slow, (0, 1e9), ([1.0], [0.0]), max_step=1e-6, max_steps=25_000, dense_output=False)
    assert run.outcome == "step limit"


def test_stopped_runs_say_what_their_steps_follow():
    m = da.Model("stiff spring", plane="xy")
    body = m.body("body", mass=1.0, inertia=0.0)
    guide = m.prismatic("guide", m.ground.at(0, 0), body.at(0, 0))
    m.joint_spring("spring", guide, stiffness=1e10)
    equations = m.equations()
    start = equations.assemble({guide.displacement: 1e-3})
    run = da.simulate(equations, (0, 60), start, max_steps=25_000, dense_output=False)
    assert run.outcome == "step limit" and "follow the fastest motion" in run.message and "guide.rate" in run.message
    part = da.simulate(equations, (0, 60), start, max_steps=24_000, dense_output=False)
    assert np.array_equal(da.resume(part, equations, max_steps=1000).q, run.q)
