"""Relative coordinates by recursions: the tree of a model as links, its forces and cut joints as elements on poses.

The frame of a flexible body is a link without mass, each of its modes one more that carries nothing.  Its inertia and
stiffness are an element on its pose and its modes; joints at points that deformations move close loops.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.equations import Elements, Equations
from dalembert.equations.recursion import Link, Recursion, extended
from dalembert.model.bodies.orientation import frame_along
from dalembert.model.bodies.parts import Body
from dalembert.model.bodies.rigid import RigidBody
from dalembert.model.description import Description
from dalembert.model.element import Data
from dalembert.model.formulate.absolute import table
from dalembert.model.formulate.coordinate_layout import Carried, CoordinateLayout, Pose
from dalembert.model.formulate.types import Poses, Type, angle_types, body_angle_types, body_types, element_types
from dalembert.model.formulate.whole import breaks
from dalembert.model.frames import atoms_or_numbers
from dalembert.symbolic import Atom, transplant


class Links:
    """Links of a tree: one for each free motion, and the axes of the last one that carries a body."""

    def __init__(self, model: Description, layout: CoordinateLayout) -> None:
        self.model = model
        self.links: list[Link] = []
        #: of each body: number of its link, and rotation and place of its frame in the link's
        self.carried: dict[str, tuple[int, Any, Any]] = {model.ground.name: (-1, np.eye(3), np.zeros(3))}
        touched = {marker.body.name for element in layout.elements for marker in element.markers}
        touched |= {
            marker.body.name
            for element in layout.elements
            for coordinate in element.coordinates
            for marker in coordinate.joint.markers
        }
        touched |= {marker.body.name for coordinate in layout.angles for marker in coordinate.joint.markers}
        touched |= {body.name for reach in layout.reaches.values() for body in reach.bodies}
        touched |= {body.name for body in layout.bodies if not body.is_rigid}
        #: bodies that elements see, in the order of their links
        self.bodies: list[Body] = []
        for carrier in layout.order():
            if isinstance(carrier, Pose):
                self._add_pose(carrier, layout.planar, carrier.body.name in touched)
            else:
                self._add_joint(carrier, carrier.body.name in touched)
            if carrier.body.name in touched:
                self.bodies.append(carrier.body)

    def _with_body(self, body: Body, turn: Any, place: Any, touched: bool, **joint: Any) -> None:
        """A link in whose frame the body frame stands at a place, turned."""
        if not body.is_rigid or not isinstance(body, RigidBody):
            self._with_frame(body, turn, place, **joint)
            return
        properties = body.properties
        com = atoms_or_numbers(turn @ properties.com + place)
        inertia = atoms_or_numbers(turn @ properties.inertia @ np.transpose(turn))
        self.carried[body.name] = len(self.links), turn, place
        self.links.append(
            Link(**joint, mass=properties.mass, com=com, inertia=inertia, name=body.name, body=touched)
        )  # fmt: skip

    def _with_frame(self, body: Body, turn: Any, place: Any, **joint: Any) -> None:
        """The frame of a body whose inertia is an element's, and its modes."""
        fixed = np.array_equal(turn, np.eye(3)) and not np.any(place)
        if not fixed:
            self.links.append(Link(**joint, name=f"{body.name}'", body=False))
            joint = {"kind": "fixed", "parent": len(self.links) - 1, "R": turn, "r": place}
        self.carried[body.name] = len(self.links), np.eye(3), np.zeros(3)
        self.links.append(Link(**joint, name=body.name, body=True))
        self.links += [Link("prismatic", name=f"{body.name}.{mode}", body=False) for mode in body.modes]

    def _add_pose(self, pose: Pose, planar: bool, touched: bool) -> None:
        body = pose.body
        if not planar:
            self._with_body(body, np.eye(3), -body.reference, touched, kind="free", parent=-1)
            return
        turn = np.eye(3)
        parent = -1
        for axis in ((1, 0, 0), (0, 1, 0)):
            along = frame_along(axis, body.name)
            self.links.append(Link("prismatic", parent, R=turn @ along, name=f"{body.name}'", body=False))
            turn, parent = along.T, len(self.links) - 1
        self._with_body(body, np.eye(3), -body.reference, touched, kind="revolute", parent=parent, R=turn)

    def _add_joint(self, carrier: Carried, touched: bool) -> None:
        joint = carrier.joint
        inner, outer = (joint.second, joint.first) if carrier.backwards else (joint.first, joint.second)
        parent, R_body, r_body = self.carried[inner.body.name]
        turn, d = atoms_or_numbers(R_body @ inner.R), atoms_or_numbers(R_body @ inner.r + r_body)
        parts: list[dict[str, Any]] = []
        data = Data(joint.data)
        for motion, _, _ in carrier.motions():
            found = motion.link(data)
            assert found is not None, "joints without links are not passed by recursions"
            along = np.eye(3) if found.axis is None else frame_along(found.axis, joint.name)
            parts.append({"kind": found.kind, "R": atoms_or_numbers(turn @ along), "r": d, "pitch": found.lead})
            turn, d = along.T, np.zeros(3)
        if not parts or (self.model.planar and turn[2][2] != 1.0):
            # Poses of planar bodies turn about z only, but the axis of a link, whatever its direction, is its own z.
            parts.append({"kind": "fixed", "R": turn, "r": d})
            turn = np.eye(3)
        for part in parts[:-1]:
            self.links.append(Link(**part, parent=parent, name=f"{joint.name}'", body=False))
            parent = len(self.links) - 1
        R = atoms_or_numbers(turn @ np.transpose(outer.R))
        self._with_body(carrier.body, R, -(R @ outer.r), touched, **parts[-1], parent=parent)


