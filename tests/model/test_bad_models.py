"""Models that cannot be: one error each, which names the elements and says what to do."""

import copy

import numpy as np
import pytest

from dalembert.errors import ConstraintError, DalembertError, EquationsError, ModelError, StateError
from dalembert.model.model import Model
from dalembert.symbolic import Graph


def plane():
    m = Model("bad", plane="xy", gravity=(0, -9.81))
    return m, m.body("rod", mass=1.0, inertia=1.0)


def space():
    m = Model("bad", gravity=(0, 0, -9.81))
    return m, m.body("rod", mass=1.0, inertia=(1, 1, 1))


def hinged():
    m, rod = plane()
    return m, rod, m.revolute("A", m.ground.at(0, 0), rod.at(0, 0))


# ----------------------------------------------------------------------------------------------------------- no motion


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_a_massless_free_body_is_named(coordinates):
    m, _ = plane()
    m.body("ghost", mass=0.0, inertia=0.0)
    message = r"motion that is mainly ghost\.vx has no inertia; give it mass, or a constraint"
    with pytest.raises(EquationsError, match=message):
        m.equations(coordinates).assemble()


def test_a_massless_body_that_others_hold_is_fine():
    m, rod = plane()
    ghost = m.body("ghost", mass=0.0, inertia=0.0)
    A = m.revolute("A", m.ground.at(0, 0), ghost.at(0, 0))
    m.prismatic("B", ghost.at(0, 0), rod.at(-0.5, 0))
    state = m.equations().assemble({A.angle: 0.0})
    assert state.a == pytest.approx([-9.81 * 0.5 / 1.25, 0.0])  # a rod that falls about A


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_a_loop_that_cannot_close_names_a_constraint(coordinates):
    m, a = plane()
    b = m.body("b", mass=1.0, inertia=1.0)
    m.revolute("A", m.ground.at(0, 0), a.at(0, 0))
    m.revolute("B", a.at(1, 0), b.at(0, 0))
    m.revolute("C", b.at(1, 0), m.ground.at(3, 0))
    message = r"'bad' cannot be assembled: the position constraint [ABC]\.x keeps a residual of .*; start nearer"
    with pytest.raises(ConstraintError, match=message):
        m.equations(coordinates).assemble()


def test_redundant_and_contradicting_constraints_are_named():
    m, rod = space()
    m.revolute("A", m.ground.at(0, 0, 0), rod.at(0, 0, 0))
    m.revolute("B", m.ground.at(0, 0, 1), rod.at(0, 0, 1))
    with pytest.raises(
        ConstraintError, match=r"5 of 5 constraints depend on the others: B\.x, B\.y, .*redundant='accept'"
    ):
        m.equations().assemble()
    m, rod, A = hinged()
    m.drive("motor", A, lambda t: 1.0 + t)
    m.orientation("lock", m.ground, rod)
    with pytest.raises(
        ConstraintError, match=r"cannot be assembled: the position constraint (motor\.value|lock\.angle)"
    ):
        m.equations().assemble()


def test_two_drives_of_one_coordinate_are_named():
    m, rod, A = hinged()
    m.drive("first", A, lambda t: t)
    with pytest.raises(ModelError, match=r"A\.angle is driven twice, by 'first' and by 'second'; remove one"):
        m.drive("second", A.angle, lambda t: 2 * t)
    m.distance("rope", m.ground.at(1, 1), rod.at(1, 0), 1.0)
    with pytest.raises(ModelError, match=r"distance of the same two points is given twice, by 'rope' and by 'winch'"):
        m.drive("winch", (rod.at(1, 0), m.ground.at(1, 1)), lambda t: 1 + t)


# ------------------------------------------------------------------------------------------------------------ one error

