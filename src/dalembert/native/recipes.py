"""What kernels are made of: fingerprints by which their object code is found again, and the sources behind them.

A kernel's recipe is that of the code it reaches: its own, that of the marked functions that it calls, the numbers,
legends and memories that these know, and the modules that compile it.  An edit elsewhere, or of a comment, leaves the
recipe as it was, and scripts and notebooks need no sources.
"""

from __future__ import annotations

import ast
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


def recipe(function: Callable[..., Any], compile: Callable[..., Any]) -> str:
    """Fingerprint of all that a kernel is made of, by the function that compiles it."""
    makers = {"dalembert.native.kernel", Pointer.module, compile.__module__}
    digest = hashlib.sha256(f"{function.__module__}\n{function.__qualname__}\n{compile.__qualname__}\0".encode())
    for part in _fingerprints(function, makers, set()):
        digest.update(part + b"\0")
    # What compiles counts by its text, with what it takes from its neighbours.
    neighbours = {name for maker in makers for name in _imports(maker)[1] & _COMPILERS}
    for module in sorted(makers | neighbours):
        digest.update(module.encode() + b"\0" + _content(_imports(module)[0]) + b"\0")
    return digest.hexdigest()


#: Modules whose text decides how functions are compiled, not only what their functions do.
_COMPILERS = {"dalembert.native.pointers", "dalembert.native.slots", "dalembert.native.threads"}


def _fingerprints(function: Any, makers: set[str], seen: set[Any]) -> Iterator[bytes]:
    """Of a function, of the marked functions that it calls, of the numbers that it knows; the modules of intrinsics
    are added to ``makers``."""
    seen.add(function)
    cells = function.__closure__ or ()
    inner = {name: cell.cell_contents for name, cell in zip(function.__code__.co_freevars, cells, strict=True)}
    options = sorted((key, repr(value)) for key, value in _plain(getattr(function, MARK, {})).items())
    yield repr((function.__annotations__, function.__defaults__, options)).encode()
    for annotation in function.__annotations__.values():
        kind = _known(function, inner, annotation) if isinstance(annotation, str) else annotation
        if isinstance(kind, type) and issubclass(kind, Run):
            yield kind.fingerprint().encode()
    for code in codes(function.__code__):
        constants = [value for value in code.co_consts if not isinstance(value, CodeType) and value != function.__doc__]
        yield code.co_code + repr((constants, code.co_names, code.co_varnames, code.co_freevars)).encode()
        for name in (*code.co_names, *code.co_freevars):
            value = _known(function, inner, name)
            if isinstance(value, FunctionType) and hasattr(value, MARK):
                if value not in seen:
                    yield from _fingerprints(value, makers, seen)
            elif isinstance(value, Pointer):
                makers.add(value.module)
                yield f"{name}={value.module}.{value.name}".encode()
            else:
                yield name.encode() + _value(value)


def _known(function: Any, inner: dict[str, Any], name: str) -> Any:
    return inner[name] if name in inner else function.__globals__.get(name)


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
        return name.encode() + (_content(_imports(name)[0]) if name.startswith("dalembert") else b"")
    if isinstance(value, FunctionType):  # whose name an attribute may have: its text would hold an address
        return f"{value.__module__}.{value.__qualname__}".encode()
    return repr(value).encode()


# -------------------------------------------------------------------------------------------------------------- sources


@functools.cache
def sources(module: str) -> frozenset[Path]:
    """The file of a module and of all modules of this package that it imports, directly or not."""
    found: set[Path] = set()
    waiting, seen = [module], set()
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            path, imported = _imports(name)
            found.add(path)
            waiting += imported
    return frozenset(found)


@functools.cache
def _imports(module: str) -> tuple[Path, frozenset[str]]:
    """The file of a module, and the modules of this package that it imports."""
    path = Path(str(importlib.util.find_spec(module).origin))  # type: ignore[union-attr]
    return path, frozenset(
        _module_of(str(node.module), alias.name)
        for node in _statements(ast.parse(_content(path)))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dalembert")
        for alias in node.names
    )


def _module_of(module: str, name: str) -> str:
    """What ``from module import name`` reads: a module inside of a package, or the module itself; imported or not."""
    inside = importlib.util.find_spec(module).submodule_search_locations or ()  # type: ignore[union-attr]
    found = any((Path(place) / part).exists() for place in inside for part in (f"{name}.py", f"{name}/__init__.py"))
    return f"{module}.{name}" if found else module


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """A module and all statements in it, without looking into expressions, which are nine parts in ten of it."""
    yield node
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, field, ()):
            yield from _statements(inner)


@functools.cache
def _content(path: Path) -> bytes:
    return path.read_bytes()
