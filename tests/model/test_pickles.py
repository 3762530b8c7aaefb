"""Models and their equations are pickled and copied as they are, with stops, sensors and laws; or refused by name."""

import concurrent.futures
import copy
import multiprocessing
import pickle

import numpy as np
import pytest
from model.motions import FORMULATIONS

import dalembert as da
from dalembert.errors import EquationsError, ModelError
from dalembert.model.bodies.shapes import Box
from dalembert.model.formulate.custom import Custom
from dalembert.model.model import Model
from dalembert.model.quantity import Quantity

COPIES = {"pickle": lambda item: pickle.loads(pickle.dumps(item)), "copy": copy.deepcopy}


def damping(rate, p):
    return -p.damping * rate


def pull(positions, velocities):
    return -0.3 * velocities - 0.5 * positions


def shaking(t, p):
    return p.shaking * np.sin(5.0 * t)


def shaken(t, w):
    return (w.shaker, 0.1, 0.0)


def everything(stops=True):
    """Two arms with a spring, a table, laws, an input, an actuator with a state, sensors, and stops or a black box."""
    m = Model("everything", gravity=(0, 0, -9.81))
    p = m.parameters(damping=0.1, shaking=0.2, length=1.0)
    m.input("shaker", shaking)
    a = m.body("a", mass=1.0, inertia=(0.01, 0.1, 0.1), com=(0.5 * p.length, 0, 0), shapes=Box(1, 0.1, 0.1))
    b = m.body("b", mass=0.7, inertia=(0.01, 0.1, 0.1), com=(0.5, 0, 0))
    A = m.revolute("A", m.ground.at(0, 0, 0), a.at(0, 0, 0), axis="y", start=0.3)
    m.universal("B", a.at(1, 0, 0), b.at(0, 0, 0))
    m.torque("motor", A, damping)
    m.torsion_spring("clamp", A, 2.0, damping=0.1)
    m.spring("spring", m.ground.at(2, 0, 1), b.at(1, 0, 0), force=([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 5.0, 20.0]))
    m.force("wind", b.at(0.5, 0, 0), shaken)
    m.actuator("cylinder", (m.ground.at(0, 0, 2), b.at(1, 0, 0)), _force, states={"pressure": 0.1}, rates=_rates)
    if stops:
        floor = m.limit("floor", b.at(1, 0, 0).position.z, lower=-0.9, restitution=0.5)
        m.limit("angle", A.angle, upper=1.2, restitution=0.1)
        m.sensor("stop", floor.force)
    else:
        m.numeric_force("drag", b.at(1, 0, 0), pull)
    m.sensor("tip", b.at(1, 0, 0).position)
    m.sensor("speed", np.sqrt(b.at(1, 0, 0).velocity @ b.at(1, 0, 0).velocity) + abs(-A.rate) / 2.0 - 1.0 * A.angle**2)
    m.sensor("several", [A.angle, m.energy, b.at(0, 0, 0).acceleration.x, b.angular_velocity[1]])
    m.sensor("norm", np.linalg.norm(b.rotation))
    m.sensor("cylinder force", m["cylinder"].force)
    m.sensor("pressure", m["cylinder"].state("pressure"))
    m.sensor("momenta", m.momentum @ m.angular_momentum)
    return m


def _force(pressure):
    return 3.0 * pressure


def _rates(pressure, rate):
    return 0.5 - pressure - 0.1 * rate


def run(equations):
    return da.simulate(equations, (0, 1.5), equations.assemble(), method="dop853", rtol=1e-5, atol=1e-7)


def assert_alike(found, expected):
    assert found.names == expected.names and found.rows == expected.rows
    assert {key: np.asarray(value).tolist() for key, value in found.parameters.items()} == {
        key: np.asarray(value).tolist() for key, value in expected.parameters.items()
    }
    assert [stop.name for stop in found.switches] == [stop.name for stop in expected.switches]
    assert found.breaks == expected.breaks and repr(found) == repr(expected)


def assert_same_run(found, expected):
    """To the last bit."""
    assert found.success and [e.name for e in found.events] == [e.name for e in expected.events]
    for key in ("t", "q", "v", "a", "lam", "u"):
        assert np.array_equal(getattr(found, key), getattr(expected, key)), key
    assert list(found.outputs) == list(expected.outputs) and len(expected.outputs) > 8
    for name in expected.outputs:
        assert np.array_equal(found[name], expected[name]), name


