"""Linear equations of state-space methods (thesis 3.4.1.3): x − c J x = b for x = (z, ż, u).

With J = (0 1 0; J1 J2 Ju; Dz Dw Du), z = bz + c ż, and what is left has the matrix Π = E + c E1 + c² E2 of
Proposition 1, bordered by external states; J1 and J2 are never formed.
"""

from __future__ import annotations

from dalembert.integrate.chart.chart_memory import ChartMemory
from dalembert.integrate.frame.memory import STATUS
from dalembert.linalg.factors.dense_lu import lu_factor_rows, lu_solve_rows
from dalembert.linalg.vector_operations import copy
from dalembert.native.kernel import Reals, compiled, view


@compiled
def factor_iteration(run: ChartMemory, first: float, second: float) -> int:
    """E + first E1 + second E2, bordered by u, factorised; for first-order methods second = first²."""
    f, n_u, n_d = run.n_f, run.n_u, run.n_d
    n, matrix = f + n_u, run.iteration_matrix
    run.nlu += 1
    run.have_factors = 0
    for j in range(f):
        row, out = view(run.E_motion, j * n_d, n_d), view(matrix, j * n, n)
        for k in range(f):
            out[k] = run.E[j * f + k] + first * row[f + k] + second * row[k]
        for k in range(n_u):
            out[f + k] = first * row[2 * f + k]
    for i in range(n_u):
        row, out = view(run.d_motion, i * n_d, n_d), view(matrix, (f + i) * n, n)
        for k in range(f):
            out[k] = -first * row[f + k] - second * row[k]
        for k in range(n_u):
            out[f + k] = (1.0 if i == k else 0.0) - first * row[2 * f + k]
    if lu_factor_rows(matrix, n, run.iteration_pivots):
        return STATUS.SINGULAR
    run.c_first, run.c_second, run.have_factors = first, second, 1
    return STATUS.OK


@compiled
def solve_iteration(run: ChartMemory, b: Reals, time: float) -> None:
    """Replace b = (bz, bw, bu) by the solution of x − c J x = b + time ∂ẋ/∂t."""
    f, n_u, n_d, c = run.n_f, run.n_u, run.n_d, run.c_first
    right = run.x_solved
    run.nsolve += 1
    for j in range(f):
        row, E = view(run.E_motion, j * n_d, n_d), view(run.E, j * f, f)
        total = 0.0
        for k in range(f):
            total += E[k] * b[f + k] - c * row[k] * b[k]
        right[j] = total - time * row[n_d - 1]
    for i in range(n_u):
        row, total = view(run.d_motion, i * n_d, n_d), b[2 * f + i]
        for k in range(f):
            total += c * row[k] * b[k]
        right[f + i] = total + time * row[n_d - 1]
    lu_solve_rows(run.iteration_matrix, f + n_u, run.iteration_pivots, right)
    for k in range(f):
        b[k] += c * right[k]
        b[f + k] = right[k]
    copy(view(right, f, n_u), view(b, 2 * f, n_u))
