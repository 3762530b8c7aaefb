"""The contact ellipse of Hertz, eqs. (20), (21) of the railway paper; on numbers and on atoms.

    a = m Q^{1/3},  b = n Q^{1/3},  Q = (3/2) N (1 − ν²)/(E (A + B)),  cos θ = (B − A)/(A + B),  θ in 0 … 180°,

a along the rail, b across it.  With the axis ratio k = b/a and Carlson's integrals (K. L. Johnson, Contact Mechanics,
Cambridge 1985, eqs. 4.25, 4.26; B. C. Carlson, NIST Handbook, section 19.25)

    B/A = R_D(0, 1, k²)/R_D(0, k², 1),   m n² = (2/π) E(√(1 − k²)),

without cancellation next to the circle.  m and n depend on x = ln(B/A) alone, and m(−x) = n(x): on atoms they are
splines over x with even knots, 1e-9 from the integrals.  The classical table over θ (as in the paper) is there for
comparison.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from dalembert.arguments import instance, one_of, real
from dalembert.errors import ModelError
from dalembert.rail.material import STEEL, Material
from dalembert.rail.values import quantities
from dalembert.symbolic import VectorTable

#: 1/m: smaller relative curvatures are taken to be this; the surfaces are then conformal and Hertz does not hold
LEAST_CURVATURE = 0.05
#: N: the ellipse of a smaller load is that of this one, so that derivatives exist
LEAST_LOAD = 1.0
#: largest |ln(B/A)| and distance of knots
_RANGE, _STEP = 14.0, 0.05

#: θ in degrees, m, n: the classical table of Hertz's functions that the paper interpolates (its ref. [27], table 4.1)
HERTZ_TABLE = np.array([
    (0.5, 61.4, 0.1018), (1.0, 36.89, 0.1314), (1.5, 27.48, 0.1522), (2.0, 22.26, 0.1691), (3.0, 16.5, 0.1964),
    (4.0, 13.31, 0.2188), (6.0, 9.79, 0.2552), (8.0, 7.86, 0.285), (10.0, 6.604, 0.3112), (20.0, 3.813, 0.4123),
    (30.0, 2.731, 0.493), (35.0, 2.397, 0.53), (40.0, 2.136, 0.567), (45.0, 1.926, 0.604), (50.0, 1.754, 0.641),
    (55.0, 1.611, 0.678), (60.0, 1.486, 0.717), (65.0, 1.378, 0.759), (70.0, 1.284, 0.802), (75.0, 1.202, 0.846),
    (80.0, 1.128, 0.893), (85.0, 1.061, 0.944), (90.0, 1.0, 1.0),
])  # fmt: skip


class Ellipse(NamedTuple):
    """Semi-axes of the contact in m: along the rail and across it; ``conformal`` is 1 where a curvature was raised."""

    a: Any
    b: Any
    conformal: Any


def hertz(
    N: Any,
    A: Any,
    B: Any,
    material: Material = STEEL,
    *,
    method: str = "exact",
    least: float = LEAST_CURVATURE,
) -> Ellipse:
    """The ellipse under the load N of surfaces with the relative curvatures A along and B across the rail.

    :param method: "exact": elliptic integrals; "table": the classical table over θ
    :param least: curvatures below this are raised to it and the contact is called conformal
    """
    one_of(method, ("exact", "table"), "Hertz: method", ModelError)
    instance(material, Material, "Hertz: material", ModelError)
    N, A, B = quantities("Hertz", N=N, A=A, B=B)
    if not real(least, "Hertz: least", ModelError) > 0.0:
        raise ModelError(f"Hertz: the least curvature must be positive, got {least:g}")
    conformal = 1.0 * (np.minimum(A, B) < least)
    A, B = np.maximum(A, least), np.maximum(B, least)
    Q = np.cbrt(1.5 * (1.0 - material.nu**2) / material.E * np.maximum(N, LEAST_LOAD) / (A + B))  # (20)
    if method == "table":
        m, n = tabulated_axes((B - A) / (A + B))
    elif _numbers(A, B):
        m, n = exact_axes(np.log(B / A))
    else:
        m, n = spline_of_axes()(np.clip(np.log(B / A), -_RANGE, _RANGE))
    return Ellipse(m * Q, n * Q, conformal)


def _numbers(*values: Any) -> bool:
    return all(np.asarray(value).dtype != object for value in values)


def exact_axes(x: Any) -> tuple[Any, Any]:
    """m and n of numbers x = ln(B/A), by elliptic integrals."""
    from scipy.special import ellipe, elliprd

    at = np.abs(np.asarray(x, dtype=float))
    t = -at / 1.6  # ln k; the slope of x over t is between −2 and −1.5
    for _ in range(60):
        k2 = np.exp(2.0 * t)
        away = np.log(elliprd(0.0, 1.0, k2) / elliprd(0.0, k2, 1.0)) - at
        t = np.minimum(t + away / 1.75, 0.0)
        if not np.any(np.abs(away) > 4e-15 * (1.0 + at)):
            break
    k = np.exp(t)
    large = np.cbrt(2.0 / np.pi * ellipe(1.0 - k * k) / (k * k))
    small = k * large
    m, n = np.where(np.asarray(x) >= 0.0, large, small), np.where(np.asarray(x) >= 0.0, small, large)
    return (float(m), float(n)) if m.ndim == 0 else (m, n)


@cache
def spline_of_axes() -> VectorTable:
    """m and n over ln(B/A), for atoms."""
    x = np.arange(-_RANGE - _STEP, _RANGE + 1.5 * _STEP, _STEP)
    return VectorTable.spline(x, np.stack(exact_axes(x), axis=1), watched=False)


@cache
def _spline_of_table() -> VectorTable:
    """ln m and ln n over ln θ up to 90°."""
    theta, m, n = HERTZ_TABLE.T
    return VectorTable.spline(np.log(theta), np.log(np.stack([m, n], axis=1)), watched=False)


def tabulated_axes(cosine: Any) -> tuple[Any, Any]:
    """m and n over cos θ by the classical table; beyond 90° they change places."""
    theta = np.degrees(np.arccos(np.abs(cosine)))
    values = np.exp(_spline_of_table()(np.log(np.maximum(theta, HERTZ_TABLE[0, 0]))))
    large, small = (values[0], values[1]) if values.ndim == 1 else (values[..., 0], values[..., 1])
    first = cosine >= 0.0
    return np.where(first, large, small), np.where(first, small, large)


def largest_pressure(a: Any, b: Any, N: Any) -> Any:
    """The largest pressure of the ellipse, 3N/(2π a b)."""
    return 1.5 * N / (np.pi * a * b)
