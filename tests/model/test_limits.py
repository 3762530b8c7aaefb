"""Limits: impacts with restitution, rest and release, in all coordinates, beside formulas and arithmetic by hand."""

import numpy as np
import pytest
from integrate.runs import GENERAL
from model.escapement import PLAY, TEETH, WAVE, clock

import dalembert as da
from dalembert.errors import ConstraintError, ModelError, SimulationError
from dalembert.model.model import Model

G = 9.81
TIGHT = {"rtol": 1e-10, "atol": 1e-12}


def times(run, name):
    return np.array([event.t for event in run.events if event.name == name])


def after(run, t):
    """The state after the last action at an instant."""
    return run.v[:, np.flatnonzero(run.t == t)[-1]]


# ------------------------------------------------------------------------------------------------------------ a ball


def ball(restitution=0.8, height=1.0, space=False, **options):
    m = Model("ball", plane=None if space else "xy", gravity=(0, 0, -G) if space else (0, -G))
    body = m.body(
        "ball", mass=0.1, inertia=(1e-4,) * 3 if space else 1e-4,
        position=(0, 0, height) if space else (0, height), velocity=(0.3, 0, 0) if space else (0.3, 0),
    )  # fmt: skip
    point = body.at(0, 0, 0).position.z if space else body.at(0, 0).position.y
    m.limit("floor", point, lower=0.0, restitution=restitution, **options)
    m.sensor("height", point)
    return m


@pytest.fixture(scope="module")
def bouncing():
    equations = ball().equations()
    return equations, da.simulate(equations, (0, 6), equations.assemble(), **TIGHT)


def test_bouncing_ball_has_the_times_and_heights_of_the_formulas(bouncing):
    _, run = bouncing
    first = np.sqrt(2 / G)
    flights = 2 * first * 0.8 ** np.arange(1, 12)
    exact = first + np.concatenate([[0.0], np.cumsum(flights)])
    hits = times(run, "floor")
    assert run.success and hits[:12] == pytest.approx(exact, abs=1e-9)
    assert np.array_equal(run.t_events[0], hits)
    tops = run.sol(0.5 * (hits[:8] + hits[1:9])).q[1]
    assert tops == pytest.approx(0.64 ** np.arange(1, 9), abs=1e-9)
    assert run["height"].min() > -1e-11
    # The floor is smooth: nothing changes the motion along it.
    assert run["ball.x"] == pytest.approx(0.3 * run.t, abs=1e-11)


def test_ball_comes_to_rest_and_stays(bouncing):
    _, run = bouncing
    end = np.sqrt(2 / G) * 1.8 / 0.2
    hits = times(run, "floor")
    assert run.outcome == "finished" and hits.size < 80
    assert hits[-1] == pytest.approx(end, abs=1e-4)
    resting = run.t > hits[-1]
    assert resting.any() and np.abs(run["height"][resting]).max() < 1e-12
    assert run["floor.lower"][resting] == pytest.approx(0.1 * G)
    assert np.all(run["floor.lower"][run.t < hits[-1]] == 0.0)
    assert not times(run, "floor.release").size


@pytest.mark.parametrize("restitution", [0.0, 0.3, 0.95, 0.99])
def test_rest_whatever_the_restitution(restitution):
    equations = ball(restitution, height=0.01).equations()
    run = da.simulate(equations, (0, 12), equations.assemble())
    end = np.sqrt(0.02 / G) * (1 + restitution) / (1 - restitution)
    assert run.success and times(run, "floor")[-1] == pytest.approx(end, abs=2e-2 * end + 1e-9)
    assert run["height"][-1] == pytest.approx(0.0, abs=1e-12) and run["floor.lower"][-1] == pytest.approx(0.1 * G)


def test_speed_below_which_there_is_no_rebound():
    equations = ball(0.8, rest=2.0).equations()
    run = da.simulate(equations, (0, 4), equations.assemble(), **TIGHT)
    speeds = np.sqrt(2 * G) * 0.8 ** np.arange(9)
    assert times(run, "floor").size == np.sum(speeds > 2.0) + 1
    assert run["floor.lower"][-1] == pytest.approx(0.1 * G)


