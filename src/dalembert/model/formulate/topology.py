"""The graph of bodies and joints: a spanning tree, and the joints that close loops."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from dalembert.errors import ModelError, suggestion
from dalembert.model.bodies.parts import Body
from dalembert.model.bodies.rigid import RigidBody
from dalembert.model.frames import entry_is
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
    cut: Collection[str] = (),
    tree: Collection[str] = (),
    placing: bool = False,
    prescribed: Mapping[str, int] = MappingProxyType({}),
) -> SpanningTree:
    """Choose the joints of the tree (thesis, section 3.4.3).

    From what is reached already, the joint with the fewest free motions is passed next, and among these the one nearest
    to the ground: few coordinates, short chains.  ``cut`` are names of joints that must close loops, ``tree`` of joints
    that must not.  ``placing``: where bodies stand at the start is looked for, and joints that are cut come last.
    ``prescribed``: how many motions of joints are functions of time, which are not free.
    """
    _check_names(joints, cut, tree)
    last = {joint.name for joint in joints if joint.cut}
    forbidden = set(cut) if placing else last | set(cut)
    if both := forbidden & set(tree):
        raise ModelError(f"joint '{min(both)}' is to be cut and to be in the tree; choose one")
    search = _TreeSearch([joint for joint in joints if joint.name not in forbidden], last, set(tree), prescribed)
    search.from_body(ground, 0)
    while waiting := [body for body in bodies if body.name not in search.depth]:
        # Nothing leads from the ground to these: the first, heaviest in joints, floats.
        body = max(waiting, key=lambda one: len(search.joints_at(one)))
        search.carried.append((body, None, False))
        search.from_body(body, 1)
    used = {joint.name for _, joint, _ in search.carried if joint is not None}
    if missed := set(tree) - used:
        raise ModelError(
            f"joint '{min(missed)}' cannot be in the tree: it closes a loop with other joints that are; "
            "leave one of them out of tree=…"
        )
    return SpanningTree(tuple(search.carried), tuple(joint for joint in joints if joint.name not in used))


def massless_branch(tree: SpanningTree) -> str:
    """The first joint that moves nothing but bodies without mass and inertia, in words; empty if there is none."""
    heavy: set[str] = set()
    for body, joint, backwards in reversed(tree.carried):
        if body.name in heavy or not _massless(body):
            heavy.add(body.name)
            if joint is not None:
                heavy.add((joint.second if backwards else joint.first).body.name)
    for body, joint, _ in tree.carried:
        if body.name not in heavy and joint is not None and joint.freedom:
            return f"body '{body.name}', carried by {joint.label}, has neither mass nor inertia"
    return ""


def _massless(body: Body) -> bool:
    """Whether a body is rigid and has nothing, for sure."""
    if not isinstance(body, RigidBody):
        return False
    numbers = [body.properties.mass, *body.properties.inertia.flat]
    return all(entry_is(number, 0.0) for number in numbers)


def _check_names(joints: Sequence[Joint], *asked: Collection[str]) -> None:
    names = [joint.name for joint in joints]
    for name in (name for listed in asked for name in listed):
        if name not in names:
            raise ModelError(f"there is no joint '{name}' to be cut or kept in the tree; {suggestion(name, names)}")


class _TreeSearch:
    """Bodies reached over joints, the best of those at hand first."""

    def __init__(
        self, joints: Sequence[Joint], last: Collection[str], wanted: Collection[str], prescribed: Mapping[str, int]
    ) -> None:
        self._last, self._wanted, self._prescribed = last, wanted, prescribed
        self._order = {joint.name: number for number, joint in enumerate(joints)}
        self._at: dict[str, list[Joint]] = {}
        for joint in joints:
            for marker in joint.markers:
                self._at.setdefault(marker.body.name, []).append(joint)
        #: joints on the way from each body to the ground, or to the body that floats
        self.depth: dict[str, int] = {}
        self.carried: list[tuple[Body, Joint | None, bool]] = []
        #: ways that lead on: how good they are, the joint, the body behind it, whether it is passed backwards
        self._ways: list[tuple[tuple[bool, bool, int, int, int], Joint, Body, bool]] = []

    def joints_at(self, body: Body) -> Sequence[Joint]:
        """Joints on a body that may be passed."""
        return self._at.get(body.name, ())

    def from_body(self, body: Body, level: int) -> None:
        """Reach a body, and everything that joints lead to from there."""
        self._reach(body, level)
        while self._ways:
            _, joint, other, backwards = heapq.heappop(self._ways)
            if other.name not in self.depth:
                inner = (joint.second if backwards else joint.first).body
                self.carried.append((other, joint, backwards))
                self._reach(other, self.depth[inner.name] + 1)

    def _reach(self, body: Body, level: int) -> None:
        self.depth[body.name] = level
        for joint in self.joints_at(body):
            backwards = joint.first.body is not body
            other = (joint.first if backwards else joint.second).body
            if other.name not in self.depth:
                heapq.heappush(self._ways, (self._rank(joint, level), joint, other, backwards))

    def _rank(self, joint: Joint, level: int) -> tuple[bool, bool, int, int, int]:
        """Small for joints to be passed early; no two are equal."""
        name = joint.name
        freedom = joint.freedom - self._prescribed.get(name, 0)
        return name in self._last, name not in self._wanted, freedom, level, self._order[name]
