"""Formulas of model files: a string where a number may stand.

A Pratt parser of a fixed language: numbers, names with dots and indices, ``+ - * / ^``, comparisons, calls of known
functions.  Its result is a tree that is evaluated on numbers, atoms or quantities, and never becomes Python.  Length,
depth and number of nodes are bounded, so that no text can hang or overflow anything.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dalembert.errors import suggestion
from dalembert.io.positions import Span
from dalembert.io.units import counts_in_time

LONGEST_FORMULA = 20_000
DEEPEST_FORMULA = 100
#: Terms of a sum or factors of a product without brackets: each is a level of the tree.
LONGEST_ROW = 200

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[^\W\d]\w*)|(?P<quoted>'[^']*')"
    r"|(?P<sign>\*\*|<=|>=|==|!=|[-+*/^<>().,\[\]]))"
)


class FormulaError(ValueError):
    """What is wrong with a formula, and where."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.span = span


@dataclass(frozen=True)
class FormulaPart:
    """A part of a formula; equal where the formulas are, wherever they stand."""

    span: Span = field(compare=False)


@dataclass(frozen=True)
class FormulaNumber(FormulaPart):
    """A constant."""

    value: float


@dataclass(frozen=True)
class FormulaName(FormulaPart):
    """A name with dots, and indices behind it."""

    parts: tuple[str, ...]
    indices: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """As it is written."""
        return ".".join(map(written_name, self.parts)) + "".join(f"[{k}]" for k in self.indices)


@dataclass(frozen=True)
class FormulaOperation(FormulaPart):
    """An operator and what it acts on, or a call of a function."""

    operator: str
    arguments: tuple[FormulaPart, ...]


def written_name(name: str) -> str:
    """A name as it stands in formulas: in quotes where it is no identifier."""
    return name if re.fullmatch(r"[^\W\d]\w*", name) else f"'{name}'"


def step(x: Any) -> Any:
    """1 from zero on, 0 before."""
    return np.where(x >= 0.0, 1.0, 0.0)


def smoothstep(x: Any) -> Any:
    """From 0 to 1 between x = 0 and 1, with two continuous derivatives: x³ (10 − 15 x + 6 x²)."""
    s = np.minimum(np.maximum(x, 0.0), 1.0)
    return s**3 * (10.0 - 15.0 * s + 6.0 * s**2)


def _clip(x: Any, low: Any, high: Any) -> Any:
    return np.minimum(np.maximum(x, low), high)


def _norm(x: Any) -> Any:
    return np.sqrt(x @ x)


def _column(x: Any, number: float) -> Any:
    return x[:, int(number)]


def _where(condition: Any, a: Any, b: Any) -> Any:
    found = np.where(condition, a, b)
    return float(found) if isinstance(found, np.ndarray) and found.shape == () and found.dtype != object else found


#: Functions of formulas: how many arguments, and what they are.
FUNCTIONS: dict[str, tuple[int, Callable[..., Any]]] = {
    "sin": (1, np.sin), "cos": (1, np.cos), "tan": (1, np.tan), "asin": (1, np.arcsin), "acos": (1, np.arccos),
    "atan": (1, np.arctan), "atan2": (2, np.arctan2), "sinh": (1, np.sinh), "cosh": (1, np.cosh), "tanh": (1, np.tanh),
    "exp": (1, np.exp), "log": (1, np.log), "sqrt": (1, np.sqrt), "cbrt": (1, np.cbrt), "abs": (1, np.abs),
    "sign": (1, np.sign), "floor": (1, np.floor), "hypot": (2, np.hypot), "min": (2, np.minimum),
    "max": (2, np.maximum), "dot": (2, operator.matmul), "norm": (1, _norm), "column": (2, _column),
    "clip": (3, _clip), "where": (3, _where), "step": (1, step), "smoothstep": (1, smoothstep),
}  # fmt: skip


def _equal(a: Any, b: Any) -> Any:
    return np.equal(a, b) if isinstance(a, float) and isinstance(b, float) else _symbolic_equal(a, b)


def _symbolic_equal(a: Any, b: Any) -> Any:
    from dalembert.model.quantity import Quantity, made
    from dalembert.symbolic import equal

    return made(equal, a, b) if isinstance(a, Quantity) or isinstance(b, Quantity) else equal(a, b)


