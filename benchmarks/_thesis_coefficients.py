"""Coefficients of the methods (thesis 4.2, 4.4, 4.5): conditions of order, stability, orders as observed, and the stiff
problem of Prothero and Robinson."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

import dalembert as da
from _common import Reporter
from dalembert.integrate import Descriptor, FixedStep, Method, Newmark, Rosenbrock, Sdirk
from dalembert.integrate.methods import rosenbrock_tables, sdirk_tables
from dalembert.integrate.methods.rosenbrock_tables import RosenbrockTable
from dalembert.integrate.methods.sdirk_tables import SdirkTable

Floats = NDArray[np.float64]
#: Bars: conditions of order; R(∞) where it vanishes exactly.
CONDITIONS, VANISHES = 1e-12, 1e-15
SIZES = (10, 20, 40, 80)


def tables(report: Reporter) -> None:
    """All of it."""
    for formula, table in sdirk_tables.TABLES.items():
        _sdirk(report, f"SDIRK {formula}", table)
    for formula, table in rosenbrock_tables.TABLES.items():
        _rosenbrock(report, f"Rosenbrock, {formula}", table, exact=formula == "thesis")
    _observed_orders(report)
    _prothero_robinson(report)


def _stability(A: Floats, b: Floats, z: complex) -> complex:
    """R(z) = 1 + z bᵀ (1 − z A)⁻¹ 1."""
    return complex(1 + z * (b @ np.linalg.solve(np.eye(len(b)) - z * A, np.ones(len(b)))))


def _third(weights: Floats, A: Floats, c: Floats) -> list[float]:
    """Conditions up to order 3."""
    return [
        weights.sum() - 1, weights @ c - 1 / 2, weights @ c**2 - 1 / 3, weights @ A @ c - 1 / 6
    ]  # fmt: skip


def _solved(A: Floats, right: Floats) -> list[Fraction]:
    """With a triangular matrix, without any rounding of its own."""
    x: list[Fraction] = []
    for row, value in zip(A.tolist(), right.tolist(), strict=True):
        known = sum((Fraction(a) * b for a, b in zip(row, x, strict=False)), Fraction(0))
        x.append((Fraction(value) - known) / Fraction(row[len(x)]))
    return x


def _report(report: Reporter, case: str, order: list[float], A: Floats, b: Floats, limit: float | None) -> None:
    report.add(case=case, quantity="conditions of order", unit="1", ours=float(np.abs(order).max()), limit=CONDITIONS)
    implicit = [k for k in range(len(b)) if A[k, k] != 0.0]  # an explicit first stage has no limit of its own
    if len(implicit) == len(b):
        solved = _solved(A, np.ones(len(b)))
        at_infinity = abs(1 - sum(Fraction(w) * x for w, x in zip(b.tolist(), solved, strict=True)))
    else:  # stiffly accurate with an explicit first stage: the last row of the inner inverse
        at_infinity = abs(_solved(A[1:, 1:], A[1:, 0])[-1])
    report.add(case=case, quantity="R(∞)", unit="1", ours=float(at_infinity), limit=limit)
    largest = max(abs(_stability(A, b, 1j * y)) for y in np.linspace(0.0, 60.0, 1201))
    report.add(case=case, quantity="largest |R(iy)|", unit="1", ours=largest, limit=1 + 1e-9)


def _sdirk(report: Reporter, case: str, table: SdirkTable) -> None:
    """(4.10), (4.11)."""
    A, b, c, embedded = table.A, table.b, table.c, table.b_embedded
    fourth = [b @ c**3 - 1 / 4, (b * c) @ A @ c - 1 / 8, b @ A @ c**2 - 1 / 12, b @ A @ A @ c - 1 / 24]
    _report(report, case, [*_third(b, A, c), *fourth, *_third(embedded, A, c)], A, b, VANISHES)


def _rosenbrock(report: Reporter, case: str, table: RosenbrockTable, *, exact: bool) -> None:
    """(4.55)–(4.62)."""
    s = len(table.m)
    full = np.linalg.inv(np.eye(s) / table.gamma - table.c)
    alpha = table.a @ full
    beta, b, one = alpha + full, table.m @ full, np.ones(s)
    at, beta_1 = alpha @ one, beta @ one
    order = [
        b.sum() - 1, b @ beta_1 - 1 / 2, b @ at**2 - 1 / 3, b @ beta @ beta_1 - 1 / 6, b @ at**3 - 1 / 4,
        (b * at) @ alpha @ beta_1 - 1 / 8, b @ beta @ at**2 - 1 / 12, b @ beta @ beta @ beta_1 - 1 / 24,
    ]  # fmt: skip
    _report(report, case, order, beta, b, VANISHES if exact else None)


def _fixed(method: Method, size: float) -> Method:
    """The same method with steps of one size."""
    return type(method)(**{option.name: getattr(method, option.name) for option in type(method).options()}
                        | {"controller": FixedStep(size=size)})  # fmt: skip


def _run(equations: Any, start: Any, method: Method, steps: int) -> da.Solution:
    run = da.simulate(equations, (0.0, 1.0), start, method=_fixed(method, 1 / steps), rtol=1e-10, atol=1e-13)
    if not run.success:
        raise ArithmeticError(run.message)
    return run


def _observed_orders(report: Reporter) -> None:
    """On the pendulum in the plane, with a constraint: errors of steps of one size."""
    problem = da.problems.pendulum()
    exact = da.simulate(problem.equations, (0.0, 1.0), problem.start, method="dop853", rtol=1e-13, atol=1e-14).q[:, -1]
    expected = {
        "ForSDIRK": (Sdirk(), 4), "SDIRK 4/16": (Sdirk(formula="4/16"), 4), "ForRosen": (Rosenbrock(), 4),
        "SspTrap": (Newmark(), 2), "InflSDIRK": (Descriptor(), 4), "InflTrap": (Descriptor(formula="trapezoidal"), 2),
    }  # fmt: skip
    for name, (method, order) in expected.items():
        coarse, fine = (
            np.abs(_run(problem.equations, problem.start, method, n).q[:, -1] - exact).max() for n in (80, 160)
        )
        report.add(case="observed order, plane pendulum", quantity=name, unit="1", ours=float(np.log2(coarse / fine)),
                   paper=order, limit=order - 0.3, bound="at least")  # fmt: skip


def _prothero_robinson(report: Reporter) -> None:
    """ẏ = λ (y − φ) + φ̇ for the velocity of a mass on a damper that follows a motion: SDIRK methods have errors in
    proportion to 1/|λ|, that of ForRosen does not depend on λ and has order 2."""
    errors: dict[tuple[str, float, int], float] = {}
    methods: dict[str, Method] = {
        "ForSDIRK": Sdirk(), "SDIRK 4/16": Sdirk(formula="4/16"), "ForRosen": Rosenbrock(),
        "RODASP": Rosenbrock(formula="rodasp"), "Rodas5P": Rosenbrock(formula="rodas5p"),
    }  # fmt: skip
    for rate in (-1e5, -1e6):
        equations = da.trace(
            M=lambda: np.eye(1), n_q=1, name="Prothero and Robinson",
            f=lambda v, t, rate=rate: np.array([rate * (v[0] - np.sin(t + 0.3)) + np.cos(t + 0.3)]),
        )  # fmt: skip
        for (name, method), steps in product(methods.items(), SIZES):
            run = _run(equations, ([0.0], [np.sin(0.3)]), method, steps)
            errors[name, rate, steps] = abs(float(run.v[0, -1]) - np.sin(1.3))
    for name in methods:
        case = f"Prothero and Robinson, λ = −1e6: {name}"
        for steps in SIZES:
            report.add(case=case, quantity=f"error at h = 1/{steps}", unit="1", ours=errors[name, -1e6, steps])
        growth = errors[name, -1e5, 10] / errors[name, -1e6, 10]
        thesis = name == "ForRosen"
        report.add(case=case, quantity="error at λ = −1e5 / error", unit="1", ours=growth,
                   limit=1.1 if thesis else 8.0, bound="at most" if thesis else "at least")  # fmt: skip
        order = float(np.log2(errors[name, -1e6, 10] / errors[name, -1e6, 20]))
        report.add(case=case, quantity="order", unit="1", ours=order, limit=1.8 if thesis else None, bound="at least")
