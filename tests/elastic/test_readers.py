"""Finite elements and reduced bodies from files; damaged files are refused with their line."""

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from elastic.frames import euler_frame
from elastic.matrix_files import write_abaqus, write_market, write_nodes, write_punch
from numpy.testing import assert_allclose

from dalembert.elastic import (
    Flexibility,
    read_abaqus,
    read_matrix_market,
    read_mbdyn,
    read_nastran,
    read_nodes,
    reduce,
    write_mbdyn,
)
from dalembert.errors import ModelError

FE = euler_frame(4)


@pytest.fixture
def market(tmp_path):
    return (
        write_market(tmp_path / "m.mtx", FE.mass), write_market(tmp_path / "k.mtx", FE.stiffness),
        write_nodes(tmp_path / "nodes.csv", FE),
    )  # fmt: skip


def same(found, digits=1e-12):
    assert found.names == FE.names
    assert_allclose(found.X, FE.X)
    for key in ("mass", "stiffness"):
        full = getattr(FE, key).toarray()
        assert_allclose(getattr(found, key).toarray(), full, atol=digits * np.abs(full).max(), rtol=digits)


def test_matrix_market(tmp_path, market):
    same(read_matrix_market(*market))
    whole = write_market(tmp_path / "g.mtx", FE.mass, "general")
    same(read_matrix_market(whole, *market[1:]))
    full = FE.mass.toarray()
    lines = ["%%MatrixMarket matrix array real symmetric", f"{len(full)} {len(full)}"]
    lines += [f"{full[i, j]:.17g}" for j in range(len(full)) for i in range(j, len(full))]
    (tmp_path / "a.mtx").write_text("\n".join(lines))
    same(read_matrix_market(tmp_path / "a.mtx", *market[1:]))


@pytest.mark.parametrize("half", [True, False])
def test_abaqus(tmp_path, market, half):
    mass, stiffness = (write_abaqus(tmp_path / f"{k}.mtx", m, half) for k, m in (("M", FE.mass), ("K", FE.stiffness)))
    same(read_abaqus(mass, stiffness, market[2]))
    inp = tmp_path / "model.inp"
    nodes = [f"{name}, {x}, {y}, {z}" for name, (x, y, z) in zip(FE.names, FE.X, strict=True)]
    inp.write_text("\n".join(["*HEADING", "a model", "*NODE, NSET=ALL", *nodes, "*ELEMENT, TYPE=B33", "1, 1, 2"]))
    same(read_abaqus(mass, stiffness, inp))


def test_nastran_punch(tmp_path, market):
    path = write_punch(tmp_path / "body.pch", {"KAAX": FE.stiffness, "MAAX": FE.mass})
    found = read_nastran(path, market[2])
    same(found, 1e-9)
    with pytest.raises(ModelError, match=r"there is no matrix K2GG; there are: KAAX, MAAX"):
        read_nastran(path, market[2], stiffness="K2GG")
    with pytest.raises(ModelError, match="dofs belong to format='op4'"):
        read_nastran(path, market[2], dofs=[(0, 0)])


#: Written by pyyeti 1.4.7, which has nothing in common with the reader: full, and sparse in both ways.
OP4 = Path(__file__).parent / "op4"
OP4_FILES = sorted(OP4.glob("*.op4"))


@pytest.mark.parametrize("path", OP4_FILES, ids=lambda path: path.stem)
def test_op4(tmp_path, path):
    nodes = tmp_path / "nodes.csv"
    nodes.write_text("left, 0, 0, 0\nright, 1, 0, 0\n")
    found = read_nastran(path, nodes, format="op4")
    for key in ("mass", "stiffness"):
        assert_allclose(getattr(found, key).toarray(), np.loadtxt(OP4 / f"{key}.txt"), rtol=1e-15)
    with pytest.raises(ModelError, match=r"there is no matrix K2GG; there are: KAAX, MAAX"):
        read_nastran(path, nodes, stiffness="K2GG", format="op4")


