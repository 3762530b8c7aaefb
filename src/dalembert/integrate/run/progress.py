"""What a run tells while it runs, and how it is interrupted."""

from __future__ import annotations

import signal
import sys
import threading

# signal.signal is a wrapper that tries by exceptions whether handlers have names, 15 µs in each run.
from _signal import signal as set_handler  # type: ignore[import-not-found]
from collections.abc import Callable
from threading import get_ident
from types import FrameType
from typing import Any, TypeAlias

from dalembert.solution import Statistics

#: Asking for it, and for the thread at hand, takes as long as the handler.
_MAIN_THREAD = threading.main_thread()
Progress: TypeAlias = Callable[[float, Statistics], None]


class Interruption:
    """Between ``begin`` and ``end`` the first Ctrl-C asks a run to stop, the second one is as ever.

    Python answers signals where it has the word: after a slice of steps, which is compiled code and never long, or in a
    function that is called back.  Then ``stop`` ends the slice after the attempt at hand, which loses nothing.
    """

    def __init__(self, stop: Callable[[], None]) -> None:
        self.asked, self._stop = False, stop
        self._before: Any = None

    def begin(self) -> None:
        """Take over Ctrl-C, where that is possible and not done yet."""
        if self._before is None and get_ident() == _MAIN_THREAD.ident:
            self._before = set_handler(signal.SIGINT, self._ask)

    def end(self) -> None:
        """Give it back."""
        if self._before is not None:
            set_handler(signal.SIGINT, self._before)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        self._stop()


class ProgressLine:
    """A line on the terminal that says how far the run is."""

    def __init__(self, span: tuple[float, float]) -> None:
        self.span = span

    def __call__(self, t: float, statistics: Statistics) -> None:
        start, end = self.span
        part = (t - start) / (end - start) if end != start else 1.0
        words = f"t = {t:.6g}  {100 * part:5.1f} %  {statistics.steps} steps, {statistics.nfev} evaluations"
        sys.stderr.write(f"\r{words:<78}")
        sys.stderr.flush()

    def end(self, t: float, statistics: Statistics) -> None:
        """How far it came, whatever has ended it."""
        self(t, statistics)
        sys.stderr.write("\n")
