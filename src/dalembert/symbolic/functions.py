"""Functions of atoms, of numbers and of arrays of both.

Each has the name of NumPy's function, which gives the same on atoms (see numpy_protocol.py).
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from dalembert.arguments import real
from dalembert.errors import SymbolicError
from dalembert.symbolic import operations as op
from dalembert.symbolic.atom import Atom, array, elementwise, entries, scalar_handle
from dalembert.symbolic.graph import ZERO

#: For each of NumPy's functions that atoms have, the same on scalars.
SCALAR: dict[Any, Callable[..., Any]] = {}


def _function(operation: int, name: str, numeric: np.ufunc, doc: str) -> Callable[..., Any]:
    """Function of atoms, numbers or arrays of them."""

    def scalar(*arguments: Any) -> Any:
        graph = next((a.graph for a in arguments if type(a) is Atom), None)
        if graph is None:
            with np.errstate(all="ignore"):
                return float(
                    numeric(*(real(a, f"{name}: its argument", SymbolicError, finite=False) for a in arguments))
                )
        return Atom(graph, graph.apply(operation, *[scalar_handle(a, graph) for a in arguments]))

    def function(*arguments: Any) -> Any:
        if any(isinstance(a, (np.ndarray, list, tuple)) for a in arguments):
            items = [a if isinstance(a, Atom) else entries(a, f"{name}: its argument") for a in arguments]
            if all(not isinstance(a, Atom) and a.dtype != object for a in items):
                return numeric(*_broadcast(name, items))
            return elementwise(scalar, *_broadcast(name, items))
        return scalar(*arguments)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    SCALAR[numeric] = scalar
    return function


sqrt = _function(op.SQRT, "sqrt", np.sqrt, "Square root.")
cbrt = _function(op.CBRT, "cbrt", np.cbrt, "Cube root, also of negative numbers.")
sin = _function(op.SIN, "sin", np.sin, "Sine.")
cos = _function(op.COS, "cos", np.cos, "Cosine.")
tan = _function(op.TAN, "tan", np.tan, "Tangent.")
arcsin = _function(op.ASIN, "arcsin", np.arcsin, "Inverse sine.")
arccos = _function(op.ACOS, "arccos", np.arccos, "Inverse cosine.")
arctan = _function(op.ATAN, "arctan", np.arctan, "Inverse tangent.")
arctan2 = _function(op.ATAN2, "arctan2", np.arctan2, "Angle of the point (x, y), called as arctan2(y, x).")
sinh = _function(op.SINH, "sinh", np.sinh, "Hyperbolic sine.")
cosh = _function(op.COSH, "cosh", np.cosh, "Hyperbolic cosine.")
tanh = _function(op.TANH, "tanh", np.tanh, "Hyperbolic tangent.")
exp = _function(op.EXP, "exp", np.exp, "Exponential.")
log = _function(op.LOG, "log", np.log, "Natural logarithm.")
absolute = _function(op.ABS, "absolute", np.absolute, "Absolute value.")
sign = _function(op.SIGN, "sign", np.sign, "Sign: -1, 0 or 1.")
floor = _function(op.FLOOR, "floor", np.floor, "The largest whole number that is not larger.")
hypot = _function(op.HYPOT, "hypot", np.hypot, "Length of the hypotenuse.")
minimum = _function(op.MIN, "minimum", np.minimum, "The smaller of two; NaN passes through.")
maximum = _function(op.MAX, "maximum", np.maximum, "The larger of two; NaN passes through.")
less = _function(op.LT, "less", np.less, "1 where a < b, else 0.")
less_equal = _function(op.LE, "less_equal", np.less_equal, "1 where a <= b, else 0.")
equal = _function(op.EQ, "equal", np.equal, "1 where a and b have the same value, else 0.")


def _broadcast(name: str, items: list[Any]) -> list[Any]:
    """Arrays whose shapes fit together."""
    try:
        np.broadcast_shapes(*(np.shape(item) for item in items if not isinstance(item, Atom)))
    except ValueError:
        shapes = ", ".join(str(np.shape(item)) for item in items)
        raise SymbolicError(f"{name}: arguments of the shapes {shapes} do not fit together") from None
    return items


def _method(operation: int, name: str) -> Callable[[Atom], Atom]:
    def method(self: Atom) -> Atom:
        return Atom(self.graph, self.graph.apply(operation, self.handle))

    method.__name__, method.__doc__ = name, f"{name} of this atom (NumPy looks for it in object arrays)."
    return method


for _operation, _name in [
    (op.SQRT, "sqrt"), (op.SIN, "sin"), (op.COS, "cos"), (op.TAN, "tan"), (op.ASIN, "arcsin"), (op.ACOS, "arccos"),
    (op.ATAN, "arctan"), (op.SINH, "sinh"), (op.COSH, "cosh"), (op.TANH, "tanh"), (op.EXP, "exp"), (op.LOG, "log"),
    (op.FLOOR, "floor"), (op.CBRT, "cbrt"),
]:  # fmt: skip
    setattr(Atom, _name, _method(_operation, _name))


def _atom_arctan2(self: Atom, x: Any) -> Any:
    """Angle of the point (x, self)."""
    return arctan2(self, x)


def _atom_hypot(self: Atom, other: Any) -> Any:
    """sqrt(self² + other²)"""
    return hypot(self, other)


Atom.arctan2, Atom.hypot = _atom_arctan2, _atom_hypot  # type: ignore[attr-defined]


def where(condition: Any, a: Any, b: Any) -> Any:
    """``a`` where ``condition`` holds (is not zero), ``b`` elsewhere."""

    def scalar(c: Any, x: Any, y: Any) -> Any:
        if type(c) is not Atom:
            if isinstance(c, (bool, np.bool_)) and (type(x) is Atom or type(y) is Atom):
                raise SymbolicError(
                    "where: the condition is a plain truth value. `==` and `!=` compare structure (the same atom or "
                    "not), not values; write equal(a, b) or not_equal(a, b) to compare when it is evaluated. For a "
                    "choice that is known now give numbers, 1.0 or 0.0"
                )
            return x if real(c, "where: the condition", SymbolicError, finite=False) else y
        graph = c.graph
        return Atom(graph, graph.where(c.handle, graph.handle(x), graph.handle(y)))

    if any(isinstance(item, (np.ndarray, list, tuple)) for item in (condition, a, b)):
        given = {"condition": condition, "a": a, "b": b}
        items = [item if isinstance(item, Atom) else entries(item, f"where: {key}") for key, item in given.items()]
        return elementwise(scalar, *_broadcast("where", items))
    return scalar(condition, a, b)


def logical_and(a: Any, b: Any) -> Any:
    """1 where both hold, else 0."""
    first, second = _broadcast("logical_and", [_negated(a, "logical_and: a"), _negated(b, "logical_and: b")])
    return logical_not(first) * logical_not(second)


def logical_or(a: Any, b: Any) -> Any:
    """1 where at least one holds, else 0."""
    first, second = _broadcast("logical_or", [_negated(a, "logical_or: a"), _negated(b, "logical_or: b")])
    return logical_not(first * second)


def logical_not(a: Any) -> Any:
    """1 where ``a`` is zero, else 0."""
    return _negated(a, "logical_not: its argument")


def _negated(a: Any, what: str) -> Any:
    def scalar(x: Any) -> Any:
        if type(x) is not Atom:
            return float(not real(x, what, SymbolicError, finite=False))
        graph = x.graph
        node = graph.nodes[abs(x.handle)]
        if node[0] == op.EQ and node[1] == ZERO:  # not not: comparisons are 0 or 1 already
            inner = graph.nodes[abs(node[2])]
            if inner[0] in (op.LT, op.LE, op.EQ):
                return Atom(graph, abs(node[2]))
        return Atom(graph, graph.apply(op.EQ, ZERO, abs(x.handle)))

    return elementwise(scalar, entries(a, what)) if isinstance(a, (np.ndarray, list, tuple)) else scalar(a)


def not_equal(a: Any, b: Any) -> Any:
    """1 where a and b have different values, else 0."""
    return logical_not(equal(a, b))


def clip(x: Any, low: Any, high: Any) -> Any:
    """``x`` limited to the interval from ``low`` to ``high``."""
    lists = (np.ndarray, list, tuple)
    given = (("x", x), ("low", low), ("high", high))
    x, low, high = (entries(item, f"clip: {name}") if isinstance(item, lists) else item for name, item in given)
    return minimum(maximum(x, low), high)


def _entries(value: Any, what: str) -> Any:
    """An atom as it is, one number as a float, more of them as an array."""
    if isinstance(value, Atom):
        return value
    found = entries(value, what)
    if found.ndim == 0:
        return real(found, what, SymbolicError, finite=False)
    if found.dtype == object:
        for item in found.flat:
            if not isinstance(item, Atom):
                real(item, what, SymbolicError, finite=False)
        return array(found)
    return found.astype(float)


def ceil(x: Any) -> Any:
    """The smallest whole number that is not smaller."""
    return -floor(-x if isinstance(x, Atom) else -_entries(x, "ceil"))


def mod(a: Any, b: Any) -> Any:
    """What is left of ``a`` after whole multiples of ``b``, with the sign of ``b``: a - b floor(a/b), as Python's %."""
    first, second = _broadcast("mod", [_entries(a, "mod: a"), _entries(b, "mod: b")])
    with np.errstate(all="ignore"):
        return np.subtract(first, np.multiply(second, floor(np.true_divide(first, second))))


