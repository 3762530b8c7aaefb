"""Atoms to SymPy expressions and back.

Neither way recurses, so deep expressions do not meet Python's recursion limit here, and an atom that is used often is
converted once.  What SymPy does with a large expression afterwards (printing, ``diff``) is recursive, and takes it as
a tree.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dalembert.arguments import instance, mapping, named, shown
from dalembert.errors import MissingExtraError, SymbolicError, UnknownSymbolError, suggestion
from dalembert.symbolic import operations as op
from dalembert.symbolic.atom import Atom, from_handles, graph_of, handles
from dalembert.symbolic.calculus import time_derivative
from dalembert.symbolic.functions import (
    ceil,
    equal,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    mod,
    not_equal,
    where,
)
from dalembert.symbolic.graph import ONE, Graph, Node

# SymPy's own simplifications ask recursive questions of their arguments, one by one, shared or not.  Atoms that are
# deeper, or larger if written as a tree, or whose choices depend on choices that depend on choices, are built without.
_DEPTH, _SIZE, _LEVEL = 60, 2000, 3

#: operations that have the same name, or this one, in SymPy
_NAMES = {
    op.SQRT: "sqrt", op.SIN: "sin", op.COS: "cos", op.TAN: "tan", op.ASIN: "asin", op.ACOS: "acos", op.ATAN: "atan",
    op.SINH: "sinh", op.COSH: "cosh", op.TANH: "tanh", op.EXP: "exp", op.LOG: "log", op.ABS: "Abs", op.SIGN: "sign",
    op.POW: "Pow", op.ATAN2: "atan2", op.MIN: "Min", op.MAX: "Max", op.FLOOR: "floor",
}  # fmt: skip


def _sympy() -> Any:
    try:
        import sympy
    except ImportError:
        raise MissingExtraError("the exchange with SymPy", "sympy", "sympy") from None
    return sympy


# ---------------------------------------------------------------------- to SymPy


def to_sympy(expression: Any, names: Mapping[str, Any] | None = None) -> Any:
    """SymPy expression of an atom, column ``Matrix`` of a vector, ``Matrix`` of a matrix (``Array`` beyond).

    Symbols become ``sympy.Symbol(name)``; ``names`` may give another name or any SymPy expression for some of them:
    ``{"phi": dynamicsymbols("phi")}``.  Whole numbers become integers, other numbers floats of the same value.
    """
    sp = _sympy()
    graph = graph_of(expression, where="to_sympy")
    names = named(names, "to_sympy: names", SymbolicError)
    for name, new in names.items():
        if not isinstance(new, (str, sp.Basic, int, float)) or new == "":
            raise SymbolicError(f"to_sympy: names: '{name}' must become a name or an expression, got {shown(new)}")
    items, shape = handles(expression, graph)
    given = {graph[name].handle: sp.Symbol(new) if isinstance(new, str) else new for name, new in names.items()}
    writer = _SympyWriter(sp, graph, given)
    try:
        for row in graph.reachable(items):
            writer.add(row)
    except RecursionError:
        raise SymbolicError("to_sympy: the expression is nested too deeply for SymPy; export parts of it") from None
    results = [writer.result(handle) for handle in items]
    if shape == ():
        return results[0]
    if len(shape) > 2:
        return sp.Array(results, shape)
    return sp.Matrix(shape[0], shape[1] if len(shape) == 2 else 1, results)


class _SympyWriter:
    """SymPy expressions of the rows met so far."""

    def __init__(self, sp: Any, graph: Graph, given: dict[int, Any]) -> None:
        self.sp, self.graph = sp, graph
        self.found: dict[int, Any] = given
        self.conditions: dict[int, Any] = {}  # of rows that are 1 where it holds, else 0
        self.depth: dict[int, int] = dict.fromkeys(given, 0)
        self.size: dict[int, int] = dict.fromkeys(given, 1)
        self.level: dict[int, int] = dict.fromkeys(given, 0)  # of choices that decide about choices
        self.simplify = True

    def result(self, handle: int) -> Any:
        self.simplify = self._is_simple(abs(handle))
        return self.of(handle)

    def of(self, handle: int) -> Any:
        result = self.found[abs(handle)]
        return result if handle >= 0 else self._make("Mul", -1, result)

    def add(self, row: int) -> None:
        if row in self.found:
            return
        node = self.graph.nodes[row]
        code = node[0]
        if code in (op.INTERVAL, op.PIECE):
            raise SymbolicError(
                "to_sympy: tables and splines have no SymPy form; put a variable in their place with substitute"
            )
        # SymPy flattens sums of sums and products of products: they do not become deeper.
        group = _GROUP.get(code)
        self.depth[row] = max(
            (self.depth[abs(a)] + (group is None or _GROUP.get(self.graph.nodes[abs(a)][0]) != group)
             for a in op.atom_arguments(node)),
            default=0,
        )  # fmt: skip
        self.size[row] = min(_SIZE, 1 + sum(self.size[abs(a)] for a in op.atom_arguments(node)))
        self.level[row] = self._level(node)
        self.simplify = self._is_simple(row)
        self.found[row] = result = self._expression(row, node)
        # SymPy stores both; asked for now, they need not be sought down to the leaves later.
        hash(result)
        bool(result.is_commutative)

    def _is_simple(self, row: int) -> bool:
        return self.depth[row] < _DEPTH and self.size[row] < _SIZE and self.level[row] < _LEVEL

    def _level(self, node: Node) -> int:
        code = node[0]
        if code == op.WHERE:
            condition = self.level[abs(node[1])] + (abs(node[1]) not in self.conditions)
            return max(condition, self.level[abs(node[2])], self.level[abs(node[3])])
        level = max((self.level[abs(a)] for a in op.atom_arguments(node)), default=0)
        return level + (code in _RELATIONS and not self._is_negation(node))

    def _is_negation(self, node: Node) -> bool:
        return bool(node[0] == op.EQ and node[1] == 0 and node[2] in self.conditions)

    def _make(self, name: str, *arguments: Any) -> Any:
        return getattr(self.sp, name)(*arguments, evaluate=self.simplify)

    def _expression(self, row: int, node: Node) -> Any:
        code, make = node[0], self._make
        if code == op.CONSTANT:
            return self._number(node[1])
        if code == op.SYMBOL:
            return self.sp.Symbol(self.graph.symbols[node[1]].name)
        if code == op.WHERE:
            return self._either(self._condition(node[1]), self.of(node[2]), self.of(node[3]))
        condition = self._relation(node)
        if condition is not None:
            self.conditions[row] = condition
            return self._either(condition, self.sp.Integer(1), self.sp.Integer(0))
        arguments = [self.of(a) for a in op.atom_arguments(node)]
        if code in (op.MIN, op.MAX) and (not self.simplify or self.sp.nan in arguments):
            # SymPy would sort the arguments, a recursion; and it takes no NaN.
            a, b = arguments
            relation = self.sp.Lt if code == op.MIN else self.sp.Gt
            return self._either(relation(a, b, evaluate=False), a, b)
        if code in (op.ABS, op.SIGN):
            # SymPy's symbols may be complex, so it writes |exp(x)| as exp(re(x)); and it takes sign(atan(x)) to be 1
            # for all x ≥ 0 (version 1.14).
            return getattr(self.sp, _NAMES[code])(*arguments, evaluate=False)
        if code == op.CBRT:  # real also of negative numbers, where SymPy's root is not
            size, direction = (getattr(self.sp, name)(*arguments, evaluate=False) for name in ("Abs", "sign"))
            return make("Mul", direction, make("Pow", size, self.sp.Rational(1, 3)))
        if code in _NAMES:
            return make(_NAMES[code], *arguments)
        return _ARITHMETIC[code](make, *arguments)

    def _number(self, value: float) -> Any:
        sp = self.sp
        if value.is_integer() and abs(value) < 2.0**53:
            return sp.Integer(int(value))
        return sp.nan if value != value else sp.oo if value == float("inf") else sp.Float(value)

    def _either(self, condition: Any, a: Any, b: Any) -> Any:
        sp = self.sp
        if condition in (sp.true, sp.false):
            return a if condition else b
        if self.simplify and condition.has(sp.Piecewise):  # to be folded, which grows fast with the level
            return sp.Piecewise((a, condition), (b, True))
        # As SymPy's constructors end; they begin with work on the condition that can take very long.
        pair = sp.functions.elementary.piecewise.ExprCondPair
        pairs = (sp.Tuple.__new__(pair, a, condition), sp.Tuple.__new__(pair, b, sp.true))
        return sp.Basic.__new__(sp.Piecewise, *pairs)

    def _relation(self, node: Node) -> Any:
        """The condition whose value, 1 or 0, ``node`` is; None if it is no condition."""
        code, known = node[0], self.conditions
        if self.simplify:  # SymPy sorts the arguments of And, a recursion
            if code == op.MUL and node[1] in known and node[2] in known:
                return self._make("And", known[node[1]], known[node[2]])
            if self._is_negation(node):
                parts = known[node[2]]
                # not (not a and not b), as logical_or is written
                return self.sp.Or(*map(self.sp.Not, parts.args)) if parts.func is self.sp.And else self.sp.Not(parts)
        if code not in _RELATIONS:
            return None
        return getattr(self.sp, _RELATIONS[code])(self.of(node[1]), self.of(node[2]), evaluate=False)

    def _condition(self, handle: int) -> Any:
        known = self.conditions.get(abs(handle))
        return self.sp.Ne(self.of(handle), 0, evaluate=False) if known is None else known


_GROUP = {op.ADD: "sum", op.SUB: "sum", op.MUL: "product", op.DIV: "product"}
_RELATIONS = {op.LT: "Lt", op.LE: "Le", op.EQ: "Eq"}
_ARITHMETIC: dict[int, Callable[..., Any]] = {
    op.ADD: lambda make, a, b: make("Add", a, b),
    op.SUB: lambda make, a, b: make("Add", a, make("Mul", -1, b)),
    op.MUL: lambda make, a, b: make("Mul", a, b),
    op.DIV: lambda make, a, b: make("Mul", a, make("Pow", b, -1)),
    op.NEG: lambda make, a: make("Mul", -1, a),
    op.HYPOT: lambda make, a, b: make("sqrt", make("Add", make("Pow", a, 2), make("Pow", b, 2))),
}


# -------------------------------------------------------------------- from SymPy


def from_sympy(expression: Any, graph: Graph, symbols: Mapping[Any, Any] | None = None) -> Any:
    """Atom of a SymPy expression, array of atoms of a SymPy matrix or array.

    Symbols are looked up in the graph by name, a function of time like ``phi(t)`` too; its derivatives with respect to
    t become time derivatives (velocity, acceleration).  ``symbols`` may say otherwise: SymPy symbol, function
    ``phi(t)`` or name → atom or number.
    """
    sp = _sympy()
    instance(graph, Graph, "from_sympy: graph", SymbolicError)
    reader = _SympyReader(sp, graph, {} if symbols is None else mapping(symbols, "from_sympy: symbols", SymbolicError))
    if isinstance(expression, (sp.MatrixBase, sp.NDimArray)):
        items = np.array(expression.tolist(), dtype=object).flat
        return from_handles(graph, [reader.read(item).handle for item in items], tuple(map(int, expression.shape)))
    try:
        item = sp.sympify(expression, strict=True)
    except Exception:  # an object of the user may raise anything when it is converted
        item = None
    if not isinstance(item, sp.Basic):
        raise SymbolicError(f"from_sympy: expected a SymPy expression or matrix, got {type(expression).__name__}")
    return reader.read(item)


class _SympyReader:
    """Atoms of the SymPy expressions met so far."""

    def __init__(self, sp: Any, graph: Graph, symbols: Mapping[Any, Any]) -> None:
        self.sp, self.graph = sp, graph
        self.given = {key: Atom(graph, graph.handle(value)) for key, value in symbols.items()}
        self.found: dict[int, Atom] = {}  # by id: the equality of SymPy expressions is recursive
        self.kept: list[Any] = []  # so that no id is used again
        self.functions = _functions(sp, graph)

    def read(self, root: Any) -> Atom:
        self.kept.append(root)
        stack = [root]
        while stack:
            item = stack[-1]
            if id(item) in self.found:
                stack.pop()
                continue
            result = self._leaf(item)
            if result is None:
                parts = self._parts(item)
                waiting = [part for part in parts if id(part) not in self.found]
                if waiting:
                    stack.extend(waiting)
                    continue
                result = self._combine(item, [self.found[id(part)] for part in parts])
            self.found[id(item)] = result
        return self.found[id(root)]

    def _leaf(self, item: Any) -> Atom | None:
        sp, graph = self.sp, self.graph
        if isinstance(item, sp.Symbol):
            return self._symbol(item, item.name)
        if isinstance(item, sp.core.function.AppliedUndef):
            name = item.func.__name__
            if item not in self.given and name not in self.given and not all(map(self._is_time, item.args)):
                raise SymbolicError(f"from_sympy: '{item}' is no function of time t; only those can become symbols")
            return self._symbol(item, name)
        if isinstance(item, sp.Derivative):
            return self.given.get(item)
        if item is sp.true or item is sp.false:
            return Atom(graph, graph.constant(item is sp.true))
        if isinstance(item, sp.Rational):
            return Atom(graph, graph.constant(_quotient(item.p, item.q)))
        if isinstance(item, (sp.Number, sp.NumberSymbol)):  # also infinities and NaN
            return Atom(graph, graph.constant(float(item)))
        if not item.args:
            raise SymbolicError(f"from_sympy: '{item}' is neither a real number nor a symbol")
        return None

    def _symbol(self, item: Any, name: str) -> Atom:
        for key in (item, name):
            if key in self.given:
                return self.given[key]
        if name not in self.graph.symbol_rows:
            raise UnknownSymbolError(
                f"from_sympy: no symbol '{name}' in the graph; {suggestion(name, self.graph.symbol_rows)}"
            )
        return self.graph[name]

    def _is_time(self, item: Any) -> bool:
        atom = self.given.get(item, self.given.get(str(item)))
        if atom is not None:
            return self.graph.is_symbol(atom.handle) and self.graph.symbol(atom.handle).kind == "time"
        return isinstance(item, self.sp.Symbol) and item.name == "t"

    def _parts(self, item: Any) -> list[Any]:
        """The subexpressions whose atoms are needed."""
        sp = self.sp
        if isinstance(item, sp.Derivative):
            return [item.args[0]]
        if isinstance(item, sp.Piecewise):
            return [part for pair in item.args for part in pair.args]
        if isinstance(item, sp.Mul):
            return [factor.args[0] if _is_divisor(factor) else factor for factor in item.args]
        if item.func not in self.functions:
            raise SymbolicError(f"from_sympy: '{item.func.__name__}' has no counterpart among the atoms")
        return list(item.args)

    def _combine(self, item: Any, parts: list[Atom]) -> Atom:
        sp = self.sp
        if isinstance(item, sp.Derivative):
            return self._time_derivative(item, parts[0])
        if isinstance(item, sp.Piecewise):
            result = Atom(self.graph, self.graph.constant(float("nan")))  # where no condition holds
            for value, condition in reversed(list(zip(parts[::2], parts[1::2], strict=True))):
                result = where(condition, value, result)
            return result
        if isinstance(item, sp.Mul):  # x y⁻² is x/y², not x (1/y²)
            above, below = Atom(self.graph, ONE), Atom(self.graph, ONE)
            for part, factor in zip(parts, item.args, strict=True):
                if _is_divisor(factor):
                    below = below * part ** float(-factor.args[1])
                else:
                    above = above * part
            quotient: Atom = above / below
            return quotient
        combined: Atom = self.functions[item.func](*parts)
        return combined

    def _time_derivative(self, item: Any, result: Atom) -> Atom:
        for variable, count in item.variable_count:
            if not self._is_time(variable):
                raise SymbolicError(
                    f"from_sympy: a derivative with respect to '{variable}', not to time, is left; call .doit() first"
                )
            for _ in range(int(count)):
                result = time_derivative(result)
        return result


def _functions(sp: Any, graph: Graph) -> dict[Any, Callable[..., Any]]:
    """SymPy class → function of atoms."""

    def apply(code: int) -> Callable[..., Atom]:
        return lambda *parts: Atom(graph, graph.apply(code, *(part.handle for part in parts)))

    def chain(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *parts: functools.reduce(function, parts)

    same_arity = {code: name for code, name in _NAMES.items() if code not in (op.SQRT, op.MIN, op.MAX)}
    return {
        **{getattr(sp, name): apply(code) for code, name in same_arity.items()},
        sp.Add: chain(operator.add),
        sp.ceiling: ceil,
        sp.Mod: mod,
        sp.Min: chain(minimum),
        sp.Max: chain(maximum),
        sp.Lt: less,
        sp.Le: less_equal,
        sp.Gt: lambda a, b: less(b, a),
        sp.Ge: lambda a, b: less_equal(b, a),
        sp.Eq: equal,
        sp.Ne: not_equal,
        sp.And: chain(logical_and),
        sp.Or: chain(logical_or),
        sp.Not: logical_not,
        sp.ITE: where,
        # SymPy's symbols may be complex, atoms are real.
        sp.re: lambda a: a,
        sp.conjugate: lambda a: a,
        sp.im: lambda a: 0.0 * a,
    }


def _is_divisor(factor: Any) -> bool:
    return bool(factor.is_Pow and factor.args[1].is_Number and factor.args[1].is_negative)


def _quotient(p: int, q: int) -> float:
    try:
        return p / q
    except OverflowError:
        return float("inf") if p > 0 else -float("inf")
