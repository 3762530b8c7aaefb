"""Known break points and excitations: steps end there, orders are kept."""

import numpy as np
import pytest
from integrate.runs import EACH_FAMILY, GENERAL, exact_for_parabolas, finer, fixed_steps

import dalembert as da
from dalembert.integrate.methods.registry import METHODS
from dalembert.symbolic import less, less_equal, where

BREAK = 0.7


def force(t):
    return np.array([np.cos(t) * where(t < BREAK, 1.0, 3.0)])


def jumping(breaks=(BREAK,), name="jump", f=force):
    """Force cos t that jumps to 3 cos t: v and q are known."""
    return da.trace(
        M=lambda: np.array([[1.0]]),
        f=f,
        n_q=1,
        breaks=breaks,
        name=name,
    )


def exact(t):
    t = np.asarray(t, dtype=float)
    v = np.where(t < BREAK, np.sin(t), 3 * np.sin(t) - 2 * np.sin(BREAK))
    after = 3 * (np.cos(BREAK) - np.cos(t)) - 2 * np.sin(BREAK) * (t - BREAK) + 1 - np.cos(BREAK)
    return np.where(t < BREAK, 1 - np.cos(t), after), v


@pytest.fixture(scope="module")
def jump():
    return jumping()


@pytest.mark.parametrize("method", EACH_FAMILY)
def test_steps_end_at_breaks(jump, method):
    rtol = finer(method, 1e-8)
    run = da.simulate(jump, (0, 2), ([0.0], [0.0]), method=method, rtol=rtol, atol=0.01 * rtol, max_steps=1000)
    assert BREAK in run.t
    q, v = exact(run.t)
    assert run.q[0] == pytest.approx(q, abs=1e-8) and run.v[0] == pytest.approx(v, abs=1e-8)
    t = np.linspace(0, 2, 57)
    assert run.sol(t).q[0] == pytest.approx(exact(t)[0], abs=1e-7)
    # From the left at the end of the step, from the right afterwards.
    assert run.a[0, run.t == BREAK] == pytest.approx([np.cos(BREAK)], abs=1e-12)
    assert run.sol(BREAK + 1e-9).a[0] == pytest.approx(3 * np.cos(BREAK), abs=1e-6)
    assert run.sol(BREAK - 1e-9).a[0] == pytest.approx(np.cos(BREAK), abs=1e-6)


@pytest.mark.parametrize("method", GENERAL)
def test_known_break_costs_no_rejected_steps(jump, method):
    """A jump that traced functions show is known without a word; one inside of a function of numbers is not."""
    blind = jumping((), "blind jump", da.numeric(lambda t: np.array([np.cos(t) * (1.0 if t < BREAK else 3.0)])))
    options = {"method": method, "rtol": 1e-9, "atol": 1e-11, "max_steps": 3000}
    runs = [da.simulate(eqs, (0, 2), ([0.0], [0.0]), **options) for eqs in (jump, jumping((), "seen"), blind)]
    known, seen, unknown = runs
    assert known.statistics.rejected <= 2 and known.nfev < 0.9 * unknown.nfev
    assert np.array_equal(seen.t, known.t)


@pytest.mark.parametrize("method", ["dopri5", "dop853", "radau", "radau9"])
def test_order_is_kept_across_a_break(jump, method):
    order = METHODS[method].order
    steps = {"dopri5": 20, "dop853": 2, "radau": 10, "radau9": 1}[method]
    found = []
    for n in (steps, 2 * steps):
        h = 0.7 / n  # a whole number of steps on both sides
        run = fixed_steps(jump, method, ([0.0], [0.0]), (0.0, 2.1), round(2.1 / h))
        assert BREAK in run.t
        found.append(abs(run.q[0, -1] - exact(2.1)[0]) + abs(run.v[0, -1] - exact(2.1)[1]))
    assert np.log2(found[0] / found[1]) > order - 0.5, found


def test_backwards_across_a_break(jump):
    q, v = exact(2.0)
    run = da.simulate(jump, (2, 0), ([q], [v]), rtol=1e-10, atol=1e-12)
    assert BREAK in run.t and run.q[0, -1] == pytest.approx(0, abs=1e-9) and run.v[0, -1] == pytest.approx(0, abs=1e-9)
    assert run.a[0, run.t == BREAK] == pytest.approx([3 * np.cos(BREAK)], abs=1e-12)
    assert run.sol(BREAK).a[0] == pytest.approx(np.cos(BREAK), abs=1e-9)


