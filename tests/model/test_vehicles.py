"""The HMMWV of fourteen bodies: counts of the thesis, equilibrium, eigenvalue, motion, balance of energy."""

from functools import cache

import numpy as np
import pytest
from model.motions import assert_same, last_state, reactions, sensors

import dalembert as da
from dalembert.model import MassProperties
from dalembert.problems import mechanisms
from dalembert.problems.mechanisms import vehicles

G = 9.81
MASS = 2576.92
TIGHT = {"method": "radau", "rtol": 1e-8, "atol": 1e-9}


@cache
def made(stiff, coordinates, builder="auto"):
    """A vehicle, its equations and its start."""
    example = mechanisms.hmmwv14(stiff)
    equations = example.model.equations(coordinates, builder=builder)
    return example, equations, example.assemble(equations)


def value(equations, quantity, state, parameters=None):
    return np.asarray(equations.evaluate_quantity(quantity, state, parameters), dtype=float)


# --------------------------------------------------------------------------------------------------- counts and data


@pytest.mark.parametrize(
    "stiff, coordinates, builder, sizes, dof",
    [
        (False, "absolute", "elements", (98, 84, 73), 11),
        (False, "relative", "symbolic", (32, 27, 16), 11),
        (True, "absolute", "elements", (98, 84, 66), 18),
        (True, "relative", "symbolic", (44, 35, 17), 18),
    ],
)
def test_sizes_are_those_of_the_thesis(stiff, coordinates, builder, sizes, dof):
    """In the thesis norms of Euler parameters are constraints too: 73 + 14 of 98, or 66 + 14, where it has m = 80."""
    _, equations, start = made(stiff, coordinates)
    s = equations.sizes
    assert (s.q, s.v, s.lam) == sizes and s.g == s.lam and equations.how.builder == builder
    assert equations.degrees_of_freedom(start.q).dof == dof == s.v - s.lam


def test_tree_and_order_of_bodies_are_those_of_table_5():
    example, equations, _ = made(False, "relative")
    arms = [f"{corner} {part}" for corner in vehicles.CORNERS for part in ("upper arm", "wheel")]
    lower = [f"{corner} lower arm" for corner in vehicles.CORNERS]
    assert [body.name for body in example.model.bodies] == ["chassis", *arms, "rack", *lower]
    carried = {carrier.body.name: carrier.joint.first.body.name for carrier in equations.layout.order()[1:]}
    assert carried == {
        "rack": "chassis",
        **dict.fromkeys(lower, "chassis"),
        **{f"{corner} upper arm": "chassis" for corner in vehicles.CORNERS},
        **{f"{corner} wheel": f"{corner} upper arm" for corner in vehicles.CORNERS},
    }
    cut = {name.split(".")[0] for name in equations.names["lam"]}
    assert cut == {f"{corner} {part}" for corner in vehicles.CORNERS for part in ("lower ball", "tie rod")}


def test_masses_and_lumped_wheels():
    model = mechanisms.hmmwv14().model
    assert sum(body.properties.mass for body in model.bodies) == pytest.approx(MASS, abs=0.011)
    wheel, at = model["LF wheel"].properties, vehicles.hard_points("LF")
    outer = 14.705 + 18.8 + 37.6
    share = 19.45 / (19.45 + outer)
    assert wheel.mass == pytest.approx(90.555) and wheel.com == pytest.approx(
        share * at["upright"] + (1 - share) * at["wheel"]
    )
    moved = 19.45 * outer / 90.555 * (at["wheel"] - at["upright"])[1] ** 2  # about x and z
    parts = np.sum([vehicles.BODIES[part][1] for part in ("upright", "spindle", "rim", "tyre")], axis=0)
    assert wheel.inertia == pytest.approx(np.diag(parts + np.array([moved, 0.0, moved])), abs=1e-12)
    assert model["RF wheel"].properties.com == pytest.approx(wheel.com * (1, -1, 1))


@pytest.mark.parametrize("arm, public", [("upper arm", (0.03, 0.03, 0.06276)), ("lower arm", (0.4, 0.4, 0.8938))])
def test_arms_are_flat_since_no_body_has_the_inertia_of_the_public_data(arm, public):
    mass, (x, y, z) = vehicles.BODIES[arm]
    with pytest.raises(da.DalembertError, match="triangle inequality"):
        MassProperties(mass, inertia=public)
    assert (x, y, z) == pytest.approx((0.5 * z, 0.5 * z, public[2]), rel=1e-12)


