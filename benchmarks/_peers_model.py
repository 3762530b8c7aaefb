"""The seven-body mechanism as plain scalar Python, and the forms of its equations that other packages integrate.

Everything is written for any scalars (atoms, CasADi's SX, floats), so that all packages get the same expressions.

index 1   v̇ from M, f, G and the second derivative of g, by an L D Lᵀ elimination that follows the zeros of the matrix
GGL       q̇ = v − Gᵀ μ,  M v̇ = f − Gᵀ λ,  0 = g,  0 = G v                 (Gear, Gupta, Leimkuhler 1985; index 2)
Gear      as GGL, with λ = Λ̇ and μ = η̇, where Λ and η are unknowns in their place (Gear 1988; index 1)

Problem and numbers: Hairer & Wanner, Solving Ordinary Differential Equations II, VII.7.  The state at t = 0.03 was
recomputed in extended precision and is good for 13 digits; the published one for 9.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

N_Q, N_G = 7, 6
SPAN = (0.0, 0.03)
NAMES = ("beta", "Theta", "gamma", "phi", "delta", "Omega", "epsilon")
Q0 = np.array(
    [
        -0.0617138900142764496358948458001,
        0.0,
        0.455279819163070380255912382449,
        0.222668390165885884674473185609,
        0.487364979543842550225598953530,
        -0.222668390165885884674473185609,
        1.23054744454982119249735015568,
    ]
)
V0 = np.zeros(N_Q)
REFERENCE = np.array(
    [
        15.8107711951537,
        -15.7563710584118,
        0.0408222401196458,
        -0.534730116342079,
        0.524409965879954,
        0.534730116342079,
        1.04808074104194,
    ]
)
# fmt: off
PARAMETERS = SimpleNamespace(
    m1=.04325, m2=.00365, m3=.02373, m4=.00706, m5=.07050, m6=.00706, m7=.05498, mom=.033,
    I1=2.194e-6, I2=4.410e-7, I3=5.255e-6, I4=5.667e-7, I5=1.169e-5, I6=5.667e-7, I7=1.912e-5,
    c0=4530., l0=.07785, xa=-.06934, ya=-.00227, xb=-.03635, yb=.03273, xc=.014, yc=.072,
    d=.028, da=.0115, e=.02, ea=.01421, rr=.007, ra=.00092, ss=.035, sa=.01874, sb=.01043, sc=.018, sd=.02,
    ta=.02308, tb=.00916, u=.04, ua=.01228, ub=.00449, zf=.02, zt=.04, fa=.01421,
)
# fmt: on


def digits(q: Any) -> float:
    """Correct digits of the positions at the end: −log10 of the largest relative error."""
    error = float(np.abs((np.asarray(q) - REFERENCE) / REFERENCE).max())
    return -math.log10(error) if 0.0 < error < math.inf else (-math.inf if error else 16.0)


@dataclass(frozen=True)
class Functions:
    """The elementary functions of the scalars in use."""

    sin: Callable[[Any], Any] = math.sin
    cos: Callable[[Any], Any] = math.cos
    sqrt: Callable[[Any], Any] = math.sqrt


def mass_matrix(q: Sequence[Any], use: Functions) -> dict[tuple[int, int], Any]:
    """Lower triangle of M, without zeros."""
    p = PARAMETERS
    _, th, _, ph, _, om, _ = q
    sin, cos = use.sin, use.cos
    e, f = p.e - p.ea, p.zf - p.fa
    return {
        (0, 0): p.m1 * p.ra**2 + p.m2 * (p.rr**2 - 2 * p.da * p.rr * cos(th) + p.da**2) + p.I1 + p.I2,
        (1, 0): p.m2 * (p.da**2 - p.da * p.rr * cos(th)) + p.I2,
        (1, 1): p.m2 * p.da**2 + p.I2,
        (2, 2): p.m3 * (p.sa**2 + p.sb**2) + p.I3,
        (3, 3): p.m4 * e**2 + p.I4,
        (4, 3): p.m4 * (e**2 + p.zt * e * sin(ph)) + p.I4,
        (4, 4): p.m4 * (p.zt**2 + 2 * p.zt * e * sin(ph) + e**2) + p.m5 * (p.ta**2 + p.tb**2) + p.I4 + p.I5,
        (5, 5): p.m6 * f**2 + p.I6,
        (6, 5): p.m6 * (f**2 - p.u * f * sin(om)) + p.I6,
        (6, 6): p.m6 * (f**2 - 2 * p.u * f * sin(om) + p.u**2) + p.m7 * (p.ua**2 + p.ub**2) + p.I6 + p.I7,
    }


def forces(q: Sequence[Any], v: Sequence[Any], use: Functions) -> list[Any]:
    """f(q, v)."""
    p = PARAMETERS
    _, th, ga, ph, _, om, _ = q
    v_be, v_th, _, v_ph, v_de, v_om, v_ep = v
    sin, cos = use.sin, use.cos
    e, f = p.e - p.ea, p.zf - p.fa
    xd = p.sd * cos(ga) + p.sc * sin(ga) + p.xb
    yd = p.sd * sin(ga) - p.sc * cos(ga) + p.yb
    L = use.sqrt((xd - p.xc) ** 2 + (yd - p.yc) ** 2)
    F = -p.c0 * (L - p.l0) / L
    Fx, Fy = F * (xd - p.xc), F * (yd - p.yc)
    return [
        p.mom - p.m2 * p.da * p.rr * v_th * (v_th + 2 * v_be) * sin(th),
        p.m2 * p.da * p.rr * v_be**2 * sin(th),
        Fx * (p.sc * cos(ga) - p.sd * sin(ga)) + Fy * (p.sd * cos(ga) + p.sc * sin(ga)),
        p.m4 * p.zt * e * v_de**2 * cos(ph),
        -p.m4 * p.zt * e * v_ph * (v_ph + 2 * v_de) * cos(ph),
        -p.m6 * p.u * f * v_ep**2 * cos(om),
        p.m6 * p.u * f * v_om * (v_om + 2 * v_ep) * cos(om),
    ]


def constraints(q: Sequence[Any], use: Functions) -> list[Any]:
    """g(q)."""
    p = PARAMETERS
    be, th, ga, ph, de, om, ep = q
    sin, cos = use.sin, use.cos
    x = p.rr * cos(be) - p.d * cos(be + th)
    y = p.rr * sin(be) - p.d * sin(be + th)
    return [
        x - p.ss * sin(ga) - p.xb,
        y + p.ss * cos(ga) - p.yb,
        x - p.e * sin(ph + de) - p.zt * cos(de) - p.xa,
        y + p.e * cos(ph + de) - p.zt * sin(de) - p.ya,
        x - p.zf * cos(om + ep) - p.u * sin(ep) - p.xa,
        y - p.zf * sin(om + ep) + p.u * cos(ep) - p.ya,
    ]


def constraint_matrix(q: Sequence[Any], use: Functions) -> dict[tuple[int, int], Any]:
    """G = ∂g/∂q, without zeros."""
    p = PARAMETERS
    be, th, ga, ph, de, om, ep = q
    sin, cos = use.sin, use.cos
    x_th, y_th = p.d * sin(be + th), -p.d * cos(be + th)
    G = {}
    for row in (0, 2, 4):
        G[row, 0], G[row, 1] = x_th - p.rr * sin(be), x_th
        G[row + 1, 0], G[row + 1, 1] = y_th + p.rr * cos(be), y_th
    G[0, 2], G[1, 2] = -p.ss * cos(ga), -p.ss * sin(ga)
    G[2, 3], G[3, 3] = -p.e * cos(ph + de), -p.e * sin(ph + de)
    G[2, 4], G[3, 4] = G[2, 3] + p.zt * sin(de), G[3, 3] - p.zt * cos(de)
    G[4, 5], G[5, 5] = p.zf * sin(om + ep), -p.zf * cos(om + ep)
    G[4, 6], G[5, 6] = G[4, 5] - p.u * cos(ep), G[5, 5] - p.u * sin(ep)
    return G


def acceleration_terms(q: Sequence[Any], v: Sequence[Any], use: Functions) -> list[Any]:
    """γ = −Ġ v, the right-hand side of G v̇ = γ."""
    p = PARAMETERS
    be, th, ga, ph, de, om, ep = q
    sin, cos = use.sin, use.cos
    w = [v[0] ** 2, (v[0] + v[1]) ** 2, v[2] ** 2, (v[3] + v[4]) ** 2, v[4] ** 2, (v[5] + v[6]) ** 2, v[6] ** 2]
    x = p.rr * cos(be) * w[0] - p.d * cos(be + th) * w[1]
    y = p.rr * sin(be) * w[0] - p.d * sin(be + th) * w[1]
    return [
        x - p.ss * sin(ga) * w[2],
        y + p.ss * cos(ga) * w[2],
        x - p.e * sin(ph + de) * w[3] - p.zt * cos(de) * w[4],
        y + p.e * cos(ph + de) * w[3] - p.zt * sin(de) * w[4],
        x - p.zf * cos(om + ep) * w[5] - p.u * sin(ep) * w[6],
        y - p.zf * sin(om + ep) * w[5] + p.u * cos(ep) * w[6],
    ]


# ------------------------------------------------------------------------- forms of the equations


def accelerations(q: Sequence[Any], v: Sequence[Any], use: Functions) -> list[Any]:
    """v̇ and λ of the index-1 form."""
    entries = dict(mass_matrix(q, use))
    entries |= {(N_Q + i, j): value for (i, j), value in constraint_matrix(q, use).items()}
    return solve_symmetric(entries, [*forces(q, v, use), *acceleration_terms(q, v, use)], N_Q)


def derivatives(y: Sequence[Any], use: Functions) -> list[Any]:
    """ẏ of the index-1 form, y = (q, v)."""
    q, v = list(y[:N_Q]), list(y[N_Q : 2 * N_Q])
    return [*v, *accelerations(q, v, use)[:N_Q]]


def stabilised(
    y: Sequence[Any], q_dot: Sequence[Any], v_dot: Sequence[Any], lam: Sequence[Any], mu: Sequence[Any], use: Functions
) -> list[Any]:
    """Residuals of the GGL and Gear forms: kinematics, dynamics, constraints on position and on velocity."""
    q, v = list(y[:N_Q]), list(y[N_Q : 2 * N_Q])
    M, G = mass_matrix(q, use), constraint_matrix(q, use)
    kinematics = [q_dot[i] - v[i] for i in range(N_Q)]
    dynamics = [-f for f in forces(q, v, use)]
    rates: list[Any] = [0.0] * N_G
    for (i, j), value in M.items():
        dynamics[i] = dynamics[i] + value * v_dot[j]
        if i != j:
            dynamics[j] = dynamics[j] + value * v_dot[i]
    for (i, j), value in G.items():
        kinematics[j] = kinematics[j] + value * mu[i]
        dynamics[j] = dynamics[j] + value * lam[i]
        rates[i] = rates[i] + value * v[j]
    return [*kinematics, *dynamics, *constraints(q, use), *rates]


def residuals(form: str, y: Sequence[Any], y_dot: Sequence[Any], use: Functions) -> list[Any]:
    """F(y, ẏ) of "ggl", y = (q, v, λ, μ), or "gear", y = (q, v, Λ, η)."""
    n, end = 2 * N_Q, 2 * N_Q + N_G
    source = y if form == "ggl" else y_dot
    return stabilised(y, y_dot[:N_Q], y_dot[N_Q:n], source[n:end], source[end : end + N_G], use)


def start(form: str) -> tuple[np.ndarray, np.ndarray]:
    """Consistent y and ẏ at t = 0."""
    x = np.array(accelerations(list(Q0), list(V0), Functions()), dtype=float)
    a, lam, zero = x[:N_Q], x[N_Q:], np.zeros(N_G)
    if form == "ode":
        return np.concatenate([Q0, V0]), np.concatenate([V0, a])
    if form == "ggl":
        return np.concatenate([Q0, V0, lam, zero]), np.concatenate([V0, a, zero, zero])
    return np.concatenate([Q0, V0, zero, zero]), np.concatenate([V0, a, lam, zero])


def drift(y: Any) -> tuple[float, float]:
    """max |g| and max |G v| over the states y: (q, v, …) by columns, or one of them."""
    y = np.asarray(y, dtype=float)
    y = y.reshape(len(y), -1)
    use = Functions(np.sin, np.cos, np.sqrt)
    q, v = y[:N_Q], y[N_Q : 2 * N_Q]
    rates = np.zeros((N_G, y.shape[1]))
    for (i, j), value in constraint_matrix(q, use).items():
        rates[i] += value * v[j]
    return float(np.abs(np.array(constraints(q, use))).max()), float(np.abs(rates).max())


# ----------------------------------------------------------------------------------- elimination


def solve_symmetric(entries: Mapping[tuple[int, int], Any], right: Sequence[Any], n_q: int) -> list[Any]:
    """Solution of A x = b for A = [[M, Gᵀ], [G, 0]], given the non-zeros of its lower triangle.

    Pivots are taken on the diagonal, the row of a constraint after all coordinates in it, and among those allowed the
    one with the fewest neighbours.  M positive definite and G of full rank make every pivot safe.
    """
    n = len(right)
    rows: list[dict[int, Any]] = [{} for _ in range(n)]
    for (i, j), value in entries.items():
        rows[i][j] = rows[j][i] = value
    waiting = [{j for j in rows[i] if j < n_q} if i >= n_q else set() for i in range(n)]
    b, left, order, factors = list(right), set(range(n)), [], {}
    while left:
        k = min((i for i in left if not waiting[i]), key=lambda i: (len(rows[i].keys() & left), i))
        left.discard(k)
        order.append(k)
        others = sorted(rows[k].keys() & left)
        inverse = 1.0 / rows[k][k]
        for i in others:
            factors[i, k] = factor = rows[k][i] * inverse
            for j in others:
                if j <= i:
                    product = factor * rows[k][j]
                    rows[i][j] = rows[j][i] = rows[i][j] - product if j in rows[i] else -product
            b[i] = b[i] - factor * b[k]
        b[k] = b[k] * inverse
        for i in left:
            waiting[i].discard(k)
    for position in range(n - 1, -1, -1):
        k = order[position]
        for i in order[position + 1 :]:
            if (i, k) in factors:
                b[k] = b[k] - factors[i, k] * b[i]
    return b