_OPERATORS: dict[str, Callable[..., Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "^": operator.pow,
    "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal, "==": _equal,
    "!=": lambda a, b: 1.0 - _equal(a, b),
}  # fmt: skip
#: Operators whose two sides are of one kind.
_COMPARED = ("+", "-", "<", "<=", ">", ">=", "==", "!=")
_BINDING = {"<": 1, "<=": 1, ">": 1, ">=": 1, "==": 1, "!=": 1, "+": 2, "-": 2, "*": 3, "/": 3, "^": 5}
_MINUS = 4  # of a sign in front: below powers, −x² is −(x²)


def parsed(text: str) -> FormulaPart:
    """The tree of a formula."""
    if len(text) > LONGEST_FORMULA:
        raise FormulaError(f"a formula has at most {LONGEST_FORMULA} characters, this one {len(text)}", Span(0, 1))
    return _FormulaParser(text).whole()


class _FormulaParser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, str, Span]] = []
        self.at = self.depth = 0
        place = 0
        while place < len(text.rstrip()):
            found = _TOKEN.match(text, place)
            if found is None:
                bad = place + len(text[place:]) - len(text[place:].lstrip())
                raise FormulaError(f"'{text[bad]}' does not belong into a formula", Span(bad, bad + 1))
            kind = str(found.lastgroup)
            self.tokens.append((kind, found[kind], Span(found.start(kind), found.end())))
            place = found.end()
        self.tokens.append(("end", "", Span(len(text), len(text) + 1)))

    def whole(self) -> FormulaPart:
        if len(self.tokens) == 1:
            raise FormulaError("a formula is needed, and this one is empty", Span(0, 1))
        found = self._formula(0)
        kind, text, span = self.tokens[self.at]
        if kind != "end":
            raise FormulaError(f"an operator is missing before '{text}'", span)
        return found

    def _formula(self, least: int) -> FormulaPart:
        self.depth += 1
        if self.depth > DEEPEST_FORMULA:
            raise FormulaError(f"more than {DEEPEST_FORMULA} parts stand in each other", self.tokens[self.at][2])
        left = self._first()
        compared, row = False, 0
        while True:
            sign = "^" if self._sign() == "**" else self._sign()
            level = _BINDING.get(sign, -1)
            if level < max(least, 1):
                self.depth -= 1
                return left
            if level == 1:
                if compared:
                    raise FormulaError("comparisons cannot be chained; use brackets", self.tokens[self.at][2])
                compared = True
            row += 1
            if row > LONGEST_ROW:
                raise FormulaError(f"more than {LONGEST_ROW} terms in a row; use brackets", self.tokens[self.at][2])
            self.at += 1
            right = self._formula(level if sign == "^" else level + 1)
            left = FormulaOperation(Span(left.span.start, right.span.end), sign, (left, right))

    def _sign(self) -> str:
        kind, text, _ = self.tokens[self.at]
        return text if kind == "sign" else ""

    def _first(self) -> FormulaPart:
        kind, text, span = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            value = float(text)
            if not math.isfinite(value):
                raise FormulaError(f"{text} is too large for a number", span)
            return FormulaNumber(span, value)
        if kind in ("name", "quoted"):
            self.at -= 1
            return self._name()
        if text in ("-", "+"):
            inner = self._formula(_MINUS)
            return inner if text == "+" else FormulaOperation(Span(span.start, inner.span.end), "neg", (inner,))
        if text == "(":
            inner = self._formula(0)
            self._expect(")")
            return inner
        what = "at its end" if kind == "end" else f"before '{text}'"
        raise FormulaError(f"a number or a name is missing {what}", span)

    def _name(self) -> FormulaPart:
        parts: list[str] = []
        start = self.tokens[self.at][2].start
        while True:
            kind, text, span = self.tokens[self.at]
            if kind not in ("name", "quoted"):
                raise FormulaError("a name is missing after the dot", span)
            parts.append(text.strip("'"))
            self.at += 1
            if self._sign() != ".":
                break
            self.at += 1
        if self._sign() == "(":
            if len(parts) > 1:
                raise FormulaError(f"'{'.'.join(parts)}' cannot be called", Span(start, span.end))
            return self._call(parts[0], Span(start, span.end))
        indices = []
        end = span.end
        while self._sign() == "[":
            self.at += 1
            kind, text, span = self.tokens[self.at]
            if kind != "number" or not text.isdigit() or len(text) > 6:
                raise FormulaError("an index is a whole number", span)
            indices.append(int(text))
            self.at += 1
            end = self._expect("]")
        return FormulaName(Span(start, end), tuple(parts), tuple(indices))

    def _call(self, name: str, span: Span) -> FormulaPart:
        self.at += 1
        arguments = [self._formula(0)]
        while self._sign() == ",":
            self.at += 1
            arguments.append(self._formula(0))
        self._expect(")")
        return FormulaOperation(span, name, tuple(arguments))

    def _expect(self, sign: str) -> int:
        kind, text, span = self.tokens[self.at]
        if text != sign or kind != "sign":
            what = "at its end" if kind == "end" else f"before '{text}'"
            raise FormulaError(f"'{sign}' is missing {what}", span)
        self.at += 1
        return span.end


def names_in(node: FormulaPart) -> Iterator[FormulaName]:
    """All names of a formula, and those of the functions that it calls."""
    if isinstance(node, FormulaName):
        yield node
    elif isinstance(node, FormulaOperation):
        for one in node.arguments:
            yield from names_in(one)