def test_bounces_that_may_not_end_end_the_run():
    equations = ball(0.8, rest=False).equations()
    run = da.simulate(equations, (0, 6), equations.assemble())
    assert run.outcome == "chattering" and "'floor'" in run.message


def test_ball_that_starts_on_the_floor_rests_at_once():
    equations = ball(0.8, height=0.0).equations()
    run = da.simulate(equations, (0, 1), equations.assemble())
    assert run.success and len(run.events) == 1 and run.events[0].t == 0.0
    assert run["height"] == pytest.approx(0.0, abs=1e-12) and run["floor.lower"][-1] == pytest.approx(0.1 * G)


def test_start_beyond_a_stop_is_refused():
    equations = ball(height=-0.1).equations()
    with pytest.raises(SimulationError, match=r"beyond the stop 'floor' by 0\.1"):
        da.simulate(equations, (0, 1), equations.start())
    with pytest.raises(ConstraintError, match=r"beyond the stop 'floor.lower' by 0\.1"):
        equations.assemble()


@pytest.mark.parametrize("method", ["dopri5", "radau", "mexx"])
def test_every_kind_of_method(method):
    equations = ball().equations()
    run = da.simulate(equations, (0, 5), equations.assemble(), method=method, rtol=1e-9, atol=1e-11)
    assert run.success and times(run, "floor")[-1] == pytest.approx(np.sqrt(2 / G) * 9, abs=1e-4)
    assert run["height"][-1] == pytest.approx(0.0, abs=1e-12)


def test_ball_in_space():
    equations = ball(space=True).equations("absolute")
    run = da.simulate(equations, (0, 5), equations.assemble(), **TIGHT)
    first = np.sqrt(2 / G)
    assert times(run, "floor")[:2] == pytest.approx([first, 2.6 * first], abs=1e-9)
    assert run["floor.lower"][-1] == pytest.approx(0.1 * G) and run["ball.x"][-1] == pytest.approx(1.5, abs=1e-9)


def test_many_balls_by_elements():
    m = Model("balls", plane="xy", gravity=(0, -G))
    heights = np.linspace(0.2, 1.0, 5)
    for k, height in enumerate(heights):
        body = m.body(f"ball{k}", mass=0.1 + k, inertia=1e-4, position=(k, height))
        m.limit(f"floor{k}", body.position.y, lower=0.0, restitution=0.5)
    equations = m.equations("absolute", builder="elements")
    run = da.simulate(equations, (0, 3), equations.assemble(), **TIGHT)
    assert run.success
    for k, height in enumerate(heights):
        first = np.sqrt(2 * height / G)
        assert times(run, f"floor{k}")[:3] == pytest.approx(first * np.array([1, 2, 2.5]), abs=1e-9)
        assert run[f"floor{k}.lower"][-1] == pytest.approx((0.1 + k) * G)


def test_parameters_for_bound_and_restitution():
    m = Model("ball", plane="xy", gravity=(0, -G))
    m.parameters(level=0.0, e=0.8)
    body = m.body("ball", mass=0.1, inertia=1e-4, position=(0, 1.0))
    m.limit("floor", body.position.y, lower=m.p.level, restitution=m.p.e)
    equations = m.equations()
    run = da.simulate(equations, (0, 1.2), equations.assemble(), parameters={"level": 0.5, "e": 0.4}, **TIGHT)
    first = np.sqrt(1 / G)
    assert times(run, "floor")[:3] == pytest.approx(first * np.array([1.0, 1.8, 2.12]), abs=1e-9)


