"""Options of BDF measured: forms of the equations, the Radau step that begins, errors of positions alone, highest
orders; for docs/bdf.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import dalembert as da
from _common import Reporter

#: Forms by what is measured of them: constraints, and whether velocities count in errors.
FORMS = (("ggl", True), ("ggl", False), ("index1", True), ("index2", True), ("index3", False))
#: Runs with and without the Radau step, and with and without errors of velocities, by their names on the page.
STARTERS = {"`starter=True`": True, "`starter=False`, as DASSL": False}
VELOCITIES: Mapping[str, Any] = {
    "`bdf`": da.Bdf(),
    "`bdf`, `velocities=False`": da.Bdf(velocities=False),
    "`radau`": da.Radau(),
}
ORDERS = (5, 2)
BARS, RODS, LONG = 50, 16, 1000
#: Runs with formulas of both kinds: of what, tolerance, highest order.
SEVEN, CHAIN = "seven-body mechanism", f"chain of {LONG} bars"
FORMULAS = (
    (SEVEN, 1e-3, 5), *((SEVEN, 1e-5, order) for order in (2, 3, 4, 5)), (CHAIN, 3e-2, 2), (CHAIN, 1e-2, 2),
)  # fmt: skip
_END, _BRAKED = 20.0, 4
_HARD, _SOFT, _AMPLITUDE = 1e6, 1.0, 2.5e-4


def forms(report: Reporter) -> None:
    """A pendulum with constraints of several indices."""
    problem = da.problems.pendulum()
    span, start = (0.0, _END), (problem.q0, problem.v0)
    exact = da.simulate(problem.equations, span, start, method="radau9", rtol=1e-12, atol=1e-13)
    for constraints, velocities in FORMS:
        method = da.Bdf(constraints=constraints, velocities=velocities)
        run = da.simulate(problem.equations, span, start, method=method, rtol=1e-6, atol=1e-6)
        case = f"pendulum, constraints={constraints}, velocities={velocities}"
        _add_work(report, case, run)
        g, gv = _residuals(problem.equations, run)
        report.add(case=case, quantity="largest |g|", unit="m2", ours=g)
        report.add(case=case, quantity="largest |G v|", unit="m2/s", ours=gv)
        report.add(
            case=case, quantity="error at the end", unit="m", ours=float(np.abs(run.q - exact.q[:, -1:])[:, -1].max())
        )


def _residuals(equations: Any, run: Any) -> tuple[float, float]:
    """Of positions and velocities, at the ends of all steps."""
    found = [equations.evaluate("g", "G", q=run.q[:, k], v=run.v[:, k]) for k in range(len(run.t))]
    return (
        max(float(np.abs(g).max()) for g, _ in found),
        max(float(np.abs(G @ run.v[:, k]).max()) for k, (_, G) in enumerate(found)),
    )


def _add_work(report: Reporter, case: str, run: Any) -> None:
    if not run.success:
        raise ArithmeticError(f"{case}: {run.message}")
    work = run.statistics
    for quantity, value in (
        ("steps", work.steps), ("rejected", work.rejected), ("iterations", work.newton_iterations)
    ):  # fmt: skip
        report.add(case=case, quantity=quantity, unit="1", ours=value)


def starters(report: Reporter) -> None:
    """A pendulum that an event brakes, so that a run begins five times."""
    problem = da.problems.pendulum()
    for said, starter in STARTERS.items():
        # A new event for each run: it counts its roots.
        brake = da.Event(lambda t, q: np.sin(np.pi * (_BRAKED + 1) * t / _END), action=lambda v: da.Change(v=0.8 * v))
        run = da.simulate(
            problem.equations, (0.0, _END), (problem.q0, problem.v0), method=da.Bdf(starter=starter), rtol=1e-6,
            atol=1e-6, events=[brake],
        )  # fmt: skip
        _add_work(report, f"braked pendulum, {said}", run)


def velocities(report: Reporter) -> None:
    """Two masses whose fast vibration has a small amplitude, and a chain of bars."""
    masses = da.trace(
        M=lambda: np.eye(2),
        f=lambda q: np.array([-_SOFT * q[0] - _HARD * (q[0] - q[1]), -_SOFT * q[1] - _HARD * (q[1] - q[0])]),
        n_q=2,
        name="two masses",
    )
    start = [1.0 + _AMPLITUDE, 1.0 - _AMPLITUDE], [0.0, 0.0]
    for said, method in VELOCITIES.items():
        run = da.simulate(masses, (0.0, 10.0), start, method=method, rtol=1e-4, atol=1e-4)
        case = f"two masses, {said}"
        _add_work(report, case, run)
        slow = 0.5 * (run.q[0] + run.q[1]) - np.cos(np.sqrt(_SOFT) * run.t)
        report.add(case=case, quantity="error of the slow motion", unit="m", ours=float(np.abs(slow).max()))
    chain = da.problems.pendulum_chain(BARS)
    for counted in (True, False):
        run = da.simulate(chain, method=da.Bdf(max_order=2, velocities=counted), rtol=1e-3, atol=1e-3)
        said = "`bdf`" if counted else "`bdf`, `velocities=False`"
        _add_work(report, f"chain of {BARS} bars, order 2, {said}", run)


def orders(report: Reporter) -> None:
    """A chain of pendulums, nothing of which is damped."""
    problem = da.problems.excited_chain(RODS)
    for highest in ORDERS:
        run = da.simulate(problem, method=da.Bdf(max_order=highest), rtol=1e-4, atol=1e-6)
        _add_work(report, f"chain of {RODS} pendulums, max_order={highest}", run)


def formulas(report: Reporter) -> None:
    """Numerical differentiation formulas beside those of BDF: a mechanism that is not stiff, waves along a chain."""
    mechanism, chain = da.problems.seven_body(), da.problems.pendulum_chain(LONG)
    exact = da.simulate(mechanism, method="radau13", rtol=1e-11, atol=1e-11, dense_output=False).q[:, -1]
    for of, rtol, highest in FORMULAS:
        problem = mechanism if of == SEVEN else chain
        for ndf in (False, True):
            run = da.simulate(
                problem, method=da.Bdf(max_order=highest, ndf=ndf), rtol=rtol, atol=rtol, dense_output=False
            )
            case = formula_case(of, rtol, highest, ndf)
            _add_work(report, case, run)
            if of == SEVEN:
                error = float(np.abs(run.q[:, -1] - exact).max() / rtol)
                report.add(case=case, quantity="error in tolerances", unit="1", ours=error)


def formula_case(of: str, rtol: float, highest: int, ndf: bool) -> str:
    """What a run of these formulas is called."""
    return f"{of}, rtol {rtol:g}, max_order={highest}, {'NDF' if ndf else 'BDF'}"


TABLES: tuple[Callable[[Reporter], None], ...] = (forms, starters, velocities, orders, formulas)


def table(report: Reporter) -> None:
    """All of them."""
    for one in TABLES:
        one(report)
