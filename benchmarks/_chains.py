"""Dynamics of serial chains as plain Python: numbers or symbols of any library, and their sine and cosine, go in.

The same source gives floats, or expressions of dalembert, CasADi, SymEngine and SymPy, which makes it a fair start for
comparing them.  It is written in the form with the fewest operations, and zeros and ones of the geometry are integers,
which every library recognises.

Link i turns about the z axis of its frame.  The frame stands in the one before it at ``p``, turned by the constant
matrix ``E`` and then by q about the new z axis: R = E Rz(q) takes components from link i to link i-1.  All quantities
of a link are in its own axes and about its origin, which lies on the axis of its joint.  With the angular velocity w,
the angular acceleration α, the acceleration a of the origin and the first and second moments of mass h and I:

    A = [α]× + [w]×[w]×                                   a point of the link at r has the acceleration a + A r      (1)
    f = m a + A h                                         force                                                      (2)
    n = I α + w × I w + h × a                             moment about the origin                                    (3)

References
    [RBDA] R. Featherstone, Rigid Body Dynamics Algorithms, Springer 2008: tables 5.1, 6.2 and 7.1.
    [BP]   C. A. Balafoutis, R. V. Patel, Dynamic Analysis of Robot Manipulators, Kluwer 1991: A instead of cross
           products.
    [BJO]  H. Brandl, R. Johanni, M. Otter, A very efficient algorithm for the simulation of robots and similar
           multibody systems without inversion of the mass matrix, IFAC Theory of Robots, Vienna 1986.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Scalar = Any  # float, or a symbolic scalar of any library: + - * / are all that is asked of it
Vector = list[Scalar]
Matrix = list[list[Scalar]]
Unary = Callable[[Scalar], Scalar]

AXES = range(3)
CYCLIC = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
GRAVITY = 9.81


@dataclass(frozen=True)
class Link:
    """Geometry and mass of one link, in its own axes and about its own origin."""

    E: Matrix  # constant turn from the frame before
    p: Vector  # origin in the frame before
    m: Scalar  # mass
    h: Vector  # first moments: mass times centre of mass
    I: Matrix  # inertia tensor about the origin


@dataclass(frozen=True)
class Chain:
    """Links from the ground outwards, and the acceleration of the ground that stands for gravity."""

    links: Sequence[Link]
    lift: Vector


# ------------------------------------------------------------------ three by three


def dot(a: Vector, b: Vector) -> Scalar:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    return [a[j] * b[k] - a[k] * b[j] for _, j, k in CYCLIC]


def add(a: Vector, b: Vector) -> Vector:
    return [x + y for x, y in zip(a, b, strict=True)]


def scale(s: Scalar, a: Vector) -> Vector:
    return [s * x for x in a]


def transposed(A: Matrix) -> Matrix:
    return [list(column) for column in zip(*A, strict=True)]


def times(A: Matrix, x: Vector) -> Vector:
    return [dot(row, x) for row in A]


def product(A: Matrix, B: Matrix) -> Matrix:
    columns = transposed(B)
    return [[dot(row, column) for column in columns] for row in A]


def sum_of(A: Matrix, B: Matrix) -> Matrix:
    return [add(a, b) for a, b in zip(A, B, strict=True)]


def skew(p: Vector) -> Matrix:
    return [[0, -p[2], p[1]], [p[2], 0, -p[0]], [-p[1], p[0], 0]]


def symmetric(entry: Callable[[int, int], Scalar]) -> Matrix:
    """Symmetric matrix, each entry of its upper half made once."""
    S: Matrix = [[0] * 3 for _ in AXES]
    for i in AXES:
        for j in range(i, 3):
            S[i][j] = S[j][i] = entry(i, j)
    return S


def turned(R: Matrix, S: Matrix) -> Matrix:
    """R S Rᵀ of a symmetric S"""
    RS = product(R, S)
    return symmetric(lambda i, j: dot(RS[i], R[j]))


def joint_rotation(link: Link, c: Scalar, s: Scalar) -> Matrix:
    """R = E Rz(q) from the sine and cosine of q"""
    return [[e[0] * c + e[1] * s, e[1] * c - e[0] * s, e[2]] for e in link.E]


def acceleration_tensor(w: Vector, alpha: Vector) -> Matrix:
    """A = [α]× + [w]×[w]× (1)"""
    A: Matrix = [[0] * 3 for _ in AXES]
    for i, j, k in CYCLIC:
        A[i][i] = -(w[j] * w[j] + w[k] * w[k])
        A[i][j] = w[i] * w[j] - alpha[k]
        A[j][i] = w[i] * w[j] + alpha[k]
    return A


# ---------------------------------------------------------------------- algorithms


def inverse_dynamics(chain: Chain, q: Vector, v: Vector, a: Vector, sin: Unary, cos: Unary) -> Vector:
    """Joint torques by the recursive Newton–Euler algorithm, RBDA table 5.1 in the vectors of [BP]."""
    zero: Vector = [0, 0, 0]
    w, alpha, A, acc = zero, zero, [zero] * 3, chain.lift
    rotations: list[Matrix] = []
    forces: list[Vector] = []
    moments: list[Vector] = []
    for link, qi, vi, ai in zip(chain.links, q, v, a, strict=True):
        R = joint_rotation(link, cos(qi), sin(qi))
        Rt = transposed(R)
        acc = times(Rt, add(acc, times(A, link.p)))
        w, alpha = times(Rt, w), times(Rt, alpha)
        alpha = [alpha[0] + w[1] * vi, alpha[1] - w[0] * vi, alpha[2] + ai]
        w = [w[0], w[1], w[2] + vi]
        A = acceleration_tensor(w, alpha)
        rotations.append(R)
        forces.append(add(scale(link.m, acc), times(A, link.h)))  # (2)
        moments.append(add(_inertia_moment(link.I, w, alpha, A), cross(link.h, acc)))  # (3)
    torques: Vector = [0] * len(rotations)
    f, n = zero, zero
    for i in reversed(range(len(rotations))):
        f, n = add(f, forces[i]), add(n, moments[i])
        torques[i] = n[2]
        f = times(rotations[i], f)
        n = add(times(rotations[i], n), cross(chain.links[i].p, f))
    return torques


def _inertia_moment(I: Matrix, w: Vector, alpha: Vector, A: Matrix) -> Vector:
    """I α + w × I w, with the entries of A (1): 30 operations instead of 42."""
    return [
        I[i][i] * alpha[i]
        + (I[k][k] - I[j][j]) * (w[j] * w[k])
        + (I[k][i] * A[j][i] - I[i][j] * A[k][i])
        + I[j][k] * (w[j] * w[j] - w[k] * w[k])
        for i, j, k in CYCLIC
    ]


def mass_matrix(chain: Chain, q: Vector, sin: Unary, cos: Unary) -> Matrix:
    """Joint-space inertia matrix by the composite-rigid-body algorithm, RBDA table 6.2."""
    links, n = chain.links, len(chain.links)
    R = [joint_rotation(link, cos(qi), sin(qi)) for link, qi in zip(links, q, strict=True)]
    m, h, I = links[-1].m, links[-1].h, links[-1].I  # of everything from link i outwards
    M: Matrix = [[0] * n for _ in links]
    for i in reversed(range(n)):
        # A unit acceleration of joint i takes the force e_z × h and the moment I e_z about its origin.
        M[i][i] = I[2][2]
        moment = [I[0][2], I[1][2], I[2][2]]
        force = [-h[1], h[0], 0]
        for j in range(i, 0, -1):
            force = times(R[j], force)
            moment = add(times(R[j], moment), cross(links[j].p, force))
            M[i][j - 1] = M[j - 1][i] = moment[2]
        if i > 0:
            m, h, I = _joined(links[i - 1], links[i].p, m, times(R[i], h), turned(R[i], I))
    return M


def _joined(link: Link, p: Vector, m: Scalar, h: Vector, I: Matrix) -> tuple[Scalar, Vector, Matrix]:
    """Mass and moments of ``link`` with those of what stands on it at ``p``, in its axes.

    I + (2 h·p + m p·p) 1 - (h pᵀ + p hᵀ + m p pᵀ) is I about the origin of the link; the terms of m and p are numbers.
    """
    twice = [h[i] * (2 * p[i]) for i in AXES]
    shifted: Matrix = [[0] * 3 for _ in AXES]
    for i, j, k in CYCLIC:
        shifted[i][i] = I[i][i] + (twice[j] + twice[k] + m * (p[j] * p[j] + p[k] * p[k]))
        shifted[i][j] = shifted[j][i] = I[i][j] - (h[i] * p[j] + h[j] * p[i] + m * (p[i] * p[j]))
    inertia = symmetric(lambda i, j: link.I[i][j] + shifted[i][j])
    return link.m + m, [link.h[i] + h[i] + m * p[i] for i in AXES], inertia


def forward_dynamics(chain: Chain, q: Vector, v: Vector, torques: Vector, sin: Unary, cos: Unary) -> Vector:
    """Joint accelerations by the articulated-body algorithm, RBDA table 7.1.

    The acceleration of an origin is that of the point, as in [BJO], not the spatial acceleration of RBDA: then no
    linear velocities are needed, and the force and moment that a link passes to the one before it are

        n = I α + H a + b_n
        f = Hᵀα + M a + b_f                                                                                   (4)

    with the articulated inertias I, H, M and the bias b.
    """
    links, n = chain.links, len(chain.links)
    zero: Vector = [0, 0, 0]

    # Outwards: angular velocities, and what follows from them.
    w, W = zero, [zero] * 3
    rotations, gyroscopic, centripetal = [], [], []
    I, H, M, b_n, b_f = [], [], [], [], []
    for link, qi, vi in zip(links, q, v, strict=True):
        R = joint_rotation(link, cos(qi), sin(qi))
        rotations.append(R)
        centripetal.append(times(W, link.p))  # in the axes of the link before
        w = times(transposed(R), w)
        gyroscopic.append([w[1] * vi, -w[0] * vi, 0])
        w = [w[0], w[1], w[2] + vi]
        W = acceleration_tensor(w, zero)
        I.append(link.I)
        H.append(skew(link.h))
        M.append([zero] * 3)  # without the mass of the link itself, which looks the same in all axes
        b_n.append(_inertia_moment(link.I, w, zero, W))
        b_f.append(times(W, link.h))

    # Inwards: articulated inertias and biases.
    free: Vector = [0] * n  # torque that is left to accelerate the joint
    inverse: Vector = [0] * n
    for i in reversed(range(n)):
        D, n_z, f_z = I[i][2][2], I[i][2], H[i][2]  # (4) for a unit acceleration of the joint
        inverse[i] = d = 1 / D
        free[i] = torques[i] - b_n[i][2]
        if i == 0:
            break
        # Without the acceleration of the joint.  The moment about its axis is the torque: the entries that express it
        # vanish or are known.
        n_d, f_d = scale(d, n_z), scale(d, f_z)
        I_a = [[I[i][k][l] - n_z[k] * n_d[l] for l in (0, 1)] for k in (0, 1)]
        I_a = [[*I_a[0], 0], [I_a[0][1], I_a[1][1], 0], [0, 0, 0]]
        H_a = [[H[i][k][l] - n_d[k] * f_z[l] for l in AXES] for k in (0, 1)] + [zero]
        M_a = symmetric(lambda k, l: M[i][k][l] - f_z[k] * f_d[l])
        g = gyroscopic[i]
        n_b = [b_n[i][k] + I_a[k][0] * g[0] + I_a[k][1] * g[1] + n_d[k] * free[i] for k in (0, 1)] + [torques[i]]
        f_b = [b_f[i][k] + H_a[0][k] * g[0] + H_a[1][k] * g[1] + f_d[k] * free[i] for k in AXES]
        # In the axes of the link before, and with a = a_before + α × p + centripetal.
        R, p = rotations[i], links[i].p
        M_a, H_a, I_a = turned(R, M_a), product(product(R, H_a), transposed(R)), turned(R, I_a)
        M_a = symmetric(lambda k, l: M_a[k][l] + links[i].m if k == l else M_a[k][l])
        f_p = add(times(R, f_b), times(M_a, centripetal[i]))
        n_p = add(add(times(R, n_b), times(H_a, centripetal[i])), cross(p, f_p))
        H_p = sum_of(H_a, product(skew(p), M_a))
        I_p = symmetric(lambda k, l: I_a[k][l] + (cross(p, H_a[l])[k] + cross(p, H_p[k])[l]))
        before = i - 1
        I[before], H[before], M[before] = sum_of(I[before], I_p), sum_of(H[before], H_p), sum_of(M[before], M_a)
        b_n[before], b_f[before] = add(b_n[before], n_p), add(b_f[before], f_p)

    # Outwards: accelerations.
    alpha, acc = zero, chain.lift
    accelerations = []
    for i in range(n):
        Rt = transposed(rotations[i])
        acc = times(Rt, add(add(acc, cross(alpha, links[i].p)), centripetal[i]))
        alpha = add(times(Rt, alpha), gyroscopic[i])
        a = (free[i] - dot(I[i][2], alpha) - dot(H[i][2], acc)) * inverse[i]
        accelerations.append(a)
        alpha = [alpha[0], alpha[1], alpha[2] + a]
    return accelerations


def mass_matrix_and_bias(chain: Chain, q: Vector, v: Vector, sin: Unary, cos: Unary) -> tuple[Matrix, Vector]:
    """M and b of M a + b = torques"""
    return mass_matrix(chain, q, sin, cos), inverse_dynamics(chain, q, v, [0] * len(q), sin, cos)


#: What is computed for a chain.
FUNCTIONS = ("inverse dynamics", "mass matrix", "mass matrix and bias forces", "forward dynamics")


def results(
    function: str,
    chain: Callable[[Sequence[Scalar]], Chain],
    sin: Unary,
    cos: Unary,
    q: Vector,
    v: Vector,
    u: Vector,
    parameters: Sequence[Scalar] = (),
) -> Vector:
    """One of the :data:`FUNCTIONS` as a flat list; ``u``: accelerations or, for forward dynamics, torques."""
    model = chain(parameters)
    if function == "inverse dynamics":
        return inverse_dynamics(model, q, v, u, sin, cos)
    if function == "forward dynamics":
        return forward_dynamics(model, q, v, u, sin, cos)
    if function == "mass matrix":
        return [x for row in mass_matrix(model, q, sin, cos) for x in row]
    M, b = mass_matrix_and_bias(model, q, v, sin, cos)
    return [*(x for row in M for x in row), *b]


# -------------------------------------------------------------------------- chains


def given(chain: Chain, parameters: Sequence[Scalar]) -> Chain:
    """A chain of numbers, which has no parameters."""
    return chain


def exact(value: float) -> float:
    """0, 1 and -1 as integers, which are structure to every library; anything else as it is."""
    return int(value) if value in (-1, 0, 1) else value


def link_of(E: Matrix, p: Vector, m: float, c: Vector, I_c: Matrix) -> Link:
    """Link of numbers, from its centre of mass ``c`` and the inertia about it."""
    r = dot(c, c)
    I = symmetric(lambda i, j: exact(I_c[i][j] + m * ((r if i == j else 0) - c[i] * c[j])))
    return Link([[exact(e) for e in row] for row in E], [exact(x) for x in p], m, [exact(m * x) for x in c], I)


def central_inertia(link: Link) -> tuple[Vector, Matrix]:
    """Centre of mass, and inertia about it, of a link of numbers."""
    c = scale(1 / link.m, link.h)
    r = dot(c, c)
    return c, symmetric(lambda i, j: link.I[i][j] - link.m * ((r if i == j else 0) - c[i] * c[j]))


def spatial_chain(n: int, seed: int = 1) -> Chain:
    """``n`` links with axes, offsets, centres of mass and inertias in general position."""
    number = random.Random(seed).uniform

    def euler() -> Matrix:
        a, b, c = (number(-1, 1) for _ in AXES)
        X: Matrix = [[1, 0, 0], [0, math.cos(a), -math.sin(a)], [0, math.sin(a), math.cos(a)]]
        Y: Matrix = [[math.cos(b), 0, math.sin(b)], [0, 1, 0], [-math.sin(b), 0, math.cos(b)]]
        Z: Matrix = [[math.cos(c), -math.sin(c), 0], [math.sin(c), math.cos(c), 0], [0, 0, 1]]
        return product(product(X, Y), Z)

    def inertia() -> Matrix:
        B = [[number(-1, 1) for _ in AXES] for _ in AXES]
        return symmetric(lambda i, j: 0.1 * dot(B[i], B[j]) + (0.3 if i == j else 0.0))

    def vector(size: float) -> Vector:
        return [number(-size, size) for _ in AXES]

    links = [link_of(euler(), vector(0.5), number(1, 3), vector(0.3), inertia()) for _ in range(n)]
    return Chain(links, [0, 0, GRAVITY])


def arm() -> Chain:
    """Arm with seven joints and the dimensions of the KUKA LBR iiwa 14 R820; masses are plausible, not measured.

    Shoulder and wrist are spherical, axes meet at right angles: most entries of E and p are 0 or ±1.
    """
    up, down = [[1, 0, 0], [0, 0, -1], [0, 1, 0]], [[1, 0, 0], [0, 0, 1], [0, -1, 0]]  # quarter turns about x
    straight = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    table = [
        # E, height of the joint, mass, centre of mass, principal inertias
        (straight, 0, 4.1, [0, -0.03, 0.24], [0.081, 0.076, 0.012]),
        (down, 0.36, 4.1, [0, -0.06, 0.042], [0.047, 0.016, 0.043]),
        (up, 0, 3.2, [0, 0.03, 0.29], [0.068, 0.064, 0.009]),
        (up, 0.42, 2.8, [0, 0.067, 0.034], [0.029, 0.009, 0.028]),
        (down, 0, 1.8, [0, 0.021, 0.26], [0.021, 0.018, 0.005]),
        (down, 0.4, 1.8, [0, 0.001, 0.002], [0.005, 0.004, 0.005]),
        (up, 0, 0.4, [0, 0, 0.11], [0.001, 0.001, 0.001]),
    ]
    links = [link_of(E, [0, 0, z], m, c, [[J[0], 0, 0], [0, J[1], 0], [0, 0, J[2]]]) for E, z, m, c, J in table]
    return Chain(links, [0, 0, GRAVITY])


#: Parameters of the four-bar linkage, in the names of the figure.
FOUR_BAR_PARAMETERS = "l1 l2 m1 m2 m3 cg1x cg1z cg2x cg2z cg3x cg3z I1yy I2yy I3yy".split()


def four_bar(parameters: Sequence[Scalar]) -> Chain:
    """Open chain of the planar four-bar linkage of the railway paper, Fig. 2, with its parameters as symbols.

    The bars move in the plane of x and z, turn about y and reach along x to the next joint; their inertias Iyy are
    about the joint.  The axes x, y, z of a link here are the axes z, x, y of the figure.
    """
    l1, l2, m1, m2, m3, cg1x, cg1z, cg2x, cg2z, cg3x, cg3z, I1yy, I2yy, I3yy = parameters
    straight = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]

    def bar(length_before: Scalar, m: Scalar, cgx: Scalar, cgz: Scalar, Iyy: Scalar) -> Link:
        return Link(straight, [0, length_before, 0], m, [m * cgz, m * cgx, 0], [[0, 0, 0], [0, 0, 0], [0, 0, Iyy]])

    links = [bar(0, m1, cg1x, cg1z, I1yy), bar(l1, m2, cg2x, cg2z, I2yy), bar(l2, m3, cg3x, cg3z, I3yy)]
    return Chain(links, [GRAVITY, 0, 0])


#: Code that the authors' generator exported for the mass matrix of the angles theta1, theta2, theta3: railway paper,
#: Fig. 2.  The matrix in the figure is -M.  Our copy of it shows some plus signs as asterisks and lacks M[3] and
#: the end of atom271; with these restored it agrees with :func:`mass_matrix`.
FIGURE_2 = """
atom27 = sin(theta2)
atom0 = cos(theta3)
atom1 = sin(theta3)
atom26 = cos(theta2)
atom49 = atom1*atom26+atom27*atom0
atom46 = -atom27*atom1+atom26*atom0
atom237 = m3*l2*(cg3x*atom0+atom1*cg3z)
atom253 = m3*l1*(cg3x*atom46+atom49*cg3z)+atom237
atom200 = -l1*atom26
atom214 = -l2*atom200
atom197 = (l1*l1)
atom215 = (l2*l2)
atom270 = atom27*l1*cg2z*m2+m3*(atom214+atom215)-m2*cg2x*atom200+I3yy+atom237+I2yy+atom253
atom229 = m3*l2*cg3x*atom0+m3*l2*atom1*cg3z
atom271 = m3*l1*cg3x*atom46+I3yy+m3*atom49*l1*cg3z+atom229
atom273 = I3yy+atom229
M0 = -m3*(atom197+2.0*atom214+atom215)-atom197*m2-I3yy-I2yy+-2.0*atom253-I1yy+-2.0*(atom27*cg2z+atom26*cg2x)*l1*m2
M1 = -atom270
M2 = -atom271
M3 = -atom270
M4 = -m3*atom215-I3yy+-2.0*atom237-I2yy
M5 = -atom273
M6 = -atom271
M7 = -atom273
M8 = -I3yy
"""


def figure_2(q: Vector, parameters: Sequence[Scalar], sin: Unary, cos: Unary) -> Matrix:
    """Mass matrix by the code of :data:`FIGURE_2`, with the sign of a mass matrix."""
    names: dict[str, Any] = dict(zip(FOUR_BAR_PARAMETERS, parameters, strict=True))
    names |= {"theta1": q[0], "theta2": q[1], "theta3": q[2], "sin": sin, "cos": cos}
    exec(FIGURE_2, names)
    return [[-names[f"M{3 * i + j}"] for j in AXES] for i in AXES]
