"""Why the Rosenbrock method of the thesis loses to its SDIRK method at tight tolerances: an experiment.

The thesis blames the missing filter (5.6) of the error estimate, by (5.5).  But its embedded formula (4.71) has
implicit stages only, and its stability function is bounded, so (5.5) does not hold for it.  Steps for 1 s at 1e-5, 2211
against 308 there, are counted here with and without what may be the reason:

    the filter;
    stiff accuracy (RODASP and Rodas5P have it, the method of the thesis has not);
    derivatives of tyres and road in the Jacobian, without which a Rosenbrock method loses its order, where an SDIRK
    method only iterates longer.

The Jacobian without tyres is that of the same vehicle without them: its program stands in for the right one.
"""

from __future__ import annotations

from typing import Any
from unittest import mock

import numpy as np

from _common import Reporter
from _thesis_runs import METHODS, TOLERANCES, power, timed
from _thesis_vehicle import Vehicle
from dalembert.integrate import Method, Rosenbrock, Sdirk
from dalembert.model.forces.tyres import Tyre

TOLERANCE, LENGTH = 1e-5, 1.0
PRINTED = {"ForRosen": 2211.0, "ForSDIRK": 308.0}
_ERRORS: dict[str, Any] = {"errors": "independent"}
TRIED: dict[str, Method] = {
    "ForSDIRK": METHODS["ForSDIRK"],
    "ForSDIRK without filter": Sdirk(filtered=False, **_ERRORS),
    "ForRosen": METHODS["ForRosen"],
    "ForRosen as printed": Rosenbrock(formula="printed", **_ERRORS),
    "ForRosen with filter": Rosenbrock(filtered=True, **_ERRORS),
    "RODASP": Rosenbrock(formula="rodasp", **_ERRORS),
    "RODASP with filter": Rosenbrock(formula="rodasp", filtered=True, **_ERRORS),
    "Rodas5P": Rosenbrock(formula="rodas5p", **_ERRORS),
}


def without_tyres() -> Vehicle:
    """The vehicle in relative coordinates, with a Jacobian that knows nothing of tyres."""
    with mock.patch.object(Tyre, "powers", lambda _tyre, _at: []):
        bare = Vehicle.built("relative").equations.program("reduced")
    vehicle = Vehicle.built("relative")
    vehicle.equations.kept(("program", "reduced"), lambda: bare)
    return vehicle


def experiment(report: Reporter) -> None:
    """Steps, rejected ones and errors of all variants."""
    exact_vehicle = Vehicle.built("relative")
    exact = exact_vehicle.run("radau", LENGTH, 1e-9).solution.q[:, -1]
    steps: dict[tuple[str, str], int] = {}
    for jacobian, vehicle in (("exact Jacobian", exact_vehicle), ("Jacobian without tyres", without_tyres())):
        case = f"steps for 1 s at 1e-5, {jacobian}"
        for name, method in TRIED.items():
            try:
                found = timed(vehicle.equations, (0.0, LENGTH), vehicle.start, method, TOLERANCE).solution
            except ArithmeticError:
                report.failed(case=case, quantity=name)
                continue
            made = found.statistics
            steps[jacobian, name] = made.steps
            paper = PRINTED.get(name) if jacobian == "exact Jacobian" else None
            report.add(case=case, quantity=name, unit="1", ours=made.steps, paper=paper)
            report.add(case=case, quantity=f"{name}: rejected", unit="1", ours=made.rejected)
            report.add(case=case, quantity=f"{name}: evaluations", unit="1", ours=made.nfev)
            error = float(np.abs(found.q[:, -1] - exact).max())
            report.add(case=case, quantity=f"{name}: error after 1 s", unit="m, 1", ours=error)
        for name in TRIED:
            if name != "ForSDIRK" and {(jacobian, name), (jacobian, "ForSDIRK")} <= steps.keys():
                paper = PRINTED["ForRosen"] / PRINTED["ForSDIRK"] if name == "ForRosen" else None
                report.add(
                    case=case, quantity=f"{name} / ForSDIRK", unit="1",
                    ours=steps[jacobian, name] / steps[jacobian, "ForSDIRK"], paper=paper,
                )  # fmt: skip
        _growth(report, case.replace(" at 1e-5", ""), vehicle)


def _growth(report: Reporter, case: str, vehicle: Vehicle) -> None:
    """Steps at all tolerances: without tyres in the Jacobian they grow as the times of the thesis do."""
    for name in ("ForSDIRK", "ForRosen"):
        for tolerance in TOLERANCES:
            try:
                steps = vehicle.run(METHODS[name], LENGTH, tolerance).steps
            except ArithmeticError:
                report.failed(case=case, quantity=f"{name} at {power(tolerance)}")
                continue
            report.add(case=case, quantity=f"{name} at {power(tolerance)}", unit="1", ours=steps)
