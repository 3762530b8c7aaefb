"""A step of the implicit–explicit method, task by task (Table 1 of the railway paper), its spread, its stability, its
order and its projections; on the locomotive, and on models that are no trains.

Tasks are timed apart: programs and kernels are called in compiled loops on the memory of a run that is under way.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

import dalembert as da
from _common import Reporter, best_of
from _compiled_loops import JumpingClock, cpu_clock, loop_over
from dalembert.equations.contract.convention import IMEX, INPUTS, STAGE
from dalembert.equations.contract.implicit_explicit import alike_parts
from dalembert.integrate.fixed.projection import project
from dalembert.integrate.methods.imex import attempt
from dalembert.integrate.run.live import LiveRun, Options
from dalembert.integrate.run.sizing import sizing
from dalembert.linalg.factors.dense_lu import lapack
from dalembert.problems import mechanisms
from dalembert.problems.mechanisms.locomotive import locomotive
from dalembert.symbolic import SparseMatrix, array, compile

#: Table 1 of the paper, microseconds on its machine.
PAPER = {
    "evaluations": 114.0, "patches, laws and tables, of these": 31.0, "solution": 103.0, "projections": 37.0,
    "integration": 1.0, "step": 256.0,
}  # fmt: skip
#: Bars for the locomotive, microseconds.
BARS = {
    "evaluations": 14.0, "patches, laws and tables, of these": 2.0, "solution": 4.0, "projections": 4.0, "step": 25.0,
}  # fmt: skip
#: A step is at most so many solutions of a dense system of 38 unknowns, and 99 of 100, or all, at most so many medians.
DENSE_SYSTEMS, SPREAD, WORST = 2.5, 1.5, 2.0
_STEP = 1e-3
#: Runs whose least times are taken, step by step.
RUNS = 40
#: s: of the run that keeps the pace of the clock
PACED = 60.0


class Case(NamedTuple):
    """A model under way."""

    name: str
    equations: Any
    start: Any


def cases() -> Iterator[Case]:
    """The locomotive on a straight with irregularities, and a vehicle on tyres."""
    example = locomotive("S0")
    equations = example.model.equations()
    yield Case("locomotive", equations, example.assemble(equations))
    example = mechanisms.hmmwv14()
    equations = example.model.equations(coordinates="relative")
    yield Case("HMMWV14, relative", equations, example.assemble(equations))


def under_way(case: Case, method: Any, steps: int = 200, y: Any = None) -> LiveRun:
    """A run after some steps, from the start of the case or another one, which no guard ends."""
    e, start = case.equations, case.start
    sizes = sizing(e, tuple(range(e.sizes.lam)), start, {}, 100.0)
    options = Options(
        rtol=1e-6, atol=sizes.atol, scale=sizes.scale, time_scale=1.0 / sizes.rate, drift=sizes.drift, dense=False
    )
    live = LiveRun(e, method, options, e.parameter_vector())
    live.start(0.0, np.concatenate([start.q, start.v, start.u]) if y is None else y, 1e4)
    live.guess(start.lam)
    advance(live, steps)
    return live


def advance(live: LiveRun, steps: int) -> None:
    """So many steps, at most those of a slice."""
    live.run.slice, live.run.recorded = min(steps, live.slice), 0
    live.advance()


def seconds(loop: Any, count: int = 40, repeats: int = 400) -> float:
    """Of one call in a compiled loop: the best of many short ones, as others may have the core in between."""
    loop(1)
    return best_of(lambda: loop(count), repeats, at_least=0.0) / count


def entry_loop(live: LiveRun, request: int, changed: int) -> Any:
    """The program of the step, called again and again."""
    run = live.run
    arrays = [run.imex_inputs.ctypes.data, run.imex_outputs.ctypes.data, live.work("imex").ctypes.data]
    return loop_over(live.providers["imex"].address, [request, changed, *arrays])


def kernel_loop(live: LiveRun, kernel: Any) -> Any:
    """A kernel on the memory of the run."""
    run = live.run
    return loop_over(kernel.address, [run.table.ctypes.data, run.ints.ctypes.data, run.reals.ctypes.data])


def unsolved(live: LiveRun) -> Any:
    """What (37) is made of, evaluated and not solved, in a loop: M + Δ C, f, γ, T v, u̇."""
    x = live.equations.innermost.expressions
    matrix = array(x.M + x.step[0] * x.viscosity) if x.viscous else x.M
    outputs = {"K": SparseMatrix.from_dense(matrix), "f": x.f, "gamma": x.gamma, "qdot": x.q_rate, "d": x.d_or_none}
    return evaluated(live, outputs, "unsolved")


def laws(live: LiveRun) -> tuple[Any, Any]:
    """Rates of stiff viscous parts, and these together with their matrices: of contacts, patches, Kalker's coefficients
    and laws of creep, with all tables of these."""
    x = live.equations.innermost.expressions
    rates = array([one for part in x.viscous for one in part.rates])
    matrices = array([one for part in x.viscous for one in part.C.flat])
    return evaluated(live, {"rates": rates}, "rates"), evaluated(live, {"rates": rates, "C": matrices}, "laws")


def evaluated(live: LiveRun, outputs: dict[str, Any], name: str) -> Any:
    """Some quantities at the point where a run is, in a loop."""
    x = live.equations.innermost.expressions
    inputs = {key: x.inputs[key] for key in INPUTS} | {"step": x.step}
    function = compile(outputs, inputs, name=name, staged=True, alike=alike_parts(x))
    out = [np.zeros(max(1, item.size)) for item in function.outputs]
    pointers = np.array([one.ctypes.data for one in out])
    work = np.zeros(max(1, function.work_size))
    request = (1 << len(out)) - 1
    kept = getattr(live, "kept_alive", ())
    live.kept_alive = (*kept, function, out, pointers, work)  # type: ignore[attr-defined]
    arguments = [request, STAGE.T, live.run.imex_inputs.ctypes.data, pointers.ctypes.data, work.ctypes.data]
    return loop_over(function.address, arguments)


def tasks(case: Case) -> dict[str, float]:
    """Seconds of the tasks of a step."""
    live = under_way(case, da.Imex(step=_STEP))
    run = live.run
    solved = IMEX.a | IMEX.lam | IMEX.d | (0 if run.unit_T else IMEX.qdot | IMEX.Ta)
    place = IMEX.g | IMEX.G | IMEX.gI | (0 if run.unit_T else IMEX.T) | (IMEX.h | IMEX.hs if run.n_s else 0)
    before = IMEX.g | (IMEX.h if run.n_s else 0)
    first, second = seconds(entry_loop(live, before, STAGE.T)), seconds(entry_loop(live, place, STAGE.T))
    everything = seconds(entry_loop(live, solved | place, STAGE.T))
    bare = seconds(unsolved(live))
    whole = seconds(kernel_loop(live, project))
    without, with_laws = map(seconds, laws(live)) if case.equations.innermost.expressions.viscous else (0.0, 0.0)
    found = {
        "evaluations": bare + first + second,
        "patches, laws and tables, of these": max(0.0, with_laws - without),
        "solution": max(0.0, everything - second - bare),
        "projections": max(0.0, whole - first - second),
        "integration": seconds(kernel_loop(live, attempt)),
    }
    live = under_way(case, da.Imex(step=_STEP))
    count = min(40, live.slice)
    found["step"] = best_of(lambda: advance(live, count), 400, at_least=0.0) / count
    return found


def dense_system(n: int = 38) -> float:
    """Seconds of LAPACK's dgesv, without its argument checks: factors and one solution of n unknowns."""
    numbers = np.random.default_rng(3)
    matrix, right = numbers.standard_normal((n, n)) + n * np.eye(n), numbers.standard_normal(n)
    work, pivots, x = matrix.copy(), np.zeros(n, dtype=np.int32), right.copy()
    size, one, info = np.array([n], dtype=np.int32), np.array([1], dtype=np.int32), np.zeros(1, dtype=np.int32)
    arguments = [size, one, work, size, pivots, x, size, info]
    restored = (work.reshape(-1), matrix.reshape(-1))
    return seconds(loop_over(lapack("dgesv"), [one.ctypes.data for one in arguments], restored=restored))


