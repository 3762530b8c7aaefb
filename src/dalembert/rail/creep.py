"""Creepages, eqs. (25)–(27) of the railway paper, and laws of creep forces as secant matrices; numbers and atoms.

Every law is a function of the ellipse, the load, the creepages ν = (ξ, η, φ) and the coefficient of friction μ, and
gives the matrix S of

    (F_x, F_y, M_z) = −S ν,

force and moment on the wheel.  S is Kalker's matrix C^K (dalembert.rail.kalker) where nothing slides, so that
implicit-explicit methods, which need a force linear in the velocities, take S/V in the place of C^K/V (after 34).

linear
    S = C^K, without bound.
vermeulen-johnson
    P. J. Vermeulen, K. L. Johnson, J. Appl. Mech. 31 (1964) 338–340, with Kalker's c₁₁, c₂₂; without spin:
    F = μN (1 − (1 − τ)³), τ = |F_lin|/(3μN) ≤ 1.
shen-hedrick-elkins
    Z. Y. Shen, J. K. Hedrick, J. A. Elkins, 8th IAVSD Symposium 1983: the same bound on the linear force with spin.
polach
    O. Polach, Vehicle System Dynamics Suppl. 33 (1999) 728–739 (with spin) and Wear 258 (2005) 992–1000 (friction that
    falls with the sliding speed, factors k_A, k_S).
fastsim
    see dalembert.rail.fastsim.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from dalembert.arguments import instance, real
from dalembert.errors import ModelError
from dalembert.rail.kalker import coefficients, kalker_matrix, matrix
from dalembert.rail.material import STEEL, Material
from dalembert.rail.surface import Axes, cross, dot, vector
from dalembert.rail.values import vectors
from dalembert.symbolic import CompiledFunction, Graph, compile

#: m/s: the reference speed is not taken to be smaller, so that creepages stay finite at standstill
LEAST_SPEED = 0.005
#: creepages, forces (in N) and speeds (in m/s) below which nothing is divided
_TINY_CREEP, _TINY_FORCE, _TINY_SPEED = 1e-12, 1e-6, 1e-9


class Creepages(NamedTuple):
    """Sliding velocities (m/s, m/s, 1/s) along t_x, t_y and about n, the reference speed V and the direction of travel
    (sign of the axle's velocity along t_x); ν = sliding/V."""

    sliding: Any
    V: Any
    direction: Any

    @property
    def nu(self) -> Any:
        """(ξ, η, φ), the last one in 1/m."""
        return self.sliding / self.V


def creepages(v_P: Any, omega: Any, v_O: Any, r_OP: Any, axes: Axes, *, least_speed: float = LEAST_SPEED) -> Creepages:
    """Creepages of a wheel, eqs. (25)–(27).

    :param v_P: velocity of the wheel's material point at the contact (with the spin)
    :param omega: angular velocity of the wheelset (with the spin)
    :param v_O: velocity of the wheel's centre
    :param r_OP: from the wheel's centre to the contact
    """
    instance(axes, Axes, "creepages: axes", ModelError, "as contact_axes gives them")
    v_P, omega, v_O, r_OP, _ = vectors("creepages", v_P=v_P, omega=omega, v_O=v_O, r_OP=r_OP, axes=axes.n)
    least_speed = real(least_speed, "creepages: least_speed", ModelError)
    if not least_speed > 0.0:
        raise ModelError(f"creepages: least_speed must be positive, got {least_speed:g}")
    V = 0.5 * (_speed(v_O) + _speed(cross(omega, r_OP)))
    sliding = vector(dot(v_P, axes.t_x), dot(v_P, axes.t_y), dot(omega, axes.n))
    return Creepages(sliding, np.maximum(V, least_speed), np.sign(dot(v_O, axes.t_x)))


def _speed(v: Any) -> Any:
    """|v|, differentiable at standstill."""
    return np.sqrt(dot(v, v) + _TINY_SPEED**2)


@dataclass(frozen=True)
class CreepLaw:
    """A law of creep forces; call it for its secant matrix."""

    material: Material = STEEL

    def __call__(self, a: Any, b: Any, N: Any, nu: Any, mu: Any, *, direction: Any = 1.0, V: Any = 0.0) -> Any:
        """The secant matrix S, shape (3, 3): (F_x, F_y, M_z) = −S ν.

        :param a, b: semi-axes of the contact along and across the rail, m
        :param N: load, N
        :param nu: (ξ, η, φ), φ in 1/m
        :param mu: coefficient of friction
        :param direction: 1 if the wheel runs along +x of the contact, −1 if backwards
        :param V: reference speed, m/s, of which laws with falling friction know the sliding speed
        """
        raise NotImplementedError

    def force(self, a: Any, b: Any, N: Any, nu: Any, mu: Any, *, direction: Any = 1.0, V: Any = 0.0) -> Any:
        """F_x, F_y in N and M_z in N m on the wheel."""
        S = self(a, b, N, nu, mu, direction=direction, V=V)
        return vector(*(-(S[i, 0] * nu[0] + S[i, 1] * nu[1] + S[i, 2] * nu[2]) for i in range(3)))

    def compiled(self) -> CompiledFunction:
        """The law as machine code: inputs a, b, N, nu (3), mu; outputs S (3, 3) and force (3)."""
        graph = Graph()
        a, b, N, mu = graph.variables("a b N mu")
        nu = graph.variables("nu", 3)
        S = self(a, b, N, nu, mu)
        inputs = {"a": a, "b": b, "N": N, "nu": nu, "mu": mu}
        return compile({"S": S, "force": -(S @ nu)}, inputs, name="creep law")


@dataclass(frozen=True)
class Linear(CreepLaw):
    """Kalker's linear theory, without bound."""

    def __call__(self, a: Any, b: Any, N: Any, nu: Any, mu: Any, *, direction: Any = 1.0, V: Any = 0.0) -> Any:
        """C^K."""
        return kalker_matrix(a, b, self.material, direction)


def cubic_saturation(force: Any, bound: Any) -> Any:
    """ε = F/F_lin of the cubic law F = bound (1 − (1 − τ)³), τ = F_lin/(3 bound) up to 1."""
    tau = force / (3.0 * bound + _TINY_FORCE)
    return np.where(tau < 1.0, 1.0 - tau + tau * tau / 3.0, 1.0 / (3.0 * np.maximum(tau, 1.0)))


def _tangential(C: Any, nu: Any) -> Any:
    """|F_lin|, differentiable at zero."""
    x = C[0, 0] * nu[0]
    y = C[1, 1] * nu[1] + C[1, 2] * nu[2]
    return np.sqrt(x * x + y * y + _TINY_FORCE**2)


@dataclass(frozen=True)
class VermeulenJohnson(CreepLaw):
    """The cubic law for creepages without spin, with Kalker's coefficients."""

    def __call__(self, a: Any, b: Any, N: Any, nu: Any, mu: Any, *, direction: Any = 1.0, V: Any = 0.0) -> Any:
        """ε C^K without its third row and column."""
        C = kalker_matrix(a, b, self.material, direction)
        zero = 0.0 * C[0, 1]
        C = matrix([[C[0, 0], zero, zero], [zero, C[1, 1], zero], [zero, zero, zero]])
        return cubic_saturation(_tangential(C, nu), mu * N) * C


@dataclass(frozen=True)
class ShenHedrickElkins(CreepLaw):
    """The cubic law for the linear force with spin."""

    def __call__(self, a: Any, b: Any, N: Any, nu: Any, mu: Any, *, direction: Any = 1.0, V: Any = 0.0) -> Any:
        """ε C^K."""
        C = kalker_matrix(a, b, self.material, direction)
        return cubic_saturation(_tangential(C, nu), mu * N) * C


@dataclass(frozen=True)
class Polach(CreepLaw):
    """Polach's law.

    Friction falls with the sliding speed w as μ = μ₀((1 − ratio) e^{−decay w} + ratio); ``k_A`` and ``k_S`` ≤ k_A are
    the factors of adhesion and of slip for surfaces that are not clean (1 for clean ones).  The spin moment, which
    Polach neglects, is the linear one times the saturation of the force.
    """

    ratio: float = 1.0
    decay: float = 0.0
    k_A: float = 1.0
    k_S: float = 1.0

    def __post_init__(self) -> None:
        for name, most in (("ratio", 1.0), ("decay", np.inf), ("k_A", 1.0), ("k_S", self.k_A)):
            value = real(getattr(self, name), f"Polach's law: {name}", ModelError)
            if not 0.0 <= value <= most:
                raise ModelError(f"Polach's law: {name} must be from 0 to {most:g}, got {value:g}")

    def __call__(self, a: Any, b: Any, N: Any, nu: Any, mu: Any, *, direction: Any = 1.0, V: Any = 0.0) -> Any:
        """Equation numbers of the publication of 1999 in docs/rail_contact.md."""
        c = coefficients(a, b, self.material.nu)
        G, area = self.material.G, a * b
        xi, eta, phi = nu[0], nu[1], nu[2]
        spin = direction * phi
        # Spin adds to the lateral creepage where both point the same way.
        with_spin = eta + spin * a
        eta_c = np.where(np.abs(with_spin) > np.abs(eta), with_spin, eta)
        s = np.sqrt(xi * xi + eta_c * eta_c + _TINY_CREEP**2)
        if self.decay:
            mu = mu * ((1.0 - self.ratio) * np.exp(-self.decay * V * s) + self.ratio)
        bound = mu * N + _TINY_FORCE
        # Kalker's coefficient in the direction of the creepage.  The publication takes that without spin, which has no
        # direction in straight running: rounding of ξ and η would decide on derivatives of the moment.
        stiffness = np.sqrt((c.c11 * xi) ** 2 + (c.c22 * eta_c) ** 2 + (c.c22 * _TINY_CREEP) ** 2) / s
        eps = 0.25 * np.pi * G * area * stiffness / bound * s
        adhesion, slip = self.k_A * eps, self.k_S * eps
        F = 2.0 / np.pi * bound * (adhesion / (1.0 + adhesion * adhesion) + np.arctan(slip))
        direct = F / s
        # Lateral force of the spin: (9/16) a μN (−K_M) (1 + 6.3 (1 − e^{−a/b}))/s per unit of φ.
        shape = 1.0 + 6.3 * (1.0 - np.exp(-a / b))
        C_S = 4.0 / np.pi * G * np.sqrt(b) * c.c23 / (a * np.sqrt(a))
        rate = 2.0 / 3.0 * C_S * np.pi * a * area / (bound * shape)  # ε_S/s
        square = (rate * s) ** 2
        delta = (square - 1.0) / (square + 1.0)
        cubic = delta * delta * (delta / 3.0 - 0.5) + 1.0 / 6.0
        moment = rate * (8.0 / 3.0 * square / (1.0 + square) ** 3 - cubic)  # −K_M/s
        lateral = direction * 9.0 / 16.0 * a * bound * shape * moment
        share = direct / (G * area * stiffness)
        back = direction * share * G * area * np.sqrt(area) * c.c23
        # Where nothing slides, each direction has its own coefficient; what slides is opposed to the creepage.
        sticking = share**4
        along, across = (1.0 + sticking * (one / stiffness - 1.0) for one in (c.c11, c.c22))
        zero = 0.0 * direct
        return matrix([
            [along * direct, zero, zero], [zero, across * direct, lateral],
            [zero, -back, share * G * area * area * c.c33],
        ])  # fmt: skip
