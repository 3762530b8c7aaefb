"""The graph of bodies and joints: a spanning tree, and the joints that close loops."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from dalembert.errors import ModelError, suggestion
from dalembert.model.bodies.parts import Body
from dalembert.model.joints.joints import Joint


@dataclass(frozen=True, eq=False)
class SpanningTree:
    """Bodies in the order in which they are reached, each with the joint that carries it (None: nothing does)."""

    carried: tuple[tuple[Body, Joint | None, bool], ...]
    cut: tuple[Joint, ...]


def spanning_tree(
    bodies: Sequence[Body],
    joints: Sequence[Joint],
    ground: Body,
    *,
    cut: Collection[str] | None = None,
    tree: Collection[str] | None = None,
    placing: bool = False,
) -> SpanningTree:
    """Choose the joints of the tree (thesis, section 3.4.3).

    From what is reached already, the joint with the fewest free motions is passed next, and among these the one nearest
    to the ground: few coordinates, short chains.  ``cut`` are names of joints that must close loops, ``tree`` of joints
    that must not.  ``placing``: where bodies stand at the start is looked for, and joints that are cut come last.
    """
    names = [joint.name for joint in joints]
    for asked in (*(cut or ()), *(tree or ())):
        if asked not in names:
            raise ModelError(f"there is no joint '{asked}' to be cut or kept in the tree; {suggestion(asked, names)}")
    last = {joint.name for joint in joints if joint.cut}
    forbidden = set(cut or ()) if placing else last | set(cut or ())
    wanted = set(tree or ())
    if both := forbidden & wanted:
        raise ModelError(f"joint '{min(both)}' is to be cut and to be in the tree; choose one")
    at: dict[str, list[Joint]] = {}
    for joint in joints:
        if joint.name not in forbidden:
            for marker in joint.markers:
                at.setdefault(marker.body.name, []).append(joint)
    order = {joint.name: number for number, joint in enumerate(joints)}
    depth: dict[str, int] = {}
    carried: list[tuple[Body, Joint | None, bool]] = []
    heap: list[tuple[bool, bool, int, int, int, Joint, Body, bool]] = []

    def reach(body: Body, level: int) -> None:
        depth[body.name] = level
        for joint in at.get(body.name, ()):
            backwards = joint.first.body is not body
            other = (joint.first if backwards else joint.second).body
            if other.name not in depth:
                key = (joint.name in last, joint.name not in wanted, joint.freedom, level, order[joint.name])
                heapq.heappush(heap, (*key, joint, other, backwards))

    reach(ground, 0)
    waiting = list(bodies)
    while True:
        while heap:
            *_, joint, body, backwards = heapq.heappop(heap)
            if body.name in depth:
                continue
            inner = (joint.second if backwards else joint.first).body
            carried.append((body, joint, backwards))
            reach(body, depth[inner.name] + 1)
        waiting = [body for body in waiting if body.name not in depth]
        if not waiting:
            break
        # Nothing leads from the ground to these: the first, heaviest in joints, floats.
        body = max(waiting, key=lambda one: len(at.get(one.name, ())))
        carried.append((body, None, False))
        reach(body, 1)
    used = {joint.name for _, joint, _ in carried if joint is not None}
    if missed := wanted - used:
        raise ModelError(
            f"joint '{min(missed)}' cannot be in the tree: it closes a loop with other joints that are; "
            "leave one of them out of tree=…"
        )
    return SpanningTree(tuple(carried), tuple(joint for joint in joints if joint.name not in used))
