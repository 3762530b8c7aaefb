"""Adams methods in the mode PECE, with variable order and step size, on the index-1 form.

Predict by the Adams–Bashforth formula of order k, evaluate, correct by the Adams–Moulton formula of order k + 1 (local
extrapolation), evaluate at the corrected and projected point: two evaluations of the right side in a step.  The history
are modified divided differences of the rates of all of (q, v, u), so that no change of a partition or of the
constraints' linear algebra means anything to it.

L. F. Shampine, M. K. Gordon, Computer Solution of Ordinary Differential Equations: The Initial Value Problem, Freeman
1975, codes STEP and INTRP ("SG"; DEABM is their successor); E. Hairer, S. P. Nørsett, G. Wanner, Solving ODEs I, III.5
("HNW").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.contract.convention import STAGE
from dalembert.equations.contract.equations import Sizes
from dalembert.integrate.frame.control import norm_of_sum, update_weights
from dalembert.integrate.frame.controllers import ByMethod, Controller
from dalembert.integrate.frame.cubic import set_cubic
from dalembert.integrate.frame.formalism import load, rate
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.frame.nested import to_nested
from dalembert.integrate.methods.explicit_rk import RungeKuttaMemory, interpolate_stages, make_step
from dalembert.integrate.methods.method import option
from dalembert.integrate.methods.multistep import (
    MultistepMethod,
    MultistepSlots,
    difference,
    doubled,
    forget,
    renew,
    renewed_difference,
    set_basis,
    set_distances,
    settle,
    wait_longer,
    wait_on,
)
from dalembert.integrate.methods.stabilised import StabilisedMethod
from dalembert.integrate.methods.tableaux import DOP853
from dalembert.linalg.vector_operations import add_scaled, clear, copy
from dalembert.native.kernel import Reals, compiled, kernel, view
from dalembert.native.slots import reals

LARGEST_ORDER = 12
#: Errors are aimed at this part of the tolerance; the next size is at least and, where it shrinks, at most these parts
#: of the last one (SG).
_AIM, _SHRINK, _SHRINK_LEAST = 0.5, 0.5, 0.9
#: An attempt at a step that has failed so often has order 1; after that, sizes are those that order 1 needs.
_GIVE_UP = 3
#: Steps that keep their size after doublings that have failed, at most.
_PATIENCE = 64
#: Methods of fixed order start with steps of this one, whose order is high enough to see those up to 7.
_STARTER = DOP853
_STARTER_COEFFICIENTS, _STARTER_ORDER = _STARTER.coefficients, _STARTER.order


class AdamsMemory(RungeKuttaMemory, MultistepSlots):
    """Coefficients of an Adams method; differences are those of ẏ.

    The slot tableau ends with |γ*_0|, |γ*_1|, …; before them stands the starter of a method of fixed order.
    """

    expected: Reals = reals("n_y", "ẏ at the end of the step, as the differences predict it")
    g_weights: Reals = reals("max_order + 3", "g_i: weights of the differences in the step")
    moments: Reals = reals("max_order + 3", "work for g_i")


# ------------------------------------------------------------------------------------------------------- coefficients


@compiled
def _set_coefficients(run: AdamsMemory, k: int) -> None:
    """β, g and σ for order k and the size h: HNW III.5 (5.5) … (5.10), SG's STEP. Entries count from 1."""
    h, psi, g, sigma, w = run.h, run.psi, run.g_weights, run.sigma, run.moments
    set_distances(run, k)
    sigma[1] = sigma[2] = g[1] = 1.0
    for i in range(1, k):
        sigma[i + 2] = sigma[i + 1] * ((i + 1) * h / psi[i + 1])
    for q in range(1, k + 2):
        w[q] = 1.0 / (q * (q + 1.0))
    g[2] = w[1]
    for i in range(3, k + 2):
        alpha = h / psi[i - 1]
        for q in range(1, k + 3 - i):
            w[q] -= alpha * w[q + 1]
        g[i] = w[1]


