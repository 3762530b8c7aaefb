"""Compiled code with buffers made once: a call costs about a microsecond of Python."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
_ENTRY = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p
)


class BoundCall:
    """A compiled function and the arrays that it reads and writes; made by :meth:`CompiledFunction.bound`.

    Values are written into ``inputs``, arrays by name, then the object is called, and ``outputs`` hold the results::

        call = f.bound()
        call.inputs["q"][:] = q
        call()
        call.outputs["M"]

    Nothing is checked and nothing is copied, so one such object belongs to one thread.
    """

    def __init__(
        self,
        address: int,
        inputs: Mapping[str, tuple[int, ...]],
        outputs: Mapping[str, tuple[int, ...]],
        work: Floats,
        request: int,
        owner: Any,
    ) -> None:
        self._owner = owner  # of the machine code
        self._flat_in, self.inputs = _arrays(inputs)
        self._flat_out, self.outputs = _arrays(outputs)
        self._work = work
        self._pointers = _pointers(self._flat_in), _pointers(self._flat_out)
        self._entry = _ENTRY(address)
        self._arguments = (
            ctypes.c_int64(request),
            ctypes.c_int64(0),
            ctypes.c_void_p(ctypes.addressof(self._pointers[0])),
            ctypes.c_void_p(ctypes.addressof(self._pointers[1])),
            ctypes.c_void_p(work.ctypes.data),
        )

    def __call__(self) -> int:
        """Compute all outputs; 0, or what the code says went wrong."""
        return self._entry(*self._arguments)


def _arrays(shapes: Mapping[str, tuple[int, ...]]) -> tuple[list[Floats], dict[str, Floats]]:
    flat = [np.zeros(max(1, int(np.prod(shape, dtype=int)))) for shape in shapes.values()]
    named = {
        name: one[: int(np.prod(shape, dtype=int))].reshape(shape)
        for one, (name, shape) in zip(flat, shapes.items(), strict=True)
    }
    return flat, named


def _pointers(arrays: Sequence[Floats]) -> Any:
    return (ctypes.c_void_p * max(1, len(arrays)))(*(one.ctypes.data for one in arrays))
