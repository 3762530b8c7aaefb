"""The symbolic engine against CasADi, SymEngine and SymPy: from the equations of a mechanism to machine code.

Problems: spatial chains of 5, 10, 20 and 50 links in general position; a seven-joint arm, whose right angles leave many
structural zeros; the planar four-bar linkage of Fig. 2 of the railway paper (J. Ros, A. Plaza, X. Iriarte,
J. M. Pintor: Symbolic Multibody Methods for Real-Time Simulation of Railway Vehicles), with symbolic parameters.  For
each of them inverse dynamics, mass matrix, mass matrix with bias forces, and articulated-body forward dynamics come
from one source in plain Python (_chains.py), which is run with the scalars of each library (_baselines.py).  All
results are compared with those of Python floats, to 1e-9 of the largest, before anything is timed.

derivation       running the source, for the others including the elimination of common subexpressions
operations       of one evaluation: + - * / changes of sign and functions, one each; for the linkage also those of the
                 code that the paper prints
compile          ours: LLVM, nothing from disk; others: printing C, and gcc -O3
compile, cached  ours: finding the code on disk by its contents; CasADi: loading the shared library by its name
evaluation       one call through a function pointer from a loop in C, always at the same point; ours without fused
                 multiply–add against gcc -O3, and ("fma") ours with it against gcc -O3 -march=native
growth of …      its value per body at 2 N bodies over that at N: 1 is linear growth

What the numbers cannot show: CasADi is called scalar by scalar, because the source is; its matrix operations build the
same expressions in less time, but its time is mostly that of gcc.  gcc -O1 takes less, see the lines with it.  The C
printer for SymEngine and SymPy belongs to this benchmark and takes its time in Python.  Repeating one point keeps
everything in the caches of the processor.  To stay below ten minutes, SymPy is asked for the small problems only and
has 10 seconds each, SymEngine's code is compiled up to 20 000 operations, and CasADi's beyond 50 000 with -O3 alone;
--thorough lifts these limits, at the price of the time.
"""

from __future__ import annotations

import ast
import ctypes
import math
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import _chains as chains
import dalembert.symbolic as sym
from _baselines import TIME_LIMIT, Evaluation, Failed, Library, Task, best_and_result, gcc, timing_loops
from _common import Reporter, parser, pin_to_one_core
from dalembert.symbolic import mechanics

QUICKLY, PLAIN, NATIVE = "-O1", "-O3", "-O3 -march=native"  # flags of gcc
RIVALS = ("casadi", "symengine")
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Effort:
    """How much time the benchmark takes."""

    sizes: tuple[int, ...] = (5, 10, 20, 50)
    growth: tuple[int, ...] = (25, 50, 100, 200)
    rounds: int = 60  # of the timing loops
    gcc_repeats: int = 3
    sympy_joints: int = 7  # SymPy is not asked for more
    sympy_limit: float = 10.0  # s for a derivation
    casadi_operations: int = 50_000  # above, its code is compiled with -O3 only: that takes gcc more than a minute
    symengine_operations: int = 20_000  # above, its code is not compiled: that takes gcc another minute


QUICK = Effort(sizes=(5, 10), growth=(5, 10), rounds=30, gcc_repeats=1, sympy_joints=3)
THOROUGH = Effort(sympy_limit=TIME_LIMIT, casadi_operations=10**9, symengine_operations=10**9)


@dataclass(frozen=True)
class Problem:
    """A mechanism, and the point at which its functions are evaluated."""

    name: str
    joints: int
    chain: Callable[[Sequence[Any]], chains.Chain]
    parameters: tuple[float, ...] = ()

    def arguments(self) -> dict[str, int]:
        """Names and lengths of the inputs."""
        sizes = {"q": self.joints, "v": self.joints, "u": self.joints, "p": len(self.parameters)}
        return {name: size for name, size in sizes.items() if size > 0}

    def point(self) -> list[list[float]]:
        """Values of the inputs."""
        motion: list[list[float]] = np.random.default_rng(1).uniform(-1.0, 1.0, (3, self.joints)).tolist()
        return [*motion, list(self.parameters)] if self.parameters else motion


def problems(sizes: Sequence[int]) -> list[Problem]:
    """Two small mechanisms, and chains."""
    # Lengths, masses, centres of mass and inertias of the linkage, in the order of FOUR_BAR_PARAMETERS.
    linkage = (1.2, 1.5, 2.0, 3.0, 2.5, 0.6, 0.05, 0.7, -0.04, 0.8, 0.03, 1.1, 2.2, 2.0)
    found = [
        Problem("four-bar linkage", 3, chains.four_bar, linkage),
        Problem("seven-joint arm", 7, partial(chains.given, chains.arm())),
    ]
    for n in sizes:
        found.append(Problem(f"chain of {n} links", n, partial(chains.given, chains.spatial_chain(n))))
    return found


