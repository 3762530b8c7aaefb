"""Coordinates that are functions of time, and no unknowns: the same motion and forces as with drives."""

import pickle

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from model.agreement import assert_all_agree, is_settled
from model.random_models import PLANAR, SPATIAL, Builder, loops, structures
from numpy.testing import assert_allclose

import dalembert as da
from dalembert.errors import ModelError, SimulationError, StateError

TIGHT = {"rtol": 1e-10, "atol": 1e-12}


def swing(t):
    return 0.4 + 0.3 * np.sin(2.0 * t) + 0.1 * t**2


def slow(t):
    return 0.2 * np.cos(1.5 * t)


def motion(m, how, name, coordinate, law):
    return m.prescribe(name, coordinate, law) if how == "prescribe" else m.drive(name, coordinate, law)


# ----------------------------------------------------------------------------------------------------------- mechanisms


def planar_arm(how):
    """A cart that is moved, and two rods on it, the first of which is turned."""
    m = da.Model("arm", plane="xy", gravity=(0, -9.81))
    cart = m.body("cart", 2.0, 0.3)
    rods = [m.body(f"rod{k}", 1.0 + k, 0.1, com=(0.5, 0.1)) for k in range(2)]
    guide = m.prismatic("guide", m.ground.at(0, 0, angle=0.3), cart.at(0, 0), start=0.2)
    A = m.revolute("A", cart.at(0.1, 0), rods[0].at(0, 0), start={"angle": 0.4, "angle.rate": 0.6})
    B = m.revolute("B", rods[0].at(1, 0), rods[1].at(0, 0), start={"angle": -0.7, "angle.rate": 0.5})
    m.joint_spring("spring", A.angle, 3.0, 0.2, natural=0.1)
    m.spring("tie", m.ground.at(0, 2), rods[1].at(1, 0), 20.0, 1.0, length=0.5)
    laws = [motion(m, how, "slider", guide, slow), motion(m, how, "turner", A, swing)]
    return m, laws, {B.angle: -0.7, B.rate: 0.5}


def spatial_arm(how):
    """Every kind of scalar motion, passed forwards and backwards; joints start as their laws do."""
    m = da.Model("robot", gravity=(0.3, 0, -9.81))
    parts = [m.body(f"part{k}", 2.0 - 0.2 * k, (0.2, 0.15, 0.1 + 0.02 * k), com=(0.1, 0.05, 0.3)) for k in range(6)]
    places = [part.at(0.1, 0.0, 0.5, axis=(0.2, 0.1, 1.0)) for part in parts]
    A = m.revolute("A", m.ground.at(0, 0, 1), parts[0].at(0, 0, 0), axis="z", start={"angle": 0.4, "angle.rate": 0.6})
    C = m.cylindrical("C", parts[1].at(0, 0.1, 0), places[0], start={"angle": 0.3, "displacement": 0.2})  # backwards
    U = m.universal("U", places[1], parts[2].at(0, 0, 0), start={"angle1": 0.2, "angle2.rate": 0.5})
    S = m.screw("S", parts[3].at(0, 0, 0), places[2], pitch=0.2, start={"angle.rate": 0.9})  # backwards
    P = m.prismatic("P", places[3], parts[4].at(0, 0, 0), start=0.3)
    m.spherical("B", places[4], parts[5].at(0, 0, 0), start={"angular_velocity": (0.3, 0.2, -0.1)})
    m.bushing("soft", m.ground.at(0, 0, 3), parts[5].at(0, 0, 0.4), [40.0] * 6, [2.0] * 6)
    laws = [
        motion(m, how, "first", A, swing), motion(m, how, "second", C.displacement, slow),
        motion(m, how, "third", U.angle2, lambda t, p: p.size * np.sin(t)),
        motion(m, how, "fourth", S, lambda w: w.wave),
        motion(m, how, "fifth", P, (np.linspace(-1.0, 2.0, 7), [0.0, 0.1, 0.3, 0.2, 0.0, 0.1, 0.1])),
    ]  # fmt: skip
    m.parameters(size=0.5)
    m.input("wave", lambda t: 0.3 * np.sin(3.0 * t))
    return m, laws, {}


