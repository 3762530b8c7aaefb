"""Constraints that are no joints: rates of all rows, closed forms, equations written by hand, and other constraints."""

import numpy as np
import pytest
from model.motions import FORMULATIONS
from model.rows import check_rows, last_state, random_point, value

import dalembert as da
from dalembert.equations.questions import kinematics
from dalembert.errors import ModelError, ModelWarning
from dalembert.model.element import Row
from dalembert.model.model import Model
from dalembert.symbolic import PiecewisePolynomial

G = 9.81
PRECISE = {"method": "dop853", "rtol": 1e-10, "atol": 1e-12}


# -------------------------------------------------------------------------------------------------------------- rates


def everything_in_space(excited=True):
    """One of each constraint between four bodies, markers anywhere; nothing that could be assembled."""
    rng = np.random.default_rng(1)
    m = Model("all")
    m.parameters(L=0.4, a=1.3)
    if excited:
        m.input("e", lambda t: np.sin(2 * t))
    bodies = [m.body(f"body{i}", mass=1 + i, inertia=(1.0, 1.2, 1.5), com=rng.normal(size=3)) for i in range(4)]

    def on(i):
        return bodies[i].at(*rng.normal(size=3), rotation=rng.normal(size=4))

    A = m.revolute("A", m.ground.at(1, 2, 3, rotation=rng.normal(size=4)), on(0))
    B = m.cylindrical("B", on(0), on(1))
    C = m.prismatic("C", on(1), on(2))
    D = m.universal("D", on(2), on(3))
    S = m.screw("S", on(3), on(0), 0.1)
    m.drive("drive", A, (lambda t, p, w: p.a * np.sin(t) + w.e**2) if excited else (lambda t, p: p.a * np.sin(t)))
    m.drive("driven distance", (on(0), on(2)), lambda t, p: p.L + 0.1 * np.cos(t))
    m.drive("driven by table", B.displacement, ([0, 1, 2, 3], [0, 1, 0, 1.0]))
    m.drive("stopped", S, 2.0)
    m.coupling("coupling", {A.angle: 2.0, B.displacement: m.p.a}, 0.2)
    m.coupling("curved", [A.angle, D.angle1, C], lambda a, b, c, t, p: a * b + np.sin(c) * t - p.a)
    m.gear("gear", A, S, -2.5)
    m.rack_and_pinion("rack", A, C, 0.3)
    m.distance("distance", on(1), on(3), m.p.L)
    m.coincident("coincident", on(1), on(3))
    m.perpendicular("perpendicular", on(1), on(3))
    m.parallel("parallel", on(1), on(3))
    m.orientation("orientation", on(1), on(3))
    m.point_on_line("line", on(1), on(2))
    m.point_on_plane("plane", on(1), on(2), 0.3)
    m.point_on_curve("graphs", on(1), on(3), y=lambda x: np.sin(x), z=lambda x, t: x**2 * t)
    m.point_on_curve("one graph", on(1), on(3), z=PiecewisePolynomial.spline([-2, -1, 0, 1, 2], [1, 0, 2, 1, 3]))
    m.point_on_curve("surface", on(1), on(3), implicit=lambda x, y, z, p: x * x + y * z - p.a)
    m.point_on_curve("surfaces", on(1), on(3), implicit=[lambda x, y, z: x * x + y * z - 1, lambda x, y: x - y])
    m.point_on_curve("spline", on(1), on(3), points=[[-2, 0, 1], [0, 1, 2], [1, 0, 0], [2, 3, 4]])
    m.point_on_curve("curve", on(1), on(3), curve=lambda s, t: (np.cos(s), np.sin(s) + t, 0.0), parameter=C)
    turning_back = [[-2, 0, 1], [0, 1, 2], [-1, 0, 0], [2, 3, 4]]
    m.point_on_curve("spline curve", on(1), on(3), points=turning_back, parameter=B.angle)
    m.knife_edge("blade", on(0))
    m.knife_edge("blade on a body", on(0), on=on(1))
    m.rolling_disc("disc", on(0), 0.3)
    m.rolling_disc("disc on a body", on(0), 0.3, on=on(2))
    m.rolling_ball("ball", on(0), m.p.L, on=on(2))
    m.constraint("own", lambda a, b, x, t: a.to(b).dot(b.x) + x * t, a=on(0), b=on(3), x=A.angle)
    m.constraint("own two", lambda a: a.position[:2] - 1.0, rows=("x", "y"), a=on(0))
    m.constraint("own rate", lambda a, b: Row(a.to(b).dot(a.x), a.velocity_of(b).dot(a.x)), a=on(0), b=on(3))
    m.velocity_constraint("own moving", lambda a, x, x_rate: a.velocity.dot(a.y) + x * x_rate, a=on(0), x=C)
    return m


