"""Draw the figures of the tutorials on models: ``python docs/figures/make_tutorials.py``.

The code of each page is run as it stands; what it leaves is drawn.
"""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure

HERE = Path(__file__).parent
STYLE = {
    "svg.fonttype": "none", "svg.hashsalt": "tutorials", "font.size": 8, "axes.spines.top": False,
    "axes.spines.right": False, "lines.linewidth": 1.3, "legend.frameon": False,
}  # fmt: skip
BLUE, AMBER, RED, GREEN, GREY = "#3d5a80", "#a5701b", "#d1495b", "#1b7f5c", "#888888"


def ran(name: str) -> SimpleNamespace:
    """Names that the code of a tutorial leaves."""
    (page,) = (HERE.parent / "tutorials").glob(f"{name}*.md")
    names: dict[str, Any] = {}
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for code in re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
            exec(code, names)
        os.chdir(before)
    return SimpleNamespace(**names)


def four_bar() -> Figure:
    """The linkage in motion, and the torque that a constant speed takes."""
    page = ran("06")
    figure = Figure(figsize=(7.0, 2.9), layout="constrained")
    left, right = figure.subplots(1, 2)
    lines = page.driven.lines(page.times, page.motion.q)
    shown = range(0, len(page.times) - 1, 10)
    for (name, points), color in zip(lines.items(), (BLUE, AMBER, RED), strict=True):
        for k in shown:
            left.plot(*points[k].T, color=color, alpha=1.0 if k == 0 else 0.22, solid_capstyle="round")
        left.plot([], [], color=color, label=name)
    middle = lines["coupler"].mean(axis=1)
    left.plot(*middle.T, color=GREEN, linewidth=0.9, label="middle of the coupler")
    left.plot([0, 0.8], [0, 0], "o", color="black", markersize=4)
    left.set_aspect("equal")
    left.set_xlabel("x in m")
    left.set_ylabel("y in m")
    left.legend(fontsize=6.5, loc="upper left")
    left.set_ylim(-0.25, 0.85)
    motor = 2.0 - 0.1 * 2 * np.pi
    right.axhline(0.0, color=GREY, linewidth=0.6)
    right.plot(np.degrees(page.motion["A.angle"] - 1.0), page.motion["turn.value"] + motor, color=RED)
    right.set_xlabel("angle from the start in degrees, 1 turn/s")
    right.set_ylabel("torque on the crank in N m")
    right.set_xticks(range(0, 361, 90))
    return figure


