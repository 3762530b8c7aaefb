"""Pattern of the Jacobian of the program "implicit", and the lists with which it is computed column by column."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.equations.contract.convention import CONTRACT_OUTPUT
from dalembert.equations.contract.provider import Pattern
from dalembert.equations.recursion.passes.tangent import coefficient, variation
from dalembert.equations.recursion.passes.words import DIRECTION, word
from dalembert.equations.recursion.tree.links import WORLD, Ints

if TYPE_CHECKING:
    from dalembert.equations.recursion.programs.recursion import TreeStructure

_EMPTY = np.zeros(0, dtype=np.int64)


class Columns:
    """Columns q, v, a, λ, μ, u; rows q̇, residual, g, G v + gI, d.

    A *job* is what one column, or those of one link, are computed with: links whose wrenches change, from the leaves
    on, bodies that elements act on, rows that are not zero.
    """

    def __init__(self, structure: TreeStructure) -> None:
        self.structure, self.tree = structure, structure.tree
        tree, s = self.tree, structure.sizes
        self.n_rows = s.q + s.v + s.g + s.lam + s.u
        self.body_of = np.full(len(tree.links), -1, dtype=np.int64)
        self.body_of[tree.bodies] = np.arange(len(tree.bodies))
        self.children: list[list[int]] = [[] for _ in tree.links]
        for i, parent in enumerate(tree.parents.tolist()):
            if parent != WORLD:
                self.children[parent].append(i)
        self.preorder = self._preorder()
        self.place = np.empty(len(tree.links), dtype=np.int64)
        self.place[self.preorder] = np.arange(len(tree.links))
        self._elements()
        self._words: list[int] = []
        self._rows_of: dict[int, Ints] = {}  # by columns of the Jacobian
        self._describe()
        self.pattern = self._whole_pattern()

    # ------------------------------------------------------------------------------------------------------ structure

    def _preorder(self) -> Ints:
        order: list[int] = []
        waiting = [i for i in range(len(self.tree.links) - 1, -1, -1) if self.tree.parents[i] == WORLD]
        while waiting:
            i = waiting.pop()
            order.append(i)
            waiting += self.children[i][::-1]
        return np.array(order, dtype=np.int64)

    def _subtree_sizes(self) -> Ints:
        sizes = np.ones(len(self.tree.links), dtype=np.int64)
        for i in self.preorder[::-1]:
            if self.tree.parents[i] != WORLD:
                sizes[self.tree.parents[i]] += sizes[i]
        return sizes

    def _elements(self) -> None:
        """Entries of the elements' own Jacobian: where each goes, and how its columns start."""
        structure, tree = self.structure, self.tree
        s, n_bodies = structure.sizes, len(tree.bodies)
        provider = structure.element_program("implicit")
        n_X, n_V = 7 * n_bodies + s.q, 6 * n_bodies + s.v
        self.n_X, self.n_V = n_X, n_V
        #: first columns of X, V, A, λ, μ, u among those of the elements
        self.first = np.cumsum([0, n_X, n_V, n_V, s.lam, s.g])
        dump = self.n_rows + 6 * n_bodies
        target = np.full(n_X + n_V + s.g + s.lam + s.u, dump, dtype=np.int64)
        target[7 * n_bodies + tree.n_q : n_X] = tree.n_q + np.arange(structure.n_theta)
        at = n_X
        target[at : at + 6 * n_bodies] = self.n_rows + np.arange(6 * n_bodies)
        target[at + 6 * n_bodies :] = s.q + np.arange(s.v + s.g + s.lam + s.u)
        if provider is None:
            self.targets, self.starts = _EMPTY, np.zeros(self.first[-1] + s.u + 1, dtype=np.int64)
            return
        pattern = provider.patterns["jacobian"]
        self.targets = target[pattern.rows]
        self.starts = np.searchsorted(pattern.columns, np.arange(pattern.shape[1] + 1)).astype(np.int64)

    def _touched(self, columns: Iterable[int]) -> tuple[set[int], set[int]]:
        """Rows and bodies that some columns of the elements act on."""
        found: set[int] = set()
        for column in columns:
            found.update(self.targets[self.starts[column] : self.starts[column + 1]].tolist())
        n, dump = self.n_rows, self.n_rows + 6 * len(self.tree.bodies)
        return {t for t in found if t < n}, {(t - n) // 6 for t in found if n <= t < dump}

    def _path(self, link: int) -> list[int]:
        found = []
        while link != WORLD:
            found.append(link)
            link = int(self.tree.parents[link])
        return found

    def _closed(self, bodies: Iterable[int]) -> set[int]:
        """Links of bodies and all before them."""
        found: set[int] = set()
        for body in bodies:
            link = int(self.tree.bodies[body])
            while link != WORLD and link not in found:
                found.add(link)
                link = int(self.tree.parents[link])
        return found

    def _residual_rows(self, links: Iterable[int]) -> set[int]:
        first, v = self.structure.sizes.q, self.tree.v_places
        return {first + j for i in links for j in range(v[i], v[i + 1])}

    # ----------------------------------------------------------------------------------------------------------- jobs

    def _job(self, links: set[int], bodies: set[int], rows: set[int], columns: Iterable[int]) -> list[int]:
        """Addresses and lengths of the lists of a job; ``columns`` of the Jacobian have the same rows."""
        keep = self.structure.runs.keep
        inward = np.array(sorted(links, key=lambda i: -self.place[i]), dtype=np.int64)
        listed = np.array(sorted(rows), dtype=np.int64)
        acted = np.array(sorted(bodies), dtype=np.int64)
        at_records = self.tree.records[self.tree.bodies[acted]] if len(acted) else acted
        for column in columns:
            self._rows_of[int(column)] = listed
        return [
            keep(self.tree.records[inward]) if len(inward) else 0, len(inward),
            keep(np.stack([acted, at_records], axis=1)) if len(acted) else 0, len(acted),
            keep(listed) if len(listed) else 0, len(listed),
        ]  # fmt: skip

    def _describe(self) -> None:
        tree, s, structure = self.tree, self.structure.sizes, self.structure
        n_bodies = len(tree.bodies)
        first_v, first_a, first_lam = s.q, s.q + s.v, s.q + 2 * s.v
        X, V, A, lam, _, u = self.first.tolist()
        moved: list[tuple[set[int], set[int]]] = [(set(), set()) for _ in tree.links]
        accelerated: list[tuple[set[int], set[int]]] = [(set(), set()) for _ in tree.links]
        below: list[set[int]] = [set() for _ in tree.links]
        g_rows = set(range(s.q + s.v, s.q + s.v + s.g))
        turned = dict(structure.turns)
        self.link_jobs: list[list[int]] = []
        for i in self.preorder[::-1].tolist():
            rows, bodies = moved[i]
            below[i].add(i)
            if (body := int(self.body_of[i])) >= 0:
                own = [*range(X + 7 * body, X + 7 * body + 7), *range(V + 6 * body, V + 6 * body + 6)]
                more = self._touched(own)
                rows |= more[0]
                bodies |= more[1] | {body} if structure.elements is not None else set()
                more = self._touched(range(A + 6 * body, A + 6 * body + 6))
                accelerated[i][0].update(more[0])
                accelerated[i][1].update(more[1])
                rows |= more[0]
                bodies |= more[1]
            if (parent := int(tree.parents[i])) != WORLD:
                moved[parent][0].update(rows)
                moved[parent][1].update(bodies)
                accelerated[parent][0].update(accelerated[i][0])
                accelerated[parent][1].update(accelerated[i][1])
                below[parent].update(below[i])
            q = list(range(tree.q_places[i], tree.q_places[i + 1]))
            v = list(range(tree.v_places[i], tree.v_places[i + 1]))
            if not v:
                continue
            self.link_jobs.append(self._link_job(
                i, q, v, (set(rows), set(bodies)), accelerated[i], below[i], g_rows, turned,
                (X + 7 * n_bodies, V + 6 * n_bodies, A + 6 * n_bodies), (first_v, first_a),
            ))  # fmt: skip
        self.column_jobs: list[list[int]] = []
        plain = [(X + 7 * n_bodies + k, k) for k in range(tree.n_q, s.q)]
        plain += [(lam + k, first_lam + k) for k in range(s.lam)]
        plain += [(u + k, first_lam + s.lam + s.g + k) for k in range(s.u)]
        for given, column in plain:
            rows, bodies = self._touched([given])
            links = self._closed(bodies)
            self.column_jobs.append(
                [given, column, *self._job(links, bodies, rows | self._residual_rows(links), [column])]
            )

    def _link_job(
        self, i: int, q: list[int], v: list[int], moved: tuple[set[int], set[int]],
        accelerated: tuple[set[int], set[int]], below: set[int],
        g_rows: set[int], turned: dict[int, int], given: tuple[int, int, int], first: tuple[int, int],
    ) -> list[int]:  # fmt: skip
        """Words of the job for the columns of a link (``link_job_word``)."""
        joint = self.tree.links[i].joint
        near = below | set(self._path(i))
        words = [
            int(self.tree.records[i]), v[0], len(v), q[0], joint.parameters if joint.has_parameters else -1
        ]  # fmt: skip
        X, V, A = given
        for direction, columns, own in (
            (DIRECTION.Q, q, [X + k for k in q]),
            (DIRECTION.V, [first[0] + k for k in v], [V + k for k in v]),
            (DIRECTION.A, [first[1] + k for k in v], [A + k for k in v]),
        ):
            rows, bodies = self._touched(own)
            more = accelerated if direction == DIRECTION.A else moved
            rows, bodies = rows | more[0], bodies | more[1]
            if direction == DIRECTION.V:
                rows -= g_rows
            links = near | self._closed(bodies)
            rows |= self._residual_rows(links)
            if direction == DIRECTION.Q and joint.has_parameters:
                rows |= set(range(q[0] + joint.parameters, q[0] + joint.parameters + 4))
            if direction == DIRECTION.V:
                rows |= set(q)
            words += self._job(links, bodies, rows, columns)
        return words

    # -------------------------------------------------------------------------------------------------------- pattern

    def _whole_pattern(self) -> Pattern:
        s = self.structure.sizes
        n_columns = s.q + 2 * s.v + s.lam + s.g + s.u
        first_mu = s.q + 2 * s.v + s.lam
        C = self.structure.patterns["C"]
        rates: dict[int, set[int]] = {}
        T = self.structure.patterns["T"]
        by_v: dict[int, list[int]] = {}
        for row, column in zip(T.rows.tolist(), T.columns.tolist(), strict=True):
            by_v.setdefault(column, []).append(row)
        for row, column in zip(C.rows.tolist(), C.columns.tolist(), strict=True):
            rates.setdefault(row, set()).update(by_v[column])
        for k in range(s.g):
            self._rows_of[first_mu + k] = np.array(sorted(rates.get(k, ())), dtype=np.int64)
        listed = [self._rows_of.get(column, _EMPTY) for column in range(n_columns)]
        self.column_starts = np.cumsum([0, *(len(rows) for rows in listed)]).astype(np.int64)
        columns = np.repeat(np.arange(n_columns), [len(rows) for rows in listed]).astype(np.int64)
        pattern = Pattern((self.n_rows, n_columns), np.concatenate([*listed, _EMPTY]), columns)
        self._drift(C, T, by_v, first_mu, listed)
        return pattern

    def _drift(self, C: Pattern, T: Pattern, by_v: dict[int, list[int]], first_mu: int, listed: list[Ints]) -> None:
        """−T Cᵀ: for each product its place, the entry of C, that of T."""
        at = {(row, column): k for k, (row, column) in enumerate(zip(T.rows.tolist(), T.columns.tolist(), strict=True))}
        products = []
        for k, (row, column) in enumerate(zip(C.rows.tolist(), C.columns.tolist(), strict=True)):
            for rate in by_v[column]:
                place = self.column_starts[first_mu + row] + np.searchsorted(listed[first_mu + row], rate)
                products.append([int(place), k, at[rate, column]])
        self.drift = np.array(products, dtype=np.int64).reshape(-1, 3)

    # ------------------------------------------------------------------------------------------------------ workspace

    @cached_property
    def _lists(self) -> dict[int, int]:
        """Words that are the same for all workspaces."""
        tree, patterns, keep = self.tree, self.structure.patterns, self.structure.runs.keep
        n = len(tree.links) + 1
        sizes, place, body = (np.zeros(n, dtype=np.int64) for _ in range(3))
        sizes[tree.records], place[tree.records] = self._subtree_sizes(), self.place
        body[tree.records] = self.body_of
        body[0] = -1
        C, T = patterns["C"], patterns["T"]
        further = np.flatnonzero(T.rows >= tree.n_q)
        drifting = np.stack([T.rows[further] - tree.n_q, T.columns[further], further], axis=1)  # theta_word
        return {
            word.ROWS: self.n_rows, word.PREORDER: keep(tree.records[self.preorder]), word.PREORDER_PLACE: keep(place),
            word.SUBTREE: keep(sizes), word.BODY_OF: keep(body), word.JACOBIAN_STARTS: keep(self.starts),
            word.JACOBIAN_TARGETS: keep(self.targets), word.LINK_JOBS: keep(np.array(self.link_jobs, dtype=np.int64)),
            word.N_LINK_JOBS: len(self.link_jobs), word.COLUMN_JOBS: keep(np.array(self.column_jobs, dtype=np.int64)),
            word.N_COLUMN_JOBS: len(self.column_jobs), word.COLUMN_STARTS: keep(self.column_starts),
            word.DRIFT: keep(self.drift), word.N_DRIFT: len(self.drift), word.DRIFT_T: keep(drifting),
            word.N_DRIFT_T: len(drifting), word.C_ROWS: keep(C.rows),
            word.C_COLUMNS: keep(C.columns), word.N_C: len(C.rows), word.FIRST_X: int(self.first[0]),
            word.FIRST_V: int(self.first[1]), word.FIRST_A: int(self.first[2]),
        }  # fmt: skip

    def fill(self, words: Any, parts: list[Any]) -> None:
        """Words of the program, in a new workspace."""
        structure, tree, s = self.structure, self.tree, self.structure.sizes

        def reals(size: int) -> int:
            parts.append(np.zeros(size + 1))
            return int(parts[-1].ctypes.data)

        n = len(tree.links) + 1
        given = {
            **self._lists, word.TANGENT: reals(variation.end * n), word.COEFFICIENTS: reals(coefficient.end * n),
            word.GATHERED: reals(6 * n),
            word.COLUMN: reals(self.n_rows + 6 * len(tree.bodies) + 1), word.SCRATCH: reals(40),
            word.C_VALUES: reals(len(structure.patterns["C"].rows)),
            word.T_VALUES: reals(len(structure.patterns["T"].rows)), word.DRIFTING: reals(s.v),
            word.ZERO_MU: reals(s.g),
        }  # fmt: skip
        if structure.elements is not None and s.g:
            positions = structure.elements.program("contract")
            inner = positions.workspace()
            parts.append(inner)
            given |= {word.POSITIONS: positions.address, word.POSITIONS_WORK: int(inner.ctypes.data)}
            given[word.C_GIVEN] = reals(positions.out_sizes[CONTRACT_OUTPUT.C])
            given[word.T_GIVEN] = reals(positions.out_sizes[CONTRACT_OUTPUT.T])
            parts.append(np.full(CONTRACT_OUTPUT.end, given[word.C_GIVEN], dtype=np.int64))
            parts[-1][CONTRACT_OUTPUT.T] = given[word.T_GIVEN]
            given[word.POSITIONS_OUT] = int(parts[-1].ctypes.data)
        for key, value in given.items():
            words[key] = value
