"""Exceptions shared by all layers.

DalembertError
├── SymbolicError            an expression, symbol or shape is wrong (also a ``ValueError``)
│   ├── UnknownSymbolError   a name or symbol that nobody declared (also a ``KeyError``)
│   ├── SymbolicTypeError    an atom was used where only a number can stand (also a ``TypeError``)
│   └── TreeError            bases or points that do not hang on the same tree
├── EquationsError           equations of motion that do not fit together (also a ``ValueError``)
│   ├── ConstraintError      constraints that are redundant, contradict each other or cannot be met
│   ├── NotFiniteError       a quantity or derivative that is not finite
│   └── StateError           a state that does not fit the equations, or is not finite
├── ModelError               a body, joint or force that cannot be as it was described (also a ``ValueError``)
├── ExportError              a simulation that cannot be written as C (also a ``ValueError``)
├── SimulationError          a run that cannot be started as it was asked for (also a ``ValueError``)
├── MissingFileError         a file or folder is not there (also a ``FileNotFoundError``)
└── MissingExtraError        an optional dependency is not installed (also an ``ImportError``)

DalembertWarning             something was done otherwise than it was written (a ``UserWarning``)
└── ModelWarning             a body was placed, or its inertia changed, so that it fits to the rest
"""

from __future__ import annotations

import difflib
import os
import sys
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path

_PACKAGE = f"{Path(__file__).parent}{os.sep}"


class DalembertError(Exception):
    """Base class of every error that dalembert raises on purpose."""


class SymbolicError(DalembertError, ValueError):
    """A symbolic expression, shape or declaration is wrong."""


class UnknownSymbolError(SymbolicError, KeyError):
    """A symbol was asked for that was never declared."""

    def __str__(self) -> str:  # KeyError would print the message with quotes around it
        return str(self.args[0]) if self.args else ""


class SymbolicTypeError(SymbolicError, TypeError):
    """An atom was used where Python or NumPy needs a plain number."""

    #: the same for the law of a model, which is called with expressions: what does not work, and what to write
    in_law = ""


class TreeError(SymbolicError):
    """Bases or points of different trees were combined."""


class EquationsError(DalembertError, ValueError):
    """Equations of motion whose parts do not fit together."""


class ConstraintError(EquationsError):
    """Constraints that are redundant, contradict each other or cannot be met."""

    #: the constraint that cannot be met, where it is one, and how far it is from that
    row: str = ""
    residual: float = 0.0


class NotFiniteError(EquationsError):
    """A quantity of the equations, or a derivative, that is not finite; ``what`` names it."""

    def __init__(self, what: str, message: str) -> None:
        super().__init__(message)
        self.what = what

    def __reduce__(self) -> tuple[type[NotFiniteError], tuple[str, str]]:
        return NotFiniteError, (self.what, str(self))


class StateError(EquationsError):
    """A state that does not fit the equations, or is not finite."""


class ModelError(DalembertError, ValueError):
    """A body, joint, force or shape that cannot be as it was described."""


class ExportError(DalembertError, ValueError):
    """A simulation that cannot be exported as it was asked for."""


class SimulationError(DalembertError, ValueError):
    """A run cannot be started as it was asked for."""


class MissingFileError(DalembertError, FileNotFoundError):
    """A file that is to be read, or the folder of one that is to be written, is not there."""


class MissingExtraError(DalembertError, ImportError):
    """An optional dependency is needed and not installed."""

    def __init__(self, feature: str, package: str, extra: str) -> None:
        super().__init__(f"{feature} needs the package '{package}'; install it with: pip install 'dalembert[{extra}]'")


class DalembertWarning(UserWarning):
    """Base class of every warning of dalembert: something was done otherwise than it was written."""


class ModelWarning(DalembertWarning):
    """A body, joint or force is not as it was described."""


_RAISED_BY = "raised by "


def note_culprit(error: Exception, who: str) -> None:
    """Say with an exception of a user's function which function has raised it."""
    if not raised_by(error):
        error.add_note(_RAISED_BY + who)


def raised_by(error: BaseException) -> str:
    """The function that :func:`note_culprit` has named with an exception, or with its cause; or nothing."""
    notes = (note for note in getattr(error, "__notes__", ()) if str(note).startswith(_RAISED_BY))
    found = next(notes, "")
    if not found and error.__cause__ is not None:
        return raised_by(error.__cause__)
    return str(found).removeprefix(_RAISED_BY)


def lacks_value(error: BaseException) -> bool:
    """Whether an exception of a user's function says that it has no value at a point, such as the logarithm of a
    negative number; points that a motion only might come to are then left out, with a note."""
    return isinstance(error, (ValueError, ArithmeticError)) and not isinstance(error, DalembertError)


def suggestion(name: object, valid: Iterable[object], limit: int = 12) -> str:
    """Half a sentence that helps after an unknown ``name``: the nearest valid one, or the list of all."""
    names = sorted(str(one) for one in valid)
    if not names:
        return "none are declared"
    near = difflib.get_close_matches(name, names, n=1) if isinstance(name, str) else []
    if isinstance(name, str) and name.count(".") > 1:
        first, *_, last = name.split(".")
        near = [f"{first}.{last}"] if f"{first}.{last}" in names else near  # A.angle.rate: A has one coordinate, A.rate
    return (f"did you mean '{near[0]}'? " if near else "") + f"Valid names are: {some(names, limit)}"


def some(names: Sequence[str], limit: int = 12) -> str:
    """The first of some names."""
    return ", ".join(names[:limit]) + (", …" if len(names) > limit else "")


def warn_caller(message: str, category: type[Warning]) -> None:
    """Warn at the line outside of this package that called it, however deep inside it was noticed."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
