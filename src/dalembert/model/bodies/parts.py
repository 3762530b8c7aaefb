"""What all bodies have in common, and markers: frames on bodies."""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.arguments import instance, listed, measured, real, reals, shown, text
from dalembert.errors import ModelError
from dalembert.model.bodies.orientation import angle_of, rotation_given
from dalembert.model.frames import Frame, Place, atoms_or_numbers, entry_is, objects_of
from dalembert.model.quantity import Quantity
from dalembert.symbolic import Atom, array, zeros
from dalembert.symbolic.mechanics import acceleration

if TYPE_CHECKING:
    from dalembert.equations.contract.guards import Guard
    from dalembert.model.description import Description
    from dalembert.model.element import Element
    from dalembert.model.formulate.scene import Scene


class Marker:
    """A frame on a body: a point, and axes for what has a direction.

    ``position``, ``velocity`` and ``acceleration`` are quantities in the axes of the world.
    """

    def __init__(self, body: Body, r: Any, R: Any, turn: Any = None, node: Hashable = None) -> None:
        where = f"marker on '{instance(body, Body, 'Marker: body', ModelError).name}'"
        if not isinstance(r, np.ndarray) or r.shape != (3,):
            r = components(r, (3,), f"{where}: r")
        if not isinstance(R, np.ndarray) or R.shape != (3, 3):
            R = rotation_given(R, None, None, f"{where}: R")
        self.body, self.r, self.R = body, r, R
        #: in the plane, angle of the axes from those of the body, with its turns
        self.turn = turn if turn is not None else angle_of(R) if body.model.planar else 0.0
        #: what moves the marker besides the body frame, if there is anything: a node of a flexible body
        self.node = node

    def __repr__(self) -> str:
        return f"<Marker on '{self.body.name}' at {np.asarray(self.r).tolist()}>"

    @property
    def deforms(self) -> bool:
        """Whether deformations of its body move or turn it."""
        return bool(getattr(self.node, "moves", False) or getattr(self.node, "turns", False))

    def _measured(self, what: str, labels: Sequence[str] = (), *, of: Callable[[Frame], Any] | None = None) -> Quantity:
        """An attribute of the frame, or a function ``of`` it; of vectors the components that a user sees."""
        return Quantity(
            partial(_of_frame, self, of or _attribute(what), len(labels)),
            f"{what} on {self.body.name}",
            labels,
            axes=self.body.model.ground.origin if labels else None,
        )

    @property
    def position(self) -> Quantity:
        """Place in the world."""
        return self._measured("position", self.body.model.labels)

    @property
    def velocity(self) -> Quantity:
        """Velocity in the axes of the world."""
        return self._measured("velocity", self.body.model.labels, of=_velocity)

    @property
    def acceleration(self) -> Quantity:
        """Acceleration in the axes of the world."""
        return self._measured("acceleration", self.body.model.labels, of=_acceleration)

    @property
    def rotation(self) -> Quantity:
        """Rotation matrix: the axes of the frame as columns, in the axes of the world."""
        return self._measured("rotation")

    @property
    def angular_velocity(self) -> Quantity:
        """Angular velocity: a number in the plane, in space three components in the axes of the frame."""
        return self.body._angular_velocity(self)

    @property
    def angle(self) -> Quantity:
        """In the plane: the angle of the x axis, which counts turns."""
        if not self.body.model.planar:
            raise ModelError(f"{self!r}: a frame in space has no angle; use rotation, or the angle of a joint")
        return self._measured("angle")


@cache
def _attribute(what: str) -> Callable[[Frame], Any]:
    """One function for each attribute, so that the same quantities are made of the same."""
    return operator.attrgetter(what)


def _of_frame(marker: Marker, of: Callable[[Frame], Any], size: int, scene: Scene) -> Any:
    """A function of the frame of a marker; of a vector its first components."""
    found = of(scene.frame(marker))
    return found[:size] if size else found


def _velocity(frame: Frame) -> Any:
    return frame.velocity.components(frame.world)


def _acceleration(frame: Frame) -> Any:
    return acceleration(frame.point).components(frame.world)


