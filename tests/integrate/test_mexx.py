"""MEXX on the problems of its publication: counts, errors, friction, roots, dense output, monitors, options."""

import numpy as np
import pytest
from integrate.runs import on_constraints, residuals
from scripts import load

import dalembert as da
from dalembert.errors import SimulationError
from dalembert.solution import DenseOutput

mexx_output, time_shares = load("benchmarks/_mexx_output.py"), load("benchmarks/_mexx_time.py").time_shares

#: mexx, Table 5.2: steps, evaluations of (M, G, gI), solutions.
TABLE_5_2 = {1e-3: (17, 488, 511), 1e-5: (26, 925, 957), 1e-7: (23, 1530, 1563), 1e-9: (32, 2533, 2571),
             1e-11: (37, 3554, 3611)}  # fmt: skip
#: mexx, Table 5.1, modified discretization: the same for coefficients of friction.
TABLE_5_1 = {0.0: (7, 99, 107), 0.125: (7, 99, 107), 0.25: (7, 99, 107), 0.5: (7, 99, 107), 0.75: (7, 105, 114),
             1.0: (7, 87, 95), 1.25: (9, 149, 159), 1.5: (8, 114, 123)}  # fmt: skip
#: mexx, Table 5.5: insulators and tolerance.
TABLE_5_5 = {(16, 1e-3): (13, 583, 597), (16, 1e-5): (13, 846, 862), (16, 1e-7): (17, 1396, 1414),
             (32, 1e-5): (12, 759, 774), (64, 1e-5): (15, 890, 906)}  # fmt: skip
#: Zeros of β̈ of the seven-body mechanism, from runs in extended precision.
ROOTS = (0.01124076, 0.01601704, 0.02146614, 0.02462377, 0.02997828)


def within(run, published):
    """Steps may be half as many again as in the publication, evaluations and solutions a quarter more."""
    work, (steps, evaluations, solutions) = run.statistics, published
    assert work.steps <= 1.5 * steps, (work.steps, steps)
    assert work.nfev <= 1.25 * evaluations, (work.nfev, evaluations)
    assert work.nsolve <= 1.25 * solutions, (work.nsolve, solutions)
    return True


def scaled(found, exact):
    """mexx (2.8a) with rtol = atol = 1."""
    return np.sqrt(np.mean(((found - exact) / (1.0 + np.abs(exact))) ** 2))


@pytest.fixture(scope="module")
def mechanism():
    problem = da.problems.seven_body()
    start = problem.q0, problem.v0
    exact = da.simulate(problem.equations, (0, 0.03), start, method="dop853", rtol=1e-14, atol=1e-14)
    return problem.equations, start, exact


def run_mechanism(mechanism, tolerance=1e-5, method="mexx", **options):
    equations, start, _ = mechanism
    return da.simulate(
        equations, (0, 0.03), start, method=method, rtol=tolerance, atol=tolerance, first_step=1e-3, **options
    )


@pytest.mark.parametrize("tolerance", TABLE_5_2)
def test_counts_and_errors_of_the_seven_body_mechanism(mechanism, tolerance):
    run = run_mechanism(mechanism, tolerance)
    assert run.success and run.method == "mexx"
    assert within(run, TABLE_5_2[tolerance])
    assert scaled(run.q[:, -1], mechanism[2].q[:, -1]) < 10 * tolerance
    assert on_constraints(mechanism[0], run)


@pytest.mark.parametrize("tolerance", [1e-3, 1e-5, 1e-7, 1e-8, 1e-9])
def test_motion_between_the_steps(mechanism, tolerance):
    """Positions are as good as at the ends; what is stored with the run has accelerations and multipliers too."""
    run = run_mechanism(mechanism, tolerance)
    t = np.linspace(0, 0.03, 501)
    exact, between = mechanism[2].sol(t), run.sol(t)
    assert max(scaled(between.q[:, k], exact.q[:, k]) for k in range(t.size)) < 10 * tolerance
    assert np.abs(between.a - exact.a).max() < 500 * tolerance * np.abs(exact.a).max()
    bare = DenseOutput(run.sol.t, run.sol.coefficients, run.sol.sizes, None, run.sol.algebraic)(t)
    assert max(scaled(bare.q[:, k], exact.q[:, k]) for k in range(t.size)) < 10 * tolerance
    assert np.abs(bare.a - exact.a).max() < 5000 * tolerance * np.abs(exact.a).max()
    assert np.abs(bare.lam - exact.lam).max() < 5000 * tolerance * np.abs(exact.lam).max()


def test_dense_output_needs_no_evaluation(mechanism):
    with_it, without = run_mechanism(mechanism), run_mechanism(mechanism, dense_output=False)
    assert np.array_equal(with_it.q, without.q) and without.sol is None
    assert with_it.statistics == without.statistics


