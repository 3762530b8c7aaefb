"""Every method runs rails, with surface parameters embedded and augmented."""

from copy import copy

import numpy as np
import pytest

import dalembert as da
from dalembert.integrate.chart.chart_memory import ChartMemory
from dalembert.integrate.methods.fixed_step import FixedStepMethod
from dalembert.integrate.methods.registry import METHODS
from dalembert.integrate.run.live import LiveRun, Options
from dalembert.problems.mechanisms import wheelsets

SPAN, BETWEEN = 0.2, 0.0741
CONTROLLED = [name for name, method in METHODS.items() if not isinstance(method, FixedStepMethod)]
FIXED = [name for name in METHODS if name not in CONTROLLED]


@pytest.fixture(scope="module")
def hunting():
    """A wheelset that rolls back to the middle of the track."""
    return wheelsets.wheelset(20.0, law="polach")


@pytest.fixture(scope="module", params=["embedded", "augmented"])
def forms(request, hunting):
    equations = hunting.model.equations(auxiliary=request.param)
    return equations, hunting.assemble(equations)


@pytest.fixture(scope="module")
def reference(hunting):
    equations = hunting.model.equations()
    return moved(equations, hunting.assemble(equations), "radau13", rtol=1e-9, atol=1e-12)


def moved(equations, start, method, **options):
    """y, yaw and N of both wheels at the end and within a step."""
    run = da.simulate(equations, (0.0, SPAN), start, method=method, dense_output=True, **options)
    assert run.success, run.message
    places = [equations.index("q", f"axle guide.{name}") for name in ("y", "yaw")]
    loads = [equations.index("lam", f"axle {side}.N") for side in ("left", "right")]
    found = [(run.sol(t).q[places], run.sol(t).lam[loads]) for t in (SPAN, BETWEEN)]
    return np.array([q for q, _ in found]), np.array([lam for _, lam in found])


@pytest.mark.parametrize("method", CONTROLLED)
def test_a_wheelset_hunts(forms, reference, method):
    """2 mm beside the middle; the largest difference of all methods is 0.3 µm."""
    q, N = moved(*forms, method, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(q, reference[0], atol=1.5e-6)
    np.testing.assert_allclose(N, reference[1], rtol=1e-3)


@pytest.mark.parametrize("method", FIXED)
def test_a_wheelset_hunts_in_steps_of_one_size(forms, reference, method):
    """Errors of order 1 and 2: 4.1 µm at most with steps of 0.4 ms."""
    errors = []
    for step in (4e-4, 2e-4):
        q, N = moved(*forms, method, first_step=step)
        np.testing.assert_allclose(N, reference[1], rtol=1e-3)
        errors.append(np.abs(q - reference[0]).max())
    assert errors[0] < 1.3e-5 and 1.6 < errors[0] / errors[1]


def test_independent_coordinates_do_not_see_surface_parameters(hunting):
    """Accelerations of these have third derivatives of profiles in them, which jump at knots of splines."""
    equations = hunting.model.equations()
    start, sizes = hunting.assemble(equations), equations.sizes
    atol = np.full(sizes.q + sizes.v + sizes.u, 1e-8)
    live = LiveRun(equations, METHODS["chart_dop853"], Options(rtol=1e-6, atol=atol), equations.parameter_vector())
    live.start(0.0, np.concatenate([start.q, start.v, start.u]), SPAN)
    live.advance()
    run = live.run
    assert isinstance(run, ChartMemory) and run.charts > 0
    P = run.chart_P.reshape(run.n_f, sizes.q)
    auxiliary = [place for block in equations.auxiliary_places for place in block]
    assert len(auxiliary) == 8 and not P[:, auxiliary].any()
    assert np.linalg.matrix_rank(P) == run.n_f


# ------------------------------------------------------------------------------------------------ augmented on a bogie


@pytest.fixture(scope="module")
def vehicles():
    """A bogie on profiles of splines, in both forms: equations, start, places of what both have."""
    example, found = wheelsets.bogie(30.0, "s1002"), {}
    for form in ("embedded", "augmented"):
        equations = example.model.equations(auxiliary=form)
        found[form] = equations, example.assemble(equations)
    own = found["embedded"][0].names["q"]
    return {form: (*made, [made[0].index("q", name) for name in own]) for form, made in found.items()}


def driven(vehicles, form, method):
    equations, start, own = vehicles[form]
    run = da.simulate(equations, (0.0, 0.04), start, method=method, rtol=1e-6, atol=1e-6, dense_output=False)
    assert run.success, run.message
    return run, run.q[own, -1]


@pytest.mark.parametrize(
    "method", ["radau", "radau9", "bdf", "chart_bdf", "sdirk4", "rodas5p", "dop853", "hem5", "adams"]
)
def test_augmented_parameters_take_about_as_many_steps_as_embedded_ones(vehicles, method):
    """Their velocities have kinks at knots of profiles, which no step needs to know of (bdf: 2000 steps for 40 where
    their errors counted, and where entries that are nothing but rounding were pivots)."""
    embedded, q = driven(vehicles, "embedded", method)
    augmented, same = driven(vehicles, "augmented", method)
    np.testing.assert_allclose(same, q, atol=1e-5)
    tries = [run.statistics.steps + run.statistics.rejected for run in (embedded, augmented)]
    assert tries[1] <= 2.5 * tries[0] + 5
    assert augmented.statistics.newton_failures <= 2  # none here; hundreds with pivots that are rounding
    assert "solver had failed" not in augmented.message


@pytest.mark.parametrize("method", ["radau9", "bdf"])
def test_a_run_goes_on_with_pivots_where_a_fixed_order_of_these_solves_nothing(vehicles, method):
    """Without a word of which equation each parameter follows from, the structure pairs the place along a straight
    rail with the inclination of profiles.  (Kinks in the velocities of parameters count as errors then, and bdf makes
    many steps of low order.)"""
    equations, start, own = vehicles["augmented"]
    unknowing = copy(equations)
    unknowing.auxiliary_chains = ()
    made = {**vehicles, "unknowing": (unknowing, start, own)}
    run, q = driven(made, "unknowing", method)
    np.testing.assert_allclose(q, driven(vehicles, "augmented", method)[1], atol=2e-4)
    assert "factorised with row pivoting (solver='dense')" in run.message
    assert run.statistics.newton_failures < 10
