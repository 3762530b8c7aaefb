"""The protocol of a method: options, own slots and kernels, controllers, resume; events that do not restart."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from integrate.runs import EACH_FAMILY

import dalembert as da
from dalembert.errors import SimulationError
from dalembert.integrate import Controller, Elementary, Newton, ProportionalIntegral
from dalembert.integrate.extend import (
    COUNT,
    STAGE,
    STATUS,
    Memory,
    Method,
    Reals,
    copy,
    integer,
    kernel,
    load,
    option,
    rate,
    real,
    reals,
    update_weights,
    weighted_norm,
)
from dalembert.integrate.methods.registry import METHODS


class AdamsMemory(Memory):
    """History of a two-step method."""

    begun: int = integer("beginnings", COUNT)
    kept: int = integer("steps folded into the history", COUNT)
    corrections: int = integer("evaluations of the corrector")
    h_before: float = real("size of the step before")
    rate_before: Reals = reals("n_y", "rate one step ago")
    predicted: Reals = reals("n_y", "result of the predictor")


@kernel
def begin(run: AdamsMemory) -> int:
    run.begun += 1
    run.kept = 0
    return STATUS.OK


@kernel
def attempt(run: AdamsMemory) -> int:
    """Adams–Bashforth of order 2, with the trapezoidal rule as corrector; Euler where there is no history."""
    h, y0, y1, f0 = run.h, run.y0, run.y1, run.rate0
    ratio = h / run.h_before if run.kept else 0.0
    for k in range(run.n_y):
        run.predicted[k] = y0[k] + h * (f0[k] + 0.5 * ratio * (f0[k] - run.rate_before[k]))
    for c in range(run.corrections):
        load(run, run.t_now + h, run.predicted if c == 0 else y1)
        status = rate(run, STAGE.T, run.rate1)
        if status:
            return status
        for k in range(run.n_y):
            y1[k] = y0[k] + 0.5 * h * (f0[k] + run.rate1[k])
    update_weights(run)
    for k in range(run.n_y):
        run.error_vector[k] = (y1[k] - run.predicted[k]) / 6.0
    run.error = weighted_norm(run, run.error_vector)
    return STATUS.OK


@kernel
def accepted(run: AdamsMemory) -> int:
    copy(run.rate0, run.rate_before)
    run.h_before = run.h
    run.kept += 1
    return STATUS.OK


@dataclass(frozen=True)
class Gentle(Elementary):
    """A controller from outside."""


@dataclass(frozen=True, kw_only=True)
class Adams(Method):
    """A two-step method, written outside of the package."""

    corrections: int = option(1, "evaluations of the corrector")
    tags: tuple[str, ...] = option((), "words that go with it")

    name = "adams"
    title = "Adams, order 2"
    order, error_order = 2, 1
    memory, begin, attempt, accepted = AdamsMemory, begin, attempt, accepted

    def values(self, sizes):
        return {"corrections": self.corrections}


def oscillator():
    return da.trace(M=lambda: np.eye(1), f=lambda q, v: np.array([-q[0]]), n_q=1, name="oscillator")


class Forgetful(Adams):
    """Says nothing of its slots."""

    memory = Memory


class Iterating(Adams):
    """Has an iteration, and nothing that it needs."""

    newton = Newton()


def run_fixed(**options):
    return da.simulate(
        oscillator(), (0, 1), ([1.0], [0.0]), method=da.Dopri5(controller=da.FixedStep(size=0.1)), **options
    )


def run_controlled(controller):
    return da.simulate(oscillator(), (0, 9), ([1.0], [0.0]), method=da.Dop853(controller=controller), first_step=2.0)


# ------------------------------------------------------------------------------------------------ a method of one's own


def test_a_method_from_outside_runs_like_any_other():
    problem = da.problems.pendulum()
    run = da.simulate(problem, (0, 1), method=Adams(), rtol=1e-6, atol=1e-8)
    exact = da.simulate(problem, (0, 1), rtol=1e-10, atol=1e-12)
    assert run.success and run.method == "adams" and np.abs(run.q[:, -1] - exact.q[:, -1]).max() < 1e-3
    g = problem.equations.evaluate("g", q=run.q[:, -1])
    assert np.abs(g).max() < 1e-12
    t = np.linspace(0, 1, 50)
    assert np.abs(run.sol(t).q - exact.sol(t).q).max() < 1e-3


def test_its_order_is_that_of_its_formulas():
    errors = []
    for size in (0.02, 0.01):
        method = Adams(corrections=2, controller=da.FixedStep(size=size))
        run = da.simulate(oscillator(), (0, 2), ([1.0], [0.0]), method=method)
        errors.append(abs(run.q[0, -1] - np.cos(2)))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.2)


@pytest.mark.parametrize("stop", [1, 3, 10])
def test_it_goes_on_bit_for_bit(stop, tmp_path):
    problem, method = da.problems.pendulum(), Adams(corrections=2)
    whole = da.simulate(problem, (0, 0.5), method=method)
    part = da.load(da.simulate(problem, (0, 0.5), method=method, max_steps=stop).save(tmp_path / "part.nc"))
    for given in ({}, {"method": method}):
        run = da.resume(part, problem, **given)
        assert np.array_equal(run.q, whole.q) and run.statistics == whole.statistics
    with pytest.raises(SimulationError, match="the run was made with the method"):
        da.resume(part, problem, method=Adams())
    family = part.checkpoint.header["method"]["family"]
    part.checkpoint.header["method"]["family"] = "Bdf"
    with pytest.raises(SimulationError, match=r"'Bdf', which is not known here; give it: resume\(…, method=…\)"):
        da.resume(part, problem)
    part.checkpoint.header["method"]["family"] = family
    part.checkpoint.header["memory"] = "another"
    with pytest.raises(SimulationError, match="with another memory, and cannot be resumed"):
        da.resume(part, problem)
    del part.checkpoint.header["memory"]
    with pytest.raises(SimulationError, match="stored by an earlier version"):
        da.resume(part, problem)


def test_begin_is_called_at_starts_jumps_and_breaks_only():
    bounce = da.Event(lambda q: q[0], direction=-1, action=lambda v: da.Change(v=-v), name="bounce")
    passed = da.Event(lambda q: q[0] - 0.5, name="passed")
    third = da.Event(lambda q: np.sin(9 * q[0]), terminal=3, name="third")
    eqs = da.trace(M=lambda: np.eye(1), f=lambda: np.array([-1.0]), n_q=1, breaks=(0.7,), name="ball")
    told = []

    def live_of(method, events, span=(0, 2.0)):
        from dalembert.integrate.run.course import Course

        made = []
        original = Course.make_live

        def spy(self):
            original(self)
            made.append(self.live)

        Course.make_live = spy
        try:
            told.append(da.simulate(eqs, span, ([1.0], [0.0]), method=method, events=events))
        finally:
            Course.make_live = original
        return made[-1].run

    assert live_of(Adams(), []).begun == 2  # start and break
    assert live_of(Adams(), [passed]).begun == 2
    assert live_of(Adams(), [passed, bounce]).begun == 3  # one impact, at √2
    assert live_of(Adams(), [third]).begun == 2 and told[-1].t_events[0].size == 3 and told[-1].t[-1] > 0.7


# --------------------------------------------------------------------------------------------------------- events


@pytest.mark.parametrize("method", EACH_FAMILY)
def test_events_that_only_count_do_not_restart_the_method(method):
    options = {"method": method, "rtol": 1e-8, "atol": 1e-10}
    free = da.simulate(oscillator(), (0, 20), ([1.0], [0.0]), **options)
    third = da.Event(lambda q: q[0], terminal=3, name="third")
    run = da.simulate(oscillator(), (0, 20), ([1.0], [0.0]), events=[third], **options)
    assert run.outcome == "event" and run.t[-1] == pytest.approx(2.5 * np.pi, abs=1e-6)
    assert run.t_events[0] == pytest.approx(np.pi * np.array([0.5, 1.5, 2.5]), abs=1e-6)
    same = run.t.size - 1
    assert np.array_equal(run.t[:same], free.t[:same])  # the steps are those of a run without events
    never = da.simulate(oscillator(), (0, 20), ([1.0], [0.0]), events=[replace(third, terminal=30)], **options)
    assert np.array_equal(never.t, free.t) and never.t_events[0].size == 6


@pytest.mark.parametrize("stop", range(1, 12, 2))
def test_counted_events_are_counted_on_after_a_resume(stop):
    third = da.Event(lambda q: q[0], terminal=3)
    options = {"method": "dopri5", "events": [third]}
    whole = da.simulate(oscillator(), (0, 20), ([1.0], [0.0]), **options)
    part = da.simulate(oscillator(), (0, 20), ([1.0], [0.0]), max_steps=stop, **options)
    run = da.resume(part, oscillator(), events=[third])
    assert np.array_equal(run.t, whole.t) and np.array_equal(run.t_events[0], whole.t_events[0])


# ------------------------------------------------------------------------------------------- options and controllers


def test_long_forms_are_the_same_as_names():
    problem = da.problems.pendulum()
    for name, method in (
        ("radau9", da.Radau(stages=5)), ("radau", da.Radau()), ("mexx", da.Mexx()), ("dop853", da.Dop853()),
        ("dopri5", da.Dopri5()),
    ):  # fmt: skip
        by_name, by_object = (da.simulate(problem, (0, 1), method=one) for one in (name, method))
        assert np.array_equal(by_name.q, by_object.q) and by_object.method == name == method.name


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: da.Radau(stages=4), "stages must be 3, 5 or 7, got 4"),
        (lambda: da.Radau(iteration=7), r"iteration must be a Newton\(…\), got 7"),
        (lambda: Newton(limit=0), "limit must be a whole number, at least 1; got 0"),
        (lambda: Newton(tolerance=2.0), "tolerance must be a number between 0 and 1, got 2.0"),
        (lambda: da.Dop853(controller=da.Gustafsson()), "Gustafsson control is for implicit methods"),
        (lambda: Controller(safety=-1.0), "safety must be a positive number, got -1.0"),
        (lambda: Controller(grow=0.5), "grow > 1"),
        (lambda: da.FixedStep(size=0.0), "size must be a positive number"),
        (lambda: da.FixedStep(size=0.1, grow=2.0), "there is no grow"),
        (lambda: da.Radau(stages=5.0), "stages must be 3, 5 or 7, got 5.0"),
        (lambda: da.Mexx(controller=Elementary()), "Mexx chooses order and size of its steps itself"),
        (lambda: da.Mexx(controller=da.FixedStep(size=0.1)), "together with min_order = max_order"),
        (lambda: run_fixed(first_step=0.1), "leave first_step away"),
        (lambda: run_fixed(max_step=0.01), "FixedStep.size=0.1. is not within min_step=0 and max_step=0.01"),
        (lambda: run_fixed(min_step=0.2), "is not within"),
        (
            lambda: run_controlled(ProportionalIntegral(beta=0.2)),
            "beta must be smaller than 0.167 for an error of order 7",
        ),
        (lambda: Adams(corrections=[1]), "options must be numbers, texts, tuples or frozen objects"),
        (lambda: da.simulate(oscillator(), (0, 1), ([1.0], [0.0]), method=Forgetful()), "set memory = AdamsMemory"),
        (lambda: da.simulate(oscillator(), (0, 1), ([1.0], [0.0]), method=Iterating()), "extends ImplicitMemory"),
        (lambda: da.simulate(oscillator(), (0, 1), ([1.0], [0.0]), method=da.Radau), r"Radau\(\), not Radau"),
        (lambda: da.simulate(oscillator(), (0, 1), ([1.0], [0.0]), method=5), "must be a name or a method"),
    ],
)
def test_options_that_are_not_possible_are_named(make, message):
    with pytest.raises(SimulationError, match=message):
        make()


def test_every_option_of_every_method_is_documented():
    for family in Method.families().values():
        assert family.__doc__
        for item in family.options():
            assert item.metadata["meaning"], (family.__name__, item.name)


@pytest.mark.parametrize(
    "method",
    [
        da.Radau(stages=5, controller=Elementary(safety=0.8), iteration=Newton(limit=9)),
        da.Dop853(controller=ProportionalIntegral(beta=0.08, grow=3.0)),
        da.Mexx(max_order=np.int64(7)),
        da.Dopri5(controller=da.FixedStep(size=0.02)),
        da.Mexx(min_order=5, max_order=5, controller=da.FixedStep(size=0.05)),
        Adams(tags=("a", "b"), controller=Gentle(safety=0.7)),
    ],
)
def test_options_are_part_of_the_checkpoint(method, tmp_path):
    problem = da.problems.pendulum()
    whole = da.simulate(problem, (0, 1), method=method)
    part = da.load(da.simulate(problem, (0, 1), method=method, max_steps=4).save(tmp_path / "part.nc"))
    run = da.resume(part, problem)
    assert np.array_equal(run.t, whole.t) and np.array_equal(run.q, whole.q)
    assert Method.restored(part.checkpoint.header["method"]) == method


@pytest.mark.parametrize("name", [name for name in EACH_FAMILY if len(set(METHODS[name].orders)) == 1])
@pytest.mark.parametrize("controller", [Elementary(), ProportionalIntegral(beta=0.05), Elementary(safety=0.5)])
def test_every_controller_meets_the_tolerance(name, controller):
    method = replace(METHODS[name], controller=controller)
    run = da.simulate(oscillator(), (0, 10), ([1.0], [0.0]), method=method, rtol=1e-7, atol=1e-9)
    assert run.success and abs(run.q[0, -1] - np.cos(10)) < 1e-5
    own = da.simulate(oscillator(), (0, 10), ([1.0], [0.0]), method=name, rtol=1e-7, atol=1e-9)
    assert not np.array_equal(own.t, run.t) or controller == Elementary()
    if controller.safety == 0.5:
        assert run.statistics.steps > own.statistics.steps and run.statistics.rejected <= own.statistics.rejected + 1


def test_fixed_steps():
    run = da.simulate(oscillator(), (0, 1.05), ([1.0], [0.0]), method=da.Dopri5(controller=da.FixedStep(size=0.1)))
    assert np.diff(run.t)[:-1] == pytest.approx(0.1, rel=1e-12) and run.t.size == 12 and run.t[-1] == 1.05
    assert run.statistics.rejected == 0
    rough = da.simulate(
        oscillator(),
        (0, 3),
        ([1.0], [0.0]),
        method=da.Dopri5(controller=da.FixedStep(size=1.0)),
        rtol=1e-12,
        atol=1e-14,
    )
    assert rough.t == pytest.approx([0, 1, 2, 3])  # errors are not looked at


def test_a_controller_that_cannot_shrink_steps_does_not_run_for_ever():
    run = da.simulate(
        oscillator(),
        (0, 9),
        ([1.0], [0.0]),
        method=da.Dopri5(controller=Elementary(safety=1.0, grow=1.01)),
        first_step=3.0,
    )
    assert run.success and run.statistics.rejected > 0


def test_layouts_do_not_depend_on_the_controller():
    eqs = oscillator()
    for size in (0.1, 0.2, 0.3):
        da.simulate(eqs, (0, 1), ([1.0], [0.0]), method=da.Dopri5(controller=da.FixedStep(size=size)))
    kept = [key for key in eqs._keeper._values if key[0] == "layout of a run"]
    assert len(kept) <= 2  # of the run, and of its dense output


def test_a_root_that_another_action_has_dealt_with_counts():
    """Two functions with the same roots: the action of one tells of the other, which ends the run at its third."""
    bounce = da.Event(lambda q: q[0], direction=-1, name="bounce", action=lambda v: da.Change(v=-v, also=["count"]))
    count = da.Event(lambda t: 1.0 + t, terminal=3, name="count")
    eqs = da.trace(M=lambda: np.eye(1), f=lambda: np.array([-1.0]), n_q=1, name="ball")
    from dalembert.integrate.run import task

    found = []
    original = task.after_event

    def spy(course):
        ending = original(course)
        found.append(course.live.run.countdown[1])
        return ending

    task.after_event = spy
    try:
        da.simulate(eqs, (0, 10), ([1.0], [0.0]), events=[bounce, count])
    finally:
        task.after_event = original
    assert found[:3] == [2, 1, 0]
