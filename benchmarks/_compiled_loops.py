"""Functions behind addresses, called many times from compiled loops, so that the caller does not count."""

from __future__ import annotations

import ctypes
import importlib.util
import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray


def loop_over(
    address: int,
    arguments: list[int],
    result: Any = ctypes.c_int64,
    restored: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None,
) -> Callable[[int], int]:
    """A function that calls ``f(arguments)`` so many times and gives the last result.

    Pointers and sizes are passed as 64-bit integers, which is the same for the processor.  Before each call the second
    of the arrays that are to be ``restored`` is copied to the first.
    """
    function = ctypes.CFUNCTYPE(result, *[ctypes.c_int64] * len(arguments))(address)
    target, source = restored or (np.zeros(0), np.zeros(0))
    names = ", ".join(f"a{k}" for k in range(len(arguments)))
    text = f"def repeat(count, target, source, {names}):\n    last = 0\n    for _ in range(count):\n"
    text += "        for k in range(source.size):\n            target[k] = source[k]\n"
    text += f"        last = function({names})\n    return last\n"
    scope: dict[str, Any] = {"function": function}
    exec(text, scope)
    repeat = numba.njit(scope["repeat"])
    return lambda count: int(repeat(count, target, source, *arguments))


def cpu_clock() -> Any:
    """clock_gettime as a compiled callback that tells, whatever clock is asked for, how long this thread had a core."""
    library: Any = ctypes.CDLL(None)
    address = ctypes.cast(library.clock_gettime, ctypes.c_void_p).value or 0
    told = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int32, ctypes.c_int64)(address)
    clock = time.CLOCK_THREAD_CPUTIME_ID

    @numba.cfunc("int32(int32, int64)")
    def read(_: int, place: int) -> int:
        return told(clock, place)  # type: ignore[no-any-return]

    return read


@intrinsic  # type: ignore[untyped-decorator]
def _pointer(typing_context: Any, address: Any, kind: Any) -> Any:
    """An address as a pointer to numbers of a kind."""
    signature = types.CPointer(kind.dtype)(address, kind)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

    return signature, generate


class JumpingClock:
    """A clock that nobody waits for: where a run would sleep, it jumps to the instant.  What it has told is noted."""

    #: stands between the instants for a sleep
    _SLEEP = -1.0
    _NANO = 1_000_000_000

    def __init__(self, steps: int) -> None:
        # At the most a step reads the clock when it is done, before it sleeps and afterwards.
        self.notes, self._state = np.zeros(4 * steps + 8), np.zeros(4, dtype=np.int64)
        library: Any = ctypes.CDLL(None)
        told = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int32, ctypes.c_int64)(
            ctypes.cast(library.clock_gettime, ctypes.c_void_p).value or 0
        )
        state_at, notes_at, size = self._state.ctypes.data, self.notes.ctypes.data, self.notes.size
        whole, real, marker, nano = numba.int64, numba.float64, self._SLEEP, self._NANO

        @numba.cfunc("int32(int32, int64)")
        def read(clock: int, place: int) -> int:
            state, notes = numba.carray(_pointer(state_at, whole), 4), numba.carray(_pointer(notes_at, real), size)
            time = numba.carray(_pointer(place, whole), 2)
            status = told(clock, place)
            now = time[0] * nano + time[1] + state[1]
            time[0], time[1] = now // nano, now % nano
            if state[0] < size:
                notes[state[0]] = 1e-9 * (now - state[2])
                state[0] += 1
            return status  # type: ignore[no-any-return]

        @numba.cfunc("int32(int32, int32, int64, int64)")
        def sleep(clock: int, _: int, until: int, __: int) -> int:
            state, notes = numba.carray(_pointer(state_at, whole), 4), numba.carray(_pointer(notes_at, real), size)
            wanted, now = numba.carray(_pointer(until, whole), 2), np.zeros(2, dtype=np.int64)
            status = told(clock, now.ctypes.data)
            state[1] = wanted[0] * nano + wanted[1] - now[0] * nano - now[1]
            if state[0] < size:
                notes[state[0]] = marker
                state[0] += 1
            return status  # type: ignore[no-any-return]

        self.read, self.sleep = read, sleep

    def begin(self) -> None:
        """Forget what was noted, and count from now on."""
        self.notes[:], self._state[:] = 0.0, 0
        self._state[2] = time.clock_gettime_ns(time.CLOCK_MONOTONIC)

    def step_times(self, steps: int, size: float) -> NDArray[np.float64]:
        """Seconds of steps that are due every ``size`` seconds: from the instant at which the run has woken up."""
        notes, k = self.notes[: self._state[0]].tolist(), 1
        base = last = notes[0]
        times = np.zeros(steps)
        for step in range(steps):
            done, due = notes[k], base + (step + 1) * size
            times[step], last, k = done - last, done, k + 1
            if done < due:
                asleep = k + 1 < len(notes) and notes[k + 1] == self._SLEEP
                last, k = (notes[k + 2], k + 3) if asleep else (due, k + 1)
        if k != len(notes):
            raise RuntimeError(f"{len(notes)} instants were noted in {steps} steps, of which {k} are understood")
        return times


def with_sizes(*arrays: NDArray[Any]) -> list[int]:
    """Arguments of a solver of dalembert.linalg: each array as a pointer and its size."""
    return [number for array in arrays for number in (array.ctypes.data, array.size)]


class Klu:
    """KLU of SuiteSparse by its C interface: one analysis and factorisation, then refactorisations.

    Taken from the system's libklu, or from the wheel of klujax, which exports it.
    """

    _COMMON = 1024  # bytes; klu_common has about 160

    def __init__(self, library: ctypes.CDLL, starts: Any, rows: Any, values: Any, right: NDArray[np.float64]) -> None:
        self.library = library
        for name in ("klu_analyze", "klu_factor"):
            getattr(library, name).restype = ctypes.c_void_p
        self.arrays = [np.asarray(starts, dtype=np.int32), np.asarray(rows, dtype=np.int32), np.array(values)]
        self.common = np.zeros(self._COMMON, dtype=np.uint8)
        n, self.x = len(right), np.array(right)
        p, i, x = (array.ctypes.data for array in self.arrays)
        common = self.common.ctypes.data
        pointer = ctypes.c_void_p
        library.klu_defaults(pointer(common))
        symbolic = library.klu_analyze(ctypes.c_int(n), pointer(p), pointer(i), pointer(common))
        numeric = library.klu_factor(pointer(p), pointer(i), pointer(x), pointer(symbolic), pointer(common))
        if not symbolic or not numeric:
            raise RuntimeError("KLU cannot factorise the matrix")
        self.refactor = loop_over(self._address("klu_refactor"), [p, i, x, symbolic, numeric, common], ctypes.c_int)
        arguments = [symbolic, numeric, n, 1, self.x.ctypes.data, common]
        self.solve = loop_over(self._address("klu_solve"), arguments, ctypes.c_int, restored=(self.x, right))

    def _address(self, name: str) -> int:
        return int(ctypes.cast(getattr(self.library, name), ctypes.c_void_p).value or 0)


def klu_library() -> ctypes.CDLL | None:
    """KLU, if this machine has it."""
    import ctypes.util

    spec = importlib.util.find_spec("klujax_cpp")
    for path in (ctypes.util.find_library("klu"), spec.origin if spec else None):
        if path:
            return ctypes.CDLL(path)
    return None
