"""Calling functions through addresses, inside kernels.

Only imported while a kernel is compiled: this module needs Numba, the machine code that comes out of it does not.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_INT = ir.IntType(64)
_INTS = types.Array(types.int64, 1, "C")
_REALS = types.Array(types.float64, 1, "C")


def _data(context: Any, builder: Any, array_type: Any, value: Any) -> Any:
    """Pointer to the first entry of an array."""
    return cgutils.create_struct_proxy(array_type)(context, builder, value=value).data


def _call(context: Any, builder: Any, address: Any, result: ir.Type, arguments: list[Any]) -> Any:
    signature = ir.FunctionType(result, [argument.type for argument in arguments])
    return builder.call(builder.inttoptr(address, signature.as_pointer()), arguments)


@intrinsic
def call_entry(typing: Any, address: Any, request: Any, changed: Any, inputs: Any, outputs: Any, work: Any) -> Any:
    """``int f(int64 request, int64 changed, double *const *in, double *const *out, double *work)``, the convention of
    compiled functions; ``inputs`` and ``outputs`` are int64 arrays of addresses, ``work`` is an address."""
    signature = types.int64(types.int64, types.int64, types.int64, _INTS, _INTS, types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, request, changed, inputs, outputs, work = arguments
        inputs = _data(context, builder, signature.args[3], inputs)
        outputs = _data(context, builder, signature.args[4], outputs)
        work = builder.inttoptr(work, ir.DoubleType().as_pointer())
        status = _call(context, builder, address, ir.IntType(32), [request, changed, inputs, outputs, work])
        return builder.sext(status, _INT)

    return signature, generate


@intrinsic
def call_kernel(typing: Any, address: Any, table: Any, ints: Any, reals: Any) -> Any:
    """``int64 kernel(int64 *table, int64 *ints, double *reals)``: another kernel, on the same run."""
    signature = types.int64(types.int64, _INTS, _INTS, _REALS)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, *arrays = arguments
        pointers = [_data(context, builder, t, a) for t, a in zip(signature.args[1:], arrays, strict=True)]
        return _call(context, builder, address, _INT, pointers)

    return signature, generate


@intrinsic
def call_getrf(typing: Any, address: Any, n: Any, matrix: Any, pivots: Any) -> Any:
    """LAPACK's dgetrf or zgetrf on an n x n matrix (real or complex, by the type of the array); ``pivots`` are int32
    pairs in an int64 array of at least n/2+2 entries, whose last two serve for n and info."""
    signature = types.int64(types.int64, types.int64, matrix, _INTS)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, n, matrix, pivots = arguments
        matrix = _data(context, builder, signature.args[2], matrix)
        pivots = builder.bitcast(_data(context, builder, signature.args[3], pivots), ir.IntType(32).as_pointer())
        size = cgutils.alloca_once_value(builder, builder.trunc(n, ir.IntType(32)))
        info = cgutils.alloca_once_value(builder, ir.IntType(32)(0))
        _call(context, builder, address, ir.VoidType(), [size, size, matrix, size, pivots, info])
        return builder.sext(builder.load(info), _INT)

    return signature, generate


@intrinsic
def call_getrs(typing: Any, address: Any, n: Any, matrix: Any, pivots: Any, right: Any) -> Any:
    """LAPACK's dgetrs or zgetrs for one right-hand side; the matrix is stored by rows, hence transposed for LAPACK."""
    signature = types.int64(types.int64, types.int64, matrix, _INTS, right)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, n, matrix, pivots, right = arguments
        matrix = _data(context, builder, signature.args[2], matrix)
        pivots = builder.bitcast(_data(context, builder, signature.args[3], pivots), ir.IntType(32).as_pointer())
        right = _data(context, builder, signature.args[4], right)
        size = cgutils.alloca_once_value(builder, builder.trunc(n, ir.IntType(32)))
        one = cgutils.alloca_once_value(builder, ir.IntType(32)(1))
        info = cgutils.alloca_once_value(builder, ir.IntType(32)(0))
        transposed = cgutils.alloca_once_value(builder, ir.IntType(8)(ord("T")))
        _call(
            context, builder, address, ir.VoidType(), [transposed, size, one, matrix, size, pivots, right, size, info]
        )
        return builder.sext(builder.load(info), _INT)

    return signature, generate


@intrinsic
def view(typing: Any, array: Any, start: Any, size: Any) -> Any:
    """``array[start : start + size]`` without looking at signs and bounds, which makes for much smaller code."""
    signature = array(array, types.int64, types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        value, start, size = arguments
        proxy = cgutils.create_struct_proxy(signature.args[0])
        whole, part = proxy(context, builder, value=value), proxy(context, builder)
        itemsize = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(array.dtype)))
        part.data = builder.gep(whole.data, [start])
        part.nitems, part.itemsize = size, itemsize
        part.shape = cgutils.pack_array(builder, [size])
        part.strides = cgutils.pack_array(builder, [itemsize])
        # The memory belongs to the run and outlives every kernel: nobody counts references to it.
        part.meminfo, part.parent = cgutils.get_null_value(part.meminfo.type), cgutils.get_null_value(part.parent.type)
        return part._getvalue()

    return signature, generate


@intrinsic
def as_complex(typing: Any, array: Any) -> Any:
    """Pairs of reals as complex numbers, in place."""
    target = types.Array(types.complex128, 1, "C")
    signature = target(_REALS)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        whole = cgutils.create_struct_proxy(signature.args[0])(context, builder, value=arguments[0])
        part = cgutils.create_struct_proxy(target)(context, builder)
        itemsize = context.get_constant(types.intp, 16)
        part.data = builder.bitcast(whole.data, part.data.type)
        size = builder.sdiv(whole.nitems, whole.nitems.type(2))
        part.nitems, part.itemsize = size, itemsize
        part.shape = cgutils.pack_array(builder, [size])
        part.strides = cgutils.pack_array(builder, [itemsize])
        part.meminfo, part.parent = cgutils.get_null_value(part.meminfo.type), cgutils.get_null_value(part.parent.type)
        return part._getvalue()

    return signature, generate


def _array_at(result: Any) -> Any:
    def typing(typing: Any, address: Any, size: Any) -> Any:
        signature = result(types.int64, types.int64)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            address, size = arguments
            part = cgutils.create_struct_proxy(result)(context, builder)
            itemsize = context.get_constant(types.intp, 8)
            part.data = builder.inttoptr(address, part.data.type)
            part.nitems, part.itemsize = size, itemsize
            part.shape = cgutils.pack_array(builder, [size])
            part.strides = cgutils.pack_array(builder, [itemsize])
            part.meminfo = cgutils.get_null_value(part.meminfo.type)
            part.parent = cgutils.get_null_value(part.parent.type)
            return part._getvalue()

        return signature, generate

    return intrinsic(typing)


#: Arrays of given sizes at given addresses.
reals_at = _array_at(_REALS)
ints_at = _array_at(_INTS)


@intrinsic
def call_map(typing: Any, address: Any, count: Any, request: Any, pointers: Any, work: Any) -> Any:
    """The map of a compiled function over ``count`` points; ``pointers`` are the addresses of its four tables: inputs,
    their strides, outputs, their strides."""
    signature = types.int64(types.int64, types.int64, types.int64, _INTS, types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, count, request, pointers, work = arguments
        tables = _data(context, builder, signature.args[3], pointers)
        loaded = [builder.load(builder.gep(tables, [_INT(k)])) for k in range(4)]
        _call(context, builder, address, ir.VoidType(), [count, request, _INT(0), *loaded, work])
        return _INT(0)

    return signature, generate
