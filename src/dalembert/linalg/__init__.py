"""Linear systems of mechanics: dense and with a fixed sparsity pattern, as kernels and as Python functions.

Knows nothing of models: matrices, right-hand sides, orders of pivots.  The names here are what a mode of linear algebra
from outside is made of; and groups of columns that can be differenced together, for sparse Jacobians of any kind.
"""

from dalembert.linalg.grouping import column_groups, consistent, longest_row
from dalembert.linalg.plan import (
    HEAD,
    History,
    Plan,
    Structure,
    own_part,
    pattern_of_F,
    pattern_of_G,
    pattern_of_M,
    plan_of,
)
from dalembert.linalg.saddle import Mode, add_mode
from dalembert.linalg.solver import factor_solver, solve_solver

__all__ = [
    "HEAD",
    "History",
    "Mode",
    "Plan",
    "Structure",
    "add_mode",
    "column_groups",
    "consistent",
    "factor_solver",
    "longest_row",
    "own_part",
    "pattern_of_F",
    "pattern_of_G",
    "pattern_of_M",
    "plan_of",
    "solve_solver",
]
