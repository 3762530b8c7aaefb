"""Backward differentiation formulas: coefficients, orders, forms, history, starts, iterations."""

import warnings
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from integrate.references import problem_and_reference
from integrate.runs import errors, fixed_steps, residuals

import dalembert as da
import dalembert.symbolic as sym
from dalembert.errors import SimulationError
from dalembert.integrate import Newton
from dalembert.integrate.methods import bdf
from dalembert.integrate.run.live import LiveRun, Options
from dalembert.solution.dense_output import nested

ORDERS = range(1, bdf.USUAL_ORDER + 1)
EQUATIONS = da.trace(M=lambda: np.eye(1), f=lambda: np.zeros(1), n_q=1, name="free")


# -------------------------------------------------------------------------------------------------------- coefficients


@pytest.mark.parametrize("order", ORDERS)
@given(
    sizes=st.lists(st.integers(5, 10), min_size=8, max_size=8), c=st.lists(st.integers(-4, 4), min_size=7, max_size=7)
)
@settings(max_examples=15)
def test_prediction_history_and_dense_output_are_exact_for_polynomials(order, sizes, c):
    """On steps of any sizes: values, rates and a polynomial between the ends of a step, up to degree k."""
    points = [Fraction(1)]
    for size in sizes[1:]:
        points.append(points[-1] - Fraction(size, 10))
    h = Fraction(sizes[0], 10)
    end = points[0] + h

    def p(t, derivative=0):
        coefficients = c[: order + 1]
        for _ in range(derivative):
            coefficients = [k * value for k, value in enumerate(coefficients)][1:]
        return sum((value * t**k for k, value in enumerate(coefficients)), Fraction(0))

    def modified(nodes):
        column = [p(t) for t in nodes]
        for level in range(1, len(nodes)):
            column = [(column[i] - column[i + 1]) / (nodes[i] - nodes[i + level]) for i in range(len(column) - 1)]
        found = column[0]
        for node in nodes[1:]:
            found *= nodes[0] - node
        return float(found)

    live = LiveRun(EQUATIONS, da.Bdf(), Options(rtol=0.5, atol=np.full(2, 1e9)), EQUATIONS.parameter_vector({}))
    live.start(float(points[0]), np.array([float(p(points[0])), 0.0]), 100.0)
    run = live.run
    run.h, run.t_new, run.next_order, run.known, run.last_order = float(h), float(end), order, order + 1, order
    run.past_sizes[: len(points) - 1] = [float(points[i] - points[i + 1]) for i in range(len(points) - 1)][
        : run.past_sizes.size
    ]
    rows = run.differences.reshape(-1, run.n_h)
    for i in range(order + 1):
        rows[i, 0] = modified(points[: i + 1])
    scale = 1.0 + max(abs(float(p(t))) for t in [end, *points])
    assert bdf.attempt(run) == 0
    assert run.predicted[0] + run.y0[0] == pytest.approx(float(p(end)), abs=1e-10 * scale)
    assert run.predicted_rate[0] == pytest.approx(float(p(end, 1)), abs=1e-8 * scale)
    run.y1[0] = float(p(end))
    assert bdf.interpolate(run) == 0
    theta = np.array([0.25, 0.5, 0.75])
    between = nested(run.coef.reshape(-1, 2)[:, :1, None], theta)[0]
    exact = [float(p(points[0] + h * Fraction(int(4 * x), 4))) for x in theta]
    assert between == pytest.approx(exact, abs=1e-9 * scale)
    assert bdf.accepted(run) == 0
    for i in range(order + 1):
        assert rows[i, 0] == pytest.approx(modified([end, *points[:i]]), abs=1e-8 * scale)


def test_leading_coefficient_is_that_of_constant_steps():
    live = LiveRun(EQUATIONS, da.Bdf(), Options(rtol=0.5, atol=np.full(2, 1e9)), EQUATIONS.parameter_vector({}))
    live.start(0.0, np.zeros(2), 100.0)
    run = live.run
    for order in ORDERS:
        run.h, run.t_new, run.next_order, run.known = 0.5, 0.5, order, order + 1
        run.past_sizes[:] = 0.5
        assert bdf.attempt(run) == 0
        assert run.alpha == pytest.approx(2.0 * sum(1.0 / j for j in range(1, order + 1)))


