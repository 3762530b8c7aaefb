"""Algorithm 4 of Negrut 1998, section 3.4.3.3.3, as code without loops for one tree: the "no-loop, hard-coded, problem
dependent version" that section 3.4.3.5 asks for, written with atoms and compiled.

M = L D Lᵀ in place of Cholesky's, whose roots the thesis names as what could be saved: 43 divisions are left of 545 for
its vehicle.  Zeros of M and G inside of the pattern of L and T are known here and cost nothing.

The decomposition is three programs, for L, T and S, each of which reads from memory what the one before has left there.
For the vehicle they take 1.2 microseconds if each is called by itself, and 1.8 one after the other, since together they
do not fit the instruction cache (32 kB).  Leaving S to BLAS and LAPACK is no faster.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dalembert.linalg.orders.family_order import FamilyTree
from dalembert.linalg.orders.front_code import G_ARRAY, M_ARRAY, RIGHT_ARRAY, VALUES_ARRAY
from dalembert.linalg.plan import Structure
from dalembert.symbolic import Graph, array, minimum, zeros
from dalembert.symbolic.compiler.runs import RunFunction

Key = tuple[int, int]


class _Stretch:
    """Factors that stand one behind the other, from ``start`` on, each found by its row and column."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.places: dict[Key, int] = {}
        self.values: list[Any] = []

    @property
    def end(self) -> int:
        return self.start + len(self.values)

    def keep(self, i: int, j: int, value: Any) -> Any:
        self.places[i, j] = len(self.values)
        self.values.append(value)
        return value

    def read(self, graph: Graph, name: str) -> tuple[Any, Callable[[int, int], Any]]:
        """The factors as inputs of another program, and how they are found there."""
        inputs = graph.variables(name, len(self.values))
        return inputs, lambda i, j: inputs[self.places[i, j]]


class FamilyCode:
    """The programs for a tree.  Factors: D⁻¹ and L; T; the same of S; behind each of the first and the last what is
    left of the worst pivot so far."""

    def __init__(self, structure: Structure, tree: FamilyTree) -> None:
        self.structure, self.tree = structure, tree
        self.place = {coordinate: k for k, coordinate in enumerate(tree.order)}
        self.masses = _Stretch(0)
        self._programs = [self._decompose_masses()]
        self.constraints = _Stretch(self.masses.end + 1)
        self._programs.append(self._substitute_constraints())
        self.reduced = _Stretch(self.constraints.end)
        self._programs.append(self._decompose_reduced())

    @property
    def n_values(self) -> int:
        """Factors, three vectors, and the smallest relative pivot as the last one."""
        return self.reduced.end + 3 * (self.structure.n_v + self.structure.n_lam) + 1

    @property
    def offsets(self) -> list[list[int]]:
        """Places of what each program reads, then of what it writes."""
        masses, T, S, left = self.masses.start, self.constraints.start, self.reduced.start, self.masses.end
        return [[0, masses, left], [masses, 0, T], [masses, T, left, S, self.n_values - 1], [masses, T, S, 0, 0]]

    def functions(self) -> list[RunFunction]:
        """Machine code of the three parts of the decomposition, and of the solution."""
        made = [RunFunction(*program, apart=True) for program in self._programs]
        return [*made, self._solution()]

    def _decompose_masses(self) -> tuple[Mapping[str, Any], Mapping[str, Any], Mapping[str, int], str]:
        """M = L D Lᵀ, step 1."""
        M = Graph().variables("M", len(self.structure.M.rows))
        a = {}
        for value, i, j in zip(M, self.structure.M.rows.tolist(), self.structure.M.columns.tolist(), strict=True):
            if self.place[i] >= self.place[j]:
                a[self.place[i], self.place[j]] = value
        self.L, left = _decomposed(self.masses, self.structure.n_v, a)
        outputs = {"masses": array(self.masses.values), "left": array([_smallest(left)])}
        return outputs, {"M": M}, {"M": M_ARRAY, "masses": VALUES_ARRAY, "left": VALUES_ARRAY}, "composite_masses"

    def _substitute_constraints(self) -> tuple[Mapping[str, Any], Mapping[str, Any], Mapping[str, int], str]:
        """L T = Gᵀ (3.153), step 3.1."""
        graph = Graph()
        masses, entry = self.masses.read(graph, "masses")
        G = graph.variables("G", len(self.structure.G.rows))
        held: list[dict[int, Any]] = [{} for _ in range(self.structure.n_lam)]
        for value, row, j in zip(G, self.structure.G.rows.tolist(), self.structure.G.columns.tolist(), strict=True):
            held[row][self.place[j]] = value
        self.T: list[list[int]] = []
        for row, (column, places) in enumerate(zip(held, self.tree.reached(), strict=True)):
            found: dict[int, Any] = {}
            for i in places:
                terms = [entry(i, v) * found[v] for v in found if (i, v) in self.masses.places]
                if i in column or terms:
                    found[i] = self.constraints.keep(i, row, _less(column.get(i), terms))
            self.T.append(list(found))
        outputs = {"constraints": array(self.constraints.values) if self.constraints.values else zeros((0,))}
        homes = {"masses": VALUES_ARRAY, "G": G_ARRAY, "constraints": VALUES_ARRAY}
        return outputs, {"masses": masses, "G": G}, homes, "composite_constraints"

    def _decompose_reduced(self) -> tuple[Mapping[str, Any], Mapping[str, Any], Mapping[str, int], str]:
        """S = Tᵀ D⁻¹ T, step 3.3, and its decomposition."""
        graph = Graph()
        masses, entry = self.masses.read(graph, "masses")
        constraints, entry_of_T = self.constraints.read(graph, "constraints")
        before = graph.variables("before", 1)
        a: dict[Key, Any] = {}
        for row, places in enumerate(self.T):
            scaled = {v: entry_of_T(v, row) * entry(v, v) for v in places}
            for other, beside in enumerate(self.T[: row + 1]):
                terms = [scaled[v] * entry_of_T(v, other) for v in beside if v in scaled]
                if terms:
                    a[row, other] = sum(terms[1:], terms[0])
        self.K, left = _decomposed(self.reduced, self.structure.n_lam, a)
        outputs = {
            "reduced": array(self.reduced.values) if self.reduced.values else zeros((0,)),
            "left": array([_smallest([before[0], *left])]),
        }
        inputs = {"masses": masses, "constraints": constraints, "before": before}
        return outputs, inputs, dict.fromkeys((*inputs, *outputs), VALUES_ARRAY), "composite_reduced"

    def _solution(self) -> RunFunction:
        """Steps 2, 3.2, 3.4, 3.5 and 4."""
        n, m, tree = self.structure.n_v, self.structure.n_lam, self.tree
        graph = Graph()
        masses, entry = self.masses.read(graph, "masses")
        constraints, entry_of_T = self.constraints.read(graph, "constraints")
        reduced, entry_of_K = self.reduced.read(graph, "reduced")
        right = graph.variables("right", n + m)
        z: list[Any] = [right[coordinate] for coordinate in tree.order]
        _forward(z, self.L, entry)
        z = [value * entry(j, j) for j, value in enumerate(z)]
        s: list[Any] = []
        for row, places in enumerate(self.T):
            total = -right[n + row]
            for v in places:
                total = total + entry_of_T(v, row) * z[v]
            s.append(total)
        _forward(s, self.K, entry_of_K)
        s = [value * entry_of_K(j, j) for j, value in enumerate(s)]
        _backward(s, self.K, entry_of_K)
        pulled: dict[int, Any] = {}
        for row, places in enumerate(self.T):
            for v in places:
                pulled[v] = pulled.get(v, 0.0) + entry_of_T(v, row) * s[row]
        for v, value in pulled.items():
            z[v] = z[v] - value * entry(v, v)
        _backward(z, self.L, entry)
        solution: list[Any] = [None] * n + s
        for v, coordinate in enumerate(tree.order):
            solution[coordinate] = z[v]
        inputs = {"masses": masses, "constraints": constraints, "reduced": reduced, "right": right}
        homes = dict.fromkeys(inputs, VALUES_ARRAY) | {"right": RIGHT_ARRAY, "solution": RIGHT_ARRAY}
        return RunFunction({"solution": array(solution)}, inputs, homes, "composite_solution")


