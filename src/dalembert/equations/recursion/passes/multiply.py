"""Compiled products with J and its transpose."""

from __future__ import annotations

from dalembert.equations.recursion.passes.words import product_word, tree_word, wrench_word
from dalembert.equations.recursion.tree.record import FIRST_CONSTANT, constant, record
from dalembert.native.kernel import Ints, Reals, compiled, ints_at, view


@compiled
def entry_of(given: Reals, place: int) -> float:
    """An entry, or zero."""
    return given[place] if place >= 0 else 0.0


@compiled
def times_J(product_at: int, about: Ints, constants: Reals, values: Reals, given: Reals, out: Reals) -> None:
    """Rows of a sparse matrix, ``given`` by its entries, times J."""
    header = ints_at(product_at, product_word.end)
    n_wrenches, n_direct = header[product_word.N_WRENCHES], header[product_word.N_DIRECT]
    n_zeros = header[product_word.N_ZEROS]
    at = product_at + 8 * product_word.end
    wrenches = ints_at(at, wrench_word.end * n_wrenches)
    at += 8 * wrench_word.end * n_wrenches
    direct = ints_at(at, 2 * n_direct)
    at += 8 * 2 * n_direct
    zeros = ints_at(at, n_zeros)
    targets = ints_at(at + 8 * n_zeros, 1)
    n_links = about[tree_word.N_LINKS]
    parents, v_of = ints_at(about[tree_word.PARENTS], n_links + 1), ints_at(about[tree_word.V_OF], 2 * n_links + 2)
    columns = view(values, about[tree_word.COLUMNS_AT], 1)
    for k in range(n_zeros):
        out[zeros[k]] = 0.0
    for k in range(n_direct):
        out[direct[2 * k + 1]] += given[direct[2 * k]]
    for k in range(n_wrenches):
        wrench = view(wrenches, wrench_word.end * k, wrench_word.end)
        link, t = wrench[wrench_word.LINK], wrench[wrench_word.TARGETS]
        fx, fy = entry_of(given, wrench[wrench_word.FX]), entry_of(given, wrench[wrench_word.FY])
        fz, mx = entry_of(given, wrench[wrench_word.FZ]), entry_of(given, wrench[wrench_word.MX])
        my, mz = entry_of(given, wrench[wrench_word.MY]), entry_of(given, wrench[wrench_word.MZ])
        turn = view(values, link * record.end + record.R, 9)
        c = view(constants, FIRST_CONSTANT + (link - 1) * constant.end + constant.CENTRE, 3)
        ax = turn[0] * c[0] + turn[1] * c[1] + turn[2] * c[2]
        ay = turn[3] * c[0] + turn[4] * c[1] + turn[5] * c[2]
        az = turn[6] * c[0] + turn[7] * c[1] + turn[8] * c[2]
        nx = turn[0] * mx + turn[1] * my + turn[2] * mz + (ay * fz - az * fy)
        ny = turn[3] * mx + turn[4] * my + turn[5] * mz + (az * fx - ax * fz)
        nz = turn[6] * mx + turn[7] * my + turn[8] * mz + (ax * fy - ay * fx)
        for _ in range(n_links):
            if link <= 0:
                break
            for j in range(v_of[2 * link], v_of[2 * link + 1]):
                s = view(columns, 6 * j, 6)
                out[targets[t]] += (s[0] * nx + s[1] * ny + s[2] * nz) + (s[3] * fx + s[4] * fy + s[5] * fz)
                t += 1
            d = view(values, link * record.end + record.D, 3)
            nx += d[1] * fz - d[2] * fy
            ny += d[2] * fx - d[0] * fz
            nz += d[0] * fy - d[1] * fx
            link = parents[link]
