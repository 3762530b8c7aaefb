"""What is asked of a mechanism with quantities of its model: starts, events, kinematics, equilibria on stops."""

import itertools
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from model.linkages import four_bar
from model.motions import FORMULATIONS

import dalembert as da
from dalembert.errors import ConstraintError, ModelError, SimulationError, StateError


@pytest.fixture(scope="module")
def model():
    return four_bar()


@pytest.fixture(scope="module", params=["relative", "absolute"])
def equations(request, model):
    return model.equations(request.param)


def test_angle_of_a_cut_joint_and_its_rate_are_held(model, equations):
    C = model["C"]
    state = equations.assemble({C.angle: 1.2, C.rate: 0.3})
    assert equations.evaluate_quantity(C.angle, state) == pytest.approx(1.2, abs=1e-12)
    assert equations.evaluate_quantity(C.rate, state) == pytest.approx(0.3, abs=1e-12)


def test_any_scalar_of_positions_or_velocities_is_held(model, equations):
    tip = model.sensors["tip"]
    state = equations.assemble({tip.y: 0.45})
    assert equations.evaluate_quantity(tip, state)[1] == pytest.approx(0.45, abs=1e-12)
    v = model["rocker"].at(0.5, 0).velocity
    state = equations.assemble({model["A"]: 0.9, v.y: 0.3})  # a joint stands for its only coordinate
    assert equations.evaluate_quantity(model["A"].angle, state) == pytest.approx(0.9, abs=1e-12)
    assert equations.evaluate_quantity(v, state)[1] == pytest.approx(0.3, abs=1e-12)
    with pytest.raises(ModelError, match=r"is not one number; hold its components"):
        equations.assemble({tip: 0.45})
    with pytest.raises(StateError, match=r"has no coordinate or velocity 'E.angle'; did you mean"):
        equations.assemble({"E.angle": 1.0})


def test_coordinates_are_held_at_the_values_of_the_start(model, equations):
    state = equations.assemble(held=[model["D"].angle])
    assert equations.evaluate_quantity(model["D"].angle, state) == pytest.approx(2.0, abs=1e-12)
    again = equations.assemble(held="D.angle")
    assert again.q == pytest.approx(state.q, abs=1e-12)
    with pytest.raises(StateError, match=r"A.angle must start from one number, got \[1, 2\]"):
        equations.assemble({"A.angle": [1, 2]})


def test_equations_do_not_see_later_changes_of_the_model():
    m = four_bar()
    equations = m.equations()
    m.sensor("late", m.body("late body", 1.0, 0.1).position)
    found = da.simulate(equations, (0, 0.1), equations.assemble({m["A"]: 1.0}))
    assert "late" not in found and "missing" not in found.message and "tip" in found


def test_quantities_and_lines_where_some_rows_are_off(model, equations):
    state = equations.assemble({model["A"]: 1.0})
    part = equations.restricted(range(equations.sizes.lam - 1))
    less = da.State(state.t, state.q, state.v, state.a, state.lam[:-1], state.u)
    assert part.evaluate_quantity(model["A"].angle, less) == pytest.approx(1.0)
    assert list(part.lines(np.zeros(1), state.q[:, None])) == ["crank", "coupler", "rocker"]


def test_events_are_quantities(model, equations):
    A = model["A"]
    start = equations.assemble({A: 1.0})
    events = [A.angle - 0.8, da.Event(A.rate, terminal=True)]
    found = da.simulate(equations, (0, 2), start, events=events, rtol=1e-9, atol=1e-11)
    assert [event.name for event in found.events] == ["event 0", "A.rate"] and found.t[-1] < 1.0
    for k, value in enumerate((0.8, 0.0)):
        event = found.events[k]
        state = da.State(event.t, event.q, event.v, event.a, event.lam, event.u)
        quantity = (A.angle, A.rate)[k]
        assert equations.evaluate_quantity(quantity, state) == pytest.approx(value, abs=1e-9)
    assert "tip.x" in found and "C.force" in found and "nothing" not in found


