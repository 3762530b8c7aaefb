"""Vectors and tensors of three-dimensional space that know their base (railway paper, section 2.3).

A vector is a sum of parts, each with components in a base of its own.  Adding vectors only gathers their parts.
They are brought together when components are asked for, and then each rotation on the way is applied once, to the
sum of all that has to pass it.  So r₁ + r₂ + r₃ along a chain costs one change of base per joint in the base of its
end as well as in that of its beginning.

The base in which a vector is brought together if no other is named (:attr:`Vector.base`) is

* the deepest one, if the others are its ancestors.  The recursions of kinematics run outwards,
  w_child = Rᵀ w_parent + w_rel; with the sum in the child's base they need one change of base per joint, and the next
  joint goes on from there;
* the nearest common ancestor otherwise.  To carry one branch over to the other would pass the same rotations, but the
  second half of them with a vector that has lost its zeros, and only the ancestor is on the way to every third base.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from types import MethodType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from dalembert.arguments import shown
from dalembert.errors import SymbolicTypeError
from dalembert.symbolic.atom import Atom, AtomArray
from dalembert.symbolic.calculus import time_derivative
from dalembert.symbolic.functions import sqrt
from dalembert.symbolic.mechanics.components import cross, frozen, is_zero, plus, scalar, times
from dalembert.symbolic.mechanics.tree import Node

if TYPE_CHECKING:
    from dalembert.symbolic.mechanics.bases import Base

Part = TypeVar("Part")


class Vector:
    """A vector, made by :meth:`Base.vector` and by operations on vectors."""

    __slots__ = ("_base", "_collected", "_parts")
    __array_ufunc__ = None  # a NumPy number or array on the left leaves the operation to us

    def __init__(self, parts: Mapping[Base, AtomArray]) -> None:
        if not isinstance(parts, Mapping) or not parts:
            raise SymbolicTypeError(f"the parts of a vector must be components by base, got {shown(parts)}")
        for base, part in parts.items():
            if not isinstance(base, Node) or not isinstance(part, AtomArray) or part.shape != (3,):
                raise SymbolicTypeError(
                    f"the parts of a vector must be three atoms for a base, got {shown(part)} for {shown(base)}; "
                    "make it with base.vector(x, y, z)"
                )
        kept = {base: part for base, part in parts.items() if not is_zero(part)}
        self._parts = {base: frozen(part) for base, part in (kept or dict([next(iter(parts.items()))])).items()}
        self._base = _home(self._parts)
        self._collected: dict[Base, AtomArray] = {}

    @property
    def base(self) -> Base:
        """The base of the components, unless another is asked for."""
        return self._base

    @property
    def parts(self) -> Mapping[Base, AtomArray]:
        """The parts that the vector is the sum of."""
        return dict(self._parts)

    def components(self, base: Base | None = None) -> AtomArray:
        """The three components in ``base``."""
        base = self._base if base is None else self._base._alike(base)
        if base not in self._collected:
            self._base.same_tree(base)
            self._collected[base] = frozen(_collect(self._parts, base, _up, _down))
        return self._collected[base]

    def express(self, base: Base | None = None) -> Vector:
        """This vector in one part, with components in ``base``."""
        base = self._base if base is None else self._base._alike(base)
        if len(self._parts) == 1 and base in self._parts:
            return self
        return Vector({base: self.components(base)})

    def __repr__(self) -> str:
        parts = (f"{[*part]} in '{base.name}'" for base, part in self._parts.items())
        return f"<Vector {' + '.join(parts)}>"

    # ------------------------------------------------------------------ algebra

    def __add__(self, other: Any) -> Vector:
        if not isinstance(other, Vector):
            if isinstance(other, (int, float)) and other == 0:  # sum() starts with it
                return self
            if isinstance(other, MethodType):
                raise SymbolicTypeError(f"a method cannot be added to a vector; call it: {other.__name__}()")
            raise SymbolicTypeError(
                f"a vector and a {type(other).__name__} cannot be added; make a vector of it with base.vector(x, y, z)"
            )
        self._base.same_tree(other._base)
        parts = dict(self._parts)
        for base, part in other._parts.items():
            parts[base] = plus(parts[base], part) if base in parts else part
        return Vector(parts)

    __radd__ = __add__

    def __neg__(self) -> Vector:
        return Vector({base: -part for base, part in self._parts.items()})

    def __sub__(self, other: Any) -> Vector:
        if not isinstance(other, Vector):
            raise SymbolicTypeError(f"a {type(other).__name__} cannot be subtracted from a vector")
        return self + -other

    def __rsub__(self, other: Any) -> Vector:
        return -self + other

    def __mul__(self, factor: Any) -> Vector:
        if isinstance(factor, Vector):
            raise SymbolicTypeError("the product of two vectors is u.dot(v) or u.cross(v), not u*v")
        factor = scalar(self._base.graph, factor, "vector*factor: the factor")
        # Brought together first: three products, not three for each part.
        return Vector({self._base: factor * self.components()})

    __rmul__ = __mul__

    def __truediv__(self, divisor: Any) -> Vector:
        divisor = scalar(self._base.graph, divisor, "vector/divisor: the divisor")
        return Vector({self._base: self.components() / divisor})

    def _with(self, other: Any, operation: str) -> tuple[Base, AtomArray, AtomArray]:
        """A base for both, and the components there."""
        if not isinstance(other, Vector):
            raise SymbolicTypeError(f"{operation} needs a vector, got a {type(other).__name__}")
        self._base.same_tree(other._base)
        base = _home({self._base: None, other._base: None})
        return base, self.components(base), other.components(base)

    def __matmul__(self, other: Any) -> Atom:
        return self.dot(other)

    def __abs__(self) -> Atom:
        return self.norm()

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        raise SymbolicTypeError(
            f"np.{func.__name__} does not take vectors; use u.dot(v), u.cross(v) and u.norm(), or take "
            "components(base) of them"
        )

    def dot(self, other: Vector) -> Atom:
        """Scalar product."""
        _, a, b = self._with(other, "dot")
        result: Any = a @ b
        atom: Atom = result
        return atom

    def cross(self, other: Vector) -> Vector:
        """Vector product self × other."""
        base, a, b = self._with(other, "cross")
        return Vector({base: cross(a, b)})

    def norm(self) -> Atom:
        """Length."""
        result: Atom = sqrt(self.dot(self))
        return result

    def dt(self, reference: Base | None = None) -> Vector:
        """Time derivative as seen from the base ``reference`` (default: the root)."""
        from dalembert.symbolic.mechanics.bases import angular_velocity

        parts = {}
        for base, part in self._parts.items():
            w = angular_velocity(base, reference).components(base)
            parts[base] = time_derivative(part) + cross(w, part)
        return Vector(parts)


class Tensor:
    """A tensor of second order, made by :meth:`Base.tensor`; inertias are tensors."""

    __slots__ = ("_collected", "base")
    __array_ufunc__ = None

    def __init__(self, base: Base, components: AtomArray) -> None:
        if not isinstance(base, Node):
            raise SymbolicTypeError(f"the base of a tensor must be a base, got {shown(base)}")
        if not isinstance(components, AtomArray) or components.shape != (3, 3):
            raise SymbolicTypeError(
                f"the components of a tensor must be 3×3 atoms, got {shown(components)}; make it with base.tensor(…)"
            )
        self.base = base
        self._collected = {base: frozen(components)}

    def components(self, base: Base | None = None) -> AtomArray:
        """The 3×3 components in ``base``."""
        base = self.base if base is None else self.base._alike(base)
        if base not in self._collected:
            self.base.same_tree(base)
            own = {self.base: self._collected[self.base]}
            self._collected[base] = frozen(_collect(own, base, _tensor_up, _tensor_down))
        return self._collected[base]

    def express(self, base: Base) -> Tensor:
        """This tensor with components in ``base``."""
        return self if self.base._alike(base) is self.base else Tensor(base, self.components(base))

    def __repr__(self) -> str:
        return f"<Tensor {self.components().tolist()} in '{self.base.name}'>"

    def __add__(self, other: Any) -> Tensor:
        if not isinstance(other, Tensor):
            raise SymbolicTypeError(f"a tensor and a {type(other).__name__} cannot be added")
        self.base.same_tree(other.base)
        base = _home({self.base: None, other.base: None})
        return Tensor(base, plus(self.components(base), other.components(base)))

    def __neg__(self) -> Tensor:
        return Tensor(self.base, -self.components())

    def __sub__(self, other: Any) -> Tensor:
        if not isinstance(other, Tensor):
            raise SymbolicTypeError(f"a {type(other).__name__} cannot be subtracted from a tensor")
        return self + -other

    def __mul__(self, factor: Any) -> Tensor:
        if isinstance(factor, Vector):
            raise SymbolicTypeError("the product of a tensor and a vector is tensor @ vector")
        return Tensor(self.base, scalar(self.base.graph, factor, "tensor*factor: the factor") * self.components())

    __rmul__ = __mul__

    def __truediv__(self, divisor: Any) -> Tensor:
        divisor = scalar(self.base.graph, divisor, "tensor/divisor: the divisor")
        return Tensor(self.base, self.components() / divisor)

    def __matmul__(self, vector: Any) -> Vector:
        if not isinstance(vector, Vector):
            raise SymbolicTypeError(f"tensor @ vector needs a vector, got a {type(vector).__name__}")
        # The vector comes to the tensor: that takes a third of the operations of the other way round.
        return Vector({self.base: times(self.components(), vector.components(self.base))})


# -------------------------------------------------------------- changes of base


def _home(parts: Mapping[Base, Any]) -> Base:
    """The base where parts in the given bases are brought together (module docstring)."""
    deepest = max(parts, key=lambda base: base.depth)
    if all(base.is_above(deepest) for base in parts):
        return deepest
    return reduce(lambda a, b: a.common_ancestor(b), parts)


def _collect(
    parts: Mapping[Base, AtomArray],
    target: Base,
    up: Callable[[Base, AtomArray], AtomArray],
    down: Callable[[Base, AtomArray], AtomArray],
) -> AtomArray:
    """Sum of ``parts`` in the base ``target``: each edge of the tree is passed once.

    ``up(child, part)`` carries a part from a child to its parent, ``down(child, part)`` back.
    """
    pending = dict(parts)

    def arrive(base: Base, part: AtomArray) -> None:
        pending[base] = plus(pending[base], part) if base in pending else part

    # What is not above the target climbs, the deepest first, and so meets what waits at its ancestors.
    while climbing := [base for base in pending if not base.is_above(target)]:
        child = max(climbing, key=lambda base: base.depth)
        assert child.parent is not None
        arrive(child.parent, up(child, pending.pop(child)))
    # The rest stands on the line from the root to the target and goes down, the shallowest first.
    top = min(pending, key=lambda base: base.depth)
    line = []
    base = target
    while base is not top:
        assert base.parent is not None
        line.append(base)
        base = base.parent
    for child in reversed(line):
        assert child.parent is not None
        arrive(child, down(child, pending.pop(child.parent)))
    return pending[target]


def _up(child: Base, part: AtomArray) -> AtomArray:
    return times(child.R, part)


def _down(child: Base, part: AtomArray) -> AtomArray:
    return times(child.R.T, part)


def _tensor_up(child: Base, part: AtomArray) -> AtomArray:
    return _congruence(child.R, part)


def _tensor_down(child: Base, part: AtomArray) -> AtomArray:
    return _congruence(child.R.T, part)


def is_symmetric(components: AtomArray) -> bool:
    """Whether a tensor is symmetric by structure."""
    return bool(np.all(components == components.T))


def _congruence(R: AtomArray, components: AtomArray) -> AtomArray:
    """R T Rᵀ; of a symmetric result only one half is computed, which also keeps it symmetric by structure."""
    result = times(times(R, components), R.T)
    if is_symmetric(components):
        upper = result.copy()
        for i, j in ((1, 0), (2, 0), (2, 1)):
            upper[i, j] = upper[j, i]
        return frozen(upper)
    return result
