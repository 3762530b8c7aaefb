"""Elastic constants of wheel and rail, which are of the same material."""

from __future__ import annotations

from dataclasses import dataclass

from dalembert.arguments import real
from dalembert.errors import ModelError


@dataclass(frozen=True)
class Material:
    """Young's modulus in Pa and Poisson's ratio."""

    E: float = 2.1e11
    nu: float = 0.28

    def __post_init__(self) -> None:
        if not real(self.E, "material: E", ModelError) > 0.0:
            raise ModelError(f"material: E must be positive, got {self.E:g}")
        if not 0.0 <= real(self.nu, "material: nu", ModelError) <= 0.5:
            raise ModelError(f"material: nu must be from 0 to 0.5, got {self.nu:g}")

    @classmethod
    def of_shear(cls, G: float, nu: float) -> Material:
        """From the shear modulus G = E/(2(1 + ν))."""
        return cls(2.0 * real(G, "material: G", ModelError) * (1.0 + real(nu, "material: nu", ModelError)), nu)

    @property
    def G(self) -> float:
        """Shear modulus E/(2(1 + ν))."""
        return self.E / (2.0 * (1.0 + self.nu))


#: rail steel
STEEL = Material()
