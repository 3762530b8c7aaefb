"""The mechanics algebra against SciPy, complex-step derivatives, Lagrange's equations and closed forms."""

import doctest
import importlib
import inspect
import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation as ScipyRotation

import dalembert.symbolic.mechanics as mechanics
from dalembert.errors import SymbolicError, SymbolicTypeError, TreeError
from dalembert.symbolic import operations as op
from dalembert.symbolic.atom import Atom, array
from dalembert.symbolic.calculus import gradient, time_derivative
from dalembert.symbolic.functions import cos, exp, sin
from dalembert.symbolic.graph import Graph
from dalembert.symbolic.mechanics import (
    Base,
    Point,
    Tensor,
    Vector,
    acceleration,
    angular_acceleration,
    angular_velocity,
    base_change,
    euler_parameter_rates,
    position,
    rigid_body_inertia_forces,
    steiner,
    velocity,
    virtual_power,
)

# ------------------------------------------------------------------ numbers from atoms

NUMPY = {
    op.ADD: np.add, op.SUB: np.subtract, op.MUL: np.multiply, op.DIV: np.divide, op.SQRT: np.sqrt,
    op.SIN: np.sin, op.COS: np.cos, op.EXP: np.exp,
}  # fmt: skip


def evaluate(items: Any, values: Mapping[str, complex]) -> np.ndarray:
    """Values of atoms by one pass over the graph; complex values of the symbols are welcome."""
    atoms = np.array(items, dtype=object)
    graph = next(atom.graph for atom in atoms.flat)
    found: dict[int, Any] = {}

    def value(handle: int) -> Any:
        return found[handle] if handle >= 0 else -found[-handle]

    for row in graph.reachable([atom.handle for atom in atoms.flat]):
        node = graph.nodes[row]
        if node[0] == op.CONSTANT:
            found[row] = node[1]
        elif node[0] == op.SYMBOL:
            found[row] = values[graph.symbol(row).name]
        else:
            found[row] = NUMPY[node[0]](*(value(a) for a in op.atom_arguments(node)))
    return np.array([value(atom.handle) for atom in atoms.flat]).reshape(atoms.shape)


def random_values(graph: Graph, seed: int = 0) -> dict[str, float]:
    """A value for every symbol; positive, so that lengths and masses are no exception."""
    rng = np.random.default_rng(seed)
    return {symbol.name: float(rng.uniform(0.3, 1.5)) for symbol in graph.symbols}


def rate_of_change(items: Any, values: Mapping[str, float]) -> np.ndarray:
    """Total time derivative by a complex step along the rates of the symbols; exact to rounding."""
    graph = np.array(items, dtype=object).flat[0].graph
    h = 1e-150
    moved: dict[str, complex] = {}
    for name, value in values.items():
        kind = graph.symbols[graph.nodes[graph.symbol_rows[name]][1]].kind
        if kind == "parameter":
            rate = 0.0
        elif kind == "time":
            rate = 1.0
        elif kind == "variable":
            rate = float(evaluate(Atom(graph, graph.rates.get(graph.symbol_rows[name], 0)), values))
        else:
            rate = values.get("d" + name, 0.0)  # of an acceleration it does not matter
        moved[name] = value + 1j * h * rate
    return np.imag(evaluate(items, moved)) / h


def operations(*items: Any) -> int:
    """Number of operations that computing all the items takes."""
    atoms = [atom for item in items for atom in np.array(item, dtype=object).flat]
    graph = atoms[0].graph
    return sum(graph.nodes[row][0] >= op.ADD for row in graph.reachable([atom.handle for atom in atoms]))


def close(actual: Any, expected: Any, tolerance: float = 1e-11) -> None:
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance)


# ------------------------------------------------------------------ a system with everything in it


class Zoo:
    """Bases and points of all kinds: two branches, moving axes, a driven base, absolute and relative points."""

    def __init__(self) -> None:
        g = self.g = Graph()
        a, b, c, d, e = g.coordinates("a b c d e")
        x, y, z = g.coordinates("x y z")
        p = g.coordinates("p", 4)
        r = g.variables("r", 4)
        w = g.variables("w", 3)
        for symbol in w:
            g.variable(symbol.name, rate=g.variable("alpha_" + symbol.name))
        for symbol, rate in zip(r, euler_parameter_rates(r, w), strict=True):
            g.variable(symbol.name, rate=rate)
        l, h = g.parameters("l h")
        drive = g.input("drive")
        self.world = W = Base.root(g, "W")
        B1 = W.rotated("B1", (0, 0, 1), a)
        B2 = B1.rotated("B2", (1, -2, 0.5), b * c)
        B3 = B2.euler("B3", "zxz", [c, d + 0.2, a * e])
        B4 = W.euler_parameters("B4", p, unit=False)
        B5 = B4.rotated("B5", (sin(d), l, c), e)
        B6 = B5.turned("B6", rotation_matrix_of(b, drive))
        B7 = W.euler_parameters("B7", r, unit=False)
        B8 = B4.rotated("B8", (0, 1, 0), g.time * 0.7 + drive)
        self.bases = [W, B1, B2, B3, B4, B5, B6, B7, B8]
        self.origin = O = Point.root(W, "O")
        P1 = O.moved("P1", B1.vector(l, 0, h))
        P2 = P1.moved("P2", B3.vector(x, y * x, 0.3))
        P3 = P2.moved("P3", W.vector(0, sin(z), l))
        P4 = O.moved("P4", W.vector(x, y, z))
        P5 = P4.moved("P5", B6.vector(l, drive, h))
        P6 = P5.moved("P6", B6.vector(0, y, 0) + B8.vector(l, 0, x))
        P7 = P4.moved("P7", B7.vector(1, l, 0))
        self.points = [O, P1, P2, P3, P4, P5, P6, P7]
        self.values: dict[str, float] = {}

    def numbers(self) -> dict[str, float]:
        self.values = random_values(self.g) | self.values  # symbols may have been declared meanwhile
        return self.values


