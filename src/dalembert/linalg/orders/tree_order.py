"""Order of unknowns along a tree of bodies: mexx (3.10), and (3.17) for joint coordinates.

From the leaves to the root each body is eliminated with the joint that leads to its father: first its coordinates, by
its mass, then the multipliers of the joint, as the joint holds the body (G_k has full row rank), then joint coordinates
without mass, as these move the body (J_k has full column rank).  What remains falls on the father.  Constraints that
close loops, or that tie more than two bodies, come last: their part of the elimination is the Schur complement
C T⁻¹ Cᵀ.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

from dalembert.linalg.orders.order import matched

Steps = list[tuple[int, ...]]
_GROUND = -1


def tree_order(bodies: Sequence[int], massless: set[int], held: Mapping[int, set[int]], n_v: int) -> list[Steps] | None:
    """Pivots in their order, body by body; none if the unknowns do not form bodies and joints.

    ``bodies`` gives for each coordinate the number of its body; ``held`` the coordinates that each multiplier's
    constraint takes hold of (multipliers are numbered behind the ``n_v`` coordinates).
    """
    try:
        mechanism = _Mechanism(bodies, massless, held, n_v)
        groups = mechanism.eliminated_bodies()
        mechanism.close_loops()
    except _NoTreeError:
        return None
    return groups + [[(row,)] for row in sorted(mechanism.late)]


class _NoTreeError(Exception):
    """The unknowns do not form bodies and joints."""


class _Mechanism:
    """Bodies, joints between them, and the constraints that come last."""

    def __init__(self, bodies: Sequence[int], massless: set[int], held: Mapping[int, set[int]], n_v: int) -> None:
        self.held = held
        #: coordinates of each body
        self.members: dict[int, list[int]] = {}
        for i in range(n_v):
            if i not in massless:
                self.members.setdefault(bodies[i], []).append(i)
        #: constraints of each joint, by the bodies that it ties, and constraints that tie more than two
        self.joints: dict[frozenset[int], list[int]] = {}
        self.late: list[int] = []
        for row, coordinates in held.items():
            tied = frozenset(bodies[i] for i in coordinates - massless)
            if not tied:
                raise _NoTreeError
            if len(tied) > 2:
                self.late.append(row)
            else:
                self.joints.setdefault(tied, []).append(row)
        #: coordinates without mass of each joint
        self.free = self._free_coordinates(massless)
        #: what is eliminated with a body because it hangs on it
        self.hanging = self._take_hanging()

    def _free_coordinates(self, massless: set[int]) -> dict[frozenset[int], list[int]]:
        free: dict[frozenset[int], list[int]] = {}
        for i in sorted(massless):
            tied_by = {tied for tied, rows in self.joints.items() if any(i in self.held[row] for row in rows)}
            if len(tied_by) != 1 or any(i in self.held[row] for row in self.late):
                raise _NoTreeError
            free.setdefault(tied_by.pop(), []).append(i)
        return free

    def _take_hanging(self) -> dict[int, Steps]:
        """A joint of one body with as many free coordinates as constraints leads nowhere: it hangs on its body."""
        hanging: dict[int, Steps] = {}
        for tied in list(self.joints):
            if len(tied) == 1 and len(self.free.get(tied, ())) == len(self.joints[tied]):
                (body,) = tied
                pairs = self._matched(self.free[tied], self.joints[tied])
                if len(pairs) < len(self.free[tied]):
                    raise _NoTreeError
                hanging[body] = [(i, pairs[i]) for i in self.free.pop(tied)]
                del self.joints[tied]
        return hanging

    def _matched(self, coordinates: Sequence[int], rows: Sequence[int]) -> dict[int, int]:
        """A constraint of its own for each coordinate, as far as there is one."""
        return matched({i: [row for row in rows if i in self.held[row]] for i in coordinates})

    def eliminated_bodies(self) -> list[Steps]:
        """From the leaves to the root: a body, then the joint to its father, which is taken out of the joints."""
        father_joint, outward = _spanning_tree(set(self.members), self.joints)
        groups: list[Steps] = []
        for body in reversed(outward):
            steps = self.hanging.get(body, []) + [(i,) for i in self.members[body]]
            if body in father_joint:
                steps += self._eliminated_joint(body, father_joint[body])
            groups.append(steps)
        return groups

    def _eliminated_joint(self, body: int, tied: frozenset[int]) -> Steps:
        """Multipliers of constraints that hold the body firmly, then joint coordinates; the others come late."""
        rows, members, held = self.joints.pop(tied), self.members[body], self.held
        firm = set(matched({row: [i for i in members if i in held[row]] for row in rows}))
        if len(firm) < len(rows) and tied in self.free:
            raise _NoTreeError
        self.late += [row for row in rows if row not in firm]
        steps: Steps = [(row,) for row in rows if row in firm]
        return steps + [(i,) for i in self.free.get(tied, ())]

    def close_loops(self) -> None:
        """Joints that lead to no father come late."""
        for tied, rows in self.joints.items():
            if tied in self.free:
                raise _NoTreeError
            self.late += rows


def _spanning_tree(
    bodies: set[int], joints: Mapping[frozenset[int], Sequence[int]]
) -> tuple[dict[int, frozenset[int]], list[int]]:
    """The joint that leads to each body's father, and the bodies from the ground outward."""
    neighbours: dict[int, list[tuple[int, frozenset[int]]]] = {body: [] for body in (*bodies, _GROUND)}
    for tied in joints:
        a, b = sorted(tied) if len(tied) == 2 else (_GROUND, next(iter(tied)))
        neighbours[a].append((b, tied))
        neighbours[b].append((a, tied))
    father_joint: dict[int, frozenset[int]] = {}
    outward: list[int] = []
    seen = {_GROUND}
    for root in (_GROUND, *sorted(bodies)):
        if root != _GROUND:
            if root in seen:
                continue
            seen.add(root)
            outward.append(root)
        waiting = deque([root])
        while waiting:
            body = waiting.popleft()
            for other, tied in neighbours[body]:
                if other not in seen:
                    seen.add(other)
                    father_joint[other] = tied
                    outward.append(other)
                    waiting.append(other)
    return father_joint, outward
