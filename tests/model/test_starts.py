"""Where a model starts: what is asked for comes out or is refused; what was drawn and is moved is told."""

import warnings

import numpy as np
import pytest
from model.motions import FORMULATIONS

import dalembert as da
from dalembert.errors import ConstraintError, ModelWarning, StateError
from dalembert.model.model import Model


def two_rods(planar):
    size = 2 if planar else 3
    m = Model("two rods", plane="xy" if planar else None)
    zero, end = (0.0,) * size, (1.0, *(0.0,) * (size - 1))
    inertia = 0.1 if planar else (0.01, 0.1, 0.1)
    middle = tuple(0.5 * x for x in end)
    one, two = (m.body(name, mass=1.0, inertia=inertia, com=middle) for name in ("one", "two"))
    A = m.revolute("A", m.ground.at(zero), one.at(zero), **({} if planar else {"axis": "z"}))
    B = m.revolute("B", one.at(end), two.at(zero), **({} if planar else {"axis": "z"}))
    return m, A, B


@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize(("coordinates", "builder"), FORMULATIONS)
def test_all_that_is_asked_for_comes_out(coordinates, builder, planar):
    m, A, B = two_rods(planar)
    equations = m.equations(coordinates, builder=builder)
    names = {"relative": "A.rate", "absolute": "one.rate" if planar else "one.wz"}
    rate = names[coordinates]
    tip = m["two"].at(1, 0) if planar else m["two"].at(1, 0, 0)
    for asked in (
        {rate: 1.0, B.rate: 0.0},
        {rate: 1.0, B.rate: 0.3, A.angle: 0.4},
        {A.angle: 0.4, tip.position.x: 1.1, rate: 1.0},
        {A.angle: 0.4, tip.position.x: 1.1, tip.velocity.y: 0.7, A.rate: -0.2},
    ):
        state = equations.assemble(asked)
        for key, value in asked.items():
            found = state.v[equations.index("v", key)] if key == rate else equations.evaluate_quantity(key, state)
            assert found == pytest.approx(value, abs=1e-9), (asked, key)
        g, G = equations.evaluate("g", "G", q=state.q)
        assert np.abs(g).max(initial=0.0) < 1e-9 and np.abs(G @ state.v).max(initial=0.0) < 1e-9


@pytest.mark.parametrize(("coordinates", "builder"), FORMULATIONS)
def test_what_contradicts_itself_is_refused(coordinates, builder):
    m, A, B = two_rods(False)
    equations = m.equations(coordinates, builder=builder)
    tip = m["two"].at(1, 0, 0)
    with pytest.raises(
        ConstraintError, match=r"position on two.x.*Asked for were A.angle = 0.4, position on two.x = 3"
    ):
        equations.assemble({A.angle: 0.4, tip.position.x: 3.0})
    with pytest.raises(ConstraintError, match=r"Asked for were .*velocity on two.x = 5"):
        equations.assemble({A.angle: 0.0, B.angle: 0.0, A.rate: 1.0, B.rate: 0.0, tip.velocity.x: 5.0})
    with pytest.raises(StateError, match=r"A.angle is given twice, 1 and 2"):
        equations.assemble({A.angle: 1.0, "A.angle": 2.0})


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_what_cannot_be_met_is_told_in_the_words_of_the_user(coordinates):
    m, A, B = two_rods(True)
    equations = m.equations(coordinates)
    tip = m["two"].at(1, 0)
    with pytest.raises(ConstraintError) as caught:
        equations.assemble({tip.position[0]: 3.0, A.angle: 0.4})
    for word in ("hold", "start nearer", "a quantity"):
        assert word not in str(caught.value)
    assert "Asked for were quantity 1 = 3, A.angle = 0.4" in str(caught.value)
    for kinetic in (m.kinetic_energy, 1.0 * m.kinetic_energy):
        what = kinetic.name or "quantity 1"
        with pytest.raises(ConstraintError, match=f"{what} was asked to be -1 and contradicts .* nearest .* is 0"):
            equations.assemble({kinetic: -1.0})
    for bad in (np.nan, np.inf):
        with pytest.raises(StateError, match=r"the start of A.angle must be finite"):
            equations.assemble({A.angle: bad})
        with pytest.raises(StateError, match=r"the start of A.angle must be a finite"):
            equations.start({A.angle: bad})
    for ask in (equations.assemble, equations.start):
        with pytest.raises(StateError, match=r"'B.angel'; did you mean 'B.angle'"):
            ask({"B.angel": 1.0})
    with pytest.raises(StateError, match=r"position on two.x is no coordinate.*assemble meets"):
        equations.start({tip.position.x: 1.0})
    assert equations.start({B: 0.3})[0] == pytest.approx(equations.start({"B.angle": 0.3})[0])


