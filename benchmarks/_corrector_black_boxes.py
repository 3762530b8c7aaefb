"""Jacobians of models whose forces are functions in Python (corrector 3.1): evaluations and time that strategies take.

A string of masses between springs and dampers that harden, and the steered car with lateral forces of tyres in Python.
``declared`` tells what depends on what (``da.numeric(…, depends=…)``); ``traced`` is the same string without a black
box.  Methods have their own options, other than in the tables of the paper.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import dalembert as da
from _common import Reporter
from _corrector_runs import Tally, Task
from _corrector_vehicles import task_of
from dalembert.problems import mechanisms

METHODS: dict[str, Callable[..., da.Method]] = {"bdf": da.Bdf, "radau": da.Radau}
#: On independent coordinates, where "dense" differences are those of accelerations.
ON_CHARTS: dict[str, Callable[..., da.Method]] = {
    "sdirk4": da.Sdirk, "rodas5p": partial(da.Rosenbrock, formula="rodas5p")
}  # fmt: skip
MASSES, SPAN = 20, (0.0, 10.0)
_BAND = np.abs(np.subtract.outer(np.arange(MASSES), np.arange(MASSES))) <= 1


def force(q: Any, v: Any) -> Any:
    """Of springs and dampers to both neighbours, and to the walls at the ends."""
    stretch = np.concatenate([q[:1], q[1:] - q[:-1], -q[-1:]])
    rate = np.concatenate([v[:1], v[1:] - v[:-1], -v[-1:]])
    pull = 100.0 * stretch + 1e4 * stretch**3 + 5.0 * rate
    return pull[1:] - pull[:-1]


class Counted:
    """The same as a black box that counts its calls."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, q: NDArray[np.float64], v: NDArray[np.float64]) -> Any:
        self.calls += 1
        return force(q, v)


class Case(NamedTuple):
    """A way to the Jacobian of the string."""

    box: bool
    declared: bool
    jacobian: str


CASES = {
    "dense": Case(True, False, "dense"),
    "estimated": Case(True, False, "estimated"),
    "declared": Case(True, True, "grouped"),
    "traced": Case(False, False, "exact"),
}


#: On the car.
TRIED = ("dense", "grouped", "estimated")


def string(counted: Counted | None, declared: bool) -> da.Equations:
    """Masses of 1 kg; forces that are counted, or traced."""
    depends = {"q": _BAND, "v": _BAND} if declared else None
    f = force if counted is None else da.numeric(lambda q, v: counted(q, v), depends=depends)
    return da.trace(M=lambda: np.eye(MASSES), f=f, n_q=MASSES, name="string")


def table(report: Reporter, quick: bool) -> None:
    """Both models, all strategies."""
    for name in (*METHODS, *ON_CHARTS):
        _string(report, name)
    for name in list(METHODS)[: 1 if quick else 2]:
        _car(report, name)


def strategies_of(name: str) -> tuple[str, ...]:
    """Those that a method has on the string: no iteration of a Rosenbrock method would show what an estimate lacks."""
    return tuple(one for one in CASES if (name, one) != ("rodas5p", "estimated"))


def _string(report: Reporter, name: str) -> None:
    make = (METHODS | ON_CHARTS)[name]
    start = (0.3 * np.sin(np.linspace(0.0, 3.0, MASSES)), np.zeros(MASSES))
    for strategy in strategies_of(name):
        case = CASES[strategy]
        counted = Counted() if case.box else None
        task = Task(string(counted, case.declared), SPAN, start, 1e-5, 1e-7)
        _report(report, f"string of {MASSES} masses, {name}", strategy, task, make(jacobian=case.jacobian), counted)


def _car(report: Reporter, name: str) -> None:
    task = task_of(mechanisms.steered_car(stiff=True, steering="prescribed", expensive=True))
    for strategy in TRIED:
        _report(report, f"steered car, tyres in Python, {name}", strategy, task, METHODS[name](jacobian=strategy), None)


def _report(report: Reporter, case: str, strategy: str, task: Task, method: da.Method, counted: Counted | None) -> None:
    """A run after a short one, for which everything is compiled."""
    options: dict[str, Any] = {"method": method, "rtol": task.rtol, "atol": task.atol, "dense_output": False}
    da.simulate(task.equations, (task.span[0], task.span[0] + 1e-6), task.start, **options)
    if counted is not None:
        counted.calls = 0
    begun = time.process_time()
    solution = da.simulate(task.equations, task.span, task.start, **options)
    spent = time.process_time() - begun
    if not solution.success:
        raise ArithmeticError(f"{case}, {strategy}: {solution.message}")
    tally = Tally.of(solution, spent)
    shown = {"#Je": tally.je}
    if isinstance(method, (da.Bdf, da.Radau)):  # others evaluate accelerations, not residuals
        shown["#fc"] = tally.fc
    if tally.fc > tally.fcw or "#fc" in shown:
        shown["for one Jacobian"] = (tally.fc - tally.fcw) / tally.je
    if counted is not None:
        shown["calls"] = counted.calls
    for quantity, value in shown.items():
        report.add(case=case, quantity=f"{strategy}: {quantity}", unit="1", ours=value)
    report.add(case=case, quantity=f"{strategy}: CPU time", unit="ms", ours=1e3 * spent)
