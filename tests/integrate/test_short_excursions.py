"""Roots that come in pairs between check points, and events that leave the root at which they have acted."""

import numpy as np
import pytest

import dalembert as da
from dalembert.errors import SimulationError

METHODS = ["auto", "dopri5", "radau", "radau9", "bdf", "adams", "mexx"]


@pytest.fixture(scope="module")
def oscillator():
    """q = cos t from (1, 0)."""
    return da.trace(M=lambda: np.eye(1), f=lambda q: -q, n_q=1, names={"q": ["x"]}, name="oscillator")


START = [1.0], [0.0]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("part", [0.99, 0.999, 0.9999])
def test_tips_of_an_oscillation_are_seen(oscillator, method, part):
    """Beyond the level for 0.28, 0.09 or 0.03 of a period of 6.28, in steps of about 1: the roots are known."""
    options = {"method": method, "rtol": 1e-8, "atol": 1e-9}
    run = da.simulate(oscillator, (0, 30), START, events=[lambda q: q[0] - part, lambda q: q[0] + part], **options)
    half = np.arccos(part)
    turns = 2 * np.pi * np.arange(6)
    above = np.sort(np.concatenate([turns - half, turns + half]))
    below = np.sort(np.concatenate([turns + np.pi - half, turns + np.pi + half]))
    assert run.t_events[0] == pytest.approx(above[(above > 0) & (above < 30)], abs=1e-4)
    assert run.t_events[1] == pytest.approx(below[below < 30], abs=1e-4)
    assert [record.t for record in run.events] == sorted(record.t for record in run.events)


@pytest.mark.parametrize("direction", [-1, 0, 1])
def test_directions_of_roots_that_come_in_pairs(oscillator, direction):
    event = da.Event(lambda q: q[0] + 0.999, direction=direction)
    run = da.simulate(oscillator, (0, 12), START, events=[event], rtol=1e-9, atol=1e-10)
    half, turns = np.arccos(0.999), np.pi + 2 * np.pi * np.arange(2)
    expected = {-1: turns - half, 1: turns + half, 0: np.sort(np.concatenate([turns - half, turns + half]))}
    assert run.t_events[0] == pytest.approx(expected[direction], abs=1e-6)


def test_tips_that_stay_below_the_level_are_none(oscillator):
    run = da.simulate(oscillator, (0, 60), START, events=[lambda q: q[0] - 1.00001], rtol=1e-9, atol=1e-10)
    assert not run.events
    # What goes straight costs its four check points in a step, and the start.
    far = da.simulate(oscillator, (0, 60), START, events=[lambda q: q[0] - 3.0])
    assert far.statistics.event_evaluations == 4 * far.statistics.steps + 1


def test_terminal_events_end_the_run_at_the_first_tip(oscillator):
    run = da.simulate(oscillator, (0, 60), START, events=[da.Event(lambda q: q[0] + 0.9999, terminal=True)])
    assert run.outcome == "event" and run.t[-1] == pytest.approx(np.pi - np.arccos(0.9999), abs=1e-3)


def test_resumed_runs_find_the_same_tips(oscillator):
    events = [da.Event(lambda q: q[0] - 0.9995), da.Event(lambda t, q: q[0] + 0.9 + 0.09 * np.sin(30 * t))]
    whole = da.simulate(oscillator, (0, 40), START, events=events)
    parts = da.simulate(oscillator, (0, 40), START, events=events, max_steps=7)
    while parts.outcome == "step limit":
        parts = da.resume(parts, oscillator, events=events, max_steps=7)
    assert len(whole.events) > 20 and [r.t for r in parts.events] == [r.t for r in whole.events]
    assert [r.index for r in parts.events] == [r.index for r in whole.events] and np.array_equal(parts.q, whole.q)


@pytest.mark.parametrize("frequency", [3.0, 5.0, 10.0])
def test_functions_that_are_faster_than_the_motion(frequency):
    """A body that flies evenly is computed in very long steps; what it is compared with swings meanwhile."""
    flight = da.trace(M=lambda: np.eye(1), f=lambda: np.zeros(1), n_q=1, name="flight")
    event = da.Event(lambda t, q: q[0] - np.sin(frequency * t), direction=-1, terminal=True)
    run = da.simulate(flight, (0, 20), ([1.5], [-0.1]), events=[event])
    t = np.linspace(0, 20, 200_001)
    first = t[np.argmax(1.5 - 0.1 * t - np.sin(frequency * t) < 0)]
    assert run.outcome == "event" and run.t[-1] == pytest.approx(first, abs=3e-4)


# ------------------------------------------------------------------------------------------------------------- limits


