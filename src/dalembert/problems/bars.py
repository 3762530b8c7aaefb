"""Uniform bars in the plane, in absolute coordinates: what pendulum chains and four-bar rows are put together from.

A bar has the coordinates (x, y, φ): its centre, and its angle from the x axis. Data of one bar: mass m, moment of
inertia J about the centre. A place on it is known by its distance s from the centre along the bar.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.problems.problem import ElementGroup, Points


def M(p: Any) -> Any:
    return np.diag([p.m, p.m, p.J])


def f(p: Any) -> Any:
    return np.array([0.0, -p.m * p.g, 0.0])


def place(bar: Any, s: Any) -> Any:
    """Point at the distance ``s`` from the centre of a bar (x, y, φ)."""
    x, y, phi = bar
    return np.array([x + s * np.cos(phi), y + s * np.sin(phi)])


def hinge(q: Any, p: Any) -> Any:
    """Two bars share a point, at s1 on the first and s2 on the second."""
    return place(q[3:], p.s2) - place(q[:3], p.s1)


def ground_hinge(q: Any, p: Any) -> Any:
    """The point at s on a bar stays at (X, Y)."""
    return place(q, p.s) - np.array([p.X, p.Y])


def columns(bar: int) -> list[int]:
    """Where the coordinates of a bar stand among all."""
    return [3 * bar, 3 * bar + 1, 3 * bar + 2]


def links(masses: npt.ArrayLike, lengths: npt.ArrayLike) -> ElementGroup:
    """The element "link": bars 0, 1, … with inertia and weight; the parameter g is the gravity."""
    m, length = np.array(masses, dtype=float), np.array(lengths, dtype=float)
    coordinates = [columns(bar) for bar in range(len(m))]
    return ElementGroup("link", coordinates, M=M, f=f, data={"m": m, "J": m * length**2 / 12})


def hinges(pairs: Sequence[tuple[int, float, int, float]]) -> ElementGroup:
    """The element "hinge": (first bar, s1, second bar, s2) for each hinge."""
    first, s1, second, s2 = zip(*pairs, strict=True)
    coordinates = [columns(i) + columns(j) for i, j in zip(first, second, strict=True)]
    return ElementGroup("hinge", coordinates, g=hinge, data={"s1": np.array(s1), "s2": np.array(s2)})


def ground_hinges(places: Sequence[tuple[int, float, float, float]]) -> ElementGroup:
    """The element "ground hinge": (bar, s, X, Y) for each hinge."""
    bar, s, X, Y = zip(*places, strict=True)
    data = {"s": np.array(s), "X": np.array(X), "Y": np.array(Y)}
    return ElementGroup("ground hinge", [columns(i) for i in bar], g=ground_hinge, data=data)


def coordinate_names(labels: Sequence[Any]) -> list[str]:
    """x, y, phi of every bar, with its label."""
    return [f"{name}{label}" for label in labels for name in ("x", "y", "phi")]


def energy(masses: Any, lengths: Any, q: Any, v: Any, gravity: Any) -> Any:
    """Kinetic energy and potential of the weight of all bars."""
    m, length = np.asarray(masses), np.asarray(lengths)
    kinetic = 0.5 * m @ (v[0::3] ** 2 + v[1::3] ** 2 + length**2 / 12 * v[2::3] ** 2)
    return kinetic + gravity * (m @ q[1::3])


def drawn(q: Any, bar: int, length: float) -> Points:
    """One bar as a line."""
    x, y, phi = q[3 * bar], q[3 * bar + 1], q[3 * bar + 2]
    half_x, half_y = 0.5 * length * np.cos(phi), 0.5 * length * np.sin(phi)
    return [(x - half_x, y - half_y), (x + half_x, y + half_y)]
