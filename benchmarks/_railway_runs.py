"""Whole runs of the locomotive FEVE 3000: scenarios that stay bounded, limits of steps, orders, where runs end.

Runs have worn wheels with a flange, and S1 the published profiles, which are good up to 28 mm beside their middle and
have no flange there.  Bounded runs are made with ``ranged=False`` and ``unilateral=False``: where a wheel leaves its
profiles, or lifts off, is a row.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from scipy.linalg import eigvals, null_space

import dalembert as da
from _common import Reporter
from dalembert.problems.mechanisms.locomotive import locomotive
from dalembert.symbolic import compile

STEP, SPAN = 1e-3, 20.0
#: m/s: the paper's speed, and those at which the limit of explicit steps is looked for
SPEED, SPEEDS = 23.7, (23.7, 1.0, 0.1, 0.005)
#: N and N m: static load of a wheel; torque of each motor that is close to what friction allows
LOAD, TRACTION = 42e3, 3000.0
#: s: the paper's limit of explicit Euler's method, 1e-4 ms
PAPER_LIMIT = 1e-7


class Made:
    """A locomotive with its equations and its start."""

    def __init__(self, scenario: str, **options: Any) -> None:
        example = locomotive(scenario, **options)
        self.equations = example.model.equations()
        self.start = example.assemble(self.equations)
        self.wheels = [one.name for one in self.equations.layout.with_auxiliary]

    def run(self, span: float, method: Any, start: Any = None, **options: Any) -> da.Solution:
        """A motion without dense output."""
        chosen = self.start if start is None else start
        return da.simulate(self.equations, (0.0, span), chosen, method=method, dense_output=False, **options)

    def of_wheels(self, run: da.Solution, name: str) -> Any:
        """A surface parameter of all wheels."""
        return run.q[[self.equations.index("q", f"{wheel}.{name}") for wheel in self.wheels]]


@cache
def made(scenario: str, **options: Any) -> Made:
    """The same one for all tables."""
    return Made(scenario, **options)


def tables(report: Reporter, quick: bool = False) -> None:
    """Scenarios; quick ones leave out what has to be compiled for one row alone."""
    _bounded(report, ("S0",) if quick else ("S0", "S2", "S3", "S4"), 2.0 if quick else SPAN)
    _predictors(report, 2.0 if quick else SPAN)
    if not quick:
        _traction(report)


def limits(report: Reporter, quick: bool = False) -> None:
    """The largest steps."""
    _steps(report, 2.0 if quick else SPAN)
    _explicit_limit(report, SPEEDS[:1] if quick else SPEEDS)
    _undamped(report)
    if not quick:
        _trapezoidal_limit(report)


def _bounded(report: Reporter, scenarios: tuple[str, ...], span: float) -> None:
    for name in scenarios:
        one = made(name, unilateral=False, ranged=False)
        run = one.run(span, da.Imex(step=STEP))
        case, u = f"{name}, imex, 1 ms, {span:g} s", np.abs(one.of_wheels(run, "u"))
        report.add(case=case, quantity="end of the run", unit="s", ours=run.t[-1], limit=span, bound="at least")
        report.add(case=case, quantity="contact from the middle of a wheel, most", unit="mm", ours=1e3 * u.max())
        left = [record.t for record in run.events if "leaves the range" in record.name]
        when = left[0] if left else span
        report.add(case=case, quantity="on its profiles until", unit="s", ours=when, limit=span, bound="at least")
        report.add(case=case, quantity="least N", unit="kN", ours=1e-3 * run.lam.min(), limit=0.0, bound="at least")
        conformal = sum("conformal" in record.name for record in run.events)
        report.add(case=case, quantity="contacts that become conformal, a second", unit="1", ours=conformal / run.t[-1])
        _corrections(report, case, one, run, straight=name == "S0")
        if name in ("S0", "S2"):
            _saturation(report, case, one, run)


def _corrections(report: Reporter, case: str, one: Made, run: da.Solution, *, straight: bool = False) -> None:
    """Steps with one correction, and what these leave; a bar on straights."""
    counts, steps = run.statistics.extra, run.statistics.steps
    once = 1.0 - counts["projections_repeated"] / steps
    bar = {"limit": 99.0, "bound": "at least"} if straight else {}
    report.add(case=case, quantity="steps with one correction", unit="%", ours=100.0 * once, **bar)
    for name, key in (("largest |g|", "constraint_residual"), ("largest |h|", "auxiliary_residual")):
        report.add(case=case, quantity=name, unit="m", ours=counts[key], limit=1e-6)
    report.add(case=case, quantity="largest |G v|", unit="m/s", ours=_velocity_residual(one, run), limit=1e-10)


def _velocity_residual(one: Made, run: da.Solution) -> float:
    """The largest rate at which constraints are left, at a thousand steps; nothing moves them in time."""
    places = range(0, len(run.t), max(1, len(run.t) // 1000))
    rates = [one.equations.evaluate("G", q=run.q[:, k]) @ run.v[:, k] for k in places]
    return float(np.abs(rates).max())


def _predictors(report: Reporter, span: float) -> None:
    """Corrections of surface parameters by what they are predicted by (Fig. 14 of the paper)."""
    one = made("S0", unilateral=False, ranged=False)
    for name in ("differences", "rates", "none"):
        run = one.run(span, da.Imex(step=STEP, predictor=name))
        counts, steps, case = run.statistics.extra, run.statistics.steps, f"S0, imex, predictor: {name}"
        once = 100.0 * (1.0 - counts["projections_repeated"] / steps)
        report.add(case=case, quantity="steps with one correction", unit="%", ours=once)
        report.add(
            case=case,
            quantity="corrections of parameters a step",
            unit="1",
            ours=counts["auxiliary_iterations"] / steps,
        )


def _saturation(report: Reporter, case: str, one: Made, run: da.Solution) -> None:
    """Largest part of the friction that creep forces use, at every tenth step."""
    worst = 0.0
    for k in range(0, len(run.t), 10 * max(1, len(run.t) // 5000)):
        state = da.State(run.t[k], run.q[:, k], run.v[:, k], run.a[:, k], run.lam[:, k], run.u[:, k])
        for wheel, N in zip(one.equations.layout.with_auxiliary, state.lam, strict=True):
            x, y, _ = one.equations.evaluate_quantity(wheel.creep_forces, state)
            worst = max(worst, float(np.hypot(x, y)) / (0.35 * max(float(N), 1.0)))
    report.add(case=case, quantity="|F|/(mu N), most", unit="1", ours=worst)


def _steps(report: Reporter, span: float) -> None:
    """The largest steps with which S0 stays on its profiles."""
    one, found = made("S0", unilateral=False, ranged=False), 0.0
    for ms in (1.0, 2.0, 5.0, 7.0, 10.0, 15.0, 20.0):
        run = one.run(span, da.Imex(step=1e-3 * ms))
        good = _stays(run)
        if ms in (2.0, 5.0):
            report.add(
                case=f"S0, imex, {ms:g} ms, {span:g} s",
                quantity="bounded",
                unit="1",
                ours=float(good),
                limit=1.0,
                bound="at least",
            )
        if not good:
            break
        found = ms
    report.add(case="S0", quantity="imex, largest step that stays bounded", unit="ms", ours=found)


def _stays(run: da.Solution) -> bool:
    """Whether a run has reached its end on its profiles."""
    return run.success and not any("leaves the range" in record.name for record in run.events)


def _trapezoidal_limit(report: Reporter, span: float = 2.0) -> None:
    """The largest steps of the linearly implicit trapezoidal rule; the paper has "around 1 ms"."""
    one, found = made("S0", unilateral=False, ranged=False), 0.0
    for ms in (1.0, 2.0, 5.0, 10.0):
        if not _stays(one.run(span, da.LinearlyImplicitTrapezoidal(step=1e-3 * ms))):
            break
        found = ms
    report.add(
        case="S0", quantity=f"linearly implicit trapezoidal rule, largest step with {span:g} s on profiles", unit="ms",
        ours=found, paper=1.0,
    )  # fmt: skip


def _decay(one: Made, start: da.State) -> float:
    """The fastest decay of velocities by creep, of M⁻¹C within the constraints."""
    x = one.equations.innermost.expressions
    inputs = {key: x.inputs[key] for key in ("p", "t", "q", "v", "u", "lam")}
    function = compile({"M": x.M, "C": x.viscosity, "G": x.G}, inputs, name="decay")
    found = function(one.equations.parameter_vector(), [0.0], start.q, start.v, start.u, start.lam)
    N = null_space(found["G"])
    return float(np.abs(eigvals(N.T @ found["C"] @ N, N.T @ found["M"] @ N)).max())


def _explicit_limit(report: Reporter, speeds: tuple[float, ...]) -> None:
    """The largest step of explicit Euler's method beside 2/λ, with the linear law and static loads."""
    one = made("S0", law="linear", load=LOAD, irregular=False, unilateral=False, ranged=False)
    for speed in speeds:
        start = one.equations.assemble(one.start.q, one.start.v * speed / SPEED)
        expected = 2.0 / _decay(one, start)
        low, high = 0.5 * expected, 2.0 * expected
        while high - low > 0.01 * expected:
            middle = 0.5 * (low + high)
            grows = _grows(one, start, middle)
            low, high = (low, middle) if grows else (middle, high)
        case = f"explicit Euler at {speed:g} m/s"
        report.add(case=case, quantity="2/lambda", unit="ms", ours=1e3 * expected, paper=1e3 * PAPER_LIMIT)
        off = abs(low / expected - 1.0)
        report.add(case=case, quantity="measured limit", unit="ms", ours=1e3 * low)
        report.add(case=case, quantity="measured limit beside 2/lambda", unit="1", ours=off, limit=0.1)