@pytest.mark.parametrize("method", ["auto", "radau9", "dopri5"])
def test_a_stop_just_below_the_amplitude_is_hit_every_time(method):
    m = da.Model("oscillator", plane="xy")
    body = m.body("body", mass=1.0, inertia=0.0)
    guide = m.prismatic("guide", m.ground.at(0, 0), body.at(0, 0))
    m.joint_spring("spring", guide, stiffness=1.0)
    m.limit("stop", guide, upper=0.9999, restitution=1.0)
    equations = m.equations()
    run = da.simulate(equations, (0, 60), equations.assemble({guide.displacement: -1.0}), method=method, rtol=1e-8)
    flight = np.pi - np.arccos(0.9999)
    expected = flight * np.arange(1, 60 / flight, 2)
    assert run.success and run.t_events[0] == pytest.approx(expected, abs=3e-2)
    assert run.sol(np.linspace(0, 60, 6001)).q[0].max() < 0.9999 + 1e-6


@pytest.mark.parametrize("method", ["auto", "radau"])
@pytest.mark.parametrize("frequency", [7.0, 20.0, 33.0])
def test_a_ball_stays_above_a_floor_that_swings(method, frequency):
    m = da.Model("ball", plane="xy", gravity=(0, -9.81))
    ball = m.body("ball", mass=1.0, inertia=0.0)
    guide = m.prismatic("guide", m.ground.at(0, 0), ball.at(0, 0), axis=(0, 1), start=0.1)
    m.limit("floor", guide, lower=lambda t: 0.05 * np.sin(frequency * t), restitution=0.3)
    equations = m.equations()
    run = da.simulate(equations, (0, 3), equations.assemble(), method=method, rtol=1e-8)
    t = np.linspace(0, 3, 6001)
    assert run.success and (run.sol(t).q[0] - 0.05 * np.sin(frequency * t)).min() > -1e-8
    fine = da.simulate(equations, (0, 3), equations.assemble(), method=method, rtol=1e-8, max_step=1e-3)
    assert len(run.events) == len(fine.events)


# ------------------------------------------------------------------------------- events that leave the root they act at


@pytest.mark.parametrize("method", METHODS)
def test_bounces_without_a_direction_end_as_chattering(method):
    m = da.Model("pendulum", plane="xy", gravity=(0, -9.81))
    body = m.body("body", mass=1.0, inertia=0.1, com=(0.5, 0))
    hinge = m.revolute("hinge", m.ground.at(0, 0), body.at(0, 0))
    equations = m.equations()
    stop = {"action": lambda v: da.Change(v=-0.5 * v), "name": "stop"}
    runs = [
        da.simulate(
            equations, (0, 5), equations.assemble({hinge.angle: -1.0}), method=method,
            events=[da.Event(hinge.angle + 1.2, direction=direction, **stop)],
        )
        for direction in (0, -1)
    ]  # fmt: skip
    for run in runs:
        assert run.outcome == "chattering" and "'stop' acted" in run.message
        assert run["hinge.angle"].min() > -1.2 - 1e-5
    both, falling = (run.t_events[0] for run in runs)
    assert both[:6] == pytest.approx(falling[:6], abs=1e-5) and both[-1] == pytest.approx(falling[-1], abs=1e-4)
    assert all(record.v[0] < 0 for record in runs[0].events[:6])


@pytest.mark.parametrize("factor", [0.5, 1.0, -1.0])
def test_actions_let_a_motion_through_or_turn_it(oscillator, factor):
    """Without a direction: what goes on through zero acts again only where it comes back."""
    wall = da.Event(lambda q: q[0], action=lambda v: da.Change(v=factor * v))
    run = da.simulate(oscillator, (0, 9.0), START, events=[wall], rtol=1e-9, atol=1e-10)
    assert run.outcome == "finished"
    # A half swing takes π whatever its size; turned round, it begins with the velocity that it has lost.
    assert run.t_events[0] == pytest.approx(np.pi / 2 + np.pi * np.arange(3), abs=1e-7)
    later = run.sol(np.pi * np.arange(1, 3)).q[0]
    turned = [-factor, factor**2] if factor > 0 else [1.0, 1.0]
    assert later == pytest.approx(turned, abs=1e-6)


def test_tolerances_of_zero_are_refused(oscillator):
    with pytest.raises(SimulationError, match="rtol and atol must not both be zero"):
        da.simulate(oscillator, (0, 1), START, rtol=0, atol=0)
    with pytest.raises(SimulationError, match="rtol and atol must not both be zero"):
        da.simulate(oscillator, (0, 1), START, rtol=0.0, atol=[1e-6, 0.0])
    assert da.simulate(oscillator, (0, 1), START, rtol=0.0, atol=1e-8).success
