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
from dalembert.integrate.chart import chart_derivatives, chart_differences
from dalembert.integrate.chart.chart_memory import ChartMemory
from dalembert.integrate.chart.chart_pattern import (
    FirstRows,
    certain_pattern,
    chart_shape,
    full_pattern,
    known_pattern,
)
from dalembert.integrate.frame.method_layout import MethodLayout
from dalembert.integrate.implicit.jacobian import SHORT_NAMES, Jacobian, jacobian_kind
from dalembert.integrate.implicit.layout import (
    FirstColumns,
    KnownColumns,
    keys_of,
    lay_out_differences,
    pattern_of,
)
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
    "central": ChartStrategy(chart_derivatives.central),
}
#: Those that take differences of accelerations, and no derivatives of rows.
_OF_ACCELERATIONS = ("numeric", "central")
#: Names that all implicit methods know; "exact" is "analytic", or "columns" where something depends on reactions, which
#: differences of rows by groups of columns, or by single ones, are followed by as well.
_COMMON = {"auto": "auto", "exact": "exact", "dense": "numeric", "grouped": "grouped", "estimated": "estimated"}
#: Strategies that difference rows, and the pattern by which.
DIFFERENCED = {"full": "full", "grouped": "known", "estimated": "estimated"}
#: Threads that columns may be divided among.
MOST_THREADS = 64


def reduction_of(given: str | Jacobian) -> str:
    """The strategy in a chart that is meant by an option ``jacobian``, or an error that says which there are."""
    known = (*_COMMON, *REDUCTIONS)
    name = _short_name(given) if isinstance(given, Jacobian) else given
    if not isinstance(name, str) or name not in known:
        raise SimulationError(f"there is no Jacobian strategy '{name!s:.40}'; {suggestion(str(name), known)}")
    return _COMMON.get(name, name)


def _short_name(given: Jacobian) -> str:
    """The short name of what a Jacobian(…) says of its evaluation."""
    if not given.known_columns:
        raise SimulationError(
            "Jacobian: known_columns=False is for methods on the stabilised index-2 form; in a chart M is needed as it "
            "is, and there is no μ. Leave it away"
        )
    if given.evaluation == "exact" or (given.evaluation, given.pattern) == ("auto", "auto"):
        return given.evaluation
    patterns = {one.pattern: name for name, one in SHORT_NAMES.items() if one.evaluation == "differences"}
    return patterns.get(given.pattern, "grouped")


def update_of(given: str | Jacobian) -> str:
    """What is done for another step size: "none", all derivatives are evaluated anew; else they are kept."""
    update = given.update if isinstance(given, Jacobian) else "auto"
    if update == "extended":
        raise SimulationError(
            "Jacobian: update='extended' is for methods on the stabilised index-2 form ('radau', 'bdf'), whose columns "
            "stay the same; those of a chart turn with the mechanism that excitations move, and derivatives that "
            "follow would belong to another chart. Ask for update='partitioned', or leave it away"
        )
    return update


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
    """Programs that a strategy takes of these equations, besides the contract; "auto" and differences take what there
    is, the latter for T a + Ṫ v, and "grouped" for the pattern."""
    if name in DIFFERENCED:
        wanted = ("reduced", "implicit") if name == "grouped" else ("reduced",) if not equations.unit_T else ()
        return tuple([one for one in wanted if not equations.lacks(one)][:1])
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
    contract, n_d = providers["contract"].patterns, 2 * f + s.u + 1
    values: dict[str, int] = {
        "n_f": f, "n_s": 2 * f + s.u, "n_d": n_d, "jacobian_age": -1, "by_stages": -1,
        "has_reduced": "reduced" in providers,
    }  # fmt: skip
    contents: dict[str, Any] = {}
    sizes: dict[str, int] = {}
    if not equations.unit_T:
        auxiliary = [place for block in equations.auxiliary_places for place in block]
        contents["T_seen"] = (~np.isin(contract["T"].rows, auxiliary)).astype(int)
        sizes["chart_T"] = len(contract["T"].rows)
    if not equations.C_is_G:
        contents |= {"C_rows": contract["C"].rows, "C_columns": contract["C"].columns}
        sizes |= {"block_C": s.g * s.g, "block_C_pivots": s.g}
        sizes |= {"block_C_first": 2 * s.g + 1, "block_C_columns": s.g * s.g, "block_C_values": s.g * s.g}
    depends = len(contract["F"].rows) > 0
    if strategy == "directional":
        values |= {"at_gv": 0, "at_qdot": s.lam}
        n_moved = s.q + s.v + s.u + 1
        sizes |= {"change": n_moved, "chart_directions": n_moved * n_d, "responses": (s.lam + s.q) * n_d}
    elif strategy in DIFFERENCED:
        made = _of_differences(equations, providers, DIFFERENCED[strategy])
        values |= made.values
        contents |= made.contents
        sizes |= made.sizes
        depends = depends or len(made.contents["external_entries"]) > 0
        return made._replace(
            values=values, contents=contents, sizes=sizes,
            kernels={**made.kernels, "reduction_kernel": REDUCTIONS["columns" if depends else "analytic"].kernel},
        )  # fmt: skip
    elif "reduced" in providers and strategy not in _OF_ACCELERATIONS:
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


