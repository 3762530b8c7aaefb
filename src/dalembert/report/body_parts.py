"""What bodies without shapes look like: bars between their joints, plates, boxes of equal inertia.

A body with two joints is a bar between them; with more of them in the plane a plate, in space bars from its centre of
mass; with one a bar to its centre of mass and, at that, the box of equal inertia; without any, that box.  Everything
is in body axes, and as small data: the page makes the surfaces.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.solution import Appearance, DrawnBody

#: Thickness of bars as a part of the median size of bodies.
THICKNESS = 0.035
#: Families of links whose places a body is drawn through.
JOINTS = ("revolute", "prismatic", "cylindrical", "screw", "spherical", "universal", "planar", "fixed")
_LINES = ("spring", "damper", "actuator", "rod", "bushing")
Floats = NDArray[np.float64]


def places_on(look: Appearance, families: tuple[str, ...] = JOINTS + _LINES) -> dict[str, Floats]:
    """Points (n, 3) of each body, in its axes, where something is attached; each once."""
    found: dict[str, list[Floats]] = {}
    for link in look.links:
        if link.family in families:
            for place in link.places[:2]:
                known = found.setdefault(place.body, [])
                if not any(np.allclose(place.r, one, rtol=0.0, atol=1e-9) for one in known):
                    known.append(place.r)
    return {name: np.array(points) for name, points in found.items()}


def size_of(body: DrawnBody, points: Floats) -> float:
    """Largest extent: of its surfaces, of what is attached to it, or of the box of equal inertia."""
    corners = [surface.vertices for surface in body.surfaces if len(surface.vertices)]
    if not corners:
        corners = [points, body.com[None]]
    every = np.concatenate(corners)
    extent = float(np.linalg.norm(np.ptp(every, axis=0))) if len(every) else 0.0
    return extent if extent > 0.0 else float(np.linalg.norm(inertia_box(body)[0]))


def inertia_box(body: DrawnBody) -> tuple[Floats, Floats]:
    """Sides and axes (columns) of the homogeneous box with the mass and inertia of a body; a cube where that is
    none."""
    m, tensor = body.mass, 0.5 * (body.inertia + body.inertia.T)
    if not (m > 0.0 and np.isfinite(tensor).all() and tensor.any()):
        return np.zeros(3), np.eye(3)
    if not tensor[:2, :2].any():  # in the plane only the moment about z is known
        side = np.sqrt(6.0 * max(tensor[2, 2], 0.0) / m)
        return np.array([side, side, 0.3 * side]), np.eye(3)
    moments, axes = np.linalg.eigh(tensor)
    squares = 6.0 / m * (moments.sum() - 2.0 * moments)
    sides = np.sqrt(np.maximum(squares, 0.0))
    sides = np.maximum(sides, 0.05 * sides.max())
    if np.linalg.det(axes) < 0.0:
        axes = axes * [1.0, 1.0, -1.0]
    return sides, axes


def parts_of(body: DrawnBody, points: Floats, unit: float, planar: bool) -> list[dict[str, Any]]:
    """Bars, plates and boxes of a body without shapes; ``unit`` is the radius of bars."""
    n, com = len(points), body.com
    if n == 0:
        return [_box(body, unit)]
    if n == 1:
        reach = float(np.linalg.norm(com - points[0]))
        bars = [_bar(points[0], com, unit, planar)] if reach > 0.5 * unit else []
        # What only stands for an inertia is seen through.
        return [*bars, _box(body, unit) | {"clear": True}]
    if n == 2:
        return [_bar(points[0], points[1], unit, planar)]
    if planar:
        return [{"kind": "plate", "points": _hull(points[:, :2]).tolist(), "holes": points[:, :2].tolist(), "r": unit}]
    return [_bar(com, point, unit, planar) for point in points if np.linalg.norm(point - com) > 1e-9]


def _bar(a: Floats, b: Floats, unit: float, planar: bool) -> dict[str, Any]:
    return {"kind": "link" if planar else "bar", "a": a.tolist(), "b": b.tolist(), "r": unit}


def _box(body: DrawnBody, unit: float) -> dict[str, Any]:
    sides, axes = inertia_box(body)
    sides = np.maximum(np.minimum(sides, 40.0 * unit), 1.6 * unit)
    return {"kind": "box", "size": sides.tolist(), "at": body.com.tolist(), "R": axes.ravel().tolist()}


def _hull(points: Floats) -> Floats:
    """Convex hull in the plane, counterclockwise (Andrew's monotone chain)."""
    ordered = points[np.lexsort((points[:, 1], points[:, 0]))]

    def half(side: Floats) -> list[Floats]:
        line: list[Floats] = []
        for p in side:
            while len(line) > 1:
                a, b = line[-1] - line[-2], p - line[-1]
                if a[0] * b[1] - a[1] * b[0] > 0.0:
                    break
                line.pop()
            line.append(p)
        return line[:-1]

    return np.array([*half(ordered), *half(ordered[::-1])])


def layers_of(look: Appearance) -> list[int]:
    """In the plane: for each body a layer that none of those has which are joined to it."""
    beside: dict[str, set[str]] = {body.name: set() for body in look.bodies}
    for link in look.links:
        names = {place.body for place in link.places if place.body in beside}
        for name in names if link.family in JOINTS else ():
            beside[name] |= names - {name}
    layers: dict[str, int] = {}
    for name, others in beside.items():
        taken = {layers[other] for other in others if other in layers}
        layers[name] = next(k for k in range(len(beside) + 1) if k not in taken)
    return [layers[body.name] for body in look.bodies]
