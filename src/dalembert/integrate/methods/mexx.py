"""MEXX: extrapolation of the half-explicit Euler method, for systems with constraints that are not stiff.

Order 2 … 13, chosen in each step with its size; explicit in the differential equations, linearly implicit in the
constraints on velocities (stabilised index 2 by projection after each step); dense output of one order less
(:mod:`~dalembert.integrate.methods.mexx_dense`).

Ch. Lubich, U. Nowak, U. Pöhle, Ch. Engstler, MEXX – Numerical Software for the Integration of Constrained Mechanical
Multibody Systems ("mexx").  Control of order and step size: E. Hairer, S. P. Nørsett, G. Wanner, Solving ODEs I, II.9,
code ODEX.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dalembert.integrate.frame import memory as m
from dalembert.integrate.frame.contract_formalism import (
    C_BIT_F,
    C_BIT_G,
    C_BIT_M,
    C_BIT_T,
    C_BIT_d,
    C_BIT_f,
    C_BIT_gI,
    call_contract,
    factor,
    multiply_T,
    solve,
)
from dalembert.integrate.frame.control import update_weights
from dalembert.integrate.frame.formalism import NEW_P, NEW_T, NEW_U, NEW_V, load, seen_time
from dalembert.integrate.frame.memory import field, int_field
from dalembert.native.kernel import Reals, Run, compiled, kernel, view

#: Numbers of steps of the lines of the tableau: mexx 2.2, which leaves open what follows 12. From there on they grow by
#: thirds, which keeps rounding small in the last columns (the sum of their weights is 6·10³, not 10⁵ as for 14, 16, …).
SEQUENCE = (2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32)
LARGEST_ORDER = len(SEQUENCE)

#: ODEX, but for the first and the last: safety of errors and of step sizes; smallest and largest change of the size;
#: what the work per unit step must fall to for a lower and for a higher order. mexx gives none of these. With 0.98, not
#: 0.9, orders are as high, and steps as few, as in its tables, at the same work.
_SAFE_ERROR, _SAFE_SIZE, _SHRINK, _GROW, _LOWER, _HIGHER = 0.5, 0.94, 0.02, 4.0, 0.8, 0.98
#: Step sizes are halved after an attempt that diverges.
_DIVERGED = 0.5
#: Iterations that tell how multipliers in f are amplified by the standard discretization.
_POWER_ITERATIONS = 4

# Layout of the field METHOD, K lines, rows of n_y entries unless said otherwise:
#   best step size of each line (K), its work per unit step (K), last row of the tableau (K rows), increment of the
#   small steps (1 row), f at the start (n_v);
#   if dense output is kept, of each small step of each line, in order, (q̇, a, u̇, λ) (rows of n_y + n_λ),
#   then the work space of the dense output.
# TABLEAU holds the sequence.


def sequence() -> NDArray[np.float64]:
    """What the field TABLEAU holds."""
    return np.array(SEQUENCE, dtype=np.float64)


@compiled
def line_start(run: Run, j: int) -> int:
    """Number of small steps in all lines before line j (from 0)."""
    steps = field(run, m.TABLEAU)
    total = 0
    for i in range(j):
        total += int(steps[i])
    return total


@compiled
def history(run: Run) -> int:
    """Where the rows of small steps start in METHOD."""
    ints = run.ints
    K, n = ints[m.MAX_ORDER], ints[m.N_Y]
    return 2 * K + (K + 1) * n + ints[m.N_V]


@compiled
def block_norm(run: Run, x: Reals) -> float:
    """Size of an error in units of the tolerance: mean squares of q, v and u are added, mexx (2.7), (2.8)."""
    ints, weight = run.ints, field(run, m.WEIGHT)
    total = 0.0
    at = 0
    for block in range(3):
        size = ints[m.N_Q] if block == 0 else (ints[m.N_V] if block == 1 else ints[m.N_U])
        part = 0.0
        for i in range(at, at + size):
            scaled = x[i] * weight[i]
            part += scaled * scaled
        total += part / max(1, size)
        at += size
    return np.sqrt(total)


@compiled
def _start_forces(run: Run) -> int:
    """f, and F where it is used, at the start of the step: one evaluation for all lines."""
    ints = run.ints
    n_v = ints[m.N_V]
    load(run, field(run, m.SCALARS)[m.T_NOW], field(run, m.Y0))
    lam, z0 = field(run, m.LAM), field(run, m.Z0)
    for i in range(lam.size):
        lam[i] = z0[n_v + i]
    if call_contract(run, C_BIT_f | (C_BIT_F if ints[m.FRICTION] else 0), NEW_P):
        return m.RAISED
    # Where something has failed, friction may be to blame.
    if ints[m.FRICTION] and ints[m.STANDARD] and (ints[m.AFTER_REJECT] or not ints[m.HAVE_OLD_STEP]):
        status = _check_friction(run)
        if status:
            return status
    f, kept = field(run, m.C_f), view(field(run, m.METHOD), history(run) - n_v, n_v)
    for i in range(n_v):
        kept[i] = f[i]
    return m.OK


@compiled
def _check_friction(run: Run) -> int:
    """Whether (2.1) may take the multipliers in f from the last small step: mexx (2.5b) needs ρ < 1.

    An error of λ_n becomes one of λ_{n+1} by M a + Gᵀδ⁺ = F δ, G a = 0, whatever the size of the steps. If it grows,
    no step size helps, and none but the smallest errors of the extrapolation would tell.
    """
    ints = run.ints
    n_v, n_lam = ints[m.N_V], ints[m.N_LAM]
    if call_contract(run, C_BIT_M | C_BIT_G, NEW_U):
        return m.RAISED
    status = factor(run, 0)
    if status:
        return status
    right = view(field(run, m.RIGHT), 0, n_v + n_lam)
    delta = view(field(run, m.RIGHT), n_v + n_lam, n_lam)
    F, rows, columns = field(run, m.C_F), int_field(run, m.I_ROWS_F), int_field(run, m.I_COLS_F)
    for k in range(n_lam):
        delta[k] = 1.0 / (k + 1.0)
    growth = 0.0
    for _ in range(_POWER_ITERATIONS):
        for k in range(n_v + n_lam):
            right[k] = 0.0
        for k in range(F.size):
            right[rows[k]] += F[k] * delta[columns[k]]
        status = solve(run, right, 0)
        if status:
            return status
        growth = 0.0
        for k in range(n_lam):
            growth = max(growth, abs(right[n_v + k]))
        if growth == 0.0:
            return m.OK
        for k in range(n_lam):
            delta[k] = right[n_v + k] / growth
    return m.OK if growth < 1.0 else m.NEWTON_FAILED


@compiled
def _small_step(run: Run, i: int, n: int, h: float, t: float, f: Reals, change: Reals, row: Reals) -> int:
    """One step of the half-explicit Euler method to the time t: mexx (2.1), with F₀ (2.2).

    ``change`` is what all steps of the line have added to Y0. V, LAM and U hold the point, f the forces there; row
    takes (q̇, a, u̇, λ) if it is not empty.

    With Δv = v_{n+1} − v_n, (2.1b) and (2.2) read

        [ M   Gᵀ − F₀ ] [ Δv ]   [ h f − F₀ h λ_n ]
        [ G      0    ] [ hλ ] = [  −gI − G v_n   ],     M, G, gI at t_{n+1}, q_{n+1}
    """
    ints, scalars = run.ints, field(run, m.SCALARS)
    n_q, n_v, n_u, n_lam = ints[m.N_Q], ints[m.N_V], ints[m.N_U], ints[m.N_LAM]
    y0, q, v, u, lam = field(run, m.Y0), field(run, m.Q), field(run, m.V), field(run, m.U), field(run, m.LAM)
    right, qdot = field(run, m.RIGHT), field(run, m.RATES)
    if i == 0:
        rate0 = field(run, m.RATE0)
        for k in range(n_q):
            qdot[k] = rate0[k]
    elif ints[m.UNIT_T]:
        for k in range(n_q):
            qdot[k] = v[k]
    else:
        multiply_T(run, v, qdot)
    for k in range(n_q):  # (2.1a)
        change[k] += h * qdot[k]
        q[k] = y0[k] + change[k]
    field(run, m.T)[0] = seen_time(scalars, t)
    last = i == n - 1
    if call_contract(run, C_BIT_M | C_BIT_G | C_BIT_gI | (0 if last or ints[m.UNIT_T] else C_BIT_T), NEW_T):
        return m.RAISED
    ints[m.NFEV] += 1
    modified = 1 if ints[m.FRICTION] and not ints[m.STANDARD] else 0
    status = factor(run, modified)
    if status:
        return status
    gI, G = field(run, m.C_gI), field(run, m.C_G)
    rows, columns = int_field(run, m.I_ROWS_G), int_field(run, m.I_COLS_G)
    for k in range(n_v):
        right[k] = h * f[k]
    for k in range(n_lam):
        right[n_v + k] = -gI[k]
    for k in range(G.size):
        right[n_v + rows[k]] -= G[k] * v[columns[k]]
    if modified:
        F, rows, columns = field(run, m.C_F), int_field(run, m.I_ROWS_F), int_field(run, m.I_COLS_F)
        for k in range(F.size):
            right[rows[k]] -= F[k] * (h * lam[columns[k]])
    status = solve(run, view(right, 0, n_v + n_lam), modified)
    if status:
        return status
    total = 0.0
    for k in range(n_v):
        change[n_q + k] += right[k]
        v[k] = y0[n_q + k] + change[n_q + k]
        total += abs(right[k])
    for k in range(n_lam):
        lam[k] = right[n_v + k] / h
        total += abs(lam[k])
    if not total < np.inf:
        return m.NOT_FINITE
    d = field(run, m.C_d)
    if n_u:  # (2.1d)
        if call_contract(run, C_BIT_d, NEW_V):
            return m.RAISED
        for k in range(n_u):
            change[n_q + n_v + k] += h * d[k]
            u[k] = y0[n_q + n_v + k] + change[n_q + n_v + k]
    if row.size:
        for k in range(n_q):
            row[k] = qdot[k]
        for k in range(n_v):  # (2.1c)
            row[n_q + k] = right[k] / h
        for k in range(n_u):
            row[n_q + n_v + k] = d[k]
        for k in range(n_lam):
            row[n_q + n_v + n_u + k] = lam[k]
    if not last and call_contract(run, C_BIT_f, NEW_U if n_u else NEW_V):
        return m.RAISED
    return m.OK


@compiled
def _line(run: Run, j: int, H: float) -> int:
    """Line j of the tableau (from 0): n_j small steps, then mexx (2.6), for increments of y.

    T_{j,1} … T_{j,j} take the places of those of line j − 1.
    """
    ints, scalars = run.ints, field(run, m.SCALARS)
    n_q, n_v, n_y, n_lam, K = ints[m.N_Q], ints[m.N_V], ints[m.N_Y], ints[m.N_LAM], ints[m.MAX_ORDER]
    method, steps = field(run, m.METHOD), field(run, m.TABLEAU)
    y0, z0, v, u, lam = field(run, m.Y0), field(run, m.Z0), field(run, m.V), field(run, m.U), field(run, m.LAM)
    n = int(steps[j])
    h = H / n
    change = view(method, 2 * K + K * n_y, n_y)
    for k in range(n_y):
        change[k] = 0.0
    for k in range(n_v):
        v[k] = y0[n_q + k]
    for k in range(ints[m.N_U]):
        u[k] = y0[n_q + n_v + k]
    for k in range(n_lam):
        lam[k] = z0[n_v + k]
    width = n_y + n_lam if ints[m.KEEP_DENSE] or ints[m.N_EVENTS] else 0
    at = history(run)
    f = view(method, at - n_v, n_v)
    at += line_start(run, j) * width
    for i in range(n):
        t = scalars[m.T_NEW] if i == n - 1 else scalars[m.T_NOW] + (i + 1) * h
        status = _small_step(run, i, n, h, t, f, change, view(method, at + i * width, width))
        if status:
            return status
        f = field(run, m.C_f)
    # (2.6): entries of the last line are replaced one by one.
    for k in range(n_y):
        value = change[k]
        for column in range(j):
            old = method[2 * K + column * n_y + k]
            method[2 * K + column * n_y + k] = value
            value += (value - old) / (steps[j] / steps[j - 1 - column] - 1.0)
        method[2 * K + j * n_y + k] = value
    return m.OK


@compiled
def _estimate(run: Run, j: int, size: float) -> float:
    """Error of line j from T_{j,j} − T_{j,j−1}, with Y1; best step size and work per unit step of the line."""
    ints, scalars = run.ints, field(run, m.SCALARS)
    n_y, K = ints[m.N_Y], ints[m.MAX_ORDER]
    method, y0, y1, error = field(run, m.METHOD), field(run, m.Y0), field(run, m.Y1), field(run, m.ERROR_VECTOR)
    best, before = view(method, 2 * K + j * n_y, n_y), view(method, 2 * K + (j - 1) * n_y, n_y)
    for k in range(n_y):
        y1[k] = y0[k] + best[k]
        error[k] = best[k] - before[k]
    update_weights(run)
    found = block_norm(run, error)
    exponent = 1.0 / (j + 1)
    smallest = _SHRINK**exponent
    shrinking = max(smallest, (found / _SAFE_ERROR) ** exponent / _SAFE_SIZE)
    method[j] = min(size / min(_GROW / smallest, shrinking), scalars[m.H_MAX])
    method[K + j] = _cost(run, j) / method[j]
    return found


@compiled
def _cost(run: Run, j: int) -> float:
    """Evaluations of (M, G, gI) for lines up to j, with that of the projection."""
    return line_start(run, j + 1) + 1.0


@compiled
def _first_order(run: Run) -> int:
    """Order to begin with, from the tolerance: that of ODEX and two more, as each column gains one order, not two."""
    wanted = int(3.5 - 0.6 * np.log10(field(run, m.SCALARS)[m.RTOL] + 1e-40))
    return max(2, min(run.ints[m.MAX_ORDER] - 1, wanted))


@kernel
def attempt(run: Run) -> int:
    """One step of size H_DONE from Y0: leaves Y1, ERROR, the order of both, and H and ORDER for the next attempt."""
    ints, scalars = run.ints, field(run, m.SCALARS)
    steps = field(run, m.TABLEAU)
    H, size = scalars[m.H_DONE], abs(scalars[m.H_DONE])
    if ints[m.ORDER] == 0:
        ints[m.ORDER] = _first_order(run)
    fixed = ints[m.MIN_ORDER] == ints[m.MAX_ORDER]
    k = ints[m.MAX_ORDER] if fixed else ints[m.ORDER]
    rejected = ints[m.AFTER_REJECT]
    # A first step and one that is cut short may converge in any column.
    cut = size < 0.9 * scalars[m.H]
    early = not fixed and (cut or ints[m.HAVE_OLD_STEP] == 0 or scalars[m.T_NEW] == scalars[m.T_STOP])
    status = _start_forces(run)
    if status:
        return status
    error, limit = np.inf, np.inf
    accepted = False
    used = 0
    for j in range(1, min(k + 1, ints[m.MAX_ORDER]) + 1):
        used = j
        status = _line(run, j - 1, H)
        if status:
            return status
        if j == 1:
            continue
        error = _estimate(run, j - 1, size)
        if not error < np.inf:
            return m.NOT_FINITE
        if not fixed and j > 2 and error >= limit:  # it diverges, or rounding prevails
            scalars[m.H] = _DIVERGED * size
            ints[m.ORDER] = max(2, min(k, j - 1))
            scalars[m.ERROR] = max(error, 2.0)
            return m.OK
        limit = max(4.0 * error, 1.0)
        # Convergence monitor: II.9 (9.22) …; the errors of the next columns are guessed from those of this one.
        ahead = np.inf
        if j == k - 1 and not fixed:
            ahead = (steps[k] * steps[k - 1] / (steps[0] * steps[0])) ** 2
        elif j == k and not fixed:
            ahead = (steps[k] / steps[0]) ** 2
        tested = early or j >= k or (j == k - 1 and k > 2 and not rejected)
        if tested and not (fixed and j < k):
            if error <= 1.0:
                accepted = True
                break
            if j > k or (error > ahead and j >= k - 1):
                break
    scalars[m.ERROR] = error
    ints[m.ORDER_USED] = used
    if accepted:
        _plan_next(run, k, used, size, cut)
    else:
        _plan_again(run, k, used)
        scalars[m.ERROR] = max(error, 1.0 + 1e-9)
    return m.OK


@compiled
def _work(run: Run, j: int) -> float:
    """Work per unit step of an order; that of the first line is unknown."""
    return field(run, m.METHOD)[run.ints[m.MAX_ORDER] + j - 1] if j > 1 else 1e30


@compiled
def _plan_next(run: Run, k: int, used: int, size: float, cut: bool) -> None:
    """After success with order ``used`` where k was wanted: order and size of the next step."""
    ints, scalars = run.ints, field(run, m.SCALARS)
    best = field(run, m.METHOD)
    if ints[m.MIN_ORDER] == ints[m.MAX_ORDER]:
        scalars[m.H] = best[used - 1]
        if ints[m.AFTER_REJECT]:
            scalars[m.H] = min(size, best[used - 1])
        return
    highest = ints[m.MAX_ORDER] - 1
    if used == 2:
        wanted = min(3, highest)
        if ints[m.AFTER_REJECT]:
            wanted = 2
    elif used <= k:
        wanted = used
        if _work(run, used - 1) < _LOWER * _work(run, used):
            wanted = used - 1
        if _work(run, used) < _HIGHER * _work(run, used - 1):
            wanted = min(used + 1, highest)
    else:
        wanted = used - 1
        if used > 3 and _work(run, used - 2) < _LOWER * _work(run, used - 1):
            wanted = used - 2
        if _work(run, used) < _HIGHER * _work(run, wanted):
            wanted = min(used, highest)
    if ints[m.AFTER_REJECT]:  # neither is increased
        ints[m.ORDER] = min(wanted, used)
        scalars[m.H] = min(size, best[ints[m.ORDER] - 1])
        return
    if cut and wanted < k:
        return  # a step cut short says little about the next one
    if wanted <= used:
        scalars[m.H] = best[wanted - 1]
    elif used < k and _work(run, used) < _HIGHER * _work(run, used - 1):
        scalars[m.H] = best[used - 1] * _cost(run, wanted) / _cost(run, used - 1)
    else:
        scalars[m.H] = best[used - 1] * _cost(run, wanted - 1) / _cost(run, used - 1)
    scalars[m.H] = min(scalars[m.H], scalars[m.H_MAX])
    ints[m.ORDER] = wanted


@compiled
def _plan_again(run: Run, k: int, used: int) -> None:
    """After failure: order and size of the next attempt."""
    ints = run.ints
    if ints[m.MIN_ORDER] == ints[m.MAX_ORDER]:
        field(run, m.SCALARS)[m.H] = field(run, m.METHOD)[used - 1]
        return
    order = min(k, used, ints[m.MAX_ORDER] - 1)
    if order > 2 and _work(run, order - 1) < _LOWER * _work(run, order):
        order -= 1
    ints[m.ORDER] = order
    field(run, m.SCALARS)[m.H] = field(run, m.METHOD)[order - 1]
