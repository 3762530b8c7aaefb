"""Interfaces: points that joints and forces are attached to, moved by many nodes.

"rigid" (RBE2)   all nodes move with the point as parts of a rigid body: their displacements and rotations are those of
                 the point, u = R(X − X_0) (u_0, θ_0), which stiffens the body there
"mean" (RBE3)    the point moves with the nodes in the mean, (u_0, θ_0) = (Σ RᵀR)⁻¹ Σ Rᵀ u, which stiffens nothing; a
                 force on the point is spread over the nodes

A rigid interface replaces degrees of freedom of its nodes by six of the point, in the plane three.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.arguments import instance, listed, one_of, reals, text, wholes
from dalembert.elastic.finite_elements import FiniteElements
from dalembert.elastic.flexibility import Reals, turning_matrices
from dalembert.errors import ModelError

KINDS = ("rigid", "mean")


@dataclass(frozen=True)
class Interface:
    """A point and the nodes that it moves with.

    :param name: of the node that joints and forces are attached to
    :param nodes: numbers of nodes of the finite elements
    :param kind: "rigid" (RBE2) or "mean" (RBE3)
    :param at: place of the point
    """

    name: str
    nodes: tuple[int, ...]
    kind: str = "rigid"
    at: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        where = f"interface '{text(self.name, 'interface: name', ModelError)}'"
        one_of(self.kind, KINDS, f"{where}: kind", ModelError)
        numbers = wholes(self.nodes, f"{where}: nodes", ModelError, ndim=1)
        if not len(numbers) or len(set(numbers.tolist())) != len(numbers):
            raise ModelError(f"{where}: nodes must be different numbers, at least one")
        object.__setattr__(self, "nodes", tuple(numbers.tolist()))
        place = reals(self.at, f"{where}: at", ModelError, ndim=1, finite=True)
        if len(place) not in (2, 3):
            raise ModelError(f"{where}: at must be a place, 2 or 3 numbers, got {self.at}")
        object.__setattr__(self, "at", tuple(place.tolist()))


def checked(fe: FiniteElements, interfaces: Any) -> tuple[Interface, ...]:
    """Interfaces of one body: names differ, nodes exist, no node is held by two rigid ones."""
    given = (interfaces,) if isinstance(interfaces, Interface) else interfaces
    where = f"finite elements '{fe.name}'"
    found = tuple(
        instance(one, Interface, f"{where}: interfaces", ModelError, "fe.interface(…)")
        for one in listed(given, f"{where}: interfaces", ModelError)
    )
    names = [one.name for one in found]
    if len(set(names)) != len(names):
        raise ModelError(f"{where}: names of interfaces must differ, got {', '.join(names)}")
    taken: dict[int, str] = {}
    for one in found:
        if len(one.at) != fe.dimension:
            raise ModelError(
                f"{where}: interface '{one.name}' is at {one.at}, where places have {fe.dimension} numbers"
            )
        if min(one.nodes) < 0 or max(one.nodes) >= len(fe.X):
            raise ModelError(f"{where}: interface '{one.name}' has nodes beyond {len(fe.X) - 1}")
        for node in one.nodes if one.kind == "rigid" else ():
            if node in taken:
                raise ModelError(
                    f"{where}: node '{fe.names[node]}' is held by the rigid interfaces '{taken[node]}' and "
                    f"'{one.name}'; make one of them kind='mean', or share no nodes"
                )
            taken[node] = one.name
    return found


def rigid_rows(fe: FiniteElements, interface: Interface) -> tuple[list[int], Reals]:
    """Rows of the nodes, and their displacements by unit motions (u_0, θ_0) of the point that elements have."""
    d = fe.dimension
    turning, rotations = turning_matrices(d), fe.rotations
    rows, entries = [], []
    for node in interface.nodes:
        arm = fe.X[node] - np.array(interface.at)
        for component in range(6):
            row = int(fe.places[node, component])
            if row < 0:
                continue
            unit = np.zeros(d + len(rotations))
            if component < d:
                unit[component] = 1.0
                unit[d:] = [(turn @ arm)[component] for turn in turning]
            else:
                unit[d + rotations.index(component)] = 1.0
            rows.append(row)
            entries.append(unit[list(fe.active)])
    return rows, np.array(entries)


class Attached:
    """Finite elements with interfaces: u = T x, and the motion (u_0, θ_0) = A x of each point.

    x are the degrees of freedom that no rigid interface holds, then six (three) for each rigid interface.
    """

    def __init__(self, fe: FiniteElements, interfaces: Sequence[Interface]) -> None:
        from scipy import sparse

        self.fe, self.interfaces = fe, tuple(interfaces)
        size = len(fe.active)
        held: dict[int, tuple[int, Reals]] = {}
        rigid = [one for one in self.interfaces if one.kind == "rigid"]
        for k, one in enumerate(rigid):
            rows, entries = rigid_rows(fe, one)
            _check_determined(fe, one, entries)
            held |= {row: (k, entry) for row, entry in zip(rows, entries, strict=True)}
        free = [row for row in range(fe.n) if row not in held]
        entries_of: list[tuple[int, int, float]] = [(row, column, 1.0) for column, row in enumerate(free)]
        for row, (k, entry) in held.items():
            entries_of += [(row, len(free) + size * k + c, value) for c, value in enumerate(entry) if value]
        i, j, values = zip(*entries_of, strict=True)
        self.n = len(free) + size * len(rigid)
        self.T = sparse.csr_array((values, (i, j)), shape=(fe.n, self.n))
        self.M = sparse.csc_array(self.T.T @ fe.mass @ self.T)
        self.K = sparse.csc_array(self.T.T @ fe.stiffness @ self.T)
        self.A = {}
        first = len(free)
        for one in self.interfaces:
            if one.kind == "rigid":
                columns = first + np.arange(size)
                self.A[one.name] = sparse.csr_array((np.ones(size), (np.arange(size), columns)), shape=(size, self.n))
                first += size
            else:
                rows, entries = rigid_rows(fe, one)
                # Rotations of the nodes, where there are any, say nothing that displacements do not.
                moving = [k for k, row in enumerate(rows) if fe.dofs[row, 1] < fe.dimension]
                rows, entries = [rows[k] for k in moving], entries[moving]
                _check_determined(fe, one, entries)
                mean = np.linalg.solve(entries.T @ entries, entries.T)
                self.A[one.name] = sparse.csr_array(sparse.csr_array(
                    (mean.ravel(), (np.repeat(np.arange(size), len(rows)), np.tile(rows, size))), shape=(size, fe.n)
                ) @ self.T)  # fmt: skip

    def rows(self, names: Sequence[str]) -> Any:
        """A of several interfaces, stacked; None for none."""
        from scipy import sparse

        return sparse.vstack([self.A[name] for name in names], format="csr") if names else None


def _check_determined(fe: FiniteElements, interface: Interface, entries: Reals) -> None:
    """Nodes must say how the point turns."""
    size = len(fe.active)
    scale = np.where(np.abs(entries).max(axis=0, initial=0.0) > 0.0, np.abs(entries).max(axis=0, initial=0.0), 1.0)
    if len(entries) < size or np.linalg.matrix_rank(entries / scale, tol=1e-9) < size:
        raise ModelError(
            f"finite elements '{fe.name}': nodes of the interface '{interface.name}' do not determine how it turns; "
            f"take {'two nodes' if fe.dimension == 2 else 'three nodes not on one line'}, or nodes with rotations"
        )
