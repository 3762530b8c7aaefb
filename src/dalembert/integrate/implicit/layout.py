"""Where the entries of Jacobians stand: lists for K, M and the Newton matrices, plans of their factorisation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.equations import Equations
from dalembert.equations.contract.provider import Pattern, Provider
from dalembert.integrate.frame.method_layout import MethodLayout
from dalembert.integrate.implicit import jacobian
from dalembert.linalg.factors.sparse_lu import analyse, value_size
from dalembert.linalg.grouping import column_groups
from dalembert.linalg.orders.order import saddle_order, symmetric_neighbours
from dalembert.linalg.plan import DENSE, SPARSE

#: From this many unknowns of a stage on, matrices are factorised as sparse ones.
SPARSE_FROM = 90


def lay_out_implicit(equations: Equations, provider: Provider, strategy: str, solver: str) -> MethodLayout:
    """Lists for the unknowns (q, v, μ, λ, u) from the columns (q, v, a, λ, μ, u) of the program."""
    s = equations.sizes
    n_q, n_v, n_g, n_lam, n_u = s.q, s.v, s.g, s.lam, s.u
    n_x = n_q + n_v + n_g + n_lam + n_u
    chosen = jacobian.chosen_strategy(strategy, provider)
    pattern = chosen.pattern(provider.patterns["jacobian"])
    # Accelerations go where velocities are.
    target = np.concatenate(
        [
            np.arange(n_q + n_v),
            n_q + np.arange(n_v),
            n_q + n_v + n_g + np.arange(n_lam),
            n_q + n_v + np.arange(n_g),
            n_q + n_v + n_g + n_lam + np.arange(n_u),
        ]
    )
    rows, columns = pattern.rows, target[pattern.columns]
    of_a = (pattern.columns >= n_q + n_v) & (pattern.columns < n_q + 2 * n_v)
    is_mass = of_a & (rows >= n_q) & (rows < n_q + n_v)
    in_K, mass = np.flatnonzero(~of_a), np.flatnonzero(is_mass)
    ones = np.concatenate([np.arange(n_q), np.arange(n_x - n_u, n_x)])
    values: dict[str, int] = {"n_x": n_x, "n_K": in_K.size, "n_mass": mass.size, "jacobian_age": -1, "by_stages": -1}
    contents: dict[str, Any] = {
        "K_source": in_K, "K_rows": rows[in_K], "K_columns": columns[in_K],
        "mass_source": mass, "mass_rows": rows[mass] - n_q, "mass_columns": columns[mass] - n_q,
    }  # fmt: skip
    sizes = {"jacobian": len(rows)}
    if n_x >= SPARSE_FROM and solver != "dense":
        where, plan = _sparse_places(equations, n_x, rows, columns, ones)
        contents["newton_plan"] = plan
        values |= {"newton_solver": SPARSE, "matrix_size": value_size(plan)}
        place = np.array([where[i, j] for i, j in zip(rows.tolist(), columns.tolist(), strict=True)], dtype=np.int64)
        contents["one_place"] = [where[i, i] for i in ones.tolist()]
    else:
        values |= {"newton_solver": DENSE, "matrix_size": n_x * n_x}
        place, contents["one_place"] = rows * n_x + columns, ones * n_x + ones
    contents["K_place"], contents["mass_place"] = place[in_K], place[mass]
    negative = (rows[in_K] < n_q) | (rows[in_K] >= n_x - n_u)
    if not chosen.exact:
        differences, lists = _differences(pattern)
        values |= differences
        contents |= lists
    vectors = {"K_sign": np.where(negative, -1.0, 1.0)}
    return MethodLayout(values, contents, sizes, vectors, {"jacobian_kernel": chosen.kernel})


def _sparse_places(
    equations: Equations, n_x: int, rows: NDArray[np.int64], columns: NDArray[np.int64], ones: NDArray[np.int64]
) -> tuple[Mapping[tuple[int, int], int], NDArray[np.int64]]:
    """Places of the entries of a sparse Newton matrix, and its plan."""
    s = equations.sizes
    all_rows, all_columns = np.concatenate([rows, ones]), np.concatenate([columns, ones])
    neighbours, diagonal = symmetric_neighbours(n_x, all_rows.tolist(), all_columns.tolist())
    held: dict[int, set[int]] = {k: set() for k in range(s.q + s.v, n_x - s.u)}
    for i, j in zip(all_rows.tolist(), all_columns.tolist(), strict=True):
        if i in held and j not in held:
            held[i].add(j)
    plan, places = analyse(n_x, all_rows, all_columns, *saddle_order(neighbours, diagonal, held))
    return places, plan


def _differences(pattern: Pattern) -> tuple[dict[str, int], dict[str, Any]]:
    """Groups of columns, and the entries of each."""
    groups = column_groups(pattern.rows, pattern.columns, pattern.shape)
    of_entry = groups[pattern.columns]
    n_groups = int(groups.max(initial=-1)) + 1
    starts = np.concatenate([[0], np.cumsum(np.bincount(of_entry, minlength=n_groups))])
    lists = {
        "entry_row": pattern.rows, "entry_column": pattern.columns, "entry_group": np.argsort(of_entry, kind="stable"),
        "group_start": starts, "column_group": groups,
    }  # fmt: skip
    return {"n_groups": n_groups, "n_columns": pattern.shape[1]}, lists
