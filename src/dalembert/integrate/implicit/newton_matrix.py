"""Newton matrices A(α) = α E(M) + K with E = diag(I, M, 0, 0, I): filled, factorised and solved with, dense or sparse.

A method has a slot for each of its factors α, real or complex.  K and M are kept apart, so that another α needs no new
Jacobian.

Rows of very different sizes are multiplied by powers of two with which their entries, beside the sizes of q, v and u,
are about 1, and nothing is rounded: without that, pivots lose all digits in some units of length, mass and time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.implicit.implicit_memory import ImplicitMemory
from dalembert.integrate.implicit.jacobian import KIND
from dalembert.linalg.factors.dense_lu import lu_factor, lu_solve
from dalembert.linalg.factors.sparse_lu import sparse_factor, sparse_solve
from dalembert.linalg.plan import DENSE
from dalembert.linalg.vector_operations import add_product, clear, copy, total_size
from dalembert.native.kernel import Complexes, Reals, call_kernel, compiled, view

#: Rows whose sizes differ by no more than this stay as they are: pivots lose few digits, and 10 % of the time is saved
#: for a slider crank in space, whose factors get less fill-in.
_ALIKE = 1e9
#: Part of linear equations, beside the sizes of their terms, that is left where pivots were nothing but rounding. An
#: iteration does with much more than what is left otherwise.
_WRONG = 1e-3
#: Bits of a real number that say which power of two it has.
_EXPONENT = 0x7FF0000000000000


@compiled
def evaluate_jacobian(run: ImplicitMemory, K: Reals, mass: Reals) -> int:
    """K and M at the point of evaluation."""
    status = call_kernel(run.jacobian_kernel, run)
    return status if status else take_jacobian(run, K, mass)


@compiled
def take_jacobian(run: ImplicitMemory, K: Reals, mass: Reals) -> int:
    """K and M out of the slot jacobian."""
    values, source, sign = run.jacobian, run.K_source, run.K_sign
    if not total_size(values) < np.inf:
        return STATUS.NOT_FINITE
    for k in range(K.size):
        K[k] = sign[k] * values[source[k]]
    source = run.mass_source
    for k in range(mass.size):
        mass[k] = values[source[k]]
    return STATUS.OK


@compiled
def renew_jacobian(run: ImplicitMemory) -> int:
    """K and M of the Newton matrices, at the point of evaluation."""
    run.njev += 1
    if run.jacobian_kind == KIND.FULL:
        run.jacobian_full += 1
    elif run.jacobian_kind == KIND.GROUPED:
        run.jacobian_grouped += 1
    run.jacobian_age, run.have_factors = -1, 0
    status = evaluate_jacobian(run, run.K, run.mass)
    if status == STATUS.OK:
        run.jacobian_age = 0
    return status


@compiled
def _balance(run: ImplicitMemory, alpha: float, factors: Reals) -> None:
    """Factors of the rows of A(α), for the absolute value of α."""
    n_q, n_v, n_u, sizes = run.n_q, run.n_v, run.n_u, run.scale
    n = n_q + n_v
    at_u = run.n_x - n_u
    clear(factors)
    K, rows, columns = run.K, run.K_rows, run.K_columns
    for k in range(K.size):
        j = columns[k]
        if j < n or j >= at_u:
            size = abs(K[k]) * sizes[j if j < n else j - at_u + n]
            factors[rows[k]] = max(factors[rows[k]], size)
    mass, rows, columns = run.mass, run.mass_rows, run.mass_columns
    for k in range(mass.size):
        i = n_q + rows[k]
        factors[i] = max(factors[i], alpha * abs(mass[k]) * sizes[n_q + columns[k]])
    for i in range(n_q):
        factors[i] = max(factors[i], alpha * sizes[i])
    for i in range(n_u):
        factors[at_u + i] = max(factors[at_u + i], alpha * sizes[n + i])
    least, largest = np.inf, 0.0  # of rows that are not empty
    for i in range(factors.size):
        if factors[i] > 0.0:
            least, largest = min(least, factors[i]), max(largest, factors[i])
    if largest <= _ALIKE * least:
        for i in range(factors.size):
            factors[i] = 1.0
        return
    bits = factors.view(np.int64)
    for i in range(factors.size):
        bits[i] &= _EXPONENT
        factors[i] = 1.0 / factors[i] if factors[i] > 0.0 else 1.0


@compiled
def _fill(run: ImplicitMemory, alpha: Any, factors: Reals, matrix: Any) -> None:
    """matrix = α E(M) + K, its rows multiplied by factors."""
    n_q = run.n_q
    for k in range(matrix.size):
        matrix[k] = 0.0
    K, place, rows = run.K, run.K_place, run.K_rows
    for k in range(K.size):
        matrix[place[k]] += factors[rows[k]] * K[k]
    mass, place, rows = run.mass, run.mass_place, run.mass_rows
    for k in range(mass.size):
        matrix[place[k]] += alpha * (factors[n_q + rows[k]] * mass[k])
    place, rows = run.one_place, run.one_rows
    for k in range(place.size):
        matrix[place[k]] += alpha * factors[rows[k]]


@compiled
def factor_real(run: ImplicitMemory, slot: int, alpha: float) -> int:
    """Factorise A(α) in a slot."""
    run.nlu += 1
    run.alpha_real = alpha
    n, matrix = run.n_x, view(run.real_factors, slot * run.matrix_size, run.matrix_size)
    balance = view(run.real_balance, slot * n, n)
    _balance(run, abs(alpha), balance)
    _fill(run, alpha, balance, matrix)
    if run.newton_solver == DENSE:
        failed = lu_factor(matrix, n, view(run.real_pivots, slot * n, n), run.dgetrf)
    else:
        failed = sparse_factor(matrix, run.newton_plan)
    return STATUS.SINGULAR if failed else STATUS.OK


@compiled
def factor_complex(run: ImplicitMemory, slot: int, re: float, im: float) -> int:
    """Factorise A(re + i im) in a slot."""
    run.nlu += 1
    n, matrix = run.n_x, view(run.complex_factors, slot * run.matrix_size, run.matrix_size)
    balance = view(run.complex_balance, slot * n, n)
    _balance(run, abs(complex(re, im)), balance)
    _fill(run, complex(re, im), balance, matrix)
    if run.newton_solver == DENSE:
        failed = lu_factor(matrix, n, view(run.complex_pivots, slot * n, n), run.zgetrf)
    else:
        failed = sparse_factor(matrix, run.newton_plan)
    return STATUS.SINGULAR if failed else STATUS.OK


@compiled
def solve_real(run: ImplicitMemory, slot: int, right: Reals) -> None:
    """Replace the right-hand side by the solution."""
    run.nsolve += 1
    n, matrix = run.n_x, view(run.real_factors, slot * run.matrix_size, run.matrix_size)
    balance = view(run.real_balance, slot * n, n)
    for k in range(n):
        right[k] *= balance[k]
    if run.newton_solver == DENSE:
        lu_solve(matrix, n, view(run.real_pivots, slot * n, n), right, run.dgetrs)
    else:
        sparse_solve(matrix, run.newton_plan, right)


@compiled
def solve_complex(run: ImplicitMemory, slot: int, right: Complexes) -> None:
    """Replace the right-hand side by the solution, for a complex α."""
    run.nsolve += 1
    n, matrix = run.n_x, view(run.complex_factors, slot * run.matrix_size, run.matrix_size)
    balance = view(run.complex_balance, slot * n, n)
    for k in range(n):
        right[k] *= balance[k]
    if run.newton_solver == DENSE:
        lu_solve(matrix, n, view(run.complex_pivots, slot * n, n), right, run.zgetrs)
    else:
        sparse_solve(matrix, run.newton_plan, right)


@compiled
def times_E(run: ImplicitMemory, x: Reals, out: Reals) -> None:
    """out = diag(I, M, 0, 0, I) x, with the M that is kept."""
    n_q, n_v = run.n_q, run.n_v
    at_u = n_q + n_v + run.n_g + run.n_lam
    clear(out)
    copy(x, view(out, 0, n_q))
    copy(view(x, at_u, run.n_u), view(out, at_u, run.n_u))
    add_product(run.mass, run.mass_rows, run.mass_columns, view(x, n_q, n_v), view(out, n_q, n_v))


@compiled
def _product(run: ImplicitMemory, x: Reals, out: Reals, terms: Reals) -> None:
    """out = A(α) x with the α of the last real matrix, and the sizes of its terms."""
    n_q, at_u, alpha = run.n_q, run.n_x - run.n_u, run.alpha_real
    clear(out)
    clear(terms)
    for i in range(run.n_x):
        if i < n_q or i >= at_u:
            out[i] = alpha * x[i]
            terms[i] = abs(out[i])
    mass, rows, columns = run.mass, run.mass_rows, run.mass_columns
    for k in range(mass.size):
        i, value = n_q + rows[k], alpha * mass[k] * x[n_q + columns[k]]
        out[i] += value
        terms[i] += abs(value)
    K, rows, columns = run.K, run.K_rows, run.K_columns
    for k in range(K.size):
        value = K[k] * x[columns[k]]
        out[rows[k]] += value
        terms[rows[k]] += abs(value)


@compiled
def failed_iteration(run: ImplicitMemory, failure: int) -> int:
    """How an iteration has ended that nothing has helped: it may be that its linear equations were never solved.

    An order of pivots that is safe by structure takes entries for pivots that may be nothing but rounding.  Steps of
    any size fail then, or some of them, by chance; and so it passed for a force that is not smooth.
    """
    if failure != STATUS.NEWTON_FAILED or run.newton_solver == DENSE or not run.have_factors:
        return failure
    x, right, left, terms = run.x_point, run.x_right, run.x_left, run.x_terms
    for i in range(run.n_x):
        x[i] = 1.0
    _product(run, x, right, terms)
    copy(right, x)
    solve_real(run, 0, x)
    _product(run, x, left, terms)
    for i in range(run.n_x):
        if not abs(left[i] - right[i]) <= _WRONG * (terms[i] + abs(right[i])):
            return STATUS.UNSOLVED
    return failure
