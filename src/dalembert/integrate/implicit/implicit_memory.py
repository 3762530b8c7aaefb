"""Memory of methods on the stabilised index-2 form: the Jacobian, Newton matrices and their factors."""

from __future__ import annotations

from typing import ClassVar

from dalembert.equations.contract.convention import EXCITED
from dalembert.integrate.implicit.differences_memory import DifferencesMemory
from dalembert.native.kernel import Complexes, Ints, Reals
from dalembert.native.slots import COUNT, address, addresses, complexes, integer, integers, real, reals


class ImplicitMemory(DifferencesMemory):
    """What every run of an implicit method has. Unknowns of a stage are x = (q, v, μ, λ, u)."""

    counters: ClassVar[tuple[str, ...]] = (
        *DifferencesMemory.counters, "stage_jacobians", "inner_iterations", "jacobian_updates", "jacobian_extended",
        "jacobian_excited",
    )  # fmt: skip

    n_x: int = integer("unknowns of a stage, x = (q, v, μ, λ, u)")
    n_real: int = integer("real factors α, each with a matrix")
    n_complex: int = integer("complex factors α, each with a matrix")

    # Metric of the drift
    drift: Reals = reals("n_q", "W: parts of Cᵀμ with which coordinates drift; lengths and angles count equally")
    drift_velocity: Ints = integers("n_q", "velocity of a coordinate whose part is not 1")
    drift_apart: int = integer("whether parts are so large that rounding of T v beside T Cᵀμ would show")
    drift_rates: Reals = reals("n_q", "−T Cᵀμ by itself, if so")

    # Jacobian K = ∂F/∂x with accelerations held, and M, apart
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
    one_rows: Ints = integers("", "their rows")
    mass_of_M: Ints = integers("", "places in it of the entries of M of the contract, −1 for none")
    n_entries: int = integer("entries of a Newton matrix")
    jacobian_kernel: int = address("strategy: leaves derivatives at the point of evaluation in the slot jacobian")
    jacobian_updates: int = integer("Newton matrices for another α with the K that was kept", COUNT)
    jacobian_extended: int = integer("those for which K has followed excitations and what they drive", COUNT)
    jacobian_excited: int = integer("Jacobians for derivatives along what excitations drive", COUNT)

    stage_jacobians: int = integer("Jacobians of single stages", COUNT)
    inner_iterations: int = integer("vectors of all Krylov spaces", COUNT)

    # Excitations, driven coordinates and constraints
    n_driven: int = integer("columns that constraints drive: coordinates, their velocities and accelerations")
    driven: Ints = integers("n_driven", "these columns")
    by_driven: Reals = reals("n_driven * n_K", "derivatives of K by them")
    driven_mass: Reals = reals("(1 if n_driven or n_forced else 0) * n_mass", "M where columns are moved")
    driven_value: Reals = reals("n_driven", "where K was evaluated")
    n_forced: int = integer("constraints that depend on time and on several coordinates")
    forced: Ints = integers("n_forced", "these constraints")
    by_forced: Reals = reals("3 * n_forced * n_K", "derivatives of K along q, v and a that they force")
    forced_value: Reals = reals("3 * n_forced", "how far they have forced these where K was evaluated")
    forced_here: Reals = reals("3 * n_forced", "the same at the point of evaluation")
    forced_direction: Reals = reals("(1 if n_forced else 0) * n_x", "x that one of them forces")
    forced_point: Reals = reals("(1 if n_forced else 0) * n_columns", "the point that is moved from along it")
    excitation: Reals = reals("", "excitations w and their rates")
    excitation_value: Reals = reals("n_excitations", "where K was evaluated")
    n_excitations: int = integer("these")
    by_excitation: Reals = reals("", "derivatives by them of entries of the slot jacobian")
    excited_place: Ints = integers("", "places of these entries in K, −1 for none")
    excited_number: Ints = integers("", "number of the excitation of each of them")
    K_evaluated: Reals = reals("extends * n_K", "K as it was evaluated")
    driven_in: int = integer("number of the step, from 1, in which derivatives by these were found; 0 if never", COUNT)
    excited_entry: int = address("program excited")
    excited_work: int = address("its workspace")
    excited_outputs: Ints = addresses(len(EXCITED.meanings), "its outputs")

    # Newton matrices
    newton_solver: int = integer("dense or sparse")
    newton_plan: Ints = integers("", "plan of the sparse factorisation")
    matrix_size: int = integer("values of a matrix")
    real_factors: Reals = reals("n_real * matrix_size", "matrices with real α, factorised")
    complex_factors: Complexes = complexes("n_complex * matrix_size", "matrices with complex α, factorised")
    alpha_real: float = real("α of the last real one that was factorised")
    real_balance: Reals = reals("n_real * n_x", "powers of two that their rows are multiplied by")
    complex_balance: Reals = reals("n_complex * n_x", "powers of two that their rows are multiplied by")
    real_pivots: Ints = integers("n_real * n_x", "pivots of dense matrices")
    complex_pivots: Ints = integers("n_complex * n_x", "pivots of dense matrices")
    complex_right: Complexes = complexes("n_x", "right-hand side of a complex system")
    x_point: Reals = reals("n_x", "a point in unknowns of a stage")
    x_right: Reals = reals("n_x", "a right-hand side in unknowns of a stage")
    x_left: Reals = reals("n_x", "the left-hand side that belongs to a solution")
    x_terms: Reals = reals("n_x", "sizes of the terms in it")
