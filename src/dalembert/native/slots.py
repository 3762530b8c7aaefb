"""The memory of a run: three arrays, and named slots in them.

``ints`` holds whole numbers, then the directory of vectors and the vectors of whole numbers; ``reals`` holds real
numbers, then vectors of them.  Both together are the whole state of a run: stored and loaded, it goes on bit for bit.
``table`` holds addresses and is made anew by each process.

A class declares its slots once, each with its meaning::

    class Memory(Run):
        n_q: int = integer("coordinates")
        h: float = real("size of the next step")
        q: Reals = reals("n_q", "coordinates at the point of evaluation")

and ``run.q``, ``run.h = 0.5 * run.h`` mean the same in kernels, where they cost a load or a store at a known place
(:mod:`~dalembert.native.pointers`), and in Python.  A class that extends another one keeps the places of its slots, so
that a function of the first works on memory of the second.  Slots that classes of different families have in common
stand in a :class:`SlotGroup`; functions of such a group are compiled for each class that takes it.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dalembert.errors import SimulationError

#: Annotations of compiled functions: contiguous vectors of real, whole and complex numbers.
Reals: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Complexes: TypeAlias = NDArray[np.complex128]

INTEGER, REAL, REALS, INTEGERS, COMPLEXES, ADDRESS, ADDRESSES = (
    "integer", "real", "reals", "integers", "complexes", "address", "addresses"
)  # fmt: skip
#: Vectors have an entry in the directory: where they start, and how long they are.
_VECTORS = (REALS, INTEGERS, COMPLEXES)
#: Lengths of the three arrays stand in front.
HEADER = 3
#: Numbers that the memory of a run may hold, reals or whole ones.
LARGEST_MEMORY = 1 << 33
#: Vectors of reals start at cache lines.
_LINE = 8
_R = TypeVar("_R", bound="Run")


def address_of(array: NDArray[Any]) -> int:
    """Where the numbers of an array begin that can be written and is contiguous; thrice as fast as ``ctypes.data``."""
    return ctypes.addressof(ctypes.c_char.from_buffer(array.data)) if array.size else int(array.ctypes.data)


class Slot:
    """A named place in the memory of a run; made by :func:`integer`, :func:`real`, :func:`reals` and their like."""

    __slots__ = ("count", "kind", "meaning", "name", "owner", "part_of", "place", "size", "within")

    def __init__(
        self,
        kind: str,
        meaning: str,
        size: str = "",
        count: int = 1,
        within: tuple[str, str] | None = None,
        part_of: tuple[str, str] | None = None,
    ) -> None:
        self.kind, self.meaning, self.size, self.count, self.within = kind, meaning, size, count, within
        self.part_of = part_of
        self.name, self.owner, self.place = "", "", -1

    def __get__(self, run: Run | None, owner: Any) -> Any:
        if run is None:
            return self
        kind, place = self.kind, self.place
        if kind == INTEGER:
            return run.ints.item(place)
        if kind == REAL:
            return run.reals.item(place)
        if kind == ADDRESS:
            return run.table.item(place)
        if kind == ADDRESSES:
            return run.table[place : place + self.count]
        start, size = run.ints.item(place), run.ints.item(place + 1)
        if kind == REALS:
            return run.reals[start : start + size]
        if kind == INTEGERS:
            return run.ints[start : start + size]
        return run.reals[start : start + 2 * size].view(np.complex128)

    def __set__(self, run: Run, value: Any) -> None:
        if self.kind == INTEGER:
            run.ints[self.place] = value
        elif self.kind == REAL:
            run.reals[self.place] = value
        elif self.kind == ADDRESS:
            run.table[self.place] = value
        else:
            raise AttributeError(f"'{self.name}' is a vector: set its entries, run.{self.name}[:] = …")


#: Bounds of whole numbers that change during a run: those that say yes or no, and counters.
FLAG = ("0", "1")
COUNT = ("0", str(2**53))


def integer(meaning: str, within: tuple[str, str] | None = None) -> Any:
    """A whole number.  One that changes during a run lies ``within`` two bounds, expressions of slots that are whole
    numbers: a stored run is held against them before it goes on.  Without bounds it stays what the run begins with."""
    return Slot(INTEGER, meaning, within=within)


def real(meaning: str) -> Any:
    """A real number."""
    return Slot(REAL, meaning)


def reals(size: str, meaning: str) -> Any:
    """A vector of reals; its size is an expression of slots that are whole numbers, or empty where a run tells it."""
    return Slot(REALS, meaning, size)


def part(whole: str, start: str, size: str, meaning: str) -> Any:
    """Some entries of a vector of reals that was declared before, from the one with the number ``start`` on, under a
    name of their own."""
    return Slot(REALS, meaning, size, part_of=(whole, start))


def integers(size: str, meaning: str, within: tuple[str, str] | None = None) -> Any:
    """A vector of whole numbers; see :func:`reals`, and :func:`integer` for bounds of its entries."""
    return Slot(INTEGERS, meaning, size, within=within)


def complexes(size: str, meaning: str) -> Any:
    """A vector of complex numbers; see :func:`reals`."""
    return Slot(COMPLEXES, meaning, size)


def address(meaning: str) -> Any:
    """The address of something that kernels call or work on."""
    return Slot(ADDRESS, meaning)


def addresses(count: int, meaning: str) -> Any:
    """A fixed number of addresses, one after the other."""
    return Slot(ADDRESSES, meaning, str(count), count)


class SlotGroup:
    """Slots that are declared once for several classes, none of which extends another: a class takes them by naming the
    group behind the class that it extends. A group may extend another one."""

    __slots__ = ()


class _Closed(type):
    """Classes whose objects have the attributes that are declared and no others: misspelt names are refused."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> Any:
        return super().__new__(cls, name, bases, {"__slots__": (), **namespace})


