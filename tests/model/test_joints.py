"""Every joint as a joint of the tree, as a cut joint, and in absolute coordinates: one mechanism, one motion."""

import numpy as np
import pytest
from model.rows import check_rows

import dalembert as da
from dalembert.errors import EquationsError, ModelError, ModelWarning
from dalembert.model import Joint, Row, motions
from dalembert.model.joints import joints
from dalembert.model.model import Model

# Three chains from the ground outwards; together they have every joint. Values at the start are anything.
SPACE = (
    (
        ("R", "revolute", {"angle": 0.4, "angle.rate": 1.5}),
        ("C", "cylindrical", {"displacement": 0.2, "displacement.rate": -0.5, "angle": -0.6, "angle.rate": 2.0}),
        ("U", "universal", {"angle1": 0.3, "angle1.rate": 1.0, "angle2": -0.5, "angle2.rate": 0.7}),
    ),
    (
        ("P", "prismatic", {"displacement": 0.3, "displacement.rate": 0.6}),
        ("S", "spherical", {"rotation": (0.8, 0.2, -0.4, 0.4), "angular_velocity": (1.0, -2.0, 0.5)}),
        ("W", "screw", {"angle": 0.7, "angle.rate": -3.0}),
    ),
    (
        ("E", "planar_joint", {"x": 0.2, "y": -0.3, "angle": 0.8, "x.rate": 0.5, "y.rate": 0.3, "angle.rate": -1.2}),
        ("X", "fixed", {}),
        (
            "F", "free",
            {"x": 0.1, "y": 0.2, "z": -0.3, "x.rate": 0.1, "y.rate": -0.6, "z.rate": 0.2,
             "rotation": (0.5, 0.5, 0.1, -0.7), "angular_velocity": (0.3, 0.2, -1.0)},
        ),
    ),
)  # fmt: skip
PLANE = (
    (
        ("R", "revolute", {"angle": 0.4, "angle.rate": 1.5}),
        ("P", "prismatic", {"displacement": 0.3, "displacement.rate": 0.6}),
    ),
    (
        ("E", "planar_joint", {"x": 0.2, "y": -0.3, "angle": 0.8, "x.rate": 0.5, "y.rate": 0.3, "angle.rate": -1.2}),
        ("X", "fixed", {}),
        ("F", "free", {"x": 0.1, "y": 0.2, "angle": -0.3, "x.rate": 0.1, "y.rate": -0.6, "angle.rate": 0.2}),
    ),
)  # fmt: skip


def mechanism(chains, backwards):
    """All chains, with markers anywhere; every other one the other way round."""
    planar = chains is PLANE
    rng = np.random.default_rng(5)
    n = 2 if planar else 3
    m = Model("joints", plane="xy" if planar else None, gravity=(1.0, -2.0, -9.81)[:n])

    def marker(body):
        if planar:
            return body.at(*rng.uniform(-0.5, 0.5, n), angle=rng.uniform(-3, 3))
        return body.at(*rng.uniform(-0.5, 0.5, n), rotation=rng.normal(size=4))

    for number, chain in enumerate(chains):
        last = m.ground
        for name, kind, start in chain:
            inertia = rng.uniform(0.5, 0.9, 3)
            body = m.body(
                f"body {name}",
                mass=rng.uniform(1, 2),
                inertia=inertia[0] if planar else inertia,
                com=rng.uniform(-0.3, 0.3, n),
            )
            first, second = marker(last), marker(body)
            if (number % 2 == 1) != backwards:
                first, second = second, first
            more = {"pitch": 0.3} if kind == "screw" else {}
            getattr(m, kind)(name, first, second, start=start, **more)
            m.sensor(f"point {name}", body.at(*(0.3, 0.2, -0.1)[:n]).position)
            last = body
    return m


def coordinates_of(m):
    return [one for joint in m.joints for one in joint.own_coordinates.values()]


