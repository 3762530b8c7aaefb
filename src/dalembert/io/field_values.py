"""Values of fields: what a table, list, string or number of a file becomes as an argument of a builder."""

from __future__ import annotations

import importlib
import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from dalembert.errors import DalembertError, suggestion
from dalembert.io.formulas import (
    FormulaError,
    FormulaName,
    FormulaPart,
    calls_in,
    check_calls,
    counted_as_angle,
    evaluated,
    names_in,
    parsed,
)
from dalembert.io.kinds import KindField
from dalembert.io.law_functions import LawFunction, indexed
from dalembert.io.names import NameSpace, node_named, nodes_of
from dalembert.io.positions import Located, ModelFileError, Span
from dalembert.io.units import QUANTITY, UnitError, factor_between, joined_unit
from dalembert.model.bodies.parts import Body, Marker
from dalembert.model.element import Element
from dalembert.model.flexible.beam_body import BeamBody
from dalembert.model.flexible.flexible_body import FlexibleBody
from dalembert.model.joints.joints import Joint
from dalembert.model.quantity import Quantity, listed
from dalembert.symbolic import TableOfTwo

#: which argument of a law a name with dots stands for, and which entry of it
Calls = dict[str, tuple[str, tuple[int, ...]]]


def shown_value(item: Located) -> str:
    """A value in a message."""
    text = repr(item.plain)
    return text if len(text) <= 40 else text[:37] + "..."


def table_of(item: Located, known: Iterable[str], what: str, required: Iterable[str] = ()) -> dict[str, Located]:
    """Entries of a table, none but known ones."""
    if not isinstance(item.value, dict):
        raise item.error(f"{what} must be a table, {{ … }}; got {shown_value(item)}")
    for key, one in item.items():
        if key not in known:
            raise one.error(f"{what} has no field '{key}'; {suggestion(key, known)}", at_key=True)
    for key in required:
        if key not in item.value:
            raise item.error(f"{what} lacks the field '{key}'", at_key=True)
    found: dict[str, Located] = item.value
    return found


def plain_text(item: Located, what: str) -> str:
    """A string."""
    if not isinstance(item.value, str):
        raise item.error(f"{what} must be a text in quotes; got {shown_value(item)}")
    return item.value


def plain_flag(item: Located, what: str) -> bool:
    """True or false."""
    if not isinstance(item.value, bool):
        raise item.error(f"{what} must be true or false; got {shown_value(item)}")
    return item.value