def _decomposed(kept: _Stretch, n: int, a: Mapping[Key, Any]) -> tuple[list[list[int]], list[Any]]:
    """Rows of the columns of L in L D Lᵀ = a, and what is left of each pivot beside the diagonal; D⁻¹ and L are kept.

    Each entry is made at once, from those of earlier columns, so that what is added up need not be put down in between.
    """
    below: list[list[int]] = []
    left: list[Any] = []
    scaled: dict[Key, Any] = {}  # entries of L
    plain: dict[Key, Any] = {}  # of L D
    crossing: list[list[int]] = [[] for _ in range(n)]  # columns with an entry in each row
    rows: list[set[int]] = [set() for _ in range(n)]
    for i, j in a:
        rows[j].add(i)
    for j in range(n):
        reached = sorted(rows[j].union(*(below[k] for k in crossing[j])) - set(range(j + 1)))
        for i in (j, *reached):
            terms = [scaled[j, k] * plain[i, k] for k in crossing[j] if (i, k) in plain]
            plain[i, j] = _less(a.get((i, j)), terms)
        inverse = kept.keep(j, j, 1.0 / plain[j, j])
        left.append(plain[j, j] / a[j, j])
        below.append(reached)
        for i in reached:
            scaled[i, j] = kept.keep(i, j, plain[i, j] * inverse)
            crossing[i].append(j)
    return below, left


def _less(value: Any, terms: Sequence[Any]) -> Any:
    """A value, if there is one, less all terms."""
    if value is None:
        value, terms = -terms[0], terms[1:]
    for term in terms:
        value = value - term
    return value


def _smallest(values: Sequence[Any]) -> Any:
    """By halves: one after the other each comparison would wait for the one before."""
    if len(values) == 1:
        return values[0]
    half = len(values) // 2
    return minimum(_smallest(values[:half]), _smallest(values[half:]))


def _forward(x: list[Any], rows: Sequence[Sequence[int]], entry: Callable[[int, int], Any]) -> None:
    """x := L⁻¹ x, with ones on the diagonal."""
    for j, below in enumerate(rows):
        for i in below:
            x[i] = x[i] - entry(i, j) * x[j]


def _backward(x: list[Any], rows: Sequence[Sequence[int]], entry: Callable[[int, int], Any]) -> None:
    """x := L⁻ᵀ x, with ones on the diagonal."""
    for j in range(len(rows) - 1, -1, -1):
        for i in rows[j]:
            x[j] = x[j] - entry(i, j) * x[i]