def _truncated(x: Any) -> Any:
    return where(less(x, 0.0), ceil(x), floor(x))


def _rounded(x: Any) -> Any:
    """The nearest whole number; of two, the even one."""
    up = floor(x + 0.5)
    return up - equal(up - x, 0.5) * mod(up, 2.0)


SCALAR[np.ceil] = ceil
SCALAR[np.trunc] = _truncated
SCALAR[np.rint] = _rounded
SCALAR[np.remainder] = mod
SCALAR[np.fmod] = lambda a, b: a - b * _truncated(SCALAR[np.true_divide](a, b))
SCALAR[np.floor_divide] = lambda a, b: floor(SCALAR[np.true_divide](a, b))
SCALAR[np.divmod] = lambda a, b: (SCALAR[np.floor_divide](a, b), mod(a, b))
SCALAR[np.greater] = lambda a, b: SCALAR[np.less](b, a)
SCALAR[np.greater_equal] = lambda a, b: SCALAR[np.less_equal](b, a)
SCALAR[np.fabs] = SCALAR[np.absolute]
SCALAR[np.square] = lambda a: a * a
SCALAR[np.deg2rad] = SCALAR[np.radians] = lambda a: a * (np.pi / 180.0)
SCALAR[np.rad2deg] = SCALAR[np.degrees] = lambda a: a * (180.0 / np.pi)
SCALAR[np.equal] = lambda a, b: a == b
SCALAR[np.not_equal] = lambda a, b: a != b
SCALAR[np.logical_and] = SCALAR[np.bitwise_and] = logical_and
SCALAR[np.logical_or] = SCALAR[np.bitwise_or] = logical_or
SCALAR[np.logical_not] = SCALAR[np.invert] = logical_not
SCALAR[np.exp2] = lambda a: 2.0**a
SCALAR[np.log10] = lambda a: log(a) * (1.0 / np.log(10.0))
SCALAR[np.log2] = lambda a: log(a) * (1.0 / np.log(2.0))
SCALAR[np.positive] = lambda a: a
SCALAR[np.conjugate] = lambda a: a