@pytest.mark.parametrize("checks", [1, 4])
def test_roots_of_an_acceleration(mechanism, checks):
    plain = run_mechanism(mechanism)
    run = run_mechanism(mechanism, events=[da.Event(lambda a: a[0], name="extreme speed")], event_checks=checks)
    assert run.t_events[0] == pytest.approx(ROOTS, rel=3e-4)
    assert np.array_equal(run.t, plain.t) and np.array_equal(run.q, plain.q)
    # mexx 5.2: 13 % more time
    assert run.statistics.nlu < 1.13 * plain.statistics.nlu and run.statistics.nsolve < 1.13 * plain.statistics.nsolve
    times = np.array([event.t for event in run.events])
    q, v = (np.array([getattr(event, key) for event in run.events]).T for key in ("q", "v"))
    g, gv = residuals(mechanism[0], run, times, q, v)
    assert g < 1e-10 and gv < 1e-10 * np.abs(v).max()


def test_a_threshold_hides_roots_of_small_functions(mechanism):
    run = run_mechanism(mechanism, events=[da.Event(lambda a: a[0], threshold=1e9)])
    assert run.t_events[0].size == 0


@pytest.mark.parametrize("friction", TABLE_5_1)
def test_drum_with_the_modified_discretization(friction):
    problem = da.problems.cable_drum()
    run = da.simulate(
        problem.equations, (0, 4), (problem.q0, problem.v0), method="mexx", rtol=1e-5, atol=1e-5, first_step=1e-3,
        parameters={"mu": friction},
    )  # fmt: skip
    assert run.success and within(run, TABLE_5_1[friction])
    assert abs(run.q[0, -1] - height(friction, 4.0)) < 1e-5 * (1 + abs(run.q[0, -1]))
    same = da.simulate(
        problem.equations, (0, 4), (problem.q0, problem.v0), method=da.Mexx(discretization="modified"), rtol=1e-5,
        atol=1e-5, first_step=1e-3, parameters={"mu": friction},
    )  # fmt: skip
    assert np.array_equal(run.q, same.q)


def height(mu, t):
    """y1 of the drum: ÿ1 = A + B ẏ1 with the data of mexx (5.3)."""
    D = 11.0 - 10.0 * mu
    A, B = -1.0 + (1.0 + mu) / D, -0.1 + 0.1 / D
    return A * t**2 / 2 if abs(B) < 1e-12 else A / B * (np.expm1(B * t) / B - t)


def test_drum_with_the_standard_discretization():
    """It needs friction to be weak: errors grow with it, and where it would diverge the run says so."""
    problem = da.problems.cable_drum()
    options = {"method": da.Mexx(discretization="standard"), "rtol": 1e-5, "atol": 1e-5, "first_step": 1e-3}
    steps, errors = [], []
    for friction in (0.0, 0.25, 0.75, 1.0):
        run = da.simulate(problem.equations, (0, 4), (problem.q0, problem.v0), parameters={"mu": friction}, **options)
        assert run.success
        steps.append(run.statistics.steps)
        errors.append(abs(run.q[0, -1] - height(friction, 4.0)) / (1 + abs(run.q[0, -1])))
    assert steps == sorted(steps) and steps[-1] > 5 * steps[0]
    assert errors[0] < 1e-6 and errors[1] < 1e-5 and errors[-1] > 1e-4
    for friction in (1.25, 1.5):
        run = da.simulate(problem.equations, (0, 4), (problem.q0, problem.v0), parameters={"mu": friction}, **options)
        assert not run.success and run.outcome == "no convergence" and run.t[-1] == 0.0


@pytest.mark.parametrize("N,tolerance", TABLE_5_5)
def test_insulator_chain(N, tolerance):
    """Two coordinates have no mass."""
    problem = da.problems.insulator_chain(N)
    run = da.simulate(
        problem.equations, (0, 0.1), (problem.q0, problem.v0), method="mexx", rtol=tolerance, atol=tolerance,
        first_step=1e-3,
    )  # fmt: skip
    assert run.success and within(run, TABLE_5_5[N, tolerance])
    assert run.statistics.extra["constraint_residual"] < 1e-10
    if N == 32:  # recomputed by other methods
        assert run.q[2:5, -1] == pytest.approx([-0.22050958, -6.73627889, 0.53481611], abs=2e-5)


