"""The JSON Schema of model files, for editors, from the tables that the reader goes by.

``tools/schema.py`` writes it to ``model-1.json`` beside this module.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dalembert.io.flexible_objects import DAMPING_FIELDS, MATERIAL_FIELDS, MATERIALS, SECTION_FIELDS
from dalembert.io.kinds import GROUPS, ElementKind, KindField, kinds_of
from dalembert.io.model_file import EVENT_FIELDS, RUN_FIELDS
from dalembert.io.model_reader import (
    BODY_FIELDS,
    MODEL_FIELDS,
    MORE_FIELDS,
    PARAMETER_FIELDS,
    SENSOR_FIELDS,
    TABLE_FIELDS,
    shape_fields,
    shape_kinds,
)
from dalembert.io.parts_of_files import NAMED
from dalembert.io.rail_objects import IRREGULARITIES, POINTS_FIELDS, PROFILE_FIELDS, STANDARD, TRACK_FIELDS

SCHEMA_FILE = Path(__file__).with_name("model-1.json")

_TEXT = {"type": "string"}
_FLAG = {"type": "boolean"}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}".replace(" ", "_")}


def _list(item: Any, size: int | None = None) -> dict[str, Any]:
    found: dict[str, Any] = {"type": "array", "items": item}
    return found if size is None else {**found, "minItems": size, "maxItems": size}


def _table(properties: dict[str, Any], required: tuple[str, ...] = ()) -> dict[str, Any]:
    found: dict[str, Any] = {"type": "object", "additionalProperties": False, "properties": properties}
    return {**found, "required": list(required)} if required else found


def _by_name(entry: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": entry}


def _any(*options: Any) -> dict[str, Any]:
    return {"anyOf": list(options)}


_NUMBER, _ARRAY, _MARKER, _LAW = _ref("number"), _ref("numbers"), _ref("marker"), _ref("law")
_PYTHON = _ref("python")
#: What fields may be, by how they are read.
_READINGS: dict[str, Any] = {
    "marker": _MARKER, "pair": _list(_MARKER, 2), "coordinate": _TEXT, "two coordinates": _list(_TEXT, 2),
    "acted": _any(_MARKER, _list(_MARKER, 2)), "several": _any(_MARKER, {"type": "array"}), "number": _NUMBER,
    "vector": _list(_NUMBER), "matrix": _ARRAY, "law": _LAW, "laws": _by_name(_LAW), "flag": _FLAG, "text": _TEXT,
    "axis": _any(_TEXT, _list(_NUMBER)), "start": _any(_NUMBER, {"type": "object"}), "instants": _list(_NUMBER),
    "quantity": _ref("quantity"), "parts": _by_name(_any(_MARKER, _list(_MARKER, 2))),
    "seen": _by_name(_any(_MARKER, _list(_MARKER, 2))), "function": _PYTHON, "object": _PYTHON,
    "relation": _any(_NUMBER, _PYTHON), "coordinates": _any(_list(_TEXT), {"type": "object"}),
    "span": _list(_NUMBER, 2), "texts": _list(_TEXT), "axes": _MARKER, "rest": _any(_FLAG, _NUMBER),
    "track": _any({"description": "one of [tracks]", "type": "string"}, _ref("track"), _PYTHON),
    "profile": _any({"enum": [*STANDARD]}, _ref("profile"), _PYTHON),
    "material": _table({"E": _NUMBER, "nu": _NUMBER}), "creep law": _any(_TEXT, {"type": "object"}),
    "exact": _NUMBER, "whole": {"type": "integer", "minimum": 0}, "element": _TEXT, "data": _TEXT,
    "section": _table({"rectangle": _list(_NUMBER, 2), "circle": _any(_NUMBER, _list(_NUMBER, 2)),
                       **dict.fromkeys(SECTION_FIELDS, _NUMBER)}),
    "elastic material": _any({"enum": [*MATERIALS]}, _table(dict.fromkeys(MATERIAL_FIELDS, _NUMBER),
                                                            ("E", "density"))),
    "modes": _any({"type": "integer", "minimum": 0}, _by_name({"type": "integer", "minimum": 0})),
    "modal damping": _any(_ARRAY, _table(dict.fromkeys(DAMPING_FIELDS, _ARRAY))), "shapes": _list(_ref("shape")),
    "numbers": _by_name(_NUMBER), "rates": _any(_by_name(_LAW), _PYTHON), "implicit": _any(_LAW, _list(_LAW)),
}  # fmt: skip

_POINTS = _by_name(_any(_list(_NUMBER), _table({"at": _list(_NUMBER), "axis": _READINGS["axis"], "angle": _NUMBER,
                                                "rotation": _ARRAY})))  # fmt: skip

_WHEEL_OR_RAIL = {"kind": {"enum": ["wheel", "rail"]}, "valid": _list(_NUMBER, 2)}
_IRREGULAR = {"text": _TEXT, "texts": _list(_TEXT), "list": _list(_NUMBER), "whole": {"type": "integer"}}

_DEFINITIONS: dict[str, Any] = {
    "number": {"description": "a number in SI units, a number with a unit ('55 cm'), or a formula ('2*k')",
               "type": ["number", "string"]},
    "numbers": _any(_NUMBER, _list(_ref("numbers"))),
    "python": _table({"python": {"type": "string", "pattern": r"^[\w.]+:[\w.]+$"}}, ("python",)),
    "marker": _any(
        {"description": "a body, or one of its points: 'crank', 'crank.tip'", "type": "string"},
        _table({"body": _TEXT, "at": _list(_NUMBER), "point": _TEXT, "axis": _READINGS["axis"], "angle": _NUMBER,
                "rotation": _ARRAY}, ("body",)),
    ),
    "law": _any(
        _NUMBER, _list(_NUMBER), _table({"table": _TEXT, "over": _any(_TEXT, _list(_TEXT))}, ("table",)), _PYTHON
    ),
    "quantity": _any(_TEXT, _list(_TEXT)),
    "track": _table({**dict.fromkeys(TRACK_FIELDS, _NUMBER), "segments": _list({"type": "object"}),
                     "start": _list(_NUMBER, 3), "height": _table(dict.fromkeys("sz", _list(_NUMBER)), ("s", "z")),
                     "irregularities": _list(_ref("irregularity"))}, ("segments", "distance")),
    "irregularity": _any(*(_table({"kind": {"const": kind}} | {key: _IRREGULAR.get(reading, _NUMBER)
                                                               for key, reading in known.items()}, ("kind",))
                           for kind, (_, known) in IRREGULARITIES.items())),
    "profile": _any(
        *(_table({"standard": {"const": name}, **dict.fromkeys(known, _NUMBER)}, ("standard",))
          for name, (_, known) in STANDARD.items()),
        _table({**dict.fromkeys(POINTS_FIELDS, _NUMBER), **dict.fromkeys(("file", "unit", "name"), _TEXT),
                **_WHEEL_OR_RAIL, **dict.fromkeys(("z_down", "mirror"), _FLAG)}, ("file",)),
        _table({**dict.fromkeys(PROFILE_FIELDS, _TEXT), **_WHEEL_OR_RAIL}, ("table", "kind", "valid")),
    ),
}  # fmt: skip


def model_schema() -> dict[str, Any]:
    """The schema of model files, format 1."""
    entries = _entries()
    named = {key: _by_name(_ref(f"entry of {key}")) for key in entries}
    pattern = _table({"count": {"type": "integer", "minimum": 0}, "from": {"type": "integer", "minimum": 0}, **named},
                     ("count",))  # fmt: skip
    include = _any(_TEXT, _table({"file": _TEXT, "prefix": {"type": "string", "pattern": r"^[^\W\d]\w*$"}}, ("file",)))
    top = {
        "format": {"const": 1},
        "model": _table(
            {key: _TEXT for key in MODEL_FIELDS if key != "gravity"}
            | {"gravity": _list(_NUMBER), "plane": {"enum": ["xy", "xz", "yz"]}},
            ("name",),
        ),
        "include": _any(include, _list(include)),
        "run": _run(),
        "pattern": _list(pattern),
        **named,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "dalembert model file, format 1",
        **_table(top, ("format", "model")),
        "$defs": {
            **_DEFINITIONS,
            "shape": _any(*(_shape(kind) for kind in shape_kinds())),
            **{f"entry_of_{key}": entry for key, entry in entries.items()},
        },
    }


def _entries() -> dict[str, Any]:
    """One entry of each section whose entries have names."""
    body = {key: {"number": _NUMBER, "vector": _list(_NUMBER), "array": _ARRAY, "text": _TEXT}[reading]
            for key, (reading, _) in BODY_FIELDS.items()}  # fmt: skip
    found: dict[str, Any] = {
        "parameters": _any(_ARRAY, _table({**dict.fromkeys(PARAMETER_FIELDS, _TEXT), "value": _ARRAY,
                                           "bounds": _list(_NUMBER, 2)}, ("value",))),
        "constants": _NUMBER,
        "tables": _table({**dict.fromkeys(TABLE_FIELDS, _ARRAY), **dict.fromkeys(("kind", "outside", "file"), _TEXT),
                          "watched": _FLAG}),
        "tracks": _any(_ref("track"), _PYTHON),
        "inputs": _LAW,
        "bodies": _table({**body, "shapes": _list(_ref("shape")),
                          "points": _POINTS}),
    }  # fmt: skip
    for group in GROUPS:
        listed = [_kind(kind, len(kinds_of(group)) > 1) for kind in kinds_of(group).values()]
        found[group] = listed[0] if len(listed) == 1 else _any(*listed)
    found["sensors"] = _any(_ref("quantity"), _table({**dict.fromkeys(SENSOR_FIELDS, _TEXT), "of": _ref("quantity")},
                                                     ("of",)))  # fmt: skip
    events = {"when": _ref("quantity"), "action": {"enum": ["record", "stop"]}, "direction": {"enum": [-1, 0, 1]}}
    found["events"] = _table({key: events[key] for key in EVENT_FIELDS}, ("when",))
    return {key: found[key] for key in NAMED}


def _shape(kind: str) -> dict[str, Any]:
    fields = {key: _TEXT if key == "file" else _ARRAY for key in shape_fields(kind)}
    return _table({"kind": {"const": kind}, **fields}, ("kind",))


def _kind(kind: ElementKind, named: bool) -> dict[str, Any]:
    fields = {name: _field(one) for name, one in kind.fields.items()}
    fields |= dict.fromkeys(MORE_FIELDS.get(kind.group, ()), _POINTS)
    required = [name for name, one in kind.fields.items() if one.required]
    return {
        "description": kind.about,
        **_table({"kind": {"const": kind.name}, **fields}, (*(["kind"] if named else []), *required)),
    }


def _field(field: KindField) -> dict[str, Any]:
    about = field.about + (f" [{field.unit}]" if field.unit else "")
    return {"description": about.strip(), **_READINGS[field.reading]} if about else _READINGS[field.reading]


def _run() -> dict[str, Any]:
    kinds = {"number": _NUMBER, "text": _TEXT, "texts": _list(_TEXT), "start": {"type": "object"}}
    return _table({key: {"description": about, **kinds[reading]} for key, (reading, _, about) in RUN_FIELDS.items()})


def schema_text() -> str:
    """As it is stored."""
    return json.dumps(model_schema(), indent=1, ensure_ascii=False) + "\n"