def rotation_matrix_of(a: Any, b: Any) -> Any:
    """A rotation matrix of atoms, with its factors written out."""
    first = array([[cos(a), 0, sin(a)], [0, 1, 0], [-sin(a), 0, cos(a)]])
    return first @ array([[1, 0, 0], [0, cos(b), -sin(b)], [0, sin(b), cos(b)]])


@pytest.fixture(scope="module")
def zoo() -> Zoo:
    return Zoo()


PAIRS_OF_BASES = list(itertools.product(range(9), repeat=2))


# ------------------------------------------------------------------ rotations


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, -3), (1, 2, -2), (0, 3, 4)])
def test_axis_and_angle_agree_with_scipy(axis):
    g = Graph()
    base = Base.root(g).rotated("B", axis, g.variable("phi"))
    expected = ScipyRotation.from_rotvec(1.1 * np.array(axis) / np.linalg.norm(axis)).as_matrix()
    close(evaluate(base.R, {"phi": 1.1}), expected)


@pytest.mark.parametrize("unit", [False, True])
def test_an_axis_of_expressions_agrees_with_scipy(unit):
    g = Graph()
    axis = g.variables("x y z")
    base = Base.root(g).rotated("B", axis, g.variable("phi"), unit=unit)
    n = np.array([2.0, 3.0, 6.0]) / (7.0 if unit else 1.0)
    expected = ScipyRotation.from_rotvec(0.8 * np.array([2, 3, 6]) / 7).as_matrix()
    close(evaluate(base.R, {"phi": 0.8, "x": n[0], "y": n[1], "z": n[2]}), expected)


def test_a_vector_can_be_the_axis():
    g = Graph()
    world = Base.root(g)
    tilted = world.rotated("tilted", (1, 0, 0), 0.4)
    base = tilted.rotated("B", world.vector(0, 0, 2), g.variable("phi"))
    expected = ScipyRotation.from_euler("Z", 0.9) * ScipyRotation.from_euler("X", 0.4)
    close(evaluate(base_change(world, base), {"phi": 0.9}), expected.as_matrix())


@pytest.mark.parametrize("sequence", ["zxz", "zyx", "xyz", "yxy", "zxy", "x", "yz", "xyzx"])
def test_euler_angles_agree_with_scipy(sequence):
    g = Graph()
    angles = g.variables("a", len(sequence))
    world = Base.root(g)
    base = world.euler("B", sequence, angles)
    values = {f"a{i}": 0.3 + 0.5 * i for i in range(len(sequence))}
    expected = ScipyRotation.identity()
    for letter, angle in zip(sequence.upper(), values.values(), strict=True):
        expected = expected * ScipyRotation.from_euler(letter, angle)
    close(evaluate(base_change(world, base), values), expected.as_matrix())


@pytest.mark.parametrize("unit", [False, True])
def test_euler_parameters_agree_with_scipy(unit):
    g = Graph()
    base = Base.root(g).euler_parameters("B", g.variables("p", 4), unit=unit)
    p = np.array([0.5, -0.1, 0.7, 0.2])
    p /= np.linalg.norm(p) if unit else 1.0
    expected = ScipyRotation.from_quat(p, scalar_first=True).as_matrix()
    close(evaluate(base.R, {f"p{i}": p[i] for i in range(4)}), expected)


def test_a_turn_about_a_coordinate_axis_has_four_entries():
    g = Graph()
    for axis in ((1, 0, 0), (0, 1, 0), (0, 0, -2)):
        R = Base.root(g).rotated("B", axis, g.variable("phi")).R
        assert operations(R) == 2
        assert sum(entry.value is None for entry in R.flat) == 4
        assert sorted(entry.value for entry in R.flat if entry.value is not None) == [0, 0, 0, 0, 1]


@pytest.mark.parametrize("quarters", range(-4, 5))
def test_quarter_turns_are_exact(quarters):
    g = Graph()
    R = Base.root(g).rotated("B", (1, 0, 0), quarters * np.pi / 2).R
    assert {abs(entry.value) for entry in R.flat} == {0.0, 1.0}
    close(evaluate(R, {}), ScipyRotation.from_euler("X", quarters * 90, degrees=True).as_matrix())


def test_costs_of_matrices_and_changes_of_base():
    g = Graph()
    v = g.variables("v", 3)
    world = Base.root(g)
    skew = world.rotated("skew", (1, 2, 3), g.variable("phi"))
    assert operations(skew.R) == 2 + 19  # as the comment in rotations.py says
    assert operations(world.euler_parameters("p", g.variables("p", 4)).R) == 24
    plain = world.rotated("plain", (0, 0, 1), g.variable("phi"))
    assert operations(plain.vector(v).components(world)) == 2 + 6
    assert operations(base_change(world, plain.euler("E", "xyz", g.variables("e", 3)))) <= 2 + 6 + 3 * 18


def test_base_change_chains_and_inverts(zoo):
    A, B, C = zoo.bases[3], zoo.bases[6], zoo.bases[0]
    R_AB, R_BC, R_AC = (evaluate(base_change(*pair), zoo.numbers()) for pair in ((A, B), (B, C), (A, C)))
    close(R_AB @ R_BC, R_AC)
    close(evaluate(base_change(B, A), zoo.numbers()), R_AB.T)
    close(R_AB.T @ R_AB, np.eye(3))
    v = zoo.g.parameters("v", 3)
    in_A = B.vector(v).components(A)
    close(evaluate(in_A, zoo.numbers()), R_AB @ evaluate(v, zoo.numbers()))


