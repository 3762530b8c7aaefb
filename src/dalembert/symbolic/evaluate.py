"""Values of atoms by plain interpretation: the reference that compiled code is measured against.

Each atom is computed once, in order of evaluation, with one of three kinds of numbers:

"float"
    NumPy doubles with the semantics of C: a domain error gives NaN or infinity, never an exception or a warning.
"complex"
    NumPy complex numbers, for derivatives by the complex step: f'(x) ≈ Im f(x + ih)/h, exact to rounding for
    h = 1e-30.  Functions are continued analytically from the real line (so ``abs`` is ±z, ``hypot`` is √(a² + b²), and
    beyond the real domain √ and log are complex); comparisons and choices look at real parts.
"mpmath"
    mpmath numbers with the precision that is set there, with the edges of C.

A kind of numbers is a table of functions, so a further one is a further table.
"""

from __future__ import annotations

import bisect
import math
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.arguments import known_name, listed_pairs
from dalembert.errors import MissingExtraError, SymbolicError, UnknownSymbolError
from dalembert.symbolic import operations as op
from dalembert.symbolic.atom import Atom, handles, objects
from dalembert.symbolic.graph import Graph

if TYPE_CHECKING:
    from dalembert.symbolic.tables import PiecewisePolynomial


#: Longer expressions are not printed.
_SHORT = 40


@dataclass(frozen=True)
class Arithmetic:
    """How to compute with one kind of numbers (or arrays of them)."""

    dtype: type
    convert: Callable[[Any], Any]  # what the user gave, or a constant → number
    functions: Mapping[int, Callable[..., Any]]
    interval: Callable[[PiecewisePolynomial, Any], Any]
    piece: Callable[[PiecewisePolynomial, int, Any, Any], Any]  # table, order, interval number, x


def evaluate(expression: Any, values: Mapping[Any, Any] | Iterable[tuple[Any, Any]], numbers: str = "float") -> Any:
    """Numbers for an atom or an array of atoms.

    ``values`` gives each symbol, stated by its atom or its name, a number.  As pairs also arrays of symbols can be
    given: ``[(q, [0.1, 0.2]), ("m", 3.0)]``.  Arrays in the place of numbers stand for many points at once: the axes
    of the points come after those of the symbols, broadcast together, and after those of the expression in the result.

    >>> g = Graph()
    >>> x, y = q = g.variables("x y")
    >>> float(evaluate(x * y, {x: 2.0, "y": 3.0}))
    6.0
    >>> evaluate(q / 2, [(q, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])])  # three points
    array([[0.5, 1. , 1.5],
           [2. , 2.5, 3. ]])
    """
    known_name(numbers, _ARITHMETIC, "evaluate: the kind of numbers", SymbolicError)
    pairs = listed_pairs(values, "evaluate: values", SymbolicError)
    graph = _graph_of(expression, *(key for key, _ in pairs))
    items, shape = handles(expression, graph)
    arithmetic = _ARITHMETIC[numbers]()
    with np.errstate(all="ignore"):
        known = _given(graph, pairs, arithmetic)
        points = _common_shape(known.values())
        rows = graph.reachable(items)
        _refuse_missing(graph, [row for row in rows if graph.nodes[row][0] == op.SYMBOL and row not in known])
        for row in rows:
            if row not in known:
                known[row] = _value(graph, row, known, arithmetic)
        result: Any = np.empty((len(items), *points), dtype=arithmetic.dtype)
        for i, handle in enumerate(items):
            result[i] = _signed(known, handle)
    return result.reshape(shape + points)[()]


@dataclass(frozen=True)
class TableLeft:
    """A table with ``outside="error"`` whose argument is beyond its ends."""

    argument: Atom
    x: float
    ends: tuple[float, float]

    def __str__(self) -> str:
        where = f", of {self.argument}," if len(str(self.argument)) <= _SHORT else ""
        low, high = self.ends
        return (
            f'a table with outside="error"{where} goes from {low:.9g} to {high:.9g} and was left at {self.x}; end the '
            'run before by an event, or let the table go on: outside="linear", "constant" or "periodic"'
        )


