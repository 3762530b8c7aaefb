"""What every benchmark shares: arguments, timing, and the rows it reports (see benchmarks/README.md)."""

from __future__ import annotations

import argparse
import json
import math
import numbers
import os
import sys
import time
import timeit
from collections.abc import Callable
from dataclasses import dataclass, fields
from types import TracebackType
from typing import Any, Literal, Self, TextIO

THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
Bound = Literal["at most", "at least"]
SIGNS: dict[Bound, str] = {"at most": "<=", "at least": ">="}
VERDICTS = {True: "reached", False: "missed", None: "not judged"}


def parser(description: str | None) -> argparse.ArgumentParser:
    """Argument parser with the options every benchmark has; pass the module's ``__doc__``."""
    arguments = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--json", action="store_true", help="print one JSON object per line")
    arguments.add_argument("--quick", action="store_true", help="small cases and few repeats: a first look")
    return arguments


def pin_to_one_core() -> int | None:
    """Keep this process on the last core it may use, with one BLAS thread; give the core's number.

    Call it first in ``main``. The BLAS library reads its number of threads when NumPy is imported; if that
    has already happened with another number, the script is started afresh. Where the system cannot bind a
    process to a core, only the threads are limited and the answer is None.
    """
    core = None
    if hasattr(os, "sched_setaffinity"):
        core = max(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {core})
    if any(os.environ.get(name) != "1" for name in THREAD_VARIABLES):
        os.environ.update(dict.fromkeys(THREAD_VARIABLES, "1"))
        if "numpy" in sys.modules:
            sys.stdout.flush()
            os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
    return core