def formulations(m):
    """The tree of joints; some of them cut, deep inside and at the ground; poses of all bodies: by all builders.

    And whether to move: where accelerations agree, motions do, so that not all of them are needed.
    """
    angles = [one for one in coordinates_of(m) if one.is_angle]
    cut = [joint for joint in m.joints if joint.name in "CSWEP"]
    yield m.equations("relative", angles=angles, builder="symbolic"), True
    yield m.equations("relative", angles=angles, builder="symbolic", cut=cut), True
    yield m.equations("absolute", angles=angles, builder="symbolic"), True
    yield m.equations("absolute", angles=angles, builder="elements"), False
    yield m.equations("relative", angles=angles, builder="recursion"), False
    yield m.equations("relative", angles=angles, builder="recursion", cut=cut), False


def measured(equations, state):
    """Points, joint coordinates and their rates at a state."""
    m, value = equations.model, equations.evaluate_quantity
    points = [value(quantity, state) for quantity in m.sensors.values()]
    listed = coordinates_of(m)
    return (
        np.array(points),
        np.array([value(one, state) for one in listed]),
        np.array([value(one.rate, state) for one in listed]),
    )


def accelerations(equations, state):
    bodies = equations.model.bodies
    n = 2 if equations.model.planar else 3
    return np.array([equations.evaluate_quantity(body.at(*[0.4] * n).acceleration, state) for body in bodies])


def reactions(equations, state):
    """Forces and moments of all joints."""
    value = equations.evaluate_quantity
    parts = [(value(joint.force, state), value(joint.torque, state)) for joint in equations.model.joints]
    return np.concatenate([np.atleast_1d(part) for pair in parts for part in pair])


def last_state(solution):
    return da.State(*(x[..., -1] for x in (solution.t, solution.q, solution.v, solution.a, solution.lam, solution.u)))


@pytest.mark.parametrize("backwards", [False, True], ids=["this way", "other way"])
@pytest.mark.parametrize("chains", [PLANE, SPACE], ids=["plane", "space"])
def test_every_joint_is_the_same_in_a_tree_cut_and_as_a_constraint(chains, backwards):
    m = mechanism(chains, backwards)
    given = {f"{name}.{label}": value for chain in chains for name, _, start in chain for label, value in start.items()}
    found = []
    for equations, moving in formulations(m):
        check_rows(equations)
        state = equations.assemble()
        points, values, rates = measured(equations, state)
        for one, value, rate in zip(coordinates_of(m), values, rates, strict=True):
            assert value == pytest.approx(given[f"{one.name}"], abs=1e-13)
            assert rate == pytest.approx(given[f"{one.name}.rate"], abs=1e-13)
        end = ()
        if moving and (chains is PLANE or not backwards):
            solution = da.simulate(equations, (0, 0.4), state, method="dop853", rtol=1e-10, atol=1e-12)
            end = measured(equations, last_state(solution))
        found.append((accelerations(equations, state), reactions(equations, state), points, *end))
    for others in found[1:]:
        assert others[0] == pytest.approx(found[0][0], abs=1e-10)
        assert others[1] == pytest.approx(found[0][1], abs=1e-10)
        for value, reference in zip(others[2:], found[0][2:], strict=False):
            assert value == pytest.approx(reference, abs=1e-9)


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_angles_count_turns(coordinates):
    # Free spinning about one axis each: angle = start + rate t, over three turns and more, forwards and backwards.
    m = Model("spinning")
    rng = np.random.default_rng(2)
    kinds = {"R": "revolute", "C": "cylindrical", "W": "screw", "U": "universal", "E": "planar_joint"}
    turning = []
    for name, kind in kinds.items():
        body = m.body(f"body {name}", mass=1.0, inertia=(0.2, 0.2, 0.2))
        ends = (
            m.ground.at(*rng.normal(size=3), rotation=rng.normal(size=4)),
            body.at(0, 0, 0, rotation=rng.normal(size=4)),
        )
        label = "angle1" if kind == "universal" else "angle"
        more = {"pitch": 0.3} if kind == "screw" else {}
        joint = getattr(m, kind)(
            name,
            *ends[:: -1 if name in "CE" else 1],
            start={label: 0.5, f"{label}.rate": 21.0 if name != "U" else -21.0},
            **more,
        )
        turning.append(getattr(joint, label))
        m.sensor(f"turns of {name}", turning[-1])
    equations = m.equations(coordinates)
    solution = da.simulate(equations, (0, 1), equations.assemble(), method="dop853", rtol=1e-10, atol=1e-12)
    values = [solution[f"turns of {name}"][-1] for name in kinds]
    assert values == pytest.approx([21.5 if name != "U" else -20.5 for name in kinds], abs=1e-8)
    assert measured(equations, last_state(solution))[1] == pytest.approx(
        [21.5, 0.0, 21.5, 21.5, -20.5, 0.0, 0.0, 0.0, 21.5], abs=1e-8
    )


