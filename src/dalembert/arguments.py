"""Checks of what users give: whatever it is, it becomes what was asked for, or one error that names the argument.

``what`` begins the message and names the argument, with its owner where there is one ("spring 'strut': stiffness");
``error`` is the class of the error.  Checks cost about a microsecond; they stand at public doors, not in loops.
"""

from __future__ import annotations

import errno
import functools
import inspect
import operator
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import DalembertError, MissingFileError, suggestion

T = TypeVar("T")
_Parameters = ParamSpec("_Parameters")
_Function = TypeVar("_Function", bound=Callable[..., Any])
_SHAPES = {0: "one number", 1: "a list of numbers", 2: "a matrix of numbers"}
Kind = type[DalembertError]

#: Numbers that one argument may hold.
LARGEST_ARRAY = 1 << 27
#: a number with a unit, as model files have them
_WITH_UNIT = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*[A-Za-zµΩ°%].*")
_REAL = np.dtype(float)
_NO_NUMBERS = (str, bytes, np.datetime64, np.timedelta64)
#: Items that a list of names, functions or objects may have; what has no end is refused.
LONGEST_LIST = 1 << 22


def shown(value: object) -> str:
    """What was given, in few characters."""
    try:
        text = repr(value)
    except Exception:  # whatever an object of the user raises
        text = f"a {type(value).__name__}"
    return text if len(text) <= 80 else text[:79] + "…"


def measured(value: Any) -> str:
    """Half a sentence that helps where numbers with units were given; nothing elsewhere."""
    items = value if isinstance(value, (list, tuple)) else [value]
    if not any(isinstance(item, str) and _WITH_UNIT.fullmatch(item) for item in items):
        return ""
    return "; give numbers in SI units (m, kg, s, N, radians), as units belong to model files"


def reals(
    value: Any,
    what: str,
    error: Kind,
    *,
    ndim: int | None = None,
    finite: bool = False,
    wanted: str = "a number or an array of numbers",
) -> NDArray[np.float64]:
    """An array of real numbers, of any shape or of so many dimensions; not copied where it is one."""
    known = type(value) is np.ndarray and value.dtype == _REAL and value.size <= LARGEST_ARRAY
    if known and ndim is None and not finite:
        found: NDArray[np.float64] = value
        return found  # what almost every call of the package's own gives
    try:
        items = np.asarray(value)
        # NumPy would make numbers of texts and dates, and of None, which becomes NaN.
        if items.dtype.kind == "O" and not any(item is None or isinstance(item, _NO_NUMBERS) for item in items.flat):
            items = items.astype(float)
    except Exception:  # an object of the user may raise anything when it is converted
        raise error(f"{what} must be {wanted}, got {shown(value)}{measured(value)}") from None
    if items.dtype.kind not in "biuf":
        raise error(f"{what} must be {wanted}, got {shown(value)}{measured(value)}")
    if items.size > LARGEST_ARRAY:
        raise error(f"{what} has the shape {items.shape}, which is more than {LARGEST_ARRAY} numbers")
    if ndim is not None and items.ndim != ndim:
        raise error(f"{what} must be {_SHAPES.get(ndim, f'{ndim}-dimensional')}, got the shape {items.shape}")
    found = np.asarray(items, dtype=float)
    if finite and not np.isfinite(found).all():
        raise error(f"{what} must be finite numbers, got {shown(value)}")
    return found


def real(value: Any, what: str, error: Kind, *, finite: bool = True) -> float:
    """One real number."""
    if isinstance(value, float):
        found = float(value)
    else:
        items = reals(value, what, error)
        if items.ndim:
            raise error(f"{what} must be one number, got {shown(value)}")
        found = float(items)
    if finite and not abs(found) < np.inf:
        raise error(f"{what} must be a finite number, got {shown(value)}")
    return found


def whole(value: Any, what: str, error: Kind, *, least: int | None = None, most: int | None = None) -> int:
    """One whole number, in a range where one is given."""
    try:
        found = None if isinstance(value, (bool, np.bool_)) else operator.index(value)
    except Exception:
        found = None
    if found is None or (least is not None and found < least) or (most is not None and found > most):
        limits = [f"at least {least}"] if least is not None else []
        limits += [f"at most {most}"] if most is not None else []
        raise error(
            " ".join([f"{what} must be a whole number", " and ".join(limits)]).rstrip() + f", got {shown(value)}"
        )
    return found


