"""Every method on several problems: orders at the ends of steps and between them, constraints, energy, work."""

import numpy as np
import pytest
from integrate.references import PROBLEMS, problem_and_reference
from integrate.runs import FIXED_ORDER, errors, fixed_steps, on_constraints, step_of

import dalembert as da
from dalembert.integrate.methods.registry import METHODS
from dalembert.integrate.methods.state_space import StateSpace

#: Observed order of q, v and λ at the ends of steps, and numbers of steps where it is free of rounding.
#: Multipliers lose nothing: they are recomputed from q and v.
ORDERS = {
    ("dopri5", "double_pendulum"): (5, 32, 48),
    ("dopri5", "seven_body"): (5, 24, 48),
    ("dop853", "double_pendulum"): (8, 8, 16),
    ("dop853", "longer_seven_body"): (8, 12, 20),
    ("chart_dopri5", "double_pendulum"): (5, 32, 64),
    ("chart_dopri5", "seven_body"): (5, 24, 48),
    ("chart_dop853", "double_pendulum"): (8, 8, 12),
    ("chart_dop853", "longer_seven_body"): (8, 8, 12),
    ("radau", "pendulum"): (5, 8, 16),
    ("radau", "double_pendulum"): (5, 8, 16),
    ("radau", "seven_body"): (5, 6, 12),
    ("radau9", "double_pendulum"): (9, 6, 8),
    ("radau9", "seven_body"): (9, 2, 4),
    ("radau13", "double_pendulum"): (13, 3, 4),
    ("mexx", "double_pendulum"): (FIXED_ORDER, 8, 16),
    ("mexx", "seven_body"): (FIXED_ORDER, 8, 16),
    ("adams", "double_pendulum"): (FIXED_ORDER + 1, 64, 96),  # counted by the predictor; the corrector has one more
    ("adams", "seven_body"): (FIXED_ORDER + 1, 48, 96),
    ("bdf", "double_pendulum"): (5, 100, 200),
    ("bdf", "seven_body"): (5, 100, 200),
    ("chart_bdf", "double_pendulum"): (5, 100, 200),
    ("chart_bdf", "seven_body"): (5, 100, 200),
    ("hem5", "double_pendulum"): (5, 16, 32),
    ("hem5", "seven_body"): (5, 12, 24),
    ("sdirk4", "double_pendulum"): (4, 48, 96),
    ("sdirk4", "seven_body"): (4, 16, 32),
    ("esdirk4", "double_pendulum"): (4, 24, 48),
    ("esdirk4", "seven_body"): (4, 12, 24),
    ("rosenbrock4", "double_pendulum"): (4, 64, 128),
    ("rosenbrock4", "seven_body"): (4, 16, 32),
    ("rodasp", "double_pendulum"): (4, 48, 96),
    ("rodasp", "seven_body"): (4, 16, 32),
    ("rodas5p", "double_pendulum"): (5, 32, 64),
    ("rodas5p", "seven_body"): (5, 12, 24),
    ("trapezoidal", "double_pendulum"): (2, 64, 128),
    ("trapezoidal", "seven_body"): (2, 64, 128),
    ("hht", "double_pendulum"): (2, 64, 128),
    ("hht", "seven_body"): (2, 64, 128),
    ("generalised_alpha", "double_pendulum"): (2, 64, 128),
    ("generalised_alpha", "seven_body"): (2, 64, 128),
    ("descriptor_sdirk4", "double_pendulum"): (4, 48, 96),
    ("descriptor_sdirk4", "seven_body"): (4, 12, 24),
    ("descriptor_trapezoidal", "double_pendulum"): (2, 64, 128),
    ("descriptor_trapezoidal", "seven_body"): (2, 64, 128),
    ("imex", "pendulum"): (1, 256, 512),
    ("imex", "double_pendulum"): (1, 256, 512),
    ("imex", "seven_body"): (1, 64, 128),
    ("euler", "double_pendulum"): (1, 512, 1024),
    ("euler", "seven_body"): (1, 64, 128),
    ("linear_euler", "double_pendulum"): (1, 512, 1024),
    ("linear_euler", "seven_body"): (1, 64, 128),
    ("linear_trapezoidal", "double_pendulum"): (2, 64, 128),
    ("linear_trapezoidal", "seven_body"): (2, 64, 128),
}
#: Power of h of the error between steps: one more than the order of the dense output, as that of a single step.
DENSE = {
    ("dopri5", "double_pendulum"): (5, 24, 48),
    ("dopri5", "seven_body"): (5, 24, 48),
    ("dop853", "double_pendulum"): (8, 8, 16),
    ("dop853", "seven_body"): (8, 6, 12),
    ("chart_dopri5", "double_pendulum"): (5, 24, 48),
    ("chart_dopri5", "seven_body"): (5, 24, 48),
    ("chart_dop853", "double_pendulum"): (8, 12, 20),
    ("chart_dop853", "longer_seven_body"): (8, 12, 20),
    ("radau", "pendulum"): (4, 16, 32),
    ("radau", "double_pendulum"): (4, 32, 64),
    ("radau", "seven_body"): (4, 12, 24),
    ("radau9", "double_pendulum"): (6, 16, 32),
    ("radau9", "seven_body"): (6, 12, 24),
    ("radau13", "double_pendulum"): (8, 8, 16),
    ("mexx", "double_pendulum"): (FIXED_ORDER, 8, 16),
    ("mexx", "seven_body"): (FIXED_ORDER, 8, 16),
    ("adams", "double_pendulum"): (FIXED_ORDER + 1, 48, 96),
    ("adams", "seven_body"): (FIXED_ORDER + 1, 48, 96),
    ("bdf", "double_pendulum"): (5, 100, 200),
    ("bdf", "seven_body"): (5, 100, 200),
    ("chart_bdf", "double_pendulum"): (5, 100, 200),
    ("chart_bdf", "seven_body"): (5, 100, 200),
    ("hem5", "double_pendulum"): (5, 16, 32),
    ("hem5", "seven_body"): (5, 24, 48),
    ("sdirk4", "double_pendulum"): (4, 48, 96),
    ("sdirk4", "seven_body"): (4, 24, 48),
    ("esdirk4", "double_pendulum"): (4, 24, 48),
    ("esdirk4", "seven_body"): (4, 24, 48),
    ("rosenbrock4", "double_pendulum"): (4, 64, 128),
    ("rosenbrock4", "seven_body"): (4, 24, 48),
    ("rodasp", "double_pendulum"): (4, 24, 48),
    ("rodasp", "seven_body"): (4, 24, 48),
    ("rodas5p", "double_pendulum"): (4, 24, 48),
    ("rodas5p", "seven_body"): (4, 24, 48),
    ("trapezoidal", "double_pendulum"): (2, 64, 128),
    ("trapezoidal", "seven_body"): (2, 64, 128),
    ("hht", "double_pendulum"): (2, 64, 128),
    ("hht", "seven_body"): (2, 64, 128),
    ("generalised_alpha", "double_pendulum"): (2, 64, 128),
    ("generalised_alpha", "seven_body"): (2, 64, 128),
    ("descriptor_sdirk4", "double_pendulum"): (4, 48, 96),
    ("descriptor_sdirk4", "seven_body"): (4, 24, 48),
    ("descriptor_trapezoidal", "double_pendulum"): (2, 64, 128),
    ("descriptor_trapezoidal", "seven_body"): (2, 64, 128),
    ("imex", "double_pendulum"): (1, 256, 512),
    ("imex", "seven_body"): (1, 64, 128),
    ("euler", "double_pendulum"): (1, 512, 1024),
    ("euler", "seven_body"): (1, 64, 128),
    ("linear_euler", "double_pendulum"): (1, 512, 1024),
    ("linear_euler", "seven_body"): (1, 64, 128),
    ("linear_trapezoidal", "double_pendulum"): (2, 64, 128),
    ("linear_trapezoidal", "seven_body"): (2, 64, 128),
}

