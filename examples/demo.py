"""A vehicle of fourteen bodies drives over a bump: read from a model file, simulated, stored, drawn.

Says what each part took, and leaves build/vehicle.nc and build/vehicle.html: the vehicle in motion in three dimensions
with its curves, in one file, for any browser.  The same by the command line: ``dalembert run hmmwv14 --report``.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

import dalembert as da
from dalembert.io import example, parse_model

BUILD = Path("build")
OUTPUT = 0.005


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
    page = da.report(run, BUILD / "vehicle.html")
    print(f"stored     {took()}   {stored}, {page} ({page.stat().st_size / 1e6:.1f} MB)")
    print(f"\nLook at it: {page.resolve().as_uri()}")


if __name__ == "__main__":
    main()
