"""Partitions into slow and fast coordinates: published starts, expansions in ε, other roads to the same numbers."""

import numpy as np
import pytest

import dalembert as da
from dalembert.errors import ConstraintError, DalembertError

FAST = ["q1", "q2", "q3", "q4"]


@pytest.fixture(scope="module")
def crank():
    problem = da.problems.slider_crank(start="rigid")
    return problem, da.Partition(problem.equations, FAST)


@pytest.fixture(scope="module")
def pendulum():
    problem = da.problems.elastic_pendulum(start="rigid")
    return problem, da.Partition(problem.equations, ["q"])


# --------------------------------------------------------------------------------------------------- published starts


def test_forward_differences_give_the_start_of_the_test_set():
    """All nine printed digits; its program has π = 3.1415927, its start the exact one."""
    problem = da.problems.slider_crank(start="rigid")
    partition = da.Partition(problem.equations, FAST, parameters={"pi": np.pi})
    start = partition.start(problem.q0, problem.v0, rates=1e-5)
    printed = da.problems.slider_crank().reference(0.0)
    for ours, theirs in ((start.q, printed.q), (start.v, printed.v)):
        shown = theirs != 0.0
        unit = 10.0 ** (np.floor(np.log10(np.abs(theirs[shown]))) - 8)
        assert (np.abs(ours - theirs)[shown] < 0.51 * unit).all()
        assert np.abs(ours[~shown]).max(initial=0.0) < 1e-15


def test_exact_rates_are_the_limit_of_differences(crank):
    problem, partition = crank
    exact = partition.start(problem.q0, problem.v0)
    central = partition.start(problem.q0, problem.v0, rates="central")
    assert np.allclose(exact.q, central.q, rtol=0, atol=1e-14)
    assert np.allclose(exact.v[3:], central.v[3:], rtol=1e-6, atol=1e-9)
    assert np.abs(exact.v[5:]).max() < 1e-12


def test_smooth_start_of_the_crank_of_variable_speed():
    problem = da.problems.slider_crank(start="rigid", crank="variable")
    start = problem.equations.assemble(problem.q0, problem.v0, smooth=FAST)
    known = da.problems.slider_crank(crank="variable").reference(0.0)
    for key in ("q", "v", "a", "lam"):
        wanted = getattr(known, key)
        assert np.allclose(getattr(start, key), wanted, rtol=1e-11, atol=1e-11 * np.abs(wanted).max())


def test_starts_meet_the_constraints_with_the_fast_values_that_were_found(crank):
    problem, partition = crank
    for options in ({}, {"refined": True}):
        start = partition.start(problem.q0, problem.v0, **options)
        g, G, gI = problem.equations.evaluate("g", "G", "gI", q=start.q, v=start.v)
        assert np.abs(g).max() < 1e-15 and np.abs(G @ start.v + gI).max() < 1e-12
        a, lam = problem.equations.forward_dynamics(start.q, start.v)
        assert np.allclose(start.a, a, rtol=1e-9, atol=1e-7) and np.allclose(start.lam, lam, rtol=1e-9, atol=1e-9)


# ------------------------------------------------------------------------------------------------------ the expansion


def test_deformation_is_the_locking_force_over_the_stiffness(crank):
    """By inverse dynamics: the forces on fast coordinates that the rigid motion needs."""
    problem, partition = crank
    rigid = partition.rigid
    state = rigid.assemble(problem.q0[:3], problem.v0[:3])
    a = np.concatenate([state.a, np.zeros(4)])
    forces, _ = problem.equations.inverse_dynamics(problem.q0, problem.v0, a, actuated=FAST)
    start = partition.start(problem.q0, problem.v0)
    assert np.allclose(partition.stiffness @ start.q[3:], -forces, rtol=1e-9, atol=1e-9)


def test_quasi_static_pendulum_in_closed_form(pendulum):
    """q^a = ε² (−2 π̄ γ cos φ − π̄ φ̈),  φ̈ = −3/2 γ cos φ, and its rate."""
    _, partition = pendulum
    phi, rate, gamma, epsilon = 0.7, -1.3, 10.0, 0.02
    start = partition.start([phi, 0.0], [rate, 0.0])
    factor = -(2.0 / np.pi) * gamma * epsilon**2 * 0.5
    assert np.isclose(start.q[1], factor * np.cos(phi), rtol=1e-12)
    assert np.isclose(start.v[1], -factor * np.sin(phi) * rate, rtol=1e-12)
    assert np.isclose(partition.frequencies()[0], 1 / epsilon, rtol=1e-12)


