"""The same motion and the same reactions, whatever the coordinates and the builder."""

import copy
from types import SimpleNamespace

import numpy as np
import pytest
from model.motions import (
    FORMULATIONS,
    assert_same,
    forces_of_constraints,
    last_state,
    reactions,
    sensors,
    simulated,
)

import dalembert as da
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
    "delta_robot": (mechanisms.delta_robot, 0.1),
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


def driven_outside_of_the_tree():
    """A rod between balls on two arms; the arm whose joint is cut is driven, the rod spins as it likes."""
    m = Model("two arms", gravity=(0, 0, -9.81))
    arm = m.body("arm", mass=1.0, inertia=(0.01, 0.02, 0.02), com=(0.1, 0, 0))
    rod = m.body("rod", mass=0.5, inertia=(0.01, 0.03, 0.03), com=(0.4, 0.02, 0))
    rocker = m.body("rocker", mass=1.0, inertia=(0.01, 0.02, 0.02), com=(0.15, 0, 0))
    m.revolute("A", m.ground.at(0, 0, 0), arm.at(0, 0, 0), axis="z", start=1.41)
    m.spherical("B", arm.at(0.2, 0, 0), rod.at(0, 0, 0))
    m.spherical("C", rod.at(0.95, 0, 0), rocker.at(0.4, 0, 0), start={"rotation": (0.8, 0.0, -0.6, 0.0)})
    D = m.revolute("D", m.ground.at(0.8, 0, -0.2), rocker.at(0, 0, 0), axis="y", cut=True)
    m.drive("motor", D, lambda t: -1.2 + 0.2 * np.sin(3.0 * t))
    m.sensor("tip", rod.at(0.95, 0, 0.1).position)
    return m


@pytest.mark.parametrize("method", ["radau", "radau9", "radau13"])
@pytest.mark.parametrize("name", ["slider crank", "driven joint"])
def test_constraints_on_angles_outside_of_the_tree(name, method):
    """Such angles are further coordinates of the recursions; constraints that see nothing else must move them."""
    example = mechanisms.slider_crank()
    model, start = (example.model, example.start) if name == "slider crank" else (driven_outside_of_the_tree(), None)
    ends = []
    for builder in ("symbolic", "recursion"):
        equations = model.equations("relative", cut="D", builder=builder)
        run = da.simulate(equations, (0.0, 0.2), equations.assemble(start), method=method, rtol=1e-8, atol=1e-10)
        assert run.success, run.message
        ends.append(sensors(equations, last_state(run)))
        assert np.abs(equations.evaluate("g", t=0.2, q=run.q[:, -1])).max() < 1e-10
    assert equations.names["q"][-1] == ("slider.turned" if name == "slider crank" else "D.angle")
    assert_same(ends[1], ends[0], 1e-6, name)


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


# ----------------------------------------------------------------------------------------- parameters everywhere


def tips(make, parameters=None):
    """The sensor "tip" after a short run, by all builders."""
    found = []
    for coordinates, builder in FORMULATIONS:
        equations = make().equations(coordinates, builder=builder)
        start = equations.assemble(parameters=parameters)
        options = {"rtol": 1e-10, "atol": 1e-12, "parameters": parameters}
        found.append(np.asarray(da.simulate(equations, (0, 0.2), start, **options)["tip"])[..., -1])
    return found


def test_parameter_with_the_name_of_data():
    """Elements keep data that differ between instances as parameters of their own, beside those of the user."""

    def make():
        m = da.Model("pendulum", plane="xy", gravity=(0, -9.81))
        m.parameters(m=0.2, d0_stiffness=2.0)
        a = m.body("a", mass=1.0, inertia=m.p.m, com=(0.1, 0))
        b = m.body("b", mass=3.0, inertia=m.p.m, com=(0.2, 0))
        A = m.revolute("A", m.ground.at(0, 0), a.at(0, 0))
        B = m.revolute("B", a.at(1.0, 0), b.at(0.3, 0))

        def law(angle, p):
            return p.d0_stiffness * angle

        m.torsion_spring("at A", A, 1.0, torque=law)
        m.torsion_spring("at B", B, 5.0, torque=law)
        m.sensor("tip", b.at(1, 0).position)
        return m

    first, *others = tips(make)
    for other in others:
        np.testing.assert_allclose(other, first, rtol=1e-8)


