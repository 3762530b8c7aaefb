"""Checks of what surfaces, patches and laws are made of: numbers, arrays of numbers, and atoms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dalembert.arguments import LARGEST_ARRAY, function, reals, shown
from dalembert.errors import DalembertError, ModelError
from dalembert.symbolic import Atom, AtomArray, array


def quantity(value: Any, what: str) -> Any:
    """A number, an array of numbers, or atoms."""
    if isinstance(value, (float, Atom, AtomArray)):
        return value
    if type(value) is np.ndarray and value.dtype == float:
        return value
    items = reals(value, what, ModelError, wanted="a number, an array of numbers, or atoms")
    return items if items.ndim else float(items)


def quantities(what: str, **values: Any) -> list[Any]:
    """Several of them, whose arrays fit together."""
    found = [quantity(value, f"{what}: {name}") for name, value in values.items()]
    fitting(what, **dict(zip(values, found, strict=True)))
    return found


def vectors(what: str, **values: Any) -> list[Any]:
    """Several vectors, whose arrays fit together."""
    found = [vector_of(value, f"{what}: {name}") for name, value in values.items()]
    fitting(what, **dict(zip(values, found, strict=True)))
    return found


def fitting(what: str, **values: Any) -> None:
    """Complain about arrays that cannot be taken item by item."""
    shapes = {name: np.shape(value) for name, value in values.items()}
    try:
        size = int(np.prod(np.broadcast_shapes(*shapes.values()), dtype=float))
    except ValueError:
        size = LARGEST_ARRAY + 1
    if size > LARGEST_ARRAY:
        listed = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise ModelError(f"{what}: arrays of these shapes do not fit together: {listed}")


def vector_of(value: Any, what: str, size: int = 3) -> Any:
    """Components of a vector along the first axis."""
    if isinstance(value, (list, tuple)) and any(isinstance(item, Atom) for item in value):
        value = array(value)
    found = quantity(value, what)
    if np.ndim(found) < 1 or len(found) != size:
        raise ModelError(f"{what} must have {size} components along its first axis, got {shown(value)}")
    return found


def evaluated(profile: Callable[..., Any], what: str, at: Any, *orders: int) -> list[Any]:
    """Values of a function (u, order), such as a profile, and of its derivatives."""
    function(profile, what, ModelError)
    try:
        found = [profile(at, order) if order else profile(at) for order in orders]
    except DalembertError:
        raise
    except (TypeError, ValueError, MemoryError) as error:
        raise ModelError(
            f"{what} must be a function of u and of the order of the derivative, such as rail.s1002(): {error}"
        ) from error
    return [quantity(one, f"{what}: its values") for one in found]


def components(curve: Callable[..., Any], what: str, s: Any, *orders: int) -> list[Any]:
    """Values of a rail's line, x, y, z and θ along the first axis, and of their derivatives."""
    found = []
    for one in evaluated(curve, what, s, *orders):
        if np.ndim(one) < 1 or one.shape[-1] != 4:
            raise ModelError(f"{what} must have four components, x, y, z and θ, as Track.rail has; got {shown(one)}")
        found.append(one if one.ndim == 1 else np.moveaxis(one, -1, 0))
    return found
