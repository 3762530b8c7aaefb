"""History of BDF methods: coefficients with a fixed leading one, what differences predict, history from the stages of a
Radau step, and the polynomials of the dense output.

Rows of differences hold (q, v, u) and (a, λ) at the ends of the last steps, all of them projected onto the constraints.
K. E. Brenan, S. L. Campbell, L. R. Petzold, Numerical Solution of Initial-Value Problems in DAEs, SIAM 1996, 5.2
("BCP").
"""

from __future__ import annotations

from dalembert.integrate.frame.nested import to_nested
from dalembert.integrate.implicit.residual import differential
from dalembert.integrate.methods.bdf_memory import BdfMemory
from dalembert.integrate.methods.multistep import difference, renew, renewed_difference, set_basis, set_distances
from dalembert.integrate.methods.radau import collocation_polynomial
from dalembert.linalg.vector_operations import add_scaled, clear, copy
from dalembert.native.kernel import Reals, compiled, view


@compiled
def set_coefficients(run: BdfMemory, k: int) -> float:
    """ψ, β, σ, γ and α for order k and the size h: BCP (5.2.1 …). Entries count from 1. Gives C_k, the factor of the
    error."""
    h, psi, sigma, gamma = run.h, run.psi, run.sigma, run.gamma_sums
    set_distances(run, k + 1)
    sigma[1], gamma[1] = 1.0, 0.0
    alpha_0 = alpha_s = 0.0
    for i in range(1, k + 1):
        sigma[i + 1] = i * sigma[i] * (h / psi[i + 1])
        gamma[i + 1] = gamma[i] + 1.0 / psi[i]
        alpha_0 -= h / psi[i]
        alpha_s -= 1.0 / i
    next_one, part = h / psi[k + 1] if k else 1.0, run.lessened[k]
    alpha_s -= (1.0 - part) / (k + 1)  # numerical differentiation formulas: α = (1 − κ) γ_k / h
    run.alpha = -alpha_s / h
    return max(part * next_one, abs(next_one + alpha_s - alpha_0))


@compiled
def predict(run: BdfMemory, k: int) -> None:
    """Increments of (q, v, u), a and λ themselves, and rates, at the end of the step: Σ β_i φ_i, Σ γ_i β_i φ_i."""
    beta, gamma, predicted, rates, n = run.beta_ratios, run.gamma_sums, run.predicted, run.predicted_rate, run.n_y
    clear(predicted)
    clear(rates)
    for i in range(k + 1, 1, -1):  # from the smallest on; φ_1 is y0
        row, b, g = difference(run, i), beta[i], gamma[i] * beta[i]
        for c in range(predicted.size):
            predicted[c] += b * row[c]
            rates[c] += g * row[c]
    first = difference(run, 1)
    for c in range(n, predicted.size):
        predicted[c] += first[c]


@compiled
def set_first_rate(run: BdfMemory) -> None:
    """The point before the first one, where the tangent leads to: BCP."""
    second = difference(run, 2)
    clear(second)
    for c in range(run.n_y):
        second[c] = run.h * run.rate0[c]
    run.past_sizes[0] = run.h


@compiled
def renew_history(run: BdfMemory) -> int:
    """Differences at the end of the step, projected as it is. Returns the number of rows."""
    n, n_h, change = run.n_y, run.n_h, run.change
    rows = run.known if run.starting else run.order_used + 1
    y0, y1, z1, predicted = run.y0, run.y1, run.z1, run.predicted
    for c in range(n):
        change[c] = (y1[c] - y0[c]) - predicted[c]
    for c in range(n, n_h):
        change[c] = z1[c - n] - predicted[c]
    renew(run, rows)
    return rows + 1


