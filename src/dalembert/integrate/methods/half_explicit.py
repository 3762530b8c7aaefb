"""Half-explicit Runge–Kutta methods for the index-2 form: velocities of each stage are on the constraints.

With V_1 = v_0, stages i = 1, 2, … are

    M(Q_i) V̇_i = f(Q_i, V_i, U_i, Λ_i) − G(Q_i)ᵀ Λ_i,   Q_{i+1} = q_0 + h Σ a_{i+1,j} T(Q_j) V_j,
    V_{i+1} = v_0 + h Σ a_{i+1,j} V̇_j,   0 = G(Q_{i+1}) V_{i+1} + gI(Q_{i+1})

(thesis (2.22), (2.23)): explicit in the differential equations, linear in V̇_i and Λ_i.  The matrix has G of two points,

    [ M(Q_i)     G(Q_i)ᵀ − F ]
    [ G(Q_{i+1})      0      ]

and is that of constrained motion at the second one, with the change of Gᵀ as a part of F.  No derivative of G v is
needed.  V. Brasey, E. Hairer, Half-explicit Runge–Kutta methods for differential-algebraic systems of index 2, SIAM J.
Numer. Anal. 30 (1993).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.contract.convention import CONTRACT, STAGE
from dalembert.equations.contract.equations import Equations, Sizes
from dalembert.equations.contract.provider import Provider
from dalembert.integrate.frame.contract_formalism import (
    FRICTION_ITERATIONS,
    SETTLED,
    call_contract,
    multiply_T,
    take_motion,
)
from dalembert.integrate.frame.control import error_norm, update_weights
from dalembert.integrate.frame.controllers import Controller, ProportionalIntegral
from dalembert.integrate.frame.cubic import set_cubic
from dalembert.integrate.frame.formalism import load
from dalembert.integrate.frame.memory import STATUS, Memory
from dalembert.integrate.frame.method_layout import MethodLayout
from dalembert.integrate.methods.half_explicit_tables import HEM5, HalfExplicitTable
from dalembert.integrate.methods.method import Method
from dalembert.linalg.plan import Entries, Structure
from dalembert.linalg.saddle import analyse_saddle, choose_mode, saddle_factor, saddle_solve, why_not
from dalembert.linalg.vector_operations import add_scaled, copy, subtract_product
from dalembert.native.kernel import Ints, Reals, compiled, kernel, view
from dalembert.native.slots import integer, integers, reals

#: Estimates of orders 3 and 2 together behave like one of order 4; the second counts so much (code HEM5).
_LOW_COUNTS = 0.01
#: Size of θ²(1 − θ)² in the middle of a step, inverted.
_MIDDLE = 16.0


class HalfExplicitMemory(Memory):
    """Stages, and the matrix with constraints of two points; the slot tableau is that of the table's ``flat``."""

    stages: int = integer("stages that make the step")
    stage_rates: Reals = reals("stages * n_y", "(q̇, v̇, u̇) of all stages")
    stage_y: Reals = reals("n_y", "the point of a stage")
    next_y: Reals = reals("n_y", "the point of the next one")
    first_G: Reals = reals("", "G at the point of a stage")
    mixed_F: Reals = reals("", "F there, and what Gᵀ changes by up to the next one")
    mixed_plan: Ints = integers("", "plan of the matrix with both")
    mixed_values: Reals = reals("", "its values and factors")


@compiled
def _combine(run: HalfExplicitMemory, i: int, first: int, size: int, count: int, out: Reals) -> None:
    """Components ``first`` … of stage i + 1, as the first ``count`` stages give them."""
    n, s, h = run.n_y, run.stages, run.h
    target, weights = view(out, first, size), view(run.tableau, i * s, s)
    copy(view(run.y0, first, size), target)
    for j in range(count):
        if weights[j] != 0.0:
            add_scaled(h * weights[j], view(run.stage_rates, j * n + first, size), target)


@compiled
def _evaluate_stage(run: HalfExplicitMemory, i: int, changed: int) -> int:
    """M, f and q̇ at the point of stage i, F where it is used, and G if that is not known yet."""
    request = CONTRACT.M | CONTRACT.f | (CONTRACT.F if run.friction else 0)
    if i == 0:
        request |= CONTRACT.G
    if not run.unit_T:
        request |= CONTRACT.T
    if call_contract(run, request, changed):
        return STATUS.RAISED
    run.nfev += 1
    qdot = view(run.stage_rates, i * run.n_y, run.n_q)
    if run.unit_T:
        copy(run.v, qdot)
    else:
        multiply_T(run, run.v, qdot)
    copy(run.G, run.first_G)
    return STATUS.OK


