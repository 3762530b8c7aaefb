"""Sums of rows with weights inside kernels, in vector registers.

Only imported while a kernel is compiled, as :mod:`dalembert.native.pointers` is.  Loops over the entries of a row are
shorter than what stands around them where mechanisms are small, and leave sums in memory after each row; here sixteen
sums stay in registers until all rows are added.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_INT, _REAL, _VECTOR = ir.IntType(64), ir.DoubleType(), ir.VectorType(ir.DoubleType(), 4)
_REALS = types.Array(types.float64, 1, "C")
#: Entries of a vector, and vectors that are added at a time.
_WIDTH, _VECTORS = 4, 4


@intrinsic
def sum_of_rows(typing: Any, weights: Any, rows: Any, start: Any, h: Any, n: Any, out: Any) -> Any:
    """out = start + h Σ weights_j row_j, for rows of n entries, added in their order; ``out`` is none of the others."""
    signature = types.void(_REALS, _REALS, _REALS, types.float64, types.int64, _REALS)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        weights, rows, start, h, n, out = arguments
        arrays = [cgutils.create_struct_proxy(_REALS)(context, builder, value=a) for a in (weights, rows, start, out)]
        a, b, c, d = (array.data for array in arrays)
        builder.call(_function(builder.module), [a, arrays[0].nitems, b, c, h, n, d])
        return context.get_dummy_value()

    return signature, generate


def _function(module: Any) -> Any:
    """The function that does it, once in a module."""
    name = "dalembert_sum_of_rows"
    if name in module.globals:
        return module.globals[name]
    numbers = _REAL.as_pointer()
    kind = ir.FunctionType(ir.VoidType(), [numbers, _INT, numbers, numbers, _REAL, _INT, numbers])
    function = ir.Function(module, kind, name)
    function.linkage = "linkonce_odr"  # once in a kernel, too
    for attribute in ("noinline", "optsize"):  # loops as they are written: there are few rows
        function.attributes.add(attribute)
    weights, count, rows, start, h, n, out = function.args
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    with builder.if_else(builder.icmp_signed(">=", n, _INT(_WIDTH))) as (many, few):
        with many:
            # The last vectors begin early enough to end with the row; what they share with others is the same twice.
            last = builder.sub(n, _INT(_WIDTH))
            with cgutils.for_range_slice(builder, _INT(0), n, _INT(_WIDTH * _VECTORS), _INT) as (first, _):
                places = [_smaller(builder, builder.add(first, _INT(_WIDTH * k)), last) for k in range(_VECTORS)]
                _block(builder, weights, count, rows, start, h, n, out, places, _VECTOR)
        with few, cgutils.for_range(builder, n) as loop:
            _block(builder, weights, count, rows, start, h, n, out, [loop.index], _REAL)
    builder.ret_void()
    return function


def _block(
    builder: Any, weights: Any, count: Any, rows: Any, start: Any, h: Any, n: Any, out: Any, places: Any, kind: Any
) -> None:
    """Some entries of the sum, or vectors of them."""
    sums = [cgutils.alloca_once(builder, kind) for _ in places]
    for total in sums:
        builder.store(_spread(builder, _REAL(0.0), kind), total)
    with cgutils.for_range(builder, count) as loop:
        weight = builder.load(builder.gep(weights, [loop.index]))
        with builder.if_then(builder.fcmp_unordered("!=", weight, _REAL(0.0))):
            row, factor = builder.gep(rows, [builder.mul(loop.index, n)]), _spread(builder, weight, kind)
            for total, place in zip(sums, places, strict=True):
                product = builder.fmul(factor, _load(builder, row, place, kind))
                builder.store(builder.fadd(builder.load(total), product), total)
    size = _spread(builder, h, kind)
    for total, place in zip(sums, places, strict=True):
        end = builder.fadd(_load(builder, start, place, kind), builder.fmul(size, builder.load(total)))
        builder.store(end, builder.bitcast(builder.gep(out, [place]), kind.as_pointer()), align=8)


def _load(builder: Any, data: Any, place: Any, kind: Any) -> Any:
    return builder.load(builder.bitcast(builder.gep(data, [place]), kind.as_pointer()), align=8)


def _spread(builder: Any, number: Any, kind: Any) -> Any:
    """A number as it is, or in all entries of a vector."""
    if kind is not _VECTOR:
        return number
    one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), number, ir.IntType(32)(0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), _WIDTH), [0] * _WIDTH)
    return builder.shuffle_vector(one, ir.Constant(_VECTOR, ir.Undefined), zeros)


def _smaller(builder: Any, a: Any, b: Any) -> Any:
    return builder.select(builder.icmp_signed("<", a, b), a, b)
