"""Kinds of joints on atoms: how each moves its link, and how it passes on inertia and forces.

The recursions are those of

    R. Featherstone: *Rigid Body Dynamics Algorithms*, Springer 2008 ("RBDA"), tables 5.1 and 7.1,

written for accelerations of points, as in H. Brandl, R. Johanni, M. Otter, *A very efficient algorithm for the
simulation of robots and similar multibody systems without inversion of the mass matrix*, 1986, in world axes and about
the origins of the links.  A link is moved by n (moment) and f (force) with

    n = I α + H a + b_n,    f = Hᵀα + M a + b_f                                                                (1)

where α and a are the accelerations of its frame, I, H, M its articulated inertia, b its bias.  With the acceleration of
the parent, and the one of the joint S v̇,

    α = α_p + κ + S_a v̇,    a = a_p + α_p × d + ζ + S_l v̇.                                                    (2)
"""

from __future__ import annotations

from dataclasses import dataclass

from dalembert.equations.recursion.passes.algebra import (
    AXES,
    ZERO,
    Matrix,
    Vector,
    add,
    by_rows,
    column,
    composed,
    dot,
    flat,
    full,
    inverse,
    packed,
    product,
    rotation,
    scaled,
    subtract,
    times,
    transposed,
    transposed_times,
)
from dalembert.equations.recursion.tree.record import constant, record
from dalembert.equations.recursion.tree.step_atoms import StepAtoms
from dalembert.symbolic import sqrt

#: Half angles and their functions stand in groups of four: sines, then cosines.
COSINE = 4


@dataclass
class LinkFrame:
    """Pose of a link: Euler parameters, rotation matrix, offset from the parent; ``B``: axes of the joint on the
    parent, where they are needed besides."""

    P: Vector
    R: Matrix
    d: Vector
    B: Matrix | None = None


@dataclass
class Articulated:
    """Coefficients of (1): I and M have six entries."""

    I: Vector
    H: Matrix
    M: Vector
    n: Vector
    f: Vector


class JointKind:
    """A kind of joint; this one lets nothing move."""

    name = "fixed"
    n_q = 0
    n_v = 0
    angle = False  # whether the coordinate is an angle, of which sine and cosine are needed
    parameters = 0  # place of Euler parameters among its coordinates
    has_parameters = False
    kept = 0  # entries that it keeps between the passes

    # ---------------------------------------------------------------------------------------------------- kinematics

    def placed(self, step: StepAtoms, parent: Vector) -> tuple[Vector, Vector]:
        """Euler parameters of the joint's frame on the parent, and the offset in axes of the parent."""
        constants = step.read("constants", constant.PLACEMENT, 7)
        return composed(parent, constants[:4]), constants[4:]

    def pose(self, step: StepAtoms, parent: Vector, R_parent: Matrix) -> LinkFrame:
        """Frame of the link from that of its parent."""
        P, r = self.placed(step, parent)
        return LinkFrame(P, rotation(P), times(R_parent, r))

    def frame(self, step: StepAtoms) -> LinkFrame:
        """The frame as it was computed before."""
        values = step.read("own", record.P, record.OMEGA)
        return LinkFrame(values[:4], by_rows(values[record.R : record.R + 9]), values[record.D : record.D + 3])

    def relative(self, step: StepAtoms, frame: LinkFrame, x: Vector) -> tuple[Vector, Vector]:
        """S x: angular and linear velocity (or acceleration) that the joint adds."""
        return ZERO, ZERO

    def forces(self, step: StepAtoms, frame: LinkFrame, n: Vector, f: Vector) -> Vector:
        """Sᵀ (n, f)."""
        return []

    # ------------------------------------------------------------------------------------------------------ dynamics

    def inward(
        self, step: StepAtoms, frame: LinkFrame, own: Articulated, tau: Vector, kappa: Vector, zeta: Vector
    ) -> tuple[Articulated, Vector]:
        """What remains of (1) without the joint's own acceleration, still about the own origin; and what is kept."""
        I, H, M = full(own.I), own.H, full(own.M)
        n = add(own.n, times(I, kappa), times(H, zeta))
        f = add(own.f, transposed_times(H, kappa), times(M, zeta))
        return Articulated(own.I, own.H, own.M, n, f), []

    def outward(self, step: StepAtoms, frame: LinkFrame, alpha: Vector, a: Vector) -> tuple[Vector, Vector, Vector]:
        """Accelerations of the joint and of the link, from (2) without S v̇."""
        return [], alpha, a


