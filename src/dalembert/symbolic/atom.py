"""Atoms and arrays of atoms under Python operators and NumPy functions.

:class:`Atom` is a thin coat around a handle of a :class:`~dalembert.symbolic.graph.Graph`; :class:`AtomArray` is a
NumPy array of atoms (and numbers).  NumPy's protocols are served so that model code reads as numeric code does:
``np.sin(q)``, ``A @ v``, ``np.cross(a, b)``, ``np.linalg.norm(r)``, ``np.maximum(x, 0)``, ``np.where(x > 0, a, b)``,
``np.concatenate([a, b])``.

``==`` compares structure (the same atom or not) and gives a plain bool; :func:`equal` is the comparison that is
evaluated later.
"""

from __future__ import annotations

import numbers
import operator
from collections.abc import Callable, Iterator
from types import MethodType
from typing import Any

import numpy as np

from dalembert.errors import SymbolicError, SymbolicTypeError
from dalembert.symbolic import operations as op
from dalembert.symbolic.graph import ZERO, Graph, Handle

_INSTEAD_OF_STEPS = (
    "describe a periodic function by sin and cos, steps by where(condition, a, b) or a PiecewisePolynomial, or round "
    "the numbers after evaluation"
)
_NUMBERS = (int, float, np.floating, np.integer, np.bool_)


