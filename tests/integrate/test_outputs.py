"""Sensors that equations have by themselves, beside those of the user."""

import dataclasses
import pickle
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property

import numpy as np
import pytest

import dalembert as da
from dalembert.equations.builders.trace import Traced
from dalembert.equations.contract import sensors
from dalembert.equations.contract.sensors import Sensors
from dalembert.solution import load
from dalembert.symbolic import array


class Measured(Traced):
    """A pendulum in Cartesian coordinates that knows what to measure."""

    wanted: dict

    @cached_property
    def sensors(self):
        return Sensors(self.wanted, {}, self.namespace()[1])


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


def test_long_runs_are_measured_piece_by_piece(pendulum, monkeypatch):
    whole = run(pendulum)
    monkeypatch.setattr(sensors, "_AT_ONCE", 3)
    pieces = run(pendulum)
    assert all(np.array_equal(pieces[name], whole[name]) for name in whole.outputs)


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


# ------------------------------------------------------------------------------------- what nobody has asked for yet


@pytest.fixture
def asking(pendulum):
    """The pendulum with a sensor that is measured when it is asked for; and how often it was traced."""
    traced = []

    def tension(name):
        traced.append(name)
        return 3.0 * pendulum.namespace()[0]["lam"][0]

    inputs = pendulum.namespace()[1]
    names = ("rod", "rod twice")
    pendulum.later = {name: lambda name=name: tension(name) for name in names}
    pendulum.__dict__["sensors"] = Sensors({"place": lambda: inputs["q"]}, {}, inputs, pendulum.later)
    return pendulum, traced


def test_what_nobody_asks_for_is_not_formulated(asking):
    equations, traced = asking
    found = run(equations)
    assert list(found.outputs) == ["place", "rod", "rod twice"] and len(found.outputs) == 3
    assert "rod" in found and "3 outputs" in repr(found) and not traced
    assert found["rod"] == pytest.approx(3.0 * found.lam[0], abs=0.0)
    assert traced == ["rod", "rod twice"]
    assert run(equations)["rod twice"] == pytest.approx(found["rod"], abs=0.0) and len(traced) == 2


@pytest.mark.parametrize("way", ["pickle", "file", "replace"])
def test_values_are_there_wherever_a_solution_goes(asking, way, tmp_path):
    equations, traced = asking
    found = run(equations)
    if way == "pickle":
        other = pickle.loads(pickle.dumps(found))
    elif way == "file":
        other = load(found.save(tmp_path / "run"))
    else:
        other = dataclasses.replace(found, title="other")
    assert traced and type(other.outputs) is dict and list(other.outputs) == ["place", "rod", "rod twice"]
    assert np.array_equal(other["rod"], 3.0 * found.lam[0])


def test_many_threads_ask_and_one_answers(asking):
    equations, traced = asking
    found = [run(equations) for _ in range(4)]
    with ThreadPoolExecutor(8) as pool:
        values = list(pool.map(lambda one: one["rod"], found * 4))
    assert len(traced) == 2 and all(np.array_equal(one, 3.0 * found[0].lam[0]) for one in values)


def test_what_fails_later_is_told_then(asking):
    equations, _ = asking

    def broken():
        raise ValueError("no such thing")

    inputs = equations.namespace()[1]
    equations.__dict__["sensors"] = Sensors({}, {}, inputs, {"broken": broken, **equations.later})
    found = run(equations)
    assert found["rod"] == pytest.approx(3.0 * found.lam[0], abs=0.0)
    assert "Output 'broken' is missing: ValueError: no such thing" in found.message and "broken" not in found.outputs


def test_names_of_the_user_win_over_later_ones(asking):
    equations, traced = asking
    found = run(equations, outputs={"rod": lambda t: 2.0 * t})
    assert found["rod"] == pytest.approx(2.0 * found.t) and not traced
    found.outputs["rod twice"] = found.t
    del found.outputs["place"]
    assert np.array_equal(found["rod twice"], found.t) and list(found.outputs) == ["rod", "rod twice"]