class _OneDof(JointKind):
    """Joint with one coordinate, about or along its z axis."""

    n_q = n_v = 1
    kept = 8

    def columns(self, step: StepAtoms, frame: LinkFrame) -> tuple[Vector, Vector]:
        raise NotImplementedError

    def relative(self, step: StepAtoms, frame: LinkFrame, x: Vector) -> tuple[Vector, Vector]:
        angular, linear = self.columns(step, frame)
        return scaled(x[0], angular), scaled(x[0], linear)

    def forces(self, step: StepAtoms, frame: LinkFrame, n: Vector, f: Vector) -> Vector:
        angular, linear = self.columns(step, frame)
        return [dot(angular, n) + dot(linear, f)]

    def inward(
        self, step: StepAtoms, frame: LinkFrame, own: Articulated, tau: Vector, kappa: Vector, zeta: Vector
    ) -> tuple[Articulated, Vector]:
        angular, linear = self.columns(step, frame)
        I, H, M = full(own.I), own.H, full(own.M)
        U_n = add(times(I, angular), times(H, linear))
        U_f = add(transposed_times(H, angular), times(M, linear))
        inverse_D = 1.0 / (dot(angular, U_n) + dot(linear, U_f))
        free = (tau[0] - dot(angular, own.n) - dot(linear, own.f)) * inverse_D
        n_d, f_d = scaled(inverse_D, U_n), scaled(inverse_D, U_f)
        I_a = packed([[I[k][j] - U_n[k] * n_d[j] for j in AXES] for k in AXES])
        H_a = [[H[k][j] - n_d[k] * U_f[j] for j in AXES] for k in AXES]
        M_a = packed([[M[k][j] - U_f[k] * f_d[j] for j in AXES] for k in AXES])
        n = add(own.n, times(full(I_a), kappa), times(H_a, zeta), scaled(free, U_n))
        f = add(own.f, transposed_times(H_a, kappa), times(full(M_a), zeta), scaled(free, U_f))
        return Articulated(I_a, H_a, M_a, n, f), [*n_d, *f_d, free]

    def outward(self, step: StepAtoms, frame: LinkFrame, alpha: Vector, a: Vector) -> tuple[Vector, Vector, Vector]:
        kept = step.read("own", record.JOINT, 7)
        found = kept[6] - dot(kept[:3], alpha) - dot(kept[3:6], a)
        angular, linear = self.columns(step, frame)
        return [found], add(alpha, scaled(found, angular)), add(a, scaled(found, linear))


class RevoluteKind(_OneDof):
    """Turns about z; the sine and cosine of half the angle are computed for all joints together."""

    name = "revolute"
    angle = True

    def placed(self, step: StepAtoms, parent: Vector) -> tuple[Vector, Vector]:
        constants = step.read("constants", constant.PLACEMENT, 7)
        group = step.read("sines", 0, COSINE + 1)
        s, c = group[0], group[COSINE]
        e = constants[:4]
        turned = [e[0] * c - e[3] * s, e[1] * c + e[2] * s, e[2] * c - e[1] * s, e[3] * c + e[0] * s]
        return composed(parent, turned), constants[4:]

    def columns(self, step: StepAtoms, frame: LinkFrame) -> tuple[Vector, Vector]:
        return column(frame.R, 2), ZERO


class PrismaticKind(_OneDof):
    """Moves along z."""

    name = "prismatic"

    def pose(self, step: StepAtoms, parent: Vector, R_parent: Matrix) -> LinkFrame:
        P, r = self.placed(step, parent)
        R = rotation(P)
        (q,) = step.read("q", 0, 1)
        return LinkFrame(P, R, add(times(R_parent, r), scaled(q, column(R, 2))))

    def columns(self, step: StepAtoms, frame: LinkFrame) -> tuple[Vector, Vector]:
        return ZERO, column(frame.R, 2)


class ScrewKind(RevoluteKind):
    """Turns about z and moves along it: the pitch is a length per radian."""

    name = "screw"

    def pose(self, step: StepAtoms, parent: Vector, R_parent: Matrix) -> LinkFrame:
        P, r = self.placed(step, parent)
        R = rotation(P)
        (q,) = step.read("q", 0, 1)
        (pitch,) = step.read("constants", constant.PITCH, 1)
        return LinkFrame(P, R, add(times(R_parent, r), scaled(q * pitch, column(R, 2))))

    def columns(self, step: StepAtoms, frame: LinkFrame) -> tuple[Vector, Vector]:
        z = column(frame.R, 2)
        (pitch,) = step.read("constants", constant.PITCH, 1)
        return z, scaled(pitch, z)


def _unit(p: Vector) -> Vector:
    """Euler parameters divided by their length: lengths drift within a step."""
    scale = 1.0 / sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3])
    return scaled(scale, p)


