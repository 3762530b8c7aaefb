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
from dalembert.equations.recursion.tree.joint_kinds import KINDS, Articulated, FreeKind, JointKind, LinkFrame
from dalembert.equations.recursion.tree.record import constant, record
from dalembert.equations.recursion.tree.step_atoms import Code, StepAtoms

#: Passes in the order of their numbers; those whose names are in INWARD go from the leaves to the roots.
PASSES = tuple(name.lower() for name in PASS.meanings)
INWARD = frozenset({"inward", "gather", "join"})
#: Passes over links that carry bodies, all at once.
OVER_BODIES = frozenset({"bodies", "twists", "bias", "external"})


@functools.cache
def code(name: str, kind: str) -> Code:
    """Machine code of a pass; from the cache on disk if it is there."""
    step, joint = StepAtoms(), KINDS[kind]
    globals()[f"_{name}"](step, joint)
    return step.code(f"{name}_{kind}")


# ----------------------------------------------------------------------------------------------------------- kinematics


def _new_pose(step: StepAtoms, joint: JointKind, parent: Vector) -> tuple[LinkFrame, Vector]:
    """Frame and position of its origin."""
    frame = joint.pose(step, parent[record.P : record.P + 4], by_rows(parent[record.R : record.R + 9]))
    if isinstance(joint, FreeKind):
        assert frame.B is not None
        step.write("own", record.JOINT, flat(frame.B))
    return frame, add(parent[record.POSITION : record.POSITION + 3], frame.d)


def _pose_values(frame: LinkFrame, position: Vector) -> Vector:
    return [*frame.P, *flat(frame.R), *position, *frame.d]


def _pose(step: StepAtoms, joint: JointKind) -> None:
    frame, position = _new_pose(step, joint, step.read("parent", record.P, record.D))
    step.write("own", record.P, _pose_values(frame, position))


def _new_motion(
    step: StepAtoms, joint: JointKind, frame: LinkFrame, w_parent: Vector
) -> tuple[Vector, Vector, Vector, Vector]:
    """ω, κ, ζ of (2), and the velocity of the origin relative to that of the parent."""
    v = step.read("v", 0, joint.n_v) if joint.n_v else []
    angular, linear = joint.relative(step, frame, v)
    carried = cross(w_parent, frame.d)
    zeta = add(cross(w_parent, carried), scaled(2.0, cross(w_parent, linear)))
    return add(w_parent, angular), cross(w_parent, angular), zeta, add(carried, linear)


def _velocity(step: StepAtoms, joint: JointKind) -> None:
    frame = joint.frame(step)
    w_parent, v_parent = step.read("parent", record.OMEGA, 3), step.read("parent", record.VELOCITY, 3)
    omega, kappa, zeta, relative = _new_motion(step, joint, frame, w_parent)
    step.write("own", record.OMEGA, [*omega, *kappa, *zeta, *add(v_parent, relative)])


# ----------------------------------------------------------------------------------------------------- articulated body


def _body(step: StepAtoms) -> tuple[Any, Vector, Vector]:
    constants = step.read("constants", constant.MASS, 10)
    return constants[0], constants[1:4], constants[4:]


def _new_articulated(step: StepAtoms, frame: LinkFrame, omega: Vector) -> None:
    """(1) for the body of the link alone, in world axes."""
    m, h_body, I_body = _body(step)
    h, I = times(frame.R, h_body), turned(frame.R, I_body)
    n = cross(omega, times(full(I), omega))
    f = cross(omega, cross(omega, h))
    step.write("own", record.MOMENT, [*n, *f, *I, *flat(skew(h)), m, 0.0, 0.0, m, 0.0, m])


def _articulate(step: StepAtoms, joint: JointKind) -> None:
    frame = joint.frame(step)
    _new_articulated(step, frame, step.read("own", record.OMEGA, 3))


def _start(step: StepAtoms, joint: JointKind) -> None:
    """Pose, velocity and articulated inertia to start from, at once: what forward dynamics needs."""
    parent = step.read("parent", record.P, record.KAPPA)
    frame, position = _new_pose(step, joint, parent)
    omega, kappa, zeta, _ = _new_motion(step, joint, frame, parent[record.OMEGA :])
    step.write("own", record.P, [*_pose_values(frame, position), *omega, *kappa, *zeta])
    _new_articulated(step, frame, omega)