class Atom:
    """One scalar expression: a row of a graph, with a sign."""

    __slots__ = ("graph", "handle")

    def __init__(self, graph: Graph, handle: Handle) -> None:
        self.graph = graph
        self.handle = handle

    # ---------------------------------------------------------------- operators

    def _handle_of(self, other: Any) -> Handle | None:
        """Handle of an operand; None if Python shall ask the other side (arrays)."""
        if type(other) is Atom:
            if other.graph is not self.graph:
                return self.graph.handle(other)  # raises
            return other.handle
        if isinstance(other, _NUMBERS):
            return self.graph.constant(float(other))
        if isinstance(other, numbers.Real):  # Fraction
            return self.graph.constant(float(other))
        if isinstance(other, MethodType):
            return self.graph.handle(other)  # raises
        return None

    def __add__(self, other: Any) -> Any:
        b = self._handle_of(other)
        return NotImplemented if b is None else Atom(self.graph, self.graph.add(self.handle, b))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        b = self._handle_of(other)
        return NotImplemented if b is None else Atom(self.graph, self.graph.add(self.handle, -b))

    def __rsub__(self, other: Any) -> Any:
        b = self._handle_of(other)
        return NotImplemented if b is None else Atom(self.graph, self.graph.add(b, -self.handle))

    def __mul__(self, other: Any) -> Any:
        b = self._handle_of(other)
        return NotImplemented if b is None else Atom(self.graph, self.graph.mul(self.handle, b))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        b = self._handle_of(other)
        return NotImplemented if b is None else Atom(self.graph, self.graph.div(self.handle, b))

    def __rtruediv__(self, other: Any) -> Any:
        b = self._handle_of(other)
        return NotImplemented if b is None else Atom(self.graph, self.graph.div(b, self.handle))

    def __pow__(self, other: Any) -> Any:
        b = self._handle_of(other)
        return NotImplemented if b is None else Atom(self.graph, self.graph.power(self.handle, b))

    def __rpow__(self, other: Any) -> Any:
        b = self._handle_of(other)
        return NotImplemented if b is None else Atom(self.graph, self.graph.power(b, self.handle))

    def __neg__(self) -> Atom:
        return Atom(self.graph, -self.handle)

    def __pos__(self) -> Atom:
        return self

    def __abs__(self) -> Atom:
        return Atom(self.graph, self.graph.apply(op.ABS, self.handle))

    def __and__(self, other: Any) -> Any:
        return NotImplemented if self._handle_of(other) is None else logical_and(self, other)

    __rand__ = __and__

    def __or__(self, other: Any) -> Any:
        return NotImplemented if self._handle_of(other) is None else logical_or(self, other)

    __ror__ = __or__

    def __invert__(self) -> Any:
        return logical_not(self)

    def _compare(self, operation: int, other: Any, swap: bool) -> Any:
        b = self._handle_of(other)
        if b is None:
            return NotImplemented
        pair = (b, self.handle) if swap else (self.handle, b)
        return Atom(self.graph, self.graph.apply(operation, *pair))

    def __lt__(self, other: Any) -> Any:
        return self._compare(op.LT, other, False)

    def __le__(self, other: Any) -> Any:
        return self._compare(op.LE, other, False)

    def __gt__(self, other: Any) -> Any:
        return self._compare(op.LT, other, True)

    def __ge__(self, other: Any) -> Any:
        return self._compare(op.LE, other, True)

    def __eq__(self, other: object) -> Any:
        if type(other) is Atom:
            return self.graph is other.graph and self.handle == other.handle
        if isinstance(other, np.ndarray):
            return NotImplemented
        return self.value is not None and self.value == other

    def __hash__(self) -> int:
        value = self.value
        if value is None or value != value:
            return hash((id(self.graph), self.handle))
        return hash(value)  # a constant equals its number

    # ------------------------------------------------------------- what it knows

    @property
    def value(self) -> float | None:
        """The number this atom stands for, or None if it depends on symbols."""
        return self.graph.value(self.handle)

    @property
    def name(self) -> str | None:
        """Name of the symbol, or None for anything but a symbol."""
        return self.graph.symbol(self.handle).name if self.graph.is_symbol(self.handle) else None

    @property
    def dt(self) -> Atom:
        """Total time derivative."""
        from dalembert.symbolic.calculus import time_derivative

        result: Atom = time_derivative(self)
        return result

    def __repr__(self) -> str:
        from dalembert.symbolic.printing import text

        return text(self)

    # ------------------------------------------------------- what it cannot do

    def __bool__(self) -> bool:
        value = self.value
        if value is not None:
            return value != 0.0
        raise SymbolicTypeError(
            f"the truth of '{self!r}' is not known before it is evaluated, so 'if', 'and', 'or', 'not', min(), max() "
            "and chained comparisons cannot use it; write where(condition, a, b), minimum(a, b), maximum(a, b), "
            "logical_and(a, b), logical_or(a, b) or logical_not(a) instead (from dalembert.symbolic), or array([…]) "
            "around the operands of np.where, np.maximum …"
        )

    def __float__(self) -> float:
        value = self.value
        if value is not None:
            return value
        raise SymbolicTypeError(
            f"'{self!r}' is an expression, not a number: it cannot be put into an array of floats or into math "
            "functions; make the array with dalembert.symbolic.zeros(shape) or array([…]) instead of np.zeros, use "
            "np.sin or dalembert.symbolic.sin instead of math.sin, and compile(…) or evaluate(…) to get numbers"
        )

    def __int__(self) -> int:
        return int(float(self))

    def _no_steps(self, *_: Any) -> Any:
        raise SymbolicTypeError(
            f"'{self!r}' is an expression; %, //, divmod() and round() are not available for it; {_INSTEAD_OF_STEPS}"
        )

    __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __divmod__ = __rdivmod__ = __round__ = _no_steps

    def __iter__(self) -> Iterator[Any]:
        raise SymbolicTypeError(f"'{self!r}' is a scalar; it cannot be unpacked or iterated over")

    # -------------------------------------------------------------------- NumPy

    # NumPy calls these for elements of plain object arrays.
    def conjugate(self) -> Atom:
        """The atom itself: atoms are real."""
        return self

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return _ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return func(*_wrap_scalars(args), **_wrap_scalars(kwargs))


def _method(operation: int, name: str) -> Callable[[Atom], Atom]:
    def method(self: Atom) -> Atom:
        return Atom(self.graph, self.graph.apply(operation, self.handle))

    method.__name__, method.__doc__ = name, f"{name} of this atom (NumPy looks for it in object arrays)."
    return method