class FieldValues:
    """Readers of fields, in one name space."""

    def __init__(self, names: NameSpace, allow_python: bool) -> None:
        self.names, self.allow_python = names, allow_python
        #: Python objects that the file refers to, with a hash of their source
        self.python: dict[str, str] = {}

    # ----------------------------------------------------------------------------------------------------- numbers

    def number(self, item: Located, what: str, unit: str = "", *, exact: bool = False) -> Any:
        """A number, a number with a unit, or a formula of constants and parameters; ``exact``: of constants alone."""
        value = item.value
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            try:
                found = float(value)
            except OverflowError:
                found = math.inf
            if not math.isfinite(found):
                raise item.error(f"{what} must be a finite number; got {shown_value(item)}")
            return found
        if not isinstance(value, str):
            raise item.error(f"{what} must be a number or a formula; got {shown_value(item)}")
        measured = self._with_unit(item, what, unit)
        if measured is not None:
            return measured
        part = self._formula(item)
        if unit and isinstance(part, FormulaName):
            self._check_unit(part, item, what, unit)
        return self._evaluated(item, part, lambda name: self._known(name, item, what, exact))

    def _check_unit(self, name: FormulaName, item: Located, what: str, unit: str) -> None:
        """Complain where a field with a unit is a parameter that has another one."""
        given = self.names.parameter_units.get(name.parts[-1])
        if given and len(name.parts) == 1 + (name.parts[0] == "p"):
            try:
                factor_between(given, unit, what)
            except UnitError as error:
                raise item.error(f"parameter '{name.parts[-1]}': {error}", part=name.span) from None

    def _with_unit(self, item: Located, what: str, unit: str) -> float | None:
        """A number, a blank and a unit; None if it is none."""
        match = QUANTITY.fullmatch(item.value)
        if match is None:
            if joined := joined_unit(item.value):
                raise item.error(f"a blank is missing between a number and its unit; write '{' '.join(joined)}'")
            return None
        try:
            factor = factor_between(match[2], unit, what, match.start(2))
        except UnitError as error:
            raise item.error(str(error), part=Span(error.start, error.end)) from None
        value = float(match[1]) * factor
        if not math.isfinite(value):
            raise item.error(f"{what} must be a finite number; got {shown_value(item)}")
        return value

    def _formula(self, item: Located) -> FormulaPart:
        try:
            self.names.count_formula(len(item.value))
            found = self.names.full(parsed(item.value), item)
            check_calls(found, self.names.tables)
            return found
        except FormulaError as error:
            raise item.error(str(error), part=error.span) from None

    def _evaluated(self, item: Located, part: FormulaPart, resolve: Callable[[FormulaName], Any]) -> Any:
        try:
            return evaluated(part, resolve, self.names.tables)
        except FormulaError as error:
            raise item.error(str(error), part=error.span) from None
        except ModelFileError:
            raise
        except (DalembertError, TypeError, ValueError, AttributeError) as error:
            raise item.error(f"the formula cannot be evaluated: {error}") from None

    def _known(self, name: FormulaName, item: Located, what: str, exact: bool) -> Any:
        """A constant or a parameter."""
        first = name.parts[0]
        if first == "pi" and len(name.parts) == 1:
            return math.pi
        if first == "p" and len(name.parts) == 2 and not exact:
            first, name = name.parts[1], FormulaName(name.span, name.parts[1:], name.indices)
        if len(name.parts) == 1:
            if first in self.names.constants and not name.indices:
                return self.names.constant(first)
            if first in self.names.parameters and not exact:
                return indexed(getattr(self.names.model.p, first), name.indices, name)
        if first in self.names.parameters and exact:
            raise item.error(f"{what} must not depend on the parameter '{first}'; use a constant", part=name.span)
        if first in self.names.declared or first == "t":
            raise item.error(f"{what} cannot depend on '{name.text}'", part=name.span)
        known = [*self.names.constants, *(() if exact else self.names.parameters), "pi"]
        raise item.error(f"unknown name '{first}'; {suggestion(first, known)}", part=name.span)

    def vector(self, item: Located, what: str, unit: str = "", sizes: tuple[int, ...] = ()) -> list[Any]:
        """A list of numbers."""
        if not isinstance(item.value, list):
            raise item.error(f"{what} must be a list of numbers; got {shown_value(item)}")
        if sizes and len(item.value) not in sizes:
            wanted = " or ".join(map(str, sizes))
            raise item.error(f"{what} needs {wanted} numbers; got {len(item.value)}")
        return [self.number(one, what, unit) for one in item.value]

    def array(self, item: Located, what: str, unit: str = "") -> Any:
        """A number, or lists of numbers in lists."""
        if isinstance(item.value, list):
            return [self.array(one, what, unit) for one in item.value]
        return self.number(item, what, unit)

    # ----------------------------------------------------------------------------------- bodies, joints, markers

    def marker(self, item: Located, what: str) -> Marker:
        """A body, one of its points, or a table that says where on it."""
        if isinstance(item.value, str):
            return self._point(item, item.value)
        entries = table_of(item, ("body", "at", "point", "axis", "angle", "rotation"), what, ("body",))
        body = self._body(entries["body"])
        if "point" in entries:
            if len(entries) > 2:
                raise item.error(f"{what}: a point has a place and axes of its own; leave the rest away")
            return self._named_point(body, plain_text(entries["point"], what), entries["point"])
        return self._at(body, self.place(entries.get("at"), body, f"{what}: at"), entries, item, what)

    def place(self, item: Located | None, body: Body, what: str) -> list[Any]:
        """Where on a body: as many numbers as the model has axes; on a beam also the one along its axis."""
        size = 2 if self.names.model.planar else 3
        sizes = (1, size) if isinstance(body, BeamBody) else (size,)
        return [0.0] * size if item is None else self.vector(item, what, "m", sizes)

    def _at(self, body: Body, at: list[Any], entries: Mapping[str, Located], item: Located, what: str) -> Marker:
        options: dict[str, Any] = {}
        if "axis" in entries:
            options["axis"] = self.axis(entries["axis"], f"{what}: axis")
        if "angle" in entries:
            options["angle"] = self.number(entries["angle"], f"{what}: angle", "rad")
        if "rotation" in entries:
            options["rotation"] = self.array(entries["rotation"], f"{what}: rotation")
        return self.built(item, lambda: body.at(*at, **options), entries)

    def built(self, item: Located, make: Callable[[], Any], entries: Mapping[str, Located]) -> Any:
        """What a builder makes, its complaints at the field that they name."""
        try:
            return make()
        except ModelFileError:
            raise
        except DalembertError as error:
            raise self.placed(item, error, entries) from None
        except (TypeError, ValueError, OverflowError) as error:
            raise item.error(f"this cannot be built: {error}", at_key=True) from None

    def placed(self, item: Located, error: Exception, entries: Mapping[str, Located]) -> ModelFileError:
        """A complaint of the model at the field that it speaks of, or at the whole."""
        message = str(error)
        after = message.partition("': ")[2] or message
        named = [key for key in entries if re.search(rf"\b{re.escape(key)}\b", after[:60])]
        culprit = entries[max(named, key=len)] if named else item
        return culprit.error(message, at_key=culprit is item)

    def axis(self, item: Located, what: str) -> Any:
        """A letter, or numbers."""
        return item.value if isinstance(item.value, str) else self.vector(item, what)

    def _body(self, item: Located) -> Body:
        name = plain_text(item, "body")
        found = self.names.body(name, item)
        if found is None:
            raise item.error(f"there is no body '{name}'; {suggestion(name, self.names.body_names())}")
        return found

    def _point(self, item: Located, text: str) -> Marker:
        name, _, point = text.partition(".")
        body = self.names.body(name, item)
        if body is None:
            raise item.error(f"there is no body '{name}'; {suggestion(name, self.names.body_names())}")
        return body.origin if not point else self._named_point(body, point, item)

    def _named_point(self, body: Body, point: str, item: Located) -> Marker:
        points = self.names.points.get(body.name, {})
        if point in points:
            return points[point]
        if isinstance(body, FlexibleBody):
            if (marker := node_named(body, point)) is not None:
                return marker
            raise item.error(f"'{body.name}' has no point '{point}'; {suggestion(point, [*points, *nodes_of(body)])}")
        if point == "com" and hasattr(body, "com"):
            found: Marker = body.com
            return found
        raise item.error(f"'{body.name}' has no point '{point}'; {suggestion(point, [*points, 'com'])}")

    def coordinate(self, item: Located, what: str) -> Any:
        """A joint, or a coordinate of one: "A", "A.angle"."""
        text = plain_text(item, what)
        name, _, label = text.partition(".")
        found = self.names.element(name, item)
        if not isinstance(found, Joint):
            raise item.error(f"there is no joint '{name}'; {suggestion(name, self.names.joint_names())}")
        if not label:
            return found
        if label not in found.own_coordinates:
            known = found.own_coordinates
            raise item.error(f"joint '{name}' has no coordinate '{label}'; {suggestion(label, known)}")
        return found.own_coordinates[label]

    def acted(self, item: Located, what: str) -> Any:
        """A joint, a coordinate, a body or marker, or a pair of markers."""
        if isinstance(item.value, list):
            if len(item.value) != 2:
                raise item.error(f"{what} must be one thing, or a pair of markers; got {len(item.value)}")
            return tuple(self.marker(one, what) for one in item.value)
        if isinstance(item.value, str):
            name = item.value.partition(".")[0]
            if isinstance(self.names.element(name, item), Joint):
                return self.coordinate(item, what)
            if self.names.body(name, item) is None:
                known = [*self.names.joint_names(), *self.names.body_names()]
                raise item.error(f"there is no joint or body '{name}'; {suggestion(name, known)}")
        return self.marker(item, what)

    # ------------------------------------------------------------------------------------------------------- laws

    def law(
        self, item: Located, what: str, field: KindField, sees: dict[str, Any] | None = None, on: Any = None
    ) -> Any:
        """A number, a formula of what the law sees, a list of such, a table, or a Python function."""
        if isinstance(item.value, dict):
            if "python" in item.value:
                return self.function(item, what)
            return self._table_law(item, what)
        if isinstance(item.value, list):
            return self._formulas(item, item.value, what, field, sees, on)
        if isinstance(item.value, str) and QUANTITY.fullmatch(item.value) is None:
            return self._formulas(item, [item], what, field, sees, on, single=True)
        return self.number(item, what, field.unit)

    def _formulas(
        self, item: Located, items: list[Located], what: str, field: KindField, sees: dict[str, Any] | None, on: Any,
        single: bool = False,
    ) -> Any:  # fmt: skip
        """Formulas as numbers where they are no more than that, and as a function otherwise."""
        texts = [one for one in items if isinstance(one.value, str) and QUANTITY.fullmatch(one.value) is None]
        parts = {id(one): self._formula(one) for one in texts}
        moving = False
        calls: Calls = {}
        for one in texts:
            for name in names_in(parts[id(one)]):
                moving |= self._is_moving(name, one, what, field, sees, on, calls)
        if not moving:
            found = [self.number(one, what, field.unit) for one in items]
            return found[0] if single else found
        for one in texts:
            self._check_counts(parts[id(one)], one, what)
        made = []
        for one in items:
            number = None if id(one) in parts else self.number(one, what, field.unit)
            made.append(parts[id(one)] if number is None else parsed(repr(number)))
        return self.function_of(made, single, field.seen, calls, texts)

    def _check_counts(self, part: FormulaPart, item: Located, what: str) -> None:
        """Complain about a parameter in Hz that a law takes for an angular speed."""
        units = self.names.parameter_units
        counted = counted_as_angle(part, units, what.startswith(("drive ", "prescribe ")))
        if counted is not None:
            name = counted.parts[-1]
            raise item.error(
                f"{what}: parameter '{name}' in {units[name]} does not say whether turns or radians are counted; write "
                "rpm, rev/s or rad/s, or multiply it by 2*pi",
                part=counted.span,
            )

    def function_of(
        self, parts: list[FormulaPart], single: bool, seen: Iterable[str], calls: Calls, texts: list[Located]
    ) -> LawFunction:
        """Formulas as a function of those arguments that they name."""
        used = {name.parts[0] for part in parts for name in names_in(part) if ".".join(name.parts) not in calls}
        arguments = [one for one in (*seen, "t") if one in used]
        parameters = {one for one in used if one in self.names.parameters and one not in arguments}
        inputs = {one for one in used if one in self.names.inputs and one not in arguments}
        constants = {one: self.names.constant(one) for one in used if one in self.names.constants}
        constants |= {"pi": math.pi} if "pi" in used else {}
        arguments += ["p"] if parameters or "p" in used else []
        arguments += ["w"] if inputs or "w" in used else []
        tables = {call.operator: self.names.tables[call.operator] for part in parts for call in calls_in(part)
                  if call.operator in self.names.tables}  # fmt: skip
        return LawFunction(
            tuple(parts), single, _arguments(arguments, calls), tuple(calls.items()),
            tuple((key, value) for key, value in constants.items() if key not in arguments),
            frozenset(parameters), frozenset(inputs), self.names.model.labels, tables,
            tuple((name, table.digest()) for name, table in tables.items()),
        )  # fmt: skip

    def _is_moving(
        self, name: FormulaName, item: Located, what: str, field: KindField, sees: dict[str, Any] | None, on: Any,
        calls: Calls,
    ) -> bool:  # fmt: skip
        """Whether a name makes a law a function; ``calls`` gets names of joints and points that it sees."""
        first = name.parts[0]
        if first in field.seen or (first == "t" and len(name.parts) == 1):
            return True
        if (first == "w" and len(name.parts) == 2 and name.parts[1] in self.names.inputs) or (
            first in self.names.inputs and len(name.parts) == 1
        ):
            return True
        if first == "p" and len(name.parts) == 2 and name.parts[1] in self.names.parameters:
            return False
        if len(name.parts) == 1:
            if first in self.names.constants or first in self.names.parameters or first == "pi":
                return False
            if first not in self.names.declared:
                known = [*field.seen, "t", *self.names.parameters, *self.names.constants, *self.names.inputs, "pi"]
                if sees is not None:
                    known += self.names.joint_names()
                raise item.error(f"unknown name '{first}'; {suggestion(first, known)}", part=name.span)
        if sees is None:
            seen = ", ".join([*field.seen, "t"])
            raise item.error(
                f"{what} cannot depend on '{name.text}'; it can on {seen}, parameters and inputs", part=name.span
            )
        self._see(name, item, sees, on, calls)
        return True

    def _see(self, name: FormulaName, item: Located, sees: dict[str, Any], on: Any, calls: Calls) -> None:
        """Let a law see a coordinate of a joint, a point, or any quantity of something else."""
        first, rest = name.parts[0], name.parts[1:]
        whole = ".".join(name.parts)
        found = self.names.element(first, item)
        if first == "model" or (isinstance(found, Element) and not isinstance(found, Joint)):
            plain = FormulaName(name.span, name.parts)  # entries are taken of the argument
            seen = _identifier(whole)
            sees.setdefault(seen, self.names.quantity(plain, item, whole))
            calls[whole] = seen, ()
            return
        if isinstance(found, Joint):
            label, rate = self._coordinate_named(found, rest, name, item)
            coordinate = found.own_coordinates[label]
            if (on is found and len(found.own_coordinates) == 1) or on is coordinate:
                argument = "rate" if rate else ("angle" if coordinate.is_angle else "displacement")
                calls[whole] = argument, ()
                return
            seen = _identifier(f"{found.name}_{label}")
            sees.setdefault(seen, coordinate)
            calls[whole] = f"{seen}_rate" if rate else seen, ()
            return
        body = self.names.body(first, item)
        if body is None:
            raise item.error(f"unknown name '{first}'; {suggestion(first, self.names.declared)}", part=name.span)
        point = "" if rest and rest[0] in ("position", "velocity") else rest[0] if rest else ""
        after = rest[1:] if point else rest
        labels = self.names.model.labels
        if len(after) != 2 or after[0] not in ("position", "velocity") or after[1] not in labels:
            raise item.error(
                f"of a body a law sees position.{labels[0]}, velocity.{labels[0]} and so on, not '{name.text}'",
                part=name.span,
            )
        marker = self._named_point(body, point, item) if point else body.origin
        seen = _identifier(f"{first}_{point}" if point else first)
        sees.setdefault(seen, marker)
        calls[whole] = seen if after[0] == "position" else f"{seen}_velocity", (labels.index(after[1]),)

    def _coordinate_named(
        self, joint: Joint, rest: tuple[str, ...], name: FormulaName, item: Located
    ) -> tuple[str, bool]:
        """Label of a coordinate, and whether its rate is meant."""
        labels = list(joint.own_coordinates)
        if rest == ("rate",) and len(labels) == 1:
            return labels[0], True
        if rest and rest[0] in labels and rest[1:] in ((), ("rate",)):
            return rest[0], len(rest) == 2
        known = [*labels, *(["rate"] if len(labels) == 1 else [f"{one}.rate" for one in labels])]
        raise item.error(
            f"joint '{joint.name}' has no '{'.'.join(rest)}'; {suggestion('.'.join(rest), known)}", part=name.span
        )

    def _table_law(self, item: Located, what: str) -> Any:
        entries = table_of(item, ("table", "over"), what, ("table",))
        name = self.names.prefixed(plain_text(entries["table"], what), item)
        if name not in self.names.tables:
            raise entries["table"].error(f"there is no table '{name}'; {suggestion(name, self.names.tables)}")
        found = self.names.tables[name]
        if "over" not in entries:
            return found
        over = entries["over"]
        names = (
            [plain_text(one, what) for one in over.value] if isinstance(over.value, list) else plain_text(over, what)
        )
        if isinstance(found, TableOfTwo) is not isinstance(names, list):
            raise over.error(f"{what}: table '{name}' is over {2 if isinstance(found, TableOfTwo) else 1} of the names")
        return {tuple(names) if isinstance(names, list) else names: found}

    def function(self, item: Located, what: str) -> Any:
        """A function or object of a Python module, if the user allows it."""
        entries = table_of(item, ("python",), what, ("python",))
        text = plain_text(entries["python"], what)
        if not self.allow_python:
            raise item.error(
                f"{what} is Python code, '{text}', which runs only with --allow-python (allow_python=True)"
            )
        module, _, path = text.partition(":")
        if not re.fullmatch(r"[\w.]+:[\w.]+", text):
            raise item.error(f"{what}: Python is named 'module:function', got '{text}'")
        try:
            found = importlib.import_module(module)
            for part in path.split("."):
                found = getattr(found, part)
        except Exception as error:  # whatever importing a module of the user raises
            raise item.error(f"{what}: '{text}' cannot be imported: {type(error).__name__}: {error}") from None
        self.python[text] = source_hash(found)
        return found

    # -------------------------------------------------------------------------------------------------- quantities

    def quantity(self, item: Located, what: str) -> Quantity:
        """A formula of quantities of the model, or a list of such."""
        if isinstance(item.value, list):
            return listed([self.quantity(one, what) for one in item.value])
        if not isinstance(item.value, str):
            raise item.error(f'{what} must be a formula of quantities, such as "A.angle"; got {shown_value(item)}')
        found = self._evaluated(item, self._formula(item), lambda name: self.names.quantity(name, item, what))
        if isinstance(found, (Joint, Marker, Body)):
            raise item.error(f"{what}: '{item.value}' is no quantity; name one of its parts")
        if not isinstance(found, Quantity):
            raise item.error(f"{what} must depend on something that moves; '{item.value}' is constant")
        return found

    def seen(self, item: Located, what: str) -> dict[str, Any]:
        """Further quantities for laws by name."""
        if not isinstance(item.value, dict):
            raise item.error(f"{what} must be a table of names; got {shown_value(item)}")
        return {key: self.acted(one, what) for key, one in item.items()}


def _arguments(named: list[str], calls: Calls) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*named, *(argument for argument, _ in calls.values())]))


def _identifier(text: str) -> str:
    found = re.sub(r"\W", "_", text)
    return found if not found[:1].isdigit() else f"_{found}"


def source_hash(item: Any) -> str:
    """SHA-256 of the source of a Python object, or of its name where it has none."""
    import hashlib
    import inspect

    try:
        text = inspect.getsource(item)
    except (OSError, TypeError):
        text = repr(type(item))
    return hashlib.sha256(text.encode()).hexdigest()