def quarter_car() -> Figure:
    """Over the bump with three dampers, and what waves do."""
    page = ran("07")
    figure = Figure(figsize=(7.0, 2.7), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    for c, color in ((500.0, AMBER), (1500.0, BLUE), (4000.0, RED)):
        run = page.drive(page.m, page.eqs, page.rest, c=c)
        left.plot(run.t, 100 * (run["ride"] - run["ride"][0]), color=color, label=f"c = {c:.0f} Ns/m")
        middle.plot(run.t, run["load"] / 1e3, color=color)
    left.set_ylabel("lift of the chassis in cm")
    left.legend(fontsize=6.5)
    middle.set_ylabel("load of the tyre in kN")
    for ax in (left, middle):
        ax.set_xlabel("t in s")
        ax.set_xlim(0.8, 3.0)
    f = np.geomspace(0.3, 30, 300)
    right.loglog(f, [page.gain(one) for one in f], color=BLUE, label="linearised")
    right.plot([3.0], [np.ptp(page.lift) / 2 / 0.005], "o", color=RED, markersize=4, label="run over waves")
    right.set_xlabel("frequency in Hz")
    right.set_ylabel("amplitude of chassis / road")
    right.legend(fontsize=6.5)
    return figure


def clock() -> Figure:
    """Ticks of the clock."""
    page = ran("08")
    figure = Figure(figsize=(7.0, 2.7), layout="constrained")
    left, right = figure.subplots(1, 2)
    t = np.linspace(0, 6, 3000)
    q = dict(zip(page.eqs.names["q"], page.sol.sol(t).q, strict=True))
    left.plot(t, q["pendulum.angle"], color=BLUE, label="pendulum, in rad")
    left.plot(t, 0.1 * q["wheel.angle"] * page.TEETH / (2 * np.pi), color=AMBER, label="wheel, in 10 teeth")
    left.legend(fontsize=6.5, loc="upper left")
    left.set_xlabel("t in s")
    play = q["pendulum.angle"] - page.WAVE * np.cos(page.TEETH * q["wheel.angle"])
    right.plot(t, play, color=GREEN)
    for bound in (-page.PLAY, page.PLAY):
        right.axhline(bound, color=GREY, linewidth=0.8)
    right.set_xlabel("t in s")
    right.set_ylabel("play between the pallets in rad")
    return figure


def hmmwv14_ride() -> Figure:
    """Body and hubs over the bump, and the steps that were taken."""
    page = ran("09")
    figure = Figure(figsize=(7.0, 2.7), layout="constrained")
    left, right = figure.subplots(1, 2)
    run = page.da.simulate(page.eqs, (0.0, 4.0), page.start, t_eval=page.t, method="sdirk4", rtol=1e-4, atol=1e-4)
    shown = (("ride.z", BLUE, "body"), ("LF hub.z", AMBER, "front hub"), ("LR hub.z", RED, "rear hub"))
    for sensor, color, label in shown:
        left.plot(run.t, 1e3 * (run[sensor] - run[sensor][0]), color=color, label=label)
    left.set_xlabel("t in s")
    left.set_ylabel("height above that at rest in mm")
    left.legend(fontsize=6.5)
    right.semilogy(page.sol.t[1:], np.diff(page.sol.t), ".-", color=GREEN, markersize=3, linewidth=0.6)
    right.set_xlabel("t in s")
    right.set_ylabel("size of the steps in s")
    return figure


def critical_speed() -> Figure:
    """The tread that was measured, its rolling-radius difference, and runs on both sides of the critical speed."""
    page = ran("10")
    figure = Figure(figsize=(7.0, 2.5), layout="constrained")
    left, middle, right = figure.subplots(1, 3, width_ratios=(1.0, 1.0, 1.5))
    u = np.linspace(*page.wheel.valid, 400)
    left.plot(page.points[:, 0], page.points[:, 1], ".", color=GREY, markersize=2)
    left.plot(1e3 * u, 1e3 * (page.wheel(u) - page.wheel(0.0)), color=BLUE)
    left.set_xlabel("u in mm")
    left.set_ylabel("height of the tread in mm")
    y = 1e3 * page.table.y
    middle.plot(y, 1e3 * page.table.rolling_radius_difference, color=BLUE, label="worn wheel")
    middle.plot(y, 2.0 * 0.02 * y, color=GREY, label="cone 1 : 50")
    middle.set_xlabel("displacement in mm")
    middle.set_ylabel("difference of rolling radii in mm")
    middle.legend(fontsize=6.5)
    t = np.linspace(0.0, 4.0, 1601)
    for (part, run), color in zip(page.runs.items(), (BLUE, RED), strict=True):
        moved = 1e3 * run.sol(t).q[page.y]
        right.plot(t, moved, color=color, linewidth=0.9, label=f"{part * page.critical:.1f} m/s")
    right.set_xlabel("t in s")
    right.set_ylabel("displacement in mm")
    right.legend(fontsize=6.5, ncols=2)
    return figure


FIGURES = {
    "four_bar": four_bar, "quarter_car": quarter_car, "clock": clock, "hmmwv14_ride": hmmwv14_ride,
    "critical_speed": critical_speed,
}  # fmt: skip


def main() -> None:
    """Write NAME.svg for all."""
    with matplotlib.rc_context(STYLE):
        for name, draw in FIGURES.items():
            draw().savefig(HERE / f"{name}.svg", metadata={"Date": None, "Creator": None}, facecolor="white")


if __name__ == "__main__":
    main()
