"""Every order of MEXX: the formulas in extended precision, and the compiled method against them and by itself."""

import numpy as np
import pytest
from integrate.mexx_formulas import SEQUENCE, Formulas, mp, traced
from integrate.runs import errors, fixed_steps

import dalembert as da
from dalembert.integrate.methods import mexx

ORDERS = range(2, len(SEQUENCE) + 1)
T0 = mp.mpf(1) / 10
INSIDE = mp.mpf(37) / 100

#: Numbers of steps with which each order shows on the double pendulum before rounding does.
STEPS = {2: (32, 48), 3: (16, 32), 4: (16, 32), 5: (8, 16), 6: (8, 16), 7: (4, 8), 8: (4, 8), 9: (2, 4), 10: (2, 4)}


def start(formulas):
    return formulas.project(T0, [mp.mpf(x) for x in ("0.7", "0.9", "0.3", "-0.2", "0.4")])


@pytest.fixture(scope="module")
def frictionless():
    """The formulas with their true motion at the end of two steps and inside of them."""
    formulas = Formulas(mp.mpf(0))
    y0 = start(formulas)
    sizes = mp.mpf(1) / 160, mp.mpf(1) / 320
    truths = {H: (formulas.truth(T0, y0, H, 1), formulas.truth(T0, y0, H, INSIDE)) for H in sizes}
    return formulas, y0, truths


def test_sequence():
    assert mexx.SEQUENCE == SEQUENCE and mexx.SEQUENCE[:9] == (2, 3, 4, 5, 6, 7, 8, 10, 12)  # mexx 2.2


@pytest.mark.parametrize("order", ORDERS)
def test_orders_of_the_formulas(frictionless, order):
    """The error of one step is O(H^{κ+1}): of q, v, u and λ at its end, and of all of them inside."""
    formulas, y0, truths = frictionless

    def largest(found, true):
        return max(abs(a - b) for a, b in zip(found, true, strict=True))

    table = []
    for H, ((y_end, z_end), (y_in, z_in)) in truths.items():
        y1, y, z = formulas.step(T0, y0, H, order)
        table.append(
            [
                largest(y1[:2], y_end[:2]), largest(y1[2:4], y_end[2:4]), largest(y1[4:], y_end[4:]),
                largest([z[2](1)], z_end[2:]),
                largest([p(INSIDE) for p in y], y_in), largest([p(INSIDE) for p in z], z_in),
            ]
        )  # fmt: skip
    observed = np.array([float(mp.log(a / b, 2)) for a, b in zip(*table, strict=True)])
    assert (observed > order + 1 - 0.2).all(), observed


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("friction,discretization", [(0.0, "auto"), (0.1, "modified"), (0.1, "standard")])
def test_the_method_does_what_the_formulas_say(order, friction, discretization):
    """One step: its end and its polynomials, with and without forces that depend on the multiplier."""
    formulas = Formulas(mp.mpf(friction), discretization != "standard")
    y0 = start(formulas)
    H = mp.mpf(1) / 8
    y1, y, z = formulas.step(T0, y0, H, order)
    at = [float(x) for x in y0]
    run = fixed_steps(
        traced(friction), "mexx", (at[:2], at[2:4], at[4:]), (0.1, 0.225), 1, order=order, discretization=discretization
    )
    amplified = 2e-16 * sum(
        abs(np.prod([n / (n - i) for i in SEQUENCE[:order] if i != n], initial=1.0)) for n in SEQUENCE[:order]
    )
    found = np.concatenate([run.q[:, -1], run.v[:, -1], run.u[:, -1]])
    assert found == pytest.approx([float(x) for x in y1], abs=30 * amplified)
    bare = da.solution.DenseOutput(run.sol.t, run.sol.coefficients, run.sol.sizes, None, run.sol.algebraic)
    for theta in (0.13, 0.5, 0.91):
        point = bare(0.1 + theta * 0.125)
        assert [*point.q, *point.v, *point.u] == pytest.approx([float(p(theta)) for p in y], abs=100 * amplified)
        assert [*point.a, *point.lam] == pytest.approx([float(p(theta)) for p in z], abs=1e5 * amplified)


@pytest.mark.parametrize("order", STEPS)
def test_orders_of_whole_runs(order):
    problem = da.problems.double_pendulum()
    first = problem.q0, problem.v0
    reference = da.simulate(problem.equations, (0, 0.5), first, method="dop853", rtol=1e-14, atol=1e-15)
    t = np.linspace(0, 0.5, 201)[1:-1]
    ends, between = [], []
    for n in STEPS[order]:
        run = fixed_steps(problem.equations, "mexx", first, (0, 0.5), n, order=order)
        ends.append(errors(run, reference))
        between.append(errors(run.sol(t), reference.sol(t)))
    ratio = np.log(STEPS[order][1] / STEPS[order][0])
    for found in (ends, between):
        observed = np.log(found[0] / found[1]) / ratio
        assert (observed > order - 0.5).all() and (observed < order + 3).all(), observed