class Run(metaclass=_Closed):
    """The memory of a run: addresses, whole numbers, real numbers.

    ``ints`` starts with the lengths of the three arrays.  ``ints`` and ``reals`` are the whole state of a run and can
    be stored; ``table`` is made anew in each process.  Subclasses declare slots.
    """

    __slots__ = ("ints", "reals", "table")
    #: all slots by name, those of base classes first
    slots: ClassVar[Mapping[str, Slot]] = {}
    #: numbers of places that slots take: of whole numbers with the directory, of reals, of addresses
    n_words: ClassVar[int] = HEADER
    n_scalars: ClassVar[int] = 0
    n_addresses: ClassVar[int] = 0

    def __init__(self, table: Ints, ints: Ints, reals: Reals) -> None:
        self.table, self.ints, self.reals = table, ints, reals

    @classmethod
    def fingerprint(cls) -> str:
        """Of the names, kinds and places of all slots."""
        places = [(name, slot.kind, slot.place, slot.count) for name, slot in cls.slots.items()]
        return hashlib.sha256(repr(places).encode()).hexdigest()[:16]

    def __init_subclass__(cls) -> None:
        """Give the slots of a class their places, behind those of the class that it extends."""
        bases = [base for base in cls.__bases__ if issubclass(base, Run)]
        if len(bases) != 1:
            raise TypeError(f"{cls.__name__}: the memory of a run extends one other, so that all places stay")
        own = _slots_of_groups(cls) | {name: slot for name, slot in vars(cls).items() if isinstance(slot, Slot)}
        if taken := [name for name in own if name in bases[0].slots or name in Run.__slots__]:
            raise TypeError(f"{cls.__name__}: '{taken[0]}' is a slot of {bases[0].__name__} already")
        cls.slots = {**bases[0].slots, **own}
        words, scalars, addresses = bases[0].n_words, bases[0].n_scalars, bases[0].n_addresses
        for name, slot in own.items():
            slot.name, slot.owner = name, cls.__name__
            if slot.kind == REAL:
                slot.place, scalars = scalars, scalars + 1
            elif slot.kind in (ADDRESS, ADDRESSES):
                slot.place, addresses = addresses, addresses + slot.count
            else:
                slot.place, words = words, words + (2 if slot.kind in _VECTORS else 1)
        cls.n_words, cls.n_scalars, cls.n_addresses = words, scalars, addresses


def _slots_of_groups(kind: type[Run]) -> dict[str, Slot]:
    """Slots of the groups that a class takes, as its own."""
    found = {}
    for taken in kind.__bases__:
        if not issubclass(taken, SlotGroup) or issubclass(taken, Run):
            continue
        for group in reversed(taken.__mro__):  # those that a group extends, first
            for name, slot in vars(group).items():
                if isinstance(slot, Slot):
                    found[name] = Slot(slot.kind, slot.meaning, slot.size, slot.count, slot.within, slot.part_of)
                    setattr(kind, name, found[name])
    return found


class MemoryMap(NamedTuple):
    """Where everything stands in the memory of one kind of run, and what it begins with: ints, the reals that are no
    vectors, addresses, and places of the table that point to vectors of reals."""

    kind: type[Run]
    ints: Ints
    n_reals: int
    scalars: Reals
    table: Ints
    pointers: Ints  # places in the table
    targets: Ints  # where in the reals they point to

    def allocate(self) -> Run:
        """Arrays of a new run."""
        run = self.kind(self.table.copy(), self.ints.copy(), np.zeros(self.n_reals))
        run.reals[: self.scalars.size] = self.scalars
        run.table[self.pointers] = address_of(run.reals) + 8 * self.targets
        return run

    def beginning_with(self, run: Run, pointers: Mapping[int, str]) -> MemoryMap:
        """The map of runs that begin with the whole numbers, real numbers and addresses of this one; ``pointers`` are
        places of the table by the vectors of reals that they point to."""
        targets = [int(run.ints[self.kind.slots[name].place]) for name in pointers.values()]
        return self._replace(
            ints=run.ints.copy(), scalars=run.reals[: self.kind.n_scalars].copy(), table=run.table.copy(),
            pointers=np.array(list(pointers), dtype=np.int64), targets=np.array(targets, dtype=np.int64),
        )  # fmt: skip