@compiled
def _gamma(run: AdamsMemory, k: int) -> float:
    """|γ*_k|: the error constant of order k with steps of one size."""
    return run.tableau[run.tableau.size - (LARGEST_ORDER + 2) + k]


# ---------------------------------------------------------------------------------------------------- predict, correct


@compiled
def _predict(run: AdamsMemory, k: int) -> None:
    """y1 = y0 + h Σ g_i β_i φ_i, and the rate that the same differences predict there, Σ β_i φ_i."""
    h, beta, g, y0, y1, expected = run.h, run.beta_ratios, run.g_weights, run.y0, run.y1, run.expected
    clear(y1)
    clear(expected)
    for i in range(k, 1, -2):  # from the smallest on, two at a time
        b, b1 = beta[i], beta[i - 1]
        _add_two(b, g[i] * b, difference(run, i), b1, g[i - 1] * b1, difference(run, i - 1), expected, y1)
    if k % 2:
        first = difference(run, 1)
        add_scaled(1.0, first, expected)
        add_scaled(1.0, first, y1)
    for c in range(y1.size):
        y1[c] = y0[c] + h * y1[c]


@compiled
def _add_two(b: float, gb: float, x: Reals, b1: float, gb1: float, x1: Reals, sums: Reals, weighted: Reals) -> None:
    for c in range(sums.size):
        sums[c] += b * x[c] + b1 * x1[c]
        weighted[c] += gb * x[c] + gb1 * x1[c]


@compiled
def _estimate(run: AdamsMemory, k: int) -> None:
    """Error of the step, and errors of orders k, k − 1 and k − 2 that tell whether the order is to be lowered: SG."""
    beta, g, sigma, weight, change = run.beta_ratios, run.g_weights, run.sigma, run.error_weight, run.departure
    size = abs(run.h)
    first, last = difference(run, 1), difference(run, k)
    here = size * norm_of_sum(weight, change, 0.0, first, 0.0, first)
    run.error = here * abs(g[k] - g[k + 1])
    run.error_here = here * sigma[k + 1] * _gamma(run, k)
    run.lowering, run.error_below = 0, np.inf
    if k == 1 or run.min_order == run.max_order:
        return
    below = size * sigma[k] * _gamma(run, k - 1)
    run.error_below = below * norm_of_sum(weight, change, beta[k], last, 0.0, first)
    if k == 2:
        run.lowering = 1 if run.error_below <= 0.5 * run.error_here else 0
        return
    two_below = size * sigma[k - 1] * _gamma(run, k - 2)
    two_below *= norm_of_sum(weight, change, beta[k], last, beta[k - 1], difference(run, k - 1))
    run.lowering = 1 if max(run.error_below, two_below) <= run.error_here else 0


@compiled
def _start(run: AdamsMemory) -> int:
    """A step of the starter, a Runge–Kutta method, while a method of fixed order has too few differences."""
    run.starting, run.order_used = 1, _STARTER_ORDER
    status = make_step(run)
    if status == STATUS.OK:
        clear(run.expected)
        for i in range(run.known, 0, -1):
            add_scaled(run.beta_ratios[i], difference(run, i), run.expected)
        run.h_next = abs(run.h) if run.error <= 1.0 else _SHRINK * abs(run.h)
    return status


@kernel
def begin(run: AdamsMemory) -> int:
    """There is no history but the rate at the start: order 1, unless all steps have one order."""
    copy(run.rate0, difference(run, 1))
    forget(run)
    run.next_order, run.raising = run.min_order, 1
    if run.min_order == run.max_order:
        run.raising = 0
    return STATUS.OK