def test_first_maximum_of_the_insulator_chain():
    """mexx 5.4: the topmost insulator turns back at t = 0.1283; it hardly moves before the wave reaches it."""
    problem = da.problems.insulator_chain(32)
    turn = da.Event(lambda v: v[-1], terminal=True, threshold=1e-3)
    run = da.simulate(
        problem.equations, (0, 0.2), (problem.q0, problem.v0), method="mexx", rtol=1e-5, atol=1e-5, first_step=1e-3,
        events=[turn], event_checks=1,
    )  # fmt: skip
    assert run.outcome == "event" and run.t[-1] == pytest.approx(0.12829577, abs=1e-6)


def test_tolerance_near_rounding(mechanism):
    """Rounding prevails in high columns; orders are lowered, and the run goes on."""
    run = run_mechanism(mechanism, 1e-12, max_steps=500)
    assert run.outcome == "finished" and scaled(run.q[:, -1], mechanism[2].q[:, -1]) < 1e-11


def reports_of(mechanism, **options):
    found = []
    run = run_mechanism(mechanism, monitor=found.append, **options)
    return run, found


def test_monitor_tells_every_step(mechanism):
    run, found = reports_of(mechanism)
    assert [report.t for report in found] == run.t[1:].tolist()
    assert sum(report.step for report in found) == pytest.approx(0.03)
    assert all(2 <= report.order <= 13 and 0 <= report.error <= 1 for report in found)
    assert sum(report.rejected for report in found) == run.statistics.rejected
    assert sum(report.nfev for report in found) == run.statistics.nfev
    tight = reports_of(mechanism, tolerance=1e-9)[1]
    assert np.mean([r.order for r in tight]) > np.mean([r.order for r in found]) + 1


def test_monitor_as_a_table(mechanism, capsys):
    run = run_mechanism(mechanism, monitor=True)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["step", "t", "h", "order", "error/tol", "rejected", "nfev", "newton", "renewed"]
    assert len(lines) == run.t.size and float(lines[-1].split()[1]) == 0.03
    other = da.simulate(mechanism[0], (0, 0.01), mechanism[1], method="dopri5", monitor=True)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == other.t.size and lines[-1].split()[3] == "5"


@pytest.mark.parametrize("highest", [3, 5, 8, 13])
def test_highest_order(mechanism, highest):
    run, found = reports_of(mechanism, method=da.Mexx(max_order=highest), tolerance=1e-6)
    assert run.success and max(report.order for report in found) <= highest
    assert scaled(run.q[:, -1], mechanism[2].q[:, -1]) < 1e-5
    assert run.sol.coefficients.shape[1] == min(highest + 3, 2 * highest) + 4


def test_order_of_the_dense_output_may_be_limited(mechanism):
    run, full = run_mechanism(mechanism, method=da.Mexx(max_dense_order=4)), run_mechanism(mechanism)
    assert np.array_equal(run.q, full.q) and run.sol.coefficients.shape[1] == 11
    t = np.linspace(0, 0.03, 301)
    assert np.abs(run.sol(t).q - full.sol(t).q).max() < 1e-3


def test_a_run_between_its_steps_without_equations(mechanism, tmp_path):
    run = run_mechanism(mechanism, 1e-7)
    loaded = da.load(run.save(tmp_path / "run.nc"))
    t = np.linspace(0, 0.03, 101)
    exact, found = mechanism[2].sol(t), loaded.sol(t)
    assert loaded.sol.completion is None
    assert np.abs(found.q - exact.q).max() < 1e-5
    assert np.abs(found.a - exact.a).max() < 1e-4 * np.abs(exact.a).max()


def test_instants_of_output(mechanism):
    """mexx 4.2: spread over the span, so many per step, no farther apart than asked, prescribed."""
    free = run_mechanism(mechanism)
    spread = mexx_output.uniform((0, 0.03), 9)
    assert np.allclose(np.diff(spread), 0.003) and spread.size == 11
    run = run_mechanism(mechanism, t_eval=spread)
    assert np.array_equal(run.t, spread) and run.statistics.steps == free.statistics.steps
    inside = mexx_output.in_steps(free.t, 3)
    assert inside.size == 4 * free.statistics.steps + 1 and np.array_equal(inside[::4], free.t)
    assert np.abs(free.sol(inside).q[:, ::4] - free.q).max() < 1e-12
    dense = mexx_output.at_most(free.t, 2e-4)
    assert np.isin(free.t, dense).all() and np.diff(dense).max() <= 2e-4 * (1 + 1e-9)
    assert np.diff(dense).min() > 0.9e-4
    for wrong in (lambda: mexx_output.at_most([0, 1], 0.0), lambda: mexx_output.in_steps([0, 1], -1)):
        with pytest.raises(SimulationError):
            wrong()