@contextmanager
def clocked(clock: Any, sleep: Any = None) -> Iterator[None]:
    """Runs in real time look at this clock.  (Layouts of runs, which hold addresses, are kept with the equations.)"""
    plain = LiveRun.advance

    def advance(live: LiveRun) -> int:
        live.run.clock_gettime = clock.address
        if sleep is not None:
            live.run.clock_nanosleep = sleep.address
        return plain(live)

    with patch.object(LiveRun, "advance", advance):
        yield


def as_fast_as_it_can(case: Case, steps: int) -> da.Solution:
    """A run in real time at a pace that nobody can keep, so that times of steps are counted and none waits."""
    method, span = da.Imex(step=_STEP), steps * _STEP
    return da.simulate(case.equations, (0.0, span), case.start, method=method, realtime=1e9, dense_output=False)


def spread(case: Case, steps: int, *, by_cpu: bool = False) -> dict[str, float]:
    """Seconds of single steps, by the clock, or those that the thread had the core."""
    with clocked(cpu_clock()) if by_cpu else nullcontext():
        run = as_fast_as_it_can(case, steps)
    counts = run.statistics.extra
    names = {
        "median": "step_time_median",
        "99 %": "step_time_99",
        "99.99 %": "step_time_9999",
        "worst": "step_time_worst",
    }
    return {name: float(counts[key]) for name, key in names.items()}