def test_driven_mechanism_starts_and_moves_as_its_drive_says():
    m = four_bar()
    A = m["A"]
    m.drive("turn", A.angle, lambda t: 1.0 + 2.0 * t)
    driven = m.equations()
    state = driven.assemble({A.angle: 1.0})
    assert driven.evaluate_quantity(A.rate, state) == pytest.approx(2.0, abs=1e-12)
    t = np.linspace(0.0, 0.4, 5)
    motion = driven.kinematics(t, {A: 1.0})
    assert motion["A.angle"] == pytest.approx(1.0 + 2.0 * t, abs=1e-12)
    assert motion["tip.x"].shape == (5,) and motion["C.force"].shape == (2, 5)
    # The moment of the drive does the work: its power is the rate of the energy.
    rate = [driven.evaluate_quantity(m.energy, motion.state(k)) for k in range(5)]
    fine = driven.kinematics(np.linspace(0.0, 0.4, 401), {A: 1.0})
    work = np.trapezoid(2.0 * fine["turn.force"], fine.t)
    assert work == pytest.approx(rate[-1] - rate[0], rel=1e-5)
    with pytest.raises(StateError, match=r"nothing called 'tipp.x'; did you mean 'tip.x'"):
        motion["tipp.x"]


def pendulum_on_stop(coordinates):
    m = da.Model("pendulum", plane="xy", gravity=(0, -9.81))
    rod = m.body("rod", 2.0, 0.1, com=(0.5, 0))
    B = m.revolute("B", m.ground, rod)
    m.limit("stop", B.angle, lower=-1.0, upper=2.0)
    return m, B, m.equations(coordinates)


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_equilibrium_rests_on_a_stop(coordinates):
    _, B, equations = pendulum_on_stop(coordinates)
    start = equations.assemble({B: -0.5}).q
    state = equations.equilibrium(start)
    assert equations.evaluate_quantity(B.angle, state) == pytest.approx(-1.0, abs=1e-9)
    force = dict(zip(equations.names["lam"], state.lam, strict=True))
    assert force["stop.lower"] == pytest.approx(2.0 * 9.81 * 0.5 * np.cos(1.0)) and force["stop.upper"] == 0.0


@pytest.mark.parametrize("stiffness", [10.0, 0.0])
def test_ball_rests_on_the_floor_and_does_not_swing_there(stiffness):
    m = da.Model("ball", plane="xz", gravity=(0, -9.81))
    ball = m.body("ball", mass=2.0, inertia=1.0)
    guide = m.prismatic("guide", m.ground, ball, axis="z", start=1.0)
    m.limit("floor", guide, lower=0.0)
    if stiffness:
        m.joint_spring("spring", guide, stiffness)
    equations = m.equations()
    rest = equations.equilibrium()
    assert rest.q == pytest.approx([0.0], abs=1e-12) and rest.lam == pytest.approx([2.0 * 9.81])
    assert not equations.linearise(rest).eigenvalues.size  # the stop holds it
    assert equations.assemble(rest).q == pytest.approx(rest.q)  # a state is a start


def chain_on_springs(seed, planar):
    """Three links from any position, far from all equilibria; springs let several be stable."""
    rng = np.random.default_rng(seed)
    size = 2 if planar else 3
    m = da.Model("chain", plane="xy" if planar else None, gravity=(0.0, -9.81, 0.0)[:size])
    last = m.ground.at(*(0.0,) * size)
    for i in range(3):
        length, end = rng.uniform(0.3, 1.0), rng.uniform(-1.0, 1.0, size)
        inertia = rng.uniform(0.01, 0.1) if planar else tuple(rng.uniform(0.05, 0.09, 3))
        link = m.body(f"link{i}", mass=rng.uniform(0.5, 2.0), inertia=inertia, com=(length / 2, *(0.0,) * (size - 1)))
        if planar:
            m.revolute(f"J{i}", last, link.at(0, 0), start=rng.uniform(-np.pi, np.pi))
        else:
            m.spherical(f"J{i}", last, link.at(0, 0, 0), start={"rotation": tuple(rng.standard_normal(4))})
        last = link.at(length, *(0.1,) * (size - 1))
        m.spring(f"s{i}", m.ground.at(*end), last, stiffness=rng.uniform(10, 100), length=rng.uniform(0.2, 1.0))
    return m


@pytest.mark.parametrize(("seed", "planar"), [(0, True), (1, True), (0, False)])
def test_equilibria_next_to_a_start_are_the_same_in_all_coordinates(seed, planar):
    m, found = chain_on_springs(seed, planar), []
    for coordinates in ("relative", "absolute"):
        equations = m.equations(coordinates)
        rest = equations.equilibrium(equations.assemble().q)
        found.append([equations.evaluate_quantity(body.com.position, rest) for body in m.bodies])
    assert np.allclose(*found, rtol=0, atol=1e-6)