@kernel
def attempt(run: AdamsMemory) -> int:
    """One step of size h from y0: leaves y1, error, and after failure h_next and next_order for the next attempt."""
    if not run.after_reject:
        run.failures = 0
    if run.after_failure:
        run.raising = 0
    k = run.next_order
    run.order_used, run.starting = k, 0
    if run.known < k:
        _set_coefficients(run, run.known)
        return _start(run)
    _set_coefficients(run, k)
    _predict(run, k)
    load(run, run.t_new, run.y1)
    status = rate(run, STAGE.T, run.departure)
    if status:
        return status
    change, expected, y1, factor = run.departure, run.expected, run.y1, run.h * run.g_weights[k + 1]
    for c in range(change.size):
        change[c] -= expected[c]
        y1[c] += factor * change[c]
    update_weights(run)
    _estimate(run, k)
    if run.error <= 1.0:
        run.h_next = abs(run.h)
    else:
        _plan_again(run, k)
    return STATUS.OK


@compiled
def _plan_again(run: AdamsMemory, k: int) -> None:
    """After failure: half of the size, and where that has not helped, what order 1 needs."""
    run.raising = 0
    run.failures += 1
    if run.known > 1 and doubled(run):
        wait_longer(run, _PATIENCE)
    factor = _SHRINK
    if run.lowering:
        run.next_order = k - 1
    if run.failures >= _GIVE_UP:
        run.next_order = run.min_order
        if run.failures > _GIVE_UP and _AIM < 0.25 * run.error_here:
            factor = np.sqrt(_AIM / run.error_here)
    run.h_next = factor * abs(run.h)


# ------------------------------------------------------------------------------------------------------------ history


@compiled
def _renew(run: AdamsMemory) -> int:
    """Differences at the end of the step, with the rate there: rows up to k + 1, and k + 2 where steps are constant.
    Returns the number of rows."""
    k = run.known if run.starting else run.order_used
    change, rate1, expected = run.departure, run.rate1, run.expected
    next_row, beyond = difference(run, k + 1), renewed_difference(run, k + 2)
    for c in range(change.size):
        change[c] = rate1[c] - expected[c]
        beyond[c] = change[c] - next_row[c]
    renew(run, k)
    return k + 2


@compiled
def _constant(run: AdamsMemory) -> int:
    """How many of the last steps have the same size, this one included."""
    count = 1
    for _ in range(run.max_order + 1):
        if run.past_sizes[count - 1] != run.h:
            break
        count += 1
    return count


@kernel
def accepted(run: AdamsMemory) -> int:
    """The step counts: renew the differences, choose order and size of the next one."""
    constant = _constant(run)
    wait_on(run, run.known > 1 and doubled(run))
    settle(run, _renew(run))
    run.known = min(run.known + 1, run.max_order + 1)
    if not run.starting:
        _plan_next(run, run.order_used, constant)
    return STATUS.OK


@compiled
def _plan_next(run: AdamsMemory, k: int, constant: int) -> None:
    """Order and size of the next step, as SG's STEP chooses them."""
    size, error, wanted = abs(run.h), run.error_here, k
    if run.lowering or k == run.max_order:
        run.raising = 0
    if run.raising:
        wanted = k + 1
    elif run.lowering:
        wanted, error = k - 1, run.error_below
    elif constant > k and run.min_order < run.max_order:
        beyond = difference(run, k + 2)
        above = size * _gamma(run, k + 1) * norm_of_sum(run.error_weight, beyond, 0.0, beyond, 0.0, beyond)
        if k > 1 and run.error_below <= min(error, above):
            wanted, error = k - 1, run.error_below
        elif k < run.max_order and above < (0.5 * error if k == 1 else error):
            wanted, error = k + 1, above
    run.next_order = wanted
    if run.h_fixed > 0.0 or run.to_stop:  # a step that was cut short says nothing about the next one
        return
    if run.raising or (run.waiting == 0 and _AIM >= error * 2.0 ** (wanted + 1)):
        size *= 2.0
    elif _AIM < error:
        size *= max(_SHRINK, min(_SHRINK_LEAST, (_AIM / error) ** (1.0 / (wanted + 1))))
    run.h_next = min(size, run.h_max)


# ------------------------------------------------------------------------------------------------------- dense output