def _grows(one: Made, start: da.State, step: float, count: int = 400) -> bool:
    """Whether accelerations grow beyond those of the start; speeds of reference, which grow with them, hold them up."""
    run = one.run(count * step, da.ExplicitEuler(step=step), start)
    size = np.abs(run.a).max(axis=0)
    return not run.success or not size[-50:].max() < 1.5 * size[0]


def _undamped(report: Reporter) -> None:
    """An undamped mode: (38) lets it grow at Δω²/4, the symplectic update does not."""
    m, omega, step = da.Model("oscillator", plane="xy", gravity=(0, 0)), 50.0, 1e-3
    slide = m.prismatic("slide", m.ground.at(0, 0), m.body("mass", mass=1.0, inertia=1.0).at(0, 0), axis=(1, 0))
    m.joint_spring("spring", slide, omega**2)
    equations = m.equations(coordinates="relative")
    start = equations.assemble([1.0])
    for update, growth in (("average", 0.25 * step * omega**2), ("symplectic", 0.0)):
        run = da.simulate(equations, (0, 4), start, method=da.Imex(step=step, update=update), dense_output=False)
        size, late = np.abs(run.q[0]), run.t > 3.0
        early = run.t < 1.0
        rate = float(np.log(size[late].max() / size[early].max())) / 3.0
        report.add(case="undamped mode, 50 rad/s, 1 ms", quantity=f"growth, {update}", unit="1/s", ours=rate)
        report.add(
            case="undamped mode, 50 rad/s, 1 ms",
            quantity=f"growth, {update}, off by",
            unit="1/s",
            ours=abs(rate - growth),
            limit=0.02,
        )


