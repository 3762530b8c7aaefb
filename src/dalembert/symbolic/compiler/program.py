"""A program: the part of a graph that some outputs need, cut out, renumbered and frozen.

Everything behind the compiler works on programs: rewriting, scheduling, the printers of machine code and C, reports.  A
program knows nothing of names in the graph; two graphs that describe the same functions give equal programs and share
one cache entry.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dalembert.arguments import listed, shown
from dalembert.errors import SymbolicError, UnknownSymbolError, suggestion
from dalembert.symbolic import operations as op
from dalembert.symbolic.atom import Atom, graph_of, handles
from dalembert.symbolic.graph import Graph, Handle, Node
from dalembert.symbolic.sparse import SparseMatrix
from dalembert.symbolic.tables import PiecewisePolynomial

#: Parts of a model that may be computed in lockstep.
TEAM = 4
#: Numbers per vector: angles of the sine kernel, points of a group.
WIDTH = 4


@dataclass(frozen=True)
class Input:
    """A group of symbols that is passed as one array."""

    name: str
    shape: tuple[int, ...]
    symbols: tuple[str, ...]

    @property
    def size(self) -> int:
        """Number of values."""
        return len(self.symbols)


@dataclass(frozen=True)
class Output:
    """A result that is returned as one array; ``entries`` are handles in C order (sparse: CSC order)."""

    name: str
    shape: tuple[int, ...]
    entries: tuple[Handle, ...]
    sparse_rows: tuple[int, ...] | None = None
    sparse_indptr: tuple[int, ...] | None = None

    @property
    def size(self) -> int:
        """Number of values."""
        return len(self.entries)


@dataclass(frozen=True)
class Program:
    """Inputs, atoms in order of evaluation, outputs.

    ``nodes`` follow the rules of :mod:`~dalembert.symbolic.graph`, with ``(SYMBOL, input number, position)`` for
    symbols.
    """

    name: str
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    nodes: tuple[Node, ...]
    tables: tuple[PiecewisePolynomial, ...]
    staged: bool = False
    #: symbols that play the same role in four parts of a model, each by its input and position (lockstep.py)
    alike: tuple[tuple[tuple[int, int], ...], ...] = ()

    def digest(self) -> str:
        """Fingerprint of everything that decides on the generated code (not of names)."""
        numbers: list[int] = []
        constants: list[float] = []
        for node in self.nodes:
            if node[0] == op.CONSTANT:
                constants.append(node[1])
                numbers.append(op.CONSTANT)
            else:
                numbers.append(len(node))
                numbers.extend(node)
        header = {
            "inputs": [item.size for item in self.inputs],
            "outputs": [item.entries for item in self.outputs],
            "staged": self.staged,
            "alike": self.alike,
        }
        digest = hashlib.sha256(json.dumps(header).encode())
        digest.update(np.array(numbers, dtype=np.int64).tobytes())
        digest.update(struct.pack(f"<{len(constants)}d", *constants))
        for table in self.tables:
            digest.update(table.digest())
        return digest.hexdigest()

    def input_number(self, name: str) -> int:
        """Position of the input called ``name``."""
        for number, item in enumerate(self.inputs):
            if isinstance(name, str) and item.name == name:
                return number
        raise UnknownSymbolError(
            f"function '{self.name}' has no input '{name}'; {suggestion(name, [i.name for i in self.inputs])}"
        )

    def output_number(self, name: str) -> int:
        """Position of the output called ``name``."""
        for number, item in enumerate(self.outputs):
            if isinstance(name, str) and item.name == name:
                return number
        raise UnknownSymbolError(
            f"function '{self.name}' has no output '{name}'; {suggestion(name, [o.name for o in self.outputs])}"
        )

    def selected(self, names: Sequence[str]) -> Program:
        """The part that some of the outputs need, not staged.

        Of a settled program: what is computed is computed by the same operations as in the whole.
        """
        outputs = [self.outputs[self.output_number(name)] for name in names]
        needed = {0, 1}
        stack = [abs(h) for item in outputs for h in item.entries]
        while stack:
            row = stack.pop()
            if row not in needed:
                needed.add(row)
                stack.extend(abs(a) for a in op.atom_arguments(self.nodes[row]))
        local = {row: place for place, row in enumerate(sorted(needed))}
        nodes = []
        for row in sorted(needed):
            node = self.nodes[row]
            arity = op.OPERATIONS[node[0]].arity
            nodes.append((node[0], *(_localised(local, a) for a in node[1 : 1 + arity]), *node[1 + arity :]))
        kept = tuple(replace(item, entries=tuple(_localised(local, h) for h in item.entries)) for item in outputs)
        return replace(self, outputs=kept, nodes=tuple(nodes), staged=False)


def evaluation_order(program: Program) -> list[int]:
    """Atoms in the order in which they were built, as far as their arguments permit.

    Model code is written from body to body, several quantities at a time: this order keeps values local and gives a
    processor independent work, more than one that goes depth first from the outputs.
    """
    nodes = program.nodes
    seen = [False] * len(nodes)
    order: list[int] = []
    for entry in range(len(nodes)):
        if seen[entry]:
            continue
        stack = [entry]
        while stack:
            row = stack[-1]
            if row < 0:  # all arguments done
                stack.pop()
                order.append(~row)
                continue
            if seen[row]:
                stack.pop()
                continue
            seen[row] = True
            node = nodes[row]
            if node[0] <= op.SYMBOL:
                stack.pop()
                continue
            stack[-1] = ~row
            for a in reversed(op.atom_arguments(node)):
                if not seen[a]:
                    stack.append(a)
    return order


def extract(
    outputs: Mapping[str, Any], inputs: Mapping[str, Any], name: str = "function", staged: bool = False
) -> Program:
    """Cut the program of the given outputs out of their graph.

    ``outputs`` maps names to atoms, arrays of atoms, numbers or sparse matrices, ``inputs`` names to symbols or arrays
    of symbols.
    """
    if not outputs:
        raise SymbolicError(f"function '{name}' has no outputs")
    listed = (*inputs.values(), *(o.values if isinstance(o, SparseMatrix) else o for o in outputs.values()))
    graph = graph_of(*listed, where=f"function '{name}'")
    inputs_made, places = _inputs(graph, inputs, name)
    raw = [_output(graph, key, value) for key, value in outputs.items()]
    rows = graph.reachable([h for item in raw for h in item.entries])

    local: dict[int, int] = {0: 0, 1: 1}
    nodes: list[Node] = [graph.nodes[0], graph.nodes[1]]
    tables: dict[int, int] = {}
    for row in rows:
        if row < 2:
            continue
        node = graph.nodes[row]
        code = node[0]
        if code == op.SYMBOL:
            if row not in places:
                _undeclared(graph, row, raw, inputs_made, name)
            node = (op.SYMBOL, *places[row])
        elif code == op.INTERVAL:
            node = (code, _localised(local, node[1]), tables.setdefault(node[2], len(tables)))
        elif code == op.PIECE:
            table = tables.setdefault(node[3], len(tables))
            node = (code, local[node[1]], _localised(local, node[2]), table, node[4])
        elif code != op.CONSTANT:
            node = (code, *(local[a] if a >= 0 else -local[-a] for a in node[1:]))
        local[row] = len(nodes)
        nodes.append(node)
    made = tuple(
        Output(o.name, o.shape, tuple(_localised(local, h) for h in o.entries), o.sparse_rows, o.sparse_indptr)
        for o in raw
    )
    return Program(name, inputs_made, made, tuple(nodes), tuple(graph.tables[number] for number in tables), staged)


def with_alike(program: Program, alike: Sequence[Any]) -> Program:
    """The program with symbols that play the same role in four parts of a model; see lockstep.py."""
    places = {name: (k, i) for k, item in enumerate(program.inputs) for i, name in enumerate(item.symbols)}
    made = []
    for group in listed(alike, f"function '{program.name}': alike", SymbolicError):
        named = listed(group, f"function '{program.name}': alike", SymbolicError)
        names = [getattr(symbol, "name", None) if isinstance(symbol, Atom) else None for symbol in named]
        if len(names) != TEAM or any(name not in places for name in names):
            raise SymbolicError(
                f"function '{program.name}': alike must be groups of {TEAM} symbols that stand in the inputs, got "
                f"{shown(group)}"
            )
        made.append(tuple(places[name] for name in names if name is not None))
    return replace(program, alike=tuple(made))


def _localised(local: Mapping[int, int], handle: Handle) -> Handle:
    return local[handle] if handle >= 0 else -local[-handle]


def _inputs(graph: Graph, inputs: Mapping[str, Any], name: str) -> tuple[tuple[Input, ...], dict[int, tuple[int, int]]]:
    made: list[Input] = []
    places: dict[int, tuple[int, int]] = {}
    for number, (key, value) in enumerate(inputs.items()):
        rows, shape = handles(value, graph)
        for position, row in enumerate(rows):
            if not graph.is_symbol(row):
                raise SymbolicError(
                    f"function '{name}': input '{key}' must consist of symbols, but entry {position} is the expression "
                    f"'{Atom(graph, row)!r}'"
                )
            if row in places:
                first = list(inputs)[places[row][0]]
                raise SymbolicError(
                    f"function '{name}': symbol '{graph.symbol(row).name}' stands twice in the inputs, in '{first}' "
                    f"and in '{key}'"
                )
            places[row] = (number, position)
        made.append(Input(key, shape, tuple(graph.symbol(row).name for row in rows)))
    return tuple(made), places


def _output(graph: Graph, key: str, value: Any) -> Output:
    if isinstance(value, SparseMatrix):
        entries, _ = handles(value.values, graph)
        return Output(key, value.shape, tuple(entries), value.rows, tuple(int(i) for i in value.indptr))
    entries, shape = handles(value, graph)
    return Output(key, shape, tuple(entries))


def _undeclared(graph: Graph, row: int, outputs: Sequence[Output], inputs: Sequence[Input], name: str) -> None:
    culprit = next(o.name for o in outputs if row in set(graph.reachable(o.entries)))
    symbol = graph.symbol(row)
    listed = ", ".join(item.name for item in inputs) or "none"
    raise UnknownSymbolError(
        f"function '{name}': output '{culprit}' depends on the {symbol.kind} '{symbol.name}', which is not among the "
        f"inputs ({listed}); add it to an input or substitute a value for it"
    )
