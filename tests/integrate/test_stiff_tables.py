"""Coefficients of diagonally implicit and Rosenbrock methods: conditions of order, stability, stiff order."""

import itertools

import numpy as np
import pytest

import dalembert as da
from dalembert.integrate import Rosenbrock, Sdirk
from dalembert.integrate.methods import rosenbrock_tables, sdirk_tables

SDIRK, ROSENBROCK = sdirk_tables.TABLES, rosenbrock_tables.TABLES


@pytest.mark.parametrize("formula", SDIRK)
def test_conditions_of_order_four_and_three(formula):
    """(4.10), (4.11)."""
    table = SDIRK[formula]
    A, b, c, embedded = table.A, table.b, table.c, table.b_embedded
    third = lambda w: [w.sum() - 1, w @ c - 1 / 2, w @ c**2 - 1 / 3, w @ A @ c - 1 / 6]  # noqa: E731
    fourth = [b @ c**3 - 1 / 4, (b * c) @ A @ c - 1 / 8, b @ A @ c**2 - 1 / 12, b @ A @ A @ c - 1 / 24]
    assert np.abs([*third(b), *fourth, *third(embedded)]).max() < 1e-14
    for theta in (1 / 3, 2 / 3):
        w = table.inner_weights(theta)
        short = np.array([theta - 1, (theta**2 - 1) / 2, (theta**3 - 1) / 3, (theta**3 - 1) / 6])
        assert np.abs(np.array(third(w)) - short).max() < 1e-14


@pytest.mark.parametrize("formula", ["4/15", "4/16"])
def test_dense_output_is_that_of_the_thesis(formula):
    """(4.12), (4.87): what is printed has order 3, and ends in b."""
    table = SDIRK[formula]
    for theta in (1 / 3, 2 / 3, 1.0):
        printed = theta ** np.arange(1, 5) @ table.dense
        assert np.abs(table.inner_weights(theta) - printed).max() < 1e-12
    assert np.abs(table.dense.sum(axis=0) - table.b).max() < 1e-12


def stability(A, b, z):
    """R(z) = 1 + z bᵀ (1 − z A)⁻¹ 1."""
    one = np.ones(len(b))
    return 1 + z * (b @ np.linalg.solve(np.eye(len(b)) - z * A, one))


@pytest.mark.parametrize("formula", SDIRK)
def test_diagonally_implicit_methods_are_L_stable(formula):
    table = SDIRK[formula]
    y = np.linspace(0.0, 60.0, 1201)
    assert max(abs(stability(table.A, table.b, 1j * at)) for at in y) <= 1 + 1e-12
    assert abs(stability(table.A, table.b, -1e9)) < 1e-7


@pytest.mark.parametrize("formula", ROSENBROCK)
def test_rosenbrock_methods_are_L_stable(formula):
    table = ROSENBROCK[formula]
    s = len(table.m)
    # Back to the classical form: Γ⁻¹ = 1/γ − c, α = a Γ, β = α + Γ, b = m Γ.
    Gamma = np.linalg.inv(np.eye(s) / table.gamma - table.c)
    beta, b = table.a @ Gamma + Gamma, table.m @ Gamma
    assert np.allclose(np.diag(Gamma), table.gamma, rtol=1e-12)
    y = np.linspace(0.0, 60.0, 1201)
    assert max(abs(stability(beta, b, 1j * at)) for at in y) <= 1 + 1e-9
    at_infinity = 1 - b @ np.linalg.solve(beta, np.ones(s))
    assert abs(at_infinity) < (1e-13 if formula == "thesis" else 2e-8 if formula == "printed" else 1e-9)