def test_floor_that_moves():
    """Newton's law holds for the speed relative to the floor, which comes up with 1 m/s."""
    m = Model("lift", plane="xy", gravity=(0, -G))
    body = m.body("ball", mass=0.1, inertia=1e-4, position=(0, 1.0))
    m.limit("floor", body.position.y, lower=lambda t: t, restitution=0.5)
    equations = m.equations()
    run = da.simulate(equations, (0, 2), equations.assemble(), **TIGHT)
    t = (np.sqrt(1 + 2 * G) - 1) / G  # 1 − g t²/2 = t
    hits = times(run, "floor")
    assert hits[0] == pytest.approx(t, abs=1e-10)
    assert after(run, hits[0])[1] == pytest.approx(1 + 0.5 * (1 + G * t), abs=1e-9)
    assert run["ball.y"][-1] == pytest.approx(2.0, abs=1e-12) and run["floor.lower"][-1] == pytest.approx(0.1 * G)


# --------------------------------------------------------------------------------------------- pendulum and slider


def pendulum(lower, restitution):
    m = Model("pendulum", plane="xy", gravity=(0, -G))
    rod = m.body("rod", mass=2.0, inertia=0.1, com=(0, -0.5))
    A = m.revolute("A", m.ground.at(0, 0), rod.at(0, 0))
    m.limit("stop", A, lower=lower, restitution=restitution)
    return m, A


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_pendulum_against_a_stop(coordinates):
    """The stop is where the pendulum hangs: each rebound has e² of the energy of the last."""
    m, A = pendulum(0.0, 0.7)
    m.sensor("angle", A.angle)
    equations = m.equations(coordinates)
    run = da.simulate(equations, (0, 4), equations.assemble({A.angle: 1.2}), **TIGHT)
    hits = times(run, "stop")[:4]
    t = np.linspace(hits[:-1], hits[1:], 2001)
    i = equations.index("q", "A.angle" if coordinates == "relative" else "rod.angle")
    tops = np.array([run.sol(column).q[i].max() for column in t.T])
    assert 1 - np.cos(tops) == pytest.approx((1 - np.cos(1.2)) * 0.49 ** np.arange(1, 4), abs=1e-6)
    assert run["angle"].min() > -1e-10


@pytest.mark.parametrize("method", GENERAL)
@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_short_flights_obey_the_law_with_every_method(coordinates, method):
    """Also those that are lower than the tolerances: the last ones are parabolas, each half as long as the one
    before."""
    m, A = pendulum(0.5, 0.5)
    equations = m.equations(coordinates)
    run = da.simulate(equations, (0, 2), equations.assemble({A.angle: 1.0}), method=method, max_steps=1000)
    flights = np.diff(times(run, "stop"))
    assert run.success and flights.size > 10 and flights[-1] < 1e-4
    assert flights[5:] == pytest.approx(0.5 * flights[4:-1], rel=0.03)


def slider(force=None, restitution=0.6, **limits):
    m = Model("slider", plane="xy")
    block = m.body("block", mass=2.0, inertia=1.0)
    P = m.prismatic("P", m.ground.at(0, 0), block.at(0, 0))
    if force is not None:
        m.force("push", block.at(0, 0), force)
    m.limit("stops", P.displacement, restitution=restitution, **limits)
    m.sensor("energy", m.kinetic_energy)
    return m, P


def test_slider_between_two_stops_loses_its_energy_by_e_squared():
    m, P = slider(lower=-0.2, upper=0.3)
    equations = m.equations()
    run = da.simulate(equations, (0, 4), equations.assemble({P.displacement: 0.0, P.rate: 1.0}), **TIGHT)
    flights = 0.5 / 0.6 ** np.arange(1, 4)
    exact = 0.3 + np.concatenate([[0.0], np.cumsum(flights)])
    found = [(event.name, event.t) for event in run.events]
    assert [name for name, _ in found] == ["stops.upper", "stops.lower", "stops.upper"]
    assert [t for _, t in found] == pytest.approx(exact[:3], abs=1e-10)
    levels = 0.36 ** np.arange(4)
    assert sorted(set(np.round(run["energy"], 12)), reverse=True) == pytest.approx(levels, abs=1e-11)


