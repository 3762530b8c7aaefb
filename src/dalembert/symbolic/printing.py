"""Atoms as short text, for messages and the interactive prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dalembert.symbolic import operations as op

if TYPE_CHECKING:
    from dalembert.symbolic.atom import Atom
    from dalembert.symbolic.graph import Graph, Handle

_LIMIT = 40  # atoms shown; what is deeper appears as #row
_PRECEDENCE = {op.ADD: 1, op.SUB: 1, op.MUL: 2, op.DIV: 2}
_SIGNS = {op.ADD: " + ", op.SUB: " - ", op.MUL: "*", op.DIV: "/"}


def text(atom: Atom) -> str:
    """The formula of an atom; large ones are cut, naming the atoms below by their row."""
    budget = [_LIMIT]
    return _text(atom.graph, atom.handle, 0, budget)


def _text(graph: Graph, handle: Handle, outer: int, budget: list[int]) -> str:
    if handle < 0:
        inner = "-" + _text(graph, -handle, 2, budget)
        return f"({inner})" if outer else inner
    node = graph.nodes[handle]
    code = node[0]
    if code == op.CONSTANT:
        return f"{node[1]:.12g}"
    if code == op.SYMBOL:
        return graph.symbols[node[1]].name
    budget[0] -= 1
    if budget[0] < 0:
        return f"#{handle}"
    if code in _SIGNS:
        level = _PRECEDENCE[code]
        left = _text(graph, node[1], level - 1, budget)
        right = _text(graph, node[2], level, budget)
        formula = left + _SIGNS[code] + right
        return f"({formula})" if outer >= level else formula
    if code == op.PIECE:
        return f"table{node[3]}{chr(39) * node[4]}({_text(graph, node[2], 0, budget)})"
    arguments = ", ".join(_text(graph, a, 0, budget) for a in op.atom_arguments(node))
    return f"{op.OPERATIONS[code].name}({arguments})"
