"""Calling functions through addresses, inside kernels.

Only imported while a kernel is compiled: this module needs Numba, the machine code that comes out of it does not.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_cast, lower_getattr_generic, lower_setattr_generic
from numba.core.typeconv.castgraph import Conversion
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, models, register_model

from dalembert.native import slots
from dalembert.native.slots import Run

#: CLOCK_MONOTONIC and TIMER_ABSTIME of POSIX systems.
_MONOTONIC, _ABSOLUTE = 1, 1
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
def call_kernel(typing: Any, address: Any, run: Any) -> Any:
    """``int64 kernel(int64 *table, int64 *ints, double *reals)``: another kernel, on the same run."""
    signature = types.int64(types.int64, run)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        arrays = [builder.extract_value(arguments[1], k) for k in range(3)]
        return _call(context, builder, arguments[0], _INT, arrays)

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
def call_clock(typing: Any, address: Any, time: Any) -> Any:
    """The system's clock_gettime for the clock that only goes forward, into seconds and nanoseconds."""
    signature = types.int64(types.int64, _INTS)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        time = _data(context, builder, signature.args[1], arguments[1])
        status = _call(context, builder, arguments[0], ir.IntType(32), [ir.IntType(32)(_MONOTONIC), time])
        return builder.sext(status, _INT)

    return signature, generate


@intrinsic
def call_sleep(typing: Any, address: Any, time: Any) -> Any:
    """The system's clock_nanosleep until an instant of the same clock; not 0 if a signal has ended it earlier."""
    signature = types.int64(types.int64, _INTS)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(32)
        time = _data(context, builder, signature.args[1], arguments[1])
        nothing = builder.inttoptr(_INT(0), time.type)
        status = _call(context, builder, arguments[0], word, [word(_MONOTONIC), word(_ABSOLUTE), time, nothing])
        return builder.sext(status, _INT)

    return signature, generate


# ------------------------------------------------------------------------------------------------- memory of a run


class RunType(types.Type):
    """The memory of a run in compiled code: three pointers. Its slots are attributes."""

    def __init__(self, kind: type[Run]) -> None:
        self.kind = kind
        # Numba knows types by their names: a class that was defined anew with other places is another type.
        super().__init__(name=f"{kind.__module__}.{kind.__qualname__}.{kind.fingerprint()}")

    def can_convert_to(self, typingctx: Any, other: Any) -> Any:
        """Functions of a kind of run take those that extend it."""
        return Conversion.safe if isinstance(other, RunType) and issubclass(self.kind, other.kind) else None


@register_model(RunType)
class _RunModel(models.StructModel):
    def __init__(self, manager: Any, kind: RunType) -> None:
        words, numbers = types.CPointer(types.int64), types.CPointer(types.float64)
        super().__init__(manager, kind, [("table", words), ("ints", words), ("reals", numbers)])


