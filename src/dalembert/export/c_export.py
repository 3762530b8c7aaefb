"""The door: a simulation with steps of one size becomes a folder of C99."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from dalembert.arguments import file_path
from dalembert.equations import Equations
from dalembert.errors import ExportError, SymbolicError
from dalembert.export.c_simulation import files_of
from dalembert.export.simulation import simulation, start_name
from dalembert.integrate import Method
from dalembert.symbolic.emit.c_text import check_prefix


def export_c(
    equations: Equations | Any,
    method: Method | str,
    directory: str | Path,
    *,
    name: str,
    start: Any = None,
    t: float | None = None,
    parameters: Mapping[str, Any] | None = None,
    inputs: Iterable[str] = (),
    outputs: Any = None,
    units: Mapping[str, str] | None = None,
    redundant: str = "refuse",
) -> list[Path]:
    """Write a whole simulation as standalone C99 into ``directory``; returns the files, the header first.

    The C program makes the steps that :func:`dalembert.simulate` makes with the same method, with the same operations
    in the same order: ``NAME_init``, ``NAME_step``, ``NAME_read``.  It needs libm and nothing else, allocates nothing
    and has no variables outside of its state.  Beside it are written an example that prints outputs (``NAME_main.c``),
    one that measures times (``NAME_timing.c``), a ``Makefile`` and a ``README.md``.

    :param equations: of a model with ``builder="symbolic"`` or of :func:`dalembert.trace`; or a problem
    :param method: one with steps of one size: ``da.Imex(step=1e-3)``, ``da.LinearlyImplicitEuler(step=1e-3)`` and the
        other methods for them, or an explicit Runge–Kutta method, ``da.Dopri5(controller=da.FixedStep(size=1e-3))``
    :param name: what files, types and functions are called; an identifier of C
    :param start: as for :func:`dalembert.simulate`; of a model, as it is described if left away
    :param t: time of the start; that of a State, or 0
    :param parameters: values other than the defaults of the equations
    :param inputs: excitations (``m.input``) and parameters that are given anew at every step, by name
    :param outputs: names of sensors, coordinates, multipliers and reactions (``"crank.force"``), or quantities; or by
        name such names, quantities or functions of ``t, q, v, a, lam, u, p``.  All sensors if left away, or else all
        coordinates and velocities
    :param units: units of inputs and outputs by name, for comments
    :param redundant: "accept" constraints that say the same; those that depend on others at the start are left out, as
        in a run, and no output may look at multipliers then.  C keeps the rest for good
    """
    prefix = start_name(name)
    try:
        check_prefix(prefix)
    except SymbolicError as error:
        raise ExportError(f"export_c: {error}".replace("prefix for the exported function", "name")) from None
    folder = file_path(directory, "export_c: directory", ExportError)
    found = simulation(equations, method, prefix, start, t, parameters, inputs, outputs, units, redundant)
    contents = files_of(found)
    try:
        return _written(contents, folder, prefix)
    except OSError as error:
        raise ExportError(
            f"export_c: files cannot be written to {folder}: {error.strerror or error}; give another directory, or "
            "another name if that is too long"
        ) from error


def _written(contents: Mapping[str, str], folder: Path, prefix: str) -> list[Path]:
    """Files of these contents, in place of those of a larger simulation that was exported there before."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(f"{prefix}_*.c"):
        if re.fullmatch(rf"{prefix}_[a-z]+_part[0-9]+\.c|{prefix}_tables\.c", old.name):
            old.unlink()
    written = []
    for file, content in contents.items():
        path = folder / file
        path.write_text(content, encoding="utf-8")
        written.append(path)
    return written
