"""Tyres, contacts, friction, motors, controllers and black-box forces; and all forces at once, in all coordinates."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp
from scipy.interpolate import PchipInterpolator
from scipy.linalg import expm

import dalembert as da
from dalembert.errors import ModelError
from dalembert.model.forces.force_checks import culprit
from dalembert.model.model import Model
from dalembert.model.quantity import Quantity


def mass_on_rail(mass=2.0, **options):
    m = Model("rail", plane="xy", **options)
    b = m.body("b", mass, 0.1)
    return m, b, m.prismatic("rail", m.ground, b)


def shaft(inertia=0.5):
    m = Model("shaft", plane="xy")
    return m, m.revolute("A", m.ground, m.body("rotor", 1.0, inertia))


# ---------------------------------------------------------------------------------------------------------------- tyres


def road(x, t):
    return 0.1 * np.sin(2.0 * x) + 0.05 * t


def test_tyre_in_the_plane():
    m = Model("wheel", plane="xz", gravity=(0, -9.81))
    b = m.body("b", 10.0, 1.0)
    tyre = m.tyre("tyre", b.at(0.2, 0.0), 0.3, 2000.0, 50.0, road=lambda x, t, p: p.scale * road(x, t), lifts=False)
    m.parameters(scale=1.0)
    equations = m.equations()
    q, v, t = np.array([0.4, 0.25, 0.1]), np.array([3.0, -0.2, 0.5]), 0.7

    def compression(s):
        x, z, angle = q + s * v
        return road(x + 0.2 * np.cos(angle), t + s) + 0.3 - (z + 0.2 * np.sin(angle))

    rate = (compression(1e-6) - compression(-1e-6)) / 2e-6
    N = 2000.0 * compression(0.0) + 50.0 * rate
    f = equations.evaluate("f", t=t, q=q, v=v)
    assert_allclose(f, [0.0, N - 98.1, 0.2 * np.cos(0.1) * N], rtol=1e-7, atol=1e-9)
    start = equations.assemble(q, v, t=t)
    assert equations.evaluate_quantity(tyre.compression, start) == pytest.approx(compression(0.0))
    assert equations.evaluate_quantity(tyre.force, start) == pytest.approx(N, rel=1e-7)


def test_damper_of_a_tyre_may_feel_the_velocity_of_the_wheel_alone():
    m = Model("wheel", plane="xz", gravity=(0, -9.81))
    m.tyre("tyre", m.body("b", 10.0, 1.0), 0.3, 2000.0, 50.0, road=lambda x, t: road(x, t), damps_rise=False)
    q, v, t = np.array([0.4, 0.25, 0.1]), np.array([3.0, -0.2, 0.5]), 0.7
    force = 2000.0 * (road(0.4, t) + 0.3 - 0.25) + 50.0 * 0.2
    assert_allclose(m.equations().evaluate("f", t=t, q=q, v=v), [0.0, force - 98.1, 0.0], rtol=1e-12, atol=1e-12)


def test_tyre_lifts_and_does_not_pull():
    m = Model("wheel", plane="xy", gravity=(0, -9.81))
    m.tyre("tyre", m.body("b", 10.0, 1.0), 0.3, 2000.0, 50.0)
    equations = m.equations()
    weight = [0.0, -98.1, 0.0]
    assert_allclose(equations.evaluate("f", q=[0, 0.31, 0], v=[0, -2.0, 0]), weight, atol=1e-12)
    assert_allclose(equations.evaluate("f", q=[0, 0.29, 0], v=[0, 1.0, 0]), weight, atol=1e-12)
    assert_allclose(equations.evaluate("f", q=[0, 0.29, 0], v=[0, 0.1, 0]), [0, 20.0 - 5.0 - 98.1, 0], atol=1e-12)


def test_tyre_in_space_on_a_table_and_on_a_surface():
    x, h = np.linspace(0.0, 3.0, 7), np.array([0.0, 0.0, 0.1, 0.2, 0.1, 0.0, 0.0])
    m = Model("wheels")
    b = m.body("b", 10.0, (1.0, 1.0, 1.0))
    m.tyre("left", b.at(0, 0.5, 0), 0.3, 100.0, 10.0, road=(x, h), up=(0, 0, 1))
    m.tyre("right", b.at(0, -0.5, 0), 0.3, 100.0, 10.0, road=lambda x, y: 0.1 * x * y, up=(0, 0, 1), lifts=False)
    q, v = np.array([1.3, 0.2, 0.25, 1, 0, 0, 0]), np.array([2.0, 1.0, 0.0, 0.0, 0.0, 0.0])
    curve = PchipInterpolator(x, h)
    left = 100.0 * (curve(1.3) + 0.05) + 10.0 * curve(1.3, 1) * 2.0
    right = 100.0 * (0.1 * 1.3 * -0.3 + 0.05) + 10.0 * 0.1 * (2.0 * -0.3 + 1.3 * 1.0)
    f = m.equations().evaluate("f", q=q, v=v)
    assert_allclose(f, [0, 0, left + right, 0.5 * (left - right), 0, 0], atol=1e-10)


# ------------------------------------------------------------------------------------------------------------- contacts


def test_ball_rests_on_a_plane_and_is_dragged_by_friction():
    m = Model("ball", gravity=(0, 0, -9.81))
    b = m.body("b", 2.0, (0.1, 0.1, 0.1), position=(0, 0, 0.2))
    contact = m.contact("c", b, m.ground, 1000.0, 20.0, radius=0.21, mu=0.3, velocity=1e-3)
    equations = m.equations()
    q = [0, 0, 0.2, 1, 0, 0, 0]
    v = np.array([0.5, -0.2, 0.0, 0.3, 0.1, 2.0])
    N = 1000.0 * 0.01
    slip = v[:2] + np.cross(v[3:], [0, 0, -0.21])[:2]
    drag = -0.3 * N * slip / np.linalg.norm(slip)
    moment = np.cross([0, 0, -0.21], [*drag, 0.0])
    assert_allclose(equations.evaluate("f", q=q, v=v), [*drag, N - 2.0 * 9.81, *moment], rtol=1e-10, atol=1e-12)
    assert equations.evaluate_quantity(contact.force, equations.assemble(q, v)) == pytest.approx(N)
    # at rest friction is smooth
    assert np.isfinite(equations.evaluate("f", q=q, v=np.zeros(6))).all()
    assert_allclose(equations.evaluate("f", q=[0, 0, 0.22, 1, 0, 0, 0], v=v)[:3], [0, 0, -19.62], atol=1e-12)


SPEEDS, COEFFICIENTS = [0.0, 1.0, 2.0], [0.5, 0.3, 0.2]


@pytest.mark.parametrize("mu", [(SPEEDS, COEFFICIENTS), lambda speed: da.table(SPEEDS, COEFFICIENTS)(speed)])
@pytest.mark.parametrize("builder", ["symbolic", "elements", "recursion"])
def test_coefficients_of_contacts_over_speed(mu, builder):
    m = Model("m", gravity=(0, 0, -9.81))
    b = m.body("b", 1.0, (1.0, 1.0, 1.0))
    m.contact("c", b, m.ground, 1000.0, radius=0.21, mu=mu, velocity=1e-3)
    equations = m.equations("absolute" if builder == "elements" else "relative", builder=builder)
    q, v, _ = equations.start()
    q[2], v[:2] = 0.2, [0.6, 0.8]
    a = equations.assemble(q, v).a
    assert_allclose(a[:2], [-0.3 * 10.0 * 0.6, -0.3 * 10.0 * 0.8], rtol=1e-9)


def test_coefficients_of_joints_over_speed():
    def start(mu):
        m = Model("m", gravity=(0, 0, -9.81))
        slide = m.prismatic("slide", m.ground, m.body("b", 2.0, (1.0, 1.0, 1.0)), axis=(1, 0, 0))
        m.friction("dry", slide, mu=mu, velocity=1e-3)
        return m.equations().assemble({slide.rate: 1.0}).a

    assert_allclose(start((SPEEDS, COEFFICIENTS)), start(0.3), atol=1e-9)
    assert np.abs(start((SPEEDS, COEFFICIENTS))).max() == pytest.approx(0.3 * 9.81, rel=1e-9)


def test_coefficients_that_are_none():
    m = Model("m", gravity=(0, 0, -9.81))
    b = m.body("b", 1.0, (1.0, 1.0, 1.0))
    for mu, message in (
        (-0.1, "mu must be at least 0"), ("rough", r"mu must be a number.*a table \(x, y\) over speed"),
        (lambda angle: angle, "asks for an argument 'angle'"), ({"angle": (SPEEDS, COEFFICIENTS)}, "cannot be over"),
    ):  # fmt: skip
        with pytest.raises(ModelError, match=message):
            m.contact("c", b, m.ground, 1000.0, radius=0.21, mu=mu, velocity=1e-3)


def test_planar_contact_on_a_moving_plane_balances():
    m = Model("two", plane="xy")
    a, b = m.body("a", 1.0, 0.1), m.body("b", 2.0, 0.2)
    m.contact("c", a.at(0.1, 0.0), b.at(0.0, 0.2), 100.0, radius=0.1, mu=0.5, velocity=0.01)
    rng = np.random.default_rng(0)
    q, v = np.array([0.2, 0.22, 0.4, 0.0, 0.0, 0.1]), rng.normal(size=6)
    f = m.equations("absolute").evaluate("f", q=q, v=v)
    assert np.abs(f).max() > 1.0
    assert_allclose(f[:2] + f[3:5], 0.0, atol=1e-12)
    cross = [q[i] * f[i + 1] - q[i + 1] * f[i] + f[i + 2] for i in (0, 3)]
    assert_allclose(sum(cross), 0.0, atol=1e-12)


# ------------------------------------------------------------------------------------------------------------- friction


def test_friction_stops_a_mass_where_it_must():
    m, _, rail = mass_on_rail()
    m.friction("f", rail, 6.0, velocity=0.05)
    equations = m.equations()
    start = equations.assemble({rail.displacement: 0.0, rail.rate: 3.0})
    solution = da.simulate(equations, (0.0, 2.0), start, rtol=1e-9, atol=1e-11)
    # m v̇ = −F tanh(v/v₀):  sinh(v/v₀) = sinh(v(0)/v₀) exp(−F t/(m v₀))
    log = np.log(np.sinh(60.0)) - 6.0 / (2.0 * 0.05) * solution.t
    exact = 0.05 * np.where(log > 30.0, log + np.log(2.0), np.arcsinh(np.exp(np.minimum(log, 30.0))))
    assert_allclose(solution.v[0], exact, atol=1e-7)
    assert solution.q[0, -1] == pytest.approx(3.0**2 / (2 * 3.0), rel=1e-3)  # Coulomb: v²/(2 μ g)


def test_stiction_fades():
    m, _, rail = mass_on_rail()
    m.friction(
        "f", rail.displacement, lambda displacement: 2.0 + displacement, velocity=0.01, stiction=5.0, stribeck=0.1
    )
    equations = m.equations()
    for v in (-0.3, 0.005, 0.1, 4.0):
        limit = 2.5 + (5.0 - 2.5) * np.exp(-((v / 0.1) ** 2))
        assert equations.evaluate("f", q=[0.5], v=[v])[0] == pytest.approx(-limit * np.tanh(v / 0.01), rel=1e-12)


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_bearing_friction_follows_the_reaction(coordinates):
    m = Model("bearing", plane="xy", gravity=(0.0, -9.81))
    b = m.body("rotor", 3.0, 0.4)
    joint = m.revolute("A", m.ground, b)
    m.friction("f", joint, mu=0.2, radius=0.05, velocity=1e-4)
    equations = m.equations(coordinates)
    assert equations.sizes.lam == 2
    assert "not linear" in equations.lacks("explicit")
    start = equations.assemble({joint.rate: 10.0})
    alpha = -0.2 * 0.05 * 3.0 * 9.81 / 0.4
    assert start.a[2] == pytest.approx(alpha, rel=1e-10)
    solution = da.simulate(equations, (0.0, 1.0), start, rtol=1e-8, atol=1e-10)
    assert solution.v[2, -1] == pytest.approx(10.0 + alpha, rel=1e-6)


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_eccentric_rotor_with_bearing_friction(coordinates):
    # N is the length of the vector m (a − g) at the centre of mass, which depends on the friction itself.
    m = Model("eccentric", plane="xy", gravity=(0.0, -9.81))
    b = m.body("rotor", 3.0, 0.4, com=(0.3, 0.0))
    joint = m.revolute("A", m.ground, b)
    m.friction("f", joint, mu=0.4, radius=0.1, velocity=1e-4)
    m.sensor("angle", joint.angle)
    equations = m.equations(coordinates)
    start = equations.assemble({joint.angle: 0.3, joint.rate: 2.0})
    solution = da.simulate(equations, (0.0, 0.5), start, rtol=1e-9, atol=1e-11)

    def rates(t, y):
        angle, w = y
        e, n = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        alpha = 0.0
        for _ in range(60):  # fixed point; it contracts
            N = np.linalg.norm(3.0 * (0.3 * (alpha * n - w**2 * e) - np.array([0.0, -9.81])))
            torque = -0.4 * 0.1 * N * np.tanh(0.1 * w / 1e-4) - 3.0 * 9.81 * 0.3 * np.cos(angle)
            alpha = torque / (0.4 + 3.0 * 0.3**2)
        return [w, alpha]

    exact = solve_ivp(rates, (0.0, 0.5), [0.3, 2.0], method="LSODA", rtol=1e-10, atol=1e-12)
    assert solution["angle"][-1] == pytest.approx(exact.y[0, -1], abs=1e-6)


def test_block_slides_down_a_slope():
    for length, share in ((None, 0.0), (0.5, 2.0 * 0.1 / 0.5)):
        m = Model("slope", plane="xy", gravity=(0.0, -9.81))
        b = m.body("block", 2.0, 0.1, com=(0.0, 0.1))
        slope = m.prismatic("slope", m.ground.at(0, 0, angle=-0.6), b)
        m.friction("f", slope, mu=0.3, velocity=1e-4, length=length)
        m.sensor("x", slope.displacement)
        equations = m.equations()
        start = equations.assemble({slope.displacement: 0.0, slope.rate: 1.0})
        # Normal force m g cos α; the weight and the inertia force act 0.1 above the guide and tilt the block with
        # h m (a − g sin α) = −h μ N_total, borne at the ends of the guide.
        N, g = 2.0 * 9.81 * np.cos(0.6), 9.81 * np.sin(0.6)
        total = N / (1.0 - 0.3 * share)
        acceleration = g - 0.3 * total / 2.0
        found = equations.evaluate_quantity(b.at(0, 0).acceleration, start)
        assert_allclose(found, acceleration * np.array([np.cos(0.6), -np.sin(0.6)]), rtol=1e-9)


def spatial_bearing(kind, **options):
    m = Model("spatial", gravity=(0.0, 0.0, -9.81))
    b = m.body("b", 2.0, (0.1, 0.2, 0.3), velocity=(1.0, 0.0, 0.0) if kind in ("cylindrical", "planar_joint") else None,
               angular_velocity=options.pop("spin", None), position=(0, 0, 0))  # fmt: skip
    joint = getattr(m, kind)("J", m.ground, b, **options.pop("joint", {}))
    m.friction("f", joint, mu=0.3, velocity=1e-5, **options)
    equations = m.equations("absolute")
    return equations, equations.assemble()


def test_friction_in_spatial_joints():
    weight = 2.0 * 9.81
    # a horizontal shaft bears the weight radially, a vertical one by its collar
    _, start = spatial_bearing("revolute", joint={"axis": "x"}, spin=(5.0, 0, 0), radius=0.1)
    assert start.a[3] == pytest.approx(-0.3 * weight * 0.1 / 0.1, rel=1e-9)
    _, start = spatial_bearing("revolute", spin=(0, 0, 5.0), radius=0.1, thrust_radius=0.04)
    assert start.a[5] == pytest.approx(-0.3 * weight * 0.04 / 0.3, rel=1e-9)
    # ball joint: against the direction of turning
    _, start = spatial_bearing("spherical", spin=(0, 3.0, 0), radius=0.1)
    assert start.a[4] == pytest.approx(-0.3 * weight * 0.1 / 0.2, rel=1e-9)
    # a collar that slides and turns on a horizontal shaft: one friction force, in the direction of both together
    _, start = spatial_bearing("cylindrical", joint={"axis": "x"}, spin=(5.0, 0, 0), radius=0.1)
    slide = np.array([1.0, 0.5]) / np.hypot(1.0, 0.5)
    assert_allclose([start.a[0], start.a[3]], -0.3 * weight * slide * [1 / 2.0, 0.1 / 0.1], rtol=1e-9)
    # a puck on a table
    _, start = spatial_bearing("planar_joint")
    assert_allclose(start.a[:3], [-0.3 * 9.81, 0.0, 0.0], atol=1e-8)


# ----------------------------------------------------------------------------------------------- motors and controllers


def test_step_response_of_a_dc_motor():
    m, A = shaft(0.02)
    motor = m.dc_motor("motor", A, lambda t, p: p.U, resistance=1.5, inductance=0.05, constant=0.4, ratio=2.0)
    m.torsion_spring("bearing", A, damping=0.01)
    m.parameters(U=12.0)
    m.sensor("torque", motor.force)
    equations = m.equations()
    assert equations.names["u"] == ("motor.current",)
    solution = da.simulate(equations, (0.0, 0.5), equations.assemble(), rtol=1e-10, atol=1e-12)
    K = 0.8
    matrix = np.array([[-0.01 / 0.02, K / 0.02], [-K / 0.05, -1.5 / 0.05]])
    steady = np.linalg.solve(matrix, [0.0, -12.0 / 0.05])
    exact = np.stack([steady + expm(matrix * t) @ -steady for t in solution.t], axis=1)
    assert_allclose(solution.v[0], exact[0], atol=1e-7)
    assert_allclose(solution.u[0], exact[1], atol=1e-7)
    assert_allclose(solution["torque"], K * exact[1], atol=1e-7)


def test_dc_motor_without_inductance():
    m, A = shaft()
    m.dc_motor("motor", A, 12.0, resistance=1.5, constant=0.4)
    assert m.equations().evaluate("f", q=[0], v=[5.0])[0] == pytest.approx(0.4 * (12.0 - 0.4 * 5.0) / 1.5)


@pytest.mark.parametrize("tau", [0.0, 0.02])
def test_pid_controller_against_scipy(tau):
    m, _, rail = mass_on_rail()
    m.pid("control", rail, lambda t: 0.5 * np.sin(t) + 0.1, kp=40.0, ki=20.0, kd=8.0, filter=tau)
    equations = m.equations()
    solution = da.simulate(equations, (0.0, 3.0), equations.assemble(), rtol=1e-9, atol=1e-11)

    def rates(t, y):
        x, v, integral, slope = y
        e, de = 0.5 * np.sin(t) + 0.1 - x, 0.5 * np.cos(t) - v
        d = slope if tau else de
        return [v, (40.0 * e + 20.0 * integral + 8.0 * d) / 2.0, e, (de - slope) / (tau or 1.0)]

    exact = solve_ivp(rates, (0.0, 3.0), np.zeros(4), method="DOP853", rtol=1e-11, atol=1e-13, t_eval=[3.0]).y[:, -1]
    assert solution.q[0, -1] == pytest.approx(exact[0], abs=1e-7)
    assert solution.u[0, -1] == pytest.approx(exact[2], abs=1e-7)


def test_hydraulic_cylinder_against_scipy():
    m = Model("crane", plane="xy", gravity=(0, -9.81))
    arm = m.body("arm", 20.0, 3.0, com=(0.8, 0.0))
    m.revolute("A", m.ground, arm, start=0.3)
    m.parameters(area=2e-3, bulk=1e8, volume=1e-3, damping=500.0)
    cylinder = m.actuator(
        "cylinder", (m.ground.at(0.1, -0.5), arm.at(0.5, 0.0)),
        lambda pressure, rate, p: p.area * pressure - p.damping * rate,
        states={"pressure": 2e5}, rates=lambda pressure, rate, w, p: p.bulk / p.volume * (w.valve - p.area * rate),
    )  # fmt: skip
    m.input("valve", lambda t: 1e-4 * np.sin(3.0 * t))
    m.sensor("force", cylinder.force)
    m.sensor("pressure", cylinder.state("pressure"))
    equations = m.equations()
    solution = da.simulate(equations, (0.0, 1.0), equations.assemble(), rtol=1e-9, atol=1e-9)

    def rates(t, y):
        angle, w, pressure = y
        r = 0.5 * np.array([np.cos(angle), np.sin(angle)])
        line = r - np.array([0.1, -0.5])
        n = line / np.linalg.norm(line)
        speed = n @ (w * np.array([-r[1], r[0]]))
        F = 2e-3 * pressure - 500.0 * speed
        torque = F * (r[0] * n[1] - r[1] * n[0]) - 20.0 * 9.81 * 0.8 * np.cos(angle)
        return [w, torque / (3.0 + 20.0 * 0.64), 1e11 * (1e-4 * np.sin(3.0 * t) - 2e-3 * speed)]

    exact = solve_ivp(rates, (0.0, 1.0), [0.3, 0.0, 2e5], method="DOP853", rtol=1e-11, atol=1e-12).y[:, -1]
    assert solution.q[0, -1] == pytest.approx(exact[0], abs=1e-7)
    assert solution["pressure"][-1] == pytest.approx(exact[2], rel=1e-6)


def test_controller_that_sees_another_coordinate():
    m = Model("cart", plane="xy", gravity=(0, -9.81))
    cart, pole = m.body("cart", 1.0, 0.1), m.body("pole", 0.2, 0.01, com=(0, 0.5))
    x = m.prismatic("x", m.ground, cart)
    tilt = m.revolute("tilt", cart, pole, start=0.1)
    m.actuator("balance", x, lambda displacement, rate, tilt, tilt_rate:
               displacement + 2 * rate - 40 * tilt - 8 * tilt_rate, sees={"tilt": tilt})  # fmt: skip
    equations = m.equations()
    f = equations.evaluate("f", q=[0.0, 0.0], v=[0.3, 0.0])
    assert f[0] == pytest.approx(0.6)
    solution = da.simulate(equations, (0.0, 8.0), equations.assemble())
    assert abs(solution.q[1, -1]) < 0.05


# ---------------------------------------------------------------------------------------------------------- black boxes


def pendulum_with(add):
    m = Model("pendulum", gravity=(0, 0, -9.81))
    a = m.body("a", 1.0, (0.1, 0.2, 0.3), com=(0.3, 0, 0))
    b = m.body("b", 0.5, (0.1, 0.1, 0.1), com=(0.2, 0, 0))
    A = m.revolute("A", m.ground, a, axis="y", start=0.3)
    B = m.universal("B", a.at(0.6, 0, 0), b, start={"angle1": 0.2, "angle2.rate": 1.0})
    m.parameters(k=20.0)
    add(m, a, b, A, B)
    return m


def test_numeric_force_equals_symbolic_force():
    def traced(m, a, b, A, B):
        m.spring("s", m.ground.at(0, 1, 0), b.at(0.4, 0, 0), m.p.k, 1.0, length=0.5)
        m.torque("t", b, lambda angular_velocity: -0.1 * angular_velocity, frame="body")
        m.torque("motor", A, lambda t, angle, rate: np.sin(t) - 0.2 * rate * angle)

    def black_box(m, a, b, A, B):
        def force(t, p, positions, velocities, angular_velocities, values, rates):
            r, v = positions[1] - positions[0], velocities[1] - velocities[0]
            length = float(np.linalg.norm(r))
            pull = (p.k * (length - 0.5) + 1.0 * (r @ v) / length) * r / length
            return {
                "forces": [pull, -pull],
                "torques": [np.zeros(3), -0.1 * angular_velocities[1]],
                "along": [np.sin(t) - 0.2 * rates[0] * values[0]],
            }

        m.numeric_force("black", [m.ground.at(0, 1, 0), b.at(0.4, 0, 0), A.angle], force)

    for coordinates, builder in (("relative", "symbolic"), ("absolute", "elements"), ("relative", "recursion")):
        found = []
        for add in (traced, black_box):
            m = pendulum_with(add)
            equations = m.equations(coordinates, builder=builder)
            start = equations.assemble(parameters={"k": 30.0})
            found.append(start)
        assert_allclose(found[1].a, found[0].a, rtol=1e-10, atol=1e-10)
        assert_allclose(found[1].lam, found[0].lam, rtol=1e-9, atol=1e-9)


def test_motion_with_a_numeric_force():
    m, _, rail = mass_on_rail()
    calls = []

    def spring(t, values, rates, w):
        calls.append(t)
        return -50.0 * values - 1.2 * rates + w.push

    m.numeric_force("black", rail, spring)
    m.input("push", lambda t: 0.0 * t + 5.0)
    equations = m.equations()
    start = equations.assemble({rail.displacement: 0.4})
    solution = da.simulate(equations, (0.0, 1.0), start, rtol=1e-8, atol=1e-10)
    decay = 0.3
    omega = np.sqrt(25.0 - decay**2)
    exact = 0.1 + 0.3 * np.exp(-decay) * (np.cos(omega) + decay / omega * np.sin(omega))
    assert solution.q[0, -1] == pytest.approx(exact, abs=1e-7)
    assert calls


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda positions: np.zeros(2), r"must return forces of the shape \(2, 3\), got \(2,\)"),
        (lambda positions: np.full((2, 3), np.nan), "returns forces that are not finite at t = 0"),
        (lambda positions: {"force": 0.0}, "returns 'force'; did you mean 'forces'"),
    ],
)
def test_wrong_results_of_numeric_forces(function, message):
    m = Model("bad")
    a = m.body("a", 1.0, (1, 1, 1))
    m.numeric_force("black", [m.ground, a], function)
    with pytest.raises(ModelError, match=message):
        m.equations().assemble()


# --------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("add", "message"),
    [
        (lambda m, b, A, C: m.tyre("t", b, 0.3, 1e5, up=(0, 0, 0)), "tyre 't': up must be a direction of 3 numbers"),
        (lambda m, b, A, C: m.tyre("t", b, 0.3, 1e5, road=lambda z: z), "asks for an argument 'z'"),
        (lambda m, b, A, C: m.tyre("t", b, -0.3, 1e5), "radius must be at least 0"),
        (lambda m, b, A, C: m.friction("f", A, 1.0), "friction 'f': give velocity="),
        (lambda m, b, A, C: m.friction("f", A, 1.0, velocity=0.0), "velocity must be positive"),
        (lambda m, b, A, C: m.friction("f", A, velocity=1.0), "give either limit="),
        (lambda m, b, A, C: m.friction("f", A, 1.0, velocity=1.0, stiction=2.0), "belong together"),
        (lambda m, b, A, C: m.friction("f", A, 1.0, velocity=1.0, radius=2.0), "radius belongs to mu="),
        (lambda m, b, A, C: m.friction("f", A, mu=0.1, velocity=1.0), "needs radius="),
        (lambda m, b, A, C: m.friction("f", A, mu=0.1, velocity=1.0, radius=1, length=1), "length has no meaning"),
        (lambda m, b, A, C: m.friction("f", C, mu=0.1, velocity=1.0, radius=1), "joint 'C' has no friction by"),
        (lambda m, b, A, C: m.friction("f", A.angle, mu=0.1, velocity=1.0, radius=1), "mu= needs a joint"),
        (lambda m, b, A, C: m.friction("f", b, 1.0, velocity=1.0), "a joint, a coordinate or a pair of markers"),
        (lambda m, b, A, C: m.contact("c", b, m.ground, 1e5, mu=0.1), "give velocity="),
        (lambda m, b, A, C: m.actuator("x", A, 0.0, states={"i": 0}), "states= and rates="),
        (lambda m, b, A, C: m.actuator("x", A, 0.0, states={"rate": 0}, rates=lambda: 0), "cannot be the name"),
        (lambda m, b, A, C: m.actuator("x", A, lambda j: 0.0, states={"i": 0}, rates=lambda i: -i), "an argument 'j'"),
        (lambda m, b, A, C: m.dc_motor("x", A, lambda current: 0.0, resistance=1, constant=1), "argument 'current'"),
        (lambda m, b, A, C: m.dc_motor("x", A, 1.0, resistance=0, constant=1), "resistance must be positive"),
        (lambda m, b, A, C: m.pid("x", A, lambda angle: 0.0, kp=1.0), "asks for an argument 'angle'"),
        (lambda m, b, A, C: m.numeric_force("x", [A], lambda positions: 0), "asks for an argument 'positions'"),
        (lambda m, b, A, C: m.actuator("x", A, 0, states={"i": 0}, rates=lambda i: i).state("j"), "has no state 'j'"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_refused(add, message):
    m = Model("bad", gravity=(0, 0, -9.81))
    b = m.body("b", 1.0, (1, 1, 1))
    A = m.revolute("A", m.ground, b)
    C = m.universal("C", b, m.body("c", 1.0, (1, 1, 1)))
    with pytest.raises(ModelError, match=message):
        add(m, b, A, C)


def test_gravity_that_does_not_say_where_up_is():
    m = Model("weightless")
    with pytest.raises(ModelError, match="give up="):
        m.tyre("t", m.body("b", 1.0, (1, 1, 1)), 0.3, 1e5)


def test_a_joint_has_friction_once():
    m, A = shaft()
    m.friction("f", A, mu=0.1, radius=0.1, velocity=0.01)
    with pytest.raises(ModelError, match="has friction 'f' already"):
        m.friction("g", A, mu=0.1, radius=0.1, velocity=0.01)
    with pytest.raises(ModelError, match="the name 'f' is used twice"):
        m.torque("f", A, 1.0)


def test_the_element_with_forces_that_are_not_finite_is_named():
    m = Model("nan", plane="xy")
    a, b = m.body("a", 1.0, 1.0), m.body("b", 1.0, 1.0, position=(1.0, 0.0))
    m.spring("good", a, b, 5.0, length=1.0)
    m.spring("flat", m.ground, a, 5.0, 1.0, length=1.0)
    equations = m.equations("absolute", builder="symbolic")
    q, v, u = equations.start()
    point = {"t": 0.0, "q": q, "v": v, "u": u}
    assert "spring 'flat'" in str(culprit(equations.scene, point))
    assert "its markers coincide" in str(culprit(equations.scene, point))
    assert culprit(equations.scene, {**point, "q": [0.1, 0, 0, 1, 0, 0]}) is None
    m = Model("nan", plane="xy")
    A = m.revolute("A", m.ground, m.body("a", 1.0, 1.0), start=-1.0)
    m.torque("root", A, lambda angle: np.sqrt(angle))
    equations = m.equations(builder="symbolic")
    q, v, u = equations.start()
    assert "torque 'root': force: nan" in str(culprit(equations.scene, {"t": 0.0, "q": q, "v": v, "u": u}))


# ------------------------------------------------------------------------------------------ all forces, all coordinates


def everything():
    """A spatial chain with a bit of all forces, twice of some, so that elements of one type differ in numbers."""
    m = Model("everything", gravity=(0, 0, -9.81))
    m.parameters(k=30.0, mu=0.2)
    m.input("push", lambda t: 1.0 + 2.0 * t)
    bodies = [m.body(f"b{i}", 1.0 + i, (0.2, 0.3, 0.4 + 0.01 * i), com=(0.2, 0.02, 0)) for i in range(4)]
    A = m.revolute("A", m.ground.at(0, 0, 1), bodies[0], axis="y", start={"angle": 0.4, "angle.rate": 0.5})
    B = m.cylindrical(
        "B", bodies[0].at(0.4, 0, 0), bodies[1], start={"angle": 7.0, "displacement": 0.1, "displacement.rate": 1.0}
    )
    m.spherical("C", bodies[1].at(0.4, 0, 0), bodies[2], start={"angular_velocity": (0.2, 0.5, -1.0)})
    D = m.universal("D", bodies[2].at(0.4, 0, 0), bodies[3], start={"angle1": 0.3, "angle2.rate": 0.4})
    # Friction makes this joint a constraint; the body that it carries has its place from itself.
    bob = m.body("bob", 1.5, (0.1, 0.2, 0.2), com=(0.1, 0, 0), position=(0.5, 0, 2), angular_velocity=(1.0, 2.0, 0.5))
    E = m.spherical("E", m.ground.at(0.5, 0, 2), bob)
    m.spring("link", bob.at(0.2, 0, 0), bodies[2], 10.0, length=0.5)
    bodies.append(bob)
    for i, k in ((1, 20.0), (2, 50.0)):
        m.spring(f"s{i}", m.ground.at(0, 1, 0), bodies[i].at(0, 0.1, 0.1 * i), k, 1.0, length=0.3, force=2.0)
        m.bushing(f"bush{i}", bodies[i], bodies[i + 1].at(0, 0, 0.05), k * np.eye(6), np.ones(6))
        m.force(f"f{i}", bodies[i], lambda t, velocity, w: w.push * velocity, frame=bodies[0], reaction=bodies[3])
        m.tyre(f"wheel{i}", bodies[i], 2.0 + i, k, 1.0, road=lambda x, y, t, p: 0.1 * np.sin(x) * y + p.mu * t)
    m.spring("table", bodies[0].at(0, 0.3, 0), bodies[3].at(0, 0, 0.2), force=([0, 1, 2, 3], [0, 1, 4, 5]))
    m.torsion_spring("turns", B.angle, m.p.k, 0.1, natural=1.0)
    m.gear_spring("gear", A, B.angle, 2.0, 5.0, 0.2)
    m.torque(
        "motor",
        A,
        lambda angle, rate, slide, slide_rate, p: p.k - rate * angle + slide_rate,
        sees={"slide": B.displacement},
    )
    m.torque("pair", (bodies[1], bodies[3]), lambda angular_velocity: -angular_velocity)
    m.friction("dry", D.angle1, 3.0, velocity=0.1)
    m.friction("ball", E, mu=m.p.mu, radius=0.1, velocity=0.1)
    m.contact("floor", bodies[3], m.ground.at(0, 0, 1.0), 100.0, 1.0, radius=1.0, mu=0.3, velocity=0.1)
    m.dc_motor("dc", D.angle2, lambda t: 1.0 + t, resistance=1.0, inductance=0.1, constant=0.3, current=2.0)
    m.pid("pid", B.displacement, lambda t: t, kp=5.0, ki=1.0, kd=1.0, filter=0.1)
    m.user_force("user", [bodies[0], bodies[3]], lambda A, B, t: [(t * A.to(B), A.velocity - B.velocity)])
    m.sensor("tip", bodies[3].at(0.5, 0, 0).position)
    return m, bodies


def everything_planar():
    """The same in the plane, with data that are parameters."""
    m = Model("everything planar", plane="xy", gravity=(0, -9.81))
    p = m.parameters(k=30.0, mu=0.2, F=(1.0, -2.0))
    bodies = [m.body(f"b{i}", 1.0 + i, 0.2 + 0.1 * i, com=(0.2, 0.02)) for i in range(3)]
    A = m.revolute("A", m.ground.at(0, 1), bodies[0], start={"angle": 7.0, "angle.rate": 0.5})
    B = m.prismatic(
        "B", bodies[0].at(0.4, 0, angle=0.3), bodies[1], start={"displacement": 0.1, "displacement.rate": 1}
    )
    C = m.revolute("C", bodies[1].at(0.4, 0), bodies[2], start={"angle": -0.4, "angle.rate": 2.0})
    slider = m.body("slider", 1.5, 0.3, com=(0, 0.1), position=(0.5, 2), angle=0.2, velocity=(np.cos(0.2), np.sin(0.2)))
    guide = m.prismatic("guide", m.ground.at(0.5, 2, angle=0.2), slider)
    m.friction("dry guide", guide, mu=p.mu, velocity=0.1, length=0.4)
    m.bushing("bush", bodies[0], slider, p.k * np.ones(3), np.ones(3), preload=(p.mu, 0, 0))
    m.torsion_spring("turn", (bodies[0], bodies[2]), p.k, 0.2, natural=1.0)
    m.spring("s", m.ground.at(1, 1), bodies[2].at(0, 0.1), p.k, 1.0, length=p.mu)
    m.spring("zero", slider, bodies[2], p.k, length=0.0)
    m.joint_spring("slide", B, 5.0, 0.1, natural=0.3, force=([-1, 0, 1, 2], [-3, 0, 1, 9]))
    m.gear_spring("gear", A, C, -2.0, 5.0)
    m.torque("t1", bodies[1], lambda angle, rate, bob: angle - rate + bob[0], sees={"bob": slider})
    m.torque("t2", bodies[2], 3.0, reaction=bodies[0])
    m.force("f1", bodies[2].at(0, 0.2), p.F, frame=bodies[0])
    m.force("f2", (slider, bodies[1]), lambda length, rate: length * rate)
    m.tyre("tyre", slider, 3.0, 20.0, 1.0, road=([-2, 0, 1, 2, 5], [0, 0.1, 0.3, 0, 0]))
    m.contact("floor", bodies[2], m.ground.at(0, 0, angle=0.1), 100.0, 1.0, radius=2.0, mu=p.mu, velocity=0.1)
    m.friction("dry", C, 2.0, velocity=0.1, stiction=3.0, stribeck=1.0)
    return m, [*bodies, slider]


@pytest.mark.parametrize("model", [everything, everything_planar])
def test_all_forces_in_all_coordinates(model):
    m, bodies = model()
    point = (0.1, 0.2) if m.planar else (0.1, 0.0, 0.2)
    found = []
    for coordinates, builder in (
        ("relative", "symbolic"), ("absolute", "symbolic"), ("absolute", "elements"), ("relative", "recursion")
    ):  # fmt: skip
        equations = m.equations(coordinates, builder=builder)
        start = equations.assemble(t=0.3)
        measured = [*(body.at(*point).acceleration for body in bodies), m.energy]
        found.append(np.concatenate([np.ravel(equations.evaluate_quantity(one, start)) for one in measured]))
    for other in found[1:]:
        assert_allclose(other, found[0], rtol=1e-9, atol=1e-9)


def test_power_balance():
    m, bodies = everything()
    equations = m.equations("relative", builder="symbolic")
    scene = equations.scene
    start = equations.assemble(t=0.3)
    weights = [
        (mass * scene.world.vector(0, 0, -9.81), frame.velocity)
        for mass, frame, _ in (body.centre_at(scene) for body in bodies)
    ]
    pairs = [pair for element in scene.layout.elements for pair in element.powers(scene.site(element))] + weights
    power = sum(F.dot(v) if hasattr(F, "dot") else F * v for F, v in pairs)
    T = equations.evaluate("T", t=0.3, q=start.q)

    def kinetic(s):
        moved = da.State(0.3, start.q + s * T @ start.v, start.v + s * start.a, start.a, start.lam, start.u)
        return equations.evaluate_quantity(m.kinetic_energy, moved)

    # Constraints do no work: the kinetic energy grows by the power of all forces.
    rate = (kinetic(1e-5) - kinetic(-1e-5)) / 2e-5
    assert rate == pytest.approx(equations.evaluate_quantity(Quantity(lambda scene: power), start), rel=1e-7)


def double_pendulum():
    m = da.Model("double pendulum", plane="xy", gravity=(0, -9.81))
    a = m.body("a", mass=1.0, inertia=0.1, com=(0.1, 0))
    b = m.body("b", mass=1.0, inertia=0.1, com=(0.1, 0))
    A = m.revolute("A", m.ground.at(0, 0), a.at(0, 0))
    B = m.revolute("B", a.at(1, 0), b.at(0, 0), start=0.2)
    return m, b, A, B


@pytest.mark.parametrize("method", ["auto", "mexx", "radau"])
def test_a_stop_iteration_of_a_numeric_force_stays_one(method):
    m = Model("rail", plane="xy", gravity=(0.0, 0.0))
    rail = m.prismatic("rail", m.ground.at(0, 0), m.body("b", mass=1.0, inertia=1.0).at(0, 0), axis=(1, 0))

    def pull(values, t):
        if float(t) > 0.5:
            raise StopIteration("no more data")
        return -values

    m.numeric_force("black", rail, pull)
    run = da.simulate(m.equations(), (0, 1), ([1.0], [0.0]), method=method)
    assert run.outcome == "function failed" and "Numeric force 'black' raised StopIteration" in run.message


@pytest.mark.parametrize("builder", ["symbolic", "recursion"])
def test_reactions_of_the_tree_beside_numeric_forces_are_not_measured(builder):
    """A black box is not seen by the principle of virtual power on atoms: better nothing than a wrong number."""
    m, b, A, _ = double_pendulum()
    m.numeric_force("pull", b.at(1, 0), lambda positions: -30.0 * positions)
    equations = m.equations(builder=builder)
    solution = da.simulate(equations, (0, 0.1), equations.assemble())
    assert "A.force" not in solution.outputs
    assert "missing" not in solution.message
    with pytest.raises(ModelError, match="not known beside numeric forces"):
        equations.evaluate_quantity(A.force, equations.assemble())


def test_reactions_of_constraints_beside_numeric_forces_are_measured():
    def forces(numeric):
        m, b, A, _ = double_pendulum()
        if numeric:
            m.numeric_force("pull", b.at(1, 0), lambda positions: -30.0 * positions)
        else:
            m.force("pull", b.at(1, 0), lambda position: -30.0 * position)
        equations = m.equations("absolute")
        return equations.evaluate_quantity(A.force, equations.assemble())

    np.testing.assert_allclose(forces(True), forces(False), rtol=1e-10)
