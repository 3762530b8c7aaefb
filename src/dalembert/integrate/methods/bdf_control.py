"""Order and size control of BDF methods, in the manner of DASSL: errors of orders k − 2 … k + 1 come from differences.

Different from there: sizes also grow by less than a factor of two after some steps of one size and order, and doublings
that have failed are not tried at once again.
K. E. Brenan, S. L. Campbell, L. R. Petzold, Numerical Solution of Initial-Value Problems in DAEs, SIAM 1996, 5.2
("BCP").
"""

from __future__ import annotations

import numpy as np

from dalembert.integrate.frame.control import norm_of_sum
from dalembert.integrate.methods.bdf_slots import BdfSlots
from dalembert.integrate.methods.multistep import difference, doubled, wait_longer
from dalembert.native.kernel import Reals, compiled

#: Factors by which sizes change (BCP): doubled or kept where errors are small, and between these where they are not.
_SHRINK, _SHRINK_LEAST = 0.5, 0.9
#: Where sizes and orders were the same for some time, the size also grows by less than that, and not by all of it.
_GROWN = 0.8
#: After an error that was too large: the smallest factor, and a part of what the error asks for.
SHRINK_MOST, _CARE = 0.25, 0.9
#: Steps that keep their size after doublings that have failed, at most.
_PATIENCE = 32
#: An attempt at a step that has failed so often has order 1.
_GIVE_UP = 3


@compiled
def estimate(run: BdfSlots, k: int, factor: float) -> None:
    """Error of the step, and errors of orders k, k − 1 and k − 2 that tell whether the order is to be lowered: BCP."""
    beta, sigma, weight, change = run.beta_ratios, run.sigma, run.error_weight, run.departure
    none = difference(run, 1)
    size = norm_of_sum(weight, change, 0.0, none, 0.0, none)
    run.error, run.error_here = factor * size, run.lessened[k] * sigma[k + 1] * size
    run.lowering, run.error_below = 0, np.inf
    if k == 1 or run.min_order == run.max_order:
        return
    here, last = (k + 1) * run.error_here, difference(run, k + 1)
    run.error_below = run.lessened[k - 1] * sigma[k] * norm_of_sum(weight, change, beta[k + 1], last, 0.0, none)
    below = k * run.error_below
    if k == 2:
        run.lowering = 1 if below <= 0.5 * here else 0
        return
    two_below = (k - 1) * sigma[k - 1] * norm_of_sum(weight, change, beta[k + 1], last, beta[k], difference(run, k))
    run.lowering = 1 if max(below, two_below) <= here else 0


@compiled
def error_above(run: BdfSlots, k: int) -> float:
    """Error of order k + 1, which is told by k + 1 steps of one size and order; infinite if there were less. Before the
    differences of this step are those of the next one."""
    if run.starting or k >= run.max_order or run.steady <= k + 1:
        return np.inf
    size = norm_of_sum(run.error_weight, run.departure, -1.0, difference(run, k + 2), 0.0, run.departure)
    return run.lessened[k + 1] * size / (k + 2)


@compiled
def doubling(run: BdfSlots) -> bool:
    """Whether this attempt is much longer than the last step, which was none of the starter."""
    return run.last_order > 0 and doubled(run)


@compiled
def plan_again(run: BdfSlots, k: int) -> None:
    """After an error that was too large: order and size of the next attempt."""
    run.failures += 1
    run.raising = 0
    if run.failures == 1 and doubling(run):
        wait_longer(run, _PATIENCE)
    error, wanted = (run.error_below, k - 1) if run.lowering else (run.error_here, k)
    factor = SHRINK_MOST
    if run.failures == 1:
        factor = max(SHRINK_MOST, min(_SHRINK_LEAST, _CARE * _growth(error, wanted)))
    if run.failures >= _GIVE_UP:
        wanted = run.min_order
    run.next_order = wanted
    run.h_next = factor * abs(run.h)


@compiled
def _growth(error: float, k: int) -> float:
    """Factor of the size with which an error of order k becomes half of the tolerance."""
    return (2.0 * error + 1e-4) ** (-1.0 / (k + 1))


@compiled
def plan_after_start(run: BdfSlots, nodes: Reals) -> None:
    """Order and size of the first step after one that was made by a starter, with s points at these parts of it: a size
    that order s − 1 would have, from its error h^s y^(s) / s."""
    s, h = nodes.size, abs(run.h)
    derivative = 1.0  # y^(s) from φ_{s+1}
    for i in range(s):
        derivative *= (s - i) / (h * (1.0 - (nodes[s - 2 - i] if i < s - 1 else 0.0)))
    row = difference(run, s + 1)
    derivative *= norm_of_sum(run.error_weight, row, 0.0, row, 0.0, row)
    run.next_order = min(s, run.max_order)
    if run.h_fixed > 0.0 or run.to_stop:
        return
    run.h_next = min(h, (0.5 * s / max(derivative, 1e-300)) ** (1.0 / s), run.h_max)


@compiled
def plan_next(run: BdfSlots, k: int, above: float) -> None:
    """Order and size of the next step, as DASSL chooses them."""
    size, error, wanted = abs(run.h), run.error_here, k
    if run.lowering or k == run.max_order:
        run.raising = 0
    if run.min_order < run.max_order:
        here = (k + 1) * error
        if run.raising:
            wanted = k + 1
        elif run.lowering:
            wanted = k - 1
        elif above < np.inf:
            more = (k + 2) * above
            if k > 1 and k * run.error_below <= min(here, more):
                wanted = k - 1
            elif more < (0.5 * here if k == 1 else here):
                wanted = k + 1
        if wanted < k:
            error = run.error_below
        elif wanted > k and not run.raising:
            error = above
    run.next_order = wanted
    if run.h_fixed > 0.0 or run.to_stop:  # a step that was cut short says nothing about the next one
        return
    if run.raising:
        size *= 2.0
    else:
        factor = _growth(error, wanted)
        if factor >= 2.0 and run.waiting == 0:
            size *= 2.0
        elif factor >= run.worth and run.waiting == 0 and run.steady > k:
            size *= max(1.0, _GROWN * factor)
        elif factor <= 1.0:
            size *= max(_SHRINK, min(_SHRINK_LEAST, factor))
    run.h_next = min(size, run.h_max)
