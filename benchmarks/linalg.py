"""The modes of dalembert.linalg on the matrix of constrained motion of a chain of N insulators, N = 16 … 4096.

The chain is that of mexx, section 5.4, in a bent configuration: n_v = 3 (N + 1) + 2 velocities, of which two have no
mass, and n_lam = 2 (N + 1) + 2 multipliers.  Modes that need a regular M get a mass of 1 kg at the force point, and a
case of their own.

factor      one factorisation with known structure, from the entries of M and G to the factors
solve       one solution with it; ours includes the check of the residual where the mode has one
growth      time at 2 N insulators over twice the time at N: 1 is linear growth
iterations  of conjugate gradients, with a decomposition that is kept from angles that were 1 % (0.1 %) smaller

Baselines: KLU (SuiteSparse), refactorisation with known structure, by its C interface; SuperLU through
scipy.sparse.linalg.splu, which analyses the matrix each time, and is called from Python.  Ours and KLU are called from
compiled loops.  Before anything is timed, solutions are compared with that of SuperLU.

What the numbers cannot show: repeating one matrix keeps everything in the caches of the processor.  The matrix of KLU
is there already, while ours is assembled inside of the factorisation.  Full matrices are left out where they would take
longer than everything else together.

Bars: a factorisation takes at most a fifth (recursive) or half (sparse) of KLU's at N = 32 and 64, and both factor and
solve of the recursive mode grow linearly within 10 % from each N to the next, up to 4096.

``--table`` prints the table of docs/linear_algebra.md, ``--plots docs/figures`` draws its pictures; both can be had
from an earlier run: ``--json > FILE``, then ``--from FILE``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy
import scipy.sparse
import scipy.sparse.linalg

from _common import Reporter, Row, best_of, parser, pin_to_one_core, rows_of
from _compiled_loops import Klu, klu_library, loop_over, with_sizes
from _insulators import Chain, insulators
from dalembert.linalg.modes.gradients import GRADIENTS
from dalembert.linalg.plan import HEAD, Structure
from dalembert.linalg.saddle import MODES, Saddle, analyse_saddle, why_not

#: Largest N for modes with full matrices, whose time grows with the cube.
FULL = {"dense": 256, "symmetric": 256, "cholesky-qr": 64, "minimal": 64}
TOLERANCE = 1e-9
#: How much the angles have changed since the decomposition that conjugate gradients keep.
CHANGES = (0.01, 0.001)
KLU = "KLU refactorisation"
#: Bars: time of a factorisation over KLU's at these N; growth.
AGAINST_KLU, COMPARED = {"recursive": 0.2, "sparse": 0.5}, (32, 64)
GROWTH = {"recursive": 1.1}


def microseconds(loop: Callable[[int], int], repeats: int) -> float:
    """Time of one call in a compiled loop of half a millisecond, short enough to run undisturbed now and then."""
    once = best_of(lambda: loop(1), 3, at_least=1e-4)
    calls = max(1, int(5e-4 / once))
    return 1e6 * best_of(lambda: loop(calls), repeats, at_least=4e-4) / calls


def check(name: str, found: Any, expected: Any) -> None:
    error = np.max(np.abs(found - expected)) / np.max(np.abs(expected))
    if not error < TOLERANCE:
        sys.exit(f"{name}: the solution differs by {error:.1e} from that of SuperLU")


class Baselines:
    """SuperLU, and KLU where it can be found."""

    def __init__(self, chain: Chain, repeats: int) -> None:
        values, rows, columns = chain.matrix()
        n = chain.n_v + chain.n_lam
        matrix = scipy.sparse.csc_array((values, (rows, columns)), shape=(n, n))
        matrix.sort_indices()
        factors = scipy.sparse.linalg.splu(matrix)
        self.solution = factors.solve(chain.right)
        self.times = {
            f"SuperLU, scipy {scipy.__version__}": (
                1e6 * best_of(lambda: scipy.sparse.linalg.splu(matrix), repeats),
                1e6 * best_of(lambda: factors.solve(chain.right), repeats),
            )
        }
        library = klu_library()
        if library is not None:
            klu = Klu(library, matrix.indptr, matrix.indices, matrix.data, chain.right)
            klu.solve(1)
            check("KLU", klu.x, self.solution)
            self.times[KLU] = microseconds(klu.refactor, repeats), microseconds(klu.solve, repeats)


def ours(mode: str, chain: Chain, expected: Any, repeats: int) -> tuple[float, float]:
    """Microseconds for factor and solve."""
    made = Saddle(analyse_saddle(mode, *structure(chain)))
    status = made.factor(chain.M, chain.G)
    status_of_solution, x = made.solve(chain.right)
    if status or status_of_solution or made.ints[HEAD.TROUBLES]:
        sys.exit(f"{mode}: status {status}, {status_of_solution}, {made.ints[HEAD.TROUBLES]} bad decompositions")
    check(mode, x, expected)
    right = np.array(chain.right)
    arrays = made.values, made.ints, made.addresses, chain.M, chain.G, np.zeros(0)
    factor = loop_over(MODES[mode].factor.address, with_sizes(*arrays))
    solve = loop_over(MODES[mode].solve.address, with_sizes(*arrays, right), restored=(right, chain.right))
    return microseconds(factor, repeats), microseconds(solve, repeats)


def structure(chain: Chain) -> Structure:
    return Structure(chain.n_v, chain.n_lam, chain.M_at, chain.G_at, chain.no_friction)


def gradients(N: int, change: float, repeats: int) -> tuple[float, float, int]:
    """Factor, solve and iterations with a decomposition that is kept from other angles."""
    chain, before = insulators(N, 1.0, mass_of_point=1.0), insulators(N, 1.0 - change, mass_of_point=1.0)
    made = Saddle(analyse_saddle("conjugate-gradients", *structure(chain)))
    made.factor(before.M, before.G)
    made.factor(chain.M, chain.G)
    status, x = made.solve(chain.right)
    if status or made.ints[HEAD.TROUBLES]:
        sys.exit(f"conjugate-gradients: status {status}, {made.ints[HEAD.TROUBLES]} bad decompositions")
    values, rows, columns = chain.matrix()
    matrix = scipy.sparse.csc_array((values, (rows, columns)), shape=(x.size, x.size))
    check("conjugate-gradients", x, scipy.sparse.linalg.spsolve(matrix, chain.right))
    iterations = int(made.ints[made.ints[HEAD.OWN] + GRADIENTS.ITERATIONS])
    right = np.array(chain.right)
    arrays = made.values, made.ints, made.addresses, chain.M, chain.G, np.zeros(0)
    mode = MODES["conjugate-gradients"]
    factor = loop_over(mode.factor.address, with_sizes(*arrays))
    solve = loop_over(mode.solve.address, with_sizes(*arrays, right), restored=(right, chain.right))
    return microseconds(factor, repeats), microseconds(solve, repeats), iterations


def measure(report: Reporter, sizes: tuple[int, ...], repeats: int) -> None:
    known: dict[tuple[str, str, int], float] = {}
    for N in sizes:
        for mass in (0.0, 1.0):
            chain = insulators(N, mass_of_point=mass)
            baselines = Baselines(chain, repeats)
            case = f"{N} insulators" + (", force point with mass" if mass else "")
            for mode in MODES:
                served = not why_not(mode, structure(chain))
                if mode == "conjugate-gradients" or N > FULL.get(mode, N) or not served:
                    continue
                if mass and not why_not(mode, structure(insulators(N))):
                    continue  # it is in the other case
                measured = ours(mode, chain, baselines.solution, repeats)
                for what, place in (("factor", 0), ("solve", 1)):
                    known[what, mode, N] = measured[place]
                    limit = AGAINST_KLU.get(mode) if what == "factor" and N in COMPARED else None
                    others: dict[str, float | None] = {name: both[place] for name, both in baselines.times.items()}
                    if limit is not None:
                        others.setdefault(KLU, None)
                    for name, theirs in others.items():
                        report.add(
                            case=case, quantity=f"{what}, {mode}", unit="us", ours=measured[place],
                            baseline=name, theirs=theirs, limit=limit if name == KLU else None,
                        )  # fmt: skip
                    if (half := known.get((what, mode, N // 2))) is not None:
                        report.add(
                            case=case, quantity=f"growth of {what}, {mode}", unit="1", ours=measured[place] / half / 2,
                            limit=GROWTH.get(mode),
                        )  # fmt: skip
        for change in CHANGES:
            case = f"{N} insulators, force point with mass, angles changed by {change:.1%}"
            factor, solve, iterations = gradients(N, change, repeats)
            report.add(case=case, quantity="factor, conjugate-gradients", unit="us", ours=factor)
            report.add(case=case, quantity="solve, conjugate-gradients", unit="us", ours=solve)
            report.add(case=case, quantity="iterations, conjugate-gradients", unit="1", ours=iterations)


def times(rows: list[Row]) -> dict[str, dict[int, dict[str, float]]]:
    """Microseconds by mode or baseline, N, and "factor" or "solve"."""
    cells: dict[str, dict[int, dict[str, float]]] = {}
    for row in rows:
        what, _, mode = row.quantity.partition(", ")
        N = int(row.case.split()[0])
        if what in ("factor", "solve") and not (mode == "conjugate-gradients" and "0.1%" not in row.case):
            cells.setdefault(mode, {}).setdefault(N, {})[what] = row.ours
            if row.baseline and "mass" not in row.case and row.theirs is not None:
                cells.setdefault(row.baseline, {}).setdefault(N, {})[what] = row.theirs
    return cells


def table(rows: list[Row]) -> str:
    """Markdown: factor / solve in microseconds, one line per mode, one column per N."""
    cells = times(rows)
    sizes = sorted({N for line in cells.values() for N in line})
    lines = ["| N | " + " | ".join(map(str, sizes)) + " |", "|---|" + "---|" * len(sizes)]
    for name, line in cells.items():
        shown = [f"{_short(line[N]['factor'])} / {_short(line[N]['solve'])}" if N in line else "" for N in sizes]
        lines.append(f"| {name} | " + " | ".join(shown) + " |")
    return "\n".join(lines)


def _short(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.2g}"


def main() -> None:
    made = parser(__doc__)
    made.add_argument("--table", action="store_true", help="print a table for the documentation as well")
    made.add_argument("--plots", type=Path, metavar="DIRECTORY", help="draw the pictures of the documentation there")
    made.add_argument(
        "--from", type=Path, dest="earlier", metavar="FILE", help="do not measure; JSON of an earlier run"
    )
    arguments = made.parse_args()
    if arguments.earlier:
        rows = rows_of(arguments.earlier.read_text())
    else:
        pin_to_one_core()
        sizes, repeats = ((16, 32), 5) if arguments.quick else (tuple(16 << k for k in range(9)), 60)
        with Reporter(json=arguments.json) as report:
            measure(report, sizes, repeats)
        rows = report.rows
    if arguments.table:
        print(table(rows))
    if arguments.plots:
        from _linalg_plots import draw

        draw(times(rows), arguments.plots)


if __name__ == "__main__":
    main()
