"""The methods of a model that make flexible bodies."""

from __future__ import annotations

from typing import Any

from dalembert.arguments import shown
from dalembert.elastic import Flexibility
from dalembert.model.description import Description
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
    ) -> FlexibleBody:
        """A flexible body in a floating frame of reference.

        Joints and forces take its nodes, ``body.node("tip")`` or ``body.at(x, y, z)``.  Its deformations are coordinates
        ``name.mode``; they start at zero, or with ``assemble(…, smooth=True)`` on the smooth motion.

        :param flexibility: its data
        :param position: of the body frame at the start, with ``rotation`` and so on as in :meth:`body`
        """
        start = self.body_options(
            f"flexible body {shown(name)}", shapes, position, rotation, angle, velocity, angular_velocity
        )
        return self.add_body(FlexibleBody(self, name, flexibility, **start))
