"""Plane linkages: four-bar, slider crank, Andrews' squeezing mechanism."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.model.formulate.custom import Custom
from dalembert.model.model import Model
from dalembert.problems import andrews
from dalembert.problems.mechanisms.example import Example
from dalembert.problems.problem import Observation, with_checked_options


@with_checked_options
def four_bar(driven: bool = True) -> Example:
    """A four-bar linkage; its crank is driven by a motor whose torque falls with the speed, or free."""
    m = Model("four-bar", plane="xy", gravity=(0, -9.81))
    crank = m.body("crank", mass=1.0, inertia=0.02, com=(0.10, 0))
    coupler = m.body("coupler", mass=2.0, inertia=0.10, com=(0.35, 0))
    rocker = m.body("rocker", mass=1.5, inertia=0.05, com=(0.25, 0))
    A = m.revolute("A", m.ground.at(0, 0), crank.at(0, 0))
    m.revolute("B", crank.at(0.2, 0), coupler.at(0, 0))
    m.revolute("C", coupler.at(0.7, 0), rocker.at(0.5, 0))
    m.revolute("D", m.ground.at(0.8, 0), rocker.at(0, 0), start=1.8)
    if driven:
        m.torque("motor", A, lambda t, angle, rate, p: p.stall - p.slope * rate)
        m.parameters(stall=2.0, slope=0.1)
    m.sensor("tip", rocker.at(0.5, 0).position)
    return Example(
        m, span=(0.0, 1.0), start={A.angle: 1.0, A.rate: 0.0}, conserved={} if driven else {"energy": m.energy}
    )


CRANK, ROD = 0.1, 0.3


def slider_position(angle: Any) -> Any:
    """Place of the slider of :func:`slider_crank` for an angle of its crank."""
    return CRANK * np.cos(angle) + np.sqrt(ROD**2 - (CRANK * np.sin(angle)) ** 2)


def slider_crank() -> Example:
    """Slider and crank, released with the crank turning; x of the slider is r cosφ + √(l² − r² sin²φ)."""
    m = Model("slider crank", plane="xy", gravity=(0, -9.81))
    crank = m.body("crank", mass=0.5, inertia=6e-4, com=(0.04, 0.0))
    rod = m.body("rod", mass=0.8, inertia=6e-3, com=(0.12, 0.01))
    slider = m.body("slider", mass=0.6, inertia=1e-3, com=(0.01, 0.0))
    A = m.revolute("A", m.ground.at(0, 0), crank.at(0, 0))
    m.revolute("B", crank.at(CRANK, 0), rod.at(0, 0), start=-0.79)
    m.revolute("C", rod.at(ROD, 0), slider.at(0, 0))
    m.prismatic("D", m.ground.at(0, 0), slider.at(0, 0), start=0.377)
    m.sensor("pin", slider.at(0, 0).position)

    def by_crank_angle(world: Any, q: Any, p: Any) -> Any:
        """All bodies from the angle of the crank alone."""
        sine, x = -CRANK / ROD * np.sin(q.phi), slider_position(q.phi)
        turned = world.turned(q.phi)
        return {
            crank: turned,
            rod: turned.moved(CRANK, 0.0).turned(np.arcsin(sine) - q.phi),
            slider: world.moved(x, 0.0),
        }

    return Example(
        m,
        span=(0.0, 0.5),
        start={A.angle: 0.6, A.rate: 12.0},
        conserved={"energy": m.energy},
        custom=Custom(["phi"], by_crank_angle, satisfied=("A", "B", "C", "D")),
        custom_start={"phi": 0.6, "phi.rate": 12.0},
    )


def seven_body() -> Example:
    """Andrews' squeezing mechanism from seven bodies and ten hinges, with spring and motor.

    Joints of the tree are named after the angles of :func:`dalembert.problems.seven_body`, so that their coordinates
    are the same; the loops close in E, in the order of its constraints.
    """
    p = andrews.PARAMETERS
    m = Model("seven-body mechanism", plane="xy")

    def body(number: int, x: float, y: float) -> Any:
        return m.body(f"K{number}", mass=p[f"m{number}"], inertia=p[f"I{number}"], com=(x, y))

    # c(α) is the x axis of a frame with the angle α, and s(α) = (sinα, −cosα) its negative y axis.
    K1, K2 = body(1, p["ra"], 0.0), body(2, -p["da"], 0.0)
    K3 = body(3, p["sb"], -p["sa"])
    K4, K5 = body(4, 0.0, p["ea"] - p["e"]), body(5, p["ta"], -p["tb"])
    K6, K7 = body(6, p["zf"] - p["fa"], 0.0), body(7, p["ub"], -p["ua"])
    A, B, C = ((p[f"x{name}"], p[f"y{name}"]) for name in "abc")
    beta = m.revolute("beta", m.ground.at(0, 0), K1.at(0, 0))
    m.revolute("Theta", K1.at(p["rr"], 0), K2.at(0, 0))
    m.revolute("gamma", m.ground.at(*B), K3.at(0, 0))
    m.revolute("delta", m.ground.at(*A), K5.at(0, 0))
    m.revolute("phi", K5.at(p["zt"], 0), K4.at(0, 0))
    m.revolute("epsilon", m.ground.at(*A), K7.at(0, 0))
    m.revolute("Omega", K7.at(0, -p["u"]), K6.at(0, 0))
    E = K2.at(-p["d"], 0)
    m.revolute("E3", K3.at(0, -p["ss"]), E, cut=True)
    m.revolute("E4", K4.at(0, -p["e"]), E, cut=True)
    m.revolute("E6", K6.at(p["zf"], 0), E, cut=True)
    m.spring("spring", m.ground.at(*C), K3.at(p["sd"], -p["sc"]), p["c0"], length=p["l0"])
    m.torque("motor", beta, p["mom"])
    m.sensor("F", K1.at(p["rr"], 0).position)
    work = p["mom"] * beta.angle

    def observed(reference: Any) -> Observation:
        names = [f"{name}.angle" for name in andrews.COORDINATES]
        return Observation(
            reference.t,
            dict(zip(names, reference.q, strict=True)),
            digits=reference.trusted("q"),
            source=reference.source,
        )

    return Example(
        m,
        span=(0.0, 0.03),
        start={m[name].angle: value for name, value in zip(andrews.COORDINATES, andrews.START.q, strict=True)},  # type: ignore[arg-type]
        conserved={"energy less work": m.energy - work},
        references=(observed(andrews.RECOMPUTED), observed(andrews.PUBLISHED)),
    )


def a03() -> Example:
    """IFToMM A03: :func:`seven_body` over 0.05 s; the point F at the end of the crank is observed."""
    end = Observation(
        0.05, {"F": (-0.0052085047, 0.0046766953)}, digits=8, source="an independent run of the hand-written equations"
    )
    short = seven_body()
    return replace(short, span=(0.0, 0.05), references=(*short.references, end))