def test_perfect_rebounds_go_on_for_ever():
    m, P = slider(lower=0.0, upper=0.01, restitution=1.0)
    equations = m.equations()
    run = da.simulate(equations, (0, 2), equations.assemble({P.displacement: 0.005, P.rate: 1.0}), **TIGHT)
    assert run.success and len(run.events) == 200
    assert run["energy"] == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_release_when_the_force_turns(coordinates):
    """A block rests on its stop until the force −cos t turns at π/2."""
    m, P = slider(lambda t: (-np.cos(t), 0.0), lower=0.0)
    m.sensor("x", P.displacement)
    equations = m.equations(coordinates)
    run = da.simulate(equations, (0, 3), equations.assemble({P.displacement: 0.0}), **TIGHT)
    assert [event.name for event in run.events] == ["stops", "stops.release"]
    start = np.pi / 2
    assert run.events[1].t == pytest.approx(start, abs=1e-9)
    resting = (run.t > 0) & (run.t < start - 1e-9)
    assert run["stops.lower"][resting] == pytest.approx(np.cos(run.t[resting]), abs=1e-9)
    free = run.t > run.events[1].t
    t = run.t[free]
    # 2 ẍ = −cos t from rest at π/2.
    assert run["x"][free] == pytest.approx(0.5 * np.cos(t) + 0.5 * (t - start), abs=1e-9)
    assert np.all(run["stops.lower"][free] == 0.0)


def test_inelastic_impact_without_a_force_leaves_the_block_where_it_is():
    m, P = slider(upper=0.3, restitution=0.0)
    equations = m.equations()
    run = da.simulate(equations, (0, 5), equations.assemble({P.displacement: 0.0, P.rate: 1.0}), **TIGHT)
    assert run.success and times(run, "stops") == pytest.approx([0.3])
    assert run["P.displacement"][-1] == pytest.approx(0.3, abs=1e-12) and abs(run["P.rate"][-1]) < 1e-12


# -------------------------------------------------------------------------------------------- mechanisms


def double_pendulum(restitution=0.5, **limits):
    m = Model("double pendulum", plane="xy", gravity=(0, -G))
    rods = [m.body(f"rod{k}", mass=1.0 + k, inertia=0.05 * (k + 1), com=(0.5, 0)) for k in range(2)]
    A = m.revolute("A", m.ground.at(0, 0), rods[0].at(0, 0))
    B = m.revolute("B", rods[0].at(1, 0), rods[1].at(0, 0))
    m.limit("knee", B.angle, restitution=restitution, **limits)
    for joint in (A, B):
        m.sensor(f"{joint.name} angle", joint.angle)
        m.sensor(f"{joint.name} rate", joint.rate)
    return m, A, B


def absolute_impact(q, v, e):
    """The same impact by hand: momentum of both bodies in absolute coordinates, joints as constraints."""
    (a, b), (w_a, w_b) = np.cumsum(q), np.cumsum(v)
    M = np.diag([1, 1, 0.05, 2, 2, 0.1])
    normal_a, normal_b = (np.array([-np.sin(x), np.cos(x)]) for x in (a, b))
    V = np.concatenate([0.5 * w_a * normal_a, [w_a], w_a * normal_a + 0.5 * w_b * normal_b, [w_b]])
    rows = np.zeros((5, 6))
    rows[:2, :2], rows[:2, 2] = np.eye(2), -0.5 * normal_a
    rows[2:4, :2], rows[2:4, 2] = -np.eye(2), -0.5 * normal_a
    rows[2:4, 3:5], rows[2:4, 5] = np.eye(2), -0.5 * normal_b
    rows[4, 5], rows[4, 2] = 1.0, -1.0
    assert np.abs(rows[:4] @ V).max() < 1e-9
    left = np.block([[M, -rows.T], [rows, np.zeros((5, 5))]])
    found = np.linalg.solve(left, np.concatenate([M @ V, np.zeros(4), [-e * (w_b - w_a)]]))
    return np.array([found[2], found[5] - found[2]])