def test_named_velocities_and_states_count_beside_vectors():
    m, A, _ = two_rods(True)
    m.actuator("motor", A, _force, states={"current": 0.5}, rates=_rates)
    equations = m.equations()
    state = equations.assemble({A.rate: 1.0, "motor.current": 0.25}, [3.0, 4.0], [7.0])
    assert state.v.tolist() == [1.0, 4.0] and state.u.tolist() == [0.25]


def _force(current):
    return current


def _rates(current):
    return -current


# ------------------------------------------------------------------------------------------------- what was drawn


def slider(position, **options):
    m = Model("slider", plane="xy")
    block = m.body("block", mass=1.0, inertia=0.1, position=position, **options)
    m.prismatic("rail", m.ground.at(0, 0), block.at(0, 0), axis="x")
    m.sensor("place", block.position)
    return m


@pytest.mark.parametrize(("coordinates", "builder"), FORMULATIONS)
def test_places_that_joints_contradict_are_told(coordinates, builder):
    equations = slider((1.0, 0.5)).equations(coordinates, builder=builder)
    with pytest.warns(ModelWarning, match=r"'slider'.*body 'block' misses prismatic joint 'rail' by 0.5 m\."):
        state = equations.assemble()
    assert equations.evaluate_quantity(equations.model["block"].position, state) == pytest.approx([1.0, 0.0])
    with pytest.warns(ModelWarning, match="0.5 m"):  # also where a value is asked for
        equations.assemble({"rail.displacement": 2.0})
    with pytest.warns(ModelWarning, match="5.73°"):
        slider((1.0, 0.0), angle=0.1).equations(coordinates, builder=builder).assemble()
    # Digits of a drawing are no contradiction.
    slider((1.0, 0.0004), angle=1e-4).equations(coordinates, builder=builder).assemble()


@pytest.mark.parametrize(("coordinates", "builder"), FORMULATIONS)
def test_velocities_that_joints_contradict_are_told(coordinates, builder):
    with pytest.warns(ModelWarning, match="velocity of body 'block' was changed by 0.5 m/s"):
        slider((1.0, 0.0), velocity=(2.0, 0.5)).equations(coordinates, builder=builder).assemble()
    slider((1.0, 0.0), velocity=(2.0, 0.0)).equations(coordinates, builder=builder).assemble()


@pytest.mark.parametrize(("coordinates", "builder"), FORMULATIONS)
def test_velocities_count_without_places(coordinates, builder):
    m = Model("lance")
    along, across = np.array([[np.cos(0.4), 0.0, -np.sin(0.4)], [-np.sin(0.4), 0.0, -np.cos(0.4)]])
    one = m.body("one", mass=1.0, inertia=(0.1, 0.1, 0.1), angular_velocity=(0.0, 3.0, 0.0))
    two = m.body("two", mass=1.0, inertia=(0.1, 0.1, 0.1), velocity=6.0 * across + 2.0 * along)
    hinge = m.revolute("hinge", m.ground.at(0, 0, 0), one.at(-1, 0, 0), axis="y", start=0.4)
    tube = m.cylindrical("tube", one.at(1, 0, 0), two.at(0, 0, 0), axis="x", start={"angle.rate": 7.0})
    equations = m.equations(coordinates, builder=builder)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        state = equations.assemble()
    found = [equations.evaluate_quantity(one, state) for one in (hinge.rate, tube.angle.rate, tube.displacement.rate)]
    assert found == pytest.approx([3.0, 7.0, 2.0], abs=1e-9)


