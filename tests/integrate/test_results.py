"""What users do with results: go on, start elsewhere, ask for anything at any instant, take tables along."""

import copy
import csv
import subprocess
import sys

import numpy as np
import pytest

import dalembert as da
from dalembert.errors import DalembertError, ModelError, SimulationError
from dalembert.solution import MotionPoint
from dalembert.solution.solution_errors import SolutionError, UnknownNameError

TIGHT = {"rtol": 1e-10, "atol": 1e-12}


def pendulum(plane="xy", **options):
    """A rod of 1 m; in space with absolute coordinates its angle is no coordinate."""
    m = da.Model("pendulum", plane=plane, gravity=(0, -9.81) if plane else (0, -9.81, 0))
    rod = m.body("rod", mass=2.0, inertia=0.2 if plane else (0.1, 0.2, 0.2), com=(0.5, 0) if plane else (0.5, 0, 0))
    zero = (0, 0) if plane else (0, 0, 0)
    A = m.revolute("A", m.ground.at(*zero), rod.at(*zero))
    m.sensor("tip", rod.at(*((1, 0) if plane else (1, 0, 0))).position)
    return A, m.equations(**options)


@pytest.fixture(scope="module")
def swing():
    A, eqs = pendulum()
    start = eqs.assemble({A.angle: 0.3, A.rate: 0.5})
    return eqs, start, da.simulate(eqs, (0, 1), start, **TIGHT)


@pytest.mark.parametrize("method", ["dop853", "radau", "bdf"])
def test_a_finished_run_is_extended(swing, method, tmp_path):
    eqs, start, _ = swing
    first = da.simulate(eqs, (0, 1), start, method=method, **TIGHT)
    longer = da.resume(first, until=2.0)
    whole = da.simulate(eqs, (0, 2), start, method=method, **TIGHT)
    assert longer.success and longer.t[-1] == 2.0 and first.t[-1] == 1.0
    assert np.array_equal(longer.q[:, : first.t.size], first.q)
    assert longer.q[:, -1] == pytest.approx(whole.q[:, -1], abs=1e-6)
    assert longer.sol(1.5).q == pytest.approx(whole.sol(1.5).q, abs=1e-6)
    assert longer.statistics.steps > first.statistics.steps
    first.save(tmp_path / "first.nc")
    loaded = da.load(tmp_path / "first.nc")
    again = da.resume(loaded, eqs, until=2.0)
    assert np.array_equal(again.q, longer.q) and np.array_equal(again.t, longer.t)
    with pytest.raises(SimulationError, match="does not know its equations; give them"):
        da.resume(loaded, until=2.0)


def test_a_run_that_an_event_ended_goes_on():
    eqs = da.trace(M=lambda: np.eye(1), f=lambda q: -q, n_q=1, name="oscillator")
    zero = da.Event(lambda q: q[0], terminal=True, name="zero")
    run = da.simulate(eqs, (0, 10), ([1.0], [0.0]), events=[zero], **TIGHT)
    assert run.outcome == "event" and run.t[-1] == pytest.approx(np.pi / 2, abs=1e-7)
    for k in (2, 3):  # it ends at each root again
        run = da.resume(run, until=10.0)
        assert run.outcome == "event" and run.t[-1] == pytest.approx((k - 0.5) * np.pi, abs=1e-7)
        assert run.t_events[0].size == k
    run = da.resume(run, until=8.0)
    assert run.outcome == "finished" and run.q[0, -1] == pytest.approx(np.cos(8.0), abs=1e-7)


def test_an_extension_sees_the_breaks_beyond_the_first_end():
    m = da.Model("pushed", plane="xy", gravity=(0, 0))
    cart = m.body("cart", mass=1.0, inertia=1.0)
    m.prismatic("rail", m.ground.at(0, 0), cart.at(0, 0))
    m.force("push", cart, lambda t: (np.where(t < 1.5, 1.0, 0.0), 0.0))
    eqs = m.equations()
    longer = da.resume(da.simulate(eqs, (0, 1), eqs.assemble()), until=3.0)
    assert 1.5 in longer.t and longer.q[0, -1] == pytest.approx(1.5**2 / 2 + 1.5 * 1.5, abs=1e-9)


