"""Compiled functions behind one calling convention.

A provider is ``int entry(int64 request, int64 changed, double *const *in, double *const *out, double *work)``: bit k of
``request`` asks for output k, ``changed`` is the number of the first input that is new since the last call with this
workspace (0 in the first call).  Inputs and request bits are those of
:mod:`~dalembert.equations.contract.convention`.  Traced programs, loops over elements and Python callbacks all look the
same from the other side.
"""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.contract.convention import INPUTS, OUTPUTS
from dalembert.native.slots import address_of
from dalembert.symbolic import CompiledFunction
from dalembert.symbolic.compiler.bound import BoundCall

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_ENTRY = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p
)


@dataclass(frozen=True)
class Pattern:
    """Places of the stored entries of a sparse output, column by column."""

    shape: tuple[int, int]
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    #: of a mass matrix, where it is known: for each coordinate the number of the body that it belongs to
    bodies: NDArray[np.int64] | None = None

    def dense(self, values: Floats) -> Floats:
        """The full matrix."""
        matrix = np.zeros(self.shape)
        matrix[self.rows, self.columns] = values
        return matrix


def products(T: Pattern, C: Pattern) -> tuple[Ints, Ints, Ints, Ints]:
    """For each product of entries in T Cᵀ its row and column, and the numbers of the entries."""
    first, last = (np.searchsorted(T.columns, C.columns, side) for side in ("left", "right"))
    in_C = np.repeat(np.arange(len(C.rows)), last - first)
    in_T = np.concatenate([np.arange(a, b) for a, b in zip(first, last, strict=True)] or [np.zeros(0, dtype=np.int64)])
    return T.rows[in_T], C.rows[in_C], in_T, in_C


class _Block(NamedTuple):
    """Where inputs and outputs stand in one block of numbers."""

    size: int
    of_inputs: int  # numbers of all inputs, which come first
    places: Ints  # bytes from the beginning
    inputs: list[tuple[str, slice]]  # without those that are empty
    parts: list[slice]  # all
    known: dict[tuple[str, ...], tuple[int, list[tuple[str, slice]]]]  # of what was asked for


@dataclass(frozen=True)
class Provider:
    """One program of some equations: its entry and the layout of its outputs."""

    program: str
    address: int
    work_size: int
    in_sizes: tuple[int, ...]
    out_sizes: tuple[int, ...]
    patterns: Mapping[str, Pattern]
    owner: Any = field(repr=False)  # keeps the machine code alive
    work_start: Sequence[int] = ()  # addresses that stand at the beginning of the workspace
    #: whether the Jacobian is one; if not, it is made of differences, in Python, and whoever needs it often takes
    #: differences of the rows where its pattern has entries
    exact: bool = True
    #: whether coordinates drift along velocities, q̇ = T (v − Cᵀμ); if not, q̇ = T v − (∂g/∂q)ᵀμ, the same where T = 1
    drift_in_velocities: bool = True

    @classmethod
    def compiled(cls, program: str, function: CompiledFunction) -> Provider:
        """A traced program."""
        patterns = {
            item.name: Pattern(
                (int(item.shape[0]), int(item.shape[1])),
                np.array(item.sparse_rows, dtype=np.int64),
                np.repeat(np.arange(item.shape[1]), np.diff(item.sparse_indptr)).astype(np.int64),
            )
            for item in function.outputs
            if item.sparse_rows is not None and item.sparse_indptr is not None
        }
        sizes = tuple(item.size for item in function.inputs), tuple(item.size for item in function.outputs)
        return cls(program, function.address, function.work_size, *sizes, patterns, function)

    def workspace(self) -> Floats:
        """Memory for one run."""
        work = np.zeros(max(1, self.work_size))
        if len(self.work_start):
            work.view(np.int64)[: len(self.work_start)] = self.work_start
        return work

    def __call__(self, names: Sequence[str], inputs: Mapping[str, Floats]) -> dict[str, Floats]:
        """Outputs at one point, in a fresh workspace; inputs that are missing are NaN."""
        layout, asked = self._block, tuple(names)
        if asked not in layout.known:
            layout.known[asked] = self._request(asked)
        request, outputs = layout.known[asked]
        # One block for inputs and outputs: asking NumPy for addresses is what takes time here.
        block, work = np.zeros(layout.size), self.workspace()
        block[: layout.of_inputs] = np.nan
        for key, part in layout.inputs:
            if key in inputs:
                block[part] = inputs[key]
        pointers = layout.places + address_of(block)
        table = address_of(pointers)
        if self._entry(request, 0, table, table + 8 * len(self.in_sizes), address_of(work)):
            self.raise_pending()
        return {name: block[part] for name, part in outputs}

    @cached_property
    def _block(self) -> _Block:
        """Inputs and outputs one behind the other."""
        starts = list(itertools.accumulate((*self.in_sizes, *self.out_sizes), initial=0))
        parts = [slice(*ends) for ends in itertools.pairwise(starts)]
        inputs = [(key, part) for key, part in zip(INPUTS, parts, strict=False) if part.stop > part.start]
        of_inputs = starts[len(self.in_sizes)]
        return _Block(starts[-1] + 1, of_inputs, 8 * np.array(starts[:-1], dtype=np.int64), inputs, parts, {})

    def _request(self, names: tuple[str, ...]) -> tuple[int, list[tuple[str, slice]]]:
        """Bits that ask for some outputs, and where these stand in the block."""
        known, first = OUTPUTS[self.program], len(self.in_sizes)
        bits, parts = 0, []
        for name in names:
            k = known.index(name)
            bits |= 1 << k
            parts.append((name, self._block.parts[first + k]))
        return bits, parts

    @cached_property
    def _entry(self) -> Callable[[int, int, int, int, int], int]:
        """The entry as Python calls it."""
        return _ENTRY(self.address)

    def bound(self, names: Sequence[str]) -> BoundCall:
        """Some outputs with arrays that are made once; sparse ones are their stored values.  For one thread."""
        known, inputs = OUTPUTS[self.program], dict(zip(INPUTS, self.in_sizes, strict=False))
        sizes = dict(zip(known, self.out_sizes, strict=True))
        request = sum(1 << known.index(name) for name in names)
        return BoundCall(
            self.address, {key: (size,) for key, size in inputs.items()}, {key: (size,) for key, size in sizes.items()},
            self.workspace(), request, self,
        )  # fmt: skip

    def raise_pending(self) -> None:
        """Raise what a Python function behind the entry raised in this thread; compiled code raises nothing."""