# -------------------------------------------------------------------------------------------------------------- orders


@pytest.mark.parametrize("name", ["pendulum", "double_pendulum", "seven_body"])
@pytest.mark.parametrize("order", ORDERS)
def test_every_order(order, name):
    problem, reference = problem_and_reference(name)
    t = np.linspace(*reference.sol.interval, 301)[1:-1]
    found = []
    for n in (100, 200):
        run = fixed_steps(problem.equations, "bdf", (problem.q0, problem.v0), reference.sol.interval, n, order=order)
        found.append(np.concatenate([errors(run, reference), errors(run.sol(t), reference.sol(t))]))
    observed = np.log2(found[0] / found[1])
    assert (observed > order - 0.5).all() and (observed < order + 1.0).all(), observed


@pytest.mark.parametrize("order", range(1, 6))
def test_numerical_differentiation_formulas(order):
    """The same order, and an error that is smaller as their constants are: κ γ_k + 1/(k + 1) in place of 1/(k + 1)."""
    problem, reference = problem_and_reference("pendulum")
    start, span = (problem.q0, problem.v0), reference.sol.interval
    found = {
        ndf: [
            np.abs(
                fixed_steps(problem.equations, "bdf", start, span, n, order=order, ndf=ndf).q[:, -1]
                - reference.q[:, -1]
            ).max()
            for n in (200, 400)
        ]
        for ndf in (False, True)
    }
    for coarse, fine in found.values():
        assert order - 0.5 < np.log2(coarse / fine) < order + 1.0
    kappa = (-0.185, -1 / 9, -0.0823, -0.0415, 0.0)[order - 1]
    smaller = 1.0 + (order + 1) * kappa * sum(1.0 / j for j in range(1, order + 1))
    assert found[True][1] / found[False][1] == pytest.approx(smaller, rel=0.3 if order < 5 else 1e-12)


def test_order_six_is_warned_of():
    with pytest.warns(UserWarning, match="hardly stable"):
        method = da.Bdf(max_order=6)
    problem, reference = problem_and_reference("seven_body")
    told = []
    run = da.simulate(
        problem.equations, reference.sol.interval, (problem.q0, problem.v0), method=method, rtol=1e-10, atol=1e-10,
        monitor=told.append,
    )  # fmt: skip
    assert run.success and max(report.order for report in told[1:]) == 6 and told[0].order == 9
    assert np.abs(run.q[:, -1] - reference.q[:, -1]).max() < 1e-8


def test_orders_stay_within_limits():
    problem, reference = problem_and_reference("seven_body")
    for highest in (1, 2, 5):
        told = []
        run = da.simulate(
            problem.equations, reference.sol.interval, (problem.q0, problem.v0), method=da.Bdf(max_order=highest),
            rtol=1e-5, atol=1e-5, monitor=told.append,
        )  # fmt: skip
        assert run.success and max(report.order for report in told[1:]) == highest
        assert told[0].order == (5 if highest <= 3 else 9)  # that of the Radau step which begins
    with pytest.raises(SimulationError, match="max_order"):
        da.Bdf(max_order=7)
    with pytest.raises(SimulationError, match="min_order"):
        da.Bdf(min_order=2)


# --------------------------------------------------------------------------------------------------- forms and rows


@pytest.mark.parametrize("rtol", [1e-5, 1e-7])
def test_rows_of_accelerations_have_the_same_solution(rtol):
    problem = da.problems.seven_body()
    options = {"rtol": rtol, "atol": rtol}
    span, start = (0.0, 0.01), (problem.q0, problem.v0)
    exact = da.simulate(problem.equations, span, start, method="dop853", rtol=1e-12, atol=1e-12)
    for jacobian in ("exact", "dense", da.Jacobian("differences", update="partitioned")):
        run = da.simulate(
            problem.equations, span, start, method=da.Bdf(rows="accelerations", jacobian=jacobian), **options
        )
        assert run.success and np.abs(run.q[:, -1] - exact.q[:, -1]).max() < 300 * rtol


