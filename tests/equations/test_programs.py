"""Compiled programs: accelerations against dense solvers, Jacobians against differences."""

from __future__ import annotations

import numpy as np
import pytest
from equations.systems import Rolling, difference, implicit_rows, jacobian, kkt
from hypothesis import given, settings
from hypothesis import strategies as st

import dalembert as da
from dalembert.equations.contract.convention import INPUTS, OUTPUTS
from dalembert.equations.contract.sensors import Sensors
from dalembert.symbolic import Graph

ROLLING = Rolling.equations()
numbers = st.floats(-1.5, 1.5)


def vectors(*sizes):
    return st.tuples(*(st.lists(numbers, min_size=n, max_size=n).map(np.array) for n in sizes))


def random_system(seed, n, m, friction):
    """M(q), f(q, v, λ), g(q) with random coefficients; M is diagonally dominant, G has full rank."""
    rng = np.random.default_rng(seed)
    coupled = np.triu(rng.random((n, n)) < 0.4, 1)
    coupled = coupled | coupled.T
    coefficient = np.where(coupled, rng.uniform(-0.4, 0.4, (n, n)), 0.0) / n
    coefficient = (coefficient + coefficient.T) / 2
    G = np.where(rng.random((m, n)) < 0.6, rng.uniform(-1, 1, (m, n)), 0.0)
    G[np.arange(m), rng.permutation(n)[:m]] += 4.0
    mass, F = rng.uniform(0.5, 2.0, n), 0.2 * friction * rng.uniform(-1, 1, (n, m))

    def M(q):
        return np.array(
            [[mass[i] if i == j else coefficient[i, j] * np.sin(q[i] + q[j]) for j in range(n)] for i in range(n)]
        )

    def f(q, v, lam):
        return np.cos(q) - v * np.sin(v) + (F * np.cos(q[0])) @ lam if m else np.cos(q) - v * np.sin(v)

    g = (lambda q, t: G @ (q + 0.05 * np.sin(q)) - np.sin(t)) if m else None
    return da.trace(M=M, f=f, g=g, n_q=n)


@settings(max_examples=12)
@given(st.integers(0, 2**31), st.integers(1, 7), st.integers(0, 4), st.booleans())
def test_accelerations_and_projections_are_those_of_a_dense_solver(seed, n, m, friction):
    m = min(m, n)
    equations = random_system(seed, n, m, friction)
    rng = np.random.default_rng(seed + 1)
    q, v = rng.standard_normal((2, n))
    provider = equations.program("explicit")
    out = provider(OUTPUTS["explicit"], {"p": np.zeros(0), "t": np.array([0.3]), "q": q, "v": v})
    M, G, gI, gamma, F, g, C = equations.evaluate("M", "G", "gI", "gamma", "F", "g", "C", t=0.3, q=q, v=v)
    f = equations.evaluate("f", t=0.3, q=q, v=v)
    assert bool(F.any()) == (friction and m > 0)
    a, lam = kkt(M, G, f, gamma, F)
    size = max(1.0, np.max(np.abs(a)), np.max(np.abs(lam), initial=0.0))
    assert out["a"] == pytest.approx(a, abs=1e-11 * size) and out["lam"] == pytest.approx(lam, abs=1e-11 * size)
    residual = G @ v + gI
    assert out["gv"] == pytest.approx(residual, abs=1e-12) and out["g"] == pytest.approx(g, abs=1e-13)
    # Projections are the shortest in the metric of M, with or without friction.
    dv, _ = kkt(M, G, np.zeros(n), -residual)
    dq, _ = kkt(M, C, np.zeros(n), -g)
    assert out["dv"] == pytest.approx(dv, abs=1e-10) and out["dq"] == pytest.approx(dq, abs=1e-10)
    assert out["qdot"].size == 0  # q̇ = v