@pytest.mark.parametrize("start", [{"pitch": np.pi / 2}, {"pitch": -np.pi / 2, "roll": 0.3, "x": 1.0}])
def test_gimbal_lock_is_named(start):
    m = Model("aircraft")
    body = m.body("body", mass=1.0, inertia=(1.0, 2.0, 2.5))
    m.guide("pose", m.ground.at(0, 0, 0), body.at(0, 0, 0), slides="xyz", turns="zyx", start=start)
    words = r"guide 'pose' is in gimbal lock: where pose.pitch is -?1.5708, yaw and roll turn about the same axis"
    for builder in ("symbolic", "recursion"):
        with pytest.raises(EquationsError, match=f"{words}.*another order of turns than 'zyx'.*spherical") as caught:
            m.equations("relative", builder=builder).assemble()
        assert "inertia" not in str(caught.value)
    assert not m.equations("absolute").assemble().a.any()  # Euler parameters have no such position


def test_angles_in_the_plane_count_turns():
    m = Model("spinning", plane="xy")
    wheel = m.body("wheel", mass=1.0, inertia=0.1)
    A = m.revolute(
        "A", wheel.at(0, 0, angle=2.0), m.ground.at(1, 1, angle=-1.0), start={"angle": 7.0, "angle.rate": 21.0}
    )
    m.sensor("turns", 1.0 * A.angle)
    for coordinates in ("relative", "absolute"):
        equations = m.equations(coordinates)
        solution = da.simulate(equations, (0, 1), equations.assemble(), method="dop853", rtol=1e-10, atol=1e-12)
        assert solution["turns"][[0, -1]] == pytest.approx([7.0, 28.0], abs=1e-8)


def test_placements_of_bodies_give_the_values_of_joints():
    m = Model("placed", gravity=(0, 0, -9.81))
    first = m.body("first", mass=1.0, inertia=(1, 1, 1), position=(0, 0, 0), angular_velocity=(0, 0, 2.0))
    half = np.sqrt(0.5)
    second = m.body(
        "second", mass=1.0, inertia=(1, 1, 1), position=(0.2, 0.0, 0.7), rotation=(half, 0, 0, half),
        velocity=(0.0, 0.4, 0.3), angular_velocity=(0, 0, 3.0),
    )  # fmt: skip
    A = m.revolute("A", m.ground.at(0, 0, 0), first.at(0, 0, 0))
    B = m.cylindrical("B", first.at(0.2, 0, 0), second.at(0, 0, 0))
    for coordinates in ("relative", "absolute"):
        equations = m.equations(coordinates)
        state = equations.assemble()
        quantities = (A.angle, A.rate, B.angle, B.angle.rate, B.displacement, B.displacement.rate)
        found = [float(equations.evaluate_quantity(one, state)) for one in quantities]
        assert found == pytest.approx([0.0, 2.0, np.pi / 2, 1.0, 0.7, 0.3], abs=1e-12)


def test_start_values_of_a_joint_count_more_than_placements_and_unknown_ones_are_named():
    m = Model("placed", plane="xy")
    body = m.body("body", mass=1.0, inertia=1.0, position=(1, 0), angle=0.3)
    A = m.revolute("A", m.ground.at(0, 0), body.at(0, 0), start=0.8)
    equations = m.equations("absolute")
    with pytest.warns(ModelWarning, match="body 'body' stands 1 m and 28.6° from its place"):
        start = equations.assemble()
    assert float(equations.evaluate_quantity(A.angle, start)) == pytest.approx(0.8)
    other = m.body("other", mass=1.0, inertia=1.0)
    with pytest.raises(
        ModelError, match=r"revolute joint 'B' has no start value 'displacement'; it has angle, angle.rate"
    ):
        m.revolute("B", body.at(0, 0), other.at(0, 0), start={"displacement": 1.0})
    with pytest.raises(AttributeError, match=r"has no 'displacement'; .*angle, force, rate, torque"):
        A.displacement  # noqa: B018


