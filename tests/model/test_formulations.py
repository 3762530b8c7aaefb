"""The same motion and the same reactions, whatever the coordinates and the builder."""

from types import SimpleNamespace

import numpy as np
import pytest
from model.motions import (
    FORMULATIONS,
    assert_same,
    forces_of_constraints,
    reactions,
    sensors,
    simulated,
)

from dalembert.model.model import Model
from dalembert.problems import mechanisms

# A short part of each motion is enough to tell formulations apart.
EXAMPLES = {
    "four_bar": (mechanisms.four_bar, 0.5),
    "slider_crank": (mechanisms.slider_crank, 0.3),
    "seven_body": (mechanisms.seven_body, 0.015),
    "spatial_slider_crank": (mechanisms.spatial_slider_crank, 0.3),
    "bricard": (mechanisms.bricard, 0.5),
    "double_wishbone": (mechanisms.double_wishbone, 0.1),
    "stewart_platform": (mechanisms.stewart_platform, 0.05),
    "top": (mechanisms.top, 0.1),
    "rolling_disc": (mechanisms.rolling_disc, 0.5),
    "free_body": (mechanisms.free_body, 1.0),
    "chain": (mechanisms.chain, 0.5),
    "a01": (mechanisms.a01, 1.0),
    "a02": (lambda: mechanisms.a02(2), 1.0),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_all_formulations_give_one_motion_and_one_set_of_reactions(name):
    make, end = EXAMPLES[name]
    example = make()
    references = {}
    for coordinates, builder in FORMULATIONS:
        equations = example.model.equations(coordinates, builder=builder)
        _, *states = simulated(equations, example, span=(0.0, end))
        for what, quantity in example.conserved.items():
            first, last = (np.atleast_1d(equations.evaluate_quantity(quantity, state)) for state in states)
            assert_same(last, first, 1e-9, f"{what} in {equations!r}")
        # Where constraints say the same, each choice of them distributes reactions in its own way.
        shared = coordinates if example.redundant == "accept" else "all"
        for instant, state in zip(("start", "end"), states, strict=True):
            force, torque = reactions(equations, state)
            found = {
                ("sensors", "all"): sensors(equations, state),
                ("forces", shared): force,
                ("torques", shared): torque,
                ("constraints", shared): forces_of_constraints(equations, state),
            }
            for key, values in found.items():
                reference = references.setdefault((*key, instant), values)
                assert_same(values, reference, 1e-9, f"{key[0]} at the {instant} in {equations!r}")


@pytest.mark.parametrize("name", ["slider_crank", "top"])
def test_custom_coordinates_without_constraints_give_the_same_motion(name):
    example = EXAMPLES[name][0]()
    found = []
    for coordinates in ("relative", example.custom):
        equations = example.model.equations(coordinates)
        found.append(sensors(equations, simulated(equations, example)[2]))
    assert equations.sizes.lam == 0
    assert_same(found[1], found[0], 1e-9, "sensors")


@pytest.mark.parametrize("cut", [("A",), ("B",), ("D",)], ids="".join)
def test_any_joint_of_a_loop_can_be_cut(cut):
    # With A cut the tree passes joints from their second to their first bodies.
    example = mechanisms.four_bar()
    reference = example.model.equations("relative", builder="symbolic")
    state = simulated(reference, example, span=(0.0, 0.2))[2]
    values, forces = sensors(reference, state), reactions(reference, state)[0]
    for builder in ("symbolic", "recursion"):
        equations = example.model.equations("relative", cut=cut, builder=builder)
        assert not {name.split(".")[0] for name in equations.names["v"]} & set(cut)
        end = simulated(equations, example, span=(0.0, 0.2))[2]
        assert_same(sensors(equations, end), values, 1e-9, (cut, builder))
        assert_same(reactions(equations, end)[0], forces, 1e-9, (cut, builder))


def test_loops_may_have_whole_turns_at_the_start():
    # The angles of A, B and C add up to one turn; the slider, which must not turn, is where it is all the same.
    example = mechanisms.slider_crank()
    A = example.model["A"]
    reference = example.model.equations("relative", builder="symbolic")
    expected = sensors(reference, example.assemble(reference))
    for builder in ("symbolic", "recursion"):
        equations = example.model.equations("relative", cut="D", builder=builder)
        state = equations.assemble({A.angle: 0.6 + 2 * np.pi, A.rate: 12.0})
        assert_same(sensors(equations, state), expected, 1e-12, builder)
        assert state.q[equations.index("q", "A.angle")] == pytest.approx(0.6 + 2 * np.pi)


def test_parameters_change_without_new_equations_in_every_formulation():
    # Other masses, lengths and springs, as parameters of compiled equations and as numbers of another model.
    def model(p):
        m = Model("double pendulum", gravity=(0, 0, -9.81))
        if p is None:
            p = m.parameters(mass=1.0, length=0.8, k=30.0, tilt=0.2)
        first = m.body("first", mass=p.mass, inertia=(0.1, 0.2, 0.2), com=(0.5 * p.length, 0, 0))
        second = m.body("second", mass=2.0 * p.mass, inertia=(0.1, 0.1, 0.2), com=(0.3, p.tilt, 0))
        A = m.revolute("A", m.ground.at(0, 0, 0), first.at(0, 0, 0), axis="y", start=0.3)
        m.universal("B", first.at(p.length, 0, 0), second.at(0, p.tilt, 0))
        m.spring("s", m.ground.at(0, 1, -1), second.at(0.6, 0, 0), p.k, length=p.length)
        m.torsion_spring("t", A, 0.5 * p.k)
        m.sensor("tip", second.at(0.6, 0, 0).position)
        return m

    def quantities(m):
        return [*(body.com.acceleration for body in m.bodies), *(joint.force for joint in m.joints)]

    values = {"mass": 1.7, "length": 1.1, "k": 90.0, "tilt": 0.4}
    plain = model(SimpleNamespace(**values))
    equations = plain.equations("relative", builder="symbolic")
    state = equations.assemble()
    expected = [equations.evaluate_quantity(one, state) for one in quantities(plain)]
    changing = model(None)
    for coordinates, builder in FORMULATIONS:
        equations = changing.equations(coordinates, builder=builder)
        state = equations.assemble(parameters=values)
        found = [equations.evaluate_quantity(one, state, values) for one in quantities(changing)]
        assert_same(np.array(found), np.array(expected), 1e-11, (coordinates, builder))