def test_forms_of_other_index_drift_and_the_stabilised_one_does_not():
    problem = da.problems.seven_body()
    span, start = (0.0, 0.03), (problem.q0, problem.v0)
    exact = da.simulate(problem.equations, span, start, method="dop853", rtol=1e-12, atol=1e-12)
    drift = {}
    for form in ("ggl", "index1", "index2", "index3"):
        method = da.Bdf(constraints=form, velocities=form != "index3")
        run = da.simulate(problem.equations, span, start, method=method, rtol=1e-6, atol=1e-6)
        assert run.success, run.message
        assert np.abs(run.q[:, -1] - exact.q[:, -1]).max() < 0.02
        drift[form] = residuals(problem.equations, run, run.t, run.q, run.v)
        assert run.statistics.extra["constraint_residual"] == pytest.approx(drift[form][0], rel=0.1, abs=1e-13)
    assert drift["ggl"][0] < 1e-13 and drift["ggl"][1] < 1e-9
    assert drift["index1"][0] > 10 * drift["index2"][0] > 1e-8  # index 3 keeps g, and nothing else
    assert drift["index3"][0] < 0.5 * drift["index2"][0] and drift["index3"][1] > 1e3 * drift["ggl"][1]


def mixed_constraints():
    """A point on a paraboloid, whose height a wire without holonomic meaning couples to a fourth coordinate."""
    return da.trace(
        M=lambda: np.diag([1.0, 1.0, 1.0, 0.5]),
        f=lambda q, v: np.array([-q[0], -2.0 * q[1], -9.81, -0.1 * v[3]]),
        g=lambda q: np.array([q[2] - 0.5 * (q[0] * q[0] + q[1] * q[1])]),
        nonholonomic=lambda q, v: np.array([v[3] - q[0] * v[1]]),
        n_q=4,
        name="point on a paraboloid",
    )


@pytest.mark.parametrize("jacobian", ["exact", "estimated"])
@pytest.mark.parametrize("name", ["mechanism", "chain", "mixed"])
def test_velocities_by_projection_have_the_same_solution(name, jacobian):
    """Iterations without μ, on matrices of their own: small ones, sparse ones, and rows on velocities alone."""
    if name == "mixed":
        equations, span, start = mixed_constraints(), (0.0, 2.0), ([1.0, 0.5, 0.625, 0.0], [0.0, 1.0, 0.5, 1.0])
    else:
        problem = da.problems.seven_body() if name == "mechanism" else da.problems.pendulum_chain(12, t_end=0.3)
        equations, span, start = problem.equations, problem.span, (problem.q0, problem.v0)
    exact = da.simulate(equations, span, start, method="dop853", rtol=1e-11, atol=1e-11)
    found = {}
    for constraints in ("ggl", "projected"):
        method = da.Bdf(constraints=constraints, jacobian=jacobian)
        run = da.simulate(equations, span, start, method=method, rtol=1e-6, atol=1e-6)
        assert run.success, run.message
        found[constraints] = max(np.abs(run.q[:, -1] - exact.q[:, -1]).max(), 1e-5)
        assert max(residuals(equations, run, run.t, run.q, run.v)) < 1e-9
    assert found["projected"] < 10 * found["ggl"]


@pytest.mark.parametrize(
    ("name", "starter", "rtol"),
    [("seven_body", False, 1e-8), ("seven_body", True, 1e-9), ("stiff_double_pendulum", False, 1e-6),
     ("pendulum_chain", False, 1e-9)],
)  # fmt: skip
def test_short_steps_with_velocities_by_projection(name, starter, rtol):
    """What rounding of positions makes of velocities in short steps is no failure of the iteration."""
    problem = da.problems.get(name)
    method = da.Bdf(constraints="projected", starter=starter)
    span = (problem.span[0], 0.1 * problem.span[1])
    run = da.simulate(problem.equations, span, problem.start, method=method, rtol=rtol, atol=0.01 * rtol)
    fine = da.simulate(problem.equations, span, problem.start, method="radau9", rtol=1e-9, atol=1e-11)
    assert run.success, run.message
    assert np.abs(run.q[:, -1] - fine.q[:, -1]).max() < 1e3 * rtol


