"""Vectors and matrices of three dimensions as lists of atoms.

Symmetric matrices are lists of six: xx, xy, xz, yy, yz, zz; others have their entries by rows.
"""

from __future__ import annotations

from typing import Any

Vector = list[Any]
Matrix = list[list[Any]]
AXES = range(3)
_SYMMETRIC = ((0, 1, 2), (1, 3, 4), (2, 4, 5))
_PAIRS = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
ZERO: Vector = [0.0, 0.0, 0.0]


def dot(a: Vector, b: Vector) -> Any:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def add(*vectors: Vector) -> Vector:
    total = list(vectors[0])
    for vector in vectors[1:]:
        total = [a + b for a, b in zip(total, vector, strict=True)]
    return total


def subtract(a: Vector, b: Vector) -> Vector:
    return [x - y for x, y in zip(a, b, strict=True)]


def scaled(factor: Any, vector: Vector) -> Vector:
    return [factor * x for x in vector]


def cross(a: Vector, b: Vector) -> Vector:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def full(s: Vector) -> Matrix:
    """A symmetric matrix with all its entries."""
    return [[s[k] for k in row] for row in _SYMMETRIC]


def packed(a: Matrix) -> Vector:
    """The six entries of a symmetric matrix."""
    return [a[i][j] for i, j in _PAIRS]


def by_rows(entries: Any) -> Matrix:
    return [list(entries[3 * i : 3 * i + 3]) for i in AXES]


def flat(a: Matrix) -> Vector:
    return [x for row in a for x in row]


def times(a: Matrix, x: Vector) -> Vector:
    return [dot(row, x) for row in a]


def transposed_times(a: Matrix, x: Vector) -> Vector:
    return [a[0][i] * x[0] + a[1][i] * x[1] + a[2][i] * x[2] for i in AXES]


def product(a: Matrix, b: Matrix) -> Matrix:
    return [[dot(row, [b[0][j], b[1][j], b[2][j]]) for j in AXES] for row in a]


def transposed(a: Matrix) -> Matrix:
    return [[a[j][i] for j in AXES] for i in AXES]


def column(a: Matrix, j: int) -> Vector:
    return [a[i][j] for i in AXES]


def cross_columns(d: Vector, a: Matrix) -> Matrix:
    """[d]× a."""
    return transposed([cross(d, column(a, j)) for j in AXES])


def skew(h: Vector) -> Matrix:
    return [[0.0, -h[2], h[1]], [h[2], 0.0, -h[0]], [-h[1], h[0], 0.0]]


def turned(r: Matrix, s: Vector) -> Vector:
    """R S Rᵀ of a symmetric S."""
    half = product(r, full(s))
    return [dot(half[i], r[j]) for i, j in _PAIRS]


def inverse(s: Vector) -> Vector:
    """Inverse of a symmetric matrix, by cofactors."""
    xx, xy, xz, yy, yz, zz = s
    cofactors = [
        yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy, xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy
    ]  # fmt: skip
    scale = 1.0 / dot([xx, xy, xz], cofactors[:3])
    return scaled(scale, cofactors)


def composed(a: Vector, b: Vector) -> Vector:
    """Euler parameters of the rotation a followed by b, in the axes that a turned: R(a∘b) = R(a) R(b)."""
    return [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]


def rotation(p: Vector) -> Matrix:
    """Rotation matrix of unit Euler parameters."""
    x, y, z = (2.0 * e for e in p[1:])
    wx, wy, wz = (p[0] * e for e in (x, y, z))
    xx, xy, xz, yy, yz, zz = p[1] * x, p[1] * y, p[1] * z, p[2] * y, p[2] * z, p[3] * z
    return [
        [1.0 - (yy + zz), xy - wz, xz + wy],
        [xy + wz, 1.0 - (xx + zz), yz - wx],
        [xz - wy, yz + wx, 1.0 - (xx + yy)],
    ]