def errors(epsilon, kind):
    """Largest differences of p, q between the full solution from its start and the smooth motion."""
    problem = da.problems.elastic_pendulum(epsilon=epsilon)
    partition = da.Partition(problem.equations, ["q"])
    tight, t = {"method": "dop853", "rtol": 1e-12, "atol": 1e-15}, np.linspace(0, 0.5, 51)
    slow = partition.slaved if kind == "slaved" else partition.rigid
    smooth = partition.motion(da.simulate(slow, (0, 0.5), ([-0.5], [0.7]), **tight), t)
    start = partition.start([-0.5, 0.0], [0.7, 0.0])
    q = np.array([start.q[0], 0.0]) if kind == "q = 0" else start.q
    v = np.array([start.v[0], 0.0]) if kind == "q = 0" else start.v
    full = da.simulate(problem.equations, (0, 0.5), (q, v), **tight).sol(t)
    return np.abs(full.q - smooth.q).max(axis=1)


@pytest.mark.parametrize("kind,orders", [("smooth", (2, 4)), ("q = 0", (2, 2)), ("slaved", (4, 4))])
def test_orders_in_epsilon(kind, orders):
    """Theorem 1 says at least 2 in both; its proof gives more for q, and so does the slaved slow system for p."""
    observed = np.log2(errors(0.008, kind) / errors(0.004, kind))
    assert np.abs(observed - orders).max() < 0.35, observed


def test_refinement_brings_the_crank_nearer_to_its_periodic_motion(crank):
    """The periodic slow motion starts with q̇1 = 0.473159760, q3 = 1.02789509e-5 (by shooting)."""
    problem, partition = crank
    plain, refined = (partition.start(problem.q0, problem.v0, refined=way) for way in (False, True))
    for of, exact, before, after in (
        (lambda state: state.v[3], 0.473159760, 6.2e-2, 8e-3),
        (lambda state: state.q[5], 1.02789509e-5, 5.5e-3, 4.1e-4),
    ):
        assert abs(of(plain) / exact - 1) < before and abs(of(refined) / exact - 1) < after


def test_motion_along_a_run_is_the_start_at_each_instant(crank):
    problem, partition = crank
    run = da.simulate(partition.rigid, (0, 0.01), (problem.q0[:3], problem.v0[:3]), rtol=1e-11, atol=1e-13)
    motion = partition.motion(run, [0.0, 0.003, 0.01])
    assert motion.q.shape == (7, 3) and motion["q1"][1] == motion.q[3, 1]
    for k, t in enumerate(motion.t):
        at = run.sol(t)
        start = partition.start(np.r_[at.q, np.zeros(4)], np.r_[at.v, np.zeros(4)], t=t)
        assert np.allclose(motion.q[:, k], start.q, rtol=1e-8, atol=1e-12)
        assert np.allclose(motion.v[3:, k], start.v[3:], rtol=1e-6, atol=1e-9)
    again = da.simulate(problem.equations, (0.003, 0.004), motion.state(1), rtol=1e-8, atol=1e-10)
    assert again.success


def test_linear_theory_has_the_frequency_of_the_mode_alone(pendulum):
    """(23) from rest on a pendulum that hangs: free vibration, in closed form."""
    _, partition = pendulum
    t = np.linspace(0, 0.3, 61)
    run = da.simulate(partition.rigid, (0, 0.3), ([-np.pi / 2], [0.0]))
    q, rate = partition.elastodynamics(run, t, [1e-3], [0.0])
    assert np.allclose(q[0], 1e-3 * np.cos(50.0 * t), atol=1e-9)
    assert np.allclose(rate[0], -0.05 * np.sin(50.0 * t), atol=1e-7)


# ---------------------------------------------------------------------------------------------- partitions and checks


