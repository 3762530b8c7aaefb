"""Passes over a tree, as machine code for each kind of joint."""

from __future__ import annotations

import functools
from typing import Any

from dalembert.equations.recursion.passes.algebra import (
    AXES,
    Matrix,
    Vector,
    add,
    by_rows,
    cross,
    cross_columns,
    flat,
    full,
    packed,
    scaled,
    skew,
    subtract,
    times,
    transposed,
    transposed_times,
    turned,
)
from dalembert.equations.recursion.passes.words import PASS
from dalembert.equations.recursion.tree.joints import KINDS, Articulated, Frame, Free, Joint
from dalembert.equations.recursion.tree.point import Code, Point
from dalembert.equations.recursion.tree.record import constant, record

#: Passes in the order of their numbers; those whose names are in INWARD go from the leaves to the roots.
PASSES = tuple(name.lower() for name in PASS.meanings)
INWARD = frozenset({"inward", "gather", "join"})
#: Passes over links that carry bodies, all at once.
OVER_BODIES = frozenset({"bodies", "twists", "bias", "external"})


@functools.cache
def code(name: str, kind: str) -> Code:
    """Machine code of a pass; from the cache on disk if it is there."""
    point, joint = Point(), KINDS[kind]
    globals()[f"_{name}"](point, joint)
    return point.code(f"{name}_{kind}")


# ----------------------------------------------------------------------------------------------------------- kinematics


def _new_pose(point: Point, joint: Joint, parent: Vector) -> tuple[Frame, Vector]:
    """Frame and position of its origin."""
    frame = joint.pose(point, parent[record.P : record.P + 4], by_rows(parent[record.R : record.R + 9]))
    if isinstance(joint, Free):
        assert frame.B is not None
        point.write("own", record.JOINT, flat(frame.B))
    return frame, add(parent[record.POSITION : record.POSITION + 3], frame.d)


def _pose_values(frame: Frame, position: Vector) -> Vector:
    return [*frame.P, *flat(frame.R), *position, *frame.d]


def _pose(point: Point, joint: Joint) -> None:
    frame, position = _new_pose(point, joint, point.read("parent", record.P, record.D))
    point.write("own", record.P, _pose_values(frame, position))


def _new_motion(point: Point, joint: Joint, frame: Frame, w_parent: Vector) -> tuple[Vector, Vector, Vector, Vector]:
    """ω, κ, ζ of (2), and the velocity of the origin relative to that of the parent."""
    v = point.read("v", 0, joint.n_v) if joint.n_v else []
    angular, linear = joint.relative(point, frame, v)
    carried = cross(w_parent, frame.d)
    zeta = add(cross(w_parent, carried), scaled(2.0, cross(w_parent, linear)))
    return add(w_parent, angular), cross(w_parent, angular), zeta, add(carried, linear)


def _velocity(point: Point, joint: Joint) -> None:
    frame = joint.frame(point)
    w_parent, v_parent = point.read("parent", record.OMEGA, 3), point.read("parent", record.VELOCITY, 3)
    omega, kappa, zeta, relative = _new_motion(point, joint, frame, w_parent)
    point.write("own", record.OMEGA, [*omega, *kappa, *zeta, *add(v_parent, relative)])


# ----------------------------------------------------------------------------------------------------- articulated body


def _body(point: Point) -> tuple[Any, Vector, Vector]:
    constants = point.read("constants", constant.MASS, 10)
    return constants[0], constants[1:4], constants[4:]


def _new_articulated(point: Point, frame: Frame, omega: Vector) -> None:
    """(1) for the body of the link alone, in world axes."""
    m, h_body, I_body = _body(point)
    h, I = times(frame.R, h_body), turned(frame.R, I_body)
    n = cross(omega, times(full(I), omega))
    f = cross(omega, cross(omega, h))
    point.write("own", record.MOMENT, [*n, *f, *I, *flat(skew(h)), m, 0.0, 0.0, m, 0.0, m])


def _articulate(point: Point, joint: Joint) -> None:
    frame = joint.frame(point)
    _new_articulated(point, frame, point.read("own", record.OMEGA, 3))


def _start(point: Point, joint: Joint) -> None:
    """Pose, velocity and articulated inertia to start from, at once: what forward dynamics needs."""
    parent = point.read("parent", record.P, record.KAPPA)
    frame, position = _new_pose(point, joint, parent)
    omega, kappa, zeta, _ = _new_motion(point, joint, frame, parent[record.OMEGA :])
    point.write("own", record.P, [*_pose_values(frame, position), *omega, *kappa, *zeta])
    _new_articulated(point, frame, omega)