def least_times(case: Case, steps: int, runs: int) -> Any:
    """Seconds of each step at the pace of the clock, the least of so many runs that are the same to the last bit: what
    a step has to do stays, and what others do with the core goes, as it hits other steps in every run.  Nobody sleeps:
    caches are as warm as they get."""
    least, clock = np.full(steps, np.inf), JumpingClock(steps)
    with clocked(clock.read, clock.sleep):
        for _ in range(runs):
            clock.begin()
            da.simulate(
                case.equations, (0.0, steps * _STEP), case.start, method=da.Imex(step=_STEP), realtime=True,
                dense_output=False,
            )  # fmt: skip
            np.minimum(least, clock.step_times(steps, _STEP), out=least)
    return least


def tables(report: Reporter, quick: bool = False) -> None:
    """Tasks and times of steps, their projections; a model that is no train."""
    dense = dense_system()
    for case in cases():
        train = case.name == "locomotive"
        found = tasks(case)
        for name, value in found.items():
            report.add(
                case=f"step, {case.name}", quantity=name, unit="us", ours=1e6 * value,
                paper=PAPER[name] if train else None, limit=BARS.get(name) if train else None,
            )  # fmt: skip
        report.add(
            case=f"step, {case.name}", quantity="beside a dense system of 38 unknowns", unit="us",
            ours=1e6 * found["step"], baseline="LAPACK dgesv", theirs=1e6 * dense,
            limit=DENSE_SYSTEMS if train else None,
        )  # fmt: skip
        for by_cpu in (False, True):
            _spread(report, case, 2_000 if quick else 20_000, by_cpu=by_cpu)
        _least(report, case, 2_000 if quick else 20_000)
        _work(report, case, 2.0 if quick else 20.0)
        _projections(report, case, 1.0 if quick else 5.0)
    _quarter_car(report)


