"""Formulas of spatial bodies as elements: q = (r, p) with Euler parameters, v = (ṙ, ω) in the axes of the body."""

import numpy as np

from dalembert.equations import Sizes
from dalembert.equations.builders.trace import symbols_for
from dalembert.equations.contract.expressions import Expressions
from dalembert.symbolic import zeros


def rotation(p):
    """From Euler parameters, scalar first; of p of any length, homogeneous of degree two."""
    a, b, c, d = p
    return np.array([
        [a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
        [2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)],
        [2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d],
    ])  # fmt: skip


def pose_T(q):
    """ṙ = v, ṗ = ½ p ∘ ω."""
    a, b, c, d = q[3:7]
    T = np.zeros((7, 6), dtype=object)
    for i in range(3):
        T[i, i] = 1.0
    T[3:, 3:] = 0.5 * np.array([[-b, -c, -d], [a, -d, c], [d, a, -b], [-c, b, a]])
    return T


def normal_pose(q):
    return np.array([*q[:3], *(q[3:7] / np.sqrt(q[3:7] @ q[3:7]))])


def poses_T(q):
    T = np.zeros((len(q), len(q) // 7 * 6), dtype=object)
    for k in range(len(q) // 7):
        T[7 * k : 7 * k + 7, 6 * k : 6 * k + 6] = pose_T(q[7 * k : 7 * k + 7])
    return T


def place(q, s):
    return q[:3] + rotation(q[3:7]) @ s


def inertia(m, J):
    return np.diag([m, m, m, *J])


def body_force(v, m, J, g):
    omega = v[3:6]
    return np.array([0.0, 0.0, -m * g, *(-np.cross(omega, J * omega))])


def spherical(q, s1, s2):
    return place(q[:7], s1) - place(q[7:14], s2)


def local_inputs(k_q, k_v, m, parameters=()):
    inputs = symbols_for(Sizes(k_q, k_v, m, m, 0, 0), dict.fromkeys(parameters, 0.0), "type")
    return inputs["t"][0].graph, inputs, dict(zip(parameters, inputs["p"], strict=True))


def body_type():
    graph, x, p = local_inputs(7, 6, 0, ("m", "J1", "J2", "J3", "g"))
    J = np.array([p["J1"], p["J2"], p["J3"]])
    return Expressions(
        graph, x, M=inertia(p["m"], J), f=body_force(x["v"], p["m"], J, p["g"]), g=zeros((0,)), T=pose_T(x["q"]),
        normal=normal_pose(x["q"]),
    )  # fmt: skip
