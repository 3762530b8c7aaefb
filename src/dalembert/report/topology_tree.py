"""Places of bodies in a drawing of the topology: levels from the ground along the tree, x by the widths of branches."""

from __future__ import annotations

from dataclasses import dataclass, field

from dalembert.report.body_parts import JOINTS
from dalembert.solution import Appearance
from dalembert.solution.appearance import GROUND

#: Models with more bodies have their chains drawn as one box.
MANY = 60


@dataclass(frozen=True)
class DrawnJoint:
    """A line between two boxes."""

    first: str
    second: str
    label: str
    closing: bool


@dataclass
class TopologyTree:
    """Boxes by name with their places, x to the right and y upwards, the ground at y = 0; and the lines between
    them."""

    places: dict[str, tuple[float, float]] = field(default_factory=dict)
    joints: list[DrawnJoint] = field(default_factory=list)

    @property
    def width(self) -> float:
        return 1.0 + max(x for x, _ in self.places.values())

    @property
    def depth(self) -> float:
        return 1.0 - min(y for _, y in self.places.values())


def tree_of(look: Appearance) -> TopologyTree:
    """Where everything stands.  A body that no joint of the tree carries hangs on the ground."""
    links = [link for link in look.links if link.family in JOINTS and len(link.places) == 2]
    ends = [(link, link.places[0].body, link.places[1].body) for link in links]
    neighbours: dict[str, list[str]] = {GROUND: [], **{body.name: [] for body in look.bodies}}
    for link, a, b in ends:
        if not link.closing:
            neighbours[a].append(b)
            neighbours[b].append(a)
    children, level = _levels(neighbours, {name: [] for name in neighbours})
    if not any(not link.closing for link in links):  # absolute coordinates: every joint is a constraint
        for _, a, b in ends:
            neighbours[a].append(b)
            neighbours[b].append(a)
        children, level = _levels(neighbours, {name: [] for name in neighbours})
    names = {name: name for name in neighbours}
    if len(look.bodies) > MANY:
        _collapse(children, level, names)
    tree = TopologyTree()
    _place(GROUND, children, 0.0, level, tree.places, names)
    carried = {(parent, child) for parent, listed in children.items() for child in listed}
    for link, a, b in ends:
        if names[a] == names[b]:
            continue
        closing = (a, b) not in carried and (b, a) not in carried
        tree.joints.append(DrawnJoint(names[a], names[b], f"{link.name}\n{link.family}", closing and link.closing))
    return tree


def _levels(
    neighbours: dict[str, list[str]], children: dict[str, list[str]]
) -> tuple[dict[str, list[str]], dict[str, int]]:
    """Breadth first from the ground; what is not reached begins there."""
    level, queue = {GROUND: 0}, [GROUND]
    rest = [name for name in neighbours if name != GROUND]
    while queue or rest:
        if not queue:
            name = next((one for one in rest if one not in level), None)
            if name is None:
                break
            level[name] = 1
            children[GROUND].append(name)
            queue.append(name)
        name = queue.pop(0)
        for other in neighbours[name]:
            if other not in level:
                level[other] = level[name] + 1
                children[name].append(other)
                queue.append(other)
    return children, level


def _collapse(children: dict[str, list[str]], level: dict[str, int], names: dict[str, str]) -> None:
    """Chains of bodies with one child each become one box, "link 1 … link 98"."""
    for name in sorted(children, key=lambda one: level.get(one, 0)):
        if name == GROUND or names[name] != name:
            continue
        chain = [name]
        while len(children[chain[-1]]) == 1:
            chain.append(children[chain[-1]][0])
        if len(chain) > 2:
            label = f"{chain[0]} … {chain[-1]}"
            for one in chain:
                names[one] = label
            children[name] = list(children[chain[-1]])


def _place(
    name: str, children: dict[str, list[str]], left: float, level: dict[str, int],
    places: dict[str, tuple[float, float]], names: dict[str, str], depth: int = 0,
) -> float:  # fmt: skip
    """Places of a body and all that it carries; gives back the width.  The stack is as deep as the tree is."""
    work, width_of = [(name, depth)], dict[str, float]()
    order: list[tuple[str, int]] = []
    while work:
        one, at = work.pop()
        order.append((one, at))
        work += [(child, at + 1) for child in children[one]]
    for one, _ in reversed(order):
        width_of[one] = max(1.0, sum(width_of[child] for child in children[one]))
    starts = {name: left}
    for one, at in order:
        x = starts[one]
        places[names[one]] = (x + width_of[one] / 2.0 - 0.5, -float(at))
        for child in children[one]:
            starts[child] = x
            x += width_of[child]
    return width_of[name]
