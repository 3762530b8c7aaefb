"""What the memory of a method begins with, besides what every run has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dalembert.native.kernel import Kernel


class MethodLayout(NamedTuple):
    """Whole numbers, contents of vectors of whole numbers, sizes of vectors, vectors of reals that never change,
    kernels, and lists of addresses, all by their slots; workspaces outside of the memory, which are not stored, as
    functions from a run to numbers of reals, by the slots ``…_work`` of their addresses."""

    values: Mapping[str, int] = {}
    contents: Mapping[str, Any] = {}
    sizes: Mapping[str, int] = {}
    vectors: Mapping[str, NDArray[np.float64]] = {}
    kernels: Mapping[str, Kernel] = {}
    addresses: Mapping[str, Sequence[int]] = {}
    works: Mapping[str, Callable[[Any], int]] = {}
