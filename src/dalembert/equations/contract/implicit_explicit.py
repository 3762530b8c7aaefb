"""One step of the implicit–explicit Euler method on atoms (railway (35)–(37)).

With stiff viscous parts −Jᵀ C J v in f, taken at the end of a step of the size Δ, and all else at its start,

    [ M + Δ C   Gᵀ ] [ v₁  ]   [ Δ f_rest + M v₀ ]
    [ G          0 ] [ Δ λ ] = [ Δ γ + G v₀      ]                                                            (37)

where C stands for the sum of Jᵀ C J.  In terms of a = (v₁ − v₀)/Δ it is the matrix of constrained motion with M + Δ C
in place of M, and the complete f on the right, so that f never has to be taken apart; with Δ = 0 the accelerations are
those of the motion:

    (M + Δ C) a + Gᵀ λ = f,   G a = γ

Forces that depend on multipliers see those of the step before (lagged).  The elimination is the structural one of
:mod:`~dalembert.equations.contract.elimination`: with a positive definite symmetric part of M + Δ C and rows of G that
are independent, no pivot can vanish.  C may be unsymmetric.
"""

from __future__ import annotations

from typing import Any

from dalembert.equations.contract.auxiliary import AuxiliaryBlock
from dalembert.equations.contract.elimination import Elimination, eliminated, saddle_entries
from dalembert.equations.contract.expressions import Expressions
from dalembert.symbolic import (
    Atom,
    AtomArray,
    SparseMatrix,
    array,
    derivative,
    maximum,
    substitute,
    symbols,
    zeros,
)
from dalembert.symbolic.compiler.program import TEAM


def why_not(expressions: Expressions) -> str:
    """Empty if there is such a step, else the reason why there is none."""
    M, C = expressions.M, expressions.viscosity
    followers = {i for chain in expressions.chains for i, _ in chain}
    if any(M[i, i] == 0 and C[i, i] == 0 and i not in followers for i in range(len(M))):
        return "M has a zero on its diagonal"
    return ""


def imex(expressions: Expressions) -> dict[str, Any]:
    """Outputs of the program "imex": a step, the constraints and what their projections are made of."""
    x = expressions
    lam = x.inputs["lam"]
    a, reactions = _solved(x)
    same = len(x.g) == len(x.G) and all(one == other for one, other in zip(x.C.flat, x.G.flat, strict=True))
    d = _decaying(x)
    if len(d) and len(lam):
        d = array(substitute(d, dict(zip(lam, reactions, strict=True))))
    nothing = zeros((0,))
    blocks, q = x.auxiliary, x.inputs["q"]
    return {
        "qdot": nothing if x.T is None else x.q_rate,
        "Ta": nothing if x.T is None else array(substitute(_mechanical(x, x.q_rate), [(x.inputs["v"], a)])),
        "a": a,
        "lam": reactions,
        "d": d,
        "g": x.g,
        "gI": x.gI,
        "G": SparseMatrix.from_dense(x.G),
        "C": SparseMatrix.from_dense(zeros((0, len(x.M))) if same else x.C),
        "T": SparseMatrix.from_dense(zeros((0, len(x.M))) if x.T is None else _mechanical(x, x.T)),
        "qn": _normalised(x),
        "h": array([one for block in blocks for one in block.equations]) if blocks else nothing,
        "hs": array([one for block in blocks for one in _factors(block, q)]) if blocks else nothing,
    }


