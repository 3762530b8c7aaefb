"""What is derived from equations and kept with them: made once, by whoever asks first.

One lock for all: equations, their modes and their sensors write on the same graphs, which one thread at a time may do.
Whoever finds a value made already does not wait.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

_Value = TypeVar("_Value")

#: Held by whoever makes something; also to be held where atoms are written on the graph of some equations.
MAKING = threading.RLock()


_MISSING: Any = object()


class Keeper:
    """Values under keys, each made when it is first asked for."""

    def __init__(self) -> None:
        self._values: dict[Hashable, Any] = {}

    def __call__(self, key: Hashable, make: Callable[[], _Value]) -> _Value:
        """The value under ``key``; ``make()`` if there is none yet, which no other thread does meanwhile."""
        found: _Value = self._values.get(key, _MISSING)
        if found is _MISSING:
            with MAKING:
                if key not in self._values:
                    self._values[key] = make()
                found = self._values[key]
        return found
