"""Registers of an x86-64 processor while straight-line arithmetic is printed: what stands where, and what gives way.

Values are numbered: rows of a program, then vectors of teams.  Those that live in memory (inputs, numbers, workspace)
are used from there; an instruction takes at most one such operand, as its last one.  A result is put into a free
register, or into the one whose value is needed furthest in the future (Belady), which is kept in the workspace.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable

from dalembert.symbolic import operations as op
from dalembert.symbolic.compiler.program import TEAM
from dalembert.symbolic.compiler.schedule import Schedule

MNEMONICS = {op.ADD: "vadd", op.SUB: "vsub", op.MUL: "vmul", op.DIV: "vdiv"}
_COMMUTATIVE = (op.ADD, op.MUL)
#: Next use of a register that holds nothing, and of one that must not be taken.
FREE, KEPT = 1 << 61, -1
# General registers: %rdi, %rsi and %rdx hold the arguments, %rax points into the numbers and %rcx into the spilled
# values, both 128 bytes behind the start, such that the first 32 are reached with short instructions; the rest is for
# inputs and outputs.
_POINTERS = ("%r8", "%r9", "%r10", "%r11")
BIAS = 128
_SINGLE, _WIDE = 1, TEAM


def word(number: float) -> str:
    """A number as the assembler reads it, bit by bit."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:x}"


