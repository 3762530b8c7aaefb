"""Pace of a run against the clock: no step is begun before its instant has come.

The step that leads to t shall be done when (t − t₀)/speed seconds have passed since the run began.  One that is done
earlier waits, asleep; one that is done later is an overrun, and those after it catch up.  Nothing that is computed
depends on the clock.
"""

from __future__ import annotations

import ctypes
from typing import Any

from dalembert.errors import SimulationError
from dalembert.integrate.frame.memory import Memory
from dalembert.native.kernel import Ints, call_clock, call_sleep, compiled

#: Bins of the histogram of step times: so many for each factor 2, the first from so many seconds on.
BINS_PER_OCTAVE, OCTAVES, FIRST_BIN = 8, 24, 1.25e-7
_NANO = 1_000_000_000
_GROWTH = 2.0 ** (1.0 / BINS_PER_OCTAVE)


@compiled
def _seconds_since(base: Ints, now: Ints) -> float:
    return (now[0] - base[0]) + 1e-9 * (now[1] - base[1])


@compiled
def begin_pace(run: Memory) -> None:
    """The run begins now, unless it has."""
    if run.pace_begun:
        return
    call_clock(run.clock_gettime, run.pace_base)
    for k in range(2):
        run.pace_last[k] = run.pace_base[k]
    run.pace_t, run.pace_begun = run.t_now, 1


@compiled
def _count(run: Memory, time: float) -> None:
    """Note how long a step has taken."""
    run.step_time_worst = max(run.step_time_worst, time)
    place, limit = 0, FIRST_BIN
    while time >= limit and place < run.step_times.size - 1:
        limit *= _GROWTH
        place += 1
    run.step_times[place] += 1


@compiled
def keep_pace(run: Memory) -> None:
    """After a step: count its time, and sleep until its end has come."""
    now, base = run.pace_now, run.pace_base
    call_clock(run.clock_gettime, now)
    _count(run, _seconds_since(run.pace_last, now))
    due = abs(run.t_now - run.pace_t) / run.pace
    late = _seconds_since(base, now) - due
    if late > 0.0:
        run.overruns += 1
        run.late_worst = max(run.late_worst, late)
    else:
        whole = int(due)
        until = run.pace_until
        until[0] = base[0] + whole
        until[1] = base[1] + int(1e9 * (due - whole))
        if until[1] >= _NANO:
            until[0] += 1
            until[1] -= _NANO
        while call_sleep(run.clock_nanosleep, until):  # a signal has woken it
            pass
        call_clock(run.clock_gettime, now)
    for k in range(2):
        run.pace_last[k] = now[k]


def clock_addresses() -> dict[str, int]:
    """Addresses of the functions of the system, by their slots."""
    library: Any = ctypes.CDLL(None)
    found = {}
    for name in ("clock_gettime", "clock_nanosleep"):
        if not hasattr(library, name):
            raise SimulationError(f"realtime needs {name}, which this system does not have; leave realtime away")
        found[name] = int(ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0)
    return found


def time_below(counts: Any, part: float) -> float:
    """Seconds that this part of all steps have stayed below, from their histogram: the upper end of a bin."""
    total, seen = int(counts.sum()), 0
    for place, count in enumerate(counts):
        seen += int(count)
        if seen >= part * total:
            return FIRST_BIN * _GROWTH**place
    return 0.0
