"""Tables of docs/bdf.md from the rows of benchmarks/corrector_tables.py."""

from __future__ import annotations

from collections.abc import Sequence

from _corrector_forms import BARS, FORMS, FORMULAS, ORDERS, RODS, STARTERS, VELOCITIES, formula_case
from _pages import DOCS, Rows, Tables, cell, table

PAGE = DOCS / "bdf.md"
_WORK = ("steps", "rejected", "iterations")


def _values(rows: Rows, case: str, quantities: Sequence[str]) -> list[str]:
    """Counts as they are, errors with one digit."""
    found = []
    for quantity in quantities:
        row = cell(rows, case, quantity)
        found.append("–" if row is None else f"{row.ours:.0f}" if row.unit == "1" else f"{row.ours:.0e}")
    return found


def _forms(rows: Rows) -> str:
    quantities = (*_WORK, "largest |g|", "largest |G v|", "error at the end")
    lines = [
        [f"`{form}`", f"`{counted}`", *_values(rows, f"pendulum, constraints={form}, velocities={counted}", quantities)]
        for form, counted in FORMS
    ]
    left = ("largest $\\lvert g\\rvert$", "largest $\\lvert G v\\rvert$", "error at the end")
    return table(("`constraints`", "`velocities`", *_WORK, *left), lines)


def _starters(rows: Rows) -> str:
    return table(
        ("braked pendulum, 20 s", *_WORK),
        [[said, *_values(rows, f"braked pendulum, {said}", _WORK)] for said in STARTERS],
    )


def _velocities(rows: Rows) -> str:
    quantities = (*_WORK, "error of the slow motion")
    cases = [f"two masses, {said}" for said in VELOCITIES]
    cases += [f"chain of {BARS} bars, order 2, {said}" for said in list(VELOCITIES)[:2]]
    return table(("", *quantities), [[case, *_values(rows, case, quantities)] for case in cases])


def _orders(rows: Rows) -> str:
    cases = [f"chain of {RODS} pendulums, max_order={highest}" for highest in ORDERS]
    return table(
        ("200 s, rtol 10⁻⁴, atol 10⁻⁶", *_WORK), [[case.split(", ")[1], *_values(rows, case, _WORK)] for case in cases]
    )


def _formulas(rows: Rows) -> str:
    def told(of: str, rtol: float, highest: int, ndf: bool) -> str:
        case = formula_case(of, rtol, highest, ndf)
        found = [value for value in _values(rows, case, ("steps", "iterations", "error in tolerances")) if value != "–"]
        return ", ".join(found) or "–"

    lines = [
        [f"{of}, rtol {rtol:g}", str(highest), *(told(of, rtol, highest, ndf) for ndf in (False, True))]
        for of, rtol, highest in FORMULAS
    ]
    return table(("steps, iterations, error in tolerances", "`max_order`", "BDF", "NDF"), lines)


TABLES: Tables = {
    "forms": _forms, "starters": _starters, "velocities": _velocities, "orders": _orders, "formulas": _formulas,
}  # fmt: skip