def everything_in_the_plane():
    rng = np.random.default_rng(2)
    m = Model("all", plane="xy")
    m.parameters(L=0.4)
    bodies = [m.body(f"body{i}", mass=1 + i, inertia=1.0, com=rng.normal(size=2)) for i in range(3)]

    def on(i):
        return bodies[i].at(*rng.normal(size=2), angle=rng.normal())

    A = m.revolute("A", m.ground.at(1, 2, angle=0.3), on(0))
    B = m.prismatic("B", on(0), on(1))
    m.drive("drive", A, lambda t: np.sin(t))
    m.gear("gear", A, m.revolute("C", on(1), on(2)), -2.5)
    m.rack_and_pinion("rack", A, B, 0.3)
    m.distance("distance", on(1), on(2), m.p.L)
    m.coincident("coincident", on(1), on(2))
    m.orientation("orientation", on(1), on(2))
    m.point_on_line("line", on(1), on(2))
    m.point_on_curve("graph", on(1), on(2), y=lambda x, t: x**2 * t)
    m.point_on_curve("implicit", on(1), on(2), implicit=lambda x, y, p: x * x + y**3 - p.L)
    m.point_on_curve("spline", on(1), on(2), points=[[-2, 0], [0, 1], [1, 0], [2, 3]])
    m.point_on_curve("curve", on(1), on(2), curve=lambda s: (np.cos(s), np.sin(s)), parameter=A)
    m.knife_edge("blade", on(0), on=on(1))
    m.rolling_disc("wheel", on(0), 0.3, on=on(2))
    m.rolling_disc("geared wheel", on(0), 0.3, on=on(2), offset=1.2)
    return m


@pytest.mark.parametrize("model", [everything_in_space, everything_in_the_plane])
def test_every_rate_is_the_derivative_of_its_value(model):
    m = model()
    for coordinates in ("relative", "absolute"):
        check_rows(m.equations(coordinates, builder="symbolic"))


@pytest.mark.parametrize("planar", [True, False], ids=["plane", "space"])
def test_elements_say_the_same_as_the_whole_model(planar):
    m = everything_in_the_plane() if planar else everything_in_space(excited=False)
    whole, parts = (m.equations("absolute", builder=builder) for builder in ("symbolic", "elements"))
    known = random_point(whole, 3)
    q, v = (np.array([known[symbol] for symbol in whole.scene.inputs[key]]) for key in "qv")
    expected, found = (one.evaluate("G", "gI", "gamma", "g", t=0.7, q=q, v=v) for one in (whole, parts))
    order = [parts.names["lam"].index(name) for name in whole.names["lam"]]
    for one, reference in zip(found, expected, strict=True):
        assert one[order[: len(one)]] == pytest.approx(reference, abs=1e-12)


# ---------------------------------------------------------------------------------------------- drives and couplings


def test_a_driven_pendulum_needs_the_moment_of_inverse_dynamics():
    mass, inertia, length = 2.0, 0.3, 0.7
    m = Model("driven", plane="xy", gravity=(0, -G))
    m.parameters(amplitude=0.8)
    m.input("phase", lambda t: 0.3 * np.sin(5 * t))
    rod = m.body("rod", mass=mass, inertia=inertia, com=(length, 0))
    A = m.revolute("A", m.ground.at(0, 0), rod.at(0, 0))
    drive = m.drive("motor", A, lambda t, p, w: p.amplitude * np.sin(3 * t + w.phase))
    m.sensor("moment", drive.force)
    m.sensor("angle", 1.0 * A.angle)
    for coordinates in ("relative", "absolute"):
        equations = m.equations(coordinates)
        solution = da.simulate(equations, (0, 1), equations.assemble(), **PRECISE)
        # d²/dt² of the law by hand
        t = solution.t
        phase, rate, second = 3 * t + 0.3 * np.sin(5 * t), 3 + 1.5 * np.cos(5 * t), -7.5 * np.sin(5 * t)
        angle, acceleration = 0.8 * np.sin(phase), 0.8 * (np.cos(phase) * second - np.sin(phase) * rate**2)
        assert solution["angle"] == pytest.approx(angle, abs=1e-12)
        moment = (inertia + mass * length**2) * acceleration + mass * G * length * np.cos(angle)
        assert solution["moment"] == pytest.approx(moment, abs=1e-8)


