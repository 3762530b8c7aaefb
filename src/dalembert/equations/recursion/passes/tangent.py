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

from dalembert.equations.recursion.passes import words as w
from dalembert.equations.recursion.passes.sweep import COLUMNS_AT, N_LINKS, PARENTS
from dalembert.equations.recursion.tree.record import (
    ACCELERATION,
    ALPHA,
    COMPOSITE,
    OMEGA,
    RECORD,
    VELOCITY,
    D,
)
from dalembert.native.kernel import Ints, Reals, compiled, ints_at, reals_at, view

#: Kinds of directions.
IN_Q, IN_V, IN_A = range(3)


@compiled
def cross_to(out: Reals, a: Reals, b: Reals, factor: float) -> None:
    """out += factor · a × b; the three may not be the same."""
    out[0] += factor * (a[1] * b[2] - a[2] * b[1])
    out[1] += factor * (a[2] * b[0] - a[0] * b[2])
    out[2] += factor * (a[0] * b[1] - a[1] * b[0])


@compiled
def relative_velocity(values: Reals, link: int, parent: int, out: Reals) -> None:
    """Angular and linear velocity of a joint, six entries."""
    own, before = view(values, link * RECORD, RECORD), view(values, parent * RECORD, RECORD)
    for i in range(3):
        out[i] = own[OMEGA + i] - before[OMEGA + i]
        out[3 + i] = own[VELOCITY + i] - before[VELOCITY + i]
    cross_to(view(out, 3, 3), view(before, OMEGA, 3), view(own, D, 3), -1.0)


@compiled
def start_tangent(work: Ints, link: int, k: int, direction: int, scratch: Reals) -> None:
    """Variations at the link whose joint moves."""
    values = reals_at(work[w.VALUES], 1)
    parent = ints_at(work[PARENTS], 1 + link)[link]
    before = view(values, parent * RECORD, RECORD)
    column = view(values, work[COLUMNS_AT] + 6 * k, 6)
    z, linear = view(column, 0, 3), view(column, 3, 3)
    out = view(reals_at(work[w.TANGENT], 1), 9 * link, 9)
    omega, alpha = view(before, OMEGA, 3), view(before, ALPHA, 3)
    for i in range(9):
        out[i] = 0.0
    if direction == IN_Q:
        relative_velocity(values, link, parent, scratch)
        cross_to(view(out, 0, 3), omega, z, 1.0)
        cross_to(view(out, 3, 3), alpha, z, 1.0)
        cross_to(view(out, 3, 3), view(out, 0, 3), view(scratch, 0, 3), 1.0)
        cross_to(view(out, 6, 3), view(values, link * RECORD + ACCELERATION, 3), z, 1.0)
        cross_to(view(out, 6, 3), alpha, linear, 1.0)
        carried = view(scratch, 6, 3)
        carried[0] = carried[1] = carried[2] = 0.0
        cross_to(carried, omega, linear, 1.0)
        cross_to(view(out, 6, 3), omega, carried, 1.0)
    elif direction == IN_V:
        for i in range(3):
            out[i] = z[i]
        cross_to(view(out, 3, 3), omega, z, 1.0)
        cross_to(view(out, 6, 3), omega, linear, 2.0)
    else:
        for i in range(3):
            out[3 + i], out[6 + i] = z[i], linear[i]


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
    values, parents = reals_at(work[w.VALUES], 1), ints_at(work[PARENTS], work[N_LINKS] + 1)
    x = view(scratch, 6, 3)
    for link in range(1, work[N_LINKS] + 1):
        out = view(reals_at(work[w.COEFFICIENTS], 1), 30 * link, 30)
        own, before = view(values, link * RECORD, RECORD), view(values, parents[link] * RECORD, RECORD)
        omega, carrying, d = view(own, OMEGA, 3), view(before, OMEGA, 3), view(own, D, 3)
        h, I = view(own, COMPOSITE + 1, 3), view(own, COMPOSITE + 4, 6)
        relative_velocity(values, link, parents[link], scratch)
        for i in range(30):
            out[i] = scratch[i] if i < 3 else 0.0
        # δω × (ω_p × d + 2 u) + ω_p × (δω × d)
        for i in range(3):
            x[i] = 2.0 * scratch[3 + i]
        cross_to(x, carrying, d, 1.0)
        _add_skew(view(out, 3, 9), x, -1.0)
        _subtract_skew_product(view(out, 3, 9), carrying, d)
        # δω × (ω × h) + ω × (δω × h)
        x[0] = x[1] = x[2] = 0.0
        cross_to(x, omega, h, 1.0)
        _add_skew(view(out, 12, 9), x, -1.0)
        _subtract_skew_product(view(out, 12, 9), omega, h)
        # δω × I ω + ω × I δω
        x[0] = I[0] * omega[0] + I[1] * omega[1] + I[2] * omega[2]
        x[1] = I[1] * omega[0] + I[3] * omega[1] + I[4] * omega[2]
        x[2] = I[2] * omega[0] + I[4] * omega[1] + I[5] * omega[2]
        _add_skew(view(out, 21, 9), x, -1.0)
        for j in range(3):
            more = 1 if j else 0
            x[0], x[1], x[2] = I[j], I[1 + j + more], I[2 + j + more]
            column = view(scratch, 9, 3)
            column[0] = column[1] = column[2] = 0.0
            cross_to(column, omega, x, 1.0)
            for i in range(3):
                out[21 + 3 * i + j] += column[i]


