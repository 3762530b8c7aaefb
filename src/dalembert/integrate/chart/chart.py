"""A chart of the constraint manifold at the start of a step (thesis 3.1; Appendix B).

The dependent velocities are chosen once, by elimination of G with full pivoting (3.1)–(3.4), and kept until the
condition of their block has grown too much; whatever is chosen, no method notices, as all of them begin their steps
from q and v.  N = −Gu⁻¹Gv over the independent velocities makes z entries of q; the same N made orthogonal is a basis
of the tangent plane, and z are coordinates in that.  Where velocities are not rates of coordinates, z = P (q − q_b)
with P from T at the base point, so that Euler parameters are no special case.
"""

from __future__ import annotations

import numpy as np

from dalembert.equations.contract.convention import CONTRACT, STAGE
from dalembert.integrate.chart.chart_memory import ChartMemory
from dalembert.integrate.chart.listed_rows import add_listed, list_factors, list_rows, solve_listed
from dalembert.integrate.frame.contract_formalism import call_contract
from dalembert.integrate.frame.formalism import load
from dalembert.integrate.frame.memory import STATUS
from dalembert.linalg.factors.dense_lu import (
    inverse_norm,
    lu_factor_rows,
    lu_solve_many,
    lu_solve_transposed,
)
from dalembert.linalg.vector_operations import clear, copy
from dalembert.native.kernel import Ints, Reals, compiled, reassociated, view

#: Less than this left of a pivot, with rows and columns of the same size, and constraints are dependent.
_DEPENDENT = 1e-11
#: A new partition is taken where it makes the condition better by this factor.
_BETTER = 1.25
#: P T N differs from 1 by less than this where T makes it so.
_ONE = 1e-12


@compiled
def is_flat(run: ChartMemory) -> bool:
    """Whether z and ż are q − q_b and v: nothing is bound, and velocities are rates of coordinates. What follows from
    this for rodas5p on a pendulum with two angles: a run takes three fifths of the time."""
    return run.n_lam == 0 and run.unit_T != 0 and run.normalizes == 0 and run.tangent == 0


# ------------------------------------------------------------------------------------------------------------ partition


@compiled
def _fill_rows(run: ChartMemory, values: Reals, rows: Ints, columns: Ints) -> None:
    """G or C, full."""
    n_v, full = run.n_v, run.dense_rows
    clear(full)
    for k in range(values.size):
        full[rows[k] * n_v + columns[k]] += values[k]


@compiled
def _choose(run: ChartMemory) -> int:
    """Dependent velocities by elimination with full pivoting, seen from the sizes of velocities and of rows.

    Those of auxiliary variables come first, as long as one of them is a pivot: their accelerations have derivatives in
    them that jump, those of splines at knots (a locomotive at 1e-6: rodas5p made 87 steps and 98 in vain, 14 and 2
    so).
    """
    m, n, full, judged = run.n_lam, run.n_v, run.dense_rows, view(run.judged, run.n_q, run.n_v)
    scale, chosen, taken = view(run.scale, run.n_q, n), run.dependent, run.motion
    clear(taken)
    for i in range(m):
        row = view(full, i * n, n)
        largest = 0.0
        for j in range(n):
            row[j] *= scale[j]
            largest = max(largest, abs(row[j]))
        if not 0.0 < largest < np.inf:
            return STATUS.SINGULAR
        for j in range(n):
            row[j] /= largest
    followers = True
    for k in range(m):
        best_row, best, largest = k, -1, 0.0
        for _ in range(2):  # with followers alone, then with all
            for i in range(k, m):
                row = view(full, i * n, n)
                for j in range(n):
                    if taken[j] == 0.0 and abs(row[j]) > largest and not (followers and judged[j] != 0.0):
                        best_row, best, largest = i, j, abs(row[j])
            if largest > _DEPENDENT:
                break
            if not followers:
                return STATUS.SINGULAR
            followers, largest = False, 0.0
        upper, lower = view(full, k * n, n), view(full, best_row * n, n)
        if best_row != k:
            for j in range(n):
                upper[j], lower[j] = lower[j], upper[j]
        chosen[k] = best
        taken[best] = 1.0
        for i in range(k + 1, m):
            row = view(full, i * n, n)
            factor = row[best] / upper[best]
            if factor != 0.0:
                for j in range(n):
                    row[j] -= factor * upper[j]
    run.have_partition = 1
    _set_independent(run)
    return STATUS.OK