class AtomArray(np.ndarray):
    """NumPy array of atoms and numbers; made by :func:`array`, :func:`zeros` and by every operation on atoms."""

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return _ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        replacement = _FUNCTIONS.get(func)
        if replacement is not None:
            return replacement(*args, **kwargs)
        try:
            result = super().__array_function__(
                func, [np.ndarray, AtomArray], _wrap_scalars(args), _wrap_scalars(kwargs)
            )
        except SymbolicError:
            raise
        except (TypeError, ValueError) as error:
            if isinstance(error, ValueError) and "object" not in str(error):  # shapes
                raise
            name = f"{func.__module__}.{func.__name__}".replace("numpy", "np", 1)
            raise SymbolicTypeError(
                f"{name} does not work on these arguments with atoms ({error}); compile(…) or evaluate(…) its "
                "arguments and apply it to the numbers"
            ) from error
        if type(result) is np.ndarray and result.dtype == object:  # concatenate, cross, einsum … forget the class
            return result.view(AtomArray)
        return result

    @property
    def dt(self) -> AtomArray:
        """Total time derivative, element by element."""
        from dalembert.symbolic.calculus import time_derivative

        if self.graph is None:  # numbers
            return zeros(self.shape)
        result: AtomArray = time_derivative(self)
        return result

    def clip(self, min: Any = None, max: Any = None, **kwargs: Any) -> Any:  # type: ignore[override]
        """Limited to the interval from ``min`` to ``max``."""
        return _clip(self, min, max, **kwargs)

    @property
    def graph(self) -> Graph | None:
        """Graph of the atoms in this array (None if there are only numbers)."""
        return next((item.graph for item in self.flat if type(item) is Atom), None)


def array(values: Any) -> AtomArray:
    """Array of atoms from nested lists of atoms and numbers; it behaves under all NumPy functions.

    >>> x, y = Graph().variables("x y")
    >>> np.maximum(array([x, 1.0]), 2 * y)
    AtomArray([max(x, 2*y), max(1, 2*y)], dtype=object)
    """
    if isinstance(values, AtomArray):
        return values
    items = objects(values)
    if any(isinstance(item, (np.ndarray, list, tuple)) for item in items.flat):
        raise SymbolicError(_RAGGED)
    return items.view(AtomArray)


_RAGGED = (
    "the elements of an array must be atoms and numbers in rows of equal length, here some are arrays or lists; join "
    "arrays with np.concatenate([a, b, [1.0]]) or np.stack([a, b])"
)


def objects(values: Any) -> np.ndarray:
    """New array of the elements of nested lists."""
    try:
        return np.array(values, dtype=object)
    except ValueError:
        raise SymbolicError(_RAGGED) from None


def zeros(shape: int | tuple[int, ...]) -> AtomArray:
    """Array of zeros that atoms can be written into."""
    return np.full(shape, 0.0, dtype=object).view(AtomArray)


def eye(n: int) -> AtomArray:
    """Identity matrix that atoms can be written into."""
    result = zeros((n, n))
    np.fill_diagonal(result, 1.0)
    return result


def handles(values: Any, graph: Graph) -> tuple[list[Handle], tuple[int, ...]]:
    """Handles of all elements of ``values`` in C order, and the shape."""
    if isinstance(values, Atom):
        return [graph.handle(values)], ()
    items = values if isinstance(values, np.ndarray) else objects(values)
    return [_handle(item, graph) for item in items.flat], items.shape


def _handle(value: Any, graph: Graph) -> Handle:
    """As :meth:`Graph.handle`, with a short way for atoms."""
    if type(value) is Atom and value.graph is graph:
        return value.handle
    return graph.handle(value)


def graph_of(*values: Any) -> Graph:
    """The one graph that all atoms among ``values`` belong to."""
    found: Graph | None = None
    for value in values:
        for item in [value] if isinstance(value, Atom) else objects(value).flat:
            if isinstance(item, Atom):
                if found is None:
                    found = item.graph
                elif item.graph is not found:
                    found.handle(item)  # raises
    if found is None:
        raise SymbolicError("there is no atom among the arguments, only numbers; at least one symbol is needed")
    return found


def from_handles(graph: Graph, items: list[Handle], shape: tuple[int, ...]) -> Any:
    """Atom (for shape ()) or array of atoms."""
    if shape == ():
        return Atom(graph, items[0])
    result = np.empty(len(items), dtype=object)
    for i, handle in enumerate(items):
        result[i] = Atom(graph, handle)
    return result.reshape(shape).view(AtomArray)


