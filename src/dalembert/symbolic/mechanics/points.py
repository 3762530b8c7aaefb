"""The tree of points, and the recursive operators on it (railway paper, sections 2.1 and 2.3).

A point is a place.  Each but the root is displaced from its parent by a vector, given in any base (railway paper,
eq. (2)); whether coordinates are relative or absolute is a matter of the point and the base one starts from.

With a point P, its parent O, the displacement r_OP given in the base B, and derivatives as seen from the base E:

    v_P = v_O + ṙ + w_EB × r                              (ṙ, r̈: derivatives as seen from B)        (1)
    a_P = a_O + r̈ + 2 w_EB × ṙ + A_EB r                   (A = [α]× + [w]×[w]×)                     (2)

v_O and the new terms stay parts in their own bases until a further base comes in.  So there is one change of base per
joint along a chain, and v_O of a body in absolute coordinates is not carried to the body and back for components in
the axes of the world.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from dalembert.errors import SymbolicTypeError, TreeError
from dalembert.symbolic.atom import AtomArray
from dalembert.symbolic.calculus import time_derivative
from dalembert.symbolic.mechanics.bases import Base, acceleration_tensor, angular_velocity
from dalembert.symbolic.mechanics.components import cross, is_zero
from dalembert.symbolic.mechanics.tree import Node
from dalembert.symbolic.mechanics.vectors import Vector


class Point(Node):
    """A place, displaced from its parent.

    >>> from dalembert.symbolic.graph import Graph
    >>> g = Graph()
    >>> world = Base.root(g)
    >>> arm = world.rotated("arm", axis=(0, 0, 1), angle=g.coordinate("phi"))
    >>> tip = Point.root(world, "O").moved("tip", arm.vector(g.parameter("l"), 0, 0))
    >>> velocity(tip).components(arm)
    AtomArray([0, dphi*l, 0], dtype=object)
    """

    kind = "Point"

    def __init__(self, name: str, parent: Self | None, offset: Vector) -> None:
        super().__init__(name, parent)
        if not isinstance(offset, Vector):
            raise SymbolicTypeError(f"Point '{name}': the offset must be a vector, got a {type(offset).__name__}")
        self.offset = offset

    @classmethod
    def root(cls, world: Base, name: str = "O") -> Self:
        """The first point of a new tree; its points are placed by vectors of the tree of ``world``."""
        if not isinstance(world, Base):
            raise SymbolicTypeError(f"Point '{name}': a base is needed for the axes of its tree of points, "
                                    f"got a {type(world).__name__}")  # fmt: skip
        point = cls(name, None, world.top.vector(0, 0, 0))
        point._names.add(name)
        return point

    @property
    def world(self) -> Base:
        """Root of the bases that place the points of this tree."""
        return self.offset.base.top

    def moved(self, name: str, offset: Vector) -> Self:
        """New point, displaced from this one by ``offset``."""
        if not isinstance(offset, Vector):
            raise SymbolicTypeError(
                f"Point '{name}': the displacement must be a vector, got a {type(offset).__name__}; "
                "make one with base.vector(x, y, z)"
            )
        if offset.base.top is not self.world:
            raise TreeError(
                f"Point '{name}': its displacement lives in base '{offset.base.name}' of the tree of "
                f"'{offset.base.top.name}', but the points of '{self.top.name}' are placed by bases of the tree "
                f"of '{self.world.name}'"
            )
        child = type(self)(self._free_name(name), self, offset)
        self._names.add(name)
        return child


def _point(value: Any, what: str) -> Point:
    if not isinstance(value, Point):
        raise SymbolicTypeError(f"{what} needs a point, got a {type(value).__name__}")
    return value


def position(a: Point, b: Point) -> Vector:
    """r_AB: position vector from ``a`` to ``b``."""
    common = _point(a, "position").common_ancestor(_point(b, "position"))
    zero = common.world.vector(0, 0, 0)

    def from_common(point: Point) -> Vector:
        return point.recursion("r", common, zero, lambda r_parent, child: r_parent + child.offset)

    return from_common(b) - from_common(a)


def velocity(point: Point, reference: Base | None = None, origin: Point | None = None) -> Vector:
    """Velocity of ``point`` relative to the frame of ``reference`` and ``origin`` (default: the roots).

    It is the derivative, as seen from ``reference``, of the position vector from ``origin``.
    """
    reference, origin = _frame(point, reference, origin)
    common = point.common_ancestor(origin)
    v = _velocity_from(common, point, reference)
    return v if common is origin else v - _velocity_from(common, origin, reference)


def _velocity_from(ancestor: Point, point: Point, reference: Base) -> Vector:
    def step(v_parent: Vector, child: Point) -> Vector:
        terms = {}
        for base, r in child.offset.parts.items():
            w = angular_velocity(base, reference).components(base)
            terms[base] = time_derivative(r) + cross(w, r)  # (1)
        return _continued(v_parent, terms)

    return point.recursion(("v", reference), ancestor, point.world.vector(0, 0, 0), step)


def acceleration(
    point: Point, reference: Base | None = None, origin: Point | None = None, *, gravity: Vector | None = None
) -> Vector:
    """Acceleration of ``point`` relative to the frame of ``reference`` and ``origin`` (default: the roots).

    With ``gravity`` it is a - g, what an accelerometer shows.  The recursion then starts from -g instead of zero, which
    costs almost nothing, while weights that are added body by body each need g in their own base.
    """
    reference, origin = _frame(point, reference, origin)
    if gravity is not None and not isinstance(gravity, Vector):
        raise SymbolicTypeError(
            f"acceleration: gravity must be a vector, got a {type(gravity).__name__}; make one with "
            "world.vector(0, 0, -g)"
        )
    common = point.common_ancestor(origin)
    a = _acceleration_from(common, point, reference, gravity)
    return a if common is origin else a - _acceleration_from(common, origin, reference, None)


def _acceleration_from(ancestor: Point, point: Point, reference: Base, gravity: Vector | None) -> Vector:
    def step(a_parent: Vector, child: Point) -> Vector:
        terms = {}
        for base, r in child.offset.parts.items():
            w = angular_velocity(base, reference).components(base)
            dr = time_derivative(r)
            A = acceleration_tensor(base, reference)
            terms[base] = time_derivative(dr) + cross(w, 2.0 * dr) + A @ r  # (2)
        return _continued(a_parent, terms)

    start = point.world.vector(0, 0, 0)
    key: Any = None
    if gravity is not None:
        start = start - gravity
        key = tuple((base, *part) for base, part in gravity.parts.items())
    return point.recursion(("a", reference, key), ancestor, start, step)


def _frame(point: Point, reference: Base | None, origin: Point | None) -> tuple[Base, Point]:
    _point(point, "velocity or acceleration")
    if reference is None:
        reference = point.world
    elif not isinstance(reference, Base):
        raise SymbolicTypeError(f"reference needs a base, got a {type(reference).__name__}")
    reference.same_tree(point.world)
    return reference, point.top if origin is None else _point(origin, "origin")


def _continued(parent: Vector, terms: Mapping[Base, AtomArray]) -> Vector:
    """Motion of the parent plus the new terms; brought together first if a further base comes in."""
    if any(base not in parent.parts and not is_zero(term) for base, term in terms.items()):
        parent = parent.express()
    return parent + Vector(terms)
