"""Meshes: files read and refused, exact integrals, surfaces with gaps."""

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from dalembert.errors import ModelError
from dalembert.model.bodies.meshes import Mesh, load_mesh, volume_moments
from dalembert.model.bodies.shapes import Box, Capsule, Cylinder, Prism, Sphere, Tube

BOX = Box(1.0, 2.0, 3.0, position=(0.5, 1.0, 1.5))  # one corner at the origin
EXACT = BOX.mass_properties(density=2.0)


def corners(shape):
    """Triangles without common vertices (m, 3, 3), as STL files have them."""
    vertices, faces = shape.triangles()
    return vertices[faces]


def binary_stl(shape, header=b"made by hand"):
    triangles = corners(shape).astype("<f4")
    body = b"".join(struct.pack("<12fH", 0.0, 0.0, 0.0, *t.ravel(), 7) for t in triangles)
    return header.ljust(80, b" ") + struct.pack("<I", len(triangles)) + body


def text_stl(shape, name="part"):
    lines = [f"solid {name}"]
    for triangle in corners(shape):
        lines += ["  facet normal 0 0 0", "    outer loop"]
        lines += [f"      vertex {x!r} {y!r} {z!r}" for x, y, z in triangle.tolist()]
        lines += ["    endloop", "  endfacet"]
    return "\n".join([*lines, f"endsolid {name}", ""])


BOX_OBJ = """# a box of quadrilaterals
mtllib no_such_file.mtl
o box
v 0 0 0
v 1 0 0 1.0
v 1 2 0 0.5 0.5 0.5
v 0 2 0
v 0 0 3
v 1 0 3
v 1 2 3
v 0 2 3
vn 0 0 1
vt 0 0
usemtl none
s off
f 4 3 2 1
f 5/1/1 6/1/1 7/1/1 8/1/1
f 1//1 2//1 6//1 5//1
f 2/1 3/1 \\
  7/1 6/1
f -6 -5 -1 -2
f 1 5 8 4
"""


def write(path, data):
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def assert_box(mesh, scale=1.0, tolerance=1e-12):
    body = mesh.mass_properties(density=2.0)
    assert_allclose(body.mass, EXACT.mass * scale**3, rtol=tolerance)
    assert_allclose(body.com, EXACT.com * scale, rtol=tolerance)
    assert_allclose(body.inertia, EXACT.inertia * scale**5, atol=tolerance * scale**5)


# ------------------------------------------------------------------------------------------------------------- files


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("box.stl", binary_stl(BOX)),
        ("BOX.STL", binary_stl(BOX, header=b"solid, says this binary file, facet and all")),
        ("text.stl", text_stl(BOX)),
        ("windows.stl", text_stl(BOX, name="with a name").replace("\n", "\r\n")),
        ("shouting.stl", text_stl(BOX).upper()),
        ("two.stl", text_stl(BOX, "one") + text_stl(BOX, "two")),
        ("box.obj", BOX_OBJ),
        ("windows.obj", BOX_OBJ.replace("\n", "\r\n")),
    ],
)
def test_files_of_a_box(tmp_path, name, data):
    mesh = Mesh(write(tmp_path / name, data))
    if name == "two.stl":
        assert_allclose(mesh.measure, 12.0)  # the same box twice
        return
    assert (len(mesh.vertices), len(mesh.faces)) == (8, 12)
    assert mesh.notes == ()
    assert_box(mesh)
    assert_box(Mesh(str(tmp_path / name), scale=0.001), scale=0.001)
    assert name in repr(mesh)


def test_a_round_body_through_a_binary_file(tmp_path):
    shape = Capsule(0.3, 1.0, position=(0.2, 0.1, 0.0), rotation=(1.0, 0.3, 0.2, 0.1))
    mesh = Mesh(write(tmp_path / "capsule.stl", binary_stl(shape)))
    direct = Mesh(*shape.triangles()).mass_properties(density=1.0)
    assert_allclose(mesh.mass_properties(density=1.0).inertia, direct.inertia, atol=1e-7)  # single precision
    assert len(mesh.vertices) == len(shape.triangles().vertices)


