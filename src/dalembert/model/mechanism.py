"""The equations of a model, which still know its joints, sensors and reactions by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.equations import Equations, State
from dalembert.equations.provider import Floats, Provider
from dalembert.equations.sensors import Sensors
from dalembert.equations.switching import Stop, Switched
from dalembert.errors import EquationsError, StateError, suggestion
from dalembert.model.constraints import Hold
from dalembert.model.drawing import lines
from dalembert.model.element import Element
from dalembert.model.force_checks import culprit
from dalembert.model.joints import JointCoordinate
from dalembert.model.limits import Limit
from dalembert.model.quantity import Quantity
from dalembert.model.scene import Scene
from dalembert.model.start import Start
from dalembert.symbolic import array

if TYPE_CHECKING:
    from dalembert.model.model import Model

#: Models with more joints measure reactions only where a sensor asks for them.
MANY_JOINTS = 60


@dataclass(frozen=True, eq=False)
class Formulation:
    """How equations were made: the elements of the model, what the user asked for, the builder, and why it was
    taken."""

    elements: Sequence[Element]
    options: Any
    builder: str
    why: str


class Mechanism(Switched):
    """Equations of motion made by :meth:`Model.equations`; ``how`` says by which builder, and why."""

    def __init__(self, model: Model, inner: Equations, scene: Scene, how: Formulation) -> None:
        self.model, self.inner, self.scene, self.how = model, inner, scene, how
        self.layout = scene.layout
        self.name, self.sizes, self.names, self.breaks = inner.name, inner.sizes, inner.names, inner.breaks
        self.parameters = inner.parameters
        self.rows, self.full_rows = inner.rows, inner.full_rows
        self.unit_T, self.C_is_G, self.normalizes = inner.unit_T, inner.C_is_G, inner.normalizes
        self._restricted: dict[tuple[int, ...], Mechanism] = {}

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}, {self.how.builder}>"

    def __reduce__(self) -> Any:
        # A description may hold functions that do not pickle; the equations go without it.
        return self.inner.__reduce_ex__(4)

    # ------------------------------------------------------------------------------------------- the contract

    def program(self, name: str) -> Provider:
        return self.inner.program(name)

    def lacks(self, program: str) -> str:
        return self.inner.lacks(program)

    def restricted(self, rows: Sequence[int]) -> Equations:
        keep = tuple(rows)
        if keep == tuple(range(self.sizes.lam)):
            return self
        if keep not in self._restricted:
            self._restricted[keep] = Mechanism(self.model, self.inner.restricted(rows), self.scene, self.how)
        return self._restricted[keep]

    def namespace(self) -> tuple[dict[str, Any], dict[str, Any]]:
        inputs = dict(self.scene.inputs)
        if len(self.rows) < len(inputs["lam"]):
            holonomic = [i for i in self.rows if i < len(inputs["mu"])]
            inputs |= {"lam": array(inputs["lam"][list(self.rows)]), "mu": array(inputs["mu"][holonomic])}
        values = {key: inputs[key] for key in ("q", "v", "u", "lam", "a")}
        return {**values, "t": self.scene.t, "p": self.scene.p, "w": None}, inputs

    @cached_property
    def switches(self) -> Sequence[Stop]:
        """The stops of all limits."""
        limits = [element for element in self.layout.elements if isinstance(element, Limit)]
        found = [stop for limit in limits for stop in limit.stops(self.scene)]
        return tuple(stop for stop in found if stop.row in self.names["lam"])

    # --------------------------------------------------------------------------------------------- the start

    def start(
        self, values: Mapping[Any, float] | None = None, parameters: Mapping[str, Any] | None = None
    ) -> tuple[Floats, Floats, Floats]:
        """q, v, u as the description has them, before anything is assembled."""
        known = {**dict(self.parameters), **dict(parameters or {})}
        named = {_name_of(key): float(value) for key, value in (values or {}).items()}
        begin = Start(self.model, known, named)
        q, v = (np.zeros(self.sizes.q), np.zeros(self.sizes.v)) if self.layout.custom else begin.fill(self.layout)
        u = np.array([value for element in self.layout.elements for value in element.states.values()], dtype=float)
        for name, value in named.items():
            for key, vector in (("q", q), ("v", v), ("u", u)):
                if name in self.names[key]:
                    vector[self.index(key, name)] = value
        return q, v, u

    def default(self, key: str) -> Floats:
        """Values at the start that are not given: those of the description."""
        q, v, u = self.start()
        found = {"q": q, "v": v, "u": u}
        return found[key] if key in found else super().default(key)

    def vector(self, key: str, value: Any) -> Floats:
        """Also by quantities: ``{A.angle: 1.0}``; what is not named is as in the description."""
        if isinstance(value, Mapping) and key in ("q", "v", "u"):
            named = {_name_of(item): float(number) for item, number in value.items()}
            for name in named:
                self.index(key, name)
            return super().vector(key, dict(zip("qvu", self.start(named), strict=True))[key])
        return super().vector(key, value)

    def index(self, key: str, name: Any) -> int:
        return super().index(key, _name_of(name) if isinstance(name, Quantity) else name)

    def assemble(
        self,
        q: Any = None,
        v: Any = None,
        u: Any = None,
        *,
        t: float = 0.0,
        held: Sequence[Any] = (),
        parameters: Mapping[str, Any] | None = None,
        redundant: str = "refuse",
        **options: Any,
    ) -> State:
        """Consistent start: closes the loops, or says which constraint cannot be met.

        ``assemble({A.angle: 1.0, A.rate: 0.0})`` holds coordinates of joints and their rates, or any scalar quantity,
        whatever the coordinates of the equations are; everything else starts from the description and follows.
        """
        options |= {"t": t, "parameters": parameters, "redundant": redundant}
        if q is not None and not isinstance(q, Mapping):
            return self._assembled(q, v, u, held=held, **options)
        counted: dict[Any, Any] = {one.name: one for one in self.layout.angles}
        given = {**dict(q or {}), **(dict(v) if isinstance(v, Mapping) else {})}
        wanted: dict[Any, float] = {counted.get(key, key): value for key, value in given.items()}
        for key in wanted:
            self._check_key(key)
        q0, v0, u0 = self.start(wanted, parameters)
        if v is not None and not isinstance(v, Mapping):
            v0 = self.vector("v", v)
        if u is not None:
            u0 = self.vector("u", u)
        names = [_name_of(key) for key in wanted]
        # Angles that only count turns follow the frames, and these must be held.
        free = {name for kind in ("q", "v", "u") for name in self.names[kind]} - {
            one.name for one in self.layout.angles
        }
        elsewhere = [key for key in wanted if _name_of(key) not in free]
        if elsewhere:
            q0, v0 = self._with_held(elsewhere, wanted, q0, v0, u0, t, parameters)
        fixed = [*(_name_of(key) for key in held), *(name for name in names if name in self.names["q"])]
        rates = [name for name in names if name in self.names["v"]]
        rates += [name for name in fixed if (rate := self._rate_name(name)) is not None and rate not in rates]
        return self._assembled(q0, v0, u0, held=fixed, held_velocities=rates, **options)

    def _assembled(self, q: Any, v: Any, u: Any, **options: Any) -> State:
        try:
            return super().assemble(q, v, u, **options)
        except EquationsError as error:
            given = {key: self.default(key) if x is None else x for key, x in (("q", q), ("v", v), ("u", u))}
            point = {"p": self.parameter_vector(options["parameters"]), "t": options["t"], **given}
            found = culprit(self.scene, {**point, "lam": np.zeros(len(self.scene.inputs["lam"]))})
            if found is None:
                raise
            raise found from error

    def _rate_name(self, name: str) -> str | None:
        """Name of the velocity of a coordinate, if it has one that stands in v."""
        i = self.names["q"].index(name) if name in self.names["q"] else -1
        if i < 0:
            return None
        for element in self.model.joints:
            for coordinate in element._coordinates.values():
                if coordinate.name == name:
                    return coordinate.rate.name if coordinate.rate.name in self.names["v"] else None
        return None

    def _check_key(self, key: Any) -> None:
        if isinstance(key, Quantity):
            return
        if not any(key in self.names[kind] for kind in ("q", "v", "u")):
            known = [name for kind in ("q", "v", "u") for name in self.names[kind]]
            raise StateError(f"'{self.name}' has no coordinate or velocity '{key}'; {suggestion(str(key), known)}")

    def _with_held(
        self, keys: Sequence[Any], wanted: Mapping[Any, float], q0: Floats, v0: Floats, u0: Floats, t: float,
        parameters: Mapping[str, Any] | None,
    ) -> tuple[Floats, Floats]:  # fmt: skip
        """Meet values of quantities that are no coordinates: as constraints, for the time of the assembly."""
        rates = {key.rate: key for key in self._coordinates() if key.rate in keys}
        known = {**dict(self.parameters), **dict(parameters or {})}
        begin = Start(self.model, known, {_name_of(key): float(value) for key, value in wanted.items()})
        holds = []
        for number, key in enumerate(keys):
            if key in rates and rates[key] in keys:
                continue
            rate = None
            if isinstance(key, JointCoordinate):  # the rate of the description, unless another is asked for
                rate = wanted.get(key.rate, begin.joint_coordinate(key.joint, key.label)[1])
            holds.append(Hold(f"hold{number}", rates.get(key, key), float(wanted[key]), t, rate, key in rates))
        other = self.model.formulated([*self.how.elements, *holds], self.how.options, self.name, whole=True)
        start = other.start(wanted, parameters)
        given = {
            name: value
            for key, vector in (("q", q0), ("v", v0))
            for name, value in zip(self.names[key], vector, strict=True)
        }
        q, v = (
            np.array([given.get(name, value) for name, value in zip(other.names[key], vector, strict=True)])
            for key, vector in (("q", start[0]), ("v", start[1]))
        )
        # Held values may repeat what constraints say; whether these do among themselves is looked at afterwards.
        found = Equations.assemble(other.active, q, v, u0, t=t, parameters=parameters, redundant="accept")
        values = dict(zip(other.names["q"], found.q, strict=True)) | dict(zip(other.names["v"], found.v, strict=True))
        q = np.array([values.get(name, value) for name, value in zip(self.names["q"], q0, strict=True)])
        return q, np.array([values[name] for name in self.names["v"]])

    def _coordinates(self) -> list[JointCoordinate]:
        return [one for joint in self.model.joints for one in joint._coordinates.values()]

    # ------------------------------------------------------------------------------------------------ sensors

    @cached_property
    def sensors(self) -> Sensors:
        """Everything that is measured: sensors of the model, and of smaller ones all reactions and coordinates."""
        quantities: dict[str, Quantity] = dict(self.model.sensors)
        if len(self.model.joints) <= MANY_JOINTS:
            for joint in self.model.joints:
                quantities |= {f"{joint.name}.force": joint.force, f"{joint.name}.torque": joint.torque}
                for one in joint._coordinates.values():
                    if one.name not in self.names["q"] and not self.layout.needs_angle(one):
                        quantities[one.name] = one
        found: dict[str, Callable[[], Any]] = {}
        for name, quantity in quantities.items():
            found[name] = _measured(quantity, self.scene)
            for label in quantity.labels:
                found[f"{name}.{label}"] = _measured(getattr(quantity, label), self.scene)
        return Sensors(found, {}, self.namespace()[1])

    def lines(self, t: Any, q: Any, parameters: Mapping[str, Any] | None = None) -> dict[str, Floats]:
        """A drawing at the instants ``t``: for each body the points of a line, of shape (n_t, n_points, 2 or 3)."""
        return lines(self, q, t, self.parameter_vector(parameters))

    def evaluate_quantity(self, quantity: Quantity, state: State, parameters: Mapping[str, Any] | None = None) -> Any:
        """A quantity at one state: a number or an array."""
        from dalembert.symbolic import evaluate

        inputs = self.scene.inputs
        p = self.parameter_vector(parameters)
        point: dict[str, Any] = {
            "p": p,
            "t": [state.t],
            "q": state.q,
            "v": state.v,
            "a": state.a,
            "lam": state.lam,
            "u": state.u,
        }
        known = {
            symbol: float(value)
            for key, numbers in point.items()
            for symbol, value in zip(inputs[key], numbers, strict=True)
        }
        return evaluate(array(quantity.build(self.scene)), known)


def _measured(quantity: Quantity, scene: Scene) -> Callable[[], Any]:
    return lambda: quantity.build(scene)


def _name_of(key: Any) -> str:
    return key.name if isinstance(key, Quantity) else str(key)