def best_of(
    function: Callable[[], object],
    repeats: int,
    *,
    at_least: float = 0.01,
    clock: Callable[[], float] = time.perf_counter,
) -> float:
    """Seconds that one call of ``function`` takes: the best of ``repeats`` measurements.

    A measurement is a loop of calls that lasts ``at_least`` so many seconds, so that short functions are
    measured too; a function that takes longer than this is called exactly ``repeats`` times.
    """
    timer = timeit.Timer(function, timer=clock)
    calls = 1
    while (elapsed := timer.timeit(calls)) < at_least:
        calls *= 2
    return min([elapsed, *timer.repeat(repeats - 1, calls)]) / calls


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One measured number, with what it compares to, and the bar that is set for it.

    A bar is on the ratio where there is a baseline, and else on ours. Only a row with a bar may name a baseline without
    its number: that one has no result, so the bar cannot be judged.
    """

    case: str
    quantity: str
    unit: str
    ours: float
    baseline: str | None = None  # name of what was measured beside ours, in the same run
    theirs: float | None = None
    paper: float | None = None  # the number that a publication gives
    limit: float | None = None  # the bar
    bound: Bound = "at most"

    def __post_init__(self) -> None:
        if (self.baseline is None) != (self.theirs is None) and (self.baseline is None or self.limit is None):
            raise ValueError(
                f"Row '{self.case}', '{self.quantity}': baseline and theirs come together; "
                f"got baseline={self.baseline!r}, theirs={self.theirs!r}."
            )
        if self.bound not in SIGNS:
            raise ValueError(
                f"Row '{self.case}', '{self.quantity}': bound is {self.bound!r}; choose from {', '.join(SIGNS)}."
            )
        for name in ("ours", "theirs", "paper", "limit"):
            value = getattr(self, name)
            if value is not None and not math.isfinite(value):
                raise ValueError(
                    f"Row '{self.case}', '{self.quantity}': {name} is {value}; "
                    "report a failure as a row of its own, for example quantity 'failed steps'."
                )

    @property
    def ratio(self) -> float | None:
        """Ours / theirs: below 1 we need less. None without a baseline, or where theirs is zero."""
        return self.ours / self.theirs if self.theirs else None

    @property
    def reached(self) -> bool | None:
        """Whether the bar is reached. None without a bar, and where there is a baseline but no ratio to it."""
        value = self.ours if self.baseline is None else self.ratio
        if self.limit is None or value is None:
            return None
        return bool(value <= self.limit if self.bound == "at most" else value >= self.limit)

    @property
    def bar(self) -> str:
        """The bar and whether it is reached, such as "<= 0.1 missed"; empty without a bar."""
        return "" if self.limit is None else f"{SIGNS[self.bound]} {self.limit:.4g} {VERDICTS[self.reached]}"

    def record(self) -> dict[str, str | float]:
        """The row as the JSON object of the convention: absent values have no key."""
        values = {
            "case": self.case,
            "quantity": self.quantity,
            "unit": self.unit,
            "ours": _plain(self.ours),
            "baseline": self.baseline,
            "theirs": _plain(self.theirs),
            "ratio": _plain(self.ratio),
            "paper": _plain(self.paper),
            "limit": _plain(self.limit),
            "bound": None if self.limit is None else self.bound,
            "reached": self.reached,
        }
        return {key: value for key, value in values.items() if value is not None}


class Reporter:
    """Prints rows: as JSON lines when they come, or as one table, grouped by case, at the end; then counts their bars.

    Use it in a ``with`` statement; the table and the count are printed even if a later case fails.

        with Reporter(json=arguments.json) as report:
            report.add(case="pendulum", quantity="evaluation", unit="us", ours=1.2)
    """

    def __init__(self, *, json: bool = False, title: str = "", stream: TextIO | None = None) -> None:
        self.json = json
        self.title = title
        self.stream = sys.stdout if stream is None else stream
        self.rows: list[Row] = []

    def add(
        self,
        *,
        case: str,
        quantity: str,
        unit: str,
        ours: float,
        baseline: str | None = None,
        theirs: float | None = None,
        paper: float | None = None,
        limit: float | None = None,
        bound: Bound = "at most",
    ) -> Row:
        """Report one row; the arguments are the fields of :class:`Row`."""
        row = Row(
            case=case,
            quantity=quantity,
            unit=unit,
            ours=ours,
            baseline=baseline,
            theirs=theirs,
            paper=paper,
            limit=limit,
            bound=bound,
        )
        self.rows.append(row)
        if self.json:
            print(json.dumps(row.record(), ensure_ascii=False), file=self.stream, flush=True)
        return row

    def failed(self, *, case: str, quantity: str) -> Row:
        """Report that ours has no result where a bar is set: the bar is missed."""
        return self.add(case=case, quantity=f"{quantity}: without result", unit="1", ours=1, limit=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        bars = [row for row in self.rows if row.limit is not None]
        if self.json and bars:
            print(json.dumps(_count(bars), ensure_ascii=False), file=self.stream, flush=True)
        elif self.rows and not self.json:
            text = [_table(self.rows, self.title)] + ([_summary(bars)] if bars else [])
            print("\n\n".join(text), file=self.stream, flush=True)


def rows_of(output: str) -> list[Row]:
    """The rows that were printed with ``--json``; the count of the bars at the end is none."""
    names = {field.name for field in fields(Row)}
    records = map(json.loads, output.splitlines())
    return [
        Row(**{key: value for key, value in record.items() if key in names}) for record in records if "case" in record
    ]


def _with_verdict(bars: list[Row], reached: bool | None) -> list[Row]:
    return [row for row in bars if row.reached is reached]


def _count(bars: list[Row]) -> dict[str, int | list[str]]:
    """How many bars there are and how many are reached; which are not."""
    named = {
        VERDICTS[reached]: [f"{row.case}: {row.quantity}" for row in _with_verdict(bars, reached)]
        for reached in (False, None)
    }
    return {"bars": len(bars), "reached": len(_with_verdict(bars, True))} | named


def _summary(bars: list[Row]) -> str:
    """The bars that are not reached, one per line, and how many are."""
    lines = []
    for row in _with_verdict(bars, False):
        number = row.ours if row.ratio is None else row.ratio
        peer = "" if row.baseline is None else f"; {row.baseline}"
        lines.append(f"missed: {row.case}: {row.quantity}: {_cell(_number(number))}, {row.bound} {row.limit:.4g}{peer}")
    unjudged = _with_verdict(bars, None)
    for row in unjudged:
        lines.append(f"not judged: {row.case}: {row.quantity}: {row.bound} {row.limit:.4g}; {row.baseline}")
    reached = f"{len(_with_verdict(bars, True))} of {len(bars)} bars reached"
    return "\n".join([*lines, reached + (f", {len(unjudged)} not judged" if unjudged else "")])


def _plain(value: Any) -> float | None:
    """A Python number, whatever NumPy scalar it was; integers stay integers."""
    return None if value is None else _number(value)


def _number(value: Any) -> float:
    return int(value) if isinstance(value, numbers.Integral) else float(value)


def _table(rows: list[Row], title: str) -> str:
    """Aligned columns; the rows of a case stand together, under its name; empty columns are left out."""
    names = ["case", "quantity", "ours", "theirs", "unit", "baseline", "ratio", "paper", "bar"]
    right = {"ours", "theirs", "ratio", "paper"}
    cases: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        group = cases.setdefault(row.case, [])
        cells = {name: _cell(value) for name, value in row.record().items()}
        group.append(cells | {"case": "" if group else row.case, "bar": row.bar})
    lines = [cells for group in cases.values() for cells in group]
    columns = [name for name in names if any(cells.get(name) for cells in lines)]
    width = {name: max(len(name), *(len(cells.get(name, "")) for cells in lines)) for name in columns}

    def line(cells: dict[str, str]) -> str:
        padded = (f"{cells.get(name, ''):{'>' if name in right else '<'}{width[name]}}" for name in columns)
        return "  ".join(padded).rstrip()

    text = [title, ""] if title else []
    text += [line({name: name for name in columns}), "  ".join("-" * width[name] for name in columns)]
    for group in cases.values():
        text += [line(cells) for cells in group]
    return "\n".join(text)


def _cell(value: str | float) -> str:
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else f"{value:.4g}"
