"""Atoms and operations of functions, as in Table 2 of the railway paper.

An *operation* is one elementary step of the code that is evaluated: a sum, difference, product, quotient, negation,
comparison, choice or function call.  Numbers, inputs, loads and stores are none.  An *atom* is an operation whose
result is kept under a name because it is used more than once; the other operations appear only inside the formula of an
atom or of a result.  Both are counted after sharing and rewriting, for each function by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from dalembert.arguments import named, shown, whole
from dalembert.errors import SymbolicError
from dalembert.symbolic import operations as op
from dalembert.symbolic.compiler.program import Program, extract
from dalembert.symbolic.compiler.rewrite import settled


@dataclass(frozen=True)
class OperationCounts:
    """Counts of one program."""

    atoms: int
    operations: int
    additions: int
    multiplications: int
    divisions: int
    functions: int

    def __post_init__(self) -> None:
        for field in fields(self):
            whole(getattr(self, field.name), f"OperationCounts: {field.name}", SymbolicError, least=0)

    def as_dict(self) -> dict[str, int]:
        """Plain numbers by name."""
        return asdict(self)

    @classmethod
    def from_dict(cls, numbers: Mapping[str, int]) -> OperationCounts:
        """Inverse of :meth:`as_dict`."""
        given = named(numbers, "OperationCounts: numbers", SymbolicError)
        if given.keys() != {field.name for field in fields(cls)}:
            raise SymbolicError(f"OperationCounts: numbers must have the names of all counts, got {shown(numbers)}")
        return cls(**given)


def count_operations(program: Program) -> OperationCounts:
    """Count a settled program."""
    uses = Counter(a for node in program.nodes for a in op.atom_arguments(node))
    uses.update(h for o in program.outputs for h in o.entries)
    kinds: Counter[str] = Counter()
    atoms = 0
    for row, node in enumerate(program.nodes):
        kind = op.OPERATIONS[node[0]].kind
        if kind == "leaf":
            continue
        kinds[kind] += 1
        atoms += uses[row] > 1
    return OperationCounts(atoms, kinds.total(), kinds["add"], kinds["mul"], kinds["div"], kinds["function"])


def report(functions: Any, inputs: Any) -> Report:
    """Count each of the ``functions`` by itself, and all of them together; both are given as for :func:`compile`."""
    from dalembert.symbolic.compiler.compiled import named_inputs, named_outputs

    outputs, given = named_outputs(functions)[1], named_inputs(inputs)
    rows = {name: count_operations(settled(extract({name: value}, given))) for name, value in outputs.items()}
    together = count_operations(settled(extract(outputs, given)))
    return Report(rows, together)


@dataclass(frozen=True)
class Report:
    """Table of atoms and operations; prints as text."""

    functions: dict[str, OperationCounts]
    together: OperationCounts

    def __str__(self) -> str:
        lines: list[tuple[str, ...]] = [("function", "atoms", "operations", "+ -", "*", "/", "functions")]
        for name, s in [*self.functions.items(), ("all in one", self.together)]:
            numbers = (s.atoms, s.operations, s.additions, s.multiplications, s.divisions, s.functions)
            lines.append((name, *(str(n) for n in numbers)))
        widths = [max(len(line[i]) for line in lines) for i in range(7)]
        return "\n".join(
            "  ".join(
                cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))
            )
            for line in lines
        )
