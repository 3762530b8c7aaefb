"""Where things stand in a TOML text, which Python's own reader does not tell.

The walker below runs over texts that ``tomllib`` has accepted, so it needs to know keys, strings, arrays and inline
tables, and nothing about what is wrong.  Its spans and the values of ``tomllib`` become one tree of :class:`Located`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from dalembert.errors import ModelError

#: Arrays and tables in each other, by brackets or by names with dots.
DEEPEST_NESTING = 40
#: Names and numbers that lead to a value.
_LONGEST_PATH = 100
LARGEST_TEXT = 8_000_000
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_PLAIN = re.compile(r"[^,\]}#\n]*")
_NAME = r"""(?:[A-Za-z0-9_-]++|"(?:\\.|[^"\\\n])*+"|'[^'\n]*+')[ \t]*+"""
_MARKS = re.compile(
    rf"""(?P<names>(?<![A-Za-z0-9_.-])(?:{_NAME}\.[ \t]*+){{{DEEPEST_NESTING}}})"""
    r"""|\"{3}|'{3}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*|[\[\]{}]"""
)
_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")

Key = tuple[str | int, ...]


class Span(NamedTuple):
    """From an offset to another."""

    start: int
    end: int


class ModelFileError(ModelError):
    """Something in a model file that cannot be, with its place: ``file``, ``line`` and ``column``, both from 1."""

    def __init__(self, file: str, line: int, column: int, text: str, shown: str = "") -> None:
        super().__init__(f"{file}:{line}:{column}: {text}" + (f"\n{shown}" if shown else ""))
        self.file, self.line, self.column, self.text, self.shown = file, line, column, text, shown

    def __reduce__(self) -> tuple[type[ModelFileError], tuple[Any, ...]]:
        return ModelFileError, (self.file, self.line, self.column, self.text, self.shown)


@dataclass(frozen=True, eq=False)
class SourceText:
    """A text and the name of its file; ``prefix`` stands before names of an included one."""

    name: str
    text: str
    prefix: str = ""

    def error(self, span: Span, message: str, inside: str = "") -> ModelFileError:
        """An error at a place, with the line and a mark below it; ``inside`` says what stands there."""
        at = min(span.start, len(self.text))
        first = self.text.rfind("\n", 0, at) + 1
        last = self.text.find("\n", at)
        whole = self.text[first : last if last >= 0 else len(self.text)].rstrip("\r")
        line, column = self.text.count("\n", 0, at) + 1, at - first + 1
        # A window of long lines is enough.
        left = max(0, column - 1 - 60)
        part = "".join(c if c.isprintable() else " " for c in whole[left : left + 120])
        size = max(1, min(span.end - at, len(part) - (column - 1 - left)))
        mark = " " * (column - 1 - left) + "^" * size
        shown = f"{line:5} | {part}\n      | {mark}" + (f"  in {inside}" if inside else "")
        return ModelFileError(self.name, line, column, message, shown)


@dataclass(frozen=True, eq=False)
class Located:
    """A value of a file with its place: a table as a dictionary and an array as a list of the same, or a plain one."""

    value: Any
    source: SourceText
    span: Span
    key: Span
    path: str = ""
    #: where it stands among all that a model consists of
    order: tuple[int, ...] = field(default=(0,))

    def error(self, message: str, *, at_key: bool = False, part: Span | None = None) -> ModelFileError:
        """An error at this value, at its key, or at a part of a string."""
        span = self.key if at_key else self.span
        if part is not None:
            span = self._inner(part)
        return self.source.error(span, message, self.path)

    def _inner(self, part: Span) -> Span:
        """A part of a string, where it is written without escapes."""
        text = self.source.text[self.span.start : self.span.end]
        for quote in ('"""', "'''", '"', "'"):
            inner = text[len(quote) : -len(quote)]
            if text.startswith(quote) and len(text) >= 2 * len(quote) and inner == self.value:
                start = self.span.start + len(quote)
                return Span(start + part.start, start + max(part.end, part.start + 1))
        return self.span

    def items(self) -> Iterator[tuple[str, Located]]:
        """Entries of a table."""
        yield from self.value.items()

    def get(self, key: str) -> Located | None:
        """Entry of a table, if it has one."""
        found: Located | None = self.value.get(key)
        return found

    @property
    def plain(self) -> Any:
        """The value without places."""
        if isinstance(self.value, dict):
            return {key: one.plain for key, one in self.value.items()}
        if isinstance(self.value, list):
            return [one.plain for one in self.value]
        return self.value


