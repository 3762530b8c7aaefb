"""Pictures of docs/which_implicit.md, after figures of the thesis: the pendulum's first angle and its rate (Figs. 12,
13), the chassis over the bump (Fig. 17), times (Figs. 18 to 22), sizes of steps and iterations (Figs. 23 to 25)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import dalembert as da
from _common import Row
from _thesis_runs import METHODS
from _thesis_vehicle import Vehicle
from dalembert.integrate.run.monitor import StepReport

_LINE, _OTHER, _FAINT = "#1b4f72", "#b9770e", "#999999"


def plotting(salt: str) -> Any:
    """pyplot, with files that are the same each time."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = salt
    import matplotlib.pyplot as plt

    return plt


def save(figure: Any, directory: Path, name: str) -> None:
    """As SVG."""
    directory.mkdir(parents=True, exist_ok=True)
    figure.savefig(directory / f"{name}.svg", metadata={"Date": None}, bbox_inches="tight")


def draw(directory: Path) -> None:
    """All pictures of runs."""
    plt = plotting("thesis")
    save(_pendulum(plt), directory, "stiff_pendulum")
    vehicle = Vehicle.built("relative")
    save(_bump(plt, vehicle), directory, "stiff_vehicle")
    save(_steps(plt, vehicle), directory, "stiff_steps")


def _pendulum(plt: Any) -> Any:
    """Figs. 12 and 13, with the values that Tables 20 to 23 imply."""
    problem = da.problems.stiff_double_pendulum(start="rest")
    run = da.simulate(problem, method="radau", rtol=1e-8, atol=1e-8)
    t = np.linspace(*problem.span, 400)
    place = {"theta1": run.sol(t).q[2], "theta1.rate": run.sol(t).v[2]}
    figure, panels = plt.subplots(1, 2, figsize=(9, 3))
    for axes, name, label in zip(panels, place, ("θ₁ [rad]", "rate of θ₁ [rad/s]"), strict=True):
        axes.plot(t, place[name], color=_LINE, linewidth=1.2)
        seen = [(one.t, one.values[name]) for one in problem.observations if name in one.values]
        axes.plot(*np.array(seen).T, "o", color=_OTHER, markersize=4, label="implied by the tables of the thesis")
        axes.set_xlabel("t [s]")
        axes.set_ylabel(label)
        axes.grid(True, color="#eeeeee")
    panels[0].legend(fontsize=8)
    figure.tight_layout()
    return figure


def _bump(plt: Any, vehicle: Vehicle) -> Any:
    """Fig. 17: height of the chassis, and of its wheels."""
    run = vehicle.run(METHODS["ForSDIRK"], 4.0, 1e-5, max_step=0.01).solution
    figure, axes = plt.subplots(figsize=(7, 3.2))
    shown = (("ride.z", "chassis", _LINE, 1.4), ("LF hub.z", "front wheel", _OTHER, 1.0),
             ("LR hub.z", "rear wheel", _FAINT, 1.0))  # fmt: skip
    for name, label, colour, width in shown:
        height = np.asarray(run[name])
        axes.plot(run.t, 1000 * (height - height[0]), color=colour, linewidth=width, label=label)
    axes.set_xlabel("t [s]")
    axes.set_ylabel("height above the start [mm]")
    axes.grid(True, color="#eeeeee")
    axes.legend(fontsize=8)
    return figure


def _steps(plt: Any, vehicle: Vehicle) -> Any:
    """Figs. 23 to 25: steps of ForRosen and ForSDIRK over 4 s, of ForRosen over 30 s, iterations over 10 s."""
    figure, panels = plt.subplots(1, 3, figsize=(11, 3))
    for axes, length, names in ((panels[0], 4.0, ("ForRosen", "ForSDIRK")), (panels[1], 30.0, ("ForRosen",))):
        for name in names:
            steps = _reports(vehicle, name, length)
            colour = _LINE if name == "ForRosen" else _OTHER
            axes.semilogy(
                [one.t for one in steps], [one.step for one in steps], color=colour, linewidth=1.0, label=name
            )
        axes.set_ylabel("size of the step [s]")
        axes.legend(fontsize=8)
    steps = _reports(vehicle, "ForSDIRK", 10.0)
    panels[2].plot([one.t for one in steps], [one.iterations for one in steps], ".", color=_OTHER, markersize=4)
    panels[2].set_ylabel("iterations in all stages")
    for axes in panels:
        axes.set_xlabel("t [s]")
        axes.grid(True, color="#eeeeee")
    figure.tight_layout()
    return figure


def _reports(vehicle: Vehicle, name: str, length: float) -> list[StepReport]:
    """What the monitor tells of each step at 1e-3; no step longer than a second, as in the thesis."""
    found: list[StepReport] = []
    vehicle.run(METHODS[name], length, 1e-3, monitor=found.append, max_step=1.0)
    return found


def draw_times(
    rows: Mapping[tuple[str, str], Row], methods: Sequence[str], tolerances: Sequence[str], directory: Path
) -> None:
    """Figs. 18 to 22: CPU time for 4 s over the tolerance, ours beside the thesis, each over its explicit one."""
    plt = plotting("times")
    figure, panels = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True)
    for axes, title, attribute in zip(panels, ("here", "thesis"), ("ours", "paper"), strict=True):
        for name, mark in zip(methods, "os^dv", strict=True):
            share = [getattr(rows[name, at], attribute) / getattr(rows["explicit", at], attribute) for at in tolerances]
            axes.loglog([float(at) for at in tolerances], share, marker=mark, linewidth=1.0, label=name)
        axes.set_title(title, fontsize=10)
        axes.set_xlabel("tolerance")
        axes.invert_xaxis()
        axes.grid(True, color="#eeeeee")
    panels[0].set_ylabel("CPU time / explicit, 4 s")
    panels[0].legend(fontsize=8)
    save(figure, directory, "stiff_times")
