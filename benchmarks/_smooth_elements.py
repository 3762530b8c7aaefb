"""Finite elements: the truck's area with quadratic triangles and as a beam, plates, solids, static deflections."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from _common import Reporter
from dalembert.elastic import FiniteElements, beam_elements, plane_stress, plate, reduce, solid
from dalembert.errors import ModelWarning
from dalembert.problems.elastic_truck import (
    AREA_MASS,
    BOTTOM,
    CELLS,
    CLAMPED_COLUMN,
    LEFT,
    POISSON,
    RIGHT,
    TOP,
    WIDTH,
    YOUNG,
)


def meshes() -> Any:
    import skfem

    return skfem


def area(report: Reporter) -> None:
    """A11: the loading area of the truck by other elements."""
    skfem = meshes()
    x, height = np.linspace(LEFT, RIGHT, CELLS[0] + 1), TOP - BOTTOM
    mesh = skfem.MeshTri.init_tensor(x, np.linspace(BOTTOM, TOP, CELLS[1] + 1))
    density = AREA_MASS / ((RIGHT - LEFT) * height * WIDTH)
    fe = plane_stress(mesh, young=YOUNG, poisson=POISSON, density=density, thickness=WIDTH, name="loading area")
    found = fe.frequencies(1, fe.where(lambda X: np.abs(X[:, 0] - x[CLAMPED_COLUMN]) < 1e-9))[0]
    off = abs(found / 73.68 - 1)
    report.add(case="A11 loading area", quantity="first frequency, quadratic triangles", unit="rad/s", ours=found)
    report.add(case="A11 loading area", quantity="quadratic triangles, off 73.68", unit="1", ours=off, limit=2e-4)
    beam = beam_elements(
        skfem.MeshLine(x), young=YOUNG, area=height * WIDTH, second_moment=WIDTH * height**3 / 12, density=density
    )
    found = beam.frequencies(1, [CLAMPED_COLUMN])[0]
    report.add(case="A11 loading area", quantity="first frequency, Euler beam", unit="rad/s", ours=found)
    report.add(
        case="A11 loading area", quantity="Euler beam, off 73.88", unit="1", ours=abs(found / 73.88 - 1), limit=2e-4
    )


def plates_and_solids(report: Reporter) -> None:
    """A14: a simply supported plate, and a cantilever of length to height 20, of tetrahedra."""
    skfem = meshes()
    line = np.linspace(0, 1, 49)
    fe = plate(
        skfem.MeshTri.init_tensor(line, line), young=12e6 * (1 - 0.09), poisson=0.3, density=100.0, thickness=0.01
    )
    held = fe.supported(fe.where(lambda X: (np.abs(X[:, :2] - 0.5) > 0.5 - 1e-9).any(axis=1)), [2])
    exact = np.pi**2 * np.array([2, 5, 5])
    for name, ours, theirs in zip(("1, 1", "1, 2", "2, 1"), held.frequencies(3), exact, strict=True):
        off = 100 * abs(ours / theirs - 1)
        report.add(
            case="A14 plate, Morley, 48 × 48", quantity=f"mode {name}, off π²(m² + n²)", unit="%", ours=off, limit=0.5
        )
    mesh = skfem.MeshTet.init_tensor(np.linspace(0, 1, 21), np.linspace(0, 0.05, 2), np.linspace(0, 0.05, 2))
    beam = 1.8751040687**2 * np.sqrt(0.05**2 / 12)
    for order in (2, 1):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ModelWarning)  # linear elements lock, as is shown here
            fe = solid(mesh, young=1.0, poisson=0.3, density=1.0, order=order)
        off = 100 * (fe.frequencies(1, fe.where(lambda X: X[:, 0] < 1e-9))[0] / beam - 1)
        bar = {"limit": 1.0} if order == 2 else {}
        quantity = f"first frequency off the beam, {'quadratic' if order == 2 else 'linear (they lock)'}"
        report.add(case="A14 solid cantilever, tetrahedra", quantity=quantity, unit="%", ours=off, **bar)


def strip() -> FiniteElements:
    mesh = meshes().MeshTri.init_tensor(np.linspace(0, 2, 41), np.linspace(0, 0.1, 3))
    return plane_stress(mesh, young=7e10, poisson=0.3, density=2700.0, thickness=0.02, name="strip")


def reductions(report: Reporter) -> None:
    """A17: static deflections of Craig–Bampton reductions, and frequencies from above."""
    fe = strip()
    A = fe.interface("A", fe.where(lambda X: X[:, 0] < 1e-9))
    for kind in ("rigid", "mean"):
        B = fe.interface("B", fe.where(lambda X: X[:, 0] > 2 - 1e-9), kind)
        reduction = reduce(fe, "craig-bampton", 10, interfaces=[A, B], frame="A")
        worst = max(abs(reduction.missing("B", component)) for component in (0, 1, 5))
        report.add(
            case="A17 Craig–Bampton, 10 modes", quantity=f"static deflection at a {kind} interface, off the full one",
            unit="1", ours=worst, limit=1e-10,
        )  # fmt: skip
    exact = fe.frequencies(6, [A])
    # modes with fixed interfaces up to 1.5 times the last frequency
    fixed = fe.frequencies(30, [A, B])
    count = int(np.sum(fixed <= 1.5 * exact[-1]))
    found = reduce(fe, "craig-bampton", count, interfaces=[A, B], frame="A").flexibility.frequencies[: len(exact)]
    off = 100 * (found / exact - 1)
    report.add(
        case="A17 Craig–Bampton, modes to 1.5 ω_6", quantity="first 6 frequencies, largest off the full ones", unit="%",
        ours=float(off.max()), limit=1.0,
    )  # fmt: skip
    report.add(
        case="A17 Craig–Bampton, modes to 1.5 ω_6",
        quantity="smallest off (from above)",
        unit="%",
        ours=float(off.min()),
    )
    report.add(case="A17 Craig–Bampton, modes to 1.5 ω_6", quantity="modes", unit="1", ours=count)
