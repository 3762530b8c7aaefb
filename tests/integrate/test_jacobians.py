"""Jacobian strategies, the decision about Newton matrices, and what runs tell of both."""

import numpy as np
import pytest
from integrate.runs import errors

import dalembert as da
from dalembert.errors import SimulationError
from dalembert.integrate.implicit.newton_memory import ACTION, RENEWAL, NewtonMemory
from dalembert.integrate.implicit.renewal import KEEP_JACOBIAN, after_failure, before_attempt
from dalembert.integrate.run.live import LiveRun, Options
from dalembert.native.slots import lay_out

SYSTEMS = {
    "traced": lambda: da.problems.seven_body(),
    "stiff": lambda: da.problems.stiff_double_pendulum(),
    "elements": lambda: da.problems.pendulum_chain(n=4),
}


def live_run(problem, jacobian):
    eqs = problem.equations
    s = eqs.sizes
    options = Options(rtol=1e-6, atol=np.full(s.q + s.v + s.u, 1e-8))
    live = LiveRun(eqs, da.Radau(jacobian=jacobian), options, eqs.parameter_vector({}))
    live.start(0.0, np.concatenate([problem.q0, problem.v0, np.zeros(s.u)]), 1.0)
    return live


def matrices(live):
    """K and M of a run after its first attempt, dense."""
    live.run.slice = 1
    live.advance()
    K, M = np.zeros((live.run.n_x,) * 2), np.zeros((live.run.n_v,) * 2)
    K[live.run.K_rows, live.run.K_columns] = live.run.K
    M[live.run.mass_rows, live.run.mass_columns] = live.run.mass
    return K, M


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("strategy", ["dense", "grouped"])
def test_differences_give_the_exact_derivatives(name, strategy):
    problem = SYSTEMS[name]()
    exact, found = (matrices(live_run(problem, jacobian)) for jacobian in ("exact", strategy))
    for one, other in zip(exact, found, strict=True):
        size = np.abs(one).max(axis=1, keepdims=True) + 1e-30
        assert np.abs((one - other) / size).max() < 1e-5


@pytest.mark.parametrize("name", SYSTEMS)
def test_strategies_give_the_same_motion(name):
    problem = SYSTEMS[name]()
    t_end = {"traced": 0.01, "stiff": 0.2, "elements": 0.5}[name]
    options = {"rtol": 1e-7, "atol": 1e-9}
    start = problem.q0, problem.v0
    runs = {
        jacobian: da.simulate(problem.equations, (0, t_end), start, method=da.Radau(jacobian=jacobian), **options)
        for jacobian in ("exact", "dense", "grouped")
    }
    steps = {key: run.statistics.steps for key, run in runs.items()}
    for key in ("dense", "grouped"):
        assert runs[key].success and errors(runs[key], runs["exact"]).max() < 1e-5
        assert abs(steps[key] - steps["exact"]) <= 0.1 * steps["exact"] + 2
    work = {key: run.statistics.extra["jacobian_nfev"] / run.njev for key, run in runs.items()}
    s = problem.equations.sizes
    assert work["exact"] == 0 and work["dense"] == s.q + s.v + s.lam + s.u + 1  # a and μ are known
    assert work["grouped"] < work["dense"]


def test_groups_of_a_chain_do_not_grow_with_it():
    """Columns of a chain's Jacobian reach a few rows each, however long it is."""
    groups = [live_run(da.problems.pendulum_chain(n=n), "grouped").run.n_groups for n in (8, 16, 32)]
    assert groups[0] == groups[1] == groups[2] < 30


def pendulum(numeric, calls=None):
    def force(q, v, p):
        if calls is not None:
            calls.append(1)
        return np.array([-0.3 * v[0], -p.m * 9.81 - 0.3 * v[1]])

    return da.trace(
        M=lambda p: p.m * np.eye(2),
        f=da.numeric(force) if numeric else lambda q, v, p: np.array([-0.3 * v[0], -p.m * 9.81 - 0.3 * v[1]]),
        g=lambda q: np.array([q @ q - 1.0]),
        n_q=2,
        parameters={"m": 1.2},
        name="pendulum",
    )


