"""The equations of a model, which still know its joints, sensors and reactions by name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike

from dalembert.arguments import instance, known_name, listed, mapping, real, reals, texts
from dalembert.equations import Equations, State
from dalembert.equations.builders.numeric import WithCallbacks
from dalembert.equations.builders.trace import named_parameters
from dalembert.equations.contract.auxiliary import AuxiliaryBlock
from dalembert.equations.contract.borders import Borders, borders_of, chooses
from dalembert.equations.contract.equations import PowersOfLength
from dalembert.equations.contract.guards import Guard
from dalembert.equations.contract.keeping import MAKING
from dalembert.equations.contract.provider import Floats, Provider
from dalembert.equations.contract.scales import Scales
from dalembert.equations.contract.sensors import Sensors
from dalembert.equations.contract.switching import Stop, Switched
from dalembert.equations.questions.assembly import smooth_start
from dalembert.equations.questions.many_states import is_many
from dalembert.errors import DalembertError, EquationsError, ModelWarning, StateError, suggestion, warn_caller
from dalembert.model.bodies.parts import Body
from dalembert.model.constraints.constraints import Constraint
from dalembert.model.constraints.drives import Drive
from dalembert.model.constraints.limits import Limit
from dalembert.model.element import Data, Element, FixedFrame, FixedSite, Site
from dalembert.model.forces.force_checks import (
    bending,
    culprit,
    depends_on_reactions,
    has_conditions,
    jumping,
    powers,
    stepping,
    unmet_condition,
)
from dalembert.model.forces.forces import Applied
from dalembert.model.forces.laws import coordinate_of
from dalembert.model.forces.sampled import SampledController, Sampling
from dalembert.model.forces.springs import Scalar
from dalembert.model.forces.tyres import Tyre
from dalembert.model.formulate.coordinate_layout import Carried, CoordinateLayout
from dalembert.model.formulate.lines import BodyLines
from dalembert.model.formulate.portrait import Portrait, constraint_error, units_of
from dalembert.model.formulate.quantity_values import QuantityValues
from dalembert.model.formulate.reactions import why_unknown, why_unknown_force
from dalembert.model.formulate.scene import Scene, inputs_at
from dalembert.model.formulate.topology import massless_branch, spanning_tree
from dalembert.model.joints.joints import TURNS, Guided, Joint, JointCoordinate
from dalembert.model.quantity import Quantity, value_of
from dalembert.model.starting.assembling import Assembly, name_of, quantity_of
from dalembert.model.starting.contradictions import warn_of_moves
from dalembert.model.starting.dimensions import coordinate_scales
from dalembert.model.starting.doubtful import warn_of_overruled
from dalembert.model.starting.given_starts import with_given_starts
from dalembert.model.starting.start import Start
from dalembert.symbolic import Atom, Graph, Vector, array

if TYPE_CHECKING:
    from dalembert.equations.questions.kinematics import Kinematics
    from dalembert.equations.questions.linearisation import Linearisation
    from dalembert.model.flexible.flexible_body import FlexibleBody
    from dalembert.model.model import Model

#: Corrections of auxiliary variables at the start, which are near already.
_CORRECTIONS = 6
#: Models with more joints and other elements measure reactions only where a sensor asks for them.
MANY_ELEMENTS = 60


@dataclass(frozen=True, eq=False)
class Formulation:
    """How equations were made: the elements and sensors of the model at that time, what the user asked for, the
    builder, and why it was taken."""

    elements: Sequence[Element]
    sensors: Mapping[str, Quantity]
    options: Any
    builder: str
    why: str


class Mechanism(Switched):
    """Equations of motion made by :meth:`Model.equations`; ``how`` says by which builder, and why."""

    inner: Equations
    model: Model
    described: Model

    def __init__(self, inner: Equations, scene: Scene, how: Formulation) -> None:
        self.inner, self.scene, self.how = inner, scene, how
        #: the model, and as it was when these equations were made
        self.model, self.described = scene.model.whole, scene.model
        self.layout = scene.layout
        if isinstance(inner, WithCallbacks):
            inner.described_scales = self.known_scales
        self.name, self.sizes, self.names, self.breaks = inner.name, inner.sizes, inner.names, inner.breaks
        self.parameters = inner.parameters
        self.rows, self.full_rows = inner.rows, inner.full_rows
        self.unit_T, self.C_is_G, self.normalizes = inner.unit_T, inner.C_is_G, inner.normalizes
        self.iterates_normal, self.auxiliary_places = inner.iterates_normal, inner.auxiliary_places
        self.auxiliary_chains = self.layout.auxiliary_chains(self.names["lam"])
        deforming = [cast("FlexibleBody", body) for body in self.layout.bodies if body.is_flexible]
        self.fast = tuple(f"{body.name}.{mode}" for body in deforming for mode in body.modes)
        self.fast_stiffness = _block_diagonal([body.flexibility.stiffness for body in deforming]) if deforming else None
        self.impulsive = frozenset(
            f"{element.name}.{row}" for element in self.layout.elements if element.impulse for row in element.rows
        )

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}, {self.how.builder}>"

    def __reduce__(self) -> Any:
        return _restored, (self.described, self.inner, self.how, self.scene.graph, self.layout)

    # ------------------------------------------------------------------------------------------- the contract

    def make_program(self, name: str) -> Provider:
        return self.inner.program(name)

    def lacks(self, program: str) -> str:
        return self.inner.lacks(program)

    @property
    def excitation_names(self) -> tuple[str, ...]:
        return () if self.lacks("excited") else tuple(vars(self.scene.w))

    def with_inputs_as_parameters(self, names: Sequence[str], t: float = 0.0) -> Mechanism:
        """The same equations with parameters in place of some excitations, for whoever sets these from outside, as a
        control loop does: ``w.name`` is ``p.name``, at first with the value that the excitation has at ``t``."""
        from dalembert.symbolic import evaluate

        listed = texts(names, f"'{self.name}': inputs", EquationsError)
        known, values = vars(self.scene.w), dict(zip(self.scene.inputs["p"], self.parameter_vector(), strict=True))
        values[self.scene.t] = self._instant(t)
        free = self.described.frozen_anew()
        for name in listed:
            if name not in known:
                raise EquationsError(f"'{self.name}' has no input '{name}'; {suggestion(name, known)}")
            if name in self.parameters:
                raise EquationsError(f"'{self.name}': input '{name}' has the name of a parameter; rename one of them")
            free.inputs[name] = partial(_parameter_named, name)
            free.parameter_values[name] = float(evaluate(known[name], values))
        return free.formulated(self.how.elements, self.how.options, self.name)

    def with_rows(self, rows: tuple[int, ...]) -> Equations:
        return Mechanism(self.inner.restricted(rows), self.scene, self.how)

    @property
    def powers_of_length(self) -> PowersOfLength | None:  # type: ignore[override]
        """Which constraints and velocities are lengths and which angles; None in custom coordinates."""
        return self.kept("powers of length", self._powers_of_length)

    def _powers_of_length(self) -> PowersOfLength | None:
        known = self.layout.powers_of_length()
        if not known["v"]:
            return None
        lam, v = (tuple(known[key].get(name, np.nan) for name in self.names[key]) for key in ("lam", "v"))
        return PowersOfLength(lam, v)

    def namespace(self) -> tuple[dict[str, Any], dict[str, Any]]:
        inputs = dict(self.scene.inputs)
        if len(self.rows) < len(inputs["lam"]):
            holonomic = [i for i in self.rows if i < len(inputs["mu"])]
            inputs |= {"lam": array(inputs["lam"][list(self.rows)]), "mu": array(inputs["mu"][holonomic])}
        values = {key: inputs[key] for key in ("q", "v", "u", "lam", "a")}
        return {**values, "t": self.scene.t, "p": self.scene.p, "w": None}, inputs

    def make_borders(self, least: int) -> Borders:
        """Those of the builder; recursions know frames alone, so there the elements are asked, one of each type
        first."""
        if self.how.builder != "recursion":
            return self.inner.borders(least)
        atoms: list[Atom] = []
        plain: set[Any] = set()
        for element in self.layout.elements:
            key = (type(element), element.variant)
            if key in plain:
                continue
            own = _atoms_of(element, self.scene.site(element))
            if chooses(own):
                atoms += own
            else:
                plain.add(key)
        dropped = [one for i, one in enumerate(self.scene.inputs["lam"]) if i not in set(self.rows)]
        return borders_of(atoms, self.scene.inputs, least).without(dropped, self.namespace()[1])

    @property
    def switches(self) -> Sequence[Stop]:
        """The stops of all limits."""
        return self.kept("switches", self._switches)

    def _switches(self) -> Sequence[Stop]:
        limits = [element for element in self.layout.elements if isinstance(element, Limit)]
        found = [stop for limit in limits for stop in limit.stops(self.scene)]
        return tuple(stop for stop in found if stop.row in self.names["lam"])

    @property
    def samplers(self) -> Sequence[Sampling]:
        """Sampled controllers of the model."""
        found = [one for one in self.layout.elements if isinstance(one, SampledController)]
        return self.kept("samplers", lambda: tuple(Sampling(self, one) for one in found)) if found else ()

    @property
    def guards(self) -> Sequence[Guard]:
        """Conditions of all elements and bodies."""
        return self.kept("guards", self._guards)

    def _guards(self) -> Sequence[Guard]:
        owners: list[Element | Body] = [*self.layout.elements, *self.layout.bodies]
        return [guard for one in owners for guard in one.guards(self.scene)]

    def remark(self, t: Floats, q: Floats) -> str:
        elements = self.layout.with_auxiliary
        found = []
        for kind in dict.fromkeys(type(one) for one in elements):
            places = {one.label: self.layout.places[one.name].auxiliary for one in elements if type(one) is kind}
            found.append(kind.remark(t, {label: q[list(at)] for label, at in places.items()}))
        return "".join(found)

    # --------------------------------------------------------------------------------------------- the start

    def known_scales(self, p: Floats) -> Scales | None:
        """Lengths as the description has them with these parameters, and 1 for angles; None for custom coordinates,
        which stand for anything."""
        if self.layout.custom:
            return None
        key = p.tobytes()
        known: tuple[bytes, Scales] | None = self.__dict__.get("_scales")
        if known is None or known[0] != key:
            known = self._scales = key, coordinate_scales(self, self._parameter_values(p))
        return known[1]

    def _parameter_values(self, p: Floats) -> dict[str, Any]:
        """Parameters by name, of a vector of all."""
        shapes = {key: np.shape(value) for key, value in self.parameters.items()}
        ends = np.cumsum([int(np.prod(shape)) for shape in shapes.values()])[:-1]
        return (
            {key: part.reshape(shape) for (key, shape), part in zip(shapes.items(), np.split(p, ends), strict=True)}
            if shapes
            else {}
        )

    def begin(self, parameters: Mapping[str, Any], values: Mapping[str, float], t: float = 0.0) -> Start:
        """Where bodies stand and how they move, as the description has it; ``values`` of joints by name count more, and
        what is prescribed or driven is as at the instant ``t``."""
        p = self.parameter_vector(parameters)
        known = {**values, **self.prescribed_at(t, p)}
        return Start(self.described, self.layout.bodies, self.joints, parameters, known, self.driven_at(t, p))

    def prescribed_at(self, t: float, p: Floats) -> dict[str, float]:
        """Coordinates, and rates, that are functions of time and none of the equations', by their names."""
        return self._in_time(self.layout.prescribed.values(), t, p)

    def driven_at(self, t: float, p: Floats) -> dict[str, float]:
        """Coordinates and rates that drives say; what is not finite is left to the constraints, which complain."""
        found = self._in_time([one for one in self.layout.elements if isinstance(one, Drive)], t, p)
        return {name: value for name, value in found.items() if np.isfinite(value)}

    def _in_time(self, laws: Collection[Drive], t: float, p: Floats) -> dict[str, float]:
        """Coordinates and rates that laws say at an instant, by their names."""
        if not laws:
            return {}
        from dalembert.symbolic import evaluate

        atoms = {
            name: atom
            for law in laws
            for one in law.coordinates
            for name, atom in zip((one.name, one.rate.name), self.scene.in_time(law), strict=True)
        }
        known = {self.scene.t: t, **dict(zip(self.scene.inputs["p"], p.tolist(), strict=True))}
        numbers = evaluate(array(list(atoms.values())), known)
        return dict(zip(atoms, np.asarray(numbers, dtype=float).tolist(), strict=True))

    def start(
        self, values: Mapping[Any, float] | None = None, parameters: Mapping[str, Any] | None = None
    ) -> tuple[Floats, Floats, Floats]:
        """q, v, u as the description has them, before anything is assembled, with values of coordinates of joints, and
        of coordinates, velocities and states of the equations."""
        items = {} if values is None else mapping(values, f"'{self.name}': values of the start", StateError)
        given = {quantity_of(key, self): value for key, value in items.items()}
        known = {one.name for joint in self.joint_coordinates for one in (joint, joint.rate)}
        known |= {name for key in ("q", "v", "u") for name in self.names[key]}
        for key in given:
            if name_of(key) not in known:
                raise StateError(
                    f"'{self.name}': {name_of(key) or 'a quantity'} is no coordinate, and none follows from it; "
                    "assemble meets values of any quantity"
                )
        return self._described_start(given, parameters)

    def _described_start(
        self, given: Mapping[Any, float], parameters: Mapping[str, Any] | None = None, t: float = 0.0
    ) -> tuple[Floats, Floats, Floats]:
        """As :meth:`start`; quantities that are no coordinates are left to others."""
        self.parameter_vector(parameters)  # complains about those that are not there
        known = {**dict(self.parameters), **dict(parameters or {})}
        named = self._named_values(given)
        begin = self.begin(known, named, t)
        q, v = (np.zeros(self.sizes.q), np.zeros(self.sizes.v)) if self.layout.custom else begin.fill(self.layout)
        u = self._described_states()
        for name, value in named.items():
            for key, vector in (("q", q), ("v", v), ("u", u)):
                if name in self.names[key]:
                    vector[self.index(key, name)] = value
        self._look_for_auxiliary(q, known, t, named)
        return q, v, u

    def _described_states(self) -> Floats:
        """External states where elements begin with them."""
        return np.array([value for element in self.layout.elements for value in element.states.values()], dtype=float)

    def _look_for_auxiliary(self, q: Floats, parameters: Mapping[str, Any], t: float, given: Mapping[str, Any]) -> None:
        """Where the auxiliary variables of elements begin, as their own search finds them where the bodies stand; those
        that are given stay."""
        from dalembert.symbolic import evaluate

        if not self.layout.with_auxiliary:
            return
        inputs, flat = self.scene.inputs, self.parameter_vector(parameters)
        known = {self.scene.t: t, **dict(zip(inputs["p"], flat.tolist(), strict=True))}
        known |= dict(zip(inputs["q"], q.tolist(), strict=True))

        def number(value: Any) -> Any:
            return np.asarray(evaluate(array(value), known), dtype=float)[()]

        p = named_parameters(self.parameters, flat)
        w = inputs_at(self.described.inputs, t, p, self.name)
        for element in self.layout.with_auxiliary:
            site = self.scene.site(element)
            frames = [FixedFrame(number(one.rotation), number(one.position)) for one in site.frames]
            data = Data({key: number(value) for key, value in vars(site.data).items()})
            found = element.find_auxiliary(FixedSite(frames, data, t, p, w, element.label))
            places = self.layout.places[element.name].auxiliary
            for i, value in zip(places, found, strict=True):
                q[i] = q[i] if self.names["q"][i] in given else value
            if self.layout.augmented:
                # Nothing else brings them onto their equations without moving bodies too.
                block = AuxiliaryBlock(places, array(self.scene.auxiliary_equations(element)))
                change = array(block.correction(inputs["q"]))
                for _ in range(_CORRECTIONS):
                    known |= {inputs["q"][i]: float(q[i]) for i in places}
                    q[list(places)] += number(change)

    def default(self, key: str) -> Floats:
        """Values at the start that are not given: those of the description."""
        self._size(key)
        if key == "u":
            return self._described_states()
        q, v, u = self.start()
        if key == "q":
            warn_of_moves(self)
        found = {"q": q, "v": v, "u": u}
        return found[key] if key in found else super().default(key)

    @property
    def _other_size(self) -> str:
        if not self.layout.angles and not any(isinstance(one, Drive) for one in self.model.elements):
            return ""
        return (
            "; if it belongs to other equations of the model: drives let angles of joints outside of the tree count "
            "turns, each with a coordinate of its own; make both with the same angles=, cut= and tree="
        )

    def vector(self, key: str, value: Any) -> Floats:
        """A vector of the size of ``key``, from numbers or by quantities, ``{A.angle: 1.0}``; what is not named is as
        in the description."""
        if isinstance(value, Mapping) and key in ("q", "v", "u"):
            named = self._named_values({quantity_of(item, self): number for item, number in value.items()})
            for name in named:
                self.index(key, name)
            return super().vector(key, dict(zip("qvu", self.start(named), strict=True))[key])
        return super().vector(key, value)

    def _named_values(self, given: Mapping[Any, Any]) -> dict[str, float]:
        """Values by the names of quantities."""
        what = f"'{self.name}': the start of"
        return {
            name_of(key): real(value, f"{what} {name_of(key) or 'a quantity'}", StateError)
            for key, value in given.items()
        }

    def index(self, key: str, name: Any) -> int:
        return super().index(key, name_of(quantity_of(name, self)) if isinstance(name, (Quantity, Joint)) else name)

    def assemble(
        self,
        q: Any = None,
        v: Any = None,
        u: Any = None,
        *,
        t: float | None = None,
        held: Sequence[Any] = (),
        held_velocities: Sequence[Any] | None = None,
        parameters: Mapping[str, Any] | None = None,
        redundant: str = "refuse",
        lam: Any = None,
        smooth: Any = False,
    ) -> State:
        """Consistent start: closes the loops, or says which constraint cannot be met.

        ``assemble({A.angle: 1.0, A.rate: 0.0})`` holds coordinates of joints and their rates, or any scalar quantity,
        whatever the coordinates of the equations are; everything else starts from the description and follows.  Near
        vectors ``q``, ``v``, coordinates that are ``held`` keep their values, as do their rates, or instead of these
        the ``held_velocities``.  ``redundant="accept"`` allows constraints that say the same.  Where forces depend on
        multipliers, these are looked for from ``lam`` on; if it is left away, from zero or the reactions of the motion
        without such forces.  ``smooth`` starts on the smooth motion: True, names of fast coordinates, or a partition.
        """
        self.parameter_vector(parameters)  # complains about those that are not there
        t = self._instant(q.t if isinstance(q, State) and t is None else 0.0 if t is None else t)
        options = {"t": t, "parameters": parameters, "redundant": self._redundancy(redundant), "lam": lam}
        if isinstance(q, State):
            v, u = q.v if v is None else v, q.u if u is None else u
            q = q.q
        if q is not None and not isinstance(q, Mapping):
            return self.assembled(q, v, u, held=held, held_velocities=held_velocities, smooth=smooth, **options)
        if held_velocities is not None:
            raise StateError(
                f"'{self.name}': held_velocities belong to vectors q, v; name the rates with their values instead: "
                "{A.angle: 1.0, A.rate: 0.0}"
            )
        given = [*dict(q or {}).items(), *(dict(v).items() if isinstance(v, Mapping) else ())]
        assembly = Assembly(self, given, held, t, parameters)
        found = assembly.state(None if isinstance(v, Mapping) else v, u, options)
        missed = ""
        if not given and v is None and not held:
            found, missed = with_given_starts(self, found, u, options)
        self._check_conditions(found, parameters)
        if not warn_of_moves(self, found if not given and v is None and not parameters else None) and missed:
            warn_caller(missed, ModelWarning)
        warn_of_overruled(self, t, parameters)
        return self.named(smooth_start(self, found, smooth, (), parameters), parameters)

    def _check_conditions(self, start: State, parameters: Mapping[str, Any] | None) -> None:
        """Complain about an element that cannot start from there."""
        if any(has_conditions(element) for element in self.layout.elements):
            p = self.parameter_vector(parameters)
            point = {"p": p, "t": [start.t], "q": start.q, "v": start.v, "u": start.u}
            if error := unmet_condition(self.scene, point):
                raise error

    def assembled(self, q: Any, v: Any, u: Any, **options: Any) -> State:
        """Consistent start near given vectors; where mass is missing, the error names the branch of the tree."""
        try:
            return super().assemble(q, v, u, **options)
        except EquationsError as error:
            branch = massless_branch(spanning_tree(self.layout.bodies, self.joints, self.described.ground))
            if branch and "mass" in str(error) and branch.split(",")[0] not in str(error):
                raise EquationsError(f"{error}; {branch}") from error
            raise

    def misdeclared(self, point: Mapping[str, Floats]) -> DalembertError | None:
        return self.inner.misdeclared(point)

    def blame(self, point: Mapping[str, Floats]) -> DalembertError | None:
        """An error that names the element whose forces are not finite at a point."""
        found = culprit(self.scene, self._of_scene(point))
        return found if found is not None or self.inner is None else self.inner.blame(point)

    def jumping(self, before: Mapping[str, Floats], after: Mapping[str, Floats]) -> str:
        """The element whose forces change most between two points side by side."""
        return jumping(self.scene, *(self._of_scene(point) for point in (before, after)))

    def powers(self, point: Mapping[str, Floats]) -> dict[str, float]:
        return powers(self.scene, self._of_scene(point))

    def bending(
        self, before: Mapping[str, Floats], here: Mapping[str, Floats], after: Mapping[str, Floats]
    ) -> dict[str, Floats | None]:
        """The elements whose forces have a corner at the middle of three points side by side."""
        return bending(self.scene, *(self._of_scene(point) for point in (before, here, after)))

    def stepping(
        self,
        far: tuple[Mapping[str, Floats], Mapping[str, Floats]],
        near: tuple[Mapping[str, Floats], Mapping[str, Floats]],
    ) -> tuple[str, ...]:
        """The elements whose forces jump between two points, and as much between two nearer ones."""
        return stepping(self.scene, [self._of_scene(point) for point in (*far, *near)])

    def _of_scene(self, point: Mapping[str, Floats]) -> dict[str, Floats]:
        """Inputs of a program as those of the scene, with multipliers of all rows."""
        lam = np.zeros(len(self.scene.inputs["lam"]))
        lam[list(self.rows)] = point["lam"]
        return {key: point[key] for key in ("p", "t", "q", "v", "u")} | {"lam": lam}

    def reactive(self) -> str:
        """The elements whose forces depend on multipliers."""
        names = [element.label for element in self.layout.elements if depends_on_reactions(self.scene, element)]
        return ", ".join(names) or super().reactive()

    @property
    def joints(self) -> list[Joint]:
        """All joints, of the tree and cut ones."""
        return [element for element in self.how.elements if isinstance(element, Joint)]

    @property
    def joint_coordinates(self) -> list[JointCoordinate]:
        """Coordinates of all joints of the model."""
        return [one for joint in self.joints for one in joint.own_coordinates.values()]

    # ------------------------------------------------------------------------------------------------ sensors

    @property
    def sensors(self) -> Sensors:
        """Everything that is measured: sensors of the model; and of smaller ones, when they are asked for, all
        reactions and coordinates."""
        return self.kept("sensors", self._sensors)

    def _sensors(self) -> Sensors:
        declared, further = self._functions(self.how.sensors), self._functions(self._further())
        turning = {
            one.name: one.rate.name
            for one in self.joint_coordinates
            if one.name in further and self.layout.needs_angle(one)
        }
        loads = [f"{element.name}.force" for element in self.how.elements if isinstance(element, Tyre)]
        return Sensors(declared, {}, self.namespace()[1], further, turning, loads)

    def _further(self) -> dict[str, Quantity]:
        """Reactions, forces, coordinates and rates of joints that are none of the equations', energies, and the largest
        |g|."""
        quantities: dict[str, Quantity] = {}
        if len(self.how.elements) <= MANY_ELEMENTS:
            for element in self.how.elements:
                if isinstance(element, Constraint) and not why_unknown_force(self.scene, element):
                    quantities[f"{element.name}.force"] = element.force
                elif isinstance(element, (Scalar, Applied, Tyre)):
                    quantities[f"{element.name}.force"] = element.force
            for joint in self.joints:
                if not why_unknown(self.scene, joint):
                    quantities |= {f"{joint.name}.force": joint.force, f"{joint.name}.torque": joint.torque}
                for one in joint.own_coordinates.values():
                    quantities |= {} if one.name in self.names["q"] else {one.name: one}
                    quantities |= {} if one.rate.name in self.names["v"] else {one.rate.name: one.rate}
            model = self.described
            quantities |= {one.name: one for one in (model.kinetic_energy, model.potential_energy, model.energy)}
            if self.sizes.g:
                quantities["constraint error"] = Quantity(constraint_error, "constraint error")
        return quantities

    def _functions(self, quantities: Mapping[str, Quantity]) -> dict[str, Callable[[], Any]]:
        """Quantities by name, and their components."""
        found: dict[str, Callable[[], Any]] = {}
        for name, quantity in quantities.items():
            found[name] = self._measured(quantity)
            for label in quantity.labels:
                found[f"{name}.{label}"] = self._measured(getattr(quantity, label))
        return found

    def _measured(self, quantity: Quantity) -> Callable[[], Any]:
        return lambda: self._atoms(quantity)  # nameless: events are called after their quantities, or numbered

    def _atoms(self, quantity: Quantity) -> Any:
        with MAKING:
            return value_of(quantity, self.scene)

    def _quantity_named(self, name: str) -> Quantity:
        """A sensor, a reaction, a coordinate or rate of a joint, or a component of one of these, by its name."""
        known: dict[str, Quantity] = self.kept("quantities by name", self._named_quantities)
        if name not in known and name in self.described.whole.sensors:
            raise StateError(f"'{self.name}': the sensor '{name}' came later than these equations; make them again")
        return known[known_name(name, known, f"'{self.name}': the quantity", StateError)]

    def _named_quantities(self) -> dict[str, Quantity]:
        coordinates = [one for joint in self.joints for one in joint.own_coordinates.values()]
        whole = {one.name: one for one in coordinates} | {one.rate.name: one.rate for one in coordinates}
        whole |= {**self._further(), **self.how.sensors}
        parts = {f"{name}.{label}": getattr(one, label) for name, one in whole.items() for label in one.labels}
        return {**parts, **whole}

    def function_of(self, item: Any) -> Any:
        """A quantity, or the name of one, as a function for events and outputs of :func:`dalembert.simulate`, with its
        name; anything else as it is."""
        if isinstance(item, str):
            item = self._quantity_named(item)
        if not isinstance(item, Quantity):
            return item
        function = self._measured(item)
        function.__name__ = item.name
        return function

    def linearise(
        self,
        state: Any,
        v: Any = None,
        u: Any = None,
        *,
        t: float | None = None,
        independent: Sequence[Any] = (),
        inputs: Sequence[Any] = (),
        outputs: Any = (),
        parameters: Mapping[str, Any] | None = None,
        redundant: str = "refuse",
        side: str = "mean",
    ) -> Linearisation:
        """Linear system about an equilibrium or a steady motion: ``state``, or ``q`` with ``v``; stops that push in a
        given state hold.

        ``independent`` names coordinates and velocities that shall be among the independent ones.  ``inputs`` are
        velocities or coordinates that forces act along, joints with one coordinate, parameters, or inputs of the model
        by name; ``outputs`` are names of rows or sensors, quantities, or functions of the motion.  The result has the
        matrices A, B, C, D of ż = A z + B τ, y = C z + D τ, eigenvalues, frequencies, damping ratios and mode shapes.

        Where a law has a corner at the state, as a damper that resists more in one direction, the ``side`` decides:
        "mean" of the slopes on both sides, with a warning that names the law, or the slope "above" or "below", where
        the extent of the element and its rate, or without these the first unknown, grow or shrink.
        """
        given = listed(inputs, f"'{self.name}': inputs", EquationsError)
        wanted = [coordinate_of(one, f"'{self.name}': inputs") if isinstance(one, Joint) else one for one in given]
        known = vars(self.scene.w)
        free = [one for one in wanted if isinstance(one, str) and one in known and one not in self.parameters]
        at = (state.t if isinstance(state, State) else 0.0) if t is None else t
        equations = self.with_inputs_as_parameters(free, at) if free else self
        return Switched.linearise(
            equations, state, v, u, t=t, independent=independent, inputs=wanted, outputs=outputs,
            parameters=parameters, redundant=redundant, side=side,
        )  # fmt: skip

    def kinematics(
        self,
        times: ArrayLike,
        q: Any = None,
        u: Any = None,
        *,
        parameters: Mapping[str, Any] | None = None,
        redundant: str = "refuse",
    ) -> Kinematics:
        """Positions, velocities and accelerations of a mechanism whose joints and drives leave no freedom, from ``q``
        near its first position on, with the multipliers that the motion needs and the values of all sensors:
        ``motion["tip.x"]``."""
        found = super().kinematics(times, q, u, parameters=parameters, redundant=redundant)
        n = len(found.t)
        point = {"p": np.tile(self.parameter_vector(parameters), (n, 1)), "t": found.t[:, None]}
        point |= {key: getattr(found, key).T for key in ("q", "v", "a", "lam")}
        point |= {"u": np.tile(found.u, (n, 1)), "mu": np.zeros((n, self.sizes.g))}
        sensors = [self.sensors, *([self.sensors.later] if self.sensors.later else [])]
        outputs = {name: np.moveaxis(values, 0, -1) for one in sensors for name, values in one.at(point).items()}
        return replace(found, outputs=outputs)

    def owner_of_velocity(self, i: int) -> str:
        """Body and joint that a velocity belongs to."""
        name = self.names["v"][i].split(".")[0]
        for carrier in self.layout.carriers.values():
            body = f"body '{carrier.body.name}'"
            if isinstance(carrier, Carried) and carrier.joint.name == name:
                return f"{body}, carried by {carrier.joint.label}"
            if carrier.body.name == name:
                on = [one.label for one in self.joints if carrier.body in (marker.body for marker in one.markers)]
                return f"{body}, on {' and '.join(on)}" if on else body
        return super().owner_of_velocity(i)

    def largest_motion(self, t: float, q: Floats, v: Floats, p: Floats) -> float | None:
        scales = self.known_scales(p)
        if scales is None or self.fast:
            return None
        bodies = self.begin(self._parameter_values(p), {}, t).placed_at(self.layout, q, v).bodies.values()
        return max(max(float(np.linalg.norm(one.v)) / scales.length, float(np.linalg.norm(one.w))) for one in bodies)

    def gimbal_lock(self, q: Floats, direction: Floats) -> str:
        for carrier in self.layout.carriers.values():
            joint = carrier.joint if isinstance(carrier, Carried) else None
            if not isinstance(joint, Guided) or len(joint.turns) < 3:
                continue
            first, middle, last = (joint.own_coordinates[TURNS[axis]] for axis in joint.turns)
            if not all(one.rate.name in self.names["v"] for one in (first, middle, last)):
                continue
            angle = float(q[self.index("q", middle.name)])
            moved = np.abs(direction[[self.index("v", one.rate.name) for one in (first, last)]])
            if joint.is_locked(angle) and moved.max() > 0.1 * np.abs(direction).max():
                return (
                    f"{joint.label} is in gimbal lock: where {middle.name} is {angle:.6g}, {first.label} and "
                    f"{last.label} turn about the same axis, and their rates are not determined. Choose another order "
                    f"of turns than '{joint.turns}', with an angle in the middle that stays away from ±90°, or a ball "
                    "joint (m.spherical), which has no such position"
                )
        return ""

    def lines(self, t: Any, q: Any, parameters: Mapping[str, Any] | None = None) -> dict[str, Floats]:
        """A drawing at the instants ``t``: for each body the points of a line, of shape (n_t, n_points, 2 or 3)."""
        times = reals(t, f"'{self.name}': t", StateError, ndim=1)
        rows = reals(q, f"'{self.name}': q", StateError, ndim=2)
        if rows.shape != (self.sizes.q, len(times)):
            raise StateError(f"'{self.name}': q must have the shape {(self.sizes.q, len(times))}, got {rows.shape}")
        return self.body_lines.at(times, rows, self.parameter_vector(parameters))

    def portrait(self, t: Any, q: Any, parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Poses of all bodies at the instants ``t``, shapes, joints, springs and forces, as plain data."""
        times = reals(t, f"'{self.name}': t", StateError, ndim=1)
        rows = reals(q, f"'{self.name}': q", StateError, ndim=2)
        if rows.shape != (self.sizes.q, len(times)):
            raise StateError(f"'{self.name}': q must have the shape {(self.sizes.q, len(times))}, got {rows.shape}")
        return self.kept("portrait", lambda: Portrait(self)).at(times, rows, self.parameter_vector(parameters))

    @property
    def units(self) -> Mapping[str, str]:
        """Units by the names of coordinates, velocities, multipliers and sensors, as far as they are known."""
        return self.kept("units", lambda: units_of(self))

    @property
    def body_lines(self) -> BodyLines:
        """Lines through the points of all bodies, compiled."""
        return self.kept("body lines", lambda: BodyLines(self))

    def value_at(self, item: Any, state: State, parameters: Mapping[str, Any] | None = None) -> Any:
        """A row, a sensor, a reaction or any quantity of the model at a state."""
        if isinstance(item, str) and any(item in self.names[key] for key in ("q", "v", "u", "lam")):
            return super().value_at(item, state, parameters)
        return self.evaluate_quantity(item, state, parameters)

    def evaluate_quantity(
        self, quantity: Quantity | str, state: Any, parameters: Mapping[str, Any] | None = None
    ) -> Any:
        """A quantity at one state: a number or an array; of one that is asked for again and again in some microseconds.

        A sensor, a reaction or a coordinate of a joint may be given by its name.  Of many states in one call, a
        solution or a list of them, the values are columns."""
        if type(state) is not State and is_many(state) and not isinstance(state, np.ndarray):
            states = state if isinstance(state, (list, tuple)) else [state.state(k) for k in range(len(state.t))]
            return np.stack([self.evaluate_quantity(quantity, one, parameters) for one in states], axis=-1)
        if isinstance(quantity, str):
            quantity = self._quantity_named(quantity)
        instance(quantity, Quantity, f"'{self.name}': quantity", StateError, "such as joint.force or marker.position")
        instance(state, State, f"'{self.name}': state", StateError, "as assemble returns it")
        values: QuantityValues = self.kept("quantity values", lambda: QuantityValues(self))
        return values.at(quantity, state, self.parameter_vector(parameters))


def _block_diagonal(blocks: Sequence[Floats]) -> Floats:
    """One matrix of several."""
    ends = np.cumsum([0, *(len(block) for block in blocks)])
    found = np.zeros((ends[-1], ends[-1]))
    for block, first, last in zip(blocks, ends[:-1], ends[1:], strict=True):
        found[first:last, first:last] = block
    return found


def _parameter_named(name: str, p: Any) -> Any:
    """An excitation that is a parameter."""
    return getattr(p, name)


def _atoms_of(element: Element, site: Site) -> list[Atom]:
    """All that an element puts into the equations."""
    parts: list[Any] = [*element.velocity_constraints(site), *element.state_rates(site)]
    parts += [row.value for row in element.constraints(site)]
    for force, _ in element.powers(site):
        parts += list(force.components()) if isinstance(force, Vector) else [force]
    return [part for part in parts if isinstance(part, Atom)]


def _restored(
    described: Model, inner: Equations, how: Formulation, graph: Graph, layout: CoordinateLayout
) -> Mechanism:
    """From a pickle: compiled equations, and the description that they belong to.

    Atoms of the graph keep their order, and with it sensors and events the order of their sums.  Builders add
    coordinates to the layout and reorder its rows, so it is kept as they left it.
    """
    return Mechanism(inner, Scene(described, layout, inner.name, inner.parameters, graph), how)
