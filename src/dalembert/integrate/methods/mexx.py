"""MEXX: extrapolation of the half-explicit Euler method, for systems with constraints that are not stiff.

Order 2 … 13, chosen in each step with its size; explicit in the differential equations, linearly implicit in the
constraints on velocities (stabilised index 2 by projection after each step); dense output of one order less
(:mod:`~dalembert.integrate.methods.mexx_dense`).

Ch. Lubich, U. Nowak, U. Pöhle, Ch. Engstler, MEXX – Numerical Software for the Integration of Constrained Mechanical
Multibody Systems ("mexx").  Control of order and step size: E. Hairer, S. P. Nørsett, G. Wanner, Solving ODEs I, II.9,
code ODEX.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.contract.convention import CONTRACT, STAGE
from dalembert.equations.contract.equations import Sizes
from dalembert.errors import SimulationError, suggestion
from dalembert.integrate.frame.contract_formalism import call_contract, factor, multiply_T, solve
from dalembert.integrate.frame.control import update_weights
from dalembert.integrate.frame.controllers import ByMethod, Controller, FixedStep
from dalembert.integrate.frame.formalism import load, seen_time
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.methods import mexx_dense
from dalembert.integrate.methods.method import Method, option
from dalembert.integrate.methods.mexx_memory import LARGEST_ORDER, SEQUENCE, MexxMemory, line_start
from dalembert.linalg.vector_operations import add_product, clear, copy, larger, negate, subtract_product, total_size
from dalembert.native.kernel import Reals, compiled, kernel, view

#: ODEX, but for the first and the last: safety of errors and of step sizes; smallest and largest change of the size;
#: what the work per unit step must fall to for a lower and for a higher order. mexx gives none of these. With 0.98, not
#: 0.9, orders are as high, and steps as few, as in its tables, at the same work.
_SAFE_ERROR, _SAFE_SIZE, _SHRINK, _GROW, _LOWER, _HIGHER = 0.5, 0.94, 0.02, 4.0, 0.8, 0.98
#: Step sizes are halved after an attempt that diverges.
_DIVERGED = 0.5
#: What no line of the tableau can see may change velocities by this many tolerances; an extrapolation that misses the
#: truth by this many of its last corrections has not met it.
_UNSEEN, _MISSED = 1.0, 8.0
#: Iterations that tell how multipliers in f are amplified by the standard discretization.
_POWER_ITERATIONS = 4


@compiled
def block_norm(run: MexxMemory, x: Reals) -> float:
    """Size of an error in units of the tolerance: mean squares of q, v and u are added, mexx (2.7), (2.8)."""
    weight = run.error_weight
    total = 0.0
    at = 0
    for block in range(3):
        size = run.n_q if block == 0 else (run.n_v if block == 1 else run.n_u)
        part = 0.0
        for i in range(at, at + size):
            scaled = x[i] * weight[i]
            part += scaled * scaled
        total += part / max(1, size)
        at += size
    return np.sqrt(total)


# ------------------------------------------------------------------------------------------------- lines of the tableau


@compiled
def _start_forces(run: MexxMemory) -> int:
    """f, and F where it is used, at the start of the step: one evaluation for all lines."""
    load(run, run.t_now, run.y0)
    copy(view(run.z0, run.n_v, run.n_lam), run.lam)
    if call_contract(run, CONTRACT.f | (CONTRACT.F if run.friction else 0), STAGE.P):
        return STATUS.RAISED
    # Where something has failed, friction may be to blame.
    if run.friction and run.standard and (run.after_reject or run.fresh):
        status = _check_friction(run)
        if status:
            return status
    copy(run.f, run.f_start)
    return STATUS.OK


@compiled
def _check_friction(run: MexxMemory) -> int:
    """Whether (2.1) may take the multipliers in f from the last small step: mexx (2.5b) needs ρ < 1.

    An error of λ_n becomes one of λ_{n+1} by M a + Gᵀδ⁺ = F δ, G a = 0, whatever the size of the steps. If it grows,
    no step size helps, and none but the smallest errors of the extrapolation would tell.
    """
    n_v, n_lam = run.n_v, run.n_lam
    if call_contract(run, CONTRACT.M | CONTRACT.G, STAGE.U):
        return STATUS.RAISED
    status = factor(run, 0)
    if status:
        return status
    right, delta = run.right, run.lam_error
    for k in range(n_lam):
        delta[k] = 1.0 / (k + 1.0)
    growth = 0.0
    for _ in range(_POWER_ITERATIONS):
        clear(right)
        add_product(run.F, run.F_rows, run.F_columns, delta, right)
        status = solve(run, right, 0)
        if status:
            return status
        growth = 0.0
        for k in range(n_lam):
            growth = larger(growth, abs(right[n_v + k]))
        if growth == 0.0:
            return STATUS.OK
        if not growth < np.inf:
            return STATUS.NOT_FINITE
        for k in range(n_lam):
            delta[k] = right[n_v + k] / growth
    return STATUS.OK if growth < 1.0 else STATUS.NEWTON_FAILED


@compiled
def _move_positions(run: MexxMemory, first: bool, h: float, t: float) -> None:
    """q_{n+1} = q_n + h T v_n: (2.1a)."""
    n_q, y0, q, qdot, change = run.n_q, run.y0, run.q, run.rates, run.change
    if first:
        copy(run.rate0, view(qdot, 0, n_q))
    elif run.unit_T:
        copy(run.v, view(qdot, 0, n_q))
    else:
        multiply_T(run, run.v, qdot)
    for k in range(n_q):
        change[k] += h * qdot[k]
        q[k] = y0[k] + change[k]
    run.t[0] = seen_time(run, t)


@compiled
def _solve_velocities(run: MexxMemory, h: float, f: Reals) -> int:
    """With Δv = v_{n+1} − v_n, (2.1b) and (2.2) read

    [ M   Gᵀ − F₀ ] [ Δv ]   [ h f − F₀ h λ_n ]
    [ G      0    ] [ hλ ] = [  −gI − G v_n   ],     M, G, gI at t_{n+1}, q_{n+1}
    """
    n_q, n_v, n_lam = run.n_q, run.n_v, run.n_lam
    y0, v, lam, right, change = run.y0, run.v, run.lam, run.right, run.change
    modified = 1 if run.friction and not run.standard else 0
    status = factor(run, modified)
    if status:
        return status
    for k in range(n_v):
        right[k] = h * f[k]
    residual = view(right, n_v, n_lam)
    negate(run.gI, residual)
    subtract_product(run.G, run.G_rows, run.G_columns, v, residual)
    if modified:
        F, rows, columns = run.F, run.F_rows, run.F_columns
        for k in range(F.size):
            right[rows[k]] -= F[k] * (h * lam[columns[k]])
    status = solve(run, right, modified)
    if status:
        return status
    for k in range(n_v):
        change[n_q + k] += right[k]
        v[k] = y0[n_q + k] + change[n_q + k]
    for k in range(n_lam):
        lam[k] = right[n_v + k] / h
    return STATUS.OK if total_size(view(right, 0, n_v)) + total_size(lam) < np.inf else STATUS.NOT_FINITE


@compiled
def _move_states(run: MexxMemory, h: float) -> int:
    """u_{n+1} = u_n + h d: (2.1d)."""
    n_u, at = run.n_u, run.n_q + run.n_v
    if n_u == 0:
        return STATUS.OK
    if call_contract(run, CONTRACT.d, STAGE.V):
        return STATUS.RAISED
    y0, u, d, change = run.y0, run.u, run.d, run.change
    for k in range(n_u):
        change[at + k] += h * d[k]
        u[k] = y0[at + k] + change[at + k]
    return STATUS.OK


@compiled
def _small_step(run: MexxMemory, i: int, n: int, h: float, t: float, f: Reals, row: Reals) -> int:
    """Step i of the n of a line, to the time t, by the half-explicit Euler method: mexx (2.1), with F₀ (2.2).

    ``change`` is what all steps of the line have added to y0; v, λ and u hold the point, f the forces there; row takes
    (q̇, a, u̇, λ) if it is not empty.
    """
    n_q, n_v, n_u, n_lam = run.n_q, run.n_v, run.n_u, run.n_lam
    last = i == n - 1
    _move_positions(run, i == 0, h, t)
    if call_contract(run, CONTRACT.M | CONTRACT.G | CONTRACT.gI | (0 if last or run.unit_T else CONTRACT.T), STAGE.T):
        return STATUS.RAISED
    run.nfev += 1
    status = _solve_velocities(run, h, f)
    if status:
        return status
    status = _move_states(run, h)
    if status:
        return status
    if row.size:
        copy(run.rates, view(row, 0, n_q))
        for k in range(n_v):  # (2.1c)
            row[n_q + k] = run.right[k] / h
        copy(run.d, view(row, n_q + n_v, n_u))
        copy(run.lam, view(row, n_q + n_v + n_u, n_lam))
    if not last and call_contract(run, CONTRACT.f, STAGE.U if n_u else STAGE.V):
        return STATUS.RAISED
    return STATUS.OK


@compiled
def _line(run: MexxMemory, j: int) -> int:
    """Line j of the tableau (from 0): n_j small steps, then mexx (2.6), for increments of y."""
    n_q, n_v, n_y = run.n_q, run.n_v, run.n_y
    n = int(run.tableau[j])
    h = run.h / n
    clear(run.change)
    copy(view(run.y0, n_q, n_v), run.v)
    copy(view(run.y0, n_q + n_v, run.n_u), run.u)
    copy(view(run.z0, n_v, run.n_lam), run.lam)
    width = n_y + run.n_lam if run.keep_dense or run.n_events or run.n_watched else 0
    at = line_start(run, j) * width
    f = run.f_start
    for i in range(n):
        t = run.t_new if i == n - 1 else run.t_now + (i + 1) * h
        status = _small_step(run, i, n, h, t, f, view(run.small_steps, at + i * width, width))
        if status:
            return status
        f = run.f
        if i == 1:
            _extrapolate_acceleration(run, j, h, run.start_lines)
        if i == n - 1:
            _extrapolate_acceleration(run, j, h, run.end_lines)
    _extrapolate(run, j, run.change, run.lines)
    return STATUS.OK


@compiled
def _extrapolate(run: MexxMemory, j: int, value_of_line: Reals, T: Reals) -> None:
    """(2.6) for line j (from 0): T_{j,0} … T_{j,j} take the places of those of line j − 1."""
    steps, n = run.tableau, value_of_line.size
    for k in range(n):
        value = value_of_line[k]
        for column in range(j):
            old = T[column * n + k]
            T[column * n + k] = value
            value += (value - old) / (steps[j] / steps[j - 1 - column] - 1.0)
        T[j * n + k] = value


@compiled
def _extrapolate_acceleration(run: MexxMemory, j: int, h: float, T: Reals) -> None:
    """Of the small step of line j that was made last: (2.1c), extrapolated to small steps of no length."""
    a = view(run.acceleration, 0, run.n_v)
    for k in range(a.size):
        a[k] = run.right[k] / h
    _extrapolate(run, j, a, T)


@compiled
def _estimate(run: MexxMemory, j: int) -> float:
    """Error of line j from T_{j,j} − T_{j,j−1}, with y1; best step size and work per unit step of the line."""
    n_y, y0, y1, error = run.n_y, run.y0, run.y1, run.error_vector
    best, before = view(run.lines, j * n_y, n_y), view(run.lines, (j - 1) * n_y, n_y)
    for k in range(n_y):
        y1[k] = y0[k] + best[k]
        error[k] = best[k] - before[k]
    update_weights(run)
    found = block_norm(run, error)
    exponent = 1.0 / (j + 1)
    smallest = _SHRINK**exponent
    shrinking = max(smallest, (found / _SAFE_ERROR) ** exponent / _SAFE_SIZE)
    run.best_size[j] = min(abs(run.h) / min(_GROW / smallest, shrinking), run.h_max)
    run.work[j] = _cost(run, j) / run.best_size[j]
    return found


@compiled
def _cost(run: MexxMemory, j: int) -> float:
    """Evaluations of (M, G, gI) for lines up to j, with that of the projection."""
    return line_start(run, j + 1) + 1.0


# --------------------------------------------------------------------------------------- control of order and step size


@compiled
def _first_order(run: MexxMemory) -> int:
    """Order to begin with, from the tolerance: that of ODEX and two more, as each column gains one order, not two."""
    wanted = int(3.5 - 0.6 * np.log10(run.rtol + 1e-40))
    return max(2, min(run.max_order - 1, wanted))


@compiled
def _ahead(run: MexxMemory, j: int, k: int) -> float:
    """Errors of line j beyond this will not be mended by the lines up to k + 1: II.9 (9.22) …"""
    steps = run.tableau
    if j == k - 1:
        return (steps[k] * steps[k - 1] / (steps[0] * steps[0])) ** 2
    return (steps[k] / steps[0]) ** 2 if j == k else np.inf


@kernel
def attempt(run: MexxMemory) -> int:
    """One step of size h from y0: leaves y1, error, the order of both, and h_next and next_order for the next
    attempt."""
    size = abs(run.h)
    if run.next_order == 0:
        run.next_order = _first_order(run)
    fixed = run.min_order == run.max_order
    k = run.max_order if fixed else run.next_order
    # A first step and one that is cut short may converge in any column.
    cut = size < 0.9 * run.h_next
    early = not fixed and (cut or run.fresh or run.after_failure or run.t_new == run.t_stop)
    status = _start_forces(run)
    if status:
        return status
    error, limit = np.inf, np.inf
    accepted = False
    used = 0
    for j in range(1, min(k + 1, run.max_order) + 1):
        used = j
        status = _line(run, j - 1)
        if status:
            return status
        if j == 1:
            continue
        error = _estimate(run, j - 1)
        if not error < np.inf:
            return STATUS.NOT_FINITE
        if not fixed and j > 2 and error >= limit:  # it diverges, or rounding prevails
            run.order_used = used
            run.h_next = _DIVERGED * size
            run.next_order = max(2, min(k, j - 1))
            run.error = max(error, 2.0)
            return STATUS.OK
        limit = max(4.0 * error, 1.0)
        # Convergence monitor: the errors of the next columns are guessed from those of this one.
        tested = early or j >= k or (j == k - 1 and k > 2 and not run.after_reject)
        if tested and not (fixed and j < k):
            if error <= 1.0:
                accepted = True
                break
            if j > k or (not fixed and j >= k - 1 and error > _ahead(run, j, k)):
                break
    run.error = error
    run.order_used = used
    if accepted:
        _plan_next(run, k, used, cut)
    else:
        _plan_again(run, k, used)
        run.error = max(error, 1.0 + 1e-9)
    return STATUS.OK


@compiled
def _passed_over(run: MexxMemory, lines: Reals, rate: Reals) -> bool:
    """Whether extrapolated accelerations miss the rates at an end by what is no error of extrapolation: by more than
    their last correction, and by so much that velocities change by a tolerance within the shortest of the small
    steps."""
    n_v, j = run.n_v, run.order_used - 1
    best, before = view(lines, j * n_v, n_v), view(lines, (j - 1) * n_v, n_v)
    weight = view(run.error_weight, run.n_q, n_v)
    missed = corrected = 0.0
    for k in range(n_v):
        miss, correction = (best[k] - rate[run.n_q + k]) * weight[k], (best[k] - before[k]) * weight[k]
        missed += miss * miss
        corrected += correction * correction
    in_time = abs(run.h) / run.tableau[j] * np.sqrt(missed / max(1, n_v))
    return in_time > _UNSEEN and missed > _MISSED * _MISSED * corrected


@kernel
def confirm(run: MexxMemory) -> int:
    """Whether the lines expect the accelerations that there are at both ends.

    No line evaluates forces within its first small step, nor within its last one: a law that changes there passes for
    one that changes at the end itself.  The accelerations of the second and of the last small steps, extrapolated, show
    it.
    """
    if not _passed_over(run, run.start_lines, run.rate0) and not _passed_over(run, run.end_lines, run.rate1):
        return STATUS.OK
    run.h_next = _DIVERGED * abs(run.h)
    run.rejected += 1
    run.after_reject = 1
    return STATUS.REJECTED


@compiled
def _work(run: MexxMemory, j: int) -> float:
    """Work per unit step of an order; that of the first line is unknown."""
    return run.work[j - 1] if j > 1 else 1e30


@compiled
def _next_order(run: MexxMemory, k: int, used: int) -> int:
    """Order of the next step after success with order ``used`` where k was wanted."""
    highest = run.max_order - 1
    if used == 2:
        return 2 if run.after_reject else min(3, highest)
    if used <= k:
        wanted = used
        if _work(run, used - 1) < _LOWER * _work(run, used):
            wanted = used - 1
        if _work(run, used) < _HIGHER * _work(run, used - 1):
            wanted = min(used + 1, highest)
        return wanted
    wanted = used - 1
    if used > 3 and _work(run, used - 2) < _LOWER * _work(run, used - 1):
        wanted = used - 2
    if _work(run, used) < _HIGHER * _work(run, wanted):
        wanted = min(used, highest)
    return wanted


@compiled
def _plan_next(run: MexxMemory, k: int, used: int, cut: bool) -> None:
    """After success with order ``used`` where k was wanted: order and size of the next step."""
    size, best = abs(run.h), run.best_size
    if run.min_order == run.max_order:
        run.h_next = best[used - 1]
        if run.after_reject:
            run.h_next = min(size, best[used - 1])
        return
    wanted = _next_order(run, k, used)
    if run.after_reject:  # neither is increased
        run.next_order = min(wanted, used)
        run.h_next = min(size, best[run.next_order - 1])
        return
    if cut and wanted < k:
        return  # a step cut short says little about the next one
    if wanted <= used:
        run.h_next = best[wanted - 1]
    elif used < k and _work(run, used) < _HIGHER * _work(run, used - 1):
        run.h_next = best[used - 1] * _cost(run, wanted) / _cost(run, used - 1)
    else:
        run.h_next = best[used - 1] * _cost(run, wanted - 1) / _cost(run, used - 1)
    run.h_next = min(run.h_next, run.h_max)
    run.next_order = wanted


@compiled
def _plan_again(run: MexxMemory, k: int, used: int) -> None:
    """After failure: order and size of the next attempt."""
    if run.min_order == run.max_order:
        run.h_next = run.best_size[used - 1]
        return
    order = min(k, used, run.max_order - 1)
    if order > 2 and _work(run, order - 1) < _LOWER * _work(run, order):
        order -= 1
    run.next_order = order
    run.h_next = run.best_size[order - 1]


@dataclass(frozen=True, kw_only=True)
class Mexx(Method):
    """Extrapolated half-explicit Euler method, order 2 … 13, chosen in each step; for systems with constraints that are
    not stiff.

    Lubich, Nowak, Pöhle, Engstler, MEXX – Numerical Software for the Integration of Constrained Mechanical Multibody
    Systems.
    """

    max_order: int | None = option(None, f"highest order, 3 … {LARGEST_ORDER}")
    min_order: int | None = option(None, "the same as max_order: all steps have this order")
    max_dense_order: int | None = option(None, "limit of the order of its dense output")
    discretization: str = option(
        "auto", 'of friction that depends on reactions: "modified" (2.2), "standard" (2.1), or "auto": the first'
    )

    name = "mexx"
    title = "MEXX: extrapolated half-explicit Euler, order 2 … 13, projected"
    memory = MexxMemory
    attempt = attempt
    confirm = confirm
    interpolate = mexx_dense.interpolate
    programs = ("contract",)
    formalism = "contract"
    form = "velocities on the constraints, linearly implicit (index 2), projected"
    error_order = 3  # of the first step only
    #: Two small steps look at the start and at the middle. Of a force that ends before the first of n small steps does
    #: each line sees h f/n, which the extrapolation takes for an error of first order: nothing is left of it, and three
    #: lines or more agree about that.
    unseen = (0.25, 0.5)

    def check(self) -> None:
        """Orders, discretization."""
        lowest = 3 if self.min_order is None else 2  # control of the order needs a choice
        for name, value in (("max_order", self.max_order), ("max_dense_order", self.max_dense_order)):
            if value is not None and not (isinstance(value, (int, np.integer)) and lowest <= value <= LARGEST_ORDER):
                raise SimulationError(f"{name} must be a whole number from {lowest} to {LARGEST_ORDER}, got {value!r}")
        if self.min_order is not None and self.min_order != self.max_order:
            raise SimulationError(f"min_order must be left away, or be the same as max_order; got {self.min_order!r}")
        if not (self.controller is None or (isinstance(self.controller, FixedStep) and self.min_order is not None)):
            raise SimulationError(
                "Mexx chooses order and size of its steps itself: controller must be None, or a FixedStep "
                "together with min_order = max_order"
            )
        known = ("auto", "modified", "standard")
        if self.discretization not in known:
            raise SimulationError(
                f"there is no discretization '{self.discretization}'; {suggestion(str(self.discretization), known)}"
            )

    @property
    def order(self) -> int:
        """The highest."""
        return self.max_order or LARGEST_ORDER

    @property
    def orders(self) -> tuple[int, int]:
        """From 2 on, unless all steps have one order."""
        return self.min_order or 2, self.order

    @property
    def _dense_limit(self) -> int:
        return min(self.max_dense_order or self.order, self.order)

    @property
    def dense_order(self) -> int:
        """One less than that of the steps."""
        return self._dense_limit - 1

    @property
    def coefficients(self) -> int:
        """Those of the highest order."""
        return mexx_dense.differences(self._dense_limit) + 4

    @property
    def algebraic_coefficients(self) -> int:
        """Those of the highest order."""
        return mexx_dense.differences(self._dense_limit) + 2

    @property
    def own_controller(self) -> Controller:
        """It chooses order and size itself."""
        return ByMethod(safety=0.9, shrink=0.2, grow=4.0)

    def values(self, sizes: Sizes) -> Mapping[str, int]:
        """Orders, discretization, and what the dense output needs."""
        lowest, highest = self.orders
        return {
            "min_order": lowest, "max_order": highest, "dense_limit": self._dense_limit,
            "standard": self.discretization == "standard", "n_small_steps": sum(SEQUENCE[:highest]),
            "n_derivatives": mexx_dense.derivatives(highest),
        }  # fmt: skip

    def table(self) -> NDArray[np.float64]:
        """Numbers of small steps of all lines."""
        return np.array(SEQUENCE, dtype=np.float64)