@pytest.mark.parametrize("method", EACH_FAMILY)
@pytest.mark.parametrize("inclusive", [False, True])
@pytest.mark.parametrize("direction", [1, -1])
def test_the_value_at_a_break_does_not_matter(method, inclusive, direction):
    """A force that sets in at t = 1, before or after that very instant, forwards and backwards in time."""
    before = less_equal if inclusive else less
    eqs = da.trace(
        M=lambda: np.eye(1),
        f=lambda t: np.array([where(before(t, 1.0), 0.0, 1.0)]),
        n_q=1,
        breaks=(1.0,),
        name="push",
    )
    span, start, end = ((0, 2), 0.0, 0.5) if direction > 0 else ((2, 0), 0.5, 0.0)
    speed = 0.0 if direction > 0 else 1.0
    run = da.simulate(
        eqs, span, ([start], [speed]), method=exact_for_parabolas(method), rtol=1e-8, atol=1e-10,
        t_eval=[*span[:1], 1.0, *span[1:]],
    )  # fmt: skip
    # A step that sees the other side at its start is fought for: 13 rejected ones and more.
    assert run.statistics.rejected <= 5 and run.q[0, -1] == pytest.approx(end, abs=1e-13)
    assert run.a[0] == pytest.approx([0.0, 1.0, 1.0] if direction > 0 else [1.0, 0.0, 0.0], abs=1e-12)
    assert run.sol([0.5, 1.0, 1.5]).a[0] == pytest.approx([0.0, 1.0 if direction > 0 else 0.0, 1.0], abs=1e-12)


def test_breaks_at_the_ends_of_the_span_and_outside(jump):
    many = jumping((-1.0, 0.0, BREAK, 1.0, 2.0, 5.0), "many breaks")
    run = da.simulate(many, (0, 2), ([0.0], [0.0]), rtol=1e-8, atol=1e-10, max_steps=1000)
    assert run.success and {0.0, BREAK, 1.0, 2.0} <= set(run.t.tolist())
    assert run.q[0, -1] == pytest.approx(exact(2.0)[0], abs=1e-8)
    late = da.simulate(jump, (BREAK, 2), [[exact(BREAK)[0]], [exact(BREAK)[1]]], rtol=1e-8, atol=1e-10)
    assert late.a[0, 0] == pytest.approx(3 * np.cos(BREAK)) and late.q[0, -1] == pytest.approx(exact(2.0)[0], abs=1e-7)
    early = da.simulate(jump, (0, BREAK), ([0.0], [0.0]), rtol=1e-8, atol=1e-10)
    assert early.a[0, -1] == pytest.approx(np.cos(BREAK))


def test_events_meet_breaks(jump):
    """An event exactly at a break is found, and an event right after it as well."""
    events = [da.Event(lambda t: t - BREAK, name="at"), da.Event(lambda a: a[0] - 1.5, direction=1, name="jump")]
    run = da.simulate(jump, (0, 1), ([0.0], [0.0]), events=events, max_steps=1000)
    assert run.t_events[0] == pytest.approx([BREAK], abs=1e-12)
    assert run.t_events[1] == pytest.approx([BREAK], abs=1e-9)


def test_event_with_action_right_before_a_break(jump):
    event = da.Event(lambda t: t - (BREAK - 1e-13), action=lambda v: da.Change(v=v + 1.0))
    run = da.simulate(jump, (0, 2), ([0.0], [0.0]), events=[event], rtol=1e-9, atol=1e-11, max_steps=1000)
    assert run.success and run.t_events[0].size == 1 and BREAK in run.t
    assert run.v[0, -1] == pytest.approx(exact(2.0)[1] + 1.0, abs=1e-8)


@pytest.mark.parametrize("method", EACH_FAMILY)
def test_excitation_of_an_oscillator(method):
    """ẍ = −x + w, w = sin 2t: resonance-free, x = (2 sin t − sin 2t)/3."""
    eqs = da.trace(
        M=lambda: np.array([[1.0]]),
        f=lambda q, w: np.array([w[0] - q[0]]),
        w=lambda t, p: np.array([np.sin(p.frequency * t)]),
        n_q=1,
        parameters={"frequency": 2.0},
        name="excited",
    )
    run = da.simulate(eqs, (0, 5), ([0.0], [0.0]), method=method, rtol=1e-9, atol=1e-11, max_steps=3000)
    assert run.q[0] == pytest.approx((2 * np.sin(run.t) - np.sin(2 * run.t)) / 3, abs=1e-7)
    assert eqs.evaluate("w", t=0.3, q=[0.0]) == pytest.approx([np.sin(0.6)])


