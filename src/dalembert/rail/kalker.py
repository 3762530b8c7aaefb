"""Kalker's linear theory of rolling contact: coefficients c₁₁, c₂₂, c₂₃, c₃₃ and the matrix C^K; numbers and atoms.

J. J. Kalker, On the rolling contact of two elastic bodies in the presence of dry friction, dissertation, Delft 1967:
table over g = min(a/b, b/a) for ν = 0, ¼, ½, and the limits of slender ellipses.  Between the ratios of Poisson 1/c is
taken to be quadratic.  C^K is that of eqs. (24), (30) of the railway paper with the factor ab on c₂₃, which is missing
there:

    C^K = G ab [[c₁₁, 0, 0], [0, c₂₂, √(ab) c₂₃], [0, −√(ab) c₂₃, ab c₃₃]],   (F_x, F_y, M_z) = −C^K (ξ, η, φ).

x points in the direction of travel: seen from axes turned by 180° about the normal, c₂₃ changes its sign.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dalembert.arguments import instance, real, shown
from dalembert.errors import ModelError
from dalembert.rail.material import STEEL, Material
from dalembert.rail.values import quantities
from dalembert.symbolic import Atom, AtomArray, PiecewisePolynomial, VectorTable, array

Floats = npt.NDArray[np.float64]

#: a/b from 0.1 to 1, then b/a from 0.9 down to 0.1; per row c₁₁, c₂₂, c₂₃, c₃₃, each for ν = 0, ¼, ½
_RATIOS = np.array([*np.arange(0.1, 0.95, 0.1), 1.0, *(1.0 / np.arange(0.9, 0.05, -0.1))])
_TABLE = np.array([
    (2.51, 3.31, 4.85, 2.51, 2.52, 2.53, 0.334, 0.473, 0.731, 6.42, 8.28, 11.7),
    (2.59, 3.37, 4.81, 2.59, 2.63, 2.66, 0.483, 0.603, 0.809, 3.46, 4.27, 5.66),
    (2.68, 3.44, 4.80, 2.68, 2.75, 2.81, 0.607, 0.715, 0.889, 2.49, 2.96, 3.72),
    (2.78, 3.53, 4.82, 2.78, 2.88, 2.98, 0.720, 0.823, 0.977, 2.02, 2.32, 2.77),
    (2.88, 3.62, 4.83, 2.88, 3.01, 3.14, 0.827, 0.929, 1.07, 1.74, 1.93, 2.22),
    (2.98, 3.72, 4.91, 2.98, 3.14, 3.31, 0.930, 1.03, 1.18, 1.56, 1.68, 1.86),
    (3.09, 3.81, 4.97, 3.09, 3.28, 3.48, 1.03, 1.14, 1.29, 1.43, 1.50, 1.60),
    (3.19, 3.91, 5.05, 3.19, 3.41, 3.65, 1.13, 1.25, 1.40, 1.34, 1.37, 1.42),
    (3.29, 4.01, 5.12, 3.29, 3.54, 3.82, 1.23, 1.36, 1.51, 1.27, 1.27, 1.27),
    (3.40, 4.12, 5.20, 3.40, 3.67, 3.98, 1.33, 1.47, 1.63, 1.21, 1.19, 1.16),
    (3.51, 4.22, 5.30, 3.51, 3.81, 4.16, 1.44, 1.59, 1.77, 1.16, 1.11, 1.06),
    (3.65, 4.36, 5.42, 3.65, 3.99, 4.39, 1.58, 1.75, 1.94, 1.10, 1.04, 0.954),
    (3.82, 4.54, 5.58, 3.82, 4.21, 4.67, 1.76, 1.95, 2.18, 1.05, 0.965, 0.852),
    (4.06, 4.78, 5.80, 4.06, 4.50, 5.04, 2.01, 2.23, 2.50, 1.01, 0.892, 0.751),
    (4.37, 5.10, 6.11, 4.37, 4.90, 5.56, 2.35, 2.62, 2.96, 0.958, 0.819, 0.650),
    (4.84, 5.57, 6.57, 4.84, 5.48, 6.31, 2.88, 3.24, 3.70, 0.912, 0.747, 0.549),
    (5.57, 6.34, 7.34, 5.57, 6.40, 7.51, 3.79, 4.32, 5.01, 0.868, 0.674, 0.446),
    (6.96, 7.78, 8.82, 6.96, 8.14, 9.79, 5.72, 6.63, 7.89, 0.828, 0.601, 0.341),
    (10.7, 11.7, 12.9, 10.7, 12.8, 16.0, 12.2, 14.6, 18.0, 0.795, 0.526, 0.228),
]).reshape(19, 4, 3)  # fmt: skip

#: where the limits of slender ellipses stand beside the table
_SLENDER = np.array([0.003, 0.01, 0.03])


class Coefficients(NamedTuple):
    """Kalker's creep coefficients."""

    c11: Any
    c22: Any
    c23: Any
    c33: Any


