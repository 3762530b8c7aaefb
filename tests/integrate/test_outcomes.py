"""How runs end, and what they say: partial results, names of culprits, advice, refusals."""

import subprocess
import sys
import warnings

import numpy as np
import pytest
from integrate.runs import EACH_FAMILY, exact_for_parabolas

import dalembert as da
from dalembert.errors import ConstraintError, EquationsError, SimulationError, StateError
from dalembert.integrate.methods.registry import METHODS

START = [1.0], [0.0]
GUARD = {"max_steps": 5000}


def mass(f, name="mass", **more):
    return da.trace(M=lambda: np.array([[1.0]]), f=f, n_q=1, names={"q": ["x"]}, name=name, **more)


@pytest.fixture(scope="module")
def oscillator():
    return mass(lambda q: np.array([-q[0]]), "oscillator")


@pytest.fixture(scope="module")
def pendulum():
    return da.problems.pendulum().equations


@pytest.mark.parametrize("method", EACH_FAMILY)
def test_force_that_becomes_nan(method):
    """A fall from x = 1 with a trace of log(x): it cannot go below zero."""
    eqs = mass(lambda q: np.array([-10.0 + 1e-12 * np.log(q[0])]), "logarithm")
    run = da.simulate(eqs, (0, 2), START, method=exact_for_parabolas(method), **GUARD)
    assert not run.success and run.status < 0 and run.outcome == "not finite"
    assert "x" in run.message and "force" in run.message
    assert run.t[-1] == pytest.approx(np.sqrt(0.2), abs=1e-6)
    assert np.isfinite(run.q).all() and run.q[0] == pytest.approx(1 - 5 * run.t**2, abs=1e-9)
    assert run.sol(0.2).q[0] == pytest.approx(0.8)


NO_STEP = """
import sys
import numpy as np
import dalembert as da
from dalembert.integrate.methods.registry import METHODS
eqs = da.trace(
    M=lambda: np.eye(1), f=lambda t, p: np.array([np.sqrt(p.t0 - t)]), n_q=1, parameters={"t0": 0.0}, name="root"
)
for t0 in (0.0, 3.0):
    for method in da.methods():
        first = {"first_step": 1e-3} if METHODS[method].steps_alike else {}
        run = da.simulate(
            eqs, (t0, t0 + 1), ([1.0], [0.0]), method=method, parameters={"t0": t0}, max_steps=100, **first
        )
        assert not run.success and run.outcome == "not finite", (method, t0, run.outcome)
        assert abs(run.t[-1] - t0) < 1e-6 and run.statistics.steps < 100
"""


