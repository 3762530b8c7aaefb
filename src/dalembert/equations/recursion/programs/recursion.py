"""Builder by numeric recursions over a tree of joints: no compilation per model, time in proportion to its size.

Inertia and gravity of the links are in the recursions.  Forces, constraints, external states and further coordinates
come from elements on extended vectors

    X = (centre of mass in world axes and Euler parameters of each body; coordinates of the joints; further coordinates)
    V = (velocity of the centre of mass in world axes and angular velocity in own axes of each body; joint velocities)

with V = J v, so that

    M = M_links + Jᵀ M_X J,   f = Jᵀ (f_X − M_X J̇ v) − bias,   G = G_X J,   γ = γ_X − G_X J̇ v,   F = Jᵀ F_X,
    residual = Newton–Euler + Jᵀ residual_X.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from dalembert.equations.builders.elements import Elements
from dalembert.equations.builders.trace import (
    Parameters,
    checked_names,
    checked_parameters,
    named_parameters,
    symbols_for,
)
from dalembert.equations.contract.convention import CONTRACT_OUTPUT
from dalembert.equations.contract.equations import Equations, Sizes
from dalembert.equations.contract.provider import Pattern, Provider
from dalembert.equations.recursion.passes.pass_runs import PassRuns
from dalembert.equations.recursion.passes.product import Product, column_major, places_in
from dalembert.equations.recursion.passes.words import word
from dalembert.equations.recursion.passes.workspace import TreeProvider, new_workspace
from dalembert.equations.recursion.programs import contract, implicit, implicit_layout
from dalembert.equations.recursion.tree.extended import joint_names
from dalembert.equations.recursion.tree.links import Ints, Link, Tree
from dalembert.equations.recursion.tree.links_at import LinkStates, links_at
from dalembert.errors import EquationsError
from dalembert.symbolic import CompiledFunction, array, compile

Links = Sequence[Link] | Callable[[Parameters], Sequence[Link]]
_EMPTY = np.zeros(0, dtype=np.int64)


class TreeStructure:
    """Patterns and lists of a tree with its elements; holds addresses, so it is made anew in each process."""

    def __init__(self, tree: Tree, elements: Equations | None, sizes: Sizes, p: Any) -> None:
        self.tree, self.elements, self.sizes = tree, elements, sizes
        self.n_theta = sizes.q - tree.n_q
        self.runs = PassRuns(tree, self.n_theta)
        self.constants, places, atoms = tree.constant_numbers()
        self.varying: CompiledFunction | None = None
        if places:
            self.varying = compile({"constants": array(atoms)}, {"p": p}, name="constants", staged=True)
        self.turns = [
            (int(tree.q_places[i]) + link.joint.parameters, int(tree.v_places[i]) + link.joint.parameters)
            for i, link in enumerate(tree.links)
            if link.joint.has_parameters
        ]
        self.theta_normal = bool(self.n_theta and elements is not None and elements.normalizes)
        self.normalizes = bool(self.turns) or self.theta_normal
        self.unit_T = not self.turns and not self.n_theta
        self._products: dict[str, Product] = {}
        self.patterns = self._patterns()
        self.lists: dict[int, int] = self._lists(places)

    @property
    def element_provider(self) -> Provider | None:
        return None if self.elements is None else self.elements.program("contract")

    def element_program(self, program: str) -> Provider | None:
        """The program of the elements that one of the tree needs."""
        if self.elements is None:
            return None
        return self.elements.program("implicit" if program == "implicit" else "contract")

    @cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        return self.runs.lower_pairs()

    # ------------------------------------------------------------------------------------------------------- patterns

    def _patterns(self) -> dict[str, Pattern]:
        tree, s, provider = self.tree, self.sizes, self.element_provider
        found: dict[str, Pattern] = {}
        given = {} if provider is None else provider.patterns
        rows, columns = self.pairs
        if "M" in given:
            self._products["M"] = Product(tree, given["M"])
            self._products["J M"] = Product(tree, self._products["M"].pattern, transposed=True)
        more = self._element_mass
        found["M"] = column_major(
            np.concatenate([rows, columns, more[0]]), np.concatenate([columns, rows, more[1]]), (s.v, s.v)
        )
        for name, shape in (("G", (s.lam, s.v)), ("C", (s.g, s.v)), ("F", (s.v, s.lam))):
            if name in given:
                self._products[name] = Product(tree, given[name], transposed=name == "F")
                found[name] = self._products[name].pattern
            else:
                found[name] = Pattern(shape, _EMPTY, _EMPTY)
        found["T"] = self._kinematics(given.get("T"))
        return found

    @property
    def _element_mass(self) -> tuple[Ints, Ints]:
        """Joint velocities between which elements have inertia: Jᵀ M_X J."""
        if "J M" not in self._products:
            return _EMPTY, _EMPTY
        pattern = self._products["J M"].pattern
        return pattern.rows, pattern.columns

    @property
    def element_mass_sizes(self) -> tuple[int, int]:
        """Numbers of entries of M_X J and Jᵀ M_X J."""
        first, second = (self._products[key].pattern for key in ("M", "J M"))
        return len(first.rows), len(second.rows)

    @cached_property
    def plain(self) -> Ints:
        """Coordinates that are integrals of velocities, with these: (n, 2)."""
        tree, found = self.tree, []
        for i, link in enumerate(tree.links):
            count = link.joint.parameters if link.joint.has_parameters else link.joint.n_v
            found += [[tree.q_places[i] + k, tree.v_places[i] + k] for k in range(count)]
        return np.array(found, dtype=np.int64).reshape(-1, 2)

    def _kinematics(self, given: Pattern | None) -> Pattern:
        s, tree = self.sizes, self.tree
        q, v = self.plain.T
        rows, columns = [q], [v]
        for first_q, first_v in self.turns:
            rows.append(np.tile(np.arange(first_q, first_q + 4), 3))
            columns.append(np.repeat(np.arange(first_v, first_v + 3), 4))
        if self.n_theta:
            assert given is not None
            first = 7 * len(tree.bodies) + tree.n_q
            own = given.rows >= first
            self._theta = np.flatnonzero(own)
            part = Pattern((self.n_theta, given.shape[1]), given.rows[own] - first, given.columns[own])
            self._products["T"] = Product(tree, part)
            rows.append(tree.n_q + self._products["T"].pattern.rows)
            columns.append(self._products["T"].pattern.columns)
        return column_major(np.concatenate(rows), np.concatenate(columns), (s.q, s.v))

    # ---------------------------------------------------------------------------------------------------------- lists

    def _lists(self, places: list[int]) -> dict[int, int]:
        """Words that are addresses and lengths of lists."""
        keep, patterns, provider = self.runs.keep, self.patterns, self.element_provider
        rows, columns = self.pairs
        M, T = patterns["M"], patterns["T"]
        found: dict[int, int] = {
            word.LOWER: keep(places_in(M, rows, columns)), word.UPPER: keep(places_in(M, columns, rows)),
            word.N_PAIRS: len(rows), word.CONSTANT_PLACES: keep(np.array([*places, 0])),
            word.N_VARYING: len(places), word.PLAIN: keep(self.plain), word.N_PLAIN: len(self.plain),
            word.ONES_T: keep(places_in(T, *self.plain.T)), word.N_ONES_T: len(self.plain),
        }  # fmt: skip
        turns = [
            [q, v, *places_in(T, np.full(3, q), np.arange(v, v + 3))]  # turn_word
            for q, v in self.turns
        ]
        found |= {word.TURNS: keep(np.array(turns or [[0]], dtype=np.int64)), word.N_TURNS: len(turns)}
        if provider is None:
            return found
        given = provider.patterns
        for name, place in (("G", word.PRODUCT_G), ("C", word.PRODUCT_C), ("F", word.PRODUCT_F)):
            found[place] = keep(self._products[name].words())
        G = given["G"]
        found |= {word.G_ROWS: keep(G.rows), word.G_COLUMNS: keep(G.columns), word.N_G_ENTRIES: len(G.rows)}
        more = self._element_mass
        targets = np.stack([np.arange(len(more[0])), places_in(M, *more)], axis=1)
        found |= {word.MORE_M: keep(targets), word.N_MORE_M: len(targets)}
        found |= {word.PRODUCT_M: keep(self._products["M"].words())}
        found |= {word.PRODUCT_J_M: keep(self._products["J M"].words())}
        moved = np.flatnonzero(given["M"].columns < 6 * len(self.tree.bodies))
        found |= {
            word.M_ROWS: keep(given["M"].rows[moved]), word.M_COLUMNS: keep(given["M"].columns[moved]),
            word.M_ENTRIES: keep(moved), word.N_M_ENTRIES: len(moved),
        }  # fmt: skip
        if self.n_theta:
            found |= self._theta_lists(given["T"])
        return found

    def _theta_lists(self, given: Pattern) -> dict[int, int]:
        """Rows of T that elements give, as they stand and times J."""
        tree, keep = self.tree, self.runs.keep
        at = self._theta
        first = 7 * len(tree.bodies) + tree.n_q
        entries = np.stack([given.rows[at] - first, given.columns[at], at], axis=1)
        return {
            word.PRODUCT_T: keep(self._products["T"].words(self.patterns["T"], tree.n_q, at)),
            word.THETA_T: keep(entries), word.N_THETA_T: len(entries),
        }  # fmt: skip


def _own_symbols(tree: Tree, p: Any) -> Any:
    """Parameters as symbols of the graph in which the constants of the links are written."""
    _, _, atoms = tree.constant_numbers()
    if not atoms or not len(p) or atoms[0].graph is p[0].graph:
        return p
    graph = atoms[0].graph
    return array([graph[name] if name in graph else graph.parameter(name) for name in (str(s.name) for s in p)])


class Recursion(Equations):
    """Equations of motion of a tree of joints, by recursions.

    :param links: the tree; or a function of the parameters ``p`` that gives it, where constants depend on them; atoms
        of another graph must be written with its parameters called ``p.name``
    :param elements: forces and constraints on the extended vectors, see :func:`extended`; sizes of the vectors must fit
    :param gravity: acceleration, numbers; or a function of ``p``
    :param parameters: names and default values; those of the elements if there are some
    :param names: lists of names under "q", "v", "lam", "u"
    :param breaks: instants at which something is not smooth
    """

    def __init__(
        self,
        name: str,
        links: Links,
        elements: Elements | Equations | None = None,
        *,
        gravity: Any = (0.0, 0.0, -9.81),
        parameters: Mapping[str, Any] | None = None,
        names: Mapping[str, Sequence[str]] | None = None,
        breaks: Sequence[float] = (),
    ) -> None:
        parts = elements.equations() if isinstance(elements, Elements) else elements
        if parts is not None and parameters is None:
            parameters = parts.parameters
        if parts is None:
            parameters = checked_parameters(name, parameters)
        assert parameters is not None
        if parts is not None and list(parameters) != list(parts.parameters):
            raise EquationsError(f"'{name}': parameters must be those of its elements, in their order")
        p = symbols_for(Sizes(0, 0, 0, 0, 0, 0), parameters, name)["p"]
        known = named_parameters(parameters, p)
        made = links(known) if callable(links) else links
        pull = gravity(known) if callable(gravity) else gravity
        tree = Tree(tuple(made), name, tuple(np.asarray(pull, dtype=object).tolist()))
        self._finish(name, tree, parts, _own_symbols(tree, p), dict(parameters), names, tuple(float(b) for b in breaks))

    def _finish(
        self, name: str, tree: Tree, elements: Equations | None, p: Any, parameters: Mapping[str, Any],
        names: Mapping[str, Sequence[str]] | None, breaks: tuple[float, ...],
    ) -> None:  # fmt: skip
        n_p = sum(int(np.size(value)) for value in parameters.values())
        n_bodies = len(tree.bodies)
        if tree.n_v == 0:
            raise EquationsError(f"'{name}': nothing can move; all links are fixed")
        if elements is None:
            self.sizes = Sizes(tree.n_q, tree.n_v, 0, 0, 0, n_p)
        else:
            e = elements.sizes
            n_theta = e.q - 7 * n_bodies - tree.n_q
            if n_theta < 0 or e.v != 6 * n_bodies + tree.n_v:
                raise EquationsError(
                    f"'{name}': its elements have {e.q} coordinates and {e.v} velocities; {n_bodies} bodies and the "
                    f"joints need at least {7 * n_bodies + tree.n_q} and exactly {6 * n_bodies + tree.n_v}"
                )
            self.sizes = Sizes(tree.n_q + n_theta, tree.n_v, e.lam, e.g, e.u, n_p)
        self.name, self.tree, self.elements, self._p = name, tree, elements, p
        self.parameters = parameters
        s = self.sizes
        given = {**joint_names(tree, s.q - tree.n_q), **(names or {})}
        if elements is not None:
            given = {"lam": elements.names["lam"], "u": elements.names["u"], **given}
        self.names = checked_names(name, given, {"q": s.q, "v": s.v, "lam": s.lam, "u": s.u})
        self.breaks = tuple(sorted({*breaks, *(() if elements is None else elements.breaks)}))
        self.rows = tuple(range(s.lam)) if elements is None else elements.rows
        self.full_rows = s.lam if elements is None else elements.full_rows
        self.C_is_G = elements is None or elements.C_is_G

    @property
    def structure(self) -> TreeStructure:
        return self.kept("structure", lambda: TreeStructure(self.tree, self.elements, self.sizes, self._p))

    @property
    def unit_T(self) -> bool:  # type: ignore[override]
        return self.sizes.q == self.sizes.v and not any(link.joint.has_parameters for link in self.tree.links)

    @property
    def normalizes(self) -> bool:  # type: ignore[override]
        theta = self.sizes.q > self.tree.n_q and self.elements is not None and self.elements.normalizes
        return theta or any(link.joint.has_parameters for link in self.tree.links)

    def __getstate__(self) -> Any:
        kept = ("name", "tree", "elements", "_p", "names", "breaks")
        return {**{key: getattr(self, key) for key in kept}, "parameters": dict(self.parameters)}

    def __setstate__(self, state: Any) -> None:
        self._finish(
            state["name"], state["tree"], state["elements"], state["_p"], state["parameters"], state["names"],
            state["breaks"],
        )  # fmt: skip

    @property
    def timed_constraints(self) -> Mapping[int, tuple[str, ...]]:
        return {} if self.elements is None else self.elements.timed_constraints

    def lacks(self, program: str) -> str:
        if program in ("reduced", "directional"):
            return "recursions have no derivatives of accelerations"
        if program == "excited":
            return "recursions do not tell what depends on excitations"
        if program == "imex":
            return "recursions have no matrix of constrained motion"
        if program not in ("explicit", "rate"):
            return ""
        if self.sizes.lam:
            return "it has constraints"
        if self.elements is not None and len(self.elements.program("contract").patterns["M"].rows):
            return "elements have inertia"
        return ""

    def with_rows(self, rows: tuple[int, ...]) -> Equations:
        assert self.elements is not None  # without them there are no constraints
        names = {key: self.names[key] for key in ("q", "v", "u")}
        other = object.__new__(Recursion)
        other._finish(
            self.name, self.tree, self.elements.restricted(rows), self._p, dict(self.parameters), names, self.breaks
        )
        return other

    def make_program(self, name: str) -> Provider:
        return self._implicit() if name == "implicit" else self._made(name)

    def links_at(
        self,
        q: Any,
        v: Any = None,
        a: Any = None,
        lam: Any = None,
        u: Any = None,
        *,
        t: float = 0.0,
        parameters: Mapping[str, Any] | None = None,
    ) -> LinkStates:
        """Poses, velocities and accelerations of all links, and the wrenches that their joints exert on them, with what
        elements and multipliers do to the bodies."""
        return links_at(self, t, q, v, a, lam, u, parameters)

    def _in_sizes(self) -> tuple[int, ...]:
        s = self.sizes
        return s.p, 1, s.q, s.v, s.u, s.lam, s.v, s.g

    def _made(self, name: str) -> Provider:
        s, structure = self.sizes, self.structure
        n_w = 0 if structure.element_provider is None else structure.element_provider.out_sizes[CONTRACT_OUTPUT.w]
        n_qn = s.q if structure.normalizes else 0
        patterns = structure.patterns
        nnz = {key: len(pattern.rows) for key, pattern in patterns.items()}
        if name == "contract":
            sizes: tuple[int, ...] = (
                nnz["T"], nnz["M"], s.v, nnz["G"], s.lam, s.g, s.lam, s.u, nnz["F"], nnz["C"], n_qn, n_w
            )  # fmt: skip
            entry = contract.contract
        else:
            n_qdot = 0 if structure.unit_T else s.q
            sizes, entry = (n_qdot, s.v, 0, s.u, 0, 0, s.q, s.v, n_qn), contract.explicit
            if name == "rate":
                sizes = sizes[:4]
        return TreeProvider(
            name, entry.address, word.end, self._in_sizes(), sizes, patterns if name == "contract" else {}, structure,
            make_workspace=lambda: new_workspace(structure, name), elements=structure.element_program(name),
        )  # fmt: skip

    def _implicit(self) -> Provider:
        structure = self.structure
        columns, elements = implicit_layout.Columns(structure), structure.element_program("implicit")
        s = self.sizes
        sizes = s.q, s.v, s.g, s.lam, s.u, len(columns.pattern.rows)
        return TreeProvider(
            "implicit", implicit.implicit.address, word.end, self._in_sizes(), sizes, {"jacobian": columns.pattern},
            structure, make_workspace=lambda: new_workspace(structure, "implicit", columns.fill),
            elements=elements, exact=elements is None or elements.exact,
        )  # fmt: skip
