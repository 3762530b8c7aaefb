"""Fingerprints of kernels from outside of this package, by their code: scripts and notebooks have no sources."""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from dalembert.native.legend import Legend
from dalembert.native.slots import Run


def fingerprints(function: Any, mark: str, modules: set[str], seen: set[Any] | None = None) -> Iterator[bytes]:
    """Of a function, of the functions with the ``mark`` that it calls, of the numbers that it knows; modules of this
    package that it uses are added to ``modules``."""
    seen = set() if seen is None else seen
    seen.add(function)
    known = dict(function.__globals__)
    cells = function.__closure__ or ()
    known |= {name: cell.cell_contents for name, cell in zip(function.__code__.co_freevars, cells, strict=True)}
    yield repr(function.__annotations__).encode()
    for annotation in function.__annotations__.values():
        kind = known.get(annotation) if isinstance(annotation, str) else annotation
        if isinstance(kind, type) and issubclass(kind, Run):
            yield kind.fingerprint().encode()
    for code in _codes(function.__code__):
        constants = [value for value in code.co_consts if not isinstance(value, CodeType)]
        yield code.co_code + repr((constants, code.co_names, code.co_varnames, code.co_freevars)).encode()
        for name in (*code.co_names, *code.co_freevars):
            value = known.get(name)
            if isinstance(value, FunctionType) and hasattr(value, mark):
                if value.__module__.startswith("dalembert"):
                    modules.add(value.__module__)
                elif value not in seen:
                    yield from fingerprints(value, mark, modules, seen)
            elif type(value).__module__.startswith("dalembert.") and not isinstance(value, Legend):
                modules.add(type(value).__module__)  # stands for an intrinsic
            else:
                yield name.encode() + _content(value)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _content(value: Any) -> bytes:
    if isinstance(value, Legend):
        return repr((value.values, value.end)).encode()
    if isinstance(value, np.ndarray):
        return repr((value.dtype, value.shape)).encode() + value.tobytes()
    return repr(value.__name__ if isinstance(value, ModuleType) else value).encode()
