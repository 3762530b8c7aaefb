"""Tables of docs/which_implicit.md and docs/state_space.md from the rows of benchmarks/thesis_tables.py; a picture of
times."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from _common import rows_of
from _pages import DOCS, Rows, Tables, cell, fill, lines_of, missed, number, table
from _stiff_plots import draw_times

PAGE, METHODS_PAGE = DOCS / "which_implicit.md", DOCS / "state_space.md"
_METHODS = ("SspTrap", "InflSDIRK", "InflTrap", "ForSDIRK", "ForRosen")
_POWERS = ("1e-2", "1e-3", "1e-4", "1e-5")


def fill_in(found: Path) -> None:
    """Write all tables of both pages, as far as rows are there for them, and draw the times."""
    rows = rows_of(found.read_text(encoding="utf-8"))
    fill(PAGE, TABLES, rows)
    fill(METHODS_PAGE, OF_METHODS, rows)
    times = {
        (name, power): cell(rows, _case(name, "absolute"), f"4 s at {power}: CPU time")
        for name in ("explicit", *_METHODS)
        for power in _POWERS
    }
    known = {key: row for key, row in times.items() if row is not None}
    if len(known) == len(times):
        draw_times(known, _METHODS, _POWERS, PAGE.parent / "figures")


def _case(method: str, coordinates: str) -> str:
    numbers = {"explicit": 24} | {name: 25 + k for k, name in enumerate(_METHODS)}
    return f"Table {numbers[method]}: {method}, {coordinates} coordinates"


def _times(rows: Rows) -> str:
    """CPU milliseconds for 4 s, by coordinates and tolerance; explicit ones in seconds."""
    lines = []
    for coordinates in ("absolute", "relative"):
        for method in ("explicit", *_METHODS):
            line = [f"{method}, {coordinates}"]
            for power in _POWERS:
                time = cell(rows, _case(method, coordinates), f"4 s at {power}: CPU time")
                steps = cell(rows, _case(method, coordinates), f"4 s at {power}: steps")
                shown = "–" if time is None or steps is None else f"{1000 * time.ours:.0f} ms, {steps.ours:.0f} steps"
                line.append(shown)
            if any(cell != "–" for cell in line[1:]):
                lines.append(line)
    short = next((row.quantity for row in rows if row.case == _case("explicit", "absolute")), "")
    note = f"\n\nExplicit runs{short[short.index(',') :]}." if "in proportion" in short else ""
    return table(("4 s", *_POWERS), lines) + note


def _quotients(rows: Rows) -> str:
    """What the thesis draws its conclusions from, 4 s, absolute coordinates."""
    lines = []
    for title, case in (
        ("explicit / best implicit, CPU time", "explicit / best implicit"), ("ForRosen / ForSDIRK", None),
        ("SspTrap / ForSDIRK", None), ("InflSDIRK / SspTrap", None), ("InflTrap / SspTrap", None),
    ):  # fmt: skip
        line = [title]
        for power in _POWERS:
            if case:
                found = [
                    row for row in rows
                    if row.case == f"{case}, absolute coordinates" and row.quantity.startswith(f"4 s at {power}")
                    and row.quantity.endswith("CPU time")
                ]  # fmt: skip
                line.append(number(found[0] if found else None))
            else:
                line.append(number(cell(rows, f"{title}, 4 s, absolute coordinates", f"at {power}")))
        lines.append(line)
    return table(("ours (thesis)", *_POWERS), lines)


def _experiment(rows: Rows) -> str:
    """Steps with an exact Jacobian, and with one that lacks the tyres."""
    lines = []
    for name in ("ForSDIRK", "ForRosen", "ForRosen with filter", "RODASP", "Rodas5P"):
        line = [name]
        for jacobian in ("exact Jacobian", "Jacobian without tyres"):
            row = next(
                (one for one in rows
                 if one.case == f"steps for 1 s at 1e-5, {jacobian}" and one.quantity == name), None
            )  # fmt: skip
            line.append(number(row, digits=4))
        lines.append(line)
    return table(("steps for 1 s at 1e-5 (thesis)", "exact Jacobian", "Jacobian without tyres"), lines)


def _pendulum(rows: Rows) -> str:
    """Largest errors of the first angle, with steps."""
    lines = []
    for method in (*_METHODS, "esdirk4", "rodasp", "rodas5p"):
        line = [method]
        for power in _POWERS:
            error = next(
                (row for row in rows if row.case.endswith(f": {method}, theta1") and row.quantity == f"Δ at {power}"),
                None,
            )
            steps = cell(rows, f"pendulum: {method}", f"steps at {power}")
            line.append("–" if error is None or steps is None else f"{number(error, digits=2)}, {steps.ours:.0f}")
        lines.append(line)
    return table(("error of θ₁ (thesis), steps", *_POWERS), lines)


def _charts(rows: Rows) -> str:
    """Geometric means over all mechanisms of evaluations in one chart over those in the other; largest and smallest."""
    found: dict[str, list[float]] = {}
    for row in rows:
        if row.case.startswith("charts: ") and row.quantity.endswith(": evaluations") and row.ratio:
            found.setdefault(row.quantity.partition(":")[0], []).append(row.ratio)
    lines = [
        [f"`{name}`", f"{np.exp(np.mean(np.log(ratios))):.2f}", f"{min(ratios):.2f}", f"{max(ratios):.2f}"]
        for name, ratios in found.items()
    ]
    return table(("evaluations, partition / tangent plane", "mean", "least", "most"), lines)


def _crank(rows: Rows) -> str:
    """Errors in the last turn, and repartitions."""
    case = next((row.case for row in rows if row.case.startswith("crank through")), "")
    several = next((row.case for row in rows if row.case.startswith("crank through") and "tolerances" in row.case), "")
    lines = []
    for row in rows:
        if row.case == case and row.quantity.endswith(": error, itself"):
            name = row.quantity.partition(":")[0]
            count = cell(rows, case, f"{name}: repartitions")
            exact = cell(rows, case, f"{name}: error, as exact as Radau")
            tolerance = cell(rows, case, f"{name}: tolerance as exact as Radau")
            mean = cell(rows, several, f"{name}: error over that in one coordinate, mean")
            scatter = cell(rows, several, f"{name}: scatter of errors in one coordinate")
            lines.append(
                [
                    f"`{name}`",
                    f"{row.ours:.2g}",
                    "–" if row.theirs is None else f"{row.theirs:.2g}",
                    number(count, digits=4),
                    "–" if exact is None or tolerance is None else f"{exact.ours:.2g} at {tolerance.ours:.1g}",
                    "–" if mean is None or scatter is None else f"{mean.ours:.2f} ({scatter.ours:.1f})",
                ]
            )
    radau = cell(rows, case, "radau: error")
    beside = "" if radau is None else f" ({radau.ours:.2g})"
    return table(
        (
            "after 1000 turns, in radians", "error", "in one coordinate", "repartitions",
            f"where it is as exact as Radau{beside} in one coordinate",
            "both at tolerances close by, mean quotient (scatter of the second)",
        ),
        lines,
    )  # fmt: skip


def _missed(rows: Rows) -> str:
    """Bars that are not reached; sections that were not run again keep theirs."""
    return missed(rows, "thesis", lines_of(PAGE, "missed"))


_PENDULUM, _VEHICLE, _ANGLES = "stiff double pendulum, 2 s", "HMMWV14 with stiff bushings, 4 s", " in the angles"
_DIGITS = (3, 4, 5)
#: Columns of the table of integrators: system, and whether runs are those in its angles.
_SYSTEMS = {
    "pendulum, 6 coordinates": (_PENDULUM, False), "pendulum, 2 angles": (_PENDULUM, True),
    "vehicle": (_VEHICLE, False),
}  # fmt: skip


def _best(rows: Rows, family: str, system: str, in_angles: bool, digits: int) -> tuple[float, str] | None:
    """Least milliseconds of a family of integrators for so many digits, with the name of ours."""
    quantity, found = f"CPU time for {digits} digits", []
    for row in rows:
        if row.case != system or not row.quantity.startswith(quantity):
            continue
        own = row.quantity.removeprefix(f"{quantity}, dalembert, ")
        if family == "ours" and own != row.quantity and own.endswith(_ANGLES) == in_angles:
            found.append((row.ours, own.removesuffix(_ANGLES)))
        elif row.baseline and row.theirs is not None and family in row.baseline and own == row.quantity:
            reduced = family == "CVODE" and system == _PENDULUM  # in the angles, the others in all coordinates
            if reduced == in_angles:
                found.append((row.theirs, ""))
    return min(found, default=None)


def _peers(rows: Rows) -> str:
    """Milliseconds of the best of each family."""
    lines = []
    for family, title in (
        ("ours", "ours, the best method"), ("IDA", "IDA, the better form"), ("CVODE", "CVODE"), ("exudyn", "Exudyn"),
    ):  # fmt: skip
        line = [title]
        for system, in_angles in _SYSTEMS.values():
            found = [_best(rows, family, system, in_angles, digits) for digits in _DIGITS]
            names = dict.fromkeys(f"`{one[1]}`" for one in found if one is not None and one[1])
            shown = ", ".join("–" if one is None else f"{one[0]:.2g}" for one in found)
            line.append(f"{shown} ({', '.join(names)})" if names else shown if any(found) else "–")
        lines.append(line)
    alike = ["ours / best other in the same form"]
    for system, in_angles in _SYSTEMS.values():
        form = "minimal coordinates" if in_angles else "with constraints"
        ratios = [
            next((row.ratio for row in rows if row.case == system and row.quantity.startswith(start)), None)
            for start in (f"CPU time for {digits} digits, {form}, " for digits in _DIGITS)
        ]
        alike.append(", ".join("–" if ratio is None else f"{ratio:.2g}" for ratio in ratios))
    return table(("milliseconds for 3, 4, 5 digits", *_SYSTEMS), [*lines, alike])


def _work(rows: Rows) -> str:
    """How often the best of both sides evaluate, on the vehicle."""
    lines = []
    for what in ("steps", "evaluations", "jacobians"):
        line = [what.replace("jac", "Jac")]
        for digits in _DIGITS:
            row = cell(rows, _VEHICLE, f"{what} for {digits} digits")
            line.append("–" if row is None or row.theirs is None else f"{row.ours:.0f} / {row.theirs:.0f}")
        lines.append(line)
    return table(("vehicle, ours / best other", *(f"{digits} digits" for digits in _DIGITS)), lines)


def _pieces(rows: Rows) -> str:
    """Microseconds."""
    found = [row for row in rows if row.case == "stiff vehicle, joint coordinates: a step"]
    return table(("stiff vehicle, joint coordinates", "µs"), [[row.quantity, f"{row.ours:.3g}"] for row in found])


OF_METHODS: Tables = {"peers": _peers, "work": _work, "pieces": _pieces}
TABLES: Tables = {
    "times": _times, "quotients": _quotients, "experiment": _experiment, "pendulum": _pendulum, "charts": _charts,
    "crank": _crank, "missed": _missed,
}  # fmt: skip