BAD = {
    # joints
    "joint with itself": (
        lambda m, rod: m.revolute("A", rod.at(0, 0), rod.at(1, 0)),
        "revolute joint 'A' joins 'rod' with itself",
    ),
    "ground with ground": (
        lambda m, rod: m.fixed("A", m.ground, m.ground),
        "fixed joint 'A' joins 'ground' with itself",
    ),
    "no marker": (
        lambda m, rod: m.revolute("A", (0, 0), rod),
        r"'A': a body or a marker is needed, such as body.at\(0, 0\)",
    ),
    "space in the plane": (
        lambda m, rod: m.spherical("A", m.ground, rod),
        "spherical joint 'A' needs space; 'bad' is a planar",
    ),
    "unknown option": (
        lambda m, rod: m.revolute("A", m.ground, rod, strat=1),
        "has no option 'strat'; did you mean 'start'",
    ),
    "axis twice": (
        lambda m, rod: m.prismatic("A", m.ground, rod.at(0, 0, angle=1), axis=(0, 1)),
        "Omit axis=, and give both markers their axes",
    ),
    # masses
    "negative mass": (lambda m, rod: m.body("a", -1, 1), "Body 'a': mass must not be negative, got -1"),
    "negative inertia": (lambda m, rod: m.body("a", 1, -1), "Body 'a': moment of inertia about z must not be negative"),
    "no mass": (lambda m, rod: m.body("a"), "body 'a' has no mass; give mass and inertia, or shapes and a density"),
    # names
    "name of a body": (
        lambda m, rod: m.body("rod", 1, 1),
        "the name 'rod' is used twice, for body 'rod' and now for body 'rod'",
    ),
    "name of a joint": (
        lambda m, rod: m.fixed("rod", m.ground, rod),
        "for body 'rod' and now for fixed joint 'rod'; choose",
    ),
    "name of a drive": (
        lambda m, rod: m.drive("rod", m.revolute("A", m.ground, rod), 1.0),
        "for body 'rod' and now for drive 'rod'; choose",
    ),
    "name of a sensor": (
        lambda m, rod: m.sensor("rod", rod.position),
        "for body 'rod' and now for sensor 'rod'; choose",
    ),
    "name of the ground": (lambda m, rod: m.body("ground", 1, 1), "for the ground and now for body 'ground'"),
    "name with a dot": (lambda m, rod: m.body("a.b", 1, 1), "needs a name without dots, got 'a.b'"),
    "unknown element": (lambda m, rod: m["rud"], "nothing called 'rud'; did you mean 'rod'"),
    "unknown coordinates": (lambda m, rod: m.equations("joint"), "must be 'relative', 'absolute' or Custom"),
    "unknown joint": (lambda m, rod: m.equations(cut=["B"]), "there is no joint 'B' to be cut"),
    "no bodies": (lambda m, rod: Model("empty").equations(), "'empty' has no bodies yet; add some first"),
    "no quantity": (
        lambda m, rod: m.sensor("s", 3.0),
        r"sensor 's' needs a quantity of the model, such as body.at\(0, 0\)",
    ),
    # numbers
    "mass is nan": (lambda m, rod: m.body("a", np.nan, 1), "Body 'a': mass must be finite, got nan"),
    "com is nan": (
        lambda m, rod: m.body("a", 1, 1, com=(np.nan, 0)),
        r"body 'a': com: all numbers must be finite, got \(nan, 0\)",
    ),
    "inertia is nan": (lambda m, rod: m.body("a", 1, np.nan), "Body 'a': inertia must be finite"),
    "position is nan": (
        lambda m, rod: m.body("a", 1, 1, position=(0, np.nan)),
        "body 'a': position: all numbers must be finite",
    ),
    "angle is nan": (lambda m, rod: m.body("a", 1, 1, angle=np.nan), "body 'a': angle: all numbers must be finite"),
    "spin is nan": (
        lambda m, rod: m.body("a", 1, 1, angular_velocity=np.nan),
        "body 'a': angular velocity: all numbers must",
    ),
    "marker is nan": (lambda m, rod: rod.at(np.nan, 0), "marker on 'rod': all numbers must be finite"),
    "marker of three": (
        lambda m, rod: rod.at(1, 2, 3),
        r"marker on 'rod': this model is in the plane, with two components, x and y; got \(1, 2, 3\)",
    ),
    "start is nan": (
        lambda m, rod: m.revolute("A", m.ground, rod, start=np.nan),
        "'A': the start value 'angle' must be a finite",
    ),
    "start is text": (
        lambda m, rod: m.revolute("A", m.ground, rod, start="up"),
        "'angle' must be a finite number, got 'up'",
    ),
    "rate is infinite": (
        lambda m, rod: m.revolute("A", m.ground, rod, start={"angle.rate": np.inf}),
        "'angle.rate' must be a finite number, got inf",
    ),
    "parameter is nan": (lambda m, rod: m.parameters(k=np.nan), "'bad': parameter 'k' is not finite"),
    "gravity is infinite": (
        lambda m, rod: Model("g", gravity=(0, 0, np.inf)),
        "gravity of 'g': all numbers must be finite",
    ),
}