def _read_articulated(step: StepAtoms, base: str) -> Articulated:
    v = step.read(base, record.MOMENT, record.JOINT - record.MOMENT)
    return Articulated(v[6:12], by_rows(v[12:21]), v[21:], v[:3], v[3:6])


def _inward(step: StepAtoms, joint: JointKind) -> None:
    """The joint's acceleration is eliminated, the rest goes to the parent."""
    frame = joint.frame(step)
    bias = step.read("own", record.KAPPA, 6)
    tau = step.read("right", 0, joint.n_v) if joint.n_v else []
    own, parent = _read_articulated(step, "own"), _read_articulated(step, "parent")
    left, kept = joint.inward(step, frame, own, tau, bias[:3], bias[3:])
    if kept:
        step.write("own", record.JOINT, kept)
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
    step.write("parent", record.MOMENT, values)


def _carried(step: StepAtoms, frame: LinkFrame) -> tuple[Vector, Vector]:
    """(2) without the joint's own acceleration."""
    bias, parent = step.read("own", record.KAPPA, 6), step.read("parent", record.ALPHA, 6)
    alpha = add(parent[:3], bias[:3])
    return alpha, add(parent[3:], cross(parent[:3], frame.d), bias[3:])


def _outward(step: StepAtoms, joint: JointKind) -> None:
    frame = joint.frame(step)
    found, alpha, a = joint.outward(step, frame, *_carried(step, frame))
    step.write("own", record.ALPHA, [*alpha, *a])
    if found:
        step.write("right", 0, found)


# --------------------------------------------------------------------------------------------------------- Newton–Euler


def _new_wrench(step: StepAtoms, frame: LinkFrame, omega: Vector, alpha: Vector, a: Vector) -> Vector:
    """Moment and force that the accelerations of the body take; rotational inertia in axes of the body."""
    m, h_body, I_body = _body(step)
    w_body, h = transposed_times(frame.R, omega), times(frame.R, h_body)
    I = full(I_body)
    spin = add(times(I, transposed_times(frame.R, alpha)), cross(w_body, times(I, w_body)))
    f = add(scaled(m, a), cross(alpha, h), cross(omega, cross(omega, h)))
    return [*add(times(frame.R, spin), cross(h, a)), *f]


def _accelerated(
    step: StepAtoms, joint: JointKind, frame: LinkFrame, alpha: Vector, a: Vector
) -> tuple[Vector, Vector]:
    given = step.read("right", 0, joint.n_v) if joint.n_v else []
    angular, linear = joint.relative(step, frame, given)
    return add(alpha, angular), add(a, linear)


def _inertial(step: StepAtoms, joint: JointKind) -> None:
    """Accelerations, and the wrenches that they take."""
    frame = joint.frame(step)
    alpha, a = _accelerated(step, joint, frame, *_carried(step, frame))
    step.write("own", record.ALPHA, [*alpha, *a])
    step.write("own", record.MOMENT, _new_wrench(step, frame, step.read("own", record.OMEGA, 3), alpha, a))


def _inverse(step: StepAtoms, joint: JointKind) -> None:
    """Pose, velocities, accelerations and wrenches at once: what inverse dynamics needs."""
    parent = step.read("parent", record.P, record.KAPPA)
    before = step.read("parent", record.ALPHA, 6)
    frame, position = _new_pose(step, joint, parent)
    omega, kappa, zeta, _ = _new_motion(step, joint, frame, parent[record.OMEGA :])
    a = add(before[3:], cross(before[:3], frame.d), zeta)
    alpha, a = _accelerated(step, joint, frame, add(before[:3], kappa), a)
    step.write("own", record.P, [*_pose_values(frame, position), *omega, *kappa, *zeta])
    step.write("own", record.ALPHA, [*alpha, *a, *_new_wrench(step, frame, omega, alpha, a)])


