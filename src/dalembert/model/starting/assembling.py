"""The start of a mechanism: values that are asked for, of coordinates or of any quantity, and everything else from the
description, brought together with the constraints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.arguments import listed, reals, shown
from dalembert.equations import Equations, State
from dalembert.equations.contract.evaluation import Evaluation, normalised
from dalembert.equations.contract.expressions import symbols_in
from dalembert.equations.contract.provider import Floats
from dalembert.equations.questions.assembly import close, held_coordinates
from dalembert.errors import ConstraintError, EquationsError, ModelError, StateError, suggestion
from dalembert.model.constraints.constraints import Hold
from dalembert.model.joints.joints import Joint, JointCoordinate
from dalembert.model.quantity import Quantity
from dalembert.model.starting.given_velocities import GivenVelocities
from dalembert.model.starting.start import Start
from dalembert.symbolic import array

if TYPE_CHECKING:
    from dalembert.model.formulate.mechanism import Mechanism

_KINDS = ("q", "v", "u")
#: What was asked for has come out if it is so near, beside its size and that of the model.
_TOLERANCE = 1e-8


def name_of(key: Any) -> str:
    """Name of a quantity, or a name."""
    return key.name if isinstance(key, Quantity) else str(key)


def quantity_of(key: Any, mechanism: Mechanism) -> Any:
    """What a key stands for: a joint for its only coordinate, a name for a coordinate of a joint if it is one."""
    if isinstance(key, (Joint, JointCoordinate)):
        joint = key if isinstance(key, Joint) else key.joint
        if not any(joint is one for one in mechanism.joints):
            raise StateError(f"{joint.label} is none of '{mechanism.name}'; it belongs to another model, or came later")
    if isinstance(key, Joint):
        if len(key.coordinate_labels) != 1:
            raise StateError(f"{key.label} has {len(key.coordinate_labels)} coordinates; name the one that is meant")
        return key.own_coordinates[key.coordinate_labels[0]]
    if isinstance(key, Quantity):
        return key
    if not isinstance(key, str):
        raise StateError(f"'{mechanism.name}': a quantity or the name of a coordinate is needed, got {shown(key)}")
    for coordinate in mechanism.joint_coordinates:
        for one in (coordinate, coordinate.rate):
            if one.name == key:
                return one
    if not any(key in mechanism.names[kind] for kind in _KINDS):
        known = [name for one in mechanism.joint_coordinates for name in (one.name, one.rate.name)]
        known += [name for kind in _KINDS for name in mechanism.names[kind] if name not in known]
        raise StateError(f"'{mechanism.name}' has no coordinate or velocity '{key}'; {suggestion(str(key), known)}")
    return key


def _number(key: Any, value: Any) -> float:
    items = reals(value, f"the start of {name_of(key) or 'a quantity'}", StateError, finite=True)
    if items.ndim:
        raise StateError(f"{name_of(key)} must start from one number, got {shown(value)}")
    return float(items)


class Assembly:
    """Values that are asked for, sorted by how they can be met."""

    def __init__(
        self,
        mechanism: Mechanism,
        given: Sequence[tuple[Any, float]],
        held: Any,
        t: float,
        parameters: Mapping[str, Any] | None,
    ) -> None:
        self.mechanism, self.t, self.parameters = mechanism, t, parameters
        self.held: list[str] = []
        self.wanted: dict[Any, float] = {}
        #: what was asked for, by the rows that hold it
        self.rows: dict[str, Any] = {}
        for key, x in given:
            one, value = quantity_of(key, mechanism), _number(key, x)
            if self.wanted.setdefault(one, value) != value:
                raise StateError(
                    f"'{mechanism.name}': {name_of(one)} is given twice, {self.wanted[one]:g} and {value:g}"
                )
        self._drop_prescribed()
        names = mechanism.names
        # What is to be held without a value keeps that of the start.
        begin = None
        single = isinstance(held, (str, int, Quantity, Joint))
        for key in [held] if single else listed(held, f"'{mechanism.name}': held", StateError):
            numbered = isinstance(key, int)
            one = mechanism.names["q"][mechanism.index("q", key)] if numbered else quantity_of(key, mechanism)
            if one in self.wanted or name_of(one) in names["q"]:
                self.held.append(name_of(one))
            elif isinstance(one, JointCoordinate):
                begin = begin or self._begin()
                self.wanted[one] = begin.joint_coordinate(one.joint, one.label)[0]
            else:
                raise StateError(f"'{mechanism.name}': {name_of(one)} cannot be held without a value; give it one")
        # Angles that only count turns follow the frames, and these must be held.
        counting = {one.name for one in mechanism.layout.angles}
        asked = [name_of(key) for key in self.wanted]
        self.coordinates = [name for name in asked if name in names["q"] and name not in counting]
        self.velocities = [name for name in asked if name in names["v"]]
        self.elsewhere = [
            key
            for key in self.wanted
            if name_of(key) in counting or not any(name_of(key) in names[kind] for kind in _KINDS)
        ]

    def _drop_prescribed(self) -> None:
        """Values that laws have anyway need not be met; others cannot be."""
        mechanism = self.mechanism
        laws = {name: law for one, law in mechanism.layout.prescribed.items() for name in (one.name, one.rate.name)}
        for key in [key for key in self.wanted if name_of(key) in laws]:
            name, asked = name_of(key), self.wanted.pop(key)
            value = mechanism.prescribed_at(self.t, mechanism.parameter_vector(self.parameters))[name]
            if not abs(value - asked) <= _TOLERANCE * (1.0 + abs(asked)):
                raise StateError(
                    f"'{mechanism.name}': {name} was asked to be {asked:.6g}, and {laws[name].label} says {value:.6g} "
                    f"at t = {self.t:.6g}; leave it away, or change the law"
                )

    def _begin(self) -> Start:
        values = {**dict(self.mechanism.parameters), **dict(self.parameters or {})}
        return self.mechanism.begin(values, {name_of(key): value for key, value in self.wanted.items()}, self.t)

    def state(self, v: Any, u: Any, options: Mapping[str, Any], q: Floats | None = None) -> State:
        """A start with the values asked for; vectors v and u, and a position q to begin at, in place of those of the
        description."""
        mechanism = self.mechanism
        q0, v0, u0 = mechanism._described_start(self.wanted, self.parameters, self.t)
        q0 = q0 if q is None else q
        v0 = v0 if v is None else self._named("v", mechanism.vector("v", v))
        u0 = u0 if u is None else self._named("u", mechanism.vector("u", u))
        p = mechanism.parameter_vector(self.parameters)
        self.fixed = list(dict.fromkeys([*self.held, *self.coordinates]))
        asked = {name: value for name, value in zip(mechanism.names["q"], q0, strict=True) if name in self.fixed}
        try:
            found = self._state(q0, v0, u0, options)
            found = found if v is not None else self._as_given(found, v0, options)
        except ConstraintError as error:
            if not self.wanted:
                raise
            raise ConstraintError(self._refusal(error)) from error
        # Euler parameters are held as they are after being made of length one.
        at = held_coordinates(mechanism.active, self.t, q0, p, self.fixed)
        asked = {name: at[mechanism.index("q", name)] for name in asked}
        self._check(found, asked)
        return found

    def _named(self, kind: str, vector: Floats) -> Floats:
        """A vector with the values that are asked for by name."""
        for key, value in self.wanted.items():
            if name_of(key) in self.mechanism.names[kind]:
                vector[self.mechanism.index(kind, name_of(key))] = value
        return vector

    def _label(self, key: Any) -> str:
        """A quantity as its user knows it: by its name, or by its place among those that were asked for."""
        return name_of(key) or f"quantity {list(self.wanted).index(key) + 1}"

    def _listed(self) -> str:
        return ", ".join(f"{self._label(key)} = {value:g}" for key, value in self.wanted.items())

    def _refusal(self, error: ConstraintError) -> str:
        """What is told where values that are asked for cannot be met."""
        what = f"'{self.mechanism.name}' cannot be assembled:"
        key = self.rows.get(error.row)
        if key is not None:
            asked = self.wanted[key]
            return (
                f"{what} {self._label(key)} was asked to be {asked:.6g} and contradicts constraints or other values; "
                f"the nearest that was found is {asked + error.residual:.6g}. Asked for were {self._listed()}"
            )
        if error.row:
            return (
                f"{what} the constraint {error.row} keeps a residual of {error.residual:.3g}; ask for other values, or "
                f"check its data. Asked for were {self._listed()}"
            )
        return f"{error}. Asked for were {self._listed()}"

    def _unit(self, key: Any, kind: str | None, found: State) -> float:
        """Size that a value is compared with: of a coordinate that of the model; 1 where nothing is known."""
        scales = self.mechanism.known_scales(self.mechanism.parameter_vector(self.parameters))
        if scales is None or kind in (None, "u"):
            return 1.0
        if kind == "q":
            return float(scales.q[self.mechanism.index("q", name_of(key))])
        rate = max(scales.rate(found.v), scales.rate(found.a) ** 0.5)
        return rate * float(scales.v[self.mechanism.index("v", name_of(key))])

    def _check(self, found: State, coordinates: Mapping[str, float]) -> None:
        """Complain if something that was asked for has not come out."""
        mechanism = self.mechanism
        for key, value in {**self.wanted, **coordinates}.items():
            name = name_of(key)
            kind = next((kind for kind in _KINDS if name in mechanism.names[kind]), None)
            if kind is not None:
                value = coordinates.get(name, value)
                now = float(getattr(found, kind)[mechanism.index(kind, name)])
            else:
                now = float(mechanism.evaluate_quantity(key, found, self.parameters))
            away = abs(now - value)
            if isinstance(key, JointCoordinate) and key.is_angle:  # whole turns are counted elsewhere
                away = abs(float(np.angle(np.exp(1j * (now - value)))))
            if not away <= _TOLERANCE * (self._unit(key, kind, found) + abs(value)):
                raise ConstraintError(
                    f"'{mechanism.name}' cannot be assembled: {self._label(key)} was asked to be {value:.6g}, and "
                    f"comes out as {now:.6g}; constraints or other values contradict it. Asked for were "
                    f"{self._listed()}"
                )

    def _state(self, q0: Floats, v0: Floats, u0: Floats, options: Mapping[str, Any]) -> State:
        mechanism, fixed = self.mechanism, self.fixed
        if self.elsewhere:
            try:  # loops that are nearly closed need not be torn open by what is asked for
                q0 = mechanism.assembled(q0, v0, u0, held=fixed, held_velocities=self.velocities, **options).q
            except EquationsError:
                pass
            q0, v0 = self._held(q0, v0, u0)
        implied = [rate for name in fixed if (rate := self._rate(name)) not in (None, *self.velocities)]
        rates = [*self.velocities, *(rate for rate in implied if rate is not None)]
        try:
            return mechanism.assembled(q0, v0, u0, held=fixed, held_velocities=rates, **options)
        except ConstraintError:
            if not implied:
                raise
        # A drive may say at which rate a coordinate that is held moves on.
        return mechanism.assembled(q0, v0, u0, held=fixed, held_velocities=self.velocities, **options)

    def _as_given(self, found: State, v0: Floats, options: Mapping[str, Any]) -> State:
        """The same with the velocities that bodies and joints were given, as far as constraints allow them; bodies that
        were given none, and rates that nobody asked for, do not count."""
        mechanism = self.mechanism
        given = GivenVelocities(mechanism, self._begin())
        if mechanism.layout.custom or not given or not mechanism.sizes.lam:
            return found
        p = mechanism.parameter_vector(self.parameters)
        v = given.met(found, v0, self.velocities, self._moving(found), p)
        if v is None:
            return found
        return mechanism.assembled(found.q, v, found.u, held=(), held_velocities=self.velocities, **options)

    def _moving(self, found: State) -> list[Callable[[Floats], float]]:
        """Values that were asked for of quantities which are no velocities of the equations, as functions of these."""
        mechanism, velocities = self.mechanism, set(self.mechanism.scene.inputs["v"])
        keys = [key for key in self.elsewhere if not isinstance(key, JointCoordinate)]
        keys = [key for key in keys if symbols_in([array(key.build(mechanism.scene))[()]]) & velocities]

        def value(key: Any, v: Floats) -> float:
            return float(mechanism.evaluate_quantity(key, replace(found, v=v), self.parameters))

        return [partial(value, key) for key in keys]

    def _rate(self, name: str) -> str | None:
        """Name of the velocity of a coordinate of a joint, if it has one."""
        for coordinate in self.mechanism.joint_coordinates:
            if coordinate.name == name and coordinate.rate.name in self.mechanism.names["v"]:
                return coordinate.rate.name
        return None

    def _held(self, q0: Floats, v0: Floats, u0: Floats) -> tuple[Floats, Floats]:
        """Meet values of quantities that are no coordinates: as constraints, for the time of the assembly."""
        placed, asked, implied = self._holds()
        q = self._with(placed, q0, v0, u0, moving=False)[0] if placed else q0
        if not asked and not implied:
            return q, v0
        try:
            return self._with([*asked, *implied], q, v0, u0, moving=True)
        except ConstraintError:
            if not implied:
                raise
        # A coordinate that is held need not be at rest, if something else says how it moves.
        return self._with(asked, q, v0, u0, moving=True) if asked else (q, v0)

    def _with(self, holds: Sequence[Hold], q0: Floats, v0: Floats, u0: Floats, moving: bool) -> tuple[Floats, Floats]:
        """Positions, and velocities if these are asked for, with further constraints."""
        mechanism, how = self.mechanism, self.mechanism.how
        other = mechanism.described.formulated(
            [*how.elements, *holds], how.options, mechanism.name, whole=any(not hold.coordinates for hold in holds)
        )
        known = dict(zip([*mechanism.names["q"], *mechanism.names["v"]], [*q0, *v0], strict=True))
        start = other._described_start(self.wanted, self.parameters, self.t)
        q, v = (
            np.array([known.get(name, value) for name, value in zip(other.names[key], vector, strict=True)])
            for key, vector in (("q", start[0]), ("v", start[1]))
        )
        p = other.parameter_vector(self.parameters)
        q = normalised(other.active, self.t, q, p)
        if moving:
            # Held values may repeat what constraints say; whether these do among themselves is looked at afterwards.
            found = Equations.assemble(
                other.active, q, v, u0, t=self.t, held=self.fixed, held_velocities=self.velocities,
                parameters=self.parameters, redundant="accept",
            )  # fmt: skip
            q, v = found.q, found.v
        else:
            fixed = held_coordinates(other.active, self.t, q, p, self.fixed)
            q = close(Evaluation(other.active, self.t, q, v, u0, p), fixed).q
        values = dict(zip([*other.names["q"], *other.names["v"]], [*q, *v], strict=True))
        q = np.array([values.get(name, value) for name, value in zip(mechanism.names["q"], q0, strict=True)])
        return q, np.array([values[name] for name in mechanism.names["v"]])

    def _holds(self) -> tuple[list[Hold], list[Hold], list[Hold]]:
        """Values of positions; of velocities that are asked for; and of the rates, as the description has them, of
        coordinates whose values are asked for."""
        mechanism, wanted = self.mechanism, self.wanted
        coordinates = {key.rate: key for key in mechanism.joint_coordinates}
        begin = self._begin()
        velocities = set(mechanism.scene.inputs["v"])
        placed: list[Hold] = []
        asked: list[Hold] = []
        implied: list[Hold] = []
        for number, key in enumerate(self.elsewhere):
            name = f"hold{number}"
            if isinstance(key, JointCoordinate):
                placed.append(self._hold(name, key, key, moving=False))
                if key.rate not in wanted:
                    rate = begin.joint_coordinate(key.joint, key.label)[1]
                    implied.append(Hold(name, key, rate, moving=True))
                continue
            if key in coordinates:
                asked.append(self._hold(name, key, coordinates[key], moving=True))
                continue
            value = array(key.build(mechanism.scene))
            if value.ndim:
                raise ModelError(f"{key!r} is not one number; hold its components, such as position.x")
            moving = bool(symbols_in([value[()]]) & velocities)
            (asked if moving else placed).append(self._hold(name, key, key, moving=moving))
        return placed, asked, implied

    def _hold(self, name: str, key: Any, quantity: Quantity, moving: bool) -> Hold:
        """The constraint that gives a quantity the value that was asked for."""
        hold = Hold(name, quantity, self.wanted[key], moving=moving)
        for row in (*hold.rows, *hold.moving_rows):
            self.rows[f"{name}.{row}"] = key
        return hold
