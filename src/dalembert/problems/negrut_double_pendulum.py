"""A double pendulum whose joints hold strong springs and dampers: stiff, and a test of implicit methods.

Two uniform bars of the half-lengths L1, L2 in absolute coordinates, centre (x, y) and angle θ from the x axis:

    0 = r1 − L1 c(θ1),    0 = r2 − r1 − L1 c(θ1) − L2 c(θ2),    c(θ) = (cosθ, sinθ)

Torque of the springs and dampers on bar 1 from the ground −k1 (θ1 − α1) − c1 θ̇1, and on bar 2 from bar 1
−k2 (θ2 − θ1 − α2) − c2 (θ̇2 − θ̇1), whose opposite acts on bar 1.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.problems.problem import Points, Problem, polyline, recomputed

STORY = """\
Two bars hang one on the other; torsional springs and dampers act in both joints. The one between the bars is so strong
that its damper brings an eigenvalue of about −1e5 1/s, while the pendulum swings within a second: explicit methods need
steps of 1e-5 s, implicit ones do not. Masses, lengths, spring and damper rates and the start are those of the thesis.
Inferred are the moments of inertia (uniform bars, m L²/3 with the half-length L), the gravity 9.81 m/s², and the free
angles of the springs (3π/2, hanging, for the first, and 0, stretched out, for the second), which reproduce the range of
motion reported there. The reference is therefore one of this model, not a published one.
"""

CITATION = """\
D. Negrut, On the implicit integration of differential-algebraic equations of multibody dynamics, PhD thesis, The \
University of Iowa, 1998 (double pendulum).
"""

PARAMETERS = {
    "m1": 3.0, "m2": 0.3, "L1": 1.0, "L2": 1.5, "g": 9.81,
    "k1": 400.0, "c1": 15.0, "k2": 3e5, "c2": 5e4,
    "alpha1": 1.5 * np.pi, "alpha2": 0.0,
}  # fmt: skip


def M(p: Any) -> Any:
    J1, J2 = p.m1 * p.L1**2 / 3, p.m2 * p.L2**2 / 3
    return np.diag([p.m1, p.m1, J1, p.m2, p.m2, J2])


def f(q: Any, v: Any, p: Any) -> Any:
    theta1, theta2, rate1, rate2 = q[2], q[5], v[2], v[5]
    first = -p.k1 * (theta1 - p.alpha1) - p.c1 * rate1
    second = -p.k2 * (theta2 - theta1 - p.alpha2) - p.c2 * (rate2 - rate1)
    return np.array([0.0, -p.m1 * p.g, first - second, 0.0, -p.m2 * p.g, second])


def g(q: Any, p: Any) -> Any:
    x1, y1, theta1, x2, y2, theta2 = q
    c1, s1, c2, s2 = np.cos(theta1), np.sin(theta1), np.cos(theta2), np.sin(theta2)
    return np.array([
        x1 - p.L1 * c1,
        y1 - p.L1 * s1,
        x2 - x1 - p.L1 * c1 - p.L2 * c2,
        y2 - y1 - p.L1 * s1 - p.L2 * s2,
    ])  # fmt: skip


def posture(theta: Any, rate: Any, p: Any) -> tuple[Any, Any]:
    """Coordinates and velocities of the bars from their angles and angular velocities."""
    (c1, c2), (s1, s2), (w1, w2) = np.cos(theta), np.sin(theta), rate
    q = [p.L1 * c1, p.L1 * s1, theta[0], 2 * p.L1 * c1 + p.L2 * c2, 2 * p.L1 * s1 + p.L2 * s2, theta[1]]
    v = [-p.L1 * s1 * w1, p.L1 * c1 * w1, w1]
    v += [-2 * p.L1 * s1 * w1 - p.L2 * s2 * w2, 2 * p.L1 * c1 * w1 + p.L2 * c2 * w2, w2]
    return np.array(q), np.array(v)


def sketch(t: Any, q: Any, p: Any) -> dict[str, Points]:
    """The two bars."""
    x1, y1, _, x2, y2, _ = q
    hinge = (2 * x1, 2 * y1)
    return {
        "bar 1": polyline(q, (0.0, 0.0), hinge),
        "bar 2": polyline(q, hinge, (2 * x2 - hinge[0], 2 * y2 - hinge[1])),
    }


SOURCE = """\
computed for this model, with its inferred data, in the angles as coordinates: Radau IIA of order 5 at 3e-13, which an \
explicit method of order 8 confirms to 1e-13 in positions and 1e-11 in velocities"""


def stiff_double_pendulum() -> Problem:
    """Double pendulum with a strong spring and damper in the second joint: eigenvalues down to −1e5 1/s."""
    problem = Problem(
        "stiff_double_pendulum",
        title="Stiff double pendulum",
        story=STORY,
        citation=CITATION,
        coordinates=["x1", "y1", "theta1", "x2", "y2", "theta2"],
        constraints=["support.x", "support.y", "joint.x", "joint.y"],
        parameters=PARAMETERS,
        functions={"M": M, "f": f, "g": g},
        span=(0.0, 2.0),
        q0=np.zeros(6),
        v0=np.zeros(6),
        references=tuple(recomputed(f"stiff_double_pendulum {t}", SOURCE) for t in (1, 2)),
        sketch=sketch,
    )
    q0, v0 = posture(np.array([2 * np.pi, 23 * np.pi / 12]), np.array([0.0, 10.0]), problem.p)
    return replace(problem, q0=q0, v0=v0)