def four_bar(how):
    """A loop whose crank is turned, with one rod more than it needs to be moved by that alone."""
    m = da.Model("five bars", plane="xy", gravity=(0, -9.81))
    rods = [m.body(f"rod{k}", 1.0, 0.1, com=(0.5, 0)) for k in range(4)]
    A = m.revolute("A", m.ground.at(0, 0), rods[0].at(0, 0), start=1.4)
    B = m.revolute("B", rods[0].at(1, 0), rods[1].at(0, 0), start=-0.6)
    m.revolute("C", rods[1].at(1, 0), rods[2].at(1, 0))
    m.revolute("D", rods[2].at(0, 0), rods[3].at(1, 0), start=0.5)
    m.revolute("E", m.ground.at(1.2, 0), rods[3].at(0, 0), start=1.2)
    return m, [motion(m, how, "crank", A, lambda t: 1.4 + 0.5 * np.sin(2.0 * t))], {B.angle: -0.6, B.rate: 0.2}


MODELS = {"planar arm": planar_arm, "spatial arm": spatial_arm, "five bars": four_bar}
SIZES = {"planar arm": (1, 1, 0), "spatial arm": (6, 5, 0), "five bars": (3, 3, 2)}


@pytest.mark.parametrize("name", MODELS)
def test_motion_and_forces_are_those_of_drives(name):
    runs = {}
    for how in ("prescribe", "drive"):
        m, laws, start = MODELS[name](how)
        equations = m.equations()
        sol = da.simulate(equations, (0, 1), equations.assemble(start), t_eval=[0.3, 0.7, 0.9], **TIGHT)
        runs[how] = equations, sol, laws
    (eliminated, short, laws), (driven, long, _) = runs["prescribe"], runs["drive"]
    assert (eliminated.sizes.q, eliminated.sizes.v, eliminated.sizes.lam) == SIZES[name]
    assert driven.sizes.v == eliminated.sizes.v + len(laws)
    assert driven.sizes.lam == eliminated.sizes.lam + len(laws)
    for one in eliminated.names["q"]:
        assert_allclose(short[one], long[one], rtol=1e-8, atol=1e-8)
    for joint in eliminated.joints:
        for key in (*(c.name for c in joint.own_coordinates.values()), f"{joint.name}.force", f"{joint.name}.torque"):
            assert_allclose(short[key], long[key], rtol=1e-6, atol=1e-6, err_msg=key)
    for law in laws:
        assert_allclose(short[f"{law.name}.force"], long[f"{law.name}.force"], rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("name", ["planar arm", "spatial arm"])
def test_accelerations_on_atoms_are_those_of_the_contract(name):
    m, _, _ = MODELS[name]("prescribe")
    equations = m.equations()
    state = equations.assemble({}, t=0.4)
    assert equations.lacks("explicit") == ""
    found = equations.program("explicit")(
        ["a"], {"p": equations.parameter_vector(), "t": np.array([0.4]), "q": state.q, "v": state.v, "u": state.u}
    )
    assert_allclose(found["a"], state.a, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("coordinates", "builder"), [
    ("relative", "recursion"), ("absolute", "elements"), ("absolute", "symbolic"),
])  # fmt: skip
def test_elsewhere_what_is_prescribed_is_driven(coordinates, builder):
    m, laws, _ = spatial_arm("prescribe")
    reference = m.equations()
    assert "driven" not in reference.how.why
    equations = m.equations(coordinates, builder=builder)
    assert "what is prescribed is driven by constraints" in equations.how.why
    assert "first.value" in equations.names["lam"]
    runs = [
        da.simulate(one, (0, 0.45), one.assemble({}), t_eval=[0.2, 0.45], **TIGHT) for one in (reference, equations)
    ]
    for key in ("B.force", "A.torque", *(f"{law.name}.force" for law in laws)):
        assert_allclose(runs[0][key], runs[1][key], rtol=1e-6, atol=1e-6, err_msg=key)


def prescribe_some(builder):
    """Let up to two coordinates of the tree be functions of time that begin as they do; whether there are any, and
    something else is left to move."""
    m, rng = builder.model, builder.rng
    free = sum(motion.n_v for joint in m.joints if not joint.cut for motion in joint.free_motions)
    listed = [one for joint in m.joints if not joint.cut for one in joint.own_coordinates.values()]
    chosen = rng.permutation(len(listed))[: min(2, free - 1)]
    for k in chosen:
        one, growth = listed[k], rng.uniform(-3.0, 3.0)
        value, rate = one.joint.start[one.label], one.joint.start[f"{one.label}.rate"]
        one.prescribe(lambda t, a=value, b=rate, c=growth: a + b * t + c * t**2)
    return len(chosen) > 0


@settings(max_examples=4)
@given(structures(SPATIAL, 2))
def test_random_trees_in_space_whose_coordinates_are_functions_of_time(structure):
    builder = Builder(structure, planar=False)
    assume(prescribe_some(builder))
    assert_all_agree(builder.model)


@settings(max_examples=3)
@given(structures(PLANAR, 2))
def test_random_trees_in_the_plane_whose_coordinates_are_functions_of_time(structure):
    builder = Builder(structure, planar=True)
    assume(prescribe_some(builder))
    assert_all_agree(builder.model)


#: The rate of what closes this loop is zero but for rounding, and no motion that constraints allow changes it.
STILL_SLIDER = {"kinds": ["spherical", "spherical", "cylindrical"], "parents": [-1, -1, 0], "backwards": [False] * 3}


@settings(max_examples=3)
@given(loops(SPATIAL, 3))
@example((STILL_SLIDER | {"forces": [], "seed": 376196}, "prismatic"))
def test_random_loops_whose_coordinates_are_functions_of_time(loop):
    tree, kind = loop
    assume(kind is not None)
    builder = Builder(tree, planar=False)
    builder.close(kind)
    assume(is_settled(builder) and prescribe_some(builder))
    driven = builder.model.equations(builder="recursion")
    G = driven.evaluate("G", q=driven.start()[0])
    assume(G.shape[0] < G.shape[1] and np.linalg.svd(G, compute_uv=False)[-1] > 0.02)
    counted = [one for one in driven.names["q"] if one.startswith("loop.")]
    assume(not counted)  # turns of what closes a loop are not counted beside functions of time
    assert_all_agree(builder.model)


def test_cut_joints_are_driven():
    m, _, _ = four_bar("prescribe")
    equations = m.equations(cut="A")
    assert "crank.value" in equations.names["lam"] and "driven" in equations.how.why
    assert equations.sizes.v == 4 and m.equations().sizes.v == 3


def test_the_tree_goes_through_what_is_prescribed():
    """Of two ways to a body, the one without a coordinate of its own."""
    m = da.Model("loop", plane="xy", gravity=(0, -9.81))
    a, b = m.body("a", 1.0, 0.1), m.body("b", 1.0, 0.1)
    m.revolute("A", m.ground.at(0, 0), a.at(0, 0))
    m.revolute("B", m.ground.at(1, 0), b.at(0, 0))
    m.revolute("C", a.at(1, 1), b.at(0, 1), start=0.0).prescribe(lambda t: 0.1 * np.sin(t))
    assert "C.angle" not in m.equations().names["q"] and "C" in m.equations().layout.tree


def test_fully_prescribed_loops_are_kinematics():
    m = da.Model("four bars", plane="xy", gravity=(0, -9.81))
    rods = [m.body(f"rod{k}", 1.0, 0.1, com=(0.5, 0)) for k in range(3)]
    A = m.revolute("A", m.ground.at(0, 0), rods[0].at(0, 0))
    m.revolute("B", rods[0].at(0.4, 0), rods[1].at(0, 0), start=-0.5)
    m.revolute("C", rods[1].at(1, 0), rods[2].at(1, 0))
    m.revolute("D", m.ground.at(1, 0), rods[2].at(0, 0), start=1.2)
    law = A.prescribe(lambda t: 1.0 + 3.0 * t)
    assert law.name == "A angle"
    m.sensor("pin", rods[1].at(1, 0).position)
    found = m.equations().kinematics([0.0, 0.5, 1.0])
    other = m.equations("absolute").kinematics([0.0, 0.5, 1.0])
    for key in ("pin", "A angle.force", "A.angle"):
        assert_allclose(found[key], other[key], rtol=1e-7, atol=1e-7)
    assert_allclose(found["A.angle"], [1.0, 2.5, 4.0])


def test_power_of_what_is_prescribed_is_the_change_of_energy():
    m = da.Model("swing", plane="xy", gravity=(0, -9.81))
    arm, bob = m.body("arm", 1.0, 0.2, com=(0.5, 0)), m.body("bob", 2.0, 0.1, com=(0.3, 0))
    A = m.revolute("A", m.ground.at(0, 0), arm.at(0, 0))
    m.revolute("B", arm.at(1, 0), bob.at(0, 0), start=0.4)
    law = A.prescribe(swing)
    m.sensor("power", law.force * A.rate)
    m.sensor("energy", m.energy)
    equations = m.equations()
    t = np.linspace(0.0, 1.0, 401)
    sol = da.simulate(equations, (0, 1), equations.assemble({}), t_eval=t, **TIGHT)
    work = np.sum((sol["power"][1:] + sol["power"][:-1]) / 2) * (t[1] - t[0])
    assert sol["energy"][-1] - sol["energy"][0] == pytest.approx(work, rel=1e-4)


def test_constant_laws_lock_and_parameters_reach_laws():
    m = da.Model("locked", plane="xy", gravity=(0, -9.81))
    m.parameters(at=0.3)
    arm, bob = m.body("arm", 1.0, 0.2, com=(0.5, 0)), m.body("bob", 2.0, 0.1, com=(0.3, 0))
    A = m.revolute("A", m.ground.at(0, 0), arm.at(0, 0))
    m.revolute("B", arm.at(1, 0), bob.at(0, 0), start=0.4)
    A.prescribe(m.p.at)
    fixed = da.Model("fixed", plane="xy", gravity=(0, -9.81))
    bob = fixed.body("bob", 2.0, 0.1, com=(0.3, 0))
    fixed.revolute("B", fixed.ground.at(np.cos(0.7), np.sin(0.7), angle=0.7), bob.at(0, 0), start=0.4)
    runs = [
        da.simulate(one, (0, 1), one.assemble({}, parameters=p), parameters=p, **TIGHT)
        for one, p in ((m.equations(), {"at": 0.7}), (fixed.equations(), None))
    ]
    assert_allclose(runs[0]["B.angle"][-1], runs[1]["B.angle"][-1], rtol=1e-8)
    with_number = da.Model("number", plane="xy", gravity=(0, -9.81))
    rods = [with_number.body(f"rod{k}", 1.0, 0.2) for k in range(2)]
    with_number.revolute("A", with_number.ground.at(0, 0), rods[0].at(0, 0)).prescribe(0.5)
    with_number.revolute("B", rods[0].at(1, 0), rods[1].at(0.2, 0))
    assert with_number.equations().names["q"] == ("B.angle",)


def test_equations_are_pickled_with_what_is_prescribed():
    m = da.Model("pickled", plane="xy", gravity=(0, -9.81))
    rods = [m.body(f"rod{k}", 1.0, 0.2, com=(0.5, 0)) for k in range(2)]
    m.revolute("A", m.ground.at(0, 0), rods[0].at(0, 0)).prescribe(slow)
    m.revolute("B", rods[0].at(1, 0), rods[1].at(0.2, 0))
    equations = m.equations()
    other = pickle.loads(pickle.dumps(equations))
    runs = [da.simulate(one, (0, 0.5), one.assemble({}), t_eval=[0.5]) for one in (equations, other)]
    assert runs[0].q.tolist() == runs[1].q.tolist()
    assert runs[0]["A angle.force"].tolist() == runs[1]["A angle.force"].tolist()


# --------------------------------------------------------------------------------------------------------------- errors


def pendulums():
    m = da.Model("two", plane="xy", gravity=(0, -9.81))
    rods = [m.body(f"rod{k}", 1.0, 0.2, com=(0.5, 0)) for k in range(2)]
    A = m.revolute("A", m.ground.at(0, 0), rods[0].at(0, 0))
    B = m.revolute("B", rods[0].at(1, 0), rods[1].at(0.2, 0))
    return m, A, B


def test_what_cannot_be_is_said():
    m, A, B = pendulums()
    A.prescribe(slow)
    with pytest.raises(ModelError, match=r"A.angle is driven twice, by 'A angle' and by 'again'"):
        m.drive("again", A, 0.0)
    with pytest.raises(ModelError, match="driven twice"):
        A.prescribe(slow, name="other")
    equations = m.equations()
    equations.assemble({A.angle: 0.2, A.rate: 0.0, B.rate: 1.0})  # as the law has it
    with pytest.raises(
        StateError, match=r"A.angle was asked to be 1, and prescribed motion 'A angle' says 0.2 at t = 0"
    ):
        equations.assemble({A.angle: 1.0})
    m.limit("stop", A, upper=1.0)
    with pytest.raises(ModelError, match=r"limit 'stop' constrains A.angle alone, which 'A angle' prescribes"):
        m.equations()
    m, A, B = pendulums()
    A.prescribe(slow)
    B.prescribe(swing)
    with pytest.raises(ModelError, match=r"nothing can move; all bodies follow laws of time; drive the joint in place"):
        m.equations()
    assert m.equations("absolute").sizes.lam == 6
    m = da.Model("space")
    C = m.cylindrical("C", m.ground, m.body("b", 1.0, (1, 1, 1)))
    with pytest.raises(ModelError, match="'C' has several coordinates; choose one of displacement, angle"):
        C.prescribe(slow)


@pytest.mark.parametrize("law", [
    lambda t: np.where(t < 0.5, 0.0, 0.1), lambda t: np.where(t < 0.5, 0.0, t - 0.5),
    da.table([0.0, 0.5, 1.0], [0.0, 0.2, 0.0], kind="linear"),
])  # fmt: skip
def test_laws_that_jump_are_refused(law):
    m, A, _ = pendulums()
    A.prescribe(law)
    equations = m.equations()
    with pytest.raises(SimulationError, match=r"A\.(angle|rate) is prescribed, and jumps by .* at t = 0.5"):
        da.simulate(equations, (0, 1), equations.assemble({}))


def test_angles_that_count_turns_beside_prescribed_ones_are_refused():
    m = da.Model("loop", gravity=(0, 0, -9.81))
    rods = [m.body(f"rod{k}", 1.0, (0.1, 0.1, 0.1), com=(0.5, 0, 0)) for k in range(2)]
    m.revolute("A", m.ground.at(0, 0, 0), rods[0].at(0, 0, 0)).prescribe(slow)
    m.revolute("B", rods[0].at(1, 0, 0), rods[1].at(0, 0, 0), start=-1.0)
    C = m.cylindrical("C", m.ground.at(1.2, 0, 0), rods[1].at(1, 0, 0), cut=True)
    m.torsion_spring("spring", C.angle, 1.0)
    with pytest.raises(
        ModelError, match=r"C.angle counts turns outside of the tree, and moves with what is prescribed"
    ):
        m.equations()


def test_numeric_forces_hide_the_force_of_what_is_prescribed():
    m, A, _ = pendulums()
    law = A.prescribe(slow)
    m.numeric_force("drag", [m["rod1"]], lambda positions, velocities: -0.1 * velocities)
    equations = m.equations()
    sol = da.simulate(equations, (0, 0.1), equations.assemble({}))
    assert "A.angle" in sol.outputs and "A angle.force" not in sol.outputs
    with pytest.raises(ModelError, match="force of prescribed motion 'A angle' is not known beside numeric forces"):
        equations.evaluate_quantity(law.force, equations.assemble({}))
