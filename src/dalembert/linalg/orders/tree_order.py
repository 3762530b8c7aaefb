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
    joints: dict[frozenset[int], list[int]] = {}
    late: list[int] = []
    for row, coordinates in held.items():
        tied = frozenset(bodies[i] for i in coordinates - massless)
        if not tied:
            return None
        if len(tied) > 2:
            late.append(row)
        else:
            joints.setdefault(tied, []).append(row)
    free: dict[frozenset[int], list[int]] = {}
    for i in sorted(massless):
        tied_by = {tied for tied, rows in joints.items() if any(i in held[row] for row in rows)}
        if len(tied_by) != 1 or any(i in held[row] for row in late):
            return None
        free.setdefault(tied_by.pop(), []).append(i)
    # A joint with as many free coordinates as constraints leads nowhere: it hangs on its body.
    hanging: dict[int, Steps] = {}
    for tied in list(joints):
        if len(tied) == 1 and len(free.get(tied, ())) == len(joints[tied]):
            (body,) = tied
            pairs = matched({i: [row for row in joints[tied] if i in held[row]] for i in free[tied]})
            if len(pairs) < len(free[tied]):
                return None
            hanging[body] = [(i, pairs[i]) for i in free.pop(tied)]
            del joints[tied]
    father_joint, outward = _spanning_tree({bodies[i] for i in range(n_v) if i not in massless}, joints)
    groups: list[Steps] = []
    members: dict[int, list[int]] = {}
    for i in range(n_v):
        if i not in massless:
            members.setdefault(bodies[i], []).append(i)
    used: set[frozenset[int]] = set()
    for body in reversed(outward):
        steps = hanging.get(body, []) + [(i,) for i in members[body]]
        groups.append(steps)
        if body not in father_joint:
            continue
        tied = father_joint[body]
        used.add(tied)
        rows = joints[tied]
        firm = set(matched({row: [i for i in members[body] if i in held[row]] for row in rows}))
        if len(firm) < len(rows) and tied in free:
            return None
        steps += [(row,) for row in rows if row in firm]
        late += [row for row in rows if row not in firm]
        steps += [(i,) for i in free.get(tied, ())]
    for tied, rows in joints.items():
        if tied not in used:
            if tied in free:
                return None
            late += rows
    return groups + [[(row,)] for row in sorted(late)]


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
