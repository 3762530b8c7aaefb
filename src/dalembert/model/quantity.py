"""Quantities of a model: expressions that are written before it is known which coordinates they will be made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.arguments import function, listed, shown, texts
from dalembert.errors import ModelError
from dalembert.symbolic import array

if TYPE_CHECKING:
    from dalembert.model.formulate.scene import Scene
    from dalembert.model.joints.joints import JointCoordinate


class Quantity:
    """Something that can be measured: a position, a velocity, a reaction, an energy, or an expression of such.

    Quantities are added, multiplied, given to NumPy's functions and taken apart like arrays; what they are is found
    when the equations are made.

    >>> speed = np.sqrt(tip.velocity @ tip.velocity)                                            # doctest: +SKIP
    """

    __array_priority__ = 2000

    def __init__(
        self,
        build: Callable[[Scene], Any],
        name: str = "",
        labels: Sequence[str] = (),
        coordinates: Sequence[JointCoordinate] = (),
    ) -> None:
        self._build = function(build, "Quantity: build", ModelError)
        if not isinstance(name, str):
            raise ModelError(f"Quantity: name must be a text, got {shown(name)}")
        self.name = name
        #: names of the components, such as x, y, z
        self.labels = texts(labels, f"Quantity '{name}': labels", ModelError)
        #: coordinates of joints that it is made of
        self.coordinates: tuple[JointCoordinate, ...] = listed(
            coordinates, f"Quantity '{name}': coordinates", ModelError
        )
        for coordinate in self.coordinates:
            if coordinate is not self and not (isinstance(coordinate, Quantity) and hasattr(coordinate, "joint")):
                raise ModelError(f"Quantity '{name}': coordinates must be those of joints, got {shown(coordinate)}")

    def build(self, scene: Scene) -> Any:
        """Atoms of the scene's graph: one, or an array."""
        return self._build(scene)

    def __repr__(self) -> str:
        return f"<Quantity '{self.name}'>" if self.name else "<Quantity>"

    def __getitem__(self, index: Any) -> Quantity:
        return Quantity(lambda scene: array(self.build(scene))[index], coordinates=self.coordinates)

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
            k = labels.index(label)
            return Quantity(lambda scene: array(self.build(scene))[k], f"{self.name}.{label}", (), self.coordinates)
        raise AttributeError(
            f"{self!r} has no component '{label}'" + (f"; it has {', '.join(labels)}" if labels else "")
        )

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method != "__call__" or options:
            return NotImplemented
        return _made(lambda scene: ufunc(*(value_of(item, scene) for item in inputs)), *inputs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return _made(lambda scene: function(*(value_of(item, scene) for item in args), **kwargs), *args)

    def __add__(self, other: Any) -> Quantity:
        return _both(self, other, lambda a, b: a + b)

    def __radd__(self, other: Any) -> Quantity:
        return _both(other, self, lambda a, b: a + b)

    def __sub__(self, other: Any) -> Quantity:
        return _both(self, other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Quantity:
        return _both(other, self, lambda a, b: a - b)

    def __mul__(self, other: Any) -> Quantity:
        return _both(self, other, lambda a, b: a * b)

    def __rmul__(self, other: Any) -> Quantity:
        return _both(other, self, lambda a, b: a * b)

    def __truediv__(self, other: Any) -> Quantity:
        return _both(self, other, lambda a, b: a / b)

    def __rtruediv__(self, other: Any) -> Quantity:
        return _both(other, self, lambda a, b: a / b)

    def __pow__(self, other: Any) -> Quantity:
        return _both(self, other, lambda a, b: a**b)

    def __matmul__(self, other: Any) -> Quantity:
        return _both(self, other, lambda a, b: a @ b)

    def __rmatmul__(self, other: Any) -> Quantity:
        return _both(other, self, lambda a, b: a @ b)

    def __neg__(self) -> Quantity:
        return _made(lambda scene: -self.build(scene), self)

    def __abs__(self) -> Quantity:
        return _made(lambda scene: np.abs(self.build(scene)), self)


def value_of(item: Any, scene: Scene) -> Any:
    """Atoms of a quantity; anything else, also a list of quantities, as it is."""
    if isinstance(item, Quantity):
        return item.build(scene)
    if isinstance(item, (list, tuple)):
        return type(item)(value_of(one, scene) for one in item)
    return item


#: Lists in lists that quantities may stand in.
DEEPEST = 32


def _both(a: Any, b: Any, operation: Callable[[Any, Any], Any]) -> Quantity:
    return _made(lambda scene: operation(value_of(a, scene), value_of(b, scene)), a, b)


def _made(build: Callable[[Scene], Any], *parts: Any) -> Quantity:
    """A quantity made of others."""
    return Quantity(build, coordinates=coordinates_of(parts))


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