def test_letters_are_axes_of_the_plane():
    for plane, axis, along in (
        ("xz", "z", [0, 1]),
        ("yz", "y", [1, 0]),
        ("xy", "-x", [-1, 0]),
        ("xz", (3, 4), [0.6, 0.8]),
    ):
        for on_markers in (True, False):
            m = da.Model("slider", plane=plane)
            body = m.body("body", 1.0, 1.0)
            pair = [one.at(0, 0, axis=axis) if on_markers else one.at(0, 0) for one in (m.ground, body)]
            guide = m.prismatic("guide", *pair, **({} if on_markers else {"axis": axis}))
            equations = m.equations()
            found = equations.evaluate_quantity(body.position, equations.assemble({guide: 1.0}))
            assert found == pytest.approx(along, abs=1e-15)
    m = da.Model("slider", plane="xz")
    body = m.body("body", 1.0, 1.0)
    with pytest.raises(ModelError, match=r"axis in the plane must be two numbers, not both zero, or 'x', 'z'; got 'y'"):
        m.prismatic("guide", m.ground, body, axis="y")
    with pytest.raises(ModelError, match=r"marker on 'body': the rotation leaves the plane"):
        body.at(0, 0, rotation=(1, 1, 0, 0))
    with pytest.raises(ModelError, match=r"body 'flat': in the plane inertia is one number"):
        m.body("flat", 1.0, (1.0, 1.5, 2.0))


def test_quantities_of_another_model_are_refused(equations, model):
    other = four_bar()
    state = equations.assemble({model["A"]: 1.0})
    with pytest.raises(ModelError, match=r"'rocker' belongs to another copy of the model 'four-bar'"):
        equations.evaluate_quantity(other["tip"], state)
    with pytest.raises(StateError, match=r"revolute joint 'A' is none of 'four-bar'"):
        equations.assemble({other["A"].angle: 1.0})
    with pytest.raises(da.DalembertError, match=r"parameters must be a dictionary by name"):
        equations.assemble({model["A"]: 1.0}, parameters=[1.0])


def test_start_beyond_a_stop_is_refused():
    _, B, equations = pendulum_on_stop("relative")
    with pytest.raises(ConstraintError, match=r"the start is beyond the stop 'stop.lower' by 0.5"):
        equations.assemble({B: -1.5})


def test_model_is_no_equations(model):
    with pytest.raises(SimulationError, match=r"make its equations first, model.equations\(\)"):
        da.simulate(model, (0, 1), (0, 0))


def test_drawing_has_a_line_for_each_body(model, equations):
    found = da.simulate(equations, (0, 0.5), equations.assemble({model["A"]: 1.0}))
    da.draw(found, equations, frames=11)
    assert {name: line.shape for name, line in found.sketch.lines.items()} == dict.fromkeys(
        ("crank", "coupler", "rocker"), (11, 2, 2)
    )
    crank, coupler = found.sketch.lines["crank"], found.sketch.lines["coupler"]
    assert np.hypot(*(crank[:, 1] - crank[:, 0]).T) == pytest.approx(0.2, abs=1e-12)
    assert coupler[:, 0] == pytest.approx(crank[:, 1], abs=1e-9)
    with pytest.raises(SimulationError, match="only equations that a model has made can be drawn"):
        da.draw(found, da.problems.pendulum().equations)


def test_quantities_are_taken_apart():
    """Python would ask for ever for the next component."""
    m = four_bar()
    x, y = m["rocker"].at(1, 0).position
    m.sensor("both", [x, y])
    with pytest.raises(TypeError, match="cannot be taken apart"):
        list(itertools.islice(m["A"].angle, 3))


def four_bar_along(point, inertia, options, **model):
    m = da.Model("four-bar", **model)
    p, q, r = (m.body(name, mass=1.0, inertia=inertia, com=point(0.5)) for name in "pqr")
    A = m.revolute("A", m.ground.at(*point(0)), p.at(*point(0)), start=-1.1, **options)
    m.revolute("B", p.at(*point(1)), q.at(*point(0)), start=0.9, **options)
    m.revolute("C", q.at(*point(2)), r.at(*point(1.2)), start=-1.1, **options)
    m.revolute("D", m.ground.at(*point(2)), r.at(*point(0)), start=-1.1, **options)
    m.torsion_spring("spring", A, 50.0, natural=-1.1)
    return m


