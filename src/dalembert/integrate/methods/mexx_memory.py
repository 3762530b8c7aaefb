"""Memory of MEXX, and the sequence of its tableau."""

from __future__ import annotations

from dalembert.integrate.frame.memory import Memory
from dalembert.native.kernel import Reals, compiled
from dalembert.native.slots import integer, reals

#: Numbers of steps of the lines of the tableau: mexx 2.2, which leaves open what follows 12. From there on they grow by
#: thirds, which keeps rounding small in the last columns (the sum of their weights is 6·10³, not 10⁵ as for 14, 16, …).
SEQUENCE = (2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32)
LARGEST_ORDER = len(SEQUENCE)


class MexxMemory(Memory):
    """The tableau of extrapolation; the slot tableau holds the numbers of small steps of its lines."""

    min_order: int = integer("lowest order")
    max_order: int = integer("highest order, lines of the tableau")
    next_order: int = integer("order of the next attempt; 0 at the start", ("0", "max(2, max_order - 1)"))
    dense_limit: int = integer("highest order of the dense output")
    standard: int = integer("whether friction is discretised by (2.1), not (2.2)")
    n_small_steps: int = integer("small steps in all lines")
    n_derivatives: int = integer("rows of derivatives at an end of the step, at most")
    best_size: Reals = reals("max_order", "best step size of each line")
    work: Reals = reals("max_order", "work per unit step of each line")
    lines: Reals = reals("max_order * n_y", "last line of the tableau, increments of y")
    start_lines: Reals = reals("max_order * n_v", "the same of accelerations after the first small step")
    end_lines: Reals = reals("max_order * n_v", "the same of accelerations in the last small step")
    acceleration: Reals = reals("n_v", "that of a small step")
    change: Reals = reals("n_y", "what the small steps of a line have added to y0")
    f_start: Reals = reals("n_v", "forces at the start of the step")
    lam_error: Reals = reals("n_lam", "an error of the multipliers, for the check of friction")
    small_steps: Reals = reals(
        "n_small_steps * (n_y + n_lam)", "(q̇, a, u̇, λ) of each small step of each line, for the dense output"
    )
    difference0: Reals = reals("n_y + n_lam", "a derivative at the left end from differences")
    difference1: Reals = reals("n_y + n_lam", "a derivative at the right end from differences")
    y_left: Reals = reals("n_derivatives * n_y", "derivatives of y over factorials at the left end")
    z_left: Reals = reals("n_derivatives * n_z", "derivatives of z over factorials at the left end")
    y_right: Reals = reals("n_derivatives * n_y", "derivatives of y over factorials at the right end")
    z_right: Reals = reals("n_derivatives * n_z", "derivatives of z over factorials at the right end")


@compiled
def line_start(run: MexxMemory, j: int) -> int:
    """Number of small steps in all lines before line j (from 0)."""
    total = 0
    for i in range(j):
        total += int(run.tableau[i])
    return total
