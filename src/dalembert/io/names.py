"""The one space of names of a model file: parameters, constants, tables, inputs, bodies, joints, forces, sensors."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from dalembert.errors import DalembertError, suggestion
from dalembert.io.formulas import FormulaError, FormulaName, FormulaOperation, FormulaPart
from dalembert.io.positions import Located, Span
from dalembert.model.bodies.parts import Body, Marker
from dalembert.model.element import Element
from dalembert.model.flexible.beam_body import BeamBody
from dalembert.model.flexible.flexible_body import FlexibleBody
from dalembert.model.joints.joints import Joint
from dalembert.model.model import Model
from dalembert.model.quantity import Quantity
from dalembert.model.rails.wheelset import Wheelset

#: Characters of all formulas of a file together.
MOST_FORMULAS = 2_000_000
#: Names with a meaning of their own.
RESERVED = {"t": "the time", "p": "all parameters", "w": "all inputs", "pi": "a number", "model": "the model",
            "ground": "the ground"}  # fmt: skip
OF_MODEL = ("energy", "kinetic_energy", "potential_energy", "momentum", "angular_momentum")


class NameSpace:
    """What names of a file stand for; bodies, joints and forces are built when they are first asked for."""

    def __init__(self, model: Model) -> None:
        self.model = model
        #: what every name is, in words
        self.declared: dict[str, tuple[str, Located | None]] = {key: (what, None) for key, what in RESERVED.items()}
        self.constants: dict[str, Any] = {}
        self.parameters: dict[str, Any] = {}
        #: units that parameters were given in, as they are written
        self.parameter_units: dict[str, str] = {}
        self.inputs: set[str] = set()
        self.tables: dict[str, Any] = {}
        self.tracks: dict[str, Any] = {}
        self.points: dict[str, dict[str, Marker]] = {}
        #: things that are not built yet, by name, and those that are
        self.waiting: dict[str, Callable[[], Any]] = {}
        self.built: dict[str, Any] = {"ground": model.ground}
        self._building: list[str] = []
        self._characters = 0

    def declare(self, name: str, what: str, item: Located) -> None:
        """A name that nothing else has."""
        if name in self.declared:
            other, first = self.declared[name]
            where = "" if first is None else f" ({first.path})"
            raise item.error(f"the name '{name}' is used twice: for {other}{where} and for {what}", at_key=True)
        if not name or "." in name or "'" in name:
            raise item.error(f"the name of {what} must have no dots and no quotes; got '{name}'", at_key=True)
        self.declared[name] = (what, item)

    def count_formula(self, characters: int) -> None:
        """Bound what formulas of a file may have together."""
        self._characters += characters
        if self._characters > MOST_FORMULAS:
            raise FormulaError(f"all formulas together have more than {MOST_FORMULAS} characters", Span(0, 1))

    # ----------------------------------------------------------------------------------------------------- prefixes

    def prefixed(self, name: str, item: Located) -> str:
        """A name of an included file with the prefix of that, if it stands for something of it."""
        whole = item.source.prefix + name
        return whole if item.source.prefix and whole in self.declared else name

    def full(self, part: FormulaPart, item: Located) -> FormulaPart:
        """A formula of an included file with full names."""
        if not item.source.prefix:
            return part
        if isinstance(part, FormulaName):
            skipped = 1 if part.parts[0] in ("p", "w") and len(part.parts) > 1 else 0
            parts = list(part.parts)
            parts[skipped] = self.prefixed(parts[skipped], item)
            return replace(part, parts=tuple(parts))
        if isinstance(part, FormulaOperation):
            operator_name = self.prefixed(part.operator, item)
            return replace(
                part, operator=operator_name, arguments=tuple(self.full(one, item) for one in part.arguments)
            )
        return part

    # ------------------------------------------------------------------------------------------------------ objects

    def constant(self, name: str) -> float:
        """The value of a constant, which may be made of others."""
        value = self.constants[name]
        if callable(value):
            value = self._made(name, value)
            self.constants[name] = value
        found: float = value
        return found

    def find(self, name: str, item: Located) -> Any:
        """A body, joint or force by its name, or None."""
        return self.find_declared(self.prefixed(name, item))

    def find_declared(self, name: str) -> Any:
        """The same by its full name."""
        if name in self.built:
            return self.built[name]
        if name in self.waiting:
            self.built[name] = self._made(name, self.waiting.pop(name))
            return self.built[name]
        return None

    def _made(self, name: str, make: Callable[[], Any]) -> Any:
        if name in self._building:
            loop = " → ".join([*self._building[self._building.index(name) :], name])
            item = self.declared[name][1]
            assert item is not None
            raise item.error(f"'{name}' is made of itself: {loop}", at_key=True)
        if len(self._building) > 200:
            item = self.declared[name][1]
            assert item is not None
            raise item.error(f"'{name}' is made of too many others that are made of others", at_key=True)
        self._building.append(name)
        try:
            return make()
        finally:
            self._building.pop()

    def body(self, name: str, item: Located) -> Body | None:
        """A body, also one that a wheelset has made."""
        found = self.find(name, item)
        if isinstance(found, Body):
            return found
        if found is None:
            for other in [key for key in self.waiting if name.startswith(f"{key} ")]:
                self.find(other, item)
            made = [one for one in self.model.bodies if one.name == name]
            return made[0] if made else None
        return found.body if isinstance(found, Wheelset) else None

    def element(self, name: str, item: Located) -> Any:
        """A joint, force or other element, or None."""
        found = self.find(name, item)
        if found is None:
            for other in [key for key in self.waiting if name.startswith(f"{key} ")]:
                self.find(other, item)
            made = [one for one in self.model.elements if one.name == name]
            return made[0] if made else None
        return None if isinstance(found, Body) else found

    def body_names(self) -> list[str]:
        """Names of all bodies."""
        return ["ground", *(name for name, (what, _) in self.declared.items() if what in ("a body", "a flexible body"))]

    def joint_names(self) -> list[str]:
        """Names of all joints."""
        return [name for name, (what, _) in self.declared.items() if what == "a joint"]

    # --------------------------------------------------------------------------------------------------- quantities

    def quantity(self, name: FormulaName, item: Located, what: str) -> Any:
        """What a name in a formula of quantities stands for."""
        first, rest = name.parts[0], list(name.parts[1:])
        found: Any
        if first == "pi" and not rest:
            return math.pi
        if first == "t" and not rest:
            return Quantity(operator.attrgetter("t"), "t")
        if first in self.constants and not rest:
            return self.constant(first)
        if first in ("p", "w") and rest:
            first = rest.pop(0)
        if first in self.parameters and not rest:
            found = Quantity(partial(of_scene, "p", first), f"p.{first}")
            return found[name.indices] if name.indices else found
        if first in self.inputs and not rest:
            return Quantity(partial(of_scene, "w", first), f"w.{first}")
        if first == "model":
            found = self.model
            self._check_part(rest[:1], OF_MODEL, name, item)
        else:
            found = self.find(first, item)
            found = self.element(first, item) or self.body(first, item) if found is None else found
        if found is None:
            known = [*self.declared]
            raise item.error(f"unknown name '{first}'; {suggestion(first, known)}", part=name.span)
        if isinstance(found, FlexibleBody) and (amplitude := amplitude_named(found, rest)) is not None:
            return amplitude
        for k, part in enumerate(rest):
            found = self._part(found, part, name, item, rest[k + 1 :])
        return found[name.indices] if name.indices and isinstance(found, Quantity) else found

    def _check_part(self, parts: list[str], known: Any, name: FormulaName, item: Located) -> None:
        if not parts or parts[0] not in known:
            given = parts[0] if parts else ""
            raise item.error(f"'{name.text}': {suggestion(given, known)}", part=name.span)

    def _part(self, owner: Any, part: str, name: FormulaName, item: Located, rest: list[str]) -> Any:
        """A part of a body, joint, force, quantity."""
        if isinstance(owner, Body) and part in self.points.get(owner.name, {}):
            return self.points[owner.name][part]
        if isinstance(owner, FlexibleBody) and (node := node_named(owner, part)) is not None:
            return node
        if isinstance(owner, Element) and part in owner.states:
            return state_of(owner, part)
        known = parts_of(owner)
        if isinstance(owner, Body):
            known += self.points.get(owner.name, {})
        if part not in known:
            raise item.error(f"'{name.text}': there is no '{part}'; {suggestion(part, known)}", part=name.span)
        if isinstance(owner, Body) and part != "com" and part not in _properties(type(owner)):
            owner = owner.origin
        try:
            return owner.quantities()[part] if isinstance(owner, Wheelset) else getattr(owner, part)
        except (AttributeError, DalembertError) as error:
            raise item.error(f"'{name.text}': {error}", part=name.span) from None


def nodes_of(body: FlexibleBody) -> list[str]:
    """Names of the places of a flexible body that markers can stand at."""
    return ["left", "right"] if isinstance(body, BeamBody) else list(body.flexibility.nodes.names)


def node_named(body: FlexibleBody, name: str) -> Marker | None:
    """The marker at such a place, or None if there is none of this name."""
    if name not in nodes_of(body):
        return None
    found: Marker = getattr(body, name) if isinstance(body, BeamBody) else body.node(name)
    return found


def amplitude_named(body: FlexibleBody, parts: list[str]) -> Quantity | None:
    """The amplitude of a mode, ``["mode"]``, or its rate, ``["mode", "rate"]``; None if there is none."""
    if not parts or parts[0] not in body.modes or parts[1:] not in ([], ["rate"]):
        return None
    return body.mode_rate(parts[0]) if parts[1:] else body.mode(parts[0])


def state_of(owner: Element, name: str) -> Quantity:
    """An external state of an element as a quantity."""
    element: Any = owner
    own = element.state(name) if hasattr(type(owner), "state") else getattr(owner, name, None)
    if isinstance(own, Quantity):
        return own
    return owner.measured(operator.attrgetter("u"), f"{owner.name}.{name}", list(owner.states).index(name))


def of_scene(kind: str, name: str, scene: Any) -> Any:
    """A parameter ("p") or an input ("w") in a scene."""
    return getattr(getattr(scene, kind), name)


def parts_of(owner: Any) -> list[str]:
    """Names of quantities, and of markers, that something has."""
    if isinstance(owner, Wheelset):
        return list(owner.quantities())
    if isinstance(owner, Quantity):
        return [*owner.labels, *(["rate"] if hasattr(type(owner), "prescribe") else [])]
    if isinstance(owner, Model):
        return list(OF_MODEL)
    if isinstance(owner, Marker):
        return _properties(type(owner))
    if isinstance(owner, FlexibleBody):
        return [*dict.fromkeys([*_properties(type(owner)), *_properties(Marker)]), *nodes_of(owner), *owner.modes]
    if isinstance(owner, Body):
        own = dict.fromkeys([*_properties(type(owner)), *_properties(Marker)])
        return [*own, *(["com"] if owner.is_rigid else [])]
    found = _properties(type(owner))
    if isinstance(owner, Joint):
        labels = list(owner.own_coordinates)
        found += [*labels, *(["rate"] if len(labels) == 1 else [])]
    return [*found, *getattr(owner, "states", ())]


def _properties(kind: type) -> list[str]:
    """Properties of a class that are quantities, as its annotations say."""
    found = []
    for name in dir(kind):
        one = getattr(kind, name, None)
        if isinstance(one, property) and one.fget is not None and not name.startswith("_"):
            if one.fget.__annotations__.get("return") in ("Quantity", Quantity):
                found.append(name)
    return found
