"""Coefficients of Radau IIA methods for any odd number of stages."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.solution.dense_output import nested


@cache
def coefficients(s: int) -> NDArray[np.float64]:
    """The tableau for s stages."""
    from numpy.polynomial import legendre

    # Nodes: zeros of P_s − P_{s−1} (right end included), mapped to [0, 1]; refined in extended precision.
    difference = np.zeros(s + 1)
    difference[s], difference[s - 1] = 1.0, -1.0
    x = np.sort(legendre.legroots(difference).real).astype(np.longdouble)  # complex since NumPy 2.5
    x[-1] = 1.0
    for _ in range(3):
        value, slope = legendre.legval(x, difference), legendre.legval(x, legendre.legder(difference))
        x[:-1] -= (value / slope)[:-1]
    exact = (x + 1) / 2
    A = _integrated(exact)
    W = np.linalg.inv(A.astype(float)).astype(np.longdouble)
    for _ in range(3):
        W = W + W @ (np.eye(s) - A @ W)
    c, A, W = exact.astype(float), A.astype(float), W.astype(float)
    powers = np.arange(1, s + 1)
    values, vectors = np.linalg.eig(W)
    order = sorted(range(s), key=lambda k: (abs(values[k].imag) > 1e-9, values[k].imag))
    real = next(k for k in order if abs(values[k].imag) < 1e-9)
    upper = [k for k in order if values[k].imag > 1e-9]
    S, eigenvalues = np.zeros((s, s)), [values[real].real]
    S[:, 0] = vectors[:, real].real
    for p, k in enumerate(upper):
        S[:, 1 + 2 * p], S[:, 2 + 2 * p] = vectors[:, k].real, -vectors[:, k].imag
        eigenvalues += [values[k].real, values[k].imag]
    # Σ e_i c_i = −1, Σ e_i c_iᵏ = 0: with ẏ0 the error estimate vanishes for polynomials of degree s.
    error = np.linalg.solve((c[:, None] ** powers).T, -np.eye(s)[0])
    return _checked(s, c, A, W, S, np.array(eigenvalues), error, _nested(c))


def _integrated(c: NDArray[np.longdouble]) -> NDArray[np.longdouble]:
    """a_ij = ∫₀^{c_i} ℓ_j(t) dt, by Gauss quadrature."""
    s = len(c)
    points, weights = np.polynomial.legendre.leggauss(s)
    A = np.zeros((s, s), dtype=np.longdouble)
    for i in range(s):
        t = c[i] * (points.astype(np.longdouble) + 1) / 2
        for j in range(s):
            others = [k for k in range(s) if k != j]
            basis = np.prod([(t - c[k]) / (c[j] - c[k]) for k in others], axis=0)
            A[i, j] = c[i] / 2 * np.sum(weights * basis)
    return A


def _nested(c: NDArray[np.float64]) -> NDArray[np.float64]:
    """Coefficients 1, 2, … of the nested form of the polynomial with given values at the nodes c and zero at 0."""
    s = len(c)
    basis = nested(np.eye(s + 1)[:, :, None], c).T[:, 1:]
    return np.asarray(np.linalg.inv(basis))


def _checked(s: int, c: Any, A: Any, W: Any, S: Any, eigenvalues: Any, error: Any, dense: Any) -> NDArray[np.float64]:
    block = np.zeros((s, s))
    block[0, 0] = eigenvalues[0]
    for p in range((s - 1) // 2):
        alpha, beta = eigenvalues[1 + 2 * p : 3 + 2 * p]
        block[1 + 2 * p : 3 + 2 * p, 1 + 2 * p : 3 + 2 * p] = [[alpha, -beta], [beta, alpha]]
    inverse = np.linalg.inv(S)
    if np.max(np.abs(S @ block @ inverse - W)) > 1e-10 * np.max(np.abs(W)) or np.max(np.abs(A.sum(1) - c)) > 1e-13:
        raise ValueError(f"Radau IIA with {s} stages: the transformation does not reproduce A⁻¹")
    return np.concatenate([c, W.ravel(), S.ravel(), inverse.ravel(), eigenvalues, error, dense.ravel()])
