"""Kernels whose work is done in several threads of the operating system, without Python.

A kernel that divides its work starts threads with :func:`start_parts`, does the first part itself, and waits for the
others with :func:`join_parts`.  Each part is a call of one function ``f(run, part) -> int`` with memory of its own to
work in; parts tell each other how far they are by :func:`tell` and :func:`told`.  As long as no sum is shared between
parts, results are the same to the last bit, whatever their number.

Threads live as long as one kernel: starting one takes 10 to 25 microseconds, and nothing is left behind that a process
that forks, ends, or is interrupted would have to know.  They inherit the mode of the floating-point unit.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from dalembert.native.kernel import Entry, Ints, Pointer, Run, compiled, kind_of_run
from dalembert.native.legend import Legend

#: What a thread is told, words of a list; one such list per part.
JOB = Legend(
    "what a part of a kernel's work is told",
    TABLE="address of the table of the run",
    INTS="address of its whole numbers",
    REALS="address of its reals",
    PART="number of the part",
    STATUS="how it ended",
    THREAD="its thread, as the operating system names it",
    TOLD="how far it is, 0 at the beginning",
)
#: Routines of the operating system that stand in the table of a run, in this order.
ROUTINES = ("pthread_create", "pthread_join", "sched_yield")
ROUTINE = Legend(
    "routines of the operating system for threads",
    CREATE="starts a thread; 0 where there are none",
    JOIN="waits for its end",
    YIELD="lets others go first",
    PART="the function that each part is a call of",
)


class _ThreadCall(Pointer):
    """Stands in a module for an intrinsic of :mod:`dalembert.native.thread_calls`, which needs Numba."""

    module = "dalembert.native.thread_calls"


_describe = _ThreadCall("describe")
_start_thread = _ThreadCall("start_thread")
_join_thread = _ThreadCall("join_thread")
_give_way = _ThreadCall("give_way")
_publish = _ThreadCall("publish")
_observe = _ThreadCall("observe")


class PartKernel(Entry):
    """A compiled function ``f(run, part) -> int``, started by :func:`start_parts`."""


def part_kernel(function: Callable[[Any, int], int]) -> PartKernel:
    """Decorator for functions ``f(run, part) -> int``: what one thread does."""
    return PartKernel(function, _on_job)


def _on_job(function: Callable[[Run, int], int], jitted: Callable[..., Any]) -> tuple[Callable[..., Any], Any]:
    """The entry ``int64 f(int64 *job)``."""
    import numba
    from numba import types

    from dalembert.native.pointers import RunType
    from dalembert.native.thread_calls import run_of_job

    body, run_of = jitted(function), run_of_job(RunType(kind_of_run(function)))
    carray: Any = numba.carray  # type: ignore[attr-defined]
    size = JOB.end

    def start(job: Any) -> int:
        words = carray(job, (size,))
        words[JOB.STATUS] = body(run_of(words), words[JOB.PART])
        return 0

    return start, types.int64(types.CPointer(types.int64))


def thread_routines(part: PartKernel) -> list[int]:
    """What :data:`ROUTINE` lists for such parts; zeros where there are no threads of POSIX."""
    try:
        library = ctypes.CDLL(None)
    except (OSError, TypeError):  # no library of the process itself, as on Windows
        return [0] * ROUTINE.end
    if not all(hasattr(library, name) for name in ROUTINES):
        return [0] * ROUTINE.end
    found = [ctypes.cast(getattr(library, name), ctypes.c_void_p).value for name in ROUTINES]
    return [*(int(address or 0) for address in found), part.address]


@compiled
def start_parts(run: Any, routines: Ints, jobs: Ints, parts: int) -> int:
    """Start the parts from the second one on, and say how many parts there are now, this thread's included: fewer if
    the system has no more threads to give."""
    for part in range(parts):
        _describe(run, jobs, part * JOB.end)
        jobs[part * JOB.end + JOB.PART] = part
        jobs[part * JOB.end + JOB.STATUS] = 0
        jobs[part * JOB.end + JOB.TOLD] = 0
    if not routines[ROUTINE.CREATE]:
        return 1
    for part in range(1, parts):
        at = part * JOB.end
        if _start_thread(routines[ROUTINE.CREATE], routines[ROUTINE.PART], jobs, at, at + JOB.THREAD):
            return part
    return parts


@compiled
def join_parts(routines: Ints, jobs: Ints, parts: int) -> int:
    """Wait for all parts but the first; how the first of those that failed has ended, or 0."""
    status = 0
    for part in range(1, parts):
        _join_thread(routines[ROUTINE.JOIN], jobs[part * JOB.end + JOB.THREAD])
        if status == 0:
            status = jobs[part * JOB.end + JOB.STATUS]
    return status


@compiled
def tell(jobs: Ints, part: int, value: int) -> None:
    """Say how far a part is; all that it has written before is there for whoever learns of it."""
    _publish(jobs, part * JOB.end + JOB.TOLD, value)


@compiled
def told(routines: Ints, jobs: Ints, part: int) -> int:
    """What a part tells, as soon as it does."""
    value = _observe(jobs, part * JOB.end + JOB.TOLD)
    while value == 0:
        _give_way(routines[ROUTINE.YIELD])
        value = _observe(jobs, part * JOB.end + JOB.TOLD)
    return value