def test_coordinates_of_joints_are_held_in_all_formulations():
    m = mechanism(SPACE, False)
    R, C, W = m["R"], m["C"], m["W"]
    wanted = {R.angle: 1.0, R.rate: 2.0, C.displacement: 0.4, m["U"].angle1: 0.9, W.rate: 3.0}
    states = []
    for options in ({}, {"cut": ["R", "C", "U"]}, {"coordinates": "absolute", "builder": "symbolic"}):
        equations = m.equations(**options)
        state = equations.assemble(wanted)
        quantities = (R.angle, R.rate, C.displacement, m["U"].angle1, W.rate)
        found = [float(equations.evaluate_quantity(one, state)) for one in quantities]
        assert found == pytest.approx([1.0, 2.0, 0.4, 0.9, 3.0], abs=1e-11)
        # The rates that are not asked for are those of the description.
        rates = [float(equations.evaluate_quantity(one.rate, state)) for one in (C.displacement, m["U"].angle1)]
        assert rates == pytest.approx([-0.5, 1.0], abs=1e-11)
        states.append(measured(equations, state)[0])
    assert states[1] == pytest.approx(states[0], abs=1e-9)
    assert states[2] == pytest.approx(states[0], abs=1e-9)


def test_a_reaction_is_what_moves_the_last_body():
    # Newton's law for the body at the end of a chain, in the axes of the joint's first frame.
    for backwards in (False, True):
        m = mechanism(SPACE, backwards)
        equations = m.equations()
        state = equations.assemble()
        for joint in (m["U"], m["W"]):
            body = m[f"body {joint.name}"]
            needed = body.properties.mass * (equations.evaluate_quantity(body.com.acceleration, state) - m.gravity)
            sign = 1.0 if joint.second.body is body else -1.0
            R = np.asarray(equations.evaluate_quantity(joint.first.rotation, state), dtype=float)
            force = equations.evaluate_quantity(joint.force, state)
            assert R @ force == pytest.approx(sign * needed, abs=1e-10)
        # A screw converts: moment and force along its axis do no work together.
        force, torque = (equations.evaluate_quantity(one, state)[2] for one in (m["W"].force, m["W"].torque))
        assert torque == pytest.approx(-force * 0.3 / (2 * np.pi), abs=1e-10)


def test_freedoms_and_rows_add_up():
    for chains, size in ((PLANE, 3), (SPACE, 6)):
        for joint in mechanism(chains, False).joints:
            assert joint.freedom + len(joint.rows) == size, joint


def test_angles_that_count_turns_are_asked_for_by_coordinate_or_joint():
    m = da.Model("rotor")
    body = m.body("a", mass=1.0, inertia=(0.1, 0.1, 0.1))
    A = m.revolute("A", m.ground.at(0, 0, 0), body.at(0, 0, 0))
    for angles in (A, A.angle, [A], [A.angle], ["A"], ["A.angle"]):
        assert "A.angle" in m.equations("absolute", angles=angles).names["q"]
    with pytest.raises(ModelError, match="a joint or a coordinate of one is needed"):
        m.equations("absolute", angles=[1.0])


# -------------------------------------------------------------------------------------------------- joints of a user


class Rolling(motions.Motion):
    """Forward along x, and round about −z."""

    name = "angle"
    is_angle = True

    def steps(self, q, v, data):
        forward = motions.Slide((1, 0, 0), data.radius * q[0], data.radius * v[0])
        return [forward, motions.Turn((0, 0, -1), q[0], v[0])]

    def measured(self, seen, data):
        distance, speed = seen.along((1, 0, 0))
        return distance / data.radius, speed / data.radius


class Pinion(Joint):
    """A wheel that rolls along the x axis of a rack, in the plane."""

    kind = "pinion"
    planar_motions = (Rolling(),)
    planar_rows = ("y", "rolling")

    def between(self, A, B, at):
        r, v, w = A.to(B), A.velocity_of(B), A.turning_of(B)
        along = Row(r.dot(A.x) + at.data.radius * (B.angle - A.angle), v.dot(A.x) + at.data.radius * w.dot(A.z))
        return [Row(r.dot(A.y), v.dot(A.y)), along]


