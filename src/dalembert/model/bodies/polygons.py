"""Polygons in the plane: area and moments, triangles, convex hull."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class AreaMoments(NamedTuple):
    """Of a polygon: signed area, centroid, and second moments ∫ x xᵀ dA about the centroid (2×2)."""

    area: float
    centroid: np.ndarray
    second: np.ndarray


def area_moments(points: np.ndarray) -> AreaMoments:
    """Exact integrals over a simple polygon; all of them change sign with its orientation."""
    # Sums over the triangles (o, a, b) from a point nearby: o at the origin loses digits for polygons far from it.
    origin = points.mean(axis=0)
    a = points - origin
    b = np.roll(a, -1, axis=0)
    double = cross(a, b)
    area = 0.5 * double.sum()
    first = (double[:, None] * (a + b)).sum(axis=0) / 6.0
    s = a + b
    outer = s[:, :, None] * s[:, None, :] + a[:, :, None] * a[:, None, :] + b[:, :, None] * b[:, None, :]
    about_origin = (double[:, None, None] * outer).sum(axis=0) / 24.0
    if area == 0.0:
        return AreaMoments(0.0, origin, about_origin)
    centre = first / area
    return AreaMoments(float(area), origin + centre, about_origin - area * np.outer(centre, centre))


def crossing(points: np.ndarray) -> tuple[int, int] | None:
    """Numbers of two sides of a polygon that meet without being neighbours, or None."""
    n = len(points)
    a, b = points, np.roll(points, -1, axis=0)
    for i in range(n - 2):
        j = np.arange(i + 2, n if i else n - 1)
        c, d = a[j], b[j]
        c_side, d_side = cross(b[i] - a[i], c - a[i]), cross(b[i] - a[i], d - a[i])
        a_side, b_side = cross(d - c, a[i] - c), cross(d - c, b[i] - c)
        low, high = np.minimum(a[i], b[i]), np.maximum(a[i], b[i])
        boxes = ((np.minimum(c, d) <= high) & (np.maximum(c, d) >= low)).all(axis=1)  # decides if all are in line
        hit = boxes & (c_side * d_side <= 0.0) & (a_side * b_side <= 0.0)
        if hit.any():
            return i, int(j[np.argmax(hit)])
    return None


def triangulated(points: np.ndarray) -> np.ndarray | None:
    """Triangles (n - 2, 3) of a counterclockwise simple polygon, by clipping ears; None if it is not simple."""
    rest = list(range(len(points)))
    faces = []
    while len(rest) > 3:
        ear = _ear(points, rest)
        if ear is None:
            return None
        k = len(rest)
        faces.append((rest[ear - 1], rest[ear], rest[(ear + 1) % k]))
        del rest[ear]
    return np.array([*faces, rest], dtype=np.int64)


def _ear(points: np.ndarray, rest: list[int]) -> int | None:
    """Place in ``rest`` of a convex corner whose triangle holds no other corner."""
    b = points[rest]
    a, c = np.roll(b, 1, axis=0), np.roll(b, -1, axis=0)
    turn = cross(b - a, c - b)
    others = np.ones(len(rest), dtype=bool)
    for i in np.flatnonzero(turn > 0.0):
        corners = [i - 1, i, (i + 1) % len(rest)]
        others[corners] = False
        p = b[others]
        others[corners] = True
        inside = (
            (cross(b[i] - a[i], p - a[i]) >= 0.0)
            & (cross(c[i] - b[i], p - b[i]) >= 0.0)
            & (cross(a[i] - c[i], p - c[i]) >= 0.0)
        )
        if not inside.any():
            return int(i)
    flat = np.flatnonzero(turn == 0.0)  # left over by rounding: a triangle without area, which does no harm
    return int(flat[0]) if flat.size else None


def convex_hull(points: np.ndarray) -> np.ndarray:
    """Corners of the convex hull, counterclockwise (Andrew's monotone chain); two of them if all are in line."""
    points = np.unique(points, axis=0)
    if len(points) < 3:
        return points
    # Corners of round bodies that lie in line up to rounding would appear or not at random.
    flat = 1e-12 * float(np.ptp(points, axis=0).max()) ** 2

    def chain(ordered: list[list[float]]) -> list[list[float]]:  # numbers, not arrays: meshes have many points
        kept: list[list[float]] = []
        for x, y in ordered:
            while len(kept) > 1:
                (ax, ay), (bx, by) = kept[-2:]
                if (bx - ax) * (y - by) - (by - ay) * (x - bx) > flat:
                    break
                kept.pop()
            kept.append([x, y])
        return kept[:-1]

    ordered = points.tolist()
    return np.array(chain(ordered) + chain(ordered[::-1]))


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a × b in the plane"""
    result: np.ndarray = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return result
