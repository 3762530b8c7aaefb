"""Positions in which constraints lose rank: runs go on along the smooth motion, or stop and say why."""

import re

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq

import dalembert as da
from dalembert.problems import iftomm_four_bars, mechanisms

#: Instants at which the delta robot of the library loses rank, from runs with other builders and methods.
INSTANTS = 0.4320026, 0.537808
METHODS = ["dop853", "dopri5", "mexx", "radau"]
#: Errors of the energy, in units of rtol and of the largest kinetic energy; 7 was the largest one seen.
CONSERVED = 100.0


def instant(run):
    """When constraints lose rank, and which, as the message says."""
    found = re.search(r"the constraints lose rank at t = ([\d.]+): ([\w., ]+?)( and \d+ others)?\. ", run.message)
    assert found is not None, run.message
    return float(found[1]), found[2].split(", ")


def conserves(run):
    """Whether the energy is kept within a multiple of the tolerance."""
    return np.ptp(run["energy"]) <= CONSERVED * run.rtol * np.max(run["kinetic energy"])


@pytest.fixture(scope="module")
def falling():
    """The delta robot in several formulations, and its starts."""
    example = mechanisms.delta_robot()
    example.model.sensor("energy", example.model.energy)
    example.model.sensor("kinetic energy", example.model.kinetic_energy)
    formulations = [("relative", "recursion"), ("absolute", "elements")]
    made = [example.model.equations(coordinates, builder=builder) for coordinates, builder in formulations]
    return [(equations, example.assemble(equations)) for equations in made]


@pytest.mark.parametrize("rtol", [1e-5, 1e-7, 1e-9])
@pytest.mark.parametrize("method", METHODS)
def test_delta_robot_keeps_its_energy_or_stops(falling, method, rtol):
    for equations, start in falling:
        run = da.simulate(equations, (0.0, 0.6), start, method=method, rtol=rtol, atol=rtol, max_steps=5000)
        assert conserves(run), run.message
        assert run.statistics.steps < 2000 and run.statistics.extra["projection_change"] <= 100.0
        if not run.success:
            t, names = instant(run)
            assert run.outcome == "rank lost" and min(abs(t - known) for known in INSTANTS) < 1e-4
            assert abs(run.t[-1] - t) < 5e-3 and all(name[0] in "AEW" for name in names)


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
@pytest.mark.parametrize("method", METHODS)
def test_parallelograms_keep_their_energy_or_stop(method, coordinates):
    """IFToMM A02 at a tolerance that leaves no step across the flat position."""
    example = mechanisms.a02(1)
    example.model.sensor("energy", example.model.energy)
    example.model.sensor("kinetic energy", example.model.kinetic_energy)
    equations = example.model.equations(coordinates)
    flat = brentq(lambda t: iftomm_four_bars.crank_angle(1, t)[0], 0.0, 1.0)
    run = da.simulate(
        equations, (0.0, 1.2 * flat), example.assemble(equations), method=method, rtol=1e-11, atol=1e-11, max_steps=5000
    )
    assert conserves(run), run.message
    if not run.success:
        t, names = instant(run)
        assert run.outcome == "rank lost" and t == pytest.approx(flat, abs=1e-5)
        assert names and set(names) <= set(equations.names["lam"])


def test_projection_that_changes_little_is_told():
    problem = da.problems.seven_body()
    run = da.simulate(problem, rtol=1e-6)
    assert 0.0 < run.statistics.extra["projection_change"] < 50.0


def crank_angle(t, rate):
    """Angle of the cranks of two four-bars from π/2 on: one degree of freedom, three cranks and two couplers."""
    inertia, pull = 3 / 3 + 2, (3 / 2 + 2) * iftomm_four_bars.GRAVITY
    found = solve_ivp(
        lambda t, y: [y[1], -pull * np.cos(y[0]) / inertia], (0.0, t[-1]), [np.pi / 2, rate], method="DOP853",
        rtol=1e-12, atol=1e-13, t_eval=t,
    )  # fmt: skip
    return found.y[0]


@pytest.mark.parametrize("coordinates, builder", [("relative", "recursion"), ("absolute", "elements")])
def test_four_bars_stay_on_their_branch_wherever_steps_end(coordinates, builder):
    """Starts that differ by rounding, and by more, end steps elsewhere; tolerances that make steps creep otherwise."""
    example = mechanisms.a02(2)
    equations = example.model.equations(coordinates, builder=builder)
    hinge = example.model["A0"]
    cranks = [f"A{k}.angle" if coordinates == "relative" else f"crank{k}.angle" for k in range(3)]
    places = [equations.index("q", name) for name in cranks]
    for k in range(8):
        rate = -1.0 - 0.01 * k
        start = equations.assemble({hinge.angle: np.pi / 2 + k * 1e-13, hinge.rate: rate})
        for method, rtol in (("dop853", 1e-11), ("dop853", 1e-5), ("dopri5", 1e-7), ("mexx", 1e-8), ("radau", 1e-6)):
            run = da.simulate(equations, (0.0, 2.0), start, method=method, rtol=rtol, atol=rtol / 10)
            assert run.success, (method, rtol, k, run.message)
            assert np.abs(run.q[places] - crank_angle(run.t, rate)).max() < 1e3 * rtol, (method, rtol, k)


