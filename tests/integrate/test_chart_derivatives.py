"""Derivatives of the equations of motion in a chart: all strategies on all problems of the library, columns in threads,
Proposition 1, equations without derivatives of accelerations."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dalembert as da
from dalembert.errors import SimulationError
from dalembert.integrate import ChartRungeKutta, Descriptor, Newmark, Rosenbrock, Sdirk
from dalembert.integrate.chart import chart_derivatives
from dalembert.integrate.chart.chart_pattern import certain_pattern, known_pattern
from dalembert.integrate.implicit.layout import FirstColumns
from dalembert.integrate.run.live import LiveRun, Options
from dalembert.linalg.plan import HEAD
from dalembert.native.threads import ROUTINE

mechanisms = da.problems.mechanisms


def of_library(name):
    problem = da.problems.get(name)
    q, v = problem.start
    if name == "pendulum_chain":  # it is stretched and at rest: nothing depends on anything to first order
        rng = np.random.default_rng(0)
        start = problem.equations.assemble(q + 0.1 * rng.standard_normal(q.size), v + rng.standard_normal(v.size))
        q, v = start.q, start.v
    return problem.equations, np.concatenate([q, v])


def mechanism(name, coordinates, builder="auto"):
    example = getattr(mechanisms, name)()
    equations = example.model.equations(coordinates, builder=builder)
    start = example.assemble(equations)
    return equations, np.concatenate([start.q, start.v, start.u])


def swung():
    """Constraints, kinematics, forces and external dynamics that depend on time."""
    equations = da.trace(
        M=lambda q: np.array([[2.0 + q[0] ** 2, 0.1, 0.0], [0.1, 1.0, 0.2], [0.0, 0.2, 1.5]]),
        f=lambda q, v, u, t: np.array([u[0] * v[1], np.sin(t) * q[1] - v[0] ** 3, -q[2] * t]),
        T=lambda q, t: np.array([[1.0 + 0.1 * q[1], 0.2 * t, 0.0], [np.cos(q[0]), 1.0, 0.1], [0.0, 0.3, 1.0]]),
        g=lambda q, t: np.array([q[0] ** 2 + q[1] - np.sin(t)]),
        d=lambda q, v, u, t: np.array([q[0] * v[1] - u[0] ** 2 + np.cos(t)]),
        n_q=3,
        n_u=1,
        name="swung",
    )
    start = equations.assemble([0.3, 0.4, -0.2], [0.3, 0.2, -0.4], [0.5], t=0.5)
    return equations, np.concatenate([start.q, start.v, start.u])


def driven():
    """No constraint: all coordinates are independent. Everything depends on everything, and on time."""
    equations = da.trace(
        M=lambda q: np.array([[2.0 + q[0] ** 2, 0.1 * np.cos(q[1])], [0.1 * np.cos(q[1]), 1.5]]),
        f=lambda q, v, u, t: np.array([u[0] * v[1] - 30.0 * q[0], np.sin(5.0 * t) * q[1] - v[0] ** 3 - 4.0 * v[1]]),
        d=lambda q, v, u, t: np.array([q[0] * v[1] - u[0] ** 2 + np.cos(t)]),
        n_q=2,
        n_u=1,
        name="driven",
    )
    return equations, np.array([0.3, 0.4, 0.2, -0.4, 0.5])


def braked():
    """Forces and external dynamics that depend on a reaction, linear in it."""
    equations = da.trace(
        M=lambda: np.eye(2),
        f=lambda q, v, lam, u: np.array([1.0 - 0.2 * lam[0] * v[0] + u[0], -9.81]),
        g=lambda q: np.array([q[0] ** 2 + q[1] ** 2 - 1.0]),
        d=lambda lam, u, q: np.array([0.1 * lam[0] * q[0] - u[0]]),
        n_q=2,
        n_u=1,
        name="brake",
    )
    start = equations.assemble([0.8, -0.6], [0.5, 0.6], [0.1])
    return equations, np.concatenate([start.q, start.v, start.u])


CASES = {
    **{name: functools.partial(of_library, name) for name in da.problems.names()},
    **{
        f"{name}, {coordinates}": functools.partial(mechanism, name, coordinates)
        for name in (
            "delta_robot", "double_wishbone", "four_bar", "slider_crank", "spatial_slider_crank"
        )
        for coordinates in ("relative", "absolute")
    },
    "wishbone by elements": functools.partial(mechanism, "double_wishbone", "absolute", "elements"),
    "stewart_platform": functools.partial(mechanism, "stewart_platform", "absolute", "elements"),
    "hmmwv14": functools.partial(mechanism, "hmmwv14", "absolute"),
    "swung": swung,
    "driven": driven,
    "brake": braked,
}  # fmt: skip
INSTANTS = {"swung": 0.5, "driven": 0.5}
made = functools.cache(lambda case: CASES[case]())


def first_step(equations, y, method, t=0.0, solver="auto"):
    """A run behind its first step, which is so small that derivatives are those of the start."""
    options = Options(rtol=1e-6, atol=np.full(y.size, 1e-6), first_step=1e-9, solver=solver)
    live = LiveRun(equations, method, options, equations.parameter_vector())
    live.run.slice = 1
    live.start(t, y, t + 1.0)
    live.advance()
    assert live.run.steps == 1, live.run.failure
    return live


def matrices(run):
    """E, and E2, E1, Eu, Et side by side; derivatives of d."""
    f, n_d = run.n_f, run.n_d
    return (
        np.array(run.E).reshape(f, f), np.array(run.E_motion).reshape(f, n_d),
        np.array(run.d_motion).reshape(run.n_u, n_d),
    )  # fmt: skip


def derivatives(case, **options):
    """z̈ and d by z, ż, u, t; independent velocities."""
    equations, y = made(case)
    run = first_step(equations, y, Rosenbrock(**options), INSTANTS.get(case, 0.0)).run
    E, motion, d = matrices(run)
    return np.concatenate([-np.linalg.solve(E, motion), d]), np.array(run.independent)


def refusal(equations, strategy):
    """Why a strategy cannot serve, as it must be told; nothing if it can."""
    if strategy == "directional":
        return equations.lacks("directional")
    if strategy == "analytic" and len(equations.program("contract").patterns["F"].rows):
        return "depend on reactions"
    return ""


#: What strategies may differ by from columns, of the largest entry.
BOUNDS = {"analytic": 1e-9, "directional": 1e-9, "numeric": 1e-5, "central": 1e-7, "grouped": 1e-5}


@pytest.mark.parametrize("case", CASES)
def test_all_strategies_agree_on_the_library(case):
    """(3.43)–(3.45), Appendix A, forward mode on atoms, differences."""
    equations, _ = made(case)
    expected, independent = derivatives(case, jacobian="columns")
    size = max(1.0, np.abs(expected).max())
    for strategy, bound in BOUNDS.items():
        if why_not := refusal(equations, strategy):
            with pytest.raises(SimulationError, match=f"jacobian='{strategy}'.*{why_not}.*columns"):
                derivatives(case, jacobian=strategy)
            continue
        found, same = derivatives(case, jacobian=strategy)
        assert np.array_equal(independent, same)
        assert np.abs(found - expected).max() < bound * size, strategy


@pytest.mark.parametrize("method", [Sdirk, Rosenbrock, Newmark, ChartRungeKutta])
def test_without_constraints_nothing_is_recovered(method):
    """z are the coordinates themselves then; in the tangent plane they are found by corrections as elsewhere."""
    equations, y = driven()
    ends = []
    for chart in ("partition", "tangent"):
        run = da.simulate(
            equations, (0.5, 1.5), (y[:2], y[2:4], y[4:]), method=method(chart=chart), rtol=1e-8, atol=1e-8
        )
        assert run.success, run.message
        assert (run.statistics.extra["recoveries"] == 0) == (chart == "partition")
        ends.append(np.concatenate([run.q[:, -1], run.v[:, -1], run.u[:, -1]]))
    assert np.abs(ends[0] - ends[1]).max() < 3e-7


@pytest.mark.parametrize("chart", ["partition", "tangent"])
@pytest.mark.parametrize("case", ["four_bar, absolute", "double_wishbone, relative", "swung", "brake"])
def test_forward_mode_in_both_charts(case, chart):
    """Also where T is not the identity, constraints depend on time, reactions drive forces."""
    expected, _ = derivatives(case, jacobian="columns", chart=chart)
    found, _ = derivatives(case, jacobian="directional", chart=chart)
    assert np.abs(found - expected).max() < 1e-10 * np.abs(expected).max()


@pytest.mark.parametrize("case", CASES)
def test_patterns_that_are_composed_lack_nothing(case):
    """What rows depend on, told by those of the program "implicit" alone, as where functions are black boxes: all that
    exact derivatives of accelerations have."""
    equations, _ = made(case)
    providers = {name: equations.program(name) for name in ("contract", "implicit", "reduced")}
    exact = known_pattern(equations, providers)
    composed = known_pattern(equations, {"implicit": providers["implicit"]})
    s = equations.sizes
    at = FirstColumns.of(s)
    wanted = np.zeros((2, *exact.shape), dtype=bool)
    for which, pattern in enumerate((exact, composed)):
        wanted[which, pattern.rows, pattern.columns] = True
    wanted[:, :, at.a : at.lam] = False  # by M
    wanted[:, :, at.mu : at.u] = False
    assert not (wanted[0] & ~wanted[1]).any()
    certain = certain_pattern(equations, providers["contract"].patterns)
    assert (certain.columns == exact.shape[1] - 1).sum() == exact.shape[0]


# ------------------------------------------------------------------------------------------------------------- threads


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(["delta_robot, relative", "hmmwv14", "swung", "brake", "truck", "wishbone by elements"]),
    st.integers(2, 9), st.sampled_from(["auto", "sparse", "dense"]), st.sampled_from(["partition", "tangent"]),
)  # fmt: skip
def test_columns_in_threads_have_the_same_bits(case, threads, solver, chart):
    """Whatever the number of threads, also where there are more of them than columns."""
    equations, y = made(case)
    runs = [
        first_step(
            equations, y, Rosenbrock(jacobian="columns", threads=n, chart=chart), INSTANTS.get(case, 0.0), solver
        )
        for n in (1, threads)
    ]
    for one, other in zip(*(matrices(live.run) for live in runs), strict=True):
        assert np.array_equal(one, other)
    assert np.array_equal(runs[0].run.turning, runs[1].run.turning)
    assert all(getattr(runs[0].run, name) == getattr(runs[1].run, name) for name in ("nlu", "nsolve", "njev"))


@pytest.mark.parametrize("method", [Sdirk, Rosenbrock])
def test_runs_in_threads_have_the_same_bits(method):
    """And go on in other threads than they began with."""
    equations, y = made("delta_robot, relative")
    start = y[: equations.sizes.q], y[equations.sizes.q :]
    runs = [
        da.simulate(equations, (0, 0.05), start, method=method(jacobian="columns", threads=n), rtol=1e-6)
        for n in (1, 2)
    ]
    part = da.simulate(
        equations, (0, 0.05), start, method=method(jacobian="columns", threads=3), rtol=1e-6, max_steps=3
    )
    again = da.resume(part, equations)
    for run in (runs[1], again):
        assert np.array_equal(run.t, runs[0].t) and np.array_equal(run.q, runs[0].q)
        assert run.statistics.as_dict() == runs[0].statistics.as_dict()


def test_without_threads_of_the_system_there_is_one():
    equations, y = made("truck")
    live = first_step(equations, y, Rosenbrock(jacobian="columns", threads=2))
    assert chart_derivatives.columns_in_threads(live.run) == 0
    expected = np.array(live.run.E_motion)
    live.run.thread_routines[ROUTINE.CREATE] = 0
    live.run.E_motion[:] = 0.0
    assert chart_derivatives.columns_in_threads(live.run) == 0
    assert np.array_equal(live.run.E_motion, expected)


def test_factors_that_are_replaced_on_the_way_are_replaced_as_in_one_thread():
    """Two rows that are nearly one: the fixed order of pivots loses digits, and other factors serve from some column
    on."""
    close = 1e-6
    equations = da.trace(
        M=lambda: np.diag([1.0, 2.0, 3.0, 4.0]), f=lambda q, v: np.array([-q[0] * q[1], 1.0, -v[2] * q[0], q[3] ** 2]),
        g=lambda q: np.array([q[0] + q[1] ** 2 + q[2], q[0] + q[1] ** 2 + q[2] + close * (q[3] - q[2] ** 2)]),
        n_q=4, name="nearly one",
    )  # fmt: skip
    y = np.zeros(8)
    lives = [
        first_step(equations, y, Rosenbrock(jacobian="columns", threads=n, partition_limit=1e9), solver="sparse")
        for n in (1, 2)
    ]
    for kernel, live in zip((chart_derivatives.columns, chart_derivatives.columns_in_threads), lives, strict=True):
        assert kernel(live.run) == 0
    assert np.array_equal(lives[0].run.E_motion, lives[1].run.E_motion)
    assert lives[0].run.saddle_plan[HEAD.TROUBLES] == lives[1].run.saddle_plan[HEAD.TROUBLES] > 0


@pytest.mark.parametrize(
    "options,words",
    [
        ({"threads": 0, "jacobian": "columns"}, "threads must be a whole number from 1 to 64, got 0"),
        ({"threads": 2.0, "jacobian": "columns"}, "threads must be a whole number"),
        ({"threads": 2}, "threads=2 divide the columns of jacobian='columns'; jacobian='auto' has none"),
    ],
)
def test_threads_that_are_not_possible(options, words):
    with pytest.raises(SimulationError, match=words):
        Sdirk(**options)


# ------------------------------------------------------------------------------------------------------- Proposition 1


@pytest.mark.parametrize("chart", ["partition", "tangent"])
@pytest.mark.parametrize("case", ["a03", "double_wishbone, relative", "wishbone by elements", "truck"])
def test_proposition_1(case, chart):
    """Π = M̂ + c M̂1 + c² M̂2 of (3.105) is Ψ_v̈: what is left of the matrix of the descriptor form, whose unknowns are all
    accelerations and multipliers, when dependent ones are eliminated; and M̂ (1 − c J2 − c² J1) with J1, J2 of Appendix
    A."""
    equations, y = made(case)
    run = first_step(equations, y, Rosenbrock(jacobian="analytic", chart=chart)).run
    columns = first_step(equations, y, Rosenbrock(jacobian="columns", chart=chart)).run
    whole = first_step(equations, y, Descriptor(chart=chart)).run
    f, n_v, n_d = run.n_f, run.n_v, run.n_d
    mass, motion, _ = matrices(run)
    _, rates, _ = matrices(columns)  # −J1, −J2
    patterns, s = equations.program("contract").patterns, equations.sizes
    M, G = (patterns[name].dense(np.array(getattr(whole, name))) for name in "MG")
    saddle = np.block([[M, G.T], [G, np.zeros((s.lam, s.lam))]])
    responses = np.array(whole.responses).reshape(-1, n_d)
    changes = np.concatenate([responses[:n_v], responses[whole.at_ga : whole.at_ga + s.lam]])
    V, N = np.array(whole.chart_V).reshape(f, n_v), np.array(whole.basis).reshape(n_v, f)
    seen = np.array(whole.seen_responses).reshape(f, n_d)
    for c in (1e-3, 0.1):
        Pi = mass + c * motion[:, f : 2 * f] + c * c * motion[:, :f]
        size = np.abs(Pi).max()
        assert np.abs(mass @ (np.eye(f) + c * rates[:, f : 2 * f] + c * c * rates[:, :f]) - Pi).max() < 1e-10 * size
        # z̈ = V a + seen, so that the columns of z̈ are those of a with what is seen of T a + Ṫ v taken along.
        bend = np.eye(f) - c * seen[:, f : 2 * f] - c * c * seen[:, :f]
        Psi = np.array(saddle)
        Psi[:, :n_v] += (c * changes[:, f : 2 * f] + c * c * changes[:, :f]) @ np.linalg.solve(bend, V)
        pushed = np.concatenate([M @ N, np.zeros((s.lam, f))])
        z = np.linalg.solve(bend, V @ np.linalg.solve(Psi, pushed)[:n_v])
        assert np.abs(Pi @ z - mass).max() < 1e-9 * np.abs(mass).max()


# ---------------------------------------------------------------------------- equations without the program "reduced"


@pytest.mark.parametrize("name", ["double_wishbone", "delta_robot"])
def test_recursions_take_differences(name):
    """With ball joints T is not the identity, and Ṫ v is found by differences too."""
    symbolic, y = mechanism(name, "relative", "symbolic")
    recursion, same = mechanism(name, "relative", "recursion")
    assert np.allclose(y, same, atol=1e-12) and not recursion.unit_T
    assert "no derivatives of accelerations" in recursion.lacks("reduced")
    exact, found = first_step(symbolic, y, Rosenbrock(jacobian="analytic")), first_step(recursion, y, Rosenbrock())
    J = -np.linalg.solve(*matrices(exact.run)[:2])
    f, chosen, other = len(J), list(exact.run.independent), list(found.run.independent)
    # The robot, which is at rest, has entries of q that serve equally well, and rounding chooses: rows of those that
    # both charts have differ by the bases alone.
    R = np.array(exact.run.basis).reshape(-1, f)[other]
    J = np.hstack([R @ J[:, :f] @ np.linalg.inv(R), R @ J[:, f : 2 * f] @ np.linalg.inv(R), R @ J[:, 2 * f :]])
    rows = [k for k in range(f) if other[k] in chosen]
    E, motion, _ = matrices(found.run)
    assert np.array_equal(E, np.eye(f)) and len(rows) >= f - 1
    assert np.abs(-motion - J)[rows].max() < 1e-5 * np.abs(J).max()
    for strategy in ("analytic", "columns", "directional"):
        with pytest.raises(SimulationError, match=f"jacobian='{strategy}'.*recursions have no derivatives.*'numeric'"):
            first_step(recursion, y, Rosenbrock(jacobian=strategy))


@pytest.mark.parametrize("method", ["sdirk4", "rosenbrock4", "trapezoidal"])
def test_recursions_move_as_symbolic_equations_do(method):
    runs = []
    for builder in ("recursion", "symbolic"):
        equations, y = mechanism("double_wishbone", "relative", builder)
        start = y[: equations.sizes.q], y[equations.sizes.q :]
        runs.append(da.simulate(equations, (0, 0.02), start, method=method, rtol=1e-6, atol=1e-8))
    assert all(run.outcome == "finished" for run in runs)
    assert np.abs(runs[0].q[:, -1] - runs[1].q[:, -1]).max() < 1e-6


# ------------------------------------------------------------------------------------------------------------- monitor


def test_the_monitor_tells_iterations_jacobians_and_partitions():
    """Figures 23 to 25 of the thesis: sizes of steps and iterations over time; sums are the statistics."""
    circle = da.trace(
        M=lambda: np.eye(2), f=lambda q, v: np.zeros(2), g=lambda q: np.array([q[0] ** 2 + q[1] ** 2 - 1.0]), n_q=2,
        name="turning",
    )  # fmt: skip
    told = []
    run = da.simulate(
        circle, (0, 5.0), ([1.0, 0.0], [0.0, 1.0]), method=Sdirk(), rtol=1e-7, atol=1e-9, monitor=told.append
    )
    assert len(told) == run.statistics.steps and all(report.iterations > 0 for report in told)
    for name in ("nfev", "njev", "nlu", "rejected"):
        assert sum(getattr(report, name) for report in told) <= getattr(run.statistics, name)
    assert sum(report.njev for report in told) == run.statistics.njev
    for name in ("charts", "repartitions", "recoveries", "recovery_iterations"):
        assert sum(report.extra[name] for report in told) <= run.statistics.extra[name]
    assert sum(report.extra["repartitions"] for report in told) == run.statistics.extra["repartitions"] > 2
    assert all(report.extra["recoveries"] >= 5 for report in told)  # one per stage at least
    assert max(report.extra["repartitions"] for report in told) <= 2


def test_the_monitor_tells_what_other_methods_count():
    told = []
    run = da.simulate(da.problems.get("pendulum"), (0, 0.5), method="radau", monitor=told.append)
    assert {"jacobians_first", "jacobians_slow"} <= set(told[0].extra) <= set(run.statistics.extra)
    assert sum(report.njev for report in told) == run.statistics.njev
    explicit = []
    da.simulate(da.problems.get("pendulum"), (0, 0.1), method="dop853", monitor=explicit.append)
    assert all(report.extra == {} and report.njev == 0 for report in explicit)
