"""Formulas of BDF methods, on whatever form of the equations: coefficients with a fixed leading one, what differences
predict, differences of points within a step, the polynomial of a step.

K. E. Brenan, S. L. Campbell, L. R. Petzold, Numerical Solution of Initial-Value Problems in DAEs, SIAM 1996, 5.2
("BCP").
"""

from __future__ import annotations

from dalembert.integrate.frame.nested import to_nested
from dalembert.integrate.methods.bdf_slots import BdfSlots
from dalembert.integrate.methods.multistep import difference, renewed_difference, set_basis, set_distances
from dalembert.linalg.vector_operations import add_scaled, clear
from dalembert.native.kernel import Reals, compiled, view


@compiled
def set_coefficients(run: BdfSlots, k: int) -> float:
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
def predict(run: BdfSlots, k: int) -> None:
    """Increments of (q, v, u), all else itself, and rates, at the end of the step: Σ β_i φ_i, Σ γ_i β_i φ_i."""
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
def points_as_history(run: BdfSlots, nodes: Reals) -> None:
    """Differences from the points at these parts of a step, whose last one is its end, and its start: rows hold their
    values, the newest first."""
    s, n_h, h, target = nodes.size, run.n_h, run.h, run.differences
    for i in range(s):
        run.past_sizes[i] = h * (nodes[s - 1 - i] - (nodes[s - 2 - i] if i < s - 1 else 0.0))
    for order in range(1, s + 1):
        for i in range(s, order - 1, -1):
            newer, older = nodes[s - 1 - i + order], (nodes[s - 1 - i] if i < s else 0.0)
            scale = 1.0 / (h * (newer - older))
            row, before = view(target, i * n_h, n_h), view(target, (i - 1) * n_h, n_h)
            for m in range(n_h):
                row[m] = (before[m] - row[m]) * scale
    product = 1.0
    for i in range(1, s + 1):
        product *= h * (1.0 - (nodes[s - 1 - i] if i < s else 0.0))
        row = view(target, i * n_h, n_h)
        for m in range(n_h):
            row[m] *= product
    run.known = s + 1


@compiled
def set_polynomial(run: BdfSlots, first: int, coef: Reals) -> None:
    """The polynomial of degree k through the ends of the last steps, from the renewed differences, in nested form; of
    entries of their rows from the first one on."""
    k, weights = run.order_used, run.nested
    n = coef.size // run.n_coef
    clear(coef)
    for i in range(1, k + 2):
        set_basis(run, i, run.polynomial)
        to_nested(run.polynomial, i - 1, weights)
        row = view(renewed_difference(run, i), first, n)
        for c in range(i):
            if weights[c] != 0.0:
                add_scaled(weights[c], row, view(coef, c * n, n))
