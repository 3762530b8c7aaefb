"""Our dop853 beside CyRK's DOP853 on machine code that our symbolic engine has made of the seven-body mechanism.

Both are called as their users call them, with the same tolerances, by turns in the same process, and each has the least
of its times: what differs is what stands around the evaluations.  Ours projects every step onto the constraints, keeps
accelerations and multipliers of all steps, and leaves a result that can be resumed; CyRK integrates the index-1 form,
which drifts.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import _peers_model as model
import dalembert as da
from _common import Reporter
from _peers_ode import derivative
from _peers_sweep import version

TOLERANCES = (1e-4, 1e-6, 1e-9)
#: Bar: our time over theirs.
LIMIT = 1.0


def rows(report: Reporter, quick: bool) -> None:
    """Rows for some tolerances, with and without dense output."""
    from CyRK import nbsolve2_ivp

    problem, native, (y0, _) = da.problems.seven_body(), derivative(), model.start("ode")
    equations, start, address = problem.equations, (problem.q0, problem.v0), native.address("derivative")
    for dense in (False, True):
        for tolerance in TOLERANCES:
            options = {"rtol": tolerance, "atol": tolerance, "dense_output": dense}

            def ours(options: dict[str, float] = options) -> None:
                da.simulate(equations, problem.span, start, method="dop853", **options)

            def theirs(options: dict[str, float] = options) -> None:
                nbsolve2_ivp(address, model.SPAN, y0, method="DOP853", **options).free()

            mine, other = by_turns((ours, theirs), 100 if quick else 400)
            report.add(
                case="dop853 on the seven-body mechanism",
                quantity=f"rtol = atol = {tolerance:g}, {'with' if dense else 'without'} dense output", unit="us",
                ours=1e6 * mine, baseline=f"{version('CyRK')}, DOP853, index-1 ODE with our machine code",
                theirs=1e6 * other, limit=LIMIT,
            )  # fmt: skip


def by_turns(functions: tuple[Callable[[], None], ...], repeats: int) -> list[float]:
    """The least time of each."""
    for function in functions:
        for _ in range(5):  # what is compiled and prepared on first use
            function()
    least = [float("inf")] * len(functions)
    gc.collect()
    gc.disable()
    try:
        for _ in range(repeats):
            for k, function in enumerate(functions):
                began = time.perf_counter()
                function()
                least[k] = min(least[k], time.perf_counter() - began)
    finally:
        gc.enable()
    return least
