"""Inertia of a deforming body, by d'Alembert's principle on its fields.

In the axes of the body frame a point X is at r = X + Σ φ_j q_j + ½ Σ Γ_jk q_j q_k and has the acceleration

    a = a_0 + W r + 2 ω × ṙ + r̈,      W = α̃ + ω̃ ω̃,      ṙ = Σ φ*_j q̇_j,   φ*_j = φ_j + Σ Γ_jk q_k.

The power of −a dm with the virtual velocity v_0 + ω × r + Σ φ*_j q̇_j gives force, moment and forces along the modes,
by integrals that are contractions of the Gram matrix:

    m,  d_a = ∫ r_a,  P_ab = ∫ r_a r_b,  C_bj = ∫ φ*_jb,  U_abj = ∫ r_a φ*_jb,  N_abjk = ∫ φ_ja φ_kb.

Products of Γ with φ and with itself are left out, in all of these alike: what is left are Lagrange's equations of a
kinetic energy that is exact to second order in q, so that energy and momentum are conserved exactly.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from dalembert.elastic import Flexibility
from dalembert.elastic.flexibility import Reals, turning_matrices
from dalembert.symbolic import AtomArray, array


def contracted(coefficients: Reals, q: Any, start: Any = None) -> np.ndarray:
    """Σ_k coefficients[…, k] q[k], with as many terms as there are coefficients; plus ``start``."""
    shape = coefficients.shape[:-1]
    result = np.zeros(shape, dtype=object) if start is None else np.array(start, dtype=object)
    for at in zip(*np.nonzero(coefficients), strict=True):
        term = q[at[-1]] * float(coefficients[at])
        result[at[:-1]] = term + result[at[:-1]]
    return result


def product(A: Any, B: Any) -> np.ndarray:
    """A product of matrices of atoms and numbers."""
    return np.asarray(np.asarray(A, dtype=object) @ np.asarray(B, dtype=object))


class Fields:
    """Integrals of a body with the deformation q."""

    def __init__(self, body: Flexibility, q: Any) -> None:
        self.body, self.q = body, q
        self.d_size = body.dimension
        #: (e_c × r)_b = Σ turning[c, b, a] r_a
        self.turning = turning_matrices(self.d_size)
        self._constant = None if body.second_order is None else body.second_order[0]
        self._linear = None if body.second_order is None else body.second_order[1:]

    @cached_property
    def C(self) -> np.ndarray:
        """∫ φ*, (d, n)."""
        found = np.array(self.body.shape_integral, dtype=object)
        return found if self._constant is None else contracted(self._constant, self.q, found)

    @cached_property
    def d(self) -> np.ndarray:
        """∫ r."""
        found = contracted(self.body.shape_integral, self.q, self.body.first_moment)
        if self._constant is not None:
            found = found + 0.5 * contracted_twice(self._constant, self.q, self.q)
        return np.asarray(found)

    @cached_property
    def _shapes(self) -> np.ndarray:
        """∫ r_a φ_jb with r = X + φ q, (d, d, n)."""
        # Σ_k q_k ∫ φ_ka φ_jb, and ∫ X_a φ_jb
        return contracted(self.body.product_integral.transpose(0, 1, 3, 2), self.q, self.body.moment_integral)

    @cached_property
    def U(self) -> np.ndarray:
        """∫ r_a φ*_jb, (d, d, n)."""
        return self._shapes if self._linear is None else contracted(self._linear, self.q, self._shapes)

    @cached_property
    def P(self) -> np.ndarray:
        """∫ r_a r_b."""
        X_phi = contracted(self.body.moment_integral, self.q)
        found = self.body.second_moment + _sum_over(self._shapes, self.q) + X_phi.T
        if self._linear is not None:
            second = contracted_twice(self._linear, self.q, self.q)
            found = found + 0.5 * (second + second.T)
        return np.asarray(found)

    # ----------------------------------------------------------------------------------------------------- motion

    def skew(self, w: Any) -> np.ndarray:
        """w̃ of an angular velocity: one number in the plane."""
        return np.asarray(sum(w[c] * self.turning[c].astype(object) for c in range(len(self.turning))))

    def moment(self, Q: np.ndarray) -> np.ndarray:
        """∫ r × a of ∫ r_a a_b."""
        d = self.d_size
        found = [
            sum((Q[a, b] * self.turning[c, b, a] for a in range(d) for b in range(d) if self.turning[c, b, a]), 0.0)
            for c in range(len(self.turning))
        ]
        return np.array(found, dtype=object)

    def forces(self, a0: Any, w: Any, alpha: Any, q_rate: Any, q_rate2: Any) -> tuple[AtomArray, AtomArray, AtomArray]:
        """Forces of inertia: the force at the origin of the frame, the moment about it, those along the modes.

        ``a0``: acceleration of the origin less gravity; all in the axes of the frame.
        """
        body, spin = self.body, self.skew(w)
        W = self.skew(alpha) + product(spin, spin)
        V = _sum_over(self.U, q_rate)  # ∫ r_a ṙ_b
        force = body.mass * np.asarray(a0, dtype=object) + product(W, self.d)
        force = force + 2.0 * product(spin, _sum_over(self.C, q_rate)) + _sum_over(self.C, q_rate2)
        Q = np.outer(self.d, a0) + product(self.P, W.T) + 2.0 * product(V, spin.T) + _sum_over(self.U, q_rate2)
        if self._constant is not None and self._linear is not None:
            force = force + contracted_twice(self._constant, q_rate, q_rate)
            Q = Q + contracted_twice(self._linear, q_rate, q_rate)
        # ∫ φ_j·(W r + 2 ω × ṙ + r̈): of N = ∫ φ_ka φ_jb the part that ω̃ meets is skew in j and k
        N = body.product_integral
        gyroscopic = [
            contracted(np.einsum("ba,abkj->jk", self.turning[c], N), q_rate) for c in range(len(self.turning))
        ]
        modes = contracted(body.modal_mass, q_rate2) + product(self.C.T, a0)
        modes = modes + sum(2.0 * w[c] * one for c, one in enumerate(gyroscopic))
        modes = modes + met(W, self.U)
        return array(-force), array(-self.moment(Q)), array(-modes)

    def momenta(self, v0: Any, w: Any, q_rate: Any) -> tuple[np.ndarray, np.ndarray]:
        """Momentum, and angular momentum about the origin of the frame."""
        spin = self.skew(w)
        p = self.body.mass * np.asarray(v0, dtype=object) + product(spin, self.d) + _sum_over(self.C, q_rate)
        Q = np.outer(self.d, v0) + product(self.P, spin.T) + _sum_over(self.U, q_rate)
        return p, self.moment(Q)

    def kinetic_energy(self, v0: Any, w: Any, q_rate: Any) -> Any:
        """½ ∫ v²."""
        p, h = self.momenta(v0, w, q_rate)
        pi = contracted(self.body.modal_mass, q_rate) + product(self.C.T, v0)
        pi = pi + met(self.skew(w), self.U)
        parts = [*zip(v0, p, strict=True), *zip(w, h, strict=True), *zip(q_rate, pi, strict=True)]
        return 0.5 * sum((x * y for x, y in parts), 0.0)


def met(W: np.ndarray, U: np.ndarray) -> np.ndarray:
    """Σ_ab W_ba U_abj: what accelerations W r have along the modes."""
    d = len(W)
    # The last index is what is summed over.
    return _sum_over(U.reshape(d * d, -1).T, W.T.reshape(-1))


def contracted_twice(coefficients: Reals, q: Any, r: Any) -> np.ndarray:
    """Σ coefficients[…, j, k] q[j] r[k]."""
    return _sum_over(contracted(coefficients, r), q)


def _sum_over(terms: np.ndarray, q: Any) -> np.ndarray:
    """Σ_j terms[…, j] q[j], without the terms that are the number zero."""
    result = np.zeros(terms.shape[:-1], dtype=object)
    for at in np.ndindex(result.shape):
        total: Any = 0.0
        for term, one in zip(terms[at], q, strict=True):
            if not (isinstance(term, (int, float)) and term == 0.0):
                total = total + term * one
        result[at] = total
    return result
