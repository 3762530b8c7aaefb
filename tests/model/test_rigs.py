"""A rear axle on a stamp, and a car that is steered: sizes, values of two methods, what is asked of them."""

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

import dalembert as da
from dalembert.problems import ProblemError, mechanisms
from dalembert.problems.mechanisms import handling, rigs

TIGHT = {"rtol": 1e-8, "atol": 1e-10}


def assert_observed(run, observation, digits):
    """Values at one instant, to so many digits."""
    k = int(np.flatnonzero(run.t == observation.t)[0])
    for name, value in observation.values.items():
        assert run[name][k] == pytest.approx(value, rel=10.0**-digits), name


# ------------------------------------------------------------------------------------------------------------------ rig


@cache
def rig(coordinates="relative"):
    example = mechanisms.axle_rig()
    equations = example.model.equations(coordinates)
    return example, equations, example.assemble(equations)


@pytest.mark.parametrize(("coordinates", "sizes"), [("relative", (12, 10, 9)), ("absolute", (44, 36, 35))])
def test_rig_has_one_degree_of_freedom_and_starts_at_rest_on_the_right(coordinates, sizes):
    example, equations, start = rig(coordinates)
    s = equations.sizes
    assert (s.q, s.v, s.lam) == sizes and s.lam == s.g
    assert equations.degrees_of_freedom(start.q).dof == 1
    assert equations.names["lam"][-1] == "stamp plate.z" or coordinates == "absolute"
    m = example.model
    hub, other = (equations.evaluate_quantity(m[f"{side} hub"], start) for side in rigs.SIDES)
    assert hub[2] - rigs.ROAD == pytest.approx(rigs.HUB, abs=1e-9)
    assert_allclose(hub, other * [1, -1, 1], atol=1e-5)  # both stand as the vehicle does
    wheel = m["RR wheel"]
    assert np.abs(equations.evaluate_quantity(wheel.com.velocity, start)).max() < 1e-9
    assert np.abs(equations.evaluate_quantity(wheel.com.acceleration, start)).max() < 1.0  # the bar moves it at once


@pytest.mark.parametrize(("coordinates", "method"), [("relative", "dop853"), ("absolute", "radau")])
def test_rig_moves_as_it_was_computed(coordinates, method):
    example, equations, start = rig(coordinates)
    run = da.simulate(equations, example.span, start, method=method, t_eval=[5.0, 10.0], **TIGHT)
    for observation in example.references:
        assert observation.digits == 11
        assert_observed(run, observation, 5)


def test_stamp_moves_its_wheel_and_changes_the_matrix_of_constraints():
    _, equations, start = rig()
    times = np.linspace(0.0, 2.0, 81)
    run = da.simulate(equations, (0.0, 2.0), start, t_eval=times, **TIGHT)
    phase = 2.0 * np.pi * (0.5 * times + 0.375 * times**2)
    assert_allclose(run["LR hub.z"], rigs.ROAD + rigs.HUB + 0.05 * np.sin(phase), atol=1e-10)
    assert run["load"].min() > 4e3  # the other one keeps to the ground
    high, low = run.q[:, np.argmax(run["LR hub.z"])], run.q[:, np.argmin(run["LR hub.z"])]
    G = [equations.evaluate("G", q=q) for q in (high, low)]
    assert np.abs(G[0] - G[1]).max() > 0.1 * np.abs(G[0]).max()


@pytest.mark.parametrize(("builder", "excitations"), [("symbolic", ("stamp",)), ("recursion", ())])
def test_jacobians_follow_the_stamp(builder, excitations):
    example, equations, start = rig()
    if builder == "recursion":
        equations = example.model.equations(builder=builder)
    assert equations.timed_constraints == {8: excitations} and equations.names["lam"][8] == "stamp plate.z"
    runs = [
        da.simulate(
            equations,
            (0.0, 4.0),
            start,
            method=da.Radau(jacobian=da.Jacobian(update=update)),
            rtol=1e-4,
            atol=1e-5,
        )
        for update in ("partitioned", "extended")
    ]
    assert runs[1].njev <= 0.5 * runs[0].njev
    assert runs[1].statistics.extra["jacobian_excited"] == 3
    assert_allclose(runs[1].q[:, -1], runs[0].q[:, -1], atol=1e-4)


def test_options_of_the_rig():
    alone = mechanisms.axle_rig(bar=0.0)
    assert alone.references == () and "bar" not in [element.name for element in alone.model.elements]
    with pytest.raises(ProblemError, match="slowest must be positive, got 0"):
        mechanisms.axle_rig(slowest=0.0)


