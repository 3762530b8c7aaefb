"""Memory that BDF methods have in common, on whatever form of the equations."""

from __future__ import annotations

from dalembert.integrate.methods.multistep import MultistepSlots
from dalembert.native.kernel import Reals
from dalembert.native.slots import COUNT, integer, real, reals


class BdfSlots(MultistepSlots):
    """Coefficients, predictions, and what control of order and size remembers. Rows of differences begin with
    (q, v, u)."""

    # of every run
    n_y: int
    n_coef: int
    order_used: int
    error: float
    h_next: float
    h_max: float
    h_fixed: float
    to_stop: int
    error_weight: Reals
    lessened: Reals = reals("max_order + 3", "parts of the errors of BDF that the formulas of each order have")
    worth: float = real("growth of the size that is worth another α")
    steady: int = integer("steps of this size and order, up to the last one", COUNT)
    last_order: int = integer("order of the last step", ("0", "max_order"))
    alpha: float = real("α: leading coefficient over the size")
    predicted: Reals = reals("n_h", "what the differences predict for its end: increments of (q, v, u), then others")
    predicted_rate: Reals = reals("n_h", "rates of the same polynomial there")
    gamma_sums: Reals = reals("max_order + 3", "γ_i: rates of the basis polynomials at the end of the step")
