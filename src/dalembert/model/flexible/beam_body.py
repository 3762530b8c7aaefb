"""Beams in models: flexible bodies whose markers stand anywhere on their axis."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.arguments import one_of
from dalembert.elastic import Beam, Flexibility
from dalembert.elastic.flexibility import Reals
from dalembert.errors import ModelError
from dalembert.model.bodies.parts import Body, Marker
from dalembert.model.flexible.drawing import beam_track
from dalembert.model.flexible.flexible_body import FlexibleBody, NodeShapes, node_of, output_of
from dalembert.model.quantity import Quantity

if TYPE_CHECKING:
    from dalembert.model.description import Description

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

    def section_force(self, kind: str, x: float) -> Quantity:
        """What the part beyond x exerts on the one before it: in the plane "normal", "shear", "moment"; in space
        "normal", "shear y", "shear z", "torque", "moment y", "moment z".  From the curvatures of the modes there."""
        if self.model.planar:
            kind = _PLANAR[one_of(kind, _PLANAR, f"beam '{self.name}': section force", ModelError)]
        row = self.beam.section_force(kind, x)
        return Quantity(partial(output_of, self, row), f"{kind} of {self.name} at {float(x):g}")