#: Methods that are good for eight digits; others have order 2.
ACCURATE = [name for name, method in METHODS.items() if method.order > 2]


def observed_orders(method, name, steps, between):
    problem, reference = problem_and_reference(name)
    t = np.linspace(*reference.sol.interval, 601)[1:-1]
    exact = reference.sol(t) if between else reference
    found = []
    for n in steps:
        run = fixed_steps(problem.equations, method, (problem.q0, problem.v0), reference.sol.interval, n)
        found.append(errors(run.sol(t) if between else run, exact))
    return np.log(found[0] / found[1]) / np.log(steps[1] / steps[0])


def test_every_method_has_its_orders_stated_here():
    assert {method for method, _ in ORDERS} == {method for method, _ in DENSE} == set(METHODS)
    for method, name in ORDERS:
        if METHODS[method].orders[0] < METHODS[method].orders[1]:  # all its orders: test_mexx_orders.py, test_adams.py
            continue
        assert ORDERS[method, name][0] == METHODS[method].order
    for method, name in DENSE:
        if METHODS[method].orders[0] == METHODS[method].orders[1]:
            assert DENSE[method, name][0] == METHODS[method].dense_order + 1
    assert set(da.methods()) == set(METHODS)


@pytest.mark.parametrize("method,name", ORDERS)
def test_order_of_positions_velocities_and_multipliers(method, name):
    order, *steps = ORDERS[method, name]
    observed = observed_orders(method, name, steps, between=False)
    slack = 0.4 if order < 13 else 2.0  # two points close to rounding
    assert (observed > order - slack).all() and (observed < order + 2.5).all(), observed


