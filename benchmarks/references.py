"""How far the reference solutions are reached: the long runs that the tests do in part.

"error of q" is the largest over the components, each relative to its own size at that instant (absolute for A01 and
A02, whose coordinates pass through zero).  References and their accuracy are those of ``dalembert.problems``.  The
velocities of the slider crank's longitudinal vibrations, 1e-3 beside 150, have eight digits in the reference: two
tolerances of an explicit method differ by 1e-8 there.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import dalembert as da
from _common import Reporter, parser, pin_to_one_core

#: Problem, method, rtol, atol, end of the run, whether errors are relative.
RUNS: dict[str, tuple[Any, str, float, float, float | None, bool]] = {
    "seven-body": (da.problems.seven_body, "dop853", 1e-12, 1e-12, None, True),
    "slider crank, radau13": (da.problems.slider_crank, "radau13", 1e-8, 1e-10, 0.1, True),
    "slider crank, dop853": (da.problems.slider_crank, "dop853", 1e-12, 1e-15, 0.1, True),
    "A01, 2000 s": (da.problems.a01, "dop853", 1e-12, 1e-12, None, False),
    "A02, 40 four-bars": (lambda: da.problems.a02(n=40), "dop853", 1e-7, 1e-9, None, False),
    "A03": (da.problems.a03, "dop853", 1e-12, 1e-12, None, True),
    "truck": (da.problems.truck, "dop853", 1e-11, 1e-12, None, True),
    "truck, radau9": (da.problems.truck, "radau9", 1e-10, 1e-11, None, True),
}


def measure(report: Reporter, case: str) -> None:
    make, method, rtol, atol, t_end, relative = RUNS[case]
    problem = make()
    span = (problem.span[0], problem.span[1] if t_end is None else t_end)
    options: dict[str, Any] = {"method": method, "rtol": rtol, "atol": atol, "dense_output": False}
    da.simulate(problem.equations, (span[0], span[0] + 1e-6 * (span[1] - span[0])), problem.start, **options)
    start = time.process_time()
    solution = da.simulate(problem.equations, span, problem.start, **options)
    spent = time.process_time() - start
    if not solution.success:
        raise ArithmeticError(f"{case}: {solution.message}")
    report.add(case=case, quantity="CPU time", unit="s", ours=spent)
    report.add(case=case, quantity="steps", unit="1", ours=solution.statistics.steps)
    report.add(case=case, quantity="largest |g|", unit="1", ours=solution.statistics.extra["constraint_residual"])
    reference = problem.reference(span[1])
    for name in ("q", "v", "lam"):
        expected = getattr(reference, name)
        if expected is None or not np.size(expected):
            continue
        error = np.abs(getattr(solution, name)[:, -1] - expected)
        if relative:
            error = error / np.where(np.abs(expected) > 0, np.abs(expected), 1.0)
        report.add(case=case, quantity=f"error of {name}", unit="1", ours=float(error.max()))


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
