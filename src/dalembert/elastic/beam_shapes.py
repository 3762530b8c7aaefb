"""Eigenfunctions of uniform beams and rods: bending by Euler and Bernoulli, stretching, torsion.

Bending, w'''' = β⁴ w: with pinned ends sin βx, βL = kπ; else with cos βL cosh βL = −τ, where τ = 1 with one free end
and −1 with two clamped or two free ones,

    w = cosh βx ∓ cos βx − c (sinh βx ∓ sin βx),   c = (cosh βL + τ cos βL)/(sinh βL + τ sin βL).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.elastic.flexibility import Reals
from dalembert.errors import ModelError

#: what the ends of a beam do in its frame
ENDS = ("pinned", "clamped", "clamped-clamped", "free")


def root(ends: str, k: int) -> float:
    """βL of the k-th bending mode, k from 1."""
    if ends == "pinned":
        return k * np.pi
    sign = 1.0 if ends == "clamped" else -1.0
    x = (k - 0.5) * np.pi if ends == "clamped" else (k + 0.5) * np.pi
    for _ in range(30):  # cos x + sign/cosh x = 0, by Newton's method
        change = (np.cos(x) + sign / np.cosh(x)) / (-np.sin(x) - sign * np.sinh(x) / np.cosh(x) ** 2)
        x -= change
        if abs(change) < 1e-16 * x:
            break
    return float(x)


@dataclass(frozen=True)
class BeamShape:
    """A function on [0, length] with its derivatives: of bending, stretching or torsion."""

    kind: str
    #: y or z: direction of bending; empty otherwise
    direction: str
    ends: str
    k: int
    length: float

    def at(self, x: Reals, derivative: int = 0) -> Reals:
        """Values of a derivative."""
        s = np.asarray(x, dtype=float) / self.length
        found = self._bending(s, derivative) if self.kind == "bending" else self._rod(s, derivative)
        return found / self.length**derivative

    @property
    def wave(self) -> float:
        """βL of bending, or κL of a rod with ω = κ c."""
        return root(self.ends, self.k) if self.kind == "bending" else self._rod_wave()[0]

    def _rod_wave(self) -> tuple[float, float]:
        """κL and a phase: sin(κx + phase)."""
        if self.ends == "free":
            return self.k * np.pi, 0.5 * np.pi
        return (self.k if self.ends == "clamped-clamped" else self.k - 0.5) * np.pi, 0.0

    def _rod(self, s: Reals, derivative: int) -> Reals:
        kappa, phase = self._rod_wave()
        return kappa**derivative * exact_zeros(np.sin(kappa * s + phase + derivative * 0.5 * np.pi))

    def _bending(self, s: Reals, derivative: int) -> Reals:
        b = root(self.ends, self.k)
        if self.ends == "pinned":
            return b**derivative * exact_zeros(np.sin(b * s + derivative * 0.5 * np.pi))
        # With e = e^(-βL), in terms that are bounded on [0, 1]; τ is 1 with one free end, else -1.
        e, tau = np.exp(-b), 1.0 if self.ends == "clamped" else -1.0
        below = 1.0 - e * e + 2.0 * tau * e * np.sin(b)
        c = (1.0 + e * e + 2.0 * tau * e * np.cos(b)) / below
        growing = (tau * (np.sin(b) - np.cos(b)) - e) / below
        outer = 1.0 if self.ends == "free" else -1.0
        d, phase = derivative, b * s + derivative * 0.5 * np.pi
        found = 0.5 * (1.0 + c) * (-1.0) ** d * np.exp(-b * s) + growing * np.exp(b * (s - 1.0))
        return b**d * exact_zeros(found + outer * (np.cos(phase) - c * np.sin(phase)))


def exact_zeros(values: Reals) -> Reals:
    """Of numbers around one: zeros for what is but rounding, so that ends that do not move are known as such."""
    return np.where(np.abs(values) > 1e-14, values, 0.0)


def shapes_of(counts: dict[str, int], ends: str, length: float, planar: bool) -> list[tuple[str, BeamShape]]:
    """Shapes with names, as many of each kind as are wanted."""
    directions = {"bending": ("y",) if planar else ("y", "z"), "bending y": ("y",), "bending z": ("z",)}
    found: list[tuple[str, BeamShape]] = []
    for kind, count in counts.items():
        if kind in directions:
            if planar and kind == "bending z":
                raise ModelError("beam: bending along z leaves the plane")
            for direction in directions[kind]:
                label = "bending" if planar else f"bending_{direction}"
                found += [
                    (f"{label}{k}", BeamShape("bending", direction, ends, k, length)) for k in range(1, count + 1)
                ]
        elif kind == "torsion" and planar:
            raise ModelError("beam: torsion leaves the plane")
        else:
            found += [(f"{kind}{k}", BeamShape(kind, "", ends, k, length)) for k in range(1, count + 1)]
    return found
