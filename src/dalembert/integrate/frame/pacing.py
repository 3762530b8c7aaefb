"""Pace of a run against the clock: no step is begun before its instant has come.

The step that leads to t shall be done when (t − t₀)/speed seconds have passed since the run began.  One that is done
earlier waits, asleep; one that is done later is an overrun, and those after it catch up.  Python has its word between
slices while the run waits.  Nothing that is computed depends on the clock.
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
    """The first step begins now, unless it has."""
    if run.pace_begun:
        return
    call_clock(run.clock_gettime, run.pace_base)
    for k in range(2):
        run.pace_last[k] = run.pace_base[k]
    run.pace_t, run.pace_begun, run.pace_ahead = run.t_now, 1, 0


@compiled
def _count(run: Memory, time: float) -> None:
    """Note how long a step has taken."""
    run.step_time_worst = max(run.step_time_worst, time)
    place, limit = 0, FIRST_BIN
    for _ in range(run.step_times.size - 1):
        if time < limit:
            break
        limit *= _GROWTH
        place += 1
    run.step_times[place] += 1


@compiled
def count_step(run: Memory) -> None:
    """After a step: how long it has taken, and when its end is to come."""
    now, base, until = run.pace_now, run.pace_base, run.pace_until
    call_clock(run.clock_gettime, now)
    _count(run, _seconds_since(run.pace_last, now))
    due = abs(run.t_now - run.pace_t) / run.pace
    whole = int(due)
    until[0] = base[0] + whole
    until[1] = base[1] + int(1e9 * (due - whole))
    if until[1] >= _NANO:
        until[0] += 1
        until[1] -= _NANO
    late = _seconds_since(until, now)
    run.pace_ahead = 1 if late < 0.0 else 0
    if late > 0.0:
        run.overruns += 1
        run.late_worst = max(run.late_worst, late)
    for k in range(2):
        run.pace_last[k] = now[k]


@compiled
def await_end(run: Memory) -> bool:
    """Before the next step, or where a run stands still: sleep until the end of the last one has come. False if a
    signal has woken it before, which Python answers; the wait goes on in the next slice.

    What Python does between slices falls into this time.  What is left of it when that has come, or all of it where a
    step was late, counts in the next one.
    """
    if not run.pace_ahead:
        return True
    now, until, last = run.pace_now, run.pace_until, run.pace_last
    call_clock(run.clock_gettime, now)
    early = _seconds_since(now, until) > 0.0
    if early:
        if call_sleep(run.clock_nanosleep, until):
            return False
        call_clock(run.clock_gettime, now)
    run.pace_ahead = 0
    for k in range(2):
        last[k] = now[k] if early else until[k]
    return True


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
