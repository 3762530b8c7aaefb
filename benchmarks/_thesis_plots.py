"""Pictures of docs/linear_algebra.md: graph of joints and reduced matrix, in a bad and in a good order of joints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from _thesis_systems import Mechanism
from dalembert.linalg.orders.joint_order import BlockProfile, block_profile, joint_graph

_FILES = {"seven-body mechanism": "linalg_joints_seven_body", "chain of 50": "linalg_joints_chain"}
_ENTRY, _ENVELOPE, _EDGE = "#1b4f72", "#d6e4ee", "#999999"


def draw(
    cases: Iterable[tuple[Mechanism, Sequence[int]]],
    good_order: Callable[[Any], Sequence[int]],
    directory: Path,
) -> None:
    """Write a picture for each mechanism with its bad order."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "joints"  # the same file each time
    import matplotlib.pyplot as plt

    directory.mkdir(parents=True, exist_ok=True)
    for mechanism, bad in cases:
        neighbours = joint_graph(mechanism.structure).neighbours
        orders = list(bad), list(good_order(neighbours))
        drawn = len(neighbours) <= 20  # a long chain shows nothing as a graph
        figure, panels = plt.subplots(2 if drawn else 1, 2, figsize=(8, 7.2 if drawn else 4.2), squeeze=False)
        for column, (title, order) in enumerate(zip(("bad", "good"), orders, strict=True)):
            if drawn:
                _graph(panels[0, column], neighbours, order)
            found = block_profile(neighbours, order)
            _matrix(panels[-1, column], neighbours, order, found)
            panels[-1, column].set_title(
                f"{title} order: bandwidth {found.bandwidth}, profile {found.profile}, work {found.work}", fontsize=9
            )
        figure.savefig(directory / f"{_FILES[mechanism.name]}.svg", metadata={"Date": None}, bbox_inches="tight")
        plt.close(figure)


def _graph(axes: Any, neighbours: Sequence[set[int]], order: Sequence[int]) -> None:
    """Joints as circles with their numbers, bodies that they share as lines; places by a spring model from a circle."""
    at = _places(neighbours)
    for k, others in enumerate(neighbours):
        for other in others:
            if other > k:
                axes.plot(*at[[k, other]].T, color=_EDGE, linewidth=1.0, zorder=1)
    number = {joint: k + 1 for k, joint in enumerate(order)}
    axes.scatter(*at.T, s=190, color="white", edgecolors=_ENTRY, zorder=2)
    for k in range(len(neighbours)):
        axes.text(*at[k], str(number[k]), ha="center", va="center", fontsize=8, zorder=3)
    axes.set_aspect("equal")
    axes.margins(0.12)  # circles are larger than the points that axes know
    axes.axis("off")


def _places(neighbours: Sequence[set[int]]) -> Any:
    """Joints that share a body near each other, all others apart."""
    n = len(neighbours)
    angles = 2 * np.pi * np.arange(n) / n
    at = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    tied = np.array([[other in neighbours[k] for other in range(n)] for k in range(n)])
    for step in np.linspace(0.1, 0.005, 600):
        apart = at[:, None] - at[None]
        distance = np.linalg.norm(apart, axis=2) + np.eye(n)
        push = (0.08 / distance**2 - tied * distance)[..., None] * apart / distance[..., None]
        force = push.sum(axis=1)
        at = at + step * force / np.maximum(np.linalg.norm(force, axis=1, keepdims=True), 1.0)
    return at - at.mean(axis=0)


def _matrix(axes: Any, neighbours: Sequence[set[int]], order: Sequence[int], found: BlockProfile) -> None:
    """Blocks of B, and the envelope behind them."""
    n = len(order)
    shown = np.zeros((n, n))
    for i, width in enumerate(found.widths):
        shown[i, i - width : i + 1] = shown[i - width : i + 1, i] = 1
    for i, joint in enumerate(order):
        for j, other in enumerate(order):
            if i == j or other in neighbours[joint]:
                shown[i, j] = 2
    from matplotlib.colors import ListedColormap

    axes.imshow(shown, cmap=ListedColormap(["white", _ENVELOPE, _ENTRY]), vmin=0, vmax=2, interpolation="nearest")
    axes.set_xticks([])
    axes.set_yticks([])
