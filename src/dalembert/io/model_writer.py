"""Models as files: the calls that a model was built by, with laws as formulas, in the canonical form.

Python functions are called once with symbols; what they compute is written as formulas.  What cannot be written (black
boxes, elements of a user's own classes) is refused by name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from dalembert.arguments import instance
from dalembert.elastic import Flexibility
from dalembert.errors import ModelError
from dalembert.io.flexible_objects import Count, elastic_entries
from dalembert.io.formula_text import AtomText, LawTracer, number_text, parameter_text
from dalembert.io.formulas import FUNCTIONS, written_name
from dalembert.io.kinds import ElementKind, KindField, kinds
from dalembert.io.model_file import FileEvent, ParameterNote
from dalembert.io.model_reader import NamedRates, shape_fields, shape_kinds
from dalembert.io.names import RESERVED, node_named, nodes_of
from dalembert.io.quantity_text import QuantityText
from dalembert.io.rail_objects import rail_entries, track_entries
from dalembert.model.bodies.meshes import Mesh
from dalembert.model.bodies.orientation import about_z
from dalembert.model.bodies.parts import Body, Marker
from dalembert.model.bodies.shapes import Shape
from dalembert.model.calls import BuilderCall
from dalembert.model.flexible.flexible_body import FlexibleBody
from dalembert.model.forces.laws import Law, Sees
from dalembert.model.joints.joints import Joint, JointCoordinate
from dalembert.model.model import Model
from dalembert.model.quantity import Quantity
from dalembert.rail.track import Track
from dalembert.symbolic import Atom, PiecewisePolynomial, TableOfTwo, table


class ModelWriter:
    """One model, and what its file says besides."""

    def __init__(self, model: Model, allow_python: bool = False) -> None:
        self.model = instance(model, Model, "a model file: model", ModelError)
        self.allow_python = allow_python
        #: names of tables by their digests, and texts of their sections
        self._tables: dict[bytes, str] = {}
        self._table_sections: list[str] = []
        #: tracks by their names
        self._tracks: dict[str, Track] = {}
        self._points: dict[str, dict[str, Marker]] = {}
        self._tracer = LawTracer(model, self._table_name)
        self._quantities = QuantityText(model, self._point_name, self._atom, self._table_name)
        self._wish = ""
        self._states: list[str] = []
        #: data of flexible bodies, by the names of the files that they are expected in
        self.data_files: dict[str, Flexibility] = {}

    def text(
        self, run: Mapping[str, Any], events: tuple[FileEvent, ...], notes: Mapping[str, ParameterNote],
        units: Mapping[str, str], about: str,
    ) -> str:  # fmt: skip
        """The whole file."""
        model = self.model
        self._check_complete()
        head: dict[str, Any] = {"name": model.name}
        head |= {"about": about} if about else {}
        head |= {"plane": model.plane} if model.plane else {}
        gravity = list(model.in_plane(model.gravity))
        if any(isinstance(one, Atom) or float(one) != 0.0 for one in gravity):
            head["gravity"] = gravity
        head |= {"unphysical": model.unphysical} if model.unphysical != "auto" else {}
        measured = self._sensors(units), [self._event(one) for one in events]  # before bodies, which get points
        start = self._run(run)
        parts = [(name, call) for name, call in model.calls.items() if call.kind not in ("sensor", "input")]
        inputs = {name: self._input(name, call) for name, call in model.calls.items() if call.kind == "input"}
        described = [self._body(name, call) if call.kind == "body" else self._element(name, call)
                     for name, call in parts]  # fmt: skip
        sections = ["format = 1\n", self._section("model", head)]
        if model.parameter_values:
            entries = {key: self._parameter(key, notes) for key in model.parameter_values}
            sections.append(self._section("parameters", entries))
        sections += self._table_sections
        sections += [self._section(f"tracks.{name}", track_entries(one, f"track '{name}'"))
                     for name, one in self._tracks.items()]  # fmt: skip
        sections += [self._section("inputs", inputs)] if inputs else []
        sections += described
        sections += [self._section("sensors", measured[0])] if measured[0] else []
        sections += measured[1]
        sections += [start] if start else []
        return "\n".join(sections)

    def controllers(self) -> list[str]:
        """Sections of controllers in discrete time, which are no part of the equations."""
        found = {name: call for name, call in self.model.calls.items() if call.kind == "sampled"}
        if found:
            self._sensors({})  # points have the names that these give them
        return [self._element(name, call) for name, call in found.items()]

    def _check_complete(self) -> None:
        """Complain about what was not made by a builder."""
        made = {name for call in self.model.calls.values() for name in call.made}
        parts: list[Any] = [*self.model.bodies, *self.model.elements]
        for one in parts:
            if one.name not in made:
                raise ModelError(
                    f"'{self.model.name}' cannot be written as a file: '{one.name}' is a {type(one).__name__}, a class "
                    "of its own; keep such a model in Python"
                )
        known = set(RESERVED)
        for name in (*self.model.parameter_values, *self.model.calls):
            if name in known:
                raise ModelError(
                    f"'{self.model.name}' cannot be written as a file: the name '{name}' is used twice, or has a "
                    "meaning of its own there; rename one"
                )
            if "'" in name or "." in name:
                raise ModelError(f"'{self.model.name}' cannot be written as a file: rename '{name}'")
            known.add(name)

    # ------------------------------------------------------------------------------------------------ TOML

    def _section(self, path: str, entries: Mapping[str, Any]) -> str:
        return f"[{path}]\n" + "".join(f"{_key(key)} = {self._value(value)}\n" for key, value in entries.items())

    def _value(self, value: Any) -> str:
        if isinstance(value, (bool, np.bool_)):
            return "true" if value else "false"
        if isinstance(value, str):
            return _quoted(value)
        if isinstance(value, Count):
            return str(value)
        if isinstance(value, Atom):
            return _quoted(self._atom(value)) if value.value is None else number_text(value.value)
        if isinstance(value, Mapping):
            inner = ", ".join(f"{_key(key)} = {self._value(one)}" for key, one in value.items())
            return f"{{ {inner} }}" if inner else "{}"
        if isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim):
            return f"[{', '.join(self._value(one) for one in value)}]"
        return number_text(float(value))

    def _atom(self, atom: Any) -> str:
        """A formula of parameters."""
        return str(AtomText(atom.graph, lambda symbol: parameter_text(symbol, set()), self._table_name).of(atom))

    # ---------------------------------------------------------------------------------------- parameters and tables

    def _parameter(self, name: str, notes: Mapping[str, ParameterNote]) -> Any:
        value, note = self.model.parameter_values[name], notes.get(name, ParameterNote())
        if note == ParameterNote():
            return value
        from dalembert.io.units import unit_of

        factor = unit_of(note.unit).factor if note.unit else 1.0
        found: dict[str, Any] = {"value": value if factor == 1.0 else np.asarray(value) / factor}
        if factor != 1.0 and not np.array_equal(np.asarray(found["value"]) * factor, value):
            found["value"], note = value, ParameterNote("", note.about, note.bounds)  # digits before units
        found |= {"unit": note.unit} if note.unit else {}
        found |= {"about": note.about} if note.about else {}
        return found | ({"bounds": list(note.bounds)} if note.bounds else {})

    def _table_name(self, given: Any) -> str:
        """Name of a table, which gets a section if it has none."""
        digest = given.digest()
        if digest not in self._tables:
            wish = re.sub(r"\W", "_", self._wish or "table")
            name = self._free_name(wish if not wish[:1].isdigit() else f"t{wish}")
            self._tables[digest] = name
            self._table_sections.append(self._section(f"tables.{name}", _table_entries(given)))
        return self._tables[digest]

    def _free_name(self, wish: str) -> str:
        taken = {*self._tables.values(), *self._tracks, *self.model.calls, *self.model.parameter_values, *RESERVED,
                 *FUNCTIONS}  # fmt: skip
        name, number = wish, 2
        while name in taken:
            name, number = f"{wish}{number}", number + 1
        return name

    def _track_name(self, track: Track) -> str:
        """Name of a track, which gets a section if it has none."""
        for name, one in self._tracks.items():
            if one is track:
                return name
        name = self._free_name("track")
        self._tracks[name] = track
        return name

    def _input(self, name: str, call: BuilderCall) -> Any:
        self._wish = f"{name}_table"
        return self._law(call.arguments["function"], {}, f"input '{name}'")

    # --------------------------------------------------------------------------------------------- bodies and points

    def _body(self, name: str, call: BuilderCall) -> str:
        entries = {key: value for key, value in call.arguments.items() if value is not None and key != "shapes"}
        shapes = call.arguments.get("shapes", ())
        listed = shapes if isinstance(shapes, (list, tuple)) else (shapes,)
        if listed:
            entries["shapes"] = [self._shape(one, name) for one in listed]
        if name in self._points:
            entries["points"] = {key: self._place(one) for key, one in self._points[name].items()}
        for key, value in entries.items():
            if isinstance(value, Shape) or callable(value):
                raise ModelError(f"body '{name}': {key} cannot be written in a file")
        return self._section(f"bodies.{_key(name)}", entries)

    def _shape(self, shape: Any, name: str) -> dict[str, Any]:
        if isinstance(shape, Mesh):
            fields: dict[str, Any] = {"vertices": shape.vertices, "faces": shape.faces}
            kind = "mesh"
        else:
            kind = next((key for key, one in shape_kinds().items() if type(shape) is one), "")
            if not kind:
                raise ModelError(
                    f"body '{name}': a shape of the class {type(shape).__name__} cannot be written in a file"
                )
            fields = {key: getattr(shape, key) for key in shape_fields(kind) if key not in ("position", "rotation")}
        found = {"kind": kind} | {key: value for key, value in fields.items() if value is not None}
        if np.any(shape.position):
            found["position"] = shape.position
        if not np.array_equal(shape.rotation, np.eye(3)):
            found["rotation"] = shape.rotation
        return found

    def _point_name(self, marker: Marker) -> str:
        """Name of a marker on its body: nothing for its frame, else a point that gets a name."""
        if _is_frame(marker):
            return ""
        body = marker.body
        if body.is_rigid and _identity(marker.R) and list(marker.r) == list(body.com.r):  # type: ignore[attr-defined]
            return "com"
        if body.is_ground:
            raise ModelError(f"'{self.model.name}': {marker!r} does not move, which is nothing to measure")
        if isinstance(body, FlexibleBody) and marker.node is not None:
            for name in nodes_of(body):
                if _same_place(marker, node_named(body, name)):
                    return name
        points = self._points.setdefault(body.name, {})
        for key, one in points.items():
            if _same_place(one, marker):
                return key
        wish = re.sub(r"[.']", "_", self._wish) or "point"
        wish = f"{wish}_point" if hasattr(type(body), wish) or wish == "com" else wish
        name, number = wish, 2
        while name in points:
            name, number = f"{wish}{number}", number + 1
        points[name] = marker
        return name

    def _place(self, marker: Marker) -> Any:
        """Place and axes of a marker."""
        at = list(self.model.in_plane(marker.r))
        axes = self._axes(marker)
        return at if not axes else {"at": at, **axes}

    def _axes(self, marker: Marker) -> dict[str, Any]:
        if _identity(marker.R):
            turned = self.model.planar and (isinstance(marker.turn, Atom) or float(marker.turn) != 0.0)
            return {"angle": marker.turn} if turned else {}
        if self.model.planar:
            if isinstance(marker.turn, Atom) or np.array_equal(about_z(marker.turn), marker.R):
                return {"angle": marker.turn}
        return {"rotation": marker.R}

    def _marker(self, item: Any) -> Any:
        marker = item.origin if isinstance(item, Body) else item
        if not isinstance(marker, Marker):
            raise ModelError(f"'{self.model.name}': a marker is needed, got {item!r:.60}")
        name = marker.body.name
        if _is_frame(marker):
            return name
        found: dict[str, Any] = {"body": name}
        if marker.node is not None or np.any([isinstance(one, Atom) or float(one) != 0.0 for one in marker.r]):
            found["at"] = list(self.model.in_plane(marker.r))
        return found | self._axes(marker)

    # ------------------------------------------------------------------------------------- joints, forces and so on

    def _element(self, name: str, call: BuilderCall) -> str:
        kind = kinds()[call.kind]
        given = dict(call.arguments)
        given |= given.pop("options", {})
        track = given.get("track")
        if call.kind == "wheelset" and given.get("distance") is None and isinstance(track, Track) and track.gauge:
            given["distance"] = track.tread_distance  # the track of a file has a distance, and no gauge
        entries: dict[str, Any] = {} if kind.group in ("limits", "wheelsets") else {"kind": kind.name}
        aliases = self._aliases(given.get("sees"), name)
        self._states = [state for key in ("states", "outputs", "memory") for state in given.get(key) or {}]
        for field in kind.fields.values():
            if field.reading == "seen":
                continue
            if field.arguments == ("first", "second"):
                read = self._marker if field.reading == "pair" else self._acted
                entries["between"] = [read(given[key]) for key in field.arguments]
                continue
            argument = field.arguments[0]
            if argument not in given or given[argument] is None:
                continue
            if field.reading == "data":
                entries[field.name] = self._data_file(name, given[argument])
                continue
            self._wish = f"{name}_{field.name}"
            entries[field.name] = self._field(
                kind, field, given[argument], aliases, f"{kind.name} '{name}': {argument}"
            )
        if call.kind == "coupling" and callable(given.get("relation")):
            entries["relation"] = self._relation(given, f"coupling '{name}'")
        if name in self._points and kind.group == "flexible":
            entries["points"] = {key: self._place(one) for key, one in self._points[name].items()}
        return self._section(f"{kind.group}.{_key(name)}", entries)

    def _data_file(self, name: str, data: Flexibility) -> str:
        """Name of the file in which the data of a body stand, beside that of the model."""
        file = re.sub(r"\W", "_", name) + ".npz"
        if file in self.data_files:
            raise ModelError(f"'{self.model.name}' cannot be written as a file: rename '{name}'")
        self.data_files[file] = data
        return file

    def _field(self, kind: ElementKind, field: KindField, value: Any, aliases: Mapping[str, str], where: str) -> Any:
        if field.reading == "marker":
            return self._marker(value)
        if field.reading in ("acted", "coordinate"):
            return self._acted(value)
        if field.reading == "axes":
            return value if isinstance(value, str) else self._marker(value)
        if field.reading == "several":
            return [self._acted(one) for one in (value if isinstance(value, (list, tuple)) else [value])]
        if field.reading == "parts":
            return {key: self._acted(one) for key, one in value.items()}
        if field.reading == "coordinates":
            if isinstance(value, Mapping):
                return {self._acted(key): one for key, one in value.items()}
            return [self._acted(one) for one in value]
        if field.reading == "relation":
            return 0.0 if callable(value) else value
        if field.reading == "quantity":
            return self._quantities.of(value, where) if not isinstance(value, Joint) else self._only(value)
        if field.reading == "track" and isinstance(value, Track):
            return self._track_name(value)
        if field.reading in ("track", "profile", "material", "creep law"):
            entries = rail_entries(value, self._table_name)
            return self._python(value, where) if entries is None else entries
        traceable = field.reading in ("law", "rates", "implicit")
        if field.reading in ("function", "object") or (callable(value) and not traceable):
            return self._python(value, where)
        if field.reading == "laws":
            return {key: self._law(one, aliases, f"{where}: {key}") for key, one in value.items()}
        if field.reading == "implicit":
            listed = value if isinstance(value, (list, tuple)) else [value]
            return [self._law(one, aliases, where) for one in listed]
        if field.reading == "rates":
            found = self._law(value, aliases, where)
            listed = found if isinstance(found, list) else [found]
            if kind.method == "sampled" and not isinstance(found, Mapping):
                return {self._states[0]: found}
            return found if isinstance(found, Mapping) else dict(zip(self._states, listed, strict=True))
        if field.reading == "law":
            return self._law(value, aliases, where)
        if field.reading == "element":
            return value.name
        if field.reading == "shapes":
            return [self._shape(one, where) for one in (value if isinstance(value, (list, tuple)) else (value,))]
        if kind.group == "flexible":
            return elastic_entries(value)
        return value

    def _only(self, joint: Joint) -> str:
        return str(self._quantities.of(next(iter(joint.own_coordinates.values())), joint.label))

    def _acted(self, item: Any) -> Any:
        if isinstance(item, Joint):
            return item.name
        if isinstance(item, JointCoordinate):
            return f"{item.joint.name}.{item.label}"
        if isinstance(item, (tuple, list)):
            return [self._marker(one) for one in item]
        return self._marker(item)

    def _aliases(self, sees: Mapping[str, Any] | None, name: str) -> dict[str, str]:
        """Names in formulas of what laws see besides their own."""
        found: dict[str, str] = {}
        if not sees:
            return found
        seen = Sees(sees, f"'{name}'")
        for key, coordinate in seen.coordinates.items():
            self._wish = key
            found[key] = self._quantities.of(coordinate, name)
            found[f"{key}_rate"] = self._quantities.of(coordinate.rate, name)
        for key, marker in seen.markers.items():
            self._wish = key
            point = self._point_name(marker)
            owner = written_name(marker.body.name) + (f".{written_name(point)}" if point else "")
            for label in self.model.labels:
                found[f"{key}.{label}"] = f"{owner}.position.{label}"
                found[f"{key}_velocity.{label}"] = f"{owner}.velocity.{label}"
        for key, quantity in seen.quantities.items():
            self._wish = key
            text = self._quantities.of(quantity, name)
            found[key] = text if re.fullmatch(r"[\w.]+", str(text)) else f"({text})"
        return found

    def _relation(self, given: Mapping[str, Any], where: str) -> Any:
        """The formula of a coupling in the names of its coordinates."""
        from dalembert.model.constraints.drives import coordinate_arguments

        coordinates = [self._quantities.of(self._coordinate(one), where) for one in given["coordinates"]]
        aliases = dict(zip(coordinate_arguments(given["relation"]), coordinates, strict=True))
        return self._tracer.formulas(given["relation"], aliases, where)

    def _coordinate(self, item: Any) -> Any:
        return next(iter(item.own_coordinates.values())) if isinstance(item, Joint) else item

    # ------------------------------------------------------------------------------------------------------ laws

    def _law(self, value: Any, aliases: Mapping[str, str], where: str) -> Any:
        """A number, a formula or formulas, or a table."""
        if isinstance(value, (PiecewisePolynomial, TableOfTwo)):
            return {"table": self._table_name(value)}
        if isinstance(value, Quantity):
            return self._quantities.of(value, where)
        if isinstance(value, Mapping) and not isinstance(value, NamedRates):
            ((over, inner),) = value.items()
            found = self._law(inner, aliases, where)
            return {**found, "over": list(over) if isinstance(over, tuple) else over}
        if isinstance(value, (tuple, list, np.ndarray)) and len(value) in (2, 3) and np.ndim(value[0]) == 1:
            if np.ndim(value[1]) != 1:
                raise ModelError(f"{where} is a table with several columns, which a file cannot hold; use formulas")
            return {"table": self._table_name(table(*value))}
        if callable(value) and not isinstance(value, (Atom, np.ndarray)):
            return self._tracer.formulas(value, aliases, where)
        if isinstance(value, Law):
            raise ModelError(f"{where} cannot be written in a file")
        return value

    def _python(self, value: Any, where: str) -> Any:
        module, name = getattr(value, "__module__", ""), getattr(value, "__qualname__", "")
        if self.allow_python and module and name and "<" not in name:
            return {"python": f"{module}:{name}"}
        raise ModelError(
            f"'{self.model.name}' cannot be written as a file: {where} is Python code that no formula can say; keep "
            "the model in Python" + ("" if self.allow_python else ", or allow Python in the file (allow_python=True)")
        )

    # ---------------------------------------------------------------------------------------- sensors, events, run

    def _sensors(self, units: Mapping[str, str]) -> dict[str, Any]:
        found = {}
        made = {name for call in self.model.calls.values() if call.kind == "wheelset" for name in call.made}
        for name, quantity in self.model.sensors.items():
            call = self.model.calls.get(name)
            if call is None and any(name.startswith(one) for one in made):
                continue  # those that a wheelset has made
            self._wish = name
            text = self._quantities.of(quantity, f"sensor '{name}'")
            found[name] = {"of": text, "unit": units[name]} if name in units else text
        return found

    def _event(self, event: FileEvent) -> str:
        self._wish = event.name
        entries: dict[str, Any] = {"when": self._quantities.of(event.quantity, f"event '{event.name}'")}
        entries |= {"action": "stop"} if event.stops else {}
        entries |= {"direction": event.direction} if event.direction else {}
        return self._section(f"events.{_key(event.name)}", entries)

    def _run(self, run: Mapping[str, Any]) -> str:
        entries = {key: value for key, value in run.items() if key != "start"}
        if run.get("start"):
            entries["start"] = {
                key if isinstance(key, str) else self._quantities.of(self._coordinate(key), "start"): value
                for key, value in run["start"].items()
            }
        return self._section("run", entries) if entries else ""


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _quoted(name)


def _quoted(text: str) -> str:
    # Strings of JSON are strings of TOML, apart from the sign with the number 127.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _identity(R: Any) -> bool:
    return not any(isinstance(one, Atom) for one in np.asarray(R, dtype=object).flat) and np.array_equal(R, np.eye(3))


def _is_frame(marker: Marker) -> bool:
    at = marker.node is None and not any(isinstance(one, Atom) or float(one) != 0.0 for one in marker.r)
    return at and _identity(marker.R) and not isinstance(marker.turn, Atom) and float(marker.turn) == 0.0


def _same_place(a: Any, b: Any) -> bool:
    """Whether two markers of a body are the same."""
    return list(a.r) == list(b.r) and np.array_equal(a.R, b.R) and a.node is b.node


def _table_entries(given: Any) -> dict[str, Any]:
    if isinstance(given, TableOfTwo):
        kinds_and = {} if given.kind == "monotone" else {"kind": given.kind}
        outside = {} if given.outside == "linear" else {"outside": given.outside}
        return {**kinds_and, **outside, "x": given.x, "y": given.y, "z": given.z}
    if given.folded:
        raise ModelError("a table that is several side by side cannot be written in a file")
    ends = given.outside not in ("cubic", "periodic")
    coefficients = given.coefficients[:, 1:-1] if ends else given.coefficients
    least = next((k for k in range(3) if np.any(coefficients[k])), 3)
    found = {"outside": given.outside, "breaks": given.breaks, "coefficients": coefficients[least:]}
    return found if given.watched else {"watched": False, **found}