def test_black_box_functions_are_called_few_times_for_a_jacobian():
    calls = []
    run = da.simulate(pendulum(True, calls), (0, 1), ([1.0, 0.0], [0.0, 0.0]), method="radau")
    exact = da.simulate(pendulum(False), (0, 1), ([1.0, 0.0], [0.0, 0.0]), method="radau")
    assert run.success and errors(run, exact).max() < 1e-6
    assert run.statistics.steps <= exact.statistics.steps + 2
    per_jacobian = run.statistics.extra["jacobian_nfev"] / (run.njev + run.statistics.extra["stage_jacobians"])
    unknowns = 2 + 2 + 1  # accelerations and μ are known; central differences would need twice as many
    assert per_jacobian <= unknowns + 1
    assert len(calls) < 1.5 * (run.nfev + run.statistics.extra["jacobian_nfev"]) + 20


def test_exact_derivatives_of_black_box_functions_are_refused():
    with pytest.raises(SimulationError, match=r"jacobian='exact' needs derivatives.*'grouped'"):
        da.simulate(pendulum(True), (0, 1), ([1.0, 0.0], [0.0, 0.0]), method=da.Radau(jacobian="exact"))
    with pytest.raises(SimulationError, match=r"no Jacobian strategy 'exakt'.*exact"):
        da.Radau(jacobian="exakt")


# ---------------------------------------------------------------------------------------------- the decision table


def matrix_state(**state):
    run = lay_out(NewtonMemory, {}, {}, {}).allocate()
    for name, value in {
        "jacobian_age": 3,
        "have_factors": 1,
        "alpha_factored": 10.0,
        "by_stages": -1,
        "keep_rate": KEEP_JACOBIAN,
        **state,
    }.items():
        setattr(run, name, value)
    return run


@pytest.mark.parametrize(
    ("state", "alpha", "action", "why"),
    [
        ({"jacobian_age": -1}, 10.0, "RENEW", "FIRST"),
        ({"theta": 2 * KEEP_JACOBIAN}, 10.0, "RENEW", "SLOW"),
        ({"theta": 2 * KEEP_JACOBIAN, "jacobian_age": 0}, 10.0, "KEEP", ""),
        ({}, 10.0, "KEEP", ""),
        ({}, 11.0, "REFACTOR", "ALPHA"),
        ({"have_factors": 0}, 10.0, "REFACTOR", "ALPHA"),
        ({"updates_mass": 1}, 11.0, "RENEW_M", "ALPHA"),
        ({"rescale_from": 0.6}, 11.0, "RESCALE", ""),
        ({"rescale_from": 0.6}, 17.0, "REFACTOR", "ALPHA"),
        ({"rescale_from": 0.6}, 5.9, "REFACTOR", "ALPHA"),
        ({"renews_for_alpha": 1}, 11.0, "RENEW", "ALPHA"),
        ({"renews_for_alpha": 1, "rescale_from": 0.6}, 11.0, "RESCALE", ""),
        ({"renews_for_alpha": 1, "jacobian_age": 0, "have_factors": 0}, 10.0, "REFACTOR", "ALPHA"),
        ({"extends": 1, "updates_mass": 1}, 11.0, "EXTEND", "ALPHA EXTENDED"),
        ({"extends": 1, "steps": 4, "theta": 2 * KEEP_JACOBIAN}, 10.0, "EXTEND", "EXTENDED"),
        ({"extends": 1, "steps": 4, "extended_in": 4, "theta": 2 * KEEP_JACOBIAN}, 10.0, "RENEW", "SLOW"),
        (
            {"extends": 1, "steps": 4, "extended_in": 4, "theta": 2 * KEEP_JACOBIAN, "theta_new": KEEP_JACOBIAN},
            10.0,
            "EXTEND",
            "EXTENDED",
        ),
        ({"pattern_estimated": 1, "jacobian_age": -1}, 10.0, "GROW", "FIRST"),
        ({"pattern_estimated": 2, "jacobian_age": -1}, 10.0, "RENEW", "FIRST"),
        ({"pattern_estimated": 2, "jacobian_age": 1, "theta": 0.5}, 10.0, "GROW", "PATTERN"),
        ({"pattern_estimated": 2, "jacobian_age": 2, "theta": 0.5}, 10.0, "RENEW", "SLOW"),
        ({"pattern_estimated": 2, "jacobian_age": 1, "theta": 0.5, "grow_from": 1}, 10.0, "RENEW", "SLOW"),
        ({"pattern_estimated": 2, "jacobian_age": 1, "theta": 0.5, "grown_in": 1}, 10.0, "RENEW", "SLOW"),
    ],
)
def test_what_an_attempt_needs(state, alpha, action, why):
    run = matrix_state(**state)
    assert before_attempt(run, alpha) == ACTION.values[action]
    assert run.renewal == sum(RENEWAL.values[one] for one in why.split())
    assert (run.renewed_first, run.renewed_slow) == (int(why == "FIRST"), int(why == "SLOW"))
    assert run.renewed_alpha == int(action == "RENEW" and why == "ALPHA")
    assert run.renewed_pattern == int(why == "PATTERN")