def pinion_on_a_swing(backwards):
    """A rack that swings, and a wheel on it; or a wheel that swings, and a rack on it."""
    m = Model("swing", plane="xy", gravity=(0, -9.81))
    rack = m.body("rack", mass=1.5, inertia=0.3, com=(0.2, -0.4))
    wheel = m.body("wheel", mass=0.8, inertia=0.05, com=(0.03, 0.02))
    start = {"angle": 0.4, "angle.rate": -1.1}
    m.revolute("pivot", m.ground.at(0.1, 0.2), (wheel if backwards else rack).at(0.3, 0.5), start=start)
    a, b = rack.at(0.0, -0.5, angle=0.3), wheel.at(0.1, 0.0, angle=-0.7)
    roll = m.add(Pinion("roll", a, b, data={"radius": 0.25}, start={"angle": 0.9, "angle.rate": 2.0}))
    m.torsion_spring("spring", roll, 0.6)
    m.sensor("tip", wheel.at(0.4, 0.1).position)
    m.sensor("energy", m.energy)
    return m


@pytest.mark.parametrize("backwards", [False, True])
def test_a_joint_of_a_user_is_the_same_in_a_tree_cut_and_as_a_constraint(backwards):
    m = pinion_on_a_swing(backwards)
    tree = m.equations()
    assert tree.names["q"] == ("pivot.angle", "roll.angle") and tree.how.builder == "symbolic"
    assert "the motion of pinion 'roll'" in tree.how.why
    others = [m.equations(cut=["roll"]), m.equations("absolute"), m.equations("absolute", builder="elements")]
    runs = [da.simulate(one, (0, 0.5), one.assemble(), rtol=1e-11, atol=1e-12) for one in (tree, *others)]
    assert np.ptp(runs[0]["energy"]) < 1e-8
    for one in others:
        check_rows(one)
    for run in runs[1:]:
        for name in ("tip", "roll.angle", "roll.force", "roll.torque", "pivot.force"):
            assert run[name][..., 0] == pytest.approx(runs[0][name][..., 0], abs=1e-9), name
            assert run[name][..., -1] == pytest.approx(runs[0][name][..., -1], abs=1e-6), name
    with pytest.raises(ModelError, match="recursions do not know the motion of pinion 'roll'; use builder='symbolic'"):
        m.equations(builder="recursion")
    with pytest.raises(ModelError, match="motions of constant direction"):
        m.forward_dynamics()


class AsGiven(motions.AnyTurning):
    """Any rotation, but in coordinates of the second side whichever way the tree goes, and with no more said."""

    follows_tree = False

    def backwards(self):
        return motions.Motion.backwards(self)

    def directions(self, data):
        return None

    def link(self, data):
        return None


class Ball(joints.Spherical):
    """A ball joint in those coordinates."""

    motions = (AsGiven(),)


@pytest.mark.parametrize("backwards", [False, True])
def test_steps_back_undo_steps(backwards):
    def made(kind):
        m = Model("pendulum", gravity=(0, 0, -9.81))
        a = m.body("a", mass=1.0, inertia=(0.2, 0.3, 0.4), com=(0.4, 0.1, 0.0))
        ends = m.ground.at(0, 0, 0, rotation=(0.9, 0.1, 0.3, 0.2)), a.at(0.1, 0.2, 0.3, rotation=(0.5, -0.4, 0.3, 0.1))
        start = {"rotation": (0.8, 0.2, -0.4, 0.4), "angular_velocity": (1.0, -2.0, 0.5)}
        m.add(kind("S", *(reversed(ends) if backwards else ends), start=start))
        m.sensor("tip", a.at(1, 0, 0).position)
        m.sensor("tip speed", a.at(1, 0, 0).velocity)
        equations = m.equations()
        return da.simulate(equations, (0, 0.5), equations.assemble(), rtol=1e-11, atol=1e-12)

    own, known = made(Ball), made(joints.Spherical)
    for name in ("tip", "tip speed", "S.force", "S.torque"):
        assert own[name][..., 0] == pytest.approx(known[name][..., 0], abs=1e-12), name
        assert own[name][..., -1] == pytest.approx(known[name][..., -1], abs=1e-7), name