@given(numbers, vectors(4, 3, 2))
def test_explicit_program_with_kinematics_friction_and_external_states(t, point):
    q, v, u = point
    M, G, gI, gamma, F, g, T = ROLLING.evaluate("M", "G", "gI", "gamma", "F", "g", "T", t=t, q=q, v=v, u=u)
    K = np.block([[M, G.T - F], [G, np.zeros((2, 2))]])
    if np.linalg.cond(K) > 1e4 or np.linalg.cond(G @ G.T) > 1e4:
        return
    a, lam = kkt(M, G, ROLLING.evaluate("f", t=t, q=q, v=v, u=u), gamma, F)
    p = ROLLING.parameter_vector()
    out = ROLLING.program("explicit")(OUTPUTS["explicit"], {"p": p, "t": np.array([t]), "q": q, "v": v, "u": u})
    assert out["a"] == pytest.approx(a, rel=1e-8, abs=1e-8) and out["lam"] == pytest.approx(lam, rel=1e-8, abs=1e-8)
    assert out["qdot"] == pytest.approx(T @ v, abs=1e-13)
    assert out["d"] == pytest.approx(ROLLING.evaluate("d", t=t, q=q, v=v, u=u, lam=lam), rel=1e-7, abs=1e-7)
    dq = kkt(M, G, np.zeros(3), np.concatenate([-g, [0.0]]))[0]  # displacements keep the nonholonomic row too
    assert out["dq"] == pytest.approx(T @ dq, rel=1e-8, abs=1e-8)
    assert out["dv"] == pytest.approx(kkt(M, G, np.zeros(3), -(G @ v + gI))[0], rel=1e-8, abs=1e-8)


def test_projection_of_positions_goes_by_g_where_velocity_rows_are_given():
    equations = da.trace(
        M=lambda: np.diag([1.0, 2.0]), f=lambda: np.zeros(2), n_q=2,
        g=lambda q: [q[0] ** 2 + q[1] - 1.0], G=lambda q: [[3.0, 5.0 + q[0]]],
    )  # fmt: skip
    q, v = np.array([0.7, 0.2]), np.array([0.3, -0.4])
    out = equations.program("explicit")(["dq", "dv"], {"p": np.zeros(0), "t": np.zeros(1), "q": q, "v": v})
    M, G, C, g = equations.evaluate("M", "G", "C", "g", q=q, v=v)
    assert out["dq"] == pytest.approx(kkt(M, C, np.zeros(2), -g)[0], abs=1e-14)
    assert out["dv"] == pytest.approx(kkt(M, G, np.zeros(2), -G @ v)[0], abs=1e-14)


@settings(max_examples=25)
@given(numbers, vectors(4, 3, 3, 2, 1, 2))
def test_jacobian_of_the_implicit_program(t, point):
    x = np.concatenate(point)
    rows, found = implicit_rows(ROLLING, x, t)
    assert found == pytest.approx(jacobian(lambda x: implicit_rows(ROLLING, x, t)[0], x), abs=1e-8)
    q, v, a, lam, mu, u = point
    T, M, G, gI, g, C, f, d = ROLLING.evaluate("T", "M", "G", "gI", "g", "C", "f", "d", t=t, q=q, v=v, lam=lam, u=u)
    expected = [T @ (v - C.T @ mu), M @ a - f + G.T @ lam, g, G @ v + gI, d]
    assert rows == pytest.approx(np.concatenate(expected), abs=1e-12)


def test_programs_remember_what_has_not_changed():
    """Outputs stay while their inputs do; ``changed`` tells from which input on."""
    import ctypes

    from dalembert.equations.contract.provider import _ENTRY

    chain = da.problems.pendulum_chain(2).equations
    for equations in (random_system(1, 3, 2, False), chain):
        provider = equations.program("contract")
        work, s = provider.workspace(), equations.sizes
        rng = np.random.default_rng(0)
        ins = [rng.standard_normal(size) for size in provider.in_sizes]
        outs = [np.zeros(size) for size in provider.out_sizes]
        pointers = [(ctypes.c_void_p * len(x))(*(a.ctypes.data for a in x)) for x in (ins, outs)]
        everything = (1 << len(outs)) - 1
        for changed in (0, 7, 3, 2, 5, 1, 2, 0):
            for k in range(changed, len(ins)):
                ins[k][:] = rng.standard_normal(len(ins[k]))
            assert _ENTRY(provider.address)(everything, changed, *pointers, work.ctypes.data) == 0
            fresh = provider(OUTPUTS["contract"], dict(zip(INPUTS, ins, strict=True)))
            for name, value in zip(OUTPUTS["contract"], outs, strict=True):
                assert np.array_equal(fresh[name], value), (name, changed, s)


@pytest.mark.parametrize("m", [0.0, 1e-300, 1e-14, 1e-3])
def test_masses_that_vanish_by_their_parameters(m):
    """A coordinate without mass that a constraint holds: the program must be right or absent."""
    equations = da.trace(
        M=lambda p: np.diag([p.m, 1.0]), f=lambda: np.array([1.0, 2.0]), g=lambda q: [q[0] - 2.0 * q[1]], n_q=2,
        parameters={"m": m},
    )  # fmt: skip
    start = equations.assemble([0, 0])
    assert start.a == pytest.approx([8 / (1 + 4 * m), 4 / (1 + 4 * m)], rel=1e-12)
    if not equations.lacks("explicit"):
        solution = da.simulate(equations, (0.0, 1.0), start)
        assert solution.q[:, -1] == pytest.approx([4 / (1 + 4 * m), 2 / (1 + 4 * m)], rel=1e-6)
        assert solution.a[:, 0] == pytest.approx(start.a, rel=1e-6) and solution.statistics.steps < 50


