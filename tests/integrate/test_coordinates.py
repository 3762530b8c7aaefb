"""Radau IIA takes about the same steps in absolute coordinates as in relative ones, and is as exact."""

import numpy as np
import pytest
from scripts import load

import dalembert as da

turning = load("benchmarks/_coordinates.py")
LOOSE, TIGHT = 1e-4, 1e-6


@pytest.mark.parametrize("name", turning.MECHANISMS)
def test_steps_in_absolute_coordinates_are_those_of_relative_ones(name):
    """Constraints and stiff springs turn with the bodies, half a radian in a step of the wheel; the iteration follows.

    With one Jacobian for all stages, that of the start of the step, the ratio of steps was 2 to 5 for the top, the
    governor and the wheel.  The truth comes from an explicit method.
    """
    example, sensor = turning.MECHANISMS[name](), turning.SENSORS[name]
    steps = {}
    for coordinates in ("relative", "absolute"):
        equations = example.model.equations(coordinates)
        start = example.assemble(equations)
        if coordinates == "relative":
            options = {"method": "dop853", "rtol": 1e-11, "atol": 1e-12, "dense_output": False}
            truth = da.simulate(equations, example.span, start, **options)[sensor][:, -1]
        for rtol in (LOOSE, TIGHT):
            options = {"method": "radau", "rtol": rtol, "atol": 1e-2 * rtol, "dense_output": False}
            run = da.simulate(equations, example.span, start, **options)
            assert run.success, run.message
            assert np.abs(run[sensor][:, -1] - truth).max() < rtol
            assert run.statistics.rejected <= 0.3 * run.statistics.steps + 3
            steps[coordinates, rtol] = run.statistics.steps
    for rtol in (LOOSE, TIGHT):
        assert steps["absolute", rtol] <= 1.5 * steps["relative", rtol]


@pytest.mark.parametrize("method", ["radau", "radau9", "radau13"])
def test_jacobians_of_stages_are_asked_for_where_one_is_not_enough(method):
    """A wheel at high speed needs them; a body that falls does not."""
    example = turning.wheel()
    equations = example.model.equations("absolute")
    run = da.simulate(equations, example.span, example.assemble(equations), method=method, rtol=1e-5, atol=1e-7)
    assert run.statistics.extra["stage_jacobians"] > 0 and run.statistics.njev <= 2 * run.statistics.steps
    falling = da.trace(M=lambda: np.eye(1), f=lambda: np.array([-9.81]), n_q=1, name="falling")
    run = da.simulate(falling, (0, 1), ([0.0], [0.0]), method=method)
    assert run.statistics.extra["stage_jacobians"] == 0


@pytest.mark.parametrize("method", ["radau", "radau9", "radau13"])
@pytest.mark.parametrize("name", turning.MECHANISMS)
def test_every_member_is_as_exact_as_it_says(name, method):
    """A correction by a Krylov space that has not converged is small; taken for convergence, it gave the governor
    errors of five hundred tolerances with the higher members."""
    example, sensor = turning.MECHANISMS[name](), turning.SENSORS[name]
    equations = example.model.equations("absolute")
    start, options = example.assemble(equations), {"dense_output": False}
    relative = example.model.equations("relative")
    truth = da.simulate(relative, example.span, example.assemble(relative), rtol=1e-11, atol=1e-12, **options)
    for rtol in (1e-3, 1e-5, 1e-7):
        run = da.simulate(equations, example.span, start, method=method, rtol=rtol, atol=1e-2 * rtol, **options)
        assert run.success, run.message
        assert np.abs(run[sensor][:, -1] - truth[sensor][:, -1]).max() < 20 * rtol


@pytest.mark.parametrize("method", ["rosenbrock4", "rodasp"])
def test_rotations_are_recovered_as_far_as_tolerances_ask(method):
    """A free body close to the separatrix turns over: the first corrections of a turn converge faster than the rest."""
    m = da.Model("free", gravity=(0, 0, 0))
    m.body("body", mass=1.0, inertia=(1.0, 2.0, 2.5))
    equations = m.equations(coordinates="absolute")
    start = equations.assemble({"body.wx": 1e-3, "body.wy": 5.0, "body.wz": 0.0})
    run = da.simulate(equations, (0, 5), start, method=method, rtol=1e-10, atol=1e-10)
    energy = np.array([1.0, 2.0, 2.5]) @ run.v[3:] ** 2
    assert np.abs(energy / energy[0] - 1.0).max() < 1e-9
