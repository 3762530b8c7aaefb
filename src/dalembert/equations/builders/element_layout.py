"""Where the values of elements stand: their functions, index lists and buffers, described for the loop that runs over
them (:mod:`~dalembert.equations.builders.loop`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.builders import loop
from dalembert.equations.builders.element_types import Formulas, Local, LocalEntries
from dalembert.equations.contract.convention import INPUTS, OUTPUTS, STAGE
from dalembert.equations.contract.provider import Floats, Pattern, Provider
from dalembert.symbolic.compiler.lanes import LANES, grouped, groups

if TYPE_CHECKING:
    from dalembert.equations.builders.elements import Assembled

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Kind:
    """One type of element: its equations in local coordinates, and where its instances stand.

    All arrays have one row per instance: places of its coordinates, velocities, external states and parameters among
    all, and of its rows of constraints.
    """

    formulas: Formulas
    coordinates: Ints
    velocities: Ints
    states: Ints
    parameters: Ints
    rows: Ints

    @property
    def name(self) -> str:
        return self.formulas.name

    @property
    def count(self) -> int:
        return len(self.coordinates)

    @property
    def position_rows(self) -> Ints:
        return self.rows[:, : len(self.formulas.expressions.g)]

    def places(self, key: str) -> Ints:
        """Global places of a local vector: of an input, or "g"."""
        if key == "t":
            return np.zeros((self.count, 1), dtype=np.int64)
        return {
            "p": self.parameters, "q": self.coordinates, "v": self.velocities, "a": self.velocities, "u": self.states,
            "lam": self.rows, "mu": self.position_rows, "g": self.position_rows,
        }[key]  # fmt: skip

    def restricted(self, number: Ints) -> Iterator[Kind]:
        """The type with other numbers of rows, −1 for those that are dropped: one kind for all instances that keep the
        same ones."""
        if not self.rows.shape[1]:
            yield self
            return
        rows = number[self.rows]
        patterns, which = np.unique(rows >= 0, axis=0, return_inverse=True)
        for k, pattern in enumerate(patterns):
            local = np.flatnonzero(pattern)
            at = np.flatnonzero(which.reshape(-1) == k)
            yield Kind(
                self.formulas.restricted(tuple(local.tolist())), self.coordinates[at], self.velocities[at],
                self.states[at], self.parameters[at], rows[np.ix_(at, local)],
            )  # fmt: skip


@dataclass(frozen=True)
class _LoopProvider(Provider):
    """A provider whose workspace holds buffers and tables of addresses."""

    make_workspace: Callable[[], Floats] | None = None

    def workspace(self) -> Floats:
        assert self.make_workspace is not None
        return self.make_workspace()


class _Placed:
    """Values of one output: numbers go to its base, what is computed to the places in ``lists``, type by type."""

    def __init__(self, size: int, pattern: Pattern | None = None, always_added: bool = False) -> None:
        self.pattern, self._always_added = pattern, always_added
        self.base = np.zeros(size)
        self.lists: list[Ints] = []
        self._uses = np.zeros(size, dtype=np.int64)

    def place(self, block: LocalEntries, places: Ints) -> None:
        """``places``: (instances, entries) of the next type."""
        for k in np.flatnonzero(block.fixed):
            np.add.at(self.base, places[:, k], float(block.values[k]))
        self.lists.append(places[:, ~block.fixed])
        np.add.at(self._uses, self.lists[-1].ravel(), 1)

    def own(self, kind: int) -> bool:
        """Whether nothing else stands at the places of a type, so that values are written and not added."""
        if self._always_added:
            return False
        places = self.lists[kind].ravel()
        return bool((self._uses[places] == 1).all() and not self.base[places].any())

    def shared(self) -> Ints:
        """Places that are added to, and start from the base each time."""
        added = [places.ravel() for kind, places in enumerate(self.lists) if not self.own(kind)]
        return np.unique(np.concatenate(added)) if added else np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class _Buffers:
    """Places of a type in a workspace: its two tables, what they point to, and the workspace of its function, which
    says what that starts with."""

    tables: int
    places: list[int]
    work: int
    function: Any


class _Description:
    """What the loop knows about a program: integers for all workspaces, and where the buffers of a workspace stand."""

    def __init__(self, n_types: int, placed: Mapping[str, _Placed]) -> None:
        self.lists: list[NDArray[Any]] = []
        self.buffers: list[_Buffers] = []
        self._placed = placed
        self._words: list[int] = [len(placed), n_types]  # description_word
        #: words of a workspace so far: those about the description, states of the outputs, then what types need
        self._size = loop.loop_word.end + len(placed)

    def _keep(self, values: Any, kind: type = np.int64) -> tuple[int, int]:
        """Address and length of a list that lives as long as this object."""
        self.lists.append(np.ascontiguousarray(values, dtype=kind).reshape(-1))
        return int(self.lists[-1].ctypes.data), len(self.lists[-1])

    def _reserve(self, size: int) -> int:
        at, self._size = self._size, self._size + size
        return at

    def add_output(self, name: str, stage: int, start: int) -> None:
        """The words of ``output_word``."""
        values = self._placed[name]
        base, size = self._keep(values.base, float)
        self._words += [size, stage, start, base, *self._keep(values.shared())]

    def add_type(self, number: int, kind: Kind, local: Local) -> None:
        """The words of ``type_word``, then of ``input_word`` and ``target_word``."""
        function = local.function
        lanes = LANES if function is None else function.lanes
        n = groups(kind.count, lanes)
        tile = min(n, loop.TILE if lanes > 1 else 1) * lanes
        tables = self._reserve(len(INPUTS) + len(self._placed))
        words = [0 if function is None else function.address, lanes, n, kind.count - (n - 1) * lanes, tables, 0]
        places: list[int] = []
        for key in INPUTS:
            index = kind.places(key)
            width = index.shape[1]
            words += [width, self._keep(grouped(index, lanes))[0]] if key in local.read else [0, 0]
            places.append(self._reserve(tile * width))
        for values in self._placed.values():
            targets = values.lists[number]
            width = targets.shape[1]
            words += [width, self._keep(grouped(targets, lanes))[0] if width else 0, int(values.own(number))]
            places.append(self._reserve(tile * width))
        n_work = 0 if function is None else function.work_size(min(kind.count, tile))
        self.buffers.append(_Buffers(tables, places, self._reserve(n_work), function))
        self._words += words

    @cached_property
    def _numbers(self) -> Ints:
        """All words; asked for when nothing is added any more."""
        return np.array(self._words, dtype=np.int64)

    @property
    def work_size(self) -> int:
        """Words of a workspace; the description is the last part of it."""
        return self._size + len(self._words)

    def workspace(self) -> Floats:
        """A workspace with a description of its own, as that holds addresses inside of the workspace."""
        work = np.zeros(self.work_size)
        base, ints = int(work.ctypes.data), work.view(np.int64)
        ints[loop.loop_word.DESCRIPTION], ints[loop.loop_word.LENGTH] = base + 8 * self._size, len(self._words)
        own = ints[self._size :]
        own[:] = self._numbers
        n_outputs = len(self._placed)
        first = loop.description_word.end + n_outputs * loop.output_word.end
        type_words = loop.TARGETS_AT + n_outputs * loop.target_word.end
        for k, block in enumerate(self.buffers):
            own[first + k * type_words + loop.type_word.WORK] = base + 8 * block.work
            ints[block.tables : block.tables + len(block.places)] = [base + 8 * place for place in block.places]
            begin = () if block.function is None else block.function.start(base + 8 * block.work)
            ints[block.work : block.work + len(begin)] = begin
        return work


def assemble_program(equations: Assembled, program: str) -> Provider:
    """The program of all elements together."""
    s, kinds = equations.sizes, equations.kinds
    locals_ = [kind.formulas.local(program) for kind in kinds]
    placed = {name: _place(equations, name, locals_) for name in OUTPUTS[program]}
    description = _Description(len(kinds), placed)
    for name in placed:
        start = _start(equations, name)
        description.add_output(name, max(start, *(local.stages[name] for local in locals_)), start)
    for number, (kind, local) in enumerate(zip(kinds, locals_, strict=True)):
        description.add_type(number, kind, local)
    return _LoopProvider(
        program, loop.evaluate.address, description.work_size, (s.p, 1, s.q, s.v, s.u, s.lam, s.v, s.g),
        tuple(len(values.base) for values in placed.values()),
        {name: values.pattern for name, values in placed.items() if values.pattern is not None},
        (locals_, description), drift_in_velocities=equations.unit_T, make_workspace=description.workspace,
    )  # fmt: skip


def _start(equations: Assembled, name: str) -> int:
    """What an output is before elements add to it."""
    if name == "qdot" and equations.unit_T:
        return STAGE.V
    return STAGE.Q if name == "qn" and equations.normalizes else loop.FROM_BASE


#: Which vectors the entries of outputs belong to; those of the Jacobian to several.
_VECTORS = {
    "f": "v", "gI": "lam", "g": "g", "gamma": "lam", "d": "u", "qn": "q", "w": "", "qdot": "q", "residual": "v",
    "gv": "lam", "qddot": "q", "ga": "lam",
}  # fmt: skip
_MATRICES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "T": (("q",), ("v",)), "M": (("v",), ("v",)), "G": (("lam",), ("v",)), "F": (("v",), ("lam",)),
    "C": (("g",), ("v",)), "jacobian": (("q", "v", "g", "lam", "u"), ("q", "v", "a", "lam", "mu", "u")),
    "derivatives": (("v", "g", "lam", "lam", "u"), ("q", "v", "a", "lam", "u", "t")),
}  # fmt: skip


def _place(equations: Assembled, name: str, locals_: list[Local]) -> _Placed:
    """Places of all values of an output."""
    s, kinds = equations.sizes, equations.kinds
    blocks = [local.blocks[name] for local in locals_]
    if name in _VECTORS:
        key = _VECTORS[name]
        absent = not key or (name == "qn" and not equations.normalizes) or (name == "qddot" and equations.unit_T)
        size = 0 if absent else getattr(s, key)
        # q̇ = v is there before the elements add to it.
        placed = _Placed(size, always_added=_start(equations, name) == STAGE.V)
        for kind, block in zip(kinds, blocks, strict=True):
            placed.place(block, kind.places(key or "q")[:, list(block.rows)])
        return placed
    by_row, by_column = _MATRICES[name]
    if name == "derivatives" and not equations.unit_T:
        by_row = (*by_row, "q", "q")
    counts = {"q": s.q, "v": s.v, "a": s.v, "lam": s.lam, "g": s.g, "mu": s.g, "u": s.u, "t": 1}
    rows = [_stacked(kind, by_row, counts)[:, list(block.rows)] for kind, block in zip(kinds, blocks, strict=True)]
    columns = [
        _stacked(kind, by_column, counts)[:, list(block.columns)] for kind, block in zip(kinds, blocks, strict=True)
    ]
    shape = sum(counts[key] for key in by_row), sum(counts[key] for key in by_column)
    ones = np.zeros((0, 2), dtype=np.int64)
    if equations.unit_T and name in ("T", "jacobian"):  # q̇ is v itself
        diagonal = np.arange(s.v, dtype=np.int64)
        ones = np.stack([diagonal + (s.q if name == "jacobian" else 0), diagonal], axis=1)
    pairs = [np.stack([c.ravel(), r.ravel()], axis=1) for r, c in zip(rows, columns, strict=True)]
    everything = np.concatenate([*pairs, ones])
    keys, inverse = np.unique(everything[:, 0] * shape[0] + everything[:, 1], return_inverse=True)
    inverse = inverse.reshape(-1).astype(np.int64)
    placed = _Placed(len(keys), Pattern(shape, (keys % shape[0]).astype(np.int64), (keys // shape[0]).astype(np.int64)))
    if name == "M":
        assert placed.pattern is not None
        placed.pattern = replace(placed.pattern, bodies=_bodies(equations, blocks))
    at = 0
    for block, r in zip(blocks, rows, strict=True):
        placed.place(block, inverse[at : at + r.size].reshape(r.shape))
        at += r.size
    placed.base[inverse[at:]] += 1.0
    return placed


def _stacked(kind: Kind, keys: tuple[str, ...], counts: dict[str, int]) -> Ints:
    """Places of several local vectors of each instance, one below the other, in the global ones."""
    parts, at = [], 0
    for key in keys:
        parts.append(at + kind.places(key))
        at += counts[key]
    return np.concatenate(parts, axis=1)


def _bodies(equations: Assembled, blocks: list[LocalEntries]) -> Ints:
    """Velocities that have mass in one element belong to one body."""
    bodies = np.arange(equations.sizes.v, dtype=np.int64)
    heavy = [kind.velocities[:, sorted(set(block.rows))] for kind, block in zip(equations.kinds, blocks, strict=True)]
    while True:  # until nothing changes: elements may share coordinates
        before = bodies.copy()
        for together in heavy:
            if together.shape[1] > 1:
                smallest = bodies[together].min(axis=1)
                np.minimum.at(bodies, together.ravel(), np.repeat(smallest, together.shape[1]))
        bodies = bodies[bodies]
        if (bodies == before).all():
            return bodies