def wholes(
    value: Any, what: str, error: Kind, *, ndim: int | None = None, wanted: str = "whole numbers"
) -> NDArray[np.int64]:
    """An array of whole numbers."""
    items = reals(value, what, error, ndim=ndim, wanted=wanted)
    if not (np.isfinite(items).all() and (items == np.rint(items)).all() and (np.abs(items) < 2.0**62).all()):
        raise error(f"{what} must be {wanted}, got {shown(value)}")
    return items.astype(np.int64)


def text(value: Any, what: str, error: Kind) -> str:
    """A text that can be written to a file, not empty."""
    if not isinstance(value, str) or not value or not is_writable(value):
        raise error(f"{what} must be a text, got {shown(value)}")
    return value


def is_writable(value: str) -> bool:
    """Whether a text can stand in a file."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in value


def one_of(value: Any, valid: Iterable[str], what: str, error: Kind) -> str:
    """One of the texts that are valid."""
    names = tuple(valid)
    if not isinstance(value, str) or value not in names:
        raise error(f"{what} must be one of {', '.join(names)}; got {shown(value)}")
    return value


def known_name(value: Any, valid: Iterable[str], what: str, error: Kind) -> str:
    """A name that exists; an unknown one is answered with those that do."""
    names = tuple(valid)
    if not isinstance(value, str) or value not in names:
        raise error(f"{what} {shown(value)} does not exist; {suggestion(value, names)}")
    return value


def flag(value: Any, what: str, error: Kind) -> bool:
    """True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise error(f"{what} must be True or False, got {shown(value)}")
    return bool(value)


def function(value: Any, what: str, error: Kind) -> Callable[..., Any]:
    """Something that can be called."""
    if not callable(value):
        raise error(f"{what} must be a function, got {shown(value)}")
    found: Callable[..., Any] = value
    return found


def instance(value: Any, kind: type[T] | tuple[type[T], ...], what: str, error: Kind, remedy: str = "") -> T:
    """An object of a class."""
    if not isinstance(value, kind):
        kinds = kind if isinstance(kind, tuple) else (kind,)
        names = " or ".join(one.__name__ for one in kinds)
        raise error(f"{what} must be of the class {names}{remedy and f', {remedy}'}; got {shown(value)}")
    return value


def listed(value: Any, what: str, error: Kind) -> tuple[Any, ...]:
    """The items of a list, of a tuple or of anything else that ends; a text is no list."""
    if isinstance(value, (list, tuple)):  # first, as it is quickly seen, unlike what is a mapping
        return tuple(value)
    if isinstance(value, (str, bytes, Mapping)):
        raise error(f"{what} must be a list, got {shown(value)}")
    try:
        found = []
        # Objects that only have [k] may have no end.
        for item in value:
            found.append(item)
            if len(found) > LONGEST_LIST:
                raise OverflowError
    except Exception:
        raise error(f"{what} must be a list, got {shown(value)}") from None
    return tuple(found)


def texts(value: Any, what: str, error: Kind) -> tuple[str, ...]:
    """A list of texts."""
    return tuple(text(item, f"{what}: a name", error) for item in listed(value, what, error))


def mapping(value: Any, what: str, error: Kind) -> dict[Any, Any]:
    """A dictionary."""
    if not isinstance(value, (dict, Mapping)):
        raise error(f"{what} must be a dictionary, got {shown(value)}")
    return dict(value)


def named(value: Any, what: str, error: Kind) -> dict[str, Any]:
    """A dictionary whose keys are texts; empty for None."""
    found = {} if value is None else mapping(value, what, error)
    for key in found:
        if not isinstance(key, str):
            raise error(f"{what} must be a dictionary by names, but {shown(key)} is none")
    return found


def listed_pairs(value: Any, what: str, error: Kind) -> list[tuple[Any, Any]]:
    """The items of a dictionary, or a list of pairs."""
    if isinstance(value, Mapping):
        return list(value.items())
    pairs = listed(value, what, error)
    for pair in pairs:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise error(f"{what} must be a dictionary or a list of pairs, but there is {shown(pair)} in it")
    return [(first, second) for first, second in pairs]


