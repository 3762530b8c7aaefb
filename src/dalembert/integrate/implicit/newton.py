"""Simplified Newton iterations: the judgement that all implicit methods share.

Hairer, Wanner, Solving ODEs II, IV.8: from the rate of convergence θ follows whether the iteration has converged, and
whether it will within the iterations that are left.
"""

from __future__ import annotations

import numpy as np

from dalembert.integrate.frame import memory as m
from dalembert.integrate.frame.memory import field
from dalembert.native.kernel import Run, compiled

GO_ON, CONVERGED, HOPELESS = range(3)

#: Corrections of this size, in units of the tolerance, do no harm.
_STAGNATION = 0.01
_UNIT_ROUNDOFF = 2.220446049250313e-16


@compiled
def begin_iteration(run: Run) -> None:
    """Before the first iteration of a step."""
    scalars = field(run, m.SCALARS)
    scalars[m.THETA] = 0.0
    # What the last iteration knew about convergence serves until there is a rate of this one.
    scalars[m.RATE] = max(scalars[m.RATE], _UNIT_ROUNDOFF) ** 0.8


@compiled
def judge(run: Run, iteration: int, size: float, before: float) -> int:
    """After iteration number ``iteration`` (from 0), with a correction of this size (and the one before), in units of
    tolerance."""
    ints, scalars = run.ints, field(run, m.SCALARS)
    ints[m.NEWTON_ITERATIONS] += 1
    if not size < np.inf:
        return HOPELESS
    if iteration > 0:
        theta = size / before if before > 0.0 else 0.0
        scalars[m.THETA] = theta if iteration == 1 else np.sqrt(theta * max(scalars[m.THETA], 1e-16))
        if theta >= 0.99:  # rounding may keep the corrections from getting smaller: they are small enough then
            return CONVERGED if size <= _STAGNATION else HOPELESS
        scalars[m.RATE] = theta / (1.0 - theta)
        left = ints[m.NEWTON_LIMIT] - 1 - iteration
        if scalars[m.RATE] * size * theta**left > scalars[m.NEWTON_TOL]:
            return HOPELESS
    if scalars[m.RATE] * size <= scalars[m.NEWTON_TOL]:
        return CONVERGED
    return GO_ON