def test_impact_in_a_joint_of_a_double_pendulum_balances_momentum():
    m, A, B = double_pendulum(0.5, lower=-0.3, upper=0.4)
    equations = m.equations()
    run = da.simulate(equations, (0, 2), equations.assemble({A.angle: 0.2, B.angle: 0.0}), **TIGHT)
    hits = [event for event in run.events if not event.name.endswith("release")][:4]
    assert len(hits) == 4 and {event.name for event in hits} == {"knee.lower", "knee.upper"}
    for event in hits:
        assert after(run, event.t) == pytest.approx(absolute_impact(event.q, event.v, 0.5), abs=1e-8)


CASES = [("absolute", "symbolic"), ("absolute", "elements"), ("relative", "recursion")]


@pytest.mark.parametrize(("coordinates", "builder"), CASES)
def test_all_formulations_have_the_same_impacts(coordinates, builder):
    m, A, B = double_pendulum(0.5, lower=-0.3, upper=0.4)
    runs = []
    for options in (("relative", "symbolic"), (coordinates, builder)):
        equations = m.equations(options[0], builder=options[1])
        start = equations.assemble({A.angle: 0.2, B.angle: 0.0})
        runs.append(da.simulate(equations, (0, 2), start, rtol=1e-12, atol=1e-13, t_eval=np.linspace(0, 2, 41)))
    one, other = runs
    assert [event.name for event in one.events] == [event.name for event in other.events] and len(one.events) > 4
    assert [event.t for event in other.events] == pytest.approx([event.t for event in one.events], abs=1e-9)
    for name in ("A angle", "B angle", "A rate", "B rate", "knee.lower", "knee.upper"):
        assert other[name] == pytest.approx(one[name], abs=1e-8 if name.startswith("knee") else 1e-9)


def four_bar():
    m = Model("four-bar", plane="xy", gravity=(0, -G))
    crank = m.body("crank", mass=1.0, inertia=0.02, com=(0.10, 0))
    coupler = m.body("coupler", mass=2.0, inertia=0.10, com=(0.35, 0))
    rocker = m.body("rocker", mass=1.5, inertia=0.05, com=(0.25, 0))
    A = m.revolute("A", m.ground.at(0, 0), crank.at(0, 0))
    m.revolute("B", crank.at(0.2, 0), coupler.at(0, 0))
    m.revolute("C", coupler.at(0.7, 0), rocker.at(0.5, 0))
    D = m.revolute("D", m.ground.at(0.8, 0), rocker.at(0, 0), start=1.5)
    tip = coupler.at(0.35, 0.2)
    m.limit("bumper", tip.position.y, lower=0.25, restitution=0.4)
    m.sensor("tip", tip.position)
    m.sensor("angle", A.angle)
    return m, A, D


def test_limit_of_a_point_in_a_closed_loop():
    m, A, _ = four_bar()
    runs = []
    for coordinates in ("relative", "absolute"):
        equations = m.equations(coordinates)
        start = equations.assemble({A.angle: 1.0, A.rate: 0.0})
        runs.append(da.simulate(equations, (0, 1.5), start, rtol=1e-12, atol=1e-13, t_eval=np.linspace(0, 1.5, 31)))
    one, other = runs
    assert one.success and len(times(one, "bumper")) > 3
    assert times(other, "bumper")[:4] == pytest.approx(times(one, "bumper")[:4], abs=1e-9)
    for name in ("angle", "tip.x", "tip.y"):
        assert other[name] == pytest.approx(one[name], abs=1e-9)
    assert one["tip.y"].min() > 0.25 - 1e-9
    assert one["bumper.lower"].min() >= 0.0


# ---------------------------------------------------------------------------------------------- several stops at once


def test_ball_in_a_corner():
    """Both walls are hit at the same instant: both components rebound."""
    m = Model("corner", plane="xy")
    body = m.body("ball", mass=1.0, inertia=1.0, position=(1, 1), velocity=(-1, -1))
    m.limit("wall", body.position.x, lower=0.0, restitution=0.5)
    m.limit("floor", body.position.y, lower=0.0, restitution=0.8)
    equations = m.equations()
    run = da.simulate(equations, (0, 2), equations.assemble(), **TIGHT)
    assert run.success and run.v[:2, -1] == pytest.approx([0.5, 0.8], abs=1e-12)
    assert run.q[:2, -1] == pytest.approx([0.5, 0.8], abs=1e-10)