def test_road_is_the_envelope_of_a_rigid_wheel():
    p = type("P", (), {"bump": 1.0, "bump_at": 3.0})
    R, r = 0.4699, 0.05
    reach = np.sqrt((R + r) ** 2 - R**2)
    assert reach == pytest.approx(0.2225, abs=5e-5) and vehicles.REACH == pytest.approx(reach, rel=1e-15)
    heights = []
    for x in np.linspace(2.7, 3.3, 41):
        # The lowest place of a circle that nothing of the half cylinder, or of the level road, enters.
        angle = np.linspace(0.0, np.pi, 20001)
        top = np.stack([3.0 + r * np.cos(angle), r * np.sin(angle)])
        near = np.abs(top[0] - x) < R
        lowest = np.max(top[1, near] + np.sqrt(R**2 - (top[0, near] - x) ** 2), initial=R) - R
        heights.append(vehicles.envelope(x, p))
        assert heights[-1] == pytest.approx(lowest, abs=1e-8)
    assert max(heights) == pytest.approx(r) and heights[0] == heights[-1] == 0.0
    assert vehicles.half_cylinder(3.03, p) == pytest.approx(0.04) and vehicles.half_cylinder(3.06, p) < 1e-90
    assert vehicles.envelope(3.0, type("P", (), {"bump": 0.0, "bump_at": 3.0})) == 0.0


def test_options_are_checked():
    with pytest.raises(da.DalembertError, match=r"no road='wheel'.*envelope"):
        mechanisms.hmmwv14(road="wheel")
    with pytest.raises(da.DalembertError, match="locked must be True or False"):
        mechanisms.hmmwv14(locked="no")
    assert mechanisms.hmmwv14(locked=True).model.equations("relative").sizes.lam == 17


# -------------------------------------------------------------------------------------- where it stands, and how stiff


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
@pytest.mark.parametrize("stiff", [False, True])
def test_it_starts_in_equilibrium_on_level_ground(stiff, coordinates):
    example, equations, start = made(stiff, coordinates)
    model = example.model
    assert np.abs(equations.evaluate("g", q=start.q)).max() < 1e-12
    ride = value(equations, model["ride"], start)
    assert ride[2] == pytest.approx(0.71, abs=1e-3) and abs(ride[1]) < 1e-12
    loads = [float(value(equations, model[f"{corner} tyre"].force, start)) for corner in vehicles.CORNERS]
    assert sum(loads) == pytest.approx(G * MASS, rel=1e-5)
    assert loads[0] == pytest.approx(loads[1]) and loads[2] == pytest.approx(loads[3])
    assert loads[0] == pytest.approx(6516.0, rel=1e-3) and loads[2] == pytest.approx(6124.0, rel=1e-3)
    # Everything goes ahead at the same speed, and nothing of the weight is left to accelerate it.
    for body in model.bodies:
        assert value(equations, body.velocity, start) == pytest.approx([4.4704, 0.0, 0.0], abs=1e-10)
        assert np.abs(value(equations, body.com.acceleration, start)).max() < 1e-4 * G


def test_suspension_travel_and_wheel_loads_are_measured():
    example, equations, _ = made(False, "relative")
    start = example.assemble(equations)
    run = da.simulate(equations, (0.0, 0.6), start, t_eval=np.linspace(0.0, 0.6, 121))
    p, look = equations.parameters, run.appearance
    poses = {body.name: body for body in look.bodies}

    def height(body, point):
        """Of a point of a body, by its stored poses."""
        w, x, y, z = poses[body].rotation.T
        row = np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x**2 + y**2)], axis=1)
        return poses[body].position[:, 2] + row @ point

    at = np.searchsorted(look.t, run.t)
    for corner in vehicles.CORNERS:
        hub = vehicles.hard_points(corner)["wheel"]
        risen = (height(f"{corner} wheel", hub) - height("chassis", hub))[at]
        np.testing.assert_allclose(run[f"{corner} travel"], risen, atol=1e-12)
        assert run.units[f"{corner} travel"] == "m" and run.units[f"{corner} tyre.force"] == "N"
        # The load by the height of the road and differences of it along the path.
        x, z = run[f"{corner} hub.x"], run[f"{corner} hub.z"]
        depth = np.array([vehicles.envelope(one, type("P", (), dict(p))) for one in x]) + vehicles.WHEEL_RADIUS - z
        rate = np.gradient(depth, run.t)
        load = np.maximum(p["tyre_stiffness"] * depth + p["tyre_damping"] * rate, 0.0)
        smooth = slice(0, 80)  # before the bump
        np.testing.assert_allclose(run[f"{corner} tyre.force"][smooth], load[smooth], rtol=1e-3)
    for name in ("travel", "tyre.force"):
        assert np.ptp(run[f"LF {name}"]) > 10 * np.ptp(run[f"LR {name}"])  # the front wheels are on the bump
        np.testing.assert_allclose(run[f"LF {name}"], run[f"RF {name}"], rtol=1e-6, atol=1e-8)
    force = [value(equations, example.model["LF tyre"].force, run.state(k)) for k in (0, 95, 100)]
    np.testing.assert_allclose(run["LF tyre.force"][[0, 95, 100]], np.ravel(force), rtol=1e-9)


