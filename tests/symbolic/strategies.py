"""Random expressions that can be read in several ways: as atoms, and as numbers of NumPy, mpmath or SymPy.

A :class:`Tree` says what is to be computed; :func:`read` computes it with a table of functions.  So the values of
atoms are compared with those of an independent road, and the same tree can be built twice.
"""

from __future__ import annotations

import math
import operator
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import mpmath  # type: ignore[import-untyped,unused-ignore]
import numpy as np
from hypothesis import strategies as st

from dalembert.symbolic import functions
from dalembert.symbolic.atom import Atom
from dalembert.symbolic.graph import Graph
from dalembert.symbolic.tables import PiecewisePolynomial

Table = Mapping[str, Callable[..., Any]]


@dataclass(frozen=True)
class Tree:
    """An operation and what it is applied to; leaves have a number or the name of a symbol instead."""

    operation: str
    parts: tuple[Tree, ...] = ()
    leaf: Any = None

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))

    def __repr__(self) -> str:
        return repr(self.leaf) if self.operation == "leaf" else f"{self.operation}({', '.join(map(repr, self.parts))})"


def node(operation: str, *parts: Tree | float) -> Tree:
    """Tree of an operation; numbers become leaves."""
    return Tree(operation, tuple(p if isinstance(p, Tree) else Tree("leaf", leaf=float(p)) for p in parts))


def read(tree: Tree, table: Table, leaves: Callable[[Any], Any]) -> Any:
    """Value of a tree: ``leaves`` gives that of a number or a name, ``table`` the functions."""
    found: dict[int, Any] = {}

    def value(part: Tree) -> Any:
        if id(part) not in found:
            found[id(part)] = (
                leaves(part.leaf) if part.operation == "leaf" else table[part.operation](*map(value, part.parts))
            )
        return found[id(part)]

    return value(tree)


# ------------------------------------------------------------------ tables of functions

SPLINE = PiecewisePolynomial.spline([-2.0, -0.5, 0.25, 1.0, 2.5], [0.3, -1.0, 0.5, 1.25, -0.75])


ATOMS: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "neg": operator.neg,
    "pow": operator.pow,
    "sqrt": functions.sqrt,
    "sin": functions.sin,
    "cos": functions.cos,
    "tan": functions.tan,
    "asin": functions.arcsin,
    "acos": functions.arccos,
    "atan": functions.arctan,
    "sinh": functions.sinh,
    "cosh": functions.cosh,
    "tanh": functions.tanh,
    "exp": functions.exp,
    "log": functions.log,
    "abs": functions.absolute,
    "sign": functions.sign,
    "atan2": functions.arctan2,
    "hypot": functions.hypot,
    "min": functions.minimum,
    "max": functions.maximum,
    "lt": operator.lt,
    "le": operator.le,
    "eq": functions.equal,
    "and": functions.logical_and,
    "or": functions.logical_or,
    "not": functions.logical_not,
    "where": functions.where,
    "floor": functions.floor,
    "spline": SPLINE,
}

#: The functions that can be differentiated any number of times, on the domains that `trees` gives them.
SMOOTH = ["add", "sub", "mul", "div", "neg", "pow", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
          "tanh", "exp", "log", "atan2", "hypot"]  # fmt: skip
KINKED = [*SMOOTH, "abs", "sign", "min", "max", "lt", "le", "eq", "and", "or", "not", "where", "floor"]
ALL = [*KINKED, "spline"]

NUMPY: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "neg": np.negative,
    "pow": np.float_power,
    "sqrt": np.sqrt,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "exp": np.exp,
    "log": np.log,
    "abs": np.abs,
    "sign": np.sign,
    "atan2": np.arctan2,
    "hypot": np.hypot,
    "min": np.minimum,
    "max": np.maximum,
    "lt": np.less,
    "le": np.less_equal,
    "eq": np.equal,
    "and": np.logical_and,
    "or": np.logical_or,
    "not": np.logical_not,
    "where": lambda c, a, b: np.where(c != 0, a, b),
    "floor": np.floor,
    "spline": SPLINE.evaluate,
}