def test_table_that_falls_onto_its_feet():
    """Two feet at once: what one impact sets off at the other is resolved; at last the table stands on both."""
    m = Model("table", plane="xy", gravity=(0, -G))
    table = m.body("table", mass=3.0, inertia=0.4, position=(0, 0.2))
    for k, x in enumerate((-0.5, 0.7)):
        m.limit(f"foot{k}", table.at(x, 0).position.y, lower=0.0, restitution=0.3)
    m.sensor("energy", m.energy)
    equations = m.equations()
    run = da.simulate(equations, (0, 4), equations.assemble(), **TIGHT)
    assert run.success and np.abs(run.q[1:, -1]).max() < 1e-12
    # Levers of the weight.
    assert run["foot0.lower"][-1] == pytest.approx(3.0 * G * 0.7 / 1.2)
    assert run["foot1.lower"][-1] == pytest.approx(3.0 * G * 0.5 / 1.2)
    assert np.all(np.diff(run["energy"]) < 1e-8)


def test_foot_lifts_when_the_other_side_is_hit():
    """A plank at rest on two supports: a blow beyond one of them lifts it off the other."""
    m = Model("plank", plane="xy", gravity=(0, -G))
    plank = m.body("plank", mass=3.0, inertia=1.0, position=(0, 0.0))
    stone = m.body("stone", mass=1.0, inertia=0.1, position=(0.9, 0.5))
    for k, x in enumerate((-0.5, 0.5)):
        m.limit(f"support{k}", plank.at(x, 0).position.y, lower=0.0)
    m.limit("blow", stone.position.y - plank.at(0.9, 0).position.y, lower=0.0)
    equations = m.equations()
    run = da.simulate(equations, (0, 0.4), equations.assemble(), **TIGHT)
    (hit,) = [event for event in run.events if event.name == "blow"][:1]
    v = dict(zip(equations.names["v"], after(run, hit.t), strict=True))
    # About the support that stays: angular momentum of the stone becomes that of both.
    speed = np.sqrt(2 * G * 0.5)
    turning = -0.4 * speed / (1.0 + 3.0 * 0.25 + 0.4**2)
    assert v["plank.rate"] == pytest.approx(turning, abs=1e-9)
    assert v["plank.vy"] == pytest.approx(-0.5 * turning, abs=1e-9)
    assert v["stone.vy"] == pytest.approx(0.4 * turning, abs=1e-9)


def test_row_of_balls_hands_a_blow_on_again_and_again():
    # After the first blow the balls in between touch and rest; the second one passes through them as the first did.
    m = Model("row", plane="xy")
    slides = []
    for i, place in enumerate((-1.0, 0.0, 0.0, 0.0)):
        one = m.body(f"ball{i}", mass=1.0, inertia=0.1)
        slides.append(m.prismatic(f"S{i}", m.ground.at(0, 0), one.at(0, 0), start=place))
    for i in range(3):
        m.limit(f"C{i}", slides[i + 1].displacement - slides[i].displacement, lower=0.0, restitution=1.0)
    m.limit("wall", slides[3], upper=1.0, restitution=1.0)
    equations = m.equations()
    run = da.simulate(equations, (0, 8), equations.assemble({slides[0].rate: 1.0}))
    assert run.success and after(run, times(run, "C0")[0]) == pytest.approx([0, 0, 0, 1], abs=1e-12)
    assert times(run, "wall") == pytest.approx([2.0]) and times(run, "C2")[1] == pytest.approx(3.0)
    assert run.v[:, -1] == pytest.approx([-1, 0, 0, 0], abs=1e-12)


def test_stop_that_another_one_implies():
    """Two stops at the same place: one of them holds, and nothing is said about redundant constraints."""
    m, P = slider(lambda: (-3.0, 0.0), lower=0.0, restitution=0.0)
    m.limit("second", P.displacement, lower=0.0)
    equations = m.equations()
    run = da.simulate(equations, (0, 2), equations.assemble({P.displacement: 0.5}), **TIGHT)
    assert run.success and abs(run["P.displacement"][-1]) < 1e-12
    assert run["stops.lower"][-1] + run["second.lower"][-1] == pytest.approx(3.0)


