"""The tables of the mexx paper: Ch. Lubich, U. Nowak, U. Pöhle, Ch. Engstler, MEXX – Numerical Software for the
Integration of Constrained Mechanical Multibody Systems, tables 5.1 … 5.6 and the roots of sections 5.2 and 5.4.

Counts are compared as the paper counts: ``nstep`` accepted steps, ``nfcn`` evaluations of (M, G, gI) by the
discretization, ``nsol`` solutions of linear systems; the first step is 1e-3.  "error / tolerance" is the error of the
positions at the end in the norm (2.8), against reference solutions with 10 digits or more; the paper gives none.
Seconds of 1993 stand as ``paper`` for orientation only.

5.1  cable drum with dry friction: standard (2.1) and modified (2.2) discretization.  Errors against the exact solution.
5.2  seven-body mechanism; cost of dense output and of the roots of β̈ (of the steps alone: they take a millisecond
here,
     and the preparation of an event in Python several); full and symmetric linear algebra.
5.3  planar truck.  The data of 1992 are not public: the surrogate of this library stands in, so only the growth of the
     counts with the tolerance can be compared.
5.4  insulator chains: dimensions and structural non-zeros.
5.5  insulator chains by N and tolerance, with three modes of linear algebra.
5.6  average time of a decomposition and of a solution; what is compared is the growth from N to 2 N.

Bars: nstep at most half as many again as in the paper, nfcn and nsol a quarter more; errors at most 10 tolerances
(except for the standard discretization of the drum, whose errors grow with friction); dense output, roots and the
errors of roots at most what they are in the paper.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import dalembert as da
from _common import Reporter, parser, pin_to_one_core
from _stopwatch import watched_runs

#: Tables 5.1, 5.2, 5.3, 5.5: (nstep, nfcn, nsol); the standard discretization fails from μ = 1.25 on.
DRUM = {
    "standard": {0.0: (7, 99, 107), 0.125: (8, 102, 111), 0.25: (9, 112, 122), 0.5: (10, 162, 173),
                 0.75: (23, 273, 297), 1.0: (76, 1082, 1159), 1.25: None, 1.5: None},
    "modified": {0.0: (7, 99, 107), 0.125: (7, 99, 107), 0.25: (7, 99, 107), 0.5: (7, 99, 107), 0.75: (7, 105, 114),
                 1.0: (7, 87, 95), 1.25: (9, 149, 159), 1.5: (8, 114, 123)},
}  # fmt: skip
SEVEN_BODY = {
    1e-3: (17, 488, 511), 1e-5: (26, 925, 957), 1e-7: (23, 1530, 1563), 1e-9: (32, 2533, 2571), 1e-11: (37, 3554, 3611),
}  # fmt: skip
SEVEN_BODY_LINALG = {1e-3: (2.1, 2.3), 1e-5: (3.8, 4.1), 1e-7: (6.7, 7.4), 1e-9: (11.0, 11.1), 1e-11: (15.9, 14.2)}
TRUCK = {
    "measured": {1e-3: (692, 9492, 10185), 1e-5: (552, 16489, 17042), 1e-7: (511, 32772, 33284),
                 1e-9: (595, 53904, 54500), 1e-11: (766, 81473, 82240)},
    "sine": {1e-3: (301, 5749, 6051), 1e-5: (274, 13540, 13815), 1e-7: (304, 25200, 25505), 1e-9: (349, 38282, 38632),
             1e-11: (492, 54255, 54748)},
}  # fmt: skip
DIMENSIONS = {16: (53, 36, 89, 327), 32: (101, 68, 169, 631), 64: (197, 132, 329, 1239)}
INSULATORS = {
    16: {1e-3: (13, 583, 597), 1e-5: (13, 846, 862), 1e-7: (17, 1396, 1414)},
    32: {1e-3: (13, 473, 488), 1e-5: (12, 759, 774), 1e-7: (15, 1204, 1220)},
    64: {1e-3: (13, 444, 460), 1e-5: (15, 890, 906), 1e-7: (15, 1164, 1180)},
}
INSULATORS_LINALG = {  # seconds: sparse, full, symmetric
    16: {1e-3: (16.9, 89.5, 108.9), 1e-5: (24.3, 128.9, 155.7), 1e-7: (39.6, 211.9, 265.1)},
    32: {1e-3: (25.5, 258.2, 314.2), 1e-5: (40.7, 410.2, 496.7), 1e-7: (63.8, 653.2, 784.3)},
    64: {1e-3: (52.8, 935.4, 1116.0), 1e-5: (104.1, 1856.4, 2212.4), 1e-7: (124.9, 2418.9, 2907.0)},
}
#: Table 5.6, seconds for N = 16, 32, 64: factor and solve; MA28BD is the fast refactorisation.
AVERAGES = {
    "dense": ((0.131, 0.466, 1.800), (0.019, 0.068, 0.248)),
    "symmetric": ((0.163, 0.582, 2.242), (0.018, 0.060, 0.209)),
    "sparse": ((0.022, 0.041, 0.086), (0.0041, 0.0074, 0.016)),
}
#: Bars: counts over those of the paper, and errors in tolerances.
MORE = {"nstep": 1.5, "nfcn": 1.25, "nsol": 1.25}
LARGEST_ERROR = 10.0
#: Roots of β̈, which the paper gives in hundredths of a second.
ROOTS = (1.124, 1.602, 2.147, 2.462, 2.998)
FIRST_MAXIMUM = 0.1283


def run(problem: Any, tolerance: float, span: tuple[float, float] | None = None, **options: Any) -> da.Solution:
    standard = options.pop("discretization", "auto") == "standard"
    method = da.Mexx(discretization="standard" if standard else "auto")
    settings: dict[str, Any] = {"method": method, "rtol": tolerance, "atol": tolerance, "dense_output": False}
    settings["first_step"] = 1e-3
    solution = da.simulate(problem.equations, span or problem.span, problem.start, **(settings | options))
    if not solution.success and not standard:
        raise ArithmeticError(f"{problem.name}: {solution.message}")
    return solution


def seconds(function: Callable[[], object], repeats: int) -> float:
    """CPU time of a call, the best of several."""
    best = np.inf
    for _ in range(repeats):
        start = time.process_time()
        function()
        best = min(best, time.process_time() - start)
    return best


def integration(
    problem: Any, tolerance: float, kinds: Mapping[str, tuple[tuple[float, float], dict[str, Any]]], repeats: int
) -> dict[str, float]:
    """CPU time of the integration itself, from its first step to its last, the best of several runs.

    Spans and options by kind; the kinds are run by turns, so that disturbances meet all of them.
    """
    best = dict.fromkeys(kinds, np.inf)
    with watched_runs() as marks:
        for _ in range(repeats):
            for kind, (span, options) in kinds.items():
                marks.clear()
                run(problem, tolerance, span, **options)
                best[kind] = min(best[kind], marks[-1].seconds)
    return best


def counts(report: Reporter, case: str, solution: da.Solution, paper: tuple[int, int, int] | None) -> None:
    made = solution.statistics
    for k, (name, value) in enumerate((("nstep", made.steps), ("nfcn", made.nfev), ("nsol", made.nsolve))):
        theirs = None if paper is None else paper[k]
        limit = None if theirs is None else MORE[name] * theirs
        report.add(case=case, quantity=name, unit="1", ours=value, paper=theirs, limit=limit)


def error(solution: da.Solution, q: Any, tolerance: float) -> float:
    """Error of the positions at the end, in tolerances: the mean square of mexx (2.8a)."""
    return float(np.sqrt(np.mean(((solution.q[:, -1] - q) / (tolerance * (1.0 + np.abs(q)))) ** 2)))


def table_1(report: Reporter, quick: bool) -> None:
    tolerance = 1e-5
    for mode, lines in DRUM.items():
        for mu, paper in lines.items():
            problem = da.problems.cable_drum(mu=mu)
            case = f"5.1 drum, {mode}, mu = {mu}"
            solution = run(problem, tolerance, discretization=mode)
            if not solution.success:
                report.add(case=case, quantity="failed at t", unit="s", ours=solution.t[-1])
                continue
            counts(report, case, solution, paper)
            exact = problem.exact(solution.t[-1:])[0][:, 0]
            report.add(
                case=case, quantity="error / tolerance", unit="1", ours=error(solution, exact, tolerance),
                limit=LARGEST_ERROR if mode == "modified" else None,
            )  # fmt: skip


def table_2(report: Reporter, quick: bool) -> None:
    problem = da.problems.seven_body()
    exact = problem.reference().q
    for tolerance, paper in SEVEN_BODY.items():
        case = f"5.2 seven-body, {tolerance:.0e}"
        solution = run(problem, tolerance)
        counts(report, case, solution, paper)
        report.add(
            case=case, quantity="error / tolerance", unit="1", ours=error(solution, exact, tolerance),
            limit=LARGEST_ERROR,
        )  # fmt: skip
        for solver, theirs in zip(("dense", "symmetric"), SEVEN_BODY_LINALG[tolerance], strict=True):
            once = lambda s=solver, t=tolerance: run(problem, t, solver=s)  # noqa: E731
            once()
            report.add(
                case=case, quantity=f"run, {solver}", unit="s", ours=seconds(once, 3 if quick else 20), paper=theirs
            )
    extras(report, problem, quick)


def extras(report: Reporter, problem: Any, quick: bool) -> None:
    """Cost of dense output and of roots; the roots."""
    tolerance, repeats = 1e-5, 20 if quick else 200
    case = "5.2 seven-body, 1e-05"
    event = da.Event(lambda a: a[0], name="beta")
    kinds: dict[str, dict[str, Any]] = {
        "plain": {},
        "dense output": {"dense_output": True},
        "roots": {"events": [event], "event_checks": 1},
    }
    taken = integration(problem, tolerance, {name: (problem.span, kinds[name]) for name in kinds}, repeats)
    for name, paper in (("dense output", 0.19), ("roots", 0.13)):
        report.add(
            case=case, quantity=f"more time with {name}", unit="1", ours=taken[name] / taken["plain"] - 1, paper=paper,
            limit=paper,
        )  # fmt: skip
    found = run(problem, tolerance, events=[event]).t_events[0]
    sharp = da.simulate(
        problem.equations,
        problem.span,
        (problem.q0, problem.v0),
        method="dop853",
        rtol=1e-12,
        atol=1e-12,
        events=[event],
    ).t_events[0]
    if len(found) != len(ROOTS) or len(sharp) != len(ROOTS):
        raise ArithmeticError(f"the acceleration of beta has {len(found)} roots, not {len(ROOTS)}")
    for k, (t, reference, printed) in enumerate(zip(found, sharp, ROOTS, strict=True)):
        report.add(case=f"5.2 root {k + 1} of the acceleration of beta", quantity="time", unit="0.01 s",
                   ours=100 * t, paper=printed)  # fmt: skip
        report.add(case=f"5.2 root {k + 1} of the acceleration of beta", quantity="relative error", unit="1",
                   ours=abs(t / reference - 1), paper=3e-4, limit=3e-4)  # fmt: skip


def table_3(report: Reporter, quick: bool) -> None:
    for excitation, lines in TRUCK.items():
        problem = da.problems.truck_surrogate(excitation=excitation)
        first: dict[str, tuple[float, float]] = {}
        for tolerance, paper in lines.items():
            if quick and tolerance < 1e-7:
                continue
            case = f"5.3 truck surrogate, {excitation}, {tolerance:.0e}"
            solution = run(problem, tolerance)
            counts(report, case, solution, None)
            for k, (name, value) in enumerate((("nfcn", solution.nfev), ("nsol", solution.statistics.nsolve)), start=1):
                start = first.setdefault(name, (value, paper[k]))
                report.add(
                    case=case, quantity=f"growth of {name}", unit="1", ours=value / start[0], paper=paper[k] / start[1]
                )
            report.add(
                case=case, quantity="error / tolerance", unit="1",
                ours=error(solution, problem.reference().q, tolerance), limit=LARGEST_ERROR,
            )  # fmt: skip


def tables_4_5(report: Reporter, quick: bool) -> None:
    for n, lines in INSULATORS.items():
        problem = da.problems.insulator_chain(n)
        s, patterns = problem.equations.sizes, problem.equations.program("contract").patterns
        n_v, n_lam, size, entries = DIMENSIONS[n]
        stored = len(patterns["M"].rows) + 2 * len(patterns["G"].rows)
        for name, ours, paper in (
            ("n_v", s.v, n_v), ("n_lam", s.lam, n_lam), ("dim(A)", s.v + s.lam, size), ("nne(A)", stored, entries)
        ):  # fmt: skip
            report.add(case=f"5.4 {n} insulators", quantity=name, unit="1", ours=ours, paper=paper)
        for tolerance, paper_counts in lines.items():
            case = f"5.5 {n} insulators, {tolerance:.0e}"
            solution = run(problem, tolerance, (0.0, 0.1))
            counts(report, case, solution, paper_counts)
            report.add(
                case=case, quantity="error / tolerance", unit="1",
                ours=error(solution, problem.reference(0.1).q, tolerance), limit=LARGEST_ERROR,
            )  # fmt: skip
            papers = dict(zip(("sparse", "dense", "symmetric"), INSULATORS_LINALG[n][tolerance], strict=True))
            for solver in ("recursive", "sparse", "dense", "symmetric"):
                once = lambda x=solver, p=problem, t=tolerance: run(p, t, (0.0, 0.1), solver=x)  # noqa: E731
                once()
                report.add(case=case, quantity=f"run, {solver}", unit="s", ours=seconds(once, 1 if quick else 3),
                           paper=papers.get(solver))  # fmt: skip
    first_maximum(report, quick)


def first_maximum(report: Reporter, quick: bool) -> None:
    """Section 5.4, end: up to where the top insulator turns back, with dense output."""
    problem = da.problems.insulator_chain(32)
    last = problem.equations.sizes.v - 1
    event = da.Event(lambda v: v[last], name="turn", terminal=True, threshold=1e-3)
    options: dict[str, Any] = {"events": [event], "dense_output": True, "event_checks": 1}
    solution = run(problem, 1e-5, (0.0, 0.2), **options)
    found = float(solution.t_events[0][0])
    case = "5.4 first maximum of the top insulator"
    report.add(case=case, quantity="time", unit="s", ours=found, paper=FIRST_MAXIMUM)
    repeats = 3 if quick else 30
    taken = integration(problem, 1e-5, {"plain": ((0.0, found), {}), "both": ((0.0, 0.2), options)}, repeats)
    more = taken["both"] / taken["plain"] - 1
    report.add(case=case, quantity="more time with both", unit="1", ours=more, paper=0.18)


def table_6(report: Reporter, quick: bool) -> None:
    from _insulators import insulators
    from linalg import ours  # the benchmark of the modes has the loops that time them

    repeats = 3 if quick else 20
    known: dict[tuple[str, int], tuple[float, float]] = {}
    for at, n in enumerate((16, 32, 64)):
        chain = insulators(n)
        values, rows, columns = chain.matrix()
        dense = np.zeros((chain.n_v + chain.n_lam,) * 2)
        np.add.at(dense, (rows, columns), values)
        expected = np.linalg.solve(dense, chain.right)
        for mode in (*AVERAGES, "recursive"):
            known[mode, n] = ours(mode, chain, expected, repeats)
            for k, what in enumerate(("factor", "solve")):
                papers = AVERAGES[mode][k] if mode in AVERAGES else None
                report.add(case=f"5.6 {n} insulators", quantity=f"{what}, {mode}", unit="us", ours=known[mode, n][k])
                if at:
                    before = known[mode, n // 2][k]
                    report.add(
                        case=f"5.6 {n} insulators", quantity=f"growth of {what}, {mode}", unit="1",
                        ours=known[mode, n][k] / before, paper=None if papers is None else papers[at] / papers[at - 1],
                    )  # fmt: skip


TABLES = {"5.1": table_1, "5.2": table_2, "5.3": table_3, "5.5": tables_4_5, "5.6": table_6}


def main() -> None:
    made = parser(__doc__)
    made.add_argument("tables", nargs="*", help=f"which ones: {', '.join(TABLES)} (5.4 comes with 5.5); all by default")
    arguments = made.parse_args()
    pin_to_one_core()
    with Reporter(json=arguments.json, title="Tables of the mexx paper") as report:
        for name in arguments.tables or TABLES:
            if name not in TABLES:
                made.error(f"there is no table {name}; choose from {', '.join(TABLES)}")
            TABLES[name](report, arguments.quick)


if __name__ == "__main__":
    main()
