"""Compiled loops over the runs of the passes."""

from __future__ import annotations

from dalembert.equations.recursion.tree.record import ACCELERATION, ALPHA, ART_M, COMPOSITE, MOMENT_W, RECORD, D
from dalembert.native.kernel import Ints, Reals, call_lanes, call_run, compiled, ints_at, view

#: Numbers of the passes (dalembert.equations.recursion.passes.passes.PASSES).
(
    POSE, VELOCITY, ARTICULATE, START, INWARD, OUTWARD, INERTIAL, INVERSE, GATHER, BODIES, TWISTS, BIAS, EXTERNAL,
    COLUMNS, COMPOSE, JOIN,
) = range(16)  # fmt: skip
#: Words about a tree: address of the runs; function, number of groups, places of angles and workspace of the sines;
#: where in the values sines and angles stand; number of links; for each record that of the parent, first velocity and
#: the one after the last; where in the values the columns of S stand.
RUNS, SINE_CODE, N_GROUPS, ANGLE_PLACES, SINE_WORK, SINES_AT, ANGLES_AT, N_LINKS, PARENTS, V_OF, COLUMNS_AT = range(11)
TREE_WORDS = 11


@compiled
def sweep(about: Ints, number: int, constants: Reals, q: Reals, v: Reals, right: Reals, values: Reals) -> None:
    """One pass over all links."""
    table = ints_at(about[RUNS], 64)
    for k in range(table[number], table[number + 1], 3):
        call_run(table[k], table[k + 1], ints_at(table[k + 2], 64), constants, q, v, right, values)


@compiled
def find_sines(about: Ints, q: Reals, values: Reals, tables: Ints) -> None:
    """Sines and cosines of all joint angles; ``tables``: two words of workspace."""
    n = 4 * about[N_GROUPS]
    if n == 0:
        return
    places = ints_at(about[ANGLE_PLACES], n)
    angles = view(values, about[ANGLES_AT], n)
    for k in range(n):
        angles[k] = q[places[k]]
    call_lanes(about[SINE_CODE], about[N_GROUPS], 1, 0, view(tables, 0, 1), view(tables, 1, 1), about[SINE_WORK])


@compiled
def start_from(values: Reals, x: float, y: float, z: float) -> None:
    """Acceleration of the world, opposite to gravity; nothing else moves it, and it collects what the roots leave."""
    for k in range(3):
        values[ALPHA + k] = 0.0
    values[ACCELERATION], values[ACCELERATION + 1], values[ACCELERATION + 2] = x, y, z
    for k in range(MOMENT_W, ART_M + 6):
        values[k] = 0.0
    for k in range(COMPOSITE, RECORD):
        values[k] = 0.0


@compiled
def mass_matrix(about: Ints, values: Reals, lower: Ints, upper: Ints, out: Reals) -> None:
    """M from composite inertias, RBDA table 6.2: each column of S takes a wrench, which all joints on the way to the
    root feel.

    ``lower``, ``upper``: places in ``out`` of the entries and of their mirror images, in the order of the walk.
    """
    parents, v_of = ints_at(about[PARENTS], about[N_LINKS] + 1), ints_at(about[V_OF], 2 * about[N_LINKS] + 2)
    columns = view(values, about[COLUMNS_AT], 1)
    t = 0
    for i in range(1, about[N_LINKS] + 1):
        own = view(values, i * RECORD + COMPOSITE, 10)
        m, hx, hy, hz = own[0], own[1], own[2], own[3]
        for k in range(v_of[2 * i], v_of[2 * i + 1]):
            s = view(columns, 6 * k, 6)
            ax, ay, az, lx, ly, lz = s[0], s[1], s[2], s[3], s[4], s[5]
            fx = m * lx + (ay * hz - az * hy)
            fy = m * ly + (az * hx - ax * hz)
            fz = m * lz + (ax * hy - ay * hx)
            nx = own[4] * ax + own[5] * ay + own[6] * az + (hy * lz - hz * ly)
            ny = own[5] * ax + own[7] * ay + own[8] * az + (hz * lx - hx * lz)
            nz = own[6] * ax + own[8] * ay + own[9] * az + (hx * ly - hy * lx)
            link = i
            while link > 0:
                for j in range(v_of[2 * link], v_of[2 * link + 1]):
                    s = view(columns, 6 * j, 6)
                    value = (s[0] * nx + s[1] * ny + s[2] * nz) + (s[3] * fx + s[4] * fy + s[5] * fz)
                    out[lower[t]] = value
                    out[upper[t]] = value
                    t += 1
                d = view(values, link * RECORD + D, 3)
                nx += d[1] * fz - d[2] * fy
                ny += d[2] * fx - d[0] * fz
                nz += d[0] * fy - d[1] * fx
                link = parents[link]