@compiled
def stages_as_history(run: BdfMemory) -> None:
    """Differences from the stages of the Radau step and its ends."""
    s, n, n_h, h, c = run.stages, run.n_y, run.n_h, run.h, run.tableau
    target = run.differences
    for i in range(s):  # from the newest on; the last row is that of the start
        _load_stage(run, s - 1 - i, view(target, i * n_h, n_h))
        run.past_sizes[i] = h * (c[s - 1 - i] - (c[s - 2 - i] if i < s - 1 else 0.0))
    last = view(target, s * n_h, n_h)
    copy(run.y0, view(last, 0, n))
    copy(run.z0, view(last, n, run.n_z))
    for order in range(1, s + 1):
        for i in range(s, order - 1, -1):
            newer, older = c[s - 1 - i + order], (c[s - 1 - i] if i < s else 0.0)
            scale = 1.0 / (h * (newer - older))
            row, before = view(target, i * n_h, n_h), view(target, (i - 1) * n_h, n_h)
            for m in range(n_h):
                row[m] = (before[m] - row[m]) * scale
    product = 1.0
    for i in range(1, s + 1):
        product *= h * (1.0 - (c[s - 1 - i] if i < s else 0.0))
        row = view(target, i * n_h, n_h)
        for m in range(n_h):
            row[m] *= product
    run.known = s + 1


@compiled
def _load_stage(run: BdfMemory, i: int, out: Reals) -> None:
    """(q, v, u, a, λ) of a stage of the Radau step; of the last one as it was projected."""
    s, n_x, n, n_v, n_lam = run.stages, run.n_x, run.n_y, run.n_v, run.n_lam
    if i == s - 1:
        copy(run.y1, view(out, 0, n))
        copy(run.z1, view(out, n, run.n_z))
        return
    Z = view(run.Z, i * n_x, n_x)
    differential(run, Z, view(out, 0, n))
    y0 = run.y0
    for c in range(n):
        out[c] += y0[c]
    a = view(out, n, n_v)
    clear(a)
    for j in range(s):
        add_scaled(run.tableau[s + i * s + j] / run.h, view(run.Z, j * n_x + run.n_q, n_v), a)
    copy(view(Z, run.n_q + n_v + run.n_g, n_lam), view(out, n + n_v, n_lam))


# -------------------------------------------------------------------------------------------------------- dense output


@compiled
def _through_stages(run: BdfMemory) -> None:
    """a and λ of the Radau step: the polynomial through its start, its stages and its end."""
    s, n, coef = run.stages, run.n_z, run.coef_z
    nested = view(run.tableau, s + 3 * s * s + 2 * s, s * s)
    z0, values = run.z0, run.renewed
    clear(coef)
    copy(z0, view(coef, 0, n))
    for i in range(s):
        _load_stage(run, i, view(values, 0, run.n_h))
        increment = view(values, run.n_y, n)
        for k in range(n):
            increment[k] -= z0[k]
        for c in range(s):
            add_scaled(nested[c * s + i], increment, view(coef, (c + 1) * n, n))


@compiled
def polynomial_of_start(run: BdfMemory) -> None:
    """Coefficients of (q, v, u) and (a, λ) of a Radau step in nested form."""
    collocation_polynomial(run)
    _through_stages(run)
    run.coef_unused = run.n_coef - run.stages - 1


@compiled
def polynomial_of_step(run: BdfMemory) -> None:
    """The same of a BDF step: the polynomial of degree k through the ends of the last steps."""
    n, n_z, coef, coef_z, weights, k = run.n_y, run.n_z, run.coef, run.coef_z, run.nested, run.order_used
    clear(coef)
    clear(coef_z)
    renew_history(run)
    for i in range(1, k + 2):
        set_basis(run, i, run.polynomial)
        to_nested(run.polynomial, i - 1, weights)
        row = renewed_difference(run, i)
        for c in range(i):
            if weights[c] != 0.0:
                add_scaled(weights[c], view(row, 0, n), view(coef, c * n, n))
                add_scaled(weights[c], view(row, n, n_z), view(coef_z, c * n_z, n_z))
    run.coef_unused = run.n_coef - k - 1
