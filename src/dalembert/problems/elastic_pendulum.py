"""The elastic pendulum of Rheinboldt and Simeon, (21): a long rod on a hinge that bends in one mode, sin(πx/l).

    (2/3 + q²) φ̈ + π̄ q̈ = −γ cos φ + 2 π̄ γ sin φ q − 2 q φ̇ q̇
    π̄ φ̈ + q̈ = −2 π̄ γ cos φ + q φ̇² − q/ε²,       π̄ = 2/π

with l = 1 and ρ b h = 1; ε = 1/ω is the inverse frequency of the mode.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.problems.problem import Points, Problem, Reference, check_option, polyline, with_checked_options

STORY = """\
A slender elastic rod falls from the horizontal about a hinge at its end. Its deflection is small and fast: with
ε = 0.02 the rod alone would vibrate with 50 rad/s, on its hinge with 1.597 times as much. From the deflection that the
fall asks for it follows smoothly; from the straight rod it rings about that, with an amplitude as large as the
deflection itself.
"""

CITATION = """\
W. C. Rheinboldt, B. Simeon, On computing smooth solutions of DAE's for elastic multibody systems, section 3.
"""

#: Coupling of mode and rotation.
PI_BAR = 2.0 / np.pi


def M(q: Any) -> Any:
    return np.array([[2.0 / 3.0 + q[1] ** 2, PI_BAR], [PI_BAR, 1.0]])


def f(q: Any, v: Any, p: Any) -> Any:
    phi, bent, turn, rate = q[0], q[1], v[0], v[1]
    return np.array([
        -p.gamma * np.cos(phi) + 2 * PI_BAR * p.gamma * np.sin(phi) * bent - 2 * bent * turn * rate,
        -2 * PI_BAR * p.gamma * np.cos(phi) + bent * turn**2 - bent / p.epsilon**2,
    ])  # fmt: skip


def energy(t: Any, q: Any, v: Any, p: Any) -> Any:
    """Twice kinetic energy, weight and strain energy, as the equations are twice those of Lagrange."""
    phi, bent = q[0], q[1]
    moving = 0.5 * (2.0 / 3.0 + bent**2) * v[0] ** 2 + PI_BAR * v[0] * v[1] + 0.5 * v[1] ** 2
    return moving + p.gamma * (np.sin(phi) + 2 * PI_BAR * np.cos(phi) * bent) + 0.5 * bent**2 / p.epsilon**2


def sketch(t: Any, q: Any, p: Any) -> dict[str, Points]:
    """The bent rod, in true scale."""
    c, s = np.cos(q[0]), np.sin(q[0])
    places = [(x, q[1] * np.sin(np.pi * x)) for x in np.linspace(0.0, 1.0, 13)]
    return {"rod": polyline(q, *((c * x - s * w, s * x + c * w) for x, w in places))}


SOURCE = "SciPy's DOP853 with rtol = 1e-13 and atol = 1e-15, on equations of its own"
SMOOTH = Reference(
    1.0,
    q=[-3.1278666823, 1.2735091854e-3],
    v=[6.4168781703e-1, 4.1582041e-6],
    digits={"q": 10, "v": 10},
    source=SOURCE,
)
RINGING = Reference(
    1.0,
    q=[-3.1285906750, 5.8037726070e-4],
    v=[5.5626978513e-1, 8.5284296e-2],
    digits={"q": 10, "v": 7},
    source=SOURCE,
)


@with_checked_options
def elastic_pendulum(epsilon: float = 0.02, gamma: float = 10.0, start: str = "smooth", t_end: float = 1.0) -> Problem:
    """Elastic pendulum: one slow angle, one fast mode, no constraint.

    ``start`` at rest with φ = 0 is "smooth", with the quasi-static deflection −γε²/π, or "rigid", without deflection.
    References at t = 1 belong to the values given here by default.
    """
    check_option("elastic_pendulum", "start", start, ["smooth", "rigid"])
    as_published = (epsilon, gamma) == (0.02, 10.0)
    return Problem(
        "elastic_pendulum",
        title="Elastic pendulum",
        story=STORY,
        citation=CITATION,
        coordinates=["phi", "q"],
        constraints=[],
        parameters={"epsilon": epsilon, "gamma": gamma},
        functions={"M": M, "f": f},
        span=(0.0, t_end),
        q0=[0.0, -gamma * epsilon**2 / np.pi if start == "smooth" else 0.0],
        v0=[0.0, 0.0],
        references=() if not as_published else (SMOOTH,) if start == "smooth" else (RINGING,),
        invariant=energy,
        sketch=sketch,
    )
