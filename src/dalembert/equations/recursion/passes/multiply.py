"""Compiled products with J and its transpose."""

from __future__ import annotations

from dalembert.equations.recursion.passes.sweep import COLUMNS_AT, N_LINKS, PARENTS, V_OF
from dalembert.equations.recursion.tree.record import CENTRE, FIRST_CONSTANT, LINK_CONSTANTS, RECORD, D, R
from dalembert.native.kernel import Ints, Reals, compiled, ints_at, view

#: As in dalembert.equations.recursion.passes.product.
_HEADER, _GROUP = 3, 8


@compiled
def entry_of(given: Reals, place: int) -> float:
    """An entry, or zero."""
    return given[place] if place >= 0 else 0.0


@compiled
def times_J(product_at: int, about: Ints, constants: Reals, values: Reals, given: Reals, out: Reals) -> None:
    """Rows of a sparse matrix, ``given`` by its entries, times J."""
    header = ints_at(product_at, _HEADER)
    n_groups, n_direct, n_zeros = header[0], header[1], header[2]
    at = product_at + 8 * _HEADER
    groups = ints_at(at, _GROUP * n_groups)
    direct = ints_at(at + 8 * _GROUP * n_groups, 2 * n_direct)
    zeros = ints_at(at + 8 * (_GROUP * n_groups + 2 * n_direct), n_zeros)
    targets = ints_at(at + 8 * (_GROUP * n_groups + 2 * n_direct + n_zeros), 1)
    parents, v_of = ints_at(about[PARENTS], about[N_LINKS] + 1), ints_at(about[V_OF], 2 * about[N_LINKS] + 2)
    columns = view(values, about[COLUMNS_AT], 1)
    for k in range(n_zeros):
        out[zeros[k]] = 0.0
    for k in range(n_direct):
        out[direct[2 * k + 1]] += given[direct[2 * k]]
    for k in range(n_groups):
        group = view(groups, _GROUP * k, _GROUP)
        link, t = group[0], group[7]
        fx, fy, fz = entry_of(given, group[1]), entry_of(given, group[2]), entry_of(given, group[3])
        mx, my, mz = entry_of(given, group[4]), entry_of(given, group[5]), entry_of(given, group[6])
        turn = view(values, link * RECORD + R, 9)
        c = view(constants, FIRST_CONSTANT + (link - 1) * LINK_CONSTANTS + CENTRE, 3)
        ax = turn[0] * c[0] + turn[1] * c[1] + turn[2] * c[2]
        ay = turn[3] * c[0] + turn[4] * c[1] + turn[5] * c[2]
        az = turn[6] * c[0] + turn[7] * c[1] + turn[8] * c[2]
        nx = turn[0] * mx + turn[1] * my + turn[2] * mz + (ay * fz - az * fy)
        ny = turn[3] * mx + turn[4] * my + turn[5] * mz + (az * fx - ax * fz)
        nz = turn[6] * mx + turn[7] * my + turn[8] * mz + (ax * fy - ay * fx)
        while link > 0:
            for j in range(v_of[2 * link], v_of[2 * link + 1]):
                s = view(columns, 6 * j, 6)
                out[targets[t]] += (s[0] * nx + s[1] * ny + s[2] * nz) + (s[3] * fx + s[4] * fy + s[5] * fz)
                t += 1
            d = view(values, link * RECORD + D, 3)
            nx += d[1] * fz - d[2] * fy
            ny += d[2] * fx - d[0] * fz
            nz += d[0] * fy - d[1] * fx
            link = parents[link]
