"""The articulated-body algorithm written by hand in Numba, and reference solutions with it.

RBDA table 7.1 (R. Featherstone, Rigid Body Dynamics Algorithms, Springer 2008) with 6×6 matrices, for trees of revolute
joints.  It shares no code with what is compared, and takes any number of links; its own speed is no aim.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import numba
import numpy as np

from _trees import END, GRAVITY, LENGTH, REFERENCES, Tree, hanging_chain

ForwardDynamics = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
AXIS = 2  # the joint turns about z: component of spatial vectors (angular, linear)


@numba.njit
def _cross_matrix(p: Any) -> Any:
    return np.array([[0.0, -p[2], p[1]], [p[2], 0.0, -p[0]], [-p[1], p[0], 0.0]])


@numba.njit
def _transform(E: Any, p: Any, angle: float, X: Any) -> None:
    """Motion vectors of a link from those of its parent: X = [Rᵀ, 0; −Rᵀ [p]×, Rᵀ] with R = E Rz."""
    c, s = np.cos(angle), np.sin(angle)
    P = _cross_matrix(p)
    for j in range(3):
        e0, e1 = E[j, 0], E[j, 1]
        X[0, j], X[1, j], X[2, j] = e0 * c + e1 * s, e1 * c - e0 * s, E[j, 2]
    for i in range(3):
        for j in range(3):
            X[3 + i, 3 + j] = X[i, j]
            X[i, 3 + j] = 0.0
            X[3 + i, j] = -(X[i, 0] * P[0, j] + X[i, 1] * P[1, j] + X[i, 2] * P[2, j])


@numba.njit
def _bias(I: Any, v: Any, p: Any) -> None:
    """v ×* I v"""
    h = np.zeros(6)
    for j in range(6):
        for k in range(6):
            h[j] += I[j, k] * v[k]
    p[:3] = np.cross(v[:3], h[:3]) + np.cross(v[3:], h[3:])
    p[3:] = np.cross(v[:3], h[3:])


@numba.njit
def _articulated_body(
    parents: Any, E: Any, p: Any, inertias: Any, q: Any, qd: Any, tau: Any, X: Any, v: Any, c: Any, A: Any, b: Any
) -> Any:
    """Accelerations of the joints; the last five arguments are workspace."""
    n = len(parents)
    for i in range(n):
        _transform(E[i], p[i], q[i], X[i])
        v[i] = 0.0
        if parents[i] >= 0:
            before = v[parents[i]]
            for j in range(6):
                for k in range(6):
                    v[i, j] += X[i, j, k] * before[k]
        # v × S qd, with v before or after S qd is added to it
        w, u = v[i], qd[i]
        c[i, 0], c[i, 1], c[i, 2] = w[1] * u, -w[0] * u, 0.0
        c[i, 3], c[i, 4], c[i, 5] = w[4] * u, -w[3] * u, 0.0
        v[i, AXIS] += u
        A[i] = inertias[i]
        _bias(inertias[i], v[i], b[i])
    free, D = np.zeros(n), np.zeros(n)
    half, a = np.zeros((6, 6)), np.zeros(6)
    for i in range(n - 1, -1, -1):
        U = A[i, AXIS]
        D[i] = U[AXIS]
        free[i] = tau[i] - b[i, AXIS]
        if parents[i] < 0:
            continue
        for j in range(6):
            a[j] = b[i, j] + U[j] * (free[i] / D[i])
            for k in range(6):
                a[j] += (A[i, j, k] - U[j] * U[k] / D[i]) * c[i, k]
            for k in range(6):
                half[j, k] = 0.0
                for l in range(6):
                    half[j, k] += (A[i, j, l] - U[j] * U[l] / D[i]) * X[i, l, k]
        before = parents[i]
        for j in range(6):
            for k in range(6):
                b[before, j] += X[i, k, j] * a[k]
                for l in range(6):
                    A[before, j, k] += X[i, l, j] * half[l, k]
    result = np.zeros(n)
    for i in range(n):
        a[:] = c[i]
        if parents[i] >= 0:
            for j in range(6):
                for k in range(6):
                    a[j] += X[i, j, k] * v[parents[i], k]
        else:
            for j in range(6):
                a[j] += X[i, j, 5] * GRAVITY
        result[i] = free[i]
        for j in range(6):
            result[i] -= A[i, AXIS, j] * a[j]
        result[i] /= D[i]
        v[i] = a  # velocities are needed no more; accelerations take their place
        v[i, AXIS] += result[i]
    return result


def forward_dynamics(tree: Tree) -> ForwardDynamics:
    """From angles, velocities and torques to accelerations."""
    n = tree.size
    parents = np.array([link.parent for link in tree.links])
    E = np.array([link.rotation for link in tree.links], dtype=float)
    p = np.array([link.offset for link in tree.links], dtype=float)
    inertias = np.zeros((n, 6, 6))
    for I, link in zip(inertias, tree.links, strict=True):
        C = _cross_matrix(np.array(link.com, dtype=float))
        I[:3, :3] = np.array(link.inertia) - link.mass * C @ C
        I[:3, 3:], I[3:, :3], I[3:, 3:] = link.mass * C, -link.mass * C, link.mass * np.eye(3)
    work = np.zeros((n, 6, 6)), np.zeros((n, 6)), np.zeros((n, 6)), np.zeros((n, 6, 6)), np.zeros((n, 6))

    def accelerations(q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
        result: np.ndarray = _articulated_body(parents, E, p, inertias, q, v, tau, *work)
        return result

    return accelerations


@cache
def reference(n: int) -> np.ndarray:
    """Joint angles of the hanging chain after one second: from the file, or integrated and put there."""
    file = REFERENCES / f"hanging_chain_{n}.json"
    if not file.exists():
        from scipy.integrate import solve_ivp

        tree, zero = hanging_chain(n), np.zeros(n)
        accelerations = forward_dynamics(tree)

        def right(t: float, y: np.ndarray) -> np.ndarray:
            return np.concatenate([y[n:], accelerations(y[:n], y[n:], zero)])

        start = np.concatenate([tree.start, zero])
        ends = [
            solve_ivp(right, (0.0, END), start, "DOP853", [END], rtol=tolerance, atol=tolerance).y[:n, -1]
            for tolerance in (1e-9, 1e-11)
        ]
        content = {
            "chain": f"{n} links, {LENGTH:g} m and {LENGTH:g} kg, from rest, t = {END:g} s; see _trees.py",
            "method": "articulated-body algorithm, DOP853, tolerance 1e-11",
            "largest difference to tolerance 1e-9": float(np.abs(ends[0] - ends[1]).max()),
            "angles": [float(f"{angle:.13g}") for angle in ends[1]],
        }
        REFERENCES.mkdir(exist_ok=True)
        file.write_text(json.dumps(content, indent=0) + "\n")
    return np.array(json.loads(file.read_text())["angles"])
