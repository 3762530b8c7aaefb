"""FASTSIM, the simplified theory of rolling contact; on numbers and on atoms.

J. J. Kalker, A fast algorithm for the simplified theory of rolling contact, Vehicle System Dynamics 11 (1982) 1–13:
displacements are proportional to tractions, with the flexibilities

    L₁ = 8a/(3 G c₁₁),   L₂ = 8a/(3 G c₂₂),   L₃ = π a √(a/b)/(4 G c₂₃),

which make the theory linear where nothing slides.  In strips across the ellipse the traction is marched from the
leading edge to the trailing one,

    p ← p − (ξ/L₁ − φ y/L₃, η/L₂ + φ x/L₃) Δx,   |p| ≤ μ p₀ (1 − x²/a² − y²/b²),   p₀ = 2N/(π a b)

(with the bound as a parabola, for which areas of slip come out right). Kalker sums tractions at the end of each step,
which is of order one; sums in the middles are of order two. Both have the same limit of fine grids, which is some per
cent away from the exact theory; docs/rail_contact.md has the numbers beside CONTACT for several grids. The secant
matrix is Kalker's, scaled to the size of the force, plus a part of rank one that turns it into the force: −S ν is the
force of FASTSIM.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.arguments import one_of, whole
from dalembert.errors import ModelError
from dalembert.rail.creep import CreepLaw
from dalembert.rail.kalker import coefficients, kalker_matrix, matrix

_TINY = 1e-12


@dataclass(frozen=True)
class Fastsim(CreepLaw):
    """FASTSIM on a grid: ``along`` steps in each of ``strips`` strips.  On atoms every cell is written out.

    ``marching`` is "ends" (tractions after each step, as Kalker has it) or "middles" (of order two).  Errors come from
    the steps, sums over strips are of order two: 40 × 10 cells are nearer to published outputs than 20 × 20.
    """

    along: int = 40
    strips: int = 10
    marching: str = "ends"

    def __post_init__(self) -> None:
        for name in ("along", "strips"):
            whole(getattr(self, name), f"FASTSIM: {name}", ModelError, least=1, most=200)
        one_of(self.marching, ("ends", "middles"), "FASTSIM: marching", ModelError)

    def tractions(self, a: Any, b: Any, N: Any, nu: Any, mu: Any, *, direction: Any = 1.0) -> Any:
        """F_x, F_y, M_z, without their bound on the size of F (the grid keeps it to its accuracy)."""
        c = coefficients(a, b, self.material.nu)
        G, n = self.material.G, self.along
        # Seen along the direction of travel ξ and η change their signs with x and y, φ does not.
        xi, eta, phi = direction * nu[0], direction * nu[1], nu[2]
        inverse = 3.0 * G / (8.0 * a)
        # Slopes of the traction over x/a and of their change over y/b and x/a.
        p_x, p_y = a * inverse * c.c11 * xi, a * inverse * c.c22 * eta
        spin = 4.0 * G * c.c23 * np.sqrt(b / a) / np.pi * phi
        spin_x, spin_y = spin * b, spin * a
        y = (2.0 * np.arange(self.strips) + 1.0) / self.strips - 1.0  # middles of strips, over b
        half = np.sqrt(1.0 - y * y)  # of their lengths, over a
        step = 2.0 / n * half
        limit = 2.0 * mu * N / (np.pi * a * b)
        drift_x = _spread(p_x) - _spread(spin_x) * y
        limit, p_y, spin_y = _spread(limit), _spread(p_y), _spread(spin_y)
        middles = self.marching == "middles"
        q_x: Any = 0.0
        q_y: Any = 0.0
        F_x: Any = 0.0
        F_y: Any = 0.0
        M: Any = 0.0
        for i in range(n):
            x = half * (1.0 - (2.0 * i + 1.0) / n)  # middles of cells
            width = 0.5 * step if i == 0 and middles else step
            at = x + 0.5 * width if middles else x
            q_x, q_y = q_x - drift_x * width, q_y - (p_y + spin_y * at) * width
            bound = limit * (half * half - x * x)
            size = np.sqrt(q_x * q_x + q_y * q_y + (_TINY * limit) ** 2)
            factor = np.minimum(1.0, bound / size)
            q_x, q_y = q_x * factor, q_y * factor
            F_x = F_x + q_x * step
            F_y = F_y + q_y * step
            M = M + (_spread(a) * x * q_y - _spread(b) * y * q_x) * step
        cell = a * b * 2.0 / self.strips
        total = [np.sum(part, axis=-1) * cell for part in (F_x, F_y, M)]
        return direction * total[0], direction * total[1], total[2]

    def __call__(self, a: Any, b: Any, N: Any, nu: Any, mu: Any, *, direction: Any = 1.0, V: Any = 0.0) -> Any:
        """The secant matrix of the force."""
        force = self.tractions(a, b, N, nu, mu, direction=direction)
        C = kalker_matrix(a, b, self.material, direction)
        linear = [C[i, 0] * nu[0] + C[i, 1] * nu[1] + C[i, 2] * nu[2] for i in range(3)]
        tiny = (_TINY * mu * N + _TINY) ** 2
        size = np.sqrt(force[0] * force[0] + force[1] * force[1] + tiny)
        share = size / np.sqrt(linear[0] * linear[0] + linear[1] * linear[1] + tiny)
        weighted = [nu[0], nu[1], a * b * nu[2]]
        square = nu[0] * weighted[0] + nu[1] * weighted[1] + nu[2] * weighted[2] + _TINY**2
        rest = [-(force[i] + share * linear[i]) / square for i in range(3)]
        return matrix([[share * C[i, j] + rest[i] * weighted[j] for j in range(3)] for i in range(3)])


def _spread(value: Any) -> Any:
    """A quantity of all strips, with an axis for them where it is an array."""
    return value if np.ndim(value) == 0 else value[..., None]