@pytest.mark.parametrize(
    ("state", "alpha", "actions"),
    [
        ({"rescale_from": 0.6}, 11.0, ["REFACTOR"]),
        ({}, 10.0, ["RENEW"]),
        ({"jacobian_age": 0}, 10.0, ["GIVE_UP"]),
        ({"jacobian_age": 0, "pattern_grows": 1}, 10.0, ["GROW", "GIVE_UP"]),
        ({"jacobian_age": 0, "by_stages": 0}, 10.0, ["BY_STAGES", "GIVE_UP"]),
        ({"extends": 1}, 10.0, ["EXTEND", "RENEW"]),
        ({"jacobian_age": 0, "pattern_grows": 1, "by_stages": 0}, 10.0, ["GROW", "BY_STAGES", "GIVE_UP"]),
    ],
)
def test_what_helps_after_a_failure(state, alpha, actions):
    run = matrix_state(**state)
    assert [after_failure(run, alpha) for _ in actions] == [ACTION.values[name] for name in actions]
    assert run.newton_failures == len(actions)


# ------------------------------------------------------------------------------------------- statistics and monitor


def test_renewals_with_their_reasons_are_told():
    told = []
    problem = da.problems.stiff_double_pendulum()
    run = da.simulate(problem, (0, 0.5), method="radau", monitor=told.append)
    extra = run.statistics.extra
    assert extra["jacobians_first"] + extra["jacobians_slow"] + extra["jacobians_failed"] == run.njev > 0
    assert "first" in told[0].renewal and all(report.iterations >= 1 for report in told)
    assert sum("slow" in report.renewal for report in told) <= extra["jacobians_slow"]
    assert sum(report.iterations for report in told) <= run.statistics.newton_iterations
    assert len(told) == run.statistics.steps
    assert all(set(report.renewal) <= {"first", "slow", "failed", "alpha", "stages"} for report in told)
    assert sum("stages" in report.renewal for report in told) <= extra["stage_jacobians"] / 3
    explicit = []
    da.simulate(problem, (0, 0.01), method="dop853", monitor=explicit.append)
    assert all(report.iterations == 0 and report.renewal == () for report in explicit)


def test_a_resumed_run_tells_its_parameters_to_all_programs():
    """The first thing after a resume may be a residual with a Jacobian that is kept."""
    eqs = da.trace(
        M=lambda p: np.array([[p.m]]),
        f=lambda q, v, p: np.array([-p.k * q[0] - p.d * v[0]]),
        n_q=1,
        parameters={"m": 2.0, "k": 8.0, "d": 40.0},
    )
    options = {"method": "radau", "rtol": 1e-5, "atol": 1e-7}
    whole = da.simulate(eqs, (0, 20), ([1.0], [0.0]), **options)
    assert whole.njev < whole.statistics.steps / 3  # the Jacobian is kept
    for stop in range(1, whole.statistics.steps):
        part = da.simulate(eqs, (0, 20), ([1.0], [0.0]), max_steps=stop, **options)
        run = da.resume(part, eqs)
        assert np.array_equal(run.q, whole.q) and run.njev == whole.njev


def test_increments_of_differences_do_not_grow_with_the_tolerance():
    """With rtol = 0 the ratio atol / rtol is no size of anything."""
    eqs = da.trace(
        M=lambda: np.eye(2),
        f=da.numeric(lambda q, v: np.array([-1e6 * q[0] ** 3 - 2e3 * v[0], -np.sin(q[1]) - 1e3 * v[1]])),
        n_q=2,
        name="stiff",
    )
    options = {"method": "radau", "rtol": 0.0, "atol": 1e-6}
    run = da.simulate(eqs, (0, 1), ([0.5, 1.0], [0.0, 0.0]), **options)
    assert run.success and run.statistics.newton_failures < 0.05 * run.statistics.steps + 5
