"""Quantities of a run over time, as the page shows them: one entry for a vector, with the curves of its components."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import DalembertError
from dalembert.report.packing import Blobs, packed_curve, rounded_curve
from dalembert.solution import Solution

#: Runs with fewer instants show coordinates between them too, where the motion is known there.
SMOOTH = 600
#: What is smaller than this part of the largest quantity with the same unit is rounding.
NOISE = 1e-12
#: Bytes that a value of a lossless and of a rounded curve takes, about.
_EXACT_SIZE, _ROUNDED_SIZE = 5.5, 2.4
#: Part of the room that lossless curves may take where there is none for all.
_LOSSLESS = 0.6
GROUPS = {"q": "Coordinates", "lam": "Multipliers", "v": "Velocities", "u": "External states"}
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