def lay_out(
    kind: type[Run], values: Mapping[str, int], contents: Mapping[str, ArrayLike], sizes: Mapping[str, int]
) -> MemoryMap:
    """Map of a memory with these whole numbers, these contents of vectors of whole numbers, and these sizes of vectors
    whose declaration leaves them open (others are empty)."""
    for name in (*values, *contents, *sizes):
        if name not in kind.slots:
            raise KeyError(f"{kind.__name__} has no slot '{name}'")
    known: dict[str, int] = {name: 0 for name, slot in kind.slots.items() if slot.kind == INTEGER}
    known |= {name: int(value) for name, value in values.items()}
    words, at = kind.n_words, -(-kind.n_scalars // _LINE) * _LINE
    head: list[tuple[int, int]] = [(kind.slots[name].place, known[name]) for name in known]
    filled: list[tuple[int, NDArray[np.int64]]] = []
    starts: dict[str, int] = {}
    for name, slot in kind.slots.items():
        if slot.kind not in _VECTORS:
            continue
        content = contents.get(name)
        if content is not None:
            size = len(content)  # type: ignore[arg-type]
        else:
            size = sizes[name] if name in sizes else _size(slot, known)
        if slot.kind == INTEGERS:
            head += [(slot.place, words), (slot.place + 1, size)]
            if content is not None and size:
                filled.append((words, np.asarray(content, dtype=np.int64)))
            words += size
        elif slot.part_of is not None:
            whole, start = slot.part_of
            head += [(slot.place, starts[whole] + _value(start, known)), (slot.place + 1, size)]
        else:
            starts[name] = at
            head += [(slot.place, at), (slot.place + 1, size)]
            at += -(-(size * (2 if slot.kind == COMPLEXES else 1)) // _LINE) * _LINE
    if max(words, at) > LARGEST_MEMORY:
        raise SimulationError(
            f"the memory of such a run would hold {max(words, at)} numbers, which is more than {LARGEST_MEMORY}; a "
            "sparse solver, fewer events or fewer check points for them need less"
        )
    ints = np.zeros(words, dtype=np.int64)
    for place, value in head:
        ints[place] = value
    for place, given in filled:
        ints[place : place + len(given)] = given
    n_reals = max(at, 1)
    ints[:HEADER] = kind.n_addresses, words, n_reals
    none = np.zeros(0, dtype=np.int64)
    return MemoryMap(
        kind, ints, n_reals, np.zeros(kind.n_scalars), np.zeros(kind.n_addresses, dtype=np.int64), none, none
    )


def _size(slot: Slot, known: Mapping[str, int]) -> int:
    """Size of a vector from the expression of its declaration."""
    return _value(slot.size, known) if slot.size else 0


def _value(expression: str, known: Mapping[str, int]) -> int:
    """Value of an expression of whole numbers, as a declaration of a slot has them."""
    return int(eval(expression, {"max": max, "min": min}, dict(known)))


def places_of(run: Run, name: str) -> slice:
    """Where a whole number or a vector of them stands among the ints of a run."""
    slot = run.slots[name]
    if slot.kind == INTEGER:
        return slice(slot.place, slot.place + 1)
    start, size = (int(word) for word in run.ints[slot.place : slot.place + 2])
    return slice(start, start + size)


def bounds(run: Run) -> tuple[Ints, Ints]:
    """Least and largest value of each of the ints of a run; of what never changes the value that it has."""
    least, largest = run.ints.copy(), run.ints.copy()
    known = {name: int(run.ints[slot.place]) for name, slot in run.slots.items() if slot.kind == INTEGER}
    for name, slot in run.slots.items():
        if slot.within is not None:
            at = places_of(run, name)
            least[at], largest[at] = (_value(bound, known) for bound in slot.within)
    return least, largest


def name_of_place(run: Run, place: int) -> str:
    """The slot that one of the ints of a run belongs to."""
    for name, slot in run.slots.items():
        if slot.kind in (INTEGER, *_VECTORS) and slot.place <= place < slot.place + 1 + (slot.kind in _VECTORS):
            return name
        if slot.kind == INTEGERS and place in range(*places_of(run, name).indices(len(run.ints))):
            return name
    return "header"


def kinds() -> Iterator[type[Run]]:
    """All classes with slots of the modules that were imported so far."""
    waiting = [Run]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind is not Run:
            yield kind
