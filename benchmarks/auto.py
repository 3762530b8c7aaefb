"""The right method by itself: ``method="auto"`` beside the single methods that it chooses from.

CPU time of one call of ``da.simulate`` with default tolerances, the best of some, everything compiled before; a single
method that makes more than 30 times the steps of ``auto`` is not waited for.

    python benchmarks/auto.py --json
    python benchmarks/auto.py bushing crane --methods dop853 radau bdf
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from _common import Reporter, parser, pin_to_one_core

#: ratios, and how many problems may be beyond the first of them
CLOSE, WORST, BEYOND = 1.3, 2.0, 2
SLOW = 30.0
#: single methods that are sensible for one of these problems or another
METHODS = ["dop853", "radau", "bdf", "rodas5p", "sdirk4", "mexx"]


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


def timed(runs: dict[str, Callable[[], Any]], repeats: int) -> dict[str, tuple[float, Any]]:
    """Seconds of the best of some calls, and a solution, of each; by turns, so that all have the same machine."""
    found: dict[str, tuple[float, Any]] = {}
    for _ in range(repeats):
        for name, run in runs.items():
            if name in found and found[name][0] > 1.0:
                continue
            begun = time.process_time()
            solution = run()
            seconds = time.process_time() - begun
            found[name] = min(seconds, found.get(name, (seconds,))[0]), solution
    return found


def main() -> None:
    arguments = parser(__doc__)
    arguments.add_argument("names", nargs="*", metavar="PROBLEM", help="some of the problems; all if left away")
    arguments.add_argument("--methods", nargs="+", default=METHODS, help="single methods to compare with")
    given = arguments.parse_args()
    pin_to_one_core()
    import dalembert as da

    known = cases()
    for name in given.names:
        if name not in known:
            arguments.error(f"there is no problem '{name}'; there are {', '.join(known)}")
    repeats = 3 if given.quick else 7
    ratios = []
    with Reporter(json=given.json, title="The right method by itself") as report:
        for name in given.names or known:
            eqs, span, start, options = known[name]()

            def run(method: str, limit: int | None = None) -> Any:
                return da.simulate(eqs, span, start, method=method, max_steps=limit, **options)

            steps = run("auto").statistics.steps  # compiles
            most = int(SLOW * max(steps, 200))  # so many steps would take far longer than auto did
            for method in given.methods:
                run(method, 20)
            runs = {"auto": lambda: run("auto")}
            runs |= {method: lambda method=method: run(method, most) for method in given.methods}
            found = timed(runs, repeats)
            ours, solution = found.pop("auto")
            finished = {method: seconds for method, (seconds, end) in found.items() if end.status == 0}
            for method, seconds in finished.items():
                report.add(case=name, quantity=f"time with {method}", unit="ms", ours=1e3 * seconds)
            by = min(finished, key=finished.__getitem__)
            best = finished[by]
            report.add(case=name, quantity="steps of auto", unit="1", ours=solution.statistics.steps)
            row = report.add(
                case=name, quantity="time with auto", unit="ms", ours=1e3 * ours, baseline=f"best: {by}",
                theirs=1e3 * best, limit=WORST,
            )  # fmt: skip
            ratios.append(row.ratio or float("inf"))
        if not given.names:
            close = sum(ratio <= CLOSE for ratio in ratios)
            report.add(
                case="all", quantity=f"problems within {CLOSE} × the best single method", unit="1", ours=close,
                limit=len(ratios) - BEYOND, bound="at least",
            )  # fmt: skip


if __name__ == "__main__":
    main()
