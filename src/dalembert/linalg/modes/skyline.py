"""The reduced matrix B = G M⁻¹ Gᵀ in the envelope that its joints leave it (mode "skyline").

D. Negrut, *On the implicit integration of differential-algebraic equations of multibody dynamics*, PhD thesis, The
University of Iowa, 1998, section 3.4.2: Algorithms 1 to 3.

    B λ = G M⁻¹ r − s   (3.108),      M a = r − Gᵀ λ   (3.111)

B consists of blocks, one for each pair of joints that share a body (3.109), (3.110).  Joints are renumbered once
(:mod:`~dalembert.linalg.orders.joint_order`), so that the blocks of each row of blocks stand close to the diagonal.
What is stored of a row reaches from the first block that is not zero to the diagonal; B = L D Lᵀ fills that and nothing
else.

The thesis takes roots, and blocks of a joint as they are.  Here D has blocks of two rows, two by two of the rows of a
joint, and one if their number is odd: B is positive definite, so they are regular, one division serves two rows, and
nothing waits for a root.  Row after row, U = L D is made from rows above,

    U_ij = B_ij − Σ_k U_ik L_jkᵀ,    L_ij = U_ij D_j⁻¹,    D_i = B_ii − Σ_j L_ij U_ijᵀ

with k from where the later of the two rows starts.  Values: those of the mode "range", with the diagonal of B and U;
then L; then for each pivot the adjoint of its block and the inverse of its determinant.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dalembert.linalg.modes.range_space import (
    RANGE,
    SCHUR,
    Lower,
    assemble_schur,
    recover_motion,
    reduce_right,
    reduced_lists,
    schur_parts,
    schur_plan,
)
from dalembert.linalg.orders.joint_order import JointGraph, best_joint_order, joint_graph
from dalembert.linalg.plan import Plan, Structure, joined, own_part, plan_of, with_starts
from dalembert.linalg.solver import factor_solver, solve_solver
from dalembert.native.kernel import Ints, Reals, compiled, view
from dalembert.native.legend import Legend

SKYLINE = Legend(
    'own part of a plan of the mode "skyline", behind that of "range"',
    first=RANGE.end,
    ENVELOPE="start of: the plan of the envelope",
)
ENVELOPE = Legend(
    "plan of an envelope",
    N_PIVOTS="number of pivots of one or two rows",
    BELOW="entries of the envelope below the diagonal",
    ROWS="start of: the first row of each pivot, and their end",
    FIRSTS="start of: the first column that is stored of each pivot",
    OFFSETS="start of: place of column 0 of each row, if it were stored",
    STARTING="start of: the pivot of the first column of each pivot",
)
PIVOT = Legend(
    "inverse of a pivot in an envelope",
    FIRST="upper left entry of the adjoint, or 1",
    SIDE="entry beside it, or 0",
    SECOND="lower right entry, or 0",
    SCALE="one over the determinant",
)
#: Less than this left of a pivot, and B is singular.
_SINGULAR = 1e-15


@compiled
def _envelope(own: Ints) -> Ints:
    return view(own, own[SKYLINE.ENVELOPE], own.size - own[SKYLINE.ENVELOPE])


@compiled
def _lists(envelope: Ints, n: int) -> tuple[Ints, Ints, Ints]:
    """First rows, first columns, offsets."""
    pivots = envelope[ENVELOPE.N_PIVOTS]
    return (
        view(envelope, envelope[ENVELOPE.ROWS], pivots + 1),
        view(envelope, envelope[ENVELOPE.FIRSTS], pivots),
        view(envelope, envelope[ENVELOPE.OFFSETS], n),
    )  # fmt: skip


@compiled
def _factors(values: Reals, envelope: Ints) -> tuple[Reals, Reals]:
    """L in the envelope, and the inverses of the pivots."""
    below, inverses = envelope[ENVELOPE.BELOW], PIVOT.end * envelope[ENVELOPE.N_PIVOTS]
    start = values.size - 1 - inverses - below
    return view(values, start, below), view(values, start + below, inverses)


@compiled
def _dots(U: Reals, L: Reals, u: float, a: int, b: int, size: int) -> float:
    """u less the product of two stretches."""
    x, z = view(U, a, size), view(L, b, size)
    for k in range(size):
        u -= x[k] * z[k]
    return u


@compiled
def envelope_factor(values: Reals, own: Ints) -> int:
    """B = L D Lᵀ; 0, or 1 + the number of a pivot of which nothing is left.

    The last value is what is left of the diagonal where least is, as that of "range".
    """
    plan, envelope = schur_plan(own), _envelope(own)
    diagonal, U, _, _ = schur_parts(values, plan)
    L, inverses = _factors(values, envelope)
    rows, firsts, offsets = _lists(envelope, plan[SCHUR.N_LAM])
    starting = view(envelope, envelope[ENVELOPE.STARTING], firsts.size)
    least = 1.0
    for p in range(firsts.size):
        i, first = rows[p], firsts[p]
        a, here = offsets[i], PIVOT.end * p
        if rows[p + 1] - i == 1:
            d = diagonal[i]
            for q in range(starting[p], p):
                j, low = rows[q], max(first, firsts[q])
                inverse = view(inverses, PIVOT.end * q, PIVOT.end)
                scale, size, b = inverse[PIVOT.SCALE], j - low, offsets[j]
                u = _dots(U, L, U[a + j], a + low, b + low, size)
                U[a + j] = u
                if rows[q + 1] - j == 1:
                    L[a + j] = u * scale
                    d -= u * u * scale
                else:
                    v = _dots(U, L, U[a + j + 1], a + low, offsets[j + 1] + low, size)
                    U[a + j + 1] = v
                    x = u * inverse[PIVOT.FIRST] + v * inverse[PIVOT.SIDE]
                    y = u * inverse[PIVOT.SIDE] + v * inverse[PIVOT.SECOND]
                    L[a + j], L[a + j + 1] = x * scale, y * scale
                    d -= (x * u + y * v) * scale
            left = d / diagonal[i]
            if not left > _SINGULAR:
                return i + 1
            inverse = view(inverses, here, PIVOT.end)
            inverse[PIVOT.FIRST], inverse[PIVOT.SIDE], inverse[PIVOT.SECOND] = 1.0, 0.0, 0.0
            inverse[PIVOT.SCALE] = 1.0 / d
            least = min(least, left)
            continue
        e = offsets[i + 1]
        d, side, f = diagonal[i], U[e + i], diagonal[i + 1]
        for q in range(starting[p], p):
            j, low = rows[q], max(first, firsts[q])
            inverse = view(inverses, PIVOT.end * q, PIVOT.end)
            scale, size, b = inverse[PIVOT.SCALE], j - low, offsets[j] + low
            if rows[q + 1] - j == 1:
                u = _dots(U, L, U[a + j], a + low, b, size)
                v = _dots(U, L, U[e + j], e + low, b, size)
                U[a + j], U[e + j] = u, v
                L[a + j], L[e + j] = u * scale, v * scale
                d -= u * u * scale
                side -= u * v * scale
                f -= v * v * scale
            else:
                u, s, v, t = U[a + j], U[a + j + 1], U[e + j], U[e + j + 1]
                xs, ys = view(U, a + low, size), view(U, e + low, size)
                zs, ws = view(L, b, size), view(L, offsets[j + 1] + low, size)
                for k in range(size):
                    x, y, z, w = xs[k], ys[k], zs[k], ws[k]
                    u -= x * z
                    s -= x * w
                    v -= y * z
                    t -= y * w
                U[a + j], U[a + j + 1], U[e + j], U[e + j + 1] = u, s, v, t
                # The products wait for D_j, the determinant for its division: both at the same time.
                g, h, m = inverse[PIVOT.FIRST], inverse[PIVOT.SIDE], inverse[PIVOT.SECOND]
                x, y = u * g + s * h, u * h + s * m
                z, w = v * g + t * h, v * h + t * m
                L[a + j], L[a + j + 1], L[e + j], L[e + j + 1] = x * scale, y * scale, z * scale, w * scale
                d -= (x * u + y * s) * scale
                side -= (z * u + w * s) * scale
                f -= (z * v + w * t) * scale
        determinant = d * f - side * side
        left = min(d / diagonal[i], determinant / (d * diagonal[i + 1]))
        if not (d > 0.0 and left > _SINGULAR):
            return i + 1
        inverse = view(inverses, here, PIVOT.end)
        inverse[PIVOT.FIRST], inverse[PIVOT.SIDE], inverse[PIVOT.SECOND] = f, -side, d
        inverse[PIVOT.SCALE] = 1.0 / determinant
        least = min(least, left)
    values[values.size - 1] = least
    return 0


@compiled
def envelope_solve(values: Reals, own: Ints) -> None:
    """B λ = x, in the order of the pivots."""
    plan, envelope = schur_plan(own), _envelope(own)
    _, _, _, x = schur_parts(values, plan)
    L, inverses = _factors(values, envelope)
    rows, firsts, offsets = _lists(envelope, plan[SCHUR.N_LAM])
    for p in range(firsts.size):
        i, first = rows[p], firsts[p]
        size = i - first
        known, row = view(x, first, size), view(L, offsets[i] + first, size)
        if rows[p + 1] - i == 1:
            u = x[i]
            for k in range(size):
                u -= row[k] * known[k]
            x[i] = u
        else:
            u, v, other = x[i], x[i + 1], view(L, offsets[i + 1] + first, size)
            for k in range(size):
                z = known[k]
                u -= row[k] * z
                v -= other[k] * z
            x[i], x[i + 1] = u, v
    for p in range(firsts.size):
        i, inverse = rows[p], view(inverses, PIVOT.end * p, PIVOT.end)
        scale = inverse[PIVOT.SCALE]
        if rows[p + 1] - i == 1:
            x[i] *= scale
        else:
            u, v = x[i], x[i + 1]
            x[i] = (inverse[PIVOT.FIRST] * u + inverse[PIVOT.SIDE] * v) * scale
            x[i + 1] = (inverse[PIVOT.SIDE] * u + inverse[PIVOT.SECOND] * v) * scale
    for p in range(firsts.size - 1, -1, -1):
        i, first = rows[p], firsts[p]
        size = i - first
        known, row, u = view(x, first, size), view(L, offsets[i] + first, size), x[i]
        if rows[p + 1] - i == 1:
            for k in range(size):
                known[k] -= row[k] * u
        else:
            v, other = x[i + 1], view(L, offsets[i + 1] + first, size)
            for k in range(size):
                known[k] -= row[k] * u + other[k] * v


@factor_solver
def skyline_factor(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    """Assemble B (3.109), (3.110), and factorise it."""
    own = own_part(plan)
    failed = assemble_schur(values, own, M, G)
    return failed if failed else envelope_factor(values, own)


@solve_solver
def skyline_solve(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals, right: Reals) -> int:
    """Forces by (3.108), then accelerations body by body (3.111)."""
    own = own_part(plan)
    inner = schur_plan(own)
    reduce_right(values, own, G, right)
    envelope_solve(values, own)
    _, _, _, x = schur_parts(values, inner)
    n_v, n = inner[SCHUR.N_V], inner[SCHUR.N_LAM]
    order = view(inner, inner[SCHUR.ORDER], n)
    for k in range(n):
        right[n_v + order[k]] = x[k]
    recover_motion(values, own, G, right)
    return 0


class _Pivots(NamedTuple):
    """Constraints in the order of elimination; first rows of the pivots and their end, first columns of each."""

    order: list[int]
    rows: list[int]
    firsts: list[int]

    @property
    def bounds(self) -> list[tuple[int, int]]:
        """First column and row, for all rows."""
        return [
            (first, i)
            for (start, end), first in zip(pairwise(self.rows), self.firsts, strict=True)
            for i in range(start, end)
        ]


def _pivots(graph: JointGraph, joints: Sequence[int]) -> _Pivots:
    place = {joint: k for k, joint in enumerate(joints)}
    starts = [0, *accumulate(len(graph.rows[joint]) for joint in joints)]
    rows: list[int] = [0]
    firsts: list[int] = []
    for k, joint in enumerate(joints):
        first = starts[min([k, *(place[other] for other in graph.neighbours[joint])])]
        for row in range(starts[k], starts[k + 1], 2):
            firsts.append(first)
            rows.append(min(row + 2, starts[k + 1]))
    return _Pivots([row for joint in joints for row in graph.rows[joint]], rows, firsts)


def analyse_skyline(structure: Structure, joints: Sequence[int] | None = None) -> Plan:
    """Plan of the mode; ``joints`` is an order of the joints of
    :func:`~dalembert.linalg.orders.joint_order.joint_graph`, in place of the best one that is found."""
    graph = joint_graph(structure)
    pivots = _pivots(graph, best_joint_order(graph.neighbours) if joints is None else joints)
    n = structure.n_lam
    where: dict[tuple[int, int], int] = {(i, i): i for i in range(n)}
    offsets: list[int] = []
    below = 0
    for first, i in pivots.bounds:
        offsets.append(below - first)
        where.update({(i, j): n + below + j - first for j in range(first, i)})
        below += i - first
    pivot_at = {row: p for p, row in enumerate(pivots.rows)}
    starting = [pivot_at[first] for first in pivots.firsts]
    lists = with_starts([len(pivots.firsts), below], [pivots.rows, pivots.firsts, offsets, starting])
    lower = Lower(pivots.order, below, where, [], [], [])
    room = below + PIVOT.end * len(pivots.firsts)
    own, size = reduced_lists(structure, lambda _: lower, joined(lists), room=room)
    return plan_of("skyline", structure, own, size)


def envelope_products(rows: NDArray[np.int64], firsts: NDArray[np.int64], skip: bool = True) -> int:
    """Multiplications of :func:`envelope_factor` and :func:`envelope_solve`, from the two lists of a plan; without
    ``skip`` also those of zeros in front of the later one of two rows."""
    total = 0
    sizes = np.diff(rows)
    starts = {int(row): p for p, row in enumerate(rows)}
    for p, first in enumerate(firsts):
        size = int(sizes[p])
        for q in range(starts[int(first)], p):
            low = max(first, firsts[q]) if skip else first
            other = int(sizes[q])
            total += size * other * max(int(rows[q] - low), 0)  # U
            total += size * other * other + size * other  # L
            total += (other + 1) * size * (size + 1) // 2  # D
            total += 2 * size * other  # substitution, forth and back
        total += {1: 2, 2: 2 + 6}[size]
    return total
