"""Structure of the Newton matrix of the carriage, in the order in which it was published (corrector 4.1, Figs. 3 to 5).

Columns: p, v, λ, η; rows: q̇, the equations of motion, constraints on velocities, constraints on positions (corrector
(7a) to (7d)); ours are (q, v, μ, λ), and positions before velocities.  As there, ∂(Gᵀη)/∂p is left out: η vanishes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

import dalembert as da
from dalembert.linalg.grouping import column_groups, consistent, longest_row

if TYPE_CHECKING:
    from _common import Reporter

Ints = NDArray[np.int64]
#: Groups of columns that are printed, numbered from 1.
PRINTED = ((8, 32, 89), (12, 31, 86), (5, 90), (19, 78, 83, 87), (54, 72))


def published_order(equations: da.Equations) -> tuple[Ints, Ints]:
    """Rows and columns in the published order of those of the program "implicit"."""
    s = equations.sizes
    n, m = s.q, s.g
    to_row = np.concatenate([np.arange(2 * n), 2 * n + m + np.arange(m), 2 * n + np.arange(m)])
    # columns of the program are q, v, a, λ, μ; accelerations go where velocities are
    to_column = np.concatenate([np.arange(2 * n), n + np.arange(n), 2 * n + np.arange(2 * m)])
    return to_row, to_column


def newton_pattern(equations: da.Equations) -> tuple[Ints, Ints]:
    """Rows and columns of the entries of α ∂F/∂ẏ + ∂F/∂y."""
    n, pattern = equations.sizes.q, equations.program("implicit").patterns["jacobian"]
    to_row, to_column = published_order(equations)
    rows, columns = to_row[pattern.rows], to_column[pattern.columns]
    kept = ~((rows < n) & (columns < n))
    entries = {(i, i) for i in range(n)} | set(zip(rows[kept].tolist(), columns[kept].tolist(), strict=True))
    found = np.array(sorted(entries), dtype=np.int64)
    return found[:, 0], found[:, 1]


def allowed(rows: Ints, columns: Ints, group: tuple[int, ...]) -> bool:
    """Whether columns, numbered from 1, may be differenced together."""
    inside = np.isin(columns, np.array(group) - 1)
    return consistent(np.zeros(columns.max() + 1, dtype=np.int64), rows[inside], columns[inside])


def table(report: Reporter, quick: bool) -> None:
    """Entries, groups, and evaluations for one Jacobian."""
    equations = da.problems.carriage().equations
    s = equations.sizes
    size = 2 * (s.q + s.g)
    rows, columns = newton_pattern(equations)
    n_groups = int(column_groups(rows, columns, (size, size)).max()) + 1

    for quantity, ours, paper, barred in (
        ("coordinates", s.q, 41, False),
        ("constraints", s.g, 8, False),
        ("unknowns", size, 98, False),
        ("entries of the Newton matrix", len(rows), 1620, True),
        ("entries of its longest row", longest_row(rows, columns), 46, True),
        ("groups of columns", n_groups, 46, True),
        ("evaluations of F, columns in groups", n_groups + 1, 47, True),
        ("evaluations of F, all columns but those of η", size - s.g + 1, 91, False),
        ("evaluations of F, all columns", size + 1, 99, False),
    ):
        report.add(
            case="carriage, structure", quantity=quantity, unit="1", ours=ours, paper=paper,
            limit=paper if barred else None,
        )  # fmt: skip
    report.add(
        case="carriage, structure", quantity="printed groups that are consistent", unit="1",
        ours=sum(allowed(rows, columns, group) for group in PRINTED), paper=len(PRINTED), limit=len(PRINTED),
        bound="at least",
    )  # fmt: skip
