"""Figures with matplotlib: curves of a run, phase portraits, work and precision, patterns of matrices, topology, modes.

Nothing global is changed: styles hold inside of each function.  Every function gives back the figure and its axes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.arguments import instance, known_name, listed, mapping, reals, text
from dalembert.errors import DalembertError
from dalembert.report.quantities import Plotted, at_run, by_name, quantities_of
from dalembert.report.topology_tree import tree_of
from dalembert.solution import Solution
from dalembert.solution.solution_errors import UnknownNameError

#: The colours of the page.
COLOURS = ("#1f6fb5", "#d1600a", "#1f8a4c", "#b0304f", "#7549b1", "#8a6116", "#0e8a93", "#5d6774")
WARNING = "#b25e00"
#: Events that are named in a figure; more of them are numbered.
MOST_NAMES = 12
#: Points of a line at most.
MOST_POINTS = 20_000
PREFIXES = {-9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G"}
#: Units that prefixes may stand before.
PREFIXED = ("N", "N m", "J", "W", "Pa", "m", "V", "A")
Floats = NDArray[np.float64]


def plot(solution: Solution, *names: str, steps: bool = False, events: bool = True) -> tuple[Any, Any]:
    """Quantities over time, one axes for each unit and kind: ``sol.plot("wheel load", "ball.force")``.

    Without names, what a report shows first.  ``steps`` marks the instants of the result below the curves.
    """
    instance(solution, Solution, "plot: solution", DalembertError)
    clocks, found = quantities_of(solution)
    known = by_name(found)
    chosen = [known[known_name(name, known, "plot: a quantity", UnknownNameError)] for name in names]
    if not chosen:
        chosen = [one for one in known.values() if one.group in ("Sensors", "Coordinates")][:4]
    if not chosen:
        raise DalembertError(f"plot of '{solution.title}': the run has no quantities")
    rows = _grouped(chosen)
    with _Style() as plt:
        figure, axes = plt.subplots(
            len(rows), 1, sharex=True, squeeze=False, figsize=(7.0, 0.8 + 2.4 * len(rows)), layout="constrained"
        )
        for axis, group in zip(axes[:, 0], rows, strict=True):
            factor, unit = _scaled(group)
            for one in group:
                t = clocks[one.clock]
                keep = _thinned(t.size)
                for label, row in zip(one.labels, one.rows, strict=True):
                    words = [one.name if len(group) > 1 or not label else "", label]
                    axis.plot(t[keep], row[keep] / factor, label=" ".join(filter(None, words)))
            title = group[0].name if len(group) == 1 else ""
            axis.set_ylabel(f"{title} / {unit}".strip(" /") if unit else title)
            if len(axis.lines) > 1:
                axis.legend(frameon=False, fontsize="small")
            axis.margins(x=0)
            if steps:
                low = axis.get_ylim()[0]
                axis.plot(solution.t, np.full(solution.t.size, low), "|", color="0.4", ms=5, clip_on=False)
                axis.set_ylim(bottom=low)
        axes[-1, 0].set_xlabel("time / s")
        if events:
            _mark_events(solution, axes[:, 0])
    return figure, axes[:, 0]


def phase(solution: Solution, x: str, y: str) -> tuple[Any, Any]:
    """One quantity over another, such as a velocity over its coordinate; a dot marks the start."""
    instance(solution, Solution, "phase: solution", DalembertError)
    clocks, found = quantities_of(solution)
    known = by_name(found)
    first, second = (known[known_name(name, known, "phase: a quantity", DalembertError)] for name in (x, y))
    for one in (first, second):
        if len(one.rows) != 1:
            raise DalembertError(f"phase: '{one.name}' has {len(one.rows)} components; name one of them")
    a, b = first.rows[0], second.rows[0]
    if first.clock != second.clock:  # the instants of the run are among those of both
        a, b = (at_run(clocks, one)[0] for one in (first, second))
    with _Style() as plt:
        figure, axis = plt.subplots(figsize=(5.0, 4.2), layout="constrained")
        axis.plot(a, b)
        axis.plot(a[:1], b[:1], "o", color=COLOURS[1], ms=5)
        axis.set_xlabel(_label(first))
        axis.set_ylabel(_label(second))
    return figure, axis


def work_precision(runs: Mapping[str, Sequence[Sequence[float]]], *, work: str = "evaluations") -> tuple[Any, Any]:
    """Work over error, log–log: for each name a list of (tolerance, error, work); tolerances stand at the points."""
    given = mapping(runs, "work_precision: runs", DalembertError)
    with _Style() as plt:
        figure, axis = plt.subplots(figsize=(6.0, 4.4), layout="constrained")
        for k, (name, points) in enumerate(given.items()):
            table = reals(points, f"work_precision: '{name}'", DalembertError, ndim=2)
            if table.shape[1] != 3:
                raise DalembertError(f"work_precision: '{name}' must be rows of tolerance, error and work")
            axis.loglog(table[:, 1], table[:, 2], "o-", ms=4, label=str(name), color=COLOURS[k % len(COLOURS)])
            for tolerance, error, cost in table:
                place = {"xytext": (4, 4), "textcoords": "offset points"}
                axis.annotate(f"{tolerance:.0e}", (error, cost), fontsize=7, color="0.35", **place)
        axis.invert_xaxis()
        axis.set_xlabel("error")
        axis.set_ylabel(text(work, "work_precision: work", DalembertError))
        axis.legend(frameon=False)
    return figure, axis


def sparsity(matrix: Any, *, names: Sequence[str] = ()) -> tuple[Any, Any]:
    """Places of the entries of a matrix, dense or sparse, or of M and G of equations, as blocks of one matrix."""
    rows, columns, shape, borders = _entries(matrix)
    with _Style() as plt:
        figure, axis = plt.subplots(figsize=(4.6, 4.6), layout="constrained")
        size = max(1.0, min(14.0, 260.0 / max(*shape, 1)))
        axis.plot(columns, rows, "s", ms=size, color=COLOURS[0], mew=0)
        for border in borders:
            axis.axhline(border - 0.5, color="0.6", lw=0.8)
            axis.axvline(border - 0.5, color="0.6", lw=0.8)
        axis.set(xlim=(-0.5, shape[1] - 0.5), ylim=(shape[0] - 0.5, -0.5), aspect="equal")
        full = len(rows) / max(shape[0] * shape[1], 1)
        axis.set_xlabel(f"{shape[0]} × {shape[1]}, {len(rows)} entries, {100 * full:.1f} %")
        labels = listed(names, "sparsity: names", DalembertError)
        if labels:
            axis.set_yticks(range(len(labels)), labels, fontsize=7)
        axis.grid(False)
    return figure, axis


def topology(solution: Solution) -> tuple[Any, Any]:
    """Bodies and joints of the model as a graph: levels from the ground along the tree of the coordinates; joints that
    close loops as dashed arcs."""
    instance(solution, Solution, "topology: solution", DalembertError)
    if solution.appearance is None or not solution.appearance.bodies:
        raise DalembertError(
            f"topology of '{solution.title}': the run knows no bodies; simulate the equations of a model"
        )
    tree = tree_of(solution.appearance)
    with _Style() as plt:
        figure, axis = plt.subplots(
            figsize=(max(4.0, 1.3 * tree.width), max(2.5, 1.1 * tree.depth)), layout="constrained"
        )
        for joint in tree.joints:
            (x0, y0), (x1, y1) = tree.places[joint.first], tree.places[joint.second]
            curve = "arc3,rad=0.25" if joint.closing else "arc3"
            style = {"color": COLOURS[1] if joint.closing else "0.4", "ls": "--" if joint.closing else "-", "lw": 1.4}
            axis.annotate("", (x1, y1), (x0, y0), arrowprops={"arrowstyle": "-", "connectionstyle": curve, **style})
            bend = 0.12 * (y0 - y1) if joint.closing else 0.0
            axis.text(
                (x0 + x1) / 2 + bend, (y0 + y1) / 2 - 0.12 * (x0 - x1) * joint.closing, joint.label, fontsize=7,
                ha="center", va="center", color=style["color"], bbox={"fc": "white", "ec": "none", "pad": 0.6},
            )  # fmt: skip
        for name, (x, y) in tree.places.items():
            box = {"fc": "0.9" if y == 0 else "white", "ec": "0.3", "boxstyle": "round,pad=0.3"}
            axis.text(x, y, name, ha="center", va="center", fontsize=9, bbox=box)
        axis.set(xlim=(-0.8, tree.width - 0.2), ylim=(-tree.depth + 0.4, 0.6))
        axis.axis("off")
    return figure, axis


def modes(linear: Any) -> tuple[Any, Any]:
    """Eigenvalues of a linearisation in the complex plane, with frequencies in Hz at those that swing."""
    values = np.asarray(getattr(linear, "eigenvalues", linear))
    if values.ndim != 1 or values.dtype.kind not in "fc":
        raise DalembertError("modes: a linearisation is needed, as equations.linearise gives it, or its eigenvalues")
    with _Style() as plt:
        figure, axis = plt.subplots(figsize=(5.0, 4.4), layout="constrained")
        axis.axvline(0.0, color="0.6", lw=0.8)
        unstable = values.real > 0.0
        for mask, colour in ((~unstable, COLOURS[0]), (unstable, COLOURS[3])):
            axis.plot(values[mask].real, values[mask].imag, "o", ms=5, color=colour)
        for value in values:
            if value.imag > 0.0:
                place = {"xytext": (6, 0), "textcoords": "offset points", "fontsize": 7, "va": "center"}
                axis.annotate(f"{value.imag / (2 * np.pi):.3g} Hz", (value.real, value.imag), **place)
        axis.set_xlabel("real part / (1/s)")
        axis.set_ylabel("imaginary part / (1/s)")
    return figure, axis


# -------------------------------------------------------------------------------------------------------------- helpers


class _Style:
    """matplotlib with our settings, for as long as a figure is made."""

    def __enter__(self) -> Any:
        try:
            import matplotlib.pyplot as plt
        except ImportError as error:
            raise DalembertError("figures need matplotlib: pip install 'dalembert[plot]'") from error
        from cycler import cycler
        from matplotlib import rc_context

        self._context = rc_context({
            "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.alpha": 0.25,
            "lines.linewidth": 1.4, "axes.prop_cycle": cycler(color=COLOURS), "font.size": 9,
        })  # fmt: skip
        self._context.__enter__()
        return plt

    def __exit__(self, *error: Any) -> None:
        self._context.__exit__(*error)


def _grouped(chosen: list[Plotted]) -> list[list[Plotted]]:
    """Scalars with the same unit together; vectors, and what has no unit, by themselves."""
    groups: dict[Any, list[Plotted]] = {}
    for one in chosen:
        together = bool(one.unit) and len(one.rows) == 1
        groups.setdefault(one.unit if together else (one.name,), []).append(one)
    return list(groups.values())


def _scaled(group: list[Plotted]) -> tuple[float, str]:
    """A power of a thousand that brings the largest value below a thousand, and the unit with its prefix."""
    unit = group[0].unit
    largest = max((float(np.abs(one.rows[np.isfinite(one.rows)]).max(initial=0.0)) for one in group), default=0.0)
    if unit not in PREFIXED or not largest > 0.0:
        return 1.0, "" if unit == "1" else unit
    power = int(np.clip(3 * np.floor(np.log10(largest) / 3.0), -9, 9))
    return 10.0**power, PREFIXES[power] + unit


def _label(one: Plotted) -> str:
    return f"{one.name} / {one.unit}" if one.unit and one.unit != "1" else one.name


def _thinned(n: int) -> Any:
    return slice(None) if n <= MOST_POINTS else np.unique(np.linspace(0, n - 1, MOST_POINTS).round().astype(int))


def _mark_events(solution: Solution, axes: Any) -> None:
    many = len(solution.events) > MOST_NAMES
    for k, event in enumerate(solution.events):
        for axis in axes:
            axis.axvline(event.t, color=WARNING, ls=":", lw=1.0)
        label = str(k + 1) if many else event.name
        height = axes[0].get_xaxis_transform()
        axes[0].text(
            event.t, 1.0, label, rotation=90, va="top", ha="right", fontsize=7, color=WARNING, transform=height
        )


def _entries(matrix: Any) -> tuple[Any, Any, tuple[int, int], list[int]]:
    """Rows and columns of entries, the shape, and where blocks end."""
    if hasattr(matrix, "program"):
        M, G = (matrix.program("contract").patterns[key] for key in ("M", "G"))
        n, m = M.shape[0], G.shape[0]
        rows = np.concatenate([M.rows, n + G.rows, G.columns])
        columns = np.concatenate([M.columns, G.columns, n + G.rows])
        return rows, columns, (n + m, n + m), [n] if m else []
    if hasattr(matrix, "tocoo"):
        found = matrix.tocoo()
        return found.row, found.col, found.shape, []
    array = reals(matrix, "sparsity: matrix", DalembertError, ndim=2)
    rows, columns = np.nonzero(array)
    return rows, columns, (array.shape[0], array.shape[1]), []
