"""Accelerations and mass matrix of a tree on atoms, by the articulated-body and composite-rigid-body algorithms.

R. Featherstone, Rigid Body Dynamics Algorithms (RBDA), Springer 2008, tables 7.1 and 6.2, with accelerations of points,
as in H. Brandl, R. Johanni, M. Otter, IFAC Theory of Robots, Vienna 1986.  A frame is moved by the moment n and the
force f

    n = I α + H a + b_n,    f = Hᵀα + (M + m 1) a + b_f                                                       (1)

in its own axes and about its own origin.  M is what remains without the mass m that looks the same in all axes.  With
the free motions S v̇ of a joint, and R from the frame to its parent, where it stands at d:

    α = Rᵀα_p + κ + S_a v̇,    a = Rᵀ(a_p + α_p × d + ζ) + S_l v̇.                                             (2)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dalembert.equations.recursion.passes.algebra import (
    AXES,
    ZERO,
    Matrix,
    Vector,
    add,
    cross,
    dot,
    product,
    scaled,
    skew,
    times,
    transposed,
    transposed_times,
)
from dalembert.model.bodies.rigid import RigidBody
from dalembert.model.formulate.coordinate_layout import Carried, Pose
from dalembert.model.formulate.scene import Scene
from dalembert.model.frames import atoms_or_numbers, entry_is
from dalembert.model.joints.motions import Axis, Motion, Prescribed
from dalembert.symbolic import Atom, AtomArray, Base, Graph, array, time_derivative

CYCLIC = ((0, 1, 2), (1, 2, 0), (2, 0, 1))


@dataclass
class FreeDirection:
    """A free motion along constant directions: angular and linear part in the axes of the frame, place in v."""

    angular: Vector
    linear: Vector
    v: int

    @property
    def axis(self) -> int | None:
        """Number of the one axis it turns about (0 … 2) or slides along (3 … 5)."""
        both = [*self.angular, *self.linear]  # the pitch of a screw may be an expression of parameters
        left = [k for k, entry in enumerate(both) if not entry_is(entry, 0.0)]
        return left[0] if len(left) == 1 and entry_is(both[left[0]], 1.0) else None


@dataclass
class KnownMotion:
    """A motion along constant directions that is a function of time: velocity and acceleration as (angular, linear) in
    the axes of the frame."""

    velocity: tuple[Vector, Vector]
    acceleration: tuple[Vector, Vector]


@dataclass
class TreeFrame:
    """A frame of the tree, relative to its parent, with the body that may be fixed in it."""

    parent: int
    R: Matrix | None
    d: Vector
    free: list[FreeDirection]
    known: KnownMotion | None = None
    mass: Any = 0.0
    h: Vector = field(default_factory=lambda: list(ZERO))
    inertia: Matrix = field(default_factory=lambda: [list(ZERO) for _ in AXES])
    # Found on the way outwards: turning of the parent in own axes, κ, ζ and angular velocity.
    kappa: Vector = field(default_factory=lambda: list(ZERO))
    zeta: Vector = field(default_factory=lambda: list(ZERO))
    w: Vector = field(default_factory=lambda: list(ZERO))

    def to_parent(self, x: Vector) -> Vector:
        return x if self.R is None else times(self.R, x)

    def from_parent(self, x: Vector) -> Vector:
        return x if self.R is None else transposed_times(self.R, x)


@dataclass
class Inertia:
    """Coefficients of (1)."""

    I: Matrix
    H: Matrix
    M: Matrix
    m: Any
    n: Vector
    f: Vector


@dataclass
class Eliminated:
    """A free motion whose acceleration is (torque − U·(α, a)) / D."""

    free: FreeDirection
    U_n: Vector
    U_f: Vector
    inverse: Any
    torque: Any


def accelerations(scene: Scene, torques: AtomArray) -> AtomArray | None:
    """v̇ of a scene without constraints; ``torques``: generalised forces besides inertia and weight.  None where a free
    motion carries no inertia at all."""
    frames = tree_frames(scene)
    v = scene.inputs["v"]
    articulated = [_moving(frames, frame, v) for frame in frames]
    done: list[list[Eliminated]] = [[] for _ in frames]
    for k in reversed(range(len(frames))):
        frame, own = frames[k], articulated[k]
        for free in reversed(frame.free):
            eliminated_one = _eliminate(own, free, torques[free.v])
            if eliminated_one is None:
                return None
            done[k].append(eliminated_one)
        if frame.parent >= 0:
            _pass_on(frame, own, articulated[frame.parent])
    lift = [-g for g in atoms_or_numbers(scene.gravity)]
    found: list[Any] = [0.0] * len(v)
    reached: list[tuple[Vector, Vector]] = []
    for frame, eliminated in zip(frames, done, strict=True):
        alpha, a = (list(ZERO), lift) if frame.parent < 0 else reached[frame.parent]
        a = frame.from_parent(add(a, cross(alpha, frame.d), frame.zeta))
        alpha = add(frame.from_parent(alpha), frame.kappa)
        for one in reversed(eliminated):
            rate = (one.torque - dot(one.U_n, alpha) - dot(one.U_f, a)) * one.inverse
            found[one.free.v] = rate
            alpha, a = add(alpha, scaled(rate, one.free.angular)), add(a, scaled(rate, one.free.linear))
        reached.append((alpha, a))
    return array(found)


def mass_matrix(scene: Scene) -> AtomArray:
    """M of a scene, by the composite-rigid-body algorithm: RBDA table 6.2."""
    frames = tree_frames(scene)
    n = len(scene.inputs["v"])
    M = np.zeros((n, n), dtype=object)
    composite = [(frame.mass, frame.h, frame.inertia) for frame in frames]
    for k in reversed(range(len(frames))):
        frame = frames[k]
        m, h, I = composite[k]
        for i, free in enumerate(frame.free):
            # Moment and force that a unit acceleration of this motion takes.
            moment = add(times(I, free.angular), cross(h, free.linear))
            force = add(cross(free.angular, h), scaled(m, free.linear))
            _meet(M, free, frame.free[: i + 1], moment, force)
            inner = frame
            while inner.parent >= 0:
                force = inner.to_parent(force)
                moment = add(inner.to_parent(moment), cross(inner.d, force))
                inner = frames[inner.parent]
                _meet(M, free, inner.free, moment, force)
        if frame.parent >= 0:
            composite[frame.parent] = _joined(composite[frame.parent], frame, m, h, I)
    return array(M)


def _meet(M: Any, free: FreeDirection, others: Sequence[FreeDirection], moment: Vector, force: Vector) -> None:
    for other in others:
        entry = dot(other.angular, moment) + dot(other.linear, force)
        M[free.v, other.v] = M[other.v, free.v] = entry


def _joined(
    parent: tuple[Any, Vector, Matrix], frame: TreeFrame, m: Any, h: Vector, I: Matrix
) -> tuple[Any, Vector, Matrix]:
    """Mass, its first moment and inertia of the parent with those of what a frame carries."""
    h, d = frame.to_parent(h), frame.d
    I = I if frame.R is None else _turned(frame.R, I)
    # I + (2 h·d + m d·d) 1 − (h dᵀ + d hᵀ + m d dᵀ) is the inertia about the origin of the parent.
    twice = [h[i] * (2.0 * d[i]) + m * (d[i] * d[i]) for i in AXES]
    shifted: Matrix = [[0.0] * 3 for _ in AXES]
    for i, j, k in CYCLIC:
        shifted[i][i] = I[i][i] + (twice[j] + twice[k])
        shifted[i][j] = shifted[j][i] = I[i][j] - (h[i] * d[j] + h[j] * d[i] + m * (d[i] * d[j]))
    total = [add(row, other) for row, other in zip(parent[2], shifted, strict=True)]
    return parent[0] + m, add(parent[1], h, scaled(m, d)), total


# ---------------------------------------------------------------------------------------------------------- kinematics


def tree_frames(scene: Scene) -> list[TreeFrame]:
    """Frames of all free motions, parents first."""
    frames: list[TreeFrame] = []
    last: dict[str, int] = {scene.model.ground.name: -1}
    q = scene.inputs["q"]
    for carrier in scene.layout.order():
        if isinstance(carrier, Pose):
            _add_pose(scene, carrier, frames)
        else:
            _add_joint(scene, carrier, frames, last[carrier.parent.name], q)
        body = frames[-1]
        assert isinstance(carrier.body, RigidBody), "trees have rigid bodies only"
        mass, centre, tensor = carrier.body.inertia_at(scene)
        com = list(centre)
        about = (np.asarray(tensor) + mass * (np.dot(com, com) * np.eye(3) - np.outer(com, com))).tolist()
        body.mass, body.h, body.inertia = mass, scaled(mass, com), about
        last[carrier.body.name] = len(frames) - 1
    return frames


def _unit(k: int) -> Vector:
    return [1.0 if i == k else 0.0 for i in AXES]


def _add_pose(scene: Scene, pose: Pose, frames: list[TreeFrame]) -> None:
    q = scene.inputs["q"]
    if scene.planar:
        slides, turns = [0, 1], [2]
        position: Vector = [q[pose.q], q[pose.q + 1], 0.0]
    else:
        slides, turns = [0, 1, 2], [0, 1, 2]
        position = list(q[pose.q : pose.q + 3])
    frames.append(
        TreeFrame(-1, None, position, [FreeDirection(list(ZERO), _unit(k), pose.v + i) for i, k in enumerate(slides)])
    )
    R = scene.place(pose.body).base.R.tolist()
    free = [FreeDirection(_unit(k), list(ZERO), pose.v + len(slides) + i) for i, k in enumerate(turns)]
    frames.append(TreeFrame(len(frames) - 1, R, list(ZERO), free))


def _add_joint(scene: Scene, carrier: Carried, frames: list[TreeFrame], parent: int, q: AtomArray) -> None:
    joint = carrier.joint
    inner = joint.second if carrier.backwards else joint.first
    home = scene.place(inner.body)
    E = atoms_or_numbers(home.R @ scene.number(inner.R))
    d = list(atoms_or_numbers(home.R @ scene.number(inner.r) + home.r))
    way = _MatrixOnTheWay(scene.graph, None if np.array_equal(E, np.eye(3)) else E.tolist(), d)
    data, v = scene.motion_data(joint), scene.inputs["v"]
    motions = carrier.motions()
    for motion, i, k in motions:
        for step in motion.steps(q[i : i + motion.n_q], v[k : k + motion.n_v], data):
            step.move(way)
        directions = motion.directions(data)
        assert directions is not None, "trees have constant directions only"
        free = [FreeDirection(list(one.angular), list(one.linear), k + j) for j, one in enumerate(directions)]
        frames.append(TreeFrame(parent, way.R, way.d, free, _known(motion, data)))
        parent, way = len(frames) - 1, _MatrixOnTheWay(scene.graph, None, list(ZERO))
    if not motions:
        frames.append(TreeFrame(parent, way.R, way.d, []))


def _known(motion: Motion, data: Any) -> KnownMotion | None:
    """What a motion that is a function of time does by itself."""
    if not isinstance(motion, Prescribed):
        return None
    directions = motion.motion.directions(data)
    assert directions is not None, "trees have constant directions only"
    (direction,) = directions
    rate = motion.rate(data)
    growth = time_derivative(rate) if isinstance(rate, Atom) else 0.0
    velocity, acceleration = (
        (scaled(size, list(direction.angular)), scaled(size, list(direction.linear))) for size in (rate, growth)
    )
    return KnownMotion(velocity, acceleration)


@dataclass
class _MatrixOnTheWay:
    """Rotation and place of a frame that the steps of a motion move, relative to where it began."""

    graph: Graph
    R: Matrix | None
    d: Vector

    def slide(self, axis: Axis, distance: Any, rate: Any) -> None:
        shift = scaled(distance, [float(x) for x in axis])
        self.d = add(self.d, shift if self.R is None else times(self.R, shift))

    def turn(self, axis: Axis, angle: Any, rate: Any) -> None:
        self._turn_by(Base.root(self.graph, "joint frame").rotated("joint", axis, angle))

    def rotate(self, parameters: Any, angular_velocity: Any) -> None:
        self._turn_by(Base.root(self.graph, "joint frame").euler_parameters("joint", list(parameters)))

    def _turn_by(self, base: Base) -> None:
        turn: Matrix = base.R.tolist()
        self.R = turn if self.R is None else product(self.R, turn)


def _moving(frames: Sequence[TreeFrame], frame: TreeFrame, v: AtomArray) -> Inertia:
    """Velocities of a frame, and (1) for its body alone."""
    w_parent = list(ZERO) if frame.parent < 0 else frames[frame.parent].w
    own = frame.from_parent(w_parent)
    turning, sliding = (list(ZERO), list(ZERO)) if frame.known is None else frame.known.velocity
    for free in frame.free:
        turning, sliding = add(turning, scaled(v[free.v], free.angular)), add(sliding, scaled(v[free.v], free.linear))
    frame.w = add(own, turning)
    frame.kappa = cross(own, turning)
    W_parent = _centripetal(w_parent)
    frame.zeta = add(times(W_parent, frame.d), scaled(2.0, cross(w_parent, frame.to_parent(sliding))))
    if frame.known is not None:
        angular, linear = frame.known.acceleration
        frame.kappa, frame.zeta = add(frame.kappa, angular), add(frame.zeta, frame.to_parent(linear))
    w, I = frame.w, frame.inertia
    W = _centripetal(w)
    n = [
        (I[k][k] - I[j][j]) * (w[j] * w[k])
        + (I[k][i] * W[j][i] - I[i][j] * W[k][i])
        + I[j][k] * (w[j] * w[j] - w[k] * w[k])
        for i, j, k in CYCLIC
    ]
    nothing: Matrix = [list(ZERO) for _ in AXES]
    return Inertia([list(row) for row in I], skew(frame.h), nothing, frame.mass, n, times(W, frame.h))


def _centripetal(w: Vector) -> Matrix:
    """[w]×[w]×."""
    W: Matrix = [[0.0] * 3 for _ in AXES]
    for i, j, k in CYCLIC:
        W[i][i] = -(w[j] * w[j] + w[k] * w[k])
        W[i][j] = W[j][i] = w[i] * w[j]
    return W


# ------------------------------------------------------------------------------------------------------------ dynamics


def _eliminate(own: Inertia, free: FreeDirection, torque: Any) -> Eliminated | None:
    """Take the acceleration of a free motion out of (1)."""
    U_n = add(times(own.I, free.angular), times(own.H, free.linear))
    U_f = add(transposed_times(own.H, free.angular), add(times(own.M, free.linear), scaled(own.m, free.linear)))
    D = dot(free.angular, U_n) + dot(free.linear, U_f)
    if entry_is(D, 0.0):
        return None
    left = torque - dot(free.angular, own.n) - dot(free.linear, own.f)
    eliminated = Eliminated(free, U_n, U_f, 1.0 / D, left)
    _take_out(own, eliminated)
    _clear_axis(own, free.axis, torque)
    return eliminated


def _take_out(own: Inertia, one: Eliminated) -> None:
    """(1) without the acceleration of a free motion: I − U_n U_nᵀ/D and so on."""
    U_n, U_f = one.U_n, one.U_f
    n_d, f_d = scaled(one.inverse, U_n), scaled(one.inverse, U_f)
    axis = one.free.axis
    # The mass that looks the same in all axes does so no longer.
    if axis is None or axis > 2:
        for k in AXES:
            own.M[k][k] = own.M[k][k] + own.m
        own.m = 0.0
    own.I = _less(own.I, U_n, n_d)
    own.H = [[own.H[k][j] - n_d[k] * U_f[j] for j in AXES] for k in AXES]
    own.M = _less(own.M, U_f, f_d)
    own.n, own.f = add(own.n, scaled(one.torque, n_d)), add(own.f, scaled(one.torque, f_d))


def _less(S: Matrix, u: Vector, d: Vector) -> Matrix:
    """S − u dᵀ of a symmetric S, where d is parallel to u; of each pair of entries one is computed."""
    upper = [[S[k][j] - u[k] * d[j] if j >= k else 0.0 for j in AXES] for k in AXES]
    return [[upper[min(k, j)][max(k, j)] for j in AXES] for k in AXES]


def _clear_axis(own: Inertia, axis: int | None, torque: Any) -> None:
    """Along a free axis nothing resists but the torque: entries that express it vanish or are known."""
    if axis is not None and axis < 3:
        for j in AXES:
            own.I[axis][j] = own.I[j][axis] = own.H[axis][j] = 0.0
        own.n[axis] = torque
    elif axis is not None:
        for j in AXES:
            own.M[axis - 3][j] = own.M[j][axis - 3] = own.H[j][axis - 3] = 0.0
        own.f[axis - 3] = torque


def _pass_on(frame: TreeFrame, own: Inertia, parent: Inertia) -> None:
    """Add what is left of (1) to the parent's."""
    n_b = add(own.n, times(own.I, frame.kappa))
    f_b = add(own.f, transposed_times(own.H, frame.kappa))
    I, H, M = own.I, own.H, own.M
    if frame.R is not None:
        I, M = _turned(frame.R, I), _turned(frame.R, M)
        H = product(product(frame.R, H), transposed(frame.R))
    whole = [[M[k][j] + own.m if k == j else M[k][j] for j in AXES] for k in AXES]
    d = frame.d
    f_p = add(frame.to_parent(f_b), times(whole, frame.zeta))
    n_p = add(frame.to_parent(n_b), times(H, frame.zeta), cross(d, f_p))
    dM = transposed([cross(d, [whole[i][j] for i in AXES]) for j in AXES])
    H_p = [[H[k][j] + dM[k][j] for j in AXES] for k in AXES]
    first = [cross(d, H[j]) for j in AXES]
    second = [cross(d, H_p[k]) for k in AXES]
    for k in AXES:
        for j in range(k, 3):
            parent.I[k][j] = parent.I[k][j] + (I[k][j] + (first[j][k] + second[k][j]))
            parent.I[j][k] = parent.I[k][j]
            parent.M[k][j] = parent.M[k][j] + M[k][j]
            parent.M[j][k] = parent.M[k][j]
        for j in AXES:
            parent.H[k][j] = parent.H[k][j] + H_p[k][j]
    parent.m = parent.m + own.m
    parent.n, parent.f = add(parent.n, n_p), add(parent.f, f_p)


def _turned(R: Matrix, S: Matrix) -> Matrix:
    """R S Rᵀ of a symmetric S."""
    half = product(R, S)
    return [[dot(half[min(i, j)], R[max(i, j)]) for j in AXES] for i in AXES]
