"""A cable drum with dry friction in its bearing: forces that depend on a reaction.

Coordinates (y1, x2, y2, α2): height of the load, centre and angle of the drum.

    M v̇ = f − Gᵀλ,   M = diag(m1, m2, m2, I2),   f = (−m1 g − c ẏ1, −μ λ2, −m2 g, −μ r2 λ2)
    0 = (x2, y2 − r2, y1 − y2 − r1 α2)                                                           mexx (5.2)

The bearing holds the drum, so that only the load and the angle move. With D = I2 + m1 r1² − m1 r1 r2 μ,

    λ3 = −(I2 (m1 g + c ẏ1) + m1 m2 r1 r2 g μ) / D,   λ2 = λ3 − m2 g,   λ1 = −μ λ2                mexx (5.4)
    ÿ1 = −(m1 g + c ẏ1 + λ3) / m1 = −A − B ẏ1                                                    (1)
    A = g (1 − (I2 + m2 r1 r2 μ)/D),   B = c (1 − I2/D) / m1

where mexx prints "+ λ3" in (1), which does not follow from its own (5.2).
"""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np

from dalembert.problems.problem import Floats, Points, Problem, ProblemError, Reference, polyline, with_checked_options

STORY = """\
A load hangs on a cable that unwinds from a drum; it sinks, slowed down by a damper and by dry friction in the bearing
of the drum. The friction is μ times the reaction λ2 of the bearing, so the forces depend on multipliers, and F = ∂f/∂λ
is not zero: methods that take λ from the last step, as if F were small, do well for μ ≪ 1 and fail beyond. The friction
has no sign function and never sticks, so the motion has a closed form for every μ. From μ = 0.91 on it drives the load
upwards, at μ = 1.1 no motion exists, and beyond that the load falls faster than freely: that serves the test of
methods, not the engineer.
"""

CITATION = """\
Ch. Lubich, U. Nowak, U. Pöhle, Ch. Engstler, MEXX - Numerical Software for the Integration of Constrained Mechanical \
Multibody Systems, Konrad-Zuse-Zentrum für Informationstechnik Berlin, section 5.1; after W. Schiehlen, Technische \
Dynamik, Teubner 1986.
"""

# mexx (5.3)
PARAMETERS = {"m1": 10.0, "m2": 1.0, "I2": 1.0, "r1": 1.0, "r2": 1.0, "g": 1.0, "c": 1.0, "mu": 0.25}


def M(p: Any) -> Any:
    return np.diag([p.m1, p.m2, p.m2, p.I2])


def f(v: Any, lam: Any, p: Any) -> Any:
    friction = p.mu * lam[1]
    return np.array([-p.m1 * p.g - p.c * v[0], -friction, -p.m2 * p.g, -friction * p.r2])


def g(q: Any, p: Any) -> Any:
    y1, x2, y2, alpha2 = q
    return np.array([x2, y2 - p.r2, y1 - y2 - p.r1 * alpha2])


def apparent_inertia(p: Any) -> Any:
    """D, the inertia of the drum with its load, as friction lets it appear."""
    return p.I2 + p.m1 * p.r1**2 - p.m1 * p.r1 * p.r2 * p.mu


def motion(v1: Any, p: Any) -> tuple[Any, Any]:
    """Acceleration of the load and all multipliers, mexx (5.4)."""
    lam3 = -(p.I2 * (p.m1 * p.g + p.c * v1) + p.m1 * p.m2 * p.r1 * p.r2 * p.g * p.mu) / apparent_inertia(p)
    lam2 = lam3 - p.m2 * p.g
    return -(p.m1 * p.g + p.c * v1 + lam3) / p.m1, np.array([-p.mu * lam2, lam2, lam3])  # (1)


def load(t: Any, p: Any) -> tuple[Any, Any]:
    """Height and velocity of the load that starts at rest at y1 = 0, from ÿ1 = −A − B ẏ1."""
    D = apparent_inertia(p)
    A, B = p.g * (1 - (p.I2 + p.m2 * p.r1 * p.r2 * p.mu) / D), p.c / p.m1 * (1 - p.I2 / D)
    t = np.asarray(t, dtype=float)
    z = B * t
    # φ1 = (1 − e⁻ᶻ)/z and φ2 = (1 − φ1)/z, by their series where these formulas cancel
    phi1, phi2 = (sum((-z) ** k / math.factorial(k + order) for k in range(16)) for order in (1, 2))
    far = np.abs(z) > 0.5
    phi1 = np.where(far, -np.expm1(-z) / np.where(far, z, 1.0), phi1)
    phi2 = np.where(far, (1.0 - phi1) / np.where(far, z, 1.0), phi2)
    return -A * t**2 * phi2, -A * t * phi1


def sketch(t: Any, q: Any, p: Any) -> dict[str, Points]:
    """The drum with one spoke, the cable and the load."""
    y1, x2, y2, alpha2 = q
    rim = [(x2 + p.r1 * np.cos(a), y2 + p.r1 * np.sin(a)) for a in np.linspace(0.0, 2 * np.pi, 49)]
    side, half = x2 + p.r1, 0.3 * p.r1
    bottom = y1 - 2 * half
    return {
        "drum": polyline(q, *rim),
        "spoke": polyline(q, (x2, y2), (x2 + p.r1 * np.cos(alpha2), y2 + p.r1 * np.sin(alpha2))),
        "cable": polyline(q, (side, y2), (side, y1)),
        "load": polyline(
            q, (side - half, y1), (side + half, y1), (side + half, bottom), (side - half, bottom), (side - half, y1)
        ),
    }


@with_checked_options
def cable_drum(mu: float = 0.25, t_end: float = 4.0) -> Problem:
    """Cable drum with load and dry friction ``mu`` in the bearing: f depends on λ; exact solution known."""
    parameters = PARAMETERS | {"mu": float(mu)}
    p = SimpleNamespace(**parameters)
    if not abs(apparent_inertia(p)) > 1e-12 * p.m1 * p.r1**2:
        raise ProblemError(f"Problem 'cable_drum' has no motion for mu={mu}: its matrix is singular there")

    def exact(t: Any) -> tuple[Floats, Floats]:
        """Coordinates and velocities at the instants ``t``, the closed form of (1)."""
        y1, v1 = load(t, p)
        still = np.zeros_like(y1)
        q = np.stack([y1, still, still + p.r2, (y1 - p.r2) / p.r1])
        return q, np.stack([v1, still, still, v1 / p.r1])

    def reference(t: float) -> Reference:
        q, v = exact(t)
        a1, lam = motion(v[0], p)
        return Reference(t, q=q, v=v, a=[a1, 0.0, 0.0, a1 / p.r1], lam=lam, digits=14, source="closed form (1)")

    q0, v0 = exact(0.0)
    return Problem(
        "cable_drum",
        title=f"Cable drum with dry friction, mu = {mu:g}",
        story=STORY,
        citation=CITATION,
        coordinates=["y1", "x2", "y2", "alpha2"],
        constraints=["bearing.x", "bearing.y", "cable"],
        parameters=parameters,
        functions={"M": M, "f": f, "g": g},
        span=(0.0, t_end),
        q0=q0,
        v0=v0,
        references=(reference(0.0), reference(t_end)),
        exact=exact,
        sketch=sketch,
    )
