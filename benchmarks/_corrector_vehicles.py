"""Corrector, 3.3 and Table 3: an axle on a stamp, and a car with driven steering.

Neither has data in the paper; the models are the HMMWV's, with assumptions that ``mechanisms.axle_rig`` and
``mechanisms.steered_car`` name.
"""

from __future__ import annotations

from typing import Any

from _common import Reporter
from _corrector_runs import FIRST_STEPS, Task, beside_dense, method, same_solution, series
from dalembert.problems import mechanisms

RTOL, ATOL = 1e-4, 1e-5
#: (26) needs at most so many Jacobians of (24) on the rig, those along what the stamp forces included.
MOST_OF_PARTITIONED = 0.5
#: Table 3: #Je; its column "percent" is of these.
PAPER = {
    "dense": 2229, "sparse": 2303, "part.": 660, "ext. part.": 668, "sparse, part.": 410, "sparse, ext. part.": 317
}  # fmt: skip
#: Bars on quotients with dense differences; CPU times where forces are dear, as all evaluations were then.
MOST_JACOBIANS = {"part.": 0.30, "sparse, ext. part.": 0.15}
MOST_TIME = {"part.": 0.50, "sparse, ext. part.": 0.20}


def task_of(example: Any) -> Task:
    """The example in relative coordinates."""
    equations = example.model.equations()
    return Task(equations, example.span, example.assemble(equations), RTOL, ATOL)


def rig(report: Reporter, quick: bool) -> None:
    """Jacobians that follow the stamp beside those that do not."""
    task, case = task_of(mechanisms.axle_rig()), "axle on a stamp"
    first_steps = FIRST_STEPS[: 1 if quick else 5]
    found = {
        name: series(task, method(name), first_steps)
        for name in ("dense", "part.", "ext. part.", "sparse, part.", "sparse, ext. part.")
    }
    dense = found["dense"].median
    for name, runs in found.items():
        if name != "dense":
            beside_dense(report, case, name, runs.median, dense, {}, {})
    for pattern in ("", "sparse, "):
        ours = found[f"{pattern}ext. part."].median
        report.add(
            case=case, quantity=f"median of #Je and excited, {pattern}ext. part.", unit="1",
            ours=ours.je + ours.excited, baseline=f"{pattern}part.", theirs=found[f"{pattern}part."].median.je,
            limit=MOST_OF_PARTITIONED,
        )  # fmt: skip
    same_solution(report, case, task, found)


def car(report: Reporter, quick: bool) -> None:
    """The stiff car, its rack a function of time or driven; CPU times where tyres are functions in Python."""
    first_steps = FIRST_STEPS[: 1 if quick else 5]
    for steering, expensive in (("prescribed", False), ("driven", False), ("prescribed", True))[: 2 if quick else 3]:
        task = task_of(mechanisms.steered_car(stiff=True, steering=steering, expensive=expensive))
        case = f"steered car, rack {steering}" + (", forces of tyres in Python" if expensive else "")
        tried = first_steps[: 1 if expensive else None]
        found = {name: series(task, method(name), tried) for name in PAPER}
        dense = found["dense"].median
        report.add(case=f"{case}, dense", quantity="#Je", unit="1", ours=dense.je, paper=PAPER["dense"])
        for name, runs in found.items():
            if name != "dense":
                bars = {"seconds": MOST_TIME} if expensive else {"je": MOST_JACOBIANS}
                limits = {key: most[name] for key, most in bars.items() if name in most}
                beside_dense(report, case, name, runs.median, dense, {"je": PAPER[name]}, limits)
        same_solution(report, case, task, found)
