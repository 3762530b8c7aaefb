"""The journal of a run: what it costs, and how fast it is read.

Runs of more than a second of the seven-body mechanism, with and without a journal by turns: with dop853, whose dense
output is as much data as a run can leave in a second, and with radau. The cost is the part of the time of the run by
which one with a journal is longer; storing the result is not counted, as every stored run needs it. Where other
programs run beside it that difference says little: what the journal itself does is counted too, in both threads, in
seconds of the processor. A journal of one gigabyte is made of the records of a run, and read up to its last record.
"""

from __future__ import annotations

import ctypes
import os
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

import dalembert as da
from _common import Reporter, parser
from dalembert.integrate.run.journalling import JournalWriter
from dalembert.solution.journal import read_journal
from dalembert.solution.journal_records import HEAD, MARK, STEP, packed

GIGABYTE = 1e9
#: Time of the clock, of the thread that computes, of both threads.
CLOCKS = (time.perf_counter, time.thread_time, time.process_time)
#: Part of a run that its journal may take, and seconds in which a gigabyte is read.
COST, READ = 0.01, 3.0
#: Length of the runs, at least, in seconds of the clock.
SECONDS = 1.0


def keep_memory() -> None:
    """Let the process keep what it frees: whether a run gets new pages or old ones, 5 000 to 120 000 faults, makes more
    of a difference than its journal."""
    with suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        libc.mallopt(-4, 0)  # M_MMAP_MAX
        libc.mallopt(-1, 2**31 - 1)  # M_TRIM_THRESHOLD


class Kept(JournalWriter):
    """A journal that is not finished, so that only the run is measured, and that counts what it does itself: seconds
    of the processor in the thread of the run, and in its own; bytes."""

    counted: ClassVar[Counter[str]] = Counter()

    def note(self, course: Any) -> None:
        began = time.thread_time()
        super().note(course)
        self.counted["run"] += time.thread_time() - began  # type: ignore[assignment]

    def _write_portion(self, *given: Any) -> None:
        began = time.thread_time()
        super()._write_portion(*given)
        self.counted["writer"] += time.thread_time() - began  # type: ignore[assignment]

    def store(self, solution: Any) -> None:
        self.close()


def seven_body(method: str, end: float) -> tuple[Any, ...]:
    """Equations, span, start and options of a run."""
    problem = da.problems.seven_body()
    return problem.equations, (0.0, end), (problem.q0, problem.v0), {"method": method, "rtol": 1e-8, "atol": 1e-10}


def measured(case: tuple[Any, ...], folder: Path, rounds: int) -> tuple[list[Any], list[Any], list[Any], int]:
    """Seconds of runs without and with a journal, by turns, of the clock, of the thread that computes and of the whole
    process; those that the journal itself needs in both threads; and its bytes."""
    import dalembert.integrate.run.earlier as earlier

    equations, span, start, options = case
    plain, journalled, works, size = [], [], [], 0
    da.simulate(equations, (span[0], 0.01 * span[1]), start, **options)
    while True:
        began = time.perf_counter()
        da.simulate(equations, span, start, **options)
        if time.perf_counter() - began >= SECONDS:
            break
        span = (span[0], 1.5 * span[1])
    usual, earlier.JournalWriter = earlier.JournalWriter, Kept  # type: ignore[misc]
    try:
        for _ in range(rounds):
            for times, journal in ((plain, None), (journalled, da.Journal(folder / "run.nc", replace=True))):
                Kept.counted.clear()
                began = [clock() for clock in CLOCKS]
                run = da.simulate(equations, span, start, journal=journal, **options)
                times.append([clock() - first for clock, first in zip(CLOCKS, began, strict=True)])
                assert run.success
                del run  # so that the next one finds its memory
            works.append([Kept.counted["run"], Kept.counted["writer"]])
            size = (folder / "run.nc.journal").stat().st_size
    finally:
        earlier.JournalWriter = usual  # type: ignore[misc]
    return plain, journalled, works, size


def large(source: Path, target: Path) -> int:
    """A journal of a gigabyte: the steps of another one again and again, with a mark behind each."""
    content, size, number = read_journal(source), 0, 0
    with target.open("wb") as file:

        def put(kind: bytes, header: Any, arrays: Any) -> None:
            nonlocal size, number
            size += file.write(packed(kind, number, header, arrays))
            number += 1

        put(HEAD, *content.head)
        shift, (header, arrays) = 0.0, content.steps[-1]
        assert content.mark is not None
        while size < GIGABYTE:
            later = {**arrays, "times": arrays["times"] + shift}
            shift = later["times"][-1] - arrays["times"][0] + 1e-9
            put(STEP, header, later)
            put(MARK, *content.mark)
    return size


def main() -> None:
    """Both runs, and the gigabyte."""
    arguments = parser(__doc__).parse_args()
    rounds = 1 if arguments.quick else 5
    keep_memory()
    with tempfile.TemporaryDirectory() as name, Reporter(json=arguments.json, title="Journal") as output:
        folder = Path(name)
        usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        output.add(case="processors", quantity="that the threads share", unit="1", ours=float(usable))
        for method, end in (("dop853", 0.5), ("radau", 0.3)):
            case = f"seven-body mechanism, {method}"
            plain, journalled, works, size = measured(seven_body(method, end), folder, rounds)
            ours, theirs = (np.min(times, axis=0) for times in (journalled, plain))
            cost = (ours / theirs - 1.0).tolist()
            output.add(case=case, quantity="run without a journal", unit="s", ours=float(theirs[0]))
            output.add(case=case, quantity="journal", unit="MB", ours=size / 1e6)
            output.add(case=case, quantity="cost of the journal", unit="1", ours=cost[0], limit=COST, bound="at most")
            output.add(case=case, quantity="the same in time of the run's thread", unit="1", ours=cost[1])
            output.add(case=case, quantity="the same in time of both threads", unit="1", ours=cost[2])
            by_run, by_writer = (np.min(works, axis=0) / theirs[1]).tolist()
            output.add(case=case, quantity="work of the journal in the run's thread", unit="1", ours=by_run)
            output.add(case=case, quantity="work of the journal in its own thread", unit="1", ours=by_writer)
            if method == "dop853" and not arguments.quick:
                (folder / "run.nc.journal").rename(folder / "small.nc.journal")
        if not arguments.quick:
            size = large(folder / "small.nc.journal", folder / "large.nc.journal")
            began = time.perf_counter()
            found = read_journal(folder / "large.nc.journal")
            output.add(
                case=f"journal of {size / 1e9:.1f} GB", quantity="read to its last record", unit="s",
                ours=time.perf_counter() - began, limit=READ, bound="at most",
            )  # fmt: skip
            assert found.marked_end == size


if __name__ == "__main__":
    main()
