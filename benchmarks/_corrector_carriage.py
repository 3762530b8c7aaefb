"""Corrector, Table 1: the carriage with dense, grouped and kept Jacobians, in the forms (9) and (10)."""

from __future__ import annotations

import dalembert as da
from _common import Reporter
from _corrector_runs import COUNTED, FIRST_STEPS, Series, Task, beside_dense, method, same_solution, series

#: Table 1 by rows of F, (10) accelerations and (9) residual, and by the columns that are marked.
PAPER = {
    "accelerations": {
        "dense": {"fc": 9739, "fcw": 2179, "je": 84},
        "sparse": {"fc": 7178, "fcw": 2166, "je": 103},
        "part.": {"fc": 4759, "fcw": 2509, "je": 25},
        "sparse, part.": {"fc": 4605, "fcw": 2288, "je": 43},
    },
    "residual": {
        "dense": {"fc": 10473, "fcw": 2193, "je": 92},
        "sparse": {"fc": 6992, "fcw": 2152, "je": 100},
        "part.": {"fc": 4739, "fcw": 2386, "je": 24},
        "sparse, part.": {"fc": 4415, "fcw": 2226, "je": 40},
    },
}
#: Bars on quotients with dense differences: those of the table, #fc with a tenth more; #fcw for all.
LIMITS = {
    "accelerations": {
        "sparse": {"fc": 1.1 * 0.74}, "part.": {"fc": 1.1 * 0.49, "je": 0.30},
        "sparse, part.": {"fc": 1.1 * 0.47, "je": 0.51},
    },
    "residual": {
        "sparse": {"fc": 1.1 * 0.67}, "part.": {"fc": 1.1 * 0.45, "je": 0.26},
        "sparse, part.": {"fc": 1.1 * 0.42, "je": 0.44},
    },
}  # fmt: skip
MOST_CORRECTORS = 1.15
#: Columns of the Newton matrix that are differenced one by one.
COLUMNS = 90


def table(report: Reporter, quick: bool) -> None:
    """All eight runs, and a known pattern and exact derivatives besides."""
    problem = da.problems.carriage()
    task = Task(problem.equations, problem.span, problem.start, 1e-4, 1e-4)
    first_steps = FIRST_STEPS[: 1 if quick else 5]
    for rows, printed in PAPER.items():
        case = f"carriage, {'(10)' if rows == 'accelerations' else '(9)'} {rows}"
        names = (*printed, "exact") if rows == "accelerations" else (*printed, "known pattern", "exact")
        found = {name: series(task, method(name, rows), first_steps) for name in names}
        dense = found["dense"].median
        for key, value in printed["dense"].items():
            report.add(case=f"{case}, dense", quantity=COUNTED[key], unit="1", ours=getattr(dense, key), paper=value)
        report.add(
            case=f"{case}, dense", quantity="share of Jacobians in #fc", unit="1", ours=1 - dense.fcw / dense.fc,
            paper=1 - printed["dense"]["fcw"] / printed["dense"]["fc"],
        )  # fmt: skip
        _evaluations(report, f"{case}, dense", found["dense"])
        for name in names[1:]:
            limits = {"fcw": MOST_CORRECTORS} | LIMITS[rows].get(name, {})
            beside_dense(report, case, name, found[name].median, dense, printed.get(name, {}), limits)
        same_solution(report, case, task, found)
        if "known pattern" in found:
            _same_runs(report, case, found)


def _evaluations(report: Reporter, case: str, found: Series) -> None:
    """Those of F for one dense Jacobian."""
    for_one = sum(one.fc - one.fcw for one in found.tallies) / sum(one.je for one in found.tallies)
    report.add(case=case, quantity="evaluations for one Jacobian", unit="1", ours=for_one, paper=COLUMNS, limit=COLUMNS)


def _same_runs(report: Reporter, case: str, found: dict[str, Series]) -> None:
    """With a known pattern groups give the derivatives of single columns bit by bit, so the runs are the same."""
    pairs = zip(found["known pattern"].solutions, found["dense"].solutions, strict=True)
    different = sum(bool((one.q != other.q).any() or (one.v != other.v).any()) for one, other in pairs)
    report.add(case=case, quantity="runs that differ, known pattern and dense", unit="1", ours=different, limit=0)
