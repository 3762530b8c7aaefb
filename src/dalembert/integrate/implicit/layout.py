"""Where the entries of Jacobians stand: lists for K, M and the Newton matrices, plans of their factorisation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dalembert.equations import Equations
from dalembert.equations.contract.equations import Sizes
from dalembert.equations.contract.provider import Ints, Pattern, Provider, products
from dalembert.errors import SimulationError, suggestion
from dalembert.integrate.frame.method_layout import MethodLayout
from dalembert.integrate.implicit.jacobian import (
    LARGEST_ESTIMATE,
    Jacobian,
    chosen_jacobian,
    implicit_rows,
    jacobian_kernel,
    jacobian_kind,
)
from dalembert.linalg.factors.sparse_lu import analyse, value_size
from dalembert.linalg.grouping import column_groups
from dalembert.linalg.orders.order import saddle_order, symmetric_neighbours
from dalembert.linalg.plan import DENSE, SPARSE

#: From this many unknowns of a stage on, matrices are factorised as sparse ones.
SPARSE_FROM = 90


class FirstColumns(NamedTuple):
    """Where the columns q, v, a, λ, μ, u of the program "implicit" begin."""

    q: int
    v: int
    a: int
    lam: int
    mu: int
    u: int
    end: int

    @classmethod
    def of(cls, s: Sizes) -> FirstColumns:
        """Of equations with these sizes."""
        return cls(*np.cumsum([0, s.q, s.v, s.v, s.lam, s.g, s.u]).tolist())


def lay_out_implicit(
    equations: Equations, providers: Mapping[str, Provider], given: str | Jacobian, solver: str, update: str = "auto"
) -> MethodLayout:
    """Lists for the unknowns (q, v, μ, λ, u) from the columns (q, v, a, λ, μ, u) of the program; ``update`` is what the
    method does by itself for another α."""
    s = equations.sizes
    n_q, n_v, n_g, n_lam, n_u = s.q, s.v, s.g, s.lam, s.u
    n_x = n_q + n_v + n_g + n_lam + n_u
    first, chosen = FirstColumns.of(s), chosen_jacobian(given, providers["implicit"], update)
    pattern, known = _entries(equations, providers, chosen)
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
    of_a = (pattern.columns >= first.a) & (pattern.columns < first.lam)
    is_mass = of_a & (rows >= n_q) & (rows < n_q + n_v)
    in_K, mass = np.flatnonzero(~of_a), np.flatnonzero(is_mass)
    ones = np.concatenate([np.arange(n_q), np.arange(n_x - n_u, n_x)])
    used = np.concatenate([rows[~of_a | is_mass] * n_x + columns[~of_a | is_mass], ones * n_x + ones])
    values: dict[str, int] = {
        "n_x": n_x, "n_K": in_K.size, "n_mass": mass.size, "n_entries": np.unique(used).size, "jacobian_age": -1,
        "n_equations": n_x, "by_stages": -1, "jacobian_kind": jacobian_kind(chosen),
        "renews_for_alpha": chosen.update == "none", "updates_mass": chosen.update in ("partitioned", "extended"),
    }  # fmt: skip
    contents: dict[str, Any] = {
        "K_source": in_K, "K_rows": rows[in_K], "K_columns": columns[in_K],
        "mass_source": mass, "mass_rows": rows[mass] - n_q, "mass_columns": columns[mass] - n_q,
    }  # fmt: skip
    if "contract" in providers:
        M = providers["contract"].patterns["M"]
        contents["mass_of_M"] = _places(contents["mass_rows"], contents["mass_columns"], M)
    contents["one_rows"] = ones
    sizes = {"jacobian": len(rows)}
    if n_x >= SPARSE_FROM and solver != "dense" and chosen.pattern != "full":
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
    works = {}
    if chosen.evaluation != "exact":
        differences, lists = lay_out_differences(pattern, chosen, known)
        values |= differences
        contents |= lists
    if chosen.update == "extended":
        followed, lists = _followed(equations, providers, chosen, pattern, in_K)
        values |= followed
        contents |= lists
    if chosen.pattern == "estimated":
        values["pattern_estimated"] = 2 if "estimated" in providers["implicit"].patterns else 1
        works["all_differences"] = lambda run: run.n_equations * run.n_columns
    vectors = {"K_sign": np.where(negative, -1.0, 1.0)}
    kernels = {"jacobian_kernel": jacobian_kernel(chosen), "rows_kernel": implicit_rows}
    return MethodLayout(values, contents, sizes, vectors, kernels, works=works)


# ----------------------------------------------------------------------------------------------------------- entries


class KnownColumns(NamedTuple):
    """Columns that are not differenced, and where their entries come from."""

    columns: NDArray[np.bool_]
    lists: Mapping[str, Ints]


def _entries(
    equations: Equations, providers: Mapping[str, Provider], chosen: Jacobian
) -> tuple[Pattern, KnownColumns | None]:
    """Entries of the slot jacobian, column by column, and those of them that are known."""
    provider = providers["implicit"]
    given = provider.patterns["jacobian"]
    if chosen.evaluation == "exact":
        return given, None
    n, width = given.shape
    contract = providers["contract"].patterns
    if chosen.pattern == "full":
        keys = np.arange(n * width)
    elif chosen.pattern == "known":
        keys = keys_of(given)
    else:
        if n > LARGEST_ESTIMATE:
            raise SimulationError(
                f"'{equations.name}' has {n} unknowns; patterns are estimated for at most {LARGEST_ESTIMATE}, as all "
                "rows are differenced by all columns. Ask for jacobian='grouped'"
            )
        keys = _certain(equations.sizes, contract)
        if "estimated" in provider.patterns:
            keys = np.union1d(keys, keys_of(provider.patterns["estimated"]))
    if not chosen.known_columns:
        return pattern_of(given.shape, np.unique(keys)), None
    first, M, columns = FirstColumns.of(equations.sizes), contract["M"], np.zeros(width, dtype=bool)
    columns[first.a : first.lam] = True
    mass = (first.a + M.columns) * n + first.v + M.rows
    drift, lists = np.zeros(0, dtype=np.int64), {}
    if provider.drift_in_velocities:
        columns[first.mu : first.u] = True
        coordinates, constraints, in_T, in_C = products(contract["T"], contract["C"])
        drift = (first.mu + constraints) * n + coordinates
        lists = {"known_T": in_T, "known_C": in_C}
    keys = np.unique(np.concatenate([keys[~columns[keys // n]], mass, drift]))
    lists |= {"known_mass": np.searchsorted(keys, mass), "known_drift": np.searchsorted(keys, drift)}
    return pattern_of(given.shape, keys), KnownColumns(columns, lists)


def keys_of(pattern: Pattern) -> Ints:
    return pattern.columns * pattern.shape[0] + pattern.rows


def pattern_of(shape: tuple[int, int], keys: Ints) -> Pattern:
    return Pattern(shape, keys % shape[0], keys // shape[0])


def _certain(s: Sizes, contract: Mapping[str, Pattern]) -> Ints:
    """Entries that an estimate must not miss: T, M, C and G, wherever they stand."""
    first, n = FirstColumns.of(s), s.q + s.v + s.g + s.lam + s.u
    T, M, G, C = (contract[key] for key in ("T", "M", "G", "C"))
    at_g, at_gv = s.q + s.v, s.q + s.v + s.g
    by_mu, of_g, _, _ = products(T, C)
    blocks = [
        (T.rows, first.v + T.columns), (s.q + M.rows, first.a + M.columns), (by_mu, first.mu + of_g),
        (at_g + of_g, by_mu), (at_gv + G.rows, first.v + G.columns), (s.q + G.columns, first.lam + G.rows),
    ]  # fmt: skip
    return np.unique(np.concatenate([columns * n + rows for rows, columns in blocks]))


def _places(rows: Ints, columns: Ints, M: Pattern) -> Ints:
    """Where the entries of a matrix stand in a list, −1 for those that do not."""
    listed = {pair: k for k, pair in enumerate(zip(rows.tolist(), columns.tolist(), strict=True))}
    pairs = zip(M.rows.tolist(), M.columns.tolist(), strict=True)
    return np.array([listed.get(pair, -1) for pair in pairs], dtype=np.int64)


def _followed(
    equations: Equations, providers: Mapping[str, Provider], chosen: Jacobian, pattern: Pattern, in_K: Ints
) -> tuple[dict[str, int], dict[str, Any]]:
    """Excitations, driven columns and constraints that K follows, and where derivatives by excitations stand in K."""
    s, given = equations.sizes, providers["implicit"].patterns["jacobian"]
    first, driven, known = FirstColumns.of(s), driven_columns(s, given), equations.excitation_names
    timed = {
        k: {equations.names["lam"][k], *excitations}
        for k, excitations in equations.timed_constraints.items()
        if _coordinates_of(s, given, k).size > 1
    }
    names = [*(equations.names["q"][i] for i, _ in driven), *(equations.names["lam"][k] for k in timed), *known]
    if wrong := [name for name in chosen.excitations or () if name not in names]:
        raise SimulationError(
            f"'{equations.name}' has no excitation or driven coordinate '{wrong[0]:.80}' that a Jacobian can follow; "
            f"{suggestion(wrong[0], names)}"
        )
    columns: list[int] = []
    for i, velocity in driven:
        if chosen.excitations is None or equations.names["q"][i] in chosen.excitations:
            columns += [i] if velocity is None else [i, first.v + velocity, first.a + velocity]
    forced = [k for k, of in timed.items() if chosen.excitations is None or of & set(chosen.excitations)]
    values = {"n_driven": len(columns), "n_columns": given.shape[1], "n_forced": len(forced)}
    lists: dict[str, Any] = {"driven": columns, "forced": forced}
    if "excited" in providers:
        by = providers["excited"].patterns["by_excitation"]
        place = np.full(len(pattern.rows), -1)
        place[in_K] = np.arange(in_K.size)
        keys, wanted = keys_of(pattern), keys_of(given)[by.rows]
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        found = np.where(keys[at] == wanted, place[at], -1)
        n_w = by.shape[1] // 2  # excitations, then their rates
        if chosen.excitations is not None:
            found[~np.isin(np.array(known)[by.columns % max(n_w, 1)], chosen.excitations)] = -1
        if (found >= 0).any():
            values["n_excitations"] = by.shape[1]
            lists |= {"excited_place": found, "excited_number": by.columns}
    return values | {"extends": int(bool(columns or forced) or "n_excitations" in values)}, lists


def _coordinates_of(s: Sizes, jacobian: Pattern, k: int) -> Ints:
    """Coordinates in a constraint on positions."""
    columns = jacobian.columns[jacobian.rows == s.q + s.v + k]
    return columns[columns < s.q]


def driven_columns(s: Sizes, jacobian: Pattern) -> list[tuple[int, int | None]]:
    """Coordinates that a constraint drives which has no other one, each with the velocity that does so."""
    at_gv = s.q + s.v + s.g
    found = []
    for k in range(s.g):
        of_q = _coordinates_of(s, jacobian, k)
        columns = jacobian.columns[jacobian.rows == at_gv + k]
        of_v = columns[(columns >= s.q) & (columns < s.q + s.v)] - s.q
        if of_q.size == 1:
            found.append((int(of_q[0]), int(of_v[0]) if of_v.size == 1 else None))
    return found


def _sparse_places(
    equations: Equations, n_x: int, rows: Ints, columns: Ints, ones: Ints
) -> tuple[Mapping[tuple[int, int], int], Ints]:
    """Places of the entries of a sparse Newton matrix, and its plan."""
    s = equations.sizes
    all_rows, all_columns = np.concatenate([rows, ones]), np.concatenate([columns, ones])
    neighbours, diagonal = symmetric_neighbours(n_x, all_rows.tolist(), all_columns.tolist())
    held: dict[int, set[int]] = {k: set() for k in range(s.q + s.v, n_x - s.u)}
    for i, j in zip(all_rows.tolist(), all_columns.tolist(), strict=True):
        if i in held and j not in held:
            held[i].add(j)
    chains = chains_in_matrix(equations, s.q + s.v + s.g)
    plan, places = analyse(n_x, all_rows, all_columns, *saddle_order(neighbours, diagonal, held, chains))
    return places, plan


def chains_in_matrix(equations: Equations, multipliers: int) -> list[list[tuple[int, int]]]:
    """Auxiliary variables and their equations among the unknowns of a Newton matrix, whose multipliers λ stand from a
    place on."""
    n_q = equations.sizes.q
    return [[(n_q + i, multipliers + k) for i, k in chain] for chain in equations.auxiliary_chains]


def lay_out_differences(
    pattern: Pattern, chosen: Jacobian, known: KnownColumns | None
) -> tuple[dict[str, int], dict[str, Any]]:
    """Groups of columns, and the entries of each."""
    width = pattern.shape[1]
    moved = np.flatnonzero(~known.columns) if known is not None else np.arange(width)
    groups, entries = np.full(width, -1), np.flatnonzero(np.isin(pattern.columns, moved))
    if chosen.pattern == "full":
        groups[moved] = np.arange(moved.size)
    else:
        found = column_groups(pattern.rows[entries], pattern.columns[entries], pattern.shape)
        groups[moved] = found[moved]
    of_entry = groups[pattern.columns[entries]]
    n_groups = int(groups.max(initial=-1)) + 1
    starts = np.concatenate([[0], np.cumsum(np.bincount(of_entry, minlength=n_groups))])
    lists = {
        "entry_row": pattern.rows, "entry_column": pattern.columns,
        "entry_group": entries[np.argsort(of_entry, kind="stable")], "group_start": starts, "column_group": groups,
    }  # fmt: skip
    if known is not None:
        lists |= known.lists
    return {"n_groups": n_groups, "n_columns": width, "knows_columns": int(known is not None)}, lists
