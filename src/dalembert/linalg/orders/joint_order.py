"""Joints in an order that keeps the profile of the reduced matrix B = G M⁻¹ Gᵀ small (Negrut 1998, section 3.4.2.3).

The graph of joints has a vertex for each joint and an edge where two joints take hold of the same body; it is the graph
of the blocks of B (3.109), (3.110), so renumbering joints permutes B.  A *joint* is here a set of rows of B that are
not zero in the same columns.  Rows of one joint, which take hold of the same bodies, are such a set.  So no other data
is needed than the patterns, whatever built the equations, and also where M is diagonal and does not tell which
coordinates form a body; and nothing is lost: rows with the same columns are best numbered one behind the other, whether
one joint has them or two between the same bodies.

Three ways to number: reverse Cuthill and McKee; N. E. Gibbs, W. G. Poole, P. K. Stockmeyer, *An algorithm for reducing
the bandwidth and profile of a sparse matrix*, SIAM J. Numer. Anal. 13 (1976); N. E. Gibbs, *A hybrid profile reduction
algorithm*, ACM Trans. Math. Software 2 (1976), which numbers the levels of the former as I. P. King does.  Both are
described by J. G. Lewis, *Implementation of the Gibbs–Poole–Stockmeyer and Gibbs–King algorithms*, ACM Trans. Math.
Software 8 (1982).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from dalembert.linalg.plan import Structure

Neighbours = Sequence[set[int]]


class JointGraph(NamedTuple):
    """Rows of G of each joint, and the joints that share a body with it."""

    rows: list[list[int]]
    neighbours: list[set[int]]


def joint_graph(structure: Structure) -> JointGraph:
    """Joints in the order of their first rows."""
    bodies = structure.bodies
    on_body: dict[int, set[int]] = {}
    for row, held in structure.held().items():
        for i in held:
            on_body.setdefault(bodies[i], set()).add(row - structure.n_v)
    columns: list[set[int]] = [{row} for row in range(structure.n_lam)]
    for rows in on_body.values():
        for row in rows:
            columns[row] |= rows
    joints: dict[frozenset[int], list[int]] = {}
    for row, found in enumerate(columns):
        joints.setdefault(frozenset(found), []).append(row)
    joint_of = {row: k for k, rows in enumerate(joints.values()) for row in rows}
    neighbours = [{joint_of[row] for row in found} - {k} for k, found in enumerate(joints)]
    return JointGraph(list(joints.values()), neighbours)


class BlockProfile(NamedTuple):
    """How far the blocks of B reach to the left of its diagonal, in a given order of joints."""

    widths: tuple[int, ...]  # β_i (3.123)

    @property
    def bandwidth(self) -> int:
        """β, the largest width (3.124)."""
        return max(self.widths, default=0)

    @property
    def profile(self) -> int:
        """Blocks between the first one of each row and the diagonal (3.125)."""
        return sum(self.widths)

    @property
    def work(self) -> int:
        """Products and inversions of blocks in the factorisation, at most (3.126)."""
        return sum(width * (width + 3) for width in self.widths) // 2


def block_profile(neighbours: Neighbours, order: Sequence[int]) -> BlockProfile:
    """For joints in this order."""
    place = {joint: k for k, joint in enumerate(order)}
    return BlockProfile(
        tuple(max(0, *(k - place[other] for other in neighbours[joint]), 0) for k, joint in enumerate(order))
    )


# ----------------------------------------------------------------------------------------------------- level structures


class _Levels(NamedTuple):
    """Vertices by their distance from a root."""

    of: dict[int, int]
    levels: list[list[int]]

    @property
    def width(self) -> int:
        return max(map(len, self.levels))


def _rooted(neighbours: Neighbours, root: int) -> _Levels:
    of, levels = {root: 0}, [[root]]
    while True:
        found: list[int] = []
        for joint in levels[-1]:
            for other in sorted(neighbours[joint]):
                if other not in of:
                    of[other] = len(levels)
                    found.append(other)
        if not found:
            return _Levels(of, levels)
        levels.append(found)


def _components(neighbours: Neighbours, among: Iterable[int]) -> list[list[int]]:
    """Connected parts of some vertices."""
    left = set(among)
    parts: list[list[int]] = []
    while left:
        waiting = [min(left)]
        left.discard(waiting[0])
        for joint in waiting:
            fresh = sorted(neighbours[joint] & left)
            waiting += fresh
            left.difference_update(fresh)
        parts.append(waiting)
    return parts


def _far_ends(neighbours: Neighbours, part: Collection[int]) -> tuple[_Levels, _Levels]:
    """Level structures from the two ends of a pseudo-diameter: long, and narrow."""

    def degree(joint: int) -> tuple[int, int]:
        return len(neighbours[joint]), joint

    first = _rooted(neighbours, min(part, key=degree))
    while True:
        second: _Levels | None = None
        for end in sorted(first.levels[-1], key=degree):
            other = _rooted(neighbours, end)
            if len(other.levels) > len(first.levels):
                first = other
                break
            if second is None or other.width < second.width:
                second = other
        else:
            assert second is not None  # the last level is not empty
            return first, second


def _combined(neighbours: Neighbours, part: Collection[int]) -> list[list[int]]:
    """Levels that are as narrow as those from either end, taken from both."""
    first, second = _far_ends(neighbours, part)
    depth = len(first.levels)
    pairs = {joint: (first.of[joint], depth - 1 - second.of[joint]) for joint in part}
    levels: list[list[int]] = [[] for _ in range(depth)]
    for joint in part:
        if pairs[joint][0] == pairs[joint][1]:
            levels[pairs[joint][0]].append(joint)
    left = [joint for joint in part if pairs[joint][0] != pairs[joint][1]]
    for piece in sorted(_components(neighbours, left), key=lambda piece: (-len(piece), piece)):
        largest = []
        for choice in (0, 1):
            added = [0] * depth
            for joint in piece:
                added[pairs[joint][choice]] += 1
            largest.append(max(len(level) + more for level, more in zip(levels, added, strict=True) if more))
        # Of equal ones that which comes from the narrower structure.
        choice = int((largest[1], second.width) < (largest[0], first.width))
        for joint in piece:
            levels[pairs[joint][choice]].append(joint)
    if len(neighbours[second.levels[0][0]]) < len(neighbours[first.levels[0][0]]):
        levels.reverse()
    return levels


# ------------------------------------------------------------------------------------------------------------ numbering


def _by_levels(neighbours: Neighbours, levels: Sequence[Sequence[int]]) -> list[int]:
    """Gibbs, Poole and Stockmeyer: level by level, neighbours of what was numbered first come first."""
    order: list[int] = []
    placed: set[int] = set()
    before: list[int] = []
    for level in levels:
        here: list[int] = []

        def take(joints: Iterable[int], here: list[int] = here) -> None:
            for joint in sorted(joints, key=lambda joint: (len(neighbours[joint]), joint)):
                here.append(joint)
                placed.add(joint)

        inside = set(level)
        for joint in before:
            take((neighbours[joint] & inside) - placed)
        at = 0
        while len(here) < len(level):
            if at == len(here):  # nothing leads on
                take([min(inside - placed, key=lambda joint: (len(neighbours[joint]), joint))])
            take((neighbours[here[at]] & inside) - placed)
            at += 1
        order += here
        before = here
    return order


def _by_fronts(neighbours: Neighbours, levels: Sequence[Sequence[int]]) -> list[int]:
    """Gibbs and King: in each level next the vertex that opens the fewest rows that are not open yet."""
    order: list[int] = []
    placed: set[int] = set()
    active: set[int] = set()
    for level in levels:
        inside = set(level)
        while inside:
            joint = min(
                (inside & active) or inside,
                key=lambda joint: (len(neighbours[joint] - active - placed), len(neighbours[joint]), joint),
            )
            order.append(joint)
            placed.add(joint)
            inside.discard(joint)
            active = (active | neighbours[joint]) - placed
    return order


def _part_by_part(
    neighbours: Neighbours, number: Callable[[Neighbours, Sequence[Sequence[int]]], list[int]]
) -> list[int]:
    """Connected parts one behind the other, each from the end that gives the smaller profile."""
    order: list[int] = []
    for part in _components(neighbours, range(len(neighbours))):
        found = number(neighbours, _combined(neighbours, part))
        turned = found[::-1]
        order += turned if _size(neighbours, turned) < _size(neighbours, found) else found
    return order


def _size(neighbours: Neighbours, order: Sequence[int]) -> tuple[int, int]:
    made = block_profile(neighbours, order)
    return made.profile, made.work


def natural(neighbours: Neighbours) -> list[int]:
    """As the constraints are listed."""
    return list(range(len(neighbours)))


def reverse_cuthill_mckee(neighbours: Neighbours) -> list[int]:
    """As SciPy numbers."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import reverse_cuthill_mckee as numbered

    n = len(neighbours)
    if not n:
        return []
    starts = [0]
    columns: list[int] = []
    for others in neighbours:
        columns += sorted(others)
        starts.append(len(columns))
    graph = csr_array(([1.0] * len(columns), columns, starts), shape=(n, n))
    return [int(joint) for joint in numbered(graph, symmetric_mode=True)]


