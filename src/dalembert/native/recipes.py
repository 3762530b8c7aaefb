"""Recipes: fingerprints of what kernels are made of. They alone decide whether object code is out of date.

A recipe covers the code that a kernel reaches: its own, that of the marked functions that it calls, the numbers,
legends and memories that these know, and the modules that compile it.  An edit elsewhere, or of a comment, leaves the
recipe as it was, and scripts and notebooks need no sources.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from dalembert.native.legend import Legend
from dalembert.native.slots import Run

#: The attribute of functions that are part of kernels: the options that they are compiled with.
MARK = "_dalembert_compiled"


class Pointer:
    """Stands in a module for an intrinsic, which is written in a module that needs Numba."""

    module = "dalembert.native.pointers"

    def __init__(self, name: str, in_python: Callable[..., Any] | None = None) -> None:
        self.name = name
        self.in_python = in_python

    def intrinsic(self) -> Any:
        return getattr(importlib.import_module(self.module), self.name)

    def __call__(self, *arguments: Any) -> Any:
        if self.in_python is not None:
            return self.in_python(*arguments)
        raise TypeError(f"{self.name} works only inside compiled kernels")


def recipe(function: Callable[..., Any], wrap: Callable[..., Any]) -> str:
    """Fingerprint of all that a kernel is made of, by its function and by what makes an entry of it."""
    digest = hashlib.sha256(f"{function.__module__}\n{function.__qualname__}\0".encode())
    makers = {_COMPILER, Pointer.module, *(name for name in wrap.__code__.co_names if name.startswith("dalembert."))}
    for reached in _reached(wrap, function):
        for part in _fingerprints(reached, makers):
            digest.update(part + b"\0")
    for module in sorted(makers):
        digest.update(module.encode() + b"\0" + _text(module) + b"\0")
    return digest.hexdigest()


#: Translates and compiles all kernels: its text counts, and that of the modules of intrinsics.
_COMPILER = "dalembert.native.compiler"


def _reached(*functions: Callable[..., Any]) -> list[Callable[..., Any]]:
    """The functions, and the marked ones that they call, directly or not, in the order in which they are met."""
    found = list(functions)
    for function in found:
        for value in _values(function).values():
            if isinstance(value, FunctionType) and hasattr(value, MARK) and value not in found:
                found.append(value)
    return found


def _values(function: Any) -> dict[str, Any]:
    """What the names stand for that a function uses, and that are known where it is written."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    inner = {name: cell.cell_contents for name, cell in cells}
    names = dict.fromkeys(name for code in codes(function.__code__) for name in (*code.co_names, *code.co_freevars))
    names |= dict.fromkeys(name for name in function.__annotations__.values() if isinstance(name, str))
    known = {**function.__globals__, **inner} if inner else function.__globals__
    return {name: known.get(name) for name in names}


def _fingerprints(function: Any, makers: set[str]) -> Iterator[bytes]:
    """Of a function's own code, and of the numbers, legends and memories that it knows; the modules of its intrinsics
    are added to ``makers``."""
    options = sorted((key, repr(value)) for key, value in _plain(getattr(function, MARK, {})).items())
    yield repr((function.__annotations__, function.__defaults__, options)).encode()
    values = _values(function)
    for annotation in function.__annotations__.values():
        kind = values[annotation] if isinstance(annotation, str) else annotation
        if isinstance(kind, type) and issubclass(kind, Run):
            yield kind.fingerprint().encode()
    for code in codes(function.__code__):
        constants = [value for value in code.co_consts if not isinstance(value, CodeType) and value != function.__doc__]
        yield code.co_code + repr((constants, code.co_names, code.co_varnames, code.co_freevars)).encode()
        for name in (*code.co_names, *code.co_freevars):
            if isinstance(values[name], Pointer):
                makers.add(values[name].module)
            yield name.encode() + _value(values[name])


def _plain(options: dict[str, Any]) -> dict[str, Any]:
    """Options of a function with sets in order, so that they are written the same way in every process."""
    return {key: sorted(value) if isinstance(value, set) else value for key, value in options.items()}


def codes(code: CodeType) -> Iterator[CodeType]:
    """The code of a function and of all that are written inside of it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


def _value(value: Any) -> bytes:
    if isinstance(value, Legend):
        return repr((value.values, value.end)).encode()
    if isinstance(value, np.ndarray):
        return repr((value.dtype, value.shape)).encode() + value.tobytes()
    if isinstance(value, ModuleType):
        name = value.__name__
        # Of an own module any name may be meant: its text counts.
        return name.encode() + (_text(name) if name.startswith("dalembert") else b"")
    if isinstance(value, Pointer):
        return f"{value.module}.{value.name}".encode()
    if isinstance(value, FunctionType):  # whose name an attribute may have: its text would hold an address
        return f"{value.__module__}.{value.__qualname__}".encode()
    return repr(value).encode()


@functools.cache
def _text(module: str) -> bytes:
    return Path(str(importlib.util.find_spec(module).origin)).read_bytes()  # type: ignore[union-attr]
