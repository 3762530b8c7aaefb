"""Where the derivatives of the program "reduced" stand, for a chart of the constraint manifold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.equations import Equations
from dalembert.equations.contract.provider import Pattern, Provider
from dalembert.errors import SimulationError, suggestion
from dalembert.integrate.chart import chart_derivatives
from dalembert.integrate.frame.method_layout import MethodLayout
from dalembert.native.kernel import Kernel

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class ChartStrategy:
    """How derivatives in a chart are found: the kernel, and whether it needs the program "reduced"."""

    kernel: Kernel
    exact: bool = True


#: By name; "auto" is "analytic" where equations have the program, unless something depends on reactions.
REDUCTIONS = {
    "analytic": ChartStrategy(chart_derivatives.analytic),
    "columns": ChartStrategy(chart_derivatives.columns),
    "numeric": ChartStrategy(chart_derivatives.numeric, exact=False),
}


def checked_reduction(name: str) -> str:
    """The name of a strategy, or an error that lists them."""
    known = ("auto", *REDUCTIONS)
    if not isinstance(name, str) or name not in known:
        raise SimulationError(f"there is no Jacobian strategy '{name!s:.40}'; {suggestion(str(name), known)}")
    return name


def needs_reduced(name: str, equations: Equations) -> bool:
    """Whether a strategy takes the program "reduced" of these equations."""
    if name == "numeric":
        return not equations.unit_T and not equations.lacks("reduced")
    why_not = equations.lacks("reduced")
    if why_not and name != "auto":
        raise SimulationError(
            f"jacobian='{name}' needs derivatives of accelerations, which '{equations.name}' does not have: {why_not}. "
            "Ask for jacobian='numeric'"
        )
    return not why_not


def lay_out_chart(equations: Equations, providers: Mapping[str, Provider], strategy: str) -> MethodLayout:
    """Sizes of a chart, and lists of entries by what they are multiplied with."""
    s = equations.sizes
    if s.lam != s.g:
        raise SimulationError(
            f"'{equations.name}' has constraints on velocities that are not derivatives of constraints on positions "
            "(nonholonomic ones): state-space methods have independent positions and velocities in pairs; take 'radau' "
            "or an explicit method"
        )
    f = s.v - s.lam
    if not f + s.u:
        raise SimulationError(
            f"'{equations.name}' has no degree of freedom: nothing is left to integrate in independent coordinates; "
            "ask for equations.kinematics(…), or take 'dop853' or 'radau'"
        )
    contract, n_d = providers["contract"].patterns, 2 * f + s.u + 1
    values: dict[str, int] = {
        "n_f": f, "n_s": 2 * f + s.u, "n_d": n_d, "jacobian_age": -1, "by_stages": -1,
        "has_reduced": "reduced" in providers,
    }  # fmt: skip
    contents: dict[str, Any] = {}
    sizes: dict[str, int] = {} if equations.unit_T else {"chart_T": len(contract["T"].rows)}
    if not equations.C_is_G:
        contents |= {"C_rows": contract["C"].rows, "C_columns": contract["C"].columns}
        sizes |= {"block_C": s.g * s.g, "block_C_pivots": s.g}
        sizes |= {"block_C_first": 2 * s.g + 1, "block_C_columns": s.g * s.g, "block_C_values": s.g * s.g}
    depends = len(contract["F"].rows) > 0
    if "reduced" in providers and strategy != "numeric":
        pattern = providers["reduced"].patterns["derivatives"]
        more_values, more = _entries(equations, pattern)
        values |= more_values
        contents |= more
        sizes |= {"chart_directions": (s.q + s.v + s.u + 1) * n_d, "responses": pattern.shape[0] * n_d}
        depends = depends or len(more["external_entries"]) > 0
    if strategy == "analytic" and depends:
        raise SimulationError(
            f"jacobian='analytic' is not possible for '{equations.name}', where forces or external dynamics depend on "
            "reactions; ask for jacobian='columns'"
        )
    if strategy == "auto":
        strategy = "numeric" if "reduced" not in providers else ("columns" if depends else "analytic")
    return MethodLayout(values, contents, sizes, {}, {"reduction_kernel": REDUCTIONS[strategy].kernel})


def _entries(equations: Equations, pattern: Pattern) -> tuple[dict[str, int], dict[str, Ints]]:
    """Entries of the derivatives, with rows and columns as the kernels need them."""
    s = equations.sizes
    rows, columns = pattern.rows, pattern.columns
    at_g = s.v
    at_gv = at_g + s.g
    at_ga = at_gv + s.lam
    at_d = at_ga + s.lam
    at_qdot = at_d + s.u
    at_qddot = at_qdot + (0 if equations.unit_T else s.q)
    end_v, end_a, end_lam, end_u = s.q + s.v, s.q + 2 * s.v, s.q + 2 * s.v + s.lam, s.q + 2 * s.v + s.lam + s.u
    moved = (columns < end_v) | (columns >= end_lam)
    # Columns q, v, a, λ, u, t, without a and λ.
    place = np.where(columns < end_v, columns, columns - s.v - s.lam)
    is_gv, is_qdot = (rows >= at_gv) & (rows < at_ga), (rows >= at_qdot) & (rows < at_qddot)
    of_velocity = (is_gv | is_qdot) & ((columns < s.q) | (columns == end_u))
    of_motion = ~(is_gv | is_qdot) & ~((rows >= at_g) & (rows < at_gv)) & moved
    of_a, of_lam = (columns >= end_v) & (columns < end_a), (columns >= end_a) & (columns < end_lam)
    in_residual, in_d = rows < at_g, (rows >= at_d) & (rows < at_qdot)
    in_g = (rows >= at_g) & (rows < at_gv)

    def listed(chosen: NDArray[np.bool_], first_row: int, first_column: int, by: Ints) -> Ints:
        at = np.flatnonzero(chosen)
        return np.concatenate([at, rows[at] - first_row, by[at] - first_column])

    time = np.flatnonzero(in_g & (columns == end_u))
    values = {"at_gv": at_gv, "at_ga": at_ga, "at_d": at_d, "at_qdot": at_qdot, "at_qddot": at_qddot}
    return values, {
        "velocity_entries": listed(of_velocity, 0, 0, place), "motion_entries": listed(of_motion, 0, 0, place),
        "mass_entries": listed(in_residual & of_a, 0, end_v, columns),
        "external_entries": listed(in_d & of_lam, at_d, end_a, columns),
        "time_entries": np.concatenate([time, rows[time] - at_g]),
    }  # fmt: skip