def test_static_correction_of_modes_that_were_left_out():
    """A hanging chain of two stiff springs: the reduced model keeps one coordinate, statics gives the other."""
    K = np.array([[500.0, -200.0], [-200.0, 40_000.0]])
    equations = da.trace(
        M=lambda: np.eye(2), f=lambda q, v: np.array([3.0, 5.0]) - K @ q - np.array([10.0, 10.0]) * v, n_q=2,
        names={"q": ["slow", "stiff"]}, name="modes",
    )  # fmt: skip
    partition = da.Partition(equations, ["stiff"])
    rest = da.simulate(partition.rigid, (0, 10), ([0.0], [0.0]), rtol=1e-10, atol=1e-12)
    motion = partition.motion(rest, [10.0])
    # The kept one is at rest with the other locked; that one gives way to load and coupling.
    assert np.isclose(motion["slow"][0], 3.0 / 500.0, rtol=1e-6)
    assert np.isclose(motion["stiff"][0], (5.0 + 200.0 * 3.0 / 500.0) / 40_000.0, rtol=1e-6)


def test_proposal_by_frequencies(crank):
    problem, _ = crank
    state = problem.equations.assemble(problem.q0, problem.v0)
    proposed = da.Partition.proposed(problem.equations, state, FAST, pace=150.0)
    assert proposed.fast == ("q2", "q3", "q4") and "q1" in proposed.slow
    assert da.Partition.proposed(problem.equations, state, FAST, pace=300.0).fast == ("q3", "q4")
    with pytest.raises(DalembertError, match="none of the coordinates q1, q2, q3, q4 is 1000 times as fast"):
        da.Partition.proposed(problem.equations, state, FAST, pace=150.0, ratio=1000.0)


def test_rigid_limit_is_equations_of_its_own(crank):
    problem, partition = crank
    rigid = partition.rigid
    assert rigid.names["q"] == ("phi1", "phi2", "x3") and rigid.sizes.lam == 3
    whole = problem.equations.evaluate("M", q=problem.q0)
    assert np.allclose(rigid.evaluate("M", q=problem.q0[:3]), whole[:3, :3])


def held_end(free=True):
    """A slider with an elastic rod on it whose end is held: a row on the fast coordinate alone."""
    return da.trace(
        M=lambda: np.eye(2), f=lambda q: np.array([1.0, -1e6 * q[1]]), n_q=2,
        g=lambda q: np.array([q[1] + (q[0] if free else 0.0)]),
        names={"q": ["slider", "rod"], "lam": ["end"]}, name="held",
    )  # fmt: skip


def test_condition_7_names_the_rows():
    with pytest.raises(DalembertError, match=r"'held': end holds fast coordinates only.*call some of these"):
        da.Partition(held_end(free=False), ["rod"]).start([0.0, 0.0])
    assert da.Partition(held_end(), ["rod"]).start([0.0, 0.0]).q == pytest.approx([0.0, 0.0], abs=1e-5)


def test_errors_name_the_culprit(crank):
    problem, partition = crank
    equations = problem.equations
    with pytest.raises(DalembertError, match=r"has no flexible bodies.*Partition"):
        equations.assemble(problem.q0, problem.v0, smooth=True)
    with pytest.raises(DalembertError, match="the fast coordinate x3 has no stiffness of its own"):
        da.Partition(equations, ["x3"])
    with pytest.raises(DalembertError, match="named twice"):
        da.Partition(equations, ["q1", "q1"])
    with pytest.raises(DalembertError, match="rates must be"):
        partition.start(problem.q0, problem.v0, rates="often")
    with pytest.raises(DalembertError, match="a run of these equations is needed, with 3 coordinates"):
        partition.motion(da.simulate(problem, (0, 1e-4)))
    with pytest.raises(DalembertError, match="fast coordinates are slaved to independent coordinates"):
        _ = partition.slaved
    moving = da.trace(
        M=lambda: np.eye(2), f=lambda q: np.array([-q[0], -1e4 * (1 + q[0] ** 2) * q[1]]), n_q=2, name="moving"
    )
    with pytest.raises(DalembertError, match=r"the stiffness of q1 depends on .*stiffness=…"):
        da.Partition(moving, ["q1"])
    assert np.allclose(da.Partition(moving, ["q1"], stiffness=[1e4]).stiffness, [[1e4]])


# ---------------------------------------------------------------------------------------------------------- manifolds