def elementwise(function: Callable[..., Any], *arguments: Any) -> Any:
    """Apply a function of scalars with broadcasting."""
    with np.errstate(all="ignore"):  # numbers among the atoms do as C does
        result = np.frompyfunc(function, len(arguments), 1)(*(_plain(a) for a in arguments))
    return result.view(AtomArray) if isinstance(result, np.ndarray) else result


# ------------------------------------------------------------------- functions


def _function(operation: int, name: str, numeric: np.ufunc, doc: str) -> Callable[..., Any]:
    """Function of atoms, numbers or arrays of them."""

    def scalar(*arguments: Any) -> Any:
        graph = next((a.graph for a in arguments if type(a) is Atom), None)
        if graph is None:
            with np.errstate(all="ignore"):
                return float(numeric(*arguments))
        return Atom(graph, graph.apply(operation, *[_handle(a, graph) for a in arguments]))

    def function(*arguments: Any) -> Any:
        if any(isinstance(a, (np.ndarray, list, tuple)) for a in arguments):
            if all(np.asarray(a).dtype != object for a in arguments if not isinstance(a, Atom)) and not any(
                isinstance(a, Atom) for a in arguments
            ):
                return numeric(*arguments)
            return elementwise(scalar, *arguments)
        return scalar(*arguments)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    _SCALAR[numeric] = scalar
    return function


_SCALAR: dict[Any, Callable[..., Any]] = {}

sqrt = _function(op.SQRT, "sqrt", np.sqrt, "Square root.")
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
hypot = _function(op.HYPOT, "hypot", np.hypot, "Length of the hypotenuse.")
minimum = _function(op.MIN, "minimum", np.minimum, "The smaller of two; NaN passes through.")
maximum = _function(op.MAX, "maximum", np.maximum, "The larger of two; NaN passes through.")
less = _function(op.LT, "less", np.less, "1 where a < b, else 0.")
less_equal = _function(op.LE, "less_equal", np.less_equal, "1 where a <= b, else 0.")
equal = _function(op.EQ, "equal", np.equal, "1 where a and b have the same value, else 0.")

