"""Implicit–explicit steps of one size: stability, growth of modes, projections, forces that depend on reactions."""

import ctypes

import numpy as np
import pytest
from integrate.runs import residuals

import dalembert as da
from dalembert.errors import SimulationError
from dalembert.integrate.run import live


def quarter_car(damping=1.5e5, implicit=True):
    """A chassis, and a wheel with a stiff damper between them."""
    m = da.Model("quarter car", plane="xy", gravity=(0, -9.81))
    chassis, wheel = m.body("chassis", mass=400.0, inertia=1.0), m.body("wheel", mass=40.0, inertia=1.0)
    m.prismatic("travel", m.ground.at(0, 0), chassis.at(0, 0), axis=(0, 1))
    strut = m.prismatic("strut", chassis.at(0, 0), wheel.at(0, 0), axis=(0, 1))
    m.joint_spring("suspension", strut, 2e4, damping, implicit=implicit)
    m.tyre("tyre", wheel.at(0, 0), 0.3, 2e5, 1e2, lifts=False, road=lambda t: 0.02 * np.sin(8.0 * t))
    return m.equations(coordinates="relative")


def fastest_decay(equations, start):
    """Largest decay rate λ of M⁻¹ ∂f/∂v, by numbers."""
    n = equations.sizes.v
    at = [equations.forward_dynamics(start.q, start.v + 1e-3 * e)[0] for e in np.eye(n)]
    slopes = (np.array(at).T - equations.forward_dynamics(start.q, start.v)[0][:, None]) / 1e-3
    return float(-np.linalg.eigvals(slopes).real.min())


def test_a_quarter_car_at_a_hundred_times_the_explicit_step():
    equations = quarter_car()
    start = equations.assemble()
    limit = 2.0 / fastest_decay(equations, start)
    assert 4e-4 < limit < 6e-4
    reference = da.simulate(equations, (0, 2), start, method="radau", rtol=1e-9, atol=1e-11)
    coarse = da.simulate(equations, (0, 2), start, method=da.Imex(step=100.0 * limit, update="symplectic"))
    assert coarse.success and np.abs(coarse.q).max() < 3.0 * np.abs(reference.q).max()
    found = []
    for step in (1e-3, 5e-4, 2.5e-4):
        run = da.simulate(equations, (0, 2), start, method=da.Imex(step=step))
        found.append(np.abs(run.q[:, -1] - reference.q[:, -1]).max())
    assert np.log2(found[0] / found[1]) == pytest.approx(1.0, abs=0.3)
    assert np.log2(found[1] / found[2]) == pytest.approx(1.0, abs=0.3)


@pytest.mark.parametrize("part,stable", [(0.95, True), (1.05, False)])
def test_explicit_euler_explodes_at_its_limit_and_imex_does_not(part, stable):
    equations = quarter_car()
    start = equations.assemble()
    step = part * 2.0 / fastest_decay(equations, start)
    plain = da.simulate(equations, (0, 1.0), start, method=da.ExplicitEuler(step=step), max_steps=2100)
    assert (np.abs(plain.v).max() < 10.0) == stable
    assert np.abs(da.simulate(equations, (0, 1.0), start, method=da.Imex(step=step)).v).max() < 10.0
    # Where nothing is declared to be stiff, it is explicit too.
    other = quarter_car(implicit=False)
    bare = da.simulate(other, (0, 1.0), start, method=da.Imex(step=step), max_steps=2100)
    assert (np.abs(bare.v).max() < 10.0) == stable


def oscillator(omega):
    return da.trace(M=lambda: np.eye(1), f=lambda q: np.array([-(omega**2) * q[0]]), n_q=1, name="oscillator")


