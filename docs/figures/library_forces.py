"""Sketches of drives, couplings, forces and stops, for the page of the library."""

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
    bar,
    damper,
    dot,
    frame,
    ground,
    line,
    pin,
    polygon,
    spring,
    text,
    turn,
)

A, B = (FIRST, EDGE_FIRST), (SECOND, EDGE_SECOND)


def _letters(ax: Axes, a: tuple[float, float], b: tuple[float, float]) -> None:
    text(ax, a, "A", EDGE_FIRST, 10, weight="bold")
    text(ax, b, "B", EDGE_SECOND, 10, weight="bold")


def _hinged(ax: Axes, degrees: float = 35.0, length: float = 1.4, at: tuple[float, float] = (-0.7, -0.5)) -> np.ndarray:
    """A bar on a hinge on the ground; its end."""
    ground(ax, (at[0] - 0.45, at[1] - 0.2), (at[0] + 0.45, at[1] - 0.2))
    polygon(ax, [at, (at[0] - 0.2, at[1] - 0.2), (at[0] + 0.2, at[1] - 0.2)], *A)
    end = np.array(at) + length * np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
    bar(ax, at, end, *B)
    pin(ax, at)
    return end


def _curve(
    ax: Axes, x: np.ndarray, y: np.ndarray, at: tuple[float, float], size: float = 0.6, color: str = FORCE
) -> None:
    """A little diagram."""
    o = np.array(at)
    arrow(ax, o, o + np.array([size, 0]), GREY, 0.9)
    arrow(ax, o, o + np.array([0, size]), GREY, 0.9)
    line(ax, o + size * np.column_stack([x, y]), color, 1.5)


def drive(ax: Axes) -> None:
    _hinged(ax)
    turn(ax, (-0.7, -0.5), radius=0.55, start=0, end=80)
    s = np.linspace(0, 0.9, 40)
    _curve(ax, s, 0.4 + 0.3 * np.sin(7 * s), (0.5, -0.75), color=FREE)
    text(ax, (1.2, -0.75), "t", GREY, 8, style="italic")


def prescribe(ax: Axes) -> None:
    """As a drive, with the law in place of the freedom."""
    end = _hinged(ax)
    s = np.linspace(0, 0.9, 40)
    _curve(ax, s, 0.4 + 0.3 * np.sin(7 * s), (0.5, -0.75), color=FREE)
    text(ax, (1.2, -0.75), "t", GREY, 8, style="italic")
    text(ax, end + np.array([-0.35, 0.25]), "$q = s(t)$", FREE, 9)


def coupling(ax: Axes) -> None:
    for x, degrees in ((-0.9, 70.0), (0.45, 40.0)):
        _hinged(ax, degrees, 0.75, (x, -0.4))
    turn(ax, (-0.9, -0.4), radius=0.4, start=0, end=60)
    turn(ax, (0.45, -0.4), radius=0.4, start=0, end=35)
    text(ax, (0.0, 0.75), "$f(q_1, q_2, t) = 0$", GREY, 9)


def _wheel(
    ax: Axes, centre: tuple[float, float], radius: float, teeth: int, colors: tuple[str, str], phase: float = 0.0
) -> None:
    a = np.linspace(0, 2 * np.pi, 8 * teeth + 1)
    r = radius + 0.045 * np.sign(np.sin(teeth * a + phase))
    polygon(ax, np.array(centre) + np.column_stack([r * np.cos(a), r * np.sin(a)]), *colors)
    pin(ax, centre, 0.07)


def gear(ax: Axes) -> None:
    _wheel(ax, (-0.55, 0), 0.68, 22, A)
    _wheel(ax, (0.54, 0), 0.36, 12, B, np.pi)
    turn(ax, (-0.55, 0), radius=0.4, start=20, end=140)
    turn(ax, (0.54, 0), radius=0.2, start=160, end=20)
    text(ax, (-0.55, -0.3), "first", EDGE_FIRST, 8)
    text(ax, (0.54, -0.52), "second", EDGE_SECOND, 8)