def test_an_extension_with_instants_of_output(swing):
    eqs, start, _ = swing
    first = da.simulate(eqs, (0, 1), start, t_eval=[0.0, 0.5, 1.0])
    with pytest.raises(SimulationError, match="further instants"):
        da.resume(first, until=2.0)
    longer = da.resume(first, until=2.0, t_eval=[1.5, 2.0])
    assert longer.t.tolist() == [0.0, 0.5, 1.0, 1.5, 2.0]


def test_what_cannot_be_extended_is_told(swing):
    _, _, run = swing
    with pytest.raises(SimulationError, match=r"has ended at t = 1; .*until=…"):
        da.resume(run)
    with pytest.raises(SimulationError, match="beyond t = 1"):
        da.resume(run, until=0.5)
    with pytest.raises(SimulationError, match="finite number"):
        da.resume(run, until="later")
    assert da.resume(run, pendulum()[1], until=1.1).success  # the same equations, made anew
    with pytest.raises(SimulationError, match="does not know its equations"):
        da.resume(copy.deepcopy(run), until=2.0)


def test_states_of_runs_are_starts(swing):
    eqs, _, run = swing
    whole = da.resume(run, until=2.0)
    for start in (run.state(-1), run.state(t=1.0), run.sol(1.0), whole.state(t=1.0)):
        assert isinstance(start, (da.State, MotionPoint))
        again = da.simulate(eqs, (1, 2), start, **TIGHT)
        assert again.q[:, -1] == pytest.approx(whole.q[:, -1], abs=1e-8)
    assert run.state(0).t == 0.0 and run.state(3).q == pytest.approx(run.q[:, 3])
    with pytest.raises(SolutionError, match="no state 1000"):
        run.state(1000)


def test_sensors_and_reactions_at_any_instant(swing):
    _, _, run = swing
    k = 4
    here = run.sol(run.t[k])
    assert here["A.force"] == pytest.approx(run["A.force"][:, k], rel=1e-9)
    assert here["A.angle"] == run.sol(run.t[k]).q[0] and here["tip.x"] == pytest.approx(np.cos(run.q[0, k]))
    several = run.sol([0.2, 0.4])
    assert several["A.force"].shape == (2, 2) and several["tip.y"] == pytest.approx(np.sin(several.q[0]))
    # The reaction of a pendulum by hand: m (g sin a − l/2 rate²) along the rod.
    angle, rate = several["A.angle"], several["A.rate"]
    along = several["A.force"][0] * np.cos(angle) + several["A.force"][1] * np.sin(angle)
    assert along == pytest.approx(2.0 * (9.81 * np.sin(angle) - 0.5 * rate**2), rel=1e-8)
    with pytest.raises(UnknownNameError, match=r"nothing called 'A.forces'; did you mean 'A.force'"):
        run.sol(0.3)["A.forces"]
    with pytest.raises(UnknownNameError, match="need its equations"):
        copy.deepcopy(run).sol(0.3)["A.force"]


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
@pytest.mark.parametrize("plane", ["xy", None])
def test_joint_coordinates_in_every_kind_of_coordinates(plane, coordinates):
    """Angles count turns whatever the coordinates are: the rod spins several times."""
    A, eqs = pendulum(plane, coordinates=coordinates)
    start = eqs.assemble({A.angle: 0.0, A.rate: 12.0})
    run = da.simulate(eqs, (0, 3), start, rtol=1e-9, atol=1e-11)
    reference = da.simulate(pendulum()[1], (0, 3), ([0.0], [12.0]), rtol=1e-9, atol=1e-11)
    expected = reference.sol(run.t)
    assert run["A.angle"][-1] > 20.0
    assert run["A.angle"] == pytest.approx(expected.q[0], abs=1e-4)
    assert run["A.rate"] == pytest.approx(expected.v[0], abs=1e-3)
    assert run.sol(2.2)["A.angle"] == pytest.approx(reference.sol(2.2).q[0], abs=1e-4)


def test_impulses_of_impacts_are_recorded(tmp_path):
    m = da.Model("ball", plane="xy", gravity=(0, -9.81))
    ball = m.body("ball", mass=2.0, inertia=0.1)
    slide = m.prismatic("slide", m.ground.at(0, 0, angle=np.pi / 2), ball.at(0, 0, angle=np.pi / 2))
    m.limit("floor", slide.displacement, lower=0.0, restitution=0.5)
    eqs = m.equations()
    run = da.simulate(eqs, (0, 0.6), eqs.assemble({slide.displacement: 1.0}), **TIGHT)
    hit = next(event for event in run.events if event.impulse.size)
    assert np.abs(hit.impulse).max() == pytest.approx(2.0 * 1.5 * np.sqrt(2 * 9.81), rel=1e-8)
    assert run.names["lam"][int(np.argmax(np.abs(hit.impulse)))].startswith("floor")
    run.save(tmp_path / "ball.nc")
    loaded = da.load(tmp_path / "ball.nc")
    assert np.array_equal(loaded.events[0].impulse, run.events[0].impulse)
    assert np.array_equal(da.resume(loaded, eqs, until=0.7).events[0].impulse, run.events[0].impulse)


