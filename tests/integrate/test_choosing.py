"""The right method by itself: where stability limits the steps, where it does not, and back again."""

import numpy as np
import pytest

import dalembert as da
from dalembert.integrate.methods.registry import method_named
from dalembert.integrate.run.choosing import Sighting, fastest_motion
from dalembert.integrate.run.live import LiveRun, Options


def damped(c=1e5, f=None):
    """A mass with a stiff damper, driven slowly."""
    return da.trace(
        M=lambda: np.eye(1),
        f=f or (lambda t, q, v, p: np.array([-p.c * (v[0] - np.cos(t)) - q[0]])),
        n_q=1,
        parameters={"c": c},
        name="damped",
    )


def test_a_stiff_problem_is_left_to_the_implicit_method():
    eqs = damped()
    auto = da.simulate(eqs, (0, 10), ([0.0], [1.0]))
    single = da.simulate(eqs, (0, 10), ([0.0], [1.0]), method="radau9")
    assert auto.method == "radau9" and np.array_equal(auto.q, single.q)
    assert da.simulate(eqs, (0, 10), ([0.0], [1.0]), rtol=1e-4).method == "radau"
    assert "'radau9' was used from the start on" in auto.message and "limit the steps of 'dop853'" in auto.message
    assert "most of it in v0" in auto.message and "|λ| = 1e+05" in auto.message


def clamped(until=np.inf):
    """A swing that a clamp with a stiff damper closes on at t = 10, and leaves again."""
    return damped(
        f=lambda t, q, v, p: np.array(
            [-p.c * np.where((t > 10.0) & (t < until), 1.0, 0.0) * v[0] - 400.0 * np.sin(q[0])]
        )
    )


def test_stiffness_that_comes_later_is_noticed():
    eqs, options = clamped(), {"rtol": 1e-9, "atol": 1e-11}
    auto = da.simulate(eqs, (0, 30), ([1.0], [0.0]), **options)
    single = da.simulate(eqs, (0, 30), ([1.0], [0.0]), method="radau9", **options)
    assert auto.method == "dop853, then radau9"
    assert auto.q[0, -1] == pytest.approx(single.q[0, -1], abs=2e-7)
    assert "stability, not accuracy, limited the steps of 'dop853'" in auto.message and "in v0" in auto.message


def servo(kd):
    """A mass that a controller with a filter of 1 ms moves to and fro."""
    return da.trace(
        M=lambda: np.eye(1),
        f=lambda q, u: np.array([u[0]]),
        d=lambda t, q, v, u: np.array([(4e3 * (0.5 * np.sin(2 * t) - q[0]) - kd * v[0] - u[0]) / 1e-3]),
        n_q=1,
        n_u=1,
        name="servo",
    )


def test_what_dies_out_first_does_not_end_a_trial():
    run = da.simulate(servo(20.0), (0, 3), ([0.1], [0.0], [0.0]))
    assert run.method == "radau9"


def test_explicit_steps_that_follow_nothing_are_limited():
    # h |λ| of dop853 is 1.4 here: its errors grow with powers of that, while the motion itself is slow.
    eqs, start = servo(80.0), ([0.1], [0.0], [0.0])
    run, explicit = (da.simulate(eqs, (0, 3), start, method=method) for method in ("auto", "dop853"))
    assert run.method.endswith("radau9") and run.statistics.steps < 0.3 * explicit.statistics.steps
    assert run.q[0, -1] == pytest.approx(explicit.q[0, -1], abs=1e-6)


def test_large_full_systems_are_left_to_backward_differentiation():
    n = 20
    dampers = np.geomspace(1e3, 1e4, n)
    eqs = da.trace(M=lambda: np.eye(n), f=lambda q, v: -dampers * v - np.sin(q), n_q=n, name="dampers")
    start = np.linspace(-1.0, 1.0, n), np.zeros(n)
    auto = da.simulate(eqs, (0, 100), start)
    exact = da.simulate(eqs, (0, 100), start, method="radau9", rtol=1e-9)
    assert auto.method == "bdf" and auto.rtol == 1e-6 and "'bdf' was used from the start on" in auto.message
    assert auto.q[:, -1] == pytest.approx(exact.q[:, -1], abs=2e-5)
    pieces = da.resume(da.simulate(eqs, (0, 100), start, max_steps=20))
    assert np.array_equal(pieces.q, auto.q)


