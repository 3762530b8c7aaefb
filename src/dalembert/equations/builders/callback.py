"""Entries with the calling convention of compiled equations that call Python."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.contract.convention import INPUTS
from dalembert.equations.contract.equations import Sizes
from dalembert.equations.contract.provider import Floats, Pattern, Provider

ENTRY = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_void_p),
    ctypes.c_void_p,
)  # fmt: skip


class Callback:
    """An entry that calls Python; an exception is kept, and raised again outside of the compiled code.

    Threads that run at the same time each keep their own.
    """

    def __init__(self, sizes: Sizes, evaluate: Callable[[int, dict[str, Floats]], Mapping[int, Floats]]) -> None:
        self._raised = threading.local()
        self.in_sizes = counts = (sizes.p, 1, sizes.q, sizes.v, sizes.u, sizes.lam, sizes.v, sizes.g)

        def entry(request: int, changed: int, inputs: Any, outputs: Any, work: Any) -> int:
            try:
                point = {key: np.array(array_at(inputs[k], counts[k])) for k, key in enumerate(INPUTS)}
                for k, values in evaluate(request, point).items():
                    array_at(outputs[k], values.size)[:] = values.reshape(-1)
            except BaseException as error:
                vars(self._raised)["error"] = error
                return 1
            return 0

        self.entry = ENTRY(entry)

    def raise_pending(self) -> None:
        """Raise what was raised behind the entry since the last call."""
        if (error := vars(self._raised).pop("error", None)) is not None:
            raise error

    @property
    def address(self) -> int:
        """Good as long as this object lives."""
        return int(ctypes.cast(self.entry, ctypes.c_void_p).value or 0)


@dataclass(frozen=True)
class PythonProvider(Provider):
    """A provider whose entry calls Python; its owner is a :class:`Callback`."""

    @classmethod
    def of(
        cls,
        program: str,
        owner: Callback,
        out_sizes: Sequence[int],
        patterns: Mapping[str, Pattern],
        exact: bool = True,
    ) -> Provider:
        """A program behind a callback."""
        return cls(program, owner.address, 0, owner.in_sizes, tuple(out_sizes), patterns, owner, exact=exact)

    def raise_pending(self) -> None:
        self.owner.raise_pending()


def array_at(address: int | None, size: int) -> NDArray[np.float64]:
    """The numbers at an address, not copied."""
    if not size or not address:
        return np.zeros(size)
    # A quarter of the time of np.ctypeslib.as_array, thirteen times in each evaluation.
    numbers: Any = (ctypes.c_double * size).from_address(address)
    return np.frombuffer(numbers)
