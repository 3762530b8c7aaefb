"""Mechanisms with flexible bodies."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from dalembert.elastic import Flexibility, Mode, Nodes, Reference
from dalembert.model.model import Model
from dalembert.problems import elastic_truck as truck
from dalembert.problems import flexible_slider_crank as published
from dalembert.problems.mechanisms.example import Example
from dalembert.problems.problem import with_checked_options


def crank_rod(nonlinear: bool = False, damping: bool = False) -> Flexibility:
    """The rod of :func:`dalembert.problems.slider_crank` as data of a flexible body.

    Its matrices and integrals are the published ones, entry by entry: Mq with a longitudinal block that is fifteen
    times that of a consistent quadratic element, and J2 that is not quite that of a thin rod.
    """
    p = SimpleNamespace(**published.PARAMETERS)
    Mq, Kq, Bq, c1, c2, c12, c21 = published.rod(p)
    S = np.zeros((11, 11))
    S[0, 0], S[0, 1], S[1, 1] = p.m2, 0.5 * p.m2 * p.l2, p.J2
    along, across = 3 + 2 * np.arange(4), 4 + 2 * np.arange(4)  # places of φ_jx and φ_jy
    S[0, along], S[0, across] = p.rho * c1, p.rho * c2
    S[1, along], S[1, across] = p.rho * c12, p.rho * c21
    bending, stretching = slice(0, 2), slice(2, 4)
    S[np.ix_(across[bending], across[bending])] = Mq[bending, bending]
    S[np.ix_(along[stretching], along[stretching])] = Mq[stretching, stretching]
    S[np.ix_(across[bending], along[stretching])] = -p.rho * Bq[bending, stretching]  # B_jk = ∫ φ_jx φ_ky − φ_jy φ_kx
    S = np.triu(S) + np.triu(S, 1).T
    ends = np.zeros((2, 2, 4))
    ends[1, 0, 3] = 1.0  # the end moves along the rod with q4
    k = np.array([1.0, 2.0]) * p.pi / p.l2
    slopes = np.zeros((2, 1, 4))
    slopes[0, 0, :2], slopes[1, 0, :2] = k, k * np.cos([p.pi, 2.0 * p.pi])
    kinds = ("bending", "bending", "longitudinal", "longitudinal")
    return Flexibility(
        S,
        Kq,
        published.DAMPING if damping else np.zeros((4, 4)),
        Nodes(("left", "right"), np.array([[0.0, 0.0], [p.l2, 0.0]]), ends, slopes),
        tuple(Mode(f"q{j + 1}", kind, "Simeon 1996") for j, kind in enumerate(kinds)),
        Reference("pinned", ("left", "right")),
        cubic=_cubic(p) if nonlinear else None,
        edges=((0, 1),),
        name="rod",
    )


def _cubic(p: SimpleNamespace) -> np.ndarray:
    """Third derivatives of W = k (½ q1² q4 + 2 q2² q4 + 4κ q1 q2 q3 − 2κ q1 q2 q4)."""
    k, kappa = 0.5 * p.E * p.b * p.h * p.pi**2 / p.l2**2, 80.0 / (9.0 * p.pi**2)
    found = np.zeros((4, 4, 4))
    terms = {(0, 0, 3): 1.0, (1, 1, 3): 4.0, (0, 1, 2): 4.0 * kappa, (0, 1, 3): -2.0 * kappa}
    for (i, j, l), value in terms.items():
        for at in {(i, j, l), (i, l, j), (j, i, l), (j, l, i), (l, i, j), (l, j, i)}:
            found[at] = k * value
    return found


def _turned(t: Any, p: Any) -> Any:
    """Angle of the crank."""
    return p.Omega * t


@with_checked_options
def flexible_slider_crank(nonlinear: bool = False, damping: bool = False) -> Example:
    """The slider crank with an elastic rod of :func:`dalembert.problems.slider_crank`, from bodies and joints: starts
    without deformation."""
    p = published.PARAMETERS
    m = Model("flexible slider crank", plane="xy")
    crank = m.body("crank", p["m1"], p["J1"] - p["m1"] * (0.5 * p["l1"]) ** 2, (0.5 * p["l1"], 0.0))
    rod = m.flexible_body("rod", crank_rod(nonlinear, damping))
    slider = m.body("slider", p["m3"], 1e-3)
    A = m.revolute("A", m.ground.at(0, 0), crank.at(0, 0))
    B = m.revolute("B", crank.at(p["l1"], 0), rod.node("left"))
    m.revolute("C", rod.node("right"), slider.at(0, 0))
    m.prismatic("D", m.ground.at(0, 0), slider.at(0, 0))
    m.parameters(Omega=p["Omega"])
    m.drive("motor", A.angle, _turned)
    m.sensor("rod angle", rod.angle)
    m.sensor("place", slider.position)
    still = {f"rod.{mode}{rate}": 0.0 for mode in rod.modes for rate in ("", ".rate")}
    return Example(m, span=(0.0, 0.1), start={A.angle: 0.0, A.rate: p["Omega"], B.angle: 0.0, **still})


def loading_area(beta: float = 0.0) -> Flexibility:
    """The loading area of :func:`dalembert.problems.elastic_truck`: displacements of 99 nodes, three of the section in
    between clamped to the body frame."""
    area, own = truck.loading_area(), truck.body()
    scalar = area.M[0::2, 0::2]  # the mass matrix of one component of displacements
    fields = np.zeros((len(area.X), 3 + 2 * len(area.free)))
    fields[:, 0], fields[:, 1:3] = 1.0, area.X
    shapes = np.zeros((len(area.X), 2, len(area.free)))
    for j, row in enumerate(area.free.tolist()):
        fields[row // 2, 3 + 2 * j + row % 2] = shapes[row // 2, row % 2, j] = 1.0
    edges = {
        tuple(sorted((int(a), int(b)))) for one in area.triangles for a, b in zip(one, np.roll(one, 1), strict=True)
    }
    return Flexibility(
        fields.T @ scalar @ fields, own.K, beta * own.K,
        Nodes(tuple(str(k + 1) for k in range(len(area.X))), area.X, shapes),
        tuple(Mode(name, "nodal", f"node {name[2:]}, {name[0]}") for name in truck.elastic_coordinates()),
        edges=tuple(sorted(edges)), faces=tuple(tuple(int(k) for k in one) for one in area.triangles), name="area",
    )  # fmt: skip


def _height(at: float, p: SimpleNamespace, k: int) -> Callable[[Any], Any]:
    """Height of the road under a wheel, or its rate, as a function of time."""
    return lambda t: truck.road_under(at, t, p)[k]


@with_checked_options
def elastic_truck(beta: float = 0.0) -> Example:
    """The truck with an elastic loading area of :func:`dalembert.problems.elastic_truck`, from bodies and joints: 8
    rigid bodies, 16 coordinates of theirs and of the frame of the area, 198 elastic ones, 5 constraints."""
    data, q, _ = truck.at_rest(truck.DATA | {"beta": beta}, 0)
    p, at = SimpleNamespace(**data), truck.nodes()
    rest = dict(zip(truck.RIGID, q, strict=False))
    m = Model("elastic truck", plane="xz", gravity=(0.0, -p.g))

    def place(x: str, z: str, phi: str) -> dict[str, Any]:
        return {"position": (rest[x], rest[z]), "angle": rest[phi]}

    chassis, cabin, engine = (m.body(f"{name}", getattr(p, f"m{k}"), getattr(p, f"I{k}")) for k, name in
                              ((2, "chassis"), (4, "cabin"), (6, "engine")))  # fmt: skip
    axles = {
        k: m.body(f"{name} axle", getattr(p, f"m{k}"), 0.0) for k, name in ((1, "last"), (8, "rear"), (3, "front"))
    }
    seat = m.body("seat", p.m7, 0.0)
    load = m.body("load", p.m9, p.I9, **place("x9", "z9", "phi9"))
    area = m.flexible_body("area", loading_area(beta), **place("x5", "z5", "phi5"))
    start: dict[Any, float] = {}
    # Axles and the seat move up and down; chassis, cabin and engine also pitch, on slides without mass.
    moving: list[tuple[Any, Any, str, str | None]] = [
        (axle, x, f"z{k}", None) for (k, axle), x in zip(axles.items(), (p.a1, p.a8, p.a23), strict=True)
    ]
    centre = p.a24 - p.b24
    moving += [(seat, centre + p.seat, "z7", None), (chassis, 0.0, "z2", "phi2")]
    moving += [(cabin, centre, "z4", "phi4"), (engine, p.x6, "z6", "phi6")]
    for body, x, height, pitch in moving:
        carried = body if pitch is None else m.body(f"slide of {body.name}", 0.0, 0.0)
        slide = m.prismatic(height, m.ground.at(x, 0), carried.at(0, 0), axis=(0, 1))
        start |= {slide.displacement: rest[height], slide.rate: 0.0}
        if pitch is not None:
            turn = m.revolute(pitch, carried.at(0, 0), body.at(0, 0))
            start |= {turn.angle: rest[pitch], turn.rate: 0.0}
    laws = dict(zip(truck.FORCES, (one.law for one in truck.elements(p)), strict=True))
    for (k, axle), x, name in zip(axles.items(), (p.a1, p.a8, p.a23), ("10", "80", "30"), strict=True):
        m.input(f"height{k}", _height(x, p, 0))
        m.input(f"climb{k}", _height(x, p, 1))
        tyre = m.joint_spring(f"tyre of {axle.name}", m[f"z{k}"].displacement, force=_tyre(laws[name], k))
        tyre.breaks = truck.kinks(x, p)
    h, o = p.h2, (0.0, 0.0)
    for name, first, second in (
        ("12", axles[1].at(*o), chassis.at(p.a1, p.h1)), ("82", axles[8].at(*o), chassis.at(p.a8, p.h1)),
        ("23", axles[3].at(*o), chassis.at(p.a23, p.h1)), ("24", chassis.at(p.a24, h), cabin.at(p.b24, p.h3)),
        ("42", chassis.at(p.a42, h), cabin.at(p.b42, p.h3)), ("25", chassis.at(p.a25, h), area.node(_name(at.spring))),
        ("26", chassis.at(p.x6 - p.mount, h), engine.at(-p.mount, 0.0)),
        ("62", chassis.at(p.x6 + p.mount, h), engine.at(p.mount, 0.0)), ("47", cabin.at(p.seat, 0.0), seat.at(*o)),
    ):  # fmt: skip
        m.spring(f"spring {name}", first, second, force=laws[name])
    m.revolute("hinge", chassis.at(p.ac1, p.ac2), area.node(_name(at.hinge)), cut=True)
    m.revolute("pin", area.node(_name(at.pin)), load.at(p.px, p.pz), cut=True)
    m.point_on_line("roller", area.node(_name(at.roller)), load.at(p.rx, p.rz))
    m.sensor("near hinge", area.deformation(_name(at.near_hinge)))
    m.sensor("front", area.deformation(_name(at.front)))
    names, bent = truck.elastic_coordinates(), q[truck.N_RIGID :]
    start |= {area.mode(name): value for name, value in zip(names, bent.tolist(), strict=True)}
    start |= {area.mode_rate(name): 0.0 for name in names}
    return Example(m, span=(0.0, 4.0), start=start)


def _name(node: int) -> str:
    return str(node + 1)


def _tyre(law: Callable[[Any, Any], Any], axle: int) -> Callable[..., Any]:
    """Force of a tyre between the road and an axle, which are one above the other."""

    def force(displacement: Any, rate: Any, w: Any) -> Any:
        return law(displacement - getattr(w, f"height{axle}"), rate - getattr(w, f"climb{axle}"))

    return force