def test_stop_in_the_way_of_a_drive():
    m = Model("drive", plane="xy")
    block = m.body("block", mass=2.0, inertia=1.0)
    P = m.prismatic("P", m.ground.at(0, 0), block.at(0, 0))
    m.drive("motor", P.displacement, lambda t: t)
    m.limit("stop", P.displacement, upper=0.5)
    equations = m.equations()
    run = da.simulate(equations, (0, 1), equations.assemble())
    assert not run.success and run.t[-1] == pytest.approx(0.5)
    assert "'stop' is in the way of a motion that constraints or drives prescribe" in run.message


# ----------------------------------------------------------------------------------------------------------- in space


def screw_to_a_stop():
    """A flywheel on a screw that is driven over several turns against a stop of its angle."""
    m = Model("valve", gravity=(0, 0, -G))
    wheel = m.body("wheel", mass=2.0, inertia=(0.02, 0.02, 0.04))
    S = m.screw("S", m.ground.at(0, 0, 0), wheel.at(0, 0, 0), pitch=0.01)
    m.torque("hand", S, 0.5)
    m.limit("seat", S.angle, upper=7.0 * np.pi, restitution=0.3)
    m.sensor("angle", S.angle)
    return m, S


def test_angle_counts_turns_in_all_coordinates():
    m, S = screw_to_a_stop()
    lead = 0.01 / (2 * np.pi)
    acceleration = (0.5 - 2.0 * G * lead) / (0.04 + 2.0 * lead**2)
    first = np.sqrt(14 * np.pi / acceleration)
    end = first * 1.3 / 0.7
    for coordinates in ("relative", "absolute"):
        equations = m.equations(coordinates)
        run = da.simulate(equations, (0, 5), equations.assemble({S.angle: 0.0}), **TIGHT)
        hits = times(run, "seat")
        assert run.success and hits[0] == pytest.approx(first, abs=1e-9) and hits[-1] == pytest.approx(end, abs=1e-4)
        assert run["angle"][-1] == pytest.approx(7 * np.pi, abs=1e-10)
        assert run["seat.upper"][-1] == pytest.approx(0.5 - 2.0 * G * lead, abs=1e-9)


def test_large_system_is_solved_sparse():
    m = Model("rain", plane="xy", gravity=(0, -G))
    heights = np.linspace(0.2, 0.9, 280)
    for k, height in enumerate(heights):
        body = m.body(f"drop{k}", mass=0.1, inertia=1e-4, position=(k, height))
        if k % 20 == 0:
            m.limit(f"floor{k}", body.position.y, lower=0.0, restitution=0.5)
    equations = m.equations("absolute", builder="elements")
    run = da.simulate(equations, (0, 0.5), equations.assemble())
    assert run.success
    for k in range(0, 280, 20):
        first = np.sqrt(2 * heights[k] / G)
        hits = first * np.array([1.0, 2.0, 2.5])
        assert times(run, f"floor{k}")[:3] == pytest.approx(hits[hits < 0.5], abs=1e-6)


# ------------------------------------------------------------------------------------------------------ around a run


def test_limits_do_not_run_backwards():
    equations = ball().equations()
    with pytest.raises(SimulationError, match="cannot be run backwards"):
        da.simulate(equations, (1, 0), equations.assemble())


def test_stopped_run_goes_on_as_if_it_had_not(bouncing):
    equations, whole = bouncing
    part = da.simulate(equations, (0, 6), equations.assemble(), max_steps=20, **TIGHT)
    assert part.outcome == "step limit"
    rest = da.resume(part, equations)
    assert np.array_equal(rest.t, whole.t) and np.array_equal(rest.q, whole.q)
    assert np.array_equal(rest["height"], whole["height"])
    assert [event.t for event in rest.events] == [event.t for event in whole.events]


