"""Coordinates along a tree of bodies, and where the composite inertia matrix has zeros (Negrut 1998, section 3.4.3).

In relative coordinates M connects a body with its family (those behind it) and with the subchain from the base to it,
and with no others (3.148).  If each body is eliminated before those that it hangs on, nothing fills (Lemma 2), L has
the entries of M, and T = L⁻¹ Gᵀ is zero outside of the subchains of the two bodies that a cut joint connects (Lemma 3).

None of this needs to be told: u behind v has the neighbours of v in M or fewer of them, so an order by the number of
neighbours is one of Lemma 2.  Those that have the same ones, along an unbranched stretch of the tree, can be taken in
any order without fill; two are tried for the entries of T.  On 3000 random trees T has 4 % fewer of them than Lemma 3
allows, and more than that in two cases, by one or two.  The tree itself is that of elimination: the father of a column
of L is its first entry (J. W. H. Liu, *The role of elimination trees in sparse factorization*, SIAM J. Matrix Anal.
Appl. 11, 1990), and what the thesis calls subchain is the way from a column to the root.  Columns are kept as such ways
in full, so their entries need no list of their own: below row j a column behind j continues as column j does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from dalembert.linalg.orders.order import pivot_order, symmetric_neighbours
from dalembert.linalg.plan import Structure


class Operations(NamedTuple):
    """Additions, multiplications, divisions, square roots."""

    additions: int = 0
    multiplications: int = 0
    divisions: int = 0
    roots: int = 0

    def plus(self, *others: Operations) -> Operations:
        return Operations(*map(sum, zip(self, *others, strict=True)))


#: Steps of Algorithm 4.
STEPS = ("1", "2", "3.1", "3.2", "3.3", "3.4", "3.5", "4")


class FamilyTree(NamedTuple):
    """Coordinates in the order of elimination, numbered from the leaves to the roots, families one behind the other.

    ``order``: the coordinate at each place (b of (3.154)); ``father``: the place of the next one on the way to the
    root, or −1; ``sizes``: members of each family with the place itself, which is the last of them; ``held``: for each
    constraint the places that it takes hold of."""

    order: list[int]
    father: list[int]
    sizes: list[int]
    held: list[list[int]]

    def way(self, place: int) -> list[int]:
        """Rows of column ``place`` of L below the diagonal: d[u] without u."""
        found: list[int] = []
        while (place := self.father[place]) >= 0:
            found.append(place)
        return found

    def family(self, place: int) -> range:
        """F[u]: those behind ``place``, and itself."""
        return range(place - self.sizes[place] + 1, place + 1)

    @property
    def depths(self) -> list[int]:
        """Number of places on the way to the root."""
        depths = [0] * len(self.order)
        for place in range(len(self.order) - 1, -1, -1):
            if self.father[place] >= 0:
                depths[place] = depths[self.father[place]] + 1
        return depths

    def reached(self) -> list[list[int]]:
        """For each constraint the places where its column of T is not zero, in ascending order (Lemma 3)."""
        listed = []
        for held in self.held:
            found: set[int] = set()
            for place in held:
                while place >= 0 and place not in found:
                    found.add(place)
                    place = self.father[place]
            listed.append(sorted(found))
        return listed

    def subtrees(self, parts: int) -> tuple[list[range], list[int]]:
        """Families that have nothing to do with each other (Corollary 3), at least ``parts`` of them if there are so
        many, and the places that are left, which come after them."""
        roots = [place for place, father in enumerate(self.father) if father < 0]
        trunk: list[int] = []
        while roots and len(roots) < parts:
            largest = max(roots, key=lambda place: (self.sizes[place], place))
            if self.sizes[largest] == 1:
                break
            roots.remove(largest)
            trunk.append(largest)
            roots += [place for place in self.family(largest) if self.father[place] == largest]
        return [self.family(root) for root in sorted(roots)], sorted(trunk)

    def operations(self) -> dict[str, Operations]:
        """What each step of Algorithm 4 takes, with zeros left out and symmetry used."""
        return operation_counts(
            self.depths, [len(rows) for rows in constraints_at(self)], [len(held) for held in self.held], self.reached()
        )


def family_tree(structure: Structure) -> FamilyTree:
    """Of M and G; whatever M is like, all its entries lie on the ways to the roots."""
    neighbours, _ = symmetric_neighbours(structure.n_v, structure.M.rows.tolist(), structure.M.columns.tolist())
    orders = [_by_neighbours(neighbours, structure, inside) for inside in (_few_opened_first, _soon_closed_last)]
    trees = [tree_in_order(structure, order) for order in (*orders, pivot_order(neighbours, {}))]
    return min(trees, key=lambda tree: (sum(tree.depths), sum(map(len, tree.reached()))))


def tree_in_order(structure: Structure, order: Sequence[int]) -> FamilyTree:
    """The tree of elimination for coordinates in a given order, which is changed only as far as nothing else
    changes."""
    neighbours, _ = symmetric_neighbours(structure.n_v, structure.M.rows.tolist(), structure.M.columns.tolist())
    return _numbered_by_families(structure, order, _fathers(neighbours, order))


def _by_neighbours(
    neighbours: Sequence[set[int]],
    structure: Structure,
    inside: Callable[[Sequence[int], Sequence[set[int]], set[int]], list[int]],
) -> list[int]:
    """Coordinates with few neighbours first; ``inside`` puts those in order that have the same ones."""
    constraints: list[set[int]] = [set() for _ in neighbours]
    for row, j in zip(structure.G.rows.tolist(), structure.G.columns.tolist(), strict=True):
        constraints[j].add(row)
    alike: dict[frozenset[int], list[int]] = {}
    for i, others in enumerate(neighbours):
        alike.setdefault(frozenset(others | {i}), []).append(i)
    order: list[int] = []
    placed: set[int] = set()
    for together in sorted(alike, key=lambda found: (len(found), min(found))):
        opened: set[int] = set().union(*(constraints[i] for i in together & placed))
        order += inside(alike[together][::-1], constraints, opened)
        placed.update(alike[together])
    return order


def _few_opened_first(alike: Sequence[int], constraints: Sequence[set[int]], opened: set[int]) -> list[int]:
    """Next are those that open the fewest columns of T that are not open, for each of them."""
    held: dict[frozenset[int], list[int]] = {}
    for i in alike:
        held.setdefault(frozenset(constraints[i]), []).append(i)
    order: list[int] = []
    seen = set(opened)
    while held:
        by = min(held, key=lambda by: (len(by - seen) / len(held[by]), -held[by][0]))
        seen |= by
        order += held.pop(by)
    return order


def _soon_closed_last(alike: Sequence[int], constraints: Sequence[set[int]], opened: set[int]) -> list[int]:
    """From the end: those of a constraint that takes hold of the fewest that have no place yet."""
    held: dict[int, set[int]] = {}
    for i in alike:
        for row in constraints[i] - opened:
            held.setdefault(row, set()).add(i)
    listed: list[int] = []
    while held:
        row = min(held, key=lambda row: (len(held[row]), row))
        listed += sorted(held[row])
        held = {other: left for other, found in held.items() if (left := found - held[row])}
    return [i for i in alike if i not in listed] + listed[::-1]


def _fathers(neighbours: Sequence[set[int]], order: Sequence[int]) -> list[int]:
    """The tree of elimination in the places of an order (Liu, with shortened ways)."""
    place = {i: k for k, i in enumerate(order)}
    father, shortcut = [-1] * len(order), [-1] * len(order)
    for k, i in enumerate(order):
        for other in neighbours[i]:
            at = place[other]
            while at >= 0 and at < k:
                ahead, shortcut[at] = shortcut[at], k
                if ahead < 0:
                    father[at] = k
                at = ahead
    return father


def _numbered_by_families(structure: Structure, order: Sequence[int], father: Sequence[int]) -> FamilyTree:
    """The same tree, each family without gaps in front of its head."""
    children: list[list[int]] = [[] for _ in order]
    roots: list[int] = []
    for place, ahead in enumerate(father):
        (roots if ahead < 0 else children[ahead]).append(place)
    listed: list[int] = []
    waiting = roots[::-1]
    while waiting:  # heads first, then turned round
        place = waiting.pop()
        listed.append(place)
        waiting += children[place]
    listed.reverse()
    number = {place: k for k, place in enumerate(listed)}
    sizes = [1] * len(listed)
    numbered_father = [-1 if father[place] < 0 else number[father[place]] for place in listed]
    for k, ahead in enumerate(numbered_father):
        if ahead >= 0:
            sizes[ahead] += sizes[k]
    coordinates = [order[place] for place in listed]
    at = {coordinate: k for k, coordinate in enumerate(coordinates)}
    held = [sorted(at[j] for j in found) for _, found in sorted(structure.held().items())]
    return FamilyTree(coordinates, numbered_father, sizes, held)


def constraints_at(tree: FamilyTree) -> list[list[int]]:
    """For each place the constraints whose column of T is not zero there."""
    found: list[list[int]] = [[] for _ in tree.order]
    for row, places in enumerate(tree.reached()):
        for place in places:
            found[place].append(row)
    return found


def operation_counts(
    below: Sequence[int], crossing: Sequence[int], held: Sequence[int], reached: Sequence[Iterable[int]]
) -> dict[str, Operations]:
    """Operations of Algorithm 4, step by step, as Tables 7 and 8 count them.

    ``below``: entries of each column of L below the diagonal; ``crossing``: of each row of T; ``held``: of each row of
    G; ``reached``: places of the entries of each column of T.
    """
    n, m = len(below), len(held)
    entries = sum(below)
    columns = [list(places) for places in reached]
    in_T = sum(map(len, columns))
    squares = sum(c * (c + 1) // 2 for c in below)
    substituted = sum(below[place] for places in columns for place in places)
    # Where G has no entry, the first product is taken as it is.
    fresh = sum(len(places) - count for places, count in zip(columns, held, strict=True))
    pairs = sum(c * (c + 1) // 2 for c in crossing)
    together = _meeting(columns)
    cholesky = sum(k * (k + 1) // 2 for k in range(m))
    return {
        "1": Operations(squares, squares, entries, n),
        "2": Operations(entries, entries, n),
        "3.1": Operations(substituted - fresh, substituted, in_T),
        "3.2": Operations(in_T, in_T),
        "3.3": Operations(pairs - together, pairs),
        "3.4": Operations(cholesky + m * (m - 1), cholesky + m * (m - 1), m * (m - 1) // 2 + 2 * m, m),
        "3.5": Operations(max(in_T - sum(1 for c in crossing if c), 0), in_T),
        "4": Operations(entries + n, entries, n),
    }


def _meeting(columns: Sequence[Sequence[int]]) -> int:
    """Entries of TᵀT that are not zero, of its lower triangle."""
    sets = [set(places) for places in columns]
    return sum(1 for k, one in enumerate(sets) for other in sets[: k + 1] if not one.isdisjoint(other))


def dense_operations(n: int, m: int) -> dict[str, Operations]:
    """The same without zeros: Alg-D."""
    everything = [range(n)] * m
    return operation_counts([n - 1 - k for k in range(n)], [m] * n, [n] * m, everything)


def gauss_operations(n: int) -> dict[str, Operations]:
    """Gaussian elimination of a full matrix, forward and backward substitution: Table 6."""
    squares, half = sum(k * k for k in range(n)), n * (n - 1) // 2
    return {
        "factorisation": Operations(squares, squares, half),
        "forward": Operations(half, half),
        "backward": Operations(half, half, n),
    }