def rack_and_pinion(ax: Axes) -> None:
    _wheel(ax, (0, 0.25), 0.5, 18, A)
    x = np.linspace(-1.2, 1.2, 25)
    teeth = np.column_stack([np.repeat(x, 2)[1:-1], np.tile([-0.29, -0.2], 24)])
    polygon(ax, np.vstack([teeth, [(1.2, -0.55), (-1.2, -0.55)]]), *B)
    turn(ax, (0, 0.25), radius=0.3, start=0, end=120)
    arrow(ax, (-0.45, -0.75), (0.45, -0.75))
    text(ax, (0, 0.02), "pinion", EDGE_FIRST, 7)
    text(ax, (0.9, -0.42), "rack", EDGE_SECOND, 8)


def _block(ax: Axes, low: tuple[float, float], high: tuple[float, float], colors: tuple[str, str]) -> None:
    (x0, y0), (x1, y1) = low, high
    polygon(ax, [(x0, y0), (x1, y0), (x1, y1), (x0, y1)], *colors)


def constraint(ax: Axes) -> None:
    _block(ax, (-1.2, -0.5), (-0.5, 0.1), A)
    _block(ax, (0.5, -0.1), (1.2, 0.5), B)
    frame(ax, (-0.5, -0.2), None, EDGE_FIRST, 0.3)
    frame(ax, (0.5, 0.2), None, EDGE_SECOND, 0.3)
    text(ax, (-0.2, 0.75), "$g(A, B, q, t) = 0$", GREY, 9)
    _letters(ax, (-0.95, -0.3), (0.95, 0.3))


def velocity_constraint(ax: Axes) -> None:
    _block(ax, (-1.2, -0.5), (-0.5, 0.1), A)
    _block(ax, (0.5, -0.1), (1.2, 0.5), B)
    arrow(ax, (0.5, 0.2), (0.1, 0.55))
    arrow(ax, (-0.5, -0.2), (-0.1, 0.1))
    text(ax, (-0.2, 0.85), "$B(q, t)\\,v + b(q, t) = 0$", GREY, 9)
    _letters(ax, (-0.95, -0.3), (0.95, 0.3))


# ------------------------------------------------------------------------------------------------------------- forces


def _strut(ax: Axes, a: tuple[float, float], b: tuple[float, float]) -> None:
    along = np.subtract(b, a) / np.linalg.norm(np.subtract(b, a))
    across = 0.17 * np.array([-along[1], along[0]])
    p, q = np.array(a) + 0.15 * along, np.array(b) - 0.15 * along
    for side in (-1, 1):
        line(ax, [p, p + side * across], FORCE, 1.5)
        line(ax, [q, q + side * across], FORCE, 1.5)
    line(ax, [a, p], FORCE, 1.5)
    line(ax, [q, b], FORCE, 1.5)
    spring(ax, p + across, q + across)
    damper(ax, p - across, q - across)


def spring_(ax: Axes) -> None:
    _block(ax, (-1.35, -0.6), (-0.8, -0.05), A)
    _block(ax, (0.8, 0.05), (1.35, 0.6), B)
    _strut(ax, (-0.8, -0.3), (0.8, 0.3))
    dot(ax, (-0.8, -0.3), EDGE_FIRST, 5)
    dot(ax, (0.8, 0.3), EDGE_SECOND, 5)
    _letters(ax, (-1.1, -0.35), (1.1, 0.35))


def joint_spring(ax: Axes) -> None:
    ground(ax, (-1.1, -0.25), (1.3, -0.25))
    ground(ax, (-1.1, -0.25), (-1.1, 0.55), (-1.0, 0.0))
    _block(ax, (0.2, -0.23), (0.9, 0.4), B)
    _strut(ax, (-1.1, 0.1), (0.2, 0.1))
    arrow(ax, (0.3, 0.65), (0.85, 0.65))
    text(ax, (0.58, 0.82), "displacement", GREY, 7)