@compiled
def _mark(run: ChartMemory, dependent: Ints, marks: Reals) -> None:
    """1 at dependent velocities, 0 at others."""
    clear(marks)
    for k in range(run.n_lam):
        marks[dependent[k]] = 1.0


@compiled
def _set_independent(run: ChartMemory) -> None:
    """The velocities that are not dependent."""
    taken, at = run.motion, 0
    _mark(run, run.dependent, taken)
    for j in range(run.n_v):
        if taken[j] == 0.0:
            run.independent[at] = j
            at += 1


@compiled
def _differs(run: ChartMemory) -> bool:
    """Whether other velocities are dependent than before."""
    taken, before = run.motion, run.taken_before
    _mark(run, run.dependent, taken)
    _mark(run, run.dependent_before, before)
    for j in range(run.n_v):
        if taken[j] != before[j]:
            return True
    return False


@compiled
def _factor_block(run: ChartMemory, block: Reals, pivots: Ints) -> int:
    """Dependent columns of the rows in ``dense_rows``, factorised."""
    m, n, full, dependent = run.n_lam, run.n_v, run.dense_rows, run.dependent
    scale, rows, columns = view(run.scale, run.n_q, n), run.row_scale, run.column_scale
    for i in range(m):
        rows[i] = 0.0
        for j in range(n):
            rows[i] = max(rows[i], abs(full[i * n + j]) * scale[j])
        columns[i] = scale[dependent[i]]
        for k in range(m):
            block[i * m + k] = full[i * n + dependent[k]]
    # Of all columns, not of the block alone: that of a single constraint would always be 1. Seen from the sizes of
    # velocities and rows.
    size = 0.0
    for j in range(n):
        total = 0.0
        for i in range(m):
            total += abs(full[i * n + j]) * scale[j] / rows[i]
        size = max(size, total)
    run.nlu += 1
    if lu_factor_rows(block, m, pivots):
        return STATUS.SINGULAR
    run.chart_condition = size * inverse_norm(block, m, pivots, rows, columns, run.across, run.signs_across)
    return STATUS.OK


# ---------------------------------------------------------------------------------------------------------------- basis


@compiled
def _set_basis(run: ChartMemory) -> None:
    """N over the independent velocities: 1 there, −Gu⁻¹Gv in the dependent ones."""
    m, n, f, full, basis = run.n_lam, run.n_v, run.n_f, run.dense_rows, run.basis
    dependent, independent, right = run.dependent, run.independent, view(run.block_right, 0, m * f)
    for i in range(m):
        for j in range(f):
            right[i * f + j] = -full[i * n + independent[j]]
    lu_solve_many(run.block, m, run.block_pivots, right, f)
    clear(basis)
    for k in range(m):
        copy(view(right, k * f, f), view(basis, dependent[k] * f, f))
    for j in range(f):
        basis[independent[j] * f + j] = 1.0


@compiled
def _make_orthogonal(run: ChartMemory) -> None:
    """N of the tangent plane: the columns one after the other made orthogonal to those before (Gram and Schmidt,
    twice), where velocities count from their sizes."""
    n, f, basis, turned = run.n_v, run.n_f, run.basis, run.basis_turned
    scale = view(run.scale, run.n_q, n)
    for i in range(n):
        for j in range(f):
            turned[j * n + i] = basis[i * f + j] / scale[i]
    for j in range(f):
        column = view(turned, j * n, n)
        for _ in range(2):
            for k in range(j):
                other = view(turned, k * n, n)
                product = 0.0
                for i in range(n):
                    product += column[i] * other[i]
                for i in range(n):
                    column[i] -= product * other[i]
        square = 0.0
        for i in range(n):
            square += column[i] * column[i]
        inverse = 1.0 / np.sqrt(square)
        for i in range(n):
            column[i] *= inverse
    for i in range(n):
        for j in range(f):
            basis[i * f + j] = turned[j * n + i] * scale[i]