@pytest.mark.parametrize(("coordinates", "builder"), FORMULATIONS)
def test_equations_come_back_with_stops_sensors_and_reactions(coordinates, builder):
    equations = everything().equations(coordinates, builder=builder)
    expected = run(equations)
    assert {"floor", "angle"} & {event.name for event in expected.events}
    for way in COPIES.values():
        again = way(equations)
        assert_alike(again, equations)
        assert_same_run(run(again), expected)
        drawn, wanted = (x.lines(expected.t[:3], expected.q[:, :3]) for x in (again, equations))
        assert all(drawn[name].tobytes() == wanted[name].tobytes() for name in wanted)  # gaps of lines are NaN
        assert again.model is not equations.model and again.model["a"].model is again.model
        A = again.model["A"]
        state = again.assemble({A.angle: -0.2, again.model["b"].at(1, 0, 0).position.x: 1.9})
        assert again.evaluate_quantity(A.angle, state) == pytest.approx(-0.2)


def _pushed(t):
    return 0.1 + 0.2 * np.sin(t)


SETTINGS = [(planar, *one) for planar in (True, False) for one in FORMULATIONS]


def slider(planar, element):
    """A slider that carries a rod, and one further element."""
    z = () if planar else (0.0,)
    m = Model("slider", plane="xy", gravity=(0, -9.81)) if planar else Model("slider", gravity=(0, -9.81, 0))
    block, rod = (m.body(name, mass=1.0, inertia=0.1 if planar else (0.1, 0.1, 0.1)) for name in ("block", "rod"))
    axis = (1.0, 0.0, *z)
    J = m.prismatic("J", m.ground.at(0, 0, *z, axis=axis), block.at(0, 0, *z, axis=axis), start=0.1)
    K = m.revolute("K", block.at(0, 0, *z), rod.at(-0.5, 0, *z), start=0.06 if element == "rod and drive" else 0.3)
    if element == "spring":
        m.spring("s", m.ground.at(0.5, 2, *z), rod.at(0.5, 0, *z), stiffness=2.0, length=1.0)
    elif element == "rod and drive":
        m.distance("d", m.ground.at(0.4, 1.5, *z), rod.at(0.5, 0, *z), 1.6)
        m.drive("push", J, _pushed)
    elif element == "stop":
        m.limit("stop", K, lower=-0.05, restitution=0.5)
    elif element == "actuator":
        m.actuator(
            "cylinder", (m.ground.at(0, 2, *z), rod.at(0.5, 0, *z)), _force, states={"pressure": 0.1}, rates=_rates
        )
    elif element == "friction":
        m.friction("f", K, limit=1.0, velocity=0.01)
    m.sensor("tip", rod.at(0.5, 0, *z).position)
    return m


@pytest.mark.parametrize("element", ["none", "spring", "rod and drive", "stop", "actuator", "friction"])
@pytest.mark.parametrize(("planar", "coordinates", "builder"), SETTINGS)
@pytest.mark.exact
def test_every_builder_comes_back_with_its_coordinates_and_rows(planar, coordinates, builder, element):
    equations = slider(planar, element).equations(coordinates, builder=builder)
    expected = equations.assemble()
    for way in COPIES.values():
        again = way(equations)
        assert_alike(again, equations)
        assert again.layout.names == equations.layout.names
        rows = [
            {name: (one.rows, one.moving_rows) for name, one in x.layout.places.items()} for x in (again, equations)
        ]
        assert rows[0] == rows[1]
        found = again.assemble()
        for key in ("q", "v", "a", "lam", "u"):
            assert np.array_equal(getattr(found, key), getattr(expected, key)), key
        for name in ("J", "K"):
            forces = [x.evaluate_quantity(x.model[name].force, expected) for x in (again, equations)]
            assert np.array_equal(*forces)


def test_restricted_equations_come_back_as_they_are():
    equations = everything().equations("absolute")
    assert_alike(COPIES["pickle"](equations.active), equations.active)


def test_models_come_back_with_everything():
    m = everything(stops=False)
    expected = run(m.equations())
    for way in COPIES.values():
        other = way(m)
        assert repr(other) == repr(m) and other.ground.model is other and other["A"].first.body is other.ground
        assert list(other.sensors) == list(m.sensors)
        assert_same_run(run(other.equations()), expected)
        assert_same_run(run(way(m.equations())), expected)
        # A copy has its own parts and parameters.
        other.parameters(damping=9.0)
        other.body("c", mass=1.0, inertia=(1, 1, 1))
        assert m.parameter_values["damping"] == 0.1 and len(m.bodies) == 2


def ball():
    m = Model("ball", plane="xy", gravity=(0, -9.81))
    body = m.body("ball", mass=0.1, inertia=1e-4)
    J = m.prismatic("J", m.ground.at(0, 0, axis="y"), body.at(0, 0, axis="y"), start=1.0)
    m.limit("floor", J, lower=0.0, restitution=0.5)
    return m.equations()


