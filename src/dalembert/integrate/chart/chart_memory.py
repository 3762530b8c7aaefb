"""Memory of state-space methods: a chart of the constraint manifold, and derivatives of the equations of motion in it.

Thesis (Negrut 1998), 3.1, Appendix B.  A chart has a base point, where it is made; in it

    z = P (q − q_b),   ż = P T v,   z̈ = P (T a + Ṫ v)

are the independent coordinates, of the number n_f of degrees of freedom.  N is the basis of motions along the
constraints with P T N = 1, and A any right inverse of G with P T A = 0, both at the base point.
"""

from __future__ import annotations

from typing import ClassVar

from dalembert.equations.contract.convention import DIRECTIONAL, INPUTS, REDUCED
from dalembert.integrate.implicit.differences_memory import DifferencesMemory
from dalembert.native.kernel import Ints, Reals
from dalembert.native.slots import COUNT, FLAG, address, addresses, integer, integers, real, reals
from dalembert.native.threads import ROUTINE

#: Bounds of places among velocities, and of pivots of the dependent block and of the matrix of the iteration.
_FREE = ("0", "max(n_f - 1, 0)")
_SQUARE = ("0", "n_lam * n_lam")
_VELOCITY, _BLOCK, _STATE = ("0", "max(n_v - 1, 0)"), ("0", "max(n_lam - 1, 0)"), ("0", "max(n_f + n_u - 1, 0)")


