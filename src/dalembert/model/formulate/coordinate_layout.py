"""Which coordinates a model gets: poses of bodies, coordinates of the joints of a tree, angles that count turns; and
where everything stands in the vectors q, v, u, λ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dalembert.model.bodies.parts import Body
from dalembert.model.constraints.drives import Prescription
from dalembert.model.element import Data, Element
from dalembert.model.joints.joints import Joint, JointCoordinate
from dalembert.model.joints.motions import Motion, Prescribed

if TYPE_CHECKING:
    from dalembert.model.formulate.reach import Reach


@dataclass(frozen=True, eq=False)
class Pose:
    """A body carried by nothing: its coordinates are the centre of mass in the world and Euler parameters, or an
    angle; its velocities are those of the centre of mass in the axes of the world, and the angular velocity in the axes
    of the body.  The mass matrix is then constant."""

    body: Body
    q: int
    v: int


@dataclass(frozen=True, eq=False)
class Carried:
    """A body carried by a joint of the tree."""

    body: Body
    joint: Joint
    #: whether the tree passes the joint from its second body to its first
    backwards: bool
    #: places of the first coordinate and velocity of each motion, in the order of ``joint.free_motions``
    q: tuple[int, ...]
    v: tuple[int, ...]
    #: names of motions that are functions of time
    prescribed: frozenset[str] = frozenset()

    @property
    def parent(self) -> Body:
        """The body that carries."""
        return (self.joint.second if self.backwards else self.joint.first).body

    def motions(self) -> list[tuple[Motion, int, int]]:
        """Motions on the way from the parent to the body, with the places of their coordinates and velocities."""
        motions = [
            Prescribed(motion) if motion.name in self.prescribed else motion for motion in self.joint.free_motions
        ]
        listed = list(zip(motions, self.q, self.v, strict=True))
        if not self.backwards:
            return listed
        return [(motion.backwards(), q, v) for motion, q, v in reversed(listed)]

    def free_motions(self) -> list[tuple[Motion, int, int]]:
        """Motions as the joint has them, with the places of their coordinates and velocities; without those that have
        none."""
        listed = zip(self.joint.free_motions, self.q, self.v, strict=True)
        return [one for one in listed if one[0].name not in self.prescribed]


@dataclass(frozen=True, eq=False)
class Places:
    """Rows and states of an element in the vectors of the whole model."""

    rows: tuple[int, ...] = ()
    moving_rows: tuple[int, ...] = ()
    states: tuple[int, ...] = ()
    #: auxiliary variables in q; where these are augmented, their velocities and the rows of their equations
    auxiliary: tuple[int, ...] = ()
    auxiliary_velocities: tuple[int, ...] = ()
    auxiliary_rows: tuple[int, ...] = ()


@dataclass(eq=False)
class CoordinateLayout:
    """Coordinates of a model, and the elements that act on them."""

    planar: bool
    bodies: Sequence[Body]
    #: bodies in the order from the ground outwards
    carriers: dict[str, Pose | Carried] = field(default_factory=dict)
    #: places of the first of each body's own coordinates and velocities
    modes: dict[str, tuple[int, int]] = field(default_factory=dict)
    #: angles of joints outside of the tree that something asks for: their places in q
    angles: dict[JointCoordinate, int] = field(default_factory=dict)
    #: angles of planar bodies whose poses are in space: places in q, and how far the body frame is turned
    #: from the axes of the pose
    body_angles: dict[str, tuple[int, Any]] = field(default_factory=dict)
    elements: list[Element] = field(default_factory=list)
    #: all elements of the model by name, also joints that coordinates meet by themselves; None for types of elements
    described: Mapping[str, Element] | None = None
    places: dict[str, Places] = field(default_factory=dict)
    #: what laws ask for beyond their elements, by the names of these, where builders need to know
    reaches: Mapping[str, Reach] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=lambda: {"q": [], "v": [], "lam": [], "u": []})
    #: joints whose coordinates are those of the tree
    tree: set[str] = field(default_factory=set)
    #: coordinates of joints, with their velocities, whose bodies are not here
    given: dict[JointCoordinate, tuple[int, int]] = field(default_factory=dict)
    #: coordinates of joints of the tree that are functions of time, and what prescribes them
    prescribed: dict[JointCoordinate, Prescription] = field(default_factory=dict)
    #: whether bodies of a planar model have poses in space
    lifted: bool = False
    #: whether angles of joints outside of the tree need coordinates of their own to count turns
    turns_counted: bool = True
    #: whether auxiliary variables have velocities, and their equations multipliers
    augmented: bool = False
    #: custom coordinates: function of (world frame, q by name, p) that places the bodies
    custom: Callable[..., Mapping[str, Any]] | None = None

    def add_pose(self, body: Body) -> None:
        """Coordinates of a body that nothing carries."""
        q, v = len(self.names["q"]), len(self.names["v"])
        self.carriers[body.name] = Pose(body, q, v)
        flat = self.planar and not self.lifted
        names = ("x", "y", "angle") if flat else ("x", "y", "z", "p0", "p1", "p2", "p3")
        rates = ("vx", "vy", "rate") if flat else ("vx", "vy", "vz", "wx", "wy", "wz")
        self.names["q"] += [f"{body.name}.{name}" for name in names]
        self.names["v"] += [f"{body.name}.{name}" for name in rates]
        self.add_modes(body)

    def add_joint(
        self,
        body: Body,
        joint: Joint,
        backwards: bool,
        prescribed: Mapping[JointCoordinate, Prescription] | None = None,
    ) -> None:
        """Coordinates of a joint that carries a body, in the order in which the tree passes them, besides those that
        are ``prescribed``."""
        known = {one.label: one for one in prescribed or () if one.joint is joint}
        self.prescribed |= {one: (prescribed or {})[one] for one in known.values()}
        q: dict[str, int] = {}
        v: dict[str, int] = {}
        for motion in reversed(joint.free_motions) if backwards else joint.free_motions:
            q[motion.name], v[motion.name] = len(self.names["q"]), len(self.names["v"])
            if motion.name in known:
                continue
            if motion.is_scalar:
                coordinate = joint.own_coordinates[motion.name]
                self.names["q"].append(coordinate.name)
                self.names["v"].append(coordinate.rate.name)
            else:
                self.names["q"] += [f"{joint.name}.{name}" for name in motion.q_names]
                self.names["v"] += [f"{joint.name}.{name}" for name in motion.v_names]
        labels = [motion.name for motion in joint.free_motions]
        self.carriers[body.name] = Carried(
            body, joint, backwards, tuple(q[label] for label in labels), tuple(v[label] for label in labels),
            frozenset(known),
        )  # fmt: skip
        self.tree.add(joint.name)
        self.add_modes(body)

    def add_modes(self, body: Body) -> None:
        """A body's own coordinates, after those of its frame."""
        self.modes[body.name] = len(self.names["q"]), len(self.names["v"])
        self.names["q"] += [f"{body.name}.{name}" for name in body.modes]
        self.names["v"] += [f"{body.name}.{name}.rate" for name in body.modes]

    def add_given(self, coordinate: JointCoordinate) -> None:
        """A coordinate of a joint whose bodies are not here."""
        if coordinate not in self.given:
            self.given[coordinate] = len(self.names["q"]), len(self.names["v"])
            self.names["q"].append(coordinate.name)
            self.names["v"].append(coordinate.rate.name)

    def add_angle(self, coordinate: JointCoordinate) -> None:
        """An angle that counts the turns of a joint outside of the tree."""
        if coordinate not in self.angles:
            self.angles[coordinate] = len(self.names["q"])
            self.names["q"].append(coordinate.name)

    def add_body_angle(self, body: Body, offset: Any = 0.0) -> None:
        """The angle of a planar body whose pose is in space, where Euler parameters do not count turns."""
        self.body_angles[body.name] = len(self.names["q"]), offset
        self.names["q"].append(f"{body.name}.turned")

    def needs_angle(self, coordinate: JointCoordinate) -> bool:
        """Whether an angle must count turns by a coordinate of its own."""
        in_tree = coordinate.joint.name in self.tree or coordinate in self.given
        return coordinate.is_angle and self.turns_counted and not in_tree

    def add_elements(self, elements: Iterable[Element]) -> None:
        """Rows, states and auxiliary variables of the elements; all position constraints stand before all others."""
        chosen = list(elements)
        self.elements = chosen
        lam, u = self.names["lam"], self.names["u"]
        holonomic: dict[str, tuple[int, ...]] = {}
        for element in chosen:
            holonomic[element.name] = tuple(range(len(lam), len(lam) + len(element.rows)))
            lam += [f"{element.name}.{row}" for row in element.rows]
        auxiliary = {element.name: self._add_auxiliary(element) for element in chosen if element.auxiliary}
        for element in chosen:
            moving = tuple(range(len(lam), len(lam) + len(element.moving_rows)))
            lam += [f"{element.name}.{row}" for row in element.moving_rows]
            states = tuple(range(len(u), len(u) + len(element.states)))
            u += [f"{element.name}.{state}" for state in element.states]
            own = auxiliary.get(element.name, ())
            self.places[element.name] = Places(holonomic[element.name], moving, states, *own)

    def _add_auxiliary(self, element: Element) -> tuple[tuple[int, ...], ...]:
        """Places of the auxiliary variables of an element, of their velocities, and of the rows of their equations."""
        names = [f"{element.name}.{name}" for name in element.auxiliary]
        labels = {"q": names}
        if self.augmented:
            labels |= {"v": [f"{name}.rate" for name in names], "lam": [f"{name}.equation" for name in names]}
        found = []
        for key in ("q", "v", "lam"):
            first, new = len(self.names[key]), labels.get(key, [])
            self.names[key] += new
            found.append(tuple(range(first, first + len(new))))
        return tuple(found)

    @property
    def n_auxiliary(self) -> int:
        """Number of auxiliary variables."""
        return sum(len(places.auxiliary) for places in self.places.values())

    def auxiliary_chains(self, rows: Sequence[str]) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Places of the velocities of auxiliary variables, where these are augmented, and of their equations among
        these rows; block by block."""
        found = []
        for places in self.places.values():
            names = [self.names["lam"][k] for k in places.auxiliary_rows]
            if names and set(names) <= set(rows):
                found.append(tuple(zip(places.auxiliary_velocities, map(rows.index, names), strict=True)))
        return tuple(found)

    @property
    def with_auxiliary(self) -> list[Element]:
        """Elements that have auxiliary variables."""
        return [element for element in self.elements if element.auxiliary]

    def renumber_rows(self, names: Sequence[str]) -> None:
        """Take over the order in which a builder has put the constraints."""
        at = {name: i for i, name in enumerate(names)}
        self.names["lam"] = list(names)
        for element in self.elements:
            rows, moving = (
                tuple(at[f"{element.name}.{row}"] for row in listed) for listed in (element.rows, element.moving_rows)
            )
            self.places[element.name] = Places(rows, moving, self.places[element.name].states)

    def states_of(self, element: Element | None, others: Iterable[Element] = ()) -> list[int]:
        """Places of the states of an element, and of others that it sees."""
        owners = [*(() if element is None else (element,)), *others]
        return [i for one in owners for i in self.places[one.name].states]

    def changing_directions(self) -> list[Joint]:
        """Joints of the tree with a motion that has no constant directions."""
        return [joint for joint, motion in self._tree_motions() if motion.directions(Data(joint.data)) is None]

    def unknown_to_recursions(self) -> str:
        """A motion of the tree that the recursions do not know, if there is one."""
        for joint, motion in self._tree_motions():
            if motion.link(Data(joint.data)) is None:
                return f"the motion of {joint.label}"
        return ""

    def _tree_motions(self) -> list[tuple[Joint, Motion]]:
        carriers = [one for one in self.carriers.values() if isinstance(one, Carried)]
        return [(one.joint, motion) for one in carriers for motion, _, _ in one.motions()]

    def powers_of_length(self) -> dict[str, dict[str, float]]:
        """For velocities and constraints by name: 1 for lengths, 0 for angles, nothing where it is not known."""
        v: dict[str, float] = {}
        for carrier in [] if self.custom else self.carriers.values():
            if isinstance(carrier, Pose):
                flat = self.planar and not self.lifted
                powers = (1.0, 1.0, 0.0) if flat else (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
                v |= zip(self.names["v"][carrier.v : carrier.v + len(powers)], powers, strict=True)
            else:
                for motion, _, k in carrier.motions():
                    if motion.power_of_length is not None:
                        names = self.names["v"][k : k + motion.n_v]
                        v |= dict.fromkeys(names, motion.power_of_length)
        for element in self.with_auxiliary if self.augmented and v else ():
            known = zip(element.auxiliary, self.places[element.name].auxiliary_velocities, strict=True)
            lengths = element.powers_of_length
            v |= {self.names["v"][k]: lengths[name] for name, k in known if name in lengths}
        lam = {
            f"{element.name}.{row}": power
            for element in self.elements
            for row, power in element.powers_of_length.items()
            if row in element.rows
        }
        return {"v": v, "lam": lam}

    def order(self) -> list[Pose | Carried]:
        """Carriers, each after the one that carries it."""
        return list(self.carriers.values())

    def index(self, key: str, coordinate: JointCoordinate) -> int | None:
        """Place of a coordinate or its rate in q or v, if it has one."""
        name = coordinate.name if key == "q" else coordinate.rate.name
        return self.names[key].index(name) if name in self.names[key] else None
