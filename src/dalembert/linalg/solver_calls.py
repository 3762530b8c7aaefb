"""Calls of solvers and of Fortran routines through addresses, inside kernels.

Only imported while a kernel is compiled, as :mod:`dalembert.native.pointers` is.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_INT, _INT32 = ir.IntType(64), ir.IntType(32)
_INTS = types.Array(types.int64, 1, "C")
_REALS = types.Array(types.float64, 1, "C")


def _function(builder: Any, address: Any, result: ir.Type, arguments: list[Any]) -> Any:
    signature = ir.FunctionType(result, [argument.type for argument in arguments])
    return builder.call(builder.inttoptr(address, signature.as_pointer()), arguments)


def _with_sizes(context: Any, builder: Any, kinds: Any, arrays: Any) -> list[Any]:
    passed = []
    for kind, array in zip(kinds, arrays, strict=True):
        whole = cgutils.create_struct_proxy(kind)(context, builder, value=array)
        passed += [whole.data, whole.nitems]
    return passed


@intrinsic
def call_factor(typing: Any, address: Any, values: Any, plan: Any, addresses: Any, M: Any, G: Any, F: Any) -> Any:
    """``int64 factor(…)``; each array is passed as a pointer and its size."""
    signature = types.int64(types.int64, _REALS, _INTS, _INTS, _REALS, _REALS, _REALS)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, *arrays = arguments
        return _function(builder, address, _INT, _with_sizes(context, builder, signature.args[1:], arrays))

    return signature, generate


@intrinsic
def call_solve(
    typing: Any, address: Any, values: Any, plan: Any, addresses: Any, M: Any, G: Any, F: Any, right: Any
) -> Any:
    """``int64 solve(…)``; the same with a right-hand side."""
    signature = types.int64(types.int64, _REALS, _INTS, _INTS, _REALS, _REALS, _REALS, _REALS)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, *arrays = arguments
        return _function(builder, address, _INT, _with_sizes(context, builder, signature.args[1:], arrays))

    return signature, generate


def _fortran(context: Any, builder: Any, kinds: Any, values: Any) -> list[Any]:
    """Arrays as pointers to their data, numbers as pointers to 32-bit copies (a letter is its code)."""
    passed = []
    for kind, value in zip(kinds, values, strict=True):
        if isinstance(kind, types.Array):
            passed.append(cgutils.create_struct_proxy(kind)(context, builder, value=value).data)
        else:
            passed.append(cgutils.alloca_once_value(builder, builder.trunc(value, _INT32)))
    return passed


@intrinsic
def call_sytrf(typing: Any, address: Any, n: Any, matrix: Any, pivots: Any, work: Any) -> Any:
    """LAPACK's dsytrf on the lower triangle of a matrix stored by rows, which is the upper one for LAPACK."""
    signature = types.int64(types.int64, types.int64, _REALS, _INTS, _REALS)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, n, matrix, pivots, work = arguments
        size = cgutils.create_struct_proxy(_REALS)(context, builder, value=work).nitems
        letter = context.get_constant(types.int64, ord("U"))
        info = cgutils.alloca_once_value(builder, _INT32(0))
        kinds = (types.int64, types.int64, _REALS, types.int64, _INTS, _REALS, types.int64)
        passed = _fortran(context, builder, kinds, (letter, n, matrix, n, pivots, work, size))
        _function(builder, address, ir.VoidType(), [*passed, info])
        return builder.sext(builder.load(info), _INT)

    return signature, generate


@intrinsic
def call_sytrs(typing: Any, address: Any, n: Any, matrix: Any, pivots: Any, right: Any) -> Any:
    """LAPACK's dsytrs for one right-hand side."""
    signature = types.int64(types.int64, types.int64, _REALS, _INTS, _REALS)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, n, matrix, pivots, right = arguments
        letter, one = context.get_constant(types.int64, ord("U")), context.get_constant(types.int64, 1)
        info = cgutils.alloca_once_value(builder, _INT32(0))
        kinds = (types.int64, types.int64, types.int64, _REALS, types.int64, _INTS, _REALS, types.int64)
        passed = _fortran(context, builder, kinds, (letter, n, one, matrix, n, pivots, right, n))
        _function(builder, address, ir.VoidType(), [*passed, info])
        return builder.sext(builder.load(info), _INT)

    return signature, generate


@intrinsic
def call_potrf(typing: Any, address: Any, n: Any, matrix: Any) -> Any:
    """LAPACK's dpotrf on the lower triangle of a matrix stored by rows, which is the upper one for LAPACK."""
    signature = types.int64(types.int64, types.int64, _REALS)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, n, matrix = arguments
        letter = context.get_constant(types.int64, ord("U"))
        info = cgutils.alloca_once_value(builder, _INT32(0))
        kinds = (types.int64, types.int64, _REALS, types.int64)
        _function(
            builder, address, ir.VoidType(), [*_fortran(context, builder, kinds, (letter, n, matrix, n)), info]
        )  # fmt: skip
        return builder.sext(builder.load(info), _INT)

    return signature, generate


def _double(builder: Any, value: float) -> Any:
    return cgutils.alloca_once_value(builder, ir.Constant(ir.DoubleType(), value))


@intrinsic
def call_trsm(typing: Any, address: Any, n: Any, m: Any, matrix: Any, right: Any) -> Any:
    """BLAS: L⁻¹ times a matrix of ``n`` rows and ``m`` columns, for L in the lower triangle of a matrix; both stored by
    rows."""
    signature = types.int64(types.int64, types.int64, types.int64, _REALS, _REALS)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, n, m, matrix, right = arguments
        letters = [context.get_constant(types.int64, ord(letter)) for letter in "RUNN"]  # transposed for BLAS
        first = _fortran(context, builder, (types.int64,) * 6, (*letters, m, n))
        rest = _fortran(context, builder, (_REALS, types.int64, _REALS, types.int64), (matrix, n, right, m))
        _function(builder, address, ir.VoidType(), [*first, _double(builder, 1.0), *rest])
        return _INT(0)

    return signature, generate


@intrinsic
def call_gemm(typing: Any, address: Any, m: Any, n: Any, matrix: Any, product: Any) -> Any:
    """BLAS: AᵀA for a matrix of ``n`` rows and ``m`` columns, stored by rows."""
    signature = types.int64(types.int64, types.int64, types.int64, _REALS, _REALS)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, m, n, matrix, product = arguments
        letters = [context.get_constant(types.int64, ord(letter)) for letter in "NT"]
        first = _fortran(context, builder, (types.int64,) * 5, (*letters, m, m, n))
        middle = _fortran(context, builder, (_REALS, types.int64) * 2, (matrix, m, matrix, m))
        last = _fortran(context, builder, (_REALS, types.int64), (product, m))
        passed = [*first, _double(builder, 1.0), *middle, _double(builder, 0.0), *last]
        _function(builder, address, ir.VoidType(), passed)
        return _INT(0)

    return signature, generate
