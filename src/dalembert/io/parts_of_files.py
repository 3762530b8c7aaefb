"""Includes and patterns: one tree of everything that a model file and those that it includes say."""

from __future__ import annotations

import operator
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from dalembert.io.field_values import plain_text, shown_value, table_of
from dalembert.io.kinds import GROUPS
from dalembert.io.positions import Located, located

#: Tables whose entries have names, in the order in which they are told.
NAMED = ("parameters", "constants", "tables", "tracks", "inputs", "bodies", *GROUPS, "sensors", "events")
TOP = ("format", "model", "include", "run", "pattern", *NAMED)
#: What an included file may have: not what says how and what is run.
INCLUDED = ("format", "pattern", *(one for one in NAMED if one != "events"))
MOST_COPIES = 10_000
MOST_INCLUDES = 100
#: Values that patterns and included files may add to what the model file itself says.
MOST_VALUES = 500_000
#: Characters of a text that count as one value.
_CHARACTERS = 64
_NUMBER = re.compile(r"\{i(?:\s*([+-])\s*(\d{1,6}))?\}")


def whole_file(root: Located, folder: Path | None) -> dict[str, Any]:
    """Sections by name; those with named entries as lists of (name, entry) from all files."""
    found: dict[str, Any] = {key: [] for key in NAMED}
    found["values"] = 0
    if not isinstance(root.value, dict):
        raise root.error("a model file is a table")
    _add(root, found, folder, TOP, (0,))
    found["model"], found["run"] = root.get("model"), root.get("run")
    for key in NAMED:
        found[key].sort(key=lambda one: one[1].order)
    return found


def _add(root: Located, found: dict[str, Any], folder: Path | None, known: tuple[str, ...], order: Any) -> None:
    sections = table_of(root, known, "a model file" if known is TOP else "an included file", ("format",))
    version = sections["format"]
    if version.value != 1 or isinstance(version.value, bool):
        raise version.error(f"this is format {shown_value(version)}; this version of dalembert reads format = 1")
    if "include" in sections:
        _include(sections["include"], found, folder)
    for key in NAMED:
        if key in sections:
            _add_named(sections[key], key, found[key], root.source.prefix, order)
    if "pattern" in sections:
        _repeat(sections["pattern"], found, root.source.prefix, order)


def _add_named(section: Located, key: str, entries: list[Any], prefix: str, order: Any) -> None:
    if not isinstance(section.value, dict):
        raise section.error(f"{key} must be a table, [{key}.name]; got {shown_value(section)}", at_key=True)
    for name, one in section.items():
        entries.append((prefix + name, replace(one, order=(*order, *one.order))))


# ------------------------------------------------------------------------------------------------------------ includes


def _include(item: Located, found: dict[str, Any], folder: Path | None) -> None:
    """Other files, with a prefix before all of their names."""
    items = item.value if isinstance(item.value, list) else [item]
    if len(items) > MOST_INCLUDES:
        raise item.error(f"at most {MOST_INCLUDES} files can be included")
    for number, one in enumerate(items):
        prefix = ""
        name = one
        if isinstance(one.value, dict):
            entries = table_of(one, ("file", "prefix"), "include", ("file",))
            name = entries["file"]
            if "prefix" in entries:
                prefix = plain_text(entries["prefix"], "prefix")
                if not re.fullmatch(r"[^\W\d]\w*", prefix):
                    raise entries["prefix"].error(f"a prefix is made of letters, digits and _; got '{prefix}'")
        path = inner_path(name, folder, "include")
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise name.error(f"'{name.value}' cannot be read: {error}") from None
        part = located(text, str(path), prefix)
        _count(found, part, 1, name, "with this file the model file expands")
        _add(part, found, None, INCLUDED, (one.span.start, number))


def inner_path(item: Located, folder: Path | None, what: str) -> Path:
    """A file beside the model file, or below it."""
    text = plain_text(item, what)
    if folder is None:
        raise item.error(f"{what}: files can be named only in a file, and not in an included one")
    path = Path(text)
    if not text or path.is_absolute() or ".." in path.parts or "\\" in text or "\0" in text or ":" in text:
        raise item.error(f"{what}: files stand beside the model file or below it, got '{text}'")
    return folder / path


# ------------------------------------------------------------------------------------------------------------ patterns


def _repeat(item: Located, found: dict[str, Any], prefix: str, order: Any) -> None:
    """Entries whose names and texts have {i}, {i+1} … in them, once for every number."""
    if not isinstance(item.value, list):
        raise item.error("a pattern is written [[pattern]]", at_key=True)
    for pattern in item.value:
        entries = table_of(pattern, ("count", "from", *NAMED), "a pattern", ("count",))
        count, first = (_whole(entries.get(key), key) for key in ("count", "from"))
        for key in NAMED:
            if key in entries:
                _count(found, entries[key], count, pattern, f"with {count} copies of this pattern the file expands")
        for number in range(first, first + count):
            for key in NAMED:
                if key in entries:
                    at = (*order, *pattern.order, number)
                    _add_named(_numbered(entries[key], number), key, found[key], prefix, at)


def _count(found: dict[str, Any], item: Located, copies: int, culprit: Located, what: str) -> None:
    """Add what copies of something amount to, before they are made."""
    found["values"] += copies * _values_in(item)
    if found["values"] > MOST_VALUES:
        raise culprit.error(
            f"{what} to {found['values']} values; at most {MOST_VALUES} are read: make fewer copies, or name long "
            "lists once, in [tables]",
            at_key=True,
        )


def _values_in(item: Located) -> int:
    """Number of values; long texts count as several."""
    value = item.value
    if isinstance(value, dict):
        return 1 + sum(_values_in(one) for one in value.values())
    if isinstance(value, list):
        return 1 + sum(_values_in(one) for one in value)
    return 1 + len(value) // _CHARACTERS if isinstance(value, str) else 1


def _whole(item: Located | None, what: str) -> int:
    if item is None:
        return 0
    if not isinstance(item.value, int) or isinstance(item.value, bool) or not 0 <= item.value <= MOST_COPIES:
        raise item.error(f"{what} must be a whole number, at most {MOST_COPIES}; got {shown_value(item)}")
    return item.value


def _numbered(item: Located, number: int) -> Located:
    """A copy with a number in the place of {i}; what has none in it stays the same object."""

    def text(match: re.Match[str]) -> str:
        return str(number + int(f"{match[1]}{match[2]}") if match[1] else number)

    value = item.value
    if isinstance(value, str):
        value = _NUMBER.sub(text, value)
    elif isinstance(value, list):
        value = [_numbered(one, number) for one in value]
    elif isinstance(value, dict):
        value = {_NUMBER.sub(text, key): _numbered(one, number) for key, one in value.items()}
        if len(value) < len(item.value):
            raise item.error("two names of the pattern become the same", at_key=True)
    return item if _same(value, item.value) else replace(item, value=value)


def _same(value: Any, before: Any) -> bool:
    """Whether a copy has the same objects in it."""
    if isinstance(value, dict):
        return value.keys() == before.keys() and all(one is before[key] for key, one in value.items())
    if isinstance(value, list):
        return all(map(operator.is_, value, before))
    return bool(value == before)
