"""Dry friction, regularised: below a small sliding velocity it grows in proportion to that.

    F = −F_C tanh(s/v₀),   with static friction −(F_C + (F_S − F_C) exp(−(s/v_S)²)) tanh(s/v₀)

s is the sliding velocity, v₀ the velocity below which a contact "sticks" (it creeps).  Friction in a joint that depends
on its reactions is made of the joint's own multipliers: f depends on λ, as in mexx (1.1).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from dalembert.errors import ModelError
from dalembert.model.element import Element, Site
from dalembert.model.forces.laws import Law, Path, Sees
from dalembert.model.forces.springs import Scalar
from dalembert.model.joints import joints
from dalembert.model.quantity import Quantity
from dalembert.symbolic import absolute, exp, maximum, sqrt, tanh, where

#: squares below which a reaction or a velocity has no direction; keeps the derivative of its size finite at zero
_NOTHING = 1e-200


class Friction(Scalar):
    """Friction of a known size along a scalar."""

    kind = "friction"

    def __init__(
        self, name: str, path: Path, limit: Law, sees: Sees, velocity: Any, stiction: Law | None, stribeck: Any
    ) -> None:
        self.limit, self.stiction, self.sees = limit, stiction, sees
        data = {"velocity": velocity, **limit.data("limit")}
        if stiction is not None:
            data |= {"stribeck": stribeck, **stiction.data("stiction")}
        super().__init__(
            name, path, markers=(*path.markers, *sees.markers.values()),
            coordinates=(*path.coordinates, *sees.coordinates.values()), data=data,
            variant=(path.kind, limit.variant, stiction is not None and (stiction.variant, 1), sees.variant),
        )  # fmt: skip

    def force_at(self, at: Site) -> Any:
        """The force or torque in the direction of the scalar."""
        x, rate = self.along(at)
        values = {self.argument: x, "rate": rate, "speed": absolute(rate), **self.sees.values(at)}
        size = self.limit.value(at, "limit", values)
        if self.stiction is not None:
            fade = rate / at.data.stribeck
            size = size + (self.stiction.value(at, "stiction", values) - size) * exp(-fade * fade)
        return -size * tanh(rate / at.data.velocity)

    def powers(self, at: Site) -> list[tuple[Any, Any]]:
        return [(self.force_at(at), self.along(at)[1])]


def sliding(speeds: Sequence[Any], velocity: Any) -> list[Any]:
    """Components of the direction of sliding, times tanh(|s|/v₀); smooth through s = 0."""
    if len(speeds) == 1:
        return [tanh(speeds[0] / velocity)]
    parts = [speed / velocity for speed in speeds]
    # Below 1e-8 of the regularisation, tanh(s)/s is one to all digits.
    size = sqrt(maximum(sum(part * part for part in parts), 1e-16))
    factor = tanh(size) / size
    return [factor * part for part in parts]


def size_of(parts: Sequence[Any]) -> Any:
    """Length of a force or velocity; its derivative at zero is taken as zero."""
    if len(parts) == 1:
        return absolute(parts[0])
    return sqrt(maximum(sum(part * part for part in parts), _NOTHING))


class JointFriction:
    """Friction in a joint in proportion to its own reactions; see :meth:`Model.friction`."""

    #: joints that it knows, and the data that each needs and may have
    KINDS: Mapping[type, tuple[tuple[str, ...], tuple[str, ...]]] = {
        joints.Revolute: (("radius",), ("thrust_radius",)),
        joints.Prismatic: ((), ("length",)),
        joints.Cylindrical: (("radius",), ("length",)),
        joints.Spherical: (("radius",), ()),
        joints.Planar: ((), ()),
    }

    def __init__(self, name: str, joint: joints.Joint, mu: Law, data: Mapping[str, Any]) -> None:
        where = f"friction '{name}'"
        needed, optional = self.KINDS.get(type(joint), ((), ()))
        if type(joint) not in self.KINDS or (joint.planar and isinstance(joint, joints.Planar)):
            listed = ", ".join(kind.__name__.lower() for kind in self.KINDS)
            raise ModelError(
                f"{where}: {joint.label} has no friction by its reactions; joints that have are {listed}. Elsewhere "
                "give limit=, which may be a law"
            )
        given = {key: value for key, value in data.items() if value is not None}
        for key in needed:
            if key not in given:
                raise ModelError(f"{where} in {joint.label} needs {key}=, in metres")
        if joint.planar:
            optional = tuple(key for key in optional if key != "thrust_radius")
        for key in given:
            if key not in ("velocity", *needed, *optional):
                raise ModelError(f"{where}: {key} has no meaning in a {'planar ' * joint.planar}{joint.kind}")
        if joint.friction is not None:
            raise ModelError(f"{where}: {joint.label} has friction '{joint.friction.name}' already")
        self.name, self.joint, self.mu, self.keys = name, joint, mu, tuple(given)
        joint.data |= mu.data("friction_mu") | {f"friction_{key}": value for key, value in given.items()}
        joint.friction = self
        joint.cut = True  # only constraints have multipliers

    def __repr__(self) -> str:
        return f"<JointFriction '{self.name}' in '{self.joint.name}'>"

    @property
    def variant(self) -> Hashable:
        """What its formulas depend on, besides the joint."""
        return self.keys, self.mu.variant

    def powers(self, joint: joints.Joint, at: Site) -> list[tuple[Any, Any]]:
        """Friction forces of a joint with their sliding velocities."""
        from dalembert.model.formulate.reactions import joint_wrench

        force, moment = joint_wrench(joint, at)
        given = {key: getattr(at.data, f"friction_{key}") for key in self.keys}
        normal, speeds, rates = _contact(joint, at, force, moment, given)
        directions = sliding(speeds, given["velocity"])
        mu = self.mu.value(at, "friction_mu", {"speed": size_of(speeds)})
        # With the power mu N s per direction: s = r w for turning, so that the torque is mu N r.
        return [
            (-mu * normal * direction * arm, rate) for direction, (arm, rate) in zip(directions, rates, strict=True)
        ]


def _contact(
    joint: joints.Joint, at: Site, force: Any, moment: Any, given: Mapping[str, Any]
) -> tuple[Any, list[Any], list[tuple[Any, Any]]]:
    """Normal force, sliding velocities, and for each of these its lever arm and rate."""
    A, B = at.frames

    def rate(label: str) -> Any:
        return joint.relative_motion(label, A, B, at.data)[1]

    if isinstance(joint, joints.Revolute):
        turning, radius = rate("angle"), given["radius"]
        normal = size_of(force[:2])
        if "thrust_radius" in given:
            normal = normal + given["thrust_radius"] / radius * size_of(force[2:])
        return normal, [radius * turning], [(radius, turning)]
    if isinstance(joint, joints.Spherical):
        w, radius = A.turning_of(B).components(A.base), given["radius"]
        return size_of(force), [radius * one for one in w], [(radius, one) for one in w]
    if isinstance(joint, joints.Planar):
        v = [rate("x"), rate("y")]
        return size_of(force[2:]), v, [(1.0, one) for one in v]
    across = [force[1]] if at.planar else [force[0], force[1]]
    tilting = [moment[2]] if at.planar else [moment[0], moment[1]]
    normal = size_of(across)
    if "length" in given:
        # A tilting moment is borne by two opposite forces at the ends of the guide.
        normal = normal + 2.0 / given["length"] * size_of(tilting)
    along = rate("displacement")
    if isinstance(joint, joints.Prismatic):
        return normal, [along], [(1.0, along)]
    turning, radius = rate("angle"), given["radius"]
    return normal, [along, radius * turning], [(1.0, along), (radius, turning)]


def unilateral(depth: Any, rate: Any, stiffness: Any, damping: Any) -> Any:
    """A spring and damper that push and never pull, and only while they are compressed."""
    return where(depth > 0.0, maximum(stiffness * depth + damping * rate, 0.0), 0.0)


class Contact(Element):
    """A ball, or a point, against the half space below the xy plane of a marker; below the x axis in the plane."""

    kind = "contact"

    def __init__(self, name: str, ball: Any, plane: Any, data: dict[str, Any], mu: Law | None) -> None:
        self.mu = mu
        own = {} if mu is None else mu.data("mu")
        super().__init__(name, (ball, plane), data=data | own, variant=(mu is not None and (mu.variant, 1),))

    def _touching(self, at: Site) -> tuple[Any, Any, list[Any]]:
        """Normal force, velocity along the normal, and sliding velocities of the ball's lowest point."""
        ball, plane = at.frames
        normal = plane.y if at.planar else plane.z
        depth = at.data.radius - plane.to(ball).dot(normal)
        v = plane.velocity_of(ball)
        lowest = v - (ball.angular_velocity - plane.angular_velocity).cross(at.data.radius * normal)
        slides = [plane.x] if at.planar else [plane.x, plane.y]
        size = unilateral(depth, -v.dot(normal), at.data.stiffness, at.data.damping)
        return size, v.dot(normal), [lowest.dot(axis) for axis in slides]

    @property
    def force(self) -> Quantity:
        """The normal force, for sensors."""
        return self.measured(self._touching, f"force of {self.name}", 0)

    def powers(self, at: Site) -> list[tuple[Any, Any]]:
        size, normal_speed, speeds = self._touching(at)
        pairs: list[tuple[Any, Any]] = [(size, normal_speed)]
        if self.mu is not None:
            mu = self.mu.value(at, "mu", {"speed": size_of(speeds)})
            directions = sliding(speeds, at.data.velocity)
            pairs += [(-mu * size * direction, speed) for direction, speed in zip(directions, speeds, strict=True)]
        return pairs

    def potential(self, at: Site) -> Any:
        """Of the spring; friction and damping have none."""
        ball, plane = at.frames
        normal = plane.y if at.planar else plane.z
        depth = maximum(at.data.radius - plane.to(ball).dot(normal), 0.0)
        return 0.5 * at.data.stiffness * depth * depth
