"""Events: where they are found, in which order, what counts as one."""

import math

import numpy as np
import pytest
from integrate.runs import residuals

import dalembert as da
from dalembert.errors import DalembertError, SimulationError

#: Roots of β̈ of the seven-body mechanism, published to 8 decimals.
ROOTS_OF_BETA = [0.01124076, 0.01601704, 0.02146614, 0.02462377, 0.02997828]


def oscillator(name="oscillator", **parameters):
    """q = cos t from (1, 0), v = −sin t."""
    return da.trace(
        M=lambda p: np.array([[p.m]]),
        f=lambda q, p: np.array([-p.k * q[0]]),
        n_q=1,
        parameters={"m": 1.0, "k": 1.0, **parameters},
        names={"q": ["x"]},
        name=name,
    )


@pytest.fixture(scope="module")
def cosine():
    return oscillator()


START = [1.0], [0.0]
TIGHT = {"rtol": 1e-10, "atol": 1e-11, "max_steps": 2000}


@pytest.mark.parametrize("method", ["dop853", "dopri5", "radau", "radau9"])
def test_roots_of_an_acceleration_of_the_seven_body_mechanism(method):
    problem = da.problems.seven_body()
    event = da.Event(lambda a: a[0], name="beta stops accelerating")
    run = da.simulate(
        problem.equations, problem.span, (problem.q0, problem.v0), method=method, events=[event], rtol=1e-9, atol=1e-10,
        max_steps=5000,
    )  # fmt: skip
    assert run.success and len(run.t_events) == 1
    assert run.t_events[0] == pytest.approx(ROOTS_OF_BETA, abs=2e-8)
    for record in run.events:
        assert record.name == event.name and record.index == 0
        assert abs(record.a[0]) < 1e-4 * np.abs(run.a[0]).max()
        g, gv = residuals(problem.equations, run, [record.t], record.q[:, None], record.v[:, None])
        assert g < 1e-12 and gv < 1e-9
        at = run.sol(record.t)
        assert at.q == pytest.approx(record.q, abs=1e-11) and at.lam == pytest.approx(record.lam, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("direction,expected", [(0, [1, 3, 5]), (-1, [1, 5]), (1, [3])])
def test_direction(cosine, direction, expected):
    run = da.simulate(cosine, (0, 9), START, events=[da.Event(lambda q: q[0], direction=direction)], **TIGHT)
    assert run.t_events[0] == pytest.approx(np.array(expected) * np.pi / 2, abs=1e-9)


@pytest.mark.parametrize("method", ["dop853", "dopri5", "radau", "bdf", "mexx", "adams", "sdirk4"])
@pytest.mark.parametrize("direction", [0, 1, -1])
def test_directions_of_events_in_steps_that_another_one_ends(method, direction):
    """A ball that bounces, seen at a height that it crosses in one step with the floor: x = 1 − t² until the floor."""
    ball = da.trace(M=lambda: np.eye(1), f=lambda: np.array([-2.0]), n_q=1, name="ball")
    floor = da.Event(lambda q: q[0], direction=-1, action=lambda v: da.Change(v=-v))
    mark = da.Event(lambda q: q[0] - 0.1, direction=direction)
    sol = da.simulate(ball, (0, 5), ([1.0], [0.0]), method=method, events=[floor, mark], rtol=1e-8, atol=1e-9)
    fall = math.sqrt(0.9)  # from 1 to 0.1 with x = 1 − t², and to the floor after 1 s
    roots = {-1: [fall, 2 + fall, 4 + fall], 1: [2 - fall, 4 - fall]}
    expected = sorted(t for side in ((-1, 1) if direction == 0 else (direction,)) for t in roots[side])
    assert sol.t_events[0] == pytest.approx([1, 3, 5][: len(sol.t_events[0])], abs=1e-6)
    assert sol.t_events[1] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_relay_with_hysteresis_switches_to_and_fro(method):
    relay = da.trace(M=lambda: np.eye(1), f=lambda p: np.array([-p.s]), n_q=1, parameters={"s": 1.0}, name="relay")
    events = [
        da.Event(lambda v: v[0] + 0.1, direction=-1, action=lambda: da.Change(parameters={"s": -1.0})),
        da.Event(lambda v: v[0] - 0.1, direction=1, action=lambda: da.Change(parameters={"s": 1.0})),
    ]
    sol = da.simulate(relay, (0, 2.9), ([0.0], [0.5]), method=method, events=events)
    assert sol.t_events[0] == pytest.approx([0.6, 1.0, 1.4, 1.8, 2.2, 2.6], abs=1e-9)
    assert sol.t_events[1] == pytest.approx([0.8, 1.2, 1.6, 2.0, 2.4, 2.8], abs=1e-9)


def test_direction_backwards_in_time_is_that_of_the_run(cosine):
    """As in SciPy: the direction is that of the sign changes in the order in which the run meets them."""
    run = da.simulate(
        cosine, (9, 0), ([np.cos(9)], [-np.sin(9)]), events=[da.Event(lambda q: q[0], direction=1)], **TIGHT
    )
    assert run.t_events[0] == pytest.approx([5 * np.pi / 2, np.pi / 2], abs=1e-9)


def test_functions_with_attributes_as_for_scipy(cosine):
    def crossing(q):
        return q[0]

    def low(q):
        return q[0] + 0.5

    crossing.direction, low.terminal, low.direction = 2.5, True, 1
    run = da.simulate(cosine, (0, 9), START, events=[crossing, low], **TIGHT)
    assert run.status == 1 and run.outcome == "event" and run.success and "'low'" in run.message
    assert run.t[-1] == pytest.approx(4 * np.pi / 3, abs=1e-9) and run.t_events[1].tolist() == [run.t[-1]]
    assert run.t_events[0].size == 0 and [record.name for record in run.events] == ["low"]
    assert run.sol.interval[1] == run.t[-1] and run.q[0, -1] == pytest.approx(-0.5, abs=1e-9)
    assert run.q[0, -1] >= -0.5  # the end lies beyond the root


def test_terminal_event_ends_output_instants(cosine):
    event = da.Event(lambda v: v[0] + 0.5, terminal=True)
    run = da.simulate(cosine, (0, 2), START, events=[event], t_eval=np.linspace(0, 2, 21), **TIGHT)
    assert run.t == pytest.approx(np.arange(0, 0.55, 0.1)) and run.t_events[0] == pytest.approx([np.pi / 6], abs=1e-9)


def test_several_events_in_one_step_come_in_order(cosine):
    levels = [0.2, 0.9, 0.5, 0.7, -0.1]
    events = [da.Event(lambda q, level=level: q[0] - level, name=f"at {level}") for level in levels]
    run = da.simulate(cosine, (0, 2), START, events=events, first_step=2.0, rtol=1e-3, atol=1e-3)
    assert run.statistics.steps <= 2
    times = [record.t for record in run.events]
    assert times == sorted(times)
    assert [record.name for record in run.events] == ["at 0.9", "at 0.7", "at 0.5", "at 0.2", "at -0.1"]
    assert times == pytest.approx(np.arccos([0.9, 0.7, 0.5, 0.2, -0.1]), abs=2e-3)
    first = da.Event(lambda q: q[0] - 0.6, terminal=True, name="stop")
    run = da.simulate(cosine, (0, 2), START, events=[*events, first], first_step=2.0, rtol=1e-3, atol=1e-3)
    assert [record.name for record in run.events] == ["at 0.9", "at 0.7", "stop"] and run.t[-1] == run.events[-1].t


def test_check_points_find_an_even_number_of_roots_in_a_step(cosine):
    """Between two roots 0.2 apart a coarse look at the step of 3 sees nothing."""
    event = da.Event(lambda q: q[0] + np.cos(0.1))
    options = {"events": [event], "first_step": 4.0, "rtol": 0.5, "atol": 0.5}
    assert da.simulate(cosine, (0, 4), START, event_checks=1, **options).t_events[0].size == 0
    run = da.simulate(cosine, (0, 4), START, event_checks=64, **options)
    assert run.statistics.steps <= 2 and run.t_events[0].size == 2


@pytest.mark.parametrize("count", [90, 300])
def test_many_events_of_one_step_are_all_kept(cosine, count):
    """More than a buffer for one step may hold."""
    levels = np.linspace(-0.9, 0.9, count)
    events = [da.Event(lambda q, level=level: q[0] - level) for level in levels]
    options = {"first_step": 3.1, "rtol": 0.5, "atol": 0.5, "max_steps": 5000}
    run = da.simulate(cosine, (0, 3.1), START, events=events, **options)
    assert run.success and run.statistics.steps <= 3
    assert [t.size for t in run.t_events] == [1] * count
    assert np.all(np.diff([record.t for record in run.events]) > 0)
    assert [record.index for record in run.events] == list(range(count - 1, -1, -1))


def test_function_that_rests_at_zero_is_no_event():
    """A force that begins at t = 1 moves a mass at rest; before, x is exactly zero."""
    resting = da.trace(
        M=lambda p: np.array([[1.0]]),
        f=lambda t: np.array([np.maximum(t - 1.0, 0.0)]),
        n_q=1,
        breaks=[1.0],
        name="late",
    )
    at_rest = [0.0], [0.0]
    run = da.simulate(resting, (0, 2), at_rest, events=[da.Event(lambda q: q[0])], max_step=0.1)
    assert run.t_events[0].size == 0
    noisy = da.Event(lambda t, q: q[0] + 1e-9 * np.sin(1000 * t), threshold=1e-8)
    assert da.simulate(resting, (0, 2), at_rest, events=[noisy], max_step=0.01).t_events[0].size == 0
    crossing = da.Event(lambda t, q: q[0] - 0.1 + 1e-9 * np.sin(1000 * t), threshold=1e-8)
    run = da.simulate(resting, (0, 2), at_rest, events=[crossing], max_step=0.01)
    assert run.t_events[0] == pytest.approx([1 + 0.6 ** (1 / 3)], abs=1e-6)


def test_event_at_the_start_counts_only_if_it_leaves_and_returns(cosine):
    run = da.simulate(cosine, (0, 7), START, events=[da.Event(lambda v: v[0])], **TIGHT)
    assert run.t_events[0] == pytest.approx([np.pi, 2 * np.pi], abs=1e-8)


def test_events_of_all_arguments(cosine):
    events = [
        da.Event(lambda t: t - 0.5),
        da.Event(lambda t, q, v, a, lam, u, p: q[0] - p.k * 0.5 + 0 * (t + v[0] + a[0])),
        da.Event(lambda a: a[0] + 0.5),
    ]
    run = da.simulate(cosine, (0, 2), START, events=events, parameters={"k": 1.0}, **TIGHT)
    expected = [0.5, np.pi / 3, np.pi / 3]
    assert [t.tolist() for t in run.t_events] == [[pytest.approx(t, abs=1e-9)] for t in expected]


# ----------------------------------------------------------------------------------------------- functions in Python


def test_function_that_cannot_be_traced_is_called_back(cosine):
    calls = []

    def branches(t, q, p):
        position = float(q[0])  # no atom survives this
        calls.append((type(t), type(p.k)))
        return position if position > -0.5 else -math.sqrt(abs(position))

    run = da.simulate(cosine, (0, 9), START, events=[branches, da.Event(lambda v: v[0] - 0.5)], **TIGHT)
    assert run.t_events[0] == pytest.approx(np.array([1, 3, 5]) * np.pi / 2, abs=1e-9)
    assert run.t_events[1] == pytest.approx([np.pi + np.pi / 6, np.pi + 5 * np.pi / 6], abs=1e-9)
    assert set(calls) == {(float, float)}
    assert len(calls) >= run.statistics.event_evaluations > run.statistics.steps


def test_exception_in_a_function_ends_the_run_with_what_there_is(cosine):
    def fails(t, q):
        if t > 5.0:
            raise LookupError("no data beyond 5")
        return float(q[0])

    run = da.simulate(cosine, (0, 9), START, events=[fails], **TIGHT)
    assert run.outcome == "function failed" and run.status < 0 and not run.success
    assert "LookupError" in run.message and "no data beyond 5" in run.message
    assert 3 < run.t[-1] <= 5 and run.t_events[0] == pytest.approx(np.array([1, 3]) * np.pi / 2, abs=1e-9)
    assert run.sol(run.t[-1]).q == pytest.approx(np.cos(run.t[-1]), abs=1e-8)


def test_exception_in_an_action_ends_the_run_with_what_there_is(cosine):
    def fails(t):
        raise ZeroDivisionError("nothing to divide")

    run = da.simulate(cosine, (0, 9), START, events=[da.Event(lambda q: q[0], action=fails)], **TIGHT)
    assert run.outcome == "function failed" and "nothing to divide" in run.message
    assert run.t[-1] == pytest.approx(np.pi / 2, abs=1e-9) and run.t_events[0].size == 1


def test_events_that_make_no_sense_are_refused(cosine):
    for events, words in (
        ([3.0], "must be a function"),
        ([lambda q: np.array([q[0], q[0]])], "one number"),
        ([da.Event(lambda q: q[0], threshold=-1.0)], "threshold"),
        ([lambda x: x], "'x'"),
    ):
        with pytest.raises((SimulationError, da.DalembertError), match=words):
            da.simulate(cosine, (0, 1), START, events=events)
    with pytest.raises(SimulationError, match="event_checks"):
        da.simulate(cosine, (0, 1), START, events=[lambda q: q[0]], event_checks=0)
    run = da.simulate(cosine, (0, 2), START, events=[da.Event(lambda q: q[0], action=lambda: 5)])
    assert run.outcome == "function failed" and "Change" in run.message


# ------------------------------------------------------------------------------------------------------ SciPy's ways


@pytest.mark.parametrize("count,end", [(True, 1), (1, 1), (2, 3), (3, 5), (np.int64(2), 3)])
def test_terminal_may_be_a_number_of_roots(cosine, count, end):
    def crossing(q):
        return q[0]

    crossing.terminal = count
    run = da.simulate(cosine, (0, 20), START, events=[crossing], **TIGHT)
    assert run.outcome == "event" and run.t[-1] == pytest.approx(end * np.pi / 2, abs=1e-9)
    assert run.t_events[0].size == int(count) and np.all(np.diff(run.t) > 0)


def test_counted_roots_of_a_resumed_run(cosine):
    event = da.Event(lambda q: q[0], terminal=3)
    whole = da.simulate(cosine, (0, 20), START, events=[event], **TIGHT)
    part = da.simulate(cosine, (0, 20), START, events=[event], **(TIGHT | {"max_steps": whole.statistics.steps // 2}))
    assert part.t_events[0].size in (1, 2)
    again = da.resume(part, cosine, events=[event])
    assert np.array_equal(again.q, whole.q) and again.outcome == "event"


def test_event_of_t_and_y(cosine):
    def half(t, y):
        return y[0] - 0.5

    def speed(t, y):
        return y[1] + 0.5 if float(y[1]) < 9 else 0.0

    for event, expected in ((half, np.pi / 3), (speed, np.pi / 6)):
        event.terminal, event.direction = True, -1
        run = da.simulate(cosine, (0, 9), START, events=event, **TIGHT)
        assert run.t[-1] == pytest.approx(expected, abs=1e-9) and run.message.startswith(f"Event '{event.__name__}'")


def test_terminal_event_acts_before_it_ends_the_run(cosine):
    seen = []

    def reverse(v):
        seen.append(v.copy())
        return da.Change(v=-v)

    run = da.simulate(cosine, (0, 9), START, events=[da.Event(lambda q: q[0], terminal=True, action=reverse)], **TIGHT)
    assert run.outcome == "event" and len(seen) == 1 and run.t[-1] == run.t[-2] == pytest.approx(np.pi / 2)
    assert run.v[0, -1] == pytest.approx(1.0) and run.v[0, -2] == pytest.approx(-1.0)
    twice = da.Event(lambda q: q[0], terminal=2, action=reverse, direction=-1)
    run = da.simulate(cosine, (0, 9), START, events=[twice], **TIGHT)
    assert run.t_events[0].size == 2


def test_names_of_events(cosine):
    def named(q):
        return q[0]

    events = [lambda q: q[0], named, da.Event(named), da.Event(lambda q: q[0]), da.Event(named, name="mine")]
    run = da.simulate(cosine, (0, 2), START, events=events, **TIGHT)
    assert [record.name for record in sorted(run.events, key=lambda r: r.index)] == [
        "event 0", "named", "named", "event 3", "mine",
    ]  # fmt: skip


def test_mistakes_in_events_are_found_before_the_run(cosine):
    with pytest.raises(DalembertError, match="event 'event 0' asks for an argument 'x'"):
        da.simulate(cosine, (0, 1), START, events=[lambda x: x])
    with pytest.raises(DalembertError, match="action of 'event 0' asks for an argument 'x'"):
        da.simulate(cosine, (0, 1), START, events=[da.Event(lambda q: q[0], action=lambda x: None)])
    with pytest.raises(DalembertError, match="no parameter 'foo'"):
        da.simulate(cosine, (0, 1), START, events=[lambda q, p: q[0] - p.foo])
    with pytest.raises(ValueError, match="mine"):
        da.simulate(cosine, (0, 1), START, events=[lambda q: int("mine")])


@pytest.mark.parametrize(
    ("condition", "direction", "expected"),
    [
        (lambda x: x < 0.5, 0, [np.pi / 3, 7 * np.pi / 3]),
        (lambda x: x <= 0.5, 1, [np.pi / 3, 7 * np.pi / 3]),
        (lambda x: x < 0.5, -1, [5 * np.pi / 3]),
        (lambda x: 0.5 > x, 0, [np.pi / 3, 7 * np.pi / 3]),
        (lambda x: ~(x >= 0.5), 0, [np.pi / 3, 7 * np.pi / 3]),
        (lambda x: (x < 0.5) & (x.rate > 0.0), 0, [np.pi]),
        (lambda x: (x < 0.5) | (x > 0.9), 0, [np.pi / 3, 2 * np.pi - np.arccos(0.9), 7 * np.pi / 3]),
        (lambda x: np.where(x < 0.5, 1.0, 0.0), 0, [np.pi / 3, 7 * np.pi / 3]),
        (lambda x: np.where(x < 0.5, 0.0, 1.0), 0, [5 * np.pi / 3]),
    ],
)
def test_comparisons_of_quantities_are_events_where_they_become_true(swing, condition, direction, expected):
    equations, x = swing
    run = da.simulate(equations, (0, 9), START, events=[da.Event(condition(x), direction)], rtol=1e-9, atol=1e-10)
    assert run.t_events[0] == pytest.approx(expected, abs=1e-7)


def test_a_comparison_ends_a_run_and_may_come_alone_or_by_name(swing):
    equations, x = swing
    run = da.simulate(equations, (0, 9), START, events=[da.Event(x < 0.5, terminal=True), x < 0.9, "right"])
    assert run.outcome == "event" and run.t[-1] == pytest.approx(np.pi / 3, abs=1e-5)
    assert run.t_events[1] == pytest.approx(np.arccos(0.9), abs=1e-5) and run.t_events[2].size == 0


@pytest.fixture(scope="module")
def swing():
    """x = cos t, with a sensor that is a condition."""
    m = da.Model("swing", plane="xy", gravity=(0.0, 0.0))
    slide = m.prismatic("slide", m.ground.at(0, 0), m.body("b", mass=1.0, inertia=1.0).at(0, 0), axis=(1, 0))
    m.joint_spring("k", slide, stiffness=1.0)
    m.sensor("right", slide.displacement > 0.6)
    return m.equations(), slide.displacement


def test_what_never_passes_zero_is_no_event(cosine, swing):
    for name, function in (("low", lambda q: q[0] < 0.5), ("high", lambda q: 1.0 + (q[0] > 0.5))):
        with pytest.raises(SimulationError, match=f"event '{name}' returns nothing but .*, which never passes zero"):
            da.simulate(cosine, (0, 2), START, events=[da.Event(function, name=name)])
    with pytest.raises(SimulationError, match="event 'event 0' returns the truth value False"):
        da.simulate(cosine, (0, 2), START, events=[lambda q: q[0] == 0.5])
    for called in (lambda q: float(q[0]) < 0.5, lambda q: np.array([float(q[0]) < 0.5])):
        run = da.simulate(cosine, (0, 2), START, events=[da.Event(called, name="low")])
        assert run.outcome == "function failed" and "event 'low' returns the truth value False" in run.message
    with pytest.raises(SimulationError, match="event 'both' returns nothing but 1 or 2"):
        da.simulate(swing[0], (0, 2), START, events=[da.Event(np.where(swing[1] < 0.5, 1.0, 2.0), name="both")])
    with pytest.raises(SimulationError, match="event 'exact' returns nothing but 0 or 1"):
        da.simulate(swing[0], (0, 2), START, events=[da.Event(np.equal(swing[1], 0.5), name="exact")])


def test_functions_that_jump_through_zero_are_events(cosine):
    run = da.simulate(cosine, (0, 2), START, events=[lambda q: np.sign(q[0]), lambda q: 2.0 * (q[0] > 0.5) - 1.0])
    assert run.t_events[0] == pytest.approx(np.pi / 2, abs=1e-5)
    assert run.t_events[1] == pytest.approx(np.pi / 3, abs=1e-5)