@compiled
def _set_P(run: ChartMemory) -> None:
    """P: how z see the coordinates. Rows of 1 at independent entries, or Nᵀ; by T where velocities are no rates.

    Auxiliary variables, such as places on profiles, are not seen: their accelerations have derivatives in them that
    jump, those of splines at knots (a locomotive at 1e-6: rodas5p made 107 steps and 147 in vain, 15 and 1 so).
    """
    n_q, n_v, f, P, judged = run.n_q, run.n_v, run.n_f, run.chart_P, view(run.judged, run.n_q, run.n_v)
    clear(P)
    if run.unit_T and not run.tangent:
        for j in range(f):
            P[j * n_q + run.independent[j]] = 1.0
        return
    scale, turned = view(run.scale, n_q, n_v), run.basis_turned
    if run.unit_T:
        for j in range(f):
            for i in range(n_v):
                P[j * n_q + i] = judged[i] * turned[j * n_v + i] / scale[i]
        return
    T, rows, columns, length, shown = run.T, run.T_rows, run.T_columns, run.motion, run.T_seen
    clear(length)
    for k in range(T.size):
        if shown[k]:
            length[columns[k]] += T[k] * T[k]
    for k in range(T.size):
        if not shown[k]:
            continue
        i, c = rows[k], columns[k]
        if run.tangent:
            for j in range(f):
                P[j * n_q + i] += judged[c] * turned[j * n_v + c] / scale[c] * T[k] / length[c]
        else:
            for j in range(f):
                if run.independent[j] == c:
                    P[j * n_q + i] += T[k] / length[c]


@compiled
def _see_velocities(run: ChartMemory) -> None:
    """V = P T."""
    n_q, n_v, P, V = run.n_q, run.n_v, run.chart_P, run.chart_V
    if run.unit_T:
        copy(P, V)
        return
    clear(V)
    T, rows, columns = run.T, run.T_rows, run.T_columns
    for k in range(T.size):
        for j in range(run.n_f):
            V[j * n_v + columns[k]] += P[j * n_q + rows[k]] * T[k]


@compiled
def _normalise(run: ChartMemory) -> int:
    """V = P T, and N made such that V N = 1; listed."""
    status = _make_unit(run)
    list_rows(run.basis, run.n_f, run.basis_first, run.basis_columns, run.basis_values)
    return status


@compiled
def _make_unit(run: ChartMemory) -> int:
    """V = P T, and N made such that V N = 1."""
    n_v, f, V, basis = run.n_v, run.n_f, run.chart_V, run.basis
    run.oblique = run.tangent
    _see_velocities(run)
    if run.unit_T and not run.tangent:
        return STATUS.OK
    square, off = run.square, 0.0
    for j in range(f):
        for k in range(run.n_lam):
            if abs(V[j * n_v + run.dependent[k]]) > _ONE:
                run.oblique = 1
        row = view(square, j * f, f)
        clear(row)
        for i in range(n_v):
            value = V[j * n_v + i]
            if value != 0.0:
                for k in range(f):
                    row[k] += value * basis[i * f + k]
        for k in range(f):
            off = max(off, abs(row[k] - (1.0 if j == k else 0.0)))
    if not off > _ONE:
        return STATUS.OK
    run.oblique = 1
    if lu_factor_rows(square, f, run.square_pivots):
        return STATUS.SINGULAR
    for i in range(n_v):
        lu_solve_transposed(square, f, run.square_pivots, view(basis, i * f, f))
    return STATUS.OK


