"""Formulas as functions that models call: laws of forces, relations between coordinates, rates of states."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dalembert.io.formulas import FormulaError, FormulaName, FormulaPart, evaluated
from dalembert.symbolic import array

#: components of vectors in the plane and in space
_AXES = ("x", "y", "z")


@dataclass(frozen=True)
class LawFunction:
    """Formulas as a function with named arguments; its result is a number, or as many as there are formulas in a list.

    ``arguments`` are asked for by name; ``calls`` says which argument a name with dots stands for; ``labels`` are the
    components that vectors have.
    """

    parts: tuple[FormulaPart, ...]
    single: bool
    arguments: tuple[str, ...]
    calls: tuple[tuple[str, tuple[str, tuple[int, ...]]], ...] = ()
    constants: tuple[tuple[str, float], ...] = ()
    parameters: frozenset[str] = frozenset()
    inputs: frozenset[str] = frozenset()
    labels: tuple[str, ...] = _AXES
    tables: Mapping[str, Any] = field(default_factory=dict, compare=False)
    #: names of tables, by which functions are compared
    uses: tuple[tuple[str, bytes], ...] = ()

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.Signature([inspect.Parameter(one, inspect.Parameter.KEYWORD_ONLY) for one in self.arguments])

    @property
    def __name__(self) -> str:
        return "formula"

    def __call__(self, **values: Any) -> Any:
        calls, constants = dict(self.calls), dict(self.constants)

        def resolve(name: FormulaName) -> Any:
            whole = ".".join(name.parts)
            if whole in calls:
                argument, entries = calls[whole]
                return indexed(values[argument], (*entries, *name.indices), name)
            first, rest = name.parts[0], name.parts[1:]
            if first in values and first not in ("p", "w"):
                return indexed(component(values[first], rest, self.labels, name), name.indices, name)
            if first in ("p", "w") and rest:
                return indexed(getattr(values[first], rest[0]), name.indices, name)
            if first in constants:
                return constants[first]
            where = "p" if first in self.parameters else "w"
            return indexed(getattr(values[where], first), name.indices, name)

        found = [evaluated(part, resolve, self.tables) for part in self.parts]
        return found[0] if self.single else array(found)


def component(value: Any, parts: tuple[str, ...], labels: tuple[str, ...], name: FormulaName) -> Any:
    """A component of a vector by its letter."""
    for part in parts:
        if not isinstance(value, np.ndarray) or part not in labels:
            raise FormulaError(f"'{name.text}' has no component '{part}'; vectors have {', '.join(labels)}", name.span)
        value = value[labels.index(part)]
    return value


def indexed(value: Any, indices: tuple[int, ...], name: FormulaName) -> Any:
    """An entry of an array."""
    if not indices:
        return value
    try:
        return value[indices]
    except (IndexError, TypeError):
        raise FormulaError(f"'{name.text}' has no such entry", name.span) from None