@pytest.mark.parametrize(("coordinates", "builder"), FORMULATIONS)
def test_velocities_without_places_that_joints_forbid_are_told(coordinates, builder):
    equations = slider(None, velocity=(2.0, 0.5)).equations(coordinates, builder=builder)
    with pytest.warns(ModelWarning, match="velocity of body 'block' was changed by 0.5 m/s"):
        state = equations.assemble()
    assert equations.evaluate_quantity("rail.rate", state) == pytest.approx(2.0)
    with pytest.warns(ModelWarning, match="angular velocity of body 'block' was changed by 3 rad/s"):
        slider(None, angular_velocity=3.0).equations(coordinates, builder=builder).assemble()


def four_bar(given="", start=None, **velocity):
    m = Model("four-bar", plane="xy")
    lengths = {"crank": 0.2, "coupler": 0.7, "rocker": 0.5}
    bodies = [
        m.body(name, mass=1.0, inertia=0.02, com=(x / 2, 0), **(velocity if name == given else {}))
        for name, x in lengths.items()
    ]
    crank, coupler, rocker = bodies
    A = m.revolute("A", m.ground.at(0, 0), crank.at(0, 0), start={"angle": 1.0, **(start or {})})
    m.revolute("B", crank.at(0.2, 0), coupler.at(0, 0))
    m.revolute("C", coupler.at(0.7, 0), rocker.at(0.5, 0))
    m.revolute("D", m.ground.at(0.8, 0), rocker.at(0, 0))
    return m, bodies, A


@pytest.mark.parametrize(("coordinates", "builder"), FORMULATIONS)
def test_velocities_in_loops_are_not_held_back_by_bodies_that_were_given_none(coordinates, builder):
    for name in ("crank", "coupler", "rocker"):
        m, bodies, A = four_bar(name, angular_velocity=2.0)
        equations = m.equations(coordinates, builder=builder)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            states = [equations.assemble(), equations.assemble({A.angle: 1.0})]
        for state in states:
            w = equations.evaluate_quantity(m[name].angular_velocity, state)
            assert w == pytest.approx(2.0, abs=1e-9), name
        # What is asked for counts more.
        state = equations.assemble({A.angle: 1.0, A.rate: 3.0})
        assert equations.evaluate_quantity(A.rate, state) == pytest.approx(3.0)
    m, bodies, A = four_bar(start={"angle.rate": 2.0})
    equations = m.equations(coordinates, builder=builder)
    assert equations.evaluate_quantity(A.rate, equations.assemble()) == pytest.approx(2.0)
    # The nearest that the loop allows, and a word about it.
    m, bodies, A = four_bar("coupler", velocity=(0.0, 0.4))
    equations = m.equations(coordinates, builder=builder)
    state = equations.assemble({A.angle: 1.0})
    along = np.array([-np.sin(1.0), np.cos(1.0)])  # of the crank's end
    assert equations.evaluate_quantity(bodies[1].velocity, state) == pytest.approx(0.4 * along[1] * along)
    with pytest.warns(ModelWarning, match="velocity of body 'coupler' was changed"):
        equations.assemble()


