"""The patch of a loaded contact whose gap is no parabola: virtual penetration.

W. Kik, J. Piotrowski, A fast approximate method to calculate normal load at contact between wheel and rail, 2nd Mini
Conference on Contact Mechanics, Budapest 1996: the patch is where bodies would overlap that penetrate by a part of
their approach δ; in each strip across it the pressure is semi-elliptic along the rail,

    x_l(y)² = κ g(y),   g = ρ δ − z(y),   p ∝ √(x_l² − x²),

and δ follows from the load by the displacement in the deepest point,

    N = π E δ/(2 (1 − ν²)) ∫∫ √(x_l² − x²) dx dy / ∫∫ √(x_l² − x²)/√(x² + y²) dx dy.

Kik and Piotrowski take ρ = 0.55 and κ = 1/A; here both are those of the Hertzian ellipse with the curvatures A and B
of the touching point, ρ = B b²/δ and κ = a²/(B b²), with which gaps that are parabolas have Hertz's patch and load
exactly. The inner integrals are elliptic: (π/2) x_l² and 2 √(x_l² + y²) (K(m) − E(m)), m = x_l²/(x_l² + y²). On
wheels and rails with almost the same shape the force acts elsewhere than where the rigid bodies touch.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert.arguments import instance, one_of, real
from dalembert.errors import ModelError
from dalembert.rail.contact import Floats, Pair, Side, Touch, WheelsetTouch, check_pairs, side_of
from dalembert.rail.material import STEEL, Material
from dalembert.rail.patch import LEAST_CURVATURE, exact_axes

#: of the approach, by which bodies overlap, after Kik and Piotrowski
_PART = 0.55
_STRIPS = 2000
#: m: half of the range that strips cover at first; strips within the patch at least, and how often they become narrower
_REACH, _WITHIN, _NARROWER = 0.02, 200, 12
#: m: most of an approach
_DEEPEST = 2e-3


class LoadedPatch(NamedTuple):
    """Centre of the pressure on wheel and rail, its contact angle, ends across the rail, half of its length, δ."""

    u_w: float
    u_r: float
    angle: float
    ends: tuple[float, float]
    half_length: float
    approach: float


def loaded_patch(
    wheels: Pair,
    rails: Pair,
    touch: WheelsetTouch,
    side: str,
    N: float,
    material: Material = STEEL,
    *,
    method: str = "hertz",
) -> LoadedPatch:
    """The patch of one wheel of a wheelset that touches both rails, under the load N.

    :param method: "hertz": ρ and κ of the Hertzian ellipse; "kik-piotrowski": ρ = 0.55, κ = 1/A
    """
    check_pairs(wheels, rails)
    instance(touch, WheelsetTouch, "loaded contact: touch", ModelError, "as touching returns it")
    instance(material, Material, "loaded contact: material", ModelError)
    one_of(side, ("left", "right"), "loaded contact: side", ModelError)
    one_of(method, ("hertz", "kik-piotrowski"), "loaded contact: method", ModelError)
    load = real(N, "loaded contact: N", ModelError)
    if not load > 0.0:
        raise ModelError(f"loaded contact: the load must be positive, got {load:g} N")
    here = side_of(wheels, rails, side)
    contact = touch.left if side == "left" else touch.right
    rho, kappa = _hertzian(contact.A, contact.B)
    if method == "kik-piotrowski":
        rho, kappa = _PART, 1.0 / max(contact.A, LEAST_CURVATURE)
    low, high = contact.u_w - _REACH, contact.u_w + _REACH
    for _ in range(_NARROWER):
        strips = _Strips(here, touch, contact, max(here.wheel.valid[0], low), min(here.wheel.valid[1], high))
        stiffness = np.pi * material.E / (2.0 * (1.0 - material.nu**2))
        delta = strips.approach(load, stiffness, rho, kappa)
        overlap = strips.overlap(rho * delta)
        inside = strips.u[overlap > 0.0]
        if inside.size >= _WITHIN:
            break
        # Narrow patches, such as those on flanges, need narrower strips.
        margin = 0.5 * (inside[-1] - inside[0]) + 2.0 * (strips.u[1] - strips.u[0])
        low, high = inside[0] - margin, inside[-1] + margin
    else:
        raise ModelError(
            f"loaded contact: the patch of the {side} wheel is narrower than {1e3 * (inside[-1] - inside[0]):.2g} mm, "
            f"at u = {1e3 * contact.u_w:.4g} mm of '{here.wheel.name}' with the curvatures A = {contact.A:.3g} and "
            f"B = {contact.B:.3g} 1/m; smooth the profiles there"
        )
    u, at, weights = strips.u, strips.at, overlap * strips.width
    u_w, u_r = float(np.sum(u * weights) / np.sum(weights)), float(np.sum(at * weights) / np.sum(weights))
    angle = np.arctan(here.rail(u_r, 1)) * (1.0 if side == "left" else -1.0)
    patch = at[overlap > 0.0]
    return LoadedPatch(
        u_w, u_r, float(angle), (float(patch.min()), float(patch.max())), float(np.sqrt(kappa * overlap.max())), delta
    )


class _Strips:
    """Strips along the rail, side by side on a range of the wheel's profile, and the gap over each."""

    def __init__(self, here: Side, touch: WheelsetTouch, contact: Touch, low: float, high: float) -> None:
        self.u = u = np.linspace(low, high, _STRIPS)
        self.side, inclined = here.name, np.cos(contact.angle)
        self.at = here.locus(u, touch.y, touch.yaw, touch.roll)[1][1] - here.y_r
        self.z = (here.gap(u, touch.y, touch.yaw, touch.roll) + touch.z) * inclined
        self.across = np.abs(self.at - contact.u_r) / inclined
        self.width = np.abs(np.gradient(self.at)) / inclined

    def overlap(self, depth: float) -> Floats:
        """By how much bodies would overlap in each strip."""
        return np.where(np.isfinite(self.z), np.maximum(depth - self.z, 0.0), 0.0)

    def approach(self, load: float, stiffness: float, rho: float, kappa: float) -> float:
        """δ under a load; that at which strips are first within the patch where it is larger."""
        from scipy.optimize import brentq
        from scipy.special import ellipe, ellipkm1

        def force(delta: float) -> float:
            square = kappa * self.overlap(rho * delta)  # x_l²
            inside = square > 0.0
            l2, width = square[inside], self.width[inside]
            y2 = np.maximum(self.across[inside], 1e-3 * self.width[0]) ** 2
            m1 = y2 / (l2 + y2)
            deflection = np.sum(2.0 * np.sqrt(l2 + y2) * (ellipkm1(m1) - ellipe(1.0 - m1)) * width)
            return float(stiffness * delta * np.sum(0.5 * np.pi * l2 * width) / deflection)

        first = max(float(np.min(self.z)) / rho * (1.0 + 1e-9), 1e-8)
        if not (first < _DEEPEST and load <= force(_DEEPEST)):
            raise ModelError(
                f"loaded contact: under {load:g} N the {self.side} wheel and its rail approach by more than "
                f"{1e3 * _DEEPEST:g} mm"
            )
        if not force(first) < load:
            return first
        return float(brentq(lambda d: force(d) - load, first, _DEEPEST, xtol=1e-12))


def _hertzian(A: float, B: float) -> tuple[float, float]:
    """B b²/δ and a²/(B b²) of the Hertzian ellipse with these curvatures (Johnson, Contact Mechanics, eq. 4.26)."""
    from scipy.special import ellipk

    A, B = max(A, LEAST_CURVATURE), max(B, LEAST_CURVATURE)
    m, n = exact_axes(np.log(B / A))
    # δ = p₀/E* · (short axis) K(e); in units of Q^{1/3} p₀/E* is 2 (A + B)/(π m n).
    small, large = min(m, n), max(m, n)
    approach = 2.0 * (A + B) / (np.pi * large) * ellipk(1.0 - (small / large) ** 2)
    return B * n * n / approach, (m / n) ** 2 / B
