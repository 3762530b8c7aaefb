"""Builders of a model's equations: what each costs once, and per evaluation, by the size of the model.

The whole model on one graph is compiled for this model alone; elements (absolute coordinates) and recursions (relative
ones) are compiled once for all models.  For chains of n links in space, with revolute joints whose axes alternate:

build               seconds from the model to equations whose programs are there, with nothing compiled for the model
                    before (cold), CPU time
evaluation          microseconds per evaluation of the right-hand side in a run with dop853, projections included
pays after          evaluations after which the whole model, with its compilation, has cost less than the other builder

A chain is the worst case for the whole model: every body depends on all before it.  ``Model.equations`` takes the
whole model up to LARGEST_WHOLE velocities.
"""

from __future__ import annotations

import os
import tempfile
import time
from typing import Any

import numpy as np

import _ours_trees as ours
import _trees as trees
from _common import Reporter, parser, pin_to_one_core

PAIRS = {"relative": ("symbolic", "recursion"), "absolute": ("symbolic", "elements")}
#: velocities up to which the whole model is tried
#: seconds that the chains move
SHORT, LONG = 0.1, 0.6
LARGEST = {"relative": 200, "absolute": 130}


def measured(n: int, coordinates: str, builder: str) -> tuple[float, float]:
    """Seconds of building, and of one evaluation."""
    import dalembert as da

    model = ours.model(trees.hanging_chain(n))

    def made() -> Any:
        equations = model.equations(coordinates, builder=builder)
        start = equations.start()
        run = da.simulate(equations, (0.0, 1e-6), start, method="dop853", dense_output=False)
        assert run.success, run.message
        return equations, start

    with tempfile.TemporaryDirectory() as folder:
        if builder == "symbolic":
            # Compiled code of integrators and recursions counts for all models, so it is there already.
            os.environ["DALEMBERT_CACHE_DIR"] = folder
        begin = time.process_time()
        equations, start = made()
        build = time.process_time() - begin
    os.environ.pop("DALEMBERT_CACHE_DIR", None)
    # The difference of two runs, so that what every run costs besides counts for nothing.
    times = []
    for end in (SHORT, LONG):
        best, nfev = np.inf, 0
        for _ in range(5):
            begin = time.process_time()
            run = da.simulate(
                equations, (0.0, end), start, method="dop853", rtol=1e-10, atol=1e-12, dense_output=False,
                t_eval=(0.0, end),
            )  # fmt: skip
            best, nfev = min(best, time.process_time() - begin), run.nfev
        times.append((best, nfev))
    return build, (times[1][0] - times[0][0]) / (times[1][1] - times[0][1])


def main() -> None:
    """Measure and report."""
    arguments = parser(__doc__).parse_args()
    pin_to_one_core()
    sizes = (5, 10, 20) if arguments.quick else (5, 10, 20, 40, 60, 80, 100, 150, 200)
    with Reporter(json=arguments.json, title="Builders of a model's equations") as report:
        for coordinates, pair in PAIRS.items():
            for builder in pair:  # what is compiled once for all models
                measured(3, coordinates, builder)
            for n in sizes:
                _compare(report, n, coordinates, pair)


def _compare(report: Reporter, n: int, coordinates: str, pair: tuple[str, str]) -> None:
    velocities = n * (6 if coordinates == "absolute" else 1)
    case = f"{coordinates}, {n} links, {velocities} velocities"
    build, evaluation = measured(n, coordinates, pair[1])
    if velocities > LARGEST[coordinates]:
        report.add(case=case, quantity=f"build, {pair[1]}", unit="s", ours=build)
        report.add(case=case, quantity=f"evaluation, {pair[1]}", unit="us", ours=1e6 * evaluation)
        return
    whole_build, whole = measured(n, coordinates, "symbolic")
    report.add(case=case, quantity="build", unit="s", ours=whole_build, baseline=pair[1], theirs=build)
    report.add(case=case, quantity="evaluation", unit="us", ours=1e6 * whole, baseline=pair[1], theirs=1e6 * evaluation)
    if evaluation > whole:
        pays = (whole_build - build) / (evaluation - whole)
        report.add(case=case, quantity="pays after", unit="evaluations", ours=pays)


if __name__ == "__main__":
    main()