def test_a_drive_by_a_table_tells_its_knots():
    m = Model("driven", plane="xy")
    rod = m.body("rod", mass=1.0, inertia=1.0)
    A = m.revolute("A", m.ground.at(0, 0), rod.at(0, 0))
    m.drive("motor", A, ([0.0, 0.5, 1.0, 1.5], [0.0, 1.0, 0.5, 2.0]))
    equations = m.equations()
    assert equations.breaks == (0.0, 0.5, 1.0, 1.5)
    curve = PiecewisePolynomial.monotone([0.0, 0.5, 1.0, 1.5], [0.0, 1.0, 0.5, 2.0])
    state = equations.assemble(t=0.7)
    assert [state.q[0], state.v[0], state.a[0]] == pytest.approx([curve(0.7, order) for order in range(3)], abs=1e-12)


def test_gears_racks_and_couplings_add_inertias():
    # A falling rack turns a pinion, which turns a wheel by a gear: all accelerations follow from one sum of inertias.
    mass, pinion_inertia, wheel_inertia, radius, ratio = 2.0, 0.05, 0.4, 0.2, -2.5
    m = Model("hoist", plane="xy", gravity=(0, -G))
    rack = m.body("rack", mass=mass, inertia=1.0)
    pinion = m.body("pinion", mass=1.0, inertia=pinion_inertia)
    wheel = m.body("wheel", mass=1.0, inertia=wheel_inertia)
    slide = m.prismatic("slide", m.ground.at(0, 0, angle=np.pi / 2), rack.at(0, 0, angle=np.pi / 2))
    A = m.revolute("A", m.ground.at(1, 0), pinion.at(0, 0))
    B = m.revolute("B", m.ground.at(2, 0), wheel.at(0, 0))
    m.rack_and_pinion("teeth", A, slide, radius, offset=0.1)
    gear = m.gear("gear", B, A, ratio)
    reduced = mass + (pinion_inertia + wheel_inertia * ratio**2) / radius**2
    for coordinates in ("relative", "absolute"):
        equations = m.equations(coordinates)
        state = equations.assemble({A.angle: 8.0, A.rate: 0.3})
        found = [value(equations, one, state) for one in (slide.displacement, B.angle, slide.rate, B.rate)]
        assert found == pytest.approx([1.7, -20.0, 0.06, -0.75], abs=1e-12)
        falling = value(equations, rack.com.acceleration, state)[1]
        assert falling == pytest.approx(-mass * G / reduced, abs=1e-12)
        # −Gᵀλ on the first angle, that of the wheel, is what turns it.
        assert -value(equations, gear.force, state) == pytest.approx(
            wheel_inertia * ratio * falling / radius, abs=1e-12
        )


def test_a_coupling_by_a_function_is_a_mechanism_without_its_links():
    # Slider and crank: x = r cos φ + sqrt(l² − r² sin² φ), with a massless rod once as a distance, once as a coupling.
    r, length = 0.3, 0.8
    found = []
    for coupled in (True, False):
        m = Model("slider crank", plane="xy", gravity=(0, -G))
        m.parameters(r=r)
        crank = m.body("crank", mass=1.0, inertia=0.02, com=(0.1, 0))
        slider = m.body("slider", mass=0.5, inertia=0.1)
        A = m.revolute("A", m.ground.at(0, 0), crank.at(0, 0), start={"angle": 0.7, "angle.rate": 4.0})
        P = m.prismatic("P", m.ground.at(0, 0), slider.at(0, 0), start=0.9)
        if coupled:
            m.coupling(
                "rod", [A, P], lambda phi, x, p: x - p.r * np.cos(phi) - np.sqrt(length**2 - (p.r * np.sin(phi)) ** 2)
            )
        else:
            m.distance("rod", crank.at(r, 0), slider.at(0, 0), length)
        for coordinates in ("relative", "absolute"):
            equations = m.equations(coordinates)
            state = equations.assemble({A.angle: 0.7, A.rate: 4.0})
            solution = da.simulate(equations, (0, 0.5), state, **PRECISE)
            end = last_state(solution)
            found.append([value(equations, one, end) for one in (A.angle, A.rate, P.displacement, P.rate)])
    assert np.array(found) == pytest.approx(np.array(found[0]) * np.ones((4, 1)), abs=1e-9)


