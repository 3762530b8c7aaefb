"""Adams methods: coefficients, differences and polynomials against their definitions; order, size and work of steps."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from integrate.runs import errors, fixed_steps
from scipy.integrate import ode

import dalembert as da
from dalembert.errors import SimulationError
from dalembert.integrate.methods import adams
from dalembert.integrate.methods.adams import LARGEST_ORDER, error_constants
from dalembert.integrate.run.live import LiveRun, Options
from dalembert.solution.dense_output import nested

ORDERS = range(1, LARGEST_ORDER + 1)

#: Numbers of steps with which each order shows on the seven-body mechanism; the starter has order 8.
STEPS = {1: (48, 96), 2: (48, 96), 3: (48, 96), 4: (32, 64), 5: (32, 64), 6: (48, 96), 7: (32, 48)}


def oscillator():
    return da.trace(M=lambda: np.eye(1), f=lambda q: -q, n_q=1, name="oscillator")


def polynomial_equations():
    """v̇ = Σ p_m tᵐ."""
    return da.trace(
        M=lambda: np.eye(1),
        f=lambda t, p: np.array([sum(p.c[m] * t**m for m in range(LARGEST_ORDER + 1))]),
        n_q=1,
        parameters={"c": np.zeros(LARGEST_ORDER + 1)},
        name="polynomial",
    )


EQUATIONS = polynomial_equations()


class Polynomial:
    """Σ c_m tᵐ with whole c, exactly."""

    def __init__(self, coefficients):
        self.c = [Fraction(c) for c in coefficients]

    def __call__(self, t):
        return sum((c * t**m for m, c in enumerate(self.c)), Fraction(0))

    def integral(self, a, b):
        return sum((c * (b ** (m + 1) - a ** (m + 1)) / (m + 1) for m, c in enumerate(self.c)), Fraction(0))

    def difference(self, points):
        """Divided difference, by its table."""
        column = [self(point) for point in points]
        for j in range(1, len(points)):
            column = [(column[i] - column[i + 1]) / (points[i] - points[i + j]) for i in range(len(points) - j)]
        return column[0]

    def modified(self, points):
        """φ_i = ∏ (t_n − t_{n−j}) f[t_n, …, t_{n+1−i}], HNW III.5 (5.4)."""
        found = self.difference(points)
        for point in points[1:]:
            found *= points[0] - point
        return found


def test_error_constants():
    """|γ*_m| of the formulas of Adams and Moulton, HNW Table III.1.2 and, from there on, of every handbook."""
    known = "1 1/2 1/12 1/24 19/720 3/160 863/60480 275/24192 33953/3628800 8183/1036800 3250433/479001600 4671/788480"
    more = "13695779093/2615348736000 2224234463/475517952000"
    assert error_constants(LARGEST_ORDER + 2) == tuple(Fraction(word) for word in f"{known} {more}".split())


sizes_of_steps = st.lists(st.integers(5, 10), min_size=LARGEST_ORDER + 1, max_size=LARGEST_ORDER + 1)


@pytest.mark.parametrize("order", ORDERS)
@given(sizes=sizes_of_steps, c=st.lists(st.integers(-4, 4), min_size=LARGEST_ORDER + 1, max_size=LARGEST_ORDER + 1))
@settings(max_examples=8)
def test_one_step_is_exact_for_polynomials(order, sizes, c):
    """Prediction, correction, new differences and dense output on steps of any sizes: all are exact for rates that are
    polynomials, the prediction up to degree k − 1, all else up to degree k."""
    for degree in (order - 1, order):
        f = Polynomial(c[: degree + 1])
        steps = [Fraction(size, 10) for size in sizes]
        h = steps[0]
        points = [Fraction(1)]  # t_n, t_{n−1}, …
        for size in steps[1:]:
            points.append(points[-1] - size)
        end = points[0] + h
        live = LiveRun(
            EQUATIONS,
            da.Adams(),
            Options(rtol=0.5, atol=np.full(2, 1e9)),
            EQUATIONS.parameter_vector({"c": padded(c, degree)}),
        )
        live.start(float(points[0]), np.zeros(2), 100.0)
        run = live.run
        run.h, run.t_new, run.next_order, run.known = float(h), float(end), order, LARGEST_ORDER
        run.past_sizes[: len(steps) - 1] = [float(size) for size in steps[1:]]
        rows = run.differences.reshape(-1, 2)
        for i in range(order):
            rows[i, 1] = float(f.modified(points[: i + 1]))
        run.rate0[:] = run.y0[1], float(f(points[0]))
        scale = 1.0 + max(abs(float(f(point))) for point in [end, *points[: order + 1]])

        assert adams.attempt(run) == 0 and run.order_used == order
        assert run.y1[1] == pytest.approx(float(f.integral(points[0], end)), abs=1e-11 * scale)
        if degree < order:
            assert run.expected[1] == pytest.approx(float(f(end)), abs=1e-9 * scale)
            assert run.departure[1] == pytest.approx(0.0, abs=1e-9 * scale)

        run.rate1[:] = run.y1[1], float(f(end))
        assert adams.interpolate(run) == 0
        theta = np.array([0.2, 0.5, 0.9])
        between = nested(run.coef.reshape(-1, 2)[:, 1:, None], theta)[0]
        exact = [float(f.integral(points[0], points[0] + h * Fraction(int(10 * x), 10))) for x in theta]
        if order >= 3 or degree <= 2:  # below, it is the cubic one
            assert between == pytest.approx(exact, abs=1e-9 * scale)

        assert adams.accepted(run) == 0
        for i in range(order + 1):
            assert rows[i, 1] == pytest.approx(float(f.modified([end, *points[:i]])), abs=1e-9 * scale)
        assert run.past_sizes[0] == float(h) and run.known == LARGEST_ORDER + 1


def padded(c, degree):
    return [float(value) if m <= degree else 0.0 for m, value in enumerate(c)]


@pytest.mark.parametrize("order", STEPS)
def test_every_order_that_the_starter_shows(order):
    """Results are one order better than the predictor, at the ends of steps and between them."""
    problem = da.problems.seven_body()
    start, span = (problem.q0, problem.v0), (0, 0.004)
    reference = da.simulate(problem.equations, span, start, method="dop853", rtol=1e-14, atol=1e-15)
    t = np.linspace(*span, 301)[1:-1]
    found = []
    for n in STEPS[order]:
        run = fixed_steps(problem.equations, "adams", start, span, n, order=order)
        found.append(np.concatenate([errors(run, reference), errors(run.sol(t), reference.sol(t))]))
    observed = np.log(found[0] / found[1]) / np.log(STEPS[order][1] / STEPS[order][0])
    assert (observed > order + 1 - 0.5).all() and (observed < order + 2.0).all(), observed


def test_start_raises_order_and_size_in_each_step():
    told = []
    da.simulate(oscillator(), (0, 20), ([1.0], [0.0]), method="adams", rtol=1e-9, atol=1e-9, monitor=told.append)
    phase = next(i for i, report in enumerate(told) if report.order != i + 1)
    assert phase >= 5
    sizes = np.array([report.step for report in told[:phase]])
    assert sizes[1:] / sizes[:-1] == pytest.approx(2.0)
    assert max(report.order for report in told) >= 9
    assert all(report.nfev == 2 for report in told[1:] if not report.rejected)


def test_work_and_orders_on_smooth_problems(capsys):
    """Two evaluations a step, high orders at tight tolerances, and fewer evaluations than DOP853."""
    for make, end in ((da.problems.seven_body, 0.03), (da.problems.double_pendulum, 5.0)):
        problem, told = make(), []
        span, start = (0, end), (problem.q0, problem.v0)
        reference = da.simulate(problem.equations, span, start, method="dop853", rtol=1e-13, atol=1e-14)
        tight = {"rtol": 1e-10, "atol": 1e-10}
        run = da.simulate(problem.equations, span, start, method="adams", monitor=told.append, **tight)
        other = da.simulate(problem.equations, span, start, method="dop853", dense_output=False, **tight)
        work, order = run.statistics, max(report.order for report in told)
        error, theirs = (np.abs(one.q[:, -1] - reference.q[:, -1]).max() for one in (run, other))
        with capsys.disabled():
            print(
                f"\n  {problem.name}, rtol 1e-10: adams {run.nfev} evaluations, error {error:.1e}, orders up to "
                f"{order}; dop853 {other.nfev} evaluations, error {theirs:.1e}"
            )
        assert order >= 7 and error < 1e-7
        assert 2 * work.steps <= run.nfev <= 2 * work.steps + work.rejected + 4
        assert work.rejected < 0.1 * work.steps
        assert run.nfev < 0.8 * other.nfev


def test_as_many_evaluations_as_others_need():
    """Beside SciPy's VODE, whose Adams methods have a fixed leading coefficient and are iterated."""
    count = [0]

    def right(t, y):
        count[0] += 1
        return [y[1], -y[0]]

    for rtol in (1e-5, 1e-8, 1e-11):
        count[0] = 0
        other = ode(right).set_integrator("vode", method="adams", rtol=rtol, atol=rtol, nsteps=100000)
        other.set_initial_value([1.0, 0.0], 0.0)
        exact = np.cos(50.0)
        theirs = abs(other.integrate(50.0)[0] - exact)
        run = da.simulate(oscillator(), (0, 50), ([1.0], [0.0]), method="adams", rtol=rtol, atol=rtol)
        ours = abs(run.q[0, -1] - exact)
        assert run.nfev < 2.0 * count[0] and ours < 50 * max(theirs, rtol), (rtol, run.nfev, count[0], ours, theirs)


