"""Parts of an object that are made when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Any, Generic, Protocol, TypeVar, overload

T = TypeVar("T")


class Locked(Protocol):
    """Something with a lock of its own."""

    lock: RLock


class made_once(Generic[T]):  # noqa: N801
    """A property whose value is made once, under the lock of its object, whatever threads ask for it."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make, self._name, self.__doc__ = make, "", make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, owner: None, kind: type) -> made_once[T]: ...

    @overload
    def __get__(self, owner: Locked, kind: type) -> T: ...

    def __get__(self, owner: Any, kind: type) -> Any:
        if owner is None:
            return self
        with owner.lock:
            if self._name not in owner.__dict__:  # later it is found there, and not here
                owner.__dict__[self._name] = self._make(owner)
        return owner.__dict__[self._name]
