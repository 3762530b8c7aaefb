"""Models of mechanisms: forward dynamics beside CasADi, Pinocchio and MuJoCo; a simulated second beside Exudyn.

All build the same mechanisms from the same numbers (_trees.py): spatial chains of 5 to 1000 links, an arm with seven
joints, and a hanging chain of 100 and 1000 links.

Forward dynamics, from angles, velocities and torques to accelerations.  All results are compared with those of the
articulated-body algorithm in Numba (_trees_by_hand.py), to 1e-9 of the largest, before anything is timed.

derivation + compile       ours: from the model to machine code; CasADi: the articulated-body algorithm (_chains.py) in
                           SX, ``cse``, its C code, and gcc -O3.  Nothing from disk
evaluation, compiled       one call of this code through a function pointer from a loop in C, always at the same point
evaluation, recursion      ours: the numeric recursion, called from Python with arrays; beside Pinocchio's aba and
                           MuJoCo's mj_forward, also called from Python (_peers_trees.py)
growth of recursion        its time per link over that of the chain before: 1 is linear growth

One second of the hanging chain (_peers_trees_exudyn.py): CPU time of the integration, without building the model.  The
error is the largest distance of any joint, or the tip, from where it should be at the end, over the largest way that
one of them has gone.  The reference solution is that of _trees_by_hand.py with DOP853 at 1e-11, whose difference to
1e-9 is in benchmarks/data.  "CPU time, error 1e-3" is the least time of all runs whose error is no larger, whatever the
method, for ours over tolerances and for Exudyn over methods and steps.

What the numbers cannot show: repeating one point keeps everything in the caches of the processor.  The links of the
hanging chain move together; its high frequencies are there, and limit the steps of explicit methods, but carry nothing.
To stay below fifteen minutes, CasADi is asked for chains up to 100 links, for which gcc takes about a minute, and runs
of Exudyn are stopped at 120 s (--thorough: 1200 s); Pinocchio is asked as far as the memory goes.  What has no result
is a row of its own, and bars that are set beside it are not judged.

Ours is called in one place, _ours_trees.py, which has

    forward_dynamics_code(tree) -> (f, seconds)     whole-model code with the arguments q, v, tau and one result, as
                                                    dalembert.symbolic.compile gives it (address, work_size), and the
                                                    seconds from the description to machine code
    recursion(tree) -> object                       its forward_dynamics(q, v, tau) gives the accelerations
    simulate(tree, coordinates, tolerance, span) -> (seconds, q)
                                                    from rest at tree.start, "absolute" or "relative" coordinates: CPU
                                                    seconds of the integration, and q at the end: n joint angles, or
                                                    (n, 7) centres of mass in the world and Euler parameters, the scalar
                                                    first
    WHOLE_MODEL                                     largest number of links for which code of the whole model is made
"""

from __future__ import annotations

import ctypes
import importlib
import math
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import _chains as chains
import _peers_trees
import _peers_trees_exudyn as exudyn
import _trees as trees
import _trees_by_hand as by_hand
from _baselines import TIME_LIMIT, Evaluation, Failed, Library, Task, best_and_result, gcc, timing_loops
from _common import Reporter, best_of, parser, pin_to_one_core
from _peers_sweep import decades

TOLERANCE = 1e-9
ERRORS = (1e-3, 1e-5)
PLAIN = "-O3"


@dataclass(frozen=True)
class Effort:
    """How much time the benchmark takes."""

    sizes: tuple[int, ...] = (5, 10, 20, 50, 100, 200, 500, 1000)
    casadi: int = 100  # largest number of links
    hanging: tuple[int, ...] = (100, 1000)
    limit: float = 120.0  # s for a simulation by Exudyn
    repeats: int = 20
    finest: float = 9.0  # −log10 of our smallest tolerance


