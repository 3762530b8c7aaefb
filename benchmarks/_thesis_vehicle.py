"""Tables 24 to 30: the stiff vehicle over the bump, in the 98 absolute coordinates of the thesis and in relative ones.

CPU seconds are those of the integration alone.  Of theirs (an SGI Onyx of 1998) only quotients can be compared.  Bars
are set for absolute coordinates; what relative ones give is printed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from _common import Bound, Reporter
from _thesis_runs import EXPLICIT, METHODS, TOLERANCES, Timed, power, timed
from dalembert.integrate import Sdirk
from dalembert.problems import mechanisms

LENGTHS = (1.0, 2.0, 3.0, 4.0)
Key = tuple[str, float, float]
#: CPU seconds by simulated time (rows) and tolerance (columns), as printed.
_PRINTED = {
    "explicit": (24, "3618 3641 3667 3663 7276 7348 7287 7276 10865 11122 10949 10965 14480 14771 14630 14592"),
    "SspTrap": (25, "42 54 122 312 79 140 330 849 92 168 400 1053 98 179 424 1095"),
    "InflSDIRK": (26, "33 52 90 170 69 124 218 433 81 150 248 493 84 155 256 500"),
    "InflTrap": (27, "42 61 158 463 79 155 420 1198 92 189 524 1521 100 206 552 1568"),
    "ForSDIRK": (28, "10.1 21 33 57 25.3 49 78 139 29.5 58 92 166 30 61 94 184"),
    "ForRosen": (29, "5.6 13.2 40.7 172 12.6 32.6 95 405 13 36.3 105 422 13.3 37 106 428"),
}
THEIRS: dict[Key, float] = {
    (method, length, tolerance): float(value)
    for method, (_, text) in _PRINTED.items()
    for (length, tolerance), value in zip(product(LENGTHS, TOLERANCES), text.split(), strict=True)
}
#: Table 30: with derivatives by differences, by simulated time; the tolerance follows from the other row, which is that
#: of Table 28.
NUMERIC, NUMERIC_TOLERANCE = dict(zip(LENGTHS, (104.0, 229.0, 269.0, 278.0), strict=True)), 1e-3
#: Explicit / best implicit for 4 s, to be reached.
FACTORS = dict(zip(TOLERANCES, (1000.0, 390.0, 150.0, 75.0), strict=True))
#: For a first look: so much of the motion is integrated explicitly, and what a second takes follows in proportion.
WINDOW = 0.02


@dataclass(frozen=True)
class Cell:
    """What one run took."""

    seconds: float
    nfev: float
    steps: float


Cells = dict[Key, Cell]


@dataclass(frozen=True)
class Vehicle:
    """The stiff vehicle in one kind of coordinates."""

    coordinates: str
    equations: Any
    start: Any

    @classmethod
    def built(cls, coordinates: str) -> Vehicle:
        example = mechanisms.hmmwv14(stiff=True)
        equations = example.model.equations(coordinates)
        return cls(coordinates, equations, example.assemble(equations))

    def run(self, method: Any, length: float, tolerance: float, **options: Any) -> Timed:
        return timed(self.equations, (0.0, length), self.start, method, tolerance, **options)

    def case(self, method: str) -> str:
        """Table and method."""
        return f"Table {_PRINTED[method][0]}: {method}, {self.coordinates} coordinates"


def implicit_tables(report: Reporter, vehicle: Vehicle, repeats: int) -> Cells:
    """Tables 25 to 29; methods by turns, so that disturbances meet all of them."""
    cells: Cells = {}
    failed: set[Key] = set()
    for _ in range(repeats):
        for tolerance, length, name in product(TOLERANCES, LENGTHS, METHODS):
            key = name, length, tolerance
            try:
                found = vehicle.run(METHODS[name], length, tolerance)
            except ArithmeticError:
                failed.add(key)
                continue
            if key not in cells or found.seconds < cells[key].seconds:
                cells[key] = Cell(found.seconds, found.nfev, found.steps)
    for key in product(METHODS, LENGTHS, TOLERANCES):
        if key in failed:
            report.failed(case=vehicle.case(key[0]), quantity=_what(key))
        else:
            _print_cell(report, vehicle, key, cells[key], "")
    return cells


def explicit_table(report: Reporter, vehicle: Vehicle, quick: bool) -> Cells:
    """Table 24: one run of 4 s for each tolerance, read at all lengths; or a part of a second, in proportion."""
    cells: Cells = {}
    for tolerance in TOLERANCES:
        if quick:
            found = vehicle.run(EXPLICIT, WINDOW, tolerance)
            for length in LENGTHS:
                factor = length / WINDOW
                made = Cell(factor * found.seconds, factor * found.nfev, factor * found.steps)
                cells["explicit", length, tolerance] = made
        else:
            found = vehicle.run(EXPLICIT, LENGTHS[-1], tolerance, t_eval=LENGTHS)  # not all of a million steps
            for length in LENGTHS:
                cells["explicit", length, tolerance] = Cell(*found.until(length)[1:])
    for key, cell in cells.items():
        _print_cell(report, vehicle, key, cell, f", in proportion to the first {WINDOW:g} s" if quick else "")
    return cells


def _what(key: Key) -> str:
    return f"{key[1]:g} s at {power(key[2])}"


def _print_cell(report: Reporter, vehicle: Vehicle, key: Key, cell: Cell, how: str) -> None:
    case, what = vehicle.case(key[0]), _what(key)
    report.add(case=case, quantity=f"{what}: CPU time{how}", unit="s", ours=cell.seconds, paper=THEIRS[key])
    report.add(case=case, quantity=f"{what}: accelerations evaluated{how}", unit="1", ours=round(cell.nfev))
    report.add(case=case, quantity=f"{what}: steps{how}", unit="1", ours=round(cell.steps))


class Quotients:
    """Rows of quotients of two cells, beside those of the thesis; a cell without result is a missed bar."""

    def __init__(self, report: Reporter, vehicle: Vehicle, cells: Cells) -> None:
        self.report, self.cells, self.coordinates = report, cells, vehicle.coordinates
        #: bars are those of absolute coordinates
        self.bars = vehicle.coordinates == "absolute"

    def add(
        self, case: str, quantity: str, above: Key, below: Key, limit: float | None, bound: Bound = "at most"
    ) -> None:
        """A quotient of CPU times."""
        case = f"{case}, {self.coordinates} coordinates"
        if above not in self.cells or below not in self.cells:
            self.report.failed(case=case, quantity=quantity)
            return
        ours = self.cells[above].seconds / self.cells[below].seconds
        paper = THEIRS[above] / THEIRS[below]
        bar = limit if self.bars else None
        self.report.add(case=case, quantity=quantity, unit="1", ours=ours, paper=paper, limit=bar, bound=bound)

    def best(self, length: float, tolerance: float, without: str = "") -> Key:
        """The fastest of the implicit methods."""
        found = [(name, length, tolerance) for name in METHODS if name != without]
        return min((key for key in found if key in self.cells), key=lambda key: self.cells[key].seconds)


def explicit_quotients(q: Quotients, quick: bool) -> None:
    """What stiffness costs: times do not depend on the tolerance, are in proportion to the length, and large."""
    cells, last = q.cells, LENGTHS[-1]
    for length in LENGTHS if not quick else ():
        keys = [("explicit", length, tolerance) for tolerance in TOLERANCES]
        most, least = (find(keys, key=lambda key: cells[key].seconds) for find in (max, min))
        theirs = [THEIRS[key] for key in keys]
        q.report.add(
            case=f"Table 24: largest / smallest over tolerances, {q.coordinates} coordinates", quantity=f"{length:g} s",
            unit="1", ours=cells[most].seconds / cells[least].seconds, paper=max(theirs) / min(theirs),
            limit=1.05 if q.bars else None,
        )  # fmt: skip
    for tolerance in TOLERANCES:
        whole, at = ("explicit", last, tolerance), power(tolerance)
        if not quick:
            one = ("explicit", LENGTHS[0], tolerance)
            q.add("Table 24: 4 s / 1 s", f"at {at}", whole, one, 3.8, "at least")
            q.add("Table 24: 4 s / 1 s", f"at {at}, not more", whole, one, 4.2)
        step = last / cells[whole].steps
        bounds: tuple[tuple[str, float, Bound], ...] = (("", 1e-6, "at least"), (", not more", 1e-5, "at most"))
        for more, limit, bound in bounds:
            q.report.add(
                case=f"Table 24: mean step, {q.coordinates} coordinates", quantity=f"at {at}{more}", unit="s",
                ours=step, limit=limit if q.bars else None, bound=bound,
            )  # fmt: skip
    for length, tolerance in product(LENGTHS, TOLERANCES):
        above, best = ("explicit", length, tolerance), q.best(length, tolerance)
        case = f"explicit / best implicit, {q.coordinates} coordinates"
        what = f"{_what(above)}, {best[0]}"
        paper = THEIRS[above] / min(THEIRS[name, length, tolerance] for name in METHODS)
        q.report.add(
            case=case, quantity=f"{what}: CPU time", unit="1", ours=cells[above].seconds / cells[best].seconds,
            paper=paper, limit=FACTORS[tolerance] if length == last and q.bars else None, bound="at least",
        )  # fmt: skip
        fewest = min(cells[name, length, tolerance].nfev for name in METHODS if (name, length, tolerance) in cells)
        q.report.add(
            case=case, quantity=f"{_what(above)}: accelerations evaluated", unit="1", ours=cells[above].nfev / fewest
        )


def method_quotients(q: Quotients) -> None:
    """Which method when, growth with the tolerance, and what comes after the bump."""
    last = LENGTHS[-1]
    bars = {("ForRosen", "ForSDIRK"): (0.5, 0.65, None, None), ("InflSDIRK", "SspTrap"): (None, None, 1.0, 1.0)}
    for (above, below), limits in bars.items():
        for tolerance, limit in zip(TOLERANCES, limits, strict=True):
            q.add(f"{above} / {below}, 4 s", f"at {power(tolerance)}", (above, last, tolerance),
                  (below, last, tolerance), limit)  # fmt: skip
    for tolerance, limit in zip(TOLERANCES, (1.0, 1.0, 2.9, 2.9), strict=True):
        at = f"at {power(tolerance)}"
        key = "ForSDIRK", last, tolerance
        q.add("SspTrap / ForSDIRK, 4 s", at, ("SspTrap", last, tolerance), key, limit, "at least")
        q.add("InflTrap / SspTrap, 4 s", at, ("InflTrap", last, tolerance), ("SspTrap", last, tolerance), None)
    for name, tolerance in (("ForRosen", 1e-2), ("ForRosen", 1e-3), ("ForSDIRK", 1e-5)):
        other = q.best(last, tolerance, name)
        q.add(f"{name} / fastest other, 4 s", f"at {power(tolerance)}, {other[0]}", (name, last, tolerance), other, 1.0)
    most = {"ForSDIRK": 6.2, "InflSDIRK": 6.2, "SspTrap": 32.0, "InflTrap": 32.0, "ForRosen": 32.0}
    for name, limit in most.items():
        q.add("growth from 1e-2 to 1e-5, 4 s", name, (name, last, 1e-5), (name, last, 1e-2), limit)
    for name, tolerance in product(METHODS, TOLERANCES):
        q.add("after the bump: 4 s / 2 s", f"{name} at {power(tolerance)}", (name, last, tolerance),
              (name, 2.0, tolerance), 1.35)  # fmt: skip


def long_run(report: Reporter, vehicle: Vehicle, repeats: int) -> None:
    """30 s with the Rosenbrock method, whose steps grow to the largest that are allowed."""
    runs = {
        length: vehicle.run(METHODS["ForRosen"], length, 1e-3, repeats=repeats, max_step=1.0) for length in (4.0, 30.0)
    }
    case = f"ForRosen 30 s / 4 s at 1e-3, {vehicle.coordinates} coordinates"
    limit = 1.1 if vehicle.coordinates == "absolute" else None
    report.add(case=case, quantity="CPU time", unit="1", ours=runs[30.0].seconds / runs[4.0].seconds, paper=38 / 37,
               limit=limit)  # fmt: skip
    report.add(case=case, quantity="steps", unit="1", ours=runs[30.0].steps / runs[4.0].steps)
    step = runs[30.0].solution.statistics.step_max
    report.add(case=case, quantity="largest step", unit="s", ours=step or 0.0, paper=1.0)


def derivative_table(report: Reporter, vehicle: Vehicle, repeats: int) -> None:
    """Table 30: derivatives by differences, exact, and by columns of the matrix of constrained motion; taken in each
    step, as in the thesis, and kept over several, as by default."""
    for keeps in (False, True):
        manner = "" if keeps else " with derivatives in each step"
        case = f"Table 30: ForSDIRK{manner} at 1e-3, {vehicle.coordinates} coordinates"
        for length in LENGTHS:
            taken: dict[str, Timed] = {}
            for _ in range(repeats):
                for kind in ("analytic", "columns", "numeric"):
                    method = Sdirk(jacobian=kind, errors="independent", keeps=keeps)
                    made = vehicle.run(method, length, NUMERIC_TOLERANCE)
                    if kind not in taken or made.seconds < taken[kind].seconds:
                        taken[kind] = made
            exact = THEIRS["ForSDIRK", length, NUMERIC_TOLERANCE]
            for kind, paper, limit in (("numeric", NUMERIC[length] / exact, 4.5), ("columns", None, None)):
                report.add(
                    case=case, quantity=f"{length:g} s: {kind} / analytic", unit="1",
                    ours=taken[kind].seconds / taken["analytic"].seconds, paper=paper,
                    limit=limit if vehicle.coordinates == "absolute" and not keeps else None, bound="at least",
                )  # fmt: skip


def accuracy(report: Reporter, vehicle: Vehicle) -> None:
    """Errors of coordinates after one second, in the middle of the bump's effect: what the times above buy."""
    exact = vehicle.run("radau", 1.0, 1e-9).solution.q[:, -1]
    for name, tolerance in product(METHODS, TOLERANCES):
        found = vehicle.run(METHODS[name], 1.0, tolerance).solution.q[:, -1]
        report.add(
            case=f"error after 1 s, {vehicle.coordinates} coordinates", quantity=f"{name} at {power(tolerance)}",
            unit="m, 1", ours=float(np.abs(found - exact).max()),
        )  # fmt: skip


def tables(report: Reporter, vehicle: Vehicle, quick: bool) -> None:
    """Tables 24 to 30 in these coordinates, with all quotients."""
    repeats = 2 if quick else 5
    cells = implicit_tables(report, vehicle, repeats) | explicit_table(report, vehicle, quick)
    quotients = Quotients(report, vehicle, cells)
    explicit_quotients(quotients, quick)
    method_quotients(quotients)
    long_run(report, vehicle, repeats)
    derivative_table(report, vehicle, repeats)
    accuracy(report, vehicle)
