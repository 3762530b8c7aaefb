"""Algorithm 4 of Negrut 1998, section 3.4.3.3.3, as code without loops for one tree: the "no-loop, hard-coded, problem
dependent version" that section 3.4.3.5 asks for, written with atoms and compiled.

M = L D Lᵀ in place of Cholesky's, whose roots the thesis names as what could be saved: 43 divisions are left of 545 for
its vehicle.  Zeros of M and G inside of the pattern of L and T, such as those of a base that is turned about its centre
of mass, are known here and cost nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dalembert.linalg.orders.family_order import FamilyTree
from dalembert.linalg.orders.front_code import G_ARRAY, M_ARRAY, RIGHT_ARRAY, VALUES_ARRAY
from dalembert.linalg.plan import Structure
from dalembert.symbolic import Graph, array, minimum
from dalembert.symbolic.compiler.runs import RunFunction

Key = tuple[int, int]


class FamilyCode:
    """The two programs for a tree; factors stand one behind the other: D⁻¹, L, T, the inverse pivots of S, its L."""

    def __init__(self, structure: Structure, tree: FamilyTree) -> None:
        self.structure, self.tree = structure, tree
        self.places: dict[tuple[str, int, int], int] = {}
        self.factors: list[Any] = []
        self.left: list[Any] = []  # of each pivot, beside the diagonal entry
        self._factor_function()

    @property
    def n_factors(self) -> int:
        return len(self.factors)

    def _keep(self, kind: str, i: int, j: int, value: Any) -> Any:
        self.places[kind, i, j] = len(self.factors)
        self.factors.append(value)
        return value

    def _factor_function(self) -> None:
        structure, tree = self.structure, self.tree
        graph = Graph()
        M, G = graph.variables("M", len(structure.M.rows)), graph.variables("G", len(structure.G.rows))
        self.inputs = {"M": M, "G": G}
        place = {coordinate: k for k, coordinate in enumerate(tree.order)}
        a: dict[Key, Any] = {}
        for value, i, j in zip(M, structure.M.rows.tolist(), structure.M.columns.tolist(), strict=True):
            if place[i] >= place[j]:
                a[place[i], place[j]] = value
        self.L, inverses = self._eliminated("L", len(tree.order), a)
        columns: list[dict[int, Any]] = [{} for _ in range(structure.n_lam)]
        for value, row, j in zip(G, structure.G.rows.tolist(), structure.G.columns.tolist(), strict=True):
            columns[row][place[j]] = value
        for row, (column, places) in enumerate(zip(columns, tree.reached(), strict=True)):  # L T = Gᵀ (3.153)
            for i in places:
                value = column.get(i, 0.0)
                for v in places:
                    if v < i and ("L", i, v) in self.places and v in column:
                        value = value - self.factor("L", i, v) * column[v]
                column[i] = self._keep("T", i, row, value)
        S: dict[Key, Any] = {}
        for row, column in enumerate(columns):
            scaled = {v: value * inverses[v] for v, value in column.items()}
            for other, beside in enumerate(columns[: row + 1]):
                common = [scaled[v] * beside[v] for v in sorted(scaled.keys() & beside.keys())]
                if common:
                    S[row, other] = sum(common[1:], common[0])
        self.T = [sorted(column) for column in columns]
        self.K, _ = self._eliminated("K", structure.n_lam, S)

    def factor(self, kind: str, i: int, j: int) -> Any:
        return self.factors[self.places[kind, i, j]]

    def _eliminated(self, kind: str, n: int, a: dict[Key, Any]) -> tuple[list[list[int]], list[Any]]:
        """Rows of the columns of L in L D Lᵀ = a, and D⁻¹; entries are kept under ``kind``."""
        # Each entry is made at once, from those of earlier columns: what is added up need not be put down in between.
        below: list[list[int]] = []
        inverses: list[Any] = []
        scaled: dict[Key, Any] = {}  # entries of L
        plain: dict[Key, Any] = {}  # of L D
        crossing: list[list[int]] = [[] for _ in range(n)]  # columns with an entry in each row
        for j in range(n):
            reached = {i for k in crossing[j] for i in below[k] if i > j} | {i for i, column in a if column == j and i > j}
            for i in (j, *sorted(reached)):
                value = a.get((i, j), 0.0)
                for k in crossing[j]:
                    if (i, k) in plain:
                        value = value - scaled[j, k] * plain[i, k]
                plain[i, j] = value
            inverses.append(self._keep(kind, j, j, 1.0 / plain[j, j]))
            self.left.append(plain[j, j] / a[j, j])
            below.append(sorted(reached))
            for i in below[j]:
                scaled[i, j] = self._keep(kind, i, j, plain[i, j] * inverses[j])
                crossing[i].append(j)
        return below, inverses

    def functions(self) -> tuple[RunFunction, RunFunction]:
        """Machine code of the decomposition and of the solution."""
        return self._factor(), self._solve()

    def _factor(self) -> RunFunction:
        least = self.left[0]
        for left in self.left[1:]:
            least = minimum(least, left)
        outputs = {"factors": array(self.factors), "quality": array([least])}
        homes = {"M": M_ARRAY, "G": G_ARRAY, "factors": VALUES_ARRAY, "quality": VALUES_ARRAY}
        return RunFunction(outputs, self.inputs, homes, "composite_factor", apart=True)

    def _solve(self) -> RunFunction:
        """Steps 2, 3.2, 3.4, 3.5 and 4 of Algorithm 4."""
        n, m, tree = self.structure.n_v, self.structure.n_lam, self.tree
        graph = Graph()
        factors, right = graph.variables("factors", len(self.factors)), graph.variables("right", n + m)

        def known(kind: str, i: int, j: int) -> Any:
            return factors[self.places[kind, i, j]]

        z: list[Any] = [right[coordinate] for coordinate in tree.order]
        _forward(z, self.L, lambda i, j: known("L", i, j))
        z = [value * known("L", j, j) for j, value in enumerate(z)]
        s: list[Any] = []
        for row, places in enumerate(self.T):
            total = -right[n + row]
            for v in places:
                total = total + known("T", v, row) * z[v]
            s.append(total)
        _forward(s, self.K, lambda i, j: known("K", i, j))
        s = [value * known("K", j, j) for j, value in enumerate(s)]
        _backward(s, self.K, lambda i, j: known("K", i, j))
        pulled: dict[int, Any] = {}
        for row, places in enumerate(self.T):
            for v in places:
                pulled[v] = pulled.get(v, 0.0) + known("T", v, row) * s[row]
        for v, value in pulled.items():
            z[v] = z[v] - value * known("L", v, v)
        _backward(z, self.L, lambda i, j: known("L", i, j))
        solution: list[Any] = [None] * n + s
        for v, coordinate in enumerate(tree.order):
            solution[coordinate] = z[v]
        homes = {"factors": VALUES_ARRAY, "right": RIGHT_ARRAY, "solution": RIGHT_ARRAY}
        return RunFunction(
            {"solution": array(solution)}, {"factors": factors, "right": right}, homes, "composite_solve"
        )  # fmt: skip


def _forward(x: list[Any], rows: Sequence[Sequence[int]], entry: Any) -> None:
    """x := L⁻¹ x, with ones on the diagonal."""
    for j, below in enumerate(rows):
        for i in below:
            x[i] = x[i] - entry(i, j) * x[j]


def _backward(x: list[Any], rows: Sequence[Sequence[int]], entry: Any) -> None:
    """x := L⁻ᵀ x, with ones on the diagonal."""
    for j in range(len(rows) - 1, -1, -1):
        for i in rows[j]:
            x[j] = x[j] - entry(i, j) * x[i]
