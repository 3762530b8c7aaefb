"""Where a model stands before it is assembled: placements of bodies and values of joints, as far as they are given, as
numbers for any layout of coordinates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.errors import ModelError
from dalembert.model.bodies.orientation import from_euler_parameters, to_euler_parameters
from dalembert.model.bodies.parts import Body, Marker
from dalembert.model.formulate.coordinate_layout import CoordinateLayout, Pose
from dalembert.model.formulate.topology import spanning_tree
from dalembert.model.joints.joints import Joint
from dalembert.symbolic import Atom, evaluate

if TYPE_CHECKING:
    from dalembert.model.description import Description

Floats = np.ndarray


@dataclass
class Placement:
    """A frame in the world as numbers: rotation, place, angular velocity and velocity, all in the axes of the world."""

    R: Floats
    r: Floats
    w: Floats
    v: Floats
    #: in the plane, the angle that counts turns
    angle: float = 0.0

    def fixed(self, R: Floats, r: Floats, turn: float = 0.0) -> Placement:
        """A frame fixed in this one; ``turn`` is its angle in the plane."""
        arm = self.R @ r
        return Placement(self.R @ R, self.r + arm, self.w, self.v + np.cross(self.w, arm), self.angle + turn)

    def inverse_fixed(self, R: Floats, r: Floats, turn: float) -> Placement:
        """The frame in which this one is fixed with R and r."""
        return self.fixed(R.T, -(R.T @ r), -turn)


class Start:
    """Poses and velocities of all bodies at the start, as they were given."""

    def __init__(
        self,
        model: Description,
        bodies: Sequence[Body],
        joints: Sequence[Joint],
        parameters: Mapping[str, Any],
        values: Mapping[str, float],
    ) -> None:
        #: ``values``: joint coordinates and rates by name, which count more than what the model says
        self.model, self.values = model, dict(values)
        self._p = parameters
        ground, still = model.ground, np.zeros(3)
        self.bodies: dict[str, Placement] = {ground.name: Placement(np.eye(3), still, still, still)}
        for body, joint, backwards in spanning_tree(bodies, joints, ground, placing=True).carried:
            self.bodies[body.name] = self._placed(body, joint, backwards)

    def number(self, value: Any) -> Floats:
        """Numbers of data that may be expressions of parameters."""
        items = np.asarray(value, dtype=object)
        if any(isinstance(item, Atom) for item in items.flat):
            known = self.model.parameter_numbers(self._p)
            flat = [evaluate(item, known) if isinstance(item, Atom) else item for item in items.flat]
            items = np.array(flat, dtype=object).reshape(items.shape)
        return items.astype(float)

    def marker(self, marker: Marker) -> Placement:
        """Where a marker is."""
        turn = float(self.number(marker.turn))
        return self.bodies[marker.body.name].fixed(self.number(marker.R), self.number(marker.r), turn)

    def _placed(self, body: Body, joint: Joint | None, backwards: bool) -> Placement:
        given = self._given(body)
        if joint is None:
            return given
        stated = any(name in self.values for name in joint.start_names) or bool(joint.start)
        if body.start_position is not None and not stated:
            return given
        inner, outer = (joint.second, joint.first) if backwards else (joint.first, joint.second)
        frame = self.marker(inner)
        motions = joint.free_motions
        for motion in reversed(motions) if backwards else motions:
            axis = np.array(motion.axis, dtype=float) * (-1.0 if backwards else 1.0)
            if motion.kind == "spherical":
                R = from_euler_parameters(np.asarray(joint.start.get("rotation", (1.0, 0.0, 0.0, 0.0)), dtype=float))
                w = np.asarray(joint.start.get("angular_velocity", (0.0, 0.0, 0.0)), dtype=float)
                frame = frame.fixed(R.T if backwards else R, np.zeros(3))
                frame.w = frame.w + (-(frame.R @ (R @ w)) if backwards else frame.R @ w)
                continue
            q, rate = self._joint_value(joint, motion.name)
            if motion.kind in ("prismatic", "screw"):
                lead = 1.0 if motion.kind == "prismatic" else float(self.number(joint.data["pitch"])) / (2.0 * np.pi)
                frame = frame.fixed(np.eye(3), axis * (lead * q))
                frame.v = frame.v + frame.R @ axis * (lead * rate)
            if motion.kind in ("revolute", "screw"):
                frame = frame.fixed(rotation_about(axis, q), np.zeros(3), axis[2] * q)
                frame.w = frame.w + frame.R @ axis * rate
        return frame.inverse_fixed(self.number(outer.R), self.number(outer.r), float(self.number(outer.turn)))

    def _given(self, body: Body) -> Placement:
        """The placement that a body was given."""
        r = np.zeros(3) if body.start_position is None else self.number(body.start_position)
        R = np.eye(3) if body.start_rotation is None else self.number(body.start_rotation)
        v = np.zeros(3) if body.start_velocity is None else self.number(body.start_velocity)
        w = np.zeros(3) if body.start_angular_velocity is None else self.number(body.start_angular_velocity)
        angle = body.start_angle if body.start_angle is not None else float(np.arctan2(R[1, 0], R[0, 0]))
        return Placement(R, r, R @ w, v, float(angle))

    def _joint_value(self, joint: Joint, label: str) -> tuple[float, float]:
        coordinate = joint.own_coordinates[label]
        q = self.values.get(coordinate.name, joint.start.get(label, 0.0))
        rate = self.values.get(coordinate.rate.name, joint.start.get(f"{label}.rate", 0.0))
        return float(q), float(rate)

    # ------------------------------------------------------------------------------------------ as coordinates

    def joint_coordinate(self, joint: Joint, label: str) -> tuple[float, float]:
        """A coordinate of a joint and its rate, as the frames have them; near the value that was given."""
        A, B = self.marker(joint.first), self.marker(joint.second)
        motion = next(item for item in joint.free_motions if item.name == label)
        R, r = A.R.T @ B.R, A.R.T @ (B.r - A.r)
        w = A.R.T @ (B.w - A.w)
        v = A.R.T @ (B.v - A.v - np.cross(A.w, B.r - A.r))
        axis = np.array(motion.axis, dtype=float)
        if motion.kind == "prismatic":
            return float(axis @ r), float(axis @ v)
        if joint.planar:
            return B.angle - A.angle, float(w[2])
        if motion.axis == (1, 0, 0):  # of a universal joint, R = Rx(α) Ry(β)
            raw, rate = float(np.arctan2(R[2, 1], R[1, 1])), float(w[0])
        elif motion.axis == (0, 1, 0):
            raw, rate = float(np.arctan2(R[0, 2], R[0, 0])), float((R.T @ w)[1])
        else:
            raw, rate = float(np.arctan2(R[1, 0], R[0, 0])), float(w[2])
        near = self._joint_value(joint, label)[0]
        return near + float(np.angle(np.exp(1j * (raw - near)))), rate

    def fill(self, layout: CoordinateLayout) -> tuple[Floats, Floats]:
        """q and v of a layout."""
        q, v = np.zeros(len(layout.names["q"])), np.zeros(len(layout.names["v"]))
        for carrier in layout.order():
            if isinstance(carrier, Pose):
                self._fill_pose(carrier, layout.planar, q, v)
                continue
            joint = carrier.joint
            for motion, i, k in zip(joint.free_motions, carrier.q, carrier.v, strict=True):
                if motion.kind == "spherical":
                    inner, outer = joint.first, joint.second
                    if carrier.backwards:
                        inner, outer = outer, inner
                    A, B = self.marker(inner), self.marker(outer)
                    q[i : i + 4] = to_euler_parameters(A.R.T @ B.R)
                    v[k : k + 3] = B.R.T @ (B.w - A.w)
                else:
                    q[i], v[k] = self.joint_coordinate(joint, motion.name)
        for name, (i, _) in layout.body_angles.items():
            q[i] = self.bodies[name].angle
        for coordinate, i in layout.angles.items():
            q[i] = self.joint_coordinate(coordinate.joint, coordinate.label)[0]
        return q, v

    def _fill_pose(self, pose: Pose, planar: bool, q: Floats, v: Floats) -> None:
        at = self.bodies[pose.body.name].fixed(np.eye(3), self.number(pose.body.properties.com))
        if planar:
            q[pose.q : pose.q + 3] = at.r[0], at.r[1], at.angle
            v[pose.v : pose.v + 3] = at.v[0], at.v[1], at.w[2]
        else:
            q[pose.q : pose.q + 7] = [*at.r, *to_euler_parameters(at.R)]
            v[pose.v : pose.v + 6] = [*at.v, *(at.R.T @ at.w)]


def rotation_about(axis: Floats, angle: float) -> Floats:
    """Rodrigues' formula for a unit axis."""
    K = np.array([[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]])
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * (K @ K)


def check_values(joint: Joint, start: Mapping[str, Any]) -> None:
    """Complain about start values that a joint does not have."""
    known = [*joint.coordinate_labels, *(f"{label}.rate" for label in joint.coordinate_labels)]
    known += ["rotation", "angular_velocity"] if any(m.kind == "spherical" for m in joint.free_motions) else []
    for key, value in start.items():
        if key not in known:
            raise ModelError(f"{joint.label} has no start value '{key}'; it has {', '.join(known) or 'none'}")
        size = {"rotation": 4, "angular_velocity": 3}.get(key)
        try:
            numbers = np.asarray(value, dtype=float)
        except (TypeError, ValueError):
            numbers = np.full(1, np.nan)
        if numbers.shape != (() if size is None else (size,)) or not np.isfinite(numbers).all():
            wanted = "a finite number" if size is None else f"{size} finite numbers"
            raise ModelError(f"{joint.label}: the start value '{key}' must be {wanted}, got {value!r:.60}")
        if key == "rotation" and not numbers.any():
            raise ModelError(f"{joint.label}: the Euler parameters of its start are all zero; try (1, 0, 0, 0)")
