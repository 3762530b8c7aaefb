"""What a run is asked for and with: names of arguments, objects of a model in place of names, words that help."""

import numpy as np
import pytest

import dalembert as da
from dalembert.errors import ModelError, SimulationError


@pytest.fixture(scope="module")
def pendulum():
    m = da.Model("pendulum", plane="xy", gravity=(0, -9.81))
    rod = m.body("rod", mass=1.0, inertia=0.1, com=(0.5, 0))
    A = m.revolute("A", m.ground.at(0, 0), rod.at(0, 0))
    eqs = m.equations()
    return A, eqs, da.simulate(eqs, (0, 1), eqs.assemble({A.angle: 0.3}))


def test_arguments_that_are_not_there_are_named_with_the_nearest_one(pendulum):
    _, eqs, run = pendulum
    with pytest.raises(SimulationError, match="simulate has no argument 'tol'; tolerances are rtol"):
        da.simulate(eqs, (0, 1), run.state(0), tol=1e-3)
    with pytest.raises(SimulationError, match=r"resume has no argument 'util'; did you mean 'until'\?"):
        da.resume(run, util=2.0)
    with pytest.raises(SimulationError, match=r"Radau has no argument 'stage'; did you mean 'stages'\?"):
        da.Radau(stage=5)
    assert da.Radau(stages=5) == da.Radau(stages=5)


def test_motion_between_instants_is_asked_by_the_objects_of_the_model(pendulum, tmp_path):
    A, eqs, run = pendulum
    point = run.sol(0.5)
    assert np.array_equal(point[A.force], point["A.force"]) and point[A.angle] == point["A.angle"]
    assert point[A.force.x] == point["A.force.x"] and np.array_equal(run[A.force], run["A.force"])
    loaded = da.load(run.save(tmp_path / "run.nc"))
    with pytest.raises(da.DalembertError, match=r"equations.evaluate_quantity\(joint.force, sol.state\(t=…\)\)"):
        loaded.sol(0.5)["A.force"]
    there = eqs.evaluate_quantity(A.force, loaded.state(t=0.5))  # with accelerations as they were stored
    assert there == pytest.approx(point["A.force"], rel=1e-6)


def test_laws_that_miss_a_parameter_say_it_once_and_what_helps():
    m = da.Model("pendulum", plane="xy", gravity=(0, -9.81))
    rod = m.body("rod", mass=1.0, inertia=0.1, com=(0.5, 0))
    m.torque("motor", m.revolute("A", m.ground.at(0, 0), rod.at(0, 0)), lambda rate, p: p.c * rate)
    with pytest.raises(ModelError) as told:
        m.equations()
    assert str(told.value) == (
        "torque 'motor': torque: there is no parameter 'c'; none are declared. Declare it first: m.parameters(c=…)"
    )


@pytest.mark.parametrize("direction", [-2, 0.5, "down"])
def test_directions_of_events_are_signs(pendulum, direction):
    _, eqs, run = pendulum
    with pytest.raises(SimulationError, match="direction must be a number: -1 falling, 1 rising, 0 both"):
        da.simulate(eqs, (0, 1), run.state(0), events=[da.Event(lambda q: q[0], direction=direction)])


def test_functions_that_fail_at_the_start_are_named(pendulum):
    _, eqs, run = pendulum
    with pytest.raises(IndexError) as raised:
        da.simulate(eqs, (0, 1), run.state(0), events=[da.Event(lambda q: q[3], name="far")])
    assert "raised by event 'far'" in raised.value.__notes__


def test_forces_without_a_direction_are_named_with_what_helps():
    """Motion is not concerned: the points are both in the pivot."""
    m = da.Model("pendulum", plane="xy", gravity=(0, -9.81))
    rod = m.body("rod", mass=1.0, inertia=0.1, com=(0.5, 0))
    A = m.revolute("A", m.ground.at(0, 0), rod.at(0, 0))
    m.spring("S", m.ground.at(0, 0), rod.at(0, 0), stiffness=100.0, length=0.1)
    eqs = m.equations()
    run = da.simulate(eqs, (0, 1), eqs.assemble({A.angle: 0.3}))
    assert np.isnan(run["S.force"]).all() and np.isfinite(run.q).all()
    assert "'S.force', " in run.message and "are not finite, first at t = 0 (spring 'S'" in run.message
    assert "its markers coincide, so that it has no direction; place them apart" in run.message
