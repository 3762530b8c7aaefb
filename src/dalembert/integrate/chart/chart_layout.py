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
from dalembert.integrate.chart.chart_memory import ChartMemory
from dalembert.integrate.frame.method_layout import MethodLayout
from dalembert.integrate.implicit.jacobian import SHORT_NAMES, Jacobian
from dalembert.native.kernel import Kernel
from dalembert.native.threads import JOB, thread_routines

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class ChartStrategy:
    """How derivatives in a chart are found: the kernel, and the program that it takes them from."""

    kernel: Kernel
    program: str = ""


#: By name; "auto" is "analytic" where equations have the program, unless something depends on reactions.
REDUCTIONS = {
    "analytic": ChartStrategy(chart_derivatives.analytic, "reduced"),
    "columns": ChartStrategy(chart_derivatives.columns, "reduced"),
    "directional": ChartStrategy(chart_derivatives.directional, "directional"),
    "numeric": ChartStrategy(chart_derivatives.numeric),
}
#: Names that all implicit methods know; "exact" is "analytic", or "columns" where something depends on reactions.
_COMMON = {"auto": "auto", "exact": "exact", "dense": "numeric"}
#: Threads that columns may be divided among.
MOST_THREADS = 64


def reduction_of(given: str | Jacobian) -> str:
    """The strategy in a chart that is meant by an option ``jacobian``, or an error that says which there are."""
    known = (*_COMMON, *REDUCTIONS)
    name = _short_name(given) if isinstance(given, Jacobian) else given
    if isinstance(name, str) and name in SHORT_NAMES and name not in _COMMON:
        raise SimulationError(
            f"jacobian='{name}' is for methods on the stabilised index-2 form ('radau', 'bdf'): in independent "
            "coordinates all accelerations depend on all of them, and there are no entries to leave out or to keep. "
            f"Ask for {', '.join(repr(one) for one in known)}"
        )
    if not isinstance(name, str) or name not in known:
        raise SimulationError(f"there is no Jacobian strategy '{name!s:.40}'; {suggestion(str(name), known)}")
    return _COMMON.get(name, name)


def _short_name(given: Jacobian) -> Any:
    """The short name of a Jacobian(…) if it has one, or what it says."""
    return next((name for name, one in SHORT_NAMES.items() if one == given), given)


def checked_threads(threads: Any, reduction: str) -> None:
    """Raise an error unless derivatives can be computed in so many threads."""
    if isinstance(threads, bool) or not isinstance(threads, (int, np.integer)) or not 1 <= threads <= MOST_THREADS:
        raise SimulationError(f"threads must be a whole number from 1 to {MOST_THREADS}, got {threads!r:.40}")
    if threads > 1 and reduction != "columns":
        raise SimulationError(
            f"threads={threads} divide the columns of jacobian='columns'; jacobian='{reduction}' has none: ask for "
            "jacobian='columns', or leave threads away"
        )


def reduction_programs(name: str, equations: Equations) -> tuple[str, ...]:
    """Programs that a strategy takes of these equations, besides the contract; "auto" and "numeric" take what there is,
    the latter for T a + Ṫ v only."""
    program = "reduced" if name in ("auto", "exact") else REDUCTIONS[name].program
    why_not = equations.lacks(program) if program else ""
    if why_not and name != "auto":
        what = "accelerations that are solved on atoms" if name == "directional" else "derivatives of accelerations"
        others = "'columns' or 'numeric'" if not equations.lacks("reduced") else "'numeric'"
        raise SimulationError(
            f"jacobian='{name}' needs {what}, which '{equations.name}' does not have: {why_not}. "
            f"Ask for jacobian={others}"
        )
    found = (program,) if program and not why_not else ()
    second_rates = not equations.unit_T and "reduced" not in found and not equations.lacks("reduced")
    return (*found, "reduced") if second_rates else found


def lay_out_chart(
    equations: Equations, providers: Mapping[str, Provider], strategy: str, threads: int = 1
) -> MethodLayout:
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
    if strategy == "directional":
        values |= {"at_gv": 0, "at_qdot": s.lam}
        n_moved = s.q + s.v + s.u + 1
        sizes |= {"change": n_moved, "chart_directions": n_moved * n_d, "responses": (s.lam + s.q) * n_d}
    elif "reduced" in providers and strategy != "numeric":
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
    if strategy in ("auto", "exact"):
        strategy = "numeric" if "reduced" not in providers else ("columns" if depends else "analytic")
    made = MethodLayout(values, contents, sizes, {}, {"reduction_kernel": REDUCTIONS[strategy].kernel})
    return _in_threads(made, min(threads, n_d)) if threads > 1 else made


def _in_threads(made: MethodLayout, threads: int) -> MethodLayout:
    """Columns divided among threads: a list that tells them what to do, then what each works in."""

    def size(run: ChartMemory) -> int:
        return threads * (JOB.end + chart_derivatives.part_size(run))

    return made._replace(
        values={**made.values, "threads": threads},
        kernels={"reduction_kernel": chart_derivatives.columns_in_threads},
        addresses={"thread_routines": thread_routines(chart_derivatives.columns_part)},
        works={"parts": size},
    )


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