def table_left(expression: Any, values: Mapping[Any, Any] | Iterable[tuple[Any, Any]]) -> TableLeft | None:
    """The first table that an expression asks for a value beyond its ends, where it has none; None if there is
    none."""
    graph = _graph_of(expression)
    nodes = (graph.nodes[row] for row in graph.reachable(handles(expression, graph)[0]))
    tables = [(graph.tables[node[3]], Atom(graph, node[2])) for node in nodes if node[0] == op.PIECE]
    tables = [(table, argument) for table, argument in tables if table.outside == "error"]
    if not tables:
        return None
    found = evaluate(np.array([argument for _, argument in tables], dtype=object), values).tolist()
    for (table, argument), x in zip(tables, found, strict=True):
        if x < table.breaks[0] or x > table.breaks[-1]:  # not where it is no number: something else is to blame
            return TableLeft(argument, x, (float(table.breaks[0]), float(table.breaks[-1])))
    return None


def _value(graph: Graph, row: int, known: Mapping[int, Any], arithmetic: Arithmetic) -> Any:
    node = graph.nodes[row]
    code = node[0]
    if code == op.CONSTANT:
        return arithmetic.convert(node[1])
    arguments = [_signed(known, a) for a in op.atom_arguments(node)]
    if code == op.INTERVAL:
        return arithmetic.interval(graph.tables[node[2]], *arguments)
    if code == op.PIECE:
        return arithmetic.piece(graph.tables[node[3]], node[4], *arguments)
    return arithmetic.functions[code](*arguments)


def _signed(known: Mapping[int, Any], handle: int) -> Any:
    return known[handle] if handle >= 0 else -known[-handle]


# ------------------------------------------------------------------ what was given


def _graph_of(*things: Any) -> Graph:
    """The graph of the first atom found; numbers alone have none, and any names are as good as others."""
    for thing in things:
        for item in [thing] if isinstance(thing, Atom) else objects(thing).flat:
            if isinstance(item, Atom):
                return item.graph
    graph = Graph()
    graph.variables(thing for thing in things if isinstance(thing, str))
    return graph


def _given(graph: Graph, pairs: list[tuple[Any, Any]], arithmetic: Arithmetic) -> dict[int, Any]:
    """Row of a symbol → its value."""
    known: dict[int, Any] = {}
    for key, value in pairs:
        rows, shape = handles(graph[key] if isinstance(key, str) else key, graph)
        try:
            number = arithmetic.convert(value)
        except Exception as error:  # of an object of the user, or of another library for long numbers
            raise SymbolicError(f"evaluate: the value of {key} cannot be used: {error}") from None
        if np.ndim(number) == 0:
            number = np.full(shape, number)
        elif np.shape(number)[: len(shape)] != shape:
            raise SymbolicError(
                f"evaluate: symbols of shape {shape} need values of that shape (axes of points may follow), "
                f"got shape {np.shape(number)}"
            )
        parts = np.reshape(number, (len(rows), *np.shape(number)[len(shape) :]))
        for row, part in zip(rows, parts, strict=True):
            if not graph.is_symbol(row):
                raise SymbolicError(
                    f"evaluate: values are given to symbols, but '{Atom(graph, row)!r}' is an expression"
                )
            if row in known:
                raise SymbolicError(f"evaluate: symbol '{graph.symbol(row).name}' is given twice")
            known[row] = part
    return known


def _common_shape(values: Iterable[Any]) -> tuple[int, ...]:
    shapes = {np.shape(value) for value in values}
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise SymbolicError(
            f"evaluate: the points have shapes that do not broadcast: {', '.join(map(str, sorted(shapes)))}"
        ) from None


