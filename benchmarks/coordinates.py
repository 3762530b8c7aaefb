"""Radau IIA in absolute coordinates against relative ones: the same mechanisms, method and tolerances.

Accuracy asks for about as many steps in one as in the other, though in absolute coordinates the constraints turn with
the bodies. What an iteration that cannot follow them costs shows in steps that are shorter than the tolerance asks for
and in failed iterations. Steps in absolute coordinates are at most 1.5 times those in relative ones: that is the bar.
The wheel, which turns by half a radian a step, has none.

"error" is the largest error of a point of the mechanism at the end of the run, in metres, against dop853 with a
tolerance of 1e-11 in relative coordinates. Computing times differ by the sizes of the systems too, which are given.
"""

from __future__ import annotations

import numpy as np

import dalembert as da
from _common import Reporter, best_of, parser, pin_to_one_core
from _coordinates import MECHANISMS, SENSORS

BAR = 1.5
WITHOUT_BAR = {"wheel on a turning carrier"}
TOLERANCES, QUICK = (1e-4, 1e-6, 1e-8), (1e-4,)
BASELINE = "relative coordinates"


def compare(report: Reporter, name: str, tolerances: tuple[float, ...], repeats: int) -> None:
    """All rows of one mechanism."""
    example = MECHANISMS[name]()
    equations = [example.model.equations(coordinates) for coordinates in ("absolute", "relative")]
    starts = [example.assemble(each) for each in equations]

    def run(which: int, method: str, rtol: float, atol: float) -> da.Solution:
        options = {"method": method, "rtol": rtol, "atol": atol, "dense_output": False}
        solution = da.simulate(equations[which], example.span, starts[which], **options)
        if not solution.success:
            raise SystemExit(f"{name}: {solution.message}")
        return solution

    reference = run(1, "dop853", 1e-11, 1e-12)[SENSORS[name]][:, -1]
    for rtol in tolerances:
        case = f"{name}, rtol {rtol:.0e}"
        solutions = [run(which, "radau", rtol, 1e-2 * rtol) for which in (0, 1)]
        work = [solution.statistics for solution in solutions]
        seconds = [best_of(lambda: run(which, "radau", rtol, 1e-2 * rtol), repeats) for which in (0, 1)]
        errors = [float(np.abs(each[SENSORS[name]][:, -1] - reference).max()) for each in solutions]
        unknowns = [s.q + s.v + s.u + s.g + s.lam for s in (each.sizes for each in equations)]
        for quantity, unit, (ours, theirs) in (
            ("steps", "1", [each.steps for each in work]),
            ("failed iterations", "1", [each.newton_failures for each in work]),
            ("rejected steps", "1", [each.rejected for each in work]),
            ("computing time", "ms", [1e3 * each for each in seconds]),
            ("error", "m", errors),
            ("unknowns of a stage", "1", unknowns),
        ):
            limit = BAR if quantity == "steps" and name not in WITHOUT_BAR else None
            report.add(
                case=case, quantity=quantity, unit=unit, ours=ours, baseline=BASELINE, theirs=theirs, limit=limit
            )


def main() -> None:
    """All mechanisms."""
    arguments = parser(__doc__).parse_args()
    pin_to_one_core()
    with Reporter(json=arguments.json, title="Absolute against relative coordinates, radau") as report:
        for name in MECHANISMS:
            compare(report, name, QUICK if arguments.quick else TOLERANCES, 3 if arguments.quick else 10)


if __name__ == "__main__":
    main()
