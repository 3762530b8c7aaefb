"""Systems for the tests, as functions of numbers and of atoms alike, and differences of what they return."""

from __future__ import annotations

import inspect
from types import SimpleNamespace

import numpy as np

import dalembert as da
from dalembert.equations.contract.convention import OUTPUTS

PARAMETERS = {"m": 1.3, "J": [0.2, 0.3, 0.5], "g": 9.81, "r": 0.4, "mu": 0.3}


class Rolling:
    """A made-up system with everything: T ≠ I, time-dependent and nonholonomic constraints, friction, u, w.

    q = (x, y, ψ, s), v = (v₁, v₂, v₃) with v₁, v₂ along the axes of the body; one constraint on positions, one on
    velocities.
    """

    n_q, n_v, n_u = 4, 3, 2

    @staticmethod
    def T(q):
        c, s = np.cos(q[2]), np.sin(q[2])
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0], [0.1 * q[0], 0.0, 1.0 + 0.2 * q[3]]])

    @staticmethod
    def M(q, p):
        coupling = 0.1 * np.sin(q[2]) * p.m
        return np.array([[p.m, 0.0, coupling], [0.0, 2.0 * p.m, 0.0], [coupling, 0.0, p.J[0] + p.J[2] * q[3] ** 2]])

    @staticmethod
    def f(t, q, v, lam, u, w, p):
        return np.array([
            -p.g * np.sin(q[2]) + w[0] - 0.1 * v[0] ** 2,
            u[0] * v[1] - p.mu * lam[0],
            p.J[1] * np.tanh(v[2]) + w[1] * u[1] + 0.05 * lam[1] + t,
        ])  # fmt: skip

    @staticmethod
    def g(t, q, w, p):
        return np.array([q[0] ** 2 + q[1] * q[3] - 0.3 * np.cos(t) + 0.1 * w[0] - p.r])

    @staticmethod
    def nonholonomic(t, q, v, p):
        return np.array([v[1] * np.cos(q[2]) - p.r * v[2] + 0.2 * q[0] * t])

    @staticmethod
    def d(v, lam, u, p):
        return np.array([-u[0] + v[0], p.g * u[1] * lam[0]])

    @staticmethod
    def w(t, p):
        return np.array([np.sin(2.0 * t), p.m * t**2])

    @classmethod
    def equations(cls):
        functions = {key: getattr(cls, key) for key in ("T", "M", "f", "g", "nonholonomic", "d", "w")}
        return da.trace(**functions, n_q=4, n_v=3, n_u=2, parameters=PARAMETERS, name="rolling")


def call(function, parameters=None, **values):
    """A function of the contract at numbers."""
    given = {key: np.array(value, dtype=float) for key, value in (parameters or {}).items()}
    values = {**values, "p": SimpleNamespace(**given)}
    return np.asarray(function(**{name: values[name] for name in inspect.signature(function).parameters}))


def difference(function, x, h=1e-3):
    """Derivative of a function of one number at x, of sixth order."""
    terms = zip((45, -9, 1), (1, 2, 3), strict=True)
    return sum(c * (function(x + k * h) - function(x - k * h)) for c, k in terms) / (60 * h)


def jacobian(function, x, h=1e-3):
    """Matrix of derivatives of a vector-valued function at the vector x."""
    x = np.asarray(x, dtype=float)
    return np.column_stack([difference(lambda s, e=e: function(x + s * e), 0.0, h) for e in np.eye(len(x))])


def kkt(M, G, f, gamma, F=None):
    """Accelerations and multipliers by a dense solver."""
    m = len(G)
    top = G.T if F is None else G.T - F
    x = np.linalg.solve(np.block([[M, top], [G, np.zeros((m, m))]]), np.concatenate([f, gamma]))
    return x[: len(M)], x[len(M) :]


def four_bar(extra=(), name="four-bar", lengths=(1.0, 2.0, 1.5, 2.2)):
    """Crank, coupler and rocker in absolute coordinates (x, y, φ) each, hinged to the ground at (0, 0) and (d, 0).

    Each of ``extra`` is one more bar between a place on the crank and one on the rocker, as its two distances from
    the ground hinges and its length.
    """
    a, b, c, d = lengths
    half = [a / 2, b / 2, c / 2]

    def end(q, bar, sign):
        x, y, phi = q[3 * bar : 3 * bar + 3]
        return np.array([x + sign * half[bar] * np.cos(phi), y + sign * half[bar] * np.sin(phi)])

    def g(q):
        rows = [
            *end(q, 0, -1.0), *(end(q, 1, -1.0) - end(q, 0, 1.0)), *(end(q, 2, 1.0) - end(q, 1, 1.0)),
            *(end(q, 2, -1.0) - np.array([d, 0.0])),
        ]  # fmt: skip
        for first, second, length in extra:
            p1 = first * np.array([np.cos(q[2]), np.sin(q[2])])
            p2 = np.array([d, 0.0]) + second * np.array([np.cos(q[8]), np.sin(q[8])])
            rows.append((p2 - p1) @ (p2 - p1) - length**2)
        return np.array(rows)

    masses = np.array([a, a, a**3 / 12, b, b, b**3 / 12, c, c, c**3 / 12])
    weight = -9.81 * masses * np.array([0, 1, 0] * 3)
    names = [f"{x}{bar}" for bar in ("crank", "coupler", "rocker") for x in ("x_", "y_", "phi_")]
    rows = [f"{hinge}.{x}" for hinge in ("ground A", "hinge B", "hinge C", "ground D") for x in "xy"]
    rows += [f"bar {k}" for k in range(len(extra))]
    return da.trace(
        M=lambda: np.diag(masses), f=lambda: weight, g=g, n_q=9, names={"q": names, "lam": rows}, name=name
    )  # fmt: skip


def parallelogram(extra=((0.5, 0.5, 2.0),)):
    """Four-bar whose third bar is superfluous."""
    return four_bar(extra, "parallelogram", (1.0, 2.0, 1.0, 2.0))


def parallelogram_start(phi):
    c, s = np.cos(phi), np.sin(phi)
    return [0.5 * c, 0.5 * s, phi, 1.0 + c, s, 0.0, 2.0 + 0.5 * c, 0.5 * s, phi]


def implicit_rows(equations, x, t):
    """All residuals of the program "implicit" as one vector, of all unknowns as one vector."""
    s = equations.sizes
    counts = {"q": s.q, "v": s.v, "a": s.v, "lam": s.lam, "mu": s.g, "u": s.u}
    parts = np.split(x, np.cumsum(list(counts.values()))[:-1])
    inputs = {"p": equations.parameter_vector(), "t": np.array([t]), **dict(zip(counts, parts, strict=True))}
    out = equations.program("implicit")(OUTPUTS["implicit"], inputs)
    rows = np.concatenate([out[name] for name in ("qdot", "residual", "g", "gv", "d")])
    return rows, equations.program("implicit").patterns["jacobian"].dense(out["jacobian"])
