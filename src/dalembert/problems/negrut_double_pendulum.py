"""A double pendulum whose joints hold strong springs and dampers: stiff, and a test of implicit methods.

Two uniform bars of the half-lengths L1, L2 in absolute coordinates, centre (x, y) and angle θ from the x axis:

    0 = r1 − L1 c(θ1),    0 = r2 − r1 − L1 c(θ1) − L2 c(θ2),    c(θ) = (cosθ, sinθ)

Torque of the springs and dampers on bar 1 from the ground −k1 (θ1 − α1) − c1 θ̇1, and on bar 2 from bar 1
−k2 (θ2 − θ1 − α2) − c2 (θ̇2 − θ̇1), whose opposite acts on bar 1.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from dalembert.problems.problem import (
    Observation,
    Points,
    Problem,
    check_option,
    polyline,
    recomputed,
    with_checked_options,
)

STORY = """\
Two bars hang one on the other; torsional springs and dampers act in both joints. The one between the bars is so strong
that its damper brings an eigenvalue of about −1e5 1/s, while the pendulum swings within a second: explicit methods need
steps of 1e-5 s, implicit ones do not. Masses, lengths, spring and damper rates and the start are those of the thesis.
Inferred are the moments of inertia (uniform bars, m L²/3 with the half-length L), the gravity 9.81 m/s², and the free
angles of the springs (3π/2, hanging, for the first, and 0, stretched out, for the second). The errors that the thesis
prints in its Tables 20 to 23, absolute and relative, imply 16 values of its own reference solution. With the inferred
numbers and a start from rest the model has all of them, within the digits of the printed instants; with the start that
Table 19 prints, where the second bar turns at 10 rad/s, it has none. The strong damper makes both rates equal within
1e-4 s, so that the values cannot tell rest from another start with the same rate after that.
"""

CITATION = """\
D. Negrut, On the implicit integration of differential-algebraic equations of multibody dynamics, PhD thesis, The \
University of Iowa, 1998 (section 5.1, Tables 18 to 23).
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


class PrintedError(NamedTuple):
    """A line of Tables 20 to 23: the largest error of a run of 2 s, as (5.1) to (5.4) define it."""

    table: int
    #: coordinate, or its rate
    quantity: str
    method: str
    #: relative and absolute tolerance, of positions and velocities
    tolerance: float
    #: instant of the largest error among the steps of the run
    t: float
    error: float
    #: the error in percent of the reference value at that instant
    percent: float
    #: root of the sum of all squared errors, over the number of steps
    average: float


_PRINTED = {
    (20, "theta1", "SDIRK"): """
        0.413557 0.032796853043 0.887234318934 0.0011473218118
        0.425395 0.003786644530 0.102567339140 0.0001111232537
        0.351082 0.000754569135 0.019573880291 0.0000196564539
        1.084304 0.000170608670 0.003625286505 0.0000042107989""",
    (21, "theta1", "Rosenbrock"): """
        0.592127 0.005223114419 0.121266541360 0.0002292862384
        0.599954 0.000419882301 0.009640229496 0.0000138889609
        0.626135 0.000049169233 0.001087817377 0.0000011485216
        1.065146 0.000019027152 0.000397621626 0.0000002516347""",
    (22, "theta1.rate", "SDIRK"): """
        0.578444 0.228908866004 3.840899692349 0.0083749741182
        0.291094 0.031312203070 0.427597266808 0.0009066499320
        0.551010 0.006406931668 0.118822262986 0.0001530648603
        0.136235 0.001485443259 0.017255571544 0.0000350200500""",
    (23, "theta1.rate", "Rosenbrock"): """
        0.795548 0.040612124932 1.844343795194 0.0016645922425
        0.373114 0.003792150415 0.123400255245 0.0001151519879
        0.217757 0.000865201346 0.009222397857 0.0000134313788
        0.186183 0.000234309801 0.002467113637 0.0000023859574""",
}
#: Errors of first-order reduction with an SDIRK and a Rosenbrock method of order 4, at the tolerances 1e-2 to 1e-5.
TABLES = tuple(
    PrintedError(*head, 10.0**-k, *map(float, line.split()))
    for head, lines in _PRINTED.items()
    for k, line in enumerate(lines.strip().splitlines(), start=2)
)
#: Instants between which the first bar swings forward, of all that the tables name; of rates they imply sizes alone.
_FORWARD = (0.4265, 0.853)


def implied(line: PrintedError) -> Observation:
    """The value of the thesis's own reference solution that an error and its percentage imply."""
    value = 100.0 * line.error / line.percent
    backward = line.quantity.endswith("rate") and not _FORWARD[0] < line.t < _FORWARD[1]
    return Observation(
        line.t,
        {line.quantity: -value if backward else value},
        digits=7,
        within=5e-7,
        source=f"implied by Table {line.table} at the tolerance {line.tolerance:g}; of rates the size alone",
    )


@with_checked_options
def stiff_double_pendulum(start: str = "printed") -> Problem:
    """Double pendulum with a strong spring and damper in the second joint: eigenvalues down to −1e5 1/s.

    :param start: "printed", where the second bar turns at 10 rad/s (Table 19), or "rest", which has the values that
        Tables 20 to 23 imply (``observations``)
    """
    check_option("stiff_double_pendulum", "start", start, ("printed", "rest"))
    at_rest = start == "rest"
    key = "stiff_double_pendulum rest" if at_rest else "stiff_double_pendulum"
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
        references=tuple(recomputed(f"{key} {t}", SOURCE) for t in (1, 2)),
        observations=tuple(map(implied, TABLES)) if at_rest else (),
        sketch=sketch,
    )
    rates = np.array([0.0, 0.0 if at_rest else 10.0])
    q0, v0 = posture(np.array([2 * np.pi, 23 * np.pi / 12]), rates, problem.p)
    return replace(problem, q0=q0, v0=v0)
