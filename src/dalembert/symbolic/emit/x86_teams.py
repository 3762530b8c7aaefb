"""Straight-line arithmetic with teams printed as x86-64 assembly: four atoms by one instruction.

The values of a team stand in one register of 256 bits (AVX).  Single atoms between them are computed as in
:mod:`~dalembert.symbolic.emit.x86`; they read members of teams from the workspace, and what teams need of them is put
together from there.  A register is given up by the same rule.
"""

from __future__ import annotations

from dalembert.symbolic import operations as op
from dalembert.symbolic.compiler.program import TEAM
from dalembert.symbolic.compiler.schedule import Chunk, Schedule
from dalembert.symbolic.emit.team_plan import GATHER, SPREAD, TURN, Instruction, Signs, TeamPlan, planned
from dalembert.symbolic.emit.x86_registers import BIAS, FREE, KEPT, Registers, word

#: Only the first 16 registers have short instructions, and two can be joined in these alone.
_REGISTERS = 16


class TeamPrinter(Registers):
    """Prints one chunk; see :class:`~dalembert.symbolic.emit.x86.Assembler`."""

    def __init__(self, schedule: Schedule, chunk: Chunk) -> None:
        super().__init__(schedule, _REGISTERS)
        self.plan = planned(schedule, chunk.units)
        self.vectors: dict[tuple[float, ...], int] = {}
        self.masks: dict[Signs, int] = {}

    def number_table(self) -> list[str]:
        """Single numbers, then vectors of them, then signs."""
        words = super().number_table() + [word(x) for values in self.vectors for x in values]
        return words + ["0x8000000000000000" if sign < 0 else "0" for signs in self.masks for sign in signs]

    def run(self) -> None:
        """Print all instructions."""
        plan = self.plan
        self.find_uses(instruction.arguments for instruction in plan.instructions)
        self._place_numbers(plan)
        for value, slot in plan.stored.items():
            self.home[value] = f"{8 * slot}(%rdx)"
        for instruction in plan.instructions:
            self.begin_instruction()
            self._print(instruction)
        self.lines.append("vzeroupper")

    def _place_numbers(self, plan: TeamPlan) -> None:
        """Those that are used most come first."""
        read = {a: len(places) for a, places in self.uses.items()}
        for instruction in plan.instructions:
            if instruction.code in (SPREAD, GATHER):
                for row in instruction.more:
                    read[row] = read.get(row, 0) + 1
            elif instruction.code == TURN:
                self.masks.setdefault(instruction.more, len(self.masks))
        single = [a for a in read if a < self.single and self.nodes[a][0] == op.CONSTANT]
        for a in sorted(single, key=lambda a: -read[a]):
            self.numbers.setdefault(self.nodes[a][1], len(self.numbers))
        for values in sorted(plan.constants, key=lambda values: -read.get(plan.constants[values], 0)):
            self.vectors[values] = len(self.vectors)
        for values, value in plan.constants.items():
            self.home[value] = self._vector(self.vectors[values])

    def _vector(self, index: int) -> str:
        """Memory operand of a vector of the table."""
        return f"{8 * (len(self.numbers) + TEAM * index) - BIAS}(%rax)"

    def _print(self, instruction: Instruction) -> None:
        value, code, arguments = instruction.result, instruction.code, instruction.arguments
        if code == SPREAD:
            memory = self.memory(instruction.more[0])
            at = self.take()
            self.lines.append(f"vbroadcastsd {memory}, %ymm{at}")
        elif code == GATHER:
            at = self._gather(instruction.more)
        elif code == TURN:
            first = self.loaded(arguments[0])
            self.use(arguments[0])
            at = self.take()
            signs = self._vector(len(self.vectors) + self.masks[instruction.more])
            self.lines.append(f"vxorpd {signs}, %ymm{first}, %ymm{at}")
        elif len(arguments) == 2:
            at = self.binary(value, code, *arguments)
        else:
            at = self.unary(value, code, arguments[0])
        if instruction.slot >= 0:
            self.home[value] = f"{8 * instruction.slot}(%rdx)"
            self.lines.append(f"{self.move(value)} {self.name(value, at)}, {self.home[value]}")
        self.hold(value, at)

    def _gather(self, rows: tuple[int, ...]) -> int:
        """Two pairs, joined."""
        low, high = self._pair(rows[0], rows[1]), rows[2:]
        self.until[low] = KEPT
        if rows[:2] == high:
            self.lines.append(f"vinsertf128 $1, %xmm{low}, %ymm{low}, %ymm{low}")
        else:
            other = self._pair(*high)
            self.lines.append(f"vinsertf128 $1, %xmm{other}, %ymm{low}, %ymm{low}")
        self.until[low] = FREE
        return low

    def _pair(self, a: int, b: int) -> int:
        first, second = self.memory(a), self.memory(b)
        at = self.take()
        if a == b:
            self.lines.append(f"vmovddup {first}, %xmm{at}")
        else:
            self.lines.append(f"vmovsd {first}, %xmm{at}")
            self.lines.append(f"vmovhpd {second}, %xmm{at}, %xmm{at}")
        return at
