"""Accelerations, multipliers and projections by straight-line elimination on atoms.

The matrix of constrained motion (mexx (3.1), with F = ∂f/∂λ)

    [ M   Gᵀ − F ] [ a ]   [ f ]
    [ G     0    ] [ λ ] = [ γ ]

is eliminated once per configuration, with an order of pivots that is fixed when the code is made.  It must be safe for
all values, so only diagonal pivots are taken, and the multiplier of a constraint only after all coordinates that the
constraint touches. With M positive definite and G of full rank each pivot is then an entry of M or of the Schur
complement −G M⁻¹ Gᵀ, and cannot vanish.  Among the pivots allowed, the one with the fewest neighbours comes first, to
keep the fill low.

Velocities of auxiliary variables have no mass.  Each is eliminated with the constraint that it is solved from, whose
multiplier vanishes: what is left is the matrix of the embedded form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dalembert.equations.contract.expressions import Expressions, symbols_in
from dalembert.linalg.orders.order import pivot_order, saddle_order, symmetric_neighbours
from dalembert.symbolic import AtomArray, array, directional_derivative, substitute, zeros

#: velocities of auxiliary variables and the constraints that these are solved from, block by block
Chains = Sequence[Sequence[tuple[int, int]]]


class Elimination:
    """L U of a matrix of atoms with pivots in an order of its columns, and of its rows if that is another one; L D Lᵀ
    where it is symmetric, with one order.  Solves for several right-hand sides."""

    def __init__(
        self,
        entries: Mapping[tuple[int, int], Any],
        order: Sequence[int],
        symmetric: bool,
        rows: Sequence[int] | None = None,
    ) -> None:
        n = len(order)
        self.order, self.rows = list(order), list(order if rows is None else rows)
        place = {index: k for k, index in enumerate(self.order)}
        row_place = {index: k for k, index in enumerate(self.rows)}
        upper: list[dict[int, Any]] = [{} for _ in range(n)]
        lower: list[dict[int, Any]] = [{} for _ in range(n)]  # lower[k][j] = entry (j, k), j > k
        diagonal: list[Any] = [0.0] * n
        for (i, j), value in entries.items():
            a, b = row_place[i], place[j]
            if a == b:
                diagonal[a] = value
            elif a < b:
                upper[a][b] = value
            else:
                lower[b][a] = value
        self.upper, self.factors, self.inverse = upper, lower, diagonal
        for k in range(n):
            inverse = 1.0 / diagonal[k]
            diagonal[k] = inverse
            columns = sorted(upper[k])
            row = upper[k]
            for j in sorted(row if symmetric else lower[k]):
                factor = (row[j] if symmetric else lower[k][j]) * inverse
                lower[k][j] = factor
                for m in columns:
                    if m == j:
                        diagonal[j] = diagonal[j] - factor * row[m]
                    elif m > j:
                        upper[j][m] = upper[j].get(m, 0.0) - factor * row[m]
                    elif not symmetric:
                        lower[m][j] = lower[m].get(j, 0.0) - factor * row[m]
        # The solution is x_k = (b_k − Σ u_kj x_j) / d_k; with L D Lᵀ, u_kj / d_k = l_jk is there already.
        self.symmetric = symmetric

    def solve(self, right: Sequence[Any]) -> list[Any]:
        """Solution for one right-hand side, in the original order."""
        n = len(self.order)
        b = [right[index] for index in self.rows]
        for k in range(n):
            for j in sorted(self.factors[k]):
                b[j] = b[j] - self.factors[k][j] * b[k]
        x: list[Any] = [None] * n
        for k in range(n - 1, -1, -1):
            if self.symmetric:
                value = b[k] * self.inverse[k]
                for j in sorted(self.factors[k]):
                    value = value - self.factors[k][j] * x[j]
            else:
                value = b[k]
                for j in sorted(self.upper[k]):
                    value = value - self.upper[k][j] * x[j]
                value = value * self.inverse[k]
            x[k] = value
        result: list[Any] = [None] * n
        for k, index in enumerate(self.order):
            result[index] = x[k]
        return result


def saddle_entries(M: AtomArray, G: AtomArray, top_right: AtomArray) -> dict[tuple[int, int], Any]:
    """Entries of [[M, top_right], [G, 0]] that are not the number zero, with a symmetric pattern."""
    n, m = len(M), len(G)
    entries: dict[tuple[int, int], Any] = {}
    for i in range(n):
        for j in range(n):
            if not M[i, j] == 0 or not M[j, i] == 0:
                entries[i, j] = M[i, j]
    for i in range(m):
        for j in range(n):
            if not G[i, j] == 0 or not top_right[j, i] == 0:
                entries[n + i, j], entries[j, n + i] = G[i, j], top_right[j, i]
    return entries


def eliminable(expressions: Expressions) -> str:
    """Empty if the straight-line solution exists, else the reason why it does not."""
    if any(expressions.M[i, i] == 0 for i in range(len(expressions.M))):
        return "M has a zero on its diagonal"
    lam = set(expressions.inputs["lam"])
    if expressions.friction and lam & symbols_in(expressions.F):
        return "f is not linear in the multipliers"
    try:
        explicit(expressions)
    except ZeroDivisionError:
        return "M is singular"
    return ""


def explicit(expressions: Expressions) -> dict[str, Any]:
    """Outputs of the program "explicit": accelerations, multipliers and the two projections, solved on atoms."""
    x = expressions
    lam, n = x.inputs["lam"], len(x.M)
    if len(lam) or x.accelerations is None:
        a, reactions, dq, dv = _solved(x)
    else:
        a, reactions, dq, dv = list(x.accelerations), [], [0.0] * n, [0.0] * n
    if x.T is not None:
        dq = list(x.T @ array(dq))
    d = x.d_or_none
    if len(d) and len(lam):
        d = array(substitute(d, dict(zip(lam, reactions, strict=True))))
    return {
        "qdot": x.q_rate if x.T is not None else zeros((0,)),
        "a": array(a),
        "lam": array(reactions) if reactions else zeros((0,)),
        "d": d,
        "g": x.g,
        "gv": x.velocity_constraints,
        "dq": array(dq),
        "dv": array(dv),
        "qn": zeros((0,)) if x.normal is None else x.normal,
    }


def directional(expressions: Expressions) -> dict[str, Any]:
    """Outputs of the program "directional": changes along a direction in forward mode, without any matrix of
    derivatives; accelerations and multipliers are those of the motion, solved on atoms."""
    x = expressions
    solved, (q, v, u, t, a) = explicit(x), (x.inputs[key] for key in ("q", "v", "u", "t", "a"))
    qddot = solved["a"] if x.T is None else substitute(x.q_second_rate, [(a, solved["a"])])
    n_q, n_v, n_u = len(q), len(v), len(u)
    along = x.change
    still = array([*q, *t]), array([*along[:n_q], along[-1]])
    driven = array([*v, *u]), array(along[n_q : n_q + n_v + n_u])
    moved = array([*q, *v, *u, *t]), along

    def change(values: Any, way: tuple[AtomArray, AtomArray]) -> AtomArray:
        return array(directional_derivative(values, *way)) if len(values) else zeros((0,))

    return {
        "g_t": change(x.g, (t, array([1.0]))),
        "gv_moved": change(x.velocity_constraints, still),
        "qdot_moved": zeros((0,)) if x.T is None else change(x.q_rate, still),
        "qddot_moved": change(qddot, moved),
        "d_moved": change(solved["d"], moved),
        "qddot_driven": change(qddot, driven),
        "d_driven": change(solved["d"], driven),
    }


def _solved(x: Expressions) -> tuple[list[Any], list[Any], list[Any], list[Any]]:
    """Accelerations, multipliers, and the corrections of positions and velocities."""
    M, G, C, g = x.M, x.G, x.C, x.g
    n, m = len(M), len(G)
    top = G.T if not x.friction else array(G.T - x.F)
    kkt = eliminated(saddle_entries(M, G, top), n, m, symmetric=not x.friction)
    f = x.f if not x.friction else array(substitute(x.f, dict.fromkeys(x.inputs["lam"], 0.0)))
    motion = kkt.solve([*f, *x.gamma])
    # Projections are orthogonal in the metric of M, without friction: mexx (2.11) and (2.12).
    if x.friction:
        kkt = eliminated(saddle_entries(M, G, G.T), n, m, symmetric=True)
    dv = kkt.solve([*[0.0] * n, *(-x.velocity_constraints)])[:n] if m else [0.0] * n
    dq = _position_correction(x, kkt, C, G, g) if len(g) else [0.0] * n
    return motion[:n], motion[n:], dq, dv


def eliminated(
    entries: dict[tuple[int, int], Any], n: int, m: int, symmetric: bool, chains: Chains = ()
) -> Elimination:
    """The factors of a matrix of constrained motion; ``chains`` are velocities without mass and their constraints."""
    neighbours, diagonal = symmetric_neighbours(n + m, [i for i, _ in entries], [j for _, j in entries])
    after = {n + i: {j for j in neighbours[n + i] if j < n} for i in range(m)}
    if not chains:
        return Elimination(entries, pivot_order(neighbours, after), symmetric)
    rows, columns = saddle_order(neighbours, diagonal, after, [[(i, n + k) for i, k in chain] for chain in chains])
    return Elimination(entries, columns, False, rows)


def _position_correction(x: Expressions, kkt: Elimination, C: AtomArray, G: AtomArray, g: AtomArray) -> list[Any]:
    """δ of M δ + Cᵀμ = 0, C δ = −g; also along nonholonomic constraints, which displacements keep too."""
    n, n_g, m = len(x.M), len(g), len(G)
    if all(C[i, j] == G[i, j] for i in range(n_g) for j in range(n)):
        return kkt.solve([*[0.0] * n, *(-g), *[0.0] * (m - n_g)])[:n]
    return eliminated(saddle_entries(x.M, C, C.T), n, n_g, symmetric=True).solve([*[0.0] * n, *(-g)])[:n]