BAD_IN_SPACE = {
    "triangle inequality": (
        lambda m, rod: m.body("a", 1, (1, 1, 3)),
        r"Body 'a': .* triangle inequality: .* 3 > 1 \+ 1\. No body has this inertia",
    ),
    "indefinite inertia": (
        lambda m, rod: m.body("a", 1, [[1, 2, 0], [2, 1, 0], [0, 0, 1]]),
        "Body 'a': inertia .* positive semidefinite",
    ),
    "axis zero": (
        lambda m, rod: m.revolute("A", m.ground, rod, axis=(0, 0, 0)),
        "'A': an axis must be three numbers, not all zero",
    ),
    "axis is nan": (
        lambda m, rod: rod.at(0, 0, 0, axis=(0, np.nan, 0)),
        "marker on 'rod': an axis must be three numbers",
    ),
    "no rotation": (
        lambda m, rod: rod.at(0, 0, 0, rotation=np.ones((3, 3))),
        "marker on 'rod': the matrix is no rotation",
    ),
    "zero parameters": (
        lambda m, rod: m.spherical("A", m.ground, rod, start={"rotation": (0, 0, 0, 0)}),
        "Euler parameters of its start are all zero",
    ),
    "three parameters": (
        lambda m, rod: m.spherical("A", m.ground, rod, start={"rotation": (1, 0, 0)}),
        "'rotation' must be 4 finite numbers",
    ),
    "pitch is nan": (lambda m, rod: m.screw("A", m.ground, rod, np.nan), "screw joint 'A': its pitch is nan"),
    "pitch with a unit": (
        lambda m, rod: m.screw("A", m.ground, rod, "5 mm"),
        "screw joint 'A': its pitch must be a number",
    ),
    "marker of two": (lambda m, rod: rod.at(1, 2), r"marker on 'rod': 3 numbers are needed, got \(1, 2\)"),
}


@pytest.mark.parametrize(("make", "cases", "case"), [
    *((plane, BAD, case) for case in BAD), *((space, BAD_IN_SPACE, case) for case in BAD_IN_SPACE),
])  # fmt: skip
def test_what_is_wrong_is_named(make, cases, case):
    act, message = cases[case]
    with pytest.raises(ModelError, match=message):
        act(*make())


def test_parts_of_another_model_are_named():
    m, rod, _ = hinged()
    other, far, B = hinged()
    other.name = "other"
    with pytest.raises(ModelError, match="revolute joint 'C': 'rod' belongs to the model 'other'"):
        m.revolute("C", rod.at(0, 0), far.at(0, 0))
    with pytest.raises(ModelError, match="drive 'D': joint 'A' belongs to another model"):
        m.drive("D", B, 1.0)


def test_unknown_coordinates_and_parameters_are_answered_with_the_known_ones():
    m, _, A = hinged()
    with pytest.raises(StateError, match=r"no coordinate or velocity 'A\.angel'; did you mean 'A\.angle'"):
        m.equations().assemble({"A.angel": 1.0})
    with pytest.raises(
        AttributeError, match=r"revolute joint 'A' has no 'angel'; did you mean 'angle'.* force, rate, torque"
    ):
        A.angel  # noqa: B018
    with pytest.raises(
        AttributeError, match=r"no parameter 'mass'; none are declared\. Declare it first: m\.parameters\(mass"
    ):
        m.body("a", m.p.mass, 1)
    with pytest.raises(StateError, match=r"start of A\.angle must be finite numbers, got nan"):
        m.equations().assemble({A.angle: np.nan})


def test_what_was_wrong_can_be_mended_under_the_same_name():
    m, _ = plane()
    with pytest.raises(ModelError):
        m.body("crank", mass=-1.0, inertia=1.0)
    crank = m.body("crank", mass=1.0, inertia=1.0)
    with pytest.raises(ModelError):
        m.revolute("A", crank.at(0, 0), crank.at(0, 0))
    with pytest.raises(ModelError):
        m.revolute("A", Model("other", plane="xy").ground, crank)
    assert m.revolute("A", m.ground, crank).name == "A"