# ------------------------------------------------------------------ kinematics by a second road


@pytest.mark.parametrize(("i", "j"), PAIRS_OF_BASES)
def test_angular_velocity_is_the_skew_part_of_the_rate_of_rotation(zoo, i, j):
    A, B = zoo.bases[i], zoo.bases[j]
    R_AB = base_change(A, B)
    w = angular_velocity(B, A).components(B)
    values = zoo.numbers()
    skew = evaluate(R_AB, values).T @ rate_of_change(R_AB, values)
    close(evaluate(w, values), [skew[2, 1], skew[0, 2], skew[1, 0]])


@pytest.mark.parametrize(("i", "j"), PAIRS_OF_BASES)
def test_angular_acceleration_is_the_rate_of_angular_velocity(zoo, i, j):
    A, B = zoo.bases[i], zoo.bases[j]
    w, alpha = angular_velocity(B, A).components(A), angular_acceleration(B, A).components(A)
    time_derivative(w)  # declares the rates of the inputs
    values = zoo.numbers()
    close(evaluate(alpha, values), rate_of_change(w, values), 1e-10)


@pytest.mark.parametrize(
    ("i", "base", "j"), [*itertools.product(range(8), (0, 2, 4, 6), (0, 2, 5)), (6, 7, 7), (3, 8, 6)]
)
def test_velocity_and_acceleration_are_rates_of_the_position(zoo, i, base, j):
    point, reference, origin = zoo.points[i], zoo.bases[base], zoo.points[j]
    r = position(origin, point).components(reference)
    v = velocity(point, reference, origin).components(reference)
    a = acceleration(point, reference, origin).components(reference)
    values = zoo.numbers()
    close(evaluate(v, values), rate_of_change(r, values), 1e-10)
    close(evaluate(a, values), rate_of_change(v, values), 1e-9)


def test_roots_are_the_default_reference(zoo):
    point, base = zoo.points[6], zoo.bases[6]
    for short, long in [
        (velocity(point), velocity(point, zoo.world, zoo.origin)),
        (acceleration(point), acceleration(point, zoo.world, zoo.origin)),
        (angular_velocity(base), angular_velocity(base, zoo.world)),
        (angular_acceleration(base), angular_acceleration(base, zoo.world)),
    ]:
        assert list(short.components()) == list(long.components())


@pytest.mark.parametrize("i", range(1, 9))
def test_the_derivative_of_a_vector_depends_on_who_sees_it(zoo, i):
    g, base = zoo.g, zoo.bases[i]
    v = zoo.bases[2].vector(g["x"], g["a"] * g["x"], 1) + zoo.bases[5].vector(0, exp(g["y"]), g["l"])
    seen = v.dt(base).components(base)
    values = zoo.numbers()
    close(evaluate(seen, values), rate_of_change(v.components(base), values), 1e-10)


def test_unit_euler_parameters_give_their_angular_velocity_and_acceleration():
    g = Graph()
    world = Base.root(g)
    base = world.euler_parameters("B", g.coordinates("p", 4))
    rng = np.random.default_rng(3)
    p, dp, ddp = rng.normal(size=(3, 4))
    p /= np.linalg.norm(p)
    dp -= p * (p @ dp)
    ddp -= p * (p @ ddp + dp @ dp)  # |p| = 1 to second order
    values = {f"{'d' * k}p{i}": x[i] for k, x in enumerate((p, dp, ddp)) for i in range(4)}
    R = base.R
    skew = evaluate(R, values).T @ rate_of_change(R, values)
    w = angular_velocity(base).components(base)
    close(evaluate(w, values), [skew[2, 1], skew[0, 2], skew[1, 0]])
    close(evaluate(angular_acceleration(base).components(base), values), rate_of_change(w, values))


def test_a_given_angular_velocity_is_taken_as_it_stands():
    g = Graph()
    p, w = g.variables("p", 4), g.variables("w", 3)
    for symbol, rate in zip(p, euler_parameter_rates(p, w), strict=True):
        g.variable(symbol.name, rate=rate)
    for symbol in w:
        g.variable(symbol.name, rate=g.variable("d" + symbol.name))
    world = Base.root(g)
    short = world.euler_parameters("short", p, angular_velocity=w)
    long = world.euler_parameters("long", p)
    assert list(angular_velocity(short).components()) == list(w)
    assert [atom.name for atom in angular_acceleration(short).components()] == ["dw0", "dw1", "dw2"]
    values = random_values(g)
    norm = np.linalg.norm([values[f"p{i}"] for i in range(4)])
    values |= {f"p{i}": values[f"p{i}"] / norm for i in range(4)}
    close(evaluate(angular_velocity(long).components(), values), evaluate(w, values))


def test_statics_needs_no_rates():
    g = Graph()
    world = Base.root(g)
    base = world.rotated("B", (0, 0, 1), g.variable("phi"))  # a variable without a rate
    point = Point.root(world).moved("P", base.vector(1, 0, 0))
    close(evaluate(position(point.top, point).components(world), {"phi": 0.3}), [np.cos(0.3), np.sin(0.3), 0])
    with pytest.raises(SymbolicError, match="time derivative of variable 'phi' is not known"):
        velocity(point)


def test_gravity_is_what_an_accelerometer_adds(zoo):
    gravity = zoo.world.vector(0, 0.5, -9.81)
    for point in zoo.points:
        a, shown = acceleration(point), acceleration(point, gravity=gravity)
        difference = evaluate((a - shown).components(zoo.world), zoo.numbers())
        close(difference, [0, 0.5, -9.81], 1e-10)


