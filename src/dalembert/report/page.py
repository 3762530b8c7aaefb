"""The page: text and tables around the animation and the plots, in one file.

Nothing in the page is taken from elsewhere, and a content security policy with the hashes of our own style and script
forbids the browser to run or fetch anything else. Names and messages may come from foreign files; every text passes
through ``escape`` (HTML) or ``drawing.embed`` (data).
"""

from __future__ import annotations

import base64
import hashlib
import string
from collections.abc import Iterable, Mapping
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.arguments import file_path, instance
from dalembert.errors import DalembertError
from dalembert.report.animation import COLOURS, Drawing, embed, prepare
from dalembert.report.plots import plot
from dalembert.solution import Solution

MOST_PLOTS = 60  # of each kind; a browser scrolls through so many without effort
SAMPLES = 800  # instants of a curve, besides the ends of steps
MOST_ENDS = 4000  # ends of steps among the instants
MOST_DOTS = 120  # more than that would hide the curve

WORK = {
    "nfev": "right-hand sides",
    "njev": "Jacobians",
    "nlu": "factorisations",
    "nsolve": "solutions of linear systems",
    "steps": "accepted steps",
    "rejected": "rejected steps",
    "newton_iterations": "Newton iterations",
    "newton_failures": "Newton failures",
    "projections": "projections",
    "event_evaluations": "event functions",
    "step_min": "smallest step / s",
    "step_max": "largest step / s",
    "jacobian_nfev": "residuals for Jacobians",
    "jacobians_first": "Jacobians at starts",
    "jacobians_slow": "Jacobians after slow convergence",
    "jacobians_failed": "Jacobians after failed iterations",
    "stage_jacobians": "Jacobians of stages",
    "inner_iterations": "vectors of Krylov spaces",
    "charts": "charts",
    "repartitions": "new partitions of coordinates",
    "recoveries": "recoveries of coordinates",
    "recovery_iterations": "iterations of recoveries",
    "projection_iterations": "iterations of projections",
    "projection_change": "largest change by a projection / tolerance",
    "constraint_residual": "largest |g| after a projection",
}


def report(solution: Solution, path: str | Path) -> Path:
    """Write the run to ``path`` as one self-contained HTML file, and give back its path.

    The page shows how the run ended and what it cost, ``solution.sketch`` as an animation (or, if the run stored none,
    says so), and over time the coordinates, sensors, multipliers, velocities and external states.
    """
    instance(solution, Solution, "report: solution", DalembertError, "as simulate and load return it")
    path = file_path(path, "report: path", DalembertError)
    if not solution.t.size or not (solution.q.size or solution.outputs or solution.sketch is not None):
        raise DalembertError(
            f"report of '{solution.title}': the solution has no times, or neither coordinates, outputs nor a sketch, "
            "so there is nothing to draw."
        )
    drawing = None if solution.sketch is None else prepare(solution.sketch)
    # A name from a file may hold half a surrogate pair, which UTF-8 cannot.
    path.write_text(_page(solution, drawing), encoding="utf-8", errors="xmlcharrefreplace")
    return path


def _page(s: Solution, drawing: Drawing | None) -> str:
    style, script = _file("page.css"), _file("page.js")
    colour = "good" if s.success else "bad"
    return string.Template(_file("page.html")).substitute(
        style=style,
        script=script,
        style_hash=_hash(style),
        script_hash=_hash(script),
        title=escape(s.title or "Simulation"),
        outcome=f'<span class="outcome {colour}">{escape(s.outcome)}</span>',
        message=f"<p>{escape(s.message)}</p>" if s.message else "",
        run=_table(_run(s)),
        work=_table(
            (WORK.get(key, key), f"{count:.4g}" if isinstance(count, float) else count)
            for key, count in s.statistics.as_dict().items()
            if count
        ),
        parameters=_details("Parameters", s.parameters),
        events=_details("Events", {f"{event.name} ({i + 1})": f"{event.t:.9g} s" for i, event in enumerate(s.events)}),
        animation=_animation(drawing),
        data="" if drawing is None else embed(drawing.data),
        plots=_plots(s),
    )


