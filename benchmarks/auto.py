"""The right method by itself: ``method="auto"`` beside the single methods that it chooses from.

CPU time of one call of ``da.simulate``, the best of some, everything compiled before.  ``auto`` has default tolerances.
At the same tolerance errors of methods differ by a factor of a thousand, so single methods are run with the loosest
tolerance, among the default one and tenths of it, with which they are about as accurate: their largest error at twenty
instants is at most ten times that of ``auto``, or ten times rtol.  What is fastest at the same tolerance is told too.
A single method that makes more than 30 times the steps of ``auto`` is not waited for.

All of this is timed twice.  *By turns* each method makes one run after another one's, and finds caches and branches
that others have used.  In each round they come in another order, shuffled with a seed, so that each comes after each
other one at times, ``auto`` after the method that it uses and the other way round.  *Repeated* each run follows
directly upon one of its own, as in a study.  On runs of less than half a millisecond both differ by more than methods
do.

Rules of ``auto`` were made with the problems that the bar counts.  Those of ``unseen`` came later; they tell how far
the rules hold elsewhere.  One rule has come from them since: "joint controllers" were left by the implicit method
before their filters had settled, 1.7 times the best; trials go on while steps grow, and it is 1.2.  The weights of
counted work were fitted to times of single methods on nearly all problems, these too, and "excited chain" was one
reason to leave swings to explicit steps up to h |λ| = 4.

    python benchmarks/auto.py --json
    python benchmarks/auto.py bushing crane --methods dop853 radau bdf
    python benchmarks/auto.py --unseen
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import dalembert as da
from _common import Reporter, parser, pin_to_one_core
from dalembert.errors import SimulationError

#: ratios, and how many problems may be beyond the first of them
CLOSE, WORST, BEYOND = 1.3, 2.0, 2
SLOW = 30.0
#: single methods that are sensible for one of these problems or another
METHODS = ["dop853", "radau", "radau9", "bdf", "rodas5p", "sdirk4", "mexx"]
RTOL = 1e-6
#: parts of the default tolerances that single methods may need to be as accurate, within this factor
PARTS, AS_ACCURATE = (1.0, 0.1, 0.01, 0.001), 10.0
INSTANTS = 21
#: Runs that take less than so many seconds are made so many times as often as others.
SHORT, OFTEN = 1e-3, 4
#: How runs are timed, as it is added to names of quantities: by turns, or each directly after one of its own.
REPEATED = ", repeated"
WAYS = ("", REPEATED)


def cases() -> dict[str, Callable[[], Any]]:
    """Problems by name, stiff and not."""
    from _auto_models import (
        bushing,
        crane,
        example,
        governor,
        late_stiffness,
        problem,
        stick_slip,
        wrong_stiffness,
    )  # fmt: skip

    return {
        "bushing": bushing,
        "governor": governor,
        "crane": crane,
        "wrong stiffness": wrong_stiffness,
        "stick-slip": stick_slip,
        "late stiffness": late_stiffness,
        "soft bushing": lambda: bushing(1e4, 1e2),
        "pendulum": lambda: problem("pendulum"),
        "double pendulum": lambda: problem("double_pendulum"),
        "stiff double pendulum": lambda: problem("stiff_double_pendulum"),
        "seven bodies": lambda: problem("seven_body"),
        "truck": lambda: problem("truck"),
        "pendulum chain": lambda: problem("pendulum_chain"),
        "flexible slider crank": lambda: problem("slider_crank", (0.0, 0.02)),
        "a02": lambda: problem("a02", (0.0, 2.0)),
        "four-bar": lambda: example("four_bar"),
        "slider crank": lambda: example("slider_crank"),
        "chain": lambda: example("chain"),
        "double wishbone": lambda: example("double_wishbone"),
        "spatial slider crank": lambda: example("spatial_slider_crank"),
        "top": lambda: example("top"),
        "free body": lambda: example("free_body"),
        "rolling disc": lambda: example("rolling_disc"),
    }


def unseen() -> dict[str, Callable[[], Any]]:
    """Problems that came after the rules."""
    from _auto_models import bump_stop, example, joint_controllers, problem

    return {
        "bump stop": bump_stop,
        "joint controllers": joint_controllers,
        "delta robot": lambda: example("delta_robot"),
        "steered car": lambda: example("steered_car"),
        "axle rig": lambda: example("axle_rig"),
        "elastic pendulum": lambda: problem("elastic_pendulum"),
        "cable drum": lambda: problem("cable_drum"),
        "excited chain": lambda: problem("excited_chain"),
    }


def timed(runs: dict[str, Callable[[], Any]], repeats: int, repeated: bool = False) -> dict[str, tuple[float, Any]]:
    """Seconds of the best of some calls, and a solution, of each; by turns, so that all have the same machine, in an
    order that is another one in each round.  Each is made twice in its turn where they are ``repeated``, and the second
    call counts."""
    found: dict[str, tuple[float, Any]] = {}
    names, order = list(runs), random.Random(0)
    for count in range(OFTEN * repeats):
        order.shuffle(names)
        for name in names:
            run, best = runs[name], found[name][0] if name in found else 0.0
            if best > 1.0 or (best > SHORT and count >= repeats):
                continue
            if repeated:
                run()
            begun = time.process_time()
            solution = run()
            seconds = time.process_time() - begun
            found[name] = min(seconds, best or seconds), solution
    return found


class Case:
    """A problem, with the motion that its runs are compared with."""

    def __init__(self, equations: Any, span: tuple[float, float], start: Any, options: dict[str, Any]) -> None:
        self.equations, self.span, self.start, self.options = equations, span, start, options
        self.instants = np.linspace(*span, INSTANTS)
        first = self.run("auto")  # compiles
        self.atol, self.steps = first.atol, first.statistics.steps
        found: list[Any] = []
        for part in (1e5, 1e4, 1e3):  # close to singular positions rounding ends runs with the tightest tolerances
            exact = [self.run(method, RTOL / part, t_eval=self.instants) for method in ("radau9", "dop853")]
            found = found or [self.motion(one) for one in exact if one.success]
        self.exact = found[0]
        # Where two methods differ, such as in chaotic motion, nobody can be blamed for errors of that size.
        self.doubt = self.distance(found[-1])
        self.error = self.error_of(self.run("auto", t_eval=self.instants))

    def run(self, method: str, rtol: float = RTOL, limit: int | None = None, **more: Any) -> Any:
        """A run with a tolerance, absolute ones as parts of the default ones."""
        atol = None if rtol == RTOL else self.atol * (rtol / RTOL)
        options = self.options | more
        return da.simulate(
            self.equations, self.span, self.start, method=method, rtol=rtol, atol=atol, max_steps=limit, **options
        )

    def serves(self, method: str) -> bool:
        """Whether a method is made for such equations."""
        try:
            self.run(method, limit=1)
        except SimulationError:
            return False
        return True

    def motion(self, solution: Any) -> Any:
        """All variables at the instants."""
        return np.concatenate([solution.q, solution.v, solution.u])

    def distance(self, motion: Any) -> float:
        """Beside the largest values, or a hundred absolute tolerances."""
        size = np.abs(self.exact).max(axis=1) + 100.0 * self.atol
        return float(np.max(np.abs(motion - self.exact) / size[:, None]))

    def error_of(self, solution: Any) -> float:
        """Infinite for a run that was not finished."""
        return self.distance(self.motion(solution)) if solution.status == 0 else float("inf")

    def as_accurate(self, method: str) -> float | None:
        """The loosest tolerance with which a method is about as accurate as auto."""
        most, wanted = int(SLOW * max(self.steps, 200)), AS_ACCURATE * max(self.error, RTOL, self.doubt)
        for part in PARTS:
            if self.error_of(self.run(method, RTOL * part, most, t_eval=self.instants)) <= wanted:
                return RTOL * part
        return None


def compared(
    report: Reporter, name: str, case: Case, methods: list[str], repeats: int, limit: float | None = WORST
) -> dict[str, float]:
    """Rows of a problem; the last have the bars, if there are any.  Gives ratios by the way of timing."""
    methods = [method for method in methods if case.serves(method)]
    tolerances = {method: rtol for method in methods if (rtol := case.as_accurate(method)) is not None}
    runs: dict[str, Callable[[], Any]] = {"auto": lambda: case.run("auto")}
    runs |= {method: lambda method=method, rtol=rtol: case.run(method, rtol) for method, rtol in tolerances.items()}
    finishing = [m for m in methods if case.run(m, limit=int(SLOW * max(case.steps, 200))).status == 0]
    loose = [method for method in finishing if tolerances.get(method) != RTOL]
    runs |= {f"{method}, same tolerance": lambda method=method: case.run(method) for method in loose}
    report.add(case=name, quantity="steps of auto", unit="1", ours=case.steps)
    report.add(case=name, quantity="error of auto", unit="1", ours=case.error)
    ratios: dict[str, float] = {}
    for way in WAYS:
        found = timed(runs, repeats, repeated=way == REPEATED)
        ours = found.pop("auto")[0]
        accurate = {method: found[method][0] for method in tolerances}
        for method, seconds in accurate.items():
            quantity = f"time with {method}, rtol = {tolerances[method]:.0e}{way}"
            report.add(case=name, quantity=quantity, unit="ms", ours=1e3 * seconds)
        fastest = min(found, key=lambda method: found[method][0])
        report.add(
            case=name, quantity=f"time with auto beside the fastest, however accurate{way}", unit="ms",
            ours=1e3 * ours, baseline=fastest.split(",")[0], theirs=1e3 * found[fastest][0], limit=limit,
        )  # fmt: skip
        by = min(accurate, key=accurate.__getitem__)
        row = report.add(
            case=name, quantity=f"time with auto{way}", unit="ms", ours=1e3 * ours, baseline=f"best: {by}",
            theirs=1e3 * accurate[by], limit=limit,
        )  # fmt: skip
        ratios[way] = row.ratio or float("inf")
    return ratios


def main() -> None:
    arguments = parser(__doc__)
    arguments.add_argument("names", nargs="*", metavar="PROBLEM", help="some of the problems; all if left away")
    arguments.add_argument("--methods", nargs="+", default=METHODS, help="single methods to compare with")
    arguments.add_argument("--unseen", action="store_true", help="only problems that no rule was made with")
    given = arguments.parse_args()
    pin_to_one_core()
    known, others = cases(), unseen()
    for name in given.names:
        if name not in known | others:
            arguments.error(f"there is no problem '{name}'; there are {', '.join(known | others)}")
    repeats = 3 if given.quick else 11
    ratios: dict[str, dict[str, float]] = {}
    with Reporter(json=given.json, title="The right method by itself") as report:
        for name in given.names or (others if given.unseen else [*known, *others]):
            case, limit = Case(*(known | others)[name]()), WORST if name in known else None
            ratios[name] = compared(report, name, case, given.methods, repeats, limit)
        for which, names, least in (("", known, len(known) - BEYOND), ("unseen ", others, None)):
            if not set(names) <= set(ratios):
                continue
            for way in WAYS:
                report.add(
                    case="all", quantity=f"{which}problems within {CLOSE} × the best single method{way}", unit="1",
                    ours=sum(ratios[name][way] <= CLOSE for name in names), limit=least, bound="at least",
                )  # fmt: skip


if __name__ == "__main__":
    main()