def test_growth_of_an_undamped_mode():
    """(38) lets it grow by Δω²/4 in a second, the symplectic update does not, and nor does the trapezoidal rule."""
    omega, step, t_end = 20.0, 1e-3, 4.0
    equations, start = oscillator(omega), ([1.0], [0.0])

    def size(method):
        run = da.simulate(equations, (0, t_end), start, method=method)
        late = run.t > t_end - 1.0
        return np.sqrt(np.mean(run.q[0, late] ** 2 + (run.v[0, late] / omega) ** 2))

    middle = t_end - 0.5
    assert np.log(size(da.Imex(step=step))) / middle == pytest.approx(step * omega**2 / 4.0, rel=0.02)
    assert size(da.Imex(step=step, update="symplectic")) == pytest.approx(1.0, abs=0.02)
    assert size(da.LinearlyImplicitTrapezoidal(step=step)) == pytest.approx(1.0, abs=1e-3)
    assert np.log(size(da.ExplicitEuler(step=step))) / middle == pytest.approx(step * omega**2 / 2.0, rel=0.02)
    assert np.log(size(da.LinearlyImplicitEuler(step=step))) / middle == pytest.approx(-step * omega**2 / 2.0, rel=0.02)


def test_constraints_are_kept_in_one_correction():
    problem = da.problems.seven_body()
    span, start = (0, 0.03), (problem.q0, problem.v0)
    run = da.simulate(problem.equations, span, start, method=da.Imex(step=1e-4))
    g, gv = residuals(problem.equations, run, run.t, run.q, run.v)
    assert g < 1e-6 and gv < 1e-10 * (1.0 + np.abs(run.v).max())
    counts = run.statistics.extra
    assert counts["constraint_residual"] == pytest.approx(g, rel=1e-6)
    assert counts["projection_iterations"] <= 1.02 * run.statistics.steps
    tight = da.simulate(problem.equations, span, start, method=da.Imex(step=1e-4, tolerance=1e-12))
    assert residuals(problem.equations, tight, tight.t, tight.q, tight.v)[0] < 1e-12
    assert tight.statistics.extra["projections_repeated"] > 0


def test_partitions_kept_and_chosen_in_every_step_agree():
    """Where the same coordinates are chosen, and projections end at rounding."""
    equations = da.problems.mechanisms.four_bar().model.equations(coordinates="relative")
    start = equations.assemble()
    options = {"step": 1e-4, "tolerance": 1e-13}
    kept, chosen = (
        da.simulate(equations, (0, 0.1), start, method=da.Imex(partition=partition, **options))
        for partition in ("kept", "every step")
    )
    assert kept.statistics.extra["repartitions"] == 1 < chosen.statistics.extra["repartitions"]
    assert kept.q == pytest.approx(chosen.q, rel=1e-9, abs=1e-9) and kept.v == pytest.approx(
        chosen.v, rel=1e-9, abs=1e-9
    )
    assert kept.lam == pytest.approx(chosen.lam, rel=1e-9, abs=1e-9)


def test_another_partition_is_chosen_where_pivots_vanish():
    """A pendulum in x and y turns over: neither coordinate depends on the other all the way."""
    problem = da.problems.pendulum()
    start = problem.q0, problem.v0 + np.array([-problem.q0[1], problem.q0[0]]) * 8.0
    run = da.simulate(problem.equations, (0, 2.0), start, method=da.Imex(step=1e-3))
    assert run.success and run.statistics.extra["repartitions"] > 4
    assert residuals(problem.equations, run, run.t, run.q, run.v)[0] < 1e-6
    reference = da.simulate(problem.equations, (0, 2.0), start, rtol=1e-10, atol=1e-12)
    finer = da.simulate(problem.equations, (0, 2.0), start, method=da.Imex(step=5e-4))
    errors = [np.abs(one.q[:, -1] - reference.q[:, -1]).max() for one in (run, finer)]
    assert 1.6 < errors[0] / errors[1] < 2.5


