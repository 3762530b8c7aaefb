"""Strategies for Jacobians: differences, known and estimated patterns, updates, and what black boxes declare."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from integrate.runs import errors

import dalembert as da
from dalembert.equations.contract.convention import STAGE
from dalembert.errors import EquationsError, ModelError, SimulationError
from dalembert.integrate.implicit.jacobian import differences
from dalembert.integrate.implicit.newton_memory import ACTION
from dalembert.integrate.implicit.residual import load_start
from dalembert.integrate.implicit.updates import carry_out
from dalembert.integrate.methods.method import Method
from dalembert.integrate.methods.radau import RadauMemory
from dalembert.integrate.run.live import LiveRun, Options
from dalembert.native.kernel import kernel
from dalembert.symbolic import cos, maximum, sin, sqrt

STRATEGIES = {
    "dense": "dense",
    "grouped": "grouped",
    "estimated": "estimated",
    "all columns": da.Jacobian("differences", "known", known_columns=False),
    "estimated, all columns": da.Jacobian("differences", "estimated", known_columns=False),
    "none": da.Jacobian(update="none"),
    "partitioned": da.Jacobian(update="partitioned"),
    "extended": da.Jacobian(update="extended"),
    "estimated, none": da.Jacobian("differences", "estimated", "none"),
    "estimated, extended": da.Jacobian("differences", "estimated", "extended"),
}


def excited():
    """Stiffness that follows excitations."""
    return da.trace(
        M=lambda: np.eye(3),
        f=lambda q, v, w: np.array(
            [
                -1e4 * (1 + 0.9 * w[0]) * q[0] - 2e3 * v[0],
                -50 * w[1] * w[0] * (q[1] - q[0]) - 100 * v[1],
                -q[2] - v[2],
            ]
        ),
        w=lambda t: np.array([sin(3 * t), 2 + cos(2 * t)]),
        n_q=3,
        name="excited",
    )


def driven():
    """A crank whose angle is prescribed, and a rod whose stiffness, damping and inertia depend on it."""
    return da.trace(
        M=lambda q: np.array([[3.0, cos(q[0] - q[1])], [cos(q[0] - q[1]), 1.0]]),
        f=lambda q, v: np.array(
            [-1e3 * q[0] * q[1], -2e3 * (2.0 + cos(3 * q[0])) * q[1] - 300 * (2 + sin(2 * q[0])) * v[1]]
        ),
        g=lambda t, q: np.array([q[0] - 1.5 * sin(4 * t)]),
        n_q=2,
        names={"q": ["crank", "rod"]},
        name="driven",
    )


def forced():
    """Two arms whose ends together have a height that is prescribed."""
    return da.trace(
        M=lambda q: np.array([[2.0, cos(q[0] - q[1])], [cos(q[0] - q[1]), 1.0]]),
        f=lambda q, v, p: np.array([-p.k * q[0] - 100 * v[0], -0.5 * p.k * (q[1] - q[0]) - 50 * v[1]]),
        g=lambda q, w: np.array([sin(q[0]) + 0.6 * sin(q[1]) - w[0]]),
        w=lambda t, p: np.array([p.height * sin(p.omega * t)]),
        n_q=2,
        parameters={"k": 2e3, "height": 0.7, "omega": 4.0},
        names={"lam": ["hook"]},
        name="forced",
    )


def spread():
    """Four masses, the first two with a sum of coordinates that is prescribed; all that K depends on is linear along
    the motion that they share, and the last two meet."""
    return da.trace(
        M=lambda q: np.diag([2 + 0.5 * q[0], 2 + 0.5 * q[1], 1.0, 1.0]),
        f=lambda q, v: np.array(
            [-1e3 * q[i] - 2e3 * q[i] ** 2 - 10 * v[i] - 5 * v[i] ** 2 for i in (0, 1)]
            + [-10 * q[2] - 1e3 * maximum(q[2] - q[3], 0), -10 * q[3] + 1e3 * maximum(q[2] - q[3], 0)]
        ),
        g=lambda t, q: np.array([q[0] + q[1] - 0.4 * sin(5 * t)]),
        n_q=4,
        name="spread",
    )


SYSTEMS = {
    "forced": (forced(), ([0.0, 0.0], [1.75, 1.75]), 1.0),
    "excited": (excited(), (np.ones(3), np.zeros(3)), 2.0),
    "driven": (driven(), ([0.0, 0.5], [6.0, 0.0]), 1.0),
}


def live_run(equations, start, jacobian, **options):
    s = equations.sizes
    settings = Options(rtol=1e-6, atol=np.full(s.q + s.v + s.u, 1e-8), **options)
    live = LiveRun(equations, da.Radau(jacobian=jacobian), settings, equations.parameter_vector({}))
    live.start(0.0, np.concatenate([start[0], start[1], np.zeros(s.u)]), 1.0)
    return live


def matrix(run, values):
    found = np.zeros((run.n_x, run.n_x))
    found[run.K_rows, run.K_columns] = values
    return found


# --------------------------------------------------------------------------------------------------- all strategies


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("name", SYSTEMS)
def test_all_strategies_agree(name, strategy):
    equations, start, t_end = SYSTEMS[name]
    tolerance = {"rtol": 1e-6, "atol": 1e-8}
    runs = [
        da.simulate(equations, (0, t_end), start, method=da.Radau(jacobian=jacobian), **tolerance)
        for jacobian in ("exact", STRATEGIES[strategy])
    ]
    assert all(run.success for run in runs)
    assert (np.abs(runs[1].q[:, -1] - runs[0].q[:, -1]) < 3e-6 * np.abs(runs[0].q).max(axis=1)).all()
    extra = runs[1].statistics.extra
    reasons = ("jacobians_first", "jacobians_slow", "jacobians_failed", "jacobians_alpha", "jacobians_pattern")
    assert sum(extra[key] for key in reasons) + extra["jacobian_excited"] == runs[1].njev
    if "Jacobian(" not in repr(STRATEGIES[strategy]) or "differences" in repr(STRATEGIES[strategy]):
        assert extra["jacobian_full"] + extra["jacobian_grouped"] + extra["jacobian_excited"] == runs[1].njev


@pytest.mark.parametrize("name", ["seven_body", "stiff_double_pendulum"])
def test_a_known_pattern_gives_what_dense_differences_give(name):
    """Bit for bit: columns of a group do not disturb each other, and what is not in the pattern is zero."""
    problem = getattr(da.problems, name)()
    runs = [
        da.simulate(problem, (0, 0.01), method=da.Radau(jacobian=jacobian), rtol=1e-6, solver="dense")
        for jacobian in ("dense", "grouped")
    ]
    assert np.array_equal(runs[0].q, runs[1].q) and np.array_equal(runs[0].lam, runs[1].lam)
    assert runs[0].njev == runs[1].njev and runs[0].nfev == runs[1].nfev
    spent = [run.statistics.extra["jacobian_nfev"] for run in runs]
    assert spent[1] < 0.7 * spent[0]


def test_what_a_dense_jacobian_costs():
    """Columns of μ and of accelerations are known, and so are the rows at the point of a residual: of 98 unknowns with
    8 multipliers μ, 90 evaluations are left (corrector, Table 1)."""
    n, n_g = 41, 8
    equations = da.trace(
        M=lambda: np.eye(n),
        f=lambda q, v: np.array([-q[i] - v[i] for i in range(n)]),
        g=lambda q: np.array([q[5 * k] - q[5 * k + 1] for k in range(n_g)]),
        n_q=n,
        name="as large as a carriage",
    )
    live = live_run(equations, (np.zeros(n), np.zeros(n)), "dense")
    run = live.run
    live.run.slice = 1
    live.advance()
    assert run.n_x == 98 and run.nfev_jacobian == 91 and run.jacobian_full == 1
    for changed, evaluations in ((STAGE.T, 91), (STAGE.A, 90)):
        before, run.changed = run.nfev_jacobian, changed
        differences(run)
        assert run.nfev_jacobian - before == evaluations
    every = live_run(equations, (np.zeros(n), np.zeros(n)), da.Jacobian("differences", "full", known_columns=False))
    every.run.slice = 1
    every.advance()
    assert every.run.nfev_jacobian == 98 + n + 1


@pytest.mark.parametrize("builder", ["elements", "recursion"])
def test_differences_with_euler_parameters(builder):
    """Elements have −(∂g/∂q)ᵀμ in the rates of coordinates, recursions −T Cᵀμ: only the latter is known."""
    example = da.problems.mechanisms.spatial_slider_crank()
    equations = example.model.equations("absolute" if builder == "elements" else "relative", builder=builder)
    assert equations.program("implicit").drift_in_velocities == (builder == "recursion")
    state = example.assemble(equations)
    exact, grouped = (live_run(equations, (state.q, state.v), jacobian) for jacobian in ("exact", "grouped"))
    for live in (exact, grouped):
        live.run.slice = 1
        live.advance()
    K, found = (matrix(live.run, live.run.K) for live in (exact, grouped))
    size = np.abs(K).max(axis=1, keepdims=True) + 1e-30
    assert np.abs((K - found) / size).max() < 1e-4


# ------------------------------------------------------------------------------------------------ estimated patterns

PAIRS = [(i, j) for i in range(4) for j in range(i)]


def bumpers(n=4, pairs=PAIRS):
    """Masses on springs; between pairs of them are bumpers, which act when they come close."""

    def force(q, v, p):
        out = [-(10.0 + i) * q[i] - 0.2 * v[i] for i in range(n)]
        for k, (i, j) in enumerate(pairs):
            x = maximum(q[i] - q[j] - p.gap[k], 0.0)
            push = p.stiffness[k] * x * x + 50.0 * x * (v[i] - v[j])
            out[i], out[j] = out[i] - push, out[j] + push
        return np.array(out)

    parameters = {"gap": np.full(len(pairs), 0.05), "stiffness": np.full(len(pairs), 1e5)}
    return da.trace(M=lambda: np.eye(n), f=force, n_q=n, parameters=parameters, name="bumpers")


BUMPERS = bumpers()
NUMBERS = st.floats(-0.3, 0.3).map(lambda x: round(x, 3))


@settings(max_examples=8, deadline=None)
@given(
    q=st.lists(NUMBERS, min_size=4, max_size=4),
    gaps=st.lists(st.floats(0.01, 0.2).map(lambda x: round(x, 3)), min_size=6, max_size=6),
    stiffness=st.lists(st.sampled_from([0.0, 1e3, 1e5, 1e7]), min_size=6, max_size=6),
    stop=st.integers(1, 60),
    update=st.sampled_from(["auto", "none", "partitioned"]),
)
def test_patterns_that_change_during_a_run_never_give_a_wrong_answer(q, gaps, stiffness, stop, update):
    estimated = da.Radau(jacobian=da.Jacobian("differences", "estimated", update))
    check_bumpers(estimated, q, gaps, stiffness, stop)


@settings(max_examples=5, deadline=None)
@given(
    q=st.lists(NUMBERS, min_size=4, max_size=4),
    gaps=st.lists(st.floats(0.01, 0.2).map(lambda x: round(x, 3)), min_size=6, max_size=6),
    stiffness=st.lists(st.sampled_from([0.0, 1e3, 1e5, 1e7]), min_size=6, max_size=6),
    stop=st.integers(1, 60),
    update=st.sampled_from(["auto", "none"]),
)
def test_nor_do_they_on_independent_coordinates(q, gaps, stiffness, stop, update):
    check_bumpers(da.Sdirk(jacobian=da.Jacobian("differences", "estimated", update)), q, gaps, stiffness, stop)


def check_bumpers(estimated, q, gaps, stiffness, stop):
    """As with exact derivatives, also where the run is interrupted."""
    parameters = {"gap": np.array(gaps), "stiffness": np.array(stiffness)}
    arguments = {"parameters": parameters, "rtol": 1e-7, "atol": 1e-9}
    run, exact = (
        da.simulate(BUMPERS, (0, 1.0), (q, np.zeros(4)), method=method, **arguments) for method in (estimated, "radau")
    )
    assert run.success and exact.success
    size = np.abs(exact.q).max() + 1e-3
    assert np.abs(run.q[:, -1] - exact.q[:, -1]).max() < 1e-4 * size
    part = da.simulate(BUMPERS, (0, 1.0), (q, np.zeros(4)), method=estimated, max_steps=stop, **arguments)
    if part.outcome == "step limit":
        again = da.resume(part, BUMPERS)
        assert np.array_equal(again.q, run.q) and np.array_equal(again.v, run.v)
        assert again.statistics.extra == run.statistics.extra


@pytest.mark.parametrize("n", [6, 50])
def test_patterns_grow_where_forces_set_in(n, tmp_path):
    """With a dense Newton matrix and a sparse one; stopped and resumed from a file around each growth."""
    equations = bumpers(n, [(i, n - 1 - i) for i in range(n // 2)])
    start = np.concatenate([np.full(n // 2, -0.2), np.full(n - n // 2, 0.2)]), np.zeros(n)
    arguments = {"method": da.Radau(jacobian="estimated"), "rtol": 1e-6, "atol": 1e-8}
    told = []
    whole = da.simulate(equations, (0, 1.0), start, monitor=told.append, **arguments)
    extra = whole.statistics.extra
    assert extra["pattern_growths"] >= 1 and extra["jacobian_full"] >= 1 + extra["pattern_growths"]
    assert sum(report.extra["pattern_growths"] for report in told) == extra["pattern_growths"]
    at_rest = da.simulate(equations, (0, 0.05), start, **arguments).statistics.extra
    assert at_rest["pattern_growths"] == 0 and at_rest["pattern_nonzeros"] < extra["pattern_nonzeros"] <= 6 * n
    exact = da.simulate(equations, (0, 1.0), start, method="radau", rtol=1e-8, atol=1e-10)
    assert np.abs(whole.q[:, -1] - exact.q[:, -1]).max() < 1e-3
    grown = [k for k, report in enumerate(told) if "pattern" in report.renewal]
    quiet = da.simulate(equations, (0, 1.0), start, **arguments)
    for stop in {grown[0], grown[0] + 1}:
        part = da.simulate(equations, (0, 1.0), start, max_steps=stop, **arguments)
        part.save(tmp_path / "part.nc")
        again = da.resume(da.load(tmp_path / "part.nc"), equations)
        assert np.array_equal(again.q, quiet.q) and again.statistics.extra == quiet.statistics.extra


def test_estimates_see_what_moves_only_in_motion():
    """At rest the derivatives of Coriolis terms vanish."""
    problem = da.problems.stiff_double_pendulum()
    start = problem.q0, np.zeros_like(problem.v0)
    found = {
        jacobian: da.simulate(problem.equations, (0, 1e-4), start, method=da.Radau(jacobian=jacobian)).statistics.extra
        for jacobian in ("grouped", "estimated")
    }
    assert found["estimated"]["pattern_nonzeros"] == found["grouped"]["pattern_nonzeros"]


def test_patterns_from_a_file_are_checked():
    part = da.simulate(
        BUMPERS, (0, 1.0), ([0.2, -0.2, 0.1, 0.0], np.zeros(4)), method=da.Radau(jacobian="estimated"), max_steps=5
    )
    rows, columns = part.checkpoint.header["pattern"]
    for wrong in ([rows, columns[:-1]], [[99, *rows[1:]], columns], [rows[::-1], columns[::-1]], [rows], 3):
        part.checkpoint.header["pattern"] = wrong
        with pytest.raises(SimulationError, match=r"pattern|too short"):
            da.resume(part, BUMPERS)
    part.checkpoint.header["pattern"] = [rows, columns]
    assert da.resume(part, BUMPERS).success


# ------------------------------------------------------------------------------------------------------------ updates


@kernel
def act(run: RadauMemory) -> int:
    """Do at the start of the step what the slot newton_done says."""
    load_start(run)
    return carry_out(run, run.newton_done)


def test_updates_of_k_and_m():
    """RENEW_M keeps K and finds M; EXTEND finds K where it depends on excitations alone, and nearly so where a driven
    coordinate has moved it."""
    equations, start, _ = SYSTEMS["driven"]
    live = live_run(equations, start, da.Jacobian(update="extended"))
    run = live.run
    run.slice = 20
    live.advance()
    K = np.array(run.K)
    run.newton_done = ACTION.RENEW_M
    assert act(run) == 0 and np.array_equal(run.K, K) and not run.have_factors
    c = np.cos(run.y0[0] - run.y0[1])
    assert np.allclose(run.mass, [3.0, c, c, 1.0], rtol=1e-14)

    equations, start, _ = SYSTEMS["excited"]
    live = live_run(equations, start, da.Jacobian(update="extended"))
    run = live.run
    run.slice = 1
    live.advance()
    kept = matrix(run, run.K)
    run.t_now = 0.7
    run.newton_done = ACTION.EXTEND
    assert act(run) == 0
    extended = matrix(run, run.K)
    run.newton_done = ACTION.RENEW
    assert act(run) == 0
    new = matrix(run, run.K)
    assert np.abs(new - kept).max() > 1e3  # (1 + 0.9 w) 1e4
    w = np.array([np.sin(2.1), 2 + np.cos(1.4)])
    assert np.isclose(extended[3, 0], 1e4 * (1 + 0.9 * w[0]), rtol=1e-12)
    # The product of both is followed along each of them, from where they were: that is not the product.
    assert np.isclose(new[4, 1], 50 * w[0] * w[1], rtol=1e-12)
    assert extended[4, 1] != new[4, 1]


SPREAD = spread(), ([0.0, 0.0, -0.2, 0.2], [1.0, 1.0, 0.0, 0.0])


def test_k_follows_what_constraints_force():
    """Positions, velocities and accelerations: what is linear along them is found as it is."""
    equations, start = SPREAD
    assert equations.timed_constraints == {0: ()}
    live = live_run(equations, start, da.Jacobian(update="extended"))
    run = live.run
    run.slice = 1
    live.advance()
    run.slice = 15
    live.advance()
    before, found = np.array(run.K_evaluated), {}
    for action in (ACTION.EXTEND, ACTION.RENEW):
        run.newton_done = action
        assert act(run) == 0
        found[action] = np.array(run.K)
    assert run.jacobian_excited == 3
    changed = np.abs(found[ACTION.RENEW] - before).max()
    assert changed > 10.0
    assert np.abs(found[ACTION.EXTEND] - found[ACTION.RENEW]).max() < 1e-8 * changed


@settings(max_examples=10, deadline=None)
@given(
    stiffness=st.sampled_from([0.0, 1e2, 1e4, 1e6]),
    height=st.floats(-0.8, 0.8).map(lambda x: round(x, 3)),
    omega=st.floats(0.1, 20.0).map(lambda x: round(x, 2)),
    stop=st.integers(1, 60),
    method=st.sampled_from([da.Radau, da.Bdf]),
    evaluation=st.sampled_from(["exact", "differences"]),
)
def test_constraints_that_are_followed_never_give_a_wrong_answer(stiffness, height, omega, stop, method, evaluation):
    equations = SYSTEMS["forced"][0]
    rate = height * omega / 1.6
    arguments = {
        "span": (0, 1.0),
        "start": ([0.0, 0.0], [rate, rate]),
        "parameters": {"k": stiffness, "height": height, "omega": omega},
        "rtol": 1e-7,
        "atol": 1e-9,
    }
    chosen = method(jacobian=da.Jacobian(evaluation, update="extended"))
    run, exact = (da.simulate(equations, method=one, **arguments) for one in (chosen, "radau"))
    assert run.success and exact.success
    assert np.abs(run.q[:, -1] - exact.q[:, -1]).max() < 1e-4 * (np.abs(exact.q).max() + 1e-3)
    part = da.simulate(equations, method=chosen, max_steps=stop, **arguments)
    if part.outcome == "step limit":
        again = da.resume(part, equations)
        assert np.array_equal(again.q, run.q) and np.array_equal(again.v, run.v)
        assert again.statistics.extra == run.statistics.extra


def test_derivatives_are_found_again_where_patterns_grow():
    """The entries of K are others then."""
    equations, start = SPREAD
    method = da.Radau(jacobian=da.Jacobian("differences", "estimated", "extended"))
    extra = da.simulate(equations, (0, 1.0), start, method=method, rtol=1e-6, atol=1e-8).statistics.extra
    assert extra["pattern_growths"] >= 1
    assert extra["jacobian_excited"] == 3 * (1 + extra["pattern_growths"])


def test_constraints_to_follow_are_chosen_by_name():
    """By their own, and by that of an excitation in them."""
    equations, start, t_end = SYSTEMS["forced"]
    assert equations.timed_constraints == {0: ("w0",)}
    runs = [
        da.simulate(
            equations,
            (0, t_end),
            start,
            method=da.Radau(jacobian=da.Jacobian(update="extended", excitations=chosen)),
        )
        for chosen in (None, ["hook"], ["w0"], [])
    ]
    assert [run.statistics.extra["jacobian_excited"] for run in runs] == [3, 3, 3, 0]
    assert np.array_equal(runs[0].q, runs[1].q) and np.array_equal(runs[0].q, runs[2].q)


@pytest.mark.parametrize(("name", "part"), [("excited", 0.4), ("driven", 0.8)])
def test_extended_updates_need_fewer_jacobians(name, part):
    equations, start, t_end = SYSTEMS[name]
    counts = {}
    for update in ("partitioned", "extended"):
        method = da.Radau(jacobian=da.Jacobian(update=update))
        run = da.simulate(equations, (0, 4 * t_end), start, method=method, rtol=1e-5)
        counts[update] = run.njev, run.statistics.extra
    assert counts["extended"][0] < part * counts["partitioned"][0]
    assert counts["extended"][1]["jacobian_extended"] > 10 > counts["partitioned"][1]["jacobian_extended"] == 0
    assert counts["partitioned"][1]["jacobian_updates"] > 10
    assert counts["extended"][1]["jacobian_excited"] == (3 if name == "driven" else 0)


def test_another_step_size_renews_all_if_nothing_is_updated():
    equations, start, t_end = SYSTEMS["excited"]
    run = da.simulate(equations, (0, t_end), start, method=da.Radau(jacobian=da.Jacobian(update="none")))
    assert run.statistics.extra["jacobians_alpha"] > 5 and run.statistics.extra["jacobian_updates"] == 0


def test_models_that_cannot_tell_what_excites_them():
    """They fall back to partitioned updates, with a word."""
    problem = da.problems.pendulum_chain(n=2)
    extended, partitioned = (
        da.simulate(problem, (0, 0.1), method=da.Radau(jacobian=da.Jacobian(update=update)))
        for update in ("extended", "partitioned")
    )
    assert "as with update='partitioned'" in extended.message and "elements" in extended.message
    assert "partitioned" not in partitioned.message
    assert np.array_equal(extended.q, partitioned.q)


def test_inputs_of_a_model_are_followed():
    m = da.Model("mass", plane="xy")
    m.input("push", lambda t: 1.0 + 0.5 * np.sin(3.0 * t))
    body = m.body("body", mass=1.0, inertia=1.0)
    joint = m.prismatic("rail", m.ground.at(0, 0), body.at(0, 0), axis=(1, 0))
    m.user_force("spring", [joint], lambda s, w: [(-1e4 * w.push * s.value - 2e2 * s.rate, s.rate)])
    equations = m.equations(builder="symbolic")
    assert equations.excitation_names == ("push",)
    counts = []
    for jacobian in (da.Jacobian(update="partitioned"), da.Jacobian(update="extended", excitations=["push"])):
        start = equations.vector("q", np.full(equations.sizes.q, 0.1)), np.zeros(equations.sizes.v)
        run = da.simulate(equations, (0, 3), start, method=da.Radau(jacobian=jacobian), rtol=1e-5)
        counts.append(run.njev)
    assert counts[1] < 0.7 * counts[0]
    with pytest.raises(SimulationError, match=r"no excitation or driven coordinate 'pull'.*push"):
        da.simulate(
            equations,
            (0, 1),
            start,
            method=da.Radau(jacobian=da.Jacobian(update="extended", excitations=["pull"])),
        )


# ------------------------------------------------------------------------------------------------------------- option


def test_the_option_is_kept_in_checkpoints():
    for jacobian in (*STRATEGIES.values(), da.Jacobian(update="extended", excitations=["w0"])):
        method = da.Radau(jacobian=jacobian)
        assert Method.restored(method.stored()) == method
    equations, start, t_end = SYSTEMS["excited"]
    method = da.Radau(jacobian=da.Jacobian(update="extended", excitations=["w1"]))
    whole = da.simulate(equations, (0, t_end), start, method=method)
    part = da.simulate(equations, (0, t_end), start, method=method, max_steps=7)
    again = da.resume(part, equations)
    assert np.array_equal(again.q, whole.q) and again.statistics.extra == whole.statistics.extra


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"evaluation": "exakt"}, "no evaluation 'exakt'.*exact"),
        ({"pattern": "dense"}, "no pattern 'dense'.*full"),
        ({"update": 3}, "no update '3'"),
        ({"known_columns": 1}, "known_columns must be True or False"),
        ({"evaluation": "exact", "pattern": "full"}, "pattern='full' is for evaluation='differences'"),
        ({"excitations": ["w0"]}, "excitations are for update='extended'"),
        ({"update": "extended", "excitations": "w0"}, "excitations must be a list of names"),
    ],
)
def test_options_that_are_not_possible(arguments, message):
    with pytest.raises(SimulationError, match=message):
        da.Jacobian(**arguments)


# -------------------------------------------------------------------------------------------------------- black boxes


def boxes(n, depends=None, calls=None):
    def force(q, v):
        if calls is not None:
            calls.append(1)
        return -100.0 * q**3 - 50.0 * v

    return da.trace(M=lambda: np.eye(n), f=da.numeric(force, depends=depends), n_q=n, name="boxes")


def test_declared_dependence_saves_evaluations():
    n = 8
    start = np.linspace(0.1, 1.0, n), np.zeros(n)
    counts, runs = [], []
    for depends, jacobian in ((None, "auto"), ({"q": np.eye(n), "v": np.eye(n)}, "auto"), (None, "estimated")):
        run = da.simulate(boxes(n, depends), (0, 1), start, method=da.Radau(jacobian=jacobian))
        counts.append((run.statistics.extra["jacobian_nfev"], run.njev))
        runs.append(run)
    assert counts[0][0] == counts[0][1] * (2 * n + 1)
    assert counts[1][0] == counts[1][1] * 3
    assert counts[2][0] < counts[0][0]
    assert all(errors(run, runs[0], ("q", "v")).max() < 1e-6 for run in runs)


@pytest.mark.parametrize("rows", ["residual", "accelerations"])
def test_a_mass_that_is_not_finite_is_not_taken_for_a_singular_one(rows):
    """M grows beyond all bounds where the body comes to, also where it alone is evaluated anew."""
    equations = da.trace(
        M=lambda q: np.array([[1.0 / (1.0 - q[0])]]) * sqrt(1.0 - q[0]), f=lambda: np.array([1.0]), n_q=1, name="end"
    )
    method = da.Bdf(rows=rows, jacobian=da.Jacobian(update="partitioned"))
    run = da.simulate(equations, (0, 5), ([0.0], [0.0]), method=method, rtol=1e-4, max_steps=3000)
    assert not run.success and run.outcome == "not finite", run.message


CHARTED = [da.Sdirk, da.Rosenbrock, da.Newmark, da.Descriptor]


@pytest.mark.parametrize("method", CHARTED)
def test_names_of_strategies_serve_methods_on_independent_coordinates(method):
    """One option of all implicit methods: the same names, and the same motion."""
    problem = da.problems.pendulum()
    names = ["auto", "exact", "dense", "grouped", da.Jacobian("exact"), da.Jacobian("differences", "known", "none")]
    names += ["analytic", "numeric"] if method is not da.Descriptor else []
    names += ["estimated"] if method is not da.Rosenbrock else []
    runs = {
        jacobian: da.simulate(problem, (0, 1), method=method(jacobian=jacobian), rtol=1e-5, atol=1e-7)
        for jacobian in names
    }
    exact = runs["exact"].q.tobytes()
    assert runs["auto"].q.tobytes() == exact == runs[da.Jacobian("exact")].q.tobytes()
    if "analytic" in runs:
        assert runs["analytic"].q.tobytes() == exact and runs["dense"].q.tobytes() == runs["numeric"].q.tobytes()
    for jacobian, run in runs.items():
        assert errors(run, runs["exact"], ("q", "v")).max() < 1e-4, jacobian
        counts = run.statistics.extra
        differenced = jacobian in ("grouped", "estimated", names[5]) or (jacobian, method) == ("dense", da.Descriptor)
        assert (counts["jacobian_nfev"] > 0) == differenced == ("pattern_groups" in counts), jacobian
        reasons = ("first", "slow", "failed", "alpha", "pattern")
        if method is not da.Rosenbrock:  # which evaluates it in each step
            told = sum(counts[f"jacobians_{reason}"] for reason in reasons)
            assert told <= run.njev <= told + counts["repartitions"], jacobian
        if differenced:
            assert run.njev == counts["jacobian_full"] + counts["jacobian_grouped"], jacobian
    with pytest.raises(SimulationError, match="there is no Jacobian strategy 'exactly'"):
        method(jacobian="exactly")
    with pytest.raises(SimulationError, match=r"known_columns=False is for methods on the stabilised index-2 form"):
        method(jacobian=da.Jacobian("differences", "known", known_columns=False))
    with pytest.raises(SimulationError, match=r"update='extended' is for methods on the stabilised.*'partitioned'"):
        method(jacobian=da.Jacobian(update="extended"))
    with pytest.raises(SimulationError, match=r"needs derivatives of accelerations.*('numeric'|'grouped')"):
        da.simulate(boxes(2), (0, 1), (np.ones(2), np.zeros(2)), method=method(jacobian="exact"))


def test_what_has_no_meaning_is_refused():
    with pytest.raises(SimulationError, match=r"Rosenbrock: jacobian='estimated' is for methods with an iteration"):
        da.Rosenbrock(jacobian="estimated")
    with pytest.raises(SimulationError, match=r"Rosenbrock: update='partitioned' keeps derivatives"):
        da.Rosenbrock(jacobian=da.Jacobian(update="partitioned"))
    with pytest.raises(SimulationError, match=r"Descriptor: derivatives of all rows.*there is no jacobian='columns'"):
        da.Descriptor(jacobian="columns")
    with pytest.raises(SimulationError, match=r"LinearlyImplicitEuler: jacobian='estimated' is for methods with an"):
        da.LinearlyImplicitEuler(step=1e-3, jacobian="estimated")
    with pytest.raises(SimulationError, match=r"LinearlyImplicitTrapezoidal: update='extended' keeps derivatives"):
        da.LinearlyImplicitTrapezoidal(step=1e-3, jacobian=da.Jacobian(update="extended"))


@pytest.mark.parametrize("method", [da.LinearlyImplicitEuler, da.LinearlyImplicitTrapezoidal])
def test_linearly_implicit_steps_take_all_strategies_without_an_iteration(method):
    problem = da.problems.pendulum()
    runs = {
        jacobian: da.simulate(problem, (0, 0.5), method=method(step=1e-2, jacobian=jacobian))
        for jacobian in ("auto", "exact", "dense", "grouped", da.Jacobian("differences", "known", "none"))
    }
    assert runs["auto"].q.tobytes() == runs["exact"].q.tobytes()
    assert runs["dense"].q.tobytes() == runs["grouped"].q.tobytes()  # known patterns give them bit by bit
    assert all(errors(run, runs["exact"], ("q", "v")).max() < 1e-5 for run in runs.values())
    counts = [runs[name].statistics.extra["jacobian_nfev"] / runs[name].njev for name in ("exact", "grouped", "dense")]
    assert counts[0] == 0 < counts[1] <= counts[2]


@pytest.mark.parametrize("method", CHARTED)
def test_methods_on_independent_coordinates_difference_black_boxes_in_groups(method):
    """Masses on springs of their own: two groups of columns, time besides, whatever their number; constraints that
    Python alone knows."""
    n = 8
    eye = {"q": np.eye(n), "v": np.eye(n)}
    start = np.linspace(0.1, 1.0, n), np.zeros(n)
    run = da.simulate(boxes(n, eye), (0, 1), start, method=method(jacobian="grouped"), rtol=1e-5, atol=1e-7)
    counts = run.statistics.extra
    assert counts["pattern_groups"] == 3 and counts["jacobian_nfev"] == 4 * run.njev
    exact = da.trace(M=lambda: np.eye(n), f=lambda q, v: -100.0 * q**3 - 50.0 * v, n_q=n, name="springs")
    other = da.simulate(exact, (0, 1), start, method=method(), rtol=1e-5, atol=1e-7)
    assert errors(run, other, ("q", "v")).max() < 1e-4
    if method is da.Rosenbrock:
        return
    run = da.simulate(boxes(n), (0, 1), start, method=method(jacobian="estimated"), rtol=1e-5, atol=1e-7)
    assert run.statistics.extra["pattern_groups"] == 3
    assert errors(run, other, ("q", "v")).max() < 1e-4
    angles = np.linspace(0.1, 1.0, 3)
    start = np.stack([np.cos(angles), -np.sin(angles)], axis=1).ravel(), np.zeros(6)
    ends = [
        da.simulate(rods(3, {"q": np.kron(np.eye(3), [1, 1])}), (0, 0.5), start, method=one, rtol=1e-6, atol=1e-8)
        for one in (method(jacobian="grouped"), method(jacobian="estimated"), "radau")
    ]
    assert all(errors(end, ends[-1], ("q", "v")).max() < 1e-5 for end in ends)


def late(n=4):
    """Masses that come to rest against each other in pairs: entries that no estimate at the start can see, and without
    which no iteration of a long step converges."""

    def force(q, v):
        first, last = slice(0, n // 2), slice(None, n // 2 - 1, -1)
        closed = np.maximum(0.1 - (q[last] - q[first]), 0.0)
        push = 1e4 * closed * np.maximum(1.0 + 1e3 * (v[first] - v[last]), 0.0)
        out = -20.0 * q - 5.0 * v
        out[first] -= push
        out[last] += push
        return out

    return da.trace(M=lambda: np.eye(n), f=da.numeric(force), n_q=n, name="late")


@pytest.mark.parametrize("method", [da.Sdirk, da.Newmark, da.Descriptor])
def test_patterns_of_charts_grow_and_runs_resume_across_growths(method):
    """Contacts that close during a run, found by slow convergence; to the last bit as without an interruption."""
    equations, start = late(), (np.array([-0.2, -0.3, 0.3, 0.2]), np.zeros(4))
    options = {"method": method(jacobian="estimated"), "rtol": 1e-4, "atol": 1e-6}
    whole = da.simulate(equations, (0, 3.0), start, **options)
    assert whole.success and whole.statistics.extra["pattern_growths"] > 0
    exact = da.simulate(equations, (0, 3.0), start, method="radau", rtol=1e-8, atol=1e-10)
    assert errors(whole, exact, ("q",)).max() < 1e-3
    for steps in (1, whole.statistics.steps // 2):
        part = da.simulate(equations, (0, 3.0), start, max_steps=steps, **options)
        again = da.resume(part, equations)
        assert again.t.tobytes() == whole.t.tobytes() and again.q.tobytes() == whole.q.tobytes()
        assert again.statistics.as_dict() == whole.statistics.as_dict()


def rods(n, depends=None, calls=None):
    """Masses in the plane, each on a rod of its own, with constraints that only Python knows."""

    def lengths(q):
        if calls is not None:
            calls.append(1)
        return q[0::2] ** 2 + q[1::2] ** 2 - 1.0

    return da.trace(
        M=lambda: np.eye(2 * n),
        f=lambda: np.tile([0.0, -9.81], n),
        g=da.numeric(lengths, depends=depends),
        n_q=2 * n,
        name="rods",
    )


@pytest.mark.parametrize("method", ["radau", "bdf", "dopri5"])
def test_declared_dependence_of_constraints_saves_evaluations(method):
    """Their gradient is found by two differences for all rods together, and entries that are not there are no columns
    of the Jacobian."""
    n = 5
    angles = np.linspace(0.1, 1.0, n)
    start = np.stack([np.cos(angles), -np.sin(angles)], axis=1).ravel(), np.zeros(2 * n)
    calls, counts, runs = [], [], []
    for depends in (None, {"q": np.kron(np.eye(n), [1, 1])}):
        calls.clear()
        runs.append(da.simulate(rods(n, depends, calls), (0, 0.5), start, method=method, rtol=1e-7, atol=1e-9))
        counts.append(len(calls))
    assert runs[0].success and runs[1].success and counts[1] < 0.4 * counts[0]
    assert errors(runs[1], runs[0], ("q", "v")).max() < 1e-6
    exact = da.trace(
        M=lambda: np.eye(2 * n),
        f=lambda: np.tile([0.0, -9.81], n),
        g=lambda q: q[0::2] ** 2 + q[1::2] ** 2 - 1.0,
        n_q=2 * n,
        name="traced rods",
    )
    patterns = rods(n, {"q": np.kron(np.eye(n), [1, 1])}).program("contract").patterns
    assert len(patterns["C"].rows) == len(patterns["G"].rows) == 2 * n
    other = da.simulate(exact, (0, 0.5), start, method=method, rtol=1e-7, atol=1e-9)
    assert errors(runs[1], other, ("q", "v")).max() < 1e-5
    wrong = np.kron(np.eye(n), [1, 1])
    wrong[2, 4] = 0.0
    with pytest.raises(EquationsError, match=r"row 2 \(lam2\) of function g depends on q\[4\] \(q4\)"):
        da.simulate(rods(n, {"q": wrong}), (0, 0.5), start, method=method)


def test_black_boxes_with_many_arguments_are_estimated():
    """Nobody knows what they depend on, so it is found out; functions need not have a value beside the start."""
    n, calls = 12, []
    start = np.linspace(0.1, 1.0, n), np.zeros(n)
    few = da.simulate(boxes(n, calls=calls), (0, 1), start, method="radau")
    counts = [len(calls)]
    calls.clear()
    many = da.simulate(boxes(n, calls=calls), (0, 1), start, method=da.Radau(jacobian="grouped"))
    counts.append(len(calls))
    assert few.statistics.extra["pattern_groups"] == 2 and many.statistics.extra["pattern_groups"] == 2 * n
    assert few.statistics.extra["pattern_nonzeros"] == 4 * n and counts[0] < 0.7 * counts[1]
    assert errors(few, many, ("q", "v")).max() < 1e-6

    def edge(q, v):
        if q[0] > 1.00001:
            raise ValueError("beyond its table")
        return -100.0 * q - 50.0 * v

    equations = da.trace(M=lambda: np.eye(n), f=da.numeric(edge), n_q=n, name="edge")
    run = da.simulate(equations, (0, 1), (np.ones(n), np.zeros(n)), method="radau")
    assert run.success and run.statistics.extra["pattern_groups"] == 2


def test_wrong_declarations_are_named():
    n = 3
    start = np.ones(n), np.zeros(n)
    wrong = np.eye(n)
    wrong[1, 1] = 0.0
    with pytest.raises(EquationsError, match=r"row 1 \(v1\) of function f depends on q\[1\] \(q1\).*leave depends"):
        da.simulate(boxes(n, {"q": wrong}), (0, 1), start, method="radau")
    with pytest.raises(EquationsError, match=r"must have the shape \(3, 3\)"):
        boxes(n, {"q": np.eye(2)})
    with pytest.raises(EquationsError, match=r"depends names 'u'.*q, v"):
        boxes(n, {"u": np.eye(n)})
    with pytest.raises(EquationsError, match="depends is for f, d and g"):
        da.trace(M=da.numeric(lambda q: np.eye(1), depends={"q": [[1]]}), f=lambda q: -q, n_q=1)


def rails(depends, calls=None, coupled=False):
    m = da.Model("rails", plane="xy")
    joints = []
    for k in range(3):
        body = m.body(f"slider{k}", mass=1.0, inertia=1.0)
        joints.append(m.prismatic(f"rail{k}", m.ground.at(0, k), body.at(0, 0), axis=(1, 0)))

    def force(values, rates):
        if calls is not None:
            calls.append(1)
        along = -100.0 * values - 20.0 * rates
        along[0] += 30.0 * values[2] if coupled else 0.0
        return along

    m.numeric_force("springs", joints, force, depends=depends)
    return m.equations()


def test_black_box_forces_of_models_declare_what_they_depend_on():
    eye = {"values": np.eye(3), "rates": np.eye(3)}
    counts = []
    for depends in (None, eye):
        equations = rails(depends)
        start = np.full(equations.sizes.q, 0.1), np.zeros(equations.sizes.v)
        run = da.simulate(equations, (0, 1), start, method="radau")
        counts.append(run.statistics.extra["jacobian_nfev"] / run.njev)
    assert counts == [7.0, 3.0]
    equations = rails(eye, coupled=True)
    with pytest.raises(ModelError, match=r"'springs': what acts on rail0.* depends on the values of rail2.*depends"):
        da.simulate(equations, (0, 1), start, method="radau")
    with pytest.raises(ModelError, match=r"depends\['values'\] must have the shape \(3, 3\)"):
        rails({"values": np.eye(2)})
    with pytest.raises(ModelError, match=r"depends names 'positions'.*rates, values"):
        rails({"positions": np.eye(3)})