def _file(name: str) -> str:
    return files("dalembert.report").joinpath(name).read_text(encoding="utf-8").strip()


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _run(s: Solution) -> Iterable[tuple[str, Any]]:
    yield "method", s.method or "not told"
    yield "time", f"{s.t[0]:.6g} … {s.t[-1]:.6g} s, {s.t.size} points"
    yield "tolerances", f"rtol {_text(s.rtol)}, atol {_text(s.atol)}"
    yield "size", f"{len(s.q)} coordinates, {len(s.v)} velocities, {len(s.lam)} multipliers, {len(s.u)} external states"


def _table(rows: Iterable[tuple[str, Any]]) -> str:
    cells = (f"<tr><th>{escape(str(key))}</th><td>{escape(_text(value))}</td></tr>" for key, value in rows)
    return f"<table>{''.join(cells)}</table>"


def _details(title: str, rows: Mapping[str, Any]) -> str:
    return f"<details><summary>{title} ({len(rows)})</summary>{_table(rows.items())}</details>" if rows else ""


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.9g}"
    if isinstance(value, np.ndarray):
        return np.array2string(value, precision=6, threshold=50)
    return str(value)


def _animation(drawing: Drawing | None) -> str:
    if drawing is None:
        return '<p class="note" id="no-drawing">This run stored no drawing, so there is no animation.</p>'
    legend = "".join(
        f'<li><span class="swatch c{i % COLOURS}"></span>{escape(name)}</li>' for i, name in enumerate(drawing.names)
    )
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in drawing.notes)
    return string.Template(_file("animation.html")).substitute(legend=legend, notes=notes)


def _plots(s: Solution) -> str:
    t, motion = _curves(s)
    groups = {
        "Coordinates": [(name, t, motion["q"][i][None]) for i, name in enumerate(s.names["q"])],
        "Sensors": [(name, s.t, np.atleast_2d(rows)) for name, rows in s.outputs.items()],
        "Multipliers": [(name, t, motion["lam"][i][None]) for i, name in enumerate(s.names["lam"])],
        "Velocities": [(name, t, motion["v"][i][None]) for i, name in enumerate(s.names["v"])],
        "External states": [(name, t, motion["u"][i][None]) for i, name in enumerate(s.names["u"])],
    }
    marks = [event.t for event in s.events]
    dots = {"Coordinates": s.q, "Multipliers": s.lam, "Velocities": s.v, "External states": s.u}
    shown = []
    for title, curves in groups.items():
        drawn = [
            plot(*curve, s.units.get(curve[0], ""), marks, _dots(s, dots.get(title), i))
            for i, curve in enumerate(curves[:MOST_PLOTS])
        ]
        rest = len(curves) - MOST_PLOTS
        note = f'<p class="note">{rest} more are not shown.</p>' if rest > 0 else ""
        if drawn:
            state = "" if title == "Velocities" else " open"
            plots = f'<div class="plots">{"".join(drawn)}</div>{note}'
            shown.append(f"<details{state}><summary>{title} ({len(curves)})</summary>{plots}</details>")
    return "".join(shown)


def _dots(s: Solution, rows: np.ndarray | None, i: int) -> tuple[np.ndarray, np.ndarray] | None:
    """Points of the result on a curve between them."""
    if rows is None or s.sol is None or s.t.size > MOST_DOTS:
        return None
    return s.t, rows[i]


def _curves(s: Solution) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Instants and the motion there: between the steps where it is known, on both sides of where steps meet."""
    rows = {key: getattr(s, key) for key in ("q", "v", "lam", "u")}
    if s.sol is None or not s.sol.n_steps:
        return s.t, rows
    first, last = s.sol.interval
    ends = s.sol.t if s.sol.t.size <= MOST_ENDS else np.array([first, *(event.t for event in s.events), last])
    ends = ends[(ends - first) * (ends - last) <= 0]
    before = np.nextafter(ends[ends != first], first)
    t = np.unique(np.concatenate([np.linspace(first, last, SAMPLES), ends, before]))
    try:
        point = s.sol(t)
    except DalembertError:  # a run that ended badly may not be completed everywhere
        return s.t, rows
    return t, {key: getattr(point, key) for key in rows}
