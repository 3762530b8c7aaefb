"""Inertia of a deforming body, by d'Alembert's principle on its fields.

In the axes of the body frame a point X is at r = X + Σ φ_j q_j + ½ Σ Γ_jk q_j q_k and has the acceleration

    a = a_0 + W r + 2 ω × ṙ + r̈,    W = α̃ + ω̃ ω̃,    ṙ = Σ φ*_j q̇_j,    φ*_j = φ_j + Σ Γ_jk q_k.

The power of −a dm with the virtual velocity v_0 + ω × r + Σ φ*_j q̇_j gives force, moment and forces along the modes:

    −∫ a,      −∫ r × a,      −∫ φ*_j · a.

Every field is A s + Φ c with s = (1, X), a matrix A and a vector c.  Of the second-order field Γ the data know the
moments with s; it stands here as the field A s with the same ones, the nearest in the metric of the mass.  To first
order in q nothing else matters.  Two ways to end the expansion conserve energy and momentum exactly, being Lagrange's
equations of a kinetic energy:

- that which is exact to second order in q, without products of Γ with φ and Γ.  It may lose its sign where the modes
  can nearly undo a motion of the frame;
- with all products, as those of fields in one Gram matrix: never negative.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from dalembert.elastic.flexibility import Flexibility, Reals, turning_matrices
from dalembert.symbolic import AtomArray, array

Objects = np.ndarray[Any, np.dtype[np.object_]]


def is_nothing(item: Any) -> bool:
    """Whether an entry is the number zero, which makes no term."""
    return isinstance(item, (int, float)) and item == 0.0


def contracted(coefficients: Any, q: Any, start: Any = None) -> Objects:
    """Σ_k coefficients[…, k] q[k], of numbers or atoms, with as many terms as there are; plus ``start``."""
    items = np.asarray(coefficients)
    shape = items.shape[:-1]
    result = np.zeros(shape, dtype=object) if start is None else np.array(start, dtype=object)
    for at in np.ndindex(shape):
        total: Any = result[at]
        row = items[at]
        places = np.flatnonzero(row) if items.dtype != object else range(len(row))
        for k in places:
            coefficient = row[k]
            if is_nothing(coefficient) or is_nothing(q[k]):
                continue
            term = q[k] * (coefficient if items.dtype == object else float(coefficient))
            total = term if is_nothing(total) else total + term
        result[at] = total
    return result


def contracted_twice(coefficients: Reals, q: Any, r: Any) -> Objects:
    """Σ coefficients[…, j, k] q[j] r[k]."""
    return contracted(contracted(coefficients, r), q)


def product(A: Any, B: Any) -> Objects:
    """A product of matrices of atoms and numbers, or of a matrix and a vector."""
    columns = np.asarray(B, dtype=object)
    if columns.ndim == 1:
        return contracted(np.asarray(A, dtype=object), columns)
    return np.stack([contracted(np.asarray(A, dtype=object), column) for column in columns.T], axis=-1)


class Fields:
    """Integrals of a body with the deformation q; in the names, d is 2 or 3 and s has 1 + d entries."""

    def __init__(
        self,
        body: Flexibility,
        q: Any,
        all_products: bool = False,
        times: Callable[[Any, Any], Objects] = contracted,
    ) -> None:
        self.body, self.q, self.all_products = body, q, all_products
        #: how matrices of numbers meet q and its rates
        self.times = times
        d = self.size = body.dimension
        #: (e_c × r)_b = Σ turning[c, b, a] r_a
        self.turning = turning_matrices(d)
        #: ∫ s sᵀ, and ∫ s_f φ_jb as (1 + d, d, n)
        self.S = body.gram[: 1 + d, : 1 + d]
        self.phi = np.concatenate([body.shape_integral[None], body.moment_integral])
        #: coefficients of Γ: Γ_jk,b = Σ_f gamma[b, f, j, k] s_f
        self.gamma = None
        if body.second_order is not None:
            found = np.linalg.pinv(self.S, hermitian=True) @ body.second_order.reshape(1 + d, -1)
            gamma = found.reshape(1 + d, d, body.n, body.n).transpose(1, 0, 2, 3)
            self.gamma = np.where(np.abs(gamma) > 1e-13 * np.abs(gamma).max(initial=0.0), gamma, 0.0)

    # -------------------------------------------------------------------------------------- fields A s + Φ c

    @cached_property
    def E(self) -> Objects | None:
        """The part A of φ*_j, (d, 1 + d, n): Σ_k Γ_jk q_k."""
        return None if self.gamma is None else self.times(self.gamma, self.q)

    @cached_property
    def _place(self) -> Objects:
        """The part A of X, (d, 1 + d)."""
        A = np.zeros((self.size, 1 + self.size), dtype=object)
        for b in range(self.size):
            A[b, 1 + b] = 1.0
        return A

    @cached_property
    def _bent(self) -> Objects | None:
        """What the second order adds to it."""
        return None if self.E is None else contracted(0.5 * self.E, self.q)

    @property
    def _whole_place(self) -> Objects:
        return self._place if self._bent is None else self._place + self._bent

    def _rate(self, q_rate: Any) -> Objects | None:
        """The part A of Σ φ*_j q̇_j."""
        return None if self.E is None else contracted(self.E, q_rate)

    def met_by_s(self, A: Objects | None, c: Any) -> Objects:
        """∫ s_f u_a of a field, (1 + d, d)."""
        found = self.times(self.phi, c)
        return found if A is None else found + product(self.S, A.T)

    def met_by_modes(self, A: Objects | None, c: Any, s: Any) -> Objects:
        """∫ u_a φ*_jb of a field, (d, d, n); ``s``: what :meth:`met_by_s` gives of it, or None for φ_jb alone."""
        found = self.times(self.body.product_integral.transpose(0, 1, 3, 2), c)  # Σ_k c_k ∫ φ_ka φ_jb
        if A is not None:
            found = found + np.stack([[product(self.phi[:, b].T, row) for b in range(self.size)] for row in A])
        if self.E is not None and s is not None:
            gained = [[contracted(self.E[b].T, column) for b in range(self.size)] for column in s.T]
            found = found + np.array(gained, dtype=object)
        return found

    # ------------------------------------------------------------------------------------------ integrals of the place

    @cached_property
    def moments(self) -> Objects:
        """∫ s_f r_a; its first row is ∫ r."""
        return self.met_by_s(self._whole_place, self.q)

    @property
    def _seen(self) -> Any:
        """∫ s_f r_a as Γ meets it: with X alone, unless all products count."""
        return self.moments if self.all_products else self.S[:, 1:]

    @cached_property
    def C(self) -> Objects:
        """∫ φ*_jb, (d, n)."""
        found = np.array(self.body.shape_integral, dtype=object)
        return found if self.E is None else found + np.array([contracted(E.T, self.S[0]) for E in self.E], dtype=object)

    @cached_property
    def U(self) -> Objects:
        """∫ r_a φ*_jb, (d, d, n)."""
        return self.met_by_modes(self._kept_place, self.q, self._seen)

    @property
    def _kept_place(self) -> Objects:
        """The part A of r as φ meets it."""
        return self._whole_place if self.all_products else self._place

    @cached_property
    def P(self) -> Objects:
        """∫ r_a r_b."""
        own = self.U if self.E is None else self.met_by_modes(self._kept_place, self.q, None)  # ∫ r_a φ_jb
        found = contracted(own, self.q) + self.moments[1:].T
        return found if self._bent is None else found + product(np.asarray(self._seen).T, self._bent.T)

    # ----------------------------------------------------------------------------------------------------- motion

    def skew(self, w: Any) -> Objects:
        """w̃ of an angular velocity: one number in the plane."""
        return contracted(self.turning.transpose(1, 2, 0), w)

    def moment(self, Q: Objects) -> Objects:
        """∫ r × a of ∫ r_a a_b."""
        return contracted(self.turning.transpose(0, 2, 1).reshape(len(self.turning), -1), Q.reshape(-1))

    def forces(self, a0: Any, w: Any, alpha: Any, q_rate: Any, q_rate2: Any) -> tuple[AtomArray, AtomArray, AtomArray]:
        """Forces of inertia: the force at the origin of the frame, the moment about it, those along the modes.

        ``a0``: acceleration of the origin less gravity; all in the axes of the frame.
        """
        body, spin = self.body, self.skew(w)
        W = self.skew(alpha) + product(spin, spin)
        rate = self._rate(q_rate)  # ṙ = rate s + Φ q̇
        bent = None if self.gamma is None else contracted(self.times(self.gamma, q_rate), q_rate)  # Γ q̇ q̇
        second = None if bent is None or self.E is None else contracted(self.E, q_rate2) + bent  # r̈ = second s + Φ q̈
        s_rate, s_second = self.met_by_s(rate, q_rate), self.met_by_s(second, q_rate2)
        force = body.mass * np.asarray(a0, dtype=object) + product(W, self.moments[0])
        force = force + 2.0 * product(spin, s_rate[0]) + s_second[0]
        V = contracted(self.U, q_rate)  # ∫ r_a ṙ_b
        Q = (
            np.outer(self.moments[0], a0)
            + product(self.P, W.T)
            + 2.0 * product(V, spin.T)
            + contracted(self.U, q_rate2)
        )
        if bent is not None:
            Q = Q + product(np.asarray(self._seen).T, bent.T)
        along = product(self.C.T, a0) + met(W, self.U) + self._along_modes(second, q_rate2, s_second)
        along = along + 2.0 * self._gyroscopic(w, rate, q_rate, s_rate)
        return array(-force), array(-self.moment(Q)), array(-along)

    def _along_modes(self, A: Objects | None, c: Any, s: Objects) -> Objects:
        """∫ φ*_j · u of a field."""
        found = self.times(self.body.modal_mass, c)
        if self.all_products and A is not None and self.E is not None:
            found = found + contracted(self.phi.reshape(-1, self.body.n).T, A.T.reshape(-1))
            found = found + contracted(self.E.reshape(-1, self.body.n).T, s.T.reshape(-1))
        return found

    def _gyroscopic(self, w: Any, rate: Objects | None, q_rate: Any, s_rate: Objects) -> Objects:
        """∫ φ*_j · (ω × ṙ)."""
        # Of N_abkj = ∫ φ_ka φ_jb the part that ω̃ meets is skew in j and k: one matrix for each axis.
        N = self.body.product_integral
        axes = [np.einsum("ba,abkj->jk", one, N) for one in self.turning]
        found = sum(w[c] * self.times(cleaned(axis), q_rate) for c, axis in enumerate(axes))
        if not self.all_products or rate is None or self.E is None:
            return np.asarray(found)
        spin = self.skew(w)
        turned = product(spin, rate)  # ω × (rate s) = turned s
        found = found + contracted(self.phi.reshape(-1, self.body.n).T, turned.T.reshape(-1))
        return np.asarray(found + contracted(self.E.reshape(-1, self.body.n).T, product(spin, s_rate.T).reshape(-1)))

    def momenta(self, v0: Any, w: Any, q_rate: Any) -> tuple[Objects, Objects, Objects]:
        """Momentum, angular momentum about the origin of the frame, and momenta along the modes."""
        spin, rate = self.skew(w), self._rate(q_rate)
        s_rate = self.met_by_s(rate, q_rate)
        p = self.body.mass * np.asarray(v0, dtype=object) + product(spin, self.moments[0]) + s_rate[0]
        Q = np.outer(self.moments[0], v0) + product(self.P, spin.T) + contracted(self.U, q_rate)
        along = product(self.C.T, v0) + met(spin, self.U) + self._along_modes(rate, q_rate, s_rate)
        return p, self.moment(Q), along

    def kinetic_energy(self, v0: Any, w: Any, q_rate: Any) -> Any:
        """½ ∫ v²."""
        p, h, along = self.momenta(v0, w, q_rate)
        parts = [*zip(v0, p, strict=True), *zip(w, h, strict=True), *zip(q_rate, along, strict=True)]
        return 0.5 * sum((x * y for x, y in parts), 0.0)


def met(W: Objects, U: Objects) -> Objects:
    """Σ_ab W_ba U_abj: what accelerations W r have along the modes."""
    return contracted(U.reshape(W.size, -1).T, W.T.reshape(-1))


def cleaned(matrix: Reals) -> Reals:
    """Without entries that are rounding."""
    return np.where(np.abs(matrix) > 1e-14 * np.abs(matrix).max(initial=0.0), matrix, 0.0)
