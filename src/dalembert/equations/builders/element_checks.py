"""What is asked of a type of element before it becomes part of a system; errors name the element and the remedy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dalembert.arguments import listed, shown, texts, wholes
from dalembert.equations.builders.element_layout import Ints, Kind
from dalembert.equations.contract.convention import INPUTS
from dalembert.equations.contract.expressions import Expressions, symbols_in
from dalembert.errors import EquationsError
from dalembert.symbolic import jacobian, zeros


def checked_places(
    label: str, given: Mapping[str, ArrayLike | None], names: tuple[tuple[str, ...], ...]
) -> tuple[Ints, Ints, Ints]:
    """Places of the local coordinates, velocities and states of each instance; what is None has none."""
    found = {key: None if value is None else _whole_numbers(label, key, value) for key, value in given.items()}
    counts = {key: len(value) for key, value in found.items() if value is not None}
    if not counts:
        raise EquationsError(f"{label}: coordinates must be whole numbers of shape (instances, k)")
    if len(set(counts.values())) > 1:
        listed = ", ".join(f"{count} of {key}" for key, count in counts.items())
        raise EquationsError(f"{label}: the numbers of instances differ: there are {listed}")
    count = next(iter(counts.values()))
    result = []
    for (key, places), known in zip(found.items(), names, strict=True):
        if places is None:
            places = np.zeros((count, 0), dtype=np.int64)
        one = {"coordinates": "coordinate", "velocities": "velocity", "states": "state"}[key]
        bad = (places < 0) | (places >= len(known))
        if bad.any():
            i, j = np.argwhere(bad)[0]
            raise EquationsError(f"{label}: instance {i} refers to {one} {places[i, j]}, but there are {len(known)}")
        ordered = np.sort(places, axis=1)
        twice = np.argwhere(ordered[:, 1:] == ordered[:, :-1])
        if len(twice):
            raise EquationsError(f"{label}: instance {twice[0][0]} names {one} {ordered[tuple(twice[0])]} twice")
        result.append(places)
    if not any(places.shape[1] for places in result):
        raise EquationsError(f"{label}: it refers to no coordinate, velocity or state")
    return result[0], result[1], result[2]


def _whole_numbers(label: str, key: str, given: ArrayLike) -> Ints:
    wanted = "whole numbers of shape (instances, k)"
    places = wholes(given, f"{label}: {key}", EquationsError, wanted=wanted)
    if places.ndim != 2 or not len(places):
        raise EquationsError(f"{label}: {key} must be {wanted}")
    return places


def checked_expressions(
    label: str, x: Expressions, places: tuple[Ints, Ints, Ints], own: Sequence[int], unit: bool
) -> Expressions:
    """Expressions that fit to the numbers of local coordinates, velocities and states."""
    k_q, k_v, k_u = (part.shape[1] for part in places)
    n_g, further = len(x.g), 0 if x.nonholonomic is None else len(x.nonholonomic)
    _check_inputs(label, x, {"t": 1, "q": k_q, "v": k_v, "a": k_v, "u": k_u, "lam": n_g + further, "mu": n_g})
    _check_outputs(label, x, {"M": (k_v, k_v), "f": (k_v,), "T": (k_q, k_v), "d": (k_u,), "normal": (k_q,)})
    if further and set(x.inputs["v"]) & symbols_in(jacobian(x.nonholonomic, x.inputs["v"])):
        raise EquationsError(f"{label}: nonholonomic constraints must be linear in v")
    if len(set(own)) != len(own) or not all(0 <= int(i) < k_q for i in own):
        raise EquationsError(f"{label}: own must be different numbers of its {k_q} local coordinates, got {list(own)}")
    if unit and x.T is not None:
        raise EquationsError(
            f"{label}: T is the identity where velocities are the rates of the coordinates; name the velocities in "
            "Elements(…, velocities=…)"
        )
    if x.T is None and k_q != k_v:
        if (n_g or further or len(own)) and k_q and k_v:
            raise EquationsError(
                f"{label}: it has {k_q} coordinates and {k_v} velocities, so T of q̇ = T v must be given"
            )
        return replace(x, T=zeros((k_q, k_v)))  # nothing is differentiated along the motion
    return x


def _check_inputs(label: str, x: Expressions, widths: Mapping[str, int]) -> None:
    missing = [key for key in INPUTS if key not in x.inputs]
    if missing:
        raise EquationsError(f"{label}: its expressions have no inputs {', '.join(missing)}")
    for key, width in widths.items():
        if len(x.inputs[key]) != width:
            raise EquationsError(
                f"{label}: input {key} of its expressions must have {width} entries, got {len(x.inputs[key])}"
            )


def _check_outputs(label: str, x: Expressions, shapes: Mapping[str, tuple[int, ...]]) -> None:
    given: dict[str, Any] = {"M": x.M, "f": x.f, "T": x.T, "d": x.d, "normal": x.normal}
    for key, shape in shapes.items():
        if given[key] is not None and np.shape(given[key]) != shape:
            raise EquationsError(
                f"{label}: {key} of its expressions must have the shape {shape}, got {given[key].shape}"
            )
    for key, value in {"G_given": x.G_given, "gI_given": x.gI_given, "w": x.w}.items():
        if value is not None:
            raise EquationsError(f"{label}: expressions of elements cannot have {key}")


def checked_row_names(label: str, name: str, given: Sequence[Sequence[str]] | None, count: int, m: int) -> NDArray[Any]:
    """Names of constraints, (instances, rows)."""
    names = np.empty((count, m), dtype=object)
    if given is None:
        for i, row in np.ndindex(count, m):
            names[i, row] = f"{name}[{i}].{row}"
        return names
    what = f"{label}: row_names"
    rows = listed(given, what, EquationsError)
    if len(rows) != count or not all(isinstance(item, (list, tuple, np.ndarray)) and len(item) == m for item in rows):
        raise EquationsError(
            f"{label}: row_names must be {m} names for each of its {count} instances, got {shown(given)}"
        )
    for i, item in enumerate(rows):
        names[i] = list(texts(item, what, EquationsError))
    return names


def check_system(
    name: str,
    kinds: Sequence[Kind],
    coordinates: Sequence[str],
    velocities: Sequence[str],
    states: Sequence[str],
    unit: bool,
) -> None:
    """Whether all is referred to, and all that needs one has one owner."""
    for what, names, places in (
        ("coordinate", coordinates, [kind.coordinates for kind in kinds]),
        ("velocity", velocities, [kind.velocities for kind in kinds]),
    ):
        seen = np.zeros(len(names), dtype=bool)
        for part in places:
            seen[part.ravel()] = True
        if not seen.all():
            raise EquationsError(f"'{name}': no element refers to the {what} {names[int(np.argmin(seen))]}")
    moved = np.zeros(len(states), dtype=bool)
    for kind in kinds:
        if kind.formulas.expressions.d is not None:
            moved[kind.states.ravel()] = True
    if not moved.all():
        raise EquationsError(
            f"'{name}': no element gives the rate of the state {states[int(np.argmin(moved))]}; give d"
        )
    # Where q̇ = v there is nothing to own but what normalises.
    owned = [kind.formulas.normalised if unit else list(kind.formulas.own) for kind in kinds]
    owner = np.full(len(coordinates), -1)
    for k, (kind, local) in enumerate(zip(kinds, owned, strict=True)):
        for column in kind.coordinates[:, local].T:
            again = column[owner[column] >= 0]
            if not len(again):
                owner[column] = k
                different, counts = np.unique(column, return_counts=True)
                again = different[counts > 1]
            if len(again):
                first = kinds[owner[again[0]]].name
                raise EquationsError(
                    f"'{name}': the coordinate {coordinates[again[0]]} has two owners, elements '{first}' and "
                    f"'{kind.name}'; only one may give its rate, so list it in own=… of one of them"
                )
    if not unit and (owner < 0).any():
        raise EquationsError(
            f"'{name}': the coordinate {coordinates[int(np.argmin(owner))]} has no owner; one element must give its "
            "rate: T, with own=…"
        )
