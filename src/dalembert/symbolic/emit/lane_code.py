"""Scheduled programs printed for many points at once: every value is a vector over LANES points.

The entry point has one form for all programs::

    int lanes(int64 groups, int64 request, int64 changed, const double *const *in, double *const *out, double *work)

Points stand in groups of LANES; inside a group each entry of an input or output is LANES doubles, one per point.  A
block is computed for all points before the next one, so that staging costs nothing per point, and the sine kernel
always has full vectors.
"""

from __future__ import annotations

from collections.abc import Callable

from dalembert.symbolic.compiler.kernels import number
from dalembert.symbolic.compiler.lanes import LANES
from dalembert.symbolic.compiler.program import WIDTH
from dalembert.symbolic.compiler.schedule import Chunk, Schedule
from dalembert.symbolic.emit.llvm import VECTOR, Emitter


def emit(schedule: Schedule, fma: bool = False) -> tuple[str, int]:
    """LLVM assembly of a staged program, and the doubles of workspace that each group needs, besides one flag per
    block."""
    return _Lanes(schedule, fma, 0).text(), LANES * (schedule.work_size - len(schedule.blocks))


class _Lanes(Emitter):
    real, bit, suffix, aligned = VECTOR, f"<{LANES} x i1>", f"v{LANES}f64", ", align 8"

    def text(self) -> str:
        calls = {id(chunk): self._chunk(f"@chunk{k}", chunk) for k, chunk in enumerate(self.schedule.chunks)}
        line = self.lines.append
        line(
            "define i32 @lanes(i64 %groups, i64 %request, i64 %changed, ptr noalias %in, ptr noalias %out, "
            "ptr noalias %work) {"
        )
        self._pointers()
        line(f"  %values = getelementptr double, ptr %work, i64 {len(self.schedule.blocks)}")
        self._blocks(calls)
        line("  ret i32 0\n}")
        self._support()
        return "\n".join(self.lines)

    def _chunk(self, name: str, chunk: Chunk) -> str:
        """Print a chunk as a loop over the groups; returns the call."""
        inputs, outputs = self._touched(chunk)
        work_width = self.schedule.work_size - len(self.schedule.blocks)
        arrays = [(f"%in{i}", self.program.inputs[i].size) for i in inputs]
        arrays += [(f"%out{k}", self.program.outputs[k].size) for k in outputs]
        arrays.append(("%work", work_width))
        line = self.lines.append
        line(f"define internal void {name}(i64 %groups{''.join(f', ptr noalias {p}_all' for p, _ in arrays)}) {{")
        line("entry:\n  br label %loop\nloop:\n  %i = phi i64 [0, %entry], [%i1, %loop]")
        for pointer, width in arrays:
            start = self._temporary(f"mul i64 %i, {width}")
            line(f"  {pointer} = getelementptr {VECTOR}, ptr {pointer}_all, i64 {start}")
        self._body(chunk)
        line("  %i1 = add i64 %i, 1\n  %more = icmp slt i64 %i1, %groups\n  br i1 %more, label %loop, label %end")
        line("end:\n  ret void\n}")
        passed = "".join(f", ptr {'%values' if pointer == '%work' else pointer}" for pointer, _ in arrays)
        return f"call void {name}(i64 %groups{passed})"

    def _sines(self, chunk: Chunk, angles: list[str]) -> None:
        for i, angle in enumerate(angles):
            at = chunk.area + 2 * WIDTH * (i // WIDTH) + i % WIDTH
            for part, value in enumerate(self._sincos(angle)):
                self._store(value, "%work", at + part * WIDTH)

    def _late_stores(self, late: list[tuple[int, int, int]], read: Callable[[int], str]) -> None:
        for output, position, row in late:
            self._store(read(row), f"%out{output}", position)

    def _number(self, value: float) -> str:
        return "<" + ", ".join([f"double {number(value)}"] * LANES) + ">"

    def _call(self, name: str, args: list[str], before: str = "") -> str:
        """A function of doubles is called for each lane."""
        result = "zeroinitializer"
        for lane in range(LANES):
            own = [self._temporary(f"extractelement {VECTOR} {a}, i64 {lane}") for a in args]
            value = self._temporary(super()._call(name, own, before))
            text = f"insertelement {VECTOR} {result}, double {value}, i64 {lane}"
            if lane < LANES - 1:
                result = self._temporary(text)
        return text

    def _piece_value(self, name: str, table: int, order: int, args: list[str]) -> None:
        self.pieces.add((table, order))
        self.lines.append(f"  {name} = {self._call(f'piece{table}_{order}', args)}")

    def _piece_functions(self) -> None:
        for table, order in sorted(self.pieces):
            position = next(k for k, group in enumerate(self.groups) if table in group.tables)
            self.lines.append(f"define internal double @piece{table}_{order}(double %k, double %x) noinline {{")
            self._polynomial("%value", position, table, order, *self._table_row(position, "%k", "%x"))
            self.lines.append("  ret double %value\n}")

    def _address(self, base: str, position: int) -> str:
        # Flags stand before all groups, not in each of them.
        position -= len(self.schedule.blocks) if base == "%work" else 0
        return self._temporary(f"getelementptr {VECTOR}, ptr {base}, i64 {position}")