class Registers:
    """Registers and memory homes while one chunk is printed; printers add what they print."""

    def __init__(self, schedule: Schedule, count: int) -> None:
        self.nodes = schedule.program.nodes
        self.slots = schedule.slots
        self.single = len(self.nodes)  # from here on values are vectors
        self.lines: list[str] = []
        self.numbers: dict[float, int] = {}
        self.uses: dict[int, list[int]] = {}  # places of all uses to come, the next one last
        self.held = [-1] * count  # value in each register
        self.until = [FREE] * count  # its next use
        self.register: dict[int, int] = {}
        self.home: dict[int, str] = {}  # memory operand of values that have one
        self.spilled: dict[int, int] = {}
        self.free_spills: dict[int, list[int]] = {_SINGLE: [], _WIDE: []}
        self.ending_spills: list[tuple[int, int]] = []  # still read by the instruction in preparation
        self.spills_made = 0
        self.pointers: dict[tuple[str, int], str] = {}
        self.pointer_order: list[tuple[str, int]] = []

    def number_table(self) -> list[str]:
        """All words that instructions read from the table of numbers."""
        return [word(x) for x in self.numbers]

    def find_uses(self, arguments: Iterable[tuple[int, ...]]) -> None:
        """From the arguments of all instructions, in order."""
        for index, used in reversed(list(enumerate(arguments))):
            for a in used:
                self.uses.setdefault(a, []).append(index)

    def begin_instruction(self) -> None:
        """What the last instruction has read for the last time is free now."""
        for width, spill in self.ending_spills:
            self.free_spills[width].append(spill)
        self.ending_spills.clear()

    def hold(self, value: int, at: int) -> None:
        """A register has the result of an instruction."""
        coming = self.uses.get(value)
        if coming:
            self.held[at], self.until[at], self.register[value] = value, coming[-1], at
        else:
            self.held[at], self.until[at] = -1, FREE

    # ----------------------------------------------------------------- names

    def name(self, value: int, at: int) -> str:
        """A register, as instructions on such a value call it."""
        return f"%{'x' if value < self.single else 'y'}mm{at}"

    def move(self, value: int) -> str:
        """The instruction between registers and memory."""
        return "vmovsd" if value < self.single else "vmovupd"

    def _computed(self, value: int) -> bool:
        return value >= self.single or self.nodes[value][0] > op.SYMBOL

    # ------------------------------------------------------------- registers

    def take(self) -> int:
        """A register to write to: a free one, or the one whose value is needed last."""
        at = self.until.index(max(self.until))
        value = self.held[at]
        if value >= 0:
            del self.register[value]
            if value not in self.home and self._computed(value):
                width = _SINGLE if value < self.single else _WIDE
                if self.free_spills[width]:
                    spill = self.free_spills[width].pop()
                else:
                    spill = self.spills_made
                    self.spills_made += width
                self.spilled[value] = spill
                self.home[value] = f"{8 * spill - BIAS}(%rcx)"
                self.lines.append(f"{self.move(value)} {self.name(value, at)}, {self.home[value]}")
            self.held[at], self.until[at] = -1, FREE
        return at

    def use(self, value: int) -> None:
        """Count one use of a value; what is not needed any more leaves its register and spill slot."""
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
            width = _SINGLE if value < self.single else _WIDE
            self.ending_spills.append((width, self.spilled.pop(value)))

    def memory(self, value: int) -> str:
        """Memory operand of a value that is in no register."""
        home = self.home.get(value)
        if home is not None:
            return home
        node = self.nodes[value]
        if node[0] == op.CONSTANT:
            return f"{8 * self.numbers.setdefault(node[1], len(self.numbers)) - BIAS}(%rax)"
        if node[0] == op.SYMBOL:
            return f"{8 * node[2]}({self.pointer('in', node[1])})"
        return f"{8 * self.slots[value]}(%rdx)"

    def loaded(self, value: int, beside: int | None = None) -> int:
        """Register with a value; the one with ``beside`` is not touched."""
        at = self.register.get(value)
        if at is not None:
            return at
        kept = self.register.get(beside) if beside is not None else None
        if kept is not None:
            until, self.until[kept] = self.until[kept], KEPT
        memory = self.memory(value)
        at = self.take()
        self.lines.append(f"{self.move(value)} {memory}, {self.name(value, at)}")
        if kept is not None:
            self.until[kept] = until
        if self._computed(value):
            self.home[value] = memory
        self.held[at], self.until[at], self.register[value] = value, self.uses[value][-1], at
        return at

    def operand(self, value: int) -> str:
        """Register or memory with a value."""
        at = self.register.get(value)
        return self.name(value, at) if at is not None else self.memory(value)

    def pointer(self, kind: str, index: int) -> str:
        """General register that holds the address of an input or output."""
        key = (kind, index)
        at = self.pointers.get(key)
        if at is not None:
            self.pointer_order.remove(key)
        else:
            free = len(self.pointers) < len(_POINTERS)
            at = _POINTERS[len(self.pointers)] if free else self.pointers.pop(self.pointer_order.pop(0))
            self.pointers[key] = at
            self.lines.append(f"movq {8 * index}({'%rdi' if kind == 'in' else '%rsi'}), {at}")
        self.pointer_order.append(key)
        return at

    # ---------------------------------------------------------- instructions

    def binary(self, value: int, code: int, a: int, b: int) -> int:
        """Print an operation on two values; the register of the result."""
        if a not in self.register and b in self.register and code in _COMMUTATIVE:
            a, b = b, a
        first = self.loaded(a, b)
        second = self.operand(b)
        self.use(a)
        self.use(b)
        at = self.take()
        width = "sd" if value < self.single else "pd"
        self.lines.append(f"{MNEMONICS[code]}{width} {second}, {self.name(value, first)}, {self.name(value, at)}")
        return at

    def unary(self, value: int, code: int, a: int) -> int:
        """Print an operation on one value; the register of the result."""
        first = self.loaded(a)
        self.use(a)
        at = self.take()
        source, target = self.name(value, first), self.name(value, at)
        if code == op.SQRT and value < self.single:
            self.lines.append(f"vsqrtsd {source}, {source}, {target}")
        elif code == op.SQRT:
            self.lines.append(f"vsqrtpd {source}, {target}")
        else:
            mask = "vxorpd .Lsign" if code == op.NEG else "vandpd .Lmagnitude"
            wide = "" if value < self.single else "s"
            self.lines.append(f"{mask}{wide}(%rip), {source}, {target}")
        return at
