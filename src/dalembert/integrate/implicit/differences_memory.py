"""Memory of differences: rows of the equations by their columns, group by group of columns."""

from __future__ import annotations

from typing import ClassVar

from dalembert.integrate.implicit.newton_memory import NewtonMemory
from dalembert.native.kernel import Ints, Reals
from dalembert.native.slots import COUNT, address, integer, integers, real, reals


class DifferencesMemory(NewtonMemory):
    """What a run has whose derivatives may be differences.

    Columns are q, v, a, λ, μ, u, and t where there is one more; rows are those that ``rows_kernel`` leaves.
    """

    counters: ClassVar[tuple[str, ...]] = (
        *NewtonMemory.counters, "nfev_jacobian", "jacobian_full", "jacobian_grouped", "pattern_growths",
    )  # fmt: skip

    jacobian_kind: int = integer("what a strategy does: differences or not, of how many columns together")
    jacobian_full: int = integer("Jacobians by differences of single columns", COUNT)
    jacobian_grouped: int = integer("Jacobians by differences of groups of columns", COUNT)
    pattern_growths: int = integer("estimates of the pattern that have found new entries", COUNT)
    rows_kernel: int = address("leaves all rows at the point of evaluation in rows_after")
    n_equations: int = integer("rows")
    n_columns: int = integer("columns q, v, a, λ, μ, u, perhaps t")
    n_groups: int = integer("groups of columns that are differenced together")
    entry_row: Ints = integers("", "rows of the entries of the slot jacobian")
    entry_column: Ints = integers("", "their columns")
    entry_group: Ints = integers("", "entries, ordered by group")
    group_start: Ints = integers("", "where the entries of each group start")
    column_group: Ints = integers("", "group of each column, −1 for those that are known")
    knows_columns: int = integer("whether derivatives by a, or μ too, come from the contract")
    known_mass: Ints = integers("", "places of the entries of its M in the slot jacobian")
    known_drift: Ints = integers("", "places of products of T and C there, which are ∂q̇/∂μ")
    known_T: Ints = integers("", "entries of T in these products")
    known_C: Ints = integers("", "entries of C in these products")
    all_differences_work: int = address("differences of all rows by single columns")
    column_increment: Reals = reals("n_columns", "by which each column is moved")
    coarser: float = real("by how much larger increments of an estimate are, minus 1")
    column_value: Reals = reals("n_columns", "the point that is moved from")
    rows_before: Reals = reals("n_groups and n_equations", "rows there")
    rows_after: Reals = reals("n_groups and n_equations", "rows with a group of columns moved")
    nfev_jacobian: int = integer("evaluations of rows for Jacobians", COUNT)
