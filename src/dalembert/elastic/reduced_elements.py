"""ReducedElements of finite elements to few coordinates: u = Φ q.

eigenmodes        the lowest modes with interfaces fixed, or of the free body
guyan             static shapes: unit motions of interfaces, inertia of the rest neglected (Guyan 1965)
craig-bampton     these, and the lowest modes with interfaces fixed (Craig, Bampton 1968)
attachment        modes of the free body, and what unit forces on interfaces add to them: static shapes with inertia
                  relief (Craig, Chang 1977)

Interfaces are fixed by multipliers, [K Aᵀ; A 0], whatever they are (rigid or in the mean), so that shapes and modes
have one solver.  The frame of the body is the interface that ``frame`` names, whose own shapes are left away, or mean
axes; then a second eigenproblem of the reduced matrices finds the rigid motions, which are removed, and makes the rest
orthonormal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dalembert.arguments import (
    flag,
    instance,
    known_name,
    listed,
    named,
    one_of,
    real,
    reals,
    shown,
    text,
    texts,
    whole,
)
from dalembert.elastic.finite_elements import FiniteElements
from dalembert.elastic.flexibility import Flexibility, Mode, Nodes, Reals, Reference
from dalembert.elastic.interfaces import Attached, Interface, checked
from dalembert.errors import ModelError

METHODS = ("craig-bampton", "eigenmodes", "guyan", "attachment")
_COMPONENTS = {2: ("x", "y", "about z"), 3: ("x", "y", "z", "about x", "about y", "about z")}
_FIXED = "fixed nodes"
#: Up to this many degrees of freedom eigenproblems are solved with full matrices.
_DENSE = 400


@dataclass(frozen=True, eq=False)
class ReducedElements:
    """A body with few coordinates, and the way back to its finite elements."""

    flexibility: Flexibility
    #: the finite elements with their interfaces
    attached: Attached
    #: shapes in the coordinates of ``attached``
    columns: Reals
    #: name of the interface that is the frame, or none for mean axes
    frame: tuple[str, ...]

    def __post_init__(self) -> None:
        instance(self.flexibility, Flexibility, "reduction: flexibility", ModelError)
        instance(self.attached, Attached, "reduction: attached", ModelError)
        columns = reals(self.columns, "reduction: columns", ModelError, ndim=2, finite=True)
        if columns.shape != (self.attached.n, self.flexibility.n):
            raise ModelError(
                f"reduction: columns must have the shape ({self.attached.n}, {self.flexibility.n}), got {columns.shape}"
            )
        object.__setattr__(self, "frame", texts(self.frame, "reduction: frame", ModelError))

    def __repr__(self) -> str:
        fe = self.attached.fe
        return f"<ReducedElements of '{fe.name}': {fe.n} → {self.flexibility.n} coordinates>"

    @property
    def shapes(self) -> Reals:
        """Φ: displacements of all degrees of freedom by each mode."""
        return np.asarray(self.attached.T @ self.columns)

    def displacement(self, q: Any) -> Reals:
        """Displacements of all degrees of freedom, for coordinates (n,) or over time (n, n_t)."""
        found = reals(q, "reduction: q", ModelError)
        if found.ndim not in (1, 2) or len(found) != self.flexibility.n:
            raise ModelError(
                f"reduction: q must be {self.flexibility.n} coordinates, or these over time; got {found.shape}"
            )
        return np.asarray(self.attached.T @ (self.columns @ found))

    def stress(self, component: str, q: Any) -> Reals:
        """One component of the stress at all nodes, (nodes,) or over time (nodes, n_t): "xx", "xy", …, or "mises"."""
        fe = self.attached.fe
        if not fe.stresses:
            raise ModelError(
                f"finite elements '{fe.name}': stresses are known where meshes are assembled here (plane_stress, "
                "solid); matrices alone do not have them"
            )
        known_name(component, (*fe.stresses, "mises"), f"finite elements '{fe.name}': stress", ModelError)
        u = self.displacement(q)
        if component != "mises":
            return np.asarray(fe.stresses[component] @ u)
        s = {key: np.asarray(matrix @ u) for key, matrix in fe.stresses.items()}
        zero = np.zeros_like(s["xx"])
        zz, yz, zx = (s.get(key, zero) for key in ("zz", "yz", "zx"))
        normal = (s["xx"] - s["yy"]) ** 2 + (s["yy"] - zz) ** 2 + (zz - s["xx"]) ** 2
        return np.asarray(np.sqrt(0.5 * normal + 3.0 * (s["xy"] ** 2 + yz**2 + zx**2)))

    def missing(self, node: Any, component: int) -> float:
        """Share of the static deflection under a force there that the modes do not have: 0 is complete.

        The force acts on a node of the finite elements, or on an interface by its name, along (0, 1, 2) or about
        (3, 4, 5) an axis; the frame is held, or in mean axes the body accelerates freely.
        """
        force = unit_force(self.attached, node, component)
        if self.frame:
            full = Held(self.attached, self.frame).solve(force)
        else:
            full = relieved(self.attached, force[:, None])[:, 0]
        own = self.columns.T @ force
        kept = float(own @ np.linalg.solve(self.flexibility.stiffness, own))
        return 1.0 - kept / float(force @ full)


def reduce(
    finite_elements: FiniteElements,
    method: str = "craig-bampton",
    modes: int = 10,
    *,
    interfaces: Any = (),
    frame: str | None = None,
    nodes: Any = (),
    stresses: Any = (),
    second: bool = True,
    stiffening: bool = False,
    damping: Mapping[str, Any] | None = None,
    name: str | None = None,
) -> ReducedElements:
    """A body of finite elements with few coordinates.

    :param method: "craig-bampton", "eigenmodes", "guyan" or "attachment"
    :param modes: number of eigenmodes; none for "guyan"
    :param interfaces: points that joints and forces are attached to, of ``fe.interface(…)``
    :param frame: name of the interface that the body frame moves with; mean axes if left away
    :param nodes: further nodes, names or numbers, that the body shall have
    :param stresses: nodes at which components of the stress become outputs of the body
    :param second: whether a second eigenproblem makes the shapes orthonormal; in mean axes it always does
    :param stiffening: whether the stress of accelerations and of forces on interfaces stiffens the body or softens it:
        geometric stiffness for each unit acceleration that is constant or linear in X, and each unit force
    :param damping: arguments of :meth:`Flexibility.with_damping`
    """
    fe = instance(finite_elements, FiniteElements, "reduce: finite_elements", ModelError)
    where = f"finite elements '{fe.name}'"
    one_of(method, METHODS, f"{where}: method", ModelError)
    whole(modes, f"{where}: modes", ModelError, least=0, most=fe.n)
    flag(second, f"{where}: second", ModelError)
    flag(stiffening, f"{where}: stiffening", ModelError)
    given = checked(fe, interfaces)
    if method in ("craig-bampton", "guyan", "attachment") and not given:
        raise ModelError(f"{where}: {method} needs interfaces, fe.interface(name, nodes); or take method='eigenmodes'")
    names = [one.name for one in given]
    if fe.free_motions < len(fe.active):
        raise ModelError(
            f"{where}: rigid motions store energy, so that the body is held by its stiffness; reduce the free body, "
            "without supports, and hold it by joints"
        )
    if frame is not None:
        known_name(frame, names, f"{where}: frame, the interface", ModelError)
    attached = Attached(fe, given)
    held = (frame,) if frame is not None else ()
    columns, table = _shapes(attached, method, modes, held)
    if not columns.shape[1]:
        raise ModelError(f"{where}: no shapes are left; ask for modes, or for more interfaces")
    columns = _without_rigid_motions(attached, columns) if not held else columns
    if not held or second:
        columns, table = _orthonormal(attached, columns, table, not held, where)
    else:
        columns = columns / np.sqrt(np.einsum("ij,ij->j", columns, attached.M @ columns))
    label = fe.name if name is None else text(name, f"{where}: name", ModelError)
    body = _flexibility(attached, columns, table, held, nodes, stresses, label)
    if stiffening:
        body = _stiffened(body, attached, columns, held)
    if damping is not None:
        given_damping = named(damping, f"{where}: damping", ModelError)
        for key in given_damping:
            known_name(key, ("alpha", "beta", "ratios", "matrix"), f"{where}: damping:", ModelError)
        body = body.with_damping(**given_damping)
    return ReducedElements(body, attached, columns, held)


# ------------------------------------------------------------------------------------------------------------ solvers


class Held:
    """K with interfaces held by multipliers: solutions of [K Aᵀ; A 0](x, μ) = (f, b)."""

    def __init__(self, attached: Attached, names: Sequence[str]) -> None:
        from scipy import sparse
        from scipy.sparse.linalg import splu

        self.attached, A = attached, attached.rows(names)
        self.size = 0 if A is None else A.shape[0]
        # Multipliers are forces; the scale makes both blocks of one size.
        self.scale = float(abs(attached.K).max())
        matrix = (
            attached.K if A is None else sparse.block_array([[attached.K, self.scale * A.T], [self.scale * A, None]])
        )
        try:
            self._matrix = sparse.csc_array(matrix)
            self._factors = splu(self._matrix)
        except RuntimeError:
            raise ModelError(
                f"finite elements '{attached.fe.name}': the stiffness is singular with "
                f"{', '.join(names) or 'nothing'} held; hold the body by interfaces, or take method='attachment'"
            ) from None

    def solve(self, force: Reals, motion: Reals | None = None) -> Reals:
        """x for forces on x and motions of the interfaces that are held, columns for several; improved once."""
        n = self.attached.n
        right = np.zeros((n + self.size, *force.shape[1:]))
        right[:n] = force
        if motion is not None:
            right[n:] = self.scale * motion
        x = self._factors.solve(right)
        return np.asarray((x + self._factors.solve(right - self._matrix @ x))[:n])


def normal_modes(fe: FiniteElements, count: int, fixed: Any) -> tuple[Reals, Reals, Attached]:
    """The lowest frequencies and shapes, nodes or interfaces fixed; of the free body without its rigid motions."""
    whole(count, f"finite elements '{fe.name}': count", ModelError, least=1, most=fe.n)
    attached, names = _fixed(fe, fixed)
    if names:
        values, shapes = _lowest(attached, Held(attached, names), count, 0.0)
        return values, shapes, attached
    values, shapes = free_modes(attached, count)
    return values, shapes, attached


def free_modes(attached: Attached, count: int) -> tuple[Reals, Reals]:
    """Frequencies and shapes of the free body, rigid motions left away."""
    rigid = attached.fe.free_motions
    M, K = attached.M, attached.K
    shift = 1e-3 * float(abs(K.diagonal()).sum() / abs(M.diagonal()).sum()) / attached.n
    values, shapes = _lowest(attached, _Shifted(attached, shift), count + rigid, -shift)
    return values[rigid:], shapes[:, rigid:]


class _Shifted:
    """(K + σM)⁻¹ of a body that is not held."""

    def __init__(self, attached: Attached, shift: float) -> None:
        from scipy import sparse
        from scipy.sparse.linalg import splu

        self._factors = splu(sparse.csc_array(attached.K + shift * attached.M))

    def solve(self, force: Reals) -> Reals:
        return np.asarray(self._factors.solve(force))


def _lowest(attached: Attached, solver: Any, count: int, shift: float) -> tuple[Reals, Reals]:
    """ω and shapes with ΦᵀMΦ = 1, ascending: largest eigenvalues of G M, G the inverse that holds the body."""
    from scipy.linalg import eigh
    from scipy.sparse.linalg import LinearOperator, eigsh

    n, M = attached.n, attached.M
    most = n - int(getattr(solver, "size", 0))
    if count > most:
        raise ModelError(f"finite elements '{attached.fe.name}': there are {most} modes, {count} were asked for")
    if n <= _DENSE or count > n // 3:
        full = M.toarray()
        values, vectors = np.linalg.eigh(full)
        root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
        inverse = root @ solver.solve(root)
        theta, y = eigh(0.5 * (inverse + inverse.T), subset_by_index=(n - count, n - 1))
        shapes = solver.solve(root @ y[:, ::-1])
        theta = theta[::-1]
    else:
        operator = LinearOperator((n, n), matvec=solver.solve, dtype=float)
        start = np.random.default_rng(0).normal(size=n)  # the same in every run
        values, shapes = eigsh(attached.K, k=count, M=M, sigma=shift, OPinv=operator, v0=start)
        order = np.argsort(values)
        theta, shapes = 1.0 / (values[order] - shift), shapes[:, order]
    shapes = shapes / np.sqrt(np.einsum("ij,ij->j", shapes, M @ shapes))
    squares = np.maximum(1.0 / np.where(theta > 0.0, theta, np.inf) + shift, 0.0)
    return np.sqrt(squares), _signed(shapes)


def _signed(shapes: Reals) -> Reals:
    """Shapes whose largest entry is positive, so that they are the same in every run."""
    largest = np.argmax(np.abs(shapes), axis=0)
    return shapes * np.where(shapes[largest, np.arange(shapes.shape[1])] < 0.0, -1.0, 1.0)


def static(fe: FiniteElements, forces: Any, fixed: Any) -> Reals:
    """Displacements under forces with nodes or interfaces fixed."""
    attached, names = _fixed(fe, fixed)
    if not names:
        raise ModelError(f"finite elements '{fe.name}': fix nodes or interfaces; a free body has no static deflection")
    if isinstance(forces, np.ndarray) and forces.shape == (fe.n,):
        force = attached.T.T @ forces
    else:
        force = np.zeros(attached.n)
        for one in listed(forces, f"finite elements '{fe.name}': forces", ModelError):
            parts = listed(one, f"finite elements '{fe.name}': a force", ModelError)
            if len(parts) != 3:
                raise ModelError(f"finite elements '{fe.name}': a force is (node, component, force), got {shown(one)}")
            node, component, size = parts
            force += real(size, "force", ModelError) * unit_force(attached, node, component)
    return np.asarray(attached.T @ Held(attached, names).solve(force))


def _fixed(fe: FiniteElements, fixed: Any) -> tuple[Attached, tuple[str, ...]]:
    """Elements with what shall be fixed as interfaces; plain nodes are fixed as a rigid one."""
    several = isinstance(fixed, (list, tuple)) and len(fixed) and all(isinstance(one, Interface) for one in fixed)
    if isinstance(fixed, Interface) or several:
        given = checked(fe, fixed)
    elif fixed is None or (isinstance(fixed, (list, tuple)) and not fixed):
        given = ()
    else:
        given = (fe.interface(_FIXED, fixed),)
    return Attached(fe, given), tuple(one.name for one in given)


def unit_force(attached: Attached, node: Any, component: Any) -> Reals:
    """A unit force or torque on a node, or on an interface by its name, as force on x."""
    fe = attached.fe
    c = whole(component, f"finite elements '{fe.name}': component", ModelError, least=0, most=5)
    if isinstance(node, str) and node in attached.A:
        place = c if c < fe.dimension else fe.dimension + fe.rotations.index(c) if c in fe.rotations else -1
        if place in fe.active:
            return np.asarray(attached.A[node].toarray()[fe.active.index(place)])
    else:
        row = int(fe.places[int(fe.node_numbers([node])[0]), c])
        if row >= 0:
            unit = np.zeros(fe.n)
            unit[row] = 1.0
            return np.asarray(attached.T.T @ unit)
    raise ModelError(f"finite elements '{fe.name}': node {node!r} has no component {c}")


# ------------------------------------------------------------------------------------------------------------- shapes


def _shapes(attached: Attached, method: str, modes: int, held: tuple[str, ...]) -> tuple[Reals, list[Mode]]:
    """Columns on x and their rows of the mode table."""
    fe = attached.fe
    names = tuple(one.name for one in attached.interfaces)
    size = len(fe.active)
    axes = [_COMPONENTS[fe.dimension][k] for k in fe.active]
    columns, table = [], []
    moving = [name for name in names if name not in held]
    if method in ("craig-bampton", "guyan"):
        solver = Held(attached, names)
        units = np.zeros((size * len(names), size * len(moving)))
        for k, name in enumerate(moving):
            units[size * names.index(name) : size * (names.index(name) + 1), size * k : size * (k + 1)] = np.eye(size)
        columns.append(solver.solve(np.zeros((attached.n, units.shape[1])), units))
        table += [Mode(f"{name}.{axis}", "constraint", f"interface {name}, {axis}") for name in moving for axis in axes]
        if method == "craig-bampton" and modes:
            values, shapes = _lowest(attached, solver, modes, 0.0)
            columns.append(shapes)
            table += [
                Mode(f"normal{k + 1}", "normal", f"interfaces fixed, mode {k + 1}", float(w))
                for k, w in enumerate(values)
            ]
    elif held:
        solver = Held(attached, held)
        if modes:
            values, shapes = _lowest(attached, solver, modes, 0.0)
            columns.append(shapes)
            table += [
                Mode(f"normal{k + 1}", "normal", f"{held[0]} fixed, mode {k + 1}", float(w))
                for k, w in enumerate(values)
            ]
        if method == "attachment" and moving:
            columns.append(solver.solve(np.asarray(attached.rows(moving).toarray().T)))
            table += [
                Mode(f"{name}.{axis}", "attachment", f"force on {name}, {axis}") for name in moving for axis in axes
            ]
    else:
        if modes:
            values, shapes = free_modes(attached, modes)
            columns.append(shapes)
            table += [
                Mode(f"free{k + 1}", "normal", f"free body, mode {k + 1}", float(w)) for k, w in enumerate(values)
            ]
        if method == "attachment":
            columns.append(relieved(attached, np.asarray(attached.rows(names).toarray().T)))
            table += [
                Mode(f"{name}.{axis}", "attachment", f"force on {name}, {axis}") for name in names for axis in axes
            ]
    return (np.column_stack(columns) if columns else np.zeros((attached.n, 0))), table


def _rigid(attached: Attached) -> Reals:
    """Rigid motions in x, orthonormal in M."""
    fe = attached.fe
    R = fe.rigid_fields(fe.X.mean(axis=0))[:, list(fe.active)]
    x = np.zeros((attached.n, R.shape[1]))
    # x of a rigid motion: T has a row with a single 1 for each free degree of freedom, A says the rest.
    size = len(fe.active)
    T = attached.T.tocsc()
    counts = np.diff(T.indptr)
    free = attached.n - size * sum(one.kind == "rigid" for one in attached.interfaces)
    assert (counts[:free] == 1).all()
    x[:free] = R[T.indices[T.indptr[:free]]]
    first = free
    for one in attached.interfaces:
        if one.kind == "rigid":
            x[first : first + size] = _motion_of_point(fe, np.array(one.at))
            first += size
    L = np.linalg.cholesky(x.T @ (attached.M @ x))
    return np.asarray(np.linalg.solve(L, x.T).T)


def _motion_of_point(fe: FiniteElements, at: Reals) -> Reals:
    """(u_0, θ_0) of a point by the rigid motions of :func:`_rigid`."""
    from dalembert.elastic.flexibility import turning_matrices

    d = fe.dimension
    found = np.eye(d + len(fe.rotations))
    found[:d, d:] = np.column_stack([turn @ (at - fe.X.mean(axis=0)) for turn in turning_matrices(d)])
    return found[np.ix_(fe.active, fe.active)]


def _without_rigid_motions(attached: Attached, columns: Reals) -> Reals:
    R = _rigid(attached)
    return np.asarray(columns - R @ (R.T @ (attached.M @ columns)))


def relieved(attached: Attached, forces: Reals) -> Reals:
    """Static deflections of the free body under forces that its accelerating mass balances (inertia relief), without
    rigid parts."""
    from scipy import sparse
    from scipy.sparse.linalg import splu

    R = _rigid(attached)
    MR = attached.M @ R
    balanced = forces - MR @ (R.T @ forces)
    scale = float(abs(attached.K).max()) / float(np.abs(MR).max())
    matrix = sparse.block_array([[attached.K, sparse.csr_array(scale * MR)], [sparse.csr_array(scale * MR.T), None]])
    right = np.zeros((attached.n + R.shape[1], forces.shape[1]))
    right[: attached.n] = balanced
    return _without_rigid_motions(attached, np.asarray(splu(sparse.csc_array(matrix)).solve(right)[: attached.n]))


def _orthonormal(
    attached: Attached, columns: Reals, table: list[Mode], free: bool, where: str
) -> tuple[Reals, list[Mode]]:
    """The second eigenproblem, of the reduced matrices; motions without stiffness and repeated shapes removed."""
    from scipy.linalg import eigh

    size = np.sqrt(np.einsum("ij,ij->j", columns, attached.M @ columns))
    kept = size > 1e-9 * size.max()
    columns, table = columns[:, kept] / size[kept], [one for one, keep in zip(table, kept, strict=True) if keep]
    M, K = columns.T @ (attached.M @ columns), columns.T @ (attached.K @ columns)
    # Shapes that are combinations of others (in mean axes as many as rigid motions) have no mass of their own.
    mass, basis = np.linalg.eigh(0.5 * (M + M.T))
    independent = mass > 1e-10 * mass[-1]
    basis = basis[:, independent] / np.sqrt(mass[independent])
    K = basis.T @ (0.5 * (K + K.T)) @ basis
    squares, vectors = eigh(0.5 * (K + K.T))
    if free:
        # What is left of rigid motions after their removal has a frequency far below the first.
        stiff = squares > 1e-9 * np.median(squares)
        squares, vectors = squares[stiff], vectors[:, stiff]
    mix = basis @ vectors
    shapes = _signed(columns @ mix)
    found = []
    for k, w in enumerate(np.sqrt(np.maximum(squares, 0.0))):
        parts = np.abs(mix[:, k]) * np.sqrt(np.diag(M))
        main = table[int(np.argmax(parts))]
        found.append(Mode(f"mode{k + 1}", main.kind, f"mostly {main.name}", float(w)))
    return shapes, found


def _flexibility(
    attached: Attached, columns: Reals, table: list[Mode], held: tuple[str, ...], nodes: Any, stresses: Any, name: str
) -> Flexibility:
    fe = attached.fe
    shapes = np.asarray(attached.T @ columns)
    d = fe.dimension
    where = f"finite elements '{fe.name}': nodes"
    numbers = _several(fe, nodes, where)
    X = [np.array(one.at) for one in attached.interfaces] + [fe.X[k] for k in numbers]
    names = [one.name for one in attached.interfaces] + [fe.names[k] for k in numbers]
    if len(set(names)) != len(names):
        raise ModelError(f"{where} and interfaces must have different names, got {', '.join(names)}")
    translation, rotation = [], []
    for one in attached.interfaces:
        moved = np.zeros((d + len(fe.rotations), columns.shape[1]))
        moved[list(fe.active)] = attached.A[one.name] @ columns
        translation.append(moved[:d])
        rotation.append(moved[d:])
    for k in numbers:
        rows, turns = fe.places[k, :d], fe.places[k, list(fe.rotations)]
        translation.append(np.where(rows[:, None] >= 0, shapes[np.maximum(rows, 0)], 0.0))
        rotation.append(shapes[turns] if (turns >= 0).all() else np.full((len(turns), shapes.shape[1]), np.nan))
    if names:
        own = Nodes(tuple(names), np.array(X), np.array(translation), np.array(rotation))
    else:
        own = Nodes((), np.zeros((0, 3)), np.zeros((0, 3, 0)))
    S = fe.gram(shapes)
    K = columns.T @ (attached.K @ columns)
    outputs: dict[str, Any] = {}
    for k in _several(fe, stresses, f"finite elements '{fe.name}': stresses"):
        if not fe.stresses:
            raise ModelError(f"finite elements '{fe.name}': stresses are not known for matrices alone")
        outputs |= {
            f"stress.{key}.{fe.names[k]}": np.asarray(m[[k]] @ shapes).ravel() for key, m in fe.stresses.items()
        }
    place = {number: len(attached.interfaces) + k for k, number in enumerate(numbers)}

    def drawn(lists: Any) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(place[k] for k in one) for one in lists if all(k in place for k in one))

    body = Flexibility(
        gram=S, stiffness=0.5 * (K + K.T), nodes=own, modes=tuple(table), outputs=outputs, edges=drawn(fe.edges),
        faces=drawn(fe.faces), name=name,
    )  # fmt: skip
    # Of mean axes, rounding in the mass of the elements leaves a rigid part, which is removed here.
    return body.referred(Reference("clamped", held) if held else Reference("mean axes"))


def _stiffened(body: Flexibility, attached: Attached, columns: Reals, held: tuple[str, ...]) -> Flexibility:
    """The body with minus the geometric stiffness for unit loads in the place of second-order displacements, of its
    mass and of its interfaces: what meets accelerations and forces in virtual power is the same."""
    fe, d = attached.fe, attached.fe.dimension
    shapes = np.asarray(attached.T @ columns)
    points = fe.mass_points
    if points is None or not fe.stress_parts:
        fe.geometric_stiffness(np.zeros(fe.n), shapes)  # complains
        raise ModelError(f"finite elements '{fe.name}': stiffening needs elements that are assembled here")
    fields = [np.ones(len(points.X)), *points.X.T]
    loads = [attached.T.T @ (points.displacement[b].T @ (points.mass * s)) for s in fields for b in range(d)]
    loads += [unit_force(attached, one.name, b) for one in attached.interfaces for b in range(d) if b in fe.active]
    forces = np.column_stack(loads)
    moved = np.asarray(attached.T @ (Held(attached, held).solve(forces) if held else relieved(attached, forces)))
    found = [-fe.geometric_stiffness(u, shapes) for u in moved.T]
    inertial = np.array(found[: (1 + d) * d]).reshape(1 + d, d, body.n, body.n)
    at_nodes = np.zeros((len(body.nodes), d, body.n, body.n))
    rest = iter(found[(1 + d) * d :])
    for k in range(len(attached.interfaces)):
        for b in range(d):
            if b in fe.active:
                at_nodes[k, b] = next(rest)
    return replace(body, second_order=inertial, nodes=replace(body.nodes, second_order=at_nodes))


def _several(fe: FiniteElements, nodes: Any, what: str) -> list[int]:
    """Numbers of nodes that are given by names, numbers and sets, each once."""
    single = isinstance(nodes, (str, int, np.integer))
    found: list[int] = []
    for one in [nodes] if single else listed(nodes, what, ModelError):
        found += [k for k in fe.node_numbers(one).tolist() if k not in found]
    return found
