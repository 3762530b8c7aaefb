"""Wheels on rails as elements of a model: both formulations, Klingel's wave, directions, critical speed, lift-off."""

import numpy as np
import pytest

import dalembert as da
from dalembert.model.rails.wheel_rail import WheelRail
from dalembert.problems.mechanisms import wheelsets
from dalembert.problems.mechanisms.locomotive import locomotive, locomotive_track
from dalembert.problems.problem import ProblemError
from dalembert.rail.patch import LEAST_CURVATURE, hertz
from dalembert.rail.segments import Straight
from dalembert.rail.standard_profiles import cone, crown
from dalembert.rail.surface import contact_axes, line_curvature, rail, relative_curvatures
from dalembert.rail.track import Track
from dalembert.symbolic import array, derivative, evaluate, time_derivative


@pytest.fixture(scope="module")
def hunting():
    example = wheelsets.wheelset(10.0, law="polach", measure=True)
    return example.model, example.model.equations()


def random_states(equations, count, seed=0):
    """Consistent states of a wheelset that is a few millimetres and milliradians off its way."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield equations.assemble({
            "axle guide.y": 3e-3 * rng.uniform(-1, 1), "axle guide.yaw": 3e-3 * rng.uniform(-1, 1),
            "axle guide.y.rate": 0.05 * rng.uniform(-1, 1), "axle guide.yaw.rate": 0.05 * rng.uniform(-1, 1),
        })  # fmt: skip


def test_embedded_is_augmented(hunting):
    """(14) and (15) of the railway paper: the same accelerations and loads, and no forces along the parameters."""
    model, embedded = hunting
    augmented = model.equations(auxiliary="augmented")
    assert (embedded.sizes.v, embedded.sizes.lam) == (7, 2)
    assert (augmented.sizes.v, augmented.sizes.lam) == (15, 10)
    own = [augmented.index("v", name) for name in embedded.names["v"]]
    for state in random_states(embedded, 5):
        v = np.zeros(augmented.sizes.v)
        v[own] = state.v
        v[[k for k in range(len(v)) if k not in own]] = (embedded.evaluate("T", q=state.q) @ state.v)[-8:]
        a, lam = augmented.forward_dynamics(state.q, v)
        np.testing.assert_allclose(a[own], state.a, rtol=1e-9, atol=1e-9 * np.abs(state.a).max())
        np.testing.assert_allclose(lam[:2], state.lam, rtol=1e-9)
        assert np.abs(lam[2:]).max() < 1e-9 * np.abs(lam[:2]).max()


def test_starts_of_both_forms_are_the_same():
    """Parameters of surfaces have no mass: their rates follow, and do not hold the vehicle back (1e-4 m/s of 24)."""
    example = wheelsets.wheelset(10.0, law="polach")
    embedded, augmented = example.model.equations(), example.model.equations(auxiliary="augmented")
    first, second = (example.assemble(equations) for equations in (embedded, augmented))
    own = [augmented.index("v", name) for name in embedded.names["v"]]
    assert np.abs(second.v).max() > 9.0
    np.testing.assert_allclose(second.v[own], first.v, atol=1e-7)


def test_forms_of_gamma(hunting):
    """φⁿ_s vanishes on the constraints; γ from n·v is γ of φⁿ differentiated twice."""
    _, equations = hunting
    scene = equations.scene
    for state in random_states(equations, 3, seed=1):
        point = {"p": equations.parameter_vector(), "t": [0.0], "q": state.q, "v": state.v, "lam": state.lam}
        known = dict.fromkeys(scene.inputs["a"], 0.0)
        known |= {s: float(x) for key, listed in point.items() for s, x in zip(scene.inputs[key], listed, strict=True)}
        for element in equations.layout.with_auxiliary:
            site = scene.site(element)
            (row,) = element.constraints(site)
            by_s = evaluate(array([derivative(row.value, s) for s in site.s]), known)
            assert np.abs(np.asarray(by_s, dtype=float)).max() < 1e-10
            twice = evaluate(array([time_derivative(time_derivative(row.value)), time_derivative(row.rate)]), known)
            assert twice[0] == pytest.approx(twice[1], abs=1e-10 * (1.0 + abs(twice[0])))


def test_loads_and_sensors(hunting):
    model, equations = hunting
    state = equations.assemble()

    def measured(name):
        return equations.evaluate_quantity(model.sensors[f"axle {name}"], state)

    weight = wheelsets.MASS * wheelsets.GRAVITY + wheelsets.LOAD
    lifting = wheelsets.MASS * state.a[equations.index("v", "axle guide.z.rate")]
    assert measured("left Q") + measured("right Q") == pytest.approx(weight + lifting, rel=1e-9)
    assert measured("left N") == pytest.approx(state.lam[0])
    assert measured("left wear") >= 0.0
    assert measured("left Y/Q") == pytest.approx(measured("left Y") / measured("left Q"))
    assert 2e-3 < measured("left patch")[0] < 1e-2
    assert measured("sum Y") == pytest.approx(measured("right Y") - measured("left Y"))


def test_directions_mirror():
    """A motion backwards is the mirror image of that forwards."""
    found = []
    for sign in (1.0, -1.0):
        equations = wheelsets.wheelset(sign * 15.0, law="polach").model.equations()
        given = {"axle guide.y": 2e-3, "axle guide.yaw": sign * 1e-3, "axle guide.y.rate": 0.02}
        state = equations.assemble(given)
        a = dict(zip(equations.names["v"], state.a, strict=True))
        found.append([a["axle guide.y.rate"], sign * a["axle guide.yaw.rate"], sign * a["axle spin.rate"], *state.lam])
    np.testing.assert_allclose(found[0], found[1], rtol=1e-9, atol=1e-9)


def test_klingel():
    """The wave of a free wheelset at low speed, between the contact points of wheels that are cones."""
    example = wheelsets.wheelset(2.0, springs=0.0, lateral=0.002)
    equations = example.model.equations()
    start = example.assemble(equations)
    found = da.simulate(equations, (0, 16), start, method="bdf", rtol=1e-6, atol=1e-8)
    assert found.success, found.message
    x, y = found.q[equations.index("q", "axle guide.x")], found.q[equations.index("q", "axle guide.y")]
    k = np.flatnonzero(y[1:] * y[:-1] < 0)
    zeros = x[k] - y[k] * (x[k + 1] - x[k]) / (y[k + 1] - y[k])
    assert len(zeros) >= 3
    u = 0.5 * (start.q[equations.index("q", "axle right.u")] - start.q[equations.index("q", "axle left.u")])
    wave = wheelsets.klingel(wheelsets.RADIUS, 0.75 - u, wheelsets.CONICITY)
    assert zeros[2] - zeros[0] == pytest.approx(wave, rel=0.02)


def test_critical_speed():
    """Where linear theory says that hunting begins, it does: growth within 2 % of the speed above, decay below."""
    example = wheelsets.wheelset(60.0, lateral=0.0, distance=900.0)
    equations = example.model.equations()
    standing = example.assemble(equations)
    critical = wheelsets.critical_speed(equations, standing, 40.0, 100.0)
    y = equations.index("q", "axle guide.y")
    sizes = []
    for factor in (0.98, 1.02):
        q, v = wheelsets.running(equations, standing, factor * critical)
        start = equations.assemble(q + 1e-4 * np.eye(len(q))[y], v)
        run = da.simulate(equations, (0, 8), start, method="bdf", rtol=1e-7, atol=1e-10, dense_output=True)
        t = np.linspace(0, 8, 1601)
        moved = np.abs(run.sol(t).q[y])
        sizes.append(moved[t > 6].max() / moved[(t > 1) & (t < 3)].max())
        rate = wheelsets.growth(equations, standing, factor * critical).real
        assert np.log(sizes[-1]) / 5 == pytest.approx(rate, abs=0.05)
    assert sizes[0] < 1.0 < sizes[1]


def test_critical_speed_asks_for_a_steady_start():
    """Springs that do not carry their loads yet: wheels have but their own weight, and creep is weaker."""
    example = wheelsets.bogie(30.0, lateral=0.0)
    equations = example.model.equations()
    with pytest.raises(ProblemError, match=r"suspension\.z\.rate changes by -9\.\d+ a second.*equilibrium\(\)"):
        wheelsets.growth(equations, equations.assemble(), 30.0)
    resting = equations.equilibrium()
    upwards = resting.lam.sum() * np.cos(np.arctan(wheelsets.CONICITY))
    assert upwards == pytest.approx(2 * (wheelsets.LOAD + wheelsets.MASS * wheelsets.GRAVITY), rel=1e-5)
    assert wheelsets.growth(equations, resting, 30.0).real < 0.0


def test_critical_speed_takes_everything_along():
    """A carriage that slides along under a name of its own runs with its wheelset; one that stays behind is named."""
    track, found = Track([Straight(100.0)], distance=1.5), []
    for name, speed in (("way", 20.0), ("line", 20.0), ("line", 0.0)):
        m = da.Model("hunting", gravity=(0, 0, -9.81))
        carriage = m.body("carriage", mass=8000.0, inertia=(1.0, 1.0, 1.0))
        m.guide(name, m.ground.at(0, 0, 0.5), carriage, slides="x", start={"x": 10.0, "x.rate": speed})
        axle = m.wheelset(
            "axle", m.ground, track, wheel=cone(0.5, 0.05), rail=crown(0.3), mass=1000.0, inertia=(600.0, 100.0, 600.0),
            speed=20.0, start={"x": 10.0},
        )  # fmt: skip
        for side, y in (("left", 1.0), ("right", -1.0)):
            m.bushing(
                side, carriage.at(0, y, 0), axle.frame.at(0, y, 0), (2e5, 2e5, 0, 0, 0, 0), (1e3, 1e3, 0, 0, 0, 0)
            )
        equations = m.equations()
        start = equations.assemble()
        if speed:
            found.append(wheelsets.growth(equations, start, 50.0))
        else:
            with pytest.raises(ProblemError, match=r"body 'carriage' moves at 0 m/s, and wheelsets run at 50 m/s"):
                wheelsets.growth(equations, start, 50.0)
    assert found[0] == pytest.approx(found[1], rel=1e-9)


def test_contacts_that_jump_are_told():
    """New wheels on new rails fit each other in places. Imex jumps over, methods with error control fall."""
    equations = wheelsets.wheelset(50.0, "s1002").model.equations()
    start = equations.assemble()
    run = da.simulate(equations, (0, 0.2), start, method="bdf", rtol=1e-6)
    assert run.outcome == "event" and "lifts off" in run.message
    assert "The contact of wheel 'axle left' falls into another place of its profile, at t = 0.049" in run.message
    run = da.simulate(equations, (0, 0.2), start, method=da.Imex(step=1e-3))
    assert "jumps across its profile, by" in run.message
    smooth = wheelsets.wheelset(50.0).model.equations()
    assert "profile" not in da.simulate(smooth, (0, 0.2), smooth.assemble(), method=da.Imex(step=1e-3)).message


def test_jumps_are_seen_in_steps_of_any_size():
    t = np.linspace(0.0, 1.0, 1001)
    still, wander = np.zeros((4, t.size)), np.zeros((4, t.size))
    wander[3] = 0.04 * np.sin(20.0 * t)  # 0.8 m/s
    assert WheelRail.remark(t, {"wheel 'a'": still, "wheel 'b'": wander}) == ""
    jumps = wander.copy()
    jumps[3] += np.where(t > 0.5005, 5e-3, 0.0) - np.where(t > 0.7005, 4e-3, 0.0)
    told = WheelRail.remark(t, {"wheel 'a'": jumps, "wheel 'b'": wander})
    assert (
        "The contact of wheel 'a' jumps across its profile, by" in told and "at t = 0.5 (2 such jumps in all)" in told
    )
    assert WheelRail.remark(t[::-1], {"wheel 'b'": wander}) == ""


def test_lift_off_is_named():
    track = Track([Straight(50.0)], distance=1.5)
    m = da.Model("lifted", gravity=(0, 0, -9.81))
    axle = m.wheelset(
        "axle", m.ground, track, wheel=cone(0.5, 0.05), rail=crown(0.3), mass=1000.0, inertia=(600.0, 100.0, 600.0),
        law="linear", speed=5.0, start={"x": 5.0},
    )  # fmt: skip
    m.force("crane", axle.frame.at(0, 0.75, 0), lambda t: (0.0 * t, 0.0 * t, 9810.0 * t))
    equations = m.equations()
    found = da.simulate(equations, (0, 1), equations.assemble(), method="bdf")
    assert "wheel 'axle left' lifts off at t = " in found.message
    assert found.t[-1] == pytest.approx(0.5, abs=0.02)  # half of the weight, but for roll and the width of the rails


def test_locomotive_sizes():
    example = locomotive("S0", irregular=False, lateral=0.0)
    equations = example.model.equations()
    assert (equations.sizes.v, equations.sizes.lam, equations.sizes.q) == (30, 8, 62)
    assert [len(block.places) for block in equations.innermost.expressions.auxiliary] == [4] * 8
    mass = sum(float(body.properties.mass) for body in example.model.bodies)
    assert mass == pytest.approx(34250.68, rel=1e-12)
    state = example.assemble(equations)
    assert state.lam.min() > 35e3
    assert state.lam.sum() == pytest.approx(mass * 9.8, rel=2e-3)  # the published start is nearly in equilibrium


def test_track_of_the_locomotive_is_as_long_as_it_shall_last():
    track = locomotive_track("S0", irregular=False, span=60.0)
    assert track.length - locomotive_track("S0", irregular=False, span=20.0).length == pytest.approx(40.0 * 23.7)
    with pytest.raises(ProblemError, match="span must be a positive number of seconds, got -1"):
        locomotive_track("S0", span=-1.0)
    faster = locomotive_track("S0", irregular=False, span=60.0, speed=30.0)
    assert faster.length - track.length == pytest.approx(60.0 * 6.3)
    assert locomotive_track("S0", irregular=False, span=60.0, speed=1.0).length == track.length


@pytest.fixture(scope="module")
def straight():
    example = locomotive("S0", profiles="published")
    equations = example.model.equations()
    return equations, example.assemble(equations)


def test_conformal_contacts_are_told(straight):
    """The hollow wheel fits the rail where B falls below the floor of Hertz's theory: named, counted, no end."""
    equations, start = straight
    run = da.simulate(equations, (0, 0.6), start, method=da.Imex(step=1e-3), dense_output=False)
    assert run.outcome == "finished"
    found = [record for record in run.events if "conformal" in record.name]
    assert found and found[0].name in run.message and f"t = {found[0].t:.9g}" in run.message
    wheel = next(one for one in equations.layout.with_auxiliary if f"'{one.name}'" in found[0].name)
    A, B = (np.array(x) for x in wheel_curvatures(wheel, found[0].q, equations))
    assert min(A, B) < LEAST_CURVATURE
    # the ellipse there is that of the floor
    state = da.State(found[0].t, found[0].q, found[0].v, found[0].a, found[0].lam, found[0].u)
    a, b = equations.evaluate_quantity(wheel.patch, state)
    floored = hertz(
        found[0].lam[list(equations.layout.with_auxiliary).index(wheel)], A, LEAST_CURVATURE, wheel.law.material
    )
    assert (a, b) == pytest.approx((floored.a, floored.b), rel=1e-6)


