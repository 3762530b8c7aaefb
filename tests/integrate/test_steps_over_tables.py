"""Steps see what tables, comparisons and whole numbers contain, and drives do not jump."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

import dalembert as da
from dalembert.errors import EquationsError, ModelError, SimulationError
from dalembert.integrate import Rosenbrock
from dalembert.symbolic import PiecewisePolynomial

METHODS = ("dopri5", "dop853", "mexx", "adams", "hem5", "radau", "radau9", "radau13")
BUMP = ([0.0, 9.75, 10.0, 10.25, 10.5, 30.0], [0.0, 0.0, 0.05, 0.05, 0.0, 0.0])
STIFFNESS, MASS, RADIUS = 2e4, 300.0, 0.3


def car(road, speed=10.0, damping=2e3, gravity=9.81):
    """A mass on a tyre, in balance, that is driven along a road."""
    m = da.Model("car", plane="xz", gravity=(0, -gravity))
    body = m.body("body", mass=MASS, inertia=50.0, position=(0, RADIUS - MASS * gravity / STIFFNESS))
    m.orientation("upright", m.ground, body)
    m.tyre("tyre", body.at(0, 0), radius=RADIUS, stiffness=STIFFNESS, damping=damping, road=road, up=(0, 1))
    equations = m.equations()
    q, v, _ = equations.start()
    v[0] = speed
    return equations, (q, v)


def end(equations, start, span, method, **options):
    found = da.simulate(equations, span, start, method=method, **{"rtol": 1e-6, "atol": 1e-8, **options})
    assert found.success
    return found


@pytest.mark.parametrize("method", METHODS)
def test_a_bump_is_not_driven_over(method):
    equations, start = car(BUMP)
    fine = end(equations, start, (0.0, 1.3), "dop853", rtol=1e-11, atol=1e-12, max_step=2e-3)
    found = end(equations, start, (0.0, 1.3), method)
    assert np.abs(fine.v[1, -1]) > 0.05  # it swings after the bump
    assert_allclose(found.q[:, -1], fine.q[:, -1], atol=1e-3)
    assert_allclose(found.v[:, -1], fine.v[:, -1], atol=1e-2)


@pytest.mark.parametrize(
    "road",
    [
        lambda x: np.where((x > 9.75) & (x < 10.5), 0.05, 0.0),
        lambda x: 0.05 * np.clip((x - 9.75) / 0.25, 0.0, 1.0) - 0.05 * np.clip((x - 10.25) / 0.25, 0.0, 1.0),
        {"x": da.table(*BUMP, kind="linear")},
        {"x": da.table(*BUMP, kind="linear", outside="periodic")},
        lambda x: da.table(*BUMP)(x % 30.0),
    ],
    ids=["where", "clip", "linear", "periodic", "remainder"],
)
def test_other_ways_to_write_a_bump(road):
    equations, start = car(road, damping=0.0)
    fine = end(equations, start, (0.0, 1.3), "dop853", rtol=1e-9, atol=1e-10, max_step=1e-3)
    found = end(equations, start, (0.0, 1.3), "radau")
    assert np.ptp(fine.q[1]) > 0.02
    assert_allclose(found.q[:, -1], fine.q[:, -1], atol=1e-3)


NARROW = {
    "comparisons": lambda x: np.where(
        np.logical_and(x > 4.975, x < 5.025), 0.05 * np.cos(np.pi * (x - 5.0) / 0.05) ** 2, 0.0
    ),
    "absolute": lambda x: np.where(np.abs(x - 5.0) < 0.025, 0.05 * np.cos(np.pi * (x - 5.0) / 0.05) ** 2, 0.0),
    "square": lambda x: np.where((x - 5.0) ** 2 < 0.025**2, 0.05 * np.cos(np.pi * (x - 5.0) / 0.05) ** 2, 0.0),
    "parabola": lambda x: np.maximum(0.0, 0.05 - 80.0 * (x - 5.0) * (x - 5.0)),
    "minimum": lambda x: np.maximum(0.0, np.minimum(2.0 * (x - 4.975), 2.0 * (5.025 - x))),
    "sine": lambda x: np.maximum(0.0, 10.0 * (np.sin(x - 5.0 + np.pi / 2) - 0.995)),
}


@pytest.mark.parametrize("road", NARROW.values(), ids=NARROW)
def test_a_bump_shorter_than_the_wheel_is_seen(road):
    equations, start = car(road, damping=100.0)
    fine = end(equations, start, (0.0, 0.8), "dop853", rtol=1e-9, atol=1e-10, max_step=1e-4)
    assert np.ptp(fine.q[1]) > 5e-4
    for method in METHODS:
        found = end(equations, start, (0.0, 0.8), method)
        assert_allclose(found.q[1, -1], fine.q[1, -1], atol=0.1 * np.ptp(fine.q[1]))


@pytest.mark.parametrize("method", METHODS)
def test_a_border_soon_after_the_start_of_a_step_is_seen(method):
    # the force ends within the first small step of all lines of an extrapolation
    for law in (lambda q: np.where(np.logical_and(q > -1.0, q < 0.0), 100.0, 0.0), lambda q: 100.0 * (q < 0.0)):
        equations = da.trace(M=lambda: np.eye(1), f=law, n_q=1)
        for first_step in (0.01, 0.1):
            for inside in (0.03, 0.1):
                distance = 0.3 * inside * first_step
                found = end(equations, ([-distance], [0.3]), (0.0, 2.0), method, first_step=first_step)
                assert found.v[0, -1] == pytest.approx(np.sqrt(0.09 + 2.0 * 100.0 * distance), rel=1e-3)


GROUND = {
    "where": lambda x, p: np.where(x < p.ground, 1e4 * (p.ground - x), 0.0),
    "maximum": lambda x, p: 1e4 * np.maximum(p.ground - x, 0.0),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("law", GROUND.values(), ids=GROUND)
def test_no_step_ends_deep_in_the_ground(method, law):
    # a mass falls on a stiff ground, whose force vanishes above it: the energy stays
    equations = da.trace(M=lambda: np.eye(1), f=lambda q, p: law(q, p) - 9.81, n_q=1, parameters={"ground": 0.5})
    found = end(equations, ([1.5], [0.0]), (0.0, 5.0), method)
    x, v = found.q[0], found.v[0]
    energy = 0.5 * v**2 + 9.81 * x + 0.5e4 * np.maximum(0.5 - x, 0.0) ** 2
    assert np.sum(np.diff(np.sign(v)) > 0) > 4  # it bounces
    assert_allclose(energy, energy[0], rtol=5e-3)


@pytest.mark.parametrize("method", METHODS)
def test_steps_are_looked_at_whether_dense_output_is_kept_or_not(method):
    equations = da.trace(
        M=lambda: np.eye(1), f=lambda q: -100.0 * q + np.where(abs(q - 0.5) < 0.005, 1000.0, 0.0), n_q=1
    )
    without, kept = (end(equations, ([1.0], [0.0]), (0.0, 1.0), method, dense_output=dense) for dense in (False, True))
    assert np.array_equal(without.t, kept.t) and np.array_equal(without.q, kept.q)


@pytest.mark.parametrize("method", ["radau", "dopri5"])
def test_a_bump_at_whose_edge_a_step_begins_is_seen(method):
    equations, (q, v) = car(NARROW["absolute"], damping=100.0)
    start = (np.add(q, [4.975 + 1e-12, 0.0, 0.0]), v)
    fine = end(equations, start, (0.0, 0.3), "dop853", rtol=1e-9, atol=1e-10, max_step=1e-4)
    found = end(equations, start, (0.0, 0.3), method, first_step=0.1)
    assert_allclose(found.q[1, -1], fine.q[1, -1], atol=0.1 * np.ptp(fine.q[1]))


# ------------------------------------------------------------------------------------- borders that are parameters

WIDTH, STIFF = 0.02, 400.0
FINE = {"rtol": 1e-9, "atol": 1e-11}


def on_a_slide(law, builder="symbolic", n=1):
    """Masses of 2 kg on slides, pushed by a law with the parameters w and k."""
    m = da.Model("slides", plane="xy", gravity=(0, 0))
    m.parameters(w=WIDTH, k=STIFF, place=5.0)
    slides = []
    for i in range(n):
        slides.append(m.prismatic(f"slide {i}", m.ground.at(0, i), m.body(f"body {i}", mass=2.0, inertia=1.0)))
        m.force(f"push {i}", slides[i], law)
    equations = m.equations("absolute" if builder == "elements" else "relative", builder=builder)
    return equations, {slide.displacement: 0.0 for slide in slides} | {slide.rate: 10.0 for slide in slides}


#: Each pushes with k over 2 w, from place − w to place + w.
PARAMETRIC = {
    "absolute": lambda displacement, p: np.where(abs(displacement - p.place) < p.w, p.k, 0.0),
    "square": lambda displacement, p: np.where((displacement - p.place) ** 2 < p.w**2, p.k, 0.0),
    "comparisons": lambda displacement, p: np.where(
        np.logical_and(displacement > p.place - p.w, displacement < p.place + p.w), p.k, 0.0
    ),
    "scaled": lambda displacement, p: np.where(abs(displacement / p.w - p.place / p.w) < 1.0, p.k, 0.0),
    "root": lambda displacement, p: np.where(
        np.sqrt((displacement - p.place) * (displacement - p.place)) < p.w, p.k, 0.0
    ),
    "remainder": lambda displacement, p: np.where(
        (displacement + p.w) % (2.0 * p.place) < p.w, 0.0, 0.0
    ) + np.where(abs(displacement - p.place) < p.w, p.k, 0.0),
    "sine": lambda displacement, p: np.where(
        np.sin((displacement - p.place) / p.place + np.pi / 2) > np.cos(p.w / p.place), p.k, 0.0
    ),
}  # fmt: skip


def speed_after(work):
    """Of 2 kg that came with 10 m/s."""
    return np.sqrt(10.0**2 + work)


@pytest.mark.parametrize("law", PARAMETRIC.values(), ids=PARAMETRIC)
def test_borders_that_are_parameters_are_seen(law):
    equations, values = on_a_slide(law)
    for method in METHODS:
        for w in (WIDTH, 0.1 * WIDTH):
            start = equations.assemble(values, parameters={"w": w})
            found = end(equations, start, (0.0, 0.8), method, parameters={"w": w}, **FINE)
            assert found.v[0, -1] - 10.0 == pytest.approx(speed_after(2.0 * w * STIFF) - 10.0, rel=1e-4)


@pytest.mark.parametrize("builder", ["symbolic", "elements", "recursion"])
def test_all_builders_tell_borders_that_are_parameters(builder):
    equations, values = on_a_slide(PARAMETRIC["absolute"], builder, n=3)
    start = equations.assemble(values)
    for w in (WIDTH, 0.1 * WIDTH, -1.0):  # there is nothing at all with the last
        found = end(equations, start, (0.0, 0.8), "radau", parameters={"w": w}, **FINE)
        speeds = np.sort(np.abs(found.v[:, -1]))[-3:]
        assert_allclose(speeds - 10.0, speed_after(2.0 * max(w, 0.0) * STIFF) - 10.0, rtol=0.01, atol=1e-6)


def test_borders_follow_parameters_that_change_on_the_way():
    equations, values = on_a_slide(PARAMETRIC["absolute"])
    start = equations.assemble(values)
    none, wide, elsewhere = {"w": -1.0}, {"w": 2.0 * WIDTH}, {"place": 7.0}
    moved = speed_after(4.0 * WIDTH * STIFF)
    change = da.Event(lambda q: q[0] - 4.0, action=lambda: da.Change(parameters=wide), name="wider")
    for method in METHODS:
        part = da.simulate(equations, (0.0, 0.9), start, method=method, parameters=none, max_steps=2, **FINE)
        assert part.status == 2 and part.q[0, -1] < 4.0
        resumed = da.resume(part, equations, parameters={**wide, **elsewhere})
        by_event = end(equations, start, (0.0, 0.9), method, parameters=none, events=[change], **FINE)
        for found in (resumed, by_event):
            assert found.success and found.v[0, -1] - 10.0 == pytest.approx(moved - 10.0, rel=0.01)


def test_borders_of_what_moves_against_something_that_moves():
    # The second mass comes towards the first, and both are pushed apart where it passes.
    for law in (
        lambda q, p: abs(q[1] - q[0] - p.place) < p.w,
        lambda q, p: np.logical_and(q[1] > q[0] + p.place - p.w, q[1] < q[0] + (p.place + p.w)),
        lambda q, p: np.logical_and(q[1] - p.w < q[0] + p.place, q[0] - q[1] < p.w - p.place),
    ):
        equations = da.trace(
            M=lambda: 2.0 * np.eye(2),
            f=lambda q, p, law=law: np.array([-1.0, 1.0]) * np.where(law(q, p), p.k, 0.0),
            n_q=2, parameters={"w": WIDTH, "k": STIFF, "place": 5.0},
        )  # fmt: skip
        for method in METHODS:
            found = end(equations, ([0.0, 0.0], [-5.0, 5.0]), (0.0, 0.8), method, **FINE)
            relative = np.sqrt(10.0**2 + 4.0 * WIDTH * STIFF)
            assert found.v[1, -1] - found.v[0, -1] - 10.0 == pytest.approx(relative - 10.0, rel=1e-4)


@pytest.mark.parametrize("builder", ["symbolic", "elements", "recursion"])
def test_all_builders_tell_where_tables_have_borders(builder):
    m = da.Model("slide", plane="xy", gravity=(0, 0))
    body = m.body("body", mass=2.0, inertia=1.0)
    slide = m.prismatic("slide", m.ground, body)
    m.force("pulse", slide, ([0.0, 5.0, 5.1, 5.2, 9.0], [0.0, 0.0, 100.0, 0.0, 0.0]))
    equations = m.equations("absolute" if builder == "elements" else "relative", builder=builder)
    start = equations.assemble({slide.displacement: 0.0, slide.rate: 10.0})
    found = end(equations, start, (0.0, 5.0), "radau")
    # the work of the force over the pulse, which is 0.1 long on either side of its top
    speed = np.sqrt(10.0**2 + 2.0 * 10.0 / 2.0)
    assert np.max(np.abs(found.v[:, -1])) == pytest.approx(speed, abs=1e-3)


def test_forces_over_time_are_not_stepped_over():
    times, forces = [0.0, 5.0, 5.01, 5.02, 9.0], [0.0, 0.0, 100.0, 0.0, 0.0]
    for given in ({"t": (times, forces)}, lambda w: w.push, lambda t: np.where((t > 5.0) & (t < 5.02), 50.0, 0.0)):
        m = da.Model("slide", plane="xy", gravity=(0, 0))
        slide = m.prismatic("slide", m.ground, m.body("body", mass=2.0, inertia=1.0))
        m.input("push", (times, forces))
        m.force("pulse", slide, given)
        equations = m.equations()
        for method in METHODS:
            found = end(equations, equations.assemble(), (0.0, 9.0), method)
            assert found.v[0, -1] == pytest.approx(0.5, abs=1e-3)  # 1 N s on 2 kg


def test_traced_equations_and_elements_are_looked_at():
    table = da.table([0.0, 5.0, 5.1, 5.2, 9.0], [0.0, 0.0, 100.0, 0.0, 0.0])
    traced = da.trace(M=lambda: np.eye(1), f=lambda q: np.array([table(q[0])]), n_q=1)
    parts = da.Elements("parts", coordinates=1)
    parts.add("mass", M=lambda: np.eye(1), f=lambda q: np.array([table(q[0])]), coordinates=[[0]])
    for equations in (traced, parts.equations()):
        found = end(equations, (np.zeros(1), np.array([10.0])), (0.0, 0.8), "radau")
        assert found.v[0, -1] == pytest.approx(np.sqrt(120.0), abs=1e-3)


def test_a_table_of_two_is_not_stepped_over():
    x, y = np.array([0.0, 5.0, 5.1, 5.2, 9.0]), np.array([-1.0, 0.5, 2.0])
    heights = np.zeros((5, 3))
    heights[2] = 100.0
    m = da.Model("slide", plane="xy", gravity=(0, 0))
    slide = m.prismatic("slide", m.ground, m.body("body", mass=2.0, inertia=1.0))
    m.force("pulse", slide, {("displacement", "t"): (x, y, heights)})
    equations = m.equations()
    for method in METHODS:
        found = end(equations, equations.assemble({slide.rate: 10.0}), (0.0, 0.8), method)
        assert found.v[0, -1] == pytest.approx(np.sqrt(110.0), abs=0.02)


def stairs():
    """The force is 0, 1, 2, … on one metre each."""
    m = da.Model("stairs", plane="xy", gravity=(0, 0))
    slide = m.prismatic("slide", m.ground, m.body("body", mass=2.0, inertia=1.0))
    m.force("stairs", slide, lambda displacement: np.floor(displacement))
    equations = m.equations()
    return equations, equations.assemble({slide.displacement: 0.5, slide.rate: 3.0})


@pytest.mark.parametrize("made, steps", [(lambda: car(BUMP), 7), (stairs, 1)], ids=["bump", "stairs"])
def test_runs_go_on_bit_by_bit(made, steps):
    equations, start = made()
    for method in ("dopri5", "radau"):
        whole = end(equations, start, (0.0, 1.3), method)
        part = da.simulate(equations, (0.0, 1.3), start, method=method, rtol=1e-6, atol=1e-8, max_steps=steps)
        while part.status == 2:  # also between a step that ends shortly before a jump and that which leads across
            part = da.resume(part, equations, max_steps=steps)
        assert np.array_equal(part.q, whole.q) and np.array_equal(part.t, whole.t)


def test_equations_without_tables_are_not_looked_at():
    m = da.Model("pendulum", plane="xy", gravity=(0, -9.81))
    m.revolute("A", m.ground, m.body("rod", mass=1.0, inertia=0.1, com=(0.5, 0)).at(0, 0))
    assert not m.equations().borders().choices
    # a tyre that lifts has one condition: nothing can be missed there
    assert not car(0.0)[0].borders().choices


def test_steep_tables_do_not_stop_a_run():
    equations, start = car(([0.0, 5.0, 5.0 + 1e-13, 9.0], [0.0, 0.0, 0.02, 0.02]), damping=0.0)
    found = end(equations, start, (0.0, 0.8), "dopri5")
    phase = np.sqrt(STIFFNESS / MASS) * 0.3
    assert found.q[1, -1] - start[0][1] == pytest.approx(0.02 * (1.0 - np.cos(phase)), abs=1e-5)


# ------------------------------------------------------------------------------------------------------- whole numbers


@pytest.mark.parametrize("method", METHODS)
def test_jumps_of_whole_numbers_are_ends_of_steps(method):
    # Kinetic energy grows by n on the n-th metre.
    equations, start = stairs()
    found = end(equations, start, (0.0, 2.0), method, rtol=1e-8, atol=1e-10)
    x, v = found.q[0, -1], found.v[0, -1]
    n = int(x)
    assert n > 5
    work = sum(range(1, n)) + n * (x - n)
    assert v**2 == pytest.approx(9.0 + work, abs=1e-4)
    for k in range(1, n + 1):  # there is a step that ends at each jump
        assert np.min(np.abs(found.q[0] - k)) < 1e-6


@pytest.mark.parametrize("method", [da.Dopri5, da.Dop853])
def test_fixed_steps_end_before_jumps(method):
    equations = da.trace(M=lambda: np.eye(1), f=lambda q: np.floor(q), n_q=1)
    found = da.simulate(equations, (0.0, 2.0), ([0.5], [3.0]), method=method(controller=da.FixedStep(size=0.01)))
    x, n = found.q[0], np.floor(found.q[0])
    assert_allclose(found.v[0] ** 2, 9.0 + n * (n - 1.0) + 2.0 * n * (x - n), atol=1e-6)


@pytest.mark.parametrize("length", [1.0, 1e-6, 1e-11])
def test_jumps_are_met_in_any_unit(length):
    equations = da.trace(M=lambda: np.eye(1), f=lambda q: length * np.floor(q / length), n_q=1)
    start = (np.array([0.5 * length]), np.array([3.0 * length]))
    found = end(equations, start, (0.0, 2.0), "dopri5", rtol=1e-8, atol=1e-10 * length)
    x, v = found.q[0, -1] / length, found.v[0, -1] / length
    n = np.floor(x)
    assert v**2 == pytest.approx(9.0 + n * (n - 1.0) + 2.0 * n * (x - n), abs=1e-8)


def test_a_force_that_repeats_itself():
    m = da.Model("cogging", plane="xy", gravity=(0, 0))
    slide = m.prismatic("slide", m.ground, m.body("body", mass=2.0, inertia=1.0))
    m.force("cog", slide, lambda displacement: np.where(displacement % 1.0 < 0.25, 4.0, 0.0))
    equations = m.equations()
    found = end(equations, equations.assemble({slide.displacement: 0.5, slide.rate: 3.0}), (0.0, 2.0), "radau")
    x, v = found.q[0, -1], found.v[0, -1]
    work = 4.0 * (0.25 * (int(x) - 1) + min(x - int(x), 0.25))
    assert v**2 == pytest.approx(9.0 + work, abs=1e-4)


def test_a_force_that_jumps_again_and_again_in_time():
    m = da.Model("saw", plane="xy", gravity=(0, 0))
    slide = m.prismatic("slide", m.ground, m.body("body", mass=2.0, inertia=1.0))
    m.parameters(length=0.3)
    m.force("saw", slide, lambda t, p: 6.0 * (t % p.length))
    equations = m.equations()
    for method in METHODS:
        found = end(equations, equations.assemble(), (0.0, 1.5), method)
        assert found.v[0, -1] == pytest.approx(0.5 * 5 * 6.0 * 0.3**2 / 2, abs=1e-6)
        for k in range(1, 5):
            assert np.min(np.abs(found.t - 0.3 * k)) < 1e-12


PULSES = {
    "parameter": (lambda t, p: np.where(t % p.period < 0.01, 1.0, 0.0), 100.0, 10.0),
    "remainder": (lambda t: np.where(t % 1.0 < 0.01, 100.0, 0.0), 300.0, 300.0),
    "sine": (lambda t: np.where(np.sin(20.0 * np.pi * t) > 0.999, 1.0, 0.0), 50.0, 0.711821870),
    "sine of a parameter": (
        lambda t, p: np.where(np.sin(2.0 * np.pi * t / p.period) > 0.999, 1.0, 0.0), 50.0, 0.711821870
    ),
    "square of a sum": (
        lambda t: np.where((np.sin(10.0 * np.pi * t) + 1e-9 * t) ** 2 > 0.9999, 1.0, 0.0), 50.0, 0.318317
    ),
    "table": ({"t": PiecewisePolynomial([0.0, 0.5, 1.0], [[1.0, 0.0]], "periodic")}, 50.0, 25.0),
}  # fmt: skip


@pytest.mark.parametrize(("law", "length", "impulse"), PULSES.values(), ids=PULSES)
def test_no_pulse_of_a_long_run_is_lost(law, length, impulse):
    m = da.Model("pulses", plane="xy", gravity=(0, 0))
    m.parameters(period=0.1)
    m.force("push", m.prismatic("slide", m.ground, m.body("body", mass=1.0, inertia=1.0)), law)
    equations = m.equations()
    found = end(equations, equations.assemble(), (0.0, length), "radau")
    assert found.v[0, -1] == pytest.approx(impulse, rel=1e-3)


def test_instants_of_a_function_that_never_settles_are_not_guessed():
    m = da.Model("noise", plane="xy", gravity=(0, 0))
    law = lambda t: np.where(np.sin(1e9 * t) + np.sin(np.sqrt(2e18) * t) > 0.5, 1.0, 0.0)  # noqa: E731
    m.force("push", m.prismatic("slide", m.ground, m.body("body", mass=1.0, inertia=1.0)), law)
    equations = m.equations()
    with pytest.raises(EquationsError, match="'noise': a function of time changes so often between t = 0 and 10"):
        da.simulate(equations, (0.0, 10.0), equations.assemble())


def test_a_periodic_square_wave_takes_few_steps():
    law = PiecewisePolynomial([0.0, 0.5, 1.0], [[1.0, -1.0]], "periodic")
    equations = da.trace(M=lambda: np.eye(1), f=lambda t: np.array([law(t)]), n_q=1)
    found = end(equations, (np.zeros(1), np.zeros(1)), (0.0, 5.0), "dopri5")
    assert len(found.t) < 60
    assert found.q[0, -1] == pytest.approx(1.25, abs=1e-9)


# ------------------------------------------------------------------------------------------------------------- drives


def driven(law, **options):
    m = da.Model("driven", plane="xy", gravity=(0, 0))
    cart = m.body("cart", mass=3.0, inertia=1.0)
    rod = m.body("rod", mass=2.0, inertia=0.2, com=(0.0, -0.5))
    slide = m.prismatic("slide", m.ground, cart)
    hinge = m.revolute("hinge", cart.at(0, 0), rod.at(0, 0))
    drive = m.drive("drive", slide, law, **options)
    return m.equations(cut=["slide"]), hinge, drive


JUMPING_RATES = {
    "table": da.table([0.0, 1.0, 2.0], [0.0, 0.0, 1.0], kind="linear"),
    "where": lambda t: np.where(t < 1.0, 0.0, t - 1.0),
    "maximum": lambda t: np.maximum(t - 1.0, 0.0),
    "absolute": lambda t: 0.5 * (np.abs(t - 1.0) + t - 1.0),
    "remainder": lambda t: np.where(t < 1.0, 0.0, t % 1.0),
    "sine": lambda t: np.maximum(-np.sin(np.pi * t), 0.0),
    "periodic": da.table([-1.0, 1.0, 2.0], [0.0, 1.0, 0.0], kind="linear", outside="periodic"),
    "seam": PiecewisePolynomial([-1.0, 1.0], [[0.2], [-0.4], [0.0]], "periodic"),
}


@pytest.mark.parametrize("law", JUMPING_RATES.values(), ids=JUMPING_RATES)
def test_drives_whose_rate_jumps_are_refused(law):
    equations, _, _ = driven(law)
    with pytest.raises(SimulationError, match=r"the rate of 'drive.value' jumps by \S+ at t = 1,.*impulse=True"):
        da.simulate(equations, (0.0, 1.9), equations.assemble())
    da.simulate(equations, (0.0, 0.9), equations.assemble())  # before the jump there is nothing to refuse


@pytest.mark.parametrize(
    "law", [lambda t: np.where(t < 1.0, 0.0, 0.3), lambda t: 0.2 * np.floor(t), lambda t: 0.1 * t % 0.1]
)
def test_drives_whose_value_jumps_are_refused(law):
    for impulse in (False, True):
        equations, _, _ = driven(law, impulse=impulse)
        with pytest.raises(SimulationError, match=r"the value of 'drive.value' jumps by 0\.[123]\d* at t = 1,"):
            da.simulate(equations, (0.0, 1.5), equations.assemble())


def test_breaks_that_are_told_are_checked_too():
    equations = da.trace(
        M=lambda: np.eye(2), f=lambda: np.zeros(2),
        g=lambda t, q, p: np.array([q[0] - p.rate * da.symbolic.maximum(t - p.start, 0.0)]),
        n_q=2, parameters={"rate": 0.0, "start": 0.5},
    )  # fmt: skip
    start = (np.zeros(2), np.zeros(2))
    da.simulate(equations, (0.0, 1.0), start)  # it does not move
    with pytest.raises(SimulationError, match=r"jumps by 2 at t = 0.7"):
        da.simulate(equations, (0.0, 1.0), start, parameters={"rate": 2.0, "start": 0.7})


def test_smooth_drives_are_not_refused():
    for law in (([0.0, 1.0, 2.0], [0.0, 0.0, 1.0]), lambda t: np.where(t < 1.0, 0.0, (t - 1.0) ** 2)):
        equations, _, _ = driven(law)
        assert da.simulate(equations, (0.0, 1.9), equations.assemble()).success


@pytest.mark.parametrize("method", METHODS)
def test_a_jump_of_the_rate_as_an_impulse(method):
    equations, hinge, _ = driven(JUMPING_RATES["table"], impulse=True)
    found = end(equations, equations.assemble({hinge.angle: 0.4}), (0.0, 1.0 + 1e-9), method)
    state = dict(zip(equations.names["v"], found.v[:, -1], strict=True))
    # The rod gets no impulse about its hinge: angular momentum about the hinge stays zero while that moves with 1 m/s.
    # rod: inertia 0.2 about its centre, 0.5 below the hinge at the angle 0.4
    about = 0.2 + 2.0 * 0.25
    rate = -2.0 * 1.0 * 0.5 * np.cos(0.4) / about
    rates = [value for name, value in state.items() if "rate" in name or "angle" in name]
    speeds = [value for name, value in state.items() if "vx" in name]
    assert max(rates, key=abs) == pytest.approx(rate, rel=1e-6)
    assert any(speed == pytest.approx(1.0, abs=1e-9) for speed in speeds)


@pytest.mark.parametrize("method", ["dop853", "radau", "mexx"])
@pytest.mark.parametrize(("law", "angle"), [("table", 0.4), ("maximum", 0.0)])
def test_velocities_before_and_after_an_impulse_are_recorded(method, law, angle):
    equations, hinge, _ = driven(JUMPING_RATES[law], impulse=True)
    start = equations.assemble({hinge.angle: angle})
    whole = da.simulate(equations, (0.0, 1.5), start, method=method)
    before, after = np.flatnonzero(whole.t == 1.0)
    assert after == before + 1 and np.array_equal(whole.q[:, before], whole.q[:, after])
    assert np.abs(whole.v[:, before]).max() < 1e-9
    turning = np.cos(angle) / 0.7
    assert np.sort(np.abs(whole.v[:, after]))[-2:] == pytest.approx(sorted([1.0, turning]), abs=1e-9)
    asked = da.simulate(equations, (0.0, 1.5), start, method=method, t_eval=[0.5, 1.0, 1.5])
    assert np.allclose(asked.v[:, 1], whole.v[:, after], rtol=0.0, atol=1e-9)
    part = da.simulate(equations, (0.0, 1.5), start, method=method, max_steps=1)
    while part.status == 2:
        part = da.resume(part, equations, max_steps=1)
    assert np.array_equal(part.t, whole.t) and np.array_equal(part.q, whole.q) and np.array_equal(part.v, whole.v)


def test_periodic_drives_as_impulses():
    equations, _, _ = driven(
        da.table([0.0, 0.5, 1.0], [0.0, 0.5, 0.0], kind="linear", outside="periodic"), impulse=True
    )
    for method in ("dopri5", "radau"):
        found = end(equations, equations.assemble(), (0.0, 2.25), method)
        speeds = [v for name, v in zip(equations.names["v"], found.v[:, -1], strict=True) if "vx" in name]
        assert any(speed == pytest.approx(1.0, abs=1e-9) for speed in speeds)


@pytest.mark.parametrize(("rate", "t", "atol"), [(300.0, 100.0, 1e-10), (3000.0, 3600.0, 1e-8)])
def test_fast_drives_are_not_taken_for_jumping_ones(rate, t, atol):
    for law in (lambda t: rate * t, lambda t: np.sin(rate * t)):
        m = da.Model("rotor", plane="xy", gravity=(0, 0))
        hinge = m.revolute("hinge", m.ground, m.body("rotor", mass=1.0, inertia=1.0))
        m.drive("drive", hinge.angle, law, breaks=(t,))
        equations = m.equations()
        start = equations.assemble(t=t - 1e-3)
        assert da.simulate(equations, (t - 1e-3, t + 1e-3), start, atol=atol).success


def test_drives_that_end_are_told_from_those_that_jump():
    equations, _, _ = driven(da.table([0.0, 1.0, 2.0], [0.0, 0.1, 0.4], outside="error"))
    with pytest.raises(SimulationError, match=r"'drive.value' has no value after t = 2:.*outside="):
        da.simulate(equations, (0.0, 3.0), equations.assemble())
    assert da.simulate(equations, (0.0, 2.0), equations.assemble()).success


# ---------------------------------------------------------------------------------------------------- ends of tables

ENDING = da.table([0.0, 2.5, 5.0], [1.0, 1.0, 2.0], outside="error")
OF_TWO = da.table([0.0, 5.0], [-100.0, 100.0], np.ones((2, 2)), outside="error")
LEFT = r'a table with outside="error".* goes from 0 to 5 and was left at 5\.0+\d*; end the run before'


@pytest.mark.parametrize("builder", ["symbolic", "elements", "recursion"])
@pytest.mark.parametrize("law", [{"displacement": ENDING}, lambda displacement, rate: OF_TWO(displacement, rate)])
def test_tables_that_are_left_are_named(builder, law):
    equations, values = on_a_slide(law, builder)
    for method in ("dopri5", "mexx", "radau"):
        found = da.simulate(equations, (0.0, 1.0), equations.assemble(values), method=method)
        assert found.outcome == "not finite" and found.q.max() == pytest.approx(5.0, abs=1e-6)
        assert re.search(f"force 'push 0': .*{LEFT}", found.message)
    with pytest.raises(ModelError, match=r"force 'push 0': .* goes from 0 to 5 and was left at 7\.0;"):
        equations.assemble({**values, next(iter(values)): 7.0})


def test_tables_of_functions_and_elements_that_are_left_are_named():
    traced = da.trace(M=lambda: np.eye(1), f=lambda q: np.array([ENDING(q[0])]), n_q=1, name="plain")
    parts = da.Elements("parts", coordinates=2)
    parts.add("mass", M=lambda: np.eye(1), f=lambda q: np.array([ENDING(q[0])]), coordinates=[[0], [1]])
    numeric = da.trace(M=da.numeric(lambda q: np.eye(1)), f=lambda q: np.array([ENDING(q[0])]), n_q=1, name="partly")
    for equations, named in ((traced, "'plain': "), (parts.equations(), "'parts': mass: "), (numeric, "'partly': ")):
        n = equations.sizes.q
        found = da.simulate(equations, (0.0, 1.0), (np.linspace(0.0, 0.1, n), np.full(n, 10.0)))
        assert found.outcome == "not finite" and re.search(named + LEFT, found.message)
        with pytest.raises(EquationsError, match=f'{named}a table with outside="error".* was left at 7.0;'):
            equations.check(np.full(n, 7.0), np.zeros(n))


def test_the_last_point_of_a_table_belongs_to_it():
    x = np.array([0.0, 2.5, 5.0])
    assert_allclose(ENDING(x), [1.0, 1.0, 2.0])
    assert OF_TWO(5.0, 100.0) == 1.0 and OF_TWO(0.0, -100.0) == 1.0
    assert np.isnan(ENDING(np.nextafter(5.0, 6.0))) and np.isnan(ENDING(-1e-300))
    assert np.isnan(OF_TWO(5.1, 0.0)) and np.isnan(OF_TWO(0.0, -100.1))


@pytest.mark.parametrize("method", ["rosenbrock4", *METHODS])
@pytest.mark.parametrize("until", [1.0, -1.0])
def test_forces_may_be_known_up_to_the_end_of_the_span_only(method, until):
    """Stages that lie beyond a step look no further than to the end."""
    t = np.linspace(0.0, until, 11)[:: int(until)]
    push = da.table(t, np.sin(3.0 * t), outside="error")
    known = da.trace(M=lambda: np.eye(1), f=lambda t, q: np.array([push(t) - 100.0 * q[0]]), n_q=1, name="known")
    run = da.simulate(known, (0.0, until), ([0.1], [0.0]), method=method, rtol=1e-6, atol=1e-8)
    fine = da.simulate(known, (0.0, until), ([0.1], [0.0]), method="dop853", rtol=1e-9, atol=1e-10)
    assert run.success and run.t[-1] == until
    assert run.q[0, -1] == pytest.approx(fine.q[0, -1], abs=2e-5)


@pytest.mark.parametrize("method", METHODS)
def test_a_jump_close_to_the_end_of_the_span_is_no_end_of_the_run(method):
    """A force that sets in shortly before the end, where the step that would end there is not stretched to the end."""
    equations = da.trace(
        M=lambda: np.eye(1), f=lambda q: np.array([da.symbolic.where(q[0] > 0.9975, -50.0, 0.0)]), n_q=1, name="wall"
    )
    run = da.simulate(equations, (0.0, 1.0), ([0.0], [1.0]), method=method, rtol=1e-6, max_steps=500)
    assert run.success and run.statistics.rejected < 200
    left = 1.0 - 0.9975
    assert run.v[0, -1] == pytest.approx(1.0 - 50.0 * left, abs=1e-4)


class _Creeping(Rosenbrock):
    """Without a look at what attempts were rejected for."""

    aims = False


@pytest.mark.parametrize("formula", ["rodasp", "rodas5p"])
def test_steps_end_where_a_damper_meets_an_edge(formula):
    equations, start = car(lambda x: np.maximum(0.0, 0.05 - 0.8 * (x - 5.0) ** 2))
    fine = end(equations, start, (0.0, 0.8), "dop853", rtol=1e-10, atol=1e-11, max_step=1e-4)
    runs = [end(equations, start, (0.0, 0.8), kind(formula=formula)) for kind in (Rosenbrock, _Creeping)]
    attempts = [run.statistics.steps + run.statistics.rejected for run in runs]
    assert attempts[0] < 0.8 * attempts[1]
    for run in runs:
        assert_allclose(run.q[:, -1], fine.q[:, -1], atol=1e-5)
        assert_allclose(run.v[:, -1], fine.v[:, -1], atol=1e-4)


@pytest.mark.parametrize("name", ["rodas5p", "sdirk4", "trapezoidal", "descriptor_sdirk4"])
def test_knots_of_a_smooth_table_are_no_edges(name):
    x = np.linspace(0.0, 20.0, 81)
    equations, start = car({"x": da.table(x, 0.01 * np.sin(x))})
    fine = end(equations, start, (0.0, 0.8), "dop853", rtol=1e-10, atol=1e-11)
    found = end(equations, start, (0.0, 0.8), name, rtol=1e-5, atol=1e-6)
    assert found.statistics.step_min > 1e-6
    assert_allclose(found.q[:, -1], fine.q[:, -1], atol=1e-3)
