"""The tree of bases, and the recursive operators on it (railway paper, sections 2.1 and 2.3).

A base is a triad of axes.  Each but the root is turned relative to its parent, and everything else follows by
composition along the tree:

    w_AC = w_AB + w_BC                                        (railway paper, eq. (3))
    α_AC = α_AB + ẇ_BC + w_AB × w_BC                          (ẇ_BC: derivative as seen from C)

Values are kept in the bases they belong to, in their own components: a base costs one change of base for w and one
for α.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from dalembert.arguments import flag, instance
from dalembert.errors import SymbolicError, SymbolicTypeError
from dalembert.symbolic.atom import AtomArray, eye
from dalembert.symbolic.graph import Graph
from dalembert.symbolic.mechanics.components import CYCLIC, frozen, scalar, scalars, times
from dalembert.symbolic.mechanics.rotations import (
    AxisAngle,
    EulerParameters,
    Rotation,
    rotation_matrix,
    unit_axis,
)
from dalembert.symbolic.mechanics.tree import Node
from dalembert.symbolic.mechanics.vectors import Tensor, Vector

_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


class Base(Node):
    """A triad of axes, turned relative to its parent.

    >>> g = Graph()
    >>> world = Base.root(g, "world")
    >>> arm = world.rotated("arm", axis=(0, 0, 1), angle=g.coordinate("phi"))
    >>> arm.vector(g.parameter("l"), 0, 0).components(world)
    AtomArray([cos(phi)*l, sin(phi)*l, 0], dtype=object)
    """

    kind = "Base"

    def __init__(self, name: str, parent: Self | None, graph: Graph, rotation: Rotation) -> None:
        super().__init__(name, parent)
        self.graph = graph
        self.rotation = rotation

    @classmethod
    def root(cls, graph: Graph, name: str = "world") -> Self:
        """The first base of a new tree."""
        identity = scalars(instance(graph, Graph, "Base: graph", SymbolicTypeError), eye(3), (3, 3), "Base")
        base = cls(name, None, graph, Rotation(identity))
        base._names.add(name)
        return base

    # ------------------------------------------------------------------ children

    def _child(self, name: str, rotation: Rotation) -> Self:
        child = type(self)(self._free_name(name), self, self.graph, rotation)
        self._names.add(name)
        return child

    def rotated(self, name: str, axis: Any, angle: Any, *, unit: bool = False) -> Self:
        """New base, turned by ``angle`` about ``axis``: three components in this base, or a vector.

        Any length of the axis is divided out; with ``unit`` an axis of expressions is taken to have length 1.
        """
        where = f"Base '{name}'"
        components = axis.components(self) if isinstance(axis, Vector) else axis
        n = unit_axis(self.graph, components, flag(unit, f"{where}: unit", SymbolicError), where)
        return self._child(name, AxisAngle(n, scalar(self.graph, angle, f"{where}: angle")))

    def euler(self, name: str, sequence: str, angles: Sequence[Any]) -> Self:
        """New base, turned by ``angles`` about axes that turn along (intrinsic), such as "zxz" or "zyx".

        The bases in between are nodes of the tree too, whose names are not taken: recursions pass one axis at a time.
        """
        where = f"Base '{name}'"
        if not isinstance(sequence, str) or not sequence or set(sequence) - set("xyz"):
            raise SymbolicError(
                f"{where}: the sequence of axes must consist of the letters x, y and z, got {sequence!r}"
            )
        items = scalars(self.graph, angles, (len(sequence),), f"{where}: angles for the sequence '{sequence}'")
        self._free_name(name)
        base = self
        for number, (letter, angle) in enumerate(zip(sequence, items, strict=True), start=1):
            turn = AxisAngle(unit_axis(self.graph, _AXES[letter], True, where), angle)
            last = number == len(sequence)
            base = base._child(name, turn) if last else type(self)(name + "'" * number, base, self.graph, turn)
        return base

    def euler_parameters(self, name: str, p: Sequence[Any], *, unit: bool = True, angular_velocity: Any = None) -> Self:
        """New base, turned by the Euler parameters ``p``, scalar first.

        Their length is taken to be 1, which equations or integrator have to ensure; ``unit=False`` divides it out.
        Give the ``angular_velocity`` where its components in the new base, relative to this one, are the velocities
        (see :func:`euler_parameter_rates`): nothing shortens 2 L(p) ½ L(p)ᵀ w to w afterwards.
        """
        items = scalars(self.graph, p, (4,), f"Base '{name}': Euler parameters")
        flag(unit, f"Base '{name}': unit", SymbolicError)
        return self._child(name, EulerParameters(items, unit, self._given(name, angular_velocity)))

    def turned(self, name: str, matrix: Any, *, angular_velocity: Any = None) -> Self:
        """New base, turned by any rotation matrix: its columns are the new axes in components of this base.

        ``angular_velocity``, in components of the new base, replaces what follows from Rᵀ Ṙ.
        """
        items = rotation_matrix(self.graph, matrix, f"Base '{name}'")
        return self._child(name, Rotation(items, self._given(name, angular_velocity)))

    def _given(self, name: str, angular_velocity: Any) -> AtomArray | None:
        if angular_velocity is None:
            return None
        return scalars(self.graph, angular_velocity, (3,), f"Base '{name}': angular velocity")

    # ------------------------------------------------------- what lives in a base

    def vector(self, *components: Any) -> Vector:
        """Vector with the given components in this base: ``vector(x, y, z)`` or ``vector(array)``."""
        items = components[0] if len(components) == 1 else components
        return Vector({self: scalars(self.graph, items, (3,), f"Base '{self.name}': vector")})

    def tensor(self, components: Any) -> Tensor:
        """Tensor with the given 3×3 components in this base."""
        return Tensor(self, scalars(self.graph, components, (3, 3), f"Base '{self.name}': tensor"))

    @property
    def R(self) -> AtomArray:
        """R_PC from this base C to its parent P: r_P = R_PC @ r_C."""
        return self.rotation.matrix


def _base(value: Any, what: str) -> Base:
    if not isinstance(value, Base):
        raise SymbolicTypeError(f"{what} needs a base, got a {type(value).__name__}")
    return value


def base_change(a: Base, b: Base) -> AtomArray:
    """R_AB: components in ``a`` = R_AB @ components in ``b``.

    For looking at, or for many vectors between two distant bases.  Vectors change their base by themselves, joint by
    joint: that takes 6 operations per turn about a coordinate axis, where extending the matrix by it takes 18.
    """
    common = _base(a, "base_change").common_ancestor(_base(b, "base_change"))

    def from_common(base: Base) -> AtomArray:
        identity = common.top.R
        return base.recursion("R", common, identity, lambda R, child: times(R, child.R))

    if common is a:
        return from_common(b)
    return times(from_common(a).T, from_common(b))


def angular_velocity(base: Base, reference: Base | None = None) -> Vector:
    """Angular velocity of ``base`` relative to ``reference`` (default: the root)."""
    _base(base, "angular_velocity")
    reference = base.top if reference is None else _base(reference, "angular_velocity: reference")
    common = base.common_ancestor(reference)
    w = _angular_velocity_from(common, base)
    return w if common is reference else w - _angular_velocity_from(common, reference)


def _angular_velocity_from(ancestor: Base, base: Base) -> Vector:
    def step(w_parent: Vector, child: Base) -> Vector:
        return (w_parent + child.vector(child.rotation.angular_velocity())).express(child)

    return base.recursion("w", ancestor, ancestor.vector(0, 0, 0), step)


def angular_acceleration(base: Base, reference: Base | None = None) -> Vector:
    """Angular acceleration of ``base`` relative to ``reference`` (default: the root), as seen from there."""
    _base(base, "angular_acceleration")
    reference = base.top if reference is None else _base(reference, "angular_acceleration: reference")
    common = base.common_ancestor(reference)
    alpha = _angular_acceleration_from(common, base)
    if common is reference:
        return alpha
    # With common base C and reference E: w_EB = w_CB - w_CE, and its derivative as seen from E instead of C
    # gains w_EC × w_EB = -w_CE × w_CB.
    w_CB, w_CE = _angular_velocity_from(common, base), _angular_velocity_from(common, reference)
    return alpha - _angular_acceleration_from(common, reference) - w_CE.cross(w_CB)


def _angular_acceleration_from(ancestor: Base, base: Base) -> Vector:
    def step(alpha_parent: Vector, child: Base) -> Vector:
        assert child.parent is not None
        w_parent = _angular_velocity_from(ancestor, child.parent).express(child)
        w_rel = child.vector(child.rotation.angular_velocity())
        own = child.vector(child.rotation.angular_acceleration()) + w_parent.cross(w_rel)
        return (alpha_parent + own).express(child)

    return base.recursion("alpha", ancestor, ancestor.vector(0, 0, 0), step)


def acceleration_tensor(base: Base, reference: Base) -> AtomArray:
    """A = [α]× + [w]×[w]× of ``base``, in its own components: a vector r fixed in it has the second derivative A r.

    One A serves all points and the inertia of a body.  It takes 15 operations and 15 per point, where
    α × r + w × (w × r) takes 30 per point.
    """
    key = ("A", reference)
    if key not in base._kept:
        w = angular_velocity(base, reference).components(base)
        alpha = angular_acceleration(base, reference).components(base)
        A = np.empty((3, 3), dtype=object).view(AtomArray)
        for i, j, k in CYCLIC:
            A[i, i] = -(w[j] * w[j] + w[k] * w[k])
            A[i, j], A[j, i] = w[i] * w[j] - alpha[k], w[i] * w[j] + alpha[k]
        base._kept[key] = frozen(A)
    kept: AtomArray = base._kept[key]
    return kept