def test_force_that_is_nan_right_after_the_start():
    """No step can be made at all: the run ends, also at t = 0, where every step is large compared with the time.

    In a process of its own, as a run that does not end cannot be stopped from outside of the compiled code.
    """
    done = subprocess.run([sys.executable, "-c", NO_STEP], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


def rod(**changes):
    """A pendulum of length 2 in Cartesian coordinates."""
    given = {
        "M": lambda p: np.diag([p.m, p.m]),
        "f": lambda p: np.array([0.0, -9.81 * p.m]),
        "g": lambda q: np.array([q @ q - 4.0]),
        "n_q": 2,
        "parameters": {"m": 1.0},
        "names": {"q": ["x", "y"], "lam": ["rod"]},
        "name": "pendulum",
    }
    return da.trace(**(given | changes))


ROD_START = [2.0, 0.0], [0.0, 0.0]


@pytest.mark.parametrize(
    "options",
    [{}, {"formalism": "contract"}, {"solver": "dense"}, {"method": "radau"}, {"method": "dopri5"}],
    ids=str,
)
def test_force_that_becomes_nan_in_a_constrained_system(options):
    eqs = rod(f=lambda q, p: np.array([np.sqrt(q[0] - 1), -9.81 * p.m]))
    run = da.simulate(eqs, (0, 10), ROD_START, **options, **GUARD)
    assert run.outcome == "not finite" and "f[0] (x.rate)" in run.message and "rank" not in run.message
    assert run.q[0, -1] == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_event_that_is_nan_is_named(method):
    root = da.Event(lambda q: np.sqrt(q[0]) - 0.1, name="root")
    run = da.simulate(rod(), (0, 10), ROD_START, events=[root], method=method, **GUARD)
    assert run.outcome == "not finite" and "event 'root' is not finite" in run.message and "force" not in run.message
    assert run.t_events[0].size == 1 and run.q[0, -1] == pytest.approx(0.0, abs=1e-4)
    run = da.simulate(rod(), (0, 10), ROD_START, events=[da.Event(lambda q: np.log(-q[0]), name="log")], **GUARD)
    assert run.outcome == "bad start" and "event 'log'" in run.message


def test_a_solver_that_takes_over_is_told():
    """Without the first mass the elimination on atoms divides by zero; row pivoting does not."""
    eqs = da.trace(
        M=lambda p: np.diag([p.m, 1.0]),
        f=lambda: np.array([0.0, -1.0]),
        g=lambda q: np.array([q[0] - q[1]]),
        n_q=2,
        parameters={"m": 1.0},
        name="massless",
    )
    event = da.Event(lambda t: t - 0.5, action=lambda: da.Change(parameters={"m": 0.0}))
    run = da.simulate(eqs, (0, 1), ([0.0, 0.0], [0.0, 0.0]), formalism="explicit", events=[event])
    assert run.success and run.a[1, 0] == pytest.approx(-0.5) and run.a[1, -1] == pytest.approx(-1.0)
    assert "From t = 0.5 on" in run.message and "solver='dense'" in run.message
    steps = int(np.flatnonzero(np.diff(run.t) == 0.0)[0])  # a stop before there are steps with it
    part = da.simulate(eqs, (0, 1), ([0.0, 0.0], [0.0, 0.0]), formalism="explicit", events=[event], max_steps=steps)
    assert part.status == 2 and part.t[-1] == run.t[steps] and "solver" not in part.message
    assert da.resume(part, eqs, events=[event]).message == run.message
    assert "solver" not in da.simulate(eqs, (0, 1), ([0.0, 0.0], [0.0, 0.0])).message


def test_culprit_is_named():
    eqs = da.trace(
        M=lambda: np.eye(2),
        f=lambda t, q: np.array([0.0, np.log(0.5 - t)]),
        n_q=2,
        names={"q": ["left", "right"]},
        name="two",
    )
    run = da.simulate(eqs, (0, 1), ([0.0, 0.0], [0.0, 0.0]), **GUARD)
    assert run.outcome == "not finite" and run.t[-1] == pytest.approx(0.5, abs=1e-6)
    assert "right" in run.message and "left" not in run.message


@pytest.mark.parametrize("method", EACH_FAMILY)
def test_blow_up_in_finite_time(method):
    """ẍ = 6 x², x = 1/(1 − t)²."""
    eqs = mass(lambda q: np.array([6 * q[0] ** 2]), "blow-up")
    run = da.simulate(eqs, (0, 2), ([1.0], [2.0]), method=method, rtol=1e-8, atol=1e-8, **GUARD)
    assert not run.success and run.status < 0
    assert run.outcome in ("step size underflow", "not finite", "no convergence")
    assert run.t[-1] == pytest.approx(1.0, abs=1e-3)
    half = run.t < 0.9
    assert run.q[0, half] == pytest.approx((1 - run.t[half]) ** -2, rel=1e-4)


def test_smallest_step():
    eqs = mass(lambda q: np.array([6 * q[0] ** 2]), "blow-up")
    run = da.simulate(eqs, (0, 2), ([1.0], [2.0]), rtol=1e-8, atol=1e-8, min_step=1e-3, **GUARD)
    assert run.outcome == "step size underflow" and run.t[-1] < 1 and "step size" in run.message


def test_start_far_from_the_constraints():
    eqs = da.trace(
        M=lambda: np.eye(2),
        f=lambda: np.zeros(2),
        g=lambda q: np.array([q[0] ** 2 + q[1] ** 2 + 1.0]),
        n_q=2,
        name="impossible",
    )
    run = da.simulate(eqs, (0, 1), ([1.0, 0.5], [0.0, 0.0]), **GUARD)
    assert run.outcome == "bad start" and not run.success and run.statistics.steps == 0 and "solver" not in run.message
    assert "constraint" in run.message and run.t.tolist() == [0.0]


def test_start_that_is_nearly_consistent_is_projected(pendulum):
    run = da.simulate(pendulum, (0, 0.1), ([1.001, 0.0], [0.3, 1.0]))
    assert run.q[:, 0] == pytest.approx([1.0, 0.0], abs=1e-14) and run.v[:, 0] == pytest.approx([0.0, 1.0], abs=1e-14)


def test_start_that_misses_the_constraints_is_told(pendulum):
    with pytest.warns(da.errors.DalembertWarning, match="not meet the constraints; x was moved from 2 to 1 to meet"):
        run = da.simulate(pendulum, (0, 0.1), ([2.0, 0.0], [0.0, 1.0]))
    assert run.success and run.q[:, 0] == pytest.approx([1.0, 0.0], abs=1e-14)
    with warnings.catch_warnings(), pytest.raises(da.errors.DalembertWarning, match="does not meet the constraints"):
        warnings.simplefilter("error")
        da.simulate(pendulum, (0, 0.2), ([2.0, 0.0], [0.0, 1.0]))


def test_redundant_constraints_are_refused_or_accepted():
    eqs = da.trace(
        M=lambda: np.eye(2),
        f=lambda: np.array([-1.0, 0.0]),
        g=lambda q: np.array([q[1], (q[0] ** 2) * q[1] + 0 * q[0]]),
        n_q=2,
        name="redundant",
    )
    with pytest.raises(ConstraintError, match="lam"):
        da.simulate(eqs, (0, 1), ([0.5, 0.0], [0.0, 0.0]))
    run = da.simulate(eqs, (0, 1), ([0.5, 0.0], [0.0, 0.0]), redundant="accept", **GUARD)
    assert run.success and run.q[0, -1] == pytest.approx(0.0, abs=1e-7)


@pytest.mark.parametrize("formalism", ["explicit", "contract"])
def test_dead_point(formalism):
    """The constraint x y = 0 is followed along y = 0 to the crossing, where its gradient vanishes."""
    eqs = da.trace(
        M=lambda: np.eye(2), f=lambda: np.zeros(2), g=lambda q: np.array([q[0] * q[1]]), n_q=2, name="crossing"
    )
    run = da.simulate(eqs, (0, 2), ([1.0, 0.0], [-1.0, 0.0]), formalism=formalism, **GUARD)
    if run.success:  # a step across the point does not see it
        assert run.q[0, -1] == pytest.approx(-1.0, abs=1e-9)
    else:
        assert run.outcome in ("rank lost", "projection failed", "not finite") and run.t[-1] == pytest.approx(
            1, abs=1e-3
        )


def test_bad_values_at_the_start():
    eqs = mass(lambda q: np.array([np.log(q[0])]), "logarithm")
    with pytest.raises(EquationsError, match=r"f\[0\].*x"):
        da.simulate(eqs, (0, 1), ([-1.0], [0.0]))
    with pytest.raises(StateError, match=r"x.*nan"):
        da.simulate(eqs, (0, 1), ([np.nan], [0.0]))


def test_progress_and_step_limit(oscillator):
    calls = []
    run = da.simulate(oscillator, (0, 2000), START, max_steps=1500, progress=lambda t, s: calls.append((t, s.steps)))
    assert run.outcome == "step limit" and run.status == 2 and run.success and "resume" in run.message
    assert len(calls) >= 2 and calls[-1] == (run.t[-1], 1500) and [c[0] for c in calls] == sorted(c[0] for c in calls)


def test_exception_in_progress_is_the_users_own(oscillator):
    def fails(t, statistics):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        da.simulate(oscillator, (0, 20), START, max_steps=5, progress=fails)


# ----------------------------------------------------------------------------------------------------------- arguments


@pytest.mark.parametrize(
    "options,words",
    [
        ({"rtol": -1e-3}, "rtol"),
        ({"rtol": np.nan}, "rtol"),
        ({"rtol": "small"}, "rtol"),
        ({"atol": -1.0}, "atol"),
        ({"atol": [1e-6] * 3}, "2 numbers"),
        ({"method": "dop835"}, "did you mean 'dop853'"),
        ({"method": "radau6"}, "radau"),
        ({"t_eval": [0.5, 1.5]}, "within the span"),
        ({"t_eval": [0.5, 0.2]}, "sorted"),
        ({"t_eval": [0.5, np.nan]}, "finite"),
        ({"redundant": "yes"}, "'refuse' or 'accept'"),
        ({"formalism": "magic"}, "formalism"),
        ({"max_step": 0.0}, "max_step"),
        ({"max_step": -1.0}, "max_step"),
        ({"first_step": -1.0}, "first_step"),
        ({"first_step": 0.0}, "first_step"),
        ({"min_step": -1.0}, "min_step"),
        ({"max_steps": -1}, "max_steps"),
        ({"max_steps": 2.5}, "max_steps must be a whole number"),
        ({"event_checks": 2.5}, "event_checks must be a whole number"),
        ({"event_checks": 0}, "event_checks"),
        ({"atol": "a"}, "atol"),
        ({"atol": np.nan}, "atol must be finite"),
        ({"t_eval": "ab"}, "t_eval"),
        ({"max_step": "a"}, "max_step"),
        ({"first_step": "a"}, "first_step"),
        ({"solver": "sprase"}, "did you mean 'sparse'"),
        ({"solver": "dense", "formalism": "explicit"}, "formalism='contract'"),
        ({"constraints": "lam0"}, "list"),
        ({"events": 3}, "events, functions or Events, must be a list"),
        ({"events": [3]}, "event 0: function must be a function, or an Event"),
        ({"events": [da.Event(lambda q: q[0], direction="up")]}, "direction"),
        ({"events": [da.Event(lambda q: q[0], threshold=np.nan)]}, "threshold"),
        ({"events": [da.Event(lambda q: q[0], threshold=-1.0)]}, "threshold"),
        ({"events": [da.Event(lambda q: q[0], terminal=-1)]}, "terminal"),
        ({"events": [da.Event(lambda q: q[0], action=3)]}, "action"),
        ({"outputs": [np.sin]}, "outputs must be a dictionary"),
    ],
)
def test_bad_options_are_refused(oscillator, options, words):
    with pytest.raises(SimulationError, match=words):
        da.simulate(oscillator, (0, 1), START, **({"max_steps": 1000} | options))


@pytest.mark.parametrize("span", [3.0, (0,), (0, 1, 2), (0, np.inf), (0, "end"), None])
def test_bad_spans_are_refused(oscillator, span):
    with pytest.raises(SimulationError, match="span"):
        da.simulate(oscillator, span, START)


def test_bad_starts_are_refused(oscillator, pendulum):
    for start, words in (
        (([1.0, 2.0], [0.0]), "1 entries"),
        (([1.0], [0.0, 1.0]), "v must have 1"),
        (([1.0], [0.0], [3.0]), "u must have 0"),
        ((["one"], [0.0]), "numbers"),
        (({"y": 1.0}, [0.0]), "'y'.* x"),
    ):
        with pytest.raises(StateError, match=words):
            da.simulate(oscillator, (0, 1), start)
    with pytest.raises(SimulationError, match="start has no 'V'; Valid names are: lam, q, u, v"):
        da.simulate(oscillator, (0, 1), {"q": [1.0], "V": [5.0]})
    for start in ([1.0, 0.0], ([1.0], [0.0], [], []), {"v": [1.0]}, 5.0):
        with pytest.raises(SimulationError, match="start"):
            da.simulate(oscillator, (0, 1), start)
    with pytest.raises(EquationsError, match="'k'"):
        da.simulate(oscillator, (0, 1), START, parameters={"k": 1.0})


def test_ways_to_give_a_start(oscillator):
    whole = da.simulate(oscillator, (0, 1), START)
    for start in (
        oscillator.assemble(q=[1.0]),
        {"q": [1.0]},
        {"q": {"x": 1.0}, "v": [0.0]},
        ([1.0],),
        np.array([[1.0], [0.0]]),
    ):
        assert np.array_equal(da.simulate(oscillator, (0, 1), start).q, whole.q)


def test_no_time_at_all(oscillator):
    run = da.simulate(oscillator, (1, 1), START)
    assert run.success and run.t.tolist() == [1.0] and run.statistics.steps == 0 and run.a[0, 0] == -1.0
    run = da.simulate(oscillator, (1, 1), START, t_eval=[1.0])
    assert run.t.tolist() == [1.0]


def test_output_instants(oscillator):
    for t_eval in ([], [0.0], [1.0], [0.25, 0.25, 0.5], np.linspace(0, 1, 1001)):
        run = da.simulate(oscillator, (0, 1), START, t_eval=t_eval, rtol=1e-10, atol=1e-10)
        assert np.array_equal(run.t, t_eval) and run.q[0] == pytest.approx(np.cos(run.t), abs=1e-9)
        assert run.q.shape == (1, len(t_eval)) and run.lam.shape == (0, len(t_eval))


def test_tolerances_per_component(oscillator):
    tight = da.simulate(oscillator, (0, 10), START, rtol=0.0, atol=[1e-10, 1e-10])
    loose = da.simulate(oscillator, (0, 10), START, rtol=0.0, atol=[1e-3, 1e-3])
    assert abs(tight.q[0, -1] - np.cos(10)) < 1e-8 and loose.nfev < 0.5 * tight.nfev
    assert np.array_equal(tight.q, da.simulate(oscillator, (0, 10), START, rtol=0.0, atol=1e-10).q)


def test_step_sizes_are_as_asked(oscillator):
    run = da.simulate(oscillator, (0, 5), START, first_step=0.01, max_step=0.1)
    assert run.t[1] == pytest.approx(0.01) and np.diff(run.t).max() <= 0.1 + 1e-12
    assert run.statistics.step_max <= 0.1 + 1e-12


def test_numbers_of_numpy_are_numbers(oscillator):
    run = da.simulate(
        oscillator, (0, 1), START, rtol=np.float32(1e-6), max_step=np.float64(0.05), max_steps=np.int64(500)
    )
    assert run.success and run.q[0] == pytest.approx(np.cos(run.t), abs=1e-6)
    assert np.diff(run.t).max() <= 0.05 + 1e-12
    few = da.simulate(oscillator, (0, 1), START, max_step=np.float64(0.05), max_steps=np.int64(5))
    assert few.statistics.steps == 5


def test_a_solver_that_is_asked_for_is_used():
    assert da.simulate(rod(), (0, 1), ROD_START).nlu == 0
    assert da.simulate(rod(), (0, 1), ROD_START, solver="dense").nlu > 0


def test_tolerance_beyond_rounding(oscillator):
    run = da.simulate(oscillator, (0, 1), START, rtol=1e-20, atol=0.0, **GUARD)
    assert "rtol = 1e-15 was used" in run.message
    if not run.success:
        assert "more digits" in run.message and "smooth" not in run.message
    assert "rtol" not in da.simulate(oscillator, (0, 1), START, rtol=1e-12, atol=1e-14).message


def test_a_problem_has_a_span_and_a_start():
    problem = da.problems.double_pendulum()
    run = da.simulate(problem, rtol=1e-7)
    same = da.simulate(problem.equations, problem.span, (problem.q0, problem.v0), rtol=1e-7)
    assert np.array_equal(run.q, same.q) and run.t[-1] == problem.span[1]
    assert run.title == "Planar double pendulum" and same.title == "double_pendulum"
    short = da.simulate(problem, (0, 0.1), ([1.0, 0.0, 1.0, -1.0], np.zeros(4)))
    assert short.t[-1] == 0.1 and short.q[3, 0] == -1.0
    assert np.array_equal(da.simulate(problem.equations, problem.span, problem.start, rtol=1e-7).q, run.q)
    part = da.simulate(problem, rtol=1e-7, max_steps=5)
    whole = da.resume(part, problem)
    assert np.array_equal(whole.q, run.q) and whole.title == run.title
    with pytest.raises(SimulationError, match="needs a span"):
        da.simulate(problem.equations)
    with pytest.raises(SimulationError, match="must be made by"):
        da.simulate("pendulum", (0, 1), START)


# ----------------------------------------------------------------------------------------------------------- outputs


def test_outputs_are_looked_at_before_the_run(oscillator):
    with pytest.raises(EquationsError, match="output 'e' asks for an argument 'qq'"):
        da.simulate(oscillator, (0, 1), START, outputs={"e": lambda qq: qq})


def test_an_output_that_fails_does_not_lose_the_run(oscillator):
    outputs = {
        "wrong": lambda q: [][1],
        "late": lambda t: 1.0 if t < 0.5 else 1 / 0,
        "good": lambda q, y, v: q[0] + 0 * y[1] + v[0] - y[1],
        "branch": lambda q: 1.0 if q[0] > 0.9 else 0.0,
    }
    run = da.simulate(oscillator, (0, 1), START, outputs=outputs, t_eval=[0.0, 0.25, 1.0])
    assert run.success and list(run.outputs) == ["good", "branch"]
    assert "Output 'wrong' is missing: IndexError" in run.message and "ZeroDivisionError" in run.message
    assert run["good"] == pytest.approx(np.cos(run.t), abs=1e-6) and run["branch"].tolist() == [1.0, 1.0, 0.0]


def test_outputs_of_a_resumed_run_are_given_again(oscillator, tmp_path):
    outputs = {"twice": lambda q: 2 * q[0]}
    part = da.simulate(oscillator, (0, 5), START, max_steps=3, outputs=outputs)
    known = da.resume(part)  # a run of this process knows them
    part.save(tmp_path / "part.nc")
    stored = da.load(tmp_path / "part.nc")
    lost = da.resume(stored, oscillator)
    assert "missing: twice" in lost.message and not lost.outputs
    for whole in (known, da.resume(stored, oscillator, outputs=outputs)):
        assert np.array_equal(whole["twice"], 2 * whole.q[0]) and "missing" not in whole.message


def test_the_line_of_progress_ends(oscillator, capsys):
    for options, t in (({}, "t = 1 "), ({"events": [da.Event(lambda q: q[0] - 0.9, terminal=True)]}, "t = 0.45")):
        da.simulate(oscillator, (0, 1), START, progress=True, **options)
        lines = capsys.readouterr().err.split("\r")
        assert lines[-1].endswith("\n") and lines[-1].startswith(t)


def test_auto_is_a_method(oscillator):
    assert da.simulate(oscillator, (0, 1), START).method in METHODS


def stiff_block():
    m = da.Model("stiff", plane="xy", gravity=(0.0, 0.0))
    slide = m.prismatic("slide", m.ground.at(0, 0), m.body("block", mass=1.0, inertia=1.0).at(0, 0), axis=(1, 0))
    m.joint_spring("mount", slide, stiffness=1e6, damping=1e4)
    return m.equations()


@pytest.mark.parametrize("method", [da.Dopri5, da.Dop853, da.ExplicitEuler, da.Imex])
@pytest.mark.parametrize("made", ["model", "functions"])
def test_steps_of_one_size_that_blow_up_are_no_success(method, made):
    equations = stiff_block()
    if made == "functions":
        equations = da.trace(M=lambda: np.eye(1), f=lambda q, v: -1e4 * v - 1e6 * q, n_q=1, names={"q": ["slide.x"]})
    run = da.simulate(equations, (0, 0.3), ([1.0], [0.0]), method=method(controller=da.FixedStep(size=0.01)))
    assert np.abs(run.q).max() > 1e50
    assert not run.success and run.outcome == "unbounded" and run.status == -8
    assert "slide." in run.message and "has grown to" in run.message and "steps of 0.01 are too long" in run.message
    assert made == "functions" or "spring 'mount'" in run.message


def test_external_states_that_blow_up_are_no_success():
    equations = da.trace(
        M=lambda: np.eye(1), f=lambda q: -q, d=lambda u: -1e4 * u, n_q=1, n_u=1, names={"u": ["filter"]}, name="loop"
    )
    fixed = da.Dopri5(controller=da.FixedStep(size=0.01))
    run = da.simulate(equations, (0, 0.2), ([1.0], [0.0], [1.0]), method=fixed)
    assert run.outcome == "unbounded" and "filter has grown to" in run.message


@pytest.mark.parametrize("size", [1.0, 1e11])
def test_steps_of_one_size_that_stay_within_bounds_are_a_success(size):
    """Also where a motion is large in its units, such as that of a planet in metres."""
    equations = da.trace(M=lambda: np.eye(1), f=lambda q: -q, n_q=1)
    run = da.simulate(equations, (0, 3), ([size], [0.0]), method=da.Dopri5(controller=da.FixedStep(size=0.01)))
    assert run.success and run.outcome == "finished"


@pytest.mark.parametrize("method", ["auto", "radau"])
def test_a_law_that_feeds_a_motion_without_bounds_is_named(method):
    """The torque of a gear spring acts against the deflection: with another sign it drives the wheels apart."""
    m = da.Model("gears", plane="xy", gravity=(0.0, 0.0))
    wheels = [m.body(name, mass=1.0, inertia=1.0) for name in "ab"]
    a, b = (m.revolute(body.name.upper(), m.ground.at(x, 0), body.at(0, 0)) for x, body in enumerate(wheels))
    m.gear_spring("mesh", a, b, -1.0, torque=lambda deflection: -1e4 * deflection - 10.0 * deflection**3)
    m.joint_spring("loose", a, stiffness=1.0)
    equations = m.equations()
    run = da.simulate(equations, (0, 10), equations.assemble({a.angle: 0.01}), method=method)
    assert not run.success and run.outcome == "step size underflow" and np.abs(run.v).max() > 1e20
    assert ".rate has grown to" in run.message and "gear spring 'mesh' feeds the motion" in run.message
    assert "not smooth" not in run.message


def test_steps_of_one_size_that_were_divided_are_reported():
    """An iteration that does not converge; what the tolerance asks of it beyond rounding does not count."""
    chain = da.problems.get("pendulum_chain")
    runs = {
        (size, rtol): da.simulate(
            chain.equations, (0, 0.5), chain.start, method=da.Newmark(controller=da.FixedStep(size=size)), rtol=rtol,
            atol=rtol,
        )
        for size, rtol in ((0.01, 1e-10), (0.01, 1e-13), (1e-3, 1e-6))
    }  # fmt: skip
    divided, tight, whole = runs.values()
    assert divided.statistics.rejected == tight.statistics.rejected > 0 == whole.statistics.rejected
    assert f"{divided.statistics.rejected} attempts failed" in divided.message
    assert "Not all steps have the size 0.01:" in divided.message and "Not all steps" not in whole.message