@compiled
def _look(run: ChartMemory, changed: int) -> int:
    """G, C and T at the point."""
    request = CONTRACT.G | CONTRACT.gI | (0 if run.unit_T else CONTRACT.T) | (0 if run.C_is_G else CONTRACT.C)
    return STATUS.RAISED if call_contract(run, request, changed) else STATUS.OK


@compiled
def make_chart(run: ChartMemory) -> int:
    """A chart at the start of the step, with the partition there is if that is still good."""
    load(run, run.t_now, run.y0)
    return chart_here(run, STAGE.P)  # programs are told that parameters may be new; a restart forgets the chart


@compiled
def chart_here(run: ChartMemory, changed: int) -> int:
    """A chart whose base is the point of evaluation; inputs from ``changed`` on are new."""
    run.charts += 1
    status = _look(run, changed)
    if status:
        return status
    if not (run.have_partition and is_flat(run)):  # which is the same everywhere
        status = _lay_out(run)
        if status:
            return status
    copy(run.q, run.chart_q)
    if not run.unit_T:
        copy(run.T, run.chart_T)
    run.turned = 0
    run.recovery_rate, run.recovery_rate_v = 0.5, 0.5
    return STATUS.OK


@compiled
def _lay_out(run: ChartMemory) -> int:
    """Partition, N and P."""
    if run.n_lam:
        status = _partitioned(run)
        if status:
            return status
    elif not run.have_partition:
        for j in range(run.n_f):
            run.independent[j] = j
        run.have_partition = 1
    _set_basis(run)
    if run.tangent:
        _make_orthogonal(run)
    _set_P(run)
    list_rows(run.chart_P, run.n_q, run.P_first, run.P_columns, run.P_values)
    _set_counted(run)
    return _normalise(run)


@compiled
def turn_chart(run: ChartMemory) -> int:
    """N and the dependent blocks at the point of evaluation instead of the base point; P, and with it z, stay."""
    status = _look(run, STAGE.T)
    if status:
        return status
    run.turned = 1  # whatever becomes of it, the blocks are no longer those of the base point
    if run.n_lam and _factor_blocks(run):
        return STATUS.SINGULAR
    _set_basis(run)
    if not run.unit_T:
        copy(run.T, run.chart_T)
    return _normalise(run)


@compiled
def _factor_blocks(run: ChartMemory) -> int:
    """The dependent blocks of G and, where that is another matrix, C; leaves G full."""
    failed = STATUS.OK
    if not run.C_is_G:  # the same velocities, as both say the same of motions
        _fill_rows(run, run.C, run.C_rows, run.C_columns)
        failed = _factor_block(run, run.block_C, run.block_C_pivots)
        list_factors(run.block_C, run.n_lam, run.block_C_first, run.block_C_columns, run.block_C_values)
    _fill_rows(run, run.G, run.G_rows, run.G_columns)
    if failed == STATUS.OK:
        failed = _factor_block(run, run.block, run.block_pivots)
        list_factors(run.block, run.n_lam, run.block_first, run.block_columns, run.block_values)
    return failed


@compiled
def _partitioned(run: ChartMemory) -> int:
    """Factorise the dependent blocks, of a new partition where the condition asks for one and is better then; leaves G
    full."""
    had = run.have_partition
    if had and _factor_blocks(run) == STATUS.OK:
        if run.chart_condition <= run.partition_limit * run.first_condition:
            return STATUS.OK
        before = run.chart_condition
    else:
        before = np.inf
    for k in range(run.n_lam):
        run.dependent_before[k] = run.dependent[k]
    _fill_rows(run, run.G, run.G_rows, run.G_columns)
    status = _choose(run)
    if status:
        run.have_partition = 0
        return status
    if _factor_blocks(run) != STATUS.OK:
        run.have_partition = 0
        return STATUS.SINGULAR
    if run.chart_condition * _BETTER > before and _differs(run):
        for k in range(run.n_lam):
            run.dependent[k] = run.dependent_before[k]
        _set_independent(run)
        if _factor_blocks(run) != STATUS.OK:
            return STATUS.SINGULAR
    elif had and _differs(run):
        run.repartitions += 1
    run.first_condition = run.chart_condition
    return STATUS.OK


