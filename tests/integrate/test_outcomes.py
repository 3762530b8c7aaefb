"""How runs end, and what they say: partial results, names of culprits, advice, refusals."""

import subprocess
import sys

import numpy as np
import pytest

import dalembert as da
from dalembert.errors import ConstraintError, EquationsError, SimulationError, StateError
from dalembert.integrate.methods import METHODS

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


@pytest.mark.parametrize("method", METHODS)
def test_force_that_becomes_nan(method):
    """A fall from x = 1 with a trace of log(x): it cannot go below zero."""
    eqs = mass(lambda q: np.array([-10.0 + 1e-12 * np.log(q[0])]), "logarithm")
    run = da.simulate(eqs, (0, 2), START, method=method, **GUARD)
    assert not run.success and run.status < 0 and run.outcome == "not finite"
    assert "x" in run.message and "force" in run.message
    assert run.t[-1] == pytest.approx(np.sqrt(0.2), abs=1e-6)
    assert np.isfinite(run.q).all() and run.q[0] == pytest.approx(1 - 5 * run.t**2, abs=1e-9)
    assert run.sol(0.2).q[0] == pytest.approx(0.8)


NO_STEP = """
import sys
import numpy as np
import dalembert as da
eqs = da.trace(
    M=lambda: np.eye(1), f=lambda t, p: np.array([np.sqrt(p.t0 - t)]), n_q=1, parameters={"t0": 0.0}, name="root"
)
for t0 in (0.0, 3.0):
    for method in da.methods():
        run = da.simulate(eqs, (t0, t0 + 1), ([1.0], [0.0]), method=method, parameters={"t0": t0}, max_steps=100)
        assert not run.success and run.outcome == "not finite", (method, t0, run.outcome)
        assert abs(run.t[-1] - t0) < 1e-6 and run.statistics.steps < 100
"""


def test_force_that_is_nan_right_after_the_start():
    """No step can be made at all: the run ends, also at t = 0, where every step is large compared with the time.

    In a process of its own, as a run that does not end cannot be stopped from outside of the compiled code.
    """
    done = subprocess.run([sys.executable, "-c", NO_STEP], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


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


@pytest.mark.parametrize("method", METHODS)
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
    assert run.outcome == "bad start" and not run.success and run.statistics.steps == 0
    assert "constraint" in run.message and run.t.tolist() == [0.0]


def test_start_that_is_nearly_consistent_is_projected(pendulum):
    run = da.simulate(pendulum, (0, 0.1), ([1.001, 0.0], [0.3, 1.0]))
    assert run.q[:, 0] == pytest.approx([1.0, 0.0], abs=1e-14) and run.v[:, 0] == pytest.approx([0.0, 1.0], abs=1e-14)


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


def test_auto_is_a_method(oscillator):
    assert da.simulate(oscillator, (0, 1), START).method in METHODS
