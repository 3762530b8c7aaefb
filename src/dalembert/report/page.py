"""The page: one HTML file with the mechanism, the curves and the run, which works from disk without a network.

Nothing in the page is taken from elsewhere, and a content security policy with the hashes of our own style and script
forbids the browser to run or fetch anything else. Names and messages may come from foreign files; every text passes
through ``escape`` (HTML) or ``embed`` (data), and the script builds nodes from them, never HTML.
"""

from __future__ import annotations

import base64
import hashlib
import json
import string
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.arguments import flag, instance, new_file, real
from dalembert.errors import DalembertError
from dalembert.report.packing import Blobs, packed_curve
from dalembert.report.quantities import Plots, Plotted, chosen_plots, packed, quantities_of
from dalembert.report.stage import Stage, of_sketch
from dalembert.solution import Appearance, Solution

#: Cards that are open at first.
FIRST = 4
#: Frames that an animation has at most.
MOST_FRAMES = 20_001
#: Part of the page that poses may take, where there are many curves and where there are few, and how much coarser
#: they may become before frames are left out.
_POSES, _COARSER = (0.4, 0.75), (1.0, 3.0, 9.0)
#: Bytes that a value of a lossless curve takes, about.
_EXACT = 5.5
_BASE64 = 4.0 / 3.0
#: Bytes of the header for a quantity, and for a body, joint or force, about.
_PER_QUANTITY, _PER_BODY = 260, 520

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


def report(
    solution: Solution,
    path: str | Path,
    *,
    plots: Plots | None = None,
    time: float | None = None,
    max_mb: float = 10.0,
    autoplay: bool = False,
) -> Path:
    """Write the run to ``path`` as one self-contained HTML file, and give back its path.

    The page shows the mechanism in space or in its plane, if the run knows what it looks like
    (``solution.appearance``, or the lines of ``solution.sketch``), with forces, traces and joints; coordinates,
    sensors, reactions and energies over time, whose values are the very doubles of the run; the model as a tree; how
    the run ended and what it cost.

    :param plots: names of the quantities that are plotted first, ``["ride.z", "LF tyre.force"]``; or plots by title,
        each with one name or several of the same unit, ``{"wheel load": ["LF tyre.force", "LR tyre.force"]}``; sensors,
        or else coordinates, unless given
    :param time: instant in s at which the page opens; the first one unless given
    :param max_mb: size that the file shall not exceed, in units of 10⁶ bytes; curves that come late are rounded to 1e-9
        of their range, then frames and curves are left out, and the page says so
    :param autoplay: whether it plays as soon as it is open
    """
    instance(solution, Solution, "report: solution", DalembertError, "as simulate and load return it")
    path = new_file(path, "report: path", DalembertError)
    flag(autoplay, "report: autoplay", DalembertError)
    limit = real(max_mb, "report: max_mb", DalembertError)
    if not 1.0 <= limit <= 1000.0:
        raise DalembertError(f"report: max_mb must be between 1 and 1000, got {limit:g}")
    text = page_of(solution, limit, autoplay, plots, time)
    # A name from a file may hold half a surrogate pair, which UTF-8 cannot.
    path.write_text(text, encoding="utf-8", errors="xmlcharrefreplace")
    return path


def page_of(
    solution: Solution,
    max_mb: float,
    autoplay: bool = False,
    plots: Plots | None = None,
    time: float | None = None,
) -> str:
    """The text of the page."""
    look = solution.appearance
    if look is None and solution.sketch is not None:
        look = of_sketch(solution.sketch)
    if not solution.t.size or not (solution.q.size or solution.outputs or look is not None):
        raise DalembertError(
            f"report of '{solution.title}': the solution has no times, or neither coordinates, outputs nor a drawing, "
            "so there is nothing to show."
        )
    script, style = _file("viewer.js"), _file("viewer.css")
    fixed = sum(len(text.encode()) for text in (script, style)) + 12_000
    listed = _PER_QUANTITY * (sum(map(len, solution.names.values())) + len(solution.outputs))
    drawn = 0 if look is None else _PER_BODY * (len(look.bodies) + len(look.links) + len(look.forces))
    parts = _Contents(solution, look, (max_mb * 1e6 - fixed - listed - drawn) / _BASE64)
    header = parts.header(plots) | {"autoplay": autoplay, "time": _opening(solution, time)}
    return string.Template(_file("page.html")).substitute(
        style=style,
        script=script,
        style_hash=_hash(style),
        script_hash=_hash(script),
        version=escape(_version()),
        title=escape(solution.title or "Simulation"),
        colour="good" if solution.success else "bad",
        outcome=escape(solution.outcome),
        facts=escape(_facts(solution)),
        header=embed(header),
        data=parts.blobs.text(),
    )