@compiled
def _set_counted(run: ChartMemory) -> None:
    """Which entries of an error count."""
    counted = run.counted
    everything = run.tangent or not run.only_independent
    for k in range(counted.size):
        counted[k] = run.judged[k] if everything else 0.0
    if everything:
        return
    n_q, n_v, independent = run.n_q, run.n_v, run.independent
    for j in range(run.n_f):
        counted[n_q + independent[j]] = 1.0
        if run.unit_T:
            counted[independent[j]] = 1.0
    if not run.unit_T:
        for k in range(run.T_rows.size):
            if counted[n_q + run.T_columns[k]] == 1.0:
                counted[run.T_rows[k]] = 1.0
    for k in range(n_q + n_v, counted.size):
        counted[k] = 1.0


# --------------------------------------------------------------------------------------------------- motions in a chart


@compiled
def along(run: ChartMemory, f: Reals, out: Reals) -> None:
    """out = out + N f."""
    add_listed(run.basis_first, run.basis_columns, run.basis_values, f, out)


@compiled
def across(run: ChartMemory, residual: Reals, of_positions: bool, out: Reals) -> None:
    """out = A residual, where A belongs to the rows C of positions or to G; the residual is lost."""
    m, dependent = run.n_lam, run.dependent
    clear(out)
    if of_positions and not run.C_is_G:
        solve_listed(
            run.block_C, m, run.block_C_pivots, run.block_C_first, run.block_C_columns, run.block_C_values, residual
        )
    else:
        solve_listed(run.block, m, run.block_pivots, run.block_first, run.block_columns, run.block_values, residual)
    for k in range(m):
        out[dependent[k]] = residual[k]
    if run.oblique and m:
        seen(run.chart_V, out, run.along_f)
        for j in range(run.n_f):
            run.along_f[j] = -run.along_f[j]
        along(run, run.along_f, out)


@compiled
def positions_seen(run: ChartMemory, q: Reals, out: Reals) -> None:
    """out = P q."""
    clear(out)
    add_listed(run.P_first, run.P_columns, run.P_values, q, out)


@reassociated
def seen(matrix: Reals, x: Reals, out: Reals) -> None:
    """out = matrix x, row by row."""
    n = x.size
    for j in range(out.size):
        row = view(matrix, j * n, n)
        total = 0.0
        for i in range(n):
            total += row[i] * x[i]
        out[j] = total


@compiled
def in_coordinates(run: ChartMemory, x: Reals, y: Reals) -> None:
    """y = change of (q, v, u) at the base point that belongs to a change x of (z, ż, u)."""
    n_q, n_v, f = run.n_q, run.n_v, run.n_f
    if is_flat(run):
        copy(x, y)
        return
    motion, q, v = run.motion, view(y, 0, n_q), view(y, n_q, n_v)
    clear(motion)
    along(run, view(x, 0, f), motion)
    if run.unit_T:
        copy(motion, q)
    else:
        clear(q)
        for k in range(run.chart_T.size):
            q[run.T_rows[k]] += run.chart_T[k] * motion[run.T_columns[k]]
    seen(run.turning, view(x, 0, f), v)
    along(run, view(x, f, f), v)
    copy(view(x, 2 * f, run.n_u), view(y, n_q + n_v, run.n_u))


@compiled
def chart_norm(run: ChartMemory, x: Reals) -> float:
    """Root mean square of the change of (q, v, u) that belongs to x, in units of the tolerance."""
    in_coordinates(run, x, run.y_change)
    weight, y, counted = run.weight, run.y_change, run.counted
    total, count = 0.0, 0.0
    for i in range(y.size):
        scaled = y[i] * weight[i]
        total += counted[i] * scaled * scaled
        count += counted[i]
    return np.sqrt(total / max(1.0, count))