def overturning(report: Reporter) -> None:
    """S1 as it is described: where it ends."""
    for quantity, ranged in (("ends on its profiles", True), ("ends by lift-off", False)):
        reports: list[Any] = []
        one = made("S1", ranged=ranged)
        run = one.run(SPAN, da.Imex(step=STEP), monitor=reports.append)
        name = next((record.name for record in run.events if record.t == run.t[-1]), run.message)
        report.add(case="S1, unilateral", quantity=f"{quantity}: {name}", unit="s", ours=run.t[-1], limit=SPAN)
        bar = {"limit": 3} if ranged else {}
        most = max(one.extra["auxiliary_iterations"] for one in reports)
        report.add(case="S1, unilateral", quantity=f"{quantity}: most corrections", unit="1", ours=most, **bar)
        more = 100.0 * np.mean([one.extra["auxiliary_iterations"] > 3 for one in reports])
        report.add(case="S1, unilateral", quantity=f"{quantity}: steps with more than 3", unit="%", ours=float(more))
        _jumps(report, quantity, one, run, reports)
    run = made("S1", unilateral=False, ranged=False).run(SPAN, da.Imex(step=STEP))
    report.add(case="S1, bilateral", quantity="end of the run", unit="s", ours=run.t[-1], limit=SPAN, bound="at least")
    report.add(case="S1, bilateral", quantity="least N", unit="kN", ours=1e-3 * run.lam.min())
    # with the other set of data, a flange and friction that saturates the curve can be run through
    one = made("S1", data="plausible", profiles="worn", law="polach", unilateral=False, ranged=False)
    reports = []
    run = one.run(SPAN, da.Imex(step=STEP), monitor=reports.append)
    case = "S1, bilateral, plausible data, worn wheels, polach"
    most = max(each.extra["auxiliary_iterations"] for each in reports)
    report.add(case=case, quantity="most corrections in a step", unit="1", ours=most, limit=3)
    report.add(case=case, quantity="end of the run", unit="s", ours=run.t[-1], limit=SPAN, bound="at least")
    report.add(case=case, quantity="least N", unit="kN", ours=1e-3 * run.lam.min())
    _corrections(report, case, one, run)


