"""Dense output of MEXX: derivatives at both ends of a step from extrapolated differences, then Hermite interpolation.

mexx, section 2.4; E. Hairer, A. Ostermann, Dense output for extrapolation methods, Numer. Math. 58 (1990).  With κ > 2
lines of the tableau, (q, v, u) between the ends are a polynomial of degree κ + 6, accelerations and multipliers one of
degree κ + 4; no further evaluation of the equations is needed.
"""

from __future__ import annotations

from dalembert.integrate.frame import memory as m
from dalembert.integrate.frame.memory import field
from dalembert.integrate.methods.mexx import SEQUENCE, history, line_start
from dalembert.native.kernel import Reals, Run, compiled, kernel, view


@compiled
def differences(order: int) -> int:
    """λ + ρ, the number of derivatives from differences at both ends together.

    mexx takes κ − 1, which is enough for the order. Steps of high order are so long that the polynomial is then worse
    than the ends by orders of magnitude; four more derivatives bring it down to the errors of the derivatives
    themselves, at no evaluation (seven-body mechanism, tolerance 1e-11: error of q between the ends 28 → 0.65, of
    accelerations 3e5 → 1e3, in units of the tolerance).
    """
    return min(order + 3, 2 * order)


def work_size(n_y: int, n_v: int, n_lam: int, highest: int) -> int:
    """Reals that the method needs, with those of the dense output."""
    width, n_z = n_y + n_lam, n_v + n_lam
    steps = 2 * highest + (highest + 1) * n_y + n_v
    return steps + (sum(SEQUENCE[:highest]) + 2) * width + 2 * _rows(highest) * (n_y + n_z)


@compiled
def _rows(order: int) -> int:
    """Rows of derivatives at an end, at most."""
    return (differences(order) + 1) // 2 + 2


@compiled
def _ends(run: Run) -> tuple[int, int]:
    """Numbers of derivatives from differences at the left and the right end: λ, ρ with ρ − 1 ≤ λ ≤ ρ."""
    total = differences(min(run.ints[m.ORDER_USED], run.ints[m.DENSE_LIMIT]))
    left = total // 2
    return left, total - left


@compiled
def _weight(run: Run, j: int, k: int) -> float:
    """Weight of line j in the value that lines k … κ extrapolate to (from 1): ∏ n_j / (n_j − n_i)."""
    sequence = field(run, m.TABLEAU)
    product = 1.0
    for i in range(k - 1, run.ints[m.ORDER_USED]):
        if i != j - 1:
            product *= sequence[j - 1] / (sequence[j - 1] - sequence[i])
    return product


@compiled
def _derivatives(run: Run, k: int, left: Reals, right: Reals) -> None:
    """Hᵏ times the k-th derivative of (ẏ, λ) at both ends, extrapolated κ − k times: mexx (2.14), (2.15)."""
    sequence, method = field(run, m.TABLEAU), field(run, m.METHOD)
    width = run.ints[m.N_Y] + run.ints[m.N_LAM]
    for c in range(width):
        left[c] = right[c] = 0.0
    at = history(run) + line_start(run, k - 1) * width
    for j in range(k, run.ints[m.ORDER_USED] + 1):
        n = int(sequence[j - 1])
        scale = _weight(run, j, k) * sequence[j - 1] ** k * (1.0 if k % 2 == 0 else -1.0)
        for i in range(k + 1):  # (−1)^{k−i} (k over i)
            first, last = view(method, at + i * width, width), view(method, at + (n - 1 - k + i) * width, width)
            for c in range(width):
                left[c] += scale * first[c]
                right[c] += scale * last[c]
            scale *= -(k - i) / (i + 1.0)
        at += n * width


