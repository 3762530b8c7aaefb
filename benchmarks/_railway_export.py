"""Exported C of whole simulations: warnings, symbols, agreement with Python, bounds, times beside our machine code.

Bars: no warning, no symbol but those of libm, 20 000 steps within 1e-9, time of a step of gcc -O2 at most 1.3 of ours.
"""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import dalembert as da
from _common import Reporter
from _railway_step import Case, advance, under_way
from dalembert.integrate.run.live import LiveRun
from dalembert.problems import mechanisms
from dalembert.rail import cone, crown
from dalembert.rail.segments import Straight
from dalembert.rail.track import Track
from dalembert.symbolic.operations import OPERATIONS

STEP = 1e-3
WARNINGS = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wdouble-promotion")
#: Names of libm that exported code may ask for; compilers join a sine and a cosine of one angle.
LIBM = {one.c.split("(")[0] for one in OPERATIONS.values() if re.match(r"\w+\(", one.c)} | {"sincos"}
AGREEMENT, SLOWER = 1e-9, 1.3
#: Other ways to compile whole simulations of rails, which are printed besides; vectors have two numbers with -O2 alone.
WAYS = {
    "-O3": ("-O3",),
    "-O2, four in a vector": ("-O2", "-march=x86-64-v3"),
    "-O2, no vectors": ("-O2", "-DSIM_PORTABLE"),
}
#: Starts are moved so far, relatively, to see what motions make of rounding.
MOVED = 1e-14
#: Steps that are compared, and those in a slice that is timed: so few that others seldom have the core meanwhile.
STEPS, SLICE = 20_000, 40


def linkage() -> tuple[da.Equations, da.State]:
    """The planar four-bar linkage of the library."""
    example = mechanisms.four_bar()
    equations = example.model.equations()
    return equations, example.assemble(equations)


def wheelset() -> tuple[da.Equations, da.State]:
    """Coned wheels on straight rails, released 3 mm beside the middle at 2 m/s."""
    m = da.Model("wheelset", gravity=(0, 0, -9.81))
    m.wheelset(
        "axle", m.ground, Track([Straight(200.0)], distance=1.5), wheel=cone(0.5, 0.05), rail=crown(0.3), mass=1000.0,
        inertia=(600.0, 100.0, 600.0), law="polach", speed=2.0, start={"x": 10.0, "y": 0.003},
    )  # fmt: skip
    equations = m.equations()
    return equations, equations.assemble()


def vehicle() -> tuple[da.Equations, da.State]:
    """The vehicle of fourteen bodies over its bump, in relative coordinates."""
    example = mechanisms.hmmwv14()
    equations = example.model.equations("relative")
    return equations, example.assemble(equations)


def rough_locomotive() -> tuple[da.Equations, da.State]:
    """The locomotive on a straight with irregularities."""
    return _locomotive(True)


def smooth_locomotive() -> tuple[da.Equations, da.State]:
    """The same without them."""
    return _locomotive(False)


def _locomotive(irregular: bool) -> tuple[da.Equations, da.State]:
    example = mechanisms.locomotive("S0", irregular=irregular)
    equations = example.model.equations()
    return equations, example.assemble(equations)


#: What is exported: a system, and a method with steps of one size.
CASES: dict[str, tuple[Callable[[], tuple[Any, Any]], da.Method]] = {
    "four-bar linkage, imex": (linkage, da.Imex(step=STEP)),
    "four-bar linkage, dopri5": (linkage, da.Dopri5(controller=da.FixedStep(size=STEP))),
    "wheelset, imex": (wheelset, da.Imex(step=STEP)),
    "locomotive on smooth rails, imex": (smooth_locomotive, da.Imex(step=STEP)),
    "locomotive on rough rails, imex": (rough_locomotive, da.Imex(step=STEP)),
    "HMMWV14, imex": (vehicle, da.Imex(step=STEP)),
    "HMMWV14, dopri5": (vehicle, da.Dopri5(controller=da.FixedStep(size=STEP))),
}


