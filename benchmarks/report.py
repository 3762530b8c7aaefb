"""The report: sizes of pages, time to pack them, time to open and play them in a browser.

Chains of 10, 100 and 1000 links in space with 10 001 frames, the four-bar, and a car that drives a kilometre.
Opening and playing are measured in Chromium with software rendering, in seconds of the main thread's own time
(threadTicks), which other processes do not lengthen; without Chromium these rows are missing.  First frames are
seconds of the clock, in which two processes of the browser work; beside them stands a page with nothing but an empty
WebGL canvas, whose first frame no page can undercut.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from _common import Reporter, parser

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "report"))
import chromium
from chromium import Chromium
from runs import four_bar, travelling

import dalembert as da
from dalembert.problems import mechanisms
from dalembert.report import report
from dalembert.solution import Solution

FRAMES, END = 10_001, 20.0
CURVES = 80
#: Numbers that are set as goals: (case, quantity) -> limit.
LIMITS = {
    ("chain of 100", "page"): 10.0,
    ("chain of 100", "pack"): 5.0,
    ("four-bar", "page"): 1.0,
    ("four-bar", "open, first frame"): 2.0,
    ("chain of 100", "open, first frame"): 6.0,
    ("chain of 100", "open, script"): 2.0,
    ("chain of 100", "play, script per frame"): 5.0,
    ("chain of 100", "play, main thread per frame"): 12.0,
    ("chain of 100", "scrub"): 2.0,
    ("chain of 100", "frames drawn at rest"): 0.0,
    ("chain of 100", "error of places"): 2e-5,
    ("car over 1 km", "error of places"): 2e-5,
}


def chain(n: int, frames: int) -> Solution:
    """A chain in space with some of its curves: positions and velocities of joints."""
    equations = (example := mechanisms.chain(n)).model.equations()
    times = np.linspace(0.0, END if n <= 100 else 2.0, frames)
    run = da.simulate(
        equations, (0.0, times[-1]), example.assemble(equations), t_eval=times, rtol=1e-5, dense_output=False
    )
    outputs = {f"q{k}": run.q[k] for k in range(min(n, CURVES // 2))} | {
        f"v{k}": run.v[k] for k in range(min(n, CURVES // 2))
    }
    empty = np.zeros((0, times.size))
    return Solution(
        times, empty, empty, empty, empty, empty, outputs=outputs, appearance=run.appearance, title=f"chain of {n}"
    )


class Measured:
    """Rows of one case, with the limits that are set."""

    def __init__(self, output: Reporter, case: str) -> None:
        self.output, self.case = output, case

    def add(self, quantity: str, unit: str, value: float) -> None:
        limit = LIMITS.get((self.case, quantity))
        goal: dict[str, Any] = {} if limit is None else {"limit": limit, "bound": "at most"}
        self.output.add(case=self.case, quantity=quantity, unit=unit, ours=value, **goal)


def errors(page: Chromium, s: Solution, draw: np.random.Generator) -> tuple[float, float]:
    """Largest error of places relative to the smallest body with its neighbours, and the number of wrong doubles."""
    look = s.appearance
    assert look is not None
    joined = page.js("window.dalembert.page.header.scene.bodies.map((body) => body.size)")
    near, worst, wrong = 2.0 * min(joined), 0.0, 0
    for _ in range(50):
        i, k = int(draw.integers(look.t.size)), int(draw.integers(len(look.bodies)))
        found = page.js(f"window.dalembert.pose({k}, {float(look.t[i])!r})")
        worst = max(worst, float(np.abs(np.array(found[:3]) - look.bodies[k].position[i]).max()) / near)
    names = list(s.outputs) or list(s.names["q"])
    for _ in range(200):
        i, name = int(draw.integers(s.t.size)), names[int(draw.integers(len(names)))]
        shown = page.js(f"window.dalembert.value({name!r}, {float(s.t[i])!r})")
        wrong += shown != np.atleast_2d(s[name])[:, i].tolist()
    return worst, wrong


EMPTY = """<!doctype html><canvas id=c width=950 height=800></canvas><script>
const gl = document.getElementById("c").getContext("webgl2", { antialias: true });
gl.clear(gl.COLOR_BUFFER_BIT); window.dalembert = { ready: true };</script>"""


def first_frame(page: Chromium, path: Path) -> float:
    """Seconds until a page is drawn."""
    began = time.perf_counter()
    page.send("Page.navigate", url=path.resolve().as_uri())
    page.until("window.dalembert?.ready")
    page.frames(2)
    return time.perf_counter() - began


def in_browser(rows: Measured, path: Path, s: Solution) -> None:
    """Opening, playing, scrubbing and resting; exactness."""
    with Chromium() as page:
        page.send("Performance.setTimeDomain", timeDomain="threadTicks")
        page.send("Performance.enable")

        def spent() -> dict[str, float]:
            return {one["name"]: one["value"] for one in page.send("Performance.getMetrics")["metrics"]}

        before = spent()
        rows.add("open, first frame", "s", first_frame(page, path))
        rows.add("open, script", "s", spent()["ScriptDuration"] - before.get("ScriptDuration", 0.0))
        if page.console or page.js("window.dalembert.errors"):
            raise SystemExit(f"{rows.case}: the page complains: {page.console}")
        page.js("(window.dalembert.page.clock.setRate(1), window.dalembert.play(true))")
        first, drawn = spent(), page.js("window.dalembert.drawn")
        time.sleep(4.0)
        last, n = spent(), max(page.js("window.dalembert.drawn") - drawn, 1)
        page.js("window.dalembert.play(false)")
        rows.add("play, script per frame", "ms", 1e3 * (last["ScriptDuration"] - first["ScriptDuration"]) / n)
        rows.add("play, main thread per frame", "ms", 1e3 * (last["TaskDuration"] - first["TaskDuration"]) / n)
        scrub = (
            "(() => { const d = window.dalembert, t = d.page.clock.t, from = performance.now();"
            " for (let k = 0; k < 200; k++) d.go(t[(37 * k) % t.length]); return (performance.now() - from) / 200; })()"
        )
        rows.add("scrub", "ms", page.js(scrub))
        page.frames(3)
        drawn = page.js("window.dalembert.drawn")
        time.sleep(5.0)
        rows.add("frames drawn at rest", "1", page.js("window.dalembert.drawn") - drawn)
        worst, wrong = errors(page, s, np.random.default_rng(7))
        rows.add("error of places", "1", worst)
        rows.add("wrong doubles of 200", "1", wrong)


def main() -> None:
    """All cases."""
    reader = parser(__doc__)
    reader.add_argument("cases", nargs="*", help="four-bar, car, 10, 100, 1000: all, if none is named")
    arguments = reader.parse_args()
    sizes, frames = ((10, 100), 2001) if arguments.quick else ((10, 100, 1000), FRAMES)
    with tempfile.TemporaryDirectory() as folder, Reporter(json=arguments.json, title="Report") as output:
        if chromium.program() is not None:
            (empty := Path(folder) / "empty.html").write_text(EMPTY)
            with Chromium() as page:
                Measured(output, "empty canvas").add("open, first frame", "s", first_frame(page, empty))
        cases = {"four-bar": four_bar, "car over 1 km": travelling}
        cases |= {f"chain of {n}": lambda n=n: chain(n, frames if n <= 100 else frames // 10) for n in sizes}
        for case, make in cases.items():
            if arguments.cases and not any(name in case.split() for name in arguments.cases):
                continue
            s, rows = make(), Measured(output, case)
            look = s.appearance
            assert look is not None
            path, began = Path(folder) / "page.html", time.process_time()
            report(s, path)
            rows.add("pack", "s", time.process_time() - began)
            rows.add("page", "MB", path.stat().st_size / 1e6)
            if chromium.program() is not None:
                in_browser(rows, path, s)


if __name__ == "__main__":
    main()
