"""Sensors that equations have by themselves, beside those of the user."""

from functools import cached_property

import numpy as np
import pytest

import dalembert as da
from dalembert.equations.builders.trace import Traced
from dalembert.equations.contract import sensors
from dalembert.symbolic import array


class Measured(Traced):
    """A pendulum in Cartesian coordinates that knows what to measure."""

    wanted: dict

    @cached_property
    def sensors(self):
        return sensors.Sensors(self.wanted, {}, self.namespace()[1])


@pytest.fixture
def pendulum():
    made = da.trace(
        M=lambda p: p.m * np.eye(2), f=lambda p: np.array([0.0, -p.m * p.g]), g=lambda q, p: np.array([q @ q - p.l**2]),
        n_q=2, parameters={"m": 2.0, "g": 9.81, "l": 1.0}, name="pendulum",
    )  # fmt: skip
    own = Measured(made.expressions, made.name, made.names, made.parameters, made.breaks)
    inputs = own.namespace()[1]
    q, v, lam = (inputs[key] for key in ("q", "v", "lam"))
    own.wanted = {
        "place": lambda: q,
        "place.y": lambda: q[1],
        "matrix": lambda: array([[q[0], q[1]], [v[0], v[1]]]),
        "speed": lambda: np.sqrt(v @ v),
        "tension": lambda: 2.0 * lam[0],
    }
    return own


@pytest.fixture
def compiled(monkeypatch):
    """Names of the programs that were compiled for sensors, with the numbers of their outputs."""
    made = []
    kept = sensors.compile

    def counted(out, *given, **options):
        made.append(out["out"].size)
        return kept(out, *given, **options)

    monkeypatch.setattr(sensors, "compile", counted)
    return made


def run(equations, **options):
    return da.simulate(equations, (0, 1), ([1.0, 0.0], [0.0, 0.0]), t_eval=np.linspace(0, 1, 7), **options)


def test_sensors_of_equations_are_measured_with_one_program(pendulum, compiled):
    found = run(pendulum, outputs={"height": lambda q: q[1] + 1.0})
    assert compiled == [2 + 1 + 4 + 1 + 1, 1]  # that of the equations serves all their runs
    run(pendulum)
    assert len(compiled) == 2
    assert list(found.outputs) == ["place", "place.y", "matrix", "speed", "tension", "height"]
    assert np.array_equal(found["place"], found.q) and np.array_equal(found["place.y"], found.q[1])
    assert np.array_equal(found["matrix"], np.concatenate([found.q, found.v]))
    assert found["speed"] == pytest.approx(np.hypot(*found.v)) and found["tension"] == pytest.approx(2 * found.lam[0])
    assert found["height"] == pytest.approx(found.q[1] + 1.0)


def test_names_of_the_user_win(pendulum):
    found = run(pendulum, outputs={"speed": lambda t: 2.0 * t})
    assert found["speed"] == pytest.approx(2.0 * found.t)


def test_sensor_that_fails_leaves_the_others(pendulum):
    def broken():
        raise ValueError("no such thing")

    pendulum.wanted = {"broken": broken, **pendulum.wanted}

    def branching(q):
        return 1.0 if q[0] > 0 else 0.0

    found = run(pendulum, outputs={"side": branching})
    assert "Output 'broken' is missing: ValueError: no such thing" in found.message
    assert "broken" not in found.outputs and np.array_equal(found["place.y"], found.q[1])
    assert np.array_equal(found["side"], (found.q[0] > 0).astype(float))


def test_sensor_that_cannot_be_compiled_is_found_among_many(pendulum, compiled):
    """An atom that depends on a symbol nobody gives."""
    stranger = pendulum.graph.variable("stranger")
    pendulum.wanted["lost"] = lambda: stranger + 1.0
    found = run(pendulum)
    assert len(compiled) > 2 and "Output 'lost' is missing" in found.message and "stranger" in found.message
    assert set(found.outputs) == set(pendulum.wanted) - {"lost"}
    assert np.array_equal(found["place"], found.q)


def test_resumed_run_has_them_again(pendulum):
    whole = da.simulate(pendulum, (0, 1), ([1.0, 0.0], [0.0, 0.0]))
    part = da.simulate(pendulum, (0, 1), ([1.0, 0.0], [0.0, 0.0]), max_steps=3)
    assert part["place.y"].size == part.t.size
    rest = da.resume(part, pendulum)
    assert np.array_equal(rest["speed"], whole["speed"]) and "missing" not in rest.message


def test_events_and_actions_know_which_constraints_hold():
    """A mass on a string: the same function serves while it is taut and while it is slack."""
    string = da.trace(
        M=lambda: np.eye(2), f=lambda p: np.array([0.0, -p.g]), g=lambda q: np.array([0.5 * (q @ q - 1.0)]), n_q=2,
        parameters={"g": 9.81}, names={"q": ["x", "y"], "lam": ["string"]}, name="string",
    )  # fmt: skip
    told = []

    def turn(q, lam, constraints):
        return -lam[0] if "string" in constraints else q @ q - 1.0

    def switch(constraints):
        told.append(tuple(constraints))
        return da.Change(constraints=[] if "string" in constraints else ["string"])

    event = da.Event(turn, direction=1, action=switch, threshold=1e-9, name="turn")
    start = ([0.0, -1.0], [np.sqrt(3.5 * 9.81), 0.0])
    found = da.simulate(string, (0, 2), start, events=[event], rtol=1e-9, atol=1e-11)
    assert found.success and told[:2] == [("string",), ()]
    assert found.events[0].q == pytest.approx([np.sqrt(0.75), 0.5], abs=1e-6)
    assert found.events[1].q == pytest.approx([0.0, -1.0], abs=1e-6)


def test_action_that_deals_with_other_events_of_its_instant():
    balls = da.trace(M=lambda: np.eye(2), f=lambda: np.array([-1.0, -1.0]), n_q=2, name="balls")

    def both(v):
        return da.Change(v=-v, also=["second"])

    events = [
        da.Event(lambda q: q[0], direction=-1, action=both, name="first"),
        da.Event(lambda q: q[1] + 1e-9, direction=-1, action=lambda: None, name="second"),
    ]
    found = da.simulate(balls, (0, 2), ([0.5, 0.5], [0.0, 0.0]), events=events)
    assert [event.name for event in found.events] == ["first", "second"]
    assert [times.tolist() for times in found.t_events] == [[found.events[0].t]] * 2
    assert np.array_equal(found.events[1].q, found.events[0].q)