QUICK = Effort(sizes=(5, 20), casadi=20, hanging=(100,), limit=20.0, repeats=5, finest=6.0)
THOROUGH = Effort(limit=1200.0)


def say(*words: object) -> None:
    """What is measured of the others, at once."""
    print(*words, file=sys.stderr, flush=True)


class Comparison:
    """Measures ours, if it is there, and the others, and reports."""

    def __init__(
        self, report: Reporter, ours: ModuleType | None, casadi: Library, folder: Path, effort: Effort
    ) -> None:
        self.report, self.ours, self.casadi, self.folder, self.effort = report, ours, casadi, folder, effort
        self.loops = timing_loops(folder)
        self.growth: tuple[int, float] | None = None  # links and microseconds of the chain before

    def add(
        self,
        case: str,
        quantity: str,
        unit: str,
        ours: float | None,
        name: str,
        theirs: float | None,
        limit: float | None = None,
    ) -> None:
        """A row, where ours is measured; with a bar also where one of both has no result."""
        if theirs is not None:
            say(f"{case}: {quantity}: {theirs:.5g} {unit}, {name}")
        if ours is not None and (theirs is not None or limit is not None):
            self.report.add(
                case=case, quantity=quantity, unit=unit, ours=ours, baseline=name, theirs=theirs, limit=limit
            )
        elif self.ours is not None and limit is not None:
            self.report.failed(case=case, quantity=quantity)

    def missing(self, case: str, name: str, reason: object) -> None:
        """A row for what has no result."""
        say(f"{case}: {name}: {reason}")
        if self.ours is not None:
            self.report.add(case=case, quantity="without result", unit="1", ours=0, baseline=name, theirs=1)

    # ------------------------------------------------------------------ forward dynamics

    def forward_dynamics(self, tree: trees.Tree) -> None:
        """One mechanism, by all."""
        case = f"{tree.name}, forward dynamics"
        point = trees.point(tree.size)
        expected = by_hand.forward_dynamics(tree)(*point)

        def check(who: str, found: np.ndarray) -> None:
            error = np.abs(found - expected).max() / np.abs(expected).max()
            if not error < TOLERANCE:
                raise SystemExit(f"{case}: {who} deviates from the reference by {error:.2g} of the largest result")

        self._compiled(case, tree, point, check)
        self._recursion(case, tree, point, check)

    def _compiled(
        self, case: str, tree: trees.Tree, point: Sequence[np.ndarray], check: Callable[[str, np.ndarray], None]
    ) -> None:
        evaluations: dict[str, Evaluation] = {}
        seconds: dict[str, float] = {}
        if self.ours is not None and tree.size <= self.ours.WHOLE_MODEL:
            made = [self._ours_compiled(tree)]
            while len(made) < 3 and sum(taken for _, taken in made) < 2.0:
                made.append(self._ours_compiled(tree))
            f = made[-1][0]
            seconds["ours"] = min(taken for _, taken in made)
            evaluations["ours"] = Evaluation(self.loops, "ours", f, f.address, point, tree.size, f.work_size)
        name = f"{self.casadi.title}, gcc {PLAIN}"
        if tree.size <= self.effort.casadi:
            try:
                seconds["theirs"], evaluations["theirs"] = self._casadi(tree, point)
            except Failed as failure:
                self.missing(case, name, failure)
        for who, evaluation in evaluations.items():
            check(who, evaluation.results)
        _time(list(evaluations.values()), 3 * self.effort.repeats)
        own = 1e6 * evaluations["ours"].best if "ours" in evaluations else None
        if tree.size <= self.effort.casadi:
            call = 1e6 * evaluations["theirs"].best if "theirs" in evaluations else None
            self.add(case, "derivation + compile", "s", seconds.get("ours"), name, seconds.get("theirs"), 0.34)
            self.add(case, "evaluation, compiled", "us", own, name, call, 1.0)
        elif own is not None:
            self.report.add(case=case, quantity="derivation + compile", unit="s", ours=seconds["ours"])
            self.report.add(case=case, quantity="evaluation, compiled", unit="us", ours=own)

    def _ours_compiled(self, tree: trees.Tree) -> tuple[Any, float]:
        """Our code and the seconds it took, with nothing on disk to be found."""
        assert self.ours is not None
        usual = os.environ.get("DALEMBERT_CACHE_DIR")
        os.environ["DALEMBERT_CACHE_DIR"] = tempfile.mkdtemp(dir=self.folder)
        try:
            made: tuple[Any, float] = self.ours.forward_dynamics_code(tree)
        finally:
            del os.environ["DALEMBERT_CACHE_DIR"]
            if usual is not None:
                os.environ["DALEMBERT_CACHE_DIR"] = usual
        return made

    def _casadi(self, tree: trees.Tree, point: Sequence[np.ndarray]) -> tuple[float, Evaluation]:
        """Seconds from the algorithm to machine code, and the code."""
        chain = partial(chains.given, trees.as_chain(tree))
        n = tree.size
        task = Task(partial(chains.results, "forward dynamics", chain), {"q": n, "v": n, "u": n})
        file = Path(tempfile.mkdtemp(dir=self.folder)) / "casadi.c"
        derived = self.casadi.derive(task, file, TIME_LIMIT)
        shared = file.with_suffix(".so")
        compilation, _ = best_and_result(partial(gcc, file, shared, PLAIN), 3, 1.0)
        code = ctypes.CDLL(str(shared))
        address = ctypes.cast(code.f, ctypes.c_void_p).value
        assert address is not None
        made = Evaluation(self.loops, "theirs", code, address, point, n, derived.work)
        return derived.derivation + derived.generation + compilation, made

    def _recursion(
        self, case: str, tree: trees.Tree, point: Sequence[np.ndarray], check: Callable[[str, np.ndarray], None]
    ) -> None:
        quantity = "evaluation, recursion"

        def microseconds(who: str, function: Callable[..., np.ndarray]) -> float:
            check(who, function(*point))
            return 1e6 * best_of(lambda: function(*point), self.effort.repeats, at_least=2e-3, clock=time.process_time)

        own = None
        if self.ours is not None:
            own = microseconds("ours", self.ours.recursion(tree).forward_dynamics)
            if tree.name != "seven-joint arm":
                if self.growth is not None:
                    n, before = self.growth
                    grown = own / tree.size / (before / n)
                    self.report.add(case=case, quantity="growth of recursion", unit="1", ours=grown)
                self.growth = tree.size, own
        for peer in _peers_trees.PEERS:
            try:
                name, function = peer(tree)
                theirs = microseconds(name, function)
            except (ImportError, Failed) as failure:
                name, theirs = peer.__name__, None
                self.missing(case, name, failure)
            limit = 1.0 if peer is _peers_trees.pinocchio and tree.size >= 20 else None
            self.add(case, quantity, "us", own, name, theirs, limit)

    # ----------------------------------------------------------------------- simulation

    def simulation(self, n: int) -> None:
        """One second of a hanging chain, by all."""
        tree = trees.hanging_chain(n)
        expected = trees.joint_points(tree, by_hand.reference(n))
        for coordinates in (exudyn.ABSOLUTE, exudyn.RELATIVE):
            case = f"{tree.name}, {coordinates} coordinates, one second"
            ours = self._ours_simulated(case, tree, coordinates, expected)
            best: dict[float, tuple[float, str]] = {}
            for error, seconds, name in self._exudyn(case, tree, coordinates, expected):
                for wanted in ERRORS:
                    if error <= wanted and seconds < best.get(wanted, (math.inf, ""))[0]:
                        best[wanted] = seconds, name
            for wanted in ERRORS:
                quantity = f"CPU time, error {wanted:.0e}"
                if wanted not in best:
                    longest = f"{self.effort.limit:g} s"
                    self.missing(case, f"exudyn, error {wanted:.0e}", f"not reached in runs of up to {longest}")
                seconds, name = best.get(wanted, (None, "exudyn"))
                self.add(case, quantity, "s", ours.get(wanted), name, seconds, 0.1)

    def _ours_simulated(
        self, case: str, tree: trees.Tree, coordinates: str, expected: np.ndarray
    ) -> dict[float, float]:
        """Least CPU seconds by error."""
        best: dict[float, float] = {}
        if self.ours is None:
            return best
        points = trees.points_of_bodies if coordinates == exudyn.ABSOLUTE else trees.joint_points
        for tolerance in decades(2.0, self.effort.finest, 1.0):
            seconds, q = self.ours.simulate(tree, coordinates, tolerance, (0.0, trees.END))
            error = trees.error_of(tree, points(tree, np.asarray(q)), expected)
            say(f"{case}: ours, tolerance {tolerance:.0e}: error {error:.1e}, {seconds:.4g} s")
            for wanted in ERRORS:
                if error <= wanted:
                    best[wanted] = min(seconds, best.get(wanted, math.inf))
            if error <= min(ERRORS):
                break  # smaller tolerances take longer
        return best

    def _exudyn(
        self, case: str, tree: trees.Tree, coordinates: str, expected: np.ndarray
    ) -> Iterator[tuple[float, float, str]]:
        """Errors, CPU seconds and names of all runs; no method is tried with more steps than it needs."""
        repeats = 3 if tree.size <= 200 else 1
        for setting in exudyn.SETTINGS:
            if setting.coordinates != coordinates:
                continue
            before = math.inf
            for steps in setting.counts(tree.size):
                name = f"{setting.title}, {steps} steps"
                try:
                    seconds, points = exudyn.simulate(tree, setting, steps, self.effort.limit, repeats)
                except Failed as failure:
                    say(f"{case}: {name}: {failure}")
                    if isinstance(failure, exudyn.Stopped) and coordinates == exudyn.RELATIVE:
                        return  # explicit, from the cheapest on; implicit ones fail at long steps, not at short ones
                    continue
                error = trees.error_of(tree, points, expected)
                say(f"{case}: {name}: error {error:.1e}, {seconds:.4g} s")
                yield error, seconds, name
                if error <= min(ERRORS) and (setting.coordinates == exudyn.RELATIVE or seconds > before):
                    break  # more steps can take less time only if they spare iterations
                before = seconds