@compiled
def _set_integral(run: AdamsMemory, i: int, powers: Reals) -> None:
    """The integral over θ of the basis polynomial of φ_i, by powers of θ: the rate is a polynomial in Newton's form."""
    powers[0] = 0.0
    set_basis(run, i, view(powers, 1, powers.size - 1))
    for m in range(1, i + 1):
        powers[m] /= m


@kernel
def interpolate(run: AdamsMemory) -> int:
    """Coefficients of the dense output in nested form: the integral of the polynomial through the rates at the end of
    the step and at the k points before it (SG's INTRP), and the cubic that makes both ends and their slopes exact."""
    n, coef = run.n_y, run.coef
    clear(view(coef, 4 * n, coef.size - 4 * n))
    if run.starting:
        run.coef_unused = run.n_coef - _STARTER_COEFFICIENTS
        return interpolate_stages(run, _STARTER_COEFFICIENTS)
    k, weights = run.order_used, run.nested
    run.coef_unused = run.n_coef - max(4, k + 2)
    set_cubic(run)
    if k < 3:
        return STATUS.OK
    _renew(run)
    for i in range(4, k + 2):
        _set_integral(run, i, run.polynomial)
        to_nested(run.polynomial, i, weights)
        for c in range(4, i + 1):
            add_scaled(run.h * weights[c], renewed_difference(run, i), view(coef, c * n, n))
    return STATUS.OK


# --------------------------------------------------------------------------------------------------------- the method


@cache
def error_constants(count: int) -> tuple[Fraction, ...]:
    """|γ*_0|, |γ*_1|, …: HNW III.1 (1.10), Σ γ*_j / (m + 1 − j) = 0 for m > 0."""
    found = [Fraction(1)]
    for m in range(1, count):
        found.append(-sum((found[j] / (m + 1 - j) for j in range(m)), Fraction(0)))
    return tuple(abs(value) for value in found)


@dataclass(frozen=True, kw_only=True)
class Adams(MultistepMethod, StabilisedMethod):
    """Adams methods in the mode PECE, order 1 … 12, chosen in each step with its size; dense output of the same order;
    for right sides that are expensive, smooth and not stiff.

    Shampine, Gordon, Computer Solution of Ordinary Differential Equations, codes STEP and DE.  Orders are those of the
    predictor, as their code counts; results are one order better.
    """

    max_order: int | None = option(None, f"highest order, 1 … {LARGEST_ORDER}")

    name = "adams"
    title = "projected Adams PECE, order 1 … 12"
    memory = AdamsMemory
    begin = begin
    attempt = attempt
    accepted = accepted
    interpolate = interpolate
    largest_order = usual_order = LARGEST_ORDER

    @property
    def error_order(self) -> int:
        """That of the first step, or of all."""
        return self.orders[0]

    @property
    def starts_small(self) -> bool:  # type: ignore[override]
        """With order 1, unless all steps have one order."""
        return not self.fixed

    @property
    def coefficients(self) -> int:
        """Those of the highest order, and of the starter."""
        return max(_STARTER_COEFFICIENTS if self.fixed else 4, self.order + 2)

    @property
    def own_controller(self) -> Controller:
        """It chooses order and size itself."""
        return ByMethod(safety=0.9, shrink=_SHRINK, grow=2.0)

    def values(self, sizes: Sizes) -> Mapping[str, int]:
        """Orders, and the stages of the starter."""
        lowest, highest = self.orders
        found = {
            "min_order": lowest, "max_order": highest, "next_order": lowest, "known": 1, "depth": highest + 2,
            "n_h": sizes.q + sizes.v + sizes.u,
        }  # fmt: skip
        if self.fixed:
            found |= {"order_used": max(highest, _STARTER_ORDER)}
            found |= {"stages": _STARTER.stages, "width": _STARTER.stages + _STARTER.extra + 1, "n_errors": 2}
        return {**super().values(sizes), **found}

    def table(self) -> NDArray[np.float64]:
        """The starter, and constants of the errors."""
        constants = np.array([float(value) for value in error_constants(LARGEST_ORDER + 2)])
        return np.concatenate([_STARTER.flat(), constants]) if self.fixed else constants
