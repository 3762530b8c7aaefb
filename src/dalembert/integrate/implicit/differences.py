"""Forward differences of rows of the equations by their columns, for all implicit methods.

Columns that have no row in common are moved together (:mod:`~dalembert.linalg.grouping`), after Arnold, Fuchs, Führer,
*Efficient corrector iteration for DAE time integration in multibody dynamics* (corrector).  What the rows are, a kernel
of the method knows: those of the stabilised index-2 form (:mod:`~dalembert.integrate.implicit.jacobian`), or those that
derivatives in a chart are made of (:mod:`~dalembert.integrate.chart.chart_differences`).
"""

from __future__ import annotations

from dalembert.equations.contract.convention import CONTRACT, STAGE
from dalembert.integrate.frame.contract_formalism import call_contract
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.implicit.differences_memory import DifferencesMemory
from dalembert.linalg.vector_operations import copy
from dalembert.native.kernel import Reals, call_kernel, compiled, kernel, reals_at, view

_ROOT_EPS = 1.4901161193847656e-08
#: No column is in this group; known ones are in none either, −1.
_NO_GROUP = -2


@compiled
def gather_columns(run: DifferencesMemory, x: Reals) -> None:
    """The columns q, v, a, λ, μ, u, and t if it is one, at the point of evaluation."""
    n_q, n_v, n_lam, n_g, n_u = run.n_q, run.n_v, run.n_lam, run.n_g, run.n_u
    at_u = n_q + 2 * n_v + n_lam + n_g
    copy(run.q, view(x, 0, n_q))
    copy(run.v, view(x, n_q, n_v))
    copy(run.a, view(x, n_q + n_v, n_v))
    copy(run.lam, view(x, n_q + 2 * n_v, n_lam))
    copy(run.mu, view(x, n_q + 2 * n_v + n_lam, n_g))
    copy(run.u, view(x, at_u, n_u))
    if x.size > at_u + n_u:
        x[at_u + n_u] = run.t[0]


@compiled
def _move_part(run: DifferencesMemory, group: int, at: int, target: Reals) -> None:
    x, increment, groups = run.column_value, run.column_increment, run.column_group
    for k in range(target.size):
        target[k] = x[at + k] + (increment[at + k] if groups[at + k] == group else 0.0)


@compiled
def _move(run: DifferencesMemory, group: int) -> None:
    """Move the columns of a group by their increments, all others back."""
    n_q, n_v, n_lam, n_g, n_u = run.n_q, run.n_v, run.n_lam, run.n_g, run.n_u
    at_u = n_q + 2 * n_v + n_lam + n_g
    _move_part(run, group, 0, run.q)
    _move_part(run, group, n_q, run.v)
    _move_part(run, group, n_q + n_v, run.a)
    _move_part(run, group, n_q + 2 * n_v, run.lam)
    _move_part(run, group, n_q + 2 * n_v + n_lam, run.mu)
    _move_part(run, group, at_u, run.u)
    if run.n_columns > at_u + n_u:
        _move_part(run, group, at_u + n_u, view(run.t, 0, 1))


@compiled
def set_column(run: DifferencesMemory, k: int, value: float) -> None:
    """Move one column, all others stay."""
    n_q, n_v, n_lam, n_g, n_u = run.n_q, run.n_v, run.n_lam, run.n_g, run.n_u
    at_u = n_q + 2 * n_v + n_lam + n_g
    if k < n_q:
        run.q[k] = value
    elif k < n_q + n_v:
        run.v[k - n_q] = value
    elif k < n_q + 2 * n_v:
        run.a[k - n_q - n_v] = value
    elif k < n_q + 2 * n_v + n_lam:
        run.lam[k - n_q - 2 * n_v] = value
    elif k < at_u:
        run.mu[k - n_q - 2 * n_v - n_lam] = value
    elif k < at_u + n_u:
        run.u[k - at_u] = value
    else:
        run.t[0] = value