@pytest.mark.parametrize("name", ["cable_drum", "carriage"])
def test_forces_by_multipliers_are_refused_where_these_are_others(name):
    problem = da.problems.get(name)
    with pytest.raises(SimulationError, match=f"forces of '{problem.equations.name}' depend on multipliers.*'ggl'"):
        da.simulate(problem.equations, problem.span, problem.start, method=da.Bdf(constraints="projected"))


def test_impossible_options_are_named():
    for options, word in (
        ({"rows": "residuals"}, "residual"), ({"constraints": "index0"}, "index"), ({"starter": 1}, "starter"),
        ({"velocities": None}, "velocities"), ({"keep": 1.5}, "keep"), ({"grow": 3.0}, "grow"),
        ({"jacobian": "fast"}, "Jacobian"), ({"constraints": "index3"}, "velocities=False"),
        ({"iteration": 3}, "Newton"), ({"min_order": 2, "max_order": 2, "starter": False}, "starter"),
        ({"controller": da.integrate.Elementary()}, "FixedStep"),
    ):  # fmt: skip
        with pytest.raises(SimulationError, match=word):
            da.Bdf(**options)


# ------------------------------------------------------------------------------------------------- starts and restarts


def test_a_radau_step_makes_history_after_events():
    equations = da.trace(M=lambda: np.eye(1), f=lambda q: -50.0 * q, n_q=1, name="ball on a spring")

    event = da.Event(lambda q: q[0] - 0.5, direction=1, action=lambda v: da.Change(v=-0.95 * v))
    steps = {}
    for starter in (True, False):
        run = da.simulate(
            equations, (0, 10), ([-1.0], [0.0]), method=da.Bdf(starter=starter), events=[event], rtol=1e-6, atol=1e-6
        )
        assert run.success and len(run.events) > 8
        steps[starter] = run.statistics
    assert steps[True].steps < steps[False].steps
    assert steps[True].nfev < steps[False].nfev


def test_failed_attempts_leave_history_as_it_was():
    """An attempt that is far too long changes neither differences nor sizes, and the next one goes on from them."""
    equations = da.trace(M=lambda: np.eye(1), f=lambda q: -q, n_q=1, name="oscillator")
    live = LiveRun(equations, da.Bdf(), Options(rtol=1e-8, atol=np.full(2, 1e-8)), equations.parameter_vector({}))
    live.start(0.0, np.array([1.0, 0.0]), 100.0)
    run = live.run
    run.slice = 30
    live.advance()
    assert run.steps >= 30 and run.known > 3
    kept = [np.array(run.differences), np.array(run.past_sizes), run.known, run.last_order, run.steady]
    run.h = 50.0 * abs(run.past_sizes[0])
    run.t_new = run.t_now + run.h
    assert bdf.attempt(run) != 0 or run.error > 1.0
    now = [np.array(run.differences), np.array(run.past_sizes), run.known, run.last_order, run.steady]
    assert all(np.array_equal(one, other) for one, other in zip(kept, now, strict=True))


@pytest.mark.parametrize("jacobian", ["exact", "dense"])
def test_derivatives_that_are_not_finite_end_the_run(jacobian):
    """The prediction leads beyond the border of a root, where forces and their derivatives are no numbers."""
    equations = da.trace(
        M=lambda: np.eye(1), f=lambda q: np.array([-10.0 + 1e-12 * sym.sqrt(q[0])]), n_q=1, name="ball over water"
    )
    run = da.simulate(equations, (0, 2), ([1.0], [0.0]), method=da.Bdf(jacobian=jacobian), max_steps=2000)
    assert not run.success and run.t[-1] == pytest.approx(np.sqrt(0.2), abs=1e-3)