@pytest.mark.parametrize(("coordinates", "builder"), FORMULATIONS)
def test_velocities_that_say_little_leave_the_rest_as_described(coordinates, builder):
    """A loop of five bars has two freedoms; rates that nobody gave stay near to zero, the same in all coordinates."""
    m = Model("five-bar", plane="xy")
    names = ["one", "two", "three", "four"]
    ends = [(0.0, 0.0), (0.0, 1.0), (1.0, 1.8), (2.0, 1.0), (2.0, 0.0)]
    bodies, last = [], m.ground.at(0, 0)
    for name, a, b in zip(names, ends, ends[1:], strict=False):
        along = np.subtract(b, a)
        more = {"angular_velocity": 1.5} if name == "three" else {}
        body = m.body(name, mass=1.0, inertia=0.1, position=a, angle=float(np.arctan2(*along[::-1])), **more)
        m.revolute(f"J {name}", last, body.at(0, 0))
        last = body.at(float(np.linalg.norm(along)), 0)
        bodies.append(body)
    m.revolute("J", m.ground.at(2, 0), last)
    equations = m.equations(coordinates, builder=builder)
    state = equations.assemble()
    found = [float(equations.evaluate_quantity(body.angular_velocity, state)) for body in bodies]
    assert found[2] == pytest.approx(1.5, abs=1e-9)
    expected = m.equations("absolute", builder="symbolic")
    other = expected.assemble()
    assert found == pytest.approx([float(expected.evaluate_quantity(b.angular_velocity, other)) for b in bodies])
    # Of two ways to move a bar the one is taken that moves the others least: no more energy than with one at rest.
    held = expected.assemble({m["J one"].rate: 0.0})
    assert expected.evaluate_quantity(m.kinetic_energy, other) <= expected.evaluate_quantity(m.kinetic_energy, held)