def wheel_curvatures(wheel, q, equations):
    """A and B in numbers."""
    s, u_r, _, u = (q[equations.index("q", f"{wheel.name}.{name}")] for name in ("s", "u_rail", "theta", "u"))
    rail_at = rail(wheel.curve, wheel.rail, s, u_r)
    n = contact_axes(rail_at.along, rail_at.across).n
    return relative_curvatures(wheel.wheel, u, wheel.rail, u_r, line_curvature(wheel.curve, s, n))


@pytest.mark.parametrize("method", ["dop853", "radau", "bdf"])
def test_steps_that_end_on_the_border_of_a_profile(method):
    """Behind the border the rail is straight, and cannot be followed: the wheel is named, not a loss of rank."""
    m = da.Model("pushed", gravity=(0, 0, -9.81))
    axle = m.wheelset(
        "axle", m.ground, Track([Straight(50.0)], distance=1.5), wheel=cone(0.46, 0.1), rail=crown(0.3), mass=1200.0,
        inertia=(700.0, 100.0, 700.0), speed=5.0, start={"x": 10.0},
    )  # fmt: skip
    m.force("wind", axle.frame.origin, (0.0, 20e3, 0.0))
    equations = m.equations()
    found = da.simulate(equations, (0, 2), equations.assemble(), method=method)
    assert "wheel 'axle left' leaves the range of its profiles" in found.message
    assert found.t[-1] == pytest.approx(0.0228, rel=1e-2)


def test_ranges_of_profiles():
    """Contacts that leave their profiles end runs, or are told."""
    track = Track([Straight(50.0)], distance=1.5)
    for ranged in (True, False):
        m = da.Model("pushed", gravity=(0, 0, -9.81))
        axle = m.wheelset(
            "axle", m.ground, track, wheel=cone(0.5, 0.05, 0.0165), rail=crown(0.3), mass=1000.0,
            inertia=(600.0, 100.0, 600.0), law="linear", speed=5.0, start={"x": 5.0}, ranged=ranged,
        )  # fmt: skip
        m.force("push", axle.frame.at(0, 0, 0), lambda t: (0.0 * t, 4e3 + 0.0 * t, 0.0 * t))
        equations = m.equations()
        found = da.simulate(equations, (0, 2), equations.assemble(), method=da.Imex(step=1e-3))
        assert "leaves the range of its profiles at t = " in found.message
        assert (found.t[-1] < 2.0) == ranged
