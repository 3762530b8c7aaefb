"""Tyres as vertical springs and dampers on a road profile."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from dalembert.arguments import reals, shown
from dalembert.errors import ModelError
from dalembert.model.bodies.parts import Marker
from dalembert.model.element import Element, Site
from dalembert.model.forces.friction import unilateral
from dalembert.model.forces.laws import Law
from dalembert.model.quantity import Quantity
from dalembert.symbolic import Atom, array, derivative, maximum, substitute, where

Directions = tuple[tuple[float, float, float], ...]


class Tyre(Element):
    """A spring and damper between the centre of a wheel and the road below it.

    The compression is δ = h(x, t) + r − z, its rate follows from the slope of the road and the speed along it, or is
    −ż where the damper does not feel the road rise.
    """

    kind = "tyre"

    def __init__(
        self,
        name: str,
        wheel: Marker,
        data: dict[str, Any],
        road: Law,
        directions: Directions,
        lifts: bool,
        damps_rise: bool = True,
        states: Mapping[str, float] | None = None,
        further: Hashable = (),
        implicit: bool = False,
    ) -> None:
        self.implicit = implicit
        #: up, and the horizontal axes that the road is a function of; ``further``: what else makes a type of tyre
        self.directions, self.road, self.lifts, self.damps_rise = directions, road, lifts, damps_rise
        variant = (road.variant, directions, lifts, damps_rise, further)
        super().__init__(name, (wheel,), data={**data, **road.data("road")}, states=states, variant=variant)

    def _compression(self, at: Site) -> tuple[Any, Any, Any]:
        """δ, its rate, and the velocity of the wheel upwards."""
        wheel = at.frames[0]
        r, v = wheel.position, wheel.velocity.components(wheel.world)
        z, *places = [_component(axis, r) for axis in self.directions]
        lift, *speeds = [_component(axis, v) for axis in self.directions]
        height, growth = self._road(at, places, speeds)
        return height + at.data.radius - z, growth - lift if self.damps_rise else -lift, lift

    def _road(self, at: Site, places: list[Any], speeds: list[Any]) -> tuple[Any, Any]:
        """Height of the road below the wheel, and its total rate."""
        height, symbols = self.road_over(at)
        if not isinstance(height, Atom):
            return height, 0.0
        rate: Any = derivative(height, at.t)
        for symbol, speed in zip(symbols.values(), speeds, strict=True):
            rate = rate + derivative(height, symbol) * speed
        here = dict(zip(symbols.values(), places, strict=True))
        return substitute(height, here), substitute(rate, here) if isinstance(rate, Atom) else rate

    def road_over(self, at: Site) -> tuple[Any, dict[str, Atom]]:
        """Height of the road as a function of symbols of the horizontal axes; these symbols by name."""
        symbols = {name: at.graph.variable(f"road.{name}") for name, _ in zip("xy", self.directions[1:], strict=False)}
        return self.road.value(at, "road", symbols), symbols

    def force_at(self, at: Site) -> Any:
        """Force of the road on the wheel, upwards."""
        depth, rate, _ = self._compression(at)
        if self.lifts:
            return unilateral(depth, rate, at.data.stiffness, at.data.damping)
        return at.data.stiffness * depth + at.data.damping * rate

    @property
    def force(self) -> Quantity:
        """Force of the road on the wheel, upwards, for sensors."""
        return self.measured(self.force_at, f"force of {self.name}")

    @property
    def compression(self) -> Quantity:
        """Compression of the tyre, negative in the air, for sensors."""
        return self.measured(self._compression, f"compression of {self.name}", 0)

    def units(self) -> dict[str, str]:
        return {"force": "N"}

    def powers(self, at: Site) -> list[tuple[Any, Any]]:
        return [(self.force_at(at), self._compression(at)[2])]

    def viscous(self, at: Site) -> list[tuple[Any, Any]]:
        """The damper against the wheel that rises, where the tyre carries."""
        if not self.implicit:
            return []
        lift = self._compression(at)[2]
        carries = where(self.force_at(at) > 0.0, at.data.damping, 0.0) if self.lifts else at.data.damping
        return [(array([lift]), array([[carries]]))]

    def potential(self, at: Site) -> Any:
        """Of the spring; it is that of the motion only where the road is level and at rest."""
        depth = self._compression(at)[0]
        depth = maximum(depth, 0.0) if self.lifts else depth
        return 0.5 * at.data.stiffness * depth * depth


def _component(axis: tuple[float, float, float], vector: Any) -> Any:
    return sum((a * x for a, x in zip(axis, vector, strict=True) if a), 0.0)


def directions_of(up: Any, gravity: Any, planar: bool, where: str) -> Directions:
    """Unit vectors upwards and along the horizontal axes: in the plane to the right of up; in space the world's x axis
    as far as it is horizontal (y if up is along x), and the axis to the left of it."""
    if up is None:
        items = np.asarray(gravity, dtype=object)
        if any(isinstance(item, Atom) for item in items) or not np.any(items.astype(float)):
            raise ModelError(f"{where}: gravity does not say where up is; give up=, a direction")
        direction = -items.astype(float)
    else:
        direction = reals(up, f"{where}: up", ModelError)
        direction = np.append(direction, 0.0) if planar and direction.shape == (2,) else direction
        if direction.shape != (3,) or not np.isfinite(direction).all() or not direction.any():
            raise ModelError(f"{where}: up must be a direction of {2 if planar else 3} numbers, got {shown(up)}")
    z = direction / np.linalg.norm(direction)
    if planar:
        return _tuple(z), (float(z[1]) + 0.0, -float(z[0]) + 0.0, 0.0)
    ahead = np.array([1.0, 0.0, 0.0]) if abs(z[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    x = ahead - (ahead @ z) * z
    x /= np.linalg.norm(x)
    return _tuple(z), _tuple(x), _tuple(np.cross(z, x))


def _tuple(vector: Any) -> tuple[float, float, float]:
    x, y, z = (float(item) + 0.0 for item in vector)  # no negative zeros
    return x, y, z
