"""What a run leaves: accelerations and multipliers within each step, in files too; modes; instants of output."""

import copy
import pickle

import numpy as np
import pytest
from integrate.runs import EACH_FAMILY

import dalembert as da
from dalembert.symbolic import less, where

GRAVITY = 9.81


def stored(run, tmp_path):
    return da.load(run.save(tmp_path / "run"))


def difference(run, again, pieces=400):
    """Largest difference of a and λ between a live run and a stored one, seen from their size."""
    t = np.concatenate([np.linspace(a, b, pieces)[1:-1] for a, b in zip(run.t[:-1], run.t[1:], strict=True) if a != b])
    live, loaded = run.sol(t), again.sol(t)
    return max(
        np.abs(getattr(live, key) - getattr(loaded, key)).max(initial=0.0)
        / (1.0 + np.abs(getattr(live, key)).max(initial=0.0))
        for key in ("a", "lam")
    )


def cart(breaks=(1.0,), at=1.0):
    def push(t):
        return np.array([where(less(t, at), 0.0, 1.0)])

    return da.trace(M=lambda: np.eye(1), f=push, n_q=1, breaks=breaks, name="cart")


def resting():
    """A ball whose weight a parameter switches off when it has come to rest."""
    eqs = da.trace(
        M=lambda p: np.array([[p.m]]),
        f=lambda p: np.array([-p.m * p.g * (1 - p.at_rest)]),
        n_q=1,
        parameters={"m": 0.1, "g": GRAVITY, "at_rest": 0.0},
        name="ball that comes to rest",
    )

    def impact(v):
        if abs(v[0]) < 0.5:
            return da.Change(q=[0.0], v=[0.0], parameters={"at_rest": 1.0})
        return da.Change(v=-0.5 * v)

    hit = da.Event(lambda q: q[0], direction=-1, action=impact, threshold=1e-12, name="hit")
    return eqs, hit


def caught_string(**options):
    """Tutorial 03: a mass on a string that becomes slack and taut again."""
    eqs = da.trace(
        M=lambda: np.eye(2),
        f=lambda p: np.array([0.0, -p.g]),
        g=lambda q, p: np.array([0.5 * (q @ q - p.L**2)]),
        n_q=2,
        parameters={"g": GRAVITY, "L": 1.0},
        names={"q": ["x", "y"], "lam": ["string"]},
        name="string",
    )
    slack = da.Event(lambda lam: lam[0], direction=-1, name="slack", action=lambda: da.Change(constraints=[]))
    taut = da.Event(
        lambda q, p: q @ q - p.L**2,
        direction=1,
        name="taut",
        threshold=1e-9,
        action=lambda: da.Change(constraints=["string"]),
    )
    start = [0.0, -1.0], [np.sqrt(3.5 * GRAVITY), 0.0]
    return da.simulate(eqs, (0, 3), start, events=[slack, taut], rtol=1e-9, atol=1e-11, **options)


# ------------------------------------------------------------------------------------- a and λ of a stored run


@pytest.mark.parametrize("method", EACH_FAMILY)
@pytest.mark.parametrize("span,at", [((0, 2), 1.0), ((-1, 1), 0.0), ((0, 2), -1.0), ((-1, 1), -0.0)])
def test_a_stored_run_knows_the_side_of_a_break(tmp_path, method, span, at):
    """Forwards and, where ``at`` has a sign, backwards in time, with the force mirrored."""
    sign = np.copysign(1.0, at)

    def push(t):
        return np.array([where(less(sign * t, abs(at)), 0.0, 1.0)])

    eqs = da.trace(M=lambda: np.eye(1), f=push, n_q=1, breaks=(at,), name="cart")
    run = da.simulate(eqs, (sign * span[0], sign * span[1]), ([0.0], [0.0]), method=method)
    again = stored(run, tmp_path)
    assert difference(run, again) < 1e-9
    t = np.array([-0.9, -0.07, -0.001, 0.0, 0.001, 0.5]) + abs(at)
    exact = np.where(t < abs(at), 0.0, 1.0)
    for one in (run, again):
        assert one.sol(sign * t).a[0] == pytest.approx(exact, abs=1e-9)


def test_a_run_that_ends_at_a_break_has_not_seen_it():
    run = da.simulate(cart(), (0, 1), ([0.0], [0.0]))
    assert run.a[0, -1] == 0 and run.sol(1.0).a[0] == 0
    run = da.simulate(cart((0.0,), 0.0), (-1, 0), ([0.0], [0.0]))
    assert run.a[0, -1] == 0 and run.sol(0.0).a[0] == 0