def test_dominant_eigenvalue_is_that_of_the_thesis():
    _, equations, start = made(True, "relative")
    found = equations.linearise(start).eigenvalues
    dominant = found[np.argmin(found.real)]
    assert dominant.real == pytest.approx(-2.6e5, rel=0.01) and abs(dominant.imag) < 1e-6 * abs(dominant)
    # It is the twist of an arm about the line between its two balls, against the damper of a bushing: −c s²/J.
    estimated = []
    for corner in ("LF", "LR"):
        at = vehicles.hard_points(corner)
        joint, axis = 0.5 * (at["upper front"] + at["upper back"]), at["upper front"] - at["upper back"]
        axis, line = axis / np.linalg.norm(axis), at["upper ball"] - joint
        line /= np.linalg.norm(line)
        mass, inertia = vehicles.BODIES["upper arm"]
        J = inertia @ line**2 + mass * np.sum(np.cross(at["upper centre"] - joint, line) ** 2)
        estimated.append(-2e6 * vehicles.BUSHING_ARM**2 * np.sum(np.cross(axis, line) ** 2) / J)
    assert dominant.real == pytest.approx(min(estimated), rel=0.02)
    # With a tenth of the damping it has a tenth of that.
    softer = equations.linearise(start, parameters={"bushing_damping": 2e5}).eigenvalues
    assert softer.real.min() == pytest.approx(0.1 * dominant.real, rel=0.01)


def test_spring_lengths_of_the_public_data_lift_it():
    example, equations, start = made(True, "relative")
    free = {"front_length": 0.339344, "rear_length": 0.381762}
    held = ["chassis.x", "chassis.y", "chassis.p3"]  # nothing holds it on a level road
    rest = equations.equilibrium(start.q, held=held, parameters=free)
    assert value(equations, example.model["ride"], rest, free)[2] == pytest.approx(0.762, abs=1e-3)


# ----------------------------------------------------------------------------------------------------------- motion


def test_accelerations_and_reactions_are_the_same_in_all_formulations():
    # The bump is below the front wheels at the start.
    over = {"bump_at": 1.72, "bump": 1.3, "tyre_damping": 9000.0}
    reference = {}
    for coordinates, builder in (("relative", "symbolic"), ("relative", "recursion"), ("absolute", "elements")):
        example, equations, _ = made(True, coordinates, builder)
        state = example.assemble(equations, parameters=over)
        found = {
            "accelerations": np.array(
                [value(equations, body.com.acceleration, state, over) for body in example.model.bodies]
            ),
            "forces": np.array([value(equations, joint.force, state, over) for joint in example.model.joints]),
        }
        assert np.abs(found["accelerations"]).max() > 10.0
        for what, numbers in found.items():
            assert_same(numbers, reference.setdefault(what, numbers), 1e-7, (what, coordinates, builder))


@cache
def ridden(stiff, coordinates, end=0.75):
    """Over the bump with the front wheels, computed tightly."""
    _, equations, start = made(stiff, coordinates)
    run = da.simulate(equations, (0.0, end), start, **TIGHT)
    assert run.success, run.message
    return run


def test_motion_is_the_same_in_absolute_and_relative_coordinates():
    found = []
    for coordinates in ("relative", "absolute"):
        _, equations, _ = made(True, coordinates)
        state = last_state(ridden(True, coordinates))
        found.append((sensors(equations, state), reactions(equations, state)[0]))
    assert_same(found[1][0], found[0][0], 1e-7, "sensors")
    assert_same(found[1][1], found[0][1], 1e-4, "reactions")


def test_nothing_brakes_it_and_it_runs_straight():
    example, equations, start = made(True, "relative")
    state = last_state(ridden(True, "relative"))
    for quantity in example.conserved.values():
        first, last = value(equations, quantity, start), value(equations, quantity, state)
        assert last == pytest.approx(first, rel=1e-9) and first == pytest.approx(MASS * 4.4704, rel=1e-5)
    x, y, _ = value(equations, example.model["ride"], state)
    assert x == pytest.approx(0.056 + 0.75 * 4.4704, abs=2e-3) and abs(y) < 1e-9


