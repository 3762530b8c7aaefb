"""Straight-line arithmetic printed as x86-64 assembly.

Mechanical models are almost only sums and products of doubles in long straight lines.  For such chunks instruction
selection is trivial and the best register allocation is known: the register that is given up is the one whose value is
needed furthest in the future (Belady).  Doing just that takes a fraction of the time of a general code generator, and
the code is as fast.  LLVM assembles the text; it also compiles all chunks that hold anything else (calls, comparisons),
and everything on other machines.

Operands that live in memory (inputs, numbers, workspace) are used from there; an instruction takes at most one such
operand, as its last one.  Needs AVX and the System V calling convention: ``void chunk(const double *const *in, double
*const *out, double *work)``.
"""

from __future__ import annotations

import struct

from dalembert.symbolic import operations as op
from dalembert.symbolic.compiler.program import TEAM
from dalembert.symbolic.compiler.schedule import Chunk, Schedule

MNEMONICS = {op.ADD: "vaddsd", op.SUB: "vsubsd", op.MUL: "vmulsd", op.DIV: "vdivsd"}
COMMUTATIVE = (op.ADD, op.MUL)
#: The operations that this printer knows.
PLAIN = frozenset({*MNEMONICS, op.SQRT, op.NEG, op.ABS})
#: Next use of a register that holds nothing.
FREE = 1 << 61
# General registers: %rdi, %rsi and %rdx hold the arguments, %rax points into the numbers and %rcx into the spilled
# values, both 128 bytes behind the start, such that the first 32 are reached with short instructions; the rest is for
# inputs and outputs.
POINTERS = ("%r8", "%r9", "%r10", "%r11")
BIAS = 128


def registers(triple: str, features: str, fma: bool) -> int:
    """Number of registers for doubles: 32 with AVX-512, else 16; 0 if this machine or its convention does not fit."""
    available = features.split(",")
    if not (triple.startswith("x86_64") and "linux" in triple and "+avx" in available):
        return 0
    if fma and "+fma" not in available:
        return 0
    return 32 if "+avx512vl" in available and "+avx512dq" in available else 16


def suits(schedule: Schedule, chunk: Chunk) -> bool:
    """Whether ``chunk`` is plain arithmetic, or only copies results."""
    nodes = schedule.program.nodes
    return bool(chunk.rows or chunk.stores) and not chunk.angles and all(nodes[row][0] in PLAIN for row in chunk.rows)


class Assembler:
    """Prints chunks of one schedule, and collects the numbers and spill slots they need."""

    def __init__(self, schedule: Schedule, fma: bool, registers: int) -> None:
        self.schedule = schedule
        self.fma = fma
        self.registers = registers
        self.numbers: list[str] = []
        self.spill_slots = 0
        self.lines: list[str] = []

    def chunk(self, name: str, chunk: Chunk) -> None:
        """Print ``chunk`` as a function called ``name``."""
        from dalembert.symbolic.emit.x86_teams import TeamPrinter  # which is written with the names of this module

        printer: TeamPrinter | _AssemblyPrinter
        if any(not isinstance(unit, int) for unit in chunk.units):
            printer = TeamPrinter(self.schedule, chunk)
        else:
            printer = _AssemblyPrinter(self.schedule, chunk, self.fma, self.registers)
        printer.run()
        numbers = printer.number_table()
        self.spill_slots = max(self.spill_slots, printer.spills_made)
        self.lines += [".p2align 4", f".type {name},@function", f"{name}:"]
        if numbers:
            self.lines.append(f"leaq .Lnumbers_{name}+{BIAS}(%rip), %rax")
            self.numbers.append(f".Lnumbers_{name}:")
            self.numbers += [f".quad {word}" for word in numbers]
        if printer.spills_made:
            self.lines.append(f"leaq {8 * self.schedule.work_size + BIAS}(%rdx), %rcx")
        self.lines += printer.lines
        self.lines.append("ret")

    def text(self) -> list[str]:
        """All lines printed, with the numbers behind them."""
        masks = [".Lsign:", ".quad 0x8000000000000000, 0", ".Lmagnitude:", ".quad 0x7fffffffffffffff, -1"]
        masks += [".Lsigns:", f".quad {', '.join(['0x8000000000000000'] * TEAM)}"]
        masks += [".Lmagnitudes:", f".quad {', '.join(['0x7fffffffffffffff'] * TEAM)}"]
        return [".text", *self.lines, ".section .rodata", ".p2align 4", *masks, *self.numbers, ".text"]


