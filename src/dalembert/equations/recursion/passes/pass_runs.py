"""Runs of the passes over a tree: which code, how many links, where their parts of the arrays start."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.recursion.passes.passes import INWARD, OVER_BODIES, PASSES, code
from dalembert.equations.recursion.passes.words import tree_word
from dalembert.equations.recursion.tree.links import WORLD, Ints, Tree
from dalembert.equations.recursion.tree.record import FIRST_CONSTANT, constant, record
from dalembert.equations.recursion.tree.step_atoms import Code
from dalembert.symbolic import Graph, array, cos, sin
from dalembert.symbolic.compiler.lanes import LANES, LanesFunction, grouped, groups


def _sines() -> LanesFunction:
    """Sine and cosine of half the angles."""
    graph = Graph()
    (x,) = graph.variables("x", 1)
    return LanesFunction({"sines": array([sin(0.5 * x), cos(0.5 * x)])}, {"x": array([x])}, "half_angles")


class PassRuns:
    """Everything about a tree that compiled passes need; holds the addresses of this process."""

    def __init__(self, tree: Tree, n_theta: int = 0) -> None:
        self.tree = tree
        n, n_bodies = len(tree.links), len(tree.bodies)
        self.n_groups = groups(len(tree.angles)) if len(tree.angles) else 0
        at = (n + 1) * record.end
        self.sines_at = at
        at += 2 * LANES * self.n_groups
        self.angles_at = at
        at += LANES * self.n_groups
        # Extended vectors: those of the bodies, then those of the joints.
        self.X_at = at
        at += 7 * n_bodies + tree.n_q + n_theta
        self.twist_at = at
        at += 6 * n_bodies + tree.n_v
        self.bias_at = at
        at += 6 * n_bodies + tree.n_v
        self.wrench_at = at
        at += 6 * n_bodies + tree.n_v
        self.columns_at = at
        at += 6 * tree.n_v
        self.size = at
        self._kept: list[Any] = []
        self.sines = _sines() if self.n_groups else None
        self._listed: dict[str, list[int]] = {}
        self._tables: dict[frozenset[str], int] = {}
        self.angle_places = grouped(tree.q_places[tree.angles].reshape(-1, 1)) if self.n_groups else tree.angles

    @cached_property
    def bases(self) -> dict[str, Ints]:
        """Where the parts of the arrays start, link by link."""
        tree = self.tree
        own = tree.records * record.end
        parent = np.where(tree.parents == WORLD, 0, own[tree.parents])
        sines = np.zeros(len(tree.links), dtype=np.int64)
        k = np.arange(len(tree.angles))
        sines[tree.angles] = self.sines_at + 2 * LANES * (k // LANES) + k % LANES
        body = np.zeros(len(tree.links), dtype=np.int64)
        body[tree.bodies] = np.arange(len(tree.bodies))
        return {
            "own": own,
            "parent": parent,
            "composite": own + record.COMPOSITE,
            "parent composite": parent + record.COMPOSITE,
            "constants": FIRST_CONSTANT + (tree.records - 1) * constant.end,
            "q": tree.q_places[:-1],
            "v": tree.v_places[:-1],
            "right": tree.v_places[:-1],
            "sines": sines,
            "X": self.X_at + 7 * body,
            "twist": self.twist_at + 6 * body,
            "bias": self.bias_at + 6 * body,
            "wrench": self.wrench_at + 6 * body,
            "columns": self.columns_at + 6 * tree.v_places[:-1],
        }

    def keep(self, values: Any) -> int:
        """Address of a list that lives as long as this object."""
        self._kept.append(np.ascontiguousarray(values))
        return int(self._kept[-1].ctypes.data)

    def _offsets(self, code: Code, links: Ints) -> NDArray[np.int64]:
        return np.stack([self.bases[s.base][links] + s.field for s in code.parts], axis=1)

    def _runs(self, name: str) -> list[int]:
        """Words of the runs of a pass (``run_word``), run by run."""
        tree = self.tree
        if name in OVER_BODIES:
            found = code(name, "fixed")
            self._kept.append(found)
            return [found.function.address, len(tree.bodies), self.keep(self._offsets(found, tree.bodies))]
        order = tree.order[::-1] if name in INWARD else tree.order
        if name == "columns":
            order = order[np.diff(tree.v_places)[order] > 0]
        if not len(order):
            return []
        kinds = np.array([tree.links[i].kind for i in order])
        starts = np.flatnonzero(np.concatenate([[True], kinds[1:] != kinds[:-1]]))
        runs: list[int] = []
        for first, last in zip(starts, [*starts[1:], len(order)], strict=True):
            found = code(name, str(kinds[first]))
            self._kept.append(found)
            links = order[first:last]
            runs += [found.function.address, len(links), self.keep(self._offsets(found, links))]
        return runs

    def _table(self, passes: frozenset[str]) -> int:
        """Address of a table: where the runs of each pass start, and the end; then the runs.

        Code is made, or loaded, only for the ``passes`` that are needed.
        """
        if passes not in self._tables:
            for name in passes - self._listed.keys():
                self._listed[name] = self._runs(name)
            listed = [self._listed[name] if name in passes else [] for name in PASSES]
            starts = len(PASSES) + 1 + np.concatenate([[0], np.cumsum([len(runs) for runs in listed])])
            words = [*starts, *(word for runs in listed for word in runs)]
            self._tables[passes] = self.keep(np.array(words, dtype=np.int64))
        return self._tables[passes]

    def lower_pairs(self) -> tuple[Ints, Ints]:
        """Pairs of velocities (later, earlier) of which the first lies behind the second, in the order of the walk in
        :func:`~dalembert.equations.recursion.passes.sweep.mass_matrix`."""
        tree = self.tree
        nothing = np.zeros(0, dtype=np.int64)
        ahead: dict[int, Ints] = {WORLD: nothing}  # velocities of a link and of all before it
        rows, columns = [nothing], [nothing]
        for i in tree.order.tolist():
            own = np.arange(tree.v_places[i], tree.v_places[i + 1])
            ahead[i] = np.concatenate([own, ahead[int(tree.parents[i])]])
            rows.append(np.repeat(own, len(ahead[i])))
            columns.append(np.tile(ahead[i], len(own)))
        return np.concatenate(rows), np.concatenate(columns)

    @cached_property
    def _lists(self) -> tuple[int, int]:
        """Addresses: for each record the number of the parent's; first velocity and the one after the last."""
        tree = self.tree
        parents = np.zeros(len(tree.links) + 1, dtype=np.int64)
        parents[tree.records] = np.where(tree.parents == WORLD, 0, tree.records[tree.parents])
        v_of = np.zeros((len(tree.links) + 1, 2), dtype=np.int64)
        v_of[tree.records] = np.stack([tree.v_places[:-1], tree.v_places[1:]], axis=1)
        return self.keep(parents), self.keep(v_of)

    def words(self, work: int, passes: frozenset[str]) -> dict[int, int]:
        """Words about the tree for compiled loops that use some passes; ``work``: address of the workspace of the
        sines."""
        parents, v_of = self._lists
        return {
            tree_word.RUNS: self._table(passes), tree_word.SINE_CODE: 0 if self.sines is None else self.sines.address,
            tree_word.N_GROUPS: self.n_groups, tree_word.ANGLE_PLACES: int(self.angle_places.ctypes.data),
            tree_word.SINE_WORK: work, tree_word.SINES_AT: self.sines_at, tree_word.ANGLES_AT: self.angles_at,
            tree_word.N_LINKS: len(self.tree.links), tree_word.PARENTS: parents, tree_word.V_OF: v_of,
            tree_word.COLUMNS_AT: self.columns_at,
        }  # fmt: skip

    @property
    def work_size(self) -> int:
        """Doubles that the function of sines works with."""
        return 0 if self.sines is None else self.sines.work_size(LANES * self.n_groups)

    def start_values(self) -> NDArray[np.float64]:
        """Values with the pose of the world."""
        values = np.zeros(self.size)
        values[record.P] = 1.0
        values[record.R : record.R + 9 : 4] = 1.0
        return values
