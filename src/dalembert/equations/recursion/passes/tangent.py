"""Compiled derivative of the Newton–Euler recursion in the direction of one velocity, coordinate or acceleration.

Variations are those that an observer on the moving links sees: a link that turns by z δ as a whole has none.  With the
column (z, l) of S of a joint between links p and k, the variations of ω, α and a at link k are

    in q:   ω_p × z,   α_p × z + (ω_p × z) × w,   a_k × z + α_p × l + ω_p × (ω_p × l)
    in v:   z,         ω_p × z,                   2 ω_p × l
    in a:   0,         z,                         l

where w is the angular velocity of the joint, and go on to all links behind it.  Seen from the world, what stands behind
the joint is turned too: links before it feel z × n + l × f, z × f of the wrench (n, f) that the joint transmits.  This
is the O(N · depth) recursion of J. Carpentier, N. Mansard: *Analytical Derivatives of Rigid Body Dynamics Algorithms*,
2018, column by column.
"""

from __future__ import annotations

from dalembert.equations.recursion.passes.words import DIRECTION, word
from dalembert.equations.recursion.tree.record import record
from dalembert.native.kernel import Ints, Reals, compiled, ints_at, reals_at, view
from dalembert.native.legend import Legend

variation = Legend(
    "variations of a link",
    sizes={"OMEGA": 3, "ALPHA": 3, "ACCELERATION": 3},
    OMEGA="of its angular velocity",
    ALPHA="of its angular acceleration",
    ACCELERATION="of the acceleration of its origin",
)
coefficient = Legend(
    "what variations of a link are multiplied with",
    sizes={"W": 3, "A": 9, "B_F": 9, "B_N": 9},
    W="angular velocity of the joint",
    A="matrix of δω in δa",
    B_F="matrix of δω in δf",
    B_N="matrix of δω in δn",
)


@compiled
def cross_to(out: Reals, a: Reals, b: Reals, factor: float) -> None:
    """out += factor · a × b; the three may not be the same."""
    out[0] += factor * (a[1] * b[2] - a[2] * b[1])
    out[1] += factor * (a[2] * b[0] - a[0] * b[2])
    out[2] += factor * (a[0] * b[1] - a[1] * b[0])


@compiled
def relative_velocity(values: Reals, link: int, parent: int, out: Reals) -> None:
    """Angular and linear velocity of a joint, six entries."""
    own, before = view(values, link * record.end, record.end), view(values, parent * record.end, record.end)
    for i in range(3):
        out[i] = own[record.OMEGA + i] - before[record.OMEGA + i]
        out[3 + i] = own[record.VELOCITY + i] - before[record.VELOCITY + i]
    cross_to(view(out, 3, 3), view(before, record.OMEGA, 3), view(own, record.D, 3), -1.0)


@compiled
def start_tangent(work: Ints, link: int, k: int, direction: int, scratch: Reals) -> None:
    """Variations at the link whose joint moves."""
    values = reals_at(work[word.VALUES], 1)
    parent = ints_at(work[word.PARENTS], 1 + link)[link]
    before = view(values, parent * record.end, record.end)
    column = view(values, work[word.COLUMNS_AT] + 6 * k, 6)
    z, linear = view(column, 0, 3), view(column, 3, 3)
    out = view(reals_at(work[word.TANGENT], 1), variation.end * link, variation.end)
    by_omega, by_alpha = view(out, variation.OMEGA, 3), view(out, variation.ALPHA, 3)
    by_acceleration = view(out, variation.ACCELERATION, 3)
    omega, alpha = view(before, record.OMEGA, 3), view(before, record.ALPHA, 3)
    for i in range(variation.end):
        out[i] = 0.0
    if direction == DIRECTION.Q:
        relative_velocity(values, link, parent, scratch)
        cross_to(by_omega, omega, z, 1.0)
        cross_to(by_alpha, alpha, z, 1.0)
        cross_to(by_alpha, by_omega, view(scratch, 0, 3), 1.0)
        cross_to(by_acceleration, view(values, link * record.end + record.ACCELERATION, 3), z, 1.0)
        cross_to(by_acceleration, alpha, linear, 1.0)
        carried = view(scratch, 6, 3)
        carried[0] = carried[1] = carried[2] = 0.0
        cross_to(carried, omega, linear, 1.0)
        cross_to(by_acceleration, omega, carried, 1.0)
    elif direction == DIRECTION.V:
        for i in range(3):
            by_omega[i] = z[i]
        cross_to(by_alpha, omega, z, 1.0)
        cross_to(by_acceleration, omega, linear, 2.0)
    else:
        for i in range(3):
            by_alpha[i], by_acceleration[i] = z[i], linear[i]


