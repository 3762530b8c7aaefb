"""Simplified Newton iterations: the judgement that all implicit methods share.

Hairer, Wanner, Solving ODEs II, IV.8: from the rate of convergence θ follows whether the iteration has converged, and
whether it will within the iterations that are left.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.errors import SimulationError
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.implicit.newton_memory import NewtonMemory
from dalembert.native.kernel import compiled
from dalembert.native.legend import Legend

JUDGEMENT = Legend(
    "what is said of a Newton iteration",
    GO_ON="it needs another correction",
    CONVERGED="it has converged",
    HOPELESS="it will not converge within the iterations that are left",
)
#: Corrections of this size, in units of the tolerance, do no harm.
_STAGNATION = 0.01
_EPS = 2.220446049250313e-16
#: An iteration that contracts faster than this has shown that its matrix is about that of the equations.
PROVEN = 0.5
#: Corrections of this size, relative to their components, are rounding of sums over many terms.
ROUNDED = 1e4 * _EPS
#: Rates at the end of a step may differ from those of the formula by this many tolerances in the length of the step.
UNEXPECTED = 1.0
#: Iterations that nobody waits for.
_MOST_ITERATIONS = 1000


@dataclass(frozen=True)
class Newton:
    """Constants of an iteration.

    :param limit: iterations at most; None for the method's own number
    :param tolerance: correction, in units of the tolerance of the run, that ends the iteration; None for √rtol, at most
        0.03, times what the method asks for
    """

    limit: int | None = None
    tolerance: float | None = None

    def __post_init__(self) -> None:
        if self.limit is not None and not (isinstance(self.limit, (int, np.integer)) and self.limit >= 1):
            raise SimulationError(f"Newton: limit must be a whole number, at least 1; got {self.limit!r}")
        if self.limit is not None and self.limit > _MOST_ITERATIONS:
            raise SimulationError(f"Newton: limit must be at most {_MOST_ITERATIONS}; got {self.limit!r:.40}")
        if self.tolerance is not None and not (
            isinstance(self.tolerance, (int, float, np.number)) and 0 < self.tolerance < 1
        ):
            raise SimulationError(f"Newton: tolerance must be a number between 0 and 1, got {self.tolerance!r}")

    def tolerance_for(self, rtol: float, part: float, fixed: bool) -> float:
        """The correction that ends an iteration in a run with this rtol; a method asks for a part of what is usual.

        With steps of ``fixed`` size rtol controls nothing else, and a step that fails cannot be made shorter:
        corrections that may be rounding end the iteration.
        """
        if self.tolerance is not None:
            return float(self.tolerance)
        return max((ROUNDED if fixed else 10 * _EPS) / rtol, part * min(0.03, rtol**0.5))


@compiled
def begin_iteration(run: NewtonMemory) -> None:
    """Before the first iteration of a step."""
    run.theta = 0.0
    # What the last iteration knew about convergence serves until there is a rate of this one; not where nothing is
    # predicted: the first evaluation is then where the step begins, and tells nothing of where it leads.
    run.convergence = 1.0 if run.fresh or run.after_failure else max(run.convergence, _EPS) ** 0.8


@compiled
def judge(run: NewtonMemory, iteration: int, size: float, before: float) -> int:
    """After iteration number ``iteration`` (from 0), with a correction of this size (and the one before), in units of
    tolerance."""
    run.newton_iterations += 1
    run.iterations += 1
    run.newton_done = iteration + 1
    run.measured = 0
    if not size < np.inf:
        return JUDGEMENT.HOPELESS
    if iteration > 0:
        theta = size / before if before > 0.0 else 0.0
        run.measured = 1 if theta < PROVEN else 0
        run.theta = theta if iteration == 1 else np.sqrt(theta * max(run.theta, 1e-16))
        if theta >= 0.99:  # rounding may keep the corrections from getting smaller: they are small enough then
            return JUDGEMENT.CONVERGED if size <= _STAGNATION else JUDGEMENT.HOPELESS
        run.convergence = theta / (1.0 - theta)
        left = run.newton_limit - 1 - iteration
        if run.convergence * size * theta**left > run.newton_tol:
            if run.convergence * size > _STAGNATION:
                return JUDGEMENT.HOPELESS
            # Close to rounding rates are noise, and no smaller step would do better.
            if left == 0 and run.convergence * size <= ROUNDED / run.rtol:
                return JUDGEMENT.CONVERGED
    if run.convergence * size <= run.newton_tol:
        return JUDGEMENT.CONVERGED
    return JUDGEMENT.GO_ON


@compiled
def judge_end(run: NewtonMemory, before: float, after: float) -> int:
    """Whether a correction of the end, of size ``before``, is small, and has made the next one smaller still; if not,
    the iteration has ended too early, as its matrix is of no use here."""
    if after < PROVEN * before and before + after <= 1.0:
        return STATUS.OK
    run.jacobian_age, run.have_factors, run.convergence = -1, 0, 1.0
    run.newton_failures += 1
    return STATUS.NEWTON_FAILED