def _number_like_c(operation: Callable[[Any, Any], Any], numeric: np.ufunc) -> Callable[[Any, Any], Any]:
    """Python's operator, but two numbers give what C gives, where Python raises or turns complex."""

    def scalar(a: Any, b: Any) -> Any:
        if type(a) is Atom or type(b) is Atom:
            return operation(a, b)
        with np.errstate(all="ignore"):
            return float(numeric(np.float64(a), np.float64(b)))

    return scalar


SCALAR[np.true_divide] = _number_like_c(operator.truediv, np.true_divide)
SCALAR[np.reciprocal] = lambda a: SCALAR[np.true_divide](1.0, a)
SCALAR[np.power] = SCALAR[np.float_power] = _number_like_c(operator.pow, np.float_power)


def _operator(scalar: Callable[[Any, Any], Any], swapped: bool = False) -> Callable[[Atom, Any], Any]:
    """An operator of atoms; arrays answer for themselves."""

    def method(self: Atom, other: Any) -> Any:
        if self._handle_of(other) is None:
            return NotImplemented
        return scalar(other, self) if swapped else scalar(self, other)

    return method


for _name, _ufunc in (("mod", np.remainder), ("floordiv", np.floor_divide), ("divmod", np.divmod)):
    setattr(Atom, f"__{_name}__", _operator(SCALAR[_ufunc]))
    setattr(Atom, f"__r{_name}__", _operator(SCALAR[_ufunc], swapped=True))


def rounded(x: Any, decimals: int | None = None) -> Any:
    """The nearest number with so many decimals; of two, the even one."""
    if not decimals:
        return elementwise(_rounded, x) if isinstance(x, (np.ndarray, list, tuple)) else _rounded(x)
    return rounded(np.multiply(x, 10.0**decimals)) / 10.0**decimals


Atom.__round__ = rounded  # type: ignore[attr-defined]
