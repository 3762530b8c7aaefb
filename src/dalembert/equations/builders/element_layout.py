"""Where the values of elements stand: their functions, index lists and buffers, described for the loop that runs over
them (:mod:`~dalembert.equations.builders.loop`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.builders import loop
from dalembert.equations.builders.element_types import Block, Formulas, Local
from dalembert.equations.contract.convention import INPUTS, OUTPUTS
from dalembert.equations.contract.provider import Floats, Pattern, Provider
from dalembert.symbolic.compiler.lanes import grouped, groups
from dalembert.symbolic.emit.lanes import LANES

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

    layout: Any = None

    def workspace(self) -> Floats:
        return self.layout()


class _Placed:
    """Values of one output: numbers go to its base, what is computed to the places in ``lists``, type by type."""

    def __init__(self, size: int, pattern: Pattern | None = None, always_added: bool = False) -> None:
        self.pattern, self._always_added = pattern, always_added
        self.base = np.zeros(size)
        self.lists: list[Ints] = []
        self._uses = np.zeros(size, dtype=np.int64)

    def place(self, block: Block, places: Ints) -> None:
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


def assemble_program(equations: Assembled, program: str) -> Provider:
    """The program of all elements together."""
    s, kinds = equations.sizes, equations.kinds
    names = OUTPUTS[program]
    locals_ = [kind.formulas.local(program) for kind in kinds]
    placed = {name: _place(equations, name, locals_) for name in names}
    lists: list[NDArray[Any]] = []

    def keep(values: Any, kind: type = np.int64) -> tuple[int, int]:
        lists.append(np.ascontiguousarray(values, dtype=kind).reshape(-1))
        return int(lists[-1].ctypes.data), len(lists[-1])

    about: list[int] = [len(names), len(kinds)]
    for name in names:
        values = placed[name]
        start = _start(equations, name)
        stage = max(start, *(local.stages[name] for local in locals_))
        base, size = keep(values.base, float)
        about += [size, stage, start, base, *keep(values.shared())]
    blocks: list[dict[str, Any]] = []
    at = 2 + len(names)  # words of the workspace: description, states, then what types need
    for k, (kind, local) in enumerate(zip(kinds, locals_, strict=True)):
        n, function = groups(kind.count), local.function
        rest = kind.count - (n - 1) * LANES
        words = [0 if function is None else function.address, n, rest, at, 0]
        tables = at
        at += len(INPUTS) + len(names)
        places: list[int] = []
        for key in INPUTS:
            index = kind.places(key)
            width = index.shape[1]
            words += [width, keep(grouped(index))[0]] if key in local.read else [0, 0]
            places.append(at)
            at += min(n, loop.TILE) * LANES * width
        for name in names:
            targets = placed[name].lists[k]
            width = targets.shape[1]
            words += [width, keep(grouped(targets))[0] if width else 0, int(placed[name].own(k))]
            places.append(at)
            at += min(n, loop.TILE) * LANES * width
        blocks.append({"tables": tables, "places": places, "work": at})
        at += 0 if function is None else function.work_size(min(kind.count, loop.TILE * LANES))
        about += words
    description = np.array(about, dtype=np.int64)
    type_words = loop.INPUT + 2 * len(INPUTS) + 3 * len(names)
    first = loop.HEADER + len(names) * loop.OUTPUT_WORDS

    def layout() -> Floats:
        # A workspace has its own description, as that holds addresses inside of the workspace.
        work = np.zeros(at + len(description))
        base = int(work.ctypes.data)
        ints = work.view(np.int64)
        own = ints[at:]
        own[:] = description
        ints[0], ints[1] = base + 8 * at, len(description)
        for k, block in enumerate(blocks):
            own[first + k * type_words + loop.WORK] = base + 8 * block["work"]
            table = block["tables"]
            ints[table : table + len(block["places"])] = [base + 8 * place for place in block["places"]]
        return work

    in_sizes = (s.p, 1, s.q, s.v, s.u, s.lam, s.v, s.g)
    return _LoopProvider(
        program, loop.evaluate.address, at + len(description), in_sizes,
        tuple(len(placed[name].base) for name in names),
        {name: values.pattern for name, values in placed.items() if values.pattern is not None},
        (locals_, lists), (), layout,
    )  # fmt: skip


def _start(equations: Assembled, name: str) -> int:
    """What an output is before elements add to it."""
    if name == "qdot" and equations.unit_T:
        return loop.FROM_V
    return loop.FROM_Q if name == "qn" and equations.normalizes else loop.FROM_BASE


#: Which vectors the entries of outputs belong to; those of the Jacobian to several.
_VECTORS = {
    "f": "v", "gI": "lam", "g": "g", "gamma": "lam", "d": "u", "qn": "q", "w": "", "qdot": "q", "residual": "v",
    "gv": "lam",
}  # fmt: skip
_MATRICES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "T": (("q",), ("v",)), "M": (("v",), ("v",)), "G": (("lam",), ("v",)), "F": (("v",), ("lam",)),
    "C": (("g",), ("v",)), "jacobian": (("q", "v", "g", "lam", "u"), ("q", "v", "a", "lam", "mu", "u")),
}  # fmt: skip


def _place(equations: Assembled, name: str, locals_: list[Local]) -> _Placed:
    """Places of all values of an output."""
    s, kinds = equations.sizes, equations.kinds
    blocks = [local.blocks[name] for local in locals_]
    if name in _VECTORS:
        key = _VECTORS[name]
        size = 0 if not key or (name == "qn" and not equations.normalizes) else getattr(s, key)
        # q̇ = v is there before the elements add to it.
        placed = _Placed(size, always_added=_start(equations, name) == loop.FROM_V)
        for kind, block in zip(kinds, blocks, strict=True):
            placed.place(block, kind.places(key or "q")[:, list(block.rows)])
        return placed
    by_row, by_column = _MATRICES[name]
    counts = {"q": s.q, "v": s.v, "a": s.v, "lam": s.lam, "g": s.g, "mu": s.g, "u": s.u}
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


def _bodies(equations: Assembled, blocks: list[Block]) -> Ints:
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