def torsion_spring(ax: Axes) -> None:
    _hinged(ax, 30)
    a = np.linspace(-0.4, 4.0 * np.pi + 0.5, 160)
    r = 0.12 + 0.02 * a
    line(ax, np.array([-0.7, -0.5]) + np.column_stack([r * np.cos(a), r * np.sin(a)]), FORCE, 1.5, order=7)
    turn(ax, (-0.7, -0.5), radius=0.85, start=-12, end=25)
    text(ax, (0.35, -0.5), "angle", GREY, 8)


def gear_spring(ax: Axes) -> None:
    _wheel(ax, (-0.75, 0), 0.55, 20, A)
    _wheel(ax, (0.75, 0), 0.4, 14, B)
    spring(ax, (-0.6, 0.56), (0.7, 0.42), coils=5, width=0.07)
    spring(ax, (-0.6, -0.56), (0.7, -0.42), coils=5, width=0.07)
    turn(ax, (-0.75, 0), radius=0.3, start=20, end=140)
    turn(ax, (0.75, 0), radius=0.2, start=20, end=140)


def gear_mesh(ax: Axes) -> None:
    _wheel(ax, (-0.7, 0), 0.6, 20, A)
    _wheel(ax, (0.42, 0), 0.5, 16, B)
    spring(ax, (-0.1, -0.42), (-0.1, 0.42), coils=5, width=0.07)
    arrow(ax, (-0.1, 0.42), (-0.1, 0.95), FORCE, 2.0)
    arrow(ax, (-0.1, -0.42), (-0.1, -0.95), FORCE, 2.0)
    turn(ax, (-0.7, 0), radius=0.3, start=20, end=140)
    turn(ax, (0.42, 0), radius=0.25, start=160, end=40)


def bushing(ax: Axes) -> None:
    ball(ax, (0, 0), 0.75, *A)
    ball(ax, (0, 0), 0.52, "#e6efe9", FORCE)
    ball(ax, (0, 0), 0.2, *B)
    for a in np.radians([45, 135, 225, 315]):
        d = np.array([np.cos(a), np.sin(a)])
        spring(ax, 0.52 * d, 0.2 * d, coils=3, width=0.05)
    frame(ax, (0, 0), None, EDGE_FIRST, 0.38)
    _letters(ax, (-0.47, 0.42), (0.1, -0.11))


def force(ax: Axes) -> None:
    _block(ax, (-0.9, -0.5), (0.3, 0.2), B)
    arrow(ax, (0.3, 0.2), (1.1, 0.7), FORCE, 2.2)
    dot(ax, (0.3, 0.2), EDGE_SECOND, 5)
    text(ax, (0.85, 0.75), "F", FORCE, 10, style="italic")
    frame(ax, (-1.2, -0.75), None, GREY, 0.35)


def torque(ax: Axes) -> None:
    _hinged(ax)
    turn(ax, (-0.7, -0.5), radius=0.45, start=-20, end=190, color=FORCE)
    text(ax, (-0.95, 0.12), "M", FORCE, 10, style="italic")


def user_force(ax: Axes) -> None:
    ball(ax, (-0.8, -0.3), 0.28, *A)
    ball(ax, (0.8, 0.3), 0.28, *B)
    line(ax, [(-0.8, -0.3), (0.8, 0.3)], GREY, 0.8, ":")
    arrow(ax, (-0.5, -0.19), (-0.05, -0.02), FORCE)
    arrow(ax, (0.5, 0.19), (0.05, 0.02), FORCE)
    text(ax, (0, 0.72), "$\\sum F \\cdot v$", FORCE, 10)
    _letters(ax, (-0.8, -0.3), (0.8, 0.3))


def numeric_force(ax: Axes) -> None:
    _block(ax, (-0.45, -0.3), (0.45, 0.4), ("#444444", "black"))
    text(ax, (0, 0.05), "f(…)", "white", 9, family="monospace")
    arrow(ax, (-1.2, 0.05), (-0.5, 0.05), GREY, 1.3)
    arrow(ax, (0.5, 0.05), (1.2, 0.05), FORCE)
    text(ax, (-0.95, 0.25), "r, v", GREY, 9, style="italic")
    text(ax, (0.9, 0.25), "F", FORCE, 10, style="italic")


