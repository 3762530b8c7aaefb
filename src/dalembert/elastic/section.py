"""Cross-sections and materials of beams."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.arguments import real
from dalembert.errors import ModelError


def positive(value: float, what: str) -> float:
    """A number above zero."""
    found = real(value, what, ModelError)
    if not found > 0.0:
        raise ModelError(f"{what} must be positive, got {found:g}")
    return found


@dataclass(frozen=True)
class ElasticMaterial:
    """An isotropic elastic material.

    :param E: Young's modulus in Pa
    :param density: in kg/m³
    :param nu: Poisson's ratio
    """

    E: float
    density: float
    nu: float = 0.3

    def __post_init__(self) -> None:
        positive(self.E, "Material: E")
        positive(self.density, "Material: density")
        if not -1.0 < real(self.nu, "Material: nu", ModelError) <= 0.5:
            raise ModelError(f"Material: nu must be above -1 and at most 0.5, got {self.nu:g}")

    @property
    def G(self) -> float:
        """Shear modulus E/(2(1 + ν))."""
        return self.E / (2.0 * (1.0 + self.nu))


#: within this package the short name
Material = ElasticMaterial
STEEL = Material(2.1e11, 7850.0, 0.3)
ALUMINIUM = Material(7.0e10, 2700.0, 0.33)


@dataclass(frozen=True)
class Section:
    """Cross-section of a beam along x, with y and z as principal axes through its centre.

    :param area: in m²
    :param Iz: ∫ y² dA, which resists bending in the xy plane
    :param Iy: ∫ z² dA, which resists bending in the xz plane; as Iz unless given
    :param torsion: torsion constant in m⁴; Iy + Iz unless given, which is right for circles
    :param height: extent along y, and ``width`` along z: for drawing, and for stresses at the edges
    """

    area: float
    Iz: float
    Iy: float | None = None
    torsion: float | None = None
    height: float | None = None
    width: float | None = None

    def __post_init__(self) -> None:
        positive(self.area, "Section: area")
        positive(self.Iz, "Section: Iz")
        put = object.__setattr__
        put(self, "Iy", self.Iz if self.Iy is None else positive(self.Iy, "Section: Iy"))
        put(self, "torsion", self.Iz + self.Iy if self.torsion is None else positive(self.torsion, "Section: torsion"))  # type: ignore[operator]
        for name in ("height", "width"):
            given = getattr(self, name)
            put(self, name, float(np.sqrt(self.area)) if given is None else positive(given, f"Section: {name}"))

    @property
    def moments(self) -> tuple[float, float]:
        """(Iz, Iy)."""
        assert self.Iy is not None
        return self.Iz, self.Iy

    @classmethod
    def rectangle(cls, height: float, width: float) -> Section:
        """A rectangle, ``height`` along y and ``width`` along z."""
        h, b = positive(height, "Section.rectangle: height"), positive(width, "Section.rectangle: width")
        long, short = max(h, b), min(h, b)
        # Saint-Venant's series; its terms fall with the fifth power.
        k = np.arange(1, 40, 2)
        series = float(np.sum(np.tanh(k * np.pi * long / (2.0 * short)) / k**5))
        torsion = long * short**3 / 3.0 * (1.0 - 192.0 * short / (np.pi**5 * long) * series)
        return cls(h * b, b * h**3 / 12.0, h * b**3 / 12.0, torsion, h, b)

    @classmethod
    def circle(cls, radius: float, inner: float = 0.0) -> Section:
        """A circle, or a tube with an inner radius."""
        r, i = positive(radius, "Section.circle: radius"), real(inner, "Section.circle: inner", ModelError)
        if not 0.0 <= i < r:
            raise ModelError(f"Section.circle: inner must be from 0 to the radius {r:g}, got {i:g}")
        moment = np.pi * (r**4 - i**4) / 4.0
        return cls(np.pi * (r**2 - i**2), moment, moment, 2.0 * moment, 2.0 * r, 2.0 * r)
