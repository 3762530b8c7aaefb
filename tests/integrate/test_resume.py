"""A run stopped anywhere and resumed is the run that never stopped, bit for bit."""

import subprocess
import sys

import numpy as np
import pytest
from integrate.pieces import in_pieces, same
from integrate.runs import step_of

import dalembert as da
from dalembert.errors import SimulationError
from dalembert.integrate.methods.registry import METHODS
from dalembert.integrate.run.course import Course
from dalembert.symbolic import absolute

RANDOM = np.random.default_rng(4711)


def seven_body():
    problem = da.problems.seven_body()
    return problem.equations, problem.span, (problem.q0, problem.v0)


@pytest.fixture(scope="module")
def mechanism():
    return seven_body()


@pytest.mark.parametrize("formalism", ["explicit", "contract"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.exact
def test_stopped_at_a_random_step(mechanism, method, formalism):
    options = {"method": method, "rtol": 1e-6, "atol": 1e-8, "formalism": formalism} | step_of(method, 1e-4)
    whole = da.simulate(*mechanism, **options)
    stops = RANDOM.integers(1, whole.statistics.steps, 4)
    for stop in stops:
        assert same(in_pieces(*mechanism, [stop], **options), whole), stop


@pytest.mark.parametrize("method", ["dop853", "radau"])
@pytest.mark.exact
def test_stopped_many_times(mechanism, method):
    options = {"method": method, "rtol": 1e-7, "atol": 1e-9}
    whole = da.simulate(*mechanism, **options)
    stops = np.unique(RANDOM.integers(1, whole.statistics.steps, 50))
    assert same(in_pieces(*mechanism, stops, **options), whole)


@pytest.mark.parametrize("method", ["radau", "radau9"])
def test_with_a_jacobian_that_is_kept(method):
    """The Jacobian of a linear system serves for all steps, also after the run was stopped."""
    eqs = da.trace(
        M=lambda p: np.array([[p.m]]),
        f=lambda q, p: np.array([-p.k / p.m * np.exp(p.k) * q[0]]),
        n_q=1,
        parameters={"m": 2.0, "k": 3.0},
        name="linear",
    )
    problem = eqs, (0, 5), ([1.0], [0.0])
    options = {"method": method, "rtol": 1e-7, "atol": 1e-9}
    whole = da.simulate(*problem, **options)
    assert whole.njev < 0.1 * whole.statistics.steps
    for stop in RANDOM.integers(1, whole.statistics.steps, 10):
        assert same(in_pieces(*problem, [stop], **options), whole)


@pytest.mark.parametrize("method", ["dop853", "radau"])
@pytest.mark.exact
def test_through_a_file(mechanism, method, tmp_path):
    options = {"method": method, "rtol": 1e-6, "atol": 1e-8, "events": [da.Event(lambda a: a[0], name="beta")]}
    whole = da.simulate(*mechanism, **options)
    stops = np.unique(RANDOM.integers(1, whole.statistics.steps, 5))
    assert same(in_pieces(*mechanism, stops, through=tmp_path / "part.nc", **options), whole)


@pytest.mark.parametrize("method", ["dop853", "radau"])
@pytest.mark.exact
def test_with_output_instants(mechanism, method):
    options = {"method": method, "rtol": 1e-6, "atol": 1e-8, "t_eval": np.linspace(0, 0.03, 61)}
    whole = da.simulate(*mechanism, **options)
    for stop in RANDOM.integers(1, whole.statistics.steps, 5):
        assert same(in_pieces(*mechanism, [stop], **options), whole)


@pytest.mark.parametrize("method", ["dop853", "radau"])
@pytest.mark.exact
def test_with_events_and_actions(method, tmp_path):
    """A ball that bounces; its damping changes at each impact."""
    eqs = da.trace(
        M=lambda: np.array([[1.0]]),
        f=lambda v, p: np.array([-9.81 - p.c * v[0]]),
        n_q=1,
        parameters={"c": 0.1},
        name="ball",
    )

    def impact(v, p):
        return da.Change(v=-0.9 * v, parameters={"c": 1.5 * p.c})

    events = [
        da.Event(lambda q: q[0], direction=-1, action=impact, name="impact"),
        da.Event(lambda v: v[0], direction=-1, name="top"),
    ]
    problem = eqs, (0, 3), ([1.0], [0.0])
    options = {"method": method, "rtol": 1e-8, "atol": 1e-10, "events": events}
    whole = da.simulate(*problem, **options)
    assert whole.success and whole.t_events[0].size > 3
    for stop in range(1, whole.statistics.steps):
        assert same(in_pieces(*problem, [stop], through=tmp_path / "ball.nc", **options), whole), stop


@pytest.mark.exact
def test_after_a_switch_of_modes(tmp_path):
    eqs = da.trace(
        M=lambda: np.eye(2),
        f=lambda: np.array([0.0, -9.81]),
        g=lambda q: np.array([0.5 * (q @ q - 1.0)]),
        n_q=2,
        name="released",
    )
    events = [da.Event(lambda t: t - 0.3, action=lambda: da.Change(constraints=[]))]
    problem = eqs, (0, 1), ([1.0, 0.0], [0.0, 0.0])
    options = {"events": events, "rtol": 1e-8, "atol": 1e-10, "max_step": 0.05}
    whole = da.simulate(*problem, **options)
    for stop in (2, 12, 18):
        assert same(in_pieces(*problem, [stop], through=tmp_path / "modes.nc", **options), whole), stop


@pytest.mark.exact
def test_with_forces_that_depend_on_reactions():
    """Nonlinear in λ, so accelerations are found by iteration: it must start from the same value."""
    eqs = da.trace(
        M=lambda: np.eye(2),
        f=lambda v, lam: np.array([5.0 - 0.3 * absolute(lam[0]) * np.tanh(v[0]), -9.81]),
        g=lambda q: np.array([q[1] - 0.1 * np.sin(q[0])]),
        n_q=2,
        name="rough",
    )
    problem = eqs, (0, 3), ([0.0, 0.0], [1.0, 0.1])
    whole = da.simulate(*problem, rtol=1e-6, atol=1e-8)
    for stop in RANDOM.integers(1, whole.statistics.steps, 5):
        assert same(in_pieces(*problem, [stop], rtol=1e-6, atol=1e-8), whole)


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_interrupted_by_the_user(mechanism, method):
    """Ctrl-C between two slices of steps gives back what was computed, and the run goes on from there."""
    options = {"method": method, "rtol": 1e-6, "atol": 1e-8}
    whole = da.simulate(*mechanism, **options)
    calls = []

    def interrupt(t, statistics):
        calls.append((t, statistics.steps))
        raise KeyboardInterrupt

    stop = da.simulate(*mechanism, max_steps=20, progress=interrupt, **options)
    assert stop.outcome == "interrupted" and not stop.success and "resume" in stop.message
    assert calls == [(stop.t[-1], 20)] and stop.t.size == 21
    assert np.array_equal(stop.q, whole.q[:, :21]) and stop.sol(stop.t[10]).q == pytest.approx(whole.q[:, 10])
    assert same(da.resume(stop, mechanism[0]), whole)


def test_no_steps_at_all(mechanism):
    nothing = da.simulate(*mechanism, max_steps=0)
    assert nothing.outcome == "step limit" and nothing.t.tolist() == [0.0]
    assert same(da.resume(nothing, mechanism[0]), da.simulate(*mechanism))


def test_what_cannot_be_resumed_is_refused(mechanism):
    finished = da.simulate(*mechanism)
    with pytest.raises(SimulationError, match=r"has ended at t = .*; say how far"):
        da.resume(finished, mechanism[0])
    stopped = da.simulate(*mechanism, max_steps=5)
    pendulum = da.problems.pendulum().equations
    with pytest.raises(SimulationError, match=r"'seven_body'.*'pendulum'"):
        da.resume(stopped, pendulum)
    with pytest.raises(SimulationError, match="event"):
        da.resume(stopped, mechanism[0], events=[da.Event(lambda a: a[0])])


def test_other_equations_of_the_same_name_and_size_are_refused():
    def mass(factor):
        return da.trace(M=lambda: np.array([[1.0]]), f=lambda q: np.array([-factor * q[0]]), n_q=1, name="mass")

    stopped = da.simulate(mass(1.0), (0, 5), ([1.0], [0.0]), max_steps=3)
    with pytest.raises(SimulationError):
        da.resume(stopped, mass(2.0))


# ------------------------------------------------------------------------------------------------- other parameters


def spring(k=1.0, load=(0.0, 0.5)):
    return da.trace(
        M=lambda: np.eye(2), f=lambda q, p: -p.k * q + p.load, n_q=2, parameters={"k": k, "load": np.array(load)},
        name="spring",
    )  # fmt: skip


SPRING = ((0.0, 3.0), ([1.0, 0.2], [0.0, 0.3]))


@pytest.mark.parametrize("through_a_file", [False, True])
@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_parameters_are_those_of_the_stored_run(method, through_a_file, tmp_path):
    """Whatever defaults the equations have that it is resumed with."""
    stored = spring(k=4.0)
    given = {"load": np.array([0.1, 0.2])}
    whole = da.simulate(stored, *SPRING, method=method, parameters=given)
    part = da.simulate(stored, *SPRING, method=method, parameters=given, max_steps=4)
    part = da.load(part.save(tmp_path / "part.nc")) if through_a_file else part
    again = da.resume(part, spring(k=1.0, load=(9.0, 9.0)))
    assert all(np.array_equal(getattr(again, key), getattr(whole, key)) for key in ("t", "q", "v", "a"))
    for found in (again, whole):
        assert found.parameters["k"] == 4.0 and np.array_equal(found.parameters["load"], [0.1, 0.2])


@pytest.mark.parametrize("method", ["dop853", "radau", "mexx"])
def test_parameters_given_at_the_resumption_count_from_there_on(method, tmp_path):
    """q = cos(2t) up to the stop, and with another stiffness from there on, by formulas."""
    part = da.simulate(spring(k=4.0, load=(0.0, 0.0)), *SPRING, method=method, rtol=1e-10, atol=1e-12, max_steps=6)
    t0 = part.t[-1]
    w = 3.0
    for piece in (part, da.load(part.save(tmp_path / "part.nc"))):
        found = da.resume(piece, spring(k=4.0, load=(0.0, 0.0)), parameters={"k": w**2})
        assert found.success and found.parameters["k"] == 9.0
        q0, v0 = part.q[:, -1], part.v[:, -1]
        late = found.t >= t0
        tau = found.t[late] - t0
        exact = q0[:, None] * np.cos(w * tau) + v0[:, None] / w * np.sin(w * tau)
        assert np.abs(found.q[:, late] - exact).max() < 1e-7
        # Accelerations jump: the instant stands twice, with the old value and the new one.
        first, second = np.flatnonzero(found.t == t0)
        assert np.allclose(found.a[:, first], -4.0 * q0, rtol=1e-9, atol=1e-9)
        assert np.allclose(found.a[:, second], -9.0 * q0, rtol=1e-9, atol=1e-9)
    third = da.resume(part, spring(k=4.0, load=(0.0, 0.0)), parameters={"k": 9.0}, max_steps=3)
    again = da.resume(da.load(third.save(tmp_path / "third.nc")), spring(k=1.0))
    assert np.array_equal(again.q, found.q) and again.parameters["k"] == 9.0


def test_the_same_values_given_again_change_nothing(mechanism):
    part = da.simulate(*mechanism, max_steps=5)
    same_values = dict(mechanism[0].parameters)
    assert same(da.resume(part, mechanism[0], parameters=same_values), da.simulate(*mechanism))


def test_parameters_that_contradict_the_state_are_refused():
    problem = da.problems.pendulum()
    part = da.simulate(problem, max_steps=5)
    length = problem.equations.parameters["L"]
    with pytest.raises(SimulationError, match=r"with these parameters the state at t = .* is not on the constraints"):
        da.resume(part, problem, parameters={"L": 2.0 * length})
    near = da.resume(part, problem, parameters={"L": (1.0 + 1e-5) * length})
    assert near.success and "Other parameters moved the state onto the constraints" in near.message
    assert np.hypot(*near.q[:, -1]) == pytest.approx((1.0 + 1e-5) * length, rel=1e-8)
    with pytest.raises(da.errors.EquationsError, match="has no parameter 'stiffness'"):
        da.resume(part, problem, parameters={"stiffness": 1.0})


def test_other_parameters_than_those_of_the_run_are_refused():
    part = da.simulate(spring(), *SPRING, max_steps=3)
    other = da.trace(M=lambda: np.eye(2), f=lambda q, p: -p.c[0] * q, n_q=2, parameters={"c": [1.0] * 3}, name="spring")
    with pytest.raises(SimulationError, match=r"had the parameters k, load, 'spring' has c"):
        da.resume(part, other)


def test_the_method_changes_at_the_same_step_wherever_the_run_is_stopped():
    """An oscillator that becomes stiff, for which "auto" goes over to an implicit method."""
    equations = da.trace(
        M=lambda: np.eye(1), f=lambda t, q, v: -100.0 * q - np.where(t > 1.0, 1e6, 0.0) * v, n_q=1, name="stiff"
    )
    problem = equations, (0.0, 10.0), ([1.0], [0.0])
    whole = da.simulate(*problem)
    assert whole.success and whole.method == "dop853, then radau9"
    for stops in ([39], [40], [41], [10, 42]):
        assert same(in_pieces(*problem, stops), whole), stops


def test_each_part_of_the_dense_output_is_completed_in_its_own_way():
    """A mass that an event makes zero, where elimination on atoms gives way to row pivoting."""
    equations = da.trace(
        M=lambda q, p: np.diag([p.m, 1.0, 2.0 + np.sin(q[2])]), f=lambda q: np.array([0.3, -9.81 * np.sin(q[1]), 0.1]),
        g=lambda q: np.array([q[0] - np.cos(q[1]) * np.exp(0.3 * q[2])]), n_q=3, parameters={"m": 1.0}, name="crank",
    )  # fmt: skip
    lighter = da.Event(lambda t: t - 0.5, action=lambda: da.Change(parameters={"m": 0.0}))
    problem = equations, (0.0, 1.0), ([np.cos(0.4), 0.4, 0.0], [0.0, 0.0, 0.0])
    options = {"formalism": "explicit", "events": [lighter], "rtol": 1e-9, "atol": 1e-11}
    whole = da.simulate(*problem, **options)
    assert whole.success and "solver='dense'" in whole.message
    part = da.simulate(*problem, **options, max_steps=whole.statistics.steps - 1)
    again = da.resume(part, equations, events=[lighter])
    for t in np.linspace(0.05, 0.45, 30):
        for name in ("q", "v", "a", "lam"):
            assert np.array_equal(getattr(again.sol(t), name), getattr(whole.sol(t), name)), (t, name)
    modes = part.checkpoint.header["modes"]
    part.checkpoint.header["modes"] = modes[:1]
    with pytest.raises(SimulationError, match=rf"header.modes must tell of {len(modes)} modes; got 1"):
        da.resume(part, equations, events=[lighter])
    part.checkpoint.header["modes"] = [[modes[0][0], "auto", "prayer"], *modes[1:]]
    with pytest.raises(SimulationError, match=r"header.modes\S* must name a formalism and a solver"):
        da.resume(part, equations, events=[lighter])


def test_numbers_that_are_too_large_are_refused(mechanism):
    for name in ("first_step", "min_step", "max_step", "rtol"):
        for value in (10**400, 10**5000):
            with pytest.raises(SimulationError, match=f"{name} must be a"):
                da.simulate(*mechanism, **{name: value})
    part = da.simulate(*mechanism, max_steps=3)
    for name in ("first_step", "min_step", "max_step", "rtol"):
        kept = part.checkpoint.header["options"][name]
        part.checkpoint.header["options"][name] = 10**400
        with pytest.raises(SimulationError, match=f"{name} must be a"):
            da.resume(part, mechanism[0])
        part.checkpoint.header["options"][name] = kept


@pytest.mark.parametrize("method", ["dop853", "mexx"])
def test_events_that_are_reported_do_not_show_in_projections(mechanism, method):
    options = {"method": method, "rtol": 1e-6}
    bare = da.simulate(*mechanism, **options)
    seen = da.simulate(*mechanism, events=[lambda t, q: np.sin(3000.0 * t)], **options)
    assert len(seen.t_events[0]) > 10 and np.array_equal(seen.q, bare.q)
    assert seen.statistics.extra["projection_change"] == bare.statistics.extra["projection_change"]


def test_thresholds_of_stops_are_kept_where_a_resumed_run_switches(monkeypatch):
    """One body rests a little beyond its stop from the start on, another one falls onto its own later."""
    m = da.Model("two", plane="xy", gravity=(0, -9.81))
    bodies = [
        m.body("a", mass=1.0, inertia=0.4, position=(0, -5e-9)),
        m.body("b", mass=1.0, inertia=0.4, position=(3, 0.5)),
    ]
    for body in bodies:
        m.orientation(f"upright {body.name}", m.ground, body)
        m.limit(f"floor {body.name}", body.at(0, 0).position.y, lower=0.0, restitution=0.0)
    equations = m.equations()
    q, v, _ = equations.start()
    seen, switch = [], Course.switch

    def seeing(course, rows):
        switch(course, rows)
        seen.append(course.live.run.threshold.tolist())

    monkeypatch.setattr(Course, "switch", seeing)
    problem = equations, (0.0, 0.5), (q, v)
    whole = da.simulate(*problem, method="dop853")
    expected, seen[:] = list(seen), []
    assert same(in_pieces(*problem, [2], method="dop853"), whole)
    assert seen == expected and len(seen) > 1 and seen[-1][0] > 0.0


@pytest.mark.exact
def test_a_process_that_has_made_no_run_knows_all_methods(tmp_path):
    """Modules of methods are imported when they are asked for: a stored run asks for its own."""
    for name in ("adams", "radau", "chart_dop853", "rodas5p"):
        problem = da.problems.pendulum_chain(2)
        run = da.simulate(problem.equations, (0.0, 0.1), (problem.q0, problem.v0), method=name, max_steps=2)
        run.save(tmp_path / "run.nc")
        program = f"""
import dalembert as da
problem = da.problems.pendulum_chain(2)
done = da.resume(da.load({str(tmp_path / "run.nc")!r}), problem.equations)
assert done.success and done.method == {name!r}, done.message
"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
