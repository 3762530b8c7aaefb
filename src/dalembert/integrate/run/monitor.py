"""What a run tells about each step: the integration monitor of mexx, section 4.2, for all methods."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
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
    """why the Newton matrix was renewed: "first", "slow", "failed", "pattern" where that was estimated anew, or "alpha"
    where only its factors were; "extended" where the Jacobian has followed excitations, "stages" where the Jacobians of
    all stages were taken besides"""
    njev: int = 0
    """evaluations of the Jacobian since the last step"""
    nlu: int = 0
    """factorisations since the last step"""
    extra: Mapping[str, int] = MappingProxyType({})
    """counters of the method's own since the last step, those of ``statistics.extra``: "repartitions" …"""


Monitor = Callable[[StepReport], None]
#: Fields of reports that count since the last step, whatever the method; records have them since the start.
_COUNTED = ("rejected", "nfev", "njev", "nlu")


class Reports:
    """Reports of steps from the records of a run; counts there are those since its start."""

    def __init__(self) -> None:
        self._before: dict[str, int] = {}

    def of(self, records: NDArray[np.float64], counters: Sequence[str]) -> Iterable[StepReport]:
        """One report per record; the last columns are those for the monitor, behind them counters of the method."""
        for row in records:
            told = row[-(MONITOR.end + len(counters)) :]
            counts = {name: int(told[MONITOR.values[name.upper()]]) for name in _COUNTED}
            counts |= {name: int(count) for name, count in zip(counters, told[MONITOR.end :], strict=True)}
            since = {name: count - self._before.get(name, 0) for name, count in counts.items()}
            self._before = counts
            yield StepReport(
                float(row[0]), float(told[MONITOR.STEP]), int(told[MONITOR.ORDER]), float(told[MONITOR.ERROR]),
                iterations=int(told[MONITOR.ITERATIONS]), renewal=_reasons(int(told[MONITOR.RENEWAL])),
                extra={name: since[name] for name in counters}, **{name: since[name] for name in _COUNTED},
            )  # fmt: skip


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
