"""From atoms to the text of a formula, with as few brackets as it needs; and laws of models, traced to atoms."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dalembert.errors import DalembertError, ModelError
from dalembert.io.formulas import DEEPEST_FORMULA, LONGEST_FORMULA, written_name
from dalembert.model.element import Data
from dalembert.model.model import Model
from dalembert.symbolic import Atom, Graph, array
from dalembert.symbolic import operations as op

#: How strongly operators bind, as the parser sees it.
_LEVEL = {op.ADD: 2, op.SUB: 2, op.MUL: 3, op.DIV: 3}
_SIGNS = {op.ADD: " + ", op.SUB: " - ", op.MUL: "*", op.DIV: "/"}
_COMPARED = {op.LT: " < ", op.LE: " <= ", op.EQ: " == "}
_MINUS, _WHOLE = 4, 9


class AtomText:
    """Texts of atoms of one graph; ``name_of`` gives those of symbols, ``table_name`` those of tables."""

    def __init__(self, graph: Graph, name_of: Callable[[str], str], table_name: Callable[[Any], str]) -> None:
        self.graph, self.name_of, self.table_name = graph, name_of, table_name
        self._known: dict[int, tuple[str, int, int]] = {}

    def of(self, atom: Any) -> Any:
        """The formula of an atom; of one that is a number that."""
        known = atom.value if isinstance(atom, Atom) else float(atom)
        if known is not None:
            return float(number_text(known))
        for row in self.graph.reachable([atom.handle]):  # parts before wholes: no recursion, however deep
            self._known[row] = self._row(row)
        text, _, depth = self._signed(atom.handle)
        if len(text) > LONGEST_FORMULA or depth >= DEEPEST_FORMULA:
            raise ModelError(
                f"its formula has {len(text)} characters and {depth} parts in each other, which is too long"
            )
        return text

    def _signed(self, handle: int) -> tuple[str, int, int]:
        text, level, depth = self._known[abs(handle)]
        if handle >= 0:
            return text, level, depth
        node = self.graph.nodes[-handle]
        if node[0] == op.SUB:  # −(a − b) is b − a
            return self._infix(op.SUB, node[2], node[1])
        return (f"-{text}" if level >= _MINUS else f"-({text})"), _MINUS, depth + 1

    def _within(self, handle: int, least: int) -> tuple[str, int]:
        """Text that may stand where operators bind as strongly as ``least``."""
        text, level, depth = self._signed(handle)
        return (text if level >= least else f"({text})"), depth + 1

    def _infix(self, code: int, first: int, second: int) -> tuple[str, int, int]:
        """A sum, difference, product or quotient."""
        level = _LEVEL[code]
        (left, a), (right, b) = self._within(first, level), self._within(second, level + 1)
        return left + _SIGNS[code] + (f"({right})" if right.startswith("-") else right), level, max(a, b)

    def _row(self, row: int) -> tuple[str, int, int]:
        node = self.graph.nodes[row]
        code = node[0]
        if code == op.CONSTANT:
            return number_text(node[1]), _WHOLE, 1
        if code == op.SYMBOL:
            return self.name_of(self.graph.symbols[node[1]].name), _WHOLE, 1
        if code == op.INTERVAL:
            return "", _WHOLE, 1
        if code == op.PIECE:
            x, depth = self._within(node[2], 0)
            order = f", {node[4]}" if node[4] else ""
            return f"{self.table_name(self.graph.tables[node[3]])}({x}{order})", _WHOLE, depth
        if code in _LEVEL:
            found = self._infix(code, node[1], node[2])
        elif code == op.POW:
            (left, a), (right, b) = self._within(node[1], _WHOLE), self._within(node[2], _WHOLE)
            found = f"{left}^{right}", 5, max(a, b)
        elif code in _COMPARED:
            (left, a), (right, b) = self._within(node[1], 2), self._within(node[2], 2)
            found = left + _COMPARED[code] + right, 1, max(a, b)
        else:
            parts = [self._within(one, 0) for one in op.atom_arguments(node)]
            name = op.OPERATIONS[code].name
            found = f"{name}({', '.join(text for text, _ in parts)})", _WHOLE, max(depth for _, depth in parts)
        if len(found[0]) > 10 * LONGEST_FORMULA:
            raise ModelError("its formula is too long for a model file")
        return found


def number_text(value: float) -> str:
    """A number that reads back as the same one."""
    if not math.isfinite(value):
        raise ModelError(f"{value} cannot stand in a model file")
    return repr(float(value))


def parameter_text(symbol: str, hidden: set[str]) -> str:
    """A symbol "p.name[0, 1]" of a parameter as it stands in a formula."""
    found = re.fullmatch(r"p\.(.+?)(?:\[([\d, ]*)\])?", symbol)
    assert found is not None
    name = written_name(found[1])
    indices = "".join(f"[{one.strip()}]" for one in found[2].split(",")) if found[2] else ""
    return f"{'p.' if found[1] in hidden else ''}{name}{indices}"


class LawTracer:
    """Functions that are laws of a model, as formulas."""

    def __init__(self, model: Model, table_name: Callable[[Any], str]) -> None:
        self.model, self.table_name = model, table_name

    def formulas(self, function: Callable[..., Any], aliases: Mapping[str, str], where: str) -> Any:
        """The formula of a law, or formulas of its components; ``aliases`` are the names of what it sees."""
        graph = Graph()
        wanted = list(inspect.signature(function).parameters.values())
        names = [one.name for one in wanted if one.default is one.empty or one.name in ("t", "p", "w")]
        hidden = {name for name in names if name not in ("t", "p", "w")}
        # Symbols are made in an order that depends on what they are called in the file, and so are signs and sums.
        values = {
            name: self._value(graph, name, aliases) for name in sorted(names, key=lambda one: _rank(one, aliases))
        }
        try:
            found = function(**values)
        except DalembertError as error:
            raise ModelError(f"{where} cannot be traced: {error}") from None
        except Exception as error:  # a function of the user may raise anything
            raise ModelError(f"{where} cannot be traced: {type(error).__name__}: {error}") from None
        texts = AtomText(graph, lambda symbol: self._name(symbol, hidden, aliases), self.table_name)
        try:
            if isinstance(found, Mapping):
                return {str(key): texts.of(_scalar(one)) for key, one in found.items()}
            items = np.asarray(found, dtype=object)
            if items.ndim == 0 or items.shape == (1,):
                return texts.of(_scalar(items.reshape(-1)[0]))
            return [texts.of(_scalar(one)) for one in items.reshape(-1)]
        except (ModelError, TypeError, ValueError) as error:
            raise ModelError(f"{where}: {error}") from None

    def _value(self, graph: Graph, name: str, aliases: Mapping[str, str]) -> Any:
        model = self.model
        if name == "t":
            return graph.variable("t")
        if name == "p":
            return Data({key: self._parameter(graph, key) for key in model.parameter_values})
        if name == "w":
            return Data({key: graph.variable(f"w.{key}") for key in model.inputs})
        plain = name.removesuffix("_velocity")
        vector = name in ("position", "velocity") or aliases.get(f"{plain}.{model.labels[0]}") is not None
        if vector:
            return array([graph.variable(f"{name}.{label}") for label in model.labels])
        if name == "rotation":
            return array([graph.variable(f"rotation[{i}][{j}]") for i in range(3) for j in range(3)]).reshape(3, 3)
        if name == "angular_velocity" and not model.planar:
            return array([graph.variable(f"angular_velocity.{label}") for label in "xyz"])
        return graph.variable(name)

    def _parameter(self, graph: Graph, name: str) -> Any:
        shape = np.shape(self.model.parameter_values[name])
        if shape == ():
            return graph.parameter(f"p.{name}")
        return array([graph.parameter(f"p.{name}{list(at)}") for at in np.ndindex(shape)]).reshape(shape)

    def _name(self, symbol: str, hidden: set[str], aliases: Mapping[str, str]) -> str:
        if symbol in aliases:
            return aliases[symbol]
        if symbol.startswith("p."):
            return parameter_text(symbol, hidden)
        if symbol.startswith("w."):
            return symbol if symbol[2:] in hidden else symbol[2:]
        return symbol


def _rank(name: str, aliases: Mapping[str, str]) -> tuple[bool, str]:
    """The own quantities of a law in the order of their names, then what it sees, t, parameters and inputs."""
    seen = aliases.get(name) or next((text for key, text in aliases.items() if key.startswith(f"{name}.")), "")
    return bool(seen) or name in ("t", "p", "w"), seen or name


def _scalar(item: Any) -> Any:
    if isinstance(item, Atom):
        return item
    if isinstance(item, (str, bytes)) or np.ndim(item):
        raise TypeError(f"it returns {item!r:.40}")
    return float(item)
