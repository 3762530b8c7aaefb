"""A model on one graph: frames of all bodies in terms of the coordinates of a layout, made when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.arguments import shown
from dalembert.equations.builders.trace import call_by_name, named_parameters, symbols_for
from dalembert.equations.contract.auxiliary import AuxiliaryBlock
from dalembert.equations.contract.equations import Sizes
from dalembert.equations.contract.expressions import symbols_in
from dalembert.errors import ModelError, SymbolicError
from dalembert.model.bodies.parts import Body, Marker, of_another_model
from dalembert.model.constraints.drives import Drive
from dalembert.model.element import Data, Element, Inputs, Site
from dalembert.model.formulate.coordinate_layout import Carried, CoordinateLayout, Pose
from dalembert.model.frames import Frame, Place, is_identity, is_zero
from dalembert.model.joints.joints import Joint, JointCoordinate, unwrapped
from dalembert.model.joints.motions import AnyTurning, Axis, Motion, Prescribed
from dalembert.model.quantity import Quantity
from dalembert.symbolic import Atom, AtomArray, Base, Graph, Point, arctan2, array, substitute, transplant, zeros
from dalembert.symbolic.mechanics import angular_velocity, virtual_power


@dataclass(eq=False)
class FrameOnTheWay:
    """A frame between the two sides of a joint, moved by the steps of its motions."""

    base: Base
    point: Point
    #: in the plane, with its turns
    angle: Any
    #: a constant turn of the base that is still to be made
    E: Any
    #: of what the next step makes
    name: str = ""

    def slide(self, axis: Axis, distance: Any, rate: Any) -> None:
        # Before the first turning, what is constant of it stands between the bases.
        along = array(axis) * distance if self.E is None else self.E @ array(axis) * distance
        self.point = self.point.moved(self.name, self.base.vector(*along))

    def turn(self, axis: Axis, angle: Any, rate: Any) -> None:
        if self.E is None:
            self.base = self.base.rotated(self.name, axis, angle)
        else:
            # One matrix E R(q) for the constant turn and the joint: vectors then pass one change of base.
            R = Base.root(self.base.graph, "joint").rotated("turned", axis, angle).R
            self.base = self.base.turned(self.name, array(self.E) @ R, angular_velocity=array(axis) * rate)
            self.E = None
        self.angle = None if self.angle is None else self.angle + axis[2] * angle

    def rotate(self, parameters: Any, angular_velocity: Any) -> None:
        self.settle(f"{self.name}'")
        self.base = self.base.euler_parameters(self.name, list(parameters), angular_velocity=angular_velocity)

    def settle(self, name: str) -> None:
        """Make the constant turn that is still to be made."""
        if self.E is not None:
            self.base, self.E = self.base.turned(name, self.E, angular_velocity=np.zeros(3)), None


class Scene:
    """Frames, coordinates and elements of a model as atoms of one graph.

    ``inputs`` are the symbols of the equations.  Rates of the coordinates are known to the graph, so that time
    derivatives of anything can be asked for.
    """

    #: whether joints of the tree have virtual motions, to find their reactions
    opens = False
    #: a cut through a beam whose ends have a virtual motion, to find what is transmitted there
    cut: Any = None

    def __init__(
        self,
        model: Any,
        layout: CoordinateLayout,
        name: str = "",
        parameters: Mapping[str, Any] | None = None,
        graph: Graph | None = None,
    ) -> None:
        #: ``parameters``: those of the equations, where there are more of them than the model has; ``graph``: one that
        #: has atoms of this scene already
        values = model.parameter_values if parameters is None else parameters
        self.model, self.layout = model, layout
        n = {key: len(listed) for key, listed in layout.names.items()}
        rows = sum(len(element.rows) for element in layout.elements) + (layout.n_auxiliary if layout.augmented else 0)
        sizes = Sizes(n["q"], n["v"], n["lam"], rows, n["u"], 0)
        self.inputs: dict[str, AtomArray] = symbols_for(sizes, values, name or model.name, graph)
        self.graph: Graph = self.inputs["t"][0].graph
        self.p = named_parameters(values, self.inputs["p"])
        self.t: Atom = self.inputs["t"][0]
        self.planar = layout.planar
        self.w = inputs_at(model.inputs, self.t, self.p, model.name)
        self.world = Base.root(self.graph, "world")
        self.origin = Point.root(self.world, "O")
        #: reactions of joints, as far as they were asked for; those of the tree are found together
        self._reactions: dict[str, AtomArray] = {}
        self._made: dict[Hashable, Any] = {}
        self.tree_reactions: dict[str, AtomArray] | None = None
        #: forces of all motions that are functions of time, once one was asked for
        self.prescribing_forces: dict[JointCoordinate, Any] | None = None
        self._places: dict[str, Place] = {}
        self._frames: dict[int, tuple[Marker, Frame]] = {}
        #: auxiliary variables that follow from the other coordinates, element by element
        self.auxiliary: tuple[AuxiliaryBlock, ...] = ()
        #: elements whose laws are being asked for quantities
        self.asking: list[str] = []
        #: what elements have made of this scene and need again
        self.kept: dict[Any, Any] = {}
        for v, a in zip(self.inputs["v"], self.inputs["a"], strict=True):
            self.graph.variable(v.name, rate=a)
        self._know_rates()

    @property
    def is_tree(self) -> bool:
        """Whether poses, and joints that move along constant directions, carry all bodies, each of which is rigid."""
        layout = self.layout
        rigid = bool(layout.bodies) and all(body.is_rigid for body in layout.bodies)
        return layout.custom is None and rigid and not layout.changing_directions()

    def _know_rates(self) -> None:
        """Tell the graph q̇ = T v."""
        q, v = self.inputs["q"], self.inputs["v"]
        self.q_rate: list[Any] = [0.0] * len(q)

        def tell(i: int, rate: Any) -> None:
            self.graph.variable(q[i].name, rate=rate)
            self.q_rate[i] = rate

        def tell_all(i: int, rates: Any) -> None:
            for j, rate in enumerate(rates):
                tell(i + j, rate)

        for carrier in self.layout.order():
            if isinstance(carrier, Pose):
                tell_all(carrier.q, v[carrier.v : carrier.v + 3])
        for motion, i, k in self._motions():
            tell_all(i, motion.rates(q[i : i + motion.n_q], v[k : k + motion.n_v]))
        for body in self.layout.bodies:
            i, k = self.layout.modes[body.name]
            tell_all(i, v[k : k + len(body.modes)])
        if self.layout.custom is not None:
            for i in range(len(q) - len(self.layout.angles) - self.layout.n_auxiliary):
                tell(i, v[i])
        for i, k in self.layout.given.values():
            tell(i, v[k])
        for body in self.layout.bodies:
            if body.name in self.layout.body_angles:
                place = self.place(body)
                w = angular_velocity(place.base).components(place.base)
                tell(self.layout.body_angles[body.name][0], w[2])
        for coordinate, i in self.layout.angles.items():
            tell(i, self.rate(coordinate))
        for places in self.layout.places.values() if self.layout.augmented else ():
            for i, k in zip(places.auxiliary, places.auxiliary_velocities, strict=True):
                tell(i, v[k])
        if not self.layout.augmented:
            self.auxiliary = tuple(self._block(element) for element in self.layout.with_auxiliary)
            for block in self.auxiliary:
                for i, rate in zip(block.places, block.rates(q, self.q_rate), strict=True):
                    tell(i, rate)

    def auxiliary_equations(self, element: Element) -> list[Any]:
        """What vanishes where the auxiliary variables of an element are right."""
        found, n = element.auxiliary_equations(self.site(element)), len(element.auxiliary)
        if len(found) != n:
            raise ModelError(f"{element.label} has {n} auxiliary variables and {len(found)} equations for them")
        return found

    def _block(self, element: Element) -> AuxiliaryBlock:
        """Auxiliary variables of an element with their equations, which may depend on nothing but coordinates: q̇ = T v
        has no room for more."""
        equations, places = array(self.auxiliary_equations(element)), self.layout.places[element.name].auxiliary
        if self.t in symbols_in(equations):
            raise ModelError(
                f"{element.label}: its auxiliary variables depend on time by themselves, through a law or a prescribed "
                "joint; ask for equations(auxiliary='augmented'), or drive the joint (m.drive)"
            )
        return AuxiliaryBlock(places, equations, element.label)

    # ------------------------------------------------------------------------------------------------ places

    def number(self, value: Any) -> Any:
        """A number as it is; an expression of the model's parameters in the symbols of this graph."""
        items = np.asarray(value, dtype=object)
        if not any(isinstance(item, Atom) for item in items.flat):
            return value
        known = {atom.name: atom for atom in self.inputs["p"]}
        return transplant(value, self.graph, known)

    def place(self, body: Body) -> Place:
        """A frame that moves with the body."""
        if body.name not in self._places:
            self._own_body(body)
            # Chains may be longer than Python's stack: the parents first.
            missing = [body]
            while not self._is_placed(missing[-1]):
                missing.append(self.layout.carriers[missing[-1].name].parent)  # type: ignore[union-attr]
            for one in reversed(missing):
                if one.name not in self._places:
                    self._places[one.name] = self._placed(one)
        return self._places[body.name]

    def _is_placed(self, body: Body) -> bool:
        """Whether the place of a body needs no other that is not there yet."""
        if body.is_ground or self.layout.custom is not None or isinstance(self.layout.carriers[body.name], Pose):
            return True
        return self.layout.carriers[body.name].parent.name in self._places  # type: ignore[union-attr]

    def _placed(self, body: Body) -> Place:
        if body.is_ground:
            return Place(self.world, self.origin, np.eye(3), np.zeros(3), 0.0)
        if self.layout.custom is not None:
            return self._custom_place(body)
        carrier = self.layout.carriers[body.name]
        return self._posed(carrier) if isinstance(carrier, Pose) else self._carried(carrier)

    def _posed(self, pose: Pose) -> Place:
        body, q = pose.body, self.inputs["q"][pose.q :]
        if self.layout.lifted and self.planar:
            # Of Euler parameters in space, a planar body has the cosine and the sine of half its angle.
            p0, p3, w = q[3], q[6], self.inputs["v"][pose.v + 5]
            c, s = 1.0 - 2.0 * p3 * p3, 2.0 * p0 * p3
            base = self.world.turned(
                body.name, array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]), angular_velocity=[0.0, 0.0, w]
            )
            point = self.origin.moved(body.name, self.world.vector(q[0], q[1], 0.0))
            angle = self.inputs["q"][self.layout.body_angles[body.name][0]]
        elif self.planar:
            base = self.world.rotated(body.name, (0, 0, 1), q[2])
            point = self.origin.moved(body.name, self.world.vector(q[0], q[1], 0.0))
            angle = q[2]
        else:
            w = self.inputs["v"][pose.v + 3 : pose.v + 6]
            base = self.world.euler_parameters(body.name, list(q[3:7]), angular_velocity=w)
            point, angle = self.origin.moved(body.name, self.world.vector(*q[:3])), None
        return Place(base, point, np.eye(3), -self.number(body.reference), angle)

    def _carried(self, carrier: Carried) -> Place:
        joint = carrier.joint
        inner, outer = (joint.second, joint.first) if carrier.backwards else (joint.first, joint.second)
        way = self._start_of(inner)
        if carrier.backwards and self.opens:
            way.settle(f"{joint.name}.inner")
            way.base, way.point = self._opened(joint, way.base, way.point, -1.0)
        q, v, data = self.inputs["q"], self.inputs["v"], self.motion_data(joint)
        for motion, i, k in carrier.motions():
            for number, step in enumerate(motion.steps(q[i : i + motion.n_q], v[k : k + motion.n_v], data)):
                way.name = f"{joint.name}.{motion.name}" + (f".{number}" if number else "")
                step.move(way)
        way.settle(f"{joint.name}'")
        if self.opens and not carrier.backwards:
            way.base, way.point = self._opened(joint, way.base, way.point, 1.0)
        return carrier.body.place_from(self, outer, Frame(way.base, way.point, way.angle))

    def _opened(self, joint: Joint, base: Base, point: Point, sign: float) -> tuple[Base, Point]:
        """The second frame of a joint that is opened by a virtual motion, seen from the inside (1) or outside (−1)."""
        raise NotImplementedError

    def _start_of(self, marker: Marker) -> FrameOnTheWay:
        """Where the motions of a joint begin: at the marker on its inner side."""
        home = marker.body.place_of(self, marker)
        r, R = home.r, home.R
        point = home.point if is_zero(r) else Point(f"{marker.body.name}'", home.point, home.base.vector(*r))
        return FrameOnTheWay(home.base, point, home.angle, None if is_identity(R) else R)

    def _custom_place(self, body: Body) -> Place:
        if not self._places.keys() - {self.model.ground.name}:
            names = self.layout.names["q"]
            q = Data({name: self.inputs["q"][i] for i, name in enumerate(names)})
            world = Frame(self.world, self.origin, 0.0)
            assert self.layout.custom is not None
            for name, frame in self.layout.custom(world, q, self.p).items():
                self._places[name] = Place(frame.base, frame.point, np.eye(3), np.zeros(3), frame.angle)
        return self._places[body.name]

    def frame(self, marker: Marker) -> Frame:
        """Where a marker is."""
        kept = self._frames.get(id(marker))
        if kept is None:
            self._own_body(marker.body)
            frame = marker.body.frame_at(self, marker)
            kept = self._frames[id(marker)] = (marker, frame)  # the marker lives as long as its number is used
        return kept[1]

    def _own_body(self, body: Body) -> None:
        """Complain about a body of another model, which may have the same name, and about one that came later."""
        if body.is_ground:
            return
        if body.model.whole is not self.model.whole:
            raise ModelError(of_another_model(body, self.model))
        if body.name not in self.layout.modes:
            raise ModelError(
                f"body '{body.name}' came after these equations of '{self.model.name}' had been made; make them anew"
            )

    def own(self, element: Element) -> None:
        """Complain about an element of another model, which may have the same name, and about one that came later."""
        described = self.layout.described
        if described is None or described.get(element.name) is element:
            return
        for marker in (*element.markers, *(marker for one in element.coordinates for marker in one.joint.markers)):
            self._own_body(marker.body)
        raise ModelError(
            f"{element.label} is none of these equations of '{self.model.name}': it came after they had been made, or "
            "belongs to another model; make them anew"
        )

    # ------------------------------------------------------------------------------------------- coordinates

    def value(self, coordinate: JointCoordinate) -> Any:
        """A coordinate of a joint."""
        self.own(coordinate.joint)
        if coordinate in self.layout.prescribed:
            return self.prescribed(coordinate)[0]
        i = self.layout.index("q", coordinate)
        if i is not None:
            return self.inputs["q"][i]
        return self._relative(coordinate)[0]

    def rate(self, coordinate: JointCoordinate) -> Any:
        """Velocity of a coordinate of a joint."""
        self.own(coordinate.joint)
        if coordinate in self.layout.prescribed:
            return self.prescribed(coordinate)[1]
        k = self.layout.index("v", coordinate)
        return self.inputs["v"][k] if k is not None else self._relative(coordinate)[1]

    def prescribed(self, coordinate: JointCoordinate) -> tuple[Any, Any]:
        """Value and rate of a coordinate that is a function of time."""
        return self.in_time(self.layout.prescribed[coordinate])

    def in_time(self, law: Drive) -> tuple[Any, Any]:
        """Value and rate that the law of a drive says."""
        data = self.data_of(law)
        site = Site(self.graph, self.planar, self.t, self.p, data=data, label=law.label, w=self.w)
        return law.in_time(site)

    def motion_data(self, joint: Joint) -> Data:
        """Data of a joint of the tree, with those motions that are functions of time."""
        known = [one for one in self.layout.prescribed if one.joint is joint]
        data = self.data_of(joint)
        for one in known:
            vars(data).update(Prescribed.data(one.label, *self.prescribed(one)))
        return data

    def _relative(self, coordinate: JointCoordinate) -> tuple[Any, Any]:
        joint = coordinate.joint
        A, B = self.frame(joint.first), self.frame(joint.second)
        return joint.relative_motion(coordinate.label, A, B, self.data_of(joint))

    def data_of(self, element: Element) -> Data:
        """Data of an element in the symbols of this graph."""
        found = {}
        for key, value in element.data.items():
            try:
                found[key] = self.number(value)
            except SymbolicError:
                raise ModelError(
                    f"{element.label}: {key} may be an expression of parameters of this model, not of other symbols; "
                    f"got {shown(value)}"
                ) from None
        return Data(found)

    def site(self, element: Element) -> Site:
        """What an element sees."""
        self.own(element)
        places = self.layout.places.get(element.name)
        rows = () if places is None else places.rows + places.moving_rows
        return Site(
            self.graph,
            self.planar,
            self.t,
            self.p,
            [self.frame(marker) for marker in element.markers],
            [self.value(coordinate) for coordinate in element.coordinates],
            [self.rate(coordinate) for coordinate in element.coordinates],
            self.data_of(element),
            [self.inputs["u"][i] for i in (() if places is None else places.states)],
            [self.inputs["lam"][i] for i in rows],
            element.label,
            self.w,
            self,
            [self.inputs["q"][i] for i in (() if places is None else places.auxiliary)],
        )

    def seen_by(self, label: str, quantity: Quantity) -> Any:
        """A quantity in the law of an element."""
        self.asking.append(label)
        try:
            found = quantity.build(self)
        finally:
            self.asking.pop()
        self.check_accelerations(label, quantity, found)
        return found

    def check_accelerations(self, label: str, quantity: Quantity, found: Any) -> None:
        """Complain about a law that is made of accelerations."""
        if symbols_in(list(array(found).reshape(-1))) & set(self.inputs["a"]):
            raise ModelError(
                f"{label} depends on {quantity.name or 'a quantity'} that is made of accelerations, which follow from "
                "all forces, this one among them; a controller in discrete time (m.sampled) sees those of the last "
                "instant"
            )

    def normalised(self) -> AtomArray | None:
        """q with Euler parameters of length one, angles that agree with the frames, and auxiliary variables after one
        correction of Newton's method; None if all is as it must be."""
        q = list(self.inputs["q"])
        angles = {i: unwrapped(self._relative(coordinate)[0], q[i]) for coordinate, i in self.layout.angles.items()}
        for name, (i, offset) in self.layout.body_angles.items():
            place = self._places[name]
            R = place.base.R if self.layout.lifted else None
            if R is None:
                angles[i] = place.angle
            else:
                angles[i] = unwrapped(arctan2(R[1, 0], R[0, 0]) + self.number(offset), q[i])
        unit: dict[Atom, Any] = {}
        for motion, i, _ in self._motions():
            conditioned = motion.normalised(q[i : i + motion.n_q])
            if conditioned is not None:
                unit |= dict(zip(q[i : i + motion.n_q], conditioned, strict=True))
        if angles and unit:
            # Angles are those of the frames that remain; matrices of longer Euler parameters are no rotations.
            angles = dict(zip(angles, substitute(array(list(angles.values())), unit), strict=True))
        # Corrections are repeated, so they need not know of lengths that are restored at the same time.
        angles |= {
            i: q[i] + change
            for block in self.auxiliary
            for i, change in zip(block.places, block.correction(self.inputs["q"]), strict=True)
        }
        found = [angles.get(i, unit.get(atom, atom)) for i, atom in enumerate(q)]
        return array(found) if unit or angles else None

    def _motions(self) -> Iterator[tuple[Motion, int, int]]:
        """Motions of all joints of the tree, and the rotations of all poses, with the places of their coordinates and
        velocities."""
        for carrier in self.layout.order():
            if isinstance(carrier, Carried):
                yield from carrier.motions()
            elif not self.planar or self.layout.lifted:
                yield AnyTurning(), carrier.q + 3, carrier.v + 3

    # ------------------------------------------------------------------------------------ forces and energies

    @property
    def gravity(self) -> Any:
        """Acceleration of gravity, in the axes of the world."""
        return self.number(self.model.gravity)

    def modes(self, body: Body) -> tuple[Any, Any]:
        """A body's own coordinates and velocities."""
        i, k = self.layout.modes[body.name]
        n = len(body.modes)
        return self.inputs["q"][i : i + n], self.inputs["v"][k : k + n]

    def potential_energy(self) -> Any:
        """Of gravity, springs and whatever else has one."""
        total: Any = 0.0
        for body in self.layout.bodies:
            total = total + body.potential_energy_at(self)
        for element in self.layout.elements:
            total = total + element.potential(self.site(element))
        return total

    def kinetic_energy(self) -> Any:
        """Of all bodies."""
        return sum((body.kinetic_energy_at(self) for body in self.layout.bodies), 0.0)

    def made_once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Something of this scene that is made once."""
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    def reaction(self, joint: Joint) -> Any:
        """Force and moment on the second body, at its frame, in the axes of the first."""
        from dalembert.model.formulate.reactions import reaction

        self.own(joint)
        if joint.name not in self._reactions:
            self._reactions[joint.name] = reaction(self, joint)
        return self._reactions[joint.name]

    def prescribing_force(self, coordinate: JointCoordinate) -> Any:
        """Force or moment that a motion along a coordinate which is a function of time needs."""
        from dalembert.model.formulate.reactions import prescribing_force

        return prescribing_force(self, coordinate)

    def momentum(self) -> tuple[Any, Any]:
        """Momentum and angular momentum about the origin of the world, in its axes."""
        total, turning = zeros((3,)), zeros((3,))
        for body in self.layout.bodies:
            p, spin = body.momentum_at(self)
            total, turning = array(total + p), array(turning + spin)
        return total, turning

    def linear_momentum(self) -> Any:
        """The components that a user sees."""
        return self.model.in_plane(self.momentum()[0])

    def angular_momentum(self) -> Any:
        """About the origin of the world; a number in the plane."""
        turning = self.momentum()[1]
        return turning[2] if self.planar else turning

    def generalised(self, pairs: Sequence[tuple[Any, Any]], velocities: Any = None) -> AtomArray:
        """Generalised forces of pairs of forces and velocities."""
        return virtual_power(pairs, self.inputs["v"] if velocities is None else velocities)


def inputs_at(functions: Mapping[str, Any], t: Any, p: Any, name: str) -> Inputs:
    """Excitations w(t) of a model as atoms."""
    return Inputs({key: call_by_name(f"'{name}': input '{key}'", f, {"t": t, "p": p}) for key, f in functions.items()})
