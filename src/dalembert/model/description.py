"""What every model has: bodies, elements, parameters, and names that are used once."""

from __future__ import annotations

import copy
import operator
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self, TypeVar

import numpy as np

from dalembert.arguments import instance, is_writable, one_of, real, reals, shown, text
from dalembert.equations.builders.trace import named_arguments
from dalembert.equations.contract.pickling import check_picklable
from dalembert.errors import EquationsError, ModelError, suggestion
from dalembert.model.bodies.inertia import UNPHYSICAL, MassProperties, compound
from dalembert.model.bodies.orientation import rotation_given
from dalembert.model.bodies.parts import Body, Marker, components, of_another_model
from dalembert.model.bodies.rigid import Ground, RigidBody
from dalembert.model.constraints.drives import Prescription
from dalembert.model.element import Element
from dalembert.model.forces.laws import input_function, not_by_name
from dalembert.model.frames import entry_is
from dalembert.model.joints.joints import Joint, JointCoordinate
from dalembert.model.quantity import Quantity, listed
from dalembert.symbolic import Atom, Graph, array

_PLANES = ("xy", "xz", "yz")
E = TypeVar("E", bound=Element)
B = TypeVar("B", bound=Body)


#: Words of others for what builders make.
_CALLED_HERE = {
    "hinge": "revolute", "pin": "revolute", "slider": "prismatic", "ball": "spherical", "ball_joint": "spherical",
    "link": "body", "rigid_body": "body", "motor": "torque", "damper": "spring", "rod": "distance",
    "motion": "drive", "stop": "limit", "measure": "sensor",
}  # fmt: skip


class ParameterNames:
    """Parameters of a model as symbols: ``m.p.length`` may stand wherever a number may."""

    def __init__(self, model: Description) -> None:
        self._model = model

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_model":  # asked for when a model is copied, before there is anything
            raise AttributeError(name)
        model: Description = self._model
        if name not in model.parameter_values:
            raise AttributeError(
                f"'{model.name}' has no parameter '{name}'; {suggestion(name, model.parameter_values)}. "
                f"Declare it first: m.parameters({name}=…)"
            )
        return model.parameter_symbol(name)