def _time(evaluations: Sequence[Evaluation], rounds: int) -> None:
    """Time compiled functions by turns, so that disturbances meet all of them."""
    calls = [max(5, min(1000, int(1e-3 / e.run(5)))) for e in evaluations]
    for _ in range(rounds):
        for e, n in zip(evaluations, calls, strict=True):
            e.run(n)


def main() -> None:
    """Forward dynamics, then simulations."""
    options = parser(__doc__)
    options.add_argument("--thorough", action="store_true", help="twenty minutes for each run of Exudyn")
    options.add_argument("--peers", action="store_true", help="only the others; their numbers are on standard error")
    options.add_argument("--only", choices=("dynamics", "simulation"), help="one half of the benchmark")
    arguments = options.parse_args()
    pin_to_one_core()
    effort = QUICK if arguments.quick else THOROUGH if arguments.thorough else Effort()
    ours = None if arguments.peers else importlib.import_module("_ours_trees")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        casadi = stack.enter_context(Library("casadi"))
        with Reporter(json=arguments.json, title="Models") as report:
            comparison = Comparison(report, ours, casadi, folder, effort)
            if arguments.only != "simulation":
                for tree in [trees.arm(), *map(trees.general_chain, effort.sizes)]:
                    comparison.forward_dynamics(tree)
            if arguments.only != "dynamics":
                for n in effort.hanging:
                    comparison.simulation(n)


if __name__ == "__main__":
    main()
