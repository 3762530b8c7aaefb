"""Order and size of the steps of BDF methods on independent coordinates, in the manner of CVODE: both are kept for
k + 1 steps, then what lets the next steps grow most is taken, if they grow enough by it.

Different from there: errors come from modified divided differences, as in DASSL, with the coefficients of steps that
have changed, and an order whose error is no larger than that of the order above is left at once.
A. C. Hindmarsh et al., SUNDIALS, ACM Trans. Math. Softw. 31 (2005).
"""

from __future__ import annotations

import numpy as np

from dalembert.integrate.frame.control import norm_of_sum
from dalembert.integrate.methods.bdf_slots import BdfSlots
from dalembert.integrate.methods.multistep import difference
from dalembert.native.kernel import compiled

#: What an error of this order, of one less and of one more may become, in parts of the tolerance: 1/6, 1/6 and 1/10.
_HERE, _BELOW, _ABOVE = 6.0, 6.0, 10.0
#: Largest growth of the size.
_GROWTH = 10.0


@compiled
def error_of_more(run: BdfSlots, k: int) -> float:
    """Error of order k + 1, infinite if too few differences are known. Before those of this step are renewed."""
    if k >= run.max_order or run.known < k + 2:
        return np.inf
    beta, psi = run.beta_ratios, run.psi
    size = norm_of_sum(run.error_weight, run.departure, -beta[k + 2], difference(run, k + 2), 0.0, run.departure)
    return (k + 1) * run.sigma[k + 1] * (run.h / psi[k + 2]) * size


@compiled
def _growth(error: float, part: float, k: int) -> float:
    """Factor of the size with which an error of order k becomes this part of the tolerance."""
    return 1.0 / ((part * error) ** (1.0 / (k + 1)) + 1e-6)


@compiled
def plan_growth(run: BdfSlots, k: int, above: float) -> None:
    """Order and size of the next step."""
    size, wanted, factor = abs(run.h), k, 1.0
    if run.min_order < run.max_order and run.lowering:
        wanted = k - 1
        run.steady = 0
    elif run.steady > k:
        factor = _growth(run.error_here, _HERE, k)
        if run.min_order < run.max_order:
            if k > 1:
                below = _growth(run.error_below, _BELOW, k - 1)
                if below > factor:
                    wanted, factor = k - 1, below
            if above < np.inf:
                more = _growth(above, _ABOVE, k + 1)
                if more > factor:
                    wanted, factor = k + 1, more
        if factor < run.worth:
            wanted, factor = k, 1.0
        else:
            run.steady = 0
    run.next_order = wanted
    if run.h_fixed > 0.0 or run.to_stop:  # a step that was cut short says nothing about the next one
        return
    run.h_next = min(size * min(factor, _GROWTH), run.h_max)