@pytest.mark.parametrize("formula", ROSENBROCK)
def test_rosenbrock_conditions_of_order_four(formula):
    """(4.55)–(4.62), with sums over trees: β in all but the outermost branches of several."""
    table = ROSENBROCK[formula]
    s = len(table.m)
    Gamma = np.linalg.inv(np.eye(s) / table.gamma - table.c)
    alpha = table.a @ Gamma
    beta, b, one = alpha + Gamma, table.m @ Gamma, np.ones(s)
    at, beta_1 = alpha @ one, beta @ one
    found = [
        b.sum() - 1, b @ beta_1 - 1 / 2, b @ at**2 - 1 / 3, b @ beta @ beta_1 - 1 / 6, b @ at**3 - 1 / 4,
        (b * at) @ alpha @ beta_1 - 1 / 8, b @ beta @ at**2 - 1 / 12, b @ beta @ beta @ beta_1 - 1 / 24,
    ]  # fmt: skip
    assert np.abs(found).max() < 1e-10
    assert np.allclose(table.alpha, at, atol=1e-12) and np.allclose(table.gammas, Gamma @ one, atol=1e-12)


def prothero_robinson(rate):
    """A mass on a damper that follows a motion: ẏ = λ (y − φ) + φ̇ for the velocity, y = v."""
    return da.trace(
        M=lambda: np.eye(1),
        f=lambda v, t: np.array([rate * (v[0] - np.sin(t + 0.3)) + np.cos(t + 0.3)]),
        n_q=1,
        name="Prothero and Robinson",
    )


@pytest.mark.parametrize(
    "method,order,largest",
    [
        (Sdirk(), 0.8, 1e-6), (Sdirk(formula="4/16"), 0.8, 1e-6), (Sdirk(formula="esdirk"), 1.5, 1e-6),
        (Rosenbrock(), 1.8, 1e-2), (Rosenbrock(formula="rodasp"), 0.8, 1e-6),
    ],
)  # fmt: skip
def test_stiff_order_of_prothero_and_robinson(method, order, largest):
    """Stiffly accurate methods have errors in proportion to 1/λ; that of the thesis's Rosenbrock method does not
    depend on λ and has order 2."""
    found = {}
    for rate, steps in itertools.product((-1e5, -1e6), (10, 20)):
        run = da.simulate(
            prothero_robinson(rate), (0, 1.0), ([0.0], [np.sin(0.3)]), rtol=1e-9, atol=1e-12,
            method=type(method)(formula=method.formula, controller=da.FixedStep(size=1 / steps)),
        )  # fmt: skip
        assert run.success
        found[rate, steps] = abs(run.v[0, -1] - np.sin(1.3))
    assert found[-1e6, 10] < largest
    if isinstance(method, Rosenbrock) and method.formula == "thesis":
        assert np.log2(found[-1e6, 10] / found[-1e6, 20]) > order
        assert found[-1e6, 10] == pytest.approx(found[-1e5, 10], rel=0.1)
    else:
        assert found[-1e6, 10] < 0.2 * found[-1e5, 10]


@pytest.mark.parametrize("method", ["rosenbrock4", "rodasp", "sdirk4", "descriptor_sdirk4", "trapezoidal"])
def test_forces_that_begin_within_a_step_are_not_missed(method):
    """Stages of the Rosenbrock method of the thesis lie at 0, 1.146 and 0.655 of a step, those of diagonally implicit
    ones behind 4/15 or 1/4 of it: a force that begins where none is, acts as long as it does."""
    assert Rosenbrock().unseen == pytest.approx((0.0, 0.3447850), abs=1e-6)
    assert Rosenbrock(formula="rodasp").unseen == Rosenbrock(formula="rodas5p").unseen == (0.0, 0.0)
    assert Sdirk().unseen == (4 / 15, 0.0) and da.Descriptor().unseen == (1 / 4, 0.0)
    glide = da.trace(
        M=lambda: np.eye(1),
        f=lambda q, v, p: np.array([np.where(q[0] > p.begin, 1.0, 0.0) * (1.0 - 0.01 * v[0])]),
        n_q=1,
        parameters={"begin": 1.0},
        name="glide",
    )
    for begin in np.linspace(0.5, 2.9, 13):
        end = [
            da.simulate(
                glide, (0.0, 3.0), ([0.0], [1.0]), method=name, rtol=tol, atol=tol, parameters={"begin": begin}
            ).v[0, -1]
            for name, tol in ((method, 1e-4), ("dop853", 1e-10))
        ]
        assert abs(end[0] - end[1]) < 2e-3, (begin, end)
