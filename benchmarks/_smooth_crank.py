"""The flexible slider crank of Rheinboldt and Simeon: smooth starts, what rings after them, smooth motion."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

import dalembert as da
from _common import Reporter

FAST = ("q1", "q2", "q3", "q4")
SPAN = (0.0, 0.1)
#: Start of the Test Set for IVP Solvers, as printed: x3; φ̇2; q3, q4; ẇ1 to ẇ4.
PRINTED = {
    "x3": 0.450016933, "phi2.rate": -74.9957670, "q3": 0.103339863e-4, "q4": 0.169327969e-4,
    "q1.rate": 0.444896105, "q2.rate": 0.463434311e-2, "q3.rate": -0.178591076e-5, "q4.rate": -0.268938672e-5,
}  # fmt: skip


@dataclass(frozen=True)
class Crank:
    """Equations, partition and rigid start."""

    problem: Any
    partition: Any

    @classmethod
    def of(cls, fast: tuple[str, ...] = FAST, pi: float | None = None, **options: Any) -> Crank:
        problem = da.problems.slider_crank(start="rigid", **options)
        parameters = None if pi is None else {"pi": pi}
        return cls(problem, da.Partition(problem.equations, fast, parameters=parameters))

    def start(self, **options: Any) -> Any:
        """Smooth start near the rigid one."""
        return self.partition.start(self.problem.q0, self.problem.v0, **options)

    def run(self, start: Any, end: float = SPAN[1], rtol: float = 1e-11) -> Any:
        """The full system from a start."""
        return da.simulate(self.problem.equations, (0.0, end), start, method="dop853", rtol=rtol, atol=1e-4 * rtol)


def named(state: Any, equations: Any) -> dict[str, float]:
    """Coordinates and velocities by name."""
    return dict(zip(equations.names["q"], state.q, strict=True)) | dict(zip(equations.names["v"], state.v, strict=True))


def starts(report: Reporter) -> None:
    """A1 to A3."""
    exact_pi = Crank.of(pi=np.pi)
    case = "A1 smooth start of the test set"
    found = named(exact_pi.start(rates=1e-5), exact_pi.problem.equations)
    for name, value in PRINTED.items():
        unit = 10.0 ** (np.floor(np.log10(abs(value))) - 8)  # of the ninth digit
        report.add(case=case, quantity=f"{name}, printed", unit="1", ours=found[name], paper=value)
        report.add(
            case=case, quantity=f"{name}, off by units of digit 9", unit="1",
            ours=abs(found[name] - value) / unit, limit=0.5 + 1e-3,
        )  # fmt: skip
    case = "A2 exact derivative"
    for label, crank, values in (
        ("pi of the program", Crank.of(), (0.4448966976, 4.6343406e-3)),
        ("exact pi", exact_pi, (0.4448967305, 4.6343409e-3)),
    ):
        found = named(crank.start(), crank.problem.equations)
        for name, value, digits in zip(("q1.rate", "q2.rate"), values, (1e-10, 1e-8), strict=True):
            error = abs(found[name] / value - 1.0)
            report.add(case=case, quantity=f"{name}, {label}, relative", unit="1", ours=error, limit=digits)
        worst = max(abs(found["q3.rate"]), abs(found["q4.rate"]))
        report.add(case=case, quantity=f"largest of q3.rate, q4.rate, {label}", unit="m/s", ours=worst, limit=1e-12)
    case = "A3 crank of variable speed"
    for label, crank, rates in (
        ("pi of the program", Crank.of(crank="variable"), (0.9269669860, 1.2951437198e-2)),
        ("exact pi", Crank.of(crank="variable", pi=np.pi), (0.9269670545, 1.2951438154e-2)),
    ):
        found = named(crank.start(), crank.problem.equations)
        wanted = {"q3": 1.4880940312e-5, "q4": 2.4383227500e-5, "q1.rate": rates[0], "q2.rate": rates[1]}
        worst = max(abs(found[name] / value - 1.0) for name, value in wanted.items())
        report.add(case=case, quantity=f"largest relative difference, {label}", unit="1", ours=worst, limit=1e-9)


@cache
def periodic() -> tuple[Crank, Any, np.ndarray]:
    """The crank, its periodic slow motion by shooting over one turn, and its start (q, w)."""
    crank, period = Crank.of(), 2 * np.pi / 150.0
    chart = crank.partition.chart(crank.problem.q0)  # no slow freedom is left: local coordinates are the fast ones

    def begin(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        q = chart.point(x[:4])
        return q, chart.velocity(q, x[4:])

    def end(x: np.ndarray) -> np.ndarray:
        run = crank.run(begin(x), period, 1e-12)
        return np.concatenate([run.q[3:, -1], run.v[3:, -1]])

    start = crank.start(refined=True)
    x, sizes = np.concatenate([start.q[3:], start.v[3:]]), np.repeat([1e-6, 1e-3], 4)
    for _ in range(2):
        there = end(x)
        J = np.stack([(end(x + sizes[k] * np.eye(8)[k]) - there) / sizes[k] for k in range(8)], axis=1)
        x = x + np.linalg.solve(np.eye(8) - J, there - x)
    return crank, crank.run(begin(x), rtol=1e-12), x


def oscillations() -> dict[str, np.ndarray]:
    """Largest distance of q from the periodic slow motion over the span, by start."""
    crank, slow, _ = periodic()
    t = np.linspace(*SPAN, 4001)
    smooth = crank.start()
    still = np.array(smooth.v)
    still[3:] = 0.0
    q = np.array(smooth.q)
    q[2] = crank.problem.q0[2]
    found = {
        "q = 0": (crank.problem.q0, crank.problem.v0),
        "paper": (smooth.q, smooth.v),
        "refined": crank.start(refined=True),
        "rates zero": crank.problem.equations.assemble(smooth.q, still, held=list(crank.problem.coordinates)),
        # Positions and velocities with q^a, w^a projected in the metric of M over all coordinates.
        "projected": crank.problem.equations.assemble(q, smooth.v),
    }
    exact = slow.sol(t).q[3:]
    return {name: np.abs(crank.run(start).sol(t).q[3:] - exact).max(axis=1) for name, start in found.items()}


def quality(report: Reporter) -> None:
    """A4 and A5."""
    found = oscillations()
    case = "A4 oscillation after a start, of that after q = 0"
    limits = {"paper": (6.0, 0.45, 0.6, 0.65), "refined": (0.8, 0.05, 0.05, 0.06)}
    for name in ("paper", "refined", "rates zero", "projected"):
        share = 100.0 * found[name] / found["q = 0"]
        for k, fast in enumerate(FAST):
            limit = limits[name][k] if name in limits else None
            report.add(case=case, quantity=f"{name}, {fast}", unit="%", ours=share[k], limit=limit)
    crank, slow, x = periodic()
    case = "periodic slow motion"
    for name, ours, theirs in zip(("q3", "q4", "w1", "w2"), x[2:6], (1.02789509e-5, 1.68663344e-5, 0.473159760,
                                                                     4.63001835e-3), strict=True):  # fmt: skip
        report.add(case=case, quantity=f"start {name}, off", unit="1", ours=abs(ours / theirs - 1.0), limit=1e-6)
    case = "A5 smooth motion over the whole span, against the periodic one"
    rigid = crank.partition.rigid.kinematics(np.linspace(*SPAN, 1001), crank.problem.q0[:3])
    exact = slow.sol(rigid.t).q[3:]
    for refined, name in ((False, "paper"), (True, "refined")):
        limits_here = ((5.0, 0.2, 0.6, 0.55), (0.5, 0.002, 0.06, 0.06))[refined]
        motion = crank.partition.motion(rigid, refined=refined)
        error = 100.0 * np.abs(motion.q[3:] - exact).max(axis=1) / np.abs(exact).max(axis=1)
        for k, fast in enumerate(FAST):
            report.add(case=case, quantity=f"{name}, {fast}", unit="%", ours=error[k], limit=limits_here[k])


def variable(t: np.ndarray) -> dict[str, Any]:
    """Fig. 4: the full solution from the smooth start, quasi-static deformations, and those of the shifted partition,
    at instants t."""
    crank, shifted = Crank.of(crank="variable"), Crank.of(("q3", "q4"), crank="variable")
    start = crank.start()
    full = crank.run(start)
    rigid = crank.partition.rigid.kinematics(t, crank.problem.q0[:3])
    slow = shifted.partition.rigid
    begin = slow.assemble(start.q[:5], start.v[:5], held=["q1", "q2"])
    run = da.simulate(slow, SPAN, begin, method="dop853", rtol=1e-11, atol=1e-14)
    return {
        "full": full.sol(t).q[3:],
        "smooth": crank.partition.motion(rigid).q[3:],
        "shifted": shifted.partition.motion(run, t).q[3:],
    }


def shifted(report: Reporter) -> None:
    """A6."""
    found = variable(np.linspace(*SPAN, 2001))
    size = np.abs(found["full"]).max(axis=1)
    case = "A6 crank of variable speed, against the full solution"
    for name, limits in (("smooth", (None,) * 4), ("shifted", (0.13, 0.2, 1.1, 0.9))):
        error = 100.0 * np.abs(found[name] - found["full"]).max(axis=1) / size
        for k, fast in enumerate(FAST):
            report.add(case=case, quantity=f"{name} partition, {fast}", unit="%", ours=error[k], limit=limits[k])
    error = 100.0 * np.abs(found["smooth"] - found["full"])[0].max() / size[0]
    report.add(
        case=case, quantity="q1 fails unless it is slow", unit="%", ours=error, limit=15.0, bound="at least"
    )  # fmt: skip


def frequencies(report: Reporter) -> None:
    """A9."""
    crank = Crank.of()
    case = "A9 frequencies"
    published = (1276.686, 5106.746, 6840.817, 24612.658)
    for ours, theirs in zip(crank.partition.frequencies(), published, strict=True):
        report.add(
            case=case, quantity=f"rod by itself, {theirs}, off", unit="1", ours=abs(ours / theirs - 1.0), limit=1e-6
        )
    equations, still = crank.problem.equations, {"Omega": 0.0}
    state = equations.assemble(crank.problem.q0, np.zeros(7), parameters=still)
    values = equations.linearise(state, parameters=still).eigenvalues
    found = np.sort(values.imag[values.imag > 1.0])
    for ours, theirs in zip(found, (1276.69, 5106.75, 6617.78, 22605.97), strict=True):
        report.add(
            case=case, quantity=f"mechanism locked, {theirs}, off", unit="1", ours=abs(ours / theirs - 1.0), limit=1e-5
        )


def cost(report: Reporter) -> None:
    """What smooth motion costs beside the full system."""
    import time

    crank, t = Crank.of(), np.linspace(*SPAN, 1001)
    start = crank.start()
    for _ in range(2):  # the second time everything is compiled
        marks = [time.perf_counter()]
        rigid = da.simulate(
            crank.partition.rigid, SPAN, (crank.problem.q0[:3], crank.problem.v0[:3]), t_eval=t, rtol=1e-8, atol=1e-10
        )
        crank.partition.motion(rigid)
        marks.append(time.perf_counter())
        da.simulate(crank.problem.equations, SPAN, start, t_eval=t, method="radau", rtol=1e-6, atol=1e-9)
        marks.append(time.perf_counter())
    ours, theirs = np.diff(marks)
    report.add(
        case="smooth motion at 1001 instants, crank", quantity="time, with the run of the rigid limit", unit="s",
        ours=ours, baseline="full system, radau, 1e-6", theirs=theirs,
    )  # fmt: skip
