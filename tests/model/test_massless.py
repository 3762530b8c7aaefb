"""Bodies without mass at the ends of trees: merged where they are fixed, otherwise refused by name."""

import numpy as np
import pytest
from model.motions import FORMULATIONS

import dalembert as da
from dalembert.equations.recursion import Link, TreeDynamics
from dalembert.errors import EquationsError, ModelError
from dalembert.model.model import Model


def robot(joint, tool=True, second=False):
    m = Model("robot", gravity=(0, 0, -9.81))
    arm = m.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.1), com=(0.5, 0, 0))
    m.revolute("A", m.ground.at(0, 0, 0), arm.at(0, 0, 0), axis="y")
    if tool:
        flange = m.body("flange", mass=0.0)
        getattr(m, joint)("T", arm.at(1, 0, 0), flange.at(0, 0, 0))
        if second:
            m.fixed("F", flange.at(0, 0, 0), m.body("tip", mass=0.0).at(0, 0, 0))
    return m


@pytest.mark.parametrize("second", [False, True])
@pytest.mark.parametrize(("coordinates", "builder"), FORMULATIONS)
def test_what_is_fixed_is_carried_along(coordinates, builder, second):
    m = robot("fixed", second=second)
    m.sensor("tool", m["tip" if second else "flange"].position)
    equations = m.equations(coordinates, builder=builder)
    run = da.simulate(equations, (0, 0.3), equations.assemble(), rtol=1e-9, atol=1e-11)
    alone = robot("", tool=False).equations()
    angle = da.simulate(alone, (0, 0.3), alone.assemble(), rtol=1e-9, atol=1e-11).q[0, -1]
    assert run.success and run["tool"][:, -1] == pytest.approx([np.cos(angle), 0.0, -np.sin(angle)], abs=1e-7)


@pytest.mark.parametrize("second", [False, True])
@pytest.mark.parametrize("joint", ["revolute", "spherical", "prismatic", "universal"])
@pytest.mark.parametrize(("coordinates", "builder"), FORMULATIONS)
def test_what_moves_without_mass_is_refused_by_name(coordinates, builder, joint, second):
    equations = robot(joint, second=second).equations(coordinates, builder=builder)
    with pytest.raises(EquationsError, match=r"has no inertia; .* \(body '(flange|tip)', .* '[TF]'\)"):
        equations.assemble()
    q, v = equations.start()[:2]
    with pytest.raises(EquationsError, match=r"\(body '(flange|tip)', .* '[TF]'\)"):
        da.simulate(equations, (0, 1), (q, v))


def test_large_systems_are_refused_by_name_too():
    m = Model("snake", gravity=(0, 0, -9.81))
    last = m.ground.at(0, 0, 0)
    for k in range(90):
        end = k == 89
        body = m.body(f"b{k}", mass=0.0 if end else 1.0, inertia=(0, 0, 0) if end else (0.1, 0.1, 0.1), com=(0.5, 0, 0))
        m.revolute(f"J{k}", last, body.at(0, 0, 0), axis="y")
        last = body.at(1, 0, 0)
    with pytest.raises(
        EquationsError, match="body 'b89', carried by revolute joint 'J89', has neither mass nor inertia"
    ):
        m.equations("absolute", builder="elements").assemble()


@pytest.mark.parametrize("joint", ["revolute", "spherical"])
def test_dynamics_of_trees_name_it(joint):
    m = robot(joint)
    with pytest.raises(ModelError, match=f"body 'flange', carried by {joint} joint 'T', has neither mass nor inertia"):
        m.forward_dynamics()
    tree = m.tree_dynamics()
    n_q, n_v = tree.tree.n_q, tree.tree.n_v
    q = np.full(n_q, 0.5)
    with pytest.raises(EquationsError, match=f"'robot': the link 'flange' of a {joint} joint carries neither mass nor"):
        tree.forward_dynamics(q, np.zeros(n_v), np.zeros(n_v))
    assert np.isfinite(tree.inverse_dynamics(q, np.zeros(n_v), np.zeros(n_v))).all()


def test_a_point_mass_on_its_own_axis_is_refused():
    tree = TreeDynamics([Link("revolute", -1, mass=1.0)])
    with pytest.raises(EquationsError, match="moves without inertia"):
        tree.forward_dynamics([0.3], [0.0], [1.0])
