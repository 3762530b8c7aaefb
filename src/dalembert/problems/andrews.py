"""Andrews' squeezing mechanism, the seven-body mechanism: 7 angles, 6 loop constraints, 1 degree of freedom.

Names as in Hairer & Wanner, section VII.7. With c(α) = (cosα, sinα) and s(α) = (sinα, −cosα), the hinges are
O = (0, 0), A, B, C (fixed), F = rr c(β), E = F − d c(β+Θ) = B + ss s(γ) = G + e s(φ+δ) = H + zf c(Ω+ε),
G = A + zt c(δ), H = A + u s(ε), and the spring leads from C to D = B + sd c(γ) + sc s(γ).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.problems.problem import Points, Problem, Reference, polyline, recomputed

STORY = """\
Seven plane bodies form three loops between four fixed points; a motor of constant torque turns the crank O–F at up to
1200 rad/s, and a spring holds the body B–D–E. The coordinates are seven relative angles, and the three loops close by
six constraints. There is no gravity, no friction, and nothing stiff; the difficulty lies in the index 3 and in rapid,
uneven motion. Kinetic energy and energy of the spring, less the work of the motor, stay constant.
"""

CITATION = """\
W. Schiehlen (ed.), Multibody Systems Handbook, Springer 1990; E. Hairer, G. Wanner, Solving Ordinary Differential \
Equations II, section VII.7; F. Mazzia, C. Magherini, Test Set for Initial Value Problem Solvers, problem "andrews".
"""

COORDINATES = ["beta", "Theta", "gamma", "phi", "delta", "Omega", "epsilon"]

PARAMETERS = {
    "m1": 0.04325, "m2": 0.00365, "m3": 0.02373, "m4": 0.00706, "m5": 0.07050, "m6": 0.00706, "m7": 0.05498,
    "I1": 2.194e-6, "I2": 4.410e-7, "I3": 5.255e-6, "I4": 5.667e-7, "I5": 1.169e-5, "I6": 5.667e-7, "I7": 1.912e-5,
    "xa": -0.06934, "ya": -0.00227, "xb": -0.03635, "yb": 0.03273, "xc": 0.014, "yc": 0.072,
    "d": 0.028, "da": 0.0115, "e": 0.02, "ea": 0.01421, "rr": 0.007, "ra": 0.00092,
    "ss": 0.035, "sa": 0.01874, "sb": 0.01043, "sc": 0.018, "sd": 0.02, "ta": 0.02308, "tb": 0.00916,
    "u": 0.04, "ua": 0.01228, "ub": 0.00449, "zf": 0.02, "zt": 0.04, "fa": 0.01421,
    "mom": 0.033, "c0": 4530.0, "l0": 0.07785,
}  # fmt: skip


def M(q: Any, p: Any) -> Any:
    _, Theta, _, phi, _, Omega, _ = q
    M11 = p.m1 * p.ra**2 + p.m2 * (p.rr**2 - 2 * p.da * p.rr * np.cos(Theta) + p.da**2) + p.I1 + p.I2
    M21 = p.m2 * (p.da**2 - p.da * p.rr * np.cos(Theta)) + p.I2
    M22 = p.m2 * p.da**2 + p.I2
    M33 = p.m3 * (p.sa**2 + p.sb**2) + p.I3
    eea = p.e - p.ea
    M44 = p.m4 * eea**2 + p.I4
    M54 = p.m4 * (eea**2 + p.zt * eea * np.sin(phi)) + p.I4
    M55 = p.m4 * (p.zt**2 + 2 * p.zt * eea * np.sin(phi) + eea**2) + p.m5 * (p.ta**2 + p.tb**2) + p.I4 + p.I5
    zff = p.zf - p.fa
    M66 = p.m6 * zff**2 + p.I6
    M76 = p.m6 * (zff**2 - p.u * zff * np.sin(Omega)) + p.I6
    M77 = p.m6 * (zff**2 - 2 * p.u * zff * np.sin(Omega) + p.u**2) + p.m7 * (p.ua**2 + p.ub**2) + p.I6 + p.I7
    return np.array([
        [M11, M21, 0.0, 0.0, 0.0, 0.0, 0.0],
        [M21, M22, 0.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, M33, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, M44, M54, 0.0, 0.0],
        [0.0, 0.0, 0.0, M54, M55, 0.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, 0.0, M66, M76],
        [0.0, 0.0, 0.0, 0.0, 0.0, M76, M77],
    ])  # fmt: skip


def spring(q: Any, p: Any) -> tuple[Any, Any, Any]:
    """Vector from C to D, and its length."""
    gamma = q[2]
    x = p.sd * np.cos(gamma) + p.sc * np.sin(gamma) + p.xb - p.xc
    y = p.sd * np.sin(gamma) - p.sc * np.cos(gamma) + p.yb - p.yc
    return x, y, np.sqrt(x**2 + y**2)


def f(q: Any, v: Any, p: Any) -> Any:
    _, Theta, gamma, phi, _, Omega, _ = q
    dbeta, dTheta, _, dphi, ddelta, dOmega, depsilon = v
    x, y, L = spring(q, p)
    force = -p.c0 * (L - p.l0) / L
    Fx, Fy = force * x, force * y
    return np.array([
        p.mom - p.m2 * p.da * p.rr * dTheta * (dTheta + 2 * dbeta) * np.sin(Theta),
        p.m2 * p.da * p.rr * dbeta**2 * np.sin(Theta),
        Fx * (p.sc * np.cos(gamma) - p.sd * np.sin(gamma)) + Fy * (p.sd * np.cos(gamma) + p.sc * np.sin(gamma)),
        p.m4 * p.zt * (p.e - p.ea) * ddelta**2 * np.cos(phi),
        -p.m4 * p.zt * (p.e - p.ea) * dphi * (dphi + 2 * ddelta) * np.cos(phi),
        -p.m6 * p.u * (p.zf - p.fa) * depsilon**2 * np.cos(Omega),
        p.m6 * p.u * (p.zf - p.fa) * dOmega * (dOmega + 2 * depsilon) * np.cos(Omega),
    ])  # fmt: skip


def g(q: Any, p: Any) -> Any:
    beta, Theta, gamma, phi, delta, Omega, epsilon = q
    Ex = p.rr * np.cos(beta) - p.d * np.cos(beta + Theta)
    Ey = p.rr * np.sin(beta) - p.d * np.sin(beta + Theta)
    return np.array([
        Ex - p.ss * np.sin(gamma) - p.xb,
        Ey + p.ss * np.cos(gamma) - p.yb,
        Ex - p.e * np.sin(phi + delta) - p.zt * np.cos(delta) - p.xa,
        Ey + p.e * np.cos(phi + delta) - p.zt * np.sin(delta) - p.ya,
        Ex - p.zf * np.cos(Omega + epsilon) - p.u * np.sin(epsilon) - p.xa,
        Ey - p.zf * np.sin(Omega + epsilon) + p.u * np.cos(epsilon) - p.ya,
    ])  # fmt: skip


def energy_balance(t: Any, q: Any, v: Any, p: Any) -> Any:
    """Kinetic energy and energy of the spring, less the work of the motor."""
    _, _, L = spring(q, p)
    return 0.5 * v @ M(q, p) @ v + 0.5 * p.c0 * (L - p.l0) ** 2 - p.mom * q[0]


def point_F(q: Any, p: Any) -> tuple[Any, Any]:
    """The end of the crank, which the IFToMM benchmark observes."""
    return p.rr * np.cos(q[0]), p.rr * np.sin(q[0])


def sketch(t: Any, q: Any, p: Any) -> dict[str, Points]:
    """The seven bodies and the spring."""
    beta, Theta, gamma, _, delta, _, epsilon = q
    O, A, B, C = (0.0, 0.0), (p.xa, p.ya), (p.xb, p.yb), (p.xc, p.yc)
    F = point_F(q, p)
    E = (F[0] - p.d * np.cos(beta + Theta), F[1] - p.d * np.sin(beta + Theta))
    D = (
        p.xb + p.sd * np.cos(gamma) + p.sc * np.sin(gamma),
        p.yb + p.sd * np.sin(gamma) - p.sc * np.cos(gamma),
    )
    G = (p.xa + p.zt * np.cos(delta), p.ya + p.zt * np.sin(delta))
    H = (p.xa + p.u * np.sin(epsilon), p.ya - p.u * np.cos(epsilon))
    bodies = {
        "K1": (O, F), "K2": (F, E), "K3": (B, D, E, B), "K4": (G, E), "K5": (A, G), "K6": (H, E), "K7": (A, H),
        "spring": (C, D),
    }  # fmt: skip
    return {name: polyline(q, *points) for name, points in bodies.items()}


START = Reference(
    0.0,
    q=[-0.0617138900142764496, 0.0, 0.455279819163070380, 0.222668390165885885, 0.487364979543842550,
       -0.222668390165885885, 1.23054744454982119],
    v=np.zeros(7),
    a=[14222.4439199541138706, -10666.8329399655854, 0.0, 0.0, 0.0, 0.0, 0.0],
    lam=[98.5668703962410896, -6.12268834425566266, 0.0, 0.0, 0.0, 0.0],
    digits=15,
    source="Test Set for IVP Solvers, consistent initial values",
)  # fmt: skip

PUBLISHED = Reference(
    0.03,
    q=[15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948, 0.5244099658805303,
       0.5347301163226948, 1.048080741042263],
    v=[1139.920302151208, -1424.379294994111, 11.03291221937134, 19.29337464421385, 0.5735699284790808,
       -19.29337464421385, 0.3231791658026955],
    a=[-24631.76316945196, 51850.37701610329, 324102.5686413781, 566749.3645176213, 16743.62929479361,
       -566749.3645176222, 9826.520791458423],
    lam=[199.175333373191, -29.75531228015052, 23.06654119098399, 31.45271365475927, 22.64249232082739,
         11.61740700019673],
    digits={"q": 9.5, "v": 7, "a": 5.5, "lam": 5.5},
    source="Test Set for IVP Solvers. Its energy balance is off by 2e-10 J and |G v| = 1e-9; against the "
    "recomputed values, positions differ by 3e-10, velocities 5e-8, accelerations and multipliers 1.3e-6, relative",
)  # fmt: skip

RECOMPUTED = Reference(
    0.03,
    q=[15.8107711951537, -15.7563710584118, 0.0408222401196458, -0.534730116342079, 0.524409965879954,
       0.534730116342079, 1.04808074104194],
    v=[1139.920302259, -1424.379295178, 11.03291191062, 19.29337410503, 0.5735699148295, -19.29337410503,
       0.3231791492491],
    a=[-24631.76312288, 51850.31963647, 324102.6007076, 566749.422001, 16743.63541835, -566749.422001,
       9826.507801544],
    lam=[199.1753481045, -29.75530997497, 23.06654361162, 31.45272527577, 22.64249478639, 11.61739235261],
    digits={"q": 13, "v": 12, "a": 11.5, "lam": 11.5},
    source="recomputed by extrapolation of order 14 in 80-bit arithmetic; 600 and 900 steps agree to about 13 digits",
)  # fmt: skip


def seven_body() -> Problem:
    """Seven-body mechanism (Andrews' squeezing mechanism) over 0.03 s: 7 angles, 6 constraints."""
    return Problem(
        "seven_body",
        title="Seven-body mechanism",
        story=STORY,
        citation=CITATION,
        coordinates=COORDINATES,
        constraints=[f"loop {angle}.{axis}" for angle in ("gamma", "delta", "epsilon") for axis in "xy"],
        parameters=PARAMETERS,
        functions={"M": M, "f": f, "g": g},
        span=(0.0, 0.03),
        q0=START.q,  # type: ignore[arg-type]
        v0=START.v,  # type: ignore[arg-type]
        references=(START, RECOMPUTED, PUBLISHED),
        invariant=energy_balance,
        sketch=sketch,
    )


A03_STORY = """\
The seven-body mechanism as benchmark A03 of the IFToMM library: the same data, but 0.05 s long, in which the crank
turns more than five times. The benchmark observes the point F at the end of the crank and the balance of energy.
"""

A03_CITATION = """\
M. González, D. Dopico, U. Lugrís, J. Cuadrado, A benchmarking system for MBS simulation software: problem \
standardization and performance measurement, Multibody System Dynamics 16 (2006) 179-190; IFToMM library of \
computational benchmark problems, A03.
"""

A03_SOURCE = """\
recomputed with an explicit method of order 8, tolerances 1e-12 and 2e-13 compared; an independent run gave the same \
q to 7 decimals and F(0.05) = (-0.0052085047, 0.0046766953)"""


def a03() -> Problem:
    """IFToMM A03, Andrews' mechanism: the seven-body mechanism over 0.05 s."""
    return replace(
        seven_body(),
        name="a03",
        title="IFToMM A03: Andrews' mechanism",
        story=A03_STORY,
        citation=A03_CITATION,
        span=(0.0, 0.05),
        references=(START, RECOMPUTED, PUBLISHED, recomputed("a03", A03_SOURCE)),
    )
