"""Mass properties: closed forms, parallel axes, compound bodies, and numbers that no body can have."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from dalembert.errors import ModelError, ModelWarning
from dalembert.model.bodies.inertia import (
    MassProperties,
    compound,
    nearest_inertia,
    point_of,
    rotation_of,
    scalar_of,
)
from dalembert.model.model import Model
from dalembert.symbolic import Graph, evaluate

FIRST = (0.7, (0.1, -0.2, 0.3), (2.0, 3.0, 4.0))
SECOND = (1.3, (-0.5, 0.4, 0.2), (1.0, 1.5, 0.8))


def point_masses(masses, points):
    """Mass, centre and inertia by the definition, with no parallel axes."""
    masses, points = np.asarray(masses), np.asarray(points)
    com = masses @ points / masses.sum()
    r = points - com
    inertia = sum(m * (x @ x * np.eye(3) - np.outer(x, x)) for m, x in zip(masses, r, strict=True))
    return masses.sum(), com, inertia


def assert_same(a, b, tolerance=1e-12):
    scale = 1.0 + np.abs(np.asarray(b.inertia)).max()
    assert_allclose(a.mass, b.mass, rtol=tolerance)
    assert_allclose(a.com, b.com, atol=tolerance * (1.0 + np.abs(b.com).max()))
    assert_allclose(a.inertia, b.inertia, atol=tolerance * scale)


coordinate = st.floats(-3.0, 3.0)
points = st.tuples(coordinate, coordinate, coordinate)
masses = st.floats(0.01, 10.0)
clouds = st.lists(st.tuples(masses, points), min_size=1, max_size=6)
rotations = st.tuples(coordinate, coordinate, coordinate, coordinate).filter(lambda p: np.linalg.norm(p) > 0.1)


def body_of(cloud):
    return compound(MassProperties(m, r) for m, r in cloud)


# ------------------------------------------------------------------------------------------------ how it can be given


def test_three_moments_six_numbers_and_a_matrix_say_the_same():
    matrix = [[2.0, 0.1, -0.2], [0.1, 3.0, 0.3], [-0.2, 0.3, 4.0]]
    by_matrix = MassProperties(1.0, inertia=matrix)
    assert_allclose(by_matrix.inertia, matrix)
    assert_allclose(MassProperties(1.0, inertia=(2.0, 3.0, 4.0, 0.1, -0.2, 0.3)).inertia, matrix)
    assert_allclose(MassProperties(1.0, inertia=(2.0, 3.0, 4.0)).inertia, np.diag([2.0, 3.0, 4.0]))
    assert_allclose(MassProperties(1.0).inertia, np.zeros((3, 3)))
    assert not by_matrix.inertia.flags.writeable and not by_matrix.com.flags.writeable


def test_inertia_about_another_point_is_moved_to_the_centre_of_mass():
    # A rod of length 2 and mass 3 along x, about its end: m l²/3; about its centre: m l²/12.
    rod = MassProperties(3.0, (1.0, 0.0, 0.0), (0.0, 4.0, 4.0), about=(0.0, 0.0, 0.0))
    assert_allclose(rod.inertia, np.diag([0.0, 1.0, 1.0]), atol=1e-15)
    assert_allclose(rod.inertia_about((0.0, 0.0, 0.0)), np.diag([0.0, 4.0, 4.0]), atol=1e-15)
    assert_allclose(rod.inertia_about((2.0, 0.0, 0.0)), np.diag([0.0, 4.0, 4.0]), atol=1e-15)


def test_inertia_in_other_axes():
    turned = MassProperties(1.0, inertia=(1.0, 2.0, 2.5), axes=np.pi / 2)
    assert_allclose(turned.inertia, np.diag([2.0, 1.0, 2.5]), atol=1e-15)


def test_a_planar_body_needs_only_its_moment_about_z():
    flat = MassProperties(2.0, (0.3, 0.4), 1.5, planar=True)
    assert flat.inertia[2, 2] == 1.5
    assert_allclose(flat.com, (0.3, 0.4, 0.0))
    flat.check()
    about = MassProperties(2.0, (0.3, 0.4), 1.5, about=(0.0, 0.0), planar=True)
    assert_allclose(about.inertia[2, 2], 1.5 - 2.0 * 0.25)
    assert_allclose(about.inertia_about((0.0, 0.0))[2, 2], 1.5)
    assert MassProperties(2.0, (0.0, 0.0), (1.0, 2.0, 2.5), planar=True).inertia[2, 2] == 2.5


def test_a_point_mass_given_about_the_origin_leaves_no_negative_moment():
    # 0.1² + 0.2² in floats differs from 0.05 in the last digit.
    flat = MassProperties(3.0, (0.1, 0.2), 3.0 * 0.05, about=(0.0, 0.0), planar=True)
    assert 0.0 <= flat.inertia[2, 2] < 1e-16
    far = MassProperties(3.0, (100.1, 0.2, 0.3))
    MassProperties(3.0, far.com, far.inertia_about((0.0, 0.0, 0.0)), about=(0.0, 0.0, 0.0))


# ------------------------------------------------------------------------------------------------------- arithmetic


@given(clouds)
def test_compounds_of_point_masses_follow_the_definition(cloud):
    mass, com, inertia = point_masses([m for m, _ in cloud], [r for _, r in cloud])
    assert_same(body_of(cloud), MassProperties(mass, com, inertia))


@given(clouds, clouds)
def test_a_compound_does_not_depend_on_its_order_and_a_part_can_be_cut_out_again(first, second):
    a, b = body_of(first), body_of(second)
    whole = a + b
    assert_same(whole, b + a)
    assert_same(whole, body_of([*first, *second]))
    assert_same(whole, sum([a, b]))
    assert_same(whole - b, a, tolerance=1e-9)


@given(clouds, points)
def test_steiner_from_any_point_and_back(cloud, point):
    body = body_of(cloud)
    again = MassProperties(body.mass, body.com, body.inertia_about(point), about=point)
    assert_same(again, body, tolerance=1e-11)


@given(clouds, points, rotations)
def test_a_moved_body_is_the_body_of_the_moved_points(cloud, shift, rotation):
    R = rotation_of(rotation, "test")
    moved = body_of([(m, np.asarray(shift) + R @ np.asarray(r)) for m, r in cloud])
    assert_same(body_of(cloud).placed(shift, rotation), moved, tolerance=1e-11)


@given(clouds, points, rotations)
def test_moving_there_and_back_changes_nothing(cloud, shift, rotation):
    body = body_of(cloud)
    R = rotation_of(rotation, "test")
    back = body.rotated(R).moved(shift).moved(-np.asarray(shift)).rotated(R.T)
    assert_same(back, body, tolerance=1e-11)
    assert_same(body.placed(shift, rotation).placed(-R.T @ shift, R.T), body, tolerance=1e-11)


@given(clouds, points, rotations)
def test_moments_belong_to_the_body_and_not_to_the_frame(cloud, shift, rotation):
    body = body_of(cloud)
    moved = body.placed(shift, rotation)
    scale = 1.0 + np.abs(body.inertia).max()
    assert_allclose(moved.principal()[0], body.principal()[0], atol=1e-12 * scale)
    assert (moved.inertia == moved.inertia.T).all()
    moved.check()


@given(clouds)
def test_principal_axes_are_a_rotation_that_gives_the_tensor_back(cloud):
    body = body_of(cloud)
    moments, R = body.principal()
    assert (np.diff(moments) >= 0.0).all()
    assert_allclose(R.T @ R, np.eye(3), atol=1e-13)
    assert np.linalg.det(R) > 0.0
    again = MassProperties(body.mass, body.com, moments, axes=R)
    assert_same(again, body)


def test_mass_zero():
    nothing = compound([])
    assert nothing.mass == 0.0 and not nothing.inertia.any()
    rotor = MassProperties(0.0, (1.0, 2.0, 3.0), (1.0, 1.0, 1.0))  # inertia without mass, as of a gear in a model
    assert_allclose((rotor + nothing).inertia, np.eye(3))
    assert_allclose((rotor + nothing).com, rotor.com)
    body = MassProperties(*SECOND)
    assert_allclose((rotor + body).com, body.com)
    assert_allclose((rotor + body).inertia, np.eye(3) + body.inertia)


def test_scaling_keeps_the_place():
    body = MassProperties(*FIRST).scaled(2.0)
    assert body.mass == 1.4
    assert_allclose(body.com, FIRST[1])
    assert_allclose(body.inertia, 2.0 * np.diag(FIRST[2]))


# ------------------------------------------------------------------------------------------------------- parameters


def test_expressions_of_parameters_take_part_in_everything():
    m, x, J = Graph().variables("m x J")
    hole = np.array([0.1, 0.05, 0.2])

    def machine(m, x, J):
        first = MassProperties(m, (x, -0.2, 0.3), (J, 3.0, 4.0))
        second = MassProperties(*SECOND[:2], (3.0, 3.5, 2.8), about=(0.0, x, 0.0))
        whole = (first + second).placed(hole, (1.0, 0.2, 0.3, -0.4))
        return (whole.rotated(0.3) - MassProperties(0.1, hole)).scaled(2.0)

    found, expected = machine(m, x, J), machine(0.7, 0.1, 2.0)
    assert found.symbolic and not expected.symbolic
    values = {m: 0.7, x: 0.1, J: 2.0}
    assert_allclose(evaluate(found.inertia, values), expected.inertia, atol=1e-13)
    assert_allclose(evaluate(found.com, values), expected.com, atol=1e-13)
    assert_allclose(evaluate(found.mass, values), expected.mass)


def test_planar_bodies_of_parameters():
    g = Graph()
    m, a, J = g.variables("m a J")
    body = MassProperties(m, (a, 0.0), J, about=(0.0, 0.0), planar=True)
    found = evaluate(body.inertia[2, 2], {m: 2.0, a: 0.5, J: 1.5})
    assert_allclose(found, 1.0)
    with pytest.raises(ModelError, match="evaluate it first"):
        body.principal()


def test_expressions_pass_unchecked_and_numbers_beside_them_do_not():
    g = Graph()
    m, J = g.variables("m J")
    MassProperties(-m, inertia=(J, 1.0, 30.0)).check()
    with pytest.raises(ModelError, match="triangle"):
        MassProperties(m, inertia=(1.0, 1.0, 3.0))
    with pytest.raises(ModelError, match="negative"):
        MassProperties(-1.0, inertia=(J, J, J))


def test_constant_atoms_are_numbers():
    g = Graph()
    x = g.variable("x")
    one = x - x + 1.0
    body = MassProperties(one, (one, 0.0, 0.0), (one, one, one))
    assert not body.symbolic and isinstance(body.mass, float)
    assert body.inertia.dtype == float


# ------------------------------------------------------------------------------------------------------- complaints


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"mass": -1.0}, r"Body 'rod': mass must not be negative, got -1"),
        ({"mass": np.nan}, r"Body 'rod': mass must be finite, got nan"),
        ({"mass": "heavy"}, r"Body 'rod': mass must be made of numbers, got 'heavy'"),
        ({"mass": [1.0, 2.0]}, r"Body 'rod': mass must be one number, got shape \(2,\)"),
        ({"mass": True}, r"Body 'rod': mass must be made of numbers, got True"),
        ({"com": (1.0, np.inf, 0.0)}, r"Body 'rod': com must be finite, got \(1, inf, 0\)"),
        ({"com": (1.0, 2.0)}, r"Body 'rod': com must be three numbers, got \(1, 2\)"),
        ({"com": [(1.0, 2.0), 3.0]}, r"Body 'rod': com must be numbers in rows of equal length"),
        ({"com": (1.0,), "planar": True}, r"Body 'rod': com must be two or three numbers"),
        (
            {"inertia": 2.0},
            r"Body 'rod': inertia must be three moments.*one number, which only a planar body can have",
        ),
        ({"inertia": (1.0, 2.0)}, r"Body 'rod': inertia must be three moments.*got shape \(2,\)"),
        ({"inertia": (1.0, np.inf, 1.0)}, r"Body 'rod': inertia must be finite, got \(1, inf, 1\)"),
        (
            {"inertia": [[1, 0.2, 0], [0, 1, 0], [0, 0, 1]]},
            r"Body 'rod': inertia must be symmetric, got \(\(1, 0.2, 0\)",
        ),
        ({"inertia": (-1.0, 1.0, 1.0)}, r"Body 'rod': inertia .* positive semidefinite, .* moment is -1;"),
        ({"inertia": (1.0, 1.0, 1.0, 2.0, 0.0, 0.0)}, r"Body 'rod': .* positive semidefinite, .* moment is -1;"),
        ({"inertia": (1.0, 1.0, 2.01)}, r"Body 'rod': .* triangle inequality: .* 2.01 > 1 \+ 1\. .*flat"),
        (
            {"inertia": (1, 1, 1), "com": (1, 0, 0), "about": (0, 3, 0)},
            r"\(moved there from about=\(0, 3, 0\)\) must be",
        ),
        ({"inertia": -0.5, "planar": True}, r"Body 'rod': moment of inertia about z must not be negative, got -0.5$"),
        (
            {"inertia": 0.5, "com": (1.0, 0.0), "about": (0.0, 0.0), "planar": True},
            r"about z must not be negative, got -1.5: 0.5 about the given point less 2 for parallel axes is -1.5",
        ),
        ({"inertia": (1, 1, 1), "axes": np.diag([1.0, 1.0, -1.0])}, r"Body 'rod': axes of its inertia: .* no rotation"),
    ],
)
def test_numbers_that_no_body_has(arguments, complaint):
    with pytest.raises(ModelError, match=complaint):
        MassProperties(**{"mass": 2.0, "body": "rod"} | arguments)


def test_thin_bodies_are_bodies():
    for moments in [(0.0, 1.0, 1.0), (1.0, 1.0, 2.0), (0.0, 0.0, 0.0), (0.1, 0.2, 0.3)]:
        for rotation in [None, 0.3, (1.0, 0.2, 0.3, 0.4)]:
            body = MassProperties(1.0, inertia=moments, axes=rotation)
            body.check()
            far = MassProperties(1.0, (100.0, 20.0, 3.0), body.inertia).placed((1e3, 0.0, 0.0), (1.0, 2.0, 3.0, 4.0))
            far.check()
            for one in (body, far):  # principal moments about the centre of mass, wherever it is and however turned
                assert_allclose(np.linalg.eigvalsh(one.inertia), moments, atol=1e-14)
            R = rotation_of((1.0, 2.0, 3.0, 4.0), "R")
            assert_allclose(far.com, R @ (100.0, 20.0, 3.0) + (1e3, 0.0, 0.0), rtol=1e-14)


def test_digits_lost_in_print_are_forgiven():
    MassProperties(1.0, inertia=(0.3333333, 0.3333333, 0.6666667))
    with pytest.raises(ModelError, match="triangle"):
        MassProperties(1.0, inertia=(0.3333, 0.3333, 0.6667))


def test_more_cannot_be_cut_out_than_there_is():
    body = MassProperties(*FIRST)
    with pytest.raises(ModelError, match=r"the mass must be positive, got 0\.7 - 1\.3 = -0\.6"):
        body - MassProperties(*SECOND)
    with pytest.raises(ModelError, match=r"What is left after cutting: inertia .* positive semidefinite"):
        body - MassProperties(0.1, body.com, (5.0, 5.0, 5.0))
    with pytest.raises(TypeError):
        body + 1.0
    with pytest.raises(TypeError):
        body - 1.0


def test_numbers_from_users():
    assert scalar_of(3, "x") == 3.0 and isinstance(scalar_of(np.int64(3), "x"), float)
    assert_allclose(point_of((1, 2), "r", planar=True), (1.0, 2.0, 0.0))
    assert_allclose(rotation_of(None, "R"), np.eye(3))
    assert_allclose(rotation_of((2.0, 0.0, 0.0, 2.0), "R"), rotation_of(np.pi / 2, "R"), atol=1e-15)
    with pytest.raises(ModelError, match="R must be made of numbers"):
        rotation_of("half", "R")
    with pytest.raises(ModelError, match="R: "):
        rotation_of((1.0, 2.0), "R")
    assert "mass=0.7" in repr(MassProperties(*FIRST))


# ------------------------------------------------------------------------------- inertias that no body has, by policy

PRINTED = (0.100002, 0.1, 0.200004)  # of a flat plate, from a file with six digits
GROSS = (0.1, 0.1, 0.3)


def allowed(inertia):
    """Second moments ½ tr(I) 1 − I are those of something."""
    return np.linalg.eigvalsh(0.5 * np.trace(inertia) * np.eye(3) - inertia).min() >= -1e-15 * np.trace(inertia)


def test_digits_of_a_file_are_projected_and_told():
    m = Model("robot")
    with pytest.warns(ModelWarning, match=r"Body 'plate': .* triangle .*The nearest inertia that a body can have"):
        plate = m.body("plate", mass=1.0, inertia=PRINTED)
    found = plate.properties.inertia
    assert allowed(found) and np.abs(found - np.diag(PRINTED)).max() < 1e-5
    with pytest.raises(ModelError, match=r"Body 'bad': .* triangle inequality"):
        m.body("bad", mass=1.0, inertia=GROSS)
    # Noise of a program beside moments that are zero, about a millimetre's worth of mass.
    with pytest.warns(ModelWarning, match=r"Body 'noise': .* moment is -5e-20"):
        noise = m.body("noise", mass=0.1, inertia=(0.0, 0.0, -5e-20))
    assert allowed(noise.properties.inertia)
    # Moved from a place far away, of which as many digits are left.
    far = 2.0 * np.array([0.0, 25.0, 25.0]) + np.array([0.0, 1e-6, -3e-6])
    with pytest.warns(ModelWarning, match=r"Body 'far': .*moved there from about"):
        m.body("far", mass=2.0, inertia=far, com=(5.0, 0.0, 0.0), about=(0.0, 0.0, 0.0))


def test_policies_for_inertias_that_no_body_has():
    with pytest.raises(ModelError, match="triangle"):
        MassProperties(1.0, inertia=PRINTED, unphysical="refuse")
    with pytest.warns(ModelWarning, match="Body 'kept': .* triangle .*It is used as it is"):
        kept = MassProperties(1.0, inertia=GROSS, unphysical="warn", body="kept")
    assert np.array_equal(kept.inertia, np.diag(GROSS))
    with pytest.warns(ModelWarning, match="triangle"):
        assert allowed(MassProperties(1.0, inertia=GROSS, unphysical="project").inertia)
    m = Model("m", unphysical="project")
    with pytest.warns(ModelWarning, match="Body 'a'"):
        m.body("a", mass=1.0, inertia=GROSS)
    with pytest.raises(ModelError, match="Body 'b'"):
        m.body("b", mass=1.0, inertia=GROSS, unphysical="auto")
    for make in (
        lambda: Model("m", unphysical="ignore"),
        lambda: m.body("c", mass=1.0, inertia=GROSS, unphysical="no"),
    ):
        with pytest.raises(ModelError, match="unphysical must be one of auto, refuse, warn, project"):
            make()


def test_policies_in_the_plane():
    m = Model("m", plane="xy", unphysical="refuse")
    with pytest.raises(ModelError, match="Body 'a': moment of inertia about z must not be negative"):
        m.body("a", mass=1.0, inertia=-1e-14)
    for policy in ("auto", "project"):
        with pytest.warns(ModelWarning, match="Body 'a.*' must not be negative|about z must not be negative"):
            assert m.body(f"a {policy}", mass=1.0, inertia=-1e-14, unphysical=policy).properties.inertia[2, 2] == 0.0
    with pytest.raises(ModelError, match="must not be negative"):
        m.body("b", mass=1.0, inertia=-1e-3, unphysical="auto")
    with pytest.warns(ModelWarning, match="It is used as it is"):
        assert m.body("c", mass=1.0, inertia=-1e-3, unphysical="warn").properties.inertia[2, 2] == -1e-3


@given(st.lists(st.floats(-1.0, 1.0), min_size=6, max_size=6), st.integers(0, 1000))
def test_the_nearest_inertia_is_possible_and_nearest(entries, seed):
    """Nothing that is possible lies nearer, of what is looked at; what is possible stays."""
    xx, yy, zz, xy, xz, yz = entries
    given_ = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    found = nearest_inertia(given_)
    assert allowed(found)
    distance = np.linalg.norm(found - given_)
    rng = np.random.default_rng(seed)
    for _ in range(20):
        points = rng.normal(size=(4, 3)) * rng.uniform(0, 1)
        other = sum((r @ r) * np.eye(3) - np.outer(r, r) for r in points)
        assert np.linalg.norm(other - given_) >= distance - 1e-12
        assert_allclose(nearest_inertia(other), other, atol=1e-12 * (1.0 + np.trace(other)))


def _warned_at(add):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        add()
    return [one.filename for one in caught]


def test_warnings_point_to_the_line_of_the_user_and_come_once():
    flat, m = Model("flat", plane="xy"), Model("m")
    for add in (
        lambda: flat.body("b", mass=1.0, inertia=-1.0, unphysical="warn"),
        lambda: flat.body("c", mass=1.0, inertia=-1.0, unphysical="project"),
        lambda: m.body("b", mass=1.0, inertia=(1, 1, 3), unphysical="warn"),
        lambda: MassProperties(1.0, inertia=(1, 1, 3), unphysical="project"),
    ):
        assert _warned_at(add) == [__file__]


def test_small_bodies_are_no_noise():
    """A millimetre, below which programs print noise, is large beside them."""
    for size in (1e-9, 1e-6, 1e-3):
        mass = 1e3 * size**3
        with pytest.raises(ModelError, match="triangle inequality"):
            MassProperties(mass, inertia=np.array((1, 1, 3.6)) * mass * size**2)
        with pytest.raises(ModelError, match="must not be negative"):
            MassProperties(mass, inertia=-0.1 * mass * size**2, planar=True)