def _spread(report: Reporter, case: Case, steps: int, *, by_cpu: bool) -> None:
    """Times of single steps; by the clock they have in them what others do with the core meanwhile."""
    train, times = case.name == "locomotive", spread(case, steps, by_cpu=by_cpu)
    where = f"times of steps, {case.name}, {'CPU' if by_cpu else 'clock'}"
    for name, value in times.items():
        bar = BARS["step"] if train and name == "median" else None
        report.add(case=where, quantity=name, unit="us", ours=1e6 * value, limit=bar)
    for name, bar in (("99 %", SPREAD), ("99.99 %", WORST), ("worst", WORST)):
        ratio = times[name] / times["median"]
        report.add(case=where, quantity=f"{name} / median", unit="1", ours=ratio, limit=bar if train else None)


def _least(report: Reporter, case: Case, steps: int) -> None:
    """The spread of what steps have to do: every step by the least time that it took in many runs."""
    least = least_times(case, steps, RUNS)
    where, train = f"times of steps, {case.name}, least of {RUNS} runs step by step", case.name == "locomotive"
    median = float(np.median(least))
    report.add(case=where, quantity="median", unit="us", ours=1e6 * median, limit=BARS["step"] if train else None)
    for name, part, bar in (("99 %", 0.99, SPREAD), ("99.99 %", 0.9999, WORST), ("worst", 1.0, WORST)):
        ratio = float(np.quantile(least, part)) / median
        report.add(case=where, quantity=f"{name} / median", unit="1", ours=ratio, limit=bar if train else None)


def _work(report: Reporter, case: Case, span: float) -> None:
    """What single steps ask for, counted: evaluations of rates, factors of constraints, corrections."""
    steps: list[Any] = []
    da.simulate(
        case.equations, (0.0, span), case.start, method=da.Imex(step=_STEP), dense_output=False, monitor=steps.append
    )  # fmt: skip
    counts = {"evaluations of (37)": [one.nfev for one in steps], "factors": [one.nlu for one in steps]}
    if case.equations.auxiliary_places:
        counts["corrections of parameters"] = [one.extra["auxiliary_iterations"] for one in steps]
    where = f"work of single steps, {case.name}, {span:g} s"
    for name, found in counts.items():
        for what, part in (("median", 0.5), ("99 %", 0.99), ("most", 1.0)):
            value = float(np.quantile(found, part))
            report.add(case=where, quantity=f"{name}, {what}", unit="1", ours=value)


def pace(report: Reporter, quick: bool = False) -> None:
    """The locomotive at the pace of the clock, with steps of 1 ms."""
    span = 5.0 if quick else PACED
    example = locomotive("S0", span=1.2 * span)  # motors make it faster
    equations = example.model.equations()
    start = example.assemble(equations)
    method = da.Imex(step=_STEP)
    run = da.simulate(equations, (0.0, span), start, method=method, realtime=True, dense_output=False)
    counts, case = run.statistics.extra, f"S0, imex, 1 ms, {span:g} s at the pace of the clock"
    report.add(case=case, quantity="end of the run", unit="s", ours=run.t[-1], limit=span, bound="at least")
    report.add(case=case, quantity="overruns", unit="1", ours=counts["overruns"], limit=0)
    for name in ("late_worst", "step_time_median", "step_time_99", "step_time_worst"):
        report.add(case=case, quantity=name.replace("_", " "), unit="us", ours=1e6 * counts[name])