def test_counts_are_attributes(swing):
    statistics = swing[2].statistics
    assert statistics.projection_iterations == statistics.extra["projection_iterations"]
    assert statistics.constraint_residual < 1e-12
    with pytest.raises(AttributeError, match="did you mean 'projections'"):
        statistics.projection  # noqa: B018


def test_saving_twice_completes_the_dense_output_once(swing, tmp_path, monkeypatch):
    eqs, start, _ = swing
    run = da.simulate(eqs, (0, 1), start)
    run.save(tmp_path / "a.nc")
    calls = []
    completion = run.sol.completion
    monkeypatch.setattr(run.sol, "completion", lambda *point: calls.append(1) or completion(*point))
    run.save(tmp_path / "b.nc")
    assert not calls


def test_tables(swing, tmp_path):
    run = swing[2]
    frame = run.to_pandas()
    assert frame.index.name == "t" and np.array_equal(frame["A.angle"], run["A.angle"])
    assert np.array_equal(frame["A.acceleration"], run.a[0]) and "A.force.x" in frame and "tip" not in frame
    assert list(run.to_pandas("tip.x", "A.angle").columns) == ["tip.x", "A.angle"]
    data = run.to_xarray("A.angle", "A.force.y")
    assert data["A.angle"].attrs["units"] == "rad" and np.array_equal(data["A.force.y"], run["A.force.y"])
    with open(run.to_csv(tmp_path / "run.csv", "A.angle", "tip.x"), newline="") as stream:
        head, *rows = csv.reader(stream)
    assert head == ["t [s]", "A.angle [rad]", "tip.x [m]"]
    assert np.array_equal(np.array(rows, dtype=float).T, np.array([run.t, run["A.angle"], run["tip.x"]]))
    assert list(run.to_pandas("tip").columns) == ["tip.x", "tip.y"]
    with pytest.raises(DalembertError, match="nothing called 'tap'"):
        run.to_csv(tmp_path / "x.csv", "tap")


def test_rows_are_found_by_quantities_of_the_model():
    m = da.Model("pendulum", plane="xy", gravity=(0, -9.81))
    rod = m.body("rod", mass=1.0, inertia=0.1, com=(0.5, 0))
    A = m.revolute("A", m.ground.at(0, 0), rod.at(0, 0))
    eqs = m.equations()
    start = eqs.assemble({A.angle: 0.3})
    run = da.simulate(eqs, (0, 0.1), start)
    assert np.array_equal(run[A.angle], run["A.angle"]) and np.array_equal(run[A.rate], run["A.rate"])
    with pytest.raises(UnknownNameError, match="as its model calls its sensors"):
        run[A.angle + 1.0]
    # The same words name what is actuated: at rest the hinge bears m g l cos φ.
    held = eqs.inverse_dynamics(start, a=[0.0], actuated=[A.angle])[0]
    assert held == pytest.approx(9.81 * 0.5 * np.cos(0.3))


def test_arguments_that_a_builder_does_not_have_are_named():
    m = da.Model("pendulum", plane="xy")
    with pytest.raises(ModelError, match=r"m.body has no argument 'positon'; did you mean 'position'\?"):
        m.body("rod", mass=1.0, inertia=0.1, positon=(0, 1))


@pytest.mark.exact
def test_a_first_run_imports_no_linear_algebra_of_others():
    """It takes as long to import as the rest of such a run; on atoms nothing is left to factorise."""
    program = """
import sys
import dalembert as da
m = da.Model("pendulum", plane="xy", gravity=(0, -9.81))
rod = m.body("rod", mass=1.0, inertia=0.1, com=(0.5, 0))
A = m.revolute("A", m.ground.at(0, 0), rod.at(0, 0))
eqs = m.equations()
assert da.simulate(eqs, (0, 1), eqs.assemble({A.angle: 0.3})).success
assert not any(name.split(".")[0] in ("scipy", "numba", "sympy", "matplotlib") for name in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