@compiled
def _add_skew(out: Reals, x: Reals, factor: float) -> None:
    """out += factor [x]×, nine entries."""
    out[1] -= factor * x[2]
    out[2] += factor * x[1]
    out[3] += factor * x[2]
    out[5] -= factor * x[0]
    out[6] -= factor * x[1]
    out[7] += factor * x[0]


@compiled
def _subtract_skew_product(out: Reals, a: Reals, b: Reals) -> None:
    """out −= [a]× [b]× = b aᵀ − (a·b) 1."""
    along = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    for i in range(3):
        for j in range(3):
            out[3 * i + j] -= b[i] * a[j]
        out[4 * i] += along


@compiled
def linear_terms(work: Ints, scratch: Reals) -> None:
    """What variations of links are multiplied with, link by link: the same for all directions.

    w of the joint; then matrices of δω in δa = … + A δω, δf = … + B_f δω, δn = … + B_n δω.
    """
    values, parents = reals_at(work[word.VALUES], 1), ints_at(work[word.PARENTS], work[word.N_LINKS] + 1)
    coefficients = reals_at(work[word.COEFFICIENTS], 1)
    x = view(scratch, 6, 3)
    for link in range(1, work[word.N_LINKS] + 1):
        out = view(coefficients, coefficient.end * link, coefficient.end)
        A, B_f, B_n = view(out, coefficient.A, 9), view(out, coefficient.B_F, 9), view(out, coefficient.B_N, 9)
        own, before = view(values, link * record.end, record.end), view(values, parents[link] * record.end, record.end)
        omega, carrying, d = view(own, record.OMEGA, 3), view(before, record.OMEGA, 3), view(own, record.D, 3)
        h, I = view(own, record.COMPOSITE_MOMENT, 3), view(own, record.COMPOSITE_INERTIA, 6)
        relative_velocity(values, link, parents[link], scratch)
        for i in range(coefficient.end):
            out[i] = 0.0
        for i in range(3):
            out[coefficient.W + i] = scratch[i]
        # δω × (ω_p × d + 2 u) + ω_p × (δω × d)
        for i in range(3):
            x[i] = 2.0 * scratch[3 + i]
        cross_to(x, carrying, d, 1.0)
        _add_skew(A, x, -1.0)
        _subtract_skew_product(A, carrying, d)
        # δω × (ω × h) + ω × (δω × h)
        x[0] = x[1] = x[2] = 0.0
        cross_to(x, omega, h, 1.0)
        _add_skew(B_f, x, -1.0)
        _subtract_skew_product(B_f, omega, h)
        # δω × I ω + ω × I δω
        x[0] = I[0] * omega[0] + I[1] * omega[1] + I[2] * omega[2]
        x[1] = I[1] * omega[0] + I[3] * omega[1] + I[4] * omega[2]
        x[2] = I[2] * omega[0] + I[4] * omega[1] + I[5] * omega[2]
        _add_skew(B_n, x, -1.0)
        for j in range(3):
            more = 1 if j else 0
            x[0], x[1], x[2] = I[j], I[1 + j + more], I[2 + j + more]
            column = view(scratch, 9, 3)
            column[0] = column[1] = column[2] = 0.0
            cross_to(column, omega, x, 1.0)
            for i in range(3):
                B_n[3 * i + j] += column[i]