def test_words_in_place_of_numbers_and_shapes():
    m, b, _ = hinged()
    with pytest.raises(ModelError, match="stiffness must be a number"):
        m.bushing("bushing", m.ground, b, ["soft"] * 3)
    with pytest.raises(ModelError, match="a density needs shapes"):
        m.body("box", shapes=["box"], density=7800.0)


def test_expressions_of_other_symbols_name_the_element():
    other = Graph().variables("x y")[0]
    m = Model("m", plane="xy")
    body = m.body("b", mass=1.0, inertia=1.0)
    m.torque("wind", m.revolute("A", m.ground.at(0, 0), body.at(0, 0)), 2.0 * other)
    with pytest.raises(ModelError, match=r"torque 'wind': \w+ may be an expression of parameters of this model"):
        m.equations()


class _Evil:
    def __repr__(self):
        raise RuntimeError("no text")


def test_whatever_is_shown_may_raise():
    m = Model("m", plane="xy")
    body = m.body("b", mass=1.0, inertia=1.0)
    J = m.revolute("J", m.ground.at(0, 0), body.at(0, 0))
    equations, evil = m.equations(), _Evil()
    for call in (
        lambda: m.body(evil, mass=1.0, inertia=1.0),
        lambda: m.body("c", mass=1.0, inertia=1.0, unphysical=evil),
        lambda: m.revolute("K", evil, body.at(0, 0)),
        lambda: m.drive("d", evil, 1.0),
        lambda: m.sensor("s", evil),
        lambda: m.sensor(evil, J.angle),
        lambda: m.limit("s", evil, 1.0),
        lambda: m.limit("s", J, 1.0, restitution=evil),
        lambda: equations.assemble(parameters=evil),
        lambda: equations.evaluate(evil, q=[0.0]),
    ):
        with pytest.raises(DalembertError):
            call()


def test_numbers_are_no_dates_and_inertias_no_ragged_lists():
    m = Model("m", plane="xy")
    body = m.body("b", mass=1.0, inertia=1.0)
    for bad in (np.datetime64("2020-01-01"), np.timedelta64(1), "1"):
        with pytest.raises(ModelError, match="2 numbers are needed"):
            body.at(0, bad)
    with pytest.raises(ModelError, match="in the plane inertia is one number"):
        m.body("c", mass=1.0, inertia=[[1], [1, 2]])
    for bad in ("", 0, []):
        with pytest.raises(ModelError, match="unphysical must be one of"):
            m.body("c", mass=1.0, inertia=1.0, unphysical=bad)


def test_copies_of_a_model_are_told_apart():
    m = Model("m", plane="xy")
    body = m.body("b", mass=1.0, inertia=1.0)
    m.revolute("J", m.ground.at(0, 0), body.at(0, 0))
    other = copy.deepcopy(m)
    with pytest.raises(ModelError, match="'b' belongs to another copy of the model 'm'"):
        other.equations().evaluate_quantity(body.at(0, 0).position, other.equations().assemble())
    with pytest.raises(ModelError, match="'b' belongs to another copy of the model 'm'"):
        other.revolute("K", other.ground.at(0, 0), body.at(0, 0))
    with pytest.raises(ModelError, match="'b' belongs to the model 'm', not to 'n'"):
        Model("n", plane="xy").add_body(body)


def test_places_in_rows_of_unequal_lengths_are_refused():
    _, rod = plane()
    for place in (([1, 2], 0), ([1, 2], [0]), ([[1], 2],)):
        with pytest.raises(ModelError, match="marker on 'rod': 2 numbers are needed"):
            rod.at(*place)


def test_a_coupling_by_a_function_without_a_signature_is_refused():
    m, rod, A = hinged()
    B = m.revolute("B", rod.at(1, 0), m.body("arm", mass=1.0, inertia=1.0).at(0, 0))
    with pytest.raises(ModelError, match="coupling 'c' needs a function with named arguments, got <class 'int'>"):
        m.coupling("c", [A.angle, B.angle], int)
