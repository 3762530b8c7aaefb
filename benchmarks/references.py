"""How far the reference solutions are reached: the long runs that the tests do in part.

"error of q" is the largest over the components, each relative to its own size at that instant (absolute for A01 and
A02, whose coordinates pass through zero).  References and their accuracy are those of ``dalembert.problems``.  The
velocities of the slider crank's longitudinal vibrations, 1e-3 beside 150, have eight digits in the reference: two
tolerances of an explicit method differ by 1e-8 there.  "digits of q" are those of the largest component, which is how
references tell what can be trusted of them.

Bars are those of tests/integrate/test_references.py and tests/problems for the same problem and method, at the same or
looser tolerances.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import dalembert as da
from _common import Bound, Reporter, parser, pin_to_one_core

NAMES = ("q", "v", "lam")


@dataclass(frozen=True)
class Run:
    """A problem, how it is run, and what is asked of the result."""

    make: Callable[[], Any]
    method: str
    rtol: float
    atol: float
    end: float | None = None
    relative: bool = True  # whether errors are
    limits: Mapping[str, float] = field(default_factory=dict)  # bars: largest values, of digits the smallest


RUNS = {
    "seven-body": Run(da.problems.seven_body, "dop853", 1e-12, 1e-12),
    "slider crank, radau13": Run(
        da.problems.slider_crank, "radau13", 1e-8, 1e-10, 0.1,
        limits={"error of q": 1e-9, "error of v": 1e-7, "error of lam": 1e-9, "steps": 2000},
    ),
    "slider crank, dop853": Run(
        da.problems.slider_crank, "dop853", 1e-12, 1e-15, 0.1,
        limits={"error of q": 1e-8, "error of v": 1e-6, "digits of q": 13, "digits of v": 11, "digits of lam": 8.5},
    ),
    "A01, 2000 s": Run(da.problems.a01, "dop853", 1e-12, 1e-12, relative=False),
    "A02, 40 four-bars": Run(
        lambda: da.problems.a02(n=40), "dop853", 1e-7, 1e-9, relative=False,
        limits={"error of q": 1e-3, "error of v": 1e-2},
    ),
    "A03": Run(da.problems.a03, "dop853", 1e-12, 1e-12),
    "truck": Run(
        da.problems.truck, "dop853", 1e-11, 1e-12,
        limits={"digits of q": 11.2, "digits of v": 10.2, "digits of lam": 11.2},
    ),
    "truck, radau9": Run(
        da.problems.truck, "radau9", 1e-10, 1e-11,
        limits={"digits of q": 9.7, "digits of v": 8.7, "digits of lam": 9.7},
    ),
    "carriage, radau9": Run(
        da.problems.carriage, "radau9", 1e-9, 1e-11, limits={"digits of q": 11, "digits of v": 6, "digits of lam": 10}
    ),
    "16 pendulums": Run(
        lambda: da.problems.excited_chain(16), "dop853", 1e-12, 1e-16, limits={"digits of q": 8, "digits of v": 7}
    ),
}  # fmt: skip


def measure(report: Reporter, case: str) -> None:
    run = RUNS[case]
    problem = run.make()
    span = (problem.span[0], problem.span[1] if run.end is None else run.end)
    options: dict[str, Any] = {"method": run.method, "rtol": run.rtol, "atol": run.atol, "dense_output": False}
    da.simulate(problem.equations, (span[0], span[0] + 1e-6 * (span[1] - span[0])), problem.start, **options)
    start = time.process_time()
    solution = da.simulate(problem.equations, span, problem.start, **options)
    spent = time.process_time() - start
    if not solution.success:
        raise ArithmeticError(f"{case}: {solution.message}")

    def add(quantity: str, ours: float, unit: str = "1", bound: Bound = "at most") -> None:
        report.add(case=case, quantity=quantity, unit=unit, ours=ours, limit=run.limits.get(quantity), bound=bound)

    add("CPU time", spent, "s")
    add("steps", solution.statistics.steps)
    add("largest |g|", solution.statistics.extra["constraint_residual"])
    reference = problem.reference(span[1])
    for name in NAMES:
        expected = getattr(reference, name)
        if expected is None or not np.size(expected):
            continue
        error = np.abs(getattr(solution, name)[:, -1] - expected)
        scale = np.where(np.abs(expected) > 0, np.abs(expected), 1.0) if run.relative else 1.0
        add(f"error of {name}", float((error / scale).max()))
        if run.relative:
            digits = -np.log10(max(error.max() / np.abs(expected).max(), 1e-17))
            add(f"digits of {name}", float(digits), bound="at least")


def main() -> None:
    made = parser(__doc__)
    arguments = made.parse_args()
    pin_to_one_core()
    with Reporter(json=arguments.json, title="Reference solutions") as report:
        for case in RUNS:
            if not (arguments.quick and case.startswith("A01")):
                measure(report, case)


if __name__ == "__main__":
    main()