@compiled
def carry_tangent(work: Ints, link: int) -> None:
    """Variations at a link behind one whose variations are known."""
    values, tangent = reals_at(work[word.VALUES], 1), reals_at(work[word.TANGENT], 1)
    parent = ints_at(work[word.PARENTS], 1 + link)[link]
    before = view(tangent, variation.end * parent, variation.end)
    out = view(tangent, variation.end * link, variation.end)
    terms = view(reals_at(work[word.COEFFICIENTS], 1), coefficient.end * link, coefficient.end)
    w, A = view(terms, coefficient.W, 3), view(terms, coefficient.A, 9)
    d = view(values, link * record.end + record.D, 3)
    omega, new_omega = view(before, variation.OMEGA, 3), view(out, variation.OMEGA, 3)
    alpha, new_alpha = view(before, variation.ALPHA, 3), view(out, variation.ALPHA, 3)
    acceleration, new_acceleration = view(before, variation.ACCELERATION, 3), view(out, variation.ACCELERATION, 3)
    x, y, z = omega[0], omega[1], omega[2]
    a, b, c = alpha[0], alpha[1], alpha[2]
    new_omega[0], new_omega[1], new_omega[2] = x, y, z
    new_alpha[0] = a + (y * w[2] - z * w[1])
    new_alpha[1] = b + (z * w[0] - x * w[2])
    new_alpha[2] = c + (x * w[1] - y * w[0])
    new_acceleration[0] = acceleration[0] + (b * d[2] - c * d[1]) + (A[0] * x + A[1] * y + A[2] * z)
    new_acceleration[1] = acceleration[1] + (c * d[0] - a * d[2]) + (A[3] * x + A[4] * y + A[5] * z)
    new_acceleration[2] = acceleration[2] + (a * d[1] - b * d[0]) + (A[6] * x + A[7] * y + A[8] * z)


@compiled
def add_wrench(work: Ints, link: int) -> None:
    """Variation of the moment and force that the body of a link takes; its inertia in world axes is in COMPOSITE."""
    values, tangent = reals_at(work[word.VALUES], 1), reals_at(work[word.TANGENT], 1)
    out = view(reals_at(work[word.GATHERED], 1), 6 * link, 6)
    own, here = view(values, link * record.end, record.end), view(tangent, variation.end * link, variation.end)
    terms = view(reals_at(work[word.COEFFICIENTS], 1), coefficient.end * link, coefficient.end)
    B_f, B_n = view(terms, coefficient.B_F, 9), view(terms, coefficient.B_N, 9)
    h, I = view(own, record.COMPOSITE_MOMENT, 3), view(own, record.COMPOSITE_INERTIA, 6)
    omega, alpha = view(here, variation.OMEGA, 3), view(here, variation.ALPHA, 3)
    acceleration = view(here, variation.ACCELERATION, 3)
    m, hx, hy, hz = own[record.COMPOSITE], h[0], h[1], h[2]
    x, y, z, a, b, c = omega[0], omega[1], omega[2], alpha[0], alpha[1], alpha[2]
    ax, ay, az = acceleration[0], acceleration[1], acceleration[2]
    out[3] += m * ax + (b * hz - c * hy) + (B_f[0] * x + B_f[1] * y + B_f[2] * z)
    out[4] += m * ay + (c * hx - a * hz) + (B_f[3] * x + B_f[4] * y + B_f[5] * z)
    out[5] += m * az + (a * hy - b * hx) + (B_f[6] * x + B_f[7] * y + B_f[8] * z)
    turned = I[0] * a + I[1] * b + I[2] * c
    out[0] += turned + (hy * az - hz * ay) + (B_n[0] * x + B_n[1] * y + B_n[2] * z)
    turned = I[1] * a + I[3] * b + I[4] * c
    out[1] += turned + (hz * ax - hx * az) + (B_n[3] * x + B_n[4] * y + B_n[5] * z)
    turned = I[2] * a + I[4] * b + I[5] * c
    out[2] += turned + (hx * ay - hy * ax) + (B_n[6] * x + B_n[7] * y + B_n[8] * z)