def test_op4_of_a_frame(tmp_path, market):
    """The matrices of a frame as the manual has them: text of single and double precision, heads of 16 characters."""
    for kind, wide in ((2, False), (1, False), (2, True)):
        path = tmp_path / "frame.op4"
        lines = []
        for name, matrix in (("MAAX", FE.mass.toarray()), ("KAAX", FE.stiffness.toarray())):
            n = len(matrix)
            lines.append(
                f"{n:>16}{n:>16}{6:>8}{kind:>8}{name:<8}1P,3E23.16|I16" if wide else
                f"{n:>8}{n:>8}{6:>8}{kind:>8}{name:<8}1P,3E23.16"
            )  # fmt: skip
            for j, column in enumerate([*matrix.T, np.ones(1)]):
                rows = np.flatnonzero(column)
                values = column[rows[0] : rows[-1] + 1]
                lines.append(f"{j + 1:>8}{rows[0] + 1:>8}{len(values):>8}")
                lines += ["".join(f"{x:23.16E}" for x in values[k : k + 3]) for k in range(0, len(values), 3)]
        path.write_text("\n".join(lines) + "\n")
        same(read_nastran(path, market[2], format="op4"))


@pytest.mark.parametrize("path", OP4_FILES, ids=lambda path: path.stem)
@pytest.mark.exact
def test_damaged_op4_files_are_refused(tmp_path, path):
    """Cut anywhere and with bytes changed, they are read or refused, and nothing else happens."""
    nodes = tmp_path / "nodes.csv"
    nodes.write_text("left, 0, 0, 0\nright, 1, 0, 0\n")
    content, random = path.read_bytes(), np.random.default_rng(1)
    bad = tmp_path / "bad.op4"
    for k in range(120):
        damaged = bytearray(content)
        if k % 2:
            damaged = damaged[: int(random.integers(1, len(content) - 1))]
        else:
            for _ in range(3):
                damaged[int(random.integers(len(content)))] = int(random.integers(256))
        bad.write_bytes(damaged)
        try:
            read_nastran(bad, nodes, format="op4")
        except ModelError as error:
            assert "\n" not in str(error)
    with pytest.raises(ModelError, match=r"OP4 'bad\.op4'"):
        bad.write_bytes(content[: len(content) // 2])
        read_nastran(bad, nodes, format="op4")


def test_a_body_from_files_vibrates_as_the_elements_do(market):
    fe = read_matrix_market(*market, name="arm")
    assert_allclose(fe.frequencies(2, ["1"]), FE.frequencies(2, [0]), rtol=1e-9)
    body = fe.reduce(modes=4, interfaces=[fe.interface("root", ["1"]), fe.interface("tip", ["5"])]).flexibility
    assert_allclose(body.free_frequencies[:2], fe.frequencies(2), rtol=5e-3)


def damaged(path, number, text):
    lines = path.read_text().splitlines()
    lines[number - 1] = text
    path.write_text("\n".join(lines))
    return path


@pytest.mark.parametrize(
    ("file", "line", "text", "message"),
    [
        (0, 1, "hello", r"'m.mtx', line 1: a Matrix Market file begins with"),
        (0, 1, "%%MatrixMarket matrix coordinate complex general", "line 1: 'coordinate complex general' is not read"),
        (0, 3, "30 31 5", "line 3: expected the sizes of a square matrix"),
        (0, 3, "30 30 500", r"500 entries are announced, \d+ were found; is the file cut\?"),
        (0, 5, "1 x 3", "line 5: expected row, column and a number, got '1 x 3'"),
        (0, 5, "1 1 nan", "line 5: expected row, column and a number"),
        (0, 5, "99 1 3.0", r"line 5: entry \(99, 1\) lies outside of a 30 × 30 matrix"),
        (2, 3, "2, 0.5, zero, 0", r"'nodes.csv', line 3: expected a name and 2 or 3 numbers"),
        (2, 3, "2, 0.5, 0", "line 3: 2 coordinates, where lines before have 3"),
        (2, 3, "1, 0.5, 0, 0", "the node '1' is listed twice"),
    ],
)
def test_damaged_matrix_market_files(market, file, line, text, message):
    damaged(market[file], line, text)
    with pytest.raises(ModelError, match=message):
        read_matrix_market(*market)


def test_files_that_are_not_there(tmp_path, market):
    with pytest.raises(ModelError, match="cannot be read"):
        read_matrix_market(tmp_path / "none.mtx", *market[1:])
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(ModelError, match="no nodes were found; write a line"):
        read_nodes(tmp_path / "empty.csv")


@pytest.mark.parametrize(
    ("line", "text", "message"),
    [
        (3, "1,1,1,1", "line 3: expected 'node, dof, node, dof, value'"),
        (3, "1,7,1,7,2.0", "line 3: degrees of freedom must be 1 to 6"),
        (3, "77,1,77,1,2.0", "matrices have the node 77, which is not among the 5 nodes"),
    ],
)
def test_damaged_abaqus_files(tmp_path, market, line, text, message):
    mass, stiffness = (write_abaqus(tmp_path / f"{k}.mtx", m) for k, m in (("M", FE.mass), ("K", FE.stiffness)))
    damaged(mass, line, text)
    with pytest.raises(ModelError, match=message):
        read_abaqus(mass, stiffness, market[2])


@pytest.mark.parametrize(
    ("line", "text", "message"),
    [
        (2, "DMIG    KAAX           0       9       2", r"line 2: KAAX: real matrices"),
        (3, "DMIG*   QQQQ            1               1", "line 3: QQQQ: entries begin without the heading"),
        (4, "*                      1               x           1.0", "line 4: expected node, component and a number"),
    ],
)
def test_damaged_punch_files(tmp_path, market, line, text, message):
    path = write_punch(tmp_path / "body.pch", {"KAAX": FE.stiffness, "MAAX": FE.mass})
    with pytest.raises(ModelError, match=message):
        read_nastran(damaged(path, line, text), market[2])


@pytest.fixture(scope="module")
def reduced():
    ends = [FE.interface("A", [0]), FE.interface("B", [4])]
    return reduce(FE, modes=2, interfaces=ends, frame="A", second=False, damping={"beta": 1e-4}).flexibility


def test_mbdyn_there_and_back(tmp_path, reduced):
    write_mbdyn(reduced, tmp_path / "arm.fem")
    found = read_mbdyn(tmp_path / "arm.fem")
    order = [6, 7, 0, 1, 2, 3, 4, 5]  # normal modes stand first in the file
    assert [mode.kind for mode in found.modes] == ["normal"] * 2 + ["constraint"] * 6
    fields = [*range(4), *(4 + 3 * j + a for j in order for a in range(3))]
    assert_allclose(found.gram, reduced.gram[np.ix_(fields, fields)], atol=1e-12 * np.abs(reduced.gram).max())
    for key in ("stiffness", "damping"):
        assert_allclose(getattr(found, key), getattr(reduced, key)[np.ix_(order, order)], rtol=1e-12, atol=1e-6)
    assert_allclose(found.nodes.rotation, reduced.nodes.rotation[:, :, order])
    assert found.nodes.names == ("A", "B") and found.name == "arm"


def test_mbdyn_with_lumped_masses(tmp_path):
    """The file that FE programs write: masses of nodes, no integrals."""
    every = reduce(FE, "eigenmodes", 3, nodes=list(range(5))).flexibility
    write_mbdyn(every, tmp_path / "arm.fem")
    lines = (tmp_path / "arm.fem").read_text().splitlines()
    cut = next(k for k, line in enumerate(lines) if "GROUP 12" in line)
    masses = np.full(5, every.mass / 4)
    masses[[0, 4]] /= 2
    lumped = ["** RECORD GROUP 11, DIAGONAL OF LUMPED MASS MATRIX", *(f"{m} {m} {m} 0 0 0" for m in masses)]
    (tmp_path / "arm.fem").write_text("\n".join(lines[:cut] + lumped))
    found = read_mbdyn(tmp_path / "arm.fem")
    assert_allclose(found.mass, every.mass)
    assert_allclose(found.modal_mass, every.modal_mass, atol=1e-9)
    assert_allclose(found.frequencies, every.frequencies, rtol=1e-9)


@pytest.mark.parametrize(
    ("marker", "after", "text", "message"),
    [
        ("GROUP 1,", 2, "REV0 2 2", "record group 1 must be 'REV0 nodes normal attachment constraint rejected'"),
        ("GROUP 5,", 1, "abc", r"record group 5: expected a number, got 'abc'"),
        ("GROUP 9,", 1, "1.0", r"record group 9 must have 64 numbers, got \d+; is the file cut\?"),
        ("GROUP 10,", 0, "** RECORD GROUP 9", "record group 9 is there twice"),
        ("GROUP 7,", 0, "** RECORD GROUP", "expected the number of a record group"),
        ("GROUP 6,", 0, "** nothing", r"record group 5 must have 2 numbers, got 4"),
    ],
)
def test_damaged_mbdyn_files(tmp_path, reduced, marker, after, text, message):
    path = tmp_path / "arm.fem"
    write_mbdyn(reduced, path)
    lines = path.read_text().splitlines()
    at = next(k for k, line in enumerate(lines) if marker in line) + after
    lines[at] = text
    path.write_text("\n".join(lines))
    with pytest.raises(ModelError, match=message):
        read_mbdyn(path)


def test_what_mbdyn_cannot_take(tmp_path, reduced):
    path = tmp_path / "arm.fem"
    write_mbdyn(reduced, path)
    lines = path.read_text().splitlines()
    cut = next(k for k, line in enumerate(lines) if "GROUP 12" in line)
    path.write_text("\n".join(lines[:cut]))
    with pytest.raises(ModelError, match=r"inertia is not known: .* let the FE program write lumped masses"):
        read_mbdyn(path)


def damages(content):
    """Contents of a compressed file that are wrong in one way each."""
    yield content[: len(content) // 2]
    for at in range(30, len(content) - 30, len(content) // 40):
        yield content[:at] + bytes(40) + content[at + 40 :]
    at = content.index(b"PK\x01\x02")  # the method of compression that the directory says
    yield content[: at + 10] + b"\x63\x00" + content[at + 12 :]


def test_damaged_files_of_flexible_bodies_are_refused_by_name(tmp_path):
    """Cut, with bytes lost, with an unknown compression, and with an array that claims 8 TB."""
    body = reduce(FE, "craig-bampton", 2, interfaces=[FE.interface("A", [0])], frame="A").flexibility
    place = tmp_path / "body.npz"
    body.save(place)
    content = place.read_bytes()
    refused = 0
    for number, wrong in enumerate(damages(content)):
        file = tmp_path / f"wrong{number}.npz"
        file.write_bytes(wrong)
        try:
            Flexibility.load(file)
        except ModelError as error:
            refused += 1
            assert "Flexibility.load:" in str(error) and file.name in str(error)
    assert refused > 20
    huge = tmp_path / "huge.npz"
    with zipfile.ZipFile(huge, "w") as archive:
        header = io.BytesIO()
        np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (10**12,)})
        archive.writestr("gram.npy", header.getvalue())
    with pytest.raises(ModelError, match=r"huge\.npz', 'gram': it is damaged"):
        Flexibility.load(huge)


def test_readers_refuse_whatever_is_in_a_file(tmp_path):
    """A few bytes, digits of other scripts, and numbers with more digits than any integer has."""
    nodes = write_nodes(tmp_path / "nodes.csv", FE)
    file = tmp_path / "file"
    long, other = "9" * 5000, "\u00b2"
    cases = [
        (lambda: read_nastran(file, nodes, format="op4"), b"\0"),
        (lambda: read_nastran(file, nodes, format="op4"), b"\x18\0\0\0" + bytes(3)),
        (lambda: read_nastran(file, nodes, format="op4"), f"{long:>8}{'3':>8}".encode()),
        (lambda: read_nastran(file, nodes, format="op4"), b"       1       1       2       2KAAX    1P,3E\xc2\xb2"),
        (lambda: read_nastran(file, nodes), f"DMIG,KAAX,0,6,1,0\nDMIG,KAAX,{other},1,,1,1,1.0".encode()),
        (lambda: read_nastran(file, nodes), b"DMIG,KAAX,0,6,1,0\nDMIG,KAAX,1,12,,1,1,1.0"),
        (lambda: read_matrix_market(file, file, nodes),
         f"%%MatrixMarket matrix coordinate real general\n{other} {other} 1".encode()),
        (lambda: read_matrix_market(file, file, nodes),
         f"%%MatrixMarket matrix coordinate real general\n3 3 1\n{long} 1 1.0".encode()),
        (lambda: read_abaqus(file, file, nodes), f"1,{other},1,1,1.0".encode()),
        (lambda: read_abaqus(file, file, nodes), f"1,{long},1,1,1.0".encode()),
        (lambda: read_mbdyn(file), f"** RECORD GROUP {other}".encode()),
        (lambda: read_mbdyn(file), f"** RECORD GROUP 1\nREV0 {long} 1 0 0 0".encode()),
    ]  # fmt: skip
    for read, content in cases:
        file.write_bytes(content)
        with pytest.raises(ModelError, match="file"):
            read()
