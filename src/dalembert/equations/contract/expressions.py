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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.equations.contract.viscous import ViscousPart, viscosity
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

if TYPE_CHECKING:
    from dalembert.equations.contract.auxiliary import AuxiliaryBlock


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
    #: M a − f + Gᵀλ where it is known in a shorter form, such as by inverse dynamics
    balance: AtomArray | None = None
    #: stiff viscous parts, which f contains
    viscous: tuple[ViscousPart, ...] = ()
    #: T v where it is known in a shorter form than by the product
    T_v: AtomArray | None = None
    #: coordinates without velocities that follow from others by equations; ``normal`` is then one step of an iteration
    auxiliary: tuple[AuxiliaryBlock, ...] = ()
    #: where such variables have velocities: these, and the constraints that they are solved from, block by block
    chains: tuple[tuple[tuple[int, int], ...], ...] = ()

    # ------------------------------------------------------------------------------------------------------- derived

    def _along_motion(self, expression: Any) -> Any:
        """∂/∂q · T v + ∂/∂t."""
        q, t = self.inputs["q"], self.inputs["t"][0]
        return directional_derivative(expression, q, self.q_rate) + derivative(expression, t)

    @cached_property
    def q_rate(self) -> AtomArray:
        """T v."""
        v = self.inputs["v"]
        if self.T is None:
            return v
        return array(self.T @ v) if self.T_v is None else self.T_v

    @cached_property
    def C(self) -> AtomArray:
        """(∂g/∂q) T: how position constraints answer to velocities."""
        n_v = len(self.inputs["v"])
        if not len(self.g):
            return zeros((0, n_v))
        if self.g_rate is not None:
            # row by row it is virtual power, a sweep from a contact to the ground: 2360 operations instead of 5415 for
            # the wheels of a locomotive
            return array(jacobian(self.g_rate, self.inputs["v"], mode="shortest"))
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
        return array([*self.C, *jacobian(self.nonholonomic, self.inputs["v"], mode="shortest")])

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
    def viscosity(self) -> AtomArray:
        """Σ Jᵀ C J of the stiff viscous parts: railway (33)."""
        return viscosity(self.viscous, self.inputs["v"])

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
        v, mu = inputs["v"], inputs["mu"]
        drift = array(v - self.C.T @ mu) if len(mu) else v
        rows = {
            "qdot": drift if self.T is None else array(self.T @ drift),
            "residual": self.residual,
            "g": self.g,
            "gv": self.velocity_constraints,
            "d": self.d_or_none,
        }
        by_mu = -self.C.T if self.T is None else array(-(self.T @ self.C.T)) if len(mu) else self.C.T
        known = {"a": {"residual": self.M}, "lam": self._by_reactions, "mu": {"qdot": by_mu}}
        return {**rows, "jacobian": self._derivatives(rows, ("q", "v", "a", "lam", "mu", "u"), known)}

    @cached_property
    def _by_reactions(self) -> dict[str, AtomArray]:
        """What depends on λ."""
        lam = self.inputs["lam"]
        if not len(lam):
            return {}
        return {"residual": array(self.G.T - self.F), "d": jacobian(self.d_or_none, lam)}

    def _derivatives(
        self, rows: Mapping[str, AtomArray], columns: Sequence[str], known: Mapping[str, Mapping[str, AtomArray]]
    ) -> SparseMatrix:
        """Derivatives of blocks of rows by inputs; those by inputs that are ``known`` are given, block by block, as no
        sweep would find them in so short a form."""
        stacked = array([entry for block in rows.values() for entry in block])
        first_row = dict(zip(rows, np.cumsum([0, *(len(block) for block in rows.values())]).tolist(), strict=False))
        swept = [key for key in columns if key not in known]
        found = jacobian(stacked, array([entry for key in swept for entry in self.inputs[key]]), sparse=True)
        width = {key: len(self.inputs[key]) for key in columns}
        first_column = dict(zip(columns, np.cumsum([0, *width.values()]).tolist(), strict=False))
        place = [first_column[key] + k for key in swept for k in range(width[key])]
        entries = [(place[j], i, value) for i, j, value in zip(found.rows, found.columns, found.values, strict=True)]
        for key, blocks in known.items():
            for name, matrix in blocks.items():
                if matrix.size:
                    block = SparseMatrix.from_dense(matrix)
                    entries += [
                        (first_column[key] + j, first_row[name] + i, value)
                        for i, j, value in zip(block.rows, block.columns, block.values, strict=True)
                    ]
        entries.sort(key=lambda entry: entry[:2])
        return SparseMatrix(
            (len(stacked), sum(width.values())),
            tuple(i for _, i, _ in entries),
            tuple(j for j, _, _ in entries),
            array([value for *_, value in entries]),
        )

    def excited(self) -> dict[str, Any]:
        """Outputs of the program "excited": excitations and their rates, and derivatives by them of the entries of the
        Jacobian of the program "implicit"."""
        w = zeros((0,)) if self.w is None else self.w
        listed = array([*w, *derivative(w, self.inputs["t"][0])]) if len(w) else w
        free = self._in_place_of(w)
        found = self._freed(w, free).implicit()["jacobian"]
        own = self.implicit()["jacobian"]
        place = {pair: k for k, pair in enumerate(zip(own.rows, own.columns, strict=True))}
        kept = [k for k, pair in enumerate(zip(found.rows, found.columns, strict=True)) if pair in place]
        entries = []
        if len(listed) and kept:
            by = jacobian(array([found.values[k] for k in kept]), free, sparse=True)
            back = substitute(by.values, list(zip(free, listed, strict=True))) if len(by.values) else by.values
            entries = sorted(
                (int(j), place[found.rows[kept[i]], found.columns[kept[i]]], k)
                for k, (i, j) in enumerate(zip(by.rows, by.columns, strict=True))
            )
        matrix = SparseMatrix(
            (len(own.rows), len(listed)),
            tuple(i for _, i, _ in entries),
            tuple(j for j, _, _ in entries),
            array([back[k] for *_, k in entries]) if entries else zeros((0,)),
        )
        return {"excitation": listed, "by_excitation": matrix}

    def timed_constraints(self) -> dict[int, tuple[int, ...]]:
        """Rows of g that depend on time by themselves, each with the numbers of the excitations in it."""
        w, t = zeros((0,)) if self.w is None else self.w, self.inputs["t"][0]
        free, found = self._in_place_of(w), {}
        for k, row in enumerate(self._freed(w, free).g):
            of = symbols_in(row)
            excitations = tuple(i for i in range(len(w)) if free[i] in of)
            if excitations or t in of:
                found[k] = excitations
        return found

    def _freed(self, w: AtomArray, free: AtomArray) -> Expressions:
        """The system with symbols in place of excitations and their rates."""
        pairs = [(entry, symbol) for entry, symbol in zip(w, free, strict=False) if symbols_in(entry)]

        def freed(values: Any) -> Any:
            return values if values is None or not pairs or not values.size else array(substitute(values, pairs))

        given = {
            key: freed(getattr(self, key))
            for key in ("M", "f", "g", "T", "T_v", "G_given", "gI_given", "nonholonomic", "d", "balance")
        }
        found = replace(self, **given, g_rate=None)
        if not len(found.g) or not pairs:
            return found
        n = len(w)
        moved = array(jacobian(found.g, free[:n]) @ free[n:])
        by_time = derivative(found.g, self.inputs["t"][0])
        return replace(found, g_rate=array(found.C @ self.inputs["v"] + by_time + moved))

    def _in_place_of(self, w: AtomArray) -> AtomArray:
        """Symbols for excitations and their rates."""
        return array([self._symbol(f"excitation[{k}]") for k in range(2 * len(w))]) if len(w) else w

    def _symbol(self, name: str) -> Atom:
        """A symbol that restricted systems share."""
        return self.graph[name] if name in self.graph else self.graph.variable(name)

    @property
    def change(self) -> AtomArray:
        """Symbols (q', v', u', t') of a change of the motion."""
        size = 1 + sum(len(self.inputs[key]) for key in ("q", "v", "u"))
        return array([self._symbol(f"change[{k}]") for k in range(size)])

    @property
    def step(self) -> AtomArray:
        """The symbol of the step size Δ in programs of single steps."""
        return array([self._symbol("step[0]")])

    @cached_property
    def q_second_rate(self) -> AtomArray:
        """T a + Ṫ v."""
        a = self.inputs["a"]
        return a if self.T is None else array(self.T @ a + self._along_motion(self.q_rate))

    @cached_property
    def residual(self) -> AtomArray:
        """M a − f + Gᵀλ."""
        a, lam = self.inputs["a"], self.inputs["lam"]
        if self.balance is not None or not len(a):
            return zeros((0,)) if self.balance is None else self.balance
        return array(self.M @ a - self.f + (self.G.T @ lam if len(lam) else 0.0))

    @cached_property
    def acceleration_constraints(self) -> AtomArray:
        """G a − γ: the rates of G v + gI."""
        rows = self.velocity_constraints
        if not len(rows):
            return zeros((0,))
        v, a = self.inputs["v"], self.inputs["a"]
        return array(self._along_motion(rows) + directional_derivative(rows, v, a))

    def reduced(self) -> dict[str, Any]:
        """Outputs of the program "reduced": what a chart of the constraint manifold needs besides the contract.

        Rows of the derivatives are M a − f + Gᵀλ, g, G v + gI, G a − γ, d, and, where T is not the identity, T v and
        T a + Ṫ v; columns q, v, a, λ, u, t.
        """
        moves = (zeros((0,)), zeros((0,))) if self.T is None else (self.q_rate, self.q_second_rate)
        return self.reduced_rows(self.d_or_none, *moves)

    def reduced_rows(self, d: AtomArray, qdot: AtomArray, qddot: AtomArray) -> dict[str, Any]:
        """The program "reduced" with these rates."""
        rows = {
            "residual": self.residual, "g": self.g, "gv": self.velocity_constraints,
            "ga": self.acceleration_constraints, "d": d, "qdot": qdot, "qddot": qddot,
        }  # fmt: skip
        by_a = {"residual": self.M, "ga": self.G}
        if len(qddot):
            by_a["qddot"] = self.T_matrix
        known = {"a": by_a, "lam": self._by_reactions}
        return {
            "qddot": qddot, "residual": self.residual, "ga": self.acceleration_constraints,
            "derivatives": self._derivatives(rows, ("q", "v", "a", "lam", "u", "t"), known),
        }  # fmt: skip

    def restricted(self, rows: Sequence[int]) -> Expressions:
        """The system with only some of its rows of constraints."""
        n_g, lam, mu = len(self.g), self.inputs["lam"], self.inputs["mu"]
        on_positions = [row for row in rows if row < n_g]
        on_velocities = [row - n_g for row in rows if row >= n_g]
        dropped = {lam[i]: 0.0 for i in range(len(lam)) if i not in set(rows)}
        given = self.G_given is not None
        place = {row: k for k, row in enumerate(rows)}
        whole = [chain for chain in self.chains if all(row in place for _, row in chain)]
        return replace(
            self,
            inputs={**self.inputs, "lam": _chosen(lam, rows), "mu": _chosen(mu, on_positions)},
            f=array(substitute(self.f, dropped)) if dropped else self.f,
            d=array(substitute(self.d, dropped)) if dropped and self.d is not None else self.d,
            balance=array(substitute(self.balance, dropped)) if dropped and self.balance is not None else self.balance,
            g=_chosen(self.g, on_positions),
            # Without any row nothing is left that could be given: all that follows from g is empty as well.
            g_rate=_chosen_or_none(self.g_rate, on_positions),
            G_given=_chosen_or_none(self.G if given else None, rows),
            gI_given=_chosen_or_none(self.gI if given else None, rows),
            nonholonomic=_chosen_or_none(self.nonholonomic, on_velocities),
            viscous=tuple(part.without(dropped) for part in self.viscous) if dropped else self.viscous,
            chains=tuple(tuple((i, place[row]) for i, row in chain) for chain in whole),
        )


def _chosen(values: AtomArray, rows: Sequence[int]) -> AtomArray:
    return array([values[i] for i in rows]) if rows else zeros((0,))


def _chosen_or_none(values: AtomArray | None, rows: Sequence[int]) -> AtomArray | None:
    return None if values is None or not rows else _chosen(values, rows)
