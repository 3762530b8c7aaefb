"""A body of finite elements: nodes, degrees of freedom, mass and stiffness, wherever they come from.

Components of a node are the displacements 0, 1, 2 along x, y, z and the rotations 3, 4, 5 about them; in the plane 0, 1
and 5.  A degree of freedom that belongs to no node, such as a slope of an edge, has the node −1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalembert.arguments import function, instance, listed, named, reals, shown, text, texts, whole, wholes
from dalembert.elastic.flexibility import Reals, frozen, turning_matrices
from dalembert.errors import ModelError, suggestion

if TYPE_CHECKING:
    from dalembert.elastic.interfaces import Interface
    from dalembert.elastic.reduced_elements import ReducedElements

Ints = NDArray[np.int64]
#: Relative size of what counts as zero in mass and stiffness matrices.
ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class MassPoints:
    """Points that carry the mass: places (n, d), masses, and a sparse matrix for each component that gives its
    displacement there from the degrees of freedom."""

    X: Reals
    mass: Reals
    displacement: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class StressPart:
    """A component of the stress at the points of quadrature, and what it does to displacements: its energy to second
    order is ½ Σ stress · (left u) (right u) over points and pairs.

    :param stress: sparse; from the degrees of freedom, times the volume of each point
    :param pairs: sparse matrices that give derivatives of displacements at the points
    """

    stress: Any
    pairs: tuple[tuple[Any, Any], ...]


@dataclass(frozen=True, eq=False)
class FiniteElements:
    """Nodes and sparse matrices of a body, not reduced; frozen.

    :param X: places of the nodes, (nodes, 2 or 3)
    :param mass: M, sparse or full
    :param stiffness: K, sparse or full
    :param dofs: (node, component) of each row of the matrices, as the module says; by default 2 or 3 displacements for
        each node, or 3 or 6 components where the matrices are so large
    :param names: of the nodes; numbers from 1 unless given
    :param sets: numbers of nodes by the name of a set
    :param mass_points: where scalar fields are integrated exactly
    :param stresses: for each component of the stress a sparse matrix that gives it at the nodes
    :param stress_parts: what stress does to displacements, for geometric stiffness
    :param edges: pairs of nodes, to draw the body
    :param faces: triples of nodes
    :param name: of the data, for messages
    """

    X: Reals
    mass: Any
    stiffness: Any
    dofs: Any = None
    names: Sequence[str] = ()
    sets: Mapping[str, Any] = field(default_factory=dict)
    mass_points: MassPoints | None = None
    stresses: Mapping[str, Any] = field(default_factory=dict)
    stress_parts: tuple[StressPart, ...] = ()
    edges: Any = ()
    faces: Any = ()
    name: str = "body"

    def __post_init__(self) -> None:
        put = object.__setattr__
        where = f"finite elements '{text(self.name, 'finite elements: name', ModelError)}'"
        X = reals(self.X, f"{where}: X", ModelError, ndim=2, finite=True)
        if X.shape[1] not in (2, 3) or not len(X):
            raise ModelError(f"{where}: X must have a row of 2 or 3 numbers for each node, got the shape {X.shape}")
        put(self, "X", frozen(X))
        M, K = (_sparse(getattr(self, key), f"{where}: {key}") for key in ("mass", "stiffness"))
        if M.shape != K.shape:
            raise ModelError(
                f"{where}: mass has {M.shape[0]} rows and stiffness {K.shape[0]}; they must be of one size"
            )
        for key, matrix in (("mass", M), ("stiffness", K)):
            put(self, key, _symmetric(matrix, f"{where}: {key}"))
        n, N, d = M.shape[0], len(X), X.shape[1]
        dofs = _default_dofs(n, N, d, where) if self.dofs is None else self.dofs
        dofs = wholes(dofs, f"{where}: dofs", ModelError, ndim=2)
        allowed = (0, 1, 5) if d == 2 else tuple(range(6))
        if dofs.shape != (n, 2) or dofs[:, 0].min() < -1 or dofs[:, 0].max() >= N:
            raise ModelError(f"{where}: dofs must say (node, component) for each of {n} rows, with nodes below {N}")
        if not np.isin(dofs[dofs[:, 0] >= 0, 1], allowed).all():
            raise ModelError(f"{where}: components of dofs must be among {allowed}")
        dofs.setflags(write=False)
        put(self, "dofs", dofs)
        names = texts(self.names, f"{where}: names", ModelError) or tuple(str(k + 1) for k in range(N))
        if len(names) != N or len(set(names)) != N:
            raise ModelError(f"{where}: names must be {N} different texts, one for each node")
        put(self, "names", names)
        sets = {}
        for key, numbers in named(self.sets, f"{where}: sets", ModelError).items():
            sets[key] = wholes(numbers, f"{where}: set '{key}'", ModelError, ndim=1)
            if not len(sets[key]) or sets[key].min() < 0 or sets[key].max() >= N:
                raise ModelError(f"{where}: set '{key}' must have numbers of nodes, from 0 and below {N}")
        put(self, "sets", sets)
        if self.mass_points is not None:
            instance(self.mass_points, MassPoints, f"{where}: mass_points", ModelError)
        put(self, "stresses", named(self.stresses, f"{where}: stresses", ModelError))
        for part in listed(self.stress_parts, f"{where}: stress_parts", ModelError):
            instance(part, StressPart, f"{where}: stress_parts", ModelError)
        for key in ("edges", "faces"):
            found = [
                wholes(one, f"{where}: {key}", ModelError, ndim=1)
                for one in listed(getattr(self, key), where, ModelError)
            ]
            put(self, key, tuple(tuple(one.tolist()) for one in found))
        if not float(self._translation_field(0) @ (self.mass @ self._translation_field(0))) > 0.0 and (
            self.mass_points is None
        ):
            raise ModelError(f"{where}: a translation along x moves no mass; are dofs in the order (node, component)?")

    # ----------------------------------------------------------------------------------------------------------- sizes

    @property
    def n(self) -> int:
        """Number of degrees of freedom."""
        return int(self.mass.shape[0])

    @property
    def dimension(self) -> int:
        """2 in the plane, 3 in space."""
        return int(self.X.shape[1])

    def __repr__(self) -> str:
        return f"<FiniteElements '{self.name}': {len(self.X)} nodes, {self.n} degrees of freedom>"

    @cached_property
    def places(self) -> Ints:
        """Row of each (node, component), −1 where there is none; (nodes, 6)."""
        found = np.full((len(self.X), 6), -1, dtype=np.int64)
        own = self.dofs[:, 0] >= 0
        found[self.dofs[own, 0], self.dofs[own, 1]] = np.flatnonzero(own)
        return found

    @property
    def rotations(self) -> tuple[int, ...]:
        """Components that are rotations."""
        return (5,) if self.dimension == 2 else (3, 4, 5)

    # ----------------------------------------------------------------------------------------------------- choose nodes

    def nearest(self, *place: float) -> int:
        """Number of the node that is nearest to a place."""
        at = reals(list(place), f"finite elements '{self.name}': place", ModelError, ndim=1, finite=True)
        if len(at) != self.dimension:
            raise ModelError(f"finite elements '{self.name}': a place has {self.dimension} numbers, got {len(at)}")
        return int(np.argmin(np.linalg.norm(self.X - at, axis=1)))

    def where(self, condition: Callable[[Reals], Any]) -> Ints:
        """Numbers of the nodes that meet a condition on their places: ``fe.where(lambda x: x[:, 0] < 1e-6)``."""
        function(condition, f"finite elements '{self.name}': condition", ModelError)
        try:
            found = np.flatnonzero(np.asarray(condition(np.array(self.X)), dtype=bool).reshape(-1))
        except Exception as error:
            raise ModelError(f"finite elements '{self.name}': the condition on places fails: {error}") from None
        if not len(found) or found.max() >= len(self.X):
            raise ModelError(f"finite elements '{self.name}': no node meets the condition")
        return found

    def node_numbers(self, nodes: Any) -> Ints:
        """Numbers of nodes that are given by numbers, by names, or by the name of a set."""
        where = f"finite elements '{self.name}'"
        if isinstance(nodes, str) and nodes in self.sets:
            return np.asarray(self.sets[nodes])
        single = isinstance(nodes, (str, int, np.integer)) and not isinstance(nodes, bool)
        found = []
        for one in [nodes] if single else listed(nodes, f"{where}: nodes", ModelError):
            if isinstance(one, str):
                if one not in self.names:
                    choices = suggestion(one, (*self.sets, *self.names))
                    raise ModelError(f"{where}: there is no node or set {shown(one)}; {choices}")
                found.append(self.names.index(one))
            else:
                found.append(whole(one, f"{where}: the number of a node", ModelError, least=0, most=len(self.X) - 1))
        if not found:
            raise ModelError(f"{where}: nodes must be at least one, got {shown(nodes)}")
        return np.array(found, dtype=np.int64)

    # ----------------------------------------------------------------------------------------------------- rigid fields

    def _translation_field(self, axis: int) -> Reals:
        found = np.zeros(self.n)
        own = (self.dofs[:, 0] >= 0) & (self.dofs[:, 1] == axis)
        found[own] = 1.0
        return found

    def rigid_fields(self, origin: Any = None) -> Reals:
        """Displacements by rigid motions, a column each: translations, then rotations about a point."""
        d = self.dimension
        where = f"finite elements '{self.name}': origin"
        x0 = np.zeros(d) if origin is None else reals(origin, where, ModelError, ndim=1, finite=True)
        if x0.shape != (d,):
            raise ModelError(f"{where} must be a place of {d} numbers, got {shown(origin)}")
        if self.mass_points is not None and (self.dofs[:, 0] < 0).any():
            return self._projected_rigid_fields(x0)
        columns = [self._translation_field(axis) for axis in range(d)]
        for c, turn in enumerate(turning_matrices(d)):
            moved = (self.X - x0) @ turn.T
            found = np.zeros(self.n)
            for k, (node, component) in enumerate(self.dofs.tolist()):
                if node >= 0:
                    found[k] = moved[node, component] if component < d else float(component == self.rotations[c])
            columns.append(found)
        return np.column_stack(columns)

    def _projected_rigid_fields(self, x0: Reals) -> Reals:
        """The same where degrees of freedom belong to no node: the elements have these fields, so that the projection
        by mass finds them."""
        from scipy.sparse.linalg import splu

        points, d = self.mass_points, self.dimension
        assert points is not None
        fields = [np.tile(unit, (len(points.X), 1)) for unit in np.eye(d)]
        fields += [(points.X - x0) @ turn.T for turn in turning_matrices(d)]
        weighted = [sum(N.T @ (points.mass * u[:, a]) for a, N in enumerate(points.displacement)) for u in fields]
        return np.asarray(splu(self.mass.tocsc()).solve(np.column_stack(weighted)))

    @cached_property
    def active(self) -> tuple[int, ...]:
        """Which of the rigid motions, displacements and then rotations, the elements have: all, but for plates."""
        R = self.rigid_fields(self.X.mean(axis=0))
        return tuple(np.flatnonzero(np.abs(R).max(axis=0) > 0.0).tolist())

    @cached_property
    def free_motions(self) -> int:
        """How many of these store no energy; fewer than all where the elements have supports."""
        R = self.rigid_fields(self.X.mean(axis=0))[:, list(self.active)]
        energy, size = R.T @ (self.stiffness @ R), R.T @ (np.abs(self.stiffness.diagonal())[:, None] * R)
        scale = np.sqrt(np.maximum(np.diag(size), 1e-300))
        return int(np.sum(np.linalg.eigvalsh(energy / np.outer(scale, scale)) < 1e-7))

    def supported(self, nodes: Any, components: Any) -> FiniteElements:
        """The same elements with some components of nodes held at zero, for questions about supported structures."""
        from dataclasses import replace

        held = wholes(components, f"finite elements '{self.name}': components", ModelError).reshape(-1)
        if not len(held) or held.min() < 0 or held.max() > 5:
            raise ModelError(f"finite elements '{self.name}': components are 0 to 5, got {shown(components)}")
        rows = self.places[self.node_numbers(nodes)][:, held].ravel()
        kept = np.setdiff1d(np.arange(self.n), rows[rows >= 0])
        if not len(kept):
            raise ModelError(f"finite elements '{self.name}': all degrees of freedom would be held")
        points = self.mass_points
        if points is not None:
            points = replace(points, displacement=tuple(N.tocsc()[:, kept] for N in points.displacement))
        return replace(
            self, mass=self.mass[kept][:, kept], stiffness=self.stiffness[kept][:, kept], dofs=self.dofs[kept],
            mass_points=points, stresses={key: m.tocsc()[:, kept] for key, m in self.stresses.items()},
            stress_parts=tuple(
                StressPart(
                    one.stress.tocsc()[:, kept], tuple((a.tocsc()[:, kept], b.tocsc()[:, kept]) for a, b in one.pairs)
                )
                for one in self.stress_parts
            ),
        )  # fmt: skip

    # ------------------------------------------------------------------------------------------------------- integrals

    def gram(self, shapes: Reals) -> Reals:
        """S = ∫ s sᵀ dm of the fields 1, X and the shapes, columns of ``shapes``."""
        from dalembert.elastic.finite_element_inertia import gram

        what = f"finite elements '{self.name}': shapes"
        columns = reals(shapes, what, ModelError, ndim=2, finite=True)
        if len(columns) != self.n:
            raise ModelError(f"{what} must have a row for each of {self.n} degrees of freedom, got {columns.shape}")
        return gram(self, columns)

    def geometric_stiffness(self, displacement: Reals, shapes: Reals) -> Reals:
        """ΦᵀK_geoΦ of the stress that some displacements make, for shapes Φ, columns each."""
        where = f"finite elements '{self.name}'"
        if not self.stress_parts:
            raise ModelError(
                f"{where}: stress inside is known where meshes are assembled here (plane_stress, solid, "
                "beam_elements); matrices alone and plates do not have it"
            )
        u = reals(displacement, f"{where}: displacement", ModelError, ndim=1, finite=True)
        columns = reals(shapes, f"{where}: shapes", ModelError, ndim=2, finite=True)
        if len(u) != self.n or len(columns) != self.n:
            raise ModelError(
                f"{where}: displacement and shapes must have a row for each of {self.n} degrees of freedom"
            )
        found = np.zeros((columns.shape[1],) * 2)
        for part in self.stress_parts:
            stress = part.stress @ u
            for left, right in part.pairs:
                found += (left @ columns).T @ (stress[:, None] * (right @ columns))
        return 0.5 * (found + found.T)

    # ------------------------------------------------------------------------------------------------------- questions

    def frequencies(self, count: int = 6, fixed: Any = ()) -> Reals:
        """The lowest eigenfrequencies in rad/s, some nodes or interfaces fixed; without any the rigid motions are left
        away."""
        from dalembert.elastic.reduced_elements import normal_modes

        return normal_modes(self, count, fixed)[0]

    def deflection(self, forces: Any, fixed: Any) -> Reals:
        """Static displacements of all degrees of freedom under ``forces``, a list of (node, direction or component,
        force) or a vector, with nodes fixed."""
        from dalembert.elastic.reduced_elements import static

        return static(self, forces, fixed)

    def reduce(self, method: str = "craig-bampton", modes: int = 10, **options: Any) -> ReducedElements:
        """The body with few coordinates; see :func:`dalembert.elastic.reduce`."""
        from dalembert.elastic.reduced_elements import reduce

        return reduce(self, method, modes, **options)

    def interface(self, name: str, nodes: Any, kind: str = "rigid", at: Any = None) -> Interface:
        """Nodes that move together with one point, to attach joints to; see :class:`dalembert.elastic.Interface`."""
        from dalembert.elastic.interfaces import Interface

        numbers = self.node_numbers(nodes)
        return Interface(name, tuple(numbers.tolist()), kind, self.X[numbers].mean(axis=0) if at is None else at)


def _default_dofs(n: int, N: int, d: int, where: str) -> Ints:
    choices = {2: (0, 1), 3: (0, 1, 5)} if d == 2 else {3: (0, 1, 2), 6: tuple(range(6))}
    if n % N or n // N not in choices:
        raise ModelError(
            f"{where}: {n} rows do not belong to {N} nodes with {' or '.join(map(str, choices))} each; give dofs, "
            "(node, component) for each row"
        )
    components = choices[n // N]
    return np.column_stack([np.repeat(np.arange(N), len(components)), np.tile(components, N)]).astype(np.int64)


def _sparse(matrix: Any, what: str) -> Any:
    from scipy import sparse

    if sparse.issparse(matrix):
        if matrix.dtype.kind not in "biuf":
            raise ModelError(f"{what} must be real numbers, got {matrix.dtype}")
        found = sparse.csr_array(matrix, dtype=float)
    else:
        found = sparse.csr_array(reals(matrix, what, ModelError, ndim=2))
    if found.shape[0] != found.shape[1] or not found.shape[0]:
        raise ModelError(f"{what} must be square, got the shape {found.shape}")
    if not np.isfinite(found.data).all():
        raise ModelError(f"{what} must be finite numbers")
    return found


def _symmetric(matrix: Any, what: str) -> Any:
    """The matrix if it is symmetric; where one half is stored, the whole."""
    from scipy import sparse

    size = np.sqrt(np.abs(matrix.diagonal()))
    size = np.where(size > 0.0, size, np.abs(matrix.data).max(initial=1.0) ** 0.5)
    scale = sparse.diags_array(1.0 / size)
    difference = abs(scale @ (matrix - matrix.T) @ scale)
    if difference.nnz and difference.max() > ROUNDING:
        if sparse.tril(matrix, -1).nnz == 0 or sparse.triu(matrix, 1).nnz == 0:
            matrix = matrix + matrix.T - sparse.diags_array(matrix.diagonal())
        else:
            i, j = np.unravel_index(int(np.asarray(difference.tocsr().argmax())), matrix.shape)
            raise ModelError(f"{what} must be symmetric, but entries ({i}, {j}) and ({j}, {i}) differ")
    else:
        matrix = 0.5 * (matrix + matrix.T)
    return sparse.csr_array(matrix)
