"""Threes and nines of atoms: the components that vectors, tensors and rotations are made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.errors import SymbolicError, SymbolicTypeError
from dalembert.symbolic.atom import Atom, AtomArray, from_handles, objects
from dalembert.symbolic.graph import Graph


def scalar(graph: Graph, value: Any, where: str) -> Atom:
    """``value`` as an atom; ``where`` begins the complaint if it is anything but a scalar ("Base 'B1': angle")."""
    if isinstance(value, Atom):
        return Atom(graph, graph.handle(value))
    if hasattr(type(value), "components"):
        raise SymbolicTypeError(
            f"{where} must be a scalar, got a {type(value).__name__.lower()}: {value!r}; "
            "take one of its components(base), or dot() or norm() of it"
        )
    items = objects(value) if isinstance(value, (np.ndarray, list, tuple)) else None
    if items is not None and items.ndim != 0:
        raise SymbolicError(f"{where} must be a scalar, got an array of shape {items.shape}")
    try:
        return Atom(graph, graph.handle(value if items is None else items.item()))
    except SymbolicError as error:
        raise SymbolicError(f"{where}: {error}") from None


def scalars(graph: Graph, values: Any, shape: tuple[int, ...], where: str) -> AtomArray:
    """``values`` as an array of atoms of the given shape, not writable because many share it."""
    if hasattr(type(values), "components"):
        raise SymbolicTypeError(
            f"{where}: expected scalars of shape {shape}, got a {type(values).__name__.lower()}; "
            "take its components(base)"
        )
    if isinstance(values, np.ndarray) and values.shape != shape:
        raise SymbolicError(f"{where}: expected scalars of shape {shape}, got shape {values.shape}")
    items = np.empty(()) if isinstance(values, Atom) else objects(values)
    if items.shape != shape:
        raise SymbolicError(f"{where}: expected scalars of shape {shape}, got shape {items.shape}")
    atoms = [scalar(graph, item, f"{where}: element {index}") for index, item in np.ndenumerate(items)]
    return frozen(from_handles(graph, [atom.handle for atom in atoms], shape))


def frozen(items: AtomArray) -> AtomArray:
    """An array, closed for writing."""
    items.setflags(write=False)
    return items


def is_zero(items: AtomArray) -> bool:
    """Whether every element is zero by structure."""
    return all(atom.handle == 0 for atom in items.flat)


def numbers(items: AtomArray) -> np.ndarray | None:
    """The values of ``items`` if all of them are numbers."""
    values = [atom.value for atom in items.flat]
    if any(value is None for value in values):
        return None
    return np.array(values, dtype=float).reshape(items.shape)


def plus(a: AtomArray, b: AtomArray) -> AtomArray:
    """a + b, with the type that NumPy's stubs lose"""
    result: Any = a + b
    return frozen(result)


def times(a: AtomArray, b: AtomArray) -> AtomArray:
    """Matrix by vector or matrix"""
    result: Any = a @ b
    return frozen(result)


def cross(a: AtomArray, b: AtomArray) -> AtomArray:
    """a × b"""
    result = np.empty(3, dtype=object).view(AtomArray)
    for i, j, k in CYCLIC:
        result[i] = a[j] * b[k] - a[k] * b[j]
    return result


#: (i, j, k) in right-handed order
CYCLIC = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
