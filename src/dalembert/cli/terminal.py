"""What the command says: text for people on standard error, one JSON object on standard output if that is asked for."""

from __future__ import annotations

import json
import math
import os
import sys
import time
from typing import Any

import numpy as np

WIDTH = 36


class Terminal:
    """Where words go."""

    def __init__(self, as_json: bool, quiet: bool, no_colour: bool) -> None:
        self.as_json, self.quiet = as_json, quiet
        self.lively = sys.stderr.isatty() and not quiet
        self.coloured = self.lively and not no_colour and not os.environ.get("NO_COLOR")

    def say(self, text: str = "") -> None:
        """A line for people: on standard output, unless that holds data."""
        if not self.quiet:
            print(text, file=sys.stderr if self.as_json else sys.stdout, flush=True)

    def tell(self, data: dict[str, Any]) -> None:
        """The JSON object, if one was asked for."""
        if self.as_json:
            print(json.dumps(plain(data), ensure_ascii=False))

    def complain(self, word: str, text: str, where: str = "") -> None:
        """An error or a warning, also where all else is quiet."""
        colour = {"error": "31", "warning": "33"}.get(word, "0")
        shown = f"\x1b[{colour};1m{word}:\x1b[0m" if self.coloured else f"{word}:"
        print(f"{where + ': ' if where else ''}{shown} {text}", file=sys.stderr, flush=True)


def plain(value: Any) -> Any:
    """Data that JSON has: no arrays, no numbers that are none."""
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim):
        return [plain(one) for one in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


class ProgressBar:
    """How far a run is: simulated time, step size, speed against real time, time left; ten times a second on a
    terminal, elsewhere a line every ten seconds."""

    def __init__(self, terminal: Terminal, span: tuple[float, float]) -> None:
        self.terminal, self.span = terminal, span
        self.began = self._shown = time.perf_counter()
        self._before = (span[0], 0)
        self._drawn = False

    def __call__(self, t: float, statistics: Any) -> None:
        now = time.perf_counter()
        every = 0.1 if self.terminal.lively else 10.0
        if self.terminal.quiet or now - self._shown < every:
            return
        self._shown = now
        line = self.line(t, statistics.steps, now - self.began)
        if self.terminal.lively:
            print(f"\r{line}\x1b[K", end="", file=sys.stderr, flush=True)
            self._drawn = True
        else:
            print(line, file=sys.stderr, flush=True)

    def line(self, t: float, steps: int, wall: float) -> str:
        """One line of it."""
        first, last = self.span
        part = min(1.0, max(0.0, (t - first) / (last - first))) if last != first else 1.0
        filled = int(part * WIDTH)
        before, counted = self._before
        h = (t - before) / (steps - counted) if steps > counted else 0.0
        self._before = (t, steps)
        speed = abs(t - first) / wall if wall > 0.0 else 0.0
        left = wall * (1.0 - part) / part if part > 0.0 else math.inf
        bar = "━" * filled + "╸" * (filled < WIDTH) + " " * (WIDTH - filled - 1)
        return (
            f"t {t:.5g} of {last:g} s {bar} {100 * part:3.0f} %   h {abs(h):.2g}   {speed:.3g} × real time   "
            f"{duration(left)} left"
        )

    def end(self) -> None:
        """Leave the line."""
        if self._drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def duration(seconds: float) -> str:
    """Seconds in words."""
    if not math.isfinite(seconds):
        return "?"
    if seconds < 60.0:
        return f"{seconds:.0f} s"
    minutes = seconds / 60.0
    return f"{minutes:.0f} min" if minutes < 100.0 else f"{minutes / 60.0:.1f} h"


def size(path: Any) -> str:
    """Size of a file in words."""
    return f"{os.path.getsize(path) / 1e6:.2g} MB"
