"""Valid calls of finite elements: meshes, matrices, files, interfaces, reductions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from elastic.frames import euler_frame
from elastic.matrix_files import write_abaqus, write_market, write_nodes, write_punch
from fuzz.example_world import Call, World, add, call

from dalembert import elastic

Maker = Callable[[World, int], Call]


@cache
def _frame() -> elastic.FiniteElements:
    return euler_frame(3)


@cache
def _ends() -> tuple[elastic.Interface, ...]:
    return _frame().interface("A", [0]), _frame().interface("B", [3])


@cache
def _reduction() -> elastic.ReducedElements:
    return _frame().reduce("craig-bampton", 1, interfaces=_ends(), frame="A")


def _mesh(kind: str) -> Any:
    import skfem

    line = np.linspace(0.0, 1.0, 3)
    return {
        "triangles": lambda: skfem.MeshTri.init_tensor(line, line), "tetrahedra": skfem.MeshTet,
        "line": lambda: skfem.MeshLine(line),
    }[kind]()  # fmt: skip


def _meshed(function: str, kind: str, **options: Any) -> Maker:
    return lambda w, k: Call(getattr(elastic, function), (_mesh(kind),), {"density": 1.0, "young": 1.0, **options}, str)


@cache
def _sheet() -> elastic.FiniteElements:
    return elastic.plane_stress(_mesh("triangles"), young=1.0, poisson=0.3, density=1.0)


@cache
def _strip() -> elastic.ReducedElements:
    return _sheet().reduce("eigenmodes", 2)


def _files(w: World) -> tuple[Path, Path, Path]:
    fe = _frame()
    return (
        write_market(w.folder / "m.mtx", fe.mass), write_market(w.folder / "k.mtx", fe.stiffness),
        write_nodes(w.folder / "nodes.csv", fe),
    )  # fmt: skip


def _abaqus(w: World, k: int) -> Call:
    mass, stiffness = (
        write_abaqus(w.folder / f"{key}.mtx", matrix)
        for key, matrix in (("M", _frame().mass), ("K", _frame().stiffness))
    )
    return call(elastic.read_abaqus, mass, stiffness, _files(w)[2], name="body")


def _nastran(w: World, k: int) -> Call:
    path = write_punch(w.folder / "body.pch", {"KAAX": _frame().stiffness, "MAAX": _frame().mass})
    return call(elastic.read_nastran, path, _files(w)[2], mass="MAAX", stiffness="KAAX", format="dmig", name="body")


def _mbdyn(w: World, k: int) -> Call:
    elastic.write_mbdyn(_reduction().flexibility, w.folder / "body.fem")
    return call(elastic.read_mbdyn, w.folder / "body.fem", name="body")


def _elements(w: World, k: int) -> Call:
    fe = _frame()
    return Call(
        elastic.FiniteElements, (fe.X, fe.mass.toarray(), fe.stiffness.toarray()),
        {"dofs": fe.dofs, "names": list("abcd"), "sets": {"end": [0]}, "edges": [(0, 1)], "faces": [(0, 1, 2)],
         "name": "frame"}, str,
    )  # fmt: skip


def _mass_points(w: World, k: int) -> Call:
    from scipy import sparse

    N = sparse.csr_array(np.eye(2))
    return call(elastic.MassPoints, np.zeros((2, 2)), np.ones(2), (N, N))


add("FiniteElements.geometric_stiffness", lambda w, k: call(
    _sheet().geometric_stiffness, np.linspace(0.0, 1e-3, _sheet().n), np.eye(_sheet().n)[:, :2]))  # fmt: skip
add("FiniteElements", _elements)
add("MassPoints", _mass_points)
add("FiniteElements.nearest", lambda w, k: call(_frame().nearest, 1.0, 0.0, 0.0))
add("FiniteElements.where", lambda w, k: call(_frame().where, lambda X: X[:, 0] > 0.5))
add("FiniteElements.node_numbers", lambda w, k: call(_frame().node_numbers, ["1", 2]))
add("FiniteElements.rigid_fields", lambda w, k: call(_frame().rigid_fields, (1.0, 0.0, 0.0)))
add("FiniteElements.gram", lambda w, k: call(_frame().gram, np.ones((_frame().n, 1))))
add("FiniteElements.supported", lambda w, k: call(_frame().supported, [0], [0, 1, 2]))
add("FiniteElements.frequencies", lambda w, k: call(_frame().frequencies, 2, [0]))
add("FiniteElements.deflection", lambda w, k: call(_frame().deflection, [(3, 1, 10.0)], [0]))
add("FiniteElements.interface", lambda w, k: call(_frame().interface, "A", [0], "mean", (0.0, 0.0, 0.0)))
add("FiniteElements.reduce", lambda w, k: call(_frame().reduce, "guyan", 0, interfaces=_ends(), frame="A"))
add("Interface", lambda w, k: call(elastic.Interface, "A", (0, 1), "rigid", (0.0, 0.0, 0.0)))
add("reduce", lambda w, k: Call(
    elastic.reduce, (_frame(),),
    {"method": "craig-bampton", "modes": 2, "interfaces": _ends(), "frame": "A", "nodes": ["2"], "second": True,
     "damping": {"beta": 1e-5}, "name": "arm"}, lambda it: it.flexibility.table))  # fmt: skip
add("ReducedElements", lambda w, k: call(
    elastic.ReducedElements, _reduction().flexibility, _reduction().attached, _reduction().columns, ("A",),
))  # fmt: skip
add("ReducedElements.displacement", lambda w, k: call(_reduction().displacement, np.zeros(_reduction().flexibility.n)))
add("ReducedElements.stress", lambda w, k: call(_strip().stress, "xx", np.zeros(_strip().flexibility.n)))
add("ReducedElements.missing", lambda w, k: call(_reduction().missing, "B", 1))
add("plane_stress", _meshed("plane_stress", "triangles", poisson=0.3, thickness=1.0, order=2, name="plate"))
add("solid", _meshed("solid", "tetrahedra", poisson=0.3, order=2, name="solid"))
add("plate", _meshed("plate", "triangles", poisson=0.3, thickness=0.1, element="morley", name="plate"))
add("beam_elements", _meshed("beam_elements", "line", area=1.0, second_moment=1.0, name="beam"))
add("read_nodes", lambda w, k: call(elastic.read_nodes, _files(w)[2]))
add("read_matrix_market", lambda w, k: call(elastic.read_matrix_market, *_files(w), name="body"))
add("read_abaqus", _abaqus)
add("read_nastran", _nastran)
add("read_mbdyn", _mbdyn)
add("write_mbdyn", lambda w, k: call(elastic.write_mbdyn, _reduction().flexibility, w.folder / "out.fem"))