@pytest.mark.parametrize("method", EACH_FAMILY)
def test_driven_constraint(method):
    """A rod whose length is prescribed: g depends on t, its rate and acceleration enter the motion."""
    eqs = da.trace(
        M=lambda: np.eye(2),
        f=lambda: np.zeros(2),
        g=lambda t, q, p: np.array([0.5 * (q @ q - (1 + p.r * t) ** 2)]),
        n_q=2,
        parameters={"r": 0.5},
        name="growing rod",
    )
    run = da.simulate(eqs, (0, 3), ([1.0, 0.0], [0.5, 2.0]), method=method, rtol=1e-10, atol=1e-12, max_steps=3000)
    # Angular momentum is kept: φ̇ = 2 / L², so φ = 4 (1 − 1/L).
    L = 1 + 0.5 * run.t
    phi = 4 * (1 - 1 / L)
    assert run.q == pytest.approx(L * np.array([np.cos(phi), np.sin(phi)]), abs=1e-8)
    assert run.lam[0] == pytest.approx(4 / L**4, abs=1e-7)  # centripetal force L φ̇² = λ L


# --------------------------------------------------------------------------------------- breaks that parameters move


def pulsed():
    """Pulses of 1 N s on 2 kg, the first one at t = 0, from then on one after each ``length``."""
    m = da.Model("pulsed", plane="xy", gravity=(0, 0))
    slide = m.prismatic("slide", m.ground, m.body("body", mass=2.0, inertia=1.0))
    m.parameters(length=0.3)
    m.force("pulses", slide, lambda t, p: np.where(t % p.length < 1e-3, 1000.0, 0.0))
    return m.equations()


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_breaks_follow_parameters_that_an_action_changes(method):
    equations = pulsed()
    start = equations.assemble()
    shorter = da.Event(lambda t: t - 0.5, action=lambda: da.Change(parameters={"length": 0.17}))
    whole = da.simulate(equations, (0.0, 1.5), start, method=method, events=[shorter])
    # two pulses up to t = 0.5, and six at the multiples of 0.17 from 0.51 on
    assert whole.v[0, -1] == pytest.approx(0.5 * 8, abs=1e-9)
    at = whole.sol([0.3, 0.51])  # breaks of either time are seen from the steps that begin there
    assert at.a[0] == pytest.approx([500.0, 500.0])
    for steps in (8, len(whole.t) // 2, len(whole.t) - 4):
        part = da.simulate(equations, (0.0, 1.5), start, method=method, events=[shorter], max_steps=steps)
        again = da.resume(part, equations, events=[shorter])
        assert all(np.array_equal(getattr(again, key), getattr(whole, key)) for key in ("t", "q", "v", "a"))
        assert np.array_equal(again.sol([0.3, 0.51]).a, at.a)


def test_breaks_follow_parameters_given_at_the_resumption():
    equations = pulsed()
    part = da.simulate(equations, (0.0, 1.5), equations.assemble(), method="dop853", max_steps=10)
    assert 0.301 <= part.t[-1] < 0.34
    found = da.resume(part, equations, parameters={"length": 0.17})
    assert found.v[0, -1] == pytest.approx(0.5 * 9, abs=1e-9)  # two, and from 0.34 on seven


@pytest.mark.parametrize("given", [{"rate": 2.0, "start": 0.7}, {"rate": 2.0}])
def test_drives_that_jump_with_other_parameters_are_refused(given):
    equations = da.trace(
        M=lambda: np.eye(1), f=lambda: np.zeros(1), n_q=1, parameters={"rate": 0.0, "start": 0.75},
        g=lambda t, q, p: np.array([q[0] - p.rate * da.symbolic.maximum(t - p.start, 0.0)]), names={"lam": ["drive"]},
    )  # fmt: skip
    event = da.Event(lambda t: t - 0.2, action=lambda: da.Change(parameters=given))
    run = da.simulate(equations, (0.0, 1.0), ([0.0], [0.0]), events=[event])
    assert run.outcome == "function failed" and "the rate of 'drive' jumps by 2 at t = 0.7" in run.message
    assert run.t[-1] == pytest.approx(0.2) and np.isfinite(run.q).all()
    part = da.simulate(equations, (0.0, 1.0), ([0.0], [0.0]), max_steps=1)
    with pytest.raises(da.errors.SimulationError, match=r"the rate of 'drive' jumps by 2 at t = 0.7"):
        da.resume(part, equations, parameters=given)