# ---------------------------------------------------------------------------------------------- points and directions


def test_a_rod_of_changing_length_has_the_tension_of_a_pendulum():
    # A bob on a rope that is drawn in: r φ̈ = −2 ṙ φ̇ − g sin φ, and S = m (r φ̇² + g cos φ − r̈).
    m = Model("rope", plane="xy", gravity=(0, -G))
    bob = m.body("bob", mass=2.0, inertia=0.1, position=(0.6, -0.8), velocity=(1.02, 1.14))
    rope = m.drive("rope", (m.ground.at(0, 0), bob.at(0, 0)), lambda t: 1.0 - 0.3 * t + 0.1 * t * t)
    m.sensor("tension", rope.force)
    equations = m.equations()
    state = equations.assemble()
    solution = da.simulate(equations, (0, 1), state, **PRECISE)

    def reference(t, y):
        r, speed = 1.0 - 0.3 * t + 0.1 * t * t, -0.3 + 0.2 * t
        return [y[1], (-2 * speed * y[1] - G * np.sin(y[0])) / r]

    from scipy.integrate import solve_ivp

    x, y, *_ = state.q
    vx, vy, *_ = state.v
    start = [np.arctan2(x, -y), (vx * -y + vy * x)]
    exact = solve_ivp(reference, (0, 1), start, method="DOP853", rtol=1e-12, atol=1e-13, t_eval=solution.t)
    t, (phi, rate) = exact.t, exact.y
    r = 1.0 - 0.3 * t + 0.1 * t * t
    assert solution.q[0] == pytest.approx(r * np.sin(phi), abs=1e-8)
    assert solution.q[1] == pytest.approx(-r * np.cos(phi), abs=1e-8)
    assert solution["tension"] == pytest.approx(2.0 * (r * rate**2 + G * np.cos(phi) - 0.2), abs=1e-6)


def joints_by_constraints():
    """Pairs of a joint and the basic constraints that it consists of."""
    return {
        "revolute": lambda m, a, b: (m.coincident("1", a, b), m.parallel("2", a, b)),
        "spherical": lambda m, a, b: (m.coincident("1", a, b),),
        "universal": lambda m, a, b: (m.coincident("1", a, b), _crossed(m, a, b)),
        "cylindrical": lambda m, a, b: (m.point_on_line("1", a, b), m.parallel("2", a, b)),
        "prismatic": lambda m, a, b: (m.point_on_line("1", a, b), m.orientation("2", a, b)),
        "planar_joint": lambda m, a, b: (m.point_on_plane("1", a, b), m.parallel("2", a, b)),
        "fixed": lambda m, a, b: (m.coincident("1", a, b), m.orientation("2", a, b)),
    }


def _crossed(m, a, b):
    """x of the first marker and y of the second are perpendicular: as z axes of markers of their own."""
    x = a.body.at(*a.r, axis=a.R[:, 0])
    y = b.body.at(*b.r, axis=b.R[:, 1])
    return m.perpendicular("2", x, y)


