"""Draw the figures of the page of problems: ``python docs/figures/make_problems.py``."""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib
import numpy as np
from make_tutorials import AMBER, BLUE, GREY, RED, STYLE
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

import dalembert as da
from dalembert.problems import mechanisms
from dalembert.problems.mechanisms import rigs, vehicles

# Lines in space are seen from the front right, a little from above, with z upwards.
AZIMUTH, ELEVATION = np.radians(-60.0), np.radians(25.0)
VIEW = np.array([
    [-np.sin(AZIMUTH), np.cos(AZIMUTH), 0.0],
    [-np.sin(ELEVATION) * np.cos(AZIMUTH), -np.sin(ELEVATION) * np.sin(AZIMUTH), np.cos(ELEVATION)],
])  # fmt: skip
HERE = Path(__file__).parent
sys.path.append(str(HERE.parents[1] / "benchmarks"))
from _corrector_structure import newton_pattern  # noqa: E402


def hmmwv14() -> Figure:
    """The vehicle before the bump, and how it rides over it (Figure 17 of the thesis)."""
    figure = Figure(figsize=(7.0, 2.7), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    runs = {
        "stiff": (True, "envelope", BLUE, "-"),
        "not stiff": (False, "envelope", AMBER, "--"),
        "stiff, a point follows the road": (True, "point", RED, "-"),
    }
    for label, (stiff, road, color, style) in runs.items():
        example = mechanisms.hmmwv14(stiff, road=road)
        equations = example.model.equations()
        start = example.assemble(equations)
        run = da.simulate(equations, (0.0, 4.0), start, method="radau", rtol=1e-6, atol=1e-8, max_step=0.02)
        right.plot(run.t, run["ride.z"], color=color, linestyle=style, label=label)
    for name, line in equations.lines(np.zeros(1), start.q[:, None]).items():
        color = GREY if name == "chassis" else BLUE if "wheel" in name else AMBER
        left.plot(*(VIEW @ line[0].T), color=color, linewidth=0.9)
    bump = equations.parameters["bump_at"]
    angle = np.linspace(0.0, np.pi, 25)
    for y in (-1.2, 1.2):
        x, z = bump + vehicles.BUMP_RADIUS * np.cos(angle), vehicles.BUMP_RADIUS * np.sin(angle)
        left.plot(*(VIEW @ np.stack([x, np.full(25, y), z])), color=RED, linewidth=0.9)
    left.plot(*(VIEW @ np.array([[bump, bump], [-1.2, 1.2], [0.05, 0.05]])), color=RED, linewidth=0.9)
    left.set_aspect("equal")
    left.axis("off")
    right.set_xlabel("t in s")
    right.set_ylabel("height of the chassis in m")
    right.legend(fontsize=6.5)
    return figure


def carriage() -> Figure:
    """Entries of the Newton matrix of the carriage, and what happens in the S: lateral motion and wheel loads."""
    figure = Figure(figsize=(7.0, 2.9), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(2, 3))
    problem = da.problems.carriage()
    rows, columns = newton_pattern(problem.equations)
    entries = np.zeros((98, 98))
    entries[rows, columns] = 1.0
    left.imshow(entries, extent=(0.5, 98.5, 98.5, 0.5), cmap=ListedColormap(["white", BLUE]), interpolation="none")
    for edge in (41.5, 82.5, 90.5):
        left.axvline(edge, color=GREY, linewidth=0.4)
        left.axhline(edge, color=GREY, linewidth=0.4)
    left.set(xticks=(1, 41, 82, 98), yticks=(1, 41, 82, 98))
    run = da.simulate(problem, method="radau", rtol=1e-6, atol=1e-8, max_step=0.02)
    styles = {0: (BLUE, "first wheelset"), 6: (AMBER, "last wheelset")}
    for k, (color, label) in styles.items():
        right.plot(run.t, run.lam[k] / 1e3, color=color, label=f"{label}, left")
        right.plot(run.t, run.lam[k + 1] / 1e3, color=color, linestyle="--", label=f"{label}, right")
    right.set_xlabel("t in s")
    right.set_ylabel("loads of wheels in kN")
    right.legend(fontsize=6.5)
    return figure


def axle_rig() -> Figure:
    """The axle, and what stamp and tyre feel."""
    figure = Figure(figsize=(7.0, 2.7), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(3, 4))
    example = mechanisms.axle_rig()
    equations = example.model.equations()
    start = example.assemble(equations)
    run = da.simulate(equations, example.span, start, method="radau", rtol=1e-6, atol=1e-8, max_step=0.005)
    for name, line in equations.lines(np.zeros(1), start.q[:, None]).items():
        left.plot(*(VIEW @ line[0].T), color=BLUE if "wheel" in name else AMBER, linewidth=0.9)
    x, y, _ = vehicles.hard_points("LR")["wheel"]
    plate = np.array([[-0.3, 0.3, 0.3, -0.3, -0.3], [-0.25, -0.25, 0.25, 0.25, -0.25]])
    left.plot(*(VIEW @ np.stack([x + plate[0], y + plate[1], np.full(5, rigs.ROAD)])), color=RED, linewidth=1.2)
    left.set_aspect("equal")
    left.axis("off")
    right.plot(run.t, 1e-3 * run["stamp force"], color=RED, linewidth=0.8, label="stamp, left")
    right.plot(run.t, 1e-3 * run["load"], color=BLUE, linewidth=0.8, label="tyre, right")
    right.set_xlabel("t in s")
    right.set_ylabel("force on the wheel in kN")
    right.legend(fontsize=6.5, loc="upper left")
    return figure


def steered_car() -> Figure:
    """Rack, lateral acceleration and way."""
    figure = Figure(figsize=(7.0, 2.5), layout="constrained")
    rack, response, way = figure.subplots(1, 3)
    for amplitude, color in ((0.006, BLUE), (0.012, AMBER), (0.02, RED)):
        example = mechanisms.steered_car(amplitude=amplitude)
        equations = example.model.equations()
        start = example.assemble(equations)
        run = da.simulate(equations, example.span, start, method="radau", rtol=1e-6, atol=1e-8, max_step=0.02)
        rack.plot(run.t, 1e3 * run["rack displacement"], color=color)
        response.plot(run.t, run["lateral acceleration"], color=color)
        way.plot(run["ride.x"], run["ride.y"], color=color, label=f"{1e3 * amplitude:g} mm")
    for ax, label in ((rack, "rack in mm"), (response, "lateral acceleration in m/s²")):
        ax.set_xlabel("t in s")
        ax.set_ylabel(label)
    way.set_xlabel("x in m")
    way.set_ylabel("y in m")
    way.legend(fontsize=6.5, loc="lower left")
    return figure


FIGURES = {"carriage": carriage, "hmmwv14": hmmwv14, "axle_rig": axle_rig, "steered_car": steered_car}


def main() -> None:
    """Write NAME.svg for all."""
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": "problems"}):
        for name, draw in FIGURES.items():
            draw().savefig(HERE / f"{name}.svg", metadata={"Date": None, "Creator": None}, facecolor="white")


if __name__ == "__main__":
    main()
