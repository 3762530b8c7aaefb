"""Members of the state: name, size, meaning; printed in the header and counted in the README.  Constant arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dalembert.symbolic.emit.c_text import plain, wrapped


@dataclass(frozen=True)
class Member:
    """An array of doubles or whole numbers; ``length`` is the expression for its size in C, empty for one number."""

    name: str
    length: str
    size: int
    meaning: str
    kind: str = "double"

    @property
    def declaration(self) -> str:
        """As it stands in the struct."""
        return f"{self.kind} {self.name}[{self.length}];" if self.length else f"{self.kind} {self.name};"


def printed(members: Iterable[Member]) -> str:
    """Declarations with comments below each other; those of size zero are left away."""
    kept = [one for one in members if one.size]
    width = max((len(one.declaration) for one in kept), default=0)
    return "\n".join(f"    {one.declaration:<{width}}  /* {plain(one.meaning)} */" for one in kept)


def doubles(members: Iterable[Member]) -> int:
    """How many there are."""
    return sum(one.size for one in members if one.kind == "double")


def integers(name: str, values: Sequence[int]) -> str:
    """An array of whole numbers that never change."""
    lines = "\n".join(f"    {line}" for line in wrapped(map(str, values)))
    return f"static const int {name}[{len(values)}] = {{\n{lines}\n}};\n"