# ----------------------------------------------------------------- all libraries on one function


@dataclass
class Measured:
    """What a library, or ours, needed for one function; what depends on the compiler by the flags of gcc."""

    name: str
    title: str
    derivation: float  # s
    operations: int
    loading: float = math.inf  # s
    compilation: dict[str, float] = field(default_factory=dict)  # s
    evaluations: dict[str, Evaluation] = field(default_factory=dict)

    def total(self, flags: str) -> float | None:
        """Seconds from the source to machine code."""
        return self.derivation + self.compilation[flags] if flags in self.compilation else None

    def microseconds(self, flags: str) -> float | None:
        """Time of one evaluation."""
        return 1e6 * self.evaluations[flags].best if flags in self.evaluations else None


Checked = Callable[[str, str, Any, int, int], Evaluation]


class Comparison:
    """Runs functions of problems through all libraries and reports."""

    def __init__(self, report: Reporter, libraries: Sequence[Library], folder: Path, effort: Effort) -> None:
        self.report = report
        self.libraries = libraries
        self.folder = folder
        self.effort = effort
        self.loops = timing_loops(folder)

    def run(self, problem: Problem, function: str) -> None:
        """Measure and report everything about one function."""
        case = f"{problem.name}, {function}"
        print(case, file=sys.stderr, flush=True)
        task = Task(partial(chains.results, function, problem.chain), problem.arguments())
        point = problem.point()
        expected = np.array(task.function(math.sin, math.cos, *point), dtype=float)

        def checked(who: str, kind: str, code: Any, address: int, work: int) -> Evaluation:
            made = Evaluation(self.loops, kind, code, address, point, len(expected), work)
            error = np.abs(made.results - expected).max() / np.abs(expected).max()
            if not error < TOLERANCE:
                raise SystemExit(f"{case}: {who} deviates from Python floats by {error:.2g} of the largest result")
            return made

        ours = self._ours(task, checked)
        others: list[Measured] = []
        for library in self.libraries:
            if library.name != "sympy" or problem.joints <= self.effort.sympy_joints:
                self._other(case, library, task, checked, others)
        self._time([e for measured in (ours, *others) for e in measured.evaluations.values()])
        self._compare(case, problem.joints, ours, others)
        if problem.chain is chains.four_bar and function == "mass matrix":
            paper = operations_of_figure_2()
            self.report.add(case=case, quantity="operations", unit="1", ours=ours.operations, paper=paper)

    def _ours(self, task: Task, checked: Checked) -> Measured:
        def derive() -> tuple[list[Any], dict[str, Any]]:
            graph = sym.Graph()
            inputs = {name: graph.variables(name, size) for name, size in task.arguments.items()}
            return task.function(sym.sin, sym.cos, *(list(x) for x in inputs.values())), inputs

        derivation, (results, inputs) = best_and_result(derive, 10, 1.0)
        compilation, f = best_and_result(lambda: sym.compile(results, inputs, cache=False), 5, 2.0)
        fused = sym.compile(results, inputs, fma=True, cache=False)
        sym.compile(results, inputs)
        loading, again = best_and_result(lambda: sym.compile(results, inputs), 10, 1.0)
        assert again.from_cache
        plain = checked("dalembert", "ours", f, f.address, f.work_size)
        native = checked("dalembert with fma", "ours", fused, fused.address, fused.work_size)
        return Measured(
            "dalembert",
            "dalembert",
            derivation,
            f.statistics.operations,
            loading,
            dict.fromkeys((QUICKLY, PLAIN, NATIVE), compilation),
            {QUICKLY: plain, PLAIN: plain, NATIVE: native},
        )

    def _other(self, case: str, library: Library, task: Task, checked: Checked, found: list[Measured]) -> None:
        """Add what there is of ``library`` to ``found``."""
        file = self.folder / f"{library.name}.c"
        try:
            derived = library.derive(task, file, self.effort.sympy_limit if library.name == "sympy" else TIME_LIMIT)
            measured = Measured(library.name, library.title, derived.derivation, derived.operations)
            found.append(measured)
            wanted = [PLAIN, NATIVE]
            if library.name == "casadi":
                wanted = [PLAIN] if derived.operations > self.effort.casadi_operations else [*wanted, QUICKLY]
            elif derived.operations > self.effort.symengine_operations:
                wanted = []
            for flags in wanted:
                shared = Path(tempfile.mkdtemp(dir=self.folder)) / "f.so"
                seconds, _ = best_and_result(partial(gcc, file, shared, *flags.split()), self.effort.gcc_repeats, 1.0)
                measured.compilation[flags] = derived.generation + seconds
                measured.loading, code = _loaded(shared)
                address = ctypes.cast(code.f, ctypes.c_void_p).value
                assert address is not None
                who = f"{library.title}, gcc {flags}"
                measured.evaluations[flags] = checked(who, "theirs", code, address, derived.work)
        except Failed as failure:
            print(f"{case}: {library.title}: {failure}", file=sys.stderr, flush=True)
            self.report.add(
                case=case, quantity="without result in time", unit="1", ours=0, baseline=library.title, theirs=1
            )

    def _time(self, evaluations: Sequence[Evaluation]) -> None:
        """Time the functions by turns, so that disturbances meet all of them."""
        calls = [max(200, min(1000, int(1e-3 / e.run(200)))) for e in evaluations]
        for _ in range(self.effort.rounds):
            for e, n in zip(evaluations, calls, strict=True):
                e.run(n)

    def _compare(self, case: str, joints: int, ours: Measured, others: Sequence[Measured]) -> None:
        def rows(
            quantity: str,
            unit: str,
            value: Callable[[Measured], float | None],
            flags: str = "",
            libraries: Sequence[str] = (*RIVALS, "sympy"),
            limit: float | None = None,
        ) -> None:
            """A row for each library, and one for the better of two rivals; a bar is set beside the better one."""
            own = value(ours)
            assert own is not None
            add = partial(self.report.add, case=case, quantity=quantity, unit=unit, ours=own)
            theirs = {o.name: (o.title, v) for o in others if o.name in libraries and (v := value(o)) is not None}
            suffix = f", gcc {flags}" if flags else ""
            asked = [name for name in RIVALS if name in libraries]
            for name, (title, v) in theirs.items():
                add(baseline=f"{title}{suffix}", theirs=v, limit=limit if asked == [name] else None)
            rivals = [name for name in asked if name in theirs]
            if limit is None or (rivals and len(asked) == 1):
                return
            kind = "no result of" if not rivals else "better of" if len(rivals) > 1 else "only"
            best = min((theirs[name][1] for name in rivals), default=None)
            add(baseline=f"{kind} {' and '.join(rivals or asked)}{suffix}", theirs=best, limit=limit)

        rows("derivation", "s", lambda m: m.derivation)
        rows("compile", "s", lambda m: m.compilation.get(PLAIN), PLAIN)
        rows("compile, cached", "s", lambda m: m.loading, libraries=["casadi"])
        rows("derivation + compile", "s", lambda m: m.total(QUICKLY), QUICKLY, ["casadi"])
        build = 0.2 if joints >= 20 else 0.34 if joints >= 10 else None
        rows("derivation + compile", "s", lambda m: m.total(PLAIN), PLAIN, ["casadi"], build)
        rows("operations", "1", lambda m: m.operations, limit=1.0)
        rows("evaluation", "us", lambda m: m.microseconds(QUICKLY), QUICKLY, ["casadi"])
        rows("evaluation", "us", lambda m: m.microseconds(PLAIN), PLAIN, limit=1.0)
        rows("evaluation, fma", "us", lambda m: m.microseconds(NATIVE), NATIVE, limit=1.0)