class Description:
    """Bodies, joints, forces and sensors under names, edited freely until equations are made of them."""

    def __init__(self, name: str, *, plane: str | None = None, gravity: Any = None, unphysical: str = "auto") -> None:
        if not isinstance(name, str) or not name or not is_writable(name):
            raise ModelError(f"a model needs a name, got {shown(name)}")
        if plane is not None and (not isinstance(plane, str) or plane not in _PLANES):
            raise ModelError(
                f"'{name}': plane must be one of {', '.join(_PLANES)}, or None for space; got {shown(plane)}"
            )
        one_of(unphysical, UNPHYSICAL, f"'{name}': unphysical", ModelError)
        self.name, self.plane, self.unphysical = name, plane, unphysical
        self.planar = plane is not None
        #: names of the components of vectors
        self.labels: tuple[str, ...] = tuple(plane) if plane else ("x", "y", "z")
        self.bodies: list[Body] = []
        self.elements: list[Element] = []
        self.sensors: dict[str, Quantity] = {}
        self.parameter_values: dict[str, Any] = {}
        self.inputs: dict[str, Callable[..., Any]] = {}
        self.parameter_graph = Graph()
        self.p = ParameterNames(self)
        #: calls of builders by the names that they were given, for model files; whether one is at work
        self.calls: dict[str, Any] = {}
        self.building = False
        self._names: dict[str, str] = {}
        self.ground: Body = Ground(self, "ground")
        self._names["ground"] = "the ground"
        self.gravity = np.zeros(3) if gravity is None else self.vector(gravity, f"gravity of '{name}'")

    @property
    def gravity(self) -> Any:
        """Acceleration of gravity, three components; given as two in the plane."""
        return self._gravity

    @gravity.setter
    def gravity(self, value: Any) -> None:
        where = f"gravity of '{self.name}'"
        within = self.planar and np.shape(value) == (3,) and entry_is(value[2], 0.0)  # as vector() gives it
        self._gravity = components(value, (3,), where) if within else self.vector(value, where)

    #: the model that this one was frozen from
    _source: Description | None = None

    @property
    def whole(self) -> Description:
        """The model that bodies belong to: this one itself, unless it was frozen.  Types of elements are formulated on
        little models, parts of a whole."""
        return self if self._source is None else self._source

    def frozen(self) -> Self:
        """The model as it is now, for equations: what is added or changed later does not reach it."""
        return self if self._source is not None else self.frozen_anew()

    def frozen_anew(self) -> Self:
        """A frozen model of its own, also of one that is frozen."""
        now = type(self).__new__(type(self))
        now.__dict__.update(self.__dict__)
        now._source = self.whole
        now.bodies, now.elements = list(self.bodies), list(self.elements)
        now.sensors, now.inputs, now.calls = dict(self.sensors), dict(self.inputs), dict(self.calls)
        now.parameter_values = copy.deepcopy(self.parameter_values)
        return now

    def __getstate__(self) -> Any:
        parts = {
            **{f"body '{body.name}'": body for body in self.bodies},
            **{element.label: element for element in self.elements},
            **{f"sensor '{name}'": quantity for name, quantity in self.sensors.items()},
            **{f"input '{name}'": function for name, function in self.inputs.items()},
        }
        for label, part in parts.items():
            check_picklable(part, f"{label} of '{self.name}'", ModelError, apart=(Description, Body, Element, Graph))
        return self.__dict__

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        # Functions need not be found by their names here, as in a pickle.
        other = type(self).__new__(type(self))
        memo[id(self)] = other
        other.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return other

    def __copy__(self) -> Self:
        return copy.deepcopy(self)  # bodies belong to one model

    def __repr__(self) -> str:
        others = len(self.elements) - len(self.joints)
        return f"<Model '{self.name}': {len(self.bodies)} bodies, {len(self.joints)} joints, {others} other elements>"

    @property
    def joints(self) -> list[Joint]:
        """All joints."""
        return [element for element in self.elements if isinstance(element, Joint)]

    @property
    def prescribed_motions(self) -> dict[str, int]:
        """How many motions of joints, by their names, are functions of time."""
        return Counter(one.coordinates[0].joint.name for one in self.elements if isinstance(one, Prescription))

    def __getitem__(self, name: str) -> Any:
        """A body, joint, force or sensor by its name."""
        text(name, f"'{self.name}': a name", ModelError)
        items: list[Any] = [self.ground, *self.bodies, *self.elements]
        for item in items:
            if item.name == name:
                return item
        if name in self.sensors:
            return self.sensors[name]
        raise ModelError(f"'{self.name}' has nothing called '{name}'; {suggestion(str(name), self._names)}")

    # --------------------------------------------------------------------------------------- names and numbers

    def claim(self, name: str, what: str) -> str:
        """A name that nothing else has."""
        if not isinstance(name, str) or not name or "." in name or not is_writable(name):
            raise ModelError(f"'{self.name}': {what} needs a name without dots, got {shown(name)}")
        if name in self._names:
            raise ModelError(
                f"'{self.name}': the name '{name}' is used twice, for {self._names[name]} and now for {what}; "
                "choose another"
            )
        self._names[name] = what
        return name

    def vector(self, values: Any, where: str) -> Any:
        """Three components from those that a user gives: two in the plane."""
        try:
            listed_ones = self.planar and np.ndim(values) == 1
        except ValueError:  # of rows of unequal lengths
            listed_ones = False
        if listed_ones and len(values) == 3:
            raise ModelError(f"{where}: this model is in the plane, with two components, {self.labels[0]} and "
                             f"{self.labels[1]}; got {shown(values)}")  # fmt: skip
        items = components(values, (2,) if self.planar else (3,), where)
        if not self.planar:
            return items
        return np.array([*items, 0.0]) if items.dtype == float else array([*items, 0.0])

    def plane_angle(self, axis: Any, where: str) -> float:
        """Angle of a direction in the plane: two numbers, or the letter of one of its axes."""
        if isinstance(axis, str) and axis.lstrip("-") in self.labels:
            sign = -1.0 if axis.startswith("-") else 1.0
            axis = [sign * float(label == axis.lstrip("-")) for label in self.labels]
        try:
            direction = reals(axis, where, ModelError)
        except ModelError:
            direction = np.zeros(0)
        size = float(np.hypot(*direction)) if direction.shape == (2,) else 0.0
        if not 0.0 < size < np.inf:
            first, second = self.labels
            raise ModelError(
                f"{where}: an axis in the plane must be two numbers, not both zero, or '{first}', '{second}'; "
                f"got {shown(axis)}"
            )
        return float(np.arctan2(direction[1], direction[0]))

    def in_plane(self, vector: Any) -> Any:
        """The components that a user sees."""
        if not isinstance(vector, (list, tuple)) and not (isinstance(vector, np.ndarray) and vector.ndim):
            raise ModelError(f"'{self.name}': a vector must have components, got {shown(vector)}")
        return vector[:2] if self.planar else vector

    def parameters(self, **values: Any) -> ParameterNames:
        """Declare parameters, or change their values: numbers or arrays that a run may override without compiling
        anything again.

        Functions of the user receive them as ``p``; ``m.p.name`` is the symbol.
        """
        for key, value in values.items():
            if not key.isidentifier():
                raise ModelError(f"'{self.name}': a parameter is called p.{key} in laws, which '{key}' cannot be")
            numbers = reals(value, f"'{self.name}': parameter '{key}'", ModelError)
            if not np.isfinite(numbers).all():
                raise ModelError(f"'{self.name}': parameter '{key}' is not finite: {shown(value)}")
            known = self.parameter_values.get(key)
            if known is not None and np.shape(known) != numbers.shape:
                raise ModelError(
                    f"'{self.name}': parameter '{key}' has the shape {np.shape(known)} already, got {numbers.shape}"
                )
            self.parameter_values[key] = float(numbers) if numbers.shape == () else numbers
        return self.p

    def input(self, name: str, function: Callable[..., Any] | Any, *more: Any) -> Quantity:
        """An excitation: a function of ``t`` (and ``p``), or a table (t, values), which laws receive as ``w.name``; it
        is given back as a quantity."""
        if more:
            raise ModelError(f"'{self.name}': input {shown(name)}: a table is one argument, the pair (t, values)")
        found = input_function(function, f"'{self.name}': input {shown(name)}")
        if not isinstance(name, str) or not name.isidentifier() or not callable(found):
            raise ModelError(
                f"'{self.name}': input {shown(name)} needs a name that is an identifier, and a function of t or a "
                f"table (t, values); got {shown(function)}"
            )
        try:
            named_arguments(f"'{self.name}': input '{name}'", found, {"t": 0.0, "p": 0.0})
        except EquationsError as error:
            raise ModelError(str(error)) from None
        self.claim(name, f"input '{name}'")
        self.inputs[name] = found
        return Quantity(operator.attrgetter(f"w.{name}"), f"input {name}")

    def parameter_symbol(self, name: str) -> Any:
        """Atoms of a parameter, named as in the equations."""
        shape = np.shape(self.parameter_values[name])
        if shape == ():
            return self.parameter_graph.parameter(f"p.{name}")
        listed = [self.parameter_graph.parameter(f"p.{name}{list(at)}") for at in np.ndindex(shape)]
        return array(listed).reshape(shape)

    def parameter_numbers(self, values: Mapping[str, Any]) -> dict[Atom, float]:
        """Values of the symbols that the description uses."""
        found = {}
        for name, value in values.items():
            for at in np.ndindex(np.shape(value)):
                symbol = f"p.{name}" + (str(list(at)) if at else "")
                if symbol in self.parameter_graph:
                    found[self.parameter_graph[symbol]] = float(np.asarray(value)[at])
        return found

    # ------------------------------------------------------------------------------------------------- content

    def body(
        self,
        name: str,
        mass: Any = None,
        inertia: Any = None,
        com: Any = None,
        *,
        about: Any = None,
        shapes: Sequence[Any] = (),
        density: float | None = None,
        position: Any = None,
        rotation: Any = None,
        angle: Any = None,
        velocity: Any = None,
        angular_velocity: Any = None,
        unphysical: str | None = None,
    ) -> RigidBody:
        """A rigid body.

        :param mass: in kg; ``inertia``: about the centre of mass unless ``about`` names another point; in the plane
            a number, in space three principal moments, six numbers or a matrix
        :param com: centre of mass in the body frame, its origin unless given
        :param shapes: for drawing; with ``density`` and without mass they also give mass, centre and inertia
        :param position: of the body frame at the start, with ``rotation`` (or ``angle``), ``velocity`` of its origin
            and ``angular_velocity`` in its axes; left away where joints say it.  A velocity counts without a position
            too, as nearly as joints allow it
        :param unphysical: what is done with an inertia that no body can have, instead of what the model says: "refuse"
            it; "warn" and keep it; "project" it onto the nearest one that a body can have, with a warning; "auto":
            project what the digits of a file may have done, and refuse the rest
        """
        where = f"body {shown(name)}"
        drawn = tuple(shapes) if isinstance(shapes, (list, tuple)) else (shapes,)
        if mass is None:
            properties = _of_shapes(drawn, density, where)
        else:
            properties = self._mass_properties(
                name, mass, inertia, com, about, self.unphysical if unphysical is None else unphysical
            )
        start = self._body_options(where, drawn, position, rotation, angle, velocity, angular_velocity)
        return self.add_body(RigidBody(self, name, properties, **start))

    def _body_options(
        self, where: str, shapes: Any, position: Any, rotation: Any, angle: Any, velocity: Any, angular_velocity: Any
    ) -> dict[str, Any]:
        """What a body of any kind is told of its shapes and its start."""
        drawn = tuple(shapes) if isinstance(shapes, (list, tuple)) else (shapes,)
        if drawn:
            from dalembert.model.bodies.shapes import Shape

            for shape in drawn:
                instance(shape, Shape, f"{where}: shapes", ModelError, "such as Box(…)")
        r, R = self._placement(position, rotation, angle, where)
        return {
            "shapes": drawn,
            "position": r,
            "rotation": R,
            "velocity": None if velocity is None else self.vector(velocity, f"{where}: velocity"),
            "angular_velocity": self._spin(angular_velocity, where),
            "angle": None if angle is None or isinstance(angle, Atom) else real(angle, f"{where}: angle", ModelError),
        }

    def add_body(self, body: B) -> B:
        """A body, which may be of a class of your own (:class:`Body`)."""
        instance(body, Body, f"'{self.name}': body", ModelError)
        if body.model is not self:
            raise ModelError(f"body {of_another_model(body, self)}")
        self.claim(body.name, f"body '{body.name}'")  # last, so that what is wrong can be mended and given again
        self.bodies.append(body)
        return body

    def _mass_properties(
        self, name: str, mass: Any, inertia: Any, com: Any, about: Any, unphysical: str
    ) -> MassProperties:
        """Mass, centre and inertia of a body as they are given."""
        if self.planar and (isinstance(inertia, (list, tuple)) or (isinstance(inertia, np.ndarray) and inertia.ndim)):
            raise ModelError(
                f"body {shown(name)}: in the plane inertia is one number, about the normal; got {shown(inertia)}"
            )
        if com is not None and self.planar:
            self.vector(com, f"body '{name}': com")
        place = (0.0, 0.0, 0.0)[: 2 if self.planar else 3] if com is None else com
        return MassProperties(mass, place, inertia, about=about, planar=self.planar, body=name, unphysical=unphysical)

    def _placement(self, position: Any, rotation: Any, angle: Any, where: str) -> tuple[Any, Any]:
        """Place and rotation of a body frame at the start, as far as they are given."""
        r = None if position is None else self.vector(position, f"{where}: position")
        if angle is not None:
            components((angle,), (1,), f"{where}: angle")
        R = None if rotation is None and angle is None else rotation_given(rotation, angle, None, where)
        return np.zeros(3) if r is None and R is not None else r, R

    def _spin(self, angular_velocity: Any, where: str) -> Any:
        if angular_velocity is None:
            return None
        if self.planar:
            given = np.nan if isinstance(angular_velocity, (list, tuple, np.ndarray)) else angular_velocity
            return components((0.0, 0.0, given), (3,), f"{where}: angular velocity")
        return components(angular_velocity, (3,), f"{where}: angular velocity")

    def add(self, element: E) -> E:
        """An element: a joint, a constraint, a force, or one of a class of your own (:class:`Element`)."""
        instance(element, Element, f"'{self.name}': element", ModelError, "such as a joint or a force")
        for marker in element.markers:
            if not isinstance(marker, Marker):
                raise ModelError(f"{element.label}: a marker is needed, such as body.at(0, 0), got {shown(marker)}")
            if marker.body.model is not self:
                raise ModelError(f"{element.label}: {of_another_model(marker.body, self)}")
        for coordinate in element.coordinates:
            instance(coordinate, JointCoordinate, f"{element.label}: coordinates", ModelError, "such as joint.angle")
            if coordinate.joint not in self.elements and coordinate.joint is not element:
                raise ModelError(f"{element.label}: joint '{coordinate.joint.name}' belongs to another model")
        self.claim(element.name, element.label)
        self.elements.append(element)
        return element

    def sensor(self, name: str, quantity: Quantity | Sequence[Any]) -> Quantity:
        """Measure something: ``sol["name"]``, and ``sol["name.x"]`` for the components of a vector."""
        if isinstance(quantity, (list, tuple)):
            quantity = listed(quantity)
        if not isinstance(quantity, Quantity):
            raise ModelError(
                f"sensor {shown(name)} needs a quantity of the model, such as body.at(0, 0).position or joint.angle; "
                f"got {shown(quantity)}{not_by_name(quantity)}"
            )
        self.claim(name, f"sensor {shown(name)}")
        self.sensors[name] = quantity
        return quantity

    def __getattr__(self, name: str) -> Any:
        """What other packages call a joint or a force is answered with what it is called here."""
        if name.startswith("_"):
            raise AttributeError(name)
        known = [one for one in dir(type(self)) if not one.startswith("_")]
        meant = _CALLED_HERE.get(name.lower())
        told = f"here it is called m.{meant}" if meant else suggestion(name, known)
        raise AttributeError(f"a model has no '{name}'; {told}")

    @property
    def time(self) -> Quantity:
        """The time, for expressions of quantities."""
        return Quantity(operator.attrgetter("t"), "time")

    @property
    def kinetic_energy(self) -> Quantity:
        """Of all bodies."""
        return Quantity(operator.methodcaller("kinetic_energy"), "kinetic energy")

    @property
    def potential_energy(self) -> Quantity:
        """Of gravity, springs and other forces that have one."""
        return Quantity(operator.methodcaller("potential_energy"), "potential energy")

    @property
    def energy(self) -> Quantity:
        """Kinetic and potential energy."""
        total = self.kinetic_energy + self.potential_energy
        total.name = "energy"
        return total

    @property
    def momentum(self) -> Quantity:
        """Of all bodies, in the axes of the world."""
        return Quantity(operator.methodcaller("linear_momentum"), "momentum", self.labels)

    @property
    def angular_momentum(self) -> Quantity:
        """Of all bodies about the origin of the world; a number in the plane."""
        if self.planar:
            return Quantity(operator.methodcaller("angular_momentum"), "angular momentum")
        return Quantity(operator.methodcaller("angular_momentum"), "angular momentum", ("x", "y", "z"))


def _of_shapes(shapes: Sequence[Any], density: float | None, where: str) -> MassProperties:
    """Mass, centre and inertia that shapes have together."""
    if density is None:
        raise ModelError(f"{where} has no mass; give mass and inertia, or shapes and a density")
    from dalembert.model.bodies.shapes import Shape

    if not shapes or not all(isinstance(shape, Shape) for shape in shapes):
        raise ModelError(f"{where}: a density needs shapes, such as Box(…); got {shown(shapes)}")
    return compound(shape.mass_properties(density=density) for shape in shapes)