def file_path(value: Any, what: str, error: Kind) -> Path:
    """Path of a file."""
    if isinstance(value, (str, Path)) or hasattr(value, "__fspath__"):
        try:
            path = Path(value)
            str(path).encode()
        except Exception:
            pass
        else:
            if "\0" not in str(path):
                try:
                    os.lstat(path)
                except OSError as refused:
                    if refused.errno == errno.ENAMETOOLONG:
                        raise error(f"{what}: the name of a file is too long, {shown(str(value))}") from None
                return path
    raise error(f"{what} must be the path of a file, got {shown(value)}")


def existing_file(value: Any, what: str, error: Kind) -> Path:
    """Path of a file that is there."""
    path = file_path(value, what, error)
    if not path.exists():
        raise MissingFileError(f"{what}: there is no file '{path}' (looked for in {Path.cwd()})")
    return path


def new_file(value: Any, what: str, error: Kind) -> Path:
    """Path of a file that can be made."""
    path = file_path(value, what, error)
    if not path.parent.is_dir():
        raise MissingFileError(f"{what}: there is no folder '{path.parent}' for '{path.name}'; make it first")
    return path


def reads_file(what: str, error: Kind) -> Callable[[Callable[_Parameters, T]], Callable[_Parameters, T]]:
    """Decorator of a function whose first argument is a file from elsewhere: whatever a damaged one makes it stumble
    over becomes one error that names the file and the place.

    Places are what such functions call ``number``, that of the line at hand, or ``key``, the part of the file.
    """

    def decorated(function: Callable[_Parameters, T]) -> Callable[_Parameters, T]:
        @functools.wraps(function)
        def called(*given: _Parameters.args, **named_ones: _Parameters.kwargs) -> T:
            try:
                return function(*given, **named_ones)
            except DalembertError:
                raise
            except Exception as stumbled:
                file = given[0] if given else next(iter(named_ones.values()))
                reason = str(stumbled) or type(stumbled).__name__
                raise error(
                    f"{what} '{file}'{_place_in_file(stumbled)}: it is damaged, or a file of another kind ({reason})"
                ) from stumbled

        return called

    return decorated


def _place_in_file(stumbled: Exception) -> str:
    """The line or part that the innermost function of the package was at which says so."""
    found, traceback = "", stumbled.__traceback__
    while traceback is not None:
        frame = traceback.tb_frame
        number, key = (frame.f_locals.get(name) for name in ("number", "key"))
        if not str(frame.f_globals.get("__name__")).startswith("dalembert."):
            pass
        elif isinstance(number, int):
            found = f", line {number}"
        elif isinstance(key, str):
            found = f", '{key}'"
        traceback = traceback.tb_next
    return found


def same_length(what: str, error: Kind, **parts: Sequence[Any]) -> None:
    """Lists that belong together, item by item."""
    if len({len(part) for part in parts.values()}) > 1:
        counts = ", ".join(f"{len(part)} {name}" for name, part in parts.items())
        raise error(f"{what}: {counts} do not fit together; each needs as many")


def known_keywords(error: Kind, **meant: str) -> Callable[[_Function], _Function]:
    """Decorator of a function, or a class, that names the nearest of its arguments where one is given by a name that it
    lacks; or says what may be ``meant`` by it."""

    def decorated(function: _Function) -> _Function:
        names = list(inspect.signature(function).parameters)
        known = set(names)
        # Of a class its __init__, so that it stays a class.
        body: Callable[..., Any] = getattr(function, "__init__") if isinstance(function, type) else function  # noqa: B009

        @functools.wraps(body)
        def called(*given: Any, **named_ones: Any) -> Any:
            if not named_ones.keys() <= known:
                for name in meant.keys() & named_ones.keys() - known:
                    raise error(f"{function.__name__} has no argument '{name}'; {meant[name]}")
                refuse_unknown(named_ones, names, function.__name__, error)
            return body(*given, **named_ones)

        if isinstance(function, type):
            function.__init__ = called  # type: ignore[misc]
            return function
        return called  # type: ignore[return-value]

    return decorated


def refuse_unknown(given: Iterable[str], names: Sequence[str], what: str, error: Kind) -> None:
    """Raise for the first name of an argument that ``what`` does not have."""
    for name in given:
        if name not in names:
            raise error(f"{what} has no argument '{name}'; {suggestion(name, names, len(names))}")
