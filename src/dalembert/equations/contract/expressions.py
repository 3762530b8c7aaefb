"""The equations of motion as atoms, and what is derived from them.

The part that is given: T, M, f, g, further velocity constraints, d, w.  The part that is derived, by exact
differentiation:

    C  = (∂g/∂q) T                                     mexx (2.10)
    G  = C, and below it the rows of nonholonomic constraints
    gI = ∂g/∂t, and below it their inhomogeneities
    γ  = −(∂(G v + gI)/∂q · T v + ∂(G v + gI)/∂t)      of G v̇ = γ
    F  = ∂f/∂λ

"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from dalembert.symbolic import (
    Atom,
    AtomArray,
    Graph,
    SparseMatrix,
    array,
    derivative,
    directional_derivative,
    eye,
    jacobian,
    substitute,
    symbols,
    zeros,
)


def symbols_in(values: Any) -> set[Any]:
    """Symbols that some atoms and numbers depend on."""
    atoms = [value for value in np.asarray(values, dtype=object).flat if isinstance(value, Atom)]
    return set(symbols(atoms)) if atoms else set()


@dataclass(frozen=True)
class Expressions:
    """Equations of motion as atoms of one graph; ``inputs`` are the symbols under the names of the inputs of programs
    (:mod:`~dalembert.equations.contract.convention`)."""

    graph: Graph
    inputs: dict[str, AtomArray]
    M: AtomArray
    f: AtomArray
    g: AtomArray
    T: AtomArray | None = None  # None: the identity
    G_given: AtomArray | None = None  # all rows, where they are not (∂g/∂q) T
    gI_given: AtomArray | None = None
    nonholonomic: AtomArray | None = None  # B(t,q) v + b(t,q)
    d: AtomArray | None = None
    w: AtomArray | None = None
    normal: AtomArray | None = None  # q with its invariants restored, as norms of Euler parameters
    g_rate: AtomArray | None = None  # dg/dt, linear in v, where it is known in a shorter form than (∂g/∂q) T v + ∂g/∂t
    #: accelerations of a system without constraints, where they are known otherwise than by elimination of M
    accelerations: AtomArray | None = None

    # ------------------------------------------------------------------------------------------------------- derived

    def _along_motion(self, expression: Any) -> Any:
        """∂/∂q · T v + ∂/∂t."""
        q, t = self.inputs["q"], self.inputs["t"][0]
        return directional_derivative(expression, q, self.q_rate) + derivative(expression, t)

    @cached_property
    def q_rate(self) -> AtomArray:
        """T v."""
        v = self.inputs["v"]
        return v if self.T is None else array(self.T @ v)

    @cached_property
    def C(self) -> AtomArray:
        """(∂g/∂q) T: how position constraints answer to velocities."""
        n_v = len(self.inputs["v"])
        if not len(self.g):
            return zeros((0, n_v))
        if self.g_rate is not None:
            return array(jacobian(self.g_rate, self.inputs["v"]))
        rows = jacobian(self.g, self.inputs["q"])
        return rows if self.T is None else array(rows @ self.T)

    @cached_property
    def velocity_constraints(self) -> AtomArray:
        """G v + gI."""
        v, t = self.inputs["v"], self.inputs["t"][0]
        if self.G_given is not None:
            rows = array(self.G_given @ v)
            return rows if self.gI_given is None else array(rows + self.gI_given)
        if self.g_rate is not None:
            rows = self.g_rate
        else:
            rows = array(self.C @ v + derivative(self.g, t)) if len(self.g) else zeros((0,))
        return rows if self.nonholonomic is None else array([*rows, *self.nonholonomic])

    @cached_property
    def G(self) -> AtomArray:
        """Constraint matrix, holonomic rows first."""
        if self.G_given is not None:
            return self.G_given
        if self.nonholonomic is None:
            return self.C
        return array([*self.C, *jacobian(self.nonholonomic, self.inputs["v"])])

    @cached_property
    def gI(self) -> AtomArray:
        """Inhomogeneity of the velocity constraints."""
        if not len(self.velocity_constraints):
            return zeros((0,))
        return array(substitute(self.velocity_constraints, dict.fromkeys(self.inputs["v"], 0.0)))

    @cached_property
    def gamma(self) -> AtomArray:
        """Right-hand side of G v̇ = γ."""
        rows = self.velocity_constraints
        return array(-self._along_motion(rows)) if len(rows) else zeros((0,))

    @cached_property
    def F(self) -> AtomArray:
        """∂f/∂λ."""
        lam = self.inputs["lam"]
        return jacobian(self.f, lam) if len(lam) else zeros((len(self.f), 0))

    @cached_property
    def T_matrix(self) -> AtomArray:
        """T, also where it is the identity."""
        return eye(len(self.inputs["q"])) if self.T is None else self.T

    @cached_property
    def friction(self) -> bool:
        """Whether forces depend on reactions."""
        return any(not entry == 0 for entry in self.F.flat)

    @property
    def d_or_none(self) -> AtomArray:
        """d, empty without external dynamics."""
        return zeros((0,)) if self.d is None else self.d

    # ---------------------------------------------------------------------------------------------------- programs

    def contract(self) -> dict[str, Any]:
        """Outputs of the program "contract": the quantities one by one, matrices sparse."""
        return {
            "T": SparseMatrix.from_dense(self.T_matrix),
            "M": SparseMatrix.from_dense(self.M),
            "f": self.f,
            "G": SparseMatrix.from_dense(self.G),
            "gI": self.gI,
            "g": self.g,
            "gamma": self.gamma,
            "d": self.d_or_none,
            "F": SparseMatrix.from_dense(self.F),
            "C": SparseMatrix.from_dense(self.C),
            "qn": zeros((0,)) if self.normal is None else self.normal,
            "w": zeros((0,)) if self.w is None else self.w,
        }

    def implicit(self) -> dict[str, Any]:
        """Outputs of the program "implicit": residuals of the stabilised index-2 form and their Jacobian.

        q̇ = T (v − Cᵀμ),  0 = M a − f + Gᵀλ,  0 = g,  0 = G v + gI,  u̇ = d; columns q, v, a, λ, μ, u.
        """
        inputs = self.inputs
        v, a, lam, mu = (inputs[key] for key in ("v", "a", "lam", "mu"))
        drift = array(v - self.C.T @ mu) if len(mu) else v
        rows = {
            "qdot": drift if self.T is None else array(self.T @ drift),
            "residual": array(self.M @ a - self.f + (self.G.T @ lam if len(lam) else 0.0)),
            "g": self.g,
            "gv": self.velocity_constraints,
            "d": self.d_or_none,
        }
        stacked = array([entry for block in rows.values() for entry in block])
        unknowns = array([entry for key in ("q", "v", "a", "lam", "mu", "u") for entry in inputs[key]])
        return {**rows, "jacobian": jacobian(stacked, unknowns, sparse=True)}

    @property
    def change(self) -> AtomArray:
        """Symbols (q', v', u', t') of a change of the motion."""
        size = 1 + sum(len(self.inputs[key]) for key in ("q", "v", "u"))
        names = [f"change[{k}]" for k in range(size)]  # restricted systems share them
        return array([self.graph[name] if name in self.graph else self.graph.variable(name) for name in names])

    @cached_property
    def q_second_rate(self) -> AtomArray:
        """T a + Ṫ v."""
        a = self.inputs["a"]
        return a if self.T is None else array(self.T @ a + self._along_motion(self.q_rate))

    @cached_property
    def acceleration_constraints(self) -> AtomArray:
        """G a − γ."""
        return array(self.G @ self.inputs["a"] - self.gamma) if len(self.gamma) else zeros((0,))

    def reduced(self) -> dict[str, Any]:
        """Outputs of the program "reduced": what a chart of the constraint manifold needs besides the contract.

        Rows of the derivatives are M a − f + Gᵀλ, g, G v + gI, G a − γ, d, and, where T is not the identity, T v and
        T a + Ṫ v; columns q, v, a, λ, u, t.
        """
        moves = (zeros((0,)), zeros((0,))) if self.T is None else (self.q_rate, self.q_second_rate)
        return self.reduced_rows(self.d_or_none, *moves)

    def reduced_rows(self, d: AtomArray, qdot: AtomArray, qddot: AtomArray) -> dict[str, Any]:
        """The program "reduced" with these rates."""
        inputs = self.inputs
        a, lam = inputs["a"], inputs["lam"]
        residual = zeros((0,))
        if len(a):
            residual = array(self.M @ a - self.f + (self.G.T @ lam if len(lam) else 0.0))
        blocks = residual, self.g, self.velocity_constraints, self.acceleration_constraints, d, qdot, qddot
        stacked = array([entry for block in blocks for entry in block])
        unknowns = array([entry for key in ("q", "v", "a", "lam", "u", "t") for entry in inputs[key]])
        return {
            "qddot": qddot, "residual": residual, "ga": self.acceleration_constraints,
            "derivatives": jacobian(stacked, unknowns, sparse=True),
        }  # fmt: skip

    def restricted(self, rows: Sequence[int]) -> Expressions:
        """The system with only some of its rows of constraints."""
        n_g, lam, mu = len(self.g), self.inputs["lam"], self.inputs["mu"]
        on_positions = [row for row in rows if row < n_g]
        on_velocities = [row - n_g for row in rows if row >= n_g]
        dropped = {lam[i]: 0.0 for i in range(len(lam)) if i not in set(rows)}
        given = self.G_given is not None
        return replace(
            self,
            inputs={**self.inputs, "lam": _chosen(lam, rows), "mu": _chosen(mu, on_positions)},
            f=array(substitute(self.f, dropped)) if dropped else self.f,
            d=array(substitute(self.d, dropped)) if dropped and self.d is not None else self.d,
            g=_chosen(self.g, on_positions),
            # Without any row nothing is left that could be given: all that follows from g is empty as well.
            g_rate=_chosen_or_none(self.g_rate, on_positions),
            G_given=_chosen_or_none(self.G if given else None, rows),
            gI_given=_chosen_or_none(self.gI if given else None, rows),
            nonholonomic=_chosen_or_none(self.nonholonomic, on_velocities),
        )


def _chosen(values: AtomArray, rows: Sequence[int]) -> AtomArray:
    return array([values[i] for i in rows]) if rows else zeros((0,))


def _chosen_or_none(values: AtomArray | None, rows: Sequence[int]) -> AtomArray | None:
    return None if values is None or not rows else _chosen(values, rows)
