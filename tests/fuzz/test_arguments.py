"""Garbage as arguments of everything public: a short run of the fuzzer, and the table that it draws from."""

import random
from dataclasses import replace

import numpy as np
import pytest
from fuzz import arguments
from fuzz.argument_examples import EXAMPLES, World

import dalembert as da
from dalembert.arguments import (
    file_path,
    flag,
    function,
    instance,
    known_name,
    listed,
    listed_pairs,
    mapping,
    named,
    one_of,
    real,
    reals,
    same_length,
    text,
    texts,
    whole,
    wholes,
)
from dalembert.errors import ModelError, SimulationError, StateError, SymbolicError
from dalembert.problems import ProblemError
from dalembert.symbolic import PiecewisePolynomial

CASES = 150


def test_everything_public_is_in_the_table():
    assert arguments.missing_names() == []


def test_examples_are_valid_calls(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    world = World()
    for makers in EXAMPLES.values():
        for make in makers:
            world.renew()
            call = make(world, 0)
            call.follow(call.function(*call.args, **call.kwargs))


def test_garbage_works_or_is_refused_by_name():
    assert dict(arguments.campaign(CASES, seed=0)) == {}


@pytest.mark.parametrize(
    ("check", "good"),
    [
        (real, 2), (reals, [[1, 2], [3, 4]]), (whole, 3), (wholes, [1, 2]), (text, "name"), (flag, True),
        (function, len), (listed, [1, 2]), (texts, ["a", "b"]), (mapping, {1: 2}), (named, {"a": 1}),
        (listed_pairs, [("a", 1)]), (file_path, "run.nc"),
    ],
)  # fmt: skip
def test_checks_name_the_argument(check, good):
    check(good, "spring 'strut': stiffness", ModelError)
    for kind in ("raises", "module", "ellipsis", "object"):
        garbage = arguments.GARBAGE[kind](World(), random.Random(0))
        with pytest.raises(ModelError, match="spring 'strut': stiffness must be"):
            check(garbage, "spring 'strut': stiffness", ModelError)


def test_choices_and_classes():
    assert one_of("a", ("a", "b"), "mode", ModelError) == "a"
    with pytest.raises(ModelError, match=r"mode must be one of a, b; got 'c'"):
        one_of("c", ("a", "b"), "mode", ModelError)
    with pytest.raises(ModelError, match=r"the joint 'trun' does not exist; did you mean 'turn'"):
        known_name("trun", ("turn", "slide"), "the joint", ModelError)
    with pytest.raises(ModelError, match=r"start must be of the class dict; got 3"):
        instance(3, dict, "start", ModelError)
    with pytest.raises(ModelError, match=r"Curves: 1 names, 2 columns do not fit together"):
        same_length("Curves", ModelError, names=[1], columns=[1, 2])


@pytest.mark.parametrize("value", ["1.0", b"1", 1j, None, 10**400, [[1.0], [2.0, 3.0]]])
def test_what_only_looks_like_a_number_is_none(value):
    with pytest.raises(ModelError, match="mass must be"):
        real(value, "mass", ModelError)


def test_arrays_without_end_are_refused_before_they_are_touched():
    wide = arguments.GARBAGE["wide array"](World(), random.Random(0))
    with pytest.raises(ModelError, match=r"parameter 'k' has the shape \(1048576, 1048576\)"):
        reals(wide, "parameter 'k'", ModelError)


def test_what_long_runs_of_the_fuzzer_met():
    """Each ended in a bare error of Python, or in one that named nobody."""
    with pytest.raises(ModelError, match="names must be one or more different identifiers"):
        da.Custom([], lambda world, q, p: {})
    with pytest.raises(SymbolicError, match="x must be finite"):
        PiecewisePolynomial.linear([0.0, 1.0, np.inf], [0.0, 1.0, 2.0])
    surface = da.table([0.0, 1.0], [0.0, 1.0], [[0.0, 1.0], [1.0, 2.0]])
    with pytest.raises(SymbolicError, match="x and y must have the same shape"):
        surface(np.zeros(2), np.zeros(6))
    pendulum = da.problems.pendulum()
    wide = arguments.GARBAGE["wide array"](World(), random.Random(0))
    with pytest.raises(StateError, match=r"has the shape \(1048576, 1048576\)"):
        pendulum.equations.check(pendulum.q0, u=wide)
    with pytest.raises(SimulationError, match="grow must be a positive number"):
        da.integrate.Elementary(grow=10**400)
    with pytest.raises(SimulationError, match="event 'odd' must return one number"):
        da.simulate(pendulum, events=[da.Event(lambda q: {}, name="odd")])
    with pytest.raises(ProblemError, match="what sketch returns"):
        replace(pendulum, sketch=lambda t, q, p: None).draw(da.simulate(pendulum))


def test_a_state_of_other_equations_is_refused_where_stops_may_hold():
    m = da.Model("ball", plane="xy")
    body = m.body("ball", mass=0.1, inertia=1e-4, position=(0, 1.0))
    m.limit("floor", body.position.y, lower=0.0)
    m.limit("wall", body.position.x, lower=-1.0)
    other = da.problems.pendulum()
    with pytest.raises(StateError, match="must have 2 entries, got 1"):
        m.equations().linearise(other.equations.assemble(other.q0, other.v0))
