"""Where a model stands before it is assembled: placements of bodies and values of joints, as far as they are given, as
numbers for any layout of coordinates."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.arguments import measured, reals, shown
from dalembert.errors import ModelError
from dalembert.model.bodies.orientation import from_euler_parameters, to_euler_parameters
from dalembert.model.bodies.parts import Body, Marker
from dalembert.model.element import Data
from dalembert.model.formulate.coordinate_layout import Carried, CoordinateLayout, Pose
from dalembert.model.formulate.topology import spanning_tree
from dalembert.model.joints.joints import Joint
from dalembert.model.joints.motions import Axis, Motion, Prescribed
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

    def after(self, moved: Placement) -> Placement:
        """The frame that has moved relative to this one."""
        arm = self.R @ moved.r
        v = self.v + np.cross(self.w, arm) + self.R @ moved.v
        return Placement(self.R @ moved.R, self.r + arm, self.w + self.R @ moved.w, v, self.angle + moved.angle)

    def before(self, moved: Placement) -> Placement:
        """The frame relative to which this one has moved."""
        R = self.R @ moved.R.T
        arm = R @ moved.r
        w = self.w - R @ moved.w
        return Placement(R, self.r - arm, w, self.v - R @ moved.v - np.cross(w, arm), self.angle - moved.angle)

    def distance(self, other: Placement) -> tuple[float, float]:
        """Distance and angle to another frame."""
        R = self.R.T @ other.R
        axis = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
        return (
            float(np.linalg.norm(other.r - self.r)),
            float(np.arctan2(0.5 * np.linalg.norm(axis), 0.5 * (np.trace(R) - 1.0))),
        )

    def slide(self, axis: Axis, distance: float, rate: float) -> None:
        """Move along an own axis."""
        direction = self.R @ np.array(axis, dtype=float)
        self.r = self.r + direction * distance
        self.v = self.v + np.cross(self.w, direction * distance) + direction * rate

    def turn(self, axis: Axis, angle: float, rate: float) -> None:
        """Turn about an own axis."""
        direction = np.array(axis, dtype=float)
        self.R = self.R @ rotation_about(direction, angle)
        self.w = self.w + self.R @ direction * rate
        self.angle += axis[2] * angle

    def rotate(self, parameters: Any, angular_velocity: Any) -> None:
        """Turn by Euler parameters."""
        self.R = self.R @ from_euler_parameters(np.asarray(parameters, dtype=float))
        self.w = self.w + self.R @ np.asarray(angular_velocity, dtype=float)


def at_origin() -> Placement:
    """The world itself."""
    return Placement(np.eye(3), np.zeros(3), np.zeros(3), np.zeros(3))


@dataclass(frozen=True)
class RelativePlacement:
    """A placement B as it is seen from a placement A."""

    A: Placement
    B: Placement
    planar: bool

    @property
    def angle(self) -> float:
        return self.B.angle - self.A.angle

    @property
    def spin(self) -> float:
        return self.turning(2)

    def along(self, axis: Axis) -> tuple[float, float]:
        A, B = self.A, self.B
        direction, arm = A.R @ np.array(axis, dtype=float), B.r - A.r
        return float(direction @ arm), float(direction @ (B.v - A.v - np.cross(A.w, arm)))

    def axis(self, k: int) -> Floats:
        return self.A.R.T @ self.B.R[:, k]

    def axis_of_first(self, k: int) -> Floats:
        return self.B.R.T @ self.A.R[:, k]

    def turning(self, k: int) -> float:
        return float(self.A.R[:, k] @ (self.B.w - self.A.w))

    def turning_of_second(self, k: int) -> float:
        return float(self.B.R[:, k] @ (self.B.w - self.A.w))


def number_of(value: Any, model: Description, parameters: Mapping[str, Any]) -> Floats:
    """Numbers of data that may be expressions of parameters."""
    if isinstance(value, np.ndarray) and value.dtype == float:
        return value
    items = np.asarray(value, dtype=object)
    if any(isinstance(item, Atom) for item in items.flat):
        known = model.parameter_numbers(parameters)
        flat = [evaluate(item, known) if isinstance(item, Atom) else item for item in items.flat]
        items = np.array(flat, dtype=object).reshape(items.shape)
    return items.astype(float)


class Start:
    """Poses and velocities of all bodies at the start, as they were given."""

    def __init__(
        self,
        model: Description,
        bodies: Sequence[Body],
        joints: Sequence[Joint],
        parameters: Mapping[str, Any],
        values: Mapping[str, float],
        driven: Mapping[str, float],
    ) -> None:
        #: ``values``: joint coordinates and rates by name, which count more than what the model says; ``driven``: those
        #: that laws of drives say, which count more than starts of joints, and less than places of bodies
        self.model, self.joints, self.values, self.driven = model, tuple(joints), dict(values), dict(driven)
        self._p = parameters
        self.bodies: dict[str, Placement] = {model.ground.name: at_origin()}
        #: the joints that bodies hang on, as far as they do
        self.carriers: dict[str, Joint] = {}
        tree = spanning_tree(bodies, joints, model.ground, placing=True, prescribed=model.prescribed_motions)
        for body, joint, backwards in tree.carried:
            self.bodies[body.name] = self._placed(body, joint, backwards)
            if joint is not None:
                self.carriers[body.name] = joint

    def number(self, value: Any) -> Floats:
        """Numbers of data that may be expressions of parameters."""
        return number_of(value, self.model, self._p)

    def marker(self, marker: Marker) -> Placement:
        """Where a marker is."""
        turn = float(self.number(marker.turn))
        return self.bodies[marker.body.name].fixed(self.number(marker.R), self.number(marker.r), turn)

    def _placed(self, body: Body, joint: Joint | None, backwards: bool) -> Placement:
        """The placement that a body was given, where its joint has no start; all that it was not given, as its joint
        has it."""
        given = self.given(body)
        if joint is None:
            return given
        stated = any(name in self.values for name in joint.start_names) or bool(joint.start)
        drawn = body.start_position is not None and not stated
        values = [self._motion_values(joint, motion) for motion in joint.free_motions]
        at = given if drawn else self._hung(joint, backwards, values)
        moves = body.start_velocity is not None or body.start_angular_velocity is not None
        if not moves and not drawn:
            return at
        values = self._values_of(joint, body, given) if drawn else values
        values = self._with_nearest_rates(body, joint, backwards, values) if moves else values
        moving = self._hung(joint, backwards, values)
        return replace(at, v=moving.v, w=moving.w)

    def _hung(self, joint: Joint, backwards: bool, values: Sequence[tuple[Any, Any]]) -> Placement:
        """The placement of the body that hangs on a joint, with these values of its motions."""
        inner, outer = (joint.second, joint.first) if backwards else (joint.first, joint.second)
        moved, frame = self._moved(joint, values), self.marker(inner)
        frame = frame.before(moved) if backwards else frame.after(moved)
        return frame.inverse_fixed(self.number(outer.R), self.number(outer.r), float(self.number(outer.turn)))

    def _values_of(self, joint: Joint, body: Body, at: Placement) -> list[tuple[Floats, Floats]]:
        """Values of the motions of a joint with a body that is somewhere; rates as they were given."""
        self.bodies[body.name] = at
        given = [self._motion_values(joint, motion)[1] for motion in joint.free_motions]
        return [(q, rates) for (q, _), rates in zip(self._measured(joint), given, strict=True)]

    def _with_nearest_rates(
        self, body: Body, joint: Joint, backwards: bool, values: Sequence[tuple[Floats, Floats]]
    ) -> list[tuple[Floats, Floats]]:
        """Values of the motions of a joint with the rates that move a body most nearly as it was given; rates that the
        joint was given stay."""
        given = self.given(body)
        arm = float(np.linalg.norm(self.number((joint.first if backwards else joint.second).r))) or 1.0
        sizes = [len(rates) for _, rates in values]
        stated = [self._has_rate(joint, motion) for motion in joint.free_motions]
        unknown = np.flatnonzero(~np.repeat(np.array(stated, dtype=bool), sizes))

        def with_rates(rates: Floats) -> list[tuple[Floats, Floats]]:
            parts = np.split(rates, np.cumsum(sizes)[:-1])
            return [(q, part) for (q, _), part in zip(values, parts, strict=True)]

        def moving(rates: Floats) -> Floats:
            at = self._hung(joint, backwards, with_rates(rates))
            v = at.v if body.start_velocity is not None else np.zeros(0)
            w = at.R.T @ at.w if body.start_angular_velocity is not None else np.zeros(0)
            return np.concatenate([v, arm * w])

        wanted = [given.v] if body.start_velocity is not None else []
        if body.start_angular_velocity is not None:
            wanted.append(arm * self.number(body.start_angular_velocity))
        rates = np.concatenate([rates for _, rates in values]) if values else np.zeros(0)
        if not unknown.size:
            return list(values)
        now = moving(rates)  # velocities are linear in the rates
        J = np.column_stack([moving(rates + unit) - now for unit in np.eye(len(rates))[unknown]])
        rates[unknown] += np.linalg.lstsq(J, np.concatenate(wanted) - now, rcond=None)[0]
        return with_rates(rates)

    def _has_rate(self, joint: Joint, motion: Motion) -> bool:
        """Whether the rate of a motion was given."""
        _, key = motion.at_rest
        named = motion.is_scalar and joint.own_coordinates[motion.name].rate.name in {**self.driven, **self.values}
        return key in joint.start or named

    def _moved(self, joint: Joint, values: Sequence[tuple[Any, Any]]) -> Placement:
        """The second frame of a joint as seen from its first, with these values of its motions."""
        moved = at_origin()
        for motion, (q, v) in zip(joint.free_motions, values, strict=True):
            for step in motion.steps(q, v, self._data(joint)):
                step.move(moved)
        return moved

    def gap(self, joint: Joint) -> tuple[float, float]:
        """How far the frames of a joint are from where its motions can bring them: a distance and an angle."""
        reached = self.marker(joint.first).after(self._moved(joint, self._measured(joint)))
        return reached.distance(self.marker(joint.second))

    def _measured(self, joint: Joint) -> list[tuple[Floats, Floats]]:
        """Values of the motions of a joint, as its frames have them."""
        seen, data = self._seen(joint.first, joint.second), self._data(joint)
        found = [motion.measured(seen, data) for motion in joint.free_motions]
        return [(np.asarray(q, dtype=float).reshape(-1), np.asarray(v, dtype=float).reshape(-1)) for q, v in found]

    def given(self, body: Body) -> Placement:
        """The placement that a body was given."""
        r = np.zeros(3) if body.start_position is None else self.number(body.start_position)
        R = np.eye(3) if body.start_rotation is None else self.number(body.start_rotation)
        v = np.zeros(3) if body.start_velocity is None else self.number(body.start_velocity)
        w = np.zeros(3) if body.start_angular_velocity is None else self.number(body.start_angular_velocity)
        angle = body.start_angle if body.start_angle is not None else float(np.arctan2(R[1, 0], R[0, 0]))
        return Placement(R, r, R @ w, v, float(angle))

    def _motion_values(self, joint: Joint, motion: Motion) -> tuple[Floats, Floats]:
        """Coordinates and velocities of a motion, as they were given."""
        (q_key, q), (v_key, v) = motion.at_rest.items()
        q, v = joint.start.get(q_key, q), joint.start.get(v_key, v)
        if motion.is_scalar:
            coordinate = joint.own_coordinates[motion.name]
            said = {**self.driven, **self.values}
            q, v = said.get(coordinate.name, q), said.get(coordinate.rate.name, v)
        return np.asarray(q, dtype=float).reshape(-1), np.asarray(v, dtype=float).reshape(-1)

    def _data(self, joint: Joint) -> Data:
        return Data({key: self.number(value) for key, value in joint.data.items()})

    # ------------------------------------------------------------------------------------------ as coordinates

    def joint_coordinate(self, joint: Joint, label: str) -> tuple[float, float]:
        """A coordinate of a joint and its rate, as the frames have them; near the value that was given."""
        motion, seen = joint.motion(label), self._seen(joint.first, joint.second)
        value, rate = motion.measured(seen, self._data(joint))
        if motion.is_angle and not joint.planar:
            near = float(self._motion_values(joint, motion)[0][0])
            value = near + float(np.angle(np.exp(1j * (value - near))))
        return value, rate

    def _seen(self, first: Marker, second: Marker) -> RelativePlacement:
        return RelativePlacement(self.marker(first), self.marker(second), self.model.planar)

    def fill(self, layout: CoordinateLayout) -> tuple[Floats, Floats]:
        """q and v of a layout."""
        q, v = np.zeros(len(layout.names["q"])), np.zeros(len(layout.names["v"]))
        for carrier in layout.order():
            if isinstance(carrier, Pose):
                self._fill_pose(carrier, layout.planar, q, v)
                continue
            joint = carrier.joint
            ends = (joint.second, joint.first) if carrier.backwards else (joint.first, joint.second)
            for motion, i, k in carrier.free_motions():
                if motion.is_scalar:
                    q[i], v[k] = self.joint_coordinate(joint, motion.name)
                else:
                    seen = self._seen(*(ends if motion.follows_tree else joint.markers))
                    q[i : i + motion.n_q], v[k : k + motion.n_v] = motion.measured(seen, self._data(joint))
        for name, (i, _) in layout.body_angles.items():
            q[i] = self.bodies[name].angle
        for coordinate, i in layout.angles.items():
            q[i] = self.joint_coordinate(coordinate.joint, coordinate.label)[0]
        return q, v

    def placed_at(self, layout: CoordinateLayout, q: Floats, v: Floats) -> Start:
        """Bodies with other coordinates and velocities of a layout."""
        there = copy.copy(self)
        there.bodies = {self.model.ground.name: at_origin()}
        for carrier in layout.order():
            there.bodies[carrier.body.name] = (
                there._posed(carrier, layout.planar, q[carrier.q :], v[carrier.v :])
                if isinstance(carrier, Pose)
                else there._carried(carrier, q, v)
            )
        return there

    def _posed(self, pose: Pose, planar: bool, q: Floats, v: Floats) -> Placement:
        if planar:
            R = rotation_about(np.array([0.0, 0.0, 1.0]), float(q[2]))
            r, w, drift = np.array([q[0], q[1], 0.0]), np.array([0.0, 0.0, v[2]]), np.array([v[0], v[1], 0.0])
        else:
            R = from_euler_parameters(q[3:7])
            r, w, drift = q[:3], R @ v[3:6], v[:3]
        return Placement(R, r, w, drift, float(q[2])).fixed(np.eye(3), -self.number(pose.body.reference))

    def _carried(self, carrier: Carried, q: Floats, v: Floats) -> Placement:
        joint = carrier.joint
        inner, outer = (joint.second, joint.first) if carrier.backwards else (joint.first, joint.second)
        way = at_origin()
        data = self._data(joint)
        for label in carrier.prescribed:
            value, rate = self._motion_values(joint, joint.motion(label))
            vars(data).update(Prescribed.data(label, value[0], rate[0]))
        for motion, i, k in carrier.motions():
            for step in motion.steps(q[i : i + motion.n_q], v[k : k + motion.n_v], data):
                step.move(way)
        frame = self.marker(inner).after(way)
        return frame.inverse_fixed(self.number(outer.R), self.number(outer.r), float(self.number(outer.turn)))

    def _fill_pose(self, pose: Pose, planar: bool, q: Floats, v: Floats) -> None:
        at = self.bodies[pose.body.name].fixed(np.eye(3), self.number(pose.body.reference))
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
    motions = joint.free_motions
    known = [*joint.coordinate_labels, *(f"{label}.rate" for label in joint.coordinate_labels)]
    known += [key for motion in motions if not motion.is_scalar for key in motion.at_rest]
    shapes = {key: np.shape(value) for motion in motions for key, value in motion.at_rest.items()}
    for key, value in start.items():
        if key not in known:
            raise ModelError(f"{joint.label} has no start value '{key}'; it has {', '.join(known) or 'none'}")
        try:
            numbers = reals(value, joint.label, ModelError)
        except ModelError:
            numbers = np.full(1, np.nan)
        if numbers.shape != shapes[key] or not np.isfinite(numbers).all():
            wanted = f"{shapes[key][0]} finite numbers" if shapes[key] else "a finite number"
            raise ModelError(
                f"{joint.label}: the start value '{key}' must be {wanted}, got {shown(value)}{measured(value)}"
            )
    for motion in motions:
        if motion.name in start and (why := motion.refused(start[motion.name])):
            raise ModelError(f"{joint.label}: {why}")