@pytest.mark.parametrize(("axis", "across"), [("y", 9.81), ((0, 1, 1), 9.81 / np.sqrt(2))])
@pytest.mark.parametrize(("coordinates", "builder"), FORMULATIONS)
def test_rows_of_rounding_errors_are_empty(axis, across, coordinates, builder):
    """Of a planar loop of revolute joints in space three rows vanish; 1e-16 is left of them, which is no constraint."""
    m = four_bar_along(lambda x: (x, 0, 0), (0.1, 0.1, 0.1), {"axis": axis}, gravity=(0, 0, -9.81))
    equations = m.equations(coordinates, builder=builder)
    rest = equations.equilibrium(redundant="accept")
    mobility = equations.degrees_of_freedom(rest.q)
    assert mobility.dof == 1
    assert len(mobility.redundant) == 3
    flat = four_bar_along(lambda x: (x, 0), 0.1, {}, plane="xy", gravity=(0, across)).equations()
    np.testing.assert_allclose(
        equations.linearise(rest, redundant="accept").frequencies,
        flat.linearise(flat.equilibrium()).frequencies,
        rtol=1e-9,
    )


def chain(angles):
    """Sixty links, joined across and upright in turn, at rest."""
    m = da.Model("chain", gravity=(0, 0, -9.81))
    last = m.ground.at(0, 0, 0)
    for i, angle in enumerate(angles):
        body = m.body(f"b{i}", mass=1.0, inertia=(0.1, 0.1, 0.1), com=(0.5, 0, 0))
        m.revolute(f"J{i}", last, body.at(0, 0, 0), axis="y" if i % 2 else "z", start=angle)
        last = body.at(1, 0, 0)
    return m.equations("absolute", builder="elements")


def test_linearisation_of_long_chains_in_absolute_coordinates():
    """Nearby motions are so slow that differences leave more of T than its rate has."""
    equations, angles = chain(np.full(60, 0.1)), np.full(60, 0.1)
    found = equations.linearise(equations.assemble())
    assert found.A.shape == (120, 120)
    # Beside it, accelerations of chains that start a little to either side.
    step = 1e-5 * np.sin(1.0 + np.arange(60))
    near = [chain(angles + sign * step).assemble() for sign in (1.0, -1.0)]
    dq, da = near[0].q - near[1].q, near[0].a - near[1].a
    z = np.linalg.lstsq(found.to_q[:, :60], dq, rcond=None)[0]
    np.testing.assert_allclose(found.to_q[:, :60] @ z, dq, atol=1e-8 * np.abs(dq).max())
    a = da[[equations.index("v", name) for name in found.states[60:]]]
    np.testing.assert_allclose(found.A[60:, :60] @ z, a, atol=1e-6 * np.abs(a).max())
    np.testing.assert_allclose(found.A[:60, :60] @ z, 0.0, atol=1e-10)


def test_reactions_are_formulated_when_one_is_asked_for():
    """Pin forces of a pendulum at rest beside the horizontal: closed form, asked for by many threads at once."""
    m = da.Model("pendulum", plane="xy", gravity=(0, -9.81))
    rod = m.body("rod", mass=2.0, inertia=0.3, com=(0.5, 0))
    A = m.revolute("A", m.ground.at(0, 0), rod.at(0, 0))
    m.sensor("tip", rod.at(1, 0).position)
    equations = m.equations()
    found = da.simulate(equations, (0, 0.1), equations.assemble({A: 0.0}))
    assert "tip" in found.outputs and equations.scene.tree_reactions is None
    with ThreadPoolExecutor(8) as pool:
        forces = list(pool.map(lambda _: found["A.force"], range(8)))
        drawings = list(pool.map(lambda _: equations.body_lines, range(8)))
    assert all(one is drawings[0] for one in drawings) and all(one is forces[0] for one in forces)
    falling = 2.0 * 9.81 * 0.5 / (0.3 + 2.0 * 0.25) * 0.5  # acceleration of the centre of mass
    assert forces[0][:, 0] == pytest.approx([0.0, 2.0 * (9.81 - falling)])
    assert np.array_equal(found["A.force.y"], forces[0][1])
