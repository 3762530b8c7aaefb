"""Sketches of the joints and of the constraints of points and axes, for the page of the library."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from sketch import (
    EDGE_FIRST,
    EDGE_SECOND,
    FIRST,
    FORCE,
    FREE,
    GREY,
    SECOND,
    THIRD,
    arrow,
    ball,
    box,
    circle_points,
    cylinder,
    dot,
    frame,
    line,
    polygon,
    rotation,
    text,
    turn,
)

A, B = (FIRST, EDGE_FIRST), (SECOND, EDGE_SECOND)


def _letters(ax: Axes, a: tuple[float, ...], b: tuple[float, ...]) -> None:
    text(ax, a, "A", EDGE_FIRST, 10, weight="bold")
    text(ax, b, "B", EDGE_SECOND, 10, weight="bold")


def _axis(ax: Axes, start: tuple[float, ...], end: tuple[float, ...]) -> None:
    line(ax, [start, end], GREY, 0.9, (0, (6, 3, 1, 3)), order=6)


def revolute(ax: Axes) -> None:
    box(ax, (-1.3, -0.16, -0.42), (0.0, 0.16, -0.12), *A)
    cylinder(ax, (0, 0, -0.55), (0, 0, 0.0), 0.3, *A)
    R = rotation("z", 25)
    cylinder(ax, (0, 0, 0.0), (0, 0, 0.5), 0.3, *B, order=3)
    box(ax, (0.22, -0.16, 0.1), (1.25, 0.16, 0.4), *B, R=R, order=2.5)
    _axis(ax, (0, 0, -0.95), (0, 0, 1.15))
    turn(ax, (0, 0, 0.78), radius=0.42)
    frame(ax, (0, 0, 0.5), R, EDGE_SECOND, 0.5)
    _letters(ax, (-1.0, -0.4, -0.5), (1.3, 0.9, 0.55))


def prismatic(ax: Axes) -> None:
    cylinder(ax, (0, 0, -1.0), (0, 0, 0.15), 0.34, *A)
    box(ax, (-0.17, -0.17, 0.15), (0.17, 0.17, 1.0), *B, order=3)
    arrow(ax, (0.65, 0, 0.1), (0.65, 0, 1.0), both=True)
    _axis(ax, (0, 0, -1.3), (0, 0, 1.3))
    frame(ax, (0, 0, 0.15), None, EDGE_FIRST, 0.5)
    _letters(ax, (-0.7, 0, -0.6), (-0.5, 0, 0.75))


def cylindrical(ax: Axes) -> None:
    cylinder(ax, (0, 0, -1.0), (0, 0, 0.1), 0.36, *A)
    cylinder(ax, (0, 0, 0.1), (0, 0, 0.9), 0.2, *B, order=3)
    arrow(ax, (0.7, 0, 0.1), (0.7, 0, 0.95), both=True)
    turn(ax, (0, 0, 1.05), radius=0.36)
    _axis(ax, (0, 0, -1.3), (0, 0, 1.4))
    _letters(ax, (-0.75, 0, -0.6), (-0.45, 0, 0.55))


def screw(ax: Axes) -> None:
    cylinder(ax, (0, 0, -1.0), (0, 0, -0.1), 0.42, *A)
    cylinder(ax, (0, 0, -0.1), (0, 0, 1.0), 0.2, *B, order=3)
    s = np.linspace(0, 5.5, 160)
    thread = np.array([0.2 * np.cos(2 * np.pi * s), 0.2 * np.sin(2 * np.pi * s), -0.06 + s * 0.18]).T
    front = thread @ np.array([0.62, -0.85, 0.0]) > -0.02
    for piece in np.split(np.arange(len(s)), np.flatnonzero(np.diff(front)) + 1):
        if front[piece[0]]:
            line(ax, thread[piece], EDGE_SECOND, 1.2, order=4)
    turn(ax, (0, 0, 1.1), radius=0.36)
    line(ax, [(0.55, 0, 0.3), (0.75, 0, 0.3)], GREY, 0.8)
    line(ax, [(0.55, 0, 0.48), (0.75, 0, 0.48)], GREY, 0.8)
    text(ax, (1.05, 0, 0.42), "pitch", GREY, 8)
    _letters(ax, (-0.75, 0, -0.6), (-0.45, 0, 0.55))


def spherical(ax: Axes) -> None:
    box(ax, (-1.35, -0.12, -0.12), (-0.25, 0.12, 0.12), *A)
    ball(ax, (0, 0, 0), 0.4, *A)
    R = rotation("y", -35) @ rotation("z", 25)
    box(ax, (0.2, -0.1, -0.1), (1.25, 0.1, 0.1), *B, R=R, order=2.5)
    ball(ax, (0, 0, 0), 0.29, *B, order=3)
    turn(ax, (0, 0, 0.62), (0, 0, 1), 0.24, -140, 110)
    turn(ax, (0.72, 0, 0.05), (1, 0, 0), 0.24, -120, 120)
    turn(ax, (0, -0.72, 0), (0, 1, 0), 0.24, -150, 90)
    _letters(ax, (-1.1, 0, 0.32), (1.15, 0.6, 1.05))


def universal(ax: Axes) -> None:
    cylinder(ax, (0, 0, -1.1), (0, 0, -0.55), 0.18, *A)
    for side in (-1, 1):
        box(ax, (0.42 * side - 0.06, -0.12, -0.55), (0.42 * side + 0.06, 0.12, 0.1), *A, order=2 if side < 0 else 4)
    box(ax, (-0.48, -0.12, -0.6), (0.48, 0.12, -0.48), *A, order=2)
    cylinder(ax, (-0.42, 0, 0), (0.42, 0, 0), 0.06, THIRD, GREY, order=3)
    cylinder(ax, (0, 0.42, 0), (0, -0.42, 0), 0.06, THIRD, GREY, order=3)
    for side in (1, -1):
        box(ax, (-0.12, 0.42 * side - 0.06, -0.1), (0.12, 0.42 * side + 0.06, 0.55), *B, order=2.5 if side > 0 else 5)
    box(ax, (-0.12, -0.48, 0.48), (0.12, 0.48, 0.6), *B, order=4.5)
    cylinder(ax, (0, 0, 0.6), (0, 0, 1.1), 0.18, *B, order=4.6)
    turn(ax, (0.85, 0, 0), (1, 0, 0), 0.26, -120, 120)
    turn(ax, (0, -0.85, 0), (0, 1, 0), 0.26, -150, 90)
    text(ax, (1.2, 0, 0), "x", EDGE_FIRST, 8, style="italic")
    text(ax, (0, -1.3, 0), "y", EDGE_SECOND, 8, style="italic")
    _letters(ax, (-0.55, 0, -0.85), (-0.55, 0, 0.85))


def planar_joint(ax: Axes) -> None:
    box(ax, (-1.1, -0.9, -0.15), (1.1, 0.9, 0.0), *A)
    box(ax, (-0.3, -0.25, 0.0), (0.35, 0.3, 0.35), *B, R=rotation("z", 20), order=3)
    arrow(ax, (0.5, -0.1, 0.02), (1.0, -0.1, 0.02), both=True)
    arrow(ax, (-0.05, 0.45, 0.02), (-0.05, 0.88, 0.02), both=True)
    turn(ax, (0, 0, 0.62), radius=0.32)
    _letters(ax, (-0.9, -0.65, 0.0), (0.15, -0.1, 0.18))


def fixed(ax: Axes) -> None:
    box(ax, (-1.1, -0.25, -0.35), (0.0, 0.25, 0.15), *A)
    box(ax, (0.0, -0.25, -0.35), (0.9, 0.25, 0.15), *B, order=1.9)
    box(ax, (0.5, -0.25, 0.15), (0.9, 0.25, 0.8), *B, order=2.5)
    line(ax, [(0, -0.25, -0.35), (0, -0.25, 0.15), (0, 0.25, 0.15)], FREE, 2.2, (0, (1.5, 1)), order=6)
    _letters(ax, (-0.7, -0.25, -0.1), (0.68, -0.25, 0.3))


def free(ax: Axes) -> None:
    frame(ax, (-1.1, 0, -0.6), None, EDGE_FIRST, 0.5, "A")
    R = rotation("z", 20) @ rotation("x", 15)
    box(ax, (-0.35, -0.3, -0.2), (0.35, 0.3, 0.3), *B, R=R, about=(0, 0, 0))
    for d in np.eye(3):
        arrow(ax, 0.5 * d, 0.95 * d, both=False)
    turn(ax, (0, 0, 0.72), (0, 0, 1), 0.2, -140, 110)
    turn(ax, (0.75, 0, 0), (1, 0, 0), 0.2, -120, 120)
    text(ax, (-0.05, -0.3, 0.05), "B", EDGE_SECOND, 10, weight="bold")


def guide(ax: Axes) -> None:
    frame(ax, (-1.1, 0, -0.6), None, EDGE_FIRST, 0.5, "A")
    box(ax, (-0.45, -0.3, -0.2), (0.45, 0.3, 0.2), *B, R=rotation("x", 12), about=(0, 0, 0))
    arrow(ax, (0, 0, 0.35), (0, 0, 0.85), both=False)
    turn(ax, (0.85, 0, 0), (1, 0, 0), 0.2, -120, 120)
    turn(ax, (0, -0.65, 0), (0, 1, 0), 0.2, -120, 120)
    text(ax, (-0.05, -0.3, 0.05), "B", EDGE_SECOND, 10, weight="bold")


# ------------------------------------------------------------------------------------------------ points and directions


def distance(ax: Axes) -> None:
    box(ax, (-1.4, -0.25, -0.6), (-0.7, 0.25, -0.1), *A)
    box(ax, (0.7, -0.25, 0.1), (1.35, 0.25, 0.6), *B)
    line(ax, [(-0.7, -0.25, -0.2), (0.7, -0.25, 0.35)], GREY, 2.4, order=5)
    dot(ax, (-0.7, -0.25, -0.2), EDGE_FIRST, 5)
    dot(ax, (0.7, -0.25, 0.35), EDGE_SECOND, 5)
    text(ax, (0.05, -0.25, 0.28), "length", GREY, 8)
    _letters(ax, (-1.15, -0.25, -0.35), (1.05, -0.25, 0.35))


def coincident(ax: Axes) -> None:
    box(ax, (-1.3, -0.1, -0.1), (0.0, 0.1, 0.1), *A)
    R = rotation("y", -40) @ rotation("z", 15)
    box(ax, (0.0, -0.1, -0.1), (1.2, 0.1, 0.1), *B, R=R, order=2.5)
    ball(ax, (0, 0, 0), 0.15, "white", GREY, order=5)
    dot(ax, (0, 0, 0), GREY, 4)
    _letters(ax, (-1.0, 0, 0.3), (0.75, 0.3, 1.1))


def _two_bodies(ax: Axes) -> None:
    box(ax, (-1.2, -0.3, -0.7), (-0.5, 0.3, -0.2), *A)
    box(ax, (0.4, -0.3, -0.35), (1.1, 0.3, 0.1), *B)
    _letters(ax, (-0.85, -0.3, -0.45), (0.75, -0.3, -0.15))


def perpendicular(ax: Axes) -> None:
    _two_bodies(ax)
    arrow(ax, (-0.85, 0, -0.2), (-0.85, 0, 0.75), EDGE_FIRST)
    arrow(ax, (1.1, 0, -0.1), (1.75, 0, -0.1), EDGE_SECOND)
    text(ax, (-0.85, 0, 0.9), "z", EDGE_FIRST, 8, style="italic")
    text(ax, (1.87, 0, -0.1), "z", EDGE_SECOND, 8, style="italic")
    line(ax, [(0.0, 0, 0.95), (0.0, 0, 0.55), (0.45, 0, 0.55)], GREY, 1.2)
    line(ax, [(0.0, 0, 0.7), (0.16, 0, 0.7), (0.16, 0, 0.55)], FREE, 1.5)


def parallel(ax: Axes) -> None:
    _two_bodies(ax)
    arrow(ax, (-0.85, 0, -0.2), (-0.85, 0, 0.75), EDGE_FIRST)
    arrow(ax, (0.75, 0, 0.1), (0.75, 0, 1.05), EDGE_SECOND)
    turn(ax, (0.75, 0, 0.75), radius=0.25)
    text(ax, (-0.85, 0, 0.9), "z", EDGE_FIRST, 8, style="italic")
    text(ax, (0.75, 0, 1.2), "z", EDGE_SECOND, 8, style="italic")


def orientation(ax: Axes) -> None:
    _two_bodies(ax)
    frame(ax, (-0.85, 0, -0.2), None, EDGE_FIRST, 0.55)
    frame(ax, (0.75, 0, 0.1), None, EDGE_SECOND, 0.55)
    arrow(ax, (0.75, -0.4, -0.25), (0.75, -0.95, -0.25))
    arrow(ax, (1.15, 0, -0.15), (1.7, 0, -0.15))


def point_on_line(ax: Axes) -> None:
    box(ax, (-0.7, -0.3, -1.0), (0.0, 0.3, -0.7), *A)
    line(ax, [(-0.35, 0, -0.7), (-0.35, 0, 1.1)], EDGE_FIRST, 1.6, order=4)
    box(ax, (0.0, -0.12, 0.05), (1.0, 0.12, 0.3), *B)
    line(ax, [(-0.35, 0, 0.18), (0.0, 0, 0.18)], EDGE_SECOND, 2.0)
    dot(ax, (-0.35, 0, 0.18), EDGE_SECOND, 6)
    arrow(ax, (-0.65, 0, -0.15), (-0.65, 0, 0.65), both=True)
    text(ax, (-0.2, 0, 1.0), "z", EDGE_FIRST, 8, style="italic")
    _letters(ax, (-0.35, -0.3, -0.85), (0.6, -0.12, 0.18))


def point_on_plane(ax: Axes) -> None:
    polygon(ax, [(-1.1, -0.8, -0.3), (1.1, -0.8, -0.3), (1.1, 0.8, -0.3), (-1.1, 0.8, -0.3)], *A)
    box(ax, (-0.2, -0.15, 0.3), (0.35, 0.2, 0.8), *B)
    line(ax, [(0, 0, -0.3), (0, 0, 0.3)], EDGE_SECOND, 2.0, order=4)
    dot(ax, (0, 0, -0.3), EDGE_SECOND, 6)
    arrow(ax, (0.2, 0, -0.3), (0.75, 0, -0.3), both=True)
    arrow(ax, (0, 0.2, -0.3), (0, 0.72, -0.3), both=True)
    arrow(ax, (-0.75, -0.4, -0.3), (-0.75, -0.4, 0.25), EDGE_FIRST, 1.2)
    text(ax, (-0.75, -0.4, 0.4), "z", EDGE_FIRST, 8, style="italic")
    _letters(ax, (-0.85, -0.65, -0.3), (0.1, -0.15, 0.5))


def point_on_curve(ax: Axes) -> None:
    x = np.linspace(-1.3, 1.2, 80)
    y = -0.35 + 0.35 * np.sin(2.3 * x) + 0.15 * x
    polygon(ax, np.vstack([np.column_stack([x, y]), [(1.2, -1.0), (-1.3, -1.0)]]), *A)
    k = 45
    d = np.array([x[k + 1] - x[k - 1], y[k + 1] - y[k - 1]])
    d /= np.linalg.norm(d)
    p = np.array([x[k], y[k]])
    polygon(ax, p + np.array([(0, 0), (-0.25, 0.6), (0.35, 0.6)]), *B, order=3)
    dot(ax, p, EDGE_SECOND, 6)
    aside = np.array([0.02, 0.1])
    arrow(ax, p + 0.15 * d + aside, p + 0.65 * d + aside)
    frame(ax, (-1.15, -0.85), None, EDGE_FIRST, 0.4)
    _letters(ax, (-0.1, -0.8), (p[0] + 0.04, p[1] + 0.42))


# ------------------------------------------------------------------------------------------------- rolling and blades


def _plane(ax: Axes, z: float) -> None:
    polygon(ax, [(-1.2, -0.7, z), (1.2, -0.7, z), (1.2, 0.8, z), (-1.2, 0.8, z)], *A)


def knife_edge(ax: Axes) -> None:
    _plane(ax, -0.4)
    R = rotation("z", 20)
    box(ax, (-0.5, -0.03, -0.4), (0.5, 0.03, -0.1), *B, R=R)
    box(ax, (-0.25, -0.12, -0.1), (0.25, 0.12, 0.15), *B, R=R, order=3)
    arrow(ax, R @ (0.55, 0, -0.3), R @ (1.15, 0, -0.3))
    turn(ax, (0, 0, 0.35), radius=0.28)
    arrow(ax, R @ (0, -0.15, -0.25), R @ (0, -0.6, -0.25), GREY, 1.1)
    text(ax, R @ (0.16, -0.62, -0.27), "y", EDGE_SECOND, 8, style="italic")
    line(ax, np.array([(-0.1, -0.33, -0.25), (0.1, -0.43, -0.25)]) @ R.T, GREY, 1.6, order=8)
    text(ax, (-0.9, -0.45, -0.4), "A", EDGE_FIRST, 10, weight="bold")
    text(ax, R @ (-0.7, 0, -0.05), "B", EDGE_SECOND, 10, weight="bold")


def rolling_disc(ax: Axes) -> None:
    _plane(ax, -0.55)
    R = rotation("x", -15)
    centre = np.array([0.0, 0.1, -0.03])
    axle = R @ (0.0, 1.0, 0.0)
    cylinder(ax, centre + 0.05 * axle, centre - 0.05 * axle, 0.53, *B, order=3)
    line(ax, [centre - 0.55 * axle, centre + 0.05 * axle], EDGE_SECOND, 1.4, order=5)
    text(ax, centre - 0.68 * axle, "z", EDGE_SECOND, 8, style="italic")
    turn(ax, centre - 0.12 * axle, -axle, 0.33, 60, -170)
    arrow(ax, (0.62, 0.1, -0.5), (1.2, 0.1, -0.5))
    text(ax, (-0.9, -0.45, -0.55), "A", EDGE_FIRST, 10, weight="bold")
    text(ax, (-0.75, 0.1, 0.2), "B", EDGE_SECOND, 10, weight="bold")


def rolling_ball(ax: Axes) -> None:
    _plane(ax, -0.55)
    centre = np.array([0.0, 0.1, -0.05])
    ball(ax, centre, 0.5, *B, order=3)
    line(ax, circle_points(centre, (0, 0, 1), 0.5, -150, 30), EDGE_SECOND, 0.8, order=4)
    arrow(ax, (0.6, 0.1, -0.5), (1.15, 0.1, -0.5))
    arrow(ax, (-0.15, -0.4, -0.5), (-0.15, -0.68, -0.5))
    turn(ax, (0.0, 0.1, 0.57), radius=0.2)
    text(ax, (-0.9, -0.45, -0.55), "A", EDGE_FIRST, 10, weight="bold")
    text(ax, (0.0, 0.1, 0.05), "B", EDGE_SECOND, 10, weight="bold")


def wheelset(ax: Axes) -> None:
    polygon(ax, [(-1.3, -0.07), (1.3, -0.07), (1.3, 0.07), (-1.3, 0.07)], *B, order=2)
    for side in (-1.0, 1.0):
        at = np.array([side, 1.0])
        wheel = np.array(
            [(0.55, 0.62), (0.55, -0.70), (0.66, -0.70), (0.72, -0.56), (1.06, -0.53), (1.06, 0.5), (0.72, 0.5)]
        )
        polygon(ax, wheel * at, *B, order=3)
        rail = np.array([(0.76, -0.62), (0.78, -0.575), (0.9, -0.555), (1.02, -0.575), (1.04, -0.62), (1.04, -0.72)])
        rail = np.vstack([rail, [(0.94, -0.76), (0.94, -1.0), (0.86, -1.0), (0.86, -0.76), (0.76, -0.72)]])
        polygon(ax, rail * at, *A, order=4)
        arrow(ax, np.array([0.9, -0.54]) * at, np.array([0.86, 0.0]) * at, FORCE)
        text(ax, np.array([1.2, -0.4]) * at, "N", FORCE, 8, style="italic")
    arrow(ax, (0.0, 0.25), (-0.4, 0.25))
    text(ax, (-0.2, 0.38), "y", FREE, 8, style="italic")
    turn(ax, (0.0, 0.0), radius=0.2, start=-60, end=60)


SKETCHES = [
    revolute, prismatic, cylindrical, screw, spherical, universal, planar_joint, fixed, free, guide,
    distance, coincident, perpendicular, parallel, orientation, point_on_line, point_on_plane, point_on_curve,
    knife_edge, rolling_disc, rolling_ball, wheelset,
]  # fmt: skip
