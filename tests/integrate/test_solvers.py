"""Runs in every mode of linear algebra."""

from __future__ import annotations

import numpy as np
import pytest
from integrate.runs import errors, on_constraints

import dalembert as da
from dalembert.errors import SimulationError
from dalembert.integrate.methods.registry import METHODS
from dalembert.integrate.run.live import LiveRun, Options
from dalembert.linalg.plan import HEAD, SPARSE
from dalembert.linalg.saddle import MODES
from dalembert.problems import mechanisms

TIGHT = {"rtol": 1e-9, "atol": 1e-9, "formalism": "contract"}


def chain(bobs=5):
    """Point masses on rods."""
    made = da.Elements("chain", coordinates=[f"{a}{i}" for i in range(bobs) for a in "xy"], parameters={"g": 9.81})
    made.add(
        "bob",
        coordinates=[[2 * i, 2 * i + 1] for i in range(bobs)],
        M=lambda p: np.diag([p.m, p.m]),
        f=lambda p: np.array([0.0, -p.m * p.g]),
        data={"m": [1.0 + i for i in range(bobs)]},
    )
    made.add("anchor", coordinates=[[0, 1]], g=lambda q, p: np.array([q @ q - p.l**2]), data={"l": 1.0})
    made.add(
        "rod",
        coordinates=[[2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 3] for i in range(bobs - 1)],
        g=lambda q, p: np.array([(q[2] - q[0]) ** 2 + (q[3] - q[1]) ** 2 - p.l**2]),
        data={"l": 1.0},
    )
    return made.equations(), (np.array([[i + 1.0, 0.0] for i in range(bobs)]).ravel(), np.zeros(2 * bobs))


def slider():
    """A pendulum on a slider without mass, whose constraint rows are given in other units than C."""
    eqs = da.trace(
        M=lambda: np.diag([0.0, 2.0, 2.0, 1.0]),
        f=lambda q, v: np.array([0.0, 0.0, -9.81 * 2.0, -3.0 * q[3]]),
        g=lambda q: np.array([(q[1] - q[0]) ** 2 + q[2] ** 2 - 1.0, q[0] - 0.5 * q[3]]),
        G=lambda q: np.array([[q[0] - q[1], q[1] - q[0], q[2], 0.0], [2.0, 0.0, 0.0, -1.0]]),
        gI=lambda: np.zeros(2),
        n_q=4,
        names={"q": ["slider", "x", "y", "drive"]},
        name="slider",
    )
    return eqs, ([0.0, 0.6, -0.8, 0.0], [0.0] * 4)


def brake():
    """A bead on a parabola with dry friction, proportional to the reaction."""
    eqs = da.trace(
        M=lambda: 2.0 * np.eye(2),
        f=lambda q, lam: np.array([-0.1 * 2.0 * q[0] * lam[0], -9.81 * 2.0 - 0.1 * lam[0] * 0.5]),
        g=lambda q: np.array([q[1] - q[0] ** 2]),
        n_q=2,
        name="brake",
    )
    return eqs, ([1.0, 1.0], [0.0, 0.0])


SYSTEMS = {"chain": chain, "slider": slider, "brake": brake}