def test_joints_are_made_of_basic_constraints():
    # All pairs in two mechanisms: of joints, and of constraints. Accelerations agree in a state of motion.
    found = []
    for by_joints in (True, False):
        rng = np.random.default_rng(4)
        m = Model("pairs", gravity=(0.4, -3.0, -G))
        for kind, constraints in joints_by_constraints().items():
            start = {"position": rng.normal(size=3), "rotation": rng.normal(size=4)}
            rates = {"velocity": rng.normal(size=3), "angular_velocity": rng.normal(size=3)}
            carrier = m.body(f"{kind} a", mass=1.0, inertia=(0.5, 0.6, 0.7), com=rng.normal(size=3), **start, **rates)
            carried = m.body(f"{kind} b", mass=1.5, inertia=(0.5, 0.6, 0.7), com=rng.normal(size=3), **start, **rates)
            a, b = (body.at(*rng.normal(size=3), rotation=rng.normal(size=4)) for body in (carrier, carried))
            if by_joints:
                getattr(m, kind)(kind, a, b, cut=True)
            else:
                for number, one in enumerate(constraints(_Named(m, kind), a, b)):
                    assert one.name == f"{kind} {number + 1}"
        equations = m.equations("absolute", builder="symbolic")
        if by_joints:
            with pytest.warns(ModelWarning, match="the place of body 'revolute b' misses revolute joint 'revolute'"):
                state = equations.assemble()
            found.append(state.a)
        else:
            found.append(equations.assemble(state.q, state.v).a)
    assert found[1] == pytest.approx(found[0], abs=1e-9)


class _Named:
    """A model that puts a word before all names."""

    def __init__(self, model, word):
        self.model, self.word = model, word

    def __getattr__(self, name):
        return lambda number, *rest: getattr(self.model, name)(f"{self.word} {number}", *rest)


# ------------------------------------------------------------------------------------------------------------- curves


def test_a_bead_on_a_cycloid_swings_in_time_whatever_the_amplitude():
    # Huygens: the period is 4π sqrt(R/g). The parameter of the curve is the coordinate of a massless slider.
    R = 0.25
    period = 4 * np.pi * np.sqrt(R / G)
    for coordinates in ("relative", "absolute"):
        m = Model("cycloid", plane="xy", gravity=(0, -G))
        ends = []
        for number, s in enumerate((0.4, 2.0)):
            bead = m.body(f"bead{number}", mass=1.0, inertia=0.1, position=(R * (s + np.sin(s)), R * (1 - np.cos(s))))
            ghost = m.body(f"parameter{number}", mass=0.0, inertia=0.0)
            P = m.prismatic(f"s{number}", m.ground.at(0, 0), ghost.at(0, 0), start=s)
            m.point_on_curve(
                f"on{number}", m.ground.at(0, 0), bead.at(0, 0),
                curve=lambda s: (R * (s + np.sin(s)), R * (1 - np.cos(s))), parameter=P,
            )  # fmt: skip
            ends.append(P.displacement)
        equations = m.equations(coordinates)
        solution = da.simulate(equations, (0, period), equations.assemble(), **PRECISE)
        end = last_state(solution)
        assert [value(equations, one, end) for one in ends] == pytest.approx([0.4, 2.0], abs=1e-7)


def test_one_curve_in_many_forms_has_one_motion():
    # A parabola; a cubic spline through its points is the same curve, since not-a-knot splines reproduce cubics.
    x = np.linspace(-1.5, 1.5, 7)
    forms = {
        "graph": {"y": lambda x: x**2},
        "implicit": {"implicit": lambda x, y: y - x**2},
        "spline": {"points": np.column_stack([x, x**2])},
        "table": {"y": PiecewisePolynomial.spline(x, x**2)},
    }
    m = Model("parabola", plane="xy", gravity=(0, -G))
    for name, form in forms.items():
        bead = m.body(name, mass=2.0, inertia=0.1, position=(0.8, 0.64), velocity=(0.5, 0.8))
        m.point_on_curve(f"on {name}", m.ground.at(0, 0), bead.at(0, 0), **form)
    bead = m.body("own", mass=2.0, inertia=0.1, position=(0.8, 0.64), velocity=(0.5, 0.8))
    m.constraint("on own", lambda at: at.position[1] - at.position[0] ** 2, at=bead.at(0, 0))
    equations = m.equations()
    solution = da.simulate(equations, (0, 1), equations.assemble(), **PRECISE)
    x, y = solution.q[0::3], solution.q[1::3]
    assert np.ptp(x, axis=0) == pytest.approx(0.0, abs=1e-9)
    energy = 0.5 * (solution.v[0] ** 2 + solution.v[1] ** 2) + G * y[0]
    assert energy == pytest.approx(energy[0], abs=1e-8)


