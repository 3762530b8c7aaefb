"""Rigid bodies, and the ground."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.errors import ModelError
from dalembert.model.bodies.inertia import MassProperties
from dalembert.model.bodies.parts import Body, Marker, Pairs
from dalembert.model.frames import Frame, atoms_or_numbers, fixed_frame, is_identity
from dalembert.symbolic import Atom, array
from dalembert.symbolic.mechanics import rigid_body_inertia_forces

if TYPE_CHECKING:
    from dalembert.model.description import Description
    from dalembert.model.formulate.scene import Scene


class Ground(Body):
    """The body that does not move, and has neither coordinates nor mass."""

    is_ground = True

    def alike(self, model: Description, name: str, data: Mapping[str, Any]) -> Ground:
        return self


class RigidBody(Body):
    """A rigid body; made by :meth:`Model.body`."""

    is_rigid = True

    def __init__(self, model: Description, name: str, properties: MassProperties, **options: Any) -> None:
        super().__init__(model, name, **options)
        #: mass, centre of mass and inertia about it
        self.properties = properties

    @property
    def reference(self) -> Any:
        """The centre of mass: the mass matrix of its pose is constant."""
        return self.properties.com

    @property
    def data(self) -> Mapping[str, Any]:
        return {"m": self.properties.mass, "I": self.properties.inertia}

    def alike(self, model: Description, name: str, data: Mapping[str, Any]) -> RigidBody:
        tensor = data.get("I", np.eye(3))
        inertia = tensor if any(isinstance(item, Atom) for item in tensor.flat) else tensor.astype(float)
        return RigidBody(model, name, MassProperties._made(data.get("m", 1.0), np.zeros(3), inertia))

    @property
    def mass(self) -> Any:
        """Mass; a number that is to be changed later is a parameter, ``mass=m.p.load``."""
        return self.properties.mass

    @mass.setter
    def mass(self, value: Any) -> None:
        raise ModelError(
            f"body '{self.name}': a mass is given when the body is made; one that changes is a parameter: "
            "m.parameters(load=…), mass=m.p.load"
        )

    @property
    def com(self) -> Marker:
        """The centre of mass, with the axes of the body frame."""
        return Marker(self, self.properties.com, np.eye(3))

    # ------------------------------------------------------------------------------------------------- in a scene

    def inertia_at(self, scene: Scene) -> tuple[Any, Any, Any]:
        """Mass, and centre of mass and inertia about it, in the frame that moves with the body."""
        place, properties = scene.place(self), self.properties
        R, tensor = place.R, scene.number(properties.inertia)
        com = atoms_or_numbers(R @ scene.number(properties.com) + place.r)
        return scene.number(properties.mass), com, tensor if is_identity(R) else atoms_or_numbers(R @ tensor @ R.T)

    def centre_at(self, scene: Scene) -> tuple[Any, Frame, Any]:
        """Mass, frame at the centre of mass, and inertia in its axes."""
        place = scene.place(self)
        mass, com, tensor = self.inertia_at(scene)
        home = Frame(place.base, place.point, place.angle)
        return mass, fixed_frame(home, np.eye(3), com, f"{self.name}.com"), tensor

    def inertia_pairs(self, scene: Scene) -> Pairs:
        mass, frame, tensor = self.centre_at(scene)
        gravity = scene.world.vector(*scene.gravity)
        force, moment = rigid_body_inertia_forces(mass, frame.point, frame.base.tensor(tensor), gravity=gravity)
        return [(force, frame.velocity), (moment, frame.angular_velocity)]

    def kinetic_energy_at(self, scene: Scene) -> Any:
        """½ m v² + ½ w·I w."""
        mass, frame, tensor = self.centre_at(scene)
        v, w = frame.velocity, frame.angular_velocity.components(frame.base)
        return 0.5 * mass * v.dot(v) + 0.5 * (w @ (array(tensor) @ w))

    def potential_energy_at(self, scene: Scene) -> Any:
        mass, frame, _ = self.centre_at(scene)
        return -mass * (array(scene.gravity) @ frame.position)

    def momentum_at(self, scene: Scene) -> tuple[Any, Any]:
        mass, frame, tensor = self.centre_at(scene)
        p = mass * frame.velocity
        w = frame.angular_velocity.components(frame.base)
        spin = frame.base.vector(*(array(tensor) @ w)) + scene.world.vector(*frame.position).cross(p)
        return p.components(scene.world), spin.components(scene.world)
