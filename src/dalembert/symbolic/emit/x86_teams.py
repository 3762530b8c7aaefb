"""Straight-line arithmetic with teams printed as x86-64 assembly: four atoms by one instruction.

The values of a team stand in one register of 256 bits (AVX).  Single atoms between them are computed as in
:mod:`~dalembert.symbolic.emit.x86`; they read members of teams from the workspace, and what teams need of them is put
together from there.  A register is given up by the same rule.
"""

from __future__ import annotations

import struct

from dalembert.symbolic import operations as op
from dalembert.symbolic.compiler.program import TEAM
from dalembert.symbolic.compiler.schedule import Chunk, Schedule
from dalembert.symbolic.emit.team_plan import GATHER, SPREAD, TURN, Instruction, Signs, TeamPlan, planned
from dalembert.symbolic.emit.x86 import BIAS, COMMUTATIVE, FREE, MNEMONICS, POINTERS

_SINGLE, _WIDE = 1, TEAM
#: Only the first 16 registers have short instructions, and two can be joined in these alone.
_REGISTERS = 16


class TeamPrinter:
    """Prints one chunk; see :class:`~dalembert.symbolic.emit.x86.Assembler`."""

    def __init__(self, schedule: Schedule, chunk: Chunk) -> None:
        self.schedule, self.chunk = schedule, chunk
        self.nodes, self.slots = schedule.program.nodes, schedule.slots
        self.lines: list[str] = []
        self.numbers: dict[float, int] = {}
        self.vectors: dict[tuple[float, ...], int] = {}
        self.masks: dict[Signs, int] = {}
        self.spills_made = 0

    def run(self) -> None:
        """Print all instructions."""
        plan = planned(self.schedule, self.chunk.units)
        _Allocation(self, plan).run()
        self.lines.append("vzeroupper")

    def number_table(self) -> list[str]:
        """Single numbers, then vectors of them, then signs."""
        words = [f"0x{struct.unpack('<Q', struct.pack('<d', x))[0]:x}" for x in self.numbers]
        for values in self.vectors:
            words += [f"0x{struct.unpack('<Q', struct.pack('<d', x))[0]:x}" for x in values]
        for signs in self.masks:
            words += ["0x8000000000000000" if sign < 0 else "0" for sign in signs]
        return words


