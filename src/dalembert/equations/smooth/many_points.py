"""The contract at many points of a motion at once: compiled functions mapped over them where there are atoms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.equations.contract.convention import INPUTS, OUTPUTS
from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.expressions import Expressions
from dalembert.equations.contract.provider import Floats
from dalembert.errors import EquationsError
from dalembert.symbolic import CompiledFunction, array, compile, derivative, directional_derivative

#: Numbers that the matrices of points which are done together may have.
_AT_ONCE = 4_000_000
_MATRICES = ("T", "M", "G", "F", "C")


@dataclass(frozen=True, eq=False)
class Points:
    """Points of a motion, one row for each."""

    t: Floats
    q: Floats
    v: Floats
    u: Floats

    def __len__(self) -> int:
        return len(self.t)

    def __getitem__(self, rows: slice) -> Points:
        return Points(self.t[rows], self.q[rows], self.v[rows], self.u[rows])


class Contract:
    """Quantities of the contract at points, with dense matrices; and exact rates along a motion."""

    def __init__(self, equations: Equations, p: Floats) -> None:
        self.equations, self.p = equations, p
        self._provider = equations.program("contract")
        self.reactive = len(self._provider.patterns["F"].rows) > 0
        x = equations.innermost.expressions
        self._atoms = x if x is not None and len(x.inputs["lam"]) == equations.sizes.lam else None

    @property
    def exact(self) -> bool:
        """Whether exact rates are known."""
        return self._atoms is not None

    def parts(self, at: Points) -> Iterator[Points]:
        """The points in portions whose matrices fit into memory."""
        size = max(1, _AT_ONCE // max(1, (self.equations.sizes.v + self.equations.sizes.lam) ** 2))
        for first in range(0, len(at), size):
            yield at[first : first + size]

    def at(self, at: Points, lam: Floats | None = None) -> dict[str, Floats]:
        """T, M, f, G, gI, g, gamma, d, F and C by name, the first axis for the points."""
        s, n = self.equations.sizes, len(at)
        lam = np.zeros((n, s.lam)) if lam is None else lam
        names = [name for name in OUTPUTS["contract"] if name not in ("w", "qn")]
        inputs = {"p": self.p, "t": at.t[:, None], "q": at.q, "v": at.v, "u": at.u, "lam": lam}
        owner = self._provider.owner
        if isinstance(owner, CompiledFunction):
            rest = {"a": np.zeros((n, s.v)), "mu": np.zeros((n, s.g))}
            found = owner.map(**{key: {**inputs, **rest}[key] for key in INPUTS})
        else:
            rows = [
                self._provider(names, {key: value if key == "p" else value[k] for key, value in inputs.items()})
                for k in range(n)
            ]
            found = {name: np.stack([row[name] for row in rows]) for name in names}
        result = {name: found[name] for name in names if name not in _MATRICES}
        for name in _MATRICES:
            pattern = self._provider.patterns[name]
            result[name] = np.zeros((n, *pattern.shape))
            result[name][:, pattern.rows, pattern.columns] = found[name]
        for name, values in result.items():
            if name not in ("F", "C") and not np.isfinite(values).all():
                k = int(np.argmin(np.isfinite(values.reshape(n, -1)).all(axis=1)))
                raise EquationsError(
                    f"'{self.equations.name}': {name} is not finite at t = {at.t[k]:.6g}; look at the function {name}"
                )
        return result

    def rates(self, at: Points, a: Floats, lam: Floats) -> tuple[Floats, Floats]:
        """Rates of M a − f + Gᵀλ and of G a − γ along the motion, with a and λ held."""
        x = self._atoms
        assert x is not None
        program = self.equations.kept("rates of the balance", lambda: _rates_program(x))
        found = program.map(p=self.p, t=at.t[:, None], q=at.q, v=at.v, u=at.u, lam=lam, a=a)
        return found["residual"], found["ga"]

    def normalised(self, at: Points) -> Floats:
        """q with its invariants restored."""
        if not self.equations.normalizes:
            return at.q
        rows = [{"p": self.p, "t": at.t[k : k + 1], "q": at.q[k]} for k in range(len(at))]
        return np.stack([self._provider(["qn"], row)["qn"] for row in rows])


def _rates_program(x: Expressions) -> Any:
    """Rates of the balance and of the constraints on accelerations, on atoms."""
    motion_of = array([*x.inputs["q"], *x.inputs["v"], *x.inputs["u"]])
    direction = array([*x.q_rate, *x.inputs["a"], *x.d_or_none])

    def along(rows: Any) -> Any:
        if not len(rows):
            return rows
        return array(directional_derivative(rows, motion_of, direction) + derivative(rows, x.inputs["t"][0]))

    outputs = {"residual": along(x.residual), "ga": along(x.acceleration_constraints)}
    inputs = {key: x.inputs[key] for key in ("p", "t", "q", "v", "u", "lam", "a")}
    return compile(outputs, inputs, name="rates of the balance")
