"""Functions that misbehave: what is not finite is never accepted, what raises loses nothing, and Ctrl-C is answered."""

import math
import os
import signal
import threading
import time

import numpy as np
import pytest
from integrate.runs import EACH_FAMILY

import dalembert as da

START = [1.0], [0.0], [1.0]


def filtered(d, name="filtered"):
    """An oscillator, and a state u̇ = d beside it."""
    return da.trace(M=lambda: np.eye(1), f=lambda q: np.array([-q[0]]), d=da.numeric(d), n_q=1, n_u=1, name=name)


@pytest.fixture(scope="module")
def oscillator():
    return da.trace(M=lambda: np.eye(1), f=lambda q: np.array([-q[0]]), n_q=1, name="oscillator")


@pytest.mark.parametrize("method", [name for name in EACH_FAMILY if "descriptor" not in name])
def test_one_value_that_is_not_finite_is_not_noticed(method):
    """Wherever in a step it falls: on a stage, on its end, on a stage of the dense output, on a Jacobian."""
    at = calls = 0

    def d(u):
        nonlocal calls
        calls += 1
        return np.array([np.nan if calls == at else -u[0]])

    equations = filtered(d)
    for at in range(30, 54):
        calls = 0
        run = da.simulate(equations, (0, 3), START, method=method)
        t = np.linspace(0, 3, 31)
        assert run.success and calls >= at, (at, calls, run.message)
        assert np.abs(run.u[0] - np.exp(-run.t)).max() < 1e-4
        assert np.abs(run.sol(t).u[0] - np.exp(-t)).max() < 1e-4


@pytest.mark.parametrize("method", EACH_FAMILY)
def test_rates_that_become_nan_are_named(method):
    """q̇ = (1 + √(1 − t)) v with v = −1 ends at t = 1; forces and accelerations are finite everywhere."""
    eqs = da.trace(
        M=lambda: np.eye(1),
        f=lambda: np.zeros(1),
        T=lambda t: np.array([[1.0 + np.sqrt(1.0 - t)]]),
        n_q=1,
        name="rates",
    )
    run = da.simulate(eqs, (0, 4), ([1.0], [-1.0]), method=method, max_steps=2000)
    assert run.outcome == "not finite" and run.status == -3 and "T[0, 0] is not finite" in run.message
    exact = 1.0 - run.t - 2.0 / 3.0 * (1.0 - np.maximum(1.0 - run.t, 0.0) ** 1.5)
    assert run.t[-1] == pytest.approx(1.0, abs=1e-4) and run.q[0] == pytest.approx(exact, abs=1e-4)


@pytest.mark.parametrize("method", EACH_FAMILY)
@pytest.mark.parametrize("error", [ValueError, StopIteration, MemoryError, KeyboardInterrupt])
def test_an_event_function_that_raises_where_its_root_is_located(oscillator, method, error):
    """The switching function is fine at the ends of steps, and raises next to its root."""

    def near(q):
        if abs(float(q[0]) - 0.5) < 0.02:
            raise error("at the root")
        return float(q[0]) - 0.5

    run = da.simulate(oscillator, (0, 3), START[:2], method=method, events=[da.Event(near, name="near")])
    assert not run.success and 0.0 < run.t[-1] < 1.1 and run.t.size > 2
    assert run.q[0] == pytest.approx(np.cos(run.t), abs=1e-4)
    if error is KeyboardInterrupt:
        assert run.outcome == "interrupted"
    else:
        assert run.outcome == "function failed"
        assert "Event 'near' raised" in run.message and error.__name__ in run.message and "at the root" in run.message


@pytest.mark.parametrize("who", ["monitor", "progress"])
def test_those_that_look_on_lose_nothing(oscillator, who):
    def fails(*told):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine") as caught:
        da.simulate(oscillator, (0, 20), START[:2], max_steps=5, **{who: fails})
    run = caught.value.solution
    assert run.t.size == 6 and run.q[0] == pytest.approx(np.cos(run.t), abs=1e-4)
    assert run.outcome == "function failed" and f"{who.capitalize()} raised LookupError" in run.message
    assert any("solution" in note for note in caught.value.__notes__)


def test_an_action_that_is_interrupted_is_not_resumed(oscillator):
    """Nobody knows what it has changed; to go on without it would be wrong."""

    def action():
        raise KeyboardInterrupt

    event = da.Event(lambda q: q[0] - 0.5, action=action, name="half")
    run = da.simulate(oscillator, (0, 3), START[:2], events=[event])
    assert run.outcome == "interrupted" and run.checkpoint is None and "action of event 'half'" in run.message
    assert run.t[-1] == pytest.approx(np.pi / 3, abs=1e-5)


def test_sensors_that_are_interrupted_lose_nothing(oscillator):
    def sensor(t):
        if float(t) > 0.5:
            raise KeyboardInterrupt
        return 1.0

    run = da.simulate(oscillator, (0, 1), START[:2], outputs={"slow": sensor})
    assert run.success and "Output 'slow' is missing: KeyboardInterrupt" in run.message


