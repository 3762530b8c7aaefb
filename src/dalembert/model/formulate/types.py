"""Types of elements: all that differ only in numbers are one, whose formulas are made once for all of them.

A type is formulated on a little model of its own: the bodies that one element touches, each with its pose as
coordinates, and data as parameters.  Numbers that are the same for all elements of a type are left in the formulas,
where zeros and ones vanish.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.equations.builders.contraction import ContractedFormulas, Products
from dalembert.equations.contract.expressions import Expressions, symbols_in
from dalembert.model.bodies.orientation import angle_of
from dalembert.model.bodies.parts import Body, Marker
from dalembert.model.element import Element, Site
from dalembert.model.flexible.flexible_body import PRODUCTS
from dalembert.model.formulate.coordinate_layout import CoordinateLayout, Places
from dalembert.model.formulate.reach import OwnOutlook, Reach
from dalembert.model.formulate.scene import Scene
from dalembert.model.formulate.whole import body_pairs, expressions, inertia
from dalembert.model.joints.joints import Joint, JointCoordinate
from dalembert.symbolic import Atom, array, zeros

if TYPE_CHECKING:
    from dalembert.model.description import Description


@dataclass
class Type:
    """One type of element with its instances."""

    name: str
    expressions: Expressions
    #: for each instance the bodies whose poses, and then the joint coordinates, that it sees as its own
    bodies: list[list[Body]]
    given: list[list[JointCoordinate]]
    angles: list[list[JointCoordinate]]
    elements: list[Element | None]
    data: dict[str, Any]
    #: elements whose states all instances see after their own
    others: tuple[Element, ...] = ()
    #: local coordinates whose kinematics this type says
    own: tuple[int, ...] = ()
    row_names: list[list[str]] = field(default_factory=list)
    #: forces of inertia and of stiffness, where matrices are too large for ``expressions``
    contraction: ContractedFormulas | None = None

    def __post_init__(self) -> None:
        # Parameters that the formulas do not use are none.
        x = self.expressions
        parts = (x.M, x.f, x.g, x.T, x.nonholonomic, x.d, x.g_rate, x.normal)
        used = symbols_in([entry for part in parts if part is not None for entry in part.flat])
        left = [symbol for symbol in x.inputs["p"] if symbol in used]
        x.inputs["p"] = array(left) if left else zeros((0,))
        names = {str(symbol.name).removeprefix("p.") for symbol in left}
        self.data = {key: value for key, value in self.data.items() if key in names}


class _Slots:
    """Data of all instances of a type, entry by entry: a number where all agree, else a parameter."""

    def __init__(self, model: Description) -> None:
        self.model = model
        self.values: dict[str, Any] = {}

    def entries(self, key: str, given: Sequence[Any]) -> Any:
        """What stands for the data ``key`` in the formulas; ``given`` are the values of all instances."""
        first = np.asarray(given[0], dtype=object)
        if any(isinstance(item, Atom) for item in first.flat):
            return given[0]  # expressions of parameters: the same for all instances of a type
        numbers = np.array([np.asarray(one, dtype=float) for one in given])
        result = np.empty(first.shape, dtype=object)
        for at in np.ndindex(first.shape):
            column = numbers[(slice(None), *at)]
            if (column == column[0]).all():
                result[at] = float(column[0])
                continue
            name = key + "".join(f"_{i}" for i in at)
            while name in self.model.parameter_values:  # the user's own, which the formulas may use too
                name += "_"
            self.values[name] = column
            result[at] = self.model.parameter_graph.parameter(f"p.{name}")
        return result[()] if first.shape == () else result


def _fingerprint(value: Any) -> Hashable:
    """What distinguishes data between types: shapes, expressions, and matrices of zeros and ones."""
    items = np.asarray(value, dtype=object)
    if any(isinstance(item, Atom) for item in items.flat):
        return tuple(item.handle if isinstance(item, Atom) else float(item) for item in items.flat)
    numbers = items.astype(float)
    if numbers.shape == (3, 3) and np.isin(numbers, (-1.0, 0.0, 1.0)).all():
        return numbers.tobytes()
    return numbers.shape


@dataclass(frozen=True)
class Poses:
    """What the poses of bodies are those of: the centre of mass, with the axes of the body or others fixed in it."""

    #: whether planar bodies have poses in space
    lifted: bool = False
    #: rotations from the body frame to the axes of the pose, of bodies where these are others
    axes: Mapping[str, Any] = field(default_factory=dict)
    #: coordinates of joints that elements have at hand, besides poses
    given: Callable[[JointCoordinate], bool] = lambda coordinate: False

    def marker(self, marker: Marker) -> tuple[Any, Any]:
        """Place and rotation of a marker, seen from the pose of its body."""
        arm, turn = marker.r - marker.body.reference, self.axes.get(marker.body.name)
        return (arm, marker.R) if turn is None else (turn @ arm, turn @ marker.R)


class _Instance:
    """An element taken apart: markers, joints whose coordinates it uses, bodies, data."""

    def __init__(self, element: Element, poses: Poses, reach: Reach | None = None) -> None:
        self.element, self.poses = element, poses
        #: what quantities in its laws are made of, after its own
        self.reach = reach or Reach()
        self.coordinates = (*element.coordinates, *self.reach.coordinates)
        self.others = tuple(one for one in self.reach.elements if one is not element)
        self.given = [c for c in dict.fromkeys(self.coordinates) if poses.given(c)]
        self.joints: list[Joint] = list(
            dict.fromkeys(c.joint for c in self.coordinates if c.joint is not element and not poses.given(c))
        )
        owners: list[Element] = [element, *self.joints]
        self.markers = [*(marker for one in owners for marker in one.markers), *self.reach.markers]
        self.bodies = list(dict.fromkeys(marker.body for marker in self.markers if not marker.body.is_ground))
        self.data: dict[str, Any] = {}
        for k, marker in enumerate(self.markers):
            arm, R = poses.marker(marker)
            self.data |= {f"s{k}": arm, f"R{k}": R, f"b{k}": marker.turn}
        for k, one in enumerate(owners):
            self.data |= {f"d{k}_{key}": value for key, value in one.data.items()}

    @property
    def key(self) -> Hashable:
        """Equal for elements of one type."""
        element = self.element
        numbers = {body: i for i, body in enumerate(self.bodies)}
        friction = element.friction if isinstance(element, Joint) else None
        return (
            type(element),
            element.variant,
            None if friction is None else friction.variant,
            element.rows,
            element.moving_rows,
            tuple(element.states),
            tuple((numbers.get(marker.body, -1), marker.node) for marker in self.markers),
            tuple((type(body), body.variant) for body in self.bodies),
            tuple(type(joint) for joint in self.joints),
            tuple((self.owner(c), c.label) for c in self.coordinates),
            self.others,
            tuple((key, _fingerprint(value)) for key, value in self.data.items()),
        )

    def owner(self, coordinate: JointCoordinate) -> int:
        """Of a coordinate: the number of the joint, 0 for the element itself, or a negative one if it is at hand."""
        if coordinate in self.given:
            return -1 - self.given.index(coordinate)
        return 0 if coordinate.joint is self.element else 1 + self.joints.index(coordinate.joint)


def element_types(model: Description, layout: CoordinateLayout, poses: Poses | None = None) -> list[Type]:
    """All elements by type, in poses of bodies."""
    poses = poses or Poses()
    groups: dict[Hashable, list[_Instance]] = {}
    for element in layout.elements:
        instance = _Instance(element, poses, layout.reaches.get(element.name))
        groups.setdefault(instance.key, []).append(instance)
    return [_element_type(model, f"{group[0].element.kind} {k}", group, layout.angles) for k, group in
            enumerate(groups.values())]  # fmt: skip


def angle_types(model: Description, coordinates: Iterable[JointCoordinate], poses: Poses | None = None) -> list[Type]:
    """Angles that count turns, as owners of their kinematics."""
    poses = poses or Poses()
    groups: dict[Hashable, list[tuple[_Instance, JointCoordinate]]] = {}
    for coordinate in coordinates:
        instance = _Instance(coordinate.joint, poses)
        groups.setdefault((instance.key, coordinate.label), []).append((instance, coordinate))
    types = []
    for k, group in enumerate(groups.values()):
        instances = [instance for instance, _ in group]
        local = _Local(model, instances)
        coordinate = local.joints[0].own_coordinates[group[0][1].label]
        layout = local.layout([coordinate], [])
        scene = local.scene(layout, f"angle {k}")
        n = len(scene.inputs["v"])
        types.append(
            Type(
                f"angle {k}",
                expressions(scene, zeros((n, n)), zeros((n,))),
                [instance.bodies for instance in instances],
                [[] for _ in group],
                [[one] for _, one in group],
                [None] * len(group),
                local.slots.values,
                own=(len(layout.names["q"]) - 1,),
            )
        )
    return types


def body_angle_types(model: Description, bodies: Sequence[Body], poses: Poses) -> list[Type]:
    """Angles of planar bodies that count turns, beside poses in space."""
    groups: dict[Hashable, list[Body]] = {}
    for body in bodies:
        groups.setdefault((_fingerprint(angle_of(poses.axes[body.name])), body.modes), []).append(body)
    types = []
    for k, group in enumerate(groups.values()):
        slots = _Slots(model)
        offset = slots.entries("turned", [angle_of(poses.axes[body.name]) for body in group])
        local = _little_model(model, slots.values)
        body = group[0].alike(local, "body", {})
        layout = CoordinateLayout(True, [body], lifted=True, turns_counted=False)
        layout.add_pose(body)
        layout.add_body_angle(body, offset)
        scene = Scene(local, layout, "body angles")
        n, own = len(scene.inputs["v"]), len(layout.names["q"]) - 1
        nothing: list[Any] = [[] for _ in group]
        types.append(
            Type(
                f"body angle {k}",
                expressions(scene, zeros((n, n)), zeros((n,))),
                [[body] for body in group],
                nothing,
                nothing,
                [None] * len(group),
                slots.values,
                own=(own,),
            )
        )
    return types


def body_types(model: Description, bodies: Sequence[Body], poses: Poses | None = None) -> list[Type]:
    """Inertia and weight of bodies; with ``poses``, in coordinates whose kinematics others say."""
    groups: dict[Hashable, list[Body]] = {}
    for body in bodies:
        key = (type(body), body.variant, tuple((name, _fingerprint(value)) for name, value in body.data.items()))
        groups.setdefault(key, []).append(body)
    types = []
    for k, group in enumerate(groups.values()):
        slots = _Slots(model)
        data = {key: slots.entries(key, [body.data[key] for body in group]) for key in group[0].data}
        local = _little_model(model, slots.values)
        body = group[0].alike(local, "body", data)
        layout = CoordinateLayout(model.planar, [body], lifted=poses is not None and poses.lifted)
        layout.add_pose(body)
        if layout.lifted:
            layout.add_body_angle(body)
        scene = Scene(local, layout, f"body {k}")
        contraction = _contraction(scene, body, f"body {k} by arrays") if body.by_arrays else None
        n = len(scene.inputs["v"])
        x = expressions(scene, *(inertia(scene) if contraction is None else (zeros((n, n)), zeros((n,)))))
        types.append(
            Type(
                f"body {k}",
                x,
                [[body] for body in group],
                [[] for _ in group],
                [[] for _ in group],
                [None] * len(group),
                slots.values,
                own=tuple(range(len(layout.names["q"]))) if poses is None else (),
                contraction=contraction,
            )
        )
    return types


def _contraction(scene: Scene, body: Body, name: str) -> ContractedFormulas:
    """Forces of a body whose matrices stay arrays."""
    i, k = scene.layout.modes[body.name]
    n, inputs = len(body.modes), scene.inputs
    parts = {key: (at, array(inputs[key][at : at + n])) for key, at in (("q", i), ("v", k), ("a", k))}
    products = scene.kept[PRODUCTS] = Products(scene.graph, parts)
    balance = array(-scene.generalised(body_pairs(scene)))
    return ContractedFormulas(name, dict(inputs), balance, products)


def _little_model(model: Description, values: Mapping[str, Any]) -> Any:
    """What a scene asks of a model, with the data of a type as further parameters."""
    return SimpleNamespace(
        name=model.name, planar=model.planar, labels=model.labels, gravity=model.gravity, inputs=model.inputs,
        ground=model.ground, whole=model.whole, in_plane=model.in_plane,
        parameter_values={**dict.fromkeys(values, 0.0), **model.parameter_values},
    )  # fmt: skip


class _Local:
    """The little model of a type: bodies with poses, markers and data that stand for those of all instances."""

    def __init__(self, model: Description, instances: Sequence[_Instance]) -> None:
        first = instances[0]
        self.slots = _Slots(model)
        data = {key: self.slots.entries(key, [one.data[key] for one in instances]) for key in first.data}
        self.model = _little_model(model, self.slots.values)
        bodies = {body: body.alike(self.model, f"body{i}", {}) for i, body in enumerate(first.bodies)}
        bodies[model.ground] = model.ground
        self.bodies = list(bodies.values())[:-1]
        markers = [
            Marker(bodies[marker.body], data[f"s{k}"], data[f"R{k}"], data[f"b{k}"], marker.node)
            for k, marker in enumerate(first.markers)
        ]  # fmt: skip
        owners: list[Element] = [first.element, *first.joints]
        copies: list[Element] = []
        at = 0
        for k, one in enumerate(owners):
            other = copy.copy(one)
            other.markers = tuple(markers[at : at + len(one.markers)])
            other.data = {key: data[f"d{k}_{key}"] for key in one.data}
            at += len(one.markers)
            if isinstance(other, Joint):
                other.own_coordinates = {
                    label: JointCoordinate(other, label, c.is_angle) for label, c in other.own_coordinates.items()
                }
            copies.append(other)
        self.element = copies[0]
        self.given, self.lifted = first.given, first.poses.lifted
        #: coordinates, and markers and elements of others, and what stands for them here
        self.coordinates: dict[JointCoordinate, JointCoordinate] = {
            c: c if c in first.given else copies[first.owner(c)].own_coordinates[c.label]  # type: ignore[attr-defined]
            for c in first.coordinates
        }
        self.markers = {id(marker): own for marker, own in zip(first.reach.markers, markers[at:], strict=True)}
        self.original, self.others = first.element, first.others
        self.element.coordinates = tuple(self.coordinates[c] for c in first.element.coordinates)
        self.joints: list[Any] = [one for one in copies if isinstance(one, Joint)]

    def layout(self, angles: Sequence[JointCoordinate], elements: Sequence[Element]) -> CoordinateLayout:
        """Poses of the bodies, angles, and elements."""
        layout = CoordinateLayout(
            self.model.planar, self.bodies, lifted=self.lifted, turns_counted=not self.model.planar
        )
        for body in self.bodies:
            layout.add_pose(body)
        for coordinate in self.given:
            layout.add_given(coordinate)
        if self.lifted:
            for body in self.bodies:
                layout.add_body_angle(body)
        for angle in angles:
            layout.add_angle(angle)
        layout.add_elements(elements)
        for other in self.others:
            first = len(layout.names["u"])
            layout.names["u"] += [f"{other.name}.{state}" for state in other.states]
            layout.places[other.name] = Places(states=tuple(range(first, len(layout.names["u"]))))
        return layout

    def scene(self, layout: CoordinateLayout, name: str) -> Scene:
        return _TypeScene(self, layout, name)


class _TypeScene(Scene):
    """The little model on one graph; quantities find there what was brought to the element, and nothing else."""

    def __init__(self, local: _Local, layout: CoordinateLayout, name: str) -> None:
        super().__init__(local.model, layout, name)
        states = {one: layout.places[one.name].states for one in (local.original, *local.others) if one.states}
        self._outlook = OwnOutlook(self, local.markers, local.coordinates, states)

    def site(self, element: Element) -> Site:
        return replace(super().site(element), scene=self._outlook)


def _element_type(
    model: Description, name: str, group: Sequence[_Instance], counted: Container[JointCoordinate]
) -> Type:
    local, first = _Local(model, group), group[0]
    wanted = [k for k, c in enumerate(first.coordinates) if c in counted]
    layout = local.layout([local.coordinates[first.coordinates[k]] for k in wanted], [local.element])
    scene = local.scene(layout, name)
    n = len(scene.inputs["v"])
    x = expressions(scene, zeros((n, n)), zeros((n,)))
    if x.d is not None and first.others:
        x = replace(x, d=array([*x.d, *[0.0] * (len(scene.inputs["u"]) - len(x.d))]))  # others move their own states
    elements = [instance.element for instance in group]
    return Type(
        name, x, [instance.bodies for instance in group], [instance.given for instance in group],
        [list(dict.fromkeys(one.coordinates[k] for k in wanted)) for one in group], list(elements),
        local.slots.values, first.others, (),
        [[f"{one.name}.{row}" for row in one.rows + one.moving_rows] for one in elements],
    )  # fmt: skip
