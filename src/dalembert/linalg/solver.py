"""Solvers behind addresses: each mode is a pair of functions, compiled by themselves when the mode is first used.

So a kernel that solves linear systems knows no mode, a run compiles only the mode that it uses, and modes can use each
other.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.native.kernel import Entry, Pointer


class _Call(Pointer):
    """Stands in a module for an intrinsic of :mod:`dalembert.linalg.solver_calls`, which needs Numba."""

    module = "dalembert.linalg.solver_calls"


call_factor = _Call("call_factor")
call_solve = _Call("call_solve")
call_sytrf = _Call("call_sytrf")
call_sytrs = _Call("call_sytrs")
call_potrf = _Call("call_potrf")
call_trsm = _Call("call_trsm")
call_gemm = _Call("call_gemm")


class Solver(Entry):
    """A compiled function of arrays, each of which is passed as a pointer and its size."""

    def __call__(self, *arrays: NDArray[Any]) -> int:
        arguments: list[int] = []
        for array in arrays:
            if array.dtype not in (np.int64, np.float64) or not array.flags.c_contiguous:
                raise ValueError("solvers take contiguous arrays of float64 and int64")
            arguments += (array.ctypes.data, array.size)
        kinds = [ctypes.c_void_p, ctypes.c_int64] * len(arrays)
        return int(ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(self.address)(*arguments))


def factor_solver(function: Callable[..., int]) -> Solver:
    """Decorator for ``factor(values, plan, addresses, M, G, F) -> int``."""
    return Solver(function, _factor_entry)


def solve_solver(function: Callable[..., int]) -> Solver:
    """Decorator for ``solve(values, plan, addresses, M, G, F, right) -> int``."""
    return Solver(function, _solve_entry)


def _kinds(count: int) -> Any:
    """Numba's signature of a function of ``count`` arrays, whose second and third hold whole numbers."""
    from numba import types

    real, whole = types.CPointer(types.float64), types.CPointer(types.int64)
    pointers = [whole if k in (1, 2) else real for k in range(count)]
    return types.int64(*(kind for pointer in pointers for kind in (pointer, types.int64)))


def _factor_entry(function: Callable[..., int], jitted: Callable[..., Any]) -> tuple[Callable[..., Any], Any]:
    import numba

    body = jitted(function)
    carray: Any = numba.carray  # type: ignore[attr-defined]

    def start(
        values: Any, n_values: int, plan: Any, n_plan: int, addresses: Any, n_addresses: int,
        M: Any, n_M: int, G: Any, n_G: int, F: Any, n_F: int,
    ) -> int:  # fmt: skip
        return body(
            carray(values, (n_values,)), carray(plan, (n_plan,)), carray(addresses, (n_addresses,)),
            carray(M, (n_M,)), carray(G, (n_G,)), carray(F, (n_F,)),
        )  # fmt: skip

    return start, _kinds(6)


def _solve_entry(function: Callable[..., int], jitted: Callable[..., Any]) -> tuple[Callable[..., Any], Any]:
    import numba

    body = jitted(function)
    carray: Any = numba.carray  # type: ignore[attr-defined]

    def start(
        values: Any, n_values: int, plan: Any, n_plan: int, addresses: Any, n_addresses: int,
        M: Any, n_M: int, G: Any, n_G: int, F: Any, n_F: int, right: Any, n_right: int,
    ) -> int:  # fmt: skip
        return body(
            carray(values, (n_values,)), carray(plan, (n_plan,)), carray(addresses, (n_addresses,)),
            carray(M, (n_M,)), carray(G, (n_G,)), carray(F, (n_F,)), carray(right, (n_right,)),
        )  # fmt: skip

    return start, _kinds(7)
