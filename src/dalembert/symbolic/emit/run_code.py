"""Scheduled programs printed as a loop whose points read and write anywhere in a few arrays.

The entry point is::

    int run(int64 count, const int64 *offsets, double *array0, …)

Each input and output is a stretch of one of the arrays; ``offsets`` holds, point by point, where the stretches start.
Points are computed one after the other, and each may read what the one before has written: recursions along a
mechanism.  A point reads all its inputs before it writes, so that results may take their place.  Where all that is
written lies apart from all that is read, results are stored as soon as they are there, which saves keeping them (8 % of
a program with 500 results).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dalembert.symbolic.compiler.schedule import Schedule
from dalembert.symbolic.emit.llvm import Emitter


def emit(schedule: Schedule, homes: Sequence[int], fma: bool = False, apart: bool = False) -> str:
    """LLVM assembly; ``homes`` are the numbers of the arrays that hold the inputs, then the outputs."""
    return (_RunsApart if apart else _Runs)(schedule, fma, homes).text()


class _Runs(Emitter):
    invariant = ""  # what is read may have been written by the point before
    early_stores = False

    def __init__(self, schedule: Schedule, fma: bool, homes: Sequence[int]) -> None:
        super().__init__(schedule, fma, 0)
        self.homes = homes

    def text(self) -> str:
        (block,) = self.schedule.blocks
        (chunk,) = block.chunks
        names = [f"%in{i}" for i in range(len(self.program.inputs))]
        names += [f"%out{k}" for k in range(len(self.program.outputs))]
        arrays = "".join(f", ptr %array{k}" for k in range(max(self.homes) + 1))
        line = self.lines.append
        line(f"define i32 @run(i64 %count, ptr noalias %offsets{arrays}) {{\nentry:")
        line("  %none = icmp sle i64 %count, 0\n  br i1 %none, label %end, label %loop\nloop:")
        line("  %i = phi i64 [0, %entry], [%i1, %loop]")
        row = self._temporary(f"mul i64 %i, {len(names)}")
        here = self._temporary(f"getelementptr i64, ptr %offsets, i64 {row}")
        for k, (name, home) in enumerate(zip(names, self.homes, strict=True)):
            place = self._temporary(f"getelementptr i64, ptr {here}, i64 {k}")
            offset = self._temporary(f"load i64, ptr {place}, !invariant.load !0")
            line(f"  {name} = getelementptr double, ptr %array{home}, i64 {offset}")
        self._body(chunk)
        line("  %i1 = add i64 %i, 1\n  %more = icmp slt i64 %i1, %count\n  br i1 %more, label %loop, label %end")
        line("end:\n  ret i32 0\n}")
        self._support()
        return "\n".join(self.lines)

    def _late_stores(self, late: list[tuple[int, int, int]], read: Callable[[int], str]) -> None:
        values = [read(row) for _, _, row in late]
        for (output, position, _), value in zip(late, values, strict=True):
            self._store(value, f"%out{output}", position)


class _RunsApart(_Runs):
    """No result takes the place of an input, of any point."""

    invariant = Emitter.invariant
    early_stores = True
