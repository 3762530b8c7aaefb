"""Draws Figures 7–9 and 11–14 of the railway paper for docs/rail.md: ``python docs/figures/make_railway.py``.

Runs are bilateral, and go on beyond the range of the profiles, along their tangents: the dotted lines are where it is
left.  S1 as it is described overturns; it is drawn up to where a wheel lifts off, and beside it with the other set of
data, worn wheels and creep forces that saturate.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
import numpy as np

import dalembert as da
from dalembert.problems.mechanisms.locomotive import CURVE_START, OFFSET, SCENARIOS, locomotive
from dalembert.symbolic import SparseMatrix

FOLDER = Path(__file__).parent
plt.rcParams.update({"svg.hashsalt": "railway", "font.size": 9, "axes.grid": True, "grid.alpha": 0.3})
WHEEL = "rear bogie front right"
#: Steps of which the largest count is drawn
BIN = 20


def save(figure: plt.Figure, name: str) -> None:
    figure.savefig(FOLDER / f"{name}.svg", metadata={"Date": None})
    plt.close(figure)


def filled(matrix: Any) -> Any:
    """Which entries are not zero by their structure."""
    found = SparseMatrix.from_dense(matrix)
    pattern = np.zeros(found.shape, dtype=bool)
    pattern[found.rows, found.columns] = True
    return pattern


def patterns() -> None:
    """Figures 7, 8, 9: the matrix with auxiliary variables as coordinates, without them, and with M + Δ C."""
    model = locomotive("S2").model
    figure, axes = plt.subplots(1, 3, figsize=(10, 3.6), layout="constrained")
    for k, (auxiliary, title) in enumerate((
        ("augmented", "Fig. 7: augmented"), ("embedded", "Fig. 8: embedded"), ("embedded", "Fig. 9: with M + Δ C"),
    )):  # fmt: skip
        x = model.equations(auxiliary=auxiliary).innermost.expressions
        M, G = filled(x.M), filled(x.G)
        if k == 2:
            M = M | filled(x.viscosity)
        whole = np.block([[M, G.T], [G, np.zeros((len(G), len(G)), dtype=bool)]])
        axes[k].imshow(whole, cmap="Blues", interpolation="nearest", vmax=1.3)
        axes[k].set_title(f"{title}\n{len(whole)} rows, {int(whole.sum())} entries", fontsize=9)
        axes[k].grid(visible=False)
    save(figure, "railway_patterns")


class Journey:
    """A run of a scenario, with the corrections of each of its steps."""

    def __init__(self, scenario: str, span: float, title: str = "", **options: Any) -> None:
        example = locomotive(scenario, unilateral=False, ranged=False, **options)
        self.scenario, self.equations, self.title = scenario, example.model.equations(), title or scenario
        self.reports: list[Any] = []
        self.run = da.simulate(
            self.equations, (0.0, span), example.assemble(self.equations), method=da.Imex(step=1e-3),
            dense_output=False, monitor=self.reports.append,
        )  # fmt: skip
        left = [record.t for record in self.run.events if "leaves the range" in record.name]
        self.left = left[0] if left else None

    def q(self, name: str) -> Any:
        return self.run.q[self.equations.index("q", name)]

    def creep(self, every: int = 10) -> tuple[Any, Any, Any]:
        """Instants, sliding velocities and forces of a wheel."""
        r = self.run
        wheel = next(one for one in self.equations.layout.with_auxiliary if one.name == WHEEL)
        chosen = range(0, len(r.t), every)
        states = [da.State(r.t[k], r.q[:, k], r.v[:, k], r.a[:, k], r.lam[:, k], r.u[:, k]) for k in chosen]
        found = [
            [self.equations.evaluate_quantity(one, state) for state in states]
            for one in (wheel.creepages, wheel.creep_forces)
        ]
        return r.t[::every], np.array(found[0]), np.array(found[1])

    def mark(self, *axes: Any) -> None:
        for one in axes:
            if self.left is not None:
                one.axvline(self.left, color="k", ls=":", lw=0.8)


def offset(scenario: str, x: Any, y: Any) -> Any:
    """Distance of a point from the middle of the track, to its left."""
    length = SCENARIOS[scenario].curve
    at = np.clip((x - CURVE_START) / length, 0.0, 1.0)
    middle = OFFSET * at**3 * (10.0 - 15.0 * at + 6.0 * at * at)
    slope = OFFSET / length * 30.0 * (at * (1.0 - at)) ** 2
    return (y - middle) / np.hypot(1.0, slope)


def trajectories(journeys: list[Journey]) -> None:
    """Figures 11 and 12."""
    figure, axes = plt.subplots(len(journeys), 3, figsize=(10, 2.4 * len(journeys)), layout="constrained")
    for row, one in zip(axes, journeys, strict=True):
        x, y, z = (one.q(f"vehicle.{axis}") for axis in "xyz")
        row[0].plot(x, y)
        row[1].plot(x, z)
        for panel, labels in zip(row[:2], (("x, m", "y, m"), ("x, m", "z, m")), strict=True):
            panel.set(xlabel=labels[0], ylabel=labels[1], title=f"Fig. 11, {one.title}")
        row[2].plot(one.run.t, 1e3 * offset(one.scenario, x, y))
        row[2].set(xlabel="t, s", ylabel="offset from the track, mm", title=f"Fig. 12, {one.title}")
        one.mark(row[2])
    save(figure, "railway_trajectories")


def creeps(journeys: list[Journey]) -> None:
    """Figure 13."""
    figure, axes = plt.subplots(len(journeys), 3, figsize=(10, 2.4 * len(journeys)), layout="constrained")
    for row, one in zip(axes, journeys, strict=True):
        t, nu, force = one.creep()
        row[0].plot(t, nu[:, :2], label=["ξ", "η"])
        row[1].plot(t, 1e-3 * force[:, :2], label=["$F_x$", "$F_y$"])
        row[2].plot(t, force[:, 2], label="$M_z$")
        for panel, label in zip(row, ("creepage", "force, kN", "moment, N m"), strict=True):
            panel.set(xlabel="t, s", ylabel=label, title=f"Fig. 13, {one.title}")
            panel.legend(fontsize=7)
        one.mark(*row)
    save(figure, "railway_creep")


def corrections(journeys: list[Journey]) -> None:
    """Figure 14: corrections of surface parameters in a step, the most of 20 ms."""
    figure, axes = plt.subplots(len(journeys), 1, figsize=(9, 1.9 * len(journeys)), layout="constrained")
    for panel, one in zip(axes, journeys, strict=True):
        t = np.array([report.t for report in one.reports])
        counts = np.array([report.extra["auxiliary_iterations"] for report in one.reports])
        whole = len(t) // BIN * BIN
        panel.plot(t[:whole:BIN], counts[:whole].reshape(-1, BIN).max(axis=1), ".", ms=3)
        panel.set(xlabel="t, s", ylabel="corrections", title=f"Fig. 14, {one.title}")
        one.mark(panel)
    save(figure, "railway_corrections")


def main() -> None:
    patterns()
    # S1 up to where a wheel lifts off; its curve with data with which it can be run through; S2
    journeys = [
        Journey("S1", 3.0),
        Journey("S1", 20.0, "S1, plausible data", data="plausible", profiles="worn", law="polach"),
        Journey("S2", 30.0),
    ]
    trajectories(journeys)
    creeps(journeys)
    corrections(journeys)


if __name__ == "__main__":
    main()
