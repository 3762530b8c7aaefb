"""The double pendulum of the textbooks, in Cartesian coordinates.

m_i r̈_i = m_i (0, −g) − Gᵀλ,    0 = ½ (|r_1|² − L_1²),    0 = ½ (|r_2 − r_1|² − L_2²)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.problems.problem import Points, Problem, polyline, recomputed, with_checked_options

STORY = """\
Two point masses hang one below the other on massless rods; the coordinates are their places in the plane, and the
lengths of the rods are the two constraints. Released at rest with both rods horizontal, the outer mass whips around the
inner one. The motion is chaotic, so the run is kept to three seconds; the energy is conserved.
"""

CITATION = "L. D. Landau, E. M. Lifshitz, Mechanics, section 5, problem 1 (coplanar double pendulum)."


def M(p: Any) -> Any:
    return np.diag([p.m1, p.m1, p.m2, p.m2])


def f(p: Any) -> Any:
    return np.array([0.0, -p.m1 * p.g, 0.0, -p.m2 * p.g])


def g(q: Any, p: Any) -> Any:
    x1, y1, x2, y2 = q
    return np.array([
        0.5 * (x1**2 + y1**2 - p.L1**2),
        0.5 * ((x2 - x1) ** 2 + (y2 - y1) ** 2 - p.L2**2),
    ])  # fmt: skip


def energy(t: Any, q: Any, v: Any, p: Any) -> Any:
    """Kinetic energy and potential of the weights."""
    kinetic = 0.5 * p.m1 * (v[0] ** 2 + v[1] ** 2) + 0.5 * p.m2 * (v[2] ** 2 + v[3] ** 2)
    return kinetic + p.g * (p.m1 * q[1] + p.m2 * q[3])


def sketch(t: Any, q: Any, p: Any) -> dict[str, Points]:
    """The two rods."""
    return {
        "upper rod": polyline(q, (0.0, 0.0), (q[0], q[1])),
        "lower rod": polyline(q, (q[0], q[1]), (q[2], q[3])),
    }


SOURCE = """\
computed with the angles as coordinates by Taylor series in 25-digit arithmetic; accelerations and multipliers from an \
explicit method of order 8 in Cartesian coordinates, which gives the same places to 6e-14"""


@with_checked_options
def double_pendulum(
    m1: float = 1.0, m2: float = 1.0, L1: float = 1.0, L2: float = 1.0, g: float = 9.81, t_end: float = 3.0
) -> Problem:
    """Planar double pendulum of point masses in Cartesian coordinates, released horizontally: chaotic, conservative.

    The references belong to the values given here by default.
    """
    as_computed = (m1, m2, L1, L2, g) == (1.0, 1.0, 1.0, 1.0, 9.81)
    return Problem(
        "double_pendulum",
        title="Planar double pendulum",
        story=STORY,
        citation=CITATION,
        coordinates=["x1", "y1", "x2", "y2"],
        constraints=["rod1", "rod2"],
        parameters={"m1": m1, "m2": m2, "L1": L1, "L2": L2, "g": g},
        functions=FUNCTIONS,
        span=(0.0, t_end),
        q0=[L1, 0.0, L1 + L2, 0.0],
        v0=[0.0, 0.0, 0.0, 0.0],
        references=tuple(recomputed(f"double_pendulum {t}", SOURCE) for t in (1, 2, 3)) if as_computed else (),
        invariant=energy,
        sketch=sketch,
    )


FUNCTIONS = {"M": M, "f": f, "g": g}
