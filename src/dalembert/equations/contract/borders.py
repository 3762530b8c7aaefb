"""Where right sides are not smooth, or hide something: borders of tables, comparisons, whole numbers.

Whatever is written with atoms can be searched for atoms that choose: the interval of a table, a comparison,
``minimum``, ``floor``.  Each compares an argument k b + c with numbers, so b has borders.  Arguments that depend on
time alone give instants at which steps end; for all others the frame looks along each step at b:

- a step that passes over two borders of b at once may have missed what lies between them, as a bump of a road; it is
  made again so that it ends in their middle; where |b|, b², sin b and such are compared, b has two borders or more,
- a step over a jump is made again so that it ends before the jump, and a tiny one leads across.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from dalembert.equations.contract.provider import Floats
from dalembert.errors import EquationsError
from dalembert.symbolic import Atom, Graph, array, evaluate, substitute, symbols, transplant
from dalembert.symbolic import operations as op

#: Cells of a span in which functions of time that are none of k t + c are searched for borders, each at five points;
#: cells that may hide something are divided, and these are the most that are looked at.
_CELLS, _MOST_CELLS = 1024, 1 << 20
_QUARTERS = np.linspace(0.0, 1.0, 5)
#: Part of a cell, at its ends, that is left out: there something may jump.
_INSET = 1e-9
#: Part of the largest value of such a function that is noise.
_NOISE = 1e-13
_BISECTIONS = 60
_EPS = float(np.finfo(float).eps)
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
        if not self.timed:
            return ()
        low, high = min(span), max(span)
        graph = self.inputs["t"][0].graph
        value = _known(graph, self.inputs["p"], p)
        found: set[float] = set()
        others: list[Watched] = []
        for one in self.timed:
            for base, borders, period in _unfolded(graph, one.argument.handle, one.borders, one.period, value):
                if Atom(graph, base) == self.inputs["t"][0]:
                    found.update(_listed_instants(borders, period, low, high, name))
                else:
                    others.append(_repeated(Atom(graph, base), borders, period))
        for one in others:
            found.update(self._searched(one, low, high, p, found, name))
        return apart(sorted(t for t in found if low <= t <= high))

    @cached_property
    def parametric(self) -> bool:
        """Whether such instants depend on parameters."""
        used = {symbol.handle for one in self.timed for symbol in symbols(one.argument)}
        return bool(used) and any(parameter.handle in used for parameter in self.inputs["p"])

    def _searched(
        self, one: Watched, low: float, high: float, p: Floats, known: Iterable[float], name: str
    ) -> Iterable[float]:
        """Instants of a function of time that is none of k t + c: between those that are known, at which it may jump,
        cells are divided as long as it may reach a border and return within one."""
        values = [*zip(self.inputs["p"], p.tolist(), strict=True)]

        def argument(times: Floats) -> Floats:
            return np.broadcast_to(evaluate(one.argument, [*values, (self.inputs["t"][0], times)]), times.shape)

        k = np.arange(1.0, _CELLS)
        grid = (k + 0.3 * (0.618 * k % 1.0 - 0.5)) / _CELLS  # not even, which may be in step with the function
        ends = np.unique([low, *(low + (high - low) * grid), *(t for t in known if low < t < high), high])
        left, right = ends[:-1], ends[1:]
        smallest = 64.0 * _EPS * np.maximum(np.abs(left), 1e-3 * (high - low))
        aside = np.maximum(_INSET * (right - left), 0.125 * smallest)
        left, right = left + aside, right - aside
        left, right = left[left < right], right[left < right]
        looked, noise, crossed = 0, -1.0, []
        while left.size:
            looked += left.size
            if looked > _MOST_CELLS:
                raise EquationsError(
                    f"'{name}': a function of time changes so often between t = {low:g} and {high:g} that the "
                    "instants at which it meets a condition, a table or a whole number cannot be found; simulate a "
                    "shorter span, or write it by t % period"
                )
            times = left[:, None] + (right - left)[:, None] * _QUARTERS
            x = argument(times)
            noise = noise if noise >= 0.0 else _NOISE * float(np.max(np.abs(x), initial=0.0, where=np.isfinite(x)))
            with np.errstate(invalid="ignore"):
                bend = np.max(np.abs(x[:, 2:] - 2.0 * x[:, 1:-1] + x[:, :-2]), axis=1)[:, None]
                lowest, highest = np.minimum(x[:, 1:], x[:, :-1]) - bend, np.maximum(x[:, 1:], x[:, :-1]) + bend
                reached = (one.places(lowest) != one.places(highest)) & (highest - lowest > noise)
                passed = np.diff(one.places(x), axis=1)
                plain = (np.abs(passed) == 1.0) & (np.abs(np.diff(x, axis=1)) > 2.0 * bend)
            a, b = times[:, :-1], times[:, 1:]
            again = reached & ~plain & (b - a > 64.0 * _EPS * np.maximum(np.abs(a), 1e-3 * (high - low)))
            done = (passed != 0.0) & ~again
            crossed.append((a[done], b[done]))
            left, right = a[again], b[again]
        left, right = (np.concatenate(side) for side in zip(*crossed, strict=True)) if crossed else (left, right)
        before = one.places(argument(left))
        for _ in range(_BISECTIONS):
            middle = 0.5 * (left + right)
            same = one.places(argument(middle)) == before
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
        if not kept or t - kept[-1] > 64.0 * _EPS * max(abs(t), abs(kept[-1])):
            kept.append(t)
    return tuple(kept)


def _listed_instants(borders: Floats, period: float, low: float, high: float, name: str) -> Iterable[float]:
    """Borders of the time itself within a span."""
    if not period:
        return (float(x) for x in borders)
    first, last = (np.floor((x - borders[0]) / period) for x in (low, high))
    if (last - first) * len(borders) > _MOST_INSTANTS:
        raise EquationsError(
            f"'{name}': a function of time has more than {_MOST_INSTANTS} jumps between t = {low:g} and {high:g}, one "
            f"after {period:g}; simulate a shorter span, or smooth it"
        )
    return (float(x + k * period) for k in np.arange(first - 1.0, last + 2.0) for x in borders)


def _known(graph: Graph, symbols: Sequence[Atom], p: Floats) -> Callable[[int], float | None]:
    """Numbers of atoms that depend on parameters alone."""
    rows = {abs(atom.handle) for atom in symbols}
    values = [*zip(symbols, p.tolist(), strict=True)]

    def value(handle: int) -> float | None:
        found = graph.value(handle)
        if found is None and {row for row in graph.reachable([handle]) if graph.nodes[row][0] == op.SYMBOL} <= rows:
            found = float(evaluate(Atom(graph, handle), values))
        return found

    return value


# ----------------------------------------------------------------------------------------------------------- the search


#: What is at borders: nothing but another piece of a table, a kink, a jump of a table or of a whole number, or a
#: condition, of which it is not known.
_SMOOTH, _KINK, _JUMP, _CONDITION = range(4)


class _BordersFound:
    """Borders of one argument."""

    def __init__(self) -> None:
        #: by (what is there, period, whether periods are counted)
        self.places: dict[tuple[int, float, bool], list[float]] = {}

    def note(self, what: int, places: Iterable[float], period: float = 0.0, counted: bool = True) -> None:
        self.places.setdefault((what, period, counted), []).extend(float(x) for x in places)

    def repeating(self, *kinds: int) -> Iterable[tuple[list[float], float, bool]]:
        """Borders of some kinds, together for each period."""
        together: dict[tuple[float, bool], list[float]] = {}
        for (what, period, counted), places in self.places.items():
            if what in kinds:
                together.setdefault((period, counted), []).extend(places)
        return [(places, period, counted) for (period, counted), places in together.items()]


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
        if in_time:
            timed += _listed(argument, item.repeating(_KINK, _JUMP, _CONDITION))
            watched += _listed(argument, item.repeating(_SMOOTH), least=2)
        elif jumping.intersection(below):
            watched += _listed(argument, item.repeating(_SMOOTH, _KINK, _JUMP, _CONDITION), jumps=True)
        else:
            watched += _listed(argument, item.repeating(_SMOOTH, _KINK, _CONDITION), least=2)
            watched += _listed(argument, item.repeating(_JUMP), jumps=True)
    return Borders(inputs, tuple(watched), tuple(timed))


def _listed(
    argument: Atom, found: Iterable[tuple[list[float], float, bool]], least: int = 1, jumps: bool = False
) -> list[Watched]:
    """Arguments with so many borders at least, or with such that repeat."""
    all_of_them = [_repeated(argument, places, period, jumps, counted) for places, period, counted in found]
    return [one for one in all_of_them if one.borders.size and (one.period or one.borders.size >= least)]


def _repeated(
    argument: Atom, places: Iterable[float], period: float, jumps: bool = False, counted: bool = True
) -> Watched:
    """An argument with borders in order, those that repeat within one period."""
    unique = np.unique(np.array([*places], dtype=float))
    if period and unique.size:
        unique = np.unique(unique[0] + (unique - unique[0]) % period)
        unique = unique[np.append(np.diff(unique), unique[0] + period - unique[-1]) > 1e-12 * period]
    return Watched(argument, unique, jumps, period, counted)


_COMPARISONS = (op.LT, op.LE, op.EQ)
_BENDING = (op.MIN, op.MAX)
_CHOOSING = frozenset({*_COMPARISONS, *_BENDING, op.ABS, op.SIGN, op.FLOOR, op.PIECE})


def _look_at(graph: Graph, row: int, wraps: Mapping[int, int], found: dict[int, _BordersFound]) -> None:
    """Note the borders of one atom."""
    node = graph.nodes[row]
    code = node[0]
    if code == op.FLOOR:
        if row not in wraps.values():
            _note(graph, node[1], _JUMP, [0.0], found, 1.0)
    elif code == op.PIECE:
        _look_at_table(graph, node, wraps, found)
    elif code in _CHOOSING:
        handle = graph.add(node[1], -node[2]) if code in _COMPARISONS or code in _BENDING else node[1]
        _note(graph, handle, _KINK if code in _BENDING or code == op.ABS else _CONDITION, [0.0], found)


def _note(
    graph: Graph,
    handle: int,
    what: int,
    places: Sequence[float] | Floats,
    found: dict[int, _BordersFound],
    period: float = 0.0,
) -> None:
    """Note what is where an atom has such values, at what it is a function of."""
    for base, borders, repeating in _unfolded(graph, handle, np.array(places, dtype=float), period, graph.value):
        found.setdefault(base, _BordersFound()).note(what, borders, repeating)


def _look_at_table(graph: Graph, node: tuple, wraps: Mapping[int, int], found: dict[int, _BordersFound]) -> None:
    table = graph.tables[node[3]]
    if not table.watched:
        return
    jumps, kinks = table.kinks
    x = abs(node[2])
    if table.folded:
        base, k, c = _split(graph, node[2], graph.value)
        first = table.breaks[table.breaks < table.breaks[0] + table.folded - 1e-9 * table.folded][1:]
        if k:
            found.setdefault(base, _BordersFound()).note(_SMOOTH, (first - c) / k, abs(table.folded / k), False)
        return
    if table.period and x in wraps:
        handle = graph.nodes[wraps[x]][1]  # (x − x₀)/period
        for what, places in ((_SMOOTH, table.landmarks[:-1]), (_KINK, kinks), (_JUMP, jumps)):
            if places.size:
                _note(graph, handle, what, (places - table.breaks[0]) / table.period, found, 1.0)
        return
    for what, places in ((_SMOOTH, table.landmarks), (_KINK, kinks), (_JUMP, jumps)):
        _note(graph, node[2], what, places, found)


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


def _unfolded(
    graph: Graph, handle: int, places: Floats, period: float, value: Callable[[int], float | None]
) -> list[tuple[int, Floats, float]]:
    """Where an atom has such values, in terms of what it is a function of: y = ±c where |y| = c.

    Functions that turn would otherwise reach a border and return unseen.
    """
    base, k, c = _split(graph, handle, value)
    if not k:
        return []
    places = (places - c) / k
    if period:
        return [(base, places, abs(period / k))]
    node = graph.nodes[base]
    code = node[0]
    turning = (op.ABS, op.SQRT, op.SIN, op.COS)
    if code == op.MUL:
        (b, k1, c1), (other, k2, c2) = (_split(graph, factor, value) for factor in node[1:3])
        if b != other or not k1 * k2:
            return [(base, places, 0.0)]
        # (k₁ b + c₁)(k₂ b + c₂) has such values at two places at most
        middle, half = -0.5 * (c1 / k1 + c2 / k2), 0.5 * (c1 / k1 - c2 / k2)
        inside = places / (k1 * k2) + half**2
        inner = np.sqrt(inside[inside >= 0.0])
        return _unfolded(graph, b, np.concatenate([middle - inner, middle + inner]), 0.0, value) if inner.size else []
    if code in _BENDING:
        return [part for inner in node[1:3] for part in _unfolded(graph, inner, places, 0.0, value)]
    if code not in turning:
        return [(base, places, 0.0)]
    if code in (op.SIN, op.COS):
        places = places[np.abs(places) <= 1.0]
        first = np.arcsin(places) if code == op.SIN else np.arccos(places)
        inner, period = np.concatenate([first, np.pi - first if code == op.SIN else -first]), 2.0 * np.pi
    else:
        inner = places[places >= 0.0]
        inner = inner**2 if code == op.SQRT else inner
    if code == op.ABS:
        inner = np.concatenate([-inner, inner])
    return _unfolded(graph, node[1], inner, period, value) if inner.size else []


def _split(graph: Graph, handle: int, value: Callable[[int], float | None]) -> tuple[int, float, float]:
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
        x, y = value(node[1]), value(node[2])
        if code in (op.ADD, op.SUB) and (x is not None or y is not None):
            sign = 1.0 if code == op.ADD else -1.0
            if x is not None:
                handle, k, c = node[2], sign * k, c + k * x
            elif y is not None:
                handle, c = node[1], c + sign * k * y
        elif code == op.MUL and x is not None:
            handle, k = node[2], k * x
        elif code == op.MUL and y is not None:
            handle, k = node[1], k * y
        elif code == op.DIV and y is not None and y:
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