@pytest.fixture(scope="module")
def free_crank():
    """Two bars of constant length in Cartesian coordinates, one of them driven."""
    return da.trace(
        M=lambda: np.diag([1.0, 1.0, 2.0, 2.0]), f=lambda: np.array([0.0, -9.81, 0.0, -19.62]),
        g=lambda t, q: np.array([
            q[0] ** 2 + q[1] ** 2 - (1.0 + 0.1 * np.sin(t)) ** 2, (q[2] - q[0]) ** 2 + (q[3] - q[1]) ** 2 - 0.25,
        ]), n_q=4, name="bars",
    )  # fmt: skip


@pytest.mark.parametrize("metric", ["mass", "euclidean"])
def test_local_coordinates_and_their_derivatives(free_crank, metric):
    base = free_crank.assemble([0.6, -0.8, 0.6, -1.3], [0.5, 0.4, 0.2, 0.1], t=0.3)
    chart = da.LocalChart(free_crank, base.q, t=0.3, metric=metric)
    x, rate = np.array([0.05, -0.08]), np.array([0.7, 0.4])
    q = chart.point(x)
    assert np.abs(free_crank.evaluate("g", t=0.3, q=q)).max() < 1e-14
    assert np.allclose(chart.local(q), x, atol=1e-14) and chart.size == 2
    h = 1e-5
    ahead, behind = (chart.point(x + s * h * rate, 0.3 + s * h) for s in (1, -1))
    v = chart.velocity(q, rate)
    assert np.allclose((ahead - behind) / (2 * h), v, atol=1e-9)
    assert np.allclose(chart.rates(q, v), rate, atol=1e-13)
    G = free_crank.evaluate("G", t=0.3, q=q)
    assert np.abs(G @ chart.tangent(q)).max() < 1e-13
    second = (ahead - 2 * q + behind) / h**2
    assert np.allclose(second, chart.bend(q, v), atol=1e-4)
    # (25) against the matrix of constrained motion
    found, lam = chart.acceleration(q, v)
    a, reactions = free_crank.forward_dynamics(q, v, t=0.3)
    assert np.allclose(chart.tangent(q) @ found + chart.bend(q, v), a, atol=1e-11)
    assert np.allclose(lam, reactions, atol=1e-10)


def test_local_coordinates_with_euler_parameters():
    example = da.problems.mechanisms.spatial_slider_crank()
    equations = example.model.equations("absolute")
    state = example.assemble(equations)
    chart = da.LocalChart(equations, state.q)
    q = chart.point(np.full(chart.size, 1e-3))
    assert np.abs(equations.evaluate("g", q=q)).max() < 1e-12
    found, _ = chart.acceleration(state.q, state.v)
    a = chart.tangent(state.q) @ found + chart.bend(state.q, state.v)
    assert np.allclose(a, state.a, atol=1e-8 * max(1.0, np.abs(state.a).max()))


def test_fast_coordinates_are_local_coordinates_by_themselves(crank):
    problem, partition = crank
    chart = partition.chart(problem.q0)
    assert chart.size == 4
    assert np.allclose(chart.point([1e-3, 0, 1e-5, 2e-5])[3:], [1e-3, 0, 1e-5, 2e-5], rtol=0, atol=1e-16)


def test_charts_say_what_is_wrong(free_crank):
    base = free_crank.assemble([0.6, -0.8, 0.6, -1.3])
    with pytest.raises(ConstraintError, match="the base point violates the constraint"):
        da.LocalChart(free_crank, base.q + 0.1)
    with pytest.raises(ConstraintError, match="too far from the base point"):
        da.LocalChart(free_crank, base.q).point([50.0, 50.0])
    with pytest.raises(DalembertError, match="x must be 2 finite numbers"):
        da.LocalChart(free_crank, base.q).point([1.0])


def test_explicit_methods_in_charts_ring_as_others_do(crank):
    """Fig. 3 a with the integrator's role that DAEQ3 had there."""
    problem, _ = crank
    ours, theirs = (
        da.simulate(problem, (0, 0.004), method=method, rtol=1e-9, atol=1e-12) for method in ("chart_dop853", "dop853")
    )
    assert np.abs(ours.q[3:, -1] - theirs.q[3:, -1]).max() < 1e-9
