"""What state-space methods have in common: they integrate independent coordinates z, ż (thesis chapter 3), from which
all other coordinates and velocities follow by the constraints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.provider import Provider
from dalembert.errors import SimulationError, suggestion
from dalembert.integrate.chart.chart import chart_norm, make_chart
from dalembert.integrate.chart.chart_layout import checked_reduction, lay_out_chart, needs_reduced
from dalembert.integrate.chart.chart_memory import ChartMemory
from dalembert.integrate.chart.recovery import load_chart_start, recover
from dalembert.integrate.frame.control import update_weights
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.frame.method_layout import MethodLayout
from dalembert.integrate.methods.method import Method, option
from dalembert.linalg.vector_operations import copy
from dalembert.native.kernel import Reals, call_kernel, compiled, kernel, view

CHARTS = ("partition", "tangent")
ERRORS = ("all", "independent")
#: What a recovery within a step may leave, from the tolerance; the end of the step is projected.
_RECOVERED = 1e-3
_LEAST_RECOVERED = 1e-14


@kernel
def begin(run: ChartMemory) -> int:
    """Neither chart nor derivatives may be used after a start, a jump or a break; the partition may."""
    run.jacobian_age, run.have_factors, run.have_chart, run.have_slope = -1, 0, 0, 0
    least = run.rtol
    for i in range(run.n_y):
        least = min(least, run.atol[i] / run.scale[i])
    run.recovery_end = max(_RECOVERED * least, _LEAST_RECOVERED)
    return STATUS.OK


@compiled
def renew_chart(run: ChartMemory) -> int:
    """A chart at the start of the step with the derivatives there."""
    run.njev += 1
    run.jacobian_age, run.have_factors = -1, 0
    status = make_chart(run)
    if status == STATUS.OK:
        status = load_chart_start(run)
    if status == STATUS.OK:
        status = call_kernel(run.reduction_kernel, run)
    if status == STATUS.OK:
        run.jacobian_age = 0
    return status


@compiled
def return_to_start(run: ChartMemory) -> None:
    """Where recoveries begin: the coordinates and velocities at the start of the step."""
    copy(view(run.y0, 0, run.n_q), run.q)
    copy(view(run.y0, run.n_q, run.n_v), run.v)


@compiled
def take_point(run: ChartMemory, y: Reals) -> None:
    """y = (q, v, u) of the point of evaluation."""
    n_q, n_v = run.n_q, run.n_v
    copy(run.q, view(y, 0, n_q))
    copy(run.v, view(y, n_q, n_v))
    copy(run.u, view(y, n_q + n_v, run.n_u))


@compiled
def end_at(run: ChartMemory, x: Reals) -> int:
    """y1 of (z, ż, u) at the end of the step."""
    status = recover(run, run.t_new, x)
    take_point(run, run.y1)
    return status


@compiled
def take_error(run: ChartMemory, error: Reals) -> None:
    """The error of the step in units of the tolerance, from that of (z, ż, u)."""
    update_weights(run)
    run.error = chart_norm(run, error)
    copy(run.y_change, run.error_vector)


@dataclass(frozen=True, kw_only=True)
class StateSpace(Method):
    """A method on independent coordinates; subclasses give its formula."""

    chart: str = option("partition", 'independent coordinates: entries of q ("partition"), or of the "tangent" plane')
    jacobian: str = option(
        "auto", '"analytic", "columns" or "numeric"; "auto": exact where equations have the derivatives'
    )
    errors: str = option("all", 'whether "all" coordinates count in the error, or "independent" ones only')
    partition_limit: float = option(1.25, "growth of the condition of the dependent block that ends a partition")

    memory = ChartMemory
    begin = begin
    form = "independent coordinates of a chart of the constraint manifold"

    def check(self) -> None:
        """Chart, strategy, errors."""
        name = type(self).__name__
        for what, value, known in (("chart", self.chart, CHARTS), ("errors", self.errors, ERRORS)):
            if not isinstance(value, str) or value not in known:
                raise SimulationError(f"{name}: there is no {what} '{value!s:.40}'; {suggestion(str(value), known)}")
        limit = self.partition_limit
        if not (isinstance(limit, (int, float, np.number)) and 1.0 < limit < np.inf):
            raise SimulationError(f"{name}: partition_limit must be a number above 1, got {limit!r:.40}")
        checked_reduction(self.jacobian)

    def programs_of(self, equations: Equations) -> tuple[str, ...]:
        """The contract, and "reduced" where derivatives are taken from it."""
        return ("contract", "reduced") if needs_reduced(self.jacobian, equations) else ("contract",)

    def lay_out(self, equations: Equations, providers: Mapping[str, Provider], solver: str) -> MethodLayout:
        """That of a chart."""
        made = lay_out_chart(equations, providers, self.jacobian)
        own = {"tangent": int(self.chart == "tangent"), "only_independent": int(self.errors == "independent")}
        return made._replace(values={**made.values, **own})

    @cached_property
    def settings(self) -> Mapping[str, float]:
        """With the limit of partitions."""
        return {**super().settings, "partition_limit": float(self.partition_limit)}
