"""The layer an engineer writes in: bodies, joints and forces, which become equations in coordinates of choice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.arguments import known_keywords, known_name, listed, one_of, shown, text
from dalembert.equations import Equations
from dalembert.equations.contract.expressions import symbols_in
from dalembert.errors import ModelError, ModelWarning, warn_caller
from dalembert.model.calls import records_calls
from dalembert.model.constraints.constraint_builders import ConstraintBuilders
from dalembert.model.constraints.drives import Prescription
from dalembert.model.constraints.limit_builders import LimitBuilders
from dalembert.model.element import Element
from dalembert.model.flexible.flexible_builders import FlexibleBuilders
from dalembert.model.forces.force_builders import ForceBuilders
from dalembert.model.forces.laws import coordinate_of
from dalembert.model.forces.numeric_forces import NumericForce, with_numeric_forces
from dalembert.model.forces.quantity_builders import QuantityBuilders
from dalembert.model.formulate.coordinate_layout import CoordinateLayout
from dalembert.model.formulate.custom import Custom
from dalembert.model.formulate.mechanism import Formulation, Mechanism
from dalembert.model.formulate.reach import find_reaches
from dalembert.model.formulate.scene import Scene
from dalembert.model.formulate.topology import massless_branch, spanning_tree
from dalembert.model.formulate.whole import whole_model
from dalembert.model.joints.joints import Joint, JointCoordinate
from dalembert.model.rails.wheelset import RailBuilders
from dalembert.model.starting.doubtful import warn_of_doubtful
from dalembert.symbolic import CompiledFunction, array, compile

if TYPE_CHECKING:
    from dalembert.equations.recursion import TreeDynamics

COORDINATES = ("relative", "absolute")
#: Systems with more velocities are not written out as one program.
LARGEST_WHOLE = 60
AUXILIARY = ("embedded", "augmented")
BUILDERS = ("auto", "symbolic", "elements", "recursion")


@dataclass(frozen=True)
class FormulationOptions:
    """How equations are made."""

    coordinates: Any
    builder: str = "auto"
    cut: tuple[str, ...] = ()
    tree: tuple[str, ...] = ()
    angles: tuple[JointCoordinate, ...] = field(default=())
    auxiliary: str = "embedded"


@records_calls
@known_keywords(ModelError)
class Model(RailBuilders, FlexibleBuilders, ConstraintBuilders, ForceBuilders, LimitBuilders, QuantityBuilders):
    """A mechanism: bodies, joints, forces, sensors.

    :param plane: "xy", "xz" or "yz" for planar mechanisms, whose vectors then have two components; space otherwise
    :param gravity: acceleration of gravity
    :param unphysical: what is done with inertias that no body can have, see :meth:`body`

    ::

        m = da.Model("pendulum", plane="xy", gravity=(0, -9.81))
        rod = m.body("rod", mass=1.0, inertia=0.1, com=(0.5, 0))
        A = m.revolute("A", m.ground.at(0, 0), rod.at(0, 0))
        equations = m.equations()
        solution = da.simulate(equations, (0, 5), equations.assemble({A.angle: 1.0}))
    """

    def equations(
        self,
        coordinates: str | Custom = "relative",
        *,
        builder: str = "auto",
        cut: Collection[str | Joint] = (),
        tree: Collection[str | Joint] = (),
        angles: Collection[str | JointCoordinate | Joint] | str | JointCoordinate | Joint = (),
        auxiliary: str = "embedded",
    ) -> Mechanism:
        """Equations of motion, frozen: later changes of the model do not reach them.

        :param coordinates: "relative": coordinates of the joints of a tree, with the other joints as constraints;
            "absolute": poses of all bodies, with all joints as constraints; or :class:`Custom` ones
        :param builder: "symbolic" (the whole model on one graph: fastest, compiled for this model), "elements"
            (absolute
            coordinates: types of elements are compiled once, cost in proportion to size), "recursion" (relative
            coordinates: numeric recursions, no compilation, cost in proportion to size), or "auto" by size
        :param cut: joints that must close loops; ``tree``: joints whose coordinates must be those of the tree
        :param angles: angles of joints that shall count turns though nothing but the user asks for them; or their names
        :param auxiliary: parameters of surfaces and curves that elements have: "embedded" (coordinates without
            velocities, which follow from the others) or "augmented" (massless coordinates, held by constraints)
        """
        if not self.bodies:
            raise ModelError(f"'{self.name}' has no bodies yet; add some first")
        known = isinstance(coordinates, str) and coordinates in COORDINATES
        if not known and not isinstance(coordinates, Custom):
            raise ModelError(
                f"'{self.name}': coordinates must be 'relative', 'absolute' or Custom(…), got {shown(coordinates)}"
            )
        one_of(builder, BUILDERS, f"'{self.name}': builder", ModelError)
        where = f"'{self.name}': angles"
        single = isinstance(angles, (str, Joint, JointCoordinate))
        items: Collection[Any] = (angles,) if single else listed(angles, where, ModelError)
        counted = tuple(coordinate_of(self._joint_named(one, where), where, angle=True) for one in items)
        cutting, kept = (_names(given, f"'{self.name}': {key}") for key, given in (("cut", cut), ("tree", tree)))
        one_of(auxiliary, AUXILIARY, f"'{self.name}': auxiliary", ModelError)
        options = FormulationOptions(coordinates, builder, cutting, kept, counted, auxiliary)
        made = self.formulated(self.elements, options, self.name)
        warn_of_doubtful(made)
        for told in (remark for body in self.bodies for remark in body.remarks(self.elements)):
            warn_caller(f"'{self.name}': {told}", ModelWarning)
        return made

    def _joint_named(self, item: Any, where: str) -> Any:
        """A joint or a coordinate of one by its name; what is none as it is."""
        if not isinstance(item, str):
            return item
        known = {name: one for joint in self.joints for name, one in ((joint.name, joint), *_named_angles(joint))}
        return known[known_name(item, known, where, ModelError)]

    def to_toml(self, *, run: Mapping[str, Any] | None = None, allow_python: bool = False) -> str:
        """The model as the text of a model file; laws that are Python functions become formulas.  What no file can say
        is refused by name.

        :param run: entries of its section [run], such as ``{"end": 5.0, "start": {A.angle: 1.0}}``
        :param allow_python: whether functions that no formula can say may be named as "module:function"
        """
        # The layer of files stands on this one, which works without it.
        made: str = import_module("dalembert.io").model_text(self, run=run, allow_python=allow_python)
        return made

    def forward_dynamics(self) -> CompiledFunction:
        """Machine code of the whole model: ``f(q, v, tau)["a"]``, accelerations from joint coordinates, their
        velocities and forces along them, in the order of ``m.equations("relative").names``; ``t`` and ``p`` follow
        where the model depends on them.

        For trees: models whose joints close no loop.  Forces of the model act besides ``tau``.
        """
        layout = self._tree_layout("forward_dynamics")
        scene = Scene(self, layout)
        from dalembert.model.formulate import articulated

        if not scene.is_tree:
            raise ModelError(f"'{self.name}': forward_dynamics needs rigid bodies and motions of constant direction")
        tau = scene.graph.variables("tau", len(scene.inputs["v"]))
        pairs = [pair for element in layout.elements for pair in element.powers(scene.site(element))]
        forces = array(tau + scene.generalised(pairs)) if pairs else tau
        inputs = {key: scene.inputs[key] for key in ("q", "v")} | {"tau": tau}
        found = articulated.accelerations(scene, forces)
        if found is None:
            culprit = massless_branch(spanning_tree(self.bodies, self.joints, self.ground))
            raise ModelError(
                f"'{self.name}': forward_dynamics needs mass on every branch of the tree"
                + (f", but {culprit}; give it mass, or fix it" if culprit else "")
            )
        used = symbols_in(found)
        inputs |= {key: scene.inputs[key] for key in ("t", "p") if used & set(scene.inputs[key])}
        return compile({"a": found}, inputs, name="forward_dynamics")

    def tree_dynamics(self) -> TreeDynamics:
        """Numeric recursions over the tree of the model, nothing compiled for it: ``forward_dynamics(q, v, tau)``,
        ``inverse_dynamics(q, v, a)``, ``mass_matrix(q)``, frames; of inertia and gravity alone."""
        from dalembert.equations.recursion import TreeDynamics
        from dalembert.model.formulate.by_recursion import Links

        layout = self._tree_layout("tree_dynamics")
        _check_recursion(layout)
        flexible = next((body for body in self.bodies if not body.is_rigid), None)
        if flexible is not None:
            raise ModelError(
                f"'{self.name}': tree_dynamics is for rigid bodies, and '{flexible.name}' is none; use equations()"
            )
        return TreeDynamics(Links(self, layout).links, np.asarray(self.gravity, dtype=float), self.name)

    def _tree_layout(self, what: str) -> CoordinateLayout:
        layout = self.layout(self.elements, FormulationOptions("relative"))
        closing = [element.name for element in layout.elements if element.rows or element.moving_rows]
        if closing or layout.names["u"]:
            culprit = closing[0] if closing else layout.names["u"][0]
            raise ModelError(f"'{self.name}': {what} is for trees, but '{culprit}' is a constraint or has states")
        return layout

    def formulated(
        self, elements: Sequence[Element], options: FormulationOptions, name: str, whole: bool = False
    ) -> Mechanism:
        """Equations with these elements; ``whole``: on one graph, whatever builder was asked for."""
        now = self.frozen()
        layout = now.layout(elements, options)
        if _beyond_whole(now, options, layout):
            layout = now.layout(elements, options, recursive=True)
        if not layout.names["v"]:
            how = (
                "all bodies follow laws of time; drive the joint in place of prescribing it"
                if layout.prescribed
                else "all bodies are fixed to each other, or to the ground"
            )
            raise ModelError(f"'{self.name}': nothing can move; {how}")
        builder, why = ("symbolic", "") if whole else _chosen(now, options, layout)
        if any(isinstance(element, Prescription) for element in layout.elements):
            why += "; what is prescribed is driven by constraints in these coordinates"
        if builder == "symbolic":
            scene = Scene(now, layout, name)
            inner: Equations = whole_model(scene)
        else:
            inner = _builder(builder)(now, layout, name)
            scene = Scene(now, layout, name, inner.parameters)
        numeric = [element for element in layout.elements if isinstance(element, NumericForce)]
        if numeric:
            inner = with_numeric_forces(inner, scene, numeric)
        return Mechanism(inner, scene, Formulation(tuple(elements), dict(self.sensors), options, builder, why))

    def layout(
        self, elements: Sequence[Element], options: FormulationOptions, recursive: bool = False
    ) -> CoordinateLayout:
        """Coordinates, and places of these elements in the vectors of the equations; ``recursive``: for recursions,
        for which nothing of the tree is a function of time, and joints at points that deform close loops."""
        layout = CoordinateLayout(self.planar, list(self.bodies), turns_counted=not self.planar)
        layout.described = {element.name: element for element in elements}
        layout.augmented = options.auxiliary == "augmented"
        if isinstance(options.coordinates, Custom):
            options.coordinates.enter(self, layout)
            left = [element for element in elements if element.name not in options.coordinates.satisfied]
        elif options.coordinates == "absolute":
            for body in self.bodies:
                layout.add_pose(body)
            left = list(elements)
        else:
            joints = [element for element in elements if isinstance(element, Joint)]
            laws = {one.coordinates[0]: one for one in elements if isinstance(one, Prescription)}
            found = spanning_tree(
                self.bodies, joints, self.ground,
                cut=(*options.cut, *(_deforming(joints, options.tree) if recursive else ())), tree=options.tree,
                prescribed=self.prescribed_motions,
            )  # fmt: skip
            for body, joint, backwards in found.carried:
                if joint is None:
                    layout.add_pose(body)
                else:
                    layout.add_joint(body, joint, backwards, None if recursive else laws)
            known = layout.tree | {law.name for law in layout.prescribed.values()}
            left = [element for element in elements if element.name not in known]
            _check_prescribed(left, layout)
        measured = [*(one for element in left for one in element.asked_quantities), *self.sensors.values()]
        asked = [c for element in left for c in element.coordinates]
        for coordinate in (*options.angles, *asked, *(c for quantity in measured for c in quantity.coordinates)):
            if layout.needs_angle(coordinate):
                layout.add_angle(coordinate)
        layout.add_elements(left)
        return layout


def _chosen(model: Model, options: FormulationOptions, layout: CoordinateLayout) -> tuple[str, str]:
    """The builder, and why: one that has the whole on one graph where a law needs it."""
    builder, why = _fitting(options, layout)
    beyond = "" if builder == "symbolic" else find_reaches(model, layout)
    if not beyond:
        return builder, why
    if options.builder != "auto":
        raise ModelError(f"{beyond}; builder '{builder}' makes one of each element: use builder='symbolic'")
    return "symbolic", f"{beyond}, though {why}"


def _fitting(options: FormulationOptions, layout: CoordinateLayout) -> tuple[str, str]:
    """The builder for coordinates, bodies and size, and why."""
    absolute = options.coordinates == "absolute"
    solved = next((element.label for element in layout.with_auxiliary), "")
    if options.builder != "auto":
        if solved and options.builder != "symbolic":
            raise ModelError(
                f"builder '{options.builder}' has no auxiliary variables, and {solved} has some; use builder='symbolic'"
            )
        fits = {"elements": absolute, "recursion": options.coordinates == "relative"}.get(options.builder, True)
        if not fits:
            raise ModelError(f"builder '{options.builder}' does not fit coordinates {shown(options.coordinates)}")
        if options.builder == "recursion":
            _check_recursion(layout)
        return options.builder, "as it was asked for"
    n = len(layout.names["v"])
    if solved:
        return "symbolic", f"auxiliary variables, as those of {solved}, are solved for on one graph"
    large = next((body for body in layout.bodies if body.by_arrays), None)
    if absolute and large is not None:
        return "elements", f"matrices of body '{large.name}' are too large to stand in formulas"
    slow = "" if large is None else f"; matrices of body '{large.name}' stand in formulas number by number"
    if not absolute and (unknown := layout.unknown_to_recursions()):
        return "symbolic", f"the recursions do not know {unknown}{slow}"
    if large is not None and options.coordinates == "relative":
        return "recursion", f"matrices of body '{large.name}' are too large to stand in formulas"
    if options.coordinates == "relative":
        n -= sum(len(body.modes) for body in layout.bodies)  # modes make formulas longer, and not deeper
    if n > LARGEST_WHOLE and not isinstance(options.coordinates, Custom):
        return "elements" if absolute else "recursion", f"{n} velocities are more than {LARGEST_WHOLE}"
    return "symbolic", f"{n} velocities are at most {LARGEST_WHOLE}"


def _builder(name: str) -> Callable[[Model, CoordinateLayout, str], Equations]:
    """What makes equations without a graph of the whole; imported when it is asked for."""
    if name == "elements":
        from dalembert.model.formulate.absolute import by_elements

        return by_elements
    from dalembert.model.formulate.by_recursion import by_recursion

    return by_recursion


def _beyond_whole(model: Model, options: FormulationOptions, layout: CoordinateLayout) -> bool:
    """Whether relative coordinates are left to the recursions."""
    if options.coordinates != "relative" or options.builder not in ("auto", "recursion"):
        return False
    return options.builder == "recursion" or _chosen(model, options, layout)[0] == "recursion"


def _deforming(joints: Sequence[Joint], tree: Collection[str]) -> list[str]:
    """Joints at points of flexible bodies that deformations move or turn: recursions do not pass these."""
    found = [joint.name for joint in joints if any(marker.deforms for marker in joint.markers)]
    if both := set(found) & set(tree):
        raise ModelError(
            f"joint '{min(both)}' stands at a point that deformations move; recursions cannot have it in the tree: "
            "leave it out of tree=…, or use builder='symbolic'"
        )
    return found


def _check_prescribed(elements: Sequence[Element], layout: CoordinateLayout) -> None:
    """Complain about constraints on nothing but what is prescribed."""
    for element in elements:
        listed = element.coordinates
        if (element.rows or element.moving_rows) and not element.markers and listed:
            if all(one in layout.prescribed for one in listed):
                raise ModelError(
                    f"{element.label} constrains {listed[0].name} alone, which '{layout.prescribed[listed[0]].name}' "
                    "prescribes; remove one of them, or drive it (m.drive) where a stop shall hold it"
                )


def _check_recursion(layout: CoordinateLayout) -> None:
    """Complain about what cannot be a link."""
    if unknown := layout.unknown_to_recursions():
        raise ModelError(f"the recursions do not know {unknown}; use builder='symbolic'")


def _named_angles(joint: Joint) -> list[tuple[str, JointCoordinate]]:
    return [(one.name, one) for one in joint.own_coordinates.values() if one.is_angle]


def _names(items: Collection[str | Joint], what: str) -> tuple[str, ...]:
    given = (items,) if isinstance(items, (str, Joint)) else listed(items, what, ModelError)
    return tuple(item.name if isinstance(item, Joint) else text(item, what, ModelError) for item in given)