def _mp_spline(x: Any) -> Any:
    """By the definition: the last interval that begins before x, powers of the distance to its beginning."""
    k = max([i for i, border in enumerate(SPLINE.borders, start=1) if x >= border], default=0)
    u = x - SPLINE.base[k]
    return sum(mpmath.mpf(float(c)) * u**n for n, c in zip((3, 2, 1, 0), SPLINE.coefficients[:, k], strict=True))


MPMATH: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "neg": operator.neg,
    "abs": abs,
    "pow": mpmath.power,
    "sign": mpmath.sign,
    "min": min,
    "max": max,
    "lt": lambda a, b: mpmath.mpf(a < b),
    "le": lambda a, b: mpmath.mpf(a <= b),
    "eq": lambda a, b: mpmath.mpf(a == b),
    "and": lambda a, b: mpmath.mpf(a != 0 and b != 0),
    "or": lambda a, b: mpmath.mpf(a != 0 or b != 0),
    "not": lambda a: mpmath.mpf(a == 0),
    "where": lambda c, a, b: a if c != 0 else b,
    "floor": mpmath.floor,
    "spline": _mp_spline,
    **{name: getattr(mpmath, name) for name in ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
                                                 "tanh", "exp", "log", "atan2", "hypot")},
}  # fmt: skip


def sympy_table() -> dict[str, Callable[..., Any]]:
    """Functions of SymPy expressions (no spline)."""
    import sympy as sp

    def truth(x: Any) -> Any:
        return (
            x.args[0].cond if isinstance(x, sp.Piecewise) and x.args[0].expr == 1 and len(x.args) == 2 else sp.Ne(x, 0)
        )

    def number(condition: Any) -> Any:
        return sp.Piecewise((1, condition), (0, True))

    return {
        "add": operator.add,
        "sub": operator.sub,
        "mul": operator.mul,
        "div": operator.truediv,
        "neg": operator.neg,
        "pow": operator.pow,
        "abs": sp.Abs,
        "min": sp.Min,
        "max": sp.Max,
        "hypot": lambda a, b: sp.sqrt(a**2 + b**2),
        "sign": lambda a: sp.sign(a, evaluate=False),  # SymPy 1.14 takes sign(atan(x)) to be 1 for all x ≥ 0
        "lt": lambda a, b: number(sp.Lt(a, b)),
        "le": lambda a, b: number(sp.Le(a, b)),
        "eq": lambda a, b: number(sp.Eq(a, b)),
        "and": lambda a, b: number(sp.And(truth(a), truth(b))),
        "or": lambda a, b: number(sp.Or(truth(a), truth(b))),
        "not": lambda a: number(sp.Not(truth(a))),
        "where": lambda c, a, b: sp.Piecewise((a, truth(c)), (b, True)),
        **{name: getattr(sp, name) for name in ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
                                                 "tanh", "exp", "log", "atan2", "floor")},
    }  # fmt: skip


# --------------------------------------------------------------------- ways to read a tree


def build(tree: Tree, graph: Graph) -> Atom:
    """The tree as an atom; its symbols become variables of the graph unless they are declared as something else."""

    def leaf(value: Any) -> Atom:
        if isinstance(value, str):
            return graph[value] if value in graph.symbol_rows else graph.variable(value)
        return Atom(graph, graph.constant(value))

    result: Atom = read(tree, ATOMS, leaf)
    return result


def exact(tree: Tree, point: Mapping[str, Any]) -> Any:
    """The tree as an mpmath number, in the precision that is set there."""
    return read(tree, MPMATH, lambda leaf: mpmath.mpf(point[leaf] if isinstance(leaf, str) else leaf))


@dataclass
class Doubles:
    """Reads a tree with doubles of relative accuracy ``noise``; without negative zeros, as the constants of a graph."""

    noise: float = 0.0
    met: list[float] = field(default_factory=list)  # all intermediate results
    _random: random.Random = field(default_factory=lambda: random.Random(1))

    def __call__(self, tree: Tree, point: Mapping[str, float]) -> float:
        with np.errstate(all="ignore"):
            table = {name: self._watched(function) for name, function in NUMPY.items()}
            return float(read(tree, table, lambda leaf: self._clean(point[leaf] if isinstance(leaf, str) else leaf)))

    def _watched(self, function: Callable[..., Any]) -> Callable[..., np.float64]:
        return lambda *parts: self._clean(function(*parts))

    def _clean(self, value: Any) -> np.float64:
        result = np.float64(value) * (1.0 + self.noise * self._random.uniform(-1.0, 1.0)) + 0.0
        self.met.append(float(result))
        return result


