"""Damping of a flexible body: proportional, by modes, or a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.arguments import real, reals
from dalembert.elastic.flexibility import Flexibility, Reals
from dalembert.errors import ModelError


def damping_matrix(
    body: Flexibility, *, alpha: float = 0.0, beta: float = 0.0, ratios: Any = None, matrix: Any = None
) -> Reals:
    """D = αM + βK + M Φ diag(2 ζ ω) Φᵀ M + D_given, with the eigenmodes ΦᵀMΦ = 1 of the body whose frame is held."""
    from scipy.linalg import eigh

    where = f"Flexibility '{body.name}'"
    factors = [real(value, f"{where}: {name}", ModelError) for name, value in (("alpha", alpha), ("beta", beta))]
    if min(factors) < 0.0:
        raise ModelError(f"{where}: alpha and beta must not be negative, got {factors[0]:g} and {factors[1]:g}")
    M, K = body.modal_mass, body.stiffness
    D = factors[0] * M + factors[1] * K
    if ratios is not None and body.n:
        zeta = reals(ratios, f"{where}: ratios", ModelError, finite=True)
        if zeta.shape not in ((), (body.n,)) or (zeta < 0.0).any():
            raise ModelError(f"{where}: ratios must be one number or {body.n}, none negative, got {ratios}")
        values, vectors = eigh(K, M)
        weighted = M @ vectors
        D = D + (weighted * (2.0 * zeta * np.sqrt(np.maximum(values, 0.0)))) @ weighted.T
    if matrix is not None:
        given = reals(matrix, f"{where}: matrix", ModelError, finite=True)
        if given.shape != D.shape:
            raise ModelError(f"{where}: the matrix of damping must have the shape {D.shape}, got {given.shape}")
        D = D + given
    return np.asarray(0.5 * (D + D.T))