def _jumps(report: Reporter, quantity: str, one: Made, run: da.Solution, reports: list[Any]) -> None:
    """Steps with more than three corrections: in how many of them a contact jumps, and how far; a bar on all others."""
    case, counts = "S1, unilateral", np.array([each.extra["auxiliary_iterations"] for each in reports])
    located = run.t[-1] - run.t[-2] < 0.999 * STEP  # the last one has the corrections of looking for the event in it
    counts = counts[: len(run.t) - 1 - located]
    followed = Followed(one)
    many = np.flatnonzero(counts > 3)
    jumps = np.array([followed.jumps(run, k) for k in many])
    report.add(case=case, quantity=f"{quantity}: steps with more than 3 corrections", unit="1", ours=many.size)
    report.add(case=case, quantity=f"{quantity}: a contact jumps in", unit="1", ours=int((jumps > 0.0).sum()))
    report.add(case=case, quantity=f"{quantity}: jumps, least", unit="mm", ours=1e3 * jumps[jumps > 0.0].min())
    report.add(case=case, quantity=f"{quantity}: jumps, most", unit="mm", ours=1e3 * jumps.max())
    most = np.delete(counts, many[jumps > 0.0]).max()
    where = f"{quantity}: most corrections where no contact jumps"
    report.add(case=case, quantity=where, unit="1", ours=int(most), limit=3)


class Followed:
    """Solutions of the equations of contacts, followed from one end of a step to the other in small parts."""

    #: of a step; in one of them a solution that goes on does not move by a tenth of the step
    PARTS, SHARE = 1000, 0.1
    #: m or rad: a solution that arrives so far from the one of the run is another one
    APART = 1e-5

    def __init__(self, one: Made) -> None:
        x = one.equations.innermost.expressions
        inputs = {key: x.inputs[key] for key in ("p", "t", "q")}
        self.parameters = one.equations.parameter_vector()
        self.blocks = [
            (
                list(block.places),
                compile({"h": block.equations, "h_s": block.matrix(x.inputs["q"])}, inputs, name=f"contact_{k}"),
            )
            for k, block in enumerate(x.auxiliary)
        ]

    def jumps(self, run: da.Solution, k: int) -> float:
        """How far a contact is moved beyond where its solution goes on to, in step k; 0 where all of them go on."""
        moved = [float(np.abs(run.q[places, k + 1] - run.q[places, k])[-1]) for places, _ in self.blocks]
        for wheel in np.argsort(moved)[::-1]:
            if not self._goes_on(int(wheel), run.q[:, k], run.q[:, k + 1]):
                return moved[wheel]
        return 0.0

    def _goes_on(self, wheel: int, q0: Any, q1: Any) -> bool:
        """Whether the solution of q0 leads to that of q1 on a straight way of the coordinates."""
        places, function = self.blocks[wheel]
        s, before, whole, sign = q0[places], q0[places], np.abs(q1[places] - q0[places]).max(), 0.0
        for part in np.linspace(0.0, 1.0, self.PARTS + 1):
            q = q0 + part * (q1 - q0)
            q[places] = 2.0 * s - before
            for _ in range(8):
                found = function(self.parameters, [0.0], q)
                change = np.linalg.solve(found["h_s"], found["h"])
                q[places] -= change
                if np.abs(change).max() < 1e-12:
                    break
            else:
                return False
            now = np.sign(np.linalg.det(found["h_s"]))
            if now * sign < 0.0 or np.abs(q[places] - s).max() > self.SHARE * whole + self.APART:
                return False
            before, s, sign = s, q[places], now
        return bool(np.abs(s - q1[places]).max() < self.APART)


