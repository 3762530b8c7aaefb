"""Types of elements whose formulas have large constant matrices: data as arrays, not as numbers in the code.

The matrices of a flexible body with n modes have some 10 n² entries.  As numbers in the formulas these would all be
operations of their own, compiled for the model.  Here formulas see the products y = B x with a local vector x as
symbols.  They stay as long as n, and so do their derivatives: with the balance R(x, y) of forces

    dR/dx = ∂R/∂x + ∂R/∂y B,

where ∂R/∂y has a few entries in each row.  A kernel (:mod:`~dalembert.equations.builders.contraction_code`) multiplies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.builders import contraction_code
from dalembert.equations.builders.contraction_code import contraction_word, product_word
from dalembert.equations.builders.element_types import Formulas, Local, LocalEntries
from dalembert.equations.contract.convention import INPUTS, OUTPUTS
from dalembert.equations.contract.expressions import Expressions, symbols_in
from dalembert.equations.contract.provider import Floats
from dalembert.symbolic import Atom, AtomArray, CompiledFunction, Graph, array, jacobian, substitute, zeros
from dalembert.symbolic.compiler.program import extract

Ints = NDArray[np.int64]


class Products:
    """Products of constant matrices with parts of the local vectors, as symbols of a graph.

    :param parts: for inputs "q", "v", "a" the place where the part begins, and its symbols
    """

    def __init__(self, graph: Graph, parts: Mapping[str, tuple[int, AtomArray]]) -> None:
        self.graph, self.parts = graph, dict(parts)
        self.rows: dict[str, list[Floats]] = {key: [] for key in parts}
        self.symbols: dict[str, list[Atom]] = {key: [] for key in parts}
        self._known: dict[tuple[str, bytes], Atom] = {}

    def input_of(self, x: Any) -> str | None:
        """Which of the parts a vector is."""
        for key, (_, symbols) in self.parts.items():
            if len(x) == len(symbols) and len(x) and x[0] is not None and isinstance(x[0], Atom) and x[0] == symbols[0]:
                return key
        return None

    def times(self, coefficients: Floats, key: str) -> NDArray[np.object_]:
        """Σ_k coefficients[…, k] x[k]; rows of zeros are numbers."""
        shape = coefficients.shape[:-1]
        found = np.zeros(shape, dtype=object)
        for at in np.ndindex(shape):
            row = np.ascontiguousarray(coefficients[at], dtype=float)
            if row.any():
                found[at] = self._symbol(key, row)
        return found

    def _symbol(self, key: str, row: Floats) -> Atom:
        mark = key, row.tobytes()
        if mark not in self._known:
            self._known[mark] = self.graph.variable(f"product.{key}[{len(self.rows[key])}]")
            self.rows[key].append(row)
            self.symbols[key].append(self._known[mark])
        return self._known[mark]

    def matrix(self, key: str) -> Floats:
        """B."""
        n = len(self.parts[key][1])
        return np.array(self.rows[key]) if self.rows[key] else np.zeros((0, n))

    def symbol_array(self, key: str) -> AtomArray:
        """y."""
        return array(self.symbols[key]) if self.symbols[key] else zeros((0,))


class ContractedFormulas(Formulas):
    """Equations of one type of element, M a − f as one balance in local vectors and their products."""

    def __init__(self, name: str, inputs: dict[str, AtomArray], balance: AtomArray, products: Products) -> None:
        n = len(inputs["v"])
        nothing = Expressions(products.graph, inputs, M=zeros((n, n)), f=zeros((n,)), g=zeros((0,)))
        super().__init__(name, nothing, (), False)
        self.balance, self.products = balance, products

    def __reduce__(self) -> Any:
        return ContractedFormulas, (self.name, self.expressions.inputs, self.balance, self.products)

    def local(self, program: str) -> Local:
        """What the type contributes to a program: M and f, or the balance and its derivatives."""
        if program not in self._locals:
            n_q, n_v = (len(self.expressions.inputs[key]) for key in ("q", "v"))
            vector, matrix, columns, first_row = {
                "contract": ("f", "M", {"a": 0}, 0),
                "implicit": ("residual", "jacobian", {"q": 0, "v": n_q, "a": n_q + n_v}, n_q),
                "reduced": ("residual", "derivatives", {"q": 0, "v": n_q, "a": n_q + n_v}, 0),
            }[program]
            rows = -self._at_rest if vector == "f" else self.balance
            self._locals[program] = ContractedLocal(
                program, self, vector, array(rows), _Matrix(matrix, self, columns, first_row)
            )
        return self._locals[program]

    @property
    def _at_rest(self) -> AtomArray:
        """The balance at v̇ = 0."""
        symbols = [*self.expressions.inputs["a"], *self.products.symbols["a"]]
        return array(substitute(self.balance, dict.fromkeys(symbols, 0.0)))


def _is_number(value: Any) -> bool:
    return not isinstance(value, Atom) or value.value is not None


class _Matrix:
    """Derivatives of the balance by some inputs: constants, what formulas give, and terms with rows of B."""

    def __init__(self, name: str, of: ContractedFormulas, columns: Mapping[str, int], first_row: int) -> None:
        self.name, self.columns = name, columns
        inputs, products = of.expressions.inputs, of.products
        n = len(of.balance)
        width = max(column + len(inputs[key]) for key, column in columns.items())
        self.shape = n, width
        constant, computed = np.zeros(self.shape), np.zeros(self.shape, dtype=bool)
        direct: list[Any] = []
        places: list[int] = []
        terms: list[tuple[int, int, int]] = []
        factors: list[Any] = []
        keys = list(products.parts)
        for key, column in columns.items():
            for i, j, value in _entries(of.balance, inputs[key]):
                if _is_number(value):
                    constant[i, column + j] += float(value)
                else:
                    computed[i, column + j] = True
                    places.append(i * width + column + j)
                    direct.append(value)
            B, first = products.matrix(key), column + products.parts[key][0]
            for i, j, value in _entries(of.balance, products.symbol_array(key)):
                target = slice(first, first + B.shape[1])
                if _is_number(value):
                    constant[i, target] += float(value) * B[j]
                else:
                    computed[i, target] |= B[j] != 0.0
                    terms.append((i, keys.index(key), j))
                    factors.append(value)
        self.constant, self.places, self.terms = constant, np.array(places, dtype=np.int64), terms
        #: what formulas give: entries, then derivatives by y
        self.coefficients = [*direct, *factors]
        at = np.argwhere(computed | (constant != 0.0))
        fixed = ~computed[at[:, 0], at[:, 1]]
        values = np.where(fixed, constant[at[:, 0], at[:, 1]], 0.0)
        self.entries = LocalEntries(
            tuple((first_row + at[:, 0]).tolist()), tuple(at[:, 1].tolist()), tuple(values.tolist()), fixed
        )
        self.targets = (at[:, 0] * width + at[:, 1])[~fixed].astype(np.int64)


def _entries(rows: AtomArray, by: AtomArray) -> list[tuple[int, int, Any]]:
    if not len(by):
        return []
    found = jacobian(rows, by, sparse=True)
    return list(zip(found.rows, found.columns, found.values, strict=True))


@dataclass(frozen=True)
class ContractedFunction:
    """Machine code for one element at a time, with the words that its workspace starts with."""

    formulas: CompiledFunction
    matrix: _Matrix
    products: Products
    #: for each part, bits of the outputs that need its products
    needed: Mapping[str, int]
    output: int
    n_outputs: int
    #: arrays that the words point to
    kept: dict[str, NDArray[Any]]
    #: elements are not done in groups
    lanes = 1

    @property
    def address(self) -> int:
        return contraction_code.evaluate.address

    def _sizes(self) -> dict[str, int]:
        """What stands in the workspace, one after the other, and how long it is."""
        n_products = len(self.products.parts)
        rows = {f"y {key}": len(self.products.rows[key]) for key in self.products.parts}
        return {
            "words": contraction_word.end,
            "products": n_products * product_word.end,
            "inputs": len(INPUTS) + n_products,
            "outputs": self.n_outputs,
            **rows,
            "coefficients": len(self.matrix.coefficients),
            "dense": self.matrix.constant.size,
            "work": self.formulas.work_size,
        }

    def work_size(self, points: int) -> int:
        """Doubles of workspace."""
        return sum(self._sizes().values())

    def start(self, address: int) -> Sequence[int]:
        """The words at the beginning of a workspace that stands at an address."""
        sizes, m = self._sizes(), self.matrix
        place = dict(zip(sizes, np.cumsum([0, *sizes.values()]).tolist(), strict=False))
        at = {key: address + 8 * begin for key, begin in place.items()}
        kept = {key: int(values.ctypes.data) for key, values in self.kept.items()}
        words = [
            self.formulas.address, at["work"], place["inputs"], len(INPUTS), place["outputs"], self.n_outputs,
            self.output, place["products"], len(self.products.parts), at["coefficients"], at["dense"],
            m.constant.size, m.shape[1], kept["constant"], len(m.places), kept["places"], len(m.terms), kept["terms"],
            len(m.targets), kept["targets"],
        ]  # fmt: skip
        for key, (first, x) in self.products.parts.items():
            column = m.columns[key] + first if key in m.columns else -1
            rows = len(self.products.rows[key])
            words += [
                INPUTS.index(key), first, kept[f"B {key}"], rows, len(x), at[f"y {key}"], self.needed[key], column
            ]  # fmt: skip
        return [*words, *[0] * len(INPUTS), *(at[f"y {key}"] for key in self.products.parts)]


class ContractedLocal(Local):
    """One program of a type of element with products."""

    def __init__(self, program: str, of: ContractedFormulas, vector: str, rows: AtomArray, matrix: _Matrix) -> None:
        self.name, self._of, self._matrix, self._program = f"{program}_{of.name}", of, matrix, program
        inputs, products = of.expressions.inputs, of.products
        self._outputs = {name: zeros((0,)) for name in OUTPUTS[program]}
        self._outputs[vector] = rows
        self._outputs[matrix.name] = array(matrix.coefficients) if matrix.coefficients else zeros((0,))
        nothing = LocalEntries((), (), (), np.zeros(0, dtype=bool))
        self.blocks = dict.fromkeys(OUTPUTS[program], nothing)
        n = len(rows)
        self.blocks[vector] = LocalEntries(tuple(range(n)), (), tuple(rows), np.zeros(n, dtype=bool))
        self.blocks[matrix.name] = matrix.entries
        symbols = {name: symbols_in(values) for name, values in self._outputs.items()}
        seen = {
            key: set(inputs[key]) | set(products.symbols.get(key, ())) for key in INPUTS
        }  # an input by itself, or through its products
        used = set().union(*symbols.values())
        self.read = {key for key in INPUTS if not used.isdisjoint(seen[key])}
        self.stages = {
            name: max((k for k, key in enumerate(INPUTS) if not found.isdisjoint(seen[key])), default=0)
            for name, found in symbols.items()
        }
        self._needed = {
            key: sum(
                1 << k for k, name in enumerate(OUTPUTS[program]) if not symbols[name].isdisjoint(products.symbols[key])
            )
            for key in products.parts
        }

    @cached_property
    def function(self) -> ContractedFunction:  # type: ignore[override]
        """Machine code of the formulas, and the arrays of the products."""
        inputs, products, matrix = self._of.expressions.inputs, self._of.products, self._matrix
        given = {key: inputs[key] for key in INPUTS}
        given |= {f"product.{key}": products.symbol_array(key) for key in products.parts}
        names = OUTPUTS[self._program]
        kept: dict[str, NDArray[Any]] = {
            "constant": np.ascontiguousarray(matrix.constant), "places": matrix.places,
            "terms": np.array(matrix.terms, dtype=np.int64).reshape(-1), "targets": matrix.targets,
        }  # fmt: skip
        kept |= {f"B {key}": products.matrix(key) for key in products.parts}
        return ContractedFunction(
            CompiledFunction(extract(self._outputs, given, self.name, True)),
            matrix, products, self._needed, names.index(matrix.name), len(names), kept,
        )  # fmt: skip
