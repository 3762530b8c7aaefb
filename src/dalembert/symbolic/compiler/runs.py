"""Functions compiled for recursions: points that read and write stretches of common arrays, one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dalembert.errors import SymbolicError
from dalembert.symbolic import operations as op
from dalembert.symbolic.compiler import jit
from dalembert.symbolic.compiler.program import extract


class RunFunction:
    """Machine code of ``int run(int64 count, const int64 *offsets, double *array0, …)``; see emit/run_code.py.

    ``homes`` says for each input and output which array holds its stretch.  A point has one offset for each input, in
    their order, then one for each output.  ``apart``: no output of any point stands where an input does.
    """

    def __init__(
        self,
        outputs: Mapping[str, Any],
        inputs: Mapping[str, Any],
        homes: Mapping[str, int],
        name: str,
        apart: bool = False,
    ) -> None:
        self.program = extract(outputs, inputs, name)
        if any(node[0] in (op.SIN, op.COS) for node in self.program.nodes):
            raise SymbolicError(f"function '{name}': a recursion has no workspace for sines; give them as inputs")
        names = [item.name for item in self.program.inputs] + [item.name for item in self.program.outputs]
        listed = tuple(homes[name] for name in names)
        self._machine = jit.build(self.program, form="runs apart" if apart else "runs", homes=listed)

    @property
    def address(self) -> int:
        return self._machine.entry

    @property
    def operations(self) -> int:
        """Operations per point."""
        return self._machine.statistics.operations