def _refuse_missing(graph: Graph, rows: list[int]) -> None:
    if rows:
        missing = ", ".join(f"{symbol.kind} '{symbol.name}'" for symbol in map(graph.symbol, rows))
        raise UnknownSymbolError(f"evaluate: no value is given for {missing}")


# -------------------------------------------------------------- doubles and complex

_re = np.real

# Written as the C of operations.py is, so that NaN and the sign of zero pass as they do there; real parts decide.
_COMMON: dict[int, Callable[..., Any]] = {
    op.ADD: np.add,
    op.SUB: np.subtract,
    op.MUL: np.multiply,
    op.DIV: np.divide,
    op.NEG: np.negative,
    op.SQRT: np.sqrt,
    op.SIN: np.sin,
    op.COS: np.cos,
    op.TAN: np.tan,
    op.ASIN: np.arcsin,
    op.ACOS: np.arccos,
    op.ATAN: np.arctan,
    op.SINH: np.sinh,
    op.COSH: np.cosh,
    op.TANH: np.tanh,
    op.EXP: np.exp,
    op.LOG: np.log,
    op.SIGN: lambda a: np.where(_re(a) > 0, 1.0, np.where(_re(a) < 0, -1.0, _re(a))),
    op.POW: np.float_power,  # np.power takes √ for exponent 1/2, which differs at -inf
    op.MIN: lambda a, b: np.where((_re(a) < _re(b)) | np.isnan(a), a, b),
    op.MAX: lambda a, b: np.where((_re(a) > _re(b)) | np.isnan(a), a, b),
    op.LT: lambda a, b: np.where(_re(a) < _re(b), 1.0, 0.0),
    op.LE: lambda a, b: np.where(_re(a) <= _re(b), 1.0, 0.0),
    op.EQ: lambda a, b: np.where(_re(a) == _re(b), 1.0, 0.0),
    op.WHERE: lambda c, a, b: np.where(_re(c) != 0, a, b),
    op.FLOOR: lambda a: np.floor(_re(a)),
}


def _interval(table: PiecewisePolynomial, x: Any) -> Any:
    return np.searchsorted(table.borders, _re(x), side="right")


def _float() -> Arithmetic:
    return Arithmetic(
        dtype=float,
        convert=lambda value: np.asarray(value, dtype=float),
        functions=_COMMON | {op.ABS: np.abs, op.ATAN2: np.arctan2, op.HYPOT: np.hypot, op.CBRT: np.cbrt},
        interval=_interval,
        piece=lambda table, order, k, x: table.evaluate(x, order),
    )


def _complex_atan2(y: Any, x: Any) -> Any:
    # The angle of the real parts, and from there the small rotation; its numerator is free of cancellation.
    x0, y0 = _re(x), _re(y)
    rest = np.arctan((y * x0 - x * y0) / (x * x0 + y * y0))
    return np.arctan2(y0, x0) + np.where((np.imag(x) == 0) & (np.imag(y) == 0), 0.0, rest)


def _complex_piece(table: PiecewisePolynomial, order: int, k: Any, x: Any) -> Any:
    # Taylor's formula about the real part; it ends with the third derivative.
    step = 1j * np.imag(x)
    return sum(table.evaluate(_re(x), order + n) * step**n / math.factorial(n) for n in range(table.degree - order + 1))


def _complex() -> Arithmetic:
    functions: dict[int, Callable[..., Any]] = {
        op.ABS: lambda a: np.where(_re(a) < 0, -a, a),
        op.ATAN2: _complex_atan2,
        op.HYPOT: lambda a, b: np.sqrt(a * a + b * b),
        op.CBRT: lambda a: np.where(_re(a) < 0, -np.power(-a, 1.0 / 3.0), np.power(a, 1.0 / 3.0)),
    }
    return Arithmetic(
        dtype=complex,
        convert=lambda value: np.asarray(value, dtype=complex),
        functions=_COMMON | functions,
        interval=_interval,
        piece=_complex_piece,
    )


