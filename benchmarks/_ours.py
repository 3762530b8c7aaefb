"""Ours in the comparison of integrators: the one place that calls dalembert's simulation.

Each function gives the same :class:`_peers_sweep.Peer` objects as the other packages do, so that ours is swept, timed
and judged by the same code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

import dalembert as da
from _peers_chain import sweep_of
from _peers_sweep import DRIFT_FREE, Outcome, Peer, Run, decades, version
from dalembert.integrate import Method

METHODS = ("dop853", "dopri5", "radau", "radau9", "mexx")
LONG_CHAIN_METHODS = ("dop853",)  # the others take minutes
Arrange = Callable[[np.ndarray], np.ndarray]


def simulate(
    problem: Any, method: str | Method, arrange: Arrange, ends_only: bool, tolerance: float, residuals: bool = False
) -> Run:
    """One run of ours; equations are made and compiled before.

    ``arrange`` brings (q, v), by columns, into the order that the comparison wants.  Evaluations are those of
    ``residuals`` in an iteration, or all, with those of accelerations at the ends of steps.
    """
    equations, start = problem.equations, (problem.q0, problem.v0)

    def run(span: tuple[float, float] = problem.span) -> Outcome:
        solution = da.simulate(
            equations, span, start, method=method, rtol=tolerance, atol=tolerance, dense_output=False,
            t_eval=span if ends_only else None,
        )  # fmt: skip
        if not solution.success:
            raise ArithmeticError(solution.message)
        end = arrange(np.concatenate([solution.q[:, -1:], solution.v[:, -1:]]))[:, 0]
        statistics = solution.statistics
        evaluations = statistics.newton_iterations if residuals else statistics.nfev
        return Outcome(end, evaluations, statistics.steps, lambda: arrange(np.concatenate([solution.q, solution.v])))

    t0, t1 = problem.span
    run((t0, t0 + 1e-3 * (t1 - t0)))  # what is compiled on first use
    return run


def peers(problem: Any, arrange: Arrange, tolerances: Sequence[float], long: bool = False) -> list[Peer]:
    """Ours with all methods that make sense."""
    name = version("dalembert")
    return [
        Peer(f"{name}, {method}", DRIFT_FREE, partial(simulate, problem, method, arrange, long), tolerances, long)
        for method in (LONG_CHAIN_METHODS if long else METHODS)
    ]


def seven_body() -> list[Peer]:
    """The seven-body mechanism."""
    return peers(da.problems.seven_body(), lambda path: path, decades(4.0, 13.0))


def by_quantities(n: int, path: np.ndarray) -> np.ndarray:
    """(φ, ω, x, y, v_x, v_y) from (q, v) of ``n`` bars, whose coordinates are x, y, φ of one bar after the other."""
    x, y, phi, v_x, v_y, w = (path[half + k : half + 3 * n : 3] for half in (0, 3 * n) for k in range(3))
    return np.vstack([phi, w, x, y, v_x, v_y])


def pendulum_chain(n: int) -> list[Peer]:
    """The chain of ``n`` bars."""
    return peers(da.problems.pendulum_chain(n), partial(by_quantities, n), sweep_of(n), long=n > 500)


def bdf(problem: Any, arrange: Arrange, tolerances: Sequence[float], kind: str, **options: Any) -> Peer:
    """Backward differentiation formulas, whose evaluations are residuals of the corrector iteration."""
    long = len(problem.coordinates) > 1500
    said = ", ".join(f"{key}={value}" for key, value in options.items())
    prepare = partial(simulate, problem, da.Bdf(**options), arrange, long, residuals=True)
    return Peer(f"{version('dalembert')}, bdf{' ' + said if said else ''}", kind, prepare, tolerances, long)


def bdf_on_chain(n: int) -> list[Peer]:
    """The same for the chain of ``n`` bars, with orders up to 2: those above are not stable for waves along it."""
    problem = da.problems.pendulum_chain(n)
    return [
        bdf(problem, partial(by_quantities, n), sweep_of(n), DRIFT_FREE, max_order=2, **options)
        for options in ({}, {"constraints": "projected"}, {"velocities": False})
    ]