def test_a_point_on_a_sphere_is_a_pendulum_in_space():
    # The surface as F = 0, and as a rod: the same motion.
    m = Model("sphere", gravity=(0, 0, -G))
    start = {"position": (0.6, 0.0, -0.8), "velocity": (0.0, 1.5, 0.0)}
    bodies = [m.body(f"bob{i}", mass=1.0, inertia=(0.1, 0.1, 0.1), **start) for i in range(2)]
    m.parameters(l=1.0)
    m.point_on_curve(
        "bowl", m.ground.at(0, 0, 0), bodies[0].at(0, 0, 0), implicit=lambda x, y, z, p: x**2 + y**2 + z**2 - p.l**2
    )
    m.distance("rod", m.ground.at(0, 0, 0), bodies[1].at(0, 0, 0), m.p.l)
    equations = m.equations()
    solution = da.simulate(equations, (0, 1), equations.assemble(), **PRECISE)
    first, second = solution.q[:3], solution.q[7:10]
    assert first == pytest.approx(second, abs=1e-9)
    turning = first[0] * solution.v[1] - first[1] * solution.v[0]
    assert turning == pytest.approx(turning[0], abs=1e-9)  # the angular momentum about the vertical


# -------------------------------------------------------------------------------------------------- bad constraints


def small(planar=True):
    m = Model("small", plane="xy" if planar else None)
    zero = (0, 0) if planar else (0, 0, 0)
    inertia = 1.0 if planar else (1, 1, 1)
    a, b = (m.body(name, mass=1.0, inertia=inertia) for name in "ab")
    A = m.revolute("A", m.ground.at(*zero), a.at(*zero))
    B = m.prismatic("B", a.at(*zero), b.at(*zero))
    return m, a, b, A, B


