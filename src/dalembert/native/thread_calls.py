"""Threads of the operating system, and words that they share, inside kernels.

Only imported while a kernel is compiled, as :mod:`dalembert.native.pointers` is.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from dalembert.native.pointers import RunType
from dalembert.native.threads import JOB

_INT, _INT32 = ir.IntType(64), ir.IntType(32)
_INTS = types.Array(types.int64, 1, "C")


def _word(context: Any, builder: Any, kind: Any, array: Any, place: Any) -> Any:
    """Pointer to an entry of an array of whole numbers."""
    data = cgutils.create_struct_proxy(kind)(context, builder, value=array).data
    return builder.gep(data, [_INT(place) if isinstance(place, int) else place], inbounds=True)


def _function(builder: Any, address: Any, arguments: list[Any]) -> Any:
    signature = ir.FunctionType(_INT32, [argument.type for argument in arguments])
    return builder.sext(builder.call(builder.inttoptr(address, signature.as_pointer()), arguments), _INT)


@intrinsic
def describe(typing: Any, run: Any, jobs: Any, at: Any) -> Any:
    """Put the three addresses of a run into a job."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        run, jobs, at = arguments
        for k, place in enumerate((JOB.TABLE, JOB.INTS, JOB.REALS)):
            target = _word(context, builder, signature.args[1], jobs, builder.add(at, _INT(place)))
            builder.store(builder.ptrtoint(builder.extract_value(run, k), _INT), target)
        return _INT(0)

    return types.int64(run, _INTS, types.int64), generate


def run_of_job(kind: RunType) -> Any:
    """Intrinsic that makes the run of a job."""

    @intrinsic
    def run_of(typing: Any, job: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            run = cgutils.create_struct_proxy(kind)(context, builder)
            for name, place in (("table", JOB.TABLE), ("ints", JOB.INTS), ("reals", JOB.REALS)):
                address = builder.load(_word(context, builder, signature.args[0], arguments[0], place))
                setattr(run, name, builder.inttoptr(address, getattr(run, name).type))
            return run._getvalue()

        return kind(job), generate

    return run_of


@intrinsic
def start_thread(typing: Any, create: Any, function: Any, jobs: Any, at: Any, thread: Any) -> Any:
    """``pthread_create`` of a function with the job at a place; the thread's name goes to another. 0, or a number."""
    signature = types.int64(types.int64, types.int64, _INTS, types.int64, types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        create, function, jobs, at, thread = arguments
        name, job = (_word(context, builder, signature.args[2], jobs, place) for place in (thread, at))
        return _function(builder, create, [name, _INT(0), function, job])

    return signature, generate


@intrinsic
def join_thread(typing: Any, join: Any, thread: Any) -> Any:
    """``pthread_join``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        join, thread = arguments
        return _function(builder, join, [thread, _INT(0)])

    return types.int64(types.int64, types.int64), generate


@intrinsic
def give_way(typing: Any, address: Any) -> Any:
    """``sched_yield``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _function(builder, arguments[0], [])

    return types.int64(types.int64), generate


@intrinsic
def publish(typing: Any, words: Any, place: Any, value: Any) -> Any:
    """Store a word behind all that was stored before."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        words, place, value = arguments
        target = _word(context, builder, signature.args[0], words, place)
        builder.store_atomic(value, target, ordering="release", align=8)
        return _INT(0)

    return types.int64(_INTS, types.int64, types.int64), generate


@intrinsic
def observe(typing: Any, words: Any, place: Any) -> Any:
    """Load a word, and behind it all that was stored before it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source = _word(context, builder, signature.args[0], arguments[0], arguments[1])
        return builder.load_atomic(source, ordering="acquire", align=8)

    return types.int64(_INTS, types.int64), generate