def _traction(report: Reporter) -> None:
    """From standstill to the paper's speed."""
    one = made("S0", speed=0.0, torque=TRACTION, lateral=0.0, unilateral=False, ranged=False)
    run = one.run(25.0, da.Imex(step=STEP), events=[da.Event(lambda v: v[0] - SPEED, 1, terminal=True, name="fast")])
    case = "from standstill, imex, 1 ms"
    report.add(
        case=case, quantity="speed reached", unit="m/s", ours=run.v[0, -1], limit=0.999 * SPEED, bound="at least"
    )
    report.add(case=case, quantity="after", unit="s", ours=run.t[-1])
    worst = 1e3 * np.abs(one.of_wheels(run, "u")).max()
    report.add(case=case, quantity="contact from the middle of a wheel, most", unit="mm", ours=worst)
    report.add(
        case=case, quantity="stays on its profiles", unit="1", ours=float(_stays(run)), limit=1.0, bound="at least"
    )


def order(report: Reporter) -> None:
    """Errors beside radau, on a smooth straight and on one that undulates."""
    _order(report, made("S0", irregular=False, unilateral=False, ranged=False), "smooth straight", 0.25)
    _order(report, made("S0", unilateral=False, ranged=False), "S0", 1.0)


def _order(report: Reporter, one: Made, track: str, span: float) -> None:
    """Largest errors at instants that all steps meet: at a single one, such as the end, the term of order 1 may be
    small."""
    instants = np.linspace(0.0, span, round(span / 1e-2) + 1)
    exact = one.run(span, "radau", rtol=1e-9, t_eval=instants)
    n, case = one.equations.sizes.v, f"imex, {track}, {span:g} s"
    creep = _creep_forces(one, exact)
    errors, off = {}, {}
    for ms in (2.0, 1.0, 0.5, 0.25):
        run = one.run(span, da.Imex(step=1e-3 * ms))
        at = np.searchsorted(run.t, instants - 1e-9)
        errors[ms] = [float(np.abs(getattr(run, key)[:n, at] - getattr(exact, key)[:n]).max()) for key in "qv"]
        off[ms] = float(np.abs(_creep_forces(one, run) - creep).max() / np.abs(creep).max())
    for k, name in enumerate(("q", "v")):
        for ms in (1.0, 0.5, 0.25):
            found = float(np.log2(errors[2.0 * ms][k] / errors[ms][k]))
            report.add(case=case, quantity=f"order of {name}, {ms:g} ms", unit="1", ours=found)
            where = f"order of {name}, {ms:g} ms: off 1 by"
            report.add(case=case, quantity=where, unit="1", ours=abs(found - 1.0), limit=0.15)
    report.add(case=case, quantity="error of q at 1 ms", unit="mm or mrad", ours=1e3 * errors[1.0][0])
    report.add(case=case, quantity="error of creep forces at 1 ms, of the largest", unit="%", ours=100.0 * off[1.0])
    report.add(case=case, quantity="radau reached", unit="s", ours=exact.t[-1], limit=span, bound="at least")


def _creep_forces(one: Made, run: da.Solution) -> Any:
    """Along and across the rails, of all wheels, at the end of a run."""
    state = da.State(run.t[-1], run.q[:, -1], run.v[:, -1], run.a[:, -1], run.lam[:, -1], run.u[:, -1])
    wheels = one.equations.layout.with_auxiliary
    return np.array([one.equations.evaluate_quantity(wheel.creep_forces, state)[:2] for wheel in wheels])