def well_conditioned(tree: Tree, point: Mapping[str, float]) -> bool:
    """Whether small errors of all intermediate results, and conditions that hold only just, leave the value alone."""
    plain, noisy = Doubles(), Doubles(noise=1e-11)
    value = plain(tree, point)
    return all(map(math.isfinite, plain.met)) and all(
        abs(noisy(tree, point) - value) <= 1e-8 * (1.0 + abs(value)) for _ in range(2)
    )


# ------------------------------------------------------------------------------ strategies

NAMES = ("x", "y", "z")

#: Numbers with edges among them.
SPECIAL = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    -3.0,
    16.0,
    1e-3,
    1e300,
    -1e300,
    5e-324,
    float("inf"),
    -float("inf"),
    float("nan"),
]


def _tame(operation: str, parts: tuple[Tree, ...]) -> Tree:
    """The operation with its arguments brought into its domain, away from the ends of it, and to moderate size."""
    first = parts[0]
    if operation == "div":
        return node("div", first, node("add", 2.0, node("sin", parts[1])))
    if operation in ("sqrt", "log"):
        return node(operation, node("add", 0.5, node("mul", first, first)))
    if operation in ("asin", "acos"):
        return node(operation, node("mul", 0.9, node("sin", first)))
    if operation in ("tan", "sinh", "cosh", "exp"):
        return node(operation, node("sin", first))
    if operation == "pow":
        return node("pow", node("add", 0.5, node("tanh", node("mul", first, first))), node("sin", parts[1]))
    if operation == "hypot":
        return node("hypot", first, node("add", 1.5, node("cos", parts[1])))
    if operation == "atan2":
        return node("atan2", first, node("add", 1.25, node("cos", parts[1])))
    return Tree(operation, parts)


_ARGUMENTS = dict.fromkeys(ALL, 1) | dict.fromkeys(
    ["add", "sub", "mul", "div", "pow", "atan2", "hypot", "min", "max", "lt", "le", "eq", "and", "or"], 2
) | {"where": 3}  # fmt: skip


@st.composite
def trees(
    draw: Callable[[Any], Any],
    operations: list[str] = ALL,
    *,
    safe: bool = True,
    size: int = 8,
    names: tuple[str, ...] = NAMES,
) -> Tree:
    """Random expressions of these operations; the safe ones stay within all domains.

    Written down like a program of up to ``size`` steps, each of which takes the result of the one before and others
    from what there is, so that parts occur more than once.
    """
    numbers = st.integers(-300, 300).map(lambda n: n / 100) if safe else st.sampled_from(SPECIAL) | st.floats()
    leaves = st.one_of(st.sampled_from(names), st.sampled_from(names), numbers)
    steps = st.tuples(
        st.sampled_from(operations), st.integers(0, 2), st.lists(st.integers(0, 15), min_size=3, max_size=3)
    )
    pool = [Tree("leaf", leaf=leaf) for leaf in draw(st.lists(leaves, min_size=1, max_size=4))]
    for operation, place, choices in draw(st.lists(steps, min_size=2, max_size=size)):
        count = _ARGUMENTS[operation]
        parts = [pool[-1 - choice % len(pool)] for choice in choices[:count]]
        parts[place % count] = pool[-1]
        if operation == "pow" and choices[2] % 2:
            pool.append(node("pow", pool[-1], choices[2] // 4 if safe else choices[2] // 2 - 2))  # whole powers
        else:
            pool.append(_tame(operation, tuple(parts)) if safe else Tree(operation, tuple(parts)))
    return pool[-1]


def points(names: tuple[str, ...] = NAMES, *, safe: bool = True) -> Any:
    """Values for the symbols; the safe ones are neither equal nor whole nor tiny, so that kinks are not met."""
    if not safe:
        return st.fixed_dictionaries({name: st.sampled_from(SPECIAL) | st.floats() for name in names})

    def numbers(i: int) -> Any:
        return st.integers(-200, 200).map(lambda n: (n + 0.137 * (i + 1)) / 100)

    return st.fixed_dictionaries({name: numbers(i) for i, name in enumerate(names)})
