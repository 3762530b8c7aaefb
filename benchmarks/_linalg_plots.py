"""Pictures of docs/linear_algebra.md: sparsity before and after elimination, cost against the number of insulators."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from _insulators import insulators
from dalembert.linalg.factors.symmetric_sparse import analyse_symmetric_sparse
from dalembert.linalg.orders.order import saddle_order, symmetric_neighbours

#: Modes with full matrices are drawn thin: they are not what one would use here.
_FULL = ("dense", "symmetric", "cholesky-qr", "minimal")


def draw(times: dict[str, dict[int, dict[str, float]]], directory: Path) -> None:
    """Write linalg_sparsity.svg and linalg_cost.svg."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "linalg"  # the same file each time
    import matplotlib.pyplot as plt

    directory.mkdir(parents=True, exist_ok=True)
    for name, figure in (("linalg_sparsity", _sparsity(plt)), ("linalg_cost", _cost(plt, times))):
        figure.savefig(directory / f"{name}.svg", metadata={"Date": None}, bbox_inches="tight")
        plt.close(figure)


def _sparsity(plt: Any, N: int = 8) -> Any:
    """The matrix as it is written, and in the order of elimination with its fill."""
    chain = insulators(N)
    n, n_v = chain.n_v + chain.n_lam, chain.n_v
    _, rows, columns = chain.matrix()
    neighbours, diagonal = symmetric_neighbours(n, rows.tolist(), columns.tolist())
    held: dict[int, set[int]] = {n_v + k: set() for k in range(chain.n_lam)}
    for k, j in zip(chain.G_at.rows.tolist(), chain.G_at.columns.tolist(), strict=True):
        held[n_v + k].add(j)
    order = saddle_order(neighbours, diagonal, held)
    place = np.empty(n, dtype=int)
    place[order[1]] = np.arange(n)
    _, filled = analyse_symmetric_sparse(n, rows, columns, *order)
    present = {(i, j) for i, j in zip(rows.tolist(), columns.tolist(), strict=True)}
    fill = [(i, j) for i, j in filled if i != j and (i, j) not in present and (j, i) not in present]
    figure, (before, after) = plt.subplots(1, 2, figsize=(9, 4.6))
    before.plot(columns, rows, "s", color="#1b4f72", markersize=2.6)
    before.axhline(n_v - 0.5, color="#999999", linewidth=0.8)
    before.axvline(n_v - 0.5, color="#999999", linewidth=0.8)
    before.set_title(f"M, G and Gᵀ: {len(rows)} entries")
    after.plot(place[columns], place[rows], "s", color="#1b4f72", markersize=2.6)
    at = np.array([(place[i], place[j]) for i, j in fill]).reshape(-1, 2)
    after.plot(*np.vstack([at, at[:, ::-1]]).T, "s", color="#e67e22", markersize=2.6)
    after.set_title(f"in the order of pivots: {2 * len(fill)} more by fill")
    for axes in (before, after):
        axes.set_xlim(-1, n)
        axes.set_ylim(n, -1)
        axes.set_aspect("equal")
        axes.set_xticks([])
        axes.set_yticks([])
    return figure


def _cost(plt: Any, times: dict[str, dict[int, dict[str, float]]]) -> Any:
    """Time against N, factor and solve."""
    figure, panels = plt.subplots(1, 2, figsize=(9, 4.2), sharey=True)
    for axes, what in zip(panels, ("factor", "solve"), strict=True):
        for name, line in times.items():
            sizes = sorted(line)
            style = "--" if "KLU" in name or "SuperLU" in name else ":" if name in _FULL else "-"
            axes.loglog(sizes, [line[N][what] for N in sizes], style, label=name, marker=".", markersize=4)
        axes.set_title(what)
        axes.set_xlabel("insulators N")
        axes.grid(True, which="major", linewidth=0.3)
    panels[0].set_ylabel("microseconds")
    panels[1].legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure
