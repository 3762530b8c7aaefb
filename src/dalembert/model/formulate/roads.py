"""Roads as drawings show them: the heights that tyres feel, along the paths of their wheels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.equations.contract.expressions import symbols_in
from dalembert.equations.contract.provider import Floats
from dalembert.model.bodies.parts import Marker
from dalembert.model.bodies.shapes import Triangles, grid
from dalembert.model.forces.tyres import Directions, Tyre
from dalembert.symbolic import Atom, evaluate

if TYPE_CHECKING:
    from dalembert.model.formulate.scene import Scene

# Lengths are in radii of the wheels.
#: Distance between neighbouring points.
APART = 0.02
#: Length of the road beyond the first and the last wheel.
ALONG = 10.0
#: Width of the road beyond the outer wheels.
ACROSS = 1.0
#: Thickness of the band that shows a road in the plane.
THICK = 0.25
#: Rise of a point above the line through its neighbours that drawings still show.
STRAIGHT = 1e-6
#: Largest number of points.
MOST = 40_000

#: Distance in metres at which a wheel has left every road, as in a motion that diverges.
FAR = 1e9


@dataclass(frozen=True, eq=False)
class Road:
    """A height above the ground and the wheels that roll on it."""

    height: Atom
    #: horizontal places that the height depends on
    symbols: tuple[Atom, ...]
    #: up, and the horizontal axes
    directions: Directions
    radius: Any
    wheels: list[Marker] = field(default_factory=list)

    def surface(self, radius: float, path: Floats, known: Mapping[Any, float]) -> Triangles:
        """Triangles in the world around the places ``path`` (n, 3) of wheels; ``known`` are values of parameters."""
        up, axes = np.array(self.directions[0]), np.array(self.directions[1:])
        near = path[(np.abs(path) < FAR).all(axis=1)]
        stations = self._stations((near if len(near) else np.zeros((1, 3))) @ axes.T, radius)
        mesh = np.meshgrid(*stations, indexing="ij")
        values = evaluate(self.height, {**known, **dict(zip(self.symbols, mesh, strict=True))})
        height = np.broadcast_to(np.asarray(values, dtype=float), mesh[0].shape)
        needed = np.ix_(*(_needed(np.moveaxis(height, k, 0), STRAIGHT * radius) for k in range(height.ndim)))
        points = np.einsum("k...,kc->...c", np.stack([x[needed] for x in mesh]), axes) + height[needed][..., None] * up
        if len(axes) == 1:  # in the plane a band below the line
            points = np.stack([points - THICK * radius * up, points], axis=1)
        vertices, faces = grid(points)
        finite = np.isfinite(vertices).all(axis=1)  # a table may end
        return Triangles(np.where(finite[:, None], vertices, 0.0), faces[finite[faces].all(axis=1)])

    def _stations(self, path: Floats, radius: float) -> list[Floats]:
        """Places along each horizontal axis: many where the height depends on it, otherwise both ends."""
        asked = symbols_in(self.height)
        depends = np.array([symbol in asked for symbol in self.symbols])
        margin = np.where(depends, ALONG, ACROSS) * radius
        low, high = path.min(axis=0) - margin, path.max(axis=0) + margin
        counts = np.where(depends, (high - low) / (APART * radius), 2.0)
        excess = max(float(np.prod(counts)) / MOST, 1.0) ** (1.0 / depends.sum())
        counts = np.where(depends, np.maximum(counts / excess, 2.0), 2.0)
        return [np.linspace(*ends) for ends in zip(low, high, counts.astype(int), strict=True)]


def roads_of(tyres: Sequence[Tyre], scene: Scene) -> list[Road]:
    """Roads whose height depends on the place and on parameters; tyres with the same height share one.

    Level roads are left to the grid below the mechanism.  Roads that move have no fixed surface.
    """
    found: dict[Any, Road] = {}
    parameters = set(scene.inputs["p"])
    for tyre in tyres:
        height, symbols = tyre.road_over(scene.site(tyre))
        places = tuple(symbols.values())
        asked = symbols_in(height)
        if asked & set(places) and asked <= parameters | set(places):
            road = Road(height, places, tyre.directions, tyre.data["radius"])
            found.setdefault((height, tyre.directions), road).wheels.append(tyre.markers[0])
    return list(found.values())


def _needed(height: Floats, least: float) -> np.ndarray:
    """Numbers of the rows that a surface needs: both ends, and each bent row with its neighbours, so that smooth
    shading of a bend does not reach into a straight part."""
    straight = np.abs(np.diff(height, 2, axis=0)) <= least
    bent = ~straight.all(axis=tuple(range(1, height.ndim)))
    needed = np.zeros(len(height), dtype=bool)
    needed[[0, -1]] = True
    for shift in range(3):
        needed[shift : len(height) - 2 + shift] |= bent
    return np.flatnonzero(needed)
