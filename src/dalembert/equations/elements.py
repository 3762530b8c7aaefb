"""Builder for large systems: each type of element is traced and compiled once, and looped over its instances.

Compile time does not depend on the number of instances, the cost of an evaluation grows in proportion to it, and the
matrices carry their sparse structure.  The home of absolute coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dalembert.equations import loop
from dalembert.equations.equations import Equations, Sizes
from dalembert.equations.expressions import INPUTS, Expressions, symbols_in
from dalembert.equations.provider import OUTPUTS, Floats, Pattern, Provider
from dalembert.equations.trace import Parameters, checked_names, checked_parameters, symbols_for, traced
from dalembert.errors import EquationsError
from dalembert.symbolic import CompiledFunction, SparseMatrix, array, compile, jacobian, zeros

Function = Callable[..., Any]
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


class Elements:
    """Collects elements over common coordinates; :meth:`equations` puts them together.

    ::

        chain = da.Elements("chain", coordinates=["x1", "y1", "phi1", …], parameters={"g": 9.81})
        chain.add("link", coordinates=[[0, 1, 2], [3, 4, 5]], M=…, f=…, data={"m": 1.0, "J": [0.1, 0.2]})
        chain.add("hinge", coordinates=[[0, 1, 2, 3, 4, 5]], g=…, data={"half": 0.5})
        equations = chain.equations()

    The functions see the local coordinates ``q`` and velocities ``v`` of an instance, ``t``, its own multipliers
    ``lam``, and ``p`` with its data and the common parameters.  What several elements say about the same coordinates is
    added.
    """

    def __init__(
        self, name: str, *, coordinates: Sequence[str] | int, parameters: Mapping[str, Any] | None = None
    ) -> None:
        self.name = name
        listed = (
            [f"q{i}" for i in range(coordinates)] if isinstance(coordinates, int) else [str(c) for c in coordinates]
        )
        if not listed or len(set(listed)) != len(listed):
            raise EquationsError(f"'{name}': coordinates need different names, at least one")
        self.coordinates = tuple(listed)
        self._common = checked_parameters(name, parameters)
        for key, value in self._common.items():
            if not isinstance(value, (int, float, np.number)):
                raise EquationsError(f"'{name}': the common parameter '{key}' must be one number, got {value!r:.80}")
        self._parameters: dict[str, Any] = dict(self._common)
        self._kinds: list[Kind] = []
        self._names: list[str] = []
        self._row_names: list[str] = []

    def add(
        self,
        name: str,
        *,
        coordinates: ArrayLike,
        M: Function | None = None,
        f: Function | None = None,
        g: Function | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> None:
        """Add a type of element with all its instances.

        :param coordinates: (instances, k) numbers of the global coordinates that each instance sees as its local ones
        :param M: mass matrix (k, k); ``f``: forces (k,); ``g``: position constraints (any number)
        :param data: values of an instance's parameters: a number for all instances, or one per instance
        """
        label = f"'{self.name}', element '{name}'"
        if name in self._names:
            raise EquationsError(f"{label} is there already; choose another name, or add all instances at once")
        places = self._checked_places(label, coordinates)
        count, k = places.shape
        columns, values, at = self._checked_data(label, name, data, count)
        inputs = symbols_for(Sizes(k, k, 0, 0, 0, 0), values, label)
        p = Parameters(dict(zip(values, inputs["p"], strict=True)))
        still = {"t": inputs["t"][0], "q": inputs["q"], "p": p}
        rows = zeros((0,)) if g is None else traced(f"{label}: function g", g, still, (None,))
        graph = inputs["t"][0].graph
        m = len(rows)
        inputs |= {
            "lam": graph.variables("lam", m) if m else zeros((0,)),
            "mu": graph.variables("mu", m) if m else zeros((0,)),
        }
        moving = {**still, "v": inputs["v"], "lam": inputs["lam"]}
        expressions = Expressions(
            graph,
            inputs,
            M=zeros((k, k)) if M is None else traced(f"{label}: function M", M, still, (k, k)),
            f=zeros((k,)) if f is None else traced(f"{label}: function f", f, moving, (k,)),
            g=rows,
        )
        kind = Kind(name, expressions, places, columns, len(self._row_names))
        self._kinds.append(kind)
        self._names.append(name)
        self._parameters |= at
        self._row_names += [f"{name}[{i}].{row}" for i in range(count) for row in range(m)]

    def _checked_places(self, label: str, coordinates: ArrayLike) -> Ints:
        try:
            places = np.asarray(coordinates)
            if places.ndim != 2 or not places.size or not np.issubdtype(places.dtype, np.integer):
                raise ValueError
        except ValueError:
            raise EquationsError(f"{label}: coordinates must be whole numbers of shape (instances, k)") from None
        bad = (places < 0) | (places >= len(self.coordinates))
        if bad.any():
            i, j = np.argwhere(bad)[0]
            raise EquationsError(
                f"{label}: instance {i} refers to coordinate {places[i, j]}, but there are {len(self.coordinates)}"
            )
        ordered = np.sort(places, axis=1)
        twice = np.argwhere(ordered[:, 1:] == ordered[:, :-1])
        if len(twice):
            raise EquationsError(f"{label}: instance {twice[0][0]} names coordinate {ordered[tuple(twice[0])]} twice")
        return places.astype(np.int64)

    def _checked_data(
        self, label: str, name: str, data: Mapping[str, Any] | None, count: int
    ) -> tuple[Ints, dict[str, float], dict[str, Any]]:
        """Places of local parameters among all, local names, and new parameters."""
        offsets: dict[str, int] = {}
        at = 0
        for key, value in self._parameters.items():
            offsets[key] = at
            at += int(np.size(value))
        columns: list[Ints] = []
        local: dict[str, float] = {}
        new: dict[str, Any] = {}
        for key, value in (data or {}).items():
            try:
                values = np.asarray(value, dtype=float)
            except (TypeError, ValueError):
                raise EquationsError(f"{label}: data '{key}' must be numbers, got {value!r:.80}") from None
            if values.shape not in ((), (count,)):
                raise EquationsError(
                    f"{label}: data '{key}' must be one number, or {count} for its {count} instances; got the shape "
                    f"{values.shape}"
                )
            if not key.isidentifier() or key in self._common:
                raise EquationsError(f"{label}: data '{key}' must be an identifier that is no common parameter")
            new[f"{name}.{key}"] = float(values) if values.shape == () else values
            local[key] = 0.0
            columns.append(at + (np.zeros(count, dtype=np.int64) if values.shape == () else np.arange(count)))
            at += values.size
        for key in self._common:
            local[key] = 0.0
            columns.append(np.full(count, offsets[key]))
        return (
            np.stack(columns, axis=1).astype(np.int64) if columns else np.zeros((count, 0), dtype=np.int64), local, new
        )  # fmt: skip

    def equations(self) -> Equations:
        """The equations of motion of all elements together."""
        if not self._kinds:
            raise EquationsError(f"'{self.name}' has no elements yet; add some first")
        heavy = np.zeros(len(self.coordinates), dtype=bool)
        for kind in self._kinds:
            heavy[kind.coordinates.ravel()] = True
        if not heavy.all():
            raise EquationsError(
                f"'{self.name}': no element refers to the coordinate {self.coordinates[int(np.argmin(heavy))]}"
            )
        n = len(self.coordinates)
        names = checked_names(
            self.name,
            {"q": self.coordinates, "lam": self._row_names},
            {"q": n, "v": n, "lam": len(self._row_names), "u": 0},
        )
        return Assembled(self.name, tuple(self._kinds), names, dict(self._parameters))


class Assembled(Equations):
    """Equations put together from elements; made by :class:`Elements`."""

    def __init__(
        self, name: str, kinds: tuple[Kind, ...], names: Mapping[str, tuple[str, ...]], parameters: Mapping[str, Any]
    ) -> None:
        self.name, self.kinds, self.names, self.parameters, self.breaks = name, kinds, names, parameters, ()
        n, m = len(names["q"]), len(names["lam"])
        total = sum(int(np.size(value)) for value in parameters.values())
        self.sizes = Sizes(n, n, m, m, 0, total)
        self.rows, self.full_rows = tuple(range(m)), m
        self.unit_T = self.C_is_G = True
        self.normalizes = False
        self._programs: dict[str, Provider] = {}

    def __reduce__(self) -> Any:
        return Assembled, (self.name, self.kinds, dict(self.names), dict(self.parameters))

    def lacks(self, program: str) -> str:
        return "it is put together from elements" if program in ("explicit", "rate") else ""

    def restricted(self, rows: Sequence[int]) -> Equations:
        if tuple(rows) == self.rows:
            return self
        raise EquationsError(f"'{self.name}': constraints of elements cannot be switched one by one; use trace instead")

    def program(self, name: str) -> Provider:
        if name not in self._programs:
            if reason := self.lacks(name):
                raise EquationsError(f"'{self.name}' has no program '{name}': {reason}")
            self._programs[name] = _assemble(self, name)
        return self._programs[name]


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


class _Owner:
    """Keeps machine code and lists alive, and makes workspaces with addresses in them."""

    def __init__(self, functions: list[CompiledFunction], lists: list[NDArray[Any]], about: Ints) -> None:
        self.functions, self.lists, self.about = functions, lists, about


@dataclass(frozen=True)
class _LoopProvider(Provider):
    """A provider whose workspace holds buffers and tables of addresses."""

    layout: Any = None

    def workspace(self) -> Floats:
        return self.layout()


def _assemble(equations: Assembled, program: str) -> Provider:
    s = equations.sizes
    names = OUTPUTS[program]
    locals_ = [_local_outputs(program, kind.expressions) for kind in equations.kinds]
    functions = [
        compile(
            outputs, {key: kind.expressions.inputs[key] for key in INPUTS}, name=f"{program}_{kind.name}", staged=True
        )
        for kind, outputs in zip(equations.kinds, locals_, strict=True)
    ]
    sizes, patterns, index_lists, ones = _global_outputs(equations, program, locals_)
    lists: list[NDArray[Any]] = []

    def keep(values: Any) -> tuple[int, int]:
        lists.append(np.ascontiguousarray(values, dtype=np.int64).reshape(-1))
        return int(lists[-1].ctypes.data), len(lists[-1])

    about: list[int] = [len(names), len(equations.kinds), s.v]
    for name in names:
        start, (address, length) = loop.FROM_ZERO, (0, 0)
        if name == "qdot":
            start = loop.FROM_V
        elif name in ones:
            start, (address, length) = loop.WITH_ONES, keep(ones[name])
        about += [sizes[name], _stage(name, equations, locals_), start, address, length]
    blocks: list[dict[str, Any]] = []
    at = 2 + len(names) + len(equations.kinds)  # words of the workspace: description, flags, then what types need
    for kind, outputs, function in zip(equations.kinds, locals_, functions, strict=True):
        m = len(kind.expressions.g)
        widths = {"p": kind.parameters.shape[1], "t": 1, "u": 0, "lam": m, "mu": m}
        widths |= dict.fromkeys(("q", "v", "a"), kind.coordinates.shape[1])
        index = {
            "p": kind.parameters,
            "t": np.zeros((kind.count, 1), dtype=np.int64),
            "lam": kind.rows,
            "mu": kind.rows,
        }
        index |= dict.fromkeys(("q", "v", "a"), kind.coordinates)
        used = symbols_in([entry for value in outputs.values() for entry in _entries(value)])
        words = [function._machine.map, kind.count, at, 0]
        at += 4
        inputs: list[tuple[int, int]] = []
        for key in INPUTS:
            needed = widths[key] and any(symbol in used for symbol in kind.expressions.inputs[key])
            words += [widths[key], keep(index[key])[0]] if needed else [0, 0]
            inputs.append((at, widths[key]))
            at += widths[key] * kind.count
        results: list[tuple[int, int]] = []
        for name in names:
            width = len(_entries(outputs[name]))
            words += [width, keep(index_lists[name][kind.name])[0] if width else 0]
            results.append((at, width))
            at += width * kind.count
        own = at
        at += max(1, function.work_size)
        tables = at
        at += 2 * len(INPUTS) + 2 * len(names)
        blocks.append({"words": words, "inputs": inputs, "results": results, "own": own, "tables": tables})
        about += words
    description = np.array(about, dtype=np.int64)
    owner = _Owner(functions, lists, description)
    type_words = loop.INPUT + 2 * len(INPUTS) + 2 * len(names)
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
            own[first + k * type_words + loop.WORK] = base + 8 * block["own"]
            table = block["tables"]
            starts = (table, table + 8, table + 16, table + 16 + len(names))
            ints[block["words"][loop.TABLES] : block["words"][loop.TABLES] + 4] = [base + 8 * start for start in starts]
            ints[starts[0] : starts[0] + 8] = [base + 8 * place for place, _ in block["inputs"]]
            ints[starts[1] : starts[1] + 8] = [width for _, width in block["inputs"]]
            ints[starts[2] : starts[2] + len(names)] = [base + 8 * place for place, _ in block["results"]]
            ints[starts[3] : starts[3] + len(names)] = [width for _, width in block["results"]]
        return work

    in_sizes = (s.p, 1, s.q, s.v, s.u, s.lam, s.v, s.g)
    return _LoopProvider(
        program, loop.evaluate.address, at + len(description), in_sizes, tuple(sizes[name] for name in names), patterns,
        owner, (), layout,
    )  # fmt: skip


def _entries(value: Any) -> list[Any]:
    return (
        list(value.values)
        if isinstance(value, SparseMatrix)
        else list(array(value).reshape(-1))
        if np.size(value)
        else []
    )


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


def _global_outputs(
    equations: Assembled, program: str, locals_: list[dict[str, Any]]
) -> tuple[dict[str, int], dict[str, Pattern], dict[str, dict[str, Ints]], dict[str, Ints]]:
    """Sizes of all outputs, patterns of matrices, places of each element's values, and places of ones."""
    s = equations.sizes
    diagonal = np.arange(s.v, dtype=np.int64)
    vectors = {
        "f": "q",
        "gI": "g",
        "g": "g",
        "gamma": "g",
        "d": "",
        "qn": "",
        "w": "",
        "qdot": "q",
        "residual": "q",
        "gv": "g",
    }
    shapes = {"M": ("q", "q"), "G": ("g", "q"), "F": ("q", "g"), "C": ("g", "q")}
    counts = {"q": s.q, "g": s.lam, "": 0}
    sizes: dict[str, int] = {}
    patterns: dict[str, Pattern] = {}
    index_lists: dict[str, dict[str, Ints]] = {name: {} for name in OUTPUTS[program]}
    ones: dict[str, Ints] = {}
    for name in OUTPUTS[program]:
        if name == "T":
            patterns["T"], sizes["T"], ones["T"] = Pattern((s.q, s.v), diagonal, diagonal), s.v, diagonal
        elif name in vectors:
            sizes[name] = counts[vectors[name]]
            for kind, local in zip(equations.kinds, locals_, strict=True):
                places = {"q": kind.coordinates, "g": kind.rows}.get(vectors[name])
                if places is not None and len(_entries(local[name])):
                    index_lists[name][kind.name] = places
        else:
            rows, columns, shape = _places(equations, name, shapes, locals_)
            extra = np.zeros((0, 2), dtype=np.int64)
            if name == "jacobian":  # q̇ contains v itself
                extra = np.stack([diagonal, s.q + diagonal], axis=1)
            pairs = [np.stack([c.ravel(), r.ravel()], axis=1) for r, c in zip(rows, columns, strict=True)]
            everything = np.concatenate([*pairs, extra[:, ::-1]])
            keys, inverse = np.unique(everything[:, 0] * shape[0] + everything[:, 1], return_inverse=True)
            inverse = inverse.reshape(-1)
            patterns[name] = Pattern(shape, (keys % shape[0]).astype(np.int64), (keys // shape[0]).astype(np.int64))
            sizes[name] = len(keys)
            at = 0
            for kind, r in zip(equations.kinds, rows, strict=True):
                index_lists[name][kind.name] = inverse[at : at + r.size].astype(np.int64)
                at += r.size
            if name == "jacobian":
                ones[name] = inverse[at:].astype(np.int64)
    return sizes, patterns, index_lists, ones


def _places(
    equations: Assembled, name: str, shapes: Mapping[str, tuple[str, str]], locals_: list[dict[str, Any]]
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
            by_row, by_column = ({"q": q, "g": g}[which] for which in shapes[name])
        rows.append(by_row[:, list(matrix.rows)] if matrix.nnz else np.zeros((kind.count, 0), dtype=np.int64))
        columns.append(by_column[:, list(matrix.columns)] if matrix.nnz else np.zeros((kind.count, 0), dtype=np.int64))
    if name == "jacobian":
        return rows, columns, (s.q + s.v + s.g + s.lam, s.q + 2 * s.v + s.lam + s.g)
    a, b = shapes[name]
    return rows, columns, (counts[a], counts[b])