# ------------------------------------------------------------------ sharing


def test_asking_twice_adds_no_atom(zoo):
    def ask() -> None:
        for point in zoo.points:
            velocity(point).components()
            acceleration(point).components()
            position(zoo.points[0], point).components(zoo.world)
        for base in zoo.bases:
            angular_acceleration(base).components()

    ask()
    size = len(zoo.g)
    ask()
    assert len(zoo.g) == size


def test_points_share_the_motion_of_their_common_path():
    g = Graph()
    base = Base.root(g)
    point = Point.root(base)
    for i, angle in enumerate(g.coordinates("q", 6)):
        base = base.rotated(f"B{i}", [(0, 0, 1), (1, 0, 0)][i % 2], angle)
        point = point.moved(f"P{i}", base.vector(g.parameters(f"l{i}", 3)))
    first = operations(velocity(point).components())
    sister = point.parent.moved("sister", base.vector(g.parameters("s", 3)))
    both = operations(velocity(point).components(), velocity(sister).components())
    assert both - first == 9 + 3  # w × s, and the sum with what is there


def chain_of_points(n: int) -> tuple[Graph, list[Base], list[Point]]:
    g = Graph()
    bases = [Base.root(g)]
    points = [Point.root(bases[0])]
    for i, angle in enumerate(g.coordinates("q", n)):
        bases.append(bases[-1].rotated(f"B{i}", [(0, 0, 1), (1, 0, 0)][i % 2], angle))
        points.append(points[-1].moved(f"P{i}", bases[-1].vector(g.parameters(f"l{i}", 3))))
    return g, bases, points


@pytest.mark.parametrize("in_tip", [False, True])
def test_a_position_passes_each_joint_once_whatever_the_base(in_tip):
    n = 12
    _, bases, points = chain_of_points(n)
    r = position(points[0], points[-1])
    cost = operations(r.components(bases[-1] if in_tip else bases[0]))
    # 2 functions, 6 operations per turn and 3 sums.  In the base of the tip the first turn has nothing to carry.
    assert cost == (2 * (n - 1) + 9 * (n - 1) if in_tip else 2 * n + 6 * n + 3 * (n - 1))


def test_absolute_coordinates_are_not_turned_into_the_body_and_back():
    g = Graph()
    world = Base.root(g)
    body = world.euler_parameters("body", g.coordinates("p", 4))
    centre = Point.root(world).moved("C", world.vector(g.coordinates("x y z")))
    v = velocity(centre.moved("P", body.vector(g.parameters("l", 3))))
    turned = operations(angular_velocity(body).components(), body.R)
    assert operations(v.components(world), angular_velocity(body).components(), body.R) - turned == 9 + 15 + 3


def test_chains_may_be_longer_than_the_stack_of_python():
    g = Graph()
    base = Base.root(g)
    point = Point.root(base)
    q = g.coordinate("q")
    for i in range(1500):
        base = base.rotated(f"B{i}", (0, 0, 1), q)
        point = point.moved(f"P{i}", base.vector(1, 0, 0))
    angular_acceleration(base)
    w, v = angular_velocity(base).components(), velocity(point).components(base)
    assert evaluate(w, {"q": 0.0, "dq": 2.0})[2] == 3000.0
    close(evaluate(v, {"q": 0.0, "dq": 1.0}), [0, 1500 * 1501 / 2, 0])


# ------------------------------------------------------------------ equations of motion


def test_double_pendulum_agrees_with_the_closed_form():
    g = Graph()
    a, b = g.coordinates("a b")  # both angles measured from the vertical
    m1, m2, l1, l2, gravity = g.parameters("m1 m2 l1 l2 g")
    world = Base.root(g)
    rod1, rod2 = world.rotated("rod1", (0, 0, 1), a), world.rotated("rod2", (0, 0, 1), b)
    P1 = Point.root(world).moved("P1", rod1.vector(0, -l1, 0))
    P2 = P1.moved("P2", rod2.vector(0, -l2, 0))
    G = world.vector(0, -gravity, 0)
    pairs = [(m * (G - acceleration(P)), velocity(P)) for m, P in ((m1, P1), (m2, P2))]
    residual = virtual_power(pairs, [a.dt, b.dt])
    x = random_values(g)
    # Landau and Lifshitz, Mechanics, §5, problem 1: Lagrange's function of the coplanar double pendulum
    s, c = np.sin(x["a"] - x["b"]), np.cos(x["a"] - x["b"])
    m, l1n, l2n, gn = x["m1"] + x["m2"], x["l1"], x["l2"], x["g"]
    coupling = x["m2"] * l1n * l2n
    first = m * l1n**2 * x["dda"] + coupling * (x["ddb"] * c + x["db"] ** 2 * s) + m * gn * l1n * np.sin(x["a"])
    second = x["m2"] * l2n**2 * x["ddb"] + coupling * (x["dda"] * c - x["da"] ** 2 * s)
    second += x["m2"] * gn * l2n * np.sin(x["b"])
    close(evaluate(residual, x), [-first, -second])


