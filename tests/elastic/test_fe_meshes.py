"""Finite elements from meshes: frequencies, plates, solids, integrals, stresses, locking."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import eigh

import dalembert as da
from dalembert.elastic import FiniteElements, beam_elements, plane_stress, plate, solid
from dalembert.errors import ModelError, ModelWarning
from dalembert.problems.elastic_truck import AREA_MASS, BOTTOM, LEFT, RIGHT, TOP, WIDTH, YOUNG, body, loading_area

skfem = pytest.importorskip("skfem")


def strip(order=2, n=20, L=2.0, h=0.1):
    mesh = skfem.MeshTri.init_tensor(np.linspace(0, L, n + 1), np.linspace(0, h, 3))
    return plane_stress(mesh, young=7e10, poisson=0.3, density=2700.0, thickness=0.02, order=order, name="strip")


@pytest.fixture(scope="module")
def cantilever():
    return strip()


def test_hermite_beams_have_the_published_frequencies():
    fe = beam_elements(
        skfem.MeshLine(np.linspace(0, 1, 17)), young=1.0, area=1e4, second_moment=1.0, density=1e-4, degree=3,
        name="rod",
    )  # fmt: skip
    clamped = fe.frequencies(4, [0])
    assert_allclose(np.sqrt(clamped[:2]), [1.8751041, 4.6940911], rtol=1e-5)
    assert_allclose(clamped, [3.51602, 22.0346, 61.700, 120.920], rtol=5e-5)  # 16 elements; the beam 61.697, 120.902
    assert_allclose(np.sqrt(fe.frequencies(2)), [4.73004, 7.85320], rtol=7e-5)
    pinned = fe.supported([0, 16], [1]).supported([0], [0])
    assert_allclose(np.sqrt(pinned.frequencies(2)) / np.pi, [1, 2], rtol=1e-5)


def test_rods_stretch():
    fe = beam_elements(skfem.MeshLine(np.linspace(0, 1, 17)), young=4.0, area=2.0, second_moment=1e3, density=1.0)
    assert_allclose(fe.frequencies(1, [0])[0], np.pi / 2 * 2.0, rtol=1e-8)  # (2k−1)π/2 · c/L


@pytest.mark.parametrize(("element", "cells", "within"), [("morley", 32, 0.006), ("argyris", 4, 0.02)])
def test_a_simply_supported_plate(element, cells, within):
    line = np.linspace(0, 1, cells + 1)
    fe = plate(
        skfem.MeshTri.init_tensor(line, line), young=12.0 * (1 - 0.09) * 1e6, poisson=0.3, density=100.0,
        thickness=0.01, element=element,
    )  # fmt: skip
    edge = fe.where(lambda X: (np.abs(X[:, :2] - 0.5) > 0.5 - 1e-9).any(axis=1))
    held = fe.supported(edge, [2])
    assert_allclose(held.frequencies(1)[0], 2 * np.pi**2, rtol=within)  # D/ρh = 1: π²(m² + n²)
    assert fe.active == (2, 3, 4) and fe.free_motions == 3


def test_a_plate_is_a_body_in_space():
    line = np.linspace(0, 1, 4)
    fe = plate(skfem.MeshTri.init_tensor(line, line), young=7e10, poisson=0.3, density=2700.0, thickness=0.01)
    body = fe.reduce(
        "craig-bampton", 2, interfaces=[fe.interface("A", fe.where(lambda X: X[:, 0] < 0.4))], frame="A"
    ).flexibility
    assert_allclose(body.mass, 27.0)
    assert_allclose(body.com, [0.5, 0.5, 0.0], atol=1e-12)
    assert_allclose(body.second_moment, 27.0 * np.array([[1 / 3, 1 / 4, 0], [1 / 4, 1 / 3, 0], [0, 0, 0]]), atol=1e-12)
    assert not np.abs(body.nodes.translation[:, :2]).any()


def test_a_solid_cantilever_bends_like_a_beam_and_linear_elements_lock():
    mesh = skfem.MeshTet.init_tensor(np.linspace(0, 1, 11), np.linspace(0, 0.05, 2), np.linspace(0, 0.05, 2))
    exact = 1.8751040687**2 * np.sqrt(0.05**2 / 12)
    fe = solid(mesh, young=1.0, poisson=0.0, density=1.0)
    found = fe.frequencies(1, fe.where(lambda X: X[:, 0] < 1e-9))[0]
    assert_allclose(found, exact, rtol=0.01)
    with pytest.warns(ModelWarning, match=r"TetP1 elements lock in bending and are too stiff there; take order=2"):
        linear = solid(mesh, young=1.0, poisson=0.0, density=1.0, order=1)
    assert linear.frequencies(1, linear.where(lambda X: X[:, 0] < 1e-9))[0] > 2 * exact


def test_hexahedra_of_the_second_order():
    mesh = skfem.MeshHex.init_tensor(np.linspace(0, 1, 6), np.linspace(0, 0.05, 2), np.linspace(0, 0.05, 2))
    fe = solid(mesh, young=1.0, poisson=0.0, density=1.0)
    found = fe.frequencies(1, fe.where(lambda X: X[:, 0] < 1e-9))[0]
    assert_allclose(found, 1.8751040687**2 * np.sqrt(0.05**2 / 12), rtol=0.01)


def test_the_area_of_the_truck_by_a_second_assembly():
    area = loading_area()
    mesh = skfem.MeshTri.init_tensor(np.linspace(LEFT, RIGHT, 34), np.linspace(BOTTOM, TOP, 3))
    density = AREA_MASS / (5.8 * 0.35 * WIDTH)
    material = {"young": YOUNG, "poisson": 0.3, "density": density, "thickness": WIDTH}
    column = {}
    for order in (1, 2):
        if order == 1:
            with pytest.warns(ModelWarning, match="TriP1 elements lock"):
                fe = plane_stress(mesh, order=1, **material)
        else:
            fe = plane_stress(mesh, order=2, **material)
        clamped = fe.where(lambda X: np.abs(X[:, 0] + 2.6 - 6 * 5.8 / 33) < 1e-9)
        column[order] = fe.frequencies(3, clamped)
    own = body()
    ours = np.sqrt(eigh(own.K, own.M, eigvals_only=True))
    assert_allclose(ours[0], 100.43, rtol=1e-9)
    assert_allclose(column[1], ours[:3], rtol=1e-8)
    assert_allclose(column[2][0], 73.68, rtol=1e-4)  # linear triangles lock by 36 %
    assert area.X.shape == (102, 2) and len(area.free) == 198


def test_integrals_are_those_of_the_mass_matrix(cantilever):
    shapes = np.random.default_rng(1).normal(size=(cantilever.n, 2))
    S = cantilever.gram(shapes)
    R = cantilever.rigid_fields()
    assert_allclose(S[0, 0], 2700 * 2 * 0.1 * 0.02)
    with_rigid = R.T @ (cantilever.mass @ shapes)
    assert_allclose(S[0, 3:].reshape(2, 2).T, with_rigid[:2], rtol=1e-9)
    turned = S[1, 3:].reshape(2, 2)[:, 1] - S[2, 3:].reshape(2, 2)[:, 0]  # ∫ x φ_y − y φ_x
    assert_allclose(turned, with_rigid[2], rtol=1e-9)
    own = S[3:, 3:].reshape(2, 2, 2, 2)
    assert_allclose(np.einsum("jaka->jk", own), shapes.T @ (cantilever.mass @ shapes), rtol=1e-9)
    # without points of quadrature the matrix itself says the same
    assert_allclose(replace(cantilever, mass_points=None).gram(shapes), S, rtol=1e-9, atol=1e-12)


def test_stress_of_a_bent_strip(cantilever):
    A = cantilever.interface("A", cantilever.where(lambda X: X[:, 0] < 1e-9))
    B = cantilever.interface("B", cantilever.where(lambda X: X[:, 0] > 2 - 1e-9))
    reduction = cantilever.reduce("guyan", 0, interfaces=[A, B], frame="A", stresses=[cantilever.nearest(1.0, 0.1)])
    body = reduction.flexibility
    turn = body.nodes.rotation[body.nodes.index("B"), 0]
    q = np.linalg.solve(body.stiffness, 100.0 * turn)  # a torque at the end: σ = 6 M / (b h²) everywhere
    top = cantilever.nearest(1.0, 0.1)
    expected = -6 * 100.0 / (0.02 * 0.1**2)
    assert_allclose(reduction.stress("xx", q)[top], expected, rtol=1e-3)
    assert_allclose(reduction.stress("mises", q)[top], -expected, rtol=2e-3)
    name = cantilever.names[top]
    assert_allclose(body.outputs[f"stress.xx.{name}"] @ q, expected, rtol=1e-3)
    assert reduction.stress("xx", np.stack([q, 2 * q], axis=1)).shape == (len(cantilever.X), 2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"young": -1.0}, "young must be positive"),
        ({"poisson": 0.5}, "poisson must be between −1 and 0.5"),
        ({"order": 3}, "order must be a whole number at least 1 and at most 2"),
        ({"mesh": 3}, r"must be one of scikit-fem's MeshTri1, MeshQuad1, got int"),
    ],
)
def test_bad_arguments_are_named(change, message):
    given = {"mesh": skfem.MeshTri(), "young": 1.0, "poisson": 0.3, "density": 1.0, **change}
    with pytest.raises(ModelError, match=message):
        plane_stress(given.pop("mesh"), **given)


def test_nodes_are_found_by_place_condition_name_and_set():
    mesh = skfem.MeshTri().with_boundaries({"left": lambda x: x[0] < 1e-9})
    fe = plane_stress(mesh, young=1.0, poisson=0.3, density=1.0)
    assert fe.node_numbers("left").tolist() == [0, 2] and fe.node_numbers("3").tolist() == [2]
    assert fe.nearest(0.9, 0.1) == 1
    with pytest.raises(ModelError, match=r"no node or set 'lef'; did you mean 'left'\?"):
        fe.node_numbers("lef")
    with pytest.raises(ModelError, match="no node meets the condition"):
        fe.where(lambda X: X[:, 0] > 5)


# ------------------------------------------------------------------------------------------------ geometric stiffness


def lag(body, eta):
    """Lowest frequency in the plane of a cantilever that turns, clamped at its hub."""
    m = da.Model("blade", plane="xy")
    blade = m.flexible_body("blade", body)
    A = m.revolute("A", m.ground.at(0, 0), blade.node("root"))
    m.prescribe("spin", A.angle, lambda t: eta * t)
    equations = m.equations()
    return float(np.abs(equations.linearise(equations.assemble({})).eigenvalues).min())


def test_beam_elements_of_degree_five_have_the_frequencies_of_beams():
    exact = np.array([1.87510406871196, 4.69409113297418, 7.85475743823761]) ** 2
    for degree, within in ((5, 1e-8), (3, 5e-5)):
        fe = beam_elements(
            skfem.MeshLine(np.linspace(0, 1, 17)), young=1.0, area=1e6, second_moment=1.0, density=1e-6, degree=degree
        )
        assert_allclose(fe.frequencies(3, fixed=[0]), exact, rtol=within)
    with pytest.raises(ModelError, match="degree must be 3 or 5, got 4"):
        beam_elements(skfem.MeshLine(), young=1.0, area=1.0, second_moment=1.0, density=1.0, degree=4)


@pytest.mark.parametrize("eta, wanted", [(1.0, 3.5432), (4.0, 3.8977)])
def test_rotation_stiffens_bodies_of_finite_elements(eta, wanted):
    mesh = skfem.MeshLine(np.linspace(0, 1, 9))
    fe = beam_elements(mesh, young=1.0, area=1e8, second_moment=1.0, density=1e-8)
    root = fe.interface("root", [fe.nearest(0, 0)])
    body = fe.reduce("eigenmodes", 7, interfaces=[root], frame="root", stiffening=True).flexibility
    assert lag(body, eta) == pytest.approx(wanted, rel=3e-5)
    # plane stress, whose shear makes it a little softer
    h = 0.02
    plane = plane_stress(
        skfem.MeshQuad.init_tensor(np.linspace(0, 1, 13), np.linspace(-0.5 * h, 0.5 * h, 2)), young=1.0, poisson=0.0,
        density=h**2 / 12.0,
    )  # fmt: skip
    root = plane.interface("root", plane.where(lambda x: x[:, 0] < 1e-9))
    body = plane.reduce("eigenmodes", 6, interfaces=[root], frame="root", stiffening=True).flexibility
    assert lag(body, eta) == pytest.approx(wanted, rel=1e-3)


def test_a_column_buckles_under_the_load_of_euler():
    """A force on the interface at the tip along the axis: the first frequency vanishes at π²EI/(4L²)."""
    fe = beam_elements(skfem.MeshLine(np.linspace(0, 1, 9)), young=1.0, area=1e8, second_moment=1.0, density=1e-8)
    root, tip = (fe.interface(name, [fe.nearest(x, 0)]) for name, x in (("root", 0), ("tip", 1)))
    body = fe.reduce("eigenmodes", 5, interfaces=[root, tip], frame="root", stiffening=True).flexibility
    m = da.Model("column", plane="xy")
    m.parameters(load=0.0)
    column = m.flexible_body("column", body)
    m.fixed("wall", m.ground.at(0, 0), column.node("root"))
    m.force("load", column.node("tip"), lambda p: (-p.load, 0.0))
    equations = m.equations()

    def lowest(load):
        found = equations.linearise(equations.assemble({}, parameters={"load": load}), parameters={"load": load})
        return float((-(found.eigenvalues**2)).real.min())

    critical = np.pi**2 / 4.0
    assert lowest(0.99 * critical) > 0.0 > lowest(1.01 * critical)


def test_stiffening_is_refused_where_stress_is_not_known():
    fe = beam_elements(skfem.MeshLine(np.linspace(0, 1, 5)), young=1.0, area=1.0, second_moment=1.0, density=1.0)
    bare = FiniteElements(fe.X, fe.mass, fe.stiffness, fe.dofs)
    root = bare.interface("root", [0])
    with pytest.raises(ModelError, match="matrices alone and plates do not have it"):
        bare.reduce("eigenmodes", 2, interfaces=[root], frame="root", stiffening=True)
