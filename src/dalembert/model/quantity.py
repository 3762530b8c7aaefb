"""Quantities of a model: expressions that are written before it is known which coordinates they will be made of."""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.arguments import function, shown, texts
from dalembert.arguments import listed as items_of
from dalembert.errors import ModelError, SymbolicTypeError
from dalembert.symbolic import Atom, array, equal, not_equal

if TYPE_CHECKING:
    from dalembert.model.formulate.scene import Scene
    from dalembert.model.joints.joints import JointCoordinate


class Quantity:
    """Something that can be measured: a position, a velocity, a reaction, an energy, or an expression of such.

    Quantities are added, multiplied, given to NumPy's functions and taken apart like arrays; what they are is found
    when the equations are made.  ``build`` is a function of a scene; models are copied and pickled with their
    quantities, so it is a method, or a function of a module with what it needs bound by :func:`functools.partial`.

    >>> speed = np.sqrt(tip.velocity @ tip.velocity)                                            # doctest: +SKIP
    """

    __array_priority__ = 2000

    def __init__(
        self,
        build: Callable[[Scene], Any],
        name: str = "",
        labels: Sequence[str] = (),
        coordinates: Sequence[JointCoordinate] = (),
        axes: Any = None,
    ) -> None:
        self._build = function(build, "Quantity: build", ModelError)
        if not isinstance(name, str):
            raise ModelError(f"Quantity: name must be a text, got {shown(name)}")
        self.name = name
        #: names of the components, such as x, y, z
        self.labels = texts(labels, f"Quantity '{name}': labels", ModelError)
        #: of a vector: the marker in whose axes its components are
        self.axes = axes
        #: coordinates of joints that it is made of
        self.coordinates: tuple[JointCoordinate, ...] = items_of(
            coordinates, f"Quantity '{name}': coordinates", ModelError
        )
        for coordinate in self.coordinates:
            if coordinate is not self and not (isinstance(coordinate, Quantity) and hasattr(coordinate, "joint")):
                raise ModelError(f"Quantity '{name}': coordinates must be those of joints, got {shown(coordinate)}")

    @property
    def key(self) -> Hashable:
        """Equal for quantities that are the same expression of the same objects, as far as that is easily seen."""
        made = self._build
        if isinstance(made, partial) and not made.keywords:
            try:
                key = (made.func, *made.args)
                hash(key)
            except TypeError:  # of lists
                return self
            return key
        return self

    @property
    def parts(self) -> list[Quantity]:
        """Quantities that it is made of, as far as that is easily seen."""
        return quantities_in(self._build.args) if isinstance(self._build, partial) else []

    @property
    def summands(self) -> tuple[Any, ...]:
        """Of a sum or difference what it is made of; nothing else is one."""
        made = self._build
        known = isinstance(made, partial) and made.func is _applied and made.args[0] in (operator.add, operator.sub)
        return tuple(made.args[1]) if isinstance(made, partial) and known else ()

    def build(self, scene: Scene) -> Any:
        """Atoms of the scene's graph: one, or an array."""
        return self._build(scene)

    def in_(self, frame: Any) -> Quantity:
        """A vector in the axes of another marker or body: ``joint.force.in_(m.ground)``, ``tip.velocity.in_(arm)``."""
        if self.axes is None:
            raise ModelError(f"{self!r}: only positions, velocities, forces and torques that are vectors have axes")
        target = getattr(frame, "origin", frame)
        if not hasattr(target, "body"):
            raise ModelError(f"{self!r}: axes are those of a body or a marker, such as m.ground; got {shown(frame)}")
        made = partial(_in_axes, self, self.axes, target)
        return Quantity(made, f"{self.name} in {target.body.name}", self.labels, self.coordinates, target)

    def __repr__(self) -> str:
        return f"<Quantity '{self.name}'>" if self.name else "<Quantity>"

    def __getitem__(self, index: Any) -> Quantity:
        return Quantity(partial(_part, self, index), coordinates=self.coordinates)

    def __iter__(self) -> Iterator[Quantity]:
        # Without this Python asks for [0], [1], … and never hears of an end.
        if not self.labels:
            raise TypeError(f"{self!r} cannot be taken apart: how many components it has is found later; use [0], [1]")
        return (self[k] for k in range(len(self.labels)))

    def __getattr__(self, label: str) -> Quantity:
        if label.startswith("_"):
            raise AttributeError(label)
        labels: tuple[str, ...] = self.__dict__.get("labels", ())
        if label in labels:
            return Quantity(partial(_part, self, labels.index(label)), f"{self.name}.{label}", (), self.coordinates)
        raise AttributeError(
            f"{self!r} has no component '{label}'" + (f"; it has {', '.join(labels)}" if labels else "")
        )

    @staticmethod
    def _argument_of(operation: Callable[..., Any], *parts: Any) -> Quantity:
        """What an operation, such as a table, makes of quantities."""
        return made(operation, *parts)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method != "__call__" or options:
            return NotImplemented
        return made(_OF_VALUES.get(ufunc, ufunc), *inputs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return made(function, *args, options=kwargs)

    def __add__(self, other: Any) -> Quantity:
        return made(operator.add, self, other)

    def __radd__(self, other: Any) -> Quantity:
        return made(operator.add, other, self)

    def __sub__(self, other: Any) -> Quantity:
        return made(operator.sub, self, other)

    def __rsub__(self, other: Any) -> Quantity:
        return made(operator.sub, other, self)

    def __mul__(self, other: Any) -> Quantity:
        return made(operator.mul, self, other)

    def __rmul__(self, other: Any) -> Quantity:
        return made(operator.mul, other, self)

    def __truediv__(self, other: Any) -> Quantity:
        return made(operator.truediv, self, other)

    def __rtruediv__(self, other: Any) -> Quantity:
        return made(operator.truediv, other, self)

    def __pow__(self, other: Any) -> Quantity:
        return made(operator.pow, self, other)

    def __matmul__(self, other: Any) -> Quantity:
        return made(operator.matmul, self, other)

    def __rmatmul__(self, other: Any) -> Quantity:
        return made(operator.matmul, other, self)

    def __neg__(self) -> Quantity:
        return made(operator.neg, self)

    def __abs__(self) -> Quantity:
        return made(np.abs, self)

    def __mod__(self, other: Any) -> Quantity:
        return made(np.remainder, self, other)

    def __rmod__(self, other: Any) -> Quantity:
        return made(np.remainder, other, self)

    def __rpow__(self, other: Any) -> Quantity:
        return made(operator.pow, other, self)

    # ------------------------------------------------------- conditions, which are 1 or 0 when they are evaluated

    def __lt__(self, other: Any) -> Quantity:
        return made(np.less, self, other)

    def __le__(self, other: Any) -> Quantity:
        return made(np.less_equal, self, other)

    def __gt__(self, other: Any) -> Quantity:
        return made(np.greater, self, other)

    def __ge__(self, other: Any) -> Quantity:
        return made(np.greater_equal, self, other)

    def __and__(self, other: Any) -> Quantity:
        return made(np.logical_and, self, other)

    __rand__ = __and__

    def __or__(self, other: Any) -> Quantity:
        return made(np.logical_or, self, other)

    __ror__ = __or__

    def __invert__(self) -> Quantity:
        return made(np.logical_not, self)

    def __eq__(self, other: object) -> bool:
        """Whether it is the same object: quantities are keys of dictionaries."""
        if isinstance(other, (int, float, np.number, np.ndarray)):
            raise SymbolicTypeError(
                f"{self!r} == {shown(other)}: a quantity has no value before it is evaluated; values at the start are "
                "given by a dictionary, assemble({A.angle: 1.0}), and the condition is np.equal(quantity, value)"
            )
        return self is other

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise SymbolicTypeError(
            f"the truth of {self!r} is not known before it is evaluated, so 'if', 'and', 'or', 'not', min(), max() and "
            "chained comparisons cannot use it; write np.where(condition, a, b), np.minimum(a, b), np.maximum(a, b), "
            "a & b, a | b or ~a instead; whether there is one: 'is not None'"
        )


def value_of(item: Any, scene: Scene) -> Any:
    """Atoms of a quantity, or of a parameter such as ``m.p.k``; anything else, also a list of quantities, as it is."""
    if isinstance(item, Quantity):
        return item.build(scene)
    if isinstance(item, Atom):
        return scene.number(item)
    if isinstance(item, (list, tuple)):
        return type(item)(value_of(one, scene) for one in item)
    return item


def quantities_in(item: Any) -> list[Quantity]:
    """Quantities among objects, also in lists of them."""
    if isinstance(item, Quantity):
        return [item]
    return [one for part in item for one in quantities_in(part)] if isinstance(item, (list, tuple)) else []


#: Comparisons that NumPy makes with ``==``, which compares the structure of atoms.
_OF_VALUES: dict[Any, Callable[..., Any]] = {np.equal: equal, np.not_equal: not_equal}
#: Lists in lists that quantities may stand in.
DEEPEST = 32


def listed(parts: Sequence[Any]) -> Quantity:
    """An array of quantities as one."""
    return made(_array, *parts)


def made(operation: Callable[..., Any], *parts: Any, options: Mapping[str, Any] | None = None) -> Quantity:
    """A quantity made of others."""
    return Quantity(partial(_applied, operation, parts, dict(options or {})), coordinates=coordinates_of(parts))


def _applied(operation: Callable[..., Any], parts: Sequence[Any], options: Mapping[str, Any], scene: Scene) -> Any:
    return operation(*(value_of(part, scene) for part in parts), **options)


def _in_axes(quantity: Quantity, own: Any, target: Any, scene: Scene) -> Any:
    """Components of a vector in other axes; of one in the plane two."""
    given = list(array(quantity.build(scene)).reshape(-1))
    R = scene.frame(target).rotation_of(scene.frame(own))
    turned = R @ array([*given, *[0.0] * (3 - len(given))])
    return array(list(turned)[: len(given)])


def _part(quantity: Quantity, index: Any, scene: Scene) -> Any:
    return array(quantity.build(scene))[index]


def _array(*values: Any) -> Any:
    return array(list(values))


def coordinates_of(parts: Any, depth: int = 0) -> tuple[JointCoordinate, ...]:
    """Coordinates of joints in quantities, also in lists of them."""
    if depth > DEEPEST:
        raise ModelError(f"a quantity is made of lists in lists, more than {DEEPEST}, such as {shown(parts)}")
    found: dict[JointCoordinate, None] = {}
    for part in parts:
        if isinstance(part, Quantity):
            found |= dict.fromkeys(part.coordinates)
        elif isinstance(part, (list, tuple)):
            found |= dict.fromkeys(coordinates_of(part, depth + 1))
    return tuple(found)