class _Allocation:
    """Registers and memory homes while a plan is printed."""

    def __init__(self, printer: TeamPrinter, plan: TeamPlan) -> None:
        self.printer, self.plan = printer, plan
        self.nodes, self.slots, self.lines = printer.nodes, printer.slots, printer.lines
        self.single = len(self.nodes)
        self.held = [-1] * _REGISTERS
        self.until = [FREE] * _REGISTERS
        self.register: dict[int, int] = {}
        self.home: dict[int, str] = {}
        self.spilled: dict[int, int] = {}
        self.free_spills: dict[int, list[int]] = {_SINGLE: [], _WIDE: []}
        self.ending: list[tuple[int, int]] = []
        self.pointers: dict[int, str] = {}
        self.pointer_order: list[int] = []

    def _width(self, value: int) -> int:
        return _SINGLE if value < self.single else _WIDE

    def _name(self, value: int, at: int) -> str:
        return f"%{'x' if value < self.single else 'y'}mm{at}"

    def _move(self, value: int) -> str:
        return "vmovsd" if value < self.single else "vmovupd"

    def run(self) -> None:
        """Print the plan."""
        plan, printer = self.plan, self.printer
        self.uses: dict[int, list[int]] = {}
        for index in range(len(plan.instructions) - 1, -1, -1):
            for a in plan.instructions[index].arguments:
                self.uses.setdefault(a, []).append(index)
        read = {a: len(places) for a, places in self.uses.items()}
        for instruction in plan.instructions:
            if instruction.code in (SPREAD, GATHER):
                for row in instruction.more:
                    read[row] = read.get(row, 0) + 1
        single = [a for a in read if a < self.single and self.nodes[a][0] == op.CONSTANT]
        for a in sorted(single, key=lambda a: -read[a]):
            printer.numbers.setdefault(self.nodes[a][1], len(printer.numbers))
        for values in sorted(plan.constants, key=lambda values: -read.get(plan.constants[values], 0)):
            printer.vectors[values] = len(printer.vectors)
        for instruction in plan.instructions:
            if instruction.code == TURN:
                printer.masks.setdefault(instruction.more, len(printer.masks))
        for values, value in plan.constants.items():
            at = len(printer.numbers) + TEAM * printer.vectors[values]
            self.home[value] = f"{8 * at - BIAS}(%rax)"
        for value, slot in plan.stored.items():
            self.home[value] = f"{8 * slot}(%rdx)"
        for instruction in plan.instructions:
            for width, spill in self.ending:
                self.free_spills[width].append(spill)
            self.ending.clear()
            self._print(instruction)

    def _print(self, instruction: Instruction) -> None:
        value, code, arguments = instruction.result, instruction.code, instruction.arguments
        if code == SPREAD:
            memory = self._memory(instruction.more[0])
            at = self._take()
            self.lines.append(f"vbroadcastsd {memory}, %ymm{at}")
        elif code == GATHER:
            at = self._gather(instruction.more)
        elif code == TURN:
            first = self._loaded(arguments[0])
            self._use(arguments[0])
            at = self._take()
            printer = self.printer
            place = len(printer.numbers) + TEAM * (len(printer.vectors) + printer.masks[instruction.more])
            self.lines.append(f"vxorpd {8 * place - BIAS}(%rax), %ymm{first}, %ymm{at}")
        elif len(arguments) == 2:
            at = self._binary(value, code, *arguments)
        else:
            at = self._unary(value, code, arguments[0])
        if instruction.slot >= 0:
            self.home[value] = f"{8 * instruction.slot}(%rdx)"
            self.lines.append(f"{self._move(value)} {self._name(value, at)}, {self.home[value]}")
        coming = self.uses.get(value)
        if coming:
            self.held[at], self.until[at], self.register[value] = value, coming[-1], at
        else:
            self.held[at], self.until[at] = -1, FREE

    # ---------------------------------------------------------------- registers

    def _take(self) -> int:
        until = self.until
        at = until.index(max(until))
        value = self.held[at]
        if value >= 0:
            del self.register[value]
            if value not in self.home and (value >= self.single or self.nodes[value][0] > op.SYMBOL):
                width = self._width(value)
                if self.free_spills[width]:
                    spill = self.free_spills[width].pop()
                else:
                    spill = self.printer.spills_made
                    self.printer.spills_made += width
                self.spilled[value] = spill
                self.home[value] = f"{8 * spill - BIAS}(%rcx)"
                self.lines.append(f"{self._move(value)} {self._name(value, at)}, {self.home[value]}")
            self.held[at], self.until[at] = -1, FREE
        return at

    def _use(self, value: int) -> None:
        coming = self.uses[value]
        coming.pop()
        at = self.register.get(value)
        if coming:
            if at is not None:
                self.until[at] = coming[-1]
            return
        if at is not None:
            del self.register[value]
            self.held[at], self.until[at] = -1, FREE
        if value in self.spilled:
            self.ending.append((self._width(value), self.spilled.pop(value)))

    def _memory(self, value: int) -> str:
        home = self.home.get(value)
        if home is not None:
            return home
        node = self.nodes[value]
        if node[0] == op.CONSTANT:
            return f"{8 * self.printer.numbers[node[1]] - BIAS}(%rax)"
        if node[0] == op.SYMBOL:
            return f"{8 * node[2]}({self._pointer(node[1])})"
        return f"{8 * self.slots[value]}(%rdx)"

    def _loaded(self, value: int, beside: int | None = None) -> int:
        at = self.register.get(value)
        if at is not None:
            return at
        kept = self.register.get(beside) if beside is not None else None
        if kept is not None:
            until, self.until[kept] = self.until[kept], -1
        memory = self._memory(value)
        at = self._take()
        self.lines.append(f"{self._move(value)} {memory}, {self._name(value, at)}")
        if kept is not None:
            self.until[kept] = until
        if value >= self.single or self.nodes[value][0] > op.SYMBOL:
            self.home[value] = memory
        self.held[at], self.until[at], self.register[value] = value, self.uses[value][-1], at
        return at

    def _operand(self, value: int) -> str:
        at = self.register.get(value)
        return self._name(value, at) if at is not None else self._memory(value)

    def _pointer(self, index: int) -> str:
        """General register that holds the address of an input."""
        at = self.pointers.get(index)
        if at is not None:
            self.pointer_order.remove(index)
        else:
            free = len(self.pointers) < len(POINTERS)
            at = POINTERS[len(self.pointers)] if free else self.pointers.pop(self.pointer_order.pop(0))
            self.pointers[index] = at
            self.lines.append(f"movq {8 * index}(%rdi), {at}")
        self.pointer_order.append(index)
        return at

    # ------------------------------------------------------------- instructions

    def _binary(self, value: int, code: int, a: int, b: int) -> int:
        if a not in self.register and b in self.register and code in COMMUTATIVE:
            a, b = b, a
        first = self._loaded(a, b)
        second = self._operand(b)
        self._use(a)
        self._use(b)
        at = self._take()
        kind = MNEMONICS[code][:-2] + ("sd" if value < self.single else "pd")
        self.lines.append(f"{kind} {second}, {self._name(value, first)}, {self._name(value, at)}")
        return at

    def _unary(self, value: int, code: int, a: int) -> int:
        first = self._loaded(a)
        self._use(a)
        at = self._take()
        source, target = self._name(value, first), self._name(value, at)
        if code == op.SQRT and value < self.single:
            self.lines.append(f"vsqrtsd {source}, {source}, {target}")
        elif code == op.SQRT:
            self.lines.append(f"vsqrtpd {source}, {target}")
        else:
            mask = "vxorpd .Lsign" if code == op.NEG else "vandpd .Lmagnitude"
            wide = "" if value < self.single else "s"
            self.lines.append(f"{mask}{wide}(%rip), {source}, {target}")
        return at

    def _gather(self, rows: tuple[int, ...]) -> int:
        """Two pairs, joined."""
        low, high = self._pair(rows[0], rows[1]), rows[2:]
        self.until[low] = -1
        if rows[:2] == high:
            self.lines.append(f"vinsertf128 $1, %xmm{low}, %ymm{low}, %ymm{low}")
        else:
            other = self._pair(*high)
            self.lines.append(f"vinsertf128 $1, %xmm{other}, %ymm{low}, %ymm{low}")
        self.until[low] = FREE
        return low

    def _pair(self, a: int, b: int) -> int:
        first, second = self._memory(a), self._memory(b)
        at = self._take()
        if a == b:
            self.lines.append(f"vmovddup {first}, %xmm{at}")
        else:
            self.lines.append(f"vmovsd {first}, %xmm{at}")
            self.lines.append(f"vmovhpd {second}, %xmm{at}, %xmm{at}")
        return at
