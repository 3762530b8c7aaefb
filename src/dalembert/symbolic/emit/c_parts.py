"""The statements of a program in C: functions of some hundred atoms each, which are called one after the other.

Atoms that are used once appear inside the formula of their user, as in Fig. 2 of the railway paper; every operation is
the one that the compiled function does, in the same order.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from dalembert.symbolic import operations as op
from dalembert.symbolic.compiler.lockstep import lockstep
from dalembert.symbolic.compiler.program import Program
from dalembert.symbolic.compiler.schedule import Chunk, Schedule, schedule
from dalembert.symbolic.emit.c_tables import CTables
from dalembert.symbolic.emit.c_teams import TeamStatements, has_teams
from dalembert.symbolic.emit.c_text import identifiers, number
from dalembert.symbolic.emit.x86 import PLAIN
from dalembert.symbolic.tables import PiecewisePolynomial

#: Atoms per part.
FILE_LIMIT = 500
#: Single atoms and teams per part, where there are teams: longer loops keep more in registers.
TEAM_LIMIT = 1000
#: A formula that is longer gets a name of its own.
LONGEST = 110
_SUM, _PRODUCT, _PRIMARY = 1, 2, 3
# Operations that read an argument twice: it must be a name.
_REPEATING = (op.SIGN, op.MIN, op.MAX)
_COMPARISONS = (op.LT, op.LE, op.EQ)
#: Longer heads of functions have a line for each argument.
_WIDEST = 110


@dataclass(frozen=True)
class CPart:
    """A function of C: its name, the numbers of the inputs and outputs that it takes as pointers, whether it takes the
    workspace, its text without includes, and how many doubles it holds under names."""

    name: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    works: bool
    signature: str
    text: str
    names: int

    @property
    def used(self) -> bool:
        """Whether it does anything."""
        return self.works or bool(self.outputs)


class CParts:
    """Parts of a settled program.

    ``inputs`` and ``outputs`` are the names of their arrays in C.
    """

    def __init__(self, program: Program, prefix: str, tables: CTables) -> None:
        program, teams = lockstep(program) if program.staged else (program, [])
        self.program, self.prefix, self.tables = program, prefix, tables
        self.schedule: Schedule = schedule(
            program, PLAIN if teams else frozenset(), FILE_LIMIT, teams, longest=TEAM_LIMIT
        )  # fmt: skip
        self.nodes = program.nodes
        self.inputs = identifiers("in", [item.name for item in program.inputs])
        self.outputs = identifiers("out", [item.name for item in program.outputs])
        self.uses = Counter(a for node in self.nodes for a in op.atom_arguments(node))
        self.leaving = self._leaving()
        self.parts: list[CPart] = []
        self._of: dict[int, CPart] = {}
        for count, chunk in enumerate(self.schedule.chunks):
            part = self._part(f"{prefix}_part{count}", chunk)
            self.parts.append(part)
            self._of[id(chunk)] = part

    @property
    def has_teams(self) -> bool:
        """Whether its statements have vectors."""
        return any(has_teams(chunk) for chunk in self.schedule.chunks)

    @property
    def work_size(self) -> int:
        """Doubles of the workspace."""
        return self.schedule.work_size

    def part(self, chunk: Chunk) -> CPart:
        """The function that a chunk has become."""
        return self._of[id(chunk)]

    def _leaving(self) -> set[int]:
        """Atoms that another part than their own needs."""
        home = {row: chunk for chunk in self.schedule.chunks for row in chunk.rows}
        found: set[int] = set()
        for chunk in self.schedule.chunks:
            needed = [a for row in chunk.rows for a in op.atom_arguments(self.nodes[row])]
            needed += [row for _, _, row in chunk.stores]
            found.update(row for row in needed if row in home and home[row] is not chunk)
        return found

    def _part(self, name: str, chunk: Chunk) -> CPart:
        printer: _StatementPrinter | TeamStatements
        if has_teams(chunk):
            printer = TeamStatements(self.schedule, chunk, self.inputs, self.tables.prefix)
        else:
            printer = _StatementPrinter(self, chunk)
        statements = printer.statements()
        inputs, outputs = tuple(sorted(printer.inputs)), tuple(sorted(printer.outputs))
        parameters = [f"const double *restrict {self.inputs[i]}" for i in inputs]
        parameters += [f"double *restrict {self.outputs[k]}" for k in outputs]
        parameters += ["double *restrict work"] if printer.touches_work else []
        signature = f"void {name}({', '.join(parameters) or 'void'})"
        if len(signature) > _WIDEST:
            signature = f"void {name}(\n    " + ",\n    ".join(parameters) + ")"
        text = f"{signature}\n{{\n" + "".join(f"    {line}\n" for line in statements) + "}\n"
        return CPart(name, inputs, outputs, printer.touches_work, signature, text, printer.names)


class _StatementPrinter:
    """Formulas of one chunk: (text, precedence) per row."""

    def __init__(self, parts: CParts, chunk: Chunk) -> None:
        self.all = parts
        self.chunk = chunk
        self.nodes = parts.nodes
        self.slots = (
            parts.schedule.slots
            if parts.schedule.together
            else {row: parts.schedule.slots[row] for row in parts.leaving}
        )
        self.inputs: set[int] = set()
        self.outputs: set[int] = set()
        self.touches_work = False
        self.names = 0
        self.lines: list[str] = []
        #: rows of tables and places in them, by array, interval and place
        self.rows: dict[tuple[int, str, str], str] = {}
        self.formulas: dict[int, tuple[str, int]] = {}
        #: comparisons that stand inside of a formula, without the numbers 1.0 and 0.0 that they give
        self.conditions: dict[int, str] = {}

    def statements(self) -> list[str]:
        """The statements of the chunk."""
        nodes = self.nodes
        stored = Counter(row for _, _, row in self.chunk.stores)
        repeated = {a for row in self.chunk.rows if nodes[row][0] in _REPEATING for a in op.atom_arguments(nodes[row])}
        for row in self.chunk.rows:
            text, level = self._formula(nodes[row])
            slot = self.slots.get(row)
            once = self.all.uses[row] == 1 and row not in stored and slot is None and row not in repeated
            if once and len(text) <= LONGEST:
                self.formulas[row] = text, level
                if nodes[row][0] in _COMPARISONS:
                    self.conditions[row] = text.removeprefix("(").removesuffix(" ? 1.0 : 0.0)")
                continue
            only_stored = self.all.uses[row] == 0 and slot is None and stored[row] == 1
            if only_stored:
                self.formulas[row] = text, level
            else:
                self._name(row, text)
            if slot is not None:
                self.touches_work = True
                self.lines.append(f"work[{slot}] = a{row};")
        for output, position, row in self.chunk.stores:
            self.outputs.add(output)
            self.lines.append(f"{self.all.outputs[output]}[{position}] = {self._read(row)[0]};")
        return self.lines

    def _name(self, row: int, text: str) -> None:
        self.names += 1
        self.lines.append(f"const double a{row} = {text};")
        self.formulas[row] = f"a{row}", _PRIMARY

    def _read(self, row: int) -> tuple[str, int]:
        formula = self.formulas.get(row)
        if formula is not None:
            return formula
        node = self.nodes[row]
        if node[0] == op.CONSTANT:
            return number(node[1]), _PRIMARY
        if node[0] == op.SYMBOL:
            self.inputs.add(node[1])
            return f"{self.all.inputs[node[1]]}[{node[2]}]", _PRIMARY
        self.touches_work = True
        self._name(row, f"work[{self.slots[row]}]")
        return self.formulas[row]

    def _table_row(self, table: PiecewisePolynomial, k: str, x: str) -> str:
        """The row of an interval and the place in it, under names."""
        key = (self.all.tables.group(table), k, x)
        if key not in self.rows:
            self.names += 2
            number_ = len(self.rows)
            self.rows[key] = f"r{number_}, u{number_}"
            self.lines.append(f"const double *const r{number_} = {self.all.tables.row(table)}({k});")
            self.lines.append(f"const double u{number_} = {x} - r{number_}[0];")
        return self.rows[key]

    def _formula(self, node: tuple) -> tuple[str, int]:
        code, tables = node[0], self.all.program.tables
        arguments = [self._read(a) for a in op.atom_arguments(node)]
        if code in (op.ADD, op.SUB):
            return f"{_wrap(arguments[0], _SUM)} {'+-'[code == op.SUB]} {_wrap(arguments[1], _PRODUCT)}", _SUM
        if code in (op.MUL, op.DIV):
            return f"{_wrap(arguments[0], _PRODUCT)}{'*/'[code == op.DIV]}{_wrap(arguments[1], _PRIMARY)}", _PRODUCT
        if code == op.NEG:
            return f"(-{_wrap(arguments[0], _PRIMARY)})", _PRIMARY
        if code == op.INTERVAL:
            return f"{self.all.tables.interval(tables[node[2]])}({arguments[0][0]})", _PRIMARY
        if code == op.PIECE:
            function = self.all.tables.piece(tables[node[3]], node[4])
            return f"{function}({self._table_row(tables[node[3]], arguments[0][0], arguments[1][0])})", _PRIMARY
        first = op.atom_arguments(node)[0]
        if code == op.WHERE and first in self.conditions:
            return (
                f"({self.conditions[first]} ? {_wrap(arguments[1], _PRIMARY)} : {_wrap(arguments[2], _PRIMARY)})",
                _PRIMARY,
            )
        if code in (op.MIN, op.MAX) and self.nodes[first][0] == op.CONSTANT and not math.isnan(self.nodes[first][1]):
            sign = "<" if code == op.MIN else ">"
            return f"({arguments[0][0]} {sign} {arguments[1][0]} ? {arguments[0][0]} : {arguments[1][0]})", _PRIMARY
        plain = code < op.LT and code not in _REPEATING
        return op.OPERATIONS[code].c.format(*(t if plain else _wrap((t, p), _PRIMARY) for t, p in arguments)), _PRIMARY


def _wrap(formula: tuple[str, int], least: int) -> str:
    text, level = formula
    return text if level >= least else f"({text})"