def test_a_smooth_problem_stays_explicit():
    eqs = da.trace(M=lambda: np.eye(1), f=lambda q: -100.0 * np.sin(q), n_q=1, name="swing")
    auto = da.simulate(eqs, (0, 60), ([2.0], [0.0]), rtol=1e-8, atol=1e-10)
    explicit = da.simulate(eqs, (0, 60), ([2.0], [0.0]), rtol=1e-8, atol=1e-10, method="dop853")
    assert auto.method == "dop853" and np.array_equal(auto.q, explicit.q)


def test_swings_that_steps_still_follow_stay_explicit():
    # The links swing at h |λ| = 2.9, and without damping: something of it is left in the motion.
    chain = da.problems.get("excited_chain")
    auto = da.simulate(chain.equations, (0.0, 100.0), chain.start)
    assert auto.method == "dop853" and auto.statistics.steps > 400


def test_back_where_stiffness_ends():
    eqs = clamped(until=20.0)
    options = {"rtol": 1e-9, "atol": 1e-11}
    auto = da.simulate(eqs, (0, 60), ([1.0], [0.0]), **options)
    single = da.simulate(eqs, (0, 60), ([1.0], [0.0]), method="radau", **options)
    assert auto.method.startswith("dop853, then radau9, then dop853")
    assert auto.q[0, -1] == pytest.approx(single.q[0, -1], abs=1e-4)


def test_runs_are_the_same_again_and_in_pieces():
    for eqs in (damped(), clamped()):
        start = [0.0], [1.0]
        whole, *others = (da.simulate(eqs, (0, 20), start) for _ in range(3))
        for again in others:
            assert np.array_equal(whole.q, again.q) and whole.message == again.message
            assert whole.statistics == again.statistics
        taken = whole.statistics.steps
        for steps in {0, 10, 22, 40, taken // 2, taken - 20, taken - 1} & set(range(taken)):
            pieces = da.resume(da.simulate(eqs, (0, 20), start, max_steps=steps))
            assert np.array_equal(pieces.q, whole.q) and pieces.method == whole.method
            assert pieces.message == whole.message


def test_an_explicit_method_says_what_limits_it():
    for method in ("dop853", "adams"):  # whose borders of stability are far apart
        run = da.simulate(damped(), (0, 1), ([0.0], [1.0]), method=method)
        assert "Stability, not accuracy, limited the steps" in run.message and "'radau9'" in run.message
    ringing = da.trace(M=lambda: np.eye(1), f=lambda q: -1e8 * q, n_q=1, name="ringing")
    run = da.simulate(ringing, (0, 8), ([1.0], [0.0]))
    assert run.statistics.steps > 20_000 and "follow the fastest motion" in run.message and "in v0" in run.message


@pytest.mark.parametrize(("stiffness", "damping"), [(1e6, 0.0), (1e6, 1e4), (1e2, 1e5)])
def test_the_fastest_motion_is_that_of_the_eigenvalues(stiffness, damping):
    eqs = da.trace(
        M=lambda: np.diag([1.0, 2.0]),
        f=lambda q, v: np.array([-q[0], -stiffness * q[1] - damping * v[1]]),
        n_q=2,
        names={"q": ["slow", "fast"]},
        name="two",
    )
    options = Options(rtol=1e-6, atol=np.full(4, 1e-8), scale=np.ones(4))
    live = LiveRun(eqs, method_named("dop853"), options, np.zeros(0))
    live.start(0.0, np.array([1.0, 1e-3, 0.0, 0.0]), 1.0)
    live.run.slice = 1
    live.advance()
    fastest = fastest_motion(live)
    expected = np.abs(np.linalg.eigvals(np.array([[0, 1], [-stiffness / 2, -damping / 2]]))).max()
    assert fastest.rate == pytest.approx(expected, rel=0.05) and Sighting.of(live).carrier() == "fast.rate"
    assert fastest.damped == (damping > 0.0)


def test_the_element_that_is_stiff_is_near_what_carries_the_motion():
    # The tip swings against the arm, with a larger rate than that, but next to none of the energy.
    m = da.Model("bushed arm", plane="xz", gravity=(0, -9.81))
    arm = m.body("arm", mass=10.0, inertia=0.9, com=(0.5, 0))
    tip = m.body("tip", mass=2.0, inertia=0.02, com=(0.2, 0))
    m.bushing("mount", m.ground.at(0, 0), arm.at(0, 0), stiffness=(1e7, 1e7, 0.0), damping=(1e5, 1e5, 1.0))
    m.revolute("B", arm.at(1, 0), tip.at(0, 0))
    eqs = m.equations()
    run = da.simulate(eqs, (0, 1), eqs.assemble())
    assert "'radau9'" in run.message and "most of it in arm." in run.message
