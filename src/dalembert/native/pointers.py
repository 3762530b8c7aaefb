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
def call_lanes(
    typing: Any, address: Any, groups: Any, request: Any, changed: Any, inputs: Any, outputs: Any, work: Any
) -> Any:
    """A function compiled for points in groups (dalembert.symbolic.emit.lane_code), with tables of addresses."""
    signature = types.int64(types.int64, types.int64, types.int64, types.int64, _INTS, _INTS, types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, groups, request, changed, inputs, outputs, work = arguments
        tables = [
            _data(context, builder, kind, table)
            for kind, table in zip(signature.args[4:6], (inputs, outputs), strict=True)
        ]
        work = builder.inttoptr(work, ir.DoubleType().as_pointer())
        status = _call(context, builder, address, ir.IntType(32), [groups, request, changed, *tables, work])
        return builder.sext(status, _INT)

    return signature, generate


@intrinsic
def call_run(
    typing: Any, address: Any, count: Any, offsets: Any, M: Any, G: Any, F: Any, right: Any, values: Any
) -> Any:
    """A function compiled for a recursion (dalembert.symbolic.emit.run_code) over five arrays."""
    signature = types.int64(types.int64, types.int64, _INTS, *[_REALS] * 5)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, count, *arrays = arguments
        pointers = [_data(context, builder, t, a) for t, a in zip(signature.args[2:], arrays, strict=True)]
        return builder.sext(_call(context, builder, address, ir.IntType(32), [count, *pointers]), _INT)

    return signature, generate


#: Bits of the control register of x86's floating-point unit: results and arguments that are subnormal count as zero.
_FLUSH = 0x8040


def _on_x86(builder: Any) -> bool:
    return str(builder.module.triple).startswith(("x86_64", "i686"))


def _control_register(builder: Any, name: str, slot: Any) -> None:
    pointer = builder.bitcast(slot, ir.IntType(8).as_pointer())
    signature = ir.FunctionType(ir.VoidType(), [pointer.type])
    builder.call(cgutils.get_or_insert_function(builder.module, signature, f"llvm.x86.sse.{name}"), [pointer])


@intrinsic
def flush_subnormals(typing: Any) -> Any:
    """From now on numbers below the smallest normal one are zero; returns the mode before (x86 only, else 0)."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if not _on_x86(builder):
            return _INT(0)
        slot = cgutils.alloca_once(builder, ir.IntType(32))
        _control_register(builder, "stmxcsr", slot)
        before = builder.load(slot)
        builder.store(builder.or_(before, ir.IntType(32)(_FLUSH)), slot)
        _control_register(builder, "ldmxcsr", slot)
        return builder.zext(before, _INT)

    return types.int64(), generate


@intrinsic
def restore_mode(typing: Any, mode: Any) -> Any:
    """Back to what :func:`flush_subnormals` found."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if _on_x86(builder):
            slot = cgutils.alloca_once(builder, ir.IntType(32))
            builder.store(builder.trunc(arguments[0], ir.IntType(32)), slot)
            _control_register(builder, "ldmxcsr", slot)
        return _INT(0)

    return types.int64(types.int64), generate
