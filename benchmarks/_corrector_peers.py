"""BDF of ours beside IDA called from C: the seven-body mechanism, and the chain of 1000 bars."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import _ours
import _peers_chain
import _peers_dae
import _peers_model
import dalembert as da
from _common import Reporter
from _peers_sweep import FROM_C, Curve, Peer, available, decades
from work_precision import best, named, run_all

#: Digits of the mechanism, and bars: CPU time and residuals of ours over those of IDA on the same form, and CPU time
#: over that of IDA as users of Python have it.
DIGITS = (5, 7, 9)
MOST_TIME, MOST_RESIDUALS, MOST_OF_PYTHON = 1.0, 1.2, 0.25
#: Bars of the long chain, digits of their angles, tolerances of both sides.
BARS, BARS_DIGITS, LOOSE = 1000, (1, 2), decades(1.0, 3.5)


def seven_body(report: Reporter, quick: bool) -> None:
    """Time and residuals for as many digits, by luck or kept by all tighter tolerances."""

    def run(make: Callable[[], list[Peer]]) -> list[Curve]:
        return run_all(
            available([make]), lambda y: _peers_model.digits(y[: _peers_model.N_Q]), _peers_model.drift, quick, 5.0
        )

    def bdf() -> list[Peer]:
        return [_ours.bdf(da.problems.seven_body(), lambda path: path, decades(4.0, 12.0), FROM_C)]

    ours, from_c, from_python = run(bdf), run(_peers_dae.ida_from_c), run(_peers_dae.ida_from_python)
    same_form = [curve for curve in from_c if "GGL" in curve.name]
    others = [curve for curve in from_c if "GGL" not in curve.name]
    for digits in DIGITS:
        case, accuracy = "seven-body mechanism", f"{digits} digits"
        compare(report, case, accuracy, digits, ours, same_form, Curve.first, MOST_TIME, MOST_RESIDUALS)
        compare(report, f"{case}, kept", accuracy, digits, ours, same_form, Curve.kept)
        compare(report, f"{case}, other forms", accuracy, digits, ours, others, Curve.first)
        compare(report, f"{case}, from Python", accuracy, digits, ours, from_python, Curve.first, MOST_OF_PYTHON)


def long_chain(report: Reporter, quick: bool) -> None:
    """Orders up to 2 on both sides; those above are not stable for waves along the chain."""
    n = 200 if quick else BARS

    def run(make: Callable[[], list[Peer]]) -> list[Curve]:
        return run_all(
            available([make]), partial(_peers_chain.digits, n), partial(_peers_chain.drift, n), quick, 0.03 * n
        )

    def loose(make: Callable[[int], list[Peer]]) -> Callable[[], list[Peer]]:
        return lambda: [replace(peer, tolerances=LOOSE) for peer in make(n)]

    ours = run(named(loose(_ours.bdf_on_chain), "bdf"))
    theirs = run(named(loose(_peers_chain.ida_from_c), "IDA from C"))
    for digits in BARS_DIGITS:
        compare(
            report, f"chain of {n} bars", f"angle error 1e-{digits}", digits, ours, theirs, Curve.first, MOST_TIME
        )  # fmt: skip


def compare(
    report: Reporter, case: str, accuracy: str, digits: float, ours: list[Curve], theirs: list[Curve],
    rule: Callable[[Curve, float], object], time: float | None = None, residuals: float | None = None,
) -> None:  # fmt: skip
    """The fastest run of ours that is so accurate beside the fastest of theirs."""
    mine, other = best(ours, rule, digits), best(theirs, rule, digits)  # type: ignore[arg-type]
    if mine is None:
        report.failed(case=case, quantity=f"CPU time for {accuracy}")
        return
    name = "IDA from C" if other is None else other[0]
    for quantity, unit, factor, key, limit in (
        ("CPU time", "ms", 1e3, "seconds", time),
        ("residuals", "1", 1.0, "evaluations", residuals),
        ("steps", "1", 1.0, "steps", None),
    ):
        if other is not None or limit is not None:
            report.add(
                case=case, quantity=f"{quantity} for {accuracy}", unit=unit,
                ours=factor * getattr(mine[1], key), baseline=name,
                theirs=None if other is None else factor * getattr(other[1], key), limit=limit,
            )  # fmt: skip