class ChartMemory(DifferencesMemory):
    """What every run of a state-space method has. Its state is x = (z, ż, u)."""

    counters: ClassVar[tuple[str, ...]] = (
        *DifferencesMemory.counters, "charts", "repartitions", "recoveries", "recovery_iterations",
    )  # fmt: skip

    n_f: int = integer("degrees of freedom, independent coordinates z")
    n_s: int = integer("state of the chart, x = (z, ż, u)")
    n_d: int = integer("directions of derivatives: z, ż, u and t")

    # The chart
    tangent: int = integer("whether N is orthogonal, and z lie in the tangent plane; else z are entries of q")
    partition_limit: float = real("condition of the dependent block, from its first value, at which others are chosen")
    have_partition: int = integer("whether dependent velocities are chosen", FLAG)
    turned: int = integer("whether N is that of another point than the base, or the chart is to be made anew", FLAG)
    oblique: int = integer("whether P T A does not vanish by itself", FLAG)
    independent: Ints = integers("n_f", "independent velocities", _VELOCITY)
    dependent: Ints = integers("n_lam", "dependent ones, in the order in which they were chosen", _VELOCITY)
    dependent_before: Ints = integers("n_lam", "those of the partition before", _VELOCITY)
    chart_condition: float = real("size of G times that of the inverse of the dependent block, as estimated")
    first_condition: float = real("that when the partition was chosen")
    chart_q: Reals = reals("n_q", "base point")
    chart_T: Reals = reals("", "T where N was taken, if it is not 1")
    T_seen: Ints = integers("", "whether z see an entry of T: not in rows of auxiliary variables", FLAG)
    chart_P: Reals = reals("n_f * n_q", "P")
    chart_V: Reals = reals("n_f * n_v", "P T there")
    basis: Reals = reals("n_v * n_f", "N")
    block: Reals = reals("n_lam * n_lam", "dependent columns of G, factorised")
    block_pivots: Ints = integers("n_lam", "its pivots", _BLOCK)
    block_first: Ints = integers(
        "2 * n_lam + 1", "where rows of its factors begin in their list", ("0", "n_lam * n_lam")
    )
    block_columns: Ints = integers("n_lam * n_lam", "columns of that list", _BLOCK)
    block_values: Reals = reals("n_lam * n_lam", "values of that list")
    basis_first: Ints = integers("n_v + 1", "where rows of N begin in its list", ("0", "n_v * n_f"))
    basis_columns: Ints = integers("n_v * n_f", "columns of that list", _FREE)
    basis_values: Reals = reals("n_v * n_f", "values of that list")
    P_first: Ints = integers("n_f + 1", "where rows of P begin in its list", ("0", "n_f * n_q"))
    P_columns: Ints = integers("n_f * n_q", "columns of that list", ("0", "max(n_q - 1, 0)"))
    P_values: Reals = reals("n_f * n_q", "values of that list")
    C_rows: Ints = integers("", "rows of the entries of C, where that is not G")
    C_columns: Ints = integers("", "columns of the entries of C")
    block_C: Reals = reals("", "dependent columns of C, where that is not G, factorised")
    block_C_pivots: Ints = integers("", "its pivots", _BLOCK)
    block_C_first: Ints = integers("", "where rows of its factors begin in their list", _SQUARE)
    block_C_columns: Ints = integers("", "columns of that list", _BLOCK)
    block_C_values: Reals = reals("", "values of that list")
    dense_rows: Reals = reals("n_lam * n_v", "G, full")
    block_right: Reals = reals("n_lam * n_d", "right-hand sides of the dependent block")
    signs_across: Reals = reals("n_lam", "signs in an estimate of the condition")
    row_scale: Reals = reals("n_lam", "sizes of the rows of G")
    column_scale: Reals = reals("n_lam", "sizes of dependent velocities")
    taken_before: Reals = reals("n_v", "1 at velocities that were dependent before")
    basis_turned: Reals = reals("n_f * n_v", "Nᵀ while it is made orthogonal")
    square: Reals = reals("n_f * n_f", "P T N, to be made 1")
    square_pivots: Ints = integers("n_f", "its pivots", _FREE)
    position_miss: Reals = reals("n_f", "what positions or velocities lack of z or ż")
    motion: Reals = reals("n_v", "a change along and across the constraints")
    across: Reals = reals("n_lam", "residuals of constraints")
    along_f: Reals = reals("n_f", "a vector of independent coordinates")
    motion_q: Reals = reals("n_q", "a change of the coordinates")
    second_rate: Reals = reals("n_q", "T a + Ṫ v where the equations have no program for it")

    # Recovery of q and v from z and ż
    recovery_part: float = real("what a recovery may leave, in units of the tolerance, where nothing is iterated")
    recovery_end: float = real("what the last correction of a recovery may leave, of the sizes of the mechanism")
    recovery_rate: float = real("rate of convergence of the last recovery of positions")
    recovery_rate_v: float = real("that of velocities")
    charts: int = integer("charts made", COUNT)
    repartitions: int = integer("partitions chosen anew", COUNT)
    driven: int = integer("whether constraints were seen to move in time", FLAG)
    recoveries: int = integer("recoveries of q and v from z and ż", COUNT)
    recovery_iterations: int = integer("their iterations", COUNT)

    # The program reduced
    has_reduced: int = integer("whether the equations have the program reduced")
    reduced_entry: int = address("program reduced")
    reduced_work: int = address("its workspace")
    reduced_outputs: Ints = addresses(len(REDUCED.meanings), "its outputs")
    qddot: Reals = reals("", "T a + Ṫ v, by the program reduced")
    ga: Reals = reals("", "G a − γ, by the program reduced")
    derivatives: Reals = reals("", "derivatives of the rows of the program reduced")
    M_rows: Ints = integers("", "rows of the entries of M, where rows are made of the contract")
    M_columns: Ints = integers("", "columns of the entries of M")
    adopts: int = integer("whether an estimate of the pattern has left the derivatives of rows", FLAG)

    # The program directional
    directional_entry: int = address("program directional")
    directional_work: int = address("its workspace")
    directional_inputs: Ints = addresses(len(INPUTS) + 1, "its inputs, the last one the change")
    directional_outputs: Ints = addresses(len(DIRECTIONAL.meanings), "its outputs")
    change: Reals = reals("", "a change (q', v', u', t') of the motion")
    g_t: Reals = reals("", "∂g/∂t, by the program directional")
    gv_moved: Reals = reals("", "change of G v + gI along q and t")
    qdot_moved: Reals = reals("", "change of T v along q and t")
    qddot_moved: Reals = reals("", "change of T a + Ṫ v along q, v, u and t")
    d_moved: Reals = reals("", "change of d along q, v, u and t")
    qddot_driven: Reals = reals("", "change of T a + Ṫ v along v and u")
    d_driven: Reals = reals("", "change of d along v and u")

    # Columns in threads
    threads: int = integer("threads that derivatives are computed in")
    thread_routines: Ints = addresses(ROUTINE.end, "what starts threads and ends them")
    parts_work: int = address("what threads are told, then what each works in")

    # Derivatives of the equations of motion in the chart: E z̈' = −(E2 z' + E1 ż' + Eu u' + Et t')
    reduction_kernel: int = address("strategy: leaves the derivatives at the start of the step")
    E: Reals = reals("n_f * n_f", "matrix in front of the accelerations: mass matrix of the chart, or 1")
    E_motion: Reals = reals("n_f * n_d", "E2, E1, Eu, Et side by side")
    d_motion: Reals = reals("n_u * n_d", "derivatives of d by z, ż, u, t")
    turning: Reals = reals("n_v * n_f", "∂v/∂z with ż held")
    chart_directions: Reals = reals("", "q, v, u, t of all directions, row by row")
    responses: Reals = reals("", "rows of the program reduced in all directions")
    seen_responses: Reals = reals("n_f * n_d", "what z see of T v or T a + Ṫ v in all directions")
    moving: Reals = reals("n_v * n_f", "M N, row by row")
    moving_across: Reals = reals("n_lam * n_f", "Aᵀ M N")
    velocity_entries: Ints = integers("", "entries of derivatives of G v + gI and T v by q and t, then rows, columns")
    motion_entries: Ints = integers("", "entries of derivatives of all other rows by q, v, u and t, then rows, columns")
    time_entries: Ints = integers("", "entries of derivatives of g by t, then rows")
    mass_entries: Ints = integers("", "entries of M, then rows, columns")
    external_entries: Ints = integers("", "entries of derivatives of d by λ, then rows, columns")
    x_trial: Reals = reals("n_s", "a point beside the start of the step")
    v_start: Reals = reals("n_v", "velocities at the start of the step")
    at_gv: int = integer("first row of G v + gI among those of the program reduced")
    at_ga: int = integer("first row of G a − γ")
    at_d: int = integer("first row of d")
    at_qdot: int = integer("first row of T v")
    at_qddot: int = integer("first row of T a + Ṫ v")

    # The matrix of the iteration
    iteration_matrix: Reals = reals("(n_f + n_u) * (n_f + n_u)", "E + c E1 + c₂ E2, bordered by u, factorised")
    iteration_pivots: Ints = integers("n_f + n_u", "its pivots", _STATE)
    x_solved: Reals = reals("n_f + n_u", "a right-hand side of it, then the solution")
    c_first: float = real("factor of E1 in it")
    c_second: float = real("factor of E2 in it")

    # State
    x0: Reals = reals("n_s", "(z, ż, u) at the start of the step")
    x_rate0: Reals = reals("n_s", "(ż, z̈, u̇) there")
    x_stage: Reals = reals("n_s", "(z, ż, u) at a stage")
    x_rate: Reals = reals("n_s", "(ż, z̈, u̇) there")
    x_right: Reals = reals("n_s", "a right-hand side, then a correction")
    y_change: Reals = reals("n_y", "a change of (q, v, u)")
    y_rate: Reals = reals("n_y", "ẏ at a stage")
    bend: Reals = reals("n_q", "T a + Ṫ v at the start of the step, with what was carried")
    t_stage: float = real("instant of the stage")
    x_aside: Reals = reals("n_s", "(ż, z̈, u̇) beside a point")
    carried: Reals = reals("n_v + n_u", "what slopes of the formula, at the start, have more than a and u̇")
    ahead: Reals = reals("n_v + n_u", "the same at the end of the step")
    x_slope: Reals = reals("n_s", "slope (ż, z̈, u̇) of the formula at the end of the step")
    t_tried: float = real("end of the step as it was attempted")
    only_independent: int = integer("whether errors are measured in independent coordinates only")
    counted: Reals = reals("n_y", "1 where an entry of an error counts, 0 where not")
