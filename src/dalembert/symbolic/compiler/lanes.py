"""Functions compiled for many points at once, such as all elements of one type.

Points stand in groups of :data:`LANES`; inside a group each entry of an array is LANES doubles, one per point (see
emit/lane_code.py).  :func:`grouped` brings arrays with one row per point into this form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.symbolic.compiler import jit
from dalembert.symbolic.compiler.program import WIDTH, extract

#: Points per group.
LANES = WIDTH


def groups(points: int, lanes: int = LANES) -> int:
    """Number of groups that hold so many points."""
    return -(-points // lanes)


def grouped(rows: NDArray[Any], lanes: int = LANES) -> NDArray[Any]:
    """Entries of all points, in the order in which they stand in groups; the last point fills up the last group."""
    count, width = rows.shape
    n = groups(count, lanes)
    filled = np.concatenate([rows, np.repeat(rows[-1:], n * lanes - count, axis=0)])
    return np.ascontiguousarray(filled.reshape(n, lanes, width).transpose(0, 2, 1)).reshape(-1)


class LanesFunction:
    """Machine code for points in groups; staged, with ``inputs`` as stages."""

    #: points in a group
    lanes = LANES

    def __init__(self, outputs: Mapping[str, Any], inputs: Mapping[str, Any], name: str) -> None:
        self.program = extract(outputs, inputs, name, True)
        self._machine = jit.build(self.program, form="lanes")

    @property
    def address(self) -> int:
        """Address of ``int f(int64 groups, int64 request, int64 changed, in, out, work)``."""
        return self._machine.entry

    def work_size(self, points: int) -> int:
        """Doubles of workspace for so many points; as :meth:`start` says at the first call, then zeros."""
        return self._machine.blocks + groups(points) * self._machine.work_size

    def start(self, address: int) -> Sequence[int]:
        """The words that a workspace at some address starts with."""
        return ()
