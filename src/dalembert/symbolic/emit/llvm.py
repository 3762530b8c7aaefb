"""Scheduled programs printed as LLVM assembly.

The entry point has one form for all programs::

    int entry(int64 request, int64 changed, const double *const *in, double *const *out, double *work)

``request`` has a bit for each wanted output and ``changed`` is the number of the first input that is new since the last
call with this workspace (0 at the first call); a program that is not staged computes everything and looks at neither.
A second function, ``map``, loops over many points.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from dalembert.symbolic import operations as op
from dalembert.symbolic.compiler.kernels import INTERVAL, SINCOS_NEEDS, UNIFORM_INTERVAL, number, sincos
from dalembert.symbolic.compiler.program import WIDTH
from dalembert.symbolic.compiler.schedule import Chunk, Schedule
from dalembert.symbolic.emit.table_data import grouped, terms
from dalembert.symbolic.emit.x86 import Assembler, suits

_ARITHMETIC = {op.ADD: "fadd", op.SUB: "fsub", op.MUL: "fmul", op.DIV: "fdiv"}
_INTRINSICS = {op.SQRT: "llvm.sqrt", op.ABS: "llvm.fabs", op.FLOOR: "llvm.floor"}
_LIBRARY = {
    op.TAN: "tan", op.ASIN: "asin", op.ACOS: "acos", op.ATAN: "atan", op.SINH: "sinh", op.COSH: "cosh", op.TANH: "tanh",
    op.EXP: "exp", op.LOG: "log", op.POW: "pow", op.ATAN2: "atan2", op.HYPOT: "hypot", op.CBRT: "cbrt",
}  # fmt: skip
_COMPARISONS = {op.LT: "olt", op.LE: "ole", op.EQ: "oeq"}
VECTOR = f"<{WIDTH} x double>"


def emit(schedule: Schedule, fma: bool = False, x86_registers: int = 0) -> tuple[str, int]:
    """LLVM assembly of the whole program, and the size of the workspace it needs.

    With ``x86_registers`` (16 or 32) chunks of plain arithmetic are printed as x86-64 assembly (see emit_x86.py).
    """
    emitter = Emitter(schedule, fma, x86_registers)
    return emitter.text(), schedule.work_size + emitter.assembler.spill_slots


class Emitter:
    """Prints chunks, one value after the other; see emit_lanes.py for several points at once."""

    #: Types of a value and of a truth value, and the ending of LLVM's names of functions on such values.
    real, bit, suffix = "double", "i1", "f64"
    #: Loads and stores need no more than the alignment of a double.
    aligned = ""
    #: Results are stored as soon as they are there; not where they may take the place of inputs.
    early_stores = True
    #: What is read does not change while a chunk runs.
    invariant = ", !invariant.load !0"

    def __init__(self, schedule: Schedule, fma: bool, x86_registers: int) -> None:
        self.schedule = schedule
        self.assembler = Assembler(schedule, fma, x86_registers)
        self.x86 = x86_registers > 0
        self.program = schedule.program
        self.nodes = schedule.program.nodes
        self.fma = fma
        self.flags = "contract " if fma else ""
        self.lines: list[str] = []
        self.temporary = 0
        self.groups = grouped(self.program.tables, {node[3] for node in self.nodes if node[0] == op.PIECE})
        self.pieces: set[tuple[int, int]] = set()
        #: rows of tables that were found in a chunk, and places in them
        self.found_rows: dict[tuple[int, str, str], tuple[str, str]] = {}
        self.borders: set[int] = set()
        self.library: set[str] = set()

    def text(self) -> str:
        calls: dict[int, str] = {}
        for position, chunk in enumerate(self.schedule.chunks):
            name = f"chunk{position}"
            if self.x86 and suits(self.schedule, chunk):
                self.assembler.chunk(name, chunk)
                self.lines.append(f"declare void @{name}(ptr, ptr, ptr)")
                calls[id(chunk)] = f"call void @{name}(ptr %in, ptr %out, ptr %work)"
            else:
                calls[id(chunk)] = self._chunk(f"@{name}", chunk)
        self._entry(calls)
        self._map()
        self._support()
        assembly = [f'module asm "{line}"' for line in self.assembler.text()] if self.assembler.lines else []
        return "\n".join(assembly + self.lines)

    # ------------------------------------------------------------------ chunks

    def _chunk(self, name: str, chunk: Chunk) -> str:
        """Print a chunk as a function of the arrays it touches; returns the call."""
        inputs, outputs = self._touched(chunk)
        pointers = [f"%in{i}" for i in inputs] + [f"%out{k}" for k in outputs] + ["%work"]
        signature = ", ".join(f"ptr noalias {p}" for p in pointers)
        self.lines.append(f"define internal void {name}({signature}) {{")
        self._body(chunk)
        self.lines.append("  ret void\n}")
        return f"call void {name}({', '.join(f'ptr {p}' for p in pointers)})"

    def _touched(self, chunk: Chunk) -> tuple[list[int], list[int]]:
        inputs: set[int] = set()
        read: list[Iterable[int]] = [op.atom_arguments(self.nodes[row]) for row in chunk.rows]
        read += [chunk.angles, [row for _, _, row in chunk.stores]]
        for rows in read:
            for a in rows:
                node = self.nodes[a]
                if node[0] == op.SYMBOL:
                    inputs.add(node[1])
        return sorted(inputs), sorted({k for k, _, _ in chunk.stores})

    def _body(self, chunk: Chunk) -> None:
        nodes, slots, lines = self.nodes, self.schedule.slots, self.lines
        inside = set(chunk.rows)
        self.found_rows.clear()
        values: dict[int, str] = {}

        def read(row: int) -> str:
            value = values.get(row)
            if value is None:
                node = nodes[row]
                if node[0] == op.CONSTANT:
                    value = self._number(node[1])
                else:
                    base, at = (f"%in{node[1]}", node[2]) if node[0] == op.SYMBOL else ("%work", slots[row])
                    value = f"%a{row}"
                    constant = "" if row in inside else self.invariant  # sines of this chunk are written here
                    place = self._address(base, at)
                    lines.append(f"  {value} = load {self.real}, ptr {place}{self.aligned}{constant}")
                values[row] = value
            return value

        stores: dict[int, list[tuple[int, int]]] = {}
        late: list[tuple[int, int, int]] = []
        for output, position, row in chunk.stores:
            if self.early_stores and row in inside and nodes[row][0] not in (op.SIN, op.COS):
                stores.setdefault(row, []).append((output, position))
            else:
                late.append((output, position, row))

        for row in chunk.rows:
            node = nodes[row]
            code = node[0]
            name = f"%a{row}"
            if code in _ARITHMETIC:
                a, b = read(node[1]), read(node[2])
                lines.append(f"  {name} = {_ARITHMETIC[code]} {self.flags}{self.real} {a}, {b}")
            elif code == op.SIN or code == op.COS:
                continue  # the kernel fills their slots
            else:
                self._function(name, node, [read(a) for a in op.atom_arguments(node)])
            values[row] = name
            if row in slots:
                self._store(name, "%work", slots[row])
            for output, position in stores.get(row, ()):
                self._store(name, f"%out{output}", position)

        self._sines(chunk, [read(a) for a in chunk.angles])
        self._late_stores(late, read)

    def _sines(self, chunk: Chunk, angles: list[str]) -> None:
        """The sines of up to WIDTH angles go to the area of the chunk, cosines behind, then the next ones."""
        for start in range(0, len(angles), WIDTH):
            x = "zeroinitializer"
            for lane, angle in enumerate(angles[start : start + WIDTH]):
                x = self._temporary(f"insertelement {VECTOR} {x}, double {angle}, i64 {lane}")
            for part, value in enumerate(self._sincos(x)):
                at = self._address("%work", chunk.area + 2 * start + part * WIDTH)
                self.lines.append(f"  store {VECTOR} {value}, ptr {at}, align 8")

    def _sincos(self, x: str) -> tuple[str, str]:
        """Sines and cosines of a vector of angles."""
        pair = self._temporary(f"call fastcc {{{VECTOR}, {VECTOR}}} @sincos({VECTOR} {x})")
        sine, cosine = (self._temporary(f"extractvalue {{{VECTOR}, {VECTOR}}} {pair}, {part}") for part in (0, 1))
        return sine, cosine

    def _late_stores(self, late: list[tuple[int, int, int]], read: Callable[[int], str]) -> None:
        """Copies of inputs, numbers and workspace values; runs of zeros are written as vectors."""
        late.sort()
        i = 0
        while i < len(late):
            output, position, row = late[i]
            run = 0
            while (
                i + run < len(late)
                and late[i + run][:2] == (output, position + run)
                and self.nodes[late[i + run][2]] == (op.CONSTANT, 0.0)
                and run < 4
            ):
                run += 1
            if run == 4:
                at = self._address(f"%out{output}", position)
                self.lines.append(f"  store <4 x double> zeroinitializer, ptr {at}, align 8")
                i += 4
            else:
                self._store(read(row), f"%out{output}", position)
                i += 1

    def _function(self, name: str, node: tuple, args: list[str]) -> None:
        code = node[0]
        line, real, bit = self.lines.append, self.real, self.bit
        zero, one = self._number(0.0), self._number(1.0)
        if code == op.NEG:
            line(f"  {name} = fneg {real} {args[0]}")
        elif code in _INTRINSICS:
            self.library.add(f"declare {real} @{_INTRINSICS[code]}.{self.suffix}({real})")
            line(f"  {name} = call {real} @{_INTRINSICS[code]}.{self.suffix}({real} {args[0]})")
        elif code in _LIBRARY:
            types = ", ".join(["double"] * len(args))
            self.library.add(f"declare double @{_LIBRARY[code]}({types})")
            line(f"  {name} = {self._call(_LIBRARY[code], args)}")
        elif code in _COMPARISONS:
            test = self._temporary(f"fcmp {_COMPARISONS[code]} {real} {args[0]}, {args[1]}")
            line(f"  {name} = select {bit} {test}, {real} {one}, {real} {zero}")
        elif code == op.WHERE:
            test = self._temporary(f"fcmp une {real} {args[0]}, {zero}")
            line(f"  {name} = select {bit} {test}, {real} {args[1]}, {real} {args[2]}")
        elif code == op.MIN or code == op.MAX:
            first = self._temporary(f"fcmp {'olt' if code == op.MIN else 'ogt'} {real} {args[0]}, {args[1]}")
            nan = self._temporary(f"fcmp uno {real} {args[0]}, {args[0]}")
            either = self._temporary(f"or {bit} {first}, {nan}")
            line(f"  {name} = select {bit} {either}, {real} {args[0]}, {real} {args[1]}")
        elif code == op.SIGN:
            above = self._temporary(f"fcmp ogt {real} {args[0]}, {zero}")
            below = self._temporary(f"fcmp olt {real} {args[0]}, {zero}")
            rest = self._temporary(f"select {bit} {below}, {real} {self._number(-1.0)}, {real} {args[0]}")
            line(f"  {name} = select {bit} {above}, {real} {one}, {real} {rest}")
        elif code == op.INTERVAL:
            table = node[2]
            self.borders.add(table)
            data = self.program.tables[table]
            before = f"ptr @borders{table}, i64 {len(data.borders)}"
            if data.spacing:
                before += f", double {number(float(data.borders[0]))}, double {number(1.0 / data.spacing)}"
            line(f"  {name} = {self._call('uniform' if data.spacing else 'interval', args, before)}")
        elif code == op.PIECE:
            self._piece_value(name, node[3], node[4], args)
        else:
            raise AssertionError(f"no code for operation {code}")

    def _number(self, value: float) -> str:
        return number(value)

    def _call(self, name: str, args: list[str], before: str = "") -> str:
        """Call of a function of doubles."""
        return f"call double @{name}({', '.join([before] * bool(before) + [f'double {a}' for a in args])})"

    def _temporary(self, text: str) -> str:
        self.temporary += 1
        self.lines.append(f"  %t{self.temporary} = {text}")
        return f"%t{self.temporary}"

    def _address(self, base: str, position: int) -> str:
        return self._temporary(f"getelementptr double, ptr {base}, i64 {position}")

    def _store(self, value: str, base: str, position: int) -> None:
        self.lines.append(f"  store {self.real} {value}, ptr {self._address(base, position)}{self.aligned}")

    # ------------------------------------------------------------- entry points

    def _entry(self, calls: dict[int, str]) -> None:
        line = self.lines.append
        line("define i32 @entry(i64 %request, i64 %changed, ptr noalias %in, ptr noalias %out, ptr noalias %work) {")
        self._pointers()
        if not self.program.staged:
            (block,) = self.schedule.blocks
            for chunk in block.chunks:
                line("  " + calls[id(chunk)])
        else:
            self._blocks(calls)
        line("  ret i32 0\n}")

    def _pointers(self) -> None:
        """Load the addresses of inputs and outputs."""
        line = self.lines.append
        for prefix, array, count in (
            ("in", "%in", len(self.program.inputs)),
            ("out", "%out", len(self.program.outputs)),
        ):
            for i in range(count):
                line(f"  %q{prefix}{i} = getelementptr ptr, ptr {array}, i64 {i}")
                line(f"  %{prefix}{i} = load ptr, ptr %q{prefix}{i}")

    def _blocks(self, calls: dict[int, str]) -> None:
        """Calls of the chunks that are needed and not valid any more, then copies of what is asked for."""
        line = self.lines.append
        for number_, block in enumerate(self.schedule.blocks):
            flag = self._temporary(f"getelementptr i64, ptr %work, i64 {number_}")
            stale = self._temporary(f"icmp sge i64 {block.stage}, %changed")
            kept = self._temporary(f"select i1 {stale}, i64 0, i64 {self._temporary(f'load i64, ptr {flag}')}")
            line(f"  store i64 {kept}, ptr {flag}")
            wanted = self._temporary(f"icmp ne i64 {self._temporary(f'and i64 %request, {block.users}')}, 0")
            invalid = self._temporary(f"icmp eq i64 {kept}, 0")
            run = self._temporary(f"and i1 {wanted}, {invalid}")
            line(f"  br i1 {run}, label %run{number_}, label %next{number_}\nrun{number_}:")
            for chunk in block.chunks:
                line("  " + calls[id(chunk)])
            line(f"  store i64 1, ptr {flag}\n  br label %next{number_}\nnext{number_}:")
        for k, parts in enumerate(self.schedule.copies):
            wanted = self._temporary(f"icmp ne i64 {self._temporary(f'and i64 %request, {1 << k}')}, 0")
            line(f"  br i1 {wanted}, label %copy{k}, label %end{k}\ncopy{k}:")
            for chunk in parts:
                line(f"  {calls[id(chunk)]}")
            line(f"  br label %end{k}\nend{k}:")

    def _map(self) -> None:
        """``map(n, request, moving, in, in_strides, out, out_strides, work)``; strides count doubles per point."""
        n_in, n_out = len(self.program.inputs), len(self.program.outputs)
        line = self.lines.append
        line(
            "define i32 @map(i64 %n, i64 %request, i64 %moving, ptr %in, ptr %in_strides, ptr %out, ptr %out_strides, "
            "ptr noalias %work) {\nentry:"
        )
        line(f"  %here = alloca [{max(n_in, 1)} x ptr]\n  %there = alloca [{max(n_out, 1)} x ptr]")
        line("  %none = icmp sle i64 %n, 0\n  br i1 %none, label %end, label %loop\nloop:")
        line("  %i = phi i64 [0, %entry], [%i1, %loop]\n  %changed = phi i64 [0, %entry], [%moving, %loop]")
        for array, strides, target, count in (
            ("%in", "%in_strides", "%here", n_in),
            ("%out", "%out_strides", "%there", n_out),
        ):
            for k in range(count):
                base = self._temporary(f"load ptr, ptr {self._temporary(f'getelementptr ptr, ptr {array}, i64 {k}')}")
                stride = self._temporary(
                    f"load i64, ptr {self._temporary(f'getelementptr i64, ptr {strides}, i64 {k}')}"
                )
                offset = self._temporary(f"mul i64 %i, {stride}")
                pointer = self._temporary(f"getelementptr double, ptr {base}, i64 {offset}")
                place = self._temporary(f"getelementptr ptr, ptr {target}, i64 {k}")
                line(f"  store ptr {pointer}, ptr {place}")
        line("  %status = call i32 @entry(i64 %request, i64 %changed, ptr %here, ptr %there, ptr %work)")
        line("  %i1 = add i64 %i, 1\n  %more = icmp slt i64 %i1, %n\n  br i1 %more, label %loop, label %end")
        line("end:\n  ret i32 0\n}")

    def _support(self) -> None:
        """Kernels, tables and declarations that the chunks turned out to need."""
        line = self.lines.append
        line("!0 = !{}")
        if any(chunk.angles for block in self.schedule.blocks for chunk in block.chunks):
            line(sincos(self.fma))
            self.library |= set(SINCOS_NEEDS)
        for declaration in sorted(self.library):
            line(declaration)
        tables = self.program.tables
        for kernel, uniform in ((INTERVAL, False), (UNIFORM_INTERVAL, True)):
            if any(bool(tables[table].spacing) == uniform for table in self.borders):
                line(kernel)
        for table in sorted(self.borders):
            borders = tables[table].borders.tolist()
            # Beyond the ends NaN, with which all comparisons fail.
            line(_array(f"@borders{table}", [math.nan, *borders, math.nan] if tables[table].spacing else borders))
        for position, group in enumerate(self.groups):
            line(_array(f"@data{position}", group.values))
        self._piece_functions()

    def _piece_functions(self) -> None:
        """Functions of tables, where they are not printed in their places."""

    def _piece_value(self, name: str, table: int, order: int, args: list[str]) -> None:
        """Polynomial of one table and derivative; all that are read at one place have its row in common."""
        position = next(k for k, group in enumerate(self.groups) if table in group.tables)
        found = self.found_rows.get((position, *args))  # type: ignore[arg-type]
        if found is None:
            found = self.found_rows[position, args[0], args[1]] = self._table_row(position, *args)
        self._polynomial(name, position, table, order, *found)

    def _table_row(self, position: int, k: str, x: str) -> tuple[str, str]:
        """The row of an interval (table_data.py), and how far behind its start a place is."""
        width = self.groups[position].width
        start = self._temporary(f"mul i64 {self._temporary(f'fptosi double {k} to i64')}, {width}")
        row = self._temporary(f"getelementptr double, ptr @data{position}, i64 {start}")
        begin = self._temporary(f"load double, ptr {row}{self.invariant}")
        return row, self._temporary(f"fsub double {x}, {begin}")

    def _polynomial(self, name: str, position: int, table: int, order: int, row: str, u: str) -> None:
        """Horner's scheme on a row."""
        group = self.groups[position]

        def load(place: int) -> str:
            at = self._temporary(f"getelementptr double, ptr {row}, i64 {place}")
            return self._temporary(f"load double, ptr {at}{self.invariant}")

        total = ""
        for place, factor in terms(self.program.tables[table], group.places[group.tables.index(table)], order):
            c = load(place) if place else number(0.0)
            if place and factor != 1.0:
                c = self._temporary(f"fmul double {c}, {number(factor)}")
            if total:
                product = self._temporary(f"fmul {self.flags}double {total}, {u}")
                c = self._temporary(f"fadd {self.flags}double {product}, {c}")
            total = c
        self.lines.append(f"  {name} = fadd double {total}, {number(-0.0)}")


def _array(name: str, values: list[float]) -> str:
    items = ", ".join(f"double {number(float(v))}" for v in values)
    return f"{name} = internal constant [{len(values)} x double] [{items}]"
