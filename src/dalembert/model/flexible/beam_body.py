"""Beams in models: flexible bodies whose markers stand anywhere on their axis."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.arguments import one_of
from dalembert.elastic import Beam, Flexibility
from dalembert.elastic.beam import FORCES
from dalembert.elastic.flexibility import Reals
from dalembert.errors import ModelError, some
from dalembert.model.bodies.parts import Body, Marker
from dalembert.model.flexible.drawing import beam_track
from dalembert.model.flexible.field_inertia import Fields
from dalembert.model.flexible.flexible_body import FlexibleBody, NodeShapes, bent, node_of, output_of
from dalembert.model.frames import Frame, Place
from dalembert.model.quantity import Quantity
from dalembert.symbolic.mechanics import acceleration, angular_acceleration

if TYPE_CHECKING:
    from dalembert.model.bodies.parts import Pairs
    from dalembert.model.description import Description
    from dalembert.model.element import Element
    from dalembert.model.formulate.scene import Scene

#: Part of the length, from either end, that is no inside.
_INSIDE = 1e-3
#: section forces of planar beams, and what they are in space
_PLANAR = {"normal": "normal", "shear": "shear y", "moment": "moment z"}


class BeamBody(FlexibleBody):
    """A beam along x; made by :meth:`Model.beam`."""

    def __init__(
        self, model: Description, name: str, beam: Beam, flexibility: Flexibility | None = None, **options: Any
    ) -> None:
        super().__init__(model, name, beam.flexibility if flexibility is None else flexibility, **options)
        #: length, section, material and shapes
        self.beam = beam
        self._stations: dict[float, NodeShapes] = {}

    def at(self, *position: Any, rotation: Any = None, angle: Any = None, axis: Any = None) -> Marker:
        """A marker on the axis: ``at(x)``, or ``at(x, 0)`` in the plane and ``at(x, 0, 0)`` in space."""
        given = (*position, *[0.0] * (len(self.model.labels) - 1)) if len(position) == 1 else position
        if len(position) == 1 and isinstance(position[0], (list, tuple, np.ndarray)):
            given = tuple(position[0])
        plain = Body.at(self, *given, rotation=rotation, angle=angle, axis=axis)
        r = np.asarray(plain.r)
        if r.dtype != float or r[1:].any():
            raise ModelError(
                f"beam '{self.name}': markers stand on its axis, at(x); weld a body to it for what stands beside"
            )
        x = self.beam.inside(r[0])
        if x not in self._stations:
            self._stations[x] = node_of(self.beam.nodes([x], (f"x = {x:g}",)), 0)
        return Marker(self, plain.r, plain.R, plain.turn, self._stations[x])

    def remarks(self, elements: Sequence[Element]) -> list[str]:
        if not any(mode.kind == "bending" for mode in self.flexibility.modes):
            return []
        length, found = self.beam.length, dict[float, list[str]]()
        for element in elements:
            seen = getattr(getattr(element, "sees", None), "markers", {}).values()  # nothing acts there
            for x in {float(one.r[0]) for one in element.markers if one.body is self and one not in seen}:
                if _INSIDE < x / length < 1.0 - _INSIDE:
                    found.setdefault(x, []).append(element.label)
        return [
            f"beam '{self.name}': {some(labels, 3)} {'act' if len(labels) > 1 else 'acts'} inside of it, at "
            f"x = {x:g} m of {length:g} m, where its eigenfunctions converge slowly with their number. Let two beams "
            f"of {x:g} m and {length - x:g} m meet there, both with ends='clamped' and their left ends there, joined "
            "by m.fixed"
            for x, labels in found.items()
        ]

    def track(self, q: Reals) -> dict[str, Any] | None:
        return beam_track(self.beam, q, self.magnification)

    @property
    def left(self) -> Marker:
        """The end at x = 0, which moves and turns with the deformation."""
        return self.at(0.0)

    @property
    def right(self) -> Marker:
        """The end at x = length."""
        return self.at(self.beam.length)

    # ---------------------------------------------------------------------------------------------- section forces

    def section_force(self, kind: str, x: float, by: str = "balance") -> Quantity:
        """What the part beyond x exerts on the one before it: in the plane "normal", "shear", "moment"; in space
        "normal", "shear y", "shear z", "torque", "moment y", "moment z".

        :param by: "balance": from inertia, weight and all forces on the part beyond x, along the axes of the section,
            so that nothing is transmitted where nothing can be; "curvature": from the deformation of the modes there,
            which converges slowly with their number where a section is loaded
        """
        if self.model.planar:
            kind = _PLANAR[one_of(kind, _PLANAR, f"beam '{self.name}': section force", ModelError)]
        row, name = self.beam.section_force(kind, x), f"{kind} of {self.name} at {float(x):g}"
        if one_of(by, ("balance", "curvature"), f"beam '{self.name}': by", ModelError) == "curvature":
            return Quantity(partial(output_of, self, row), name)
        return Quantity(partial(_transmitted, self, FORCES.index(kind), self.beam.inside(x)), name)

    def section(self, scene: Scene, x: float, home: Frame | None = None) -> Frame:
        """The frame of a section, which moves and turns with the deformation; ``home``: that of the body, if it is not
        where the scene has it."""
        marker, own = self.at(x), home or self._frame(scene)
        q, q_rate = scene.modes(self)
        assert isinstance(marker.node, NodeShapes)
        moved = own.moved(*(np.asarray(marker.r) + marker.node.displacement(q)))
        if not marker.node.turns:
            return moved
        name = f"{self.name} at {x:g}"
        return Frame(bent(own.base, marker.node, q, q_rate, name)[0], moved.point, own.angle)

    def _beyond(self, scene: Scene, marker: Marker) -> bool:
        """Whether a cut separates a marker from the left end."""
        if scene.cut is None or scene.cut.beam is not self:
            return False
        return bool(marker.r[0] > scene.cut.x or marker.r[0] == scene.cut.x > 0.0)

    def place_of(self, scene: Scene, marker: Marker) -> Place:
        found = super().place_of(scene, marker)
        if not self._beyond(scene, marker):
            return found
        frame = found.frame(f"{self.name} beyond")
        moved = scene.cut.opened(self.section(scene, scene.cut.x), frame, 1.0)
        return Place(moved.base, moved.point, np.eye(3), np.zeros(3), frame.angle)

    def place_from(self, scene: Scene, marker: Marker, frame: Frame) -> Place:
        found = super().place_from(scene, marker, frame)
        if not self._beyond(scene, marker):
            return found
        home = found.frame(f"{self.name} before")
        moved = scene.cut.opened(self.section(scene, scene.cut.x, home), home, -1.0)
        return Place(moved.base, moved.point, np.eye(3), np.zeros(3), home.angle)

    def inertia_pairs(self, scene: Scene) -> Pairs:
        pairs = super().inertia_pairs(scene)
        cut = scene.cut
        if cut is None or cut.beam is not self or cut.x >= self.beam.length:
            return pairs
        # Of the part beyond the cut, besides: its inertia and weight, with the virtual motion.
        frame, section = self._frame(scene), self.section(scene, cut.x)
        base, (q, q_rate) = frame.base, scene.modes(self)
        k = scene.layout.modes[self.name][1]
        force, moment, _ = Fields(self.beam.beyond(cut.x), q, self._all_products()).forces(
            self._components(acceleration(frame.point) - scene.world.vector(*scene.gravity), base),
            self._spin(frame.angular_velocity, base),
            self._spin(angular_acceleration(base), base),
            q_rate,
            scene.inputs["a"][k : k + len(q_rate)],
        )
        F = self._vector(base, force)
        about = self._moment(base, moment) - frame.to(section).cross(F)
        return [*pairs, (F, section.vector(*cut.velocity)), (about, section.vector(*cut.turning))]


def _transmitted(body: BeamBody, which: int, x: float, scene: Scene) -> Any:
    from dalembert.model.formulate.reactions import transmitted

    return transmitted(scene, body, x)[which]
