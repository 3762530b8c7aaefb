"""Derivatives, substitution and linear coefficients, all acting on the shared graph.

Each function takes atoms or arrays of them and returns the same; it walks once over the atoms involved, in order of
evaluation (forward) or against it (reverse), and whatever it builds meets the atoms that exist (railway paper, section
2.2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, TypeAlias

from dalembert.arguments import flag, instance, listed_pairs, named, one_of, shown
from dalembert.errors import SymbolicError, suggestion
from dalembert.symbolic import operations as op
from dalembert.symbolic.atom import Atom, AtomArray, from_handles, graph_of, handles
from dalembert.symbolic.graph import ONE, ZERO, Graph, Handle, Node
from dalembert.symbolic.sparse import SparseMatrix


def partials(graph: Graph, row: int) -> list[tuple[Handle, Handle]]:
    """(argument, ∂atom/∂argument) for each argument of the function in ``row`` that has a derivative.

    Sums, products, quotients and choices are not here: each mode has its own shortest form of them.
    """
    node = graph.nodes[row]
    code = node[0]
    g = graph
    if code in _UNARY:
        return [(node[1], _UNARY[code](g, node[1], row))]
    if code == op.POW:
        a, b = node[1], node[2]
        by_base = (a, g.mul(b, g.power(a, g.add(b, -ONE))))
        return [by_base] if abs(b) in g.constants else [by_base, (b, g.mul(row, g.apply(op.LOG, a)))]
    if code == op.ATAN2:
        y, x = node[1], node[2]
        square = g.add(g.mul(x, x), g.mul(y, y))
        return [(y, g.div(x, square)), (x, -g.div(y, square))]
    if code == op.HYPOT:
        return [(node[1], g.div(node[1], row)), (node[2], g.div(node[2], row))]
    if code == op.PIECE:
        return [(node[2], g.piece(node[2], node[3], node[4] + 1))]
    return []  # leaves, comparisons, sign, interval numbers: piecewise constant


def _choice(graph: Graph, node: Node) -> tuple[Handle, Handle, Handle]:
    """(condition, a, b) of an atom that takes one of two arguments."""
    if node[0] == op.WHERE:
        return node[1], node[2], node[3]
    a, b = node[1], node[2]
    return (graph.apply(op.LE, a, b) if node[0] == op.MIN else graph.apply(op.LE, b, a)), a, b


_CHOICES = (op.WHERE, op.MIN, op.MAX)
_JUMPS = (op.SIGN, op.LT, op.LE, op.EQ, op.INTERVAL, op.FLOOR)


def _one_minus_square(g: Graph, a: Handle) -> Handle:
    return g.add(ONE, -g.mul(a, a))


_UNARY = {
    op.SQRT: lambda g, a, r: g.div(g.constant(0.5), r),
    op.CBRT: lambda g, a, r: g.div(g.constant(1.0 / 3.0), g.mul(r, r)),
    op.SIN: lambda g, a, r: g.apply(op.COS, a),
    op.COS: lambda g, a, r: -g.apply(op.SIN, a),
    op.TAN: lambda g, a, r: g.add(ONE, g.mul(r, r)),
    op.ASIN: lambda g, a, r: g.div(ONE, g.apply(op.SQRT, _one_minus_square(g, a))),
    op.ACOS: lambda g, a, r: -g.div(ONE, g.apply(op.SQRT, _one_minus_square(g, a))),
    op.ATAN: lambda g, a, r: g.div(ONE, g.add(ONE, g.mul(a, a))),
    op.SINH: lambda g, a, r: g.apply(op.COSH, a),
    op.COSH: lambda g, a, r: g.apply(op.SINH, a),
    op.TANH: lambda g, a, r: _one_minus_square(g, r),
    op.EXP: lambda g, a, r: r,
    op.LOG: lambda g, a, r: g.div(ONE, a),
    op.ABS: lambda g, a, r: g.apply(op.SIGN, a),
}


# ------------------------------------------------------------------ forward mode


def _forward(graph: Graph, outputs: list[Handle], seeds: Mapping[int, Handle]) -> list[Handle]:
    """Derivatives of ``outputs`` when the symbols in ``seeds`` change at the given rates."""
    rates: dict[int, Handle] = {row: rate for row, rate in seeds.items() if rate != ZERO}
    nodes, add, mul = graph.nodes, graph.add, graph.mul
    for row in graph.reachable(outputs):
        node = nodes[row]
        code = node[0]
        if code < op.ADD or row in rates:
            continue
        if code == op.MUL:  # the common cases, written out
            a, b = _signed(rates, node[1]), _signed(rates, node[2])
            if not (a or b):
                continue
            total = add(mul(a, node[2]) if a else 0, mul(node[1], b) if b else 0)
        elif code == op.ADD or code == op.SUB:
            a, b = _signed(rates, node[1]), _signed(rates, node[2])
            total = add(a, b if code == op.ADD else -b)
        elif any(abs(a) in rates for a in op.atom_arguments(node)):
            total = _rate(graph, row, rates)
        else:
            continue
        if total != ZERO:
            rates[row] = total
    return [_signed(rates, h) for h in outputs]


def _rate(graph: Graph, row: int, rates: Mapping[int, Handle]) -> Handle:
    """Rate of a quotient, a choice or a function."""
    node = graph.nodes[row]
    if node[0] == op.DIV:  # (a' - r b')/b
        a, b = _signed(rates, node[1]), _signed(rates, node[2])
        return graph.div(graph.add(a, -graph.mul(row, b)), node[2])
    if node[0] in _CHOICES:
        condition, x, y = _choice(graph, node)
        return graph.where(condition, _signed(rates, x), _signed(rates, y))
    total = ZERO
    for argument, factor in partials(graph, row):
        rate = _signed(rates, argument)
        if rate != ZERO:
            total = graph.add(total, graph.mul(factor, rate))
    return total


def _with_sign(handle: Handle, like: Handle) -> Handle:
    return handle if like >= 0 else -handle


def _signed(table: Mapping[int, Handle], handle: Handle) -> Handle:
    return table.get(handle, ZERO) if handle >= 0 else -table.get(-handle, ZERO)


# ------------------------------------------------------------------ reverse mode


def _divided(graph: Graph, divisor: Handle, weight: Handle) -> Handle:
    return graph.div(weight, divisor)


def _reverse(graph: Graph, outputs: list[Handle], weights: list[Handle], wanted: Iterable[int]) -> dict[int, Handle]:
    """Σ weight ∂output/∂x for each row x in ``wanted``: one sweep for all of them."""
    wanted = set(wanted)
    rows = graph.reachable(outputs)
    adjoints = _Adjoints(graph, rows, wanted)
    for output, weight in zip(outputs, weights, strict=True):
        adjoints.collect(output, weight)
    known, pass_on = adjoints.known, adjoints.pass_on
    for row in reversed(rows):
        weight = known.get(row, ZERO)
        if weight != ZERO and row not in wanted:
            pass_on(row, weight)
    return {row: known.get(row, ZERO) for row in wanted}


class _Adjoints:
    """Weights of atoms, collected from those that use them."""

    def __init__(self, graph: Graph, rows: list[int], wanted: set[int]) -> None:
        self.graph = graph
        self.known: dict[int, Handle] = {}
        nodes = graph.nodes
        self.active = set(wanted)  # rows that depend on what is wanted
        for row in rows:
            if any(abs(a) in self.active for a in op.atom_arguments(nodes[row])):
                self.active.add(row)
        # Weights that are zero where a choice went the other way.  There a factor may be infinite, as the derivative of
        # √x in where(x > 0, √x, 0), so the factor goes inside the choice, where it is not looked at.
        self.masked: set[int] = set()

    def collect(self, argument: Handle, amount: Handle) -> None:
        """Add an amount to the weight of an argument."""
        row, masked = abs(argument), self.masked
        if row in self.active and amount != ZERO:
            before = self.known.get(row, ZERO)
            after = self.known[row] = self.graph.add(before, amount if argument >= 0 else -amount)
            if abs(amount) in masked or abs(before) in masked:
                masked.add(abs(after))

    def pass_on(self, row: int, weight: Handle) -> None:
        """Give the arguments of an atom their shares of its weight."""
        node = self.graph.nodes[row]
        code = node[0]
        if code == op.MUL:
            a, b = node[1], node[2]
            if a in self.active:
                self.collect(a, self._times(partial(self.graph.mul, b), weight))
            if b in self.active:
                self.collect(b, self._times(partial(self.graph.mul, a), weight))
        elif code == op.ADD or code == op.SUB:
            self.collect(node[1], weight)
            self.collect(node[2], weight if code == op.ADD else -weight)
        elif code == op.DIV:
            share = self._times(partial(_divided, self.graph, node[2]), weight)
            self.collect(node[1], share)
            if abs(node[2]) in self.active:
                self.collect(node[2], -self._times(partial(self.graph.mul, row), share))
        elif code in _CHOICES:
            condition, x, y = _choice(self.graph, node)
            for argument, taken in ((x, (weight, ZERO)), (y, (ZERO, weight))):
                amount = self.graph.where(condition, *taken)
                self.masked.add(abs(amount))
                self.collect(argument, amount)
        else:
            for argument, factor in partials(self.graph, row):
                if abs(argument) in self.active:
                    self.collect(argument, self._times(partial(self.graph.mul, factor), weight))

    def _times(self, apply: Callable[[Handle], Handle], weight: Handle) -> Handle:
        """A weight with a factor, or divisor, applied to it: inside of choices where it is masked."""
        return apply(weight) if abs(weight) not in self.masked else self._times_masked(apply, weight)

    def _times_masked(self, apply: Callable[[Handle], Handle], weight: Handle) -> Handle:
        graph, masked = self.graph, self.masked
        total, stack = ZERO, [(weight, 1)]
        while stack:
            w, sign = stack.pop()
            w, sign = (w, sign) if w >= 0 else (-w, -sign)
            node = graph.nodes[w]
            if w in masked and node[0] in (op.ADD, op.SUB):
                stack += [(node[2], sign if node[0] == op.ADD else -sign), (node[1], sign)]
                continue
            if w in masked and node[0] == op.WHERE:
                part = graph.where(node[1], *(self._times(apply, a) if a != ZERO else ZERO for a in node[2:]))
                masked.add(abs(part))
            else:
                part = apply(w)
            total = graph.add(total, part if sign > 0 else -part)
        masked.add(abs(total))
        return total


# ------------------------------------------------------------------ user functions


def _symbol_rows(graph: Graph, variables: Any, what: str) -> tuple[list[int], tuple[int, ...]]:
    rows, shape = handles(variables, graph)
    for row in rows:
        if not graph.is_symbol(row):
            raise SymbolicError(f"{what} takes symbols, but '{Atom(graph, row)!r}' is an expression; "
                                "introduce a variable for it and substitute it afterwards")  # fmt: skip
    if len(set(rows)) != len(rows):
        twice = next(row for row in rows if rows.count(row) > 1)
        raise SymbolicError(f"{what}: symbol '{graph.symbol(twice).name}' is listed twice")
    return rows, shape


def derivative(expression: Any, variable: Atom) -> Any:
    """Partial derivative ∂expression/∂variable, element by element."""
    graph = graph_of(variable, expression, where="derivative")
    rows, variable_shape = _symbol_rows(graph, variable, "derivative")
    if variable_shape != ():
        raise SymbolicError(f"derivative takes one symbol, got an array of shape {variable_shape}; use jacobian")
    items, shape = handles(expression, graph)
    return from_handles(graph, _forward(graph, items, {rows[0]: ONE}), shape)


def directional_derivative(expression: Any, variables: Any, direction: Any) -> Any:
    """Forward mode: (∂expression/∂variables) · direction, in one sweep whatever the number of variables."""
    graph = graph_of(variables, expression, direction, where="directional_derivative")
    rows, shape = _symbol_rows(graph, variables, "directional_derivative")
    along, along_shape = handles(direction, graph)
    if shape != along_shape:
        raise SymbolicError(
            f"directional_derivative: {shape} variables need a direction of that shape, got {along_shape}"
        )
    items, shape = handles(expression, graph)
    return from_handles(graph, _forward(graph, items, dict(zip(rows, along, strict=True))), shape)


def adjoint_derivative(expression: Any, variables: Any, weights: Any) -> Any:
    """Reverse mode: (∂expression/∂variables)ᵀ · weights, in one sweep whatever the number of variables.

    With the velocities of all points and bodies as ``expression``, forces as ``weights`` and the generalized velocities
    as ``variables`` this is the principle of virtual power at linear cost.
    """
    graph = graph_of(variables, expression, weights, where="adjoint_derivative")
    rows, shape = _symbol_rows(graph, variables, "adjoint_derivative")
    items, item_shape = handles(expression, graph)
    factors, factor_shape = handles(weights, graph)
    if item_shape != factor_shape:
        raise SymbolicError(f"adjoint_derivative: an expression of shape {item_shape} needs weights of that shape, "
                            f"got {factor_shape}")  # fmt: skip
    found = _reverse(graph, items, factors, rows)
    return from_handles(graph, [found[row] for row in rows], shape)


def gradient(expression: Atom, variables: Any) -> Any:
    """Gradient of a scalar, by reverse mode: a small multiple of the cost of the scalar itself."""
    if not isinstance(expression, Atom):
        raise SymbolicError(
            f"gradient takes one scalar atom; use jacobian for arrays; its expression is {shown(expression)}"
        )
    return adjoint_derivative(expression, variables, 1.0)


def hessian_vector_product(expression: Atom, variables: Any, direction: Any) -> Any:
    """(∂²expression/∂variables²) · direction: forward over reverse."""
    rates = gradient(expression, variables)
    if not isinstance(rates, Atom) and not rates.size:
        raise SymbolicError("hessian_vector_product: variables must be symbols, at least one")
    return directional_derivative(rates, variables, direction)


def jacobian(expression: Any, variables: Any, *, sparse: bool = False, mode: str = "auto") -> Any:
    """∂expression/∂variables, of shape expression.shape + variables.shape.

    ``mode`` is "forward" (all columns in one sweep that touches only what depends on each variable), "reverse" (row by
    row), "auto" (reverse for a scalar) or "shortest": both, of which the one with fewer atoms is kept.  With ``sparse``
    a vector by vector result is a :class:`SparseMatrix` that stores only the entries that are not zero by structure.
    """
    graph = graph_of(variables, expression, where="jacobian")
    rows, variable_shape = _symbol_rows(graph, variables, "jacobian")
    items, item_shape = handles(expression, graph)
    one_of(mode, ("auto", "forward", "reverse", "shortest"), "jacobian: mode", SymbolicError)
    if mode == "reverse" or (mode == "auto" and len(items) == 1 < len(rows)):
        entries = _by_rows(graph, items, rows)
    else:
        entries = _sparse_forward(graph, items, rows)
        if mode == "shortest":
            other = _by_rows(graph, items, rows)
            entries = other if _length(graph, other) < _SHORTER * _length(graph, entries) else entries
    if flag(sparse, "jacobian: sparse", SymbolicError):
        if len(item_shape) != 1 or len(variable_shape) != 1:
            raise SymbolicError("jacobian: sparse=True needs a vector of expressions and a vector of variables")
        triplets = [(j, i, h) for i, entry in enumerate(entries) for j, h in entry.items()]
        triplets.sort()
        values = from_handles(graph, [h for _, _, h in triplets], (len(triplets),))
        return SparseMatrix(
            (len(items), len(rows)), tuple(i for _, i, _ in triplets), tuple(j for j, _, _ in triplets), values
        )
    flat = [entry.get(j, ZERO) for entry in entries for j in range(len(rows))]
    return from_handles(graph, flat, item_shape + variable_shape)


#: Entries of a row of a Jacobian that are not zero, by their columns.
_Entries: TypeAlias = dict[int, Handle]
#: Row by row is worth while from so much shorter on: what sweeps over columns make is rather found elsewhere, too.
_SHORTER = 0.9


def _length(graph: Graph, entries: list[_Entries]) -> int:
    """Atoms that some entries are made of."""
    return len(graph.reachable([h for entry in entries for h in entry.values()]))


def _by_rows(graph: Graph, outputs: list[Handle], rows: list[int]) -> list[_Entries]:
    """Per output its entries, each by a reverse sweep."""
    entries = []
    for output in outputs:
        found = _reverse(graph, [output], [ONE], rows)
        entries.append({j: found[row] for j, row in enumerate(rows) if found[row] != ZERO})
    return entries


def _sparse_forward(graph: Graph, outputs: list[Handle], rows: list[int]) -> list[_Entries]:
    """Per output its entries, by one sweep that keeps for each atom its own non-zero derivatives only."""
    columns = {row: j for j, row in enumerate(rows)}
    found: dict[int, _Entries] = {}
    nodes = graph.nodes
    for row in graph.reachable(outputs):
        if row in columns:
            found[row] = {columns[row]: ONE}
            continue
        node = nodes[row]
        if node[0] < op.ADD or not any(abs(a) in found for a in op.atom_arguments(node)):
            continue
        result = {j: h for j, h in _entries(graph, row, found).items() if h != ZERO}
        if result:
            found[row] = result
    return [{j: h if output >= 0 else -h for j, h in sorted(found.get(abs(output), {}).items())} for output in outputs]


def _entries(graph: Graph, row: int, found: Mapping[int, _Entries]) -> _Entries:
    """Derivatives of an atom from those of its arguments; some may be zero."""
    node = graph.nodes[row]
    code, add, mul = node[0], graph.add, graph.mul
    if code in _CHOICES:
        condition, x, y = _choice(graph, node)
        one, other = found.get(abs(x), {}), found.get(abs(y), {})
        return {
            j: graph.where(condition, _with_sign(one.get(j, ZERO), x), _with_sign(other.get(j, ZERO), y))
            for j in {**one, **other}
        }
    if code > op.DIV:
        result: _Entries = {}
        for argument, factor in partials(graph, row):
            for j, h in found.get(abs(argument), {}).items():
                result[j] = add(result.get(j, ZERO), mul(factor, _with_sign(h, argument)))
        return result
    a, b = node[1], node[2]
    if code == op.MUL:
        result = {j: mul(h, b) for j, h in found.get(a, {}).items()}
        for j, h in found.get(b, {}).items():
            result[j] = add(result.get(j, ZERO), mul(a, h))
        return result
    result = dict(found.get(a, {}))
    if code == op.DIV:  # (a' - r b')/b
        for j, h in found.get(b, {}).items():
            result[j] = add(result.get(j, ZERO), -mul(row, h))
        return {j: graph.div(h, b) for j, h in result.items()}
    sign = 1 if code == op.ADD else -1
    for j, h in found.get(b, {}).items():
        result[j] = add(result.get(j, ZERO), sign * h)
    return result


def time_derivative(expression: Any) -> Any:
    """Total time derivative: q → q̇ → q̈, t → 1, inputs by their own derivatives, parameters constant."""
    graph = graph_of(expression, where="time_derivative")
    items, shape = handles(expression, graph)
    seeds = {row: graph.rate(row) for row in graph.symbols_of(items)}
    return from_handles(graph, _forward(graph, items, seeds), shape)


def substitute(expression: Any, replacements: Mapping[Atom, Any] | Iterable[tuple[Any, Any]]) -> Any:
    """Replace atoms by atoms or numbers; pairs may also be arrays of equal shape: ``[(q, q0), (v, 0 * v)]``.

    All replacements happen at once: what is put in is not searched again.
    """
    pairs = listed_pairs(replacements, "substitute: replacements", SymbolicError)
    graph = graph_of(expression, *(old for old, _ in pairs), where="substitute")
    table: dict[int, Handle] = {}
    for old, new in pairs:
        old_items, old_shape = handles(old, graph)
        new_items, new_shape = handles(new, graph)
        if old_shape != new_shape:
            if new_shape != ():
                raise SymbolicError(f"substitute: cannot replace atoms of shape {old_shape} by shape {new_shape}")
            new_items = new_items * len(old_items)
        for a, b in zip(old_items, new_items, strict=True):
            if abs(a) in graph.constants:
                raise SymbolicError(f"substitute: the number {graph.value(a):g} cannot be replaced, only atoms")
            table[abs(a)] = b if a > 0 else -b
    items, shape = handles(expression, graph)
    return from_handles(graph, _rebuild(graph, items, table), shape)


def transplant(expression: Any, graph: Graph, replacements: Mapping[str, Any]) -> Any:
    """An expression brought to another graph, its symbols, by name, replaced by atoms of that graph or numbers."""
    source = graph_of(expression, where="transplant")
    instance(graph, Graph, "transplant: graph", SymbolicError)
    replacements = named(replacements, "transplant: replacements", SymbolicError)
    items, shape = handles(expression, source)
    table = {}
    for row in source.symbols_of(items):
        name = source.symbol(row).name
        if name not in replacements:
            raise SymbolicError(f"transplant: nothing is given for '{name}'; {suggestion(name, replacements)}")
        table[row] = graph.handle(replacements[name])
    return from_handles(graph, _rebuild(source, items, table, graph), shape)


def _rebuild(
    graph: Graph, items: list[Handle], table: Mapping[int, Handle], target: Graph | None = None
) -> list[Handle]:
    """The items with some rows replaced, in the same graph or in another."""
    new: dict[int, Handle] = {}
    nodes, same = graph.nodes, target is None
    goal = graph if target is None else target
    tables: dict[int, int] = {}
    for row in graph.reachable(items):
        if row in table:
            new[row] = table[row]
            continue
        node = nodes[row]
        code = node[0]
        if code < op.ADD:
            new[row] = row if same else goal.constant(graph.constants[row])
            continue
        arguments = [new[a] if a >= 0 else -new[-a] for a in op.atom_arguments(node)]
        if same and arguments == list(op.atom_arguments(node)):
            new[row] = row
        elif code == op.PIECE:
            number = node[3]
            if not same:
                number = tables.setdefault(number, goal.add_table(graph.tables[number]))
            new[row] = goal.piece(arguments[1], number, node[4])
        elif code == op.INTERVAL:
            new[row] = row  # the new one is made by piece()
        else:
            new[row] = goal.apply(code, *arguments)
    return [new[h] if h >= 0 else -new[-h] for h in items]


def linear_coefficients(expression: Any, variables: Any) -> tuple[AtomArray, AtomArray]:
    """A and b of expression = A · variables + b.

    With the equations of motion as ``expression`` and the accelerations as ``variables`` A is the mass matrix (∂/∂q̈)
    and b the remaining forces (q̈ := 0), as in the railway paper, section 3.3.  An expression that is not linear is
    refused.
    """
    graph = graph_of(variables, expression, where="linear_coefficients")
    rows, _ = _symbol_rows(graph, variables, "linear_coefficients")
    matrix = jacobian(expression, variables)
    entries, _ = handles(matrix, graph)
    items, shape = handles(expression, graph)
    bad = set(graph.symbols_of([*entries, *_steps(graph, items)])) & set(rows)
    if bad:
        names = ", ".join(f"'{graph.symbol(row).name}'" for row in sorted(bad))
        raise SymbolicError(f"linear_coefficients: the expression is not linear in {names}")
    return matrix, from_handles(graph, _rebuild(graph, items, dict.fromkeys(rows, ZERO)), shape)


def _steps(graph: Graph, items: list[Handle]) -> list[Handle]:
    """Atoms that jump, their derivative being zero though they depend on something, and conditions of choices."""
    rows = graph.reachable(items)
    conditions = [graph.nodes[row][1] for row in rows if graph.nodes[row][0] == op.WHERE]
    return [row for row in rows if graph.nodes[row][0] in _JUMPS] + conditions


def symbols(expression: Any) -> list[Atom]:
    """The symbols an expression depends on, in order of declaration."""
    graph = graph_of(expression, where="symbols")
    items, _ = handles(expression, graph)
    return [Atom(graph, row) for row in graph.symbols_of(items)]
