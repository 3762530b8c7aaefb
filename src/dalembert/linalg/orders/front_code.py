"""Programs of a front: elimination, forward and backward substitution, written with atoms for one structure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from dalembert.symbolic import Graph, array, minimum, zeros
from dalembert.symbolic.compiler.runs import RunFunction

#: Arrays that the code of fronts reads and writes: entries of M, G and F, right-hand sides, values of the fronts.
M_ARRAY, G_ARRAY, F_ARRAY, RIGHT_ARRAY, VALUES_ARRAY = range(5)

Key = tuple[int, int]


class Stretch(NamedTuple):
    """So many entries of an array, one after the other."""

    array: int
    size: int


@dataclass(frozen=True)
class FrontClass:
    """Structure of a front, in local numbers: unknowns to be eliminated first, then the border.

    ``entries``: for each place (row, column) the sources (sign, stretch, place in it); of symmetric matrices the lower
    triangle.  ``children``: places of the entries that each leaves, in its own numbers of its border, and the local
    numbers of this border.
    """

    pivots: tuple[tuple[int, ...], ...]
    n_border: int
    symmetric: bool
    entries: tuple[tuple[Key, tuple[tuple[float, int, int], ...]], ...]
    matrix: tuple[Stretch, ...]
    pivot_stretches: tuple[Stretch, ...]
    pivot_places: tuple[Key, ...]
    border_stretches: tuple[Stretch, ...]
    border_places: tuple[Key, ...]
    children: tuple[tuple[tuple[Key, ...], tuple[int, ...]], ...]
    #: whether pivots may be small beside what they eliminate, so that this is looked at too
    watched: bool

    @property
    def n_own(self) -> int:
        return sum(len(pivot) for pivot in self.pivots)

    @cached_property
    def _eliminated(self) -> _Eliminated:
        return _Eliminated(self)

    @property
    def update_keys(self) -> tuple[Key, ...]:
        """Places of the Schur complement that are not zero, in numbers of the border."""
        return self._eliminated.update_keys

    @property
    def n_update(self) -> int:
        return len(self.update_keys)

    @property
    def n_factors(self) -> int:
        return len(self._eliminated.factors)

    def functions(self) -> tuple[RunFunction, RunFunction, RunFunction]:
        """Machine code of the elimination, the forward and the backward substitution."""
        e = self._eliminated
        return e.factor(), e.forward(), e.backward()


class _Eliminated:
    """The elimination of a front, on atoms."""

    def __init__(self, shape: FrontClass) -> None:
        self.shape = shape
        graph = self.graph = Graph()
        self.inputs: dict[str, Any] = {}
        self.homes: dict[str, int] = {}
        self.qualities: list[Any] = []
        self._matrix(graph)
        self._eliminate()
        n, own = shape.n_own + shape.n_border, shape.n_own
        self.update_keys = tuple((i - own, j - own) for i in range(own, n) for j in range(own, n) if (i, j) in self.a)
        self.update = [self.a[own + i, own + j] for i, j in self.update_keys]

    def _matrix(self, graph: Graph) -> None:
        """Sums of own entries and of what the children leave."""
        shape = self.shape
        own: list[Any] = []
        for k, stretch in enumerate(shape.matrix):
            name = f"matrix{k}"
            own.append(graph.variables(f"{name}_", stretch.size))
            self.inputs[name], self.homes[name] = own[-1], stretch.array
        self.a: dict[Key, Any] = {}
        self.gross: dict[int, Any] = {}
        for key, listed in shape.entries:
            for sign, stretch_number, place in listed:
                value = own[stretch_number][place]
                self._add(*key, value if sign > 0 else -value)
        self.own_sums = dict(self.gross)  # of entries of the matrix itself
        for k, (keys, numbers) in enumerate(shape.children):
            name = f"child{k}"
            values = graph.variables(f"{name}_", len(keys) + len(numbers))
            self.inputs[name], self.homes[name] = values, VALUES_ARRAY
            for (i, j), value in zip(keys, values, strict=False):
                a, b = numbers[i], numbers[j]
                if shape.symmetric and a < b:
                    a, b = b, a
                if a == b and shape.watched and a in self.own_sums:
                    # What stands there must not drown in what is added: its digits would be lost.
                    self.qualities.append(self.own_sums[a] / abs(value))
                self.a[a, b] = self.a.get((a, b), 0.0) + value
            for i, value in zip(numbers, values[len(keys) :], strict=True):
                self.gross[i] = self.gross.get(i, 0.0) + value

    def _add(self, i: int, j: int, value: Any) -> None:
        self.a[i, j] = self.a.get((i, j), 0.0) + value
        if i == j:
            self.gross[i] = self.gross.get(i, 0.0) + abs(value)

    def _get(self, i: int, j: int) -> Any:
        return self.a.get((max(i, j), min(i, j)) if self.shape.symmetric else (i, j))

    def _eliminate(self) -> None:
        """A_ij −= A_iP P⁻¹ A_Pj for each pivot P; factors are A_iP P⁻¹, P⁻¹, and P⁻¹ A_Pj where not symmetric."""
        shape = self.shape
        n = shape.n_own + shape.n_border
        self.factors: list[Any] = []
        self.inverses: list[dict[Key, int]] = []
        self.left: list[dict[Key, int]] = []
        self.top: list[dict[Key, int]] = []
        done: set[int] = set()
        for pivot in shape.pivots:
            done |= set(pivot)
            rest = [i for i in range(n) if i not in done]
            inverse, quality = self._inverse(pivot)
            self.qualities.append(quality)
            left = {(i, p): self._get(i, p) for i in rest for p in pivot if self._get(i, p) is not None}
            top = {(p, j): self._get(p, j) for j in rest for p in pivot if self._get(p, j) is not None}
            scaled: dict[Key, Any] = {}
            for (i, r), value in left.items():
                for p in pivot:
                    if (r, p) in inverse:
                        scaled[i, p] = scaled.get((i, p), 0.0) + value * inverse[r, p]
            for (i, p), factor in scaled.items():
                for (r, j), value in top.items():
                    if r == p and (not shape.symmetric or i >= j):
                        term = factor * value
                        self.a[i, j] = self.a.get((i, j), 0.0) - term
                        if i == j and shape.watched and i in self.own_sums:
                            self.qualities.append(self.own_sums[i] / abs(term))
                        if i == j:
                            self.gross[i] = self.gross.get(i, 0.0) + abs(term)
            self.inverses.append(self._keep(inverse))
            self.left.append(self._keep(scaled))
            if not shape.symmetric:
                right: dict[Key, Any] = {}
                for (r, j), value in top.items():
                    for p in pivot:
                        if (p, r) in inverse:
                            right[p, j] = right.get((p, j), 0.0) + inverse[p, r] * value
                self.top.append(self._keep(right))
        self.quality = self.qualities[0]
        for quality in self.qualities[1:]:
            self.quality = minimum(self.quality, quality)

    def _keep(self, values: dict[Key, Any]) -> dict[Key, int]:
        places = {}
        for key, value in values.items():
            places[key] = len(self.factors)
            self.factors.append(value)
        return places

    def _inverse(self, pivot: tuple[int, ...]) -> tuple[dict[Key, Any], Any]:
        """Inverse of a pivot, and what is left of its diagonal, seen from what was added up there."""
        if len(pivot) == 1:
            (i,) = pivot
            value = self.a[i, i]
            return {(i, i): 1.0 / value}, abs(value) / self.gross[i]
        i, j = pivot
        aii, ajj = self._get(i, i), self._get(j, j)
        aij, aji = self._get(i, j), self._get(j, i)
        if aij is None and aji is None:
            return {(i, i): 1.0 / aii, (j, j): 1.0 / ajj}, minimum(abs(aii) / self.gross[i], abs(ajj) / self.gross[j])
        if aii is None or ajj is None:  # a massless coordinate and its multiplier
            down, up = 1.0 / aji, 1.0 / aij
            inverse = {(i, j): down, (j, i): up}
            if aii is not None:
                inverse[j, j] = -(up * aii * down)
            elif ajj is not None:
                inverse[i, i] = -(down * ajj * up)
            # The constraint must hold this coordinate about as firmly as others.
            row = j if ajj is None else i
            beside = sum(abs(value) for (a, b), value in self.a.items() if row in (a, b))
            held = abs(aij) / beside
            return inverse, held * held
        aij, aji = 0.0 if aij is None else aij, 0.0 if aji is None else aji
        determinant = aii * ajj - aij * aji
        scale = 1.0 / determinant
        inverse = {(i, i): ajj * scale, (j, j): aii * scale, (i, j): -(aij * scale), (j, i): -(aji * scale)}
        return inverse, abs(determinant) / (self.gross[i] * self.gross[j])

    # ------------------------------------------------------------------------------------------------------ programs

    def factor(self) -> RunFunction:
        shape = self.shape
        own = shape.n_own
        gross = [self.gross.get(own + k, 0.0) for k in range(shape.n_border)]
        outputs = {
            "update": array([*self.update, *gross]) if shape.n_border else zeros((0,)),
            "factors": array(self.factors),
            "quality": array([self.quality]),
        }
        homes = {**self.homes, "update": VALUES_ARRAY, "factors": VALUES_ARRAY, "quality": VALUES_ARRAY}
        return RunFunction(outputs, self.inputs, homes, "front_factor")

    def _kept(self, graph: Graph) -> Any:
        return graph.variables("factors", len(self.factors))

    def _stretched(
        self, name: str, stretches: tuple[Stretch, ...], graph: Graph
    ) -> tuple[dict[str, Any], dict[str, int]]:
        inputs = {f"{name}{k}": graph.variables(f"{name}{k}_", stretch.size) for k, stretch in enumerate(stretches)}
        return inputs, {f"{name}{k}": stretch.array for k, stretch in enumerate(stretches)}

    def _written(self, name: str, values: list[Any]) -> tuple[dict[str, Any], dict[str, int]]:
        """Solutions of the pivots, in the stretches where they stand."""
        shape = self.shape
        outputs: dict[str, list[Any]] = {f"{name}{k}": [None] * s.size for k, s in enumerate(shape.pivot_stretches)}
        for value, (k, place) in zip(values, shape.pivot_places, strict=True):
            outputs[f"{name}{k}"][place] = value
        homes = {f"{name}{k}": s.array for k, s in enumerate(shape.pivot_stretches)}
        return {key: array(listed) for key, listed in outputs.items()}, homes

    def forward(self) -> RunFunction:
        """z = P⁻¹ b for each pivot, b −= A_iP z for what comes later."""
        shape, graph = self.shape, Graph()
        factors = self._kept(graph)
        right, homes = self._stretched("right", shape.pivot_stretches, graph)
        inputs: dict[str, Any] = {"factors": factors, **right}
        homes = {"factors": VALUES_ARRAY, **homes}
        b: list[Any] = [right[f"right{k}"][place] for k, place in shape.pivot_places] + [0.0] * shape.n_border
        for k, (_, numbers) in enumerate(shape.children):
            name = f"child{k}"
            inputs[name], homes[name] = graph.variables(f"{name}_", len(numbers)), VALUES_ARRAY
            for i, value in zip(numbers, inputs[name], strict=True):
                b[i] = b[i] + value
        for pivot, inverse, left in zip(shape.pivots, self.inverses, self.left, strict=True):
            for (i, p), place in left.items():
                b[i] = b[i] - factors[place] * b[p]
            solved: dict[int, Any] = dict.fromkeys(pivot, 0.0)
            for (p, r), place in inverse.items():
                solved[p] = solved[p] + factors[place] * b[r]
            for p in pivot:
                b[p] = solved[p]
        outputs, out_homes = self._written("solved", b[: shape.n_own])
        outputs["forward"] = array(b[shape.n_own :]) if shape.n_border else zeros((0,))
        return RunFunction(outputs, inputs, {**homes, **out_homes, "forward": VALUES_ARRAY}, "front_forward")

    def backward(self) -> RunFunction:
        """x = z − P⁻¹ A_Pj x_j, from the last pivot to the first."""
        shape, graph = self.shape, Graph()
        factors = self._kept(graph)
        right, homes = self._stretched("right", shape.pivot_stretches, graph)
        border, border_homes = self._stretched("border", shape.border_stretches, graph)
        x: list[Any] = [right[f"right{k}"][place] for k, place in shape.pivot_places]
        x += [border[f"border{k}"][place] for k, place in shape.border_places]
        for number in range(len(shape.pivots) - 1, -1, -1):
            if shape.symmetric:  # P⁻¹ A_Pj is the transpose of A_jP P⁻¹
                for (j, p), place in self.left[number].items():
                    x[p] = x[p] - factors[place] * x[j]
            else:
                for (p, j), place in self.top[number].items():
                    x[p] = x[p] - factors[place] * x[j]
        outputs, out_homes = self._written("solution", x[: shape.n_own])
        inputs = {"factors": factors, **right, **border}
        return RunFunction(
            outputs, inputs, {"factors": VALUES_ARRAY, **homes, **border_homes, **out_homes}, "front_backward"
        )
