"""What laws of an element ask for where builders have one element on a graph at a time, and not the whole model.

A law may be any quantity of the model.  Places of markers, coordinates of joints and external states are brought to the
element, whatever bodies they belong to.  Anything else, such as an energy of all bodies, needs the whole on one graph.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dalembert.errors import ModelError
from dalembert.model.bodies.parts import Body, Marker
from dalembert.model.description import Description
from dalembert.model.element import Element, Site
from dalembert.model.formulate.coordinate_layout import CoordinateLayout
from dalembert.model.formulate.scene import Scene
from dalembert.model.frames import Frame
from dalembert.model.joints.joints import JointCoordinate
from dalembert.model.quantity import Quantity


class BeyondElementError(ModelError):
    """A quantity asks for more than can be brought to an element."""


@dataclass(frozen=True, eq=False)
class Reach:
    """What the quantities in the laws of an element are made of."""

    markers: tuple[Marker, ...] = ()
    coordinates: tuple[JointCoordinate, ...] = ()
    #: elements whose external states are seen
    elements: tuple[Element, ...] = ()

    @property
    def bodies(self) -> list[Body]:
        """Bodies that it needs the motion of."""
        joints = [coordinate.joint for coordinate in self.coordinates]
        return [marker.body for marker in (*self.markers, *(marker for joint in joints for marker in joint.markers))]


class Outlook:
    """A scene as quantities may see it where the rest of the model is not there: what is not listed here is refused, as
    the scene of an element would answer for its own few bodies alone."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self.graph, self.planar, self.t, self.p, self.w = scene.graph, scene.planar, scene.t, scene.p, scene.w
        self.number = scene.number

    def frame(self, marker: Marker) -> Frame:
        """Where a marker is."""
        raise NotImplementedError

    def value(self, coordinate: JointCoordinate) -> Any:
        """A coordinate of a joint."""
        raise NotImplementedError

    def rate(self, coordinate: JointCoordinate) -> Any:
        """Velocity of a coordinate of a joint."""
        raise NotImplementedError

    def states(self, element: Element) -> Sequence[Any]:
        """External states of an element."""
        raise NotImplementedError

    def site(self, element: Element) -> Site:
        """What another element sees, as far as it is no constraint."""
        self._scene.own(element)
        if element.rows or element.moving_rows:
            raise BeyondElementError(f"multipliers of {element.label} are not known to other elements")
        return Site(
            self.graph,
            self.planar,
            self.t,
            self.p,
            [self.frame(marker) for marker in element.markers],
            [self.value(coordinate) for coordinate in element.coordinates],
            [self.rate(coordinate) for coordinate in element.coordinates],
            self._scene.data_of(element),
            self.states(element),
            label=element.label,
            w=self.w,
            scene=self,
        )

    def seen_by(self, label: str, quantity: Quantity) -> Any:
        """A quantity in the law of an element."""
        return quantity.build(self)  # type: ignore[arg-type]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise BeyondElementError(f"'{name}' of the whole model is not known to single elements")


class _Asked(Outlook):
    """An outlook that keeps in mind what was asked for."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.markers: dict[int, Marker] = {}
        self.coordinates: dict[JointCoordinate, None] = {}
        self.elements: dict[Element, None] = {}

    def frame(self, marker: Marker) -> Frame:
        if not marker.body.is_ground:
            self.markers[id(marker)] = marker
        return self._scene.frame(marker)

    def value(self, coordinate: JointCoordinate) -> Any:
        self.coordinates[coordinate] = None
        return self._scene.value(coordinate)

    def rate(self, coordinate: JointCoordinate) -> Any:
        self.coordinates[coordinate] = None
        return self._scene.rate(coordinate)

    def states(self, element: Element) -> Sequence[Any]:
        if not element.states:
            return ()
        self.elements[element] = None
        return [self._scene.inputs["u"][i] for i in self._scene.layout.places[element.name].states]


def find_reaches(model: Description, layout: CoordinateLayout) -> str:
    """Tell the layout what the laws of its elements ask for, and say why the whole model is needed on one graph, if it
    is."""
    with_quantities = [element for element in layout.elements if element.asked_quantities]
    if not with_quantities:
        return ""
    scene = _apart(model, layout)
    found: dict[str, Reach] = {}
    for element in with_quantities:
        asked = _Asked(scene)
        for quantity in element.asked_quantities:
            try:
                scene.check_accelerations(element.label, quantity, asked.seen_by(element.label, quantity))
            except BeyondElementError:
                name = _beyond(quantity, scene).name or "a quantity"
                return f"{element.label} depends on {name}, which needs the whole model on one graph"
        found[element.name] = Reach(tuple(asked.markers.values()), tuple(asked.coordinates), tuple(asked.elements))
    layout.reaches = found
    return ""


def _apart(model: Description, layout: CoordinateLayout) -> Scene:
    """All bodies with poses, so that the place of each is made of its own coordinates."""
    apart = CoordinateLayout(layout.planar, layout.bodies, turns_counted=False, described=layout.described)
    for body in layout.bodies:
        apart.add_pose(body)
    apart.add_elements(layout.elements)
    return Scene(model, apart, model.name)


def _beyond(quantity: Quantity, scene: Scene) -> Quantity:
    """The part of a quantity that needs the whole model."""
    for part in quantity.parts:
        try:
            part.build(_Asked(scene))  # type: ignore[arg-type]
        except BeyondElementError:
            return _beyond(part, scene)
    return quantity


class OwnOutlook(Outlook):
    """What quantities see in the little model of a type, in which bodies, joints and states stand for those of all its
    elements."""

    def __init__(
        self,
        scene: Scene,
        markers: Mapping[int, Marker],
        coordinates: Mapping[JointCoordinate, JointCoordinate],
        states: Mapping[Element, Sequence[int]],
    ) -> None:
        super().__init__(scene)
        self._markers, self._coordinates, self._states = markers, coordinates, states

    def frame(self, marker: Marker) -> Frame:
        if marker.body.is_ground:
            return self._scene.frame(marker)
        if id(marker) not in self._markers:
            raise BeyondElementError(f"{marker!r} was not asked for before")
        return self._scene.frame(self._markers[id(marker)])

    def value(self, coordinate: JointCoordinate) -> Any:
        return self._scene.value(self._own(coordinate))

    def rate(self, coordinate: JointCoordinate) -> Any:
        return self._scene.rate(self._own(coordinate))

    def _own(self, coordinate: JointCoordinate) -> JointCoordinate:
        if coordinate not in self._coordinates:
            raise BeyondElementError(f"{coordinate.name} was not asked for before")
        return self._coordinates[coordinate]

    def states(self, element: Element) -> Sequence[Any]:
        return [self._scene.inputs["u"][i] for i in self._states.get(element, ())]
