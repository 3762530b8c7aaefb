"""Products of sparse rows with J, the matrix that takes velocities of joints to twists of bodies.

A row has entries for the velocities of bodies, six each (of the centre of mass in world axes, of rotation in axes of
the body), and for those of the joints.  Six entries of a body are a wrench, and the joints on the way from the body to
the root feel it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.contract.provider import Pattern
from dalembert.equations.recursion.tree.links import WORLD, Ints, Tree


def ahead(tree: Tree, link: int) -> list[int]:
    """Velocities of a link and of all before it, on the way to the root."""
    found: list[int] = []
    while link != WORLD:
        found += range(tree.v_places[link], tree.v_places[link + 1])
        link = int(tree.parents[link])
    return found


def column_major(rows: NDArray[np.int64], columns: NDArray[np.int64], shape: tuple[int, int]) -> Pattern:
    """Pattern with the given places, each once, column by column."""
    keys = np.sort(columns * shape[0] + rows)
    keys = keys[np.concatenate([[True], keys[1:] != keys[:-1]])] if len(keys) else keys
    return Pattern(shape, keys % shape[0], keys // shape[0])


def places_in(pattern: Pattern, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Ints:
    """Numbers of entries in a pattern that has them."""
    keys = pattern.columns * pattern.shape[0] + pattern.rows
    return np.searchsorted(keys, columns * pattern.shape[0] + rows).astype(np.int64)


class Product:
    """Rows of a pattern times J: where the results stand, and the lists for the compiled product."""

    def __init__(self, tree: Tree, given: Pattern, transposed: bool = False) -> None:
        n_bodies = len(tree.bodies)
        rows, columns = (given.columns, given.rows) if transposed else (given.rows, given.columns)
        n_rows = given.shape[1] if transposed else given.shape[0]
        self._wrenches: list[list[int]] = []
        self._targets: list[tuple[int, int]] = []
        self._direct: list[list[int]] = []
        wrenches: dict[tuple[int, int], list[int]] = {}
        for k, (row, column) in enumerate(zip(rows.tolist(), columns.tolist(), strict=True)):
            if column < 6 * n_bodies:
                wrenches.setdefault((row, column // 6), [-1] * 6)[column % 6] = k
            else:
                self._direct.append([k, len(self._targets)])
                self._targets.append((row, column - 6 * n_bodies))
        for (row, body), places in wrenches.items():
            link = int(tree.bodies[body])
            self._wrenches.append([int(tree.records[link]), *places, len(self._targets)])
            self._targets += [(row, j) for j in ahead(tree, link)]
        listed = np.array(self._targets, dtype=np.int64).reshape(-1, 2)
        self._rows, self._columns = (listed[:, 1], listed[:, 0]) if transposed else (listed[:, 0], listed[:, 1])
        self.pattern = column_major(self._rows, self._columns, (tree.n_v, n_rows) if transposed else (n_rows, tree.n_v))

    def words(self, pattern: Pattern | None = None, first_row: int = 0, entries: Ints | None = None) -> Ints:
        """Lists for :func:`~dalembert.equations.recursion.passes.multiply.times_J`.

        ``pattern``: where the results stand, if not in that of the product alone, with its rows from ``first_row`` on;
        ``entries``: numbers of the given entries, if they are part of a larger matrix.
        """
        targets = places_in(self.pattern if pattern is None else pattern, self._rows + first_row, self._columns)

        def given(k: int) -> int:
            return k if k < 0 or entries is None else int(entries[k])

        zeros = np.unique(targets)
        flat: list[int] = []
        for link, *places, first in self._wrenches:  # wrench_word
            flat += [link, *(given(k) for k in places), first]
        for k, t in self._direct:
            flat += [given(k), int(targets[t])]
        lengths = [len(self._wrenches), len(self._direct), len(zeros)]  # product_word
        return np.array([*lengths, *flat, *zeros.tolist(), *targets.tolist()], dtype=np.int64)