def _loaded(shared: Path) -> tuple[float, ctypes.CDLL]:
    """Best time to load a shared library, and the library; one that is loaded already is known by its file."""
    copies = [Path(shutil.copy(shared, shared.with_name(f"copy{i}.so"))) for i in range(5)]
    times = []
    for copy in copies:
        seconds, code = best_and_result(lambda: ctypes.CDLL(str(copy)), 1, 1.0)
        times.append(seconds)
    return min(times), code


def operations_of_figure_2() -> int:
    """Operations in the code that the paper prints, signs free."""
    return sum(isinstance(node, (ast.BinOp, ast.Call)) for node in ast.walk(ast.parse(chains.FIGURE_2)))


# ------------------------------------------------------------------------------ growth


def virtual_power(chain: chains.Chain, q: Any) -> list[Any]:
    """Inverse dynamics of a chain by the mechanics algebra: the virtual power of all inertia forces and weights."""
    base = mechanics.Base.root(q[0].graph, "world")
    point = mechanics.Point.root(base, "O")
    gravity = -base.vector(*chain.lift)
    contributions = []
    for i, link in enumerate(chain.links):
        point = point.moved(f"P{i}", base.vector(*link.p))
        base = base.turned(f"E{i}", link.E).rotated(f"B{i}", axis=(0, 0, 1), angle=q[i])
        c, I = chains.central_inertia(link)
        com = point.moved(f"C{i}", base.vector(*c))
        force, moment = mechanics.rigid_body_inertia_forces(link.m, com, base.tensor(I), gravity=gravity)
        contributions += [(force, mechanics.velocity(com)), (moment, mechanics.angular_velocity(base))]
    return list(-mechanics.virtual_power(contributions, [x.dt for x in q]))