@compiled
def _factor(run: HalfExplicitMemory) -> int:
    """The matrix with M and G as they were evaluated last, F and G of the point before."""
    G, first_G, mixed = run.G, run.first_G, run.mixed_F
    at = mixed.size - G.size
    copy(run.F, view(mixed, 0, at))
    for k in range(G.size):
        mixed[at + k] = G[k] - first_G[k]
    run.nlu += 1
    failed = saddle_factor(run.mixed_values, run.mixed_plan, run.saddle, run.M, G, mixed)
    return STATUS.SINGULAR if failed else STATUS.OK


@compiled
def _solve(run: HalfExplicitMemory, i: int) -> int:
    """V̇_i and Λ_i, which bring V_{i+1} onto the constraints, into ``right``."""
    n_q, n_v, n_lam, right = run.n_q, run.n_v, run.n_lam, run.right
    status = _factor(run)
    if status:
        return status
    copy(run.f, view(right, 0, n_v))
    if run.friction:  # f(λ) is replaced by its tangent at the last λ
        subtract_product(run.F, run.F_rows, run.F_columns, run.lam, right)
    residual = view(right, n_v, n_lam)
    scale = -1.0 / (run.h * run.tableau[i * run.stages + i])
    for k in range(n_lam):
        residual[k] = scale * run.gI[k]
    G, rows, columns, v = run.G, run.G_rows, run.G_columns, view(run.next_y, n_q, n_v)
    for k in range(G.size):
        residual[rows[k]] += scale * (G[k] * v[columns[k]])
    run.nsolve += 1
    failed = saddle_solve(run.mixed_values, run.mixed_plan, run.saddle, run.M, G, run.mixed_F, right)
    return STATUS.SINGULAR if failed else STATUS.OK


@compiled
def _solve_stage(run: HalfExplicitMemory, i: int, t: float) -> int:
    """As :func:`_solve`, iterated where f depends on the multipliers: back at the point of the stage."""
    for iteration in range(FRICTION_ITERATIONS if run.friction else 1):
        if iteration:
            load(run, t, run.stage_y)
            if call_contract(run, CONTRACT.f | CONTRACT.F, STAGE.T):
                return STATUS.RAISED
        status = _solve(run, i)
        if status:
            return status
        change = take_motion(run)
        if not run.friction or change <= SETTLED:
            return STATUS.OK
        if not change < np.inf:
            return STATUS.NOT_FINITE
    return STATUS.NEWTON_FAILED


@compiled
def _states(run: HalfExplicitMemory, i: int, t: float) -> int:
    """u̇ of stage i, which may depend on its multipliers: back at its point."""
    load(run, t, run.stage_y)
    if call_contract(run, CONTRACT.d, STAGE.T):
        return STATUS.RAISED
    copy(run.d, view(run.stage_rates, i * run.n_y + run.n_q + run.n_v, run.n_u))
    return STATUS.OK


@compiled
def _stage(run: HalfExplicitMemory, i: int, changed: int) -> int:
    """Rates of stage i at the point in ``stage_y``, which has been loaded, and the point of the next one."""
    n, n_q, n_v, n_u, s = run.n_y, run.n_q, run.n_v, run.n_u, run.stages
    nodes = view(run.tableau, s * s, s + 1)
    t, t_next = run.t_now + nodes[i] * run.h, run.t_now + nodes[i + 1] * run.h
    status = _evaluate_stage(run, i, changed)
    if status:
        return status
    y = run.next_y
    _combine(run, i, 0, n_q, i + 1, y)
    _combine(run, i, n_q, n_v, i, y)
    load(run, t_next, y)
    if call_contract(run, CONTRACT.G | CONTRACT.gI, STAGE.T):
        return STATUS.RAISED
    status = _solve_stage(run, i, t)
    if status:
        return status
    copy(run.a, view(run.stage_rates, i * n + n_q, n_v))
    if n_u:
        status = _states(run, i, t)
        if status:
            return status
    _combine(run, i, n_q, n_v + n_u, i + 1, y)
    return STATUS.OK