# ------------------------------------------------------------------------- mpmath


def _mpmath() -> Arithmetic:
    try:
        import mpmath
    except ImportError:
        raise MissingExtraError("evaluate(…, numbers='mpmath')", "mpmath", "sympy") from None
    mpf = mpmath.mpf

    def convert(value: Any) -> Any:
        return mpf(value if isinstance(value, (mpf, int)) else float(value))

    def piece(table: PiecewisePolynomial, order: int, k: int, x: Any) -> Any:
        u, result = x - mpf(float(table.base[k])), mpf(0)
        for power, c in zip((3, 2, 1, 0), table.coefficients[:, k], strict=True):
            if power >= order:
                result = result * u + mpf(float(c)) * math.perm(power, order)
        return result

    # NumPy broadcasts functions of single numbers over arrays of objects.
    return Arithmetic(
        dtype=object,
        convert=np.frompyfunc(convert, 1, 1),
        functions={
            code: np.frompyfunc(f, op.OPERATIONS[code].arity, 1) for code, f in _mpmath_functions(mpmath).items()
        },
        interval=np.frompyfunc(lambda table, x: bisect.bisect_right(table.borders.tolist(), x), 2, 1),
        piece=np.frompyfunc(piece, 4, 1),
    )


def _mpmath_functions(mpmath: Any) -> dict[int, Callable[..., Any]]:
    """Functions of single numbers."""
    mpf = mpmath.mpf
    edged = {
        op.DIV: operator.truediv, op.SQRT: mpmath.sqrt, op.SIN: mpmath.sin, op.COS: mpmath.cos, op.TAN: mpmath.tan,
        op.ASIN: mpmath.asin, op.ACOS: mpmath.acos, op.ATAN: mpmath.atan, op.SINH: mpmath.sinh, op.COSH: mpmath.cosh,
        op.TANH: mpmath.tanh, op.EXP: mpmath.exp, op.LOG: mpmath.log, op.POW: mpmath.power, op.ATAN2: mpmath.atan2,
        op.HYPOT: mpmath.hypot,
    }  # fmt: skip
    edges = _float().functions
    return {
        op.ADD: operator.add,
        op.SUB: operator.sub,
        op.MUL: operator.mul,
        op.NEG: operator.neg,
        op.ABS: abs,
        op.SIGN: lambda a: mpf(1) if a > 0 else mpf(-1) if a < 0 else a,
        op.MIN: lambda a, b: a if a < b or a != a else b,
        op.MAX: lambda a, b: a if a > b or a != a else b,
        op.LT: lambda a, b: mpf(a < b),
        op.LE: lambda a, b: mpf(a <= b),
        op.EQ: lambda a, b: mpf(a == b),
        op.WHERE: lambda c, a, b: a if c != 0 else b,
        op.FLOOR: lambda a: mpmath.floor(a) if mpmath.isfinite(a) else a,
        op.CBRT: lambda a: mpmath.sign(a) * mpmath.cbrt(abs(a)),
        **{code: _c_like(mpf, function, edges[code]) for code, function in edged.items()},
    }


def _c_like(mpf: Any, function: Callable[..., Any], edge: Callable[..., Any]) -> Callable[..., Any]:
    """Where mpmath turns complex, raises or does not know, C has NaN or a limit: that of NumPy, ``edge``."""

    def real(*arguments: Any) -> Any:
        try:
            result = function(*arguments) if all(a == a for a in arguments) else None
        except (ZeroDivisionError, ValueError):
            result = None
        if isinstance(result, mpf) and result == result:
            return result
        return mpf(float(edge(*(float(a) for a in arguments))))

    return real


_ARITHMETIC: dict[str, Callable[[], Arithmetic]] = {"float": _float, "complex": _complex, "mpmath": _mpmath}
