"""Atoms and arrays of atoms under Python operators and NumPy functions.

:class:`Atom` is a thin coat around a handle of a :class:`~dalembert.symbolic.graph.Graph`; :class:`AtomArray` is a
NumPy array of atoms (and numbers).  NumPy's protocols are served so that model code reads as numeric code does:
``np.sin(q)``, ``A @ v``, ``np.cross(a, b)``, ``np.linalg.norm(r)``, ``np.maximum(x, 0)``, ``np.where(x > 0, a, b)``,
``np.concatenate([a, b])``.

``==`` compares structure (the same atom or not) and gives a plain bool; :func:`equal` is the comparison that is
evaluated later.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterator, Sequence
from types import MethodType
from typing import Any

import numpy as np

from dalembert.arguments import LARGEST_ARRAY, shown, whole
from dalembert.errors import SymbolicError, SymbolicTypeError
from dalembert.symbolic import operations as op
from dalembert.symbolic.graph import Graph, Handle

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
        if isinstance(other, _NUMBERS) or isinstance(other, numbers.Real):
            try:
                return self.graph.constant(float(other))
            except OverflowError:
                return self.graph.handle(other)  # raises
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
        return NotImplemented if self._handle_of(other) is None else functions.logical_and(self, other)

    __rand__ = __and__

    def __or__(self, other: Any) -> Any:
        return NotImplemented if self._handle_of(other) is None else functions.logical_or(self, other)

    __ror__ = __or__

    def __invert__(self) -> Any:
        return functions.logical_not(self)

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
        error = SymbolicTypeError(
            f"the truth of '{self!r}' is not known before it is evaluated, so 'if', 'and', 'or', 'not', min(), max() "
            "and chained comparisons cannot use it; write where(condition, a, b), minimum(a, b), maximum(a, b), "
            "logical_and(a, b), logical_or(a, b) or logical_not(a) instead (from dalembert.symbolic), or array([…]) "
            "around the operands of np.where, np.maximum …"
        )
        error.in_law = (
            "'if', 'and', 'or', 'not', min(), max() and chained comparisons cannot decide by these; write "
            "np.where(condition, a, b), np.minimum(a, b), np.maximum(a, b)"
        )
        raise error

    def __float__(self) -> float:
        value = self.value
        if value is not None:
            return value
        error = SymbolicTypeError(
            f"'{self!r}' is an expression, not a number: it cannot be put into an array of floats or into math "
            "functions; make the array with dalembert.symbolic.zeros(shape) or array([…]) instead of np.zeros, use "
            "np.sin or dalembert.symbolic.sin instead of math.sin, and compile(…) or evaluate(…) to get numbers"
        )
        error.in_law = (
            "functions of math and arrays of floats take numbers alone; write np.sin for math.sin, and np.array([…]) "
            "for an array that is filled"
        )
        raise error

    def __int__(self) -> int:
        return int(float(self))

    def __iter__(self) -> Iterator[Any]:
        raise SymbolicTypeError(f"'{self!r}' is a scalar; it cannot be unpacked or iterated over")

    # -------------------------------------------------------------------- NumPy

    # NumPy calls these for elements of plain object arrays.
    def conjugate(self) -> Atom:
        """The atom itself: atoms are real."""
        return self

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return numpy_protocol.ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return func(*numpy_protocol.wrap_scalars(args), **numpy_protocol.wrap_scalars(kwargs))


class AtomArray(np.ndarray):
    """NumPy array of atoms and numbers; made by :func:`array`, :func:`zeros` and by every operation on atoms."""

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return numpy_protocol.ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return numpy_protocol.function(super().__array_function__, func, args, kwargs)

    #: names of the components of a vector that was given some, such as x, y, z
    labels: tuple[str, ...] = ()

    def __getattr__(self, name: str) -> Any:
        if name in self.labels:
            return self[self.labels.index(name)]
        known = f"its components are {', '.join(self.labels)}" if self.labels else "its components are [0], [1], …"
        raise AttributeError(f"an array of the shape {self.shape} has no '{name}'; {known}")

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
        return numpy_protocol.clip(self, min, max, **kwargs)

    @property
    def graph(self) -> Graph | None:
        """Graph of the atoms in this array (None if there are only numbers)."""
        return next((item.graph for item in self.flat if type(item) is Atom), None)


def labelled(values: Any, labels: Sequence[str]) -> AtomArray:
    """A vector whose components have names: ``velocity.x``."""
    found = array(list(values))
    found.labels = tuple(labels)
    return found


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
        raise SymbolicError(f"{_RAGGED}; got {shown(values)}")
    return items.view(AtomArray)


_RAGGED = (
    "the elements of an array must be atoms and numbers in rows of equal length, here some are arrays or lists; join "
    "arrays with np.concatenate([a, b, [1.0]]) or np.stack([a, b])"
)


_MOST_AXES = 32  # of arrays that NumPy's functions for objects take


def objects(values: Any) -> np.ndarray:
    """New array of the elements of nested lists."""
    if isinstance(values, np.ndarray) and values.size > LARGEST_ARRAY:
        raise SymbolicError(f"an ndarray of the shape {values.shape} has more than {LARGEST_ARRAY} elements")
    try:
        found = np.array(values, dtype=object)
        if found.ndim > _MOST_AXES:
            raise ValueError
        return found
    except Exception:  # an object of the user may raise anything when it is converted
        raise SymbolicError(f"{_RAGGED}; got {shown(values)}") from None


def entries(values: Any, what: str) -> np.ndarray:
    """Numbers or atoms as an array, as NumPy finds them; ``what`` begins the complaint."""
    try:
        found = np.asarray(values)
        if found.dtype.kind not in "biufO":
            raise TypeError
    except Exception:
        raise SymbolicError(f"{what} must be atoms and numbers in rows of equal length, got {shown(values)}") from None
    if found.size > LARGEST_ARRAY:
        raise SymbolicError(f"{what}: an array of the shape {found.shape} has more than {LARGEST_ARRAY} elements")
    return found


def zeros(shape: int | tuple[int, ...]) -> AtomArray:
    """Array of zeros that atoms can be written into."""
    return _zeros(shape, "zeros: shape")


def _zeros(shape: Any, what: str) -> AtomArray:
    listed = shape if isinstance(shape, (tuple, list)) else (shape,)
    sizes = tuple(whole(size, what, SymbolicError, least=0, most=LARGEST_ARRAY) for size in listed)
    if math.prod(sizes) > LARGEST_ARRAY:
        raise SymbolicError(f"{what}: an array of the shape {sizes} has more than {LARGEST_ARRAY} elements")
    return np.full(sizes, 0.0, dtype=object).view(AtomArray)


def eye(n: int) -> AtomArray:
    """Identity matrix that atoms can be written into."""
    result = _zeros((n, n), "eye: n")
    np.fill_diagonal(result, 1.0)
    return result


def handles(values: Any, graph: Graph) -> tuple[list[Handle], tuple[int, ...]]:
    """Handles of all elements of ``values`` in C order, and the shape."""
    if isinstance(values, Atom):
        return [graph.handle(values)], ()
    items = values if isinstance(values, np.ndarray) else objects(values)
    return [scalar_handle(item, graph) for item in items.flat], items.shape


def scalar_handle(value: Any, graph: Graph) -> Handle:
    """The handle of an atom or a number, by a short way for atoms of this graph."""
    if type(value) is Atom and value.graph is graph:
        return value.handle
    return graph.handle(value)


def graph_of(*values: Any, where: str) -> Graph:
    """The one graph that all atoms among ``values`` belong to; ``where`` begins the complaint."""
    found: Graph | None = None
    for value in values:
        for item in [value] if isinstance(value, Atom) else objects(value).flat:
            if isinstance(item, Atom):
                if found is None:
                    found = item.graph
                elif item.graph is not found:
                    found.handle(item)  # raises
    if found is None:
        raise SymbolicError(
            f"{where}: there is no atom among the arguments, only numbers; at least one symbol is needed"
        )
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
        result = np.frompyfunc(function, len(arguments), 1)(*(plain(a) for a in arguments))
    return result.view(AtomArray) if isinstance(result, np.ndarray) else result


def plain(value: Any) -> Any:
    """An atom or an array of atoms as a plain array of objects; anything else as it is."""
    if type(value) is Atom:
        result = np.empty((), dtype=object)
        result[()] = value
        return result
    if isinstance(value, AtomArray):
        return value.view(np.ndarray)
    return value


# At the end, because both need the classes above; the methods of the classes need them when they are called.
from dalembert.symbolic import functions, numpy_protocol  # noqa: E402
