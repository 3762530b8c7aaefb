"""Units of length, mass and time do not matter: a mechanism that is 10⁹ times as large, heavy or slow moves in the same
way, with default tolerances.

Scales are powers of two, with which arithmetic rounds in the same way: what compares a length, a mass or a time with a
number shows at once.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest
from scipy.optimize import brentq

import dalembert as da
from dalembert.equations.contract.evaluation import Evaluation
from dalembert.equations.contract.scales import _signs
from dalembert.errors import ConstraintError

BIG = 2.0**30
UNITS = {"L": 0, "M": 1, "T": 2}
SCALES = [*((unit, factor) for unit in UNITS for factor in (1 / BIG, BIG)), ("L", 8.0)]
METHODS = ("dop853", "radau", "mexx")
CHARTS = ("sdirk4", "rodasp", "descriptor_sdirk4")
#: Where rounding would decide how often is iterated, in steps far below the tolerance.
ITERATED = {
    da.Radau(stages=stages).name: da.Radau(stages=stages, iteration=da.integrate.Newton(tolerance=1e-7))
    for stages in (5, 7)
}


def model(name, plane="xy"):
    """A model with units as parameters, and its gravity."""
    m = da.Model(name, plane=plane)
    p = m.parameters(L=1.0, M=1.0, T=1.0)
    fall = -9.81 * p.L / p.T**2
    m.gravity = m.vector((0, fall) if plane else (0, 0, fall), "gravity")
    return m, p, p.M * p.L**2, p.M * p.L / p.T**2


def pendulum():
    m, p, inertia, _ = model("pendulum")
    rod = m.body("rod", mass=p.M, inertia=0.1 * inertia, com=(0.5 * p.L, 0))
    A = m.revolute("A", m.ground.at(0, 0), rod.at(0, 0))
    return m, {A.angle: 0.3}


def four_bar(apart=0.8):
    m, p, inertia, _ = model("four-bar")
    crank = m.body("crank", mass=p.M, inertia=0.02 * inertia, com=(0.1 * p.L, 0))
    coupler = m.body("coupler", mass=2 * p.M, inertia=0.1 * inertia, com=(0.35 * p.L, 0))
    rocker = m.body("rocker", mass=1.5 * p.M, inertia=0.05 * inertia, com=(0.25 * p.L, 0))
    A = m.revolute("A", m.ground.at(0, 0), crank.at(0, 0))
    m.revolute("B", crank.at(0.2 * p.L, 0), coupler.at(0, 0))
    m.revolute("C", coupler.at(0.7 * p.L, 0), rocker.at(0.5 * p.L, 0))
    m.revolute("D", m.ground.at(apart * p.L, 0), rocker.at(0, 0))
    return m, {A.angle: 1.0}


def slider_crank():
    """With a spring and a damper at the slider."""
    m, p, inertia, force = model("slider crank")
    crank = m.body("crank", mass=p.M, inertia=0.02 * inertia, com=(0.1 * p.L, 0))
    rod = m.body("rod", mass=p.M, inertia=0.1 * inertia, com=(0.3 * p.L, 0))
    slider = m.body("slider", mass=2 * p.M, inertia=0.01 * inertia)
    A = m.revolute("A", m.ground.at(0, 0), crank.at(0, 0))
    m.revolute("B", crank.at(0.2 * p.L, 0), rod.at(0, 0))
    m.revolute("C", rod.at(0.6 * p.L, 0), slider.at(0, 0))
    m.prismatic("D", m.ground.at(0, 0), slider.at(0, 0))
    m.spring("spring", m.ground.at(1.5 * p.L, 0), slider.at(0, 0), stiffness=40 * force / p.L,
             damping=3 * p.M / p.T, length=0.8 * p.L)  # fmt: skip
    return m, {A.angle: 1.0}


def gyroscopic():
    """Two bodies in space: a ball joint and a hinge."""
    m, p, inertia, _ = model("gyroscopic", None)
    first = m.body("first", mass=p.M, inertia=(0.1 * inertia, 0.2 * inertia, 0.25 * inertia), com=(0.5 * p.L, 0, 0))
    second = m.body("second", mass=p.M, inertia=(0.1 * inertia, 0.15 * inertia, 0.2 * inertia), com=(0, 0.3 * p.L, 0))
    m.spherical("A", m.ground.at(0, 0, 0), first.at(0, 0, 0))
    B = m.revolute("B", first.at(p.L, 0, 0), second.at(0, 0, 0))
    return m, {B.angle: 0.4}


def stop():
    """A pendulum that falls onto a stop and comes to rest there."""
    m, p, inertia, _ = model("stop")
    rod = m.body("rod", mass=p.M, inertia=0.1 * inertia, com=(0.5 * p.L, 0))
    A = m.revolute("A", m.ground.at(0, 0), rod.at(0, 0))
    m.limit("floor", A.angle, lower=-0.5, restitution=0.5)
    slider = m.body("slider", mass=p.M)
    B = m.prismatic("B", m.ground.at(0, 0, axis="y"), slider.at(0, 0))
    m.limit("bottom", B.displacement, lower=-0.5 * p.L, restitution=0.4)
    return m, {A.angle: 0.3, B.displacement: 0.0}


def friction():
    """A body that slides down, with friction by the reactions of its guide."""
    m, p, _, force = model("friction")
    slider = m.body("slider", mass=p.M)
    A = m.prismatic("A", m.ground.at(0, 0, angle=-0.7), slider.at(0, 0))
    m.friction("rubbing", A, mu=0.3, velocity=1e-2 * p.L / p.T)
    m.spring("spring", m.ground.at(0, -2 * p.L), slider.at(0, 0), stiffness=5 * force / p.L, length=p.L)
    return m, {}


MECHANISMS = {one.__name__: one for one in (pendulum, four_bar, slider_crank, gyroscopic, stop, friction)}
CASES = [
    *((name, method) for name in MECHANISMS for method in METHODS),
    *((name, method) for name in ("slider_crank", "gyroscopic") for method in ("dopri5", "radau9", "radau13", *CHARTS)),
]


@functools.cache
def made(name, coordinates):
    m, given = MECHANISMS[name]()
    return m.equations(coordinates=coordinates), given


def units(unit=None, factor=1.0):
    return {key: factor if key == unit else 1.0 for key in UNITS}


def sizes(equations, p):
    """Units of q and v in terms of those of length and time: lengths are what grows with the model."""
    one, two = (equations.known_scales(equations.parameter_vector({"L": length})) for length in (1.0, 2.0))
    return np.where(two.q != one.q, p["L"], 1.0), np.where(two.v != one.v, p["L"], 1.0) / p["T"]


def moved(name, coordinates, method, unit=None, factor=1.0, **options):
    """The motion in its own units."""
    (equations, given), p = made(name, coordinates), units(unit, factor)
    held = {key: value * (p["L"] if key.name.endswith("displacement") else 1.0) for key, value in given.items()}
    start = equations.assemble(held, parameters=p)
    t = np.linspace(0.0, 1.5, 7) * p["T"]
    sol = da.simulate(
        equations, (0.0, t[-1]), start, method=ITERATED.get(method, method), parameters=p, t_eval=t, **options
    )
    assert sol.success, sol.message
    q, v = sizes(equations, p)
    return sol, sol.q / q[:, None], sol.v / v[:, None]


@functools.cache
def unscaled(name, coordinates, method):
    return moved(name, coordinates, method)


@pytest.mark.parametrize(("name", "method"), CASES)
@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_motions_follow_their_units(name, coordinates, method):
    sol, q, v = unscaled(name, coordinates, method)
    for unit, factor in SCALES:
        other, other_q, other_v = moved(name, coordinates, method, unit, factor)
        assert other.statistics.steps == sol.statistics.steps
        assert other_q == pytest.approx(q, rel=1e-9, abs=1e-9) and other_v == pytest.approx(v, rel=1e-9, abs=1e-8)
        assert len(other.events) == len(sol.events)


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
@pytest.mark.parametrize("name", ["pendulum", "four_bar", "slider_crank"])
def test_questions_follow_their_units(name, coordinates):
    """Degrees of freedom, equilibria and eigenvalues."""
    equations, given = made(name, coordinates)
    start = equations.assemble(given)
    dof = equations.degrees_of_freedom(start.q).dof
    rest = equations.equilibrium(start.q, stable=True)
    values = equations.linearise(rest).eigenvalues
    for unit, factor in SCALES:
        p = units(unit, factor)
        other = equations.assemble(given, parameters=p)
        assert equations.degrees_of_freedom(other.q, parameters=p).dof == dof
        found = equations.equilibrium(other.q, stable=True, parameters=p)
        assert found.q / sizes(equations, p)[0] == pytest.approx(rest.q, abs=1e-7)
        again = equations.linearise(found, parameters=p).eigenvalues * p["T"]
        assert np.sort_complex(again) == pytest.approx(np.sort_complex(values), rel=1e-5, abs=1e-5)


def test_kinematics_follow_their_units():
    m, given = four_bar()
    A = next(iter(given)).joint
    m.drive("motor", A.angle, lambda t, p: 1.0 + 2.0 * t / p.T)
    equations = m.equations(coordinates="absolute")
    times = np.linspace(0.0, 1.0, 5)
    q = equations.kinematics(times).q
    for unit, factor in SCALES:
        p = units(unit, factor)
        found = equations.kinematics(times * p["T"], parameters=p)
        assert found.q / sizes(equations, p)[0][:, None] == pytest.approx(q, rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("factor", [1 / BIG, 1.0, BIG])
def test_loops_of_any_size_close_or_are_refused(factor):
    p = units("L", factor)
    for coordinates in ("relative", "absolute"):
        m, given = four_bar(apart=2.0)
        with pytest.raises(ConstraintError, match="cannot be assembled"):
            m.equations(coordinates=coordinates).assemble(given, parameters=p)


def bare_pendulum():
    return da.trace(
        M=lambda p: p.m * np.eye(2), f=lambda p: [0.0, -p.m * 9.81], g=lambda q, p: [q @ q - p.l**2], n_q=2,
        parameters={"m": 1.0, "l": 1.0},
    )  # fmt: skip


def test_bare_equations_of_any_size_keep_their_constraints():
    """Without a model the size is found in the constraints; what the tolerances are too large for is said."""
    equations, expected = bare_pendulum(), None
    for length in (1.0, 1e-9, 1e-6, 1e9):
        p, time = {"l": length}, np.sqrt(length)
        start = equations.assemble(length * np.array([0.8, -0.5]), [0.0, 0.0], parameters=p)
        assert abs(start.q @ start.q / length**2 - 1) < 1e-13
        sol = da.simulate(equations, (0.0, 0.6 * time), start, parameters=p, atol=1e-10 * length)
        assert sol.success and np.abs(np.sum(sol.q**2, axis=0) / length**2 - 1).max() < 1e-11
        expected = sol.q[:, -1] if expected is None else expected
        assert sol.q[:, -1] / length == pytest.approx(expected, abs=1e-5)
        if length < 1:
            assert "atol" not in sol.message
    sol = da.simulate(equations, (0.0, 1e-5), start=([0.0, -1e-9], [1e-5, 0.0]), parameters={"l": 1e-9})
    assert "q0, q1" in sol.message and "Give atol" in sol.message and sol.atol == 1e-8


def test_default_tolerances_are_those_of_the_model():
    """Said in the result; and given ones are left alone."""
    for length in (1.0, 2.0**-30):
        sol, _, _ = moved("pendulum", "absolute", "dop853", "L", length)
        sizes_of = made("pendulum", "absolute")[0].known_scales(np.array([length, 1.0, 1.0])).q
        assert sol.atol[:3] == pytest.approx(1e-8 * sizes_of, rel=1e-12)
        assert sizes_of[2] == 1.0 and sizes_of[0] == 0.5 * length
    assert moved("pendulum", "absolute", "dop853", atol=1e-7)[0].atol == 1e-7


def test_external_states_below_their_tolerance_are_told():
    """Nobody knows how large they are; those that stay zero are none of them."""
    equations = da.trace(
        M=lambda: np.eye(1), f=lambda q: -q, d=lambda t, u: [1e-9 * np.cos(t), np.cos(t), 0.0 * u[2]], n_q=1, n_u=3,
    )  # fmt: skip
    start = ([1.0], [0.0], [0.0, 0.0, 0.0])
    sol = da.simulate(equations, (0.0, 2.0), start)
    assert sol.success and "known no better than that: u0. Give atol" in sol.message, sol.message
    assert "atol" not in da.simulate(equations, (0.0, 2.0), start, atol=[1e-8, 1e-8, 1e-17, 1e-8, 1e-8]).message


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_differences_of_numeric_forces_follow_their_units(coordinates):
    """A slider that hangs on a spring, which gets stiffer, with a damper."""
    m, p, _, _ = model("numeric")
    slider = m.body("slider", mass=p.M, inertia=p.M * p.L**2)
    A = m.prismatic("A", m.ground.at(0, 0, axis="y"), slider.at(0, 0))
    m.spring("spring", m.ground.at(0, 2 * p.L), slider.at(0, 0), stiffness=0.0 * p.M / p.T**2, length=p.L)

    def force(values, rates, p):
        x, v = values[0] / p.L, rates[0] * p.T / p.L
        return np.array([-10.0 * x - 5.0 * x**3 - 0.5 * v * (1.0 + v**2)]) * p.M * p.L / p.T**2

    m.numeric_force("law", A.displacement, force)
    equations, at = m.equations(coordinates), brentq(lambda x: 10 * x + 5 * x**3 + 9.81, -2.0, 0.0)
    expected = np.roots([1.0, 0.5, 10.0 + 15.0 * at**2])
    for unit, factor in [(None, 1.0), *SCALES]:
        if (unit, factor) == ("T", BIG):
            continue  # beside 1e-8 s⁻¹ of damping, 1e-17 s⁻² of stiffness pass for errors of differences
        p = units(unit, factor)
        start = equations.assemble({A.displacement: at * p["L"]}, parameters=p)
        found = equations.linearise(equations.equilibrium(start.q, parameters=p), parameters=p).eigenvalues * p["T"]
        assert np.sort_complex(found) == pytest.approx(np.sort_complex(expected), rel=1e-5)


def test_coordinates_that_are_zero_but_for_rounding_tell_no_size():
    """A carriage in the middle of its track: whether its displacements are 0 or 1e-18 is chance."""
    problem = da.problems.carriage()
    equations, none = problem.equations, np.zeros(0)
    noise = 1e-18 * np.random.default_rng(0).standard_normal(equations.sizes.q)
    sizes = [
        Evaluation(equations, 0.0, problem.q0 + shift, problem.v0, none, equations.parameter_vector()).scales.v
        for shift in (0.0, noise)
    ]
    assert sizes[1] == pytest.approx(sizes[0], rel=1e-9)
    assert np.all((1e-3 < sizes[0]) & (sizes[0] < 1e3))


@pytest.mark.parametrize(("size", "samples"), [(1, 1), (7, 3), (85, 3), (86, 3), (300, 3), (400, 1)])
def test_signs_of_samples_are_those_that_numpy_draws(size, samples):
    draw = np.random.default_rng(0)
    assert np.array_equal(_signs(size, samples), [draw.choice([-1.0, 1.0], size) for _ in range(samples)])
