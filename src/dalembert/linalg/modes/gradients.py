"""Conjugate gradients, preconditioned by an older decomposition (mexx (3.18) to (3.20)).

Some of the unknowns, p, are iterated; the others follow from them, and what is left of the remaining equations is the
residual.  With *joints as constraints* and block-diagonal M the forces are iterated, mexx (3.18):

    p = λ:    a = M⁻¹ (r − Gᵀλ),                          ρ = G a − s,        A = G M⁻¹ Gᵀ

With *joint coordinates* z, which have no mass, and G = (K, J) with K invertible, these are iterated, mexx (3.4):

    p = z:    y = K⁻¹ (s − J z),   λ = K⁻ᵀ (r_y − M y),   ρ = r_z − Jᵀλ,      A = (K⁻¹ J)ᵀ M (K⁻¹ J)

The matrix A is positive definite and never formed: A p is −ρ for a right-hand side of zeros.  Neither is the
preconditioner A₀, that of an earlier instant; A₀ p = ρ is solved by the whole matrix of that instant, with ρ in the
equations to which it belongs and zeros elsewhere (3.19), (3.20), in another mode.  That decomposition is kept as long
as ``plan[HEAD.KEEP]`` says so.  It is made anew before that, and serves directly, where the iteration does not converge
or its result does not satisfy the equations; ``plan[HEAD.TROUBLES]`` counts this.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.linalg.factors.blocks import BLOCKS, LARGEST, analyse_blocks, blocks_factor, blocks_solve
from dalembert.linalg.factors.sparse_lu import (
    analyse,
    sparse_factor,
    sparse_solve,
    sparse_solve_transposed,
    sparse_values,
    value_size,
)
from dalembert.linalg.modes.cholesky_qr import dot
from dalembert.linalg.modes.fixed_order import factors_of_fixed_order
from dalembert.linalg.orders.order import matched, pivot_order, symmetric_neighbours
from dalembert.linalg.plan import (
    HEAD,
    SOLVER_ENTRY,
    History,
    Plan,
    Structure,
    is_solution,
    own_part,
    pattern_of_G,
    pattern_of_M,
    plan_of,
    solver_entry,
    subtract_product,
    sum_of_squares,
    with_starts,
)
from dalembert.linalg.solver import call_factor, call_solve, factor_solver, solve_solver
from dalembert.native.kernel import Ints, Reals, compiled, view
from dalembert.native.legend import Legend

GRADIENTS = Legend(
    'own part of a plan of the mode "conjugate-gradients"',
    THERE="which decomposition there is, a code of DECOMPOSITION",
    ITERATIONS="iterations so far",
    JOINTS="whether joint coordinates are iterated",
    VECTORS="first value of the vectors; those of the blocks of M or of K stand before it",
    WORK="first value of the work with M or K",
    OLD="first value of M₀ and G₀",
    INNER_VALUES="first value of the inner plan",
    PART="start of: the plan of M (blocks) or K (sparse LU)",
    ITERATED="start of: the unknowns that are iterated",
    PLACES="start of: for each coordinate its place among y, or −1 − its place among z",
    IN_K="start of: places of the entries of G in K, or −1",
    PLAN="start of: the inner plan",
)
DECOMPOSITION = Legend(
    "decomposition that conjugate gradients have",
    NONE="none, or it has failed",
    OLDER="that of an earlier matrix",
    PRESENT="that of the matrix itself",
)
#: Size of the last residual, in the norm of A₀⁻¹, relative to that of the solution.
_ENOUGH = 1e-14
#: After so many iterations a new decomposition is cheaper.
_LIMIT = 25


@compiled
def _part(own: Ints) -> Ints:
    return view(own, own[GRADIENTS.PART], own[GRADIENTS.ITERATED] - own[GRADIENTS.PART])


@compiled
def _inner(values: Reals, own: Ints) -> tuple[Reals, Ints]:
    first = own[GRADIENTS.INNER_VALUES]
    return view(values, first, values.size - first), view(own, own[GRADIENTS.PLAN], own.size - own[GRADIENTS.PLAN])


@compiled
def _decompose(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    own = own_part(plan)
    inner_values, inner = _inner(values, own)
    old = view(values, own[GRADIENTS.OLD], plan[HEAD.N_M] + plan[HEAD.N_G])
    for k in range(M.size):
        old[k] = M[k]
    for k in range(G.size):
        old[M.size + k] = G[k]
    entry = solver_entry(addresses, inner[HEAD.MODE])
    failed = call_factor(entry[SOLVER_ENTRY.FACTOR], inner_values, inner, addresses, M, G, F)
    own[GRADIENTS.THERE] = DECOMPOSITION.NONE if failed else DECOMPOSITION.PRESENT
    return failed


@compiled
def _solve_old(values: Reals, plan: Ints, addresses: Ints, F: Reals, x: Reals) -> int:
    """With the decomposition of M₀ and G₀."""
    own = own_part(plan)
    inner_values, inner = _inner(values, own)
    old = own[GRADIENTS.OLD]
    M0, G0 = view(values, old, plan[HEAD.N_M]), view(values, old + plan[HEAD.N_M], plan[HEAD.N_G])
    entry = solver_entry(addresses, inner[HEAD.MODE])
    return call_solve(entry[SOLVER_ENTRY.SOLVE], inner_values, inner, addresses, M0, G0, F, x)


@factor_solver
def gradients_factor(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    """The blocks of M, or K; and a decomposition, unless the last one is kept."""
    own = own_part(plan)
    part = _part(own)
    if own[GRADIENTS.JOINTS]:
        for k in range(sparse_values(part)):
            values[k] = 0.0
        places = view(own, own[GRADIENTS.IN_K], plan[HEAD.N_G])
        for k in range(G.size):
            if places[k] >= 0:
                values[places[k]] = G[k]
        bad = sparse_factor(view(values, 0, own[GRADIENTS.VECTORS]), part)
    else:
        bad = blocks_factor(values, part, M)
    if own[GRADIENTS.THERE] != DECOMPOSITION.NONE and plan[HEAD.KEEP]:
        if not bad:
            own[GRADIENTS.THERE] = DECOMPOSITION.OLDER
            return 0
        plan[HEAD.TROUBLES] += 1
    return _decompose(values, plan, addresses, M, G, F)


@compiled
def _complete(values: Reals, plan: Ints, M: Reals, G: Reals, right: Reals, x: Reals, residual: Reals) -> None:
    """What follows from the iterated part of x, and the residual of the equations that are left.

    An empty ``right`` stands for zeros.
    """
    if own_part(plan)[GRADIENTS.JOINTS]:
        _complete_joints(values, plan, M, G, right, x, residual)
        return
    n_v, n, own = plan[HEAD.N_V], plan[HEAD.N_LAM], own_part(plan)
    rows, columns = pattern_of_G(plan)
    a, lam = view(x, 0, n_v), view(x, n_v, n)
    for j in range(n_v):
        a[j] = right[j] if right.size else 0.0
    for k in range(G.size):
        a[columns[k]] -= G[k] * lam[rows[k]]
    blocks_solve(values, _part(own), a, view(values, own[GRADIENTS.WORK], LARGEST))
    for i in range(n):
        residual[i] = -right[n_v + i] if right.size else 0.0
    for k in range(G.size):
        residual[rows[k]] += G[k] * a[columns[k]]


@compiled
def _complete_joints(values: Reals, plan: Ints, M: Reals, G: Reals, right: Reals, x: Reals, residual: Reals) -> None:
    n_v, n, own = plan[HEAD.N_V], plan[HEAD.N_LAM], own_part(plan)
    places, iterated = view(own, own[GRADIENTS.PLACES], n_v), view(own, own[GRADIENTS.ITERATED], n_v - n)
    factors, K, y = _part(own), view(values, 0, own[GRADIENTS.VECTORS]), view(values, own[GRADIENTS.WORK], n)
    rows, columns = pattern_of_G(plan)
    for i in range(n):
        y[i] = right[n_v + i] if right.size else 0.0
    for k in range(G.size):
        if places[columns[k]] < 0:
            y[rows[k]] -= G[k] * x[columns[k]]
    sparse_solve(K, factors, y)
    for j in range(n_v):
        if places[j] >= 0:
            x[j] = y[places[j]]
            y[places[j]] = right[j] if right.size else 0.0
    m_rows, m_columns = pattern_of_M(plan)
    for k in range(M.size):
        y[places[m_rows[k]]] -= M[k] * x[m_columns[k]]
    sparse_solve_transposed(K, factors, y)
    for i in range(n):
        x[n_v + i] = y[i]
    for i in range(iterated.size):
        residual[i] = right[iterated[i]] if right.size else 0.0
    for k in range(G.size):
        if places[columns[k]] < 0:
            residual[-1 - places[columns[k]]] -= G[k] * x[n_v + rows[k]]


@solve_solver
def gradients_solve(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals, right: Reals) -> int:
    """Iteration from what an older decomposition says; directly with that of the matrix itself."""
    n, own = right.size, own_part(plan)
    if own[GRADIENTS.THERE] == DECOMPOSITION.PRESENT:
        return _solve_old(values, plan, addresses, F, right)
    if own[GRADIENTS.THERE] != DECOMPOSITION.OLDER:
        return 1
    kept, residual = view(values, own[GRADIENTS.VECTORS], n), view(values, own[GRADIENTS.VECTORS] + n, n)
    for k in range(n):
        kept[k] = right[k]
    if not _iterate(values, plan, addresses, M, G, F, kept, right):
        for k in range(n):
            residual[k] = kept[k]
        subtract_product(plan, M, G, F, right, residual)
        if is_solution(plan, M, G, right, sum_of_squares(kept), residual):
            return 0
    for k in range(n):
        right[k] = kept[k]
    plan[HEAD.TROUBLES] += 1
    if _decompose(values, plan, addresses, M, G, F):
        return 1
    return _solve_old(values, plan, addresses, F, right)


@compiled
def _iterate(
    values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals, kept: Reals, x: Reals
) -> int:  # fmt: skip
    """x, at first the right-hand side, becomes the solution; 0 if the iteration converged."""
    own, n = own_part(plan), x.size
    count = own[GRADIENTS.PLACES] - own[GRADIENTS.ITERATED]
    iterated = view(own, own[GRADIENTS.ITERATED], count)
    sign = 1.0 if own[GRADIENTS.JOINTS] else -1.0  # as ρ stands in (3.20) and (3.19)
    first = own[GRADIENTS.VECTORS] + 2 * n
    residual, direction = view(values, first, count), view(values, first + count, count)
    product, z = view(values, first + 2 * count, count), view(values, first + 3 * count, n)
    none = view(x, 0, 0)
    if _solve_old(values, plan, addresses, F, x):
        return 1
    for k in range(n):
        z[k] = x[k]
    _complete(values, plan, M, G, none, z, product)
    size = 0.0
    for i in range(count):
        size -= x[iterated[i]] * product[i]
    _complete(values, plan, M, G, kept, x, residual)
    for i in range(count):
        direction[i] = 0.0
    before = 1.0
    for _ in range(_LIMIT):
        for k in range(n):
            z[k] = 0.0
        for i in range(count):
            z[iterated[i]] = sign * residual[i]
        if _solve_old(values, plan, addresses, F, z):
            return 1
        now = 0.0
        for i in range(count):
            now += residual[i] * z[iterated[i]]
        if now <= _ENOUGH * _ENOUGH * size:
            _complete(values, plan, M, G, kept, x, residual)
            return 0
        own[GRADIENTS.ITERATIONS] += 1
        for i in range(count):
            direction[i] = z[iterated[i]] + now / before * direction[i]
            z[iterated[i]] = direction[i]
        _complete(values, plan, M, G, none, z, product)
        curvature = -dot(direction, product)
        if not (curvature > 0.0 and now > 0.0):
            return 1
        step = now / curvature
        for i in range(count):
            x[iterated[i]] += step * direction[i]
            residual[i] += step * product[i]
        before = now
    return 1


def lacks_gradients(structure: Structure) -> str:
    """Why there is nothing positive definite to iterate with."""
    if not structure.n_lam:
        return "there are no constraints"
    if not structure.massless:
        largest = max(map(len, structure.blocks()))
        return f"M is not block-diagonal with blocks up to {LARGEST}" if largest > LARGEST else ""
    if structure.n_v - len(structure.massless) != structure.n_lam or _partners(structure) is None:
        return "M is singular, and its massless velocities are not joint coordinates as in mexx (3.3)"
    return ""


def _partners(structure: Structure) -> dict[int, int] | None:
    """For each coordinate with mass a constraint that determines it, or None."""
    massless = set(structure.massless)
    wanted: dict[int, list[int]] = {j: [] for j in range(structure.n_v) if j not in massless}
    for i, j in zip(structure.G.rows.tolist(), structure.G.columns.tolist(), strict=True):
        if j in wanted:
            wanted[j].append(i)
    held_by = {j: len(rows) for j, rows in wanted.items()}
    # Bodies at the ends of the mechanism have no choice, so they come first.
    partner = matched({j: wanted[j] for j in sorted(wanted, key=lambda j: (held_by[j], j))})
    moved = set(structure.M.rows.tolist()) - wanted.keys()
    return partner if len(partner) == len(wanted) and not moved else None


def analyse_gradients(structure: Structure, inner: Plan) -> Plan:
    """Plan with that of the decomposition that is kept."""
    n_v, n, M, G, _, _ = structure
    massless = structure.massless
    if massless:
        part, in_K, places = _analyse_K(structure)
        size, iterated = value_size(part), massless
    else:
        part, in_K, places = analyse_blocks(structure.blocks(), M), [], []
        size, iterated = int(part[BLOCKS.N_VALUES]), list(range(n_v, n_v + n))
    # What is solved for and what is left of it; of the iteration: residual, direction, product, a vector of all.
    work = size + 3 * (n_v + n) + 3 * len(iterated)
    old = work + max(n, LARGEST)
    first = old + len(M.rows) + len(G.rows)
    head = [DECOMPOSITION.NONE, 0, int(bool(massless)), size, work, old, first]
    own = with_starts(head, [part, iterated, places, in_K, inner.ints])
    plan = plan_of("conjugate-gradients", structure, own, first + inner.value_size, inner.mode)
    plan.ints[HEAD.KEEP] = 1  # those who project at the end of a step ask for a new one
    at = int(plan.ints[HEAD.OWN])
    kept = [History(at + GRADIENTS.THERE, 1, 0, DECOMPOSITION.end - 1), History(at + GRADIENTS.ITERATIONS, 1, 0, 2**53)]
    inside = at + int(plan.ints[at + GRADIENTS.PLAN])
    if inner.mode == "sparse":
        kept += [part._replace(start=inside + part.start) for part in factors_of_fixed_order(inner.ints)]
    return plan._replace(history=tuple(kept))


def _analyse_K(structure: Structure) -> tuple[NDArray[np.int64], list[int], list[int]]:
    """Plan of the LU of K; place of each entry of G in it; of each coordinate among y, or −1 − its place among z."""
    n, G = structure.n_lam, structure.G
    partner = _partners(structure)
    assert partner is not None  # lacks_gradients has looked
    y = {j: k for k, j in enumerate(sorted(partner))}
    z = {j: -1 - k for k, j in enumerate(structure.massless)}
    entries = [(i, y[j]) for i, j in zip(G.rows.tolist(), G.columns.tolist(), strict=True) if j in y]
    rows, columns = (np.array(part, dtype=np.int64) for part in zip(*entries, strict=True))
    row_of = {y[j]: i for j, i in partner.items()}
    column_of = {i: k for k, i in row_of.items()}
    neighbours, _ = symmetric_neighbours(n, [column_of[int(i)] for i in rows], columns.tolist())
    order = pivot_order(neighbours, {})
    part, where = analyse(n, rows, columns, [row_of[k] for k in order], order)
    pairs: Any = zip(G.rows.tolist(), G.columns.tolist(), strict=True)
    in_K = [where[i, y[j]] if j in y else -1 for i, j in pairs]
    return part, in_K, [(y | z)[j] for j in range(structure.n_v)]