def tables(report: Reporter, steps: int = STEPS) -> None:
    """All cases."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    for case, (make, method) in CASES.items():
        if compiler is None:
            report.failed(case=case, quantity="exported C")
            continue
        with tempfile.TemporaryDirectory() as folder:
            _Case(report, case, *make(), method, Path(folder), compiler, steps).measure()


class _Case:
    """One system with one method."""

    def __init__(
        self, report: Reporter, case: str, equations: da.Equations, start: da.State, method: da.Method, folder: Path,
        compiler: str, steps: int,
    ) -> None:  # fmt: skip
        self.report, self.case, self.equations, self.start = report, case, equations, start
        self.method, self.folder, self.compiler, self.steps = method, folder, compiler, steps

    def add(self, quantity: str, unit: str, ours: float, **more: Any) -> None:
        """A row of this case."""
        self.report.add(case=self.case, quantity=quantity, unit=unit, ours=ours, **more)

    def measure(self) -> None:
        """Export, compile, compare, time."""
        names = [*self.equations.names["q"], *self.equations.names["v"]]
        before = time.perf_counter()
        self.files = da.export_c(self.equations, self.method, self.folder, name="sim", start=self.start, outputs=names)
        self.add("export", "s", time.perf_counter() - before)
        before = time.perf_counter()
        self._compile()
        self.add("compile, gcc -O2", "s", time.perf_counter() - before)
        readme = (self.folder / "README.md").read_text(encoding="utf-8")
        found = re.search(r"at most (\d+) bytes", readme)
        self.add("bound of the stack", "byte", float(found[1]) if found else float("nan"))
        self._compare()
        self._time()

    def _compile(self) -> None:
        warnings, needed, defined = 0, set(), set()
        self.objects = []
        for source in (path for path in self.files if path.suffix == ".c"):
            target = source.with_suffix(".o")
            command = [self.compiler, *WARNINGS, "-O2", "-ffp-contract=off", f"-DSIM_STEPS={self.steps}L", "-c"]
            told = subprocess.run(
                [*command, str(source), "-o", str(target)], capture_output=True, text=True, check=True
            )
            warnings += told.stderr.count("warning:")
            if source.stem.endswith(("_main", "_timing")):
                continue
            self.objects.append(str(target))
            listed = subprocess.run(["nm", str(target)], capture_output=True, text=True, check=True).stdout
            for line in listed.splitlines():
                kind, name = line.split()[-2:]
                (needed if kind == "U" else defined).add(name)
        self.add("warnings", "1", warnings, limit=0)
        self.add("symbols besides libm", "1", len(needed - defined - LIBM - {"_GLOBAL_OFFSET_TABLE_"}), limit=0)
        for program in ("sim_main", "sim_timing"):
            objects = [str(self.folder / f"{program}.o"), *self.objects]
            subprocess.run([self.compiler, "-o", str(self.folder / program), *objects, "-lm"], check=True)

    def _compare(self) -> None:
        printed = subprocess.run([str(self.folder / "sim_main")], capture_output=True, text=True, check=True).stdout
        theirs = np.array([line.split(",") for line in printed.splitlines()[1:]], dtype=float).T[1:]
        ours = self._ours()
        numbers = np.random.default_rng(5).standard_normal(ours.shape[0])
        moved = self._ours(1.0 + MOVED * numbers)
        own, others = _differences(moved, ours), _differences(theirs, ours)
        # No two programs agree better than what the motion itself makes of rounding.
        self.add(f"ours from a start moved by {MOVED:g}, {self.steps} steps", "relative", own[-1])
        self.add(f"difference, {self.steps} steps", "relative", others[-1], limit=AGREEMENT)

    def _live(self, factor: Any = 1.0) -> LiveRun:
        """Our run at its start, without the guards that C does not watch."""
        start = self.start
        y = np.concatenate([start.q, start.v, start.u]) * factor
        return under_way(Case(self.case, self.equations, start), self.method, 0, y)

    def _ours(self, factor: Any = 1.0) -> Any:
        """Coordinates and velocities of all steps, the start first."""
        live = self._live(factor)
        n = self.equations.sizes.q + self.equations.sizes.v
        found = [live.run.y0[None, :n].copy()]
        while live.run.steps < self.steps:
            advance(live, self.steps - live.run.steps)
            found.append(live.take_records()[:, 1 : n + 1])
        return np.vstack(found).T

    def _time(self) -> None:
        told, times = self._timed("sim_timing")
        live = self._live()
        slices = []
        while live.run.steps < self.steps:
            before, at = live.run.steps, time.perf_counter()
            advance(live, min(SLICE, live.slice))
            slices.append((time.perf_counter() - at) / (live.run.steps - before))
        own = 1e6 * float(np.median(slices))
        self.add("step, median", "us", times["median"], baseline="ours, median of slices", theirs=own, limit=SLOWER)
        for name in ("p99", "p99.99", "worst"):
            self.add(f"step, {name}", "us", times[name])
        if found := re.search(r"worst projection: (\d+)", told):
            self.add("worst projection", "corrections", float(found[1]))
        if self.case.startswith("locomotive") and platform.machine() == "x86_64":
            sources = [str(path) for path in self.files if path.suffix == ".c" and not path.stem.endswith("_main")]
            fixed = (*WARNINGS, "-ffp-contract=off", f"-DSIM_STEPS={self.steps}L")
            for name, way in WAYS.items():
                target = str(self.folder / "sim_other")
                subprocess.run([self.compiler, *fixed, *way, "-o", target, *sources, "-lm"], check=True)
                self.add(f"step, median, {name}", "us", self._timed("sim_other")[1]["median"])

    def _timed(self, program: str) -> tuple[str, dict[str, float]]:
        """What a program that times steps prints, and the times."""
        told = subprocess.run([str(self.folder / program)], capture_output=True, text=True, check=True).stdout
        return told, {name: float(found) for name, found in re.findall(r"^(\S+) +([0-9.]+) us$", told, re.MULTILINE)}


def _differences(some: Any, others: Any) -> Any:
    """Largest differences up to each step, from the largest value of each coordinate and velocity."""
    sizes = np.maximum(np.abs(others).max(axis=1), 1e-3)
    return np.maximum.accumulate((np.abs(some - others) / sizes[:, None]).max(axis=0))