@compiled
def carry_tangent(work: Ints, link: int) -> None:
    """Variations at a link behind one whose variations are known."""
    values, tangent = reals_at(work[w.VALUES], 1), reals_at(work[w.TANGENT], 1)
    parent = ints_at(work[PARENTS], 1 + link)[link]
    before, out = view(tangent, 9 * parent, 9), view(tangent, 9 * link, 9)
    terms, d = view(reals_at(work[w.COEFFICIENTS], 1), 30 * link, 30), view(values, link * RECORD + D, 3)
    x, y, z = before[0], before[1], before[2]
    a, b, c = before[3], before[4], before[5]
    out[0], out[1], out[2] = x, y, z
    out[3] = a + (y * terms[2] - z * terms[1])
    out[4] = b + (z * terms[0] - x * terms[2])
    out[5] = c + (x * terms[1] - y * terms[0])
    out[6] = before[6] + (b * d[2] - c * d[1]) + (terms[3] * x + terms[4] * y + terms[5] * z)
    out[7] = before[7] + (c * d[0] - a * d[2]) + (terms[6] * x + terms[7] * y + terms[8] * z)
    out[8] = before[8] + (a * d[1] - b * d[0]) + (terms[9] * x + terms[10] * y + terms[11] * z)


@compiled
def add_wrench(work: Ints, link: int) -> None:
    """Variation of the moment and force that the body of a link takes; its inertia in world axes is in COMPOSITE."""
    values, tangent = reals_at(work[w.VALUES], 1), view(reals_at(work[w.TANGENT], 1), 9 * link, 9)
    out = view(reals_at(work[w.GATHERED], 1), 6 * link, 6)
    own, terms = view(values, link * RECORD + COMPOSITE, 10), view(reals_at(work[w.COEFFICIENTS], 1), 30 * link, 30)
    m, hx, hy, hz = own[0], own[1], own[2], own[3]
    x, y, z, a, b, c = tangent[0], tangent[1], tangent[2], tangent[3], tangent[4], tangent[5]
    ax, ay, az = tangent[6], tangent[7], tangent[8]
    out[3] += m * ax + (b * hz - c * hy) + (terms[12] * x + terms[13] * y + terms[14] * z)
    out[4] += m * ay + (c * hx - a * hz) + (terms[15] * x + terms[16] * y + terms[17] * z)
    out[5] += m * az + (a * hy - b * hx) + (terms[18] * x + terms[19] * y + terms[20] * z)
    turned = own[4] * a + own[5] * b + own[6] * c
    out[0] += turned + (hy * az - hz * ay) + (terms[21] * x + terms[22] * y + terms[23] * z)
    turned = own[5] * a + own[7] * b + own[8] * c
    out[1] += turned + (hz * ax - hx * az) + (terms[24] * x + terms[25] * y + terms[26] * z)
    turned = own[6] * a + own[8] * b + own[9] * c
    out[2] += turned + (hx * ay - hy * ax) + (terms[27] * x + terms[28] * y + terms[29] * z)
