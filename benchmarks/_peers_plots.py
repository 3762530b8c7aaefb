"""Picture of docs/state_space.md: CPU time over accuracy for ours and other integrators on two stiff systems."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from _peers_sweep import Curve

NAME = "thesis_peers"
#: Ours by families (parts of the names of methods), and peers; colours and marks.
_OURS = {
    "Radau IIA": ("radau", "#1b4f72", "o"),
    "BDF": ("bdf", "#5d6d7e", "P"),
    "SDIRK, ESDIRK": ("sdirk", "#2e86c1", "s"),
    "Rosenbrock": ("rosenbrock", "#148f77", "^"),
    "Rodas": ("rodas", "#45b39d", "v"),
    "Newmark, HHT, generalised-α": ("trapezoidal hht generalised_alpha", "#7d3c98", "D"),
}
_PEERS = {"CVODE": ("#b03a2e", "o"), "IDA": ("#e67e22", "s"), "exudyn": ("#7f8c8d", "^")}


def draw(found: Sequence[tuple[str, Sequence[Curve]]], directory: Path) -> None:
    """Write the picture: a panel for each system."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "peers"  # the same file each time
    import matplotlib.pyplot as plt

    directory.mkdir(parents=True, exist_ok=True)
    figure, panels = plt.subplots(1, len(found), figsize=(5.2 * len(found), 4.6), squeeze=False)
    for axes, (title, curves) in zip(panels[0], found, strict=True):
        for label, (names, colour, mark) in _OURS.items():
            own = [curve for curve in curves if curve.kind == "ours" and _among(curve.name, names)]
            _envelope(axes, own, label, color=colour, marker=mark, linestyle="-")
        for label, (colour, mark) in _PEERS.items():
            theirs = [curve for curve in curves if curve.kind == "peer" and label in curve.name]
            _envelope(
                axes,
                theirs,
                label.capitalize() if label.islower() else label,
                color=colour,
                marker=mark,
                linestyle="--",
            )
        axes.set_title(title, fontsize=10)
        axes.set_yscale("log")
        axes.set_xlim(1.0, 7.0)
        axes.set_xlabel("digits")
        axes.set_ylabel("CPU time of the integration, ms")
        axes.grid(True, which="major", alpha=0.3)
    figure.legend(*panels[0][0].get_legend_handles_labels(), fontsize=8, loc="lower center", ncols=5)
    figure.tight_layout(rect=(0.0, 0.1, 1.0, 1.0))
    figure.savefig(directory / f"{NAME}.svg", metadata={"Date": None})
    plt.close(figure)


def _among(name: str, names: str) -> bool:
    """Whether a curve of ours belongs to a family."""
    method = name.split(", ")[-1].split()[0]
    return not method.startswith("descriptor") and any(part in method for part in names.split())


def _envelope(axes, curves, label, **style):  # type: ignore[no-untyped-def]
    """The runs that no other of the family beats in both digits and time."""
    points = sorted((point.digits, 1e3 * point.seconds) for curve in curves for point in curve.points)
    best = [(d, t) for k, (d, t) in enumerate(points) if all(other > t for _, other in points[k + 1 :])]
    if best:
        axes.plot(*zip(*best, strict=True), label=label, markersize=3.5, linewidth=1.2, **style)
