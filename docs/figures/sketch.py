"""Simple sketches for the documentation: boxes, cylinders, frames and arrows in one parallel projection.

x points to the right and to the viewer, y to the right and away, z up.  Flat sketches use ``ax`` in the plane.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Polygon

FIRST, SECOND, THIRD = "#c3d0e0", "#f3dcae", "#dcdcdc"  # fill of the first body, the second, and others
EDGE_FIRST, EDGE_SECOND, GREY = "#3d5a80", "#a5701b", "#666666"
FREE = "#d1495b"  # motions that are free
FORCE = "#1b7f5c"
_PROJECTION = np.array([[0.85, 0.62, 0.0], [-0.30, 0.38, 1.0]])
_VIEWER = np.array([0.62, -0.85, 0.509])

Points = Any


def flat(points: Points) -> Any:
    """Points in space on the page; those of the page stay."""
    p = np.atleast_2d(np.asarray(points, dtype=float))
    return p if p.shape[1] == 2 else p @ _PROJECTION.T


def line(ax: Axes, points: Points, color: str = GREY, width: float = 1.2, style: str = "-", order: float = 3) -> None:
    """A polygon."""
    x, y = flat(points).T
    ax.plot(x, y, color=color, linewidth=width, linestyle=style, solid_capstyle="round", zorder=order)


def dot(ax: Axes, point: Points, color: str = GREY, size: float = 3.5, order: float = 6) -> None:
    """A point."""
    x, y = flat(point)[0]
    ax.plot([x], [y], "o", color=color, markersize=size, zorder=order)


def text(ax: Axes, point: Points, words: str, color: str = GREY, size: float = 9, **options: Any) -> None:
    """Some words."""
    x, y = flat(point)[0]
    ax.update_datalim([(x, y)])
    ax.text(x, y, words, color=color, fontsize=size, ha="center", va="center", zorder=9, **options)


def arrow(ax: Axes, start: Points, end: Points, color: str = FREE, width: float = 1.8, both: bool = False) -> None:
    """A straight arrow, with two heads if asked."""
    a, b = flat(start)[0], flat(end)[0]
    ax.update_datalim([a, b])
    style = "<|-|>" if both else "-|>"
    shape = {"arrowstyle": style, "color": color, "linewidth": width, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 10}
    ax.annotate("", xy=b, xytext=a, arrowprops=shape, zorder=7)


def circle_points(centre: Points, axis: Points, radius: float, start: float = 0.0, end: float = 360.0) -> Any:
    """Points of an arc about an axis in space, angles in degrees from some direction across it."""
    n = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    u = np.cross(n, (0.0, 0.0, 1.0)) if abs(n[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    u = u / np.linalg.norm(u)
    w = np.cross(n, u)
    a = np.radians(np.linspace(start, end, max(12, int(abs(end - start) / 6))))[:, None]
    return np.asarray(centre, dtype=float) + radius * (np.cos(a) * u + np.sin(a) * w)


def turn(
    ax: Axes, centre: Points, axis: Points = (0, 0, 1), radius: float = 0.45, start: float = -150.0, end: float = 120.0,
    color: str = FREE,
) -> None:  # fmt: skip
    """An arrow around an axis, in space; on the page if the centre has two components."""
    if len(np.asarray(centre)) == 2:
        a = np.radians(np.linspace(start, end, 40))[:, None]
        points = np.asarray(centre) + radius * np.hstack([np.cos(a), np.sin(a)])
    else:
        points = circle_points(centre, axis, radius, start, end)
    line(ax, points[:-1], color, 1.8, order=7)
    arrow(ax, points[-4], points[-1], color)


def polygon(ax: Axes, points: Points, fill: str, edge: str, order: float = 2, alpha: float = 1.0) -> None:
    """A filled polygon."""
    ax.add_patch(
        Polygon(flat(points), closed=True, facecolor=fill, edgecolor=edge, linewidth=1.0, zorder=order, alpha=alpha)
    )


def box(
    ax: Axes, low: Sequence[float], high: Sequence[float], fill: str, edge: str, order: float = 2, R: Any = None,
    about: Any = (0, 0, 0),
) -> None:  # fmt: skip
    """A box between two corners, turned by R about a point; its visible faces."""
    corner = np.array([low, high], dtype=float)
    R = np.eye(3) if R is None else np.asarray(R, dtype=float)
    for axis in range(3):
        for side in (0, 1):
            normal = np.zeros(3)
            normal[axis] = 2 * side - 1
            if (R @ normal) @ _VIEWER <= 0:
                continue
            i, j = (k for k in range(3) if k != axis)
            face = np.zeros((4, 3))
            face[:, axis] = corner[side, axis]
            face[:, i] = corner[[0, 1, 1, 0], i]
            face[:, j] = corner[[0, 0, 1, 1], j]
            polygon(ax, (face - about) @ R.T + np.asarray(about), fill, edge, order)


def cylinder(ax: Axes, start: Points, end: Points, radius: float, fill: str, edge: str, order: float = 2) -> None:
    """A cylinder between two points: its outline, and the end that the viewer sees."""
    from scipy.spatial import ConvexHull

    a, b = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    rings = [circle_points(p, b - a, radius) for p in (a, b)]
    points = flat(np.vstack(rings))
    polygon(ax, points[ConvexHull(points).vertices], fill, edge, order)
    seen = rings[1] if (b - a) @ _VIEWER > 0 else rings[0]
    polygon(ax, seen, fill, edge, order)


def ball(ax: Axes, centre: Points, radius: float, fill: str, edge: str, order: float = 2) -> None:
    """A sphere, or a disc on the page."""
    ax.add_patch(Circle(tuple(flat(centre)[0]), radius, facecolor=fill, edgecolor=edge, linewidth=1.0, zorder=order))


def rotation(axis: str, degrees: float) -> Any:
    """Rotation matrix about x, y or z."""
    a = np.radians(degrees)
    c, s = np.cos(a), np.sin(a)
    i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    R = np.eye(3)
    R[i, i], R[i, j], R[j, i], R[j, j] = c, -s, s, c
    return R


def frame(
    ax: Axes, origin: Points = (0, 0, 0), R: Any = None, color: str = EDGE_FIRST, size: float = 0.6, label: str = "",
    axes: str = "xyz",
) -> None:  # fmt: skip
    """A frame: a triad, or two axes on the page, with small letters at the ends."""
    o = np.asarray(origin, dtype=float)
    R = np.eye(len(o)) if R is None else np.asarray(R, dtype=float)
    for k, name in enumerate(axes[: len(o)]):
        end = o + size * R[:, k]
        arrow(ax, o, end, color, 1.1)
        text(ax, o + 1.22 * size * R[:, k], name, color, 7, style="italic")
    dot(ax, o, color)
    if label:
        text(ax, flat(o)[0] + [-0.14, -0.12], label, color, 9, weight="bold")


def spring(ax: Axes, start: Points, end: Points, color: str = FORCE, coils: int = 6, width: float = 0.1) -> None:
    """A zigzag between two points of the page."""
    a, b = flat(start)[0], flat(end)[0]
    along = (b - a) / np.linalg.norm(b - a)
    across = np.array([-along[1], along[0]]) * width
    s = np.linspace(0.2, 0.8, 2 * coils + 1)
    middle = a + s[:, None] * (b - a)
    middle[1:-1:2] += across
    middle[2:-1:2] -= across
    line(ax, np.vstack([a, middle, b]), color, 1.5, order=5)


def damper(ax: Axes, start: Points, end: Points, color: str = FORCE, width: float = 0.09) -> None:
    """A dashpot between two points of the page."""
    a, b = flat(start)[0], flat(end)[0]
    along = (b - a) / np.linalg.norm(b - a)
    across = np.array([-along[1], along[0]]) * width
    near, far, piston = a + 0.38 * (b - a), a + 0.66 * (b - a), a + 0.54 * (b - a)
    line(ax, [a, near], color, 1.5, order=5)
    line(ax, [far + across, near + across, near - across, far - across], color, 1.5, order=5)
    line(ax, [piston + 0.8 * across, piston - 0.8 * across], color, 1.5, order=5)
    line(ax, [piston, b], color, 1.5, order=5)


def ground(ax: Axes, start: Points, end: Points, down: Points = (0.0, -1.0), color: str = GREY) -> None:
    """A line on the page with hatching below."""
    a, b = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    line(ax, [a, b], color, 1.4)
    count = max(3, int(np.linalg.norm(b - a) / 0.12))
    lean = 0.09 * np.asarray(down) - 0.07 * (b - a) / np.linalg.norm(b - a)
    for s in np.linspace(0.06, 1.0, count):
        p = a + s * (b - a)
        line(ax, [p, p + lean], color, 0.7)


def pin(ax: Axes, point: Points, radius: float = 0.06, color: str = GREY) -> None:
    """A hinge on the page."""
    ax.add_patch(Circle(tuple(flat(point)[0]), radius, facecolor="white", edgecolor=color, linewidth=1.3, zorder=6))


def bar(ax: Axes, start: Points, end: Points, fill: str, edge: str, width: float = 0.09, order: float = 3) -> None:
    """A link with round ends on the page."""
    a, b = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    along = np.arctan2(*(b - a)[::-1])
    angles = np.linspace(np.pi / 2, 3 * np.pi / 2, 20)
    ring = np.array([np.cos(angles), np.sin(angles)]).T * width
    c, s = np.cos(along), np.sin(along)
    R = np.array([[c, -s], [s, c]])
    polygon(ax, np.vstack([a + ring @ R.T, b - ring @ R.T]), fill, edge, order)
