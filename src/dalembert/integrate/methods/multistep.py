"""What multistep methods have in common: modified divided differences on points that lie as far apart as steps were
long, patience with doublings of the size that fail, and orders as options.

Row i of the history is φ_i, from i = 1 on, of whatever a method keeps: values (BDF) or rates (Adams).  With
ψ_i = t_{n+1} − t_{n+1−i} and β_i = β_{i−1} ψ_{i−1} / ψ_{i−1}^{old} a step of another size has the differences β_i φ_i,
and at its end, where the newest value differs by e from what k of them predict,

    φ_{k+1} = e,   φ_i ← β_i φ_i + φ_{i+1}

L. F. Shampine, M. K. Gordon, Computer Solution of Ordinary Differential Equations, 1975, ch. 5; K. E. Brenan, S. L.
Campbell, L. R. Petzold, Numerical Solution of Initial-Value Problems in DAEs, 1996, 5.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dalembert.errors import SimulationError
from dalembert.integrate.frame.controllers import FixedStep
from dalembert.integrate.methods.method import Method, option
from dalembert.linalg.vector_operations import clear, copy
from dalembert.native.kernel import Reals, compiled, view
from dalembert.native.slots import COUNT, FLAG, SlotGroup, integer, real, reals

#: After a doubling of the size that has failed, so many steps keep theirs, and after each further one twice as many, up
#: to a number of the method's own.
_PATIENCE_FIRST, _PATIENCE_MOST = 4, 64
#: An attempt that is longer than the last step by this factor is a doubling.
_DOUBLED = 1.5


class MultistepSlots(SlotGroup):
    """History, orders and coefficients of a multistep method."""

    h: float  # of every run
    n_h: int = integer("entries of a row of the history")
    depth: int = integer("rows of the history")
    min_order: int = integer("lowest order")
    max_order: int = integer("highest order")
    next_order: int = integer("order k of the next attempt", ("1", "max_order"))
    known: int = integer("rows of differences that are known", ("1", "depth"))
    starting: int = integer("whether the last attempt was made by the starter", FLAG)
    raising: int = integer("whether order and size are raised in each step, as at a start", FLAG)
    lowering: int = integer("whether the last attempt asks for a lower order", FLAG)
    failures: int = integer("attempts given up since the last step", COUNT)
    patience: int = integer(
        "steps to wait before the size is doubled again, as that has failed", ("0", str(_PATIENCE_MOST))
    )
    waiting: int = integer("steps that are left of them", ("0", str(_PATIENCE_MOST)))
    error_here: float = real("error of order k, as constant steps would have it")
    error_below: float = real("error of order k − 1")
    past_sizes: Reals = reals("depth", "sizes of the last steps, the newest first")
    differences: Reals = reals("depth * n_h", "φ_1, φ_2, … at the start of the step")
    renewed: Reals = reals("depth * n_h", "those at its end")
    departure: Reals = reals("n_h", "what the end differs by from what the differences predict")
    psi: Reals = reals("max_order + 3", "ψ_i: distance from the end of the step to i points before")
    beta_ratios: Reals = reals("max_order + 3", "β_i: what differences are multiplied by for the new size")
    sigma: Reals = reals("max_order + 3", "σ_i: errors of constant steps from those of steps of these sizes")
    polynomial: Reals = reals("max_order + 4", "a basis polynomial of the dense output, by powers")
    nested: Reals = reals("max_order + 4", "the same in nested form")


# ------------------------------------------------------------------------------------------------------------- history


@compiled
def forget(run: MultistepSlots) -> None:
    """There is no history but one row."""
    clear(run.past_sizes)
    run.known = 1
    run.failures = run.patience = run.waiting = 0


@compiled
def difference(run: MultistepSlots, i: int) -> Reals:
    """φ_i at the start of the step."""
    return view(run.differences, (i - 1) * run.n_h, run.n_h)


@compiled
def renewed_difference(run: MultistepSlots, i: int) -> Reals:
    """φ_i at its end."""
    return view(run.renewed, (i - 1) * run.n_h, run.n_h)


@compiled
def set_distances(run: MultistepSlots, rows: int) -> None:
    """ψ and β of this size for so many rows. Entries count from 1."""
    past, psi, beta = run.past_sizes, run.psi, run.beta_ratios
    psi[0], psi[1] = 0.0, run.h
    beta[1] = 1.0
    before = 0.0  # ψ_i of the last step
    for i in range(1, rows):
        before += past[i - 1]
        psi[i + 1] = psi[i] + past[i - 1]
        beta[i + 1] = beta[i] * (psi[i] / before)


@compiled
def renew(run: MultistepSlots, rows: int) -> None:
    """Differences at the end of the step, one more than the rows that predicted it.

    They have a place of their own: loops in place would not become vector code.
    """
    beta = run.beta_ratios
    copy(run.departure, renewed_difference(run, rows + 1))
    for i in range(rows, 0, -1):
        row, out, after, b = difference(run, i), renewed_difference(run, i), renewed_difference(run, i + 1), beta[i]
        for c in range(out.size):
            out[c] = b * row[c] + after[c]


@compiled
def settle(run: MultistepSlots, rows: int) -> None:
    """So many renewed differences are those at the start of the next step."""
    copy(run.renewed, view(run.differences, 0, rows * run.n_h))
    past = run.past_sizes
    for i in range(past.size - 1, 0, -1):
        past[i] = past[i - 1]
    past[0] = run.h


@compiled
def set_basis(run: MultistepSlots, i: int, powers: Reals) -> None:
    """∏ (t − t_{n+2−j}) / ψ_j, j = 1 … i − 1, the factor of φ_i, by powers of θ: Newton's form of the polynomial
    through the new point and those before."""
    h, psi = run.h, run.psi
    clear(powers)
    powers[0] = 1.0
    for j in range(1, i):
        root, scale = 1.0 - psi[j - 1] / h, h / psi[j]
        for m in range(j, -1, -1):
            powers[m] = scale * ((powers[m - 1] if m > 0 else 0.0) - root * powers[m])


# ------------------------------------------------------------------------------------------------------------ patience


@compiled
def doubled(run: MultistepSlots) -> bool:
    """Whether this attempt is much longer than the last step."""
    return abs(run.h) > _DOUBLED * abs(run.past_sizes[0])


@compiled
def wait_longer(run: MultistepSlots, most: int) -> None:
    """A doubling has failed: where stability limits the size, errors are small until it is doubled, and a third of all
    attempts failed so on a stiff vehicle; now a tenth."""
    run.patience = min(most, max(_PATIENCE_FIRST, 2 * run.patience))
    run.waiting = run.patience


@compiled
def wait_on(run: MultistepSlots, doubling: bool) -> None:
    """A step counts, perhaps a doubling that has not failed."""
    if doubling:
        run.patience = 0
    run.waiting = max(0, run.waiting - 1)


# ------------------------------------------------------------------------------------------------------------- options


@dataclass(frozen=True, kw_only=True)
class MultistepMethod(Method):
    """A method that chooses its order in each step, or has one order in all steps."""

    max_order: int | None = option(None, "highest order")
    min_order: int | None = option(None, "the same as max_order: all steps have this order")

    #: the highest order that there is, and the one that is not exceeded unless asked for
    largest_order: ClassVar[int]
    usual_order: ClassVar[int]
    #: Right sides are evaluated at the ends of steps alone.
    unseen = (1.0, 0.0)

    def check(self) -> None:
        """Orders."""
        name, value, largest = type(self).__name__, self.max_order, self.largest_order
        if value is not None and not (isinstance(value, (int, np.integer)) and 1 <= value <= largest):
            raise SimulationError(f"{name}: max_order must be a whole number from 1 to {largest}, got {value!r}")
        if self.min_order is not None and self.min_order != self.max_order:
            raise SimulationError(
                f"{name}: min_order must be left away, or be the same as max_order; got {self.min_order!r}"
            )
        if not (self.controller is None or (isinstance(self.controller, FixedStep) and self.fixed)):
            raise SimulationError(
                f"{name} chooses order and size of its steps itself: controller must be None, or a FixedStep together "
                "with min_order = max_order"
            )
        super().check()

    @property
    def fixed(self) -> bool:
        """Whether all steps have one order."""
        return self.min_order is not None

    @property
    def order(self) -> int:
        """The highest."""
        return int(self.max_order or self.usual_order)

    @property
    def orders(self) -> tuple[int, int]:
        """From 1 on, unless all steps have one order."""
        return int(self.min_order or 1), self.order

    @property
    def dense_order(self) -> int:
        """That of the steps."""
        return self.order