for _operation, _name in [
    (op.SQRT, "sqrt"), (op.SIN, "sin"), (op.COS, "cos"), (op.TAN, "tan"), (op.ASIN, "arcsin"), (op.ACOS, "arccos"),
    (op.ATAN, "arctan"), (op.SINH, "sinh"), (op.COSH, "cosh"), (op.TANH, "tanh"), (op.EXP, "exp"), (op.LOG, "log"),
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
            return x if c else y
        graph = c.graph
        return Atom(graph, graph.where(c.handle, graph.handle(x), graph.handle(y)))

    if any(isinstance(item, (np.ndarray, list, tuple)) for item in (condition, a, b)):
        return elementwise(scalar, condition, a, b)
    return scalar(condition, a, b)


def logical_and(a: Any, b: Any) -> Any:
    """1 where both hold, else 0."""
    return logical_not(logical_not(a)) * logical_not(logical_not(b))


def logical_or(a: Any, b: Any) -> Any:
    """1 where at least one holds, else 0."""
    return logical_not(logical_not(a) * logical_not(b))


def logical_not(a: Any) -> Any:
    """1 where ``a`` is zero, else 0."""

    def scalar(x: Any) -> Any:
        if type(x) is not Atom:
            return float(not x)
        graph = x.graph
        node = graph.nodes[abs(x.handle)]
        if node[0] == op.EQ and node[1] == ZERO:  # not not: comparisons are 0 or 1 already
            inner = graph.nodes[abs(node[2])]
            if inner[0] in (op.LT, op.LE, op.EQ):
                return Atom(graph, abs(node[2]))
        return Atom(graph, graph.apply(op.EQ, ZERO, abs(x.handle)))

    return elementwise(scalar, a) if isinstance(a, (np.ndarray, list, tuple)) else scalar(a)


def not_equal(a: Any, b: Any) -> Any:
    """1 where a and b have different values, else 0."""
    return logical_not(equal(a, b))


def clip(x: Any, low: Any, high: Any) -> Any:
    """``x`` limited to the interval from ``low`` to ``high``."""
    return minimum(maximum(x, low), high)


_SCALAR[np.greater] = lambda a, b: _SCALAR[np.less](b, a)
_SCALAR[np.greater_equal] = lambda a, b: _SCALAR[np.less_equal](b, a)
_SCALAR[np.fabs] = _SCALAR[np.absolute]
_SCALAR[np.square] = lambda a: a * a
_SCALAR[np.deg2rad] = _SCALAR[np.radians] = lambda a: a * (np.pi / 180.0)
_SCALAR[np.rad2deg] = _SCALAR[np.degrees] = lambda a: a * (180.0 / np.pi)
_SCALAR[np.equal] = lambda a, b: a == b
_SCALAR[np.not_equal] = lambda a, b: a != b
_SCALAR[np.logical_and] = _SCALAR[np.bitwise_and] = logical_and
_SCALAR[np.logical_or] = _SCALAR[np.bitwise_or] = logical_or
_SCALAR[np.logical_not] = _SCALAR[np.invert] = logical_not
_SCALAR[np.exp2] = lambda a: 2.0**a
_SCALAR[np.log10] = lambda a: log(a) * (1.0 / np.log(10.0))
_SCALAR[np.log2] = lambda a: log(a) * (1.0 / np.log(2.0))
_SCALAR[np.cbrt] = lambda a: sign(a) * absolute(a) ** (1.0 / 3.0)
_SCALAR[np.positive] = lambda a: a
_SCALAR[np.conjugate] = lambda a: a


def _number_like_c(operation: Callable[[Any, Any], Any], numeric: np.ufunc) -> Callable[[Any, Any], Any]:
    """Python's operator, but two numbers give what C gives, where Python raises or turns complex."""

    def scalar(a: Any, b: Any) -> Any:
        if type(a) is Atom or type(b) is Atom:
            return operation(a, b)
        with np.errstate(all="ignore"):
            return float(numeric(np.float64(a), np.float64(b)))

    return scalar


_SCALAR[np.true_divide] = _number_like_c(operator.truediv, np.true_divide)
_SCALAR[np.reciprocal] = lambda a: _SCALAR[np.true_divide](1.0, a)
_SCALAR[np.power] = _SCALAR[np.float_power] = _number_like_c(operator.pow, np.float_power)

# These run on objects by Python's operators.
_NATIVE = {np.add, np.subtract, np.multiply, np.negative, np.matmul}


# ------------------------------------------------------------- NumPy's protocols


def _plain(value: Any) -> Any:
    if type(value) is Atom:
        result = np.empty((), dtype=object)
        result[()] = value
        return result
    if isinstance(value, AtomArray):
        return value.view(np.ndarray)
    return value


def _wrap_scalars(arguments: Any) -> Any:
    """Replace single atoms, also inside lists, by arrays, so that NumPy's own functions can take them."""
    if type(arguments) is Atom:
        return _plain(arguments).view(AtomArray)
    if type(arguments) in (list, tuple):
        return type(arguments)(_wrap_scalars(a) for a in arguments)
    if type(arguments) is dict:
        return {key: _wrap_scalars(a) for key, a in arguments.items()}
    return arguments


def _ufunc(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    out = kwargs.get("out")
    if out is not None:
        if any(np.asarray(o).dtype != object for o in out):
            raise SymbolicTypeError(
                f"np.{ufunc.__name__} would write atoms into an array of numbers (as in A += atom with a float "
                "array A); make that array with dalembert.symbolic.zeros(shape) or array(…)"
            )
        kwargs = {**kwargs, "out": tuple(_plain(o) for o in out)}
    plain = tuple(_plain(x) for x in inputs)
    made_of_python = ufunc not in _SCALAR and all(set(kind) <= set("O->") for kind in ufunc.types)  # np.frompyfunc
    if ufunc in _NATIVE or made_of_python:
        result = getattr(ufunc, method)(*plain, **kwargs)
    elif ufunc in _SCALAR:
        # "identity=None" lets NumPy reduce over several axes at once.
        vectorised = np.frompyfunc(_SCALAR[ufunc], ufunc.nin, 1, identity=None)
        if method == "reduce":
            kwargs.setdefault("axis", 0)
        with np.errstate(all="ignore"):
            result = getattr(vectorised, method)(*plain, **kwargs)
        if ufunc in (np.equal, np.not_equal):  # structure: plain truth
            result = np.asarray(result, dtype=bool)
            return result if result.ndim else bool(result)
    else:
        names = sorted(u.__name__ for u in set(_SCALAR) | _NATIVE if isinstance(u, np.ufunc))
        advice = f"; {_INSTEAD_OF_STEPS}" if ufunc in (np.remainder, np.floor_divide, np.divmod, np.rint) else ""
        raise SymbolicTypeError(
            f"np.{ufunc.__name__} is not available for atoms; available are: {', '.join(names)}{advice}"
        )
    if isinstance(result, tuple):
        return tuple(item.view(AtomArray) if isinstance(item, np.ndarray) else item for item in result)
    if isinstance(result, np.ndarray):
        return result.view(AtomArray)
    return result


def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    if ord not in (None, 2):
        raise SymbolicError(f"np.linalg.norm of atoms knows the Euclidean norm only, not ord={ord!r}")
    items = array(x)
    if ord == 2 and axis is None and items.ndim == 2:
        raise SymbolicError("np.linalg.norm of atoms cannot give the spectral norm of a matrix; leave 'ord' away")
    return sqrt(np.sum(items * items, axis=axis, keepdims=keepdims))


def _values(a: AtomArray) -> np.ndarray | None:
    """The numbers in ``a``, or None if something in it depends on symbols."""
    if any(type(item) is Atom and item.value is None for item in a.flat):
        return None
    return np.array(a.tolist(), dtype=float).reshape(a.shape)


def _det(a: Any) -> Any:
    m = array(a)
    known = _values(m)
    return np.linalg.det(known) if known is not None else _minors(m)


def _minors(m: Any) -> Any:
    """Determinant by expansion along the first row."""
    if m.ndim != 2 or m.shape[0] != m.shape[1]:
        raise SymbolicError(f"np.linalg.det needs a square matrix, got shape {m.shape}")
    n = m.shape[0]
    if n > 4:
        raise SymbolicError(
            f"np.linalg.det of {n}×{n} atoms would grow too large; solve such systems numerically after compiling"
        )
    if n == 0:
        return 1.0
    if n == 1:
        return m[0, 0]
    rest = np.arange(n)
    return sum((-1) ** j * m[0, j] * _minors(m[np.ix_(rest[1:], rest[rest != j])]) for j in range(n))


def _inv(a: Any) -> Any:
    m = array(a)
    known = _values(m)
    if known is not None:
        return array(np.linalg.inv(known))
    determinant = _minors(m)
    n, rest = m.shape[0], np.arange(m.shape[0])
    result = zeros((n, n))
    for i in range(n):
        for j in range(n):
            minor = m[np.ix_(rest[rest != j], rest[rest != i])]
            result[i, j] = (-1) ** (i + j) * _minors(minor) / determinant
    return result


def _solve(a: Any, b: Any) -> Any:
    m, right = array(a), array(b)
    known, numbers_right = _values(m), _values(right)
    if known is not None and numbers_right is not None:
        return array(np.linalg.solve(known, numbers_right))
    return _inv(m) @ right


def _lower(m: Any, k: int) -> np.ndarray:
    """1 on and below the k-th diagonal of a matrix like ``m``, or of the square one of which ``m`` is a row."""
    shape = np.shape(m)
    return np.tri(shape[-2] if len(shape) > 1 else shape[-1], shape[-1], k)


def _interp(*_: Any, **__: Any) -> Any:
    raise SymbolicTypeError(
        "np.interp cannot take atoms; make a table with PiecewisePolynomial.linear(xp, fp, outside='constant') and "
        "apply it to the atom"
    )


def _clip(a: Any, a_min: Any = None, a_max: Any = None, **kwargs: Any) -> Any:
    low, high = kwargs.get("min", a_min), kwargs.get("max", a_max)
    result = a if low is None else maximum(a, low)
    return result if high is None else minimum(result, high)


_FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.linalg.norm: _norm,
    np.linalg.det: _det,
    np.linalg.inv: _inv,
    np.linalg.solve: _solve,
    np.where: where,
    np.clip: _clip,
    np.interp: _interp,
    np.triu: lambda m, k=0: where(1.0 - _lower(m, k - 1), m, 0.0),
    np.tril: lambda m, k=0: where(_lower(m, k), m, 0.0),
}
