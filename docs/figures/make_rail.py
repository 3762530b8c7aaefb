"""Draws the pictures of docs/rail_contact.md: ``python docs/figures/make_rail.py``."""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from _railway_contact import CREEP, CREEP_CONTACT, CREEP_FASTSIM, FRICTION, PLACES, STEEL, WIDE
from dalembert.rail import (
    Arc,
    Clothoid,
    ContactTable,
    Fastsim,
    Linear,
    Pair,
    Polach,
    Quintic,
    ShenHedrickElkins,
    Straight,
    Track,
    feve_rail,
    feve_wheel,
    loaded_patch,
    s1002,
    spectrum,
    touching,
    uic60,
    uic60_of_benchmark,
)

FOLDER = Path(__file__).parent
plt.rcParams.update({"svg.hashsalt": "rail", "font.size": 9, "axes.grid": True, "grid.alpha": 0.3})


def save(figure: plt.Figure, name: str) -> None:
    figure.savefig(FOLDER / f"{name}.svg", metadata={"Date": None})
    plt.close(figure)


def profiles() -> None:
    figure, axes = plt.subplots(2, 2, figsize=(9, 5), layout="constrained")
    for column, pair in enumerate(((s1002(), uic60()), (feve_wheel(), feve_rail()))):
        for profile in pair:
            profile.plot(axes[0, column])
            u = np.linspace(*profile.valid, 1200)
            axes[1, column].plot(1e3 * u, profile.curvature(u), label=profile.name)
        axes[0, column].legend(fontsize="small")
        if column == 0:
            axes[1, column].set_ylim(-40, 100)
        else:
            axes[0, column].set_aspect("auto")
        axes[1, column].set_xlabel("u [mm]")
        axes[1, column].set_ylabel("curvature [1/m]")
    save(figure, "rail_profiles")


def contacts() -> None:
    wheels, rails = Pair(s1002(), 1.5), Pair.of_gauge(uic60())
    table = ContactTable(wheels, rails, np.linspace(-8e-3, 8e-3, 81))
    save(table.plot()[0].figure, "rail_contact_table")
    sizes = np.linspace(0.5e-3, 7.5e-3, 57)
    figure, axes = plt.subplots(figsize=(6, 3), layout="constrained")
    axes.plot(1e3 * sizes, table.equivalent_conicity(sizes))
    axes.set_xlabel("amplitude [mm]")
    axes.set_ylabel("equivalent conicity")
    axes.set_ylim(0, None)
    save(figure, "rail_conicity")


def places() -> None:
    wheels, rails = Pair(s1002(), 1.5), Pair.of_gauge(uic60_of_benchmark())
    y = np.linspace(0.0, 10.0, 51)
    touches = [touching(wheels, rails, -1e-3 * one, -2.4e-3 * one) for one in y]
    figure, axes = plt.subplots(figsize=(7, 3.6), layout="constrained")
    axes.plot(y, [-1e3 * one.left.u_w for one in touches], "-", label="rigid")
    for method, style in (("kik-piotrowski", ":"), ("hertz", "--")):
        loaded = [-1e3 * loaded_patch(wheels, rails, one, "left", 1e4, STEEL, method=method).u_w for one in touches]
        axes.plot(y, loaded, style, label=f"10 kN, {method}")
    axes.plot([place.y for place in PLACES], [place.on_wheel for place in PLACES], "ko", ms=4, label="CONTACT, 10 kN")
    axes.set_xlabel("displacement of the wheelset to the right [mm]")
    axes.set_ylabel("contact on the left wheel [mm]")
    axes.legend()
    save(figure, "rail_places")


def creep() -> None:
    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    xi = np.linspace(1e-6, 0.006, 241)
    laws = {
        "linear": Linear(STEEL),
        "Vermeulen–Johnson, Shen–Hedrick–Elkins": ShenHedrickElkins(STEEL),
        "Polach": Polach(STEEL),
        "FASTSIM 20 × 20, ends": Fastsim(STEEL),
        "FASTSIM 20 × 20, middles": Fastsim(STEEL, marching="middles"),
    }
    for name, law in laws.items():
        force = [-law.force(*WIDE, np.array([one, 0.0, 0.0]), FRICTION)[0] / 1e3 for one in xi]
        axes.plot(1e2 * xi, force, label=name)
    axes.plot(1e2 * np.array(CREEP[:-1]), np.array(CREEP_CONTACT[:-1]) / 1e3, "ko", ms=4, label="CONTACT")
    axes.plot(1e2 * np.array(CREEP[:-1]), np.array(CREEP_FASTSIM[:-1]) / 1e3, "k+", label="CONTACT's FASTSIM")
    axes.set_ylim(0, 40)
    axes.set_xlabel("creepage ξ [%]")
    axes.set_ylabel("−F_x [kN]")
    axes.legend(fontsize="small", loc="lower right")
    save(figure, "rail_creep")


def track() -> None:
    segments = [Straight(40.0), Clothoid(60.0), Arc(80.0, 600.0, cant=0.1), Clothoid(60.0), Straight(20.0)]
    made = Track(
        [*segments, Quintic(-10.0, 200.0, cant=0.05), Straight(40.0)], distance=1.5, irregularities=[spectrum("low", 1)]
    )
    save(made.plot()[0].figure, "rail_track")


if __name__ == "__main__":
    for draw in (profiles, creep, places, track, contacts):
        draw()
