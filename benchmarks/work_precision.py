"""Time for accuracy: ours and other integrators on the seven-body mechanism and on chains of pendulums.

seven-body       Andrews' squeezing mechanism, t in [0, 0.03] (Hairer & Wanner, Solving Ordinary Differential Equations
                 II, VII.7): 7 angles, 6 constraints.  Digits are −log10 of the largest relative error of the positions
                 at the end, against a solution in extended precision with 13 digits.
pendulum-chain   N = 10, 100, 1000 uniform bars in absolute coordinates, see _peers_chain.py.  Accuracy is the root mean
                 square error of the N angles at the end, against the O(N) recursion at a tight tolerance.
dop853           Ours and CyRK's on the same machine code at the same tolerances, by turns, see _dop853.py.

Every package is run over a range of tolerances (or steps), in the forms of the equations and with the options that
serve it best, with model functions in machine code.  "CPU time for 7 digits" is the least time among its runs that have
7 digits or more, without interpolation.  The mechanism has one degree of freedom, so the error at the end is one number
that changes its sign from tolerance to tolerance, and a run can be right by luck; who has more variants has more luck.
"CPU time for 7 digits and kept" therefore takes only runs from where on all tighter tolerances have 7 digits as well.
Drift-free are those that keep the constraints on positions and on velocities; drift-prone those that integrate the
index-1 form as an ODE; hand-reduced those on minimal coordinates, where nothing can drift.  max |g| and max |G v| are
over all steps where a package gives them (ours, IDA from C, scipy_dae, solve_ivp), and else at the end.

Peers are compared in two ways. "best drift-free peer" and "best drift-prone peer" are packages as their users have them
from pip, with compiled functions: the index-1 ODE written by hand in Numba, CasADi's own expressions, callbacks in
machine code. Two further kinds show how much of the time is not the method's: IDA called from C, without any Python,
and ODE solvers that are given the right-hand side that our own symbolic engine has made.

Bars: on the mechanism at most the CPU time of the best drift-prone peer and a tenth of that of the best drift-free one,
for all numbers of digits, kept or not; on the chain of 1000 bars, for an error of 1e-3, at most a tenth of Exudyn's and
no more than IDA's; dop853 takes at most the time of CyRK's.

What the numbers cannot show: all solve for the end point only; output, events and errors of multipliers are not looked
at.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

import _peers_chain
import _peers_dae
import _peers_exudyn
import _peers_model
import _peers_ode
from _common import Reporter, parser, pin_to_one_core
from _peers_sweep import DRIFT_FREE, DRIFT_PRONE, Curve, Peer, Point, available, sweep

DIGITS = {4: "4 digits", 5: "5 digits", 6: "6 digits", 7: "7 digits", 8: "8 digits", 9: "9 digits"}
ERRORS = {1: "angle error 1e-1", 2: "angle error 1e-2", 3: "angle error 1e-3", 5: "angle error 1e-5"}
SINGLE = (1, 2, 3, 5, 7, 9)  # for these each peer has a row of its own
#: Bars: CPU time over that of the best peer of a kind; for a long chain, over that of the best with a name.
MECHANISM_LIMITS = {DRIFT_PRONE: 1.0, DRIFT_FREE: 0.1}
LONG_CHAIN, LONG_CHAIN_DIGITS, LONG_CHAIN_LIMITS = 1000, 3, {"Exudyn": 0.1, "IDA": 1.0}


def seven_body(report: Reporter, quick: bool, sizes: Sequence[int]) -> None:
    """The mechanism, by all."""
    theirs = available(
        [
            _by_hand,
            _peers_ode.cyrk,
            _peers_ode.scipy,
            _peers_ode.casadi,
            _peers_dae.ida_from_c,
            _peers_dae.ida_from_python,
            _peers_dae.casadi,
            _peers_dae.scipy_dae,
            _peers_exudyn.seven_body,
        ]
    )

    def run(peers: Sequence[Peer]) -> list[Curve]:
        return run_all(peers, lambda y: _peers_model.digits(y[: _peers_model.N_Q]), _peers_model.drift, quick, 5.0)

    ours = run(available([_ours_on("seven_body")]))
    compare(report, "seven-body mechanism", DIGITS, ours, run(theirs), MECHANISM_LIMITS)


def pendulum_chain(report: Reporter, quick: bool, sizes: Sequence[int]) -> None:
    """Chains of several lengths, by all."""
    for n in sizes or ((10, 100) if quick else (10, 100, 1000)):
        case = f"chain of {n} bars"
        theirs = available(
            [
                named(partial(_peers_chain.recursive, n), "O(N) recursion"),
                named(partial(_peers_chain.ida_from_c, n), "IDA from C"),
                named(partial(_peers_chain.ida_from_python, n), "scikit-sundae"),
                named(partial(_peers_exudyn.chain, n), "Exudyn"),
            ]
        )

        def run(peers: Sequence[Peer]) -> list[Curve]:
            return run_all(
                peers, partial(_peers_chain.digits, n), partial(_peers_chain.drift, n), quick, max(2.0, 0.03 * n)
            )

        ours = run(available([_ours_on("pendulum_chain", n)]))
        others = run(theirs)
        compare(report, case, ERRORS, ours, others, {})
        if n == LONG_CHAIN:
            accuracy, mine = ERRORS[LONG_CHAIN_DIGITS], best(ours, Curve.first, LONG_CHAIN_DIGITS)
            for name, limit in LONG_CHAIN_LIMITS.items():
                called = [curve for curve in others if name.lower() in curve.name.lower()]
                times(report, case, accuracy, mine, name, best(called, Curve.first, LONG_CHAIN_DIGITS), limit)
        for curve in ours:
            for digits, accuracy in ERRORS.items():
                point = curve.first(digits)
                if point is not None and point.steps:
                    time = 1e6 * point.seconds / point.steps
                    report.add(case=case, quantity=f"time per step, {curve.name}, {accuracy}", unit="us", ours=time)


def run_all(
    peers: Sequence[Peer],
    digits: Callable[[np.ndarray], float],
    residuals: Callable[[np.ndarray], tuple[float, float]],
    quick: bool,
    longest: float,
) -> list[Curve]:
    """The curves of peers, each until a run takes more than ``longest`` seconds; ``quick``: half their tolerances."""
    curves = []
    for peer in peers:
        if quick:
            peer = replace(peer, tolerances=peer.tolerances[: 5 if peer.slow else None : 1 if peer.slow else 2])
        limit = min(longest, 1.0) if quick else longest
        curves.append(sweep(peer, digits, residuals, repeats=3 if quick else 10, longest=limit))
    return curves


def compare(
    report: Reporter,
    case: str,
    accuracies: Mapping[int, str],
    ours: Sequence[Curve],
    theirs: Sequence[Curve],
    limits: Mapping[str, float],
) -> None:
    """Rows of a case: the best of each kind of peers for each accuracy, then all of them; bars by kind."""
    for digits, accuracy in accuracies.items():
        for suffix, rule in RULES.items():
            mine = best(ours, rule, digits)
            if mine is None:
                print(f"{case}: ours does not reach {accuracy}{suffix}", file=sys.stderr)
            for kind in dict.fromkeys([*(curve.kind for curve in theirs), *limits]):
                other = best([curve for curve in theirs if curve.kind == kind], rule, digits)
                wanted = f"{accuracy}{suffix}"
                times(report, case, wanted, mine, kind, other, limits.get(kind))
                if mine is not None and other is not None:
                    work_and_drift(report, case, wanted, mine[1], f"best {kind} peer: {other[0]}", other[1])
    for curve in theirs:
        for digits, accuracy in accuracies.items():
            mine, point = best(ours, Curve.first, digits), curve.first(digits)
            if digits in SINGLE and mine is not None and point is not None:
                a, b = 1e3 * mine[1].seconds, 1e3 * point.seconds
                quantity = f"CPU time for {accuracy}"
                report.add(case=case, quantity=quantity, unit="ms", ours=a, baseline=curve.name, theirs=b)


def times(
    report: Reporter,
    case: str,
    accuracy: str,
    ours: tuple[str, Point] | None,
    kind: str,
    other: tuple[str, Point] | None,
    limit: float | None,
) -> None:
    """CPU times of ours and of the best peer of a kind; a bar is told also where one of them has no result."""
    quantity, baseline, theirs = f"CPU time for {accuracy}", f"best {kind} peer", None
    if other is None:
        print(f"{case}: no {kind} peer reaches {accuracy}", file=sys.stderr)
    else:
        name, point = other
        theirs = 1e3 * point.seconds
        print(
            f"{case}, {accuracy}, {baseline}: {theirs:.4g} ms, {point.evaluations} evaluations, {name}", file=sys.stderr
        )
        baseline = f"{baseline}: {name}"
    if ours is not None and (theirs is not None or limit is not None):
        own = 1e3 * ours[1].seconds
        report.add(case=case, quantity=quantity, unit="ms", ours=own, baseline=baseline, theirs=theirs, limit=limit)
    elif limit is not None:
        report.failed(case=case, quantity=quantity)


def work_and_drift(report: Reporter, case: str, accuracy: str, mine: Point, name: str, theirs: Point) -> None:
    """What is compared at one accuracy besides time."""
    found: list[tuple[str, str, float, float]] = []
    if mine.evaluations and theirs.evaluations:
        found.append((f"evaluations for {accuracy}", "1", mine.evaluations, theirs.evaluations))
    if any(theirs.residuals):  # minimal coordinates have none
        found.append((f"max |g|, {accuracy}", "m", mine.residuals[0], theirs.residuals[0]))
        found.append((f"max |G v|, {accuracy}", "m/s", mine.residuals[1], theirs.residuals[1]))
    for quantity, unit, a, b in found:
        report.add(case=case, quantity=quantity, unit=unit, ours=a, baseline=name, theirs=b)


RULES = {"": Curve.first, " and kept": Curve.kept}


def best(
    curves: Sequence[Curve], rule: Callable[[Curve, float], Point | None], digits: float
) -> tuple[str, Point] | None:
    """Name and run of the one that has so many digits in the least time."""
    able = [(curve.name, point) for curve in curves if (point := rule(curve, digits)) is not None]
    return min(able, key=lambda item: item[1].seconds, default=None)


def named(make: Callable[[], list[Peer]], name: str) -> Callable[[], list[Peer]]:
    """The same function, with a name for messages."""

    def made() -> list[Peer]:
        return make()

    made.__name__ = name
    return made


def _by_hand() -> list[Peer]:
    import _peers_by_hand

    return _peers_by_hand.peers()


def _ours_on(case: str, *arguments: int) -> Callable[[], list[Peer]]:
    def dalembert() -> list[Peer]:
        import _ours

        made: list[Peer] = getattr(_ours, case)(*arguments)
        return made

    return dalembert


def dop853(report: Reporter, quick: bool, sizes: Sequence[int]) -> None:
    """One method by two packages."""
    try:
        import _dop853

        _dop853.rows(report, quick)
    except ImportError as error:
        print(f"CyRK has no result: {error}", file=sys.stderr)


CASES = {"seven-body": seven_body, "pendulum-chain": pendulum_chain, "dop853": dop853}


def main() -> None:
    """All cases, or those that are named."""
    options = parser(__doc__)
    options.add_argument("cases", nargs="*", help=f"of {', '.join(CASES)}; all if none is given")
    options.add_argument("--bars", nargs="+", type=int, default=(), metavar="N", help="lengths of the chains")
    arguments = options.parse_args()
    unknown = set(arguments.cases) - set(CASES)
    if unknown:
        options.error(f"no case {', '.join(sorted(unknown))}; there are {', '.join(CASES)}")
    pin_to_one_core()
    with Reporter(json=arguments.json, title="Time for accuracy") as report:
        for case in arguments.cases or CASES:
            CASES[case](report, arguments.quick, arguments.bars)


if __name__ == "__main__":
    main()
