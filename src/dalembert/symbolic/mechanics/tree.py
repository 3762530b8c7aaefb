"""What the tree of bases and the tree of points have in common (railway paper, section 2.1 and figure 1)."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Self, TypeVar, cast

from dalembert.arguments import is_writable, shown, text
from dalembert.errors import SymbolicError, SymbolicTypeError, TreeError

T = TypeVar("T")


class Node:
    """A named node that knows its parent, and keeps what was computed for it."""

    kind = "Node"

    def __init__(self, name: str, parent: Self | None) -> None:
        self.name = text(name, f"{self.kind}: the name", SymbolicError)
        if parent is not None and not isinstance(parent, type(self)):
            raise SymbolicTypeError(f"{self.kind} '{name}': its parent must be a {self.kind}, got {shown(parent)}")
        self.parent = parent
        self.top: Self = self if parent is None else parent.top
        self.depth: int = 0 if parent is None else parent.depth + 1
        self._names: set[str] = set() if parent is None else parent._names
        self._kept: dict[Hashable, Any] = {}

    def _free_name(self, name: str) -> str:
        """``name``, if no other node of this tree has it."""
        if not isinstance(name, str) or not name or not is_writable(name):
            raise SymbolicError(f"{self.kind} below '{self.name}': the name must be a text, got {shown(name)}")
        if name in self._names:
            raise SymbolicError(f"{self.kind} '{name}' exists already in the tree of '{self.top.name}'; "
                                "choose another name")  # fmt: skip
        return name

    def __repr__(self) -> str:
        return f"<{self.kind} '{self.name}'>"

    def same_tree(self, other: Self) -> None:
        """Refuse to combine nodes of two trees."""
        if self.top is not self._alike(other).top:
            things = self.kind.lower() + "s"
            raise TreeError(
                f"{things} '{self.name}' and '{other.name}' belong to different trees, with roots "
                f"'{self.top.name}' and '{other.top.name}'; define one of them, or an ancestor of it, "
                "relative to the other tree"
            )

    def _alike(self, other: Any) -> Self:
        """A node of the same kind."""
        if not isinstance(other, Node) or other.kind != self.kind:
            kind = self.kind.lower()
            raise SymbolicTypeError(f"{kind} '{self.name}' can be combined with a {kind} only, got {shown(other)}")
        return cast(Self, other)

    def is_above(self, other: Self) -> bool:
        """Whether this node is ``other`` or an ancestor of it."""
        node: Self | None = self._alike(other)
        while node is not None and node.depth > self.depth:
            node = node.parent
        return node is self

    def common_ancestor(self, other: Self) -> Self:
        """The deepest node that is above both."""
        self.same_tree(other)
        a: Any = self
        b: Any = other
        while a is not b:
            if a.depth >= b.depth:
                a = a.parent
            else:
                b = b.parent
        result: Self = a
        return result

    def recursion(self, key: Hashable, ancestor: Self, start: T, step: Callable[[T, Self], T]) -> T:
        """A quantity of this node by recursion from ``ancestor``, where it is ``start``.

        ``step`` gets the value of the parent and the node.  Each value on the way is kept under ``key`` and
        ``ancestor``, so what the paths of two nodes share is computed once (railway paper, eq. (3) and (4)).
        A loop, because chains may be longer than Python's stack.
        """
        full_key = (key, ancestor)
        missing: list[Self] = []
        node = self
        while node is not ancestor and full_key not in node._kept:
            missing.append(node)
            assert node.parent is not None, f"'{ancestor.name}' is not above '{self.name}'"
            node = node.parent
        value: T = start if node is ancestor else node._kept[full_key]
        for node in reversed(missing):
            value = node._kept[full_key] = step(value, node)
        return value
