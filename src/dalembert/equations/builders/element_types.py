"""What one type of element says, in local coordinates, and what the programs of a system need of it.

Local quantities are those of :class:`~dalembert.equations.contract.expressions.Expressions`.  The kinematics of a
coordinate, and what normalises it, are said by one element, its owner; all others need them only to differentiate along
the motion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.contract.convention import INPUTS, OUTPUTS
from dalembert.equations.contract.expressions import Expressions, symbols_in
from dalembert.symbolic import Atom, AtomArray, SparseMatrix, array, jacobian, zeros
from dalembert.symbolic.compiler.lanes import LanesFunction


@dataclass(frozen=True, eq=False)
class LocalEntries:
    """Entries of one output of a type: what they are and their local places; vectors have no columns."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    values: tuple[Any, ...]
    #: of each entry, whether it is the same number for all instances, and is not computed
    fixed: NDArray[np.bool_]

    @classmethod
    def of(cls, rows: Sequence[int], columns: Sequence[int], values: Any, computed: bool = False) -> LocalEntries:
        fixed = [not computed and (not isinstance(value, Atom) or value.value is not None) for value in values]
        return cls(tuple(rows), tuple(columns), tuple(values), np.array(fixed, dtype=bool))

    @classmethod
    def vector(cls, values: Any) -> LocalEntries:
        """All of a vector that is not the number zero."""
        rows = [i for i, value in enumerate(values) if not value == 0]
        return cls.of(rows, (), [values[i] for i in rows])

    @classmethod
    def matrix(cls, matrix: SparseMatrix) -> LocalEntries:
        return cls.of(matrix.rows, matrix.columns, matrix.values)

    @property
    def computed(self) -> list[Any]:
        return [value for value, number in zip(self.values, self.fixed, strict=True) if not number]


class Local:
    """One program of a type of element, compiled when it is asked for."""

    def __init__(self, name: str, inputs: dict[str, AtomArray], blocks: dict[str, LocalEntries]) -> None:
        self.name, self.blocks = name, blocks
        self._inputs = inputs
        symbols = {output: symbols_in(block.computed) for output, block in blocks.items()}
        used = set().union(*symbols.values())
        #: inputs that are read
        self.read = {key for key in INPUTS if not used.isdisjoint(inputs[key])}
        #: number of the last input that each output depends on
        self.stages = {
            output: max((k for k, key in enumerate(INPUTS) if not found.isdisjoint(inputs[key])), default=0)
            for output, found in symbols.items()
        }

    @cached_property
    def function(self) -> LanesFunction | None:
        """Machine code for all that is not a number."""
        outputs = {output: array(block.computed) for output, block in self.blocks.items()}
        return LanesFunction(outputs, self._inputs, self.name) if any(map(len, outputs.values())) else None


class Formulas:
    """Equations of one type of element.

    Derivatives and machine code are made once for all systems that the type is part of: those of other modes, with some
    rows of constraints switched off, share them.
    """

    def __init__(self, name: str, expressions: Expressions, own: tuple[int, ...], unit: bool) -> None:
        self.name, self.expressions, self.own, self.unit = name, expressions, own, unit
        self._locals: dict[str, Local] = {}
        self._restricted: dict[tuple[int, ...], Formulas] = {}

    def __reduce__(self) -> Any:
        return Formulas, (self.name, self.expressions, self.own, self.unit)

    @property
    def normalised(self) -> list[int]:
        """Local coordinates that the type gives new values when invariants are restored."""
        normal, q = self.expressions.normal, self.expressions.inputs["q"]
        return [] if normal is None else [i for i in self.own if not normal[i] == q[i]]

    def restricted(self, rows: tuple[int, ...]) -> Formulas:
        """Equations of the type with only some of its rows of constraints."""
        if len(rows) == len(self.expressions.inputs["lam"]):
            return self
        if rows not in self._restricted:
            self._restricted[rows] = Formulas(self.name, self.expressions.restricted(rows), self.own, self.unit)
        return self._restricted[rows]

    def local(self, program: str) -> Local:
        """What the type contributes to a program."""
        if program not in self._locals:
            makers = {"contract": self._contract, "implicit": self._implicit, "reduced": self._reduced}
            blocks = makers[program]()
            inputs = {key: self.expressions.inputs[key] for key in INPUTS}
            self._locals[program] = Local(f"{program}_{self.name}", inputs, blocks)
        return self._locals[program]

    def _kinematics(self) -> SparseMatrix:
        """T in the rows of coordinates that the type owns; q̇ = v is known without it."""
        x = self.expressions
        own = zeros((len(x.inputs["q"]), len(x.inputs["v"])))
        if not self.unit:
            for i in self.own:
                own[i] = x.T_matrix[i]
        return SparseMatrix.from_dense(own)

    def _contract(self) -> dict[str, LocalEntries]:
        x = self.expressions
        blocks = {}
        for name, value in (x.contract() | {"T": self._kinematics()}).items():
            blocks[name] = LocalEntries.matrix(value) if isinstance(value, SparseMatrix) else LocalEntries.vector(value)
        normalised = self.normalised
        values = [] if x.normal is None else [x.normal[i] for i in normalised]
        # They replace coordinates, and nothing can be added to those beforehand.
        blocks["qn"] = LocalEntries.of(normalised, (), values, computed=True)
        return {name: blocks[name] for name in OUTPUTS["contract"]}

    def _implicit(self) -> dict[str, LocalEntries]:
        """q̇ = T v − (∂g/∂q)ᵀμ, a sum over elements; T (v − Cᵀμ) is none. At the solution μ is zero in both."""
        x, inputs = self.expressions, self.expressions.inputs
        q, v, a, lam, mu = (inputs[key] for key in ("q", "v", "a", "lam", "mu"))
        T = self._kinematics()
        qdot = array(T.toarray() @ v) if T.nnz else zeros((len(q),))
        if len(mu):
            qdot = array(qdot - jacobian(x.g, q).T @ mu)
        rows = {
            "qdot": qdot,
            "residual": array(x.M @ a - x.f + (x.G.T @ lam if len(lam) else 0.0)) if len(v) else zeros((0,)),
            "g": x.g,
            "gv": x.velocity_constraints,
            "d": zeros((len(inputs["u"]),)) if x.d is None else x.d,
        }
        stacked = array([entry for block in rows.values() for entry in block])
        unknowns = array([entry for key in ("q", "v", "a", "lam", "mu", "u") for entry in inputs[key]])
        blocks = {name: LocalEntries.vector(values) for name, values in rows.items()}
        return {**blocks, "jacobian": LocalEntries.matrix(jacobian(stacked, unknowns, sparse=True))}

    def _reduced(self) -> dict[str, LocalEntries]:
        """T v and T a + Ṫ v in the rows of coordinates that the type owns."""
        x = self.expressions
        n_q, n_u = len(x.inputs["q"]), len(x.inputs["u"])
        qdot = qddot = zeros((0,))
        if not self.unit:
            qdot, qddot = zeros((n_q,)), zeros((n_q,))
            for i in self.own:
                qdot[i], qddot[i] = x.q_rate[i], x.q_second_rate[i]
        made = x.reduced_rows(zeros((n_u,)) if x.d is None else x.d, qdot, qddot)
        blocks = {name: LocalEntries.vector(made[name]) for name in ("qddot", "residual", "ga")}
        return {**blocks, "derivatives": LocalEntries.matrix(made["derivatives"])}
