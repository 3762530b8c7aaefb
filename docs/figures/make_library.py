"""Draw all sketches of the page of joints, constraints and forces: ``python docs/figures/make_library.py``.

Each public method of a model that adds a joint, constraint, force or limit has a sketch of its name.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import library_forces
import library_joints
import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "library",
    "font.family": "sans-serif",
    "mathtext.fontset": "dejavusans",
}
SKETCHES: dict[str, Callable[[Axes], None]] = {
    sketch.__name__: sketch for sketch in (*library_joints.SKETCHES, *library_forces.SKETCHES)
}


def drawn(name: str) -> Figure:
    """One sketch."""
    figure = Figure(figsize=(2.5, 1.9))
    ax = figure.subplots()
    SKETCHES[name](ax)
    show_all(ax)
    figure.subplots_adjust(0.01, 0.01, 0.99, 0.99)
    return figure


def show_all(ax: Axes) -> None:
    """Limits around everything, at least those of a sketch of the usual size."""
    ax.set_aspect("equal")
    ax.axis("off")
    low, high = ax.dataLim.min, ax.dataLim.max
    middle, size = (low + high) / 2, np.maximum(high - low + 0.35, (2.9, 2.2))
    ax.set_xlim(middle[0] - size[0] / 2, middle[0] + size[0] / 2)
    ax.set_ylim(middle[1] - size[1] / 2, middle[1] + size[1] / 2)


def main() -> None:
    """Write library/NAME.svg for all."""
    folder = Path(__file__).parent / "library"
    folder.mkdir(exist_ok=True)
    with matplotlib.rc_context(STYLE):
        for name in SKETCHES:
            drawn(name).savefig(folder / f"{name}.svg", metadata={"Date": None, "Creator": None}, facecolor="white")


if __name__ == "__main__":
    main()
