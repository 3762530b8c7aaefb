"""Parts of a solution that are computed when they are asked for: outputs, the appearance, the checkpoint."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterable, Iterator, MutableMapping, ValuesView
from threading import RLock
from typing import Any

from dalembert.arguments import shown
from dalembert.solution.dense_output import Array
from dalembert.solution.solution_errors import SolutionError


class Deferred:
    """Something that is made when somebody looks at it: most runs are never drawn, nor resumed."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make: Callable[[], Any] | None = make
        self._found: Any = None

    def settled(self) -> Any:
        """It, made at the first call."""
        if self._make is not None:
            self._found, self._make = self._make(), None
        return self._found

    def __reduce__(self) -> Any:
        return _kept, (self.settled(),)


def _kept(found: Any) -> Any:
    """What a pickled :class:`Deferred` comes back as."""
    return found


class DeferredField:
    """An attribute of a solution: None, an object of its kind, or one that is made when it is read."""

    def kind(self) -> type:
        """What it may be."""
        raise NotImplementedError

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, solution: Any, owner: Any = None) -> Any:
        if solution is None:
            return None  # the default of the field
        found = solution.__dict__.get(f"_{self.name}")
        if isinstance(found, Deferred):
            found = solution.__dict__[f"_{self.name}"] = found.settled()
        return found

    def __set__(self, solution: Any, value: Any) -> None:
        if value is not None and not isinstance(value, Deferred) and not isinstance(value, self.kind()):
            kind = self.kind().__name__
            article = "an" if kind[0] in "AEIOU" else "a"
            raise SolutionError(f"Solution: {self.name} must be {article} {kind}, got {shown(value)}")
        solution.__dict__[f"_{self.name}"] = value


class DeferredOutputs(MutableMapping[str, Array]):
    """Arrays by name, some of which are there, and others by a function that computes all of these at once.

    The function is called when one of its names is looked up, or all values are: to be stored, pickled or shown.  Which
    names there are is known before.
    """

    def __init__(self, known: dict[str, Array], names: Iterable[str], compute: Callable[[], dict[str, Array]]) -> None:
        self._known, self._deferred = known, dict.fromkeys(names)
        self._compute: Callable[[], dict[str, Array]] | None = compute
        self._lock = RLock()

    def settled(self) -> dict[str, Array]:
        """All values; what could not be computed is missing."""
        with self._lock:
            if self._compute is not None:
                found = self._compute()
                self._known |= {name: found[name] for name in self._deferred if name in found}
                self._deferred, self._compute = {}, None
        return self._known

    def __getitem__(self, name: str) -> Array:
        return self.settled()[name] if name in self._deferred else self._known[name]

    def __setitem__(self, name: str, rows: Array) -> None:
        with self._lock:
            self._deferred.pop(name, None)
            self._known[name] = rows

    def __delitem__(self, name: str) -> None:
        del self.settled()[name]

    def __iter__(self) -> Iterator[str]:
        return iter([*self._known, *self._deferred])

    def __len__(self) -> int:
        return len(self._known) + len(self._deferred)

    def __contains__(self, name: object) -> bool:
        return name in self._known or name in self._deferred

    def items(self) -> ItemsView[str, Array]:
        return self.settled().items()

    def values(self) -> ValuesView[Array]:
        return self.settled().values()

    def __repr__(self) -> str:
        return f"<outputs {', '.join(self)}>"

    def __reduce__(self) -> Any:
        return dict, (self.settled(),)
