"""Mechanisms with flexible bodies."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from dalembert.elastic import Flexibility, Mode, Nodes, Reference
from dalembert.model.model import Model
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