def test_events_of_the_user_stand_before_those_of_limits():
    equations = ball().equations()
    top = da.Event(lambda v: v[1], direction=-1, name="top")

    def low(q):  # needs numbers, so it is called back
        return 1.0 if q[1] > 0.5 else -1.0

    run = da.simulate(equations, (0, 2), equations.assemble(), events=[top, low], **TIGHT)
    assert [event.name for event in run.events][:4] == ["low", "floor", "low", "top"]
    assert run.t_events[0].size and len(run.t_events) == 4
    assert run.t_events[2][0] == pytest.approx(np.sqrt(2 / G), abs=1e-9)


def test_questions_see_nothing_of_stops_that_are_not_touched():
    m, A, _ = double_pendulum(lower=-0.3, upper=0.4)
    free, _, _ = double_pendulum(upper=9.0)
    equations, other = m.equations(), free.equations()
    assert equations.degrees_of_freedom().dof == 2
    state, beside = (one.equilibrium({"A.angle": -1.5, "B.angle": 0.1}) for one in (equations, other))
    assert state.q == pytest.approx(beside.q) and state.lam.shape == (2,)
    a, lam = equations.forward_dynamics(equations.assemble({A.angle: 0.3}).q)
    assert a == pytest.approx(other.forward_dynamics([0.3, 0.0])[0]) and not lam.any()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "limits nothing"),
        ({"lower": 1.0, "upper": 0.0}, "lower = 1 must be less than upper = 0"),
        ({"lower": 0.0, "restitution": 1.5}, "restitution must be a number between 0 and 1"),
        ({"lower": 0.0, "rest": -1.0}, "rest must be True, False or a speed"),
        ({"lower": "low"}, "lower must be a number"),
        ({"quantity": 3.0, "lower": 0.0}, "needs a quantity"),
        ({"quantity": "angle > 0.5", "upper": 0.5}, "constant between jumps, as a comparison is"),
        ({"quantity": "velocity", "lower": 0.0}, "depends on positions only"),
        ({"quantity": "vector", "lower": 0.0}, "needs one number that changes"),
        ({"quantity": "energy", "lower": 0.0}, "depends on positions only"),
    ],
)
def test_bad_limits(options, words):
    m = Model("ball", plane="xy")
    body = m.body("ball", mass=1.0, inertia=1.0)
    known = {
        "angle > 0.5": body.angle > 0.5,
        "velocity": body.velocity.y,
        "vector": body.position,
        "energy": m.kinetic_energy,
    }
    options = dict(options)
    quantity = options.pop("quantity", body.position.y)
    with pytest.raises(ModelError, match=words):
        m.limit("floor", known.get(quantity, quantity) if isinstance(quantity, str) else quantity, **options)


# ------------------------------------------------------------------------------------------------------------- a clock


def test_clock_ticks_twice_per_swing():
    """In the limit cycle the wheel advances by one tooth per period, and the weight gives what the damping takes."""
    made = clock()
    equations = made.equations()
    run = da.simulate(equations, (0, 40), made.start(equations), rtol=1e-8, atol=1e-10)
    assert run.success
    phi, psi = (equations.index("q", one.angle.name) for one in (made.pendulum, made.wheel))
    assert np.abs(run["play"]).max() < PLAY + 1e-9
    crossings = np.flatnonzero((run.q[phi, :-1] < 0) & (run.q[phi, 1:] >= 0))
    t = np.array([np.interp(0.0, run.q[phi, k : k + 2], run.t[k : k + 2]) for k in crossings])
    assert t.size >= 38
    wheel = run.sol(t).q[psi] * TEETH / (2 * np.pi)
    assert np.diff(wheel) == pytest.approx(1.0, abs=0.1)
    assert round(wheel[-1] - wheel[0]) == t.size - 1
    # A limit cycle: the swing no longer changes much, and is wide enough to let the wheel escape.
    third, last = (run.q[phi, (run.t > start) & (run.t < start + 10)].max() for start in (20, 30))
    assert last == pytest.approx(third, rel=1e-2) and last > WAVE - PLAY
