"""Runs as tables: one column of numbers for each coordinate, velocity, …, sensor, and one row for each time."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.arguments import texts
from dalembert.errors import suggestion
from dalembert.instant import acceleration_name
from dalembert.solution.dense_output import Array
from dalembert.solution.naming import spelled
from dalembert.solution.solution_errors import SolutionError, UnknownNameError

if TYPE_CHECKING:
    from dalembert.solution.solution import Solution


def columns(solution: Solution, names: Sequence[str]) -> dict[str, Array]:
    """Rows of the motion and sensors that are one number, by name; all of them, or those that are asked for."""
    found: dict[str, Array] = {}
    for kind in ("q", "v", "u", "lam"):
        for name, row in zip(solution.names[kind], getattr(solution, kind), strict=True):
            found.setdefault(name, row)
    for name, row in zip(solution.names["v"], solution.a, strict=True):
        found.setdefault(acceleration_name(name), row)
    wanted = texts(names, "Solution: names of columns", SolutionError)
    if not wanted:
        return found | {name: rows for name, rows in solution.outputs.items() if rows.ndim == 1}
    for name in wanted:
        if name in found:
            continue
        if name not in solution.outputs:
            known = suggestion(name, [*found, *solution.outputs])
            raise UnknownNameError(f"the solution has nothing called '{name}'; {known}")
        rows = solution.outputs[name]
        found[name] = rows
    return {head: row for name in wanted for head, row in _components(solution, name, found[name]).items()}


def _components(solution: Solution, name: str, rows: Array) -> dict[str, Array]:
    """Columns of something that may be a vector: by the names of its components, if they have any."""
    if rows.ndim == 1:
        return {name: rows}
    flat = rows.reshape(-1, rows.shape[-1])
    named = [one for one in solution.outputs if one.rpartition(".")[0] == name and solution.outputs[one].ndim == 1]
    heads = named if len(named) == len(flat) else [f"{name}[{k}]" for k in range(len(flat))]
    return dict(zip(heads, flat, strict=True))


def _imported(name: str) -> Any:
    """A package of the extra "tables"."""
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        raise SolutionError(
            f"Solution: this needs {name}, which is not installed: pip install 'dalembert[tables]'."
        ) from None


def to_pandas(solution: Solution, names: Sequence[str]) -> Any:
    """See :meth:`Solution.to_pandas`."""
    pandas = _imported("pandas")
    frame = pandas.DataFrame(columns(solution, names), index=pandas.Index(np.array(solution.t), name="t"))
    frame.attrs.update({"title": solution.title, "method": solution.method, "units": dict(solution.units)})
    return frame


def to_xarray(solution: Solution, names: Sequence[str]) -> Any:
    """See :meth:`Solution.to_xarray`."""
    xarray = _imported("xarray")
    variables = {
        name: ("t", np.array(row), {"units": solution.units[name]} if name in solution.units else {})
        for name, row in columns(solution, names).items()
    }
    about = {"title": solution.title, "method": solution.method, "message": solution.message}
    return xarray.Dataset(variables, {"t": ("t", np.array(solution.t), {"units": "s"})}, about)


def to_csv(solution: Solution, path: Path, names: Sequence[str]) -> Path:
    """See :meth:`Solution.to_csv`."""
    table = {"t": solution.t, **columns(solution, names)}
    units = {"t": "s", **solution.units}
    if not path.parent.is_dir():
        raise SolutionError(f"cannot write '{path}': there is no directory '{path.parent}'.")
    with open(path, "w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow([f"{name} [{spelled(unit)}]" if (unit := units.get(name)) else name for name in table])
        writer.writerows(zip(*(map(repr, column.tolist()) for column in table.values()), strict=True))
    return path
