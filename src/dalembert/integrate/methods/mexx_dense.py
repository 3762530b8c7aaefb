"""Dense output of MEXX: derivatives at both ends of a step from extrapolated differences, then Hermite interpolation.

mexx, section 2.4; E. Hairer, A. Ostermann, Dense output for extrapolation methods, Numer. Math. 58 (1990).  With κ > 2
lines of the tableau, (q, v, u) between the ends are a polynomial of degree κ + 6, accelerations and multipliers one of
degree κ + 4; no further evaluation of the equations is needed.
"""

from __future__ import annotations

from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.methods.mexx_memory import MexxMemory, line_start
from dalembert.linalg.vector_operations import add_scaled, clear, copy
from dalembert.native.kernel import Reals, compiled, kernel, view


@compiled
def differences(order: int) -> int:
    """λ + ρ, the number of derivatives from differences at both ends together.

    mexx takes κ − 1, which is enough for the order. Steps of high order are so long that the polynomial is then worse
    than the ends by orders of magnitude; four more derivatives bring it down to the errors of the derivatives
    themselves, at no evaluation (seven-body mechanism, tolerance 1e-11: error of q between the ends 28 → 0.65, of
    accelerations 3e5 → 1e3, in units of the tolerance).
    """
    return min(order + 3, 2 * order)


def derivatives(order: int) -> int:
    """Rows of derivatives at an end, at most."""
    return (differences(order) + 1) // 2 + 2


@compiled
def _ends(run: MexxMemory) -> tuple[int, int]:
    """Numbers of derivatives from differences at the left and the right end: λ, ρ with ρ − 1 ≤ λ ≤ ρ."""
    total = differences(min(run.order_used, run.dense_limit))
    left = total // 2
    return left, total - left


@compiled
def _weight(run: MexxMemory, j: int, k: int) -> float:
    """Weight of line j in the value that lines k … κ extrapolate to (from 1): ∏ n_j / (n_j − n_i)."""
    sequence = run.tableau
    product = 1.0
    for i in range(k - 1, run.order_used):
        if i != j - 1:
            product *= sequence[j - 1] / (sequence[j - 1] - sequence[i])
    return product


@compiled
def _derivatives(run: MexxMemory, k: int, left: Reals, right: Reals) -> None:
    """Hᵏ times the k-th derivative of (ẏ, λ) at both ends, extrapolated κ − k times: mexx (2.14), (2.15)."""
    sequence, width = run.tableau, run.n_y + run.n_lam
    clear(left)
    clear(right)
    at = line_start(run, k - 1) * width
    for j in range(k, run.order_used + 1):
        n = int(sequence[j - 1])
        scale = _weight(run, j, k) * sequence[j - 1] ** k * (1.0 if k % 2 == 0 else -1.0)
        for i in range(k + 1):  # (−1)^{k−i} (k over i)
            add_scaled(scale, view(run.small_steps, at + i * width, width), left)
            add_scaled(scale, view(run.small_steps, at + (n - 1 - k + i) * width, width), right)
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
        clear(target)
        sign = 1.0 if (r // 2) % 2 == 0 else -1.0
        # To [0ˢ]: (o − 1 + z − s over z − s), with the sign (−1)ᵒ. Without ones there is nothing to divide.
        weight = sign if ones % 2 == 0 else -sign
        for s in range(zeros, 0 if ones else zeros - 1, -1):
            add_scaled(weight, view(left, (s - 1) * n, n), target)
            weight *= (ones + zeros - s) / (zeros - s + 1.0)
        # To [1ˢ]: (z − 1 + o − s over o − s), with the sign (−1)ᵒ⁻ˢ.
        weight = sign
        for s in range(ones, 0, -1):
            add_scaled(weight, view(right, (s - 1) * n, n), target)
            weight *= -(zeros + ones - s) / (ones - s + 1.0)


@compiled
def _scale(run: MexxMemory, k: int, derivative: Reals, of_y: Reals, of_z: Reals) -> None:
    """Put derivatives from differences over their factorials: k + 1 of y, k of z."""
    n_q, n_v, n_y, n_lam, n_z = run.n_q, run.n_v, run.n_y, run.n_lam, run.n_z
    factorial = 1.0
    for i in range(2, k + 1):
        factorial *= i
    row = view(of_y, (k + 1) * n_y, n_y)
    for c in range(n_y):
        row[c] = derivative[c] * (run.h / (factorial * (k + 1)))
    row = view(of_z, k * n_z, n_z)
    for c in range(n_v):
        row[c] = derivative[n_q + c] / factorial
    for c in range(n_lam):
        row[n_v + c] = derivative[n_y + c] / factorial


@compiled
def _end_values(run: MexxMemory, y: Reals, rate: Reals, z: Reals, of_y: Reals, of_z: Reals) -> None:
    """Values, and derivatives that the equations give, at an end."""
    copy(y, view(of_y, 0, run.n_y))
    for c in range(run.n_y):
        of_y[run.n_y + c] = run.h * rate[c]
    copy(z, view(of_z, 0, run.n_z))


@kernel
def interpolate(run: MexxMemory) -> int:
    """Coefficients of (q, v, u) and (a, λ) on the last step, in nested form (see dalembert.solution.dense_output)."""
    n_y, n_z, coef, coef_z = run.n_y, run.n_z, run.coef, run.coef_z
    n_left, n_right = _ends(run)
    used, used_z = (n_left + n_right + 4) * n_y, (n_left + n_right + 2) * n_z
    clear(view(coef, used, coef.size - used))
    clear(view(coef_z, used_z, coef_z.size - used_z))
    run.coef_unused = run.n_coef - n_left - n_right - 4
    _end_values(run, run.y0, run.rate0, run.z0, run.y_left, run.z_left)
    _end_values(run, run.y1, run.rate1, run.z1, run.y_right, run.z_right)
    for k in range(1, n_right + 1):
        _derivatives(run, k, run.difference0, run.difference1)
        if k <= n_left:
            _scale(run, k, run.difference0, run.y_left, run.z_left)
        _scale(run, k, run.difference1, run.y_right, run.z_right)
    _divided_differences(run.y_left, n_left + 2, run.y_right, n_right + 2, n_y, coef)
    _divided_differences(run.z_left, n_left + 1, run.z_right, n_right + 1, n_z, coef_z)
    return STATUS.OK