@compiled
def set_increments(run: DifferencesMemory) -> None:
    """By how much each column is moved: √ε of its size, which below atol/rtol, but at most the size that the mechanism
    gives to it, counts as that.

    Rows are linear in a and μ: these move by their whole size, which leaves no error but rounding.
    """
    x, increment, atol, rtol, scale = run.column_value, run.column_increment, run.atol, run.rtol, run.scale
    reaction = 0.0
    for k in range(run.n_lam):
        reaction = max(reaction, abs(run.lam[k]))
    if reaction == 0.0:
        reaction = 1.0
    n_q, n_v = run.n_q, run.n_v
    at_u = n_q + 2 * n_v + run.n_lam + run.n_g
    at_t = at_u + run.n_u
    part = _ROOT_EPS * (1.0 + run.coarser)
    for k in range(x.size):
        if k < n_q + n_v:
            size = max(abs(x[k]) + min(atol[k] / rtol, scale[k]), abs(run.h * run.rate0[k])) * part
        elif k >= at_t:
            size = run.direction * max(abs(x[k]), run.time_scale) * part
        elif k >= at_u:
            i = n_q + n_v + k - at_u
            size = max(abs(x[k]) + min(atol[i] / rtol, scale[i]), abs(run.h * run.rate0[i])) * part
        elif k < n_q + 2 * n_v or k >= n_q + 2 * n_v + run.n_lam:
            size = max(1.0, abs(x[k]))
        else:
            size = max(reaction, abs(x[k])) * part
        increment[k] = (x[k] + size) - x[k]  # what is really added


@compiled
def _rows(run: DifferencesMemory) -> int:
    """All rows at a point that is new, one after the other, in rows_after."""
    run.nfev_jacobian += 1
    run.changed = STAGE.T
    return call_kernel(run.rows_kernel, run)


@compiled
def _begin_differences(run: DifferencesMemory) -> int:
    """The point, increments, and the rows there, which are known where a residual was the last thing evaluated."""
    gather_columns(run, run.column_value)
    set_increments(run)
    status = call_kernel(run.rows_kernel, run) if run.changed > STAGE.T else _rows(run)
    copy(run.rows_after, run.rows_before)
    return status


@compiled
def _end_differences(run: DifferencesMemory) -> None:
    """Back to the point; the program has seen others."""
    _move(run, _NO_GROUP)
    run.changed = STAGE.T


@compiled
def fill_known(run: DifferencesMemory) -> int:
    """Derivatives by a, and by μ, are M and −T Cᵀ of the contract: no differences are needed for them."""
    T, C, drift, in_T, in_C = run.T, run.C, run.known_drift, run.known_T, run.known_C
    if call_contract(run, CONTRACT.M | (CONTRACT.T | CONTRACT.C if drift.size else 0), STAGE.P):
        return STATUS.RAISED
    run.factored = 0
    out, M, place = run.jacobian, run.M, run.known_mass
    for k in range(place.size):
        out[place[k]] = M[k]
    for k in range(drift.size):
        out[drift[k]] = 0.0
    for k in range(drift.size):
        out[drift[k]] -= T[in_T[k]] * C[in_C[k]]
    return STATUS.OK


@compiled
def take_differences(run: DifferencesMemory) -> int:
    """Derivatives of the rows at the point of evaluation, in the slot jacobian (corrector (16), (17), (20))."""
    before, after = run.rows_before, run.rows_after
    status = _begin_differences(run)
    if status:
        return status
    entries, start, rows, columns = run.entry_group, run.group_start, run.entry_row, run.entry_column
    increment, out = run.column_increment, run.jacobian
    for group in range(run.n_groups):
        _move(run, group)
        status = _rows(run)
        if status:
            return status
        for at in range(start[group], start[group + 1]):
            k = entries[at]
            out[k] = (after[rows[k]] - before[rows[k]]) / increment[columns[k]]
    _end_differences(run)
    return fill_known(run) if run.knows_columns else STATUS.OK


@kernel
def all_differences(run: DifferencesMemory) -> int:
    """What all rows change by where each column that is not known is moved by its increment, column by column, in the
    workspace of the run; an estimate of the pattern (corrector, 3.1)."""
    status = _begin_differences(run)
    if status:
        return status
    n, x, before, after, increment = (
        run.n_equations,
        run.column_value,
        run.rows_before,
        run.rows_after,
        run.column_increment,
    )
    found = reals_at(run.all_differences_work, n * run.n_columns)
    for k in range(run.n_columns):
        if run.column_group[k] < 0:
            continue
        set_column(run, k, x[k] + increment[k])
        status = _rows(run)
        if status:
            return status
        set_column(run, k, x[k])
        for i in range(n):
            found[k * n + i] = after[i] - before[i]
    _end_differences(run)
    return STATUS.OK