def located(text: str, name: str, prefix: str = "") -> Located:
    """The contents of a TOML text with their places, or an error that says where it is none."""
    source = SourceText(name, text, prefix)
    if len(text) > LARGEST_TEXT:
        raise source.error(Span(0, 0), f"the file has more than {LARGEST_TEXT} characters")
    deep = _too_deep(text)
    if deep is not None:
        what = "brackets stand in each other" if text[deep] in "[{" else "names are joined by dots"
        raise source.error(Span(deep, deep + 1), f"more than {DEEPEST_NESTING} {what}")
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise _refused(source, error) from None
    walker = _Walker(text.replace("\r\n", "\n\n") if "\r\n" in text else text, source)
    walker.document()
    return _joined(data, source, walker, (), "", [0])


def _refused(source: SourceText, error: Exception) -> ModelFileError:
    """What ``tomllib`` complains about, at its place."""
    if foreign := _foreign(source.text):
        return source.error(Span(0, 1), f"this is {foreign}, and a model file is TOML; `dalembert new` writes one")
    words = str(error) if isinstance(error, ValueError) else "brackets are nested too deep"
    found = _AT.search(words)
    offset = len(source.text)
    if found is None:
        offset = 0
    elif found[1]:
        starts = [0, *(match.end() for match in re.finditer("\n", source.text))]
        offset = starts[min(int(found[1]), len(starts)) - 1] + int(found[2]) - 1
    message = words[: found.start()] if found else words
    return source.error(Span(offset, offset + 1), f"no valid TOML: {message[:1].lower()}{message[1:]}")


#: Files of other programs, by a pattern of their beginning; the first that fits.
_FOREIGN = {
    "a URDF description of a robot": r"<robot\b",
    "an MJCF model of MuJoCo": r"<mujoco\b",
    "an SDF model of Gazebo": r"<sdf\b",
    "an XML file": r"<[?!a-z]",
    "a JSON file": r"\{",
    "an MBDyn input file": r"begin\s*:\s*data\b",
    "Python code": r"(import|from)\s+\w",
}


def _foreign(text: str) -> str:
    """What a text is that is no TOML, if its beginning shows it."""
    begin = re.sub(r"<\?.*?\?>|<!.*?>|^\s*#[^\n]*$", "", text[:10_000], flags=re.DOTALL | re.MULTILINE).lstrip()
    begin = begin or text.lstrip()
    return next((what for what, start in _FOREIGN.items() if re.match(start, begin, re.IGNORECASE)), "")


def _too_deep(text: str) -> int | None:
    """The bracket that is one too deep, or the key of too many names; strings and comments passed over.  Lines with
    brackets alone can be many, and Python's own reader takes a time that grows with the square of the names."""
    depth = 0
    for found in _MARKS.finditer(text):
        mark = found[0]
        if found.lastgroup:
            return found.start()
        if mark in ("[", "{"):
            depth += 1
            if depth > DEEPEST_NESTING:
                return found.start()
        elif mark in ("]", "}"):
            depth = max(0, depth - 1)
    return None


def _joined(data: Any, source: SourceText, walker: _Walker, at: Key, path: str, count: list[int]) -> Located:
    """Values and places as one tree."""
    count[0] += 1
    span = walker.values.get(at, Span(0, 0))
    key = walker.keys.get(at, span)
    order = (key.start if at else 0,)
    value = data
    if isinstance(data, Mapping):
        value = {
            name: _joined(one, source, walker, (*at, name), f"{path}.{name}" if path else name, count)
            for name, one in data.items()
        }
    elif isinstance(data, list):
        value = [_joined(one, source, walker, (*at, k), f"{path}[{k}]", count) for k, one in enumerate(data)]
    if at and at not in walker.values and isinstance(value, (dict, list)) and value:
        # A table that only stands in the names of others: [a.b] makes a.
        first = min(value.values() if isinstance(value, dict) else value, key=lambda one: one.key.start)
        span = key = first.key
        order = first.order
    return Located(value, source, span, key, path, order)