@pytest.mark.parametrize("t0", [0.0, 100.0])
@pytest.mark.parametrize("angle", [2.7, 3.0])
def test_other_failures_are_not_blamed_on_positions_far_ahead(t0, angle):
    """Cranks of a parallelogram before π, and a torque that no step of the size allowed can follow."""
    m = da.Model("parallelogram", plane="xy", gravity=(0, 0))
    a, c = (m.body(name, mass=1.0, inertia=0.1, com=(0.5, 0)) for name in "ac")
    b = m.body("b", mass=1.0, inertia=0.1, com=(1, 0))
    A, B = m.revolute("A", m.ground.at(0, 0), a.at(0, 0)), m.revolute("B", a.at(1, 0), b.at(0, 0))
    D = m.revolute("D", m.ground.at(2, 0), c.at(0, 0))
    m.revolute("C", b.at(2, 0), c.at(1, 0))
    m.parameters(late=0.1)
    m.torque("torque", A, lambda t, p: np.where(t < p.late, 0.0, 1e3 * np.sin(1e4 * t)))
    equations = m.equations("relative")
    start = equations.assemble({A.angle: angle, B.angle: -angle, D.angle: angle, A.rate: 0.6})
    run = da.simulate(
        equations, (t0, t0 + 1.0), start, method="dop853", min_step=1e-3, rtol=1e-8, parameters={"late": t0 + 0.1}
    )
    assert run.outcome == "step size underflow" and "rank" not in run.message, run.message


def parallel_bars():
    """A beam on three parallel bars, one of them redundant, and when these are flat."""
    m = da.Model("parallel bars", plane="xy", gravity=(0, -9.81))
    beam = m.body("beam", mass=2.0, inertia=0.5, com=(1.0, 0.0))
    for i in range(3):
        bar = m.body(f"bar{i}", mass=1.0, inertia=0.1, com=(0.5, 0))
        m.revolute(f"A{i}", m.ground.at(float(i), 0), bar.at(0, 0), start=0.1)
        m.revolute(f"B{i}", bar.at(1, 0), beam.at(float(i), 0), start=-0.1)
    inertia, pull = 3 * (0.1 + 0.25) + 2.0, 3.5 * 9.81
    flat = solve_ivp(
        lambda t, y: [y[1], -pull * np.cos(y[0]) / inertia], (0.0, 0.2), [0.1, 0.0], method="DOP853",
        rtol=1e-12, atol=1e-13, events=lambda t, y: y[0],
    )  # fmt: skip
    return m, {}, flat.t_events[0][0]


def equal_slider_crank():
    """Crank and rod of the same length, and when the slider passes the hinge of the crank, about which both may turn
    then."""
    m = da.Model("equal slider crank", plane="xy", gravity=(0, 0))
    crank, rod = (m.body(name, mass=1.0, inertia=0.1, com=(0.5, 0)) for name in ("crank", "rod"))
    slider = m.body("slider", mass=1.0, inertia=0.1)
    A, B = m.revolute("A", m.ground.at(0, 0), crank.at(0, 0)), m.revolute("B", crank.at(1, 0), rod.at(0, 0))
    m.revolute("C", rod.at(1, 0), slider.at(0, 0))
    m.prismatic("D", m.ground.at(0, 0), slider.at(0, 0))

    def inertia(angle):
        rod_moves = 2.25 * np.sin(angle) ** 2 + 0.25 * np.cos(angle) ** 2
        return 0.1 + 0.25 + 0.1 + rod_moves + 4.0 * np.sin(angle) ** 2

    # The kinetic energy is that of 3 rad/s at the angle 1.
    passed = quad(lambda angle: np.sqrt(inertia(angle) / inertia(1.0)) / 3.0, 1.0, np.pi / 2)[0]
    return m, {A.angle: 1.0, B.angle: -2.0, A.rate: 3.0}, passed


@pytest.mark.parametrize(
    ("make", "coordinates", "builder", "rtol"),
    [
        (parallel_bars, "relative", "recursion", 1e-12),
        (parallel_bars, "absolute", "elements", 3e-12),
        (equal_slider_crank, "relative", "recursion", 1e-12),
        (equal_slider_crank, "absolute", "elements", 5e-14),
    ],
)
def test_iterations_that_fail_before_a_singular_position_name_it(make, coordinates, builder, rtol):
    """Some way ahead of it rounding grows beyond tolerances that are fine enough: by the inverse square of a singular
    value. These are so fine that no step gets across: runs stop at 0.6 to 60 ms before it."""
    m, given, lost = make()
    equations = m.equations(coordinates, builder=builder)
    start = equations.assemble(given, redundant="accept")
    run = da.simulate(
        equations, (0.0, lost + 0.1), start, method="radau", rtol=rtol, atol=0.01 * rtol, redundant="accept",
        max_steps=3000,
    )  # fmt: skip
    assert not run.success and run.outcome == "rank lost" and run.t[-1] < lost
    t, names = instant(run)
    assert t == pytest.approx(lost, abs=1e-3)
    assert names and set(names) <= set(equations.names["lam"])


