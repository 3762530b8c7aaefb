"""Time for accuracy on the two stiff systems of a thesis: all implicit methods of ours, IDA, CVODE, Exudyn.

    D. Negrut, On the implicit integration of differential-algebraic equations of multibody dynamics, PhD thesis, The
    University of Iowa, 1998, chapter 5: the stiff double pendulum from rest, 2 s, and the vehicle with stiff bushings
    on its bump, 4 s.  What peers integrate is told in _peers_stiff.py and _peers_stiff_exudyn.py.

Digits are −log10 of the largest error at some instants over the whole motion, in parts of what the motion has besides
uniform motion: of positions in parts of the largest distance of any from where its velocity of the start would have
brought it, of velocities in parts of the largest change of any.  Positions are the angles of the pendulum, and the
places of the centre of the chassis and of the four hubs of the vehicle.  The reference is ours, Radau IIA of order 13
at 1e-11; CVODE at 1e-11 must confirm it.

Times are CPU times of the integration alone, without what is compiled, laid out or evaluated afterwards, on either
side; states at the instants are interpolated by all (Exudyn's steps end there).  "CPU time for 4 digits" is the least
among runs from where on no tighter tolerance has fewer: no lucky hits.  What is best is measured again, ours and theirs
by turns.  All peers but Exudyn are given machine code of our symbolic engine and are driven from C.  Of the pendulum
there are two forms on both sides, six coordinates with constraints and the two angles; of the vehicle ours has relative
coordinates with constraints, as IDA, and CVODE minimal ones.

Bars: at most a third of the CPU time of the best peer, for 3, 4 and 5 digits.  Beside them stand the best of ours and
of peers that integrate the same form: with constraints, or without any.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import dalembert as da
from _common import Reporter, Row, parser, pin_to_one_core
from _peers_stiff import FORMS, Array, Measured, Pendulum, Run, StiffSystem, Vehicle
from _peers_sweep import Curve, Point, decades, version
from _stopwatch import watched_runs

DIGITS = (3, 4, 5)
LIMIT = 1.0 / 3.0
#: Methods that are not implicit, or make steps of one size.
OTHERS = (
    "dopri5", "dop853", "mexx", "adams", "hem5", "chart_dopri5", "chart_dop853", "imex", "euler", "linear_euler",
    "linear_trapezoidal",
)  # fmt: skip
OURS, THEIRS = "ours", "peer"
#: What is integrated: coordinates with constraints, or as many as there are degrees of freedom.
CONSTRAINED, MINIMAL = "with constraints", "minimal coordinates"
REFERENCE = "radau13"
#: Runs that come so close to the best are measured again with it.
CLOSE = 1.3
#: Seconds after which a run is not repeated any more.
ENOUGH = 1.0


@dataclass(frozen=True)
class Candidate:
    """An integrator on one form of a system."""

    name: str
    kind: str
    prepare: Callable[[float], Run]
    tolerances: Sequence[float]
    form: str = CONSTRAINED


@dataclass(frozen=True)
class Measure:
    """From what is seen to digits."""

    instants: Sequence[float]
    start: Array  # places and velocities
    reference: Array

    def digits(self, seen: Array) -> float:
        """Of positions and velocities, the fewer."""
        n = len(self.start) // 2
        place, velocity = self.start[:n], self.start[n:]
        motion = self.reference[:, :n] - place - np.outer(self.instants, velocity)
        sizes = np.abs(motion).max(), np.abs(self.reference[:, n:] - velocity).max()
        errors = np.abs(seen - self.reference)
        worst = float(max(errors[:, :n].max() / sizes[0], errors[:, n:].max() / sizes[1]))
        return -math.log10(max(worst, 1e-16)) if math.isfinite(worst) else -math.inf


# ----------------------------------------------------------------------------------------------------------------- ours


def by_ours(
    system: StiffSystem, equations: Any, start: tuple[Array, Array], see: Callable[[Array, Array], Array], method: str,
    tolerance: float,
) -> Run:  # fmt: skip
    """A method of ours on equations of the system."""

    def run() -> Measured:
        with watched_runs() as marks:
            solution = da.simulate(
                equations, system.span, start, method=method, rtol=tolerance, atol=tolerance, dense_output=False,
                t_eval=system.instants,
            )  # fmt: skip
        if not solution.success:
            raise ArithmeticError(solution.message)
        seen = np.array([see(q, v) for q, v in zip(solution.q.T, solution.v.T, strict=True)])
        made = solution.statistics
        return Measured(marks[-1].seconds, seen, made.steps + made.rejected, made.nfev, made.njev)

    return run


def ours(system: Pendulum | Vehicle) -> list[Candidate]:
    """All implicit methods."""
    forms: list[tuple[str, str, Any, Any, Any]] = [("", CONSTRAINED, system.equations, system.start, system.see)]
    if isinstance(system, Pendulum):
        angles = [2, 5]
        start = system.start[0][angles], system.start[1][angles]
        forms.append((" in the angles", MINIMAL, system.in_angles, start, lambda q, v: np.concatenate([q, v])))
    return [
        Candidate(f"dalembert, {name}{which}", OURS, partial(by_ours, system, *of, name), decades(2, 9), form)
        for which, form, *of in forms
        for name in da.methods()
        if name not in OTHERS
    ]


# ---------------------------------------------------------------------------------------------------------------- peers


def peers(system: Pendulum | Vehicle) -> list[Candidate]:
    """All that can be had."""
    found: list[Candidate] = []
    for make in (_sundials, _exudyn):
        try:
            found += make(system)
        except ImportError as error:
            print(f"{make.__name__.strip('_')}: left out, {error}", file=sys.stderr, flush=True)
    return found


def _sundials(system: Pendulum | Vehicle) -> list[Candidate]:
    from sksundae import SUNDIALS_VERSION

    name = f"SUNDIALS {SUNDIALS_VERSION}"
    made = [Candidate(f"{name} CVODE, reduced ODE", THEIRS, system.minimal(), decades(2, 9), MINIMAL)]
    made += [Candidate(f"{name} IDA, {form} form", THEIRS, system.constrained(form), decades(2, 9)) for form in FORMS]
    return made


def _exudyn(system: Pendulum | Vehicle) -> list[Candidate]:
    from _peers_stiff_exudyn import METHODS, STEPS, in_exudyn

    model, name = in_exudyn(system), version("exudyn")
    return [
        Candidate(
            f"{name}, {method}{', modified Newton' if modified else ''}", THEIRS, model.by(method, modified), STEPS
        )
        for method in METHODS
        for modified in (False, True)
    ]


# ------------------------------------------------------------------------------------------------------------ measuring


def measure(system: Pendulum | Vehicle) -> Measure:
    """With the reference, which a peer must confirm."""
    run = by_ours(system, system.equations, system.start, system.see, REFERENCE, 1e-11)
    found = Measure(system.instants, system.see(*system.start), run().seen)
    confirmed = found.digits(system.minimal()(1e-11)().seen)
    if confirmed < DIGITS[-1] + 2:
        raise ArithmeticError(f"{system.name}: CVODE confirms {confirmed:.1f} digits of the reference only")
    print(f"{system.name}: CVODE confirms {confirmed:.1f} digits of the reference", file=sys.stderr, flush=True)
    return found


def sweep(
    candidate: Candidate, digits: Callable[[Array], float], repeats: int, longest: float
) -> tuple[Curve, dict[float, Measured]]:
    """All tolerances of a candidate until it has more digits than are asked for, or a run takes too long."""
    curve, runs = Curve(candidate.name, candidate.kind), {}
    for tolerance in candidate.tolerances:
        try:
            run = candidate.prepare(tolerance)
            first = run()
            again = [run().seconds for _ in range(min(repeats - 1, int(ENOUGH / first.seconds)))]
        except Exception as error:  # whatever goes wrong in one of them must not end the benchmark
            print(f"{candidate.name}, {tolerance:.1e}: {str(error)[:200]}", file=sys.stderr, flush=True)
            continue
        seconds, found = min([first.seconds, *again]), digits(first.seen)
        curve.points.append(Point(tolerance, found, seconds, first.evaluations, first.steps))
        runs[tolerance] = first
        print(
            f"{candidate.name}, {tolerance:.1e}: {found:.2f} digits, {1e3 * seconds:.4g} ms, {first.steps} steps, "
            f"{first.evaluations} evaluations, {first.jacobians} Jacobians",
            file=sys.stderr, flush=True,
        )  # fmt: skip
        if first.seconds > longest or (
            len(curve.points) > 2 and all(p.digits > DIGITS[-1] + 1 for p in curve.points[-2:])
        ):
            break
    return curve, runs


@dataclass
class Comparison:
    """What came out for one system."""

    system: StiffSystem
    curves: list[Curve]
    candidates: dict[str, Candidate]
    runs: dict[str, dict[float, Measured]]

    def best(self, kind: str, digits: float, form: str | None = None) -> list[tuple[float, str, Point]]:
        """Those that have so many digits, the fastest first; of one form, or of all."""
        able = [
            (curve.name, curve.kept(digits))
            for curve in self.curves
            if curve.kind == kind and form in (None, self.candidates[curve.name].form)
        ]
        return sorted((point.seconds, name, point) for name, point in able if point is not None)

    def by_turns(self, digits: float, repeats: int, form: str | None = None) -> dict[str, tuple[float, str, Point]]:
        """The best of ours and of peers; those that come close are measured again by turns."""
        close = {
            kind: [item for item in found if item[0] <= CLOSE * found[0][0]]
            for kind in (OURS, THEIRS)
            if (found := self.best(kind, digits, form))
        }
        entries = [(kind, *item) for kind, items in close.items() for item in items]
        runs = [self.candidates[name].prepare(point.tolerance) for _, _, name, point in entries]
        times = [seconds for _, seconds, _, _ in entries]
        for _ in range(repeats):
            times = [min(seconds, run().seconds) for seconds, run in zip(times, runs, strict=True)]
        chosen: dict[str, tuple[float, str, Point]] = {}
        for seconds, (kind, _, name, point) in zip(times, entries, strict=True):
            if kind not in chosen or seconds < chosen[kind][0]:
                chosen[kind] = seconds, name, point
        return chosen


def compare(system: Pendulum | Vehicle, quick: bool) -> Comparison:
    """All curves of a system."""
    scale = measure(system)
    made = [*ours(system), *peers(system)]
    curves, runs = [], {}
    for candidate in made:
        if quick:
            every = 1 if candidate.tolerances[0] / candidate.tolerances[1] < 3.0 else 2
            candidate = Candidate(candidate.name, candidate.kind, candidate.prepare, candidate.tolerances[::every])
        curve, runs[candidate.name] = sweep(candidate, scale.digits, 2 if quick else 5, 0.5 if quick else 4.0)
        curves.append(curve)
    return Comparison(system, curves, {candidate.name: candidate for candidate in made}, runs)


# ------------------------------------------------------------------------------------------------------------ reporting


def report_on(report: Reporter, found: Comparison, quick: bool) -> None:
    """Rows of one system."""
    case = found.system.name
    for digits in DIGITS:
        quantity = f"CPU time for {digits} digits"
        chosen = found.by_turns(digits, 3 if quick else 20)
        if OURS not in chosen:
            report.failed(case=case, quantity=quantity)
            continue
        seconds, name, point = chosen[OURS]
        theirs = chosen.get(THEIRS)
        baseline = "best peer" if theirs is None else f"best peer: {theirs[1]}"
        other = None if theirs is None else 1e3 * theirs[0]
        report.add(
            case=case, quantity=f"{quantity}, {name}", unit="ms", ours=1e3 * seconds, baseline=baseline, theirs=other,
            limit=LIMIT,
        )  # fmt: skip
        if theirs is not None:
            mine, their = found.runs[name][point.tolerance], found.runs[theirs[1]][theirs[2].tolerance]
            for what in ("steps", "evaluations", "jacobians"):
                report.add(
                    case=case, quantity=f"{what} for {digits} digits", unit="1", ours=getattr(mine, what),
                    baseline=baseline, theirs=getattr(their, what),
                )  # fmt: skip
        for form in (CONSTRAINED, MINIMAL):
            alike = found.by_turns(digits, 3 if quick else 10, form)
            if len(alike) == 2:
                report.add(
                    case=case, quantity=f"{quantity}, {form}, {alike[OURS][1]}", unit="ms", ours=1e3 * alike[OURS][0],
                    baseline=f"best peer {form}: {alike[THEIRS][1]}", theirs=1e3 * alike[THEIRS][0],
                )  # fmt: skip
        for other_seconds, other_name, _ in found.best(THEIRS, digits):
            report.add(
                case=case, quantity=quantity, unit="ms", ours=1e3 * seconds, baseline=other_name,
                theirs=1e3 * other_seconds,
            )  # fmt: skip
        for own_seconds, own_name, _ in found.best(OURS, digits):
            report.add(case=case, quantity=f"{quantity}, {own_name}", unit="ms", ours=1e3 * own_seconds)


def comparisons(quick: bool) -> Iterator[Comparison]:
    """Both systems, one after the other."""
    for system in (Pendulum(), Vehicle()):
        yield compare(system, quick)


def rows(quick: bool) -> list[Row]:
    """All rows, for those who print them."""
    report = Reporter(stream=sys.stderr)
    for found in comparisons(quick):
        report_on(report, found, quick)
    return report.rows


def main() -> None:
    """Print the rows; draw."""
    options = parser(__doc__)
    options.add_argument("--plots", type=Path, metavar="DIRECTORY", help="draw the picture of the documentation there")
    arguments = options.parse_args()
    pin_to_one_core()
    found = []
    with Reporter(json=arguments.json, title="Time for accuracy, stiff systems") as report:
        for system in (Pendulum(), Vehicle()):
            found.append(compare(system, arguments.quick))
            report_on(report, found[-1], arguments.quick)
    if arguments.plots:
        from _peers_plots import draw

        draw([(one.system.name, one.curves) for one in found], arguments.plots)


if __name__ == "__main__":
    main()