# ------------------------------------------------------------------------------------------------------------------ car


@cache
def car(stiff=False, steering="driven", expensive=False):
    example = mechanisms.steered_car(stiff, steering, expensive)
    equations = example.model.equations()
    return example, equations, example.assemble(equations)


@pytest.mark.parametrize(("stiff", "steering", "sizes"), [
    (False, "driven", (32, 27, 17)), (False, "prescribed", (31, 26, 16)),
    (True, "driven", (44, 35, 17)), (True, "prescribed", (43, 34, 16)),
])  # fmt: skip
def test_car_has_one_coordinate_less_where_its_rack_is_prescribed(stiff, steering, sizes):
    _, equations, start = car(stiff, steering)
    s = equations.sizes
    assert (s.q, s.v, s.lam) == sizes and equations.how.builder == "symbolic"
    assert start.v[equations.index("v", "chassis.vx")] == pytest.approx(20.0)
    # Besides the rack, 10 degrees of freedom, or 18 with bushings.
    assert s.v - s.lam == (18 if stiff else 10)


def test_rack_fades_in_with_two_derivatives():
    h, t = 1e-4, np.array([0.0, handling.FADE])
    values = [handling.rack(t + k * h) for k in (-2, -1, 0, 1, 2)]
    before = values[2] - 2.0 * values[1] + values[0]
    after = values[4] - 2.0 * values[3] + values[2]
    assert_allclose(before / h**2, after / h**2, atol=1e-2)
    late = np.linspace(0.5, 5.0, 50)
    assert_allclose(handling.rack(late), 0.006 * np.sin(np.pi * late), atol=1e-15)


@pytest.mark.parametrize("steering", handling.STEERINGS)
def test_car_moves_as_it_was_computed_whether_its_rack_is_driven_or_prescribed(steering):
    example, equations, start = car(steering=steering)
    times = np.sort([*np.linspace(0.0, 5.0, 101)])
    run = da.simulate(equations, example.span, start, method="dop853", t_eval=times, **TIGHT)
    for observation in example.references:
        assert observation.digits == 11
        assert_observed(run, observation, 5)
    assert_allclose(run["rack displacement"], handling.rack(times), atol=1e-10)
    lateral, speed = run["lateral acceleration"], np.gradient(run["ride.x"], times)[10:-10]
    assert 2.5 < np.abs(lateral).max() < 3.5
    assert np.abs(speed - 20.0).max() < 0.3
    # Turning to the left and to the right are alike: the response is nearly linear.
    steady = lateral[times > 1.5]
    assert steady.max() == pytest.approx(-steady.min(), rel=0.1)


def test_response_is_nearly_in_proportion_to_small_steering():
    _, equations, start = car()
    found = []
    for amplitude in (0.001, 0.002):
        options = {"method": "dop853", "rtol": 1e-6, "atol": 1e-8, "parameters": {"amplitude": amplitude}}
        run = da.simulate(equations, (0.0, 1.5), start, **options)
        found.append(np.abs(run["lateral acceleration"]).max() / amplitude)
    assert mechanisms.steered_car(amplitude=0.003).references == ()
    assert found[1] == pytest.approx(found[0], rel=0.05)


def test_stiff_car_moves_as_it_was_computed():
    example, equations, start = car(stiff=True, steering="prescribed")
    run = da.simulate(equations, (0.0, 2.5), start, method="radau", t_eval=[2.5], rtol=1e-6, atol=1e-8)
    assert_observed(run, example.references[0], 4)
    eigenvalues = equations.linearise(start).eigenvalues
    assert eigenvalues.real.min() == pytest.approx(-2.6e5, rel=0.02)


def test_expensive_forces_are_the_same_forces():
    example, cheap, start = car()
    _, dear, _ = car(expensive=True)
    assert "numeric" in type(dear.inner).__name__.lower()
    rng = np.random.default_rng(1)
    for _ in range(3):
        v = start.v + 0.3 * rng.standard_normal(start.v.size)
        expected = cheap.evaluate("f", q=start.q, v=v)
        assert_allclose(dear.evaluate("f", q=start.q, v=v), expected, rtol=1e-9, atol=1e-6)
    with pytest.raises(ProblemError, match="no steering='power'"):
        mechanisms.steered_car(steering="power")
    assert example.model["steering"].kind == "drive"
