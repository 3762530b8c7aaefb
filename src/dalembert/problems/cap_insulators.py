"""A chain of cap insulators that whips after its twin has broken, for any number N of insulators.

Body 1 is the triangle that held both chains apart, bodies 2 … N+1 are the insulators, from below, and (x0, y0) is the
corner at which the cable pulls, a point without mass. With e(φ) = (−sin φ, cos φ), (5.9) to (5.12) of mexx are

    0 = r0 − (r1 − d1 e(φ1))                                      the cable's corner             (5.9)
    0 = r1 + d1/2 R(φ1) (√3, 1) − (r2 − c2 e(φ2))                 the corner of the chain        (5.10)
    0 = ri + di e(φi) − (ri+1 − ci+1 e(φi+1)),  i = 2 … N         between insulators             (5.11)
    0 = rN+1 + dN+1 e(φN+1)                                       the suspension                 (5.12)

These are the joints as constraints. With joint coordinates θ besides, massless as well (mexx (1.10) to (1.15)), each of
the joints (5.10) to (5.12) has a third row,

    0 = φi − φi+1 − θi,   i = 1 … N,      0 = φN+1 − θN+1,                                       (1)

so that k(p, θ) = 0 determines all of p, K = ∂k/∂p is invertible, and the multipliers of (1) vanish.

All places follow from the angles: with complex numbers, x + iy = L exp(iφ) for the points r0, r1, …, rN+1.        (2)
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.problems.problem import (
    ElementGroup,
    Floats,
    Points,
    Problem,
    ProblemError,
    Reference,
    check_option,
    recomputed,
    with_checked_options,
)

STORY = """\
High-voltage cables hang on double chains of insulators. One chain breaks off from the triangle that holds the two
apart; the cable, under a force of 230 kN, swings the triangle round, and a transverse wave runs up the other chain.
Each body has three absolute coordinates; the point at which the cable pulls has two and no mass, so M is singular.
Matrices are large and sparse: with N = 32 insulators 101 coordinates and 68 constraints. The pull of the cable, a long
elastic string, depends on the velocity of its end. The top insulator reaches its first turning point at 0.1283 s.
"""

CITATION = """\
Ch. Lubich, U. Nowak, U. Pöhle, Ch. Engstler, MEXX - Numerical Software for the Integration of Constrained Mechanical \
Multibody Systems, Konrad-Zuse-Zentrum für Informationstechnik Berlin, section 5.4; joint coordinates: section 1.3.
"""

SOURCE = """\
computed for this library in angles, extrapolation of order 20 with 18 digits, steps of 2 ms and 1 ms compared; \
explicit and implicit runs in absolute coordinates, of double precision, agree to 12 digits"""

STORED = (16, 32, 64)  # numbers of insulators with a reference
# mexx (5.16)
CABLE = {"E": 8e9, "A": 3.4e-4, "rho": 3325.0, "F0": 230e3}


def masses(n: int) -> tuple[Floats, Floats]:
    """Masses and moments of inertia of the triangle and ``n`` insulators."""
    return np.array([34.0, *[15.0] * (n - 1), 9.8]), np.array([3.1, *[0.35] * (n - 1), 0.05])


def ends(n: int) -> tuple[Floats, Floats]:
    """Distances d and c from the centres to the upper and the lower joints; the triangle has no c."""
    return np.array([0.37, *[0.12] * (n - 1), 0.16]), np.array([0.0, *[0.08] * n])


# ------------------------------------------------------------------------------------------------------- elements


def pull(v: Any, p: Any) -> Any:
    """Force of the cable on its end, mexx (5.6) and (5.7)."""
    F = p.F0 + v[1] * p.E * p.A / np.sqrt(p.E / p.rho)
    beta = -np.arctan(v[0] / np.sqrt(p.F0 / (p.A * p.rho)))
    return np.array([F * np.sin(beta), -F * np.cos(beta)])


def M(p: Any) -> Any:
    return np.diag([p.m, p.m, p.I])


def place(body: Any, across: Any, along: Any) -> Any:
    """Point of a body (x, y, φ), seen from its own axes."""
    x, y, phi = body
    c, s = np.cos(phi), np.sin(phi)
    return np.array([x + across * c - along * s, y + across * s + along * c])


def pulled_corner(q: Any, p: Any) -> Any:
    """(5.9)"""
    return q[:2] - place(q[2:5], 0.0, -p.d)


def joint(q: Any, p: Any) -> Any:
    """(5.10) and (5.11): the triangle's corner lies beside its axis too."""
    return place(q[:3], p.a, p.d) - place(q[3:6], 0.0, -p.c)


def suspension(q: Any, p: Any) -> Any:
    """(5.12)"""
    return place(q[:3], 0.0, p.d)


def joint_with_angle(q: Any, p: Any) -> Any:
    """(5.10), (5.11) and (1)."""
    return np.array([*joint(q, p), q[2] - q[5] - q[6]])


def suspension_with_angle(q: Any, p: Any) -> Any:
    """(5.12) and (1)."""
    return np.array([*suspension(q, p), q[2] - q[3]])