def _read_articulated(point: Point, base: str) -> Articulated:
    v = point.read(base, record.MOMENT, record.JOINT - record.MOMENT)
    return Articulated(v[6:12], by_rows(v[12:21]), v[21:], v[:3], v[3:6])


def _inward(point: Point, joint: Joint) -> None:
    """The joint's acceleration is eliminated, the rest goes to the parent."""
    frame = joint.frame(point)
    bias = point.read("own", record.KAPPA, 6)
    tau = point.read("right", 0, joint.n_v) if joint.n_v else []
    own, parent = _read_articulated(point, "own"), _read_articulated(point, "parent")
    left, kept = joint.inward(point, frame, own, tau, bias[:3], bias[3:])
    if kept:
        point.write("own", record.JOINT, kept)
    # About the origin of the parent, whose α adds α × d to a.
    d, M = frame.d, full(left.M)
    dM = cross_columns(d, M)
    H = [[left.H[i][j] + dM[i][j] for j in AXES] for i in AXES]
    # I + H_a [d]ᵀ + [d] Hᵀ; row i of H [d]ᵀ is d × (row i of H)
    Hd, dH = [cross(d, row) for row in left.H], transposed([cross(d, row) for row in H])
    I = full(left.I)
    I_sum = packed([[I[i][j] + (Hd[i][j] + dH[i][j]) for j in AXES] for i in AXES])
    n = add(left.n, cross(d, left.f))
    H_sum = add(flat(parent.H), flat(H))
    values = [*add(parent.n, n), *add(parent.f, left.f), *add(parent.I, I_sum), *H_sum, *add(parent.M, left.M)]
    point.write("parent", record.MOMENT, values)


def _carried(point: Point, frame: Frame) -> tuple[Vector, Vector]:
    """(2) without the joint's own acceleration."""
    bias, parent = point.read("own", record.KAPPA, 6), point.read("parent", record.ALPHA, 6)
    alpha = add(parent[:3], bias[:3])
    return alpha, add(parent[3:], cross(parent[:3], frame.d), bias[3:])


def _outward(point: Point, joint: Joint) -> None:
    frame = joint.frame(point)
    found, alpha, a = joint.outward(point, frame, *_carried(point, frame))
    point.write("own", record.ALPHA, [*alpha, *a])
    if found:
        point.write("right", 0, found)


# --------------------------------------------------------------------------------------------------------- Newton–Euler


def _new_wrench(point: Point, frame: Frame, omega: Vector, alpha: Vector, a: Vector) -> Vector:
    """Moment and force that the accelerations of the body take; rotational inertia in axes of the body."""
    m, h_body, I_body = _body(point)
    w_body, h = transposed_times(frame.R, omega), times(frame.R, h_body)
    I = full(I_body)
    spin = add(times(I, transposed_times(frame.R, alpha)), cross(w_body, times(I, w_body)))
    f = add(scaled(m, a), cross(alpha, h), cross(omega, cross(omega, h)))
    return [*add(times(frame.R, spin), cross(h, a)), *f]


def _accelerated(point: Point, joint: Joint, frame: Frame, alpha: Vector, a: Vector) -> tuple[Vector, Vector]:
    given = point.read("right", 0, joint.n_v) if joint.n_v else []
    angular, linear = joint.relative(point, frame, given)
    return add(alpha, angular), add(a, linear)


def _inertial(point: Point, joint: Joint) -> None:
    """Accelerations, and the wrenches that they take."""
    frame = joint.frame(point)
    alpha, a = _accelerated(point, joint, frame, *_carried(point, frame))
    point.write("own", record.ALPHA, [*alpha, *a])
    point.write("own", record.MOMENT, _new_wrench(point, frame, point.read("own", record.OMEGA, 3), alpha, a))


def _inverse(point: Point, joint: Joint) -> None:
    """Pose, velocities, accelerations and wrenches at once: what inverse dynamics needs."""
    parent = point.read("parent", record.P, record.KAPPA)
    before = point.read("parent", record.ALPHA, 6)
    frame, position = _new_pose(point, joint, parent)
    omega, kappa, zeta, _ = _new_motion(point, joint, frame, parent[record.OMEGA :])
    a = add(before[3:], cross(before[:3], frame.d), zeta)
    alpha, a = _accelerated(point, joint, frame, add(before[:3], kappa), a)
    point.write("own", record.P, [*_pose_values(frame, position), *omega, *kappa, *zeta])
    point.write("own", record.ALPHA, [*alpha, *a, *_new_wrench(point, frame, omega, alpha, a)])