def test_an_action_starts_anew_and_an_event_does_not():
    ball = da.trace(M=lambda: np.eye(1), f=lambda v: np.array([-9.81 - 0.1 * v[0] ** 2]), n_q=1, name="ball")
    options = {"method": "adams", "rtol": 1e-9, "atol": 1e-9}
    bounce = da.Event(lambda q: q[0], direction=-1, action=lambda t, q, v: da.Change(v=-0.8 * v))
    told = []
    run = da.simulate(ball, (0, 1.2), ([1.0], [0.0]), events=[bounce], monitor=told.append, **options)
    orders = {report.t: report.order for report in told}
    times = [report.t for report in told]
    assert run.success and len(run.t_events[0]) == 2
    after = times[times.index(run.t_events[0][0]) + 1 :]
    assert [orders[t] for t in after[:4]] == [1, 2, 3, 4]
    seen = da.simulate(ball, (0, 0.4), ([1.0], [0.0]), events=[da.Event(lambda q: q[0] - 0.5)], **options)
    free = da.simulate(ball, (0, 0.4), ([1.0], [0.0]), **options)
    assert len(seen.t_events[0]) == 1 and np.array_equal(seen.t, free.t) and np.array_equal(seen.q, free.q)


def test_where_stability_limits_steps_tolerances_do_not_matter():
    """A stiff damper: the same work for all tolerances, with few attempts that fail."""
    damped = da.trace(M=lambda: np.eye(1), f=lambda t, q, v: -2e4 * (v - np.cos(t)) - q, n_q=1, name="damped")
    found = []
    for rtol in (1e-2, 1e-3, 1e-4, 1e-5):
        run = da.simulate(damped, (0, 1), ([0.0], [1.0]), method="adams", rtol=rtol, atol=rtol, dense_output=False)
        assert abs(run.v[0, -1] - np.cos(1.0)) < 100 * rtol
        assert run.statistics.rejected < 0.4 * run.statistics.steps
        found.append(run.nfev)
    assert max(found) < 1.3 * min(found) and 1e4 < min(found) < 1e5, found


