"""Matrices of a beam in space, assembled by hand."""

import numpy as np

from dalembert.elastic import FiniteElements


def euler_frame(n=8, L=2.0, E=7e10, b=0.05, rho=2700.0):
    """Matrices of a beam in space as other programs write them: 6 components for each node, made here by hand."""
    A, I, J, G = b * b, b**4 / 12, b**4 / 7.1, E / 2.6
    h = L / n
    size = 6 * (n + 1)
    K, M = np.zeros((size, size)), np.zeros((size, size))
    bend = np.array([[12, 6 * h, -12, 6 * h], [6 * h, 4 * h * h, -6 * h, 2 * h * h],
                     [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h * h, -6 * h, 4 * h * h]]) / h**3  # fmt: skip
    move = np.array([[156, 22 * h, 54, -13 * h], [22 * h, 4 * h * h, 13 * h, -3 * h * h],
                     [54, 13 * h, 156, -22 * h], [-13 * h, -3 * h * h, -22 * h, 4 * h * h]])  # fmt: skip
    move = move * rho * A * h / 420
    line, pair = np.array([[1, -1], [-1, 1]]) / h, np.array([[2, 1], [1, 2]]) * h / 6
    for e in range(n):
        for local, stiffness, mass, signs in (
            ([0, 6], E * A * line, rho * A * pair, None), ([3, 9], G * J * line, rho * 2 * I * pair, None),
            ([1, 5, 7, 11], E * I * bend, move, [1, 1, 1, 1]), ([2, 4, 8, 10], E * I * bend, move, [1, -1, 1, -1]),
        ):  # fmt: skip
            at = np.ix_([6 * e + k for k in local], [6 * e + k for k in local])
            sign = np.ones((len(local),) * 2) if signs is None else np.outer(signs, signs)
            K[at] += sign * stiffness
            M[at] += sign * mass
    X = np.column_stack([np.linspace(0, L, n + 1), np.zeros(n + 1), np.zeros(n + 1)])
    return FiniteElements(X, M, K, name="frame")
