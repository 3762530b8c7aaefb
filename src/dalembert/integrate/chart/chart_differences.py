"""Rows that derivatives in a chart are made of, by quantities of the contract, and their differences.

Equations whose functions are called back in Python have no derivatives; rows they have:

    M a − f + Gᵀλ,   g,   G v + gI,   G a − γ,   d,   T v,   T a + Ṫ v

in the order of the program "reduced", the last two where T is not the identity.  Columns q, v, u and t that have no row
in common are moved together (:mod:`~dalembert.integrate.implicit.differences`).
"""

from __future__ import annotations

from dalembert.equations.contract.convention import CONTRACT, REDUCED, STAGE
from dalembert.integrate.chart.chart_memory import ChartMemory
from dalembert.integrate.chart.recovery import call_reduced, coordinate_accelerations
from dalembert.integrate.frame.contract_formalism import call_contract, multiply_T
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.implicit.differences import take_differences
from dalembert.integrate.implicit.jacobian import KIND
from dalembert.linalg.vector_operations import add_product, copy
from dalembert.native.kernel import Reals, compiled, kernel, view


@compiled
def _set_motion_rows(run: ChartMemory, residual: Reals, ga: Reals) -> None:
    """M a − f + Gᵀλ and G a − γ of quantities that were evaluated at the point."""
    M, rows, columns = run.M, run.M_rows, run.M_columns
    for i in range(run.n_v):
        residual[i] = -run.f[i]
    add_product(M, rows, columns, run.a, residual)
    add_product(run.G, run.G_columns, run.G_rows, run.lam, residual)
    for i in range(run.n_lam):
        ga[i] = -run.gamma[i]
    add_product(run.G, run.G_rows, run.G_columns, run.a, ga)


@compiled
def motion_rows(run: ChartMemory) -> int:
    """M a − f + Gᵀλ and G a − γ at a point that is new, in the slots residual and ga."""
    if run.has_reduced:
        return STATUS.RAISED if call_reduced(run, REDUCED.residual | REDUCED.ga, STAGE.T) else STATUS.OK
    if call_contract(run, CONTRACT.M | CONTRACT.f | CONTRACT.G | CONTRACT.gamma, STAGE.T):
        return STATUS.RAISED
    run.factored = 0
    _set_motion_rows(run, run.residual, run.ga)
    return STATUS.OK


@kernel
def chart_rows(run: ChartMemory) -> int:
    """All rows at a point that is new."""
    n_q, n_v, n_g, n_lam, n_u, out = run.n_q, run.n_v, run.n_g, run.n_lam, run.n_u, run.rows_after
    request = CONTRACT.M | CONTRACT.f | CONTRACT.G | CONTRACT.gI | CONTRACT.g | CONTRACT.gamma
    request |= (CONTRACT.d if n_u else 0) | (0 if run.unit_T else CONTRACT.T)
    if call_contract(run, request, STAGE.T):
        return STATUS.RAISED
    run.factored = 0
    _set_motion_rows(run, view(out, 0, n_v), view(out, run.at_ga, n_lam))
    copy(run.g, view(out, n_v, n_g))
    gv = view(out, run.at_gv, n_lam)
    copy(run.gI, gv)
    add_product(run.G, run.G_rows, run.G_columns, run.v, gv)
    copy(view(run.d, 0, n_u), view(out, run.at_d, n_u))
    if run.unit_T:
        return STATUS.OK
    multiply_T(run, run.v, view(out, run.at_qdot, n_q))
    status = coordinate_accelerations(run, STAGE.T)  # evaluates T elsewhere
    copy(run.qddot if run.has_reduced else run.second_rate, view(out, run.at_qddot, n_q))
    return status


@compiled
def difference_rows(run: ChartMemory) -> int:
    """Derivatives of all rows at the point, or those that an estimate of their pattern has left."""
    status = STATUS.OK
    if run.adopts:
        run.adopts = 0
    else:
        if run.jacobian_kind == KIND.FULL:
            run.jacobian_full += 1
        else:
            run.jacobian_grouped += 1
        run.changed = STAGE.T
        status = take_differences(run)
    copy(run.jacobian, run.derivatives)
    return status
