"""Charts of the constraint manifold: partitions and tangent planes, recovery, derivatives of the reduced equations."""

from functools import cache

import numpy as np
import pytest

import dalembert as da
from dalembert.errors import SimulationError
from dalembert.integrate import Rosenbrock, Sdirk
from dalembert.integrate.methods.registry import METHODS
from dalembert.integrate.methods.state_space import StateSpace
from dalembert.integrate.run.live import LiveRun, Options

mechanisms = da.problems.mechanisms


def closed_four_bar(coordinates):
    example = mechanisms.four_bar()
    equations = example.model.equations(coordinates=coordinates)
    return equations, example.assemble(equations)


def wishbone(coordinates):
    example = mechanisms.double_wishbone()
    equations = example.model.equations(coordinates=coordinates)
    return equations, example.assemble(equations)


def rheonomic():
    """A bead on a wire that is swung: the constraint depends on time, and so does the chart."""
    equations = da.trace(
        M=lambda: np.diag([2.0, 2.0, 0.5]),
        f=lambda q, v, t: np.array([-3.0 * q[0] * q[1], -9.81 * 2.0 - v[1], np.sin(3 * t) - q[2] ** 3]),
        g=lambda q, t: np.array([q[0] ** 2 + q[1] ** 2 - (1.0 + 0.2 * np.sin(t)) ** 2]),
        n_q=3,
        name="swung bead",
    )
    return equations, equations.assemble([0.6, -0.8, 0.4], [0.3, 0.2, -0.2], t=0.5)


def with_states():
    """A pendulum whose motor current is a state of its own."""
    equations = da.trace(
        M=lambda: np.eye(2),
        f=lambda q, v, u: np.array([u[0] - 0.1 * v[0], -9.81 + q[0] * u[0]]),
        g=lambda q: np.array([q[0] ** 2 + q[1] ** 2 - 1.0]),
        d=lambda q, v, u: np.array([-4.0 * u[0] + np.sin(q[0]) + v[1]]),
        n_q=2,
        n_u=1,
        name="motor",
    )
    return equations, equations.assemble([0.8, -0.6], [0.5, 0.6], [0.3])


def sliding():
    """Rows of G that the user gives, which are not those of C."""
    equations = da.trace(
        M=lambda: np.diag([1.0, 2.0, 1.5]),
        f=lambda q, v: np.array([0.3, -9.81, -q[2] - 0.1 * v[0]]),
        g=lambda q: np.array([q[0] ** 2 + q[1] ** 2 - 1.0, q[2] - q[0] * q[1]]),
        G=lambda q: np.array([[q[0], q[1], 0.0], [-q[1] + 3.0 * q[0], -q[0] + 3.0 * q[1], 1.0]]),
        n_q=3,
        name="sliding",
    )
    return equations, equations.assemble([0.8, -0.6, -0.48], [0.3, 0.4, 0.14])


def braked():
    """Friction that depends on the reaction."""
    equations = da.trace(
        M=lambda: np.eye(2),
        f=lambda q, v, lam: np.array([1.0 - 0.2 * lam[0] * v[0], -9.81]),
        g=lambda q: np.array([q[0] ** 2 + q[1] ** 2 - 1.0]),
        n_q=2,
        name="brake",
    )
    return equations, equations.assemble([0.8, -0.6], [0.5, 0.6])


SYSTEMS = {
    "four-bar, relative": lambda: closed_four_bar("relative"),
    "four-bar, absolute": lambda: closed_four_bar("absolute"),
    "wishbone, relative": lambda: wishbone("relative"),
    "wishbone, absolute": lambda: wishbone("absolute"),
    "rheonomic": rheonomic,
    "states": with_states,
    "brake": braked,
    "rows of the user's own": sliding,
}