def _gather(step: StepAtoms, joint: JointKind) -> None:
    """Wrenches go to the parent; what the joint feels of them is left in place of its accelerations."""
    frame = joint.frame(step)
    own, parent = step.read("own", record.MOMENT, 6), step.read("parent", record.MOMENT, 6)
    n, f = own[:3], own[3:]
    step.write("parent", record.MOMENT, add(parent, [*add(n, cross(frame.d, f)), *f]))
    if joint.n_v:
        step.write("right", 0, joint.forces(step, frame, n, f))


# ----------------------------------------------------------------------------------------- bodies and external wrenches


def _arm(step: StepAtoms, R: Matrix) -> Vector:
    """From the origin to the centre of mass."""
    return times(R, step.read("constants", constant.CENTRE, 3))


def _bodies(step: StepAtoms, joint: JointKind) -> None:
    """Positions of centres of mass and Euler parameters."""
    values = step.read("own", record.P, record.D)
    c = _arm(step, by_rows(values[record.R : record.R + 9]))
    step.write("X", 0, [*add(values[record.POSITION :], c), *values[:4]])


def _twists(step: StepAtoms, joint: JointKind) -> None:
    """Velocities of centres of mass, and angular velocities in axes of the bodies."""
    R = by_rows(step.read("own", record.R, 9))
    omega, v = step.read("own", record.OMEGA, 3), step.read("own", record.VELOCITY, 3)
    step.write("twist", 0, [*add(v, cross(omega, _arm(step, R))), *transposed_times(R, omega)])


def _bias(step: StepAtoms, joint: JointKind) -> None:
    """Accelerations of centres of mass, and angular accelerations in axes of the bodies."""
    R = by_rows(step.read("own", record.R, 9))
    omega, acceleration = step.read("own", record.OMEGA, 3), step.read("own", record.ALPHA, 6)
    alpha, a, c = acceleration[:3], acceleration[3:], _arm(step, R)
    linear = add(a, cross(alpha, c), cross(omega, cross(omega, c)))
    step.write("bias", 0, [*linear, *transposed_times(R, alpha)])


def _external(step: StepAtoms, joint: JointKind) -> None:
    """Joints need less where forces act: at the centre of mass in world axes, moments in axes of the body."""
    R = by_rows(step.read("own", record.R, 9))
    given, own = step.read("wrench", 0, 6), step.read("own", record.MOMENT, 6)
    f = given[:3]
    n = add(times(R, given[3:]), cross(_arm(step, R), f))
    step.write("own", record.MOMENT, subtract(own, [*n, *f]))


def _columns(step: StepAtoms, joint: JointKind) -> None:
    """Columns of S: what each velocity moves, angular and linear."""
    frame = joint.frame(step)
    for k in range(joint.n_v):
        unit = [1.0 if i == k else 0.0 for i in range(joint.n_v)]
        angular, linear = joint.relative(step, frame, unit)
        step.write("columns", 6 * k, [*angular, *linear])


# ---------------------------------------------------------------------------------------------------------- mass matrix


def _compose(step: StepAtoms, joint: JointKind) -> None:
    """Mass, its moment and inertia of the body alone."""
    R = by_rows(step.read("own", record.R, 9))
    m, h, I = _body(step)
    step.write("composite", 0, [m, *times(R, h), *turned(R, I)])


def _join(step: StepAtoms, joint: JointKind) -> None:
    """Added to those of the parent."""
    d = step.read("own", record.D, 3)
    own, parent = step.read("composite", 0, 10), step.read("parent composite", 0, 10)
    m, h, I = own[0], own[1:4], own[4:]
    md = scaled(m, d)
    h_sum = add(h, md)
    # I − [h][d] − [d][h + m d] = I + (h·d) 1 − d hᵀ + (d·(h + m d)) 1 − (h + m d) dᵀ
    trace = sum(d[k] * (h[k] + h_sum[k]) for k in AXES)
    entries = full(I)
    shifted = packed(
        [[entries[i][j] - (d[i] * h[j] + h_sum[i] * d[j]) + (trace if i == j else 0.0) for j in AXES] for i in AXES]
    )
    step.write("parent composite", 0, add(parent, [m, *h_sum, *shifted]))
