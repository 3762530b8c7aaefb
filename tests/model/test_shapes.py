"""Shapes: closed forms of mass and inertia, surfaces that converge to them, outlines for planar drawings."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from dalembert.errors import ModelError
from dalembert.model.bodies import polygons
from dalembert.model.bodies.meshes import Mesh, volume_moments
from dalembert.model.bodies.shapes import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Disc,
    Ellipsoid,
    Prism,
    Rod,
    Shape,
    Sphere,
    Tube,
)
from dalembert.symbolic import Graph, evaluate

PI = math.pi
L = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 3.0), (0.0, 3.0)]  # not convex
PLACE = {"position": (0.3, -0.2, 0.5), "rotation": (1.0, 0.2, -0.3, 0.4)}

SOLIDS: dict[str, Shape] = {
    "sphere": Sphere(0.7, **PLACE),
    "ellipsoid": Ellipsoid(0.5, 0.7, 0.3, **PLACE),
    "box": Box(0.5, 0.7, 0.3, **PLACE),
    "cylinder": Cylinder(0.4, 1.3, **PLACE),
    "tube": Tube(0.5, 0.3, 0.8, **PLACE),
    "capsule": Capsule(0.4, 1.3, **PLACE),
    "cone": Cone(0.4, 1.3, **PLACE),
    "cut cone": Cone(0.4, 1.3, 0.25, **PLACE),
    "prism": Prism(L, 0.4, **PLACE),
}
THIN: dict[str, Shape] = {"rod": Rod((0.1, 0.2, 0.3), (1.0, -0.5, 0.4), **PLACE), "disc": Disc(0.6, **PLACE)}
EXACT = {"box", "prism"}  # their surface is made of triangles


@pytest.mark.parametrize(
    ("shape", "measure", "com", "inertia"),
    [
        (Sphere(2.0), 32.0 / 3.0 * PI, (0, 0, 0), (1.6, 1.6, 1.6)),
        (Box(1.0, 2.0, 3.0), 6.0, (0, 0, 0), (13 / 12, 10 / 12, 5 / 12)),
        (Cylinder(2.0, 3.0), 12.0 * PI, (0, 0, 0), (21 / 12, 21 / 12, 2.0)),
        (Tube(2.0, 1.0, 3.0), 9.0 * PI, (0, 0, 0), (2.0, 2.0, 2.5)),
        (Cone(2.0, 4.0), 16.0 / 3.0 * PI, (0, 0, 1.0), (1.2, 1.2, 1.2)),  # 3/20 r² + 3/80 h² and 3/10 r²
        (Cone(2.0, 3.0, 2.0), 12.0 * PI, (0, 0, 1.5), (21 / 12, 21 / 12, 2.0)),  # a cylinder
        (Ellipsoid(1.0, 2.0, 3.0), 8.0 * PI, (0, 0, 0), (2.6, 2.0, 1.0)),
        (Rod((0, 0, 0), (6, 0, 0)), 6.0, (3, 0, 0), (0, 3, 3)),
        (Rod((-1, 0), (1, 0)), 2.0, (0, 0, 0), (0, 1 / 3, 1 / 3)),
        (Disc(2.0), 4.0 * PI, (0, 0, 0), (1, 1, 2)),
        (Prism([(0, 0), (3, 0), (0, 3)], 2.0), 9.0, (1, 1, 0), (5 / 6, 5 / 6, 1.0, 0.25, 0, 0)),
        (Prism([(1, 2), (4, 2), (4, 4), (1, 4)], 1.0), 6.0, (2.5, 3, 0), (5 / 12, 10 / 12, 13 / 12)),
    ],
    ids=repr,
)
def test_closed_forms_of_mass_one(shape, measure, com, inertia):
    assert_allclose(shape.measure, measure)
    body = shape.mass_properties(mass=1.0)
    xx, yy, zz, xy, xz, yz = [*inertia, 0, 0, 0][:6]
    assert_allclose(body.com, com, atol=1e-15)
    assert_allclose(body.inertia, [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], atol=1e-14)
    assert_allclose(shape.mass_properties(density=2.0).mass, 2.0 * measure)


def test_a_capsule_is_between_a_cylinder_and_a_sphere():
    ball, rod = Sphere(0.5).mass_properties(mass=1.0), Cylinder(0.5, 1e9).mass_properties(mass=1.0)
    short, long = Capsule(0.5, 1e-9).mass_properties(mass=1.0), Capsule(0.5, 1e9).mass_properties(mass=1.0)
    assert_allclose(short.inertia, ball.inertia, atol=1e-9)
    assert_allclose(long.inertia, rod.inertia, rtol=1e-8, atol=1e-6)


@pytest.mark.parametrize("name", SOLIDS)
def test_surfaces_are_closed_and_converge_to_the_closed_forms(name):
    shape = SOLIDS[name]
    exact = shape.mass_properties(density=3.0)
    errors = []
    for per_turn in (24, 48, 96):
        body = Mesh(*shape.triangles(per_turn)).mass_properties(density=3.0)
        errors.append(
            [
                abs(body.mass / exact.mass - 1.0),
                np.abs(body.com - exact.com).max(),
                np.abs(body.inertia - exact.inertia).max() / np.abs(exact.inertia).max(),
            ]
        )
    if name in EXACT:
        assert np.max(errors) < 1e-13
        return
    errors = np.array(errors)
    assert errors[0].max() < 0.06
    ratios = errors[:-1, [0, 2]] / errors[1:, [0, 2]]
    assert (np.abs(ratios - 4.0) < 0.2).all()  # second order in the size of the faces
    assert (errors[:, 1] < 1e-3).all() and (errors[2, 1] < 1e-4 + 0.3 * errors[0, 1])


@pytest.mark.parametrize("name", [*SOLIDS, *THIN])
def test_surfaces_look_outwards(name):
    shape = (SOLIDS | THIN)[name]
    vertices, faces = shape.triangles()
    assert vertices.dtype == np.float64 and faces.dtype.kind == "i"
    assert set(faces.ravel()) == set(range(len(vertices)))  # every vertex is used
    mesh = Mesh(vertices, faces)
    assert mesh.notes == ()
    if name == "disc":  # two sides, nothing between
        with pytest.raises(ModelError, match="encloses no volume"):
            mesh.mass_properties(mass=1.0)
    else:
        assert volume_moments(vertices, faces).volume > 0.0
        assert len(mesh.vertices) == len(vertices)  # none was there twice


@pytest.mark.parametrize("name", [*SOLIDS, *THIN])
def test_mass_and_place(name):
    shape = (SOLIDS | THIN)[name]
    by_mass, by_density = shape.mass_properties(mass=2.5), shape.mass_properties(density=2.5 / shape.measure)
    assert_allclose(by_mass.inertia, by_density.inertia)
    by_mass.check()
    moved = shape.placed((1.0, 2.0, 3.0), 0.7)
    expected = by_mass.placed((1.0, 2.0, 3.0), 0.7)
    found = moved.mass_properties(mass=2.5)
    assert_allclose(found.com, expected.com, atol=1e-14)
    assert_allclose(found.inertia, expected.inertia, atol=1e-14)
    assert_allclose(moved.triangles().vertices[:, 2], shape.triangles().vertices[:, 2] + 3.0)


def test_cylinders_and_capsules_between_points():
    start, end = np.array([0.1, 0.2, 0.3]), np.array([1.1, -0.4, 0.9])
    for kind in (Cylinder, Capsule):
        shape = kind.between(start, end, 0.1)
        body = shape.mass_properties(mass=1.0)
        assert_allclose(body.com, 0.5 * (start + end))
        moments, axes = body.principal()
        assert_allclose(np.abs(axes[:, 0] @ (end - start)), np.linalg.norm(end - start))  # the smallest is lengthwise
        assert_allclose(moments[1], moments[2])
    assert_allclose(Cylinder.between((0, 0), (2, 0), 0.1).mass_properties(mass=1.0).com, (1, 0, 0))


def test_a_thin_cylinder_is_a_rod_and_a_flat_one_a_disc():
    start, end = (0.1, 0.2, 0.3), (1.1, -0.4, 0.9)
    rod, thin = Rod(start, end).mass_properties(mass=2.0), Cylinder.between(start, end, 1e-6).mass_properties(mass=2.0)
    assert_allclose(thin.inertia, rod.inertia, atol=1e-11)
    disc, flat = Disc(0.4).mass_properties(mass=2.0), Cylinder(0.4, 1e-6).mass_properties(mass=2.0)
    assert_allclose(flat.inertia, disc.inertia, atol=1e-11)


def test_a_tube_is_a_cylinder_with_a_hole():
    hollow = Cylinder(0.5, 0.8).mass_properties(density=3.0) - Cylinder(0.3, 0.8).mass_properties(density=3.0)
    tube = Tube(0.5, 0.3, 0.8).mass_properties(density=3.0)
    assert_allclose(hollow.mass, tube.mass)
    assert_allclose(hollow.inertia, tube.inertia)


def test_density_and_mass_may_be_parameters():
    rho = Graph().variable("rho")
    body = Box(1.0, 2.0, 3.0, position=(1.0, 0.0, 0.0), rotation=0.4).mass_properties(density=rho)
    expected = Box(1.0, 2.0, 3.0, position=(1.0, 0.0, 0.0), rotation=0.4).mass_properties(density=2.0)
    assert body.symbolic and body.com.dtype == float
    assert_allclose(evaluate(body.inertia, {rho: 2.0}), expected.inertia)
    assert_allclose(evaluate(body.mass, {rho: 2.0}), 12.0)


# --------------------------------------------------------------------------------------------------------- polygons


def test_a_prism_is_the_sum_of_its_boxes():
    boxes = Box(2.0, 1.0, 0.4, position=(1.0, 0.5)), Box(1.0, 2.0, 0.4, position=(0.5, 2.0))
    expected = sum(box.mass_properties(density=2.0) for box in boxes)
    for points in (L, L[::-1], L[3:] + L[:3]):
        found = Prism(points, 0.4).mass_properties(density=2.0)
        assert_allclose(found.mass, expected.mass)
        assert_allclose(found.com, expected.com)
        assert_allclose(found.inertia, expected.inertia)


@st.composite
def stars(draw):
    """Simple polygons, many of them not convex: corners at rising angles about a point inside."""
    n = draw(st.integers(3, 14))
    radii = draw(st.lists(st.floats(0.2, 3.0), min_size=n, max_size=n))
    parts = np.array(draw(st.lists(st.floats(0.5, 1.5), min_size=n, max_size=n)))
    angles = np.cumsum(parts / parts.sum() * 2.0 * PI)
    return np.array([2.0, -1.0]) + np.array(radii)[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])


@given(stars())
def test_triangles_cover_a_polygon_once(points):
    assert polygons.crossing(points) is None
    faces = polygons.triangulated(points)
    assert faces.shape == (len(points) - 2, 3)
    a, b, c = (points[faces[:, i]] for i in range(3))
    areas = 0.5 * polygons.cross(b - a, c - a)
    area = polygons.area_moments(points).area
    assert (areas >= 0.0).all()
    assert_allclose(areas.sum(), area)  # none is negative and they fill it: no overlap


@given(stars(), st.floats(0.1, 2.0))
def test_moments_of_a_polygon_are_those_of_its_triangles_and_of_its_plate(points, thickness):
    whole = Prism(points, thickness).mass_properties(density=1.0)
    faces = polygons.triangulated(points)
    parts = sum(Prism(points[face], thickness).mass_properties(density=1.0) for face in faces)
    mesh = Mesh(*Prism(points, thickness).triangles()).mass_properties(density=1.0)
    for other in (parts, mesh):
        assert_allclose(other.mass, whole.mass)
        assert_allclose(other.com, whole.com, atol=1e-12)
        assert_allclose(other.inertia, whole.inertia, atol=1e-11 * np.abs(whole.inertia).max())


def test_points_in_line_and_spirals_are_divided_too():
    in_line = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)]
    arms = [
        (0, 0),
        (6, 0),
        (6, 6),
        (1, 6),
        (1, 2),
        (4, 2),
        (4, 4),
        (3, 4),
        (3, 3),
        (2, 3),
        (2, 5),
        (5, 5),
        (5, 1),
        (0, 1),
    ]
    for points, area in ((in_line, 4.0), (arms, polygons.area_moments(np.array(arms, dtype=float)).area)):
        plate = Prism(points, 1.0)
        assert_allclose(plate.measure, area)
        assert_allclose(Mesh(*plate.triangles()).measure, area)


def test_a_polygon_far_from_the_origin_keeps_its_digits():
    near, far = Prism(L, 0.4).mass_properties(mass=1.0), Prism(np.array(L) + 1e5, 0.4).mass_properties(mass=1.0)
    assert_allclose(far.inertia, near.inertia, rtol=1e-9, atol=1e-9)


# ---------------------------------------------------------------------------------------------------------- outlines


def test_wires_are_sharp_edges_or_shadows():
    lines = Box(2.0, 4.0, 1.0, position=(1.0, 2.0, 0.0)).wires()
    edges = {frozenset(map(tuple, pair)) for line in lines for pair in itertools.pairwise(line.tolist())}
    corners = [(x, y, z) for x in (0.0, 2.0) for y in (0.0, 4.0) for z in (-0.5, 0.5)]
    assert edges == {
        frozenset((a, b)) for a in corners for b in corners if sum(p != q for p, q in zip(a, b, strict=True)) == 1
    }
    top, bottom = sorted(Cylinder.between((0, 0, 0), (0, 2, 0), 0.5).wires(), key=lambda line: line[0, 1], reverse=True)
    for line, y in ((top, 2.0), (bottom, 0.0)):
        assert line.shape == (25, 3) and (line[0] == line[-1]).all()
        assert_allclose(line[:, 1], y, atol=1e-12)
        assert_allclose(np.hypot(line[:, 0], line[:, 2]), 0.5)
    circles = Sphere(2.0, position=(1.0, 0.0, 0.0)).wires(48)
    assert len(circles) == 3
    for line in circles:
        assert_allclose(np.linalg.norm(line - (1.0, 0.0, 0.0), axis=1), 2.0)
    cone = np.concatenate(Cone(1.0, 3.0).wires())
    assert_allclose(cone.max(axis=0), (1.0, 1.0, 3.0))  # its tip too, which is no edge
    assert_allclose(Rod((0, 0, 0), (1, 2, 0), position=(0, 0, 1)).wires(), [[(0, 0, 1), (1, 2, 1)]])
    assert sum(len(line) - 1 for line in Prism(L, 0.2).wires()) == 3 * len(L)  # at the top, at the bottom, between


@given(st.sampled_from(sorted(SOLIDS)), st.tuples(*3 * [st.floats(-1.0, 1.0)]))
def test_wires_stay_on_the_shape(name, direction):
    shape = SOLIDS[name]
    wires = np.concatenate(shape.wires()) @ direction
    surface = shape.triangles().vertices @ direction
    assert surface.min() - 1e-9 <= wires.min() <= wires.max() <= surface.max() + 1e-9
    assert np.ptp(wires) >= 0.5 * np.ptp(surface) - 1e-9  # three circles of a sphere: at least 1/√3


def test_outlines():
    square = Box(2.0, 4.0, 1.0, position=(1.0, 2.0)).outline()
    assert_allclose(square, [(0, 0), (2, 0), (2, 4), (0, 4)])
    assert_allclose(Cylinder(0.2, 3.0, rotation=(1, 0, 1, 0)).outline(4).max(axis=0), (1.5, 0.2))  # along x
    circle = Sphere(2.0, position=(1.0, 1.0)).outline(48)
    assert circle.shape == (48, 2)
    assert_allclose(np.linalg.norm(circle - 1.0, axis=1), 2.0)
    assert polygons.area_moments(circle).area > 0.0  # counterclockwise
    assert_allclose(Prism(L, 0.2, position=(1.0, 0.0), rotation=PI / 2).outline()[1], (1.0, 2.0))
    flipped = Prism(L, 0.2, rotation=(0, 1, 0, 0)).outline()  # seen from behind
    assert len(flipped) == 6 and polygons.area_moments(flipped).area > 0.0
    on_edge = Prism(L, 0.2, rotation=(1, 1, 0, 0)).outline()
    assert_allclose(np.ptp(on_edge, axis=0), (2.0, 0.2))
    rod = Rod((0.0, 0.0), (4.0, 0.0)).outline()
    assert_allclose(rod.max(axis=0), (4.0, 0.1))
    assert Rod((0.0, 0.0), (4.0, 0.0), radius=0.3).outline()[:, 1].max() == pytest.approx(0.3)
    assert len(polygons.convex_hull(np.zeros((5, 2)))) == 1
    assert len(polygons.convex_hull(np.array([(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]))) == 2


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=3, max_size=30))
def test_a_convex_hull_holds_all_points(points):
    points = np.array(points, dtype=float)
    hull = polygons.convex_hull(points)
    if len(hull) < 3:
        return
    for a, b in itertools.pairwise([*hull, hull[0]]):
        assert (polygons.cross(b - a, points - a) >= 0.0).all()
    assert {tuple(p) for p in hull} <= {tuple(p) for p in points}


# -------------------------------------------------------------------------------------------------------- complaints


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: Sphere(-1.0), r"Sphere: radius must be positive, got -1"),
        (lambda: Box(1.0, 0.0, 1.0), r"Box: y must be positive, got 0"),
        (lambda: Cylinder(np.nan, 1.0), r"Cylinder: radius must be finite, got nan"),
        (lambda: Capsule("thick", 1.0), r"Capsule: radius must be made of numbers, got 'thick'"),
        (lambda: Sphere(Graph().variable("r")), r"Sphere: radius must be a number; only density and mass can be"),
        (lambda: Sphere(1.0, position=(Graph().variable("r"), 0, 0)), r"Sphere: position and rotation must be numbers"),
        (lambda: Sphere(1.0, position=(1, 2, 3, 4)), r"Sphere: position must be two or three numbers"),
        (lambda: Sphere(1.0, rotation=np.diag([1, 1, -1])), r"Sphere: rotation: the matrix is no rotation"),
        (lambda: Tube(0.3, 0.5, 1.0), r"Tube: inner radius must be less than the outer, got 0.5 and 0.3"),
        (lambda: Cone(0.3, 0.5, -1.0), r"Cone: top radius must not be negative, got -1"),
        (lambda: Rod((1, 2), (1, 2)), r"Rod: start and end must be two points, got \[1.0, 2.0, 0.0\] twice"),
        (lambda: Rod((1, 2), (1, 3), radius=-1.0), r"Rod: radius must be positive, got -1"),
        (lambda: Cylinder.between((1, 2), (1, 2), 0.1), r"Cylinder: start and end must be two points"),
        (
            lambda: Prism([(0, 0), (1, 0)], 1.0),
            r"Prism: points must be at least three pairs of numbers, got shape \(2, 2\)",
        ),
        (lambda: Prism([(0, 0), (1, 0), (1,)], 1.0), r"Prism: points must be pairs of numbers"),
        (lambda: Prism([(0, 0), (1, 0), (1, np.inf)], 1.0), r"Prism: points must be finite"),
        (lambda: Prism([(0, 0), (1, 0), (1, 1), (0, 0)], 1.0), r"Prism: a point is repeated at once"),
        (lambda: Prism([(0, 0), (1, 1), (1, 0), (0, 1)], 1.0), r"Prism: the polygon meets itself: side 0 and side 2"),
        (
            lambda: Prism([(0, 0), (2, 0), (2, 2), (1, 0), (0, 2)], 1.0),
            r"Prism: the polygon meets itself: side 0 and side 2",
        ),
        (lambda: Prism([(0, 0), (1, 1), (2, 2)], 1.0), r"Prism: the polygon has no area"),
        (
            lambda: Sphere(1.0).mass_properties(),
            r"Sphere: mass properties need either density=… or mass=…, got neither",
        ),
        (lambda: Sphere(1.0).mass_properties(mass=1, density=1), r"density=… or mass=…, got both"),
        (lambda: Sphere(1.0).mass_properties(density=-1.0), r"Sphere: density must not be negative, got -1"),
        (lambda: Sphere(1.0).mass_properties(mass=-1.0), r"Sphere: mass must not be negative, got -1"),
        (lambda: Sphere(1.0).triangles(2), r"Sphere: a circle needs at least 3 corners, got per_turn=2"),
    ],
)
def test_shapes_that_cannot_be(make, complaint):
    with pytest.raises(ModelError, match=complaint):
        make()
