"""Positions in which constraints lose rank: runs go on along the smooth motion, or stop and say why."""

import re

import numpy as np
import pytest
from scipy.integrate import solve_ivp
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