def symmetric(base: Base, name: str) -> Tensor:
    xx, yy, zz, xy, xz, yz = base.graph.parameters([f"I{name}_{k}" for k in ("xx", "yy", "zz", "xy", "xz", "yz")])
    return base.tensor([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def test_virtual_power_agrees_with_lagrange():
    g = Graph()
    x, y, z, a, b, c, d, s = q = g.coordinates("x y z a b c d s")
    v = array([item.dt for item in q])
    world = Base.root(g)
    gravity = world.vector(0, g.parameter("gx"), -g.parameter("gz"))
    hull = world.euler("hull", "zyx", [a, b, c])
    arm = hull.rotated("arm", (1, 2, 2), d)
    C1 = Point.root(world).moved("C1", world.vector(x, y, z))
    C2 = C1.moved("hinge", hull.vector(g.parameters("l", 3))).moved("C2", arm.vector(s, g.parameter("k"), s * s))
    bodies = [(g.parameter("m1"), C1, symmetric(hull, "1")), (g.parameter("m2"), C2, symmetric(arm, "2"))]
    pairs = []
    energy: Any = 0.0
    potential: Any = 0.0
    for m, com, inertia in bodies:
        w = angular_velocity(inertia.base)
        force, moment = rigid_body_inertia_forces(m, com, inertia, gravity=gravity)
        pairs += [(force, velocity(com)), (moment, w)]
        energy = energy + 0.5 * m * velocity(com).dot(velocity(com)) + 0.5 * w.dot(inertia @ w)
        potential = potential - m * gravity.dot(position(com.top, com))
    lagrange = time_derivative(gradient(energy, v)) - gradient(energy, q) + gradient(potential, q)
    values = random_values(g)
    close(evaluate(virtual_power(pairs, v), values), -evaluate(lagrange, values), 1e-10)


@pytest.mark.parametrize("symmetric_by_structure", [True, False])
def test_inertia_moment_is_eulers(symmetric_by_structure):
    g = Graph()
    world = Base.root(g)
    base = world.euler("B", "xyz", g.coordinates("q", 3))
    inertia = symmetric(base, "")
    if not symmetric_by_structure:
        inertia = base.tensor(inertia.components() + array([[0, 0.0, 0], [0.25, 0, 0], [0, 0, 0]]))
    point = Point.root(world).moved("C", world.vector(g.coordinate("x"), 0, 0))
    force, moment = rigid_body_inertia_forces(g.parameter("m"), point, inertia)
    values = random_values(g)
    w, alpha, I = (
        evaluate(item.components(base), values)
        for item in (angular_velocity(base), angular_acceleration(base), inertia)
    )
    close(evaluate(moment.components(base), values), -(I @ alpha + np.cross(w, I @ w)))
    close(evaluate(force.components(world), values), [-values["m"] * values["ddx"], 0, 0])


def test_velocity_dependent_forces_are_weights_only():
    g = Graph()
    q, k = g.coordinate("q"), g.parameter("k")
    world = Base.root(g)
    v = velocity(Point.root(world).moved("P", world.vector(q, 0, 0)))
    damping = -k * v.norm() * v
    close(evaluate(virtual_power([(damping, v)], [q.dt]), {"q": 0, "dq": 3.0, "k": 2.0}), [-18.0])


def test_moments_and_forces_in_foreign_bases_do_the_same_power(zoo):
    g = zoo.g
    F = zoo.bases[6].vector(g.parameters("F", 3))
    point, base = zoo.points[3], zoo.bases[3]
    v = array([g[name] for name in ("da", "db", "dc", "dd", "de", "dx", "dy", "dz")])
    own = virtual_power([(F, velocity(point)), (F, angular_velocity(base))], v)
    power = F.dot(velocity(point)) + F.dot(angular_velocity(base))  # this force does not depend on velocities
    close(evaluate(own, zoo.numbers()), evaluate(gradient(power, v), zoo.numbers()))


def test_no_contributions_give_no_forces():
    g = Graph()
    assert virtual_power([], g.coordinates("x y").dt).tolist() == [0.0, 0.0]


def test_power_is_differentiated_by_velocities_only():
    g = Graph()
    q, m = g.coordinate("q"), g.parameter("m")
    world = Base.root(g)
    F, v = world.vector(m, 0, 0), world.vector(q.dt, 0, 0)
    assert virtual_power([(F, v)], [q.dt]).tolist() == [m]
    assert virtual_power([(F, world.vector(u := g.variable("u"), 0, 0))], [u]).tolist() == [m]
    for wrong in (q, q.dt.dt, m, g.time):
        with pytest.raises(SymbolicError, match=rf"virtual_power: '{wrong.name}' is of kind .* pass .* q.dt"):
            virtual_power([(F, v)], [wrong])
    with pytest.raises(SymbolicTypeError, match="takes a list of pairs: write virtual_power"):
        virtual_power((F, v), [q.dt])
    with pytest.raises(SymbolicTypeError, match=r"contribution 0 must be a pair of vectors .* got \(Vector\)"):
        virtual_power([(F,)], [q.dt])


def test_vectors_under_operators_and_numpy():
    g = Graph()
    q, m = g.coordinate("q"), g.parameter("m")
    world = Base.root(g)
    r = world.vector(q, 0, 0)
    assert r @ r == r.dot(r) and abs(r) == r.norm()
    with pytest.raises(SymbolicTypeError, match=r"np.norm does not take vectors; use u.dot\(v\)"):
        np.linalg.norm(r)
    with pytest.raises(SymbolicError, match=r"call the method: dt\(\)"):
        m * r.dt
    with pytest.raises(SymbolicTypeError, match=r"call it: dt\(\)"):
        r + r.dt
    with pytest.raises(SymbolicTypeError, match=r"gravity must be a vector, got a list; make one with world.vector"):
        acceleration(Point.root(world).moved("P", r), gravity=[0, 0, -9.81])


class Chain:
    """n bodies with general inertias and offsets on revolute joints, and their inverse dynamics."""

    def __init__(self, n: int, kind: str) -> None:
        g = self.g = Graph()
        self.q = g.coordinates("q", n)
        self.mass = g.parameters("m", n)
        self.c, self.l = ([g.parameters(f"{name}{i}_", 3) for i in range(n)] for name in "cl")
        self.gravity = g.parameters("g", 3)
        world = Base.root(g)
        self.bases = [world]
        self.axes = []
        base = world
        for i, angle in enumerate(self.q):
            axis = (1, 2, 3 + i) if kind == "skew" else [(0, 0, 1), (0, 1, 0)][i % 2]
            if kind == "twisted":  # Denavit and Hartenberg: a constant turn about x, the joint about z
                axis = (0, 0, 1)
                base = base.rotated(f"T{i}", (1, 0, 0), 0.1 + 0.2 * i)
            base = base.rotated(f"B{i}", axis, angle)
            self.bases.append(base)
            self.axes.append(array(axis) / np.linalg.norm(axis))
        self.inertias = [symmetric(base, str(i)) for i, base in enumerate(self.bases[1:])]

    def by_virtual_power(self) -> Any:
        joint, pairs = Point.root(self.bases[0]), []
        gravity = self.bases[0].vector(self.gravity)
        for i, (base, inertia) in enumerate(zip(self.bases[1:], self.inertias, strict=True)):
            com = joint.moved(f"C{i}", base.vector(self.c[i]))
            force, moment = rigid_body_inertia_forces(self.mass[i], com, inertia, gravity=gravity)
            pairs += [(force, velocity(com)), (moment, angular_velocity(base))]
            joint = joint.moved(f"J{i}", base.vector(self.l[i]))
        return virtual_power(pairs, self.q.dt)

    def by_the_textbook(self) -> Any:
        """Recursive Newton–Euler (Luh, Walker and Paul 1980), with a - g in place of a."""
        n = len(self.q)
        dq, ddq = self.q.dt, self.q.dt.dt
        w, alpha, a = array([0.0] * 3), array([0.0] * 3), -self.gravity
        forces, moments = [], []

        def turn(i: int, vector: Any, outwards: bool) -> Any:
            steps, base = [], self.bases[i + 1]
            while base is not self.bases[i]:
                steps.append(base.R)
                base = base.parent
            for R in reversed(steps) if outwards else steps:
                vector = (R.T if outwards else R) @ vector
            return vector

        for i in range(n):
            I, axis = self.inertias[i].components(), self.axes[i]
            w_parent, alpha, a = (turn(i, vector, True) for vector in (w, alpha, a))
            w = w_parent + dq[i] * axis
            alpha = alpha + ddq[i] * axis + np.cross(w_parent, dq[i] * axis)
            a_com = a + np.cross(alpha, self.c[i]) + np.cross(w, np.cross(w, self.c[i]))
            a = a + np.cross(alpha, self.l[i]) + np.cross(w, np.cross(w, self.l[i]))
            forces.append(self.mass[i] * a_com)
            moments.append(I @ alpha + np.cross(w, I @ w))
        force, moment, result = array([0.0] * 3), array([0.0] * 3), [None] * n
        for i in reversed(range(n)):  # force and moment of the next body, at its joint
            moment = moment + moments[i] + np.cross(self.c[i], forces[i]) + np.cross(self.l[i], force)
            force = force + forces[i]
            result[i] = -moment @ self.axes[i]
            force, moment = turn(i, force, False), turn(i, moment, False)
        return array(result)


KINDS = ["twisted", "orthogonal", "skew"]


@pytest.mark.parametrize("kind", KINDS)
def test_virtual_power_agrees_with_recursive_newton_euler(kind):
    chain = Chain(6, kind)
    values = random_values(chain.g, seed=4)
    expected = evaluate(chain.by_the_textbook(), values)
    np.testing.assert_allclose(evaluate(chain.by_virtual_power(), values), expected, rtol=1e-11)


@pytest.mark.parametrize("kind", KINDS)
def test_inverse_dynamics_costs_the_same_for_each_further_body(kind):
    chains = [Chain(n, kind) for n in (10, 20, 40)]
    small, middle, large = (operations(chain.by_virtual_power()) for chain in chains)
    assert (middle - small) / 10 == (large - middle) / 20
    # Ours, to guard against change: products, sums and two functions.
    assert (large - middle) / 20 == {"twisted": 185, "orthogonal": 155, "skew": 242}[kind]
    assert large < 0.95 * operations(chains[-1].by_the_textbook())


# ------------------------------------------------------------------ vectors and tensors

finite = st.floats(-3, 3).filter(lambda x: x == 0 or abs(x) > 1e-3)
triples = st.tuples(finite, finite, finite)
TREE = Zoo()
somewhere = st.builds(lambda i, x: TREE.bases[i].vector(*x), st.integers(0, 8), triples)
sums = st.builds(lambda u, v: u + v, somewhere, somewhere)
vectors = st.one_of(somewhere, sums)


def number(item: Any) -> np.ndarray:
    if isinstance(item, Vector):
        item = item.components(TREE.world)
    return evaluate(item, TREE.numbers())


@given(vectors, vectors, vectors)
def test_products_across_bases(u, v, w):
    close(number(u.dot(v)), number(v.dot(u)), 1e-9)
    close(number(u.dot(v)), number(u) @ number(v), 1e-9)
    close(number(u.cross(v)), np.cross(number(u), number(v)), 1e-9)
    close(number(u.cross(v)), -number(v.cross(u)), 1e-9)
    close(number(u.cross(v).dot(w)), number(u.dot(v.cross(w))), 1e-8)
    close(number(u.cross(v.cross(w))), number(u.dot(w) * v - u.dot(v) * w), 1e-8)
    close(number(u.norm()) ** 2, number(u) @ number(u), 1e-8)


@given(vectors, vectors, finite, st.integers(0, 8))
def test_linear_operations_across_bases(u, v, k, i):
    base = TREE.bases[i]
    close(number(u + v), number(u) + number(v), 1e-9)
    close(number(u - v), number(u) - number(v), 1e-9)
    close(number(k * u), k * number(u), 1e-9)
    close(number(u / (k * k + 1)), number(u) / (k * k + 1), 1e-9)
    close(number(-u), -number(u), 1e-9)
    close(number(u.express(base)), number(u), 1e-9)
    close(number(sum([u, v, u])), 2 * number(u) + number(v), 1e-9)
    assert u.express(base).base is base


def test_sums_are_at_home_in_the_deepest_base_or_the_common_ancestor():
    g = Graph()
    world = Base.root(g)
    left, right = world.rotated("left", (0, 0, 1), g.variable("a")), world.rotated("right", (0, 1, 0), g.variable("b"))
    deep = left.rotated("deep", (1, 0, 0), g.variable("c"))
    u, v, w, o = deep.vector(1, 2, 3), left.vector(1, 2, 3), right.vector(1, 2, 3), world.vector(1, 2, 3)
    assert (u + v).base is deep and (o + u).base is deep and (v + o).base is left
    assert (v + w).base is world and (u + w).base is world
    assert (u + right.vector(0, 0, 0)).base is deep  # zeros have no say
    assert right.vector(0, 0, 0).base is right
    assert u.express(deep) is u and (u + u).components()[0] == 2.0
    assert repr(right.vector(1, 0, g["a"])) == "<Vector [1, 0, a] in 'right'>"


def test_numpy_scalars_and_atoms_multiply_from_both_sides():
    g = Graph()
    x, v = g.variable("x"), Base.root(g).vector(1, 2, 3)
    for product in (x * v, v * x):
        assert list(product.components()) == [x, 2 * x, 3 * x]
    assert list((np.float64(2) * v).components()) == [2.0, 4.0, 6.0]
    assert isinstance(np.float64(2) * v, Vector)


def test_components_cannot_be_overwritten():
    v = Base.root(Graph()).vector(1, 2, 3)
    with pytest.raises(ValueError, match="read-only"):
        v.components()[0] = 7


def test_tensors_change_base_and_act_on_vectors(zoo):
    g = zoo.g
    A, B = zoo.bases[3], zoo.bases[6]
    I = symmetric(A, "T")
    v = B.vector(g.parameters("tv", 3))
    values = zoo.numbers() | random_values(g)
    R_BA = evaluate(base_change(B, A), values)
    I_A, v_B = evaluate(I.components(), values), evaluate(v.components(), values)
    in_B = I.express(B)
    close(evaluate(in_B.components(), values), R_BA @ I_A @ R_BA.T)
    assert np.all(in_B.components() == in_B.components().T)
    close(evaluate((I @ v).components(A), values), I_A @ R_BA.T @ v_B)
    assert (I @ v).base is A
    close(evaluate((I + in_B - 0.5 * I).components(A), values), 1.5 * I_A)
    close(evaluate((-I / 4).components(), values), -I_A / 4)
    general = B.tensor([[1, 2, 3], [4, 5, 6], [7, 8, 10]]).express(A)
    close(evaluate(general.components(), values), R_BA.T @ [[1, 2, 3], [4, 5, 6], [7, 8, 10]] @ R_BA)


def test_steiner_agrees_with_a_sum_over_mass_points(zoo):
    rng = np.random.default_rng(1)
    masses, places = rng.uniform(1, 2, 5), rng.normal(size=(5, 3))
    places -= masses @ places / masses.sum()
    R = evaluate(base_change(zoo.bases[2], zoo.bases[3]), zoo.numbers())
    r = np.array([0.3, -0.2, 0.9])  # of the new point, in base 3; the inertia is in base 2

    def inertia(points):
        return sum(m * (x @ x * np.eye(3) - np.outer(x, x)) for m, x in zip(masses, points, strict=True))

    moved = steiner(zoo.bases[2].tensor(inertia(places)), masses.sum(), zoo.bases[3].vector(r))
    close(evaluate(moved.components(), zoo.numbers()), inertia(places - R @ r))


# ------------------------------------------------------------------ complaints


def test_trees_do_not_mix():
    g = Graph()
    earth, moon = Base.root(g, "earth"), Base.root(g, "moon")
    hill, crater = earth.rotated("hill", (0, 0, 1), 0.3), moon.rotated("crater", (0, 0, 1), 0.3)
    u, v = hill.vector(1, 0, 0), crater.vector(1, 0, 0)
    both = r"bases 'hill' and 'crater' belong to different trees, with roots 'earth' and 'moon'"
    for mixture in (
        lambda: u + v,
        lambda: u - v,
        lambda: u.dot(v),
        lambda: u.cross(v),
        lambda: u.components(crater),
        lambda: u.express(crater),
        lambda: base_change(hill, crater),
        lambda: angular_velocity(hill, crater),
        lambda: hill.tensor(np.eye(3)).express(crater),
    ):
        with pytest.raises(TreeError, match=both):
            mixture()
    O, Q = Point.root(earth, "O"), Point.root(earth, "Q")
    with pytest.raises(TreeError, match="points 'O' and 'Q' belong to different trees"):
        position(O, Q)
    with pytest.raises(
        TreeError, match=r"Point 'P': its displacement lives in base 'crater' of the tree of 'moon'.*'earth'"
    ):
        O.moved("P", v)
    with pytest.raises(TreeError, match="'moon' and 'earth'"):
        velocity(O, moon)


WORLD = Base.root(Graph(), "W")
O = Point.root(WORLD, "O")
V = WORLD.vector(1, 2, 3)
T = WORLD.tensor(np.eye(3))
X = (1, 0, 0)
ELSEWHERE = Graph().variable("x")


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda: WORLD.rotated("B", (0, 0, 0), 1), r"Base 'B': axis must be finite and not zero, got \(0, 0, 0\)"),
        (lambda: WORLD.rotated("B", (0, np.nan, 0), 1), "Base 'B': axis must be finite"),
        (lambda: WORLD.rotated("B", (0, 1), 1), r"Base 'B': axis: expected scalars of shape \(3,\), got shape \(2,\)"),
        (lambda: WORLD.rotated("B", X, [1, 2]), r"Base 'B': angle must be a scalar, got an array of shape \(2,\)"),
        (lambda: WORLD.rotated("B", X, ELSEWHERE), "atoms of two graphs"),
        (lambda: WORLD.rotated("W", X, 1), "Base 'W' exists already in the tree of 'W'; choose another name"),
        (lambda: WORLD.rotated(3, X, 1), "Base below 'W': the name must be a text, got 3"),
        (lambda: WORLD.euler("W", "zxz", X), "Base 'W' exists already"),
        (lambda: WORLD.euler("B", "zxz", [1, 2]), r"Base 'B': angles for the sequence 'zxz': .* got shape \(2,\)"),
        (lambda: WORLD.euler("B", "zXz", X), "Base 'B': the sequence of axes must consist of the letters x, y and z"),
        (lambda: WORLD.euler_parameters("B", X), r"Base 'B': Euler parameters: expected scalars of shape \(4,\)"),
        (lambda: WORLD.turned("B", np.ones((3, 3))), "Base 'B': the matrix is no rotation"),
        (lambda: WORLD.turned("B", np.diag([1, 1, -1])), "Base 'B': the matrix is a reflection"),
        (lambda: WORLD.turned("B", [[1, 0], [0]]), r"Base 'B': matrix: expected scalars of shape \(3, 3\)"),
        (lambda: WORLD.turned("B", np.eye(3), angular_velocity=[1]), "Base 'B': angular velocity: expected"),
        (lambda: WORLD.vector(1, 2), r"Base 'W': vector: expected scalars of shape \(3,\), got shape \(2,\)"),
        (lambda: WORLD.vector(WORLD.graph.variable("x")), r"got shape \(\)"),
        (lambda: WORLD.tensor([1, 2, 3]), r"Base 'W': tensor: expected scalars of shape \(3, 3\)"),
        (lambda: np.ones(3) * V, r"the factor must be a scalar, got an array of shape \(3,\)"),
        (lambda: O.moved("O", V), "Point 'O' exists already in the tree of 'O'"),
        (lambda: rigid_body_inertia_forces([1], O, T), "mass at 'O' must be a scalar"),
    ],
)
def test_wrong_values_are_named(action, message):
    with pytest.raises(SymbolicError, match=message):
        action()


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda: WORLD.rotated("B", X, V), r"Base 'B': angle must be a scalar, got a vector: .* take one of its comp"),
        (lambda: WORLD.vector(V), "Base 'W': vector: expected scalars .* got a vector; take its components"),
        (lambda: WORLD.vector(V, 0, 0), r"element \(0,\) must be a scalar, got a vector"),
        (lambda: V + 1, r"a vector and a int cannot be added; make a vector of it with base.vector\(x, y, z\)"),
        (lambda: 1 - V, "a vector and a int cannot be added"),
        (lambda: V * V, r"u.dot\(v\) or u.cross\(v\)"),
        (lambda: V / V, "the divisor must be a scalar, got a vector"),
        (lambda: V.dot([1, 2, 3]), "dot needs a vector, got a list"),
        (lambda: T * V, "tensor @ vector"),
        (lambda: T @ [1, 2, 3], "needs a vector, got a list"),
        (lambda: T + 1, "a tensor and a int cannot be added"),
        (lambda: O.moved("P", [1, 2, 3]), "Point 'P': the displacement must be a vector, got a list"),
        (lambda: Point.root(WORLD.graph, "O"), "Point 'O': a base is needed"),
        (lambda: velocity(WORLD), "needs a point, got a Base"),
        (lambda: velocity(O, origin=WORLD), "origin needs a point, got a Base"),
        (lambda: acceleration(O, reference=O), "reference needs a base, got a Point"),
        (lambda: angular_velocity(O), "angular_velocity needs a base, got a Point"),
        (lambda: virtual_power([(1.0, V)], []), r"contribution 0 must be a pair of vectors .* got \(float, Vector\)"),
        (lambda: rigid_body_inertia_forces(1, O, np.eye(3)), "inertia at 'O' must be a tensor"),
        (lambda: steiner(np.eye(3), 1, V), "steiner takes a tensor, a mass and a vector"),
    ],
)
def test_wrong_kinds_are_named(action, message):
    with pytest.raises(SymbolicTypeError, match=message):
        action()


def test_a_failed_definition_leaves_no_name_behind():
    world = Base.root(Graph())
    with pytest.raises(SymbolicError):
        world.rotated("B", (0, 0, 0), 1)
    with pytest.raises(SymbolicError):
        world.euler("B", "zx", [1])
    base = world.euler("B", "zx", [1, 2])
    assert base.parent.name == "B'" and world.rotated("B'", (0, 0, 1), 1).name == "B'"


# ------------------------------------------------------------------ the public face


def test_exported_members():
    assert mechanics.__all__ == sorted(mechanics.__all__)
    for name in mechanics.__all__:
        assert inspect.getdoc(getattr(mechanics, name)), f"{name} has no docstring"


@pytest.mark.parametrize("module", ["", ".bases", ".points", ".rotations"])
def test_examples_in_docstrings(module):
    result = doctest.testmod(importlib.import_module("dalembert.symbolic.mechanics" + module))
    assert result.attempted > 0 and result.failed == 0
