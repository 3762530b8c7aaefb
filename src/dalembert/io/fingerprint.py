"""A hash of the equations of a model: equal where they are the same formulas with the same numbers.

Atoms are numbered in the order in which they were made, and a graph stores sums, products and signs as these numbers
say.  The hash is that of the formulas alone: every atom has one that is made of those of its arguments, in an order and
with a sign that do not depend on numbers (a − b is −(b − a), and min(a, b) is −max(−a, −b)).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np

from dalembert.arguments import instance
from dalembert.equations.builders.trace import Traced
from dalembert.errors import ModelError
from dalembert.io.model_writer import ModelWriter
from dalembert.model.formulate.mechanism import Mechanism
from dalembert.model.model import Model
from dalembert.symbolic import Atom, Graph
from dalembert.symbolic import operations as op

#: A hash and the sign before it.
Signed = tuple[str, int]
_PARTS = ("M", "f", "g", "T", "nonholonomic", "d", "w", "normal")


def fingerprint(model: Model, **options: Any) -> str:
    """SHA-256 of the equations of a model on one graph, and of its controllers in discrete time; ``options`` are those
    of :meth:`Model.equations`."""
    instance(model, Model, "fingerprint: model", ModelError)
    found = of_equations(model.equations(**{"builder": "symbolic", **options}))
    controllers = ModelWriter(model).controllers()
    return hashlib.sha256("\n".join([found, *controllers]).encode()).hexdigest() if controllers else found


def of_equations(equations: Mechanism) -> str:
    """SHA-256 of equations that are on one graph."""
    inner = equations.inner
    if not isinstance(inner, Traced):
        raise ModelError(f"'{equations.name}' has parts that are no formulas, such as numeric forces, and so no hash")
    found, hashes = inner.expressions, _Hashes(equations.scene.graph)
    lines = [f"{key}: {' '.join(names)}" for key, names in equations.names.items()]
    lines += [f"p.{key} = {np.asarray(value, dtype=float).tolist()}" for key, value in equations.parameters.items()]
    for part in _PARTS:
        values = getattr(found, part)
        if values is not None:
            lines.append(f"{part}: {np.shape(values)} {' '.join(hashes.of(values))}")
    lines.append(f"breaks: {equations.breaks}")
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _negated(signed: Signed) -> Signed:
    return signed[0], -signed[1]


class _Hashes:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._rows: dict[int, Signed] = {}

    def of(self, values: Any) -> Iterable[str]:
        """Hashes of an array of atoms and numbers."""
        items = list(np.asarray(values, dtype=object).reshape(-1))
        for row in self.graph.reachable([one.handle for one in items if isinstance(one, Atom)]):
            if row not in self._rows:
                self._rows[row] = self._row(row)
        for one in items:
            digest, sign = self._at(one.handle) if isinstance(one, Atom) else (float(one).hex(), 1)
            yield f"{'-' if sign < 0 else ''}{digest}"

    def _at(self, handle: int) -> Signed:
        found = self._rows[abs(handle)]
        return found if handle >= 0 else _negated(found)

    def _row(self, row: int) -> Signed:
        node = self.graph.nodes[row]
        code = node[0]
        if code == op.CONSTANT:
            return float(node[1]).hex(), 1
        if code == op.SYMBOL:
            symbol = self.graph.symbols[node[1]]
            return f"{symbol.kind} {symbol.name}", 1
        if code in (op.INTERVAL, op.PIECE):
            table = self.graph.tables[node[3] if code == op.PIECE else node[2]]
            order = node[4] if code == op.PIECE else -1
            return _hash(f"table {table.digest().hex()} {order}", self._at(node[2] if code == op.PIECE else node[1])), 1
        parts = [self._at(one) for one in op.atom_arguments(node)]
        if code == op.SUB:
            code, parts = op.ADD, [parts[0], _negated(parts[1])]
        return self._combined(code, parts)

    def _combined(self, code: int, parts: list[Signed]) -> Signed:
        """A hash with the sign that leaves the operation."""
        if code in (op.MUL, op.DIV):
            sign = parts[0][1] * parts[1][1]
            plain = [(one, 1) for one, _ in parts]
            return _hash(str(code), *(sorted(plain) if code == op.MUL else plain)), sign
        if code in op.ODD or code == op.ATAN2:
            (first, sign), *rest = parts
            return _hash(str(code), (first, 1), *rest), sign
        if code in op.EVEN or code == op.HYPOT:
            return _hash(str(code), *sorted((one, 1) for one, _ in parts)), 1
        opposite = [_negated(one) for one in parts]
        if code == op.ADD:
            ways = [(code, sorted(parts), 1), (code, sorted(opposite), -1)]
        elif code in (op.MIN, op.MAX):
            other = op.MAX if code == op.MIN else op.MIN
            ways = [(code, sorted(parts), 1), (other, sorted(opposite), -1)]
        elif code == op.WHERE:
            ways = [(code, [(parts[0][0], 1), *parts[1:]], 1), (code, [(parts[0][0], 1), *opposite[1:]], -1)]
        elif code in (op.LT, op.LE):
            ways = [(code, parts, 1), (code, opposite[::-1], 1)]
        elif code == op.EQ:
            ways = [(code, sorted(parts), 1), (code, sorted(opposite), 1)]
        else:
            ways = [(code, parts, 1)]
        found, listed, sign = min(ways, key=lambda way: (way[0], way[1]))
        return _hash(str(found), *listed), sign


def _hash(what: str, *parts: Signed) -> str:
    text = " ".join([what, *(f"{'-' if sign < 0 else '+'}{digest}" for digest, sign in parts)])
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
