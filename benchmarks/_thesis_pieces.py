"""What a step on independent coordinates is made of, in microseconds: the stiff vehicle in joint coordinates.

Kernels of the package in compiled loops, at a point of a ride by "rodas5p" at 1e-4, each with subnormal numbers flushed
as in a run.  What a method could gain at most follows from these and from how often it needs them.
"""

from __future__ import annotations

import time

import numpy as np

from _common import Reporter
from dalembert.equations.contract.convention import STAGE
from dalembert.integrate.chart.chart import make_chart
from dalembert.integrate.chart.recovery import recover
from dalembert.integrate.frame.formalism import complete, rate
from dalembert.integrate.methods import registry
from dalembert.integrate.methods.rosenbrock import RosenbrockMemory
from dalembert.integrate.methods.state_space import return_to_start
from dalembert.integrate.run.live import LiveRun, Options
from dalembert.linalg.vector_operations import copy
from dalembert.native.kernel import Kernel, call_kernel, compiled, flush_subnormals, kernel, restore_mode
from dalembert.problems import mechanisms

#: Calls in one loop: short enough that some loops are not disturbed.
CALLS = 20
TOLERANCE, STEPS = 1e-4, 60


@compiled
def _aside(run: RosenbrockMemory, part: float) -> None:
    """A stage in the middle of the step."""
    copy(run.x0, run.x_stage)
    for k in range(run.n_s):
        run.x_stage[k] += part * run.h * run.x_rate0[k]


@kernel
def accelerations(run: RosenbrockMemory) -> int:
    """Accelerations at a point that is known."""
    mode = flush_subnormals()
    failed = 0
    for _ in range(CALLS):
        run.factored = 0
        failed += rate(run, STAGE.T, run.y_rate)
    restore_mode(mode)
    return failed


@kernel
def recoveries(run: RosenbrockMemory) -> int:
    """All coordinates and velocities from the independent ones."""
    mode = flush_subnormals()
    failed = 0
    for k in range(CALLS):
        _aside(run, 0.5 if k % 2 else 0.3)
        return_to_start(run)
        failed += recover(run, run.t_now, run.x_stage, 0)
    restore_mode(mode)
    return failed


@kernel
def charts(run: RosenbrockMemory) -> int:
    """A chart."""
    mode = flush_subnormals()
    failed = 0
    for _ in range(CALLS):
        failed += make_chart(run)
    restore_mode(mode)
    return failed


@kernel
def derivatives(run: RosenbrockMemory) -> int:
    """Derivatives of the accelerations in it."""
    mode = flush_subnormals()
    failed = 0
    for _ in range(CALLS):
        failed += call_kernel(run.reduction_kernel, run)
    restore_mode(mode)
    return failed


@kernel
def ends(run: RosenbrockMemory) -> int:
    """Projection of the end of a step, with accelerations there."""
    mode = flush_subnormals()
    failed = 0
    for _ in range(CALLS):
        copy(run.y0, run.y1)
        failed += complete(run, run.t_now, run.y1, run.z1, run.rate1)
    restore_mode(mode)
    return failed


PIECES: dict[str, Kernel] = {
    "accelerations": accelerations, "recovery of a stage": recoveries, "chart": charts, "derivatives": derivatives,
    "projected end of a step": ends,
}  # fmt: skip


def pieces(report: Reporter, quick: bool) -> None:
    """A row for each."""
    example = mechanisms.hmmwv14(stiff=True)
    equations = example.model.equations()
    start = example.assemble(equations)
    y = np.concatenate([start.q, start.v, start.u])
    given = Options(rtol=TOLERANCE, atol=np.full(y.size, TOLERANCE))
    live = LiveRun(equations, registry.METHODS["rodas5p"], given, equations.parameter_vector())
    live.run.slice = STEPS
    live.start(0.0, y, 4.0)
    live.advance()
    live.take_records()
    live.run.slice = 1  # with a chart and derivatives of the point where it stands
    live.advance()
    best = dict.fromkeys(PIECES, np.inf)
    for _ in range(50 if quick else 500):
        for name, piece in PIECES.items():
            begun = time.perf_counter()
            failed = piece(live.run)
            best[name] = min(best[name], (time.perf_counter() - begun) / CALLS)
            if failed:
                raise ArithmeticError(f"{name}: a call has failed")
    for name, seconds in best.items():
        report.add(case="stiff vehicle, joint coordinates: a step", quantity=name, unit="us", ours=1e6 * seconds)