def coefficients(a: Any, b: Any, nu: float = STEEL.nu) -> Coefficients:
    """Coefficients of the ellipse with the semi-axis ``a`` in the direction of travel and ``b`` across it."""
    a, b = (_semi_axis(value, name) for value, name in zip(quantities("Kalker", a=a, b=b), "ab", strict=True))
    nu = real(nu, "Kalker: nu", ModelError)
    if not 0.0 <= nu <= 0.5:
        raise ModelError(f"Kalker: nu must be from 0 to 0.5, got {nu:g}")
    found = table_of_coefficients(nu)(np.log(a / b))
    return Coefficients(*(found[..., i][()] for i in range(4)))


def _semi_axis(value: Any, name: str) -> Any:
    """A positive number, an array of them, or one atom."""
    if isinstance(value, AtomArray):
        raise ModelError(f"Kalker: the semi-axis {name} must be one atom where it is symbolic, got {shown(value)}")
    if not isinstance(value, Atom) and not np.all(np.asarray(value) > 0.0):
        raise ModelError(f"Kalker: the semi-axis {name} must be positive, got {shown(value)}")
    return value


@cache
def table_of_coefficients(nu: float) -> VectorTable:
    """c₁₁, c₂₂, c₂₃, c₃₃ over ln(a/b): monotone between the points of the table and of the limits on both sides."""
    ratios = np.concatenate([_SLENDER, _RATIOS, 1.0 / _SLENDER[::-1]])
    values = np.concatenate([
        [_wide(g, nu) for g in _SLENDER], _at_poisson(nu), [_long(g, nu) for g in _SLENDER[::-1]],
    ])  # fmt: skip
    x = np.log(ratios)
    parts = [PiecewisePolynomial.monotone(x, column, outside="cubic").coefficients for column in values.T]
    return VectorTable(x, np.stack(parts, axis=2), "constant", watched=False)


def _at_poisson(nu: float) -> Floats:
    """The rows of the table for another ratio of Poisson: 1/c as a parabola through those of 0, ¼, ½."""
    weights = np.array([8.0 * (nu - 0.25) * (nu - 0.5), -16.0 * nu * (nu - 0.5), 8.0 * nu * (nu - 0.25)])
    return np.asarray(1.0 / ((1.0 / _TABLE) @ weights))


def _wide(g: float, nu: float) -> tuple[float, float, float, float]:
    """Limits for a/b = g → 0."""
    c23 = np.pi * np.sqrt(g) / (3.0 * (1.0 - nu)) * (1.0 + nu * (np.log(16.0 / g) - 5.0))
    return np.pi**2 / (4.0 * (1.0 - nu)), np.pi**2 / 4.0, c23, np.pi**2 / (16.0 * (1.0 - nu) * g)


def _long(g: float, nu: float) -> tuple[float, float, float, float]:
    """Limits for b/a = g → 0."""
    L = np.log(16.0 / g**2)
    p, q, r = L - 2.0 * nu, (1.0 - nu) * L + 2.0 * nu, (1.0 - nu) * L - 2.0 + 4.0 * nu
    c11 = 2.0 * np.pi / (p * g) * (1.0 + (3.0 - np.log(4.0)) / p)
    c22 = 2.0 * np.pi / (q * g) * (1.0 + (1.0 - nu) * (3.0 - np.log(4.0)) / q)
    return c11, c22, 2.0 * np.pi / 3.0 * g**-1.5 / r, np.pi / 4.0 * (1.0 - nu * (L - 2.0) / r)


def matrix(entries: list[list[Any]]) -> Any:
    """Entries as a matrix of numbers (further axes last) or of atoms."""
    rows = [item for row in entries for item in row]
    if any(np.asarray(item).dtype == object for item in rows):
        return array(entries)
    return np.stack(np.broadcast_arrays(*rows)).reshape(len(entries), len(entries[0]), *np.broadcast(*rows).shape)


def kalker_matrix(a: Any, b: Any, material: Material = STEEL, direction: Any = 1.0) -> Any:
    """C^K of eqs. (24), (30), corrected: (F_x, F_y, M_z) = −C^K (ξ, η, φ).

    :param direction: 1 if the wheel runs along +x of the contact, −1 if it runs backwards, which changes c₂₃'s sign
    """
    instance(material, Material, "Kalker: material", ModelError)
    a, b, direction = quantities("Kalker", a=a, b=b, direction=direction)
    c = coefficients(a, b, material.nu)
    area = a * b
    scale = material.G * area
    cross = direction * np.sqrt(area) * c.c23 * scale
    zero = 0.0 * scale if isinstance(scale, np.ndarray) else 0.0
    return matrix([[scale * c.c11, zero, zero], [zero, scale * c.c22, cross], [zero, -cross, area * c.c33 * scale]])