def test_a_stop_stays_a_stop_in_another_process():
    equations = ball()
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        found = pool.submit(da.simulate, equations, (0.0, 0.6), equations.assemble()).result()
    expected = da.simulate(equations, (0.0, 0.6), equations.assemble())
    assert found.q[0, 0] == 1.0 and [event.name for event in found.events] == ["floor"]
    assert np.array_equal(found.q, expected.q)


def test_long_chains_do_not_meet_the_end_of_the_stack():
    m = Model("chain", gravity=(0, 0, -9.81))
    last = m.ground.at(0, 0, 0)
    for k in range(150):
        body = m.body(f"b{k}", mass=1.0, inertia=(0.1, 0.1, 0.1))
        m.spherical(f"J{k}", last, body.at(-0.5, 0, 0))
        last = body.at(0.5, 0, 0)
    equations = m.equations(builder="recursion")
    again = COPIES["pickle"](equations)
    q, v = equations.default("q"), np.sin(np.arange(450.0))
    assert np.array_equal(again.evaluate("f", q=q, v=v), equations.evaluate("f", q=q, v=v))


def test_what_was_frozen_is_pickled_and_not_what_came_later():
    equations = everything().equations()
    m = equations.model
    m.parameters(damping=5.0, length=3.0)
    m.body("later", mass=1.0, inertia=(1, 1, 1))
    again = COPIES["pickle"](equations)
    assert_alike(again, equations)
    assert again.parameters["damping"] == 0.1 and "later" in [body.name for body in again.model.bodies]
    # Values of quantities are met with the parameters of the equations too.
    tip = m["b"].at(1, 0, 0).position.x
    state = equations.assemble({tip: 1.93})
    assert equations.evaluate_quantity(tip, state) == pytest.approx(1.93, abs=1e-9)


def place(world, q, p):
    return {"rod": world.turned(q.phi)}


def test_custom_coordinates_come_back():
    m = Model("pendulum", plane="xy", gravity=(0, -9.81))
    rod = m.body("rod", mass=1.0, inertia=0.1, com=(0.5, 0))
    m.revolute("A", m.ground.at(0, 0), rod.at(0, 0))
    equations = m.equations(Custom(["phi"], place, satisfied=["A"]))
    for way in COPIES.values():
        again = way(equations)
        start = again.assemble({"phi": 0.3})
        assert np.array_equal(start.a, equations.assemble({"phi": 0.3}).a)
    with pytest.raises(ModelError, match=r"custom coordinates phi cannot be pickled.*lambda"):
        pickle.dumps(m.equations(Custom(["phi"], lambda world, q, p: {"rod": world.turned(q.phi)}, satisfied=["A"])))


def _loses(m, a, A):
    def inside(t):
        return t

    class Odd(Box):
        pass

    return {
        "torque 'bad' of 'm'": lambda: m.torque("bad", A, lambda rate: -rate),
        "input 'bad' of 'm'": lambda: m.input("bad", inside),
        "sensor 'bad' of 'm'": lambda: m.sensor("bad", Quantity(lambda scene: 1.0)),
        "numeric force 'bad' of 'm'": lambda: m.numeric_force("bad", a.at(0, 0), lambda velocities: -velocities),
        "coupling 'bad' of 'm'": lambda: m.coupling("bad", [A.angle], lambda x: x),
        "body 'bad' of 'm'": lambda: m.body("bad", mass=1.0, inertia=1.0, shapes=[Odd(1.0, 1.0, 1.0)]),
    }


@pytest.mark.parametrize("what", range(6))
def test_what_cannot_be_pickled_is_refused_by_name(what):
    m = Model("m", plane="xy")
    a = m.body("a", mass=1.0, inertia=1.0)
    A = m.revolute("A", m.ground.at(0, 0), a.at(0, 0))
    label, add = list(_loses(m, a, A).items())[what]
    add()
    for item in (m, a, A.angle) if label[:4] == "body" else (m, a, A.angle, m.equations()):
        with pytest.raises(ModelError, match=f"^{label} cannot be pickled.*top level"):
            pickle.dumps(item)
    copy.deepcopy(m)  # functions stay as they are


def test_callbacks_of_equations_are_refused_by_name():
    made = da.trace(
        M=lambda: np.eye(1), f=da.numeric(lambda q: -q), n_q=1, name="oscillator"
    )  # fmt: skip
    with pytest.raises(EquationsError, match=r"'oscillator': f cannot be pickled.*lambda"):
        pickle.dumps(made)
    assert copy.deepcopy(made).evaluate("f", q=[2.0]) == [-2.0]
