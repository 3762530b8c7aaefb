"""Radau IIA collocation on the stabilised index-2 form (Gear, Gupta, Leimkuhler), for stiff systems.

Order 2s − 1 at the ends of steps, stiffly accurate, L-stable; dense output by the collocation polynomial, of order s.
Unknowns of a stage are x = (q, v, μ, λ, u) with

    0 = q̇ − T (v − Cᵀμ),   0 = M v̇ − f + Gᵀλ,   0 = g,   0 = G v + gI,   0 = u̇ − d,      h ẏ_i = Σ_j w_ij Z_j,  W =
    A⁻¹

Hairer, Wanner, Solving ODEs II, IV.8: with W = S Λ S⁻¹ the Newton equations of all stages fall apart into one real
system, with matrix (γ/h) E + J, and complex ones, with ((α + iβ)/h) E + J, where E = diag(I, M, 0, 0, I).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.integrate.frame import memory as m
from dalembert.integrate.frame.control import KEEP_JACOBIAN, update_weights, weighted_norm
from dalembert.integrate.frame.formalism import NEW_P, NEW_T, seen_time
from dalembert.integrate.frame.memory import field, int_field
from dalembert.integrate.implicit.newton import CONVERGED, HOPELESS, begin_iteration, judge
from dalembert.linalg.factors.dense_lu import lu_factor, lu_solve
from dalembert.linalg.factors.sparse_lu import sparse_factor, sparse_solve
from dalembert.linalg.plan import DENSE
from dalembert.native.kernel import Reals, Run, as_complex, call_entry, compiled, kernel, view

#: Request bits of the program "implicit" (dalembert.equations.contract.provider.OUTPUTS).
QDOT, RESIDUAL, G, GV, D, JACOBIAN = (1 << k for k in range(6))
#: How an entry of the Jacobian enters the matrix: as it is, negated, or times γ/h (columns of a).
PLUS, MINUS, MASS = range(3)

# Layout of the field TABLEAU for s stages:
#   c (s), W (s·s), S (s·s), S⁻¹ (s·s), eigenvalues (γ, then α, β of each pair) (s), weights of the error (s),
#   collocation polynomial in nested form (s·s), γ.
# Layout of the field METHOD, N unknowns: Z, old Z, residuals, corrections: s·N each; right side: 2·N.


@compiled
def _unknowns(run: Run) -> int:
    ints = run.ints
    return ints[m.N_Y] + ints[m.N_LAM] + ints[m.N_G]


@compiled
def _call(run: Run, request: int, changed: int) -> int:
    table = run.table
    return call_entry(
        table[m.IMPLICIT_ENTRY], request, changed, table[m.IN : m.RATE_OUT], table[m.IMPLICIT_OUT : m.EVENT_OUT],
        table[m.IMPLICIT_WORK],
    )  # fmt: skip


@compiled
def _load_stage(run: Run, t: float, y0: Reals, z: Reals) -> None:
    """Point of evaluation y0 + z, with multipliers from z itself; z = (q, v, μ, λ, u)."""
    ints, scalars = run.ints, field(run, m.SCALARS)
    n_q, n_v, n_g, n_lam, n_u = ints[m.N_Q], ints[m.N_V], ints[m.N_G], ints[m.N_LAM], ints[m.N_U]
    field(run, m.T)[0] = seen_time(scalars, t)
    q, v, mu, lam, u = field(run, m.Q), field(run, m.V), field(run, m.MU), field(run, m.LAM), field(run, m.U)
    for i in range(n_q):
        q[i] = y0[i] + z[i]
    for i in range(n_v):
        v[i] = y0[n_q + i] + z[n_q + i]
    at = n_q + n_v
    for i in range(n_g):
        mu[i] = z[at + i]
    at += n_g
    for i in range(n_lam):
        lam[i] = z[at + i]
    at += n_lam
    for i in range(n_u):
        u[i] = y0[n_q + n_v + i] + z[at + i]


@compiled
def _stage_residuals(run: Run, h: float) -> int:
    """Residuals of all stages from their increments."""
    ints = run.ints
    s, N = ints[m.STAGES], _unknowns(run)
    n_q, n_v, n_g, n_lam, n_u = ints[m.N_Q], ints[m.N_V], ints[m.N_G], ints[m.N_LAM], ints[m.N_U]
    method, tableau, y0 = field(run, m.METHOD), field(run, m.TABLEAU), field(run, m.Y0)
    a, t0 = field(run, m.A), field(run, m.SCALARS)[m.T_NOW]
    qdot, residual, g, gv, d = (
        field(run, m.I_QDOT), field(run, m.I_RESIDUAL), field(run, m.I_G), field(run, m.I_GV), field(run, m.I_D)
    )  # fmt: skip
    at_u = n_q + n_v + n_g + n_lam
    for i in range(s):
        z, out = view(method, i * N, N), view(method, (2 * s + i) * N, N)
        for k in range(N):
            out[k] = 0.0
        for j in range(s):
            weight, other = tableau[s + i * s + j] / h, view(method, j * N, N)
            for k in range(n_q + n_v):
                out[k] += weight * other[k]
            for k in range(at_u, N):
                out[k] += weight * other[k]
        for k in range(n_v):
            a[k] = out[n_q + k]
        _load_stage(run, t0 + tableau[i] * h, y0, z)
        ints[m.NFEV] += 1
        if _call(run, QDOT | RESIDUAL | G | GV | D, NEW_T):
            return m.RAISED
        for k in range(n_q):
            out[k] -= qdot[k]
        for k in range(n_v):
            out[n_q + k] = residual[k]
        at = n_q + n_v
        for k in range(n_g):
            out[at + k] = g[k]
        at += n_g
        for k in range(n_lam):
            out[at + k] = gv[k]
        for k in range(n_u):
            out[at_u + k] -= d[k]
    return m.OK


@compiled
def _evaluate_jacobian(run: Run) -> int:
    """At Y0, with the accelerations and multipliers there."""
    ints = run.ints
    n_v = ints[m.N_V]
    N = _unknowns(run)
    z0, a, method, s = field(run, m.Z0), field(run, m.A), field(run, m.METHOD), ints[m.STAGES]
    zero = view(method, 4 * s * N, N)
    for k in range(N):
        zero[k] = 0.0
    at = ints[m.N_Q] + n_v + ints[m.N_G]
    for k in range(ints[m.N_LAM]):
        zero[at + k] = z0[n_v + k]
    for k in range(n_v):
        a[k] = z0[k]
    _load_stage(run, field(run, m.SCALARS)[m.T_NOW], field(run, m.Y0), zero)
    if _call(run, JACOBIAN, NEW_P):
        return m.RAISED
    ints[m.NJEV] += 1
    ints[m.JACOBIAN_AGE] = 0
    return m.OK


@compiled
def _fill(run: Run, matrix: Any, factor: Any, size: int) -> None:
    """matrix = factor E + J."""
    values, places, kinds = field(run, m.I_JACOBIAN), int_field(run, m.I_MAP_J), int_field(run, m.I_COLS_J)
    for k in range(size):
        matrix[k] = 0.0
    for k in range(values.size):
        if kinds[k] == MASS:
            matrix[places[k]] += factor * values[k]
        elif kinds[k] == MINUS:
            matrix[places[k]] -= values[k]
        else:
            matrix[places[k]] += values[k]
    ones = int_field(run, m.I_MAP_E)
    for k in range(ones.size):
        matrix[ones[k]] += factor


@compiled
def _factorise(run: Run, h: float) -> int:
    ints, scalars, tableau = run.ints, field(run, m.SCALARS), field(run, m.TABLEAU)
    s, N = ints[m.STAGES], _unknowns(run)
    eigenvalues = view(tableau, s + 3 * s * s, s)
    real = field(run, m.NEWTON_REAL)
    complexes = as_complex(field(run, m.NEWTON_COMPLEX))
    dense = ints[m.NEWTON_SOLVER] == DENSE
    plan = int_field(run, m.I_SPARSE_NEWTON)
    size = N * N if dense else plan[1]
    _fill(run, real, eigenvalues[0] / h, size)
    if dense:
        failed = lu_factor(real, N, int_field(run, m.I_PIVOTS_REAL), run.table[m.DGETRF])
    else:
        failed = sparse_factor(real, plan)
    ints[m.NLU] += 1
    pairs = (s - 1) // 2
    width = complexes.size // pairs if pairs else 0
    for p in range(pairs):
        if failed:
            break
        matrix = view(complexes, p * width, width)
        _fill(run, matrix, complex(eigenvalues[1 + 2 * p], eigenvalues[2 + 2 * p]) / h, size)
        if dense:
            failed = lu_factor(matrix, N, view(int_field(run, m.I_PIVOTS_COMPLEX), p * N, N), run.table[m.ZGETRF])
        else:
            failed = sparse_factor(matrix, plan)
        ints[m.NLU] += 1
    scalars[m.H_FACTORED] = h
    ints[m.HAVE_FACTORS] = 0 if failed else 1
    return m.SINGULAR if failed else m.OK


@compiled
def _solve_real(run: Run, right: Reals) -> None:
    run.ints[m.NSOLVE] += 1
    real = field(run, m.NEWTON_REAL)
    if run.ints[m.NEWTON_SOLVER] == DENSE:
        lu_solve(real, _unknowns(run), int_field(run, m.I_PIVOTS_REAL), right, run.table[m.DGETRS])
    else:
        sparse_solve(real, int_field(run, m.I_SPARSE_NEWTON), right)


@compiled
def _correct(run: Run) -> None:
    """Corrections of all stages from their residuals: transform, solve, transform back."""
    ints, tableau, method = run.ints, field(run, m.TABLEAU), field(run, m.METHOD)
    s, N = ints[m.STAGES], _unknowns(run)
    S, inverse = view(tableau, s + s * s, s * s), view(tableau, s + 2 * s * s, s * s)
    residuals, transformed = view(method, 2 * s * N, s * N), view(method, 3 * s * N, s * N)
    for i in range(s):
        out = view(transformed, i * N, N)
        for k in range(N):
            out[k] = 0.0
        for j in range(s):
            weight, other = inverse[i * s + j], view(residuals, j * N, N)
            for k in range(N):
                out[k] -= weight * other[k]
    _solve_real(run, view(transformed, 0, N))
    complexes = as_complex(field(run, m.NEWTON_COMPLEX))
    right = as_complex(view(method, 4 * s * N, 2 * N))
    pairs = (s - 1) // 2
    width = complexes.size // pairs if pairs else 0
    for p in range(pairs):
        ints[m.NSOLVE] += 1
        re, im = view(transformed, (1 + 2 * p) * N, N), view(transformed, (2 + 2 * p) * N, N)
        for k in range(N):
            right[k] = complex(re[k], im[k])
        matrix = view(complexes, p * width, width)
        if ints[m.NEWTON_SOLVER] == DENSE:
            lu_solve(matrix, N, view(int_field(run, m.I_PIVOTS_COMPLEX), p * N, N), right, run.table[m.ZGETRS])
        else:
            sparse_solve(matrix, int_field(run, m.I_SPARSE_NEWTON), right)
        for k in range(N):
            re[k], im[k] = right[k].real, right[k].imag
    for i in range(s):  # the residuals' place takes the corrections
        out = view(residuals, i * N, N)
        for k in range(N):
            out[k] = 0.0
        for j in range(s):
            weight, other = S[i * s + j], view(transformed, j * N, N)
            for k in range(N):
                out[k] += weight * other[k]


@compiled
def _differential(run: Run, x: Reals, y: Reals) -> None:
    """y = (q, v, u) of x = (q, v, μ, λ, u)."""
    n = run.ints[m.N_Q] + run.ints[m.N_V]
    gap = run.ints[m.N_G] + run.ints[m.N_LAM]
    for k in range(n):
        y[k] = x[k]
    for k in range(run.ints[m.N_U]):
        y[n + k] = x[n + gap + k]


@compiled
def _predict(run: Run, h: float) -> None:
    """Increments to start from: the collocation polynomial of the last step goes on, or nothing moves."""
    ints, scalars = run.ints, field(run, m.SCALARS)
    s, N, n_v = ints[m.STAGES], _unknowns(run), ints[m.N_V]
    method, tableau, z0 = field(run, m.METHOD), field(run, m.TABLEAU), field(run, m.Z0)
    first, last = ints[m.N_Q] + n_v, ints[m.N_Q] + n_v + ints[m.N_G] + ints[m.N_LAM]
    if not ints[m.HAVE_OLD_STEP]:
        for i in range(s):
            z = view(method, i * N, N)
            for k in range(N):
                z[k] = 0.0
            for k in range(ints[m.N_LAM]):
                z[first + ints[m.N_G] + k] = z0[n_v + k]
        return
    ratio = h / scalars[m.H_OLD]
    old = view(method, s * N, s * N)
    for i in range(s):
        z = view(method, i * N, N)
        theta = 1.0 + tableau[i] * ratio
        for k in range(N):
            z[k] = -old[(s - 1) * N + k]  # increments count from the new point
        for k in range(first, last):
            z[k] = 0.0
        for j in range(s):
            among, with_zero = 1.0, theta / tableau[j]
            for l in range(s):
                if l != j:
                    among *= (theta - tableau[l]) / (tableau[j] - tableau[l])
            with_zero *= among
            other = view(old, j * N, N)
            for k in range(first):
                z[k] += with_zero * other[k]
            for k in range(first, last):
                z[k] += among * other[k]
            for k in range(last, N):
                z[k] += with_zero * other[k]


@kernel
def attempt(run: Run) -> int:
    """One step of size H_DONE from Y0: leaves Y1 and ERROR."""
    ints, scalars = run.ints, field(run, m.SCALARS)
    s, N, n = ints[m.STAGES], _unknowns(run), ints[m.N_Y]
    h = scalars[m.H_DONE]
    method = field(run, m.METHOD)
    y, correction = field(run, m.Y1), field(run, m.ERROR_VECTOR)
    if ints[m.HAVE_OLD_STEP] == 1:  # the last step was accepted: its increments are where this one starts from
        for k in range(s * N):
            method[s * N + k] = method[k]
        ints[m.HAVE_OLD_STEP] = 2
    if ints[m.JACOBIAN_AGE] < 0 or (ints[m.JACOBIAN_AGE] > 0 and scalars[m.THETA] > KEEP_JACOBIAN):
        status = _evaluate_jacobian(run)
        if status:
            return status
        ints[m.HAVE_FACTORS] = 0
    status = m.NEWTON_FAILED
    for _ in range(2):
        if not ints[m.HAVE_FACTORS] or scalars[m.H_FACTORED] != h:
            status = _factorise(run, h)
            if status:
                return status
        _predict(run, h)
        begin_iteration(run)
        verdict, before = HOPELESS, 0.0
        for iteration in range(ints[m.NEWTON_LIMIT]):
            status = _stage_residuals(run, h)
            if status:
                return status
            _correct(run)
            total = 0.0
            for i in range(s):
                delta = view(method, (2 * s + i) * N, N)
                z = view(method, i * N, N)
                for k in range(N):
                    z[k] += delta[k]
                _differential(run, delta, correction)
                size = weighted_norm(run, correction)
                total += size * size
            size = np.sqrt(total / s)
            verdict = judge(run, iteration, size, before)
            before = size
            ints[m.NEWTON_DONE] = iteration + 1
            if verdict != 0:
                break
        if verdict == CONVERGED:
            status = m.OK
            break
        ints[m.NEWTON_FAILURES] += 1
        status = m.NEWTON_FAILED if before < np.inf else m.NOT_FINITE
        if ints[m.JACOBIAN_AGE] == 0:
            break
        if _evaluate_jacobian(run):  # an old Jacobian may be to blame: once more with a new one
            return m.RAISED
        ints[m.HAVE_FACTORS] = 0
    if status:
        ints[m.JACOBIAN_AGE] = -1
        return status
    y0 = field(run, m.Y0)
    _differential(run, view(method, (s - 1) * N, N), correction)
    for k in range(n):
        y[k] = y0[k] + correction[k]
    status = _estimate_error(run, h)
    if status:
        return status
    ints[m.JACOBIAN_AGE] += 1
    return m.OK if scalars[m.ERROR] < np.inf else m.NOT_FINITE


@compiled
def _estimate_error(run: Run, h: float) -> int:
    """err = ((γ/h) E + J)⁻¹ (ẏ0 + Σ e_i Z_i / h), in the rows of differential equations: IV.8 (8.19), (8.20)."""
    ints, scalars, tableau, method = run.ints, field(run, m.SCALARS), field(run, m.TABLEAU), field(run, m.METHOD)
    s, N = ints[m.STAGES], _unknowns(run)
    n_q, n_v, n_u = ints[m.N_Q], ints[m.N_V], ints[m.N_U]
    at_u = n_q + n_v + ints[m.N_G] + ints[m.N_LAM]
    weights = view(tableau, s + 3 * s * s + s, s)
    rate0, error = field(run, m.RATE0), field(run, m.ERROR_VECTOR)
    increments, right = view(method, 4 * s * N, N), view(method, (4 * s + 1) * N, N)
    for k in range(N):
        increments[k] = 0.0
    for i in range(s):
        weight, z = weights[i] / h, view(method, i * N, N)
        for k in range(N):
            increments[k] += weight * z[k]
    for k in range(n_q):
        increments[k] += rate0[k]
    for k in range(n_v):
        increments[n_q + k] += rate0[n_q + k]
    for k in range(n_u):
        increments[at_u + k] += rate0[n_q + n_v + k]
    _times_E(run, increments, right)
    _solve_real(run, right)
    update_weights(run)
    _differential(run, right, error)
    scalars[m.ERROR] = weighted_norm(run, error)
    if scalars[m.ERROR] >= 1.0 and (not ints[m.HAVE_OLD_STEP] or ints[m.AFTER_REJECT]):
        # Filter once more, with the rate at the perturbed point: large at a start on a stiff system for no good reason.
        y0, z = field(run, m.Y0), view(method, 3 * s * N, N)
        lam_at = n_q + n_v + ints[m.N_G]
        z0, a, qdot, residual, d = (
            field(run, m.Z0), field(run, m.A), field(run, m.I_QDOT), field(run, m.I_RESIDUAL), field(run, m.I_D)
        )  # fmt: skip
        for k in range(N):
            z[k] = right[k]
        for k in range(n_q + n_v, at_u):
            z[k] = 0.0
        for k in range(ints[m.N_LAM]):
            z[lam_at + k] = z0[n_v + k]
        for k in range(n_v):
            a[k] = rate0[n_q + k] - increments[n_q + k]  # the residual is then −(M Σ e_i Z_i / h + f − Gᵀλ)
        _load_stage(run, scalars[m.T_NOW], y0, z)
        ints[m.NFEV] += 1
        if _call(run, QDOT | RESIDUAL | D, NEW_T):
            return m.RAISED
        for k in range(N):
            right[k] = 0.0
        for k in range(n_q):
            right[k] = increments[k] - rate0[k] + qdot[k]
        for k in range(n_v):
            right[n_q + k] = -residual[k]
        for k in range(n_u):
            right[at_u + k] = increments[at_u + k] - rate0[n_q + n_v + k] + d[k]
        _solve_real(run, right)
        _differential(run, right, error)
        scalars[m.ERROR] = min(scalars[m.ERROR], weighted_norm(run, error))
    return m.OK


@compiled
def _times_E(run: Run, x: Reals, out: Reals) -> None:
    """out = diag(I, M, 0, 0, I) x, with M of the Jacobian."""
    ints = run.ints
    n_q, n_v = ints[m.N_Q], ints[m.N_V]
    N = _unknowns(run)
    at_u = n_q + n_v + ints[m.N_G] + ints[m.N_LAM]
    for k in range(N):
        out[k] = x[k] if k < n_q or k >= at_u else 0.0
    values, kinds = field(run, m.I_JACOBIAN), int_field(run, m.I_COLS_J)
    rows, columns = int_field(run, m.I_ROWS_M), int_field(run, m.I_COLS_M)
    at = 0
    for k in range(values.size):
        if kinds[k] == MASS:
            out[n_q + rows[at]] += values[k] * x[n_q + columns[at]]
            at += 1


@kernel
def interpolate(run: Run) -> int:
    """Collocation polynomial through the projected ends, in nested form."""
    ints, tableau, method, coef = run.ints, field(run, m.TABLEAU), field(run, m.METHOD), field(run, m.COEF)
    s, N, n = ints[m.STAGES], _unknowns(run), ints[m.N_Y]
    y0, y1, increment = field(run, m.Y0), field(run, m.Y1), field(run, m.ERROR_VECTOR)
    nested = view(tableau, s + 3 * s * s + 2 * s, s * s)
    for k in range(coef.size):
        coef[k] = 0.0
    for k in range(n):
        coef[k] = y0[k]
    for i in range(s):
        if i == s - 1:
            for k in range(n):
                increment[k] = y1[k] - y0[k]
        else:
            _differential(run, view(method, i * N, N), increment)
        for c in range(s):
            weight, target = nested[c * s + i], view(coef, (c + 1) * n, n)
            for k in range(n):
                target[k] += weight * increment[k]
    return m.OK