@pytest.mark.parametrize("make", [lambda: mechanisms.chain(4), mechanisms.double_wishbone])
def test_forces_that_blow_up_are_not_blamed_on_constraints(make):
    """Velocities grow beyond all bounds, so that the mechanism would be far away after a step."""
    example = make()
    m = example.model
    m.parameters(late=0.05)
    hinge = next(joint for joint in m.joints if hasattr(joint, "angle"))
    m.torque("motor", hinge, lambda t, p: 1.0 / (p.late - t) ** 2)
    equations = m.equations("absolute", builder="elements")
    start = example.assemble(equations)
    for method, rtol in (("dopri5", 1e-5), ("radau", 1e-5), ("radau9", 1e-8)):
        run = da.simulate(equations, (0.0, 0.1), start, method=method, rtol=rtol, max_steps=2000)
        assert not run.success and "rank" not in run.outcome + run.message, run.message


def driven_slider_crank(law=lambda t: 2.5 + 0.4 * t):
    """A slider that is pushed outwards until crank and rod are stretched, 3 m from the hinge."""
    m = da.Model("pushed slider", plane="xy", gravity=(0, -9.81))
    crank, rod = m.body("crank", mass=1.0, inertia=0.1, com=(0.5, 0)), m.body("rod", mass=1.0, inertia=0.3, com=(1, 0))
    slider = m.body("slider", mass=1.0, inertia=0.1)
    m.revolute("A", m.ground.at(0, 0), crank.at(0, 0), start=0.863)
    m.revolute("B", crank.at(1, 0), rod.at(0, 0), start=-1.25)
    m.revolute("C", rod.at(2, 0), slider.at(0, 0))
    D = m.prismatic("D", m.ground.at(0, 0), slider.at(0, 0))
    m.drive("push", D.displacement, law)
    return m, (3.0 - 2.5) / 0.4


def driven_four_bar():
    """A four-bar whose crank cannot turn all the way: coupler and rocker are stretched before."""
    m = da.Model("driven four-bar", plane="xy", gravity=(0, -9.81))
    crank, coupler, rocker = (
        m.body(name, mass=1.0, inertia=0.1, com=(0.5 * length, 0))
        for name, length in (("crank", 1.0), ("coupler", 0.8), ("rocker", 0.9))
    )
    A = m.revolute("A", m.ground.at(0, 0), crank.at(0, 0), start=1.0)
    m.revolute("B", crank.at(1, 0), coupler.at(0, 0), start=-0.94)
    m.revolute("C", coupler.at(0.8, 0), rocker.at(0.9, 0))
    m.revolute("D", m.ground.at(1.2, 0), rocker.at(0, 0), start=1.416)
    m.drive("motor", A.angle, lambda t: 1.0 + t)
    # Law of cosines with coupler and rocker in one line.
    return m, float(np.arccos((1.0 + 1.2**2 - 1.7**2) / (2 * 1.2))) - 1.0


@pytest.mark.parametrize("make", [driven_slider_crank, driven_four_bar])
@pytest.mark.parametrize(
    ("method", "coordinates"), [("auto", "relative"), ("dop853", "absolute"), ("mexx", "relative")]
)
def test_drives_that_end_in_a_dead_centre_are_named(make, method, coordinates):
    m, lost = make()
    equations = m.equations(coordinates)
    run = da.simulate(equations, (0.0, lost + 1.0), equations.assemble(), method=method)
    assert run.outcome == "rank lost" and run.t[-1] == pytest.approx(lost, abs=1e-6)
    t, names = instant(run)
    drive = next(name for name in names if name.startswith(("push", "motor")))
    assert t == pytest.approx(lost, abs=1e-6) and f"dead centre for {drive}" in run.message


@pytest.mark.parametrize("amplitude", [0.4, 0.49])
def test_drives_that_turn_back_before_a_dead_centre_pass(amplitude):
    """As near as 1 cm; and a force that blows up on the way is not blamed on the dead centre 10 cm ahead."""
    m, _ = driven_slider_crank(lambda t: 2.5 + amplitude * np.sin(t))
    m.parameters(strength=0.0)
    m.torque("motor", m["A"], lambda t, p: p.strength / (np.pi / 2 - t) ** 2)
    equations = m.equations("relative")
    start = equations.assemble()
    assert da.simulate(equations, (0.0, 10.0), start).success
    run = da.simulate(equations, (0.0, 3.0), start, parameters={"strength": 1.0}, max_steps=3000)
    assert "dead centre" not in run.message, run.message