@dataclass
class _Contents:
    """What the header says, and the numbers of the page, within ``room`` bytes."""

    solution: Solution
    look: Appearance | None
    room: float

    def __post_init__(self) -> None:
        self.blobs, self.notes = Blobs(), list[str]()
        self.scene = None if self.look is None else self._scene(self.look)

    def _scene(self, look: Appearance) -> dict[str, Any] | None:
        """Poses as exactly as there is room for, then with fewer frames."""
        s = self.solution
        curves = _EXACT * s.t.size * (sum(map(len, s.names.values())) + len(s.outputs))
        share = float(np.clip(self.room - curves, _POSES[0] * self.room, _POSES[1] * self.room))
        per_frame = 7 * max(len(look.bodies), 1) + 3 * sum(track.points.shape[1] for track in look.tracks)
        frames = max(2, min(look.t.size, MOST_FRAMES, int(share / (0.2 * per_frame))))
        for coarser in (*_COARSER, *_COARSER[-1:] * 8):
            blobs = Blobs()
            stage = Stage(look, blobs, frames, coarser)
            if stage.empty:
                return None
            data = stage.data()
            if blobs.size <= share:
                break
            if coarser == _COARSER[-1]:
                frames = max(2, int(0.9 * frames * share / blobs.size))
        self.blobs = blobs
        if data["n"] < look.t.size:
            self.notes.append(f"{data['n']} of {look.t.size} frames are shown.")
        return data

    def header(self, plots: Plots | None) -> dict[str, Any]:
        """The whole of it; quantities that are plotted first come first, so that they have room."""
        s = self.solution
        clocks, quantities = quantities_of(s)
        chosen = [] if plots is None else chosen_plots(plots, clocks, quantities)
        names = [one.name for one in chosen]
        quantities = [*chosen, *(one for one in quantities if one.name not in names)]
        told = [{"blob": self.blobs.add(packed_curve(clock)), "n": int(clock.size)} for clock in clocks]
        entries, missing = packed(quantities, self.blobs, self.room - self.blobs.size)
        if missing:
            listed = ", ".join(missing[:20]) + (" …" if len(missing) > 20 else "")
            self.notes.append(f"{len(missing)} quantities are not in this page, for its size: {listed}")
        return {
            "outcome": s.outcome,
            "success": bool(s.success),
            "message": s.message,
            "run": [list(row) for row in _run(s)],
            "work": [[WORK.get(key, key), _text(count)] for key, count in s.statistics.as_dict().items() if count],
            "parameters": [[key, _text(value)] for key, value in s.parameters.items()],
            "events": [{"name": one.name, "t": float(one.t)} for one in s.events if np.isfinite(one.t)],
            "clocks": told,
            "quantities": entries,
            "first": _first(quantities, {entry["name"] for entry in entries}) if plots is None else names,
            "notes": self.notes,
            "scene": self.scene,
            "blobs": self.blobs.places,
        }


def embed(data: Any) -> str:
    """JSON that can stand inside a script element: no character in it can end the element or open another."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _first(quantities: list[Plotted], there: set[str]) -> list[str]:
    """Cards that are open at first: sensors of the user, else coordinates."""
    for groups in (("Sensors",), ("Coordinates",), ("Forces", "Multipliers")):
        if found := [one.name for one in quantities if one.group in groups and one.name in there]:
            return found[:FIRST]
    return []


def _opening(s: Solution, time: float | None) -> float | None:
    """The instant at which the page opens; None for the first one."""
    if time is None:
        return None
    at, ends = real(time, "report: time", DalembertError), sorted((float(s.t[0]), float(s.t[-1])))
    if not ends[0] <= at <= ends[1]:
        raise DalembertError(f"report: time must be between {ends[0]:g} and {ends[1]:g} s, got {at:g}")
    return at


@cache
def _file(name: str) -> str:
    found = files("dalembert.report").joinpath(name)
    if not found.is_file():
        raise DalembertError(
            f"the viewer is not built, '{name}' is missing: run make viewer, which needs the network once"
        )
    return found.read_text(encoding="utf-8").strip()


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _version() -> str:
    from importlib import metadata

    try:
        return metadata.version("dalembert")
    except metadata.PackageNotFoundError:
        return ""


def _facts(s: Solution) -> str:
    """The line beside the title."""
    parts = [s.method, f"rtol {_text(s.rtol)}" if np.any(s.rtol) else "", f"{s.t[0]:.6g} … {s.t[-1]:.6g} s"]
    return " · ".join(filter(None, parts))


def _run(s: Solution) -> Iterator[tuple[str, str]]:
    yield "method", s.method or "not told"
    yield "time", f"{s.t[0]:.6g} … {s.t[-1]:.6g} s, {s.t.size} instants"
    yield "tolerances", f"rtol {_text(s.rtol)}, atol {_text(s.atol)}"
    yield "coordinates", str(len(s.q))
    yield "velocities", str(len(s.v))
    yield "multipliers", str(len(s.lam))
    if len(s.u):
        yield "external states", str(len(s.u))
    if version := _version():
        yield "written by", f"dalembert {version}"


def _text(value: Any) -> str:
    if isinstance(value, (float, np.floating)):
        return f"{value:.9g}"
    if isinstance(value, np.ndarray):
        return np.array2string(value, precision=6, threshold=50)
    return str(value)
