"""Trees of joints: the description of the links, and where the numbers of each stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.arguments import shown
from dalembert.equations.recursion.tree.joint_kinds import KINDS, JointKind
from dalembert.errors import EquationsError, suggestion
from dalembert.symbolic import Atom, array, sqrt, where

Ints = NDArray[np.int64]
WORLD = -1
_NO_TURN = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
_NO_INERTIA = ((0.0,) * 3,) * 3


@dataclass(frozen=True, eq=False)
class Link:
    """A frame that a joint moves relative to its parent, and the rigid body that may be attached to it.

    The frame is that of the parent, displaced by ``r`` and turned by ``R``, both constant, and then moved by the joint:
    "revolute", "prismatic" and "screw" about or along z, "spherical", "free" or "fixed".  Numbers may be atoms of
    parameters.

    :param parent: number of the parent among the links, before this one; -1 is the world
    :param R: rotation matrix (3, 3), or Euler parameters (4,), scalar first
    :param r: offset in axes of the parent
    :param pitch: of a screw, length per radian
    :param com: centre of mass in the own frame; ``inertia`` (3, 3): about it, in own axes
    :param body: whether forces and constraints may refer to it as a body; by default where there is mass
    """

    kind: str
    parent: int = WORLD
    R: Any = _NO_TURN
    r: Any = (0.0, 0.0, 0.0)
    pitch: Any = 0.0
    mass: Any = 0.0
    com: Any = (0.0, 0.0, 0.0)
    inertia: Any = _NO_INERTIA
    name: str = ""
    body: bool | None = None

    @property
    def joint(self) -> JointKind:
        return KINDS[self.kind]

    @property
    def carries_body(self) -> bool:
        if self.body is not None:
            return self.body
        return not (isinstance(self.mass, (int, float)) and self.mass == 0.0)


def _entries(value: Any) -> list[Any]:
    return list(np.asarray(value, dtype=object).reshape(-1))


def _is_atom(value: Any) -> bool:
    return isinstance(value, Atom) and value.value is None


def euler_parameters(R: Any) -> list[Any]:
    """Euler parameters of a rotation matrix, from the largest of them; also on atoms."""
    r = np.asarray(R, dtype=object)
    squares = [
        1.0 + r[0, 0] + r[1, 1] + r[2, 2], 1.0 + r[0, 0] - r[1, 1] - r[2, 2],
        1.0 - r[0, 0] + r[1, 1] - r[2, 2], 1.0 - r[0, 0] - r[1, 1] + r[2, 2],
    ]  # fmt: skip
    x, y, z = r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]
    xy, xz, yz = r[0, 1] + r[1, 0], r[0, 2] + r[2, 0], r[1, 2] + r[2, 1]
    rows = [
        [squares[0], x, y, z], [x, squares[1], xy, xz], [y, xy, squares[2], yz], [z, xz, yz, squares[3]]
    ]  # fmt: skip
    if any(_is_atom(entry) for entry in r.flat):
        chosen, largest = rows[0], squares[0]
        for k in (1, 2, 3):
            more = squares[k] > largest
            chosen = [where(more, a, b) for a, b in zip(rows[k], chosen, strict=True)]
            largest = where(more, squares[k], largest)
        scale = 0.5 / sqrt(largest)
        return [scale * entry for entry in chosen]
    k = int(np.argmax([float(s) for s in squares]))
    scale = 0.5 / np.sqrt(float(squares[k]))
    return [scale * float(entry) for entry in rows[k]]


@dataclass(frozen=True, eq=False)
class Tree:
    """Links with their places; frozen.

    Coordinates and velocities run by the order of the links, as they were given.  Inside, links stand in an order in
    which parents come first and those of one kind follow each other, so that runs of the same code are long.
    """

    links: tuple[Link, ...]
    name: str = "tree"
    gravity: tuple[Any, ...] = (0.0, 0.0, 0.0)
    order: Ints = field(init=False)  # links in the order inside

    def __post_init__(self) -> None:
        self._check()
        object.__setattr__(self, "order", self._long_runs())

    # --------------------------------------------------------------------------------------------------------- checks

    def _check(self) -> None:
        if not self.links:
            raise EquationsError(f"'{self.name}' has no links")
        if np.shape(self.gravity) != (3,):
            raise EquationsError(f"'{self.name}': gravity must be three numbers, got {shown(self.gravity)}")
        for i, link in enumerate(self.links):
            where_ = f"'{self.name}', link {i} '{link.name}'"
            if link.kind not in KINDS:
                raise EquationsError(f"{where_}: unknown kind '{link.kind}'; {suggestion(link.kind, KINDS)}")
            if not WORLD <= link.parent < i:
                raise EquationsError(
                    f"{where_}: its parent must stand before it, or be -1, the world; got {link.parent}"
                )
            shapes = {"r": (3,), "com": (3,), "inertia": (3, 3), "mass": (), "pitch": ()}
            for key, shape in shapes.items():
                if np.shape(np.asarray(getattr(link, key), dtype=object)) != shape:
                    raise EquationsError(f"{where_}: {key} must have the shape {shape}")
            R = np.asarray(link.R, dtype=object)
            if R.shape not in ((3, 3), (4,)):
                raise EquationsError(f"{where_}: R must be a (3, 3) rotation matrix or four Euler parameters")
            if not any(_is_atom(entry) for entry in R.flat):
                numbers = R.astype(float)
                turn = numbers @ numbers.T - np.eye(3) if R.shape == (3, 3) else numbers @ numbers - 1.0
                if not np.abs(turn).max() < 1e-9 or (R.shape == (3, 3) and np.linalg.det(numbers) < 0.0):
                    raise EquationsError(f"{where_}: R is not a rotation")

    # --------------------------------------------------------------------------------------------------------- places

    def _long_runs(self) -> Ints:
        """Parents first; of all links that could come next, one of the same kind as the last."""
        children: list[list[int]] = [[] for _ in self.links]
        ready: dict[str, list[int]] = {}
        for i, link in enumerate(self.links):
            (children[link.parent] if link.parent >= 0 else ready.setdefault(link.kind, [])).append(i)
        order: list[int] = []
        while ready:
            kind = max(ready, key=lambda key: len(ready[key]))
            waiting = ready.pop(kind)
            while waiting:
                i = waiting.pop()
                order.append(i)
                for child in children[i]:
                    same = self.links[child].kind == kind
                    (waiting if same else ready.setdefault(self.links[child].kind, [])).append(child)
        return np.array(order, dtype=np.int64)

    @cached_property
    def parents(self) -> Ints:
        return np.array([link.parent for link in self.links], dtype=np.int64)

    def _running(self, sizes: Sequence[int]) -> Ints:
        return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

    @cached_property
    def q_places(self) -> Ints:
        """First coordinate of each link, and their number."""
        return self._running([link.joint.n_q for link in self.links])

    @cached_property
    def v_places(self) -> Ints:
        return self._running([link.joint.n_v for link in self.links])

    @property
    def n_q(self) -> int:
        return int(self.q_places[-1])

    @property
    def n_v(self) -> int:
        return int(self.v_places[-1])

    @cached_property
    def records(self) -> Ints:
        """Number of the record of each link; 0 is that of the world."""
        records = np.empty(len(self.links), dtype=np.int64)
        records[self.order] = 1 + np.arange(len(self.links))
        return records

    @cached_property
    def bodies(self) -> Ints:
        """Links that carry bodies, in the order in which they were given."""
        return np.array([i for i, link in enumerate(self.links) if link.carries_body], dtype=np.int64)

    @cached_property
    def angles(self) -> Ints:
        """Links whose coordinate is an angle."""
        return np.array([i for i in self.order if self.links[i].joint.angle], dtype=np.int64)

    @cached_property
    def v_links(self) -> Ints:
        """Link of each velocity."""
        return np.repeat(np.arange(len(self.links), dtype=np.int64), np.diff(self.v_places))

    # ------------------------------------------------------------------------------------------------------- constants

    def constants(self) -> list[Any]:
        """Gravity, then the constants of all links in their order inside: numbers or atoms."""
        found = _entries(self.gravity)
        for i in self.order:
            link = self.links[i]
            R = np.asarray(link.R, dtype=object)
            placement = euler_parameters(R) if R.shape == (3, 3) else list(R)
            m, c = link.mass, _entries(link.com)
            J = np.asarray(link.inertia, dtype=object)
            square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2]
            about_origin = [
                J[a, b] + m * ((square if a == b else 0.0) - c[a] * c[b])
                for a, b in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
            ]
            found += [*placement, *_entries(link.r), link.pitch, m, *(m * x for x in c), *about_origin, *c]
        return found

    def constant_numbers(self) -> tuple[NDArray[np.float64], list[int], list[Atom]]:
        """Constants with zeros where they depend on parameters; the places of those, and their atoms."""
        values = self.constants()
        places = [k for k, value in enumerate(values) if _is_atom(value)]
        atoms = [values[k] for k in places]
        numbers = np.array([0.0 if _is_atom(value) else float(value) for value in values])
        return numbers, places, list(array(atoms)) if atoms else []
