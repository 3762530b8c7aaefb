"""Model files: from a TOML text to a model.

Sections are read in an order that their names need: constants, parameters, tables, inputs; then bodies, joints, forces
and so on in the order of the text, those first that others refer to; then sensors, events and the run.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields as dataclass_fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.errors import DalembertError, ModelError, suggestion
from dalembert.io.field_values import FieldValues, plain_flag, plain_text, shown_value, table_of
from dalembert.io.flexible_objects import FlexibleObjects
from dalembert.io.formulas import FUNCTIONS
from dalembert.io.kinds import GROUPS, ElementKind, KindField, kinds_of
from dalembert.io.model_file import EVENT_FIELDS, RUN_FIELDS, FileEvent, ModelFile, ParameterNote
from dalembert.io.names import NameSpace, amplitude_named
from dalembert.io.parts_of_files import inner_path, whole_file
from dalembert.io.positions import Located, Span, located
from dalembert.io.rail_objects import RailObjects
from dalembert.io.start_units import only_start_unit, quantity_unit, start_unit
from dalembert.io.units import QUANTITY, UnitError, dimension_text, unit_of
from dalembert.model.bodies import meshes, shapes
from dalembert.model.bodies.parts import Body
from dalembert.model.flexible.flexible_body import FlexibleBody
from dalembert.model.model import Model
from dalembert.symbolic import PiecewisePolynomial, table

MODEL_FIELDS = ("name", "plane", "gravity", "unphysical", "about")
BODY_FIELDS = {
    "mass": ("number", "kg"), "inertia": ("array", "kg m^2"), "com": ("vector", "m"), "about": ("vector", "m"),
    "density": ("number", ""), "position": ("vector", "m"), "rotation": ("array", ""), "angle": ("number", "rad"),
    "velocity": ("vector", "m/s"), "angular_velocity": ("array", "rad/s"), "unphysical": ("text", ""),
}  # fmt: skip
TABLE_FIELDS = ("kind", "outside", "x", "y", "z", "file", "breaks", "coefficients", "watched")
PARAMETER_FIELDS = ("value", "unit", "about", "bounds")
SENSOR_FIELDS = ("of", "unit")
_WHAT = {"flexible": "a flexible body", "joints": "a joint",
         "constraints": "a constraint", "forces": "a force", "limits": "a limit",
         "wheelsets": "a wheelset"}  # fmt: skip
#: Further fields of groups, besides those of their kinds.
MORE_FIELDS = {"flexible": ("points",)}


def shape_kinds() -> dict[str, type]:
    """Classes of shapes by the names that they have in files."""
    found = {name.lower(): one for name, one in vars(shapes).items()
             if isinstance(one, type) and issubclass(one, shapes.Shape) and one is not shapes.Shape
             and not name.startswith("_")}  # fmt: skip
    return {**found, "mesh": meshes.Mesh}


def shape_fields(kind: str) -> tuple[str, ...]:
    """Fields of a shape."""
    if kind == "mesh":
        return ("file", "vertices", "faces", "scale", "position", "rotation")
    return tuple(one.name for one in dataclass_fields(shape_kinds()[kind]))


def read_text(text: str, name: str, folder: Path | None, allow_python: bool) -> ModelFile:
    """A model file from its text; ``folder`` is where files stand that it names."""
    root = located(text, name)
    return _Reader(root, whole_file(root, folder), folder, allow_python).file(text)


class _Reader:
    def __init__(self, root: Located, sections: Mapping[str, Any], folder: Path | None, allow_python: bool) -> None:
        self.root, self.sections, self.folder = root, sections, folder
        self.model = self._model()
        self.names = NameSpace(self.model)
        self.values = FieldValues(self.names, allow_python)
        self.rails, self.flexible = RailObjects(self.values, folder), FlexibleObjects(self.values, folder)
        self.notes: dict[str, ParameterNote] = {}
        self.units: dict[str, str] = {}

    def file(self, text: str) -> ModelFile:
        """All of it, in the order of what needs what."""
        self._declare()
        for name, item in self.sections["parameters"]:
            self._parameter(name, item)
        for name, item in self.sections["tables"]:
            self.names.tables[name] = self._table(name, item)
        for name in list(self.names.constants):
            self.names.constant(name)
        self._gravity()
        for name, item in self.sections["tracks"]:
            self.names.tracks[name] = self.rails.track(item, f"track '{name}'")
        for name, item in self.sections["inputs"]:
            self._input(name, item)
        parts = [one for group in ("bodies", *GROUPS) for one in self.sections[group]]
        for name, _ in sorted(parts, key=lambda one: one[1].order):
            self.names.find_declared(name)
        for name, item in self.sections["sensors"]:
            self._sensor(name, item)
        events = tuple(self._event(name, item) for name, item in self.sections["events"])
        about = self._entry("about")
        return ModelFile(
            self.model, text, self.root.source.name, self._run(), events, self.notes, self.units, self.values.python,
            "" if about is None else plain_text(about, "about"),
        )  # fmt: skip

    # ----------------------------------------------------------------------------------------------------- head

    def _entry(self, key: str) -> Located | None:
        section = self.sections["model"]
        return None if section is None else section.get(key)

    def _model(self) -> Model:
        section = self.sections["model"]
        if section is None:
            raise self.root.error("the file lacks the section [model] with a name")
        entries = table_of(section, MODEL_FIELDS, "[model]", ("name",))
        name = plain_text(entries["name"], "name")
        options = {key: plain_text(entries[key], key) for key in ("plane", "unphysical") if key in entries}
        try:
            return Model(name, **options)
        except ModelError as error:
            culprit = next((key for key in ("plane", "unphysical") if key in str(error)), "name")
            raise entries.get(culprit, section).error(str(error)) from None

    def _gravity(self) -> None:
        item = self._entry("gravity")
        if item is not None:
            size = 2 if self.model.planar else 3
            found = self.values.vector(item, "gravity", "m/s^2", (size,))
            self.model.gravity = self.model.vector(found, "gravity")

    def _declare(self) -> None:
        words = {"parameters": "a parameter", "constants": "a constant", "tables": "a table", "tracks": "a track",
                 "inputs": "an input", "bodies": "a body", "sensors": "a sensor", **_WHAT}  # fmt: skip
        for key, what in words.items():
            for name, item in self.sections[key]:
                self.names.declare(name, what, item)
                if key in ("parameters", "constants", "tables", "inputs") and not re.fullmatch(r"[^\W\d]\w*", name):
                    raise item.error(f"the name of {what} is made of letters, digits and _; got '{name}'", at_key=True)
                if key == "tables" and name in FUNCTIONS:
                    raise item.error(f"'{name}' is a function of formulas; choose another name", at_key=True)
        for name, item in self.sections["constants"]:
            self.names.constants[name] = partial(self.values.number, item, f"constant '{name}'", exact=True)
        self.names.inputs = {name for name, _ in self.sections["inputs"]}
        self.names.parameters = {name: None for name, _ in self.sections["parameters"]}
        for name, item in self.sections["bodies"]:
            self.names.waiting[name] = partial(self._body, name, item)
        for group in GROUPS:
            for name, item in self.sections[group]:
                self.names.waiting[name] = partial(self._element, group, name, item)

    def _parameter(self, name: str, item: Located) -> None:
        what = f"parameter '{name}'"
        entries = {"value": item}
        if isinstance(item.value, dict):
            entries = table_of(item, PARAMETER_FIELDS, what, ("value",))
        unit = self._unit(entries.get("unit"))
        value = entries["value"]
        found = _exact_array(self.values, value, what, unit or "")
        measured = QUANTITY.fullmatch(value.value) if isinstance(value.value, str) else None
        if unit and measured is None:
            found = np.asarray(found) * unit_of(unit).factor
        bounds = None
        if "bounds" in entries:
            low, high = self.values.vector(entries["bounds"], f"{what}: bounds", "", (2,))
            if not low <= np.min(found) <= np.max(found) <= high:
                raise value.error(f"{what} is outside of its bounds, {low:g} … {high:g}")
            bounds = (low, high)
        about = plain_text(entries["about"], "about") if "about" in entries else ""
        self.values.built(item, lambda: self.model.parameters(**{name: found}), entries)
        self.notes[name] = ParameterNote(unit or (measured[2] if measured else ""), about, bounds)
        if self.notes[name].unit:
            self.names.parameter_units[name] = self.notes[name].unit

    def _unit(self, item: Located | None) -> str | None:
        if item is None:
            return None
        text = plain_text(item, "unit")
        try:
            unit_of(text)
        except UnitError as error:
            raise item.error(str(error), part=Span(error.start, error.end)) from None
        return text

    def _table(self, name: str, item: Located) -> Any:
        what = f"table '{name}'"
        entries = table_of(item, TABLE_FIELDS, what)
        options = {key: plain_text(entries[key], key) for key in ("kind", "outside") if key in entries}
        data = {key: self.values.array(entries[key], f"{what}: {key}") for key in ("x", "y", "z", "breaks",
                "coefficients") if key in entries}  # fmt: skip
        if "file" in entries:
            if data:
                raise item.error(f"{what} is either in a file or written here", at_key=True)
            data = dict(zip(("x", "y"), self._columns(entries["file"]), strict=True))
        if "breaks" in data:
            if set(data) != {"breaks", "coefficients"} or "kind" in options:
                raise item.error(f"{what}: breaks belong with coefficients alone", at_key=True)
            made = self.values.built(
                item, lambda: PiecewisePolynomial(data["breaks"], data["coefficients"], **options), entries
            )
            made.watched = plain_flag(entries["watched"], "watched") if "watched" in entries else True
            return made
        if not {"x", "y"} <= set(data) or "coefficients" in data:
            raise item.error(f"{what} needs x and y, or a file", at_key=True)
        return self.values.built(item, lambda: table(data["x"], data["y"], data.get("z"), **options), entries)

    def _columns(self, item: Located) -> Any:
        """Two columns of a file of numbers."""
        path = inner_path(item, self.folder, "file")
        try:
            text = path.read_text(encoding="utf-8")[:50_000_000]
            rows = [re.split(r"[,;\s]+", line.strip()) for line in text.splitlines()
                    if line.strip() and not line.lstrip().startswith("#")]  # fmt: skip
            numbers = [[float(word) for word in row if word] for row in rows]
        except (OSError, UnicodeDecodeError, ValueError) as error:
            raise item.error(f"'{item.value}' cannot be read: {error}") from None
        if not numbers or any(len(row) != 2 for row in numbers):
            raise item.error(f"'{item.value}' must have two numbers in every line")
        return zip(*numbers, strict=True)

    def _input(self, name: str, item: Located) -> None:
        what = f"input '{name}'"
        if isinstance(item.value, (int, float)) and not isinstance(item.value, bool):
            raise item.error(f"{what} is constant; make it a parameter or a constant")
        found = self.values.law(item, what, KindField("", (), "law", True))
        if not callable(found) and not isinstance(found, dict):
            raise item.error(f"{what} must depend on t")
        self.values.built(item, lambda: self.model.input(name, found), {})

    # ------------------------------------------------------------------------------------------------------ bodies

    def _body(self, name: str, item: Located) -> Body:
        what = f"body '{name}'"
        entries = table_of(item, (*BODY_FIELDS, "shapes", "points"), what)
        given: dict[str, Any] = {}
        for key, (reading, unit) in BODY_FIELDS.items():
            if key in entries:
                one = entries[key]
                if reading == "text":
                    given[key] = plain_text(one, key)
                elif reading == "vector":
                    size = 2 if self.model.planar else 3
                    given[key] = self.values.vector(one, f"{what}: {key}", unit, (size,))
                else:
                    read = self.values.number if reading == "number" else self.values.array
                    given[key] = read(one, f"{what}: {key}", unit)
        if "shapes" in entries:
            given["shapes"] = self._shapes(entries["shapes"], what)
        found: Body = self.values.built(item, lambda: self.model.body(name, **given), entries)
        self._points(found, entries, what)
        return found

    def _points(self, body: Body, entries: Mapping[str, Located], what: str) -> None:
        points = entries.get("points")
        if points is None:
            return
        if not isinstance(points.value, dict):
            raise points.error(f"{what}: points must be a table of names; got {shown_value(points)}")
        for key, one in points.items():
            self.names.points.setdefault(body.name, {})[key] = self._point(body, key, one)

    def _shapes(self, item: Located, what: str) -> list[Any]:
        if not isinstance(item.value, list):
            raise item.error(f"{what}: shapes must be a list of tables; got {shown_value(item)}")
        return [self._shape(one, what) for one in item.value]

    def _point(self, body: Body, name: str, item: Located) -> Any:
        what = f"point '{name}' of '{body.name}'"
        if not re.fullmatch(r"[^.']+", name) or hasattr(type(body), name):
            raise item.error(f"'{name}' cannot be the name of a point; choose another", at_key=True)
        if isinstance(item.value, list):
            at = self.values.place(item, body, what)
            return self.values.built(item, lambda: body.at(*at), {})
        entries = table_of(item, ("at", "axis", "angle", "rotation"), what)
        return self.values._at(body, self.values.place(entries.get("at"), body, what), entries, item, what)

    def _shape(self, item: Located, what: str) -> Any:
        known = shape_kinds()
        if not isinstance(item.value, dict) or "kind" not in item.value:
            raise item.error(f"{what}: a shape is a table with a kind; got {shown_value(item)}")
        word = item.value["kind"]
        kind = plain_text(word, "kind")
        if kind not in known:
            raise word.error(f"there is no shape '{kind}'; {suggestion(kind, known)}")
        entries = table_of(item, ("kind", *shape_fields(kind)), f"shape '{kind}'")
        given = {key: _exact_array(self.values, one, f"shape '{kind}': {key}", "") for key, one in entries.items()
                 if key not in ("kind", "file")}  # fmt: skip
        if kind != "mesh":
            return self.values.built(item, lambda: known[kind](**given), entries)
        if "file" in entries:
            source: Any = inner_path(entries["file"], self.folder, "file")
        elif "vertices" in given and "faces" in given:
            source = given.pop("vertices")
            given["faces"] = np.asarray(given["faces"]).astype(int)
        else:
            raise item.error("a mesh needs a file, or vertices and faces")
        return self.values.built(item, lambda: meshes.Mesh(source, **given), entries)

    # ----------------------------------------------------------------------------------- joints, forces and so on

    def _element(self, group: str, name: str, item: Located) -> Any:
        known = kinds_of(group)
        if not isinstance(item.value, dict):
            raise item.error(f"{_WHAT[group]} must be a table with its fields; got {shown_value(item)}", at_key=True)
        if "kind" not in item.value and len(known) > 1:
            raise item.error(f"'{name}' lacks its kind; {suggestion('', known)}", at_key=True)
        word = item.value.get("kind")
        chosen = next(iter(known)) if word is None else plain_text(word, "kind")
        if chosen not in known:
            other = next((key for key in GROUPS if chosen in kinds_of(key)), None)
            hint = f"it belongs into [{other}]" if other else suggestion(chosen, known)
            assert word is not None
            raise word.error(f"there is no kind '{chosen}' of {group}; {hint}")
        kind = known[chosen]
        needed = [one.name for one in kind.fields.values() if one.required]
        what, more = f"{chosen} '{name}'", MORE_FIELDS.get(group, ())
        entries = table_of(item, ("kind", *kind.fields, *more), what, needed)
        given = self._arguments(kind, {key: one for key, one in entries.items() if key not in more}, name)
        made = self.values.built(item, lambda: getattr(self.model, kind.method)(name, **given), entries)
        if isinstance(made, Body):
            self._points(made, entries, what)
        return made

    def _arguments(self, kind: ElementKind, entries: Mapping[str, Located], name: str) -> dict[str, Any]:
        given: dict[str, Any] = {}
        sees: dict[str, Any] | None = {} if kind.sees else None
        for key in ("on", "sees"):  # laws name what these are
            if key in entries and key in kind.fields:
                read = self.values.seen if key == "sees" else self._reader(kind.fields[key].reading)
                given[key] = read(entries[key], f"{kind.name} '{name}': {key}")
        if sees is not None and "sees" in given:
            sees.update(given["sees"])
        tables = [entries[key].value for key in ("states", "outputs", "memory") if key in entries]
        states = tuple(state for one in tables if isinstance(one, dict) for state in one)
        for key, item in entries.items():
            if key == "kind" or key in given:
                continue
            field = kind.fields[key]
            what = f"{kind.name} '{name}': {key}"
            if field.reading in ("law", "rates", "laws", "implicit"):
                seen = (*field.seen, *states, *_named_by(sees))
                field = KindField(field.name, field.arguments, field.reading, True, None, seen, field.unit)
                found = self._law(item, what, field, sees, given.get("on"))
            elif field.reading in ("number", "exact"):
                found = self.values.number(item, what, field.unit, exact=field.reading == "exact")
            elif field.reading == "start":
                found = self._start(item, what, only_start_unit(kind.method))
            else:
                found = self._reader(field.reading)(item, what)
            if field.reading in ("pair", "two coordinates"):
                given["first"], given["second"] = found
            elif field.reading == "parts":
                given |= found
            elif field.reading == "relation":
                given[field.arguments[0]] = self._relation(item, what, entries, name)
            else:
                given[field.arguments[0]] = found
        if sees:
            given["sees"] = sees
        return given

    def _law(self, item: Located, what: str, field: KindField, sees: dict[str, Any] | None, on: Any) -> Any:
        if field.reading == "implicit" and isinstance(item.value, list):
            return [self.values.law(one, what, field) for one in item.value]
        if field.reading in ("laws", "rates") and not (isinstance(item.value, dict) and "python" in item.value):
            if not isinstance(item.value, dict):
                raise item.error(f"{what} must be a table of formulas by name; got {shown_value(item)}")
            if field.reading == "laws":
                return {key: self.values.law(one, f"{what}: {key}", field) for key, one in item.items()}
            return self._rates(item, what, field, sees, on)
        return self.values.law(item, what, field, sees, on)

    def _rates(self, item: Located, what: str, field: KindField, sees: dict[str, Any] | None, on: Any) -> Any:
        """Rates of states by name, as one function."""
        names = list(item.value)
        listed = Located([item.value[key] for key in names], item.source, item.span, item.key, item.path)
        found = self.values.law(listed, what, field, sees, on)
        if not callable(found):
            numbers = list(found)
            from dalembert.io.formulas import parsed

            parts = [parsed(repr(float(one))) for one in numbers]
            found = self.values.function_of(parts, False, field.seen, {}, [])
        return NamedRates(found, tuple(names))

    def _reader(self, reading: str) -> Any:
        values = self.values
        readers: dict[str, Any] = {
            "marker": values.marker, "acted": values.acted, "coordinate": values.coordinate, "flag": plain_flag,
            "text": plain_text, "axis": values.axis, "vector": values.vector, "matrix": values.array,
            "instants": values.vector, "quantity": values.quantity, "function": self._function,
            "numbers": self._numbers, "pair": partial(self._two, values.marker),
            "two coordinates": partial(self._two, values.coordinate), "coordinates": self._coordinates,
            "relation": lambda item, what: None, "span": lambda item, what: values.vector(item, what, "", (2,)),
            "texts": self._texts, "parts": self._parts, "several": self._several, "axes": self._axes,
            "rest": self._rest, "object": values.function, "track": self.rails.track, "profile": self.rails.profile,
            "material": self.rails.material, "creep law": self.rails.creep_law, "element": self._named_element,
            "data": self.flexible.data, "section": self.flexible.section, "modes": self.flexible.modes,
            "elastic material": self.flexible.material, "modal damping": self.flexible.damping,
            "whole": self.flexible.whole, "shapes": self._shapes,
        }  # fmt: skip
        return readers[reading]

    def _two(self, read: Any, item: Located, what: str) -> tuple[Any, Any]:
        if not isinstance(item.value, list) or len(item.value) != 2:
            raise item.error(f"{what} must be a list of two; got {shown_value(item)}")
        first, second = (read(one, what) for one in item.value)
        return first, second

    def _numbers(self, item: Located, what: str) -> dict[str, Any]:
        if not isinstance(item.value, dict):
            raise item.error(f"{what} must be a table of numbers by name; got {shown_value(item)}")
        return {key: self.values.number(one, f"{what}: {key}") for key, one in item.items()}

    def _start(self, item: Located, what: str, unit: str) -> Any:
        """Values of coordinates by name; of a joint with one coordinate a number, in its unit."""
        if not isinstance(item.value, dict):
            return self.values.number(item, what, unit)
        return {key: self.values.array(one, f"{what}: {key}", start_unit(key)) for key, one in _flat(item)}

    def _coordinates(self, item: Located, what: str) -> Any:
        if isinstance(item.value, list):
            return [self.values.coordinate(one, what) for one in item.value]
        if not isinstance(item.value, dict):
            raise item.error(f"{what} must be a list of coordinates, or a table of factors; got {shown_value(item)}")
        found = {}
        for key, one in _flat(item):
            named = Located(key, one.source, one.key, one.key, one.path)
            found[self.values.coordinate(named, what)] = self.values.number(one, what)
        return found

    def _relation(self, item: Located, what: str, entries: Mapping[str, Located], name: str) -> Any:
        """The constant of a linear coupling, or a formula of coordinates that vanishes."""
        listed = entries["coordinates"]
        if not isinstance(listed.value, list):
            return self.values.number(item, what)
        if isinstance(item.value, dict):
            return self.values.function(item, what)
        coordinates = self._coordinates(listed, what)
        sees: dict[str, Any] = {}
        field = KindField("", (), "law", True)
        made = self.values.law(item, what, field, sees)
        keys = {id(self._only(one)): f"c{k}" for k, one in enumerate(coordinates)}
        if not callable(made):
            raise item.error(f"{what} must be a formula of the coordinates")
        calls = []
        for whole, (argument, indices) in made.calls:
            seen = sees.get(argument)
            if seen is None or id(seen) not in keys:
                raise item.error(f"{what} names '{whole}', which is not among the coordinates of '{name}'")
            calls.append((whole, (keys[id(seen)], indices)))
        common = [one for one in made.arguments if one in ("t", "p", "w")]
        from dataclasses import replace

        return replace(made, calls=tuple(calls), arguments=(*keys.values(), *common))

    def _only(self, item: Any) -> Any:
        found = getattr(item, "own_coordinates", None)
        return item if found is None else next(iter(found.values()))

    def _texts(self, item: Located, what: str) -> list[str]:
        if not isinstance(item.value, list):
            raise item.error(f"{what} must be a list of texts; got {shown_value(item)}")
        return [plain_text(one, what) for one in item.value]

    def _parts(self, item: Located, what: str) -> dict[str, Any]:
        if not isinstance(item.value, dict):
            raise item.error(f"{what} must be a table of markers and coordinates; got {shown_value(item)}")
        return {key: self.values.acted(one, f"{what}: {key}") for key, one in item.items()}

    def _several(self, item: Located, what: str) -> list[Any]:
        items = item.value if isinstance(item.value, list) else [item]
        return [self.values.acted(one, what) for one in items]

    def _axes(self, item: Located, what: str) -> Any:
        return item.value if item.value in ("world", "body") else self.values.marker(item, what)

    def _rest(self, item: Located, what: str) -> Any:
        return item.value if isinstance(item.value, bool) else self.values.number(item, what)

    def _function(self, item: Located, what: str) -> Any:
        return self.values.function(item, what)

    def _named_element(self, item: Located, what: str) -> Any:
        name = plain_text(item, what)
        found = self.names.element(name, item)
        if found is None:
            known = [one for one, (kind, _) in self.names.declared.items() if kind == "a force"]
            raise item.error(f"{what}: there is no force '{name}'; {suggestion(name, known)}")
        return found

    # ----------------------------------------------------------------------------------- sensors, events, the run

    def _sensor(self, name: str, item: Located) -> None:
        entries = {"of": item}
        if isinstance(item.value, dict):
            entries = table_of(item, SENSOR_FIELDS, f"sensor '{name}'", ("of",))
        unit = self._unit(entries.get("unit"))
        if unit:
            if unit_of(unit).factor != 1.0:
                si = dimension_text(unit_of(unit).dimension)
                raise entries["unit"].error(f"sensors are in SI units; '{unit}' is {si} times a factor")
            self.units[name] = unit
        found = self.values.quantity(entries["of"], f"sensor '{name}'")
        self.values.built(item, lambda: self.model.sensor(name, found), {})

    def _event(self, name: str, item: Located) -> FileEvent:
        what = f"event '{name}'"
        entries = table_of(item, EVENT_FIELDS, what, ("when",))
        action = plain_text(entries["action"], "action") if "action" in entries else "record"
        if action not in ("record", "stop"):
            raise entries["action"].error(f"{what}: action must be 'record' or 'stop', got '{action}'")
        direction = 0
        if "direction" in entries:
            direction = entries["direction"].value
            if direction not in (-1, 0, 1) or isinstance(direction, bool):
                raise entries["direction"].error(f"{what}: direction must be -1, 0 or 1")
        return FileEvent(name, self.values.quantity(entries["when"], what), action == "stop", direction)

    def _run(self) -> dict[str, Any]:
        section = self.sections["run"]
        if section is None:
            return {}
        found: dict[str, Any] = {}
        for key, item in table_of(section, RUN_FIELDS, "[run]").items():
            reading, unit, _ = RUN_FIELDS[key]
            if reading == "start":
                found[key] = self._run_start(item)
            elif reading == "number":
                found[key] = self.values.number(item, key, unit, exact=True)
            elif reading == "texts":
                found[key] = self._texts(item, key)
            else:
                found[key] = plain_text(item, key)
            if key == "method":
                _check_method(item)
            if key == "output" and not found[key] > 0.0:
                raise item.error("output, the distance of stored instants, must be positive")
        begin, end = found.get("begin", 0.0), found.get("end", 1.0)
        if not end > begin:
            key = "end" if "end" in found else "begin"
            raise table_of(section, RUN_FIELDS, "[run]")[key].error(
                f"[run]: end = {end:g} s must be later than begin = {begin:g} s"
            )
        return found

    def _run_start(self, item: Located) -> dict[Any, float]:
        if not isinstance(item.value, dict):
            raise item.error(f"start must be a table of values by name; got {shown_value(item)}")
        found = {}
        for key, one in _flat(item):
            named = Located(key, one.source, one.key, one.key, one.path)
            body, *parts = key.split(".")
            owner = self.names.body(body, named)
            modal = isinstance(owner, FlexibleBody) and amplitude_named(owner, parts) is not None
            place = key if modal else self.values.quantity(named, "start")  # modes are coordinates, which have names
            found[place] = self.values.number(one, key, quantity_unit(place, self.model), exact=True)
        return found


class NamedRates:
    """Rates of states by name, from formulas in the same order."""

    def __init__(self, formulas: Any, names: tuple[str, ...]) -> None:
        self.formulas, self.names = formulas, names
        self.__signature__ = formulas.__signature__

    def __call__(self, **values: Any) -> dict[str, Any]:
        return dict(zip(self.names, self.formulas(**values), strict=True))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NamedRates) and (self.formulas, self.names) == (other.formulas, other.names)

    def __hash__(self) -> int:
        return hash((self.formulas, self.names))


def _named_by(sees: Mapping[str, Any] | None) -> tuple[str, ...]:
    """Arguments that laws have by what they see."""
    from dalembert.model.forces.laws import Sees

    return tuple(Sees(sees, "sees").names) if sees else ()


def _check_method(item: Located) -> None:
    """Complain about a method that there is not."""
    if item.value == "auto":
        return
    from dalembert.integrate.methods.registry import method_named

    try:
        method_named(item.value)
    except DalembertError as error:
        raise item.error(str(error)) from None


def _flat(item: Located, path: str = "") -> list[tuple[str, Located]]:
    """Entries of tables in tables with dots between their names: TOML reads ``A.angle = 1`` so."""
    found: list[tuple[str, Located]] = []
    for key, one in item.items():
        whole = f"{path}.{key}" if path else key
        found += _flat(one, whole) if isinstance(one.value, dict) else [(whole, one)]
    return found


def _exact_array(values: FieldValues, item: Located, what: str, unit: str) -> Any:
    """Numbers that do not depend on parameters."""
    if isinstance(item.value, list):
        return [_exact_array(values, one, what, unit) for one in item.value]
    return values.number(item, what, unit, exact=True)
