"""What a run tells about each step: the integration monitor of mexx, section 4.2, for all methods."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dalembert.integrate.frame.memory import MONITOR
from dalembert.integrate.implicit.newton_memory import RENEWAL


class StepReport(NamedTuple):
    """How an accepted step came about; ``error`` is in units of the tolerance."""

    t: float
    step: float
    order: int
    error: float
    rejected: int
    """attempts given up since the last step"""
    nfev: int
    """evaluations since the last step"""
    iterations: int = 0
    """iterations of Newton's method in the attempt that was accepted"""
    renewal: tuple[str, ...] = ()
    """why the Newton matrix was renewed: "first", "slow", "failed", or "alpha" where only its factors were;
    "stages" where the Jacobians of all stages were taken besides"""


Monitor = Callable[[StepReport], None]


class Reports:
    """Reports of steps from the records of a run; counts there are those since its start."""

    def __init__(self) -> None:
        self._rejected = self._nfev = 0

    def of(self, records: NDArray[np.float64]) -> Iterable[StepReport]:
        """One report per record; the last columns are those for the monitor."""
        for row in records:
            step, order, error, rejected, nfev, iterations, renewal = row[-MONITOR.end :]
            yield StepReport(
                float(row[0]), float(step), int(order), float(error), int(rejected) - self._rejected,
                int(nfev) - self._nfev, int(iterations), _reasons(int(renewal)),
            )  # fmt: skip
            self._rejected, self._nfev = int(rejected), int(nfev)


def _reasons(bits: int) -> tuple[str, ...]:
    """Why the Newton matrix was renewed in a step, in words."""
    return tuple(name.lower() for name, bit in RENEWAL.values.items() if bits & bit)


def table(write: Callable[[str], object] | None = None) -> Monitor:
    """A monitor that writes a line for each step, to the terminal if nothing else is said."""
    write = sys.stdout.write if write is None else write
    count = 0

    def show(report: StepReport) -> None:
        nonlocal count
        if count == 0:
            write(
                f"{'step':>6} {'t':>16} {'h':>12} {'order':>5} {'error/tol':>10} {'rejected':>8} {'nfev':>6} "
                f"{'newton':>6} renewed\n"
            )
        count += 1
        write(
            f"{count:6d} {report.t:16.9g} {report.step:12.4g} {report.order:5d} {report.error:10.3g} "
            f"{report.rejected:8d} {report.nfev:6d} {report.iterations:6d} {', '.join(report.renewal)}".rstrip()
            + "\n"
        )

    return show