@pytest.mark.parametrize("method", EACH_FAMILY)
def test_a_stored_run_knows_the_parameters_of_each_step(tmp_path, method):
    eqs, hit = resting()
    run = da.simulate(eqs, (0, 2), ([1.0], [0.0]), events=[hit], method=method)
    again, end = stored(run, tmp_path), run.t_events[0][-1]
    assert difference(run, again) < 1e-9
    assert again.sol(end * np.linspace(0, 0.9999, 50)).a[0] == pytest.approx(-GRAVITY, abs=1e-8)
    assert again.sol(np.linspace(end, 2, 50)).a[0] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("method", EACH_FAMILY)
def test_a_stored_run_knows_the_constraints_of_each_step(tmp_path, method):
    run = caught_string(method=method)
    again = stored(run, tmp_path)
    slack, taut = (event.t for event in run.events[:2])
    t = np.linspace(slack, taut, 300)[1:-1]
    assert run.sol(t).lam[0] == pytest.approx(0, abs=0) and again.sol(t).lam[0] == pytest.approx(0.0, abs=1e-9)
    assert again.sol(t).a[1] == pytest.approx(-GRAVITY, abs=1e-8)
    assert difference(run, again) < 1e-5  # of the interpolation, where the string pulls


def test_a_stored_run_knows_the_force_before_an_event(tmp_path):
    """A spring that begins at x = 0; an event restarts the method there, just beyond the root."""
    eqs = da.trace(
        M=lambda: np.eye(1),
        f=lambda q: np.array([where(less(q[0], 0.0), -400.0 * q[0], 0.0) - 1.0]),
        n_q=1,
        name="stop",
    )
    touch = da.Event(lambda q: q[0], action=lambda: None, name="touch")
    run = da.simulate(eqs, (0, 3), ([1.0], [0.0]), events=[touch], rtol=1e-9, atol=1e-11)
    assert run.t_events[0].size >= 2
    assert difference(run, stored(run, tmp_path)) < 1e-5


def test_a_run_can_be_pickled_and_copied(tmp_path):
    run = caught_string()
    again, twin = pickle.loads(pickle.dumps(run)), copy.deepcopy(run)
    t = np.linspace(0, 3, 77)
    for key in ("q", "v", "a", "lam"):
        assert np.array_equal(getattr(again, key), getattr(run, key))
        assert np.array_equal(getattr(twin.sol(t), key), getattr(run.sol(t), key))
        assert np.array_equal(getattr(again.sol(t), key), getattr(stored(run, tmp_path).sol(t), key))
    twin.sol.t[0] = -1.0
    assert run.sol.t[0] == 0.0


# --------------------------------------------------------------------------------------------- redundant constraints


def shelf():
    """A mass on a support that is described three times, and a fourth constraint that a parameter scales."""
    return da.trace(
        M=lambda: np.eye(3),
        f=lambda: np.array([0.0, -GRAVITY, -1.0]),
        g=lambda q, p: np.array([q[1], 2 * q[1], p.k * q[1], q[2] * p.c]),
        n_q=3,
        parameters={"c": 1.0, "k": 1.0},
        names={"lam": ["a", "b", "spare", "c"]},
        name="shelf",
    )


START = [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]


def test_constraints_that_do_not_hold_share_nothing():
    run = da.simulate(shelf(), (0, 1), START, redundant="accept", constraints=["a", "b", "c"])
    expected = [-GRAVITY / 5, -2 * GRAVITY / 5, 0.0, -1.0]
    for lam in (run.lam[:, 0], run.lam[:, -1], run.sol(0.4).lam):
        assert lam == pytest.approx(expected)


def test_the_load_is_shared_with_the_parameters_of_the_instant(tmp_path):
    change = da.Event(lambda t: t - 0.5, action=lambda: da.Change(parameters={"k": 4.0, "c": 2.0}), name="change")
    run = da.simulate(shelf(), (0, 1), START, redundant="accept", events=[change])
    before, after = [-GRAVITY / 6 * k for k in (1, 2, 1)] + [-1.0], [-GRAVITY / 21 * k for k in (1, 2, 4)] + [-0.5]
    again = stored(run, tmp_path)
    for one in (run, again):
        assert one.lam[:, 0] == pytest.approx(before) and one.lam[:, -1] == pytest.approx(after)
        assert one.sol(0.3).lam == pytest.approx(before) and one.sol(0.7).lam == pytest.approx(after)
        assert one.events[0].lam == pytest.approx(before)
    sampled = da.simulate(
        shelf(),
        (0, 1),
        START,
        redundant="accept",
        events=[change],
        t_eval=[0.0, 0.3, 0.7],
        outputs={"k": lambda p: p.k},
    )
    assert sampled.lam.T == pytest.approx(np.array([before, before, after]))
    assert sampled["k"].tolist() == [1.0, 1.0, 4.0]