def test_masses_that_an_action_makes_light():
    """A parameter that changes on the way: pivots are looked for from then on."""
    equations = da.trace(
        M=lambda p: np.diag([p.m, 1.0]), f=lambda: np.array([1.0, 2.0]), g=lambda q: [q[0] - 2.0 * q[1]], n_q=2,
        parameters={"m": 1.0},
    )  # fmt: skip
    half = da.Event(lambda t: t - 0.5, action=lambda: da.Change(parameters={"m": 1e-14}), name="lighter")
    run = da.simulate(equations, (0.0, 1.0), equations.assemble([0, 0]), events=[half])
    assert run.success and run.a[:, -1] == pytest.approx([8.0, 4.0], rel=1e-6)
    part = da.simulate(equations, (0.0, 1.0), equations.assemble([0, 0]), max_steps=1, first_step=0.1)
    again = da.resume(part, equations, parameters={"m": 1e-14})
    assert again.success and again.a[:, -1] == pytest.approx([8.0, 4.0], rel=1e-6)


def test_singular_mass_matrices_that_constraints_make_regular():
    equations = da.trace(
        M=lambda: np.ones((2, 2)), f=lambda: np.array([1.0, 2.0]), g=lambda q: [q[0] - 2 * q[1]], n_q=2
    )  # fmt: skip
    a, _ = kkt(np.ones((2, 2)), np.array([[1.0, -2.0]]), np.array([1.0, 2.0]), np.zeros(1))
    start = equations.assemble([0, 0])
    assert start.a == pytest.approx(a)
    solution = da.simulate(equations, (0.0, 1.0), start)
    assert solution.q[:, -1] == pytest.approx(a / 2, rel=1e-6)


def test_large_systems_have_no_straight_line_solution():
    n = 401
    equations = da.trace(M=lambda: np.eye(n), f=lambda q: -q, n_q=n)
    assert "more than 400 unknowns" in equations.lacks("explicit")
    with pytest.raises(da.DalembertError, match="has no program 'explicit': more than 400 unknowns"):
        equations.program("explicit")
    massless = da.trace(M=lambda: np.diag([0.0, 1.0]), f=lambda q: -q, g=lambda q: [q[0] - q[1]], n_q=2)
    assert "zero on its diagonal" in massless.lacks("explicit")
    nonlinear = da.trace(
        M=lambda: np.eye(2), f=lambda lam: np.array([lam[0] ** 2, 0]), g=lambda q: [q[0] - q[1]], n_q=2
    )  # fmt: skip
    assert "not linear in the multipliers" in nonlinear.lacks("explicit")


def test_derivatives_by_differences_are_good():
    """The tool of these tests: sixth order."""
    assert difference(np.sin, 0.3) == pytest.approx(np.cos(0.3), abs=1e-12)


def test_sensors_apart_leave_the_digits_of_others():
    """x y + x z is factored unless something else needs its products, which changes its rounding."""
    graph = Graph()
    sizes = {"t": 1, "q": 3, "v": 1}
    inputs = {key: graph.variables(key, sizes.get(key, 0)) for key in INPUTS}
    (x, y, z), (v,) = inputs["q"], inputs["v"]
    own = {"sum": lambda: x * y + x * z}
    more = own | {"product": lambda: x * y + v}
    rng = np.random.default_rng(2)
    point = {key: rng.normal(size=(500, len(inputs[key]))) for key in INPUTS}

    def measured(functions, apart=()):
        return Sensors(functions, {}, inputs, apart=apart).at(point)

    alone, together, apart = measured(own), measured(more), measured(more, ["product"])
    np.testing.assert_array_equal(apart["sum"], alone["sum"])
    assert (together["sum"] != alone["sum"]).any()
    a, b, c = point["q"].T
    np.testing.assert_allclose(apart["product"], a * b + point["v"][:, 0], rtol=1e-9, atol=1e-14)
    np.testing.assert_allclose(apart["sum"], a * b + a * c, rtol=1e-9, atol=1e-14)
    assert list(apart) == ["sum", "product"]