def test_dense_output_and_events_follow_the_polynomials_of_the_method():
    problem, reference = problem_and_reference("double_pendulum")
    start, span = (problem.q0, problem.v0), reference.sol.interval
    run = da.simulate(problem.equations, span, start, method="bdf", rtol=1e-8, atol=1e-8)
    t = np.linspace(*span, 401)
    there, exact = run.sol(t), reference.sol(t)
    assert np.abs(there.q - exact.q).max() < 1e-5 and errors(there, exact)[2] < 1e-4
    g, gv = residuals(problem.equations, run, t, there.q, there.v)
    assert g < 1e-12 and gv < 1e-10
    q0 = float(exact.q[0].mean())
    found = da.simulate(
        problem.equations, span, start, method="bdf", rtol=1e-8, atol=1e-8, events=[da.Event(lambda q: q[0] - q0)]
    )
    assert np.array_equal(found.t, run.t)  # events that are only reported change nothing
    assert found.events
    for event in found.events:
        assert reference.sol(event.t).q[0] == pytest.approx(q0, abs=1e-5)


# ---------------------------------------------------------------------------------------------------------- iterations


def stiff_pendulum():
    problem = da.problems.stiff_double_pendulum(start="rest")
    return problem, problem.equations.assemble(problem.q0, problem.v0)


def test_factors_serve_many_steps():
    problem, start = stiff_pendulum()
    told = []
    run = da.simulate(problem.equations, (0, 2), start, method="bdf", rtol=1e-6, atol=1e-6, monitor=told.append)
    work = run.statistics
    assert work.nlu < 0.35 * work.steps and work.njev < 0.2 * work.steps
    assert work.newton_iterations < 2.2 * (work.steps + work.rejected)
    assert max(Counter(report.order for report in told[1:])) == 5


def test_partitioned_updates_save_differences():
    problem, start = stiff_pendulum()
    counts = {}
    for update in ("none", "partitioned"):
        method = da.Bdf(jacobian=da.Jacobian("differences", "full", update))
        run = da.simulate(problem.equations, (0, 2), start, method=method, rtol=1e-5, atol=1e-5)
        assert run.success
        counts[update] = run.statistics
    assert counts["partitioned"].njev < counts["none"].njev
    assert counts["partitioned"].extra["jacobian_updates"] > counts["partitioned"].njev


def test_errors_of_positions_alone_let_vibrations_die():
    """A stiff spring that nothing damps: steps follow the slow motion if velocities do not count."""
    equations = da.trace(
        M=lambda: np.eye(2), f=lambda q: np.array([-q[0], -1e8 * (q[1] - 1e-6)]), n_q=2, name="two springs"
    )
    start = ([1.0, 1.1e-6], [0.0, 0.0])
    options = {"rtol": 1e-4, "atol": 1e-4}
    slow = da.simulate(equations, (0, 5), start, method=da.Bdf(max_order=2, velocities=False), **options)
    all_counts = da.simulate(equations, (0, 5), start, method=da.Bdf(max_order=2), **options)
    assert slow.success and slow.statistics.steps < all_counts.statistics.steps
    assert slow.q[0, -1] == pytest.approx(np.cos(5.0), abs=0.1)


def test_tighter_iterations_make_better_solutions():
    problem, reference = problem_and_reference("seven_body")
    span = reference.sol.interval
    run = da.simulate(
        problem.equations, span, (problem.q0, problem.v0),
        method=da.Bdf(iteration=Newton(limit=10, tolerance=1e-6)), rtol=1e-6, atol=1e-6,
    )  # fmt: skip
    usual = da.simulate(problem.equations, span, (problem.q0, problem.v0), method="bdf", rtol=1e-6, atol=1e-6)
    assert run.statistics.newton_iterations > 1.5 * usual.statistics.newton_iterations
    assert run.statistics.extra["projection_change"] < 0.1 * max(1.0, usual.statistics.extra["projection_change"])


def test_no_warning_of_usual_orders():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        da.Bdf(max_order=5)
