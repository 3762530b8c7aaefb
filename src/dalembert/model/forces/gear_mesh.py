"""Teeth that yield: the force between two gears at their pitch point."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dalembert.model.bodies.parts import Marker
from dalembert.model.element import Element, Site
from dalembert.model.quantity import Quantity
from dalembert.symbolic import Atom


class GearMesh(Element):
    """A force (K x + C ẋ) cos α along an axis of the pitch point, on the first gear and against it on the second, for
    the deflection x = Σ rₖ φₖ of the teeth.

    It acts on those points of the gears that are at the pitch point at the time. There is no potential: the deflection
    is one of angles, the force goes where the pitch point does.
    """

    kind = "gear mesh"

    def __init__(
        self, name: str, first: Marker, second: Marker, at: Marker, radii: Mapping[Any, Any], data: Mapping[str, Any]
    ) -> None:
        # Angles with the same radius are added before they are multiplied with it.
        keys = [id(one) if isinstance(one, Atom) else one for one in radii.values()]
        different = dict(zip(keys, radii.values(), strict=True))
        self.groups = tuple(list(different).index(key) for key in keys)
        numbered = {f"radius_{k}": one for k, one in enumerate(different.values())}
        super().__init__(name, (at, first, second), tuple(radii), data={**data, **numbered}, variant=self.groups)

    def deflection_at(self, at: Site) -> tuple[Any, Any]:
        """Deflection of the teeth and its rate."""
        found = []
        for angles in (at.values, at.rates):
            sums: dict[int, Any] = {}
            for group, angle in zip(self.groups, angles, strict=True):
                sums[group] = angle if group not in sums else sums[group] + angle
            found.append(sum(getattr(at.data, f"radius_{k}") * total for k, total in sums.items()))
        return found[0], found[1]

    def force_at(self, at: Site) -> Any:
        """The force along the axis on the first gear."""
        x, rate = self.deflection_at(at)
        return at.data.cosine * (at.data.stiffness * x + at.data.damping * rate)

    @property
    def force(self) -> Quantity:
        """The force on the first gear, for sensors."""
        return self.measured(self.force_at, f"force of {self.name}")

    @property
    def deflection(self) -> Quantity:
        """The deflection of the teeth, for sensors."""
        return self.measured(self.deflection_at, f"deflection of {self.name}", 0)

    def powers(self, at: Site) -> list[tuple[Any, Any]]:
        pitch, first, second = at.frames
        force = self.force_at(at) * (pitch.y if at.planar else pitch.z)
        speeds = [one.velocity + one.angular_velocity.cross(one.to(pitch)) for one in (first, second)]
        return [(force, speeds[0]), (-force, speeds[1])]
