"""Tables of docs/jacobians.md, and with them those of docs/bdf.md, from the rows of benchmarks/corrector_tables.py."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import _bdf_page
from _common import rows_of
from _corrector_black_boxes import MASSES, METHODS, ON_CHARTS, TRIED, strategies_of
from _corrector_carriage import PAPER as CARRIAGE
from _corrector_chain import NAMES as CHAIN
from _corrector_chain import PAPER as RODS
from _corrector_runs import COUNTED
from _corrector_vehicles import PAPER as CAR
from _pages import DOCS, Rows, Tables, cell, fill, missed, number, table

PAGE = DOCS / "jacobians.md"
#: What the columns of the paper's tables are here, in the order in which they are shown.
_SAID = {
    "dense": "dense",
    "sparse": "estimated",
    "part.": "dense, partitioned",
    "sparse, part.": "estimated, partitioned",
    "ext. part.": "dense, extended",
    "sparse, ext. part.": "estimated, extended",
    "known pattern": "grouped",
    "exact": "exact",
}


def fill_in(found: Path) -> None:
    """Write all tables of both pages, as far as rows are there for them."""
    rows = rows_of(found.read_text(encoding="utf-8"))
    for page in (sys.modules[__name__], _bdf_page):
        fill(page.PAGE, page.TABLES, rows)


def _count(rows: Rows, case: str, name: str, quantity: str, of: float | None = None) -> str:
    """A count, what it is of that with dense differences, and in brackets that of the paper, and what it is of ``of``;
    the count of dense differences stands beside those of partitioned updates."""
    row = cell(rows, f"{case}, {name}", quantity)
    paper = None if row is None else row.paper
    if name == "dense":
        beside = cell(rows, f"{case}, part.", quantity)
        ours, share = (None if beside is None else beside.theirs), None
    else:
        ours, share = (None, None) if row is None else (row.ours, row.ratio)
    if ours is None:
        return "–"
    if quantity == "CPU time":
        return _milliseconds(ours)
    told = f"{ours:.5g}" + ("" if share is None else f", {share:.0%}")
    if paper is None:
        return told
    return f"{told} ({paper:.5g}" + (")" if of is None or share is None else f", {paper / of:.0%})")


def _milliseconds(value: float) -> str:
    return f"{value:.0f} ms" if value >= 100.0 else f"{value:.3g} ms"


def _counts(rows: Rows, case: str, name: str, of: Mapping[str, float], without: Sequence[str] = ()) -> list[str]:
    """A line of counts."""
    quantities = [quantity for quantity in ("#fc", "#fcw", "#Je", "excited", "updates") if quantity not in without]
    return [_count(rows, case, name, quantity, of.get(quantity)) for quantity in (*quantities, "CPU time")]


def _carriage(rows: Rows) -> str:
    """Table 1: counts for 15 s, by rows of F."""
    lines = []
    for form, printed in CARRIAGE.items():
        case = f"carriage, {'(10)' if form == 'accelerations' else '(9)'} {form}"
        of = {COUNTED[key]: value for key, value in printed["dense"].items()}
        lines += [
            [f"`{form}`, {said}", *_counts(rows, case, name, of, ("excited",))]
            for name, said in _SAID.items()
            if cell(rows, f"{case}, {name}", "#fc") is not None
        ]
    return table(("15 s, ours (paper)", "#fc", "#fcw", "#Je", "updates", "CPU"), lines)


def _chain(rows: Rows) -> str:
    """Table 2 and Fig. 7: medians of #Je, the least and the most."""
    lines = []
    for name in CHAIN:
        line = [_SAID[name]]
        for n in RODS:
            case = f"chain of {n} pendulums"
            found = [row.ours for row in rows if row.case == case and row.quantity.startswith(f"#Je, {name}, first")]
            middle = next((row for row in rows if row.case == case and row.quantity == f"median of #Je, {name}"), None)
            line.append("–" if not found else f"{number(middle)}, {min(found):.0f} … {max(found):.0f}")
        lines.append(line)
    return table(("200 s: median of #Je (paper), range", *(f"{n} rods" for n in RODS)), lines)


def _rig(rows: Rows) -> str:
    """An axle on a stamp."""
    lines = [[_SAID[name], *_counts(rows, "axle on a stamp", name, {})] for name in CAR if name != "sparse"]
    return table(("10 s", "#fc", "#fcw", "#Je", "excited", "updates", "CPU"), lines)


def _car(rows: Rows) -> str:
    """Table 3."""
    lines = [
        [f"{told}: {_SAID[name]}", *_counts(rows, case, name, {"#Je": CAR["dense"]}, ("#fcw",))]
        for told, case in (
            ("prescribed", "steered car, rack prescribed"),
            ("driven", "steered car, rack driven"),
            ("tyres in Python", "steered car, rack prescribed, forces of tyres in Python"),
        )
        for name in CAR
    ]
    return table(("5 s, ours (paper)", "#fc", "#Je", "excited", "updates", "CPU"), lines)


def _boxes(rows: Rows) -> str:
    """Forces in Python, by method and strategy."""
    lines = []
    string, car = f"string of {MASSES} masses", "steered car, tyres in Python"
    for model, methods in ((string, (*METHODS, *ON_CHARTS)), (car, tuple(METHODS))):
        for method in methods:
            case = f"{model}, {method}"
            for strategy in strategies_of(method) if model == string else TRIED:
                quantities = ("#Je", "for one Jacobian", "#fc", "calls")
                lines.append(
                    [
                        f"{model}, `{method}`, {strategy}",
                        *(number(cell(rows, case, f"{strategy}: {quantity}"), digits=4) for quantity in quantities),
                        _time(rows, case, strategy),
                    ]
                )
    return table(("", "#Je", "evaluations for one", "#fc", "calls of the function", "CPU"), lines)


def _time(rows: Rows, case: str, strategy: str) -> str:
    row = cell(rows, case, f"{strategy}: CPU time")
    return "–" if row is None else _milliseconds(row.ours)


def _missed(rows: Rows) -> str:
    """Bars that are not reached."""
    return missed(rows, "paper")


TABLES: Tables = {
    "carriage": _carriage, "chain": _chain, "rig": _rig, "car": _car, "boxes": _boxes, "missed": _missed
}  # fmt: skip
