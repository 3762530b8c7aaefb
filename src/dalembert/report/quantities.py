"""Quantities of a run over time, as the page shows them: one entry for a vector, with the curves of its components."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.arguments import known_name, named, texts
from dalembert.errors import DalembertError
from dalembert.report.packing import Blobs, packed_curve, rounded_curve
from dalembert.solution import Solution
from dalembert.solution.solution_errors import UnknownNameError

#: Runs with fewer instants show coordinates between them too, where the motion is known there.
SMOOTH = 600
#: What is smaller than this part of the largest quantity with the same unit is rounding.
NOISE = 1e-12
#: Bytes that a value of a lossless and of a rounded curve takes, about.
_EXACT_SIZE, _ROUNDED_SIZE = 5.5, 2.4
#: Part of the room that lossless curves may take where there is none for all.
_LOSSLESS = 0.6
GROUPS = {"q": "Coordinates", "lam": "Multipliers", "v": "Velocities", "u": "External states"}
#: Names of quantities; or plots by title, each with one name or several.
Plots = Sequence[str] | Mapping[str, str | Sequence[str]]
Floats = NDArray[np.float64]


@dataclass
class Plotted:
    """Rows over an instant table: ``clock`` 0 are the times of the run, 1 those between them too."""

    name: str
    group: str
    unit: str
    rows: Floats
    labels: tuple[str, ...]
    clock: int = 0


def quantities_of(s: Solution) -> tuple[list[Floats], list[Plotted]]:
    """Instants, and everything that can be plotted: sensors first, coordinates, reactions and the rest after them."""
    clocks, motion = _motion(s)
    fine = len(clocks) - 1
    found = _sensors(s, clocks)
    for kind, group in GROUPS.items():
        found += [
            Plotted(name, group, s.units.get(name, ""), motion[kind][i][None], ("",), fine)
            for i, name in enumerate(s.names[kind])
        ]
    return clocks, found


def by_name(quantities: Sequence[Plotted]) -> dict[str, Plotted]:
    """Everything that can be plotted by name, components of vectors too."""
    known = {one.name: one for one in quantities}
    for one in quantities:
        for label, row in zip(one.labels, one.rows, strict=True):
            if label:
                name = f"{one.name}.{label}"
                known.setdefault(name, Plotted(name, one.group, one.unit, row[None], ("",), one.clock))
    return known


def at_run(clocks: Sequence[Floats], one: Plotted) -> Floats:
    """Rows of a quantity at the instants of the run."""
    if one.clock == 0:
        return one.rows
    places = {float(t): i for i, t in enumerate(clocks[one.clock])}
    return one.rows[:, [places[float(t)] for t in clocks[0]]]


def chosen_plots(plots: Plots, clocks: Sequence[Floats], quantities: Sequence[Plotted]) -> list[Plotted]:
    """Quantities that a user has named, one for each card; several names in one card become its curves."""
    what, known = "report: plots", by_name(quantities)
    if isinstance(plots, Mapping):
        cards = named(plots, what, DalembertError)
    else:
        cards = {name: name for name in texts(plots, what, DalembertError)}
    found = []
    for title, given in cards.items():
        names = (given,) if isinstance(given, str) else texts(given, f"{what}: '{title}'", DalembertError)
        curves = [known[known_name(name, known, f"{what}: the quantity", UnknownNameError)] for name in names]
        if len(curves) == 1 and title == curves[0].name:
            found += curves
        else:
            found.append(_joined(title, curves, clocks, known))
    return found


def _joined(title: str, curves: Sequence[Plotted], clocks: Sequence[Floats], known: Mapping[str, Plotted]) -> Plotted:
    """One quantity under another title, or several with one unit as the components of one."""
    where = f"report: plots: '{title}'"
    if title in known:
        raise DalembertError(f"{where} is the name of a quantity; choose another title")
    if not curves:
        raise DalembertError(f"{where} names no quantity; name at least one")
    if len(units := dict.fromkeys(one.unit or "no unit" for one in curves)) > 1:
        raise DalembertError(f"{where} has curves in {' and '.join(units)}; give each unit a plot of its own")
    first = curves[0]
    if len(curves) == 1:
        return replace(first, name=title)
    labels = [f"{one.name}.{label}" if label else one.name for one in curves for label in one.labels]
    same = len({one.clock for one in curves}) == 1
    rows = np.concatenate([one.rows if same else at_run(clocks, one) for one in curves])
    return Plotted(title, first.group, first.unit, rows, tuple(labels), first.clock if same else 0)


def _sensors(s: Solution, clocks: list[Floats]) -> list[Plotted]:
    """Vectors once, without their components, which have entries of their own among the outputs."""
    between = s.appearance.sensors if s.appearance is not None and len(clocks) > 1 else {}
    outputs = dict(s.outputs.items())
    parts: dict[str, list[str]] = {}
    for name in outputs:
        vector, dot, label = name.rpartition(".")
        if dot and vector in outputs and outputs[vector].ndim == 2:
            parts.setdefault(vector, []).append(label)
    found = []
    for name, rows in outputs.items():
        vector, _, label = name.rpartition(".")
        if label in parts.get(vector, ()):
            continue
        many = np.atleast_2d(rows)
        labels = tuple(parts.get(name, ())) if len(parts.get(name, ())) == len(many) else ()
        if not labels:
            labels = ("",) if len(many) == 1 else tuple(str(k + 1) for k in range(len(many)))
        clock = 0
        if name in between and np.atleast_2d(between[name]).shape[0] == len(many):
            many, clock = _with_stored(clocks, np.atleast_2d(between[name]), many), 1
        found.append(Plotted(name, _group(name), s.units.get(name, ""), many, labels, clock))
    return found


def _group(name: str) -> str:
    if name.endswith((".force", ".torque")):
        return "Forces"
    if name == "constraint error":
        return "Run"
    return "Energies" if name.endswith("energy") else "Sensors"


def _motion(s: Solution) -> tuple[list[Floats], dict[str, Floats]]:
    """Tables of instants, and the rows of the motion at the last of these: between the instants of the run too, where
    that has few and knows its motion there."""
    rows = {kind: getattr(s, kind) for kind in GROUPS}
    look = s.appearance
    if s.sol is None or not s.sol.n_steps or not 1 < s.t.size < SMOOTH:
        return [s.t], rows
    fine = np.unique(np.concatenate([s.t, np.linspace(s.t[0], s.t[-1], SMOOTH)]))
    fine = fine if s.t[-1] >= s.t[0] else fine[::-1].copy()
    if look is not None and look.sensors:
        fine = look.t
    try:
        point = s.sol(fine)
    except DalembertError:  # a run that ended badly may not be completed everywhere
        return [s.t], rows
    return [s.t, fine], {kind: _with_stored([s.t, fine], getattr(point, kind), rows[kind]) for kind in rows}


def _with_stored(clocks: list[Floats], rows: Floats, stored: Floats) -> Floats:
    """Rows at the finer instants, in which those of the run are the very numbers that it has stored; where it has an
    instant twice, before and after an impact, the last ones."""
    places = {float(t): i for i, t in enumerate(clocks[1])}
    found = rows.copy()
    for column, t in enumerate(clocks[0]):
        if float(t) in places:
            found[:, places[float(t)]] = stored[:, column]
    return found


def packed(quantities: list[Plotted], blobs: Blobs, room: float) -> tuple[list[dict[str, Any]], list[str]]:
    """Entries of the header, and names of what is left out.  Curves are lossless as long as the others still have
    room when they are rounded, and the first ones anyway; at last those that come late are left out."""
    largest: dict[str, float] = {}
    for one in quantities:
        largest[one.unit] = max(largest.get(one.unit, 0.0), _largest(one.rows))
    values = np.cumsum([0] + [one.rows.size for one in quantities])
    entries, missing, used = [], [], 0
    for k, one in enumerate(quantities):
        lossless = max(_LOSSLESS * room, room - _ROUNDED_SIZE * float(values[-1] - values[k + 1]))
        curves: list[dict[str, Any]] = [{} for _ in one.rows]
        if used + _EXACT_SIZE * one.rows.size <= lossless or not np.isfinite(one.rows).all():
            pieces = [packed_curve(row) for row in one.rows]
        else:
            found = [rounded_curve(row) for row in one.rows]
            pieces = [piece for piece, _, _ in found]
            curves = [{"low": low, "quantum": quantum} for _, low, quantum in found]
        if used + sum(map(len, pieces)) > room:
            missing.append(one.name)
            continue
        used += sum(map(len, pieces))
        for row, curve, piece in zip(one.rows, curves, pieces, strict=True):
            curve |= {"blob": blobs.add(piece), "from": _number(row, np.min), "to": _number(row, np.max)}
        noise = bool(one.unit) and 0.0 < _largest(one.rows) < NOISE * largest[one.unit]
        entries.append({
            "name": one.name, "group": one.group, "unit": one.unit, "clock": one.clock, "labels": list(one.labels),
            "curves": curves, "noise": noise,
        })  # fmt: skip
    return entries, missing


def _largest(rows: Floats) -> float:
    usable = np.abs(rows[np.isfinite(rows)])
    return float(usable.max()) if usable.size else 0.0


def _number(row: Floats, of: Any) -> float | None:
    usable = row[np.isfinite(row)]
    return float(of(usable)) if usable.size else None
