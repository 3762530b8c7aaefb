"""Degrees of freedom of robots with loops that are nearly planar: the same in all coordinates, builders, units."""

import numpy as np
import pytest

import dalembert as da
from dalembert.errors import ConstraintError

FORMULATIONS = [
    ("relative", "symbolic"), ("absolute", "symbolic"), ("relative", "recursion"), ("absolute", "elements")
]  # fmt: skip
#: Hinges of a loop in its plane.
HINGES = np.array([[0.0, 0.0, 0.0], [0.1, -0.4, 0.0], [0.5, -0.45, 0.0], [0.45, 0.02, 0.0]])


def nearly_upright(error):
    """Axes whose z is turned a little."""
    z = np.array([*error, 1.0]) / np.linalg.norm([*error, 1.0])
    x = np.cross([0.0, 1.0, 0.0], z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def robot(error, closures, size=1.0, mass=1.0, seed=1):
    """A base that floats, with a leg for each closure: four hinges whose axes are parallel but for ``error``, in a
    plane of its own; the last hinge is one, or a ball joint, or a rod in place of the last link."""
    rng = np.random.default_rng(seed)
    m = da.Model("robot")
    middle = size * np.array([0.1, 0.2, 1.0])
    base = m.body("base", mass=10 * mass, inertia=tuple(mass * size**2 * np.array([0.3, 0.4, 0.5])), position=middle)
    for k, closure in enumerate(closures):
        plane = np.linalg.qr(rng.standard_normal((3, 3)))[0] if k % 2 else np.eye(3)
        plane[:, 2] *= np.linalg.det(plane)
        place = middle + size * rng.uniform(-0.3, 0.3, 3) + size * HINGES @ plane.T
        axes = [plane @ nearly_upright(error * rng.uniform(-1.0, 1.0, 2)) for _ in HINGES]
        last = base.at(*(place[0] - middle), rotation=axes[0])
        for i in range(2 if closure == "rod" else 3):
            along = place[i + 1] - place[i]
            inertia = tuple(mass * size**2 * rng.uniform(0.01, 0.015, 3))
            link = m.body(
                f"link{k}{i}", mass=mass * rng.uniform(0.3, 2), inertia=inertia, com=along / 2, position=place[i]
            )
            m.revolute(f"J{k}{i}", last, link.at(0, 0, 0, rotation=axes[i]))
            last = link.at(*along, rotation=axes[i + 1])
        end = base.at(*(place[3] - middle), rotation=axes[3])
        if closure == "hinge":
            m.revolute(f"J{k}3", last, end, cut=True)
        elif closure == "ball":
            m.spherical(f"J{k}3", last, end, cut=True)
        else:
            m.distance(f"J{k}3", last, end, float(np.linalg.norm(place[3] - place[2])))
    return m


def mobilities(model, formulations=FORMULATIONS):
    for coordinates, builder in formulations:
        equations = model.equations(coordinates=coordinates, builder=builder)
        yield equations.degrees_of_freedom(equations.start()[0])


@pytest.mark.parametrize("error", [0.0, 1e-9, 1e-6, 1e-4])
def test_loops_of_nearly_parallel_hinges_move_in_all_formulations(error):
    # Six of the base, one of each loop with four links, two of the leg whose last link is a rod.
    formulations = FORMULATIONS if error == 1e-6 else FORMULATIONS[2:]  # whole models take long to compile
    for found in mobilities(robot(error, ["hinge", "ball", "rod"]), formulations):
        assert found.dof == 6 + 1 + 1 + 1 and len(found.redundant) == 3 + 1 and not found.momentary
        counts, does_not = found.gap
        assert counts > 0.1 and does_not < 10 * error + 1e-13
        assert bool(found.uncertain) == (error > 0.0) == ("the rank is uncertain" in repr(found))
        if error:
            assert any(name.startswith("J03") for name in found.uncertain) and f"{does_not:.3g}" in repr(found)
            assert not any(name.startswith("J2") for name in found.uncertain)


@pytest.mark.parametrize(("size", "mass"), [(1e-4, 1e-8), (1e4, 1e9)])
def test_rank_does_not_depend_on_units(size, mass):
    formulations = [("relative", "recursion"), ("absolute", "elements")]
    expected = list(mobilities(robot(1e-6, ["hinge", "ball"]), formulations))
    for one, other in zip(mobilities(robot(1e-6, ["hinge", "ball"], size, mass), formulations), expected, strict=True):
        assert one.dof == other.dof == 8 and one.gap == pytest.approx(other.gap, rel=1e-3)


@pytest.mark.parametrize("seed", range(3))
def test_random_robots_have_the_same_freedom_in_all_coordinates(seed):
    rng = np.random.default_rng(seed)
    closures = [str(closure) for closure in rng.choice(["hinge", "ball", "rod"], rng.integers(1, 4))]
    error = 10.0 ** rng.uniform(-9, -4)
    found = {one.dof for one in mobilities(robot(error, closures, seed=seed), [FORMULATIONS[2], FORMULATIONS[3]])}
    assert found == {6 + len(closures)}


def test_near_dependence_is_refused_with_its_size_and_moves_where_it_is_accepted():
    model = robot(1e-6, ["hinge"])
    for coordinates, builder in FORMULATIONS[2:]:
        equations = model.equations(coordinates=coordinates, builder=builder)
        with pytest.raises(
            ConstraintError, match=r"3 of \d+ constraints depend on the others: .*but for a part of .*e-0[67]"
        ):
            equations.assemble()
        start = equations.assemble(redundant="accept")
        run = da.simulate(equations, (0, 0.5), start, redundant="accept", solver="dense")
        assert run.success and np.abs(run.q[:, -1] - run.q[:, 0]).max() < 5.0


# -------------------------------------------------------------------------------------------------- singular positions


def bars_in_line(planar, further):
    """Two bars of 1 m between pins 2 m apart; further bodies move all the same: a pendulum, and a flat four-bar."""
    z = () if planar else (0.0,)
    m = da.Model("two bars", plane="xy") if planar else da.Model("two bars")
    m.gravity = m.vector((0.0, -9.81, *z), "gravity")
    inertia = 0.1 if planar else (0.1, 0.1, 0.1)

    def bar(name):
        return m.body(name, mass=1.0, inertia=inertia, com=(0.5, 0.0, *z))

    def hinge(name, first, second):
        return m.revolute(name, first, second, **({} if planar else {"axis": "z"}))

    a, b = bar("a"), bar("b")
    hinge("A", m.ground.at(0, 0, *z), a.at(0, 0, *z))
    hinge("B", a.at(1, 0, *z), b.at(0, 0, *z))
    hinge("C", m.ground.at(2, 0, *z), b.at(1, 0, *z))
    if "pendulum" in further:
        hinge("P", m.ground.at(5, 0, *z), bar("p").at(0, 0, *z))
    if "parallelogram" in further:
        x, y, w = (bar(name) for name in "xyw")
        hinge("X", m.ground.at(10, 0, *z), x.at(0, 0, *z))
        hinge("Y", x.at(1, 0, *z), y.at(0, 0, *z))
        hinge("Z", y.at(2, 0, *z), w.at(1, 0, *z))
        hinge("W", m.ground.at(12, 0, *z), w.at(0, 0, *z))
    return m


@pytest.mark.parametrize("further, dof, momentary", [((), 1, 1), (("pendulum",), 2, 1), (("parallelogram",), 3, 2)])
def test_bars_in_line_are_at_a_singular_position(further, dof, momentary):
    for found in mobilities(bars_in_line(True, further), FORMULATIONS[1:3]):
        assert (found.dof, found.redundant, len(found.momentary)) == (dof, (), momentary)


def test_what_planes_say_twice_lasts_at_a_singular_position_too():
    for found in mobilities(bars_in_line(False, ()), FORMULATIONS[2:]):
        assert (found.dof, len(found.redundant), len(found.momentary)) == (1, 3, 1)


@pytest.mark.parametrize("yaw, momentary", [(0.0, 0), (np.pi / 2, 1)])
def test_a_platform_on_legs_is_singular_where_it_is_turned_by_a_quarter(yaw, momentary):
    m = da.Model("platform")
    top = m.body("top", mass=10.0, inertia=(1.0, 1.0, 1.5))
    start = {"z": 1.0, "yaw": yaw}
    m.guide("pose", m.ground.at(0, 0, 0), top.at(0, 0, 0), slides="xyz", turns="zyx", start=start)
    for i in range(6):
        below, above = (2.0 * np.pi / 3.0 * (i // 2) + (-1) ** i * angle for angle in (0.3, 0.7))
        foot, head = np.array([np.cos(below), np.sin(below), 0.0]), 0.6 * np.array([np.cos(above), np.sin(above), 0.0])
        placed = [np.cos(yaw) * head[0] - np.sin(yaw) * head[1], np.sin(yaw) * head[0] + np.cos(yaw) * head[1], 1.0]
        m.distance(f"leg{i}", m.ground.at(*foot), top.at(*head), float(np.linalg.norm(placed - foot)))
    for found in mobilities(m, FORMULATIONS[1:3]):
        assert (found.dof, found.redundant, len(found.momentary)) == (momentary, (), momentary)


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_starts_at_a_singular_position_say_so(coordinates):
    for model in (bars_in_line(True, ()), flat_parallelogram()):
        equations = model.equations(coordinates)
        with pytest.raises(ConstraintError, match=r"the position is singular.*start elsewhere") as caught:
            equations.assemble()
        assert "accept" not in str(caught.value)
        q, still = equations.start()[0], np.zeros(equations.sizes.v)
        with pytest.raises(da.DalembertError, match="the position is singular"):
            equations.inverse_dynamics(q, still, still, actuated=[])
        run = da.simulate(equations, (0, 0.1), equations.assemble(redundant="accept"), redundant="accept")
        assert run.outcome == "bad start" and "position is singular" in run.message and "accept" not in run.message


def flat_parallelogram():
    m = da.Model("parallelogram", plane="xy", gravity=(0, -9.81))
    a, b, c = (m.body(name, mass=1.0, inertia=0.1, com=(0.5, 0)) for name in "abc")
    m.revolute("A", m.ground.at(0, 0), a.at(0, 0))
    m.revolute("B", a.at(1, 0), b.at(0, 0))
    m.revolute("C", b.at(2, 0), c.at(1, 0))
    m.revolute("D", m.ground.at(2, 0), c.at(0, 0))
    return m


def test_positions_close_to_a_singular_one_are_taken_alike_in_all_formulations():
    """A pin near the end of its reach: a constraint of its own, however small its part is."""
    m = da.Model("pin", plane="xy", gravity=(0, -9.81))
    arm, slider, swing = (m.body(name, mass=1.0, inertia=0.1, com=(0.3, 0.1)) for name in ("arm", "slider", "swing"))
    m.revolute("A", m.ground.at(0, 0), arm.at(0, 0), start=np.pi / 2 - 6e-4)
    m.prismatic("S", m.ground.at(0, np.cos(6e-4)), slider.at(0, 0), start=np.sin(6e-4))
    m.coincident("pin", arm.at(1, 0), slider.at(0, 0))
    m.revolute("P", arm.at(0.5, 0), swing.at(0, 0), start=0.3)
    found = []
    for coordinates, builder in FORMULATIONS:
        equations = m.equations(coordinates, builder=builder)
        state = equations.assemble()
        assert "pin.y" in equations.degrees_of_freedom(state.q).uncertain
        found.append([equations.evaluate_quantity(one, state) for one in (m["A"].angle, swing.com.acceleration.y)])
    assert np.array(found) == pytest.approx(np.array(4 * found[:1]), rel=1e-6)


def test_a_rod_within_a_rigid_body_is_redundant_in_all_formulations():
    m = da.Model("rod", plane="xy", gravity=(-3.52, -6.64))
    one, two = (m.body(name, mass=1.0, inertia=0.1) for name in ("one", "two"))
    m.revolute("A", m.ground.at(-0.0864, 0.2025, angle=-2.2305), one.at(0.6496, -0.2195, angle=-2.5373), start=-1.0691)
    first, second = one.at(-0.6727, -0.245, angle=-2.5355), two.at(-0.3511, 0.5578, angle=2.4167)
    m.fixed("weld", first, second)
    # Where the end of the rod on the second body is in the first one.
    turn = -2.5355 - 2.4167
    R = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    end = np.array([-0.6727, -0.245]) + R @ (np.array([0.0054, -0.4612]) - [-0.3511, 0.5578])
    m.distance("rod", two.at(0.0054, -0.4612), one.at(0.3196, -0.6221), float(np.hypot(*(end - [0.3196, -0.6221]))))
    for coordinates, builder in FORMULATIONS:
        equations = m.equations(coordinates, builder=builder)
        with pytest.raises(ConstraintError, match=r"1 of \d+ constraints depend on the others"):
            equations.assemble()


def test_angles_that_move_rows_by_rounding_alone_are_no_lever_arms():
    """A slider pinned to what carries it: of the two rows of the pin one says something."""
    m = da.Model("pinned", plane="xy", gravity=(0, -9.81))
    carrier, slider = (m.body(name, mass=1.0, inertia=0.1) for name in ("carrier", "slider"))
    m.revolute("A", m.ground.at(0.31, -0.27, angle=0.7), carrier.at(-0.43, 0.19, angle=-1.1), start=0.37)
    m.prismatic("S", carrier.at(0.13, 0.71, angle=2.3), slider.at(-0.37, 0.11, angle=0.9), start=0.53)
    at = np.array([0.29, -0.47])  # on the slider; on the carrier it is there with this displacement
    turned, way = 2.3 - 0.9, 0.53 * np.array([np.cos(2.3), np.sin(2.3)])
    R = np.array([[np.cos(turned), -np.sin(turned)], [np.sin(turned), np.cos(turned)]])
    m.coincident("pin", carrier.at(*(np.array([0.13, 0.71]) + way + R @ (at - [-0.37, 0.11]))), slider.at(*at))
    assert {(one.dof, len(one.redundant), one.momentary) for one in mobilities(m)} == {(1, 1, ())}


@pytest.mark.parametrize("rates", [(1.7107, -1.0816, 1.0313), (0.3, 0.7, -0.2)])
def test_velocities_that_nothing_allows_vanish(rates):
    """A structure without freedom: what constraints leave of given rates is rounding, and no residual."""
    m = da.Model("structure", plane="xy")
    a, b, c = (m.body(name, mass=mass, inertia=0.01) for name, mass in (("a", 0.6071), ("b", 8.098), ("c", 0.2344)))
    starts = [
        {"angle": angle, "angle.rate": rate} for angle, rate in zip((-0.8499, -0.8532, 0.6761), rates, strict=True)
    ]
    m.revolute("A", m.ground.at(-0.2984, 0.153, angle=1.4902), a.at(-0.037, 0.4182, angle=-2.9156), start=starts[0])
    m.revolute("B", m.ground.at(0.1498, 0.1276, angle=-0.8875), b.at(-0.1111, 0.3137, angle=-0.7564), start=starts[1])
    m.revolute("C", c.at(-0.2152, -0.1424, angle=2.7009), a.at(0.2011, 0.0035, angle=2.0638), start=starts[2])
    m.distance("rod", c.at(0.4399, -0.4126), a.at(0.4489, -0.3237), 0.5078)
    m.coincident("pin", b.at(-0.0671, 0.1355), c.at(-1.0044, -0.4206))
    for coordinates, builder in FORMULATIONS:
        assert not m.equations(coordinates, builder=builder).assemble().v.any()