def counted_as_angle(node: FormulaPart, units: Mapping[str, str], drives: bool) -> FormulaName | None:
    """A parameter in Hz, or a unit like that, which a formula takes for an angular speed: it is added to or compared
    with a rate; or it is multiplied by nothing but the time in an angular function, or in a motion that ``drives``."""
    if drives and (found := _count_times_time(node, units)):
        return found
    if not isinstance(node, FormulaOperation):
        return None
    if node.operator in ("sin", "cos", "tan") and (found := _count_times_time(node.arguments[0], units)):
        return found
    if node.operator in _COMPARED:
        for one, other in (node.arguments, node.arguments[::-1]):
            if any(name.parts[-1] == "rate" for name in names_in(other)) and (found := _count(one, units)):
                return found
    return next((found for one in node.arguments if (found := counted_as_angle(one, units, False))), None)


def _count_times_time(node: FormulaPart, units: Mapping[str, str]) -> FormulaName | None:
    """A parameter that counts in time, in a summand that is its product with the time."""
    if not isinstance(node, FormulaOperation):
        return None
    if node.operator in ("+", "-", "neg"):
        return next((found for one in node.arguments if (found := _count_times_time(one, units))), None)
    if node.operator != "*":
        return None
    one, other = node.arguments
    if isinstance(one, FormulaName) and one.parts == ("t",):
        one, other = other, one
    return _count(one, units) if isinstance(other, FormulaName) and other.parts == ("t",) else None


def _count(node: FormulaPart, units: Mapping[str, str]) -> FormulaName | None:
    """A parameter that counts in time."""
    if not isinstance(node, FormulaName) or len(node.parts) != 1 + (node.parts[0] == "p"):
        return None
    return node if counts_in_time(units.get(node.parts[-1], "1")) else None


def calls_in(node: FormulaPart) -> Iterator[FormulaOperation]:
    """All calls of functions."""
    if isinstance(node, FormulaOperation):
        if node.operator not in _OPERATORS and node.operator != "neg":
            yield node
        for one in node.arguments:
            yield from calls_in(one)


def check_calls(node: FormulaPart, tables: Mapping[str, Any]) -> None:
    """Complain about functions that nobody knows, and about wrong numbers of arguments."""
    for call in calls_in(node):
        name, given = call.operator, len(call.arguments)
        if name in FUNCTIONS:
            wanted = FUNCTIONS[name][0]
            if given != wanted:
                many = f"{wanted} argument{'s' * (wanted > 1)}"
                raise FormulaError(f"{name} has {many}, not {given}", call.span)
        elif name in tables:
            if not 1 <= given <= 2:
                raise FormulaError(f"table '{name}' is called with one or two arguments, not {given}", call.span)
        else:
            raise FormulaError(f"unknown function '{name}'; {suggestion(name, [*FUNCTIONS, *tables])}", call.span)


def evaluated(node: FormulaPart, resolve: Callable[[FormulaName], Any], tables: Mapping[str, Any]) -> Any:
    """The value of a formula; ``resolve`` finds those of names."""
    if isinstance(node, FormulaNumber):
        return node.value
    if isinstance(node, FormulaName):
        found = resolve(node)
        return float(found) if isinstance(found, (bool, int)) else found
    assert isinstance(node, FormulaOperation)
    values = [evaluated(one, resolve, tables) for one in node.arguments]
    plain = all(isinstance(one, float) for one in values)
    try:
        if node.operator in tables and node.operator not in FUNCTIONS:
            return _looked_up(tables[node.operator], values, node)
        if node.operator == "neg":
            return -values[0]
        with np.errstate(all="ignore"):
            if node.operator in FUNCTIONS:
                found = FUNCTIONS[node.operator][1](*values)
            else:
                found = _OPERATORS[node.operator](*values)
    except ZeroDivisionError:
        raise FormulaError("division by zero", node.span) from None
    except OverflowError:
        raise FormulaError("the result is too large for a number", node.span) from None
    if not plain:
        return found
    if isinstance(found, complex) or not math.isfinite(float(found)):
        raise FormulaError(f"the result is {found}, no finite number", node.span)
    return float(found)


def _looked_up(table: Any, values: list[Any], node: FormulaOperation) -> Any:
    """A table of the file; the second argument of one with one variable is the order of a derivative."""
    from dalembert.model.quantity import Quantity, made
    from dalembert.symbolic import TableOfTwo

    order: list[Any] = []
    if isinstance(table, TableOfTwo):
        if len(values) != 2:
            raise FormulaError(f"table '{node.operator}' has two variables", node.span)
    elif len(values) == 2:
        if values[1] not in (0.0, 1.0, 2.0, 3.0) or not isinstance(values[1], float):
            raise FormulaError(f"the derivative of table '{node.operator}' has an order, 0 … 3", node.span)
        values, order = values[:1], [int(values[1])]
    if any(isinstance(one, Quantity) for one in values):
        return made(table, *values, *order)
    found = table(*values, *order)
    return float(found) if isinstance(found, (np.floating, np.ndarray)) and np.ndim(found) == 0 else found