def tyre(ax: Axes) -> None:
    x = np.linspace(-1.3, 1.3, 100)
    h = -0.75 + 0.09 * np.sin(3.2 * x) + 0.05 * np.sin(7 * x + 1)
    polygon(ax, np.vstack([np.column_stack([x, h]), [(1.3, -1.0), (-1.3, -1.0)]]), THIRD, GREY)
    at = np.interp(0.0, x, h)
    ball(ax, (0, 0.05), 0.72, "#fbf3e2", EDGE_SECOND)
    ball(ax, (0, 0.05), 0.3, *B)
    spring(ax, (-0.1, 0.05), (-0.1, at), width=0.06)
    damper(ax, (0.1, 0.05), (0.1, at), width=0.06)
    dot(ax, (0, 0.05), EDGE_SECOND, 5)
    arrow(ax, (0.75, 0.05), (1.25, 0.05))


def slip_tyre(ax: Axes) -> None:
    """Seen from above: where the wheel points, where it moves, the force against its slip, and that over slip."""
    turned = np.radians(65.0)
    along, across = np.array([np.cos(turned), np.sin(turned)]), np.array([-np.sin(turned), np.cos(turned)])
    centre = np.array([-0.55, 0.0])
    corners = [centre + 0.62 * a * along + 0.22 * b * across for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))]
    polygon(ax, corners, *B)
    dot(ax, centre, EDGE_SECOND, 5)
    line(ax, [centre, centre + 1.15 * along], GREY, 1.0)
    arrow(ax, centre, centre + np.array([0.0, 1.1]))
    arrow(ax, centre, centre - 0.75 * across, FORCE)
    text(ax, centre + np.array([0.18, 1.0]), "α", FREE, 9, style="italic")
    text(ax, centre - 0.85 * across + np.array([0.02, 0.14]), "F", FORCE, 8, style="italic")
    slip = np.linspace(0.0, 1.0, 50)
    _curve(ax, slip, 0.85 * np.tanh(3.0 * slip), (0.55, -0.75))
    text(ax, (0.62, 0.0), "μ N", FORCE, 8, style="italic")


def contact(ax: Axes) -> None:
    polygon(ax, [(-1.2, -0.3), (1.2, -0.3), (1.2, -0.8), (-1.2, -0.8)], *A)
    ball(ax, (0, 0.1), 0.45, *B, order=1.5)
    arrow(ax, (0, -0.38), (0, 0.1), FORCE)
    arrow(ax, (0, -0.32), (-0.5, -0.32), FORCE)
    arrow(ax, (0.5, 0.1), (1.0, 0.1))
    text(ax, (-0.75, -0.2), "μ N", FORCE, 8, style="italic")
    text(ax, (0.14, 0.2), "N", FORCE, 8, style="italic")
    text(ax, (0.9, -0.6), "plane", EDGE_FIRST, 8)


def friction(ax: Axes) -> None:
    ground(ax, (-1.3, -0.45), (0.25, -0.45))
    _block(ax, (-0.95, -0.43), (-0.15, 0.15), B)
    arrow(ax, (-0.1, -0.12), (0.35, -0.12))
    arrow(ax, (-0.55, -0.36), (-1.2, -0.36), FORCE)
    s = np.linspace(-1, 1, 80)
    o = np.array([0.85, 0.25])
    arrow(ax, (0.35, 0.25), (1.4, 0.25), GREY, 0.9)
    arrow(ax, (0.85, -0.25), (0.85, 0.85), GREY, 0.9)
    line(ax, o + np.column_stack([0.45 * s, 0.38 * np.tanh(6 * s)]), FORCE, 1.5)
    text(ax, (1.35, 0.11), "v", GREY, 8, style="italic")


