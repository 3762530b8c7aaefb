"""What the thesis says of its vehicle and of the work of its methods, in single numbers (sections 4.2.3, 5.2, 5.3)."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

from _common import Reporter, best_of
from _thesis_jacobians import caught_runs
from _thesis_runs import METHODS
from _thesis_vehicle import Vehicle
from dalembert.integrate import Rosenbrock, Sdirk
from dalembert.integrate.chart import chart_derivatives
from dalembert.integrate.chart.chart_layout import REDUCTIONS
from dalembert.problems import mechanisms

EIGENVALUE, HEIGHT = -2.6e5, 0.71
#: Velocities, constraints and degrees of freedom: stiff in absolute coordinates, and the tree of Table 5.
STIFF, TREE = (84, 66, 18), (27, 16, 11)


def facts(report: Reporter, vehicles: dict[str, Vehicle], quick: bool) -> None:
    """All of them."""
    _sizes(report, vehicles["absolute"])
    _eigenvalue(report, vehicles["relative"])
    length = 5.0
    run = vehicles["absolute"].run(METHODS["ForSDIRK"], length, 1e-4)
    height = float(run.solution["ride.z"][-1])
    report.add(case="vehicle", quantity="height at 5 s", unit="m", ours=height, paper=HEIGHT)
    report.add(case="vehicle", quantity="height at 5 s, off by", unit="m", ours=abs(height - HEIGHT), limit=0.01)
    for coordinates, vehicle in vehicles.items():
        long = vehicle.run(METHODS["ForSDIRK"], 10.0 if quick else 40.0, 1e-3).solution
        report.add(
            case=f"vehicle, {coordinates} coordinates", quantity=f"repartitions in {long.t[-1]:g} s", unit="1",
            ours=long.statistics.extra["repartitions"], paper=0, limit=0,
        )  # fmt: skip
        _share(report, vehicle)
    _fill(report, vehicles["absolute"])
    _threads(report, vehicles["absolute"], 2 if quick else 10)


def _sizes(report: Reporter, stiff: Vehicle) -> None:
    model = mechanisms.hmmwv14().model
    for name, equations, expected in (
        ("stiff, absolute", stiff.equations, STIFF), ("tree of Table 5", model.equations("relative"), TREE)
    ):  # fmt: skip
        s = equations.sizes
        found = (s.v, s.lam, s.v - s.lam)
        for what, ours, paper in zip(("velocities", "constraints", "degrees of freedom"), found, expected, strict=True):
            report.add(case=f"vehicle, {name}", quantity=what, unit="1", ours=ours, paper=paper)
        wrong = sum(ours != paper for ours, paper in zip(found, expected, strict=True))
        report.add(case=f"vehicle, {name}", quantity="numbers that differ", unit="1", ours=wrong, limit=0)


def _eigenvalue(report: Reporter, vehicle: Vehicle) -> None:
    """Of the vehicle at rest on level ground."""
    equations = vehicle.equations
    first = equations.assemble({"chassis.vx": 0.0}, parameters={"speed": 0.0})
    rest = equations.equilibrium(first.q, held=["chassis.x", "chassis.y", "chassis.p3"])
    dominant = float(min(equations.linearise(rest).eigenvalues.real))
    report.add(case="vehicle", quantity="dominant eigenvalue", unit="1/s", ours=dominant, paper=EIGENVALUE)
    report.add(case="vehicle", quantity="dominant eigenvalue, off by", unit="1", ours=abs(dominant / EIGENVALUE - 1),
               limit=0.1)  # fmt: skip


def _share(report: Reporter, vehicle: Vehicle) -> None:
    """What derivatives take of a run, and of a step that has them, one after the other again and again."""
    with caught_runs() as caught:
        run = vehicle.run(Sdirk(jacobian="analytic", errors="independent"), 1.0, 1e-3, repeats=3)
    memory, kernel = caught[-1].run, REDUCTIONS["analytic"].kernel
    once = best_of(lambda: kernel(memory), 5)
    made = run.solution.statistics
    case = f"vehicle, {vehicle.coordinates} coordinates: ForSDIRK at 1e-3"
    report.add(case=case, quantity="derivatives of one step", unit="us", ours=1e6 * once)
    others = (run.seconds - made.njev * once) / made.steps
    report.add(case=case, quantity="share of derivatives in a step with them", unit="1", ours=once / (once + others),
               paper=0.55)  # fmt: skip
    report.add(case=case, quantity="share of derivatives in the run", unit="1", ours=made.njev * once / run.seconds)


def _fill(report: Reporter, vehicle: Vehicle) -> None:
    """Entries of the Jacobian of the descriptor form (after 3.83) that are not zero by structure: M, G and derivatives
    along the columns of independent coordinates; and of the matrix that is factorised here."""
    equations = vehicle.equations
    with caught_runs() as caught:
        vehicle.run(Rosenbrock(), 1e-3, 1e-3)
    run, s = caught[-1].run, equations.sizes
    basis = np.abs(np.array(run.basis).reshape(s.v, -1)) > 1e-12
    pattern = equations.program("reduced").patterns["derivatives"]
    whole: NDArray[np.bool_] = np.zeros(pattern.shape, dtype=bool)
    whole[pattern.rows, pattern.columns] = True
    rows = np.r_[0 : s.v, s.v + s.g + s.lam : s.v + s.g + 2 * s.lam]  # residual and G a − γ
    T = equations.program("contract").patterns["T"]
    moved = np.zeros((s.q, s.v), dtype=bool)
    moved[T.rows, T.columns] = True
    along = whole[np.ix_(rows, np.arange(s.q))] @ moved @ basis | whole[np.ix_(rows, s.q + np.arange(s.v))] @ basis
    n = s.v + s.lam
    matrix = np.zeros((n, n), dtype=bool)
    contract = equations.program("contract").patterns
    matrix[contract["M"].rows, contract["M"].columns] = True
    matrix[s.v + contract["G"].rows, contract["G"].columns] = True
    matrix[contract["G"].columns, s.v + contract["G"].rows] = True
    report.add(case="vehicle, descriptor form", quantity="share of entries, matrix that is factorised", unit="1",
               ours=float(matrix.mean()), limit=0.15)  # fmt: skip
    matrix[:, np.array(run.independent)] |= along
    report.add(case="vehicle, descriptor form", quantity="share of entries, whole Jacobian", unit="1",
               ours=float(matrix.mean()), paper=0.15, limit=0.15)  # fmt: skip


def _threads(report: Reporter, vehicle: Vehicle, repeats: int) -> None:
    """Columns of Appendix A in two threads: the same numbers, and what they gain on two cores."""
    case, taken, ends = "vehicle: columns of the Jacobian in two threads", [], []
    allowed = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    for threads, kernel in ((1, chart_derivatives.columns), (2, chart_derivatives.columns_in_threads)):
        with caught_runs() as caught:
            run = vehicle.run(Sdirk(jacobian="columns", threads=threads, errors="independent"), 1.0, 1e-3).solution
        ends.append(np.concatenate([run.t, run.q.ravel(), run.v.ravel()]))
        memory = caught[-1].run
        if allowed:
            os.sched_setaffinity(0, range(os.cpu_count() or 1))
        taken.append(best_of(lambda memory=memory, kernel=kernel: kernel(memory), repeats))  # type: ignore[misc]
        if allowed:
            os.sched_setaffinity(0, allowed)
    report.add(case=case, quantity="runs that differ in a bit", unit="1", ours=int(not np.array_equal(*ends)), limit=0)
    report.add(case=case, quantity="derivatives of one step", unit="us", ours=1e6 * taken[1], baseline="one thread",
               theirs=1e6 * taken[0])  # fmt: skip
