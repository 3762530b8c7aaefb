"""Draw the figures of the pages on smooth motion and flexible bodies: ``python docs/figures/make_smooth_motion.py``;
with names, some of them.

After Figs. 1 and 3 to 6 of Rheinboldt and Simeon; motions are those of benchmarks/smooth.py.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.figure import Figure

import dalembert as da

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "benchmarks"))

import _smooth_crank as cranks  # noqa: E402
import _smooth_flexible as flexible  # noqa: E402
import _smooth_truck as trucks  # noqa: E402

STYLE = {
    "svg.fonttype": "none", "svg.hashsalt": "smooth", "font.size": 8, "axes.spines.top": False,
    "axes.spines.right": False, "lines.linewidth": 1.0, "legend.frameon": False,
}  # fmt: skip
BLUE, RED, GREY = "#3d5a80", "#d1495b", "#888888"


def pendulum() -> Figure:
    """Fig. 1: deflection from both starts, and the quasi-static one."""
    figure = Figure(figsize=(7.0, 2.4), layout="constrained")
    axes = figure.subplots()
    t = np.linspace(0.0, 1.0, 1001)
    for start, color, line in (("rigid", RED, "--"), ("smooth", BLUE, "-")):
        problem = da.problems.elastic_pendulum(start=start)
        run = da.simulate(problem, rtol=1e-9, atol=1e-12)
        axes.plot(t, 1e3 * run.sol(t).q[1], line, color=color, label=f"{start} start")
    partition = da.Partition(problem.equations, ["q"])
    smooth = partition.motion(da.simulate(partition.rigid, (0, 1), ([0.0], [0.0]), rtol=1e-9, atol=1e-11), t)
    axes.plot(t, 1e3 * smooth["q"], ":", color="black", label="quasi-static")
    axes.set(xlabel="t in s", ylabel="1000 q")
    axes.legend(ncols=3, fontsize=7)
    return figure


def starts() -> Figure:
    """Fig. 3: bending and stretching of the rod after three starts."""
    crank, _, _ = cranks.periodic()
    smooth = crank.start()
    q = np.array(smooth.q)
    q[2] = crank.problem.q0[2]
    given = {
        "a: q = 0": (crank.problem.q0, crank.problem.v0),
        "b: projected in the metric of M": crank.problem.equations.assemble(q, smooth.v),
        "c: fast values fixed": smooth,
    }
    figure = Figure(figsize=(7.0, 3.4), layout="constrained")
    t = np.linspace(0.0, 0.04, 2001)
    for column, (title, start) in zip(figure.subplots(2, 3, sharex=True, sharey="row").T, given.items(), strict=True):
        motion = crank.run(start, 0.04, 1e-9).sol(t).q
        column[0].plot(1e3 * t, 1e3 * motion[3], color=BLUE)
        column[1].plot(1e3 * t, 1e6 * motion[6], color=BLUE, linewidth=0.7)
        column[0].set_title(title, fontsize=8)
        column[1].set_xlabel("t in ms")
        if title.startswith("a"):
            column[0].set_ylabel("q1 in mm")
            column[1].set_ylabel("q4 in µm")
    return figure


def variable() -> Figure:
    """Fig. 4: the crank of variable speed, both partitions."""
    t = np.linspace(0.0, 0.1, 2001)
    found = cranks.variable(t)
    figure = Figure(figsize=(7.0, 3.4), layout="constrained")
    for column, name in zip(figure.subplots(2, 2, sharex=True, sharey="row").T, ("smooth", "shifted"), strict=True):
        for axes, k, factor in ((column[0], 0, 1e3), (column[1], 3, 1e6)):
            axes.plot(1e3 * t, factor * found["full"][k], color=BLUE, label="full solution")
            axes.plot(1e3 * t, factor * found[name][k], ":", color=RED, label="smooth motion")
        column[0].set_title("q1 to q4 fast" if name == "smooth" else "q3, q4 fast", fontsize=8)
        column[1].set_xlabel("t in ms")
        if name == "smooth":
            column[0].set_ylabel("q1 in mm")
            column[1].set_ylabel("q4 in µm")
            column[0].legend(fontsize=6.5)
    return figure


def truck() -> Figure:
    """Figs. 5 and 6: the truck with its loading area bent 300 times as much, and two of its nodes that move."""
    figure = Figure(figsize=(7.0, 4.6), layout="constrained")
    grid = figure.add_gridspec(2, 2, height_ratios=(1.5, 1.0))
    whole = figure.add_subplot(grid[0, :])
    problem, k = trucks.truck().problem, 700
    run = trucks.truck().full(*trucks.TOLERANCES[2]).sol(trucks.TIMES).q
    q = np.array(run[:, k])
    n = trucks.N_RIGID
    q[n:] = run[n:, 0] + 300.0 * (run[n:, k] - run[n:, 0])
    for part, line in problem.sketch(trucks.TIMES[k], q, problem.p).items():
        points = np.asarray(line)
        color = RED if part == "loading area" else BLUE if part == "load" else GREY
        whole.plot(*points.T, color=color, linewidth=1.2)
    whole.set(aspect="equal", xlabel="x in m", ylabel="z in m")
    full, smooth = trucks.Curve.of(run, 0.0), trucks.smooth()
    for column, (place, factor, unit) in enumerate((("near the hinge", 1e6, "µm"), ("front end", 1e3, "mm"))):
        axes = figure.add_subplot(grid[1, column])
        axes.plot(trucks.TIMES, factor * full.values[place], color=BLUE, label="full solution")
        axes.plot(trucks.TIMES, factor * smooth.values[place], ":", color=RED, label="smooth motion")
        axes.set(xlabel="t in s", ylabel=f"{place} in {unit}")
        if not column:
            axes.legend(fontsize=6.5)
    return figure


def rotating() -> Figure:
    """Flap and lag of a cantilever over its speed of rotation, from models, with stiffening and without."""
    figure = Figure(figsize=(7.0, 2.6), layout="constrained")
    axes = figure.subplots()
    speeds = np.linspace(0.0, 12.0, 9)
    for label, direction, color in (("flap", "z", BLUE), ("lag", "y", RED)):
        found = [flexible.rotating_frequency(eta, direction, 8) for eta in speeds]
        axes.plot(speeds, found, "o-", markersize=3, color=color, label=label)
    soft = np.linspace(0.0, 3.516, 200)
    axes.plot(soft, np.sqrt(np.maximum(3.51602**2 - soft**2, 0.0)), ":", color=RED, label="lag, without stiffening")
    axes.plot(speeds, speeds, color=GREY, linewidth=0.6)
    axes.annotate("once per turn", (9.3, 8.2), fontsize=7, color=GREY)
    axes.set(xlabel="speed of rotation η", ylabel="first frequency")
    axes.legend(fontsize=7)
    return figure


FIGURES = {
    "smooth_pendulum": pendulum, "smooth_starts": starts, "smooth_variable": variable, "smooth_truck": truck,
    "elastic_rotating": rotating,
}  # fmt: skip


def main() -> None:
    """All of them, or those that are named."""
    with matplotlib.rc_context(STYLE):
        for name in sys.argv[1:] or FIGURES:
            FIGURES[name]().savefig(HERE / f"{name}.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