@pytest.mark.parametrize(("coordinates", "builder"), FORMULATIONS)
def test_loops_that_move_what_was_drawn_are_told(coordinates, builder):
    """The rod between two blocks is longer than their distance."""
    m = Model("trammel", plane="xy")
    a = m.body("a", mass=1.0, inertia=0.1, position=(0.6, 0))
    b = m.body("b", mass=1.0, inertia=0.1, position=(0, 0.6))
    rod = m.body("rod", mass=1.0, inertia=0.1)
    m.prismatic("x", m.ground.at(0, 0), a.at(0, 0), axis="x")
    m.prismatic("y", m.ground.at(0, 0), b.at(0, 0), axis="y")
    m.revolute("A", a.at(0, 0), rod.at(0, 0), start=2.4)
    m.revolute("B", b.at(0, 0), rod.at(1, 0))
    equations = m.equations(coordinates, builder=builder)
    with pytest.warns(ModelWarning, match="body 'a' was moved by .* m to meet revolute joint '[AB]'; body 'b' was"):
        state = equations.assemble()
    place = [equations.evaluate_quantity(body.position, state) for body in (a, b)]
    assert np.hypot(*(place[0] - place[1])) == pytest.approx(1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        equations.assemble({"x.displacement": 0.8})  # asked for


def test_a_place_beside_a_start_of_its_joint_is_told():
    m = Model("pendulum", plane="xy")
    rod = m.body("rod", mass=1.0, inertia=0.1, position=(0, 0), angle=1.0)
    m.revolute("A", m.ground.at(0, 0), rod.at(0, 0), start=0.5)
    for coordinates in ("relative", "absolute"):
        with pytest.warns(
            ModelWarning, match=r"body 'rod' stands 28.6° from its place, as revolute joint 'A' has a start"
        ):
            m.equations(coordinates).assemble()


def test_other_questions_tell_it_too():
    m = slider((1.0, 0.5))
    m.drive("motor", m["rail"].displacement, _push)
    equations = m.equations()
    with pytest.warns(ModelWarning, match="0.5 m"):
        equations.kinematics([0.0, 0.1])


def _push(t):
    return 1.0 + t


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
@pytest.mark.parametrize("name", ["stewart_platform", "seven_body", "spatial_slider_crank", "double_wishbone"])
def test_places_follow_from_coordinates_as_in_the_equations(name, coordinates):
    """Numbers of frames beside the atoms of the equations, also of joints that the tree passes backwards."""
    example = getattr(da.problems.mechanisms, name)()
    equations = example.model.equations(coordinates)
    state = example.assemble(equations)
    start = equations.begin(equations.parameters, {})
    places = start.placed_at(equations.layout, state.q, state.v).bodies
    for body in example.model.bodies:
        at, size = places[body.name], len(example.model.labels)
        assert equations.evaluate_quantity(body.position, state) == pytest.approx(at.r[:size], abs=1e-10)
        assert equations.evaluate_quantity(body.velocity, state) == pytest.approx(at.v[:size], abs=1e-8)
        assert equations.evaluate_quantity(body.rotation, state) == pytest.approx(at.R, abs=1e-10)


def test_moves_are_told_with_what_is_to_be_changed():
    """Velocities alone are no matter of places; a body is overruled by the joint that it hangs on."""
    m = Model("m", plane="xy")
    one = m.body("one", mass=1.0, inertia=0.1, position=(0.5, 0.0), velocity=(1.0, 0.0))
    m.revolute("A", m.ground.at(0, 0), one.at(-0.5, 0))
    with pytest.warns(ModelWarning, match="the velocity of body 'one'.*Give velocities that fit") as caught:
        m.equations().assemble()
    assert [one.filename for one in caught] == [__file__]
    m = Model("m", plane="xy")
    one = m.body("one", mass=1.0, inertia=0.1, position=(0.5, 0.0))
    two = m.body("two", mass=1.0, inertia=0.1)
    m.revolute("B", one.at(0.5, 0), two.at(0, 0), start=0.1)
    m.revolute("A", m.ground.at(0, 0), one.at(-0.5, 0), start=0.7)
    with pytest.warns(ModelWarning, match="body 'one' stands .* as revolute joint 'A' .* Give places that fit"):
        m.equations().assemble()


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_start_of_one_joint_of_a_loop_is_held(coordinates):
    def crank(**starts):
        m = da.Model("four-bar", plane="xy", gravity=(0, -9.81))
        lengths = {"crank": 0.2, "coupler": 0.7, "rocker": 0.5}
        crank, coupler, rocker = (m.body(name, mass=1.0, inertia=0.02, com=(x / 2, 0)) for name, x in lengths.items())
        A = m.revolute("A", m.ground.at(0, 0), crank.at(0, 0), start=starts.get("A"))
        m.revolute("B", crank.at(0.2, 0), coupler.at(0, 0), start=starts.get("B"))
        m.revolute("C", coupler.at(0.7, 0), rocker.at(0.5, 0))
        m.revolute("D", m.ground.at(0.8, 0), rocker.at(0, 0))
        return m.equations(coordinates), A

    eqs, A = crank(A=1.0)
    assert eqs.evaluate_quantity(A.angle, eqs.assemble()) == pytest.approx(1.0, abs=1e-9)
    assert np.allclose(eqs.assemble().q, eqs.assemble({A.angle: 1.0}).q, atol=1e-9)
    # More values than freedoms tell where to look.
    eqs, A = crank(A=1.0, B=1.5)
    with pytest.warns(ModelWarning, match=r"A.angle was given as 1 and starts at .*; B.angle was given as 1.5 and"):
        assert abs(eqs.evaluate_quantity(A.angle, eqs.assemble()) - 1.0) > 1e-3
    # Nothing is held that the loop cannot reach.
    longest = da.Model("out of reach", plane="xy")
    a, b = (longest.body(name, mass=1.0, inertia=0.1) for name in "ab")
    P = longest.revolute("P", longest.ground.at(0, 0), a.at(0, 0), start=3.0)
    longest.revolute("Q", a.at(1, 0), b.at(0, 0))
    longest.prismatic("S", longest.ground.at(1.5, 0), b.at(1, 0), axis=(0, 1), start=0.1)
    eqs = longest.equations(coordinates)
    with pytest.warns(ModelWarning, match="P.angle was given as 3 and starts at 1.0472"):
        assert abs(eqs.evaluate_quantity(P.angle, eqs.assemble())) < 3.0


def _held_by_a_rod(start):
    """A body with a rod, whose joints at rest are turned by 0.3 from where the body was given."""
    tilt = np.array([[np.cos(0.3), 0.0, np.sin(0.3)], [0.0, 1.0, 0.0], [-np.sin(0.3), 0.0, np.cos(0.3)]])
    m = Model("one rod")
    top, rod = m.body("top", mass=10.0, inertia=(1.0, 1.0, 1.0)), m.body("rod", mass=1.0, inertia=(0.1, 0.1, 0.01))
    m.guide("pose", m.ground.at(0, 0, 0), top.at(0, 0, 0), slides="xyz", turns="zyx", start=start)
    m.universal("U", m.ground.at(*([0.6, 0.0, 1.0] - tilt[:, 2]), rotation=tilt), rod.at(0, 0, 0))
    m.spherical("S", top.at(0.6, 0, 0), rod.at(0, 0, 1.0))
    return m


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_values_that_close_the_loops_come_before_defaults(coordinates):
    """Six values for five freedoms: exact ones come out, all others as nearly as they can."""
    start = {"x": 0.0, "y": 0.0, "z": 1.0, "yaw": 0.0, "pitch": 0.0, "roll": 0.0}
    names = [f"pose.{label}" for label in start]
    equations = _held_by_a_rod(start).equations(coordinates)
    state = equations.assemble()
    assert [equations.evaluate_quantity(name, state) for name in names] == pytest.approx(list(start.values()), abs=1e-9)
    assert np.abs(equations.evaluate("g", q=state.q)).max(initial=0.0) < 1e-9
    # Digits that are cut off are met as nearly as they can be, without a word.
    rough = start | {"z": 1.004}
    equations = _held_by_a_rod(rough).equations(coordinates)
    state = equations.assemble()
    assert [equations.evaluate_quantity(name, state) for name in names] == pytest.approx(list(rough.values()), abs=4e-3)
    # What is far from what was given is told, alike in both.
    equations = _held_by_a_rod(start | {"z": 1.1}).equations(coordinates)
    with pytest.warns(ModelWarning, match=r"'one rod' .*pose.z was given as 1.1 and starts at 1.02"):
        state = equations.assemble()
    found = [float(equations.evaluate_quantity(name, state)) for name in names]
    other = _held_by_a_rod(start | {"z": 1.1}).equations("absolute")
    with pytest.warns(ModelWarning):
        expected = other.assemble()
    assert found == pytest.approx([float(other.evaluate_quantity(name, expected)) for name in names], abs=1e-6)


# ------------------------------------------------------------------------------------------------- what drives say


def _cart(drawn=False, prescribed=False, space=False):
    """A cart that a law moves, with a pendulum that nobody said anything about."""
    size = 3 if space else 2
    m = Model("cart", plane=None if space else "xy", gravity=(0.0, -9.81, 0.0)[:size])
    zero, down = (0.0, 0.0, 0.0)[:size], (0.0, -1.0, 0.0)[:size]
    place = {"position": (0.3, 0.0, 0.0)[:size]} if drawn else {}
    cart = m.body("cart", mass=1.0, inertia=(1.0, 1.0, 1.0) if space else 1.0, **place)
    rod = m.body("rod", mass=1.0, inertia=(0.01, 0.01, 0.01) if space else 0.01, com=down, **place)
    rail = m.prismatic("rail", m.ground.at(zero), cart.at(zero), axis="x")
    hinge = m.revolute("hinge", cart.at(zero), rod.at(zero), **({"axis": "z"} if space else {}))
    m.parameters(speed=1.0)
    (m.prescribe if prescribed else m.drive)("d", rail, lambda t, p: 0.3 + p.speed * t + t**2)
    return m, rail, hinge


@pytest.mark.parametrize("space", [False, True])
@pytest.mark.parametrize("prescribed", [False, True])
@pytest.mark.parametrize("drawn", [False, True])
@pytest.mark.parametrize(("coordinates", "builder"), FORMULATIONS)
def test_what_a_drive_says_moves_nothing_else(coordinates, builder, drawn, prescribed, space):
    m, rail, hinge = _cart(drawn, prescribed, space)
    equations = m.equations(coordinates, builder=builder)
    state = equations.assemble()
    measured = (rail.displacement, rail.rate, hinge.angle, hinge.rate)
    found = [equations.evaluate_quantity(one, state) for one in measured]
    assert found == pytest.approx([0.3, 1.0, 0.0, 0.0], abs=1e-12)
    if not drawn:  # at another instant, with another value of a parameter, and beside a value that is asked for
        values = {"speed": -3.0}
        state = equations.assemble({hinge: 0.2, hinge.rate: 0.1}, t=2.0, parameters=values)
        found = [equations.evaluate_quantity(one, state, values) for one in measured]
        assert found == pytest.approx([-1.7, 1.0, 0.2, 0.1], abs=1e-12)


@pytest.mark.parametrize(("coordinates", "builder"), FORMULATIONS)
def test_drives_count_less_than_what_is_drawn_or_asked_for(coordinates, builder):
    m, rail, _ = _cart()
    equations = m.equations(coordinates, builder=builder)
    with pytest.raises(ConstraintError, match=r"rail.displacement = 2"):
        equations.assemble({rail.displacement: 2.0})
    m = Model("far", plane="xy")
    block = m.body("block", mass=1.0, inertia=1.0, position=(1.0, 0.0))
    rail = m.prismatic("rail", m.ground.at(0, 0), block.at(0, 0), axis="x")
    m.drive("d", rail, lambda t: 2.0 * t)
    equations = m.equations(coordinates, builder=builder)
    with pytest.warns(ModelWarning, match=r"body 'block' was moved by 1 m to meet drive 'd'"):
        state = equations.assemble()
    assert equations.evaluate_quantity(rail.displacement, state) == pytest.approx(0.0, abs=1e-12)
    assert equations.evaluate_quantity(rail.rate, state) == pytest.approx(2.0, abs=1e-12)


def arm(start=None, com=(0.25, 0.0), law=None):
    """Two arms of half a metre."""
    m = Model("arm", plane="xy")
    one, two = m.body("one", mass=1.0, inertia=0.1, com=com), m.body("two", mass=1.0, inertia=0.1, com=(0.2, 0.0))
    A = m.revolute("A", m.ground.at(0, 0), one.at(0, 0), start=start)
    m.revolute("B", one.at(0.5, 0), two.at(0, 0), start=0.1)
    if law is not None:
        m.drive("D", A, law)
    return m


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
@pytest.mark.parametrize(
    ("start", "words"),
    [
        (
            {"angle": np.pi / 2},
            r"A.angle starts at 0.523599 rad, as .* driven; the start of revolute joint 'A', 1.57",
        ),
        ({"angle": np.pi / 6, "angle.rate": 2.0}, r"A.rate starts at 1 rad/s, as it is driven; .* 2 rad/s, is ignored"),
    ],
)
def test_starts_that_contradict_a_drive_are_told(coordinates, start, words):
    equations = arm(start, law=lambda t: np.pi / 6 + t).equations(coordinates)
    with pytest.warns(ModelWarning, match=words):
        state = equations.assemble()
    assert equations.evaluate_quantity("A.angle", state) == pytest.approx(np.pi / 6)


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_starts_that_fit_to_a_drive_are_not_told(coordinates):
    made = arm({"angle": np.pi / 6, "angle.rate": 1.0}, law=lambda t: np.pi / 6 + t)
    equations = made.equations(coordinates)
    equations.assemble()
    assert equations.evaluate_quantity("A.angle", equations.assemble(t=0.5)) == pytest.approx(np.pi / 6 + 0.5)


def test_values_that_can_hardly_be_meant_are_told():
    with pytest.warns(ModelWarning, match=r"A.angle starts at 30 rad, more .* for 30° write np.radians\(30\)"):
        arm(30.0).equations()
    with pytest.warns(ModelWarning, match="the centre of mass of body 'one' is 250 m from its origin, .* within 0.5 m"):
        arm(com=(250.0, 0.0)).equations()
    m = Model("leaf", plane="xy")
    m.body("leaf", mass=1.0, inertia=0.1, position=(0.0, 0.0), angle=90)
    with pytest.warns(ModelWarning, match="body 'leaf' starts at 90 rad, more than two turns"):
        m.equations()
    arm(4 * np.pi, com=(5.0, 0.0)).equations()
