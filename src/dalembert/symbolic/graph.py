"""The hash-consed graph of scalar atoms ("on-the-way" atomization, railway paper section 2.2).

Every operation looks for an existing atom first and creates one only if none matches, so an expression that is
built twice exists once, and derivatives and substitutions meet the atoms that are already there.

Atoms are rows of one list; a *handle* is the row number with a sign, so that negation costs nothing, needs no atom
of its own and never hides a common subexpression: ``b - a`` is ``-(a - b)``, ``(-a)*b`` is ``-(a*b)``.  Row 0 is the
constant zero, which is its own negative, and row 1 the constant one.  Arguments of an atom are older than the atom:
ascending row numbers are an order of evaluation.

The rules are those of real arithmetic that never need more operations: neutral elements, folding of constants, order of
commutative arguments, signs, ``c x + x = (c+1) x``, and what cancels at once: ``(x + y) - y``, ``(x/y) y``, ``x/x``.
Two things are given up, as in every symbolic engine: where x is infinite, NaN or (``x/x``) zero such a rule gives the
value of the limit, and the sign of a zero that results from cancellation is not kept.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import MethodType
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.arguments import LONGEST_LIST, is_writable, shown, whole
from dalembert.arguments import listed as items_of
from dalembert.errors import SymbolicError, UnknownSymbolError, suggestion
from dalembert.symbolic import operations as op

if TYPE_CHECKING:
    from dalembert.symbolic.atom import Atom, AtomArray
    from dalembert.symbolic.tables import PiecewisePolynomial

Handle = int
Node = tuple[Any, ...]

ZERO: Handle = 0
ONE: Handle = 1

_TINY = sys.float_info.min  # smallest double with all its digits

#: What a symbol can be; the name tells how its time derivative is found.
KINDS = ("parameter", "time", "input", "coordinate", "velocity", "acceleration", "variable")


@dataclass(frozen=True, slots=True)
class Symbol:
    """A leaf that gets its value from outside."""

    name: str
    kind: str


_FOLD: dict[int, Callable[..., Any]] = {
    op.DIV: np.divide, op.SQRT: np.sqrt, op.SIN: np.sin, op.COS: np.cos, op.TAN: np.tan, op.ASIN: np.arcsin,
    op.ACOS: np.arccos, op.ATAN: np.arctan, op.SINH: np.sinh, op.COSH: np.cosh, op.TANH: np.tanh, op.EXP: np.exp,
    op.LOG: np.log, op.ABS: np.abs, op.SIGN: np.sign, op.POW: np.float_power, op.ATAN2: np.arctan2, op.HYPOT: np.hypot,
    op.MIN: np.minimum, op.MAX: np.maximum, op.LT: np.less, op.LE: np.less_equal, op.EQ: np.equal,
    op.FLOOR: np.floor,
    op.CBRT: np.cbrt,
}  # fmt: skip


class Graph:
    """A growing set of atoms, and the symbols they start from.

    >>> g = Graph()
    >>> x, y = g.variable("x"), g.variable("y")
    >>> (x + y) * x is (y + x) * x, (x + y) * x == x * (y + x)
    (False, True)
    >>> len(g)
    6
    """

    def __init__(self) -> None:
        self.nodes: list[Node] = [(op.CONSTANT, 0.0), (op.CONSTANT, 1.0)]
        self._rows: dict[Node, int] = {node: row for row, node in enumerate(self.nodes)}
        self.constants: dict[int, float] = {0: 0.0, 1: 1.0}
        #: rows that something was divided by, and the row of their inverse if there is one
        self._divisors: dict[int, int | None] = {}
        self.symbols: list[Symbol] = []
        self.symbol_rows: dict[str, int] = {}
        self.rates: dict[int, Handle] = {}
        self.tables: list[PiecewisePolynomial] = []
        self._table_numbers: dict[bytes, int] = {}
        #: for each table the first one with the same borders
        self._searched: list[int] = []

    def __len__(self) -> int:
        """Number of atoms, constants and symbols included."""
        return len(self.nodes)

    def __repr__(self) -> str:
        return f"<Graph with {len(self.symbols)} symbols and {len(self.nodes)} atoms>"

    # ------------------------------------------------------------------ leaves

    def leaf(self, node: Node) -> int:
        """Row of a node to which no rule applies (used by rewriting)."""
        return self._intern(node)

    def _intern(self, node: Node) -> int:
        row = self._rows.get(node)
        if row is None:
            row = len(self.nodes)
            self.nodes.append(node)
            self._rows[node] = row
        return row

    def constant(self, value: float) -> Handle:
        """Handle of a number."""
        value = float(value)
        if value < 0.0:
            return -self.constant(-value)
        if value == 0.0:
            return ZERO
        if value != value:
            value = math.nan  # one object, so that NaN is found again
        row = self._intern((op.CONSTANT, value))
        self.constants[row] = value
        return row

    def value(self, handle: Handle) -> float | None:
        """The number behind a handle, or None if it is no constant."""
        value = self.constants.get(abs(handle))
        return value if value is None or handle >= 0 else -value

    def declare(self, name: str, kind: str) -> int:
        """Row of the symbol ``name``; a second declaration must agree with the first."""
        self._check_name(name, kind)
        row = self.symbol_rows.get(name)
        if row is not None:
            return row
        self.symbols.append(Symbol(name, kind))
        row = self._intern((op.SYMBOL, len(self.symbols) - 1))
        self.symbol_rows[name] = row
        return row

    def _check_name(self, name: str, kind: str) -> None:
        """Refuse what cannot be declared."""
        if kind not in KINDS:
            raise SymbolicError(f"symbol '{name}': unknown kind '{kind}'; {suggestion(kind, KINDS)}")
        if not isinstance(name, str) or not name or name != name.strip() or not is_writable(name):
            raise SymbolicError(f"the name of a symbol must be a text without blanks at its ends, got {name!r} for a "
                                f"{kind}; several symbols are declared by graph.{kind}s(…)")  # fmt: skip
        row = self.symbol_rows.get(name)
        if row is not None and self.symbol(row).kind != kind:
            raise SymbolicError(f"symbol '{name}' is declared as {self.symbol(row).kind} already, it cannot become a "
                                f"{kind} too; choose another name")  # fmt: skip

    def symbol(self, row: int) -> Symbol:
        """The symbol in ``row``."""
        return self.symbols[self.nodes[abs(row)][1]]

    def is_symbol(self, handle: Handle) -> bool:
        """Whether a handle is a symbol as it was declared (not negated)."""
        return handle > 0 and self.nodes[handle][0] == op.SYMBOL

    # ---------------------------------------------------- symbols for the user

    def _atom(self, handle: Handle) -> Atom:
        from dalembert.symbolic.atom import Atom

        return Atom(self, handle)

    def _atoms(self, names: str | Iterable[str], size: int | None, make: Callable[[str], Atom]) -> AtomArray:
        from dalembert.symbolic.atom import array

        if isinstance(names, str):
            words = names.replace(",", " ").split()
            if size is not None and len(words) != 1:
                raise SymbolicError(
                    f"{size} numbered symbols need a name of one word, got {names!r}; leave the size away to declare "
                    "symbols of these names"
                )
            if size is not None:
                size = whole(size, f"the size of '{names}'", SymbolicError, least=0, most=LONGEST_LIST)
            listed = words if size is None else [f"{words[0]}{i}" for i in range(size)]
        else:
            listed = list(items_of(names, "names of symbols", SymbolicError))
            if size is not None:
                size = whole(size, "the size of the symbols", SymbolicError)
            if size is not None and size != len(listed):
                raise SymbolicError(f"{len(listed)} names are given for {size} symbols; leave the size away")
        return array([make(name) for name in listed])

    @property
    def time(self) -> Atom:
        """The time t."""
        return self._atom(self.declare("t", "time"))

    def parameter(self, name: str) -> Atom:
        """A constant of the model whose value may change without recompilation."""
        return self._atom(self.declare(name, "parameter"))

    def variable(self, name: str, rate: Any = None) -> Atom:
        """A free symbol; ``rate`` is its time derivative, if it has one (a state u, Euler parameters with q̇ = T v)."""
        row = self.declare(name, "variable")
        if rate is not None:
            self.rates[row] = self.handle(rate)
        return self._atom(row)

    def input(self, name: str) -> Atom:
        """An excitation w(t); its time derivatives are the inputs ``dname``, ``ddname`` …"""
        return self._atom(self.declare(name, "input"))

    def coordinate(self, name: str) -> Atom:
        """A generalized coordinate q; its velocity ``dname`` and acceleration ``ddname`` are declared with it."""
        kinds = ("coordinate", "velocity", "acceleration")
        self._check_name(name, kinds[0])
        for order, kind in enumerate(kinds):
            try:
                self._check_name("d" * order + name, kind)
            except SymbolicError as error:
                raise SymbolicError(f"coordinate '{name}': {error}") from None
        rows = [self.declare("d" * order + name, kind) for order, kind in enumerate(kinds)]
        self.rates[rows[0]], self.rates[rows[1]] = rows[1], rows[2]
        return self._atom(rows[0])

    def parameters(self, names: str | Iterable[str], size: int | None = None) -> AtomArray:
        """Several parameters: ``parameters("m l g")`` or, numbered, ``parameters("m", 3)``."""
        return self._atoms(names, size, self.parameter)

    def variables(self, names: str | Iterable[str], size: int | None = None) -> AtomArray:
        """Several variables: ``variables("x y z")`` or, numbered, ``variables("x", 3)``."""
        return self._atoms(names, size, self.variable)

    def inputs(self, names: str | Iterable[str], size: int | None = None) -> AtomArray:
        """Several inputs: ``inputs("w1 w2")`` or, numbered, ``inputs("w", 3)``."""
        return self._atoms(names, size, self.input)

    def coordinates(self, names: str | Iterable[str], size: int | None = None) -> AtomArray:
        """Several coordinates: ``coordinates("x phi")`` or, numbered, ``coordinates("q", 3)``."""
        return self._atoms(names, size, self.coordinate)

    def __getitem__(self, name: str) -> Atom:
        """The symbol of that name."""
        row = self.symbol_rows.get(name) if isinstance(name, str) else None
        if row is None:
            raise UnknownSymbolError(f"no symbol '{name}' in this graph; {suggestion(name, self.symbol_rows)}")
        return self._atom(row)

    def __contains__(self, name: object) -> bool:
        """Whether a symbol of that name is declared."""
        return isinstance(name, str) and name in self.symbol_rows

    def __iter__(self) -> Iterator[str]:
        """Names of the symbols, in order of declaration."""
        return iter(self.symbol_rows)

    def rate(self, row: int) -> Handle:
        """Time derivative of the symbol in ``row``."""
        symbol = self.symbol(row)
        if symbol.kind == "time":
            return ONE
        if symbol.kind == "parameter":
            return ZERO
        if symbol.kind == "input" and row not in self.rates:
            self.rates[row] = self.declare("d" + symbol.name, "input")
        if row not in self.rates and symbol.kind == "acceleration":
            raise SymbolicError(
                f"the time derivative of acceleration '{symbol.name}' is not known: coordinates have two; declare "
                "graph.variable(name, rate=…) for quantities that need more"
            )
        if row not in self.rates:
            raise SymbolicError(
                f"the time derivative of {symbol.kind} '{symbol.name}' is not known; declare it with "
                f"graph.variable(name, rate=…), or make it a coordinate, an input or a parameter"
            )
        return self.rates[row]

    def handle(self, value: Any) -> Handle:
        """Handle of an atom of this graph or of a number."""
        if isinstance(value, float):
            return self.constant(value)
        from dalembert.symbolic.atom import Atom

        if isinstance(value, Atom):
            if value.graph is not self:
                raise SymbolicError("atoms of two graphs cannot be combined; build the whole expression from one Graph")
            return value.handle
        if isinstance(value, np.ndarray) and value.ndim == 0:
            return self.handle(value.item())
        if not isinstance(value, (str, bytes, np.ndarray)):
            try:
                return self.constant(value)
            except Exception:  # an object of the user may raise anything when it is converted
                pass
        remedy = ""
        if isinstance(value, (np.ndarray, list, tuple)):
            remedy = "; join arrays with np.concatenate or np.stack"
        elif isinstance(value, MethodType):
            remedy = f"; call the method: {value.__name__}()"
        elif hasattr(value, "components"):
            remedy = "; take components(base) of it"
        raise SymbolicError(f"expected an atom or a number, got {type(value).__name__}: {shown(value)}{remedy}")

    # -------------------------------------------------------------- arithmetic

    def add(self, a: Handle, b: Handle) -> Handle:
        """a + b"""
        if a < 0:
            return -self._sum(-a, -b) if b < 0 else self._difference(b, -a)
        return self._difference(a, -b) if b < 0 else self._sum(a, b)

    def sub(self, a: Handle, b: Handle) -> Handle:
        """a - b"""
        return self.add(a, -b)

    def _sum(self, a: int, b: int) -> Handle:
        if a == 0:
            return b
        if b == 0:
            return a
        constants, nodes = self.constants, self.nodes
        if a in constants or b in constants:
            if a in constants and b in constants:
                return self.constant(constants[a] + constants[b])
            shifted = self._shift(b, constants[a]) if a in constants else self._shift(a, constants[b])
            if shifted is not None:
                return shifted
        na, nb = nodes[a], nodes[b]
        if (na[0] == op.MUL and na[1] in constants) or (nb[0] == op.MUL and nb[1] in constants) or a == b:
            ca, xa = self._scaled(a, na)
            cb, xb = self._scaled(b, nb)
            if xa == xb and ca + cb < math.inf:
                return self.mul(self.constant(ca + cb), xa)
        if na[0] == op.SUB and na[2] == b:  # (x - b) + b
            return na[1]
        if nb[0] == op.SUB and nb[2] == a:
            return nb[1]
        return self._intern((op.ADD, a, b) if a < b else (op.ADD, b, a))

    def _difference(self, a: int, b: int) -> Handle:
        if a == b:
            return ZERO if math.isfinite(self.constants.get(a, 0.0)) else self.constant(math.nan)
        if b == 0:
            return a
        if a == 0:
            return -b
        constants, nodes = self.constants, self.nodes
        if a in constants or b in constants:
            if a in constants and b in constants:
                return self.constant(constants[a] - constants[b])
            shifted = self._shift(b, -constants[a]) if a in constants else self._shift(a, -constants[b])
            if shifted is not None:
                return -shifted if a in constants else shifted
        na, nb = nodes[a], nodes[b]
        if (na[0] == op.MUL and na[1] in constants) or (nb[0] == op.MUL and nb[1] in constants):
            ca, xa = self._scaled(a, na)
            cb, xb = self._scaled(b, nb)
            if xa == xb:
                return self.mul(self.constant(ca - cb), xa)
        if na[0] == op.ADD or na[0] == op.SUB:  # (x ± y) - b with b one of them
            if na[1] == b:
                return na[2] if na[0] == op.ADD else -na[2]
            if na[0] == op.ADD and na[2] == b:
                return na[1]
        if nb[0] == op.ADD or nb[0] == op.SUB:
            if nb[1] == a:
                return -nb[2] if nb[0] == op.ADD else nb[2]
            if nb[0] == op.ADD and nb[2] == a:
                return -nb[1]
        return self._intern((op.SUB, a, b)) if a < b else -self._intern((op.SUB, b, a))

    def _shift(self, row: int, by: float) -> Handle | None:
        """``row`` plus a number, if ``row`` holds a number to add it to."""
        code, *arguments = self.nodes[row]
        if code != op.ADD and code != op.SUB:
            return None
        x, y = arguments
        constants = self.constants
        if x in constants:
            return self.add(self.constant(constants[x] + by), y if code == op.ADD else -y)
        if y in constants:
            return self.add(x, self.constant(constants[y] + by if code == op.ADD else by - constants[y]))
        return None

    def _scaled(self, row: int, node: Node) -> tuple[float, int]:
        """``row`` as number times atom."""
        if node[0] == op.MUL and node[1] in self.constants:
            return self.constants[node[1]], node[2]
        return 1.0, row

    def mul(self, a: Handle, b: Handle) -> Handle:
        """a b"""
        if a < 0:
            return self._product(-a, -b) if b < 0 else -self._product(-a, b)
        return -self._product(a, -b) if b < 0 else self._product(a, b)

    def _product(self, a: int, b: int) -> Handle:
        if a == 0 or b == 0:
            return ZERO if math.isfinite(self.constants.get(a or b, 0.0)) else self.constant(math.nan)
        if a == 1:
            return b
        if b == 1:
            return a
        constants = self.constants
        if b in constants:
            a, b = b, a
        if a in constants:
            if b in constants:
                return self.constant(constants[a] * constants[b])
            node = self.nodes[b]
            if (node[0] == op.MUL or node[0] == op.DIV) and node[1] in constants:
                factor = constants[a] * constants[node[1]]
                if _TINY <= factor < math.inf:  # else the factors, one after the other, may still give a number
                    return self.apply(node[0], self.constant(factor), node[2])
            return self._intern((op.MUL, a, b))
        if a in self._divisors or b in self._divisors:
            for x, y in ((a, b), (b, a)):
                node = self.nodes[x]
                if node[0] == op.DIV and node[2] == y:  # (x/y) y
                    return node[1]
                inverse = self._divisors.get(y)
                if inverse is not None and node[0] == op.MUL and inverse in node[1:]:  # (x (1/y)) y
                    return node[2] if node[1] == inverse else node[1]
        return self._intern((op.MUL, a, b) if a <= b else (op.MUL, b, a))

    def div(self, a: Handle, b: Handle) -> Handle:
        """a / b"""
        if a < 0:
            return self.div(-a, -b) if b < 0 else -self.div(-a, b)
        if b < 0:
            return -self.div(a, -b)
        constants = self.constants
        if b in constants:
            if a in constants:
                return self._fold(op.DIV, a, b)
            divisor = constants[b]
            # Multiplying is cheaper, and the same number if 1/divisor is exact.
            if math.isfinite(divisor) and divisor > 1e-300 and math.frexp(divisor)[0] == 0.5:
                return self._product(self.constant(1.0 / divisor), a)
        elif a == 0:
            return ZERO
        elif a == b:
            return ONE
        else:
            node = self.nodes[a]
            if node[0] == op.MUL and b in node[1:]:  # (x b)/b
                return node[2] if node[1] == b else node[1]
        row = self._intern((op.DIV, a, b))
        if a == 1 or b not in self._divisors:
            self._divisors[b] = row if a == 1 else None
        return row

    def power(self, a: Handle, b: Handle) -> Handle:
        """a to the power b; whole exponents up to 16 become products."""
        exponent = self.value(b)
        if exponent is None:
            return self._intern((op.POW, a, b))
        if abs(a) in self.constants:
            return self._fold(op.POW, a, b)
        if exponent < 0.0 and (exponent == -0.5 or (exponent.is_integer() and exponent >= -16)):
            return self.div(ONE, self.power(a, -b))
        if exponent == 0.5:
            return self.apply(op.SQRT, a)
        if exponent.is_integer() and 0.0 <= exponent <= 16.0:
            result, square, n = ONE, a, int(exponent)
            while n:
                if n & 1:
                    result = self.mul(result, square)
                n >>= 1
                if n:
                    square = self.mul(square, square)
            return result
        return self._intern((op.POW, a, b))

    # --------------------------------------------------------------- functions

    def _fold(self, operation: int, *arguments: Handle) -> Handle:
        with np.errstate(all="ignore"):  # as C does: NaN or infinity, never an exception
            return self.constant(float(_FOLD[operation](*(np.float64(self.value(a)) for a in arguments))))

    def apply(self, operation: int, *arguments: Any) -> Handle:
        """The atom of any operation, with all rules; ``arguments`` are handles (for PIECE: also table and order)."""
        if operation == op.ADD:
            return self.add(*arguments)
        if operation == op.SUB:
            return self.add(arguments[0], -arguments[1])
        if operation == op.MUL:
            return self.mul(*arguments)
        if operation == op.DIV:
            return self.div(*arguments)
        if operation == op.INTERVAL or operation == op.PIECE:
            return self._intern((operation, *arguments))
        if operation == op.WHERE:
            return self.where(*arguments)
        if operation == op.POW:
            return self.power(*arguments)
        constants = self.constants
        if all(abs(a) in constants for a in arguments):
            return self._fold(operation, *arguments)
        return self._of_one(operation, *arguments) if len(arguments) == 1 else self._of_two(operation, *arguments)

    def _of_one(self, operation: int, a: Handle) -> Handle:
        """A function of one argument: signs leave odd and even ones, and sizes of sizes are these."""
        if operation == op.ABS and self.nodes[abs(a)][0] in (op.ABS, op.SQRT):
            return abs(a)
        if operation == op.FLOOR and self.nodes[abs(a)][0] == op.FLOOR:
            return a
        if a < 0:
            if operation in op.ODD:
                return -self._intern((operation, -a))
            if operation in op.EVEN:
                return self._intern((operation, -a))
        return self._intern((operation, a))

    def _of_two(self, operation: int, a: Handle, b: Handle) -> Handle:
        """A function or comparison of two arguments, in the one order and with the signs that all equal ones have."""
        if operation == op.HYPOT:
            a, b = sorted((abs(a), abs(b)))
            if a == 0:
                return self.apply(op.ABS, b)
        elif operation == op.ATAN2:
            if a < 0:
                return -self._intern((operation, -a, b))
        elif operation == op.MIN or operation == op.MAX:
            if a == b:
                return a
            if a == -b:
                return -self.apply(op.ABS, a) if operation == op.MIN else self.apply(op.ABS, a)
            if self._leading(a, b) < 0:
                return -self.apply(op.MAX if operation == op.MIN else op.MIN, -a, -b)
            a, b = sorted((a, b))
        elif operation == op.EQ:
            a, b = sorted((a, b), key=abs)
            if a < 0 or (a == 0 and b < 0):
                a, b = -a, -b
        elif (operation == op.LT or operation == op.LE) and _younger(a, b) < 0:
            a, b = -b, -a
        return self._intern((operation, a, b))

    def _leading(self, a: Handle, b: Handle) -> Handle:
        """The one whose sign decides: the younger one, but no number, whose age depends on what else there is."""
        if (abs(a) in self.constants) == (abs(b) in self.constants):
            return _younger(a, b)
        return b if abs(a) in self.constants else a

    def where(self, condition: Handle, a: Handle, b: Handle) -> Handle:
        """a where the condition is not zero, b elsewhere."""
        known = self.value(condition)
        if known is not None:
            return a if known != 0.0 else b
        if a == b:
            return a
        if _younger(a, b) < 0:
            return -self._intern((op.WHERE, abs(condition), -a, -b))
        return self._intern((op.WHERE, abs(condition), a, b))

    def add_table(self, table: PiecewisePolynomial) -> int:
        """Number of ``table`` in this graph (the same data get the same number)."""
        key = table.digest()
        number = self._table_numbers.get(key)
        if number is None:
            number = self._table_numbers[key] = len(self.tables)
            same = (k for k, other in enumerate(self.tables) if np.array_equal(other.borders, table.borders))
            self._searched.append(next(same, number))
            self.tables.append(table)
        return number

    def piece(self, x: Handle, number: int, order: int) -> Handle:
        """Derivative of the given order of table ``number`` at ``x``."""
        table = self.tables[number]
        if order > table.degree:
            return ZERO
        value = self.value(x)
        if value is not None:
            return self.constant(table.evaluate(value, order))
        # Tables with the same borders share the search for the interval.
        return self._intern((op.PIECE, self._intern((op.INTERVAL, x, self._searched[number])), x, number, order))

    # ------------------------------------------------------------ walking about

    def reachable(self, handles: Iterable[Handle]) -> list[int]:
        """Rows that the given handles depend on, in order of evaluation."""
        nodes, arity = self.nodes, _ARITY
        seen: set[int] = set()
        stack = [abs(h) for h in handles]
        while stack:
            row = stack.pop()
            if row in seen:
                continue
            seen.add(row)
            node = nodes[row]
            for a in node[1 : 1 + arity[node[0]]]:
                stack.append(a if a >= 0 else -a)
        return sorted(seen)

    def symbols_of(self, handles: Iterable[Handle]) -> Iterator[int]:
        """Rows of the symbols that the given handles depend on."""
        nodes = self.nodes
        return (row for row in self.reachable(handles) if nodes[row][0] == op.SYMBOL)


def _younger(a: Handle, b: Handle) -> Handle:
    """The argument that decides about the sign of a function of two that can give it away."""
    return a if abs(a) > abs(b) else b


_ARITY = [op.OPERATIONS[code].arity for code in sorted(op.OPERATIONS)]