def _projections(report: Reporter, case: Case, t_end: float) -> None:
    """Corrections of positions and of auxiliary variables, and what they leave."""
    run = da.simulate(case.equations, (0.0, t_end), case.start, method=da.Imex(step=_STEP), dense_output=False)
    counts, steps, where = run.statistics.extra, run.statistics.steps, f"projections, {case.name}"
    once = 1.0 - counts["projections_repeated"] / steps
    train = case.name == "locomotive"
    report.add(
        case=where, quantity="steps with one correction", unit="1", ours=once, limit=0.99 if train else None,
        bound="at least",
    )  # fmt: skip
    report.add(
        case=where, quantity="corrections of positions a step", unit="1", ours=counts["projection_iterations"] / steps
    )
    report.add(case=where, quantity="choices of dependent coordinates", unit="1", ours=counts["repartitions"])
    report.add(case=where, quantity="largest |g|", unit="m", ours=counts["constraint_residual"], limit=1e-6)
    if "auxiliary_residual" in counts:
        report.add(case=where, quantity="largest |h|", unit="1", ours=counts["auxiliary_residual"], limit=1e-6)
        report.add(
            case=where,
            quantity="corrections of parameters a step",
            unit="1",
            ours=counts["auxiliary_iterations"] / steps,
        )


def quarter_car(damping: float = 1.5e5) -> Any:
    """A model that is no train: a chassis and a wheel with a stiff damper between them."""
    m = da.Model("quarter car", plane="xy", gravity=(0, -9.81))
    chassis, wheel = m.body("chassis", mass=400.0, inertia=1.0), m.body("wheel", mass=40.0, inertia=1.0)
    m.prismatic("travel", m.ground.at(0, 0), chassis.at(0, 0), axis=(0, 1))
    strut = m.prismatic("strut", chassis.at(0, 0), wheel.at(0, 0), axis=(0, 1))
    m.joint_spring("suspension", strut, 2e4, damping, implicit=True)
    m.tyre("tyre", wheel.at(0, 0), 0.3, 2e5, 1e2, lifts=False, road=lambda t: 0.02 * np.sin(8.0 * t))
    return m.equations(coordinates="relative")


def _quarter_car(report: Reporter) -> None:
    """Explicit limit, stability far beyond it, order."""
    equations = quarter_car()
    start = equations.assemble()
    decay = 1.5e5 * (1.0 / 400.0 + 1.0 / 40.0)
    report.add(case="quarter car", quantity="explicit limit 2/λ", unit="ms", ours=2e3 / decay)
    edge = _edge(equations, start, 2.0 / decay)
    report.add(
        case="quarter car",
        quantity="explicit Euler, measured limit / (2/λ)",
        unit="1",
        ours=edge * decay / 2.0,
        limit=1.1,
    )
    coarse = da.simulate(equations, (0, 5), start, method=da.Imex(step=200.0 / decay, update="symplectic"))
    report.add(
        case="quarter car", quantity="imex at 100 times the limit: largest |q|", unit="m", ours=np.abs(coarse.q).max(),
        limit=1.0,
    )  # fmt: skip
    exact = da.simulate(equations, (0, 1), start, method="radau", rtol=1e-10, atol=1e-12)
    errors = [
        np.abs(da.simulate(equations, (0, 1), start, method=da.Imex(step=h)).q[:, -1] - exact.q[:, -1]).max()
        for h in (2e-3, 1e-3, 5e-4)
    ]
    for a, b, h in zip(errors, errors[1:], (1e-3, 5e-4), strict=False):
        report.add(
            case="quarter car", quantity=f"observed order at {1e3 * h:g} ms", unit="1", ours=float(np.log2(a / b))
        )


def _edge(equations: Any, start: Any, expected: float) -> float:
    """The largest step with which explicit Euler stays bounded, by bisection."""
    low, high = 0.5 * expected, 2.0 * expected
    for _ in range(8):
        middle = 0.5 * (low + high)
        run = da.simulate(equations, (0, 2), start, method=da.ExplicitEuler(step=middle), max_steps=int(2.1 / middle))
        if run.success and np.abs(run.v).max() < 1e2:
            low = middle
        else:
            high = middle
    return low


def main() -> None:
    """Only this part."""
    from _common import parser, pin_to_one_core

    pin_to_one_core()
    arguments = parser(__doc__).parse_args()
    with Reporter(json=arguments.json, title="A step of the implicit–explicit method") as report:
        tables(report, arguments.quick)


if __name__ == "__main__":
    main()
