"""The methods of a model that make flexible bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dalembert.arguments import mapping, shown
from dalembert.errors import ModelError
from dalembert.model.description import Description

if TYPE_CHECKING:
    from dalembert.elastic import Flexibility, Material, Section
    from dalembert.model.flexible.beam_body import BeamBody
    from dalembert.model.flexible.flexible_body import FlexibleBody


class FlexibleBuilders(Description):
    """Flexible bodies."""

    def flexible_body(
        self,
        name: str,
        flexibility: Flexibility,
        *,
        shapes: Any = (),
        position: Any = None,
        rotation: Any = None,
        angle: Any = None,
        velocity: Any = None,
        angular_velocity: Any = None,
        magnification: float = 1.0,
    ) -> FlexibleBody:
        """A flexible body in a floating frame of reference.

        Joints and forces take its nodes, ``body.node("tip")`` or ``body.at(x, y, z)``.  Its deformations are the
        coordinates ``name.mode``; they start at zero, or with ``assemble(…, smooth=True)`` on the smooth motion.

        :param flexibility: its data
        :param position: of the body frame at the start, with ``rotation`` and so on as in :meth:`body`
        :param magnification: how much larger than they are deformations are drawn
        """
        from dalembert.model.flexible.flexible_body import FlexibleBody

        start = self._body_options(
            f"flexible body {shown(name)}", shapes, position, rotation, angle, velocity, angular_velocity
        )
        return self.add_body(FlexibleBody(self, name, flexibility, magnification=magnification, **start))

    def beam(
        self,
        name: str,
        length: float,
        section: Section,
        material: Material,
        modes: Any = 4,
        *,
        ends: str = "pinned",
        damping: Any = None,
        stiffening: bool = True,
        rotary: bool = True,
        stations: int = 13,
        position: Any = None,
        rotation: Any = None,
        angle: Any = None,
        velocity: Any = None,
        angular_velocity: Any = None,
        magnification: float = 1.0,
    ) -> BeamBody:
        """A uniform flexible beam along x, from 0 to its length.

        Joints and forces take ``beam.left``, ``beam.right`` or ``beam.at(x)``.

        :param section: ``Section.rectangle(height, width)``, ``Section.circle(radius)`` or moments of area
        :param modes: how many bending modes (in space in each direction), or numbers by kind:
            ``{"bending": 4, "longitudinal": 1, "torsion": 1}``
        :param ends: shapes and frame: "pinned" (the frame follows the chord), "clamped" (it is tangent at the left
            end), "clamped-clamped", "free" (mean axes)
        :param damping: ratio ζ of all modes, a ratio for each, or what :meth:`Flexibility.with_damping` takes, as a
            dictionary: ``{"alpha": 0.1, "beta": 1e-5}``
        :param stiffening: whether bending shortens the beam, so that tension stiffens it
        :param rotary: whether sections resist turning
        :param stations: number of nodes, for drawing
        :param position: of the body frame at the start, with ``rotation`` and so on as in :meth:`body`
        :param magnification: how much larger than they are deformations are drawn
        """
        where = f"beam {shown(name)}"
        # Here, as models without beams shall not wait for them.
        from dalembert.elastic.beam import Beam
        from dalembert.model.flexible.beam_body import BeamBody

        shape = Beam(length, section, material, modes, ends, self.planar, stiffening, rotary, stations, name)
        data = shape.flexibility
        if damping is not None:
            given = mapping(damping, where, ModelError) if isinstance(damping, dict) else {"ratios": damping}
            unknown = set(given) - {"alpha", "beta", "ratios", "matrix"}
            if unknown:
                raise ModelError(f"{where}: damping takes alpha, beta, ratios and matrix, not {shown(unknown.pop())}")
            data = data.with_damping(**given)
        start = self._body_options(where, (), position, rotation, angle, velocity, angular_velocity)
        return self.add_body(BeamBody(self, name, shape, data, magnification=magnification, **start))