def test_constraints_of_a_new_mode_may_be_redundant_too():
    fewer = da.Event(lambda t: t - 0.5, action=lambda: da.Change(constraints=["a", "b", "c"]))
    run = da.simulate(shelf(), (0, 1), START, redundant="accept", events=[fewer])
    assert run.outcome == "finished", run.message
    assert run.lam[:, 0] == pytest.approx([-GRAVITY / 6 * k for k in (1, 2, 1)] + [-1.0])
    assert run.lam[:, -1] == pytest.approx([-GRAVITY / 5 * k for k in (1, 2, 0)] + [-1.0])
    single = da.Event(lambda t: t - 0.5, action=lambda: da.Change(constraints=["a", "c"]))
    run = da.simulate(shelf(), (0, 1), START, redundant="accept", events=[single])
    assert run.lam[:, -1] == pytest.approx([-GRAVITY, 0.0, 0.0, -1.0]) and run.sol(0.8).lam[1] == 0
    whole = da.simulate(shelf(), (0, 1), START, redundant="accept", events=[fewer], max_steps=50)
    parts = da.resume(
        da.simulate(shelf(), (0, 1), START, redundant="accept", events=[fewer], max_steps=whole.statistics.steps - 1),
        shelf(),
        events=[fewer],
    )
    assert np.array_equal(parts.lam, whole.lam) and np.array_equal(parts.sol(0.6).lam, whole.sol(0.6).lam)


def test_a_new_mode_with_redundant_constraints_is_refused_by_name():
    more = da.Event(lambda t: t - 0.5, action=lambda: da.Change(constraints=["a", "b"]))
    run = da.simulate(shelf(), (0, 1), START, constraints=["a", "c"], events=[more])
    assert run.outcome == "function failed" and "depend on the others: a" in run.message.replace("b.", "a.")
    assert "redundant='accept'" in run.message and "A function" not in run.message


# ----------------------------------------------------------------------------------------------- instants of output


def test_output_instants_and_dense_output_agree_at_an_impact():
    ball = da.trace(M=lambda: np.eye(1), f=lambda: np.array([-GRAVITY]), n_q=1, name="ball")
    bounce = da.Event(lambda q: q[0], direction=-1, action=lambda v: da.Change(v=-0.8 * v), name="bounce")
    start = [1.0], [0.0]
    full = da.simulate(ball, (0, 1), start, events=[bounce])
    hit = full.t_events[0][0]
    t = [0.0, 0.0, hit, hit, 0.9, 1.0, 1.0]
    run = da.simulate(ball, (0, 1), start, events=[bounce], t_eval=t)
    assert run.t.tolist() == t and run.v[0, 2] > 0
    for key in ("q", "v", "a"):
        assert getattr(run, key) == pytest.approx(getattr(full.sol(t), key), rel=1e-13, abs=1e-13)
    end = da.Event(lambda q: q[0], direction=-1, terminal=True)
    run = da.simulate(ball, (0, 1), start, events=[end], t_eval=[0.0, hit, 1.0])
    assert run.t.tolist() == [0.0, hit] and run.v[0, 1] < 0


def test_output_instants_at_a_break_are_those_after_it():
    run = da.simulate(cart(), (0, 2), ([0.0], [0.0]), t_eval=[0.0, 1.0, 2.0])
    assert run.a[0].tolist() == [0.0, 1.0, 1.0]


@pytest.mark.parametrize("dense_output", [False, True])
@pytest.mark.parametrize("t", [[], [0.0], [1.0], [0.0, 1.0], [0.0, 0.0, 1.0, 1.0], [0.0, 0.5, 1.0]], ids=str)
def test_output_at_the_ends_of_the_span(dense_output, t):
    eqs = da.trace(M=lambda: np.eye(1), f=lambda q: -q, n_q=1, name="oscillator")
    options = {"rtol": 1e-9, "atol": 1e-11, "dense_output": dense_output, "t_eval": t}
    run = da.simulate(eqs, (0, 1), ([1.0], [0.0]), **options)
    assert run.t.tolist() == t and run.q[0] == pytest.approx(np.cos(run.t), abs=1e-8)
    part = da.simulate(eqs, (0, 1), ([1.0], [0.0]), max_steps=3, **options)
    assert part.t.tolist() == [time for time in t if time == 0]
    again = da.resume(part, eqs)
    assert again.t.tolist() == t and np.array_equal(again.q, run.q)