def derivatives(equations, start, t, **options):
    """Accelerations of the chart by z, ż, u, t, and those of u, at the start."""
    s = equations.sizes
    size = s.q + s.v + s.u
    live = LiveRun(
        equations, Rosenbrock(**options), Options(rtol=1e-6, atol=np.full(size, 1e-6), first_step=1e-9),
        equations.parameter_vector(),
    )  # fmt: skip
    live.run.slice = 1
    live.start(t, np.concatenate([start.q, start.v, start.u]), t + 1.0)
    live.advance()
    run = live.run
    assert run.steps == 1, run.failure
    f = run.n_f
    E, motion = np.array(run.E).reshape(f, f), np.array(run.E_motion).reshape(f, run.n_d)
    independent = np.array(run.independent)
    return -np.linalg.solve(E, motion), np.array(run.d_motion).reshape(s.u, run.n_d), independent


@pytest.mark.parametrize("chart", ["partition", "tangent"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_derivatives_of_all_strategies_agree(system, chart):
    """(3.43)–(3.45), Appendix A and differences."""
    equations, start = SYSTEMS[system]()
    t = 0.5 if system == "rheonomic" else 0.0
    strategies = ("columns", "numeric") if system == "brake" else ("analytic", "columns", "numeric")
    found = {name: derivatives(equations, start, t, chart=chart, jacobian=name) for name in strategies}
    J, D, independent = found["columns"]
    size = np.abs(J).max()
    for name, bound in (("analytic", 1e-10), ("numeric", 1e-5)):
        if name in found:
            other, D_other, same = found[name]
            assert np.array_equal(independent, same)
            assert np.abs(other - J).max() < bound * size, name
            assert np.abs(D_other - D).max(initial=0.0) < bound * max(1.0, np.abs(D).max(initial=0.0)), name


@pytest.mark.parametrize("method", [Sdirk, Rosenbrock])
@pytest.mark.parametrize("system", SYSTEMS)
def test_both_charts_give_the_motion_of_radau(system, method):
    equations, start = SYSTEMS[system]()
    t = 0.5 if system == "rheonomic" else 0.0
    span = (t, t + 0.3)
    expected = da.simulate(equations, span, start, method="radau", rtol=1e-9, atol=1e-11)
    for chart in ("partition", "tangent"):
        run = da.simulate(equations, span, start, method=method(chart=chart), rtol=1e-7, atol=1e-9)
        assert run.outcome == "finished", run.message
        scale = np.abs(expected.v).max()
        assert np.abs(run.q[:, -1] - expected.q[:, -1]).max() < 1e-6
        assert np.abs(run.v[:, -1] - expected.v[:, -1]).max() < 1e-5 * max(1.0, scale)
        assert run.statistics.extra["charts"] > 0 and run.statistics.extra["recoveries"] > 0


@pytest.mark.parametrize("method", [Sdirk, Rosenbrock])
def test_a_crank_that_turns_changes_its_partition_and_nothing_else(method):
    """No set of coordinates serves a whole turn; the motion does not notice."""
    equations = da.trace(
        M=lambda: np.eye(2),
        f=lambda q, v: np.zeros(2),
        g=lambda q: np.array([q[0] ** 2 + q[1] ** 2 - 1.0]),
        n_q=2,
        name="turning",
    )
    run = da.simulate(equations, (0, 50.0), ([1.0, 0.0], [0.0, 1.0]), method=method(), rtol=1e-8, atol=1e-10)
    assert run.outcome == "finished"
    assert 4 * 50 / (2 * np.pi) - 2 < run.statistics.extra["repartitions"] < 3 * 4 * 50 / (2 * np.pi)
    assert run.q[:, -1] == pytest.approx([np.cos(50.0), np.sin(50.0)], abs=1e-5)


def test_nonholonomic_constraints_are_refused_by_name():
    example = mechanisms.rolling_disc()
    equations = example.model.equations()
    with pytest.raises(SimulationError, match=r"rolling disc.*nonholonomic.*radau"):
        da.simulate(equations, (0, 1), example.assemble(equations), method="sdirk4")


@pytest.mark.parametrize(
    "make,words",
    [
        (lambda: Sdirk(chart="polar"), "there is no chart 'polar'"),
        (lambda: Sdirk(formula="4/17"), "there is no formula '4/17'"),
        (lambda: Sdirk(jacobian="precise"), "there is no Jacobian strategy 'precise'"),
        (lambda: Rosenbrock(errors="some"), "there is no errors 'some'"),
        (lambda: Rosenbrock(partition_limit=0.5), "partition_limit must be a number above 1"),
        (lambda: da.integrate.Newmark(rho=2.0), "rho must be a number between 0 and 1"),
        (lambda: da.integrate.Newmark(rho=0.5, alpha=-0.1), "not both"),
    ],
)
def test_options_that_are_not_possible(make, words):
    with pytest.raises(SimulationError, match=words):
        make()


def test_strategies_that_equations_cannot_serve_are_refused():
    equations, start = braked()
    with pytest.raises(SimulationError, match="depend on reactions"):
        da.simulate(equations, (0, 0.1), start, method=Sdirk(jacobian="analytic"))
    numeric = da.trace(
        M=lambda: np.eye(2), f=da.numeric(lambda q, v: np.array([0.0, -9.81])),
        g=lambda q: np.array([q[0] ** 2 + q[1] ** 2 - 1.0]), n_q=2, name="called back",
    )  # fmt: skip
    with pytest.raises(SimulationError, match=r"called back in Python.*jacobian='numeric'"):
        da.simulate(numeric, (0, 0.1), ([1.0, 0.0], [0.0, 0.0]), method=Sdirk(jacobian="analytic"))
    run = da.simulate(numeric, (0, 0.1), ([1.0, 0.0], [0.0, 0.0]), method="sdirk4")
    assert run.outcome == "finished" and run.q[1, -1] == pytest.approx(-0.5 * 9.81 * 0.01, rel=1e-3)


FAMILIES = [name for name, method in METHODS.items() if isinstance(method, StateSpace)]


@pytest.mark.parametrize("method", FAMILIES)
@pytest.mark.exact
def test_stored_runs_go_on_bit_for_bit_with_events(method):
    """Charts, derivatives, factors and histories are part of what is stored."""
    equations, start = closed_four_bar("relative")
    options = {"method": method, "rtol": 1e-4, "atol": 1e-6}
    at = equations.evaluate("T", q=start.q).shape[0] - 1
    level = float(start.q[at])
    events = [da.Event(lambda q: q[at] - level - 0.05, name="passed")]
    whole = da.simulate(equations, (0, 0.4), start, events=events, **options)
    part = da.simulate(equations, (0, 0.4), start, events=events, max_steps=whole.statistics.steps // 2, **options)
    assert whole.outcome == "finished" and part.outcome == "step limit"
    again = da.resume(part, equations, events=events)
    assert np.array_equal(again.t, whole.t) and np.array_equal(again.q, whole.q) and np.array_equal(again.v, whole.v)
    assert again.statistics.as_dict() == whole.statistics.as_dict()


def test_descriptor_form_says_what_it_cannot_serve():
    equations, start = with_states()
    with pytest.raises(SimulationError, match=r"no place for external states.*sdirk4"):
        da.simulate(equations, (0, 0.1), start, method="descriptor_sdirk4")


@cache
def driven_crank(beside, coordinates):
    """A crank that a drive turns by 6.6 rad in each second, a rod and a slide; a weight that rests beside them, or
    nothing that is free."""
    m = da.Model("driven crank", plane="xy", gravity=(0, -9.81))
    crank = m.body("crank", mass=1.0, inertia=0.1, com=(0.5, 0))
    rod = m.body("rod", mass=1.0, inertia=0.5, com=(1.5, 0))
    slide = m.body("slide", mass=1.0, inertia=0.1)
    turn = m.revolute("turn", m.ground.at(0, 0), crank.at(0, 0))
    m.revolute("pin", crank.at(1, 0), rod.at(0, 0))
    m.revolute("eye", rod.at(3, 0), slide.at(0, 0))
    m.prismatic("way", m.ground.at(0, 0), slide.at(0, 0), start=4.0)
    m.drive("hand", turn.angle, lambda t: 6.6 * t)
    if beside:
        weight = m.prismatic("beam", m.ground.at(0, 5), m.body("weight", mass=1.0, inertia=1.0).at(0, 0))
        m.joint_spring("spring", weight.displacement, stiffness=1.0, damping=1.0)
    equations = m.equations(coordinates)
    return equations, equations.assemble({})


def on_the_way(t):
    """Where the slide is."""
    return np.cos(6.6 * t) + np.sqrt(9.0 - np.sin(6.6 * t) ** 2)


@pytest.mark.parametrize("method", [name for name, method in METHODS.items() if isinstance(method, StateSpace)])
@pytest.mark.parametrize("beside", [True, False], ids=["beside a weight at rest", "alone"])
def test_steps_follow_what_is_driven(beside, method):
    """Independent coordinates rest, or there are none: the error of a step has to see what follows from time."""
    t = np.linspace(0.0, 6.0, 61)
    for coordinates in ("relative", "absolute"):
        equations, start = driven_crank(beside, coordinates)
        run = da.simulate(equations, (0.0, 6.0), start, method=method, rtol=1e-4, atol=1e-6, t_eval=t)
        assert run.success, run.message
        assert np.abs(run["way.displacement"] - on_the_way(t)).max() < 1e-9
        assert run.statistics.steps > 16  # in more than six turns


@cache
def flap_on_a_stop(coordinates):
    """A flap that falls on its stop, and a torque that grows and lifts it off again; and where that ends."""
    m = da.Model("flap", plane="xy", gravity=(0, -9.81))
    flap = m.body("flap", mass=1.0, inertia=0.1, com=(0.5, 0))
    hinge = m.revolute("hinge", m.ground.at(0, 0), flap.at(0, 0), start=0.2)
    m.limit("stop", hinge.angle, lower=0.0, restitution=0.2)
    m.torque("lift", hinge.angle, lambda t: 4.0 * t)
    equations = m.equations(coordinates)
    start = equations.assemble({})
    run = da.simulate(equations, (0, 1.6), start, method="radau", rtol=1e-9, atol=1e-11, max_step=0.05)
    return equations, start, run["hinge.angle"][-1]


@pytest.mark.parametrize("method", [name for name, method in METHODS.items() if isinstance(method, StateSpace)])
def test_a_mechanism_may_come_to_rest_at_a_stop(method):
    """No degree of freedom is left while a stop holds it."""
    for coordinates in ("relative", "absolute"):
        equations, start, expected = flap_on_a_stop(coordinates)
        run = da.simulate(equations, (0, 1.6), start, method=method, rtol=1e-6, atol=1e-8, max_step=0.05)
        assert run.success, run.message
        rests = np.abs(run["hinge.angle"]) < 1e-9
        assert rests.any() and run["hinge.angle"][-1] > 0.05
        assert run["hinge.angle"][-1] == pytest.approx(expected, rel=3e-5)


def test_what_cannot_be_integrated_is_said():
    equations, start = with_states()
    with pytest.raises(SimulationError, match="no filter for external states"):
        da.simulate(equations, (0, 0.1), start, method="hht")


def test_members_with_filters_keep_their_order_where_steps_change():
    """Steps that grow and shrink by turns, refined together."""
    equations = da.trace(M=lambda: np.eye(1), f=lambda q: -q, n_q=1, name="oscillator")
    found = []
    for n in (40, 80, 160):
        options = {"method": da.Newmark(rho=0.5), "rtol": 1e-2 / n**2, "atol": 1e-2 / n**2}
        run = da.simulate(equations, (0.0, 2.0), ([1.0], [0.0]), **options)
        found.append((run.statistics.steps, abs(run.q[0, -1] - np.cos(2.0))))
    slope = np.log(found[0][1] / found[2][1]) / np.log(found[2][0] / found[0][0])
    assert slope > 1.7, found
