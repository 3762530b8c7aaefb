"""What a flexible body is made of: nodes with shapes, stiffness, damping, and one Gram matrix for its inertia.

A point X of the undeformed body stands at X + Σ φ_j(X) q_j in the body frame, after the second-order part of the field,
where there is one, at X + Σ φ_j q_j + ½ Σ Γ_jk q_j q_k.  Let the fields

    s = (1, x, y, z, φ_1x, φ_1y, φ_1z, …, φ_nz),      in the plane  s = (1, x, y, φ_1x, φ_1y, …, φ_ny).

All inertia integrals of a floating frame of reference are contractions of S = ∫ s sᵀ dm (Shabana, Dynamics of
Multibody Systems, section 5.4; Wallrapp's standard input data lists them one by one): mass, centre of mass, inertia,
∫φ, ∫X φ, ∫φ φ.  A rigid body is the case n = 0.  Whatever makes such data (beams, finite elements, files), and whatever
uses it, meets here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.arguments import instance, listed, named, real, reals, same_length, shown, text, texts, whole
from dalembert.errors import ModelError, suggestion

Reals = NDArray[np.float64]

#: relative size of what counts as zero in eigenvalues of K, S and of mass matrices whose diagonal is one
ROUNDING = 1e-9


def frozen(values: Any) -> Reals:
    """A copy that nobody writes into."""
    items = np.array(values, dtype=float)
    items.setflags(write=False)
    return items


@dataclass(frozen=True, eq=False)
class Nodes:
    """Points of a body whose displacements and rotations are known.

    :param names: one for each node
    :param X: places in the undeformed body, a row for each node
    :param translation: Φ_t, of shape (nodes, 2 or 3, modes)
    :param rotation: Φ_r, of shape (nodes, 1 or 3, modes); NaN in all entries of a node that has no rotation, as in
        solids; None if no node has one
    :param second_order: Γ, of shape (nodes, 2 or 3, modes, modes): displacement ½ qᵀΓq, or None
    """

    names: tuple[str, ...]
    X: Reals
    translation: Reals
    rotation: Reals | None = None
    second_order: Reals | None = None

    def __post_init__(self) -> None:
        names = texts(self.names, "Nodes: names", ModelError)
        repeated = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
        if repeated:
            raise ModelError(f"Nodes: the name '{repeated[0]}' is used more than once")
        X = reals(self.X, "Nodes: X", ModelError, finite=True)
        X = X.reshape(0, 3) if not names and X.size == 0 else X
        if X.ndim != 2 or X.shape[0] != len(names) or X.shape[1] not in (2, 3):
            raise ModelError(
                f"Nodes: X must have a row of 2 or 3 numbers for each of {len(names)} names, got {X.shape}"
            )
        shapes = {"translation": (X.shape[1],), "rotation": (1 if X.shape[1] == 2 else 3,), "second_order": X.shape[1:]}
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "X", frozen(X))
        n = None
        for key, rows in shapes.items():
            given = getattr(self, key)
            if given is None and key != "translation":
                continue
            items = reals(given, f"Nodes: {key}", ModelError, finite=key != "rotation")
            n = items.shape[-1] if n is None and items.ndim else n
            wanted = (len(names), *rows, n) if key != "second_order" else (len(names), *rows, n, n)
            if items.shape != wanted:
                raise ModelError(
                    f"Nodes: {key} must have the shape {wanted} (nodes, components, modes), got {items.shape}"
                )
            object.__setattr__(self, key, frozen(items))

    def __len__(self) -> int:
        return len(self.names)

    def index(self, name: str) -> int:
        """Number of a node; an unknown name is answered with those that exist."""
        if not isinstance(name, str) or name not in self.names:
            raise ModelError(f"there is no node {shown(name)}; {suggestion(str(name), self.names)}")
        return self.names.index(name)

    def turns(self, k: int) -> bool:
        """Whether a node has a rotation."""
        k = whole(k, "Nodes: number of a node", ModelError, least=0, most=len(self) - 1)
        return self.rotation is not None and not bool(np.isnan(self.rotation[k]).any())


@dataclass(frozen=True)
class ElasticMode:
    """One row of a mode table.

    :param name: what the coordinate is called: ``rod.bending1``
    :param kind: such as "bending", "longitudinal", "torsion", "normal", "constraint", "attachment", "nodal"
    :param source: where it comes from: "clamped beam", "interface node 17, z"
    :param frequency: in rad/s; None: that of the mode alone, (K_jj/M_jj)^½
    """

    name: str
    kind: str = "mode"
    source: str = ""
    frequency: float | None = None

    def __post_init__(self) -> None:
        text(self.name, "Mode: name", ModelError)
        text(self.kind, f"mode '{self.name}': kind", ModelError)
        if self.frequency is not None and not real(self.frequency, f"mode '{self.name}': frequency", ModelError) >= 0.0:
            raise ModelError(f"mode '{self.name}': frequency must not be negative, got {self.frequency}")


@dataclass(frozen=True)
class FrameCondition:
    """What the body frame does when the body deforms.

    :param kind: "clamped": one node neither moves nor turns (tangent frame); "pinned": one does not move, a second
        stays in its direction from the first, in space a third in their plane where there is one, or the body does not
        twist about the line at the first (chord frame); "mean axes": no momentum of deformation (Buckens); "free":
        whatever the shapes say
    :param nodes: the names of the nodes
    """

    kind: str = "free"
    nodes: tuple[str, ...] = ()

    #: how many nodes each kind needs
    KINDS = {"clamped": (1,), "pinned": (2, 3), "mean axes": (0,), "free": (0,)}  # noqa: RUF012

    def __post_init__(self) -> None:
        if self.kind not in self.KINDS:
            raise ModelError(f"Reference: kind must be one of {', '.join(self.KINDS)}; got {self.kind!r}")
        object.__setattr__(self, "nodes", texts(self.nodes, "Reference: nodes", ModelError))
        if len(self.nodes) not in self.KINDS[self.kind]:
            counts = " or ".join(map(str, self.KINDS[self.kind]))
            raise ModelError(f"Reference '{self.kind}' needs {counts} nodes, got {len(self.nodes)}")

    def __str__(self) -> str:
        return self.kind + (f" at {', '.join(self.nodes)}" if self.nodes else "")


#: within this package the short names; those of the classes stand for nothing else anywhere
Mode = ElasticMode
Reference = FrameCondition


@dataclass(frozen=True, eq=False)
class Flexibility:
    """Shapes, stiffness, damping and inertia of a flexible body; frozen.

    :param gram: S = ∫ s sᵀ dm, of size 4 + 3n, in the plane 3 + 2n
    :param stiffness: K, n × n
    :param damping: D, n × n; zero unless given
    :param nodes: what markers, joints and forces can be attached to
    :param modes: a row for each mode, or names
    :param reference: what the shapes leave at rest; checked
    :param second_order: ∫ (1, X) Γ dm, of shape (1 + d, d, n, n) with d = 2 or 3: how the second-order displacement
        meets accelerations that are constant or linear in X; or minus the geometric stiffness for unit loads of these
        d (1 + d) kinds, per unit of acceleration.  None: no geometric stiffening
    :param cubic: symmetric tensor of the strain energy's third order, W = ½ qᵀKq + ⅙ Σ C_ijk q_i q_j q_k, or None
    :param outputs: rows that give quantities linear in q: section forces, stresses; by names, each n numbers
    :param edges: pairs of numbers of nodes, to draw the body
    :param faces: triples of numbers of nodes, to draw its surface
    :param name: of the data, for messages
    """

    gram: Reals
    stiffness: Reals
    damping: Reals = None  # type: ignore[assignment]  # zeros, once it is made
    nodes: Nodes = field(default_factory=lambda: Nodes((), np.zeros((0, 3)), np.zeros((0, 3, 0))))
    modes: tuple[Mode, ...] = ()
    reference: Reference = field(default_factory=Reference)
    second_order: Reals | None = None
    cubic: Reals | None = None
    outputs: Mapping[str, Any] = field(default_factory=dict)
    edges: tuple[tuple[int, ...], ...] = ()
    faces: tuple[tuple[int, ...], ...] = ()
    name: str = "body"

    def __post_init__(self) -> None:
        from dalembert.elastic.validity import check

        where = f"Flexibility '{text(self.name, 'Flexibility: name', ModelError)}'"
        K = reals(self.stiffness, f"{where}: stiffness", ModelError, finite=True)
        K = K.reshape(0, 0) if K.size == 0 else K
        S = reals(self.gram, f"{where}: gram", ModelError, ndim=2, finite=True)
        n = len(K)
        if K.shape != (n, n):
            raise ModelError(f"{where}: stiffness must be square, got the shape {K.shape}")
        if S.shape not in ((3 + 2 * n, 3 + 2 * n), (4 + 3 * n, 4 + 3 * n)):
            raise ModelError(
                f"{where}: gram must be of size {4 + 3 * n} (in the plane {3 + 2 * n}) with {n} modes, got {S.shape}"
            )
        put = object.__setattr__
        put(self, "stiffness", frozen(K))
        put(self, "gram", frozen(S))
        d = self.dimension
        D = np.zeros((n, n)) if self.damping is None else self.damping
        put(self, "damping", _shaped(D, (n, n), f"{where}: damping"))
        nodes = instance(self.nodes, Nodes, f"{where}: nodes", ModelError)
        if len(nodes) and (nodes.X.shape[1] != d or nodes.translation.shape[2] != n):
            raise ModelError(
                f"{where}: nodes have {nodes.X.shape[1]} coordinates and {nodes.translation.shape[2]} modes, where "
                f"there are {d} and {n}"
            )
        modes = listed(self.modes, f"{where}: modes", ModelError) or [f"q{j + 1}" for j in range(n)]
        table = tuple(one if isinstance(one, Mode) else Mode(one) for one in modes)
        same_length(where, ModelError, modes=table, rows=tuple(K))
        if len({mode.name for mode in table}) < n:
            raise ModelError(f"{where}: names of modes must differ, got {', '.join(mode.name for mode in table)}")
        put(self, "modes", table)
        instance(self.reference, Reference, f"{where}: reference", ModelError)
        for key, shape in (("second_order", (1 + d, d, n, n)), ("cubic", (n, n, n))):
            if getattr(self, key) is not None:
                put(self, key, _shaped(getattr(self, key), shape, f"{where}: {key}"))
        outputs = named(self.outputs, f"{where}: outputs", ModelError)
        put(self, "outputs", {key: _shaped(row, (n,), f"{where}: output '{key}'") for key, row in outputs.items()})
        for key, size in (("edges", 2), ("faces", 3)):
            put(self, key, _numbers(getattr(self, key), size, len(nodes), f"{where}: {key}"))
        check(self, where)

    # ------------------------------------------------------------------------------------------------ contractions

    @property
    def n(self) -> int:
        """Number of modes."""
        return len(self.stiffness)

    @property
    def dimension(self) -> int:
        """2 in the plane, 3 in space."""
        return 2 if len(self.gram) == 3 + 2 * self.n else 3

    @property
    def planar(self) -> bool:
        """Whether the body lives in a plane."""
        return self.dimension == 2

    @property
    def mass(self) -> float:
        """∫ dm."""
        return float(self.gram[0, 0])

    @cached_property
    def first_moment(self) -> Reals:
        """∫ X dm."""
        return self.gram[0, 1 : 1 + self.dimension]

    @property
    def com(self) -> Reals:
        """Centre of mass of the undeformed body."""
        return self.first_moment / self.mass

    @cached_property
    def second_moment(self) -> Reals:
        """∫ X Xᵀ dm."""
        d = self.dimension
        return self.gram[1 : 1 + d, 1 : 1 + d]

    @property
    def inertia(self) -> Reals:
        """Inertia (3, 3) of the undeformed body about its centre of mass; in the plane the moment about z alone."""
        S = self.second_moment - np.outer(self.first_moment, self.com)
        return np.diag([0.0, 0.0, np.trace(S)]) if self.planar else np.trace(S) * np.eye(3) - S

    @cached_property
    def shape_integral(self) -> Reals:
        """C_t = ∫ Φ dm, of shape (d, n)."""
        return np.ascontiguousarray(self._shapes_of(0).T)

    @cached_property
    def moment_integral(self) -> Reals:
        """∫ X_a φ_jb dm, of shape (d, d, n)."""
        return np.ascontiguousarray(np.stack([self._shapes_of(1 + a).T for a in range(self.dimension)]))

    @cached_property
    def product_integral(self) -> Reals:
        """∫ φ_ja φ_kb dm, of shape (d, d, n, n)."""
        d, n = self.dimension, self.n
        return np.ascontiguousarray(self.gram[1 + d :, 1 + d :].reshape(n, d, n, d).transpose(1, 3, 0, 2))

    @cached_property
    def modal_mass(self) -> Reals:
        """M_e = ∫ Φᵀ Φ dm."""
        return frozen(np.einsum("aajk->jk", self.product_integral))

    @cached_property
    def frame_mass(self) -> Reals:
        """Mass matrix of (v_0, ω, q̇) in the axes of the undeformed body, of size 6 + n; in the plane 3 + n."""
        d, m = self.dimension, self.mass
        turning = turning_matrices(d)  # (e_c × X)_b = Σ turning[c, b, a] X_a
        C_r = np.einsum("cba,abj->cj", turning, self.moment_integral)  # ∫ (e_c × X)·φ_j
        J = np.einsum("cia,eib,ab->ce", turning, turning, self.second_moment)
        d_rot = np.einsum("cia,a->ic", turning, self.first_moment)
        return np.block(
            [
                [m * np.eye(d), d_rot, self.shape_integral],
                [d_rot.T, J, C_r],
                [self.shape_integral.T, C_r.T, self.modal_mass],
            ]
        )

    def _shapes_of(self, row: int) -> Reals:
        """Entries of S that a field has with the shapes, of shape (n, d)."""
        return self.gram[row, 1 + self.dimension :].reshape(self.n, self.dimension)

    @cached_property
    def frequencies(self) -> Reals:
        """Eigenfrequencies of the body with its frame held, (K, M_e), in rad/s, ascending."""
        from scipy.linalg import eigh

        if not self.n:
            return np.zeros(0)
        found: Reals = np.sqrt(np.maximum(eigh(self.stiffness, self.modal_mass, eigvals_only=True), 0.0))
        return found

    @cached_property
    def free_frequencies(self) -> Reals:
        """Eigenfrequencies of the body in free flight, without the zeros of the rigid motions."""
        from scipy.linalg import eigh

        M = self.frame_mass
        K = np.zeros_like(M)
        r = len(M) - self.n
        K[r:, r:] = self.stiffness
        found: Reals = np.sqrt(np.maximum(eigh(K, M, eigvals_only=True), 0.0))[r:]
        return found

    # ---------------------------------------------------------------------------------------------------- other data

    def referred(self, reference: Reference) -> Flexibility:
        """The same body with another frame: Φ ← Φ − (its rigid part)."""
        from dalembert.elastic.reference import referred

        return referred(self, instance(reference, Reference, f"Flexibility '{self.name}': reference", ModelError))

    def with_damping(
        self, *, alpha: float = 0.0, beta: float = 0.0, ratios: Any = None, matrix: Any = None
    ) -> Flexibility:
        """Rayleigh damping αM + βK, ratios ζ of eigenmodes (one number, or one for each), a matrix, or their sum."""
        from dalembert.elastic.damping import damping_matrix

        return replace(self, damping=damping_matrix(self, alpha=alpha, beta=beta, ratios=ratios, matrix=matrix))

    def without_stiffening(self) -> Flexibility:
        """The same body without second-order displacements."""
        nodes = replace(self.nodes, second_order=None) if len(self.nodes) else self.nodes
        return replace(self, second_order=None, nodes=nodes)

    @property
    def table(self) -> str:
        """The modes line by line: name, kind, source, frequency alone, effective masses."""
        from dalembert.elastic.mode_table import mode_table

        return mode_table(self)

    def __str__(self) -> str:
        return self.table

    def __repr__(self) -> str:
        return f"<Flexibility '{self.name}': {self.n} modes, {len(self.nodes)} nodes, {self.reference}>"

    def save(self, path: Any) -> None:
        """Write everything to a file of NumPy arrays, ``.npz``."""
        from dalembert.elastic.flexibility_files import save

        save(self, path)

    @staticmethod
    def load(path: Any) -> Flexibility:
        """Read what :meth:`save` has written; nothing in the file is executed."""
        from dalembert.elastic.flexibility_files import load

        return load(path)


def turning_matrices(d: int) -> Reals:
    """Matrices of ω × · for unit ω: about z in the plane, about x, y, z in space; of shape (1 or 3, d, d)."""
    all_three = np.zeros((3, 3, 3))
    for c, (a, b) in enumerate(((1, 2), (2, 0), (0, 1))):
        all_three[c, b, a], all_three[c, a, b] = 1.0, -1.0
    return all_three if d == 3 else all_three[2:, :2, :2]


def _shaped(values: Any, shape: tuple[int, ...], what: str) -> Reals:
    items = reals(values, what, ModelError, finite=True)
    if items.shape != shape:
        raise ModelError(f"{what} must have the shape {shape}, got {items.shape}")
    return frozen(items)


def _numbers(values: Any, size: int, count: int, what: str) -> tuple[tuple[int, ...], ...]:
    found = []
    for one in listed(values, what, ModelError):
        numbers = tuple(int(k) for k in reals(one, what, ModelError, ndim=1))
        if len(numbers) != size or not all(0 <= k < count for k in numbers):
            raise ModelError(f"{what}: each must be {size} numbers of nodes below {count}, got {numbers}")
        found.append(numbers)
    return tuple(found)