@pytest.mark.parametrize("parameters", [None, {"l": np.array([0.8, 0.7]), "al": 0.5, "pitch": 0.3, "g": 5.0}])
def test_arrays_of_parameters_in_geometry(parameters):
    def make():
        m = da.Model("screw", gravity=(0, 0, -9.81))
        m.parameters(l=np.array([1.0, 0.5]), al=0.3, pitch=0.1, g=9.81)
        m.gravity = m.vector((0, 0, -m.p.g), "gravity")
        a = m.body("a", mass=1.0, inertia=(0.2, 0.3, 0.3), com=(m.p.l[0] / 2, 0, 0))
        b = m.body("b", mass=2.0, inertia=(0.2, 0.2, 0.3), com=(0.2, m.p.l[1], 0))
        m.universal("A", m.ground.at(0, 0, 0, angle=m.p.al), a.at(0, 0, 0), start={"angle1": 0.3})
        B = m.screw("B", b.at(0.3, 0, 0, angle=m.p.al), a.at(m.p.l[0], 0, 0, angle=2 * m.p.al), pitch=m.p.pitch)
        m.torsion_spring("spring", B, 3.0)
        m.sensor("tip", b.at(m.p.l[1], 0, 0).position)
        return m

    first, *others = tips(make, parameters)
    for other in others:
        np.testing.assert_allclose(other, first, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("parameters", [None, {"al": 0.5}])
def test_angles_of_planar_markers_as_parameters(parameters):
    def make():
        m = da.Model("arm", plane="xy", gravity=(0, -9.81))
        m.parameters(al=0.3)
        a = m.body("a", mass=1.0, inertia=0.2, com=(0.5, 0))
        b = m.body("b", mass=2.0, inertia=0.2, com=(0.2, 0.1))
        m.revolute("A", m.ground.at(0, 0, angle=m.p.al), a.at(0, 0))
        B = m.revolute("B", b.at(0.3, 0, angle=m.p.al), a.at(1, 0, angle=2 * m.p.al))
        m.torsion_spring("between", (m.ground, b), 2.0)
        m.torsion_spring("spring", B, 3.0)
        m.sensor("tip", [b.at(1, 0).position.x, b.angle])
        return m

    first, *others = tips(make, parameters)
    for other in others:
        np.testing.assert_allclose(other, first, rtol=1e-7)


def test_models_are_copied_with_their_parameters():
    m = da.Model("pendulum", gravity=(0, 0, -9.81))
    m.parameters(mass=3.0)
    body = m.body("a", mass=m.p.mass, inertia=(0.1, 0.1, 0.1), com=(0.5, 0, 0))
    m.revolute("A", m.ground.at(0, 0, 0), body.at(0, 0, 0), axis="y")
    other = copy.deepcopy(m)
    other.parameters(mass=5.0)
    for model, mass in ((m, 3.0), (other, 5.0)):
        a = model.equations().assemble().a[0]
        assert a == pytest.approx(9.81 * 0.5 * mass / (0.1 + 0.25 * mass))


@pytest.mark.parametrize(("coordinates", "builder"), FORMULATIONS)
def test_angles_that_count_turns_agree_with_normalised_frames(coordinates, builder):
    """Restoring the invariants once is enough, however far the Euler parameters were from length one."""
    m = da.Model("arm", gravity=(0, 0, -9.81))
    a = m.body("a", mass=1.0, inertia=(0.1, 0.2, 0.2), com=(0.5, 0, 0))
    b = m.body("b", mass=1.0, inertia=(0.1, 0.2, 0.2), com=(0.5, 0, 0))
    m.spherical("S", m.ground.at(0, 0, 0), a.at(0, 0, 0), start={"rotation": (0.9, 0.3, 0.2, 0.1)})
    m.revolute("B", a.at(1, 0, 0), b.at(0, 0, 0), axis="y", start=0.5)
    C = m.revolute("C", m.ground.at(2, 0, 0), b.at(1, 0, 0), axis="z", cut=True)
    m.torsion_spring("spring", C, 1.0)
    equations = m.equations(coordinates, builder=builder)
    q = equations.start()[0]
    q = q + 0.2 * np.sin(1.0 + np.arange(len(q)))
    once = equations.evaluate("qn", q=q)
    np.testing.assert_allclose(equations.evaluate("qn", q=once), once, atol=1e-14)
