"""Wheel and rail: Hertz, Kalker, creep laws and places of contact beside integrals and published outputs of CONTACT.

CONTACT (E. A. H. Vollebregt, Vtech CMCC, version of 2023, github.com/eve70a/CONTACT) prints its examples ``tractcurv``,
``fastsim`` and ``mbench_a22_left``; ``paper`` is what is printed there.

Every variant that was tried has its row and its bar: FASTSIM with both ways of marching on 20 × 20 cells, on the grid
of the reference and on a fine one; the place of contact of rigid bodies and by two forms of virtual penetration, on
two rails.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from _common import Reporter
from dalembert.rail import (
    ContactTable,
    CreepLaw,
    Fastsim,
    Linear,
    Material,
    Pair,
    Polach,
    ShenHedrickElkins,
    VermeulenJohnson,
    hertz,
    loaded_patch,
    relative_curvatures,
    s1002,
    touching,
    uic60,
    uic60_of_benchmark,
)
from dalembert.rail.feve_profiles import feve_rail, feve_wheel
from dalembert.rail.patch import exact_axes, spline_of_axes, tabulated_axes

Floats = NDArray[np.float64]

#: rail steel of the examples: G = 82 GPa
STEEL = Material.of_shear(82e9, 0.28)
#: ellipse (m), load (N) and friction of ``tractcurv``, and −F_x of CONTACT and of its FASTSIM over ξ
WIDE = (6.304e-3, 12.61e-3, 106.7e3)
FRICTION = 0.33
CREEP = (0.0004, 0.0012, 0.0020, 0.0028, 0.0040, 0.01)
CREEP_CONTACT = (9112.0, 22820.0, 31040.0, 34620.0, 35180.0, 35210.0)
CREEP_FASTSIM = (9075.0, 22110.0, 29690.0, 33470.0, 35130.0, 35210.0)


class Place(NamedTuple):
    """A contact of ``mbench_a22_left``; y to the right, z down: mm, mrad, mm, mm, rad."""

    y: float
    yaw: float
    on_rail: float
    on_wheel: float
    angle: float


PLACES = (
    Place(0.0, 0.0, 8.660, -1.873, 0.0290),
    Place(2.0, 4.8, 4.027, -8.566, 0.0134),
    Place(4.0, 9.6, 2.868, -11.817, 0.0096),
    Place(6.0, 14.4, 2.512, -14.388, 0.0084),
    Place(6.5, 15.6, 1.908, -17.235, 0.0064),
    Place(8.0, 19.2, 2.310, -20.346, 0.0077),
    Place(10.0, 24.0, 3.435, -22.540, 0.0115),
)


def tables(report: Reporter) -> None:
    """All of it."""
    _hertz(report)
    _slope(report)
    _creep_curve(report)
    _spin(report)
    _places(report)


def _hertz(report: Reporter) -> None:
    case = "Hertz's ellipse"
    cosine = np.cos(np.radians(np.linspace(10.0, 170.0, 1601)))
    exact = np.array(exact_axes(np.log((1.0 + cosine) / (1.0 - cosine))))
    table = float(np.abs(np.array(tabulated_axes(cosine)) / exact - 1.0).max())
    report.add(case=case, quantity="classical table, θ 10° to 170°", unit="%", ours=100.0 * table, limit=1.0)
    x = np.linspace(-13.9, 13.9, 4001)
    spline = float(np.abs(spline_of_axes()(x) / np.stack(exact_axes(x), axis=1) - 1.0).max())
    report.add(case=case, quantity="splines of atoms", unit="1", ours=spline, limit=1e-6)
    R, N = 0.46, 1e5
    sphere = np.cbrt(1.5 * N * R * (1.0 - STEEL.nu**2) / STEEL.E)
    off = abs(hertz(N, 0.5 / R, 0.5 / R, STEEL).a / sphere - 1.0)
    report.add(case=case, quantity="sphere on plane", unit="1", ours=float(off), limit=1e-12)
    # The FEVE wheel is hollow 10 mm from the tread line, where the rail's crown would be convex.
    _, B = relative_curvatures(feve_wheel(), -0.01, feve_rail(), 0.0)
    report.add(case=case, quantity="B of a hollow wheel, with signs", unit="1/m", ours=float(B), paper=0.2)
    wide, long = hertz(N, 2.0, 1.0, STEEL), hertz(N, 1.0, 2.0, STEEL)
    ordered = float(wide.a < wide.b and long.a > long.b)
    report.add(
        case=case,
        quantity="longer axis where the curvature is smaller",
        unit="1",
        ours=ordered,
        limit=1,
        bound="at least",
    )


def _slope(report: Reporter) -> None:
    force = -float(Linear(STEEL).force(*WIDE, np.array([1e-5, 0.0, 0.0]), FRICTION)[0])
    case = "Kalker's slope, ξ = 1e-5"
    report.add(case=case, quantity="−F_x", unit="N", ours=force, paper=247.0)
    report.add(case=case, quantity="difference", unit="%", ours=100.0 * abs(force / 247.0 - 1.0), limit=2.5)


def _curve(law: CreepLaw) -> Floats:
    return np.array([-law.force(*WIDE, np.array([xi, 0.0, 0.0]), FRICTION)[0] for xi in CREEP])


def _creep_curve(report: Reporter) -> None:
    case = "creep curve"
    # The reference has 48 × 44 cells over 1.1 times the axes: 44 × 40 inside the ellipse.
    for marching in ("ends", "middles"):
        for along, strips in ((20, 20), (40, 10), (44, 40), (200, 200)):
            curve = _curve(Fastsim(STEEL, along=along, strips=strips, marching=marching))
            off = float(np.abs(curve / CREEP_FASTSIM - 1.0).max())
            name = f"FASTSIM {along} × {strips}, {marching}, beside CONTACT's FASTSIM"
            report.add(case=case, quantity=name, unit="%", ours=100.0 * off, limit=1.5)
    laws: tuple[tuple[str, CreepLaw, float | None], ...] = (
        ("FASTSIM 40 × 10", Fastsim(STEEL), 6.0),
        ("FASTSIM 40 × 10, middles", Fastsim(STEEL, marching="middles"), 6.0),
        ("Vermeulen–Johnson", VermeulenJohnson(STEEL), 10.0),
        ("Shen–Hedrick–Elkins", ShenHedrickElkins(STEEL), 10.0),
        ("Polach", Polach(STEEL), 10.0),
    )
    for name, law, limit in laws:
        ours = _curve(law)
        off = float(np.abs(ours / CREEP_CONTACT - 1.0).max())
        report.add(case=case, quantity=f"{name}, largest difference", unit="%", ours=100.0 * off, limit=limit)
        for xi, force, paper in zip(CREEP, ours, CREEP_CONTACT, strict=True):
            report.add(case=case, quantity=f"{name}, ξ = {xi:g}", unit="N", ours=float(force), paper=paper)


def _spin(report: Reporter) -> None:
    case = "spin and lateral creepage"
    nu = np.array([0.0, -6.25e-4, 0.625])
    for marching in ("ends", "middles"):
        for along, strips in ((20, 20), (40, 10), (40, 40), (200, 200)):  # 40 × 40 is that of the reference
            F = Fastsim(STEEL, along=along, strips=strips, marching=marching).force(8e-3, 4e-3, 82e3, nu, 0.3)
            name = f"{along} × {strips}, {marching}"
            report.add(case=case, quantity=f"F_y, {name}", unit="N", ours=float(F[1]), paper=-14940.0)
            report.add(case=case, quantity=f"M_z, {name}", unit="N m", ours=float(F[2]), paper=-39.0)
            off = abs(float(F[1]) / -14940.0 - 1.0)
            report.add(case=case, quantity=f"F_y, {name}, beside CONTACT", unit="%", ours=100.0 * off, limit=3.0)
    for law in (ShenHedrickElkins(STEEL), Polach(STEEL)):
        F = law.force(8e-3, 4e-3, 82e3, nu, 0.3)
        report.add(case=case, quantity=f"F_y, {type(law).__name__}", unit="N", ours=float(F[1]), paper=-14940.0)


def _places(report: Reporter) -> None:
    wheels = Pair(s1002(), 1.5)
    for rail in (uic60_of_benchmark(), uic60()):
        case = f"S1002 on {rail.name}"
        rails = Pair.of_gauge(rail)
        touches = [touching(wheels, rails, -1e-3 * place.y, -1e-3 * place.yaw) for place in PLACES]
        _difference(report, case, "rigid", [(one.left.u_w, one.left.u_r) for one in touches])
        for method in ("kik-piotrowski", "hertz"):
            found = [loaded_patch(wheels, rails, one, "left", 10e3, STEEL, method=method) for one in touches]
            _difference(report, case, f"10 kN, {method}", [(one.u_w, one.u_r) for one in found])
        table = ContactTable(wheels, rails, -1e-3 * np.array([6.5, 6.0]), yaw=lambda y: 2.4 * y)
        jumps = [jump for jump in table.jumps if jump.side == "right"]
        report.add(case=case, quantity="jumps from 6.0 to 6.5 mm", unit="1", ours=len(jumps), limit=1, bound="at least")
        for jump in jumps:
            report.add(case=case, quantity="y of the jump to the flange", unit="mm", ours=-1e3 * jump.y)


def _difference(report: Reporter, case: str, name: str, places: list[tuple[float, float]]) -> None:
    """Places on wheel and rail, in the axes of the reference, and how far the worst one is off."""
    off = []
    for place, (u_w, u_r) in zip(PLACES, places, strict=True):
        at = f"{name}, y = {place.y:g} mm"
        report.add(case=case, quantity=f"{at}: on the rail", unit="mm", ours=-1e3 * u_r, paper=place.on_rail)
        report.add(case=case, quantity=f"{at}: on the wheel", unit="mm", ours=-1e3 * u_w, paper=place.on_wheel)
        off.append(max(abs(-1e3 * u_r - place.on_rail), abs(-1e3 * u_w - place.on_wheel)))
    report.add(case=case, quantity=f"{name}, largest difference", unit="mm", ours=max(off), limit=0.5)
    report.add(case=case, quantity=f"{name}, largest difference, y ≥ 2 mm", unit="mm", ours=max(off[1:]), limit=0.5)
