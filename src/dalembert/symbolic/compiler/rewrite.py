"""What can be saved only when the whole program is known.

While a graph grows, nobody knows who else will use an atom, so sums and products are never taken apart there.  In a
program the number of uses is known, and before code is printed

* sums of products with a common factor are factored, a b + a c → a (b + c), where the products are used nowhere else;
  terms that differ by a number only come together, and so do numbers.  A sum in which nothing is to be gained is left
  as it was written, because the order of additions decides on the rounding;
* a number times a sum of scaled terms is multiplied out, k (c₁ x + c₂ y) → (k c₁) x + (k c₂) y, where the sum is used
  nowhere else;
* the inverse of an atom that is used up to three times becomes a division, x (1/y) → x/y;
* signs are settled.  A handle with a minus costs nothing inside sums, products and odd functions.  Where a negative
  value is really needed (an output, an argument of ``exp``), some atoms are computed with the opposite sign such that
  everybody is content, and only if that does not work out a negation is made.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

from dalembert.symbolic import operations as op
from dalembert.symbolic.compiler.program import Program
from dalembert.symbolic.graph import Graph, Handle, Node

#: Longer sums are factored in parts, to keep the cost linear.
_LONG_SUM = 64
#: Inverses that are used more often are cheaper than as many divisions.
_FEW_DIVISIONS = 3
#: Products of more factors are not compared with others.
_LONG_PRODUCT = 8
#: Atoms that may change sign to save one negation.
_MOST_FLIPS = 60


def settled(program: Program) -> Program:
    """The program as it is printed: rewritten, all handles positive, negations explicit, numbers of either sign.

    Rows of a settled program are in no particular order.
    """
    return _settle_signs(_rewrite_sums(program))


def _uses(program: Program) -> list[int]:
    uses = [0] * len(program.nodes)
    for node in program.nodes:
        for a in op.atom_arguments(node):
            uses[a if a >= 0 else -a] += 1
    for output in program.outputs:
        for h in output.entries:
            uses[abs(h)] += 1
    return uses


# ------------------------------------------------------------------------- sums

#: handle and sign of a term; if it may be taken apart, also its positive factors and the sign of their product
Term = tuple[Handle, int, list[Handle], int]


class _Sums:
    """Rebuilds a program in a graph of its own, sums and products as a whole."""

    def __init__(self, program: Program) -> None:
        self.old = program.nodes
        self.uses = _uses(program)
        self.graph = Graph()
        self.new: list[Handle] = [0, 1]
        self.monomials: dict[int, tuple[float, tuple[int, ...]]] = {}
        self.is_sum = [node[0] == op.ADD or node[0] == op.SUB for node in self.old]
        #: sums that only another sum uses and products that only another product uses: parts of those
        self.inner: set[int] = set()
        for row, node in enumerate(self.old):
            if self.is_sum[row]:
                self.inner.update(a for a in node[1:] if self.is_sum[a] and self.uses[a] == 1)
            elif node[0] == op.MUL:
                self.inner.update(a for a in node[1:] if self.old[a][0] == op.MUL and self.uses[a] == 1)

    def rebuild(self) -> list[Handle]:
        """The handle in the new graph for each old row."""
        old, new, graph = self.old, self.new, self.graph
        for row in range(2, len(old)):
            node = old[row]
            code = node[0]
            if row in self.inner and not self.is_sum[row]:
                new.append(0)  # built with the product it is a part of
            elif code == op.MUL:
                a, b = node[1], node[2]
                if self.is_sum[b] and self.uses[b] == 1 and old[a][0] == op.CONSTANT and self._all_scaled(b):
                    total = 0
                    for x, sign in self._terms(b):
                        total = graph.add(total, graph.mul(new[a] if sign > 0 else -new[a], new[x]))
                    new.append(total)
                elif a in self.inner or b in self.inner:
                    new.append(_product(graph, self._factors(row)))
                else:
                    new.append(graph.mul(new[a], new[b]))
            elif self.is_sum[row]:
                better = None if row in self.inner else self._better_sum(row)
                as_written = graph.add(new[node[1]], new[node[2]] if code == op.ADD else -new[node[2]])
                new.append(as_written if better is None else better)
            elif code == op.CONSTANT:
                new.append(graph.constant(node[1]))
            elif code == op.SYMBOL or code == op.INTERVAL or code == op.PIECE:
                arguments = [new[a] if a >= 0 else -new[-a] for a in op.atom_arguments(node)]
                new.append(graph.leaf((code, *arguments, *node[1 + len(arguments) :])))
            else:
                new.append(graph.apply(code, *(new[a] if a >= 0 else -new[-a] for a in node[1:])))
        return new

    def _terms(self, row: int) -> list[tuple[int, int]]:
        """Rows and signs of the sum in ``row``, in the order in which they are added."""
        found: list[tuple[int, int]] = []
        stack = [(row, 1)]
        while stack:
            a, sign = stack.pop()
            if a == row or (a in self.inner and self.is_sum[a]):
                code, left, right = self.old[a]
                stack.append((right, sign if code == op.ADD else -sign))
                stack.append((left, sign))
            else:
                found.append((a, sign))
        return found

    def _factors(self, row: int) -> list[Handle]:
        """New handles of the factors of the product in ``row``."""
        _, a, b = self.old[row]
        if a not in self.inner and b not in self.inner:
            return [self.new[a], self.new[b]]
        found: list[Handle] = []
        stack = [b, a]
        while stack:
            x = stack.pop()
            if x in self.inner and self.old[x][0] == op.MUL:
                stack += (self.old[x][2], self.old[x][1])
            else:
                found.append(self.new[x])
        return found

    def _all_scaled(self, row: int) -> bool:
        """Whether each term of a sum is a number, or a number times an atom that nobody else uses."""
        old = self.old
        for a, _ in self._terms(row):
            node = old[a]
            scaled = node[0] == op.MUL and old[node[1]][0] == op.CONSTANT and self.uses[a] == 1
            if not scaled and node[0] != op.CONSTANT:
                return False
        return True

    def _better_sum(self, row: int) -> Handle | None:
        """The sum in ``row`` with like terms collected and factors taken out; None if there is nothing to gain."""
        items: list[Term] = []
        single: list[bool] = []
        shift, numbers = 0.0, 0
        for a, sign in self._terms(row):
            handle = self.new[a]
            if self.old[a][0] == op.CONSTANT:
                shift += sign * self.old[a][1]
                numbers += 1
            elif self.old[a][0] == op.MUL and self.uses[a] == 1:
                factors = self._factors(a)
                product_sign = sign
                for f in factors:
                    if f < 0:
                        product_sign = -product_sign
                items.append((handle, sign, [abs(f) for f in factors], product_sign))
                single.append(True)
            else:
                items.append((handle, sign, [], 0))
                single.append(False)
        collected = self._collect(items, single)
        if numbers < 2 and collected is None and not _shared_factor(items)[1]:
            return None
        items = items if collected is None else collected
        return self.graph.add(_long_sum(self.graph, items), self.graph.constant(shift))

    def _collect(self, items: list[Term], single: list[bool]) -> list[Term] | None:
        """Join terms that are multiples of the same product; None if there are none."""
        groups: dict[tuple[int, ...], list[int]] = {}
        for position, (handle, _, _, _) in enumerate(items):
            groups.setdefault(self._monomial(abs(handle))[1], []).append(position)
        if len(groups) == len(items):
            return None
        joined: dict[int, Term | None] = {}
        for factors, positions in groups.items():
            if len(positions) < 2:
                continue
            scale = 0.0
            for position in positions:
                handle, sign, _, _ = items[position]
                scale += (sign if handle >= 0 else -sign) * self._monomial(abs(handle))[0]
            # A product that others use too is there anyway: nothing is saved unless the terms cancel.
            if scale == 0.0 or (math.isfinite(scale) and all(single[position] for position in positions)):
                product = self.graph.mul(self.graph.constant(scale), _product(self.graph, list(factors)))
                joined.update(dict.fromkeys(positions))
                joined[positions[0]] = (product, 1, [], 0) if scale else None
        if not joined:
            return None
        kept = [joined.get(position, term) for position, term in enumerate(items)]
        return [term for term in kept if term is not None]

    def _monomial(self, row: int) -> tuple[float, tuple[int, ...]]:
        """A new row as number times product of atoms."""
        found = self.monomials.get(row)
        if found is None:
            scale, stack = 1.0, [row]
            factors: list[int] = []
            while stack and len(stack) + len(factors) <= _LONG_PRODUCT:
                a = stack.pop()
                node = self.graph.nodes[a]
                if node[0] == op.MUL:
                    stack += node[1:]
                elif node[0] == op.CONSTANT:
                    scale *= node[1]
                else:
                    factors.append(a)
            found = (1.0, (row,)) if stack else (scale, tuple(sorted(factors)))
            self.monomials[row] = found
        return found


def _product(graph: Graph, factors: list[Handle]) -> Handle:
    """Multiply in one order for all: equal products meet, numbers come together."""
    total, scale = 1, 1
    for f in sorted(factors, key=abs):
        if abs(f) in graph.constants:
            scale = graph.mul(scale, f)
        else:
            total = graph.mul(total, f)
    return graph.mul(scale, total)


def _shared_factor(items: list[Term]) -> tuple[Handle, int]:
    """The factor that most of the products have, and how many they are; (0, 0) if no two of them share one."""
    counts: Counter[Handle] = Counter()
    for _, _, factors, _ in items:
        counts.update(list(dict.fromkeys(factors)))  # a square counts once
    factor, number = max(counts.items(), key=_frequency, default=(0, 0))
    return (factor, number) if number > 1 else (0, 0)


def _frequency(item: tuple[Handle, int]) -> int:
    return item[1]


def _long_sum(graph: Graph, items: list[Term]) -> Handle:
    """Add any number of terms: slices are factored first, then what is left of them, until nothing changes."""
    while len(items) > _LONG_SUM:
        shorter: list[Term] = []
        for start in range(0, len(items), _LONG_SUM):
            shorter += _factored(graph, items[start : start + _LONG_SUM])
        if len(shorter) == len(items):
            return _add(graph, items)
        items = shorter
    return _sum(graph, items)


def _sum(graph: Graph, items: list[Term]) -> Handle:
    """Add the terms, factored."""
    return _add(graph, _factored(graph, items))


def _add(graph: Graph, items: list[Term]) -> Handle:
    total = 0
    for handle, sign, _, _ in items:
        total = graph.add(total, handle if sign > 0 else -handle)
    return total


def _factored(graph: Graph, items: list[Term]) -> list[Term]:
    """Terms with the same sum; the factor that most products share is taken out, again and again."""
    # Products made here are not taken apart again by this call, only by the next one: here they stand without factors.
    with_factors: dict[int, Term] = {}
    while len(items) > 1:
        factor, number = _shared_factor(items)
        if not number:
            break
        shared = [t for t in items if factor in t[2]]
        # All that they have in common goes out at once: what is left is shared by fewer of them, so it ends soon.
        common = Counter(shared[0][2])
        for _, _, factors, _ in shared[1:]:
            common &= Counter(factors)
        cofactors: list[Term] = []
        for _, _, factors, sign in shared:
            rest = factors.copy()
            for f in common.elements():
                rest.remove(f)
            cofactors.append((_product(graph, rest), sign, rest if len(rest) > 1 else [], sign))
        cofactor = _sum(graph, cofactors)
        product = graph.mul(_product(graph, list(common.elements())), cofactor)
        made: Term = (product, 1, [], 0)
        with_factors[id(made)] = (product, 1, [*common.elements(), abs(cofactor)], 1 if cofactor >= 0 else -1)
        items = [made if t is shared[0] else t for t in items if t is shared[0] or factor not in t[2]]
    return [with_factors.get(id(t), t) for t in items]


def _rewrite_sums(program: Program) -> Program:
    sums = _Sums(program)
    new = sums.rebuild()
    graph = sums.graph
    entries = [[new[h] if h >= 0 else -new[-h] for h in o.entries] for o in program.outputs]
    # Drop what nobody needs any more.
    rows = graph.reachable([h for items in entries for h in items])
    inverses = _rare_inverses(graph, rows, {abs(h) for items in entries for h in items})
    local = {0: 0, 1: 1}
    nodes: list[Node] = [graph.nodes[0], graph.nodes[1]]
    for row in rows:
        if row < 2 or row in inverses:
            continue
        node = graph.nodes[row]
        if node[0] == op.MUL and (node[1] in inverses or node[2] in inverses):
            inverse, other = node[1:] if node[1] in inverses else (node[2], node[1])
            node = (op.DIV, other, inverses[inverse])
        arguments = op.atom_arguments(node)
        local[row] = len(nodes)
        nodes.append((node[0], *(local[a] if a >= 0 else -local[-a] for a in arguments), *node[1 + len(arguments) :]))
    outputs = tuple(
        replace(o, entries=tuple(local[h] if h >= 0 else -local[-h] for h in items))
        for o, items in zip(program.outputs, entries, strict=True)
    )
    return replace(program, outputs=outputs, nodes=tuple(nodes))


def _rare_inverses(graph: Graph, rows: list[int], outputs: set[int]) -> dict[int, int]:
    """Rows that hold 1/y and are used in few products and nowhere else, with y."""
    users: dict[int, list[int]] = {
        row: [] for row in rows if graph.nodes[row][:2] == (op.DIV, 1) and row not in outputs
    }
    for row in rows:
        for a in op.atom_arguments(graph.nodes[row]):
            if abs(a) in users:
                users[abs(a)].append(row)
    found: dict[int, int] = {}
    taken: set[int] = set()
    for row, products in users.items():
        if len(products) <= _FEW_DIVISIONS and all(
            graph.nodes[p][0] == op.MUL and graph.nodes[p][1] != graph.nodes[p][2] and p not in taken for p in products
        ):
            found[row] = graph.nodes[row][2]
            taken.update(products)
    return found


# ------------------------------------------------------------------------ signs


class _Signs:
    """Finds for each row the sign with which it is computed, so that few negations remain.

    Row r is computed as sign[r] times its value.  A sum can be computed unless both its terms come with a minus; a
    product has the product of the signs of its factors, unless one of them is a number; the sign of an input is given.
    """

    def __init__(self, program: Program) -> None:
        self.nodes = program.nodes
        self.sign = [1] * len(program.nodes)
        self.users: list[list[int]] = [[] for _ in program.nodes]
        #: signs that outputs and functions ask for
        self.asked: dict[int, set[int]] = {}
        for row, node in enumerate(program.nodes):
            absorbs = node[0] in (op.ADD, op.SUB, op.MUL, op.DIV) or node[0] in op.ODD or node[0] in op.EVEN
            for a in op.atom_arguments(node):
                if absorbs:
                    self.users[a].append(row)
                else:
                    self.asked.setdefault(abs(a), set()).add(1 if a >= 0 else -1)
        for output in program.outputs:
            for h in output.entries:
                self.asked.setdefault(abs(h), set()).add(1 if h >= 0 else -1)
        for row, signs in self.asked.items():
            if signs == {-1} and self.sign[row] > 0:
                self._turn(row)

    def _is_number(self, row: int) -> bool:
        return self.nodes[row][0] == op.CONSTANT

    def _has_a_sign(self, row: int) -> bool:
        """Whether ``row`` is computed from things that could turn it round; a square is not."""
        node = self.nodes[row]
        if node[0] in (op.MUL, op.DIV):
            return bool(node[1] != node[2])
        return node[0] in (op.ADD, op.SUB) or node[0] in op.ODD

    def _feasible(self, row: int) -> bool:
        node = self.nodes[row]
        code = node[0]
        sign = self.sign
        if code == op.ADD or code == op.SUB:
            a, b = node[1], node[2]
            if self._is_number(a) or self._is_number(b):
                return True
            return sign[row] * sign[a] > 0 or sign[row] * sign[b] * (1 if code == op.ADD else -1) > 0
        if code == op.MUL or code == op.DIV:
            a, b = node[1], node[2]
            return self._is_number(a) or self._is_number(b) or sign[row] == sign[a] * sign[b]
        if code in op.ODD:
            return sign[row] == sign[node[1]]
        return sign[row] > 0

    def _turn(self, row: int) -> None:
        """Turn ``row`` round, and whatever must follow; leave everything as it was if it cannot be done."""
        turned: set[int] = set()
        stack = [row]
        touched: set[int] = set()

        def free(candidate: int) -> bool:
            return (
                candidate not in turned
                and self._has_a_sign(candidate)
                # what is asked for may turn if that is what is asked
                and self.asked.get(candidate, {-self.sign[candidate]}) == {-self.sign[candidate]}
            )

        while stack:
            r = stack.pop()
            if r in turned:
                continue
            if not free(r) or len(turned) >= _MOST_FLIPS:
                break
            self.sign[r] = -self.sign[r]
            turned.add(r)
            touched.add(r)
            touched.update(self.users[r])
            for n in (r, *self.users[r]):
                if self._feasible(n):
                    continue
                if n != r and free(n):
                    stack.append(n)
                else:
                    arguments = [a for a in op.atom_arguments(self.nodes[n]) if a != r and free(a)]
                    if arguments:
                        stack.append(min(arguments, key=lambda a: len(self.users[a])))
        if not all(self._feasible(n) for n in touched):
            for r in turned:
                self.sign[r] = -self.sign[r]


def _settle_signs(program: Program) -> Program:
    settled = _Settled(program)
    nodes = tuple(settled.node(row, node) for row, node in enumerate(program.nodes))
    outputs = tuple(replace(o, entries=tuple(map(settled.asked, o.entries))) for o in program.outputs)
    return replace(program, outputs=outputs, nodes=(*nodes, *settled.extra))


class _Settled:
    """Nodes in which atoms have the signs that were found for them; what that needs besides is appended."""

    def __init__(self, program: Program) -> None:
        self.nodes, self.sign = program.nodes, _Signs(program).sign
        self.extra: dict[Node, int] = {}

    def _append(self, node: Node) -> int:
        return self.extra.setdefault(node, len(self.nodes) + len(self.extra))

    def _negative_number(self, row: int) -> int:
        return self._append((op.CONSTANT, -self.nodes[row][1]))

    def asked(self, handle: Handle) -> int:
        """Row that holds the value of ``handle`` itself."""
        row = abs(handle)
        if (1 if handle >= 0 else -1) == self.sign[row]:
            return row
        return self._negative_number(row) if self.nodes[row][0] == op.CONSTANT else self._append((op.NEG, row))

    def node(self, row: int, node: Node) -> Node:
        """The node of a row with arguments that are positive."""
        code = node[0]
        if code == op.ADD or code == op.SUB:
            return self._sum(row, node)
        if code == op.MUL or code == op.DIV:
            a, b = node[1], node[2]
            if self.sign[row] != self.sign[a] * self.sign[b]:
                if self.nodes[a][0] == op.CONSTANT:
                    a = self._negative_number(a)
                else:
                    b = self._negative_number(b)
            return (code, a, b)
        if code == op.CONSTANT or code == op.SYMBOL or code in op.ODD or code in op.EVEN:
            return node
        arguments = op.atom_arguments(node)
        return (code, *map(self.asked, arguments), *node[1 + len(arguments) :])

    def _sum(self, row: int, node: Node) -> Node:
        code, a, b = node
        sign = self.sign
        sa, sb = sign[row] * sign[a], sign[row] * sign[b] * (1 if code == op.ADD else -1)
        if sa < 0 and sb < 0:  # one of them is a number
            if self.nodes[a][0] == op.CONSTANT:
                a, sa = self._negative_number(a), 1
            else:
                b, sb = self._negative_number(b), 1
        return (op.ADD, a, b) if sa > 0 and sb > 0 else (op.SUB, a, b) if sa > 0 else (op.SUB, b, a)