class SphericalKind(JointKind):
    """Turns freely; coordinates are Euler parameters, velocities the angular velocity in axes of the link."""

    name = "spherical"
    n_q, n_v, kept = 4, 3, 12
    has_parameters = True

    def placed(self, step: StepAtoms, parent: Vector) -> tuple[Vector, Vector]:
        P, r = super().placed(step, parent)
        return composed(P, _unit(step.read("q", 0, 4))), r

    def relative(self, step: StepAtoms, frame: LinkFrame, x: Vector) -> tuple[Vector, Vector]:
        return times(frame.R, x), ZERO

    def forces(self, step: StepAtoms, frame: LinkFrame, n: Vector, f: Vector) -> Vector:
        return transposed_times(frame.R, n)

    def inward(
        self, step: StepAtoms, frame: LinkFrame, own: Articulated, tau: Vector, kappa: Vector, zeta: Vector
    ) -> tuple[Articulated, Vector]:
        # With S_a = 1 in world axes all that the joint passes on of moments is its own torque.
        torque = times(frame.R, tau)
        I_inverse = full(inverse(own.I))
        K = product(I_inverse, own.H)
        free = times(I_inverse, subtract(torque, own.n))
        M = full(own.M)
        HK = product(transposed(own.H), K)
        M_a = packed([[M[k][j] - HK[k][j] for j in AXES] for k in AXES])
        f = add(own.f, times(full(M_a), zeta), transposed_times(own.H, free))
        nothing = [0.0] * 6
        return Articulated(nothing, [ZERO, ZERO, ZERO], M_a, torque, f), [*flat(K), *free]

    def outward(self, step: StepAtoms, frame: LinkFrame, alpha: Vector, a: Vector) -> tuple[Vector, Vector, Vector]:
        kept = step.read("own", record.JOINT, 12)
        found = subtract(kept[9:], times(by_rows(kept), a))  # α of the link
        return transposed_times(frame.R, subtract(found, alpha)), found, a


class FreeKind(JointKind):
    """Moves freely: coordinates are position in axes of the joint's frame on the parent and Euler parameters,
    velocities the rates of this position and the angular velocity in axes of the link."""

    name = "free"
    n_q, n_v, kept = 7, 6, 15
    parameters = 3
    has_parameters = True

    def pose(self, step: StepAtoms, parent: Vector, R_parent: Matrix) -> LinkFrame:
        on_parent, r = self.placed(step, parent)
        B = rotation(on_parent)
        q = step.read("q", 0, 7)
        P = composed(on_parent, _unit(q[3:]))
        return LinkFrame(P, rotation(P), add(times(R_parent, r), times(B, q[:3])), B)

    def frame(self, step: StepAtoms) -> LinkFrame:
        found = super().frame(step)
        found.B = by_rows(step.read("own", record.JOINT, 9))
        return found

    def relative(self, step: StepAtoms, frame: LinkFrame, x: Vector) -> tuple[Vector, Vector]:
        assert frame.B is not None
        return times(frame.R, x[3:]), times(frame.B, x[:3])

    def forces(self, step: StepAtoms, frame: LinkFrame, n: Vector, f: Vector) -> Vector:
        assert frame.B is not None
        return [*transposed_times(frame.B, f), *transposed_times(frame.R, n)]

    def inward(
        self, step: StepAtoms, frame: LinkFrame, own: Articulated, tau: Vector, kappa: Vector, zeta: Vector
    ) -> tuple[Articulated, Vector]:
        # Nothing but the forces of the joint itself passes; (1) determines the accelerations of the link.
        assert frame.B is not None
        force, torque = times(frame.B, tau[:3]), times(frame.R, tau[3:])
        M_inverse = full(inverse(own.M))
        u_n, u_f = subtract(torque, own.n), subtract(force, own.f)
        K = product(own.H, M_inverse)
        I, KH = full(own.I), product(K, transposed(own.H))
        S = packed([[I[k][j] - KH[k][j] for j in AXES] for k in AXES])
        alpha = times(full(inverse(S)), subtract(u_n, times(K, u_f)))
        a = times(M_inverse, subtract(u_f, transposed_times(own.H, alpha)))
        nothing = [0.0] * 6
        return Articulated(nothing, [ZERO, ZERO, ZERO], nothing, torque, force), [*flat(frame.B), *alpha, *a]

    def outward(self, step: StepAtoms, frame: LinkFrame, alpha: Vector, a: Vector) -> tuple[Vector, Vector, Vector]:
        assert frame.B is not None
        found = step.read("own", record.JOINT + 9, 6)
        linear = transposed_times(frame.B, subtract(found[3:], a))
        return [*linear, *transposed_times(frame.R, subtract(found[:3], alpha))], found[:3], found[3:]


#: Kinds by their names.
KINDS: dict[str, JointKind] = {
    kind.name: kind for kind in (RevoluteKind(), PrismaticKind(), ScrewKind(), SphericalKind(), FreeKind(), JointKind())
}  # fmt: skip