@kernel
def attempt(run: HalfExplicitMemory) -> int:
    """One step of size h from y0: leaves y1 and error."""
    n, s, h = run.n_y, run.stages, run.h
    y0, y1, error, rates = run.y0, run.y1, run.error_vector, run.stage_rates
    # Without friction and external states the point of a stage is where G was evaluated, and only v is new.
    changed = STAGE.T if run.friction or run.n_u else STAGE.V
    copy(y0, run.stage_y)
    load(run, run.t_now, y0)
    for i in range(s):
        status = _stage(run, i, STAGE.P if i == 0 else changed)
        if status:
            return status
        if i < s - 1:
            copy(run.next_y, run.stage_y)
            load(run, run.t_now + run.tableau[s * s + i + 1] * h, run.stage_y)
    copy(run.next_y, y1)
    update_weights(run)
    for c in range(n):
        error[c] = y1[c] - run.stage_y[c]
    size = error_norm(run, error)
    weights = view(run.tableau, s * s + s + 1, s)
    for c in range(n):
        error[c] = y1[c] - y0[c]
    for j in range(s):
        if weights[j] != 0.0:
            add_scaled(-h * weights[j], view(rates, j * n, n), error)
    low = error_norm(run, error)
    if not low < np.inf:  # it stands in the denominator
        size = low
    elif size > 0.0:
        size = size * size / (size + _LOW_COUNTS * low)
    run.error = size
    return STATUS.OK


@kernel
def interpolate(run: HalfExplicitMemory) -> int:
    """A polynomial of degree 4: both ends with their rates, and the middle of the step from the stages."""
    n, s, h = run.n_y, run.stages, run.h
    set_cubic(run)
    middle, at = view(run.coef, 4 * n, n), s * s + s + 1 + s
    weights = view(run.tableau, at, s)
    # The middle beside that of the cubic, y0 + (y1 − y0)/2 + h (ẏ0 − ẏ1)/8.
    first, last = run.tableau[at + s] - 0.125, run.tableau[at + s + 1] + 0.125
    y0, y1, rate0, rate1 = run.y0, run.y1, run.rate0, run.rate1
    for c in range(n):
        middle[c] = h * (first * rate0[c] + last * rate1[c]) - 0.5 * (y1[c] - y0[c])
    for j in range(s):
        if weights[j] != 0.0:
            add_scaled(h * weights[j], view(run.stage_rates, j * n, n), middle)
    for c in range(n):
        middle[c] *= _MIDDLE
    return STATUS.OK


@dataclass(frozen=True, kw_only=True)
class HalfExplicit(Method):
    """HEM5: a half-explicit Runge–Kutta method of order 5 with 8 stages; dense output of order 4; for systems with
    constraints that are not stiff.

    Brasey, Hairer, Half-explicit Runge–Kutta methods for differential-algebraic systems of index 2.
    """

    coefficients_table: ClassVar[HalfExplicitTable] = HEM5
    name = "hem5"
    title = "HEM5: half-explicit Runge–Kutta, order 5, projected"
    memory = HalfExplicitMemory
    attempt = attempt
    interpolate = interpolate
    programs = ("contract",)
    formalism = "contract"
    form = "velocities of all stages on the constraints (index 2), projected"
    #: The first three stages have no weight in the step and in its estimates; the next node is 0.085.
    unseen = (0.1, 0.0)
    order = 5
    error_order = 4
    dense_order = 4
    coefficients = 5

    @property
    def own_controller(self) -> Controller:
        """With limits of the code HEM5."""
        return ProportionalIntegral(beta=0.04, safety=0.9, shrink=0.2, grow=10.0)

    def lay_out(self, equations: Equations, providers: Mapping[str, Provider], solver: str) -> MethodLayout:
        """With a plan for the matrix of two points, which is not symmetric: by the solver that was asked for, if that
        serves such matrices."""
        s, patterns = equations.sizes, providers["contract"].patterns
        M, G, F = (patterns[key] for key in ("M", "G", "F"))
        rows, columns = np.concatenate([F.rows, G.columns]), np.concatenate([F.columns, G.rows])
        structure = Structure(s.v, s.lam, M, G, Entries(rows, columns), equations.auxiliary_chains)
        served = solver != "auto" and not why_not(solver, structure)
        plan = analyse_saddle(choose_mode(solver if served else "auto", structure, equations.name), *structure)
        sizes = {"mixed_values": plan.value_size, "mixed_F": len(rows), "first_G": len(G.rows)}
        return MethodLayout(sizes=sizes, plans={"mixed_plan": plan})

    def values(self, sizes: Sizes) -> Mapping[str, int]:
        """Stages."""
        return {"stages": self.coefficients_table.stages}

    def table(self) -> NDArray[np.float64]:
        """The table as the kernels read it."""
        return self.coefficients_table.flat()