def _of_differences(equations: Equations, providers: Mapping[str, Provider], pattern: str) -> MethodLayout:
    """Rows of the contract by all columns, by those that may be in them, or by an estimate of that."""
    s, contract = equations.sizes, providers["contract"].patterns
    first, row, (n, width) = FirstColumns.of(s), FirstRows.of(equations), chart_shape(equations)
    if pattern == "full":
        found = full_pattern(equations)
    elif pattern == "known":
        found = known_pattern(equations, providers)
    else:
        found = certain_pattern(equations, contract)
        if "estimated" in contract:
            keys = np.union1d(keys_of(found), keys_of(contract["estimated"]))
            found = pattern_of(found.shape, keys)
    # Accelerations enter by M, and there is no μ; reactions count where external dynamics see them.
    of_lam = (found.columns >= first.lam) & (found.columns < first.mu)
    seen = s.u and (pattern == "estimated" or (of_lam & (found.rows >= row.d) & (found.rows < row.qdot)).any())
    known = np.zeros(width, dtype=bool)
    known[first.a : first.lam] = known[first.mu : first.u] = True
    known[first.lam : first.mu] = not seen
    mass = (first.a + contract["M"].columns) * n + contract["M"].rows
    keys = np.unique(np.concatenate([keys_of(found)[~known[found.columns]], mass]))
    found = pattern_of(found.shape, keys)
    option, none = Jacobian("differences", pattern), np.zeros(0, dtype=np.int64)
    lists = {"known_mass": np.searchsorted(keys, mass), "known_drift": none, "known_T": none, "known_C": none}
    groups, listed = lay_out_differences(found, option, KnownColumns(known, lists))
    without_mu = Pattern((n, width - s.g), found.rows, found.columns - np.where(found.columns >= first.u, s.g, 0))
    places, entries = _entries(equations, without_mu)
    values = {**groups, **places, "n_equations": n, "jacobian_kind": jacobian_kind(option)}
    if pattern == "estimated":
        values["pattern_estimated"] = 2 if "estimated" in contract else 1
    n_d = 2 * (s.v - s.lam) + s.u + 1
    sizes = {
        "jacobian": len(keys), "derivatives": len(keys), "residual": s.v, "ga": s.lam,
        "chart_directions": (s.q + s.v + s.u + 1) * n_d, "responses": n * n_d,
    }  # fmt: skip
    contents = {**listed, **entries, "M_rows": contract["M"].rows, "M_columns": contract["M"].columns}
    works = {"all_differences": lambda run: run.n_equations * run.n_columns} if pattern == "estimated" else {}
    return MethodLayout(values, contents, sizes, {}, {"rows_kernel": chart_differences.chart_rows}, works=works)


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