@compiled
def _divided_differences(left: Reals, n_left: int, right: Reals, n_right: int, n: int, out: Reals) -> None:
    """Coefficients in nested form from derivatives over factorials at both ends of [0, 1].

    The nodes are 0, 1, 0, 1, …; the last one may be either. With z zeros and o ones, [0ᶻ 1ᵒ] = [0ᶻ⁻¹ 1ᵒ] − [0ᶻ 1ᵒ⁻¹];
    written out, the paths of this recursion to the ends are counted by binomials. A factor (θ − 1) of Newton's form
    changes the sign in the nested one.
    """
    for r in range(n_left + n_right):
        zeros, ones = (r + 2) // 2, (r + 1) // 2
        if zeros > n_left:
            zeros, ones = zeros - 1, ones + 1
        target = view(out, r * n, n)
        for c in range(n):
            target[c] = 0.0
        sign = 1.0 if (r // 2) % 2 == 0 else -1.0
        # To [0ˢ]: (o − 1 + z − s over z − s), with the sign (−1)ᵒ. Without ones there is nothing to divide.
        weight = sign if ones % 2 == 0 else -sign
        for s in range(zeros, 0 if ones else zeros - 1, -1):
            source = view(left, (s - 1) * n, n)
            for c in range(n):
                target[c] += weight * source[c]
            weight *= (ones + zeros - s) / (zeros - s + 1.0)
        # To [1ˢ]: (z − 1 + o − s over o − s), with the sign (−1)ᵒ⁻ˢ.
        weight = sign
        for s in range(ones, 0, -1):
            source = view(right, (s - 1) * n, n)
            for c in range(n):
                target[c] += weight * source[c]
            weight *= -(zeros + ones - s) / (ones - s + 1.0)


@compiled
def _ends_of(run: Run, y: Reals, rate: Reals, z: Reals, out: Reals) -> None:
    """Values, and derivatives that the equations give, at an end; rows of y, then rows of z."""
    n_y, n_z, H = run.ints[m.N_Y], z.size, field(run, m.SCALARS)[m.H_DONE]
    at = out.size // (n_y + n_z) * n_y
    for c in range(n_y):
        out[c] = y[c]
        out[n_y + c] = H * rate[c]
    for c in range(n_z):
        out[at + c] = z[c]


@compiled
def _scale(run: Run, k: int, derivative: Reals, out: Reals) -> None:
    """Put derivatives from differences over their factorials: k + 1 of y, k of z."""
    ints, H = run.ints, field(run, m.SCALARS)[m.H_DONE]
    n_q, n_v, n_y, n_lam = ints[m.N_Q], ints[m.N_V], ints[m.N_Y], ints[m.N_LAM]
    n_z = n_v + n_lam
    factorial = 1.0
    for i in range(2, k + 1):
        factorial *= i
    row = view(out, (k + 1) * n_y, n_y)
    for c in range(n_y):
        row[c] = derivative[c] * (H / (factorial * (k + 1)))
    row = view(out, out.size // (n_y + n_z) * n_y + k * n_z, n_z)
    for c in range(n_v):
        row[c] = derivative[n_q + c] / factorial
    for c in range(n_lam):
        row[n_v + c] = derivative[n_y + c] / factorial


@kernel
def interpolate(run: Run) -> int:
    """Coefficients of (q, v, u) and (a, λ) on the last step, in nested form (see dalembert.solution.dense_output)."""
    ints = run.ints
    n_y, n_lam = ints[m.N_Y], ints[m.N_LAM]
    n_z, width = ints[m.N_V] + n_lam, n_y + n_lam
    coef, coef_z = field(run, m.COEF), field(run, m.COEF_Z)
    method = field(run, m.METHOD)
    n_left, n_right = _ends(run)
    for c in range((n_left + n_right + 4) * n_y, coef.size):
        coef[c] = 0.0
    for c in range((n_left + n_right + 2) * n_z, coef_z.size):
        coef_z[c] = 0.0
    ints[m.COEF_UNUSED] = ints[m.N_COEF] - n_left - n_right - 4
    half = _rows(ints[m.MAX_ORDER])
    at = history(run) + line_start(run, ints[m.MAX_ORDER]) * width
    first, last = view(method, at, width), view(method, at + width, width)
    at += 2 * width
    size = half * (n_y + n_z)
    _ends_of(run, field(run, m.Y0), field(run, m.RATE0), field(run, m.Z0), view(method, at, size))
    _ends_of(run, field(run, m.Y1), field(run, m.RATE1), field(run, m.Z1), view(method, at + size, size))
    for k in range(1, n_right + 1):
        _derivatives(run, k, first, last)
        if k <= n_left:
            _scale(run, k, first, view(method, at, size))
        _scale(run, k, last, view(method, at + size, size))
    left, right = view(method, at, half * n_y), view(method, at + size, half * n_y)
    _divided_differences(left, n_left + 2, right, n_right + 2, n_y, coef)
    left, right = view(method, at + half * n_y, half * n_z), view(method, at + size + half * n_y, half * n_z)
    _divided_differences(left, n_left + 1, right, n_right + 1, n_z, coef_z)
    return m.OK
