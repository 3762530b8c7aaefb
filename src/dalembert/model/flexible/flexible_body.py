"""Flexible bodies in a floating frame of reference: a body frame that moves at will, and modes of deformation in it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.arguments import instance, known_name, real, text
from dalembert.elastic.flexibility import Flexibility, Nodes, Reals
from dalembert.equations.builders.contraction import Products
from dalembert.equations.contract.guards import Guard
from dalembert.errors import ModelError
from dalembert.model.bodies.inertia import MassProperties
from dalembert.model.bodies.parts import Body, Marker, Pairs
from dalembert.model.constraints.drives import Drive
from dalembert.model.flexible.drawing import node_track, polylines
from dalembert.model.flexible.field_inertia import Fields, Objects, contracted, contracted_twice
from dalembert.model.frames import Frame, Place, is_identity
from dalembert.model.quantity import Quantity
from dalembert.symbolic import Base, arctan, array, maximum
from dalembert.symbolic.mechanics import acceleration, angular_acceleration
from dalembert.symbolic.mechanics.components import scalars
from dalembert.symbolic.mechanics.rotations import EulerParameters, Rotation, rotation_matrix

if TYPE_CHECKING:
    from dalembert.model.description import Description
    from dalembert.model.formulate.scene import Scene
    from dalembert.model.joints.joints import Joint


#: rad: slopes beyond which a floating frame with small deformations is not to be trusted (10°)
STEEPEST = np.pi / 18.0
#: nodes whose slopes are watched
WATCHED = 9
#: entries of the matrices of a body that may stand in formulas as numbers; more, if at most this share of all is there
LARGEST_IN_FORMULAS = 4000
SPARSE = 0.1
#: what scenes keep the products of matrices under
PRODUCTS = "products of matrices"


@dataclass(frozen=True, eq=False)
class NodeShapes:
    """How a point of a flexible body moves and turns in its frame: the shapes there."""

    name: str
    #: (3, n): zeros along the normal of a planar model
    translation: Reals
    #: (3, n), or None where nothing turns it: a node of a solid
    rotation: Reals | None = None
    #: (3, n, n), or None
    second_order: Reals | None = None

    @property
    def moves(self) -> bool:
        """Whether a deformation moves it."""
        return bool(self.translation.any()) or self.second_order is not None

    @property
    def turns(self) -> bool:
        """Whether a deformation turns it."""
        return self.rotation is not None and bool(self.rotation.any())

    def displacement(self, q: Any) -> Any:
        """Φ_t q + ½ qᵀΓq."""
        found = contracted(self.translation, q)
        if self.second_order is not None:
            found = found + 0.5 * contracted_twice(self.second_order, q, q)
        return found


def node_of(nodes: Nodes, k: int) -> NodeShapes:
    """A node with components in space, zeros along the normal of a plane."""
    _, d, n = nodes.translation.shape
    translation = np.zeros((3, n))
    translation[:d] = nodes.translation[k]
    rotation = second = None
    if nodes.turns(k):
        assert nodes.rotation is not None
        rotation = np.zeros((3, n))
        rotation[3 - nodes.rotation.shape[1] :] = nodes.rotation[k]
    if nodes.second_order is not None and nodes.second_order[k].any():
        second = np.zeros((3, n, n))
        second[:d] = nodes.second_order[k]
    return NodeShapes(nodes.names[k], translation, rotation, second)


class FlexibleBody(Body):
    """A flexible body; made by :meth:`Model.flexible_body` and :meth:`Model.beam`.

    Its coordinates are those of its frame and one for each mode.  Markers stand at nodes, ``body.node("tip")`` or
    ``body.at(x, y, z)``, and move and turn with the deformation; ``body.origin`` is the body frame itself, which the
    reference condition of the data says something about.
    """

    is_flexible = True

    #: whether all products of second-order displacements count; decided by the joints unless it is said
    all_products: bool | None = None

    def __init__(
        self, model: Description, name: str, flexibility: Flexibility, *, magnification: float = 1.0, **options: Any
    ) -> None:
        where = f"flexible body '{text(name, 'FlexibleBody: name', ModelError)}'"
        #: how much larger than they are deformations are drawn
        self.magnification = real(magnification, f"{where}: magnification", ModelError)
        self.flexibility = instance(flexibility, Flexibility, f"{where}: flexibility", ModelError)
        super().__init__(model, name, **options)
        if flexibility.planar != model.planar:
            kinds = ("space", "the plane")
            raise ModelError(
                f"{where}: its data are for {kinds[flexibility.planar]}, the model '{model.name}' is in "
                f"{kinds[model.planar]}"
            )
        self.modes = tuple(mode.name for mode in flexibility.modes)

    def __repr__(self) -> str:
        return f"<FlexibleBody '{self.name}': {self.flexibility.n} modes>"

    @property
    def variant(self) -> Hashable:  # type: ignore[override]
        return self.flexibility

    @property
    def properties(self) -> MassProperties:
        """Mass, centre of mass and inertia of the undeformed body."""
        data = self.flexibility
        com = np.zeros(3)
        com[: data.dimension] = data.com
        return MassProperties._made(data.mass, com, data.inertia)

    @property
    def mass(self) -> float:
        """Mass, in kg."""
        return self.flexibility.mass

    def alike(self, model: Description, name: str, data: Mapping[str, Any]) -> FlexibleBody:
        other = FlexibleBody(model, name, self.flexibility)
        other.all_products = self._all_products()
        return other

    def _all_products(self) -> bool:
        """Whether products of second-order displacements with all others count.

        They keep the kinetic energy positive where the modes can nearly undo motions of the frame; where that has none
        of its own, the expansion to second order is nearer to the truth (the page on flexible bodies has numbers).
        """
        if self.all_products is not None:
            return self.all_products
        if self.flexibility.second_order is None:
            return False
        return not any(self._holds(joint) for joint in self.model.joints)

    def _holds(self, joint: Joint) -> bool:
        """Whether a joint leaves the body frame no motion of its own: it stands where the frame is clamped, and has no
        motion, or none that is not driven."""
        reference, nodes = self.flexibility.reference, self.flexibility.nodes
        if reference.kind != "clamped" or not any(marker.body is self for marker in joint.markers):
            return False
        place = nodes.X[nodes.index(reference.nodes[0])]
        own = [marker.r[: len(place)] for marker in joint.markers if marker.body is self]
        driven = sum(isinstance(one, Drive) and one.coordinates[0].joint is joint for one in self.model.elements)
        at_clamp = any(np.allclose(np.asarray(r, dtype=float), place) for r in own)
        return at_clamp and joint.freedom == driven

    @property
    def by_arrays(self) -> bool:  # type: ignore[override]
        """Whether its matrices are too large to stand in formulas number by number."""
        data = self.flexibility
        parts = [data.product_integral, data.stiffness, data.damping]
        parts += [] if data.second_order is None else [data.second_order]
        entries, places = sum(int(np.count_nonzero(part)) for part in parts), sum(part.size for part in parts)
        return entries > max(LARGEST_IN_FORMULAS, SPARSE * places)

    # ------------------------------------------------------------------------------------------------------- markers

    def node(self, name: str, *, rotation: Any = None, angle: Any = None, axis: Any = None) -> Marker:
        """A marker at a node, which moves and turns with the deformation; axes as in :meth:`at`."""
        nodes = self.flexibility.nodes
        known_name(name, nodes.names, f"flexible body '{self.name}': node", ModelError)
        k = nodes.names.index(name)
        plain = super().at(*nodes.X[k], rotation=rotation, angle=angle, axis=axis)
        return Marker(self, plain.r, plain.R, plain.turn, self._shapes_at(k))

    def at(self, *position: Any, rotation: Any = None, angle: Any = None, axis: Any = None) -> Marker:
        """A marker at the node that stands at this place of the undeformed body; an error where there is none."""
        plain = super().at(*position, rotation=rotation, angle=angle, axis=axis)
        nodes, d = self.flexibility.nodes, self.flexibility.dimension
        where = f"flexible body '{self.name}'"
        place = np.asarray(plain.r[:d])
        if place.dtype != float:
            raise ModelError(f"{where}: markers stand at nodes, whose places are numbers, not expressions")
        if not len(nodes):
            raise ModelError(f"{where} has no nodes that a marker could stand at")
        distances = np.linalg.norm(nodes.X - place, axis=1)
        k = int(np.argmin(distances))
        size = float(np.linalg.norm(np.ptp(nodes.X, axis=0))) or 1.0
        if distances[k] > 1e-6 * size:
            raise ModelError(
                f"{where}: there is no node at {place.tolist()}; the nearest is '{nodes.names[k]}' at "
                f"{nodes.X[k].tolist()}"
            )
        return Marker(self, plain.r, plain.R, plain.turn, self._shapes_at(k))

    def _shapes_at(self, k: int) -> NodeShapes:
        kept: dict[int, NodeShapes] = self.__dict__.setdefault("_nodes", {})
        if k not in kept:
            kept[k] = node_of(self.flexibility.nodes, k)
        return kept[k]

    def lines(self) -> list[list[Marker]]:
        """Markers along the lines that the body is drawn with."""
        names = self.flexibility.nodes.names
        return [[self.node(names[k]) for k in line] for line in polylines(self.flexibility.edges)]

    def track(self, q: Reals) -> dict[str, Any] | None:
        """Points in the body frame at many instants, with deformations magnified; ``q`` is (n_t, n)."""
        return node_track(self.flexibility, q, self.magnification)

    def guards(self, scene: Scene) -> list[Guard]:
        """Runs are told where slopes leave the range of small deformations in a floating frame."""
        nodes = self.flexibility.nodes
        turning = [k for k in range(len(nodes)) if nodes.turns(k)]
        some = turning[:: max(1, -(-len(turning) // WATCHED))]
        if not some or not self.modes:
            return []
        limit = np.degrees(STEEPEST)
        name = (
            f"flexible body '{self.name}' turns by more than {limit:.0f}°, too much for small deformations in a frame"
        )
        return [Guard(name, partial(_room, self, tuple(some), scene), ends=False)]

    # -------------------------------------------------------------------------------------------------- in a scene

    def place_of(self, scene: Scene, marker: Marker) -> Place:
        node = marker.node
        if not isinstance(node, NodeShapes) or not (node.moves or node.turns):
            return super().place_of(scene, marker)
        place = scene.place(self)
        q, q_rate = scene.modes(self)
        r = product_or_numbers(place.R, scene.number(marker.r) + node.displacement(q))
        if not node.turns:
            plain = super().place_of(scene, marker)
            return Place(plain.base, plain.point, plain.R, array(r + place.r), plain.angle)
        home = Place(place.base, place.point, place.R, array(r + place.r), place.angle).frame(
            f"{self.name}.{node.name}"
        )
        base, turned = bent(home.base, node, q, q_rate, f"{self.name}.{node.name}'")
        angle = None if place.angle is None else place.angle + turned + scene.number(marker.turn)
        return Place(base, home.point, scene.number(marker.R), np.zeros(3), angle)

    def place_from(self, scene: Scene, marker: Marker, frame: Frame) -> Place:
        node = marker.node
        if not isinstance(node, NodeShapes) or not (node.moves or node.turns):
            return super().place_from(scene, marker, frame)
        # From the marker back to the body frame, against the deformation.
        q, q_rate = scene.modes(self)
        plain = Place(frame.base, frame.point, scene.number(marker.R).T, np.zeros(3), None).frame(f"{self.name}'")
        base, turned = plain.base, 0.0
        if node.turns:
            base, turned = bent(plain.base, node, q, q_rate, f"{self.name}''", back=True)
        angle = None if frame.angle is None else frame.angle - scene.number(marker.turn) - turned
        r = -(scene.number(marker.r) + node.displacement(q))
        return Place(base, frame.point, np.eye(3), array(r), angle)

    def _fields(self, scene: Scene) -> Fields:
        key = ("fields", self.name)
        if key not in scene.kept:
            scene.kept[key] = Fields(self.flexibility, scene.modes(self)[0], self._all_products(), times_in(scene))
        found: Fields = scene.kept[key]
        return found

    def _frame(self, scene: Scene) -> Frame:
        """The body frame itself."""
        return scene.place(self).frame(self.name)

    def _components(self, vector: Any, base: Base) -> Any:
        return vector.components(base)[: self.flexibility.dimension]

    def _spin(self, vector: Any, base: Base) -> Any:
        found = vector.components(base)
        return found[2:] if self.flexibility.planar else found

    def _vector(self, base: Base, components: Any) -> Any:
        return base.vector(*components, *[0.0] * (3 - len(components)))

    def _moment(self, base: Base, components: Any) -> Any:
        return base.vector(*[0.0] * (3 - len(components)), *components)

    def inertia_pairs(self, scene: Scene) -> Pairs:
        frame = self._frame(scene)
        base, (_, q_rate) = frame.base, scene.modes(self)
        k = scene.layout.modes[self.name][1]
        q_rate2 = scene.inputs["a"][k : k + len(q_rate)]
        a0 = self._components(acceleration(frame.point) - scene.world.vector(*scene.gravity), base)
        force, moment, along = self._fields(scene).forces(
            a0,
            self._spin(frame.angular_velocity, base),
            self._spin(angular_acceleration(base), base),
            q_rate,
            q_rate2,
        )
        pairs: Pairs = [
            (self._vector(base, force), frame.velocity),
            (self._moment(base, moment), frame.angular_velocity),
        ]
        return [*pairs, *zip(along, q_rate, strict=True)]

    def powers(self, scene: Scene) -> Pairs:
        body = self.flexibility
        q, q_rate = scene.modes(self)
        times = times_in(scene)
        resisting = times(body.damping, q_rate) + times(body.stiffness, q)
        if body.cubic is not None:
            resisting = resisting + 0.5 * contracted_twice(body.cubic, q, q)
        return [(-force, rate) for force, rate in zip(resisting, q_rate, strict=True)]

    def kinetic_energy_at(self, scene: Scene) -> Any:
        frame = self._frame(scene)
        v0, w = self._components(frame.velocity, frame.base), self._spin(frame.angular_velocity, frame.base)
        return self._fields(scene).kinetic_energy(v0, w, scene.modes(self)[1])

    def strain_energy_at(self, scene: Scene) -> Any:
        """½ qᵀKq, and the cubic part where there is one."""
        body, (q, _) = self.flexibility, scene.modes(self)
        energy = 0.5 * contracted_twice(body.stiffness, q, q)[()]
        if body.cubic is not None:
            forces = contracted_twice(body.cubic, q, q)
            energy = energy + sum(force * one for force, one in zip(forces, q, strict=True)) / 6.0
        return energy

    def potential_energy_at(self, scene: Scene) -> Any:
        frame = self._frame(scene)
        gravity = scene.world.vector(*scene.gravity)
        d = self._vector(frame.base, self._fields(scene).moments[0])
        weight = -self.flexibility.mass * (array(scene.gravity) @ frame.position) - gravity.dot(d)
        return weight + self.strain_energy_at(scene)

    def momentum_at(self, scene: Scene) -> tuple[Any, Any]:
        frame = self._frame(scene)
        v0, w = self._components(frame.velocity, frame.base), self._spin(frame.angular_velocity, frame.base)
        p, h, _ = self._fields(scene).momenta(v0, w, scene.modes(self)[1])
        momentum = self._vector(frame.base, p)
        turning = self._moment(frame.base, h) + scene.world.vector(*frame.position).cross(momentum)
        return momentum.components(scene.world), turning.components(scene.world)

    # --------------------------------------------------------------------------------------------------- quantities

    @property
    def strain_energy(self) -> Quantity:
        """Energy of deformation."""
        return Quantity(self.strain_energy_at, f"strain energy of {self.name}")

    def mode(self, which: str | int) -> Quantity:
        """Amplitude of a mode, by name or number from 1."""
        return self._amplitude(which, 0, "")

    def mode_rate(self, which: str | int) -> Quantity:
        """Its rate."""
        return self._amplitude(which, 1, ".rate")

    def _amplitude(self, which: str | int, of: int, ending: str) -> Quantity:
        if isinstance(which, int) and not isinstance(which, bool) and 1 <= which <= len(self.modes):
            which = self.modes[which - 1]
        name = known_name(which, self.modes, f"flexible body '{self.name}': mode", ModelError)
        return Quantity(partial(_mode_of, self, of, self.modes.index(name)), f"{self.name}.{name}{ending}")

    def deformation(self, name: str) -> Quantity:
        """Displacement of a node in the body frame, away from where it is in the undeformed body."""
        self.node(name)  # complains about a name that there is not
        node, labels = self._shapes_at(self.flexibility.nodes.index(name)), self.model.labels
        return Quantity(
            partial(_displacement_of, self, node, len(labels)), f"deformation of {self.name}.{name}", labels
        )

    def output(self, name: str) -> Quantity:
        """A quantity that is linear in the deformation and that the data know: a section force, a stress."""
        known = self.flexibility.outputs
        row = known[known_name(name, known, f"flexible body '{self.name}': output", ModelError)]
        return Quantity(partial(output_of, self, row), f"{name} of {self.name}")


def _room(body: FlexibleBody, some: tuple[int, ...], scene: Scene) -> Any:
    """What is left until a node turns too much: squares, so that it is smooth."""
    q = scene.modes(body)[0]
    largest: Any = 0.0
    for k in some:
        rotation = body._shapes_at(k).rotation
        assert rotation is not None
        turned = contracted(rotation, q)
        largest = maximum(largest, turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2])
    return STEEPEST**2 - largest


def _mode_of(body: FlexibleBody, of: int, j: int, scene: Scene) -> Any:
    return scene.modes(body)[of][j]


def _displacement_of(body: FlexibleBody, node: NodeShapes, size: int, scene: Scene) -> Any:
    return array(node.displacement(scene.modes(body)[0])[:size])


def output_of(body: FlexibleBody, row: Reals, scene: Scene) -> Any:
    """A quantity that is linear in the deformation."""
    return contracted(row, scene.modes(body)[0])[()]


def times_in(scene: Scene) -> Callable[[Any, Any], Objects]:
    """How matrices of numbers meet deformations and their rates in a scene: as arrays where that has products, else
    number by number."""
    products = scene.kept.get(PRODUCTS)
    return contracted if products is None else partial(_product_or_numbers, products)


def _product_or_numbers(products: Products, coefficients: Any, x: Any) -> Objects:
    items = np.asarray(coefficients)
    key = products.input_of(x) if items.dtype != object else None
    return contracted(items, x) if key is None else products.times(items, key)


def product_or_numbers(R: Any, r: Any) -> Any:
    """R r, where R may be the identity."""
    return np.asarray(r) if is_identity(R) else np.asarray(np.asarray(R, dtype=object) @ np.asarray(r, dtype=object))


def bent(base: Base, node: NodeShapes, q: Any, q_rate: Any, name: str, back: bool = False) -> tuple[Base, Any]:
    """Axes that a deformation turns from those of another base, and in the plane by which angle; ``back``: the axes
    from which it would turn them to these.

    By the small rotation θ = Φ_r q, as a proper one: Euler parameters ∝ (1, θ/2) (Cayley), so that rates are exact.
    With b = θ/2 the angular velocity in the turned axes is 2 (ḃ − b × ḃ)/(1 + b²).
    """
    assert node.rotation is not None
    b = 0.5 * contracted(node.rotation, q)
    rate = 0.5 * contracted(node.rotation, q_rate)
    sign = -1.0 if back else 1.0
    graph = base.graph
    if not node.rotation[:2].any():
        x, one = b[2], 1.0 + b[2] * b[2]
        c, s = (1.0 - x * x) / one, sign * 2.0 * x / one
        R = array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        w = scalars(graph, [0.0, 0.0, sign * 2.0 * rate[2] / one], (3,), name)
        return Base(name, base, graph, Rotation(rotation_matrix(graph, R, name), w)), 2.0 * arctan(x)
    squared = b[0] * b[0] + b[1] * b[1] + b[2] * b[2]
    factor = 2.0 / (1.0 + squared)
    cross = [b[1] * rate[2] - b[2] * rate[1], b[2] * rate[0] - b[0] * rate[2], b[0] * rate[1] - b[1] * rate[0]]
    w = scalars(graph, [factor * (sign * rate[i] - cross[i]) for i in range(3)], (3,), name)
    parameters = scalars(graph, [1.0, *(sign * b)], (4,), name)
    return Base(name, base, graph, EulerParameters(parameters, False, w)), 0.0
