"""Steep laws: how wrong runs may be that call themselves a success.

A block of 1 kg on a spring of 3 N/m is driven by 8 sin 3t N for 6 s, with a friction of 3 N that grows from zero to its
limit within a speed of ``sharpness``.  It slides, sticks and slides again.  Where it sticks, the law is as stiff as 3 N
by the sharpness, 3e6 N s/m at most; an error estimate that is filtered by such a matrix may pass over the sticking.
The law is written in five ways: ``clip``, a linear table, ``tanh`` (``m.friction``), ``where``, and a black box in
Python.  Sharpness is a parameter, so that five models are compiled.

The error is the largest difference of the displacement at twenty instants from ``rodas5p`` at 1e-10, in units of rtol
times the largest displacement.  A row has the worst of all tolerances at which a method calls itself successful; runs
that say that they fail, or need more steps than ``--steps``, are counted.  References are compared with ``bdf``, and
the benchmark ends where both differ by more than the smallest tolerance.

    python benchmarks/steep_laws.py --json
    python benchmarks/steep_laws.py --methods radau9 sdirk4 --laws clip tanh --sharpness 1e-4 --all
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import dalembert as da
from _common import Reporter, parser, pin_to_one_core
from dalembert.errors import SimulationError
from dalembert.integrate.methods.registry import METHODS

#: Largest errors of a success, and of one by "auto".
LIMIT, AUTO_LIMIT = 100.0, 20.0
SHARPNESS = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)
SPAN, INSTANTS, START = (0.0, 6.0), np.linspace(0.3, 6.0, 20), (np.zeros(1), np.zeros(1))
REFERENCE, WITNESS, EXACT = "rodas5p", "bdf", 1e-10
#: Runs with more steps than these are not waited for: explicit methods follow what is stiff.
STEPS, QUICK_STEPS = 20_000, 5_000
QUICK_METHODS = ("auto", "radau", "radau9", "radau13", "sdirk4", "esdirk4", "bdf", "rodas5p", "hht", "chart_bdf")


def _block(name: str, law: Callable[[da.Model, Any], Any]) -> Any:
    """Equations of the block with a law of friction."""
    m = da.Model(name, plane="xy", gravity=(0, 0))
    m.parameters(sharpness=1e-4)
    slide = m.prismatic("slide", m.ground.at(0, 0), m.body("block", mass=1.0, inertia=1.0).at(0, 0))
    m.joint_spring("spring", slide, 3.0)
    m.force("drive", slide.displacement, lambda t: 8.0 * np.sin(3.0 * t))
    law(m, slide)
    return m.equations()


def _clip(m: da.Model, slide: Any) -> None:
    m.force("friction", slide.displacement, lambda p, rate: -3.0 * np.clip(rate / p.sharpness, -1.0, 1.0))


def _table(m: da.Model, slide: Any) -> None:
    table = da.table([-1.0, 1.0], [-1.0, 1.0], kind="linear", outside="constant")
    m.force("friction", slide.displacement, lambda p, rate: -3.0 * table(rate / p.sharpness))


def _tanh(m: da.Model, slide: Any) -> None:
    m.friction("friction", slide, 3.0, velocity=m.p.sharpness)


def _where(m: da.Model, slide: Any) -> None:
    def friction(p: Any, rate: Any) -> Any:
        return -3.0 * np.where(abs(rate) < p.sharpness, rate / p.sharpness, np.where(rate > 0.0, 1.0, -1.0))

    m.force("friction", slide.displacement, friction)


def _black_box(m: da.Model, slide: Any) -> None:
    def friction(p: Any, rates: Any) -> list[float]:
        return [-3.0 * max(-1.0, min(1.0, float(rates[0]) / p.sharpness))]

    m.numeric_force("friction", [slide.displacement], friction)


LAWS = {"clip": _clip, "table": _table, "tanh": _tanh, "where": _where, "black box": _black_box}
#: The smooth law has another motion.
TWINS = {"clip": "clip", "table": "clip", "tanh": "tanh", "where": "clip", "black box": "clip"}


def displacement(
    equations: Any, method: str, rtol: float, sharpness: float, steps: int | None = None, atol: float | None = None
) -> Any:
    """Displacements at the instants, or None unless a run calls itself a success; with its solution."""
    solution = da.simulate(
        equations, SPAN, START, method=method, rtol=rtol, atol=atol, t_eval=INSTANTS, max_steps=steps,
        parameters={"sharpness": sharpness},
    )  # fmt: skip
    return (solution.q[0] if solution.outcome == "finished" and solution.success else None), solution


def reference(equations: Any, sharpness: float) -> np.ndarray:
    """Displacements of the reference, which a method of another kind confirms."""
    exact, _ = displacement(equations, REFERENCE, EXACT, sharpness, atol=EXACT)
    other, _ = displacement(equations, WITNESS, EXACT, sharpness, atol=EXACT)
    doubt = np.abs(exact - other).max() / np.abs(exact).max()
    if not doubt < min(TOLERANCES):
        raise SystemExit(f"{REFERENCE} and {WITNESS} differ by {doubt:.1e} at a sharpness of {sharpness:g}")
    return exact


def main() -> None:
    known = ["auto", *(name for name, method in METHODS.items() if not method.steps_alike)]
    options = parser(__doc__)
    options.add_argument("--methods", nargs="+", choices=known, help="some methods; all with error control by default")
    options.add_argument("--laws", nargs="+", choices=[*LAWS], default=[*LAWS], help="some ways to write the law")
    options.add_argument("--sharpness", nargs="+", type=float, help="speeds in m/s")
    options.add_argument("--steps", type=int, help=f"largest number of steps of a run; {STEPS} by default")
    options.add_argument("--all", action="store_true", help="a row for each tolerance")
    given = options.parse_args()
    pin_to_one_core()
    methods = given.methods or (QUICK_METHODS if given.quick else known)
    speeds = given.sharpness or (SHARPNESS[1:4] if given.quick else SHARPNESS)
    tolerances = TOLERANCES[1::2] if given.quick else TOLERANCES
    steps = given.steps or (QUICK_STEPS if given.quick else STEPS)
    equations = {name: _block(name, law) for name, law in LAWS.items() if name in {*given.laws, *TWINS.values()}}
    exact = {(twin, w): reference(equations[twin], w) for twin in {TWINS[law] for law in given.laws} for w in speeds}
    begun = time.process_time()
    total: dict[str, list[float]] = {method: [0, 0, 0.0] for method in methods}
    with Reporter(json=given.json, title="Steep laws: errors of runs that call themselves a success") as report:
        for law in given.laws:
            for w in speeds:
                right = exact[TWINS[law], w]
                for method in methods:
                    worst, failed = 0.0, 0
                    for rtol in tolerances:
                        try:
                            found, solution = displacement(equations[law], method, rtol, w, steps)
                        except SimulationError:  # it needs derivatives that black boxes do not have
                            break
                        if found is None:
                            failed += 1
                            continue
                        error = float(np.abs(found - right).max() / (rtol * np.abs(right).max()))
                        worst = max(worst, error)
                        count = total[method]
                        count[0] += 1
                        count[1] += solution.statistics.nfev
                        if given.all:
                            report.add(
                                case=f"{law}, {w:g} m/s", quantity=f"error of {method}, rtol = {rtol:.0e}", unit="1",
                                ours=error,
                            )  # fmt: skip
                    report.add(
                        case=f"{law}, {w:g} m/s", quantity=f"error of {method}", unit="1", ours=worst,
                        limit=AUTO_LIMIT if method == "auto" else LIMIT,
                    )  # fmt: skip
                    total[method][2] += failed
        for method, (successes, evaluations, failures) in total.items():
            report.add(case="all", quantity=f"successes of {method}", unit="1", ours=successes)
            report.add(case="all", quantity=f"runs of {method} that say that they failed", unit="1", ours=failures)
            report.add(case="all", quantity=f"evaluations of {method}", unit="1", ours=evaluations)
        report.add(case="all", quantity="time of all runs", unit="s", ours=time.process_time() - begun)


if __name__ == "__main__":
    main()