@pytest.mark.parametrize("raises", [ValueError, KeyboardInterrupt])
def test_functions_that_raise_at_instants_of_output(raises):
    """They are called there after the steps of a slice are made, which stay."""
    armed = False

    def d(t, u):
        if armed and float(t) == 0.6180339887:
            raise raises("here")
        return np.array([-u[0]])

    eqs = filtered(d)
    armed = True
    run = da.simulate(eqs, (0, 3), START, t_eval=[0.0, 0.6180339887, 3.0])
    assert not run.success and run.checkpoint is None
    assert run.outcome == ("interrupted" if raises is KeyboardInterrupt else "function failed")
    assert run.sol(1.0).u[0] == pytest.approx(np.exp(-1.0), abs=1e-5)


@pytest.mark.parametrize("method", ["dop853", "radau", "mexx"])
def test_ctrl_c_is_answered_after_the_attempt_at_hand(method):
    calls = 0

    def d(u):
        nonlocal calls
        calls += 1
        if calls == 200:
            os.kill(os.getpid(), signal.SIGINT)
        return np.array([-u[0]])

    before = signal.getsignal(signal.SIGINT)
    run = da.simulate(filtered(d), (0, 200), START, method=method, max_steps=3000)
    assert run.outcome == "interrupted" and run.checkpoint is not None and run.t.size > 2
    assert 200 <= calls < 600 and signal.getsignal(signal.SIGINT) is before
    assert da.resume(run, filtered(lambda u: np.array([-u[0]])), max_steps=3).success


def seconds_to_end(*arguments, **options):
    """Simulate, with a signal as that of Ctrl-C a tenth of a second after the run has begun; the solution, and how long
    the signal was waited on."""
    before, sent = signal.getsignal(signal.SIGINT), []

    def send():
        while signal.getsignal(signal.SIGINT) is before:
            time.sleep(0.001)
        time.sleep(0.1)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=send, daemon=True)
    thread.start()
    run = da.simulate(*arguments, **options)
    thread.join()
    return run, time.perf_counter() - sent[0]


@pytest.mark.parametrize("method", ["dopri5", "radau", "bdf", "mexx", "chart_bdf"])
def test_a_signal_ends_a_run_within_a_second(method):
    """Nothing is called back in Python: kernels have to return by themselves."""
    chain = da.problems.get("pendulum_chain")
    run, seconds = seconds_to_end(chain.equations, (0, 1e6), chain.start, method=method, rtol=1e-9, atol=1e-9)
    assert run.outcome == "interrupted" and run.checkpoint is not None and seconds < 1.0


@pytest.mark.parametrize("size", [0.01, 30.0])
def test_a_signal_ends_a_run_that_waits_for_the_clock(oscillator, size):
    method = da.Dopri5(controller=da.FixedStep(size=size))
    run, seconds = seconds_to_end(oscillator, (0, 300), START[:2], method=method, realtime=True)
    assert run.outcome == "interrupted" and seconds < 1.0


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (None, "must be a number or an array of numbers"),
        ("text", "must be a number or an array of numbers"),
        (np.zeros(2), "shape"),
        (1j, "numbers"),
    ],
)
def test_wrong_results_are_named(result, words):
    calls = 0

    def d(u):
        nonlocal calls
        calls += 1
        return np.array([-u[0]]) if calls < 100 else result

    run = da.simulate(filtered(d), (0, 100), START, method="dopri5")
    assert run.outcome == "function failed" and "function d" in run.message and words in run.message
    assert run.t.size > 2 and run.u[0] == pytest.approx(np.exp(-run.t), abs=1e-4)


def failing_at(at, error):
    """An oscillator and a state u̇ = −u, whose function fails at one of its calls."""
    calls = 0

    def d(u):
        nonlocal calls
        calls += 1
        if calls == at and isinstance(error, type):
            raise error("mine")
        return np.array([-u[0]]) if calls != at else error

    return filtered(d)


@pytest.mark.parametrize("options", [{"method": "auto"}, {"method": da.Radau(jacobian="estimated")}, {"method": "bdf"}])
@pytest.mark.parametrize("error", [RuntimeError, MemoryError, StopIteration, ValueError, np.zeros(2)])
def test_no_exception_vanishes_wherever_it_falls(options, error):
    """Also where functions are called for points that no step asks for, such as those of the fastest motion."""
    for at in range(3, 20):
        try:
            run = da.simulate(failing_at(at, error), (0, 3), START, **options)
        except Exception as caught:
            assert not isinstance(error, np.ndarray) and (isinstance(caught, error) or "mine" in str(caught))
            continue
        said = "must return the shape" if isinstance(error, np.ndarray) else error.__name__
        assert "function d" in run.message.lower() and said in run.message, (at, run.message)
        assert run.outcome == "function failed" or error is ValueError, (at, run.message)


def test_a_function_without_value_next_to_the_motion_is_named_and_left_out():
    """√u is looked at below u = 0, where the motion never comes."""
    equations = filtered(lambda u: np.array([math.sqrt(u[0])]))
    run = da.simulate(equations, (0, 3), ([1.0], [0.0], [0.0]))
    assert run.success and "Function d of 'filtered' raised ValueError next to the motion near t = 0" in run.message


def test_steps_are_chosen_where_tolerances_are_next_to_nothing(oscillator):
    """Weights of 1e300 overflow norms; the first step is then a small one, and no NaN."""
    run = da.simulate(oscillator, (0, 1), ([0.0], [1.0]), rtol=1e-6, atol=0.0, max_steps=500)
    assert run.success and run.q[0] == pytest.approx(np.sin(run.t), abs=1e-4)