def _gather(point: Point, joint: Joint) -> None:
    """Wrenches go to the parent; what the joint feels of them is left in place of its accelerations."""
    frame = joint.frame(point)
    own, parent = point.read("own", record.MOMENT, 6), point.read("parent", record.MOMENT, 6)
    n, f = own[:3], own[3:]
    point.write("parent", record.MOMENT, add(parent, [*add(n, cross(frame.d, f)), *f]))
    if joint.n_v:
        point.write("right", 0, joint.forces(point, frame, n, f))


# ----------------------------------------------------------------------------------------- bodies and external wrenches


def _arm(point: Point, R: Matrix) -> Vector:
    """From the origin to the centre of mass."""
    return times(R, point.read("constants", constant.CENTRE, 3))


def _bodies(point: Point, joint: Joint) -> None:
    """Positions of centres of mass and Euler parameters."""
    values = point.read("own", record.P, record.D)
    c = _arm(point, by_rows(values[record.R : record.R + 9]))
    point.write("X", 0, [*add(values[record.POSITION :], c), *values[:4]])


def _twists(point: Point, joint: Joint) -> None:
    """Velocities of centres of mass, and angular velocities in axes of the bodies."""
    R = by_rows(point.read("own", record.R, 9))
    omega, v = point.read("own", record.OMEGA, 3), point.read("own", record.VELOCITY, 3)
    point.write("twist", 0, [*add(v, cross(omega, _arm(point, R))), *transposed_times(R, omega)])


def _bias(point: Point, joint: Joint) -> None:
    """The same for accelerations."""
    R = by_rows(point.read("own", record.R, 9))
    omega, acceleration = point.read("own", record.OMEGA, 3), point.read("own", record.ALPHA, 6)
    alpha, a, c = acceleration[:3], acceleration[3:], _arm(point, R)
    linear = add(a, cross(alpha, c), cross(omega, cross(omega, c)))
    point.write("bias", 0, [*linear, *transposed_times(R, alpha)])


def _external(point: Point, joint: Joint) -> None:
    """Joints need less where forces act: at the centre of mass in world axes, moments in axes of the body."""
    R = by_rows(point.read("own", record.R, 9))
    given, own = point.read("wrench", 0, 6), point.read("own", record.MOMENT, 6)
    f = given[:3]
    n = add(times(R, given[3:]), cross(_arm(point, R), f))
    point.write("own", record.MOMENT, subtract(own, [*n, *f]))


def _columns(point: Point, joint: Joint) -> None:
    """Columns of S: what each velocity moves, angular and linear."""
    frame = joint.frame(point)
    for k in range(joint.n_v):
        unit = [1.0 if i == k else 0.0 for i in range(joint.n_v)]
        angular, linear = joint.relative(point, frame, unit)
        point.write("columns", 6 * k, [*angular, *linear])


# ---------------------------------------------------------------------------------------------------------- mass matrix


def _compose(point: Point, joint: Joint) -> None:
    """Mass, its moment and inertia of the body alone."""
    R = by_rows(point.read("own", record.R, 9))
    m, h, I = _body(point)
    point.write("composite", 0, [m, *times(R, h), *turned(R, I)])


def _join(point: Point, joint: Joint) -> None:
    """Added to those of the parent."""
    d = point.read("own", record.D, 3)
    own, parent = point.read("composite", 0, 10), point.read("parent composite", 0, 10)
    m, h, I = own[0], own[1:4], own[4:]
    md = scaled(m, d)
    h_sum = add(h, md)
    # I − [h][d] − [d][h + m d] = I + (h·d) 1 − d hᵀ + (d·(h + m d)) 1 − (h + m d) dᵀ
    trace = sum(d[k] * (h[k] + h_sum[k]) for k in AXES)
    entries = full(I)
    shifted = packed(
        [[entries[i][j] - (d[i] * h[j] + h_sum[i] * d[j]) + (trace if i == j else 0.0) for j in AXES] for i in AXES]
    )
    point.write("parent composite", 0, add(parent, [m, *h_sum, *shifted]))
