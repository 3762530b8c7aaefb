"""Derivatives of the equations of motion in a chart, and the linear algebra behind them, on the vehicle of D. Negrut,
*On the implicit integration of differential-algebraic equations of multibody dynamics*, PhD thesis, The University of
Iowa, 1998, and on other problems of the library.

Strategies: "analytic" (3.43)–(3.45), "columns" (Appendix A), "directional" (forward mode on atoms, without matrices)
    and "numeric" (5.3), one evaluation at the start of a step.  Baseline is "analytic".
Threads: columns divided among two threads (A.13, Table 31) against one; the same bits are asserted.  Both cores must
    be free for that, else a thread waits for its slice of time: the best of many single calls is taken.  There is no
    bar: a new thread takes 10 to 25 microseconds, and finds the caches of its core cold.
Linear algebra: seconds for one second of the vehicle's motion, over the bump, by methods of the thesis, with each mode
    that serves its matrices; in joint coordinates and in those of all bodies.  The thesis leaves open what its
    topology-based algebra (3.4.2, 3.4.3) does for its state-space methods.  Runs are compared before they are timed.

Times are those of one core but for the threads.  ``--table`` prints the tables of docs/state_space.md.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import dalembert as da
from _common import Reporter, Row, best_of, parser, pin_to_one_core
from dalembert.errors import SimulationError
from dalembert.integrate import Rosenbrock
from dalembert.integrate.chart.chart_derivatives import columns_in_threads
from dalembert.integrate.chart.chart_layout import REDUCTIONS
from dalembert.integrate.run.live import LiveRun, Options
from dalembert.linalg.plan import Structure
from dalembert.linalg.saddle import choose_mode, why_not

#: In the order of columns in the documentation.
STRATEGIES = ("analytic", "columns", "directional", "numeric")
MODES = ("composite", "composite-dense", "skyline", "range", "sparse", "dense")
METHODS = ("sdirk4", "rosenbrock4")
COORDINATES = {"relative": "joint coordinates", "absolute": "absolute coordinates"}
RTOL = 1e-3
#: Two runs may differ by so many tolerances.
ALIKE = 10.0

Made = tuple[Any, NDArray[np.float64]]


def vehicle(stiff: bool, coordinates: str) -> Made:
    return of_model(da.problems.mechanisms.hmmwv14(stiff), coordinates)


def of_model(example: Any, coordinates: str) -> Made:
    equations = example.model.equations(coordinates)
    start = example.assemble(equations)
    return equations, np.concatenate([start.q, start.v, start.u])


def of_library(name: str) -> Made:
    problem = da.problems.get(name)
    return problem.equations, np.concatenate(problem.start)


def name_of(stiff: bool, coordinates: str) -> str:
    return f"{'stiff vehicle' if stiff else 'vehicle'}, {COORDINATES[coordinates]}"


def cases(quick: bool) -> dict[str, Callable[[], Made]]:
    made: dict[str, Callable[[], Made]] = {
        name_of(stiff, coordinates): lambda stiff=stiff, coordinates=coordinates: vehicle(stiff, coordinates)  # type: ignore[misc]
        for stiff in (False, True)
        for coordinates in COORDINATES
    }
    mechanisms = da.problems.mechanisms
    if not quick:
        made |= {
            "seven-body mechanism": lambda: of_library("seven_body"),
            "truck": lambda: of_library("truck"),
            "double wishbone": lambda: of_model(mechanisms.double_wishbone(), "relative"),
            "delta robot": lambda: of_model(mechanisms.delta_robot(), "relative"),
            "Stewart platform": lambda: of_model(mechanisms.stewart_platform(), "relative"),
            "chain of 10 pendulums": lambda: of_library("pendulum_chain"),
        }
    return made


def first_step(made: Made, **options: Any) -> LiveRun:
    """A run with the derivatives of its start."""
    equations, y = made
    given = Options(rtol=1e-6, atol=np.full(y.size, 1e-6), first_step=1e-9)
    live = LiveRun(equations, Rosenbrock(**options), given, equations.parameter_vector())
    live.run.slice = 1
    live.start(0.0, y, 1.0)
    live.advance()
    if live.run.steps != 1:
        sys.exit(f"{equations.name}: no first step")
    return live


# ---------------------------------------------------------------------------------------------------------- strategies


def strategy_table(report: Reporter, case: str, made: Made, repeats: int) -> None:
    runs: dict[str, LiveRun] = {}
    for strategy in STRATEGIES:
        try:
            runs[strategy] = first_step(made, jacobian=strategy)
        except SimulationError:
            continue  # the equations cannot serve it
    times = dict.fromkeys(runs, np.inf)
    for _ in range(repeats):
        for name, live in runs.items():
            kernel, run = REDUCTIONS[name].kernel, live.run
            took = best_of(lambda kernel=kernel, run=run: kernel(run), 3, at_least=2e-3)  # type: ignore[misc]
            times[name] = min(times[name], 1e6 * took)
    for name, took in times.items():
        beside = {} if name == "analytic" else {"baseline": "analytic", "theirs": times["analytic"]}
        report.add(case=case, quantity=f"derivatives, {name}", unit="us", ours=took, **beside)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------------------- threads


def thread_table(report: Reporter, case: str, made: Made, calls: int) -> None:
    lives = [first_step(made, jacobian="columns", threads=n) for n in (1, 2)]
    kernels = REDUCTIONS["columns"].kernel, columns_in_threads
    best = [np.inf, np.inf]
    for _ in range(calls):
        for k in range(2):
            start = time.perf_counter()
            kernels[k](lives[k].run)
            best[k] = min(best[k], time.perf_counter() - start)
    if not np.array_equal(lives[0].run.E_motion, lives[1].run.E_motion):
        sys.exit(f"{case}: two threads have other bits than one")
    report.add(
        case=case, quantity="columns in two threads", unit="us", ours=1e6 * best[1], baseline="columns in one thread",
        theirs=1e6 * best[0],
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------------ linear algebra


def mode_table(report: Reporter, stiff: bool, coordinates: str, span: float, repeats: int) -> None:
    equations, y = vehicle(stiff, coordinates)
    case, s, patterns = name_of(stiff, coordinates), equations.sizes, equations.program("contract").patterns
    structure = Structure(s.v, s.lam, *(patterns[key] for key in ("M", "G", "F")))
    taken = choose_mode("auto", structure, case)
    start = y[: s.q], y[s.q : s.q + s.v]
    for method in METHODS:
        expected, times = None, {}
        for mode in MODES:
            if why_not(mode, structure):
                continue

            def run(mode: str = mode, method: str = method) -> Any:
                return da.simulate(equations, (0, span), start, method=method, solver=mode, rtol=RTOL, atol=RTOL)

            found = run()
            if not found.success:
                sys.exit(f"{case}, {method}, {mode}: {found.message}")
            expected = found.q[:, -1] if expected is None else expected
            if not np.abs(found.q[:, -1] - expected).max() < ALIKE * RTOL:
                sys.exit(f"{case}, {method}: with {mode} it is another motion")
            times[mode] = best_of(run, repeats, at_least=0.0, clock=time.process_time)
        for mode, took in times.items():
            beside = {} if mode == taken else {"baseline": f"auto ({taken})", "theirs": times[taken]}
            report.add(case=case, quantity=f"{method}, {mode}", unit="s", ours=took, **beside)  # type: ignore[arg-type]


# --------------------------------------------------------------------------------------------------------------- tables


def _found(rows: list[Row], quantity: str) -> dict[str, float]:
    return {row.case: row.ours for row in rows if row.quantity == quantity}


def tables(rows: list[Row]) -> str:
    """What stands in the documentation."""
    listed = list(dict.fromkeys(row.case for row in rows))
    columns = {name: _found(rows, f"derivatives, {name}") for name in STRATEGIES}
    lines = [f"| | {' | '.join(f'`{name}`' for name in STRATEGIES)} |", "|---" * (len(STRATEGIES) + 1) + "|"]
    for case in listed:
        if case in columns["columns"]:
            cells = (f"{columns[name][case]:.3g}" if case in columns[name] else "–" for name in STRATEGIES)
            lines.append(f"| {case} | {' | '.join(cells)} |")
    lines += ["", f"| | {' | '.join(f'`{mode}`' for mode in MODES)} |", "|---" * (len(MODES) + 1) + "|"]
    for case in listed:
        for method in METHODS:
            times = [_found(rows, f"{method}, {mode}").get(case) for mode in MODES]
            if any(times):
                cells = ("–" if took is None else f"{1e3 * took:.3g}" for took in times)
                lines.append(f"| {case}, `{method}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    made = parser(__doc__)
    made.add_argument("--table", action="store_true", help="print the tables for the documentation as well")
    arguments = made.parse_args()
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    pin_to_one_core()
    quick = arguments.quick
    with Reporter(json=arguments.json) as report:
        found = {case: make() for case, make in cases(quick).items()}
        for case, problem in found.items():
            strategy_table(report, case, problem, 3 if quick else 10)
        if cores:
            os.sched_setaffinity(0, cores)
        for stiff in (False, True):
            for coordinates in COORDINATES:
                case = name_of(stiff, coordinates)
                thread_table(report, case, found[case], 300 if quick else 5000)
        pin_to_one_core()
        for stiff in (False, True):
            for coordinates in COORDINATES:
                mode_table(report, stiff, coordinates, 0.2 if quick else 1.0, 1 if quick else 3)
    if arguments.table:
        print(tables(report.rows))


if __name__ == "__main__":
    main()