def alike_parts(x: Expressions) -> list[tuple[Atom, ...]]:
    """Symbols that play the same role in four parts with auxiliary variables, such as wheelsets with their contacts:
    coordinates that these depend on, themselves, velocities and multipliers.

    Blocks that depend on the same coordinates are one part; coordinates of parts correspond in their order.
    """
    q, v, lam = (x.inputs[key] for key in ("q", "v", "lam"))
    velocities = set(v)
    velocity = {i: atom for i, atom in enumerate(x.q_rate) if isinstance(atom, Atom) and atom in velocities}
    place = {atom: i for i, atom in enumerate(q)} | {atom: i for i, atom in velocity.items()}
    auxiliary = {i for block in x.auxiliary for i in block.places}
    of_viscous = [{place[atom] for atom in symbols(array(part.rates)) if atom in place} for part in x.viscous]
    by_coordinates: dict[tuple[int, ...], list[AuxiliaryBlock]] = {}
    for block in x.auxiliary:
        read = {place[atom] for atom in symbols(block.equations) if atom in place}
        for others in of_viscous:
            if others.intersection(block.places):
                read |= others
        by_coordinates.setdefault(tuple(sorted(read - auxiliary)), []).append(block)
    parts = list(by_coordinates.items())
    if len(parts) == 1:
        parts = [(parts[0][0], [block]) for block in x.auxiliary]
    if len(parts) != TEAM:
        return []
    columns: list[list[Atom]] = []
    for coordinates, blocks in parts:
        own = [i for block in blocks for i in block.places]
        column = [q[i] for i in (*coordinates, *own)] + [velocity[i] for i in coordinates if i in velocity]
        mine = {q[i] for i in own}
        column += [lam[k] for k, one in enumerate(x.g) if mine.intersection(symbols(one))]
        columns.append(column)
    if len({len(column) for column in columns}) > 1:
        return []
    return [group for group in zip(*columns, strict=True) if len(set(group)) > 1]


def _mechanical(x: Expressions, values: AtomArray) -> AtomArray:
    """Values for all coordinates, or rows of them, without those of auxiliary variables, which have equations."""
    found = values.copy()
    for block in x.auxiliary:
        for i in block.places:
            found[i] = 0.0
    return found


def _normalised(x: Expressions) -> AtomArray:
    """Coordinates with their invariants restored but for auxiliary variables; nothing if there are no others."""
    if x.normal is None:
        return zeros((0,))
    found, q = x.normal.copy(), x.inputs["q"]
    for block in x.auxiliary:
        for i in block.places:
            found[i] = q[i]
    return zeros((0,)) if all(one == other for one, other in zip(found, q, strict=True)) else found


def _factors(block: AuxiliaryBlock, q: AtomArray) -> list[Any]:
    """L U of h_s, row by row."""
    n, h_s = len(block.places), block.matrix(q)
    made = Elimination({(i, j): h_s[i, j] for i in range(n) for j in range(n)}, range(n), symmetric=False)
    rows = [[0.0] * n for _ in range(n)]
    for k in range(n):
        rows[k][k] = made.inverse[k]
        for j, value in made.upper[k].items():
            rows[k][j] = value
        for j, value in made.factors[k].items():
            rows[j][k] = value
    return [entry for row in rows for entry in row]


def _solved(x: Expressions) -> tuple[AtomArray, AtomArray]:
    """Accelerations and multipliers of a step."""
    n, m, step = len(x.M), len(x.G), x.step[0]
    if x.accelerations is not None and not m and not x.viscous:
        return x.accelerations, zeros((0,))
    K = array(x.M + step * x.viscosity) if x.viscous else x.M
    symmetric = all(K[i, j] == K[j, i] for i in range(n) for j in range(i))
    kkt = eliminated(saddle_entries(K, x.G, x.G.T), n, m, symmetric, x.chains)
    found = kkt.solve([*x.f, *x.gamma])
    return array(found[:n]) if n else zeros((0,)), array(found[n:]) if m else zeros((0,))


def _decaying(x: Expressions) -> AtomArray:
    """d / (1 + Δ max(0, −∂d/∂u)), state by state: first-order lags are stable however large Δ is, nothing divides by
    zero, and in the limit of small steps it is d."""
    d, step = x.d_or_none, x.step[0]
    if not len(d):
        return d
    rates = []
    for rate, state in zip(d, x.inputs["u"], strict=True):
        slope = derivative(rate, state)
        rates.append(rate if slope == 0 else rate / (1.0 + step * maximum(0.0, -slope)))
    return array(rates)