def actuator(ax: Axes) -> None:
    _block(ax, (-1.3, -0.4), (-0.9, 0.2), A)
    _block(ax, (0.9, -0.4), (1.3, 0.2), B)
    _block(ax, (-0.7, -0.28), (0.25, 0.08), ("#e6efe9", FORCE))
    line(ax, [(-0.9, -0.1), (-0.7, -0.1)], FORCE, 1.6)
    line(ax, [(-0.1, -0.28), (-0.1, 0.08)], FORCE, 2.4)
    line(ax, [(-0.1, -0.1), (0.9, -0.1)], FORCE, 2.4)
    text(ax, (-0.4, -0.1), "u", FORCE, 10, style="italic")
    text(ax, (0, 0.6), "$\\dot u = d(t, q, v, u, w)$", GREY, 9)


def dc_motor(ax: Axes) -> None:
    ball(ax, (0.35, -0.05), 0.42, "#e6efe9", FORCE)
    text(ax, (0.35, -0.05), "M", FORCE, 12)
    line(ax, [(0.35, 0.37), (0.35, 0.7), (-0.25, 0.7)], GREY, 1.3)
    a = np.linspace(0, 6 * np.pi, 120)
    line(ax, np.column_stack([-0.25 - 0.45 * a / a[-1], 0.7 + 0.08 * np.abs(np.sin(a / 2))]), GREY, 1.3)
    line(ax, [(-0.7, 0.7), (-1.1, 0.7), (-1.1, 0.35)], GREY, 1.3)
    _block(ax, (-1.17, -0.1), (-1.03, 0.35), ("white", GREY))
    line(ax, [(-1.1, -0.1), (-1.1, -0.8), (-0.45, -0.8)], GREY, 1.3)
    line(ax, [(0.35, -0.47), (0.35, -0.8), (-0.25, -0.8)], GREY, 1.3)
    text(ax, (-0.35, -0.8), "U", GREY, 9, style="italic")
    text(ax, (-0.48, 0.95), "L", GREY, 8, style="italic")
    text(ax, (-0.85, 0.12), "R", GREY, 8, style="italic")
    turn(ax, (0.35, -0.05), radius=0.62, start=-40, end=50)


def pid(ax: Axes) -> None:
    _block(ax, (-0.35, -0.25), (0.55, 0.45), ("#e6efe9", FORCE))
    text(ax, (0.1, 0.1), "PID", FORCE, 10)
    pin(ax, (-0.75, 0.1), 0.09)
    text(ax, (-0.75, 0.1), "−", GREY, 7)
    arrow(ax, (-1.35, 0.1), (-0.84, 0.1), GREY, 1.2)
    arrow(ax, (-0.66, 0.1), (-0.35, 0.1), GREY, 1.2)
    arrow(ax, (0.55, 0.1), (1.3, 0.1), FORCE)
    line(ax, [(1.15, -0.65), (-0.75, -0.65)], GREY, 1.2)
    arrow(ax, (-0.75, -0.65), (-0.75, 0.01), GREY, 1.2)
    text(ax, (-1.15, 0.28), "target", GREY, 8)
    text(ax, (0.2, -0.5), "coordinate", GREY, 8)


def limit(ax: Axes) -> None:
    _hinged(ax, 40, 1.2)
    a = np.radians(62)
    o = np.array([-0.7, -0.5])
    for angle in (a, np.radians(-5)):
        d = np.array([np.cos(angle), np.sin(angle)])
        across = np.array([-d[1], d[0]])
        p = o + 0.95 * d
        side = 1.0 if angle > 0.5 else -1.0
        ground(ax, p - 0.22 * d, p + 0.22 * d, tuple(side * across), EDGE_FIRST)
    turn(ax, tuple(o), radius=1.4, start=30, end=52)
    turn(ax, tuple(o), radius=1.4, start=28, end=4)


spring_.__name__ = "spring"
SKETCHES = [
    drive, prescribe, coupling, gear, rack_and_pinion, constraint, velocity_constraint,
    spring_, joint_spring, torsion_spring, gear_spring, gear_mesh, bushing, force, torque, user_force, numeric_force,
    tyre, slip_tyre, contact, friction, actuator, dc_motor, pid, limit,
]  # fmt: skip