@pytest.mark.parametrize("name", ["free_body", "rolling_disc", "top", "double_wishbone", "stewart_platform"])
def test_models_of_many_kinds(name):
    """Euler parameters, rolling, tyres, closed loops in space: order one against a method with error control."""
    example = getattr(da.problems.mechanisms, name)()
    equations = example.model.equations(coordinates="relative")
    start, t_end = example.assemble(equations), 0.05
    reference = da.simulate(equations, (0, t_end), start, method="dop853", rtol=1e-10, atol=1e-12)
    errors = []
    for step in (2e-4, 1e-4):
        run = da.simulate(equations, (0, t_end), start, method=da.Imex(step=step))
        assert run.success
        g, gv = residuals(equations, run, run.t, run.q, run.v)
        assert g < 1e-6 and gv < 1e-9 * (1.0 + np.abs(run.v).max())
        errors.append(np.abs(run.v[:, -1] - reference.v[:, -1]).max())
    assert errors[0] / errors[1] == pytest.approx(2.0, rel=0.15), errors


def test_friction_sees_the_reactions_of_the_step_before():
    """A block on a slope, whose friction is that of its reaction: the lag costs no more than the order."""
    m = da.Model("slope", plane="xy", gravity=(1.0, -9.81))
    block = m.body("block", mass=2.0, inertia=1.0)
    joint = m.prismatic("slide", m.ground.at(0, 0), block.at(0, 0), axis=(1, 0), start={"displacement.rate": 5.0})
    m.friction("friction", joint, mu=0.4, velocity=1e-2)
    equations = m.equations(coordinates="absolute", builder="symbolic")
    start = equations.assemble()
    run = da.simulate(equations, (0, 1.0), start, method=da.Imex(step=1e-3))
    assert run.v[0, -1] == pytest.approx(5.0 + 1.0 - 0.4 * 9.81, abs=2e-2)
    assert np.abs(run.lam).max() == pytest.approx(2.0 * 9.81, rel=0.2)


def test_a_last_step_that_differs_by_rounding_is_one_like_others():
    """A span of a whole number of steps, and a longer one: friction sees the reactions of the same instants."""
    m = da.Model("block", plane="xy", gravity=(0, -9.81))
    arm, block = m.body("arm", mass=1.0, inertia=0.1, com=(0.3, 0.0)), m.body("block", mass=1.0, inertia=0.1)
    guide = m.prismatic("guide", m.ground.at(0, 0), block.at(0, 0), axis=(1, 0), start={"displacement.rate": 1.0})
    m.revolute("swing", block.at(0, 0), arm.at(0, 0), start=0.3)
    m.friction("rubbing", guide, mu=0.3, velocity=0.05)
    equations = m.equations()
    start = equations.assemble()
    method = da.Imex(step=1e-3)
    longer = da.simulate(equations, (0, 0.0205), start, method=method, dense_output=False)
    for steps in (3, 7, 10, 20):
        run = da.simulate(equations, (0, 1e-3 * steps), start, method=method, dense_output=False)
        assert run.t.size == steps + 1
        np.testing.assert_allclose(run.v[:, -1], longer.v[:, steps], rtol=0, atol=1e-13)


def test_states_of_filters_are_stable_at_any_step():
    equations = da.trace(
        M=lambda: np.eye(1), f=lambda q, u: np.array([-q[0] + u[0]]),
        d=lambda t, u: np.array([1e5 * (np.sin(t) - u[0])]), n_q=1, n_u=1, name="filter",
    )  # fmt: skip
    run = da.simulate(equations, (0, 3), ([0.0], [0.0], [0.0]), method=da.Imex(step=1e-2))
    assert run.u[0, -1] == pytest.approx(np.sin(3.0), abs=2e-2)


@pytest.mark.parametrize(
    "method", [da.Imex, da.ExplicitEuler, da.LinearlyImplicitEuler, da.LinearlyImplicitTrapezoidal]
)
def test_events_and_the_size_of_steps(method):
    """A ball that bounces: events are found within steps, and steps go on with their size behind them."""
    equations = da.trace(M=lambda: np.eye(1), f=lambda: np.array([-10.0]), n_q=1, name="ball")
    bounce = da.Event(lambda q: q[0], direction=-1, action=lambda v: da.Change(v=-v))
    run = da.simulate(equations, (0, 1.9), ([1.0], [0.0]), method=method(step=1e-3), events=[bounce])
    fall = np.sqrt(0.2)
    assert run.t_events[0] == pytest.approx([fall, 3.0 * fall], rel=2e-2)
    assert run.statistics.step_max <= 1.01e-3 and run.success


