"""Pictures of docs/jacobians.md and docs/bdf.md: structure of the carriage's Newton matrix and its groups of columns
(corrector, Figs. 3 to 5), evaluations and updates of the Jacobian along a run (Fig. 7), sizes and orders of steps, and
regions of stability."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import dalembert as da
from _corrector_runs import method
from _corrector_structure import newton_pattern
from _stiff_plots import plotting, save
from dalembert.integrate.run.monitor import StepReport
from dalembert.linalg.grouping import column_groups

_LINE, _OTHER, _FAINT = "#1b4f72", "#b9770e", "#999999"
#: First columns of p of the bodies, and of v, λ and η; what they are called.
_BODIES = (0, 5, 11, 23, 29, 41)
_PARTS = {0: "p", 41: "v", 82: "λ", 90: "η", 98: ""}
#: Rods of Fig. 7.
_RODS = 16


def draw(directory: Path) -> None:
    """All of them."""
    plt = plotting("corrector")
    save(_structure(plt), directory, "corrector_structure")
    save(_renewals(plt), directory, "corrector_renewals")
    save(_steps(plt), directory, "bdf_steps")
    save(_stability(plt), directory, "bdf_stability")


def _spots(plt: Any, axes: Any, rows: NDArray[np.int64], columns: NDArray[np.int64], color: str) -> None:
    """Entries as squares, those side by side in one piece, and all of them in one path."""
    from matplotlib.path import Path as Outline

    order = np.lexsort((columns, rows))
    rows, columns = rows[order], columns[order]
    begins = np.flatnonzero(np.r_[True, (np.diff(rows) != 0) | (np.diff(columns) != 1)])
    ends = np.r_[begins[1:], len(rows)] - 1
    pieces = [
        Outline(np.array([(a, y), (b + 1, y), (b + 1, y + 1), (a, y + 1), (a, y)]) - 0.5, closed=True)
        for y, a, b in zip(rows[begins], columns[begins], columns[ends], strict=True)
    ]
    axes.add_patch(plt.matplotlib.patches.PathPatch(Outline.make_compound_path(*pieces), color=color, linewidth=0))


def _structure(plt: Any) -> Any:
    """Entries in the published order; the same with columns of a group on top of each other; groups of columns."""
    rows, columns = newton_pattern(da.problems.carriage().equations)
    n = int(columns.max()) + 1
    groups = column_groups(rows, columns, (n, n))
    figure, panels = plt.subplots(1, 3, figsize=(11, 4.2), gridspec_kw={"width_ratios": (98, 46, 98)})
    whole, pressed, which = panels
    _spots(plt, whole, rows, columns, _LINE)
    for at in list(_PARTS)[1:4]:
        whole.axvline(at - 0.5, color=_FAINT, linewidth=0.8)
        whole.axhline(at - 0.5, color=_FAINT, linewidth=0.8)
    for at in _BODIES[1:-1]:
        whole.plot([at - 0.5, at - 0.5], [-0.5, 81.5], color=_FAINT, linewidth=0.3)
    whole.set_title(f"{len(rows)} entries")
    whole.set_xticks([(a + b) / 2 for a, b in zip(_PARTS, list(_PARTS)[1:], strict=False)], list(_PARTS.values())[:4])
    whole.set_yticks([20, 61, 85.5, 93.5], ["(7a)", "(7b)", "(7c)", "(7d)"])
    _spots(plt, pressed, rows, groups[columns], _OTHER)
    pressed.set_title(f"in {groups.max() + 1} groups")
    pressed.set_xticks([])
    pressed.set_yticks([])
    for axes, width in ((whole, n), (pressed, groups.max() + 1)):
        axes.set_xlim(-0.5, width - 0.5)
        axes.set_ylim(n - 0.5, -0.5)
        axes.set_aspect("equal")
        axes.tick_params(length=0)
    which.plot(np.arange(1, n + 1), groups + 1, ".", color=_LINE, markersize=4)
    for at in list(_PARTS)[1:4]:
        which.axvline(at + 0.5, color=_FAINT, linewidth=0.8)
    which.set_title("group of each column")
    which.set_xlabel("column")
    figure.tight_layout()
    return figure


def _renewals(plt: Any) -> Any:
    """Fig. 7: evaluations dotted, updates dashed, over the sine of the excitation."""
    problem = da.problems.excited_chain(_RODS)
    figure, panels = plt.subplots(2, 1, figsize=(9, 4.6), sharex=True)
    t = np.linspace(*problem.span, 400)
    for axes, name, said in zip(
        panels, ("dense", "ext. part."), ("dense differences", "extended updates (26)"), strict=True
    ):
        reports: list[StepReport] = []
        da.simulate(
            problem.equations, problem.span, problem.start, method=method(name, "accelerations"), rtol=1e-4, atol=1e-6,
            dense_output=False, solver="dense", monitor=reports.append,
        )  # fmt: skip
        updated = [one.t for one in reports if one.extra["jacobian_updates"] + one.extra["jacobian_extended"]]
        evaluated = [one.t for one in reports if one.njev]
        axes.plot(t, np.sin(2 * np.pi * 0.05 * t), color=_FAINT, linewidth=1.0)
        axes.vlines(updated, -1, 1, color=_OTHER, linewidth=0.8, linestyle="--", label=f"{len(updated)} updates")
        count = sum(one.njev for one in reports)
        axes.vlines(evaluated, -1, 1, color=_LINE, linewidth=1.1, linestyle=":", label=f"{count} evaluations")
        axes.set_title(said, loc="left", fontsize=10)
        axes.set_yticks([])
        axes.legend(loc="upper right", fontsize=8, framealpha=1.0)
    panels[-1].set_xlabel("t [s]")
    figure.tight_layout()
    return figure


def _steps(plt: Any) -> Any:
    """Sizes and orders of steps of the carriage; sizes on the chain, which is not damped, with two highest orders."""
    carriage, chain = da.problems.carriage(), da.problems.excited_chain(_RODS)
    figure, panels = plt.subplots(1, 2, figsize=(10, 3.2))
    for axes, problem, end, orders in ((panels[0], carriage, 15.0, (5,)), (panels[1], chain, 20.0, (5, 2))):
        for most, color in zip(orders, (_LINE, _OTHER), strict=False):
            reports: list[StepReport] = []
            da.simulate(
                problem.equations, (0.0, end), problem.start, method=da.Bdf(max_order=most), rtol=1e-4, atol=1e-5,
                dense_output=False, monitor=reports.append,
            )  # fmt: skip
            t = np.array([one.t for one in reports])
            axes.semilogy(
                t, [one.step for one in reports], drawstyle="steps-pre", color=color, linewidth=0.9,
                label=f"order up to {most}: {len(reports)} steps",
            )  # fmt: skip
        axes.set_xlabel("t [s]")
        axes.legend(loc="upper right" if problem is carriage else "lower right", fontsize=8)
        axes.grid(True, color="#eeeeee")
        if problem is carriage:
            beside = axes.twinx()
            beside.step(t, [one.order for one in reports], where="pre", color=_OTHER, linewidth=0.7)
            beside.set_ylim(0.5, 15)
            beside.set_yticks([1, 3, 5])
            beside.set_ylabel("order", color=_OTHER, loc="bottom")
    panels[0].set_ylabel("step [s]")
    panels[0].set_title("carriage", fontsize=10)
    panels[1].set_title(f"chain of {_RODS} pendulums", fontsize=10)
    figure.tight_layout()
    return figure


def _stability(plt: Any) -> Any:
    """Where BDF of constant steps are unstable for v̇ = λ v: inside of curves z = Σ (1 − ζ)^j / j, |ζ| = 1."""
    figure, (axes, close) = plt.subplots(1, 2, figsize=(9, 3.4))
    zeta = np.exp(1j * np.linspace(0.0, 2.0 * np.pi, 361))
    for k in range(1, 7):
        z = sum((1.0 - zeta) ** j / j for j in range(1, k + 1))
        for panel in (axes, close):
            panel.plot(z.real, z.imag, linewidth=1.0, linestyle="--" if k == 6 else "-", label=f"{k}")
    for panel in (axes, close):
        panel.axvline(0.0, color=_FAINT, linewidth=0.8)
        panel.set_xlabel("Re hλ")
        panel.grid(True, color="#eeeeee")
    axes.set_ylabel("Im hλ")
    axes.legend(title="order", fontsize=7, loc="upper right")
    close.set_xlim(-7, 1)
    close.set_ylim(0, 9)
    axes.set_title("unstable inside of the curves", fontsize=10)
    close.set_title("at the imaginary axis", fontsize=10)
    figure.tight_layout()
    return figure