def _angular_velocity(frame: Frame) -> Any:
    return array(frame.angular_velocity.components(frame.base))


def _spin(frame: Frame) -> Any:
    return _angular_velocity(frame)[2]


#: forces and velocities, moments and angular velocities, or scalars, whose products are powers
Pairs = list[tuple[Any, Any]]


class Body:
    """Something that has a frame, and markers in it; rigid ones are made by :meth:`Model.body`.

    A subclass says how its markers stand in its frame, and how it resists and what it stores, in the symbols of a
    scene.  This one moves with its frame and has no mass.  ``modes`` are coordinates of its own, besides those of its
    frame: amplitudes of deformations, for example, whose rates are its own velocities.
    """

    is_ground = False
    #: whether the algorithms for trees of rigid bodies may use ``properties``
    is_rigid = False
    #: whether it is a :class:`FlexibleBody`, which models without one do not wait for
    is_flexible = False
    #: whether its matrices are too large to stand in formulas number by number
    by_arrays = False
    #: names of its own coordinates
    modes: tuple[str, ...] = ()
    #: what makes a difference to the formulas of two bodies of one class, besides the numbers in ``data``
    variant: Hashable = ()

    def __init__(
        self,
        model: Description,
        name: str,
        *,
        shapes: Sequence[Any] = (),
        position: Any = None,
        rotation: Any = None,
        velocity: Any = None,
        angular_velocity: Any = None,
        angle: float | None = None,
    ) -> None:
        if not hasattr(model, "whole"):
            raise ModelError(f"Body: model must be a Model, got {shown(model)}")
        where = f"body '{text(name, 'Body: name', ModelError)}'"
        self.model, self.name, self.shapes = model, name, listed(shapes, f"{where}: shapes", ModelError)
        given = {"position": position, "velocity": velocity, "angular velocity": angular_velocity}
        for key, vector in given.items():
            if vector is not None:
                components(vector, (3,), f"{where}: {key}")
        if rotation is not None:
            rotation_given(rotation, None, None, where)
        angle = None if angle is None else real(angle, f"{where}: angle", ModelError)
        #: placement of the body frame at the start, as far as it is given
        self.start_position, self.start_rotation = position, rotation
        self.start_angle = angle
        self.start_velocity, self.start_angular_velocity = velocity, angular_velocity

    def __repr__(self) -> str:
        return f"<Body '{self.name}'>"

    @property
    def reference(self) -> Any:
        """The point of the body frame whose place is among the coordinates, where nothing carries the body."""
        return np.zeros(3)

    @property
    def data(self) -> Mapping[str, Any]:
        """Numbers that may differ between bodies with the same formulas."""
        return {}

    def alike(self, model: Description, name: str, data: Mapping[str, Any]) -> Body:
        """A body with the same formulas in another model, whose frame stands at the reference; ``data`` may be missing
        where only its markers are asked for."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------------- in a scene

    def place_of(self, scene: Scene, marker: Marker) -> Place:
        """A frame that moves with a marker, and where the marker stands in it."""
        place = scene.place(self)
        R = atoms_or_numbers(place.R @ scene.number(marker.R))
        r = atoms_or_numbers(place.R @ scene.number(marker.r) + place.r)
        angle = None if place.angle is None else place.angle + scene.number(marker.turn)
        return Place(place.base, place.point, R, r, angle)

    def place_from(self, scene: Scene, marker: Marker, frame: Frame) -> Place:
        """Where the body is, one of whose markers stands at a frame."""
        R = scene.number(marker.R).T
        angle = None if frame.angle is None else frame.angle - scene.number(marker.turn)
        return Place(frame.base, frame.point, R, -(R @ scene.number(marker.r)), angle)

    def frame_at(self, scene: Scene, marker: Marker) -> Frame:
        """Where a marker is."""
        return self.place_of(scene, marker).frame(self.name)

    def inertia_pairs(self, scene: Scene) -> Pairs:
        """Forces and moments of inertia together with the weight, and the velocities that they meet."""
        return []

    def powers(self, scene: Scene) -> Pairs:
        """Forces inside of the body, such as those that resist a deformation, and the velocities that they meet."""
        return []

    def remarks(self, elements: Sequence[Element]) -> list[str]:
        """What to know about the elements that act on this body."""
        return []

    def guards(self, scene: Scene) -> list[Guard]:
        """Conditions under which its formulas hold."""
        return []

    def kinetic_energy_at(self, scene: Scene) -> Any:
        """Kinetic energy."""
        return 0.0

    def potential_energy_at(self, scene: Scene) -> Any:
        """Of the weight, and of what the body stores."""
        return 0.0

    def momentum_at(self, scene: Scene) -> tuple[Any, Any]:
        """Momentum, and angular momentum about the origin of the world, in its axes."""
        return zeros((3,)), zeros((3,))

    # ------------------------------------------------------------------------------------- markers and quantities

    def at(self, *position: Any, rotation: Any = None, angle: Any = None, axis: Any = None) -> Marker:
        """A marker on this body: a point, ``at(x, y)`` or ``at(x, y, z)`` in the body frame.

        :param rotation: of the marker's axes relative to those of the body: a matrix or Euler parameters
        :param angle: the same as an angle about z
        :param axis: direction of the marker's z axis, which joints turn about and slide along; in the plane that of its
            x axis, two numbers or a letter
        """
        where = f"marker on '{self.name}'"
        if self.model.planar and axis is not None and rotation is None and angle is None:
            axis, angle = None, self.model.plane_angle(axis, where)
        single = len(position) == 1 and isinstance(position[0], (list, tuple, np.ndarray))
        r = self.model.vector(position[0] if single else position, where)
        R = rotation_given(rotation, angle, axis, where)
        if self.model.planar and not entry_is(R[2][2], 1.0):
            raise ModelError(f"{where}: the rotation leaves the plane; give an angle instead")
        return Marker(self, r, R, angle)

    @property
    def origin(self) -> Marker:
        """The body frame itself."""
        return Marker(self, np.zeros(3), np.eye(3))

    @property
    def position(self) -> Quantity:
        """Of the origin of the body frame."""
        return self.origin.position

    @property
    def velocity(self) -> Quantity:
        """Of the origin of the body frame."""
        return self.origin.velocity

    @property
    def acceleration(self) -> Quantity:
        """Of the origin of the body frame; that of the centre of mass is ``com.acceleration``."""
        return self.origin.acceleration

    @property
    def rotation(self) -> Quantity:
        """Rotation matrix of the body frame."""
        return self.origin.rotation

    @property
    def angle(self) -> Quantity:
        """In the plane: angle of the body frame."""
        return self.origin.angle

    @property
    def angular_velocity(self) -> Quantity:
        """A number in the plane; in space three components in the body frame."""
        return self.origin.angular_velocity

    def _angular_velocity(self, marker: Marker) -> Quantity:
        of, labels = (_spin, ()) if self.model.planar else (_angular_velocity, ("x", "y", "z"))
        return Quantity(partial(_of_frame, marker, of, len(labels)), f"angular velocity of {self.name}", labels)

    @property
    def kinetic_energy(self) -> Quantity:
        """Kinetic energy."""
        return Quantity(self.kinetic_energy_at, f"kinetic energy of {self.name}")


def of_another_model(body: Body, model: Description) -> str:
    """What is told of a body that is none of a model's."""
    other, here = body.model.name, model.name
    whose = f"another copy of the model '{here}'" if other == here else f"the model '{other}', not to '{here}'"
    return f"'{body.name}' belongs to {whose}"


def components(values: Any, sizes: Sequence[int], where: str) -> Any:
    """Some numbers or atoms as an array, or an error that says how many are needed."""
    try:
        items = objects_of(values, where)
        items = array(items) if any(isinstance(item, Atom) for item in items.flat) else reals(items, where, ModelError)
    except Exception:  # of entries that are no numbers
        items = np.zeros(0)
    if items.ndim != 1 or len(items) not in sizes:
        wanted = " or ".join(str(size) for size in sizes)
        raise ModelError(f"{where}: {wanted} numbers are needed, got {shown(values)}{measured(values)}")
    if items.dtype == float and not np.isfinite(items).all():
        raise ModelError(f"{where}: all numbers must be finite, got {shown(values)}")
    return items