def by_recursion(model: Description, layout: CoordinateLayout, name: str) -> Equations:
    """Equations of a layout whose bodies are carried by joints."""
    made = Links(model, layout)
    names = {key: layout.names[key] for key in ("q", "v")}
    flexible = [body for body in made.bodies if not body.is_rigid]
    if not layout.elements and not layout.angles and not flexible:
        return Recursion(
            name, _of_parameters(model, made.links), gravity=_gravity(model), parameters=model.parameter_values,
            names=names,
        )  # fmt: skip
    poses = Poses(
        layout.planar,
        {body.name: made.carried[body.name][1] for body in made.bodies},
        lambda coordinate: coordinate.joint.name in layout.tree,
    )
    if layout.planar:
        for body in made.bodies:
            layout.add_body_angle(body)
    names = {key: layout.names[key] for key in ("q", "v")}
    types = [
        *body_angle_types(model, made.bodies if layout.planar else (), poses),
        *body_types(model, flexible, poses),
        *angle_types(model, layout.angles, poses),
        *element_types(model, layout, poses),
    ]
    n_joint_q = len(names["q"]) - len(layout.angles) - len(layout.body_angles)
    builder = extended(
        name, made.links, states=layout.names["u"], further=names["q"][n_joint_q:], parameters=model.parameter_values,
        breaks=breaks(layout),
    )  # fmt: skip
    number = {body.name: i for i, body in enumerate(made.bodies)}
    for one in types:
        _add_type(builder, one, layout, number)
    parts = builder.equations()
    layout.renumber_rows(parts.names["lam"])
    return Recursion(name, _of_parameters(model, made.links), parts, gravity=_gravity(model), names=names)


def _add_type(builder: Elements, one: Type, layout: CoordinateLayout, number: dict[str, int]) -> None:
    """One type, its instances placed in the extended vectors."""
    first_q, first_v = 7 * len(number), 6 * len(number)
    coordinates, velocities = [], []
    for bodies, given, angles in zip(one.bodies, one.given, one.angles, strict=True):
        at = [number[body.name] for body in bodies]
        joints = [(layout.index("q", c), layout.index("v", c)) for c in given]
        further = [first_q + layout.body_angles[body.name][0] for body in bodies if layout.planar]
        further += [first_q + layout.angles[angle] for angle in angles]
        coordinates.append(_places(layout, bodies, at, 7, first_q, 0) + [first_q + q for q, _ in joints] + further)  # type: ignore[operator]
        velocities.append(_places(layout, bodies, at, 6, first_v, 1) + [first_v + v for _, v in joints])  # type: ignore[operator]
    states = [layout.states_of(element, one.others) for element in one.elements]
    if one.contraction is not None:
        builder.add_contraction(
            one.contraction.name, one.contraction, coordinates=table(coordinates), velocities=table(velocities)
        )
    builder.add_expressions(
        one.name, one.expressions, coordinates=table(coordinates), velocities=table(velocities), states=table(states),
        own=one.own, data=one.data, row_names=one.row_names or None,
    )  # fmt: skip


def _places(layout: CoordinateLayout, bodies: list[Body], at: list[int], size: int, first: int, key: int) -> list[int]:
    """Of each body its pose or twist, then its modes: places in the extended vectors."""
    found: list[int] = []
    for body, b in zip(bodies, at, strict=True):
        own = first + layout.modes[body.name][key]
        found += [*range(size * b, size * b + size), *range(own, own + len(body.modes))]
    return found


def _of_parameters(model: Description, links: list[Link]) -> Any:
    """Links whose numbers may be expressions of the model's parameters: a function of these."""

    def made(p: Any) -> list[Link]:
        known = _known(model, p)
        return [_transplanted(link, known) for link in links]

    return made


def _gravity(model: Description) -> Any:
    def made(p: Any) -> Any:
        return _moved(model.gravity, _known(model, p))

    return made


def _known(model: Description, p: Any) -> dict[str, Any]:
    """Symbols of all parameters, entry by entry, under the names that the description has for them."""
    return {
        symbol.name: other
        for key in model.parameter_values
        for symbol, other in zip(
            np.ravel(model.parameter_symbol(key)), np.ravel(np.asarray(getattr(p, key), dtype=object)), strict=True
        )
    }


def _transplanted(link: Link, known: dict[str, Any]) -> Link:
    from dataclasses import replace

    parts = ("R", "r", "pitch", "mass", "com", "inertia")
    return replace(link, **{key: _moved(getattr(link, key), known) for key in parts})


def _moved(value: Any, known: dict[str, Any]) -> Any:
    items = np.asarray(value, dtype=object)
    if not any(isinstance(item, Atom) for item in items.flat):
        return value
    graph = next(iter(known.values())).graph
    return transplant(value, graph, known)
