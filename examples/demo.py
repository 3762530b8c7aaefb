"""A vehicle of fourteen bodies drives over a bump: read from a model file, simulated, stored, drawn.

Says what each part took, and leaves build/vehicle.nc and build/vehicle.html: the vehicle in motion on its road, in one
file for any browser.  The page opens with the bump before the front wheels, and plots the height of the chassis, the
travel of the suspension and the wheel loads.  The command ``dalembert run hmmwv14 --report`` makes the same run.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

import dalembert as da
from dalembert.io import example, parse_model

BUILD = Path("build")
OUTPUT = 0.005
#: Distance in m between the front wheels and the middle of the bump when the page opens.
BEFORE = 0.7
#: What the page shows first.  Both sides of the vehicle meet the bump at once, so the left one is enough.
PLOTS = {
    "chassis height": "ride.z",
    "suspension travel": ["LF travel", "LR travel"],
    "wheel load": ["LF tyre.force", "LR tyre.force"],
}


def main() -> None:
    """Read, derive, simulate, store, draw."""
    clock = time.perf_counter()

    def took() -> str:
        nonlocal clock
        before, clock = clock, time.perf_counter()
        return f"{clock - before:6.2f} s"

    BUILD.mkdir(exist_ok=True)
    text = example("hmmwv14")
    (BUILD / "vehicle.toml").write_text(text, encoding="utf-8")
    file = parse_model(text, name="vehicle.toml")
    print(f"read       {took()}   {file.model!r}")
    equations = file.equations
    print(f"derived    {took()}   {equations!r}")
    start = file.start
    print(f"assembled  {took()}   all loops closed, {equations.degrees_of_freedom(start.q).dof} degrees of freedom")
    begin, end = file.span
    instants = np.linspace(begin, end, round((end - begin) / OUTPUT) + 1)
    run = da.simulate(equations, file.span, start, t_eval=instants, progress=True, **file.options)
    print(f"simulated  {took()}   {run.outcome}: {run.method}, {run.statistics.steps} steps, {run.nfev} evaluations")
    stored = run.save(BUILD / "vehicle.nc")
    opening = run.t[np.searchsorted(run["LF hub.x"], run.parameters["bump_at"] - BEFORE)]
    page = da.report(run, BUILD / "vehicle.html", plots=PLOTS, time=opening)
    print(f"stored     {took()}   {stored}, {page} ({page.stat().st_size / 1e6:.1f} MB)")
    print(f"\nLook at it: {page.resolve().as_uri()}")


if __name__ == "__main__":
    main()