def test_polygons_of_a_file_that_are_not_convex(tmp_path):
    outline = [(2, 1), (1, 1), (1, 3), (0, 3), (0, 0), (2, 0)]  # an L; fans from its first corner overlap
    n = len(outline)
    lines = [f"v {x} {y} {z}" for z in (0.0, 0.5) for x, y in outline]
    lines += ["f " + " ".join(str(n - i) for i in range(n)), "f " + " ".join(str(n + 1 + i) for i in range(n))]
    lines += [f"f {i + 1} {(i + 1) % n + 1} {(i + 1) % n + 1 + n} {i + 1 + n}" for i in range(n)]
    mesh = Mesh(write(tmp_path / "L.obj", "\n".join(lines)))
    plate = Prism(outline, 0.5, position=(0.0, 0.0, 0.25))
    found, expected = mesh.mass_properties(density=1.0), plate.mass_properties(density=1.0)
    assert_allclose(found.com, expected.com)
    assert_allclose(found.inertia, expected.inertia, atol=1e-14)
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()
    assert_allclose(area, 2 * 4.0 + 10.0 * 0.5)  # nothing is covered twice


TRUNCATED = binary_stl(BOX)[:-20]
HALF = text_stl(BOX)[: len(text_stl(BOX)) // 2].rsplit("\n", 1)[0]


@pytest.mark.parametrize(
    ("name", "data", "complaint"),
    [
        ("a.stl", b"", r"Mesh 'a.stl': no STL file, or a truncated one: it has only 0 bytes"),
        ("a.stl", b"\0" * 50, r"Mesh 'a.stl': no STL file, or a truncated one: it has only 50 bytes"),
        ("a.stl", TRUNCATED, r"Mesh 'a.stl': the STL file is truncated: 12 triangles take 684 bytes, the file has 664"),
        ("a.stl", b"solid" + TRUNCATED[5:], r"the STL file is truncated: 12 triangles take 684"),
        ("a.stl", binary_stl(BOX) + b"more", r"the STL file is longer than it says: .* the file has 688"),
        (
            "a.stl",
            b"\0" * 80 + b"\xff" * 4,
            r"truncated: 4294967295 triangles take 214748364834 bytes, the file has 84",
        ),
        ("a.stl", b"\0" * 84, r"Mesh 'a.stl': there are no triangles"),
        ("a.stl", binary_stl(BOX)[:100] + b"\xff" * 4 + binary_stl(BOX)[104:], r"vertices must be finite, 1 are not"),
        ("a.stl", "solid empty\nendsolid empty\n", r"Mesh 'a.stl': there are no triangles"),
        ("a.stl", HALF, r"Mesh 'a.stl': the STL file is truncated: it ends in line \d+ without endsolid"),
        (
            "a.stl",
            "solid\nfacet normal 0 0 1\nouter loop\nvertex 1 2\n",
            r"line 4: a vertex needs 3 numbers, got '1 2'",
        ),
        ("a.stl", "solid\nouter loop\nvertex 1 2 nan\n", r"line 3: a vertex must be finite, got '1 2 nan'"),
        ("a.stl", "solid\nouter loop\nvertex 1 2 x\n", r"line 3: a vertex needs 3 numbers, got '1 2 x'"),
        ("a.stl", "solid\nouter loop\nvertex 1 2 3\nendloop\n", r"line 4: a facet must have 3 vertices, got 1"),
        (
            "a.stl",
            "solid\nouter loop" + 4 * "\nvertex 1 2 3" + "\nendloop",
            r"line 7: a facet must have 3 vertices, got 4",
        ),
        ("a.stl", "solid\ncurve 1 2 3\n", r"line 2: no word of an STL file: 'curve'"),
        ("a.stl", "solid\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendsolid\n", r"line 5: .* in the middle of a facet"),
        ("a.stl", "solid\n" + 3 * "vertex 1 2 3\n" + "endsolid", r"line 2: a vertex outside of a loop"),
        ("a.obj", "", r"Mesh 'a.obj': there are no triangles"),
        ("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n", r"Mesh 'a.obj': there are no triangles"),
        ("a.obj", "v 0 0\n", r"line 1: a vertex needs 3 numbers, got '0 0'"),
        ("a.obj", "v 0 0 inf\n", r"line 1: a vertex must be finite, got '0 0 inf'"),
        ("a.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n", r"line 3: a face needs 3 vertices, got 2"),
        ("a.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n", r"line 3: a face names vertex 3, but there are 2 so far"),
        ("a.obj", "v 0 0 0\nf 0 1 1\n", r"line 2: a face names vertex 0, but there are 1 so far"),
        ("a.obj", "v 0 0 0\nf -2 1 1\n", r"line 2: a face names vertex -2"),
        ("a.obj", "v 0 0 0\nf a b c\n", r"line 2: a face names vertices by number, got 'a'"),
        ("a.obj", "v 0 0 0\ncurv2 1 1 1\n", r"line 2: only points and faces can be read, got 'curv2'"),
        ("a.obj", "v 0 0 0\nf 1 1 1\n", r"Mesh 'a.obj': all triangles have shrunk to lines or points"),
        ("a.obj", bytes(range(256)), r"Mesh 'a.obj': line \d+: only points and faces can be read"),
        ("a.ply", "ply\n", r"Mesh 'a.ply': only .stl and .obj files can be read, this is '.ply'"),
    ],
)
def test_broken_files(tmp_path, name, data, complaint):
    with pytest.raises(ModelError, match=complaint):
        Mesh(write(tmp_path / name, data))


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(ModelError, match=r"Mesh 'no.stl': cannot read .*no.stl: No such file"):
        load_mesh(tmp_path / "no.stl")
    (tmp_path / "folder.stl").mkdir()
    with pytest.raises(ModelError, match=r"Mesh 'folder.stl': cannot read"):
        load_mesh(tmp_path / "folder.stl")


@given(cut=st.integers(0, len(binary_stl(BOX)) - 1))
def test_a_binary_file_cut_anywhere_is_refused(tmp_path_factory, cut):
    path = tmp_path_factory.getbasetemp() / "cut.stl"
    path.write_bytes(binary_stl(BOX)[:cut])
    with pytest.raises(ModelError, match="truncated"):
        Mesh(path)


@given(data=st.binary(max_size=300), name=st.sampled_from(["any.stl", "any.obj"]), solid=st.booleans())
def test_any_bytes_give_a_mesh_or_a_complaint(tmp_path_factory, data, name, solid):
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(b"solid " * solid + data)
    with pytest.raises(ModelError, match=name):
        Mesh(path)


# --------------------------------------------------------------------------------------------------------- integrals


def test_a_tetrahedron():
    # x, y, z ≥ 0, x + y + z ≤ 1: ∫ x² = 1/60, ∫ x y = 1/120, centroid 1/4.
    moments = volume_moments(
        np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    )
    assert_allclose(moments.volume, 1 / 6)
    assert_allclose(moments.centroid, 3 * [0.25])
    about_origin = moments.second + moments.volume * np.outer(moments.centroid, moments.centroid)
    assert_allclose(about_origin, (np.ones((3, 3)) + np.eye(3)) / 120)


@given(
    shift=st.tuples(*3 * [st.floats(-50.0, 50.0)]),
    rotation=st.tuples(*4 * [st.floats(-1.0, 1.0)]).filter(lambda p: np.linalg.norm(p) > 0.1),
)
def test_integrals_follow_a_moved_body(shift, rotation):
    shape = Tube(0.5, 0.3, 0.8)
    fixed = Mesh(*shape.triangles(8))
    expected = fixed.placed(shift, rotation).mass_properties(density=1.0)
    for mesh in (Mesh(*shape.placed(shift, rotation).triangles(8)), Mesh(*fixed.placed(shift, rotation).triangles())):
        found = mesh.mass_properties(density=1.0)
        assert_allclose(found.mass, expected.mass, rtol=1e-11)
        assert_allclose(found.com, expected.com, atol=1e-11)
        assert_allclose(found.inertia, expected.inertia, atol=1e-11)
    assert_allclose(expected.principal()[0], fixed.mass_properties(density=1.0).principal()[0], rtol=1e-11)


def test_scales_and_mirrors():
    shape = Cylinder(0.4, 1.3, position=(0.1, 0.2, 0.3))
    vertices, faces = shape.triangles()
    stretched = Mesh(vertices, faces, scale=(1.0, -2.0, 3.0))
    assert stretched.notes == ()
    assert_allclose(stretched.measure, 6.0 * Mesh(vertices, faces).measure)
    assert_allclose(stretched.mass_properties(mass=1.0).com, (0.1, -0.4, 0.9), atol=1e-14)
    assert volume_moments(stretched.vertices, stretched.faces).volume > 0.0


def test_a_cavity_is_a_shell_that_looks_inwards():
    outer, inner = Sphere(1.0).triangles(), Box(0.5, 0.5, 0.5).triangles()
    hollow = Mesh(
        np.concatenate([outer.vertices, inner.vertices]),
        np.concatenate([outer.faces, inner.faces[:, ::-1] + len(outer.vertices)]),
    )
    found = hollow.mass_properties(density=1.0)
    expected = Mesh(*outer).mass_properties(density=1.0) - Mesh(*inner).mass_properties(density=1.0)
    assert_allclose(found.mass, expected.mass)
    assert_allclose(found.inertia, expected.inertia, atol=1e-14)


def test_bodies_that_touch_along_an_edge_are_closed():
    one, other = Box(1.0, 1.0, 1.0).triangles(), Box(1.0, 1.0, 1.0, position=(1.0, 1.0, 0.0)).triangles()
    mesh = Mesh(np.concatenate([one.vertices, other.vertices]), np.concatenate([one.faces, other.faces + 8]))
    assert len(mesh.vertices) == 14
    assert_allclose(mesh.measure, 2.0)


# ------------------------------------------------------------------------------------------------ surfaces with faults


def test_a_surface_turned_inside_out_is_turned_back_and_says_so(tmp_path):
    vertices, faces = BOX.triangles()
    mesh = Mesh(vertices, faces[:, ::-1])
    assert mesh.notes == ("Mesh: its faces look inwards; they were turned.",)
    assert_box(mesh)
    assert mesh.placed((1.0, 0.0, 0.0)).notes == mesh.notes


def test_an_open_surface_can_be_drawn_but_has_no_mass():
    vertices, faces = BOX.triangles()
    mesh = Mesh(vertices, faces[1:])
    assert mesh.triangles().faces.shape == (11, 3)
    assert mesh.outline().shape == (4, 2)
    complaint = r"Mesh: the surface is not closed, it has 3 open edges, one of them between \(0, 0, 0\) and"
    with pytest.raises(ModelError, match=complaint):
        mesh.mass_properties(density=1.0)
    with pytest.raises(ModelError, match="3 open edges"):
        mesh.mass_properties(mass=1.0)


def test_faces_that_disagree():
    vertices, faces = BOX.triangles()
    faces = faces.copy()
    faces[0] = faces[0, ::-1]
    with pytest.raises(ModelError, match="its faces disagree about what is outside, at 3 edges, one of them between"):
        Mesh(vertices, faces).mass_properties(density=1.0)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"source": np.zeros((3, 3))}, r"Mesh: vertices need faces"),
        ({"source": "box.stl", "faces": [(0, 1, 2)]}, r"Mesh: faces come with the file"),
        ({"source": np.zeros((3, 2)), "faces": [(0, 1, 2)]}, r"vertices must be \(n, 3\) numbers, got shape \(3, 2\)"),
        ({"source": np.eye(3), "faces": [(0, 1, 2, 0)]}, r"faces must be \(m, 3\) integers, got shape \(1, 4\)"),
        ({"source": np.eye(3), "faces": [(0.0, 1.0, 2.0)]}, r"faces must be \(m, 3\) integers, got .* of float64"),
        ({"source": np.eye(3), "faces": [(0, 1, 3)]}, r"faces name vertex 3, but there are 3, counted from 0"),
        ({"source": np.eye(3), "faces": [(0, 1, -1)]}, r"faces name vertex -1"),
        ({"source": np.full((3, 3), np.nan), "faces": [(0, 1, 2)]}, r"vertices must be finite, 3 are not; .* number 0"),
        ({"source": [[1, 2], [3]], "faces": [(0, 1, 2)]}, r"vertices must be a number or an array of numbers"),
        ({"source": np.eye(3), "faces": [(0, 1, 2)], "scale": 0.0}, r"scale must be one or three numbers, .* got 0.0"),
        (
            {"source": np.eye(3), "faces": [(0, 1, 2)], "scale": "mm"},
            r"scale must be one or three numbers, .* got 'mm'",
        ),
        ({"source": np.eye(3), "faces": [(0, 1, 2)], "position": "here"}, r"Mesh: position must be made of numbers"),
    ],
)
def test_meshes_that_cannot_be(arguments, complaint):
    with pytest.raises(ModelError, match=complaint):
        Mesh(**arguments)