def test_events_that_are_only_reported_leave_the_motion_as_it_is():
    """Coordinates whose rates are not velocities: T a of the end of a step is kept, whatever was looked at within."""
    example = da.problems.mechanisms.free_body()
    equations = example.model.equations(coordinates="relative")
    start, method = example.assemble(equations), da.Imex(step=1e-3)
    plain = da.simulate(equations, (0, 0.2), start, method=method)
    middle = 0.5 * (plain.q[4].min() + plain.q[4].max())
    for function, found in ((lambda q: q[4] - middle, True), (lambda q: q[4] - 1e3, False)):
        run = da.simulate(equations, (0, 0.2), start, method=method, events=[function])
        assert (len(run.t_events[0]) > 0) == found
        np.testing.assert_array_equal(run.q[:, -1], plain.q[:, -1])
        np.testing.assert_array_equal(run.v[:, -1], plain.v[:, -1])


def test_what_is_refused():
    equations, start = oscillator(1.0), ([1.0], [0.0])
    for method, words in (
        ("imex", "makes steps of one size; say it: Imex"), (da.Imex(step=2.0), "not within"),
    ):  # fmt: skip
        with pytest.raises(SimulationError, match=words):
            da.simulate(equations, (0, 1), start, method=method, max_step=1.0)
    with pytest.raises(SimulationError, match="leave first_step away"):
        da.simulate(equations, (0, 1), start, method=da.Imex(step=0.1), first_step=0.1)
    for options, words in (
        ({"step": 0.0}, "step must be a positive number"), ({"step": "1"}, "step must be a positive number"),
        ({"update": "leapfrog"}, "no update 'leapfrog'"), ({"partition": "never"}, "no partition"),
        ({"tolerance": -1.0}, "tolerance must be"), ({"iterations": 0}, "iterations must be a whole number"),
        ({"controller": da.Gustafsson()}, "Gustafsson control is for implicit"),
        ({"step": 0.1, "controller": da.FixedStep(size=0.1)}, "give either step or controller"),
    ):  # fmt: skip
        with pytest.raises(SimulationError, match=words):
            da.Imex(**options)
    elements = da.problems.mechanisms.four_bar().model.equations(coordinates="absolute", builder="elements")
    with pytest.raises(SimulationError, match="put together from elements"):
        da.simulate(elements, (0, 1), elements.assemble(), method=da.Imex(step=1e-3))


@pytest.mark.parametrize("method", [da.LinearlyImplicitEuler, da.LinearlyImplicitTrapezoidal])
def test_linearly_implicit_methods_serve_all_builders(method):
    """Elements, recursions, functions that are called back: the same steps."""
    example = da.problems.mechanisms.four_bar()
    runs = []
    for builder in ("symbolic", "elements"):
        equations = example.model.equations(coordinates="absolute", builder=builder)
        runs.append(da.simulate(equations, (0, 0.1), equations.assemble(), method=method(step=1e-3)))
    assert runs[0].q[:, -1] == pytest.approx(runs[1].q[:, -1], rel=1e-8, abs=1e-8)
    stiff = da.numeric(lambda q, v: np.array([-q[0] - 1e5 * v[0]]))
    black = da.trace(M=lambda: np.eye(1), f=stiff, n_q=1, name="black box")
    run = da.simulate(black, (0, 1), ([1.0], [0.0]), method=method(step=1e-2))
    assert run.success and run.q[0, -1] == pytest.approx(1.0, abs=1e-2)