class _Walker:
    """Spans of keys and values of a valid text, by path."""

    def __init__(self, text: str, source: SourceText) -> None:
        self.text, self.source, self.at = text, source, 0
        self.keys: dict[Key, Span] = {}
        self.values: dict[Key, Span] = {}
        self._counts: dict[Key, int] = {}

    def document(self) -> None:
        """Walk over all of it."""
        base: Key = ()
        while True:
            self._skip(_BLANK)
            if self.at >= len(self.text):
                return
            if self.text[self.at] != "[":
                self._pair(base)
                continue
            start, many = self.at, self.text.startswith("[[", self.at)
            self.at += 2 if many else 1
            names = [name for name, _ in self._key()]
            self.at += 2 if many else 1
            base = self._standing(tuple(names[:-1]))
            base = (*base, names[-1])
            if many:
                number = self._counts.get(base, 0)
                self._counts[base] = number + 1
                self.keys.setdefault(base, Span(start, self.at))
                self.values.setdefault(base, Span(start, self.at))
                base = (*base, number)
            self.keys[base] = self.values[base] = Span(start, self.at)

    def _standing(self, names: tuple[str, ...]) -> Key:
        """Where names of a header lead: of arrays of tables to the last one."""
        path: Key = ()
        for name in names:
            path = (*path, name)
            if path in self._counts:
                path = (*path, self._counts[path] - 1)
        return path

    def _skip(self, what: re.Pattern[str]) -> None:
        found = what.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def _key(self) -> list[tuple[str, Span]]:
        """Names with dots between them."""
        found: list[tuple[str, Span]] = []
        while True:
            self._skip(_SPACE)
            start = self.at
            if self.text[self.at] in "\"'":
                self._string()
                written = self.text[start : self.at]
                name = written[1:-1] if written[0] == "'" else tomllib.loads(f"a = {written}")["a"]
            else:
                self._skip(_BARE)
                name = self.text[start : self.at]
            found.append((name, Span(start, self.at)))
            self._skip(_SPACE)
            if not self.text.startswith(".", self.at):
                return found
            self.at += 1

    def _pair(self, base: Key) -> None:
        names = self._key()
        span = Span(names[0][1].start, names[-1][1].end)
        if len(base) + len(names) > _LONGEST_PATH:
            raise self.source.error(span, f"more than {_LONGEST_PATH} tables and arrays stand in each other")
        path = base
        for name, _ in names:
            path = (*path, name)
            self.keys.setdefault(path, span)
            self.values.setdefault(path, span)
        self.at += 1  # the sign "="
        self._skip(_SPACE)
        self.values[path] = self._value(path)

    def _value(self, path: Key) -> Span:
        start, first = self.at, self.text[self.at]
        if first in "\"'":
            self._string()
        elif first == "[":
            self._array(path)
        elif first == "{":
            self._inline(path)
        else:
            found = _PLAIN.match(self.text, self.at)
            assert found is not None
            self.at = start + len(found[0].rstrip())
        return Span(start, self.at)

    def _string(self) -> None:
        quote = self.text[self.at]
        if self.text.startswith(3 * quote, self.at):
            self.at += 3
            while not self.text.startswith(3 * quote, self.at):
                self.at += 2 if quote == '"' and self.text[self.at] == "\\" else 1
            self.at += 3
            while self.text.startswith(quote, self.at):  # up to two more belong to the text
                self.at += 1
            return
        self.at += 1
        while self.text[self.at] != quote:
            self.at += 2 if quote == '"' and self.text[self.at] == "\\" else 1
        self.at += 1

    def _array(self, path: Key) -> None:
        self.at += 1
        number = 0
        while True:
            self._skip(_BLANK)
            if self.text[self.at] == "]":
                self.at += 1
                return
            if self.text[self.at] == ",":
                self.at += 1
                continue
            at = (*path, number)
            self.values[at] = self._value(at)
            self.keys[at] = self.values[at]
            number += 1

    def _inline(self, path: Key) -> None:
        self.at += 1
        while True:
            self._skip(_BLANK)
            if self.text[self.at] == "}":
                self.at += 1
                return
            if self.text[self.at] == ",":
                self.at += 1
                continue
            self._pair(path)
