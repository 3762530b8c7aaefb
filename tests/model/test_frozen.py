"""Equations are those of the model as it was: what came later, or belongs to another model, is refused by name."""

import numpy as np
import pytest
from model.motions import FORMULATIONS

import dalembert as da
from dalembert.errors import DalembertError, ModelError, StateError
from dalembert.model.model import Model


def pendulum():
    m = Model("pendulum", plane="xy", gravity=(0, -9.81))
    m.parameters(k=1.0)
    rod = m.body("rod", mass=1.0, inertia=0.1, com=(0.5, 0))
    m.revolute("A", m.ground.at(0, 0), rod.at(0, 0))
    return m


def later(m):
    """Quantities of what is added now, by what the complaint names."""
    rod = m["rod"]
    S = m.prismatic("S", m.ground.at(0, 0), rod.at(0.2, 0))
    spring = m.spring("spring", m.ground.at(0, 1), rod.at(1, 0), 3.0, length=1.0)
    contact = m.drive("drive", m["A"].angle, 0.5)
    stop = m.limit("stop", S.displacement, lower=0.0)
    other = m.body("other", mass=1.0, inertia=1.0)
    return {
        "prismatic joint 'S'": (S.displacement, S.rate, S.force.x, S.torque, 2.0 * S.displacement + 1.0),
        "spring 'spring'": (spring.force, spring.extent, spring.rate),
        f"{contact.label}": (contact.force,),
        "limit 'stop'": (stop.force,),
        "body 'other'": (other.position.x, other.angle, other.at(1, 0).velocity.y, other.kinetic_energy),
    }


@pytest.mark.parametrize(("coordinates", "builder"), FORMULATIONS)
def test_quantities_of_what_came_later_are_refused(coordinates, builder):
    m = pendulum()
    equations = m.equations(coordinates, builder=builder)
    state = equations.assemble()
    for label, quantities in later(m).items():
        for quantity in quantities:
            with pytest.raises(ModelError, match=f"{label}.*'pendulum'.*make them anew"):
                equations.evaluate_quantity(quantity, state)
            with pytest.raises(DalembertError, match=f"{label}"):
                da.simulate(equations, (0, 0.1), state, events=[quantity])
    # The model as a whole is that of the time.
    energy = equations.evaluate_quantity(m.energy, state)
    assert energy == pytest.approx(0.0, abs=1e-12)
    with pytest.raises(StateError, match="prismatic joint 'S' is none of 'pendulum'"):
        equations.assemble({m["S"].displacement: 0.1})
    # And in new equations they are known.
    again = m.equations(coordinates, builder=builder)
    assert "drive.angle" in again.names["lam"] or len(again.names["lam"]) > len(equations.names["lam"])


def test_names_of_other_models_are_no_passport():
    """Elements of another model with the same names."""
    one, two = pendulum(), pendulum()
    for m in (one, two):
        m.drive("drive", m["A"].angle, 0.5)
    equations = one.equations()
    state = equations.assemble()
    for quantity in (two["drive"].force, two["A"].force.x, two["A"].angle, two["A"].rate, two["rod"].position.x):
        with pytest.raises(ModelError, match=r"another model|belongs to another copy of the model"):
            equations.evaluate_quantity(quantity, state)


def test_parameters_that_change_later_do_not_reach_equations():
    m = pendulum()
    m.parameters(length=1.0)
    A = m["A"]
    rod = m["rod"]
    end = m.body("end", mass=1.0, inertia=0.1)
    m.revolute("B", rod.at(m.p.length, 0), end.at(0, 0))
    equations = m.equations("absolute")
    m.parameters(length=3.0)
    for asked in ({A.angle: 0.3}, {end.position.y: 0.6}):
        state = equations.assemble(asked)
        assert np.hypot(*equations.evaluate_quantity(end.position, state)) == pytest.approx(1.0)
