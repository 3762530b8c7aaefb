"""Instructions for chunks with teams: values that are single, values that are vectors of a team, and their signs.

A vector may hold some of its values with the opposite sign, as sums of vectors need it (lockstep.py).  Those that are
read one by one have none.  Printers of machine code and of C start from here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dalembert.symbolic import operations as op
from dalembert.symbolic.compiler.lockstep import Team
from dalembert.symbolic.compiler.program import TEAM
from dalembert.symbolic.compiler.schedule import Schedule, aligned_operands

#: Vectors from memory: one number four times, four numbers; and one with some signs turned.
SPREAD, GATHER, TURN = 200, 201, 202
Signs = tuple[int, ...]
_TRUE: Signs = (1,) * TEAM


@dataclass(frozen=True)
class Instruction:
    """What makes a value: an operation on others."""

    result: int
    code: int
    arguments: tuple[int, ...]
    #: what a vector is put together from, or the signs that are turned
    more: tuple[int, ...] = ()
    #: where in the workspace the result is stored; -1: nowhere
    slot: int = -1


@dataclass
class TeamPlan:
    """Instructions for values that are numbered: rows, then vectors."""

    instructions: list[Instruction] = field(default_factory=list)
    #: vectors of numbers
    constants: dict[tuple[float, ...], int] = field(default_factory=dict)
    #: vectors that stand in the workspace from elsewhere, with their slots
    stored: dict[int, int] = field(default_factory=dict)


def planned(schedule: Schedule, units: Sequence[Team | int]) -> TeamPlan:
    """The instructions of some units."""
    return _Planner(schedule, units).build()


class _Planner:
    """From units to instructions, with signs."""

    def __init__(self, schedule: Schedule, units: Sequence[Team | int]) -> None:
        self.schedule, self.units = schedule, units
        self.program, self.nodes, self.slots = schedule.program, schedule.program.nodes, schedule.slots
        self.plan = TeamPlan()
        self.made = len(self.nodes)
        self.vector_of: dict[tuple[int, ...], int] = {}
        self.signs: dict[int, Signs] = {}

    def new(self) -> int:
        self.made += 1
        return self.made - 1

    def add(self, code: int, arguments: tuple[int, ...], more: tuple[int, ...] = (), slot: int = -1) -> int:
        result = self.new()
        self.plan.instructions.append(Instruction(result, code, arguments, more, slot))
        return result

    def build(self) -> TeamPlan:
        for unit in self.units:
            if isinstance(unit, int):
                code, *arguments = self.nodes[unit]
                slot = self.slots.get(unit, -1)
                self.plan.instructions.append(Instruction(unit, code, tuple(arguments), slot=slot))
            else:
                self._team(unit)
        return self.plan

    # --------------------------------------------------------------------- teams

    def _team(self, team: Team) -> None:
        codes = [self.nodes[row][0] for row in team.rows]
        operands = [tuple(o) for o in aligned_operands(self.program, team, self.schedule.together)]
        slot = self.slots.get(team.rows[0], -1)
        wanted = _TRUE if slot >= 0 else team.signs
        if codes[0] in (op.ADD, op.SUB):
            found, signs = self._sum(team, operands, wanted)
        elif codes[0] in (op.MUL, op.DIV):
            found, signs = self._product(codes[0], operands, wanted)
        elif codes[0] == op.ABS:
            found, signs = self.add(codes[0], (self._operand(operands[0])[0],)), _TRUE
        else:
            found, signs = self.add(codes[0], (self._true(operands[0]),)), _TRUE
        if slot >= 0 and signs != _TRUE:
            found, signs = self._turned(found, signs), _TRUE
        if slot >= 0:
            last = self.plan.instructions.pop()
            self.plan.instructions.append(Instruction(last.result, last.code, last.arguments, last.more, slot))
        self.vector_of[team.rows] = found
        self.signs[found] = signs

    def _sum(self, team: Team, operands: list[tuple[int, ...]], wanted: Signs) -> tuple[int, Signs]:
        """Each part has a sum or a difference, of operands in either order."""
        a, b = operands
        of_a, of_b = [], []
        for row, x in zip(team.rows, a, strict=True):
            code, first, _ = self.nodes[row]
            in_order = first == x
            of_a.append(1 if code == op.ADD or in_order else -1)
            of_b.append(1 if code == op.ADD or not in_order else -1)
        numbers_a, numbers_b = self._numbers(a), self._numbers(b)
        if numbers_a is not None:
            a, b, of_a, of_b, numbers_a, numbers_b = b, a, of_b, of_a, numbers_b, numbers_a
        first, signs_a = self._operand(a)
        signs = tuple(s * t for s, t in zip(of_a, signs_a, strict=True))
        if numbers_b is not None:
            values = tuple(s * t * x for s, t, x in zip(signs, of_b, numbers_b, strict=True))
            return self.add(op.ADD, (first, self._constant(values))), signs
        second, signs_b = self._operand(b)
        relative = tuple(s * t * u for s, t, u in zip(signs, of_b, signs_b, strict=True))
        if len(set(relative)) > 1:
            relative_to_first = tuple(s * relative[0] for s in relative)
            turn_first = self._turned_before(a, signs_a, relative_to_first) and not self._turned_before(
                b, signs_b, relative_to_first
            )
            if turn_first:
                first = self._turned(first, relative_to_first, a, signs_a)
                signs = tuple(s * t for s, t in zip(signs, relative_to_first, strict=True))
            else:
                second = self._turned(second, relative_to_first, b, signs_b)
        if relative[0] > 0:
            return self.add(op.ADD, (first, second)), signs
        if signs[0] < 0 or (signs != wanted and tuple(-s for s in signs) == wanted):
            return self.add(op.SUB, (second, first)), tuple(-s for s in signs)
        return self.add(op.SUB, (first, second)), signs

    def _product(self, code: int, operands: list[tuple[int, ...]], wanted: Signs) -> tuple[int, Signs]:
        a, b = operands
        numbers = self._numbers(a), self._numbers(b)
        if numbers[0] is None and numbers[1] is None:
            (first, s), (second, t) = self._operand(a), self._operand(b)
            return self.add(code, (first, second)), tuple(x * y for x, y in zip(s, t, strict=True))
        if numbers[0] is not None and numbers[1] is not None:
            return self.add(code, (self._constant(numbers[0]), self._constant(numbers[1]))), _TRUE
        at = 0 if numbers[0] is not None else 1
        other, signs = self._operand(operands[1 - at])
        values = numbers[at]
        assert values is not None
        constant = self._constant(tuple(x * s * w for x, s, w in zip(values, signs, wanted, strict=True)))
        return self.add(code, (constant, other) if at == 0 else (other, constant)), wanted

    # ------------------------------------------------------------------ operands

    def _numbers(self, rows: tuple[int, ...]) -> tuple[float, ...] | None:
        if all(self.nodes[row][0] == op.CONSTANT for row in rows):
            return tuple(float(self.nodes[row][1]) for row in rows)
        return None

    def _constant(self, values: tuple[float, ...]) -> int:
        found = self.plan.constants.get(values)
        if found is None:
            found = self.plan.constants[values] = self.new()
        return found

    def _operand(self, rows: tuple[int, ...]) -> tuple[int, Signs]:
        """A vector of these rows, and the signs that it has them with."""
        found = self.vector_of.get(rows)
        if found is not None:
            return found, self.signs.get(found, _TRUE)
        numbers = self._numbers(rows)
        if numbers is not None:
            return self._constant(numbers), _TRUE
        places = [self._place(row) for row in rows]
        if all(place is not None and place == (places[0] or 0) + k for k, place in enumerate(places)):
            found = self.new()
            self.plan.stored[found] = self.slots[rows[0]]
        elif len(set(rows)) == 1:
            found = self.add(SPREAD, (), rows[:1])
        else:
            found = self.add(GATHER, (), rows)
        self.vector_of[rows] = found
        return found, _TRUE

    def _place(self, row: int) -> int | None:
        return self.slots.get(row) if self.nodes[row][0] > op.SYMBOL else None

    def _true(self, rows: tuple[int, ...]) -> int:
        found, signs = self._operand(rows)
        return found if signs == _TRUE else self._turned(found, signs, rows, signs)

    def _turned_before(self, rows: tuple[int, ...], signs: Signs, turn: Signs) -> bool:
        return (*rows, *(s * t for s, t in zip(signs, turn, strict=True))) in self.vector_of

    def _turned(self, vector: int, turn: Signs, rows: tuple[int, ...] = (), signs: Signs = _TRUE) -> int:
        """A vector with signs turned; those of rows are remembered."""
        key = (*rows, *(s * t for s, t in zip(signs, turn, strict=True)))
        if rows and key in self.vector_of:
            return self.vector_of[key]
        found = self.add(TURN, (vector,), turn)
        if rows:
            self.vector_of[key] = found
        return found
