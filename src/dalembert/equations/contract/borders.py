"""Where right sides are not smooth, or hide something: borders of tables, comparisons, whole numbers.

Whatever is written with atoms can be searched for atoms that choose: the interval of a table, a comparison,
``minimum``, ``floor``.  Each compares an argument k b + c with numbers, so b has borders; k and c may depend on
parameters, so that borders are found for the values of a run.  Arguments that depend on time alone give instants at
which steps end; for all others the frame looks along each step at b:

- a step that passes over two borders of b at once may have missed what lies between them, as a bump of a road; it is
  made again so that it ends in their middle; where |b|, b², sin b and such are compared, b has two borders or more,
- a step over a jump is made again so that it ends before the jump, and a tiny one leads across.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.contract.provider import Floats
from dalembert.errors import EquationsError
from dalembert.symbolic import Atom, Graph, array, evaluate, substitute, transplant
from dalembert.symbolic import operations as op
from dalembert.symbolic.evaluate import table_left

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


#: Fewer borders of the motion hide nothing between them.
LEAST = 2


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
class ChosenBy:
    """Something that is chosen where an argument has certain values."""

    argument: Atom
    what: int
    places: Floats
    #: after which places repeat, or 0
    period: float = 0.0
    #: whether periods are counted, or those are the same place
    counted: bool = True

    @property
    def key(self) -> tuple[Any, ...]:
        """What equal ones have in common."""
        return self.argument.handle, self.what, self.places.tobytes(), self.period, self.counted


@dataclass(frozen=True, eq=False)
class Borders:
    """What some equations choose by."""

    #: symbols under the names of inputs of programs
    inputs: Mapping[str, Any]
    choices: tuple[ChosenBy, ...] = ()
    #: whole numbers, which jump
    floors: tuple[Atom, ...] = ()
    #: so many borders make an argument of the motion worth looking at
    least: int = LEAST
    _last: dict[bytes, _KnownBorders] = field(default_factory=dict, init=False, repr=False)

    def watched(self, p: Floats) -> tuple[Watched, ...]:
        """Arguments that steps look at, with the borders that they have with these parameters."""
        return self._found(p).watched if self.choices else ()

    def instants(self, span: tuple[float, float], p: Floats, name: str = "") -> tuple[float, ...]:
        """Instants within a span at which arguments that depend on time alone reach their borders."""
        if not self.choices:
            return ()
        low, high = min(span), max(span)
        found: set[float] = set()
        timed = self._found(p).timed
        others = [one for one in timed if one.argument != self.inputs["t"][0]]
        for one in timed:
            if one.argument == self.inputs["t"][0]:
                found.update(_listed_instants(one.borders, one.period, low, high, name))
        for one in others:
            found.update(self._searched(one, low, high, p, found, name))
        return apart(sorted(t for t in found if low <= t <= high))

    def same(self, p: Floats, other: Floats) -> bool:
        """Whether borders and instants are the same with two values of the parameters."""
        return np.array_equal(p[self._used], other[self._used])

    @cached_property
    def _traits(self) -> dict[int, int]:
        """What all rows that choices depend on depend on themselves."""
        return _traits_of([one.argument for one in self.choices], self.inputs, self.floors)

    @cached_property
    def _used(self) -> NDArray[np.int64]:
        """Numbers of the parameters that choices depend on."""
        rows = [k for k, atom in enumerate(self.inputs["p"]) if abs(atom.handle) in self._traits]
        return np.array(rows, dtype=np.int64)

    @cached_property
    def _resting(self) -> list[int]:
        """Rows that depend on parameters alone, as far as rows that move are made of them."""
        if not self.choices:
            return []
        graph, traits = self.choices[0].argument.graph, self._traits
        parts = {
            abs(a) for row, trait in traits.items() if trait & _MOVING for a in op.atom_arguments(graph.nodes[row])
        }
        return sorted(row for row in parts if not traits[row] & _MOVING and graph.value(row) is None)

    def _found(self, p: Floats) -> _KnownBorders:
        """Borders with these parameters; the last ones are kept."""
        key = p[self._used].tobytes()
        kept = self._last.get(key)
        if kept is None:
            kept = self._find(p)
            self._last.clear()
            self._last[key] = kept
        return kept

    def _find(self, p: Floats) -> _KnownBorders:
        graph = self.choices[0].argument.graph
        given = [(self.inputs["p"][k], float(p[k])) for k in self._used]
        atoms = [Atom(graph, row) for row in self._resting]
        numbers = dict(zip(self._resting, evaluate(array(atoms), given).tolist() if atoms else (), strict=True))
        return _judged(graph, self._traits, _by_base(graph, self.choices, _known(graph, numbers)), self.least)

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
        if not symbols or not self.choices:
            return Borders(inputs, self.choices, self.floors, self.least)
        zero = dict.fromkeys(symbols, 0.0)
        return self._rewritten(inputs, lambda atoms: substitute(atoms, zero))

    def placed(self, inputs: Mapping[str, Any], symbols: Mapping[Any, Any]) -> Borders:
        """The same with other symbols, on the graph of these."""
        graph = inputs["t"][0].graph
        return self._rewritten(inputs, lambda atoms: transplant(atoms, graph, symbols))

    def _rewritten(self, inputs: Mapping[str, Any], write: Callable[[Any], Any]) -> Borders:
        """The same with other arguments, as far as these are no numbers."""
        atoms = [one.argument for one in self.choices] + list(self.floors)
        new = [*write(array(atoms)).flat] if atoms else []
        moving = [isinstance(atom, Atom) and atom.value is None for atom in new]
        n = len(self.choices)
        choices = (replace(one, argument=new[k]) for k, one in enumerate(self.choices) if moving[k])
        floors = (atom for atom, moves in zip(new[n:], moving[n:], strict=True) if moves)
        return Borders(inputs, tuple(choices), tuple(floors), self.least)

    def joined(self, others: Iterable[Borders]) -> Borders:
        """All borders of several, without repetitions."""
        parts = [self, *others]
        choices = {one.key: one for part in parts for one in part.choices}
        floors = {abs(atom.handle): atom for part in parts for atom in part.floors}
        return Borders(self.inputs, tuple(choices.values()), tuple(floors.values()), self.least)


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


def _known(graph: Graph, numbers: Mapping[int, float]) -> Callable[[int], float | None]:
    """Numbers of atoms: constants, and rows that are given."""

    def value(handle: int) -> float | None:
        found = graph.value(handle)
        if found is None and abs(handle) in numbers:
            found = numbers[abs(handle)] if handle > 0 else -numbers[abs(handle)]
        return found

    return value


# ----------------------------------------------------------------------------------------------------------- the search


#: What is at borders: nothing but another piece of a table, a kink, a jump of a table or of a whole number, or a
#: condition, of which it is not known.
_SMOOTH, _KINK, _JUMP, _CONDITION = range(4)


#: What atoms depend on: parameters are no traits.
_TIME, _MOTION, _WHOLE = 1, 2, 4
_MOVING = _TIME | _MOTION
#: So deep sums are taken apart.
_DEPTH = 4


def _traits_of(atoms: Sequence[Atom], inputs: Mapping[str, Any], floors: Iterable[Atom]) -> dict[int, int]:
    """For all rows that some atoms depend on: whether time, the motion or a whole number is in them."""
    t = inputs["t"][0]
    graph, nodes = t.graph, t.graph.nodes
    still = {abs(atom.handle) for atom in inputs["p"]}
    whole = {abs(atom.handle) for atom in floors}
    traits: dict[int, int] = {}
    for row in graph.reachable([atom.handle for atom in atoms]):
        node = nodes[row]
        if node[0] == op.SYMBOL:
            traits[row] = 0 if row in still else _TIME if row == abs(t.handle) else _MOTION
            continue
        found = _WHOLE if row in whole else 0
        for a in op.atom_arguments(node):
            found |= traits[abs(a)]
        traits[row] = found
    return traits


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


@dataclass(frozen=True, eq=False)
class _KnownBorders:
    """Borders with certain values of the parameters."""

    #: arguments that steps look at
    watched: tuple[Watched, ...] = ()
    #: arguments that depend on time alone and change something at their borders
    timed: tuple[Watched, ...] = ()


def borders_of(atoms: Iterable[Any], inputs: Mapping[str, Any], least: int = LEAST) -> Borders:
    """Borders of everything that some atoms of one graph depend on; of the motion where there are so many at least."""
    graph: Graph = inputs["t"][0].graph
    listed = [atom for atom in atoms if isinstance(atom, Atom)]
    rows = graph.reachable([atom.handle for atom in listed])
    if not any(graph.nodes[row][0] in _CHOOSING for row in rows):
        return Borders(inputs, least=least)
    wraps = _wraps(graph, rows)
    wrapped = set(wraps.values())
    floors = [Atom(graph, row) for row in rows if graph.nodes[row][0] == op.FLOOR and row not in wrapped]
    traits = _traits_of(listed, inputs, floors)
    choices: dict[Any, ChosenBy] = {}
    for row in rows:
        for one in _chosen(graph, row, wraps):
            new = replace(one, argument=Atom(graph, _gathered(graph, one.argument.handle, traits)))
            choices.setdefault(new.key, new)
    return _worth_it(Borders(inputs, tuple(choices.values()), tuple(floors), least))


def _worth_it(borders: Borders) -> Borders:
    """Without what is not looked at, whatever values parameters have: single conditions on the motion."""
    if not borders.choices:
        return replace(borders, floors=())
    graph, traits = borders.choices[0].argument.graph, borders._traits
    unknown = _known(graph, dict.fromkeys((row for row in traits if not traits[row] & _MOVING), np.nan))
    bases: list[set[int]] = []
    places: dict[int, set[Any]] = {}
    always: set[int] = set()
    for one in borders.choices:
        found = _unfolded(graph, one.argument.handle, one.places, one.period, unknown)
        bases.append({base for base, _, _ in found if traits[base] & _MOVING})
        for base, values, period in found:
            if period or one.what == _JUMP or traits[base] & _WHOLE or not traits[base] & _MOTION:
                always.add(base)
            # borders that are not known yet are told apart by what they are borders of
            at = places.setdefault(base, set())
            at.update(x if x == x else (abs(one.argument.handle), k) for k, x in enumerate(values.tolist()))
    wanted = always | {base for base, at in places.items() if len(at) >= borders.least}
    choices = tuple(one for one, own in zip(borders.choices, bases, strict=True) if own & wanted)
    return replace(borders, choices=choices, floors=borders.floors if choices else ())


def _by_base(
    graph: Graph, choices: Iterable[ChosenBy], value: Callable[[int], float | None]
) -> dict[int, _BordersFound]:
    """Borders of what the arguments are functions of."""
    found: dict[int, _BordersFound] = {}
    for one in choices:
        for base, borders, period in _unfolded(graph, one.argument.handle, one.places, one.period, value):
            finite = borders[np.isfinite(borders)]
            found.setdefault(base, _BordersFound()).note(one.what, finite, period, one.counted)
    return found


def _judged(graph: Graph, traits: Mapping[int, int], found: Mapping[int, _BordersFound], least: int) -> _KnownBorders:
    """What steps look at, and what gives instants."""
    watched: list[Watched] = []
    timed: list[Watched] = []
    for base, item in sorted(found.items()):
        argument = Atom(graph, base)
        if not traits[base] & _MOVING:
            continue
        if not traits[base] & _MOTION:
            timed += _listed(argument, item.repeating(_KINK, _JUMP, _CONDITION))
            watched += _listed(argument, item.repeating(_SMOOTH), least=LEAST)
        elif traits[base] & _WHOLE:
            watched += _listed(argument, item.repeating(_SMOOTH, _KINK, _JUMP, _CONDITION), jumps=True)
        else:
            watched += _listed(argument, item.repeating(_SMOOTH, _KINK, _CONDITION), least=least)
            watched += _listed(argument, item.repeating(_JUMP), jumps=True)
    return _KnownBorders(tuple(watched), tuple(timed))


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


def _chosen(graph: Graph, row: int, wraps: Mapping[int, int]) -> Iterable[ChosenBy]:
    """What one atom chooses by."""
    node = graph.nodes[row]
    code = node[0]
    if code == op.FLOOR:
        if row not in wraps.values():
            yield ChosenBy(Atom(graph, node[1]), _JUMP, np.zeros(1), 1.0)
    elif code == op.PIECE:
        yield from _chosen_by_table(graph, node, wraps)
    elif code in _CHOOSING:
        handle = graph.add(node[1], -node[2]) if code in _COMPARISONS or code in _BENDING else node[1]
        what = _KINK if code in _BENDING or code == op.ABS else _CONDITION
        yield ChosenBy(Atom(graph, handle), what, np.zeros(1))


def _chosen_by_table(graph: Graph, node: tuple, wraps: Mapping[int, int]) -> Iterable[ChosenBy]:
    table = graph.tables[node[3]]
    if not table.watched:
        return
    jumps, kinks = table.kinks
    argument, x = Atom(graph, node[2]), abs(node[2])
    if table.folded:
        first = table.breaks[table.breaks < table.breaks[0] + table.folded - 1e-9 * table.folded][1:]
        yield ChosenBy(argument, _SMOOTH, first, table.folded, counted=False)
        return
    repeats = bool(table.period) and x in wraps
    landmarks = table.landmarks[:-1] if repeats else table.landmarks
    for what, places in ((_SMOOTH, landmarks), (_KINK, kinks), (_JUMP, jumps)):
        if not places.size:
            continue
        if repeats:
            turns = Atom(graph, graph.nodes[wraps[x]][1])  # (x − x₀)/period
            yield ChosenBy(turns, what, (places - table.breaks[0]) / table.period, 1.0)
        else:
            yield ChosenBy(argument, what, places)


def _gathered(graph: Graph, handle: int, traits: Mapping[int, int]) -> int:
    """The same, with what does not move at the end of the sum: x − (y + c) as (x − y) − c, so that borders of one
    difference are known to be such."""
    return graph.add(*_taken_apart(graph, handle, traits, _DEPTH))


def _taken_apart(graph: Graph, handle: int, traits: Mapping[int, int], depth: int) -> tuple[int, int]:
    """Terms of a sum that move, and those that do not."""
    row = abs(handle)
    trait = traits.get(row, _MOVING)  # a difference that was just written
    if not trait & _MOVING or graph.value(handle) is not None:
        return 0, handle
    node = graph.nodes[row]
    if not depth or node[0] not in (op.ADD, op.SUB):
        return handle, 0
    sign = 1 if handle > 0 else -1
    a, b = sign * node[1], sign * (node[2] if node[0] == op.ADD else -node[2])
    (first, c), (second, d) = (_taken_apart(graph, part, traits, depth - 1) for part in (a, b))
    return (graph.add(first, second), graph.add(c, d)) if c or d else (handle, 0)


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

    Functions that turn would otherwise reach a border and return unseen.  Values that are not known may be NaN; so are
    then all places that depend on them.
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
        inner = np.sqrt(inside[~(inside < 0.0)])
        return _unfolded(graph, b, np.concatenate([middle - inner, middle + inner]), 0.0, value) if inner.size else []
    if code in _BENDING:
        return [part for inner in node[1:3] for part in _unfolded(graph, inner, places, 0.0, value)]
    if code not in turning:
        return [(base, places, 0.0)]
    if code in (op.SIN, op.COS):
        places = places[~(np.abs(places) > 1.0)]
        first = np.arcsin(places) if code == op.SIN else np.arccos(places)
        inner, period = np.concatenate([first, np.pi - first if code == op.SIN else -first]), 2.0 * np.pi
    else:
        inner = places[~(places < 0.0)]
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


def beyond_table(where: str, atoms: Sequence[Atom], values: Mapping[Atom, float]) -> EquationsError | None:
    """An error that tells which table has no value for an argument; None if all have one."""
    found = table_left(array(atoms), values) if atoms else None
    return None if found is None else EquationsError(f"{where}: {found}")


def all_atoms(*parts: Any) -> list[Atom]:
    """Atoms in arrays, of which some may be missing."""
    return [item for part in parts if part is not None for item in array(part).flat if isinstance(item, Atom)]
