"""Where the values of elements stand: their functions, index lists and buffers, described for the loop that runs over
them (:mod:`~dalembert.equations.loop`)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalembert.equations import loop
from dalembert.equations.expressions import INPUTS, Expressions, symbols_in
from dalembert.equations.provider import OUTPUTS, Floats, Pattern, Provider
from dalembert.symbolic import Atom, SparseMatrix, array, jacobian, zeros
from dalembert.symbolic.emit_lanes import LANES
from dalembert.symbolic.lanes import LanesFunction, grouped, groups

if TYPE_CHECKING:
    from dalembert.equations.elements import Assembled

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Kind:
    """One type of element: its equations in local coordinates, and where its instances stand."""

    name: str
    expressions: Expressions
    coordinates: Ints  # (instances, local coordinates)
    parameters: Ints  # (instances, local parameters): places in the vector of all parameters
    first_row: int  # of the constraints of the first instance

    @property
    def count(self) -> int:
        return len(self.coordinates)

    @property
    def rows(self) -> Ints:
        """Rows of the constraints of each instance."""
        m = len(self.expressions.g)
        return self.first_row + np.arange(self.count * m, dtype=np.int64).reshape(self.count, m)


def _local_outputs(program: str, expressions: Expressions) -> dict[str, Any]:
    """Outputs of an element; q̇ = v stands in the global ones already, elements add what the constraints do to it."""
    if program == "contract":
        local = expressions.contract()
        return {**local, "T": SparseMatrix.from_dense(zeros((1, 1)))}
    x, inputs = expressions, expressions.inputs
    mu, lam, a = inputs["mu"], inputs["lam"], inputs["a"]
    rows = {
        "qdot": array(-(x.C.T @ mu)) if len(mu) else zeros((len(a),)),
        "residual": array(x.M @ a - x.f + (x.G.T @ lam if len(lam) else 0.0)),
        "g": x.g,
        "gv": x.velocity_constraints,
        "d": zeros((0,)),
    }
    stacked = array([entry for block in rows.values() for entry in block])
    unknowns = array([entry for key in ("q", "v", "a", "lam", "mu") for entry in inputs[key]])
    return {**rows, "jacobian": jacobian(stacked, unknowns, sparse=True)}


@dataclass(frozen=True)
class _LoopProvider(Provider):
    """A provider whose workspace holds buffers and tables of addresses."""

    layout: Any = None

    def workspace(self) -> Floats:
        return self.layout()


class _Placed:
    """Values of one output: numbers go to its base, what is computed to the places in ``lists``, by type."""

    def __init__(self, size: int, pattern: Pattern | None = None) -> None:
        self.pattern = pattern
        self.base = np.zeros(size)
        self.entries: dict[str, list[Any]] = {}
        self.lists: dict[str, Ints] = {}
        self._uses = np.zeros(size, dtype=np.int64)

    def place(self, kind: Kind, entries: list[Any], places: Ints) -> None:
        """``places``: (instances, entries) of the type."""
        fixed = [not isinstance(entry, Atom) or entry.value is not None for entry in entries]
        for k, entry in enumerate(entries):
            if fixed[k]:
                np.add.at(self.base, places[:, k], float(entry))
        self.entries[kind.name] = [entry for entry, number in zip(entries, fixed, strict=True) if not number]
        self.lists[kind.name] = places[:, ~np.array(fixed, dtype=bool)]
        np.add.at(self._uses, self.lists[kind.name].ravel(), 1)

    def own(self, kind: Kind) -> bool:
        """Whether nothing else stands at the places of a type."""
        places = self.lists[kind.name].ravel()
        return bool((self._uses[places] == 1).all() and not self.base[places].any())

    def shared(self, kinds: tuple[Kind, ...]) -> Ints:
        """Places that are added to, and start from the base each time."""
        added = [self.lists[kind.name].ravel() for kind in kinds if not self.own(kind)]
        return np.unique(np.concatenate(added)) if added else np.zeros(0, dtype=np.int64)


def assemble_program(equations: Assembled, program: str) -> Provider:
    """The program of all elements together."""
    s, kinds = equations.sizes, equations.kinds
    names = OUTPUTS[program]
    locals_ = [_local_outputs(program, kind.expressions) for kind in kinds]
    placed = {name: _place(equations, name, locals_) for name in names}
    functions = [
        LanesFunction(
            {name: array(placed[name].entries[kind.name]) for name in names},
            {key: kind.expressions.inputs[key] for key in INPUTS},
            f"{program}_{kind.name}",
        )
        if any(placed[name].entries[kind.name] for name in names)
        else None
        for kind in kinds
    ]
    lists: list[NDArray[Any]] = []

    def keep(values: Any, kind: type = np.int64) -> tuple[int, int]:
        lists.append(np.ascontiguousarray(values, dtype=kind).reshape(-1))
        return int(lists[-1].ctypes.data), len(lists[-1])

    about: list[int] = [len(names), len(kinds), s.v]
    for name in names:
        values = placed[name]
        start = loop.FROM_V if name == "qdot" else loop.FROM_BASE
        base, size = keep(values.base, float)
        about += [size, _stage(name, equations, locals_), start, base, *keep(values.shared(kinds))]
    blocks: list[dict[str, Any]] = []
    at = 2 + len(names)  # words of the workspace: description, states, then what types need
    for kind, function in zip(kinds, functions, strict=True):
        n = groups(kind.count)
        index = _index(kind)
        used = symbols_in([entry for name in names for entry in placed[name].entries[kind.name]])
        rest = kind.count - (n - 1) * LANES
        words = [0 if function is None else function.address, n, rest, at, 0]
        tables = at
        at += len(INPUTS) + len(names)
        places: list[int] = []
        for key in INPUTS:
            width = index[key].shape[1]
            needed = width and any(symbol in used for symbol in kind.expressions.inputs[key])
            words += [width, keep(grouped(index[key]))[0]] if needed else [0, 0]
            places.append(at)
            at += min(n, loop.TILE) * LANES * width
        for name in names:
            targets = placed[name].lists[kind.name]
            width = targets.shape[1]
            words += [width, keep(grouped(targets))[0] if width else 0, int(placed[name].own(kind))]
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
        (functions, lists), (), layout,
    )  # fmt: skip


def _index(kind: Kind) -> dict[str, Ints]:
    """Places of the local inputs of each instance."""
    index = {"p": kind.parameters, "t": np.zeros((kind.count, 1), dtype=np.int64), "lam": kind.rows, "mu": kind.rows}
    index |= dict.fromkeys(("q", "v", "a"), kind.coordinates)
    return {**index, "u": np.zeros((kind.count, 0), dtype=np.int64)}


def _entries(value: Any) -> list[Any]:
    if isinstance(value, SparseMatrix):
        return list(value.values)
    return list(array(value).reshape(-1)) if np.size(value) else []


def _stage(name: str, equations: Assembled, outputs: list[dict[str, Any]]) -> int:
    """Number of the last input that an output depends on."""
    if name == "qdot":
        return len(INPUTS) - 1
    stage = 0
    for kind, local in zip(equations.kinds, outputs, strict=True):
        found = symbols_in(_entries(local[name]))
        for k, key in enumerate(INPUTS):
            if found & set(kind.expressions.inputs[key]):
                stage = max(stage, k)
    return stage


#: What the entries of outputs belong to: coordinates or constraints, or nothing.
_VECTORS = {
    "f": "q", "gI": "g", "g": "g", "gamma": "g", "d": "", "qn": "", "w": "", "qdot": "q", "residual": "q", "gv": "g",
}  # fmt: skip
_MATRICES = {"M": ("q", "q"), "G": ("g", "q"), "F": ("q", "g"), "C": ("g", "q")}


def _place(equations: Assembled, name: str, locals_: list[dict[str, Any]]) -> _Placed:
    """Places of all values of an output."""
    s, kinds = equations.sizes, equations.kinds
    diagonal = np.arange(s.v, dtype=np.int64)
    if name == "T":
        placed = _Placed(s.v, Pattern((s.q, s.v), diagonal, diagonal))
        placed.base[:] = 1.0
        for kind in kinds:
            placed.place(kind, [], np.zeros((kind.count, 0), dtype=np.int64))
        return placed
    if name in _VECTORS:
        placed = _Placed({"q": s.q, "g": s.lam, "": 0}[_VECTORS[name]])
        for kind, local in zip(kinds, locals_, strict=True):
            entries = _entries(local[name])
            places = {"q": kind.coordinates, "g": kind.rows}.get(_VECTORS[name])
            if places is None or not entries:
                places = np.zeros((kind.count, 0), dtype=np.int64)
            placed.place(kind, entries, places)
        return placed
    rows, columns, shape = _matrix_places(equations, name, locals_)
    extra = np.zeros((0, 2), dtype=np.int64)
    if name == "jacobian":  # q̇ contains v itself
        extra = np.stack([s.q + diagonal, diagonal], axis=1)
    pairs = [np.stack([c.ravel(), r.ravel()], axis=1) for r, c in zip(rows, columns, strict=True)]
    everything = np.concatenate([*pairs, extra])
    keys, inverse = np.unique(everything[:, 0] * shape[0] + everything[:, 1], return_inverse=True)
    inverse = inverse.reshape(-1).astype(np.int64)
    placed = _Placed(len(keys), Pattern(shape, (keys % shape[0]).astype(np.int64), (keys // shape[0]).astype(np.int64)))
    if name == "M":
        assert placed.pattern is not None
        placed.pattern = replace(placed.pattern, bodies=_bodies(equations, locals_))
    at = 0
    for kind, r, local in zip(kinds, rows, locals_, strict=True):
        placed.place(kind, _entries(local[name]), inverse[at : at + r.size].reshape(r.shape))
        at += r.size
    placed.base[inverse[at:]] += 1.0
    return placed


def _bodies(equations: Assembled, locals_: list[dict[str, Any]]) -> Ints:
    """Coordinates that have mass in one element belong to one body."""
    bodies = np.arange(equations.sizes.v, dtype=np.int64)
    for kind, local in zip(equations.kinds, locals_, strict=True):
        heavy = sorted(set(local["M"].rows))
        if len(heavy) > 1:
            together = kind.coordinates[:, heavy]
            for _ in range(together.size):  # until nothing changes: elements may share coordinates
                smallest = bodies[together].min(axis=1)
                if (bodies[together] == smallest[:, None]).all():
                    break
                np.minimum.at(bodies, together.ravel(), np.repeat(smallest, together.shape[1]))
    return bodies


def _matrix_places(
    equations: Assembled, name: str, locals_: list[dict[str, Any]]
) -> tuple[list[Ints], list[Ints], tuple[int, int]]:
    """Global rows and columns of the entries of all instances of all types, in the order of their local values."""
    s = equations.sizes
    rows: list[Ints] = []
    columns: list[Ints] = []
    counts = {"q": s.q, "g": s.lam}
    for kind, local in zip(equations.kinds, locals_, strict=True):
        matrix: SparseMatrix = local[name]
        q, g = kind.coordinates, kind.rows
        if name == "jacobian":
            by_row = np.concatenate([q, s.q + q, s.q + s.v + g, s.q + s.v + s.g + g], axis=1)
            by_column = np.concatenate(
                [q, s.q + q, s.q + s.v + q, s.q + 2 * s.v + g, s.q + 2 * s.v + s.lam + g], axis=1
            )
        else:
            by_row, by_column = ({"q": q, "g": g}[which] for which in _MATRICES[name])
        rows.append(by_row[:, list(matrix.rows)] if matrix.nnz else np.zeros((kind.count, 0), dtype=np.int64))
        columns.append(by_column[:, list(matrix.columns)] if matrix.nnz else np.zeros((kind.count, 0), dtype=np.int64))
    if name == "jacobian":
        return rows, columns, (s.q + s.v + s.g + s.lam, s.q + 2 * s.v + s.lam + s.g)
    a, b = _MATRICES[name]
    return rows, columns, (counts[a], counts[b])
