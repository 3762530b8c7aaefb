"""Straight-line arithmetic printed as x86-64 assembly.

Mechanical models are almost only sums and products of doubles in long straight lines.  For such chunks instruction
selection is trivial and the best register allocation is known (:mod:`~dalembert.symbolic.emit.x86_registers`).  Doing
just that takes a fraction of the time of a general code generator, and the code is as fast.  LLVM assembles the text;
it also compiles all chunks that hold anything else (calls, comparisons), and everything on other machines.

Needs AVX and the System V calling convention: ``void chunk(const double *const *in, double *const *out, double
*work)``.
"""

from __future__ import annotations

from dalembert.symbolic import operations as op
from dalembert.symbolic.compiler.program import TEAM
from dalembert.symbolic.compiler.schedule import Chunk, Schedule
from dalembert.symbolic.emit.x86_registers import BIAS, FREE, KEPT, MNEMONICS, Registers
from dalembert.symbolic.emit.x86_teams import TeamPrinter

#: The operations that this printer knows.
PLAIN = frozenset({*MNEMONICS, op.SQRT, op.NEG, op.ABS})


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


class _AssemblyPrinter(Registers):
    """Prints one chunk, atom by atom."""

    def __init__(self, schedule: Schedule, chunk: Chunk, fma: bool, registers: int) -> None:
        super().__init__(schedule, registers)
        self.chunk = chunk
        self.fma = fma

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
        self.find_uses(instruction[2:] for instruction in plan)
        uses = self.uses
        # Numbers that are used most come first.
        constants = sorted((a for a in uses if self.nodes[a][0] == op.CONSTANT), key=lambda a: -len(uses[a]))
        for a in constants:
            self.numbers.setdefault(self.nodes[a][1], len(self.numbers))
        for instruction in plan:
            row, kind = instruction[0], instruction[1]
            self.begin_instruction()
            if len(instruction) == 5:
                at = self._fused(kind, *instruction[2:])
            elif len(instruction) == 4:
                at = self.binary(row, kind, instruction[2], instruction[3])
            else:
                at = self.unary(row, kind, instruction[2])
            slot = self.slots.get(row)
            if slot is not None:
                self.home[row] = f"{8 * slot}(%rdx)"
                self.lines.append(f"vmovsd %xmm{at}, {8 * slot}(%rdx)")
            for output, position in stores.get(row, ()):
                self.lines.append(f"vmovsd %xmm{at}, {8 * position}({self.pointer('out', output)})")
            self.hold(row, at)
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

    def _fused(self, kind: int, a: int, b: int, c: int) -> int:
        """±a b ± c; the instruction overwrites one of its operands."""
        name = _FUSED_NAMES[kind]
        if len(self.uses[c]) == 1 and c in self.register and c not in (a, b):  # c = a b + c
            if a not in self.register:
                a, b = b, a
            first = self.loaded(a, c)
            at, second = self.register[c], self.operand(b)
            self.use(a)
            self.use(b)
            self._release(c, at)
            self.lines.append(f"{name}231sd {second}, %xmm{first}, %xmm{at}")
            return at
        if len(self.uses[b]) == 1 and b in self.register:
            a, b = b, a
        if len(self.uses[a]) == 1 and a in self.register and a not in (b, c):  # a = b a + c
            first = self.loaded(b, a)
            at, second = self.register[a], self.operand(c)
            self.use(b)
            self.use(c)
            self._release(a, at)
            self.lines.append(f"{name}213sd {second}, %xmm{first}, %xmm{at}")
            return at
        # Nobody can be overwritten: work on a copy of c.
        if a not in self.register:
            a, b = b, a
        first = self.loaded(a, b if b in self.register else c)
        second, third = self.operand(b), self.operand(c)
        self.use(a)
        self.use(b)
        self.use(c)
        # The copy must not fall on an operand that the instruction still reads.
        busy = {int(x[4:]) for x in (f"%xmm{first}", second) if x.startswith("%xmm")}
        kept = {r: self.until[r] for r in busy}
        for r in busy:
            self.until[r] = KEPT
        at = self.take()
        for r, until in kept.items():
            self.until[r] = until
        if third != f"%xmm{at}":
            self.lines.append(f"{'vmovapd' if third.startswith('%xmm') else 'vmovsd'} {third}, %xmm{at}")
        self.lines.append(f"{name}231sd {second}, %xmm{first}, %xmm{at}")
        return at

    def _release(self, row: int, at: int) -> None:
        """Last use of ``row``, whose register is about to take the result."""
        self.use(row)
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
                self.lines.append(f"vmovsd {self.memory(row)}, %xmm1")
                source, move = 1, "vmovsd"
            self.lines.append(f"{move} %xmm{source}, {8 * position}({self.pointer('out', output)})")


_FMADD, _FNMADD, _FMSUB = 100, 101, 102
_FUSED_NAMES = {_FMADD: "vfmadd", _FNMADD: "vfnmadd", _FMSUB: "vfmsub"}
