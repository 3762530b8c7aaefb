"""Topology-based linear algebra: Tables 2 to 10 of D. Negrut, *On the implicit integration of differential-algebraic
equations of multibody dynamics*, PhD thesis, The University of Iowa, 1998, sections 3.4.2 and 3.4.3.

Tables 2–4: the seven-body mechanism (21 absolute coordinates, 20 constraints) and a chain of 50 bars (150, 100).
    Table 2: the augmented system (3.107) by a sparse LU, analysis included, against Algorithm 3, our mode "skyline".
    The thesis prints the columns of this table in each other's place: as they stand, the chain would take less for all
    of its unknowns than Table 4 gives for its multipliers alone.  Tables 3 and 4: the reduced system (3.108) alone, for
    a bad and a good order of joints, against full and sparse solvers.
Tables 6–8: operations for the vehicle with 14 bodies, 27 relative coordinates and 16 constraints of cut joints.
    Gauss, Alg-S and Alg-D.  With the habits of the thesis: diagonal blocks that are products are formed in full, and
    step 3.4 leaves out its substitutions.  Without them zeros and symmetry are used throughout.  Printed otherwise in
    the thesis: D of step 2 of Alg-S (7 for 27, by its own sum), step 3.4 of Alg-D (2280 for 920, with the D of 920),
    the sum of A of Alg-D (15914, where its columns add up to 16274).
Tables 9 and 10: times for the same matrices, with random numbers in place of geometry.
    dgesv, dsysv, a sparse LU, Alg-S by loops and by code without loops (mode "composite"), Alg-D (mode
    "composite-dense"), and shares of the steps.  Then times for the vehicle of this library at its start.

Times are quotients of times in one run on one core: theirs over ours, as the thesis compares them; ``paper`` is the
same quotient there.  SuperLU is called from Python, as SciPy offers it; KLU by its C interface.  LAPACK's routines and
ours run in compiled loops, and what they overwrite is restored before each call.  Before anything is timed, solutions
are compared.

What the numbers cannot show: matrices that stay in the cache of the processor; assembly, which is part of "skyline" and
"composite" but not of the routines of LAPACK.  The bad order of the chain is that of Figure 5 (b), that of the
seven-body mechanism the worst that forty searches found, since Figure 3 (a) is not given in numbers.

Bars: those quotients that the thesis reaches.  Two are missed: a bad order of joints costs twice and 13 times as much
as a good one, in place of 3.1 and 56 times.  The factorisation of the thesis multiplies everything within the envelope,
which explains its numbers (3.5 and 54.5 of the multiplications); ours leaves out what stands in front of the shorter of
two rows (3.1 and 32), and a processor of today goes through long rows faster than through short ones, where each pivot
waits for the one before.  It is the bad order that has become cheaper.

Beside them: our modes "skyline", "range", "sparse" and "recursive" on mechanisms that differ in what joins them.

``--table`` prints these for docs/linear_algebra.md, ``--plots docs/figures`` draws Figures 4 and 6 again.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse

from _common import Reporter, Row, best_of, parser, pin_to_one_core
from _compiled_loops import Klu, klu_library
from _thesis_systems import (
    Mechanism,
    ModeLoop,
    Reduced,
    binary_tree,
    chain,
    dense_steps,
    hmmwv14,
    klu_anew,
    ladder,
    microseconds,
    planar,
    seven_body,
    sparse_steps,
    star,
    superlu,
    whole,
)
from _tree_matrices import Tree, composite, random_tree, vehicle
from dalembert.linalg.modes.composite import analyse_composite, factor_families
from dalembert.linalg.modes.skyline import analyse_skyline, envelope_products
from dalembert.linalg.orders.family_order import (
    STEPS,
    FamilyTree,
    Operations,
    dense_operations,
    family_tree,
    gauss_operations,
)
from dalembert.linalg.orders.joint_order import JOINT_ORDERS, best_joint_order, block_profile, joint_graph
from dalembert.linalg.plan import Plan
from dalembert.linalg.saddle import analyse_saddle, why_not

TOLERANCE = 1e-8
#: Modes that stand beside each other in the documentation.
MODES_COMPARED = ("skyline", "range", "sparse", "recursive")
#: Joints of the seven-body mechanism in a bad order, and those of the chain as in Figure 5 (b).
BAD_SEVEN = [7, 3, 5, 0, 6, 4, 9, 8, 1, 2]
BAD_CHAIN = [int(k) for k in np.argsort([k // 2 if k % 2 == 0 else 49 - k // 2 for k in range(50)])]
#: Table 2: ExpA1 / ExpA2.
TABLE_2 = {"seven-body mechanism": 1.2933 / 0.2313, "chain of 50": 8.888 / 1.018}
#: Tables 3 and 4, seconds: dgetrf/dgetrs, dppsvx, MA28, own with the bad and with the good order.
TABLES_3_4 = {"seven-body mechanism": (0.79, 0.47, 0.88, 0.71, 0.23), "chain of 50": (53.87, 27.45, 4.14, 54.47, 0.98)}
#: Table 7 and Table 8: additions, multiplications, divisions, roots, step by step.
TABLE_7 = (
    (975, 165, 708, 172, 834, 680, 145, 192),
    (975, 165, 804, 172, 1135, 680, 162, 165),
    (165, 27, 174, 0, 0, 120, 0, 27),
    (27, 0, 0, 0, 0, 16, 0, 0),
)
TABLE_8 = (
    (3276, 351, 5616, 432, 3536, 2280, 405, 378),
    (3276, 351, 5616, 432, 3672, 2280, 432, 351),
    (351, 27, 432, 0, 0, 152, 0, 27),
    (27, 0, 0, 0, 0, 16, 0, 0),
)
KINDS = ("A", "M", "D", "SQ")
#: Cells of Table 7 that follow from the tree with the habits of the thesis.
EXPLAINED = {(kind, step) for kind in KINDS for step in ("1", "2", "3.1", "4")} | {("M", "3.3"), ("M", "3.4")}
#: Table 9, and Table 10 step by step, microseconds.
TABLE_9 = {"dgesv": 2336, "dsysv": 2022, "sparse LU": 3532, "Alg-S": 1201, "Alg-D": 1179}
TABLE_10 = {"Alg-S": (300, 59, 246, 50, 276, 159, 57, 54), "Alg-D": (289, 31, 347, 27, 276, 147, 31, 31)}


def check(name: str, found: Any, expected: Any) -> None:
    error = np.max(np.abs(found - expected)) / np.max(np.abs(expected))
    if not error < TOLERANCE:
        sys.exit(f"{name}: the solution differs by {error:.1e}")


# ------------------------------------------------------------------------------------------- Tables 2 to 4: joints


def joint_tables(report: Reporter, mechanism: Mechanism, bad: list[int], repeats: int) -> None:
    case, s = mechanism.name, mechanism.structure
    _print_profiles(report, mechanism, bad)
    rng = np.random.default_rng(0)
    right = rng.standard_normal(s.n_v + s.n_lam)
    # Table 2
    augmented = mechanism.augmented
    ours = ModeLoop(analyse_skyline(s), mechanism.M, mechanism.G, right)
    check("skyline", ours.x, np.linalg.solve(augmented.toarray(), right))
    loops = {"factor": ours.factor, "solve": ours.solve, "SuperLU": superlu(augmented, right)}
    library = klu_library()
    if library is not None:
        klu = Klu(library, augmented.indptr, augmented.indices, augmented.data, right)
        loops |= {"KLU": klu_anew(library, augmented, right), "refactor": klu.refactor, "KLU solve": klu.solve}
    times = microseconds(loops, repeats)
    own = times["factor"] + times["solve"]
    report.add(case=case, quantity="accelerations and multipliers, Algorithm 3", unit="us", ours=own)
    bar = 5.6 if "seven" in case else 8.7
    _quotient(report, case, "Table 2: SuperLU with analysis / Algorithm 3", times["SuperLU"] / own, TABLE_2[case], bar)
    if library is not None:
        _quotient(report, case, "Table 2: KLU with analysis / Algorithm 3", times["KLU"] / own, TABLE_2[case], bar)
        again = times["refactor"] + times["KLU solve"]
        _quotient(report, case, "Table 2: KLU, refactorisation / Algorithm 3", again / own, None, 1.0)
    # Tables 3 and 4
    b = right[s.n_v :]
    B = mechanism.reduced
    expected = np.linalg.solve(B, b)
    good_order, bad_order = Reduced(mechanism), Reduced(mechanism, bad)
    drivers = {name: whole(name, B, b) for name in ("dgesv", "dppsvx", "dposv")}
    loops = {"good": good_order.loop(b), "bad": bad_order.loop(b), "SuperLU": superlu(scipy.sparse.csc_array(B), b)}
    for name, made in (("good", good_order), ("bad", bad_order)):
        loops[name](1)
        check(f"skyline, {name} order", made.solution(), expected)
    times = microseconds(loops | {name: made.loop for name, made in drivers.items()}, repeats)
    table = "Table 3" if "seven" in case else "Table 4"
    lu, packed, ma28, badly, well = TABLES_3_4[case]
    bars = (3.0, 2.0, 3.8) if "seven" in case else (50.0, 28.0, 4.2)
    report.add(case=case, quantity="reduced system, good order", unit="us", ours=times["good"])
    report.add(case=case, quantity="reduced system, bad order", unit="us", ours=times["bad"])
    _quotient(report, case, f"{table}: bad / good order", times["bad"] / times["good"], badly / well, bars[0])
    _quotient(report, case, f"{table}: dgesv / good order", times["dgesv"] / times["good"], lu / well, None)
    _quotient(report, case, f"{table}: dppsvx / good order", times["dppsvx"] / times["good"], packed / well, bars[1])
    _quotient(report, case, f"{table}: dposv / good order", times["dposv"] / times["good"], None, bars[1])
    _quotient(report, case, f"{table}: SuperLU / good order", times["SuperLU"] / times["good"], ma28 / well, bars[2])
    # What the quotient of orders is made of.
    for quantity, skip in (("as done", True), ("with zeros in front of the shorter of two rows", False)):
        counts = [envelope_products(*made.lists(), skip=skip) for made in (bad_order, good_order)]
        quantity = f"{table}: multiplications, bad / good order, {quantity}"
        _quotient(report, case, quantity, counts[0] / counts[1], badly / well, None if skip else bars[0])


def _print_profiles(report: Reporter, mechanism: Mechanism, bad: list[int]) -> None:
    """Joint graph: bandwidth, profile and work by the ways to number, (3.124) to (3.126)."""
    neighbours = joint_graph(mechanism.structure).neighbours
    orders = {"bad": bad} | {name: number(neighbours) for name, number in JOINT_ORDERS.items()}
    orders["in use"] = best_joint_order(neighbours)
    for name, order in orders.items():
        found = block_profile(neighbours, order)
        for what in ("bandwidth", "profile", "work"):
            report.add(
                case=mechanism.name, quantity=f"{what} of B, order {name}", unit="blocks", ours=getattr(found, what)
            )  # fmt: skip


def _quotient(report: Reporter, case: str, quantity: str, ours: float, paper: float | None, bar: float | None) -> None:
    report.add(case=case, quantity=quantity, unit="1", ours=ours, paper=paper, limit=bar, bound="at least")


# -------------------------------------------------------------------------------------------- Tables 6 to 8: operations


def with_habits(operations: dict[str, Operations], tree: Tree, found: FamilyTree) -> dict[str, Operations]:
    """Counted as the thesis does."""
    body_of = {i: body for body in range(len(tree.fathers)) for i in tree.coordinates(body)}
    blocks = 0  # of products that are symmetric, what is above the diagonal
    for body in range(len(tree.fathers)):
        behind = sum(tree.sizes[other] for other in tree.family(body)) - tree.sizes[body]
        blocks += behind * tree.sizes[body] * (tree.sizes[body] - 1) // 2
    assert set(body_of) == set(found.order)
    reached, row, joints = found.reached(), 0, 0
    for _, _, size in tree.cut:
        joints += len(reached[row]) * size * (size - 1) // 2
        row += size
    m = len(reached)
    one, three, four = operations["1"], operations["3.3"], operations["3.4"]
    return operations | {
        "1": one._replace(additions=one.additions + blocks, multiplications=one.multiplications + blocks),
        "3.3": three._replace(multiplications=three.multiplications + joints),
        "3.4": Operations(
            four.additions - m * (m - 1), four.multiplications - m * (m - 1), four.divisions - 2 * m, four.roots
        ),
    }


def operation_tables(report: Reporter) -> None:
    tree = vehicle()
    made = composite(tree, np.random.default_rng(0))
    found = family_tree(made.structure())
    gauss = Operations().plus(*gauss_operations(sum(made.G.shape)).values())
    for kind, ours, paper in zip(KINDS, gauss, (27391, 27391, 946, 0), strict=True):
        report.add(case="Table 6, Gauss", quantity=f"{kind}, total", unit="1", ours=ours, paper=paper)
    report.add(
        case="Table 6, Gauss", quantity="totals that differ", unit="1", limit=0,
        ours=sum(a != b for a, b in zip(gauss, (27391, 27391, 946, 0), strict=True)),
    )  # fmt: skip
    plain = found.operations()
    habits = with_habits(plain, tree, found)
    _cells(report, "Table 7, Alg-S with the habits of the thesis", habits, TABLE_7, EXPLAINED)
    for kind, ours, limit in zip(KINDS, Operations().plus(*plain.values()), (3833, 4065, 545, 43), strict=True):
        report.add(case="Alg-S without them", quantity=f"{kind}, total", unit="1", ours=ours, limit=limit)
    dense = dense_operations(tree.n, len(made.G))
    _cells(
        report, "Table 8, Alg-D", dense, TABLE_8,
        {(kind, step) for kind in KINDS for step in STEPS if step != "3.4" or kind in ("D", "SQ")},
    )  # fmt: skip
    totals = Operations().plus(*dense.values())
    report.add(
        case="Table 8, Alg-D", quantity="totals that differ from 14914, 15050, 989, 43", unit="1", limit=0,
        ours=sum(a != b for a, b in zip(totals, (14914, 15050, 989, 43), strict=True)),
    )  # fmt: skip
    _random_trees(report)


def _cells(report: Reporter, case: str, counts: dict[str, Operations], table: Any, explained: Any) -> None:
    wrong = 0
    for k, kind in enumerate(KINDS):
        for step, paper in zip(STEPS, table[k], strict=True):
            ours = counts[step][k]
            report.add(case=case, quantity=f"{kind}, step {step}", unit="1", ours=ours, paper=paper)
            wrong += ours != paper and (kind, step) in explained
    report.add(case=case, quantity=f"cells that differ, of {len(explained)}", unit="1", ours=wrong, limit=0)


def _random_trees(report: Reporter) -> None:
    """Lemmas 2 and 3 on 100 trees with up to 20 bodies."""
    fill = entries = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        made = composite(random_tree(rng, int(rng.integers(2, 21)), cuts=3), rng)
        found = family_tree(made.structure())
        M, G = made.M[np.ix_(found.order, found.order)], made.G[:, found.order]
        L = np.linalg.cholesky(M)
        fill += int(np.count_nonzero(L)) - (int(np.count_nonzero(M)) + len(M)) // 2
        T = scipy.linalg.solve_triangular(L, G.T, lower=True)
        outside = np.ones(T.shape, dtype=bool)
        for k, reached in enumerate(found.reached()):
            outside[reached, k] = False
        entries += int(np.count_nonzero(T[outside]))
    report.add(case="100 random trees", quantity="fill in L", unit="1", ours=fill, limit=0)
    report.add(
        case="100 random trees", quantity="entries of T where Lemma 3 has zeros", unit="1", ours=entries, limit=0
    )


# ----------------------------------------------------------------------------------------------- Tables 9 and 10: times


def tree_tables(report: Reporter, repeats: int) -> None:
    """For the tree with random numbers, and for the vehicle of the library."""
    made = composite(vehicle(), np.random.default_rng(0))
    structure = made.structure()
    M, G = made.M[structure.M[:2]], made.G[structure.G[:2]]
    case = "vehicle, 27 + 16 unknowns"
    plan, right = _solvers(report, case, Mechanism(case, structure, M, G), repeats, bars=True)
    _steps(report, case, made, plan, (M, G, right), repeats)
    _families(report, case, plan, family_tree(structure), (M, G), repeats)
    model = hmmwv14()
    for kind, count in zip(KINDS, Operations().plus(*family_tree(model.structure).operations().values()), strict=True):
        report.add(case=model.name, quantity=f"operations of Alg-S: {kind}, total", unit="1", ours=count)
    _solvers(report, model.name, model, repeats, bars=False)


def _solvers(report: Reporter, case: str, mechanism: Mechanism, repeats: int, *, bars: bool) -> tuple[Plan, Any]:
    """Table 9; the plan of the loops of Alg-S, and the right-hand side."""
    structure, matrix = mechanism.structure, mechanism.augmented
    A = matrix.toarray()
    right = np.random.default_rng(1).standard_normal(len(A))
    expected = np.linalg.solve(A, right)
    modes = {
        "Alg-S by loops": analyse_composite(structure, coded=0),
        "Alg-S as code": analyse_composite(structure),
        "Alg-D": analyse_saddle("composite-dense", *structure),
    }
    modes |= {
        mode: analyse_saddle(mode, *structure) for mode in ("recursive", "sparse") if not why_not(mode, structure)
    }
    solvers = {name: ModeLoop(plan, mechanism.M, mechanism.G, right) for name, plan in modes.items()}
    loops: dict[str, Any] = {}
    for name, solver in solvers.items():
        check(name, solver.x, expected)
        loops |= {f"{name}, factor": solver.factor, f"{name}, solve": solver.solve}
    drivers = {name: whole(name, A, right) for name in ("dgesv", "dsysv")}
    for name, driver in drivers.items():
        driver.loop(1)
        assert driver.work is not None
        check(name, driver.work[-len(right) :], expected)
        loops[name] = driver.loop
    loops["SuperLU"] = superlu(matrix, right)
    library = klu_library()
    if library is not None:
        loops["KLU with analysis"] = klu_anew(library, matrix, right)
    times = microseconds(loops, repeats)
    times |= {name: times[f"{name}, factor"] + times[f"{name}, solve"] for name in modes}
    for name in (*modes, "dgesv", "dsysv"):
        report.add(case=case, quantity=f"one solution, {name}", unit="us", ours=times[name])
    dense = times["Alg-D"]
    theirs = {name: time / TABLE_9["Alg-D"] for name, time in TABLE_9.items()}
    others = (("dgesv", "dgesv", 1.98), ("dsysv", "dsysv", 1.71), ("SuperLU", "sparse LU", 3.0))
    for name, known, bar in (*others, ("KLU with analysis", "sparse LU", 3.0)):
        if name in times:
            _quotient(
                report, case, f"Table 9: {name} / Alg-D", times[name] / dense, theirs[known], bar if bars else None
            )  # fmt: skip
    for name, bar in (("Alg-S by loops", None), ("Alg-S as code", 0.5 if bars else None)):
        report.add(
            case=case, quantity=f"Table 9: {name} / Alg-D", unit="1", ours=times[name] / dense, paper=theirs["Alg-S"],
            limit=bar,
        )  # fmt: skip
    return modes["Alg-S by loops"], right


def _steps(report: Reporter, case: str, made: Any, plan: Any, values: Any, repeats: int) -> None:
    """Table 10: shares of the steps in the whole."""
    _held, sparse = sparse_steps(plan, *values)
    dense = dense_steps(made.M, made.G, values[2])
    times = {
        "Alg-S": microseconds(sparse, repeats), "Alg-D": microseconds({k: f.loop for k, f in dense.items()}, repeats)
    }  # fmt: skip
    together = times["Alg-S"].pop("3.3 and decomposition")
    times["Alg-S"]["3.4"] += max(together - times["Alg-S"]["3.3"], 0.0)
    for name, found in times.items():
        whole_time, paper = sum(found.values()), sum(TABLE_10[name])
        for step, theirs in zip(STEPS, TABLE_10[name], strict=True):
            report.add(
                case=case, quantity=f"Table 10: share of step {step}, {name}", unit="1", ours=found[step] / whole_time,
                paper=theirs / paper,
            )  # fmt: skip


def _families(report: Reporter, case: str, plan: Any, tree: FamilyTree, values: Any, repeats: int) -> None:
    """Corollary 3: what it takes to hand families to threads, beside decomposing them one after the other."""
    families, _ = tree.subtrees(4)
    found = np.zeros(plan.value_size)
    with ThreadPoolExecutor(2) as pool:
        one, many = (
            best_of(lambda each=each: factor_families(found, plan, families, *values, each), repeats)  # type: ignore[misc]
            for each in (map, pool.map)
        )
    report.add(
        case=case, quantity="decomposition by families from Python, two threads", unit="us", ours=1e6 * many,
        baseline="one thread", theirs=1e6 * one,
    )  # fmt: skip


# ----------------------------------------------------------------------------------------------------- other modes


def compared() -> list[Mechanism]:
    """Mechanisms in absolute coordinates that differ in what joins them."""
    return [
        seven_body(), chain(), chain(500), planar("binary tree of 127", binary_tree(127)),
        planar("star of 40", star(40)), planar("ladder of 25 rungs", ladder(25)),
    ]  # fmt: skip


def mode_table(report: Reporter, repeats: int) -> None:
    """Decomposition and solution by modes that solve for the forces, or use what is sparse otherwise."""
    for mechanism in compared():
        s = mechanism.structure
        right = np.random.default_rng(0).standard_normal(s.n_v + s.n_lam)
        solvers = {
            mode: ModeLoop(analyse_saddle(mode, *s), mechanism.M, mechanism.G, right)
            for mode in MODES_COMPARED
            if not why_not(mode, s)
        }
        for mode, solver in solvers.items():
            check(f"{mechanism.name}, {mode}", solver.x, solvers["sparse"].x)
        loops = {
            f"{mode}, {what}": getattr(made, what) for mode, made in solvers.items() for what in ("factor", "solve")
        }
        times = microseconds(loops, repeats)
        for mode in solvers:
            report.add(
                case=mechanism.name, quantity=f"modes: {mode}", unit="us",
                ours=times[f"{mode}, factor"] + times[f"{mode}, solve"],
            )  # fmt: skip


def table(rows: list[Row]) -> str:
    """Markdown: microseconds for one decomposition and solution, one line per mechanism."""
    cells: dict[str, dict[str, float]] = {}
    for row in rows:
        if row.quantity.startswith("modes: "):
            cells.setdefault(row.case, {})[row.quantity.removeprefix("modes: ")] = row.ours
    lines = ["| mechanism | " + " | ".join(MODES_COMPARED) + " |", "|---|" + "---|" * len(MODES_COMPARED)]
    for case, found in cells.items():
        shown = [f"{found[mode]:.3g}" if mode in found else "" for mode in MODES_COMPARED]
        lines.append(f"| {case} | " + " | ".join(shown) + " |")
    return "\n".join(lines)


def _repeats(quick: bool) -> int:
    return 5 if quick else 40


def tables(report: Reporter, quick: bool) -> None:
    """Tables 2 to 10."""
    repeats = _repeats(quick)
    joint_tables(report, seven_body(), BAD_SEVEN, repeats)
    joint_tables(report, chain(), BAD_CHAIN, repeats)
    operation_tables(report)
    tree_tables(report, repeats)


def main() -> None:
    made = parser(__doc__)
    made.add_argument("--table", action="store_true", help="print the table of modes for the documentation as well")
    made.add_argument("--plots", type=Path, metavar="DIRECTORY", help="draw the pictures of the documentation there")
    arguments = made.parse_args()
    if arguments.plots:
        from _thesis_plots import draw

        draw(((seven_body(), BAD_SEVEN), (chain(), BAD_CHAIN)), best_joint_order, arguments.plots)
        return
    pin_to_one_core()
    with Reporter(json=arguments.json) as report:
        tables(report, arguments.quick)
        mode_table(report, _repeats(arguments.quick))
    if arguments.table:
        print(table(report.rows))


if __name__ == "__main__":
    main()