def test_where_the_time_goes(mechanism):
    run = da.simulate(mechanism[0], (0, 0.03), mechanism[1], method="mexx", rtol=1e-5, atol=1e-5)
    shares = time_shares(run, mechanism[0])
    assert shares.total > 0 and shares.functions > 0 and shares.linear_algebra > 0
    assert "linear algebra" in str(shares)
    with pytest.raises(SimulationError, match="mexx"):
        time_shares(mechanism[2], mechanism[0])


@pytest.mark.parametrize(
    "options,message",
    [
        ({"max_order": 2}, "max_order must be a whole number from 3 to 13"),
        ({"max_order": 14}, "max_order"),
        ({"max_dense_order": 2.5}, "max_dense_order"),
        ({"discretization": "modifed"}, "discretization 'modifed'.*modified"),
        ({"min_order": 4}, "min_order"),
        ({"controller": 0.9}, "controller must be a Controller"),
        ({"controller": da.Gustafsson()}, "Gustafsson control is for implicit methods"),
    ],
)
def test_options_that_are_refused(options, message):
    with pytest.raises(SimulationError, match=message):
        da.Mexx(**options)


def test_tolerances_of_components(mechanism):
    """A component that may be wrong does not shorten the steps."""
    equations, start, _ = mechanism
    loose = np.full(14, 1e-7)
    loose[7:] = 1e3
    runs = [da.simulate(equations, (0, 0.01), start, method="mexx", rtol=1e-12, atol=atol) for atol in (1e-7, loose)]
    assert runs[1].nfev < runs[0].nfev


@pytest.mark.parametrize("stop", [1, 4, 11])
def test_resumed_with_its_options(mechanism, stop, tmp_path):
    """Bit for bit, with the polynomials of accelerations and multipliers."""
    method = da.Mexx(max_order=6, max_dense_order=5)
    options = {"method": method, "event_checks": 2, "events": [da.Event(lambda a: a[0])]}
    whole = run_mechanism(mechanism, **options)
    part = da.load(run_mechanism(mechanism, max_steps=stop, **options).save(tmp_path / "part.nc"))
    run = da.resume(part, mechanism[0], events=options["events"])
    assert np.array_equal(run.q, whole.q) and np.array_equal(run.lam, whole.lam) and run.statistics == whole.statistics
    assert np.array_equal(run.sol.coefficients, whole.sol.coefficients)
    assert np.array_equal(run.sol.algebraic, whole.sol.algebraic)
    assert np.array_equal(run.t_events[0], whole.t_events[0])


def test_polynomials_end_where_an_event_cuts_the_step(mechanism):
    run = run_mechanism(mechanism, 1e-7, events=[da.Event(lambda a: a[0], terminal=True)])
    assert run.outcome == "event" and run.t[-1] == pytest.approx(ROOTS[0], rel=1e-5)
    bare = DenseOutput(run.sol.t, run.sol.coefficients, run.sol.sizes, None, run.sol.algebraic)
    t = np.linspace(run.t[-2], run.t[-1], 7)
    exact = mechanism[2].sol(t)
    assert np.abs(bare(t).q - exact.q).max() < 1e-5
    assert np.abs(bare(t).a - exact.a).max() < 1e-3 * np.abs(exact.a).max()


def test_backwards(mechanism):
    equations, _, exact = mechanism
    end = exact.q[:, -1], exact.v[:, -1]
    back = da.simulate(equations, (0.03, 0.02), end, method="mexx", rtol=1e-9, atol=1e-9)
    assert back.success and np.abs(back.q[:, -1] - exact.sol(0.02).q).max() < 1e-6


def test_runs_that_cannot_be_timed_again_and_options_of_others_are_refused():
    problem = da.problems.pendulum()
    short = da.simulate(problem, (0, 1), method="mexx", max_step=0.01)
    with pytest.raises(da.DalembertError, match="cannot be repeated as it was"):
        time_shares(short, problem.equations)
    one = da.simulate(problem, (0, 1), method="mexx", t_eval=[0.6])
    with pytest.raises(da.DalembertError, match="fewer than two instants"):
        time_shares(one, problem.equations)
    with pytest.raises(da.DalembertError, match="Dop853 has no argument 'discretization'"):
        da.Dop853(discretization="standard")
    assert da.simulate(problem, (0, 1), method=da.Mexx(max_order=np.int64(5))).success


def test_the_monitor_tells_what_an_event_leaves_of_a_step():
    told = []
    problem = da.problems.pendulum()
    hit = da.Event(lambda q: q[1] + 0.5, terminal=True)
    run = da.simulate(problem, (0, 3), method="mexx", events=[hit], monitor=told.append)
    assert sum(report.step for report in told) == pytest.approx(run.t[-1] - run.t[0], rel=1e-12)
