"""Machine code that is made for a plan: functions of :class:`~dalembert.symbolic.compiler.runs.RunFunction`, found by
kernels through the key of the plan and the table of addresses."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from weakref import WeakValueDictionary

import numpy as np

from dalembert.linalg.plan import ADDRESS, FRONT_ENTRY
from dalembert.native.kernel import Ints, compiled, ints_at
from dalembert.symbolic.compiler.runs import RunFunction


class PlanCode:
    """Functions, and the list of their addresses, which are good as long as this object lives."""

    def __init__(self, functions: Iterable[RunFunction]) -> None:
        self.functions = list(functions)
        self.addresses = np.array([function.address for function in self.functions], dtype=np.int64)


#: Code of the plans of this process that are in use, by their keys; plans hold it.
_code: WeakValueDictionary[int, PlanCode] = WeakValueDictionary()


def code_key(described: object) -> int:
    """Key of code, from a description whose text says all that it depends on."""
    return int.from_bytes(hashlib.sha256(repr(described).encode()).digest()[:7], "little")


def kept_code(key: int, make: Callable[[], Iterable[RunFunction]]) -> PlanCode:
    """The code with a key, made unless somebody holds it."""
    code = _code.get(key)
    if code is None:
        code = _code[key] = PlanCode(make())
    return code


def code_address(key: int) -> int:
    """Address of the list of functions of a plan of this process, good as long as its code is held."""
    return int(_code[key].addresses.ctypes.data)


@compiled
def functions_of(addresses: Ints, key: int, count: int) -> Ints:
    """The addresses of the functions of a plan, in a table that was made for it."""
    at = ADDRESS.FRONTS
    for _ in range(at, addresses.size, FRONT_ENTRY.end):
        if addresses[at + FRONT_ENTRY.KEY] == key:
            break
        at += FRONT_ENTRY.end
    return ints_at(addresses[at + FRONT_ENTRY.FUNCTIONS], count)