class _AssemblyPrinter:
    """Registers and memory homes while one chunk is printed."""

    def __init__(self, schedule: Schedule, chunk: Chunk, fma: bool, registers: int) -> None:
        self.nodes = schedule.program.nodes
        self.slots = schedule.slots
        self.chunk = chunk
        self.fma = fma
        self.lines: list[str] = []
        self.numbers: dict[float, int] = {}
        self.held: list[int] = [-1] * registers  # row in each register
        self.until = [FREE] * registers  # its next use
        self.register: dict[int, int] = {}
        self.home: dict[int, str] = {}  # memory operand of computed rows that have one
        self.spilled: dict[int, int] = {}
        self.free_spills: list[int] = []
        self.ending_spills: list[int] = []  # still read by the instruction in preparation
        self.spills_made = 0
        self.pointers: dict[tuple[str, int], str] = {}
        self.pointer_order: list[tuple[str, int]] = []

    def number_table(self) -> list[str]:
        """All numbers that were used."""
        return [f"0x{struct.unpack('<Q', struct.pack('<d', x))[0]:x}" for x in self.numbers]

    # --------------------------------------------------------------------- plan

    def run(self) -> None:
        """Print all instructions and stores."""
        stores: dict[int, list[tuple[int, int]]] = {}
        late: list[tuple[int, int, int]] = []
        inside = set(self.chunk.rows)
        for output, position, row in self.chunk.stores:
            if row in inside:
                stores.setdefault(row, []).append((output, position))
            else:
                late.append((output, position, row))
        plan = self._plan(stores)
        uses: dict[int, list[int]] = {}
        for index in range(len(plan) - 1, -1, -1):  # latest use first: consumed from the end
            for a in plan[index][2:]:
                uses.setdefault(a, []).append(index)
        self.uses = uses
        # Numbers that are used most come first.
        constants = sorted((a for a in uses if self.nodes[a][0] == op.CONSTANT), key=lambda a: -len(uses[a]))
        for a in constants:
            self.numbers.setdefault(self.nodes[a][1], len(self.numbers))
        for instruction in plan:
            row, kind = instruction[0], instruction[1]
            self.free_spills += self.ending_spills
            self.ending_spills.clear()
            if len(instruction) == 5:
                at = self._fused(kind, *instruction[2:])
            elif len(instruction) == 4:
                at = self._binary(kind, instruction[2], instruction[3])
            else:
                at = self._unary(kind, instruction[2])
            slot = self.slots.get(row)
            if slot is not None:
                self.home[row] = f"{8 * slot}(%rdx)"
                self.lines.append(f"vmovsd %xmm{at}, {8 * slot}(%rdx)")
            for output, position in stores.get(row, ()):
                self.lines.append(f"vmovsd %xmm{at}, {8 * position}({self._pointer('out', output)})")
            coming = uses.get(row)
            if coming:
                self.held[at], self.until[at], self.register[row] = row, coming[-1], at
            else:
                self.held[at], self.until[at] = -1, FREE
        self._late_stores(late)

    def _plan(self, stores: dict[int, list[tuple[int, int]]]) -> list[tuple[int, ...]]:
        """(row, operation, arguments …) in order; with fma a product that only a sum here uses becomes part of it."""
        nodes, rows = self.nodes, self.chunk.rows
        if not self.fma:
            return [(row, *nodes[row]) for row in rows]
        count: dict[int, int] = {}
        for row in rows:
            for a in nodes[row][1:]:
                count[a] = count.get(a, 0) + 1
        here = {row for row in rows if nodes[row][0] == op.MUL and row not in self.slots and row not in stores}
        fused: dict[int, tuple[int, ...]] = {}
        swallowed: set[int] = set()
        for row in rows:
            node = nodes[row]
            if node[0] == op.ADD or node[0] == op.SUB:
                # a - b c, then a + b c, then b c - a
                for position in (2, 1):
                    product, other = node[position], node[3 - position]
                    if product in here and count[product] == 1:
                        kind = _FMADD if node[0] == op.ADD else _FNMADD if position == 2 else _FMSUB
                        fused[row] = (row, kind, *nodes[product][1:], other)
                        swallowed.add(product)
                        break
        return [fused.get(row) or (row, *nodes[row]) for row in rows if row not in swallowed]

    # ---------------------------------------------------------------- registers

    def _take(self) -> int:
        """A register to write to: a free one, or the one whose value is needed last."""
        until = self.until
        at = until.index(max(until))
        row = self.held[at]
        if row >= 0:
            del self.register[row]
            if row not in self.home and self.nodes[row][0] > op.SYMBOL:
                if self.free_spills:
                    spill = self.free_spills.pop()
                else:
                    spill = self.spills_made
                    self.spills_made += 1
                self.spilled[row] = spill
                self.home[row] = f"{8 * spill - BIAS}(%rcx)"
                self.lines.append(f"vmovsd %xmm{at}, {self.home[row]}")
        return at

    def _use(self, row: int) -> None:
        """Count one use of ``row``; what is not needed any more leaves its register and spill slot."""
        coming = self.uses[row]
        coming.pop()
        at = self.register.get(row)
        if coming:
            if at is not None:
                self.until[at] = coming[-1]
            return
        if at is not None:
            del self.register[row]
            self.held[at], self.until[at] = -1, FREE
        if row in self.spilled:
            self.ending_spills.append(self.spilled.pop(row))

    def _memory(self, row: int) -> str:
        """Memory operand of a value that is in no register."""
        node = self.nodes[row]
        if node[0] == op.CONSTANT:
            return f"{8 * self.numbers.setdefault(node[1], len(self.numbers)) - BIAS}(%rax)"
        if node[0] == op.SYMBOL:
            return f"{8 * node[2]}({self._pointer('in', node[1])})"
        home = self.home.get(row)
        return home if home is not None else f"{8 * self.slots[row]}(%rdx)"

    def _loaded(self, row: int, beside: int | None = None) -> int:
        """Register with the value of ``row``; the one with ``beside`` is not touched."""
        at = self.register.get(row)
        if at is not None:
            return at
        kept = self.register.get(beside) if beside is not None else None
        if kept is not None:
            until, self.until[kept] = self.until[kept], -1
        memory = self._memory(row)
        at = self._take()
        self.lines.append(f"vmovsd {memory}, %xmm{at}")
        if kept is not None:
            self.until[kept] = until
        if self.nodes[row][0] > op.SYMBOL:
            self.home[row] = memory
        self.held[at], self.until[at], self.register[row] = row, self.uses[row][-1], at
        return at

    def _operand(self, row: int) -> str:
        at = self.register.get(row)
        return f"%xmm{at}" if at is not None else self._memory(row)

    def _pointer(self, kind: str, index: int) -> str:
        """General register that holds the address of an input or output."""
        key = (kind, index)
        at = self.pointers.get(key)
        if at is not None:
            self.pointer_order.remove(key)
            self.pointer_order.append(key)
        else:
            if len(self.pointers) < len(POINTERS):
                at = POINTERS[len(self.pointers)]
            else:
                at = self.pointers.pop(self.pointer_order.pop(0))
            self.pointers[key] = at
            self.pointer_order.append(key)
            self.lines.append(f"movq {8 * index}({'%rdi' if kind == 'in' else '%rsi'}), {at}")
        return at

    # ------------------------------------------------------------- instructions

    def _binary(self, code: int, a: int, b: int) -> int:
        if a not in self.register and b in self.register and code in COMMUTATIVE:
            a, b = b, a
        first = self._loaded(a, b)
        second = self._operand(b)
        self._use(a)
        self._use(b)
        at = self._take()
        self.lines.append(f"{MNEMONICS[code]} {second}, %xmm{first}, %xmm{at}")
        return at

    def _unary(self, code: int, a: int) -> int:
        first = self._loaded(a)
        self._use(a)
        at = self._take()
        if code == op.SQRT:
            self.lines.append(f"vsqrtsd %xmm{first}, %xmm{first}, %xmm{at}")
        else:
            mask = "vxorpd .Lsign" if code == op.NEG else "vandpd .Lmagnitude"
            self.lines.append(f"{mask}(%rip), %xmm{first}, %xmm{at}")
        return at

    def _fused(self, kind: int, a: int, b: int, c: int) -> int:
        """±a b ± c; the instruction overwrites one of its operands."""
        name = _FUSED_NAMES[kind]
        if len(self.uses[c]) == 1 and c in self.register and c not in (a, b):  # c = a b + c
            if a not in self.register:
                a, b = b, a
            first = self._loaded(a, c)
            at, second = self.register[c], self._operand(b)
            self._use(a)
            self._use(b)
            self._release(c, at)
            self.lines.append(f"{name}231sd {second}, %xmm{first}, %xmm{at}")
            return at
        if len(self.uses[b]) == 1 and b in self.register:
            a, b = b, a
        if len(self.uses[a]) == 1 and a in self.register and a not in (b, c):  # a = b a + c
            first = self._loaded(b, a)
            at, second = self.register[a], self._operand(c)
            self._use(b)
            self._use(c)
            self._release(a, at)
            self.lines.append(f"{name}213sd {second}, %xmm{first}, %xmm{at}")
            return at
        # Nobody can be overwritten: work on a copy of c.
        if a not in self.register:
            a, b = b, a
        first = self._loaded(a, b if b in self.register else c)
        second, third = self._operand(b), self._operand(c)
        self._use(a)
        self._use(b)
        self._use(c)
        # The copy must not fall on an operand that the instruction still reads.
        busy = {int(x[4:]) for x in (f"%xmm{first}", second) if x.startswith("%xmm")}
        kept = {r: self.until[r] for r in busy}
        for r in busy:
            self.until[r] = -1
        at = self._take()
        for r, until in kept.items():
            self.until[r] = until
        if third != f"%xmm{at}":
            self.lines.append(f"{'vmovapd' if third.startswith('%xmm') else 'vmovsd'} {third}, %xmm{at}")
        self.lines.append(f"{name}231sd {second}, %xmm{first}, %xmm{at}")
        return at

    def _release(self, row: int, at: int) -> None:
        """Last use of ``row``, whose register is about to take the result."""
        self._use(row)
        self.held[at], self.until[at] = -1, FREE

    def _late_stores(self, late: list[tuple[int, int, int]]) -> None:
        """Copy inputs, numbers and workspace values to outputs, when all registers are free; zeros in pairs."""
        late.sort()
        zeros = {(output, position) for output, position, row in late if self.nodes[row] == (op.CONSTANT, 0.0)}
        if zeros:
            self.lines.append("vxorpd %xmm0, %xmm0, %xmm0")
        done = (-1, -1)
        for output, position, row in late:
            if (output, position) == done:
                continue
            if (output, position) in zeros:
                pair = (output, position + 1) in zeros
                done = (output, position + 1) if pair else done
                source, move = 0, "vmovupd" if pair else "vmovsd"
            else:
                self.lines.append(f"vmovsd {self._memory(row)}, %xmm1")
                source, move = 1, "vmovsd"
            self.lines.append(f"{move} %xmm{source}, {8 * position}({self._pointer('out', output)})")


_FMADD, _FNMADD, _FMSUB = 100, 101, 102
_FUSED_NAMES = {_FMADD: "vfmadd", _FNMADD: "vfnmadd", _FMSUB: "vfmsub"}
