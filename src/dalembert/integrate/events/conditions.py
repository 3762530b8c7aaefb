"""Conditions as switching functions: a comparison has no root, the difference of its two sides has."""

from __future__ import annotations

import operator
from itertools import product
from typing import Any

from dalembert.symbolic import Atom, array, minimum
from dalembert.symbolic import operations as op

#: Most values of a piecewise constant expression that are followed.
_MOST_VALUES = 64
_SUMS_AND_PRODUCTS = {op.ADD: operator.add, op.SUB: operator.sub, op.MUL: operator.mul}


def difference_of(value: Any) -> Any:
    """A number that is positive where a condition holds and negative where it does not; None if an expression is no
    inequality, nor made of such by "and", "or" and "not"."""
    atom = _single(value)
    return None if atom is None else _difference(atom)


def values_without_root(value: Any) -> list[float]:
    """All values of an expression that is piecewise constant and never changes its sign; nothing for any other."""
    atom = _single(value)
    found = _values(atom) if atom is not None and atom.value is None else None
    return sorted(found) if found and not min(found) < 0.0 < max(found) else []


def _single(value: Any) -> Atom | None:
    entries = array(value).reshape(-1)
    return entries[0] if entries.size == 1 and isinstance(entries[0], Atom) else None


def _parts(atom: Atom) -> tuple[int, list[Atom]]:
    """Operation and arguments of an atom without its sign."""
    operation, *handles = atom.graph.nodes[abs(atom.handle)]
    leaf = operation in (op.CONSTANT, op.SYMBOL)
    return operation, [] if leaf else [Atom(atom.graph, int(handle)) for handle in handles]


def _difference(atom: Atom) -> Any:
    operation, arguments = _parts(atom)
    if atom.handle < 0:
        return None
    if operation in (op.LT, op.LE):
        return arguments[1] - arguments[0]
    if operation == op.MUL:  # both hold
        sides = [_difference(one) for one in arguments]
        return None if any(side is None for side in sides) else minimum(*sides)
    if operation == op.EQ and arguments[0].value == 0.0:  # the other one does not hold
        found = _difference(arguments[1])
        return None if found is None else -found
    if operation == op.WHERE and {arguments[1].value, arguments[2].value} == {0.0, 1.0}:
        found = _difference(arguments[0])
        return -found if found is not None and arguments[1].value == 0.0 else found
    return None


def _values(atom: Atom) -> set[float] | None:
    """Values that an expression may have; None if they are not a few that comparisons choose among."""
    operation, arguments = _parts(atom)
    found: set[float] | None = None
    if atom.value is not None:
        return {atom.value}
    if operation in (op.LT, op.LE, op.EQ):
        found = {0.0, 1.0}
    elif operation == op.SIGN:
        found = {-1.0, 0.0, 1.0}
    elif operation in _SUMS_AND_PRODUCTS or operation == op.WHERE:
        first, second = (_values(one) for one in arguments[-2:])
        if first is not None and second is not None and len(first) * len(second) <= _MOST_VALUES:
            join = _SUMS_AND_PRODUCTS.get(operation)
            found = first | second if join is None else {join(a, b) for a, b in product(first, second)}
    return None if found is None else {-value for value in found} if atom.handle < 0 else found