def gibbs_king(neighbours: Neighbours) -> list[int]:
    return _part_by_part(neighbours, _by_fronts)


def gibbs_poole_stockmeyer(neighbours: Neighbours) -> list[int]:
    return _part_by_part(neighbours, _by_levels)


#: Ways to number joints.
JOINT_ORDERS: dict[str, Callable[[Neighbours], list[int]]] = {
    "natural": natural,
    "reverse-cuthill-mckee": reverse_cuthill_mckee,
    "gibbs-king": gibbs_king,
    "gibbs-poole-stockmeyer": gibbs_poole_stockmeyer,
}


def best_joint_order(neighbours: Neighbours) -> list[int]:
    """The order with the least work (3.126), of equal ones that which comes first; for few joints a better one
    nearby."""
    orders = [number(neighbours) for number in JOINT_ORDERS.values()]
    best = min(orders, key=lambda order: block_profile(neighbours, order).work)
    return _moved(neighbours, best) if len(best) <= _FEW else best


#: Up to so many joints an order is improved by moving them one by one.
_FEW = 24


def _moved(neighbours: Neighbours, order: Sequence[int]) -> list[int]:
    """Single joints are put elsewhere as long as that saves work."""
    best = list(order)
    work = block_profile(neighbours, best).work
    places = [(i, j) for i in range(len(best)) for j in range(len(best)) if i != j]
    better = True
    while better:
        better = False
        for i, j in places:
            tried = best[:i] + best[i + 1 :]
            tried.insert(j, best[i])
            found = block_profile(neighbours, tried).work
            if found < work:
                best, work, better = tried, found, True
    return best
