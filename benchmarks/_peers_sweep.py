"""What a peer is: another package, set up for one problem, that is run at one tolerance after the other."""

from __future__ import annotations

import contextlib
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Outcome:
    """Where a run ended, and what it took."""

    y: np.ndarray  # (q, v, …) at the end
    evaluations: int = 0  # of the right-hand side or the residual
    steps: int = 0
    path: Callable[[], np.ndarray] | None = None  # y of all steps by columns, where they are kept


Run = Callable[[], Outcome]

DRIFT_FREE = "drift-free"  # keeps the constraints on positions and velocities
DRIFT_PRONE = "drift-prone"  # does not
FROM_C = "drift-free, as a C program,"  # the same library without Python, which its users from pip do not have
WITH_OURS = "drift-prone, with our machine code,"  # given right-hand sides that our symbolic engine has made
MINIMAL = "hand-reduced"  # has none, in minimal coordinates


@dataclass(frozen=True)
class Peer:
    """Another package on one form of the equations."""

    name: str
    kind: str  # DRIFT_FREE, DRIFT_PRONE or MINIMAL
    prepare: Callable[[float], Run]  # from the tolerance (or the step) to what is timed
    tolerances: Sequence[float]
    slow: bool = False  # a run takes a second or more: fewer points and repeats


@dataclass(frozen=True)
class Point:
    """One run of a peer."""

    tolerance: float
    digits: float
    seconds: float  # CPU time, the best of several
    evaluations: int
    steps: int
    residuals: tuple[float, float] = (0.0, 0.0)  # max |g| and max |G v|


@dataclass
class Curve:
    """All runs of a peer."""

    name: str
    kind: str
    points: list[Point] = field(default_factory=list)

    def first(self, digits: float) -> Point | None:
        """The fastest run that has so many digits or more."""
        return min((p for p in self.points if p.digits >= digits), key=lambda p: p.seconds, default=None)

    def kept(self, digits: float) -> Point | None:
        """The fastest run from where on no tighter tolerance falls below so many digits: no lucky hits."""
        good: list[Point] = []
        for point in reversed(self.points):  # from the tightest
            if point.digits < digits:
                break
            good.append(point)
        return min(good, key=lambda p: p.seconds, default=None)


def decades(first: float, last: float, step: float = 0.5) -> list[float]:
    """Tolerances 10^−first … 10^−last, in steps of so many decades."""
    return [10.0 ** -float(k) for k in np.arange(first, last + 1e-9, step)]


def sweep(
    peer: Peer,
    digits: Callable[[np.ndarray], float],
    residuals: Callable[[np.ndarray], tuple[float, float]],
    *,
    repeats: int,
    longest: float = 20.0,
) -> Curve:
    """Run a peer at all its tolerances; a run that fails is named on standard error and left out.

    No further tolerance is tried after a run of ``longest`` seconds.
    """
    curve = Curve(peer.name, peer.kind)
    for tolerance in peer.tolerances:
        try:
            run = peer.prepare(tolerance)
            seconds, outcome = timed(run, 2 if peer.slow else repeats)
            found = digits(outcome.y)
            if not math.isfinite(found):
                raise ArithmeticError("the result is not a number")
        except Exception as error:
            # Whatever goes wrong inside another package must not end the benchmark.
            print(f"{peer.name}, tolerance {tolerance:.1e}: {_first_line(error)}", file=sys.stderr, flush=True)
            continue
        states = outcome.y if outcome.path is None else outcome.path()
        point = Point(tolerance, found, seconds, outcome.evaluations, outcome.steps, residuals(states))
        curve.points.append(point)
        print(
            f"{peer.name}, tolerance {tolerance:.1e}: {found:.2f} digits, {1e3 * seconds:.4g} ms, "
            f"{point.evaluations} evaluations, {point.steps} steps, "
            f"|g| {point.residuals[0]:.1e}, |Gv| {point.residuals[1]:.1e}",
            file=sys.stderr,
            flush=True,
        )
        if seconds > longest:
            break
    return curve


def timed(run: Run, repeats: int, at_least: float = 0.1, budget: float = 4.0) -> tuple[float, Outcome]:
    """CPU seconds of a run, the best of ``repeats`` or more, and its outcome.

    Short runs are repeated for ``at_least`` so many seconds, long ones only until ``budget`` is spent.
    """
    best, spent, done = math.inf, 0.0, 0
    while True:
        start = time.process_time()
        outcome = run()
        elapsed = time.process_time() - start
        best, spent, done = min(best, elapsed), spent + elapsed, done + 1
        if (done >= repeats and spent >= at_least) or spent > budget:
            return best, outcome


def available(makers: Sequence[Callable[[], list[Peer]]]) -> list[Peer]:
    """The peers of all packages that can be had; the others are named on standard error."""
    peers: list[Peer] = []
    for make in makers:
        try:
            peers += make()
        except Exception as error:
            print(f"{make.__name__}: left out, {_first_line(error)}", file=sys.stderr, flush=True)
    return peers


@contextlib.contextmanager
def silent() -> Iterator[None]:
    """No output from C code, on either stream."""
    sys.stdout.flush()
    sys.stderr.flush()
    saved = [os.dup(1), os.dup(2)]
    nothing = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        yield
    finally:
        for stream, copy in zip((1, 2), saved, strict=True):
            os.dup2(copy, stream)
            os.close(copy)
        os.close(nothing)


def version(package: str) -> str:
    """Name and version of an installed package."""
    from importlib.metadata import version as installed

    return f"{package} {installed(package)}"


def _first_line(error: Any) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[-1][:200] if text else ''}"