def test_the_pace_of_the_clock_changes_nothing():
    problem = da.problems.pendulum()
    start, options = (problem.q0, problem.v0), {"method": da.Imex(step=1e-3)}
    free = da.simulate(problem.equations, (0, 0.2), start, **options)
    paced = da.simulate(problem.equations, (0, 0.2), start, realtime=4.0, **options)
    for name in ("t", "q", "v", "a", "lam"):
        assert np.array_equal(getattr(free, name), getattr(paced, name)), name
    counts = paced.statistics.extra
    assert 0 <= counts["overruns"] <= paced.statistics.steps and counts["step_time_worst"] > 0.0
    assert counts["step_time_median"] <= counts["step_time_99"] <= counts["step_time_9999"]
    assert "overruns" not in free.statistics.extra
    first = da.simulate(problem.equations, (0, 0.2), start, realtime=4.0, max_steps=77, **options)
    whole = da.resume(first, problem.equations)
    assert np.array_equal(whole.q, free.q) and whole.success
    for wrong in (0.0, -1.0, "yes", np.inf):
        with pytest.raises(SimulationError, match="realtime must be True, False or a positive number"):
            da.simulate(problem.equations, (0, 0.2), start, realtime=wrong, **options)


class Clock:
    """A clock that goes on by a tick whenever it is read, and to the instant that is slept until."""

    TICK, ASLEEP = 10_000, 1_000_000_000

    def __init__(self):
        self.now, self.slept, place = 0, 0, ctypes.POINTER(ctypes.c_int64)
        self.read = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int32, place)(self.tell)
        self.sleep = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int32, ctypes.c_int32, place, place)(self.go_on)

    def tell(self, _, place):
        self.now += self.TICK
        place[0], place[1] = divmod(self.now, self.ASLEEP)
        return 0

    def go_on(self, *given):
        until = given[2][0] * self.ASLEEP + given[2][1]
        assert until > self.now
        self.slept += until - self.now
        self.now = until
        return 0

    def addresses(self):
        functions = {"clock_gettime": self.read, "clock_nanosleep": self.sleep}
        return {name: ctypes.cast(one, ctypes.c_void_p).value for name, one in functions.items()}


@pytest.mark.parametrize("pause", [0, 900_000, 3_500_000])
def test_python_has_its_word_while_a_run_waits(monkeypatch, pause):
    """Slices of 0.2 s; what Python takes between them is no time of a step as long as the run would have waited."""
    clock = Clock()
    monkeypatch.setattr(live, "clock_addresses", clock.addresses)
    problem = da.problems.pendulum()

    def look_on(t, statistics):
        clock.now += pause

    start, method = (problem.q0, problem.v0), da.Imex(step=1e-3)
    run = da.simulate(problem.equations, (0, 0.5), start, method=method, realtime=True, progress=look_on)
    counts = run.statistics.extra
    # A step is done a tick after the run has woken up, which is a tick after the last one was due.
    assert clock.now >= 500_000_000 + clock.TICK
    if pause < 1_000_000 - 3 * clock.TICK:
        assert counts["overruns"] == 0 and counts["late_worst"] == 0.0
        assert counts["step_time_worst"] == pytest.approx(1e-9 * clock.TICK, rel=1e-6)
    else:
        # The step behind each of both pauses is done late, and the one that catches up.
        late = pause + 4 * clock.TICK - 1_000_000
        assert counts["step_time_worst"] == pytest.approx(1e-9 * late, rel=1e-6)
        assert counts["late_worst"] == pytest.approx(1e-9 * (late - 1_000_000), rel=1e-6)
        assert counts["overruns"] == 2 * 2


