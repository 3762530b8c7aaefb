"""CPU time of the integration itself: from the first step of a run to its last, without what Python does around it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple
from unittest import mock

from dalembert.integrate.run.live import LiveRun


class Mark(NamedTuple):
    """Where a run was after one of its slices."""

    t: float
    #: CPU time since the beginning
    seconds: float
    nfev: int
    steps: int


@contextmanager
def watched_runs() -> Iterator[list[Mark]]:
    """Marks of all slices of compiled code that run within the block; clear the list between runs."""
    marks: list[Mark] = []
    plain = LiveRun.advance

    def advance(live: LiveRun) -> int:
        before = marks[-1].seconds if marks else 0.0
        start = time.process_time()
        reason = plain(live)
        spent = before + time.process_time() - start
        run = live.run
        marks.append(Mark(float(run.t_now), spent, int(run.nfev), int(run.steps)))
        return reason

    with mock.patch.object(LiveRun, "advance", advance):
        yield marks