@pytest.mark.parametrize("method", ["dop853", "mexx"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_modes_give_the_same_motion(system, method):
    eqs, start = SYSTEMS[system]()
    span = (0.0, 0.4)
    expected = da.simulate(eqs, span, start, method=method, solver="dense", **TIGHT)
    assert on_constraints(eqs, expected)
    served = []
    for mode in MODES:
        try:
            found = da.simulate(eqs, span, start, method=method, solver=mode, **TIGHT)
        except SimulationError as error:
            assert f"solver='{mode}' cannot serve '{system}': " in str(error) and "these can: dense" in str(error)
            continue
        served.append(mode)
        assert found.outcome == "finished" and errors(found, expected).max() < 1e-7, mode
    assert {"dense", "minimal", "sparse"} <= set(served)
    assert ("range" in served) == (system == "chain")
    assert ("symmetric" in served) == (system != "brake")


def test_positions_have_a_matrix_of_their_own_where_C_is_not_G():
    eqs, _ = slider()
    options = Options(rtol=1e-6, atol=np.full(8, 1e-6), solver="sparse", formalism="contract")
    live = LiveRun(eqs, METHODS["dop853"], options, np.zeros(0))
    for plan in (live.run.saddle_plan, live.run.saddle_plan_C):
        assert plan[HEAD.MODE] == SPARSE


def test_a_run_goes_on_in_the_same_mode():
    """Plans are part of the state: a choice of coordinates, a decomposition that is kept."""
    eqs, start = chain(3)
    for mode in ("minimal", "conjugate-gradients"):
        whole = da.simulate(eqs, (0.0, 0.5), start, solver=mode, **TIGHT)
        first = da.simulate(eqs, (0.0, 0.5), start, solver=mode, max_steps=10, **TIGHT)
        assert first.outcome == "step limit"
        assert np.array_equal(da.resume(first, eqs).q, whole.q)


def test_output_between_steps_after_a_solver_has_failed():
    """A mass that a parameter makes zero: the run goes on with another solver, and so does its dense output."""
    angles = np.array([0.0, 0.6, 0.8])
    offsets = -np.cos(angles)
    eqs = da.trace(
        M=lambda p: np.diag([p.m, 1.0, 1.0, 1.0]),
        f=lambda q: np.array([0.3, 1.0, 0.0, 0.0]),
        g=lambda q: np.array([q[0] - np.cos(q[1 + j]) - offsets[j] for j in range(3)]),
        n_q=4,
        parameters={"m": 1.0},
        name="cranks",
    )
    start = np.r_[0.0, angles], np.zeros(4)
    whole = da.simulate(eqs, (0, 0.5), start, parameters={"m": 0.0})
    assert whole.success and "the first solver had failed" in whole.message
    assert whole.sol(0.0).lam == pytest.approx(whole.lam[:, 0], abs=1e-9)
    some = da.simulate(eqs, (0, 0.5), start, parameters={"m": 0.0}, t_eval=[0.0, 0.25, 0.5])
    assert some.success and some.q[:, 1] == pytest.approx(whole.sol(0.25).q, abs=1e-6)


#: Joints of the legs of random robots, from the ground to the platform.
LEGS = (
    ("revolute", "spherical", "spherical"), ("spherical", "spherical"), ("universal", "prismatic", "spherical"),
    ("revolute", "universal", "spherical"), ("revolute", "revolute", "spherical"),
)  # fmt: skip


def parallel_robot(seed):
    """A platform on random legs; every body is parallel to the world at the start."""
    rng = np.random.default_rng(seed)
    m = da.Model("robot", gravity=(0.0, 0.0, -9.81))
    top = np.array([0.0, 0.0, 1.0])
    platform = m.body("platform", mass=2.0, inertia=(0.1, 0.15, 0.2), position=top)
    for leg in range(int(rng.integers(4, 6))):
        kinds = LEGS[int(rng.integers(len(LEGS)))]
        foot, head = np.array([*rng.uniform(-1, 1, 2), 0.0]), top + np.array([*rng.uniform(-0.4, 0.4, 2), 0.0])
        inner = np.arange(1, len(kinds) - 1)[:, None] / (len(kinds) - 1)
        places = np.vstack([foot, foot + inner * (head - foot) + rng.uniform(-0.2, 0.2, (len(inner), 3)), head])
        last, origin = m.ground, np.zeros(3)
        for k, (kind, place) in enumerate(zip(kinds, places, strict=True)):
            body, here = platform, top
            if k < len(kinds) - 1:
                com, here = 0.5 * (places[k + 1] - place), place
                body = m.body(f"link{leg}{k}", mass=0.5, inertia=(0.02, 0.03, 0.04), com=com, position=here)
            turn = np.linalg.qr(rng.standard_normal((3, 3)))[0]
            turn *= np.sign(np.linalg.det(turn))
            markers = (one.at(*(place - at), rotation=turn) for one, at in ((last, origin), (body, here)))
            getattr(m, kind)(f"J{leg}{k}", *markers)
            last, origin = body, here
    return m


@pytest.mark.parametrize("seed", range(6))
def test_random_robots_are_served_by_their_first_solver(seed):
    """Solvers of structured matrices choose their pivots from structure; they must be right for the numbers too."""
    equations = parallel_robot(seed).equations("relative", builder="recursion")
    run = da.simulate(equations, (0.0, 0.02), equations.assemble(), method="dop853")
    assert run.success and "solver" not in run.message


ROBOTS = {
    "delta robot": mechanisms.delta_robot,
    "delta robot with ball joints": lambda: mechanisms.delta_robot(balls=True),
    "Stewart platform": mechanisms.stewart_platform,
    "four-bar": mechanisms.four_bar,
    "wishbone": mechanisms.double_wishbone,
    "spatial slider crank": mechanisms.spatial_slider_crank,
}


@pytest.mark.parametrize("method", ["dop853", "mexx"])
@pytest.mark.parametrize("name", ROBOTS)
def test_closed_loops_are_served_by_their_first_solver(name, method):
    example = ROBOTS[name]()
    equations = example.model.equations("relative", builder="recursion")
    run = da.simulate(equations, (0.0, 0.05), example.assemble(equations), method=method, rtol=1e-5)
    assert run.success and "solver" not in run.message
