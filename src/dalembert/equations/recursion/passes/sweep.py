"""Compiled loops over the runs of the passes."""

from __future__ import annotations

from dalembert.equations.recursion.passes.words import run_word, tree_word
from dalembert.equations.recursion.tree.record import record
from dalembert.native.kernel import Ints, Reals, call_lanes, call_run, compiled, ints_at, view


@compiled
def sweep(about: Ints, number: int, constants: Reals, q: Reals, v: Reals, right: Reals, values: Reals) -> None:
    """One pass over all links."""
    table = ints_at(about[tree_word.RUNS], 64)
    for k in range(table[number], table[number + 1], run_word.end):
        code, n_links, offsets = table[k + run_word.CODE], table[k + run_word.N_LINKS], table[k + run_word.OFFSETS]
        call_run(code, n_links, ints_at(offsets, 64), constants, q, v, right, values)


@compiled
def find_sines(about: Ints, q: Reals, values: Reals, tables: Ints) -> None:
    """Sines and cosines of all joint angles; ``tables``: two words of workspace."""
    n = 4 * about[tree_word.N_GROUPS]
    if n == 0:
        return
    places = ints_at(about[tree_word.ANGLE_PLACES], n)
    angles = view(values, about[tree_word.ANGLES_AT], n)
    for k in range(n):
        angles[k] = q[places[k]]
    code, n_groups, work = about[tree_word.SINE_CODE], about[tree_word.N_GROUPS], about[tree_word.SINE_WORK]
    call_lanes(code, n_groups, 1, 0, view(tables, 0, 1), view(tables, 1, 1), work)


@compiled
def start_from(values: Reals, x: float, y: float, z: float) -> None:
    """Acceleration of the world, opposite to gravity; nothing else moves it, and it collects what the roots leave."""
    for k in range(3):
        values[record.ALPHA + k] = 0.0
    values[record.ACCELERATION], values[record.ACCELERATION + 1], values[record.ACCELERATION + 2] = x, y, z
    for k in range(record.MOMENT, record.ART_M + 6):
        values[k] = 0.0
    for k in range(record.COMPOSITE, record.end):
        values[k] = 0.0


@compiled
def mass_matrix(about: Ints, values: Reals, lower: Ints, upper: Ints, out: Reals) -> None:
    """M from composite inertias, RBDA table 6.2: each column of S takes a wrench, which all joints on the way to the
    root feel.

    ``lower``, ``upper``: places in ``out`` of the entries and of their mirror images, in the order of the walk.
    """
    n_links = about[tree_word.N_LINKS]
    parents, v_of = ints_at(about[tree_word.PARENTS], n_links + 1), ints_at(about[tree_word.V_OF], 2 * n_links + 2)
    columns = view(values, about[tree_word.COLUMNS_AT], 1)
    t = 0
    for i in range(1, n_links + 1):
        own = view(values, i * record.end, record.end)
        h, I = view(own, record.COMPOSITE_MOMENT, 3), view(own, record.COMPOSITE_INERTIA, 6)
        m, hx, hy, hz = own[record.COMPOSITE], h[0], h[1], h[2]
        for k in range(v_of[2 * i], v_of[2 * i + 1]):
            s = view(columns, 6 * k, 6)
            ax, ay, az, lx, ly, lz = s[0], s[1], s[2], s[3], s[4], s[5]
            fx = m * lx + (ay * hz - az * hy)
            fy = m * ly + (az * hx - ax * hz)
            fz = m * lz + (ax * hy - ay * hx)
            nx = I[0] * ax + I[1] * ay + I[2] * az + (hy * lz - hz * ly)
            ny = I[1] * ax + I[3] * ay + I[4] * az + (hz * lx - hx * lz)
            nz = I[2] * ax + I[4] * ay + I[5] * az + (hx * ly - hy * lx)
            link = i
            for _ in range(i):
                if link <= 0:
                    break
                for j in range(v_of[2 * link], v_of[2 * link + 1]):
                    s = view(columns, 6 * j, 6)
                    value = (s[0] * nx + s[1] * ny + s[2] * nz) + (s[3] * fx + s[4] * fy + s[5] * fz)
                    out[lower[t]] = value
                    out[upper[t]] = value
                    t += 1
                d = view(values, link * record.end + record.D, 3)
                nx += d[1] * fz - d[2] * fy
                ny += d[2] * fx - d[0] * fz
                nz += d[0] * fy - d[1] * fx
                link = parents[link]