def test_max_order_is_kept():
    for highest in (1, 3, 12):
        told = []
        run = da.simulate(
            oscillator(), (0, 5), ([1.0], [0.0]), method=da.Adams(max_order=highest), rtol=1e-5, atol=1e-5,
            monitor=told.append,
        )  # fmt: skip
        orders = {report.order for report in told}
        assert max(orders) == min(highest, max(orders)) and len(orders) >= min(highest, 3)
        assert abs(run.q[0, -1] - np.cos(5.0)) < 1e-3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_order": 13}, "max_order must be a whole number from 1 to 12, got 13"),
        ({"max_order": 0}, "max_order must be a whole number from 1 to 12, got 0"),
        ({"max_order": 2.0}, "max_order must be a whole number"),
        ({"min_order": 4}, "min_order must be left away, or be the same as max_order"),
        ({"controller": da.FixedStep(size=0.1)}, "together with min_order = max_order"),
        ({"stabilisation": 3.0}, r"stabilisation must be a Baumgarte\(alpha, beta\), got 3.0"),
    ],
)
def test_options_that_are_not_possible(options, message):
    with pytest.raises(SimulationError, match=message):
        da.Adams(**options)


def test_steps_of_one_size_and_order():
    method = da.Adams(min_order=5, max_order=5, controller=da.FixedStep(size=0.05))
    told = []
    run = da.simulate(oscillator(), (0, 2), ([1.0], [0.0]), method=method, monitor=told.append)
    assert np.diff(run.t) == pytest.approx(0.05) and {report.order for report in told[4:]} == {5}
    assert {report.order for report in told[:4]} == {8}  # those of the Runge–Kutta method that begins
    assert abs(run.q[0, -1] - np.cos(2.0)) < 1e-7
    part = da.simulate(oscillator(), (0, 2), ([1.0], [0.0]), method=method, max_steps=2)  # within the starter
    assert np.array_equal(da.resume(part, oscillator()).q, run.q)
