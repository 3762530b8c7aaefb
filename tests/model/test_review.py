"""Cases at the borders of what the builders promise: parameters everywhere, names that meet, sensors that cannot be."""

import copy
import itertools

import numpy as np
import pytest

import dalembert as da
from dalembert.equations.questions import kinematics
from dalembert.errors import ModelError

WAYS = [("relative", "symbolic"), ("relative", "recursion"), ("absolute", "symbolic"), ("absolute", "elements")]


def tips(make, parameters=None):
    """The sensor "tip" after a short run, by all builders."""
    found = []
    for coordinates, builder in WAYS:
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


def double_pendulum():
    m = da.Model("double pendulum", plane="xy", gravity=(0, -9.81))
    a = m.body("a", mass=1.0, inertia=0.1, com=(0.1, 0))
    b = m.body("b", mass=1.0, inertia=0.1, com=(0.1, 0))
    A = m.revolute("A", m.ground.at(0, 0), a.at(0, 0))
    B = m.revolute("B", a.at(1, 0), b.at(0, 0), start=0.2)
    return m, b, A, B


@pytest.mark.parametrize("builder", ["symbolic", "recursion"])
def test_reactions_of_the_tree_beside_numeric_forces_are_not_measured(builder):
    """A black box is not seen by the principle of virtual power on atoms: better nothing than a wrong number."""
    m, b, A, _ = double_pendulum()
    m.numeric_force("pull", b.at(1, 0), lambda positions: -30.0 * positions)
    equations = m.equations(builder=builder)
    solution = da.simulate(equations, (0, 0.1), equations.assemble())
    assert "A.force" not in solution.outputs
    assert "missing" not in solution.message
    with pytest.raises(ModelError, match="not known beside numeric forces"):
        equations.evaluate_quantity(A.force, equations.assemble())


def test_reactions_of_constraints_beside_numeric_forces_are_measured():
    def forces(numeric):
        m, b, A, _ = double_pendulum()
        if numeric:
            m.numeric_force("pull", b.at(1, 0), lambda positions: -30.0 * positions)
        else:
            m.force("pull", b.at(1, 0), lambda position: -30.0 * position)
        equations = m.equations("absolute")
        return equations.evaluate_quantity(A.force, equations.assemble())

    np.testing.assert_allclose(forces(True), forces(False), rtol=1e-10)


def test_quantities_are_taken_apart():
    """Python would ask for ever for the next component."""
    m, b, A, _ = double_pendulum()
    x, y = b.at(1, 0).position
    m.sensor("both", [x, y])
    with pytest.raises(TypeError, match="cannot be taken apart"):
        list(itertools.islice(A.angle, 3))


def test_angles_that_count_turns_are_asked_for_by_coordinate_or_joint():
    m = da.Model("rotor")
    body = m.body("a", mass=1.0, inertia=(0.1, 0.1, 0.1))
    A = m.revolute("A", m.ground.at(0, 0, 0), body.at(0, 0, 0))
    for angles in (A, A.angle, [A], [A.angle]):
        assert "A.angle" in m.equations("absolute", angles=angles).names["q"]
    with pytest.raises(ModelError, match="a joint or a coordinate of one is needed"):
        m.equations("absolute", angles=["A"])


def four_bar(point, inertia, options, **model):
    m = da.Model("four-bar", **model)
    p, q, r = (m.body(name, mass=1.0, inertia=inertia, com=point(0.5)) for name in "pqr")
    A = m.revolute("A", m.ground.at(*point(0)), p.at(*point(0)), start=-1.1, **options)
    m.revolute("B", p.at(*point(1)), q.at(*point(0)), start=0.9, **options)
    m.revolute("C", q.at(*point(2)), r.at(*point(1.2)), start=-1.1, **options)
    m.revolute("D", m.ground.at(*point(2)), r.at(*point(0)), start=-1.1, **options)
    m.torsion_spring("spring", A, 50.0, angle=-1.1)
    return m


@pytest.mark.parametrize(("axis", "across"), [("y", 9.81), ((0, 1, 1), 9.81 / np.sqrt(2))])
@pytest.mark.parametrize(("coordinates", "builder"), WAYS)
def test_rows_of_rounding_errors_are_empty(axis, across, coordinates, builder):
    """Of a planar loop of revolute joints in space three rows vanish; 1e-16 is left of them, which is no constraint."""
    m = four_bar(lambda x: (x, 0, 0), (0.1, 0.1, 0.1), {"axis": axis}, gravity=(0, 0, -9.81))
    equations = m.equations(coordinates, builder=builder)
    rest = equations.equilibrium(redundant="accept")
    mobility = equations.degrees_of_freedom(rest.q)
    assert mobility.dof == 1
    assert len(mobility.redundant) == 3
    flat = four_bar(lambda x: (x, 0), 0.1, {}, plane="xy", gravity=(0, across)).equations()
    np.testing.assert_allclose(
        equations.linearise(rest, redundant="accept").frequencies,
        flat.linearise(flat.equilibrium()).frequencies,
        rtol=1e-9,
    )


@pytest.mark.parametrize(("coordinates", "builder"), WAYS)
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


@pytest.mark.parametrize(("coordinates", "builder"), WAYS)
def test_driven_angles_are_followed_in_one_step(coordinates, builder, monkeypatch):
    """Newton's iteration converges from the prediction, which leaves the Euler parameters too long."""
    steps = []
    following = kinematics._Walk._next
    monkeypatch.setattr(kinematics._Walk, "_next", lambda self, t: (steps.append(t), following(self, t))[1])
    m = da.Model("crank", gravity=(0, 0, -9.81))
    body = m.body("a", mass=1.0, inertia=(0.1, 0.1, 0.1), com=(0.5, 0, 0))
    A = m.revolute("A", m.ground.at(0, 0, 0), body.at(0, 0, 0), axis="y")
    m.drive("drive", A, lambda t: t)
    m.sensor("tip", body.at(1, 0, 0).position)
    motion = m.equations(coordinates, builder=builder).kinematics([0.0, 0.1, 0.2])
    assert len(steps) <= 4
    np.testing.assert_allclose(motion["tip"][:, -1], [np.cos(0.2), 0.0, -np.sin(0.2)], atol=1e-12)


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


def test_words_in_place_of_numbers_and_shapes():
    m, b, *_ = double_pendulum()
    with pytest.raises(ModelError, match="stiffness must be a number"):
        m.bushing("bushing", m.ground, b, ["soft"] * 3)
    with pytest.raises(ModelError, match="a density needs shapes"):
        m.body("box", shapes=["box"], density=7800.0)


def test_linearisation_of_long_chains_in_absolute_coordinates():
    """Nearby motions are so slow that differences leave more of T than its rate has."""
    m = da.Model("chain", gravity=(0, 0, -9.81))
    last = m.ground.at(0, 0, 0)
    for i in range(60):
        body = m.body(f"b{i}", mass=1.0, inertia=(0.1, 0.1, 0.1), com=(0.5, 0, 0))
        m.revolute(f"J{i}", last, body.at(0, 0, 0), axis="y" if i % 2 else "z", start=0.1)
        last = body.at(1, 0, 0)
    equations = m.equations("absolute", builder="elements")
    assert equations.linearise(equations.assemble()).A.shape == (120, 120)
