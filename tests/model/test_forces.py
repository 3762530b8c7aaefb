"""Springs, bushings, applied and user-written forces against formulas written again with NumPy, in absolute
coordinates, where generalised forces are forces and moments on bodies."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.interpolate import CubicSpline, PchipInterpolator
from scipy.spatial.transform import Rotation

import dalembert as da
from dalembert.errors import ModelError
from dalembert.model.forces.laws import Table
from dalembert.model.model import Model
from dalembert.symbolic import Graph, PiecewisePolynomial, derivative, evaluate

A_POINT, B_POINT = np.array([0.1, -0.2, 0.3]), np.array([-0.3, 0.1, 0.2])


class Pose:
    """A body of the model of two free bodies, at some q and v."""

    def __init__(self, q, v):
        self.r, self.R = q[:3], Rotation.from_quat([*q[4:7], q[3]]).as_matrix()
        self.v, self.w = v[:3], self.R @ v[3:]

    def point(self, s):
        return self.r + self.R @ s, self.v + np.cross(self.w, self.R @ s)

    def wrench(self, force, s, moment=0.0):
        """Generalised forces: force in the world, moment about the centre of mass in the body."""
        return np.concatenate([force, self.R.T @ (np.cross(self.R @ s, force) + moment)])


def free_bodies(plane=None, **options):
    m = Model("bodies", plane=plane, **options)
    inertia = 0.2 if plane else (0.2, 0.3, 0.4)
    return m, m.body("a", 1.0, inertia), m.body("b", 2.0, inertia)


def state(seed=1, n=2):
    rng = np.random.default_rng(seed)
    q = rng.normal(size=(n, 7))
    q[:, 3:] /= np.linalg.norm(q[:, 3:], axis=1)[:, None]
    v = rng.normal(size=(n, 6))
    return q.reshape(-1), v.reshape(-1)


def forces_of(add, t=0.0, seed=1, u=None, **parameters):
    """f of two free bodies with what ``add`` adds, and their poses."""
    m, a, b = free_bodies()
    add(m, a, b)
    q, v = state(seed)
    equations = m.equations("absolute", builder="symbolic")
    free = {"parameters": parameters} if parameters else {}
    # The gyroscopic moments of the bodies themselves are the same without any force.
    gyro = np.zeros(12)
    inertia = np.array([0.2, 0.3, 0.4])
    for k in (3, 9):
        gyro[k : k + 3] = -np.cross(v[k : k + 3], inertia * v[k : k + 3])
    f = equations.evaluate("f", t=t, q=q, v=v, u=u, **free) - gyro
    return f, Pose(q[:7], v[:6]), Pose(q[7:], v[6:]), m


def along_line(a, b, law):
    """Wrenches of a tension law(length, rate) between the two points."""
    (ra, va), (rb, vb) = a.point(A_POINT), b.point(B_POINT)
    length = np.linalg.norm(rb - ra)
    n = (rb - ra) / length
    F = law(length, n @ (vb - va)) * n
    return np.concatenate([a.wrench(F, A_POINT), b.wrench(-F, B_POINT)])


def test_linear_spring():
    f, a, b, _ = forces_of(
        lambda m, a, b: m.spring("s", a.at(*A_POINT), b.at(*B_POINT), 30.0, 2.0, length=0.7, force=5.0)
    )
    assert_allclose(f, along_line(a, b, lambda x, rate: 30.0 * (x - 0.7) + 2.0 * rate + 5.0), rtol=1e-12, atol=1e-12)


def test_spring_with_a_law_and_parameters():
    def add(m, a, b):
        m.spring("s", a.at(*A_POINT), b.at(*B_POINT), m.parameters(k=3.0).k, length=0.5,
                 force=lambda t, length, rate, p, w: p.k * length**3 + np.tanh(rate) + w.pull + t)  # fmt: skip
        m.input("pull", lambda t: 10.0 * np.cos(t))

    f, a, b, _ = forces_of(add, t=0.4, k=7.0)

    def law(x, rate):
        return 7.0 * (x - 0.5) + 7.0 * x**3 + np.tanh(rate) + 10.0 * np.cos(0.4) + 0.4

    assert_allclose(f, along_line(a, b, law), rtol=1e-12, atol=1e-12)


X_TABLE, F_TABLE = np.array([0.0, 0.8, 1.7, 2.5, 4.0, 6.0]), np.array([-4.0, -1.0, 0.0, 2.0, 3.0, 9.0])


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", ["monotone", "spline"])
def test_tabulated_spring(seed, kind):
    given = (X_TABLE, F_TABLE) if kind == "monotone" else da.table(X_TABLE, F_TABLE, kind=kind)
    f, a, b, _ = forces_of(lambda m, a, b: m.spring("s", a.at(*A_POINT), b.at(*B_POINT), force=given), seed=seed)
    curve = (PchipInterpolator if kind == "monotone" else CubicSpline)(X_TABLE, F_TABLE)
    assert_allclose(f, along_line(a, b, lambda x, rate: curve(x)), rtol=1e-10, atol=1e-10)


def test_a_table_is_flat_where_its_points_are():
    m = Model("stop", plane="xy", gravity=(0, 0))
    slide = m.prismatic("slide", m.ground, m.body("b", 1.0, 1.0))
    m.joint_spring("s", slide, force=([-0.1, 0.0, 0.05, 0.06, 0.07, 0.08], [0.0, 0.0, 0.0, 500.0, 2000.0, 6000.0]))
    equations = m.equations()
    for x in np.linspace(-0.1, 0.05, 31):
        assert equations.evaluate("f", q=[x], v=[0.0])[0] == 0.0
    assert equations.evaluate("f", q=[0.065], v=[0.0])[0] == pytest.approx(
        -PchipInterpolator([0.05, 0.06, 0.07, 0.08], [0.0, 500.0, 2000.0, 6000.0])(0.065), rel=0.05
    )


TABLE, CURVE = (
    ([-2.0, -1.0, 0.0, 1.5, 3.0], [-4.0, -3.0, 0.0, 1.0, 5.0]),
    PchipInterpolator([-2.0, -1.0, 0.0, 1.5, 3.0], [-4.0, -3.0, 0.0, 1.0, 5.0]),
)


@pytest.mark.parametrize(
    ("add", "wanted"),
    [
        (lambda m, s: m.joint_spring("s", s, force=TABLE), lambda x, v, t: -CURVE(x)),
        (lambda m, s: m.joint_spring("s", s, damping=TABLE), lambda x, v, t: -CURVE(v)),
        (lambda m, s: m.joint_spring("s", s, force={"rate": TABLE}), lambda x, v, t: -CURVE(v)),
        (lambda m, s: m.force("f", s, TABLE), lambda x, v, t: CURVE(x)),
        (lambda m, s: m.force("f", s, {"t": TABLE}), lambda x, v, t: CURVE(t)),
        (lambda m, s: m.force("f", s, {("displacement", "t"): (TABLE[0], [0.0, 1.0], np.outer(TABLE[1], [1.0, 1.0]))}),
         lambda x, v, t: CURVE(x)),
        (lambda m, s: m.force("f", m.bodies[0],
                              (TABLE[0], np.column_stack([TABLE[1], TABLE[1]]))), lambda x, v, t: CURVE(t)),
        (lambda m, s: m.actuator("a", s, TABLE), lambda x, v, t: CURVE(x)),
        (lambda m, s: m.dc_motor("a", s, TABLE, resistance=2.0, constant=0.5),
         lambda x, v, t: 0.5 * (CURVE(t) - 0.5 * v) / 2.0),
        (lambda m, s: m.pid("a", s, TABLE, kp=3.0), lambda x, v, t: 3.0 * (CURVE(t) - x)),
        (lambda m, s: m.friction("f", s, TABLE, velocity=0.1), lambda x, v, t: -CURVE(abs(v)) * np.tanh(v / 0.1)),
        (lambda m, s: m.force("f", s, np.array(TABLE)), lambda x, v, t: CURVE(x)),
        (lambda m, s: (m.input("w1", TABLE), m.force("f", s, lambda w: w.w1)), lambda x, v, t: CURVE(t)),
    ],
)  # fmt: skip
def test_tables_are_laws_everywhere(add, wanted):
    m = Model("slide", plane="xy", gravity=(0, 0))
    slide = m.prismatic("slide", m.ground, m.body("b", 1.0, 1.0))
    add(m, slide)
    equations = m.equations()
    u = np.zeros(equations.sizes.u)
    for x, v, t in ((-1.3, 0.4, 0.7), (2.2, -0.6, 2.9), (0.1, 1.2, -1.5)):
        found = equations.evaluate("f", q=[x], v=[v], u=u, t=t)[0]
        assert found == pytest.approx(float(wanted(x, v, t)), rel=1e-10, abs=1e-12)


def test_tables_over_what_is_not_there_are_refused():
    m = Model("slide", plane="xy", gravity=(0, 0))
    slide = m.prismatic("slide", m.ground, m.body("b", 1.0, 1.0))
    with pytest.raises(ModelError, match="cannot be over 'speed'; it can be over displacement, rate, t"):
        m.force("f", slide, {"speed": TABLE})
    with pytest.raises(ModelError, match="function of two arguments; name them"):
        m.force("f", slide, da.table([0, 1], [0, 1], [[0, 1], [1, 2]]))
    with pytest.raises(ModelError, match=r"arguments; name them, such as \{\(\"angle\", \"rate\"\): \(x, y, z\)\}"):
        m.force("f", slide, ([0, 1], [0, 1], [[0, 1], [1, 2]]))
    with pytest.raises(ModelError, match="potential cannot be a table; give a number or a function"):
        m.spring("f", m.ground, m.bodies[0].at(1, 0), force=lambda length: length, potential=TABLE)
    with pytest.raises(ModelError, match=r"a function of displacement, rate, t, or a table \(x, y\) over displacement"):
        m.force("f", slide, "10 N")


def test_tables_of_texts_are_refused():
    m = Model("slide", plane="xy", gravity=(0, 0))
    slide = m.prismatic("slide", m.ground, m.body("b", 1.0, 1.0))
    for given in ((["0", "1"], [0.0, 1.0]), ([0.0, 1.0], [0.0, "1"]), ([0.0, 1.0], [0.0, None])):
        with pytest.raises(ModelError, match=r"force 'f': force: a table is a pair \(x, y\) of equally many numbers"):
            m.force("f", slide, given)


def test_inputs_are_functions_of_time():
    m = Model("slide", plane="xy", gravity=(0, 0))
    with pytest.raises(ModelError, match="'slide': input 'e' must be a Python function with named arguments"):
        m.input("e", int)
    with pytest.raises(ModelError, match="'slide': input 'e' asks for an argument 'x'"):
        m.input("e", lambda x: x)
    with pytest.raises(ModelError, match=r"a function of t or a table \(t, values\)"):
        m.input("e", 3.0)
    m.input("e", np.array(TABLE))


@pytest.mark.parametrize("outside", ["cubic", "linear", "constant", "periodic"])
@pytest.mark.parametrize("points", [2, 6])
def test_tables_are_integrated_exactly(outside, points):
    rng = np.random.default_rng(3)
    polynomial = PiecewisePolynomial(X_TABLE[:points], rng.normal(size=(4, points - 1)), outside)
    x = Graph().variable("x")
    energy = Table(polynomial).integral(x)
    slope = derivative(energy, x)
    for at in np.linspace(-2.0, 8.0, 41):
        assert evaluate(slope, {x: at}) == pytest.approx(polynomial(at), rel=1e-12, abs=1e-12)
    assert evaluate(energy, {x: X_TABLE[0]}) == pytest.approx(0.0, abs=1e-14)
    for at in X_TABLE[:points]:  # no jumps
        assert evaluate(energy, {x: at - 1e-14}) == pytest.approx(evaluate(energy, {x: at}), abs=1e-12)


def test_spring_of_natural_length_zero_acts_through_zero_length():
    m = Model("point", gravity=(0, 0, 0))
    b = m.body("b", 1.0, (1, 1, 1), velocity=(1.0, 0.0, 0.0))
    m.spring("s", m.ground, b, 4.0, length=0.0)
    m.sensor("x", b.position)
    m.sensor("energy", m.energy)
    equations = m.equations()
    solution = da.simulate(equations, (0.0, 5.0), equations.assemble(), rtol=1e-9, atol=1e-11)
    assert_allclose(solution["x.x"], 0.5 * np.sin(2.0 * solution.t), atol=1e-7)
    assert_allclose(solution["energy"], 0.5, atol=1e-8)


def test_mass_spring_damper_moves_as_it_must():
    m = Model("oscillator", plane="xy")
    b = m.body("b", 2.0, 1.0)
    slide = m.prismatic("slide", m.ground, b)
    m.joint_spring("s", slide, 50.0, 1.2, natural=0.1)
    equations = m.equations()
    solution = da.simulate(equations, (0.0, 4.0), equations.assemble({slide.displacement: 0.4}), rtol=1e-10, atol=1e-12)
    decay, square = 1.2 / 4.0, 50.0 / 2.0
    omega = np.sqrt(square - decay**2)
    t = solution.t
    exact = 0.1 + 0.3 * np.exp(-decay * t) * (np.cos(omega * t) + decay / omega * np.sin(omega * t))
    assert_allclose(solution.q[0], exact, atol=1e-8)


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_torsional_pendulum_counts_turns(coordinates):
    m = Model("torsion")
    b = m.body("b", 1.0, (1.0, 1.0, 0.5))
    joint = m.revolute("joint", m.ground, b, start=9.0)
    m.torsion_spring("s", joint, 8.0, natural=-1.0)
    m.sensor("angle", joint.angle)
    equations = m.equations(coordinates)
    solution = da.simulate(equations, (0.0, 2.0), equations.assemble(), rtol=1e-10, atol=1e-12)
    assert_allclose(solution["angle"], -1.0 + 10.0 * np.cos(4.0 * solution.t), atol=1e-6)


def test_torsion_spring_between_bodies_in_the_plane():
    m, a, b = free_bodies("xy")
    m.torsion_spring("s", (a, b), 3.0, 0.5, natural=0.2)
    q, v = np.array([0, 0, 1.0, 2, 0, 9.0]), np.array([0, 0, 2.0, 1, 0, -1.0])
    torque = 3.0 * (8.0 - 0.2) + 0.5 * -3.0
    assert_allclose(m.equations("absolute").evaluate("f", q=q, v=v), [0, 0, torque, 0, 0, -torque], atol=1e-12)


def two_shafts():
    m = Model("shafts", plane="xy")
    a, b = m.body("a", 1.0, 0.2), m.body("b", 1.0, 0.7)
    return m, m.revolute("A", m.ground.at(0, 0), a), m.revolute("B", m.ground.at(1, 0), b)


def test_gear_spring():
    m, A, B = two_shafts()
    spring = m.gear_spring("mesh", A, B, -3.0, 40.0, 0.5, offset=0.1, torque=lambda deflection: deflection**3)
    equations = m.equations()
    q, v = np.array([0.4, 0.3]), np.array([2.0, -1.0])
    deflection, rate = 0.4 + 3.0 * 0.3 - 0.1, 2.0 - 3.0
    torque = 40.0 * deflection + 0.5 * rate + deflection**3
    assert_allclose(equations.evaluate("f", q=q, v=v), [-torque, -3.0 * torque], rtol=1e-13)
    now = equations.assemble({A.angle: 0.4, B.angle: 0.3, A.rate: 2.0, B.rate: -1.0})
    assert equations.evaluate_quantity(spring.force, now) == pytest.approx(torque)
    assert equations.evaluate_quantity(spring.deflection, now) == pytest.approx(deflection)


def test_gear_compliance_has_the_frequency_of_two_inertias():
    m, A, B = two_shafts()
    m.gear_spring("mesh", A, B, 2.0, 40.0)
    m.sensor("energy", m.energy)
    equations = m.equations()
    solution = da.simulate(equations, (0, 3), equations.assemble({A.angle: 0.1, B.angle: 0.0}), rtol=1e-10, atol=1e-12)
    # δ = θ1 − 2 θ2 swings with ω² = k (1/I1 + i²/I2)
    omega = np.sqrt(40.0 * (1 / 0.2 + 4.0 / 0.7))
    assert_allclose(solution.q[0] - 2.0 * solution.q[1], 0.1 * np.cos(omega * solution.t), atol=1e-8)
    assert_allclose(solution["energy"], 0.5 * 40.0 * 0.01, rtol=1e-8)


def test_gear_mesh_loads_gears_and_bearings():
    m, A, B = two_shafts()
    a, b = m["a"], m["b"]
    mesh = m.gear_mesh("teeth", a, b, m.ground.at(0.6, 0), {A: -0.6, B.angle: -0.4}, 40.0, 0.5, pressure=0.3)
    now = {A.angle: 0.4, B.angle: 0.3, A.rate: 2.0, B.rate: -1.0}
    force = np.cos(0.3) * (40.0 * (-0.6 * 0.4 - 0.4 * 0.3) + 0.5 * (-0.6 * 2.0 + 0.4 * 1.0))
    equations = m.equations()
    start = equations.assemble(now)
    assert_allclose(equations.evaluate("f", q=start.q, v=start.v), [0.6 * force, 0.4 * force], rtol=1e-13)
    assert equations.evaluate_quantity(mesh.force, start) == pytest.approx(force)
    assert equations.evaluate_quantity(mesh.deflection, start) == pytest.approx(-0.36)
    apart = m.equations("absolute")
    start = apart.assemble(now)
    given = apart.evaluate("f", q=start.q, v=start.v)
    assert_allclose(given, [0, force, 0.6 * force, 0, -force, 0.4 * force], atol=1e-12)


def test_gear_mesh_is_checked():
    m, A, _ = two_shafts()
    a, b = m["a"], m["b"]
    with pytest.raises(ModelError, match="gear mesh 'g' acts between 'a' and itself"):
        m.gear_mesh("g", a, a, m.ground, {A: 1.0}, 1.0)
    with pytest.raises(ModelError, match="gear mesh 'g' needs the angles of its gears"):
        m.gear_mesh("g", a, b, m.ground, {}, 1.0)
    with pytest.raises(ModelError, match="gear mesh 'g' names an angle twice"):
        m.gear_mesh("g", a, b, m.ground, {A: 1.0, A.angle: 2.0}, 1.0)
    with pytest.raises(ModelError, match="gear mesh 'g': radii must be a dictionary"):
        m.gear_mesh("g", a, b, m.ground, 1.0, 1.0)


# ------------------------------------------------------------------------------------------------------------- bushings

K6 = np.random.default_rng(7).normal(size=(6, 6))
K6 = K6 @ K6.T
D6 = np.diag([1.0, 2.0, 3.0, 0.1, 0.2, 0.3])


def displacement(a, b):
    ra, rb = a.point(A_POINT)[0], b.point(B_POINT)[0]
    return np.concatenate([a.R.T @ (rb - ra), Rotation.from_matrix(a.R.T @ b.R).as_rotvec()])


def moved(pose, direction, h):
    """The pose after a small motion with generalised velocities ``direction``."""
    other = Pose.__new__(Pose)
    other.r = pose.r + h * direction[:3]
    other.R = pose.R @ Rotation.from_rotvec(h * direction[3:]).as_matrix()
    other.v, other.w = pose.v, pose.w
    return other


def rate_of(a, b, va, vb, h=1e-6):
    ahead, behind = (displacement(moved(a, va, s * h), moved(b, vb, s * h)) for s in (1, -1))
    return (ahead - behind) / (2 * h)


@pytest.mark.parametrize("seed", [1, 2, 3, 5, 8])
def test_bushing_against_finite_differences(seed):
    f, a, b, _ = forces_of(
        lambda m, a, b: m.bushing("s", a.at(*A_POINT), b.at(*B_POINT), K6, D6, preload=np.arange(6.0)), seed=seed
    )
    _, v = state(seed)
    force = K6 @ displacement(a, b) + D6 @ rate_of(a, b, v[:6], v[6:]) + np.arange(6.0)
    unit = np.eye(12)
    expected = [-force @ rate_of(a, b, e[:6], e[6:]) for e in unit]
    assert_allclose(f, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-3, 0.0632, 0.0634, 0.5, 3.0])
def test_bushing_turned_about_one_axis_has_the_moment_of_the_angle(angle):
    m = Model("one axis")
    b = m.body("b", 1.0, (1, 1, 1))
    m.bushing("s", m.ground, b, [1, 1, 1, 10, 20, 30], [0, 0, 0, 1, 2, 3])
    axis = np.array([2.0, -1.0, 2.0]) / 3.0
    q = np.concatenate([np.zeros(3), [np.cos(angle / 2)], np.sin(angle / 2) * axis])
    v = np.concatenate([np.zeros(3), 0.7 * axis])  # turning about the same axis: θ̇ is w
    moment = -axis @ (np.array([10, 20, 30]) * angle * axis + np.array([1, 2, 3]) * 0.7 * axis)
    equations = m.equations("absolute")
    assert equations.evaluate("f", q=q, v=v)[3:] @ axis == pytest.approx(moment, rel=1e-12)
    # exact derivatives exist in both branches
    provider = equations.program("implicit")
    values = provider(
        ("jacobian",), {"p": np.zeros(0), "t": [0.0], "q": q, "v": v, "u": [], "lam": [], "a": np.zeros(6), "mu": []}
    )
    assert np.isfinite(values["jacobian"]).all()


@pytest.mark.parametrize("angle", [1e-6, 0.01, 0.06, 0.0632, 0.0634, 0.1, 1.0, 2.9])
def test_rate_of_the_rotation_vector(angle):
    m = Model("damper")
    b = m.body("b", 1.0, (1, 1, 1))
    m.bushing("s", m.ground, b, np.zeros(6), [0, 0, 0, 1.0, 2.0, 3.0])
    axis = np.array([2.0, -1.0, 2.0]) / 3.0
    q = np.concatenate([np.zeros(3), [np.cos(angle / 2)], np.sin(angle / 2) * axis])
    # Left Jacobian of SO(3): w = J θ̇ with J = sin φ/φ 1 + (1 − sin φ/φ) n nᵀ + (1 − cos φ)/φ n×
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    share = np.sin(angle) / angle
    J = share * np.eye(3) + (1 - share) * np.outer(axis, axis) + 2 * np.sin(angle / 2) ** 2 / angle * cross
    R = Rotation.from_rotvec(angle * axis).as_matrix()
    w = np.array([0.3, -1.0, 0.7])  # in the axes of the body
    inverse = np.linalg.inv(J) @ R
    expected = -inverse.T @ (np.array([1.0, 2.0, 3.0]) * (inverse @ w))
    f = m.equations("absolute").evaluate("f", q=q, v=[0, 0, 0, *w])
    assert_allclose(f[3:], expected, rtol=1e-12, atol=1e-13)


def test_planar_bushing():
    m, a, b = free_bodies("xy")
    K = np.array([[5.0, 1.0, 0.2], [1.0, 4.0, 0.1], [0.2, 0.1, 3.0]])
    m.bushing("s", a.at(0.1, 0.2), b.at(0.3, 0.0), K, [1.0, 2.0, 3.0])
    equations = m.equations("absolute")
    rng = np.random.default_rng(2)
    q, v = rng.normal(size=6), rng.normal(size=6)

    def x(q):
        (ra, rb) = (q[i : i + 2] + turn(q[i + 2]) @ s for i, s in ((0, [0.1, 0.2]), (3, [0.3, 0.0])))
        return np.array([*(turn(q[2]).T @ (rb - ra)), q[5] - q[2]])

    def turn(angle):
        return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    h = 1e-6
    J = np.stack([(x(q + h * e) - x(q - h * e)) / (2 * h) for e in np.eye(6)], axis=1)
    expected = -J.T @ (K @ x(q) + np.diag([1.0, 2.0, 3.0]) @ J @ v)
    assert_allclose(equations.evaluate("f", q=q, v=v), expected, rtol=1e-7, atol=1e-8)


def test_energy_of_springs_and_bushings_is_conserved():
    m = Model("conservative", gravity=(0.3, 0.0, -9.81))
    a = m.body("a", 1.0, (0.2, 0.3, 0.4), position=(1.0, 0.2, 0.1), angular_velocity=(1.0, -2.0, 0.5))
    b = m.body("b", 2.0, (0.4, 0.3, 0.2), position=(1.5, -0.2, 0.6))
    m.bushing("bush", a.at(0.1, 0, 0), b.at(-0.4, 0.4, -0.5), K6, preload=[1, 0, 0, 0, 0.1, 0])
    m.spring("table", m.ground, a.at(0, 0.1, 0), force=([0.0, 0.5, 1.0, 1.5, 2.0], [-9.0, -5.0, 0.0, 10.0, 40.0]))
    m.spring("law", m.ground.at(2, 0, 1), b.at(0, 0, 0.2), 5.0, length=0.4, force=lambda length: 3.0 * length**2,
             potential=lambda length: length**3)  # fmt: skip
    m.spring("preloaded", m.ground.at(0, 3, 0), b, 5.0, length=2.0, force=20.0)
    m.user_force("field", [a, m.ground.at(0, 0, 3)], magnet, potential=lambda A, B: -0.5 / A.to(B).norm())
    m.sensor("energy", m.energy)
    m.sensor("kinetic", m.kinetic_energy)
    equations = m.equations()
    solution = da.simulate(equations, (0.0, 1.0), equations.assemble(), rtol=1e-10, atol=1e-12)
    energy = solution["energy"]
    assert np.ptp(solution["kinetic"]) > 10.0
    assert_allclose(energy, energy[0], rtol=1e-8)


# ------------------------------------------------------------------------------------------------------- applied forces


def magnet(A, B):
    r = A.to(B)
    F = (0.5 / r.dot(r) ** 1.5) * r
    return [(F, A.velocity), (-F, B.velocity)]


def test_forces_in_any_frame():
    turn = Rotation.from_rotvec([0.3, -0.5, 0.7]).as_matrix()
    F = np.array([1.0, 2.0, -3.0])
    for frame, base in (
        ("world", lambda a, b: np.eye(3)), ("body", lambda a, b: a.R), ("other", lambda a, b: b.R @ turn)
    ):  # fmt: skip

        def add(m, a, b, frame=frame):
            axes = b.at(0, 0, 0, rotation=turn) if frame == "other" else frame
            m.force("f", a.at(*A_POINT), F, frame=axes)

        f, a, b, _ = forces_of(add)
        expected = np.concatenate([a.wrench(base(a, b) @ F, A_POINT), np.zeros(6)])
        assert_allclose(f, expected, rtol=1e-12, atol=1e-12)


def test_force_with_a_law_and_a_reaction():
    def law(t, position, velocity, rotation, angular_velocity, other, other_velocity):
        return position * t - velocity + rotation[:, 0] + angular_velocity + 2.0 * other - other_velocity

    f, a, b, _ = forces_of(
        lambda m, a, b: m.force("f", a.at(*A_POINT), law, reaction=b, sees={"other": b.at(*B_POINT)}), t=0.3
    )
    (ra, va), (rb, vb) = a.point(A_POINT), b.point(B_POINT)
    F = ra * 0.3 - va + a.R[:, 0] + a.R.T @ a.w + 2.0 * rb - vb
    # The reaction acts at the same place.
    expected = np.concatenate([a.wrench(F, A_POINT), b.wrench(-F, b.R.T @ (ra - b.r))])
    assert_allclose(f, expected, rtol=1e-11, atol=1e-11)
    momentum = np.cross(a.r, f[:3]) + a.R @ f[3:6] + np.cross(b.r, f[6:9]) + b.R @ f[9:]
    assert_allclose(momentum, 0.0, atol=1e-11)


def test_torques_in_space():
    T = np.array([1.0, -2.0, 0.5])
    f, a, b, _ = forces_of(lambda m, a, b: m.torque("t", a, T))
    assert_allclose(f, [*np.zeros(3), *(a.R.T @ T), *np.zeros(6)], atol=1e-13)
    f, a, b, _ = forces_of(lambda m, a, b: m.torque("t", a, T, frame="body", reaction=b))
    assert_allclose(f, [*np.zeros(3), *T, *np.zeros(3), *-(b.R.T @ a.R @ T)], atol=1e-13)
    f, a, b, _ = forces_of(lambda m, a, b: m.torque("t", (a, b), lambda angular_velocity: -angular_velocity, sees={}))
    # on the second, in the axes of the first
    T = -b.R.T @ b.w
    assert_allclose(f, [*np.zeros(3), *-T, *np.zeros(3), *(b.R.T @ a.R @ T)], atol=1e-13)


def test_scalar_forces_and_torques():
    m = Model("chain", plane="xy")
    a, b = m.body("a", 1.0, 1.0), m.body("b", 1.0, 1.0)
    A = m.revolute("A", m.ground, a)
    B = m.prismatic("B", a, b)
    m.torque("motor", A, lambda t, angle, rate, p, push, push_rate: p.stall - 0.1 * rate + angle * push + push_rate * t,
             sees={"push": B})  # fmt: skip
    m.force("press", B, lambda displacement, rate, w: -displacement * rate + w.pressure)
    m.parameters(stall=2.0)
    m.input("pressure", lambda t: 3.0 * t)
    f = m.equations().evaluate("f", t=2.0, q=[0.5, 0.7], v=[0.0, 0.2])
    assert_allclose(f, [2.0 + 0.5 * 0.7 + 0.2 * 2.0, -0.7 * 0.2 + 6.0], rtol=1e-13)
    m, a, b = free_bodies("xy")
    m.force("f", a.at(1.0, 0.0), lambda angle: (1.0, angle), frame="body")
    m.torque("t", a, lambda angle, rate: angle + rate)
    m.torque("pair", (a, b), 5.0)
    m.force("push", (a, b), lambda length, rate: length + rate)
    q, v = np.array([0, 0, np.pi / 2, 3.0, 4.0, 0]), np.array([0, 0, 0.5, 1.0, 0, 0])
    force = np.array([-np.pi / 2, 1.0])  # (1, angle) turned by a right angle
    push = (5.0 + 0.6) * np.array([0.6, 0.8])
    expected = [*(force - push), np.pi / 2 + np.pi / 2 + 0.5 - 5.0, *push, 5.0]
    assert_allclose(m.equations("absolute").evaluate("f", q=q, v=v), expected, atol=1e-12)


def test_user_force():
    f, a, b, _ = forces_of(lambda m, a, b: m.user_force("magnet", [a.at(*A_POINT), b.at(*B_POINT)], magnet))
    assert_allclose(f, along_line(a, b, lambda x, rate: 0.5 / x**2), rtol=1e-12, atol=1e-12)


def test_user_force_on_coordinates():
    m, A, B = two_shafts()
    m.user_force("clutch", [A, B.angle], lambda first, second, t, p: [(p.d * (second.rate - first.rate), first.rate)])
    m.parameters(d=2.0)
    assert_allclose(m.equations().evaluate("f", q=[0, 0], v=[1.0, 4.0]), [6.0, 0.0], atol=1e-14)


# --------------------------------------------------------------------------------------------------------------- errors


def two_joints():
    m = Model("bad", gravity=(0, 0, -9.81))
    a, b = m.body("a", 1.0, (1, 1, 1)), m.body("b", 1.0, (1, 1, 1))
    A = m.revolute("A", m.ground, a)
    C = m.cylindrical("C", a, b)
    return m, a, b, A, C


@pytest.mark.parametrize(
    ("add", "message"),
    [
        (lambda m, a, b, A, C: m.spring("s", a, b, 5.0), "spring 's': give length="),
        (lambda m, a, b, A, C: m.spring("s", a, b), "spring 's' has no force: give stiffness="),
        (lambda m, a, b, A, C: m.spring("s", a, a.at(1, 0, 0), 5.0, length=1), "between 'a' and itself"),
        (lambda m, a, b, A, C: m.spring("s", a, b, np.nan, length=1), "stiffness is nan"),
        (lambda m, a, b, A, C: m.spring("s", a, b, [1, 2], length=1), "stiffness must be a number"),
        (lambda m, a, b, A, C: m.spring("s", a, b, force=lambda length, speed: 0), "asks for an argument 'speed'"),
        (lambda m, a, b, A, C: m.spring("s", a, b, force=([0, 1, 1], [0, 1, 2])), "strictly increasing"),
        (lambda m, a, b, A, C: m.spring("s", a, b, force=([0, 1], [0, np.inf])), "must be finite"),
        (lambda m, a, b, A, C: m.spring("s", a, b, force=3.0, potential=lambda length: 0.0), "belongs to a force"),
        (lambda m, a, b, A, C: m.spring("s", a, "b", 5.0, length=1), "a body or a marker is needed"),
        (lambda m, a, b, A, C: m.torsion_spring("s", (a, b), 5.0), "in space have no angle"),
        (lambda m, a, b, A, C: m.joint_spring("s", C, 5.0), "has several: C.displacement, C.angle"),
        (lambda m, a, b, A, C: m.torsion_spring("s", C.displacement, 5.0), "an angle, and C.displacement is none"),
        (lambda m, a, b, A, C: m.force("f", A, 5.0), "joint 'A' has no displacement"),
        (lambda m, a, b, A, C: m.gear_spring("g", A, A.angle, 2.0, 5.0), "A.angle and itself"),
        (lambda m, a, b, A, C: m.bushing("s", a, b, [1, 2, 3]), "stiffness needs 6 numbers"),
        (lambda m, a, b, A, C: m.bushing("s", a, b, np.ones(6), np.ones((5, 6))), "damping needs 6 numbers"),
        (lambda m, a, b, A, C: m.force("f", a, (1, 2)), "force needs 3 components"),
        (lambda m, a, b, A, C: m.force("f", a, (1, 2, 3), frame="local"), "frame must be 'world', 'body' or a marker"),
        (lambda m, a, b, A, C: m.force("f", a, (1, 2, 3), reaction=a.at(1, 0, 0)), "between 'a' and itself"),
        (lambda m, a, b, A, C: m.torque("f", A, 1.0, frame="world"), "frame and reaction have no meaning"),
        (lambda m, a, b, A, C: m.torque("f", A, lambda rate: 0, sees={"rate": C.angle}), "has a meaning already"),
        (lambda m, a, b, A, C: m.user_force("f", [a, b], lambda A: []), "needs 2 arguments"),
        (lambda m, a, b, A, C: m.force("A", a, (1, 2, 3)), "the name 'A' is used twice"),
        (lambda m, a, b, A, C: m.force("f", a, ([0, 1], [1, 2])), "force needs 3 components"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_refused_at_once(add, message):
    with pytest.raises(ModelError, match=message):
        add(*two_joints())


@pytest.mark.parametrize(
    ("add", "message"),
    [
        (lambda m, a, b, A: m.spring("s", a, b, force=lambda length: (length, 0)), "'s': force must return one number"),
        (lambda m, a, b, A: m.force("f", a, lambda t: 1.0), "force 'f': force must return 3 components"),
        (lambda m, a, b, A: m.torque("f", A, lambda t: np.nan), "torque 'f': torque returns nan"),
        (lambda m, a, b, A: m.torque("f", A, lambda rate: 1.0 if rate > 0 else 0.0), "torque cannot be traced"),
        (lambda m, a, b, A: m.torque("f", A, lambda p: p.missing), "there is no parameter 'missing'"),
        (lambda m, a, b, A: m.torque("f", A, lambda t: "one"), "must return numbers or expressions"),
        (lambda m, a, b, A: m.user_force("f", a, lambda A: 5.0), "must return a list of pairs"),
        (lambda m, a, b, A: m.user_force("f", a, lambda A: [(1.0, A.velocity)]), "two vectors or two scalars"),
        (lambda m, a, b, A: m.actuator("f", A, 0.0, states={"i": 0.0}, rates=lambda i: [i, i]), "entry for each of i"),
        (lambda m, a, b, A: m.actuator("f", A, 0.0, states={"i": 0.0}, rates=lambda i: {"j": i}), "states, i; got j"),
    ],
)  # fmt: skip
def test_wrong_laws_are_refused_when_equations_are_made(add, message):
    m, a, b, A, _ = two_joints()
    add(m, a, b, A)
    with pytest.raises(ModelError, match=message):
        m.equations(builder="symbolic")


def test_a_table_that_ends_has_an_integral_between_its_ends():
    x, y = [-1.0, 0.0, 2.0], [-1.0, 0.0, 3.0]
    ending, going_on = (Table(da.table(x, y, outside=outside)) for outside in ("error", "linear"))
    inside = np.linspace(-1.0, 2.0, 7)
    assert_allclose(ending.integral(inside), going_on.integral(inside), rtol=1e-12, atol=1e-12)
    assert np.isnan(ending.integral(2.1)) and np.isnan(ending.integral(-1.1))
