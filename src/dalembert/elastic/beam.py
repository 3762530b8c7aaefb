"""Uniform beams as flexible bodies: along x from 0 to their length, bending, stretching and twisting.

A point (x, y, z) is moved by the axis and turned with its section: u = u_axis(x) + ϑ(x) × (0, y, z), with slopes as
rotations (Euler and Bernoulli).  Second order: the axis keeps its length while it bends, u_x = −½ ∫ (v'² + w'²) dx.
All geometric stiffening follows from that by virtual power (Kane, Ryan, Banerjee 1987; Simo, Vu-Quoc 1987).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from dalembert.arguments import flag, instance, mapping, one_of, real, reals, shown, whole
from dalembert.elastic.beam_shapes import ENDS, BeamShape, shapes_of
from dalembert.elastic.flexibility import Flexibility, Mode, Nodes, Reals, Reference
from dalembert.elastic.section import Material, Section, positive
from dalembert.errors import ModelError, ModelWarning, warn_caller

#: kinds of modes that a user may count
KINDS = ("bending", "bending y", "bending z", "longitudinal", "torsion")
#: more are hardly ever resolved, and make long formulas
MOST_MODES = 60
#: what is measured in a section
FORCES = ("normal", "shear y", "shear z", "torque", "moment y", "moment z")


def cleaned(matrix: Any) -> Reals:
    """Zeros for what is nothing but rounding, and would be carried along in formulas."""
    size = np.sqrt(np.abs(np.diag(matrix)))
    return np.where(np.abs(matrix) > 1e-13 * np.outer(size, size), matrix, 0.0)


@dataclass(frozen=True, eq=False)
class Beam:
    """A uniform beam.

    :param length: in m
    :param modes: how many bending modes (in space in each direction), or numbers by kind: "bending", "bending y",
        "bending z", "longitudinal", "torsion"
    :param ends: shapes and frame: "pinned" (both ends on the x axis of the frame), "clamped" (frame tangent at the left
        end), "clamped-clamped", "free" (mean axes)
    :param stiffening: whether bending shortens the beam: what stiffens it under tension, and softens it under pressure
    :param rotary: whether sections resist turning
    :param stations: number of nodes along the beam; markers can stand between them too
    """

    length: float
    section: Section
    material: Material
    modes: Any = 4
    ends: str = "pinned"
    planar: bool = False
    stiffening: bool = True
    rotary: bool = True
    stations: int = 13
    name: str = "beam"
    counts: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        where = f"beam {shown(self.name)}"
        positive(self.length, f"{where}: length")
        instance(self.section, Section, f"{where}: section", ModelError, "such as Section.rectangle(height, width)")
        instance(self.material, Material, f"{where}: material", ModelError, "Material(E, density)")
        one_of(self.ends, ENDS, f"{where}: ends", ModelError)
        for key in ("planar", "stiffening", "rotary"):
            flag(getattr(self, key), f"{where}: {key}", ModelError)
        whole(self.stations, f"{where}: stations", ModelError, least=2, most=2001)
        given = {"bending": self.modes} if not isinstance(self.modes, dict) else mapping(self.modes, where, ModelError)
        for kind in given:
            one_of(kind, KINDS, f"{where}: modes", ModelError)
        counts = {
            kind: whole(count, f"{where}: number of {kind} modes", ModelError, least=0, most=MOST_MODES)
            for kind, count in given.items()
        }
        object.__setattr__(self, "counts", counts)
        self._warn_of_depth(where)
        shapes_of(counts, self.ends, self.length, self.planar)

    def _warn_of_depth(self, where: str) -> None:
        """Say that a section is deeper than the beam is long, as of one in millimetres."""
        depth = float(np.sqrt(12.0 * max(self.section.moments) / self.section.area))
        if depth > self.length:
            mass = self.material.density * self.section.area * self.length
            warn_caller(
                f"{where}: its section is about {depth:.3g} m deep, and it is {self.length:.3g} m long, with a mass of "
                f"{mass:.3g} kg; lengths are in metres: a radius of 10 mm is 0.01",
                ModelWarning,
            )

    @cached_property
    def shapes(self) -> list[tuple[str, BeamShape]]:
        """Modes with their names."""
        return shapes_of(self.counts, self.ends, self.length, self.planar)

    # ---------------------------------------------------------------------------------------------------- the fields

    def axis(self, x: Reals, derivative: int = 0) -> Reals:
        """Displacements of the axis, (len(x), 3, n)."""
        x, derivative = self._places(x), self._order(derivative)
        found = np.zeros((len(x), 3, len(self.shapes)))
        for j, (_, shape) in enumerate(self.shapes):
            if shape.kind != "torsion":
                found[:, "xyz".index(shape.direction or "x"), j] = shape.at(x, derivative)
        return found

    def rotation(self, x: Reals, derivative: int = 0) -> Reals:
        """Rotations of sections, (len(x), 3, n): twist about x, −w' about y, v' about z."""
        x, derivative = self._places(x), self._order(derivative)
        found = np.zeros((len(x), 3, len(self.shapes)))
        for j, (_, shape) in enumerate(self.shapes):
            if shape.kind == "torsion":
                found[:, 0, j] = shape.at(x, derivative)
            elif shape.direction == "y":
                found[:, 2, j] = shape.at(x, derivative + 1)
            elif shape.direction == "z":
                found[:, 1, j] = -shape.at(x, derivative + 1)
        return found

    def shortening(self, x: Reals) -> Reals:
        """Γ of the axis along x, (len(x), n, n): −∫ (v_j' v_k' + w_j' w_k') from the left end; of free beams less its
        mean, so that the frame stays where the mass is."""
        x = self._places(x)
        points, weights = self._quadrature
        slopes = self._slopes(points)
        products = np.einsum("xaj,xak->xjk", slopes, slopes)
        # Integrals over panels up to each x: those of whole panels, and of the part of the last one.
        per = len(points) // self._panels
        edges = np.linspace(0.0, self.length, self._panels + 1)
        panels = np.add.reduceat(weights[:, None, None] * products, np.arange(0, len(points), per), axis=0)
        sums = np.concatenate([np.zeros((1, *panels.shape[1:])), np.cumsum(panels, axis=0)])
        at = np.clip(np.searchsorted(edges, x, side="right") - 1, 0, self._panels - 1)
        nodes, gauss = np.polynomial.legendre.leggauss(per)
        part = x - edges[at]
        inner = edges[at][:, None] + 0.5 * part[:, None] * (nodes + 1.0)
        slopes = self._slopes(inner.reshape(-1)).reshape(len(x), per, 2, -1)
        rest = np.einsum("g,xgaj,xgak->xjk", gauss, slopes, slopes) * (0.5 * part)[:, None, None]
        found = -(sums[at] + rest)
        found = found - self._mean_shortening if self.ends == "free" else found
        return np.where(np.abs(found) > 1e-13 * np.abs(found).max(initial=0.0), found, 0.0)

    @cached_property
    def _mean_shortening(self) -> Reals:
        # −1/L ∫∫_0^x v'v' = −1/L ∫ (L − x) v'v'
        points, weights = self._quadrature
        slopes = self._slopes(points)
        return -np.einsum("x,xaj,xak->jk", weights * (1.0 - points / self.length), slopes, slopes)

    def _slopes(self, x: Reals) -> Reals:
        """v' and w', (len(x), 2, n)."""
        turned = self.rotation(x)
        return np.stack([turned[:, 2], -turned[:, 1]], axis=1)

    @property
    def _panels(self) -> int:
        highest = max((shape.k for _, shape in self.shapes), default=1)
        return 2 * highest + 2

    @cached_property
    def _quadrature(self) -> tuple[Reals, Reals]:
        return self._points_beyond(0.0)

    def _points_beyond(self, x: float) -> tuple[Reals, Reals]:
        """Points and weights from x to the end: Gauss's formula with ten points on a quarter of the shortest wave."""
        nodes, weights = np.polynomial.legendre.leggauss(10)
        size = (self.length - x) / self._panels
        starts = x + np.arange(self._panels) * size
        return (starts[:, None] + 0.5 * size * (nodes + 1.0)).reshape(-1), np.tile(0.5 * size * weights, self._panels)

    # ------------------------------------------------------------------------------------------------------ matrices

    @cached_property
    def gram(self) -> Reals:
        """S of the whole beam."""
        return self._gram(*self._quadrature)

    def _gram(self, x: Reals, weights: Reals) -> Reals:
        """S: over each section, ∫ 1, ∫ y² and ∫ z² of fields that are linear in y and z."""
        d, n = 2 if self.planar else 3, len(self.shapes)
        axis, turned = self.axis(x), self.rotation(x)
        if not self.rotary:
            turned[:, 1:] = 0.0
        # Fields at (x, y, z) are one + y·along_y + z·along_z: 1, x, y, z, and u_axis + ϑ × (0, y, z).
        parts = [np.zeros((len(x), 1 + d + d * n)) for _ in range(3)]
        parts[0][:, 0], parts[0][:, 1] = 1.0, x
        parts[1][:, 2] = 1.0
        if d == 3:
            parts[2][:, 3] = 1.0
        for j in range(n):
            rows = slice(1 + d * (1 + j), 1 + d * (2 + j))
            parts[0][:, rows] = axis[:, :d, j]
            parts[1][:, rows.start] = -turned[:, 2, j]  # ϑ × (0, 1, 0) = (−ϑ_z, 0, ϑ_x)
            parts[2][:, rows.start] = turned[:, 1, j]  # ϑ × (0, 0, 1) = (ϑ_y, −ϑ_x, 0)
            if d == 3:
                parts[1][:, rows.start + 2] = turned[:, 0, j]
                parts[2][:, rows.start + 1] = -turned[:, 0, j]
        Iz, Iy = self.section.moments
        moments = (self.section.area, Iz, 0.0 if self.planar else Iy)
        rho = self.material.density
        return cleaned(
            sum(rho * I * (part.T @ (weights[:, None] * part)) for I, part in zip(moments, parts, strict=True))
        )

    @cached_property
    def stiffness(self) -> Reals:
        """K = ∫ EA u'² + EI v''² + EI w''² + GJ ϑ'²."""
        x, weights = self._quadrature
        strain, bending = self.axis(x, 1)[:, 0], self.rotation(x, 1)
        E, (Iz, Iy) = self.material.E, self.section.moments
        assert self.section.torsion is not None
        factors = (self.material.G * self.section.torsion, E * Iy, E * Iz)
        K = E * self.section.area * (strain.T @ (weights[:, None] * strain))
        for a, factor in enumerate(factors):
            K = K + factor * (bending[:, a].T @ (weights[:, None] * bending[:, a]))
        return cleaned(0.5 * (K + K.T))

    @cached_property
    def second_order(self) -> Reals | None:
        """∫ (1, X) Γ dm."""
        return self._second_order(*self._quadrature)

    def _second_order(self, x: Reals, weights: Reals) -> Reals | None:
        if not self.stiffening or not any(shape.kind == "bending" for _, shape in self.shapes):
            return None
        d, n = 2 if self.planar else 3, len(self.shapes)
        found = np.zeros((1 + d, d, n, n))
        gamma = self.shortening(x)
        line = self.material.density * self.section.area * weights
        found[0, 0] = np.einsum("x,xjk->jk", line, gamma)
        found[1, 0] = np.einsum("x,xjk->jk", line * x, gamma)
        return found

    def nodes(self, x: Any, names: tuple[str, ...]) -> Nodes:
        """Points of the axis."""
        places = self._places(x)
        d, n = 2 if self.planar else 3, len(self.shapes)
        X = np.zeros((len(places), d))
        X[:, 0] = places
        second = None
        if self.second_order is not None:
            second = np.zeros((len(places), d, n, n))
            second[:, 0] = self.shortening(places)
        return Nodes(
            names, X, self.axis(places)[:, :d], self.rotation(places)[:, 3 - (1 if self.planar else 3) :], second
        )

    def section_force(self, kind: str, x: float) -> Reals:
        """What the part beyond x exerts on the one before it, per unit of each mode: a normal or shear force, a torque,
        or a moment about y or z, from the curvatures there."""
        one_of(kind, FORCES, f"beam '{self.name}': section force", ModelError)
        at = np.array([self.inside(x)])
        E, (Iz, Iy) = self.material.E, self.section.moments
        assert self.section.torsion is not None
        if kind == "normal":
            return E * self.section.area * self.axis(at, 1)[0, 0]
        if kind == "torque":
            return self.material.G * self.section.torsion * self.rotation(at, 1)[0, 0]
        bent = self.rotation(at, 1 if kind.startswith("moment") else 2)[0]
        return {
            "moment y": E * Iy * bent[1],
            "moment z": E * Iz * bent[2],
            "shear y": -E * Iz * bent[2],
            "shear z": E * Iy * bent[1],
        }[kind]

    def beyond(self, x: float) -> Flexibility:
        """Inertia of the part from x to the right end, with the same shapes and in the same frame."""
        points = self._points_beyond(self.inside(x))
        modes = tuple(Mode(name, shape.kind) for name, shape in self.shapes)
        return Flexibility(
            self._gram(*points), self.stiffness, modes=modes, second_order=self._second_order(*points),
            name=f"{self.name} from {x:g}",
        )  # fmt: skip

    def _places(self, x: Any) -> Reals:
        return reals(x, f"beam '{self.name}': x", ModelError, ndim=1, finite=True)

    def _order(self, derivative: Any) -> int:
        return whole(derivative, f"beam '{self.name}': derivative", ModelError, least=0, most=4)

    def inside(self, x: Any) -> float:
        """A place on the axis, checked."""
        found = real(x, f"beam '{self.name}': x", ModelError)
        if not -1e-9 * self.length <= found <= (1.0 + 1e-9) * self.length:
            raise ModelError(f"beam '{self.name}': x must be from 0 to its length {self.length:g}, got {found:g}")
        return float(np.clip(found, 0.0, self.length))

    @property
    def reference(self) -> Reference:
        """What the frame does."""
        if self.ends == "free":
            # Shapes without momentum of the axis; that of turning sections, if they resist, is small and not zero.
            return Reference("free" if self.rotary else "mean axes")
        if self.ends == "pinned":
            return Reference("pinned", ("left", "right"))
        return Reference("clamped", ("left",))

    @cached_property
    def flexibility(self) -> Flexibility:
        """The data of a flexible body."""
        names = ("left", *(f"n{k}" for k in range(1, self.stations - 1)), "right")
        modes = tuple(Mode(name, shape.kind, f"{self.ends} beam") for name, shape in self.shapes)
        return Flexibility(
            self.gram, self.stiffness, nodes=self.nodes(np.linspace(0.0, self.length, self.stations), names),
            modes=modes, reference=self.reference, second_order=self.second_order,
            edges=tuple((k, k + 1) for k in range(self.stations - 1)), name=self.name,
        )  # fmt: skip