BAD = {
    "no joint": (lambda m, a, b, A, B: m.drive("d", 3.0, 1.0), "drive 'd': a joint or a coordinate of one is needed"),
    "not a law": (lambda m, a, b, A, B: m.drive("d", A, "fast"), "drive 'd': its law must be a number"),
    "unknown argument": (lambda m, a, b, A, B: m.drive("d", A, lambda time: time), "asks for an argument 'time'"),
    "not finite": (lambda m, a, b, A, B: m.drive("d", A, np.nan), "its law is nan; give a finite number"),
    "gear with a slider": (
        lambda m, a, b, A, B: m.gear("g", A, B, 2.0),
        "gear 'g' needs an angle, and prismatic joint 'B' has no",
    ),
    "gear with itself": (lambda m, a, b, A, B: m.gear("g", A, A, 2.0), "couples A.angle with itself"),
    "ratio zero": (
        lambda m, a, b, A, B: m.gear("g", A, m.revolute("C", a.at(0, 0), b.at(1, 0)), 0),
        "ratio must not be zero",
    ),
    "factor twice": (lambda m, a, b, A, B: m.coupling("c", {A: 1.0, A.angle: 2.0}), "names a coordinate twice"),
    "no factors": (lambda m, a, b, A, B: m.coupling("c", {}), "coupling 'c' needs coordinates"),
    "no function": (lambda m, a, b, A, B: m.coupling("c", [A, B], 3.0), "coupling 'c' needs {coordinate: factor"),
    "few arguments": (
        lambda m, a, b, A, B: m.coupling("c", [A, B], lambda x, t: x),
        r"2 coordinates, .* arguments \(x\)",
    ),
    "one body": (lambda m, a, b, A, B: m.distance("d", a.at(0, 0), a.at(1, 0), 1.0), "'a' and itself"),
    "no length": (
        lambda m, a, b, A, B: m.distance("d", a.at(0, 0), b.at(1, 0), 0.0),
        "its length must be positive, got 0",
    ),
    "axes in the plane": (lambda m, a, b, A, B: m.parallel("p", a, b), "parallel axes 'p': .* use orientation"),
    "plane in the plane": (lambda m, a, b, A, B: m.point_on_plane("p", a, b), "use point_on_line"),
    "no curve": (lambda m, a, b, A, B: m.point_on_curve("p", a, b), "give one of y"),
    "no z": (lambda m, a, b, A, B: m.point_on_curve("p", a, b, z=lambda x: x), "no z in a planar model"),
    "curve between": (
        lambda m, a, b, A, B: m.point_on_curve("p", a, b, curve=lambda s: (s, s), between=(1, 0)),
        "two rising values of s",
    ),
    "needless parameter": (
        lambda m, a, b, A, B: m.point_on_curve("p", a, b, y=lambda x: x, parameter=B),
        "a parameter belongs to",
    ),
    "few points": (
        lambda m, a, b, A, B: m.point_on_curve("p", a, b, points=[[0, 0], [1, 1]]),
        "three or more of 2 finite numbers",
    ),
    "point twice": (
        lambda m, a, b, A, B: m.point_on_curve("p", a, b, points=[[0, 0], [1, 1], [1, 1]], parameter=B),
        "two points in a row",
    ),
    "two surfaces": (
        lambda m, a, b, A, B: m.point_on_curve("p", a, b, implicit=[abs, abs]),
        "implicit needs one function",
    ),
    "ball in the plane": (lambda m, a, b, A, B: m.rolling_ball("r", a, 1.0), "use rolling_disc"),
    "no radius": (lambda m, a, b, A, B: m.rolling_disc("r", a, -1.0), "the radius must be positive, got -1"),
    "on the ground": (lambda m, a, b, A, B: m.knife_edge("k", m.ground.at(0, 0)), "'ground' and itself"),
    "no parts": (lambda m, a, b, A, B: m.constraint("c", lambda t: t), "constraint 'c' needs markers or coordinates"),
    "name taken": (lambda m, a, b, A, B: m.constraint("c", lambda p: p, p=a), "'p' is not free as a name"),
    "unknown part": (lambda m, a, b, A, B: m.constraint("c", lambda x, y: x, x=a), "asks for an argument 'y'"),
    "rows twice": (
        lambda m, a, b, A, B: m.constraint("c", lambda x: x, rows=("u", "u"), x=a),
        "rows must be different names",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_constraints_are_named(case):
    act, message = BAD[case]
    with pytest.raises(ModelError, match=message):
        act(*small())


def test_functions_that_do_not_fit_are_named_when_equations_are_made():
    m, a, b, A, B = small()
    m.coupling("constant", [A, B], lambda x, y: 1.0)
    with pytest.raises(ModelError, match="coupling 'constant': the function must depend on x or y"):
        m.equations()
    m, a, b, A, B = small()
    m.constraint("number", lambda x: 1.0, x=b)
    with pytest.raises(ModelError, match="constraint 'number': the function must return expressions of its frames"):
        m.equations()
    m, a, b, A, B = small()
    m.constraint("two", lambda x: x.position[:2], x=b)
    with pytest.raises(ModelError, match="constraint 'two' announces 1 rows and has 2"):
        m.equations()
    m, a, b, A, B = small()
    m.point_on_curve("short", a, b, curve=lambda s: (s, s, s), parameter=B)
    with pytest.raises(ModelError, match="'short': the curve must have 2 components, its function has 3"):
        m.equations()


@pytest.mark.parametrize(("coordinates", "builder"), FORMULATIONS)
def test_driven_angles_are_followed_in_one_step(coordinates, builder, monkeypatch):
    """Newton's iteration converges from the prediction, which leaves the Euler parameters too long."""
    steps = []
    following = kinematics._Walk._next
    monkeypatch.setattr(kinematics._Walk, "_next", lambda self, t: (steps.append(t), following(self, t))[1])
    m = da.Model("crank", gravity=(0, 0, -9.81))
    body = m.body("a", mass=1.0, inertia=(0.1, 0.1, 0.1), com=(0.5, 0, 0))
    A = m.revolute("A", m.ground.at(0, 0, 0), body.at(0, 0, 0), axis="y")
    m.drive("drive", A, lambda t: t)
    m.sensor("tip", body.at(1, 0, 0).position)
    motion = m.equations(coordinates, builder=builder).kinematics([0.0, 0.1, 0.2])
    assert len(steps) <= 4
    np.testing.assert_allclose(motion["tip"][:, -1], [np.cos(0.2), 0.0, -np.sin(0.2)], atol=1e-12)
