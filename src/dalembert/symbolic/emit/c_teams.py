"""Chunks with teams in C: loops over the four parts of a model that are alike.

A loop holds the formulas of one part, with all that differs between parts in arrays; its code is a quarter of what it
would be, and compilers make vectors of it.  What atoms outside of a loop need of it, and other loops, stands in arrays.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from dalembert.symbolic import operations as op
from dalembert.symbolic.compiler.lockstep import Team
from dalembert.symbolic.compiler.program import TEAM
from dalembert.symbolic.compiler.schedule import Chunk, Schedule
from dalembert.symbolic.emit.c_text import number
from dalembert.symbolic.emit.team_plan import GATHER, SPREAD, TURN, Instruction, planned

#: Statements in a loop; compilers compare all that a loop reads and writes with each other.
_LONGEST_LOOP = 60
_SIGNS = {op.ADD: "+", op.SUB: "-", op.MUL: "*", op.DIV: "/"}


def has_teams(chunk: Chunk) -> bool:
    """Whether a chunk is printed here."""
    return any(not isinstance(unit, int) for unit in chunk.units)


class TeamStatements:
    """Statements of one chunk; as those of other chunks, they tell what they touch."""

    def __init__(self, schedule: Schedule, chunk: Chunk, input_names: Sequence[str]) -> None:
        self.schedule, self.nodes, self.slots = schedule, schedule.program.nodes, schedule.slots
        self.input_names = input_names
        self.plan = planned(schedule, _by_turns(schedule, chunk.units))
        self.inputs: set[int] = set()
        self.outputs: set[int] = set()
        self.touches_work = False
        self.names = 0
        self.lines: list[str] = []
        self.known: set[int] = set()
        self.declared: set[str] = set()
        self.loop_of: dict[int, int] = {}
        self.constants = {value: values for values, value in self.plan.constants.items()}
        self.made = {one.result: one for one in self.plan.instructions}

    def statements(self) -> list[str]:
        """All of them."""
        loops: list[list[Instruction] | Instruction] = []
        for one in self.plan.instructions:
            if one.result < len(self.nodes) or one.code == GATHER:
                loops.append(one)
            elif one.code != SPREAD:
                last = loops[-1] if loops else None
                if not isinstance(last, list) or len(last) >= _LONGEST_LOOP:
                    loops.append(last := [])
                last.append(one)
                self.loop_of[one.result] = len(loops) - 1
        users: dict[int, set[int]] = defaultdict(set)
        for one in self.plan.instructions:
            for a in one.arguments:
                users[a].add(self.loop_of.get(one.result, -1))
        self.leaving = {value for value, at in self.loop_of.items() if users[value] - {at}}
        for item in loops:
            if isinstance(item, list):
                self._loop(item)
            elif item.code == GATHER:
                self.names += TEAM
                self.lines.append(
                    f"const double v{item.result}[{TEAM}] = {{{', '.join(self._single(row) for row in item.more)}}};"
                )
            else:
                self._statement(item)
        return self.lines

    def _statement(self, one: Instruction) -> None:
        arguments = [self._single(a) for a in one.arguments]
        self.names += 1
        self.known.add(one.result)
        self.lines.append(f"const double a{one.result} = {_formula(one.code, arguments)};")
        if one.slot >= 0:
            self.touches_work = True
            self.lines.append(f"work[{one.slot}] = a{one.result};")

    def _single(self, row: int) -> str:
        node = self.nodes[row]
        if node[0] == op.CONSTANT:
            return number(node[1])
        if node[0] == op.SYMBOL:
            self.inputs.add(node[1])
            return f"{self.input_names[node[1]]}[{node[2]}]"
        if row in self.known:
            return f"a{row}"
        self.touches_work = True
        return f"work[{self.slots[row]}]"

    def _loop(self, instructions: list[Instruction]) -> None:
        loop = self.loop_of[instructions[0].result]
        body: list[str] = []
        before: dict[str, str] = {}

        def read(value: int) -> str:
            if value in self.constants:
                return self._numbers(f"c{value}", self.constants[value], before)
            if value in self.plan.stored:
                self.touches_work = True
                return f"work[{self.plan.stored[value]} + k]"
            one = self.made[value]
            if one.code == SPREAD:
                return self._single(one.more[0])
            if one.code != GATHER and self.loop_of[value] == loop:
                return f"{'w' if value in self.leaving and one.slot < 0 else 'v'}{value}"
            if one.slot >= 0:
                self.touches_work = True
                return f"work[{one.slot} + k]"
            return f"v{value}[k]"

        for one in instructions:
            arguments = [read(a) for a in one.arguments]
            if one.code == TURN:
                name = "s" + "".join("np"[sign > 0] for sign in one.more)
                arguments.append(self._numbers(name, tuple(map(float, one.more)), before))
            text = _formula(op.MUL if one.code == TURN else one.code, arguments)
            self.names += 1
            if one.slot >= 0:
                self.touches_work = True
                body.append(f"const double v{one.result} = {text};")
                body.append(f"work[{one.slot} + k] = v{one.result};")
            elif one.result in self.leaving:
                # inside of its own loop it is read under a name, too
                self.names += TEAM
                self.lines.append(f"double v{one.result}[{TEAM}];")
                body.append(f"const double w{one.result} = {text};")
                body.append(f"v{one.result}[k] = w{one.result};")
            else:
                body.append(f"const double v{one.result} = {text};")
        self.lines += before.values()
        self.lines.append(f"for (k = 0; k < {TEAM}; ++k) {{")
        for line in body:
            self.lines.append(f"    {line}")
        self.lines.append("}")

    def _numbers(self, name: str, values: tuple[float, ...], before: dict[str, str]) -> str:
        if len(set(values)) == 1:
            return number(values[0])
        if name not in self.declared:
            self.declared.add(name)
            before[name] = f"static const double {name}[{TEAM}] = {{{', '.join(map(number, values))}}};"
        return f"{name}[k]"


def _formula(code: int, arguments: list[str]) -> str:
    if code in _SIGNS:
        return f" {_SIGNS[code]} ".join(arguments)
    if code == op.NEG:
        return f"-{arguments[0]}"
    return op.OPERATIONS[code].c.format(*arguments)


def _by_turns(schedule: Schedule, units: Sequence[Team | int]) -> list[Team | int]:
    """Units with as few changes between teams and single rows as there can be: long loops."""
    nodes = schedule.program.nodes
    first = {row: key for key, unit in enumerate(units) for row in ((unit,) if isinstance(unit, int) else unit.rows)}
    waiting: list[int] = []
    users: dict[int, list[int]] = defaultdict(list)
    for key, unit in enumerate(units):
        rows = (unit,) if isinstance(unit, int) else unit.rows
        needed = {first[a] for row in rows for a in op.atom_arguments(nodes[row]) if a in first} - {key}
        waiting.append(len(needed))
        for other in needed:
            users[other].append(key)
    ready: dict[bool, list[int]] = {True: [], False: []}
    for key, unit in enumerate(units):
        if not waiting[key]:
            ready[isinstance(unit, int)].append(key)
    found: list[Team | int] = []
    single = True
    while ready[True] or ready[False]:
        single = single if ready[single] else not single
        listed, ready[single] = ready[single], []
        for key in listed:
            found.append(units[key])
            for user in users[key]:
                waiting[user] -= 1
                if not waiting[user]:
                    ready[isinstance(units[user], int)].append(user)
    return found
