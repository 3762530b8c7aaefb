"""Actions of events: impacts, modes, parameters, and the end of runs that do not get on."""

import numpy as np
import pytest
from integrate.runs import EACH_FAMILY

import dalembert as da

GRAVITY = 9.81


def falling(n=1, name="balls"):
    """n balls that fall freely; q are heights."""
    return da.trace(
        M=lambda p: np.eye(n), f=lambda p: np.array([-p.g] * n), n_q=n, parameters={"g": GRAVITY, "e": 0.8}, name=name
    )


def bounce(ball=0, restitution=0.8):
    def reverse(v):
        after = v.copy()
        after[ball] = -restitution * after[ball]
        return da.Change(v=after)

    return da.Event(lambda q: q[ball], direction=-1, action=reverse, name=f"ball {ball} hits the ground")


def bounce_times(height, restitution, count):
    first = np.sqrt(2 * height / GRAVITY)
    flights = 2 * first * restitution ** np.arange(1, count)
    return first + np.concatenate([[0.0], np.cumsum(flights)])


@pytest.fixture(scope="module")
def ball():
    return falling(1, "ball")


@pytest.mark.parametrize("method", EACH_FAMILY)
def test_bouncing_ball(ball, method):
    run = da.simulate(
        ball, (0, 3), ([1.0], [0.0]), method=method, events=[bounce()], max_steps=5000, rtol=1e-9, atol=1e-11
    )
    assert run.outcome == "finished"
    exact = bounce_times(1.0, 0.8, 20)
    exact = exact[exact < 3]
    assert exact.size > 5 and run.t_events[0] == pytest.approx(exact, abs=1e-9)
    # The motion has both sides of each impact: the same instant twice.
    twice = run.t[1:][np.diff(run.t) == 0]
    assert twice == pytest.approx(run.t_events[0], abs=0)
    for k in np.flatnonzero(np.diff(run.t) == 0):
        assert run.v[0, k + 1] == pytest.approx(-0.8 * run.v[0, k]) and run.q[0, k + 1] == run.q[0, k]
    assert run.q.min() > -1e-9
    # Between the impacts the dense output is a parabola.
    t = np.linspace(exact[0], exact[1], 9)[1:-1]
    assert run.sol(t).q[0] == pytest.approx(0.5 * GRAVITY * (t - exact[0]) * (exact[1] - t), abs=1e-9)
    assert run.sol(t).a[0] == pytest.approx(-GRAVITY)


def test_impact_asked_for_both_directions_acts_once(ball):
    """A root found beyond zero does not become a second event when the ball rises again."""
    reverse = da.Event(lambda q: q[0], action=lambda v: da.Change(v=-0.8 * v))
    run = da.simulate(ball, (0, 2), ([1.0], [0.0]), events=[reverse], max_steps=5000)
    exact = bounce_times(1.0, 0.8, 20)
    assert run.t_events[0] == pytest.approx(exact[exact < 2], abs=1e-6)


@pytest.mark.parametrize("restitution", [0.3, 0.5, 0.9])
def test_bounces_without_end_are_recognised(ball, restitution):
    """Infinitely many impacts in finite time: the run ends there, and never goes below the ground."""
    run = da.simulate(ball, (0, 20), ([1.0], [0.0]), events=[bounce(0, restitution)], max_steps=20000)
    assert run.outcome == "chattering" and not run.success and run.status < 0
    assert "'ball 0 hits the ground'" in run.message and "constraints" in run.message
    end = np.sqrt(2 / GRAVITY) * (1 + restitution) / (1 - restitution)
    assert run.t[-1] == pytest.approx(end, abs=1e-4)
    assert run.q.min() > -1e-6 and np.abs(run.v[0, -1]) < 1e-3
    count = 15
    assert run.t_events[0][:count] == pytest.approx(bounce_times(1.0, restitution, count), abs=1e-5)
    assert run.sol is not None and run.sol(0.1).q[0] == pytest.approx(1 - 0.5 * GRAVITY * 0.01)


def test_action_that_ends_the_bouncing(ball):
    """The way out that the message names: below a speed the run ends, or the ball rests on a constraint."""

    def impact(v):
        return da.Change(terminate=True) if abs(v[0]) < 0.1 else da.Change(v=-0.5 * v)

    run = da.simulate(
        ball, (0, 20), ([1.0], [0.0]), events=[da.Event(lambda q: q[0], direction=-1, action=impact)], max_steps=5000
    )
    assert run.outcome == "event" and run.success and run.status == 1
    speeds = np.sqrt(2 * GRAVITY) * 0.5 ** np.arange(20)
    count = int(np.argmax(speeds < 0.1)) + 1
    assert run.t_events[0] == pytest.approx(bounce_times(1.0, 0.5, count), abs=1e-6)