@pytest.mark.parametrize("method,name", DENSE)
def test_order_of_dense_output(method, name):
    order, *steps = DENSE[method, name]
    observed = observed_orders(method, name, steps, between=True)
    assert (observed > order - 0.5).all() and (observed < order + 1.0).all(), observed


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("method", ACCURATE)
def test_constraints_energy_accuracy_and_counts(method, name):
    problem, reference = problem_and_reference(name)
    span, start = reference.sol.interval, (problem.q0, problem.v0)
    run = da.simulate(problem.equations, span, start, method=method, rtol=1e-8, atol=1e-10, max_steps=5000)
    assert run.success and run.outcome == "finished" and run.status == 0 and run.t[-1] == span[1]
    assert on_constraints(problem.equations, run)
    assert errors(run, reference).max() < 1e-5
    energy = [problem.invariant(t, q, v, problem.p) for t, q, v in zip(run.t, run.q.T, run.v.T, strict=True)]
    kinetic = 0.5 * max(v @ problem.equations.evaluate("M", q=q) @ v for q, v in zip(run.q.T, run.v.T, strict=True))
    assert np.ptp(energy) < 1e-5 * kinetic
    # Counts in the manner of SciPy's tests: loose enough for another controller, tight enough for a lost order.
    work, attempts = run.statistics, run.statistics.steps + run.statistics.rejected
    assert run.nfev == work.nfev and work.steps == run.t.size - 1
    assert work.rejected <= 0.5 * work.steps + 3
    assert 0 < work.step_min <= work.step_max <= span[1] - span[0]
    if METHODS[method].implicit:
        # The descriptor form factorises at each stage, the others at the start of a step.
        factorisations = 6 if method == "descriptor_sdirk4" else (METHODS[method].order // 4 + 1) * 2
        assert 0 < run.njev <= attempts and 0 < run.nlu <= factorisations * attempts
        assert run.nfev < 120 * attempts
    elif isinstance(METHODS[method], da.Rosenbrock):
        per_step = {"rosenbrock4": 3, "rodasp": 6, "rodas5p": 8}[method]
        assert work.steps <= run.njev <= work.steps + 1 and run.nfev <= per_step * attempts + 5
    elif method == "adams":
        assert run.njev == run.nlu == 0 and 2 * work.steps <= run.nfev <= 2 * attempts + 5
    elif METHODS[method].orders[0] < METHODS[method].orders[1]:
        assert run.njev == 0 and 5 * work.steps < run.nfev <= 151 * attempts + 3 and run.nlu < 1.1 * run.nfev
    else:
        per_step = {"dopri5": 7, "dop853": 12 + 3, "hem5": 8 + 1}[method.removeprefix("chart_")]
        assert run.njev == 0 and per_step * work.steps <= run.nfev <= per_step * attempts + 5
    expected = {
        "dopri5": 120, "dop853": 30, "radau": 150, "radau9": 40, "radau13": 30, "mexx": 20, "adams": 120, "bdf": 500,
        "hem5": 200, "sdirk4": 400, "esdirk4": 200, "rosenbrock4": 400, "rodasp": 250, "rodas5p": 120,
        "descriptor_sdirk4": 400,
    }[method.removeprefix("chart_")]  # fmt: skip
    assert work.steps < expected


@pytest.mark.parametrize("method", ACCURATE)
def test_error_follows_the_tolerance(method):
    problem, reference = problem_and_reference("longer_seven_body")
    found = []
    for rtol in (1e-4, 1e-6, 1e-8, 1e-10):
        run = da.simulate(
            problem.equations, reference.sol.interval, (problem.q0, problem.v0), method=method, rtol=rtol,
            atol=1e-2 * rtol, max_steps=5000,
        )  # fmt: skip
        found.append(errors(run, reference).max())
        assert found[-1] < 100 * rtol, found
    assert found[-1] < max(1e-3 * found[0], 1e-12), found


@pytest.mark.parametrize("method", ACCURATE)
def test_backwards_to_the_start(method):
    problem, reference = problem_and_reference("double_pendulum")
    there = da.simulate(problem.equations, (0, 0.5), (problem.q0, problem.v0), method=method, rtol=1e-9, atol=1e-10)
    end = there.q[:, -1], there.v[:, -1]
    back = da.simulate(problem.equations, (0.5, 0), end, method=method, rtol=1e-9, atol=1e-10, t_eval=[0.5, 0.2, 0.0])
    assert back.t.tolist() == [0.5, 0.2, 0.0] and back.success
    assert back.q[:, -1] == pytest.approx(problem.q0, abs=1e-7) and back.v[:, -1] == pytest.approx(problem.v0, abs=1e-6)
    assert back.q[:, 1] == pytest.approx(reference.sol(0.2).q, abs=1e-7)
    assert back.sol(0.3).lam == pytest.approx(reference.sol(0.3).lam, rel=1e-6)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", PROBLEMS)
def test_both_formalisms_agree_to_rounding(method, name):
    problem, reference = problem_and_reference(name)
    start = problem.q0, problem.v0
    # Stages must stay in reach of a chart, and of histories little is left after long steps.
    steps = 24 if isinstance(METHODS[method], StateSpace) or method in ("adams", "bdf") else 6
    if METHODS[method].steps_alike:  # long ones leave so much to projections that their last digits show
        steps = 2000
    fused, factored = (
        fixed_steps(problem.equations, method, start, reference.sol.interval, steps, formalism)
        for formalism in ("explicit", "contract")
    )
    assert errors(fused, factored, ("q", "v", "a", "lam")).max() < 1e-10
    t = np.linspace(*reference.sol.interval, 37)
    assert errors(fused.sol(t), factored.sol(t), ("q", "v", "a", "lam")).max() < 1e-10
    assert factored.nlu > 0


@pytest.mark.parametrize("method", METHODS)
def test_output_instants_do_not_change_the_steps(method):
    problem, _ = problem_and_reference("double_pendulum")
    options = {"method": method, "rtol": 1e-6, "atol": 1e-8, **step_of(method, 0.01)}
    free = da.simulate(problem.equations, (0, 0.5), (problem.q0, problem.v0), **options)
    t_eval = np.sort(np.concatenate([free.t[[0, 2, 5]], [0.111, 0.3, 0.5]]))
    asked = da.simulate(problem.equations, (0, 0.5), (problem.q0, problem.v0), t_eval=t_eval, **options)
    assert np.array_equal(asked.t, t_eval)
    assert asked.statistics.steps == free.statistics.steps
    at = free.sol(t_eval)
    for name in ("q", "v", "a", "lam"):
        assert getattr(asked, name) == pytest.approx(getattr(at, name), rel=1e-12, abs=1e-12)
    lean = da.simulate(problem.equations, (0, 0.5), (problem.q0, problem.v0), dense_output=False, **options)
    assert lean.sol is None and np.array_equal(lean.t, free.t) and np.array_equal(lean.q, free.q)
