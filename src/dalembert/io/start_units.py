"""Units of values at the start: those of coordinates of joints and of their rates."""

from __future__ import annotations

from typing import Any

from dalembert.model.joints import joints
from dalembert.model.model import Model

_KINDS_OF_JOINTS = (joints.Revolute, joints.Prismatic, joints.Universal, joints.Planar)
_SINGLE = (joints.Revolute, joints.Prismatic, joints.Screw)
#: whether coordinates of joints are angles, by their names
_IS_ANGLE = {motion.name: motion.is_angle for kind in _KINDS_OF_JOINTS for motion in kind.motions}


def start_unit(label: str) -> str:
    """The unit of a coordinate of a joint, or of its rate, by its name in the joint; nothing of others."""
    name, dot, _ = label.partition(".rate")
    return _coordinate_unit(_IS_ANGLE[name], bool(dot)) if name in _IS_ANGLE else ""


def only_start_unit(method: str) -> str:
    """The unit of the coordinate of joints that have one alone, by the method that makes them; nothing of others."""
    motions = next((one.motions for one in _SINGLE if one.kind == f"{method} joint"), ())
    return _coordinate_unit(motions[0].is_angle, False) if motions else ""


def quantity_unit(place: Any, model: Model) -> str:
    """The unit of a quantity that is a coordinate of a joint or its rate; nothing of others."""
    known = (one for joint in model.joints for one in joint.own_coordinates.values())
    found = next((one for one in known if place is one or place is one.rate), None)
    return "" if found is None else _coordinate_unit(found.is_angle, place is found.rate)


def _coordinate_unit(is_angle: bool, is_rate: bool) -> str:
    return ("rad" if is_angle else "m") + "/s" * is_rate
