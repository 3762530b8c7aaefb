"""Memory of implicit methods: the Jacobian, Newton matrices and their factors, convergence."""

from __future__ import annotations

from typing import ClassVar

from dalembert.integrate.frame.memory import COUNTERS, Memory
from dalembert.native.kernel import Complexes, Ints, Reals
from dalembert.native.legend import Legend
from dalembert.native.slots import COUNT, FLAG, address, complexes, integer, integers, real, reals

ACTION = Legend(
    "what is done with the Newton matrix",
    KEEP="its factors serve as they are",
    RESCALE="its factors serve, corrections are scaled for another α (corrector (18))",
    REFACTOR="A(α) = α E(M) + K is factorised with the K and M that are kept (corrector (24), (25))",
    RENEW_M="M is evaluated anew, K kept; then as REFACTOR",
    RENEW="K and M are evaluated anew; then as REFACTOR",
    GROW="the pattern of K was too small: it is estimated anew; then as RENEW",
    BY_STAGES="corrections are improved by the Jacobians of all stages",
    GIVE_UP="nothing helps but another step size",
)
RENEWAL = Legend(
    "why the Newton matrix was renewed in a step, bits for the monitor",
    bits=True,
    FIRST="there was no Jacobian",
    SLOW="the iteration of the last step converged slowly",
    FAILED="an iteration has failed with an old Jacobian",
    ALPHA="the factor α has changed: factorised only",
    STAGES="the Jacobians of all stages were taken besides",
)


class ImplicitMemory(Memory):
    """What every run of an implicit method has. Unknowns of a stage are x = (q, v, μ, λ, u)."""

    counters: ClassVar[tuple[str, ...]] = (
        *COUNTERS, "nfev_jacobian", "renewed_first", "renewed_slow", "renewed_failed",
        "stage_jacobians", "inner_iterations",
    )  # fmt: skip

    n_x: int = integer("unknowns of a stage, x = (q, v, μ, λ, u)")
    n_real: int = integer("real factors α, each with a matrix")
    n_complex: int = integer("complex factors α, each with a matrix")

    # Metric of the drift
    drift: Reals = reals("n_q", "W: parts of Cᵀμ with which coordinates drift; lengths and angles count equally")
    drift_velocity: Ints = integers("n_q", "velocity of a coordinate whose part is not 1")
    drift_apart: int = integer("whether parts are so large that rounding of T v beside T Cᵀμ would show")
    drift_rates: Reals = reals("n_q", "−T Cᵀμ by itself, if so")

    # Convergence
    newton_limit: int = integer("iterations at most")
    newton_tol: float = real("correction that ends an iteration, in units of the tolerance")
    newton_done: int = integer("iterations of the last process", COUNT)
    theta: float = real("rate of convergence of the last iteration")
    convergence: float = real("θ / (1 − θ): what is left of a correction")

    # Jacobian K = ∂F/∂x with accelerations held, and M, apart
    jacobian_age: int = integer(
        "attempts since K was evaluated; −1 if there is none that may be used", ("-1", COUNT[1])
    )
    n_K: int = integer("entries of K")
    n_mass: int = integer("entries of M")
    K: Reals = reals("n_K", "entries of K")
    K_source: Ints = integers("", "their places in the slot jacobian")
    K_sign: Reals = reals("n_K", "their factors there: rows q̇ − T v + W T Cᵀμ and u̇ − d enter negatively")
    K_place: Ints = integers("", "their places in a Newton matrix")
    K_rows: Ints = integers("", "their rows")
    K_columns: Ints = integers("", "their columns")
    mass: Reals = reals("n_mass", "entries of M in E = diag(I, M, 0, 0, I)")
    mass_source: Ints = integers("", "their places in the slot jacobian")
    mass_place: Ints = integers("", "their places in a Newton matrix")
    mass_rows: Ints = integers("", "their rows")
    mass_columns: Ints = integers("", "their columns")
    one_place: Ints = integers("", "places of the ones of E in a Newton matrix")
    jacobian_kernel: int = address("strategy: leaves derivatives at the point of evaluation in the slot jacobian")

    # Differences
    n_columns: int = integer("columns q, v, a, λ, μ, u of the program implicit")
    n_groups: int = integer("groups of columns that are differenced together")
    entry_row: Ints = integers("", "rows of the entries of the slot jacobian")
    entry_column: Ints = integers("", "their columns")
    entry_group: Ints = integers("", "entries, ordered by group")
    group_start: Ints = integers("", "where the entries of each group start")
    column_group: Ints = integers("", "group of each column")
    increment: Reals = reals("n_groups and n_columns", "by which each column is moved")
    column_value: Reals = reals("n_groups and n_columns", "the point that is moved from")
    rows_before: Reals = reals("n_groups and n_x", "rows of the program there")
    rows_after: Reals = reals("n_groups and n_x", "rows with a group of columns moved")
    stage_jacobians: int = integer("Jacobians of single stages", COUNT)
    inner_iterations: int = integer("vectors of all Krylov spaces", COUNT)
    nfev_jacobian: int = integer("evaluations of rows for Jacobians", COUNT)

    # Newton matrices
    newton_solver: int = integer("dense or sparse")
    newton_plan: Ints = integers("", "plan of the sparse factorisation")
    matrix_size: int = integer("values of a matrix")
    have_factors: int = integer("whether factors belong to K, M and alpha_factored", FLAG)
    alpha_factored: float = real("1/h of the factors")
    real_factors: Reals = reals("n_real * matrix_size", "matrices with real α, factorised")
    complex_factors: Complexes = complexes("n_complex * matrix_size", "matrices with complex α, factorised")
    real_balance: Reals = reals("n_real * n_x", "powers of two that their rows are multiplied by")
    complex_balance: Reals = reals("n_complex * n_x", "powers of two that their rows are multiplied by")
    real_pivots: Ints = integers("n_real * n_x", "pivots of dense matrices")
    complex_pivots: Ints = integers("n_complex * n_x", "pivots of dense matrices")
    complex_right: Complexes = complexes("n_x", "right-hand side of a complex system")
    x_point: Reals = reals("n_x", "a point in unknowns of a stage")
    x_right: Reals = reals("n_x", "a right-hand side in unknowns of a stage")

    # Why
    rescale_from: float = real("smallest ratio of α for which old factors are scaled; 0 for never")
    by_stages: int = integer(
        "whether Jacobians of all stages improve the corrections; −1 if a method has none", ("-1", "1")
    )
    updates_mass: int = integer("whether M is evaluated anew where K is kept for another α")
    pattern_grows: int = integer("whether the pattern of K is an estimate that may still grow in this attempt", FLAG)
    renewed_first: int = integer("Jacobians because there was none", COUNT)
    renewed_slow: int = integer("Jacobians because of slow convergence", COUNT)
    renewed_failed: int = integer("Jacobians because an iteration had failed", COUNT)
