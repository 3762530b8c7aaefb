"""Corrector, Table 2 and Fig. 7: chains of pendulums below a moving suspension."""

from __future__ import annotations

import dalembert as da
from _common import Reporter
from _corrector_runs import FIRST_STEPS, Task, errors_at_end, method, series

#: #Je of the table and of Fig. 7 by the number of rods: dense differences, and with (26).
PAPER = {
    12: {"dense": 59, "sparse": 72, "ext. part.": 9, "sparse, ext. part.": 10},
    14: {"dense": 96, "sparse": 70, "ext. part.": 12, "sparse, ext. part.": 8},
    16: {"dense": 43, "ext. part.": 6},
}
#: Bars: the median with dense differences lies between these, since it is chaotic; and what updates leave of it.
DENSE = {"at least": 30.0, "at most": 130.0}
MOST = {12: 9.0, 14: 12.0, 16: 6.0}
MOST_OF_DENSE = 0.15
NAMES = ("dense", "sparse", "part.", "ext. part.", "sparse, ext. part.")


def table(report: Reporter, quick: bool) -> None:
    """#Je for several first steps, all values and medians; steps of order up to 5 and up to 2."""
    first_steps = FIRST_STEPS[: 3 if quick else 7]
    for n, printed in PAPER.items():
        problem, case = da.problems.excited_chain(n), f"chain of {n} pendulums"
        task = Task(problem.equations, problem.span, problem.start, 1e-4, 1e-6)
        found = {name: series(task, method(name, "accelerations"), first_steps) for name in NAMES}
        dense = found["dense"].median.je
        for name, runs in found.items():
            for first, one in zip(first_steps, runs.tallies, strict=True):
                started = "the method's own" if first is None else f"{first:g}"
                report.add(case=case, quantity=f"#Je, {name}, first step {started}", unit="1", ours=one.je)
            ours = runs.median
            if name == "dense":
                for bound, limit in DENSE.items():
                    report.add(
                        case=case, quantity="median of #Je, dense", unit="1", ours=ours.je, paper=printed[name],
                        limit=limit, bound=bound,
                    )  # fmt: skip
                continue
            updated = "part." in name
            report.add(
                case=case, quantity=f"median of #Je, {name}", unit="1", ours=ours.je, paper=printed.get(name),
                limit=MOST[n] if updated else None,
            )  # fmt: skip
            report.add(
                case=case, quantity=f"median of #Je of dense, {name}", unit="1", ours=ours.je,
                baseline="dense differences", theirs=dense, limit=MOST_OF_DENSE if updated else None,
            )  # fmt: skip
            report.add(case=case, quantity=f"updates, {name}", unit="1", ours=ours.updates)
        errors_at_end(report, case, task, found, problem.reference())
        low = series(task, method("exact", "accelerations", max_order=2), first_steps[:1]).median
        high = series(task, method("exact", "accelerations"), first_steps[:1]).median
        report.add(
            case=case, quantity="steps, order up to 5", unit="1", ours=high.steps, baseline="order up to 2",
            theirs=low.steps,
        )  # fmt: skip
