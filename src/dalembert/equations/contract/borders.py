"""Where right sides are not smooth, or hide something: borders of tables, comparisons, whole numbers.

Whatever is written with atoms can be searched for atoms that choose: the interval of a table, a comparison,
``minimum``, ``floor``.  Each compares an argument k b + c with numbers, so b has borders.  Arguments that depend on
time alone give instants at which steps end; for all others the frame looks along each step at b:

- a step that passes over two borders of b at once may have missed what lies between them, as a bump of a road; it is
  made again so that it ends there,
- a step over a jump is made again so that it ends before the jump, and a tiny one leads across.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from dalembert.equations.contract.provider import Floats
from dalembert.errors import EquationsError
from dalembert.symbolic import Atom, Graph, array, evaluate, substitute, symbols, transplant
from dalembert.symbolic import operations as op

#: Points of a span at which functions of time other than t itself are compared with their borders.
_GRID = 4097
_BISECTIONS = 60
#: More instants than these in a span are not found one by one.
_MOST_INSTANTS = 200_000


@dataclass(frozen=True, eq=False)
class Watched:
    """An argument, and the numbers that it is compared with."""

    argument: Atom
    borders: Floats
    #: whether something jumps there, so that steps end there
    jumps: bool = False
    #: after which borders repeat, or 0
    period: float = 0.0
    #: whether periods are counted, or those are the same place
    counted: bool = True

    def places(self, values: Floats) -> Floats:
        """Numbers of the intervals in which values are."""
        turns = np.floor((values - self.borders[0]) / self.period) if self.period else np.zeros_like(values)
        inside = np.searchsorted(self.borders, values - turns * self.period, side="right")
        return np.asarray(inside + turns * (len(self.borders) if self.counted else 0), dtype=float)


@dataclass(frozen=True, eq=False)
class Borders:
    """What some equations choose by."""

    #: symbols under the names of inputs of programs
    inputs: Mapping[str, Any]
    #: arguments that steps look at
    watched: tuple[Watched, ...] = ()
    #: arguments that depend on time alone and change something at their borders
    timed: tuple[Watched, ...] = ()

    def instants(self, span: tuple[float, float], p: Floats, name: str = "") -> tuple[float, ...]:
        """Instants within a span at which arguments that depend on time alone reach their borders."""
        low, high = min(span), max(span)
        found: set[float] = set()
        for one in self.timed:
            found.update(self._instants(one, low, high, p, name))
        return apart(sorted(t for t in found if low <= t <= high))

    @cached_property
    def parametric(self) -> bool:
        """Whether such instants depend on parameters."""
        used = {symbol.handle for one in self.timed for symbol in symbols(one.argument)}
        return bool(used) and any(parameter.handle in used for parameter in self.inputs["p"])

    def _instants(self, one: Watched, low: float, high: float, p: Floats, name: str) -> Iterable[float]:
        t = self.inputs["t"][0]
        if one.argument == t:
            if not one.period:
                return (float(x) for x in one.borders)
            first, last = (np.floor((x - one.borders[0]) / one.period) for x in (low, high))
            if (last - first) * len(one.borders) > _MOST_INSTANTS:
                raise EquationsError(
                    f"'{name}': a function of time has more than {_MOST_INSTANTS} jumps between t = {low:g} and "
                    f"{high:g}, one after {one.period:g}; simulate a shorter span, or smooth it"
                )
            return (float(x + k * one.period) for k in np.arange(first, last + 1.0) for x in one.borders)
        known = list(zip(self.inputs["p"], p.tolist(), strict=True))

        def places(times: Floats) -> Floats:
            return one.places(np.broadcast_to(evaluate(one.argument, [*known, (t, times)]), times.shape))

        times = np.linspace(low, high, _GRID)
        there = places(times)
        at = np.flatnonzero(there[1:] != there[:-1])
        left, right, before = times[at], times[at + 1], there[at]
        for _ in range(_BISECTIONS):
            middle = 0.5 * (left + right)
            same = places(middle) == before
            left, right = np.where(same, middle, left), np.where(same, right, middle)
        return (float(x) for x in right)

    def without(self, symbols: Sequence[Atom], inputs: Mapping[str, Any]) -> Borders:
        """The same where some symbols are zero."""
        if not symbols or not self.watched:
            return replace(self, inputs=inputs)
        zero = dict.fromkeys(symbols, 0.0)
        kept = [(one, substitute(one.argument, zero)) for one in self.watched]
        watched = tuple(replace(one, argument=new) for one, new in kept if isinstance(new, Atom) and new.value is None)
        return replace(self, inputs=inputs, watched=watched)

    def placed(self, inputs: Mapping[str, Any], symbols: Mapping[Any, Any]) -> Borders:
        """The same with other symbols, on the graph of these."""
        graph = inputs["t"][0].graph

        def moved(one: Watched) -> Watched:
            return replace(one, argument=transplant(one.argument, graph, symbols))

        return Borders(inputs, tuple(map(moved, self.watched)), tuple(map(moved, self.timed)))

    def joined(self, others: Iterable[Borders]) -> Borders:
        """All borders of several, without repetitions."""
        kinds: dict[str, dict[Any, Watched]] = {"watched": {}, "timed": {}}
        for part in (self, *others):
            for kind, listed in kinds.items():
                for one in getattr(part, kind):
                    key = (one.argument.handle, one.borders.tobytes(), one.jumps, one.period, one.counted)
                    listed.setdefault(key, one)
        return Borders(self.inputs, *(tuple(listed.values()) for listed in kinds.values()))


def apart(times: Sequence[float]) -> tuple[float, ...]:
    """Instants that rounding alone does not explain."""
    kept: list[float] = []
    for t in times:
        if not kept or t - kept[-1] > 64.0 * np.finfo(float).eps * max(abs(t), abs(kept[-1])):
            kept.append(t)
    return tuple(kept)


# ----------------------------------------------------------------------------------------------------------- the search


class _BordersFound:
    """Borders of one argument."""

    def __init__(self) -> None:
        self.smooth: list[float] = []  # of tables without a kink there
        self.kinks: list[float] = []
        self.jumps: list[float] = []  # of tables
        self.conditions: list[float] = []  # of comparisons: whether something jumps there is not known
        self.repeating: list[tuple[list[float], float, bool, bool]] = []  # borders, period, jumps, counted


def borders_of(atoms: Iterable[Any], inputs: Mapping[str, Any]) -> Borders:
    """Borders of everything that some atoms of one graph depend on."""
    t = inputs["t"][0]
    graph: Graph = t.graph
    rows = graph.reachable([atom.handle for atom in atoms if isinstance(atom, Atom)])
    if not any(graph.nodes[row][0] in _CHOOSING for row in rows):
        return Borders(inputs)
    still = {abs(atom.handle) for atom in inputs["p"]}
    wraps = _wraps(graph, rows)
    found: dict[int, _BordersFound] = {}
    for row in rows:
        _look_at(graph, row, wraps, found)
    watched: list[Watched] = []
    timed: list[Watched] = []
    jumping = {row for row in rows if graph.nodes[row][0] == op.FLOOR} - set(wraps.values())
    for base, item in sorted(found.items()):
        below = graph.reachable([base])
        symbols = {row for row in below if graph.nodes[row][0] == op.SYMBOL} - still
        if not symbols:
            continue
        argument = Atom(graph, base)
        in_time = symbols == {abs(t.handle)}
        breaks = [*item.kinks, *item.jumps, *item.conditions]
        borders = [*item.smooth, *breaks]
        if in_time:
            timed += _listed(argument, breaks)
            watched += _listed(argument, item.smooth, least=2)
        elif jumping.intersection(below):
            watched += _listed(argument, borders, jumps=True)
        else:
            watched += _listed(argument, borders, least=2)
            watched += _listed(argument, item.jumps, jumps=True)
        for places, period, jumps, counted in item.repeating:
            one = Watched(argument, np.unique(places), jumps, period, counted)
            (timed if in_time and jumps else watched).append(one)
    return Borders(inputs, tuple(watched), tuple(timed))


def _listed(argument: Atom, borders: Sequence[float], least: int = 1, jumps: bool = False) -> list[Watched]:
    unique = np.unique(np.array(borders, dtype=float))
    return [Watched(argument, unique, jumps)] if unique.size >= least else []


_COMPARISONS = (op.LT, op.LE, op.EQ)
_BENDING = (op.MIN, op.MAX)
_CHOOSING = frozenset({*_COMPARISONS, *_BENDING, op.ABS, op.SIGN, op.FLOOR, op.PIECE})


def _look_at(graph: Graph, row: int, wraps: Mapping[int, int], found: dict[int, _BordersFound]) -> None:
    """Note the borders of one atom."""
    node = graph.nodes[row]
    code = node[0]
    if code == op.FLOOR:
        if row in wraps.values():
            return
        base, k, c = _split(graph, node[1])
        if k:
            found.setdefault(base, _BordersFound()).repeating.append(([-c / k], abs(1.0 / k), True, True))
    elif code == op.PIECE:
        _look_at_table(graph, node, wraps, found)
    elif code in _CHOOSING:
        handle = graph.add(node[1], -node[2]) if code in _COMPARISONS or code in _BENDING else node[1]
        base, k, c = _split(graph, handle)
        if k:
            item = found.setdefault(base, _BordersFound())
            (item.kinks if code in _BENDING or code == op.ABS else item.conditions).append(-c / k)


def _look_at_table(graph: Graph, node: tuple, wraps: Mapping[int, int], found: dict[int, _BordersFound]) -> None:
    table = graph.tables[node[3]]
    if not table.watched:
        return
    x = abs(node[2])
    if table.period and x in wraps:
        base, k, c = _split(graph, graph.nodes[wraps[x]][1])  # of (x − x₀)/period
        places = [((border - table.breaks[0]) / table.period - c) / k for border in table.landmarks[:-1]]
        if k and places:
            period = abs(1.0 / k)
            low = min(places)
            wrapped = [low + (place - low) % period for place in places]
            found.setdefault(base, _BordersFound()).repeating.append((wrapped, period, False, True))
        return
    base, k, c = _split(graph, node[2])
    if not k:
        return
    item = found.setdefault(base, _BordersFound())
    if table.folded:
        first = table.breaks[table.breaks < table.breaks[0] + table.folded - 1e-9 * table.folded][1:]
        item.repeating.append((sorted((first - c) / k), abs(table.folded / k), False, False))
        return
    jumps, kinks = table.kinks
    item.smooth += ((table.landmarks - c) / k).tolist()
    item.kinks += ((kinks - c) / k).tolist()
    item.jumps += ((jumps - c) / k).tolist()


def _wraps(graph: Graph, rows: Sequence[int]) -> dict[int, int]:
    """For arguments of periodic tables that nothing else uses, x − P floor((x − x₀)/P): the row of its floor."""
    users: dict[int, list[int]] = {}
    for row in rows:
        for a in op.atom_arguments(graph.nodes[row]):
            users.setdefault(abs(a), []).append(row)
    pieces = [node for node in map(graph.nodes.__getitem__, rows) if node[0] == op.PIECE]
    found: dict[int, int] = {}
    for node in pieces:
        x = abs(node[2])
        if not graph.tables[node[3]].period or x in found:
            continue
        for a in op.atom_arguments(graph.nodes[x]):
            factor = graph.nodes[abs(a)]
            chain = [abs(a), *(abs(b) for b in op.atom_arguments(factor) if factor[0] == op.MUL)]
            floors = [row for row in chain if graph.nodes[row][0] == op.FLOOR]
            if floors and all(user in (x, abs(a)) for user in (*users[floors[0]], *users[abs(a)])):
                found[x] = floors[0]
    others = {abs(node[2]) for node in pieces if not graph.tables[node[3]].period}
    plain = (op.INTERVAL, op.PIECE)
    return {
        x: floor
        for x, floor in found.items()
        if x not in others and all(graph.nodes[user][0] in plain for user in users[x])
    }


def _split(graph: Graph, handle: int) -> tuple[int, float, float]:
    """An atom as k b + c with numbers k and c: (b, k, c); k is 0 for a number."""
    k, c = 1.0, 0.0
    while True:
        if handle < 0:
            handle, k = -handle, -k
        node = graph.nodes[handle]
        code = node[0]
        if code == op.CONSTANT:
            return handle, 0.0, c + k * node[1]
        if code not in (op.ADD, op.SUB, op.MUL, op.DIV):
            return handle, k, c
        x, y = graph.value(node[1]), graph.value(node[2])
        if code in (op.ADD, op.SUB) and (x is not None or y is not None):
            sign = 1.0 if code == op.ADD else -1.0
            if x is not None:
                handle, k, c = node[2], sign * k, c + k * x
            elif y is not None:
                handle, c = node[1], c + sign * k * y
        elif code == op.MUL and x is not None:
            handle, k = node[2], k * x
        elif code == op.DIV and y is not None:
            handle, k = node[1], k / y
        else:
            return handle, k, c


def chooses(atoms: Sequence[Atom]) -> bool:
    """Whether something that some atoms depend on has borders."""
    if not atoms:
        return False
    graph = atoms[0].graph
    return any(graph.nodes[row][0] in _CHOOSING for row in graph.reachable([atom.handle for atom in atoms]))


def all_atoms(*parts: Any) -> list[Atom]:
    """Atoms in arrays, of which some may be missing."""
    return [item for part in parts if part is not None for item in array(part).flat if isinstance(item, Atom)]
