"""One step of a recursion under construction: atoms that are read from and written to the arrays of a tree.

Machine code is made once for each pass and kind of joint; links differ only by where their parts of the arrays start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from dalembert.equations.recursion.tree.record import ARRAY
from dalembert.symbolic import Graph, array
from dalembert.symbolic.compiler.runs import RunFunction


class ArrayPart(NamedTuple):
    """Entries of an array, from ``field`` on; ``base`` says what that is counted from (a key of ``PassRuns.bases``)."""

    base: str
    field: int


#: Arrays in which the bases stand.
HOMES = {
    "gravity": ARRAY.CONSTANTS, "constants": ARRAY.CONSTANTS, "q": ARRAY.Q, "v": ARRAY.V, "right": ARRAY.RIGHT,
    **dict.fromkeys(
        ("own", "parent", "world", "sines", "X", "twist", "bias", "wrench", "columns", "composite", "parent composite"),
        ARRAY.VALUES,
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Code:
    """Machine code of a pass for one kind of joint, and the parts of arrays that its offsets stand for."""

    function: RunFunction
    parts: tuple[ArrayPart, ...]


@dataclass
class StepAtoms:
    """Collects what a step reads and writes."""

    graph: Graph = field(default_factory=Graph)
    inputs: dict[str, Any] = field(default_factory=dict)
    outputs: dict[str, Any] = field(default_factory=dict)
    homes: dict[str, int] = field(default_factory=dict)
    reads: list[ArrayPart] = field(default_factory=list)
    writes: list[ArrayPart] = field(default_factory=list)

    def read(self, base: str, start: int, size: int) -> list[Any]:
        """Symbols for ``size`` entries."""
        name = f"in{len(self.inputs)}"
        self.inputs[name] = self.graph.variables(f"{name}_", size)
        self.homes[name] = HOMES[base]
        self.reads.append(ArrayPart(base, start))
        return list(self.inputs[name])

    def write(self, base: str, start: int, values: Sequence[Any]) -> None:
        """Leave values; a step reads everything before it writes."""
        name = f"out{len(self.outputs)}"
        self.outputs[name] = array(list(values))
        self.homes[name] = HOMES[base]
        self.writes.append(ArrayPart(base, start))

    def code(self, name: str) -> Code:
        # All programs have the same arguments, whichever arrays they touch.
        if ARRAY.VALUES not in self.homes.values():
            self.read("own", 0, 1)
        return Code(RunFunction(self.outputs, self.inputs, self.homes, name), (*self.reads, *self.writes))
