"""The joints of a model, as methods."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from dalembert.arguments import shown
from dalembert.errors import ModelError, suggestion
from dalembert.model.bodies.orientation import about_z, frame_along
from dalembert.model.bodies.parts import Body, Marker
from dalembert.model.description import Description
from dalembert.model.forces.laws import not_by_name, number
from dalembert.model.joints import joints
from dalembert.model.joints.joints import Joint
from dalembert.model.starting.start import check_values

J = TypeVar("J", bound=Joint)


class JointBuilders(Description):
    """Joints between a marker on one body and a marker on another.

    ``axis`` is the direction of the joint in both body frames; where these are not parallel at the start, give markers
    with axes of their own instead: ``body.at(x, y, z, axis=…)``.  ``cut=True`` keeps a joint out of the tree.
    """

    def _joint(
        self, kind: type[J], name: str, first: Any, second: Any, *, axis: Any = None, start: Any = None, **options: Any
    ) -> J:
        where = f"{kind.kind} '{name}'"
        if self.planar and not kind.planar_rows and kind not in (joints.Planar, joints.Free):
            raise ModelError(f"{where} needs space; '{self.name}' is a planar model")
        for key in options:
            if key not in ("cut", "data"):
                raise ModelError(f"{where} has no option '{key}'; {suggestion(key, ['axis', 'cut', 'start'])}")
        a, b = (self._marker(item, where) for item in (first, second))
        if a.body is b.body:
            raise ModelError(f"{where} joins '{a.body.name}' with itself; its markers must be on two bodies")
        if axis is not None:
            a, b = (self._along(item, axis, where) for item in (a, b))
        motions = kind.planar_motions if self.planar and kind.planar_motions else kind.motions
        if start is not None and not isinstance(start, dict):
            if not motions or not motions[0].is_scalar:
                raise ModelError(
                    f"{where}: start must be a dictionary, {{'rotation': (1, 0, 0, 0)}}; got {shown(start)}"
                )
            start = {motions[0].name: start}
        joint = kind(name, a, b, start=start, **options)
        check_values(joint, joint.start)
        return self.add(joint)

    def _marker(self, item: Any, where: str) -> Marker:
        if isinstance(item, Body):
            return item.origin
        if not isinstance(item, Marker):
            raise ModelError(
                f"{where}: a body or a marker is needed, such as body.at(0, 0); got {shown(item)}{not_by_name(item)}"
            )
        return item

    def _along(self, marker: Marker, axis: Any, where: str) -> Marker:
        if not np.array_equal(np.asarray(marker.R, dtype=object), np.eye(3)):
            body = marker.body.name
            raise ModelError(
                f"{where}: axis= is a direction in the axes of both bodies, and its marker on '{body}' is turned "
                f"against those of '{body}'. Omit axis=, and give both markers their axes: body.at(…, axis=…)"
            )
        if self.planar:
            angle = self.plane_angle(axis, where)
            return Marker(marker.body, marker.r, about_z(angle), angle, marker.node)
        return Marker(marker.body, marker.r, frame_along(axis, where), node=marker.node)

    def revolute(self, name: str, first: Any, second: Any, **options: Any) -> joints.Revolute:
        """Turning about an axis (z unless given); coordinate ``angle``."""
        return self._joint(joints.Revolute, name, first, second, **options)

    def prismatic(self, name: str, first: Any, second: Any, **options: Any) -> joints.Prismatic:
        """Sliding along an axis (z in space, x in the plane, unless given); coordinate ``displacement``."""
        return self._joint(joints.Prismatic, name, first, second, **options)

    def cylindrical(self, name: str, first: Any, second: Any, **options: Any) -> joints.Cylindrical:
        """Turning about and sliding along an axis; coordinates ``displacement`` and ``angle``."""
        return self._joint(joints.Cylindrical, name, first, second, **options)

    def screw(self, name: str, first: Any, second: Any, pitch: Any, **options: Any) -> joints.Screw:
        """Turning that drives the second body along the axis by ``pitch`` metres per turn; coordinate ``angle``."""
        data = {"pitch": number(pitch, f"screw joint '{name}'", "its pitch")}
        return self._joint(joints.Screw, name, first, second, data=data, **options)

    def spherical(self, name: str, first: Any, second: Any, **options: Any) -> joints.Spherical:
        """A ball joint."""
        return self._joint(joints.Spherical, name, first, second, **options)

    def universal(self, name: str, first: Any, second: Any, **options: Any) -> joints.Universal:
        """A cross: turning about x of the first marker (``angle1``), then about y of the second (``angle2``)."""
        return self._joint(joints.Universal, name, first, second, **options)

    def planar_joint(self, name: str, first: Any, second: Any, **options: Any) -> joints.Planar:
        """Sliding in the plane across the axis, turning about it; coordinates ``x``, ``y``, ``angle``."""
        return self._joint(joints.Planar, name, first, second, **options)

    def fixed(self, name: str, first: Any, second: Any, **options: Any) -> joints.Fixed:
        """No motion."""
        return self._joint(joints.Fixed, name, first, second, **options)

    def guide(
        self,
        name: str,
        first: Any,
        second: Any,
        *,
        slides: str = "",
        turns: str = "",
        start: Any = None,
        cut: bool = False,
    ) -> joints.Guided:
        """Sliding along some axes of the first marker (coordinates ``x``, ``y``, ``z``), then turning about some axes,
        one turn after the other: ``slides="xyz", turns="zx"`` slides along all axes, then yaws, then rolls; coordinates
        ``roll``, ``pitch``, ``yaw`` about x, y, z."""
        where = f"guide {shown(name)}"
        if self.planar:
            raise ModelError(f"{where} needs space; in the plane use planar_joint, prismatic or revolute")
        for what, axes in (("slides", slides), ("turns", turns)):
            known = isinstance(axes, str) and set(axes) <= set("xyz") and len(set(axes)) == len(axes)
            if not known:
                raise ModelError(f"{where}: {what} must be different letters of x, y and z, got {shown(axes)}")
        if not slides and not turns:
            raise ModelError(f"{where} neither slides nor turns; use fixed")
        a, b = (self._marker(item, where) for item in (first, second))
        if a.body is b.body:
            raise ModelError(f"{where} joins '{a.body.name}' with itself; its markers must be on two bodies")
        joint = joints.Guided(name, a, b, slides, turns, start=start, cut=cut)
        check_values(joint, joint.start)
        return self.add(joint)

    def free(self, name: str, first: Any, second: Any, **options: Any) -> joints.Free:
        """All motions of the second marker relative to the first, as coordinates."""
        return self._joint(joints.Free, name, first, second, **options)
