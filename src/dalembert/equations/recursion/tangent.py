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

from dalembert.equations.recursion import words as w
from dalembert.equations.recursion.record import (
    ACCELERATION,
    ALPHA,
    COMPOSITE,
    OMEGA,
    RECORD,
    VELOCITY,
    D,
)
from dalembert.equations.recursion.sweep import COLUMNS_AT, PARENTS
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
def carry_tangent(work: Ints, link: int, scratch: Reals) -> None:
    """Variations at a link behind one whose variations are known."""
    values, tangent = reals_at(work[w.VALUES], 1), reals_at(work[w.TANGENT], 1)
    parent = ints_at(work[PARENTS], 1 + link)[link]
    before, out = view(tangent, 9 * parent, 9), view(tangent, 9 * link, 9)
    omega, d = view(values, parent * RECORD + OMEGA, 3), view(values, link * RECORD + D, 3)
    relative_velocity(values, link, parent, scratch)
    for i in range(9):
        out[i] = before[i]
    d_omega, d_alpha, a = view(before, 0, 3), view(before, 3, 3), view(out, 6, 3)
    cross_to(view(out, 3, 3), d_omega, view(scratch, 0, 3), 1.0)
    carried = view(scratch, 6, 3)
    carried[0] = carried[1] = carried[2] = 0.0
    cross_to(carried, omega, d, 1.0)
    for i in range(3):
        carried[i] += 2.0 * scratch[3 + i]
    cross_to(a, d_alpha, d, 1.0)
    cross_to(a, d_omega, carried, 1.0)
    carried[0] = carried[1] = carried[2] = 0.0
    cross_to(carried, d_omega, d, 1.0)
    cross_to(a, omega, carried, 1.0)


@compiled
def add_wrench(work: Ints, link: int, scratch: Reals) -> None:
    """Variation of the moment and force that the body of a link takes; the inertia in world axes stands in COMPOSITE."""
    values, d = reals_at(work[w.VALUES], 1), view(reals_at(work[w.TANGENT], 1), 9 * link, 9)
    out = view(reals_at(work[w.GATHERED], 1), 6 * link, 6)
    own, omega = view(values, link * RECORD + COMPOSITE, 10), view(values, link * RECORD + OMEGA, 3)
    m, h, I = own[0], view(own, 1, 3), view(own, 4, 6)
    d_omega, d_alpha, d_a = view(d, 0, 3), view(d, 3, 3), view(d, 6, 3)
    n, f, x = view(out, 0, 3), view(out, 3, 3), view(scratch, 0, 3)
    for i in range(3):
        f[i] += m * d_a[i]
    cross_to(f, d_alpha, h, 1.0)
    cross_to(n, h, d_a, 1.0)
    x[0] = x[1] = x[2] = 0.0
    cross_to(x, omega, h, 1.0)
    cross_to(f, d_omega, x, 1.0)
    x[0] = x[1] = x[2] = 0.0
    cross_to(x, d_omega, h, 1.0)
    cross_to(f, omega, x, 1.0)
    n[0] += I[0] * d_alpha[0] + I[1] * d_alpha[1] + I[2] * d_alpha[2]
    n[1] += I[1] * d_alpha[0] + I[3] * d_alpha[1] + I[4] * d_alpha[2]
    n[2] += I[2] * d_alpha[0] + I[4] * d_alpha[1] + I[5] * d_alpha[2]
    x[0] = I[0] * omega[0] + I[1] * omega[1] + I[2] * omega[2]
    x[1] = I[1] * omega[0] + I[3] * omega[1] + I[4] * omega[2]
    x[2] = I[2] * omega[0] + I[4] * omega[1] + I[5] * omega[2]
    cross_to(n, d_omega, x, 1.0)
    x[0] = I[0] * d_omega[0] + I[1] * d_omega[1] + I[2] * d_omega[2]
    x[1] = I[1] * d_omega[0] + I[3] * d_omega[1] + I[4] * d_omega[2]
    x[2] = I[2] * d_omega[0] + I[4] * d_omega[1] + I[5] * d_omega[2]
    cross_to(n, omega, x, 1.0)