def test_impacts_at_the_same_instant():
    """Two balls that fall from the same height: both come back."""
    two = falling(2, "two balls")
    run = da.simulate(two, (0, 1.2), ([1.0, 1.0], [0.0, 0.0]), events=[bounce(0), bounce(1)], max_steps=5000)
    exact = bounce_times(1.0, 0.8, 10)
    exact = exact[exact < 1.2]
    for times in run.t_events:
        assert times == pytest.approx(exact, abs=1e-6)
    assert run.q.min() > -1e-6 and run.q[0] == pytest.approx(run.q[1], abs=1e-6)


def test_impacts_shortly_after_each_other():
    two = falling(2, "two balls")
    run = da.simulate(two, (0, 2), ([1.0, 1.0 + 1e-12], [0.0, 0.0]), events=[bounce(0), bounce(1)], max_steps=5000)
    assert [times.size for times in run.t_events] == [sum(bounce_times(1.0, 0.8, 20) < 2)] * 2
    assert run.q.min() > -1e-6


def test_event_without_action_beside_an_impact_is_kept(ball):
    """A level that is crossed at the instant of the impact belongs to it."""
    level = da.Event(lambda q: q[0] - 0.5, name="half height")
    run = da.simulate(ball, (0, 1.2), ([1.0], [0.0]), events=[bounce(), level], max_steps=5000)
    assert run.t_events[1].size == 3  # down, up, down
    speed = da.Event(lambda v: v[0], name="turns")
    run = da.simulate(ball, (0, 1.2), ([1.0], [0.0]), events=[bounce(), speed], max_steps=5000)
    first, second = bounce_times(1.0, 0.8, 2)
    assert [t for t in run.t_events[1] if first + 1e-6 < t < second] == pytest.approx([(first + second) / 2], abs=1e-6)


# ------------------------------------------------------------------------------------------------------------- modes


def string_pendulum(name="string"):
    return da.trace(
        M=lambda p: np.eye(2),
        f=lambda p: np.array([0.0, -p.g]),
        g=lambda q, p: np.array([0.5 * (q @ q - p.L**2)]),
        n_q=2,
        parameters={"g": GRAVITY, "L": 1.0},
        names={"q": ["x", "y"], "lam": ["string"]},
        name=name,
    )


def test_released_mass_flies_a_parabola():
    eqs = string_pendulum()
    release = da.Event(lambda t: t - 0.3, action=lambda: da.Change(constraints=[]), name="release")
    run = da.simulate(eqs, (0, 1), ([1.0, 0.0], [0.0, 0.0]), events=[release], rtol=1e-10, atol=1e-12, max_steps=5000)
    assert run.outcome == "finished" and run.t_events[0] == pytest.approx([0.3], abs=1e-12)
    k = int(np.flatnonzero(np.diff(run.t) == 0)[0])
    q, v = run.q[:, k], run.v[:, k]
    assert q @ q == pytest.approx(1.0, abs=1e-12) and run.lam[0, k] > 0 and np.all(run.lam[0, k + 1 :] == 0)
    later = 1.0 - run.t[k]
    assert run.q[:, -1] == pytest.approx(q + v * later - [0, 0.5 * GRAVITY * later**2], abs=1e-12)
    at = run.sol([0.2, 0.7])  # each instant is completed by the constraints that held there
    assert np.hypot(*at.q[:, 0]) == pytest.approx(1.0, abs=1e-12) and at.lam[0, 0] > 0
    assert at.lam[0, 1] == 0 and at.a[:, 1] == pytest.approx([0, -GRAVITY])
    assert np.hypot(*at.q[:, 1]) > 1.05


