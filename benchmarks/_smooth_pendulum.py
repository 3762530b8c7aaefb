"""The elastic pendulum of Rheinboldt and Simeon: frequency of the coupled system, orders in ε."""

from __future__ import annotations

from typing import Any

import numpy as np

import dalembert as da
from _common import Reporter

ALPHA = np.sqrt(np.pi**2 / (np.pi**2 - 6.0))
_TIGHT = {"method": "dop853", "rtol": 1e-13, "atol": 1e-16}
#: A start that moves, so that w^a does not vanish.
_MOVING = ([-0.5, 0.0], [0.7, 0.0])


def pendulum(epsilon: float) -> tuple[Any, Any]:
    """The problem and its partition."""
    problem = da.problems.elastic_pendulum(epsilon=epsilon, start="rigid")
    return problem, da.Partition(problem.equations, ["q"])


def half_period(t: np.ndarray, y: np.ndarray) -> float:
    """Mean distance of the first six zeros, five half periods, of a sampled curve."""
    (before,) = np.nonzero(y[:-1] * y[1:] < 0)
    zeros = [t[k] - y[k] * (t[k + 1] - t[k]) / (y[k + 1] - y[k]) for k in before[:6]]
    return float(zeros[5] - zeros[0]) / 5.0


def ringing(epsilon: float) -> tuple[float, float]:
    """Frequencies times ε after q(0) = 0: of the full system, and of the linear theory (23)."""
    problem, partition = pendulum(epsilon)
    t = np.linspace(0.0, 20.0 * epsilon, 20001)
    full = da.simulate(problem.equations, (0.0, t[-1]), ([0.0, 0.0], [0.0, 0.0]), **_TIGHT)
    rigid = da.simulate(partition.rigid, (0.0, t[-1]), ([0.0], [0.0]), **_TIGHT)
    smooth = partition.motion(rigid, t).q[1]
    linear, _ = partition.elastodynamics(rigid, t)
    found = [np.pi / half_period(t, y - smooth) * epsilon for y in (full.sol(t).q[1], linear[0])]
    return found[0], found[1]


def frequency(report: Reporter) -> None:
    """A7."""
    case = "A7 elastic pendulum"
    for epsilon, known in ((0.02, -1.7e-3), (0.01, -1.1e-4), (0.005, -6.7e-6)):
        found, linear = ringing(epsilon)
        error = found / ALPHA - 1.0
        report.add(case=case, quantity=f"alpha, relative error, eps {epsilon}", unit="1", ours=error, paper=0.0)
        report.add(
            case=case, quantity=f"alpha, error over {known}, eps {epsilon}", unit="1", ours=abs(error / known - 1.0),
            limit=0.1,
        )  # fmt: skip
        report.add(
            case=case, quantity=f"linear theory (23): |frequency − 1|, eps {epsilon}", unit="1",
            ours=abs(linear - 1.0), limit=1e-3,
        )  # fmt: skip
    for start in ("smooth", "rigid"):
        problem = da.problems.elastic_pendulum(start=start)
        run, known_state = da.simulate(problem, **_TIGHT), problem.references[0]
        worst = max(
            np.max(np.abs(run.q[:, -1] / known_state.q - 1.0)), np.max(np.abs(run.v[:, -1] / known_state.v - 1.0))
        )
        report.add(case=case, quantity=f"state at t = 1, {start} start", unit="1", ours=worst, limit=2e-8)


def errors(epsilon: float, kind: str) -> np.ndarray:
    """Largest differences of p, q, ṗ, q̇ between the full solution from a start and the smooth motion."""
    problem, partition = pendulum(epsilon)
    t = np.linspace(0.0, 1.0, 201)
    slow = partition.slaved if kind == "slaved" else partition.rigid
    run = da.simulate(slow, (0.0, 1.0), (_MOVING[0][:1], _MOVING[1][:1]), **_TIGHT)
    smooth = partition.motion(run, t)
    start = partition.start(*_MOVING)
    q, v = np.array(start.q), np.array(start.v)
    if kind in ("without rates", "q = 0"):
        v[1] = 0.0
    if kind == "q = 0":
        q[1] = 0.0
    full = da.simulate(problem.equations, (0.0, 1.0), (q, v), **_TIGHT).sol(t)
    return np.concatenate([np.abs(full.q - smooth.q).max(axis=1), np.abs(full.v - smooth.v).max(axis=1)])


def orders(report: Reporter) -> None:
    """A8: orders in ε between 0.005 and 0.0025, with the deviation that is allowed."""
    case = "A8 orders in eps"
    wanted = {
        "full start": {"p": (2.0, 0.05), "q": (4.0, 0.2)},
        "without rates": {"q": (3.0, 0.3), "q rate": (2.0, 0.1)},
        "q = 0": {"p": (2.0, 0.1), "q": (2.0, 0.1), "p rate": (1.0, 0.1), "q rate": (1.0, 0.1)},
        "slaved": {"p": (4.0, 0.1), "q": (4.0, 0.1)},
    }
    for kind, known in wanted.items():
        coarse, fine = errors(0.005, kind), errors(0.0025, kind)
        found = dict(zip(("p", "q", "p rate", "q rate"), np.log2(coarse / fine), strict=True))
        for name, (order, slack) in known.items():
            report.add(case=case, quantity=f"{kind}, {name}", unit="1", ours=found[name], paper=order)
            report.add(
                case=case, quantity=f"{kind}, {name}, off {order:g}", unit="1", ours=abs(found[name] - order),
                limit=slack,
            )  # fmt: skip