def elements(n: int, with_angles: bool) -> list[ElementGroup]:
    """The elements of ``n`` insulators; joint coordinates follow those of the bodies."""
    m, inertia = masses(n)
    d, c = ends(n)
    bodies = 2 + np.arange(3 * (n + 1)).reshape(n + 1, 3)
    angles = (2 + 3 * (n + 1) + np.arange(n + 1)).reshape(n + 1, 1)
    pairs, last = np.concatenate([bodies[:-1], bodies[1:]], axis=1), bodies[-1:]
    if with_angles:
        pairs, last = np.concatenate([pairs, angles[:-1]], axis=1), np.concatenate([last, angles[-1:]], axis=1)
    along, across = d[:-1].copy(), np.zeros(n)
    along[0], across[0] = d[0] / 2, d[0] / 2 * np.sqrt(3.0)
    return [
        ElementGroup("cable", [[0, 1]], f=pull),
        ElementGroup("body", bodies.tolist(), M=M, data={"m": m, "I": inertia}),
        ElementGroup("corner", [[0, 1, 2, 3, 4]], g=pulled_corner, data={"d": d[0]}),
        ElementGroup(
            "joint",
            pairs.tolist(),
            g=joint_with_angle if with_angles else joint,
            data={"a": across, "d": along, "c": c[1:]},
        ),
        ElementGroup(
            "suspension", last.tolist(), g=suspension_with_angle if with_angles else suspension, data={"d": d[-1]}
        ),
    ]


# --------------------------------------------------------------------------------------------------- from the angles


def points(n: int, turns: npt.NDArray[np.complex128]) -> npt.NDArray[np.complex128]:
    """L times ``turns`` of (2); e(φ) is i exp(iφ)."""
    d, c = ends(n)
    bodies = -1j * d * turns  # from the upper joint to the centre
    bodies[0] = -d[0] / 2 * (np.sqrt(3.0) + 1j) * turns[0]
    above = np.cumsum((-1j * (d + c) * turns)[:0:-1])[::-1]  # from the suspension to the joint above each body
    centres = bodies + np.append(above, 0.0)
    return np.append(centres[0] - 1j * d[0] * turns[0], centres)


def posture(n: int, phi: Any, rate: Any, acceleration: Any) -> tuple[Floats, Floats, Floats, Floats]:
    """q, v, a and λ of the joints as constraints, from the angles of all bodies and their derivatives."""
    phi, rate, acceleration = (np.asarray(part, dtype=float) for part in (phi, rate, acceleration))
    turn = np.exp(1j * phi)
    moving = [points(n, w * turn) for w in (1.0, 1j * rate, 1j * acceleration - rate**2)]  # (2) and its derivatives
    q, v, a = (
        np.concatenate([[z[0].real, z[0].imag], np.stack([z[1:].real, z[1:].imag, angle], axis=1).reshape(-1)])
        for z, angle in zip(moving, (phi, rate, acceleration), strict=True)
    )
    # A joint carries the pull of the cable, less what accelerates the bodies below it.
    F = pull(v[:2], SimpleNamespace(**CABLE))
    carried = F[0] + 1j * F[1] - np.concatenate([[0.0], np.cumsum(masses(n)[0] * moving[2][1:])])
    return q, v, a, np.stack([carried.real, carried.imag], axis=1).reshape(-1)


def joint_angles(bodies: Floats) -> Floats:
    """θ of (1) from the coordinates of all bodies (or their rates from the velocities …)."""
    phi = bodies[4::3]
    return phi - np.append(phi[1:], 0.0)


@with_checked_options
def insulator_chain(n: int = 32, joints: str = "constraints", t_end: float = 0.1) -> Problem:
    """Chain of ``n`` insulators after its twin has broken: massless force point, so M is singular; any ``n``.

    With ``joints="coordinates"`` there is a massless angle for each joint besides.  References at t = 0.1 are there for
    n = 16, 32 and 64.
    """
    if not isinstance(n, (int, np.integer)) or n < 1:
        raise ProblemError(f"Problem 'insulator_chain' needs a whole number of insulators, at least one, got n={n!r}")
    check_option("insulator_chain", "joints", joints, ("constraints", "coordinates"))
    with_angles = joints == "coordinates"
    d, c = ends(n)

    def complete(values: Floats) -> Floats:
        return np.concatenate([values, joint_angles(values)]) if with_angles else values

    def reference(angles: Reference) -> Reference:
        q, v, a, lam = posture(n, angles.q, angles.v, angles.a)
        if with_angles:  # the multipliers of (1) vanish
            lam = np.concatenate([lam[:2], np.insert(lam[2:].reshape(-1, 2), 2, 0.0, axis=1).reshape(-1)])
        q, v, a = (complete(values) for values in (q, v, a))
        return Reference(angles.t, q=q, v=v, a=a, lam=lam, digits=angles.digits, source=angles.source)

    def sketch(t: Any, q: Any, p: Any) -> dict[str, Points]:
        """The triangle, and the chain from joint to joint."""
        bodies = [q[2 + 3 * i : 5 + 3 * i] for i in range(n + 1)]
        half, side = d[0] / 2, d[0] / 2 * np.sqrt(3.0)
        corners = ((0.0, -d[0]), (side, half), (-side, half), (0.0, -d[0]))
        joints_below = [place(body, 0.0, -c[i]) for i, body in enumerate(bodies) if i]
        return {
            "triangle": [tuple(place(bodies[0], *corner)) for corner in corners],
            "insulators": [*(tuple(point) for point in joints_below), tuple(place(bodies[-1], 0.0, d[-1]))],
        }

    q0 = posture(n, *np.zeros((3, n + 1)))[0]
    names = ["x0", "y0", *(f"{name}{i}" for i in range(1, n + 2) for name in ("x", "y", "phi"))]
    return Problem(
        "insulator_chain",
        title=f"Chain of {n} insulators" + (", with joint coordinates" if with_angles else ""),
        story=STORY,
        citation=CITATION,
        coordinates=names + [f"theta{i}" for i in range(1, n + 2) if with_angles],
        parameters=CABLE,
        elements=elements(n, with_angles),
        span=(0.0, t_end),
        q0=complete(q0),
        v0=np.zeros(len(complete(q0))),
        references=(reference(recomputed(f"insulator_chain {n}", SOURCE)),) if n in STORED and t_end >= 0.1 else (),
        sketch=sketch,
    )