def test_string_becomes_slack_and_taut():
    """Shot upwards, too slow for a full turn: the string slackens where its tension vanishes, then catches the mass."""
    eqs = string_pendulum()
    speed = np.sqrt(3.5 * GRAVITY)  # slack at height y = (v² − 2 g)/(3 g) = 0.5
    slack = da.Event(lambda lam: lam[0], direction=-1, action=lambda: da.Change(constraints=[]), name="slack")
    taut = da.Event(
        lambda q, p: q @ q - p.L**2, direction=1, action=lambda: da.Change(constraints=["string"]), name="taut",
        threshold=1e-9,
    )  # fmt: skip
    run = da.simulate(
        eqs, (0, 1.6), ([0.0, -1.0], [speed, 0.0]), events=[slack, taut], rtol=1e-10, atol=1e-12, max_steps=5000
    )
    assert run.outcome == "finished", run.message
    assert [record.name for record in run.events[:2]] == ["slack", "taut"]
    first, second = run.events[:2]
    assert first.q[1] == pytest.approx(0.5, abs=1e-8) and abs(first.lam[0]) < 1e-6
    # The parabola from the point of slackness meets the circle again at three times the angle below the horizontal.
    flight = 4 * np.linalg.norm(first.v) * np.cos(np.arcsin(0.5)) / GRAVITY
    assert second.t - first.t == pytest.approx(flight, abs=1e-7)
    # The string takes the radial part of the velocity: a perfectly inelastic impact.
    k = int(np.flatnonzero(run.t == second.t)[-1])
    radial = second.q / np.linalg.norm(second.q)
    assert run.v[:, k] == pytest.approx(second.v - radial * (radial @ second.v), abs=1e-9)
    assert np.hypot(*run.q[:, k:]) == pytest.approx(1.0, abs=1e-9)
    assert second.lam[0] == 0 and run.lam[0, k] > 0


def test_actions_know_all_multipliers():
    """Functions are written for the full system; inactive constraints have multipliers of zero."""
    eqs = string_pendulum()
    seen = []

    def release(lam):
        seen.append(lam.copy())
        return da.Change(constraints=[])

    def look(lam):
        seen.append(lam.copy())
        return da.Change(terminate=True)

    events = [da.Event(lambda t: t - 0.2, action=release), da.Event(lambda t: t - 0.4, action=look)]
    run = da.simulate(eqs, (0, 1), ([1.0, 0.0], [0.0, 0.0]), events=events)
    assert run.outcome == "event" and [lam.shape for lam in seen] == [(1,), (1,)]
    assert seen[0][0] > 0 and seen[1][0] == 0


def test_constraint_that_does_not_exist_is_named():
    eqs = string_pendulum()
    event = da.Event(lambda t: t - 0.2, action=lambda: da.Change(constraints=["sting"]))
    run = da.simulate(eqs, (0, 1), ([1.0, 0.0], [0.0, 0.0]), events=[event])
    assert run.outcome == "function failed" and "'sting'" in run.message and "'string'" in run.message


# ------------------------------------------------------------------------------------------ parameters and coordinates


@pytest.mark.parametrize("method", EACH_FAMILY)
def test_change_of_a_parameter(method):
    """At a turn of the oscillator its spring becomes four times as stiff."""
    eqs = da.trace(
        M=lambda p: np.array([[1.0]]),
        f=lambda q, p: np.array([-p.k * q[0]]),
        n_q=1,
        parameters={"k": 1.0},
        name="spring",
    )
    stiffer = da.Event(lambda v: v[0], direction=1, action=lambda p: da.Change(parameters={"k": 4 * p.k}))
    run = da.simulate(
        eqs, (0, 4.5), ([1.0], [0.0]), method=method, events=[stiffer], rtol=1e-9, atol=1e-11, max_steps=5000
    )
    assert run.t_events[0] == pytest.approx([np.pi], abs=1e-8) and run.parameters["k"] == 4.0
    assert run.q[0, -1] == pytest.approx(-np.cos(2 * (4.5 - np.pi)), abs=1e-7)
    at = run.sol([3.0, 3.5])
    assert at.a[0] == pytest.approx([-np.cos(3.0), 4 * np.cos(2 * (3.5 - np.pi))], abs=1e-6)
    assert eqs.parameters["k"] == 1.0


def test_change_of_coordinates_is_projected():
    """A jump off the constraints ends on them."""
    eqs = string_pendulum()
    push = da.Event(lambda t: t - 0.1, action=lambda q, v: da.Change(q=1.1 * q, v=v + q))
    run = da.simulate(eqs, (0, 0.5), ([1.0, 0.0], [0.0, 0.0]), events=[push], rtol=1e-8, atol=1e-10)
    k = int(np.flatnonzero(np.diff(run.t) == 0)[0])
    assert np.hypot(*run.q) == pytest.approx(1.0, abs=1e-10)
    assert run.q[:, k + 1] == pytest.approx(run.q[:, k], abs=1e-12)  # radial push: no change along the circle
    assert run.v[:, k + 1] == pytest.approx(run.v[:, k], abs=1e-9)


def test_action_that_changes_nothing(ball):
    seen = []
    run = da.simulate(
        ball, (0, 0.4), ([1.0], [0.0]), events=[da.Event(lambda q: q[0] - 0.5, action=lambda t: seen.append(t))]
    )
    assert run.success and len(seen) == 1 and run.t_events[0] == pytest.approx(seen)
    assert run.q[0, -1] == pytest.approx(1 - 0.5 * GRAVITY * 0.16)