@lower_cast(RunType, RunType)
def _same_run(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    return value


def run_maker(kind: RunType) -> Any:
    """Intrinsic that makes a run of three pointers."""

    @intrinsic
    def make(typing: Any, table: Any, ints: Any, reals: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            run = cgutils.create_struct_proxy(kind)(context, builder)
            run.table, run.ints, run.reals = arguments
            return run._getvalue()

        return kind(table, ints, reals), generate

    return make


#: The arrays themselves, with the number of the word in ``ints`` that tells how long each is.
_WHOLE = {"table": (_INTS, 0), "ints": (_INTS, 1), "reals": (_REALS, 2)}
_SLOT_TYPES = {
    slots.INTEGER: types.int64, slots.REAL: types.float64, slots.ADDRESS: types.int64, slots.REALS: _REALS,
    slots.INTEGERS: _INTS, slots.ADDRESSES: _INTS, slots.COMPLEXES: types.Array(types.complex128, 1, "C"),
}  # fmt: skip


@infer_getattr
class _RunAttributes(AttributeTemplate):
    key = RunType

    def generic_resolve(self, run: Any, name: str) -> Any:  # type: ignore[override]
        """Type of a slot; None if there is none of this name."""
        if name in _WHOLE:
            return _WHOLE[name][0]
        slot = run.kind.slots.get(name)
        return None if slot is None else _SLOT_TYPES[slot.kind]


def _pointer(builder: Any, run: Any, array: str, place: Any) -> Any:
    base = builder.extract_value(run, tuple(_WHOLE).index(array))
    return builder.gep(base, [_INT(place) if isinstance(place, int) else place], inbounds=True)


@lower_getattr_generic(RunType)
def _get_slot(context: Any, builder: Any, kind: RunType, run: Any, name: str) -> Any:
    if name in _WHOLE:
        array, length = _WHOLE[name]
        size = builder.load(_pointer(builder, run, "ints", length))
        return _window(context, builder, array, builder.extract_value(run, tuple(_WHOLE).index(name)), size)
    slot = kind.kind.slots[name]
    if slot.kind in (slots.INTEGER, slots.REAL, slots.ADDRESS):
        where = {slots.INTEGER: "ints", slots.REAL: "reals", slots.ADDRESS: "table"}[slot.kind]
        return builder.load(_pointer(builder, run, where, slot.place))
    result = _SLOT_TYPES[slot.kind]
    if slot.kind == slots.ADDRESSES:
        return _window(context, builder, result, _pointer(builder, run, "table", slot.place), _INT(slot.count))
    start = builder.load(_pointer(builder, run, "ints", slot.place))
    size = builder.load(_pointer(builder, run, "ints", slot.place + 1))
    data = _pointer(builder, run, "ints" if slot.kind == slots.INTEGERS else "reals", start)
    return _window(context, builder, result, data, size)


@lower_setattr_generic(RunType)
def _set_slot(context: Any, builder: Any, signature: Any, arguments: Any, name: str) -> None:
    slot = signature.args[0].kind.slots[name]
    if slot.kind not in (slots.INTEGER, slots.REAL):
        raise TypeError(f"'{name}' cannot be set as a whole: it is no number")
    array = "ints" if slot.kind == slots.INTEGER else "reals"
    builder.store(arguments[1], _pointer(builder, arguments[0], array, slot.place))


def _window(context: Any, builder: Any, result: Any, data: Any, size: Any) -> Any:
    """An array at a pointer. The memory belongs to the run and outlives every kernel: nobody counts references to
    it."""
    part = cgutils.create_struct_proxy(result)(context, builder)
    itemsize = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(result.dtype)))
    part.data = data if data.type == part.data.type else builder.bitcast(data, part.data.type)
    part.nitems, part.itemsize = size, itemsize
    part.shape = cgutils.pack_array(builder, [size])
    part.strides = cgutils.pack_array(builder, [itemsize])
    part.meminfo, part.parent = cgutils.get_null_value(part.meminfo.type), cgutils.get_null_value(part.parent.type)
    return part._getvalue()


@intrinsic
def view(typing: Any, array: Any, start: Any, size: Any) -> Any:
    """``array[start : start + size]`` without looking at signs and bounds, which makes for much smaller code."""
    signature = array(array, types.int64, types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        value, start, size = arguments
        whole = _data(context, builder, signature.args[0], value)
        return _window(context, builder, signature.return_type, builder.gep(whole, [start]), size)

    return signature, generate


@intrinsic
def as_complex(typing: Any, array: Any) -> Any:
    """Pairs of reals as complex numbers, in place."""
    target = types.Array(types.complex128, 1, "C")
    signature = target(_REALS)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        whole = cgutils.create_struct_proxy(signature.args[0])(context, builder, value=arguments[0])
        return _window(context, builder, target, whole.data, builder.sdiv(whole.nitems, whole.nitems.type(2)))

    return signature, generate


def _array_at(result: Any) -> Any:
    def typing(typing: Any, address: Any, size: Any) -> Any:
        signature = result(types.int64, types.int64)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            address, size = arguments
            pointer = context.get_data_type(result.dtype).as_pointer()
            return _window(context, builder, result, builder.inttoptr(address, pointer), size)

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


def _function(builder: Any, name: str, result: ir.Type, arguments: list[Any]) -> Any:
    """Call one of the functions that dalembert.native.compiler adds for the processor at hand."""
    signature = ir.FunctionType(result, [argument.type for argument in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, signature, name), arguments)


@intrinsic
def flush_subnormals(typing: Any) -> Any:
    """From now on numbers below the smallest normal one are zero; returns the mode before (0 on processors that are not
    known)."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _function(builder, "dalembert_flush_subnormals", _INT, [])

    return types.int64(), generate


@intrinsic
def restore_mode(typing: Any, mode: Any) -> Any:
    """Back to what :func:`flush_subnormals` found."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _function(builder, "dalembert_restore_mode", ir.VoidType(), [arguments[0]])
        return _INT(0)

    return types.int64(types.int64), generate