@pytest.mark.parametrize("law", ["tanh", "tmeasy"])
def test_tyres_that_slip_at_low_speed(law):
    """Slip is a damper of the size C/V: at 0.5 m/s steps of 20 ms are far beyond what is explicitly stable."""
    slip = {"stiffness": 6e4, "mu": 0.9}
    if law == "tmeasy":
        slip |= {"peak_slip": 0.1, "sliding_mu": 0.8, "sliding_slip": 0.6}
    runs = {}
    for implicit in (True, False):
        m = da.Model("unicycle", gravity=(0, 0, -9.81))
        car, wheel = m.body("car", 200.0, (50.0, 50.0, 50.0)), m.body("wheel", 20.0, (0.5, 0.8, 0.5))
        table = {"x.rate": 0.5, "y.rate": 0.02}
        m.planar_joint("road", m.ground.at(0, 0, 0.28), car.at(0, 0, 0), start=table)
        m.revolute("axle", car.at(0, 0, 0), wheel.at(0, 0, 0), axis="y", start={"angle.rate": 2.0})
        m.slip_tyre(
            "tyre", wheel.at(0, 0, 0, axis="y"), 0.3, 2e5, lateral=slip, longitudinal=slip, law=law, velocity=0.05,
            implicit=implicit,
        )  # fmt: skip
        equations = m.equations(coordinates="relative")
        start = equations.assemble({})
        runs[implicit] = da.simulate(equations, (0, 2.0), start, method=da.Imex(step=2e-2), max_steps=200)
        if implicit:
            reference = da.simulate(equations, (0, 2.0), start, method="radau", rtol=1e-8)
    assert runs[True].v[:, -1] == pytest.approx(reference.v[:, -1], abs=2e-2)
    assert not runs[False].success or np.abs(runs[False].v - 0.0).max() > 2.0 * np.abs(reference.v).max()


@pytest.mark.filterwarnings("ignore")
def test_a_locomotive_on_rails():
    """Creep forces, auxiliary variables, lagged loads, contacts that jump: bounded, on its constraints, and of order 1
    as long as no contact jumps."""
    from dalembert.problems.mechanisms.locomotive import locomotive

    example = locomotive("S0", profiles="published")
    equations = example.model.equations()
    start = example.assemble(equations)
    ends = {}
    for step in (1e-3, 5e-4, 1.25e-4):
        run = da.simulate(equations, (0, 0.1), start, method=da.Imex(step=step), dense_output=False)
        assert run.success and run.statistics.rejected == 0
        counts = run.statistics.extra
        assert counts["constraint_residual"] <= 1e-6 and counts["auxiliary_residual"] <= 1e-6
        assert counts["projections_repeated"] <= 0.05 * run.statistics.steps
        ends[step] = run.q[:30, -1]
    coarse, fine = (np.abs(ends[step] - ends[1.25e-4]).max() for step in (1e-3, 5e-4))
    assert 1.9 < coarse / fine < 2.9  # (8 − 1)/(4 − 1) for order 1
    # Where a wheel fits the rail its contact jumps, which is told, and the motion goes on.
    steps = []
    longer = da.simulate(
        equations, (0, 3.0), start, method=da.Imex(step=1e-3), dense_output=False, monitor=steps.append
    )  # fmt: skip
    corrections = np.array([one.extra["auxiliary_iterations"] for one in steps])
    assert corrections[1:][corrections[:-1] > 3].max() <= 3  # nothing from before a jump is believed behind it
    assert (
        longer.outcome == "finished"
        and longer.t[-1] == 3.0
        and np.abs(longer.q[1]).max() < 0.02
        and longer.lam.min() > 1e4
    )
    assert "the contact is conformal at t = " in longer.message


@pytest.mark.parametrize("friction", [0.5, 1.4, 2.0])
def test_no_start_where_friction_leaves_no_motion(friction):
    """Painlevé's rod, 1 m and 1 kg: it slides on its end while it leans by arctan 2, where 4/3 is the limit of μ."""

    def forces(q, lam):
        normal = -np.abs(lam[0])
        return np.array([-friction * normal, -9.81, -0.5 * friction * normal * np.sin(q[2])])

    rod = da.trace(
        M=lambda: np.diag([1.0, 1.0, 1.0 / 12.0]), f=forces, g=lambda q: np.array([q[1] - 0.5 * np.sin(q[2])]), n_q=3,
        name="rod",
    )  # fmt: skip
    lean = np.arctan(2.0)
    run = da.simulate(rod, (0, 0.05), ([0, 0.5 * np.sin(lean), lean], [5.0, 0, 0]), method="imex", first_step=1e-3)
    assert run.outcome == ("finished" if friction < 4.0 / 3.0 else "bad start")
