"""One spelling: components of vectors in laws, tables of quantities, states by name, heads of tables."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import dalembert as da
from dalembert.errors import ModelError, StateError


def lift(**options):
    m = da.Model("lift", **({"gravity": (0, 0, -9.81)} | options))
    size = 2 if m.planar else 3
    body = m.body("cabin", mass=2.0, inertia=1.0 if m.planar else (1.0, 1.0, 1.0))
    rail = m.prismatic("lift", m.ground.at(*np.zeros(size)), body.at(*np.zeros(size)), axis=m.labels[-1])
    return m, body, rail


@pytest.mark.parametrize("plane", [None, "xy", "xz"])
def test_vectors_of_laws_have_components_by_name(plane):
    m, body, rail = lift(plane=plane, gravity=None)
    up = m.labels[-1]

    def law(velocity, cabin, cabin_velocity, drawn):
        values = dict.fromkeys(m.labels, 0.0)
        values[up] = -3.0 * getattr(velocity, up) - 100.0 * getattr(cabin, up) + getattr(cabin_velocity, up)
        values[up] += getattr(drawn, up)
        return [values[label] for label in m.labels]

    m.force("drag", body.origin, law, sees={"cabin": body, "drawn": body.origin.position})
    equations = m.equations()
    found = equations.assemble({rail.displacement: 0.2, rail.rate: 1.5})
    assert 2.0 * found[f"{rail.name}.rate"] == 3.0
    assert 2.0 * found.a[0] == pytest.approx(-3.0 * 1.5 - 100.0 * 0.2 + 1.5 + 0.2)


def test_a_component_that_is_not_there_is_refused_by_name():
    m, body, _ = lift()
    m.force("drag", body.origin, lambda velocity: [velocity.w, 0.0, 0.0])
    with pytest.raises(ModelError, match=r"force .drag.*has no .w.; its components are x, y, z"):
        m.equations()


def test_tables_take_quantities():
    m, _, rail = lift(gravity=None)
    one, two = da.table([-1, 0, 1], [-2.0, 0.0, 1.0]), da.table([-1, 1], [-1, 1], np.array([[0.0, 1.0], [2.0, 4.0]]))
    m.force("one", rail, one(rail.displacement))
    m.force("two", rail, two(rail.displacement, rail.rate))
    m.sensor("slope", one(rail.displacement, 1))
    equations = m.equations()
    start = equations.assemble({rail.displacement: 0.3, rail.rate: -0.5})
    assert 2.0 * start.a[0] == pytest.approx(one(0.3) + two(0.3, -0.5), rel=1e-12)
    assert start["slope"] == pytest.approx(one(0.3, 1), rel=1e-12)


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_states_answer_by_name(coordinates):
    m, body, rail = lift()
    m.joint_spring("spring", rail, stiffness=100.0)
    m.sensor("place", body.at(0.1, 0, 0).position)
    equations = m.equations(coordinates)
    rest = equations.equilibrium()
    assert rest["lift.displacement"] == rest[rail.displacement] == pytest.approx(-2 * 9.81 / 100.0)
    assert rest["spring.force"] == pytest.approx(-2 * 9.81) and rest["lift.rate"] == 0.0
    assert rest["place"] == pytest.approx([0.1, 0.0, -0.1962]) and rest["place.z"] == pytest.approx(-0.1962)
    assert equations.linearise(rest).state["lift.displacement"] == rest["lift.displacement"]
    start = equations.assemble({rail.displacement: 0.1})
    run = da.simulate(equations, (0.0, 0.1), start, dense_output=True)
    assert run.state(0)["place.z"] == start["place.z"] == pytest.approx(0.1)
    assert run.state(t=0.05)["place.z"] == pytest.approx(run.sol(0.05)["place.z"])
    with pytest.raises(StateError, match=r"'lift\.displacemen'"):
        rest["lift.displacemen"]
    with pytest.raises(StateError, match="this state knows no names"):
        pickle.loads(pickle.dumps(rest))["lift.displacement"]


def test_states_of_bare_equations_answer_by_name():
    equations = da.trace(M=lambda: [[1.0]], f=lambda q: -9.0 * q, n_q=1, names={"q": ["x"], "v": ["w"]})
    start = equations.assemble({"x": 2.0}, {"w": 1.0})
    assert (start["x"], start["w"]) == (2.0, 1.0)
    with pytest.raises(da.errors.DalembertError, match="has no output 'z'"):
        start["z"]


def test_accelerations_and_units_are_spelled_in_one_way(tmp_path):
    m, _, _ = lift()
    equations = m.equations()
    run = da.simulate(equations, (0.0, 0.1), equations.assemble())
    run.units["energy"] = "kg m^2/s**2"
    head = run.to_csv(tmp_path / "run.csv").read_text(encoding="utf-8").splitlines()[0].split(",")
    assert {"lift.displacement [m]", "lift.rate [m/s]", "lift.acceleration [m/s²]", "energy [kg m²/s²]"} <= set(head)
    assert not any(".rate.rate" in name or "^" in name for name in head)
