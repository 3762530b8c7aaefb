"""What commands work on: models by file, name or Python function; values of parameters; stored runs."""

from __future__ import annotations

import ast
import importlib
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dalembert as da
from dalembert import io, problems
from dalembert.errors import DalembertError, suggestion
from dalembert.io.units import QUANTITY, UnitError, factor_between
from dalembert.problems.mechanisms import Example


class UsageError(DalembertError):
    """What was asked for cannot be: a wrong name, value or file."""


@dataclass(eq=False)
class Subject:
    """A model or problem, ready to run."""

    title: str
    #: name for files that are made of it
    stem: str
    equations: Any
    span: tuple[float, float]
    start: Any
    options: dict[str, Any] = field(default_factory=dict)
    events: tuple[Any, ...] = ()
    output: float | None = None
    file: io.ModelFile | None = None
    problem: Any = None

    def begin(self, parameters: dict[str, Any]) -> Any:
        """The start, with other values of parameters."""
        return self.start(parameters) if callable(self.start) else self.start


def subject(text: str, allow_python: bool = False) -> Subject:
    """What a user means by MODEL."""
    path = Path(text)
    if text.endswith(".toml") or (os.sep in text and ":" not in text):
        return of_file(io.load_model(path, allow_python=allow_python), path.stem)
    if ":" in text:
        return _of_python(text, allow_python)
    known = io.example_names()
    for name in (text, text.replace("_", "-")):
        if name in known:
            return of_file(io.load_example(name), name)
    plain = text.replace("-", "_")
    if plain in problems.names():
        return _of_problem(problems.get(plain), plain)
    if path.suffix == ".nc":
        raise UsageError(
            f"'{text}' is a run, no model; dalembert plot, report, compare and export look at runs, and dalembert run "
            "MODEL.toml --resume goes on with one"
        )
    if path.exists():
        raise UsageError(f"'{text}' is no model; a model file ends in .toml")
    raise UsageError(f"there is no model '{text}'; {suggestion(text, [*known, *problems.names()])}")


def of_file(file: io.ModelFile, stem: str) -> Subject:
    """A model file."""
    events = tuple(
        da.Event(one.quantity, direction=one.direction, terminal=one.stops, name=one.name)  # type: ignore[arg-type]
        for one in file.events
    )
    return Subject(file.title, stem, file.equations, file.span, file.assembled, file.options, events,
                   file.run.get("output"), file)  # fmt: skip


def _of_problem(problem: Any, stem: str) -> Subject:
    return Subject(problem.title, stem, problem.equations, problem.span, problem.start, problem=problem)


def _of_python(text: str, allow_python: bool) -> Subject:
    if not allow_python:
        raise UsageError(f"'{text}' is Python code, which runs only with --allow-python")
    module, _, name = text.partition(":")
    sys.path.insert(0, os.getcwd())
    try:
        found = getattr(importlib.import_module(module), name)
        made = found() if callable(found) else found
    except Exception as error:  # code of the user may raise anything
        raise UsageError(f"'{text}' cannot be used: {type(error).__name__}: {error}") from None
    finally:
        sys.path.pop(0)
    if isinstance(made, da.Model):
        made = io.ModelFile(made)
    if isinstance(made, io.ModelFile):
        return of_file(made, name)
    if isinstance(made, Example):
        equations = made.model.equations()
        given = {"redundant": made.redundant}
        return Subject(made.model.name, name, equations, made.span,
                       lambda parameters: made.assemble(equations, parameters=parameters), given)  # fmt: skip
    if isinstance(made, problems.Problem):
        return _of_problem(made, name)
    raise UsageError(f"'{text}' gives a {type(made).__name__}; a Model, ModelFile, Example or Problem is needed")


def parameters_of(given: Sequence[str], one: Subject) -> dict[str, Any]:
    """Values of parameters from texts NAME=VALUE, in SI or with a unit."""
    found: dict[str, Any] = {}
    known = one.equations.parameters
    for item in given:
        name, sign, text = item.partition("=")
        if not sign or not name:
            raise UsageError(f"a parameter is given as NAME=VALUE, got '{item}'")
        if name not in known:
            raise UsageError(f"'{one.title}' has no parameter '{name}'; {suggestion(name, known)}")
        note = one.file.notes.get(name) if one.file is not None else None
        value = _value(text, item, f"parameter '{name}'", note.unit if note else "")
        bounds = note.bounds if note else None
        if bounds is not None and isinstance(value, float) and not bounds[0] <= value <= bounds[1]:
            raise UsageError(f"parameter '{name}' must be between {bounds[0]:g} and {bounds[1]:g}, got {value:g}")
        found[name] = value
    return found


def _value(text: str, item: str, what: str, unit: str) -> Any:
    measured = QUANTITY.fullmatch(text)
    if measured is not None:
        try:
            return float(measured[1]) * factor_between(measured[2], unit, what)
        except UnitError as error:
            raise UsageError(f"'{item}': {error}") from None
    try:
        value = ast.literal_eval(text)  # numbers and lists of them
        return [float(one) for one in value] if isinstance(value, (list, tuple)) else float(value)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise UsageError(f"'{item}': a number is needed, with a unit if you like") from None


def stored_run(text: str) -> da.Solution:
    """A run from its file."""
    path = Path(text)
    if not path.exists():
        raise UsageError(f"there is no file '{text}'")
    return da.load(path)
