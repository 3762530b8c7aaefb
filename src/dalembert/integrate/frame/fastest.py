"""The fastest motion at a point: |λ| of the largest eigenvalue of the right side, by the power method on differences.

As in RKC (B. P. Sommeijer, L. F. Shampine, J. G. Verwer, J. Comput. Appl. Math. 88 (1998) 315–326)."""

from __future__ import annotations

import math

from dalembert.equations.contract.convention import STAGE
from dalembert.integrate.frame.formalism import load, rate
from dalembert.integrate.frame.memory import STATUS, Memory
from dalembert.linalg.vector_operations import copy
from dalembert.native.kernel import compiled, flush_subnormals, kernel, restore_mode, view
from dalembert.native.legend import Legend

FASTEST = Legend(
    "what was found of the fastest motion",
    NOTHING="right sides that are not finite, or depend on nothing",
    SEEN="its direction is in error_vector, in units of the sizes there are; |λ| is in weight[0]",
    DAMPED="the same, and the motion dies out without a swing: λ is negative, or several are",
    RAISED="a Python function behind an entry raised an exception",
)
#: Applications of the Jacobian, and how many of the last ones count where they do not agree.
_POWERS, _COUNTED = 8, 4
#: After so many |λ| is known within this factor, which is enough where it does not matter.
_FIRST_POWERS, _ROUGHLY = 4, 10.0
#: Three sizes in a row that agree within this factor are |λ| of a single eigenvalue.
_AS_GOOD = 1.02
#: A direction that is turned round so well, twice, belongs to negative eigenvalues.
_ALONG = 0.8
_DIFFERENCE = 1e-6


@compiled
def _norm(run: Memory) -> float:
    total = 0.0
    for x in run.error_vector:
        total += x * x
    return math.sqrt(total)


@compiled
def _begin_direction(run: Memory) -> None:
    """The direction of the motion, and something of everything else."""
    x, base, largest = run.error_vector, run.rate1, 0.0
    for i in range(run.n_y):
        x[i] = base[i] / (run.scale[i] + abs(run.y0[i]))
        largest = max(largest, abs(x[i]))
    for i in range(run.n_y):
        x[i] += (0.1 * largest + 1e-3) * math.cos(1.0 + i)
    size = _norm(run)
    for i in range(run.n_y):
        x[i] /= size


@compiled
def _applied(run: Memory) -> int:
    """The Jacobian times the direction, in units of the sizes that there are; y1[0] is left with its part along that
    direction."""
    x, ahead, along = run.error_vector, run.weight, 0.0
    for i in range(run.n_y):
        run.y1[i] = run.y0[i] + _DIFFERENCE * (run.scale[i] + abs(run.y0[i])) * x[i]
    load(run, run.t_now, run.y1)
    status = rate(run, STAGE.P, ahead)
    for i in range(run.n_y):
        changed = (ahead[i] - run.rate1[i]) / (_DIFFERENCE * (run.scale[i] + abs(run.y0[i])))
        along += x[i] * changed
        x[i] = changed
    run.y1[0] = along
    return status


@compiled
def _found(run: Memory, worth: float) -> int:
    load(run, run.t_now, run.y0)
    status = rate(run, STAGE.P, run.rate1)
    if status:
        return FASTEST.RAISED if status == STATUS.RAISED else FASTEST.NOTHING
    _begin_direction(run)
    # Logarithms of the last sizes, the youngest first.
    first = second = third = fourth = 0.0
    size, known, damped, before = 0.0, False, False, False
    for k in range(_POWERS):
        status = _applied(run)
        if status:
            return FASTEST.RAISED if status == STATUS.RAISED else FASTEST.NOTHING
        size = _norm(run)
        if not 0.0 < size < math.inf:
            return FASTEST.NOTHING
        before, damped = damped, run.y1[0] < -_ALONG * size
        for i in range(run.n_y):
            run.error_vector[i] /= size
        fourth, third, second, first = third, second, first, math.log(size)
        if k + 1 >= _FIRST_POWERS:
            known = max(first, second, third) - min(first, second, third) < math.log(_AS_GOOD)
            far = k + 1 == _FIRST_POWERS and _ROUGHLY * math.exp(max(first, second, third, fourth)) < worth
            if known or far:
                break
    # Where λ are a pair, sizes go up and down: their mean counts.
    run.weight[0] = size if known else math.exp((first + second + third + fourth) / _COUNTED)
    return FASTEST.DAMPED if damped and before else FASTEST.SEEN


@kernel
def fastest_motion(run: Memory) -> int:
    """|λ| where the run stands, between two slices.  One that is far below ``weight[0]`` need not be known well."""
    mode = flush_subnormals()
    evaluations, factorisations, solutions = run.nfev, run.nlu, run.nsolve
    found = _found(run, run.weight[0]) if run.n_y else FASTEST.NOTHING
    # What was looked at between steps shall not show.
    run.nfev, run.nlu, run.nsolve = evaluations, factorisations, solutions
    copy(view(run.z0, run.n_v, run.n_lam), run.lam)
    restore_mode(mode)
    return found