def growth(report: Reporter, sizes: Sequence[int]) -> None:
    """How derivation, compilation and code grow with the number of bodies."""

    def recursive(function: str) -> Callable[[chains.Chain, Any], list[Any]]:
        def derive(chain: chains.Chain, q: Any) -> list[Any]:
            v = [x.dt for x in q]
            u = [x.dt for x in v]
            return chains.results(function, partial(chains.given, chain), sym.sin, sym.cos, list(q), v, u)

        return derive

    algorithms = {
        "recursive inverse dynamics": ("inverse dynamics", recursive("inverse dynamics")),
        "articulated-body forward dynamics": ("forward dynamics", recursive("forward dynamics")),
        "inverse dynamics by virtual power": ("inverse dynamics", virtual_power),
    }
    for name, (function, derive) in algorithms.items():
        before: dict[str, float] = {}
        for n in sizes:
            case = f"{name}, {n} bodies"
            print(case, file=sys.stderr, flush=True)
            values = _growth_of(case, chains.spatial_chain(n), function, derive)
            for quantity, unit, value in values:
                if unit == "s":
                    report.add(case=case, quantity=quantity, unit=unit, ours=value)
                    report.add(case=case, quantity=f"{quantity} per body", unit="ms", ours=1e3 * value / n)
                else:
                    report.add(case=case, quantity=f"{quantity} per body", unit=unit, ours=value / n)
                if quantity in before:
                    report.add(case=case, quantity=f"growth of {quantity}", unit="1", ours=value / n / before[quantity])
                before[quantity] = value / n


def _growth_of(
    case: str, chain: chains.Chain, function: str, derive: Callable[[chains.Chain, Any], list[Any]]
) -> list[tuple[str, str, float]]:
    n = len(chain.links)

    def derived() -> tuple[list[Any], dict[str, Any]]:
        q = sym.Graph().coordinates("q", n)
        return derive(chain, q), {"q": q, "v": q.dt, "u": q.dt.dt}

    derivation, (results, inputs) = best_and_result(derived, 5, 2.0)
    compilation, f = best_and_result(lambda: sym.compile(results, inputs, cache=False), 5, 2.0)
    point = np.random.default_rng(1).uniform(-1.0, 1.0, (3, n)).tolist()
    expected = np.array(chains.results(function, partial(chains.given, chain), math.sin, math.cos, *point))
    error = np.abs(f(*point) - expected).max() / np.abs(expected).max()
    if not error < TOLERANCE:
        raise SystemExit(f"{case}: deviates from Python floats by {error:.2g} of the largest result")
    operations = float(f.statistics.operations)
    return [("derivation", "s", derivation), ("compile", "s", compilation), ("operations", "1", operations)]


# ------------------------------------------------------------------------------- main


def main() -> None:
    """Compare, then measure growth."""
    options = parser(__doc__)
    options.add_argument("--thorough", action="store_true", help="compile everything, and give SymPy 120 seconds")
    arguments = options.parse_args()
    pin_to_one_core()
    effort = QUICK if arguments.quick else THOROUGH if arguments.thorough else Effort()
    graph = sym.Graph()
    sym.compile(sym.sin(graph.variable("x")), [graph.variable("x")], cache=False)  # LLVM starts up
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        os.environ["DALEMBERT_CACHE_DIR"] = str(folder / "cache")
        libraries = [stack.enter_context(Library(name)) for name in (*RIVALS, "sympy")]
        with Reporter(json=arguments.json, title="Symbolic engine") as report:
            comparison = Comparison(report, libraries, folder, effort)
            for problem in problems(effort.sizes):
                for function in chains.FUNCTIONS:
                    comparison.run(problem, function)
            growth(report, effort.growth)


if __name__ == "__main__":
    main()