def test_work_of_road_and_dampers_is_what_the_energy_changes_by():
    model = mechanisms.hmmwv14(True).model
    lifting, damping, stored = 0.0, 0.0, model.energy
    for corner in vehicles.CORNERS:
        tyre = model[f"{corner} tyre"]
        hub = model[f"{corner} wheel"].at(vehicles.hard_points(corner)["wheel"])
        lifting = lifting + tyre.force * hub.velocity[2]  # the force of the road is vertical
        damping = damping + vehicles.DAMPERS[vehicles.axle_of(corner)] * model[f"{corner} damper"].rate ** 2
        for kind in ("vertical", "lateral"):
            damping = damping + 2e6 * model[f"{corner} {kind} bushing"].rate ** 2
        stored = stored - 0.5 * 296325.0 * tyre.compression**2
    for name, quantity in (("lifting", lifting), ("damping", damping), ("stored", stored)):
        model.sensor(name, quantity)
    equations = model.equations("relative")
    # Within the steps of a run everything is smooth, but in those where wheels meet the bump or leave it.
    ends = ridden(True, "relative").t
    nodes, weights = np.polynomial.legendre.leggauss(5)
    middle, half = 0.5 * (ends[1:] + ends[:-1]), 0.5 * np.diff(ends)
    times = np.concatenate([[0.0], (middle[:, None] + half[:, None] * nodes).ravel(), [ends[-1]]])
    run = da.simulate(equations, (0.0, ends[-1]), equations.assemble(), t_eval=times, **TIGHT)
    lifted, lost = (
        float(np.sum(half[:, None] * weights * run[name][1:-1].reshape(-1, 5))) for name in ("lifting", "damping")
    )
    assert lost > 500.0 and run["stored"][-1] - run["stored"][0] == pytest.approx(lifted - lost, abs=1e-4)


def test_it_settles_at_the_height_of_the_thesis():
    example, equations, start = made(True, "absolute")
    run = da.simulate(equations, example.span, start, method="radau", rtol=1e-4, atol=1e-5)
    assert run.success
    height, settled = run["ride.z"], example.references[0]
    assert height[-1] == pytest.approx(settled.values["ride.z"], abs=1e-3) and run.t[-1] == settled.t
    # Front wheels meet the bump at 0.5 s, rear wheels at 1.2 s; each time the chassis rises.
    t = np.linspace(0.0, 5.0, 501)
    q = run.sol(t).q[equations.index("q", "chassis.z")]
    still, moving = np.abs(q - q[0]) < 1e-4, np.abs(q - q[0]) > 5e-3
    assert still[t < 0.43].all() and moving[(t > 0.5) & (t < 0.55)].all() and still[t > 4.0].all()
    assert 0.01 < height.max() - height[0] < 0.03
    assert run.statistics.steps < 400  # explicit methods take 25 µs at a time


def test_without_a_bump_it_rolls_on():
    _, equations, start = made(True, "absolute")
    run = da.simulate(
        equations, (0.0, 2.0), start, method="radau", rtol=1e-4, atol=1e-5, parameters={"bump": 0.0, "speed": 4.4704}
    )
    assert np.ptp(run["ride.z"]) < 1e-6 and run["LR hub.x"][-1] - run["LR hub.x"][0] == pytest.approx(8.9408, abs=1e-6)


def test_speed_is_a_parameter():
    example, equations, _ = made(False, "absolute")
    state = example.assemble(equations, parameters={"speed": 10.0})
    for body in example.model.bodies:
        assert value(equations, body.velocity, state) == pytest.approx([10.0, 0.0, 0.0], abs=1e-10)


def test_wheels_that_follow_points_are_lifted_too():
    example = mechanisms.hmmwv14(road="point")
    equations = example.model.equations("absolute")
    run = da.simulate(equations, (0.0, 1.0), example.assemble(equations), method="radau", rtol=1e-5, atol=1e-6)
    height = run["LF hub.z"]
    assert run.success and 5e-3 < height.max() - height[0] < 0.05
    # The front wheels are over the bump from 2.15 m on.
    assert np.ptp(height[run.t < 2.14 / 4.4704]) < 1e-6


# ---------------------------------------------------------------------------------------------------------- drawing


def test_it_is_drawn_with_its_wheels():
    _, equations, start = made(False, "relative")
    lines = equations.lines(np.zeros(2), np.stack([start.q, start.q], axis=1))
    assert list(lines) == [body.name for body in equations.model.bodies]
    hub = value(equations, equations.model["LF hub"], start)
    wheel = lines["LF wheel"][1]
    tread = wheel[: np.flatnonzero(np.isnan(wheel[:, 0]))[1]]
    tread = tread[np.isfinite(tread[:, 0])]
    far = np.hypot(vehicles.WHEEL_RADIUS, 0.5 * vehicles.WHEEL_WIDTH)
    assert len(tread) == 50 and np.linalg.norm(tread - hub, axis=1) == pytest.approx(far)


def test_its_animation_is_in_the_report(tmp_path):
    _, equations, _ = made(True, "relative")
    page = da.report(da.draw(ridden(True, "relative"), equations, frames=5), tmp_path / "vehicle.html")
    text = page.read_text(encoding="utf-8")
    assert all(f'"name":"{corner} wheel"' in text for corner in vehicles.CORNERS)
